"""The prompt for a phase of a brainstorm, and the form of its answer, whole or one field at a time.

Pure. A prompt is redacted, and complete without the project. Does not own the table of what a phase asks for
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

    from operators_edge.inquiry.brainstorm_model import Board
    from operators_edge.model import State

_LINE = 300
_BLANK = "…"

_TASKS = {
    "diverge": (
        "Invent an expert whose field is not this one, with a belief that most would dispute. As this"
        " expert, give twelve ideas: six over a spectrum (safe, modest, combo, adjacent, unrelated, absurd),"
        " three that deny something everybody takes for granted, three as seen by a child, from the future"
        " and by somebody who wants the opposite. Then select four."
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

_SINGLY = {
    "diverge": 'edge brainstorm idea safe "…", then edge brainstorm select I001 I004 I007 I010',
    "transform": 'edge brainstorm set I001.scamper.reverse "…"',
    "converge": "edge brainstorm set I001.scores.novelty 8",
}


def prompt(state: State, board: Board, *, secrets: Iterable[str] = ()) -> str:
    """What the phase asks for, and the JSON in which it is answered."""
    phase = brainstorm_model.phase_of(board)
    parts = [
        f"# Brainstorm {board.get('id')}: {phase}",
        f"Challenge: {as_text(board.get('challenge'))}",
    ]
    if objective := as_text(state.get("objective")):
        parts.append(f"Objective of the project: {one_line(objective, _LINE)}")
    if phase != "diverge":
        chosen = [each for each in maps(board.get("ideas")) if each.get("selected") is True]
        ideas = [f"- {each.get('id')} {one_line(each.get('title'), _LINE)}" for each in chosen]
        parts.append("\n".join(["Selected:", *ideas]))
    if phase in _TASKS:
        form = json.dumps(_form(phase, board), indent=1, ensure_ascii=False)
        parts += [_TASKS[phase], f"Answer as JSON of this form:\n\n{form}"]
        parts.append("Load it: edge brainstorm load --file ANSWER.json")
        parts.append(f"One thing at a time: {_SINGLY[phase]}")
    return redact("\n\n".join(parts) + "\n", values=secrets)


def _form(phase: str, board: Board) -> dict[str, Any]:
    """An answer with blanks for all that the phase asks for."""
    if phase == "diverge":
        ideas = [{**place, "title": _BLANK, "description": _BLANK} for place in _PLACES]
        selected = ["I001", "I004", "I007", "I010"]
        return {**_blanks(phase, ["expert"]), "ideas": ideas, "selected": selected}
    worked_out = _blanks(phase, brainstorm_model.PER_IDEA)
    form = {
        "transformed": [
            {"idea_id": each, **worked_out} for each in brainstorm_model.selected(board)
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


# -- one thing at a time ---------------------------------------------------------------------------

_PLACES = [
    {"wave": name, **({wave.key: kind} if wave.key else {})}
    for name, wave in brainstorm_model.WAVES.items()
    for kind in wave.kinds or [name] * wave.size
]
"""The wave and kind of each of the twelve ideas."""

KINDS = tuple(dict.fromkeys(list(place.values())[-1] for place in _PLACES))

FIELDS = (
    *(
        ("I001." if name in brainstorm_model.PER_IDEA else "")
        + f"{name}.{brainstorm_model.SECTIONS[name].names[0]}"
        for name in ("expert", *brainstorm_model.PER_IDEA, "top")
    ),
    "top.actions",
)
"""How one field is named, an example of each kind."""


def idea(kind: str, title: str, description: str | None) -> dict[str, Any]:
    """One idea, in the form in which it is loaded; its kind tells the wave."""
    place = next(place for place in _PLACES if kind in place.values())
    return {"ideas": [{**place, "title": title, "description": description or ""}]}


def field(path: str, texts: Sequence[str]) -> dict[str, Any]:
    """One field with its text, in the form in which it is loaded; actions are a list of them."""
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
