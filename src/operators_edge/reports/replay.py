"""Past tool calls under today's rules: what is counted of them (CL-3).

Pure. Owns the kinds of outcomes and every count. Does not own how past calls are found
(``hosts.claude.past_sessions``), judging them (``reports.replay_service``) or the text
(``reports.replay_text``).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from operators_edge.gate import fingerprint
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Literal

    from operators_edge.model import Call, Finding, Verdict

    Outcome = Literal["allowed", "snapshot", "asked", "denied"]

STOPPED: tuple[Outcome, ...] = ("asked", "denied")

WORTH_A_SCOPE = 2
"""So many approvals of one kind, and no refusal: a wider answer would have saved the later ones."""

_MAX_KINDS = 5_000
_MAX_TEXT = 2_000


class PastCall(NamedTuple):
    """A call as a client recorded it. ``start``: the folder in which its session began; ``at``: Unix time."""

    call: Call
    start: str
    at: float


class PastAnswer(NamedTuple):
    """What a person answered when the client asked about the call with this id."""

    id: str
    is_yes: bool


class Judged(NamedTuple):
    """Today's outcome of a past call, and the finding that decides it (None where nothing was found)."""

    outcome: Outcome
    finding: Finding | None = None


def judged(verdict: Verdict) -> Judged:
    """What the verdict would mean to a person; whether a snapshot could hold everything is not known."""
    deciding = verdict.findings[0] if verdict.findings else None
    if verdict.effect == "block":
        return Judged("denied", deciding)
    if verdict.effect == "junction":
        return Judged("snapshot" if verdict.recoveries else "asked", deciding)
    return Judged("snapshot", verdict.destroys[0]) if verdict.destroys else Judged("allowed")


@dataclass
class Counts:
    """How many calls had which outcome; ``yes`` and ``no``: a person's answers then to those asked now."""

    asked: int = 0
    denied: int = 0
    snapshot: int = 0
    yes: int = 0
    no: int = 0

    def add(self, outcome: Outcome) -> None:
        if outcome != "allowed":
            setattr(self, outcome, getattr(self, outcome) + 1)

    @property
    def stopped(self) -> int:
        return self.asked + self.denied

    def as_data(self) -> dict[str, int]:
        return {
            "asked": self.asked,
            "denied": self.denied,
            "snapshot": self.snapshot,
            "approved_then": self.yes,
            "refused_then": self.no,
        }


@dataclass
class Session:
    """One session: where it began, when its first call in this time was, and its counts."""

    start: str
    first: float
    calls: int = 0
    counts: Counts = field(default_factory=Counts)


@dataclass
class Kind:
    """Calls in which one rule finds the same command in one folder.

    ``alike`` counts them with all that the same decision would cover: one rule, one subject, one folder.
    """

    rule: str
    text: str
    start: str
    alike: Counts
    counts: Counts = field(default_factory=Counts)
    sessions: set[str] = field(default_factory=set)

    @property
    def is_worth_a_scope(self) -> bool:
        return self.alike.yes >= WORTH_A_SCOPE and not self.alike.no


