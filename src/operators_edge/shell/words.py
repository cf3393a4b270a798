"""Expansion of raw shell words, where their values are known.

Owns quote removal, variables, braces, tilde and field splitting. Does not own the commands inside a
substitution: it passes them to the evaluator, and puts a HOLE where the output is unknown.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise

from operators_edge.shell.commands import HOLE, Word
from operators_edge.shell.quoting import (
    UnclosedError,
    end_of_arithmetic,
    end_of_bracket,
    end_of_paren,
    end_of_quote,
)
from operators_edge.shell.scope import STANDS_FOR_MANY, TAKES_DEFAULTS
from operators_edge.shell.syntax import UNKNOWN, Source
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from operators_edge.shell.evaluate import Evaluator
    from operators_edge.shell.scope import Stream
    from operators_edge.shell.syntax import Frame

MAX_VALUE = 64 * 1024
"""Characters one expanded word may have; a longer one is a HOLE."""

_INSTEAD = pattern(r"(:?)-")
_PLAIN = pattern(r"[\w./:=@%+,^-]+\Z")
_SPECIAL = pattern(r"""['"\\$`<>\[*?]""")
_IN_DOUBLE = pattern(r"[\\$`]")
_NAME = pattern(r"[A-Za-z_]\w*")
_PARAMETER = pattern(r"(?s)([#!]?)([A-Za-z_]\w*|\d+|[@*#?$!-])(.*)\Z")
_ELEMENT = pattern(r"(?s)([A-Za-z_]\w*)\[(.*)\]\Z")
_ANSI = pattern(
    r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c(.)|(.))",
    re.DOTALL,
)
_ANSI_CHARS = dict(zip("abeEfnrtv", "\a\b\x1b\x1b\f\n\r\t\v", strict=True))
_OPERATOR = pattern(r":?[-=+?]|##?|%%?|//?|\^\^?|,,?|@")
_CASES: dict[str, Callable[[str], str]] = {
    "^^": str.upper,
    ",,": str.lower,
    "^": lambda value: value[:1].upper() + value[1:],
    ",": lambda value: value[:1].lower() + value[1:],
}
_SLICE = pattern(r":(?:\s*(\d+)|\s+(-\d+))\s*(?::\s*(\d+)\s*)?\Z")


class Fields:
    """The fields that one word expands to, built part by part."""

    def __init__(self) -> None:
        self._done: list[tuple[str, bool]] = []
        self._parts: list[str] = []
        self._is_open = False
        self._has_glob = False
        self.has_more_words = False
        self._size = 0

    def add(self, text: str, *, has_glob: bool = False) -> None:
        self._is_open = True
        self._size += len(text) + 1
        if self._size > MAX_VALUE:
            text = HOLE if self._size - len(text) - 1 <= MAX_VALUE else ""
        self._parts.append(text)
        self._has_glob |= has_glob

    def end(self) -> None:
        if self._is_open:
            self._done.append(("".join(self._parts), self._has_glob))
        self._parts, self._is_open, self._has_glob = [], False, False

    def add_split(self, value: str, separators: str) -> None:
        """Add an unquoted expansion: separators in it end the field."""
        if not value:
            return
        if HOLE in separators and not value.isalnum():
            value = HOLE
        is_split = separators and HOLE not in separators
        parts = re.split(f"[{re.escape(separators)}]+", value) if is_split else [value]
        for number, part in enumerate(parts):
            if self._size > MAX_VALUE:
                break
            if number:
                self.end()
            if part:
                self.add(part, has_glob=any(char in part for char in "*?["))

    def take(self) -> list[tuple[str, bool]]:
        self.end()
        return self._done

    def joined(self) -> str:
        return " ".join(text for text, _ in self.take())


