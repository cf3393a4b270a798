"""Calls of libraries in one program of Node, Ruby, Perl or PHP, as the command lines that do the same.

Owns asking for each call of the program, with what is known of all of it. Does not own which calls those are
(``shell.code.twins``, ``shell.code.library_calls``), nor Python's (``shell.code.python.twins``).
"""

from __future__ import annotations

from functools import cached_property

from operators_edge.shell.code import database_servers, library_calls, own_databases, variables
from operators_edge.shell.code.twins import OF_DATABASES, is_answer, last_part, twin_of
from operators_edge.shell.commands import HOLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.shell.code.programs import ProgramReader

_WITH_SERVERS = frozenset(("psql", "mysql", "mongosh"))


class ProgramTwins:
    """What the calls of a program amount to; made when the reader has all of its text."""

    def __init__(self, reader: ProgramReader) -> None:
        self.reader = reader
        self.raw = reader.raw_whole
        code = reader.program.code
        self.code = f"{code}\n{reader.beside}" if reader.beside else code

    def of_call(self, at: int, name: str) -> Iterator[tuple[str, ...]]:
        """Yield the words of what the call at a token does; ``name`` is what its own name stands for."""
        program = self.reader.program
        if is_answer(program.tokens[at].name, self.reader.raw):
            return
        if library_calls.may_count(last_part(name)):
            given = program.arguments(at + 2, has_paren=True)
            yield from filter(None, [library_calls.words_of(last_part(name), self.raw, given)])
        is_member = at > 0 and program.tokens[at - 1].mark in {".", ">"}
        words_of = twin_of(name, self.code, is_member=is_member)
        if words_of is None:
            return
        given = program.arguments(at + 2, has_paren=True)
        words = words_of(given, program.options_of(at + 1))
        if words and not (words[0] in OF_DATABASES and self._has_own_databases):
            yield (words[0], *self._server, *words[1:]) if words[0] in _WITH_SERVERS else words

    @cached_property
    def _server(self) -> tuple[str, ...]:
        """The words that name the server of its databases to their clients, if it is known."""
        reader = self.reader
        if HOLE in reader.raw_beside:  # not all of the program is known
            return ()
        known = variables.with_values(
            self.raw, reader.language, reader.environment, takes_defaults=False
        )
        return database_servers.words_of(known, reader.language)

    @cached_property
    def _has_own_databases(self) -> bool:
        reader = self.reader
        return own_databases.are_own(
            reader.raw, reader.language, reader.raw_beside, reader.environment
        )


# end of module
