"""Secrets behind names that say so: assignments, flags, arguments, pairs of JSON and XML, and sentences.

Owns how readily a name says it, and what the value may look like. Does not own which names do
(``redaction.secret_names``) and whether a value is random (``redaction.randomness``). Pure; each look reaches a bounded number of signs.
"""

from __future__ import annotations

from functools import lru_cache

from operators_edge.redaction.finding import LEAD, Finding
from operators_edge.redaction.randomness import (
    has_digit,
    is_chosen,
    is_code,
    is_hex,
    is_mail,
    is_memorable,
    is_place,
    is_placeholder,
    is_public_key,
    is_random,
    is_uuid,
    parts_of,
    randomness,
)
from operators_edge.redaction.scanner import pattern, run_before
from operators_edge.redaction.secret_names import PASSWORDS, TELLING
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

_REST = ("ords?", "ort", "rd", "d", "s")
"""How a telling part of a name may go on: ``passw-ord``, ``pwd-s``."""

_AFTER = (
    rf"""(?P<rest>(?:(?i:{"|".join(_REST)})(?![a-z]))?"""
    r"""(?![a-z]|\.(?!key\b)[a-z]{1,4}\b(?![ \t]*=))[\w.$-]{0,24}+)(?P<close>\\{0,4}(?:["'`]|&quot;|\*\*)?(?::(?:"?[\w\\]{1,60}"?:)?(?:protected|private)(?=\]))?\]?)(?:\[\d{0,4}\](?=[ \t]*=))?(?=[\s:=?|<>,(){!→➜⇒│┃;])(?!::(?![=\s]))(?:[ \t]{1,2}(?:string|[Aa]s (?:New )?[A-Za-z][\w.]{0,40})(?=[ \t]*=))?(?:[ \t]\([^()\n]{1,40}\)(?=[:=]))?"""
    r"""(?:[ \t]{0,4}:[ \t]{0,4}&?(?:'\w+ )?[A-Za-z][\w<>|\[\]]{0,30}[ \t]{0,4}(?==(?!=)))?"""  # a type
    r"""(?:(?P<block>(?:[ \t]"[\w-]{1,40}")?[ \t]{0,4}[:=]?[ \t]{0,4}\{[^{}]{0,120}?\b(?:default|value|result|S|string_?[vV]alue|string|text)\b\\{0,4}"?\s{0,8}[:=]\s{0,8})"""
    r"""|(?P<parameter>:[ \t]*\r?\n(?:[ \t]{1,24}(?:[Tt]ype|[Dd]escription|NoEcho|M(?:in|ax)Length|AllowedPattern|format|required|sensitive|secure): [^\n]{0,160}\n){1,6}[ \t]{1,24}[Dd]efault:[ \t]{1,4})"""
    r"""|(?P<op>[ \t]{0,40}+(?:=>|:{1,3}=|[.+]=|::(?=[ \t])|\?=|\|\|=|={1,3}|\|\||\?\?|[|│┃](?=[ \t]|[\w+/=-]{20})|(?:(?<=[ \t])-|>>)(?=[ \t]{1,2}[\w+/=.-]{20})|[→➜⇒\u2013\u2014]|REG_[A-Z_]{2,12}(?=[ \t])|\)[ \t]{1,3}(?:or|\|\||\?\?|\?:)(?=[ \t]+["'])|\)\.unwrap_or(?:_else)?\((?:\|_?\|[ \t]?)?(?=["'S])|,[ \t]{0,4}(?:\{ ?)?(?:default|fallback)(?:_?[vV]alue)?[ \t]?[:=](?=[ \t]?["'`])|;s:\d{1,5}:(?=\\{0,4}")|:(?!:|//|</)\*{0,2}|\?(?=[ \t]{1,4}(?=[^\s]{0,512}\d)[^\s?]{8,512}[ \t\r]*(?:\n|\Z))|!==?|<-)[ \t]{0,40}+\s{0,8}+(?:(?<=\s)- {1,4}|(?:&[\w-]{1,40}|!!str)[ \t]{1,4}|string\(\d{1,6}\) (?=["'])"""
    rf"""|(?:[|>][+-]?\d?|<<[-~]?["']?\w{{1,20}}["']?)[ \t]{{0,4}}\r?\n{LEAD}[ \t]{{0,40}})?)"""
    rf"""|(?P<pair>\s{{0,8}}+["']?,?\s{{0,40}}+{LEAD}\s{{0,40}}+"""
    r"""(?:(?:["'](?:Type|slotSetting|sensitive|secure|protected|masked|variable_type)["']:\s{0,4}(?:["']\w{1,20}["']|true|false|null),\s{0,40}){1,3}|(?:[a-z-]{1,16}=["'][\w -]{0,40}["'] {1,4}){1,3}(?=value=|content=))?["']?(?i:(?:parameter|option|setting|config|variable|field)?[-_]?val(?:ue)?|default|content|data)["']?[ \t]{0,40}[:=|]\s{0,4}"""
    r"""|:?</(?:t[dh]|dt|b|strong|label|span|div|p)>:?(?:[ \t]{1,4}(?!<)|\s{0,8}<(?:td|dd|span|code|div|b|strong|p)(?:[ \t][^<>\n]{0,120})?>\s{0,8}(?:<(?:code|b|strong)>)?)"""
    r"""|(?:</\w{0,16}(?i:key|name)>|(?:[ \t][\w-]{1,24}="[^"\n]{0,40}"){0,3}>)\s{0,40}+"""
    rf"""{LEAD}\s{{0,40}}+<\w{{0,16}}(?i:string|value)>|</\w{{1,24}}>\s{{0,40}}<\w{{1,24}} name="[\w.-]{{0,40}}[vV]alue">)"""
    r"""|(?P<comma>,[ \t]{0,24}+(?=[bfru]?["'`\\]|<<"))|(?P<call>\((?=["'`]))|(?P<brace>\{(?=[bfru]?["'`])|[ \t]\{[ \t]{0,2}(?=["']))|(?P<tag>(?:[ \t][\w:-]{1,24}=(?:"[^"<>\n]{0,120}"|'[^'<>\n]{0,120}')){0,3}>(?:<!\[CDATA\[|[ \t]{0,8}+\r?\n[ \t]{0,40}+(?!<))?)"""
    r"""|(?P<space>[ \t]++))"""
    r"""(?:(?:[\[({]|(?=[\w.:\[\]]{2,64}+\(\s{0,4}+(?:default[ ]?=[ ]?)?[bfru]?["'`\\])(?:(?:Field|config|env|attr\.ib|Var)(?=\(default)|\[\]byte|[\w.]{0,40}[Gg]et_?[Bb]ytes|Buffer\.from|Some|String::from|bytes|SecretStr|(?i:[\w.]{0,24}(?:md5|sha\d{0,3}|crypt|hash|hashpw|encrypt))|[\w.]{0,20}[Bb](?:ase)?64\w{0,20})\((?:default[ ]?=[ ]?)?)"""
    r"""\s{0,4}+(?=[bfru]?["'`\\]))?(?:<<(?="))?"""
)

