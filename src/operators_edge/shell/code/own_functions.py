"""Functions of a program that hand what they are given to a call, as in ``run = c => execSync(c)``.

Pure; reads the text, not the tokens. Does not own which calls count (``shell.code.languages``), nor Python's
functions (``shell.code.python.code``).
"""

from __future__ import annotations

import re
from itertools import islice

from operators_edge.shell.code.languages import CALLS, NODE, PERL, PHP, RUBY
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.shell.code.languages import Language

_MAX_BODY = 600
"""Signs of a function that are read behind its first line's beginning."""
_MAX_FUNCTIONS = 2_000
"""Definitions that are looked at."""

_DEFINED = {
    NODE: pattern(
        r"\bfunction\s+(?P<name>\w+)\s*\((?P<given>[^()]{0,200})\)"
        r"|\b(?P<set>\w+)\s*=\s*(?:async\s*)?(?:function\s*\w*\s*)?"
        r"(?:\((?P<taken>[^()]{0,200})\)|(?P<one>\w+))\s*(?:=>|\{)"
    ),
    PHP: pattern(r"\bfunction\s+(?P<name>\w+)\s*\((?P<given>[^()]{0,200})\)"),
    RUBY: pattern(r"\bdef\s+(?:self\.)?(?P<name>\w+)[ \t(](?P<given>[^()\n]{1,200})"),
    PERL: pattern(
        r"\bsub\s+(?P<name>\w+)\s*\{\s*(?:my\s*\(?(?P<given>[^()=;]{1,200})\)?\s*=\s*(?:@_|shift)|(?=[^}]*@_))"
    ),
}
_PROMISED = pattern(r"\b(\w+)\s*=\s*(?:\w+\.)?promisify\(\s*([\w.]+)\s*\)")
_GIVEN = (
    r"(?P<call>[A-Za-z_][\w.:]*)\s*[(\s]\s*"
    r"(?:(?P<quote>['\"])(?P<program>[\w./-]+)(?P=quote)\s*,\s*)?(?:\[?\s*(?:\.\.\.|\*)|@)?[$]?"
    r"(?P<joins>\b(?:(?:path|File)\.)?join\(\s*)?"
)
_BELOW = pattern(r"\s*,\s*(['\"])([\w./-]+)\1\s*\)")


class OwnFunction(NamedTuple):
    """The call that gets the first argument; ``takes_words``: that is a program, the others its words.

    ``program`` is one that the call gets before the words: ``git = (args) => spawnSync("git", args)``;
    ``below`` is what it deletes in the folder that is given: ``dir => rmSync(join(dir, "x"))``.
    """

    call: str
    takes_words: bool = False
    program: str = ""
    below: str = ""


def found(code: str, language: Language, is_known: Callable[[str], bool]) -> dict[str, OwnFunction]:
    """The functions by their names; ``is_known`` says of a call whether it counts."""
    defined = _DEFINED.get(language)
    if defined is None:
        return {}
    functions: dict[str, OwnFunction] = {}
    for match in islice(defined.finditer(code), _MAX_FUNCTIONS):
        groups = match.groupdict()
        given = groups.get("given") or groups.get("taken") or groups.get("one") or ""
        if one := _called(code[match.end() : match.end() + _MAX_BODY], given, is_known):
            functions.setdefault(str(groups["name"] or groups.get("set")), one)
    if language is NODE:
        functions |= {
            name: OwnFunction(call) for name, call in _PROMISED.findall(code) if is_known(call)
        }
    return functions


def _called(body: str, given: str, is_known: Callable[[str], bool]) -> OwnFunction | None:
    """The call in a function that gets its first argument."""
    names = re.findall(r"(\.\.\.|\*)?[$@]?([A-Za-z_]\w*)\s*(?=[,=:)\n]|\Z)", given) or [("", "_")]
    is_spread, first = names[0]
    if re.search(rf"\b{first}\b", body) is None:
        return None  # quicker than what follows
    for match in re.finditer(rf"{_GIVEN}{first}\b(?!\s*[.\[(]\s*(?:log|length))", body):
        if is_known(match["call"]):
            if match["program"]:
                return OwnFunction(match["call"], is_spread != "", match["program"])
            rest = body[match.end() : match.end() + 40]
            if match["joins"]:
                if not CALLS.get(match["call"].rpartition(".")[2], "").startswith("delete"):
                    continue
                below = _BELOW.match(rest)
                return OwnFunction(match["call"], below=below[2] if below else HOLE)
            is_first = is_spread and re.match(r"\s*\[\s*0\s*\]|\s*\.shift", rest)
            return OwnFunction(match["call"], bool(is_first) or _takes_rest(names[1:], rest))
    return None


def _takes_rest(others: list[tuple[str, str]], rest: str) -> bool:
    """Whether the call gets all further arguments, too: ``(c, ...args) => spawnSync(c, args)``."""
    if not others or not others[-1][0]:
        return False
    named = "|".join(re.escape(name) for _, name in others)
    return re.match(rf"\s*,\s*\[?\s*(?:\.\.\.|\*)?(?:{named})\b", rest) is not None


# end of module
