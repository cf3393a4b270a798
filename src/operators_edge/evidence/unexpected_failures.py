"""A check that failed although a step expects it to pass.

Pure. Seen on a call, written to the state when the turn ends. Owns what a step expects of a check, and which
of these failures passed again. Does not own the mismatches that they become (``memory.mismatches``,
``memory.outcomes``).
"""

from __future__ import annotations

import re

from operators_edge.system.digest import sha256_hex
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import as_text, one_line
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypedDict

    from operators_edge.evidence.checks.run import CheckResult, Run
    from operators_edge.model import State

    class ExpectedPass(TypedDict):
        """The data of ``mismatch_seen``: a check that failed, and the step that expects it to pass."""

        source: str
        key: str
        step: int
        expectation: str
        observation: str
        command: str

    class SeenFailure(ExpectedPass):
        """The last time that it failed; ``is_told``: the state has it as a mismatch."""

        seq: Any
        passed: bool
        is_told: bool
        times: int


KEPT = 30
_SHOWN = 160

_GOOD = pattern(
    r"\b(?:pass(?:es|ed|ing)?|green|succeeds?|ok|clean|no (?:errors?|failures?|warnings?))\b"
)
_BAD = pattern(r"\b(?:fail(?:s|ed|ing|ure)?|red|break(?:s|ing)?|broken|xfail|not pass)\b")
_KINDS = {
    "test": pattern(r"\b(?:tests?|test ?suite|suite|specs?|checks?)\b"),
    "lint": pattern(r"\b(?:lint(?:er|ers|ing)?|checks?)\b"),
    "types": pattern(r"\b(?:types?|type ?checks?|typing|checks?)\b"),
    "format": pattern(r"\b(?:format(?:ted|ting)?|checks?)\b"),
    "build": pattern(r"\b(?:builds?|compiles?|compilation)\b"),
}


# -- on a call -------------------------------------------------------------------------------------


def detect(
    state: State, command: str, check: CheckResult, exit_code: int | None
) -> ExpectedPass | None:
    """The data of ``mismatch_seen`` if the step in progress expects this check to pass; else None."""
    if check["passed"] is not False or check["elsewhere"]:
        return None
    plan = state.get("plan")
    for number, step in enumerate(plan if isinstance(plan, list) else [], 1):
        if not isinstance(step, dict) or step.get("status") != "in_progress":
            continue
        expectation = expected_of(step, command, check)
        if expectation:
            shown, code = one_line(command, _SHOWN), f" (exit {exit_code})" if exit_code else ""
            return {
                "source": "observed",
                "key": sha256_hex(_flat(command).encode())[:12],
                "step": number,
                "expectation": expectation,
                "observation": f"`{shown}` failed{code}{_counted(check)}",
                "command": shown,
            }
    return None


def expected_of(step: Mapping[str, Any], command: str, check: CheckResult) -> str:
    """The step's words that expect the check to pass; "" if there are none."""
    named, ran = _flat(as_text(step.get("verification")).strip("`")), _flat(command)
    if named and ran and (named == ran or f"`{ran}`" in named):
        return f"`{one_line(named.strip('`'), _SHOWN)}` passes"
    expected = as_text(step.get("expected"))
    text = _flat(expected.lower())
    is_good = _GOOD.search(text) and not _BAD.search(text)
    return expected if is_good and _is_about(text, ran.lower(), check) else ""


def _flat(text: str) -> str:
    return " ".join(text.split())


def _is_about(text: str, ran: str, check: CheckResult) -> bool:
    """Whether an expectation names the check: its runner, its kind or its command."""
    runner, kind = check["name"].lower(), _KINDS.get(check["kind"])
    if runner and re.search(rf"(?<!\w){re.escape(runner)}(?!\w)", text):
        return True
    return bool((kind and kind.search(text)) or (ran and ran in text))


def _counted(check: CheckResult) -> str:
    failed = (check["counts"] or {}).get("failed")
    return f", {failed} failed" if failed else ""


# -- in the facts of the objective -----------------------------------------------------------------


def follow(
    seen: dict[str, SeenFailure], event: object, data: Mapping[str, Any], seq: object
) -> None:
    """Fold one entry: a failure that was seen again, or a mismatch that is in the state now."""
    key = str(data.get("key") or "")
    if not key:
        return
    if event == "mismatch_seen":
        before = seen.pop(key, None)
        times = before["times"] + 1 if before else 1
        failure = {**data, "seq": seq, "passed": False, "is_told": False, "times": times}
        seen[key] = cast("SeenFailure", failure)
        while len(seen) > KEPT:
            del seen[next(iter(seen))]
    elif event == "mismatch" and key in seen:
        if data.get("to") in ("added", "again"):
            seen[key]["is_told"] = True
        else:
            del seen[key]


def note_pass(seen: dict[str, SeenFailure], run: Run) -> None:
    """What failed before and passes now is no longer a mismatch."""
    if run["passed"] is not True or not seen:
        return
    shown = one_line(run["command"], _SHOWN)
    for key in [key for key, each in seen.items() if each.get("command") == shown]:
        if seen[key]["is_told"]:
            seen[key]["passed"] = True
        else:
            del seen[key]


def changes(seen: Mapping[str, SeenFailure]) -> dict[str, SeenFailure]:
    """What must be written to the state, by key."""
    return {key: each for key, each in seen.items() if each["passed"] or not each["is_told"]}


# end of module
