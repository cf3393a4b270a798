"""How a word or a whole text can be written so that bash reads it as the same characters.

Owns quoting for the shell and string literals of a few languages. Does not own what is written.
"""

from __future__ import annotations

import base64
import json
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:@%+,")
MAX_FANCY = 400
"""Longer texts are quoted plainly: every level of a fancy one multiplies its length."""


def quoted(rng: Random, text: str) -> str:
    """One word that bash reads as ``text``."""
    if len(text) > MAX_FANCY:
        return shlex.quote(text)
    return rng.choice((shlex.quote, shlex.quote, single, double, ansi, escaped))(text)


def spelled(rng: Random, word: str) -> str:
    """One word that bash reads as ``word``; often as it stands, at times in a way nobody would write."""
    if len(word) > 60 or rng.random() < 0.6:
        return shlex.quote(word)
    return rng.choice(_SPELLINGS)(rng, word)


def single(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def double(text: str) -> str:
    return '"' + "".join("\\" + char if char in '\\"$`' else char for char in text) + '"'


def ansi(text: str) -> str:
    return "$'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


def escaped(text: str) -> str:
    if "\n" in text:
        return single(text)
    return "".join(char if char in _SAFE else "\\" + char for char in text) or "''"


def _in_pieces(rng: Random, word: str) -> str:
    cut = rng.randrange(len(word) + 1)
    before, after = word[:cut], word[cut:]
    return rng.choice((single, double))(before) + rng.choice((single, double, escaped))(after)


def _with_nothing(rng: Random, word: str) -> str:
    cut = rng.randrange(1, len(word) + 1)
    nothing = rng.choice(("''", '""', "$''", '$""'))
    return escaped(word[:cut]) + nothing + (escaped(word[cut:]) if word[cut:] else "")


def _backslash(rng: Random, word: str) -> str:
    at = rng.randrange(len(word))
    return "".join(
        "\\" + char if char not in _SAFE or i == at else char for i, char in enumerate(word)
    )


def _coded(rng: Random, word: str) -> str:
    codes = ("\\x{:02x}", "\\{:03o}", "\\u{:04x}", "\\U{:08x}")
    one = rng.choice(codes)
    return "$'" + "".join(one.format(ord(char)) if ord(char) < 128 else char for char in word) + "'"


def _continued(rng: Random, word: str) -> str:
    cut = rng.randrange(len(word) + 1)
    before, after = (escaped(part) if part else "" for part in (word[:cut], word[cut:]))
    return before + "\\\n" + after if before and after else shlex.quote(word)


_SPELLINGS: tuple[Callable[[Random, str], str], ...] = (
    lambda _, word: single(word),
    lambda _, word: double(word),
    lambda _, word: ansi(word),
    _in_pieces,
    _with_nothing,
    _backslash,
    _coded,
    _continued,
)


def literal(text: str) -> str:
    """A string literal that Python, JavaScript, Ruby, Lua and PHP read as ``text``."""
    return json.dumps(text).replace("#", "\\x23").replace("$", "\\x24")


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
