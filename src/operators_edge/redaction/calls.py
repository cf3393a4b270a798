"""Secrets in source code: literals that a call is given.

Owns which calls those are, and which of their arguments. Does not own assignments (``redaction.names``). Pure.
"""

from __future__ import annotations

from operators_edge.redaction.finding import Finding
from operators_edge.redaction.place import (
    BEFORE,
    QUOTED,
    is_hex_or_place,
    is_no_argument,
    is_no_output,
    is_not_chosen,
    is_unlikely,
    place,
)
from operators_edge.redaction.randomness import is_placeholder
from operators_edge.redaction.scanner import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.redaction.place import Look

_GIVEN = (
    r"""(?:(?:[bfru]?"[^"\n]{0,128}"|'[^'\n]{0,128}')(?:\.\w{2,12}\(\))?|[\w.$@-]{1,64})\s{0,4}"""
)

_CALLED = rf"(?i)[\w.:>\]-]{{0,24}}[ =]{{0,3}}\(\s{{0,8}}(?:{_GIVEN},\s{{0,8}})"

_NAMED = r"(?:passw|passphrase|pwd|pass\b|secret|token|api_?key)"
_QUOTED_WORD = r"""[^\s"'\\]{6,256}"""


def _is_no_literal(value: str) -> bool:
    """What a test compares with: neither chosen as a password nor drawn."""
    return is_not_chosen(value) and is_no_output(value)


_OPENED = r"(?:Some\()?['\"]"

# fmt: off
_LOGINS = (
    "wifi.begin(", "simple_bind_s(", "simple_bind(", "create_superuser(", "create_user(", "plainauth(", "imap_open(", "dbi->connect(", "dbi.connect(", "setauth(", "signwith(", "client.connect(", "ssh.connect(", "credentials.new(", "connectionfactory(", "login(", "signin(", "sign_in(", "auth(", "authentication(", "authenticate(", "authenticationtoken(", "usernamepassword(", "auth_password(", "ftp(", "ftp.new(", "cx_oracle.connect(", "oracledb.connect(", "credential(", "credential]::new(", "credentials(", "getconnection(", "set_password(", "basic(", "pdo(", "pdo->__construct(", "auth=(", "auth = (", "algoliasearch(",
)
# fmt: on
"""Calls that are given a user's name and, as the last argument but one or as the last, a password."""

_PROMPTED = (
    r"(?i)(?:expect|wait_?for|read_?until|until|when|prompt|match)\w*[^\n]{0,120}?"
    r"(?:ass\w{0,4}word|ass[- ]?phrase|assword|passcode|\bpin\b|secret|token|otp|verification)[^\n]{0,120}\n(?:[^\n]{0,120}\n)?[^\n]{0,60}\Z"
)

_SENT = (
    r"""[.>]?\w{4,9}\(\s{0,4}[bfru]{0,2}["'](?P<value>[^"'\n\\]{3,256})(?:\\[rn]|[\r\n]){0,2}["']"""
)


def _sent_to_prompt(text: str, at: int, _end: int) -> Iterator[Finding]:
    """``expect("assword:")``, and on one of the next lines ``sendline("...")``."""
    found = pattern(_SENT).match(text, at)
    if found is None or is_placeholder(found["value"]):
        return
    if pattern(_PROMPTED).search(text, max(0, at - 2 * BEFORE), at):
        yield Finding(*found.span("value"), "", "command")


