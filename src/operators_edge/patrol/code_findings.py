"""Findings from the facts of files: complexity, size, notes, missing tests, low coverage.

Pure. Owns the thresholds and the texts. Does not own how anything is measured (``patrol.analysis``).
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.evidence.tamper import test_cases
from operators_edge.patrol.findings import Finding, distinct_names, finding
from operators_edge.text.wording import many

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from operators_edge.patrol.findings import Priority

COMPLEX = 15
"""Cyclomatic complexity (McCabe) of a function above which it is a finding: lizard's own default."""

VERY_COMPLEX = 25

LONG = 500
"""Lines of a file."""

VERY_LONG = 1000
MIN_COVERAGE = 50.0
"""Percent of a file's lines; below it, coverage is a finding."""

VERY_LOW_COVERAGE = 20.0
MIN_MISSED_LINES = 10
"""Fewer lines without coverage are not a finding."""

SMALL = 20
"""A file of so many lines needs no test of its own."""

DAYS = 90
"""The period in which commits are counted."""

_MAX_PER_FILE = 10
_URGENT = frozenset({"FIXME", "BUG", "XXX"})
_NO_TEST = re.compile(
    r"(?:^|/)(?:__init__|__main__|conftest|setup|config\w*|settings|types?"
    r"|constants?|_?version|index|mod)\.\w+$"
    r"|(?:^|/)(?:migrations?|fixtures|examples?|docs?|scripts|bench\w*|specs?|testing|testdata|mocks?)/"
    r"|\.config\.\w+$|(?:^|/)[\w.-]*rc\.\w+$"
)
_COMMON_NAMES = (
    "main init setup run start stop test handle update render read write open close load save parse format"
    " build create delete remove execute process call apply reset clear name value index next get set"
)
_COMMON = frozenset(_COMMON_NAMES.split())
"""Names so common that a test may mention them without testing this file."""


class CoveredLines(NamedTuple):
    """How many of a file's lines were covered, by a report. ``is_old``: the file was changed since."""

    covered: int
    lines: int
    report: str
    is_old: bool

    @property
    def percent(self) -> float:
        return 100 * self.covered / max(1, self.lines)


class File(NamedTuple):
    """The facts of one file. ``markers``: (line, word, text).
    ``functions``: (name, line, complexity).

    ``words``: of a test file, in lower case; ``has_tests``: it contains tests of itself.
    """

    path: str
    lines: int
    markers: tuple[tuple[int, str, str], ...] = ()
    functions: tuple[tuple[str, int, int], ...] = ()
    words: frozenset[str] = frozenset()
    has_tests: bool = False


def is_test(path: str) -> bool:
    """Whether a file is a test, by its name."""
    language = test_cases.language(path)
    if language == "rust":  # tests inside a source file would make every source a test
        return re.search(r"(?:^|/)(?:tests|benches)/", path) is not None
    return bool(language) or re.search(r"(?:^|/)(?:tests?|spec|__tests__)/", path) is not None


def file_findings(
    files: Sequence[File], changes: Mapping[str, int], covered: Mapping[str, CoveredLines]
) -> Iterator[Finding]:
    """The findings of each file on its own."""
    for file in files:
        bonus = min(20, changes.get(file.path, 0))
        yield from _markers(file, bonus)
        if is_test(file.path):
            continue
        yield from _complexity(file, bonus)
        yield from _size(file, bonus)
        if file.path in covered:
            yield from _coverage(file.path, covered[file.path], bonus)


def without_tests(
    files: Sequence[File], changes: Mapping[str, int], covered: Mapping[str, CoveredLines]
) -> Iterator[Finding]:
    """Sources that no test mentions; ``files`` must contain every test file of the project.

    A file that a coverage report knows is left out. For the others names decide: a test must have the file's
    name, or mention it or one of its functions.
    """
    tests = [file for file in files if is_test(file.path)]
    sources = [file for file in files if _needs_test(file)]
    if sources and not tests and not covered and not any(file.has_tests for file in files):
        yield finding(
            "no_tests",
            "missing_tests",
            "high",
            "The project has no tests",
            f"{many(len(sources), 'source file')} with functions, and no file has the name of a test.",
            subject="no tests",
            action="Start with a test of what would do the most damage if it broke.",
        )
        return
    mentioned = {_stem(test.path) for test in tests}.union(*(test.words for test in tests))
    for file in sources:
        if file.path in covered or file.has_tests or _is_mentioned(file, mentioned):
            continue
        yield finding(
            "missing_tests",
            "missing_tests",
            "medium",
            f"No test mentions {file.path}",
            f"{file.lines} lines, {many(len(file.functions), 'function')}; no test has its name,"
            " mentions it or one of its functions",
            subject="missing",
            file=file.path,
            metric="lines",
            value=file.lines,
            threshold=SMALL,
            action=f"Write a test for {os.path.basename(file.path)}.",
            bonus=min(20, changes.get(file.path, 0)),
        )


