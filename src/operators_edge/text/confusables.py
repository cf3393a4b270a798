"""Text as a reader sees it, whichever characters it is written with.

Does not own which words matter: that is in the rules on prompts.
"""

from __future__ import annotations

import unicodedata

from operators_edge.text.patterns import pattern

_INVISIBLE = pattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
# Latin characters, each with Cyrillic, Greek and other characters that look the same.
_CONFUSABLES = {
    "a": "\u0430\u03b1",
    "b": "\u042c",
    "c": "\u0441",
    "d": "\u0501",
    "e": "\u0435\u0451",
    "g": "\u0261",
    "h": "\u04bb",
    "i": "\u0456\u03b9",
    "j": "\u0458",
    "k": "\u043a\u03ba",
    "l": "\u04cf",
    "o": "\u043e\u03bf",
    "p": "\u0440\u03c1",
    "s": "\u0455",
    "u": "\u03c5",
    "v": "\u03bd\u0475",
    "x": "\u0445",
    "y": "\u0443",
    "/": "\u2044\u2215\u29f8",
}
_LATIN = {ord(char): latin for latin, chars in _CONFUSABLES.items() for char in chars}


def normalised(text: str) -> str:
    """The text without invisible characters, and with one form of each letter."""
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).translate(_LATIN)


# end of module
