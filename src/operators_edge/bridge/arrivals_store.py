"""What others put into ``tasks/`` or change there: entered in the queue, refused, doubted, or brought back.

Does not own how a file is read (``bridge.inbox_store``) or the other transitions (``bridge.queue_store``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.bridge import ids, layout
from operators_edge.bridge.inbox_store import REFUSED, Inbox, is_gone_or_one_of
from operators_edge.bridge.queue import APPEARED, TaskRow
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.bridge.database_store import Change
    from operators_edge.bridge.queue import Stamps, TaskFile


class Arrivals:
    """One project's. ``now`` is the time as the database has it; ``read`` reads a task's file."""

    def __init__(
        self, root: str, now: Callable[[], str], read: Callable[[TaskRow], TaskFile]
    ) -> None:
        self.inbox = Inbox(root)
        self._root = root
        self._now = now
        self._read = read

    def take_in(self, change: Change, stem: str) -> bool:
        """Enter one file, under a name that the database and every file system can have.

        False: it is no queued task, and is looked at again.
        """
        try:
            known = change.task(stem)
        except UnicodeEncodeError:
            self._refuse_name(change, stem, "is not UTF-8")
            return False
        if known is None:
            self.add(change, stem, "dropped")
        elif known.stem != stem:
            self._refuse_name(change, stem, f"differs from that of {known.stem} only by case")
            return False
        elif known.state == "pending":
            moved = {"state": "queued", "answered_by": "moved"}
            change.update(known, "approved", at=self._now(), **moved)
        elif known.state in ("done", "failed"):
            found = self._read(known)
            if found.task is not None and found.attempt > known.attempt:
                fresh = {"state": "queued", "origin": "dropped", "answered_by": ""}
                self._renumber(change, known, found, **fresh)
            else:
                if stem not in self.inbox.skipped:
                    change.tell("skipped", stem, {"attempt": known.attempt}, at=self._now())
                self.inbox.skipped.add(stem)
                return False
        return True

    def add(self, change: Change, stem: str, origin: str, **fields: Any) -> None:
        """A task at the end that was not submitted but found."""
        row = TaskRow.new(change.next_sequence(), stem, origin=origin, at=self._now())
        event = "found" if origin == "found" else "dropped"
        change.update(row, event, at=self._now(), **fields)

    def _renumber(self, change: Change, row: TaskRow, found: TaskFile, **fields: Any) -> None:
        """A later attempt of a task that is over was dropped: it goes to the end."""
        fields |= {"sequence": change.next_sequence(), "attempt": found.attempt, "digest": ""}
        change.update(row, "dropped", at=self._now(), **fields)

    def _refuse_name(self, change: Change, stem: str, why: str) -> None:
        safe = ids.refused(stem)
        change.move(layout.task_file("tasks", stem), layout.task_file("tasks", safe))
        row = change.task(safe) or TaskRow.new(
            change.next_sequence(), safe, origin=REFUSED + why, at=self._now()
        )
        change.update(row, "dropped", at=self._now(), state="queued")

    # -- what an executor may have written -------------------------------------------------------

    def distrust(self, change: Change, before: Stamps, now: Stamps) -> None:
        """What came or changed waits for a person, and what is gone is there again."""
        for stem in sorted(stem for stem, each in now.items() if before.get(stem) != each):
            self._doubt(change, stem)
        for stem in sorted(before.keys() - now.keys()):
            self._bring_back(change, stem)

    def _bring_back(self, change: Change, stem: str) -> None:
        """Write the file of a task again that waits; one that was dropped in is known by its file alone."""
        known = change.task(stem)
        if known is not None and known.state == "queued" and known.text:
            change.write(layout.task_file("tasks", known.stem), known.text)

    def _doubt(self, change: Change, stem: str) -> None:
        try:
            known = change.task(stem)
        except UnicodeEncodeError:
            return  # a name that is refused in any case
        if known is None:
            self.add(change, stem, APPEARED)
            return
        found = self._read(known)
        is_ours = known.state == "queued" and known.digest == sha256_hex(found.raw)
        if known.stem != stem or is_ours:
            return
        doubted = {"state": "queued", "origin": APPEARED, "answered_by": ""}
        if known.state in ("queued", "pending"):
            change.update(known, "dropped", at=self._now(), **doubted)
        elif found.task is not None and found.attempt > known.attempt:
            self._renumber(change, known, found, **doubted)

    def planted(self, change: Change, row: TaskRow) -> list[str]:
        """The files of a running attempt that are not as the Bridge wrote them."""
        known = change.result_digests(row.stem)
        stem = ids.safe_stem(row.stem)
        own = {
            layout.task_file("running", row.stem): {row.digest},
            layout.result_file(stem): known,
            layout.attempt_result(stem, row.attempt): known,
        }
        return [
            path
            for path, digests in own.items()
            if not is_gone_or_one_of(self._root, path, digests)
        ]


# end of module