# A value is triple-quoted, double-quoted, single-quoted, quoted in backticks or inside a quoted text, or bare. A bare one
# ends at white space, at a closing sign that ends a word, and at `&name=` of a query.
_VALUE = (
    r"""(?:[bfru@]?(?:\"{3}|'{3})\s{0,40}(?P<triple>[^"'\r\n]{1,512}+)|[bfru@]?"(?P<double>(?:[^"\\\r\n]{1,512}+|\\[^\r\n]){0,8}+)|[bfruN]?'(?P<single>[^'\r\n]{0,2048}+)"""
    r"""|`(?P<tick>[^`\r\n]{0,2048}+)"""
    r"""|(?P<slashes>\\+)["'](?P<escaped>(?:[^"\\\r\n]{1,512}+|(?!(?P=slashes)["'])\\{1,16}+[^\r\n]){0,8}+)"""
    r"""|(?P<bare>[a-z]{4}(?: [a-z]{4}){3}(?![\w ])|(?:[^\s"'`&,;)}\]\\<>]{1,512}+|(?!<(?:br|hr|p|td|dd|li|div|span)\b)[)}\]<>](?=[^\s"'`\\<>/])(?!\]>)|[,;](?=[^\s"'`\\<>/])(?![\w .-]{1,40}[=:])|&(?![\w.-]{1,40}=)(?!quot;|\#|amp;)"""
    r"""|\\(?!["'nrt])){1,8}+))"""
)
_QUOTE = r"""[bfru@]?"|[bfruN]?'|`|\\+["']"""
"""How a value begins that is not bare."""

_DULL_NUMBER = r"\d{1,3}\b(?![\w.]|-\w|[+/][\w+/=]{12}|[!@#$^]{1,4}\w|[?%*](?=[^\s\"',;]{5})[^\s\"',;]{0,40}?[A-Za-z])|\d{4}\b(?=[\s,}\]]*[\n\"}])"

# fmt: off
_DULL_TAILS = frozenset(
    (
        "name names ref refs path paths file files filename dir type types len length count counts size sizes url urls uri "
        "uris endpoint ttl timeout provider manager store service class field label hint prompt regex pattern format env "
        "var header param params parameter parameters column index version algorithm alg enabled required rotation "
        "strength reset limit usage budget rule rules error message msg title description status state at in on by is "
        "less source mode scheme method issuer audience scope host port user username email region bucket ring arn group "
        "reader writer factory handler helper input box word words s expiry expires expiration policy policies hasher hashers "
        "validator validators backend backends placement encryption prefix suffix accessor lifetime duration interval delay "
        "seconds minutes hours days age markup info"
    ).split()
)
"""Last words of names that say something about a secret."""

_DULL_HEADS = frozenset(
    (
        "continue public pub publishable site socket cache primary foreign sort partition idempotency num max min total count of has is no get next prev "
        "previous page continuation sync cursor row map dict hash object s3 group unique index lookup order composite "
        "routing event restore prompt completion input output reserved context used hot short arrow enter mon tur don "
        "hoc joc whis translation i18n locale message metric feature config registry parent dedup dedupe fetch non any "
        "all each first last shift issue project dispatch query react list state storage field column table search "
        "cancel cancellation jsonweb"
    ).split()
)
"""Words before the telling one of names that are not about secrets."""

