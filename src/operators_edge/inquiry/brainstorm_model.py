"""A brainstorm as it is stored: the form of each phase, what is still missing, the prompt that asks for it.

Pure. ``SECTIONS`` is the only description of the fields: the prompt shows it, an answer is checked against
it, and what is missing is the difference from it. The mapping comes from a file that may have been edited by
hand, so every value is checked when it is read. Does not own the edits (``inquiry.brainstorm``).
"""

from __future__ import annotations

import json

from operators_edge.errors import UsageError
from operators_edge.plan.edits import numbered, short_line
from operators_edge.redaction.redact import redact
from operators_edge.state.schema import maps
from operators_edge.text.wording import as_text, many, one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from operators_edge.model import State

    Brainstorm = dict[str, Any]

    Form = dict[str, Any]
    """Fields with an example of what each holds: a text, a score, or a list of at least so many texts."""


PHASES = ("diverge", "transform", "converge")
COMPLETE = "complete"
OUTCOMES = ("implemented", "deferred", "rejected")
SELECTED = 4
BEST_SCORE = 10

_MAX_LINE = 300
_TEXT = "…"
_SCORE = 5


def _texts_of(names: str) -> Form:
    return dict.fromkeys(names.split(), _TEXT)


class Section(NamedTuple):
    """A set of fields, and the phase that requires them."""

    phase: str
    form: Form


SECTIONS = {
    "expert": Section("diverge", _texts_of("name title background contrarian_belief cross_domain")),
    "scamper": Section(
        "transform", _texts_of("substitute combine adapt modify put_to_other_use eliminate reverse")
    ),
    "analogies": Section("transform", _texts_of("biology game_design history")),
    "scores": Section(
        "converge", dict.fromkeys(("novelty", "feasibility", "impact", "elegance"), _SCORE)
    ),
    "stress_test": Section(
        "converge", _texts_of("failure_mode wrong_assumption opposition worst_case")
    ),
    "top": Section(
        "converge",
        _texts_of("name core_idea novelty feasibility impact validation risk mitigation")
        | {"actions": [_TEXT] * 3},
    ),
    "runner_up": Section("converge", _texts_of("name core_idea") | {"actions": []}),
    "wild_card": Section("converge", _texts_of("name core_idea risk_reward")),
}
PER_IDEA = ("scamper", "analogies", "scores", "stress_test")
RECOMMENDED = ("top", "runner_up", "wild_card")

PLACES = [
    *(
        {"wave": "spectrum", "type": kind}
        for kind in ("safe", "modest", "combo", "adjacent", "unrelated", "absurd")
    ),
    *({"wave": "denial"} for _ in range(3)),
    *({"wave": "perspective", "perspective": kind} for kind in ("child", "future", "opposite")),
]
"""The wave and kind of each of the twelve ideas."""

PLACE_KEYS = ("wave", "type", "perspective")
WAVES = tuple(dict.fromkeys(place["wave"] for place in PLACES))
KINDS = tuple(dict.fromkeys(list(place.values())[-1] for place in PLACES))


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
    return isinstance(brainstorm, dict) and brainstorm.get("phase") == COMPLETE


def phase_of(brainstorm: Brainstorm) -> str:
    """The first phase of which something is missing, whatever phase is stored; else the last one."""
    if is_finished(brainstorm):
        return COMPLETE
    return next((each for each in PHASES if any(_missing_in(brainstorm, each))), PHASES[-1])


def missing(brainstorm: Brainstorm) -> list[str]:
    """What its phase still needs, as texts; nothing if it is complete."""
    return list(_missing_in(brainstorm, phase_of(brainstorm)))


def _missing_in(brainstorm: Brainstorm, phase: str) -> Iterator[str]:
    for label, name, fields in _sections(brainstorm):
        if SECTIONS[name].phase == phase:
            yield from _missing_fields(label, SECTIONS[name].form, fields)
    if phase == "diverge":
        yield from _missing_ideas(brainstorm)


def _sections(brainstorm: Brainstorm) -> Iterator[tuple[str, str, Brainstorm]]:
    """Each section of a complete brainstorm: a label, its name, its fields so far."""
    yield "expert", "expert", as_map(brainstorm.get("expert"))
    by_id = transformed(brainstorm)
    for ident in selected(brainstorm):
        for name in PER_IDEA:
            yield f"{ident} {name}", name, as_map(by_id.get(ident, {}).get(name))
    for name in RECOMMENDED:
        yield name, name, recommended(brainstorm, name)


def _missing_fields(label: str, form: Form, fields: Brainstorm) -> Iterator[str]:
    wanted = [name for name, example in form.items() if not isinstance(example, list)]
    if left := [name for name in wanted if not as_text(fields.get(name))]:
        yield f"{label}: {', '.join(left)}"
    if (count := len(form.get("actions", ())) - len(_texts(fields.get("actions")))) > 0:
        yield f"{label} actions: {count} more"


def _missing_ideas(brainstorm: Brainstorm) -> Iterator[str]:
    free = free_places(maps(brainstorm.get("ideas")))
    for wave in WAVES:
        if kinds := [list(place.values())[-1] for place in free if place["wave"] == wave]:
            yield f"{wave}: {many(len(kinds), 'idea') if wave in kinds else ', '.join(kinds)}"
    if (count := len(selected(brainstorm))) != SELECTED:
        yield f"{SELECTED} selected ideas, not {count}"


