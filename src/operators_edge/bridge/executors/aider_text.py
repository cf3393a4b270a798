"""The text that aider prints. Pure.

Its exit code is 0 also where the model's provider refused it, so its own words decide (tried with 0.86.2).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from operators_edge.bridge.executors.transcript import PlainText, cut

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.bridge.executors.port import Outcome

_ERRORS: Mapping[str, Outcome] = {
    "AuthenticationError": "not_logged_in",
    "PermissionDeniedError": "not_logged_in",
    "NotFoundError": "no_model",
    "RateLimitError": "usage_limited",
    "BudgetExceededError": "usage_limited",
}
_ERROR = re.compile(r"litellm\.(?:exceptions\.)?(\w+Error)\b")
_USED = re.compile(
    r"Tokens: (?P<given>[\d.,]+k?) sent\b.*?(?P<made>[\d.,]+k?) received\."
    r"(?:.*Cost: .*\$(?P<cost>[\d.]+) session)?"
)


class AiderText(PlainText):
    def read(self, line: str) -> str:
        text = super().read(line)
        report = self.report
        error = _ERROR.search(text)
        if error:
            report.outcome = _ERRORS.get(error[1], "failed")
            report.detail = cut(text, 400)
        used = _USED.search(text)
        if used:
            report.outcome, report.detail = "done", ""  # it was asked again, and answered
            before = report.usage
            report.usage = before._replace(
                cost=float(used["cost"]) if used["cost"] else None,
                input_tokens=(before.input_tokens or 0) + _number(used["given"]),
                output_tokens=(before.output_tokens or 0) + _number(used["made"]),
                turns=(before.turns or 0) + 1,
            )
        return text


def _number(text: str) -> int:
    plain = float(text.rstrip("k.").replace(",", "") or 0)
    return round(plain * 1_000) if text.endswith("k") else round(plain)


# end of module
