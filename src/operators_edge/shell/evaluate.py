"""An abstract interpreter for shell texts: which commands a text would run, without running any.

It walks a text in the order in which a shell would execute it, and keeps what is known at each point
(``Scope``: variables, functions, aliases, folder). A value that depends on the machine is a HOLE in a word,
and after a branch only what holds on every path is kept. One text goes through these steps:

    text → masked text (``quoting.mask``: quoted parts made opaque, positions unchanged)
         → statements in order (``syntax``: split at operators, or walked along the tree of the bash grammar)
         → one raw command taken apart (``expansion``), each raw word expanded (``words``)
         → what it runs in turn: functions, shells, wrappers, interpreters (here, with their tables)
         → a flat list of ``commands.Command``

Owns the step from a raw command to ``Command``s, and the bounds on depth and number. Does not own structure
(``shell.syntax``), expansion (``shell.words``) or the knowledge about programs (``shell.wrappers``,
``shell.code.interpreters``).
"""

from __future__ import annotations

import re
from functools import partial
from itertools import count, takewhile
from types import MappingProxyType

from operators_edge.shell import builtins, shell_options
from operators_edge.shell.code.languages import INTERPRETERS
from operators_edge.shell.commands import (
    HOLE,
    SOURCING,
    Command,
    Problem,
    Redirect,
    Script,
    Word,
    Wrapped,
    has_option,
    operands,
    option_value,
    program_name,
)
from operators_edge.shell.expansion import (
    MAX_WORK,
    CommandParser,
    CommandParts,
)
from operators_edge.shell.known_output import is_copying, known_output, looked_for_program
from operators_edge.shell.quoting import mask, trim
from operators_edge.shell.runners import file_of_items, fill
from operators_edge.shell.scope import (
    EITHER,
    AllOrNothing,
    Choices,
    Function,
    OpenProgram,
    Scope,
    Stream,
    descriptor,
    of_outputs,
)
from operators_edge.shell.syntax import (
    FROM_COPROC,
    NO_OUTPUT,
    UNKNOWN,
    Frame,
    Source,
    evaluate_source,
)
from operators_edge.shell.text_files import TextFiles
from operators_edge.shell.words import Expander
from operators_edge.shell.wrapper_table import (
    CHANGING,
    CHANGING_FOLDERS,
    COMMAND_VARIABLES,
    FETCHES,
    FILTERS,
    MOVING,
    OPTION_VARIABLES,
    PROGRAMS_ALONE,
    PROMPT_VARIABLES,
    SCRIPT_VARIABLES,
    WRITTEN_VARIABLES,
)
from operators_edge.shell.wrappers import SHELLS, may_be_root, unwrap
from operators_edge.text.patterns import found_in_file, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from operators_edge.shell.folder_changes import FolderChanges, Outcome
    from operators_edge.shell.traps import Traps

    Disk = Callable[..., str | None]
    """The content of a file by its path, None where it cannot be known.

    With ``is_committed``, it is as the last commit has it, by its path as git sees it from ``folder``; with
    ``is_missing``, it is "" if there is surely no such file.
    """
    Assigns = tuple[tuple[str, Word], ...]

MAX_TEXT = 64 * 1024
"""Characters of one text. The time of a rule's pattern can grow with the square of the length."""
MAX_DEPTH = 24
MAX_COMMANDS = 5_000
MAX_STEPS = 20_000
"""Commands, texts and expansions that are read, whether they are reported or not."""


_WRITES_FAIL = pattern(
    r"\bset\s+(?:-\w*C|-o\s+noclobber)|\bch(?:attr|flags)\b|\bchmod\s[^;&|\n]*(?:-\w*w|=|[0-5]\d\d\b)|\bulimit\b"
)
"""What may keep a redirect from writing to a file."""
_MOVES = pattern(r"\b(?:cd|chdir|pushd|popd)\b")
_DESCRIPTOR = pattern(r"-|\d+-?")
_OWN_OUTPUT = frozenset(("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"))
_COMPARES = pattern(r"\s-(?:eq|ne|l[te]|g[te]|v)\s")


class _TooManyError(Exception):
    """The bound on commands or work is reached, and reading stops."""


class Job(NamedTuple):
    """One command that is about to be evaluated: its words, and where and how it runs.

    ``own_input`` is the text of the command's own redirect: unlike ``stdin``, no other command has read
    from it.
    """

    argv: tuple[Word, ...]
    span: tuple[int, int]
    frame: Frame
    stdin: Stream | None
    assigns: tuple[tuple[str, Word], ...] = ()
    redirects: tuple[Redirect, ...] = ()
    has_more_words: bool = False
    own_input: str | None = None

    @property
    def scope(self) -> Scope:
        return self.frame.scope

    @property
    def texts(self) -> list[str]:
        return [word.text for word in self.argv]

    @property
    def input_text(self) -> str | None:
        return self.stdin.text if self.stdin else None


_NOTHING: Mapping[str, str] = MappingProxyType({})


