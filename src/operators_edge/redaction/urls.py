"""Secrets in URLs and in other addresses of services: passwords, signatures, and links that let somebody in.

Does not own names in a query (``redaction.names``). Pure; each pattern reaches a bounded number of signs.
"""

from __future__ import annotations

from operators_edge.redaction.finding import Finding
from operators_edge.redaction.place import is_no_output, is_unlikely, place
from operators_edge.redaction.randomness import has_digit, is_chosen, is_memorable, is_random
from operators_edge.redaction.scanner import pattern, run_before

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.redaction.place import Look

_LOGIN = r"""(?:.{0,200}[\s"'`=(<\[{,;|]|.{0,200}://)?(?:sips?:)?(?P<user>(?:[A-Za-z]|(?<=sip:)\d|(?<=sips:)\d)[\w.+\\$%-]{0,63})(?P<sign>[:/])["']?(?P<value>[^\s:/@"'`<>()\[\]{},;|=]{4,128})["']?"""
_HOST = (
    r"@(?P<host>(?:\d{1,3}\.){3}\d{1,3}|\[[0-9a-fA-F:]{2,40}\]|(?=[\w.-]{0,64}[A-Za-z])(?!sha\d|md5)[A-Za-z0-9][\w-]{0,62}(?:(?:\.[A-Za-z0-9][\w-]{0,62}){0,6}\.[A-Za-z][\w-]{0,62})?)"
    r"(?P<port>:\d{2,5}(?![\w.:])|[:/](?=[\w~/.-]))?(?![\w.@:-])"
)
_NAMES_OF_MAIL = frozenset(
    "to cc bcc from mail mailto email acct author owner contact user username login xmpp reply-to sender by committer".split()
)
_MAX = 200


def before_hosts(text: str) -> Iterator[Finding]:
    """``user:password@host`` without a scheme, and Oracle's ``user/password@host:port/service``.

    Lists of packages are full of the sign, so it is not one of the words that are searched for.
    """
    at = text.find("@")
    while at >= 0:
        first = at - _LONGEST if at > _LONGEST else 0
        space = text.rfind(" ", first, at)
        word = text[space if space >= 0 else first : at]
        if ":" in word or "/" in word:
            yield from _before_host(text, at)
        at = text.find("@", at + 1)


def _before_host(text: str, at: int) -> Iterator[Finding]:
    host = pattern(_HOST).match(text, at)
    if host is None:
        return
    login = pattern(_LOGIN).fullmatch(run_before(r"^\n", text, at, _MAX))
    if login is None:
        return
    value, name = login["value"], host["host"]
    is_local = "." not in name and name[0] != "["
    if is_local and name != "localhost" and not host["port"]:
        return
    if login["sign"] == "/":
        is_service = host["port"] is not None and text[host.end() : host.end() + 1] == "/"
        is_likely = is_service and host["port"][1:].isdigit() and not is_unlikely(value)
    elif host["port"]:
        is_likely = has_digit(value) and len(value) >= _SHORTEST
    else:
        is_likely = login["user"].lower() not in _NAMES_OF_MAIL and (
            is_chosen(value) or is_memorable(value) or is_random(value, least=10)
        )
    if is_likely and not is_unlikely(value):
        begin = at - (len(login.string) - login.start("value"))
        yield Finding(begin, begin + len(value), "", "url")


_SHORTEST, _LONGEST = 6, 130
"""Signs of a password, and of what is read for one."""


