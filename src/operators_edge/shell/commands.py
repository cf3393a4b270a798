"""What a command text consists of: words, redirects, commands, problems.

Owns the shapes the parser hands to the rules. Does not own how they are found (``shell.parse``).
"""

from __future__ import annotations

from typing import NamedTuple

HOLE = "\0"
"""Stands in a word for a part whose value cannot be known before the command runs."""


class Word(NamedTuple):
    """One word after quote removal and expansion; ``span`` is its range in the text given."""

    text: str
    span: tuple[int, int] = (0, 0)
    has_glob: bool = False

    @property
    def is_known(self) -> bool:
        return HOLE not in self.text


class Redirect(NamedTuple):
    """``op`` without the descriptor (">", ">>", ">|", "&>", "<", ">&"); ``fd`` or None for the default."""

    op: str
    target: Word
    fd: int | None = None


class Command(NamedTuple):
    """One simple command as it would be executed, wrappers taken off.

    ``argv`` starts with the program as written (path kept); it is empty for a bare assignment or a
    bare redirection. ``through`` names what it is reached through, outermost first ("sudo", "sh -c",
    "$(…)", "xargs", "ssh"). ``cwd`` is where it would run, relative to the call's directory or
    absolute; None when unknown (a ``cd`` to an unknown place). ``stdin`` is the text it reads where
    that is known (heredoc, here-string, a literal echo before the pipe); ``stdin_kind`` is "", "text",
    "pipe" or "file". ``has_more_words`` is True when further operands come from elsewhere (xargs,
    parallel, ``"$@"``). ``is_remote`` is True when it runs on another machine or in a container.
    """

    argv: tuple[Word, ...]
    span: tuple[int, int] = (0, 0)
    assigns: tuple[tuple[str, Word], ...] = ()
    redirects: tuple[Redirect, ...] = ()
    stdin: str | None = None
    stdin_kind: str = ""
    stdin_program: str = ""
    through: tuple[str, ...] = ()
    cwd: str | None = ""
    has_more_words: bool = False
    is_remote: bool = False


class Problem(NamedTuple):
    """Why part of the text could not be understood: "syntax", "too-long", "too-deep", "too-many"."""

    kind: str
    span: tuple[int, int] = (0, 0)


class Script(NamedTuple):
    commands: tuple[Command, ...]
    problems: tuple[Problem, ...] = ()
    files: tuple[tuple[str, str | None], ...] = ()
    """Files the text writes, by the name it writes them under, with their content where known."""
