"""Texts that a program is given to read: SQL, commands of its own, patches.

Owns where they are, on the command line, in files and on its input, according to the program's table in the
packs. What is not known of one is a HOLE. Pure but for ``Facts``. Does not own the words of a command
(``gate.invocation``), nor what a script runs (``gate.disk.follow``).
"""

from __future__ import annotations

import os.path
import re
from bisect import bisect

from operators_edge.shell.commands import HOLE, Command, Word
from operators_edge.text.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.gate.rule_types import Program

_TAKES_SQL = frozenset(("sql", "sql_from", "sql_files", "sql_file_from", "sql_stdin"))
_SQL_LIMIT = 262_144
_MAX_INCLUDES = 3
"""How deep SQL files that name others are read."""
_MAX_FILES = 8
_MAX_PATCHED = 500
_INPUT = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")


def sql_texts(inv: Invocation, context: CallContext) -> list[Word]:
    """Return everything that the program will read as SQL: on the command line, and in files it names.

    A missing file runs nothing; a file with unknown name or text is a HOLE.
    """
    spec, command = inv.spec, inv.command
    if _TAKES_SQL.isdisjoint(spec):
        return []
    found = _values_or_operands(inv, spec.get("sql", ()), spec.get("sql_from"))
    named = _values_or_operands(inv, spec.get("sql_files", ()), spec.get("sql_file_from"))
    files = [word for word in named if word.text not in _INPUT]
    fed: list[Word] = []
    if spec.get("sql_stdin"):
        if command.stdin is not None:
            found = [*found, Word(command.stdin, command.span)]
        elif not found and not files:
            fed = feeding_files(command, context)
    base = None if command.is_remote else inv.working_folder(context)
    for word in fed[:_MAX_FILES]:
        found = found + _file_texts(word, context.cwd, context)
    found = [_with_included(text, base, spec, context) for text in found]
    fresh = [(text, "") for text in found]
    for _ in range(_MAX_INCLUDES):
        files = [*files, *_included(fresh, spec)][:_MAX_FILES]
        fresh = [
            (_with_included(text, base, spec, context), os.path.dirname(word.text))
            for word in files
            for text in _file_texts(word, base, context)
        ]
        found, files = found + [text for text, _ in fresh], []
    return found


def _with_included(text: Word, base: str | None, spec: Program, context: CallContext) -> Word:
    """A text that takes something back, with the files in it that it includes: these are taken back, too."""
    if "sql_includes" not in spec or "rollback" not in text.text.lower():
        return text

    def read(found: re.Match[str]) -> str:
        texts = _file_texts(Word(found[1]), base, context)
        is_known = len(texts) == 1 and HOLE not in texts[0].text and "_relative" not in found[0]
        return f";\n{texts[0].text}\n;" if is_known and r"\ir" not in found[0] else found[0]

    return text._replace(text=re.sub(spec["sql_includes"], read, text.text, count=_MAX_FILES))


def _included(texts: Iterable[tuple[Word, str]], spec: Program) -> list[Word]:
    """The files that SQL texts name in turn; each text has the folder of its file."""
    if "sql_includes" not in spec:
        return []
    found = []
    for word, folder in texts:
        for one in list(re.finditer(spec["sql_includes"], word.text))[:_MAX_FILES]:
            is_relative = one[0].lstrip().startswith(("\\ir", "\\include_relative"))
            name = os.path.join(folder, one[1]) if is_relative else one[1]
            found.append(Word(name, word.span))
    return found


def _values_or_operands(inv: Invocation, names: Iterable[str], start: int | None) -> list[Word]:
    """Return the values of options, and the operands from one on."""
    return inv.values(names) + (inv.operands[start:] if start is not None else [])


def feeding_files(command: Command, context: CallContext) -> list[Word]:
    """Return the files that a pipe or redirect feeds to the command; a HOLE for an unknown pipe."""
    start, end = command.span
    known = context.file_feeders
    before = known[: bisect(known, start, key=lambda one: one.span[0])][-_MAX_FILES:]
    if command.stdin_kind == "pipe":
        return _piped_files(command, before)
    # The redirect may belong to the wrapper of the command: a container, another machine.
    around = [one for one in before if end <= one.span[1]]
    return [one.target for each in around for one in each.redirects if one.op == "<"][:1]


def _piped_files(command: Command, before: list[Command]) -> list[Word]:
    cats = [one for one in before if one.argv and one.span[1] <= command.span[0]]
    if command.stdin_program == "cat" and cats:
        named = [word for word in cats[-1].argv[1:] if not word.text.startswith("-")]
        return named or [one.target for one in cats[-1].redirects if one.op == "<"]
    return [Word(HOLE, command.span)]


def _file_texts(file: Word, base: str | None, context: CallContext) -> list[Word]:
    if not file.is_known or file.has_glob:
        return [Word(HOLE, file.span)]
    path = context.resolve(file.text, base)
    if path is None:
        return []  # on another machine, or in an unknown folder
    path = context.origin_of(path)
    if path in context.written_texts:
        draft = context.written_texts[path]
        return [Word(HOLE if draft is None else draft, file.span)]
    text = context.facts.text(path, _SQL_LIMIT + 1)
    if text is None:
        return []
    rest = [Word(HOLE, file.span)] if len(text) > _SQL_LIMIT else []
    return [Word(text, file.span), *rest]


def batch_texts(inv: Invocation, names: Iterable[str], context: CallContext) -> list[Word]:
    """Return what a program reads as its commands, from a file of an option or its input; HOLE if unknown."""
    command = inv.command
    named = [word for word in inv.values(names)[-1:] if word.text != "-"]
    base = inv.working_folder(context) if named else context.cwd
    if not named and command.stdin is not None:
        return [Word(command.stdin, command.span)]
    if not named and not command.stdin_kind:
        return []
    found = []
    for word in named or feeding_files(command, context)[:_MAX_FILES] or [Word(HOLE, command.span)]:
        if word.text != "/dev/null":
            texts = [] if command.is_remote else _file_texts(word, base, context)
            found += texts or [Word(HOLE, word.span)]
    return found


_PATCHED = r"(?m)^(?:(?:\+\+\+|---) (?:[ab]/)?([^\t\n]+)|(?:rename|copy) (?:from|to) (.+))"


def patched_paths(inv: Invocation, context: CallContext) -> list[Word]:
    """Return the paths that a patch names which the command reads: given as a file or on its input."""
    return [
        Word("".join(names), text.span)
        for text in patch_texts(inv, context)
        for names in compiled(_PATCHED).findall(text.text)[:_MAX_PATCHED]
    ]


def patch_texts(inv: Invocation, context: CallContext) -> list[Word]:
    """Return the patches that the command reads; a HOLE for an unknown one."""
    command = inv.command
    base = inv.working_folder(context)
    if command.stdin is not None:
        return [Word(command.stdin, command.span)]
    return [text for word in patch_files(inv, context) for text in _file_texts(word, base, context)]


def patch_files(inv: Invocation, context: CallContext) -> list[Word]:
    """Return the files of the patches that the command reads."""
    command = inv.command
    files = _values_or_operands(inv, inv.spec.get("patches", ()), inv.spec.get("patches_from"))
    fed = [one.target for one in command.redirects if one.op == "<"]
    fed += _piped_files(command, [one for one in context.file_feeders if one.span < command.span])
    return [*files[:_MAX_FILES], *fed[:_MAX_FILES]]


# end of module
