"""The grammar of compound statements: from a masked text (``quoting.mask``) to a tree.

Bash's rules for where a word is reserved hold: at the start of a command, and after the end of a compound
statement, with or without a separator. What bash refuses and cannot be misread (a second ``;``, an empty
body) is accepted. Owns the tree. Does not own what a statement does (``shell.syntax``).
"""

from __future__ import annotations

from operators_edge.shell.quoting import COMPOUND_TEST
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MAX_TREE = 100
"""Levels of nested compound statements."""

_TOKEN = pattern(
    r"(?P<redirect>&>>?|[<>]&|<<<|>>|<>|>\||[<>])|(?P<op>&&|\|\||\|&|;;&|;&|;;|[;&|()\n])"
    r"|(?P<word>[^\s;&|()<>]+)"
)
_SEPARATORS = frozenset([";", "&", "\n", "&&", "||"])
_CASE_ENDS = frozenset([";;", ";&", ";;&", "esac"])
_RESERVED = frozenset(["then", "elif", "else", "fi", "do", "done", "esac", "}", ")", *_CASE_ENDS])

Bounds = tuple[int, int]


class ParseError(Exception):
    """The text is not of the grammar, or is nested too deeply."""

    def __init__(self, *, is_too_deep: bool = False) -> None:
        super().__init__()
        self.is_too_deep = is_too_deep


class Statement(NamedTuple):
    """A part of the tree; ``kind`` says what the others mean.

    ============  ====================================================================================
    list          ``parts``, each with the operator that follows it in ``operators``
    pipeline      ``parts``
    simple        one command with its redirects, not taken apart; ``parts``: what stands in ``a(b)``
    group         ``parts``: the list inside; a subshell, coproc likewise
    if            ``parts``: condition, body, condition, body …, and the body of ``else``, if any
    while         ``parts``: condition and body
    for           ``name``, ``words`` (None without ``in``), ``parts``: the body
    case          ``words``, ``parts``: items, with their patterns in ``words`` and a list each
    function      ``name``, ``parts``: the body with its redirects
    redirected    ``parts``: a compound statement; the redirects follow it, up to ``end``
    ============  ====================================================================================
    """

    kind: str
    start: int
    end: int
    parts: tuple[Statement, ...] = ()
    operators: tuple[str, ...] = ()
    name: Bounds = (0, 0)
    words: Bounds | None = None


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def read_statements(masked: str) -> Statement:
    """Return the list of all statements of a text; raise ``ParseError``."""
    parser = _Parser(masked)
    found = parser.statements(frozenset())
    parser.expect("")
    return found


