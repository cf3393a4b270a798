"""Program code given on a command line: the files named in it, where it also writes.

Owns that reading. Does not own the commands that code starts: the shell parser reports those. This
reads code as text, on purpose: what it cannot see, a person's review of the script has to.
"""

from __future__ import annotations

from operators_edge.gate.regexes import compiled, found_in

_LITERAL = r"(?s)'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|`((?:[^`\\]|\\.)*)`"
_WRITES = (
    r"write|unlink|remove|rename|replace|truncate|rmtree|move|copy|dump|touch|symlink|chmod|append"
    r"|open\s*\([^)]*,\s*(mode\s*=\s*)?['\"][^'\"]*[wax+>]|['\"]\s*>|rm(Sync)?\b|print\s*>|delete"
)
_MOST = 200


def written_by(text: str) -> list[str]:
    """String literals of code that also writes, moves or deletes files."""
    if not found_in(_WRITES, text):
        return []
    found = compiled(_LITERAL).findall(text)[:_MOST]
    return ["".join(groups) for groups in found]
