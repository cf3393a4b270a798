"""The text of a project's test files, to search it for words.

Owns finding and reading them within bounds, and reports when a bound was reached. Does not own what the words
are for (``quality.checks``) or the names of test files (``evidence.tamper.test_cases``).
"""

from __future__ import annotations

import os

from operators_edge.evidence.tamper import test_cases
from operators_edge.quality.checks import Corpus

MAX_ENTRIES = 20_000
"""Names in folders that are read."""

MAX_FILES = 1_000
MAX_BYTES = 8_000_000
MAX_FILE_BYTES = 200_000
"""A longer test file is probably generated: its beginning is enough."""

_SKIPPED_FOLDERS = frozenset(
    {"node_modules", "dist", "build", "target", "vendor", "venv", "site-packages", "coverage"}
    | {"__pycache__"}
)
"""Folders of third-party or generated code; those whose name begins with a dot are skipped, too."""


def texts(root: str) -> Corpus:
    """Read the test files below the root, no links followed."""
    parts: list[str] = []
    seen = size = 0
    is_whole = True
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            each for each in folders if not each.startswith(".") and each not in _SKIPPED_FOLDERS
        )
        seen += len(folders) + len(names)
        if seen > MAX_ENTRIES:
            is_whole = False
            break
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not test_cases.language(os.path.relpath(path, root).replace(os.sep, "/")):
                continue
            if len(parts) >= MAX_FILES or size >= MAX_BYTES:
                return Corpus("\n".join(parts), is_whole=False)
            text = _text(path)
            if text is None:
                is_whole = False
                continue
            size += len(text)
            is_whole = is_whole and len(text) < MAX_FILE_BYTES
            parts.append(text)
    return Corpus("\n".join(parts), is_whole)


def _text(path: str) -> str | None:
    """The beginning of a regular file; None if it cannot be read."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            return file.read(MAX_FILE_BYTES).decode("utf-8", "replace").lower()
    except OSError:
        return None


# end of module
