"""Secrets out of text, before the text is kept or shown.

Owns the patterns and the cutting of previews. Does not own where text goes, and cannot know a
secret that looks like an ordinary word: for those the exact values of the environment are given.

Every pattern is linear: it has one start per run of characters, a bounded reach, or it consumes
what it has read. A pattern is compiled when one of its trigger words first occurs, so ordinary text
costs a few substring searches.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any

from operators_edge.redaction.scanner import Rule, Rules, Words, lowered, pattern
from operators_edge.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

MARK = "[REDACTED]"
CUT = "…"

_SHORTEST_VALUE = 8
_COMMON = frozenset({"password", "changeme", "localhost", "disabled", "required", "redacted"})
_TOPS = ("home", "Users", "usr", "etc", "var", "tmp", "opt", "root", "run", "private", "mnt")
_PATHS = ("~/", "~\\", *(f"/{top}/" for top in _TOPS))
_SECRET_NAMES = ("KEY", "TOKEN", "SECRET", "PASSW", "PASSPHRASE", "CREDENTIAL")
_SECRET_ENDS = ("_PASS", "_PWD")

# A value after a name: double-quoted, single-quoted, quoted inside a quoted text, or bare. A bare
# one ends at white space, at a closing sign that ends a word, and at `&name=` of a query.
_VALUE = (
    r"""(?P<value>"(?:[^"\\\r\n]|\\[^\r\n])*+|'[^'\r\n]*+"""
    r"""|(?P<esc>\\+)["'](?:[^"\\\r\n]|(?!(?P=esc)["'])\\++[^\r\n])*+"""
    r"""|(?:[^\s"'`&,;)}\]\\]|[,;)}\]](?=[^\s"'`\\])|&(?![\w.-]{1,40}=)|\\(?!["'nrt]))++)"""
)
_WORD = r"(?P<word>pass(?:word|wd|phrase)|pwd|secret|token|credential|key)"
_NEW_WORD = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))"

# Values that stand for a secret without being one: references, placeholders, earlier marks.
_NOT_A_VALUE = (
    r"\$\{[A-Za-z_]\w*\}?|\$\([^()]*\)?|\$[A-Z_][A-Z0-9_]*|%\w+%|\{\{[^{}]*(?:\}\})?|<[^<>]*>"
    r"|\*+|\.{3}|\[REDACTED(?::[\w-]+)?\]?"
)
_NO_VALUE_BEGINS = frozenset("$%{<*.[")
_CODE = (
    r"(?i)str|string|text|none|null|nil|true|false|undefined|int|bool|bytes|optional\[.*|required"
    r"|(?:self|this|os|config|settings|process|args|options|props|request|env|getpass)"
    r"\.[a-z_.\[\]()]+"
)
# fmt: off
_QUALIFIERS = (
    "api", "access", "auth", "private", "signing", "encryption", "master", "account", "refresh", "bearer",
    "session", "bot", "deploy", "client", "service", "secret", "github", "gitlab", "npm", "slack",
)
# fmt: on
_ABOUT = r"(?i)(?:name|ref|path|file|type|len|length|count|size)s?\Z"
_DULL_BEARER = (
    r"(?i)(?:tokens?|auth|authentication|authorization|scheme|header|of|and|or|is)[.,:;]*"
)


def mark(kind: str) -> str:
    return f"[REDACTED:{kind}]" if kind else MARK


def looks_random(value: str) -> bool:
    """Long, and more than a word: letters with digits, or mixed case too long for a name."""
    if len(value) < _SHORTEST_VALUE or value.isdigit() or " " in value:
        return False
    has_letter = any(map(str.isalpha, value))
    has_digit = any(map(str.isdigit, value))
    return (has_letter and has_digit) or (len(value) >= 16 and value.lower() != value)


def _named(match: re.Match[str]) -> str:
    """``NAME=VALUE`` in its spellings; how readily depends on how telling the name is."""
    whole, word, value = match.group(0, "word", "value")
    quotes = len(value) - len(value.lstrip("\\")) if value[0] == "\\" else 0
    if value.startswith(('"', "'"), quotes):
        quotes += 1
    bare = value[quotes:]
    if not bare or _is_no_value(bare) or (not word.isupper() and _is_harmless(match, bare)):
        return str(whole)
    return f"{whole[: len(whole) - len(bare)]}{MARK}"


