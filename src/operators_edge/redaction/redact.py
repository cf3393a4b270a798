"""Secrets out of text, before the text is kept or shown.

Owns the marks, known values and patterns that are given, and the cutting of previews. Does not own what looks
like a secret (``redaction.detector``) or where text goes, and cannot know a secret that looks like a common
word: for those the values that are known on this machine are given.
"""

from __future__ import annotations

from operators_edge import jsons
from operators_edge.cached import lru_cache
from operators_edge.redaction.secret_names import TELLING, WEAK, is_secret_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from operators_edge.redaction.finding import Finding
    from operators_edge.redaction.scanner import Runs, Words

MARK = "[REDACTED]"
CUT = "…"

_SHORTEST_VALUE = 8
_COMMON = frozenset({"password", "changeme", "localhost", "disabled", "required", "redacted"})
_TOPS = ("home", "Users", "usr", "etc", "var", "tmp", "opt", "root", "run", "private", "mnt")
_PATHS = ("~/", "~\\", *(f"/{top}/" for top in _TOPS))
_SHORT = 1000
_LONGEST_WORD = 15
_NUMBERS = frozenset(("0", "00", "000"))
_LETTERS = "abcdefghijklmnopqrstuvwxyz_"
_SPACES = " ,.!?'()\n"
_SHAPES = str.maketrans(
    f"{_LETTERS}{_LETTERS.upper()}0123456789{_SPACES}",
    "a" * 2 * len(_LETTERS) + "0" * 10 + " " * len(_SPACES),
)
"""Of each sign of ordinary words and small numbers its kind; no other sign becomes one."""
_BEFORE_VALUES = ("bearer", "login", *TELLING, *(each for each in WEAK if each[-1] in _SPACES))
"""What letters alone may be a secret behind."""
_HEX_DIGITS = "0123456789abcdefABCDEF"
_LONGEST_HEX = 64
_OF_UUID = [8, 4, 4, 4, 12]

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


def redact(text: str, *, values: Iterable[str] = ()) -> str:
    """``text`` with every known value and everything that looks like a secret replaced by a mark.

    Names, quotes, schemes and user names around a secret stay. Doing it twice changes nothing more.
    """
    known = tuple(values)
    found = findings(text, values=known)
    reach = max([_REACH, *map(len, known)])
    for _ in range(_MAX_ROUNDS):
        if not found:
            break
        text, marks = _marked(text, found)
        found = []
        for begin, end in _lines_around(text, marks, reach):
            for each in _found(text[begin:end], known):
                found.append(each._replace(begin=begin + each.begin, end=begin + each.end))
    return text


_REACH = 4096
"""Signs around a mark that are read again: what is next to it may look like a secret now."""


def _marked(text: str, found: list[Finding]) -> tuple[str, list[tuple[int, int]]]:
    """The text with a mark in place of each secret, and where the marks are."""
    pieces: list[str] = []
    marks: list[tuple[int, int]] = []
    at = size = 0
    for each in found:
        pieces += (text[at : each.begin], mark(each.kind))
        begin = size + each.begin - at
        size = begin + len(pieces[-1])
        marks.append((begin, size))
        at = each.end
    return "".join((*pieces, text[at:])), marks


def _lines_around(text: str, places: list[tuple[int, int]], reach: int) -> list[tuple[int, int]]:
    """The whole lines within so many signs of the places."""
    lines: list[tuple[int, int]] = []
    for begin, end in places:
        if lines and end + reach <= lines[-1][1]:
            continue
        first = text.rfind("\n", 0, max(0, begin - reach)) + 1
        last = text.find("\n", end + reach)
        last = len(text) if last < 0 else last + 1
        if lines and first <= lines[-1][1]:
            first = lines.pop()[0]
        lines.append((first, last))
    return lines


_MAX_ROUNDS = 4


def mark(kind: str) -> str:
    return f"[REDACTED:{kind}]" if kind else MARK


def findings(text: str, *, values: Iterable[str] = ()) -> list[Finding]:
    """Every secret in the text, in order, none within another: begin, end, kind and why.

    ``values`` are known secrets, and ``Shape``s for patterns. ``kind`` is "github", or "" when only a name or
    a known value told; ``why`` is one of ``finding.WHY``.
    """
    _Read.count += len(text)
    return _found(text, tuple(values))


