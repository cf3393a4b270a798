"""Findings from the facts of files: complexity, size, notes, missing tests, low coverage.

Pure. Owns the thresholds and the texts. Does not own how anything is measured (``patrol.analysis``).
"""

from __future__ import annotations

import os
import re

from operators_edge.evidence.tamper import test_cases
from operators_edge.patrol import line_findings
from operators_edge.patrol.findings import Finding, distinct_names, finding
from operators_edge.text.wording import many
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from operators_edge.patrol.findings import Priority

COMPLEX = 15
"""Cyclomatic complexity (McCabe) of a function above which it is a finding: lizard's own default."""

LONG = 500
"""Lines of a file."""

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
_NEAR = 6
"""Lines from a mark that a test is left out, in which a note is about that test."""

_URGENT = frozenset({"FIXME", "BUG"})
_FAULT = re.compile(
    r"(?i)\b(?:fail\w*|broken|breaks?|bug\w*|wrong\w*|incorrect\w*|crash\w*|leak\w*|rac(?:es?|y)|deadlock\w*"
    r"|hangs?|flak[ey]\w*|corrupt\w*|lost|loses|unsafe|insecure|vulnerab\w*|overflow\w*|infinite|sometimes"
    r"|randomly|why|not sure|no idea|for some reason|doesn'?t work|does not work|ignor(?:es|ed|ing) errors?"
    r"|swallow\w*|silently|undefined"
    r"|should(?:n'?t| not) (?:happen|be)|known (?:issue|problem)|not thread[- ]?safe|unhandled|raise or)\b"
)
_WISH = re.compile(
    r"(?i)\b(?:maybe|perhaps|consider|could|nicer?|clean\w*|refactor\w*|rename|someday|would be|support for"
    r"|add support"
    r"|implement\w*|document|docs?|optimi[sz]e|speed|faster|move|merge|split|simplify|deduplicate|better)\b"
)
_NO_TEST = re.compile(
    r"(?:^|/)(?:__init__|__main__|conftest|setup|config\w*|settings|_?types?"
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
    ``functions``: (name, line, complexity). ``skips``: (line, how, test, reason). ``compat``: (line,
    version). A marker with an empty word is a comment that names a fault.

    ``words``: of a test file, in lower case; ``has_tests``: it contains tests of itself. ``matches``: (line,
    kind, why) of ``patrol.analysis.line_patterns``; ``exports``: (line, name) of what others can use.
    """

    path: str
    lines: int
    markers: tuple[tuple[int, str, str], ...] = ()
    functions: tuple[tuple[str, int, int], ...] = ()
    skips: tuple[tuple[int, str, str, str], ...] = ()
    compat: tuple[tuple[int, tuple[int, int]], ...] = ()
    words: frozenset[str] = frozenset()
    has_tests: bool = False
    matches: tuple[tuple[int, str, str], ...] = ()
    exports: tuple[tuple[int, str], ...] = ()


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
        yield from _skips(file)
        yield from line_findings.of_matches(file)
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
    words = set[str]().union(*(test.words for test in tests))
    mentioned = {_stem(test.path) for test in tests} | words
    whole = [file for file in sources if file.path not in covered and not file.has_tests]
    yield from line_findings.untested_exports(whole, words)
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
    skipped = {line + more for line, *_ in file.skips for more in range(_NEAR)}
    notes: dict[str, list[tuple[int, str, str]]] = {}
    for each in file.markers:
        if each[0] not in skipped:  # why that test is left out: one thing to do
            notes.setdefault(" ".join(f"{each[1]} {each[2]}".casefold().split()), []).append(each)
    for subject, places in notes.items():
        line, word, text = places[0]
        number = f" ({len(places)} places)" if len(places) > 1 else ""
        yield finding(
            "marker",
            "code_quality",
            _weight(word, text),
            (f"{word}: {text}".removeprefix(": ") if text else f"{word} without a text") + number,
            "a comment that names a fault"
            if _is_fault(text)
            else "a note that was left in a comment",
            subject=subject,
            file=file.path,
            line=line,
            action=_REPRODUCE if _is_fault(text) else "Do it, or remove the note if nobody will.",
            bonus=max(bonus, 15) if _is_fault(text) else bonus,
        )


_REPRODUCE = "Reproduce it with a test, then fix it; or remove the note if it is no longer so."


def _weight(word: str, text: str) -> Priority:
    """A note that names a fault comes first, a wish last."""
    if not word:
        return "medium"
    if _is_fault(text):
        return "high"
    if not text or _WISH.search(text):
        return "low"
    return "high" if word in _URGENT else "medium"


def _is_fault(text: str) -> bool:
    return _FAULT.search(text) is not None


def _skips(file: File) -> Iterator[Finding]:
    """Tests that are left out: nobody sees whether they would pass."""
    rows = file.skips[:_MAX_PER_FILE]
    subjects = distinct_names([name or how for _, how, name, _ in rows])
    for (line, how, name, reason), subject in zip(rows, subjects, strict=True):
        what = _LEFT_OUT.get(how.lower(), "is left out")
        why = f": {reason}" if reason else ""
        yield finding(
            "skipped_test",
            "missing_tests",
            "high" if how == "flaky" or _is_fault(reason) else "medium",
            f"{name or 'A test'} {what}{why}",
            f"{file.path} has a test that says nothing about the code as it is",
            subject=subject,
            file=file.path,
            line=line,
            action="Make it pass, or remove it with what it was for.",
            bonus=10,
        )


_LEFT_OUT = {"flaky": "is run again when it fails", "xfail": "is expected to fail"}
_LEFT_OUT |= {"expectedfailure": "is expected to fail", "failing": "is expected to fail"}


def old_branches(files: Sequence[File], oldest: tuple[int, int]) -> Iterator[Finding]:
    """Branches for versions of Python that the project no longer supports."""
    supported = f"{oldest[0]}.{oldest[1]}"
    for file in files:
        lines = [line for line, version in file.compat if version <= oldest]
        if lines and os.path.basename(file.path) != "setup.py":  # there it refuses the older ones
            yield finding(
                "old_branch",
                "code_quality",
                "medium",
                f"{file.path} still has code for Python below {supported}",
                f"{many(len(lines), 'comparison')} with an older version; the project requires {supported}",
                subject="compat",
                file=file.path,
                line=lines[0],
                metric="comparisons",
                value=len(lines),
                action="Remove the branch that no supported version takes.",
                bonus=15,
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
            "low",
            f"{name}() in {file.path} has {ways} paths through it",
            f"cyclomatic complexity {ways}, and {COMPLEX} is already high",
            subject=subject,
            file=file.path,
            line=line,
            metric="cyclomatic_complexity",
            value=ways,
            threshold=COMPLEX,
            action="Test it, then extract parts of it into functions.",
            bonus=bonus + min(10, (ways - COMPLEX) // 5),
        )


def _size(file: File, bonus: int) -> Iterator[Finding]:
    if file.lines <= LONG or not file.functions:
        return
    yield finding(
        "large_file",
        "architecture",
        "low",
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
