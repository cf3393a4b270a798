"""What a small program of Node prints of texts that it knows: a script that a line then runs.

Owns the part of the language that such programs are written in: constants, lists, loops, functions,
templates, and files of the project that they read. Anything else raises ValueError, and what is printed is
then unknown. Does not own programs of one expression (``shell.filters.data_programs``), nor what a program
does beside printing (``shell.code.programs``).
"""

from __future__ import annotations

import json
import posixpath
import re
from functools import partial

from operators_edge.shell.commands import HOLE
from operators_edge.shell.filters.node_values import (
    COMPUTES,
    MAX_TEXT,
    UNDEFINED,
    Search,
    as_text,
    bounded,
    entries,
    is_true,
    list_in,
    member,
    number_in,
    text_in,
    total,
)
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    Read = Callable[[str], str | None]
    Names = list[dict[str, Any]]
    """What names stand for, in the innermost block first."""
    Run = Callable[[Names], Any]
    Bind = Callable[[Names, Any], None]
    """Gives a value to a name, or its parts to several."""

_UNSURE = pattern(rf"[{HOLE}\ud800-\udfff]")
_MAX_STEPS = 20_000
MODULES = frozenset(("fs", "path"))

# -- tokens --------------------------------------------------------------------------------------------

_TOKEN = pattern(
    r"(?P<space>(?:\s|//[^\n]*|/\*.*?\*/)+)|(?P<word>[A-Za-z_$][\w$]*)|(?P<number>\d{1,15}(?![\w.]))"
    r"|(?P<text>'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\")|(?P<template>`)"
    r"|(?P<sign>=>|===|!==|&&|\|\||\?\?|\?\.|\.\.\.|\+=|\+\+|<=|>=|[-+*<>=!?:.,;(){}\[\]])"
    r"|(?P<search>/[\w@ -]+/g?(?![\w]))",
    re.DOTALL,
)
_ESCAPE = pattern(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([^0-9ux]))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "\n": ""}


class _Token(NamedTuple):
    """A part of the program; ``parts`` are the texts and expressions of a template."""

    kind: str
    text: str
    is_first: bool = False
    parts: tuple[str, ...] = ()


def _tokens(source: str) -> list[_Token]:
    found: list[_Token] = []
    at, is_first = 0, True
    while at < len(source):
        match = _TOKEN.match(source, at)
        if match is None:
            raise ValueError(source[at : at + 20])
        kind, at = str(match.lastgroup), match.end()
        if kind == "space":
            is_first |= "\n" in match[0]
            continue
        if kind == "template":
            parts, at = _template(source, at)
            found.append(_Token(kind, "`", is_first, parts))
        else:
            found.append(_Token(kind, match[0], is_first))
        is_first = False
    return found


def _template(source: str, at: int) -> tuple[tuple[str, ...], int]:
    """The parts of a template behind its first sign: a text, an expression, a text …, and where it ends."""
    parts: list[str] = []
    start = at
    while source[at] != "`":
        if source[at] == "\\":
            at += 2
        elif source.startswith("${", at):
            end = source.index("}", at)
            if re.search(r"[{`]", source[at + 2 : end]):
                raise ValueError(source[at:end])
            parts += [source[start:at], source[at + 2 : end]]
            start = at = end + 1
        else:
            at += 1
    return (*parts, source[start:at]), at + 1


