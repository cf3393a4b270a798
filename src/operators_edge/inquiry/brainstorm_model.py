"""A brainstorm as it is stored: one table of what each phase asks for, and what of it is still missing.

Pure. The map comes from a file that anybody may have edited, so every value is checked where it is read.
Does not own the edits (``inquiry.brainstorm``) or the prompts (``inquiry.brainstorm_prompts``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.errors import UsageError
from operators_edge.plan.edits import numbered, short_line
from operators_edge.state.schema import maps
from operators_edge.text.wording import as_text, many

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from operators_edge.model import State

Board = dict[str, Any]

PHASES = ("diverge", "transform", "converge", "complete")
OUTCOMES = ("implemented", "deferred", "rejected")
SELECTED = 4
BEST_SCORE = 10


class Wave(NamedTuple):
    """How many ideas a wave has. ``key``: the field, if any, that gives each idea a different kind."""

    size: int
    key: str = ""
    kinds: tuple[str, ...] = ()


WAVES = {
    "spectrum": Wave(6, "type", ("safe", "modest", "combo", "adjacent", "unrelated", "absurd")),
    "denial": Wave(3),
    "perspective": Wave(3, "perspective", ("child", "future", "opposite")),
}


class Section(NamedTuple):
    """A map of fields and the phase that asks for them.

    ``is_open``: the names are examples, and any others count as well. ``extra`` are fields that can be
    given and are not texts; ``actions`` is how many of these are needed.
    """

    phase: str
    names: tuple[str, ...]
    is_open: bool = False
    is_score: bool = False
    extra: tuple[str, ...] = ()
    actions: int = 0


_TOP = ("name", "core_idea", "novelty", "feasibility", "impact", "validation", "risk", "mitigation")
_SCAMPER = ("substitute", "combine", "adapt", "modify", "put_to_other_use", "eliminate", "reverse")
_STRESS = ("failure_mode", "wrong_assumption", "opposition", "worst_case")

SECTIONS = {
    "expert": Section(
        "diverge", ("name", "title", "background", "contrarian_belief", "cross_domain")
    ),
    "scamper": Section("transform", _SCAMPER),
    "analogies": Section("transform", ("biology", "game_design", "history"), is_open=True),
    "scores": Section(
        "converge",
        ("novelty", "feasibility", "impact", "elegance"),
        is_score=True,
        extra=("total",),
    ),
    "stress_test": Section("converge", _STRESS),
    "top": Section("converge", _TOP, extra=("actions",), actions=3),
    "runner_up": Section("converge", ("name", "core_idea"), extra=("actions",)),
    "wild_card": Section("converge", ("name", "core_idea", "risk_reward")),
}
PER_IDEA = ("scamper", "analogies", "scores", "stress_test")
RECOMMENDED = ("top", "runner_up", "wild_card")


def board_of(state: State) -> Board:
    """The stored brainstorm; {} where there is none."""
    value = state.get("brainstorm")
    if not value:
        return {}
    if not isinstance(value, dict):
        raise UsageError(
            "brainstorm in active_context.yaml is no mapping, so nothing can be read from it",
            hint="remove it there, or write brainstorm: null",
        )
    return value


def is_finished(board: Any) -> bool:
    """Whether a prune may archive it."""
    return isinstance(board, dict) and board.get("phase") == "complete"


def phase_of(board: Board) -> str:
    """Its phase; the first one where the stored phase does not exist."""
    phase = board.get("phase")
    return phase if isinstance(phase, str) and phase in PHASES else PHASES[0]


def missing(board: Board) -> list[str]:
    """What its phase and the earlier ones still need, in words."""
    reached = PHASES[: PHASES.index(phase_of(board)) + 1]
    return [each for phase in reached for each in _missing_in(board, phase)]


def _missing_in(board: Board, phase: str) -> Iterator[str]:
    for name, section, fields in _sections(board):
        if section.phase == phase:
            yield from _missing_fields(name, section, fields)
    if phase == "diverge":
        yield from _missing_ideas(board)


def _sections(board: Board) -> Iterator[tuple[str, Section, Board]]:
    """Each section that a complete brainstorm has: a name for people, its rules, its fields so far."""
    yield "expert", SECTIONS["expert"], as_map(board.get("expert"))
    by_id = {str(each.get("idea_id")): each for each in maps(board.get("transformed"))}
    for ident in selected(board):
        for name in PER_IDEA:
            yield f"{ident} {name}", SECTIONS[name], as_map(by_id.get(ident, {}).get(name))
    for name in RECOMMENDED:
        yield name, SECTIONS[name], recommended(board, name)


def _missing_fields(what: str, section: Section, fields: Board) -> Iterator[str]:
    if section.is_open:
        if (count := len(section.names) - sum(bool(as_text(each)) for each in fields.values())) > 0:
            yield f"{what}: {count} more"
    elif left := [name for name in section.names if not as_text(fields.get(name))]:
        yield f"{what}: {', '.join(left)}"
    if (count := section.actions - len(_texts(fields.get("actions")))) > 0:
        yield f"{what} actions: {count} more"


def _missing_ideas(board: Board) -> Iterator[str]:
    for name, wave in WAVES.items():
        ideas = in_wave(maps(board.get("ideas")), name)
        there = [idea.get(wave.key) for idea in ideas]
        if left := [kind for kind in wave.kinds if kind not in there]:
            yield f"{name}: {', '.join(left)}"
        elif not wave.kinds and len(ideas) < wave.size:
            yield f"{name}: {many(wave.size - len(ideas), 'idea')}"
    if (count := len(selected(board))) != SELECTED:
        yield f"{SELECTED} selected ideas, not {count}"


def progress(board: Board) -> str:
    """How many ideas there are, on one line."""
    ideas = maps(board.get("ideas"))
    waves = [f"{name} {len(in_wave(ideas, name))}/{wave.size}" for name, wave in WAVES.items()]
    counts = ", ".join([*waves, f"selected {len(selected(board))}/{SELECTED}"])
    return f"{board.get('id')} {phase_of(board)}: {counts}"


def lines(board: Board) -> list[str]:
    """All of it, for a person."""
    found = [short_line(board.get("challenge")), progress(board)]
    expert = as_map(board.get("expert"))
    if as_text(expert.get("name")):
        found.append(f"  expert: {short_line(expert['name'])}, {short_line(expert.get('title'))}")
    totals = {str(each.get("idea_id")): total(each) for each in maps(board.get("transformed"))}
    ideas = maps(board.get("ideas"))
    found += [_idea_line(idea, totals.get(str(idea.get("id")), 0)) for idea in ideas]
    for name in RECOMMENDED:
        fields = recommended(board, name)
        if as_text(fields.get("name")):
            text = f"{short_line(fields['name'])}: {short_line(fields.get('core_idea'))}"
            found.append(f"{name.replace('_', ' ')}: {text}")
    return found + numbered(actions(board)) + [f"  missing: {each}" for each in missing(board)]


def _idea_line(idea: Board, score: int) -> str:
    mark = "*" if idea.get("selected") is True else " "
    kind = idea.get("type") or idea.get("perspective") or idea.get("wave")
    points = f" ({score} points)" if score else ""
    return f"{mark} {idea.get('id')} {short_line(idea.get('title'))} [{kind}]{points}"


# -- parts of it -----------------------------------------------------------------------------------


def in_wave(ideas: Sequence[Board], wave: str) -> list[Board]:
    """The ideas of one wave."""
    return [idea for idea in ideas if idea.get("wave") == wave]


def selected(board: Board) -> list[str]:
    """The ids of the selected ideas."""
    return [
        str(idea.get("id")) for idea in maps(board.get("ideas")) if idea.get("selected") is True
    ]


def total(transformed: Board) -> int:
    """The sum of the scores, whatever total the file states."""
    scores = as_map(transformed.get("scores"))
    values = (scores.get(name) for name in SECTIONS["scores"].names)
    return sum(value for value in values if type(value) is int)


def recommended(board: Board, name: str) -> Board:
    """One of the recommendations: "top", "runner_up" or "wild_card"."""
    return as_map(as_map(board.get("recommendations")).get(name))


def actions(board: Board) -> list[str]:
    """The actions of the first recommendation."""
    return _texts(recommended(board, "top").get("actions"))


def as_map(value: Any) -> Board:
    """The mapping; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> list[str]:
    return [str(each) for each in value if as_text(each)] if isinstance(value, list) else []
