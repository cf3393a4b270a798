"""Command text understood as shell: what would run, with what words, reached how.

Owns quoting, expansion where the value is known, wrappers, substitutions, heredocs and the bounds on
size and nesting. Does not own what is dangerous: ``gate`` and the packs say that.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from operators_edge.shell.commands import HOLE, Command, Problem, Redirect, Script, Word
from operators_edge.shell.evaluate import MAX_COMMANDS, MAX_DEPTH, MAX_TEXT, Reader

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "HOLE",
    "MAX_COMMANDS",
    "MAX_DEPTH",
    "MAX_TEXT",
    "Command",
    "Problem",
    "Redirect",
    "Script",
    "Word",
    "parse",
]

_NOTHING: Mapping[str, str] = MappingProxyType({})


def parse(text: str, *, env: Mapping[str, str] = _NOTHING) -> Script:
    """Return every command the text would run, as far as that can be known without running it.

    ``env`` holds variables whose values are known (HOME). Never raises for any text: what could not be
    understood is a ``Problem``, and the commands that were found are returned beside it.
    """
    return Reader(env).read(text)
