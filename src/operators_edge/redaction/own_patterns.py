"""Regular expressions of people and projects: what makes one unfit, and compiling one so that it cannot hang.

Pure. A pattern is refused if it can be tried in too many ways at one place of a text; a repetition without an
end is given one. Does not own where such patterns are written (``config.schema``, ``bridge.settings``).
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_WAYS = 1000
"""In which one pattern may be tried at one place: a megabyte takes seconds then, not hours."""

MAX_REPEATS = 1000
"""Of a repetition without an end: no secret that is worth a pattern is longer."""

MAX_PATTERNS = 100
"""Patterns of one list."""

_PARSER, _COMPILER = "re._parser", "re._compiler"
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT")
_UNFIT = {
    "GROUPREF": "it refers to a group",
    "GROUPREF_EXISTS": "it depends on a group",
}
_CATEGORIES = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}


def problems(where: str, patterns: Any) -> list[str]:
    """What is wrong with a list of patterns, a sentence each."""
    if not isinstance(patterns, list) or not all(isinstance(each, str) for each in patterns):
        return [f"{where} must be a list of texts"]
    if len(patterns) > MAX_PATTERNS:
        return [f"{where} has {len(patterns)} patterns, at most {MAX_PATTERNS} are allowed"]
    found = ((number, problem(each)) for number, each in enumerate(patterns))
    return [f"{where}[{number}] {why}" for number, why in found if why]


def problem(source: str) -> str:
    """Why a pattern cannot be used; "" if it can."""
    try:
        tree = import_module(_PARSER).parse(source)
        if re.compile(source).fullmatch("") is not None:
            return "matches an empty text"
        ways = _ways(list(tree), is_last=True)
    except (re.error, RecursionError, OverflowError) as error:
        return f"is no regular expression: {error}"
    except _Unfit as error:
        return f"could take too long: {error}"
    if ways > MAX_WAYS:
        return (
            f"could take too long: its repetitions can be tried in {min(ways, 10**9):,} ways or more, and "
            f"{MAX_WAYS:,} are allowed; bound them, as in [a-z]{{1,30}}"
        )
    return ""


@lru_cache(maxsize=256)
def compiled(source: str) -> re.Pattern[str]:
    """The pattern, each of its repetitions bounded."""
    tree = import_module(_PARSER).parse(source)
    _bound(tree)
    made: re.Pattern[str] = import_module(_COMPILER).compile(tree)
    return made


def _bound(tree: Any) -> None:
    for at, (kind, given) in enumerate(tree):
        for inner in _trees(given):
            _bound(inner)
        if str(kind) in _REPEATS or str(kind) == "POSSESSIVE_REPEAT":
            least, most, inner = given
            tree[at] = (kind, (least, min(most, max(least, MAX_REPEATS)), inner))


def _trees(given: Any) -> list[Any]:
    """The parts of a part."""
    if isinstance(given, tuple | list):
        return [tree for each in given for tree in _trees(each)]
    return [given] if hasattr(given, "getwidth") else []


# -- in how many ways a pattern can be tried -------------------------------------------------------


class _Unfit(Exception):
    pass


def _ways(parts: list[Any], following: Any = None, *, is_last: bool) -> int:
    """At one place, at most; ``is_last``: nothing follows that could fail and try again."""
    found = 1
    for at, part in enumerate(parts):
        is_end = at + 1 == len(parts)
        behind = following if is_end else parts[at + 1]
        found *= _ways_of(part, behind, is_last=is_last and is_end)
    return found


def _ways_of(part: Any, following: Any, *, is_last: bool) -> int:
    kind, given = str(part[0]), part[1]
    if kind in _UNFIT:
        raise _Unfit(_UNFIT[kind])
    if kind == "BRANCH":
        return sum(_ways(list(each), following, is_last=is_last) for each in given[1])
    is_group = kind == "SUBPATTERN"
    inner = [
        _ways(list(each), following if is_group else None, is_last=is_last and is_group)
        for each in _trees(given)
    ]
    product = 1
    for each in inner:
        product *= each
    if kind in ("ATOMIC_GROUP", "POSSESSIVE_REPEAT"):
        return product
    if kind not in _REPEATS:
        return product
    least, most, tree = given
    times: int = min(most, max(least, MAX_REPEATS)) - least
    if times > 0 and any(_varies(each) for each in tree):
        raise _Unfit("it repeats what contains a repetition")
    if is_last or times == 0 or _is_decided(list(tree), following):
        return product
    return product * times


def _varies(part: Any) -> bool:
    kind, given = str(part[0]), part[1]
    is_so: bool = kind == "BRANCH" or (kind in _REPEATS and given[0] != given[1])
    return is_so or any(_varies(each) for tree in _trees(given) for each in tree)


def _is_decided(repeated: list[Any], following: Any) -> bool:
    """Whether the character that follows cannot be one of those repeated, so that there is one way to end."""
    if len(repeated) != 1 or following is None or str(following[0]) != "LITERAL":
        return False
    kind, given = str(repeated[0][0]), repeated[0][1]
    char = chr(following[1])
    if kind == "LITERAL":
        return chr(given).lower() != char.lower()
    if kind == "NOT_LITERAL":
        return bool(given == following[1])
    return kind == "IN" and not any(
        _holds(given, each) for each in {char, char.lower(), char.upper()} if len(each) == 1
    )


def _holds(members: list[Any], char: str) -> bool:
    """Whether a set of characters has this one."""
    is_in, is_negated = False, False
    for kind, given in members:
        if str(kind) == "NEGATE":
            is_negated = True
        elif str(kind) == "LITERAL":
            is_in |= given == ord(char)
        elif str(kind) == "RANGE":
            is_in |= given[0] <= ord(char) <= given[1]
        else:
            name = str(given).removeprefix("CATEGORY_")
            is_not = name.startswith("NOT_")
            matches = re.match(_CATEGORIES.get(name.removeprefix("NOT_"), "."), char) is not None
            is_in |= matches is not is_not
    return is_in is not is_negated


# end of module