def progress(brainstorm: Brainstorm) -> str:
    """How many ideas there are, on one line."""
    free = [place["wave"] for place in free_places(maps(brainstorm.get("ideas")))]
    sizes = [place["wave"] for place in PLACES]
    waves = [f"{wave} {sizes.count(wave) - free.count(wave)}/{sizes.count(wave)}" for wave in WAVES]
    counts = ", ".join([*waves, f"selected {len(selected(brainstorm))}/{SELECTED}"])
    return f"{brainstorm.get('id')} {phase_of(brainstorm)}: {counts}"


def lines(brainstorm: Brainstorm) -> list[str]:
    """The whole brainstorm, for a person."""
    found = [short_line(brainstorm.get("challenge")), progress(brainstorm)]
    expert = as_map(brainstorm.get("expert"))
    if as_text(expert.get("name")):
        found.append(f"  expert: {short_line(expert['name'])}, {short_line(expert.get('title'))}")
    scored = transformed(brainstorm)
    found += [
        _idea_line(idea, total(scored.get(str(idea.get("id")), {})))
        for idea in maps(brainstorm.get("ideas"))
    ]
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


# -- the prompt ------------------------------------------------------------------------------------

_TASKS = {
    "diverge": (
        "Invent an expert from a different field, with a belief that most would dispute. As this expert,"
        " give twelve ideas: six across a spectrum (safe, modest, combo, adjacent, unrelated, absurd),"
        " three that deny something everyone takes for granted, three as seen by a child, from the future"
        " and by someone who wants the opposite. Then select four."
    ),
    "transform": (
        "Work out each selected idea: change it in the seven ways of SCAMPER, and find an analogy in biology,"
        " in the design of games and in history."
    ),
    "converge": (
        "Score each idea from 1 to 10 and say how it would fail; totals are computed. Then recommend one"
        " with three actions, a runner-up and a wild card."
    ),
}

_SINGLE_COMMANDS = {
    "diverge": 'edge brainstorm idea safe "…", then edge brainstorm select I001 I004 I007 I010',
    "transform": 'edge brainstorm set I001.scamper.reverse "…"',
    "converge": "edge brainstorm set I001.scores.novelty 8",
}


def prompt(state: State, brainstorm: Brainstorm, *, secrets: Iterable[str] = ()) -> str:
    """The task of the phase and the JSON format of the answer: self-contained, and redacted."""
    phase = phase_of(brainstorm)
    parts = [
        f"# Brainstorm {brainstorm.get('id')}: {phase}",
        f"Challenge: {as_text(brainstorm.get('challenge'))}",
    ]
    if objective := as_text(state.get("objective")):
        parts.append(f"Objective of the project: {one_line(objective, _MAX_LINE)}")
    if phase != "diverge":
        chosen = [each for each in maps(brainstorm.get("ideas")) if each.get("selected") is True]
        ideas = [f"- {each.get('id')} {one_line(each.get('title'), _MAX_LINE)}" for each in chosen]
        parts.append("\n".join(["Selected:", *ideas]))
    if phase in _TASKS:
        form = json.dumps(_answer_form(phase, brainstorm), indent=1, ensure_ascii=False)
        parts += [_TASKS[phase], f"Answer as JSON in this format:\n\n{form}"]
        parts.append("Load it: edge brainstorm load --file ANSWER.json")
        parts.append(f"Or one field at a time: {_SINGLE_COMMANDS[phase]}")
    return redact("\n\n".join(parts) + "\n", values=secrets)


def _answer_form(phase: str, brainstorm: Brainstorm) -> dict[str, Any]:
    """An answer with an example in each field that the phase requires."""
    if phase == "diverge":
        ideas = [{**place, "title": _TEXT, "description": _TEXT} for place in PLACES]
        chosen = ["I001", "I004", "I007", "I010"]
        return {**_forms(phase, ["expert"]), "ideas": ideas, "selected": chosen}
    per_idea = _forms(phase, PER_IDEA)
    return {**dict.fromkeys(selected(brainstorm), per_idea), **_forms(phase, RECOMMENDED)}


def _forms(phase: str, names: Iterable[str]) -> dict[str, Form]:
    return {name: SECTIONS[name].form for name in names if SECTIONS[name].phase == phase}


# -- parts of it -----------------------------------------------------------------------------------


def free_places(ideas: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The places that no idea takes yet."""
    free = list(PLACES)
    for idea in ideas:
        if (place := place_of(idea)) in free:
            free.remove(place)
    return free


def place_of(idea: Mapping[str, Any]) -> dict[str, Any]:
    """The wave and kind of an idea."""
    return {key: idea[key] for key in PLACE_KEYS if key in idea}


def selected(brainstorm: Brainstorm) -> list[str]:
    """The ids of the selected ideas."""
    return [
        str(idea.get("id"))
        for idea in maps(brainstorm.get("ideas"))
        if idea.get("selected") is True
    ]


def transformed(brainstorm: Brainstorm) -> dict[str, Brainstorm]:
    """What was worked out of each selected idea, by its id."""
    return {str(each.get("idea_id")): each for each in maps(brainstorm.get("transformed"))}


def total(worked_out: Brainstorm) -> int:
    """The sum of the scores; a total in the file is ignored."""
    scores = as_map(worked_out.get("scores"))
    values = (scores.get(name) for name in SECTIONS["scores"].form)
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


# end of module
