"""Branches of a program of Node that the words of its command leave out: ``if (!dryRun) { … }``.

``const dryRun = process.argv.includes("--dry-run")`` is known where all words of the command are. Owns
finding such names, and blanking what certainly does not run; lines keep their numbers. Whatever is not
certain stays. Does not own which words a program gets (``gate.disk.search``). Pure.
"""

from __future__ import annotations

import posixpath
import re

from operators_edge.shell.code.javascript_layers import (
    Layers,
    enclosing,
    ends_clause,
    layers,
    opens_block,
)
from operators_edge.text.patterns import pattern, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, KeysView, Mapping

_ARGV = r"process\.argv(?:\.slice\(\s*2\s*\))?"
_LOOK = pattern(
    r"\.(?:slice|includes|indexOf|join)\(|\.(?:find|findIndex|some|every)\(\s*(?:\(\s*\w+\s*\)|\w+)\s*=>"
    r"|(?P<part>\.length\b|\[\d+\])"
)
"""What reads a list of words. A function that looks at each one gets no more than that one."""
_SETS = r"(?:[-+*/%&|^?]{0,2}|<<|>>>?)=(?![=>])|\+\+|--"
_SETS_PART = pattern(rf"[\s)]*(?:{_SETS}|of\b|in\b)")
_PROCESS = pattern(r"(?<![\w$])process(?![\w$])")
_PLAIN_USE = pattern(r"\.(?!argv\b|binding\b|mainModule\b|reallyExit\b|exit\b(?!\s*\()|_)\w+\b")
_METHOD_OF_OTHER = pattern(r"(?<!\.)\.\Z")
_CHANGES_MEANINGS = pattern(
    r"\b(?:global|globalThis|prototype|eval|Function|Reflect|Proxy|vm|getPrototypeOf|setPrototypeOf"
    r"|definePropert(?:y|ies)|with\s*\()\b|__proto__|\.\s*(?:constructor|if)\b|\\u|(?m:^)\s*-->|\[\s*\+"
    r"|\.\s*require\b|\bcreateRequire\b"
)
"""What may give a program other words, a method of a list another meaning, or code that is not read."""
_NAMES_IN_TEXTS = pattern(
    r"(['\"`])(?:(?:node:)?(?:process|vm|module)|argv|prototype|__proto__|constructor|includes|if)\1"
)
_LOADS = pattern(
    r"(?<![\w$.])(?:(?:require|import)\b(?:\((['\"])(?P<called>[^'\"\n]+)\1\)|\s*['\"](?P<alone>[^'\"\n]+)"
    r"|(?P<unknown>\s*(?!\.meta)[^\w\s{*$]|(?<=require)))|from\s*['\"](?P<named>[^'\"\n]+))"
)
"""What loads a module, by its name or by what is not known."""
_OWN_ENDINGS = (
    ".js",
    ".cjs",
    ".mjs",
    ".ts",
    ".cts",
    ".mts",
    "/index.js",
    "/index.ts",
    "/index.mjs",
)
_ENDS = r"(?=[ \t]*;|[ \t]*\n\s*(?!(?:in|instanceof)\b)[\w$}]|\s*\Z)"
"""The end of a statement: the next line does not go on with it."""
_LIST = pattern(
    rf"\bconst\s+(?P<name>\w+)(?:\s*:\s*string\[\])?\s*=\s*process\.argv\.slice\(\s*2\s*\){_ENDS}"
)
_BEFORE_NAME = pattern(r"(?:\bif\s*\(|!|&&|\|\||[^=!<>]=|\?|\breturn|=>)\s*\Z")
"""Where a name is only read: anywhere else it may be another one of the same name."""
_SET_AGAIN = pattern(rf"\s*(?:{_SETS}|=>)")
_BEGINS_STATEMENT = pattern(r"(?:\A|[;{}]|\n|\bexport)\s*\Z")
_IF = pattern(r"(?<![\w$])if\s*\(")
_ENDS_FLOW = pattern(
    r"(?:return\b[^;{}\n]*|continue|break|process\.exit\([^()\n]*\)|throw\b[^;{}\n]*)[ \t]*(?:;|(?=[\n}])|\Z)"
)
_HEADS = pattern(r"(?:\}\s*)?(?:else|for|while|if|do|with|case|default|switch|try)\b")
_HOISTED = pattern(
    r"\bfunction\b\s*\*?\s*[\w$]+\s*\(|\b(?:class|case|import|export)\b|\bdefault\s*:"
)
"""What may run although its place is not reached: functions and imports come first, a case is jumped to."""


