"""The words with which a phase of a brainstorm is asked for, and the form in which it is loaded.

Pure. Redacted, and complete without the project. Does not own what is checked
(``inquiry.brainstorm_model``, ``inquiry.brainstorm``).
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
    blank = "…"
    if phase == "diverge":
        text = {"title": blank, "description": blank}
        ideas = [{"wave": "spectrum", "type": kind, **text} for kind in brainstorm_model.SPECTRUM]
        ideas += [{"wave": "denial", **text}] * brainstorm_model.DENIALS
        ideas += [
            {"wave": "perspective", "perspective": p, **text} for p in brainstorm_model.PERSPECTIVES
        ]
        expert = dict.fromkeys(brainstorm_model.EXPERT, blank)
        return {"expert": expert, "ideas": ideas, "selected": ["I001", "I004", "I007", "I010"]}
    chosen = brainstorm_model.chosen(board)
    if phase == "transform":
        worked = {
            "scamper": dict.fromkeys(brainstorm_model.SCAMPER, blank),
            "analogies": {"biology": blank, "game_design": blank, "history": blank},
        }
        return {"transformed": [{"idea_id": each, **worked} for each in chosen]}
    judged = {
        "scores": dict.fromkeys(brainstorm_model.SCORES, 5),
        "stress_test": dict.fromkeys(brainstorm_model.STRESS, blank),
    }
    named = {
        name: dict.fromkeys(fields, blank) for name, fields in brainstorm_model.RECOMMENDED.items()
    }
    top = {**named["top"], "actions": [blank] * brainstorm_model.ACTIONS}
    return {
        "transformed": [{"idea_id": each, **judged} for each in chosen],
        "recommendations": {**named, "top": top},
    }


# -- one thing at a time ---------------------------------------------------------------------------

KINDS = (*brainstorm_model.SPECTRUM, "denial", *brainstorm_model.PERSPECTIVES)
FIELDS = (
    f"expert.{brainstorm_model.EXPERT[0]}",
    f"I001.scamper.{brainstorm_model.SCAMPER[0]}",
    "I001.analogies.biology",
    f"I001.scores.{brainstorm_model.SCORES[0]}",
    f"I001.stress_test.{brainstorm_model.STRESS[0]}",
    f"top.{brainstorm_model.TOP[0]}",
    "top.actions",
)
"""How one field is named, an example of each kind."""


def idea(kind: str, title: str, description: str | None) -> dict[str, Any]:
    """One idea, in the form in which it is loaded; its kind says the wave."""
    wave, key = "denial", ""
    if kind in brainstorm_model.SPECTRUM:
        wave, key = "spectrum", "type"
    elif kind in brainstorm_model.PERSPECTIVES:
        wave, key = "perspective", "perspective"
    known = {"wave": wave, **({key: kind} if key else {})}
    return {"ideas": [{**known, "title": title, "description": description or ""}]}


def field(name: str, texts: Sequence[str]) -> dict[str, Any]:
    """One field with its text, in the form in which it is loaded; actions are a list of them."""
    first, *rest = name.split(".")
    text = " ".join(texts)
    if first == "expert" and len(rest) == 1:
        return {"expert": {rest[0]: text}}
    if first in brainstorm_model.RECOMMENDED and len(rest) == 1:
        value = list(texts) if rest[0] == "actions" else text
        return {"recommendations": {first: {rest[0]: value}}}
    if len(rest) == 2 and rest[0] in ("scamper", "analogies", "scores", "stress_test"):
        part, key = rest
        is_score = part == "scores" and re.fullmatch(r"[0-9]{1,3}", text)
        value_of = int(text) if is_score else text
        return {"transformed": [{"idea_id": first, part: {key: value_of}}]}
    raise UsageError(
        f"there is no field {one_line(name, 60)}", hint=f"one of these kinds: {', '.join(FIELDS)}"
    )
