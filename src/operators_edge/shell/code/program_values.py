"""The tokens of a program, and the values of its expressions: of literals, and of names set to them.

Owns reading one program text token by token, its imports and its loops over known lists. Does not own what
its calls do (``shell.code.programs``, ``shell.code.effects``). Pure.
"""

from __future__ import annotations

import re

from operators_edge.shell.code.effects import EachOf, Literal
from operators_edge.shell.code.imported_names import imported_names
from operators_edge.shell.code.languages import (
    BARE_IN,
    CALLS,
    DISTINCT,
    NODE,
    OF_PLACES,
    PERL,
    PHP,
    PYTHON,
    RUBY,
    RUNS_CODE,
    Language,
    R,
)
from operators_edge.shell.code.scripts import unescaped
from operators_edge.shell.commands import HOLE, OWN_PATH
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

MAX_EXPRESSION = 256
"""Tokens of one expression; a longer one is unknown."""
MAX_ITEMS = 64
_MAX_HEAD = 24
"""Tokens of a loop's head."""
MAX_TOKENS = 200_000
"""Tokens of one program; what a longer one starts is unknown."""


_PADDING = 4
"""Empty tokens after the last one, so that what follows a token can be asked at any place."""

_STRING = (
    r"(?P<prefix>\b[rRbBuUfF]{1,2})?"
    r"(?P<string>'''[\s\S]*?'''|\"\"\"[\s\S]*?\"\"\"|'(?:[^'\\]|\\[\s\S])*'|\"(?:[^\"\\]|\\[\s\S])*\"|`(?:[^`\\]|\\[\s\S])*`)"
)
_QUOTED = (
    r"(?P<op>\b(?:qx|qq|q|qw)|%x|%q|%Q|%w)\s?"
    r"(?P<body>\([^)]{0,2000}\)|\{[^}]{0,2000}\}|\[[^\]]{0,2000}\]"
    r"|\|[^|]{0,2000}\||/[^/]{0,2000}/|![^!]{0,2000}!)"
)
_NAME = r"(?P<name>[A-Za-z_$][\w$]*(?:\s*(?:\.|::)\s*[A-Za-z_]\w*)*)"
_ENDS = frozenset([",", ")", "]", "}", ";"])


_OPTIONS = frozenset("method type url hostname host path text sql to".split())  # noqa: SIM905 - names
_LISTED = pattern(r"\b(\w+)\s*=\s*\[((?:\s*(?:'[^'\n]*'|\"[^\"\n]*\")\s*,?)+)\]")
_KEYED = pattern(r"[\w.]+(?:\[|\.fetch\(|->\{)\s*:?['\"]?(\w+)['\"]?[\])}]")
_HOME_NAMES = frozenset(
    ["Dir.home", "os.homedir", "os.homedir()", "homedir()", "homedir", "Dir.home()"]
)
_FORMATS_TEXT = frozenset(["sprintf", "format", "util.format", "Kernel.format"])


_STARTS_AGAIN = frozenset(("os.path.join", "path.resolve", "Path", "pathlib.Path", "Pathname"))
"""Calls for which an absolute part goes before those in front of it."""


def _path(name: str, parts: list[str]) -> str:
    """The path that a call makes of its arguments."""
    if name == "File.expand_path":  # what it is relative to comes last
        parts = [*parts[1:2], parts[0]] if parts and parts[0][:1] not in ("/", "~") else parts[:1]
    if name in _STARTS_AGAIN:
        last = max((at for at, one in enumerate(parts) if one[:1] == "/"), default=0)
        parts = parts[last:]
    return "/".join(parts).replace("//", "/") if len(parts) > 1 else "".join(parts)


def _filled(arguments: list[Literal]) -> Literal:
    """``sprintf("%s/x", y)``."""
    texts = [text if isinstance(text, str) else HOLE for text in arguments]
    if not texts:
        return None
    rest = iter(texts[1:])
    return re.sub(r"%[-\d.]*[sdi]", lambda _: next(rest, HOLE), texts[0])


def is_redefined(name: str, code: str) -> bool:
    """Whether a program may mean something of its own by the name of a library's function."""
    last = re.escape(re.split(r"[.:]+", name)[-1])
    owns = rf"\b(?:function|def|sub|fn)\s+(?:self\.)?{last}\b|\b{last}\s*(?:=(?![=>])|:(?!:))"
    return re.search(rf"{owns}|['\"]{last}['\"]|\b{last}\s*\([^()]*\)\s*\{{", code) is not None