_DULL_PASSWORDS = frozenset(
    (
        "has is no ask reset forgot forgotten change show hide confirm require requires required min max check verify validate"
    ).split()
)
_SETTINGS = ("config.", "Config.")
"""What a setting is an attribute of, which says nothing of it."""
_IDS = frozenset(
    "id ids uuid guid hash sha sha1 sha256 digest checksum fingerprint thumbprint commit md5".split()
)
# fmt: on


@lru_cache(maxsize=1024)
def _last_word(name: str) -> str:
    """Of a name's parts in lower case: `name` of `secretName`, `max` of `max_`; none of what is before a query's."""
    name = name[max(name.rfind("?"), name.rfind("&")) + 1 :]
    words = pattern(r"[A-Z]?[a-z]+\d*|[A-Z]+(?![a-z])\d*|\d+").findall(name[-24:])
    return words[-1].lower() if words else ""


class _Named(NamedTuple):
    """A value, and what is known of the name and of the way from it to the value."""

    value: str
    before: str
    word: str
    """The telling part, in lower case."""
    rest: str
    name: str
    is_quoted: bool
    is_tight: bool
    """Nothing stands around the sign, or the name is a flag."""
    is_sure: bool
    """A sign stands between, or the name is a flag."""
    is_login: bool
    """A user's name stands before it."""
    above: str
    """The lines before the name."""

    @property
    def is_password(self) -> bool:
        if self.word == "pass":
            is_told = (self.is_quoted or self.is_tight) and is_memorable(self.value)
            is_likely = self.before != "" or self.is_login or is_chosen(self.value) or is_told
            is_other = self.rest != "" or self.before.lower().endswith(_BEFORE_PASS)
            return is_likely and not is_other
        if self.word == "pw":
            is_upper = self.name[len(self.before) :].startswith("PW")
            is_whole = not self.before[-1:].isalpha() or is_upper
            return self.rest == "" and is_whole and has_digit(self.value)
        if self.word == "psk":
            return len(self.value) >= _SHORTEST_PSK
        return self.word.startswith(PASSWORDS)


_PROSE = r" [a-z]+ [A-Za-z]+"
"""How a sentence goes on."""

_BEFORE_PASS = ("by", "com", "tres", "sur", "under", "over", "first", "last")


def telling(text: str, at: int, end: int) -> Iterable[Finding]:
    """``NAME=VALUE`` in its spellings, where a part of the name says secret."""
    return _found(text, at, end, _is_secret)


REFUSED = frozenset("abcdefghijklmnopqrstuvwxyz").difference(each[0] for each in _REST)
"""What does not follow a telling part of a name: another word begins so."""


def weak(text: str, at: int, end: int) -> Iterable[Finding]:
    """The same for names that many harmless things have, too; the word begins or ends with a sign."""
    at += not text[at].isalnum()
    end = at + len(text[at:end].rstrip("=:\"' \n]>\\)&").removesuffix("&quot"))
    return _found(text, at, end, _is_weakly_secret)


_REST_OF_MAIL = r"@[a-z0-9-]{1,63}\."

_REACH = 48
"""Signs of a name that are read before the word."""


def _found(text: str, at: int, end: int, is_secret: Callable[[_Named], bool]) -> Iterable[Finding]:
    after = pattern(_AFTER).match(text, end)
    if after is None or _is_dull(text, at, end, after):
        return ()
    before = run_before(r"\w.$/?&-", text, at, _REACH)
    if after.lastgroup == "space" and not before.startswith("-"):
        is_upper = f"{before}{text[at:end]}{after['rest']}".isupper()
        is_set = is_upper and (_is_cell(text, after) or _is_set(text, at - len(before)))
        if not is_set and not _is_macro(text, at, after):
            return _spoken(text, at, after)
    return _behind(text, at, before, after, is_secret)


def _is_set(text: str, begin: int) -> bool:
    """Whether a name begins there that a Dockerfile gives a value, or ``docker history`` shows with one."""
    return text[begin - 4 : begin] in {"ENV ", "ARG "} and text[begin - 5 : begin - 4] in "\n "


