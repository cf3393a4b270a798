"""How much of each file the tests covered, if the project contains a coverage report.

Owns finding and reading ``coverage.xml`` (Cobertura and JaCoCo) and ``lcov.info``, which are untrusted. Does
not own what is too little (``patrol.code_findings``), and never runs a test.
"""

from __future__ import annotations

import io
import os
import posixpath
import re
import stat
from xml.etree import ElementTree as ET

from operators_edge.patrol.code_findings import CoveredLines
from operators_edge.text.wording import one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeVar
    from xml.etree.ElementTree import Element

    from operators_edge.git.commands import Budget

    T = TypeVar("T")

MAX_BYTES = 20_000_000
"""Can be read in a second or two."""

REPORTS = (
    "coverage.xml",
    "cobertura.xml",
    "coverage/coverage.xml",
    "coverage/cobertura-coverage.xml",
    "coverage/cobertura.xml",
    "build/coverage.xml",
    "reports/coverage.xml",
    "lcov.info",
    "coverage.lcov",
    "coverage/lcov.info",
    "coverage/lcov/lcov.info",
    "build/lcov.info",
    "target/lcov.info",
    "reports/lcov.info",
    "target/site/jacoco/jacoco.xml",
    "build/reports/jacoco/test/jacocoTestReport.xml",
)
"""Where tools write them. Git mostly ignores them, so the file listing does not contain them."""

_DATA = re.compile(r"([0-9]{1,9}),(-?[0-9]{1,18})(?:,|$)")
"""A line's number and how often it ran."""

_Lines = dict[int, int]
_Entry = tuple[tuple[str, ...], _Lines]
"""A file in a report, under all names it may have, with the hits of its lines."""


class Coverage(NamedTuple):
    """By path; ``problems`` has a sentence for each report that could not be read."""

    files: dict[str, CoveredLines]
    problems: tuple[str, ...]


class _Unreadable(Exception):
    pass


def coverage(root: str, paths: Sequence[str], budget: Budget) -> Coverage:
    """The coverage of these paths; if a file is in several reports, the newest counts."""
    found: dict[str, CoveredLines] = {}
    problems = []
    reports = [(_modified_at(root, each), each) for each in REPORTS]
    for written_at, report in sorted(each for each in reports if each[0]):
        try:
            entries = _read(os.path.join(root, report), budget)
        except (_Unreadable, OSError) as error:
            problems.append(f"{report} could not be read: {error}")
            continue
        resolved = _resolve(root, paths, [names for names, _ in entries])
        whole: dict[str, _Lines] = {}
        for path, (_, lines) in zip(resolved, entries, strict=True):
            for number, hits in lines.items() if path else ():
                known = whole.setdefault(path, {})
                known[number] = max(hits, known.get(number, 0))
        for path, lines in whole.items():
            covered = sum(hits > 0 for hits in lines.values())
            found[path] = CoveredLines(
                covered, len(lines), report, _modified_at(root, path) > written_at
            )
    return Coverage(found, tuple(problems))


def _modified_at(root: str, path: str) -> float:
    """When the file was last written; 0.0 if there is none."""
    try:
        status = os.stat(os.path.join(root, path))
    except OSError:
        return 0.0
    return status.st_mtime if stat.S_ISREG(status.st_mode) else 0.0


def _read(path: str, budget: Budget) -> list[_Entry]:
    with open(path, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise _Unreadable(f"it has more than {MAX_BYTES // 1_000_000} MB")
    if not path.endswith(".xml"):
        return list(_lcov(data, budget))
    if b"<!ENTITY" in data:  # reports have none, and they can expand
        raise _Unreadable("it declares entities")
    try:
        return list(_xml(data, budget))
    except (ET.ParseError, ValueError, LookupError) as error:  # an unknown encoding, too
        raise _Unreadable(f"it is not XML ({error})") from error


def _within_budget(rows: Iterable[T], budget: Budget) -> Iterator[T]:
    for number, row in enumerate(rows):
        if number % _BUDGET_INTERVAL == 0 and not budget.left:
            raise _Unreadable("the time limit was reached")
        yield row


_BUDGET_INTERVAL = 1000


def _lcov(data: bytes, budget: Budget) -> Iterator[_Entry]:
    name, lines, is_report = "", _Lines(), False
    for raw in _within_budget(data.split(b"\n"), budget):
        row = raw.decode("utf-8", "replace").strip()
        key, _, value = row.partition(":")
        if key == "SF":
            name, lines = _slashes(value), {}
        elif key == "DA" and name:
            match = _DATA.match(value)
            if match is None:
                raise _Unreadable(f"a line is not valid: {one_line(row, 60)}")
            lines[int(match[1])] = int(match[2])
        elif key == "end_of_record" and name:
            yield (name,), lines
            name, is_report = "", True
    if not is_report:
        raise _Unreadable("it has no complete record")


def _xml(data: bytes, budget: Budget) -> Iterator[_Entry]:
    """Each file in a report of Cobertura (``class`` elements) or JaCoCo (``sourcefile`` in ``package``)."""
    sources: list[str] = []
    package = ""
    rows = ET.iterparse(io.BytesIO(data), ("start", "end"))  # noqa: S314 - no entities
    for number, (event, element) in enumerate(_within_budget(rows, budget)):
        tag = element.tag
        if number == 0 and tag not in ("coverage", "report"):
            raise _Unreadable("it is not a coverage report")
        if (event, tag) == ("start", "package"):
            package = element.get("name", "")
        elif (event, tag) == ("end", "source"):
            sources.append(_slashes((element.text or "").strip()))
        elif event == "end" and tag in ("class", "sourcefile"):
            if name := _file_name(element, package):
                yield (*(posixpath.join(each, name) for each in sources), name), _hits(element)
            element.clear()


def _file_name(element: Element, package: str) -> str:
    if element.tag == "sourcefile":
        return posixpath.join(package, element.get("name", ""))
    return _slashes(element.get("filename", ""))


def _slashes(path: str) -> str:
    return path.replace("\\", "/")


def _hits(element: Element) -> _Lines:
    """Cobertura counts how often a line ran, JaCoCo how many of its instructions did."""
    lines: _Lines = {}
    for line in element.iter("line"):
        number = line.get("number") or line.get("nr")
        if match := _DATA.fullmatch(f"{number},{line.get('hits') or line.get('ci')}"):
            lines[int(match[1])] = max(int(match[2]), lines.get(int(match[1]), 0))
    return lines


def _resolve(root: str, paths: Sequence[str], named: Sequence[tuple[str, ...]]) -> list[str]:
    """The path that each file of a report stands for; "" if it is not one of them.

    In a report from elsewhere (a container, a subfolder) or with package names, it is the only path that
    ends with the name, else the only one that the name ends with.
    """
    known = set(paths)
    roots = [each.replace(os.sep, "/") + "/" for each in (root, os.path.realpath(root))]
    ends: dict[str, list[str]] = {}
    for path in paths:
        ends.setdefault(posixpath.basename(path), []).append(path)

    def one(names: tuple[str, ...]) -> str:
        for name in names:
            for start in ("", *roots):
                if name.startswith(start):
                    plain = posixpath.normpath(name.removeprefix(start))
                    if plain in known:
                        return plain
        plain = posixpath.normpath(names[-1])
        same_name = ends.get(posixpath.basename(plain), ())
        longer = [path for path in same_name if f"/{path}".endswith(f"/{plain.lstrip('/')}")]
        matches = longer or [path for path in same_name if plain.endswith(f"/{path}")]
        return matches[0] if len(matches) == 1 else ""

    return [one(names) for names in named]


# end of module
