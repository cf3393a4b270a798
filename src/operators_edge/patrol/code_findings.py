"""What the measured files of a project say: complexity, size, notes, missing tests, thin coverage, churn.

Pure. Owns the thresholds and the words. Does not own how anything is measured (``patrol.analysis``).
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.evidence.tamper import test_cases
from operators_edge.patrol.findings import Finding, finding, named_apart
from operators_edge.text.wording import many

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from operators_edge.patrol.findings import Priority

COMPLEX = 15
"""Ways through a function, counted by McCabe: lizard's own default for what is too many."""

VERY_COMPLEX = 25

LONG = 500
"""Lines of a file."""

VERY_LONG = 1000
COVERED = 50.0
"""Percent of a file's lines that tests should run, at least."""

HARDLY_COVERED = 20.0
FEW_LINES = 10
"""Lines that may go without a test before anybody is told."""

SMALL = 20
"""Lines of a file that need no test of their own."""

OFTEN = 15
"""Commits to one file within the time that is looked at."""

DAYS = 90
"""The time in which changes are counted."""

_MOST_OF_A_FILE = 10
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
"""Names of functions that a test may well say without meaning this file's."""


class Ran(NamedTuple):
    """How many of a file's lines ran, by a report. ``is_old``: the file was changed after that."""

    covered: int
    lines: int
    report: str
    is_old: bool

    @property
    def percent(self) -> float:
        return 100 * self.covered / max(1, self.lines)


class File(NamedTuple):
    """What was measured in one file. ``markers``: (line, word, text).
    ``functions``: (name, line, complexity).

    ``words`` are those of a test file, in lower case; ``has_tests``: it holds tests of itself.
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
    if language == "rust":  # its convention for tests inside a source file holds for every source
        return re.search(r"(?:^|/)(?:tests|benches)/", path) is not None
    return bool(language) or re.search(r"(?:^|/)(?:tests?|spec|__tests__)/", path) is not None


def of_files(
    files: Sequence[File], changes: Mapping[str, int], covered: Mapping[str, Ran]
) -> Iterator[Finding]:
    """What each file says by itself."""
    for file in files:
        bonus = min(20, changes.get(file.path, 0))
        yield from _markers(file, bonus)
        if is_test(file.path):
            continue
        yield from _complexity(file, bonus)
        yield from _size(file, bonus)
        yield from _hotspot(file, changes.get(file.path, 0))
        if file.path in covered:
            yield from _coverage(file.path, covered[file.path], bonus)


def without_tests(
    files: Sequence[File], changes: Mapping[str, int], covered: Mapping[str, Ran]
) -> Iterator[Finding]:
    """Sources that no test speaks of; needs every test file of the project among ``files``.

    Told by names, where no coverage report knows better: a test that has the file's name, or says it or one
    of its functions anywhere.
    """
    tests = [file for file in files if is_test(file.path)]
    sources = [file for file in files if _needs_test(file)]
    if sources and not tests and not covered and not any(file.has_tests for file in files):
        yield finding(
            "no_tests",
            "missing_tests",
            "high",
            "The project has no tests",
            f"{many(len(sources), 'source file')} with functions, and no file that is a test by its name.",
            subject="no tests",
            action="Begin with a test of what would hurt most if it broke.",
        )
        return
    said = {_stem(test.path) for test in tests}.union(*(test.words for test in tests))
    for file in sources:
        if file.path in covered or file.has_tests or _is_said(file, said):
            continue
        yield finding(
            "missing_tests",
            "missing_tests",
            "medium",
            f"No test speaks of {file.path}",
            f"{file.lines} lines, {many(len(file.functions), 'function')}; no test has its name,"
            " names it or one of its functions",
            subject="missing",
            file=file.path,
            metric="lines",
            value=file.lines,
            threshold=SMALL,
            action=f"Write a test of what {os.path.basename(file.path)} is for.",
            bonus=min(20, changes.get(file.path, 0)),
        )


# -- one file --------------------------------------------------------------------------------------


def _markers(file: File, bonus: int) -> Iterator[Finding]:
    subjects = named_apart([f"{word} {text}" for _, word, text in file.markers])
    for (line, word, text), subject in zip(file.markers, subjects, strict=True):
        yield finding(
            "marker",
            "code_quality",
            "high" if word in _URGENT else "medium",
            f"{word}: {text}" if text else f"{word} without a word",
            "a note that was left in a comment",
            subject=subject,
            file=file.path,
            line=line,
            action="Do it and take the note out, or take it out because nobody will.",
            bonus=bonus,
        )


def _complexity(file: File, bonus: int) -> Iterator[Finding]:
    subjects = named_apart([name for name, _, _ in file.functions])
    rows = zip(file.functions, subjects, strict=True)
    complex_ones = sorted(
        (row for row in rows if row[0][2] > COMPLEX), key=lambda row: (-row[0][2], row[0][1])
    )
    for (name, line, ways), subject in complex_ones[:_MOST_OF_A_FILE]:
        yield finding(
            "complexity",
            "complexity",
            "high" if ways >= VERY_COMPLEX else "medium",
            f"{name}() in {file.path} has {ways} ways through it",
            f"cyclomatic complexity {ways}, where {COMPLEX} is much",
            subject=subject,
            file=file.path,
            line=line,
            metric="cyclomatic_complexity",
            value=ways,
            threshold=COMPLEX,
            action="Test it, then take parts out into functions with names.",
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
        action="Divide it where its parts do not need each other.",
        bonus=bonus,
    )


def _hotspot(file: File, changes: int) -> Iterator[Finding]:
    most = max((ways for _, _, ways in file.functions), default=0)
    if changes < OFTEN or (most <= COMPLEX and file.lines <= LONG):
        return
    why = f"a function with {most} ways through it" if most > COMPLEX else f"{file.lines} lines"
    yield finding(
        "hotspot",
        "architecture",
        "medium",
        f"{file.path} changes often and is hard to follow",
        f"{many(changes, 'commit')} in {DAYS} days, and {why}: faults are likely here",
        subject="hotspot",
        file=file.path,
        metric="commits",
        value=changes,
        threshold=OFTEN,
        action="Make it simpler before the next change, or test it more than the rest.",
        bonus=min(20, changes // 2),
    )


def _coverage(path: str, ran: Ran, bonus: int) -> Iterator[Finding]:
    missed = ran.lines - ran.covered
    if ran.percent >= COVERED or missed < FEW_LINES:
        return
    old = "; the file was changed since" if ran.is_old else ""
    yield finding(
        "low_coverage",
        "missing_tests",
        "high" if ran.percent < HARDLY_COVERED else "medium",
        f"Tests run {ran.percent:.0f}% of {path}",
        f"{missed} of {ran.lines} lines never ran ({ran.report}{old})",
        subject="coverage",
        file=path,
        metric="line_coverage",
        value=round(ran.percent, 1),
        threshold=COVERED,
        action="Test the lines that would hurt most, or measure again if the report is old.",
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
    """The name of what a test is for: without its ending and the words that say it is a test."""
    name = os.path.basename(path).split(".")[0].lower()
    return re.sub(r"^test[_-]?|[_-]?(?:tests?|spec|it)$", "", name)


def _is_said(file: File, said: set[str]) -> bool:
    name = os.path.basename(file.path).rpartition(".")[0].lower()
    if name in said or name.replace("-", "_") in said:
        return True
    functions = {re.split(r"[.:]+", each)[-1].lower() for each, _, _ in file.functions}
    return any(each in said for each in functions if len(each) > 3 and each not in _COMMON)