def _behind(
    text: str, at: int, before: str, after: re.Match[str], is_secret: Callable[[_Named], bool]
) -> Iterator[Finding]:
    how, op, rest = after.lastgroup, after["op"] or "", after["rest"]
    begin, end = at - len(before), after.start()
    if _is_no_name(text[begin - 1 : end], after) or _is_open(text, begin, after):
        return
    word, name = text[at:end].lower(), f"{before}{text[at:end]}{rest}"
    if how == "brace" and after["brace"] != "{" and not word.startswith(PASSWORDS):
        return
    is_upper = name.isupper()
    is_bare = pattern(_QUOTE).match(text, after.end()) is None
    if not is_bare and _is_dull_name(before, word, rest, is_upper=is_upper):
        return
    found = pattern(_VALUE).match(text, after.end())
    if found is None:
        return
    group = found.lastgroup or "bare"
    value, begin = found[group], found.start(group)
    is_called = is_bare and text.startswith("(", found.end())
    is_closing = not is_bare and (
        (value[:1] in " \t" and text[found.end() : found.end() + 1] != found[0][:1])
        or (value[:1] == ")" and "(" in value)
    )
    if not value or is_called or is_closing or (is_bare and _is_no_value(value, after)):
        return
    is_flag = before.startswith("-") or (before.startswith("/") and how != "space")
    is_tight = is_flag or (how == "op" and op == op.strip())
    is_defined = is_upper and word.startswith((*PASSWORDS, "pass"))
    is_compared = "==" in op or "!" in op or op.strip() in _UNSURE
    is_sure = not is_compared and (
        is_defined or how not in {"call", "comma"} or after.group().endswith("<<")
    )
    is_inside = how == "comma" or after.group().rstrip()[-1:] == "{"
    if is_inside and pattern(_KEY_OF_TABLE).match(text, found.end()):
        return
    if not is_bare and pattern(_ALTERNATIVE).match(text, found.end()):
        return
    is_login = word == "pass" and bool(pattern(_LOGIN).search(text, max(0, at - 80), at))
    given = _Named(
        value.strip(),
        before,
        word,
        rest,
        name,
        not is_bare,
        is_tight,
        is_sure,
        is_login,
        text[max(0, at - len(before) - _ABOVE) : at - len(before)],
    )
    is_found = (
        bool(given.value)
        and is_secret(given)
        and not is_placeholder(given.value)
        and not _is_text(given, is_listed=how == "comma")
    )
    if is_found:
        yield Finding(begin, begin + len(value), "", "name")
    elif is_bare and len(value) > _LONG:
        yield Finding(begin, begin + len(value), "", "")
    yield from _changed(text, begin + len(value), given, is_sure=is_found)


_ABOVE = 240
_UNSURE = frozenset(("|", "-", ">>", "\u2013", "\u2014"))
"""Signs that stand between words of a sentence, too."""


def _is_open(text: str, begin: int, after: re.Match[str]) -> bool:
    """Whether what is before a name makes it one of two values, a filter of a template or a gap."""
    near, op = max(0, begin - 8), (after["op"] or "").strip()
    if op == ":":
        return pattern(_CHOICE).search(text, near, begin) is not None
    if op == "|":
        return pattern(_TEMPLATE).search(text, max(0, begin - 80), begin) is not None
    return (
        after.lastgroup == "tag"
        and pattern(_GAP).search(text, near, begin) is not None
        and text.find("</", after.end(), after.end() + _LONG) < 0
    )


def _is_text(given: _Named, *, is_listed: bool) -> bool:
    """A label that people read, or a constant in a list of some."""
    if pattern(_LABEL).search(given.above) and given.value.isalpha():
        return True
    is_constant = given.value.isupper() and not any(map(str.isdigit, given.value))
    return is_listed and is_constant and given.name.isupper() and given.above[-2:-1] != "("


def _is_dull(text: str, at: int, end: int, after: re.Match[str]) -> bool:
    """A small number behind it; or a word of prose, which is no flag and does not end there."""
    is_prose = after.lastgroup == "space" and after["rest"].lower() not in _WHOLE
    if (
        is_prose
        and text[at:end].islower()
        and text.find("-", at - _REACH if at > _REACH else 0, at) < 0
    ):
        return True
    first = text[after.end() : after.end() + 1]
    return first.isdigit() and pattern(_DULL_NUMBER).match(text, after.end()) is not None


def _is_no_name(name: str, after: re.Match[str]) -> bool:
    """A word of code in HTML, a selector of CSS, or one of a list; the name with the sign before it."""
    close, how = after["close"], after.lastgroup
    if how == "tag":  # ``<name>``, ``<x:name>`` or ``<x name="NAME">``
        is_tag = close[-1] in "\"'" if close else name[:1] in {"<", ":"}
        return not is_tag or (name[1:] == "code" and not close)
    if how == "comma":
        return not close.lstrip("\\") and name[:1] not in {":", "{"}
    if after["op"] == ":" and (name[:1] == ":" or name[1:2] == "."):
        return True  # a part of a reference, as in ``arn:aws:...:secret:name``, or a class of a style sheet
    if after["op"] == ":" and pattern(_OF_FILE).search(after["rest"]):
        return True  # a line of it, as ``grep -n`` shows one
    if name[:1] == "{" and after["op"] == ":" and after.string.startswith("?", after.end()):
        return True  # ``${NAME:?message}``
    return close.endswith("]") and after["op"] == ":"


_OF_FILE = r"\.(?:py|rb|js|ts|tsx|jsx|go|java|kt|rs|cs?|cpp|h|php|swift|md|txt|ya?ml|json|toml|html?|css)\Z"


def _is_no_value(value: str, after: re.Match[str]) -> bool:
    """The rest of a comparison, another option, a sentence, or what the next line begins with."""
    is_below = "\n" in (after["op"] or "") and (
        value.endswith(":") or value in {"-", "|", ">"} or _is_other_name(value)
    )
    is_word = after.lastgroup == "space" and value.isalpha() and value.islower()
    is_prose = is_word and pattern(_PROSE).match(after.string, after.end() + len(value)) is not None
    is_option = after.lastgroup == "space" and value[0] == "-"
    return value[0] == "=" or is_below or is_prose or is_option


def _is_other_name(value: str) -> bool:
    """``db.url=...`` on the line below a name that was given nothing."""
    name, sign, _ = value.partition("=")
    return bool(sign) and pattern(r"[A-Za-z_][\w.-]*").fullmatch(name) is not None and is_code(name)


