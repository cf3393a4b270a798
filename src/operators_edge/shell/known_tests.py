"""Tests of a shell whose answer is known: ``[ "$MODE" = plan ]``, ``case $MODE in plan) …``.

Owns the answer for words that are known as a whole. Does not own what their variables hold (``shell.scope``),
nor which branch is walked (``shell.syntax``).
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_TEST = pattern(
    r"\s*(?:\[\[\s[^\n]*\s\]\]|\[\s[^\n]*\s\]|test\s[^\n]*|(?P<quote>\"?)\$(?:\w+|\{\w+\})(?P=quote))\s*"
)
"""A test, or a variable whose value is the command: ``if $DRY_RUN; then``."""
_DEFAULT = pattern(r"\$\{(\w+):?[-=+]")
_SPECIAL = pattern(
    r"\$\{?[#!]?(?:RANDOM|SRANDOM|SECONDS|LINENO|EPOCH\w*|BASH\w*|FUNCNAME|OPT\w+|PPID|UID|EUID|SHLVL|_|PIPESTATUS|[?!$0])(?!\w)"
)
"""Variables that hold something else than what was given to them."""


def is_test(text: str, masked: str) -> bool:
    """Whether a text is one test and nothing else, without a program that it would run."""
    return (
        _TEST.fullmatch(text) is not None
        and not re.search(r"[;|\n`<>]|&&|\$\(", masked)
        and "$(" not in text
        and "`" not in text
    )


def rests_on_environment(text: str, value_of: Callable[[str], str | None]) -> bool:
    """Whether it may hold what the text does not say, as a default for what it does not set."""
    is_special = _SPECIAL.search(text) is not None
    return is_special or any(value_of(name) is None for name in _DEFAULT.findall(text))


_NUMBER = pattern(r"0|[1-9][0-9]{0,17}")
_SHELL = pattern(r"\w*sh\b")
_RUN_BY_BASH = pattern(r"#![^\n]*\b(?:bash|zsh)\b")
_OWN_OF_BASH = pattern(r"\s*\[\[\s|(?s:.*)\s==\s")


def _are_plain(one: str, other: str) -> bool:
    """Whether two numbers are the same for every shell: ``010`` is 8 for some, and long ones have no room."""
    return all(map(_NUMBER.fullmatch, (one, other)))


def holds(*, said: bool | None, test: str, program: str, around: Sequence[str]) -> bool | None:
    """What a test says in the shell that runs it: ``[[`` and ``==`` are errors for ``sh``, but not for bash.

    ``program`` is the text that it is in, ``around`` the shells that were called there, by their names.
    """
    shells = [one.partition(" ")[0] for one in around if _SHELL.match(one)]
    if "zsh" in shells:  # for which `=ls` is a path, and more
        return None
    is_bash = shells[-1].endswith("bash") if shells else _RUN_BY_BASH.match(program) is not None
    return None if said and not is_bash and _OWN_OF_BASH.match(test) else said


def truth(words: Sequence[str]) -> bool | None:
    """Return what the words of a test say; None if that is not known."""
    if not words or HOLE in "".join(words):
        return None
    if len(words) == 1:
        return {"true": True, "false": False}.get(words[0])
    inside = list(words[1:] if words[0] == "test" else words[1:-1])
    match inside:
        case ["!", *rest]:
            found = truth(["test", *rest])
            return None if found is None else not found
        case ["-n", text]:
            return text != ""
        case ["-z", text]:
            return text == ""
        case [one, "=" | "==" | "!=" as how, other] if not re.search(r"[*?\[\\]", other):
            return (one == other) == (how != "!=")
        case [one, "-eq" | "-ne" as how, other] if _are_plain(one, other):
            return (int(one) == int(other)) == (how == "-eq")
        case [one, "-gt" | "-le" as how, other] if _are_plain(one, other):
            return (int(one) > int(other)) == (how == "-gt")
        case [one, "-ge" | "-lt" as how, other] if _are_plain(one, other):
            return (int(one) >= int(other)) == (how == "-ge")
    return None


_OTHERWISE = pattern(r"[$`\\\[\"'({~]")
"""Signs of a pattern that mean more to a shell, or to one of them."""


def chosen(subject: str, patterns: Sequence[str]) -> int | None:
    """Return which of the patterns of a ``case`` is the first that fits, -1 for none; None if not known."""
    if HOLE in subject:
        return None
    for number, text in enumerate(patterns):
        if _OTHERWISE.search(text):
            return None
        if any(fnmatchcase(subject, one.strip()) for one in text.split("|")):
            return number
    return -1


# end of module
