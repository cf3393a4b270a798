"""A command line typed in a client: its words, and who typed it.

Owns splitting a typed line into words: as people type, not as a shell parses, so that an apostrophe is not
a quote and text needs no quotes. Does not own the meaning of the words (the command line's parsers, which a
runner brings along) or who typed them (``hosts.claude.identity``).
"""

from __future__ import annotations

from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.hosts.claude.identity import Typist
    from operators_edge.project import Project


NOT_TYPED = (
    "hook",
    "statusline",
    "init",
    "uninstall",
    "purge",
    "doctor",
    "migrate",
    "serve",
    "watch",
    "complete",
    "completion",
)
"""Commands for a terminal only: for setup, for long runs, or for programs."""

ENDLESS = ("bridge", "watch")
"""Runs until someone ends it, which nobody can who typed it in a client."""

_ELSEWHERE = "in your own terminal"

_NAMED = pattern(r"(?<![\w./`'-])edge (?=([a-z]+))")


def for_prompt(hint: str) -> str:
    """The hint with each command as it is typed in a client: with a slash, if it can be typed there."""
    if _ELSEWHERE in hint:
        return hint
    return _NAMED.sub(lambda found: found[0] if found[1] in NOT_TYPED else f"/{found[0]}", hint)


class Typed(NamedTuple):
    """``words`` is what follows ``/edge``, its noun first."""

    words: str
    project: Project
    session: str
    typist: Typist


if TYPE_CHECKING:
    Run = Callable[[Typed], str]
    """Runs typed words as the command of the same name; returns its output."""


class Word(str):
    """One typed word without its quotes; ``raw`` is the original, ``gap`` the spaces before it."""

    __slots__ = ("gap", "raw")

    gap: str
    raw: str

    @property
    def is_quoted(self) -> bool:
        return self.raw != self


_WORD = pattern(r"""(\s*)("[^"]*"(?!\S)|'[^']*'(?!\S)|\S+)""")


def words(text: str) -> list[Word]:
    """The words; quotes only count around a whole word, which may then contain spaces."""
    return [_word(found[2], found[1]) for found in _WORD.finditer(text)]


def _word(raw: str, gap: str) -> Word:
    is_quoted = len(raw) > 1 and raw[0] == raw[-1] and raw[0] in "\"'"
    word = Word(raw[1:-1] if is_quoted else raw)
    word.raw, word.gap = raw, gap
    return word


def joined(parts: list[str]) -> str:
    """The words as one text, as typed; a single quoted word without its quotes."""
    if len(parts) == 1:
        return str(parts[0])
    said = [each.gap + each.raw if isinstance(each, Word) else f" {each}" for each in parts]
    return "".join(said).strip()


# end of module
