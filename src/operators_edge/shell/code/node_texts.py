"""The texts that an expression of Node may come to, by what its settings and their modules declare.

``process.env.BASE_URL ?? hosts.local``, ``"https://" + host``, ``baseUrl()``: Owns reading these, and when
nothing is certain. Pure. Does not own where such an expression stands (``gate.disk.browser_suites``), nor
programs as a whole (``shell.code.programs``).
"""

from __future__ import annotations

import re

from operators_edge.shell.code.bracketed import upto
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_TEXT = pattern(r"'([^'\\\n]*)'|\"([^\"\\\n]*)\"|`([^`\\]*)`")
_ENV = pattern(
    r"(?:process\.env|import\.meta\.env|Bun\.env)(?:\??\.(\w+)|\[\s*['\"](\w+)['\"]\s*\])"
    r"|Cypress\.env\(\s*['\"](\w+)['\"]\s*\)|Deno\.env\.get\(\s*['\"](\w+)['\"]\s*\)"
)
_NAME = pattern(r"[A-Za-z_$][\w$]*")
_MEMBER = pattern(
    r"(?P<of>[A-Za-z_$][\w$]*)(?:\??\.(?P<key>\w+)|\[(?P<computed>.+)\])\Z", re.DOTALL
)
_CALL = pattern(r"(?P<name>[A-Za-z_$][\w$]*)\(\s*\)\Z")
_AS_TEXT = pattern(r"(?:\.(?:trim|toString|valueOf)\(\)|\.href|!|\s+as\s+(?:string|const))\Z")
_SET = pattern(
    r"(?m)(?:\b(?:const|let|var)\s+|^[ \t]*|[;{]\s*)(?P<name>[A-Za-z_$][\w$]*)"
    r"(?:\s*:\s*[\w<>|, \[\]'\"]+?)?\s*=(?![=>])\s*"
)
_FUNCTION = (
    r"\bfunction\s+{name}\s*\(\s*\)[^{{\n]*\{{"
    r"|\b(?:const|let|var)\s+{name}\s*=\s*(?:async\s*)?\(\s*\)[^=\n]*=>\s*(?:\{{)?"
)
_SETS_ENV = pattern(
    r"\bprocess\.env(?:\.(?P<name>\w+)|\[\s*['\"](?P<key>\w+)['\"]\s*\])\s*(?P<only>\|\||\?\?)?=(?![=>])\s*"
)
_RETURNS = pattern(r"\breturn\s+")
_TEST = pattern(r"(?P<left>[^=!<>]+?)\s*(?P<sign>[!=]==?)\s*(?P<right>[^=!<>&|]+)\Z")
_GOES_ON = pattern(r"\s*\n\s*(?=\|\||\?\?|[?:+.](?!\.\.)|&&)")
_ENDS_OPEN = pattern(r"(?:\|\||\?\?|[?:+=(,]|&&)\s*\Z")
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_MAX_DEPTH = 8
_MAX_EXPRESSION = 2_000


def expression_at(code: str, at: int) -> str:
    """The expression that begins at a place, also over several lines."""
    end = start = at
    while end < len(code) and end - start < _MAX_EXPRESSION:
        sign = code[end]
        text = _TEXT.match(code, end)
        if text is not None:
            end = text.end()
        elif sign in _PAIRS:
            end += len(upto(code, _PAIRS[sign], end + 1)) + 2
        elif sign in ",;)]}" or (
            sign == "\n"
            and not _GOES_ON.match(code, end)
            and not _ENDS_OPEN.search(code[start:end])
        ):
            break
        else:
            end += 1
    return code[start:end].strip()


