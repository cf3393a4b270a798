"""What sessions of nox and tasks of Invoke start, with the variables and functions of their file.

``session.run("git", "push", remote)`` is read as a program that Python starts, and the file is followed from
the functions that the command chooses. Owns which functions that are, and that spelling. Pure but for
``Facts``. Does not own following Python (``gate.disk.python_programs``), nor what is read of such a file
without following it (``gate.disk.loose_commands``).
"""

from __future__ import annotations

import ast
import os.path
import re

from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.shell.commands import HOLE
from operators_edge.text import python_source
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MARKS = frozenset(("session", "task", "duty"))
_TAKES_WORDS = frozenset(("run", "run_always", "run_install"))
"""Methods of a session of nox; its words are apart."""
_TAKES_TEXT = frozenset(("run", "local", "sudo"))
"""Methods of what a task gets; the first word is a text for a shell, or a list."""
_OPENS_BLOCK = pattern(r"(?:@|def|class|if|for|while|with|try|async|match|[)\]} \t])")
_STARTS = "subprocess.run"


class _Edit(NamedTuple):
    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Sessions(SearchPart):
    """The functions of one file that a command runs."""

    def pieces(self, path: str, text: str) -> Iterator[Piece]:
        code = self._program(text)
        if not code:
            return
        names = _holders_in(text)
        from operators_edge.gate.disk import python_programs  # noqa: PLC0415 - slow to import
        from operators_edge.shell.code.python.trace import Start  # noqa: PLC0415 - as above

        piece = Piece(path, code, 1, "python", self.folder, is_direct=False)
        left = python_programs.followed(
            self.search,
            Start(path, code, os.path.dirname(path)),
            piece,
            lambda module: _module(module, names),
        )
        for one in left.pieces if left is not None else ():
            yield one._replace(is_loose=True, is_followed=False)

    def _program(self, text: str) -> str:
        """The file as a program that calls what is chosen; "" if it has no such function."""
        try:
            tree = python_source.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            return ""
        marked = [
            one
            for one in tree.body
            if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and _mark_of(one)
        ]
        if not marked or _OPENS_BLOCK.match(text):
            return ""
        edits = [
            _Edit(mark.lineno, mark.col_offset - 1, _end(mark)[0], _end(mark)[1], "")
            for one in marked
            for mark in one.decorator_list
        ]
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                edits += _started(node, _holders(tree, marked))
        calls = [self._call(one) for one in self._chosen(marked)]
        return "\n".join((f"import subprocess; {_edited(text, edits)}", *calls))

    def _chosen(
        self, marked: Sequence[ast.FunctionDef | ast.AsyncFunctionDef]
    ) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        """The functions that the words name, and those that these name; all if no word names one."""
        words = [one.text for one in self.inv.command.argv[1:]]
        named = {
            re.split(r"[-(]\d|\(", one)[0].rpartition(".")[2].replace("-", "_")
            for word in words
            for one in word.split(",")
        }
        found = [one for one in marked if not named.isdisjoint(_names_of(one))]
        if not found or any(HOLE in one for one in words):
            return list(marked)
        for one in found:
            text = ast.unparse(one)
            found += [
                other
                for other in marked
                if other not in found
                and any(re.search(rf"\b{re.escape(name)}\b", text) for name in _names_of(other))
            ]
        return found

    def _call(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
        """A call with what nobody knows; without further words, a task has its own values."""
        given = function.args
        first = [*given.posonlyargs, *given.args]
        is_plain = len(self.inv.command.argv) == 2 and not self.inv.command.has_more_words
        count = len(first) - (len(given.defaults) if is_plain else 0)
        words = ["input()"] * count
        words += [] if is_plain else [f"{one.arg}=input()" for one in given.kwonlyargs]
        return f"{function.name}({', '.join(words)})"


def _mark_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """What makes a function a session or a task; "" if nothing does."""
    for one in function.decorator_list:
        called = one.func if isinstance(one, ast.Call) else one
        name = ast.unparse(called).rpartition(".")[2]
        if name in _MARKS:
            return name
    return ""


def _names_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    given = [
        key.value.value
        for one in function.decorator_list
        if isinstance(one, ast.Call)
        for key in one.keywords
        if key.arg == "name" and isinstance(key.value, ast.Constant)
    ]
    return {str(one).replace("-", "_") for one in (function.name, *given)}


def _holders(
    tree: ast.Module, marked: Sequence[ast.FunctionDef | ast.AsyncFunctionDef]
) -> dict[str, bool]:
    """Names of what starts programs; whether it takes words apart."""
    found = {}
    for one in marked:
        if first := [*one.args.posonlyargs, *one.args.args][:1]:
            found[first[0].arg] = _mark_of(one) == "session"
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.annotation is not None:
            shown = ast.unparse(node.annotation).strip("'\"").rpartition(".")[2]
            if shown in ("Session", "Context"):
                found.setdefault(node.arg, shown == "Session")
    return found


def _holders_in(text: str) -> dict[str, bool]:
    """The same of the text of a file of tasks."""
    tree = python_source.parse(text)
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return _holders(
        tree, [one for one in tree.body if isinstance(one, functions) and _mark_of(one)]
    )


def _module(text: str, names: dict[str, bool]) -> str:
    """A module whose functions are given what a task gets, by the names that it has there."""
    try:
        tree = python_source.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return text
    given = {one.arg for one in ast.walk(tree) if isinstance(one, ast.arg)}
    holders = {**_holders(tree, ()), **{name: names[name] for name in given & names.keys()}}
    edits = [
        edit
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for edit in _started(node, holders)
    ]
    return f"{_edited(text, edits)}\nimport subprocess\n" if edits else text


def _started(node: ast.Call, holders: dict[str, bool]) -> list[_Edit]:
    """The edits by which a call of a session starts its program."""
    called = node.func
    if not (isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name)):
        return []
    takes_words = holders.get(called.value.id)
    if takes_words is None or not node.args:
        return []
    first, last = node.args[0], node.args[-1]
    if takes_words and called.attr in _TAKES_WORDS:
        around = [
            _Edit(first.lineno, first.col_offset, first.lineno, first.col_offset, "["),
            _Edit(*_end(last), *_end(last), "]"),
        ]
    elif not takes_words and called.attr in _TAKES_TEXT:
        is_text = not isinstance(first, (ast.List, ast.Tuple))
        around = [_Edit(*_end(first), *_end(first), ", shell=True")] if is_text else []
        if called.attr == "sudo":
            around.append(_Edit(*_start(first), *_start(first), '"sudo " + '))
    else:
        return []
    return [_Edit(called.lineno, called.col_offset, *_end(called), _STARTS), *around]


def _start(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def _edited(text: str, edits: Sequence[_Edit]) -> str:
    """The text with other words at some places; lines keep their numbers."""
    lines = [one.encode("utf-8", "surrogatepass") for one in text.split("\n")]
    for one in sorted(edits, reverse=True):
        head, tail = lines[one.line - 1][: one.column], lines[one.end_line - 1][one.end_column :]
        if one.line == one.end_line:
            lines[one.line - 1] = head + one.text.encode() + tail
            continue
        lines[one.line - 1] = head + one.text.encode()
        lines[one.line : one.end_line - 1] = [b""] * (one.end_line - one.line - 1)
        lines[one.end_line - 1] = tail
    return "\n".join(one.decode("utf-8", "surrogatepass") for one in lines)


# end of module
