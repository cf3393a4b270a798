"""What the memory, the archive and the scores say together, and the one thing to do about it (GE-4).

Pure: the archive's entries and the time are passed in. Does not own their reading (``loop.dream``), when a
dream comes, or what becomes of its proposal (the engine).
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

RECURRING = 3
"""Mismatches of one kind within ``REMEMBERED`` that are no accident any more."""

REMEMBERED = timedelta(days=90)
WAITED = timedelta(days=7)
"""Research that blocks the work and waits for longer has to be decided on."""

GROWING, SPARSE = 15, 5
"""Lessons from which on a memory grows, and up to which it is sparse."""

_SHOWN = 100
_THEMES = 3

FULL = len(score.CHECKS)

_VALUE = {"high": 100, "medium": 60, "low": 30}
_EFFORT = {"small": 0, "medium": 20, "large": 40}

KINDS = {
    "git": r"\bgit\b|\bmerge|\brebase|\bbranch|\bcommit",
    "tests": r"\btests?\b|\bassert|\bpytest|\bfixture",
    "imports": r"\bimport|\bmodule\b|\bdependenc|\bpackage",
    "paths": r"\bpaths?\b|\bno such file|\bdirectory|\bnot found",
    "permissions": r"\bpermission|\bdenied|\bforbidden|\bunauthori[sz]ed|\b40[13]\b",
    "timeouts": r"\btime[ds]?[ -]?out|\bdeadline|\bslow|\bhangs?\b",
    "parsing": r"\bpars(?:e|ing)|\bsyntax|\bdecode|\bjson\b|\byaml\b",
}
"""What mismatches are about, by the words in which they were kept."""


class Reflection(NamedTuple):
    """What a dream saw. ``proposal`` is None where nothing is worth a decision, or one was asked for already.

    A proposal: {"id", "type", "title", "description", "priority": high|medium|low, "effort":
    small|medium|large, "evidence": [text], "run": a command that does it or begins it, "step": what a plan
    would say of it}. Its id is the same as long as it is about the same thing.
    """

    proposal: dict[str, Any] | None
    observations: tuple[str, ...]
    telemetry: dict[str, Any]


def is_spent(state: State, session: str) -> bool:
    """Whether this session had its one proposal: it pends, or the gear says that it was made."""
    pending = state.get("junction")
    if isinstance(pending, dict) and pending.get("type") == "proposal":
        return True
    gear = state.get("gear")
    made = gear.get("proposal_session") if isinstance(gear, dict) else None
    return bool(session) and made == session


def reflect(
    state: State, archive: Iterable[Entry], *, now: datetime, is_spent: bool = False
) -> Reflection:
    """Look at everything that is remembered; the best proposal that nobody answered yet."""
    kept = list(archive)
    lessons = _lessons(state)
    found = sorted(_candidates(state, lessons, kept, now), key=lambda each: -each[0])
    answered = {
        str(each.get("fingerprint"))
        for each in maps(state.get("junction_history"))
        if each.get("type") == "proposal"
    }
    open_ones = [each for _, each in found if each["id"] not in answered]
    telemetry = {
        "lessons": len(lessons),
        "low_value": sum(reinforced(each) <= 1 for each in lessons),
        "high_value": sum(reinforced(each) >= RECURRING for each in lessons),
        "archived": len(kept),
        "candidates": len(found),
        "answered_before": len(found) - len(open_ones),
        "held_back": len(open_ones) if is_spent else max(0, len(open_ones) - 1),
    }
    proposal = open_ones[0] if open_ones and not is_spent else None
    return Reflection(proposal, tuple(_observations(state, lessons, kept)), telemetry)


# -- proposals -------------------------------------------------------------------------------------


def _candidates(
    state: State, lessons: list[Entry], archive: list[Entry], now: datetime
) -> Iterator[tuple[float, Entry]]:
    yield from _recurring(state, archive, now)
    yield from _needed_again(state, archive, now)
    yield from _waiting_research(state, now)
    yield from _weaknesses(state, archive)
    yield from _alike_lessons(lessons)


def _recurring(state: State, archive: list[Entry], now: datetime) -> Iterator[tuple[float, Entry]]:
    """Mismatches of one kind that come again and again, and no constraint stops."""
    by_kind: dict[str, list[str]] = {}
    for each in _mismatches(state, archive, now):
        text = _said(each)
        for kind, pattern in KINDS.items():
            if re.search(pattern, text, re.IGNORECASE):
                by_kind.setdefault(kind, []).append(one_line(text, _SHOWN))
                break
    for kind, texts in by_kind.items():
        if len(texts) < RECURRING:
            continue
        yield _proposal(
            "guardrail",
            kind,
            title=f"Prevent mismatches about {kind}: {len(texts)} in {REMEMBERED.days} days",
            description="Reality differed from the plan in the same place again and again."
            " A constraint, or a check that runs earlier, would end it.",
            priority="high" if len(texts) > RECURRING else "medium",
            effort="medium",
            evidence=texts[-RECURRING:],
            run=f'edge constraint "…"   (what would have prevented mismatches about {kind})',
            step=f"Find what the mismatches about {kind} have in common and prevent it",
            times=len(texts),
        )


def _needed_again(
    state: State, archive: list[Entry], now: datetime
) -> Iterator[tuple[float, Entry]]:
    """A lesson that left the memory, and a mismatch afterwards that it was about."""
    there = {str(each.get("trigger")) for each in _lessons(state)}
    recent = _mismatches(state, archive, now)
    for lesson in archive:
        trigger = str(lesson.get("trigger") or "")
        if lesson.get("type") != "decayed_lesson" or trigger in there:
            continue
        if again := _mismatches_about(
            trigger, recent, since=timestamps.parse(lesson.get("timestamp"))
        ):
            yield _proposal(
                "restore_lesson",
                trigger,
                title=f"Take a lesson back: {one_line(trigger, 60)}",
                description="It left the memory unused, and then it was needed: "
                + one_line(lesson.get("lesson"), _SHOWN),
                priority="medium",
                effort="small",
                evidence=[one_line(_said(each), _SHOWN) for each in again[-RECURRING:]],
                run=f'edge lesson add   (again: "{one_line(trigger, 60)}")',
                step=f"Take the lesson about {one_line(trigger, 60)} back into the memory",
                times=len(again),
            )


def _mismatches_about(trigger: str, recent: list[Entry], *, since: datetime | None) -> list[Entry]:
    """The later mismatches with every word of the trigger; one word alone says too little."""
    words = _words(trigger)
    if len(words) < 2 or since is None:
        return []
    return [
        each
        for each in recent
        if words <= _words(_said(each))
        and (timestamps.parse(each.get("timestamp")) or since) > since
    ]


def _waiting_research(state: State, now: datetime) -> Iterator[tuple[float, Entry]]:
    for each in maps(state.get("research")):
        is_open = each.get("status", research.OPEN[0]) in research.OPEN
        created = timestamps.parse(each.get("created"))
        if not is_open or each.get("priority") != "critical" or created is None:
            continue
        if now - created > WAITED:
            ident, topic = str(each.get("id") or ""), one_line(each.get("topic"), 60)
            yield _proposal(
                "research",
                ident or topic,
                title=f"Decide about research {ident}: {topic}",
                description=f"It blocks the work and waits for {(now - created).days} days.",
                priority="medium",
                effort="small",
                evidence=[f"created {created.date().isoformat()}"],
                run=f"edge research show {ident}",
                step=f"Bring in the results of research {ident}, or cancel it",
                times=1,
            )


def _weaknesses(state: State, archive: list[Entry]) -> Iterator[tuple[float, Entry]]:
    """Checks of the score that are missed again and again; of older scores only the totals are known."""
    before = score.before(archive)
    known = [*before, *_scored_now(state)]
    low = sum(each.total < FULL for each in before)
    found = {
        name: f"{times} of the last {len(known)} scores miss it."
        for name, times in score.recurring(known).items()
        if times >= RECURRING
    }
    if low >= 2 and all(each.missed is None for each in before):
        why = f"The latest score misses it, and {low} of {len(before)} before were not full."
        found = dict.fromkeys(_unmet(state, archive), why)
    totals = ", ".join(str(each.total) for each in before)
    for name, why in found.items():
        shown = name.replace("_", " ")
        yield _proposal(
            "improvement",
            name,
            title=f"Address a weakness: {shown}",
            description=why,
            priority="medium",
            effort="medium",
            evidence=[f"scores of finished objectives: {totals}"],
            run="edge score",
            step=f"Work on {shown}: decide what is done differently from now on",
            times=low,
        )


def _alike_lessons(lessons: list[Entry]) -> Iterator[tuple[float, Entry]]:
    """What ``edge prune`` would put together, and nothing that only seems to be the same."""
    pairs = similarity.merged(lessons)[1]
    if not pairs:
        return
    texts = [one_line(f"{each['trigger']}: {each['lesson']}", _SHOWN) for each in pairs[0]]
    yield _proposal(
        "consolidation",
        "\n".join(sorted(texts)),
        title=f"Merge lessons that say the same: {many(len(pairs), 'pair')}",
        description="Lessons that are alike take each other's place when one is needed.",
        priority="low",
        effort="small",
        evidence=texts,
        run="edge prune --dry-run",
        step="Merge the lessons that say the same",
        times=len(pairs),
    )


def _proposal(kind: str, subject: str, *, times: int, **fields: Any) -> tuple[float, Entry]:
    """How much it is worth, and the proposal."""
    worth = _VALUE[fields["priority"]] - _EFFORT[fields["effort"]] + min(2 * times, 20)
    named = json.dumps([kind, subject], ensure_ascii=True).encode()
    return worth, {"id": sha256_hex(named)[:12], "type": kind, **fields}


# -- observations ----------------------------------------------------------------------------------


def _observations(state: State, lessons: list[Entry], archive: list[Entry]) -> Iterator[str]:
    yield from _of_memory(lessons)
    if names := _unmet(state, archive):
        yield f"the latest score misses {', '.join(each.replace('_', ' ') for each in names)}"
    if len(scores := score.before(archive)) > 1:
        yield f"scores of the last objectives: {', '.join(str(each.total) for each in scores)}"
    finished = [each for each in archive if each.get("type") == "completed_objective"]
    left = [each for each in finished[-score.LATEST :] if each.get("steps_left")]
    if left:
        yield f"{many(len(left), 'objective')} ended with steps that were not done"


def _of_memory(lessons: list[Entry]) -> Iterator[str]:
    if lessons and (themes := _themes(lessons)):
        yield f"most lessons are about {', '.join(themes)}"
    if len(lessons) > GROWING:
        unused = sum(reinforced(each) == 0 for each in lessons)
        yield f"the memory grows: {len(lessons)} lessons, {unused} of them never seen to help"
    elif len(lessons) < SPARSE:
        yield f"the memory is sparse: {many(len(lessons), 'lesson')}"


def _themes(lessons: list[Entry]) -> list[str]:
    """The words that several lessons' triggers have in common, the most frequent first."""
    counted: Counter[str] = Counter()
    written: dict[str, str] = {}
    for each in lessons:
        found = {term.text: term.word for term in terms(str(each.get("trigger") or ""))}
        counted.update(sorted(found))
        written = {**found, **written}
    shared = (written[term] for term, times in counted.most_common(_THEMES) if times > 1)
    return list(dict.fromkeys(shared))


