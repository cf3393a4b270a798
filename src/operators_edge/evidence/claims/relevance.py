"""Which changed files can change a check's outcome.

Pure. Prose that is no part of the code or of the tests cannot: a README edited after the tests does
not make them stale. Everything else may, also what no test imports by name.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from operators_edge.model import OWN_PATHS

if TYPE_CHECKING:
    from collections.abc import Iterable

_PROSE = re.compile(
    r"(?i)(?:\.(?:md|mdx|rst|adoc|txt|org|pdf|png|jpe?g|gif|svg|drawio)$|^(?:LICEN[CS]E|NOTICE|AUTHORS)$)"
)
_CODE_FOLDER = re.compile(
    r"(?i)(?:^|/)(?:src|lib|app|pkg|packages|tests?|specs?|__tests__|fixtures?|testdata|templates?|snapshots?"
    r"|__snapshots__|data|cases|examples?|prompts?|locales?|content|pages|posts|public|static|assets)/"
)
_READ_BY_BUILDS = re.compile(
    r"(?i)^(?:requirements[\w.-]*|constraints[\w.-]*|cmakelists|manifest|robots)\.txt$"
)


def is_prose(path: str) -> bool:
    """Text for people at the top or in a folder of documents: no code reads it."""
    name = posixpath.basename(path)
    if not _PROSE.search(name) or _READ_BY_BUILDS.match(name):
        return False
    return not _CODE_FOLDER.search(path)


def covered(paths: Iterable[str], folder: str = "") -> tuple[str, ...]:
    """The changed files that a check covers which ran in ``folder``, "" for the project's root."""
    inside = folder.rstrip("/") + "/" if folder else ""
    return tuple(
        path
        for path in paths
        if path.split("/", 1)[0] not in OWN_PATHS and not is_prose(path) and path.startswith(inside)
    )
