"""Secrets in URLs and in other addresses of services: passwords, signatures, and links that let somebody in.

Does not own names in a query (``redaction.names``). Pure; each pattern reaches a bounded number of signs.
"""

from __future__ import annotations

from operators_edge.redaction.place import is_no_argument, is_no_output, place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.redaction.place import Look


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
    (("/t/",), place(r"/t/(?P<value>[\w-]{20,128})(?=/)", "", "url", unless=is_no_argument)),
    ((":pserver:", ":ext:"), place(r":\w{3,7}:[^\s:@]{1,64}:(?P<value>[^\s@/]{3,128})@", "", "url")),
    (("@tcp(", "@unix("), place(r"[\w.-]{1,64}:(?P<value>[^\s\"'@/]{2,256})@(?:tcp|unix)\(", "", "url", before=r"^\s\"'@/")),
    (("jdbc:oracle:", "userid=", "rman target ", "expdp ", "impdp ", "sqlldr ", "exp ", "imp "), place(
        r"(?i)[\w: =]{4,24}?[\w$#.-]{1,64}/[\"']?(?P<value>[^\s\"'@/;]{2,128})[\"']?@[\w/(]", "", "url")),
    (("@//",), place(r"[\w$#.-]{1,64}/(?P<value>[^\s\"'@/]{3,128})@//", "", "url", before=r"^\s\"'@:=")),
    (tuple(f"/{what}/" for what in ("reset", "reset-password", "password-reset", "reset_password", "verify", "verify-email", "confirm", "activate", "invite", "magic-link", "magic")), place(
        r"/[\w-]{5,14}/(?P<value>[\w.~-]{20,512})(?=[\s\"'<>?)#]|\Z)", "", "url", unless=is_no_output)),
    (("/hooks/",), place(
        r"/hooks/(?P<value>(?=[a-z]{0,25}\d)[a-z0-9]{26}|[A-Za-z0-9]{17,24}/[A-Za-z0-9]{40,64})(?![\w/-])", "webhook", "format")),
)
# fmt: on

# end of module
