"""The kinds of tokens of ``token_table``, read: what a text is searched for, and what is matched there.

Owns what the columns of that table and the lines of ``vendor_table`` mean. Pure.
"""

from __future__ import annotations

import re
from functools import cache

from operators_edge.redaction.scanner import pattern, signs_of
from operators_edge.redaction.token_table import ROWS
from operators_edge.redaction.vendor_table import NAMES
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CLASSES = {
    "digit": "0-9",
    "hex": "0-9a-f",
    "HEX": "0-9A-F",
    "anyhex": "0-9A-Fa-f",
    "lower": "a-z",
    "upper": "A-Z",
    "letter": "A-Za-z",
    "lownum": "0-9a-z",
    "upnum": "0-9A-Z",
    "alnum": "0-9A-Za-z",
    "word": r"\w",
    "url": r"\w-",
    "dotted": r"\w.-",
    "b64": "0-9A-Za-z+/",
    "padded": "0-9A-Za-z+/=",
    "base58": "1-9A-HJ-NP-Za-km-z",
    "base32": "A-Z2-7",
}
"""The alphabets of random runs: what stands between the brackets of a pattern."""

# A row is split without a loop, and no shape is read before its words occur: a hook knows all rows.
_ROW = re.compile(r"(?m)^(\S+) +([^\s{(<]*)(\S*) +(\S+) +\S")
_PIECE = r"\{(\[[^\]]+\]|\w+):(\d+)(-\d+|\+)?\}|\(([^()]+)\)|([<>])|([^{}()<>]+)"


class Format(NamedTuple):
    kind: str
    start: str
    """The literal text that each token begins with; may be empty."""
    rest: str
    near: tuple[str, ...]
    """One of these words has to stand before the token; empty when the start is unmistakable."""

    @property
    def shape(self) -> str:
        return self.start + self.rest


class Piece(NamedTuple):
    """A part of a shape: a literal text, one of several texts, or a random run."""

    texts: tuple[str, ...] = ()
    alphabet: str = ""
    least: int = 0
    most: int = 0
    """0 for a run without an end."""


@cache
def _rows() -> list[tuple[str, str, str, str]]:
    return _ROW.findall(ROWS)


def columns() -> Iterator[tuple[str, str, str]]:
    """Of each row the start, the rest of the shape, and the words near, as they are written."""
    for _, start, rest, near in _rows():
        yield start, rest, near


def format_at(number: int) -> Format:
    kind, start, rest, near = _rows()[number]
    return Format(kind, start, rest, () if near == "-" else tuple(near.split(",")))


def formats() -> Iterator[Format]:
    return map(format_at, range(len(_rows())))


def vendors() -> list[bytes]:
    """The names that a random value behind them makes telling, ``-`` in them for any sign or none."""
    return NAMES.encode().split()


def refused_after(row: Format) -> frozenset[str]:
    """The signs of ASCII that cannot follow the start of such a token."""
    first = next((each for each in pieces(row.shape)[1:] if isinstance(each, Piece)), None)
    return _refused(first.alphabet) if first and first.alphabet and first.least else frozenset()


@cache
def _refused(alphabet: str) -> frozenset[str]:
    return frozenset(map(chr, range(128))) - set(signs_of(alphabet))


@cache
def pieces(shape: str) -> tuple[Piece | str, ...]:
    """What a shape consists of; ``<`` and ``>`` stand for themselves, where the secret begins and ends."""
    found: list[Piece | str] = []
    end = 0
    for match in pattern(_PIECE).finditer(shape):
        name, least, most, texts, angle, text = match.groups()
        if match.start() != end or (name and name[0] != "[" and name not in CLASSES):
            break
        end = match.end()
        if name:
            signs = name[1:-1] if name[0] == "[" else CLASSES[name]
            reach = 0 if most == "+" else int(most[1:]) if most else int(least)
            found.append(Piece((), signs, int(least), reach))
        else:
            found.append(angle or Piece(tuple(texts.split("|")) if texts else (text,)))
    if end != len(shape) or not found:
        raise ValueError(f"not a shape: {shape} (at {end})")
    return tuple(found)


_STRICT = frozenset({CLASSES["digit"], CLASSES["hex"], CLASSES["HEX"], CLASSES["anyhex"]})
_LONG, _LONGEST = 24, 2048
_NOT_LONGER = r"(?![0-9A-Za-z])"


@cache
def pattern_of(shape: str) -> str:
    """A regular expression for the shape, linear; what is secret is its group ``value``.

    A run at the end may be longer than the shape says, but for one of digits or hex digits: those are
    common, and their length tells.
    """
    parts = pieces(shape)
    source = "".join(
        _source(part, is_last=part is parts[-1] or parts[at + 1 :] == (">",))
        for at, part in enumerate(parts)
    )
    return source if "<" in parts else f"(?P<value>{source})"


def _source(part: Piece | str, *, is_last: bool) -> str:
    if isinstance(part, str):
        return "(?P<value>" if part == "<" else ")"
    if part.texts:
        texts = [re.escape(text) for text in part.texts]
        return texts[0] if len(texts) == 1 else f"(?:{'|'.join(texts)})"
    if not is_last:
        reach = (
            f"{part.least},{part.most or part.least + _LONGEST}"
            if part.most != part.least
            else str(part.least)
        )
        return f"[{part.alphabet}]{{{reach}}}"
    if part.alphabet in _STRICT:
        return f"[{part.alphabet}]{{{part.least},{part.most or ''}}}{_NOT_LONGER}"
    least = part.least if part.least < _LONG else part.least * 2 // 3
    return f"[{part.alphabet}]{{{least},{part.least + _LONGEST}}}+"


# end of module
