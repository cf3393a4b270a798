"""Secrets among the arguments of programs.

Owns which option or position of which program it is. Does not own long options with telling names
(``redaction.names``) and what commands print (``redaction.printed``). Pure; each pattern reaches a bounded number of signs.
"""

from __future__ import annotations

from operators_edge.redaction.finding import Finding
from operators_edge.redaction.place import (
    BEFORE,
    BETWEEN,
    QUOTED,
    is_hex_or_place,
    is_no_argument,
    is_no_output,
    is_no_password,
    is_not_chosen,
    is_unlikely,
    is_word,
    option,
    place,
)
from operators_edge.redaction.randomness import is_placeholder, is_random
from operators_edge.redaction.scanner import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.redaction.place import Look

_CONFIGURED = r"(?i)[\w.-]{0,60}(?:secret|token|key|passw)[\w.-]{0,20}[ =]+[\"']?(?P<value>[^\s\"'-][^\s\"']{3,256})"


def _configured(text: str, _at: int, end: int) -> Iterator[Finding]:
    """Names and values for a program to keep."""
    stop = text.find("\n", end, end + 2 * BEFORE)
    for found in pattern(_CONFIGURED).finditer(text, end, stop if stop >= 0 else end + 2 * BEFORE):
        if not is_placeholder(found["value"]):
            yield Finding(*found.span("value"), "", "command")


_LITERAL = r"--from-literal[ =][\"']?[\w.-]{1,80}=[\"']?(?P<value>[^\s\"']{6,512})"


def _literals(text: str, _at: int, end: int) -> Iterator[Finding]:
    """What kubectl puts into a Secret, whatever it is called."""
    stop = text.find("\n", end, end + 2 * BEFORE)
    for found in pattern(_LITERAL).finditer(text, end, stop if stop >= 0 else end + 2 * BEFORE):
        if not is_unlikely(found["value"]):
            yield Finding(*found.span("value"), "kubernetes-secret", "command")


_OF_RADIUS = r"radtest +[^\n;|&]{4,300}? \d{1,5} +[\"']?(?P<value>[^\s\"';|&<>]{2,128})"

_radius_secret = place(_OF_RADIUS, "radius", "command")

