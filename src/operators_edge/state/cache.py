"""The human part of the state file as JSON, so that the hook needs no YAML parser.

It counts only for exactly the text that it was made from, and can be deleted at any time.
"""

from __future__ import annotations

import os

from operators_edge import jsons
from operators_edge.contexts import suppress
from operators_edge.errors import StateError
from operators_edge.storage import files
from operators_edge.system import file_cache
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.model import State
    from operators_edge.state.document import Document

_FORM = 2


class ParsedText(NamedTuple):
    """``values`` is the parsed text ``human``; ``is_kept``: the history has that text."""

    human: str
    values: State
    is_kept: bool


def load(path: str) -> ParsedText | None:
    """What was parsed last; None if it is missing or unusable."""
    try:
        with open(path, "rb", opener=file_cache.open_regular) as stream:
            return _parsed(stream.read())
    except OSError:
        return None


def load_shared(path: str) -> ParsedText | None:
    """The same, read-only: in a process that stays it is shared, so callers must not change it."""
    try:
        return file_cache.read_cached(path, _parsed)
    except OSError:
        return None


def _parsed(data: bytes) -> ParsedText | None:
    try:
        raw = jsons.loads(data)
        return ParsedText(**raw) if raw.pop("form") == _FORM else None
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def save(path: str, document: Document, *, is_kept: bool) -> None:
    """Replace what was parsed last, best effort: a read-only project has no cache."""
    parsed = ParsedText(document.human, document.values, is_kept)
    with suppress(OSError, StateError):  # see above
        files.ensure_private_dir(os.path.dirname(os.path.dirname(path)))
        files.write_cache(path, jsons.dumps({"form": _FORM, **parsed._asdict()}).encode())


# end of module
