"""Secrets that commands print on the lines below, write into files of telling names, or fill in.

Owns which lines announce a secret, and what the lines below may look like. Does not own names with a value
beside them (``redaction.names``). Pure; each look reaches a bounded number of signs.
"""

from __future__ import annotations

from operators_edge.redaction.finding import LEAD, Finding
from operators_edge.redaction.randomness import (
    has_digit,
    is_chosen,
    is_hex,
    is_place,
    is_placeholder,
    is_random,
    is_uuid,
)
from operators_edge.redaction.scanner import pattern
from operators_edge.redaction.secret_names import PASSWORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# fmt: off
PRINTING = (
    "dumpprivkey", "initial-password", "master.key", "| base64 -d", "| base64 --d", "wg genkey", "wg genpsk", "openssl rand",
    "auth token", "auth:token", "print-access-token", "print-identity-token", "get-login-password", "get-access-token", "op read ",
    "urandom", "pwgen", "makepasswd", "/run/secrets/", "find-generic-password", "find-internet-password", "secret-tool lookup", "kwallet-query -r",
    "output -raw ", "--query secretstring", "create token ", "join-token -q", "secrets versions access", "secret show ", "keyring get ",
    "vault read -field", "vault kv get -field", "generate-secret", "generate secret", "token_hex(", "token_urlsafe(", "randombytes(", "rails secret",
    "pass show ", "bw get password", "gopass show", "chamber read", "sops -d", "age-keygen", "rake secret", "phx.gen.secret", "key:generate --show",
    "/etc/rancher/", "node-token", "initialadminpassword", "bootstrap-password", "token create --print",
    "--with-decryption", "generate_key()", "generatekey(", "securerandom", "token_bytes(", "mkpasswd", "gpg --gen-random", "config:get ", "genrsa",
    "credstash get", "eyaml decrypt", "consul keygen", "keyring generate", "keyvault secret show", "kms decrypt", "tsig-keygen", "dotenv get", "apg -", "xkcdpass", "diceware",
)
"""Commands that print a secret alone in the line below."""

FILES = tuple(
    f"{sign}{name}{end}" for sign in "_-./" for name in ("pass", "pw", "key") for end in "\n. )"
) + tuple(f"_{name}{end}" for name in ("pass", "pw") for end in '}"')
# fmt: on
"""How the names of files and entries end that hold one, besides what ``secret_names.TELLING`` knows."""

_ALONE = (
    rf"""\r?\n(?:[ \t|+=-]{{0,80}}\r?\n)?(?:```\w{{0,12}}\r?\n)?{LEAD}[ \t]*(?:\#\#\[debug\])?(?:(?i:(?:new )?(?:result|value|output|key)): {{1,4}}|=> |\$\d+ = |\d+\) )?(?P<open>[bu]?["'`])?"""
    r"""(?P<value>[^\s"'`]{8,512}+)(?(open)["'`])[ \t\r]*(?=\n|\Z)"""
)
"""A value that is all of the next line."""


def printed(text: str, at: int, end: int) -> Iterator[Finding]:
    """What such a command printed."""
    stop = _end_of_line(text, end)
    found = pattern(_ALONE).match(text, stop) if stop >= 0 else None
    if (
        found is not None
        and not pattern(_RUN).search(text, max(0, at - _REACH), stop)
        and _is_drawn(found["value"])
    ):
        yield Finding(*found.span("value"), "", "command")


def _end_of_line(text: str, end: int) -> int:
    return text.find("\n", end - 1, end + _REACH)


_REACH = 240


def _is_drawn(value: str) -> bool:
    """One word of made up signs."""
    is_key = is_hex(value) and len(value) >= _SHORTEST_KEY
    is_likely = is_key or is_random(value, least=10) or is_chosen(value)
    return is_likely and not is_placeholder(value) and not is_place(value)


_SHORTEST_KEY = 32