def _is_cell(text: str, after: re.Match[str]) -> bool:
    """Whether a value in quotes follows, or one that ends its line behind a column of names."""
    is_quoted = text[after.end() : after.end() + 1] in "\"'"
    return is_quoted or pattern(_CELL).match(text, after.start("space")) is not None


def _is_macro(text: str, at: int, after: re.Match[str]) -> bool:
    """``#define NAME "VALUE"``."""
    is_quoted = text[after.end() : after.end() + 2].lstrip("@")[:1] == '"'
    return is_quoted and pattern(_MACRO).search(text, max(0, at - 64), at) is not None


_MACRO = r"#[ \t]?define[ \t]{1,8}\w{0,40}\Z"


def _changed(text: str, end: int, given: _Named, *, is_sure: bool) -> Iterator[Finding]:
    """What a plan shows behind the value of today."""
    found = pattern(_CHANGED).match(text, end) if given.is_quoted else None
    if found is None or is_placeholder(found["value"]):
        return
    if is_sure or not _is_about(given):
        yield Finding(*found.span("value"), "", "name")


_LABEL = r"\$\w{0,12}(?:labels?|lang|messages?|strings|texts)\[[\"']\w{0,12}\Z"
"""What stands before the name of a text for people."""
_CHOICE = r"\?[ \t]{0,4}[\"']\Z"
"""What stands before the first of two values: ``is_named ? "token" : "word"``."""
_GAP = r"[=:][ \t]{0,4}[\"']?<\Z"
"""What stands before a name that is a gap to be filled in: ``token = <your-token>``."""
_TEMPLATE = r"\{\{[^{}\n]{0,80}\Z"
_CHANGED = r"""\\{0,4}["'][ \t]{1,4}->[ \t]{1,4}\\{0,4}["'](?P<value>[^"'\\\s]{3,2048})"""

_KEY_OF_TABLE = r"""\\{0,4}["'`]?\s{0,4}(?::|=>)"""
_LOGIN = r"(?i)\b(?:user(?:name)?|login|usr|uid)\\{0,4}[\"']?[ \t]{0,4}[=:][^\n]{0,60}\n?[ \t]{0,40}[\"']?\Z"

_CELL = r"(?:[ \t]{2,}|\t)(?!\()(?=[^\s]{0,512}\d)[^\s\"']{4,512}[ \t\r]*(?:\n|\Z)"

_LONG = 256
"""A bare value without a secret is not read again from each of its signs on."""


_SPOKEN = (
    r"""[ \t]{0,40}+["'`(\[:]{0,2}(?:(?:is|was|are|of|for|the|value|key|to|as|with|in|on|using|used|issued|rejected"""
    r"""|accepted|=|:|->|revoked|leaked|expired|invalid|provided|found|entered|you|we|that|want|need|have|got|[\w-]{1,16}:)[ \t]{1,4}+){0,4}"""
    r"""["'`(\[]?(?P<value>[\w+/=.~][\w+/=.~-]{11,511})"""
)
_BELOW = r"[^\n:]{0,80}:[ \t\r]*(?:\n\s{0,40}| )(?P<value>[^\s]{16,512})[ \t\r]*(?:\n|\Z)"
"""A value that ends the line, or on a line of its own below what says so."""

_KEYWORD = r"[ \t]{1,8}(?P<value>[^\s=:\"'()]{6,128})(?:\)|[ \t\r]*(?:\n|\Z))|[ \t]{2,40}(?P<cell>[^\s=:\"'(][^\s\"']{5,127})[ \t\r]*(?:\n|\Z)"
"""A line of a configuration that has no sign between, when the name is its first word."""

_FIRST = r"(?:\n|\A|\()[ \t-]{0,40}(?:[\w-]{1,24}:\w{0,16}|\w{1,20}[_-])?\Z"

_BARE = r"[ \t](?P<value>[^\s\"'`()<>{}\[\]=,;:/\\]{7,64})(?=[\s.,;:)\"'\\]|\Z)"

_COLOURED = r"[ \t](?:[a-z]{2,8}[ \t])?\x1b\[[\d;]{1,12}m(?P<value>[^\s\x1b]{8,128})\x1b\["
"""A value that alone is coloured in its sentence."""

_TELLING = frozenset(TELLING)
_WHOLE = frozenset({"", "ord", "word", "d", "wd"})
_CHOSEN = r"""[ \t](?:(?:is|was|=|:|->)[ \t]{1,4}["'`]?|(?:to[ \t])?["'`](?=[^\s"'`]{6,128}["'`]))(?P<value>[^\s"'`]{6,128})"""