def without_left_out(texts: Mapping[str, str], words: Collection[str]) -> dict[str, str]:
    """The files of a program, by their paths, without what does not run if its words are these."""
    read = {path: layers(text) for path, text in texts.items()}
    known = {path: one for path, one in read.items() if one is not None and _keeps_words(one)}
    if len(known) < len(texts) or not all(
        _loads_known(*one, known.keys()) for one in known.items()
    ):
        return dict(texts)
    return {path: _Branches(known[path], words).left(text) for path, text in texts.items()}


def _keeps_words(file: Layers) -> bool:
    """Whether a file certainly changes neither the words of its program nor what is asked about them."""
    if _CHANGES_MEANINGS.search(file.bare) or _NAMES_IN_TEXTS.search(file.code):
        return False
    return all(_is_plain(file.bare, one) for one in _PROCESS.finditer(file.bare))


def _loads_known(path: str, file: Layers, texts: KeysView[str]) -> bool:
    """Whether a file loads no others of the project than these."""
    for one in _LOADS.finditer(file.code):
        name = one["called"] or one["alone"] or one["named"]
        if file.bare[one.start()].isspace():
            continue  # in a text
        if not name or name[0] in "#/" or name.startswith("file:"):
            return False
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        places = (place, *(f"{place}{ending}" for ending in _OWN_ENDINGS))
        if name[0] == "." and not name.endswith(".json") and texts.isdisjoint(places):
            return False
    return True


def _is_plain(bare: str, process: re.Match[str]) -> bool:
    """Whether a place only asks a process for something, or is a method of that name."""
    start, end = process.span()
    if _METHOD_OF_OTHER.search(bare, max(0, start - 2), start):
        return bare[end : end + 1] == "("
    if bare.startswith(".argv", end):
        return _is_look(bare, start, end + len(".argv"))
    return _PLAIN_USE.match(bare, end) is not None


def _is_look(bare: str, start: int, end: int) -> bool:
    """Whether what is behind a list only reads it."""
    look = _LOOK.match(bare, end)
    before = bare[max(0, start - 40) : start].rstrip(" \t\n(")
    if look is None or before.endswith(("delete", "++", "--")):
        return False
    is_changed = before.endswith(("[", "{", ",", ":")) or _SETS_PART.match(bare, look.end())
    return not (look["part"] and is_changed)


