"""What builtins change in the shell that runs them: directory, variables, arguments, aliases.

Owns cd, read, set and their like. Does not own assignments, which are syntax.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from operators_edge.core.commands import HOLE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from operators_edge.core.commands import Word
    from operators_edge.core.scope import Scope


def apply(name: str, argv: Sequence[Word], scope: Scope) -> None:
    """Change ``scope`` as the builtin ``name`` does; other programs change nothing."""
    effect = _EFFECTS.get(name)
    if effect:
        effect(scope, [word.text for word in argv[1:]])


def _operands(arguments: list[str]) -> list[str]:
    return [text for text in arguments if not re.match(r"-[A-Za-z-]", text)]


def _cd(scope: Scope, arguments: list[str]) -> None:
    operands = _operands(arguments)
    target = operands[0] if operands else scope.get("HOME") or HOLE
    scope.enter(scope.previous_cwd if target == "-" else scope.resolve(target))


def _pushd(scope: Scope, arguments: list[str]) -> None:
    operands = _operands(arguments)
    scope.directories.append(scope.cwd)
    is_rotation = not operands or operands[0][0] in "+-"
    scope.enter(None if is_rotation else scope.resolve(operands[0]))


def _popd(scope: Scope, arguments: list[str]) -> None:
    scope.enter(scope.directories.pop() if scope.directories and not arguments else None)


def _forget(scope: Scope, arguments: list[str]) -> None:
    """``read`` and the like: the values come from elsewhere."""
    for name in arguments:
        match = re.match(r"[A-Za-z_]\w*", name)
        if match:
            scope.set(match[0], HOLE)


def _read(scope: Scope, arguments: list[str]) -> None:
    _forget(scope, [*arguments, "REPLY", "MAPFILE"])


def _printf(scope: Scope, arguments: list[str]) -> None:
    if arguments[:1] == ["-v"]:
        _forget(scope, arguments[1:2])


def _unset(scope: Scope, arguments: list[str]) -> None:
    for name in _operands(arguments):
        if "-f" in arguments:
            scope.functions.pop(name, None)
        else:
            scope.set(name, "")


def _set(scope: Scope, arguments: list[str]) -> None:
    if "--" in arguments:
        scope.arguments = ["sh", *arguments[arguments.index("--") + 1 :]]
    elif arguments and arguments[0][:1] not in {"-", "+"}:
        scope.arguments = ["sh", *arguments]


def _shift(scope: Scope, arguments: list[str]) -> None:
    count = arguments[0] if arguments else "1"
    if scope.arguments is None or not count.isdigit() or len(count) > 4:
        scope.arguments = None
    else:
        scope.arguments = [scope.arguments[0], *scope.arguments[1 + int(count) :]]


def _alias(scope: Scope, arguments: list[str]) -> None:
    for argument in arguments:
        name, equals, text = argument.partition("=")
        if equals and name:
            scope.aliases[name] = text


def _unalias(scope: Scope, arguments: list[str]) -> None:
    for name in arguments:
        scope.aliases.pop(name, None)


_EFFECTS: dict[str, Callable[[Scope, list[str]], None]] = {
    "cd": _cd,
    "chdir": _cd,
    "pushd": _pushd,
    "popd": _popd,
    "read": _read,
    "mapfile": _read,
    "readarray": _read,
    "getopts": _read,
    "let": _forget,
    "printf": _printf,
    "unset": _unset,
    "set": _set,
    "shift": _shift,
    "alias": _alias,
    "unalias": _unalias,
}
