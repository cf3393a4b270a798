"""What the log adds up to at one place in it, kept so that a lost cache does not cost the whole log.

Owns ``.proof/log/*.checkpoint``, beside the sealed segments and outside of the cache. One is written by the
process that seals a segment, and by a reader that had to fold more than a segment. It is the result of a pure
fold and is believed only if this person's key sealed it, for this project, and the log still has the line at
which it ends. ``edge log verify`` folds the whole log and compares. Does not own what is folded
(``evidence.store``) or what is read after it.
"""

from __future__ import annotations

import os
import time

from operators_edge import jsons
from operators_edge.errors import EdgeError
from operators_edge.storage import files, keys, segments
from operators_edge.system.digest import sha256_hex
from operators_edge.system.user_dirs import project_id
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from operators_edge.records import LogEntry
    from operators_edge.storage.segments import Position

ENDING = ".checkpoint"

_LOOK_AT_CLOCK = 500


class Fold(NamedTuple):
    """One record that the log adds up to: an empty one, and how entries are added to it."""

    empty: Callable[[], Any]
    add: Callable[[Any, list[LogEntry]], Any]


class Kept(NamedTuple):
    """The records by their names, and where in the log they end; None: at its beginning."""

    records: dict[str, Any]
    where: Position | None


class Checkpoint:
    """The checkpoint with that name; ``version`` is of the records' form."""

    def __init__(
        self,
        root: str,
        name: str,
        folds: Mapping[str, Fold],
        *,
        version: int,
        env: Mapping[str, str] = os.environ,
    ) -> None:
        self.root = root
        self.folds = folds
        self.version = version
        self.env = env
        self.path = os.path.join(segments.sealed_dir(root), f"{name}{ENDING}")

    def load(self) -> Kept | None:
        """What is kept; None if nothing is that can be believed."""
        try:
            data = files.read_bytes(self.path)
            if data is None:
                return None
            first, *lines = data.split(b"\n")
            head = jsons.loads(first)
            about, sums = head["about"], head["about"]["sums"]
            if about["version"] != self.version or list(sums) != list(self.folds):
                return None
            if [sha256_hex(line) for line in lines] != list(sums.values()):
                return None
            if head["seal"] != self._seal(about):
                return None
            records = {name: jsons.loads(line) for name, line in zip(sums, lines, strict=True)}
            segment, offset, digest = about["position"]
        except (EdgeError, OSError, ValueError, KeyError, TypeError):
            return None  # it only saves time: the log has it all
        return Kept(records, (int(segment), int(offset), str(digest)))

    def reach(self, seconds: float = float("inf")) -> Kept:
        """The records at the end of the log, or as far as that time allows; they are kept, too."""
        kept = self.load()
        if kept is not None:
            try:
                return self._fold_on(kept, seconds)
            except segments.PositionLost:
                pass  # of another log
        return self._fold_on(Kept(self.new(), None), seconds)

    def new(self) -> dict[str, Any]:
        """The records of an empty log."""
        return {name: each.empty() for name, each in self.folds.items()}

    def add(self, records: dict[str, Any], entry: LogEntry) -> None:
        """Add an entry to every record."""
        for name, each in self.folds.items():
            each.add(records[name], [entry])

    def _fold_on(self, kept: Kept, seconds: float) -> Kept:
        until = time.monotonic() + seconds
        last: tuple[bytes, tuple[int, int]] | None = None
        for number, last in enumerate(segments.all_lines(self.root, kept.where), 1):
            entry = segments.parsed(last[0])
            if entry is not None:
                self.add(kept.records, entry)
            if number % segments.KEEP_EVERY == 0:
                self._write(Kept(kept.records, segments.position(*last)))
            if number % _LOOK_AT_CLOCK == 0 and time.monotonic() > until:
                break
        if last is None:
            return kept
        reached = Kept(kept.records, segments.position(*last))
        self._write(reached)
        return reached

    def _write(self, kept: Kept) -> None:
        lines = [jsons.dumps(each).encode() for each in kept.records.values()]
        sums = dict(zip(kept.records, map(sha256_hex, lines), strict=True))
        about = {"version": self.version, "position": kept.where, "sums": sums}
        try:
            head = jsons.dumps({"about": about, "seal": self._seal(about)}).encode()
        except EdgeError:
            return  # without a key nobody could believe it
        files.write_cache(self.path, b"\n".join([head, *lines]))

    def _seal(self, about: Mapping[str, Any]) -> str:
        text = jsons.dumps(about, sort_keys=True)
        return keys.seal(f"checkpoint\n{project_id(self.root)}\n{text}", env=self.env)


def is_near_end(root: str, where: Position | None) -> bool:
    """Whether no whole segment follows a place in the log, so that what follows is soon read."""
    sealed = segments.sealed(root)
    if where is None:
        return not sealed
    return not any(first > where[0] for first, _ in sealed)


def paths(root: str) -> list[str]:
    """The files of every checkpoint."""
    folder = segments.sealed_dir(root)
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise files.failure("read", folder, error) from error
    return [os.path.join(folder, name) for name in names if name.endswith(ENDING)]


def forget(root: str) -> None:
    """Remove every checkpoint: the log that they were made from is no more."""
    for path in paths(root):
        try:
            os.unlink(path)
        except OSError as error:
            raise files.failure("remove", path, error) from error


class Audit:
    """Compares what was kept with a new fold, while someone reads every line of the log in order."""

    def __init__(self, checkpoint: Checkpoint, others: Mapping[str, Kept]) -> None:
        """``others``: some of the same records that were kept elsewhere, by their paths."""
        self._checkpoint = checkpoint
        self._records = checkpoint.new()
        self._differing: list[str] = []
        own = checkpoint.load()
        if own is not None:
            others = {**others, checkpoint.path: own}
        elif os.path.lexists(checkpoint.path):
            self._differing.append(checkpoint.path)
        self._waiting: dict[str, list[tuple[str, dict[str, Any]]]] = {}
        for path, kept in others.items():
            if kept.where is not None:
                self._waiting.setdefault(kept.where[2], []).append((path, kept.records))

    def line(self, entry: LogEntry, digest: str) -> None:
        """The next entry, and the digest of its line."""
        if not self._waiting:
            return
        self._checkpoint.add(self._records, entry)
        for path, kept in self._waiting.pop(digest, ()):
            now = {name: self._records[name] for name in kept}
            if _canonical(now) != _canonical(kept):
                self._differing.append(path)

    def differing(self) -> list[str]:
        """The files, relative to the project, that do not follow from the log."""
        beyond = [path for waiting in self._waiting.values() for path, _ in waiting]
        root = self._checkpoint.root
        return [os.path.relpath(path, root) for path in (*self._differing, *beyond)]


def _canonical(records: Mapping[str, Any]) -> str:
    return jsons.dumps(records, sort_keys=True)


# end of module