def _spoken(text: str, at: int, after: re.Match[str]) -> Iterator[Finding]:
    """``the token abc...``: no sign between a name and what has to be clearly random."""
    if after["rest"].lower().rstrip("123") not in _WHOLE:
        return
    word = text[at : after.start("rest")].lower()
    found = pattern(_COLOURED).match(text, after.start("space"))
    if found is not None and has_digit(found["value"]) and not is_place(found["value"]):
        yield Finding(*found.span("value"), "", "name")
        return
    if word.startswith(PASSWORDS):
        found = pattern(_CHOSEN).match(text, after.start("space"))
        value = found["value"].rstrip(".,;:)") if found else ""
        if found is not None and is_stated(value, has_digit):
            yield Finding(found.start("value"), found.start("value") + len(value), "", "name")
            return
        found = pattern(_KEYWORD).match(text, after.start("space"))
        is_first = pattern(_FIRST).search(text, max(0, at - 60), at) is not None
        group = found.lastgroup or "" if found else ""
        is_likely = has_digit if group == "value" else _is_likely_cell
        if found is not None and is_first and is_stated(found[group], is_likely):
            yield Finding(*found.span(group), "", "name")
            return
        found = pattern(_BARE).match(text, after.start("space"))
        value = found["value"].rstrip(".,;:)") if found else ""
        is_likely = is_memorable if is_memorable(value) else is_chosen
        if found is not None and sum(map(str.isdigit, value)) > 1 and is_stated(value, is_likely):
            yield Finding(found.start("value"), found.start("value") + len(value), "", "name")
            return
    found = pattern(_BELOW).match(text, after.start("space"))
    if found is not None and is_stated(found["value"], is_random):
        yield Finding(*found.span("value"), "", "name")
        return
    is_so = (
        word in _TELLING
        or text.endswith("sec_", 0, at)
        or (word == "key" and text.startswith("KEY", at))
    )
    found = pattern(_SPOKEN).match(text, after.start("space")) if is_so else None
    if found is None:
        return
    value = found["value"] if found["value"].endswith("=") else found["value"].rstrip(".")
    rest = pattern(_REST_OF_MAIL).match(text, found.end())
    if is_random(value, least=12) and not is_place(value) and not rest:
        yield Finding(found.start("value"), found.start("value") + len(value), "", "name")


def _is_likely_cell(value: str) -> bool:
    return has_digit(value) or is_random(value, least=10)


def is_stated(value: str, is_likely: Callable[[str], bool]) -> bool:
    """Whether a value that only a sentence tells of is likely enough."""
    is_key = is_hex(value) and len(value) >= 32
    is_dull = is_placeholder(value) or is_place(value) or is_mail(value)
    return (is_likely(value) or is_key) and not is_dull


_ALTERNATIVE = r"[\"']\s*\|\s*[\"']"
"""Behind one of the texts that a type allows."""
_DRAWN = r"#(?:[0-9a-fA-F]{3,4}){1,2}|-?\d*\.?\d+(?:px|r?em|[sdl]?v[hw]|pt|ch|ex|fr|deg|turn|m?s|%)|(?:\d{1,5}[smhdwy]){1,4}"
"""A colour, a length, an angle or a time."""
_COMMIT = 7
"""Digits of the short name of a commit."""


def _is_secret(given: _Named) -> bool:
    value = given.value
    is_drawn = pattern(_DRAWN).fullmatch(value) or (is_hex(value) and len(value) == _COMMIT)
    if (is_drawn and not given.is_password) or is_public_key(value):
        return False
    if _is_about(given) or (is_place(value) and not (given.is_password and "/" not in value)):
        return False
    if " " in value:
        return given.is_sure and _is_phrase(given)
    if _is_same(given.name, value):
        return False
    if len(given.rest) > _LONGEST_REST and not is_random(value):
        return False
    if _last_word(given.rest) in _IDS:
        return (
            given.is_sure
            and given.word != "credential"  # what a store of them calls one
            and is_random(value, least=12)
            and not is_hex(value)
            and not is_uuid(value)
        )
    if given.is_password:
        return _is_password(given)
    if value.isdigit() or is_mail(value):
        return False
    if given.is_quoted or not _is_expression(value):
        return is_random(value) or _is_likely(given)
    return False


def _is_likely(given: _Named) -> bool:
    """Whether a value that is not random is a secret."""
    value = given.value
    if given.is_sure and _is_pass_phrase(given):
        return True
    if not given.is_sure or _is_some_words(value):
        return False
    is_word = value.isalpha() and len(value) <= _LONGEST_WORD
    if is_word and given.word == "token" and given.is_quoted:  # of a parser, or of a style
        return False
    if given.is_quoted and len(value) < _SHORTEST_QUOTED:
        return False
    if "." in value and is_code(value) and not given.is_quoted:
        return False
    is_query = given.before.endswith(("?", "&")) or "-" in given.before.removesuffix("pre-")
    return (
        has_digit(value)
        or given.is_quoted
        or (given.is_tight and (is_query or given.name.isupper() or not is_code(value)))
        or is_query
    )


_SHORTEST_PSK = 8
_SHORTEST_QUOTED = 3
_LONGEST_WORD = 12
_KEY_IDS = frozenset({8, 16, 40})
"""Digits of the id of a key of OpenPGP, with which git signs."""

_LONG_KEY = 40
"""A ``primaryKey`` that long is one of two of a cloud's account, not a database's."""

_LONGEST_REST = 12
"""Names that go on for longer are mostly about a secret."""


def _is_same(name: str, value: str) -> bool:
    """``passphrase=my_passphrase``, ``ACCESS_TOKEN = "accessToken"``: a name of the same thing."""
    one, other = _letters(name), _letters(value)
    is_longer = not name.isupper() and is_code(value) and other.endswith(one)
    return other == one or (len(other) > 3 and (other in one or is_longer))