class Expander:
    """Expands raw words of one source in one frame."""

    def __init__(self, evaluator: Evaluator, source: Source, frame: Frame) -> None:
        self.evaluator = evaluator
        self.source = source
        self.frame = frame
        self.scope = frame.scope
        self.has_more_words = False

    def expand(self, raw: str, at: int, span: tuple[int, int]) -> list[Word]:
        """Return the words that ``raw`` (at position ``at`` of its text) becomes."""
        if _PLAIN.match(raw) and raw[0] != "~" and "=~" not in raw:
            return [Word(raw, span)]
        words: list[Word] = []
        for choice in expand_braces(raw) if "{" in raw else (raw,):
            fields = Fields()
            self._walk(choice, at, fields, is_split=True)
            self.has_more_words |= fields.has_more_words
            words += [Word(text, span, has_glob) for text, has_glob in fields.take()]
        return words

    def value(self, raw: str, at: int) -> str:
        """Return the one value of ``raw`` where no splitting happens (assignments, redirects)."""
        fields = Fields()
        self._walk(raw, at, fields, is_split=False)
        return fields.joined()

    def body(self, text: str, at: int) -> str:
        """Return the text of an unquoted heredoc: expansions happen, quotes are plain characters."""
        fields = Fields()
        self._walk_double(text, at, fields, find_embedded="$`\\\n")
        return fields.joined()

    def value_again(self, text: str) -> str:
        """Expand the value of a variable, as bash does with prompts and with subscripts in arithmetic."""
        span = self.source.span
        inside = self.frame.inside("expansion")
        if self.evaluator.is_too_deep(inside, span):
            return HOLE
        self.evaluator.spend(len(text))
        return Expander(self.evaluator, Source(text, text, None, span), inside).body(text, 0)

    def compute(self, text: str) -> None:
        """Follow what arithmetic runs: substitutions in it, and in the values of the variables it names.

        Bash runs only those inside subscripts; elsewhere they are errors.
        """
        left, seen = [text], set[str]()
        while left:
            one = left.pop()
            self.evaluator.spend(len(one))
            if "$" in one or "`" in one:
                self.value_again(one)
            for name in set(_NAME.findall(one)) - seen:
                seen.add(name)
                left += [value for value in self.scope.items(name) or () if not value.isdigit()]

    def _walk(self, raw: str, at: int, fields: Fields, *, is_split: bool) -> None:
        position = self._tilde(raw, fields)
        while match := _SPECIAL.search(raw, position):
            start = match.start()
            if start > position:
                fields.add(raw[position:start])
            try:
                position = self._special(raw, start, at, fields, is_split=is_split)
            except UnclosedError:
                fields.add(HOLE)
                return
        if position < len(raw):
            fields.add(raw[position:])

    def _tilde(self, raw: str, fields: Fields) -> int:
        if given := _GIVEN_HOME.match(
            raw
        ):  # bash expands it in any word that looks like an assignment
            fields.add(given[0])
            fields.add(self.scope.get("HOME") or HOLE)
            return given.end() + 1
        if raw.startswith("~") and (len(raw) == 1 or raw[1] == "/"):
            fields.add(self.scope.get("HOME") or HOLE)
            return 1
        if raw.startswith(("~+", "~-")):
            fields.add((self.scope.get("PWD" if raw[1] == "+" else "OLDPWD")) or HOLE)
            return 2
        return 0

    def _special(self, raw: str, start: int, at: int, fields: Fields, *, is_split: bool) -> int:
        char = raw[start]
        if char in "*?[":
            fields.add(char, has_glob=char != "[" or "]" in raw[start + 2 :])
            return start + 1
        if char in "<>":
            if not raw.startswith("(", start + 1):
                fields.add(char)
                return start + 1
            end = end_of_paren(raw, start + 2)
            fields.add(self._process(raw[start + 2 : end - 1], at + start + 2, char))
            return end
        end = end_of_quote(raw, start)
        if char == "\\":
            quoted = raw[start + 1 : end]
            if quoted != "\n":
                fields.add(quoted)
        elif char == "'":
            fields.add(raw[start + 1 : end - 1])
        elif char == '"':
            fields.add("")
            self._walk_double(raw[start + 1 : end - 1], at + start + 1, fields)
        elif char == "$" and raw.startswith("'", start + 1):
            fields.add(ansi(raw[start + 2 : end - 1]))
        elif char == "$" and raw.startswith('"', start + 1):
            fields.add("")
            self._walk_double(raw[start + 2 : end - 1], at + start + 2, fields)
        else:
            return self._expansion(raw, start, at, fields, is_split=is_split)
        return end

    def _walk_double(
        self, text: str, at: int, fields: Fields, find_embedded: str = '$`"\\\n'
    ) -> None:
        position = 0
        while match := _IN_DOUBLE.search(text, position):
            start = match.start()
            if start > position:
                fields.add(text[position:start])
            if text[start] == "\\":
                following = text[start + 1 : start + 2]
                if following and following in find_embedded:
                    fields.add("" if following == "\n" else following)
                    position = start + 2
                else:
                    fields.add("\\")
                    position = start + 1
                continue
            if text.startswith(("$'", '$"'), start):
                fields.add("$")
                position = start + 1
                continue
            try:
                position = self._expansion(text, start, at, fields, is_split=False)
            except UnclosedError:
                fields.add(HOLE)
                return
        if position < len(text):
            fields.add(text[position:])

    def _expansion(self, raw: str, start: int, at: int, fields: Fields, *, is_split: bool) -> int:
        """Expand what begins with ``$`` or a backtick; return where the raw text continues."""
        end = end_of_quote(raw, start)
        if raw[start] == "`":
            inner = re.sub(r"\\([\\$`])", r"\1", raw[start + 1 : end - 1])
            value = self._substitute(inner, at + start + 1, quoted=end - start - 2)
        elif raw.startswith("((", start + 1) and end_of_arithmetic(raw, start + 3, 0) == end:
            value = self._arithmetic(raw[start + 3 : end - 2], at + start + 3)
        elif raw.startswith("(", start + 1):
            value = self._substitute(raw[start + 2 : end - 1], at + start + 2)
        elif raw.startswith("[", start + 1) and end > start + 1:
            value = self._arithmetic(raw[start + 2 : end - 1], at + start + 2)
        elif raw.startswith("{", start + 1):
            value = self._parameter(
                raw[start + 2 : end - 1], at + start + 2, fields, is_split=is_split
            )
        else:
            name = _NAME.match(raw, start + 1)
            end = name.end() if name else start + 2
            simple = raw[start + 1 : end]
            if not name and (not simple or simple not in "0123456789@*#?$!-"):
                fields.add("$")
                return start + 1
            value = self._parameter(simple, at + start + 1, fields, is_split=is_split)
        self._add(HOLE if value is None else value, fields, is_split=is_split)
        return end

    def _add(self, value: str, fields: Fields, *, is_split: bool) -> None:
        if is_split:
            fields.add_split(value, self.scope.get("IFS") or "")
        else:
            fields.add(value)

    def _substitute(self, text: str, at: int, *, quoted: int | None = None) -> str | None:
        """Evaluate the commands of ``$(text)``; return their output, None when unknown.

        ``quoted`` is the length that a text between backticks has with its backslashes.
        """
        file = re.fullmatch(r"\s*<\s*([^\s|&;<>]+)\s*", text)
        output = (
            self.evaluator.files.read(file[1], self.scope) or UNKNOWN
            if file
            else self._evaluate(text, at, "$(…)", quoted=quoted)
        )
        printed = self.evaluator.choices.met(output.text, output.choices)
        return None if printed is None else printed.rstrip("\n")

    def _process(self, text: str, at: int, direction: str) -> str:
        """Evaluate the commands of ``<(text)``; return the path that replaces it."""
        evaluator = self.evaluator
        path = f"/dev/fd/{next(evaluator.pipes)}"
        here = Expander(evaluator, self.source, self.frame.forked())
        run = partial(here._evaluate, text, at, f"{direction}(…)")
        if direction == "<":
            evaluator.files.streams[path] = run()
        else:
            evaluator.files.readers[path] = run  # as soon as it is known what is written into it
        return path

    def _evaluate(
        self,
        text: str,
        at: int,
        through: str,
        *,
        quoted: int | None = None,
        stdin: Stream | None = None,
    ) -> Stream:
        base = self.source.base
        span = self.source.span_of(at, at + (len(text) if quoted is None else quoted))
        frame = self.frame.fed(stdin) if stdin else self.frame.forked()
        inside = frame.inside(through, stdin=stdin)
        place = base + at if quoted is None and base is not None else None
        return self.evaluator.evaluate_text(text, inside, place, span)

    def _arithmetic(self, text: str, at: int) -> str:
        text = self.value(text, at).strip()
        self.compute(text)
        return text if text.isdigit() and not text.startswith("0") else HOLE

    def _parameter(self, text: str, at: int, fields: Fields, *, is_split: bool) -> str | None:
        match = _PARAMETER.match(text)
        if match is None:
            return HOLE
        prefix, name, rest = match.groups()
        index = None
        if rest.startswith("[") and (end := end_of_bracket(rest, 1)):
            index, rest = rest[1 : end - 1], rest[end:]
        if (not prefix and name in "@*") or index in {"@", "*"}:
            return self._all(name, index, rest, prefix, fields, is_split=is_split)
        value = self._lookup(name, index)
        if prefix:
            return HOLE if rest or value is None else self._about(value, prefix)
        return self._operator(name, value, rest, at + len(text) - len(rest)) if rest else value

    def _about(self, value: str, prefix: str) -> str | None:
        """``${#a}``, the length of a value, and ``${!a}``, the value of the variable that it names."""
        if prefix == "#":
            return HOLE if HOLE in value else str(len(value))
        if element := _ELEMENT.match(value):
            return self._lookup(element[1], element[2])
        return self.scope.get(value) if _NAME.fullmatch(value) else HOLE

    def _lookup(self, name: str, index: str | None) -> str | None:
        if index is None:
            value, choices = self.scope.get(name), self.scope.choices.get(name, ())
            return self.evaluator.choices.met(value, choices) if choices else value
        key = self.value(index, 0)
        self.compute(key)
        return self.scope.element(name, key)

    def _all(
        self,
        name: str,
        index: str | None,
        rest: str,
        prefix: str,
        fields: Fields,
        *,
        is_split: bool,
    ) -> str | None:
        values = self.scope.items(name) if index or name in "@*" else None
        is_listing = values is not None and HOLE in (self.scope.keys(name) or ())
        may_be_many = bool(index) and any(STANDS_FOR_MANY.search(one) for one in values or ())
        if prefix == "#" and values is not None and not (rest or is_listing or may_be_many):
            return str(len(values))
        if is_listing and rest:  # some of its lines, if they are not changed
            values = values if rest[:1] == ":" else None
        elif rest and values is not None and not prefix:
            values = self._changed_list(values, self.value(rest, 0), is_arguments=not index)
        elif prefix == "!" and not rest:
            values = self.scope.keys(name)
        if values is None or prefix == "#":
            fields.has_more_words = True
            return HOLE
        # "$@" keeps its fields apart even in double quotes; "$*" is one field.
        if is_split or name == "*" or index == "*":
            return " ".join(values)
        for number, value in enumerate(values):
            if number:
                fields.end()
            fields.add(value)
        return ""

    def _operator(self, name: str, value: str | None, rest: str, at: int) -> str | None:
        operator = _OPERATOR.match(rest)
        kind = operator[0] if operator else ""
        argument = self.value(rest[len(kind) :], at + len(kind))
        if kind and kind[-1] in "-=+?":
            return self._default(name, value, kind, argument)
        if not kind:
            self.compute(argument)
        if value is not None and (kind, argument) == ("@", "P"):
            return self.value_again(value)
        if value is None or HOLE in value:
            # What an operator removes from the end leaves the beginning.
            return (value or "").partition(HOLE)[0] + HOLE if kind[:1] == "%" else HOLE
        return _changed(value, kind, argument)

    def _changed_list(
        self, values: list[str], rest: str, *, is_arguments: bool
    ) -> list[str] | None:
        if given := _INSTEAD.match(rest):
            is_there = any(values) if given[1] else bool(values)
            return values if is_there else [rest[given.end() :]]
        if rest[:1] == "@":
            return [self._operator("", value, rest, 0) or "" for value in values]
        self.compute(rest)
        return _slice_list(values, rest, is_arguments=is_arguments)

    def _default(self, name: str, value: str | None, kind: str, argument: str) -> str | None:
        if value is None:
            is_temporary = name == "TMPDIR" and kind in ("-", ":-") and argument == "/tmp"  # noqa: S108 - compared
            is_temporary = is_temporary and not self.scope.is_environment_doubtful
            if not is_temporary and (TAKES_DEFAULTS not in self.scope.env or kind[-1] not in "-="):
                return HOLE
            value, kind = "", f":{kind[-1]}"
        is_set = bool(value) or (kind[0] != ":" and not self.scope.is_unset(name))
        if kind[-1] == "+":
            return argument if is_set else ""
        if is_set:
            return value
        if kind[-1] == "=":
            self.scope.set(name, argument)
        return argument


