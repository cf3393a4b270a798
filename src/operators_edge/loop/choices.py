"""What a person can answer to the engine and to an agent's question, and what each answer leaves.

Pure. Owns the offers of ``finding_selection``, ``proposal``, ``dangerous``, ``complexity`` and
``ambiguous``: their numbers, how they are shown, and the edits. Does not own when they are raised
(``loop.service``, ``approvals.question``) or the decision's record (``sessions.decisions``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.evidence.plan_events import step_keys
from operators_edge.loop import gears
from operators_edge.plan import edits as plan_edits
from operators_edge.plan.edits import EditResult, checked_text, short_line
from operators_edge.state.schema import maps

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from operators_edge.model import State
    from operators_edge.records import Junction

SOURCES = ("engine", "ask")
"""Whose junctions are answered here; the gate's are grants, the quality gate's are overrides."""


def is_ours(pending: Any) -> bool:
    return isinstance(pending, dict) and pending.get("source") in SOURCES


def offers(pending: Junction) -> list[str]:
    """What can be chosen by its number, as it is shown; empty where there is only yes or no."""
    payload = _payload(pending)
    if pending.get("type") == "finding_selection":
        return [_finding(each) for each in maps(payload.get("findings"))]
    if pending.get("type") == "ambiguous":
        options = payload.get("options")
        return [short_line(each) for each in options] if isinstance(options, list) else []
    return []


def ways(pending: Junction) -> str:
    """How it is decided, for a person."""
    kind, most = pending.get("type"), len(offers(pending))
    if kind == "ambiguous":
        named = f"/edge approve {_up_to(most)}, " if most else ""
        return f"{named}/edge approve YOUR ANSWER, or /edge skip"
    if kind == "finding_selection":
        return f"/edge approve {_up_to(most)}, /edge skip or /edge dismiss"
    return "/edge approve, /edge skip or /edge dismiss"


def _up_to(most: int) -> str:
    """The numbers that can be said, as short as they read well."""
    return "1" if most < 2 else "1 or 2" if most == 2 else f"1…{most}"


def question(pending: Junction, said: str) -> str:
    """What a person is asked once more before a yes counts."""
    kind = pending.get("type")
    if kind == "finding_selection":
        return f"Make this the objective: {short_line(chosen(pending, said)['title'])}?"
    if kind == "proposal":
        return "Make it the objective?"
    if kind == "ambiguous":
        return f"Answer: {short_line(answer_of(pending, said))}?"
    return "Work on this step?"


# -- yes -------------------------------------------------------------------------------------------


def chosen(pending: Junction, said: str) -> dict[str, Any]:
    """The finding that a number or an id names; the only one needs no name."""
    listed = maps(_payload(pending).get("findings"))
    word = said.strip()
    if not word and len(listed) == 1:
        return listed[0]
    if _is_number(word) and 1 <= int(word) <= len(listed):
        return listed[int(word) - 1]
    named = [each for each in listed if word and str(each.get("id")) == word]
    if named:
        return named[0]
    what = f"{word} is none of" if word else "say which of"
    raise UsageError(f"{what} the {len(listed)} findings, counted from 1", hint="edge approve 1")


def adopted(state: State, about: Mapping[str, Any]) -> EditResult:
    """Make a finding or a proposal the objective; the one before has to be out of the state."""
    title = checked_text(str(about.get("title") or ""), "the objective")
    state["objective"] = title
    action = about.get("suggested_action") or about.get("description")
    if action:
        state["next_action"] = checked_text(str(action), "the next action")
    lines = [f"Objective: {short_line(title)}"]
    if action:
        lines.append(f"Next: {short_line(action)}")
    data = {"id": about.get("id"), "title": title}
    return EditResult("\n".join(lines), {"objective": title}, (("adopted", data),))


def require_no_work(state: State) -> None:
    """Nothing is dropped for a new objective: open steps are finished or taken out first."""
    left = gears.open_steps(state)
    if left:
        raise AnswerIsNo(
            f"step {left[0].number} is not completed, and another objective would drop it",
            hint=f"edge step done {left[0].number}, or edge plan rm {left[0].number}",
        )
    if gears.gate_is_due(state):
        raise AnswerIsNo(
            "the plan was completed anew, and the quality gate was not asked about it yet",
            hint="edge run",
        )


def answer_of(pending: Junction, said: str) -> str:
    """The answer that is meant: an option by its number or words, else a person's own words."""
    options = _payload(pending).get("options")
    listed = [str(each) for each in options] if isinstance(options, list) else []
    text = said.strip()
    if _is_number(text) and listed:
        if 1 <= int(text) <= len(listed):
            return listed[int(text) - 1]
        raise UsageError(
            f"there is no option {text}: there are {len(listed)}, counted from 1",
            hint="edge approve 1",
        )
    for each in listed:
        if each.casefold() == text.casefold():
            return each
    if text:
        return checked_text(text, "an answer")
    if len(listed) > 1:
        raise UsageError(f"say which of the {len(listed)} options", hint="edge approve 1")
    return listed[0] if listed else "yes"


def answered(state: State, pending: Junction, said: str, now: datetime) -> EditResult:
    """Keep the answer beside its question, where every session reads it."""
    answer = answer_of(pending, said)
    asked = str(_payload(pending).get("question") or pending.get("shown") or "")
    entry = {
        "question": asked,
        "context": _payload(pending).get("context"),
        "answer": answer,
        "answered_at": now.isoformat(timespec="seconds"),
    }
    there = plan_edits.entries(state, "open_questions")
    others = [each for each in there if not _is_same(each, asked)]
    state["open_questions"] = [*others, entry]
    data = {"to": "answered", "text": asked, "answer": answer}
    return EditResult(f"Answered: {short_line(answer)}", {"answer": answer}, (("question", data),))


# -- no --------------------------------------------------------------------------------------------


def refused(state: State, pending: Junction) -> EditResult:
    """What a no leaves: a step is blocked, findings are not offered again, a question stays open."""
    kind, payload = pending.get("type"), _payload(pending)
    if kind in ("dangerous", "complexity"):
        keys = step_keys(state)
        if payload.get("key") in keys:
            number = keys.index(payload["key"]) + 1
            nothing: dict[str, str | None] = dict.fromkeys(plan_edits.NOTES)
            return plan_edits.block(state, number, "a person said no to this step", nothing)
    if kind == "finding_selection":
        gears.decline(
            state, [str(each.get("id")) for each in maps(payload.get("findings")) if each.get("id")]
        )
        return EditResult("Not offered again.", {})
    return EditResult("", {})


# -- words -----------------------------------------------------------------------------------------


def _payload(pending: Junction) -> dict[str, Any]:
    payload = pending.get("payload")
    return payload if isinstance(payload, dict) else {}


def _finding(each: Mapping[str, Any]) -> str:
    where = str(each.get("file") or "")
    where += f":{each['line']}" if where and each.get("line") else ""
    title = short_line(each.get("title") or "a finding")
    behind = f" ({where})" if where and where not in title else ""
    return f"{each.get('priority') or ''} {title}{behind}".strip()


def _is_same(entry: Any, asked: str) -> bool:
    text = entry.get("question") if isinstance(entry, dict) else entry
    return isinstance(text, str) and text.strip() == asked


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10
