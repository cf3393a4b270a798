"""Files of settings, some of which name a program or a file that another program then runs.

Owns reading ``name = value`` in sections, as git, npm, cargo, php and many others write it. Pure: text in,
settings out. Does not own which settings run something (the packs).
"""

from __future__ import annotations

import re

from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD = pattern(r"\[{1,2}\s*([\w.:/@~?!+%\"'\s()=*-]+?)\s*\]{1,2}\s*(.*)")
_SETTING = pattern(
    r"(?:export\s+|set\s+|-\s+)?[\"']?([\w.:@/-]+)[\"']?(?:\s*[=:]\s*|\s+(?=\"))(.*?)\s*,?"
)
_BEFORE_COMMENT = pattern(r"\"((?:[^\"\\]|\\.)*)\"\s*[#;].*")
_LISTED = pattern(r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'")


class Setting(NamedTuple):
    """A setting: its sections and name joined by dots, in lower case but for the middle, and its line."""

    name: str
    value: str
    line: int


def read(text: str) -> Iterator[Setting]:
    """Yield the settings of a file, in their order."""
    section = ""
    for number, raw in _lines(text):
        line = raw.strip()
        if head := _HEAD.fullmatch(line):
            section, line = _section(head[1]), head[2]
        if line[:1] not in ("", "#", ";") and (found := _SETTING.fullmatch(line)):
            name = ".".join(filter(None, (section, found[1].lower())))
            yield Setting(name, _value(found[2]), number)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line with its number, with those that a backslash at its end joins to it in git's files.

    Elsewhere a backslash is part of a value, so the lines after it are read on their own, too.
    """
    lines = text.split("\n")
    for at, raw in enumerate(lines):
        last = at
        while lines[last].endswith("\\") and last < min(len(lines) - 1, at + _MAX_JOINED):
            last += 1
        is_comment = raw.lstrip()[:1] in ("#", ";")
        joined = "".join(one.removesuffix("\\") for one in lines[at:last]) + lines[last]
        yield at + 1, raw if is_comment else joined


_MAX_JOINED = 100


def _section(text: str) -> str:
    """Return ``target.x86.runner``'s section: git writes ``filter "x"``, TOML ``target.'x'``."""
    first, _, rest = re.sub(r"[\"']", "", text).partition(" ")
    return ".".join(filter(None, (first.lower(), rest.strip())))


def _value(text: str) -> str:
    """Return a value without its quotes; a list of words as one text."""
    if text[:1] == "[":
        return " ".join(one or other for one, other in _LISTED.findall(text))
    if quoted := _BEFORE_COMMENT.fullmatch(text):
        text = quoted[1]
    elif len(text) > 1 and text[0] in "\"'" and text[-1] == text[0]:
        text = text[1:-1]
    return text.replace('\\"', '"').replace("\\\\", "\\")


# end of module