def _changed(value: str, kind: str, argument: str) -> str:
    """Apply an operator that makes another text of a known value."""
    if not kind:
        bounds = _slice_bounds(argument)
        return HOLE if bounds is None else value[bounds[0] :][: bounds[1]]
    if kind == "@":
        return _TRANSFORMS.get(argument, _unknown)(value)
    if kind in _CASES and not argument:
        return _CASES[kind](value)
    if HOLE in argument or any(char in argument for char in "[\\"):
        return HOLE
    if kind[0] == "#":
        return _trim(value, argument, is_long=len(kind) == 2)
    if kind[0] == "%":
        return _trim(value[::-1], argument[::-1], is_long=len(kind) == 2)[::-1]
    return _replace(value, kind, argument) if kind[0] == "/" else HOLE


def _unknown(_: str) -> str:
    return HOLE


def _slice_bounds(text: str) -> tuple[int, int | None] | None:
    """Return the start and the length that ``:1:2`` names."""
    match = _SLICE.match(text)
    return (int(match[1] or match[2]), int(match[3]) if match[3] else None) if match else None


def _slice_list(values: list[str], rest: str, *, is_arguments: bool) -> list[str] | None:
    """Return the elements that ``${a[@]:1:2}`` names; arguments are counted from 1."""
    bounds = _slice_bounds(rest)
    if bounds is None or HOLE in values or (is_arguments and bounds[0] < 1):
        return None
    return values[bounds[0] - is_arguments :][: bounds[1]]


