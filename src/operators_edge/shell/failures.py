"""Which commands of a script end it if they fail, once ``set -e`` has run; what runs when it has ended.

Those that stand alone: outside of all conditions, chains and loops, in a group or a subshell of which the
same holds, or in a function that is only called so. Owns where they begin, and what traps wait for. Does not
own whether ``set -e`` has run (``gate.own.line_order``).
"""

from __future__ import annotations

import re
from functools import lru_cache

from operators_edge.shell.grammar import ParseError, read_statements
from operators_edge.shell.quoting import mask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.shell.grammar import Statement

_MOVES = re.compile(r"(?<![\w-])(?:cd|chdir|pushd|popd)(?![\w-])")
_SETS = re.compile(r"set[ \t]+(?:-\w+[ \t]+)*-(?:\w*e|\w*o[ \t]+errexit)")
_UNSETS = re.compile(r"\bset[ \t]+(?:\S+[ \t]+)*\+|\bshopt\b|\beval\b|\$-")
_CHAINS = frozenset(("&&", "||", "&"))
_AT_END = re.compile(
    r"trap[ \t]+(?:--[ \t]+)?\S+(?:[ \t]+(?:0|(?:SIG)?(?:EXIT|INT|TERM|HUP|QUIT)))+\s*"
)
_TRAP = re.compile(r"(?<![\w-])trap(?![\w-])")
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
    before = -1
    while before != len(found):
        before = len(found)
        for name, body in list(functions.items()):
            calls = _calls(name, masked.masked, found)
            if calls and calls + 1 == len(
                re.findall(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)
            ):
                del functions[name]
                _collect(body, text, found, {})
    return frozenset(found)


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


def _collect(node: Statement, text: str, found: set[int], functions: dict[str, Statement]) -> None:
    """Add the commands of a list that stand alone, and note the functions that it defines."""
    if node.kind in ("group", "subshell", "redirected"):
        _collect(node.parts[0], text, found, functions)
    if node.kind != "list":
        return
    previous = ""
    for part, following in zip(node.parts, node.operators, strict=True):
        if part.kind == "function":
            functions[text[slice(*part.name)]] = part.parts[0]
        elif _CHAINS.isdisjoint((previous, following)):
            if part.kind == "simple" and text[part.start] != "!":
                found.add(part.start)
            elif part.kind in ("group", "subshell", "redirected"):
                _collect(part, text, found, {})
        previous = following


def _calls(name: str, masked: str, found: set[int]) -> int:
    """How often a function is called by a command that stands alone."""
    head = re.compile(rf"{re.escape(name)}(?![\w-])")
    return sum(head.match(masked, start) is not None for start in found)


# end of module
