"""Findings from lines of code: swallowed errors, deprecated calls, tests that run alone, untested names.

Pure. Owns the texts. Does not own the patterns (``patrol.analysis.line_patterns``).
"""

from __future__ import annotations

import re

from operators_edge.patrol.findings import finding
from operators_edge.text.wording import many

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from operators_edge.patrol.code_findings import File
    from operators_edge.patrol.findings import Finding

_MAX_NAMED = 3
_MAX_DEPRECATED = 3
"""Reasons of one file that are reported."""

_MIN_EXPORTS = 2
"""So many names that no test mentions, or all of a file's, are worth a word."""

_COMMAND_LINE = re.compile(r"(?:^|/)(?:bin|scripts?|tools?|examples?|demos?|bench\w*)/")


def of_matches(file: File) -> Iterator[Finding]:
    """The findings of one file."""
    yield from _only(file)
    yield from _going(file)
    yield from _swallowed(file)


def _only(file: File) -> Iterator[Finding]:
    lines = [line for line, kind, _ in file.matches if kind == "only"]
    if lines:
        yield finding(
            "exclusive_test",
            "missing_tests",
            "high",
            f"{file.path} has {many(len(lines), 'test')} marked to run alone",
            "the other tests of the file, or of the whole run, are left out",
            subject="only",
            file=file.path,
            line=lines[0],
            action="Remove the mark.",
            bonus=15,
        )


def _going(file: File) -> Iterator[Finding]:
    reasons: dict[tuple[str, str], list[int]] = {}
    for line, kind, why in file.matches:
        if why:
            reasons.setdefault((kind, why), []).append(line)
    ranked = sorted(reasons.items(), key=lambda each: (each[0][0] != "removed", each[1][0]))
    for (kind, why), lines in ranked[:_MAX_DEPRECATED]:
        is_gone = kind == "removed" and _COMMAND_LINE.search(file.path) is None
        yield finding(
            "deprecated_call",
            "code_quality",
            "high" if is_gone else "medium",
            f"{file.path} uses a {'removed' if kind == 'removed' else 'deprecated'} API: {why}",
            f"{many(len(lines), 'place')}, the first in line {lines[0]}",
            subject=why,
            file=file.path,
            line=lines[0],
            metric="places",
            value=len(lines),
            action="Replace it before it breaks for a user.",
            bonus=5,
        )


def _swallowed(file: File) -> Iterator[Finding]:
    lines = [line for line, kind, _ in file.matches if kind == "swallowed"]
    if lines:
        yield finding(
            "swallowed_error",
            "code_quality",
            "medium",
            f"{file.path} swallows every error in {many(len(lines), 'place')}",
            f"line {', '.join(map(str, lines[:_MAX_NAMED]))}: any error disappears, and nothing says why",
            subject="swallowed",
            file=file.path,
            line=lines[0],
            metric="places",
            value=len(lines),
            action="Name the errors that are expected, or say why none matters.",
            bonus=10,
        )


def untested_exports(files: Sequence[File], is_tested: set[str]) -> Iterator[Finding]:
    """Public names of a file that no test mentions, where others of it are; ``is_tested``: words of tests."""
    for file in files:
        names = [(line, name) for line, name in file.exports if name.lower() not in is_tested]
        known = len(file.exports) - len(names)
        if len(names) < _MIN_EXPORTS or not known or _COMMAND_LINE.search(file.path):
            continue
        shown = ", ".join(name for _, name in names[:_MAX_NAMED])
        more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
        yield finding(
            "untested_export",
            "missing_tests",
            "medium",
            f"No test names {shown}{more} of {file.path}",
            f"{len(names)} of {len(file.exports)} public names are in no test; the others are",
            subject="exports",
            file=file.path,
            line=names[0][0],
            metric="names",
            value=len(names),
            action="Test what users call first.",
            bonus=5,
        )


# end of module
