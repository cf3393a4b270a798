"""What ``jq`` and ``yq`` print of a known document: texts by their paths, joined, chosen and put together.

Owns the part of their language that people use to take words out of a file, and their options. Anything else
raises ValueError, and what is printed is then unknown.
"""

from __future__ import annotations

import json
import re
from functools import partial

from operators_edge.shell.filters.text_lines import Filter
from operators_edge.text.patterns import pattern
from operators_edge.text.settings_files import OTHER, yaml_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    Run = Callable[[Any], list[Any]]
    """An expression: the values that it makes of one."""

_MAX_VALUES = 10_000
_MAX_NUMBER = 2**53

_MEANS_ANOTHER = pattern(r"[=$\\]|(?<![.\w])(?!(?:join|map|to_entries)\b)[A-Za-z]\w*")
"""What the two programs called ``yq`` may read in different ways."""

_CHOICE = pattern(r"\bselect\(\s*\.[A-Za-z_]\w*\s*[!=]=\s*\"[^\"\\*?]*\"\s*\)")
"""What both choose by alike: a text in a field. Elsewhere, ``*`` in a text is a pattern for one of them."""

# -- options -------------------------------------------------------------------------------------------

_LONG = {
    "--raw-output": "r",
    "--join-output": "j",
    "--exit-status": "e",
    "--monochrome-output": "M",
    "--unwrapScalar": "r",
}


def jq(arguments: list[str]) -> Filter:
    options, named, operands = _options(arguments, "rjeMc")
    is_raw = bool(options & {"r", "j"})
    end = "" if "j" in options else "\n"
    return _filter(operands, named, json.loads, is_raw=is_raw, end=end)


def yq(arguments: list[str]) -> Filter:
    """The one that is written in Go prints texts as they are; the one around jq only with ``-r``."""
    is_go = arguments[:1] in (["e"], ["eval"])
    _, named, operands = _options(arguments[is_go:], "reM")
    rest = _CHOICE.sub("", operands[0])
    if named or _MEANS_ANOTHER.search(re.sub(r'"[^"\\]*"', "", rest)):
        raise ValueError(arguments)
    return _filter(operands, named, yaml_of, is_raw=True, end="\n")


