"""The state as JSON beside the YAML, so that readers in a hurry need no YAML parser.

Never the truth: it is believed only for the very text it was made from, and can be deleted at any time.
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


class Snapshot(NamedTuple):
    """``values`` is what the text ``human`` means; ``is_kept`` says that the history holds that text."""

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
        """The same; KeyError where they would have to be parsed."""
        values = self.values_of(human)
        if values is None:
            raise KeyError("another text")
        return values


def is_settled(stamp: files.Stamp) -> bool:
    return file_cache.is_settled(stamp[1])


def load(path: str) -> Snapshot | None:
    """The snapshot; None for one that is missing or unusable: it only saves time."""
    try:
        with open(path, "rb", opener=file_cache.open_regular) as stream:
            return _parsed(stream.read())
    except OSError:
        return None


def shared(path: str) -> Snapshot | None:
    """The same for looking only: a process that stays has it at hand, so nobody may change anything in it."""
    try:
        return file_cache.read_cached(path, _parsed)
    except OSError:
        return None


def _parsed(data: bytes) -> Snapshot | None:
    try:
        raw = json.loads(data)
        if raw.pop("form") != _FORM:
            return None
        raw["stamp"] = tuple(raw["stamp"])
        return Snapshot(**raw)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def save(path: str, document: Document, stamp: files.Stamp, *, is_kept: bool) -> None:
    """Replace the snapshot, best effort: a project that cannot be written is read without one."""
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
