"""Pieces of a Markdown page: tables, blocks of code, and texts that the page shows as they are.

Pure. Does not own what is on a page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_CODE = re.compile(r"(`+[^`]*`+)")


def plain(text: str) -> str:
    """A text without markup of its own, but for what is in backquotes."""
    parts = _CODE.split(text)
    parts[::2] = [re.sub(r"([<>*_\[\]|])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def code(text: str) -> str:
    """A text as code within a line, whatever backquotes it has."""
    fence = "`" * (max(map(len, re.findall(r"`+", text)), default=0) + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def block(lines: Iterable[str], language: str = "text") -> str:
    """The lines as a block of code."""
    text = "\n".join(lines)
    fence = "`" * max(3, max(map(len, re.findall(r"`+", text)), default=0) + 1)
    return f"{fence}{language}\n{text}\n{fence}\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are Markdown already; "" if there is no row."""
    lines = ["| " + " | ".join(_cell(each) for each in row) + " |" for row in rows]
    if not lines:
        return ""
    return "\n".join([f"| {' | '.join(head)} |", "|" + "---|" * len(head), *lines]) + "\n"


def _cell(text: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))


def page(title: str, *parts: str) -> str:
    """A page of parts, each a paragraph, table or block of its own; empty ones are left out."""
    return "\n\n".join([f"# {title}", *(part.strip("\n") for part in parts if part)]) + "\n"


# end of module