# fmt: off
_PROMPT = (
    r"[ \t]{0,8}(?:\((?:gdb|lldb|i?pdb|Pdb|dlv|rdbg)\) |[\w@:~/.\[\]() -]{0,48}[$#%\u276f\u279c\u03bb] |\+{1,3} |>>> ?|In \[\d+\]: |irb\([^)\n]{1,24}\)[:\d]{0,8}[>*] |PS [^>\n]{1,80}> ?"
    r"|[A-Za-z]:\\[^>\n]{0,80}>|(?:mysql|sqlite|redis|mongo|iex\(\d+\)|[\w.:-]{1,40}:\d{2,5}|[\w-]{1,24}=[#>])?> ?|[\w-]{1,24}=[#>] )"
)
_READERS = (
    r"(?:sudo (?:-\w+ ){0,3})?(?:\w+(?:-\w+)? exec [^\n]{1,80}?(?:-- )?)?"
    r"(?:\#\#\[debug\]Evaluating|(?:cat|echo|printf|printenv|head|tail|less|more|bat|type|Get-Content|gc|Write-(?:Output|Host)|aws|gcloud|az|kubectl|oc|vault|op|bw|pass|gopass"
    r"|heroku|fly(?:ctl)?|terraform|tofu|terragrunt|pulumi|jq|yq|security|docker (?:exec|logs|secret|compose)|podman|helm|consul|etcdctl|redis-cli|git config"
    r"|gh|glab|npm|yarn|pip|doctl|linode-cli|ibmcloud|oci|doppler|infisical|sops|age|chamber|credstash|keyring|secret-tool|dotenv|rails|python3?|node|php|ruby"
    r"|psql|mysql|sqlite3|mongosh|ssh|sed|awk|grep|cut|base64|openssl|xxd|strings|defaults|plutil|reg|adb|nvram|nmcli|netsh|wpa_cli|fw_printenv|getprop|uci|dbus-send|gsettings|snap get"
    r"|GET|HGET|get|select|SELECT|print|puts|p|pp|env|curl|wget|https?|nomad|argocd|rancher|jenkins|wp|drush|occ)(?![\w.-]))"
)
_EXPRESSION = r"(?:\w+(?:->|::|\.|\[)|\$)[^\s]{0,80}[ \t]*\r?\n"
_ABOUT = r"\b(?:sha\d*sum|md5sum|b2sum|shasum|dgst|wc|stat|uuidgen|rev-parse|log|run -|create|delete|fingerprint|digest|hash|metadata|version|list|ls|--help|status|patch)\b"
_RUN = r"\b(?:run -|create -|service create|sha\d*sum|md5sum|dgst|wc -|--help)"
_READS = rf"(?:{_PROMPT})?{_READERS}|{_PROMPT}{_EXPRESSION}"
# fmt: on
"""What a line tells about something secret instead of it."""


def below_name(text: str, at: int, end: int) -> Iterable[Finding]:
    """What stands below a telling name: printed by a command that reads it, written into a file of that name."""
    stop = text.find("\n", end - 1, end + _REACH)
    if stop < 0:
        return ()
    last = text.find("\n", stop + 1, stop + _LONGEST)
    space = text.rfind(" ", stop, last) if last - stop > _SHORTEST else -1
    is_word = space < 0 or (space - stop < _BEFORE and last - space > _SHORTEST)
    found = pattern(_ALONE).match(text, stop) if is_word else None
    if found is None:
        is_variable = text.rfind("$", at - _VARIABLE if at > _VARIABLE else 0, at) >= 0
        return _echoed(text, _begin(text, at), at, stop) if is_variable else ()
    if not _is_told(found["value"], text[at:end].lstrip("_-./").lower()):
        return ()
    begin = _begin(text, at)
    is_result = text[stop : found.start("value")].lstrip().startswith("=> ")
    is_read = (is_result or pattern(_READS).match(text, begin)) and not pattern(_ABOUT).search(
        text, begin, stop
    )
    if is_read or pattern(_HEADING).match(text, begin, stop) or _is_written(text, begin, at, stop):
        return (Finding(*found.span("value"), "", "command"),)
    return ()