def _found(text: str, values: tuple[str, ...]) -> list[Finding]:
    is_hot = _Read.count >= _HOT
    is_ordinary = _is_ordinary(text)
    if is_ordinary and not values:
        return []
    from operators_edge.redaction.scanner import Runs, lowered  # noqa: PLC0415 - not for each hook
    from operators_edge.redaction.wrapped import unwrapped  # noqa: PLC0415 - as above

    runs = Runs(lowered(text))
    found = list(_known(text, values, runs, is_hot=is_hot))
    whole = unwrapped(text)
    if whole is not None and values:
        joined = whole.view.text
        found += whole.in_lines(_known(joined, values, Runs(lowered(joined)), is_hot=is_hot))
    if not is_ordinary:
        from operators_edge.redaction import detector  # noqa: PLC0415 - its tables are not for each hook
        from operators_edge.redaction.documented import is_documented  # noqa: PLC0415 - as above

        allowed = [_own_pattern(each) for each in values if isinstance(each, Allowed)]
        for each in detector.found_in(text, is_hot=is_hot, runs=runs, whole=whole):
            hidden = text[each.begin : each.end]
            is_shown = any(pattern.fullmatch(hidden) for pattern in allowed)
            if not is_shown and not is_documented(hidden):
                found.append(each)
    if not found:
        return found
    from operators_edge.redaction.finding import merged  # noqa: PLC0415 - few texts of hooks hold any

    return merged(found)


def _is_ordinary(text: str) -> bool:
    """Whether no rule matches in a short text: words and small numbers alone, or one hash or UUID.

    Without patterns: most texts of hooks and notes are, and nothing else of such a command needs one.
    """
    if len(text) >= _SHORT:
        return False
    words = text.translate(_SHAPES).split(" ")
    if all((not one.strip("a") and len(one) <= _LONGEST_WORD) or one in _NUMBERS for one in words):
        low = text.lower()
        return not any(word in low for word in _BEFORE_VALUES)
    groups = text.split("-")
    sizes = list(map(len, groups))
    is_known_size = sizes == _OF_UUID or (len(groups) == 1 and len(text) <= _LONGEST_HEX)
    return is_known_size and not any(one.strip(_HEX_DIGITS) for one in groups)


def _known(text: str, values: tuple[str, ...], runs: Runs, *, is_hot: bool) -> Iterator[Finding]:
    """Where known values are, the longest first, none within another."""
    if not values:
        return
    from operators_edge.redaction.finding import Finding  # noqa: PLC0415 - where there are values

    forms, words, shapes = _forms(values)
    if forms and words.may_be_in(runs, is_hot=is_hot):
        for form in forms:
            at = text.find(form)
            while at >= 0:
                yield Finding(at, at + len(form), "", "value")
                at = text.find(form, at + len(form))
    for shape in shapes:
        for match in shape.finditer(text):
            if match.group():
                yield Finding(*match.span(), "", "pattern")


@lru_cache(maxsize=8)
def _forms(
    values: tuple[str, ...],
) -> tuple[tuple[str, ...], Words, tuple[re.Pattern[str], ...]]:
    """What to look for, the longest value first: one that holds another goes whole; then the shapes."""
    from operators_edge.redaction.scanner import Words  # noqa: PLC0415 - where there are values

    forms: dict[str, None] = {}
    shapes = [each for each in values if isinstance(each, Shape)]
    plain = {each for each in values if is_worth_hiding(each) and type(each) is str}
    for value in sorted(plain, key=lambda each: (-len(each), each)):
        forms.update(dict.fromkeys((value, *_in_json(value))))
    return tuple(forms), Words(forms), tuple(map(_own_pattern, shapes))


def _in_json(value: str) -> tuple[str, ...]:
    """The value in the middle of a JSON text, as plain and as escaped as programs write it."""
    if value.isascii() and value.isalnum():
        return ()
    plain = jsons.dumps(value, ensure_ascii=False)[1:-1]
    return plain, jsons.dumps(value)[1:-1].replace("/", "\\/")


def _own_pattern(source: str) -> re.Pattern[str]:
    from operators_edge.redaction import own_patterns  # noqa: PLC0415 - few people have any

    return own_patterns.compiled(source)


def certainly(text: str, *, values: Iterable[str] = ()) -> str:
    """What kind of secret a text that is to be kept holds beyond doubt: "github", "secret"; "" for none.

    ``redact`` hides what may be one, which suits a log. A text that somebody wrote is refused for it, so here
    a value after a telling name has to look made up, too: ``password: reset`` holds none.
    """
    from operators_edge.redaction.randomness import is_made_up  # noqa: PLC0415 - for a text that is kept

    plain = (each for each in values if type(each) is str)
    for each in findings(text, values=plain):
        if each.why in _SURE or is_made_up(text[each.begin : each.end]):
            return each.kind or "secret"
    return ""


_SURE = frozenset({"value", "format"})


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
    found = {value for name, value in env.items() if is_secret_name(name)}
    return tuple(sorted(value for value in found if is_worth_hiding(value)))


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
    text = jsons.dumps(clean(value, limit, values=known), ensure_ascii=False)
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
