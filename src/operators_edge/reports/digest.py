"""The digest: what the last day held, as Markdown, with at most three recommendations (RE-4).

Pure. Owns what it shows, in which order, and what is recommended for which number. Does not own reading the
project (``reports.digest_service``), how an entry reads (``reports.entries``) or the verdicts
(``reports.proof_ledger``).
"""

from __future__ import annotations

import os
from collections import Counter

from operators_edge.evidence import session_facts
from operators_edge.reports import traceability
from operators_edge.text.markdown import plain, table
from operators_edge.text.wording import cut, many
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from operators_edge.records import LogEntry
    from operators_edge.reports.entries import Line
    from operators_edge.reports.proof_ledger import Row as Claim
    from operators_edge.reports.traceability import Row

MAX_RECOMMENDATIONS = 3
HOT_SHARE = 25
"""Percent of the edits: a file with more is worth a look."""
FAILURE_SHARE = 5
"""Percent of the calls: with more failures than that they are worth a look."""

_TOP_FILES = 5
_MANY_EDITS = 3
"""A file with fewer edits is not hot, whatever its share."""
_MAX_LINES = 8
_TEXT = 120


class Day(NamedTuple):
    """What a digest is made of. ``entries`` and ``lines`` belong together, oldest first.

    ``open``: the questions that wait for a person. ``claims`` are those of the plan now, ``steps`` how many
    of its steps are done, and how many there are. ``problems``: what could not be read.
    """

    name: str
    root: str
    since: datetime
    until: datetime
    entries: Sequence[LogEntry]
    lines: Sequence[Line]
    is_cut: bool = False
    objective: str = ""
    steps: tuple[int, int] = (0, 0)
    claims: Sequence[Claim] = ()
    open: Sequence[str] = ()
    history: Sequence[Row] = ()
    problems: Sequence[str] = ()


class Recommendation(NamedTuple):
    """What to do, and the number that it comes from; plain text, which may quote the log."""

    what: str
    why: str


class Digest(NamedTuple):
    """A digest as Markdown, and what it recommends, the most important first."""

    markdown: str
    recommendations: tuple[Recommendation, ...]


class _Check(NamedTuple):
    name: str
    passed: bool | None
    seq: int


class _Facts(NamedTuple):
    """What the entries of the day add up to."""

    calls: int
    failed: Counter[str]
    last_failed: dict[str, int]
    edits: Counter[str]
    checks: list[_Check]
    decided: list[str]
    stopped: list[Line]
    learned: list[Line]
    done: list[Line]
    sessions: int
    prompts: int


def digest(day: Day) -> Digest:
    """The digest of a day."""
    facts = _facts(day)
    advice = tuple(_recommended(day, facts))[:MAX_RECOMMENDATIONS]
    parts = [
        f"# Digest of {plain(day.name)}, {day.until:%Y-%m-%d}",
        _opening(day, facts),
        *_section("Worth doing next", _numbered(advice)),
        *_section("Done", _done(day, facts)),
        *_section("Decided by a person", _bullets(facts.decided)),
        *_section("Stopped", _bullets(map(_described, facts.stopped))),
        *_section("Failed", _failed(facts)),
        *_section("Learned", _bullets(map(_described, facts.learned))),
        *_section("Files", _files(facts)),
        *_section("Traceability", _traceability(day)),
        *_section("Not read", _bullets(map(plain, day.problems))),
    ]
    return Digest("\n\n".join(parts) + "\n", advice)


# -- what happened ---------------------------------------------------------------------------------


def _facts(day: Day) -> _Facts:
    calls = [line for line in day.lines if traceability.is_call(line)]
    failed = [line for line in calls if line.outcome == "failed"]
    return _Facts(
        calls=len(calls),
        failed=Counter(_named(line) for line in failed),
        last_failed={_named(line): line.seq for line in failed},
        edits=Counter(
            _path(line.file, day.root)
            for line in calls
            if line.kind == "edit" and line.file and line.outcome != "failed"
        ),
        checks=[*_checks(day.entries)],
        decided=[*_decided(day.lines, day.entries)],
        stopped=[
            line for line in day.lines if line.kind in ("gate", "claim") and line.tone == "bad"
        ],
        learned=[line for line in day.lines if line.event in _LEARNED],
        done=[*_completed(day)],
        sessions=len({line.session for line in calls if line.session}),
        prompts=sum(line.event == "prompt" for line in day.lines),
    )


