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


class Option(NamedTuple):
    """The letter that the loop gets, its value (None: unset), and ``OPTIND`` then."""

    letter: str
    value: str | None
    index: int


def options(spec: str, words: Sequence[str]) -> tuple[list[Option], int] | None:
    """Return the options among the words and the final ``OPTIND``; None if a word of them is not known."""
    is_silent = spec[:1] == ":"
    known = spec.lstrip(":")
    found: list[Option] = []
    at = 0
    while at < len(words):
        word = words[at]
        if HOLE in word:
            return None
        if word == "--":
            return found, at + 2
        if word[:1] != "-" or word == "-":
            break
        at += 1
        for place, letter in enumerate(word[1:], 2):
            takes_value = letter != ":" and f"{letter}:" in known
            is_last = place == len(word)
            index = at + 1 if is_last or takes_value else at
            if letter == ":" or letter not in known:
                found.append(Option("?", letter if is_silent else None, index))
            elif not takes_value:
                found.append(Option(letter, None, index))
            elif not is_last:
                found.append(Option(letter, word[place:], index))
                break
            elif at < len(words):
                if HOLE in words[at]:
                    return None
                found.append(Option(letter, words[at], at + 2))
                at += 1
            else:
                missing = (":", letter) if is_silent else ("?", None)
                found.append(Option(*missing, index))
    return found, at + 1


# end of module
