"""The port through which a watcher asks about a task's commands and tells what they did; a person's answers.

Pure. Does not own what the gate says or how a person is asked (``sessions.task_commands``), or the steps of
an attempt (``bridge.attempt``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from operators_edge.bridge.queue import Queue
    from operators_edge.bridge.result import CommandRecord, Result


class TaskCommand(NamedTuple):
    """One command of one attempt of a task; ``root`` is the working tree that it runs in."""

    stem: str
    attempt: int
    text: str
    root: str


class Permission(NamedTuple):
    """Whether a command may run now. ``asked``: the ids of the questions that a person has to answer."""

    word: Literal["run", "blocked", "asked", "refused"]
    text: str = ""
    """One sentence for a person."""
    asked: tuple[str, ...] = ()
    is_gated: bool = False
    """The gate would not let it through without a person."""
    seal: str = ""
    """Where no question can be kept: a digest of what a person approves with the task itself."""


class Ran(NamedTuple):
    """``alarm``: what it ran with that the person was not shown; ``check``: what it checked."""

    alarm: str = ""
    check: dict[str, Any] | None = None


class Answer(NamedTuple):
    """What a person has answered so far to the questions of a task; ``text`` says who refused what."""

    word: Literal["open", "refused", "answered"]
    text: str = ""


class Permissions(Protocol):
    """The gate, and the person behind it."""

    def look(self, command: TaskCommand) -> Permission:
        """Before the executor starts: asks a person if one has to decide; uses no approval."""

    def take(self, command: TaskCommand) -> Permission:
        """Immediately before the command runs, as it is now; an approval for one call is used."""

    def ran(self, command: TaskCommand, record: CommandRecord) -> Ran:
        """After it ran, while the tree is as it was for it."""

    def finished(self, task: Mapping[str, Any], result: Result, *, is_again: bool = False) -> str:
        """The attempt's result is written; a sentence for a person on what follows from it, or "".

        ``is_again``: a watcher died that may have said so; what was done then is not done twice.
        """

    def answer(self, stem: str, attempt: int, asked: Sequence[str]) -> Answer:
        """How the questions that an attempt asked were answered."""


def take_up_answers(queue: Queue, permissions: Permissions) -> list[str]:
    """Take up what a person has answered: tasks go back to their place, or end; returns their names."""
    moved = []
    for row in queue.pending():
        if not row.questions:
            continue
        answer = permissions.answer(row.stem, row.attempt, row.questions)
        if answer.word == "refused":
            queue.drop(row.stem, "rejected", detail=f"rejected by {answer.text}")
        elif answer.word == "answered":
            queue.go_on(row.stem)
        if answer.word != "open":
            moved.append(row.stem)
    return moved


# end of module