def _trim(value: str, pattern: str, *, is_long: bool) -> str:
    """Remove ``pattern``, with at most one star, from the start."""
    before, star, after = pattern.partition("*")
    if "*" in after or "?" in pattern:
        return HOLE
    if not value.startswith(before):
        return value
    if star and is_long and not after:
        return ""
    find = value.rfind if is_long else value.find
    end = find(after, len(before))
    return value if end < 0 else value[end + len(after) :]


def _replace(value: str, kind: str, argument: str) -> str:
    pattern, _, replacement = argument.partition("/")
    if not pattern or pattern[0] in "#%" or "*" in pattern or "?" in pattern or len(value) > 4096:
        return HOLE
    return value.replace(pattern, replacement, -1 if kind == "//" else 1)


def ansi(text: str) -> str:
    r"""Return the characters that the inside of ``$'…'`` stands for; bytes are read as UTF-8."""
    found = _ANSI.sub(_ansi_char, text)
    if found.isascii():
        return found
    try:
        return found.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a character, which no file's name has
        return HOLE


def _ansi_char(match: re.Match[str]) -> str:
    octal, byte, short, long, control, other = match.groups()
    if octal or byte:
        return bytes([int(octal, 8) & 0xFF if octal else int(byte, 16)]).decode(
            "utf-8", "surrogateescape"
        )
    if short or long:
        code = int(short or long, 16)
        return chr(code) if code < 0x110000 else HOLE
    if control:
        return chr(ord(control.upper()) & 0x1F)
    return _ANSI_CHARS.get(other) or (other if other in "\\'\"?" else "\\" + other)


