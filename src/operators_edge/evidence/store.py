"""What the log adds up to, cached so that only what was added since must be read.

Owns ``.proof/cache/sessions`` (what each session did), ``.proof/cache/work.json`` (what all of them did since
the objective was set) and records of the whole log, such as ``.proof/cache/metrics.json``. They can be
deleted at any time and are then folded again from the log, a long one from its checkpoint
(``evidence.checkpoint_store``). Does not own what entries mean (``session_facts``, ``objective_facts``,
``metrics``).
"""

from __future__ import annotations

import copy
import os

from operators_edge import jsons
from operators_edge.cached import cached_property
from operators_edge.contexts import suppress
from operators_edge.errors import EdgeError
from operators_edge.evidence import session_facts
from operators_edge.storage import files, segments
from operators_edge.system.digest import sha256_hex
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from operators_edge.evidence.checkpoint_store import Audit, Checkpoint, Kept
    from operators_edge.evidence.metrics.counts import Record
    from operators_edge.evidence.objective_facts import ObjectiveFacts
    from operators_edge.evidence.session_facts import SessionFacts
    from operators_edge.records import LogEntry
    from operators_edge.storage.segments import Position

    T = TypeVar("T", bound=Mapping[str, Any])

VERSION = 7

OBJECTIVE = b',"event":"objective","session":'
"""In every line that sets the objective, and in no other: inside a text the quotes are escaped."""


SEALING_SECONDS = 0.5
"""How long who seals a segment brings the checkpoint on: as a rule enough for several."""


class _Cache(NamedTuple):
    """The file of one record, and how it is folded. ``mark`` is in every log line that belongs to it.

    ``kept`` finds what a checkpoint has of it, if the file is lost.
    """

    root: str
    path: str
    empty: Callable[[], Any]
    fold: Callable[[Any, list[LogEntry]], Any]
    mark: bytes = b""
    start: Callable[[str], Position | None] = lambda _: None
    kept: Callable[[], tuple[Any, Position] | None] = lambda: None

    def current(self) -> Any:
        """Fold what was added to the log since the last time, and write the result."""
        found = self.load()
        if found is not None:
            with suppress(segments.PositionLost):
                return self._catch_up(*found)
        kept = self.kept()
        if kept is not None:
            self.write(*kept)
            with suppress(segments.PositionLost):
                return self._catch_up(*kept)
        return self._catch_up(self.empty(), self.start(self.root))

    def _catch_up(self, record: Any, before: Position | None) -> Any:
        folded = 0
        last: tuple[bytes, tuple[int, int]] | None = None
        # Lines of other sessions are skipped, most of them without being split.
        for last in segments.all_lines(self.root, before, mark=self.mark):
            entry = segments.parsed(last[0]) if self.mark in last[0] else None
            if entry is not None:
                self.fold(record, [entry])
                folded += 1
                if folded % segments.KEEP_EVERY == 0:
                    self.write(record, segments.position(*last))
        if last is not None:
            self.write(record, segments.position(*last))
        return record

    def load(self) -> tuple[Any, Position] | None:
        """The stored record and where it ends; None if there is none that can be used."""
        try:
            with open(self.path, "rb") as file:
                stored = jsons.loads(file.read())
            record, (first, offset, digest) = stored["record"], stored["position"]
            expected: dict[str, Any] = dict(self.empty())
            is_ours = stored["version"] == VERSION and record.keys() == expected.keys()
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None  # a cache: the log has it all
        same = ("root", "session")
        if not is_ours or any(record.get(name) != expected.get(name) for name in same):
            return None
        return record, (int(first), int(offset), str(digest))

    def write(self, record: Any, where: Position) -> None:
        data = jsons.dumps({"version": VERSION, "position": where, "record": record}).encode()
        files.write_cache(self.path, data)


