"""Secrets in lines of configurations that give no name a value: routers, mail servers, VPNs, lists of users.

Does not own assignments (``redaction.names``). Pure; each pattern reaches a bounded number of signs.
"""

from __future__ import annotations

from operators_edge.redaction.finding import Finding
from operators_edge.redaction.place import (
    BEFORE,
    is_no_output,
    is_no_password,
    is_not_chosen,
    is_not_made_up,
    is_unlikely,
    is_word,
    place,
)
from operators_edge.redaction.randomness import (
    is_chosen,
    is_hex,
    is_place,
    is_placeholder,
    is_random,
)
from operators_edge.redaction.scanner import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from operators_edge.redaction.place import Look

_LINE_OF_USER = (
    r"(?:[\n\"'][ \t-]*|[ \t]-[ \t])\w[\w.-]{0,31}:(?P<value>[^\s\"':]{7,128})(?=[\s\"']|\Z)"
)


def _lines_of_users(text: str, _at: int, end: int) -> Iterator[Finding]:
    """``chpasswd``, and what it is given: a user and a password in each line."""
    found = pattern(_LINE_OF_USER).search(text, end, end + BEFORE)
    while found is not None:
        if not is_not_chosen(found["value"]):
            yield Finding(*found.span("value"), "", "name")
        found = pattern(_LINE_OF_USER).match(text, found.end())


_LISTED_USER = (
    r"[^\n]{0,120}\n\\{0,4}\"[\w.@-]{1,64}\\{0,4}\" \\{0,4}\"(?P<value>[^\"\\\n]{4,256})\\{0,4}\""
)


def _user_list(text: str, _at: int, end: int) -> Iterator[Finding]:
    """Users and passwords of PgBouncer, a line each (pgbouncer.org)."""
    found = pattern(_LISTED_USER).match(text, end)
    while found is not None:
        if not is_placeholder(found["value"]):
            yield Finding(*found.span("value"), "", "name")
        found = pattern(_LISTED_USER).match(text, found.end())


_INPUT = r"""input_value=["'](?P<value>[^"'\n]{4,512})["']"""

_FIELD = r"(?i)(?:passw\w*|passphrase|secret|token|credential|api_?key|private_?key|access_?key)[\w.]{0,24}[ \t]*\n[^\n]{0,200}\Z"


def _rejected(text: str, at: int, _end: int) -> Iterator[Finding]:
    """The value that pydantic did not accept, below the name of its field."""
    found = pattern(_INPUT).match(text, at)
    if found is None or is_placeholder(found["value"]):
        return
    if pattern(_FIELD).search(text, max(0, at - 2 * BEFORE), at):
        yield Finding(*found.span("value"), "", "name")


_USER_OF_SNMP = (
    r"(?i)createuser +(?:-e +\w{1,80} +)?[\"']?[\w.@-]{1,64}[\"']? +(?:MD5|SHA)[\w-]{0,4}"
)

_ENTRY = (
    r"[ \t]{0,40}(?:- )?[\"']?(?P<name>[\w.@-]{1,64})[\"']?[ \t]{0,16}[:=][ \t]{0,16}"
    r"(?:[\"']?(?P<value>[^\s\"',{}\[\]]{6,512})[\"']?[ \t]*(?:,[^\n]{0,80})?[ \t\r]*(?:\n|\Z|[}])|[^\n]{0,200}(?:\n|\Z))"
)
_MAX_ENTRIES = 16
_ABOUT_USER = frozenset(
    "name id email mail user username uid role group path file url key home shell".split()
)


def _entries(text: str, end: int) -> Iterator[re.Match[str]]:
    """The lines of a section; those of YAML are indented."""
    is_indented = text[end - 2] == ":"
    found = pattern(_ENTRY).match(text, end + (text[end : end + 1] == "\n"))
    for _ in range(_MAX_ENTRIES):
        if found is None or (is_indented and found.group()[0] not in " \t-"):
            return
        if found["value"] and not is_placeholder(found["value"]) and not is_place(found["value"]):
            yield found
        found = pattern(_ENTRY).match(text, found.end())


