"""Literals of Node, Ruby, Perl, awk and Lua, written so that no quote in them seems to begin a string.

Other readers know plain strings and comments. A pattern (``/'/``), a text up to a word of its own
(``<<~SQL``), a long text (``[[it's]]``, ``%q(it's)``) or documentation (``=begin``) would hide from them what
follows. Texts become plain strings; in patterns quotes become dots. Lines keep their numbers. Pure.

Does not own PHP's texts (``shell.code.php_texts``), or what strings mean (``shell.code.program_values``).
"""

from __future__ import annotations

import re
import textwrap

from operators_edge.cached import lru_cache
from operators_edge.shell.code.languages import AWK, LUA, NODE, PERL, RUBY
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.shell.code.languages import Language

_STRINGS = r"'(?:[^'\\]|\\[\s\S])*'|\"(?:[^\"\\]|\\[\s\S])*\"|`(?:[^`\\]|\\[\s\S])*`"
_IN_LINE = r"'(?:[^'\\\n]|\\[\s\S])*'|\"(?:[^\"\\\n]|\\[\s\S])*\""
_ALONE = r"(?P<alone>['\"`])"
_BEFORE = pattern(r"([\w$]+|[^\w\s])\s*\Z")
_PATTERN = pattern(r"/(?![*/])((?:[^\\/\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)/[a-z]*")
_HEREDOC = r"(?P<heredoc><<(?P<kind>[~-]?)(?P<mark>[\"'`]?)(?P<end>[A-Za-z_]\w*)(?P=mark))"
_OPERATORS = r"\b(?P<op>{})\s*(?P<open>[^\w\s,;=)>])"

_TOKENS = {
    NODE: pattern(
        rf"(?P<comment>//[^\n]*|/\*[\s\S]*?\*/)|(?P<string>{_IN_LINE})|(?P<template>`)|(?P<slash>/)|{_ALONE}"
    ),
    RUBY: pattern(
        r"(?m)(?P<comment>^=begin\b[\s\S]*?(?:^=end\b[^\n]*|\Z)|^__END__$[\s\S]*|#[^\n]*)"
        rf"|{_HEREDOC}|(?P<sign>(?<![\w)\]}}'\"])\?[^\w\s](?!\w))|(?P<op>%[qQxrswWiI]?)(?P<open>[^\w\s=])"
        rf"|(?P<double>\")|(?P<string>{_STRINGS})|(?P<slash>/)|{_ALONE}"
    ),
    PERL: pattern(
        r"(?m)(?P<comment>^=[a-z]\w*\b[\s\S]*?(?:^=cut\b[^\n]*|\Z)|^__(?:END|DATA)__$[\s\S]*|(?<!\$)#[^\n]*)"
        rf"|{_HEREDOC}|(?P<sign>[$@]['\"`](?=\s*[;,)=~.]))|{_OPERATORS.format('qq|qx|qr|q|m|s|tr|y')}"
        rf"|(?P<string>{_STRINGS})|(?P<slash>/)|{_ALONE}"
    ),
    AWK: pattern(
        r"(?P<comment>#[^\n]*)|(?P<string>\"(?:[^\"\\\n]|\\.)*\")|(?P<slash>/)|(?P<alone>\")"
    ),
    LUA: pattern(
        r"(?P<comment>--\[(?P<c>=*)\[[\s\S]*?\](?P=c)\]|--[^\n]*)|\[(?P<level>=*)\[(?P<long>[\s\S]*?)\](?P=level)\]"
        rf"|(?P<string>{_IN_LINE})|{_ALONE}"
    ),
}

_MAY_HIDE = {
    NODE: pattern(r"['\"`]"),
    RUBY: pattern(r"['\"`]|<<[~-]?[A-Za-z_]|%[qQx]?[^\w\s]"),
    PERL: pattern(r"['\"`]|<<~?[A-Za-z_]|\bqx?\b"),
    AWK: pattern(r"[\"#]"),
    LUA: pattern(r"\[=*\["),
}
_BEFORE_PATTERN = frozenset("(,=:[!&|?{;~^+-*%<>")
_WORDS_BEFORE = frozenset(
    (
        *("return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do"),
        *("yield", "await", "if", "unless", "while", "until", "and", "or", "not", "when", "then"),
        *("split", "grep", "map", "puts", "print", "join"),
    )
)
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_FAR = 60
_MAX_TEXT = 200_000


@lru_cache(maxsize=64)
def plain(code: str, language: Language) -> str:
    """The code with such literals as plain strings, or without quotes; as it stands for another language."""
    tokens = _TOKENS.get(language)
    if tokens is None or len(code) > _MAX_TEXT or not _MAY_HIDE[language].search(code):
        return code
    return _Writer(code, language, tokens).write()


