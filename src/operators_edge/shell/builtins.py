"""Effects of builtins on the shell that runs them: folder, variables, arguments, aliases.

Owns cd, read, set and the like. Does not own assignments, which are syntax.
"""

from __future__ import annotations

import re
import shlex
from itertools import pairwise, zip_longest

from operators_edge.shell.commands import HOLE, Word
from operators_edge.shell.known_output import known_output, shape_of
from operators_edge.shell.scope import ALL
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from operators_edge.shell.scope import Scope


DECLARING = frozenset(["export", "declare", "local", "readonly", "typeset"])


def declaring(words: Sequence[Word]) -> int | None:
    """The index of the word that is such a builtin, itself or after ``builtin`` and ``command``."""
    at = 0
    while at < len(words) and (
        words[at].text in _LEADING or (at and words[at].text in {"-p", "--"})
    ):
        at += 1
    return at if at < len(words) and words[at].text in DECLARING else None


_LEADING = ("builtin", "command")


def declared(words: Sequence[Word]) -> list[tuple[str, Word]]:
    """The assignments among the words of such a builtin."""
    parts = ((word.text.partition("="), word.span) for word in words)
    return [(name, Word(value, span)) for (name, equals, value), span in parts if equals]


_LOCAL = pattern(r"\s*(?:local|declare|typeset)((?:\s+[^\s;&|()<>]+)+)")


def note_locals(masked: str, scope: Scope) -> None:
    """Note the variables that a command in a function, masked, makes the function's own."""
    words = found[1].split() if (found := _LOCAL.match(masked)) else ()
    is_outside = any(one[0] == "-" and "g" in one for one in words)
    for name in (one.partition("=")[0] for one in words):
        if is_outside:
            scope.hidden.pop(name, None)
        elif name.isidentifier():
            scope.declare_local(name)


def apply(
    name: str,
    argv: Sequence[Word],
    scope: Scope,
    stdin: str | None = None,
    shared: str | None = None,
) -> None:
    """Change ``scope`` as the builtin ``name`` does; other programs change nothing.

    ``stdin`` is the text of the builtin's own redirect, ``shared`` what it reads otherwise, of which other
    commands may read, too; None when unknown.
    """
    arguments = [word.text for word in argv[1:]]
    if name == "read" and stdin is not None and HOLE not in stdin:
        _read_known(scope, arguments, stdin)
    elif name in {"mapfile", "readarray"} and stdin is not None and HOLE not in stdin:
        _read_lines(scope, arguments, stdin)
    elif effect := _EFFECTS.get(name):
        effect(scope, arguments)
        shape = shape_of(stdin or shared) if effect is _read else HOLE
        if shape != HOLE and name == "read":
            _read_listing(scope, arguments, shape)
        elif shape != HOLE:
            scope.set((_clusters(arguments)[1] or ["MAPFILE"])[-1], {HOLE: shape})


