"""Program code, read token by token: known calls with literal arguments, and what they would start.

Owns expressions that consist of literals and names with known values. Does not own how code reaches an
interpreter (``shell.interpreters``), nor which calls count (``shell.languages``).
"""

from __future__ import annotations

import re
import shlex
from types import MappingProxyType

from operators_edge.shell import code_spellings, own_functions, python_signs
from operators_edge.shell.commands import HOLE
from operators_edge.shell.languages import (
    AWK,
    BARE_IN,
    CALLS,
    DISTINCT,
    GROOVY,
    NODE,
    OF_PLACES,
    PATH_METHODS,
    PERL,
    PHP,
    PYTHON,
    RUBY,
    RUNS_CODE,
    WITHOUT_PARENTHESES,
    Language,
)
from operators_edge.shell.scripts import CodeCall, awk_writes, unescaped
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from operators_edge.shell.python_code import Folded

MAX_CODE_DEPTH = 4
MAX_EXPRESSION = 256
"""Tokens of one expression; a longer one is unknown."""
MAX_ITEMS = 64
_MAX_HEAD = 24
"""Tokens of a loop's head."""
_MAX_PASSED = 24
MAX_TOKENS = 200_000
"""Tokens of one program; what a longer one starts is unknown."""


class _EachOf(list[str]):
    """One of these at a time: what a loop's variable stands for."""


Literal = str | list[str] | None
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
_PY_IMPORT = pattern(r"\bimport\s+(\w+)\s+as\s+(\w+)")
_PY_FROM = pattern(r"\bfrom\s+([\w.]+)\s+import\s+([\w ,*]+)")
_JS_NAME = pattern(
    r"\b(\w+)\s*=\s*((?:child_process|fs|fs-extra|shelljs|rimraf|fs/promises)\b(?:\.\w+\b)?)(?![.(\w/-])"
)
_JS_FROM = pattern(r"import\s+(?:\*\s+as\s+)?(\w+)\s+from\s+['\"](?:node:)?([\w/-]+)['\"]")
_JS_PICK = pattern(
    r"\{([\w\s,:]+)\}\s*(?:=\s*|from\s+['\"](?:node:)?)(child_process|fs/promises|fs-extra|fs|os)\b"
)
_RUBY_FILES = pattern(r"\b(\w+)\s*=\s*FileUtils(?:::(Verbose|DryRun|NoWrite))?[ \t]*(?=[;#\n]|\Z)")
_JS_MODULES = {"fs-extra": "fse", "fs/promises": "fs.promises"}
_ENDS = frozenset([",", ")", "]", "}", ";"])


_LIKE = {
    "move": ("mv",),
    "copy": ("cp",),
    "link": ("ln", "-s"),
    "second name": ("ln",),
    "set mode": ("chmod", "600"),
}
"""What calls do → the program that does the same with their first two arguments."""
_READS_CODE = pattern(
    r"\b(?:[a-z]*sh|xargs|parallel|at|batch|python[\d.]*|perl|ruby|node|psql|mysql|sqlite3)\b"
)


def _fed(command: str, printed: str) -> str:
    """Return a text that pipes what a program prints into a command; "" for unknown text."""
    if not _READS_CODE.search(command):
        return command
    feeder = f"printf %s {shlex.quote(printed)}" if printed else "cat -"
    return f"{feeder} | {{ {command}\n}}"  # several commands share the shell that awk starts


def _folded(code: str) -> Folded:
    from operators_edge.shell import python_code  # noqa: PLC0415 - see its docstring

    return python_code.fold(code)


def _written_texts(computed: str, code: str) -> dict[str, str]:
    if not _WRITES.search(code):
        return {}
    from operators_edge.shell import settled_code  # noqa: PLC0415 - few programs write a text

    return settled_code.written_by(code, computed)