class Evaluator:
    """Evaluates one text, and every text that it runs."""

    def __init__(
        self,
        env: Mapping[str, str],
        arguments: Sequence[str] = (),
        *,
        is_program: bool = False,
        disk: Disk | None = None,
        sourced: Mapping[str, str] = _NOTHING,
        exported: Iterable[str] = (),
        outcome: Outcome | None = None,
    ) -> None:
        self.env = env
        self.outcome = outcome
        self._exported = exported
        self._sourced = sourced
        self.text = ""
        self._disk = disk
        self._arguments = list(arguments) or None
        self._is_program = is_program
        self.commands: list[Command] = []
        self.problems: list[Problem] = []
        self.files = TextFiles(disk)
        self.choices = Choices(self)
        self.variables: dict[tuple[str, str], None] = {}
        self.pipes = count(63)
        """The descriptors that bash gives to ``<(…)`` and ``>(…)``."""
        self.is_unsettled = not is_program
        """Whether any variable may hold something else than what was assigned: something unknown ran in this
        shell, or the text was not made to be a program, which says less of where its variables come from."""
        self.turns = 1
        """How often the body of the loops around this one is run."""
        self.doubts = self.loops = 0
        """How many texts around this one may not run in this shell, and loops that are run as they are."""
        self.marks: list[int] = []
        """The parts of the text around this one that may not run, each by a number of its own."""
        self.tested = 0
        """How many statements around this one may fail without ending a shell with ``set -e``."""
        self.has_ended_well: bool | None = None
        """Whether the last command has, if that is known: a ``cd`` has failed in this outcome."""
        self._folders: FolderChanges | None = None
        self._may_not_write = False
        self._is_reading = False
        """Whether what ``>(…)`` runs is read: when it does is not known."""
        self.jump = ""
        """``break``, ``continue``, ``return`` or ``exit``, on the way to what it leaves."""
        self.work = 0
        self.steps = 0
        self._groups: list[int | None] = []
        self._statements: list[Job] = []
        """The redirects of the statements around this one."""
        self._defined: list[tuple[Function, Frame]] = []
        self._traps: Traps | None = None

    def evaluate(self, text: str) -> Script:
        self.text = text
        self._may_not_write = _WRITES_FAIL.search(text) is not None
        if len(text) > MAX_TEXT:
            return Script((), (Problem("too-long", (0, len(text))),))
        scope = Scope(self.env)
        scope.arguments = self._arguments
        scope.exported = dict.fromkeys(self._exported, True)
        try:
            self.evaluate_text(text, Frame(scope), 0, (0, len(text)))
            self.jump = ""
            if self._traps is not None:
                if self._folders is not None:
                    self._folders.follow("")
                self._traps.run_at_end()
            self._run_readers()
            while self._defined and not self._is_program:
                self.jump = ""
                function, frame = self._defined.pop(0)
                if not function.is_called:
                    self._call_body(function, frame)
                    self._run_readers()
        except _TooManyError:
            self.report("too-many", (0, len(text)))
        except RecursionError:
            self.report("too-deep", (0, len(text)))
        files = self.files
        return Script(
            tuple(self.commands),
            tuple(self.problems),
            tuple((path, stream.text) for path, stream in files.streams.items()),
            tuple(files.copies.items()),
            tuple(files.appended.items()),
            tuple(self.variables),
            files.outputs,
            tuple(files.writes),
            tuple(self._folders.moves) if self._folders is not None else (),
        )

    @property
    def folders(self) -> FolderChanges:
        """The changes of the folder."""
        if self._folders is None:
            from operators_edge.shell.folder_changes import FolderChanges  # noqa: PLC0415 - most texts stay

            self._folders = FolderChanges(self, self.outcome)
        return self._folders

    def run_next(self, connector: str, run: Callable[[], Stream]) -> Stream:
        """Run a part of a list, after a change of the folder that may have failed."""
        self.has_ended_well = None
        if self._folders is None:
            return run()
        kept = self._folders.follow(connector)
        output = run()
        self._folders.keep(kept)
        return output

    def _run_readers(self) -> None:
        was_reading, self._is_reading = self._is_reading, True
        while self.files.readers:
            path, run = self.files.readers.popitem()
            run(stdin=self.files.streams.get(path, UNKNOWN))
        self._is_reading = was_reading

    def report(self, kind: str, span: tuple[int, int]) -> None:
        found = Problem(kind, span)
        if found not in self.problems[-16:]:
            self.problems.append(found)

    def evaluate_text(
        self, text: str, frame: Frame, base: int | None, span: tuple[int, int]
    ) -> Stream:
        """Read a text as a script; return what it prints."""
        if self.is_too_deep(frame, span):
            return UNKNOWN
        self.spend(len(text) if frame.depth else 0)
        masked = mask(text)
        source = Source(text, masked.masked, base, span, masked.heredocs)
        if masked.unclosed:
            kind = "too-deep" if masked.unclosed.is_too_deep else "syntax"
            self.report(kind, source.span_of(masked.unclosed_at, len(text)))
        output = evaluate_source(self, source, frame)
        if self.outcome is not None and frame.is_of_its_own:
            self.jump = ""
        return output

    def is_too_deep(self, frame: Frame, span: tuple[int, int]) -> bool:
        if frame.depth > MAX_DEPTH:
            self.report("too-deep", span)
        return frame.depth > MAX_DEPTH

    def compute(self, texts: Iterable[str], frame: Frame, span: tuple[int, int]) -> None:
        """Follow what arithmetic on texts runs."""
        for text in texts:
            Expander(self, Source(text, text, None, span), frame).compute(text)

    def spend(self, work: int) -> None:
        self.work += work
        self.steps += 1
        if self.work >= MAX_WORK or self.steps > MAX_STEPS:
            raise _TooManyError

    def read_line(self, words: Sequence[Word], line: str, separators: str, scope: Scope) -> None:
        """Give names the fields of a line, as ``IFS=… read NAME…`` does."""
        before = scope.get("IFS") or ""
        scope.set("IFS", separators)
        builtins.apply("read", words, scope, line)
        scope.set("IFS", before)

    def define_function(self, function: Function, frame: Frame) -> None:
        if frame.scope.aliases:
            function.aliases = dict(frame.scope.aliases)
        frame.scope.define(function)
        self._defined.append((function, frame.forked()))

    def _call_body(self, function: Function, frame: Frame) -> Stream:
        inside = frame.inside("function")
        active = inside.active | {function.name}
        inside = inside._replace(is_apart=False, active=active, aliases=function.aliases)
        before, self.doubts, self.loops = (self.doubts, self.loops), 0, 0
        output = self.evaluate_text(function.body, inside, function.base, function.span)
        self.doubts, self.loops = before
        is_over = self.outcome is not None and self.jump == "exit"
        self.jump = "exit" if is_over else ""
        return output

    def expand_words(self, source: Source, start: int, end: int, frame: Frame) -> list[str]:
        parts = CommandParser(self, source, frame).parse(start, end, takes_assigns=False)
        # What a glob matches is unknown, but the rest of the word is known.
        return [
            re.sub(r"[*?]+|\[[^\]]*\]", HOLE, word.text) if word.has_glob else word.text
            for word in parts.words
        ]

    def take_redirects(
        self, source: Source, start: int, end: int, frame: Frame
    ) -> dict[int, Stream]:
        """Take the redirects after a compound statement; return the descriptors that they open."""
        parts = CommandParser(self, source, frame).parse(start, end)
        span = source.span_of(*trim(source.masked, start, end))
        job = Job((), span, frame, None, (), tuple(parts.redirects))
        self._group(job)
        self._statements.append(job)
        return parts.descriptors

    def note_statement(self, output: Stream) -> None:
        """Note what the statement prints whose redirects were taken last, and the files that get it."""
        self.note_output(output)
        self._redirect_output(self._statements.pop(), output)

    def _group(self, job: Job) -> None:
        """Report redirects and assignments around several commands; ``note_output`` ends the group."""
        is_reported = bool(job.assigns) or any(
            one.target.text != "/dev/null" for one in job.redirects
        )
        self._groups.append(len(self.commands) if is_reported else None)
        if is_reported:
            self._add(job._replace(argv=()))

    def note_output(self, output: Stream) -> None:
        """Note the output of the statement whose redirects were taken last."""
        place = self._groups.pop()
        if place is None:
            return
        before = self.commands[place]
        writes = [one for one in before.redirects if ">" in one.op]
        is_empty = output.text == "" and all(one.fd in {None, 1} for one in writes)
        if writes and not is_empty:
            # Something is written, unlike with a bare redirect, which only empties its file.
            self.commands[place] = before._replace(argv=(Word("{", before.span),))

    def run_simple(self, source: Source, start: int, end: int, frame: Frame) -> Stream:
        """Read one command; return what it prints."""
        self.spend(1)
        if frame.active:
            builtins.note_locals(source.masked[start:end], frame.scope)
        before, self.choices.seen = self.choices.seen, []
        forked = frame.forked() if frame.scope.choices else frame
        parts = CommandParser(self, source, frame).parse(start, end)
        met, self.choices.seen = self.choices.seen, before
        first = len(self.commands)
        if [len(one) for one in met] == [1] and is_copying(parts.words):
            # Of the program that was looked for: what is copied is known by its name later.
            parts.words = self.choices.first_of(
                lambda: CommandParser(self, source, forked.forked()).parse(start, end).words
            )
            del self.commands[first:]
            met = []
        output = self._with_descriptors(parts, source, start, end, frame)
        if not met or not (parts.words or parts.redirects):
            return output
        program = OpenProgram(parts.words, met, source.text[parts.first[0] : end])
        outputs: list[Stream] = []
        last = len(self.commands)

        def look(*, is_empty: bool = False) -> None:
            mark = len(self.commands)
            inside = forked.forked()._replace(through=(*frame.through, EITHER))
            again = CommandParser(self, source, inside).parse(start, end)
            del self.commands[mark:]
            if is_empty:
                again.words, again.first = program.without(again.words), (end, end)
            else:
                program.see(again.words)
            outputs.append(self._with_descriptors(again, source, start, end, inside))

        count = max(map(len, met))
        self.choices.each(count, look)
        if program.is_one_of_them and len(outputs) == count:  # each of them has taken its place
            self.commands[first:last] = [
                one for one in self.commands[first:last] if not one.argv or one.argv[0].text != HOLE
            ]
            if program.may_be_empty:
                self.choices.once(partial(look, is_empty=True))
        is_open = output.text is None or HOLE in output.text
        return output._replace(choices=of_outputs(outputs)) if is_open else output

    def _with_descriptors(
        self, parts: CommandParts, source: Source, start: int, end: int, frame: Frame
    ) -> Stream:
        if not parts.descriptors:
            return self._run_parts(parts, source, start, end, frame)
        before = frame.scope.open(parts.descriptors)
        output = self._run_parts(parts, source, start, end, frame)
        if not _keeps_open(parts.words):
            frame.scope.close(parts.descriptors, before)
        return output

    def _run_parts(
        self, parts: CommandParts, source: Source, start: int, end: int, frame: Frame
    ) -> Stream:
        span = source.span_of(*trim(source.masked, start, end))
        at = builtins.declaring(parts.words)
        is_declared = at is not None
        given = [
            *parts.assigns,
            *(builtins.declared(parts.words[at + 1 :]) if at is not None else ()),
        ]
        self._follow_variables(given, span, frame, is_kept=is_declared or not parts.words)
        opened = frame.scope.descriptors.get(0)
        if opened and opened.path and 0 not in parts.descriptors:  # by ``exec`` before
            parts.redirects.append(Redirect("<", Word(opened.path, span)))
        job = Job(
            tuple(_by_path(word, frame.scope) for word in parts.words),
            span,
            frame,
            frame.input,
            tuple(parts.assigns),
            tuple(parts.redirects),
            frame.has_more_words or parts.has_more_words,
            parts.stdin.text if parts.stdin else None,
        )
        if not parts.words:
            if parts.assigns or parts.redirects:
                self._add(job._replace(stdin=parts.stdin))
            return NO_OUTPUT
        first = source.text[slice(*parts.first)]
        alias = frame.aliases.get(first, frame.scope.aliases.get(first))
        if alias is not None:
            inside = frame.forked().inside("alias", stdin=job.stdin)
            left = {name: text for name, text in frame.aliases.items() if name != first}
            inside = inside._replace(aliases=left)
            inside.scope.aliases.pop(first, None)
            text = alias + " " + source.text[parts.first[1] : end]
            # Whether aliases are expanded depends on the shell, so the command as written is followed too.
            self.evaluate_text(text, inside, None, span)
        # Tests and arithmetic only compute.
        is_test = first.startswith(("[[", "((")) and len(first) > 3
        if is_test and (first[0] == "(" or _COMPARES.search(first)):
            text = " ".join(job.texts)
            self.compute([text], frame, span)
            if first[0] == "(":
                frame.scope.note_computed(text)
        self.has_ended_well = None
        output = NO_OUTPUT if is_test else self._execute(job)
        if self.has_ended_well is False:
            is_denied = source.text[start:end].lstrip()[:1] == "!"
            self._note_failure(frame, is_denied=is_denied)
        return self._redirect_output(job, output)

    def _note_failure(self, frame: Frame, *, is_denied: bool) -> None:
        """A command has failed: the shell may end here."""
        if is_denied:
            self.has_ended_well = True
        elif frame.scope.ends_on_failure and not self.tested and frame.may_exit:
            self.jump = "exit"

    def _run_as_root(self, job: Job) -> None:
        """Follow ``$SUDO rm x`` with what the variable is for, where its value is not known."""
        first = job.argv[0]
        if may_be_root(self.text, first.span):
            argv = (first._replace(text="sudo"), *job.argv[1:])
            self._execute(job._replace(argv=argv, frame=job.frame.forked()))

    def _follow_variables(
        self,
        given: Iterable[tuple[str, Word]],
        span: tuple[int, int],
        frame: Frame,
        *,
        is_kept: bool = False,
    ) -> None:
        """Follow variables whose value a program will run, or read as a script."""
        for name, word in given:
            text = word.text
            self.variables[name, text] = None
            if is_kept:
                # An earlier value of the variable is not from this text.
                text = re.sub(rf"\A\s*{HOLE}", ":", text)
            if name in PROMPT_VARIABLES:
                Expander(self, Source(text, text, None, word.span), frame).value_again(text)
            elif text[:1] in {"/", "~"} and re.fullmatch(WRITTEN_VARIABLES, name):
                written = Redirect(">>", Word(text, word.span))
                self._add(Job((), span, frame.inside(name), None, redirects=(written,)))
            elif text and re.fullmatch(COMMAND_VARIABLES, name):
                job = Job((word,), span, frame, None)
                self.run_inner(Wrapped(name, text=Word(text, word.span)), job)
            elif name in OPTION_VARIABLES and text:
                template = OPTION_VARIABLES.get(f"{name}={text[0]}", OPTION_VARIABLES[name])
                runs = fill(template, text)
                job = Job((word,), span, frame.forked(), None)
                self.run_inner(Wrapped(name, text=Word(runs, word.span)), job)
            elif name in SCRIPT_VARIABLES and text:
                words = (Word("source", word.span), word)
                self._source("source", Job(words, span, frame.forked().inside(name), None))

    def _redirect_output(self, job: Job, output: Stream) -> Stream:
        for redirect in job.redirects:
            target = redirect.target
            if target.text in _OWN_OUTPUT and redirect.fd in {None, 1}:
                continue
            is_number = not target.is_known or _DESCRIPTOR.fullmatch(target.text)
            is_copied = redirect.op == ">&" and is_number
            writes = ">" in redirect.op and redirect.op != "<>" and not is_copied
            if writes and (redirect.fd in {None, 1} or _keeps_open(job.argv)):
                given = (redirect, job.argv, job.scope, output)
                self.files.redirect(*given, when=self._when(job))
                output = NO_OUTPUT
        return output

    def _when(self, job: Job) -> tuple[int, bool]:
        """How many commands have run until what this one writes, and whether that is sure."""
        is_sure = not (self.doubts or self.loops or job.frame.through)
        number = 0 if self._is_reading else len(self.commands)
        return number, is_sure and not (self._is_reading or self._may_not_write)

    def _execute(self, job: Job) -> Stream:
        self.spend(1)
        first, scope = job.argv[0], job.scope
        if self.is_too_deep(job.frame, job.span):
            self._add(job)
            return UNKNOWN
        if first.text == HOLE and len(job.argv) > 1:
            self._run_as_root(job)
        name = program_name(first)
        lowered = name.lower()
        if lowered != name and (lowered in INTERPRETERS or lowered in SHELLS):
            name = lowered  # it is started where the disk takes names in any case
        function = scope.functions.get(first.text)
        if function is not None and PROGRAMS_ALONE.isdisjoint(job.frame.through[-1:]):
            output = self._call_any(function, job)
            if function.name not in scope.uncertain:
                return output
        if name in SHELLS:
            return self._shell(name, job)
        written = self.files.at(first.text, scope) if "/" in first.text else None
        if written and written.text is not None:
            self._add(job)
            return self._script("sh", job, written, tuple(job.texts))
        if written and written.program and descriptor(first.text) is None:
            # What the file holds is unknown, but not where it comes from.
            argv = (Word("sh", first.span), *job.argv)
            self._add(job._replace(argv=argv, stdin=written))
        if name in SOURCING and len(job.argv) > 1:
            return self._source(name, job)
        return self._program(name, job)

    def _traps_of(self, name: str) -> Traps | None:
        """The traps of the text, if the command sets one."""
        if name != "trap":
            return None
        if self._traps is None:
            from operators_edge.shell.traps import Traps  # noqa: PLC0415 - few texts set one

            self._traps = Traps(self)
        return self._traps

    def _program(self, name: str, job: Job) -> Stream:
        """Evaluate a program that is neither a function nor a shell."""
        if self.files.written and not shell_options.leaves_files(job.texts):
            self.files.note_change()
        inners = unwrap(job.argv, self._given_items(name, job))
        traps = self._traps_of(name) if inners else None
        if traps is not None and traps.waits(inners[0], job):
            return NO_OUTPUT
        if inners and inners[0].keeps_wrapper and inners[0].words:
            # Words from elsewhere belong to the inner command.
            frame = job.frame._replace(has_more_words=False)
            self._add(job._replace(has_more_words=False, frame=frame))
        elif not inners or inners[0].keeps_wrapper:
            self._add(job)
        self.compute(builtins.computed(name, job.texts[1:]), job.frame, job.span)
        words = (*job.argv, Word(HOLE)) if job.has_more_words else job.argv
        if name in MOVING or name in CHANGING_FOLDERS:
            self._change_folders(name, words, job)
        else:
            builtins.apply(name, words, job.scope, job.own_input, job.input_text)
        if traps is not None:
            outputs = traps.run(inners, job)
        else:
            outputs = [self.run_inner(inner, job) for inner in inners]
        if inners:
            found = outputs[0] if len(outputs) == 1 else UNKNOWN
            # What ``ssh`` runs may read a file there: it comes from another machine anyway.
            return found._replace(program=name) if name in FETCHES and found.text is None else found
        if name in INTERPRETERS:
            self._interpret(name, job)
        output = self._output(name, job)
        given = (name, job.texts, job.input_text, job.scope, output)
        feeder = job.stdin.program if job.stdin else ""
        self.files.note_written(*given, when=self._when(job), feeder=feeder)
        return output

    def _change_folders(self, name: str, words: tuple[Word, ...], job: Job) -> None:
        """Follow a program that changes the folder, or that makes folders or takes them away."""
        if name not in MOVING:
            if not job.frame.is_remote and found_in_file(_MOVES.pattern, self.text):
                given = (name, words, job.scope, job.redirects)
                self.folders.note(*given, is_sure=job.frame.surely_runs)
            return
        hidden = job.scope.lend(job.assigns)
        if job.frame.is_remote:
            builtins.apply(name, words, job.scope)
        else:
            self.folders.change(name, words, job.scope, job.redirects)
        job.scope.take_back(hidden)

    def _output(self, name: str, job: Job) -> Stream:
        found = self._own_output(name, job)
        origin = job.stdin.program if job.stdin else ""
        is_passed_on = found.text is None and name in FILTERS and origin in FETCHES
        return found._replace(program=origin) if is_passed_on else found

    def _own_output(self, name: str, job: Job) -> Stream:
        if not job.argv[0].is_known or job.has_more_words:
            return Stream(None, name)
        arguments = job.texts[1:]
        if name == "cat" and arguments:
            text = self.files.joined(arguments, job.scope)
            if text is not None:
                return Stream(text, name)
        if self._disk is not None:
            from operators_edge.shell.filters import text_filters  # noqa: PLC0415 - few texts need one

            is_plain = len(arguments) < 2 and not "".join(arguments).startswith("-")
            if name == "envsubst" and is_plain and job.input_text is not None:
                given = job.input_text, self._variable_in(job), arguments
                return Stream(text_filters.substituted(*given), name)
            is_named = not any(word.has_glob for word in job.argv)
            is_named &= name not in text_filters.LOAD_MODULES or self._is_alone(job)
            filtered = (
                text_filters.filter_of(
                    name, arguments, lambda path: self.files.joined([path], job.scope)
                )
                if is_named
                else None
            )
            if filtered is not None:
                read = filtered.files
                text = self.files.joined(read, job.scope) if read else job.input_text
                if filtered.is_committed:
                    text = self._disk(read[0], is_committed=True, folder=job.scope.cwd)
                is_known = text is not None and HOLE not in text
                return Stream(filtered.apply(text) if text is not None and is_known else None, name)
        if name in {"pwd", "git"}:
            return Stream(job.scope.printed_folder(name, arguments, job.assigns), name)
        if (looked_for := looked_for_program(name, arguments)) is not None:
            return Stream(None, name, choices=AllOrNothing((f"{looked_for}\n",)))
        return Stream(known_output(name, arguments, job.input_text), name)

    def _is_alone(self, job: Job) -> bool:
        """Whether an interpreter surely gets no modules or options but those on the line."""
        given = {*dict(job.assigns), *job.scope.exported}
        names = ("json", "yaml", "pathlib", "shlex")
        beside = [one[: one.rfind("/") + 1] for one in job.texts[1:2] if one.endswith(".py")]
        places = [
            job.scope.resolve(f"{folder}{one}{end}")
            for folder in ("", *beside)
            for one in names
            for end in ("", ".py")
        ]
        return not any(one.startswith(("PYTHON", "NODE", "PERL")) for one in given) and all(
            place and self._disk and self._disk(place, is_missing=True) is not None
            for place in places
        )

    def _given_items(self, name: str, job: Job) -> str | None:
        """The text that a command takes its items from: its input, or the file of ``xargs -a``."""
        if name in {"xargs", "gxargs"} and (path := file_of_items(job.argv)):
            return (self.files.read(path, job.scope) or UNKNOWN).text
        return job.input_text

    def _variable_in(self, job: Job) -> Callable[[str], str]:
        given = {name: word.text for name, word in job.assigns}
        return lambda name: given.get(name, job.scope.get(name) or HOLE)

    def _call_any(self, function: Function, job: Job) -> Stream:
        """Call a function; if another branch has defined another one, that too."""
        others = [(one, job.scope.copy()) for one in job.scope.alternatives.get(function.name, ())]
        output = self._call(function, job)
        for other, scope in others:
            self._call(other, job._replace(frame=job.frame._replace(scope=scope)))
            job.scope.merge(scope, keeps_cwd=False)
        return UNKNOWN if others else output

    def _call(self, function: Function, job: Job) -> Stream:
        if function.name in job.frame.active:
            through = (*job.frame.through, "recursion")
            if job.frame.is_apart and self.doubts == 1 and self._is_same_call(job):
                through = (*through, "endless")
            frame = job.frame._replace(through=through)
            self._add(job._replace(frame=frame))
            return UNKNOWN
        function.is_called = True
        self._group(job)
        scope = job.scope
        before = scope.arguments, scope.has_more_arguments
        scope.arguments = job.texts
        scope.has_more_arguments = job.has_more_words
        hidden = scope.lend(job.assigns)
        outside, scope.hidden = scope.hidden, {}
        output = self._call_body(function, job.frame._replace(stdin=job.stdin))
        scope.leave(outside)
        scope.take_back(hidden)
        scope.arguments, scope.has_more_arguments = before
        self.note_output(output)
        return output

    @staticmethod
    def _is_same_call(job: Job) -> bool:
        """Whether a function calls itself with what it was given: nothing says that it ends."""
        return (job.scope.arguments or [""])[1:] == job.texts[1:]

    def _add_as_before(self, text: str, job: Job) -> None:
        """Report the files that a text may be from, which hold another one if it was not written."""
        reported = [word.text for word in self.commands[-1].argv] if self.commands else []
        for path in self.files.doubtful(text):
            if path not in reported or reported[0] not in SHELLS:
                argv = (Word("sh", job.span), Word(path, job.span))
                self._add(job._replace(argv=argv, stdin=None))

    def run_inner(self, inner: Wrapped, job: Job) -> Stream:
        stdin = job.stdin if inner.takes_stdin else None
        stdin = FROM_COPROC if inner.through == "coproc" else stdin
        scope = job.scope if inner.shares_scope else job.frame.fed(None).scope
        if inner.is_remote:
            scope = Scope({"HOME": "~"}, cwd=None)
        elif inner.cwd is not None:
            scope.enter(scope.resolve(inner.cwd))
        if not inner.shares_scope and inner.through not in ("trap", "coproc"):
            scope.enter_program()
            scope.ends_on_failure = inner.ends_on_failure
        frame = job.frame.inside(inner.through, stdin=stdin)._replace(
            scope=scope,
            is_remote=job.frame.is_remote or inner.is_remote,
            # Words from elsewhere are arguments of a script, not words of its commands.
            has_more_words=inner.has_more_words or (job.has_more_words and inner.arguments is None),
        )
        self._follow_variables(inner.assigns, job.span, frame)
        assigns = (*_handed_on(job.assigns, inner, scope), *inner.assigns)
        redirects = () if inner.keeps_wrapper else job.redirects
        if inner.text is None:
            return self._execute(
                Job(inner.words, job.span, frame, stdin, assigns, redirects, frame.has_more_words)
            )
        self._add_as_before(inner.text.text, job)
        scope.lend(assigns)
        if inner.arguments is not None:
            scope.arguments = list(inner.arguments)
            scope.has_more_arguments = job.has_more_words
        self._group(
            job._replace(assigns=(), redirects=redirects, frame=frame._replace(scope=job.scope))
        )
        output = self.evaluate_text(inner.text.text, frame, None, inner.text.span)
        self.note_output(output)
        return output

    def _shell(self, name: str, job: Job) -> Stream:
        """Evaluate ``sh -c TEXT``, ``sh FILE`` and a shell that reads its standard input."""
        if job.texts[1:2] == ["-n"] and name not in {"pwsh", "powershell"}:
            is_alone = not any(text[:1] in {"-", "+"} for text in job.texts[2:3])
            if is_alone:  # it reads the file, or its input, and runs nothing
                self._add(job)
                return NO_OUTPUT
        ends_on_failure = _ends_on_failure(job.texts)
        job = job._replace(argv=shell_options.with_dashes(job.argv))
        words = operands(job.argv, "o O rcfile init-file C init-command")
        options = job.argv[1 : len(job.argv) - len(words)]
        kind = shell_options.kind_of(name, options)
        if kind:
            job = job._replace(frame=job.frame._replace(through=(*job.frame.through, kind)))
        attached = tuple(
            Word(word.text.removeprefix("--command="), word.span)
            for word in options
            if word.text.startswith("--command=")
        )
        before = option_value(options, "C init-command") if name == "fish" else None
        if before is not None:
            self.run_inner(Wrapped("fish -C", text=before), job)
        first = option_value(options, "rcfile init-file")
        if first is not None:
            source = Job((Word("source", first.span), first), job.span, job.frame.forked(), None)
            self._source("source", source)
        if attached or has_option(options, "c", "--command"):
            words = (*attached, *words)
            if not words:
                self._add(job)
                return UNKNOWN
            arguments = tuple(word.text for word in words[1:]) or (name,)
            inner = Wrapped(f"{name} -c", text=words[0], arguments=arguments)
            return self.run_inner(inner._replace(ends_on_failure=ends_on_failure), job)
        is_stdin = not words or words[0].text in {"-", "/dev/stdin", "/dev/fd/0"}
        if is_stdin or has_option(options, "s"):
            return self._script(name, job, job.stdin, ())
        return self._shell_file(name, job, words)

    def _shell_file(self, name: str, job: Job, words: Sequence[Word]) -> Stream:
        """Evaluate ``sh FILE``, if this text has written the file."""
        path = words[0].text
        written = self.files.at(path, job.scope)
        if written is None:
            self._add(job)
            return Stream(None, name)
        job = job._replace(stdin=written)
        if descriptor(path) is None and written.text is not None:
            # Another process may have written the file since, so the shell itself is reported too.
            self._add(job._replace(stdin=None))
        return self._script(name, job, written, tuple(word.text for word in words))

    def _script(
        self,
        name: str,
        job: Job,
        stdin: Stream | None,
        arguments: tuple[str, ...],
        *,
        shares_scope: bool = False,
    ) -> Stream:
        """Evaluate the text that a shell reads; if it is unknown, report the shell itself."""
        text = stdin.text if stdin else None
        if text is None:
            self.is_unsettled |= shares_scope
            if shares_scope:
                job.scope.doubt_environment()
            self._add(job)
            return Stream(None, name)
        span = job.argv[0].span
        before = len(self.commands)
        inner = Wrapped(
            name,
            text=Word(text, span),
            arguments=arguments or None,
            takes_stdin=False,
            shares_scope=shares_scope,
        )
        output = self.run_inner(inner, job) if shares_scope else self._new_shell(inner, job, text)
        if len(self.commands) == before:
            self._add(job)
        return output

    def _new_shell(self, inner: Wrapped, job: Job, text: str) -> Stream:
        """Evaluate a text in a shell of its own, which has nothing of this one but what is exported."""
        given = {*dict(job.assigns), *job.scope.exported}
        is_plain = self.files.are_as_written and shell_options.is_plain(job.texts, text, given)
        scope = job.scope.of_new_shell() if is_plain else None
        if scope is None:
            return self.run_inner(inner, job)
        before = self.is_unsettled, self.doubts, self.loops, self.jump
        self.is_unsettled, self.doubts, self.loops, defined = False, 0, 0, len(self._defined)
        output = self.run_inner(inner, job._replace(frame=job.frame._replace(scope=scope)))
        new = self._defined[defined:]  # which nobody calls later, but bash itself one of this name
        is_handed_on = shell_options.hands_functions_on(text)
        self._defined[defined:] = [
            one for one in new if is_handed_on or "command_not_found" in one[0].name
        ]
        self.is_unsettled, self.doubts, self.loops, self.jump = before
        return output

    def _source(self, name: str, job: Job) -> Stream:
        path = job.argv[1].text
        stdin = job.stdin if path in {"-", "/dev/stdin"} else self.files.at(path, job.scope)
        is_open = self._sourced and (stdin is None or stdin.text is None)
        place = job.scope.resolve(path) if is_open else None
        if place is not None and (stdin is not None or place in self.files.copies):
            place = changed_place(place)
        if place is None or place not in self._sourced:
            place = changed_place(job.scope.resolve(path) or "") if is_open else None
        if place is not None and place in self._sourced:
            self._add(job)
            stdin = Stream(self._sourced[place], "cat", "file", path)
        job = job._replace(stdin=stdin)
        return self._script(name, job, stdin, (), shares_scope=True)

    def _interpret(self, name: str, job: Job) -> None:
        from operators_edge.shell.code.interpreters import find_calls  # noqa: PLC0415 - most texts hold no code

        known = (*job.scope.environment(), *((one, word.text) for one, word in job.assigns))
        for started in find_calls(name, job.texts, job.input_text, environment=known):
            span = job.argv[-1].span if len(job.argv) > 1 else job.span
            frame = job.frame.forked().inside(started.through)
            frame.scope.enter_program()
            if started.folder:
                frame.scope.enter(frame.scope.resolve(started.folder))
            if started.text is not None:
                self.evaluate_text(started.text, frame, None, span)
            elif started.words:
                self._execute(Job(started.words_at(span), job.span, frame, None))

    def _add(self, job: Job) -> None:
        if len(self.commands) >= MAX_COMMANDS:
            raise _TooManyError
        stdin, frame = job.stdin, job.frame
        text = job.input_text
        self.is_unsettled |= bool(job.argv) and not job.argv[0].is_known
        self.commands.append(
            Command(
                job.argv,
                job.span,
                job.assigns,
                job.redirects,
                text,
                ("text" if text is not None else stdin.kind) if stdin else "",
                stdin.program if stdin else "",
                frame.through,
                None if frame.is_remote else job.scope.cwd,
                job.has_more_words or frame.has_more_words,
                frame.is_remote,
                () if frame.is_remote else job.scope.environment(),
            )
        )


