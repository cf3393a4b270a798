"""Six checks of how the work was done, from what was observed first (LC-5).

Pure. Owns what counts as each check being met, the total and its level. What somebody says of themselves
comes second: it fills in a check that evidence says nothing about, and is labelled so.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.errors import UsageError
from operators_edge.plan.edits import EditResult, checked_text, short_line
from operators_edge.state.schema import maps
from operators_edge.text.markup import hanging_indent
from operators_edge.text.wording import as_text, many

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from operators_edge.evidence.claims.judge import Claim
    from operators_edge.evidence.session_facts import Entry
    from operators_edge.model import State

CHECKS = (
    "mismatch_detection",
    "plan_revision",
    "tool_switching",
    "memory_update",
    "proof_generation",
    "stop_condition",
)
LEVELS = ((5, "real_agent"), (3, "promising_fragile"), (0, "demo_automation"))

NOT_APPLIED = "n/a"
"""The source of a check that had no occasion: not met, and not missed either."""

_WIDE = max(map(len, CHECKS))

# Junctions that the product raises by itself: nobody stopped for them.
_OWN = ("quality_gate", "mode_transition", "finding_selection", "proposal")


class Found(NamedTuple):
    """One check: ``met`` is None where it did not apply. ``note`` says by what."""

    met: bool | None
    note: str


class Course(NamedTuple):
    """What the log says since the objective was set, in the numbers of its entries."""

    failures: tuple[int, ...] = ()
    repeats: tuple[tuple[int, bool], ...] = ()
    """Where a command failed twice in a row, and whether something else was tried then."""
    mismatches: tuple[int, ...] = ()
    plans: tuple[int, ...] = ()
    lessons: int = 0
    questions: int = 0
    decisions: int = 0


def course_of(entries: Iterable[Entry]) -> Course:
    """Read the log's entries since the objective was set, oldest first."""
    failures, repeats, seen, plans = [], [], [], []
    counts = {"lesson": 0, "question": 0, "decision": 0}
    before, row = "", 0
    for entry in entries:
        event, data = entry.get("event"), entry.get("data")
        data, seq = data if isinstance(data, dict) else {}, int(entry.get("seq") or 0)
        if event == "tool":
            did = f"{entry.get('tool')}\n{data.get('command') or entry.get('file_touched') or ''}"
            if row >= 2:
                repeats.append((seq, did != before))
            failed = entry.get("success") is False
            row = (row + 1 if did == before else 1) if failed else 0
            before = did
            failures += [seq] if failed else []
        elif event in ("mismatch", "mismatch_seen") and data.get("to", "added") == "added":
            seen.append(seq)
        elif event == "plan":
            plans.append(seq)
        elif event == "lesson" and data.get("to") == "added":
            counts["lesson"] += 1
        elif event == "question" and data.get("to") == "added":
            counts["question"] += 1
        elif event in ("asked", "junction_raised") and data.get("type") not in _OWN:
            counts["decision"] += 1
    return Course(
        tuple(failures),
        tuple(repeats),
        tuple(seen),
        tuple(plans),
        counts["lesson"],
        counts["question"],
        counts["decision"],
    )


def judge(state: State, course: Course, claims: Sequence[Claim]) -> dict[str, Found]:
    """Every check, from evidence alone."""
    first = min([*course.failures, *course.mismatches], default=None)
    return {
        "mismatch_detection": _detection(state, course),
        "plan_revision": _revision(course, first),
        "tool_switching": _switching(course),
        "memory_update": Found(
            course.lessons > 0,
            f"{many(course.lessons, 'lesson')} learned" if course.lessons else "no lesson learned",
        ),
        "proof_generation": _proof(state, claims),
        "stop_condition": _stop(course),
    }


def _detection(state: State, course: Course) -> Found:
    raised = len(course.mismatches) or len(maps(state.get("mismatches")))
    if raised:
        return Found(met=True, note=f"{many(raised, 'mismatch')} raised")
    if not course.failures:
        return Found(met=None, note="nothing failed")
    return Found(met=False, note=f"{many(len(course.failures), 'failure')}, and no mismatch raised")


def _revision(course: Course, first: int | None) -> Found:
    if first is None:
        return Found(met=None, note="nothing failed")
    after = [each for each in course.plans if each > first]
    if after:
        return Found(met=True, note=f"the plan changed after it, at log {after[0]}")
    return Found(met=False, note=f"the plan did not change after log {first}")


def _switching(course: Course) -> Found:
    if not course.repeats:
        return Found(met=None, note="nothing failed twice in a row")
    at, switched = course.repeats[-1]
    if switched:
        return Found(met=True, note=f"something else was tried at log {at}")
    return Found(met=False, note=f"the same failed and was tried again at log {at}")


def _proof(state: State, claims: Sequence[Claim]) -> Found:
    done = [each for each in maps(state.get("plan")) if each.get("status") == "completed"]
    if not done:
        return Found(met=None, note="no step is completed")
    bad = [each.step for each in claims if each.verdict == "CONTRADICTED"]
    if bad:
        return Found(met=False, note=f"step {bad[0]} is CONTRADICTED")
    without = sum(not as_text(each.get("proof")) for each in done)
    if without:
        return Found(met=False, note=f"{many(without, 'completed step')} without a proof")
    verified = sum(each.verdict == "VERIFIED" for each in claims)
    return Found(met=True, note=f"{many(len(done), 'step')} with proof, {verified} VERIFIED")


