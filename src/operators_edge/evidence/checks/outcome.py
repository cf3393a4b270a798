"""How a check ended, by its exit code and by the summary that the runner printed.

A failing summary outweighs a good exit code (``pytest || true``). A passing one counts without an exit code
only if it is complete and the line does nothing but show it. Everything else is unknown.
"""

from __future__ import annotations

import re

from operators_edge.evidence.checks.failed_tests import names_of
from operators_edge.evidence.checks.model import Outcome
from operators_edge.evidence.checks.runner_output import Summary, plain, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.evidence.checks.model import Check

_STOPPED_FROM = 124
"""With this exit code or a higher one a run was stopped, or never began (timeout, not found, signals)."""

# Exit codes with which a runner reports that it could not judge: nothing collected, wrong usage, interrupted.
_COULD_NOT_JUDGE = {
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
    r"|\AError: No test(?:s| files) found|Couldn.t find any files to test|^No tests found!$"
    r"|^error: No test modules|^ConfigError: No |^The specified regex doesn't match"
    r"|^Error: Test file .* does not exist"
    r"|^Cannot open file \"|^ERROR: No such build data|^Failed to change working directory to "
    r"|^ruby: No such file or directory|^Error: ENOENT: no such file or directory, scandir"
    r"|^error: toolchain .* is not installed|^error: the following required arguments",
    re.MULTILINE,
)
_CUT = re.compile(r"\[\d+ (?:lines|characters) truncated\]")
_ONLY_SHOWN = "<persisted-output>"


def outcomes(checks: Sequence[Check], output: str, code: int | None) -> list[Outcome]:
    """How each check of one line ended.

    ``output`` is what the line printed; ``code`` its exit code, None if it was stopped or still runs.
    """
    text = plain(output)
    if code is None or _was_stopped(code, text):
        return [Outcome(None) for _ in checks]
    found = _attributed(checks, text)
    ends = [_outcome(one, text, code, found[number]) for number, one in enumerate(checks)]
    named = [_with_names(one, end, text) for one, end in zip(checks, ends, strict=True)]
    return _without_unrun(checks, named)


_CRASHED = re.compile(r"^(?:PHP )?(?:Parse|Fatal) error: ", re.MULTILINE)
"""What PHP prints when it ends with 255 because the code is broken."""


def _was_stopped(code: int, text: str) -> bool:
    return code >= _STOPPED_FROM and not (code == 255 and _CRASHED.search(text))


def _with_names(check: Check, end: Outcome, text: str) -> Outcome:
    if end.passed is not False or check.kind != "test" or not check.place.view:
        return end
    return end._replace(failed=tuple(names_of(text, check.readers)))


def _attributed(checks: Sequence[Check], text: str) -> list[list[Summary]]:
    """The summaries of each check; one that cannot be attributed belongs to none."""
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
    if summaries and summaries[-1].passed is False:
        return Outcome(False, counts)
    if own:
        judged = not _could_not_judge(check, text, own, summaries)
        return Outcome(False if judged else None, counts)
    if any(one.passed is False for one in summaries) or _is_empty(summaries):
        return Outcome(None, counts)  # summaries disagree, or nothing was judged
    passed = not check.rewrites and _has_passed(check, text, own, summaries)
    return Outcome(True if passed else None, counts)


def _could_not_judge(check: Check, text: str, code: int, summaries: Sequence[Summary]) -> bool:
    """Whether a check that failed did so before it judged anything."""
    says_so = any(code in _COULD_NOT_JUDGE.get(one, ()) for one in check.readers[:1])
    never_began = says_so or _was_stopped(code, text) or _NEVER_BEGAN.search(text) is not None
    return never_began or _is_empty(summaries)


def _has_passed(check: Check, text: str, own: int | None, summaries: Sequence[Summary]) -> bool:
    """Whether its exit code says so; if that is not known, what it printed."""
    if own is not None:
        return own == 0 and (bool(summaries) or not check.needs_summary)
    place = check.place
    is_own = bool(summaries) and not place.is_mixed and not read(place.echoed, check.readers)
    return is_own and _is_whole(check, text, summaries)


def _own_code(check: Check, text: str, code: int) -> int | None:
    """The check's own exit code, if the line shows it."""
    for pattern in check.place.codes:
        printed = re.findall(pattern, text.rstrip("\n"), re.MULTILINE)
        if printed:
            return int(printed[-1])
    if (code == 0 and check.place.passes) or (code != 0 and check.place.fails):
        return code
    return None


def _is_empty(summaries: Sequence[Summary]) -> bool:
    """Whether nothing was judged in any of them."""
    return bool(summaries) and all(one.passed is None for one in summaries)


def _is_whole(check: Check, text: str, summaries: Sequence[Summary]) -> bool:
    """Whether enough of the output is seen to conclude that all passed."""
    view = check.place.view
    if (
        view in ("end", "start")
        and check.place.max_lines
        and len(text.rstrip("\n").split("\n")) < check.place.max_lines
    ):
        view = "all"  # shorter than the viewer's limit: nothing was cut
    if view == "all" and _CUT.search(text):
        view = "end"
    enough = {"all": ("line", "end", "all"), "end": ("line", "end")}.get(view, ("line",))
    return all(one.needs in enough for one in summaries if one.passed)


def _listing(check: Check, text: str, own: int | None) -> Outcome:
    """For programs that print the files to reformat, and nothing else."""
    if own is None or not check.is_alone or check.place.view != "all":
        return Outcome(None)
    return Outcome(own == 0 and not text.strip())


def _added(summaries: Sequence[Summary]) -> dict[str, int] | None:
    counts: dict[str, int] = {}
    for one in summaries:
        for name, number in one.counts.items():
            counts[name] = counts.get(name, 0) + number
    return counts or None


def _without_unrun(checks: Sequence[Check], ends: list[Outcome]) -> list[Outcome]:
    """After the first failure in a row joined by ``&&`` nothing ran."""
    failed = False
    result = []
    for check, outcome in zip(checks, ends, strict=True):
        if failed and check.place.is_chained:
            result.append(Outcome(None, has_run=False))
            continue
        result.append(outcome)
        failed = failed or (outcome.passed is False and check.place.is_chained)
    return result


# end of module
