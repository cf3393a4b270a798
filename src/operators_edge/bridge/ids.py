"""Task ids: which are safe as file and branch names, and the name for the result of one that is not.

Pure. An id names files, a lock and a git branch, on every system, so the rules are those of all of them.
"""

from __future__ import annotations

import re

from operators_edge.system.digest import sha256_hex

MAX_LENGTH = 200
"""Of the whole id: file names of an attempt add up to 50 characters, and most systems take 255."""

PATTERN = r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\.[A-Za-z0-9_-]+)*"
_ID = re.compile(PATTERN)
_ATTEMPT_END = re.compile(r"\.attempt-\d+\Z", re.IGNORECASE)
_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10)))
)


def problem_with(ident: str) -> str:
    """Why this cannot be a task's id, as the end of a sentence; "" if it can."""
    if not _ID.fullmatch(ident):
        return (
            "must start with a letter or digit, and have only letters, digits, _, - and single dots"
        )
    if len(ident) > MAX_LENGTH:
        return f"is longer than {MAX_LENGTH} characters"
    if ident.lower().endswith(".lock"):
        return "must not end in .lock: git refuses such a branch"
    if _ATTEMPT_END.search(ident):
        return "must not end in .attempt-N: that names the result of one attempt"
    if ident.lower().split(".")[0] in _DEVICES:
        return "is the name of a device on Windows"
    return ""


def safe_stem(stem: str) -> str:
    """The file stem under which the result of this task file is written, whatever the file is called."""
    return refused(stem) if problem_with(stem) else stem


def refused(stem: str) -> str:
    """The name for a file whose own name cannot be that of a task."""
    return f"refused-{sha256_hex(stem.encode('utf-8', 'surrogateescape'))[:16]}"


# end of module