# fmt: off
PLACES: tuple[tuple[tuple[str, ...], Look], ...] = (
    ((" -u", " --user", " --proxy-user", "'-u", '"-u'), place(
        r"""[ "'](?:-u|--(?:proxy-)?user(?:pwd)?(?![a-z]))[ =]?(?:["'],? ?)?["']?[^\s:"'/]{1,128}:(?P<value>[^\s"':/\[][^\s"']{0,256}+)""",
        "", "command", unless=is_no_password)),
    ((" -u", " --user", "'-u", '"-u'), place(
        r"""[ "'](?:-u|--user)[ =]?(?:["'],? ?)?["']?(?P<value>[\w.+/=-]{16,512}):(?:[xX]|x-oauth-basic|api_token)?(?=["'\s]|\Z)""",
        "", "command", unless=is_no_argument)),
    (("curl ",), place(rf"curl{BETWEEN}-[A-Za-z]{{1,6}}u +[\"']?[^\s:\"'/]{{1,64}}:(?P<value>[^\s\"']{{3,256}})", "", "command", unless=is_no_password)),
    (("winrs ", "wmic "), place(option("[-/]p(?:assword)?:"), "", "command", unless=is_no_password)),
    ((" -p",), place(
        r"""[^\n]{0,200}?(?: -[uUl]|--user(?:name)?|--login)\b[^\n;|&]{1,100}? -[pP][ =]["']?(?P<value>[^\s"';|&]{4,128})""",
        "", "command", before="^\n;|&", unless=is_unlikely)),
    (("mysql", "mariadb"), place(option("-p(?![ \t=])"), "mysql", "command", unless=is_no_password)),
    (("mysql", "mariadb", "cqlsh", "winrm", "ipmitool"), place(
        option("(?:--password=|-[pP] )"), "", "command", unless=is_unlikely)),
    (('mysql"', "mysql'", 'mysqldump"', "mysqldump'"), place(
        r"""mysql(?:dump)?["'],[^\n\]]{0,200}?["']-p(?P<value>[^\s"']{3,256})["']""", "mysql", "command", unless=is_no_password)),
    (("dscl ",), place(r"dscl [^\n;|&]{1,40}-passwd \S{1,80} [\"']?(?P<value>[^\s\"';|&]{4,128})", "", "command", unless=is_unlikely)),
    (("signtool ", "certutil "), place(option("[-/]p "), "", "command", unless=is_no_password)),
    (("create secret generic ", "create secret -n "), _literals),
    ((r"\set ",), place(r"\\set \w{0,24}(?:pass|pw|secret|token|key)\w{0,12} '(?P<value>[^'\n]{4,256})'", "", "command")),
    (("psexec", "paexec"), place(option("-p "), "", "command", unless=is_no_password)),
    (("sshpass",), place(option("-p ?"), "", "command", unless=is_no_password)),
    (("docker login", "podman login", "registry login", "acr login", "buildah login", "skopeo login", "nerdctl login"),
     place(option("(?:-p|--password)[ =]"), "docker", "command", unless=is_no_password)),
    (("mongo",), place(option("(?:-p|--password)[ =]?"), "", "command", unless=is_unlikely)),
    (("redis-cli",), place(option("(?:-a|--pass)[ =]?"), "", "command")),
    (("ldapsearch", "ldapadd", "ldapmodify", "ldapwhoami", "ldapdelete", "odoo-bin"), place(option("-w ?"), "", "command")),
    (("smbclient", "rpcclient", "net rpc", "net ads", "winexe"), place(
        r"""[\w ]{5,12}[^\n;|&]{0,200}?[ \t]-U ?["']?[^\s%]{1,64}%(?P<value>[^\s"'%]{2,128})""", "", "command")),
    (("sqlcmd", "bcp ", "osql"), place(option("-P ?"), "", "command")),
    (("7z ", "7za "), place(r"7za? [^\n;|&]{0,200}?[ \t]-p[\"']?(?P<value>[^\s\"';]{2,128})", "", "command")),
    (("rar ",), place(r"rar [^\n;|&]{0,200}?[ \t]-h?p[\"']?(?P<value>[^\s\"';-][^\s\"';]{2,128})", "", "command")),
    (("security add-", "security unlock-keychain", "security set-", "security import"), place(option("-[wpP] "), "", "command", unless=is_no_password)),
    (("db2 connect ", "db2 attach "), place(
        r"(?i)db2 (?:connect|attach) to \S{1,64} user \S{1,64} using [\"']?(?P<value>[^\s\"']{2,128})", "", "command")),
    (("zip ",), place(r"zip [^\n;|&]{0,200}?-P ?[\"']?(?P<value>[^\s\"';]{2,128})", "", "command")),
    (("htpasswd",), place(
        r"htpasswd [^\n;|&]{0,100}?-\w*b\w*[ \t]+(?:-\w+[ \t]+)*(?:[^\s-]\S*[ \t]+)?\S+[ \t]+[\"']?"
        r"(?P<value>[^\s\"';|&]{2,128})[\"']?[ \t]*(?=$|[\n;|&\\\"}\],])", "", "command")),
    (("add_user", "change_password", "authenticate_user"), place(
        r"(?:add_user|change_password|authenticate_user) +[\"']?\w\S* +[\"']?(?P<value>[^\s\"';|&=][^\s\"';|&]{1,128})", "", "command")),
    (("openssl",), place(option("-(?:k|K) "), "", "command", unless=is_unlikely)),
    (("openssl passwd",), place(r"openssl passwd(?: -\w+(?: +\w{1,16}(?= +-))?)*? +[\"']?(?P<value>[^\s\"'()|;&-][^\s\"'()|;&]{3,128})", "", "command")),
    (("pass:",), place(r"(?<![\w-])pass:(?P<value>[^\s\"':;]{2,256})", "", "command", unless=is_word)),
    (("xfreerdp", "rdesktop"), place(option("(?:/p:|-p ?)"), "", "command", unless=is_no_password)),
    (("sqlplus",), place(
        r"sqlplus[^\n;|&]{0,40}?[ \t]\w+/[\"']?(?P<value>[^\s\"'@;]{2,128})@", "", "command")),
    (("useradd ", "usermod "), place(option("(?:-p|--password)[ =]"), "", "command", unless=is_unlikely)),
    (("curl ",), place(rf"curl{BETWEEN}(?:-u|--user)[ =]?[\"']?(?P<value>[\w.-]{{16,512}})(?=[\s\"']|\Z)", "", "command", unless=is_no_output)),
    (("secret set ", "secrets set "), place(r"secrets? set +[\w.-]{1,64}[^\n;|&]{0,80}? -b ?[\"']?(?P<value>[^\s\"'=][^\s\"']{5,512})", "", "command", unless=is_unlikely)),
    (("chamber write ",), place(r"chamber write +[^\s]{1,64} +[\w.-]{1,64} +[\"']?(?P<value>[^\s\"'-][^\s\"']{3,512})", "", "command", unless=is_unlikely)),
    ((" -t ",), place(r" -t [\"']?(?P<value>[A-Za-z0-9+/_]{20,256}={0,2})(?=[\s\"']|\Z)", "", "command", unless=is_hex_or_place)),
    (("ftp> user ",), place(r"ftp> user +[^\s]{1,64} +(?P<value>[^\s\"']{4,128})", "", "command", unless=is_unlikely)),
    (("psexec", "wmiexec", "smbexec", "atexec", "dcomexec", "secretsdump", "getuserspns", "mssqlclient"), place(
        rf"[\w.]{{6,16}}{BETWEEN}[\"']?(?:[\w.-]{{1,64}}/)?[\w.$-]{{1,64}}:[\"']?(?P<value>[^\s\"']{{3,128}})[\"']?@[\w.-]+", "", "command")),
    (("rclone config", "rclone obscure"), place(r"rclone (?:obscure|config [^\n;|&]{4,200}?[ \t]pass)[ =][\"']?(?P<value>[^\s\"';|&-][^\s\"';|&]{3,128})", "", "command")),
    (("net use", "net user"), place(
        r"(?i)net use(?:r[ ]+\w+| +(?:(?:\w:|\*) +)?\S+)(?: +/user:\S+)?[ ]+(?P<value>[^\s/*][^\s]{3,128})", "", "command", unless=is_unlikely)),
    ((" -k ", " -s "), place(r" -[kKs] [\"']?(?P<value>[A-Za-z0-9+/_-]{20,256}={0,2})(?=[\s\"']|\Z)", "", "command", unless=is_hex_or_place)),
    (("ssserver ", "ss-server ", "sslocal ", "ss-local "), place(option("-k "), "", "command", unless=is_unlikely)),
    (("setx ",), place(
        r"(?i)setx +(?:/\w +)?(?:[\"']?)\w{0,40}(?:passw|pwd|secret|token|key|pass|auth|cred)\w{0,24}[\"']? +[\"']?(?P<value>[^\s\"'/%][^\s\"']{3,512})", "", "command", unless=is_unlikely)),
    (("user add ", "operator unseal "), place(
        r"(?:user add [\w.-]{1,64}:|operator unseal )[\"']?(?P<value>[^\s\"'-][^\s\"']{3,512})", "", "command", unless=is_unlikely)),
    (("mc alias set", "mc config host add", "mc admin user add"), place(
        r"mc (?:alias set +\S+|config host add +\S+|admin user add) +\S+ +\S+ +(?P<value>\S{8,128})", "minio", "command")),
    (("login ",), place(
        r"login +(?:(?:-\S+|\S+[.]\S+) +)?[\"']?(?P<value>[\w.+/=-]{12,256})[\"']?[ \t]*(?=$|[\n;|&\\\"}\],])", "", "command",
        unless=lambda value: not is_random(value, least=12))),
    (("echo ", "printf "), place(
        r"""(?:echo|printf) +(?:-[ne]{1,2} +|'?%s(?:\\n)?'? +)?(?:["'](?:[\w.-]{1,64}:)?(?P<quoted>[^\s"'\\]{4,256}?(?:\\n[^\s"'\\]{4,256})?)(?:\\n)?["']|(?P<value>[^\s"';|&$]{4,256}))"""
        r"""(?:; *echo [^\s|;)]{4,256}\))? *\|[^\n|;]{0,120}(?:(?:smb|vnc)?passwd|realm|runas|--password-stdin|--with-token|passwd[^\n|;]{0,40}--stdin|login|auth|sudo -\w*S\w*|chpasswd|secrets? (?:create|put|set|add|versions)|kubeseal|--passphrase-fd|kinit|cryptsetup)\b""",
        "", "command")),
    (("sudo -",), place(r"sudo -\w*S[^\n]{0,120}<<-?[\"']?\w{1,20}[\"']?\r?\n(?P<value>[^\s]{4,128})\r?\n", "", "command", unless=is_unlikely)),
    (("send ",), place(r"""send (?:-- )?\\{0,3}"(?P<value>[^\s"\\]{6,128})\\{1,4}[rn]""", "", "command", unless=is_unlikely)),
    (("configure set",), _configured),
    (("config ", "config:set", "secret set", "secrets set"), place(
        r"(?i)(?:config|secrets?)[: ](?:set |--global |--local )?[^\n\"';|&]{0,120}?(?:secret|token|key|passw|auth)(?<!--secret)[\w.-]{0,40}"
        r"(?:[ =]+--?(?:b|v|body|value|secret))?[ =]+[\"']?(?P<value>[^\s\"'-][^\s\"']{5,512})", "", "command", unless=is_unlikely)),
    (("put-parameter",), place(
        r"""put-parameter (?=[^\n]{0,400}SecureString)[^\n]{0,400}?--value[ =]["']?(?P<value>[^\s"']{3,512})""", "aws", "command")),
    (("<(echo ", "<(printf "), place(r"""<\((?:echo|printf) +["']?(?P<value>[^\s"'()]{4,256})["']?\)""", "", "command", unless=is_unlikely)),
    (("wpa_passphrase ", "_pw ", "bw unlock ", "rootpw ", "bind_pw ", "bindpw ", "wifi connect "), place(
        r"(?:wpa_passphrase[ \t]+\S{1,64}|_pw|bw unlock|rootpw(?: --plaintext)?|bind_?pw|wifi connect \S{1,64} password)[ \t]+[\"']?(?P<value>[^\s\"'-][^\s\"']{4,128})",
        "", "command", unless=is_unlikely)),
    (("convertto-securestring",), place(
        rf"(?i)ConvertTo-SecureString\s+(?:-\w+\s+){{0,3}}['\"](?P<value>{QUOTED})['\"]", "", "command")),
    (("--auth-cred", "--proxy-cred", "--basic-auth", "--http-auth"), place(
        r"--\w{4,5}-(?:cred|auth)\w{0,8}[ =]+[\"']?[^\s:\"'/]{1,64}:(?P<value>[^\s\"']{4,256})", "", "command", unless=is_no_password)),
    (("--auth ", "--auth=", " -auth ", "http -a ", "https -a ", "xh -a "), place(
        r"(?:--auth| -auth|\w{2,5} -a)[ =]+[\"']?[^\s:\"'/]{1,64}:(?P<value>[^\s\"']{4,256})", "", "command", unless=is_unlikely)),
    (("snmpwalk", "snmpget", "snmpset", "snmpbulk", "snmptrap"), place(option("-c ?"), "snmp", "command", unless=is_unlikely)),
    (("snmpwalk", "snmpget", "snmpset", "snmpbulk", "snmptrap"), place(option("-A "), "snmp", "command", unless=is_unlikely)),
    (("snmpwalk", "snmpget", "snmpset", "snmpbulk", "snmptrap"), place(option("-X "), "snmp", "command", unless=is_unlikely)),
    ((" -p", " /p "), place(
        r" [-/][pP] [\"']?(?P<value>[^\s\"';|&<>(){}\[\]^\\/:=,]{7,64})[\"']?(?=\s|\Z)", "", "command", unless=is_not_chosen)),
    (("mosquitto_passwd", "doveadm auth", "+login ", "hdbuserstore", "smbpasswd", "ejabberdctl", "prosodyctl", "samba-tool user", "drush user", "mega-login", "passwordspray", "createcredential ", "cf create-user ", "set_password ",
      "kadmin", "dsadd ", "pveum ", "set-initial-password", "reset-admin-password", "reset-password ", "chpasswd", "ipmitool user set password", "mongoimport"), place(
        r"[\w+ -]{5,40}?(?: +[^\s|;&<>]{1,80}){0,6}? +[\"']?(?P<value>(?=[^\s\"']{0,64}\d)(?=[^\s\"']{0,64}[A-Z!#$%^*?_.+-])[^\s\"'/:@=|;&<>-][^\s\"'/:@=|;&<>]{6,64})",
        "", "command", unless=is_not_chosen)),
    ((" --data ", " --value ", " --body ", " --data=", " --value=", " --body="), place(
        r"[^\n]{0,200}?\b(?:secrets?|variable)\b[^\n]{0,160}? --(?:data|value|body)[ =][\"']?(?P<value>[^\s\"'${@][^\s\"']{3,512})", "", "command", before=r"^\n", unless=is_unlikely)),
    (("key-value ", "key-value="), place(r"key-value[ =][\"']?(?P<value>[^\s\"']{12,512})", "", "command", unless=is_no_argument)),
    (("secret-set-value ", "preset_passphrase "), place(
        r"\w{6}-?_?(?:set-value \S{1,64}|\w{10,11} \S{1,64} \S{1,8}) (?P<value>[^\s\"']{8,512})", "", "command", unless=is_no_output)),
    ((" -user ",), place(r" -user \S{1,64} (?P<value>[^\s\"'/-][^\s\"'/]{6,128})", "", "command", unless=is_not_chosen)),
    (("<<<",), place(
        r"""(?i)[^\n|;]{0,200}?(?:login|signin|unlock|kinit|secret|passwd|--password-stdin|sudo -\w*S|--with-token|auth|cryptsetup|password_stdin|read -\w*s\w*|pass insert|context create|openssl|gpg)\b[^\n|;]{0,80}?<<<[ \t]*["']?(?P<value>[^\s"']{4,512})""",
        "", "command", before=r"^\n|;", unless=is_unlikely)),
    (("lftp", "ncftp", "bteq", "mysqlsh"), place(
        rf"\w{{4,7}}{BETWEEN}(?:-u|--user)[ =]?[\"']?[\w@.-]{{1,64}},(?P<value>[^\s\"']{{3,128}})", "", "command")),
    ((" -pw ", " /pw "), place(r" [-/]pw [\"']?(?P<value>[^\s\"';|&]{4,128})", "", "command", unless=is_unlikely)),
    (("ssh-keygen",), place(option("-P "), "", "command")),
    (("ssh-keygen",), place(option("-N "), "", "command")),
    (("http-basic.",), place(r"http-basic\.\S{1,64} \S{1,64} [\"']?(?P<value>[^\s\"']{4,256})", "", "command", unless=is_unlikely)),
    (("kv put ",), place(
        r"""kv put [^\s]{0,120}(?:pass\w*|secret|token|key)[ \t]+["']?(?P<value>[^\s"'=]{4,512})["']?[ \t]*(?:\n|\Z)""", "", "command", unless=is_unlikely)),
    (("-setcookie ",), place(r"-setcookie[ \t]+[\"']?(?P<value>[^\s\"']{6,256})", "", "command", unless=is_word)),
    (("\nkey ", "key hmac-", "-y hmac-", "nsupdate -y ", "dig -y "), place(
        r"(?:\s?key |[\w ]{0,9}-y )(?:hmac-[\w-]{3,16}:)?\"?[\w.-]{1,128}\"?[ :](?P<value>[A-Za-z0-9+/]{16,128}={0,2})(?=\s|\Z)", "tsig", "command", unless=is_no_output)),
    ((" /rp ", " -rp ", " /ap ", " --defaultpassword ", " --plaintext "), place(r" --?\w{2,15} [\"']?(?P<value>[^\s\"';|&-][^\s\"';|&]{3,128})| /[ra]p [\"']?(?P<slash>[^\s\"';|&/*][^\s\"';|&]{3,128})", "", "command", unless=is_unlikely)),
    (("rasdial ",), place(r"(?i)rasdial +(?:\"[^\"\n]{1,64}\"|[^\s\"/]{1,64}) +[^\s/]{1,64} +[\"']?(?P<value>[^\s\"'/*][^\s\"']{3,128})", "", "command", unless=is_unlikely)),
    (("radtest ",), place(
        r"radtest +(?:-\w(?: +\w{1,8})? +){0,4}[\"']?[^\s\"']{1,64}[\"']? +[\"']?(?P<value>[^\s\"';|&<>]{2,128})[\"']? +[\w.:\[\]-]{3,128}(?: +\d{1,5})?(?:\s|\Z)", "radius", "command")),
    (("radtest ",), _radius_secret),
    (("mosquitto_pub ", "mosquitto_sub ", "mosquitto_rr ", "evil-winrm ", "netexec ", "crackmapexec ", "nxc ", "beeline "), place(option("-[pP] ?"), "", "command", unless=is_unlikely)),
    (("ldappasswd ",), place(option("-[wsa] ?"), "", "command", unless=is_no_password)),
    (("swaks ", "sendemail "), place(option("(?:-ap|-xp|--auth-password)[ =]?"), "", "command", unless=is_no_password)),
    (("isql ",), place(r"isql +(?:-\w+ +)?[\w.-]{1,64} +[\w.-]{1,64} +[\"']?(?P<value>[^\s\"';|&-][^\s\"';|&]{3,128})", "", "command", unless=is_unlikely)),
)
# fmt: on

# end of module