class EvidenceStore:
    """What the log of the project at ``root`` adds up to."""

    def __init__(self, root: str) -> None:
        self.root = root

    def begin(self, session: str, where: Position | None) -> None:
        """Start a new session's record at the end of the log, so that old entries are not searched."""
        cache = self._of_session(session)
        if where is not None and not os.path.lexists(cache.path):
            cache.write(cache.empty(), where)

    def session(self, session: str) -> SessionFacts:
        """What one session did."""
        found: SessionFacts = self._of_session(session).current()
        return found

    def started_at(self, session: str) -> str | None:
        """When a session began. Its first entry says so: what was added since need not be read."""
        found = self._of_session(session).load()
        began = found[0]["started_at"] if found is not None else None
        return began or self.session(session)["started_at"]

    def observations(self, session: str) -> dict[str, Any]:
        """The state's ``observations`` of a session."""
        return session_facts.observations(self.session(session))

    def work(self) -> ObjectiveFacts:
        """What all sessions did since the objective was set (QG-2), or since the log began."""
        found: ObjectiveFacts = self._work().current()
        return found

    def metrics(self) -> Record:
        """How often what happened, in the project and in each of its last sessions."""
        found: Record = self._metrics().current()
        return found

    def folded(
        self, name: str, empty: Callable[[], T], fold: Callable[[T, list[LogEntry]], T]
    ) -> T:
        """What the whole log adds up to, as ``.proof/cache/NAME.json``; an empty one has its ``root``."""
        from operators_edge.evidence import checkpoint_store  # noqa: PLC0415 - for few commands

        own = checkpoint_store.Checkpoint(
            self.root, name, {name: checkpoint_store.Fold(empty, fold)}, version=VERSION
        )

        def kept() -> tuple[T, Position] | None:
            found = own.load()
            if not checkpoint_store.is_near_end(self.root, found.where if found else None):
                found = own.reach()
            return _part(found, name)

        found: T = _Cache(self.root, self._path(name), empty, fold, kept=kept).current()
        return found

    # -- checkpoints -----------------------------------------------------------------------------

    def bring_on(self) -> None:
        """Bring the checkpoint on, after a segment of the log was sealed: not for long, and best effort."""
        with suppress(EdgeError, OSError):  # what is missing is folded later
            self._checkpoint.reach(SEALING_SECONDS)

    def audit(self) -> Audit:
        """What compares everything that is kept with the log, while its lines are read."""
        from operators_edge.evidence import checkpoint_store  # noqa: PLC0415 - for one command

        caches: list[tuple[str, _Cache]] = [
            ("work", self._work()),
            ("metrics", self._metrics()),
        ]
        others = {}
        for name, cache in caches:
            found = cache.load()
            if found is not None:
                others[cache.path] = checkpoint_store.Kept({name: found[0]}, found[1])
        return checkpoint_store.Audit(self._checkpoint, others)

    def forget(self) -> None:
        """Remove every record that was kept: the log that it was made from is another one."""
        from operators_edge.evidence import checkpoint_store  # noqa: PLC0415 - for one command

        checkpoint_store.forget(self.root)
        files.remove_tree(os.path.join(segments.folder_of(self.root), "cache"))

    @cached_property
    def _checkpoint(self) -> Checkpoint:
        from operators_edge.evidence import (  # noqa: PLC0415 - after a loss, and to seal
            checkpoint_store,
            last_sessions,
            objective_facts,
        )
        from operators_edge.evidence.metrics import counts as metrics  # noqa: PLC0415 - see above

        folds = {
            "work": checkpoint_store.Fold(
                lambda: objective_facts.new_facts(self.root), objective_facts.fold
            ),
            "metrics": checkpoint_store.Fold(lambda: metrics.new_record(self.root), metrics.fold),
            "sessions": checkpoint_store.Fold(
                lambda: last_sessions.new_facts(self.root), last_sessions.fold
            ),
        }
        return checkpoint_store.Checkpoint(self.root, "evidence", folds, version=VERSION)

    @cached_property
    def _kept(self) -> Kept | None:
        """The checkpoint as it was when it was first asked for."""
        return self._checkpoint.load()

    def _near_end(self, where: Position | None) -> Kept | None:
        """The checkpoint near the log's end; None if what follows ``where`` is soon read without it."""
        from operators_edge.evidence import checkpoint_store  # noqa: PLC0415 - after a loss only

        kept = self._kept
        if kept is not None and checkpoint_store.is_near_end(self.root, kept.where):
            return kept
        if checkpoint_store.is_near_end(self.root, where):
            return None
        kept = self.__dict__["_kept"] = self._checkpoint.reach()
        return kept

    # -- the caches ------------------------------------------------------------------------------

    def _path(self, name: str) -> str:
        return os.path.join(segments.folder_of(self.root), "cache", f"{name}.json")

    def _work(self) -> _Cache:
        from operators_edge.evidence import objective_facts  # noqa: PLC0415 - not for one session

        return _Cache(
            self.root,
            self._path("work"),
            empty=lambda: objective_facts.new_facts(self.root),
            fold=objective_facts.fold,
            start=_objective_set,
            kept=lambda: _part(self._kept_work(), "work"),
        )

    def _kept_work(self) -> Kept | None:
        # The objective is searched only without a checkpoint: through all of a long log.
        return self._near_end(_objective_set(self.root) if self._kept is None else None)

    def _metrics(self) -> _Cache:
        from operators_edge.evidence.metrics import counts as metrics  # noqa: PLC0415 - for one command

        return _Cache(
            self.root,
            self._path("metrics"),
            empty=lambda: metrics.new_record(self.root),
            fold=metrics.fold,
            kept=lambda: _part(self._near_end(None), "metrics"),
        )

    def _of_session(self, session: str) -> _Cache:
        name = sha256_hex(session.encode("utf-8", "backslashreplace"))[:32]
        return _Cache(
            self.root,
            os.path.join(segments.folder_of(self.root), "cache", "sessions", f"{name}.json"),
            empty=lambda: session_facts.new_facts(session, self.root),
            fold=session_facts.fold,
            mark=jsons.dumps(session, ensure_ascii=False).encode("utf-8", "backslashreplace"),
            kept=lambda: self._kept_session(session),
        )

    def _kept_session(self, session: str) -> tuple[SessionFacts, Position] | None:
        kept = self._kept
        if kept is None or kept.where is None or not session:
            return None
        from operators_edge.evidence import last_sessions  # noqa: PLC0415 - after a loss only

        facts = last_sessions.facts_of(kept.records["sessions"], session)
        return None if facts is None else (copy.deepcopy(facts), kept.where)


def _part(kept: Kept | None, name: str) -> tuple[Any, Position] | None:
    """One record of a checkpoint, for a caller that changes it."""
    if kept is None or kept.where is None:
        return None
    return copy.deepcopy(kept.records[name]), kept.where


def _objective_set(root: str) -> Position | None:
    """The position of the last entry that set the objective, searched from the end of the log."""
    places: list[tuple[int | None, str]] = [*segments.sealed(root)]
    places.append((None, segments.current_path(root)))
    for first, path in reversed(places):
        with segments.Opened(path) as fd:
            at = None if fd is None else segments.last_with(fd, OBJECTIVE, "objective")
            if fd is not None and at is not None:
                number = segments.first_seq(fd) if first is None else first
                before = segments.last_lines(fd, at, 1) if at else []
                return None if number is None else (number, at, sha256_hex(b"".join(before)))
    return None


# end of module