class TooLongError(Exception):
    """The program is too long to read to its end."""


class Token(NamedTuple):
    """A name, a mark, a string with its ``text``, or a ``command`` that the language itself runs.

    ``words`` are those of a list like ``%w[a b]``.
    """

    name: str = ""
    mark: str = ""
    text: str | None = None
    command: str | None = None
    is_on_new_line: bool = False
    words: tuple[str, ...] = ()


class ProgramValues:
    """The tokens of one program, and what its names and expressions stand for, as far as they are read."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.code = ""
        self.tokens: list[Token] = []
        self.end = 0
        self.names: dict[str, str] = {}
        self.values: dict[str, Literal] = {}
        self.texts: dict[str, str] = {}
        """What names are set to, as far as it is read: for what is put into later strings."""
        self._paths_at: dict[str, int] = {}
        """Names that are set to a path which a call makes, and where that call is: not read yet."""
        self.returned: frozenset[str] = frozenset()
        """Functions that are given what they return, like names."""
        self._work = 0
        quoted = _QUOTED + "|" if language.has_command_backticks else ""
        comment = f"(?P<comment>{language.comment})|" if language.comment else ""
        self._pattern = re.compile(
            f"{comment}{quoted}{_STRING}|{_NAME}|(?P<number>\\d+)|(?P<mark>[^\\s\\w])"
        )

    def tokenize(self, code: str) -> None:
        matches = [match for match in self._pattern.finditer(code) if match.lastgroup != "comment"]
        ends = [0, *(match.end() for match in matches)]
        self.code, self.tokens = code, []
        seen: dict[str, str] = {}
        for name, listed in _LISTED.findall(code):
            words = re.findall(r"'([^']*)'|\"([^\"]*)\"", listed)
            text = " ".join(one or other for one, other in words)
            self.texts[name] = text if seen.setdefault(name, text) == text else HOLE
        for match, end in zip(matches, ends, strict=False):
            token = self._token(match, is_on_new_line="\n" in code[end : match.start()])
            self.tokens.append(token)
            self._note_text()
        self.end = len(self.tokens)
        self.tokens += [Token()] * _PADDING

    def _note_text(self) -> None:
        """Remember a text, or the home folder, that is given to a name."""
        first, *_, name, mark, value = [Token(), Token(), Token(), *self.tokens[-4:]][-4:]
        joins = ".+%" if self.language in {PERL, PHP} else "+%"
        if first.name and name.mark == "=" and mark.text is not None and value.mark in set(joins):
            self.texts[first.name.lstrip("$")] = HOLE  # it is only the beginning
        if name.name and mark.mark == "=" and value.mark != "[":
            is_home = value.name in _HOME_NAMES
            text = "~" if is_home else value.text
            self.texts.pop(name.name.lstrip("$"), None)
            self.texts |= {name.name.lstrip("$"): text} if text is not None else {}
            self._paths_at.pop(name.name.lstrip("$"), None)
            if text is None and CALLS.get(self.resolve(value.name)) == "same path":
                self._paths_at[name.name.lstrip("$")] = len(self.tokens) - 1

    def _token(self, match: re.Match[str], *, is_on_new_line: bool) -> Token:
        operator = match["op"] if self.language.has_command_backticks else None
        text = command = None
        words: tuple[str, ...] = ()
        if operator in {"qw", "%w"}:
            words = tuple(match["body"][1:-1].split())
        elif operator:
            inside = match["body"][1:-1]
            if operator in {"qx", "%x"}:
                command = self._interpolated(inside)
            else:
                text = inside
        elif match["string"]:
            text = self._literal(match)
            if match["string"][0] == "`" and self.language.has_command_backticks:
                text, command = None, text
        return Token(match["name"] or "", match["mark"] or "", text, command, is_on_new_line, words)

    def _interpolated(self, text: str) -> str:
        """Put what is known into a text, and HOLEs for the rest."""
        return re.sub(self.language.interpolation, lambda match: self._inside(match[0]), text)

    def _inside(self, written: str) -> str:
        """``${name}``, ``{$name}``, ``#{name}``, ``$name``: what it stands for in a text."""
        name = written.strip("$#@{}() \t\n")
        if name in _HOME_NAMES or written.startswith("$ENV{HOME"):
            return "~"
        if len(name) > 1 and name[0] in "'\"" and name[-1] == name[0]:
            return name[1:-1]
        if name not in self.texts and (keyed := _KEYED.fullmatch(name)):
            return self.texts.get(keyed[1], HOLE)
        if name not in self.texts:
            self._learn_paths()
        return self.texts.get(name, HOLE)

    def _learn_paths(self) -> None:
        """Read ``dir = path.join(os.homedir(), "x")``: only for a text that needs it."""
        waiting, self._paths_at = self._paths_at, {}
        before, self.end = self.values, len(self.tokens)
        self.tokens += [Token()] * _PADDING
        for name, at in waiting.items():
            self.values = {**before, **self.texts}
            path, _ = self.value(at, stops_at_line=True)
            if isinstance(path, str) and path[:1] in {"~", "/"} and OWN_PATH not in path:
                self.texts[name] = path
        self.values = before
        del self.tokens[self.end :]

    def _literal(self, match: re.Match[str]) -> str:
        whole, prefix = match["string"], (match["prefix"] or "").lower()
        width = 3 if whole[:3] in {"'''", '"""'} else 1
        text = whole[width:-width]
        if "f" in prefix:
            text = re.sub(r"\{[^{}]*\}", HOLE, text)
        if self.language.interpolation and whole[0] != "'":
            text = self._interpolated(text)
        is_literal = "r" in prefix or (whole[0] == "'" and self.language.has_command_backticks)
        return re.sub(r"\\(['\\])", r"\1", text) if is_literal else unescaped(text)

    def learn_names(self, code: str) -> None:
        """Follow imports, so that only names of process and file modules count."""
        if self.language is PYTHON:
            # Strings and comments import nothing.
            code = self._pattern.sub(
                lambda match: "" if match["string"] or match.lastgroup == "comment" else match[0],
                code,
            )
        self.names |= imported_names(code, self.language)

    def resolve(self, name: str) -> str:
        name = re.sub(r"\s+", "", name)
        if self.language is PHP and name.startswith("$"):
            called = self.values.get(name[1:])
            name = called if isinstance(called, str) else name
        head, dot, tail = name.partition(".")
        name = self.names.get(head, head) + dot + tail
        if self.language is NODE and "child_process." in name:
            return name[name.rindex("child_process.") :]
        last = name.rpartition(".")[2]
        return last if self.language is NODE and last in DISTINCT else name

    def learn_value(self, at: int) -> None:
        has_value = at + 2 < self.end and self.tokens[at + 2].mark not in {"=", ">"}
        if has_value and self.tokens[at + 1].mark == "=":
            value, _ = self.value(at + 2, stops_at_line=True)
            self.values[self.tokens[at].name.lstrip("$")] = value

    def learn_loop(self, at: int) -> None:
        """A loop over a known list: what it does with one of its items, it does with each."""
        token, following = self.tokens[at], self.tokens[at + 1 : at + _PADDING]
        holder, _, method = token.name.rpartition(".")
        items: Literal = None
        name = ""
        if method in {"each", "forEach"}:
            items = self.values.get(holder) if holder else self._value_before(at - 1)
            opened = [one.name for one in following if one.name and one.name != "do"]
            name = opened[0] if opened else ""
        elif token.name in {"for", "foreach"}:
            inside = range(at + 1, min(at + _MAX_HEAD, self.end))
            word = next((n for n in inside if self.tokens[n].name in {"of", "as"}), 0)
            names = [n for n in inside if self.tokens[n].name and self.tokens[n].name != "my"]
            if word:  # JavaScript's and PHP's
                name = self.tokens[word - 1 if self.tokens[word].name == "of" else word + 1].name
                items = self._items_at(word + 1 if self.tokens[word].name == "of" else at + 2)
            elif self.language is PERL and names:
                name = self.tokens[names[0]].name
                items = self._items_at(names[0] + 1)
        if name and isinstance(items, list):
            self.values[name.lstrip("$")] = EachOf(items)

    def _items_at(self, at: int) -> Literal:
        token = self.tokens[at]
        is_list = token.mark in {"[", "("}
        return self._list(at)[0] if is_list else self.values.get(token.name.lstrip("$"))

    def _value_before(self, at: int) -> Literal:
        """The list literal that ends before a dot."""
        if self.tokens[at].mark != "." or at < 1:
            return None
        if self.tokens[at - 1].words:
            return list(self.tokens[at - 1].words)
        start = at - 1
        while start > max(0, at - MAX_ITEMS) and self.tokens[start].mark != "[":
            start -= 1
        return self._list(start)[0] if self.tokens[at - 1].mark == "]" else None

    def options_of(self, at: int) -> dict[str, str]:
        """Return the texts that a call is given by name: ``method: "POST"``, ``"to" => "x"``."""
        found: dict[str, str] = {}
        level = 0
        for here in range(at, min(self.end, at + MAX_EXPRESSION)):
            token, mark = self.tokens[here], self.tokens[here + 1].mark
            level += (token.mark in {"(", "{", "["}) - (token.mark in {")", "}", "]"})
            if level <= 0:
                break
            width = 2 if mark == "=" and self.tokens[here + 2].mark == ">" else 1
            if (mark == ":" or width == 2) and (key := token.name or token.text):
                value = self.value(here + 1 + width)[0] if key in _OPTIONS else None
                if isinstance(value, str):
                    found.setdefault(key, value)
        return found

    def is_known(self, name: str) -> bool:
        if self.runs_code(name):
            return True
        bare = BARE_IN.get(name)
        if bare is not None:
            return self.language in bare
        return CALLS.get(name, "same path") not in {"same path", *OF_PLACES}

    def runs_code(self, name: str) -> bool:
        return name in RUNS_CODE.get(self.language, ())

    def arguments(self, at: int, *, has_paren: bool) -> list[Literal]:
        found: list[Literal] = []
        stops = {")", ";", "}"} if has_paren else {")", ";", "}", "="}
        while at < self.end and len(found) < MAX_ITEMS and self.tokens[at].mark not in stops:
            keyword = self.tokens[at].name if self.tokens[at + 1].mark == "=" else ""
            start = at + 2 if keyword and at + 2 < self.end else at
            value, at = self.value(start, stops_at_line=not has_paren)
            if keyword == "mode":
                found += [None] * (1 - len(found))
            is_option = keyword not in {"", "args", "cmd", "command", "path", "mode", "file"}
            if not is_option and not self._is_pair(start, at):
                found.append(value)
            if self.tokens[at].mark != ",":
                break
            at += 1
        return found

    def named(self, at: int, name: str) -> int:
        """Where the value of a named argument of the call with its bracket at ``at`` begins; 0 for none."""
        for place in range(at, self.closing(at)):
            given = self.tokens[place].name
            is_it = given == name or (self.language is R and given and name.startswith(given))
            if is_it and self.tokens[place + 1].mark == "=":
                return place + 2
        return 0

    def _is_pair(self, start: int, end: int) -> bool:
        """``chdir: folder`` and ``:out => file`` in Ruby: options, which come after all other arguments."""
        if self.language is not RUBY or self.tokens[start].mark == "{":
            return False
        is_named = bool(self.tokens[start].name) and self.tokens[start + 1].mark == ":"
        marks = " ".join(token.mark for token in self.tokens[start : end + 1])
        return is_named or "= >" in marks

    def value(self, at: int, *, stops_at_line: bool = False) -> tuple[Literal, int]:
        """Read one expression; only concatenated literals and known names have a known value."""
        token = self.tokens[at]
        value: Literal = None
        is_list = token.mark == "*" and self.language in {PYTHON, RUBY}  # ``f(*words)``
        if is_list or (token.name == "await" and self.language is NODE):
            at, token = at + 1, self.tokens[at + 1]
        if token.mark in {"[", "("}:
            value, at = self._list(at)
        elif token.mark == "{" and self.language is NODE:
            value, at = self._options(at)
        elif token.text is not None:
            value, at = token.text, at + 1
        elif token.words:
            value, at = list(token.words), at + 1
        elif token.name:
            value, at = self._named(at)
        is_joined = self.tokens[at].mark == "." and self.tokens[at + 1].name == "join"
        if isinstance(value, list) and is_joined:
            value, at = self._joined_list(value, at + 2)
        return self._finish_expression(value, at, stops_at_line=stops_at_line)

    def _named(self, at: int) -> tuple[Literal, int]:
        """Read a name: a known variable, or a call that returns its argument."""
        name = self.resolve(self.tokens[at].name)
        is_call = self.tokens[at + 1].mark == "("
        if is_call and name == "c" and self.language is R:
            return self._list(at + 1)
        if name == "Dir.home" and not is_call:
            return "~", at + 1
        place = OF_PLACES.get(CALLS.get(name, "")) if is_call or name[:4] == "Dir." else None
        if place is not None and not is_redefined(name, self.code):
            return place, self.closing(at + 1) + 1 if is_call else at + 1
        holder, _, method = name.rpartition(".")
        listed = self.values.get(holder.lstrip("$"))
        if is_call and method == "join" and isinstance(listed, list):
            return self._joined_list(listed, at + 1)
        is_followed = CALLS.get(name) == "same path" or name in _FORMATS_TEXT
        if not is_call or not is_followed:
            is_variable = self.language is PHP and self.tokens[at].name[:1] == "$"
            name = self.tokens[at].name if is_variable else name
            known = None if is_call else self.values.get(name.lstrip("$"))
            if is_call and name in self.returned:
                return self.values.get(name), self.closing(at + 1) + 1
            return known, at + 1
        arguments = self.arguments(at + 2, has_paren=True)
        at = self.closing(at + 1)
        if name in _FORMATS_TEXT:
            return _filled(arguments), at + 1
        texts = [text if isinstance(text, str) else HOLE for text in arguments]
        if name in {"Path.home", "pathlib.Path.home", "os.homedir", "Dir.home"}:
            texts = ["~"]
        return _path(name, texts) or None, at + 1

    def closing(self, at: int) -> int:
        """Return where the bracket that is opened here is closed."""
        level = 0
        while at < self.end:
            level += (self.tokens[at].mark == "(") - (self.tokens[at].mark == ")")
            if level == 0:
                break
            at += 1
        return at

    def _joined_list(self, items: list[str], at: int) -> tuple[Literal, int]:
        """``parts.join(" ")``, with its bracket here."""
        first = self.tokens[at + 1].text
        default = "," if self.language is NODE else ""
        return (default if first is None else first).join(items), self.closing(at) + 1

    def _finish_expression(
        self, value: Literal, at: int, *, stops_at_line: bool
    ) -> tuple[Literal, int]:
        """Read to the end of the expression: adjacent or added strings are one string."""
        level = 0
        limit = at + MAX_EXPRESSION
        while at < self.end:
            if at > limit:
                return None, at
            self._work += 1
            if self._work > MAX_TOKENS:
                raise TooLongError
            token, following = self.tokens[at], self.tokens[at + 1]
            is_last = token.mark in _ENDS or (stops_at_line and token.is_on_new_line)
            if level == 0 and is_last:
                break
            if isinstance(value, str) and token.text is not None:
                value += token.text
            elif token.mark in {"+", "."} and (following.text is not None or following.name):
                at += 1
                value = self._added(value, following)
            elif token.mark in {"(", "[", "{"}:
                level += 1
                value = None
            elif token.mark in {")", "]", "}"}:
                level -= 1
            elif token.mark != "!":
                value = None
            at += 1
        return value, at

    def _added(self, value: Literal, token: Token) -> Literal:
        if not isinstance(value, str):
            return None
        known = self.values.get(token.name.lstrip("$")) if token.name else token.text
        return value + (known if isinstance(known, str) else HOLE)

    def _list(self, at: int) -> tuple[Literal, int]:
        items: list[str] = []
        at += 1
        while at < self.end and self.tokens[at].mark not in {"]", ")"}:
            if len(items) > MAX_ITEMS:
                return [*items, HOLE], at
            while self.tokens[at].mark == "." and self.language in {NODE, PHP}:  # ``...words``
                at += 1
            value, after = (None, at + 1) if self.tokens[at].mark in {"[", "("} else self.value(at)
            items += value if isinstance(value, list) else [HOLE if value is None else value]
            at = max(after, at + 1)
            at += self.tokens[at].mark == ","
        return items, at + 1

    def _options(self, at: int) -> tuple[Literal, int]:
        """``{args: […]}``: the argument list in an options object."""
        level, found = 0, None
        limit = min(self.end, at + MAX_EXPRESSION)
        while at < limit:
            token = self.tokens[at]
            level += (token.mark == "{") - (token.mark == "}")
            if not level:
                return found, at + 1
            marks = self.tokens[at + 1].mark, self.tokens[at + 2].mark
            if token.name in {"args", "cmd"} and marks == (":", "["):
                found, at = self._list(at + 2)
            else:
                at += 1
        return found, at

    def text_before(self, at: int) -> tuple[str, bool]:
        """Return the text of the expression before a pipe, and whether it is ``printf``'s."""
        texts: list[str] = []
        while at > 0:
            at -= 1
            token = self.tokens[at]
            if token.name in {"print", "printf"} or token.mark in {";", "{", "}"}:
                break
            if token.name or token.text is not None:
                known = self.values.get(token.name) if token.name else token.text
                texts.append(known if isinstance(known, str) else HOLE)
            if token.is_on_new_line:
                break
        return "".join(reversed(texts)), self.tokens[at].name == "printf"


# end of module