def _is_no_value(bare: str) -> bool:
    return bare[0] in _NO_VALUE_BEGINS and pattern(_NOT_A_VALUE).fullmatch(bare) is not None


def _is_harmless(match: re.Match[str], bare: str) -> bool:
    word, rest, sep = match.group("word", "rest", "sep")
    before = match.string[max(0, match.start() - 24) : match.start()]
    is_telling = word.lower() not in {"key", "token", "pwd", "credential"} or (
        (word.lower() == "token" and (sep == "=" or before.endswith("-"))) or _is_qualified(before)
    )
    if not is_telling and not looks_random(bare):
        return True
    if pattern(_CODE).fullmatch(bare) or pattern(_ABOUT).search(rest[-7:]):
        return True  # `token: None`, `secretName: my-app-tls-01`
    return is_telling and bare.isdigit() and rest == "s"


def _is_qualified(before: str) -> bool:
    """Whether a qualifier and perhaps a sign end what stands before a name; without patterns, for speed."""
    before = lowered(before).decode().removesuffix("\n")
    end = len(before) - before.endswith(("_", ".", "-"))
    return before[:end].endswith(_QUALIFIERS)


def _flag(match: re.Match[str]) -> str:
    before = match.string[max(0, match.start() - 40) : match.start()]
    if not re.search(r"(?:^|[\s\"'=\[,\\])--?(?:[A-Za-z0-9]+-)*$", before):
        return match.group()
    return _named(match)


def _value_unless(harmless: str, kind: str = "") -> Callable[[re.Match[str]], str]:
    """What hides the group ``value``, unless all of it fits the pattern; kind "name": the group ``name``."""

    def replaced(match: re.Match[str]) -> str:
        whole, value = match.group(0, "value")
        if pattern(harmless).fullmatch(value):
            return str(whole)
        name = match["name"].lower() if kind == "name" else kind
        return f"{whole[: -len(value)]}{mark(name)}"

    return replaced