_TRANSFORMS: dict[str, Callable[[str], str]] = {
    # Of ``${a@U}`` and the like.
    "U": str.upper,
    "L": str.lower,
    "u": _CASES["^"],
    "Q": lambda value: "'" + value.replace("'", r"'\''") + "'",
    "E": ansi,
}

_GIVEN_HOME = pattern(r"[A-Za-z_]\w*=(?=~(?:/|\Z))")
MAX_BRACES = 64
"""Words of one brace expansion; a larger one is a HOLE."""
MAX_BRACE_DEPTH = 8

_RANGE = pattern(r"(-?\d{1,9})\.\.(-?\d{1,9})\Z|([a-zA-Z])\.\.([a-zA-Z])\Z")


def expand_braces(raw: str) -> list[str]:
    """Return the raw words that one raw word expands to: ``{a,b}`` and ``{1..3}``, before all else."""
    if raw.count("{") > MAX_BRACES:
        return [HOLE]
    try:
        words = list(_expand_braces(raw, MAX_BRACES))
    except UnclosedError:
        return [raw]
    return words if len(words) <= MAX_BRACES else [HOLE]


def _expand_braces(raw: str, limit: int, depth: int = 0) -> Iterator[str]:
    found = _first_braces(raw)
    if found and depth >= MAX_BRACE_DEPTH:
        raw, found = HOLE, None
    if found is None:
        yield raw
        return
    start, end, choices = found
    for tail in _expand_braces(raw[end:], limit, depth + 1):
        for choice in choices:
            for middle in _expand_braces(choice, limit, depth + 1):
                limit -= 1
                # One more than allowed, so that the caller sees that there were too many.
                if limit < -1:
                    return
                yield raw[:start] + middle + tail


