"""How a check ended: by the line's exit code where that is the run's, and by what the runner says.

A failing summary outweighs a good exit code (``pytest || true``); a passing one counts without an exit code
only where it is whole and the line does nothing but show it. Everything else is unknown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from operators_edge.evidence.checks.model import Outcome
from operators_edge.evidence.checks.runner_output import Summary, plain, read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.evidence.checks.model import Check

_STOPPED = 124
"""From this exit code on a run was stopped, or never began (timeout, not found, signals)."""

# Exit codes by which a runner says that it could not judge: nothing collected, wrong usage, interrupted.
_COULD_NOT = {
    "pytest": (2, 3, 4, 5), "unittest": (5,), "mypy": (2,), "ruff": (2,), "ruff-format": (2,),
    "eslint": (2,), "golangci": (2, 3, 4, 5, 6, 7), "rubocop": (2,), "black": (123,), "nextest": (4,),
    "shellcheck": (3, 4), "prettier": (2,),
}  # fmt: skip
_NEVER_BEGAN = re.compile(
    r"^(?:npm (?:error|ERR!) )?Missing script:|Error: no test specified|\bcommand not found$|: not found$"
    r"|^g?make: \*\*\* No (?:rule to make target '[^']*'\. |targets)"
    r"|: No module named [\w.]+$|^error: no such command: "
    r"|\bcd: .*(?:No such file|can't cd|[Nn]ot a directory)|ERR_PNPM_NO_SCRIPT|^error: Script not found"
    r"|^Could not find '|^error Command \"\S+\" not found"
    r"|^Usage Error: Couldn't find a script|npm (?:error|ERR!) could not determine executable"
    r"|^error: could not find `Cargo.toml`|^go: (?:cannot find main module|no packages)"
    r"|^go\.mod file not found"
    r"|^error: Justfile does not contain recipe|^task: Task \".*\" does not exist|^ninja: error: loading"
    r"|^error: toolchain .* is not installed|^error: the following required arguments",
    re.MULTILINE,
)
_CUT = re.compile(r"\[\d+ (?:lines|characters) truncated\]")
_ONLY_SHOWN = "<persisted-output>"


def outcomes(checks: Sequence[Check], output: str, code: int | None) -> list[Outcome]:
    """How each check of one line ended; see ``checks.outcomes``."""
    if code is None or code >= _STOPPED:
        return [Outcome(None) for _ in checks]
    text = plain(output)
    found = _shared_out(checks, text)
    told = [_outcome(one, text, code, found[number]) for number, one in enumerate(checks)]
    return _without_unrun(checks, told)


def _shared_out(checks: Sequence[Check], text: str) -> list[list[Summary]]:
    """Which summary is whose. Where that cannot be told, it is nobody's."""
    seen = [
        one for one in checks if one.place.view and one.place.is_judged and _ONLY_SHOWN not in text
    ]
    shared: list[list[Summary]] = []
    for check in checks:
        if check not in seen or not check.readers:
            shared.append([])
            continue
        rivals = [one for one in seen if not set(one.readers).isdisjoint(check.readers)]
        summaries = read(text, check.readers)
        if len(rivals) == 1:
            shared.append(summaries)
            continue
        every = read(text, {name for one in rivals for name in one.readers})
        at = [one is check for one in rivals].index(True)
        is_row = all(one.place.is_chained for one in rivals) and len(every) <= len(rivals)
        fits = len(every) == len(rivals) or is_row
        shared.append([every[at]] if fits and at < len(every) else [])
    return shared


def _outcome(check: Check, text: str, code: int, summaries: Sequence[Summary]) -> Outcome:
    place = check.place
    if not place.is_judged:
        return Outcome(None)
    own = _own_code(check, text, code)
    if "listing" in check.readers:
        return _listing(check, text, own)
    counts = _added(summaries)
    last = summaries[-1].passed if summaries else None
    if last is False:
        return Outcome(False, counts)
    if own is not None and own != 0:
        could_not = any(own in _COULD_NOT.get(one, ()) for one in check.readers[:1])
        if own >= _STOPPED or could_not or _NEVER_BEGAN.search(text) or _is_empty(summaries):
            return Outcome(None, counts)
        return Outcome(False, counts)
    if any(one.passed is False for one in summaries) or _is_empty(summaries):
        return Outcome(None, counts)  # one says so, another not; or nothing was judged
    passed = own == 0 and not (check.needs_summary and not summaries)
    if not passed and own is None:
        is_its_own = bool(summaries) and not place.is_mixed and not read(place.said, check.readers)
        passed = is_its_own and _is_whole(check, text, summaries)
    if check.rewrites:
        passed = False
    return Outcome(True if passed else None, counts)


def _own_code(check: Check, text: str, code: int) -> int | None:
    """The run's own exit code, where the line tells it."""
    for pattern in check.place.codes:
        printed = re.findall(pattern, text.rstrip("\n"), re.MULTILINE)
        if printed:
            return int(printed[-1])
    if (code == 0 and check.place.passes) or (code != 0 and check.place.fails):
        return code
    return None


def _is_empty(summaries: Sequence[Summary]) -> bool:
    """Nothing was judged in any of them."""
    return bool(summaries) and all(one.passed is None for one in summaries)


def _is_whole(check: Check, text: str, summaries: Sequence[Summary]) -> bool:
    """What is seen of the output is enough to say that all passed."""
    view = check.place.view
    if (
        view in ("end", "start")
        and check.place.most
        and len(text.rstrip("\n").split("\n")) < check.place.most
    ):
        view = "all"  # shorter than what the viewer lets through: nothing was cut
    if view == "all" and _CUT.search(text):
        view = "end"
    enough = {"all": ("line", "end", "all"), "end": ("line", "end")}.get(view, ("line",))
    return all(one.tells in enough for one in summaries if one.passed)


def _listing(check: Check, text: str, own: int | None) -> Outcome:
    """These print what is not in form, and nothing else."""
    if own is None or not check.is_alone or check.place.view != "all":
        return Outcome(None)
    return Outcome(own == 0 and not text.strip())


def _added(summaries: Sequence[Summary]) -> dict[str, int] | None:
    counts: dict[str, int] = {}
    for one in summaries:
        for name, number in one.counts.items():
            counts[name] = counts.get(name, 0) + number
    return counts or None


def _without_unrun(checks: Sequence[Check], told: list[Outcome]) -> list[Outcome]:
    """Behind the first that failed of a row joined by ``&&`` nothing ran."""
    failed = False
    result = []
    for check, outcome in zip(checks, told, strict=True):
        if failed and check.place.is_chained:
            result.append(Outcome(None, has_run=False))
            continue
        result.append(outcome)
        failed = failed or (outcome.passed is False and check.place.is_chained)
    return result
