"""How a person can answer the loop's junctions and an agent's question, and the edit for each answer.

Pure. Owns the options of ``finding_selection``, ``proposal``, ``dangerous``, ``complexity`` and
``ambiguous``: their numbers, their texts, and the edits. Does not own when they are raised
(``loop.service``, ``approvals.question``) or the decision's log entry (``sessions.decisions``).
"""

from __future__ import annotations

from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.evidence.plan_events import step_keys
from operators_edge.loop import gears
from operators_edge.plan import edits as plan_edits
from operators_edge.plan.edits import EditResult, checked_text, short_line
from operators_edge.state.schema import maps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from typing import Any

    from operators_edge.model import State
    from operators_edge.records import Junction

SOURCES = ("engine", "ask")
"""Sources of the junctions answered here. The gate's lead to grants, the quality gate's to overrides."""


def is_ours(pending: Any) -> bool:
    return isinstance(pending, dict) and pending.get("source") in SOURCES


def offers(pending: Junction) -> list[str]:
    """The texts of the numbered options; empty if the answer is only yes or no."""
    payload = _payload(pending)
    if pending.get("type") == "finding_selection":
        return [_finding_line(each) for each in maps(payload.get("findings"))]
    if pending.get("type") == "ambiguous":
        options = payload.get("options")
        return [short_line(each) for each in options] if isinstance(options, list) else []
    return []


def commands_line(pending: Junction) -> str:
    """The commands that decide it, for a person."""
    kind, count = pending.get("type"), len(offers(pending))
    if kind == "ambiguous":
        named = f"/edge approve {_number_range(count)}, " if count else ""
        return f"{named}/edge approve YOUR ANSWER, or /edge skip"
    if kind == "finding_selection":
        return f"/edge approve {_number_range(count)}, /edge skip or /edge dismiss"
    return "/edge approve, /edge skip or /edge dismiss"


def _number_range(count: int) -> str:
    """The numbers that can be typed, in a short form."""
    return "1" if count < 2 else "1 or 2" if count == 2 else f"1…{count}"


def confirmation(pending: Junction, typed: str) -> str:
    """The question that a person confirms before a yes counts."""
    kind = pending.get("type")
    if kind == "finding_selection":
        return f"Make this the objective: {short_line(chosen_finding(pending, typed)['title'])}?"
    if kind == "proposal":
        return "Make it the objective?"
    if kind == "ambiguous":
        return f"Answer: {short_line(answer_of(pending, typed))}?"
    return "Work on this step?"


# -- yes -------------------------------------------------------------------------------------------


def chosen_finding(pending: Junction, typed: str) -> dict[str, Any]:
    """The finding with this number or id; a single one needs neither."""
    listed = maps(_payload(pending).get("findings"))
    word = typed.strip()
    if not word and len(listed) == 1:
        return listed[0]
    if _is_number(word) and 1 <= int(word) <= len(listed):
        return listed[int(word) - 1]
    named = [each for each in listed if word and str(each.get("id")) == word]
    if named:
        return named[0]
    what = f"{word} is not one of" if word else "say which of"
    raise UsageError(f"{what} the {len(listed)} findings, counted from 1", hint="edge approve 1")


def adopt(state: State, about: Mapping[str, Any]) -> EditResult:
    """Make a finding or a proposal the objective; the caller has archived the one before."""
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
    """Refuse while work is open: a new objective must not drop steps or bypass the gate."""
    left = gears.open_steps(state)
    if left:
        raise AnswerIsNo(
            f"step {left[0].number} is not completed, and another objective would drop it",
            hint=f"edge step done {left[0].number}, or edge plan rm {left[0].number}",
        )
    if gears.gate_is_due(state):
        raise AnswerIsNo(
            "the plan was completed again, and the quality gate has not checked it yet",
            hint="edge run",
        )


def answer_of(pending: Junction, typed: str) -> str:
    """The answer: an option, named by number or text, else the text that the person typed."""
    options = _payload(pending).get("options")
    listed = [str(each) for each in options] if isinstance(options, list) else []
    text = typed.strip()
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


def record_answer(state: State, pending: Junction, typed: str, now: datetime) -> EditResult:
    """Store the answer with its question, where every session reads it."""
    answer = answer_of(pending, typed)
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


def apply_refusal(state: State, pending: Junction) -> EditResult:
    """Apply a no: the step is blocked, findings are not offered again, a question stays open."""
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


# -- small parts -----------------------------------------------------------------------------------


def _payload(pending: Junction) -> dict[str, Any]:
    payload = pending.get("payload")
    return payload if isinstance(payload, dict) else {}


def _finding_line(each: Mapping[str, Any]) -> str:
    where = str(each.get("file") or "")
    where += f":{each['line']}" if where and each.get("line") else ""
    title = short_line(each.get("title") or "a finding")
    place = f" ({where})" if where and where not in title else ""
    return f"{each.get('priority') or ''} {title}{place}".strip()


def _is_same(entry: Any, asked: str) -> bool:
    text = entry.get("question") if isinstance(entry, dict) else entry
    return isinstance(text, str) and text.strip() == asked


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


# end of module
