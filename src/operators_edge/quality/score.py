"""Six checks of how the work was done, from evidence alone (LC-5).

Pure. Owns when each check is met, the total and its level. A self-report is kept with a check, labelled as
such, and counts for nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from operators_edge.errors import UsageError
from operators_edge.plan.edits import EditResult, checked_text, short_line
from operators_edge.state.schema import maps
from operators_edge.text.markup import hanging_indent
from operators_edge.text.wording import as_text, many
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from operators_edge.evidence.claims.model import Claim
    from operators_edge.model import State
    from operators_edge.records import LogEntry

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
"""The source of a check that did not apply: neither met nor missed."""

_NAME_WIDTH = max(map(len, CHECKS))

# Junctions that the product raises on its own: the agent did not stop for them.
_OWN_JUNCTIONS = ("quality_gate", "mode_transition", "finding_selection", "proposal")


class Rating(NamedTuple):
    """One check: ``met`` is None if it did not apply; ``note`` gives the reason."""

    met: bool | None
    note: str


def judge(state: State, entries: Iterable[LogEntry], claims: Sequence[Claim]) -> dict[str, Rating]:
    """Every check from evidence: the log since the objective was set, oldest entry first, and the claims."""
    seen: defaultdict[str, list[LogEntry]] = defaultdict(list)
    for entry in entries:
        if kind := _kind_of(entry):
            seen[kind].append(entry)
    failures = [_number(each) for each in seen["call"] if each.get("success") is False]
    mismatches = [_number(each) for each in seen["mismatch"]]
    raised = len(mismatches) or len(maps(state.get("mismatches")))
    first = min((*failures, *mismatches), default=None)
    lessons = len(seen["lesson"])
    learned = f"{many(lessons, 'lesson')} learned" if lessons else "no lesson learned"
    return {
        "mismatch_detection": _mismatch_detection(raised, len(failures)),
        "plan_revision": _plan_revision(_revisions(seen["plan"]), first),
        "tool_switching": _tool_switching(seen["call"]),
        "memory_update": Rating(lessons > 0, learned),
        "proof_generation": _proof_generation(state, claims),
        "stop_condition": _stop_condition(len(seen["question"]), len(seen["decision"])),
    }


_KINDS = {
    "tool": "call",
    "mismatch": "mismatch",
    "mismatch_seen": "mismatch",
    "plan": "plan",
    "lesson": "lesson",
    "question": "question",
    "asked": "decision",
    "junction_raised": "decision",
}
"""What each event of the log counts as."""


def _kind_of(entry: LogEntry) -> str:
    """What an entry counts as, "" for nothing. Mismatches, lessons and questions count when added."""
    kind, data = _KINDS.get(str(entry.get("event")), ""), _data(entry)
    if kind == "decision" and data.get("type") in _OWN_JUNCTIONS:
        return ""
    is_added = data.get("to", "added") == "added"
    return kind if is_added or kind not in ("mismatch", "lesson", "question") else ""


def _reactions_to_repeats(calls: Iterable[LogEntry]) -> Iterator[tuple[int, bool]]:
    """After two failures of one call in a row: the next call, and whether it is a different one."""
    before, row = "", 0
    for entry in calls:
        about = _data(entry).get("command") or entry.get("file_touched") or ""
        call = f"{entry.get('tool')}\n{about}"
        if row >= 2:
            yield _number(entry), call != before
        row = row + 1 if call == before else 1
        if entry.get("success") is not False:
            row = 0
        before = call


def _data(entry: LogEntry) -> dict[str, Any]:
    data = entry.get("data")
    return data if isinstance(data, dict) else {}


def _number(entry: LogEntry) -> int:
    return int(entry.get("seq") or 0)


def _mismatch_detection(raised: int, failures: int) -> Rating:
    if raised:
        return Rating(met=True, note=f"{many(raised, 'mismatch')} raised")
    if not failures:
        return Rating(met=None, note="nothing failed")
    return Rating(met=False, note=f"{many(failures, 'failure')}, and no mismatch raised")


def _revisions(plans: Iterable[LogEntry]) -> list[int]:
    """Where the steps themselves changed; that one was begun or completed is no revision."""
    found, before = [], None
    for entry in plans:
        steps = [each.get("key") for each in maps(_data(entry).get("steps"))]
        if steps != before:
            found.append(_number(entry))
        before = steps
    return found


def _plan_revision(plans: Sequence[int], first: int | None) -> Rating:
    if first is None:
        return Rating(met=None, note="nothing failed")
    later = [each for each in plans if each > first]
    if later:
        return Rating(met=True, note=f"the plan changed after it, at log {later[0]}")
    return Rating(met=False, note=f"the plan did not change after log {first}")


def _tool_switching(calls: Sequence[LogEntry]) -> Rating:
    reactions = list(_reactions_to_repeats(calls))
    if not reactions:
        return Rating(met=None, note="nothing failed twice in a row")
    at, is_other = reactions[-1]
    if is_other:
        return Rating(met=True, note=f"something else was tried at log {at}")
    return Rating(met=False, note=f"the failed call was repeated at log {at}")


def _proof_generation(state: State, claims: Sequence[Claim]) -> Rating:
    done = [each for each in maps(state.get("plan")) if each.get("status") == "completed"]
    if not done:
        return Rating(met=None, note="no step is completed")
    bad = [each for each in claims if each.verdict in ("CONTRADICTED", "OVERRIDDEN")]
    if bad:
        return Rating(met=False, note=f"step {bad[0].step} is {bad[0].verdict}")
    without = sum(not as_text(each.get("proof")) for each in done)
    if without:
        return Rating(met=False, note=f"{many(without, 'completed step')} without a proof")
    verified = sum(each.verdict == "VERIFIED" for each in claims)
    return Rating(met=True, note=f"{many(len(done), 'step')} with proof, {verified} VERIFIED")


def _stop_condition(questions: int, decisions: int) -> Rating:
    if not questions and not decisions:
        return Rating(met=None, note="no question was asked, and no risky call was made")
    parts = ((questions, "question"), (decisions, "decision"))
    return Rating(met=True, note=", ".join(many(n, what) for n, what in parts if n) + " raised")


# -- the edit --------------------------------------------------------------------------------------


def score_of(
    ratings: Mapping[str, Rating], reports: Mapping[str, str], *, now: datetime
) -> dict[str, Any]:
    """The score as it is stored; ``reports`` holds self-reports by check."""
    checks: dict[str, dict[str, Any]] = {}
    for name in CHECKS:
        met, note = ratings[name]
        if name in reports:
            text = checked_text(reports[name], f"the report about {name}")
            note = f"{note}; self-reported: {text}"
        checks[name] = {
            "met": bool(met),
            "note": note,
            "source": "evidence" if met is not None else NOT_APPLIED,
        }
    total = sum(each["met"] for each in checks.values())
    level = next(name for least, name in LEVELS if total >= least)
    when = now.isoformat(timespec="seconds")
    return {"timestamp": when, "checks": checks, "total": total, "level": level}


def record(
    state: State,
    ratings: Mapping[str, Rating],
    reports: Mapping[str, str],
    *,
    now: datetime,
    before: Sequence[PastScore] = (),
) -> EditResult:
    """Store the score in ``self_score``, and report it with those of earlier objectives."""
    score = score_of(ratings, reports, now=now)
    state["self_score"] = score
    checks, total, level = score["checks"], score["total"], score["level"]
    applied = sum(each["source"] != NOT_APPLIED for each in checks.values())
    event = {"total": total, "level": level, "applied": applied}
    lines = [f"Score {total} of 6 ({level}); {applied} of the checks applied", *_lines(checks)]
    scores = [*before, PastScore(total, missed(score))]
    recurring_checks = recurring(scores)
    trend = {"totals": [each.total for each in before], "missed_again": recurring_checks}
    lines += _trend(before, recurring_checks, len(scores))
    data = {**score, "applied": applied, "trend": trend}
    return EditResult("\n".join(lines), data, (("score", event),))


def _lines(checks: Mapping[str, Mapping[str, Any]]) -> list[str]:
    lines: list[str] = []
    for name, each in checks.items():
        mark = NOT_APPLIED if each["source"] == NOT_APPLIED else "yes" if each["met"] else "no"
        head = f"  {mark:>3}  {name:{_NAME_WIDTH}}  "
        lines += hanging_indent(head, short_line(each["note"]))
    return lines


def report_of(text: str) -> tuple[str, str]:
    """``CHECK=TEXT`` as typed."""
    name, equals, why = text.partition("=")
    if not equals or name.strip() not in CHECKS:
        raise UsageError(
            f"{short_line(text)!r} is not the name of a check",
            hint=f"CHECK=TEXT, where CHECK is {', '.join(CHECKS)}",
        )
    return name.strip(), why


# -- over several objectives -----------------------------------------------------------------------

MAX_PAST_SCORES = 10
"""The newest completed objectives, which show how work goes now."""

_RECURRING_TIMES = 2
"""A check that was missed this often is a weakness."""

_MAX_NAMED = 2


class PastScore(NamedTuple):
    """The score of a completed objective: its total, and the checks it missed, None if unknown."""

    total: int
    missed: tuple[str, ...] | None


def missed(score: Any) -> tuple[str, ...] | None:
    """The checks that applied and were not met; None if the score does not show it.

    In older versions the note of a check that did not apply began with N/A.
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
    """The total of a stored score; older archives hold only the total."""
    total = score.get("total") if isinstance(score, dict) else score
    return total if type(total) is int else None


def past_scores(archive: Iterable[Mapping[str, Any]]) -> list[PastScore]:
    """The scores of the last completed objectives, oldest first; those without a score are skipped."""
    found = []
    for entry in archive:
        total = total_of(entry.get("self_score"))
        if entry.get("type") == "completed_objective" and total is not None:
            found.append(PastScore(total, missed(entry.get("score") or entry.get("self_score"))))
    return found[-MAX_PAST_SCORES:]


def recurring(scores: Sequence[PastScore]) -> dict[str, int]:
    """The checks that were missed more than once, and how often; the most frequent first."""
    counted = Counter(name for each in scores for name in each.missed or ())
    return {name: times for name, times in counted.most_common() if times >= _RECURRING_TIMES}


def _trend(before: Sequence[PastScore], again: Mapping[str, int], count: int) -> list[str]:
    lines = []
    if before:
        totals = ", ".join(str(each.total) for each in before)
        lines.append(f"Earlier objectives, oldest first: {totals}")
    if again:
        named = ", ".join(
            f"{name} ({n} of {count})" for name, n in list(again.items())[:_MAX_NAMED]
        )
        lines.append(f"Missed repeatedly: {named}")
    return lines


# end of module