class _Writer:
    def __init__(self, code: str, language: Language, tokens: re.Pattern[str]) -> None:
        self.code = code
        self.language = language
        self.tokens = tokens
        self.at = 0
        self.made: list[str] = []
        self.last = ""
        """The end of what was written, without comments: an operator in one is none."""
        self.bodies: list[tuple[int, int]] = []
        """Where texts stand that begin on the line before: they are written there already."""
        self.pairs: dict[str, dict[int, int]] = {}
        """For each kind of bracket: where what one opens begins → where it ends, -1 for nowhere."""

    def write(self) -> str:
        code = self.code
        made = self.made
        while found := self.tokens.search(code, self.at):
            line_end = code.find("\n", self.at) if self.bodies else -1
            if 0 <= line_end < found.start():
                made += [code[self.at : line_end + 1], "\n" * len(self.bodies)]
                self.at = self.bodies.pop()[1]
                self.bodies.clear()
                continue
            gap = code[self.at : found.start()]
            self.last = f"{self.last}{gap}"[-_FAR:]
            text, self.at = self._written(found)
            self.last += "" if found["comment"] is not None else text[-_FAR:]
            made += [gap, text]
        rest = code[self.at :]
        if self.bodies:
            line, _, _ = rest.partition("\n")
            rest = "\n".join([line, "\n" * (len(self.bodies) - 1), code[self.bodies[-1][1] :]])
        return "".join([*made, rest])

    def _before(self) -> tuple[str, bool]:
        """The word or sign before this place, "" at the beginning; and whether white space is between.

        A word behind a dot is the name of something, whatever it is elsewhere.
        """
        found = _BEFORE.search(self.last)
        word = found[1] if found else ""
        is_name = found is not None and self.last[: found.start()].rstrip().endswith(".")
        return f".{word}" if is_name else word, self.last[-1:].isspace()

    def _written(self, found: re.Match[str]) -> tuple[str, int]:
        """What stands for a token, and where that ends."""
        groups, text = found.groupdict(), found[0]
        for kind, written in _KINDS.items():
            if groups.get(kind):
                return written(self, found)
        if groups["comment"] is not None:
            is_other = text[:1] in ("=", "_") or groups.get("c") is not None
            is_hiding = is_other or (self.language is AWK and '"' in text)
            return "\n" * text.count("\n") if is_hiding else text, found.end()
        if groups.get("long") is not None:
            return _quoted(groups["long"], '"'), found.end()
        if groups.get("sign"):
            return f"{text[:1]}.", found.end()
        return ("." if groups["alone"] else text), found.end()  # that quote ends nowhere

    def _may_begin(self, at: int) -> bool:
        """Whether a value may begin at a place, where else an operator would stand."""
        before, is_apart = self._before()
        if before in _BEFORE_PATTERN or not before or before in _WORDS_BEFORE:
            return True
        is_argument = is_apart and not self.code[at + 1 : at + 2].isspace()
        return self.language is RUBY and is_argument and before[-1:].isalpha()

    def pattern_at(self, found: re.Match[str]) -> tuple[str, int]:
        at = found.start()
        literal = _PATTERN.match(self.code, at)
        is_doubled = self.code[max(0, at - 3) : at].rstrip()[-2:] in ("++", "--")
        if literal is None or is_doubled:
            return "/", at + 1
        is_asked = self.code.startswith((".test(", ".exec("), literal.end())
        if not self._may_begin(at) and not (is_asked and self._before()[0] in (")", "}")):
            return "/", at + 1
        return literal[0].replace(literal[1], _without_quotes(literal[1])), literal.end()

    def template_at(self, found: re.Match[str]) -> tuple[str, int]:
        """A template of Node: without quotes where its values hold such texts again."""
        start = found.start()
        end, is_nested = self._end_of_template(start + 1)
        text = self.code[start:end]
        if end < 0:
            return ".", start + 1
        if not is_nested:
            return text, end
        return f"`{_without_quotes(text[1:-1])}`", end

    def _end_of_template(self, at: int) -> tuple[int, bool]:
        level, is_nested = 0, False
        while at < len(self.code):
            sign = self.code[at]
            if sign == "\\":
                at += 1
            elif self.code.startswith("${", at) and level == 0:
                level, at = 1, at + 1
            elif level and sign in "{}":
                level += 1 if sign == "{" else -1
            elif sign == "`" and level == 0:
                return at + 1, is_nested
            elif sign == "`":
                at, _ = self._end_of_template(at + 1)
                is_nested = True
                if at < 0:
                    break
                continue
            at += 1
        return -1, is_nested

    def interpolated_at(self, found: re.Match[str]) -> tuple[str, int]:
        """A text of Ruby in double quotes; those in its values become single ones."""
        start, at, level = found.start(), found.end(), 0
        made = ['"']
        while at < len(self.code):
            sign = self.code[at]
            if sign == "\\":
                made.append(self.code[at : at + 2])
                at += 2
                continue
            if self.code.startswith("#{", at) and level == 0:
                level = 1
                made.append("#{")
                at += 2
                continue
            if level and sign in "{}":
                level += 1 if sign == "{" else -1
            elif sign == '"' and level == 0:
                return "".join([*made, '"']), at + 1
            made.append("'" if sign == '"' else sign)
            at += 1
        return ".", start + 1

    def operator_at(self, found: re.Match[str]) -> tuple[str, int]:
        """``%q(…)`` of Ruby, and ``q(…)``, ``m{…}``, ``s/…/…/`` of Perl; the sign alone in another use."""
        return self._literal(found) or (found[0][:1], found.start() + 1)

    def _literal(self, found: re.Match[str]) -> tuple[str, int] | None:
        op, mark = found["op"].lstrip("%"), found["open"]
        is_ruby = self.language is RUBY
        if is_ruby and not op and not self._may_begin(found.start()):
            return None
        before, _ = self._before()
        if not is_ruby and (before in ("$", "@", "%", "&", ">", "{") or mark == "#"):
            return None
        end = self._end_of_part(found.end("open"), mark)
        if end < 0:
            return None
        body = self.code[found.end("open") : end - 1]
        if op in ("s", "tr", "y") and not is_ruby:
            begin = end
            if mark in _CLOSING:
                while self.code[begin : begin + 1].isspace():
                    begin += 1
                begin += 1
            last = self._end_of_part(begin, self.code[begin - 1 : begin])
            if last < 0:
                return None
            between, other = self.code[end - 1 : begin], self.code[begin : last - 1]
            both = f"{_without_quotes(body)}{between}{_without_quotes(other)}"
            return f"{found[0]}{both}{self.code[last - 1]}", last
        if op in ("r", "m", "qr"):
            return f"{found[0]}{_without_quotes(body)}{self.code[end - 1]}", end
        if op in _LISTS or (op and {"'", '"', "`"}.isdisjoint(body)):
            return self.code[found.start() : end], end  # other readers know it
        return _quoted(body, _QUOTES.get(op, '"')), end

    def _end_of_part(self, at: int, mark: str) -> int:
        closing, level = _CLOSING.get(mark, mark), 0
        if mark != closing and mark not in self.pairs:
            self.pairs[mark] = _pairs(self.code, mark, closing)
        if mark != closing and at in self.pairs[mark]:
            return self.pairs[mark][at]
        while at < len(self.code):
            sign = self.code[at]
            if sign == "\\":
                at += 1
            elif sign == closing and level == 0:
                return at + 1
            elif mark != closing and sign in (mark, closing):
                level += 1 if sign == mark else -1
            at += 1
        return -1

    def heredoc_at(self, found: re.Match[str]) -> tuple[str, int]:
        """``<<~SQL`` as a plain string; what it holds stands on the next lines."""
        is_marked = bool(found["kind"] or found["mark"])
        before, is_apart = self._before()
        is_value = is_apart or not (before[-1:].isalnum() or before in ("_", ")", "]"))
        begin = self.bodies[-1][1] if self.bodies else self.code.find("\n", found.end()) + 1
        ending = re.compile(rf"(?m)^[ \t]*{found['end']}[ \t]*$").search(self.code, begin)
        if not (is_marked or found["end"][0].isupper()) or not is_value or not begin or not ending:
            return "<<", found.start() + 2
        body = self.code[begin : ending.start()]
        self.bodies.append((begin, min(len(self.code), ending.end() + 1)))
        text = textwrap.dedent(body) if found["kind"] == "~" else body
        return _quoted(text, found["mark"] or '"'), found.end()


