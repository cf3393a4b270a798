"""Which commands of a script end it if they fail, once ``set -e`` has run; what runs when it has ended.

Those that stand alone: outside of all conditions, chains and loops, in a group or a subshell of which the
same holds, or in a function that is only called so. Owns where they begin, and what traps wait for. Does not
own whether ``set -e`` has run (``gate.own.line_order``).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

from operators_edge.shell.grammar import ParseError, read_statements
from operators_edge.shell.quoting import mask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from operators_edge.shell.grammar import Statement

_MOVES = re.compile(r"(?<![\w-])(?:cd|chdir|pushd|popd)(?![\w-])")
_SETS = re.compile(r"set[ \t]+(?:-\w+[ \t]+)*-(?:\w*e|\w*o[ \t]+errexit)")
_UNSETS = re.compile(r"\bset[ \t]+(?:\S+[ \t]+)*\+|\bshopt\b|\beval\b|\$-")
_CHAINS = frozenset(("&&", "||", "&"))
_AT_END = re.compile(
    r"trap[ \t]+(?:--[ \t]+)?\S+(?:[ \t]+(?:0|(?:SIG)?(?:EXIT|INT|TERM|HUP|QUIT)))+\s*"
)
_TRAP = re.compile(r"(?<![\w-])trap(?![\w-])")
_ENDS_WELL = re.compile(r"(?<![\w-])(?:exit|return)(?![ \t]+[1-9])(?![\w-])")
_RETURNS_WELL = re.compile(r"(?<![\w-])return(?![ \t]+[1-9])(?![\w-])")
_WORDS_BEFORE = re.compile(
    r"(?:(?P<program>[\w./-]+)|\$\{?(?P<name>\w+)\}?)(?:[ \t]+[\w./:=@-]+)*[ \t]+\Z"
)
"""A program, by its name or by a variable, and plain words of it."""
_CALLERS = frozenset(
    (
        *("eval", "trap", "time", "coproc", "command", "builtin", "exec", "mapfile", "readarray"),
        *("complete", "alias", "source", ".", "export", "declare", "local", "unset", "function"),
        *("if", "elif", "while", "until", "then", "else", "do", "for", "case", "in", "select"),
    )
)
"""Words of a shell behind which the name of a function may stand for a call of it, or for another one."""
_KILL = re.compile(r"(?<![\w-])(?:kill|pkill|killall)(?![\w-])")


@lru_cache(maxsize=16)
def ending_statements(text: str) -> frozenset[int]:
    """Where the commands begin that end the script; none of a text that is not understood."""
    masked = mask(text)
    if masked.unclosed:
        return frozenset()
    try:
        top = read_statements(masked.masked)
    except ParseError:
        return frozenset()
    found: set[int] = set()
    functions: dict[str, Statement] = {}
    _collect(top, text, found, functions)
    pairs = zip(text, masked.masked, strict=True)
    said = "".join(" " if other == " " else one for one, other in pairs)  # without comments
    starts, named = sorted(_starts_of(top)), frozenset(functions)
    before = -1
    while before != len(found):
        before = len(found)
        for name, body in list(functions.items()):
            calls = _calls(name, masked.masked, found)
            mentions = [
                one.start()
                for one in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", said)
                if not _is_argument(said, starts, one.start(), named)
            ]
            if calls and calls + 1 == len(mentions):
                del functions[name]
                _collect(body, text, found, {}, may_return=True)
    return frozenset(found)


def last_statements(text: str) -> frozenset[int]:
    """Where the commands begin without which the last statement of a text does not succeed."""
    masked = mask(text)
    try:
        node = read_statements(masked.masked)
    except ParseError:
        return frozenset()
    found: set[int] = set()
    left = [] if masked.unclosed else [node]
    while left:
        node = left.pop()
        if node.kind in ("group", "subshell", "redirected"):
            left += node.parts[:1]
        elif node.kind == "simple" and text[node.start] != "!":
            found.add(node.start)
        elif node.kind == "list" and node.parts and node.operators[-1] != "&":
            at = len(node.parts) - 1
            while at >= 0 and (at == 0 or node.operators[at - 1] != "||"):
                left.append(node.parts[at])
                at -= 1
                if node.operators[at] != "&&":
                    break
    return frozenset(found)


def may_end_early(text: str) -> bool:
    """Whether a program may end well before its last statement: a word in it says so."""
    return _ENDS_WELL.search(text) is not None


def ends_where_it_cannot_go(text: str) -> bool:
    """Whether a script ends if a folder that it goes to is not there, so that all that follows runs in it."""
    masked = mask(text).masked
    starts = ending_statements(text)
    moves = [one.start() for one in _MOVES.finditer(masked)]
    sets = [one for one in starts if _SETS.match(masked, one)]
    is_kept = bool(sets) and not _UNSETS.search(masked)
    return is_kept and all(min(sets) < one and one in starts for one in moves)


def traps_wait_for_end(text: str) -> bool:
    """Whether what traps run comes after all else: each is set by the text's own shell, for its end."""
    masked = mask(text)
    try:
        top = read_statements(masked.masked)
    except ParseError:
        return False
    waiting = [
        one
        for one, following in zip(top.parts, top.operators, strict=True)
        if following != "&" and _AT_END.fullmatch(masked.masked[one.start : one.end])
    ]
    return (
        not masked.unclosed
        and len(waiting) == len(_TRAP.findall(text))
        and not _KILL.search(text)  # it may send itself the signal
    )


def _collect(
    node: Statement,
    text: str,
    found: set[int],
    functions: dict[str, Statement],
    *,
    may_return: bool = False,
) -> None:
    """Add the commands of a list that stand alone, and note the functions that it defines.

    What follows ``return`` in a function may not run although all goes on, if that ``may_return``.
    """
    if node.kind in ("group", "subshell", "redirected"):
        _collect(node.parts[0], text, found, functions, may_return=may_return)
    if node.kind != "list":
        return
    previous = ""
    for part, following in zip(node.parts, node.operators, strict=True):
        if may_return and _RETURNS_WELL.search(text, node.start, part.start):
            return
        if part.kind == "function":
            functions[text[slice(*part.name)]] = part.parts[0]
        elif _CHAINS.isdisjoint((previous, following)):
            if part.kind == "simple" and text[part.start] != "!":
                found.add(part.start)
            elif part.kind in ("group", "subshell", "redirected"):
                _collect(part, text, found, {}, may_return=may_return)
        previous = following


def _starts_of(node: Statement) -> Iterator[int]:
    """Where the commands begin in all of a text."""
    if node.kind == "simple":
        yield node.start
    for part in node.parts:
        yield from _starts_of(part)


def _is_argument(said: str, starts: list[int], at: int, functions: Container[str]) -> bool:
    """Whether a word is what another program is given, which cannot call a function."""
    place = bisect_left(starts, at)
    start = starts[place - 1] if place and starts[place - 1] < at else at
    before = _WORDS_BEFORE.match(said, start, at)
    if before is None:
        return False
    program = before["program"]
    if before["name"]:
        values = re.findall(rf"(?m)(?<![\w$]){before['name']}\+?=[\"']?([\w./-]*)", said)
        program = values[0] if len(values) == 1 else ""
    return bool(program) and program not in functions and program not in _CALLERS


def _calls(name: str, masked: str, found: set[int]) -> int:
    """How often a function is called by a command that stands alone."""
    head = re.compile(rf"{re.escape(name)}(?![\w-])")
    return sum(head.match(masked, start) is not None for start in found)


# end of module
