"""Verification of the log: the chain line by line, and its end against the head in the registry.

``verify`` changes nothing except that it first finishes what a killed process left (``ProofLog.recover``).
``accept`` notes that a person knows what happened to the log; it explains what was found up to there.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field

from operators_edge.errors import EdgeError, StateError
from operators_edge.storage import keys, purges, segments
from operators_edge.system.digest import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from operators_edge.records import LogEntry
    from operators_edge.storage.log import ProofLog
    from operators_edge.storage.registry import Head

Broken = tuple[str, int, str]
"""File relative to the project, line counted from 1, and why."""

_PROBLEMS_KEPT = 100
_PROBLEMS_NAMED = 10
"""Of those that a person accepted, in the entry that says so."""

_UNANCHORED = (
    "the registry could not be written then, as on a full disk, or someone else wrote them"
)
_MISSING = "a power loss took the end, or someone cut it"


@dataclass(slots=True)
class VerifyReport:
    """``problems`` say what is wrong, ``notes`` what is worth knowing.

    ``faults`` are the problems that a full disk or a power loss leaves, too: nobody can tell afterwards.
    ``head_known`` is False if the end of the log is not recorded outside the project.
    """

    entries: int = 0
    scrubbed: int = 0
    """Entries that a person took secrets out of."""
    first_broken: Broken | None = None
    head_known: bool = False
    problems: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return self.first_broken is None and not self.problems

    @property
    def is_unanchored(self) -> bool:
        """Whether nothing is wrong but what a fault leaves, too."""
        return bool(self.faults) and len(self.faults) == len(self.problems)


def verify(
    log: ProofLog, *, follow: Callable[[LogEntry, str], None] = lambda _entry, _digest: None
) -> VerifyReport:
    """Verify the whole log up to its end at the start; writers can continue meanwhile.

    ``follow`` is called with each entry and the digest of its line.
    """
    report = VerifyReport()
    head, parts = _snapshot(log, report)
    walk = _Walk(log.root, report, head, log.registry.env if log.registry else os.environ, follow)
    try:
        for path, fd, size in parts:
            walk.file(path, fd, size)
    finally:
        for _, fd, _ in parts:
            os.close(fd)
    walk.finish()
    _note_whole_purge(log, report)
    return report


def accept(log: ProofLog, problems: list[str], *, by: str, session: str | None) -> None:
    """Append a person's signed note that the log is accepted as it is, and record its end.

    It holds for exactly the lines that are there: one that changes later is found again.
    """
    registry = log.registry
    if registry is None:
        raise StateError("The end of this log is not recorded anywhere", hint="edge doctor")

    def note(seq: int, digest: str) -> LogEntry:
        data = {"up_to": seq, "digest": digest, "by": by, "problems": problems[:_PROBLEMS_NAMED]}
        signed = keys.signed(log.root, data, env=registry.env)
        return {"event": "log_accepted", "session": session, "data": signed}

    log.accept(note)


def _note_whole_purge(log: ProofLog, report: VerifyReport) -> None:
    try:
        note = purges.kept(log.root)
    except EdgeError as error:
        report.notes.append(f"whether an earlier record was purged is not known: {error.message}")
        return
    if note is not None:
        text = f"an earlier record of this folder ({note.get('entries')} log entries)"
        report.notes.append(
            f"{text} was removed by {note.get('by')} at {note.get('at')}: edge purge"
        )


def _snapshot(
    log: ProofLog, report: VerifyReport
) -> tuple[Head | None, list[tuple[str, int, int]]]:
    """The head and every file with its size at one moment."""
    if not os.path.lexists(segments.folder_of(log.root)):
        return _head(log, report), []
    try:
        log.recover()
        with log.lock("verify the log"):
            return _head(log, report), _opened(log.root)
    except EdgeError as error:
        report.notes.append(f"Checked without the lock: {error.message}")
        return _head(log, report), _opened(log.root)


def _head(log: ProofLog, report: VerifyReport) -> Head | None:
    head = None
    try:
        head = log.registry.head() if log.registry is not None else None
        why = "nothing is recorded outside the project"
    except (EdgeError, OSError) as error:
        why = str(error)
    report.head_known = head is not None
    if head is None:
        report.notes.append(f"Head not anchored, so a cut end would not be seen: {why}")
    return head


def _opened(root: str) -> list[tuple[str, int, int]]:
    found = []
    for path in [*(path for _, path in segments.sealed(root)), segments.current_path(root)]:
        try:
            fd = segments.open_log(path)
        except FileNotFoundError:
            continue
        found.append((path, fd, os.fstat(fd).st_size))
    return found


class _Walk:
    """One pass over the lines: the previous line, and what is still undecided about it."""

    def __init__(
        self,
        root: str,
        report: VerifyReport,
        head: Head | None,
        env: Mapping[str, str],
        follow: Callable[[LogEntry, str], None],
    ) -> None:
        self.root = root
        self.env = env
        self.follow = follow
        self.report = report
        self.head = head
        self.seq = 0
        self.hash = segments.START
        self.where: tuple[str, int] = ("", 0)
        self.suspects: tuple[tuple[str, int], tuple[str, int]] | None = None
        self.hash_at_head = ""
        self.is_sure = True  # False after a line that could not be read
        self.digest = hashlib.sha256()  # of every line so far
        self.beginning: tuple[tuple[str, int], int, str] | None = None
        """Where the log begins, with which number and after which hash, if it is not the first entry."""

    def file(self, path: str, fd: int, size: int) -> None:
        name = os.path.relpath(path, self.root).replace(os.sep, "/")
        number, read = 0, 0
        for number, (line, behind) in enumerate(segments.lines(fd, 0, size), 1):
            self._line((name, number), line)
            read = behind
        if read < size:
            self._broken(
                (name, number + 1), f"it is incomplete: {size - read} bytes of a torn line"
            )

    def finish(self) -> None:
        head = self.head
        if self.beginning is not None:
            where, seq, _ = self.beginning
            self._broken(where, f"{seq - 1} missing before it: its number is {seq}, not 1")
        self._resolve_suspects(
            is_good=head is None or head["seq"] != self.seq or head["hash"] == self.hash
        )
        if head is None:
            return
        if head["seq"] > self.seq:
            self._fault(
                f"the log ends at seq {self.seq}, but seq {head['seq']} was recorded: {_MISSING}"
            )
        elif self.hash_at_head != head["hash"]:
            self._problem(f"the entry with seq {head['seq']} differs from the recorded one")
        elif head["seq"] < self.seq:
            self._fault(
                f"entries {head['seq'] + 1} to {self.seq} follow the recorded end: {_UNANCHORED}"
            )

    def _line(self, where: tuple[str, int], line: bytes) -> None:
        digest = sha256_hex(line)
        entry = segments.parsed(line)
        if entry is None:
            self._resolve_suspects(is_good=False)
            self._broken(where, "it is not an entry of the log")
            self.digest.update(line + b"\n")
            self.where, self.hash, self.is_sure = where, digest, False
            return
        is_linked = entry["prev"] == self.hash
        had_suspects = self._resolve_suspects(is_good=is_linked)
        if self.is_sure and not (had_suspects and not is_linked):
            self._follows(where, entry, is_linked=is_linked)
        if self.head is not None and entry["seq"] == self.head["seq"]:
            self.hash_at_head = digest
        self._note_report(where, entry)
        self.follow(entry, digest)
        self.digest.update(line + b"\n")
        self.report.entries += 1
        self.seq, self.hash, self.where, self.is_sure = entry["seq"], digest, where, True

    def _follows(self, where: tuple[str, int], entry: LogEntry, *, is_linked: bool) -> None:
        """Compare an entry with the line before it."""
        expected, seq = self.seq + 1, entry["seq"]
        if self.seq == 0 and seq > 1 and not self.where[0]:
            self.beginning = (where, seq, entry["prev"])
            return
        if seq != expected and not _is_reported_gap(entry):
            gap = f"{seq - expected} missing before it: its number is {seq}, not {expected}"
            self._broken(where, gap if seq > expected else f"its number is {seq}, not {expected}")
        elif not is_linked and self.where[1] == 0:
            self._broken(where, "it is the first line and names one before it")
        elif not is_linked:
            # Either the previous line or this one's own `prev` was changed: the next line decides which.
            self.suspects = (self.where, where)

    def _resolve_suspects(self, *, is_good: bool) -> bool:
        """``is_good``: the second suspect matches a later hash, so the first one was changed."""
        if self.suspects is None:
            return False
        self._broken(self.suspects[0 if is_good else 1], "it was changed: its hash does not fit")
        self.suspects = None
        return True

    def _note_report(self, where: tuple[str, int], entry: LogEntry) -> None:
        """Report what the log's own entries say about repairs."""
        data, at = entry.get("data") or {}, f"{where[0]}:{where[1]}"
        event, ends, head = entry.get("event"), data.get("ends_at"), data.get("head")
        if event == "log_tail_missing":
            self._fault(
                f"{at}: the log ended at seq {ends}, but seq {head} was recorded: {_MISSING}"
            )
        elif event == "log_replaced":
            self._problem(f"{at}: the entry with seq {head} differed from the recorded one")
        elif event == "log_unanchored":
            what = f"entries up to seq {ends} followed the recorded end {head}"
            self._fault(f"{at}: {what}: {_UNANCHORED}")
        elif event in ("log_anchored", "log_head_unreadable"):
            note = f"{at}: up to seq {ends} the end was not anchored"
            self.report.notes.append(note)
        elif event == "log_foreign":
            kept = data.get("kept")
            note = f"{at}: lines of another program were moved to {kept}: edge migrate, edge doctor"
            self.report.notes.append(note)
        elif event == "log_purged":
            self._note_purge(at, data)
        elif event == "log_accepted":
            self._accept(at, data)
        elif event == "log_scrubbed":
            self._note_scrub(at, data)
        elif event in ("log_torn", "log_completed"):
            self.report.notes.append(f"{at}: {event}, after a process was killed while writing")

    def _accept(self, at: str, data: Mapping[str, Any]) -> None:
        """What was wrong so far is explained, if this person's key signed these very lines."""
        try:
            is_genuine = keys.is_genuine(self.root, data, env=self.env)
        except EdgeError as error:
            self._problem(f"{at}: whether you accepted the log there is not known: {error.message}")
            return
        if not is_genuine:
            self._problem(f"{at}: it says that the log was accepted, but no key of yours signed it")
            return
        if data.get("digest") != self.digest.hexdigest():
            self.report.notes.append(
                f"{at}: {data.get('by')} accepted the log there; entries before it were removed or "
                "changed since, so it explains nothing"
            )
            return
        report = self.report
        report.notes += [f"{at}: accepted by {data.get('by')}: {each}" for each in report.problems]
        report.problems.clear()
        report.faults.clear()
        report.first_broken = None

    def _note_scrub(self, at: str, data: Mapping[str, Any]) -> None:
        """Secrets were taken out, and the lines chained again; a person's key signed that."""
        try:
            is_genuine = keys.is_genuine(self.root, data, env=self.env)
        except EdgeError as error:
            self._problem(f"{at}: whether you ordered this change is not known: {error.message}")
            return
        if not is_genuine:
            self._problem(
                f"{at}: it says that secrets were taken out, but no key of yours signed it"
            )
            return
        self.report.scrubbed += int(data.get("entries") or 0)
        first = data.get("first")
        since = f"; the lines from entry {first} on were chained again" if first else ""
        self.report.notes.append(
            f"{at}: secrets were taken out of {data.get('entries')} entries by {data.get('by')}: "
            f"edge log scrub{since}"
        )

    def _note_purge(self, at: str, data: Mapping[str, Any]) -> None:
        """A purge explains that the log begins later, if this person's key signed it."""
        last, days = data.get("up_to"), data.get("older_than")
        try:
            is_genuine = keys.is_genuine(self.root, data, env=self.env)
        except EdgeError as error:
            self._problem(f"{at}: whether you ordered this purge is not known: {error.message}")
            return
        if not is_genuine or not isinstance(last, int):
            self._problem(f"{at}: it says that entries were purged, but no key of yours signed it")
            return
        if self.beginning is None:
            self.report.notes.append(f"{at}: a purge was not finished; repeat it: edge purge")
            return
        _, seq, prev = self.beginning
        if seq <= last or (seq == last + 1 and prev == data.get("hash")):
            self.beginning = None
            text = f"entries up to {last} (until {str(data.get('until'))[:10]}) were removed by"
            note = f"{at}: {text} {data.get('by')}: edge purge --older-than {days}"
            self.report.notes.append(note)
            self.report.notes += [
                f"{at}: before that, verify said: {each}" for each in data.get("problems") or ()
            ]

    def _broken(self, where: tuple[str, int], why: str) -> None:
        if self.report.first_broken is None:
            self.report.first_broken = (*where, why)
        self._problem(f"{where[0]}:{where[1]}: {why}")

    def _fault(self, text: str) -> None:
        self._problem(text)
        if self.report.problems[-1] is text:
            self.report.faults.append(text)

    def _problem(self, text: str) -> None:
        if len(self.report.problems) < _PROBLEMS_KEPT:
            self.report.problems.append(text)


def _is_reported_gap(entry: LogEntry) -> bool:
    """A truncated end that the log itself reports: numbers continue after the recorded one."""
    data = entry.get("data") or {}
    return entry.get("event") == "log_tail_missing" and data.get("head") == entry["seq"] - 1


# end of module
