"""The retrospective: what memory, archive and scores show together, and one proposal for it (GE-4).

Pure: the archive's entries are passed in. Does not own reading the archive, when the DREAM gear runs, or its
junction (``loop.service``). What mismatches have in common is a finding of the patrol.
"""

from __future__ import annotations

from operators_edge import jsons
from operators_edge.memory import similarity
from operators_edge.quality import score
from operators_edge.state.lesson import reinforced
from operators_edge.state.schema import maps
from operators_edge.system.digest import sha256_hex
from operators_edge.text.wording import many, one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from operators_edge.model import State
    from operators_edge.quality.score import PastScore

    Entry = dict[str, Any]

WEAKNESS_TIMES = 3
"""A check that so many scores missed is worth a proposal."""

LARGE_MEMORY, SMALL_MEMORY = 15, 5
"""Numbers of lessons above which a memory counts as large, and below which as small."""

_MAX_TEXT = 100


class Reflection(NamedTuple):
    """The result. ``proposal`` is None if nothing is worth a decision.

    A proposal: {"id", "type", "title", "description", "priority": medium|low, "evidence": [text], "run": a
    command that starts it}. The id depends only on type and subject, so an answered one is recognised.
    """

    proposal: Entry | None
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


def reflect(state: State, archive: Iterable[Entry]) -> Reflection:
    """Review memory, archive and scores; choose the best proposal that was not answered before."""
    entries = list(archive)
    lessons = [each for each in maps(state.get("memory")) if each.get("lesson")]
    scores = [*score.past_scores(entries), *_current_score(state)]
    proposals = [*_weaknesses(scores), *_similar_lessons(lessons)]
    answered = {
        str(each.get("fingerprint"))
        for each in maps(state.get("junction_history"))
        if each.get("type") == "proposal"
    }
    open_ones = [each for each in proposals if each["id"] not in answered]
    telemetry = {"lessons": len(lessons), "archived": len(entries), "candidates": len(proposals)}
    return Reflection(
        open_ones[0] if open_ones else None,
        tuple(_observations(lessons, scores, entries)),
        telemetry,
    )


def _current_score(state: State) -> list[PastScore]:
    found = state.get("self_score")
    missed = score.missed(found)
    return [] if missed is None else [score.PastScore(score.total_of(found) or 0, missed)]


def _weaknesses(scores: Sequence[PastScore]) -> Iterator[Entry]:
    """Checks of the score that are missed again and again, the most frequent first."""
    totals = ", ".join(str(each.total) for each in scores)
    for name, times in score.recurring(scores).items():
        if times >= WEAKNESS_TIMES:
            yield _proposal(
                "improvement",
                name,
                title=f"Address a weakness: {name.replace('_', ' ')}",
                description=f"{times} of the last {len(scores)} scores miss it.",
                priority="medium",
                evidence=[f"scores: {totals}"],
                run="edge score",
            )


def _similar_lessons(lessons: list[Entry]) -> Iterator[Entry]:
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
        evidence=texts,
        run="edge prune --dry-run",
    )


def _proposal(kind: str, subject: str, **fields: Any) -> Entry:
    named = jsons.dumps([kind, subject], ensure_ascii=True).encode()
    return {"id": sha256_hex(named)[:12], "type": kind, **fields}


def _observations(
    lessons: Sequence[Entry], scores: Sequence[PastScore], archive: Sequence[Entry]
) -> Iterator[str]:
    if len(lessons) > LARGE_MEMORY:
        unused = sum(reinforced(each) == 0 for each in lessons)
        yield f"the memory is large: {len(lessons)} lessons, {unused} of them never helped"
    elif len(lessons) < SMALL_MEMORY:
        yield f"the memory is small: {many(len(lessons), 'lesson')}"
    yield from _score_observations(scores)
    finished = [each for each in archive if each.get("type") == "completed_objective"]
    if left := sum(bool(each.get("steps_left")) for each in finished[-score.MAX_PAST_SCORES :]):
        yield f"{many(left, 'objective')} ended with steps that were not done"


def _score_observations(scores: Sequence[PastScore]) -> Iterator[str]:
    if scores and (missed := scores[-1].missed):
        yield f"the latest score misses {', '.join(each.replace('_', ' ') for each in missed)}"
    if len(scores) > 1:
        yield f"the last scores: {', '.join(str(each.total) for each in scores)}"


# end of module
