"""The structure of a text: in which order, and under which conditions, its commands run.

Works on masked texts (``quoting.mask``). A text without compound statements is split at operators; any
other is parsed (``shell.grammar``), and its tree is walked like a program: each branch of an ``if`` gets its
own copy of the scope, and afterwards only what holds on every path is kept. Owns lists, pipelines and
compound statements. Does not own single commands: those go to the ``Evaluator`` (``shell.evaluate``).
"""

from __future__ import annotations

from functools import partial
from types import MappingProxyType

from operators_edge.cached import lru_cache
from operators_edge.shell.commands import HOLE, Word
from operators_edge.shell.grammar import ParseError, read_statements
from operators_edge.shell.quoting import mask
from operators_edge.shell.scope import Function, Stream, of_outputs, with_either
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from operators_edge.shell.evaluate import Evaluator
    from operators_edge.shell.grammar import Statement
    from operators_edge.shell.quoting import Heredoc
    from operators_edge.shell.scope import Scope

    Runnable = Callable[["Frame"], "Stream"]

MAX_LOOP_WORDS = 16
"""Words of a ``for`` loop that are followed one by one; more words become one unknown word."""
MAX_TURNS = 400
"""Turns of a loop inside of other loops that are followed; with more, its words are one unknown word."""

_KEYWORD = r"if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function"
_COMPOUND = pattern(rf"[(){{}}]|(?:(?<=[\s;&|])|^)(?:{_KEYWORD})(?=[\s;&|]|$)")
_SPLIT = pattern(r"&&|\|\||\|&|(?<!>)\||(?<![<>])&(?!>)|;|\n")
_DECLARES = r"\b(?:declare|typeset|local|readonly|export)\s"
_UNSETTLES = pattern(
    rf"{_DECLARES}(?:(?!{_DECLARES})[^\n;|&])*(?<=\s)[-+]\w*[uilc]|\blastpipe"
    r"|\bnocasematch|\balias\b|\bwait\s+-"
    r"|\benable\b|\bbuiltin\b|\btrap\b(?:(?!\btrap\b)[^\n])*\b(?:DEBUG|ERR|RETURN)\b"
    r"|\blet\b|\(\((?:[^()]*[^=!<>()]=(?!=)|(?:(?!\(\()[^;])*(?:\+\+|--))"
    # arithmetic that assigns, in a subscript or in [[ ]]; computed names; a prefix that hides a builtin
    r"|\$\{\w+\[(?:(?!\$\{\w+\[)[^\]\n])*\w[-+*/%&|^]?=|\[\[(?:(?!\]\]|\[\[)[^\n])*[\w+*/%-]=[\w(]"
    r"|\b(?:declare|typeset|local|readonly|export|unset)\s+(?:-\w+\s+)*[\"']?[^\s=;|&]*\$"
    r"|(?<!\S)(?=\S*?\b\w+=)\S++\s+(?:read|mapfile|readarray|getopts|printf\s+-v|eval|unset)\b|\btime\s+\w+="
)
"""What may give a variable another value than the one that is assigned, or a test another meaning.

No part begins again within itself: the time grows with the length of the text.
"""
_TRAP, _KILL = pattern(r"\btrap\b"), pattern(r"\bkill\b")
_JUMPS = r"(?:break|continue|return)"
_JUMP_WORD = pattern(rf"\b{_JUMPS}\b")
_JUMP = pattern(
    rf"(?:^|[;\n&|{{()]|\b(?:then|do|else)\b)[^\S\n]*{_JUMPS}\b"
    r"(?=\s*(?:[^\s;&|()<>}]+\s*)?(?:[;\n&|})]|$))"
)
_JUMPING = pattern(r"\s*(?:(break|continue)|(return)(?:\s+[\w$\"'{}?]+)?)\s*")
_EXIT = pattern(r"\s*exit(?:\s+[\w$\"'{}?]+)?\s*")
_NESTED = 3
_ASKS_FOLDER = pattern(r"\$\((?:cd|dirname|basename|realpath|readlink)\b[^()]*\)")
_READS_ITSELF = pattern(
    r"(?:\b(?!(?:echo|printf|usage|die|cd|dirname|basename|realpath|readlink|then|do|else|if|elif|while|until)\b)"
    r"[a-z][\w-]*|\.|<)[ \t]+[^\n;|&]*\$\{?(?:0(?![\d#%])|BASH_SOURCE)"
    r"|\w=[\"']?\$\{?(?:0(?![\d#%])|BASH_SOURCE)|<\s*[\"']?\$\{?0|/proc/self|/dev/fd"
)
"""What may read the script's own file, unless it only asks for its folder or shows its name."""
_BREAKS = pattern(rf"[(){{}}]|(?:(?<=[\s;&|])|^)(?:{_KEYWORD}|in)(?=[\s;&|]|$)")
_ASSIGNS = (
    # `IFS= read x` sets IFS for that command alone
    r"\b(?!IFS=[^\s;|&]*[ \t]+read\b)([A-Za-z_]\w*)\+?=|\b(?:read|mapfile|readarray)\b([^;\n|&]*)"
)
_ASSIGNED = pattern(_ASSIGNS)