_LEARNED = ("lesson", "lesson_everywhere", "mismatch", "research", "lesson_used")


def _named(line: Line) -> str:
    """What a call is called in a count: its first words, as retries differ in the rest."""
    return f"{line.tool}: {cut(' '.join(line.subject.split()), 60)}" if line.subject else line.tool


def _path(path: str, root: str) -> str:
    below = os.path.join(root, "")
    return path.removeprefix(below) if path.startswith(below) else path


def _checks(entries: Iterable[LogEntry]) -> Iterable[_Check]:
    for entry in entries:
        for each in session_facts.results_of(entry):
            name = str(each["name"] or each["kind"])
            yield _Check(name, each["passed"], int(entry.get("seq") or 0))


def _decided(lines: Sequence[Line], entries: Sequence[LogEntry]) -> Iterable[str]:
    """A person's decisions, and the client's dialogs whose call then ran."""
    ran = {
        str(each["tool_use_id"])
        for each in entries
        if each.get("event") == "tool" and each.get("tool_use_id")
    }
    for line, entry in zip(lines, entries, strict=True):
        if line.event == "asked":
            is_yes = str(entry.get("tool_use_id") or "") in ran
            outcome = "approved in the client" if is_yes else "asked in the client; it did not run"
        elif line.event == "junction_decided" or line.event in _SWITCHES:
            outcome = line.outcome or line.title
        else:
            continue
        who = f" by {plain(line.who, 60)}" if line.who else ""
        subject = f": {plain(line.subject, _TEXT)}" if line.subject else ""
        yield f"{plain(outcome)}{who}{subject} (entry {line.seq})"


_SWITCHES = (
    "scope_given",
    "override_set",
    "gate_disabled",
    "gate_enabled",
    "grant_revoked",
    "configuration_trusted",
)


def _completed(day: Day) -> Iterable[Line]:
    for line, entry in zip(day.lines, day.entries, strict=True):
        data = entry.get("data") or {}
        is_step = line.event == "step" and data.get("to") == "completed"
        if is_step or line.event == "objective_archived":
            yield line


# -- what is worth doing ---------------------------------------------------------------------------


def _recommended(day: Day, facts: _Facts) -> Iterable[Recommendation]:
    """The most important first: what only a person can do, what is wrong, what gets worse, what is hot."""
    if day.open:
        waiting = "1 question waits" if len(day.open) == 1 else f"{len(day.open)} questions wait"
        yield Recommendation(f"Decide: {day.open[0]}", f"{waiting} for you: edge status")
    contradicted = [each for each in day.claims if each.verdict == "CONTRADICTED"]
    if contradicted:
        first = contradicted[0]
        why = f"{many(len(contradicted), 'claim')} contradicted by what was observed"
        yield Recommendation(f"Look at step {first.step}: {first.text}", f"{why}: edge log claims")
    broken = _last_failed(facts.checks)
    if broken:
        names = ", ".join(each.name for each in broken[:3])
        which = f"entry {broken[0].seq}"
        verb = "its last run" if len(broken) == 1 else f"the last runs of {len(broken)} checks"
        yield Recommendation(
            f"Fix {names}", f"{verb} failed ({which}): edge log show {broken[0].seq}"
        )
    fall = traceability.drift(day.history)
    if fall is not None and fall.name == "drift":
        why = f"traceability fell by {fall.fall:.1f} points, to {fall.now.cti:.1f} %"
        yield Recommendation("Say in the plan what the work is for", f"{why}: edge plan show")
    unproved = [each for each in day.claims if each.verdict in ("UNVERIFIED", "STALE")]
    if unproved:
        first = unproved[0]
        run = f"run {first.run}" if first.run else "run its checks"
        why = f"{many(len(unproved), 'claim')} without fresh evidence: edge log claims"
        yield Recommendation(f"Prove step {first.step}: {run}", why)
    yield from _failing(facts)
    yield from _hot(facts)


def _last_failed(checks: Iterable[_Check]) -> list[_Check]:
    last = {each.name: each for each in checks}
    return sorted(
        (each for each in last.values() if each.passed is False), key=lambda each: -each.seq
    )


