"""A brainstorm as it stands: what its phases need, and what of it is missing.

Pure; reads what anybody may have written by hand. Does not own how it is changed (``inquiry.brainstorm``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.errors import UsageError
from operators_edge.plan.edits import short_line
from operators_edge.state.schema import maps
from operators_edge.text.wording import as_text, many

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from operators_edge.model import State

Board = dict[str, Any]

PHASES = ("diverge", "transform", "converge", "complete")
SPECTRUM = ("safe", "modest", "combo", "adjacent", "unrelated", "absurd")
PERSPECTIVES = ("child", "future", "opposite")
DENIALS = 3
WAVES = {"spectrum": len(SPECTRUM), "denial": DENIALS, "perspective": len(PERSPECTIVES)}
SELECTED = 4
EXPERT = ("name", "title", "background", "contrarian_belief", "cross_domain")
SCAMPER = ("substitute", "combine", "adapt", "modify", "put_to_other_use", "eliminate", "reverse")
ANALOGIES = 3
SCORES = ("novelty", "feasibility", "impact", "elegance")
BEST_SCORE = 10
STRESS = ("failure_mode", "wrong_assumption", "opposition", "worst_case")
TOP = ("name", "core_idea", "novelty", "feasibility", "impact", "validation", "risk", "mitigation")
ACTIONS = 3
RECOMMENDED = {
    "top": TOP,
    "runner_up": ("name", "core_idea"),
    "wild_card": ("name", "core_idea", "risk_reward"),
}
OUTCOMES = ("implemented", "deferred", "rejected")


def board_of(state: State) -> Board:
    """The brainstorm as it stands; {} where there is none."""
    value = state.get("brainstorm")
    if not value:
        return {}
    if not isinstance(value, dict):
        raise UsageError(
            "brainstorm in active_context.yaml is no mapping, so nothing can be read from it",
            hint="take it out there, or write brainstorm: null",
        )
    return value


def is_finished(board: Any) -> bool:
    """Whether a prune may archive it."""
    return isinstance(board, dict) and board.get("phase") == "complete"


def phase_of(board: Board) -> str:
    """Its phase; the first where it says none that there is."""
    phase = board.get("phase")
    return phase if isinstance(phase, str) and phase in PHASES else PHASES[0]


def missing(board: Board) -> list[str]:
    """What its phase, and those before it, still ask for, in words."""
    here = PHASES.index(phase_of(board))
    return [
        each for phase in PHASES[: here + 1] if phase in _MISSING for each in _MISSING[phase](board)
    ]


def progress(board: Board) -> str:
    """Its counts on a line."""
    ideas = maps(board.get("ideas"))
    waves = [f"{name} {count(ideas, name)}/{most}" for name, most in WAVES.items()]
    selected = f"selected {len(chosen(board))}/{SELECTED}"
    return f"{board.get('id')} {phase_of(board)}: {', '.join([*waves, selected])}"


def lines(board: Board) -> list[str]:
    """All of it, for a person."""
    found = [f"{short_line(board.get('challenge'))}", progress(board)]
    expert = board.get("expert")
    if isinstance(expert, dict) and as_text(expert.get("name")):
        found.append(f"  expert: {short_line(expert['name'])}, {short_line(expert.get('title'))}")
    totals = {str(each.get("idea_id")): total(each) for each in maps(board.get("transformed"))}
    for each in maps(board.get("ideas")):
        mark = "*" if each.get("selected") is True else " "
        kind = each.get("type") or each.get("perspective") or each.get("wave")
        score = totals.get(str(each.get("id")))
        points = f" ({score} points)" if score else ""
        found.append(f"{mark} {each.get('id')} {short_line(each.get('title'))} [{kind}]{points}")
    for name in RECOMMENDED:
        each = as_map(as_map(board.get("recommendations")).get(name))
        if as_text(each.get("name")):
            found.append(
                f"{name.replace('_', ' ')}: {short_line(each['name'])}: {short_line(each.get('core_idea'))}"
            )
    found += [f"  {n}. {short_line(each)}" for n, each in enumerate(actions(board), 1)]
    return found + [f"  missing: {each}" for each in missing(board)]


def _of_diverge(board: Board) -> Iterator[str]:
    yield from _lacking(board.get("expert"), EXPERT, "expert")
    ideas = maps(board.get("ideas"))
    for key, kinds, wave in (
        ("type", SPECTRUM, "spectrum"),
        ("perspective", PERSPECTIVES, "perspective"),
    ):
        there = {each.get(key) for each in ideas if each.get("wave") == wave}
        if left := [kind for kind in kinds if kind not in there]:
            yield f"{wave}: {', '.join(left)}"
    if (left_over := DENIALS - count(ideas, "denial")) > 0:
        yield f"denial: {many(left_over, 'idea')}"
    if len(chosen(board)) != SELECTED:
        yield f"{SELECTED} selected ideas, not {len(chosen(board))}"


def _of_transform(board: Board) -> Iterator[str]:
    for ident, each in worked_out(board):
        yield from _lacking(each.get("scamper"), SCAMPER, f"{ident} scamper")
        there = [value for value in as_map(each.get("analogies")).values() if as_text(value)]
        if len(there) < ANALOGIES:
            yield f"{ident} analogies: {ANALOGIES - len(there)} more"


def _of_converge(board: Board) -> Iterator[str]:
    for ident, each in worked_out(board):
        yield from _lacking(each.get("scores"), SCORES, f"{ident} scores")
        yield from _lacking(each.get("stress_test"), STRESS, f"{ident} stress_test")
    recommended = as_map(board.get("recommendations"))
    for name, fields in RECOMMENDED.items():
        yield from _lacking(recommended.get(name), fields, name)
    if len(actions(board)) < ACTIONS:
        yield f"top actions: {ACTIONS - len(actions(board))} more"


_MISSING: dict[str, Callable[[Board], Iterator[str]]] = {
    "diverge": _of_diverge,
    "transform": _of_transform,
    "converge": _of_converge,
}


# -- small parts -----------------------------------------------------------------------------------


def _lacking(given: Any, names: Sequence[str], what: str) -> Iterator[str]:
    there = given if isinstance(given, dict) else {}
    if left := [name for name in names if not as_text(there.get(name))]:
        yield f"{what}: {', '.join(left)}"


def count(ideas: Sequence[Board], wave: str) -> int:
    """How many ideas a wave has."""
    return sum(each.get("wave") == wave for each in ideas)


def chosen(board: Board) -> list[str]:
    """The ids of the selected ideas."""
    return [
        str(each.get("id")) for each in maps(board.get("ideas")) if each.get("selected") is True
    ]


def worked_out(board: Board) -> list[tuple[str, Board]]:
    """Each selected idea's id, with what was made of it."""
    by_id = {str(each.get("idea_id")): each for each in maps(board.get("transformed"))}
    return [(each, by_id.get(each, {})) for each in chosen(board)]


def total(transformed: Board) -> int:
    """The sum of the scores, not what the file says it is."""
    scores = as_map(transformed.get("scores"))
    return sum(scores[name] for name in SCORES if type(scores.get(name)) is int)


def top(board: Board) -> Board:
    """The first recommendation."""
    return as_map(as_map(board.get("recommendations")).get("top"))


def actions(board: Board) -> list[str]:
    """The first recommendation's actions."""
    listed = top(board).get("actions")
    return [str(each) for each in listed if as_text(each)] if isinstance(listed, list) else []


def as_map(value: Any) -> Board:
    """The mapping, or an empty one."""
    return value if isinstance(value, dict) else {}
