"""What no literal text begins, and what is known without it: by groups of digits, or by decoding.

Owns those looks and how they are searched for at the cost of one pass. Does not own tokens that begin with a
text, or that a word has to stand near (``redaction.token_table``). Pure.
"""

from __future__ import annotations

from functools import cache

from operators_edge.redaction.finding import Finding
from operators_edge.redaction.randomness import is_chosen, is_place, is_placeholder
from operators_edge.redaction.scanner import holds_any, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.redaction.scanner import Runs

# -- groups of hex digits ---------------------------------------------------------------------------

_TO_HEX = bytes(
    ord("x") if chr(code) in "0123456789abcdef" else ord("-") if code in b":-" else ord(" ")
    for code in range(256)
)
_ANY = b"xxxxxxxx-xxxxxxxx"
"""What each of them has, and an id in five groups has not."""

_GROUPED = (
    ("mailgun", r"(?P<value>[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})"),  # documentation.mailgun.com
    ("asana", r"\d/(?:\d{14,17}/)?(?P<value>\d{14,17}:[0-9a-f]{32})"),  # developers.asana.com
    ("ghost", r"(?P<value>[0-9a-f]{24}:[0-9a-f]{64})"),  # ghost.org
)
_HASH = b"x" * 32 + b"-"
_CRACKED = (
    r"(?:[\s\"']|\A)(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128}):"
    r"(?:[^\s:\"']{1,64}:)?(?P<value>[^\s:\"']{7,64})(?=[\s\"']|\Z)"
)
"""A hash of a password, perhaps with its salt, and what it is a hash of."""
_SHORTEST, _LONGEST = 33, 128
_REACH = 40
"""How far before the last 8 digits of the first group such a token may begin."""


def grouped(text: str, runs: Runs, *, is_hot: bool = False) -> Iterator[Finding]:
    """``runs``: those of the lowered text."""
    digits = runs.longer(_SHORTEST).translate(_TO_HEX)
    # One by one: for two at once the library takes as long as for all words.
    if not (holds_any(digits, _ANY, is_hot=is_hot) or holds_any(digits, _HASH, is_hot=is_hot)):
        return
    digits = runs.text.translate(_TO_HEX)
    at = digits.find(_HASH)
    while at >= 0:
        found = pattern(_CRACKED).search(text, max(0, at - _LONGEST), at + _LONGEST)
        if found is not None and _is_plain(found["value"]):
            yield Finding(*found.span("value"), "", "format")
        at = digits.find(_HASH, at + len(_HASH))
    at = digits.find(_ANY)
    while at >= 0:
        for kind, look in _GROUPED:
            source = rf"(?<![0-9A-Za-z]){look}(?![0-9A-Za-z])"
            found = pattern(source).search(text, max(0, at - _REACH), at + _LONGEST)
            if found is not None:
                yield Finding(*found.span("value"), kind, "format")
        at = digits.find(_ANY, at + len(_ANY))


def _is_plain(value: str) -> bool:
    """Whether people choose such passwords; a file's name and a part of an image's are none."""
    is_sure = not value.isalnum() or sum(map(str.isdigit, value)) > 1
    return is_sure and is_chosen(value) and not is_place(value) and not is_placeholder(value)


# -- what decodes -----------------------------------------------------------------------------------

_REST_OF_BOT = r"\.[\w-]{6,7}\.[\w-]{27,45}(?![\w-])"
_SNOWFLAKE = range(17, 21)
"""Digits of the id of an application, which a bot's token begins with in base64 (discord.com)."""

_WALLET = (51, 52)
_FIRST_OF_WALLET = frozenset("5KL9c")
_VERSIONS = frozenset({0x80, 0xEF})
"""Signs and first signs of a key in the wallet import format, and the first byte of main and test net
(en.bitcoin.it)."""


def at_run(text: str, begin: int, end: int, plain: str) -> Finding | None:
    """The token that a run of base64 is or begins; ``plain`` is what it decodes to, "" for no text."""
    if len(plain) in _SNOWFLAKE and plain.isdecimal():
        rest = pattern(_REST_OF_BOT).match(text, end)
        return Finding(begin, rest.end(), "discord", "format") if rest else None
    is_wallet = end - begin in _WALLET and text[begin] in _FIRST_OF_WALLET
    if is_wallet and _is_checked(text[begin:end]):
        return Finding(begin, end, "bitcoin", "format")
    return None


_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


@cache
def _worth() -> dict[str, int]:
    return {sign: at for at, sign in enumerate(_ALPHABET)}


def _is_checked(run: str) -> bool:
    """Whether the base58 ends with its checksum."""
    from hashlib import sha256  # noqa: PLC0415 - for few texts

    number, worth = 0, _worth()
    for sign in run:
        if sign not in worth:
            return False
        number = number * 58 + worth[sign]
    data = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return data[0] in _VERSIONS and sha256(sha256(data[:-4]).digest()).digest()[:4] == data[-4:]


# end of module