class Tally:
    """The counts of one replay under one set of rules.

    Bounded: calls beyond ``_MAX_KINDS`` different kinds are counted by rule, but not as kinds.
    """

    def __init__(self) -> None:
        self.calls = 0
        self.counts = Counts()
        self.sessions: dict[str, Session] = {}
        self.rules: dict[str, Counts] = {}
        self.kinds: dict[tuple[str, str, str], Kind] = {}
        self._alike: dict[tuple[str, str], Counts] = {}
        self._different: set[int] = set()
        self._open: dict[str, list[Counts]] = {}

    @property
    def different(self) -> int:
        """How many calls differ in tool, input or folder."""
        return len(self._different)

    def add(self, past: PastCall, key: int, one: Judged) -> None:
        """Count a call; equal calls have the same ``key``."""
        call = past.call
        self.calls += 1
        self._different.add(key)
        session = self.sessions.setdefault(call.session, Session(past.start, past.at))
        session.first = min(session.first, past.at)
        session.calls += 1
        if one.finding is None:
            return
        involved = [self.counts, session.counts, self.rules.setdefault(one.finding.rule, Counts())]
        kind = self._kind(past, one.finding) if one.outcome in STOPPED else None
        if kind is not None:
            kind.sessions.add(call.session)
            involved += [kind.counts, kind.alike]
        for counts in involved:
            counts.add(one.outcome)
        if one.outcome == "asked" and call.id:
            self._open[call.id] = involved

    def answer(self, given: PastAnswer) -> None:
        """Count what a person answered, if the call would be asked about today."""
        for counts in self._open.pop(given.id, ()):
            counts.yes += given.is_yes
            counts.no += not given.is_yes

    def _kind(self, past: PastCall, finding: Finding) -> Kind | None:
        covered = past.start, fingerprint.class_of(finding)
        text = (finding.understood or past.call.tool)[:_MAX_TEXT]
        key = (*covered, text)
        if key not in self.kinds and len(self.kinds) < _MAX_KINDS:
            alike = self._alike.setdefault(covered, Counts())
            self.kinds[key] = Kind(finding.rule, text, past.start, alike)
        return self.kinds.get(key)

    def most_stopped(self, most: int) -> list[Kind]:
        """The kinds that would be asked or denied most; those in more sessions first among equals."""
        ranked = sorted(
            self.kinds.values(),
            key=lambda kind: (-kind.counts.stopped, -len(kind.sessions), kind.rule, kind.text),
        )
        return ranked[:most]

    def by_rule(self) -> list[tuple[str, Counts]]:
        return sorted(
            self.rules.items(), key=lambda each: (-each[1].stopped, -each[1].snapshot, each[0])
        )

    def sessions_with(self, outcomes: Iterable[Outcome]) -> int:
        wanted = tuple(outcomes)
        return sum(
            any(getattr(session.counts, each) for each in wanted)
            for session in self.sessions.values()
        )

    def per_hundred(self) -> float:
        """Stopped calls for each hundred."""
        return 100 * self.counts.stopped / self.calls if self.calls else 0.0


class Change(NamedTuple):
    """What other rules would have changed: more calls of an outcome, or fewer, and in how many sessions."""

    outcome: Outcome
    calls: int
    sessions: int


def changes(before: Tally, after: Tally) -> Iterator[Change]:
    """The outcomes whose number differs between two replays of the same calls."""
    for outcome in ("asked", "denied", "snapshot"):
        difference = getattr(after.counts, outcome) - getattr(before.counts, outcome)
        if difference:
            sessions = sum(
                getattr(session.counts, outcome) != getattr(before.sessions[name].counts, outcome)
                for name, session in after.sessions.items()
            )
            yield Change(outcome, difference, sessions)


class Reading(NamedTuple):
    """What could not be read or known. ``unread``: files and folders with the reason."""

    unread: tuple[tuple[str, str], ...] = ()
    damaged_lines: int = 0
    is_whole: bool = True
    gone: tuple[str, ...] = ()


def as_data(tally: Tally, reading: Reading, redacted: Any, *, most: int) -> dict[str, Any]:
    """The whole replay for a program; ``redacted`` makes each command fit to be shown."""
    return {
        "calls": tally.calls,
        "different_calls": tally.different,
        **tally.counts.as_data(),
        "per_100_calls": round(tally.per_hundred(), 2),
        "sessions": [
            {
                "session": name,
                "folder": each.start,
                "first_call": each.first,
                "calls": each.calls,
                **each.counts.as_data(),
            }
            for name, each in sorted(tally.sessions.items(), key=lambda item: item[1].first)
        ],
        "rules": [{"rule": name, **counts.as_data()} for name, counts in tally.by_rule()],
        "commands": [
            {
                "rule": kind.rule,
                "command": redacted(kind.text),
                "folder": kind.start,
                "sessions": len(kind.sessions),
                **kind.counts.as_data(),
                "is_worth_a_scope": kind.is_worth_a_scope,
            }
            for kind in tally.most_stopped(most)
        ],
        "is_whole": reading.is_whole,
        "unread": [{"path": path, "why": why} for path, why in reading.unread],
        "damaged_lines": reading.damaged_lines,
        "folders_gone": list(reading.gone),
    }


# end of module
