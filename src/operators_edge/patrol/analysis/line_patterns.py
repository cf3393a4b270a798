"""Lines of code that a maintainer would want to know of: swallowed errors, deprecated calls, exports.

The patterns are in ``line_patterns.toml``. Only the worker that ``workers`` starts imports it. Does not own
the findings (``patrol.line_findings``).
"""

from __future__ import annotations

import os
import re
import tomllib

from operators_edge.text.lines import line_at
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

SWALLOWED, DEPRECATED, REMOVED, ONLY = "swallowed", "deprecated", "removed", "only"

_LANGUAGES = {
    "py": "python",
    **dict.fromkeys(("js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"), "js"),
    "go": "go",
    "rs": "rust",
    **dict.fromkeys(("rb", "rake"), "ruby"),
    **dict.fromkeys(("java", "kt"), "java"),
    "php": "php",
}

_GUARD = re.compile(
    r"\bexcept\b[^\n]*\b(?:ImportError|AttributeError|ModuleNotFoundError)\b|\bsys\.version|\bPY[23]\b|\bhasattr\("
    r"|\bsix\b|\btypeof\b|\.concat\s*\?|\bis(?:Buffer|Node)\b|safe-buffer"
)
_GUARD_LINES = 4
"""Lines before a call in which a guard says that it is for older versions."""

_MAX_MATCHES = 40
_MAX_EXPORTS = 400


class _Patterns(NamedTuple):
    going: tuple[tuple[re.Pattern[str], str, str], ...]
    swallowed: re.Pattern[str] | None
    only: re.Pattern[str] | None
    exports: re.Pattern[str] | None


def _table() -> dict[str, Any]:
    with open(os.path.join(os.path.dirname(__file__), "line_patterns.toml"), "rb") as file:
        return tomllib.load(file)


def _patterns(language: str) -> _Patterns:
    table = _table().get(language, {})
    going = tuple(
        (re.compile(each["pattern"], re.MULTILINE), kind, each["why"])
        for kind in (REMOVED, DEPRECATED)
        for each in table.get(kind, ())
    )
    one = {
        name: re.compile(table[name], re.MULTILINE) if name in table else None
        for name in ("swallowed", "only", "exports")
    }
    return _Patterns(going=going, **one)


_known: dict[str, _Patterns] = {}


def _of(name: str) -> _Patterns:
    language = _LANGUAGES.get(name.rpartition(".")[2].lower(), "")
    if language not in _known:
        _known[language] = _patterns(language)
    return _known[language]


def matches(code: str, name: str, *, is_test: bool) -> list[list[object]]:
    """[line, kind, why] of each match; ``code`` is the text without what comments and strings say."""
    patterns = _of(name)
    found = [[at, ONLY, ""] for at in _lines_of(patterns.only, code)] if is_test else []
    if not is_test:
        found += [[at, SWALLOWED, ""] for at in _lines_of(patterns.swallowed, code)]
    lines = code.split("\n")
    for pattern, kind, why in patterns.going:
        for at in _lines_of(pattern, code):
            before = "\n".join(lines[max(0, at - 1 - _GUARD_LINES) : at])
            if not _GUARD.search(before):
                found.append([at, kind, why])
    return sorted(found, key=lambda each: int(str(each[0])))[:_MAX_MATCHES]


def exports(code: str, name: str) -> list[list[object]]:
    """[line, name] of what others can use."""
    pattern = _of(name).exports
    if pattern is None:
        return []
    found = []
    for match in pattern.finditer(code):
        text = next(each for each in match.groups() if each)
        if text not in ("main", "default"):
            found.append([line_at(code, match.start()), text])
    return found[:_MAX_EXPORTS]


def _lines_of(pattern: re.Pattern[str] | None, code: str) -> Iterator[int]:
    if pattern is not None:
        for match in pattern.finditer(code):
            begin = match.start() + len(match[0]) - len(match[0].lstrip())
            yield line_at(code, begin)


# end of module
