"""Patterns that are compiled when they are first used: a hook loads many and needs few of them."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _Late:
    """Stands in for a compiled pattern; each method is looked up once."""

    def __init__(self, source: str) -> None:
        self._source = source

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(self._source), name)
        setattr(self, name, value)
        return value


def pattern(source: str) -> re.Pattern[str]:
    """``re.compile``, postponed to the first use."""
    return _Late(source)  # type: ignore[return-value]


# end of module
