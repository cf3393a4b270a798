"""Loops of a script over files of the project, with their names beside the pattern that stands for them.

``for f in db/sql/*.sql; do psql -f "$f"; done`` runs each of these files. The pattern stays, as others may
come. Owns finding such loops and the files. Does not own evaluating them (``shell.evaluate``). Pure but for
``Facts``.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.text.patterns import compiled, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.disk.search import Search

LOOPS = pattern(r"(?m)^([ \t]*for[ \t]+\w+[ \t]+in[ \t]+)([^;\n]*\*[^;\n]*)")
_WORD = pattern(
    r"(?<!\S)(?P<before>\"[^\"*\n]*\"|[^\s\"'*?;]*?)(?P<below>/?(?:[\w.-]+/)*)\*"
    r"(?P<end>[\w.-]*\.(?:sql|psql|ddl|sh|bash|py|rb|pl|php|[cm]?js|ts|ya?ml|tf|R|lua))(?=\s|;|\Z)"
)
"""A pattern of files that other programs run."""
_MAX_NAMES = 12


def with_names(search: Search, path: str, text: str) -> str:
    """Return a script with the names of the files that its loops go through."""

    def named(word: re.Match[str]) -> str:
        end = compiled(rf"[\w-][\w.-]*{re.escape(word['end'])}|{re.escape(word['end'])}")
        start = f"{word['before']}{word['below']}"
        for folder in _folders(search, path, word):
            names = [
                one for one in search.follower.names(folder, search.context) if end.fullmatch(one)
            ]
            if names:
                return " ".join((*(f"{start}{one}" for one in names[:_MAX_NAMES]), word[0]))
        return word[0]

    return LOOPS.sub(lambda loop: loop[1] + _WORD.sub(named, loop[2]), text)


def _folders(search: Search, path: str, word: re.Match[str]) -> list[str]:
    """The folders that may be meant: where the script runs, or where it is if the start is not known."""
    if "$" not in word["before"] and "`" not in word["before"]:
        found = [search.path(f"{word['before']}{word['below']}" or ".")]
    else:
        below = word["below"].lstrip("/") or "."
        bases = (os.path.dirname(path), os.path.dirname(os.path.dirname(path)), search.folder)
        found = [search.context.resolve(below, base) for base in bases if base]
    return [one for one in found if one is not None]


# end of module