_CHANGES_SHELL = pattern(
    rf"{_ASSIGNS}|\b(?:cd|pushd|popd|unset|export|declare|typeset|local|readonly|eval|source|shift|set"
    r"|exec|exit|return|trap|getopts|let|wait|shopt|printf\s+-v)\b|(?:^|[\s;&|(])\.\s|\(\("
)
"""What in a text may leave something else behind in its shell."""

_READ = pattern(
    r"(?:IFS=(?:'(?P<quoted>[^'$\\]*)'|(?P<plain>[^\s'\"$\\;&|<>]?))[ \t]+)?"
    r"(?P<words>read(?:[ \t]+-r)?(?:[ \t]+[A-Za-z_]\w*)*)"
)
_LISTS = pattern(r"\$\(|`|\[[@*]\]")
_TAKES_LINES = pattern(r"\b(?:read|exec|ssh|mapfile|readarray)\b")

_SAME_SHELL = frozenset(("", "function", "eval"))

NO_OUTPUT = Stream("")
UNKNOWN = Stream(None)
FROM_COPROC = Stream(None, "coproc")


class Frame(NamedTuple):
    """Where a text runs, like a call frame; ``through`` has the outermost wrapper first.

    ``sets_nothing``: it is a loop around which nothing depends on how often, or how far, its body runs.
    ``is_apart``: it runs in the background of what is around it. ``aliases``: the function's that runs here.
    """

    scope: Scope
    through: tuple[str, ...] = ()
    depth: int = 0
    stdin: Stream | None = None
    is_remote: bool = False
    has_more_words: bool = False
    active: frozenset[str] = frozenset()
    sets_nothing: bool = False
    is_apart: bool = False
    aliases: Mapping[str, str] = MappingProxyType({})

    @property
    def may_exit(self) -> bool:
        """Whether ``exit`` ends the text that runs here, rather than an unknown part of it."""
        step = self.through[-1] if self.through else ""
        return step in _SAME_SHELL or step.endswith(" -c")

    @property
    def surely_runs(self) -> bool:
        """Whether what runs here does so if the statement does."""
        return all(
            one in _SAME_SHELL or one == "sudo" or one.endswith(" -c") for one in self.through
        )

    @property
    def is_of_its_own(self) -> bool:
        """Whether a text that runs here is all that its process runs."""
        return bool(self.through) and self.through[-1] not in _SAME_SHELL

    def inside(self, name: str, *, stdin: Stream | None = None) -> Frame:
        through, depth = (*self.through, name), self.depth + 1
        return self._replace(through=through, depth=depth, stdin=stdin, sets_nothing=False)

    @property
    def input(self) -> Stream | None:
        """What a command reads that has no input of its own."""
        return self.scope.descriptors.get(0, self.stdin)

    def fed(self, stdin: Stream | None) -> Frame:
        """The frame of a process with an input of its own."""
        inside = self.forked()._replace(stdin=stdin)
        inside.scope.descriptors.pop(0, None)
        return inside

    def forked(self) -> Frame:
        """The frame of a subshell: what changes there is unknown here."""
        return self._replace(scope=self.scope.copy())


_ENDLESS = pattern(
    r"(?:while\s+(?:true|:|/bin/true)|until\s+(?:false|/bin/false)|for\s*\(\(\s*;\s*;\s*\)\))\s*;?\s*do\b"
)


class Source(NamedTuple):
    """A text and its masked form; ``base`` is its position in the whole text, None inside a string."""

    text: str
    masked: str
    base: int | None
    span: tuple[int, int]
    heredocs: Mapping[int, Heredoc] = MappingProxyType({})

    def span_of(self, start: int, end: int) -> tuple[int, int]:
        return self.span if self.base is None else (self.base + start, self.base + end)


def evaluate_source(evaluator: Evaluator, source: Source, frame: Frame) -> Stream:
    """Pass every command of the text to the evaluator in order; return the output of the text."""
    evaluator.is_unsettled |= _unsettles(source.text) or _may_jump(source.masked)
    if not _COMPOUND.search(source.masked):
        return _evaluate_flat(evaluator, source, (0, len(source.text)), frame)
    walk = _TreeWalk(evaluator, source)
    try:
        statements = read_statements(source.masked)
    except ParseError as error:
        return walk.recover(frame, "too-deep" if error.is_too_deep else "syntax")
    return walk.run(statements, frame)


