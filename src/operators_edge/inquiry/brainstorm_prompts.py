"""The prompt for a phase of a brainstorm, and the format of its answer, complete or one field at a time.

Pure. A prompt is self-contained and redacted. Does not own what a phase requires
(``inquiry.brainstorm_model``) or the checks of an answer (``inquiry.brainstorm``).
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from operators_edge.errors import UsageError
from operators_edge.inquiry import brainstorm_model
from operators_edge.redaction.redact import redact
from operators_edge.state.schema import maps
from operators_edge.text.wording import as_text, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from operators_edge.inquiry.brainstorm_model import Brainstorm
    from operators_edge.model import State

_MAX_LINE = 300
_BLANK = "…"

_TASKS = {
    "diverge": (
        "Invent an expert from a different field, with a belief that most would dispute. As this expert,"
        " give twelve ideas: six across a spectrum (safe, modest, combo, adjacent, unrelated, absurd),"
        " three that deny something everyone takes for granted, three as seen by a child, from the future"
        " and by someone who wants the opposite. Then select four."
    ),
    "transform": (
        "Work out each selected idea: change it in the seven ways of SCAMPER, and find three analogies from"
        " other fields."
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
    """The task of the phase, and the JSON format of the answer."""
    phase = brainstorm_model.phase_of(brainstorm)
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
        form = json.dumps(_answer_template(phase, brainstorm), indent=1, ensure_ascii=False)
        parts += [_TASKS[phase], f"Answer as JSON in this format:\n\n{form}"]
        parts.append("Load it: edge brainstorm load --file ANSWER.json")
        parts.append(f"Or one field at a time: {_SINGLE_COMMANDS[phase]}")
    return redact("\n\n".join(parts) + "\n", values=secrets)


def _answer_template(phase: str, brainstorm: Brainstorm) -> dict[str, Any]:
    """An answer with placeholders for everything that the phase requires."""
    if phase == "diverge":
        ideas = [{**place, "title": _BLANK, "description": _BLANK} for place in _IDEA_PLACES]
        selected = ["I001", "I004", "I007", "I010"]
        return {**_blanks(phase, ["expert"]), "ideas": ideas, "selected": selected}
    worked_out = _blanks(phase, brainstorm_model.PER_IDEA)
    form = {
        "transformed": [
            {"idea_id": each, **worked_out} for each in brainstorm_model.selected(brainstorm)
        ]
    }
    recommendations = _blanks(phase, brainstorm_model.RECOMMENDED)
    return {**form, **({"recommendations": recommendations} if recommendations else {})}


def _blanks(phase: str, names: Iterable[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in names:
        section = brainstorm_model.SECTIONS[name]
        if section.phase == phase:
            found[name] = dict.fromkeys(section.names, 5 if section.is_score else _BLANK)
            if section.actions:
                found[name]["actions"] = [_BLANK] * section.actions
    return found


# -- one field at a time ---------------------------------------------------------------------------

_IDEA_PLACES = [
    {"wave": name, **({wave.key: kind} if wave.key else {})}
    for name, wave in brainstorm_model.WAVES.items()
    for kind in wave.kinds or [name] * wave.size
]
"""The wave and kind of each of the twelve ideas."""

KINDS = tuple(dict.fromkeys(list(place.values())[-1] for place in _IDEA_PLACES))

FIELDS = (
    *(
        ("I001." if name in brainstorm_model.PER_IDEA else "")
        + f"{name}.{brainstorm_model.SECTIONS[name].names[0]}"
        for name in ("expert", *brainstorm_model.PER_IDEA, "top")
    ),
    "top.actions",
)
"""How fields are named: an example of each kind."""


def idea(kind: str, title: str, description: str | None) -> dict[str, Any]:
    """One idea in the format for loading; its kind determines the wave."""
    place = next(place for place in _IDEA_PLACES if kind in place.values())
    return {"ideas": [{**place, "title": title, "description": description or ""}]}


def field(path: str, texts: Sequence[str]) -> dict[str, Any]:
    """One field with its text in the format for loading; actions are a list."""
    text = " ".join(texts)
    match path.split("."):
        case ["expert", name]:
            return {"expert": {name: text}}
        case [section, "actions"] if section in brainstorm_model.RECOMMENDED:
            return {"recommendations": {section: {"actions": list(texts)}}}
        case [section, name] if section in brainstorm_model.RECOMMENDED:
            return {"recommendations": {section: {name: text}}}
        case [ident, section, name] if section in brainstorm_model.PER_IDEA:
            is_score = section == "scores" and re.fullmatch(r"[0-9]{1,3}", text)
            value = int(text) if is_score else text
            return {"transformed": [{"idea_id": ident, section: {name: value}}]}
    raise UsageError(
        f"there is no field {one_line(path, 60)}", hint=f"one of these kinds: {', '.join(FIELDS)}"
    )
