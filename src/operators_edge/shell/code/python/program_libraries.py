"""Python libraries that do what a program of the machine does: pygit2, twine, Pulumi, plumbum, pexpect.

Owns the words of that program for a call. Does not own following names to their libraries
(``shell.code.python.twins``).
"""

from __future__ import annotations

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Read = Callable[[ast.expr], str]


def _listed(nodes: Sequence[ast.expr], read: Read) -> list[str]:
    found: list[str] = []
    for one in nodes:
        inner = one.elts if isinstance(one, (ast.List, ast.Tuple)) else [one]
        found += map(read, inner)
    return found


def _pygit2(names: Sequence[str], call: ast.Call, read: Read) -> Iterator[list[str] | str]:
    if names[-1] == "push":
        yield ["git", "push", "origin", *_listed(call.args, read)]


def _twine(names: Sequence[str], call: ast.Call, read: Read) -> Iterator[list[str] | str]:
    if "upload" in names and names[-1] in ("main", "upload"):
        yield ["twine", "upload", *_listed(call.args[:1], read)]


def _pulumi(names: Sequence[str], _: ast.Call, __: Read) -> Iterator[list[str] | str]:
    if "automation" in names and names[-1] in ("destroy", "up", "remove_stack"):
        yield ["pulumi", names[-1].replace("remove_stack", "destroy"), "--yes"]


def _plumbum(names: Sequence[str], call: ast.Call, read: Read) -> Iterator[list[str] | str]:
    """``rm["-rf", x]()``, ``local["rm"]("-rf", x)``."""
    words: list[str] = []
    holder: ast.expr = call
    while isinstance(holder, (ast.Call, ast.Subscript)):
        given = holder.args if isinstance(holder, ast.Call) else [holder.slice]
        words = [*_listed(given, read), *words]
        holder = holder.func if isinstance(holder, ast.Call) else holder.value
    program = names[2:3] if "cmd" in names else []
    if program or "local" in names:
        yield [*program, *words]


def _pexpect(names: Sequence[str], call: ast.Call, read: Read) -> Iterator[list[str] | str]:
    if names[-1] in ("run", "spawn", "runu", "spawnu") and call.args:
        yield " ".join([read(call.args[0]), *_listed(call.args[1:2], read)])


LIBRARIES: dict[str, Callable[[Sequence[str], ast.Call, Read], Iterator[list[str] | str]]] = {
    "pygit2": _pygit2,
    "twine": _twine,
    "pulumi": _pulumi,
    "plumbum": _plumbum,
    "pexpect": _pexpect,
}
"""Library → what a call of it amounts to: the words of a program, or a text for a shell."""


# end of module