class _Parser:
    def __init__(self, masked: str) -> None:
        self.tokens = [
            _Token(match.lastgroup or "", match[0], match.start(), match.end())
            for match in _TOKEN.finditer(masked)
        ]
        self.tokens += [_Token("end", "", len(masked), len(masked))] * 3
        self.at = 0
        self.level = 0

    @property
    def here(self) -> _Token:
        return self.tokens[self.at]

    @property
    def done(self) -> int:
        """Where the last token that was taken ends."""
        return self.tokens[self.at - 1].end if self.at else 0

    def take(self) -> _Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, text: str) -> _Token:
        if self.here.text != text:
            raise ParseError
        return self.take()

    def skip(self, *texts: str) -> None:
        while self.here.text in texts and self.here.kind == "op":
            self.at += 1

    def statements(self, ends: frozenset[str]) -> Statement:
        """Read statements up to one of the ``ends``, which is not taken."""
        parts: list[Statement] = []
        operators: list[str] = []
        start = self.here.start
        self.skip(";", "\n")
        while self.here.kind != "end" and self.here.text not in ends:
            parts.append(self._pipeline())
            is_separated = self.here.kind == "op" and self.here.text in _SEPARATORS
            operators.append(self.take().text if is_separated else ";")
            self.skip(";", "\n")
            if not is_separated and self.here.kind != "end" and self.here.text not in ends:
                raise ParseError
        return Statement("list", start, self.done, tuple(parts), tuple(operators))

    def _pipeline(self) -> Statement:
        stages = [self._command()]
        while self.here.text in {"|", "|&"}:
            self.take()
            self.skip("\n")
            stages.append(self._command())
        if len(stages) == 1:
            return stages[0]
        return Statement("pipeline", stages[0].start, self.done, tuple(stages))

    def _command(self) -> Statement:
        begun, is_coproc = self._skip_prefixes()
        start, is_function = self.here, self._is_function()
        if start.text not in _COMPOUND and not is_function:
            self.at = begun
            return self._simple()
        if self.level >= MAX_TREE:
            raise ParseError(is_too_deep=True)
        self.level += 1
        self.take()
        read = _Parser.function if is_function else _COMPOUND[start.text]
        found = read(self, start)._replace(start=start.start, end=self.done)
        found = self._redirected(found)
        self.level -= 1
        return Statement("coproc", start.start, self.done, (found,)) if is_coproc else found

    def _skip_prefixes(self) -> tuple[int, bool]:
        """Go to the compound statement after ``!``, ``time`` and the like, if there is one.

        Return where a simple command would begin, and whether it is a coprocess.
        """
        begun, is_coproc = self.at, False
        while self.here.kind == "word" and self.here.text in _PREFIXES:
            name = self.take().text
            is_coproc |= name == "coproc"
            is_named = name == "coproc" and self.here.text not in _COMPOUND
            if name == "repeat" or is_named or (name == "time" and self.here.text == "-p"):
                self.take()
        return begun, is_coproc

    def _is_function(self) -> bool:
        """Whether ``NAME ()`` follows, with a body."""
        texts = [token.text for token in self.tokens[self.at + 1 : self.at + 4]]
        is_named = self.here.kind == "word" and self.here.text not in _COMPOUND
        return is_named and texts[:2] == ["(", ")"] and texts[2] not in {"", ";", "&", ")"}

    def _simple(self) -> Statement:
        start = self.here
        if start.kind not in {"word", "redirect"} or start.text in _RESERVED:
            raise ParseError
        if start.text[0] == COMPOUND_TEST:
            self.take()
            self._take_redirects()
            return Statement("simple", start.start, self.done)
        inside: list[Statement] = []
        while self.here.kind in {"word", "redirect"}:
            self.take()
            if self.here.text == "(" and self.here.start == self.done:
                inside += self.group(self.take()).parts
        if self.here.text == "(":
            raise ParseError
        return Statement("simple", start.start, self.done, tuple(inside))

    def _redirected(self, body: Statement) -> Statement:
        self._take_redirects()
        if self.done == body.end:
            return body
        return Statement("redirected", body.start, self.done, (body,))

    def _take_redirects(self) -> None:
        while self._is_redirect():
            if self.here.kind == "word":
                self.take()
            self.take()
            if self.here.kind == "word":
                self.take()

    def _is_redirect(self) -> bool:
        """Whether a redirect follows; its descriptor stands directly before it."""
        here, after = self.tokens[self.at : self.at + 2]
        if here.kind == "word":
            return after.kind == "redirect" and after.start == here.end
        return here.kind == "redirect"

    def group(self, opening: _Token) -> Statement:
        closing = "}" if opening.text == "{" else ")"
        inside = self.statements(frozenset([closing]))
        self.expect(closing)
        kind = "group" if opening.text == "{" else "subshell"
        return Statement(kind, 0, 0, (inside,))

    def if_(self, _: _Token) -> Statement:
        parts: list[Statement] = []
        is_last = False
        while not is_last:
            parts.append(self.statements(frozenset(["then"])))
            self.expect("then")
            parts.append(self.statements(frozenset(["elif", "else", "fi"])))
            is_last = self.here.text != "elif"
            if not is_last:
                self.take()
        if self.here.text == "else":
            self.take()
            parts.append(self.statements(frozenset(["fi"])))
        self.expect("fi")
        return Statement("if", 0, 0, tuple(parts))

    def while_(self, _: _Token) -> Statement:
        condition = self.statements(frozenset(["do"]))
        return Statement("while", 0, 0, (condition, self._body()))

    def for_(self, _: _Token) -> Statement:
        name = self._word()
        self.skip("\n")
        words = None
        if self.here.text == "in":
            self.take()
            start = self.here.start
            while self.here.kind == "word":
                self.take()
            words = (min(start, self.done), self.done)
        self.skip(";", "\n")
        return Statement("for", 0, 0, (self._body(),), (), (name.start, name.end), words)

    def _body(self) -> Statement:
        """Read the body of a loop: ``do … done``, or a group."""
        closing = "}" if self.here.text == "{" else "done"
        self.expect("{" if closing == "}" else "do")
        inside = self.statements(frozenset([closing]))
        self.expect(closing)
        return inside

    def case(self, _: _Token) -> Statement:
        subject = self._word()
        self.skip("\n")
        self.expect("in")
        items: list[Statement] = []
        self.skip("\n")
        while self.here.text != "esac":
            items.append(self._item())
            self.skip("\n")
        self.expect("esac")
        return Statement("case", 0, 0, tuple(items), (), (0, 0), (subject.start, subject.end))

    def _item(self) -> Statement:
        start = self.here.start
        if self.here.text == "(":
            self.take()
        pattern = self._word()
        while self.here.text == "|":
            self.take()
            self._word()
        words = (pattern.start, self.done)
        self.expect(")")
        body = self.statements(_CASE_ENDS)
        if self.here.text != "esac":
            self.take()
        return Statement("item", start, self.done, (body,), (), (0, 0), words)

    def function(self, name: _Token) -> Statement:
        if name.text == "function":
            name = self._word()
        if self.here.text == "(":
            self.take()
            self.expect(")")
        self.skip("\n")
        body = self._command()
        return Statement("function", 0, 0, (body,), (), (name.start, name.end))

    def _word(self) -> _Token:
        if self.here.kind != "word":
            raise ParseError
        return self.take()


_PREFIXES = frozenset(["!", "time", "coproc", "repeat"])
_COMPOUND: dict[str, Callable[[_Parser, _Token], Statement]] = {
    "{": _Parser.group,
    "(": _Parser.group,
    "if": _Parser.if_,
    "while": _Parser.while_,
    "until": _Parser.while_,
    "for": _Parser.for_,
    "select": _Parser.for_,
    "case": _Parser.case,
    "function": _Parser.function,
}

# end of module
