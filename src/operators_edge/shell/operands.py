"""Options and operands of a command line, and what a wrapper was found to run.

Owns the shape ``Inner`` and the common spelling of options. Does not own which options a program has.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.shell.commands import Word

if TYPE_CHECKING:
    from collections.abc import Sequence


class Inner(NamedTuple):
    """What a wrapper runs: ``words`` of one command, or a ``text`` read as a script.

    ``is_kept`` says that the wrapper counts as a command of its own too. ``shares_scope`` is for text
    that runs in the same shell (eval, source).
    """

    through: str
    words: tuple[Word, ...] = ()
    text: Word | None = None
    arguments: tuple[str, ...] | None = None
    is_kept: bool = False
    is_remote: bool = False
    has_more: bool = False
    shares_scope: bool = False
    assigns: tuple[tuple[str, Word], ...] = ()
    cwd: str | None = None
    takes_stdin: bool = True


def program(word: Word) -> str:
    """Return the name a program is known by: no directories, no ``.exe``."""
    name = word.text.rpartition("/")[2]
    if name[-4:].lower() == ".exe":
        return name[:-4].rpartition("\\")[2].lower()
    return name


def skip_options(words: Sequence[Word], valued: str | frozenset[str] | set[str]) -> int:
    """Return the index of the first operand; ``--`` ends the options."""
    values = set(valued.split()) if isinstance(valued, str) else valued
    at = 0
    while at < len(words):
        text = words[at].text
        if text == "--":
            return at + 1
        if len(text) < 2 or text[0] != "-":
            return at
        at += 1 + _takes_next(text, values)
    return at


def _takes_next(option: str, valued: set[str] | frozenset[str]) -> bool:
    if option.startswith("--"):
        return "=" not in option and option[2:] in valued
    if option[1:] in valued:
        return True
    for position, letter in enumerate(option[1:], 2):
        if letter in valued:
            return position == len(option)
    return False


def option_value(words: Sequence[Word], names: str) -> Word | None:
    """Return the value of the first of the options ``names`` ("c command"), however it is spelled."""
    wanted = names.split()
    for at, word in enumerate(words):
        text = word.text
        if text == "--":
            return None
        for name in wanted:
            if len(name) > 1 and text.startswith(f"--{name}="):
                return Word(text[len(name) + 3 :], word.span)
            is_same = (
                text == f"--{name}"
                if len(name) > 1
                else bool(re.fullmatch(f"-[a-zA-Z]*{name}", text))
            )
            if is_same and at + 1 < len(words):
                return words[at + 1]
    return None


def joined(words: Sequence[Word]) -> Word:
    span = (words[0].span[0], words[-1].span[1]) if words else (0, 0)
    return Word(" ".join(word.text for word in words), span)


def as_text_or_words(through: str, words: Sequence[Word]) -> list[Inner]:
    """Read words that are joined into one text; words with blanks may also be meant as they stand."""
    found = [Inner(through, text=joined(words))]
    if len(words) > 1 and any(re.search(r"\s", word.text) for word in words):
        found.append(Inner(through, tuple(words)))
    return found
