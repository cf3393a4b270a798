"""The places in the project's files that a failed check's output names: ``path:line``, in its many forms.

Pure. A new form is a row. Does not own whether the check failed (``evidence.checks.outcome``).
"""

from __future__ import annotations

import re

from operators_edge.evidence.checks.runner_output import plain
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_PLACES = 10
MAX_TEXT = 200


class Place(NamedTuple):
    """A line of a file of the project; ``column`` is 0 and ``text`` "" where the output has none."""

    path: str
    line: int
    column: int = 0
    text: str = ""


_PATH = r"(?P<path>(?:[A-Za-z]:)?[\w.@+~/\\-]+\.\w+)"
_TEXT = r"(?P<text>[^\n]*)"
_FORMS = (
    # go vet, gcc, mypy, ruff, flake8, shellcheck, pytest, rustc, stack traces of node, ruby, elixir and PHP
    pattern(
        rf"(?m)(?:^|[\s(])(?:(?:-->|at|in|#|vet:)\s+)?{_PATH}:(?P<line>\d+)(?::(?P<column>\d+))?"
        rf"(?:-\d+)?(?:(?:: ?| - | )|(?=[\s)\]]|$)){_TEXT}"
    ),
    pattern(rf'(?m)File "(?P<path>[^"\n]+)", line (?P<line>\d+){_TEXT}'),  # Python's tracebacks
    pattern(
        rf"(?m)(?:^|\s){_PATH}(?::\[|\()(?P<line>\d+)(?:,(?P<column>\d+))?[\])]:? ?{_TEXT}"
    ),  # tsc, javac by Maven, MSBuild
    pattern(rf"(?m)^In {_PATH} line (?P<line>\d+):{_TEXT}"),  # shellcheck
)
_HEADED = pattern(r"(?m)^(?P<path>\S[^\n:]*\.\w+)\n(?P<rows>(?: +\d+:\d+ +[^\n]+\n?)+)")
_ROW = pattern(r"(?m)^ +(?P<line>\d+):(?P<column>\d+) +(?P<text>[^\n]+)")
_NOTHING_SAID = pattern(r"^[\s\W]*$|^in \S+$|^, in .*$|^\)+$")


def places_of(output: str, inside: Callable[[str], str]) -> list[Place]:
    """What the output names, each line once and in its order.

    ``inside`` returns a path relative to the project, "" for a file that is not one of the project's own.
    """
    text = plain(output)
    found: dict[tuple[str, int], Place] = {}
    for _, place in sorted(_named(text), key=lambda each: each[0]):
        path = inside(place.path)
        known = found.get((path, place.line))
        if path and (known is None or (place.text and not known.text)):
            found[path, place.line] = place._replace(path=path)
    return list(found.values())[:MAX_PLACES]


def _named(text: str) -> Iterator[tuple[int, Place]]:
    """Each place with where it stands in the output."""
    for form in _FORMS:
        for match in form.finditer(text):
            yield match.start("path"), _place(match["path"], match)
    for head in _HEADED.finditer(
        text
    ):  # a file's name, and below it a row for each problem: eslint, stylelint
        for row in _ROW.finditer(head["rows"]):
            yield head.start("rows") + row.start(), _place(head["path"], row)


def _place(path: str, match: re.Match[str]) -> Place:
    column = match.groupdict().get("column")
    said = match["text"].strip()
    said = "" if _NOTHING_SAID.search(said) else re.sub(r"\s+", " ", said)[:MAX_TEXT]
    return Place(path, int(match["line"]), int(column or 0), said)


# end of module
