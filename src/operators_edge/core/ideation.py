"""The words with which a phase of a brainstorm is asked for, and the form in which it is loaded.

Pure. Redacted, and complete without the project. Does not own what is checked (``board``, ``brainstorm``).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from operators_edge.core import board as boards
from operators_edge.core.redact import redact
from operators_edge.core.schema import maps
from operators_edge.core.text import one_line, said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.core.board import Board
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


def prompt(state: State, board: Board, *, secrets: Iterable[str] = ()) -> str:
    """What the phase asks for, and the JSON in which it is answered."""
    phase = boards.phase_of(board)
    parts = [
        f"# Brainstorm {board.get('id')}: {phase}",
        f"Challenge: {said(board.get('challenge'))}",
    ]
    if objective := said(state.get("objective")):
        parts.append(f"Objective of the project: {one_line(objective, _LINE)}")
    if phase != "diverge":
        chosen = [each for each in maps(board.get("ideas")) if each.get("selected") is True]
        ideas = [f"- {each.get('id')} {one_line(each.get('title'), _LINE)}" for each in chosen]
        parts.append("\n".join(["Selected:", *ideas]))
    if phase in _TASKS:
        form = json.dumps(_form(phase, board), indent=1, ensure_ascii=False)
        parts += [_TASKS[phase], f"Answer as JSON of this form:\n\n{form}"]
        parts.append("Load it: edge brainstorm load --file ANSWER.json")
    return redact("\n\n".join(parts) + "\n", values=secrets)


def _form(phase: str, board: Board) -> dict[str, Any]:
    blank = "…"
    if phase == "diverge":
        text = {"title": blank, "description": blank}
        ideas = [{"wave": "spectrum", "type": kind, **text} for kind in boards.SPECTRUM]
        ideas += [{"wave": "denial", **text}] * boards.DENIALS
        ideas += [{"wave": "perspective", "perspective": p, **text} for p in boards.PERSPECTIVES]
        expert = dict.fromkeys(boards.EXPERT, blank)
        return {"expert": expert, "ideas": ideas, "selected": ["I001", "I004", "I007", "I010"]}
    chosen = boards.chosen(board)
    if phase == "transform":
        worked = {
            "scamper": dict.fromkeys(boards.SCAMPER, blank),
            "analogies": {"biology": blank, "game_design": blank, "history": blank},
        }
        return {"transformed": [{"idea_id": each, **worked} for each in chosen]}
    judged = {
        "scores": dict.fromkeys(boards.SCORES, 5),
        "stress_test": dict.fromkeys(boards.STRESS, blank),
    }
    named = {name: dict.fromkeys(fields, blank) for name, fields in boards.RECOMMENDED.items()}
    top = {**named["top"], "actions": [blank] * boards.ACTIONS}
    return {
        "transformed": [{"idea_id": each, **judged} for each in chosen],
        "recommendations": {**named, "top": top},
    }
