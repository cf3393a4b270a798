"""The events that ``opencode run --format json`` prints, and "retry", which only its server tells. Pure.

Its exit code alone is not to be trusted: it is 0 where a stream was cut or a permission was missing. It is
done when its last step ended with ``stop`` and no error was printed (tried with 1.18.33).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.bridge.executors.port import Usage
from operators_edge.bridge.executors.transcript import Events, call_line, cut, number, table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.bridge.executors.port import Outcome

_NOT_ALLOWED = ("unavailable tool", "specified a rule which prevents", "rejected permission")
_NO_MODEL = "Unexpected server error"
"""All that it prints when it does not know the model or has no key for it; the cause is in its own log."""

_STATUS: Mapping[int, Outcome] = {401: "not_logged_in", 402: "usage_limited", 403: "not_logged_in"}
_LONG_WAIT = 120
"""Seconds that an edit may wait for the model's provider."""

_LIMITS = ("rate limit", "usage limit", "quota", "credit balance", "insufficient")


class OpenCodeEvents(Events):
    """``model`` is the one that was asked for."""

    def __init__(self, model: str) -> None:
        super().__init__()
        self.report.usage = Usage(model=model)

    def event(self, event: Mapping[str, Any]) -> str:
        part = table(event.get("part"))
        match event.get("type"):
            case "text":
                return f"{part.get('text', '')}\n"
            case "tool_use":
                return self._tool(str(part.get("tool", "")), table(part.get("state")))
            case "step_finish":
                return self._step(part)
            case "retry":
                return self._waits(event)
            case "error":
                return self._error(table(event.get("error")))
        return ""

    def _tool(self, tool: str, state: Mapping[str, Any]) -> str:
        line = call_line(tool, state.get("input"))
        if state.get("status") != "error":
            return f"> {line}\n"
        error = str(state.get("error", ""))
        if any(each in error for each in _NOT_ALLOWED):
            self.report.deny(line)
            return f"> {line}: not allowed\n"
        return f"> {line}: {cut(error)}\n"

    def _step(self, part: Mapping[str, Any]) -> str:
        self.report.is_finished = part.get("reason") == "stop"
        used, tokens = self.report.usage, table(part.get("tokens"))
        cache = table(tokens.get("cache"))
        given = number(tokens.get("input")) + number(cache.get("read")) + number(cache.get("write"))
        made = number(tokens.get("output")) + number(tokens.get("reasoning"))
        cost = part.get("cost")
        self.report.usage = used._replace(
            cost=(used.cost or 0.0) + (cost if isinstance(cost, (int, float)) else 0.0),
            input_tokens=(used.input_tokens or 0) + given,
            output_tokens=(used.output_tokens or 0) + made,
            turns=(used.turns or 0) + 1,
        )
        return ""

    def _waits(self, event: Mapping[str, Any]) -> str:
        """It tries again by itself; where that takes long, the task waits instead."""
        seconds, text = number(event.get("seconds")), cut(str(event.get("message", "")))
        if seconds > _LONG_WAIT:
            report = self.report
            report.outcome, report.is_hopeless = "usage_limited", True
            report.detail = f"the model's provider lets it wait for {seconds} s: {text}"
            report.due = str(event.get("until", ""))
        return f"waits {seconds} s for the model's provider: {text}\n"

    def _error(self, error: Mapping[str, Any]) -> str:
        data = table(error.get("data"))
        text = cut(str(data.get("message") or error.get("name") or "an error without words"))
        status = data.get("statusCode")
        report = self.report
        report.outcome = _STATUS.get(number(status), "failed")
        report.detail = f"the model's provider answered {status}: {text}" if status else text
        if status == 429 or any(each in text.lower() for each in _LIMITS):
            report.outcome = "usage_limited"
            report.due = _limit_end(text, table(data.get("responseHeaders")))
        elif _NO_MODEL in text and report.usage.turns is None:
            report.outcome = "no_model"
            report.detail = (
                f"OpenCode does not know the model {report.usage.model}, or has no key for it;"
                " `opencode models` lists what it knows, `opencode auth login` stores a key"
            )
        return f"error: {report.detail}\n"


def _limit_end(text: str, headers: Mapping[str, Any]) -> str:
    """What the provider says of when its limit ends, the best of it first."""
    known = str(headers.get("anthropic-ratelimit-unified-reset", ""))
    seconds = str(headers.get("retry-after", ""))
    return " ".join(
        filter(None, (known, text, f"again in {seconds}s" if seconds.isdigit() else ""))
    )


# end of module
