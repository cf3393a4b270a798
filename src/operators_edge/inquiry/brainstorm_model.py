"""A brainstorm as it is stored: what each phase requires, in one table, and what is still missing.

Pure. The mapping comes from a file that may have been edited by hand, so every value is checked when it is
read. Does not own the edits (``inquiry.brainstorm``) or the prompts (``inquiry.brainstorm_prompts``).
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

Brainstorm = dict[str, Any]

PHASES = ("diverge", "transform", "converge", "complete")
OUTCOMES = ("implemented", "deferred", "rejected")
SELECTED = 4
BEST_SCORE = 10


class Wave(NamedTuple):
    """The ideas of one wave. ``key``: the field, if any, in which each idea has a different kind."""

    size: int
    key: str = ""
    kinds: tuple[str, ...] = ()


WAVES = {
    "spectrum": Wave(6, "type", ("safe", "modest", "combo", "adjacent", "unrelated", "absurd")),
    "denial": Wave(3),
    "perspective": Wave(3, "perspective", ("child", "future", "opposite")),
}


class Section(NamedTuple):
    """A set of fields and the phase that requires them.

    ``is_open``: the names are examples, and any others count too. ``extra`` are optional fields that are not
    texts; ``actions`` is the required number of actions.
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


def brainstorm_of(state: State) -> Brainstorm:
    """The stored brainstorm; {} if there is none."""
    value = state.get("brainstorm")
    if not value:
        return {}
    if not isinstance(value, dict):
        raise UsageError(
            "brainstorm in active_context.yaml is not a mapping",
            hint="remove it there, or write brainstorm: null",
        )
    return value


def is_finished(brainstorm: Any) -> bool:
    """Whether a prune may archive it."""
    return isinstance(brainstorm, dict) and brainstorm.get("phase") == "complete"


def phase_of(brainstorm: Brainstorm) -> str:
    """Its phase; the first one if the stored phase is not valid."""
    phase = brainstorm.get("phase")
    return phase if isinstance(phase, str) and phase in PHASES else PHASES[0]


def missing(brainstorm: Brainstorm) -> list[str]:
    """What its phase and the earlier ones still need, as texts."""
    reached = PHASES[: PHASES.index(phase_of(brainstorm)) + 1]
    return [each for phase in reached for each in _missing_in(brainstorm, phase)]


def _missing_in(brainstorm: Brainstorm, phase: str) -> Iterator[str]:
    for name, section, fields in _sections(brainstorm):
        if section.phase == phase:
            yield from _missing_fields(name, section, fields)
    if phase == "diverge":
        yield from _missing_ideas(brainstorm)


def _sections(brainstorm: Brainstorm) -> Iterator[tuple[str, Section, Brainstorm]]:
    """Each section of a complete brainstorm: its name, its rules, its fields so far."""
    yield "expert", SECTIONS["expert"], as_map(brainstorm.get("expert"))
    by_id = {str(each.get("idea_id")): each for each in maps(brainstorm.get("transformed"))}
    for ident in selected(brainstorm):
        for name in PER_IDEA:
            yield f"{ident} {name}", SECTIONS[name], as_map(by_id.get(ident, {}).get(name))
    for name in RECOMMENDED:
        yield name, SECTIONS[name], recommended(brainstorm, name)


def _missing_fields(what: str, section: Section, fields: Brainstorm) -> Iterator[str]:
    if section.is_open:
        if (count := len(section.names) - sum(bool(as_text(each)) for each in fields.values())) > 0:
            yield f"{what}: {count} more"
    elif left := [name for name in section.names if not as_text(fields.get(name))]:
        yield f"{what}: {', '.join(left)}"
    if (count := section.actions - len(_texts(fields.get("actions")))) > 0:
        yield f"{what} actions: {count} more"


def _missing_ideas(brainstorm: Brainstorm) -> Iterator[str]:
    for name, wave in WAVES.items():
        ideas = in_wave(maps(brainstorm.get("ideas")), name)
        there = [idea.get(wave.key) for idea in ideas]
        if left := [kind for kind in wave.kinds if kind not in there]:
            yield f"{name}: {', '.join(left)}"
        elif not wave.kinds and len(ideas) < wave.size:
            yield f"{name}: {many(wave.size - len(ideas), 'idea')}"
    if (count := len(selected(brainstorm))) != SELECTED:
        yield f"{SELECTED} selected ideas, not {count}"


def progress(brainstorm: Brainstorm) -> str:
    """How many ideas there are, on one line."""
    ideas = maps(brainstorm.get("ideas"))
    waves = [f"{name} {len(in_wave(ideas, name))}/{wave.size}" for name, wave in WAVES.items()]
    counts = ", ".join([*waves, f"selected {len(selected(brainstorm))}/{SELECTED}"])
    return f"{brainstorm.get('id')} {phase_of(brainstorm)}: {counts}"


def lines(brainstorm: Brainstorm) -> list[str]:
    """The whole brainstorm, for a person."""
    found = [short_line(brainstorm.get("challenge")), progress(brainstorm)]
    expert = as_map(brainstorm.get("expert"))
    if as_text(expert.get("name")):
        found.append(f"  expert: {short_line(expert['name'])}, {short_line(expert.get('title'))}")
    totals = {str(each.get("idea_id")): total(each) for each in maps(brainstorm.get("transformed"))}
    ideas = maps(brainstorm.get("ideas"))
    found += [_idea_line(idea, totals.get(str(idea.get("id")), 0)) for idea in ideas]
    for name in RECOMMENDED:
        fields = recommended(brainstorm, name)
        if as_text(fields.get("name")):
            text = f"{short_line(fields['name'])}: {short_line(fields.get('core_idea'))}"
            found.append(f"{name.replace('_', ' ')}: {text}")
    return (
        found
        + numbered(actions(brainstorm))
        + [f"  missing: {each}" for each in missing(brainstorm)]
    )


def _idea_line(idea: Brainstorm, score: int) -> str:
    mark = "*" if idea.get("selected") is True else " "
    kind = idea.get("type") or idea.get("perspective") or idea.get("wave")
    points = f" ({score} points)" if score else ""
    return f"{mark} {idea.get('id')} {short_line(idea.get('title'))} [{kind}]{points}"


# -- parts of it -----------------------------------------------------------------------------------


def in_wave(ideas: Sequence[Brainstorm], wave: str) -> list[Brainstorm]:
    """The ideas of one wave."""
    return [idea for idea in ideas if idea.get("wave") == wave]


def selected(brainstorm: Brainstorm) -> list[str]:
    """The ids of the selected ideas."""
    return [
        str(idea.get("id"))
        for idea in maps(brainstorm.get("ideas"))
        if idea.get("selected") is True
    ]


def total(transformed: Brainstorm) -> int:
    """The sum of the scores; a total in the file is ignored."""
    scores = as_map(transformed.get("scores"))
    values = (scores.get(name) for name in SECTIONS["scores"].names)
    return sum(value for value in values if type(value) is int)


def recommended(brainstorm: Brainstorm, name: str) -> Brainstorm:
    """One of the recommendations: "top", "runner_up" or "wild_card"."""
    return as_map(as_map(brainstorm.get("recommendations")).get(name))


def actions(brainstorm: Brainstorm) -> list[str]:
    """The actions of the first recommendation."""
    return _texts(recommended(brainstorm, "top").get("actions"))


def as_map(value: Any) -> Brainstorm:
    """The mapping; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> list[str]:
    return [str(each) for each in value if as_text(each)] if isinstance(value, list) else []
