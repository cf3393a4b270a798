"""Which files of Go a run leaves out: by ``//go:build live`` without ``-tags live``, or as others' tests.

Owns reading a constraint, which tags a run has, and which packages it tests. A tag that may be set elsewhere
is unknown, and leaves nothing out. Pure but for ``Facts``. Does not own which files a program names
(``gate.disk.whole_programs``).
"""

from __future__ import annotations

import os.path
import re
from itertools import takewhile

from operators_edge.locations import is_within
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.disk.search import Search
    from operators_edge.shell.commands import Word

_CONSTRAINT = pattern(r"\A(?:[ \t]*(?://[^\n]*)?\n)*?//go:build[ \t]+([^\n]+)\n")
_TOKEN = pattern(r"\|\||&&|!|\(|\)|[\w.]+")
_MAX_TOKENS = 60
_OF_PLATFORM = pattern(
    r"linux|darwin|windows|unix|\w*bsd|dragonfly|solaris|illumos|aix|android|ios|js|wasip1|plan9|amd64|386|arm\w*|riscv64"
    r"|\w+\.[\w.]+|ppc64\w*|mips\w*|s390x|loong64|wasm|cgo|gc|gccgo|race|msan|asan|go1\.\d+|boringcrypto"
)
"""Tags that nobody has to give: whether they hold is not known here."""
_TAGS = pattern(r"(?<!\S)--?tags(?:=|\s+)(['\"]?)([^'\"]*?)\1(?=\s|$)")
_VERBS = ("test", "vet", "run", "build", "install")
_CHDIR = ("-C", "--C")
_SWITCHES = ("-race", "-v", "-x", "-a", "-work", "-trimpath", "-msan", "-asan", "-cover")
"""Options of ``go run`` that take no value."""
_RELATIVE = pattern(r"\.\.?(?:/(?:(?!\.\.\.)\S)*?)?(?:/\.\.\.)?(?<!\.go)\Z")
"""The folder of a package, with all below it or not."""
_SETTINGS = (".config/go/env", "Library/Application Support/go/env")


def is_left_out(search: Search, path: str, text: str) -> bool:
    """Whether a run surely leaves out a file of Go at this path, with this text."""
    if search.inv.program != "go" or search.inv.first_operands() not in _VERBS:
        return False
    if path.endswith("_test.go") and not is_tested(search, os.path.dirname(path)):
        return True
    found = _CONSTRAINT.match(text)
    if found is None or any(_may_name(search, word, path) for word in search.inv.operands):
        return False  # it takes each file that it is given
    tags = _tags_of(search)
    return tags is not None and _holds(_TOKEN.findall(found[1])[:_MAX_TOKENS], tags) is False


def _may_name(search: Search, word: Word, path: str) -> bool:
    """Whether a word is a file of Go, or may be, that lies at this path."""
    if not word.text.endswith(".go"):
        return False
    place, real = search.path(word.text), search.context.real
    return place is None or word.has_glob or real(place) == real(path)


def is_given(search: Search, path: str) -> bool:
    """Whether ``go run`` gives a file to its program: it is neither one of its files nor in its package."""
    inv = search.inv
    if inv.first_operands() != "run" or inv.command.has_more_words or not inv.operands[1:]:
        return False
    if not all(word.is_known and not word.has_glob for word in inv.command.argv):
        return False
    before = [one for one in inv.flags if one.span < inv.operands[1].span]
    if not all(one.name in _SWITCHES or one.value is not None for one in before):
        return False  # what seems the package may be its value
    named = [one.text for one in inv.operands[1:]]
    files = list(takewhile(lambda one: one.endswith(".go"), named))
    if not (files or _RELATIVE.match(named[0])) or any(one.name in _CHDIR for one in before):
        return False
    real = search.context.real
    places = [real(search.path(one) or path) for one in files or named[:1]]
    return real(path) not in places and real(os.path.dirname(path)) not in places


def is_tested(search: Search, folder: str) -> bool:
    """Whether a run may test the package in a folder: no other file of Go is compiled with its tests."""
    inv = search.inv
    named = [one.text for one in inv.operands[1:]]
    if inv.first_operands() != "test":
        return inv.first_operands() == "vet"
    is_known = all(word.is_known and not word.has_glob for word in inv.command.argv)
    if inv.command.has_more_words or not is_known or any(one.name in _CHDIR for one in inv.flags):
        return True
    if not all(_RELATIVE.match(one) for one in named):
        return True  # by its import
    real = search.context.real
    places = ((search.path(one.removesuffix("...")), one[-3:]) for one in named or ["."])
    return any(
        not place
        or (is_within(real(folder), real(place)) if end == "..." else real(folder) == real(place))
        for place, end in places
    )


def _tags_of(search: Search) -> set[str] | None:
    """The tags of a run; None if there may be others."""
    command = search.inv.command
    if command.has_more_words or not all(word.is_known for word in command.argv):
        return None
    tags = search.inv.values(("-tags", "--tags"))
    ends = _end_of_flags(search)
    if ends is not None and any(one.span >= ends for one in tags):
        return None  # the program gets them, or go does
    if re.search(r"\bgo\s+env\s[^\n]*-w|\bGOENV=", search.context.text):
        return None
    given = [one.text for one in tags]
    kept = [
        search.context.facts.text(os.path.join(search.context.home, one), 16_384) or ""
        for one in _SETTINGS
    ]
    values = [value for name, value in search.variables() if name in ("GOFLAGS", "GOENV")]
    values += [value for text in kept for value in re.findall(r"(?m)^GOFLAGS=(.*)$", text)]
    if any(HOLE in one for one in values):
        return None
    given += [one[2] for value in values for one in _TAGS.finditer(value)]
    return {tag for one in given for tag in re.split(r"[,\s]+", one) if tag}


def _end_of_flags(search: Search) -> tuple[int, int] | None:
    """Where the words begin that a program gets, or the packages behind which go takes no flag."""
    inv = search.inv
    if inv.first_operands() == "test":
        return next((w.span for w in inv.command.argv if w.text in ("-args", "--args")), None)
    return inv.operands[1].span if len(inv.operands) > 1 else None


def _holds(tokens: list[str], tags: set[str]) -> bool | None:
    """Whether a constraint holds; None if that is not known."""
    value, rest = _any_of(tokens, tags)
    return None if rest else value


def _any_of(tokens: list[str], tags: set[str]) -> tuple[bool | None, list[str]]:
    value, rest = _all_of(tokens, tags)
    while rest[:1] == ["||"]:
        other, rest = _all_of(rest[1:], tags)
        value = True if True in (value, other) else None if None in (value, other) else False
    return value, rest


def _all_of(tokens: list[str], tags: set[str]) -> tuple[bool | None, list[str]]:
    value, rest = _one_of(tokens, tags)
    while rest[:1] == ["&&"]:
        other, rest = _one_of(rest[1:], tags)
        value = False if False in (value, other) else None if None in (value, other) else True
    return value, rest


def _one_of(tokens: list[str], tags: set[str]) -> tuple[bool | None, list[str]]:
    first, rest = (tokens[0], tokens[1:]) if tokens else ("", [])
    if first == "!":
        value, rest = _one_of(rest, tags)
        return (None if value is None else not value), rest
    if first == "(":
        value, rest = _any_of(rest, tags)
        return value, rest[1:]
    if not re.fullmatch(r"[\w.]+", first):
        return None, rest
    return (None if _OF_PLATFORM.fullmatch(first) else first in tags), rest


# end of module
