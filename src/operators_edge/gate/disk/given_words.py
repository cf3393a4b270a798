"""Programs without what surely does not run with the words and variables that their command gives them.

Owns which words a program gets, and whether anything but its own files may change them. Does not own what it
does with them (``shell.code.given``). Pure but for ``Facts``.
"""

from __future__ import annotations

import os.path

from operators_edge.shell.code.given import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from operators_edge.gate.disk.search import Piece, Search
    from operators_edge.gate.invocation import Invocation


def without_untaken(search: Search, pieces: list[Piece]) -> list[Piece] | None:
    """Return the files of a program without what does not run; None if all may run.

    The command names the first one. What is left counts for a program that git holds alone: another one is
    judged as it is, too.
    """
    first, others = pieces[0], pieces[1:]
    texts = {one.path: one.text for one in pieces}
    is_settled = search.context.edited.isdisjoint(texts)
    if not (is_settled and _has_known_words(search, first)):
        return None
    if not all(_is_all_found(search, one) for one in pieces):
        return None
    given = search.inv.command.environment
    left = program.without_untaken(texts, first.program, first.arguments, given)
    if left == texts:
        return None
    first = first._replace(text=left[first.path])
    named = search.local_modules(os.path.dirname(first.path), first.text, first.program)
    paths = {one.path for one in named}
    return [first, *(one._replace(text=left[one.path]) for one in others if one.path in paths)]


def _has_known_words(search: Search, piece: Piece) -> bool:
    """Whether all words are known that a program gets, and nothing runs before that may change them."""
    argv = search.inv.command.argv
    given = argv[len(argv) - len(piece.arguments) :] if piece.arguments else ()
    is_known = all(one.is_known and not one.has_glob for one in given)
    may_change = search.inv.command.has_more_words or search.loads_more()
    return bool(given) and is_known and not may_change


def _is_all_found(search: Search, piece: Piece) -> bool:
    """Whether a file and those beside it that it loads are what is read of them."""
    spec = search.follower.rules.programs.get(piece.program, {})
    inside, endings = os.path.dirname(piece.path), spec.get("load_endings", [""])
    near = [one for one in search.modules_named(piece) if one[:1] == "."]
    return not search.follower.unseen(piece.path, search.context) and all(
        search.module(one, inside, endings) for one in near
    )


# -- programs that are built first -----------------------------------------------------------------

KINDS = {".go": "go", ".rs": "rust"}
"""Endings of files of languages of which it is read what a program does with its words."""


def of_compiled(
    search: Search,
    find: Callable[[], Mapping[str, str]],
    files_of: Callable[[Mapping[str, str]], dict[str, str]],
) -> dict[str, str]:
    """Return the files of programs that a command builds and runs, without what surely does not run.

    ``find`` finds the files where they may begin, ``files_of`` those of a program from there. Of one that
    runs as it is, none.
    """
    words = _words_of_program(search.inv)
    left: dict[str, str] = {}
    if words is None:
        return left
    entries = find()
    for ending, kind in KINDS.items():
        own = {path: text for path, text in entries.items() if path.endswith(ending)}
        files = files_of(own) if own else {}
        is_settled = search.context.edited.isdisjoint(files) and not any(
            search.follower.unseen(one, search.context) for one in files
        )
        if files and is_settled:
            given = search.inv.command.environment
            found = program.without_untaken(files, kind, ["", *words], given)
            left |= found if found != files else {}
    return left


def _words_of_program(inv: Invocation) -> list[str] | None:
    """The words behind those of the builder: ``go run ./cmd/tidy -apply``; None if they are not known."""
    argv, operands = inv.command.argv, inv.operands
    if inv.command.has_more_words or len(operands) < 1 or operands[0].text not in _RUNS:
        return None
    texts = [one.text for one in argv]
    if inv.program == "go" and len(operands) > 1:
        at = next(n for n, one in enumerate(argv) if one is operands[1]) + 1
        while at < len(texts) and texts[at - 1].endswith(".go") and texts[at].endswith(".go"):
            at += 1
    elif inv.program == "cargo" and operands[0].text == "xtask":
        at = next(n for n, one in enumerate(argv) if one is operands[0]) + 1
    elif inv.program == "cargo" and "--" in texts:
        at = texts.index("--") + 1
    elif inv.program == "cargo" and len(operands) == 1:
        at = len(texts)
    else:
        return None
    is_known = all(one.is_known and not one.has_glob for one in argv)
    return texts[at:] if is_known else None


_RUNS = ("run", "r", "xtask")


# end of module