class _Branches:
    """The conditions of one file that are known."""

    def __init__(self, file: Layers, words: Collection[str]) -> None:
        self.code, self.bare, self.masked = file
        self.words = words
        self.around = enclosing(self.masked)
        lists = [one for one in _LIST.finditer(self.code) if self._is_declared(one)]
        known = [one["name"] for one in lists if self._is_only_looked_at(one)]
        self.asks = rf"(?:{'|'.join([_ARGV, *known])})\.includes\(\s*['\"][\w-]+['\"]\s*\)"
        either = rf"{self.asks}(?:\s*\|\|\s*{self.asks})*"
        found = re.finditer(
            rf"\bconst\s+(?P<name>\w+)(?:\s*:\s*boolean)?\s*=\s*(true|false|{either}){_ENDS}",
            self.code,
        )
        flags = (one for one in found if self._is_declared(one) and self._is_only_read(one))
        values = ((one["name"], self._holds(one[2])) for one in flags)
        self.flags = {name: holds for name, holds in values if holds is not None}

    def left(self, text: str) -> str:
        """The text without the branches that do not run."""
        if self.masked.count("{") != self.masked.count("}") or not self._has_plain_conditions():
            return text
        for condition in re.finditer(rf"\bif\s*\(\s*(!?)\s*(\w+|{self.asks})\s*\)\s*", self.code):
            asked = condition[2]
            holds = self._holds(asked) if "(" in asked else self.flags.get(asked)
            if holds is not None and self.masked[condition.start()] == "i":
                for start, end in self._left_out(condition, holds=holds != bool(condition[1])):
                    text = without(text, start, end)
        return text

    def _has_plain_conditions(self) -> bool:
        """Whether no ``if`` is a method: it would be called as any other one."""
        braces = {self.around[one.start()] for one in _IF.finditer(self.masked)}
        return all(opens_block(self.masked, one) for one in braces)

    def _is_declared(self, one: re.Match[str]) -> bool:
        """Whether a statement declares a constant, for the block that it is in."""
        start = one.start()
        opened = self.around[start]
        before = self.masked[opened + 1 : start]
        is_code = self.masked.startswith("const", start) and before.count("(") == before.count(")")
        return is_code and _BEGINS_STATEMENT.search(self.masked, 0, start) is not None

    def _holds(self, asked: str) -> bool | None:
        """Whether a word is given; None if it is not: what starts the program may hand on more words."""
        if asked in ("true", "false"):
            return asked == "true"
        return any(one in self.words for one in re.findall(r"['\"]([\w-]+)['\"]", asked)) or None

    def _places(self, declared: re.Match[str]) -> list[re.Match[str]] | None:
        """Where else the name of a constant is; None if that is also outside of its block."""
        name, opened = declared["name"], self.around[declared.start()]
        sought = re.compile(rf"(?<![\w$])(?<![^.]\.){name}(?![\w$])")
        places = [
            one for one in sought.finditer(self.bare) if one.start() != declared.start("name")
        ]
        closed = self._closing(opened) if opened >= 0 else len(self.masked)
        return places if all(opened < one.start() < closed for one in places) else None

    def _is_only_looked_at(self, declared: re.Match[str]) -> bool:
        """Whether a list is set once, and nothing can change it."""
        places = self._places(declared)
        return places is not None and all(_is_look(self.bare, *one.span()) for one in places)

    def _is_only_read(self, declared: re.Match[str]) -> bool:
        """Whether a constant is the only thing of its name."""
        places = self._places(declared)
        return places is not None and not any(
            not _BEFORE_NAME.search(self.bare[max(0, one.start() - 40) : one.start()])
            or _SET_AGAIN.match(self.bare, one.end())
            for one in places
        )

    def _left_out(self, condition: re.Match[str], *, holds: bool) -> list[tuple[int, int]]:
        """The parts of a text that a condition leaves out."""
        start = condition.end()
        if self.masked[start : start + 1] == "{":
            end = self._closing(start) + 1
            inside = (start + 1, end - 1)
        elif _HEADS.match(self.masked, start):
            return []
        else:
            end = self._end_of_statement(start)
            inside = (start, end)
        if not holds:
            return [inside]
        found = []
        otherwise = re.compile(r"\s*else\s*(?=\{)").match(self.masked, end)
        if otherwise:
            found.append((otherwise.end() + 1, self._closing(otherwise.end())))
            end = found[0][1] + 1
        if self._begins(condition.start()) and self._ends_flow(*inside):
            last = self._closing(end, level=1)
            if not _HOISTED.search(self.masked, end, last):
                found.append((end, last))
        return found

    def _closing(self, at: int, level: int = 0) -> int:
        """Where the brace is closed that is opened here, or around it; the end if there is none."""
        for here in range(at, len(self.masked)):
            level += (self.masked[here] == "{") - (self.masked[here] == "}")
            if level == 0:
                return here
        return len(self.masked)

    def _end_of_statement(self, at: int) -> int:
        level = 0
        for here in range(at, len(self.masked)):
            sign = self.masked[here]
            level += (sign in "([{") - (sign in ")]}")
            if level < 0 or (level == 0 and sign in ";\n"):
                return here
        return len(self.masked)

    def _begins(self, at: int) -> bool:
        """Whether a statement begins here that stands in a block for itself."""
        before = self.masked[:at].rstrip()
        if not before or before[-1] in "{};":
            return True
        if "\n" not in self.masked[len(before) : at] or before[-1] not in ")]":
            return False
        return before[-1] == "]" or not ends_clause(before)

    def _ends_flow(self, start: int, end: int) -> bool:
        """Whether the last statement of a block certainly leaves what is around it."""
        inside = self.masked[start:end].rstrip()
        for one in _ENDS_FLOW.finditer(inside):
            at = start + one.start()
            level = self.masked.count("{", start, at) - self.masked.count("}", start, at)
            if one.end() == len(inside) and level == 0:
                return at == start or self._begins(at)
        return False


# end of module
