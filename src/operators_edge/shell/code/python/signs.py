"""What shows, before Python code is parsed, that it is worth that, or that it runs what it fetches.

Owns these patterns. Does not own computing constants (``shell.code.python.code``).
"""

from __future__ import annotations

import re

from operators_edge.shell.code.languages import LIBRARIES
from operators_edge.text.patterns import pattern

_RUNS = pattern(r"\b(?:exec|eval)\(([^\n;]{1,200})")
_FETCHES = r"\b(?:urlopen|urlretrieve|(?:requests|httpx|session|client)\.get)\("
_HOLDS = pattern(
    r"(?m)^[ \t]*(\w+)[ \t]*=(?!=)([^\n]{1,200})|\bwith[ \t]([^\n]{1,200}?)[ \t]as[ \t]+(\w+)"
)
URL = pattern(r"https?://[^\s'\"]{1,200}")


def runs_fetched(code: str) -> bool:
    """Whether Python runs what it has just fetched."""
    runs = _RUNS.findall(code)
    if not runs or not re.search(_FETCHES, code):
        return False
    signs = [_FETCHES]
    for name, value, opened, alias in _HOLDS.findall(code):
        if re.search("|".join(signs), value or opened):
            signs.append(rf"\b{name or alias}\b")
    return any(re.search("|".join(signs), each) for each in runs)


_COMPUTES = pattern(
    r"getattr|\b(?:exec|eval|compile|vars|globals|locals|runpy|ctypes|posix|nt|chr|bytes|modules)\b|__"
    r"|import_module|import\s*\*|getpid|uuid4|token_hex|tempfile|getcwd|decode|fromhex|\.join\(|Path|\bi?glob\(|path|\bas\s+\w|=\s*\w+\.\w+\s*(?:[;\n]|\Z)"
)
"""Python that may name what it calls by strings."""
_FORMATS = pattern(r"['\"]\s*(?:%|\.format\(|\[)|\bf['\"]")
_STARTS = pattern(r"\b(?:os|subprocess|shutil|pty)\b")
_IMPORTS = pattern(
    rf"\b(?:from|import)[ \t]+(?:[\w., \t]+,[ \t]*)?(?:{'|'.join(LIBRARIES)})\b"
    r"|push_to_h|publish_to_hub"
    r"|(?:from|import)[ \t]+(?:huggingface_hub|kagglehub|kaggle|modelscope)\b"
)
"""Python whose calls of libraries are worth reading."""
_REPEATS = pattern(
    r"\bdef\s+\w+\([^)]|\*\s*\[|\bexecutable\b|\bfor\s[\w, ]+\sin\b|\bpartial\(|(?m:^)\s+self\.\w+\s*="
)
"""Python whose functions and loops are worth reading with what they are given."""


def is_computed(code: str) -> bool:
    may_start = _STARTS.search(code) is not None
    is_formatted = may_start and (_FORMATS.search(code) or _REPEATS.search(code)) is not None
    return is_formatted or _COMPUTES.search(code) is not None or _IMPORTS.search(code) is not None


# end of module