def changed_place(place: str) -> str:
    """The key of what is known of a file that is sourced after the text has changed it."""
    return f"{place}\0"


def _handed_on(assigns: Assigns, inner: Wrapped, scope: Scope) -> Assigns:
    """What a command's own variables are behind a wrapper; ``scope`` is the one behind it."""
    if inner.drops_all or inner.is_remote:
        scope.exported = {}
        return ()
    for name in inner.drops:
        scope.exported.pop(name, None)
    kept = tuple(one for one in assigns if one[0] not in inner.drops)
    # A program prints what to set, as ``direnv export`` does: nothing of that is left in the text.
    is_printed = inner.shares_scope and inner.text is not None and not inner.text.text.strip()
    if inner.through not in CHANGING and not is_printed:
        return kept
    scope.doubt_environment()
    return tuple((name, word._replace(text=HOLE)) for name, word in kept)


def _by_path(word: Word, scope: Scope) -> Word:
    """Return the file that was opened in place of the name of its descriptor."""
    number = descriptor(word.text) if word.text.startswith("/") else None
    stream = scope.descriptors.get(number) if number is not None else None
    is_named = stream is not None and (stream.kind == "file" or stream.program == "/dev/tcp")
    return word._replace(text=stream.path) if stream and is_named and stream.path else word