def _unsettles(text: str) -> bool:
    trap = _TRAP.search(text)
    is_killed = trap is not None and _KILL.search(text, trap.end()) is not None
    return is_killed or _UNSETTLES.search(text) is not None


def _may_jump(masked: str) -> bool:
    """Whether something jumps over a part of the text in another form than that of a statement."""
    return len(_JUMP_WORD.findall(masked)) != len(_JUMP.findall(masked))


def _jump(evaluator: Evaluator, source: Source, bounds: tuple[int, int], frame: Frame) -> None:
    """Leave what a statement jumps out of; where that is not sure, nothing that is set later is."""
    text = source.text[slice(*bounds)]
    if _EXIT.fullmatch(text):
        is_sure = not (evaluator.doubts or evaluator.is_unsettled or frame.through)
        is_own = "exit" in frame.scope.functions or _may_read_itself(source, frame)
        if evaluator.outcome is not None:  # what runs otherwise is judged in another one
            is_sure, is_own = frame.may_exit, "exit" in frame.scope.functions
        evaluator.jump = "exit" if is_sure and not is_own else ""
        return
    found = _JUMPING.fullmatch(text)
    if found is None:
        evaluator.is_unsettled |= _JUMP_WORD.match(text.lstrip()) is not None
        return
    word = found[1] or found[2]
    if (
        found[1]
        and frame.sets_nothing
        and evaluator.outcome is None
        and word not in frame.scope.functions
    ):
        return
    is_inside = frame.through[-1:] == ("function",) if found[2] else evaluator.loops > 0
    if evaluator.outcome is not None and (is_inside or found[1]):
        evaluator.jump = "" if word in frame.scope.functions else word
        return
    if evaluator.doubts or not is_inside or word in frame.scope.functions:
        evaluator.is_unsettled = True
    else:
        evaluator.jump = word


def _may_read_itself(source: Source, frame: Frame) -> bool:
    """Whether a program may take text from behind the end of the script: ``tail -n +9 "$0" | sh``."""
    text, is_read = _as_run(source.text, source.masked)
    name = (frame.scope.arguments or [""])[0].rpartition("/")[2]
    return is_read or (len(name) > 1 and name in text)


@lru_cache(maxsize=8)
def _as_run(text: str, masked: str) -> tuple[str, bool]:
    """A text without comments and without what asks for its own folder, and whether it reads itself.

    Kept for the jumps of one script.
    """
    text = "".join(each if kept != " " else " " for each, kept in zip(text, masked, strict=True))
    for _ in range(_NESTED):
        text = _ASKS_FOLDER.sub("", text)
    return text, _READS_ITSELF.search(text) is not None


class _InDoubt:
    """Walk what may not run, or not in this shell."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def __enter__(self) -> None:
        self.evaluator.doubts += 1
        self.evaluator.marks.append(self.evaluator.steps)

    def __exit__(self, *_: object) -> None:
        self.evaluator.doubts -= 1
        self.evaluator.marks.pop()
        if self.evaluator.outcome is not None:
            self.evaluator.jump = ""


class _Tested:
    """Walk what may fail without ending a shell with ``set -e``."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def __enter__(self) -> None:
        self.evaluator.tested += 1

    def __exit__(self, *_: object) -> None:
        self.evaluator.tested -= 1


def _evaluate_flat(
    evaluator: Evaluator, source: Source, bounds: tuple[int, int], frame: Frame
) -> Stream:
    """Evaluate a range without compound statements."""

    def run_simple(start: int, end: int, frame: Frame) -> Stream:
        output = evaluator.run_simple(source, start, end, frame)
        _jump(evaluator, source, (start, end), frame)
        return output

    parts = (
        (
            partial(_run_pipeline, evaluator, [partial(run_simple, *stage) for stage in stages]),
            following,
            partial(_truth_of, evaluator, source, stages[0]) if len(stages) == 1 else None,
        )
        for stages, following in _pipelines(source.masked, *bounds)
    )
    output = _run_list(evaluator, parts, frame)
    if "git" not in frame.scope.functions and _ASKS_TOP.match(source.masked, *bounds):
        top = frame.scope.printed_folder("git", _TOP, ())
        return Stream(top, "git") if top is not None else output
    return output


_TOP = ("rev-parse", "--show-toplevel")
_ASKS_TOP = pattern(
    r"\s*git rev-parse --show-toplevel[ \t]*(?:2>[ \t]*/dev/null)?[ \t]*\|\|[^;&|\n]*\Z"
)
"""``git rev-parse --show-toplevel || pwd``: where the first is known to succeed, the second does not run."""