_UNLESS_EMPTY = _value_unless(_NOT_A_VALUE)
_HEADER = _value_unless(rf"\s*(?:{_NOT_A_VALUE})\s*", "name")
_TELLING = ("passw", "passphrase", "pwd", "secret", "token", "credential", "key")
_RULES = (
    Rule(
        ("-----begin ",),
        (
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?"
            r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\Z)"
        ),
        mark("private-key"),
    ),
    Rule(
        ("://",),
        (
            r"(?<=://)(?:[^\s/@:\"'<>]{0,256}:)?(?P<value>(?<=:)[^\s/\"'<>]{1,1024}"
            r"|(?<=/)[^\s/@:\"'<>]{20,1024})(?=@)"
        ),
        _UNLESS_EMPTY,
        is_behind=True,
    ),
    Rule(
        ("sk-",),
        (
            r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))sk-(?:[A-Za-z0-9]{10}|"
            r"(?:proj|ant|svcacct|admin|or|live|test)[\w-]{10})[\w-]*"
        ),
        mark("api-key"),
    ),
    Rule(("aiza",), r"AIza[0-9A-Za-z_-]{20,}", mark("google-key")),
    Rule(("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9]{20,}", mark("github")),
    Rule(("github_pat_",), r"github_pat_\w{20,}", mark("github")),
    Rule(("glpat-",), r"glpat-[\w-]{16,}", mark("gitlab")),
    Rule(("akia", "asia"), r"(?:AKIA|ASIA)[0-9A-Z]{16}", mark("aws")),
    Rule(
        ("aws",),
        r"(?i)aws[^\r\n\"']{0,40}[\"'](?P<value>[0-9a-z/+]{40})(?=[\"'])",
        _UNLESS_EMPTY,
    ),
    Rule(("xox",), r"xox[abeoprs]-[\w-]{10,}", mark("slack")),
    Rule(("xapp-",), r"xapp-[\w-]{10,}", mark("slack")),
    Rule(
        ("hooks.slack.com/services/",),
        r"(?<=hooks\.slack\.com/services/)[\w/-]+",
        mark("slack"),
        is_behind=True,
    ),
    Rule(("eyj",), _NEW_WORD + r"eyJ[\w-]{8,}+\.eyJ[\w-]{2,}+(?:\.[\w-]*+)?", mark("jwt")),
    Rule(
        ("sk_live_", "rk_live_", "sk_test_", "rk_test_"),
        r"[sr]k_(?:live|test)_[0-9A-Za-z]{10,}",
        mark("stripe"),
    ),
    Rule(("npm_",), r"npm_[A-Za-z0-9]{30,}", mark("npm")),
    Rule(("pypi-",), r"pypi-[\w-]{40,}", mark("pypi")),
    Rule(("hf_",), r"hf_[A-Za-z0-9]{30,}", mark("hugging-face")),
    Rule(
        ("authorization", "cookie"),
        (
            r"(?i)(?P<name>authorization|cookie)\\*[\"']?(?:\s{0,4}[:=]\s{1,4}|\s{0,4}[:=]\\*[\"'])"
            r"(?:\\*[\"'])?(?P<value>(?:[^\"'\r\n\\]|\\(?![\"'nr]))++)"
        ),
        _HEADER,
    ),
    Rule(
        ("authorization", "cookie"),
        (
            r"(?i)(?P<name>authorization|cookie)[:=](?:(?:basic|bearer|token)(?:\\{0,4} |\+|%20))?+"
            r"(?P<value>[^\s\"'\[]+)"
        ),
        _HEADER,
    ),
    Rule(
        ("bearer",),
        r"(?i)bearer(?:\s|\\[ t]|%20){1,8}(?P<value>[A-Za-z0-9._~+/=-]++)",
        _value_unless(_DULL_BEARER, "bearer"),
    ),
    Rule(
        _TELLING,
        (
            rf"(?i){_WORD}(?P<rest>[A-Za-z0-9_.-]{{0,64}}+)"
            rf"\\*[\"']?\]?(?P<sep>\s{{0,8}}+(?:=>|:=|=|:(?!:))\s{{0,8}}+){_VALUE}"
        ),
        _named,
    ),
    Rule(
        _TELLING,
        (
            rf"(?i)(?<=-){_WORD}(?!-(?:file|stdin|name|path|env|id)\b)(?P<rest>[A-Za-z0-9-]{{0,24}}+)"
            rf"(?P<sep>[ ]{{1,4}}+)(?![-|&;<>]){_VALUE}"
        ),
        _flag,
    ),
    Rule(
        ("-u", "--user"),
        (
            r"(?:(?<=\s-u)|(?<=\s--user))[ =]?[\"']?[^\s:\"'/]{1,128}:"
            r"(?P<value>[^\s\"':/\[][^\s\"']*+)"
        ),
        _value_unless(rf"\d+|{_NOT_A_VALUE}"),  # `docker run -u 1000:1000`
        is_behind=True,
    ),
)


@cache
def _rules() -> Rules:
    """Made when a text is not ordinary: the table of formats is not for each hook."""
    from operators_edge.redaction.formats import formats, pattern_of  # noqa: PLC0415 - see above

    rules = [
        Rule(
            (each.start.lower(),),
            partial(pattern_of, each.shape),
            _value_unless(_NOT_A_VALUE, each.kind) if "<" in each.shape else mark(each.kind),
        )
        for each in formats()
        if not each.near
    ]
    return Rules((*rules, *_RULES))


_SHORT = 1000
_ORDINARY = re.compile(r"(?i)(?:(?!bearer|\w{16})[a-z_ ,.!?'()\n])*+|[0-9a-f-]{1,64}")
"""What no rule matches in."""

_HOT = 1024 * 1024
"""How much a process has read when a library is worth its import. A hook ends before that."""


class _Read:
    """How much this process has read."""

    count = 0


class Shape(str):
    """Among known values: a pattern, and what matches it is hidden."""

    __slots__ = ()


class Allowed(str):
    """Among known values: a pattern, and what looks like a secret stays if all of it matches."""

    __slots__ = ()


class Finding(NamedTuple):
    begin: int
    end: int
    kind: str
    """Of token or place: "github", "private-key"; "" when only a name told, or the value is known."""
    why: str
    """"value" (known), "pattern" (of a person or project), "format" or "name"."""


