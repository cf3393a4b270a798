"""The retrospective: what memory, archive and scores show together, and one proposal for it (GE-4).

Pure: the archive's entries and the time are passed in. Does not own reading the archive, when the DREAM gear
runs, or its junction (``loop.service``).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.inquiry import research
from operators_edge.memory import similarity
from operators_edge.quality import score
from operators_edge.state.lesson import reinforced
from operators_edge.state.schema import maps
from operators_edge.system.digest import sha256_hex
from operators_edge.text import timestamps
from operators_edge.text.tokens import terms
from operators_edge.text.wording import many, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from operators_edge.model import State

    Entry = dict[str, Any]

RECURRING_TIMES = 3
"""Mismatches of one kind within ``REMEMBERED`` that are no accident any more."""

LOOKBACK = timedelta(days=90)
MAX_RESEARCH_WAIT = timedelta(days=7)
"""Blocking research that has been open for longer needs a decision."""

LARGE_MEMORY, SMALL_MEMORY = 15, 5
"""Numbers of lessons above which a memory counts as large, and below which as small."""

_MAX_TEXT = 100
_MAX_THEMES = 3

FULL = len(score.CHECKS)

_VALUE = {"high": 100, "medium": 60, "low": 30}
_EFFORT = {"small": 0, "medium": 20, "large": 40}

SUBJECTS = {
    "git": r"\bgit\b|\bmerge|\brebase|\bbranch|\bcommit",
    "tests": r"\btests?\b|\bassert|\bpytest|\bfixture",
    "imports": r"\bimport|\bmodule\b|\bdependenc|\bpackage",
    "paths": r"\bpaths?\b|\bno such file|\bdirectory|\bnot found",
    "permissions": r"\bpermission|\bdenied|\bforbidden|\bunauthori[sz]ed|\b40[13]\b",
    "timeouts": r"\btime[ds]?[ -]?out|\bdeadline|\bslow|\bhangs?\b",
    "parsing": r"\bpars(?:e|ing)|\bsyntax|\bdecode|\bjson\b|\byaml\b",
}
"""What mismatches are about, recognised by their words."""


class Reflection(NamedTuple):
    """The result. ``proposal`` is None if nothing is worth a decision, or the session had its proposal.

    A proposal: {"id", "type", "title", "description", "priority": high|medium|low, "effort":
    small|medium|large, "evidence": [text], "run": a command that does it or starts it, "step": its text as a
    step of a plan}. The id depends only on the type and the subject, so an answered one is recognised.
    """

    proposal: dict[str, Any] | None
    observations: tuple[str, ...]
    telemetry: dict[str, Any]


def had_proposal(state: State, session: str) -> bool:
    """Whether this session had its one proposal: it is pending, or the state's ``gear`` names the session."""
    pending = state.get("junction")
    if isinstance(pending, dict) and pending.get("type") == "proposal":
        return True
    gear = state.get("gear")
    made = gear.get("proposal_session") if isinstance(gear, dict) else None
    return bool(session) and made == session


def reflect(
    state: State, archive: Iterable[Entry], *, now: datetime, had_proposal: bool = False
) -> Reflection:
    """Review memory, archive and scores; choose the best proposal that was not answered before."""
    entries = list(archive)
    lessons = _lessons(state)
    candidates = sorted(_candidates(state, lessons, entries, now), key=lambda each: -each[0])
    answered = {
        str(each.get("fingerprint"))
        for each in maps(state.get("junction_history"))
        if each.get("type") == "proposal"
    }
    open_ones = [each for _, each in candidates if each["id"] not in answered]
    telemetry = {
        "lessons": len(lessons),
        "low_value": sum(reinforced(each) <= 1 for each in lessons),
        "high_value": sum(reinforced(each) >= RECURRING_TIMES for each in lessons),
        "archived": len(entries),
        "candidates": len(candidates),
        "answered_before": len(candidates) - len(open_ones),
        "held_back": len(open_ones) if had_proposal else max(0, len(open_ones) - 1),
    }
    proposal = open_ones[0] if open_ones and not had_proposal else None
    return Reflection(proposal, tuple(_observations(state, lessons, entries)), telemetry)


# -- proposals -------------------------------------------------------------------------------------


def _candidates(
    state: State, lessons: list[Entry], archive: list[Entry], now: datetime
) -> Iterator[tuple[float, Entry]]:
    yield from _recurring(state, archive, now)
    yield from _needed_again(state, archive, now)
    yield from _waiting_research(state, now)
    yield from _weaknesses(state, archive)
    yield from _similar_lessons(lessons)


