"""Text as a reader sees it, whichever characters it is written with.

Owns which words look like others. Does not own which words matter: that is in the rules.
"""

from __future__ import annotations

import unicodedata

from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_INVISIBLE = pattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
# Latin characters, each with Cyrillic, Greek and other characters that look the same.
_CONFUSABLES = {
    "a": "\u0430\u03b1\u0251",
    "b": "\u042c",
    "c": "\u0441",
    "d": "\u0501",
    "e": "\u0435\u0451",
    "g": "\u0261",
    "h": "\u04bb",
    "i": "\u0456\u03b9\u0131",
    "j": "\u0458",
    "k": "\u043a\u03ba",
    "l": "\u04cf",
    "n": "\u0578",
    "o": "\u043e\u03bf",
    "p": "\u0440\u03c1",
    "q": "\u051b",
    "s": "\u0455",
    "u": "\u03c5",
    "v": "\u03bd\u0475",
    "w": "\u051d",
    "x": "\u0445",
    "y": "\u0443",
    "A": "\u0410\u0391",
    "B": "\u0412\u0392",
    "C": "\u0421",
    "E": "\u0415\u0395",
    "H": "\u041d\u0397",
    "I": "\u0406\u0399",
    "J": "\u0408",
    "K": "\u041a\u039a",
    "M": "\u041c\u039c",
    "N": "\u039d",
    "O": "\u041e\u039f",
    "P": "\u0420\u03a1",
    "S": "\u0405",
    "T": "\u0422\u03a4",
    "X": "\u0425\u03a7",
    "Y": "\u03a5",
    "Z": "\u0396",
    "/": "\u2044\u2215\u29f8",
}
_LATIN = {ord(char): latin for latin, chars in _CONFUSABLES.items() for char in chars}


def normalised(text: str) -> str:
    """The text without invisible characters, and with one form of each letter."""
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).translate(_LATIN)


class Confusable(NamedTuple):
    """A word that reads as another one, which is ``plain``; ``span`` is where it stands."""

    text: str
    plain: str
    span: tuple[int, int]

    @property
    def signs(self) -> str:
        """The characters that are not what they look like, each once."""
        odd = dict.fromkeys(one for one in self.text if normalised(one) != one)
        return ", ".join(
            f"{one} (U+{ord(one):04X})" if one.isprintable() else f"U+{ord(one):04X}" for one in odd
        )


_WORD = pattern(r"""[^\s/'"`:;?#@=(){}\[\],|&<>]+""")
_LETTER = pattern(r"[A-Za-z]")


def confusables(text: str) -> Iterator[Confusable]:
    """Yield the words of a text with plain letters and others that look like plain ones."""
    for word in _WORD.finditer(text) if not text.isascii() else ():
        plain = normalised(word[0])
        if plain != word[0] and plain.isascii() and _LETTER.search(word[0]):
            yield Confusable(word[0], plain, word.span())


_DOMAIN = pattern(r"[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}")
_TOP_LEVEL = (".com", ".org", ".net", ".io", ".dev")
"""Endings of hosts, but hardly of files."""


def confusable_hosts(text: str, *, is_plain: bool = False) -> list[Confusable]:
    """Return those that are hosts of addresses: ``https://HOST/x``, ``git@HOST:x``.

    With ``is_plain`` hosts without a scheme or user, too, unless the text is of several words: ``HOST/x``.
    """
    is_one = len(text.split()) == 1
    return [
        one
        for one in confusables(text)
        if _is_in_address(one, text, is_one=is_one)
        or (is_plain and is_one and _is_domain(one, text))
    ]


def _is_in_address(one: Confusable, text: str, *, is_one: bool) -> bool:
    """Whether a scheme or a user stands before it. ``is_one``: the text is one word."""
    before = text[: one.span[0]]
    if before[-1:] == "@":
        return is_one or not (before[-2:-1] or " ").isspace()  # "thanks, @name"
    return before.endswith("//")


def _is_domain(one: Confusable, text: str) -> bool:
    """Whether it begins a text, or a part of one, and has the form of a host's name."""
    before = text[: one.span[0]]
    is_first = not before or (before[-1] in "=:," and "/" not in before)
    if not is_first or _DOMAIN.fullmatch(one.plain) is None:
        return False
    # A file may have a name in one alphabet, and its ending in the other.
    labels = one.text.split(".")
    is_mixed = any(_LETTER.search(label) and not label.isascii() for label in labels)
    return is_mixed or one.plain.endswith(_TOP_LEVEL)


# end of module