def findings(text: str, *, values: Iterable[str] = ()) -> list[Finding]:
    """Every secret in the text, in order, none within another."""
    given = tuple(values)
    forms, words, shapes = _forms(given)
    found: list[Finding] = []
    if forms and words.may_be_in(text):
        for form in forms:
            at = text.find(form)
            while at >= 0:
                found.append(Finding(at, at + len(form), "", "value"))
                at = text.find(form, at + len(form))
    for shape in shapes:
        spans = (match.span() for match in shape.finditer(text) if match.group())
        found += [Finding(*span, "", "pattern") for span in spans]
    patterns = [_own_pattern(each) for each in given if isinstance(each, Allowed)]
    for rule, match in _rules().matches(text):
        each = _finding(rule, match)
        whole = text[each.begin : each.end] if each else ""
        if each and not any(pattern.fullmatch(whole) for pattern in patterns):
            found.append(each)
    return _merged(found)


def _finding(rule: Rule, match: re.Match[str]) -> Finding | None:
    new = rule.replaced(match)
    if new == match.group():
        return None
    begin = match.start() if isinstance(rule.replacement, str) else match.start("value")
    kind = new[new.rfind("[REDACTED") :].strip("[]").partition(":")[2]
    return Finding(begin, match.end(), kind, "format" if kind else "name")


def _merged(found: Iterable[Finding]) -> list[Finding]:
    whole: list[Finding] = []
    for each in sorted(found, key=lambda one: (one.begin, -one.end)):
        if whole and each.begin < whole[-1].end:
            whole[-1] = whole[-1]._replace(end=max(whole[-1].end, each.end))
        else:
            whole.append(each)
    return whole


def redact(text: str, *, values: Iterable[str] = ()) -> str:
    """``text`` with every known value and everything that looks like a secret replaced by a mark.

    Names, quotes, schemes and user names around a secret stay. Doing it twice changes nothing more.
    """
    _Read.count += len(text)
    is_hot = _Read.count >= _HOT
    values = tuple(values)
    if any(isinstance(each, Allowed) for each in values):
        for each in reversed(findings(text, values=values)):
            text = f"{text[: each.begin]}{mark(each.kind)}{text[each.end :]}"
        return text
    forms, words, shapes = _forms(values)
    if forms and words.may_be_in(text, is_hot=is_hot):
        for form in forms:
            text = text.replace(form, MARK)
    for shape in shapes:
        text = shape.sub(lambda match: MARK if match.group() else "", text)
    if len(text) < _SHORT and _ORDINARY.fullmatch(text):
        return text
    return _rules().applied(text, is_hot=is_hot)


@lru_cache(maxsize=8)
def _forms(
    values: tuple[str, ...],
) -> tuple[tuple[str, ...], Words, tuple[re.Pattern[str], ...]]:
    """What to look for, the longest value first: one that holds another goes whole; then the shapes."""
    forms: dict[str, None] = {}
    shapes = [each for each in values if isinstance(each, Shape)]
    plain = {each for each in values if is_worth_hiding(each) and type(each) is str}
    for value in sorted(plain, key=lambda each: (-len(each), each)):
        forms[value] = None
        forms[json.dumps(value, ensure_ascii=False)[1:-1]] = None
    return tuple(forms), Words(forms), tuple(map(_own_pattern, shapes))


def _own_pattern(source: str) -> re.Pattern[str]:
    from operators_edge.redaction import own_patterns  # noqa: PLC0415 - few people have any

    return own_patterns.compiled(source)


def certainly(text: str, *, values: Iterable[str] = ()) -> str:
    """What kind of secret a text that is to be kept holds beyond doubt: "github", "secret"; "" for none.

    ``redact`` hides what may be one, which suits a log. A text that somebody wrote is refused for it, so here
    a value after a telling name has to look made up, too: ``password: reset`` holds none.
    """
    plain = (each for each in values if type(each) is str)
    if any(is_worth_hiding(value) and value in text for value in plain):
        return "secret"
    for rule, match in _rules().matches(text):
        if isinstance(rule.replacement, str):
            return rule.replacement.strip("[]").partition(":")[2]
        if rule.replaced(match) != match.group() and _is_made_up(match["value"]):
            return "secret"
    return ""