def _unescaped(text: str) -> str:
    def put(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return chr(int(code, 16)) if code else _ESCAPED.get(match[3], match[3])

    if "\\" in _ESCAPE.sub("", text):
        raise ValueError(text)
    return _ESCAPE.sub(put, text.replace("\r\n", "\n"))


# -- the program ---------------------------------------------------------------------------------------


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


class _Leave(Exception):
    """``break``, ``continue``, or the end of the program."""

    def __init__(self, word: str) -> None:
        self.word = word


def printed(source: str, path: str, words: Sequence[str], read: Read) -> str:
    """Return what the program at ``path`` prints with the words behind it; ``read`` gives a file's text."""
    program = _Program(path, words, read)
    if source.startswith("#!"):
        source = source.partition("\n")[2]
    try:
        program.run(_Reader(_tokens(source), program).block())
    except _Leave as left:
        if left.word != "exit":
            raise ValueError(left.word) from left
    except _Return:  # it ends a module
        pass
    return "".join(program.printed)


class _Program:
    """One run: what names of the language stand for, and what has been printed."""

    def __init__(self, path: str, words: Sequence[str], read: Read) -> None:
        self.folder = posixpath.dirname(path)
        self.read = read
        self.printed: list[str] = []
        self.steps = self.size = 0
        files = {"readFileSync": self._file}
        paths = {
            "join": self._path,
            "basename": lambda one: posixpath.basename(text_in(one).rstrip("/")),
        }
        self.modules: dict[str, Any] = {"fs": files, "path": paths}
        self.globals: dict[str, Any] = {
            "console": {"log": self._log},
            "process": {
                "stdout": {"write": self._write},
                "exit": self._exit,
                "argv": [Search("node", False), Search(path, False), *words],
            },
            "JSON": {"parse": lambda text: json.loads(text_in(text)), "stringify": self._quoted},
            "Object": {
                "keys": lambda one: [key for key, _ in entries(one)],
                "values": lambda one: [value for _, value in entries(one)],
                "entries": entries,
            },
            "String": as_text,
            "require": self.module,
            "__dirname": self.folder or ".",
            "undefined": UNDEFINED,
        }

    def run(self, body: Run) -> None:
        body([{}, self.globals])

    def step(self) -> None:
        self.steps += 1
        if self.steps > _MAX_STEPS:
            raise ValueError(self.steps)

    def _write(self, text: str) -> bool:
        self.printed.append(text_in(text))
        self.size += len(text)
        if self.size > MAX_TEXT:
            raise ValueError(self.size)
        return True

    def _log(self, *values: Any) -> object:
        texts = [as_text(one) for one in values]
        if texts and "%" in texts[0] and len(texts) > 1:
            raise ValueError(texts)
        self._write(" ".join(texts) + "\n")
        return UNDEFINED

    def _exit(self, *_: Any) -> None:
        raise _Leave("exit")

    def _quoted(self, value: Any) -> str:
        if not isinstance(value, str) or not value.isascii() or not value.isprintable():
            raise ValueError(value)
        return json.dumps(value)

    def _file(self, path: Any, encoding: Any = None) -> str:
        text = self.read(text_in(path)) if encoding in ("utf8", "utf-8") else None
        if text is None or _UNSURE.search(text):
            raise ValueError(path)
        return text

    def _path(self, *parts: Any) -> str:
        whole = "/".join(text_in(one) for one in parts if one != "")
        path = posixpath.normpath(whole)
        return f"{path}/" if whole.endswith("/") and path != "/" else path

    def module(self, name: Any) -> Any:
        plain = text_in(name).removeprefix("node:")
        if plain in MODULES:
            return self.modules[plain]
        if not (name.startswith(("./", "../")) and name.endswith(".json")):
            raise ValueError(name)
        return json.loads(self._file(posixpath.normpath(f"{self.folder or '.'}/{name}"), "utf8"))


class _Reader:
    """Reads a program from left to right; each part becomes a function of the names around it."""

    def __init__(self, tokens: list[_Token], program: _Program) -> None:
        self.tokens = [*tokens, _Token("end", "", is_first=True)]
        self.program = program
        self.at = 0

    # -- statements

    def block(self, end: str = "") -> Run:
        """Statements up to a sign; functions among them are known from the start."""
        steps: list[Run] = []
        functions: list[Run] = []
        while not (self._take(end) if end else self._is("end")):
            if self._is("end"):
                raise ValueError(end)
            (functions if self._peek("function") else steps).append(self.statement())

        def run(names: Names) -> None:
            for step in (*functions, *steps):
                self.program.step()
                step(names)

        return run

    def statement(self) -> Run:
        if self._take(";"):
            return lambda _: None
        if self._take("{"):
            body = self.block("}")
            return lambda names: body([{}, *names])
        word = self.tokens[self.at]
        reader = _STATEMENTS.get(word.text) if word.kind == "word" else None
        if reader is not None:
            self.at += 1
            return reader(self)
        run = self._changed()
        self._end()
        return run

    def _changed(self) -> Run:
        """An expression, or what gives a name another value."""
        token, sign = self.tokens[self.at : self.at + 2] if not self._is("end") else (None, None)
        if (
            token is None
            or sign is None
            or token.kind != "word"
            or sign.text not in ("=", "+=", "++")
        ):
            return self.expression()
        self.at += 2
        value = (lambda _: 1) if sign.text == "++" else self.expression()
        name, is_added = token.text, sign.text != "="

        def run(names: Names) -> None:
            place = _place_of(name, names)
            if place is self.program.globals:
                raise ValueError(name)
            given = value(names)
            place[name] = total(place[name], given) if is_added else given

        return run

    def declaration(self) -> Run:
        steps: list[Run] = []
        while True:
            bind = self._target()
            self._expect("=")
            value = self.expression()
            steps.append(partial(_bound, bind, value))
            if not self._take(","):
                break
        self._end()
        return lambda names: [step(names) for step in steps]

    def imported(self) -> Run:
        bind = self._target()
        if not self._take("from"):
            raise ValueError("import")
        source = self._next("text")
        self._end()
        name = _unescaped(source.text[1:-1])
        if name.removeprefix("node:") not in MODULES:
            raise ValueError(name)
        return lambda names: bind(names, self.program.module(name))

    def _target(self) -> Bind:
        """A name, or names in brackets, that a value is given to."""
        if self._take("["):
            return self._target_list()
        if self._take("{"):
            return self._target_fields()
        name = self._next("word").text
        if name in _RESERVED or name in _LITERALS:
            raise ValueError(name)

        def bind_name(names: Names, value: Any) -> None:
            names[0][name] = value

        return bind_name

    def _target_list(self) -> Bind:
        binds: list[Bind] = []
        while not self._take("]"):
            binds.append(self._target())
            self._take(",")

        def bind_list(names: Names, value: Any) -> None:
            values = [*list_in(value), *[UNDEFINED] * len(binds)]
            for bind, one in zip(binds, values, strict=False):
                bind(names, one)

        return bind_list

    def _target_fields(self) -> Bind:
        fields: list[tuple[str, Bind]] = []
        while not self._take("}"):
            key = self._next("word").text
            if not self._take(":"):
                self.at -= 1
            fields.append((key, self._target()))
            self._take(",")

        def bind_fields(names: Names, value: Any) -> None:
            for key, bind in fields:
                bind(names, member(value, key))

        return bind_fields

    def loop(self) -> Run:
        self._expect("(")
        if self._next("word").text not in ("const", "let"):
            raise ValueError("for")
        bind = self._target()
        if not self._take("of"):
            raise ValueError("for")
        values = self.expression()
        self._expect(")")
        body = self.statement()

        def run(names: Names) -> None:
            for value in list_in(values(names)):
                self.program.step()
                inside = [{}, *names]
                bind(inside, value)
                try:
                    body(inside)
                except _Leave as left:
                    if left.word == "exit":
                        raise
                    if left.word == "break":
                        break

        return run

    def choice(self) -> Run:
        self._expect("(")
        test = self.expression()
        self._expect(")")
        then = self.statement()
        other = self.statement() if self._take("else") else None

        def run(names: Names) -> None:
            if is_true(test(names)):
                then(names)
            elif other is not None:
                other(names)

        return run

    def function(self) -> Run:
        name = self._next("word").text
        self._expect("(")
        function = self._callable(self._parameters())

        def run(names: Names) -> None:
            names[0][name] = function(names)

        return run

    def returned(self) -> Run:
        is_bare = self.tokens[self.at].is_first or self._peek(";") or self._peek("}")
        value = (lambda _: UNDEFINED) if is_bare else self.expression()
        self._end()

        def run(names: Names) -> None:
            raise _Return(value(names))

        return run

    def leaving(self, word: str) -> Run:
        self._end()

        def run(_: Names) -> None:
            raise _Leave(word)

        return run

    def _end(self) -> None:
        if not (self._take(";") or self._peek("}") or self.tokens[self.at].is_first):
            raise ValueError(self.tokens[self.at])

    # -- expressions

    def expression(self) -> Run:
        if self._is_arrow():
            return self._arrow()
        test = self._binary(0)
        if not self._take("?"):
            return test
        then = self.expression()
        self._expect(":")
        other = self.expression()
        return lambda names: then(names) if is_true(test(names)) else other(names)

    def _binary(self, level: int) -> Run:
        if level == len(_BINARY):
            return self._unary()
        first = self._binary(level + 1)
        used: set[str] = set()
        while self.tokens[self.at].kind == "sign" and self.tokens[self.at].text in _BINARY[level]:
            sign = self.tokens[self.at].text
            used.add(sign)
            if {"??", "||"} <= used:
                raise ValueError(sign)
            self.at += 1
            second = self._binary(level + 1)
            first = _combined(sign, first, second)
        return first

    def _unary(self) -> Run:
        if self._take("!"):
            run = self._unary()
            return lambda names: not is_true(run(names))
        if self._take("-"):
            value = self._term()
            return lambda names: _negative(value(names))
        return self._term()

    def _term(self) -> Run:
        run = self._start()
        while True:
            token = self.tokens[self.at]
            if self._take("."):
                run = _reaching(run, self._next("word").text)
            elif self._take("["):
                run = _indexed(run, self.expression())
                self._expect("]")
            elif token.text == "(" and token.kind == "sign":
                self.at += 1
                run = self._call(run)
            elif token.kind == "template":
                raise ValueError(token)
            else:
                return run

    def _call(self, run: Run) -> Run:
        given = self._values(")")

        def call(names: Names) -> Any:
            self.program.step()
            function = run(names)
            if not callable(function):
                raise ValueError(function)  # noqa: TRY004 - as above
            return function(*given(names))

        return call

    def _values(self, end: str) -> Run:
        """Values with commas between, some of them spread."""
        runs: list[tuple[bool, Run]] = []
        while not self._take(end):
            runs.append((self._take("..."), self.expression()))
            if not self._take(","):
                self._expect(end)
                break

        def run(names: Names) -> list[Any]:
            found: list[Any] = []
            for is_spread, one in runs:
                value = one(names)
                found += list_in(value) if is_spread else [value]
            bounded(found)
            return found

        return run

    def _start(self) -> Run:
        token = self.tokens[self.at]
        self.at += 1
        if token.kind == "text":
            text = _unescaped(token.text[1:-1])
            return lambda _: text
        if token.kind == "template":
            return self._filled(token.parts)
        if token.kind == "number" and str(int(token.text)) == token.text:
            number = int(token.text)
            return lambda _: number
        if token.kind == "search":
            source, _, flags = token.text[1:].rpartition("/")
            return lambda _: Search(source, flags == "g")
        if token.kind == "word":
            return _named(token.text)
        if token.text == "(":
            run = self.expression()
            self._expect(")")
            return run
        if token.text == "[":
            return self._values("]")
        if token.text == "{":
            return self._object()
        raise ValueError(token)

    def _filled(self, parts: Sequence[str]) -> Run:
        runs: list[Run] = []
        for at, part in enumerate(parts):
            if at % 2:
                inner = _Reader(_tokens(part), self.program)
                runs.append(inner.expression())
                if not inner._is("end"):
                    raise ValueError(part)
            else:
                runs.append(partial(_only, _unescaped(part)))
        return lambda names: "".join(as_text(run(names)) for run in runs)

    def _object(self) -> Run:
        fields: list[tuple[str, Run]] = []
        while not self._take("}"):
            token = self.tokens[self.at]
            self.at += 1
            if token.kind not in ("word", "text"):
                raise ValueError(token)
            key = token.text if token.kind == "word" else _unescaped(token.text[1:-1])
            if key == "__proto__":
                raise ValueError(key)
            is_short = token.kind == "word" and not self._peek(":")
            if not is_short:
                self._expect(":")
            fields.append((key, _named(key) if is_short else self.expression()))
            if not self._take(","):
                self._expect("}")
                break
        return lambda names: {key: run(names) for key, run in fields}

    def _is_arrow(self) -> bool:
        first, second = self.tokens[self.at], self.tokens[min(self.at + 1, len(self.tokens) - 1)]
        if first.kind == "word":
            return second.text == "=>"
        if first.text != "(" or first.kind != "sign":
            return False
        depth, at = 0, self.at
        while at < len(self.tokens) - 1:
            sign = self.tokens[at].text if self.tokens[at].kind == "sign" else ""
            depth += (sign in ("(", "[", "{")) - (sign in (")", "]", "}"))
            at += 1
            if not depth:
                return self.tokens[at].text == "=>"
        return False

    def _arrow(self) -> Run:
        binds = self._parameters() if self._take("(") else [self._target()]
        self._expect("=>")
        return self._callable(binds)

    def _parameters(self) -> list[Bind]:
        binds: list[Bind] = []
        while not self._take(")"):
            binds.append(self._target())
            if not self._take(","):
                self._expect(")")
                break
        return binds

    def _callable(self, binds: Sequence[Bind]) -> Run:
        is_block = self._take("{")
        body = self.block("}") if is_block else self.expression()

        def make(names: Names) -> Any:
            def called(*given: Any) -> Any:
                inside = [{}, *names]
                for bind, value in zip(binds, [*given, *[UNDEFINED] * len(binds)], strict=False):
                    bind(inside, value)
                try:
                    value = body(inside)
                except _Return as left:
                    return left.value
                return UNDEFINED if is_block else value

            return called

        return make

    # -- tokens

    def _is(self, kind: str) -> bool:
        return self.tokens[self.at].kind == kind

    def _peek(self, text: str) -> bool:
        token = self.tokens[self.at]
        return token.text == text and token.kind in ("word", "sign")

    def _take(self, text: str) -> bool:
        is_there = self._peek(text)
        self.at += is_there
        return is_there

    def _expect(self, text: str) -> None:
        if not self._take(text):
            raise ValueError(self.tokens[self.at])

    def _next(self, kind: str) -> _Token:
        token = self.tokens[self.at]
        if token.kind != kind:
            raise ValueError(token)
        self.at += 1
        return token


_STATEMENTS: dict[str, Callable[[_Reader], Run]] = {
    **dict.fromkeys(("const", "let"), _Reader.declaration),
    "import": _Reader.imported,
    "for": _Reader.loop,
    "if": _Reader.choice,
    "function": _Reader.function,
    "return": _Reader.returned,
    "break": lambda reader: reader.leaving("break"),
    "continue": lambda reader: reader.leaving("continue"),
}
_BINARY = (("||", "??"), ("&&",), ("===", "!=="), ("<", "<=", ">", ">="), ("+", "-"), ("*",))
_UNREAD = (
    "new typeof delete void in instanceof this super class async await yield while do switch throw try var"
    " catch finally with debugger export static get set arguments eval else case default enum"
)
_RESERVED = frozenset(_UNREAD.split())


def _combined(sign: str, first: Run, second: Run) -> Run:
    if sign == "&&":
        return lambda names: second(names) if is_true(one := first(names)) else one
    if sign == "||":
        return lambda names: one if is_true(one := first(names)) else second(names)
    if sign == "??":
        return lambda names: (
            second(names) if (one := first(names)) is None or one is UNDEFINED else one
        )
    compute = COMPUTES[sign]
    return lambda names: compute(first(names), second(names))


_LITERALS = {"true": True, "false": False, "null": None}


def _negative(value: Any) -> int:
    if not number_in(value):  # there is a zero of its own below zero
        raise ValueError(value)
    return -number_in(value)


def _bound(bind: Bind, value: Run, names: Names) -> None:
    bind(names, value(names))


def _only(known: Any, _: Names) -> Any:
    return known


def _named(name: str) -> Run:
    if name in _RESERVED:
        raise ValueError(name)
    if name in _LITERALS:
        return lambda _: _LITERALS[name]
    return lambda names: _place_of(name, names)[name]


def _place_of(name: str, names: Names) -> dict[str, Any]:
    """The block that a name is declared in."""
    for each in names:
        if name in each:
            return each
    raise ValueError(name)


def _reaching(run: Run, name: str) -> Run:
    return lambda names: member(run(names), name)


def _indexed(run: Run, index: Run) -> Run:
    def reach(names: Names) -> Any:
        value, at = run(names), index(names)
        if isinstance(value, list):
            return value[at] if 0 <= number_in(at) < len(value) else UNDEFINED
        return member(value, text_in(at)) if isinstance(value, dict) else _LITERALS[f"[{at}]"]

    return reach


# end of module