def _recurring(state: State, archive: list[Entry], now: datetime) -> Iterator[tuple[float, Entry]]:
    """Mismatches about one subject that keep coming back."""
    by_kind: dict[str, list[str]] = {}
    for each in _mismatches(state, archive, now):
        text = _text_of(each)
        for kind, pattern in SUBJECTS.items():
            if re.search(pattern, text, re.IGNORECASE):
                by_kind.setdefault(kind, []).append(one_line(text, _MAX_TEXT))
                break
    for kind, texts in by_kind.items():
        if len(texts) < RECURRING_TIMES:
            continue
        yield _proposal(
            "guardrail",
            kind,
            title=f"Prevent mismatches about {kind}: {len(texts)} in {LOOKBACK.days} days",
            description="The result differed from the plan in the same area again and again."
            " A constraint, or a check that runs earlier, would prevent it.",
            priority="high" if len(texts) > RECURRING_TIMES else "medium",
            effort="medium",
            evidence=texts[-RECURRING_TIMES:],
            run=f'edge constraint "…"   (what would have prevented mismatches about {kind})',
            step=f"Find what the mismatches about {kind} have in common and prevent it",
            times=len(texts),
        )


def _needed_again(
    state: State, archive: list[Entry], now: datetime
) -> Iterator[tuple[float, Entry]]:
    """A lesson that was archived, and a later mismatch that it was about."""
    present = {str(each.get("trigger")) for each in _lessons(state)}
    recent = _mismatches(state, archive, now)
    for lesson in archive:
        trigger = str(lesson.get("trigger") or "")
        if lesson.get("type") != "decayed_lesson" or trigger in present:
            continue
        if later := _mismatches_about(
            trigger, recent, since=timestamps.parse(lesson.get("timestamp"))
        ):
            yield _proposal(
                "restore_lesson",
                trigger,
                title=f"Restore a lesson: {one_line(trigger, 60)}",
                description="It was archived as unused, and was needed later: "
                + one_line(lesson.get("lesson"), _MAX_TEXT),
                priority="medium",
                effort="small",
                evidence=[one_line(_text_of(each), _MAX_TEXT) for each in later[-RECURRING_TIMES:]],
                run=f'edge lesson add   (again: "{one_line(trigger, 60)}")',
                step=f"Restore the lesson about {one_line(trigger, 60)}",
                times=len(later),
            )


def _mismatches_about(trigger: str, recent: list[Entry], *, since: datetime | None) -> list[Entry]:
    """The later mismatches that contain every word of the trigger; a single word is too little."""
    words = _terms_of(trigger)
    if len(words) < 2 or since is None:
        return []
    return [
        each
        for each in recent
        if words <= _terms_of(_text_of(each))
        and (timestamps.parse(each.get("timestamp")) or since) > since
    ]


def _waiting_research(state: State, now: datetime) -> Iterator[tuple[float, Entry]]:
    for each in maps(state.get("research")):
        is_open = each.get("status", research.OPEN[0]) in research.OPEN
        created = timestamps.parse(each.get("created"))
        if not is_open or each.get("priority") != "critical" or created is None:
            continue
        if now - created > MAX_RESEARCH_WAIT:
            ident, topic = str(each.get("id") or ""), one_line(each.get("topic"), 60)
            yield _proposal(
                "research",
                ident or topic,
                title=f"Decide about research {ident}: {topic}",
                description=f"It blocks the work and has been open for {(now - created).days} days.",
                priority="medium",
                effort="small",
                evidence=[f"created {created.date().isoformat()}"],
                run=f"edge research show {ident}",
                step=f"Load the results of research {ident}, or cancel it",
                times=1,
            )


def _weaknesses(state: State, archive: list[Entry]) -> Iterator[tuple[float, Entry]]:
    """Checks of the score that are missed repeatedly; older scores only have totals."""
    before = score.past_scores(archive)
    known = [*before, *_current_score(state)]
    low = sum(each.total < FULL for each in before)
    reasons = {
        name: f"{times} of the last {len(known)} scores miss it."
        for name, times in score.recurring(known).items()
        if times >= RECURRING_TIMES
    }
    if low >= 2 and all(each.missed is None for each in before):
        reason = f"The latest score misses it, and {low} of {len(before)} before were not full."
        reasons = dict.fromkeys(_latest_missed(state, archive), reason)
    totals = ", ".join(str(each.total) for each in before)
    for name, reason in reasons.items():
        label = name.replace("_", " ")
        yield _proposal(
            "improvement",
            name,
            title=f"Address a weakness: {label}",
            description=reason,
            priority="medium",
            effort="medium",
            evidence=[f"scores of finished objectives: {totals}"],
            run="edge score",
            step=f"Work on {label}: decide what is done differently from now on",
            times=low,
        )