def _ends_on_failure(words: Sequence[str]) -> bool:
    """Whether a shell is started with ``-e``."""
    given = list(takewhile(lambda one: one[:1] in {"-", "+"}, words[1:]))
    has_one = any(one[0] == "-" != one[1:2] and "e" in one for one in given)
    return has_one and not any(one[0] == "+" for one in given)


def _keeps_open(words: Sequence[Word]) -> bool:
    """Whether it is ``exec`` alone, which opens its redirects for the shell itself."""
    texts = [word.text for word in words]
    return texts[-1:] == ["exec"] and set(texts) <= {"exec", "command", "builtin"}


def parse(
    text: str,
    *,
    env: Mapping[str, str] = _NOTHING,
    arguments: Sequence[str] = (),
    is_program: bool = False,
    disk: Disk | None = None,
    sourced: Mapping[str, str] = _NOTHING,
    exported: Iterable[str] = (),
    outcome: Outcome | None = None,
) -> Script:
    """Return every command that the text would run, where that is known without running it.

    ``env`` holds variables with known values (HOME), ``arguments`` the positional parameters from ``$0`` on,
    if they are known. A text that ``is_program`` runs once, on its own: a function that it never calls does
    not run. ``disk`` gives the content of a file, by its path as seen from the call's folder, if what is
    printed from files should be known; ``sourced`` that of files of settings. ``exported`` are the variables
    of ``env`` that programs get. ``outcome`` says which changes of the folder fail, if not all go well.

    Never raises: what could not be understood is a ``Problem``, next to
    the commands found.
    """
    evaluator = Evaluator(
        env,
        arguments,
        is_program=is_program,
        disk=disk,
        sourced=sourced,
        exported=exported,
        outcome=outcome,
    )
    return evaluator.evaluate(text)


# end of module
