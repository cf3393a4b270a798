"""Claude Code's own todo tools, in one form (PR-6).

Owns the shapes: a whole list (``TodoWrite`` on older clients) and one todo at a time (``TaskCreate``,
``TaskUpdate``, as seen on 2.1.329). Their use is in ``evidence.progress`` and ``evidence.plan_events``.
"""

from __future__ import annotations

from operators_edge.text.wording import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

TEXT_LIMIT = 200
ITEMS_KEPT = 150
"""Maximum number of todos of one list in the log."""


def of_call(tool: str, given: object, response: object) -> dict[str, Any] | None:
    """The todos that the call set; None if it set none.

    ``{"all": True, "items": [{"text", "status"}]}`` is a whole list, with ``"all": False`` each item has an
    ``id``, and those of text and status that changed.
    """
    if not isinstance(given, dict):
        return None
    answer = response if isinstance(response, dict) else {}
    if tool == "TaskCreate":
        return _created(given, answer)
    if tool == "TaskUpdate":
        return _updated(given, answer)
    items = given.get("todos")
    if tool != "TodoWrite" or not isinstance(items, list):
        return None
    listed = [_item(each) for each in items[:ITEMS_KEPT] if isinstance(each, dict)]
    return {"all": True, "items": [each for each in listed if each["text"]]}


def _created(given: Mapping[str, Any], answer: Mapping[str, Any]) -> dict[str, Any] | None:
    """A new todo; only the client's answer has its id."""
    task = answer.get("task")
    ident = task.get("id") if isinstance(task, dict) else None
    text = one_line(given.get("subject") or "", TEXT_LIMIT)
    return _one({"id": str(ident), "text": text, "status": "pending"}) if ident and text else None


def _updated(given: Mapping[str, Any], answer: Mapping[str, Any]) -> dict[str, Any] | None:
    """One changed todo; for an unknown id the client reports success: false in a successful call."""
    ident = given.get("taskId")
    if not ident or answer.get("success") is False:
        return None
    item = {"id": str(ident)}
    if given.get("subject"):
        item["text"] = one_line(given["subject"], TEXT_LIMIT)
    if given.get("status"):
        item["status"] = str(given["status"])
    return _one(item) if len(item) > 1 else None


def _one(item: dict[str, str]) -> dict[str, Any]:
    return {"all": False, "items": [item]}


def _item(each: Mapping[str, Any]) -> dict[str, str]:
    text = one_line(each.get("content") or "", TEXT_LIMIT)
    return {"text": text, "status": str(each.get("status") or "pending")}


# end of module