def _truth_of(
    evaluator: Evaluator, source: Source, bounds: tuple[int, int], frame: Frame
) -> bool | None:
    """Return what a test says, if the text makes that known."""
    text, masked = source.text[slice(*bounds)], source.masked[slice(*bounds)]
    start = text.lstrip()
    if start.startswith("! "):
        said = _truth_of(evaluator, source, (bounds[1] - len(start) + 1, bounds[1]), frame)
        return None if said is None else not said
    is_own = not {"[", "test", "true", "false"}.isdisjoint(frame.scope.functions)
    is_known = start.startswith(("[", "test", "$", '"$')) and not is_own
    if not is_known or evaluator.is_unsettled:
        return None
    from operators_edge.shell import known_tests  # noqa: PLC0415 - many texts have no test

    shift = len(text) - len(start)
    text, masked = start.rstrip("; \t\n"), masked[shift:].rstrip("; \t\n")
    if not known_tests.is_test(text, masked):
        return None
    if known_tests.rests_on_environment(text, frame.scope.get):
        return None
    at = bounds[0] + shift
    if text.startswith("[["):
        inner = text[2:-2].strip()
        inside = mask(inner)
        if inside.unclosed or set(inside.masked) & set("&|;()<>\n"):
            return None
        source = Source(inner, inside.masked, None, source.span_of(at, at + len(text)))
        words = evaluator.expand_words(source, 0, len(inner), frame)
        said = known_tests.truth(["test", *words])
    else:
        said = known_tests.truth(evaluator.expand_words(source, at, at + len(text), frame))
    return known_tests.holds(said=said, test=text, program=evaluator.text, around=frame.through)


def _run_list(
    evaluator: Evaluator,
    parts: Iterable[tuple[Runnable, str, Callable[[Frame], bool | None] | None]],
    frame: Frame,
) -> Stream:
    """Run parts of a list, each with the operator that follows it and, of a test, what says its truth."""
    scope = frame.scope
    outputs: list[Stream] = []
    before_chain: Scope | None = None
    connector = ";"
    truth: bool | None = None
    for run, following, truth_of in parts:
        if truth is not None and connector in _CHAINS:
            if truth != (connector == "&&"):
                connector = following
                continue
            connector = ";"
        is_first = following in _CHAINS and connector not in _CHAINS
        truth = truth_of(frame) if truth_of is not None and is_first else None
        before = scope.copy() if connector == "||" else None
        is_apart = following == "&"
        run_here = partial(run, frame.forked()._replace(is_apart=True) if is_apart else frame)
        evaluator.tested += following in _CHAINS
        if connector in _CHAINS or is_apart:
            with _InDoubt(evaluator):
                outputs.append(evaluator.run_next(connector, run_here))
        else:
            outputs.append(evaluator.run_next(connector, run_here))
        evaluator.tested -= following in _CHAINS
        outputs[-2:] = with_either(connector, outputs[-2:])
        if evaluator.jump:
            break
        if evaluator.has_ended_well is not None and connector != "||":
            truth = evaluator.has_ended_well
        if before:
            _merge(evaluator, scope, before, keeps_cwd=False)
        if following == "&&" and before_chain is None:
            before_chain = scope.copy() if truth is None else None
        elif following != "&&" and before_chain is not None:
            _merge(evaluator, scope, before_chain, keeps_cwd=True)
            before_chain = None
        connector = following
    return join_outputs(outputs)


def _merge(evaluator: Evaluator, scope: Scope, before: Scope, *, keeps_cwd: bool) -> None:
    """Keep what holds whether a part of a list has run or not."""
    end = scope.cwd
    scope.merge(before, keeps_cwd=keeps_cwd)
    if end != before.cwd:
        evaluator.folders.leave_branches(scope, before.cwd, [end])


_CHAINS = ("&&", "||")
_ENDS_IN_EXIT = pattern(r"(?:^|;|(?<!\\)\n)[ \t]*exit(?:[ \t]+\d+)?[ \t]*(?:;;?)?\s*\Z")
"""The last command of a part of a text, which runs whatever is before it."""


def _run_pipeline(evaluator: Evaluator, stages: Sequence[Runnable], frame: Frame) -> Stream:
    """Run each stage in a subshell of its own, with the output of the stage before."""
    if len(stages) == 1:
        return stages[0](frame)
    stdin = frame.input
    with _InDoubt(evaluator):
        for run in stages:
            stdin = run(frame.fed(stdin))
    return stdin or UNKNOWN