_SUBSCRIPT = pattern(r"[A-Za-z_]\w*\[[^\]]*[$`]")
_ELEMENT = pattern(r"[A-Za-z_]\w*\[")
_NAMING = frozenset(["read", "unset", "wait", "mapfile", "readarray", "getopts"])
_TESTS = frozenset(["-v", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"])


def computed(name: str, arguments: list[str]) -> list[str]:
    """Return the arguments that the builtin evaluates as arithmetic: names of elements, expressions."""
    if name == "let":
        return arguments
    if name in DECLARING:
        flags, arguments = _clusters(arguments)
        if "n" not in flags and "i" not in flags:
            arguments = [text for text in arguments if _ELEMENT.match(text)]
    elif name in {"test", "["}:
        arguments = [] if _TESTS.isdisjoint(arguments) else arguments
    elif name == "printf":
        arguments = arguments[:2] if arguments and arguments[0].startswith("-v") else []
    elif name not in _NAMING:
        return []
    return [text for text in arguments if _SUBSCRIPT.search(text)]


def _operands(arguments: list[str]) -> list[str]:
    return [text for text in arguments if not re.match(r"-[A-Za-z-]", text)]


def _cd(scope: Scope, arguments: list[str]) -> None:
    operands = _operands(arguments)
    target = operands[0] if operands else scope.get("HOME") or HOLE
    if target == "-":
        scope.enter(scope.previous_cwd)
    elif scope.get("CDPATH") and not re.match(r"/|\.\.?(?:/|$)", target):
        scope.enter(None)  # it may be a folder in one of those
    else:
        scope.enter(scope.resolve(target))


def _pushd(scope: Scope, arguments: list[str]) -> None:
    operands = _operands(arguments)
    scope.directories.append(scope.cwd)
    is_rotation = not operands or operands[0][:1] in ("+", "-")
    scope.enter(None if is_rotation else scope.resolve(operands[0]))


def _popd(scope: Scope, arguments: list[str]) -> None:
    scope.enter(scope.directories.pop() if scope.directories and not arguments else None)


def _set_unknown(scope: Scope, arguments: list[str]) -> None:
    """``read`` and the like: the values are unknown."""
    for name in arguments:
        match = re.match(r"[A-Za-z_]\w*", name)
        if match:
            scope.set(match[0], HOLE)


def _read(scope: Scope, arguments: list[str]) -> None:
    _set_unknown(scope, [*arguments, "REPLY", "MAPFILE"])


def _read_listing(scope: Scope, arguments: list[str], shape: str) -> None:
    """``ls x/* | while read -r F``: each line looks like ``shape``."""
    options, names = _read_options(arguments)
    if options is not None and len(names) == 1 and names[0].isidentifier():
        scope.set(names[0], shape)


def _read_known(scope: Scope, arguments: list[str], stdin: str) -> None:
    """``read -r A B <<< TEXT``: one field of the first line per name, the rest in the last one."""
    options, names = _read_options(arguments)
    if options is None:
        _read(scope, arguments)
        return
    text = stdin.partition(options.get("d", "\n")[:1] or "\0")[0]
    if "\\" in text and "r" not in options:
        _read(scope, arguments)
        return
    separators = scope.get("IFS") or ""
    if "a" in options:
        fields = _fields(text, separators)
        scope.set(options["a"], {str(number): field for number, field in enumerate(fields)})
    elif not names:
        scope.set("REPLY", text)
    fields = _fields(text, separators, len(names))
    for name, field in zip_longest(names, fields, fillvalue=""):
        if name:
            scope.set(name, field)


def _read_options(arguments: list[str]) -> tuple[dict[str, str] | None, list[str]]:
    """Return the options of ``read`` with their values, and the names; None for unsupported options."""
    options: dict[str, str] = {}
    left = list(arguments)
    while left and len(left[0]) > 1 and left[0][0] == "-":
        letters = left.pop(0)[1:]
        for at, letter in enumerate(letters, 1):
            if letter in "nNu":
                return None, []
            takes_value = letter in "adipt"
            rest = letters[at:]
            options[letter] = (rest or (left.pop(0) if left else "")) if takes_value else ""
            if takes_value:
                break
    return options, left


def _fields(text: str, separators: str, limit: int = 0) -> list[str]:
    """Split a line; with a limit, the last field is the rest of the line."""
    if not separators or HOLE in separators:
        return [text]
    inside = text.strip(separators)
    if not inside or limit == 1:
        return [inside] if inside else []
    return re.split(f"[{re.escape(separators)}]+", inside, maxsplit=max(0, limit - 1))


def _read_lines(scope: Scope, arguments: list[str], stdin: str) -> None:
    """``mapfile -t NAME``: one element for each line."""
    flags, operands = _clusters(arguments)
    if not set(flags) <= {"t"} or len(operands) > 1:
        _read(scope, arguments)
        return
    lines = stdin.split("\n")[:1_000]
    lines = lines if lines[-1] else lines[:-1]
    elements = lines if flags else [line + "\n" for line in lines]
    name = operands[0] if operands else "MAPFILE"
    scope.set(name, {str(number): line for number, line in enumerate(elements)})


def _clusters(arguments: list[str]) -> tuple[str, list[str]]:
    flags = "".join(text[1:] for text in arguments if text[:1] == "-")
    return flags, [text for text in arguments if text[:1] != "-"]


def _printf(scope: Scope, arguments: list[str]) -> None:
    if arguments[:1] != ["-v"] or len(arguments) < 3 or not arguments[1].isidentifier():
        _set_unknown(scope, arguments[1:2] if arguments[:1] == ["-v"] else [])
        return
    printed = known_output("printf", arguments[2:], None)
    scope.set(arguments[1], HOLE if printed is None else printed)


def _hash(scope: Scope, arguments: list[str]) -> None:
    """``hash -p PATH NAME``: from here on the name is that program."""
    at = next((i for i, text in enumerate(arguments, 1) if re.fullmatch("-[a-z]*p", text)), 0)
    for name in arguments[at + 1 :] if at else ():
        if name in _UNHASHED and name not in scope.aliases:
            scope.set_element(_HASHED, name, arguments[at])
        else:
            scope.aliases[name] = shlex.quote(arguments[at])


_HASHED = "BASH_CMDS"
_UNHASHED = frozenset(
    (
        *("alias", "bg", "break", "builtin", "cd", "command", "continue", "declare", "dirs"),
        *("disown", "echo", "enable", "eval", "exec", "exit", "export", "false", "fc", "fg"),
        *("getopts", "hash", "help", "history", "jobs", "kill", "let", "local", "logout", "popd"),
        *("printf", "pushd", "pwd", "read", "readonly", "return", "set", "shift", "shopt"),
        *("source", "suspend", "test", "times", "trap", "true", "type", "typeset", "ulimit"),
        *("umask", "unalias", "unset", "wait", ".", ":", "["),
    )
)
"""The shell's own commands, which it does not look up, unless they are switched off."""


def _enable(scope: Scope, arguments: list[str]) -> None:
    """``enable -n NAME``: from here on the name is a program, maybe one that ``hash -p`` has set."""
    flags, operands = _clusters(arguments)
    for name in operands if "n" in flags else ():
        hashed = scope.values.get(_HASHED)
        path = hashed.get(name) if isinstance(hashed, dict) else hashed
        scope.aliases[name] = name if path is None else shlex.quote(path)


def _declare(scope: Scope, arguments: list[str]) -> None:
    """``declare -n NAME`` without a value: the target is set later. ``-i``: values are computed."""
    flags, operands = _clusters(arguments)
    if "n" in flags:
        scope.references.update(dict.fromkeys([name for name in operands if "=" not in name], ""))
    if "i" in flags:
        scope.integers.update(name.partition("=")[0] for name in operands)
    if any(HOLE in name.partition("=")[0] for name in operands):
        scope.doubt_environment()
    if "x" in flags:
        scope.exports_functions |= "f" in flags
        _export(scope, operands)
    if "r" in flags:
        _fix(scope, operands)


def _fix(scope: Scope, arguments: list[str]) -> None:
    flags, operands = _clusters(arguments)
    if "f" not in flags:  # which names functions
        scope.fixed.update(one.partition("=")[0] for one in operands)


def _trap(scope: Scope, arguments: list[str]) -> None:
    if {"DEBUG", "ERR", "RETURN"}.isdisjoint(arguments):
        return
    scope.doubt_environment()  # it runs in this shell, again and again
    for match in _SET_IN_TRAP.finditer(arguments[0]):
        name = match["assigned"] or match["named"]
        scope.set(name, HOLE)
        scope.fixed.add(name)  # what is set later is set again before it is used


_SET_IN_TRAP = pattern(
    r"(?:^|[\s;&|({])(?P<assigned>[A-Za-z_]\w*)\+?="
    r"|\b(?:read|printf -v|unset)\s+(?:-\w+\s+)*(?P<named>[A-Za-z_]\w*)"
)


def _export(scope: Scope, arguments: list[str]) -> None:
    flags, operands = _clusters(arguments)
    scope.exports_functions |= "f" in flags
    for name in (one.partition("=")[0] for one in operands):
        if HOLE in name:
            scope.doubt_environment()
        elif "n" in flags:
            scope.exported.pop(name, None)
        elif "f" not in flags:
            scope.exported[name] = True


def _unset(scope: Scope, arguments: list[str]) -> None:
    for name in _operands(arguments):
        if "-f" in arguments:
            scope.functions.pop(name, None)
        else:
            scope.unset(name)


def _set(scope: Scope, arguments: list[str]) -> None:
    for option, value in pairwise([*arguments, ""]):
        if option == "--":
            break
        if option[:1] not in {"-", "+"}:
            continue
        is_long = option[1:].endswith("o")
        if "e" in option.removesuffix("o") or (is_long and value == "errexit"):
            scope.ends_on_failure = option[0] == "-"
        is_all = value == "allexport" if is_long else "a" in option
        if is_all and option[0] == "-":
            scope.exported[ALL] = True
        elif is_all:
            scope.exported.pop(ALL, None)
    if "--" in arguments:
        scope.arguments = ["sh", *arguments[arguments.index("--") + 1 :]]
        scope.has_more_arguments = False
    elif arguments and arguments[0][:1] not in {"-", "+"}:
        scope.arguments = ["sh", *arguments]
        scope.has_more_arguments = False


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
    "let": _set_unknown,
    "printf": _printf,
    "hash": _hash,
    "enable": _enable,
    "declare": _declare,
    "typeset": _declare,
    "local": _declare,
    "export": _export,
    "readonly": _fix,
    "trap": _trap,
    "unset": _unset,
    "set": _set,
    "shift": _shift,
    "alias": _alias,
    "unalias": _unalias,
}

# end of module
