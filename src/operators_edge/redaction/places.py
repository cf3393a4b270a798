"""Secrets at places that need no name: keys in their armour, headers, URLs, arguments of programs.

Owns one row for each such place: the words that it begins with, and the pattern that is tried there. Pure;
each pattern reaches a bounded number of signs, but for keys between their lines, which are read once.
"""

from __future__ import annotations

from itertools import pairwise

from operators_edge.redaction.columns import below_heading, copied, inserted, listed
from operators_edge.redaction.finding import LEAD, Finding
from operators_edge.redaction.printed import FILES, PRINTING, below_name, filled_in, printed
from operators_edge.redaction.randomness import (
    has_digit,
    is_chosen,
    is_code,
    is_hex,
    is_place,
    is_placeholder,
    is_public_key,
    is_random,
    is_uuid,
)
from operators_edge.redaction.scanner import pattern, run_before
from operators_edge.redaction.secret_names import TELLING
from operators_edge.redaction.sentences import SPOKEN, TOLD, stated, told_before

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Look = Callable[[str, int, int], Iterable[Finding]]
    """Given a text and where one of its words begins and ends: what is secret there."""


def _place(
    source: str,
    kind: str,
    why: str,
    *,
    before: str = "",
    needs: str = "",
    unless: Callable[[str], bool] = is_placeholder,
) -> Look:
    """What the group of a pattern matches: where a word begins, or where those signs before it do.

    ``needs``: a sign that a match has within ``_NEEDED`` signs, looked for first.
    """

    def look(text: str, at: int, end: int) -> Iterable[Finding]:
        if needs and text.find(needs, end, end + _NEEDED) < 0:
            return ()
        if before and not (run := run_before(before, text, at, _BEFORE)):
            return ()
        begin = at - len(run) if before else at
        found = pattern(source).match(text, begin)
        if found is None:
            return ()
        group = found.lastgroup or "value"
        if found[group] and not unless(found[group].strip()):
            return (Finding(*found.span(group), kind, why),)
        if len(found[group]) > _BEFORE:  # not read again from each of its words on
            return (Finding(*found.span(group), "", ""),)
        return ()

    return look


_BEFORE = 200
_NEEDED = 1100


def _never(_value: str) -> bool:
    return False


# -- keys -------------------------------------------------------------------------------------------

_KEY_NAME = r"(?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----"
_ARMOUR = rf"-----BEGIN {_KEY_NAME}(?P<value>[\s\S]*?)(?:-----END {_KEY_NAME}|\Z)"
_HEADERS = 400
_BODY = r"""(?:(?<=-----)(?:[\s"'+,>|]|\\[nr])*[A-Za-z0-9+/]{4}|(?:[\s"'+,>|]|\\[nr])[A-Za-z0-9+/=]{16})"""


def _private_key(text: str, at: int, _end: int) -> Iterator[Finding]:
    head = pattern(rf"-----BEGIN {_KEY_NAME}").match(text, at)
    if head is None or not pattern(_BODY).search(text, head.end(), head.end() + _HEADERS):
        return
    found = pattern(_ARMOUR).match(text, at)
    if found is not None and "[REDACTED" not in found["value"][:24]:
        yield Finding(*found.span(), "private-key", "format")


def _end_of_private_key(text: str, at: int, _end: int) -> Iterator[Finding]:
    """The lines of a key whose beginning was cut off."""
    if not pattern(rf"-----END {_KEY_NAME}").match(text, at):
        return
    begin = at
    while begin > max(0, at - 8192):
        line = text.rfind("\n", 0, begin - 1) + 1
        is_body = pattern(r"[^\n]{0,80}?[A-Za-z0-9+/=]{16,}[^\S\n]*\r?\n?").fullmatch(
            text, line, begin
        )
        if not is_body or "-----" in text[line:begin]:
            break
        begin = line
    if begin < at:
        yield Finding(begin, at, "private-key", "format")


_MANIFEST_LINE = rf"""(?m)^[ \t]{{0,8}}{LEAD}[ \t]*+(?:"[\w.-]{{1,64}}"|[\w.-]{{1,64}}):[ \t]{{1,4}}"?(?P<value>[A-Za-z0-9+/]{{8,4096}}={{0,2}})"?,?[ \t]*$"""


def _manifest(text: str, at: int, _end: int) -> Iterator[Finding]:
    """The data of a Kubernetes Secret; of one, however often a text says so."""
    begin = max(
        text.rfind("\n---", max(0, at - 2048), at),
        text.rfind("\nkind", max(0, at - 2048), at - 1),
        at - 2048,
        0,
    )
    stop = text.find("\n---", at, at + 2048)
    for found in pattern(_MANIFEST_LINE).finditer(text, begin, stop if stop >= 0 else at + 2048):
        value = found["value"]
        if len(value) % 4 == 0 and not value.isalpha():
            yield Finding(*found.span("value"), "kubernetes-secret", "format")


# -- headers ----------------------------------------------------------------------------------------

# fmt: off
_DULL_WORDS = frozenset(
    "error scope credential credentials assertion assertions value string token tokens auth authentication authorization scheme header of and or is access credentials realm the for".split()
)
_SCHEMES = frozenset("basic bearer token digest apikey negotiate ssws".split())
# fmt: on


def _is_dull(value: str) -> bool:
    """What follows ``bearer`` in prose."""
    return is_placeholder(value) or value.rstrip(".,;:=").lower() in _DULL_WORDS


def _is_no_header(value: str) -> bool:
    scheme, _, rest = value[:_BEFORE].partition(" ")
    if scheme.lower() in _SCHEMES:
        return not rest.strip() or is_placeholder(rest.strip())
    return is_placeholder(value) or (" " in value and not any(map(str.isdigit, value)))


_ATTRIBUTES = frozenset({"path", "max-age", "expires", "domain", "samesite", "priority"})


_CALL = (
    r"(?:await )?[A-Za-z_][\w.]*(?:[),;:]{0,4}|[(\[].*)|[^()]*[(){}].*|.* (?:[!=]==?|\?|\|\||&&) .*"
)


def _is_called(value: str) -> bool:
    """A name, an attribute, a call or another expression, as code gives them."""
    return pattern(_CALL).fullmatch(value) is not None and not is_random(value)


def _is_no_token(value: str) -> bool:
    is_code = _is_called(value) and not (has_digit(value) and value.isalnum())
    return _is_dull(value) or is_code or ("=" in value.rstrip("=") and _is_no_cookie(value))


def _is_no_cookie(value: str) -> bool:
    """Whether all that it sets are words and numbers."""
    value = value.rstrip("= ")
    pairs = [pair.strip().partition("=") for pair in value.split(";")]
    values = [each for name, _, each in pairs if name.lower() not in _ATTRIBUTES]
    scheme = value.partition(" ")[0].lower()
    is_prose = "=" not in value and (value.count(" ") > 2 or not any(map(str.isdigit, value)))
    if is_prose and scheme not in _SCHEMES and not any(map(is_random, value.split())):
        return True
    return (
        _is_no_header(value)
        or _is_called(value)
        or ("=" in value and not any(has_digit(each) or len(each) > 12 for each in values))
    )


def _is_no_pair(value: str) -> bool:
    """Whether it is not the base64 of a user's name and password."""
    from base64 import b64decode  # noqa: PLC0415 - for few texts

    try:
        return b":" not in b64decode(value + "=" * (-len(value) % 4))
    except ValueError:
        return True


_PRIVATE_PART = r"""(?<![\w+/-])\\{0,4}["'](?:d|p|q|dp|dq|qi|k)\\{0,4}["']\s{0,4}:\s{0,4}\\{0,4}["'](?P<value>[\w-]{16,2048})"""


_IN_KEY = r"""["'](?:kty|dp|dq|qi)\\{0,4}["']"""


def _json_web_key(text: str, at: int, _end: int) -> Iterator[Finding]:
    """The private parts of a JSON web key, whose names have one letter."""
    first = max(0, at - _LONGEST_KEY)
    begin = text.rfind("{", first, at)
    begin = begin if begin >= 0 else first  # a key that was cut
    if pattern(_IN_KEY).search(text, begin, at):
        return  # what it holds was found there
    stop = text.find("}", at, at + _LONGEST_KEY)
    stop = stop if stop >= 0 else at + _LONGEST_KEY
    is_said = text.find("kty", begin, stop) >= 0
    for found in pattern(_PRIVATE_PART).finditer(text, begin, stop):
        if is_said or is_random(found["value"], least=40):
            yield Finding(*found.span("value"), "private-key", "format")


_LONGEST_KEY = 4096

_PHRASES = tuple(
    f"{of} {what}"
    for of in ("seed", "recovery", "backup", "secret")
    for what in ("phrase", "words")
)
_WORD_OF_WALLET = r"(?:\d{1,2}[.):]? {0,3})?[a-z]{3,8}"
_BETWEEN_WORDS = r"(?:,? {1,4}|,?[ \t]{0,8}\r?\n[ \t]{0,8}|\t)"
_WORDS_OF_WALLET = (
    rf"(?:{_WORD_OF_WALLET}{_BETWEEN_WORDS}){{11}}(?:(?:{_WORD_OF_WALLET}{_BETWEEN_WORDS}){{3}}){{0,4}}{_WORD_OF_WALLET}"
    r"""(?=\\{0,4}["'`]?[,;)\]}]?[ \t]*(?:\r?\n|\\n|\Z))"""
)
"""12, 15, 18, 21 or 24 words to the end of the line, numbered or not (BIP 39)."""

_OF_PROSE = frozenset("the and your are not from have has was but for its our".split())


def _is_prose(value: str) -> bool:
    """Whether a word is among them that no wallet draws."""
    return is_placeholder(value) or not _OF_PROSE.isdisjoint(value.lower().split())


_QUOTED = r"""[^"'\\\n]{3,256}"""
_GIVEN = (
    r"""(?:(?:[bfru]?"[^"\n]{0,128}"|'[^'\n]{0,128}')(?:\.\w{2,12}\(\))?|[\w.$@-]{1,64})\s{0,4}"""
)
_CALLED = rf"(?i)[\w.:>-]{{0,24}}[ =]{{0,3}}\(\s{{0,8}}(?:{_GIVEN},\s{{0,8}})"
_OPENED = r"(?:Some\()?['\"]"
# fmt: off
_LOGINS = (
    "wifi.begin(", "simple_bind_s(", "simple_bind(", "create_superuser(", "create_user(", "plainauth(", "imap_open(", "dbi->connect(", "dbi.connect(", "setauth(", "signwith(", "client.connect(", "ssh.connect(", "credentials.new(", "connectionfactory(", "login(", "signin(", "sign_in(", "auth(", "authentication(", "authenticate(", "authenticationtoken(", "credential(", "credentials(", "getconnection(", "set_password(", "basic(", "pdo(", "pdo->__construct(", "auth=(", "auth = (", "algoliasearch(",
)
# fmt: on
"""Calls that are given a user's name and, as the last argument but one or as the last, a password."""

