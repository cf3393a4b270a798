"""Places that need no name: how the pattern of one is tried, and which values are doubtful at any of them.

Owns what several kinds of places share. Does not own the places (``redaction.places``). Pure; each pattern reaches
a bounded number of signs.
"""

from __future__ import annotations

from operators_edge.redaction.finding import Finding
from operators_edge.redaction.randomness import (
    has_digit,
    is_chosen,
    is_code,
    is_hex,
    is_memorable,
    is_place,
    is_placeholder,
    is_public_key,
    is_random,
)
from operators_edge.redaction.scanner import pattern, run_before

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Look = Callable[[str, int, int], Iterable[Finding]]
    """Given a text and where one of its words begins and ends: what is secret there."""


def place(
    source: str,
    kind: str,
    why: str,
    *,
    before: str = "",
    needs: str = "",
    unless: Callable[[str], bool] = is_placeholder,
) -> Look:
    """What the group of a pattern matches: where a word begins, or where those signs before it do.

    ``needs``: a sign that a match has within ``_NEEDED`` signs, looked for first.
    """

    def look(text: str, at: int, end: int) -> Iterable[Finding]:
        if needs and text.find(needs, end, end + _NEEDED) < 0:
            return ()
        if before and not (run := run_before(before, text, at, BEFORE)):
            return ()
        begin = at - len(run) if before else at
        found = pattern(source).match(text, begin)
        if found is None:
            return ()
        group = found.lastgroup or "value"
        if found[group] and not unless(found[group].strip()):
            return (Finding(*found.span(group), kind, why),)
        if len(found[group]) > BEFORE:  # not read again from each of its words on
            return (Finding(*found.span(group), "", ""),)
        return ()

    return look


BEFORE = 200
"""Signs before a word, and of a value without a secret, that are read."""

_NEEDED = 1100


def never(_value: str) -> bool:
    """No doubt: what has that form is secret."""
    return False


QUOTED = r"""[^"'\\\n]{3,256}"""


def is_word(value: str) -> bool:
    """A placeholder, or a name without a digit."""
    return is_placeholder(value) or (is_code(value) and not has_digit(value))


_ARGUMENT = r"""\\{0,4}["']?(?P<value>[^\s"'\\;|&<>]{2,256})"""

BETWEEN = r"""(?=[ \t])(?:[^\n;|&]|"[^"\n]{0,120}[;|&][^"\n]{0,120}"|'[^'\n]{0,120}[;|&][^'\n]{0,120}'){0,200}?[ \t]"""


def option(name: str) -> str:
    """A pattern for the argument of a program's option, beginning at the program's name."""
    return rf"[\w -]{{2,24}}?{BETWEEN}[\"']?{name}{_ARGUMENT}"


def is_no_password(value: str) -> bool:
    """A port, a path, a number, another option's rest."""
    is_port = not any(map(str.isalpha, value)) and len(value) < 12
    return (
        is_placeholder(value)
        or is_port
        or (
            value.startswith(("/", "./", "-", "ort", "rotocol", "rint", "lugin"))
            and not (value.endswith("=") and is_random(value))
        )
    )


def is_unlikely(value: str) -> bool:
    """No password, or nothing but letters that make words."""
    return is_no_password(value) or not (has_digit(value) or is_random(value))


def is_no_argument(value: str) -> bool:
    """Unlikely, or a name that code would look up."""
    return is_unlikely(value) or ("." in value and is_code(value))


def is_no_output(value: str) -> bool:
    """Anything but one word of made up signs."""
    is_key = is_hex(value) and len(value) >= 32
    return is_placeholder(value) or is_place(value) or not (is_key or is_random(value, least=10))


def is_hex_or_place(value: str) -> bool:
    """A digest, a path, or what is not random."""
    return is_hex(value) or not is_random(value)


def is_not_made_up(value: str) -> bool:
    """Neither chosen as a password, nor easy to remember, nor drawn: where a user's name stands before it."""
    return is_not_chosen(value) and (
        is_place(value) or not (is_memorable(value) or is_random(value, least=10))
    )


def is_not_chosen(value: str) -> bool:
    """Anything but what people choose as a password."""
    return is_public_key(value) or is_placeholder(value) or is_place(value) or not is_chosen(value)


# end of module