class Texts:
    """What the names of some code stand for, with the variables that are ``known``."""

    def __init__(self, code: str, known: Mapping[str, str]) -> None:
        self.code = code
        self.known = dict(known)
        self.declared: dict[str, list[str]] = {}
        for one in _SET.finditer(code):
            value = expression_at(code, one.end())
            self.declared.setdefault(one["name"], []).append(value)
        for one in _SETS_ENV.finditer(code):
            self._note_variable(one)

    def _note_variable(self, found: re.Match[str]) -> None:
        """``process.env.BASE_URL ??= "https://…"``: the last of several counts."""
        name = found["name"] or found["key"]
        values = self.of(expression_at(self.code, found.end()))
        if values and not (found["only"] and self.known.get(name)):
            self.known[name] = values[-1]

    def of(self, expression: str, depth: int = 0) -> list[str] | None:
        """The texts that an expression may be: none for a variable that is not set, None if nobody knows."""
        expression = _plain(expression)
        if depth > _MAX_DEPTH or not expression:
            return None
        parts = _split(expression, "?")
        if len(parts) > 1:
            return self._chosen(expression, depth)
        for sign in ("||", "??"):
            parts = _split(expression, sign)
            if len(parts) > 1:
                return self._first(parts, depth)
        parts = _split(expression, "+")
        if len(parts) > 1:
            return self._joined(parts, depth)
        return self._simple(expression, depth)

    def _simple(self, expression: str, depth: int) -> list[str] | None:
        text = _TEXT.fullmatch(expression)
        if text is not None:
            return self._template(text[3], depth) if text[3] else ["".join(text.groups(""))]
        variable = _ENV.fullmatch(expression)
        if variable is not None:
            value = self.known.get("".join(variable.groups("")))
            return [value] if value else []
        if _NAME.fullmatch(expression):
            return self._union(self.declared.get(expression, []), depth)
        member, call = _MEMBER.match(expression), _CALL.match(expression)
        if call is not None:
            return self._union(list(self._returned(call["name"])), depth)
        return self._of_table(member, depth) if member is not None else None

    def _union(self, expressions: list[str], depth: int) -> list[str] | None:
        found = [self.of(one, depth + 1) for one in expressions]
        return None if not found or None in found else [each for one in found for each in one or ()]

    def _first(self, parts: list[str], depth: int) -> list[str] | None:
        """The first of several that is something."""
        for part in parts:
            found = self.of(part, depth + 1)
            if found is None or any(found):
                return found
        return []

    def _chosen(self, expression: str, depth: int) -> list[str] | None:
        test, rest = _split(expression, "?", 1)
        ways = _split(rest, ":", 1)
        if len(ways) < 2:
            return None
        is_true = self._is_true(_plain(test), depth)
        if is_true is None:
            return self._union(ways, depth)
        return self.of(ways[0] if is_true else ways[1], depth + 1)

    def _is_true(self, test: str, depth: int) -> bool | None:
        if test[:1] == "!":
            is_true = self._is_true(_plain(test[1:]), depth)
            return None if is_true is None else not is_true
        compared = _TEST.fullmatch(test)
        if compared is None:
            found = self.of(test, depth + 1)
            return None if found is None else any(found)
        left, right = self.of(compared["left"], depth + 1), self.of(compared["right"], depth + 1)
        if left is None or right is None or len(left) > 1 or len(right) != 1:
            return None
        return (left == right) == (compared["sign"][0] == "=")

    def _joined(self, parts: list[str], depth: int) -> list[str] | None:
        found = [""]
        for part in parts:
            values = self.of(part, depth + 1)
            if not values:
                return None
            found = [f"{one}{two}" for one in found for two in values]
        return found

    def _template(self, text: str, depth: int) -> list[str] | None:
        found = [""]
        for at, part in enumerate(re.split(r"\$\{([^{}]*)\}", text)):
            values = self.of(part, depth + 1) if at % 2 else [part]
            if not values and found == [""]:
                return None
            found = [f"{one}{two}" for one in found for two in values or ["x"]]
        return found

    def _of_table(self, member: re.Match[str], depth: int) -> list[str] | None:
        tables = [one for one in self.declared.get(member["of"], []) if one[:1] == "{"]
        keys = [member["key"]] if member["key"] else self.of(member["computed"], depth + 1)
        if not tables or not keys:
            return None
        name = re.escape(member["of"])
        if re.search(rf"\bassign\(\s*{name}\b|\b{name}\[(?!['\"])[^\]\n]*\]\s*=(?!=)", self.code):
            return None  # any of its values may be another one
        found = [
            expression_at(text, one.end())
            for key in map(re.escape, keys)
            for text, sets in (
                *((one, rf"(?<![\w$.])['\"]?{key}['\"]?\s*:\s*") for one in tables),
                (self.code, rf"\b{name}(?:\.{key}|\[['\"]{key}['\"]\])\s*=(?![=>])\s*"),
            )
            for one in re.finditer(sets, text)
        ]
        return self._union(found, depth)

    def _returned(self, name: str) -> Iterator[str]:
        """What a function returns, wherever it does."""
        for one in re.finditer(_FUNCTION.format(name=re.escape(name)), self.code):
            if one[0].endswith("{"):
                body = upto(self.code, "}", one.end())
                yield from (expression_at(body, each.end()) for each in _RETURNS.finditer(body))
            else:
                yield expression_at(self.code, one.end())


def _plain(expression: str) -> str:
    """An expression without brackets around it, and without what leaves a text the same."""
    before = ""
    expression = expression.strip()
    while before != expression:
        before = expression
        expression = _AS_TEXT.sub("", expression).strip()
        if expression[:1] == "(" and len(upto(expression, ")", 1)) == len(expression) - 2:
            expression = expression[1:-1].strip()
    return expression


def _split(expression: str, sign: str, times: int = 0) -> list[str]:
    """The parts between signs that stand in no text and in no brackets."""
    parts, start, at = [], 0, 0
    while at < len(expression):
        text = _TEXT.match(expression, at)
        if text is not None:
            at = text.end()
        elif expression[at] in _PAIRS:
            at += len(upto(expression, _PAIRS[expression[at]], at + 1)) + 2
        elif expression.startswith(sign, at) and not _is_other(expression, sign, at):
            parts.append(expression[start:at])
            at = start = at + len(sign)
            if times and len(parts) == times:
                break
        else:
            at += 1
    return [*parts, expression[start:]]


def _is_other(expression: str, sign: str, at: int) -> bool:
    """Whether ``?`` is a part of ``??`` or ``?.``."""
    around = expression[max(at - 1, 0) : at] + expression[at + 1 : at + 2]
    after = expression[at + 1 : at + 3]
    return sign == "?" and ("?" in around or (after[:1] == "." and not after[1:].isdigit()))


# end of module