def _first_braces(raw: str) -> tuple[int, int, list[str]] | None:
    """Return the range of the leftmost ``{…}`` that expands, and its choices."""
    best: tuple[int, int, list[str]] | None = None
    opened: list[list[int]] = []
    at = 0
    while at < len(raw):
        char = raw[at]
        if char in "'\"\\`$":
            at = end_of_quote(raw, at)
            continue
        if char in "<>" and raw.startswith("(", at + 1):
            at = end_of_paren(raw, at + 2)
            continue
        if char == "{":
            opened.append([at + 1])
        elif char == "," and opened:
            opened[-1].append(at + 1)
        elif char == "}" and opened:
            cuts = [*opened.pop(), at + 1]
            choices = [raw[start : end - 1] for start, end in pairwise(cuts)]
            if len(choices) == 1:
                choices = _expand_range(choices[0])
            if choices and (best is None or cuts[0] - 1 < best[0]):
                best = (cuts[0] - 1, at + 1, choices)
        at += 1
    return best


def _expand_range(inside: str) -> list[str]:
    match = _RANGE.match(inside)
    if match is None:
        return []
    first, last = (int(match[1]), int(match[2])) if match[1] else (ord(match[3]), ord(match[4]))
    step = 1 if first <= last else -1
    if abs(last - first) >= MAX_BRACES:
        return [HOLE]
    return [str(n) if match[1] else chr(n) for n in range(first, last + step, step)]


# end of module
