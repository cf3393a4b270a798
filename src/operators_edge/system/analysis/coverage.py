"""How much of each file the tests ran, where a report of the last run lies in the project.

Owns finding and reading ``coverage.xml`` (Cobertura) and ``lcov.info``. Does not own what is too little
(``core.code_findings``), and never runs a test.
"""

from __future__ import annotations

import os
import posixpath
from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

from operators_edge.core.code_findings import Ran

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
)
"""Where tools put them. They are mostly ignored by git, so the file listing does not name them."""

_Lines = dict[int, int]


class Coverage(NamedTuple):
    """By path; ``problems`` has a sentence for each report that could not be read."""

    files: dict[str, Ran]
    problems: tuple[str, ...]


class _Unreadable(Exception):
    pass


def coverage(root: str, paths: Sequence[str]) -> Coverage:
    """What the reports say of these paths; of a file in several reports, the newest counts."""
    found: dict[str, Ran] = {}
    problems = []
    reports = [(_changed(root, each), each) for each in REPORTS]
    for when, report in sorted(each for each in reports if each[0]):
        try:
            told = list(_read(os.path.join(root, report)))
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
        return os.stat(os.path.join(root, path)).st_mtime
    except OSError:
        return 0.0


def _read(path: str) -> Iterator[tuple[tuple[str, ...], _Lines]]:
    """Each file that a report names, in all ways in which it may be meant, with its lines' hits."""
    if os.path.getsize(path) > MOST_BYTES:
        raise _Unreadable(f"it has more than {MOST_BYTES // 1_000_000} MB")
    if path.endswith(".xml"):
        yield from _Cobertura().read(path)
    else:
        yield from _lcov(path)


def _lcov(path: str) -> Iterator[tuple[tuple[str, ...], _Lines]]:
    name, lines, is_report = "", _Lines(), False
    with open(path, encoding="utf-8", errors="replace") as file:
        for row in file:
            key, _, value = row.strip().partition(":")
            if key == "SF":
                name, lines = value, {}
            elif key == "DA" and name:
                number, _, rest = value.partition(",")
                hits = rest.partition(",")[0]
                if not (number.isdigit() and hits.lstrip("-").isdigit()):
                    raise _Unreadable(f"a line in it is no line of a report: {row.strip()[:60]}")
                lines[int(number)] = int(hits)
            elif key == "end_of_record" and name:
                yield (name,), lines
                name, is_report = "", True
    if not is_report:
        raise _Unreadable("it holds no whole record")


class _Cobertura:
    """One XML report, read as it streams by; entities are refused, they have no place in one."""

    def __init__(self) -> None:
        self.sources: list[str] = []
        self.files: list[tuple[str, _Lines]] = []
        self.in_source = False
        self.is_report = False

    def read(self, path: str) -> Iterator[tuple[tuple[str, ...], _Lines]]:
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._entity
        try:
            with open(path, "rb") as file:
                parser.ParseFile(file)
        except expat.ExpatError as error:
            raise _Unreadable(f"it is no XML ({error})") from error
        if not self.is_report:
            raise _Unreadable("it is no coverage report")
        for name, lines in self.files:
            yield (*(posixpath.join(each, name) for each in self.sources), name), lines

    def _begin(self, tag: str, said: dict[str, str]) -> None:
        self.in_source = tag == "source"
        if tag == "coverage":
            self.is_report = True
        elif tag == "source":
            self.sources.append("")
        elif tag == "class":
            self.files.append((said.get("filename", "").replace("\\", "/"), {}))
        elif tag == "line" and self.files:
            number, hits = said.get("number", ""), said.get("hits", "")
            if number.isdigit() and hits.isdigit():
                lines = self.files[-1][1]
                lines[int(number)] = max(int(hits), lines.get(int(number), 0))

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

    A report that was made elsewhere (in a container, in a subfolder) names its files from there: the one
    path that ends so is meant.
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
        same = [
            path
            for path in ends.get(posixpath.basename(plain), ())
            if f"/{path}".endswith(f"/{plain.lstrip('/')}") or plain.endswith(f"/{path}")
        ]
        return same[0] if len(same) == 1 else ""

    return [one(names) for names in told]