def _similar_lessons(lessons: list[Entry]) -> Iterator[tuple[float, Entry]]:
    """Lessons that ``edge prune`` would merge, by its own strict comparison."""
    pairs = similarity.merge(lessons)[1]
    if not pairs:
        return
    texts = [one_line(f"{each['trigger']}: {each['lesson']}", _MAX_TEXT) for each in pairs[0]]
    yield _proposal(
        "consolidation",
        "\n".join(sorted(texts)),
        title=f"Merge duplicate lessons: {many(len(pairs), 'pair')}",
        description="At most three lessons are shown with a call, and duplicates use up that space.",
        priority="low",
        effort="small",
        evidence=texts,
        run="edge prune --dry-run",
        step="Merge the duplicate lessons",
        times=len(pairs),
    )


def _proposal(kind: str, subject: str, *, times: int, **fields: Any) -> tuple[float, Entry]:
    """The rank of the proposal, and the proposal."""
    worth = _VALUE[fields["priority"]] - _EFFORT[fields["effort"]] + min(2 * times, 20)
    named = json.dumps([kind, subject], ensure_ascii=True).encode()
    return worth, {"id": sha256_hex(named)[:12], "type": kind, **fields}


# -- observations ----------------------------------------------------------------------------------


def _observations(state: State, lessons: list[Entry], archive: list[Entry]) -> Iterator[str]:
    yield from _memory_observations(lessons)
    if names := _latest_missed(state, archive):
        yield f"the latest score misses {', '.join(each.replace('_', ' ') for each in names)}"
    if len(scores := score.past_scores(archive)) > 1:
        yield f"scores of the last objectives: {', '.join(str(each.total) for each in scores)}"
    finished = [each for each in archive if each.get("type") == "completed_objective"]
    left = [each for each in finished[-score.MAX_PAST_SCORES :] if each.get("steps_left")]
    if left:
        yield f"{many(len(left), 'objective')} ended with steps that were not done"


def _memory_observations(lessons: list[Entry]) -> Iterator[str]:
    if lessons and (themes := _themes(lessons)):
        yield f"most lessons are about {', '.join(themes)}"
    if len(lessons) > LARGE_MEMORY:
        unused = sum(reinforced(each) == 0 for each in lessons)
        yield f"the memory is large: {len(lessons)} lessons, {unused} of them never helped"
    elif len(lessons) < SMALL_MEMORY:
        yield f"the memory is small: {many(len(lessons), 'lesson')}"


def _themes(lessons: list[Entry]) -> list[str]:
    """Words that the triggers of several lessons share, the most frequent first."""
    counted: Counter[str] = Counter()
    written: dict[str, str] = {}
    for each in lessons:
        spelled = {term.text: term.word for term in terms(str(each.get("trigger") or ""))}
        counted.update(sorted(spelled))
        written = {**spelled, **written}
    shared = (written[term] for term, times in counted.most_common(_MAX_THEMES) if times > 1)
    return list(dict.fromkeys(shared))


# -- small parts -----------------------------------------------------------------------------------


def _lessons(state: State) -> list[Entry]:
    return [each for each in maps(state.get("memory")) if each.get("lesson")]


def _mismatches(state: State, archive: list[Entry], now: datetime) -> list[Entry]:
    """Open and resolved ones within ``LOOKBACK``; one without a time counts as recent."""
    everything = [each for each in archive if each.get("type") == "resolved_mismatch"]
    everything += maps(state.get("mismatches"))
    return [
        each
        for each in everything
        if now - (timestamps.parse(each.get("timestamp")) or now) <= LOOKBACK
    ]


def _text_of(mismatch: Entry) -> str:
    named = ("observation", "delta", "suspected_cause", "resolution")
    return " ".join(str(mismatch[key]) for key in named if mismatch.get(key))


def _terms_of(text: str) -> frozenset[str]:
    return frozenset(term.text for term in terms(text))


def _latest_missed(state: State, archive: list[Entry]) -> tuple[str, ...]:
    """What the latest score misses: of the current objective, else of the last one that ended."""
    known = [*score.past_scores(archive), *_current_score(state)]
    return known[-1].missed or () if known else ()


def _current_score(state: State) -> list[score.PastScore]:
    found = state.get("self_score")
    missed = score.missed(found)
    return [] if missed is None else [score.PastScore(score.total_of(found) or 0, missed)]
