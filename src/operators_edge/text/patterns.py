"""Patterns that are compiled when they are first used: a call needs few of the packs' and the modules'.

Owns the cache, because the one in ``re`` is smaller than the number of patterns in the packs. Does not own
any pattern.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, AnyStr

_compiled: dict[str, re.Pattern[str]] = {}


def compiled(source: str) -> re.Pattern[str]:
    known = _compiled.get(source)
    if known is None:
        known = _compiled[source] = re.compile(source)
    return known


def found_in(source: str, text: str) -> bool:
    return compiled(source).search(text) is not None


def found_in_file(source: str, text: str) -> bool:
    """``found_in``, kept: each command of a script asks for the same, and several commands run one file."""
    known = _found.get((source, text))
    if known is None:
        if len(_found) >= _MAX_FOUND:
            _found.clear()
        known = _found[source, text] = found_in(source, text)
    return known


_found: dict[tuple[str, str], bool] = {}
_MAX_FOUND = 2_048


def blanked(text: str) -> str:
    """As many signs and lines of nothing: what follows keeps its place."""
    return re.sub(r"[^\n]", " ", text)


def without(text: str, start: int, end: int) -> str:
    """The text with that part ``blanked``."""
    return text[:start] + blanked(text[start:end]) + text[end:]


class _Late:
    """Stands in for a compiled pattern; each method is looked up once."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self.pattern = source
        self.flags = flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(self.pattern, self.flags), name)
        setattr(self, name, value)
        return value


def pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """``re.compile``, postponed to the first use. It has the methods of a pattern, and is none to ``re``."""
    return _Late(source, flags)  # type: ignore[return-value]


# end of module