def _stop(course: Course) -> Found:
    asked = course.questions + course.decisions
    if not asked:
        return Found(met=None, note="nothing was asked, and nothing risky seen")
    parts = ((course.questions, "question"), (course.decisions, "decision"))
    return Found(met=True, note=", ".join(many(n, what) for n, what in parts if n) + " raised")


# -- the edit --------------------------------------------------------------------------------------


def of(found: Mapping[str, Found], reports: Mapping[str, str], *, now: datetime) -> dict[str, Any]:
    """The score as it is kept. ``reports`` is what somebody says of a check, in their words."""
    checks: dict[str, dict[str, Any]] = {}
    for name in CHECKS:
        met, note, source = found[name].met, found[name].note, "evidence"
        if name in reports:
            text = checked_text(reports[name], f"what is said of {name}")
            note = f"{note}; self-reported: {text}"
            if met is None:
                met, source = True, "self-report"
        checks[name] = {
            "met": bool(met),
            "note": note,
            "source": source if met is not None else NOT_APPLIED,
        }
    total = sum(each["met"] for each in checks.values())
    level = next(name for least, name in LEVELS if total >= least)
    when = now.isoformat(timespec="seconds")
    return {"timestamp": when, "checks": checks, "total": total, "level": level}


def record(
    state: State,
    found: Mapping[str, Found],
    reports: Mapping[str, str],
    *,
    now: datetime,
    before: Sequence[Before] = (),
) -> EditResult:
    """Keep the score in ``self_score``, and tell it beside those of the objectives before."""
    score = of(found, reports, now=now)
    state["self_score"] = score
    checks, total, level = score["checks"], score["total"], score["level"]
    applied = sum(each["source"] != NOT_APPLIED for each in checks.values())
    told = {"total": total, "level": level, "applied": applied}
    lines = [f"Score {total} of 6 ({level}); {applied} of the checks applied", *_lines(checks)]
    known = [*before, Before(total, missed(score))]
    again = recurring(known)
    trend = {"totals": [each.total for each in before], "missed_again": again}
    lines += _trend(before, again, len(known))
    data = {**score, "applied": applied, "trend": trend}
    return EditResult("\n".join(lines), data, (("score", told),))


def _lines(checks: Mapping[str, Mapping[str, Any]]) -> list[str]:
    lines: list[str] = []
    for name, each in checks.items():
        mark = NOT_APPLIED if each["source"] == NOT_APPLIED else "yes" if each["met"] else "no"
        head = f"  {mark:>3}  {name:{_WIDE}}  "
        lines += hanging_indent(head, short_line(each["note"]))
    return lines


def report_of(text: str) -> tuple[str, str]:
    """``CHECK=TEXT`` as it is typed."""
    name, equals, why = text.partition("=")
    if not equals or name.strip() not in CHECKS:
        raise UsageError(
            f"{short_line(text)!r} names no check",
            hint=f"CHECK=TEXT, where CHECK is {', '.join(CHECKS)}",
        )
    return name.strip(), why


# -- over several objectives -----------------------------------------------------------------------

LATEST = 10
"""Completed objectives, counted from the newest, that say how the work goes now."""

_AGAIN = 2
"""Misses of the same check from which on it is a weakness and no accident."""

_TOLD = 2


class Before(NamedTuple):
    """A completed objective's score: its total, and which checks it missed, None where nobody kept that."""

    total: int
    missed: tuple[str, ...] | None


def missed(score: Any) -> tuple[str, ...] | None:
    """The checks that applied and were not met; None where a score does not tell.

    As this version keeps them, and as older ones did: there a note began with N/A where a check did not
    apply.
    """
    checks = score.get("checks") if isinstance(score, dict) else None
    if not isinstance(checks, dict):
        return None
    return tuple(
        str(name)
        for name, check in checks.items()
        if isinstance(check, dict)
        and check.get("met") is False
        and check.get("source") != NOT_APPLIED
        and not str(check.get("note") or "").upper().startswith("N/A")
    )


def total_of(score: Any) -> int | None:
    """The total of a kept score, which older archives keep alone."""
    total = score.get("total") if isinstance(score, dict) else score
    return total if type(total) is int else None


def before(archive: Iterable[Mapping[str, Any]]) -> list[Before]:
    """The scores of the last completed objectives, oldest first; one without a score is left out."""
    found = []
    for entry in archive:
        total = total_of(entry.get("self_score"))
        if entry.get("type") == "completed_objective" and total is not None:
            found.append(Before(total, missed(entry.get("score") or entry.get("self_score"))))
    return found[-LATEST:]


def recurring(scores: Sequence[Before]) -> dict[str, int]:
    """The checks that were missed more than once, and how often; the most frequent first."""
    counted = Counter(name for each in scores for name in each.missed or ())
    return {name: times for name, times in counted.most_common() if times >= _AGAIN}


def _trend(before: Sequence[Before], again: Mapping[str, int], count: int) -> list[str]:
    lines = []
    if before:
        totals = ", ".join(str(each.total) for each in before)
        lines.append(f"Objectives before, oldest first: {totals}")
    if again:
        named = ", ".join(f"{name} ({n} of {count})" for name, n in list(again.items())[:_TOLD])
        lines.append(f"Missed repeatedly: {named}")
    return lines
