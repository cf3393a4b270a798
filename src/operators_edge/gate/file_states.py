"""What the files that a text writes or copies may hold while each of its commands runs.

``sh a.sh; echo x > a.sh`` runs what is on the disk, ``false && echo x > a.sh; sh a.sh`` does so, too, and
``sh a.sh; sh b.sh`` may run what the first script wrote. Owns which writes are there by then. Does not own
what is written (``shell.text_files``), nor reading the disk (``gate.disk.follow``). Pure. Loaded for texts of
several commands that write files, or run some that do.
"""

from __future__ import annotations

import os.path

from operators_edge.gate import arrivals
from operators_edge.gate.path_patterns import has_wildcard, may_be
from operators_edge.shell.commands import HOLE, FileWrite
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from operators_edge.gate.arrivals import Arrival
    from operators_edge.gate.paths import CallContext

_MAX_STATES = 3
"""States that are judged for one command: the last writes count first."""
_MAX_LEFT = 32
_MAX_MEANT = 16
"""Files that wildcards mean."""


class State(NamedTuple):
    """The texts of files that were written, and the origins of those that were copied, by their paths.

    A text is None if it is unknown; ``unseen`` has those that a program computes whose own file was run. All
    other files are as the disk has them. ``number`` tells a state from the others of its text.
    """

    number: int
    texts: dict[str, str | None]
    copies: dict[str, str]
    unseen: dict[str, Arrival]


class FileStates:
    """The states of files during a text with ``writes``; ``context`` is that before its files are noted."""

    def __init__(self, writes: Iterable[FileWrite], context: CallContext) -> None:
        self._context = context
        self._left = sorted(writes, key=lambda one: one.number)
        self._first = State(0, dict(context.written_texts), dict(context.copies), {})
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
        if write.origin is not None and write.is_sure:
            write = write._replace(is_sure=self._is_there(write.origin))
        write = write._replace(number=0)  # in a loop the same is written many times
        is_computed = write.text is None and write.origin is None
        for path, is_named in self._meant_by(write.path):
            other = write._replace(is_sure=False)
            if is_computed and path not in self._context.appended:
                other = other._replace(maker=write.maker or _maker_of(self._context))
            self._add_to(path, write if is_named else other)

    def _meant_by(self, name: str) -> Iterator[tuple[str, bool]]:
        """Yield the files that a write may change, and whether its words are the name of that one.

        It may be another one by a link, by wildcards, or by what is not known of its name.
        """
        context = self._context
        path = context.resolve(name.replace(HOLE, "*"), context.cwd)
        if path is None:
            return
        if not has_wildcard(path):
            yield path, True
            if (real := context.real(path)) != path:
                yield real, False
            return
        yield path, True
        folder, _, last = path.rpartition("/")
        if has_wildcard(folder) or not last.strip("*?"):
            return
        made = (os.path.split(one) for one in self._possible)
        names = [*(context.facts.names(folder) or ()), *(one for at, one in made if at == folder)]
        for one in [one for one in dict.fromkeys(names) if may_be(last, one)][:_MAX_MEANT]:
            yield f"{folder}/{one}", False

    def _add_to(self, path: str, write: FileWrite) -> None:
        known = self._possible.get(path, [None])
        others: list[FileWrite | None] = [] if write.is_sure else known
        found = others if write in others else [*others, write]
        if not self._context.keeps(path) or found == known:
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
        texts, copies, unseen = dict(state.texts), dict(state.copies), dict(state.unseen)
        for known in (texts, copies, unseen):
            known.pop(path, None)
        if write is None:
            texts |= {path: self._first.texts[path]} if path in self._first.texts else {}
            copies |= {path: self._first.copies[path]} if path in self._first.copies else {}
        elif write.origin is None:
            texts[path] = write.text
            if write.maker is not None:
                unseen[path] = arrivals.unseen(path, write.maker)
        elif (origin := self._origin(write.origin)) != path:
            copies |= {path: origin} if origin else {}
        self._made += 1
        return State(self._made, texts, copies, unseen)

    def _origin(self, name: str) -> str | None:
        """The file that is copied: of several that wildcards may mean, the first one."""
        meant = [
            path for path, is_named in self._meant_by(name) if not has_wildcard(path) or is_named
        ]
        named = [path for path in meant if not has_wildcard(path)]
        return next(iter(named or meant), None)


def _maker_of(context: CallContext) -> str:
    """The file of the program or script that is read; "" for none."""
    return context.around[-1][0] if context.around else ""


def computed(writes: Iterable[FileWrite], context: CallContext) -> Iterator[FileWrite]:
    """Yield what a program may have written that is read: texts that are not known are its own."""
    for one in writes:
        is_known = one.text is not None or one.origin is not None
        maker = None if is_known else _maker_of(context)
        yield one._replace(number=0, is_sure=False, maker=maker)


def left_by(context: CallContext, around: CallContext) -> list[FileWrite]:
    """Return what a text that was run from a file may leave in files for the text around it."""
    maker = _maker_of(context)
    found = [
        FileWrite(path, text, 0, is_sure=False, maker=None if text is not None else maker)
        for path, text in context.written_texts.items()
        if around.written_texts.get(path, "") != text
        and (text is not None or not (path in context.copies or path in context.appended))
    ]
    found += [
        FileWrite(path, None, 0, is_sure=False, origin=origin)
        for path, origin in context.copies.items()
        if around.copies.get(path) != origin
    ]
    return found[:_MAX_LEFT]


# end of module