# fmt: off
PLACES: tuple[tuple[tuple[str, ...], Look], ...] = (
    (("://",), place(
         r"""://(?=[^\s/"'<>@]{1,1024}+@)(?!([^\s/@:]{1,64}):\1@)(?![0-9a-f]{32}@(?:o\d{1,12}\.)?ingest(?:\.[a-z]{2})?\.sentry\.io/\d)(?:(?P<key>[^\s/@:"'<>]{16,1024})(?=:(?:x-oauth-basic|[xX])?@)|[^\s/@:"'<>]{0,256}(?:@[^\s/@:"'<>]{1,64})?:(?P<value>[^\s/"'<>]{1,1024})(?=@)"""
        r"""|(?P<token>[^\s/@:"'<>]{20,1024})@)""", "", "url", needs="@")),
    (("hooks.slack.com/",), place(
        r"(?i)hooks\.slack\.com/(?:services|workflows|triggers)/(?P<value>[\w/-]{20,})", "slack", "format")),
    (("api/webhooks/",), place(r"(?i)api/webhooks/(?P<value>\d{10,}/[\w-]{20,})", "discord", "format")),
    (("webhook.office.com/",), place(
        r"(?i)webhook\.office\.com/webhookb2/(?P<value>[\w@/-]{40,})", "microsoft-teams", "format")),
    (("sig=",), place(r"(?i)[?&;]sig=(?P<value>[A-Za-z0-9%+/=_-]{20,200})", "azure", "url", before="?&;")),
    (("ss://", "trojan://", "vless://", "hysteria2://", "hy2://"), place(
        r"(?<![a-z])\w{2,9}://(?P<value>[^\s/@:\"'<>]{8,512})@", "proxy", "url")),
    (("vmess://",), place(r"vmess://(?P<value>[\w+/=-]{40,4096})", "proxy", "url")),
    (("rtmp://", "rtmps://"), place(r"rtmps?://[^\s/]{1,128}/(?:[\w-]{1,32}/){1,3}(?P<value>[\w-]{16,128})", "", "url", unless=is_no_output)),
    (("register =>", "register=>"), place(r"register ?=> ?[^\s:@]{1,64}:(?P<value>[^\s@]{3,128})@", "", "url")),
    (("?tkn=", "&tkn="), place(r"[?&]tkn=(?P<value>[\w-]{16,128})", "", "url")),
    (("/t/",), place(r"/t/(?P<value>[\w-]{20,128})(?=/)", "", "url", unless=is_no_output)),
    ((":pserver:", ":ext:"), place(r":\w{3,7}:[^\s:@]{1,64}:(?P<value>[^\s@/]{3,128})@", "", "url")),
    (("@tcp(", "@unix("), place(r"[\w.-]{1,64}:(?P<value>[^\s\"'@/]{2,256})@(?:tcp|unix)\(", "", "url", before=r"^\s\"'@/")),
    (("jdbc:oracle:", "userid=", "rman target ", "expdp ", "impdp ", "sqlldr ", "exp ", "imp "), place(
        r"(?i)[\w: =]{4,24}?[\w$#.-]{1,64}/[\"']?(?P<value>[^\s\"'@/;]{2,128})[\"']?@[\w/(]", "", "url")),
    (("@//",), place(r"[\w$#.-]{1,64}/(?P<value>[^\s\"'@/]{3,128})@//", "", "url", before=r"^\s\"'@:=")),
    (tuple(f"/{what}/" for what in ("reset", "reset-password", "password-reset", "reset_password", "verify", "verify-email", "confirm", "activate", "invite", "magic-link", "magic-login", "magic", "login-link", "signin", "sign-in", "one-time-login", "unlock", "join", "invitation", "invitations")), place(
        r"/[\w-]{5,14}/(?P<value>[\w.~-]{20,512})(?=[\s\"'<>?)#]|\Z)", "", "url", unless=is_no_output)),
    (("/ical/",), place(r"/ical/[^\s/\"']{1,160}/private-(?P<value>[0-9a-f]{32})", "google-calendar", "format")),
    (("webhook_url", "webhookurl", "webhook-url", "hook_url"), place(
        r"(?i)\w{4,7}[-_]?url[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?https?://[^\s\"']{1,200}/(?P<value>[\w-]{16,128})(?=[\s\"',;]|\Z)", "webhook", "url", unless=is_no_output)),
    (("/hooks/",), place(
        r"/hooks/(?P<value>(?=[a-z]{0,25}\d)[a-z0-9]{26}|[A-Za-z0-9]{17,24}/[A-Za-z0-9]{40,64})(?![\w/-])", "webhook", "format")),
)
# fmt: on

# end of module
