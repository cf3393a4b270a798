"""Python of another version than the one that runs here, written so that this one reads the same in it.

What is rewritten: f-strings whose expressions hold their own quotes, backslashes or comments (3.12),
``type X =`` and type parameters (3.12), t-strings and ``except A, B:`` (3.14), ``lazy import`` (3.15); of
Python 2 ``print``, ``exec`` and ``except A, e:``. Lines keep their numbers. Pure. Does not own parsing
(``text.python_source``).
"""

from __future__ import annotations

import re

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_STRING = pattern(r"(?i)(?P<prefix>(?:(?<!\w)[rbuft]{1,3})?)(?P<quote>'''|\"\"\"|'|\")")
_BEGINNING = pattern(
    r"(?P<type>type[ \t]+(?=[^\W\d]\w*[ \t]*(?:\[|=(?!=))))"
    r"|(?P<named>(?:(?:async[ \t]+)?def|class|type)[ \t]+[^\W\d]\w*[ \t]*)(?=\[)"
    r"|(?P<lazy>lazy[ \t]+(?=(?:import|from)\b))"
    r"|(?P<except>except\*?[ \t]+)(?!\()"
    r"|(?P<statement>(?:print|exec)\b[ \t]*)(?P<to>>>[ \t]*)?(?=[^\s=.,:()\[\]%*/&|^@<>!;+-])"
)
_GAP = pattern(r"(?:[ \t]|\\\n)*")
_GAP_INSIDE = pattern(r"(?:\s|\\\n|#[^\n]*\n)*")
"""Between strings that make one; in brackets they may stand on several lines."""
_NAME = pattern(r"[^\W\d]\w*[ \t]*")
_CONVERSION = pattern(r"[ \t]*!([rsa])[ \t]*(?=[:}])")
_SHOWN = pattern(r"(.*[^=!<>])=[ \t]*")
_MAX_DEPTH = 8


class Unreadable(ValueError):
    """Something begins that does not end, or goes too deep."""


def older(code: str) -> str:
    """The code in what every version from 3.11 on reads, as far as it is known how; else as it stands."""
    try:
        return _Reader(code).read()
    except Unreadable:
        return code


def logical_lines(code: str) -> list[tuple[int, int]]:
    """The first and the last line of each statement, or of several on one line, counted from 1."""
    reader = _Reader(code)
    try:
        reader.read()
    except Unreadable:
        return [(at, at) for at in range(1, code.count("\n") + 2)]
    ends = [*reader.ends, code.count("\n") + 1]
    return [(before + 1, end) for before, end in zip([0, *ends], ends, strict=False)]