def _failing(facts: _Facts) -> Iterable[Recommendation]:
    count = facts.failed.total()
    share = 100 * count / facts.calls if facts.calls else 0
    if share <= FAILURE_SHARE or count < _MANY_EDITS:
        return
    name, times = facts.failed.most_common(1)[0]
    why = f"{count} of {many(facts.calls, 'call')} failed ({share:.0f} %), this one {many(times, 'time')}"
    yield Recommendation(
        f"See why this fails: {name}", f"{why}: edge log show {facts.last_failed[name]}"
    )


def _hot(facts: _Facts) -> Iterable[Recommendation]:
    total = facts.edits.total()
    for path, count in facts.edits.most_common(1):
        share = 100 * count / total
        if count >= _MANY_EDITS and len(facts.edits) > 1 and share > HOT_SHARE:
            why = f"{count} of {total} edits went there ({share:.0f} %)"
            yield Recommendation(f"Look at {path}: is it doing too much?", why)


# -- the parts -------------------------------------------------------------------------------------


def _opening(day: Day, facts: _Facts) -> str:
    hours = round((day.until - day.since).total_seconds() / 3600)
    span = f"The last {hours} hours, until {day.until:%Y-%m-%d %H:%M} UTC"
    if not day.entries:
        return f"{span}: the log has no entry."
    parts = [
        many(facts.sessions, "session"),
        many(facts.prompts, "prompt"),
        many(facts.calls, "call"),
        f"{facts.failed.total()} failed",
    ]
    text = f"{span}: {', '.join(parts)}."
    if day.is_cut:
        text += f" Only the last {len(day.entries):,} entries of that time were read."
    return text


def _section(title: str, lines: Iterable[str]) -> list[str]:
    shown = [*lines]
    return ["\n".join([f"## {title}", "", *shown])] if shown else []


def _bullets(lines: Iterable[str]) -> list[str]:
    """The last ones, as many as are read at a glance."""
    found = [*lines]
    earlier = [f"- and {len(found) - _MAX_LINES} before"] if len(found) > _MAX_LINES else []
    return [*(f"- {line}" for line in found[-_MAX_LINES:]), *earlier]


def _numbered(advice: Iterable[Recommendation]) -> list[str]:
    return [
        f"{number}. **{plain(each.what, 200)}** ({plain(each.why, 200)})"
        for number, each in enumerate(advice, 1)
    ]


def _described(line: Line) -> str:
    outcome = f", {line.outcome}" if line.outcome and line.outcome not in line.title.lower() else ""
    rule = f" ({plain(line.rule, 60)})" if line.rule else ""
    subject = f": {plain(line.subject, _TEXT)}" if line.subject else ""
    return f"{plain(line.title)}{plain(outcome)}{rule}{subject} (entry {line.seq})"


def _done(day: Day, facts: _Facts) -> list[str]:
    lines = []
    done, count = day.steps
    if day.objective:
        progress = f": {done} of {many(count, 'step')} done" if count else ""
        lines.append(f"- Objective: {plain(day.objective)}{progress}")
    lines += _bullets(map(_described, facts.done))
    if facts.edits:
        edits = many(facts.edits.total(), "edit")
        lines.append(f"- {edits} in {many(len(facts.edits), 'file')}")
    if facts.checks:
        passed = sum(each.passed is True for each in facts.checks)
        lines.append(f"- {many(len(facts.checks), 'check')} run, {passed} passed")
    return lines


def _failed(facts: _Facts) -> list[str]:
    lines = [
        f"- {plain(name, _TEXT)}: {many(times, 'time')}, last in entry {facts.last_failed[name]}"
        for name, times in facts.failed.most_common(_MAX_LINES)
    ]
    more = len(facts.failed) - _MAX_LINES
    return [*lines, *([f"- and {many(more, 'other')}"] if more > 0 else [])]


def _files(facts: _Facts) -> list[str]:
    rows = [(plain(path, _TEXT), str(count)) for path, count in facts.edits.most_common(_TOP_FILES)]
    more = len(facts.edits) - len(rows)
    return [*table(("File", "Edits"), rows), *([f"\nand {more} more"] if more > 0 else [])]


def _traceability(day: Day) -> list[str]:
    if not day.history:
        return []
    return [f"`{traceability.sparkline(day.history)}` {traceability.summary(day.history)}"]


# end of module