def _is_made_up(value: str) -> bool:
    digits = sum(map(str.isdigit, value))
    return len(value) >= _SHORTEST_VALUE and digits > 1 and any(map(str.isalpha, value))


def is_worth_hiding(value: str) -> bool:
    """False for what would only make logs unreadable: short, common, one repeated sign, a path."""
    return (
        len(value) >= _SHORTEST_VALUE
        and value.lower() not in _COMMON
        and len(set(value)) > 2
        and not value.startswith(_PATHS)
        and value[1:3] not in {":\\", ":/"}
    )


def secret_values(env: Mapping[str, str]) -> tuple[str, ...]:
    """The values of those variables whose names say that they are secret."""
    found = {value for name, value in env.items() if is_secret_name(name.upper())}
    return tuple(sorted(value for value in found if is_worth_hiding(value)))


def is_secret_name(name: str) -> bool:
    return name.endswith(_SECRET_ENDS) or any(part in name for part in _SECRET_NAMES)


# A preview reads at most this much. What stands close to the end of a window may be the first half
# of a secret, so that much is never shown; a mark is at most four times as long as what it hides.
_WINDOW = 64 * 1024
_LARGEST_WINDOW = 1024 * 1024
LONGEST_SECRET = 8 * 1024


def preview(text: str, limit: int, *, values: Iterable[str] = ()) -> str:
    """The first ``limit`` characters of the redacted text; the last is a cut mark if more follows.

    Redaction comes before the cut, and the cost is bounded whatever the length of ``text``.
    """
    known = tuple(values)
    reach = max([LONGEST_SECRET, *map(len, known)])
    window = _WINDOW + reach
    while True:
        clean = redact(text[:window], values=known)
        if window >= len(text):
            return clean if len(clean) <= limit else clean[: limit - 1] + CUT
        spare = len(clean) - 4 * reach
        if spare >= limit or window >= _LARGEST_WINDOW:
            return clean[: max(0, min(limit - 1, spare))] + CUT
        window *= 4


def preview_json(value: Any, limit: int, *, values: Iterable[str] = ()) -> str:
    """``preview`` of a structure: its strings are redacted one by one, then as part of the JSON."""
    known = tuple(values)
    text = json.dumps(clean(value, limit, values=known), ensure_ascii=False)
    return preview(text, limit, values=known)


def strings_in(value: object) -> Iterator[str]:
    """Every string value in JSON-like data; names of keys are left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from strings_in(each)


def clean(value: Any, limit: int, *, values: Iterable[str] = ()) -> Any:
    """A structure with redacted strings of at most ``limit`` characters, and bounded in size."""
    return _Cleaner(limit, tuple(values)).clean(value, _MAX_DEPTH)


_MAX_DEPTH = 8
_MAX_ITEMS = 200
_MAX_WORK = 256 * 1024


class _Cleaner:
    """One structure's cleaning, with what is left of the characters it may look at."""

    def __init__(self, limit: int, values: tuple[str, ...]) -> None:
        self.limit = limit
        self.values = values
        self.left = _MAX_WORK

    def clean(self, value: Any, depth: int) -> Any:
        self.left -= 16
        if isinstance(value, str):
            if self.left <= 0:
                return CUT
            self.left -= min(len(value), _WINDOW)
            return preview(value, self.limit, values=self.values)
        if isinstance(value, dict | list | tuple) and (depth == 0 or self.left <= 0):
            return CUT
        if isinstance(value, dict):
            return self._table(value, depth)
        if isinstance(value, list | tuple):
            return self._list(value, depth)
        return value

    def _table(self, value: dict[Any, Any], depth: int) -> dict[str, Any]:
        short: dict[str, Any] = {}
        for name, each in value.items():
            if len(short) == _MAX_ITEMS or self.left <= 0:
                return short | {CUT: len(value) - len(short)}
            short[preview(str(name), 200, values=self.values)] = self.clean(each, depth - 1)
        return short

    def _list(self, value: list[Any] | tuple[Any, ...], depth: int) -> list[Any]:
        short: list[Any] = []
        for each in value:
            if len(short) == _MAX_ITEMS or self.left <= 0:
                return [*short, CUT]
            short.append(self.clean(each, depth - 1))
        return short


# end of module