_CODE = r"[0-9A-Za-z]{4,8}"
_GROUPS = r"\d{3,6}(?: \d{3,6}){1,3}\b"
_CODES = (
    rf"(?i)\w{{6,8}}[-_ ]codes?\b[^\n]{{0,80}}?[\s:\"'\[]{{1,12}}(?:\d{{1,2}}[.)] {{1,3}}|[*\u2022-] {{1,3}}|\[ ?\] )?(?P<value>(?=[^\s\"',]{{0,14}}\d)(?:{_GROUPS}|{_CODE}(?:-{_CODE}){{1,3}}|[0-9a-z]{{8,12}}\b|\d{{6}}\b)"
    rf"(?:[\s\"',*|>.)\u2022-]{{1,8}}(?:\d{{1,2}}[.)] {{1,3}})?(?:{_GROUPS}|{_CODE}(?:-{_CODE}){{1,3}}|(?=[a-z]{{0,11}}\d)[0-9a-z]{{8,12}}\b|\d{{6}}\b)){{0,24}})"
)


def _is_word(value: str) -> bool:
    return is_placeholder(value) or (is_code(value) and not has_digit(value))


# -- lines around a telling word --------------------------------------------------------------------

_ENDS = (
    r"[^\W\d_]{0,4}+(?:[_ ](?i:key_base|key|hash|value|token|id))?\d?(?P<file>\.\w{1,8}+)?"
    r"(?P<sign>[ \t:=?]|[\w.-]{0,16}[\"']|[`*.)\]}>/]{0,2} ?(?:[|,;\r\n]|\Z))"
)
_OF_HEADING = "|│┃,;\t\r\n"


def beside(text: str, at: int, end: int) -> Iterable[Finding]:
    """What a sentence says, what stands below a heading, and what a command prints below."""
    found = pattern(_ENDS).match(text, end)
    if found is None:
        return ()
    if found["file"]:
        return below_name(text, at, end)
    sign, stop = found["sign"][-1:] or "\n", found.end()
    given = [*stated(text, at, end, sign, stop), *below_name(text, at, end)]
    after = text[stop : stop + 1]
    if sign in ",;" and after == " ":
        return given
    if sign in _OF_HEADING or (after and after in _OF_HEADING) or sign == after == " ":
        given += below_heading(text, at, stop + (sign in "\"' "))
    return given


def _below_short_heading(text: str, at: int, end: int) -> Iterable[Finding]:
    """A column of a name that is no telling one elsewhere."""
    return below_heading(text, at + 1 + (text[at + 1] == " "), end)


# -- arguments of programs --------------------------------------------------------------------------

_ARGUMENT = r"""\\{0,4}["']?(?P<value>[^\s"'\\;|&<>]{2,256})"""
_BETWEEN = r"""(?=[ \t])(?:[^\n;|&]|"[^"\n]{0,120}[;|&][^"\n]{0,120}"|'[^'\n]{0,120}[;|&][^'\n]{0,120}'){0,200}?[ \t]"""


def _option(option: str) -> str:
    """A pattern for the argument of a program's option, beginning at the program's name."""
    return rf"[\w -]{{2,24}}?{_BETWEEN}{option}{_ARGUMENT}"


def _is_no_password(value: str) -> bool:
    """A port, a path, a number, another option's rest."""
    is_port = not any(map(str.isalpha, value)) and len(value) < 12
    return (
        is_placeholder(value)
        or is_port
        or (
            value.startswith(("/", "./", "-", "ort", "rotocol", "rint", "lugin"))
            and not (value.endswith("=") and is_random(value))
        )
    )


def _is_unlikely(value: str) -> bool:
    return _is_no_password(value) or not (has_digit(value) or is_random(value))


def _is_no_argument(value: str) -> bool:
    return _is_unlikely(value) or ("." in value and is_code(value))


def _is_no_output(value: str) -> bool:
    """Anything but one word of made up signs."""
    is_key = is_hex(value) and len(value) >= 32
    return is_placeholder(value) or is_place(value) or not (is_key or is_random(value, least=10))


def _is_hex_or_place(value: str) -> bool:
    return is_hex(value) or not is_random(value)


def _is_not_chosen(value: str) -> bool:
    return is_public_key(value) or is_placeholder(value) or is_place(value) or not is_chosen(value)


def _is_no_bytes(value: str) -> bool:
    """A few numbers again and again, or in their order."""
    numbers = [
        int(each, 0) if each.startswith("0x") else int(each)
        for each in value.replace(",", " ").lower().split()
    ]
    steps = {other - one for one, other in pairwise(numbers)}
    return (
        max(numbers) > _BYTE
        or len(set(numbers)) < len(numbers) // 2
        or len(steps) < len(numbers) // 2
    )


_BYTE = 255


def _is_no_seed(value: str) -> bool:
    """Words, or letters that make a word."""
    signs = value.replace(" ", "").replace("-", "")
    return not (any(map(str.isdigit, signs)) and any(map(str.isalpha, signs))) or is_hex(signs)


_ACCESSOR = r"(?i)accessor|role[_ -]?id|nomad|consul|vault"
_ID_OF_ACL = r"(?i)secret[_ ]?id[\"']?[\s:=|]{1,24}[\"']?(?P<value>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"


def _acl_secret(text: str, at: int, end: int) -> Iterator[Finding]:
    """The id that opens: beside that of its accessor, or of the role that it is for."""
    found = pattern(_ID_OF_ACL).match(text, at)
    if found is not None and pattern(_ACCESSOR).search(text, max(0, at - 300), end + 300):
        yield Finding(*found.span("value"), "vault", "name")


_GEM_KEY = r"\n:(?P<name>\w{1,40}): (?P<value>[0-9a-f]{32,64}|\w{24,80})(?=\s|\Z)"


def _gem_credentials(text: str, at: int, _end: int) -> Iterator[Finding]:
    """The keys of servers of gems: a file of nothing but symbols and keys."""
    found = pattern(_GEM_KEY).match(text, at + 3)
    while found is not None:
        if is_random(found["value"]):
            yield Finding(*found.span("value"), "rubygems", "format")
        found = pattern(_GEM_KEY).match(text, found.end())


_LINE_OF_USER = (
    r"(?:[\n\"'][ \t-]*|[ \t]-[ \t])\w[\w.-]{0,31}:(?P<value>[^\s\"':]{7,128})(?=[\s\"']|\Z)"
)


def _lines_of_users(text: str, _at: int, end: int) -> Iterator[Finding]:
    """``chpasswd``, and what it is given: a user and a password in each line."""
    found = pattern(_LINE_OF_USER).search(text, end, end + _BEFORE)
    while found is not None:
        if not _is_not_chosen(found["value"]):
            yield Finding(*found.span("value"), "", "name")
        found = pattern(_LINE_OF_USER).match(text, found.end())


_CONFIGURED = r"(?i)[\w.-]{0,60}(?:secret|token|key|passw)[\w.-]{0,20}[ =]+[\"']?(?P<value>[^\s\"'-][^\s\"']{3,256})"


def _configured(text: str, _at: int, end: int) -> Iterator[Finding]:
    """Names and values for a program to keep."""
    stop = text.find("\n", end, end + 2 * _BEFORE)
    for found in pattern(_CONFIGURED).finditer(text, end, stop if stop >= 0 else end + 2 * _BEFORE):
        if not is_placeholder(found["value"]):
            yield Finding(*found.span("value"), "", "command")


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
    if pattern(_FIELD).search(text, max(0, at - 2 * _BEFORE), at):
        yield Finding(*found.span("value"), "", "name")


_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_TOKEN_OF_ACL = (
    r"(?:initial_management|agent(?:_recovery|_master)?|default|replication|master|dns|config_file_service_registration)"
    rf"[\"']?[ \t]{{0,16}}[:=][ \t]{{0,4}}[\"']?(?P<value>{_UUID})"
)


def _acl_tokens(text: str, _at: int, end: int) -> Iterator[Finding]:
    """The tokens of an agent of Consul, each behind what it is for."""
    begin = text.find("tokens", end, end + _LONGEST_BLOCK)
    stop = text.find("}", begin, begin + _LONGEST_BLOCK)
    stop = stop if stop >= 0 else begin + _LONGEST_BLOCK
    for found in pattern(_TOKEN_OF_ACL).finditer(text, begin, stop) if begin >= 0 else ():
        yield Finding(*found.span("value"), "consul", "name")


_LONGEST_BLOCK = 600

_PROMPTED = (
    r"(?i)(?:expect|wait_?for|read_?until|until|when|prompt|match)\w*[^\n]{0,120}?"
    r"(?:ass\w{0,4}word|ass[- ]?phrase|assword|passcode|\bpin\b|secret|token|otp|verification)[^\n]{0,120}\n(?:[^\n]{0,120}\n)?[^\n]{0,60}\Z"
)
_SENT = r""">?\w{4,9}\(\s{0,4}[bfru]{0,2}["'](?P<value>[^"'\n\\]{3,256})(?:\\[rn]){0,2}["']"""


def _sent_to_prompt(text: str, at: int, _end: int) -> Iterator[Finding]:
    """``expect("assword:")``, and on one of the next lines ``sendline("...")``."""
    found = pattern(_SENT).match(text, at)
    if found is None or is_placeholder(found["value"]):
        return
    if pattern(_PROMPTED).search(text, max(0, at - 2 * _BEFORE), at):
        yield Finding(*found.span("value"), "", "command")


_SEED = r"(?:\A|\n)(?P<value>[A-Z2-7]{16,64})\r?\n(?:\" [A-Z_]{4,24}[^\n]{0,40}\n){0,8}\Z"
_SCRATCH = (
    r"[^\n]{0,60}\n(?:\" [A-Z_]{4,24}[^\n]{0,40}\n){0,8}(?P<value>(?:\d{8}(?:\s{1,2}|\Z)){1,10})"
)


def _authenticator_file(text: str, at: int, end: int) -> Iterator[Finding]:
    """The seed above the options in the file of Google's module for PAM, and the codes below them."""
    seed = pattern(_SEED).search(text, max(0, at - _LONGEST_BLOCK), at)
    if seed is not None:
        yield Finding(*seed.span("value"), "totp", "format")
    codes = pattern(_SCRATCH).match(text, end)
    if codes is not None:
        yield Finding(
            codes.start("value"),
            codes.start("value") + len(codes["value"].rstrip()),
            "recovery-codes",
            "format",
        )


_USER_OF_SNMP = (
    r"(?i)createuser +(?:-e +\w{1,80} +)?[\"']?[\w.@-]{1,64}[\"']? +(?:MD5|SHA)[\w-]{0,4}"
)
_OF_RADIUS = r"radtest +[^\n;|&]{4,300}? \d{1,5} +[\"']?(?P<value>[^\s\"';|&<>]{2,128})"
_radius_secret = _place(_OF_RADIUS, "radius", "command")


def _is_no_session(value: str) -> bool:
    return is_placeholder(value) or not (is_random(value, least=12) or is_uuid(value))


