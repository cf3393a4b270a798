"""The events that ``codex exec --json`` prints. Pure.

It is done when its turn is completed (tried with 0.169.0). It says what it used, but not what that cost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.bridge.executors.transcript import Events, cut, number, table

if TYPE_CHECKING:
    from collections.abc import Mapping


class CodexEvents(Events):
    def event(self, event: Mapping[str, Any]) -> str:
        match event.get("type"):
            case "item.completed":
                return _item(table(event.get("item")))
            case "turn.completed":
                return self._turn(table(event.get("usage")))
            case "turn.failed":
                return self._failed(table(event.get("error")))
            case "error":
                return f"error: {cut(str(event.get('message', '')))}\n"
        return ""

    def _turn(self, used: Mapping[str, Any]) -> str:
        report, before = self.report, self.report.usage
        report.is_finished = True
        report.usage = before._replace(
            input_tokens=(before.input_tokens or 0) + number(used.get("input_tokens")),
            output_tokens=(before.output_tokens or 0) + number(used.get("output_tokens")),
            turns=(before.turns or 0) + 1,
        )
        return ""

    def _failed(self, error: Mapping[str, Any]) -> str:
        report, text = self.report, cut(str(error.get("message", "the turn failed")))
        report.detail, report.outcome = text, "failed"
        if "401" in text or "403" in text:
            report.outcome = "not_logged_in"
        elif "usage limit" in text or "429" in text:
            report.outcome = "usage_limited"
        return f"error: {text}\n"


def _item(item: Mapping[str, Any]) -> str:
    match item.get("type"):
        case "agent_message":
            return f"{item.get('text', '')}\n"
        case "file_change":
            changes = item.get("changes")
            paths = [str(table(each).get("path", "")) for each in changes or []]
            failed = ": failed" if item.get("status") == "failed" else ""
            return f"> edit {cut(', '.join(paths), 400)}{failed}\n"
        case "command_execution":
            return f"> run {cut(str(item.get('command', '')), 400)}\n"
        case "error":
            return f"error: {cut(str(item.get('message', '')))}\n"
    return ""


# end of module
