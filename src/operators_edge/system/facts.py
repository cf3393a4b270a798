"""What the gate may ask of this machine: sizes, texts, links and the branch. Reads, never writes.

Owns the answers; does not own what follows from them. ``None`` says that there is no such thing or
that it cannot be known, which the rules treat as the worse of the two.
"""

from __future__ import annotations

import os
import stat


class SystemFacts:
    """The real ``Facts``, from the file system alone: starting git would cost more than the gate."""

    def size(self, path: str) -> int | None:
        try:
            found = os.stat(path)
        except (OSError, ValueError):
            return None
        return found.st_size if stat.S_ISREG(found.st_mode) else None

    def text(self, path: str, limit: int) -> str | None:
        if self.size(path) is None:
            return None
        try:
            with open(path, encoding="utf-8") as file:
                return file.read(limit)
        except (OSError, ValueError):
            return None

    def branch(self, cwd: str) -> str | None:
        head = _head_file(cwd)
        text = self.text(head, 4096) if head else None
        prefix = "ref: refs/heads/"
        return text[len(prefix) :].strip() if text and text.startswith(prefix) else None

    def real(self, path: str) -> str | None:
        try:
            return os.path.realpath(path)
        except (OSError, ValueError):
            return None


def _head_file(cwd: str) -> str | None:
    """The HEAD file of the repository around ``cwd``, through the ``.git`` file of a worktree."""
    folder = cwd
    while True:
        git = os.path.join(folder, ".git")
        if os.path.isdir(git):
            return os.path.join(git, "HEAD")
        if os.path.isfile(git):
            with open(git, encoding="utf-8", errors="replace") as file:
                _, _, target = file.read(4096).partition("gitdir:")
            return os.path.join(folder, target.strip(), "HEAD")
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
