"""The text of a project's test files, for a look at which words occur in them.

Owns finding and reading them within bounds, and says when a bound was hit. Does not own what the words are
for (``quality.checks``) or how a test file is told by its name (``evidence.tamper.test_cases``).
"""

from __future__ import annotations

import os
from typing import NamedTuple

from operators_edge.evidence.tamper import test_cases

MOST_ENTRIES = 20_000
"""Names in folders that are looked at."""

MOST_FILES = 1_000
MOST_BYTES = 8_000_000
LONGEST = 200_000
"""A longer test file is generated, and its beginning tells as much."""

_PASSED_OVER = frozenset(
    {"node_modules", "dist", "build", "target", "vendor", "venv", "site-packages", "coverage"}
    | {"__pycache__"}
)
"""Folders of others' or generated code; every one whose name begins with a dot is passed over, too."""


class Found(NamedTuple):
    """The lower-cased text of every test file; ``is_whole`` is False where a bound left some out."""

    text: str
    files: int
    is_whole: bool


def texts(root: str) -> Found:
    """Read the test files below the root, no links followed."""
    parts: list[str] = []
    seen = size = 0
    is_whole = True
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            each for each in folders if not each.startswith(".") and each not in _PASSED_OVER
        )
        seen += len(folders) + len(names)
        if seen > MOST_ENTRIES:
            is_whole = False
            break
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not test_cases.language(os.path.relpath(path, root).replace(os.sep, "/")):
                continue
            if len(parts) >= MOST_FILES or size >= MOST_BYTES:
                return Found("\n".join(parts), len(parts), is_whole=False)
            text = _text(path)
            if text is None:
                is_whole = False
                continue
            size += len(text)
            is_whole = is_whole and len(text) < LONGEST
            parts.append(text)
    return Found("\n".join(parts), len(parts), is_whole)


def _text(path: str) -> str | None:
    """The beginning of a regular file; None where it cannot be read."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            return file.read(LONGEST).decode("utf-8", "replace").lower()
    except OSError:
        return None