# fmt: off
PLACES: tuple[tuple[tuple[str, ...], Look], ...] = (
    (("buildconfigfield", "resvalue"), place(
        rf"(?i)\w{{8,16}}[\s(]{{1,4}}[\"']string[\"'][ \t]{{0,4}},\s{{0,8}}[\"']\w{{0,40}}{_NAMED}\w{{0,24}}[\"'][ \t]{{0,4}},\s{{0,8}}"
        r"[\"'](?:\\{0,4}[\"'])?(?P<value>[^\s\"'\\$]{6,256})", "", "name", unless=is_unlikely)),
    ((".tochararray",), place(
        rf"(?i)[^\n]{{0,200}}?['\"](?P<value>{QUOTED})['\"]\.tochararray", "", "name", before=r"^\n,(", unless=is_no_argument)),
    (("aes.new(", "createcipheriv(", "createdecipheriv("), place(
        r"""(?i)[\w.]{6,20}\((?:["'][\w-]{4,24}["'],\s{0,4})?b?["'](?P<value>[^"'\n]{16,64})["']""", "", "name", unless=is_no_argument)),
    (("wallet(", "privatekeytoaccount(", "fromprivatekey(", "from_key(", "privatekey("), place(
        r"(?i)\w{6,20}\(\s{0,4}[\"'`](?P<value>(?:0x)?[0-9a-f]{64})[\"'`]", "ethereum", "name")),
    (("client.run(", "bot.run(", "client.login(", "bot.login("), place(
        r"(?i)\w{3,6}\.\w{3,5}\(\s{0,4}[\"'`](?P<value>[\w.-]{20,128})[\"'`]", "", "name", unless=is_no_argument)),
    (_LOGINS, place(rf"{_CALLED}{{1,3}}{_OPENED}(?P<value>{QUOTED})['\"](?:\.\w{{2,12}}\(\))?\s{{0,8}}\)", "", "name", unless=is_no_argument)),
    (_LOGINS, place(
        rf"{_CALLED}{{1,2}}{_OPENED}(?P<value>{QUOTED})['\"],\s{{0,4}}['\"][\w./:-]{{1,80}}['\"]\s{{0,4}}\)", "", "name", unless=is_no_argument)),
    (("mysqli(", "pymysql.connect(", "mysqldb.connect(", "sequelize(", "mysqli_connect(", "mysql_connect(", "dbi->connect(", "dbi.connect(", "minio("), place(
        rf"(?:[\w.>-]*\(\s{{0,8}})(?:{_GIVEN},\s{{0,8}}){{2}}['\"](?P<value>{QUOTED})['\"]", "", "name", unless=is_no_argument)),
    (("assert_eq!(", "assert_equal", "assertequal(", "assertequals(", "assert.equal(", "strictequal(", "areequal(", "strcmp(", "compare_digest(", "timingsafeequal(", "constanttimecompare("), place(
        rf"(?i)[\w.!]{{6,22}}[( ]\s{{0,4}}(?:[^,()\n\"']{{0,60}}{_NAMED}[\w.]{{0,20}},\s{{0,4}}b?[\"'](?P<value>{_QUOTED_WORD})[\"']|b?[\"'](?P<first>{_QUOTED_WORD})[\"'],\s{{0,4}}[^,()\n\"']{{0,60}}{_NAMED})",
        "", "name", unless=_is_no_literal)),
    (("jwt.sign(", "jwt.verify(", "jwt.encode(", "jwt.decode("), place(
        rf"jwt\.\w{{4,6}}\([^\n]{{0,200}}?,\s{{0,4}}['\"](?![A-Z]S\d{{3}}['\"])(?P<value>{QUOTED})['\"]\s{{0,4}}[,)]", "jwt", "name", unless=is_no_argument)),
    (("auth(", "login("), place(
        r"(?<=[:.>])(?:auth|login)\(\s{0,4}b?['\"](?P<value>[^\s'\"\\]{8,512})['\"]\s{0,4}[,)]", "", "name", unless=is_unlikely)),
    ((".fill(", ".type(", ".send_keys(", ".sendkeys(", ".setvalue(", ".presssequentially(", ".press_sequentially(", ".fill_in("), place(
        r"(?i)[^\n;]{0,120}?(?:passw|pwd|\bpw\b|passcode|secret|token)[\w \]-]{0,24}\\{0,2}[\"'`][^\n\"'`;]{0,40}?"
        r"\.(?:fill|type|send_?keys|setvalue|press_?sequentially|fill_in)\(\s{0,4}\\{0,2}[\"'`](?P<value>[^\n\"'`\\]{5,128})",
        "", "name", before=r"^\n;", unless=is_unlikely)),
    ((".fill(", ".type(", ".setvalue(", ".set_value(", ".sendkeys("), place(
        r"(?i)\.\w{4,9}\(\s{0,4}\\{0,2}[\"'`][^\"'`\n]{0,80}(?:passw|pwd|\bpw\b|passcode|secret|token)[^\"'`\n]{0,40}\\{0,2}[\"'`],\s{0,4}\\{0,2}[\"'`](?P<value>[^\n\"'`\\]{5,128})",
        "", "name", unless=is_unlikely)),
    (("fill in ", "fill_in ", "fills in ", " enter ", " enters ", " type ", " types "), place(
        r"(?i) ?[a-z]{4,6}[ _]?(?:in)? ?(?:the )?(?:field )?[\"'][^\"'\n]{0,40}(?:passw|passcode|secret|token)[^\"'\n]{0,24}[\"'],? (?:with:?|as|=>) ?[\"'](?P<value>[^\"'\n]{4,128})[\"']",
        "", "name", unless=is_unlikely)),
    (("bind(", "bind_s(", "connection("), place(
        r"(?i)(?:bind(?:_s)?|connection)\(\s{0,4}(?:\$?\w{1,16}, ?)?[\"'](?:(?:cn|uid|ou|mail)=[^\"'\n]{1,120}|[\w.-]{1,64}@[\w.-]{1,64})[\"'],\s{0,4}[\"'](?P<value>[^\"'\n]{3,128})[\"']",
        "", "name", unless=is_no_argument)),
    (("basic_auth ", "basic_auth! ", "digest_auth "), place(
        r"(?:basic|digest)_auth!? [\"'][^\"'\n]{1,64}[\"'], ?[\"'](?P<value>[^\"'\n]{3,128})[\"']", "", "name", unless=is_no_argument)),
    (("hmac.new(", "createhmac(", "hexdigest(", "hash_hmac(", "hmac_sha256(", "new_from_slice(", "hmac256(", "hmac512(", "hmacshakeyfor(", "hmacsha256(",
      "hmacsha512(", "hmacsha1(", "secretkeyspec(", "from_secret(", "cookiestore(", "newcipher(", "cookieparser(", "securitykey(", "fernet(", "timedserializer(", "safeserializer(",
      "aes.encrypt(", "aes.decrypt(", "aesgcm(", "chacha20poly1305(", "signedstring(", "setsigningkey(", "secretbox("), place(
        rf"(?i)[\w:.]{{4,20}}\(\s{{0,4}}(?:(?:['\"]sha-?\d{{1,3}}['\"]|[\w.:]{{1,40}}),\s{{0,4}})?(?:new )?(?:[\w.:\[\]]{{2,40}}\()?b?['\"](?P<value>{QUOTED})['\"]"
        r"(?:\.\w{4,12}\([\w.]{0,40}\))?\s{0,4}[,)]", "", "name", unless=is_no_argument)),
    (tuple(f"{name}(" for name in ("check_password_hash", "verify_password", "check_password", "password_verify", "password_hash", "make_password")), place(
        rf"\w{{13,19}}\(\s{{0,4}}(?:[\w.$\[\]>-]{{1,64}},\s{{0,4}})?b?['\"](?P<value>{QUOTED})['\"]\s{{0,4}}[,)]", "", "name", unless=is_no_argument)),
    (("btoa(", "buffer.from(", "b64encode(", "encodetostring(", "base64.encode(", "base64_encode(", "encode64("), place(
        r"(?i)[\w.]{4,14}\(\s{0,4}b?['\"`][\w.@-]{1,64}:(?P<value>[^\s\"'`:/${}]{4,128})['\"`]", "", "name", unless=is_no_argument)),
    (("bcrypt.", "argon2.", "scrypt."), place(
        rf"(?i)(?:bcrypt|argon2|scrypt)\.\w{{3,24}}\(\s{{0,4}}(?:\[\]byte\()?b?['\"](?P<value>{QUOTED})['\"]", "", "name", unless=is_no_argument)),
    (("oauth2(", "oauth2client(", "oauth2session(", "oauth1(", "oauth1session(", "oauthhandler(", "userhandler("), place(
        r"(?i)\w{6,13}\(\s{0,4}[^,()\n]{1,120},\s{0,4}['\"](?P<value>[\w.~-]{16,256})['\"]", "", "name", unless=is_no_output)),
    (("hash_hmac(", "openssl_encrypt(", "openssl_decrypt("), place(
        rf"\w{{9,15}}\(\s{{0,4}}[^,\n]{{1,80}},\s{{0,4}}[^,\n]{{1,80}},\s{{0,4}}['\"](?P<value>{QUOTED})['\"]", "", "name", unless=is_no_argument)),
    (("smtp.start(",), place(rf"(?i)smtp\.start\((?:[^,()\n]{{1,80}},\s{{0,4}}){{4}}['\"](?P<value>{QUOTED})['\"]", "", "name", unless=is_no_argument)),
    (("userpwd", "curlopt_password"), place(
        r"(?i)(?:userpwd\s{0,4}(?:,|=>?|:)\s{0,4}[\"'][^:\"'\n]{1,64}:|curlopt_password\s{0,4}(?:,|=>)\s{0,4}[\"'])(?P<value>[^\s\"'$]{3,256})[\"']", "", "name")),
    (("secretstring::", "secretstr(", "secretstring(", "secretbox::", "secret::new(", " sensitive("), place(
        rf"(?i) ?se(?:cret|nsitive)\w{{0,6}}(?:::\w{{3,6}})?\(\s{{0,4}}(?:\w{{3,8}}::\w{{3,8}}\()?['\"](?P<value>{QUOTED})['\"]", "", "name", unless=is_no_argument)),
    (("keys: ['", 'keys: ["', "keys: [\n"), place(r"keys: \[\s{0,16}['\"](?P<value>[\w+/=-]{16,512})['\"]", "", "name", unless=is_hex_or_place)),
    (("sendline(", "send_line(", ">send(", ".write("), _sent_to_prompt),
)
# fmt: on

# end of module
