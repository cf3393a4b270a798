"""Program code, read token by token: known calls with literal arguments, and what they would start.

Owns finding the calls, in the order of the text. Does not own the values of expressions
(``shell.code.program_values``), what a known call does (``shell.code.effects``), how code reaches an
interpreter (``shell.code.interpreters``), nor which calls count (``shell.code.languages``).
"""

from __future__ import annotations

import re
import shlex
from functools import lru_cache
from types import MappingProxyType

from operators_edge.shell.code import effects, own_functions, spellings
from operators_edge.shell.code.languages import (
    AWK,
    GROOVY,
    NODE,
    PERL,
    PHP,
    PYTHON,
    RUBY,
    WITHOUT_PARENTHESES,
    Language,
    R,
)
from operators_edge.shell.code.program_values import MAX_EXPRESSION, ProgramValues
from operators_edge.shell.code.python import signs
from operators_edge.shell.code.scripts import CodeCall, awk_writes
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from operators_edge.shell.code.effects import Literal
    from operators_edge.shell.code.program_twins import ProgramTwins
    from operators_edge.shell.code.python.code import Folded

MAX_CODE_DEPTH = 4
_MAX_PASSED = 24


def _folded(code: str) -> Folded:
    from operators_edge.shell.code.python import code as python_code  # noqa: PLC0415 - see its docstring

    return python_code.fold(code)


def _written_texts(computed: str, code: str) -> dict[str, str]:
    if not _WRITES.search(code):
        return {}
    from operators_edge.shell.code import settled_code  # noqa: PLC0415 - few programs write a text

    return settled_code.written_by(code, computed)


_WRITES = pattern(r"\.write(?:_text)?\(")
_READS_FILE = frozenset(["readFileSync", "read", "file_get_contents", "readTextFileSync"])
_FETCHES = pattern(r"createWriteStream|writeFile|outputFile|Bun\.write")
_RUNS_FETCHED = frozenset([NODE, PERL, PHP, RUBY])
_MAY_RUN_FETCHED = pattern(
    r"https?:|(?i:\bnet::http|open-uri|\buri\b|curl|guzzle|\bhttp\w*\b|\blwp\b|\bfetch\()"
)
_CHANGES_FOLDER = frozenset(["chdir", "fchdir"])
_GOES_TO = frozenset(["FileUtils.cd", "shell.cd", "shelljs.cd", "cd"])
_MAX_FOLDERS = 4
_NO_METHODS = frozenset(["del", "copy", "move"])
"""Functions of packages that are no methods of anything: ``request(app).del("/path")`` deletes no file."""
_WITH_TWINS = frozenset([NODE, PERL, PHP, RUBY])
_WITH_VARIABLES = frozenset([NODE, PERL, PHP, PYTHON, RUBY])
_WITH_RETURNS = frozenset([NODE, PHP, RUBY])
_READS_VARIABLES = pattern(r"(?i)env(?:iron)?\b|[({ ]\{\s*['\"]\w+['\"]\s*=>")


class Learned(NamedTuple):
    """What files define that a program loads; see ``ProgramValues`` for what it is of the names."""

    beside: str
    functions: Mapping[str, own_functions.OwnFunction]
    names: Mapping[str, str]
    values: Mapping[str, Literal]
    texts: Mapping[str, str]
    returned: frozenset[str]


