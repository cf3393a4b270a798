"""The events that ``claude -p --output-format stream-json`` prints. Pure.

It is done when its last event is a result without an error; ``subtype`` is ``success`` also where the API
refused (tried with 2.1.329).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from operators_edge.bridge.executors.port import Usage
from operators_edge.bridge.executors.transcript import Events, call_line, cut, number, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from operators_edge.bridge.executors.port import Outcome

_MAX_ERROR = 200
_ERRORS: Mapping[str, Outcome] = {
    "authentication_failed": "not_logged_in",
    "oauth_org_not_allowed": "not_logged_in",
    "billing_error": "usage_limited",
    "rate_limit": "usage_limited",
    "model_not_found": "no_model",
}
_STATUS: Mapping[int, Outcome] = {
    401: "not_logged_in",
    403: "not_logged_in",
    402: "usage_limited",
    429: "usage_limited",
}
_SUBTYPES: Mapping[str, tuple[Outcome, str]] = {
    "error_max_turns": ("failed", "it needed more turns than `max_turns` allows"),
    "error_max_budget_usd": ("cost_exceeded", "it reached the cost limit of the task"),
}


class ClaudeEvents(Events):
    def __init__(self) -> None:
        super().__init__()
        self._error = ""

    def event(self, event: Mapping[str, Any]) -> str:
        match event.get("type"), event.get("subtype"):
            case "system", "init":
                self.report.usage = Usage(model=str(event.get("model", "")))
            case "system", "api_retry":
                return self._retry(event)
            case "rate_limit_event", _:
                self._limit(table(event.get("rate_limit_info")))
            case "assistant", _:
                self._error = str(event.get("error") or "")
                return "".join(_texts(table(event.get("message")).get("content")))
            case "user", _:
                return "".join(self._results(table(event.get("message")).get("content")))
            case "result", _:
                return self._result(event)
        return ""

    def _retry(self, event: Mapping[str, Any]) -> str:
        """It tries a refused key ten times, for minutes; nobody has to wait for that."""
        name, status = str(event.get("error", "")), event.get("error_status")
        if _ERRORS.get(name) == "not_logged_in":
            self.report.outcome, self.report.is_hopeless = "not_logged_in", True
            self.report.detail = (
                f"the API refused the key ({status}); log in with `claude auth login`"
            )
        return f"the API answered {status} ({name}); it is asked again\n"

    def _limit(self, info: Mapping[str, Any]) -> None:
        """When a subscription's limit ends; with a key of the API nothing says that."""
        if info.get("status") == "rejected" and number(info.get("resetsAt")):
            self.report.due = str(info["resetsAt"])

    def _results(self, content: object) -> Iterator[str]:
        for block in content if isinstance(content, list) else []:
            each = table(block)
            if each.get("is_error"):
                words = each.get("content")
                text = cut(re.sub("</?tool_use_error>", "", str(words)), _MAX_ERROR)
                if "No such tool available" in text:
                    self.report.deny(text.partition("available: ")[2].partition(".")[0])
                yield f"  {text}\n"

    def _result(self, event: Mapping[str, Any]) -> str:
        report, text = self.report, cut(str(event.get("result") or ""))
        for each in event.get("permission_denials") or []:
            report.deny(call_line(str(table(each).get("tool_name")), table(each).get("tool_input")))
        report.usage = self._usage(event)
        if not event.get("is_error"):
            report.is_finished = True
            return ""
        outcome, words = _SUBTYPES.get(str(event.get("subtype")), ("failed", ""))
        status = _STATUS.get(number(event.get("api_error_status")), outcome)
        report.outcome = _ERRORS.get(self._error, status)
        report.detail = words or text or self._error or "it ended with an error"
        return f"error: {report.detail}\n"

    def _usage(self, event: Mapping[str, Any]) -> Usage:
        used, cost = table(event.get("usage")), event.get("total_cost_usd")
        given = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        return self.report.usage._replace(
            cost=float(cost) if isinstance(cost, (int, float)) else None,
            input_tokens=sum(number(used.get(name)) for name in given),
            output_tokens=number(used.get("output_tokens")),
            turns=number(event.get("num_turns")),
        )


def _texts(content: object) -> Iterator[str]:
    for block in content if isinstance(content, list) else []:
        each = table(block)
        if each.get("type") == "text":
            yield f"{each.get('text', '')}\n"
        elif each.get("type") == "tool_use":
            yield f"> {call_line(str(each.get('name')), each.get('input'))}\n"


# end of module