_WRITES = pattern(r"\.write(?:_text)?\(")
_READS_FILE = frozenset(["readFileSync", "read", "file_get_contents", "readTextFileSync"])
_CHANGES_FOLDER = frozenset(["chdir", "fchdir"])
_GOES_TO = frozenset(["FileUtils.cd", "shell.cd", "shelljs.cd", "cd"])
_MAX_FOLDERS = 4
_OPTIONS = frozenset("method type url hostname host path text sql to".split())  # noqa: SIM905 - names
_WITH_TWINS = frozenset([NODE, PERL, PHP, RUBY])
_WITH_VARIABLES = frozenset([NODE, PERL, PHP, PYTHON, RUBY])
_WITH_RETURNS = frozenset([NODE, PHP, RUBY])
_LISTED = pattern(r"\b(\w+)\s*=\s*\[((?:\s*(?:'[^'\n]*'|\"[^\"\n]*\")\s*,?)+)\]")
_KEYED = pattern(r"[\w.]+(?:\[|\.fetch\(|->\{)\s*:?['\"]?(\w+)['\"]?[\])}]")
_HOME_NAMES = frozenset(
    ["Dir.home", "os.homedir", "os.homedir()", "homedir()", "homedir", "Dir.home()"]
)
_READS_VARIABLES = pattern(r"(?i)env(?:iron)?\b|[({ ]\{\s*['\"]\w+['\"]\s*=>")
_FORMATS_TEXT = frozenset(["sprintf", "format", "util.format", "Kernel.format"])


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


