"""The executor ``command``: any program that edits files when it is given a text.

Its words are a template: ``{root}``, ``{id}`` and ``{prompt}`` are replaced within a word. Without
``{prompt}`` the text is its input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.bridge import supervised
from operators_edge.bridge.executors.patch import edited_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.bridge.executors.port import Edited, Request


class CommandExecutor:
    def __init__(self, name: str, words: Sequence[str]) -> None:
        self.name = name
        self._words = tuple(words)

    def edit(self, request: Request) -> Edited:
        known = {
            "{root}": request.place.root,
            "{id}": request.task["id"],
            "{prompt}": request.prompt,
        }
        is_in_words = any("{prompt}" in word for word in self._words)
        ended = supervised.run(
            [_filled(word, known) for word in self._words],
            cwd=request.place.root,
            env=request.place.env,
            seconds=request.limits.seconds,
            output=request.output,
            errors=request.output,
            given="" if is_in_words else request.prompt,
            stall_seconds=request.limits.stall,
            stop=request.place.stop,
        )
        return edited_by(ended)


def _filled(word: str, known: dict[str, str]) -> str:
    """The word with each name replaced once: a prompt that contains a name stays as it is."""
    for name, value in known.items():
        before, found, after = word.partition(name)
        if found:
            return before + value + _filled(after, known)
    return word
