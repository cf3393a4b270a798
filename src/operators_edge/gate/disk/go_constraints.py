"""Which files of Go a test run leaves out by their constraints: ``//go:build live``, without ``-tags live``.

Owns reading a constraint, and which tags a run has. A tag that may be set elsewhere is unknown, and leaves
nothing out. Pure but for ``Facts``. Does not own which files a test names (``gate.disk.whole_programs``).
"""

from __future__ import annotations

import os.path
import re

from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.disk.search import Search

_CONSTRAINT = pattern(r"\A(?:[ \t]*(?://[^\n]*)?\n)*?//go:build[ \t]+([^\n]+)\n")
_TOKEN = pattern(r"\|\||&&|!|\(|\)|[\w.]+")
_MAX_TOKENS = 60
_OF_PLATFORM = pattern(
    r"linux|darwin|windows|unix|\w*bsd|dragonfly|solaris|illumos|aix|android|ios|js|wasip1|plan9|amd64|386|arm\w*|riscv64"
    r"|\w+\.[\w.]+|ppc64\w*|mips\w*|s390x|loong64|wasm|cgo|gc|gccgo|race|msan|asan|go1\.\d+|boringcrypto"
)
"""Tags that nobody has to give: whether they hold is not known here."""
_TAGS = pattern(r"(?<!\S)--?tags(?:=|\s+)(['\"]?)([^'\"]*?)\1(?=\s|$)")
_SETTINGS = (".config/go/env", "Library/Application Support/go/env")


def is_left_out(search: Search, text: str) -> bool:
    """Whether a run of tests surely leaves out a file with this text."""
    found = _CONSTRAINT.match(text)
    if found is None or search.inv.first_operands() not in ("test", "vet"):
        return False
    tags = _tags_of(search)
    return tags is not None and _holds(_TOKEN.findall(found[1])[:_MAX_TOKENS], tags) is False


def _tags_of(search: Search) -> set[str] | None:
    """The tags of a run; None if there may be others."""
    command = search.inv.command
    if command.has_more_words or not all(word.is_known for word in command.argv):
        return None
    if re.search(r"\bgo\s+env\s[^\n]*-w|\bGOENV=", search.context.text):
        return None
    given = [one.text for one in search.inv.values(("-tags", "--tags"))]
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