@lru_cache(maxsize=256)
def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()


def _is_some_words(value: str) -> bool:
    """Words with signs between them, as people name things."""
    return (
        len(parts_of(value)) > 1 and all(map(str.isalpha, parts_of(value))) and not is_random(value)
    )


_PUBLIC_NAMES = frozenset(
    {"hashedsecret", "applicationserverkey", "secwebsocketkey", "publickeytoken"}
)
"""The digest of a secret in a baseline of detect-secrets, the key of a server that browsers are given (W3C Push API), the
number with which a WebSocket is opened (RFC 6455), and what tells assemblies of .NET apart."""

_OF_REQUESTS = frozenset({"--client-token", "ClientToken", "clientToken"})
"""By which AWS tells that a request is sent again."""

_FEWEST_WORDS = 4
_OF_OBJECTS = frozenset(
    {"existing", "pull", "image", "registry", "tls", "ssl", "cert", "ca", "backend"}
)
"""``tlsSecret``: the name of an object of Kubernetes."""
# fmt: off
_OF_THINGS = frozenset(
    "access admin api app auth aws azure backend cache cert certificate change client cluster config cookie cred credential credentials creds data "
    "database default demo dev development docker encryption env example existing file for frontend from generated github gitlab google guess hard "
    "here http insert job jwt key keys local long manager master mongo must mysql name node not oauth our password path placeholder postgres private "
    "prod production public put queue random redis release replace root sample secret secrets server service session shared should signing ssl stage "
    "staging store string super system test testing the this tls token tokens type user users value vault very web webhook with worker your".split()
)
# fmt: on
"""Words of what a secret is called or what it is for."""


def _is_pass_phrase(given: _Named) -> bool:
    """Some words that name nothing, behind a name that ends with ``secret``."""
    words = given.value.split("-")
    return (
        given.word == "secret"
        and not given.rest
        and _last_word(given.before) not in _OF_OBJECTS
        and len(words) >= _FEWEST_WORDS
        and all(word.isalpha() and word.islower() and len(word) > 2 for word in words)
        and len(set(words)) == len(words)
        and _OF_THINGS.isdisjoint(words)
    )


def _is_about(given: _Named) -> bool:
    """Whether the name says that the value is something about a secret."""
    if _letters(given.name) in _PUBLIC_NAMES:
        return True
    if given.name in _OF_REQUESTS and is_uuid(given.value):
        return True
    if is_hex(given.value) and len(given.value) in _KEY_IDS and given.name.lower() == "signingkey":
        return True
    if _is_primary(given.before, given.word):
        return len(given.value) < _LONG_KEY or is_hex(given.value)
    if _is_dull_name(given.before, given.word, given.rest, is_upper=given.name.isupper()):
        return True
    is_plural = _tail(given.word, given.rest).lower() == "s"
    return is_plural and not (len(given.value) >= 16 and is_random(given.value))


@lru_cache(maxsize=1024)
def _is_dull_name(before: str, word: str, rest: str, *, is_upper: bool) -> bool:
    """Whether it says so whatever the value is."""
    if _is_primary(before, word):
        return False
    head, tail = _last_word(before), _tail(word, rest)
    if tail.isupper() and tail[0].isalpha() and tail not in _UPPER_ENDS and is_upper:
        return True
    if word == "passw":
        is_dull = head in _DULL_PASSWORDS or head in _IDS
    else:
        is_head = head in _DULL_HEADS and not before.endswith(_SETTINGS)
        is_head = is_head and (head, word) != ("registry", "token")
        is_dull = word != "salt" and (head in _IDS or (word != "secret" and is_head))
    last = _last_word(tail) if tail.lower() != "s" else ""
    return is_dull or last in _DULL_TAILS or last.removesuffix("s") in _DULL_TAILS


def _is_primary(before: str, word: str) -> bool:
    return word not in {"passw", "secret", "salt"} and _last_word(before) == "primary"


def _tail(word: str, rest: str) -> str:
    """How a name goes on behind the whole telling word."""
    if word == "passw":
        return rest[3:] if rest.lower().startswith("ord") else rest[rest[:1] in {"d", "D"} :]
    return rest


_UPPER_ENDS = ("S", "ORD", "ORDS", "D", "RD")


def _is_expression(value: str) -> bool:
    """What a program computes, with its brackets."""
    return any(sign in value for sign in "(){}[];") and not is_random(value)


def _is_phrase(given: _Named) -> bool:
    """Some words in quotes that are a secret: what people choose, or a scheme and a token."""
    scheme, _, rest = given.value.partition(" ")
    if scheme.lower() in {"bearer", "basic", "token", "ssws", "apikey"}:
        return is_random(rest)
    if given.word == "mnemonic":
        return given.value.count(" ") in {11, 14, 17, 20, 23} and given.value.islower()
    if given.word == "psk" and given.is_password:
        return given.is_quoted and given.value.count(" ") <= _MAX_SPACES
    if pattern(_GROUPS).fullmatch(given.value):
        return given.is_password and randomness(given.value.replace(" ", "")) > 0
    is_sentence = given.value[-1] in ".!?:" or given.value.count(" ") > 5
    return given.is_password and given.is_quoted and not is_sentence and given.value[0].islower()


