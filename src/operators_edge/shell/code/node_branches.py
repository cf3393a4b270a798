"""Branches of a program of Node that the words of its command leave out: ``if (!dryRun) { … }``.

``const dryRun = process.argv.includes("--dry-run")`` is known where all words of the command are. Owns
finding such names, and blanking what certainly does not run; lines keep their numbers. Whatever is not
certain stays. Does not own which words a program gets (``gate.disk.search``). Pure.
"""

from __future__ import annotations

import re

from operators_edge.shell.code.comments import BARE_JAVASCRIPT, without_comments
from operators_edge.text.patterns import blanked, pattern, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_ARGV = r"process\.argv(?:\.slice\(\s*2\s*\))?"
_LOOKS = r"(?:\.(?:slice|includes|indexOf|find|findIndex|some|every|length)\b|\[\d+\](?!\s*=(?!=)))"
_PLAIN_TEXT = r"\"(?:[^\"\\\n]|\\[\s\S])*\"|'(?:[^'\\\n]|\\[\s\S])*'"
_TEXT = pattern(rf"{_PLAIN_TEXT}|`(?:[^`\\]|\\[\s\S])*`")
_CHANGES_WORDS = pattern(
    rf"\bprocess\.argv\b(?!{_LOOKS})|=\s*process\s*(?:[;,\n]|\Z)|['\"](?:node:)?process['\"]"
    r"|\bprocess\s*\[|\bprocess\s*=(?!=)|\bargv\s*\}"
)
_CHANGES_MEANINGS = pattern(r"\b(?:globalThis|prototype|eval|Function|Reflect|Proxy|with|vm)\b")
"""What may give a program other words, or a method of a list another meaning."""
_LIST = pattern(
    r"\bconst\s+(?P<name>\w+)(?:\s*:\s*string\[\])?\s*=\s*process\.argv\.slice\(\s*2\s*\)[ \t]*(?=[;\n])"
)
_BEFORE_NAME = pattern(r"(?:\bif\s*\(|!|&&|\|\||[^=!<>]=|\?|\breturn|=>)\s*\Z")
"""Where a name is only read: anywhere else it may be another one of the same name."""
_SET_AGAIN = pattern(r"\s*(?:[-+*/%&|^?]{0,2}=(?!=)|\+\+|--|=>)")
_ENDS_FLOW = pattern(
    r"(?:return\b[^;{}\n]*|continue|break|process\.exit\([^()\n]*\)|throw\b[^;{}\n]*)[ \t]*(?:;|(?=[\n}])|\Z)"
)
_HEADS = pattern(r"(?:\}\s*)?(?:else|for|while|if|do|with|case|default|switch|try)\b")
_HOISTED = pattern(r"\bfunction\b\s*\*?\s*\w+\s*\(|\b(?:class|case|import|export)\b|\bdefault\s*:")
"""What may run although its place is not reached: functions and imports come first, a case is jumped to."""


def without_left_out(texts: Mapping[str, str], words: Collection[str]) -> dict[str, str]:
    """The files of a program, by their paths, without what does not run if its words are these."""
    codes = {path: without_comments(text, BARE_JAVASCRIPT) for path, text in texts.items()}
    plain = (re.sub(_PLAIN_TEXT, "", code) for code in codes.values())
    if any(map(_CHANGES_WORDS.search, codes.values())) or any(map(_CHANGES_MEANINGS.search, plain)):
        return dict(texts)
    return {path: _Branches(codes[path], words).left(text) for path, text in texts.items()}


class _Branches:
    """The conditions of one file that are known."""

    def __init__(self, code: str, words: Collection[str]) -> None:
        self.code = code
        self.words = words
        self.masked = _TEXT.sub(lambda one: blanked(one[0]), code)
        lists = [one["name"] for one in _LIST.finditer(code)]
        known = [one for one in lists if self._is_only_looked_at(one)]
        self.asks = rf"(?:{'|'.join([_ARGV, *known])})\.includes\(\s*['\"][\w-]+['\"]\s*\)"
        either = rf"{self.asks}(?:\s*\|\|\s*{self.asks})*"
        found = re.finditer(
            rf"\bconst\s+(\w+)(?:\s*:\s*boolean)?\s*=\s*(true|false|{either})[ \t]*(?=[;\n]|\Z)",
            code,
        )
        values = ((one[1], self._holds(one[2])) for one in found if self._is_only_read(one[1]))
        self.flags = {name: holds for name, holds in values if holds is not None}

    def left(self, text: str) -> str:
        """The text without the branches that do not run."""
        if self.masked.count("{") != self.masked.count("}"):
            return text
        for condition in re.finditer(rf"\bif\s*\(\s*(!?)\s*(\w+|{self.asks})\s*\)\s*", self.code):
            asked = condition[2]
            holds = self._holds(asked) if "(" in asked else self.flags.get(asked)
            if holds is not None and self.masked[condition.start()] == "i":
                for start, end in self._left_out(condition, holds=holds != bool(condition[1])):
                    text = without(text, start, end)
        return text

    def _holds(self, asked: str) -> bool | None:
        """Whether a word is given; None if it is not: what starts the program may hand on more words."""
        if asked in ("true", "false"):
            return asked == "true"
        return any(one in self.words for one in re.findall(r"['\"]([\w-]+)['\"]", asked)) or None

    def _places(self, name: str) -> list[re.Match[str]]:
        return list(re.finditer(rf"(?<![\w$])(?<![^.]\.){name}(?![\w$])", self.masked))

    def _is_only_looked_at(self, name: str) -> bool:
        """Whether a list is set once, and nothing can change it."""
        places = self._places(name)
        looks = [one for one in places if re.match(_LOOKS, self.masked[one.end() :])]
        return len(looks) == len(places) - 1

    def _is_only_read(self, name: str) -> bool:
        """Whether a constant is the only thing of its name."""
        declared = 0
        for one in self._places(name):
            before = self.masked[max(0, one.start() - 40) : one.start()]
            if re.search(r"\bconst\s+\Z", before):
                declared += 1
            elif not _BEFORE_NAME.search(before) or _SET_AGAIN.match(self.masked, one.end()):
                return False
        return declared == 1

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
        line = before.rpartition("\n")[2].strip()
        is_whole = line.count("(") == line.count(")") and not _HEADS.match(line)
        return "\n" in self.masked[len(before) : at] and before[-1] in ")'\"`]" and is_whole

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