def _section_of_users(text: str, _at: int, end: int) -> Iterator[Finding]:
    """A user and a password in each line of a section."""
    for found in _entries(text, end):
        if found["name"].lower() not in _ABOUT_USER and not is_not_made_up(found["value"]):
            yield Finding(*found.span("value"), "", "name")


def _section_of_secrets(text: str, _at: int, end: int) -> Iterator[Finding]:
    """What a section that says secret gives names."""
    for found in _entries(text, end):
        value = found["value"]
        if is_chosen(value) or is_random(value) or (is_hex(value) and len(value) >= _DIGEST):
            yield Finding(*found.span("value"), "", "name")


_DIGEST = 32

# fmt: off
PLACES: tuple[tuple[tuple[str, ...], Look], ...] = (
    (("login=", "authident", "stats auth ", "bundle_", "http-basic"), place(
        r"""(?i)(?:login=|\w{9}\\{0,4}["']?: |stats auth +|bundle_\w{2,60}__\w{2,60}[:=] ?)\\{0,4}["']?[\w.@-]{1,64}:(?P<value>[^\s"'\\]{4,256})""",
        "", "command", unless=is_no_password)),
    (("wifi-sec.psk ", "wireless-security.psk "), place(r"[\w-]{8,20}\.psk [\"']?(?P<value>[^\s\"']{8,64})", "", "command")),
    (("<keymaterial>",), place(r"(?i)<keymaterial>(?P<value>[^<\n]{5,128})<", "", "name")),
    (("setenv ", "fastcgi_param ", "uwsgi_param ", "scgi_param ", "passengerenvvar "), place(
        r"(?i)\w{6,15}[ \t]+\w{0,40}(?:passw|pwd|secret|token|key|pass|auth|cred)\w{0,24}[ \t]+[\"']?(?P<value>[^\s\"';$%][^\s\"';]{3,512})", "", "command", unless=is_unlikely)),
    (("spark.hadoop.", "spark.ssl.", "spark.authenticate.", "fs.s3a.", "fs.azure."), place(
        r"(?i)(?:spark|fs)\.[\w.-]{2,160}?(?:secret|password|token|key)[\w.-]{0,60}[ \t]+(?P<value>[^\s\"'=]{6,512})", "", "name", unless=is_unlikely)),
    (("sonar.login=",), place(r"sonar\.login=(?P<value>\S{8,128})", "sonarqube", "command")),
    (("userlist.txt", "auth_file"), _user_list),
    (("wifi:",), place(r"(?i)wifi:(?:[trshei]\d?:(?:[^;\\\n]|\\{1,4}[^\n]){0,128};){0,6}p:(?P<value>(?:[^;\\\n]|\\{1,4}[^\n]){5,128});", "", "name")),
    (("machine ", "login "), place(
        r"(?:machine|login)[ \t]+[^\n]{0,200}?(?:\bpassword[ \t]+(?P<value>\S{2,256})|\n[ \t]{1,8}password[ \t]+(?P<below>\S{2,256})[ \t\r]*(?=\n|\Z))", "", "name")),
    (("pwd={", "password={"), place(r"(?i)\w{3,8}=\{(?!\w{1,40}![rsa]\})(?P<value>[^{}\s\"']{3,128})\}[;\"']", "", "name", unless=is_word)),
    (("insecure-password ",), place(r"insecure-password[ \t]+[\"']?(?P<value>[^\s\"']{4,128})", "", "command", unless=is_word)),
    (("auth_user", "auth-user", "basic_auth", "basicauth", "http_auth", "basic-auth"), place(
        r"(?i)[\w-]{9,20}[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"'\[]{0,2}[\w.@-]{1,64}:(?P<value>[^\s\"'/:,]{4,128})", "", "name", unless=is_unlikely)),
    (("users:\n", "[users]\n", "auth:\n", "accounts:\n", 'users": {', 'accounts": {', "logins:\n"), _section_of_users),
    (("stringdata:\n", 'stringdata": {', "secrets:\n", "[secrets]\n", 'secrets": {', "passwords:\n", "[passwords]\n", 'passwords": {', "credentials:\n", "[credentials]\n", 'credentials": {', "tokens:\n", 'tokens": {',
      *(f"{name}{sign} {{" for name in ("secrets", "passwords", "credentials", "tokens") for sign in (" =", ":"))), _section_of_secrets),
    ((".com:", ".org:", ".net:"), place(
        r"(?m)[\w.+-]{1,64}@[\w.-]{1,64}:(?P<value>[^\s\"'/:,;]{8,128})[ \t\r]*(?=[\n\"\\]|\Z)", "", "name", before=r"\w.+@-", unless=is_no_output)),
    (("<pass encoding",), place(r"(?i)<pass encoding=\"\w{1,16}\">(?P<value>[^<\s]{2,512})<", "", "name")),
    (("acl setuser ", "user default "), place(r"(?i)(?:acl setuser|user) \w{1,40}(?: [\w~&+@*|-]{1,40}){0,8}? [#>](?P<value>[^\s\"']{4,128})", "redis", "command")),
    (("::add-mask::", "::set-output name=", "::set-env name=", "::save-state name=", "task.setvariable variable="), place(
        r"(?i)[\w.:-]{9,20}(?:[ =]?(?=[\w ;=.-]{0,60}(?:pass|secret|token|key|pwd|auth))[\w ;=.-]{1,80}(?:::|\]))?(?P<value>[^\s\"']{4,512})", "", "command")),
    (("]:587", "]:465", "]:25", ":587 ", ":465 ", ":587\t", ":465\t"), place(
        r"\]?:\d{2,3}[ \t]+[^\s:]{1,80}:(?P<value>[^\s\"']{4,128})", "", "name", unless=is_no_password)),
    ((': eap "', ": xauth ", ': psk "', ": psk 0s", ': rsa "'), place(r""": [A-Z]{3,5} "?(?P<value>[^\s"]{4,256})""", "", "name", unless=is_word)),
    (("auth-user-pass",), place(r"auth-user-pass[^\n]{0,24}\n[^\s<]{1,64}\r?\n(?P<value>[^\s<]{4,128})(?=\r?\n|\Z)", "", "name")),
    (('" * "', "\t*\t", '"\t*\t"', " * "), place(
        r"[^\n]{0,64}?[\w.@\"-][ \t]+\*[ \t]+\"?(?P<value>[^\s\"*()\[\]]{4,128})\"?[ \t]+(?:\*[ \t\r]*(?=[\n\"\\]|\Z)|\d{1,3}(?:\.\d{1,3}){3})", "", "name", before=r"\w.@\"-", unless=is_unlikely)),
    (("sv_setsteamaccount ", "rcon_password ", "sv_password ", "sv_licensekey ", "sv_rcon_password ", "rconpassword "), place(
        r"\w{8,20} [\"']?(?P<value>[^\s\"'+-][^\s\"']{5,128})", "", "command", unless=is_unlikely)),
    (("].key=", "option key ", "wpa_key "), place(r"(?:\]\.key=|option key |wpa_key )[ \t]{0,8}'?(?P<value>[^\s']{8,64})", "", "name", unless=is_unlikely)),
    (("chpasswd",), _lines_of_users),
    (("client_send",), place(r"client_send *= *(?:<\S )?(?::|\^) ?[^\s:^]{1,64} ?(?::|\^) ?(?P<value>[^\s^]{4,128})", "", "name", unless=is_word)),
    (("key content",), place(r"(?i)key content[ \t]{0,24}: (?P<value>[^\n]{8,63}?)[ \t\r]*(?:\n|\Z)", "", "name")),
    (("tacacs", "radius"), place(
        r"\w{6}[^\n]{0,80}(?:\n[ \t][^\n]{0,80}){0,4}?(?:\n[ \t]{1,8}| )key (?:\d )?[\"']?(?P<value>[^\s\"']{6,128})", "", "command", unless=is_unlikely)),
    (("isakmp key ", "authentication-key ", "reversible-cipher ", "key-string ", "message-digest-key ", "wpa-psk ", "pre-shared-key ", "pac key ", "ascii-text ", "auth sha", "auth md5 ", "priv aes", "priv des ", "psksecret "), place(
        r"[\w -]{7,24}?(?<=[ \w])(?: ?\d{1,3})?(?: md5| ascii| enc| local| remote)?(?: \d)? [\"']?(?P<value>[^\s\"']{6,256})", "", "command", unless=is_unlikely)),
    (("enable secret ", "enable password "), place(r"enable (?:secret|password) (?:level \d+ )?(?P<value>[^\s\"']{4,256})[ \t\r]*(?=[\n\"'\\]|\Z)", "", "command", unless=is_word)),
    (("password 51:b:",), place(r"password 51:b:(?P<value>[0-9A-Fa-f]{32,4096})", "", "name")),  # .rdp
    (("<administratorpassword>", "<password>"), place(
        r"(?i)<\w{8,21}>\s{0,40}<value>(?P<value>[^<\n]{3,512})</", "", "name")),  # unattend.xml
    (("input_value=",), _rejected),
    (("auth_pass ", "password 0 ", "password 7 ", "secret 0 ", "secret 5 ", "secret 7 ", "secret 8 ", "secret 9 ", "plain-text-password-value "), place(
        r"(?:auth_pass|(?:password|secret) \d|plain-text-password-value)[ \t]+[\"']?(?P<value>[^\s\"']{3,256})", "", "command", unless=is_word)),
    (("snmp-server community", "snmp community"), place(r"[\w-]{4,11} community[ \t]+[\"']?(?P<value>[^\s\"']{3,128})", "snmp", "command", unless=is_unlikely)),
    (("requirepass", "masterauth"), place(r"""\w{10,11}[\s"',]{1,8}(?P<value>[^\s"',]{3,512})""", "redis", "command")),
    (tuple(f"{name}{end}" for name in ("rocommunity", "rwcommunity", "rocommunity6", "rwcommunity6", "trapcommunity") for end in " \t"), place(
        r"(?i)(?:r[ow]community6?|trapcommunity)[ \t]{1,8}[\"']?(?P<value>[^\s\"'#]{3,128})", "snmp", "command")),
    (("authcommunity ",), place(r"(?i)authcommunity +[\w,]{3,40} +(?P<value>[^\s\"'#]{3,128})", "snmp", "command")),
    (tuple(f"com2sec{of}{end}" for of in ("", "6", "unix") for end in " \t"), place(
        r"(?i)com2sec(?:6|unix)?(?:[ \t]+-Cn[ \t]+[^\s]{1,64})?(?:[ \t]+[^\s#]{1,64}){2}[ \t]+[\"']?(?P<value>[^\s\"'#]{3,128})", "snmp", "command")),
    (tuple(f"{name}{end}" for name in ("trapsink", "trap2sink", "informsink") for end in " \t"), place(
        r"(?i)(?:trap2?|inform)sink[ \t]+[^\s]{2,128}[ \t]+(?P<value>[^\s\"'#-][^\s\"'#]{2,128})", "snmp", "command", unless=is_no_password)),
    (("createuser ",), place(rf"{_USER_OF_SNMP} +[\"']?(?P<value>[^\s\"']{{6,128}})", "snmp", "command")),
    (("createuser ",), place(rf"{_USER_OF_SNMP} +[^\s]{{6,130}} +(?:DES|AES)[\w-]{{0,4}} +[\"']?(?P<value>[^\s\"']{{6,128}})", "snmp", "command")),
    (("psk=", "passphrase="), place(r"(?i)(?:psk|passphrase)=(?P<value>[a-z]{2,16}(?: [a-z]{2,16}){1,9})[ \t\r]*(?=\n|\Z)", "", "name")),
    ((":5432:", ":5433:", ":6432:", ":3306:", ":*:"), place(
        r"(?m)[^\s:#]{1,200}:(?:\d{2,5}|\*):[^\s:]{1,64}:[^\s:]{1,64}:(?P<value>(?:[^\s:\\]|\\[^\n])(?:[^\n:\\]|\\[^\n]){0,128}?)[ \t]*$",
        "pgpass", "name", before=r"^\s#")),
)
# fmt: on

# end of module
