"""Patterns compiled when they are first needed: most calls need few of the many there are.

Owns the cache (that of ``re`` is smaller than the packs). Does not own any pattern.
"""

from __future__ import annotations

import re

_compiled: dict[str, re.Pattern[str]] = {}


def compiled(pattern: str) -> re.Pattern[str]:
    known = _compiled.get(pattern)
    if known is None:
        known = _compiled[pattern] = re.compile(pattern)
    return known


def found_in(pattern: str, text: str) -> bool:
    return compiled(pattern).search(text) is not None
