"""What a person types to read or write what is wanted: ``/edge note …``, ``/edge plan add …``, their numbers.

Owns the words, which are few: a verb, perhaps a number, and the rest of the line as the text, in quotes or
without. Does not own what they do (``core.planning``, ``core.concerns``) nor decisions (``prompt``).
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from operators_edge import intent
from operators_edge.core import concerns, metrics, planning
from operators_edge.core.concerns import CONSTRAINT, NOTE, QUESTION, RISK
from operators_edge.core.metrics import screen
from operators_edge.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from operators_edge.core.concerns import Kind
    from operators_edge.core.planning import Said
    from operators_edge.model import State
    from operators_edge.project import Project

    Edit = Callable[[State], Said]
    Lines = Callable[[State], list[str]]

VERBS = ("note", "question", "risk", "constraint", "objective", "next", "step", "metrics")
"""The verbs that are answered here; and ``plan`` before one of ``PLAN_VERBS``."""

PLAN_VERBS = ("add", "edit", "move", "rm", "show")

HELP = (
    "note|question|risk|constraint|objective|next TEXT, plan add|edit|move|rm|show, step …, metrics"
)

_NOTHING: dict[str, str | None] = dict.fromkeys(planning.NOTES)


def is_ours(verb: str, rest: str) -> bool:
    """True for what reads or writes intent; ``/edge plan`` alone, or before an objective, is a mode."""
    return verb in VERBS or (verb == "plan" and _split(rest)[0] in PLAN_VERBS)


def answer(project: Project, session: str, verb: str, rest: str) -> str:
    """Do it, as the session's person; what they read."""
    if verb == "metrics":
        return _metrics(project, session)
    shown = _reading(verb, rest)
    if shown is not None:
        return "\n".join(shown(project.state.read()))
    edit, command = _writing(verb, rest, project.clock())
    said = intent.write(project, edit, command=command, session=session)
    return "\n".join([said.text, *(f"warning: {each}" for each in said.remarks)])


def _metrics(project: Project, session: str) -> str:
    record = project.log.metrics(session)
    name = os.path.basename(project.root) or project.root
    return screen.text(metrics.of_project(record), metrics.of_session(record, session), name=name)


def _reading(verb: str, rest: str) -> Lines | None:
    """What only shows; None for what writes."""
    if verb == "plan" and _split(rest)[0] == "show":
        return lambda state: planning.lines(state) or ["No plan yet."]
    if rest and not (verb in _KINDS and rest == "list"):
        return None
    if verb in _KINDS:
        kind = _KINDS[verb]
        return lambda state: concerns.lines(state, kind) or [f"No {kind.noun} yet."]
    if verb in ("objective", "next"):
        key = {"objective": "objective", "next": "next_action"}[verb]
        return lambda state: [planning.shown(state.get(key) or "none yet")]
    return None


_KINDS: dict[str, Kind] = {kind.noun: kind for kind in concerns.KINDS}


def _writing(verb: str, rest: str, now: datetime) -> tuple[Edit, str]:
    """The edit that the words ask for, and its name."""
    if verb == "objective":
        return partial(_of_text, planning.set_objective, rest), "objective"
    if verb == "next":
        return partial(_of_text, planning.set_next, rest), "next"
    if verb == "plan":
        return _plan(*_split(rest)), f"plan {_split(rest)[0]}"
    if verb == "step":
        return _step(*_split(rest)), f"step {_split(rest)[0]}"
    return _list(_KINDS[verb], rest, now), verb


def _of_text(edit: Callable[[State, str | None], Said], rest: str, state: State) -> Said:
    return edit(state, None if rest == "--clear" else _text(rest))


def _plan(verb: str, rest: str) -> Edit:
    if verb == "add":
        return lambda state: planning.add_steps(state, [_text(rest)], fields=None)
    number, text = _numbered(rest, f"/edge plan {verb} 2")
    if verb == "edit":
        return lambda state: planning.edit_step(state, number, _text(text))
    if verb == "move":
        to, _ = _numbered(text, "/edge plan move 2 1")
        return lambda state: planning.move_step(state, number, to)
    return lambda state: planning.remove_steps(state, [number], force=text == "--force")


def _step(verb: str, rest: str) -> Edit:
    """``step done 2 all tests pass``: behind the number stands what shows it, or what is in the way."""
    example = "/edge step start|done|block|reopen [2] [what shows it, or what is in the way]"
    is_numbered = bool(rest) and _is_number(_split(rest)[0])
    number, text = _numbered(rest, example) if is_numbered else (None, rest)
    said = _text(text) if text else None
    edits: dict[str, Edit] = {
        "start": lambda state: planning.start(state, number),
        "done": lambda state: planning.finish(state, number, {**_NOTHING, "proof": said}),
        "block": lambda state: planning.block(state, number, said, _NOTHING),
    }
    if number is not None:
        edits["reopen"] = lambda state: planning.reopen(state, number)
        edits["proof"] = lambda state: planning.prove(state, number, {"proof": said or ""})
    if verb not in edits or (said is not None and verb in ("start", "reopen")):
        raise UsageError("these words do not say how far a step is", hint=example)
    return edits[verb]


def _list(kind: Kind, rest: str, now: datetime) -> Edit:
    verb, behind = _split(rest)
    is_numbered = bool(behind) and _is_number(_split(behind)[0])
    if is_numbered and verb in _LIST_VERBS[kind]:
        number, text = _numbered(behind, "")
        if verb == "rm":
            return lambda state: concerns.remove(state, kind, [number])
        if verb == "answer":
            return lambda state: concerns.answer(state, number, _text(text), now=now)
        status = {"mitigate": "mitigated", "realize": "realized"}[verb]
        by = _text(text) if text else None
        return lambda state: concerns.set_risk(state, number, status, by)
    words = _text(behind if verb == "add" else rest)
    if kind is QUESTION:
        return lambda state: concerns.ask(state, [words], blocking=False, context=None, now=now)
    if kind is RISK:
        return lambda state: concerns.add(state, kind, [words], mitigation=None, status="active")
    return lambda state: concerns.add(state, kind, [words])


_LIST_VERBS: dict[Kind, tuple[str, ...]] = {
    NOTE: ("rm",),
    QUESTION: ("rm", "answer"),
    RISK: ("rm", "mitigate", "realize"),
    CONSTRAINT: ("rm",),
}


# -- words -----------------------------------------------------------------------------------------


def _split(text: str) -> tuple[str, str]:
    """The first word, and the rest as it was typed."""
    first, *rest = text.split(maxsplit=1)[:2] or [""]
    return first, rest[0].strip() if rest else ""


def _text(rest: str) -> str:
    """The text without the quotes that a shell would have taken away."""
    is_quoted = len(rest) > 1 and rest[0] == rest[-1] and rest[0] in "\"'"
    return rest[1:-1] if is_quoted else rest


def _is_number(word: str) -> bool:
    return word.removeprefix("-").isascii() and word.removeprefix("-").isdigit() and len(word) < 10


def _numbered(rest: str, example: str) -> tuple[int, str]:
    word, text = _split(rest)
    if not _is_number(word):
        raise UsageError(f"{word or 'nothing'} is no number", hint=example)
    return int(word), text
