"""The summaries in a runner's output: passed or failed, and how many.

Owns how they are read. Does not own their patterns (``evidence.checks.runner_patterns``), which runner
printed the text (``evidence.checks.programs``) or how much of it can be seen
(``evidence.checks.attribution``).
"""

from __future__ import annotations

import re
from functools import cache

from operators_edge.evidence.checks.runner_patterns import EMPTY, ROWS
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Counts = dict[str, int]
Span = tuple[int, int]

MAX_TEXT = 2_000_000
"""Characters of an output that are read, the last ones."""


MAX_LINE = 1_000
"""Of a longer line only this much is read: patterns may take time that grows with its square."""

MAX_MATCHES = 300


class Summary(NamedTuple):
    """One summary. ``passed`` is None if nothing was judged: no test ran.

    ``needs``: how much of the output must be seen for a "passed" to hold: its "line" alone, the "end", or
    "all" of it.
    """

    passed: bool | None
    counts: Counts
    at: int
    needs: str = "line"


_LONG = re.compile(rf"[^\n]{{{MAX_LINE},}}")
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9])")


def plain(output: str) -> str:
    """The text without colours and carriage returns, within the bounds."""
    text = output[-MAX_TEXT:]
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _LONG.sub(lambda match: match[0][:MAX_LINE], text)


def read(text: str, readers: Iterable[str]) -> list[Summary]:
    """Every summary of these readers, in the text's order; of two at one position only one counts."""
    found: dict[Span, Summary] = {}
    for summary, span in _every(text, frozenset(readers)):
        if not any(start <= summary.at < end for start, end in found):
            found[span] = summary
    ends = sorted(found.values(), key=lambda one: one.at)
    if _is_void(text, frozenset(readers)):
        ends = [one._replace(passed=None) if one.passed else one for one in ends]
    return ends


def _is_void(text: str, readers: frozenset[str]) -> bool:
    """Whether a runner shows that there was nothing to run, whatever it says in the end."""
    return any(
        not readers.isdisjoint(names.split())
        and _compiled(none).search(text)
        and not _compiled(some).search(text)
        for names, none, some in EMPTY
    )


def _every(text: str, readers: frozenset[str]) -> Iterator[tuple[Summary, Span]]:
    for reader, marks, pattern, needs in ROWS:
        if reader in readers and any(mark in text for mark in marks.split("|")):
            find = _sum if needs.endswith("+") else _matches
            yield from find(pattern, needs.rstrip("+"), text)
    for reader in sorted(readers & _SPECIAL.keys()):
        for summary in _SPECIAL[reader](text):
            yield summary, (summary.at, summary.at + 1)


def _sum(pattern: str, needs: str, text: str) -> Iterator[tuple[Summary, Span]]:
    """One summary of all that the pattern finds: of each target, package or module."""
    span, counts, ends = (0, 0), dict[str, int](), list[bool | None]()
    for match in _compiled(pattern).finditer(text):
        summary = _summary_of(match, needs)
        if summary is not None:
            span = match.span()
            ends.append(summary.passed)
            for name, number in summary.counts.items():
                counts[name] = counts.get(name, 0) + number
    if ends:
        passed = False if False in ends else (True in ends or None)
        yield Summary(passed, counts, span[0], needs if passed else ""), span


def _matches(pattern: str, needs: str, text: str) -> Iterator[tuple[Summary, Span]]:
    """What one pattern finds; of many complaints without a count, the last one."""
    complaint = None
    for number, match in enumerate(_compiled(pattern).finditer(text)):
        summary = _summary_of(match, needs)
        if summary is None:
            continue
        if summary.passed is False and not summary.counts:
            complaint = summary, match.span()
        elif number < MAX_MATCHES:
            yield summary, match.span()
    if complaint is not None:
        yield complaint


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


_NAMES = {
    "p": "passed",
    "f": "failed",
    "e": "errors",
    "e2": "errors",
    "s": "skipped",
    "s2": "skipped",
    "again": "passed",
    "t": "total",
    "n": "problems",
    "files": "files",
    "files2": "files",
}


