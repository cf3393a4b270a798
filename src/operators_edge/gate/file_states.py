"""What the files that a text writes or copies may hold while each of its commands runs.

``sh a.sh; echo x > a.sh`` runs what is on the disk, ``false && echo x > a.sh; sh a.sh`` does so, too, and
``sh a.sh; sh b.sh`` may run what the first script wrote. Owns which writes are there by then. Does not own
what is written (``shell.text_files``), nor reading the disk (``gate.disk.follow``). Pure. Loaded for texts of
several commands that write files, or run some that do.
"""

from __future__ import annotations

from operators_edge.shell.commands import FileWrite
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Script

_MAX_STATES = 3
"""States that are judged for one command: the last writes count first."""
_MAX_LEFT = 32


class State(NamedTuple):
    """The texts of files that were written, and the origins of those that were copied, by their paths.

    A text is None if it is unknown. All other files are as the disk has them. ``number`` tells a state from
    the others of its text.
    """

    number: int
    texts: dict[str, str | None]
    copies: dict[str, str]


class FileStates:
    """The states of files during a text; ``context`` is that before its own files are noted."""

    def __init__(self, script: Script, context: CallContext) -> None:
        self._context = context
        self._left = sorted(script.writes, key=lambda one: one.number)
        self._first = State(0, dict(context.written_texts), dict(context.copies))
        self._states = [self._first]
        """The likeliest first: in the others more of what is not sure has not happened."""
        self._possible: dict[str, list[FileWrite | None]] = {}
        """What each file may hold; None for what it held before."""
        self._made = 0

    def before(self, number: int) -> Sequence[State]:
        """Return the states that a command may find, by its number from 0.

        Commands are asked about in their order.
        """
        while self._left and self._left[0].number <= number + 1:
            self._add(self._left.pop(0))
        return self._states

    def add_all(self, writes: Iterable[FileWrite]) -> None:
        """Add writes that have happened since the last command."""
        for one in writes:
            self._add(one)

    def _add(self, write: FileWrite) -> None:
        """Add a write; unless it is sure, the file may also be as it was."""
        path = self._context.resolve(write.path, self._context.cwd)
        if write.origin is not None and write.is_sure:
            write = write._replace(is_sure=self._is_there(write.origin))
        write = write._replace(number=0)  # in a loop the same is written many times
        known = self._possible.get(path or "", [None])
        others: list[FileWrite | None] = [] if write.is_sure else known
        found = others if write in others else [*others, write]
        if path is None or not self._context.keeps(path) or found == known:
            return
        self._possible[path] = found
        while len(self._states) < min(len(found), _MAX_STATES):
            self._states.append(self._states[-1])
        self._states = [
            self._with(state, path, found[max(len(found) - at, 1) - 1])
            for at, state in enumerate(self._states)
        ]

    def _is_there(self, name: str) -> bool:
        """Whether a file is certainly there: else it is not copied."""
        path = self._context.resolve(name, self._context.cwd)
        is_made = path in self._possible or path in self._first.texts or path in self._first.copies
        return path is not None and (is_made or self._context.facts.size(path) is not None)

    def _with(self, state: State, path: str, write: FileWrite | None) -> State:
        """The state in which this write was the last one of a file; None leaves it as it was."""
        texts, copies = dict(state.texts), dict(state.copies)
        texts.pop(path, None)
        copies.pop(path, None)
        if write is None:
            texts |= {path: self._first.texts[path]} if path in self._first.texts else {}
            copies |= {path: self._first.copies[path]} if path in self._first.copies else {}
        elif write.origin is None:
            texts[path] = write.text
        elif origin := self._context.resolve(write.origin, self._context.cwd):
            copies[path] = origin
        self._made += 1
        return State(self._made, texts, copies)


def left_by(context: CallContext, around: CallContext) -> list[FileWrite]:
    """Return what a text that was run from a file may leave in files for the text around it."""
    found = [
        FileWrite(path, text, 0, is_sure=False)
        for path, text in context.written_texts.items()
        if text is not None and around.written_texts.get(path) != text
    ]
    found += [
        FileWrite(path, None, 0, is_sure=False, origin=origin)
        for path, origin in context.copies.items()
        if around.copies.get(path) != origin
    ]
    return found[:_MAX_LEFT]


# end of module