def _pipelines(masked: str, start: int, end: int) -> Iterator[tuple[list[tuple[int, int]], str]]:
    """Yield the ranges of each pipeline's stages, and the operator after the pipeline."""
    stages: list[tuple[int, int]] = []
    at = start
    is_open = False
    while True:
        match = _SPLIT.search(masked, at, end)
        stop = match.start() if match else end
        operator = match[0] if match else ";"
        is_blank = not masked[at:stop].strip()
        if not is_blank:
            stages.append((at, stop))
        # A line may end after an operator: the pipeline or list continues in the next line.
        is_open = operator in {"|", "|&"} or (is_blank and is_open and operator == "\n")
        if stages and not is_open:
            yield stages, operator
            stages = []
        if match is None:
            return
        at = match.end()


def join_outputs(outputs: list[Stream]) -> Stream:
    if len(outputs) == 1:
        return outputs[0]
    texts = [output.text for output in outputs]
    known = [text for text in texts if text is not None]
    if len(known) == len(texts):
        found = Stream("".join(known), outputs[-1].program if outputs else "")
    else:
        found = next(output for output in outputs if output.text is None)
    is_open = any(output.choices for output in outputs)
    return found._replace(choices=of_outputs(outputs)) if is_open else found


def _join_branches(
    evaluator: Evaluator, outputs: list[Stream], scope: Scope, ends: list[Scope], before: str | None
) -> Stream:
    """Merge what holds at the end of each branch; return the output when only some of the parts run.

    ``before`` is the folder around them.
    """
    folders = [scope.cwd, *(end.cwd for end in ends)]
    for end in ends:
        scope.merge(end, keeps_cwd=False)
    if folders.count(before) < len(folders):
        evaluator.folders.leave_branches(scope, before, folders)
    if all(output.text == "" for output in outputs):
        return NO_OUTPUT
    return UNKNOWN._replace(choices=of_outputs(outputs))


_ONE_CONDITION = 3
"""Parts of an ``if`` without ``elif``."""


