"""What ``edge watch`` shows: what waits for the person on top, and below it the entries as they come.

Pure. Owns the rows of the screen and how they fit its size. Does not own reading the project
(``reports.watch_service``) or drawing (``cli.screen``).
"""

from __future__ import annotations

from operators_edge.text.markup import wrapped
from operators_edge.text.timestamps import parse
from operators_edge.text.wording import columns, cut, fitted, one_line, printable
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from operators_edge.reports.entries import Line, Tone

MARKS: dict[Tone, str] = {"": " ", "good": "✓", "bad": "✗", "wait": "?", "note": "!"}
NARROW = 60
"""Below so many columns an entry has neither its number nor the seconds."""

_LONGEST = 2_000
_LABEL = 11
"""The columns of a card's labels (``text.markup.labelled``)."""
_LEAST_ENTRIES = 4
"""So many rows stay for the entries, however much waits."""


class Row(NamedTuple):
    """One row of the screen, printable, within its width; ``style`` as in ``Terminal.paint``."""

    text: str
    style: str = ""


class Top(NamedTuple):
    """What stands above the entries: a heading, what is switched off, what waits, what could not be read."""

    heading: str
    off: Sequence[str] = ()
    waiting: Sequence[str] = ()
    problems: Sequence[str] = ()


def rows(top: Top, lines: Sequence[Line], *, width: int, height: int, foot: str) -> list[Row]:
    """The whole screen: exactly ``height`` rows, the newest entry the lowest."""
    head = [Row(_fit(top.heading, width), "bold")]
    for texts, style in ((top.off, "red"), (top.problems, "red"), (top.waiting, "yellow")):
        head += [Row(each, style) for text in texts for each in _wrap(text, width)]
    room = max(1, height - _LEAST_ENTRIES - 2)
    if len(head) > room:
        head = [*head[: room - 1], Row(_fit("… all of it: edge status", width), "yellow")]
    rule = Row("─" * width, "dim")
    space = max(0, height - len(head) - 2)
    shown = [entry_row(line, width) for line in lines[-space:]] if space else []
    empty = [Row("")] * (space - len(shown))
    found = [*head, rule, *shown, *empty, Row(_fit(foot, width), "dim")]
    return found[:height]


def entry_row(line: Line, width: int) -> Row:
    """One entry on one row, cut at the width."""
    when = parse(line.at)
    is_narrow = width < NARROW
    at = when.astimezone().strftime("%H:%M" if is_narrow else "%H:%M:%S") if when else "?"
    number = "" if is_narrow else f"{line.seq or '?':>6} "
    head = f"{number}{at} {MARKS[line.tone]} "
    return Row(_fit(head + " ".join(_words(line)), width), _STYLES[line.tone])


_STYLES: dict[Tone, str] = {"": "", "good": "green", "bad": "red", "wait": "yellow", "note": "cyan"}


_PLAIN = ("ok", "waiting", "asked")
"""Outcomes that the title says, or that go without saying."""


def _words(line: Line) -> Iterator[str]:
    """What happened, how it ended unless that is plain, to what, by which rule, by whom."""
    title, outcome = one_line(line.title, 40), one_line(line.outcome, 20)
    is_plain = outcome in _PLAIN or outcome in title.lower()
    head = title if is_plain else f"{title} {outcome}"
    yield f"{head}:" if line.subject else head
    if line.subject:
        yield one_line(line.subject, _LONGEST)
    if line.rule:
        yield f"({one_line(line.rule, 40)})"
    if line.who:
        yield f"by {one_line(line.who, 40)}"


def _fit(text: str, width: int) -> str:
    return fitted(_printable(text), width)


def _printable(text: str) -> str:
    """Without control characters, and with its blanks: the rows of a card are aligned by them."""
    return cut(printable(text).rstrip(), _LONGEST)


def _wrap(text: str, width: int) -> Iterable[str]:
    """A row of a card in rows of this width; further ones below its text if there is room for that."""
    whole = _printable(text)
    if columns(whole) <= width:
        return [whole]
    blanks = len(whole) - len(whole.lstrip(" "))
    has_label = not blanks and whole[_LABEL - 1 : _LABEL] == " "
    indent = min(_LABEL if has_label else blanks, width // 3)
    if indent == _LABEL and has_label:
        first, *rest = wrapped(whole[_LABEL:], width - _LABEL)
        return [whole[:_LABEL] + first, *(" " * _LABEL + each for each in rest)]
    return [" " * indent + each for each in wrapped(whole.strip(), width - indent)]


# end of module