def _summary_of(match: re.Match[str], needs: str) -> Summary | None:
    groups = match.groupdict()
    counts: Counts = {}
    for group, name in _NAMES.items():
        if value := groups.get(group):
            counts[name] = counts.get(name, 0) + (int(value) if value.isdigit() else 1)
    is_bad = bool(groups.get("bad") or groups.get("bad2")) or "failed" in (
        groups.get("suites") or ""
    )
    if counts.get("failed") or counts.get("errors") or counts.get("problems"):
        return Summary(False, _complete(counts), match.start(), "")
    if is_bad:
        suites = re.search(r"(\d+) failed", groups.get("suites") or "")
        if suites:  # files that could not be run: their tests are not counted
            counts["errors"] = int(suites[1])
        return Summary(False, counts, match.start(), "")  # the number of tests is unknown
    if not needs:
        return None
    counts = _complete(counts)
    if "passed" not in counts and (groups.get("good") or groups.get("z") or counts.get("files")):
        return Summary(True, counts, match.start(), needs)
    ran = counts.get("passed", 0)
    return Summary(True if ran > 0 else None, counts, match.start(), needs)


def _complete(counts: Counts) -> Counts:
    """With the number of passed ones, if only the total is stated."""
    if "total" in counts and "passed" not in counts:
        rest = sum(counts.get(name, 0) for name in ("failed", "errors", "skipped"))
        counts["passed"] = max(counts["total"] - rest, 0)
    return counts


# -- runners whose report is no single pattern ------------------------------------------------------

_PART = r"\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|errors?|warnings?|rerun|subtests? \w+)"
_PYTEST = (
    rf"^(?:=+ )?(?P<said>{_PART}(?:, {_PART})*|no tests ran) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$"
)
_PYTEST_STOPPED = r"^!+ (?:\S*KeyboardInterrupt|_pytest\.outcomes\.Exit.*) !+$"
_PYTEST_BELOW = (
    r"^(?:FAIL |ERROR: )?(?:Required test coverage of [\d.]+% not reached|Coverage failure: )"
)


def _pytest(text: str) -> Iterable[Summary]:
    return list(_pytest_totals(text)) or list(_pytest_failures(text))


def _pytest_totals(text: str) -> Iterator[Summary]:
    is_stopped = "!!" in text and _compiled(_PYTEST_STOPPED).search(text)
    is_below = "overage" in text and _compiled(_PYTEST_BELOW).search(text)
    for match in _compiled(_PYTEST).finditer(text) if " in " in text else ():
        said = re.sub(r"\b(error|warning)\b", r"\1s", match["said"])
        counts = {name: int(number) for number, name in re.findall(r"(\d+) (\w+)", said)}
        is_bad = is_below or not {"failed", "errors"}.isdisjoint(counts)
        has_run = not is_stopped and not {"passed", "xfailed", "xpassed"}.isdisjoint(counts)
        passed = False if is_bad else has_run or None
        yield Summary(passed, counts, match.start(), "" if is_bad else "line")


def _pytest_failures(text: str) -> Iterator[Summary]:
    """A list of failures without the total, which was cut off."""
    at = text.rfind("short test summary")
    if at >= 0 and _compiled(r"^(?:FAILED|ERROR) \S").search(text, at):
        yield Summary(False, {}, at, "")


def _tap(text: str) -> Iterator[Summary]:
    """A plan, and as many results as it announces; if the runner adds its own count, that is enough."""
    plan = _compiled(r"^1\.\.(\d+)\s*$").search(text) if "1.." in text else None
    if plan is None or "# pass" in text or "# { total" in text:
        return
    results = _compiled(r"^(not ok|ok) \d+(?:.*(# (?:SKIP|TODO|skip|todo)))?").findall(text)
    counts = {"passed": results.count(("ok", "")), "failed": results.count(("not ok", ""))}
    if left_out := len(results) - sum(counts.values()):
        counts["skipped"] = left_out
    if counts["failed"] or len(results) == int(plan[1]):
        passed = None if not results else not counts["failed"] and bool(counts["passed"])
        yield Summary(passed, counts, plan.start(), "all")


_SPECIAL: dict[str, Callable[[str], Iterable[Summary]]] = {"pytest": _pytest, "tap": _tap}

# end of module