@lru_cache(maxsize=16)
def _learned(
    beside: str,
    language: Language,
    environment: tuple[tuple[str, str], ...],
    options: tuple[str, ...],
) -> Learned:
    """The files of a suite load the same modules, which are read once."""
    return ProgramReader(language, "", environment=dict(environment)).learn(beside, options)


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
        self.program = ProgramValues(language)
        self.functions: dict[str, own_functions.OwnFunction] = {}
        self.raw = ""
        self.raw_beside = ""
        """The code as it is in its file, and what the others define."""
        self.beside = ""
        self.twins: ProgramTwins | None = None
        self.written: dict[str, str] = {}
        """The texts that the program surely writes, by their paths."""

    def calls(self, code: str, beside: str = "", options: Sequence[str] = ()) -> Iterator[CodeCall]:
        """Yield what the code starts; where it goes to other folders, from each of them too."""
        is_python = self.language is PYTHON
        folded = _folded(code) if is_python and signs.is_computed(code) else None
        fetched = signs.URL.search(code) if is_python and signs.runs_fetched(code) else ()
        before, self.raw, self.raw_beside = code, code, beside
        code = self._with_variables(folded.code if folded else code)
        if self.language is NODE and "method" in code:
            from operators_edge.shell.code import request_verbs  # noqa: PLC0415 - little code sends requests

            code = request_verbs.with_verbs(code, beside)
        code = spellings.usual(code, self.language)
        if beside:
            beside, code = self._know(beside, code, options)
        self.program.learn_names(code)
        self.functions |= self._own_functions(code)
        if self.language in _WITH_RETURNS:
            code = self._with_returns(code, options)
        self.program.tokenize(code)
        folders = self._folders()
        if is_python and not folders:
            self.written = _written_texts(folded.code if folded else before, before)
        if fetched != ():
            address = fetched[0] if fetched else HOLE
            yield CodeCall(self.through, text=f"curl -fsSL '{address}' | python3 -")
        if self.language is NODE and _FETCHES.search(self.raw) and (address := self._fetched()):
            yield CodeCall(self.through, text=f"curl -fsSL '{address}' | sh")
        if self.language in _RUNS_FETCHED:
            yield from self._run_as_fetched()
        for call in self._all_calls(folded, code):
            yield call
            for folder in folders:
                yield call._replace(folder=folder)

    @property
    def raw_whole(self) -> str:
        """All of the program as it is in its files."""
        return f"{self.raw}\n{self.raw_beside}" if self.raw_beside else self.raw

    def _fetched(self) -> str:
        from operators_edge.shell.code import fetched_programs  # noqa: PLC0415 - little code starts what it fetches

        return fetched_programs.fetched(self.raw_whole)

    def _run_as_fetched(self) -> Iterator[CodeCall]:
        """The code of other machines that the program runs."""
        if not _MAY_RUN_FETCHED.search(self.raw_whole):
            return
        from operators_edge.shell.code import fetched_code  # noqa: PLC0415 - little code runs what it fetches

        for address, line in fetched_code.in_program(self.raw, self.raw_beside, self.language):
            yield CodeCall(self.through, text=f"curl -fsSL '{address}' | sh", line=line)

    def _with_variables(self, code: str) -> str:
        if self.language not in _WITH_TWINS or not _READS_VARIABLES.search(code):
            return code
        from operators_edge.shell.code import variables  # noqa: PLC0415 - little code reads any

        return variables.with_values(code, self.language, self.environment)

    def _own_functions(self, code: str) -> dict[str, own_functions.OwnFunction]:
        return own_functions.found(
            code, self.language, lambda name: self.program.is_known(self.program.resolve(name))
        )

    def _know(self, beside: str, code: str, options: Sequence[str]) -> tuple[str, str]:
        """Learn what the other files of the program define; return them and the code as it names that."""
        from operators_edge.shell.code import linked_code  # noqa: PLC0415 - most code is in one file

        known = _learned(beside, self.language, tuple(self.environment.items()), tuple(options))
        self.beside, self.functions = known.beside, dict(known.functions)
        self.program.names, self.program.values = dict(known.names), dict(known.values)
        self.program.texts, self.program.returned = dict(known.texts), known.returned
        return self.beside, linked_code.without_namespaces(code, self.language)

    def learn(self, beside: str, options: Sequence[str]) -> Learned:
        """Read what files define, without what they start."""
        from operators_edge.shell.code import linked_code  # noqa: PLC0415 - see above

        beside = spellings.usual(self._with_variables(beside), self.language)
        beside = linked_code.without_namespaces(beside, self.language)
        program = self.program
        program.learn_names(beside)
        functions = self._own_functions(beside)
        program.tokenize(self._with_returns(beside, options))
        for at in range(program.end):
            if program.tokens[at].name:
                program.learn_value(at)
        given = (program.names, program.values, program.texts, program.returned)
        return Learned(beside, functions, *given)

    def _with_returns(self, code: str, options: Sequence[str]) -> str:
        from operators_edge.shell.code import linked_code  # noqa: PLC0415 - for some languages

        if "push" in code:
            code = linked_code.with_pushed(code, options)
        code, names = linked_code.with_returns(code, self.language)
        self.program.returned |= names
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
        if self.language in _WITH_VARIABLES and _READS_VARIABLES.search(self.program.code):
            from operators_edge.shell.code import started_environment  # noqa: PLC0415 - little code sets any

            environment = started_environment.StartedEnvironment(self)
        for at in range(self.program.end):
            if environment is None:
                yield from self._calls_at(at)
                continue
            environment.step(at)
            for call in self._calls_at(at):
                yield call._replace(environment=environment.of_call(at))

    def _folders(self) -> list[str]:
        """Return the folders to which the code changes, or in which it starts programs."""
        found: dict[str, None] = {}
        for at, token in enumerate(self.program.tokens[: self.program.end]):
            name, mark = token.name, self.program.tokens[at + 1].mark
            is_call = name.rpartition(".")[2] in _CHANGES_FOLDER or name in _GOES_TO
            is_option = name in {"cwd", "chdir"} and mark in {"=", ":"}
            is_called = is_call and (mark == "(" or self.language in WITHOUT_PARENTHESES)
            if not is_called and not (is_option and self.program.tokens[at + 2].mark != "="):
                continue
            value, _ = self.program.value(at + 2 if mark in {"(", "=", ":"} else at + 1)
            folder = value if isinstance(value, str) and value else HOLE
            if folder.strip("./"):
                found[HOLE if HOLE in folder else folder] = None
        return list(found)[:_MAX_FOLDERS]

    def _calls_at(self, at: int) -> Iterator[CodeCall]:
        token = self.program.tokens[at]
        if token.name:
            self.program.learn_value(at)
            self.program.learn_loop(at)
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
        following = self.program.tokens[at + 1 : at + 3]
        called = following[1] if following[0].mark == "." else following[0]
        is_compared = following[1].mark == "="
        return called.name == "execute" or (called.mark == "!" and not is_compared)

    def _call(self, at: int) -> Iterator[CodeCall]:
        own = self._own(self.program.tokens[at].name)
        name = self.program.resolve(own.call if own else self.program.tokens[at].name)
        has_paren = self.program.tokens[at + 1].mark == "("
        if has_paren and self.language in {PYTHON, RUBY}:
            yield from self._path_method(at, name)
        is_call = has_paren or (at + 1 < self.program.end and self.language in WITHOUT_PARENTHESES)
        if is_call and self.program.is_known(name) and not self._is_method(at, name):
            arguments = self.program.arguments(at + 1 + has_paren, has_paren=has_paren)
            given, following = self.program.tokens[at + 1 + has_paren :][:2]
            is_table = given.mark == "{" or (given.name.endswith("env") and following.mark == ",")
            if is_table and self.language is RUBY:
                arguments = arguments[1:]  # the variables of what it starts
            if own and own.program:
                arguments = [own.program, *arguments]
            if own and own.below and arguments and isinstance(arguments[0], str):
                arguments = [f"{arguments[0]}/{own.below}", *arguments[1:]]
            if own and own.takes_words:
                known = [at for at, one in enumerate(arguments) if isinstance(one, str)]
                words = arguments[known[0] :] if known else []
                arguments = [words[0] if words else None, list(effects.flat(words[1:]))]
            yield from self._effect(name, arguments)
            yield from self._as_named(at + 1, name, arguments)
            if self.program.runs_code(name) and not any(isinstance(one, str) for one in arguments):
                yield from self._evaluated(at)
        if has_paren and self.language in _WITH_TWINS:
            for twin in self._known_twins().of_call(at, name):
                yield CodeCall(self.through, twin)

    def _is_method(self, at: int, name: str) -> bool:
        """Whether the name is a method's here, and does something else as that."""
        before = [one.mark for one in self.program.tokens[max(at - 2, 0) : at]]
        return name in _NO_METHODS and (before[-1:] == ["."] or before == ["-", ">"])

    def _as_named(self, at: int, name: str, arguments: list[Literal]) -> Iterator[CodeCall]:
        """What named arguments make of a call: another program, or a whole folder that is deleted."""
        tokens = self.program.tokens
        if self.language is R and name == "unlink":
            place = self.program.named(at, "recursive")
            if tokens[place].name not in {"FALSE", "F"} if place else arguments[1:]:
                yield from self._effect("fs::dir_delete", arguments)
        elif self.language is PYTHON and "executable" in self.program.code:
            # ``run(["a", "b"], executable="c")`` starts ``c``, whatever the words call it.
            place = self.program.named(at, "executable")
            has_words = arguments[1:] or (arguments and isinstance(arguments[0], list))
            if place and has_words and tokens[place].name != "None":
                value, _ = self.program.value(place)
                program = value if isinstance(value, str) and value else HOLE
                yield from self._effect(name, [[program, *list(effects.flat(arguments))[1:]]])

    def _known_twins(self) -> ProgramTwins:
        if self.twins is None:
            from operators_edge.shell.code import program_twins  # noqa: PLC0415 - for some languages

            self.twins = program_twins.ProgramTwins(self)
        return self.twins

    def _own(self, name: str) -> own_functions.OwnFunction | None:
        """Return the function of the program that a call names: ``run``, ``self.run``, ``Tools.run``."""
        found = self.functions.get(name.removeprefix("self."))
        head, _, last = re.sub(r"\s+", "", name).replace("::", ".").rpartition(".")
        if found is None and head[:1].isupper() and self.language in {PHP, RUBY}:
            found = None if self.program.is_known(name) else self.functions.get(last)
        return found

    def _passed(self, at: int) -> Iterator[CodeCall]:
        """``Thread(target=os.system, args=("…",))``: a call that is given to another one, with its words."""
        name = self.program.resolve(self.program.tokens[at].name)
        is_value = self.program.tokens[at + 1].mark in {",", ")"} and "." in name
        if not is_value or not self.program.is_known(name) or self.language not in {PYTHON, NODE}:
            return
        texts: list[Literal] = []
        for token in self.program.tokens[at + 1 : at + _MAX_PASSED]:
            if token.mark == ";" or (token.is_on_new_line and token.name):
                break
            texts += [token.text] if token.text is not None else []
        if texts:
            yield from self._effect(name, texts if len(texts) == 1 else [texts])  # type: ignore[list-item]

    def _effect(self, name: str, arguments: list[Literal]) -> Iterator[CodeCall]:
        if self.program.runs_code(name):
            return self._code(arguments)
        return effects.of_call(name, arguments, self.language, self.through)

    def _evaluated(self, at: int) -> Iterator[CodeCall]:
        """``eval(fs.readFileSync("x"))``: runs a file, or what cannot be known."""
        if self.program.tokens[at].name != "eval" or self.program.tokens[at + 1].mark == "{":
            return
        inside = self.program.tokens[at + 1 : min(self.program.closing(at + 1), at + _MAX_PASSED)]
        last = [one.name.rpartition(".")[2] for one in inside if one.name]
        file = next((one.text for one in inside if one.text), None)
        if file is not None and not _READS_FILE.isdisjoint(last):
            yield CodeCall(self.through, (self.through.partition(" ")[0], file))
        elif self.program.tokens[at + 1].mark == "(":
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
        value: Literal = self.program.values.get(head.rpartition(".")[2])
        if name in {"pathlib.Path", "Path", "Pathname", "Pathname.new"}:
            tokens, end = self.program.tokens, min(self.program.end, at + MAX_EXPRESSION)
            closed = at
            while closed < end and tokens[closed].mark != ")":
                closed += 1
            method = tokens[closed + 2].name
            value, _ = self.program.value(at + 2)
        elif not head or self.program.is_known(name):
            return
        yield from effects.of_path_method(method, value, self.through)

    def _awk_pipe(self, at: int) -> Iterator[CodeCall]:
        """``"cmd" | getline`` and ``print … | "cmd"``."""
        after = at + 1 + (self.program.tokens[at + 1].mark == "&")
        if self.program.tokens[after].name == "getline":
            command, _ = self.program.text_before(at)
            if command:
                yield CodeCall(self.through, text=command)
            return
        value, _ = self.program.value(after)
        if isinstance(value, str) and value:
            printed, is_formatted = self.program.text_before(at)
            if is_formatted:
                printed = re.sub(r"%[-\d.]*s", HOLE, printed)
            yield CodeCall(self.through, text=effects.fed(value, printed))


# end of module
