"""Lines for a terminal that several commands print: a diff, a table, and a paragraph after its head."""

from __future__ import annotations

import os
import sys
from types import MappingProxyType

from operators_edge.contexts import suppress
from operators_edge.text import wording
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import WIDTH, cut, fitted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from operators_edge.cli.terminal import Terminal

TYPED_WIDTH = 72
"""What fits beside the frame in which a client of 80 columns shows an answer."""

_STYLE = pattern(r"\x1b\[[0-9;]*m")

_HEAD = pattern(r" *(?:- (?! )|(?![+@]|-\s)\S+(?: \S+)* {2,})")
"""What a line has before its text: the dash of a list, or the first of its columns."""

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def size() -> os.terminal_size:
    """The terminal's columns and lines, as ``shutil`` tells them: its import takes as long as a help page."""
    said = [os.environ.get(name, "") for name in ("COLUMNS", "LINES")]
    found = (0, 0)
    with suppress(AttributeError, ValueError, OSError):  # closed, or no terminal
        found = os.get_terminal_size(sys.__stdout__.fileno())  # type: ignore[union-attr]
    both = zip(said, found, (80, 24), strict=True)
    columns, lines = (
        (int(word) if word.isdigit() else 0) or own or else_ for word, own, else_ in both
    )
    return os.terminal_size((columns, lines))


def columns() -> int:
    """How wide the terminal is."""
    return size().columns


def folded(text: str, width: int) -> list[str]:
    """The words on lines of at most ``width`` columns, where no word is longer."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def narrowed(text: str, width: int) -> str:
    """What is wider than a narrow screen, wrapped: sentences at their own indent, rows of columns and items
    of a list below their text.

    What is longer than any screen was not laid out, and lines of a difference are what they are: both stay.
    """
    return "\n".join(row for line in text.split("\n") for row in _narrowed(line, width))


def _narrowed(line: str, width: int) -> list[str]:
    plain = _STYLE.sub("", line)
    indent = len(line) - len(line.lstrip())
    found = _HEAD.match(line)
    head = found[0] if found else line[:indent]
    text = line[len(head) :].strip()
    is_laid_out = "  " in text or text[:1] in _COLOURS  # in several columns, or of a difference
    if not width < wording.columns(plain) <= WIDTH or is_laid_out:
        return [line]
    if not head.strip() or max(map(len, text.split())) <= width - len(head):
        return paragraph(head, text, len(head), width)
    below = " " * (indent + 4)
    return [head.rstrip(), *paragraph(below, text, len(below), width)]


def diff_lines(terminal: Terminal, diff: str, width: int = 0) -> list[str]:
    """The lines of a diff, coloured, and cut to a width: edge's own lines are long."""
    lines = []
    for full in diff.splitlines():
        line = cut(full, width) if width else full
        style = "bold" if _is_head(line) else _COLOURS.get(line[:1])
        lines.append(terminal.paint(line, style) if style else line)
    return lines


def changed_lines(diff: str) -> str:
    """How many lines a diff adds and removes: "+3 -1"."""
    body = [line for line in diff.splitlines() if not _is_head(line)]
    added, removed = (sum(line.startswith(sign) for line in body) for sign in "+-")
    return f"+{added} -{removed}"


def _is_head(line: str) -> bool:
    return line.startswith(("---", "+++"))


def table(
    terminal: Terminal,
    rows: Iterable[Sequence[str]],
    *,
    right: Container[int] = (),
    styles: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[str]:
    """Rows in aligned columns, cut at the width of a terminal; what is typed in a client is not aligned.

    ``right``: the columns that are aligned there. ``styles``: how a word of the first column is painted.
    """
    listed = [tuple(row) for row in rows]
    if terminal.is_in_client:
        yield from ("  ".join(filter(None, row)) for row in listed)
        return
    wide = [max(map(wording.columns, column)) for column in zip(*listed, strict=True)]
    room = columns() if terminal.out.isatty() else 0
    for row in listed:
        cells = [
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, wide, strict=True))
        ]
        text = "  ".join(cells).rstrip()
        text = fitted(text, room) if room else text
        style = styles.get(row[0])
        yield terminal.paint(text[: wide[0]], style) + text[wide[0] :] if style else text


def paragraph(head: str, text: str, indent: int, width: int = WIDTH) -> list[str]:
    """The text behind its head of so many columns, further lines below it; a path is never broken."""
    rows = folded(text, width - indent)
    return [head + "".join(rows[:1]), *(" " * indent + row for row in rows[1:])]


# end of module
