"""Files with secrets that git ignores: ``git clean -fdx`` in a target of make deletes them permanently.

What else git ignores is mostly made again by a build, and what git does not ignore goes into a snapshot.
Owns which of them a text that cleans a project would lose. Does not own what such a file is
(``gate.secret_files``). Pure but for ``Facts``. Loaded for such texts.
"""

from __future__ import annotations

import os.path
import re
from fnmatch import fnmatchcase

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.paths import CallContext

_CLEANS = pattern(r"\bgit\b[^\n;&|]*\sclean\b(?P<rest>(?:\\\n|[^\n;&|])*)")
_IGNORED = pattern(r"(?:^|\s)-[a-wyzA-WYZ]*[xX]|(?:^|\s)-\w*[xX]")
_EXCLUDES = pattern(r"(?:^|\s)(?:-\w*e[ ]?|--exclude[= ])[\"']?([^\s\"']+)")
_MAX_ASKED = 20


def are_lost(text: str, folder: str, context: CallContext) -> bool:
    """Whether a text deletes what git ignores in a folder, and a file with secrets is among that."""
    cleans = [one["rest"] for one in _CLEANS.finditer(text)]
    kept = [_kept(one) for one in cleans if _IGNORED.search(one)]
    if not kept:
        return False
    found = context.facts.secret_files(folder or context.cwd) or ()
    return any(
        context.facts.is_ignored(path, context.root) is not False
        and not all(_is_excluded(path, names) for names in kept)
        for path in found[:_MAX_ASKED]
    )


def _kept(words: str) -> list[str]:
    """The patterns of what a command leaves."""
    return [one.strip("/") for one in _EXCLUDES.findall(words) if not re.match(r"[!$]", one)]


def _is_excluded(path: str, names: list[str]) -> bool:
    return any(fnmatchcase(os.path.basename(path), one) for one in names)


# end of module