# -- small parts -----------------------------------------------------------------------------------


def _lessons(state: State) -> list[Entry]:
    return [each for each in maps(state.get("memory")) if each.get("lesson")]


def _mismatches(state: State, archive: list[Entry], now: datetime) -> list[Entry]:
    """Open and resolved ones of the last while; one without a time counts, as it stands in the state."""
    everything = [each for each in archive if each.get("type") == "resolved_mismatch"]
    everything += maps(state.get("mismatches"))
    return [
        each
        for each in everything
        if now - (timestamps.parse(each.get("timestamp")) or now) <= REMEMBERED
    ]


def _said(mismatch: Entry) -> str:
    named = ("observation", "delta", "suspected_cause", "resolution")
    return " ".join(str(mismatch[key]) for key in named if mismatch.get(key))


def _words(text: str) -> frozenset[str]:
    return frozenset(term.text for term in terms(text))


def _unmet(state: State, archive: list[Entry]) -> tuple[str, ...]:
    """What the latest score misses: of the work at hand, else of the objective that ended last."""
    known = [*score.before(archive), *_scored_now(state)]
    return known[-1].missed or () if known else ()


def _scored_now(state: State) -> list[score.Before]:
    found = state.get("self_score")
    missed = score.missed(found)
    return [] if missed is None else [score.Before(score.total_of(found) or 0, missed)]