# fmt: off
PLACES: tuple[tuple[tuple[str, ...], Look], ...] = (
    (("-----begin ",), _private_key),
    (("-----end ",), _end_of_private_key),
    (("private-lines:",), _place(
        rf"(?i)private-lines: ?\d+(?:\\r|\\n|\s)++(?P<value>(?:{LEAD}[ \t]{{0,8}}[A-Za-z0-9+/=]{{4,}}(?:(?:\\r|\\n|\s)++|\Z))+)", "private-key", "format")),
    (("kind: secret", 'kind": "secret', 'kind":"secret'), _manifest),
    (("eyj",), _place(
        r"(?<![\w-])(?P<value>eyJ[\w-]{8,4096}+\.eyJ[\w-]{2,4096}+(?:\.[\w-]{0,4096}+)?)", "jwt", "format", unless=_never)),
    (("sk-",), _place(
        r"(?<![A-Za-z0-9-])(?P<value>sk-(?:[A-Za-z0-9]{20,2048}|(?:proj|ant|svcacct|admin|or|live|test)-[\w-]{10,2048}))",
        "api-key", "vendor")),
    (("q~",), _place(r"[\w~.-]{0,196}?(?<![\w~.])(?P<value>[\w~.]{3}\d[qQ]~[\w~.-]{31,40})", "azure", "format", before=r"\w~.")),
    (("azdo",), _place(r"(?P<value>[A-Za-z0-9]{70,80}AZDO[A-Za-z0-9]{4})", "azure-devops", "format", before="A-Za-z0-9")),
    (("jqqj99",), _place(r"(?P<value>[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{20,30})", "azure-openai", "format", before="A-Za-z0-9")),
    (("+acr",), _place(r"(?P<value>[A-Za-z0-9]{42}\+ACR[A-Za-z0-9]{6})", "azure-registry", "format", before="A-Za-z0-9")),
    ((":fx",), _place(r"(?P<value>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:fx)\b", "deepl", "format", before="0-9a-f-")),
    ((".atlasv1.",), _place(
        r"(?P<value>[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,80})", "terraform", "format", before="A-Za-z0-9")),
    ((":aa",), _place(r"\d{0,8}?(?P<value>\d{8,10}:AA[\w-]{32,35})(?![\w-])", "telegram", "format", before="0-9")),
    (("-us",), _place(r"(?P<value>[0-9a-f]{32}-us\d{1,2})\b", "mailchimp", "format", before="0-9a-f")),
    (("contribsys",), _place(
        r"(?i)contribsys[\w.]{0,20}[\s\"'=:>]{1,6}(?P<value>[a-f0-9]{8}:[a-f0-9]{8})", "sidekiq", "format", unless=_never)),
    ((":::",), _place(
        r"(?i)[^\n]{0,180}?(?P<value>[0-9a-f]{32}:[0-9a-f]{32}):::", "password-hash", "format", before=r"\w:.$-", unless=_never)),
    (("://",), _place(
         r"""://(?=[^\s/"'<>@]{1,1024}+@)(?!([^\s/@:]{1,64}):\1@)(?![0-9a-f]{32}@(?:o\d{1,12}\.)?ingest(?:\.[a-z]{2})?\.sentry\.io/\d)(?:(?P<key>[^\s/@:"'<>]{16,1024})(?=:(?:x-oauth-basic|[xX])?@)|[^\s/@:"'<>]{0,256}(?:@[^\s/@:"'<>]{1,64})?:(?P<value>[^\s/"'<>]{1,1024})(?=@)"""
        r"""|(?P<token>[^\s/@:"'<>]{20,1024})@)""", "", "url", needs="@")),
    (("hooks.slack.com/",), _place(
        r"(?i)hooks\.slack\.com/(?:services|workflows|triggers)/(?P<value>[\w/-]{20,})", "slack", "format")),
    (("api/webhooks/",), _place(r"(?i)api/webhooks/(?P<value>\d{10,}/[\w-]{20,})", "discord", "format")),
    (("webhook.office.com/",), _place(
        r"(?i)webhook\.office\.com/webhookb2/(?P<value>[\w@/-]{40,})", "microsoft-teams", "format")),
    (("sig=",), _place(r"(?i)[?&;]sig=(?P<value>[A-Za-z0-9%+/=_-]{20,200})", "azure", "url", before="?&;")),
    (("authorization", "cookie"), _place(
        r"""(?i)(?:authorization|cookie)\\*["']?\]?(?:[ \t]{0,4}[:=][ \t]{1,4}|[ \t]{0,4}[:=]\[?\\*["'])\[?(?:[bfru](?=["']))?(?:\\*["'])?"""
        r"""(?P<value>(?:[^"'\r\n\\]{1,512}+|\\(?!["'nr])){1,8}+)""", "authorization", "header", unless=_is_no_cookie)),
    (("authorization", "cookie"), _place(
        r"(?i)(?:authorization|cookie)[:=](?:(?:basic|bearer|token)(?:\\{0,4} |\+|%20))?+(?P<value>[^\s\"'\[]{1,4096})",
        "authorization", "header", unless=_is_no_token)),
    (("bearer",), _place(
        r"(?i)bearer(?:(?:[ \t:]|\\[ t]|%20){1,8}|(?:[\s:]|\\[ t]|%20){1,8}(?![\w-]{2,30} ?[:=]))(?![\w-]{2,30}=\\{0,4}[\"'])(?P<value>[\w.~+/=-]{4,4096}+)", "bearer", "header", unless=_is_dull)),
    (("basic ",), _place(
        r"(?i)basic {1,4}(?P<value>[A-Za-z0-9+/]{8,1024}={0,2})(?![\w/+])", "basic", "header", unless=_is_no_pair)),
    (('auth"', "auth'", "auth\\", "_auth"), _place(
        r"""(?i)_?auth\\{0,4}["']?\s{0,4}[:=]\s{0,4}\\{0,4}["']?(?P<value>[A-Za-z0-9+/]{6,4096}={0,2})""",
        "docker", "name", unless=_is_no_pair)),
    ((" -u", " --user", " --proxy-user", "'-u", '"-u'), _place(
        r"""[ "'](?:-u|--(?:proxy-)?user(?:pwd)?)[ =]?(?:["'],? ?)?["']?[^\s:"'/]{1,128}:(?P<value>[^\s"':/\[][^\s"']{0,256}+)""",
        "", "command", unless=_is_no_password)),
    (("login=", "authident", "stats auth ", "bundle_", "http-basic"), _place(
        r"""(?i)(?:login=|\w{9}\\{0,4}["']?: |stats auth +|bundle_\w{2,60}__\w{2,60}[:=] ?)\\{0,4}["']?[\w.@-]{1,64}:(?P<value>[^\s"'\\]{4,256})""",
        "", "command", unless=_is_no_password)),
    ((" -u", " --user", "'-u", '"-u'), _place(
        r"""[ "'](?:-u|--user)[ =]?(?:["'],? ?)?["']?(?P<value>[\w.+/=-]{16,512}):(?:[xX]|x-oauth-basic|api_token)?(?=["'\s]|\Z)""",
        "", "command", unless=_is_no_argument)),
    ((" -p",), _place(
        r"""[^\n]{0,200}?(?: -[uUl]|--user(?:name)?|--login)\b[^\n;|&]{1,100}? -[pP][ =]["']?(?P<value>[^\s"';|&]{4,128})""",
        "", "command", before="^\n;|&", unless=_is_unlikely)),
    (("mysql", "mariadb"), _place(_option("-p(?![ \t=])"), "mysql", "command", unless=_is_no_password)),
    (("mysql", "mariadb", "cqlsh", "winrm", "ipmitool"), _place(
        _option("(?:--password=|-[pP] )"), "", "command", unless=_is_unlikely)),
    (('mysql"', "mysql'", 'mysqldump"', "mysqldump'"), _place(
        r"""mysql(?:dump)?["'],[^\n\]]{0,200}?["']-p(?P<value>[^\s"']{3,256})["']""", "mysql", "command", unless=_is_no_password)),
    (("sshpass",), _place(_option("-p ?"), "", "command", unless=_is_no_password)),
    (("docker login", "podman login", "registry login", "acr login", "buildah login", "skopeo login", "nerdctl login"),
     _place(_option("(?:-p|--password)[ =]"), "docker", "command", unless=_is_no_password)),
    (("mongo",), _place(_option("(?:-p|--password)[ =]?"), "", "command", unless=_is_unlikely)),
    (("redis-cli",), _place(_option("(?:-a|--pass)[ =]?"), "", "command")),
    (("ldapsearch", "ldapadd", "ldapmodify", "ldapwhoami", "ldapdelete", "odoo-bin"), _place(_option("-w ?"), "", "command")),
    (("smbclient", "rpcclient", "net rpc", "net ads", "winexe"), _place(
        r"""[\w ]{5,12}[^\n;|&]{0,200}?[ \t]-U ?["']?[^\s%]{1,64}%(?P<value>[^\s"'%]{2,128})""", "", "command")),
    (("sqlcmd", "bcp ", "osql"), _place(_option("-P ?"), "", "command")),
    (("7z ", "7za "), _place(r"7za? [^\n;|&]{0,200}?[ \t]-p(?P<value>[^\s\"';]{2,128})", "", "command")),
    (("rar ",), _place(r"rar [^\n;|&]{0,200}?[ \t]-h?p[\"']?(?P<value>[^\s\"';-][^\s\"';]{2,128})", "", "command")),
    (("security add-", "security unlock-keychain", "security set-", "security import"), _place(_option("-[wpP] "), "", "command", unless=_is_no_password)),
    (("db2 connect ", "db2 attach "), _place(
        r"(?i)db2 (?:connect|attach) to \S{1,64} user \S{1,64} using [\"']?(?P<value>[^\s\"']{2,128})", "", "command")),
    (("pgp_sym_", "aes_encrypt(", "aes_decrypt(", "encryptbypassphrase(", "decryptbypassphrase(", "des_encrypt("), _place(
        r"(?i)(?:\w{10,16}\((?:[^()\n'\"]|\([^()\n]{0,80}\)|'[^'\n]{0,128}'(?= ?,)){0,200}?,[ \n]{0,8}|\w{7}bypassphrase\(\s{0,4})N?['\"](?P<value>[^'\"\n]{3,128})['\"]", "", "command", unless=_is_no_argument)),
    (("pragma key", "pragma rekey", "pragma hexkey"), _place(
        r"(?i)pragma (?:re|hex)?key\s?[=(]\s?\\{0,2}[\"']{1,2}(?:x')?(?P<value>[^\"'\n]{3,256})[\"']", "", "command")),
    (("zip ",), _place(r"zip [^\n;|&]{0,200}?-P ?[\"']?(?P<value>[^\s\"';]{2,128})", "", "command")),
    (("htpasswd",), _place(
        r"htpasswd [^\n;|&]{0,100}?-\w*b\w*[ \t]+(?:-\w+[ \t]+)*(?:[^\s-]\S*[ \t]+)?\S+[ \t]+[\"']?"
        r"(?P<value>[^\s\"';|&]{2,128})[\"']?[ \t]*(?=$|[\n;|&])", "", "command")),
    (("add_user", "change_password", "authenticate_user"), _place(
        r"(?:add_user|change_password|authenticate_user) +[\"']?\w\S* +[\"']?(?P<value>[^\s\"';|&=][^\s\"';|&]{1,128})", "", "command")),
    (("openssl",), _place(_option("-(?:k|K) "), "", "command", unless=_is_unlikely)),
    (("openssl passwd",), _place(r"openssl passwd(?: -\w+(?: +\w{1,16}(?= +-))?)*? +[\"']?(?P<value>[^\s\"'()|;&-][^\s\"'()|;&]{3,128})", "", "command")),
    (("pass:",), _place(r"pass:(?P<value>[^\s\"':;]{2,256})", "", "command", unless=_is_word)),
    (("xfreerdp", "rdesktop"), _place(_option("(?:/p:|-p ?)"), "", "command", unless=_is_no_password)),
    (("sqlplus",), _place(
        r"sqlplus[^\n;|&]{0,40}?[ \t]\w+/[\"']?(?P<value>[^\s\"'@;]{2,128})@", "", "command")),
    (("psexec", "wmiexec", "smbexec", "atexec", "dcomexec", "secretsdump", "getuserspns", "mssqlclient"), _place(
        rf"[\w.]{{6,16}}{_BETWEEN}[\"']?(?:[\w.-]{{1,64}}/)?[\w.$-]{{1,64}}:(?P<value>[^\s\"']{{3,128}})@[\w.-]+", "", "command")),
    (("rclone config", "rclone obscure"), _place(r"rclone (?:obscure|config [^\n;|&]{4,200}?[ \t]pass)[ =][\"']?(?P<value>[^\s\"';|&-][^\s\"';|&]{3,128})", "", "command")),
    (("net use", "net user"), _place(
        r"(?i)net use(?:r[ ]+\w+| +(?:(?:\w:|\*) +)?\S+)(?: +/user:\S+)?[ ]+(?P<value>[^\s/*][^\s]{3,128})", "", "command", unless=_is_unlikely)),
    ((" -k ", " -s "), _place(r" -[kKs] [\"']?(?P<value>[A-Za-z0-9+/_-]{20,256}={0,2})(?=[\s\"']|\Z)", "", "command", unless=_is_hex_or_place)),
    (("ssserver ", "ss-server ", "sslocal ", "ss-local "), _place(_option("-k "), "", "command", unless=_is_unlikely)),
    (("ss://", "trojan://", "vless://", "hysteria2://", "hy2://"), _place(
        r"(?<![a-z])\w{2,9}://(?P<value>[^\s/@:\"'<>]{8,512})@", "proxy", "url")),
    (("vmess://",), _place(r"vmess://(?P<value>[\w+/=-]{40,4096})", "proxy", "url")),
    (("rtmp://", "rtmps://"), _place(r"rtmps?://[^\s/]{1,128}/(?:[\w-]{1,32}/){1,3}(?P<value>[\w-]{16,128})", "", "url", unless=_is_no_output)),
    (("wifi-sec.psk ", "wireless-security.psk "), _place(r"[\w-]{8,20}\.psk [\"']?(?P<value>[^\s\"']{8,64})", "", "command")),
    (("<keymaterial>",), _place(r"(?i)<keymaterial>(?P<value>[^<\n]{5,128})<", "", "name")),
    (("setenv ", "fastcgi_param ", "uwsgi_param ", "scgi_param ", "passengerenvvar "), _place(
        r"(?i)\w{6,15}[ \t]+\w{0,40}(?:passw|pwd|secret|token|key|pass|auth|cred)\w{0,24}[ \t]+[\"']?(?P<value>[^\s\"';$%][^\s\"';]{3,512})", "", "command", unless=_is_unlikely)),
    (("spark.hadoop.", "spark.ssl.", "spark.authenticate.", "fs.s3a.", "fs.azure."), _place(
        r"(?i)(?:spark|fs)\.[\w.-]{2,160}?(?:secret|password|token|key)[\w.-]{0,60}[ \t]+(?P<value>[^\s\"'=]{6,512})", "", "name", unless=_is_unlikely)),
    (("setx ",), _place(
        r"(?i)setx +(?:/\w +)?(?:[\"']?)\w{0,40}(?:passw|pwd|secret|token|key|pass|auth|cred)\w{0,24}[\"']? +[\"']?(?P<value>[^\s\"'/%][^\s\"']{3,512})", "", "command", unless=_is_unlikely)),
    (("user add ", "operator unseal "), _place(
        r"(?:user add [\w.-]{1,64}:|operator unseal )[\"']?(?P<value>[^\s\"'-][^\s\"']{3,512})", "", "command", unless=_is_unlikely)),
    (("register =>", "register=>"), _place(r"register ?=> ?[^\s:@]{1,64}:(?P<value>[^\s@]{3,128})@", "", "url")),
    (("?tkn=", "&tkn="), _place(r"[?&]tkn=(?P<value>[\w-]{16,128})", "", "url")),
    (("mc alias set", "mc config host add", "mc admin user add"), _place(
        r"mc (?:alias set +\S+|config host add +\S+|admin user add) +\S+ +\S+ +(?P<value>\S{8,128})", "minio", "command")),
    (("login ",), _place(
        r"login +(?:(?:-\S+|\S+[.]\S+) +)?[\"']?(?P<value>[\w.+/=-]{12,256})[\"']?[ \t]*(?=$|[\n;|&])", "", "command",
        unless=lambda value: not is_random(value, least=12))),
    (("echo ", "printf "), _place(
        r"""(?:echo|printf) +(?:-n +|'?%s(?:\\n)?'? +)?(?:["'](?:[\w.-]{1,64}:)?(?P<quoted>[^\s"']{4,256}?)(?:\\n)?["']|(?P<value>[^\s"';|&$]{4,256}))"""
        r""" *\|[^\n|;]{0,120}(?:--password-stdin|--with-token|passwd[^\n|;]{0,40}--stdin|login|auth|sudo -\w*S\w*|chpasswd|secrets? (?:create|put|set|add|versions)|kubeseal|--passphrase-fd|kinit|cryptsetup)\b""",
        "", "command")),
    (("send ",), _place(r"""send (?:-- )?\\{0,3}"(?P<value>[^\s"\\]{6,128})\\{1,4}[rn]""", "", "command", unless=_is_unlikely)),
    (("sonar.login=",), _place(r"sonar\.login=(?P<value>\S{8,128})", "sonarqube", "command")),
    (("configure set",), _configured),
    (("userlist.txt", "auth_file"), _user_list),
    (("wifi:",), _place(r"(?i)wifi:(?:[trshei]\d?:(?:[^;\\\n]|\\{1,4}[^\n]){0,128};){0,6}p:(?P<value>(?:[^;\\\n]|\\{1,4}[^\n]){5,128});", "", "name")),
    (("config ", "config:set", "secret set", "secrets set"), _place(
        r"(?i)(?:config|secrets?)[: ](?:set |--global |--local )?[^\n\"';|&]{0,120}?(?:secret|token|key|passw|auth)(?<!--secret)[\w.-]{0,40}"
        r"(?:[ =]+--?(?:b|v|body|value|secret))?[ =]+[\"']?(?P<value>[^\s\"'-][^\s\"']{5,512})", "", "command", unless=_is_unlikely)),
    (("identified by", "identified with", "password '", 'password "', "password \\"), _place(
        r"""(?i)(?:identified (?:by|with)(?: [\w.]{1,40} (?:by|as))?|password)[ \t]+(?:password |values? )?\\{0,4}["'](?P<value>[^"'\n\\]{3,256}+)"""
        r"""(?!["'] (?!with\b|default|account|require|password|temporary|quota|profile|and\b|valid|login|create|no|for|using|replace|container|retain|discard)[a-z])""",
        "", "command")),
    (("identified by",), _place(r"(?i)identified by (?P<value>[^\s\"';,()]{4,128})(?=[\s;]|\Z)", "", "command", unless=_is_no_argument)),
    (("sp_addlogin", "sp_password", "sp_addlinkedsrvlogin"), _place(
        r"(?i)sp_\w{8,18} [^\n;]{0,120}?N?'[^'\n]{0,64}', ?N?'(?P<value>[^'\n]{4,128})'", "", "command", unless=_is_word)),
    (("machine ", "login "), _place(
        r"(?:machine|login)[ \t]+[^\n]{0,200}?\bpassword[ \t]+(?P<value>\S{2,256})", "", "name")),
    (("password for ", "password is ", "password to ", "password of ", "passwort f", "passwort ist ", "contraseña de", "contraseña es "), _place(
        r"(?i)(?:passwor[dt]|contraseña) (?:is \w{1,16} )?(?:for|to|of|f\S{1,2}r|de|del|is|ist|es) [^\n]{0,120}?"
        r"(?::| is| was| lautet:?| ist| es)[ \t][\"'`]?(?P<value>[^\s\"'`()]{6,128})[\"'`]?(?=[ \t]*(?:[\n—,;(]|- |\Z| please\b| and\b))", "", "name", unless=_is_unlikely)),
    (TOLD, told_before),
    ((" pass for ", " pw for "), _place(r"(?i) (?:pass|pw) for [^\n:]{1,60}: ?[\"'`]?(?P<value>[^\s\"'`(),;]{6,128})", "", "name", unless=_is_unlikely)),
    (("p/w ", "p/w:"), _place(r"(?i)p/w[ :=]{1,3}[\"'`]?(?P<value>[^\s\"'`(),;]{6,128})", "", "name", unless=_is_unlikely)),
    ((" pw ", "(pw "), _place(r"(?i)[ (]pw [\"'`]?(?P<value>[^\s\"'`(),;]{6,128})", "", "name", unless=_is_unlikely)),
    ((".tochararray",), _place(
        rf"(?i)[^\n]{{0,200}}?['\"](?P<value>{_QUOTED})['\"]\.tochararray", "", "name", before=r"^\n,(", unless=_is_no_argument)),
    (("aes.new(", "createcipheriv(", "createdecipheriv("), _place(
        r"""(?i)[\w.]{6,20}\((?:["'][\w-]{4,24}["'],\s{0,4})?b?["'](?P<value>[^"'\n]{16,64})["']""", "", "name", unless=_is_no_argument)),
    (("{sha}", "{ssha}", "{ssha256}", "{ssha512}", "{smd5}"), _place(
        r"\{\w{3,7}\}(?P<value>[A-Za-z0-9+/]{20,120}={0,2})", "password-hash", "format", unless=_never)),
    (("put-parameter",), _place(
        r"""put-parameter (?=[^\n]{0,400}SecureString)[^\n]{0,400}?--value[ =]["']?(?P<value>[^\s"']{3,512})""", "aws", "command")),
    (("<(echo ", "<(printf "), _place(r"""<\((?:echo|printf) +["']?(?P<value>[^\s"'()]{4,256})["']?\)""", "", "command", unless=_is_unlikely)),
    ((*_PHRASES, "mnemonic"), _place(
        rf"""(?i)(?:mnemonic|\w{{4,8}} (?:phrase|words))(?:\\{{0,4}}["']?[ \t]{{0,4}}[:=]|[^\n]{{0,100}}[:\n])(?:\s{{0,8}}[>|*]?\s{{0,4}})\\{{0,4}}["'`]?(?P<value>{_WORDS_OF_WALLET})""", "", "name", unless=_is_prose)),
    (("wpa_passphrase ", "_pw ", "bw unlock ", "rootpw ", "bind_pw ", "bindpw ", "wifi connect "), _place(
        r"(?:wpa_passphrase[ \t]+\S{1,64}|_pw|bw unlock|rootpw(?: --plaintext)?|bind_?pw|wifi connect \S{1,64} password)[ \t]+[\"']?(?P<value>[^\s\"'-][^\s\"']{4,128})",
        "", "command", unless=_is_unlikely)),
    ((" pw is ", " pwd is ", " pw was ", " pwd was ", " pass is ", " pass was "), _place(r"(?i) (?:pwd?|pass) (?:is|was) [\"'`]?(?P<value>[^\s\"'`]{5,128})", "", "name", unless=_is_unlikely)),
    (("login is ", "login: ", "login for ", "logins: "), _place(
        r"(?i)logins?(?::| is| for)[^\n/:]{1,60}[ \w](?: / |:)[\"'`]?(?P<value>[^\s\"'`]{6,128})", "", "name", unless=_is_unlikely)),
    (("client.run(", "bot.run(", "client.login(", "bot.login("), _place(
        r"(?i)\w{3,6}\.\w{3,5}\(\s{0,4}[\"'`](?P<value>[\w.-]{20,128})[\"'`]", "", "name", unless=_is_no_argument)),
    ((": admin/", ": root/"), _place(r": \w{4,5}/(?P<value>[^\s/\"'`]{6,128})[ \t]*(?:\n|\Z)", "", "name", unless=_is_unlikely)),
    (_LOGINS, _place(rf"{_CALLED}{{1,3}}{_OPENED}(?P<value>{_QUOTED})['\"](?:\.\w{{2,12}}\(\))?\s{{0,8}}\)", "", "name", unless=_is_no_argument)),
    (_LOGINS, _place(
        rf"{_CALLED}{{1,2}}{_OPENED}(?P<value>{_QUOTED})['\"],\s{{0,4}}['\"][\w./:-]{{1,80}}['\"]\s{{0,4}}\)", "", "name", unless=_is_no_argument)),
    (("mysqli(", "sequelize(", "mysqli_connect(", "mysql_connect(", "dbi->connect(", "dbi.connect("), _place(
        rf"(?:[\w.>-]*\(\s{{0,8}})(?:{_GIVEN},\s{{0,8}}){{2}}['\"](?P<value>{_QUOTED})['\"]", "", "name", unless=_is_no_argument)),
    (("jwt.sign(", "jwt.verify(", "jwt.encode(", "jwt.decode("), _place(
        rf"jwt\.\w{{4,6}}\([^\n]{{0,200}}?,\s{{0,4}}['\"](?![A-Z]S\d{{3}}['\"])(?P<value>{_QUOTED})['\"]\s{{0,4}}[,)]", "jwt", "name", unless=_is_no_argument)),
    (("convertto-securestring",), _place(
        rf"(?i)ConvertTo-SecureString\s+(?:-\w+\s+){{0,3}}['\"](?P<value>{_QUOTED})['\"]", "", "command")),
    (PRINTING, printed),
    (FILES, below_name),
    (("printf '", 'printf "'), filled_in),
    (("pwd={", "password={"), _place(r"(?i)\w{3,8}=\{(?P<value>[^{}\s\"']{3,128})\}[;\"']", "", "name", unless=_is_word)),
    ((".com:", ".org:", ".net:"), _place(
        r"(?m)[\w.+-]{1,64}@[\w.-]{1,64}:(?P<value>[^\s\"'/:,;]{8,128})[ \t\r]*$", "", "name", before=r"\w.+@-", unless=_is_no_output)),
    (("random_password",), _place(
        r"""random_password[\s\S]{0,600}?"result\\{0,4}"\s{0,4}[:=]\s{0,4}\\{0,4}"(?P<value>[^"\n]{4,256}?)\\{0,4}\"""", "terraform", "name")),
    (("<pass encoding",), _place(r"(?i)<pass encoding=\"\w{1,16}\">(?P<value>[^<\s]{2,512})<", "", "name")),
    (("auth(", "login("), _place(
        r"(?<=[:.>])(?:auth|login)\(\s{0,4}b?['\"](?P<value>[^\s'\"\\]{8,512})['\"]\s{0,4}[,)]", "", "name", unless=_is_unlikely)),
    (("--auth-cred", "--proxy-cred", "--basic-auth", "--http-auth"), _place(
        r"--\w{4,5}-(?:cred|auth)\w{0,8}[ =]+[\"']?[^\s:\"'/]{1,64}:(?P<value>[^\s\"']{4,256})", "", "command", unless=_is_no_password)),
    (("--auth ", "--auth=", "http -a ", "https -a ", "xh -a "), _place(
        r"(?:--auth|\w{2,5} -a)[ =]+[\"']?[^\s:\"'/]{1,64}:(?P<value>[^\s\"']{4,256})", "", "command", unless=_is_unlikely)),
    (("\npass ",), _place(r"\n(?:PASS|Pass) (?P<value>[^\s]{6,128})[ \t\r]*(?=\n|\Z)", "", "command", unless=_is_no_argument)),
    (("snmpwalk", "snmpget", "snmpset", "snmpbulk", "snmptrap"), _place(_option("-c ?"), "snmp", "command", unless=_is_unlikely)),
    (("snmpwalk", "snmpget", "snmpset", "snmpbulk", "snmptrap"), _place(_option("-A "), "snmp", "command", unless=_is_unlikely)),
    (("snmpwalk", "snmpget", "snmpset", "snmpbulk", "snmptrap"), _place(_option("-X "), "snmp", "command", unless=_is_unlikely)),
    (("login ",), _place(
        r"LOGIN [\"']?[\w.@-]{1,64}[\"']? [\"']?(?P<value>[^\s\"']{6,128})[\"']?[ \t\r]*(?=\n|\Z)", "", "command", unless=_is_unlikely)),
    (("form-data; name=",), _place(
        r"(?i)form-data; name=\\{0,2}\"[\w.\[-]{0,40}(?:pass|secret|token|pwd|api_?key)[\w.\]-]{0,20}\\{0,2}\"(?:\\r|\\n|\s){2,8}(?P<value>[^\s\\]{4,512})", "", "name")),
    (("samlresponse", "samlassertion"), _place(
        r"(?i)SAML(?:Response|Assertion)[\"']?(?:\s{1,4}value=|[=:]\s?)[\"']?(?P<value>[\w+/=%-]{40,65536}+)", "saml", "header")),
    (("authorization",), _place(
        r"(?i)authorization[\"']?[:=] ?[\"']?(?:hawk|digest|oauth|signature)\b[^\n]{0,600}?\b(?:mac|response|(?:oauth_)?signature)=\\{0,2}[\"']?(?P<value>[\w+/=%-]{16,512})",
        "authorization", "header")),
    (("keys list", "list-keys", "listkeys", "credential show", "connection-string show", "keys renew", "key regenerate"), printed),
    (("akia", "asia"), _place(
        r"(?:AKIA|ASIA)[A-Z0-9]{16}[^\n]{0,80}?(?:\n[^\n]{0,60}?)?(?<![\w/+.-])(?P<value>[A-Za-z0-9/+]{40})(?![\w/+=])", "aws", "name", unless=_is_hex_or_place)),
    ((" -p", " /p "), _place(
        r" [-/][pP] [\"']?(?P<value>[^\s\"';|&<>(){}\[\]^\\/:=,]{7,64})[\"']?(?=\s|\Z)", "", "command", unless=_is_not_chosen)),
    (("mosquitto_passwd", "doveadm auth", "+login ", "hdbuserstore", "smbpasswd", "ejabberdctl", "prosodyctl", "samba-tool user", "drush user", "mega-login", "passwordspray",
      "kadmin", "dsadd ", "pveum ", "set-initial-password", "reset-admin-password", "reset-password ", "chpasswd", "ipmitool user set password", "mongoimport"), _place(
        r"[\w+ -]{5,40}?(?: +[^\s|;&<>]{1,80}){0,6}? +[\"']?(?P<value>(?=[^\s\"']{0,64}\d)(?=[^\s\"']{0,64}[A-Z!#$%^*?_.+-])[^\s\"'/:@=|;&<>-][^\s\"'/:@=|;&<>]{6,64})",
        "", "command", unless=_is_not_chosen)),
    (("/t/",), _place(r"/t/(?P<value>[\w-]{20,128})(?=/)", "", "url", unless=_is_no_argument)),
    (("acl setuser ", "user default "), _place(r"(?i)(?:acl setuser|user) \w{1,40}(?: [\w~&+@*|-]{1,40}){0,8}? [#>](?P<value>[^\s\"']{4,128})", "redis", "command")),
    (("::add-mask::", "::set-output name=", "::set-env name=", "::save-state name=", "task.setvariable variable="), _place(
        r"(?i)[\w.:-]{9,20}(?:[ =]?(?=[\w ;=.-]{0,60}(?:pass|secret|token|key|pwd|auth))[\w ;=.-]{1,80}(?:::|\]))?(?P<value>[^\s\"']{4,512})", "", "command")),
    (("]:587", "]:465", "]:25", ":587 ", ":465 ", ":587\t", ":465\t"), _place(
        r"\]?:\d{2,3}[ \t]+[^\s:]{1,80}:(?P<value>[^\s\"']{4,128})", "", "name", unless=_is_no_password)),
    (("{plain}", "{noop}", "{cleartext}", "{crypt}", "{sha512-crypt}", "{sha256-crypt}", "{blf-crypt}", "{cram-md5}", "{ntlm}", "{md5}", "{md5-crypt}", "{plain-md5}",
      "{pbkdf2}", "{digest-md5}", "{x-pbkdf2}", "{sha512}", "{sha256}"), _place(r"\{[\w-]{3,14}\}(?P<value>[^\s:\"']{4,256})", "password-hash", "format")),
    (("auth plain ", "auth login ", "auth xoauth2 ", "authenticate plain ", "auth external "), _place(
        r"(?i)\w{4,12} \w{5,8} (?P<value>[A-Za-z0-9+/]{12,2048}={0,2})[ \t\r]*(?=\n|\Z|[\"'])", "", "command", unless=_is_word)),
    (("334 ugfzc3dvcmq6", "334 vxnlcm5hbwu6"), _place(
        r"334 \w{11}6\r?\n(?:[CS<>*~-]{1,4}:? )?(?P<value>[A-Za-z0-9+/]{4,512}={0,2})(?=[\r\n]|\Z)", "", "command", unless=_never)),
    ((': eap "', ": xauth ", ': psk "', ": psk 0s", ': rsa "'), _place(r""": [A-Z]{3,5} "?(?P<value>[^\s"]{4,256})""", "", "name", unless=_is_word)),
    (("auth-user-pass",), _place(r"auth-user-pass[^\n]{0,24}\n[^\s<]{1,64}\r?\n(?P<value>[^\s<]{4,128})(?=\r?\n|\Z)", "", "name")),
    (('" * "', "\t*\t", '"\t*\t"'), _place(
        r"[^\n]{0,64}?[\w.@\"-][ \t]+\*[ \t]+\"?(?P<value>[^\s\"]{4,128})\"?[ \t]+(?:\*|[\d.]+)", "", "name", before=r"\w.@\"-", unless=_is_unlikely)),
    (("key[] =", "key[16] =", "key[32] =", "key: [", "_key = [", 'key": [', 'key":[', "key = {", "key[16]=", "key[] =", "secret[] =", "_key_t "), _place(
        r"(?i)[\w ]{3,8}(?:\[\d{0,3}\])?\\{0,2}\"?\s{0,4}[:=]\s{0,4}[\[{]\s{0,8}(?P<value>(?:(?:0x[0-9a-f]{1,2}|\d{1,3})\s{0,8},\s{0,16}){7,63}(?:0x[0-9a-f]{1,2}|\d{1,3}))",
        "key-bytes", "name", unless=_is_no_bytes)),
    (("credentials for", "creds for", "login for", "credentials to", "logins for"), _place(
        r"(?i)\w{5,11} \w{2,3} [^\n:]{1,60}: [\w.@-]{2,64} ?/ ?[\"'`]?(?P<value>[^\s\"'`/]{7,64})", "", "name", unless=_is_unlikely)),
    ((".fill(", ".type(", ".send_keys(", ".sendkeys(", ".setvalue(", ".presssequentially(", ".press_sequentially(", ".fill_in("), _place(
        r"(?i)[^\n;]{0,120}?(?:passw|pwd|\bpw\b|passcode|secret|token)[\w \]-]{0,24}\\{0,2}[\"'`][^\n\"'`;]{0,40}?"
        r"\.(?:fill|type|send_?keys|setvalue|press_?sequentially|fill_in)\(\s{0,4}\\{0,2}[\"'`](?P<value>[^\n\"'`\\]{5,128})",
        "", "name", before=r"^\n;", unless=_is_unlikely)),
    ((".fill(", ".type(", ".setvalue(", ".set_value(", ".sendkeys("), _place(
        r"(?i)\.\w{4,9}\(\s{0,4}\\{0,2}[\"'`][^\"'`\n]{0,80}(?:passw|pwd|\bpw\b|passcode|secret|token)[^\"'`\n]{0,40}\\{0,2}[\"'`],\s{0,4}\\{0,2}[\"'`](?P<value>[^\n\"'`\\]{5,128})",
        "", "name", unless=_is_unlikely)),
    (("fill in ", "fill_in ", "fills in ", " enter ", " enters ", " type ", " types "), _place(
        r"(?i) ?[a-z]{4,6}[ _]?(?:in)? ?(?:the )?(?:field )?[\"'][^\"'\n]{0,40}(?:passw|passcode|secret|token)[^\"'\n]{0,24}[\"'],? (?:with:?|as|=>) ?[\"'](?P<value>[^\"'\n]{4,128})[\"']",
        "", "name", unless=_is_unlikely)),
    (("/ipk ", "product key", "productkey"), _place(
        r"(?i)(?:/ipk|product ?key)[\"']?[ \t]{0,8}(?:is|:|=|>)?[ \t]{0,8}[\"']?(?P<value>[0-9A-Z]{5}(?:-[0-9A-Z]{5}){4})(?![\w-])", "license-key", "name")),
    (("sv_setsteamaccount ", "rcon_password ", "sv_password ", "sv_licensekey ", "sv_rcon_password ", "rconpassword "), _place(
        r"\w{8,20} [\"']?(?P<value>[^\s\"'+-][^\s\"']{5,128})", "", "command", unless=_is_unlikely)),
    (("].key=", "option key ", "wpa_key "), _place(r"(?:\]\.key=|option key |wpa_key )[ \t]{0,8}'?(?P<value>[^\s']{8,64})", "", "name", unless=_is_unlikely)),
    (("password hash", "passwd hash", "ntlm hash", "nt hash", "lm hash", "password-hash "), _place(
        r"(?i)[a-z-]{2,8}[ -]hash(?: is)?[ :=]{1,4}[\"'`]?(?P<value>[0-9a-f]{32,128})(?![0-9a-f])", "password-hash", "name", unless=_never)),
    (("* ntlm", "* lm ", "* sha1"), _place(r"(?i)\* (?:ntlm|lm|sha1) {1,8}: (?P<value>[0-9a-f]{32,40})(?![0-9a-f])", "password-hash", "name", unless=_never)),
    (("passphrase ",), _place(r"(?i)passphrase [\"'“]?(?P<value>[a-z]{3,12}(?:-[a-z]{3,12}){3,11})(?![\w-])", "", "name", unless=_is_prose)),
    (("recovery key", "recovery password", "numerical password", "bitlocker", "manage-bde"), _place(
        r"(?i)[a-z-]{7,9}[\s\S]{0,160}?(?<![\w-])(?P<value>(?:\d{6}-){7}\d{6}|(?-i:(?:[0-9A-Z]{4}-){5}[0-9A-Z]{4}))(?![\w-])", "recovery-key", "format", unless=_never)),
    (("serial key", "license key", "licence key", "activation key", "activation code", "cd key"), _place(
        r"(?i)\w{2,10} (?:key|code)(?: is)?[\"']?[ :=]{1,4}[\"'`]?(?-i:(?P<value>(?=[A-Z-]{0,40}\d)[0-9A-Z]{4,6}(?:-[0-9A-Z]{4,6}){3,7}))(?![\w-])", "license-key", "name")),
    (("pin code", "passkey"), _place(r"(?i)(?:pin code|passkey)(?: is)?[ :=]{1,4}(?P<value>\d{4,8})(?![\w.:])", "otp", "name")),
    (('response="', "response='"), _place(
        r"response=[\"'](?P<value>[0-9a-f]{32,64})[\"']", "authorization", "header", unless=_never)),
    (("bind(", "bind_s("), _place(
        r"(?i)bind(?:_s)?\(\s{0,4}(?:\w{1,16}, ?)?[\"'](?:(?:cn|uid|ou|mail)=[^\"'\n]{1,120}|[\w.-]{1,64}@[\w.-]{1,64})[\"'],\s{0,4}[\"'](?P<value>[^\"'\n]{3,128})[\"']",
        "", "name", unless=_is_no_argument)),
    (("deploy key", "new key ", "the key ", "your key ", "new token", "new secret"), _place(
        r"(?i)[a-z]{3,6} [a-z]{3,6}[^\n:>=]{0,40}?(?:->|=>|:|→|=| is)[ \t]{1,2}[\"'`]?(?P<value>[\w+/=.-]{20,128})", "", "name", unless=_is_no_argument)),
    (("root / ", "admin / ", " admin/", " root/", "user / ", "administrator / ", "test / ", "guest / "), _place(r"[ \w]\w{3,12} ?/ ?[\"'`]?(?P<value>[^\s\"'`/]{7,64})", "", "name", unless=_is_not_chosen)),
    (("basic ",), _place(r"(?i)basic [\w.@-]{2,64} ?[/:] ?(?P<value>[^\s\"'/:]{8,128})", "basic", "header", unless=_is_no_argument)),
    ((" --data ", " --value ", " --body ", " --data=", " --value=", " --body="), _place(
        r"[^\n]{0,200}?\b(?:secrets?|variable)\b[^\n]{0,160}? --(?:data|value|body)[ =][\"']?(?P<value>[^\s\"'${@][^\s\"']{3,512})", "", "command", before=r"^\n", unless=_is_unlikely)),
    (("key-value ", "key-value="), _place(r"key-value[ =][\"']?(?P<value>[^\s\"']{12,512})", "", "command", unless=_is_no_argument)),
    (("chpasswd",), _lines_of_users),
    (("secret-set-value ", "preset_passphrase "), _place(
        r"\w{6}-?_?(?:set-value \S{1,64}|\w{10,11} \S{1,64} \S{1,8}) (?P<value>[^\s\"']{8,512})", "", "command", unless=_is_no_output)),
    ((":pserver:", ":ext:"), _place(r":\w{3,7}:[^\s:@]{1,64}:(?P<value>[^\s@/]{3,128})@", "", "url")),
    ((' pass "', " pass '"), _place(r"(?i) pass [\"'](?P<value>[^\s\"']{5,128})[\"']", "", "name", unless=_is_not_chosen)),
    (("client_send",), _place(r"client_send *= *(?:<\S )?(?::|\^) ?[^\s:^]{1,64} ?(?::|\^) ?(?P<value>[^\s^]{4,128})", "", "name", unless=_is_word)),
    (("password 'auth' ", 'password "auth" '), _place(r"(?i)password \W\w{4}\W (?P<value>[^\s]{4,128})", "", "command", unless=_is_word)),
    (("key content",), _place(r"(?i)key content[ \t]{0,24}: (?P<value>[^\n]{8,63}?)[ \t\r]*(?:\n|\Z)", "", "name")),
    ((" -user ",), _place(r" -user \S{1,64} (?P<value>[^\s\"'/-][^\s\"'/]{6,128})", "", "command", unless=_is_not_chosen)),
    (("nsec1",), _place(r"(?<![0-9A-Za-z])(?P<value>nsec1[02-9ac-hj-np-z]{58})(?![0-9A-Za-z])", "nostr", "format", unless=_never)),
    ((*TELLING, *SPOKEN), beside),
    (tuple(f"{begin}{name}{end}" for begin, end in ((";", ";"), (";", "\n"), (",", ","), (",", "\n"), ("\t", "\t"), ("\t", "\n"), ("| ", " ")) for name in ("pass", "pw")),
     _below_short_heading),
    (("insert into", "replace into"), inserted),
    (("copy ",), copied),
    (tuple(f'{name}"' for name in ("columns", "headers", "fields", "column_names")), listed),
    (("set value", "set config_value", "set option_value", "set setting_value"), _place(
        rf"(?i)set \w{{0,16}}value *= *'(?P<value>{_QUOTED})'[^\n;]{{0,40}}? where [\w.`\"]{{1,40}} *= *'[\w.:/-]{{0,60}}(?:passw|secret|token|api[._-]?key)\w{{0,10}}'", "", "name")),
    (("@tcp(", "@unix("), _place(r"[\w.-]{1,64}:(?P<value>[^\s\"'@/]{2,256})@(?:tcp|unix)\(", "", "url", before=r"^\s\"'@/")),
    (("<<<",), _place(
        r"""(?i)[^\n|;]{0,200}?(?:login|signin|unlock|kinit|secret|passwd|--password-stdin|sudo -\w*S|--with-token|auth)\b[^\n|;]{0,80}?<<<[ \t]*["']?(?P<value>[^\s"']{4,512})""",
        "", "command", before=r"^\n|;", unless=_is_unlikely)),
    ((" -b", "--cookie"), _place(r"""(?: -b|--cookie)[ =]?["']?[\w.-]{1,64}=(?P<value>[^\s"';]{12,1024})""", "", "header", unless=_is_unlikely)),
    (("lftp", "ncftp", "bteq", "mysqlsh"), _place(
        rf"\w{{4,7}}{_BETWEEN}(?:-u|--user)[ =]?[\"']?[\w@.-]{{1,64}},(?P<value>[^\s\"']{{3,128}})", "", "command")),
    ((" -pw ", " /pw "), _place(r" [-/]pw [\"']?(?P<value>[^\s\"';|&]{4,128})", "", "command", unless=_is_unlikely)),
    (("jdbc:oracle:", "userid=", "rman target ", "expdp ", "impdp ", "sqlldr ", "exp ", "imp "), _place(
        r"(?i)[\w: =]{4,24}?[\w$#.-]{1,64}/[\"']?(?P<value>[^\s\"'@/;]{2,128})[\"']?@[\w/(]", "", "url")),
    (("@//",), _place(r"[\w$#.-]{1,64}/(?P<value>[^\s\"'@/]{3,128})@//", "", "url", before=r"^\s\"'@:=")),
    (("log in as ", "login as ", "sign in as ", "log in with ", "login with ", "sign in with ", "log in using ", "login using "), _place(
        r"(?i)\w{3,5} ?in (?:as|with|using):? [\"'`*]{0,2}[\w.@+-]{2,64}[\"'`*]{0,2} ?(?:/|:|\||,|and|with) ?(?:(?:the )?pass\w{0,8}:? )?"
        r"[\"'`*]{0,2}(?P<value>[^\s\"'`(),;*]{6,128})", "", "name", unless=_is_unlikely)),
    (("wifi", "wi-fi", "wlan", "ssid"), _place(
        r"(?i)[\w-]{4,5}[^\n]{0,80}?\b(?:key|code|pass|pw|pin)[\"']?(?: is| was)?[ :=]{1,3}[\"'`]?(?P<value>[^\s\"'`(),;]{8,63})", "", "name", unless=_is_unlikely)),
    (("authenticator", "setup key", "totp", "2fa", "oathtool", "two-factor", "manual entry"), _place(
        r"(?i)[^\n]{4,160}?(?<![\w=/+-])(?P<value>(?:[a-z2-7]{4}[ -]){3,15}[a-z2-7]{4}|[A-Z2-7]{16,64})(?![\w/+-])", "totp", "name", unless=_is_no_seed)),
    (("encrypt ", "encrypt=", "encrypt:", 'encrypt"'), _place(
        r"encrypt\\{0,2}\"?[ \t]{0,20}[=:][ \t]{0,4}\\{0,2}\"?(?P<value>[A-Za-z0-9+/]{22,86}={1,2})", "consul", "name")),
    (("tacacs", "radius"), _place(
        r"\w{6}[^\n]{0,80}(?:\n[ \t][^\n]{0,80}){0,4}?(?:\n[ \t]{1,8}| )key (?:\d )?[\"']?(?P<value>[^\s\"']{6,128})", "", "command", unless=_is_unlikely)),
    (("isakmp key ", "authentication-key ", "reversible-cipher ", "key-string ", "message-digest-key ", "wpa-psk ", "ascii-text ", "auth sha", "auth md5 ", "priv aes", "priv des ", "psksecret "), _place(
        r"[\w -]{8,24}?(?<=[ \w])(?: ?\d{1,3})?(?: md5| ascii| enc)?(?: \d)? [\"']?(?P<value>[^\s\"']{6,256})", "", "command", unless=_is_unlikely)),
    ((" enc ",), _place(r" ENC (?P<value>[A-Za-z0-9+/]{20,512}={0,2})", "password-hash", "format")),
    (("$9$", "$8$", "$14$"), _place(r"\$\d{1,2}\$(?P<value>[\w./$-]{8,256})", "password-hash", "format", unless=_is_no_output)),
    (("authentication_string", "mysql.user", "mysql_native_password"), _place(
        r"[\s\S]{8,600}?(?P<value>\*[0-9A-F]{40})(?![0-9A-Za-z])", "password-hash", "format", unless=_never)),
    (("secret id", "secretid", "secret_id"), _acl_secret),
    (("---\n:",), _gem_credentials),
    (("ssh-keygen",), _place(_option("-P "), "", "command")),
    (("ssh-keygen",), _place(_option("-N "), "", "command")),
    (("http-basic.",), _place(r"http-basic\.\S{1,64} \S{1,64} [\"']?(?P<value>[^\s\"']{4,256})", "", "command", unless=_is_unlikely)),
    (("kv put ",), _place(
        r"""kv put [^\s]{0,120}(?:pass\w*|secret|token|key)[ \t]+["']?(?P<value>[^\s"'=]{4,512})["']?[ \t]*(?:\n|\Z)""", "", "command", unless=_is_unlikely)),
    (("enable secret ", "enable password "), _place(r"enable (?:secret|password) (?:level \d+ )?(?P<value>[^\s\"']{4,256})[ \t\r]*(?=\n|\Z)", "", "command", unless=_is_word)),
    (('"keyname',), _place(
        r"""(?i)"keyname\\{0,4}":\s{0,4}\\{0,4}"\w{1,64}\\{0,4}"[^{}]{0,200}?"value\\{0,4}":\s{0,4}\\{0,4}"(?P<value>[A-Za-z0-9+/]{40,128}={0,2})""", "azure-storage", "name")),
    (("input_value=",), _rejected),
    (("basic_auth ", "basic_auth! ", "digest_auth "), _place(
        r"(?:basic|digest)_auth!? [\"'][^\"'\n]{1,64}[\"'], ?[\"'](?P<value>[^\"'\n]{3,128})[\"']", "", "name", unless=_is_no_argument)),
    (("accounts: [", "accounts:[", 'accounts": [', "accounts = ["), _place(
        r"""accounts\\{0,4}"?\s?[:=]\s?\[\s{0,16}["'](?P<value>(?:0x)?[0-9a-fA-F]{64})["']""", "ethereum", "name")),
    (("keypair", "id.json", "wallet.json"), _place(
        r"(?i)[\w.]{7,11}[^\n\[]{0,60}\s{0,4}\[\s{0,8}(?P<value>(?:\d{1,3},\s{0,8}){63}\d{1,3})\s{0,8}\]", "solana", "name", unless=_is_no_bytes)),
    (("auth_pass ", "password 0 ", "password 7 ", "secret 0 ", "secret 5 ", "secret 7 ", "secret 8 ", "secret 9 ", "plain-text-password-value "), _place(
        r"(?:auth_pass|(?:password|secret) \d|plain-text-password-value)[ \t]+[\"']?(?P<value>[^\s\"']{3,256})", "", "command", unless=_is_word)),
    (("snmp-server community", "snmp community"), _place(r"[\w-]{4,11} community[ \t]+[\"']?(?P<value>[^\s\"']{3,128})", "snmp", "command", unless=_is_unlikely)),
    (("-setcookie ",), _place(r"-setcookie[ \t]+[\"']?(?P<value>[^\s\"']{6,256})", "", "command", unless=_is_word)),
    (("> auth ", "] auth ", '"auth ', "'auth ", "\nauth "), _place(
        r"(?:[>\]] |[\"'\n])AUTH (?:\w+ )?[\"']?(?P<value>[^\s\"']{6,512})[\"']?[ \t\r]*(?:\n|\Z)", "redis", "command", unless=_is_word)),
    (("hmac.new(", "createhmac(", "hexdigest(", "hash_hmac(", "hmac_sha256(", "new_from_slice(", "hmac256(", "hmac512(", "hmacshakeyfor(", "hmacsha256(",
      "hmacsha512(", "hmacsha1(", "secretkeyspec(", "from_secret(", "cookiestore(", "newcipher(", "cookieparser(", "securitykey(", "fernet(", "timedserializer(",
      "aes.encrypt(", "aes.decrypt(", "aesgcm(", "chacha20poly1305(", "signedstring(", "setsigningkey(", "secretbox("), _place(
        rf"(?i)[\w:]{{4,20}}(?:\.new)?\(\s{{0,4}}(?:(?:['\"]sha-?\d{{1,3}}['\"]|[\w.:]{{1,40}}),\s{{0,4}})?(?:new )?(?:[\w.:\[\]]{{2,40}}\()?b?['\"](?P<value>{_QUOTED})['\"]"
        r"(?:\.\w{4,12}\([\w.]{0,40}\))?\s{0,4}[,)]", "", "name", unless=_is_no_argument)),
    (("bcrypt.", "argon2.", "scrypt."), _place(
        rf"(?i)(?:bcrypt|argon2|scrypt)\.\w{{3,24}}\(\s{{0,4}}(?:\[\]byte\()?b?['\"](?P<value>{_QUOTED})['\"]", "", "name", unless=_is_no_argument)),
    (("oauth2(", "oauth2client(", "oauth2session("), _place(
        r"(?i)oauth2\w{0,8}\(\s{0,4}[^,()\n]{1,120},\s{0,4}['\"](?P<value>[\w.~-]{16,256})['\"]", "", "name", unless=_is_no_output)),
    (("hash_hmac(", "openssl_encrypt(", "openssl_decrypt("), _place(
        rf"\w{{9,15}}\(\s{{0,4}}[^,\n]{{1,80}},\s{{0,4}}[^,\n]{{1,80}},\s{{0,4}}['\"](?P<value>{_QUOTED})['\"]", "", "name", unless=_is_no_argument)),
    (("smtp.start(",), _place(rf"(?i)smtp\.start\((?:[^,()\n]{{1,80}},\s{{0,4}}){{4}}['\"](?P<value>{_QUOTED})['\"]", "", "name", unless=_is_no_argument)),
    (("userpwd", "curlopt_password"), _place(
        r"(?i)(?:userpwd\s{0,4}(?:,|=>?|:)\s{0,4}[\"'][^:\"'\n]{1,64}:|curlopt_password\s{0,4}(?:,|=>)\s{0,4}[\"'])(?P<value>[^\s\"'$]{3,256})[\"']", "", "name")),
    (("secretstring::", "secretstr(", "secretstring(", "secretbox::", "secret::new("), _place(
        rf"(?i)secret\w{{0,6}}(?:::\w{{3,6}})?\(\s{{0,4}}(?:\w{{3,8}}::\w{{3,8}}\()?['\"](?P<value>{_QUOTED})['\"]", "", "name", unless=_is_no_argument)),
    (("keys: ['", 'keys: ["', "keys: [\n"), _place(r"keys: \[\s{0,16}['\"](?P<value>[\w+/=-]{16,512})['\"]", "", "name", unless=_is_hex_or_place)),
    ((" with key ", " using key ", " key `"), _place(
        r"(?i) (?:(?:with|using) )?key (?!SHA256:)[\"'`]?(?P<value>[\w+/=-]{20,256})", "", "name", unless=lambda value: _is_hex_or_place(value) or is_uuid(value))),
    (("using credentials ", "with credentials "), _place(
        r"\w{4,5} credentials [\"'`]?[\w.@-]{2,64} ?[/:] ?[\"'`]?(?P<value>[^\s\"'`/:]{6,128})", "", "name", unless=_is_not_chosen)),
    ((", pass ", "(pass ", " and pass ", " / pass "), _place(r"[ ,(/a-z]{2,5} ?pass [\"'`]?(?P<value>[^\s\"'`(),;]{6,128})", "", "name", unless=_is_not_chosen)),
    (tuple(f"/{what}/" for what in ("reset", "reset-password", "password-reset", "reset_password", "verify", "verify-email", "confirm", "activate", "invite", "magic-link", "magic")), _place(
        r"/[\w-]{5,14}/(?P<value>[\w.~-]{20,512})(?=[\s\"'<>?)#]|\Z)", "", "url", unless=_is_no_output)),
    (("otp for ", "otp is ", "otp: ", "otp = "), _place(r"(?i)otp(?: for [^\n:]{1,40}?)?(?: is|:| =) {1,3}(?P<value>\d{4,8})(?![\w.:])", "otp", "name")),
    (("creds", "credentials"), _place(
        r"(?i)cred(?:ential)?s(?: are| is|[ \t]{0,4}[:=])[ \t]{0,4}[\"'`]?[\w.@-]{2,64}[\"'`]?[ \t]{0,2}[/:][ \t]{0,2}[\"'`]?(?P<value>[^\s\"'`]{5,128})", "", "name", unless=_is_unlikely)),
    (("requirepass", "masterauth"), _place(r"""\w{10,11}[\s"',]{1,8}(?P<value>[^\s"',]{3,512})""", "redis", "command")),
    (tuple(f"{quote}{name}{end}" for name in ("kty", "dp", "dq", "qi") for quote, end in (('"', '"'), ("'", "'"), ('"', "\\"))), _json_web_key),
    (("recovery code", "backup code", "scratch code", "recovery_code", "backup_code", "recovery-code", "backup-code"), _place(_CODES, "recovery-codes", "name")),
    (("acl {", "acl = {", 'acl": {', 'acl":{', "acl:\n"), _acl_tokens),
    (("initial_management", "agent_recovery", "agent_master", "config_file_service_registration"), _place(_TOKEN_OF_ACL, "consul", "name")),
    (("sendline(", "send_line(", ">send("), _sent_to_prompt),
    (tuple(f'" {option}' for option in ("rate_limit", "window_size", "totp_auth", "hotp_counter", "disallow_reuse")), _authenticator_file),
    (("nral",), _place(r"(?P<value>(?:[0-9a-f]{36}|[0-9a-f]{32}FFFF|[0-9a-f]{32}ffff|eu01xx[0-9a-zA-Z]{30})NRAL)(?!\w)", "new-relic", "format", before="0-9A-Za-z", unless=_never)),
    (("/hooks/",), _place(
        r"/hooks/(?P<value>(?=[a-z]{0,25}\d)[a-z0-9]{26}|[A-Za-z0-9]{17,24}/[A-Za-z0-9]{40,64})(?![\w/-])", "webhook", "format")),
    (("key created", "token created", "secret created", "key generated", "token generated", "secret generated", "copy it now", "copy this", "able to see it again",
      "able to see this", "be shown again", "shown only once", "only be shown once", "only time", "be displayed again"), _place(
        r"[^\n]{4,240}\n(?:[ \t]*\r?\n){0,3}[ \t>|$]{0,16}[\"'`]?(?P<value>[^\s\"'`]{16,512})[\"'`]?[ \t|]*(?:\r?\n|\Z)", "", "command", unless=_is_no_output)),
    (("#httponly_", "\ttrue\t/", "\tfalse\t/"), _place(
        r"(?i)(?:#HttpOnly_[\w.-]{1,128})?[ \t]{1,8}(?:TRUE|FALSE)[ \t]{1,8}/[^\s]{0,128}[ \t]{1,8}(?:TRUE|FALSE)[ \t]{1,8}\d{1,12}[ \t]{1,8}(?!_g|__utm|_fb|consent)[^\s]{1,64}[ \t]{1,8}(?P<value>[^\s]{8,4096})",
        "cookie", "header", unless=_is_no_session)),
    (tuple(f"{name}{end}" for name in ("rocommunity", "rwcommunity", "rocommunity6", "rwcommunity6", "trapcommunity") for end in " \t"), _place(
        r"(?i)(?:r[ow]community6?|trapcommunity)[ \t]{1,8}[\"']?(?P<value>[^\s\"'#]{3,128})", "snmp", "command")),
    (("authcommunity ",), _place(r"(?i)authcommunity +[\w,]{3,40} +(?P<value>[^\s\"'#]{3,128})", "snmp", "command")),
    (tuple(f"com2sec{of}{end}" for of in ("", "6", "unix") for end in " \t"), _place(
        r"(?i)com2sec(?:6|unix)?(?:[ \t]+-Cn[ \t]+[^\s]{1,64})?(?:[ \t]+[^\s#]{1,64}){2}[ \t]+[\"']?(?P<value>[^\s\"'#]{3,128})", "snmp", "command")),
    (tuple(f"{name}{end}" for name in ("trapsink", "trap2sink", "informsink") for end in " \t"), _place(
        r"(?i)(?:trap2?|inform)sink[ \t]+[^\s]{2,128}[ \t]+(?P<value>[^\s\"'#-][^\s\"'#]{2,128})", "snmp", "command", unless=_is_no_password)),
    (("createuser ",), _place(rf"{_USER_OF_SNMP} +[\"']?(?P<value>[^\s\"']{{6,128}})", "snmp", "command")),
    (("createuser ",), _place(rf"{_USER_OF_SNMP} +[^\s]{{6,130}} +(?:DES|AES)[\w-]{{0,4}} +[\"']?(?P<value>[^\s\"']{{6,128}})", "snmp", "command")),
    (("\nkey ", "key hmac-", "-y hmac-", "nsupdate -y ", "dig -y "), _place(
        r"(?:\s?key |[\w ]{0,9}-y )(?:hmac-[\w-]{3,16}:)?\"?[\w.-]{1,128}\"?[ :](?P<value>[A-Za-z0-9+/]{16,128}={0,2})(?=\s|\Z)", "tsig", "command", unless=_is_no_output)),
    ((" /rp ", " -rp ", " /ap ", "--defaultpassword "), _place(r" --?\w{2,15} [\"']?(?P<value>[^\s\"';|&-][^\s\"';|&]{3,128})| /[ra]p [\"']?(?P<slash>[^\s\"';|&/*][^\s\"';|&]{3,128})", "", "command", unless=_is_unlikely)),
    (("rasdial ",), _place(r"(?i)rasdial +(?:\"[^\"\n]{1,64}\"|[^\s\"/]{1,64}) +[^\s/]{1,64} +[\"']?(?P<value>[^\s\"'/*][^\s\"']{3,128})", "", "command", unless=_is_unlikely)),
    (("radtest ",), _place(
        r"radtest +(?:-\w(?: +\w{1,8})? +){0,4}[\"']?[^\s\"']{1,64}[\"']? +[\"']?(?P<value>[^\s\"';|&<>]{2,128})[\"']? +[\w.:\[\]-]{3,128}(?: +\d{1,5})?(?:\s|\Z)", "radius", "command")),
    (("radtest ",), _radius_secret),
    (("mosquitto_pub ", "mosquitto_sub ", "mosquitto_rr ", "evil-winrm ", "netexec ", "crackmapexec ", "nxc ", "beeline "), _place(_option("-[pP] ?"), "", "command", unless=_is_unlikely)),
    (("ldappasswd ",), _place(_option("-[wsa] ?"), "", "command", unless=_is_no_password)),
    (("swaks ", "sendemail "), _place(_option("(?:-ap|-xp|--auth-password)[ =]?"), "", "command", unless=_is_no_password)),
    (("isql ",), _place(r"isql +(?:-\w+ +)?[\w.-]{1,64} +[\w.-]{1,64} +[\"']?(?P<value>[^\s\"';|&-][^\s\"';|&]{3,128})", "", "command", unless=_is_unlikely)),
    (("nickserv ", "nickserv:", "nickserv@", "chanserv ", "chanserv:", "chanserv@", "identify "), _place(
        r"(?i)(?:(?:nick|chan)serv[\w.@]{0,64}(?: |:|: | :){1,2})?(?:IDENTIFY|REGISTER|GHOST|RECOVER|RELEASE|REGAIN)(?:(?<!REGISTER) [\w\[\]`^{}|#-]{1,32}(?= +[^\s]))? +(?P<value>[^\s\"']{5,128})", "irc", "command", unless=_is_unlikely)),
    (("oper ",), _place(r"(?:(?<=[\s/>:])|\A)(?:OPER|oper) [\w.-]{1,32} (?P<value>[^\s\"']{5,128})[ \t\r]*(?=\n|\Z)", "irc", "command", unless=_is_no_argument)),
    (("> pass ", "] pass ", ": pass ", "< pass "), _place(r"[>\]:<] PASS :?(?P<value>[^\s\"']{5,128})[ \t\r]*(?=\n|\Z)", "", "command", unless=_is_no_argument)),
    ((*(f"{of} pass{what}" for of in ("one-time", "one time", "onetime") for what in ("word", "code")), *(f"{of} {what}" for of in ("2fa", "mfa", "sms", "two-factor", "verification", "login", "security", "sign-in", "signin", "confirmation", "authentication", "one-time", "otp", "access", "activation")
           for what in ("code", "pin"))), _place(
        r"(?i)[\w-]{3,14} (?:time )?(?:code|pin|password|passcode)(?: for [^\n:]{1,40}?)?(?:[\"']?[ \t]{0,4}(?:[:=]|is|are|->)[:]?[ \t]{0,4}[\"'`*]{0,2}(?P<value>(?:[A-Z]-)?\d{4,8}|\d{3}[ -]\d{3})|[ \t][\"'`*]{0,2}(?P<bare>\d{6}))(?![\w%/-]|[.,:]\d)",
        "otp", "name")),
    (("psk=", "passphrase="), _place(r"(?i)(?:psk|passphrase)=(?P<value>[a-z]{2,16}(?: [a-z]{2,16}){1,9})[ \t\r]*(?=\n|\Z)", "", "name")),
    (("contribsys.com",), _place(
        r"[^\s\"']{0,20}?(?P<value>[0-9a-f]{8}:[0-9a-f]{8})@[\w.]*", "sidekiq", "format", before=r"\w:@./", unless=_never)),
    (("unseal key",), _place(r"(?i)unseal key[ \w]{0,8}: ?(?P<value>[\w+/=.]{16,128})", "vault", "name")),
    ((":5432:", ":5433:", ":6432:", ":3306:", ":*:"), _place(
        r"(?m)[^\s:#]{1,200}:(?:\d{2,5}|\*):[^\s:]{1,64}:[^\s:]{1,64}:(?P<value>[^\s:][^\n]{0,128}?)[ \t]*$",
        "pgpass", "name", before=r"^\s#")),
    (("aws",), _place(
        r"""(?i)aws[^\r\n"']{0,40}["'](?P<value>[0-9a-z/+]{40})(?=["'])""", "aws", "name")),
    (("accountkey=", "sharedaccesskey=", "sharedsecret="), _place(
        r"(?i)\w{6,20}=(?P<value>[A-Za-z0-9+/]{20,100}={0,2})", "azure", "name")),
)
# fmt: on

# end of module