def _options(arguments: list[str], letters: str) -> tuple[set[str], dict[str, Any], list[str]]:
    options: set[str] = set()
    named: dict[str, Any] = {}
    operands: list[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word in ("--arg", "--argjson"):
            name, value, *rest = rest
            named[name] = json.loads(value) if word == "--argjson" else value
        elif word in _LONG:
            options.add(_LONG[word])
        elif word[:1] == "-" and word != "-":
            if word[1:2] == "-" or not set(word[1:]) <= set(letters):
                raise ValueError(word)
            options |= set(word[1:])
        else:
            operands.append(word)
    return options, named, operands


def _filter(
    operands: list[str],
    named: Mapping[str, Any],
    parsed: Callable[[str], Any],
    *,
    is_raw: bool,
    end: str,
) -> Filter:
    run = _Reader(operands.pop(0), named).whole()
    if len(operands) > 1:
        raise ValueError(operands)

    def apply(text: str) -> str:
        return "".join(_printed(one, is_raw=is_raw) + end for one in run(parsed(text)))

    return Filter(apply, tuple(operands))


def _printed(value: Any, *, is_raw: bool) -> str:
    if isinstance(value, str) and not is_raw:
        if not value.isascii() or not value.isprintable():
            raise ValueError(value)
        return json.dumps(value)
    return text_of(value)


def text_of(value: Any) -> str:
    """A text as it is; numbers and the like as JSON has them, if that is certain."""
    if isinstance(value, str):
        return value
    if value is None or (isinstance(value, (bool, int)) and abs(value) < _MAX_NUMBER):
        return json.dumps(value)
    raise ValueError(value)


# -- expressions ---------------------------------------------------------------------------------------

_TOKEN = pattern(
    r"\s*(?:(?P<text>\")|(?P<field>\.[A-Za-z_]\w*)|(?P<word>[A-Za-z_]\w*|@[a-z]+)|(?P<name>\$[A-Za-z_]\w*)"
    r"|(?P<number>\d{1,9}(?![\w.]))|(?P<sign>//|[=!<>]=|[.\[\](),|+:?<>-]))"
)


_BOUNDS = pattern(r"(?=[-\d:\s]*\d)\s*(-?\d{1,9})?\s*:\s*(-?\d{1,9})?\s*\]")
_FROM_END = pattern(r"\s*(-\d{1,9})\s*\]")


class _Reader:
    """Reads an expression from left to right; each part becomes a function of one value."""

    def __init__(self, source: str, named: Mapping[str, Any], at: int = 0) -> None:
        self.source = source
        self.named = named
        self.at = at

    def whole(self) -> Run:
        run = self._pipe()
        if self.source[self.at :].strip():
            raise ValueError(self.source)
        return run

    def _next(self) -> re.Match[str] | None:
        return _TOKEN.match(self.source, self.at)

    def _take(self, sign: str) -> bool:
        token = self._next()
        is_there = token is not None and token["sign"] == sign
        if token is not None and is_there:
            self.at = token.end()
        return is_there

    def _take_word(self, word: str) -> bool:
        token = self._next()
        is_there = token is not None and token["word"] == word
        if token is not None and is_there:
            self.at = token.end()
        return is_there

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise ValueError(self.source)

    def _pipe(self) -> Run:
        run = self._list()
        while self._take("|"):
            run = partial(_after, run, self._list())
        return run

    def _list(self) -> Run:
        run = self._other()
        while self._take(","):
            run = partial(_beside, run, self._other())
        return run

    def _other(self) -> Run:
        run = self._either()
        while self._take("//"):
            run = partial(_or_else, run, self._either())
        return run

    def _either(self) -> Run:
        run = self._both()
        while self._take_word("or"):
            run = partial(_decided, run, self._both(), True)
        return run

    def _both(self) -> Run:
        run = self._compared()
        while self._take_word("and"):
            run = partial(_decided, run, self._compared(), False)
        return run

    def _compared(self) -> Run:
        run = self._sum()
        for sign, test in _TESTS.items():
            if self._take(sign):
                return partial(_compare, run, self._sum(), test)
        return run

    def _sum(self) -> Run:
        run = self._term()
        while self._take("+"):
            run = partial(_add, run, self._term())
        return run

    def _term(self) -> Run:
        token = self._next()
        if token is None:
            raise ValueError(self.source)
        self.at = token.end()
        run = self._start(token)
        while True:
            token = self._next()
            if token is not None and token["field"]:
                self.at = token.end()
                run = partial(_after, run, partial(_at, token["field"][1:]))
            elif self._take("["):
                run = partial(_after, run, self._index())
            elif self.source.startswith('."', self.at):
                self.at += 2
                run = partial(_after, run, partial(_each_at, self._quoted()))
            elif not self._take("?"):
                return run

    def _start(self, token: re.Match[str]) -> Run:
        if token["field"]:
            return partial(_at, token["field"][1:])
        if token["text"]:
            return self._quoted()
        if token["number"]:
            return partial(_only, int(token["number"]))
        if token["name"]:
            return partial(_only, self.named[token["name"][1:]])
        if token["word"]:
            return self._function(token["word"])
        if token["sign"] == "(":
            run = self._pipe()
            self._expect(")")
            return run
        if token["sign"] == "[":
            run = self._pipe()
            self._expect("]")
            return partial(_collected, run)
        if token["sign"] != ".":
            raise ValueError(self.source)
        if self.source.startswith('"', self.at):
            self.at += 1
            return partial(_each_at, self._quoted())
        return _same

    def _index(self) -> Run:
        if self._take("]"):
            return _inside
        if bounds := _BOUNDS.match(self.source, self.at):
            self.at = bounds.end()
            first, last = (int(one) if one else None for one in bounds.groups())
            return partial(_part, slice(first, last))
        if ending := _FROM_END.match(self.source, self.at):
            self.at = ending.end()
            return partial(_at, int(ending[1]))
        index = self._pipe()
        self._expect("]")
        return partial(_each_at, index)

    def _quoted(self) -> Run:
        """A text, behind its opening quote, with the expressions in it."""
        parts: list[Run] = []
        written = ""
        while True:
            char = self.source[self.at]
            self.at += 1
            if char == '"':
                return partial(_put_together, [*parts, partial(_only, json.loads(f'"{written}"'))])
            if char == "\\" and self.source[self.at] == "(":
                self.at += 1
                parts += [partial(_only, json.loads(f'"{written}"')), self._pipe()]
                self._expect(")")
                written = ""
            elif char == "\\":
                written += char + self.source[self.at]
                self.at += 1
            else:
                written += char

    def _choice(self) -> Run:
        """``if … then … elif … else … end``, behind its first word."""
        condition = self._pipe()
        if not self._take_word("then"):
            raise ValueError(self.source)
        then = self._pipe()
        if self._take_word("elif"):
            return partial(_either_of, condition, then, self._choice())
        if not self._take_word("else"):
            raise ValueError(self.source)
        otherwise = self._pipe()
        if not self._take_word("end"):
            raise ValueError(self.source)
        return partial(_either_of, condition, then, otherwise)

    def _function(self, name: str) -> Run:
        if name == "if":
            return self._choice()
        given: list[Run] = []
        if self._take("("):
            given.append(self._pipe())
            self._expect(")")
        if given:
            return partial(_WITH_ARGUMENT[name], given[0])
        return _PLAIN[name]


def _same(value: Any) -> list[Any]:
    return [value]


def _only(known: Any, _: Any) -> list[Any]:
    return [known]


def _after(first: Run, then: Run, value: Any) -> list[Any]:
    found = [inner for one in first(value) for inner in then(one)]
    if len(found) > _MAX_VALUES:
        raise ValueError(len(found))
    return found


def _beside(first: Run, second: Run, value: Any) -> list[Any]:
    return [*first(value), *second(value)]


def _or_else(first: Run, second: Run, value: Any) -> list[Any]:
    found = [one for one in first(value) if _is_true(one)]
    return found or second(value)


_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda one, other: type(one) is type(other) and one == other,
    "!=": lambda one, other: type(one) is not type(other) or one != other,
    "<": lambda one, other: _in_order(one) < _in_order(other),
    "<=": lambda one, other: _in_order(one) <= _in_order(other),
    ">": lambda one, other: _in_order(one) > _in_order(other),
    ">=": lambda one, other: _in_order(one) >= _in_order(other),
}


