"""What ``getopts`` gives a loop, one option after another, where all words are known.

Pure. Does not own the loop (``shell.syntax``), nor what its body does.
"""

from __future__ import annotations

from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

CALL = pattern(
    r"getopts\s+(?P<quote>['\"]?)(?P<spec>:?(?:[A-Za-z0-9]:?)*)(?P=quote)\s+(?P<name>[A-Za-z_]\w*)"
)
"""The condition of such a loop, which reads the words of the script or the function itself."""
CHANGES = pattern(r"\b(?:shift|set|getopts|OPTIND|eval|source)\b|(?:^|[\s;&|])\.\s")
"""In its body: what may change which option is next."""
CHANGES_ELSEWHERE = pattern(r"\b(?:getopts|OPTIND|eval|source)\b|(?:^|[\s;&|])\.\s")
"""The same in a function that it calls, which has words of its own."""
_MAY_BE_OTHERS = pattern(r"\+|[*?\[]|-.*[*?\[]")
"""A word that may name files whose names are options, or that is an option for other shells."""


class Option(NamedTuple):
    """The letter that the loop gets, and its value (None: unset)."""

    letter: str
    value: str | None = None


def options(spec: str, words: Sequence[str]) -> tuple[list[Option], int] | None:
    """Return the options among the words and the final ``OPTIND``; None if a word of them is not known."""
    found: list[Option] = []
    at = 0
    while at < len(words):
        word = words[at]
        if HOLE in word or _MAY_BE_OTHERS.match(word):
            return None
        if word == "--":
            return found, at + 2
        if word[:1] != "-" or word == "-":
            break
        given, takes_next = _in_word(word, spec)
        at += 1
        if takes_next and at < len(words):
            if HOLE in words[at] or _MAY_BE_OTHERS.match(words[at]):
                return None
            given.append(Option(word[-1], words[at]))
            at += 1
        elif takes_next:  # its value is missing
            given.append(Option(":", word[-1]) if spec[:1] == ":" else Option("?"))
        found += given
    return found, at + 1


def _in_word(word: str, spec: str) -> tuple[list[Option], bool]:
    """The options in a word, and whether the value of one more is the next word."""
    known = spec.lstrip(":")
    found: list[Option] = []
    for place, letter in enumerate(word[1:], 2):
        if letter == ":" or letter not in known:
            found.append(Option("?", letter if spec[:1] == ":" else None))
        elif f"{letter}:" not in known:
            found.append(Option(letter))
        elif place < len(word):
            return [*found, Option(letter, word[place:])], False
        else:
            return found, True
    return found, False


# end of module
