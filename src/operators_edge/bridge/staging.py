"""An attempt's log and patches while it runs: in the person's folder, where no executor reaches them.

They are placed in ``.ai-handoff`` with the result; then the folder is removed. What a killed watcher staged
is still there for the one that ends its attempt.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from operators_edge.bridge import layout
from operators_edge.redaction.redact import redact
from operators_edge.storage import files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

WAITING = "waiting.json"
"""The tasks that waited when an executor began that can write among them; kept while it works."""


RESULT = "result.json"
"""A result, and its task, from before it is written until all that follows from it is done."""


class Staging:
    """The folder of one attempt below ``base``."""

    def __init__(self, base: str, stem: str, attempt: int) -> None:
        self._stem = stem
        self._attempt = attempt
        self._folder = os.path.join(base, f"{stem}.{attempt}")

    def begin(self) -> None:
        """Empty: what an earlier try of the same attempt left is not part of this one."""
        self.remove()
        files.ensure_private_dir(self._folder)

    def path(self, name: str) -> str:
        """Where an artifact is, by its name relative to ``.ai-handoff``."""
        return os.path.join(self._folder, os.path.basename(name))

    def keep(self, name: str, data: bytes | None) -> None:
        """Keep what is no artifact, for the watcher that ends the attempt; nothing before it has begun."""
        if data is not None and os.path.isdir(self._folder):
            files.write_durable(self.path(name), data, mode=0o600)

    def kept(self, name: str) -> bytes | None:
        return files.read_bytes(self.path(name))

    def drop(self, name: str) -> None:
        """What was kept is over."""
        with suppress(FileNotFoundError):
            os.unlink(self.path(name))

    def log(self) -> str:
        return self.path(layout.artifacts(self._stem, self._attempt).logs)

    def patch(self, kind: str, data: bytes, *, secrets: Iterable[str], repair: int = 0) -> None:
        """Stage a patch ("pre" or "post"), and its form for people."""
        names = layout.artifacts(self._stem, self._attempt, repair)
        name = names.patch_pre if kind == "pre" else names.patch_post
        shown = redact(data.decode("utf-8", "replace"), values=secrets).encode()
        files.ensure_private_dir(self._folder)
        files.write_durable(self.path(name), data, mode=0o600)
        files.write_durable(self.path(layout.redacted(name)), shown, mode=0o600)

    def placed(self) -> Mapping[str, str]:
        """Where each artifact is that was staged, by its name relative to ``.ai-handoff``."""
        try:
            names = sorted(os.listdir(self._folder))
        except FileNotFoundError:
            return {}
        return {layout.artifact(name): self.path(name) for name in names if layout.artifact(name)}

    def named(self) -> dict[str, str]:
        """The protocol's names of what was staged, by kind, as a result has them."""
        made = layout.artifacts(self._stem, self._attempt)._asdict()
        latest = layout.artifacts(self._stem)._asdict()
        return {kind: latest[kind] for kind, name in made.items() if name in self.placed()}

    def remove(self) -> None:
        files.remove_tree(self._folder)


def results_left(base: str) -> Iterator[bytes]:
    """What is kept under ``RESULT`` of attempts that are over."""
    for each in sorted(os.scandir(base), key=lambda each: each.name):
        data = files.read_bytes(os.path.join(each.path, RESULT)) if each.is_dir() else None
        if data is not None:
            yield data


def sweep(base: str) -> None:
    """Remove what attempts that are over have left; none may be running."""
    files.sweep_folder(base)
    for each in os.scandir(base):
        if each.is_dir(follow_symlinks=False):
            files.remove_tree(each.path)


# end of module