def _compare(first: Run, second: Run, test: Callable[[Any, Any], bool], value: Any) -> list[Any]:
    pairs = [(one, other) for other in second(value) for one in first(value)]
    if not all(one is None or isinstance(one, (str, bool, int)) for pair in pairs for one in pair):
        raise ValueError(pairs)
    return [test(one, other) for one, other in pairs]


def _in_order(value: Any) -> Any:
    """A value that is compared with others of its kind; each program orders other kinds in its own way."""
    if isinstance(value, str) or (type(value) is int and abs(value) < _MAX_NUMBER):
        return value
    raise ValueError(value)


def _is_true(value: Any) -> bool:
    if value is OTHER:
        raise ValueError(value)
    return value is not None and value is not False


def _decided(first: Run, second: Run, by: bool, value: Any) -> list[Any]:  # noqa: FBT001 - bound by name
    """``or`` is decided by a first part that is true, ``and`` by one that is not."""
    found: list[Any] = []
    for one in first(value):
        found += [by] if _is_true(one) == by else map(_is_true, second(value))
    return found


def _either_of(condition: Run, then: Run, otherwise: Run, value: Any) -> list[Any]:
    return [
        one
        for said in condition(value)
        for one in (then(value) if _is_true(said) else otherwise(value))
    ]


def _add(first: Run, second: Run, value: Any) -> list[Any]:
    return [_sum(one, other) for other in second(value) for one in first(value)]


def _sum(one: Any, other: Any) -> Any:
    if one is None or other is None:
        return other if one is None else one
    if type(one) is not type(other) or type(one) not in (str, list, int):
        raise ValueError(one)
    return one + other


def _collected(run: Run, value: Any) -> list[Any]:
    return [run(value)]


def _put_together(parts: Sequence[Run], value: Any) -> list[Any]:
    texts = [""]
    for part in parts:
        texts = [text + text_of(one) for one in part(value) for text in texts]
    return texts


def _at(key: str | int, value: Any) -> list[Any]:
    if value is None:
        return [None]
    if isinstance(value, dict) and isinstance(key, str):
        return [value.get(key)]
    if isinstance(value, list) and type(key) is int:
        return [value[key] if -len(value) <= key < len(value) else None]
    raise ValueError(key)


def _each_at(keys: Run, value: Any) -> list[Any]:
    # A key is computed from what the whole path began with, which is not known here.
    return [one for key in keys(OTHER) for one in _at(key, value)]


def _inside(value: Any) -> list[Any]:
    if not isinstance(value, (dict, list)):
        raise ValueError(value)  # noqa: TRY004 - what it prints is unknown
    return list(value.values()) if isinstance(value, dict) else list(value)


