"""What awk prints of a known text.

Owns the small part of the language that takes fields and blocks of lines out of a file. Whatever else a
program holds raises ValueError, so nothing is known of one that starts a program, reads or writes another
file, or takes a value from the environment. Does not own what such a program does (``shell.code.programs``).
"""

from __future__ import annotations

import re

from operators_edge.shell.filters.awk_values import (
    FUNCTIONS,
    Field,
    Record,
    Value,
    assign,
    both,
    compare,
    computed,
    concatenated,
    either,
    finds,
    is_true,
    number_of,
    print_formatted,
    print_whole,
    text_of,
    value_at,
)
from operators_edge.shell.filters.text_lines import (
    Filter,
    LinePattern,
    line_pattern,
    lines_of,
    options_of,
)
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.shell.filters.awk_values import Place, Run

_GOES_ON = ("~", "!~", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "%", "!")
_TOKEN = pattern(
    r"[ \t]*(?:\\\n|#[^\n]*)*[ \t]*(?:(?P<end>[;\n])|(?P<number>\d{1,9}(?![\w.]))"
    r"|(?P<text>\"(?:[^\"\\\n]|\\[^\n])*\")"
    r"|(?P<name>[A-Za-z_]\w*)|(?P<mark>&&|\|\||\+\+|--|\+=|==|!=|<=|>=|!~|[{}()\[\],$!~<>=+*%-]))"
)
_REGEX = pattern(r"/((?:[^/\\\n\[]|\\.|\[\^?\]?[^\]\n]*\])+)/")
_NAMES_OF_AWK = (
    "ARGC ARGV ARGIND BINMODE CONVFMT ENVIRON ERRNO FIELDWIDTHS FILENAME FNR FPAT FUNCTAB IGNORECASE LINT"
    " NF NR OFMT PREC PROCINFO RLENGTH ROUNDMODE RS RSTART RT SUBSEP SYMTAB TEXTDOMAIN"
)
_OWN_NAMES = frozenset(_NAMES_OF_AWK.split())
"""Variables with a meaning of their own; NR, FNR and NF can be read."""
_WORDS_OF_AWK = (
    "BEGINFILE ENDFILE break case close continue default delete do else exit fflush for func function"
    " getline if in next nextfile print printf return switch system while"
)
_WORDS = frozenset(_WORDS_OF_AWK.split())
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "/": "/"}


class _NextError(ValueError):
    """``next``."""


class _ExitError(ValueError):
    """``exit``."""


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


class _Rule(NamedTuple):
    first: Run | None
    last: Run | None
    act: Run