_MAX_SPACES = 10
_GROUPS = r"[a-z]{4}(?: [a-z]{4}){3}"
"""How Google shows a password for one application (support.google.com/accounts/answer/185833)."""


def _is_password(given: _Named) -> bool:
    value = given.value
    is_folder = given.word == "pwd" and value.startswith(("/", "~", "."))
    if is_folder and (is_place(value) or not is_random(value)):
        return False
    if not given.is_sure:
        is_likely = (has_digit(value) and len(value) >= 6) or is_random(value, least=12)
        return is_likely and not _is_expression(value)
    if value.isdigit():
        return len(value) >= 4
    if len(value) < 2:
        return False
    if given.is_quoted:
        return len(value) > 2
    is_open = value.count("{") < value.count("}")
    if (is_open or any(sign in value for sign in "()[];")) and not is_random(value):
        return False
    if is_code(value):
        return has_digit(value) or (given.is_tight and value.islower() and value.isalpha())
    return True


def _is_secret_by_itself(given: _Named) -> bool:
    """Whether a value behind nothing but ``key``, ``seed`` or the like is secret."""
    value, word = given.value, given.word
    is_whole = value.endswith("=") or "+" in value
    longest = value if is_whole else max(parts_of(value), key=len, default="")
    is_flag = given.before.startswith("-")
    if word == "key" and _is_of_section(given):
        return True
    if word == "nonce" and pattern(_ELEMENT).search(given.above):
        return False
    is_mixed = has_digit(value) and not value.islower() and not value.isupper()
    least = 12 if is_flag else 16 if is_mixed else 20
    is_likely = is_random(longest, least=least) and (is_flag or not is_hex(longest))
    return is_likely and pattern(_PUBLIC_WORDS).search(given.above) is None


_SHORTEST_KEY = 16
_ELEMENT = (
    r"(?i)(?:<?\b(?:script|style|link)\b[^<>\n]{0,200}|\b(?:realm|qop|opaque)=[^\n]{0,200})\Z"
)
"""An element of a page, which shows its nonce to everybody who gets the page (w3.org/TR/CSP3)."""
_PUBLIC_WORDS = (
    r"(?i)\b(?:public|site|publishable|peer|host|foreign|primary|cache|partition|sort)[ ]\Z"
)
_SID = r"(?!AC|SK)[A-Z]{2}[0-9a-f]{32}"
"""What Twilio calls a message or a call; ``AC`` is an account, ``SK`` a key."""

_PARENT = (
    r"(?im)(?:^|[\s\"'\[{.])(?:[\w.-]{0,24}(?:encrypt|crypt|cipher|hmac|sign(?:ing|ature|er)|jwt|session|cookie|secret|vault|wireguard|webhook)\w{0,12})"
    r"[\"']?\]?[ \t]{0,4}(?:=>|[:={]{0,2})[ \t]{0,4}(?:array ?\()?(?:[{\[]?[ \t]*\r?\n|\{[ \t]{0,4}(?:\"[\w.-]{1,40}\": ?\"[^\"\n]{0,80}\", ?){0,5}(?=\"))(?:[ \t]*[\w\"'.-]{1,40}[ \t]*[:=][^\n]{0,80}\n){0,5}[ \t\"']{0,24}\Z"
)
"""A section whose ``key`` is one of cryptography."""


def _is_of_section(given: _Named) -> bool:
    is_long = len(given.value) >= _SHORTEST_KEY
    is_likely = is_long and (is_hex(given.value) or is_random(given.value))
    return is_likely and pattern(_PARENT).search(given.above) is not None


def _is_salt(value: str) -> bool:
    """Signs of all kinds, as WordPress draws them."""
    return len(value) >= 48 and sum(not sign.isalnum() for sign in value) > 8 and is_random(value)


def _is_weakly_secret(given: _Named) -> bool:
    value, word = given.value, given.word
    if given.is_password:
        return _is_secret(given)
    head = _last_word(given.before) if word != "salt" else ""
    if head == "primary" and len(value) >= _LONG_KEY and not is_hex(value):
        return is_random(value)
    if head == "primary" and word == "key" and _is_of_section(given):
        return True
    is_dull = head in _DULL_HEADS and not given.before.endswith(_SETTINGS)
    if is_dull or _last_word(given.rest) in _IDS:
        return False
    if _is_about(given) or is_place(value) or (" " in value and not _is_salt(value)):
        return False
    if not (given.is_sure or (given.name.isupper() and is_random(value, least=20))):
        return False
    is_called = value.endswith("()") and not given.is_quoted
    is_of_app = word == "appid" and not is_hex(value)
    if is_called or is_of_app or pattern(_SID).fullmatch(value) or is_public_key(value):
        return False
    has_qualifier = given.before.strip("_.-$/?&") or given.rest.strip("_.-")
    if not has_qualifier and word in {"key", "session", "otp", "seed", "nonce", "certificate"}:
        return _is_secret_by_itself(given)
    is_part_of_word = (
        given.before[-1:].isalpha() and given.before[-1:].islower() == word[:1].islower()
    )
    if is_part_of_word and word not in {"key", "salt"} and not given.name.isupper():
        return False
    return is_random(value, least=8 if word in {"auth", "pass", "key"} else 12)


# end of module
