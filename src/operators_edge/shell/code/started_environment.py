"""Which variables code of Python, Node, Ruby, Perl and PHP gives to the programs that it starts.

What a program sets on its way to a start, or hands to it, goes before what the line has set. A set counts
from its statement to the end of its block; what cannot be followed is a HOLE, and in Python only what is
handed over can, or what leads to another machine: what is left of a program (``shell.code.python.trace``)
has no blocks. Owns that, over the
tokens of ``shell.code.program_values``. Does not own the variables that code reads
(``shell.code.variables``).
"""

from __future__ import annotations

import re

from operators_edge.shell.code import variables
from operators_edge.shell.code.addresses import is_elsewhere
from operators_edge.shell.code.languages import NODE, PHP, PYTHON, RUBY
from operators_edge.shell.commands import HOLE, OWN_PATH
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.shell.code.programs import ProgramReader

_ENDS_BLOCK = frozenset(["end", "else", "elsif", "when", "rescue", "ensure", "in"])
_FUNCTIONS = frozenset(["function", "def", "sub", "fn", "lambda", "proc", "class", "module"])
_BEFORE = frozenset(["", ";", "{", "}", ")"])
"""Marks after which a statement begins on a new line."""
_OPEN_ENDED = frozenset(["else", "do", "and", "or", "not", "unless", "if", "while", "return"])
_CONDITIONS = frozenset(
    ["if", "unless", "while", "until", "for", "foreach", "switch", "case", "with"]
)
_ALL = frozenset(["process.env", "os.environ"])
"""How languages name all the variables."""
_SET_IN_PYTHON = frozenset(["os.environ", "os.environ.setdefault", "os.putenv"])
_OUTSIDE = pattern(r"/(?!tmp\b|dev\b|proc\b|usr\b|bin\b|nix\b)\w")
"""A path that no project is at."""
_MAX_TOKENS = 120
"""Tokens of the arguments of one call."""
_MAX_PAIRS = 40


