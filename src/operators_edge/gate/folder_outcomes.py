"""The outcomes of a text's changes of folder that are judged beside the first: in each, some have failed.

Owns which changes are in question by what is on the disk, and which outcomes are looked at. Does not own what
a text does in one (``shell.folder_changes``). Pure but for ``Facts``. Loaded for texts that go on after a
change that may not have happened.
"""

from __future__ import annotations

import os.path

from operators_edge.locations import is_within
from operators_edge.shell.commands import OWN_PATH
from operators_edge.shell.folder_changes import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Command, FileWrite, Script
    from operators_edge.shell.folder_changes import Move, Need

_MAX_OUTCOMES = 8
"""Beside the first: all of three changes."""


class FolderOutcomes:
    """The outcomes of a text, of which the first has been judged: ``script``.

    ``context`` is that of the text. First all fail that may, then one alone, or all but one. Beyond the bound
    a change is taken for one that goes well.
    """

    def __init__(self, script: Script, context: CallContext) -> None:
        self._context = context
        self._seen: list[tuple[tuple[Command, ...], tuple[FileWrite, ...]]] = []
        self._left: list[Outcome] = []
        self._known: dict[Move, bool] = {}
        self.is_cut = False
        """Whether there was no time for any of them."""
        self.current = Outcome(self.is_sure, fails=False)
        """The one that is looked at."""
        self._first = frozenset(one.way for one in script.moves if not self.is_sure(one))
        self.is_new(script)
        if self._first:
            self._left = [Outcome(self.is_sure, fails=True)]

    def __iter__(self) -> Iterator[Outcome]:
        judged = self._context.judged
        for _ in range(_MAX_OUTCOMES):
            if not self._left:
                return
            if not judged.allows_outcome(len(self._seen[0][0])):
                self.is_cut = len(self._seen) == 1
                return
            self.current = self._left.pop(0)
            yield self.current

    def is_new(self, script: Script) -> bool:
        """Note what the text does in this outcome; return whether no other has it do all of that."""
        outcome = self.current
        if outcome.fails and not outcome.others:
            ways = frozenset(one.way for one in script.moves if not self.is_sure(one))
            if len(ways | self._first) > 1:
                alone = [
                    outcome._replace(fails=False, others=frozenset((one,))) for one in self._first
                ]
                others = [outcome._replace(others=frozenset((one,))) for one in ways]
                for at in range(max(len(alone), len(others))):
                    self._left += alone[at : at + 1] + others[at : at + 1]
        does = script.commands, script.writes
        is_new = does not in self._seen
        self._seen.append(does)
        return is_new

    def is_sure(self, move: Move) -> bool:
        """Whether a change certainly goes well."""
        known = self._known.get(move)
        if known is None:
            known = bool(move.needs) and all(map(self._is_there, move.needs or ()))
            self._known[move] = known
        return known

    def _is_there(self, need: Need) -> bool:
        context = self._context
        path = context.resolve(need.path, context.cwd) if need.path else context.cwd
        if path is None:
            return False
        around = (context.cwd, context.root, context.home)
        if path == OWN_PATH or any(is_within(one, path) for one in around) or path in context.temp:
            return True
        if need.is_made:  # unless a file is in its way
            above = [path]
            while is_within(above[-1], context.cwd) and above[-1] != context.cwd:
                above.append(os.path.dirname(above[-1]))
            return all(context.facts.size(one) is None for one in above)
        return context.facts.names(path) is not None


# end of module