def _joined(marks: Run, value: Any) -> list[Any]:
    return [
        _text(mark).join("" if one is None else text_of(one) for one in _list_of(value))
        for mark in marks(value)
    ]


def _mapped(run: Run, value: Any) -> list[Any]:
    return [[inner for one in _inside(value) for inner in run(one)]]


def _chosen(run: Run, value: Any) -> list[Any]:
    return [value for one in run(value) if _is_true(one)]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(value)  # noqa: TRY004 - as above
    return value


def _list_of(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(value)  # noqa: TRY004 - as above
    return value


def _part(bounds: slice, value: Any) -> list[Any]:
    return [_list_of(value)[bounds]]


def _sorted(value: Any, run: Run = _same) -> list[Any]:
    keys = [run(one) for one in _list_of(value)]
    if any(len(key) != 1 for key in keys) or len({type(key[0]) for key in keys}) > 1:
        raise ValueError(value)
    order = sorted(range(len(keys)), key=lambda at: _in_order(keys[at][0]))
    return [[value[at] for at in order]]


def _on_texts(test: Callable[[str, str], Any], run: Run, value: Any) -> list[Any]:
    """A function of a text and another one."""
    return [test(_text(value), _text(one)) for one in run(value)]


def _has_pattern(text: str, source: str) -> bool:
    if not _PLAIN_PATTERN.fullmatch(source) or "\n" in text:
        raise ValueError(source)
    return re.search(source, text) is not None


_PLAIN_PATTERN = pattern(r"\^?[\w /:@-]*\$?(?:\|\^?[\w /:@-]*\$?){0,8}")


def _split(marks: Run, value: Any) -> list[Any]:
    return [_text(value).split(_text(mark)) if _text(value) else [] for mark in marks(value)]


def _map_of(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(value)  # noqa: TRY004 - as above
    return value


def _has(keys: Run, value: Any) -> list[Any]:
    return [_text(key) in _map_of(value) for key in keys(value)]


def _entries(value: Any) -> list[Any]:
    return [[{"key": key, "value": one} for key, one in _map_of(value).items()]]


def _keys(value: Any) -> list[Any]:
    return [sorted(_map_of(value))]


def _quoted(value: Any) -> list[Any]:
    """``@sh``: each text in quotes of the shell."""
    ones = value if isinstance(value, list) else [value]
    return [" ".join(_in_quotes(one) if isinstance(one, str) else text_of(one) for one in ones)]


def _in_quotes(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _columns(value: Any) -> list[Any]:
    texts = [text_of(one) for one in value]
    if any(re.search(r"[\\\n\r\t]", one) for one in texts):
        raise ValueError(value)
    return ["\t".join(texts)]


def _total(value: Any) -> list[Any]:
    total = None
    for one in _inside(value):
        total = _sum(total, one)
    return [total]


_PLAIN: dict[str, Run] = {
    "to_entries": _entries,
    "keys": _keys,
    "keys_unsorted": lambda value: [list(_map_of(value))],
    "values": lambda value: [] if value is None else [value],
    "first": partial(_at, 0),
    "last": partial(_at, -1),
    "tostring": lambda value: [text_of(value)],
    "add": _total,
    "not": lambda value: [value is None or value is False],
    "empty": lambda _: [],
    "sort": _sorted,
    "reverse": lambda value: [_list_of(value)[::-1]],
    "length": lambda value: [len(value if isinstance(value, dict) else _list_of(value))],
    "true": lambda _: [True],
    "false": lambda _: [False],
    "null": lambda _: [None],
    "@sh": _quoted,
    "@text": lambda value: [text_of(value)],
    "@tsv": _columns,
}
_WITH_ARGUMENT: dict[str, Callable[[Run, Any], list[Any]]] = {
    "join": _joined,
    "map": _mapped,
    "select": _chosen,
    "split": _split,
    "has": _has,
    "sort_by": lambda run, value: _sorted(value, run),
    "startswith": partial(_on_texts, str.startswith),
    "endswith": partial(_on_texts, str.endswith),
    "contains": partial(_on_texts, str.__contains__),
    "ltrimstr": partial(_on_texts, str.removeprefix),
    "rtrimstr": partial(_on_texts, str.removesuffix),
    "test": partial(_on_texts, _has_pattern),
}

# -- YAML ----------------------------------------------------------------------------------------------


# end of module