_VARIABLE = 40
_SHORTEST, _LONGEST = 8, 640
_BEFORE = 40
"""Signs of the next line that may stand before a value."""


def _begin(text: str, at: int) -> int:
    return max(text.rfind("\n", max(0, at - _REACH), at) + 1, at - _REACH, 0)


def _is_written(text: str, begin: int, at: int, stop: int) -> bool:
    """``cat > TOKEN <<EOF``: whether the next line goes into a file of that name."""
    is_to_file = pattern(_INTO).search(text, begin, at) is not None
    return is_to_file and "<<" in text[begin:stop]


_HEADING = r"(?:==> )?[\w./~-]{0,80}(?: <==|:)[ \t\r]*\Z|[ \t]{0,4}\d{1,4}\) [\"'][\w.:-]{1,64}[\"']\r?\Z|/[\w./-]{1,120}\r?\Z|(?:#{1,6} )?[A-Za-z_]{3,32}(?: [A-Za-z_]{1,20}){0,2}\Z"
"""The name alone, as a path or in a list of names and values, or that of a file above its text."""

_INTO = r"(?:>{1,2}|\btee(?: -a)?)[ \t]*[^\s<>|;&]{0,120}\Z"
_ECHO = r"(?:echo|printf|puts|print|Write-(?:Output|Host))[ (]+(?:-\w+ )?[\"']?(?P<said>[^\n\"'$]{0,80})\$\{?(?:env:)?\w*\Z"


def _echoed(text: str, begin: int, at: int, stop: int) -> Iterator[Finding]:
    """``echo "using $TOKEN"``: what the next line has in place of the variable."""
    echo = pattern(_ECHO).search(text, begin, at)
    if echo is None or not echo["said"].strip() or not text.startswith(echo["said"], stop + 1):
        return
    found = pattern(r"[^\s\"']{6,512}").match(text, stop + 1 + len(echo["said"]))
    if found is not None and _is_told(found.group(), "pass"):
        yield Finding(*found.span(), "", "command")


def _is_told(value: str, word: str) -> bool:
    if (
        is_placeholder(value)
        or is_place(value.partition(",")[0])
        or value.endswith((":", ",", ";"))
    ):
        return False
    if is_uuid(value) or is_hex(value):
        return len(value) >= _SHORTEST_KEY
    is_plain = "(" in value or ")" in value or "=" in value.rstrip("=") or "//" in value
    is_password = word.startswith(("pass", "pw", "psk")) or word in PASSWORDS
    return is_random(value) or (is_password and has_digit(value) and not is_plain)


_SHOWN = r"printf +(?:-v \w+ +)?(?P<quote>[\"'])(?P<format>[^\"'\n]{3,160})(?P=quote)(?P<arguments>(?: +(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[^\s\"'|;&>]{1,200})){1,8})"
_PLACE = r"%-?\d*[sqd]"


def filled_in(text: str, at: int, _end: int) -> Iterator[Finding]:
    """``printf 'login %s password %s' bob ...``: the argument for what a telling word stands before."""
    found = pattern(_SHOWN).match(text, at)
    if found is None:
        return
    arguments = list(
        pattern(r"\"([^\"]*)\"|'([^']*)'|([^\s\"']+)").finditer(text, *found.span("arguments"))
    )
    places = list(pattern(_PLACE).finditer(found["format"]))
    for place, argument in zip(places, arguments, strict=False):
        before = found["format"][: place.start()]
        group = argument.lastindex or 0
        value = argument[group]
        if pattern(_TELLS).search(before) and value and not is_placeholder(value):
            yield Finding(*argument.span(group), "", "command")


_TELLS = r"(?i)(?:passw(?:or)?d?|pass|pwd|secret|token|api_?key|psk)[\w.-]{0,16}[\"']?(?: ?[:=] ?| )[\"']?\Z"

# end of module
