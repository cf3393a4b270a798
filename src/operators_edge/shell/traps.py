"""What the traps of a text run: read where one is set, and again with its variables and folder at the end.

Owns which variables that depends on. Does not own running it (``shell.evaluate``), nor what ``trap`` makes of
the shell while it goes on (``shell.builtins``). Loaded for texts that set one.
"""

from __future__ import annotations

import re

from operators_edge.shell.commands import HOLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.shell.commands import Wrapped
    from operators_edge.shell.evaluate import Evaluator, Job
    from operators_edge.shell.scope import Stream

_OF_EXIT = frozenset(("EXIT", "0"))
_SET_OUTSIDE = frozenset(("HOME", "PWD", "OLDPWD", "TMPDIR", "TMP", "TEMP"))
"""Variables that have a value before the text gives them one."""


class Traps:
    """The traps that an evaluator has met."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._waiting: list[tuple[Wrapped, Job, set[str]]] = []
        """Those for the end alone, with the variables that they read and that are set later."""
        self._read: list[tuple[Wrapped, Job, dict[str, str | None], str | None]] = []
        """Those that were read where they are set, with their variables and the folder as they were then."""

    def waits(self, inner: Wrapped, job: Job) -> bool:
        """Note what a trap runs; return whether it is read at the end alone, when its variables are set."""
        names = _read_at_exit(job)
        if names:
            self._waiting.append((inner, job, names))
        elif len(job.argv) > 2:
            before = {one: job.scope.get(one) for one in _read_by(job)}
            # What a signal runs that was read with an unknown word stands for any value.
            if None not in before.values() or not _OF_EXIT.isdisjoint(job.texts[2:]):
                self._read.append((inner, job, before, job.scope.cwd))
        return bool(names)

    def run(self, inners: Sequence[Wrapped], job: Job) -> list[Stream]:
        """Read what a trap runs where it is set: it runs later, when variables may hold something else."""
        evaluator = self._evaluator
        was_unsettled, evaluator.is_unsettled = evaluator.is_unsettled, True
        outputs = [evaluator.run_inner(inner, job) for inner in inners]
        evaluator.is_unsettled = was_unsettled
        return outputs

    def run_at_end(self) -> None:
        """Read what runs when the shell ends, unless it was read with the same values in the same folder."""
        while self._waiting:
            inner, job, names = self._waiting.pop(0)
            given = [name for name, _ in self._evaluator.variables]
            for name in names:
                if given.count(name) > 1:  # the shell may end between two values
                    job.scope.set(name, HOLE)
            self._evaluator.run_inner(inner, job)
        while self._read:
            inner, job, before, folder = self._read.pop(0)
            is_elsewhere = job.scope.cwd not in (None, folder)
            if is_elsewhere or any(job.scope.get(one) != value for one, value in before.items()):
                self._evaluator.run_inner(inner, job)


def _read_at_exit(job: Job) -> set[str]:
    """The variables that a trap for the end of the shell reads, and that have no value yet."""
    if len(job.argv) != 3 or job.texts[2] not in _OF_EXIT:
        return set()
    function = job.scope.functions.get(job.texts[1])
    names = _named_in(job.texts[1] if function is None else function.body)
    return {name for name in names if job.scope.get(name) is None}


def _read_by(job: Job) -> set[str]:
    """The variables that what a trap runs reads, also in functions that it calls."""
    functions, texts = job.scope.functions, [job.texts[1]]
    begun: set[str] = set()
    for text in texts:
        called = set(re.findall(r"[\w-]+", text)) & functions.keys() - begun
        begun |= called
        texts += [functions[name].body for name in called]
    return {name for text in texts for name in _named_in(text)}


def _named_in(text: str) -> set[str]:
    """The variables that a text reads by itself."""
    return set(re.findall(r"\$\{?([a-zA-Z_]\w*)", text)) - _SET_OUTSIDE


# end of module