class StartedEnvironment:
    """The variables at each place of one program, as it is gone through from its first token."""

    def __init__(self, reader: ProgramReader) -> None:
        self.reader = reader
        self.depth = 0
        self.known: dict[str, tuple[int, str]] = {}
        """A variable → the depth of the block in which it is set, and its value."""
        whole = reader.raw_whole
        self.sets_any = variables.sets_any(whole, reader.language)
        self.sets = variables.names_set(whole, reader.language)

    def step(self, at: int) -> None:
        """Go past a token."""
        token = self.reader.program.tokens[at]
        language = self.reader.language
        if token.mark in ("{", "}"):
            self.depth += 1 if token.mark == "{" else -1
            self.known = {name: one for name, one in self.known.items() if one[0] <= self.depth}
        is_function = token.name in _FUNCTIONS
        is_arrow = token.mark == "=" and self.reader.program.tokens[at + 1].mark == ">"
        is_arrow = is_arrow and language is NODE
        if is_function or is_arrow or (language is RUBY and token.name in _ENDS_BLOCK):
            self.known = {}
        if language is PYTHON:
            self._take_far(at)
        elif name_and_value := self._set_at(at):
            name, value_at = name_and_value
            self.known[name] = (self.depth, self._value(name, at, value_at))

    def of_call(self, at: int) -> tuple[tuple[str, str], ...]:
        """The variables that differ for what is started by the call of the name that is here."""
        found = {name: self.known.get(name, (0, HOLE))[1] for name in {*self.sets, *self.known}}
        given = self._given(at)
        if given is not None:
            inherits, own = given
            found = {**(found if inherits else {}), **own}
            if not inherits:
                found = {**dict.fromkeys(self.reader.environment, HOLE), **found}
        if self.sets_any:
            # What leads to another machine counts, even if something else may be set.
            known = {**self.reader.environment, **found}
            found = {name: one if _leads_away(name, one) else HOLE for name, one in known.items()}
        return tuple(found.items())

    # -- variables of the program itself ---------------------------------------------------------

    def _set_at(self, at: int) -> tuple[str, int] | None:
        """The variable that is set here, and where its value begins."""
        tokens, language = self.reader.program.tokens, self.reader.language
        token, first = tokens[at], tokens[at + 1]
        if language is PHP:
            is_call = token.name.lstrip("\\") == "putenv" and first.mark == "("
            name = re.match(r"(\w+)=", tokens[at + 2].text or "")
            return (name[1], at + 2) if is_call and name else None
        if language is NODE and (named := re.fullmatch(r"process\.env\.(\w+)", token.name)):
            name_of, after = named[1], at + 1
        elif token.name in {"process.env", "ENV", "$ENV"} and first.mark in ("[", "{"):
            key = tokens[at + 2]
            name_of, after = key.text or key.name, at + 4
        else:
            return None
        is_set = tokens[after].mark == "=" and tokens[after + 1].mark not in ("=", ">", "~")
        return (name_of, after + 1) if is_set else None

    def _take_far(self, at: int) -> None:
        """Note a variable of Python that leads out of here: on some way, it may be set."""
        name = self.reader.program.tokens[at].name
        if name in _SET_IN_PYTHON:
            self.known |= {name: (0, value) for name, value in self._far_at(at)}
        elif name == "os.environ.update":
            given = self._pairs(at + 1)[1].items()
            self.known |= {name: (0, value) for name, value in given if _leads_away(name, value)}

    def _far_at(self, at: int) -> Iterator[tuple[str, str]]:
        """Yield what ``table["NAME"] = value`` or ``setdefault("NAME", value)`` sets, if it leads away."""
        tokens = self.reader.program.tokens
        marks = (tokens[at + 1].mark, tokens[at + 3].mark)
        value_at = {("[", "]"): at + 5, ("(", ","): at + 4}.get(marks, 0)
        if not value_at or (marks[0] == "[" and tokens[at + 4].mark != "="):
            return
        name = tokens[at + 2].text or ""
        value, _ = self.reader.program.value(value_at, stops_at_line=True)
        if name and isinstance(value, str) and _leads_away(name, value):
            yield name, value

    def _value(self, name: str, at: int, value_at: int) -> str:
        """What a variable is surely set to here: a text, or a path in a folder of its own."""
        if not self._is_statement(at):
            return HOLE
        reader = self.reader
        value, end = reader.program.value(value_at, stops_at_line=True)
        following = reader.program.tokens[end]
        if reader.language is RUBY and not (
            following.is_on_new_line or following.mark in ("", ";")
        ):
            return HOLE
        if reader.language is PHP and isinstance(value, str):
            value = value.partition("=")[2]
        return self._settled(name, value if isinstance(value, str) else HOLE)

    def _settled(self, name: str, value: str) -> str:
        if HOLE not in value:
            return value.replace("~", HOLE) if value[:1] == "~" else value
        from operators_edge.shell.code import own_databases  # noqa: PLC0415 - few programs set such a value

        reader = self.reader
        is_own = own_databases.is_own_name(name, reader.raw_whole, reader.language)
        return f"file:{OWN_PATH}/own.db" if is_own else HOLE

    def _is_statement(self, at: int) -> bool:
        """Whether what begins here runs whenever what comes before it does."""
        before = at - 1
        if self.reader.program.tokens[before].name in ("local", "await") and at:
            before -= 1
        if before < 0:
            return True
        token = self.reader.program.tokens[before]
        if token.mark == ")":
            return not self._closes_condition(before)
        is_new = self.reader.program.tokens[before + 1].is_on_new_line
        if token.mark:
            return token.mark in _BEFORE or (token.mark == "]" and is_new)
        return token.name == "php" or (is_new and token.name not in _OPEN_ENDED)

    def _closes_condition(self, at: int) -> bool:
        """Whether the bracket that closes here is that of ``if (…)``, without a block."""
        level = 0
        while at >= 0:
            mark = self.reader.program.tokens[at].mark
            level += (mark == ")") - (mark == "(")
            if level == 0:
                return self.reader.program.tokens[at - 1].name in _CONDITIONS
            at -= 1
        return True

    # -- variables that are handed to one start --------------------------------------------------

    def _given(self, at: int) -> tuple[bool, dict[str, str]] | None:
        """What ``env: {…}`` hands to a program: whether all others, too, and its own; None without one.

        In Ruby they come first: ``system({"A" => "b"}, "x")``.
        """
        tokens, level = self.reader.program.tokens, 0
        if self.reader.language is RUBY:
            first = at + 1 + (tokens[at + 1].mark == "(")
            is_named = tokens[first].name.endswith("env") and tokens[first + 1].mark == ","
            return (
                (True, self._of_object(first)[1]) if is_named or tokens[first].mark == "{" else None
            )
        for here in range(at + 1, min(self.reader.program.end, at + _MAX_TOKENS)):
            token, following = tokens[here], tokens[here + 1]
            level += (token.mark in ("(", "{", "[")) - (token.mark in (")", "}", "]"))
            if level <= 0:
                return None
            is_option = token.name == "env" and tokens[here - 1].mark in ("{", ",", "(")
            if is_option and self.reader.language is PYTHON and following.mark == "=":
                return self._of_object(here + 2)
            if is_option and self.reader.language is NODE:
                if following.mark in (",", "}"):
                    return self._of_object(here)
                return self._of_object(here + 2) if following.mark == ":" else (False, {})
        return None

    def _of_object(self, at: int) -> tuple[bool, dict[str, str]]:
        tokens = self.reader.program.tokens
        name = tokens[at].name
        if name in _ALL and tokens[at + 1].mark in (",", "}", ")"):
            return True, {}
        if name == "dict" and tokens[at + 1].mark == "(":
            return self._pairs(at + 1)
        if name:
            places = [
                n + 2
                for n in range(self.reader.program.end)
                if tokens[n].name == name
                and tokens[n + 1].mark == "="
                and tokens[n + 2].mark != ">"
            ]
            changes = rf"(?<![\w.$]){re.escape(name)}(?:\.\w+|\[[^\]]*\])\s*=(?!=)"
            if len(places) != 1 or re.search(changes, self.reader.program.code):
                return False, self._far_in(name)
            at = places[0]
        if tokens[at].name == "dict":
            at += 1
        return self._pairs(at) if tokens[at].mark in ("{", "(") else (False, {})

    def _far_in(self, name: str) -> dict[str, str]:
        """What a table of Python has that leads away: on some way, it may be set."""
        tokens = self.reader.program.tokens
        if self.reader.language is not PYTHON:
            return {}
        places = (at for at in range(self.reader.program.end) if tokens[at].name == name)
        return dict(one for at in places for one in self._far_at(at))

    def _pairs(self, at: int) -> tuple[bool, dict[str, str]]:
        tokens, level = self.reader.program.tokens, 0
        inherits = is_mixed = False
        found: dict[str, str] = {}
        for here in range(at, min(self.reader.program.end, at + _MAX_TOKENS)):
            token, following = tokens[here], tokens[here + 1]
            level += (token.mark in ("(", "{", "[")) - (token.mark in (")", "}", "]"))
            if level <= 0 or len(found) > _MAX_PAIRS:
                break
            if level > 1:
                continue
            before = (tokens[here - 1].mark, tokens[here - 2].mark)
            is_spread = before in ((".", "."), ("*", "*")) or token.name in _ALL
            if token.name and is_spread:
                inherits |= token.name in _ALL
                is_mixed |= token.name not in _ALL
                found = dict.fromkeys(found, HOLE)
                continue
            key = token.name or token.text or ""
            if key and following.mark in (":", "="):
                after = here + 2 + (tokens[here + 2].mark == ">")
                value, _ = self.reader.program.value(after, stops_at_line=True)
                found[key] = self._settled(key, value if isinstance(value, str) else HOLE)
            elif key and following.mark in (",", "}") and tokens[here - 1].mark in ("{", ","):
                found[key] = self._settled(key, HOLE)
        return inherits and not is_mixed, found


def _leads_away(name: str, value: str) -> bool:
    """Whether a value leads to another machine, or out of every project."""
    return HOLE not in value and (is_elsewhere(value, name) or _OUTSIDE.match(value) is not None)


# end of module
