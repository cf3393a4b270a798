"""Functions and aliases that a shell has from the files it reads first: ``bash -ic deploy``.

Owns which of these files define what a command calls, and what is left of them for that call: their
definitions alone, as anything else in them runs whatever is called. Does not own which files a shell reads
(``startup`` in the packs), nor what a line sources by name (``gate.disk.follow``). Pure but for ``Facts``.
"""

from __future__ import annotations

import re
from functools import lru_cache

from operators_edge.gate.disk import sourced
from operators_edge.gate.disk.search import MAX_FILE, Piece, SearchPart, is_binary
from operators_edge.shell.commands import SOURCING, quoted
from operators_edge.shell.evaluate import parse
from operators_edge.shell.grammar import ParseError, read_statements
from operators_edge.shell.quoting import mask
from operators_edge.text.lines import line_at
from operators_edge.text.patterns import blanked, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from operators_edge.gate.disk.search import Search
    from operators_edge.shell.grammar import Statement

_MAX_FILES = 12
_SHELL = pattern(r"(\w+)(?: -(\w+))?")
_ALIAS = pattern(r"(?<=\s)([^\s=]+)=")
_LINE_OF_ALIAS = pattern(r"(?m)^[ \t]*alias[ \t][^\n;&|]*")
_FISH = pattern(
    r"(?ms)^[ \t]*function[ \t]+(?P<name>[\w.-]+)[^\n]*\n(?P<body>.*?)^end\b"
    r"|^[ \t]*alias[ \t]+(?P<alias>[\w.-]+)[ \t=]+(?P<value>'[^'\n]*'|\"[^\"\n]*\"|[^\n;]+)"
)


class Definitions(NamedTuple):
    """What a text defines: the names with their lines, and the text with blanks for all but that."""

    functions: dict[str, int]
    aliases: dict[str, int]
    text: str

    def call(self, path: str, words: Sequence[str], others: Sequence[str] = ()) -> Piece:
        """Return the call of what is defined, which is said to be where that is."""
        line = self.functions.get(words[0]) or self.aliases.get(words[0], 1)
        own, beside = self.text.rstrip(), "\n".join((*others, f"{quoted(words)}\n"))
        numbers = (*range(1, own.count("\n") + 2), *[line] * (beside.count("\n") + 1))
        return Piece(path, f"{own}\n{beside}", numbers=numbers)


def is_interactive(through: Sequence[str]) -> bool:
    """Whether a shell expands aliases for what it runs."""
    kinds = (_SHELL.fullmatch(step) for step in through)
    return any(
        kind and (kind[1] in ("zsh", "fish") or (kind[1].endswith("sh") and "i" in (kind[2] or "")))
        for kind in kinds
    )


@lru_cache(maxsize=64)
def of_text(text: str) -> Definitions:
    """Return what a text defines for a shell that reads it."""
    masked = mask(text).masked
    try:
        found = [*_defining(read_statements(masked), text, masked)]
    except ParseError:
        found = [
            (one.start(), one.end(), "", _ALIAS.findall(one[0]))
            for one in _LINE_OF_ALIAS.finditer(masked)
        ]
    left, at = [], 0
    for start, end, _, _ in found:
        left += [blanked(text[at:start]), text[start:end]]
        left += ["\n" if text[end : end + 1] in ("\n", "") else ";"]
        at = end + 1
    left.append(blanked(text[at:]))
    lines = [(line_at(text, start), name, names) for start, _, name, names in found]
    return Definitions(
        {name: line for line, name, _ in lines if name},
        {each: line for line, _, names in lines for each in names},
        "".join(left),
    )


def _defining(
    statement: Statement, text: str, masked: str
) -> Iterator[tuple[int, int, str, list[str]]]:
    """Yield where something is defined: its start and end, and the name of a function, or of aliases."""
    start, end = statement.start, statement.end
    if statement.kind == "function":
        yield start, end, text[slice(*statement.name)].strip(), []
        return
    if statement.kind != "simple":
        for part in statement.parts:
            yield from _defining(part, text, masked)
        return
    if masked[start:end].split()[:1] == ["alias"]:
        yield start, end, "", _ALIAS.findall(masked[start:end])
    elif sourced.is_settings(text[start:end].strip()):
        yield start, end, "", []


@lru_cache(maxsize=64)
def _sourced(text: str, home: str) -> tuple[str, ...]:
    """Return the files that a text sources."""
    commands = parse(text, env={"HOME": home}, is_program=True).commands
    named = (one.argv for one in commands if len(one.argv) > 1 and one.argv[0].text in SOURCING)
    return tuple(dict.fromkeys(argv[1].text for argv in named))


def startup_texts(search: Search) -> list[str] | None:
    """The files that a shell around a command reads first; None if there is no such shell."""
    startup = Startup(search)
    names = list(dict.fromkeys(startup.names()))
    return [text for _, text in startup.files(names)] if names else None


class Startup(SearchPart):
    """What a command is by the files that the shell around it has read first."""

    def pieces(self) -> Iterator[Piece]:
        words = self.search.words
        names = list(dict.fromkeys(self.names()))
        texts = dict(self.files(names)) if names else {}
        if any(step.startswith("fish") for step in self.inv.command.through):
            yield from self._of_fish(texts)
            return
        known = {path: of_text(text) for path, text in texts.items()}
        has_aliases = is_interactive(self.inv.command.through)
        for path, one in reversed(known.items()):
            if words[0] in one.functions or (has_aliases and words[0] in one.aliases):
                others = [each.text.strip() for name, each in known.items() if name != path]
                yield one.call(path, words, others)._replace(folder=self.folder, is_direct=False)
                return

    def names(self) -> Iterator[str]:
        files = self.follower.rules.programs.get("sh", {}).get("startup", {})
        for step in self.inv.command.through:
            if kind := _SHELL.fullmatch(step):
                for key in (kind[1], *(f"{kind[1]} -{letter}" for letter in kind[2] or "")):
                    yield from files.get(key, ())

    def files(self, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield the files in the home folder, and those that they source, as far as they are named there."""
        left = [
            path
            for name in names
            for path in self.search.files_below(self.context.home or None, name)
        ]
        for number, path in enumerate(left):
            text = self.follower.read(path, self.context) if number < _MAX_FILES else None
            if not text or len(text) > MAX_FILE or is_binary(text):
                continue
            yield path, text
            if not re.search(r"(?m)(?:^|\W)(?:\.|source)[ \t]", text):
                continue
            for name in _sourced(text, self.context.home):
                found = self.context.resolve(name, self.folder)
                left += [found] if found and found not in left else []

    def _of_fish(self, texts: dict[str, str]) -> Iterator[Piece]:
        for path, text in texts.items():
            for one in _FISH.finditer(text):
                if self.search.words[0] not in (one["name"], one["alias"]):
                    continue
                line = line_at(text, one.start())
                rest = quoted(self.search.words[1:])
                runs = one["body"] or f"{(one['value'] or '').strip(chr(39) + chr(34))} {rest}"
                given = (path, *self.search.words[1:])
                yield Piece(path, runs, line, folder=self.folder, is_direct=False, arguments=given)


def call_of_alias(path: str, text: str, words: Sequence[str], folder: str | None) -> Piece | None:
    """Return the call of an alias that a sourced file defines; None if it defines no such one."""
    found = of_text(text)
    if not words or words[0] not in found.aliases:
        return None
    return found.call(path, words)._replace(folder=folder)


# end of module
