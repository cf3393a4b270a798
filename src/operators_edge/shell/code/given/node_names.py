"""Where names of Node's code are declared, set and read, and whether its words stay as they are.

Owns finding the uses of a name in a file, telling reads of a list from what may change it, and imports. Does
not own what a name stands for (``given.node``). Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache

from operators_edge.shell.code.given import masks
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.shell.code.given.masks import Code

_ELSEWHERE = pattern(
    r"\b(?:globalThis|global)\b(?!\s*\.\s*\w)|\beval\s*\(|\bFunction\s*\(|\.\s*constructor\b|\bReflect\.|\bwith\s*\(|\bdefinePropert"
    r"|\bvm\.|\.\s*prototype\b|\bprocess\.(?:exit|argv)\s*=(?!=)"
    r"|(?<!import process from )['\"`](?:node:)?process['\"`]"
)
"""What may change anything under another name."""
_LIST_USE = pattern(
    r"\s*(?:\??\.\s*(?:slice|includes|indexOf|lastIndexOf|at|join|concat)\(|\??\.\s*length\b(?!\s*[-+*/]?=(?!=))"
    r"|\??\.\s*(?:some|find|filter|map|every|findIndex|forEach)\(\s*(?:async\s*)?(?:\(\s*\w+\s*(?::\s*\w+\s*)?\)|\w+)\s*=>"
    r"|\[\s*\d+\s*\](?!\s*(?:[-+*/|&?]{0,3}=(?![=>])|\+\+|--)))"
)
_HANDED = pattern(
    r"(?:\b(?:hideBin|parse|parseAsync|parseSync|minimist|mri|yargs|meow|String|stringify|log|info|debug|isArray|from)"
    r"\(\s*(?:\[\s*\.\.\.)?|\b(?:const|let|var)\s+(?:[\w$]+|\[[^\]\n]*\])\s*=\s*|\bof\s+)\Z"
)
_ANOTHER_NAME = pattern(
    r"\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:process\.argv|Deno\.args|Bun\.argv)\b(?!\s*[.\[?])"
)
_ENVIRONMENT_USE = pattern(
    r"(?:\.\.\.\s*|\benv\s*:\s*|\}\s*=\s*)process\.env\b|process\.env\s*(?:\??\.\s*\w|\[\s*['\"])"
)
_WRITES = pattern(r"\s*(?:=(?![=>])|(?:\*\*|&&|\|\||\?\?|[-+*/%&|^]|<<|>>>?)=(?!=)|\+\+|--|=>)")
_DECLARED = pattern(
    r"(?:\b(?:const|let|var|function\s*\*?|class|import|enum|namespace|async)\s+|\+\+|--|\bfunction\s*\*\s*)\Z"
)
_HEADED = pattern(r"(?<![.\w$])(?:if|while|for|switch|with|await)\s*\Z")
_BLOCK = pattern(r"(?:\)|=>|\b(?:else|try|finally|do|static)|[;{}]|\)\s*:\s*[^;(){}=]{1,80})\s*\Z")
_GOES_ON = pattern(r"\s*(?:\.(?!\.)|\?|:|&&|\|\||[+*=)\]])")
_OPEN_END = pattern(r"(?:[=(,?:&|+\[{<]|=>|\bawait)\s*\Z")
_IMPORT = pattern(
    r"\bimport\s+(?:type\s+)?(?P<names>[^'\"();=]{1,300}?)\s+from\s*['\"](?:node:)?(?P<module>[^'\"\n]+)['\"]"
    r"|\b(?:const|let|var)\s+(?P<bound>\w+|\{[^{}]*\})\s*=\s*require\(\s*['\"](?:node:)?(?P<required>[^'\"\n]+)['\"]\s*\)"
)
DECLARATION = pattern(r"\s*(?::[^=;\n(){}]{1,80}|:\s*\{[^{}=;]*\})?\s*=(?![=>])\s*")
NEAR = 200
_WHOLE_NAME = pattern(
    r"(?P<before>(?<!\.\.)\.)?(?:\s{0,8})(?<![\w$])(?P<name>[A-Za-z_$][\w$]*)(?=(?P<after>\s*:(?!:))?)"
)


def scope(code: Code, at: int) -> tuple[int, int]:
    """The block in which a name that is declared at a place holds: not the pattern around it."""
    for opened in code.enclosing(at):
        is_pattern = DECLARATION.match(code.mask, code.pairs[opened] + 1)
        is_nested = re.search(r":\s*\Z", code.mask[max(0, opened - NEAR) : opened])
        if code.mask[opened] == "{" and not (is_pattern or is_nested):
            return opened + 1, code.pairs[opened]
    return 0, len(code.mask)


def is_plain(code: Code) -> bool:
    """Whether nothing in a file may change ``process.argv``, under this name or another."""
    if _ELSEWHERE.search(code.bare):
        return False
    for one in re.finditer(r"\bprocess\b", code.bare):
        if _is_in_text(code.text, code.mask, one.start()):
            continue
        before, after = code.bare[max(0, one.start() - 40) : one.start()], code.bare[one.end() :]
        if not re.match(r"\s*\??\.\s*\w", after[:20]) and not re.search(
            r"\b(?:import|const)\s+\Z", before
        ):
            return False
    lists = [
        *re.finditer(r"\bprocess\s*\??\.\s*argv\b", code.bare),
        *re.finditer(r"\b(?:Deno\.args|Bun\.argv)\b", code.bare),
    ]
    names = dict.fromkeys(_ANOTHER_NAME.findall(code.bare))
    others = [use for name in names for use in uses(code, name) if not binds(code, *use)]
    return all(is_list_use(code, *one) for one in (*(one.span() for one in lists), *others))


def is_list_use(code: Code, start: int, end: int) -> bool:
    """Whether a list is only read at a place, or handed to what only reads it."""
    if _LIST_USE.match(code.bare, end):
        return True
    before, after = code.bare[max(0, start - 60) : start], code.bare[end : end + 40]
    return (
        _HANDED.search(before) is not None
        and re.match(r"\s*[\]),;}]|\s*\n|\s*\Z", after) is not None
    )


def uses_variables_plainly(whole: str) -> bool:
    plain = len(_ENVIRONMENT_USE.findall(whole))
    return plain >= len(re.findall(r"\bprocess\.env\b", whole))


def _is_in_text(text: str, mask: str, at: int) -> bool:
    """Whether a place is in a text, and not in a value that is put into it."""
    if mask[at] != " ":
        return False
    start = mask.rfind('"', 0, at)
    return text[start] != "`" or masks.is_literal(text, start, at)


def uses(code: Code, name: str) -> list[tuple[int, int]]:
    """Where a name stands, but not as that of a property, or in a text."""
    return _names_in(code.text, code.bare, code.mask).get(name, [])


@lru_cache(maxsize=64)
def _names_in(text: str, bare: str, mask: str) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for one in _WHOLE_NAME.finditer(bare):
        is_property = one["before"] == "."
        is_key = one["after"] and bare[: one.start("name")].rstrip()[-1:] in "{,"
        if not is_property and not is_key and not _is_in_text(text, mask, one.start("name")):
            found.setdefault(one["name"], []).append(one.span("name"))
    return found


def binds(code: Code, start: int, end: int) -> bool:
    """Whether a name is declared or set at a place."""
    after, before = code.bare[end : end + 80], code.mask[max(0, start - 60) : start]
    is_looped = re.search(r"\bfor\s*(?:await\s*)?\(\s*\Z", before) and re.match(
        r"\s+(?:of|in)\b", after
    )
    if is_looped or _WRITES.match(after) or _DECLARED.search(before):
        return True
    for opened in code.enclosing(start):
        tail = code.mask[code.pairs[opened] + 1 :][:120]
        head = code.mask[max(0, opened - 120) : opened]
        if code.mask[opened] == "(":
            is_body = re.match(r"\s*(?::[^;(){}=]{1,80})?(?:=>|\{)", tail)
            if is_body and not _HEADED.search(head):
                return True
        elif re.match(r"\s*(?::[^=;(){}]{1,80})?=(?![=>])|\s+(?:of|in)\b", tail):
            return True
        elif code.mask[opened] == "{" and _BLOCK.search(head):
            return False
    return False


def end_of_value(code: Code, at: int) -> int:
    """Where the expression at a place ends."""
    start = at
    while at < len(code.mask):
        mark = code.mask[at]
        if mark in ";)]}," and at > start:
            return at
        if mark == "\n" and code.mask[start:at].strip():
            rest = code.mask[at:]
            if not _GOES_ON.match(rest) and not _OPEN_END.search(
                code.mask[max(start, at - 20) : at]
            ):
                return at
        at = code.pairs.get(at, at) + 1
    return at


def imports(code: Code) -> Iterator[tuple[str, tuple[str, str]]]:
    """The names that a file has from modules: the module, and the name there, or "" for the module itself."""
    for one in _IMPORT.finditer(code.bare):
        module = one["module"] or one["required"]
        names = one["names"] or one["bound"]
        braces = re.search(r"\{([^{}]*)\}", names)
        for part in braces[1].split(",") if braces else ():
            own = re.split(r"\s+as\s+|\s*:\s*", part.strip().removeprefix("type "))
            yield own[-1], (module, own[0])
        for part in re.sub(r"\{[^{}]*\}", "", names).split(","):
            name = re.sub(r"^\*\s*as\s+", "", part.strip())
            if name.isidentifier():
                yield name, (module, "")


# end of module