class _Reader:
    """Goes through code once, and writes it again."""

    def __init__(self, code: str, depth: int = 0) -> None:
        """``depth``: how many strings are around the code; comments in those are left out."""
        if depth > _MAX_DEPTH:
            raise Unreadable
        self.code = code
        self.depth = depth
        self.ends: list[int] = []
        """The last lines of statements."""

    def read(self) -> str:
        code, at, level, line = self.code, 0, 0, 1
        made: list[str] = []
        is_first = True
        while at < len(code):
            sign = code[at]
            text, end = self._next(at, is_first=is_first and level == 0, is_inside=level > 0)
            level = max(0, level + (sign in "([{") - (sign in ")]}"))
            if sign == "\n" and level == 0:
                self.ends.append(line)
            line += code.count("\n", at, end)
            is_first = level == 0 if sign in "\n;:" else is_first and sign in " \t\f#"
            made.append(text)
            at = end
        return "".join(made)

    def _next(self, at: int, *, is_first: bool, is_inside: bool) -> tuple[str, int]:
        """What stands for the next part of the code, and where that ends."""
        code = self.code
        if is_first and (found := _BEGINNING.match(code, at)):
            return self._beginning(found)
        if string := _STRING.match(code, at):
            return self._strings(string, is_inside=is_inside or self.depth > 0)
        if code[at] == "#":
            end = code.find("\n", at)
            end = len(code) if end < 0 else end
            return "" if self.depth else code[at:end], end
        name = _NAME.match(code, at)
        end = name.end() if name else at + 1 + (code[at] == "\\")
        return code[at:end], end

    # -- statements --------------------------------------------------------------------------------

    def _beginning(self, found: re.Match[str]) -> tuple[str, int]:
        """What stands for the beginning of a statement, and where that ends."""
        code, end = self.code, found.end()
        if found["lazy"]:
            return "", end
        if found["type"]:
            name = _NAME.match(code, end)
            end = name.end() if name else end
            given = code[found.end() : end]
            return self._without_parameters(given, end)
        if found["named"]:
            return self._without_parameters(found["named"], end)
        stop = self._end_of_part(end, ":" if found["except"] else "\n;#")
        inside = _Reader(code[end:stop], self.depth + 1).read()
        if found["except"]:
            is_several = self._has_comma(end, stop)
            return f"{found['except']}{f'({inside})' if is_several else inside}", stop
        blank = inside[len(inside.rstrip()) :]
        return f"{found['statement'].rstrip()}({inside.rstrip()}){blank}", stop

    def _without_parameters(self, before: str, at: int) -> tuple[str, int]:
        """A name without the type parameters after it."""
        if self.code[at : at + 1] != "[":
            return before, at
        end = self._end_of_part(at + 1, "]") + 1
        return before.rstrip() + "\\\n" * self.code.count("\n", at, end), end

    def _end_of_part(self, at: int, signs: str) -> int:
        """Where the first of these signs stands outside of brackets and strings; else the end."""
        for place, sign in self._signs(at):
            if sign in signs:
                return place
        if "\n" in signs:
            return len(self.code)
        raise Unreadable

    def _has_comma(self, at: int, end: int) -> bool:
        return any(sign == "," for place, sign in self._signs(at) if place < end)

    def _signs(self, at: int) -> Iterator[tuple[int, str]]:
        """The signs from a place on that are in no brackets, strings or comments."""
        code, level = self.code, 0
        while at < len(code):
            sign = code[at]
            if string := _STRING.match(code, at):
                at = self._end_of_string(string)
                continue
            if level == 0:
                yield at, sign
            level += (sign in "([{") - (sign in ")]}")
            if sign == "#":
                at = code.find("\n", at) if "\n" in code[at:] else len(code)
                continue
            at += 2 if sign == "\\" else 1

    # -- strings -----------------------------------------------------------------------------------

    def _end_of_string(self, string: re.Match[str]) -> int:
        """The place behind a string."""
        quote, is_formatted = string["quote"], _is_formatted(string["prefix"])
        at = string.end()
        while at < len(self.code):
            if self.code.startswith(quote, at):
                return at + len(quote)
            sign = self.code[at]
            if sign == "\n" and len(quote) == 1:
                raise Unreadable
            if is_formatted and self.code.startswith(("{{", "}}"), at):
                at += 2
            elif is_formatted and sign == "{":
                at = self._end_of_field(at)
            else:
                at += 2 if sign == "\\" else 1
        raise Unreadable

    def _end_of_field(self, at: int) -> int:
        """The place behind the ``{…}`` that begins here."""
        begin = at + 1
        for place, sign in self._signs(begin):
            if sign == "}":
                return place + 1
            if sign == ":" and not self._is_in_lambda(begin, place):
                return self._end_of_spec(place + 1)
        raise Unreadable

    def _is_in_lambda(self, begin: int, at: int) -> bool:
        return re.search(r"\blambda\b[^:]*$", self.code[begin:at]) is not None

    def _end_of_spec(self, at: int) -> int:
        while at < len(self.code):
            sign = self.code[at]
            if sign == "}":
                return at + 1
            at = self._end_of_field(at) if sign == "{" else at + 1
        raise Unreadable

    def _strings(self, string: re.Match[str], *, is_inside: bool) -> tuple[str, int]:
        """Strings that stand side by side, and where they end: as they are, or as a sum."""
        begin, gap = string.start(), _GAP_INSIDE if is_inside else _GAP
        found: list[tuple[str, str | None]] = []
        following: re.Match[str] | None = string
        while following is not None:
            end = self._end_of_string(following)
            found.append((self.code[following.start() : end], self._as_sum(following, end)))
            between = gap.match(self.code, end)
            following = _STRING.match(self.code, between.end() if between else end)
        whole = self.code[begin:end]
        if all(made is None for _, made in found):
            return whole, end
        text = " + ".join(plain if made is None else made for plain, made in found)
        lines = "\n" * (whole.count("\n") - text.count("\n"))
        return f"({text}{lines})", end

    def _as_sum(self, string: re.Match[str], end: int) -> str | None:
        """A string as a sum, if older versions could not read it as it stands."""
        code, prefix, quote = self.code, string["prefix"], string["quote"]
        if not _is_formatted(prefix):
            return None
        parts = list(self._parts(string.end(), end - len(quote)))
        # In a format there may be fields again, with quotes of their own.
        fields = [code[first:last] for kind, first, last in parts if kind == "field"]
        newer = (quote[0], "\\", "#", *(() if len(quote) == 3 else ("\n",)))
        is_older = not any(sign in one for one in fields for sign in newer)
        is_older &= all(_Reader(one[1:-1], self.depth + 1).read() == one[1:-1] for one in fields)
        if is_older and "t" not in prefix.lower():
            return None
        plain = re.sub("[fFtT]", "", prefix)
        texts = [
            f"{plain}{quote}{_unbraced(code[first:last])}{quote}"
            if kind == "text"
            else self._field(first, last)
            for kind, first, last in parts
        ]
        return " + ".join(texts) or quote + quote

    def _parts(self, at: int, stop: int) -> Iterator[tuple[str, int, int]]:
        """The texts and the fields of a formatted string, with where they begin and end."""
        begin = at
        while at < stop:
            if self.code.startswith(("{{", "}}"), at):
                at += 2
            elif self.code[at] == "{":
                if at > begin:
                    yield "text", begin, at
                begin = self._end_of_field(at)
                yield "field", at, begin
                at = begin
            else:
                at += 2 if self.code[at] == "\\" else 1
        if stop > begin:
            yield "text", begin, stop

    def _field(self, first: int, last: int) -> str:
        """What a field shows, as a call."""
        begin, end = first + 1, last - 1
        spec = end
        conversion = ""
        for place, sign in self._signs(begin):
            if place >= end:
                break
            if sign == "!" and (found := _CONVERSION.match(self.code, place)):
                spec = place if self.code[found.end()] == "}" else found.end()
                conversion, end = found[1], place
                break
            if sign == ":" and not self._is_in_lambda(begin, place):
                spec = end = place
                break
        text = self.code[begin:end]
        shown = _SHOWN.fullmatch(text)
        value = _Reader(shown[1] if shown else text, self.depth + 1).read().strip()
        name = {"r": "repr", "a": "ascii"}.get(conversion, "repr" if shown else "str")
        if self.code[spec] == ":":
            format_text = repr(self.code[spec + 1 : last - 1])
            made = f"format({value}, {format_text})"
        else:
            made = f"{name}({value})"
        return f"{text!r} + {made}" if shown else made


def _is_formatted(prefix: str) -> bool:
    return not {"f", "t"}.isdisjoint(prefix.lower())


def _unbraced(text: str) -> str:
    return text.replace("{{", "{").replace("}}", "}")


# end of module
