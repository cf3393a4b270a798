"""How much of each file the tests ran, where a report of the last run lies in the project.

Owns finding and reading ``coverage.xml`` (Cobertura's and JaCoCo's) and ``lcov.info``, which anybody may have
written. Does not own what is too little (``patrol.code_findings``), and never runs a test.
"""

from __future__ import annotations

import os
import posixpath
import re
import stat
from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

from operators_edge.patrol.code_findings import Ran
from operators_edge.text.wording import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from operators_edge.git.commands import Budget

MOST_BYTES = 20_000_000
"""What is read in a second or two."""

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
"""Where tools put them. They are mostly ignored by git, so the file listing does not name them."""

_DATA = re.compile(r"([0-9]{1,9}),(-?[0-9]{1,18})(?:,|$)")
"""A line's number and how often it ran."""

_Lines = dict[int, int]


class Coverage(NamedTuple):
    """By path; ``problems`` has a sentence for each report that could not be read."""

    files: dict[str, Ran]
    problems: tuple[str, ...]


class _Unreadable(Exception):
    pass


def coverage(root: str, paths: Sequence[str], budget: Budget) -> Coverage:
    """What the reports say of these paths; of a file in several reports, the newest counts."""
    found: dict[str, Ran] = {}
    problems = []
    reports = [(_changed(root, each), each) for each in REPORTS]
    for when, report in sorted(each for each in reports if each[0]):
        try:
            told = list(_read(os.path.join(root, report), budget))
        except (_Unreadable, OSError) as error:
            problems.append(f"{report} could not be read: {error}")
            continue
        resolved = _resolved(root, paths, [names for names, _ in told])
        whole: dict[str, _Lines] = {}
        for path, (_, lines) in zip(resolved, told, strict=True):
            for number, hits in lines.items() if path else ():
                known = whole.setdefault(path, {})
                known[number] = max(hits, known.get(number, 0))
        for path, lines in whole.items():
            covered = sum(hits > 0 for hits in lines.values())
            found[path] = Ran(covered, len(lines), report, _changed(root, path) > when)
    return Coverage(found, tuple(problems))


def _changed(root: str, path: str) -> float:
    """When the file was last written; 0.0 where there is none."""
    try:
        found = os.stat(os.path.join(root, path))
    except OSError:
        return 0.0
    return found.st_mtime if stat.S_ISREG(found.st_mode) else 0.0


def _read(path: str, budget: Budget) -> Iterator[tuple[tuple[str, ...], _Lines]]:
    """Each file that a report names, in all ways in which it may be meant, with its lines' hits."""
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise _Unreadable(f"it has more than {MOST_BYTES // 1_000_000} MB")
    if path.endswith(".xml"):
        yield from _Xml(budget).read(data)
    else:
        yield from _lcov(data, budget)


def _in_time(rows: Iterable[bytes], budget: Budget) -> Iterator[bytes]:
    for number, row in enumerate(rows):
        if number % _STEP == 0 and not budget.left:
            raise _Unreadable("the time was up")
        yield row


_STEP = 1000


def _lcov(data: bytes, budget: Budget) -> Iterator[tuple[tuple[str, ...], _Lines]]:
    name, lines, is_report = "", _Lines(), False
    for raw in _in_time(data.split(b"\n"), budget):
        row = raw.decode("utf-8", "replace").strip()
        key, _, value = row.partition(":")
        if key == "SF":
            name, lines = value.replace("\\", "/"), {}
        elif key == "DA" and name:
            said = _DATA.match(value)
            if said is None:
                raise _Unreadable(f"a line in it is no line of a report: {one_line(row, 60)}")
            lines[int(said[1])] = int(said[2])
        elif key == "end_of_record" and name:
            yield (name,), lines
            name, is_report = "", True
    if not is_report:
        raise _Unreadable("it holds no whole record")


class _Xml:
    """One report of Cobertura or JaCoCo; entities are refused, they have no place in one."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.sources: list[str] = []
        self.files: list[tuple[str, _Lines]] = []
        self.package = ""
        self.in_source = False
        self.is_report = False
        self.tags = 0

    def read(self, data: bytes) -> Iterator[tuple[tuple[str, ...], _Lines]]:
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._entity
        try:
            parser.Parse(data, True)
        except (expat.ExpatError, ValueError, LookupError) as error:  # an unknown encoding, too
            raise _Unreadable(f"it is no XML ({error})") from error
        if not self.is_report:
            raise _Unreadable("it is no coverage report")
        for name, lines in self.files:
            yield (*(posixpath.join(each, name) for each in self.sources), name), lines

    def _begin(self, tag: str, said: dict[str, str]) -> None:
        self.tags += 1
        if self.tags % _STEP == 0 and not self.budget.left:
            raise _Unreadable("the time was up")
        self.in_source = tag == "source"
        if tag in ("coverage", "report"):
            self.is_report = True
        elif tag == "source":
            self.sources.append("")
        elif tag == "package":
            self.package = said.get("name", "")
        elif tag == "class" and "filename" in said:
            self.files.append((said["filename"].replace("\\", "/"), {}))
        elif tag == "sourcefile":
            self.files.append((posixpath.join(self.package, said.get("name", "")), {}))
        elif tag == "line" and self.files:
            self._line(said)

    def _line(self, said: dict[str, str]) -> None:
        """Cobertura counts how often a line ran, JaCoCo how many of its instructions did."""
        number, hits = (said.get("number") or said.get("nr")), (said.get("hits") or said.get("ci"))
        if told := _DATA.fullmatch(f"{number},{hits}"):
            lines = self.files[-1][1]
            lines[int(told[1])] = max(int(told[2]), lines.get(int(told[1]), 0))

    def _end(self, tag: str) -> None:
        if tag == "source":
            self.in_source = False
            self.sources[-1] = self.sources[-1].strip().replace("\\", "/")

    def _text(self, text: str) -> None:
        if self.in_source:
            self.sources[-1] += text

    def _entity(self, *_: object) -> None:
        raise _Unreadable("it declares entities")


def _resolved(root: str, paths: Sequence[str], told: Sequence[tuple[str, ...]]) -> list[str]:
    """Which of the paths each is; "" for a file that is none of them.

    A report that was made elsewhere (in a container, in a subfolder) or names packages: the one path that
    ends so is meant, else the one with which its name ends.
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
        there = ends.get(posixpath.basename(plain), ())
        inside = [path for path in there if f"/{path}".endswith(f"/{plain.lstrip('/')}")]
        same = inside or [path for path in there if plain.endswith(f"/{path}")]
        return same[0] if len(same) == 1 else ""

    return [one(names) for names in told]
