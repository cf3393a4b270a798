"""The state as JSON next to the YAML file, so that the hook needs no YAML parser.

It counts only for exactly the text that it was made from, and can be deleted at any time.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.errors import StateError
from operators_edge.storage import files
from operators_edge.system import file_cache

if TYPE_CHECKING:
    from operators_edge.model import State
    from operators_edge.state.document import Document

_FORM = 1


class CachedState(NamedTuple):
    """``values`` is the parsed text ``human``; ``is_kept``: the history has that text."""

    stamp: files.Stamp
    taken_ns: int
    human: str
    values: State
    machine: State
    is_kept: bool

    def is_current(self, now: files.Stamp) -> bool:
        return self.stamp == now and self.taken_ns - now[1] > file_cache.SETTLED_NS

    def values_of(self, human: str) -> State | None:
        return self.values if human == self.human else None

    def known_values_of(self, human: str) -> State:
        """The same; KeyError if the text would have to be parsed."""
        values = self.values_of(human)
        if values is None:
            raise KeyError("another text")
        return values


def is_settled(stamp: files.Stamp) -> bool:
    return file_cache.is_settled(stamp[1])


def load(path: str) -> CachedState | None:
    """The cached state; None if it is missing or unusable."""
    try:
        with open(path, "rb", opener=file_cache.open_regular) as stream:
            return _parsed(stream.read())
    except OSError:
        return None


def load_shared(path: str) -> CachedState | None:
    """The same, read-only: in a process that stays it is shared, so callers must not change it."""
    try:
        return file_cache.read_cached(path, _parsed)
    except OSError:
        return None


def _parsed(data: bytes) -> CachedState | None:
    try:
        raw = json.loads(data)
        if raw.pop("form") != _FORM:
            return None
        raw["stamp"] = tuple(raw["stamp"])
        return CachedState(**raw)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def save(path: str, document: Document, stamp: files.Stamp, *, is_kept: bool) -> None:
    """Replace the cached state, best effort: a read-only project has none."""
    raw = {
        "form": _FORM,
        "stamp": stamp,
        "taken_ns": time.time_ns(),
        "human": document.human,
        "values": document.values,
        "machine": document.machine,
        "is_kept": is_kept,
    }
    with suppress(OSError, StateError):  # see above
        files.ensure_private_dir(os.path.dirname(os.path.dirname(path)))
        files.write_cache(path, json.dumps(raw).encode())