class ProgramReader:
    """Reads one program text, token by token."""

    def __init__(
        self,
        language: Language,
        through: str,
        depth: int = 0,
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.language = language
        self.environment = environment
        self.through = through
        self.depth = depth
        self.names: dict[str, str] = {}
        self.functions: dict[str, own_functions.OwnFunction] = {}
        self.values: dict[str, Literal] = {}
        self.texts: dict[str, str] = {}
        """What names are set to, as far as it is read: for what is put into later strings."""
        self.code = ""
        self.raw = ""
        self.raw_beside = ""
        """The code as it is in its file, and what the others define."""
        self.tokens: list[Token] = []
        self.end = 0
        self.work = 0
        self.beside = ""
        self.returned: frozenset[str] = frozenset()
        """Functions that are given what they return, like names."""
        self.written: dict[str, str] = {}
        """The texts that the program surely writes, by their paths."""
        quoted = _QUOTED + "|" if language.has_command_backticks else ""
        comment = f"(?P<comment>{language.comment})|" if language.comment else ""
        self.token = re.compile(
            f"{comment}{quoted}{_STRING}|{_NAME}|(?P<number>\\d+)|(?P<mark>[^\\s\\w])"
        )

    def calls(self, code: str, beside: str = "", options: Sequence[str] = ()) -> Iterator[CodeCall]:
        """Yield what the code starts; where it goes to other folders, from each of them too."""
        is_python = self.language is PYTHON
        folded = _folded(code) if is_python and python_signs.is_computed(code) else None
        fetched = (
            python_signs.URL.search(code) if is_python and python_signs.runs_fetched(code) else ()
        )
        before, self.raw, self.raw_beside = code, code, beside
        code = self._with_variables(folded.code if folded else code)
        code = code_spellings.usual(code, self.language)
        if beside:
            beside, code = self._know(beside, code, options)
        self._learn_names(code)
        self.functions |= self._own_functions(code)
        if self.language in _WITH_RETURNS:
            code = self._with_returns(code, options)
        self._tokenize(code)
        folders = self._folders()
        if is_python and not folders:
            self.written = _written_texts(folded.code if folded else before, before)
        if fetched != ():
            address = fetched[0] if fetched else HOLE
            yield CodeCall(self.through, text=f"curl -fsSL '{address}' | python3 -")
        for call in self._all_calls(folded, code):
            yield call
            for folder in folders:
                yield call._replace(folder=folder)

    def _with_variables(self, code: str) -> str:
        if self.language not in _WITH_TWINS or not _READS_VARIABLES.search(code):
            return code
        from operators_edge.shell import code_variables  # noqa: PLC0415 - little code reads any

        return code_variables.with_values(code, self.language, self.environment)

    def _own_functions(self, code: str) -> dict[str, own_functions.OwnFunction]:
        return own_functions.found(
            code, self.language, lambda name: self._is_known(self._resolve(name))
        )

    def _know(self, beside: str, code: str, options: Sequence[str]) -> tuple[str, str]:
        """Learn what the other files of the program define; return them and the code as it names that."""
        from operators_edge.shell import linked_code  # noqa: PLC0415 - most code is in one file

        beside = code_spellings.usual(self._with_variables(beside), self.language)
        beside = linked_code.without_namespaces(beside, self.language)
        code = linked_code.without_namespaces(code, self.language)
        self._learn_names(beside)
        self.functions = self._own_functions(beside)
        self._tokenize(self._with_returns(beside, options))
        for at in range(self.end):
            if self.tokens[at].name:
                self._learn_value(at)
        self.tokens, self.beside = [], beside
        return beside, code

    def _with_returns(self, code: str, options: Sequence[str]) -> str:
        from operators_edge.shell import linked_code  # noqa: PLC0415 - for some languages

        if "push" in code:
            code = linked_code.with_pushed(code, options)
        code, names = linked_code.with_returns(code, self.language)
        self.returned |= names
        return code

    def _all_calls(self, folded: Folded | None, code: str) -> Iterator[CodeCall]:
        if folded is not None:
            yield from (CodeCall(self.through, ("python3", file)) for file in folded.files)
            for one in folded.twins:
                yield CodeCall(self.through, one.words, one.text, one.line)
            if folded.is_unknown:
                yield CodeCall(self.through, (HOLE,))
        yield from self._calls_in_order()
        for path, text in self.written.items():
            yield CodeCall(
                self.through, text=f"printf %s {shlex.quote(text)} > {shlex.quote(path)}"
            )
        if self.language is AWK:
            yield from awk_writes(code)

    def _calls_in_order(self) -> Iterator[CodeCall]:
        environment = None
        if self.language in _WITH_VARIABLES and _READS_VARIABLES.search(self.code):
            from operators_edge.shell import started_environment  # noqa: PLC0415 - little code sets any

            environment = started_environment.StartedEnvironment(self)
        for at in range(self.end):
            if environment is None:
                yield from self._calls_at(at)
                continue
            environment.step(at)
            for call in self._calls_at(at):
                yield call._replace(environment=environment.of_call(at))

    def value_at(self, at: int) -> tuple[Literal, int]:
        """The value of the expression that begins with a token, and where it ends."""
        return self._value(at, stops_at_line=True)

    def _folders(self) -> list[str]:
        """Return the folders to which the code changes, or in which it starts programs."""
        found: dict[str, None] = {}
        for at, token in enumerate(self.tokens[: self.end]):
            name, mark = token.name, self.tokens[at + 1].mark
            is_call = name.rpartition(".")[2] in _CHANGES_FOLDER or name in _GOES_TO
            is_option = name in {"cwd", "chdir"} and mark in {"=", ":"}
            is_called = is_call and (mark == "(" or self.language in WITHOUT_PARENTHESES)
            if not is_called and not (is_option and self.tokens[at + 2].mark != "="):
                continue
            value, _ = self._value(at + 2 if mark in {"(", "=", ":"} else at + 1)
            folder = value if isinstance(value, str) and value else HOLE
            if folder.strip("./"):
                found[HOLE if HOLE in folder else folder] = None
        return list(found)[:_MAX_FOLDERS]

    def _tokenize(self, code: str) -> None:
        matches = [match for match in self.token.finditer(code) if match.lastgroup != "comment"]
        ends = [0, *(match.end() for match in matches)]
        self.code = code
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
        first, *_, name, mark, value = [Token(), Token(), Token(), *self.tokens][-4:]
        joins = ".+%" if self.language in {PERL, PHP} else "+%"
        if first.name and name.mark == "=" and mark.text is not None and value.mark in set(joins):
            self.texts[first.name.lstrip("$")] = HOLE  # it is only the beginning
        if name.name and mark.mark == "=" and value.mark != "[":
            is_home = value.name in _HOME_NAMES
            text = "~" if is_home else value.text
            self.texts.pop(name.name.lstrip("$"), None)
            self.texts |= {name.name.lstrip("$"): text} if text is not None else {}

    def _calls_at(self, at: int) -> Iterator[CodeCall]:
        token = self.tokens[at]
        if token.name:
            self._learn_value(at)
            self._learn_loop(at)
            yield from self._call(at)
            yield from self._passed(at)
        elif token.command is not None:
            yield CodeCall(self.through, text=token.command)
        elif self.language is AWK and token.mark == "|":
            yield from self._awk_pipe(at)
        elif self.language is GROOVY and token.text is not None and self._is_executed(at):
            yield CodeCall(self.through, text=token.text or HOLE)

    def _is_executed(self, at: int) -> bool:
        """Whether ``.execute()`` follows, or Scala's ``!``."""
        dotted = self.tokens[at + 2] if self.tokens[at + 1].mark == "." else self.tokens[at + 1]
        is_compared = self.tokens[at + 2].mark == "="
        return dotted.name == "execute" or (dotted.mark == "!" and not is_compared)

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
        """``${name}``, ``#{name}``, ``$name``: what it stands for in a text."""
        name = written.lstrip("$#@").strip("{}()").strip()
        if name in _HOME_NAMES or written.startswith("$ENV{HOME"):
            return "~"
        if len(name) > 1 and name[0] in "'\"" and name[-1] == name[0]:
            return name[1:-1]
        if name not in self.texts and (keyed := _KEYED.fullmatch(name)):
            return self.texts.get(keyed[1], HOLE)
        return self.texts.get(name, HOLE)

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

    def _learn_names(self, code: str) -> None:
        """Follow imports, so that only names of process and file modules count."""
        if self.language is PYTHON:
            # Strings and comments import nothing.
            code = self.token.sub(
                lambda match: "" if match["string"] or match.lastgroup == "comment" else match[0],
                code,
            )
            self.names |= {name: module for module, name in _PY_IMPORT.findall(code)}
            for module, picked in _PY_FROM.findall(code):
                self._learn_picked(module, picked, " as ")
        if self.language is NODE:
            for name, module in (*_JS_NAME.findall(code), *_JS_FROM.findall(code)):
                self.names[name] = _JS_MODULES.get(module, module)
            for picked, module in _JS_PICK.findall(code):
                words = picked.replace(" as ", ":")
                self._learn_picked(_JS_MODULES.get(module, module), words, ":")

        if self.language is RUBY:
            for name, kind in _RUBY_FILES.findall(code):
                self.names[name] = "FileUtils" if kind in {"", "Verbose"} else f"FileUtils.{kind}"

    def _learn_picked(self, module: str, picked: str, separator: str) -> None:
        for part in picked.split(","):
            old, _, new = (piece.strip() for piece in part.strip().partition(separator))
            self.names[new or old] = f"{module}.{old}"

    def _resolve(self, name: str) -> str:
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

    def _learn_value(self, at: int) -> None:
        has_value = at + 2 < self.end and self.tokens[at + 2].mark not in {"=", ">"}
        if has_value and self.tokens[at + 1].mark == "=":
            value, _ = self._value(at + 2, stops_at_line=True)
            self.values[self.tokens[at].name.lstrip("$")] = value

    def _learn_loop(self, at: int) -> None:
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
            self.values[name.lstrip("$")] = _EachOf(items)

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

    def _call(self, at: int) -> Iterator[CodeCall]:
        own = self._own(self.tokens[at].name)
        name = self._resolve(own.call if own else self.tokens[at].name)
        has_paren = self.tokens[at + 1].mark == "("
        if has_paren and self.language in {PYTHON, RUBY}:
            yield from self._path_method(at, name)
        is_call = has_paren or (at + 1 < self.end and self.language in WITHOUT_PARENTHESES)
        if is_call and self._is_known(name):
            arguments = self._arguments(at + 1 + has_paren, has_paren=has_paren)
            given, following = self.tokens[at + 1 + has_paren :][:2]
            is_table = given.mark == "{" or (given.name.endswith("env") and following.mark == ",")
            if is_table and self.language is RUBY:
                arguments = arguments[1:]  # the variables of what it starts
            if own and own.program:
                arguments = [own.program, *arguments]
            if own and own.takes_words:
                words = [text for text in arguments if isinstance(text, str)]
                arguments = [words[0] if words else None, words[1:]]
            yield from self._effect(name, arguments)
            if self._runs_code(name) and not any(isinstance(one, str) for one in arguments):
                yield from self._evaluated(at)
        if has_paren and self.language in _WITH_TWINS:
            yield from self._twin(at, name)

    def _own(self, name: str) -> own_functions.OwnFunction | None:
        """Return the function of the program that a call names: ``run``, ``self.run``, ``Tools.run``."""
        found = self.functions.get(name.removeprefix("self."))
        head, _, last = re.sub(r"\s+", "", name).replace("::", ".").rpartition(".")
        if found is None and head[:1].isupper() and self.language in {PHP, RUBY}:
            found = None if self._is_known(name) else self.functions.get(last)
        return found

    def _twin(self, at: int, name: str) -> Iterator[CodeCall]:
        """The command line that does the same as a call of a library."""
        from operators_edge.shell.code_twins import OF_SQL, is_answer, twin_of  # noqa: PLC0415 - for some languages

        if is_answer(self.tokens[at].name, self.raw):
            return
        words_of = twin_of(name, f"{self.code}\n{self.beside}" if self.beside else self.code)
        if words_of is None:
            return
        given = self._arguments(at + 2, has_paren=True)
        words = words_of(given, self._options_of(at + 1))
        if words and not (words[0] in OF_SQL and self._has_own_databases()):
            yield CodeCall(self.through, words)

    def _has_own_databases(self) -> bool:
        from operators_edge.shell import own_databases  # noqa: PLC0415 - little code runs SQL

        return own_databases.are_own(self.raw, self.language, self.raw_beside, self.environment)

    def _options_of(self, at: int) -> dict[str, str]:
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
                value = self._value(here + 1 + width)[0] if key in _OPTIONS else None
                if isinstance(value, str):
                    found.setdefault(key, value)
        return found

    def _passed(self, at: int) -> Iterator[CodeCall]:
        """``Thread(target=os.system, args=("…",))``: a call that is given to another one, with its words."""
        name = self._resolve(self.tokens[at].name)
        is_value = self.tokens[at + 1].mark in {",", ")"} and "." in name
        if not is_value or not self._is_known(name) or self.language not in {PYTHON, NODE}:
            return
        texts: list[Literal] = []
        for token in self.tokens[at + 1 : at + _MAX_PASSED]:
            if token.mark == ";" or (token.is_on_new_line and token.name):
                break
            texts += [token.text] if token.text is not None else []
        if texts:
            yield from self._effect(name, texts if len(texts) == 1 else [texts])  # type: ignore[list-item]

    def _effect(self, name: str, arguments: list[Literal]) -> Iterator[CodeCall]:
        if self._runs_code(name):
            yield from self._code(arguments)
        elif CALLS[name] in {"write", "open"}:
            yield from self._written_by(name, arguments)
        elif CALLS[name] == "start":
            yield from self._process(name, arguments)
        elif CALLS[name] in _LIKE:
            words = [text if isinstance(text, str) else HOLE for text in arguments[:2]]
            yield CodeCall(self.through, (*_LIKE[CALLS[name]], *words))
        else:
            yield self._deleted_by(name, arguments)

    def _is_known(self, name: str) -> bool:
        if self._runs_code(name):
            return True
        bare = BARE_IN.get(name)
        if bare is not None:
            return self.language in bare
        return CALLS.get(name, "same path") not in {"same path", *OF_PLACES}

    def _runs_code(self, name: str) -> bool:
        return name in RUNS_CODE.get(self.language, ())

    def _evaluated(self, at: int) -> Iterator[CodeCall]:
        """``eval(fs.readFileSync("x"))``: runs a file, or what cannot be known."""
        if self.tokens[at].name != "eval" or self.tokens[at + 1].mark == "{":
            return
        inside = self.tokens[at + 1 : min(self._closing(at + 1), at + _MAX_PASSED)]
        last = [one.name.rpartition(".")[2] for one in inside if one.name]
        file = next((one.text for one in inside if one.text), None)
        if file is not None and not _READS_FILE.isdisjoint(last):
            yield CodeCall(self.through, (self.through.partition(" ")[0], file))
        elif self.tokens[at + 1].mark == "(":
            yield CodeCall(self.through, (HOLE,))

    def _code(self, arguments: list[Literal]) -> Iterator[CodeCall]:
        # The words before the last are the names of a function's arguments.
        code = arguments[-1 if self.language is NODE else 0] if arguments else None
        if isinstance(code, str) and self.depth < MAX_CODE_DEPTH:
            inner = ProgramReader(self.language, self.through, self.depth + 1, self.environment)
            yield from inner.calls(code)

    def _path_method(self, at: int, name: str) -> Iterator[CodeCall]:
        """``Path("x").unlink()``, ``p.write_text(…)``: the path comes before the method."""
        head, _, method = name.rpartition(".")
        value: Literal = self.values.get(head.rpartition(".")[2])
        if name in {"pathlib.Path", "Path", "Pathname", "Pathname.new"}:
            closed = at
            while closed < min(self.end, at + MAX_EXPRESSION) and self.tokens[closed].mark != ")":
                closed += 1
            method = self.tokens[closed + 2].name
            value, _ = self._value(at + 2)
        elif not head or self._is_known(name):
            return
        if method not in PATH_METHODS:
            return
        path = value if isinstance(value, str) else HOLE
        if not method.startswith("write"):
            flags = ("-rf",) if method == "rmtree" else ()
            yield CodeCall(self.through, ("rm", *flags, path))
        else:
            yield CodeCall(self.through, ("tee", path))

    def _written_by(self, name: str, arguments: list[Literal]) -> Iterator[CodeCall]:
        """Report a file opened for writing as written by tee; an unknown one only if it is overwritten."""
        texts = [text if isinstance(text, str) else HOLE for text in arguments]
        if self.language in {PERL, RUBY} and name == "open":
            yield from self._opened_by(texts)
            return
        mode = "" if CALLS[name] == "write" else "".join(texts[1:2])
        is_written = CALLS[name] == "write" or re.search(r"[wax+]", mode)
        is_appended = "append" in name or re.fullmatch(r"[abt]+", mode)
        if texts and is_written and not (is_appended and HOLE in texts[0]):
            yield CodeCall(self.through, ("tee", texts[0]))

    def _opened_by(self, texts: list[str]) -> Iterator[CodeCall]:
        """``open(F, ">", "file")``, ``open(P, "-|", "text")``, ``open("|text")``."""
        modes = [at for at, text in enumerate(texts) if re.match(r"\s*(?:\+?[<>]|\||-\|)", text)]
        if modes:
            yield from self._opened_as(texts[modes[0]].strip(), texts[modes[0] + 1 :])
            return
        pipe = next((text for text in texts if text.rstrip().endswith("|")), None)
        if pipe:
            yield CodeCall(self.through, text=pipe.rstrip()[:-1])

    def _opened_as(self, mode: str, after: list[str]) -> Iterator[CodeCall]:
        """``mode`` may have a file or command attached: ``">file"``."""
        attached = mode.lstrip("+<>|-").strip()
        first = "".join(after[:1])
        if "|" not in mode[:2]:
            path = first or attached.lstrip("&=").strip()
            written = r"(?:\+[<>]|>)(?![>&])" if HOLE in path else r"(?:\+|.?>)(?!>?&)"
            if path and re.match(written, mode):
                yield CodeCall(self.through, ("tee", path))
        elif len(after) > 1 and not attached:
            yield CodeCall(self.through, tuple(after))
        elif mode.startswith("|"):
            yield CodeCall(self.through, text=_fed(attached or first or HOLE, ""))
        else:
            yield CodeCall(self.through, text=attached or first or HOLE)

    def _deleted_by(self, name: str, arguments: list[Literal]) -> CodeCall:
        flags = ("-rf",) if CALLS[name] == "delete a tree" else ()
        first = arguments[0] if arguments else None
        targets = first if isinstance(first, list) else [HOLE if first is None else first]
        if self.language in {PERL, PHP}:
            targets = [*targets, *(text for text in arguments[1:] if isinstance(text, str))]
        return CodeCall(self.through, ("rm", *flags, *targets))

    def _process(self, name: str, arguments: list[Literal]) -> Iterator[CodeCall]:
        # Descriptors and modes come before the command, or results after it.
        skipped = {"open2": 2, "open3": 3}.get(name, int(name.startswith("os.spawn")))
        arguments = arguments[skipped:]
        first = arguments[0] if arguments else None
        if isinstance(first, _EachOf):
            for each in first:
                yield from self._process(name, [*[None] * skipped, each, *arguments[1:]])
        elif first is None or isinstance(first, list):
            yield CodeCall(self.through, tuple(first or (HOLE,)))
        elif self.language is PHP or name == "do_shell_script":
            yield CodeCall(self.through, text=first)
        elif (more := self._more_words(name, arguments[1:])) is not None:
            yield CodeCall(self.through, (first, *more))
        else:
            yield CodeCall(self.through, text=first)

    def _more_words(self, name: str, arguments: list[Literal]) -> list[str] | None:
        """Return the words after the program; None if it is a text for a shell."""
        is_vector = re.search(r"os\.(exec|spawn|posix)", name) is not None
        takes_words = is_vector or self.language in {PERL, RUBY}
        if arguments and isinstance(arguments[0], list):
            words = arguments[0]
        elif takes_words or name.endswith("create_subprocess_exec"):
            words = [text for text in arguments if isinstance(text, str)]
            if not words:
                return None
        else:
            return None
        return words[1:] if is_vector else words

    def _arguments(self, at: int, *, has_paren: bool) -> list[Literal]:
        found: list[Literal] = []
        stops = {")", ";", "}"} if has_paren else {")", ";", "}", "="}
        while at < self.end and len(found) < MAX_ITEMS and self.tokens[at].mark not in stops:
            keyword = self.tokens[at].name if self.tokens[at + 1].mark == "=" else ""
            start = at + 2 if keyword and at + 2 < self.end else at
            value, at = self._value(start, stops_at_line=not has_paren)
            if keyword == "mode":
                found += [None] * (1 - len(found))
            if keyword in {"", "args", "cmd", "path", "mode", "file"}:
                found.append(value)
            if self.tokens[at].mark != ",":
                break
            at += 1
        return found

    def _value(self, at: int, *, stops_at_line: bool = False) -> tuple[Literal, int]:
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
        name = self._resolve(self.tokens[at].name)
        is_call = self.tokens[at + 1].mark == "("
        if name == "Dir.home" and not is_call:
            return "~", at + 1
        place = OF_PLACES.get(CALLS.get(name, "")) if is_call or name[:4] == "Dir." else None
        if place is not None and not is_redefined(name, self.code):
            return place, self._closing(at + 1) + 1 if is_call else at + 1
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
                return self.values.get(name), self._closing(at + 1) + 1
            return known, at + 1
        arguments = self._arguments(at + 2, has_paren=True)
        at = self._closing(at + 1)
        if name in _FORMATS_TEXT:
            return _filled(arguments), at + 1
        texts = [text if isinstance(text, str) else HOLE for text in arguments]
        if name in {"Path.home", "pathlib.Path.home", "os.homedir", "Dir.home"}:
            texts = ["~"]
        path = "/".join(texts).replace("//", "/") if len(texts) > 1 else "".join(texts)
        return path or None, at + 1

    def _closing(self, at: int) -> int:
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
        return (default if first is None else first).join(items), self._closing(at) + 1

    def _finish_expression(
        self, value: Literal, at: int, *, stops_at_line: bool
    ) -> tuple[Literal, int]:
        """Read to the end of the expression: adjacent or added strings are one string."""
        level = 0
        limit = at + MAX_EXPRESSION
        while at < self.end:
            if at > limit:
                return None, at
            self.work += 1
            if self.work > MAX_TOKENS:
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
            value, after = (None, at + 1) if self.tokens[at].mark in {"[", "("} else self._value(at)
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

    def _awk_pipe(self, at: int) -> Iterator[CodeCall]:
        """``"cmd" | getline`` and ``print … | "cmd"``."""
        after = at + 1 + (self.tokens[at + 1].mark == "&")
        if self.tokens[after].name == "getline":
            command, _ = self._before(at)
            if command:
                yield CodeCall(self.through, text=command)
            return
        value, _ = self._value(after)
        if isinstance(value, str) and value:
            printed, is_formatted = self._before(at)
            if is_formatted:
                printed = re.sub(r"%[-\d.]*s", HOLE, printed)
            yield CodeCall(self.through, text=_fed(value, printed))

    def _before(self, at: int) -> tuple[str, bool]:
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