class _Parser:
    """Turns a program into functions of a record."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.at = 0
        self.is_printing = False
        self.token = self._read()

    def _read(self) -> _Token:
        found = _TOKEN.match(self.code, self.at)
        if found is None:
            blank = re.compile(r"(?:[ \t]|\\\n|#[^\n]*)*").match(self.code, self.at)
            at = blank.end() if blank else self.at
            if at == len(self.code):
                return _Token("", "", at)
            return _Token("other", self.code[at], at)
        return _Token(
            found.lastgroup or "", found[found.lastgroup or 0], found.start(found.lastgroup or 0)
        )

    def _next(self) -> _Token:
        token = self.token
        if token.kind == "other":
            raise ValueError(self.code)
        self.at = token.at + len(token.text)
        self.token = self._read()
        return token

    def _is(self, *texts: str) -> bool:
        return self.token.text in texts and self.token.kind in ("mark", "name", "end")

    def _take(self, text: str) -> bool:
        if not self._is(text):
            return False
        self._next()
        return True

    def _need(self, text: str) -> None:
        if not self._take(text):
            raise ValueError(self.code)

    def _skip_ends(self) -> None:
        while self.token.kind == "end":
            self._next()

    def _skip_lines(self) -> None:
        while self._is("\n"):
            self._next()

    # -- rules -------------------------------------------------------------------------------------

    def program(self) -> tuple[list[Run], list[_Rule], list[Run]]:
        begin: list[Run] = []
        rules: list[_Rule] = []
        end: list[Run] = []
        self._skip_ends()
        while self.token.kind:
            if self._is("BEGIN", "END"):
                (begin if self._next().text == "BEGIN" else end).append(self._block())
            else:
                first = None if self._is("{") else self._expression()
                last = self._expression() if first and self._take(",") else None
                has_block = self._is("{")
                act = self._block() if has_block else print_whole
                if not has_block:
                    self._end_statement()
                rules.append(_Rule(first, last, act))
            self._skip_ends()
        return begin, rules, end

    def _block(self) -> Run:
        self._need("{")
        self._skip_ends()
        steps: list[Run] = []
        while not self._take("}"):
            steps.append(self._statement())
            self._skip_ends()

        def run(record: Record) -> Value:
            for step in steps:
                record.spend()
                step(record)
            return None

        return run

    def _statement(self) -> Run:
        if self._is("{"):
            return self._block()
        if self._take("if"):
            return self._condition()
        if self._is("next", "exit"):
            raised = _NextError if self._next().text == "next" else _ExitError
            self._end_statement()
            return lambda _: _raise(raised())
        run = self._print() if self._is("print", "printf") else self._expression()
        self._end_statement()
        return run

    def _end_statement(self) -> None:
        """Nothing but a separator may follow: ``print > "file"`` and a pipe are not read."""
        if self.token.kind not in ("end", "") and not self._is("}"):
            raise ValueError(self.code)

    def _condition(self) -> Run:
        self._need("(")
        condition = self._expression()
        self._need(")")
        self._skip_lines()
        then = self._statement()
        before = self.at, self.token
        self._skip_ends()
        other: Run | None = None
        if self._take("else"):
            self._skip_lines()
            other = self._statement()
        else:
            self.at, self.token = before

        def run(record: Record) -> Value:
            if is_true(condition(record)):
                return then(record)
            return other(record) if other else None

        return run

    def _print(self) -> Run:
        is_formatted = self._next().text == "printf"
        self.is_printing = True
        given = [] if self.token.kind in ("end", "") or self._is("}") else self._printed()
        self.is_printing = False
        if is_formatted:
            return lambda record: print_formatted(record, [one(record) for one in given])
        if not given:
            return print_whole

        def run(record: Record) -> Value:
            texts = [text_of(one(record)) for one in given]
            record.printed.append(
                text_of(record.variables["OFS", ""]).join(texts)
                + text_of(record.variables["ORS", ""])
            )
            return None

        return run

    def _printed(self) -> list[Run]:
        """The list after ``print``, in which ``>`` names a file."""
        before = self.at, self.token
        if self._take("("):
            self.is_printing = False
            found = self._list()
            self.is_printing = True
            if self._take(")") and (self.token.kind in ("end", "") or self._is("}")):
                return found
            self.at, self.token = before
        return self._list()

    def _list(self) -> list[Run]:
        found = [self._expression()]
        while self._take(","):
            self._skip_lines()
            found.append(self._expression())
        return found

    # -- expressions -------------------------------------------------------------------------------

    def _expression(self) -> Run:
        run = self._all()
        while self._take("||"):
            self._skip_lines()
            run = either(run, self._all())
        return run

    def _all(self) -> Run:
        run = self._compared()
        while self._take("&&"):
            self._skip_lines()
            run = both(run, self._compared())
        return run

    def _compared(self) -> Run:
        is_not = self._is("!")
        start = self.at
        left = self._unary() if is_not else self._joined()
        if is_not and (self._is(*_GOES_ON) or self._begins_value()):
            raise ValueError(self.code[start:])  # what the sign belongs to differs
        if self._is("~", "!~"):
            return finds(left, wanted=self._next().text == "~", found=self._pattern())
        if self._is("==", "!=", "<", "<=", ">=") or (self._is(">") and not self.is_printing):
            return compare(self._next().text, left, self._joined())
        return left

    def _pattern(self) -> LinePattern:
        if self.token.kind == "text":
            text = self._next().text[1:-1]
            if "\\" in text:
                raise ValueError(text)
            return line_pattern(text, is_extended=True)
        return self._regex()

    def _regex(self) -> LinePattern:
        found = _REGEX.match(self.code, self.token.at) if self.token.text == "/" else None
        if found is None:
            raise ValueError(self.code)
        self.at = found.end()
        self.token = self._read()
        source = found[1].replace("\\/", "/").replace("\\t", "\t").replace('\\"', '"')
        return line_pattern(source, is_extended=True)

    def _joined(self) -> Run:
        """Values beside each other are one text."""
        run = self._sum()
        while self._begins_value():
            run = concatenated(run, self._sum())
        return run

    def _begins_value(self) -> bool:
        return self.token.kind in ("number", "text") or self._is("$", "(") or self._is_value_name()

    def _is_value_name(self) -> bool:
        return self.token.kind == "name" and self.token.text not in _WORDS

    def _sum(self) -> Run:
        run = self._product()
        while self._is("+", "-"):
            run = computed(self._next().text, run, self._product())
        return run

    def _product(self) -> Run:
        run = self._unary()
        while self._is("*", "%"):
            run = computed(self._next().text, run, self._unary())
        return run

    def _unary(self) -> Run:
        if self._take("!"):
            inner = self._unary()
            return lambda record: int(not is_true(inner(record)))
        if self._take("-"):
            negative = self._unary()
            return lambda record: -number_of(negative(record))
        return self._primary()

    def _primary(self) -> Run:
        token = self.token
        if token.text == "/":
            found = self._regex()
            return lambda record: int(found.finds(record.whole))
        if token.kind == "number":
            number = int(self._next().text)
            return lambda _: number
        if token.kind == "text":
            text = _unescaped(self._next().text[1:-1])
            return lambda _: text
        if self._take("("):
            return self._inside(")")
        if self._is("$") or self._is_value_name():
            return self._of_place()
        raise ValueError(self.code)

    def _inside(self, end: str) -> Run:
        """An expression in brackets, where ``>`` names no file."""
        before, self.is_printing = self.is_printing, False
        inner = self._expression()
        self.is_printing = before
        self._need(end)
        return inner

    def _of_place(self) -> Run:
        """A field, a variable or a function: read, or set."""
        if self._is("$"):
            return self._assigned(self._field())
        name = self._next().text
        if self.code[self.at : self.at + 1] == "(":
            return self._call(name)
        if name in ("NR", "FNR"):
            return lambda record: record.number
        if name == "NF":
            return lambda record: len(record.fields)
        if name in _OWN_NAMES or name in FUNCTIONS or name in ("sub", "gsub"):
            raise ValueError(name)
        key: Run = lambda _: ""  # noqa: E731 - one of two
        if self._take("["):
            key = self._inside("]")
        return self._assigned(lambda record: (name, text_of(key(record))))

    def _field(self) -> Place:
        self._next()
        if self._is("(", "NF", "NR") or self.token.kind == "number":
            which = self._primary()
        elif self._is_value_name():
            name = self._next().text
            if name in _OWN_NAMES or self.code[self.at : self.at + 1] in ("(", "["):
                raise ValueError(name)
            which = lambda record: record.variables.get((name, ""))  # noqa: E731 - one of two
        else:
            raise ValueError(self.code)
        return lambda record: ("$", number_of(which(record)))

    def _assigned(self, place: Place) -> Run:
        if self._is("=", "+="):
            sign = self._next().text
            value = self._expression()
            return lambda record: assign(record, place(record), sign, value(record))
        if self._is("++", "--"):
            change = 1 if self._next().text == "++" else -1

            def step(record: Record) -> Value:
                where = place(record)
                before = number_of(value_at(record, where))
                assign(record, where, "=", before + change)
                return before

            return step
        return lambda record: value_at(record, place(record))

    def _call(self, name: str) -> Run:
        self._need("(")
        if name in ("sub", "gsub"):
            return self._substitution(is_global=name == "gsub")
        before, self.is_printing = self.is_printing, False
        given = [] if self._is(")") else self._list()
        self.is_printing = before
        self._need(")")
        if name not in FUNCTIONS or not given:
            raise ValueError(name)
        return lambda record: FUNCTIONS[name]([one(record) for one in given])

    def _substitution(self, *, is_global: bool) -> Run:
        found = self._pattern()
        self._need(",")
        text = self._expression()
        place: Place = lambda _: ("$", 0)  # noqa: E731 - one of two
        if self._take(","):
            if self._is("$"):
                place = self._field()
            elif self._is_value_name() and self.token.text not in _OWN_NAMES:
                name = self._next().text
                place = lambda _: (name, "")  # noqa: E731 - one of two
            else:
                raise ValueError(self.code)
        self._need(")")
        if not found.is_extent_known or found.compiled.match(""):
            raise ValueError(self.code)

        def run(record: Record) -> Value:
            new, where = text_of(text(record)), place(record)
            if "\\" in new:
                raise ValueError(new)
            before = text_of(value_at(record, where))
            found.search(before)
            after, number = found.compiled.subn(
                lambda match: new.replace("&", match[0]), before, int(not is_global)
            )
            if number:
                assign(record, where, "=", after)
            elif where[0] == "$" and where[1] and record.is_respaced:
                raise ValueError(before)  # some join the fields again anyway
            return number

        return run


def _raise(error: Exception) -> Value:
    raise error


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: _ESCAPES[found[1]], text)


def _run(code: str, values: dict[str, str], text: str) -> str:
    begin, rules, end = _Parser(code).program()
    record = Record()
    record.variables |= {(name, ""): Field(value) for name, value in values.items()}
    open_ones: set[int] = set()
    lines = lines_of(text)
    try:
        for act in begin:
            act(record)
        if rules or end:
            for number, line in enumerate(lines, 1):
                record.read(line, number)
                _run_rules(rules, record, open_ones)
    except _ExitError:
        pass
    try:
        for act in end:
            act(record)
    except _ExitError:
        pass
    return "".join(record.printed)


def _run_rules(rules: Sequence[_Rule], record: Record, open_ones: set[int]) -> None:
    try:
        for at, rule in enumerate(rules):
            record.spend()
            is_met = at in open_ones or rule.first is None or is_true(rule.first(record))
            if is_met and rule.last is not None:
                is_over = is_true(rule.last(record))
                (open_ones.discard if is_over else open_ones.add)(at)
            if is_met:
                rule.act(record)
    except _NextError:
        pass


def awk(arguments: Sequence[str]) -> Filter:
    """Return what awk does with these arguments."""
    if arguments and arguments[0] == "--":
        raise ValueError(arguments)
    code_at = next(
        (at for at, one in enumerate(arguments) if _is_code(arguments, at)), len(arguments)
    )
    options, _ = options_of(arguments[:code_at], "", "Fv")
    code, *files = arguments[code_at:]
    values = {}
    for one in options.get("v", ()):
        found = re.fullmatch(r"([A-Za-z_]\w*)=([^\\]*)", one)
        if found is None or found[1] in {*_OWN_NAMES, *_WORDS}:
            raise ValueError(one)
        values[found[1]] = found[2]
    if "F" in options:
        values["FS"] = _field_mark(options["F"][-1])
    if any("=" in one or one[:1] == "-" for one in files):
        raise ValueError(files)
    _Parser(code).program()
    return Filter(lambda text: _run(code, values, text), tuple(files))


def _is_code(arguments: Sequence[str], at: int) -> bool:
    """Whether a word is the first one that is neither an option nor the value of one."""
    return arguments[at][:1] != "-" and (at == 0 or arguments[at - 1] not in ("-F", "-v"))


def _field_mark(given: str) -> str:
    if given == "t":  # a tab for some
        raise ValueError(given)
    mark = given.replace("\\t", "\t")
    found = re.fullmatch(r"\\\\?([|.*+?()\[\]$^])", mark)
    return f"\\{found[1]}" if found else mark


# end of module