class _TreeWalk:
    """Walks the tree of one source."""

    def __init__(self, evaluator: Evaluator, source: Source) -> None:
        self.evaluator = evaluator
        self.source = source

    def recover(self, frame: Frame, problem: str) -> Stream:
        """Evaluate a rejected text: every piece between brackets and keywords is a command."""
        self.evaluator.report(problem, self.source.span_of(0, len(self.source.text)))
        masked = _BREAKS.sub(lambda match: ";" * len(match[0]), self.source.masked)
        source = self.source._replace(masked=masked)
        _evaluate_flat(self.evaluator, source, (0, len(masked)), frame)
        return UNKNOWN

    def run(self, node: Statement, frame: Frame) -> Stream:
        return _WALKS[node.kind](self, node, frame)

    def simple(self, node: Statement, frame: Frame) -> Stream:
        # ``a(b)`` is a pattern in zsh, and an error in bash.
        is_fish = bool(node.parts) and any(one.startswith("fish") for one in frame.through)
        for part in node.parts if is_fish else ():
            self.run(part, frame.forked())
        output = self.evaluator.run_simple(self.source, node.start, node.end, frame)
        _jump(self.evaluator, self.source, (node.start, node.end), frame)
        return output

    def statements(self, node: Statement, frame: Frame) -> Stream:
        """One after another, or chained by ``&&`` and ``||``."""
        parts = (
            (partial(self.run, each), following, partial(self._truth, each))
            for each, following in zip(node.parts, node.operators, strict=True)
        )
        return _run_list(self.evaluator, parts, frame)

    def _truth(self, node: Statement, frame: Frame) -> bool | None:
        return _truth_of(self.evaluator, self.source, (node.start, node.end), frame)

    def pipeline(self, node: Statement, frame: Frame) -> Stream:
        return _run_pipeline(
            self.evaluator, [partial(self.run, each) for each in node.parts], frame
        )

    def group(self, node: Statement, frame: Frame) -> Stream:
        return self.run(node.parts[0], frame)

    def subshell(self, node: Statement, frame: Frame) -> Stream:
        with _InDoubt(self.evaluator):
            return self.run(node.parts[0], frame.forked())

    def coproc(self, node: Statement, frame: Frame) -> Stream:
        with _InDoubt(self.evaluator):
            return self.run(node.parts[0], frame.fed(FROM_COPROC))

    def redirected(self, node: Statement, frame: Frame) -> Stream:
        body = node.parts[0]
        opened = self.evaluator.take_redirects(self.source, body.end, node.end, frame)
        before = frame.scope.open(opened)
        output = self.run(body, frame)
        frame.scope.close(opened, before)
        self.evaluator.note_statement(output)
        return UNKNOWN if ">" in self.source.masked[body.end : node.end] else output

    def function(self, node: Statement, frame: Frame) -> Stream:
        source, body = self.source, node.parts[0]
        base = None if source.base is None else source.base + body.start
        span = source.span_of(node.start, node.end)
        text = source.text[body.start : node.end]
        function = Function(source.text[slice(*node.name)], text, base, span)
        self.evaluator.define_function(function, frame)
        return NO_OUTPUT

    def branches(self, node: Statement, frame: Frame) -> Stream:
        """``if``: each branch has a copy of the scope; afterwards only what all agree on is kept."""
        outputs: list[Stream] = []
        ends: list[Scope] = []
        last, left_out = len(node.parts) - 1, -1
        before, folder = frame, frame.scope.cwd
        truth = self._truth(node.parts[0], frame)
        if truth is not None and len(node.parts) <= _ONE_CONDITION:
            self.run(node.parts[0], frame)
            return self._taken(node, frame, holds=truth)
        for number, part in enumerate(node.parts):
            if number == left_out:
                continue
            here = before.forked() if number else frame
            is_condition = number % 2 == 0 and number < last
            with _InDoubt(self.evaluator):
                outputs.append(
                    self._condition(part, here) if is_condition else self.run(part, here)
                )
            ends += [here.scope] if number else []
            before = here if is_condition else before
            if is_condition and self.evaluator.has_ended_well is not None:
                holds = self.evaluator.has_ended_well
                if len(node.parts) <= _ONE_CONDITION:
                    return self._taken(node, frame, holds=holds)
                left_out = -1 if holds else number + 1
        found = _join_branches(self.evaluator, outputs, frame.scope, ends, folder)
        if last % 2 == 0 and len(ends) == last:  # with an ``else``
            bodies = [*range(1, last, 2), last]
            frame.scope.note_ends(
                [ends[n - 1] for n in bodies if not self._exits(node.parts[n], frame)]
            )
        return found

    def _exits(self, part: Statement, frame: Frame) -> bool:
        """Whether a branch ends the shell, so that nothing of it holds later."""
        text = self.source.text[part.start : part.end]
        is_own = "exit" in {*frame.scope.functions, *frame.scope.aliases}
        return not is_own and _ENDS_IN_EXIT.search(text) is not None

    def _taken(self, node: Statement, frame: Frame, *, holds: bool) -> Stream:
        """Run the branch of an ``if`` with one condition, which is known."""
        taken = node.parts[1:2] if holds else node.parts[2:3]
        return join_outputs([NO_OUTPUT, *(self.run(one, frame) for one in taken)])

    def _condition(self, node: Statement, frame: Frame) -> Stream:
        with _Tested(self.evaluator):
            return self.run(node, frame)

    def case(self, node: Statement, frame: Frame) -> Stream:
        outputs: list[Stream] = []
        ends: list[Scope] = []
        folder = frame.scope.cwd
        chosen = self._chosen(node, frame)
        if chosen is None:
            self._data(node, frame)
        elif chosen < 0:
            return NO_OUTPUT
        else:
            return self.run(node.parts[chosen].parts[0], frame)
        for item in node.parts:
            here = frame.forked()
            ends.append(here.scope)
            self._data(item, here)
            with _InDoubt(self.evaluator):
                outputs.append(self.run(item.parts[0], here))
        found = _join_branches(self.evaluator, outputs, frame.scope, ends, folder)
        last = node.parts[-1].words if node.parts else None
        if last and self.source.text[slice(*last)].strip() == "*":
            bodies = zip(node.parts, ends, strict=True)
            frame.scope.note_ends(
                [end for one, end in bodies if not self._exits(one.parts[0], frame)]
            )
        return found

    def _chosen(self, node: Statement, frame: Frame) -> int | None:
        """Return which item of a ``case`` runs, -1 for none; None if that is not known."""
        source = self.source
        if not node.words or not all(item.words for item in node.parts):
            return None
        if self.evaluator.is_unsettled or any(one.startswith("zsh") for one in frame.through):
            return None
        from operators_edge.shell import known_tests  # noqa: PLC0415 - few texts have a case

        subject = source.text[slice(*node.words)]
        masked = source.masked[node.start : node.end]
        falls_through = ";&" in masked or ";;&" in masked
        is_plain = "$(" not in subject and "`" not in subject
        if (
            not is_plain
            or falls_through
            or known_tests.rests_on_environment(subject, frame.scope.get)
        ):
            return None
        words = self.evaluator.expand_words(source, *node.words, frame)
        patterns = [source.text[slice(*item.words)] for item in node.parts if item.words]
        return known_tests.chosen(words[0], patterns) if len(words) == 1 else None

    def loop(self, node: Statement, frame: Frame) -> Stream:
        """``while``: variables that the body assigns are unknown when it runs again."""
        outputs: list[Stream] = []
        if self._is_over(node, frame, outputs):
            return join_outputs([NO_OUTPUT, *outputs])
        self._forget_assigned(node, frame.scope)
        ends, folder = [frame.scope.copy()], frame.scope.cwd
        condition, body = node.parts
        if self._starts_without_end(node, body):
            frame = frame.inside("endless")
        frame = frame._replace(sets_nothing=self._sets_nothing(body, frame))
        with _InDoubt(self.evaluator):
            outputs.append(self._condition(condition, frame))
            for words, line, separators in self._lines_read(node, frame):
                here = frame.forked()
                self.evaluator.read_line(words, line, separators, here.scope)
                with _InDoubt(self.evaluator):
                    outputs.append(self.run(body, here))
                ends.append(here.scope)
            if len(ends) == 1:
                outputs.append(self.run(body, frame))
        return _join_branches(self.evaluator, outputs, frame.scope, ends, folder)

    def _starts_without_end(self, node: Statement, body: Statement) -> bool:
        """Whether the loop never ends, and all that it does is to start something in the background."""
        head = self.source.text[node.start : body.start]
        starts = body.kind == "list" and set(body.operators) == {"&"}
        return starts and len(body.operators) == len(body.parts) and bool(_ENDLESS.match(head))

    def _is_over(self, node: Statement, frame: Frame, outputs: list[Stream]) -> bool:
        """Run a loop as long as its test is known, ``while [ $# -gt 0 ]``; return whether it has ended."""
        condition, body = node.parts
        if not self.source.text.startswith("while", node.start):
            return False
        if self.source.text.startswith("getopts", condition.start):
            return self._has_options(condition, body, frame, outputs)
        for _ in range(MAX_LOOP_WORDS):
            truth = self._truth(condition, frame)
            if truth is None:
                return False
            outputs.append(self.run(condition, frame))
            if not truth:
                return True
            outputs.append(self._run_body(body, frame))
            if self._has_left():
                return True
        return False

    def _has_options(
        self, condition: Statement, body: Statement, frame: Frame, outputs: list[Stream]
    ) -> bool:
        """Run ``while getopts …`` with the options that the words are, if they are known."""
        from operators_edge.shell import getopts  # noqa: PLC0415 - few loops read options

        text, scope = self.source.text, frame.scope
        call = getopts.CALL.fullmatch(text[condition.start : condition.end].rstrip("; \t\n"))
        words = scope.arguments
        is_open = self.evaluator.is_unsettled or scope.has_more_arguments or words is None
        is_other = "getopts" in scope.functions or scope.get("OPTIND") is not None
        if call is None or words is None or is_open or is_other:
            return False
        found = getopts.options(call["spec"], words[1:])
        if found is None or getopts.CHANGES.search(text, body.start, body.end):
            return False
        named = [
            one for name, one in scope.functions.items() if name in text[body.start : body.end]
        ]
        if any(getopts.CHANGES_ELSEWHERE.search(one.body) for one in named):
            return False
        if len(found[0]) > MAX_LOOP_WORDS:
            return False
        for option in found[0]:
            outputs.append(self.run(condition, frame))
            scope.set(call["name"], option.letter)
            scope.set("OPTIND", HOLE)
            scope.unset("OPTARG") if option.value is None else scope.set("OPTARG", option.value)
            outputs.append(self._run_body(body, frame))
            if self._has_left():
                return True
        outputs.append(self.run(condition, frame))
        scope.set(call["name"], "?")
        scope.set("OPTIND", str(found[1]))
        return True

    def _run_body(self, body: Statement, frame: Frame) -> Stream:
        self.evaluator.loops += 1
        try:
            return self.run(body, frame)
        finally:
            self.evaluator.loops -= 1

    def _has_left(self) -> bool:
        """Whether a loop was left by its body; ``return`` and ``exit`` leave what is around it, too."""
        jump, evaluator = self.evaluator.jump, self.evaluator
        evaluator.jump = jump if jump in {"return", "exit"} else ""
        return jump in {"break", "return", "exit"}

    def _lines_read(self, node: Statement, frame: Frame) -> Iterator[tuple[list[Word], str, str]]:
        """``while read NAME…`` over a known text: for each line the words of ``read`` and the separators.

        Nothing where the body may read by itself. One that ends early leaves lines out, no more.
        """
        condition, body = node.parts
        read = self.source.text[condition.start : condition.end].strip(" \t\n;")
        found = _READ.fullmatch(read)
        text = frame.input.text if frame.input else None
        is_while = self.source.text.startswith("while", node.start)
        if found is None or text is None or HOLE in text or not is_while:
            return
        lines = text.removesuffix("\n").split("\n")
        is_simple = _TAKES_LINES.search(self.source.masked[body.start : body.end]) is None
        if is_simple and len(lines) <= MAX_LOOP_WORDS:
            separators = found["plain"] if found["plain"] is not None else found["quoted"]
            words = [Word(one) for one in found["words"].split()]
            known = frame.scope.get("IFS") or ""
            yield from (
                (words, line, known if separators is None else separators) for line in lines
            )

    def each(self, node: Statement, frame: Frame) -> Stream:
        name, body = self.source.text[slice(*node.name)], node.parts[0]
        if name.startswith("(("):
            self.evaluator.compute([name], frame, self.source.span_of(*node.name))
            frame.scope.note_computed(name)
            if self._starts_without_end(node, body):
                frame = frame.inside("endless")
        if self._is_over_arguments(node) and frame.scope.items("@") == []:
            return NO_OUTPUT
        values = self._loop_values(node, frame)
        before = frame.scope.copy()
        turns = self.evaluator.turns
        most = min(MAX_LOOP_WORDS, MAX_TURNS // turns)
        if values is None or not 0 < len(values) <= most:
            self._forget_assigned(node, frame.scope)
            values = [HOLE]
        self.evaluator.turns *= len(values)
        is_open = HOLE in values or self._is_listing(values, node)
        if is_open and HOLE not in values:
            self._forget_assigned(node, frame.scope)
        outputs = self._run_each(name, values, body, frame, is_open=is_open)
        self.evaluator.turns = turns
        if is_open:
            return _join_branches(self.evaluator, outputs, frame.scope, [before], before.cwd)
        return join_outputs(outputs)

    def _run_each(
        self, name: str, values: list[str], body: Statement, frame: Frame, *, is_open: bool
    ) -> list[Stream]:
        outputs: list[Stream] = []
        for value in values:
            frame.scope.set(name, value)
            if is_open:
                sets_nothing = self._sets_nothing(body, frame)
                with _InDoubt(self.evaluator):
                    outputs.append(self.run(body, frame._replace(sets_nothing=sets_nothing)))
            else:
                outputs.append(self._run_body(body, frame))
                if self._has_left():
                    break
        return outputs

    def _is_listing(self, values: list[str], node: Statement) -> bool:
        """Whether one of the values stands for lines, of which there may be none or many."""
        words = self.source.text[slice(*node.words)] if node.words else ""
        return any(HOLE in one for one in values) and _LISTS.search(words) is not None

    def _loop_values(self, node: Statement, frame: Frame) -> list[str] | None:
        if node.words is None:
            return frame.scope.items("@")
        return self.evaluator.expand_words(self.source, *node.words, frame)

    def _is_over_arguments(self, node: Statement) -> bool:
        """Whether a loop goes through the arguments of its script, and nothing else."""
        if node.words is None:
            return self.source.text[slice(*node.name)].isidentifier()  # no ``((i = 0; …))``
        words = self.source.text[slice(*node.words)].strip()
        return words in ('"$@"', "$@", "$*", '"${@}"', "${@}")

    def _forget_assigned(self, node: Statement, scope: Scope) -> None:
        """The variables that the text of a loop may assign are unknown."""
        for name, read in _ASSIGNED.findall(self.source.masked[node.start : node.end]):
            for each in read.split() if read else [name]:
                if each.isidentifier():
                    scope.set(each, HOLE)

    def _sets_nothing(self, body: Statement, frame: Frame) -> bool:
        """Whether neither the body of a loop nor a function that it may call changes the shell."""
        texts = [one.body for one in frame.scope.functions.values()]
        inside = self.source.masked[body.start : body.end]
        return not any(_CHANGES_SHELL.search(one) for one in (inside, *texts))

    def _data(self, node: Statement, frame: Frame) -> None:
        """Words that are compared, not run; only substitutions in them run."""
        if node.words:
            self.evaluator.expand_words(self.source, *node.words, frame)


_WALKS: dict[str, Callable[[_TreeWalk, Statement, Frame], Stream]] = {
    "simple": _TreeWalk.simple,
    "list": _TreeWalk.statements,
    "pipeline": _TreeWalk.pipeline,
    "group": _TreeWalk.group,
    "subshell": _TreeWalk.subshell,
    "coproc": _TreeWalk.coproc,
    "redirected": _TreeWalk.redirected,
    "function": _TreeWalk.function,
    "if": _TreeWalk.branches,
    "case": _TreeWalk.case,
    "while": _TreeWalk.loop,
    "for": _TreeWalk.each,
}

# end of module
