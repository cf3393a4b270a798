"""Regular expressions, compiled when first used: most calls need only a few of the packs' patterns.

Owns the cache, because the one in ``re`` is smaller than the number of patterns in the packs. Does not own
any pattern.
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


# end of module