# -- one file --------------------------------------------------------------------------------------


def _markers(file: File, bonus: int) -> Iterator[Finding]:
    subjects = distinct_names([f"{word} {text}" for _, word, text in file.markers])
    for (line, word, text), subject in zip(file.markers, subjects, strict=True):
        yield finding(
            "marker",
            "code_quality",
            "high" if word in _URGENT else "medium",
            f"{word}: {text}" if text else f"{word} without a text",
            "a note that was left in a comment",
            subject=subject,
            file=file.path,
            line=line,
            action="Do it, or remove the note if nobody will.",
            bonus=bonus,
        )


def _complexity(file: File, bonus: int) -> Iterator[Finding]:
    subjects = distinct_names([name for name, _, _ in file.functions])
    rows = zip(file.functions, subjects, strict=True)
    complex_ones = sorted(
        (row for row in rows if row[0][2] > COMPLEX), key=lambda row: (-row[0][2], row[0][1])
    )
    for (name, line, ways), subject in complex_ones[:_MAX_PER_FILE]:
        yield finding(
            "complexity",
            "complexity",
            "high" if ways >= VERY_COMPLEX else "medium",
            f"{name}() in {file.path} has {ways} paths through it",
            f"cyclomatic complexity {ways}, and {COMPLEX} is already high",
            subject=subject,
            file=file.path,
            line=line,
            metric="cyclomatic_complexity",
            value=ways,
            threshold=COMPLEX,
            action="Test it, then extract parts of it into functions.",
            bonus=bonus + (ways - COMPLEX) // 10,
        )


def _size(file: File, bonus: int) -> Iterator[Finding]:
    if file.lines <= LONG or not file.functions:
        return
    priority: Priority = "medium" if file.lines > VERY_LONG else "low"
    yield finding(
        "large_file",
        "architecture",
        priority,
        f"{file.path} has {file.lines} lines",
        f"{many(len(file.functions), 'function')} in one file, which may have several jobs",
        subject="large",
        file=file.path,
        metric="lines",
        value=file.lines,
        threshold=LONG,
        action="Split it along parts that do not depend on each other.",
        bonus=bonus,
    )


def _coverage(path: str, ran: CoveredLines, bonus: int) -> Iterator[Finding]:
    missed = ran.lines - ran.covered
    if ran.percent >= MIN_COVERAGE or missed < MIN_MISSED_LINES:
        return
    old = "; the file was changed since" if ran.is_old else ""
    yield finding(
        "low_coverage",
        "missing_tests",
        "high" if ran.percent < VERY_LOW_COVERAGE else "medium",
        f"Tests cover {ran.percent:.0f}% of {path}",
        f"{missed} of {ran.lines} lines are not covered ({ran.report}{old})",
        subject="coverage",
        file=path,
        metric="line_coverage",
        value=round(ran.percent, 1),
        threshold=MIN_COVERAGE,
        action="Test the riskiest lines, or measure again if the report is old.",
        bonus=bonus,
    )


# -- tests -----------------------------------------------------------------------------------------


def _needs_test(file: File) -> bool:
    return (
        file.lines > SMALL
        and bool(file.functions)
        and not is_test(file.path)
        and _NO_TEST.search(file.path) is None
    )


def _stem(path: str) -> str:
    """The name of what a file tests: without its extension and the words that mark it as a test."""
    name = os.path.basename(path).split(".")[0].lower()
    return re.sub(r"^test[_-]?|[_-]?(?:tests?|spec|it)$", "", name)


def _is_mentioned(file: File, mentioned: set[str]) -> bool:
    name = os.path.basename(file.path).rpartition(".")[0].lower()
    if name in mentioned or name.replace("-", "_") in mentioned:
        return True
    functions = {re.split(r"[.:]+", each)[-1].lower() for each, _, _ in file.functions}
    return any(each in mentioned for each in functions if len(each) > 3 and each not in _COMMON)


# end of module