def _pairs(code: str, opening: str, closing: str) -> dict[int, int]:
    """In one go, as each may stand within thousands of others."""
    opened: list[int] = []
    pairs: dict[int, int] = {}
    for found in re.finditer(rf"(?s)\\.|[{re.escape(opening + closing)}]", code):
        if found[0] == opening:
            opened.append(found.end())
        elif found[0] == closing and opened:
            pairs[opened.pop()] = found.end()
    return pairs | dict.fromkeys(opened, -1)


_LISTS = ("w", "W", "i", "I")
_LOUD = pattern(r"['\"`#]|//|/\*")
_QUOTES = {"q": "'", "s": "'", "x": "`", "qx": "`"}


def _quoted(text: str, quote: str) -> str:
    escaped = re.sub(rf"\\?{quote}", lambda _: f"\\{quote}", text)
    return f"{quote}{escaped}{quote}"


def _without_quotes(text: str) -> str:
    """A pattern in which nothing seems to begin a string or a comment, of the same length."""
    return re.sub(r"['\"`#\\/*]", ".", text) if _LOUD.search(text) else text


_KINDS = {
    "slash": _Writer.pattern_at,
    "template": _Writer.template_at,
    "double": _Writer.interpolated_at,
    "heredoc": _Writer.heredoc_at,
    "op": _Writer.operator_at,
}


# end of module
