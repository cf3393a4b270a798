"""The structure of a text: in which order, and under which conditions, its commands run.

Works on masked texts (``quoting.mask``). A text without compound statements is split at operators; any
other is parsed by the bash grammar, whose tree is walked like a program: each branch of an ``if`` gets its
own copy of the scope, and afterwards only what holds on every path is kept. Owns lists, pipelines and
compound statements. Does not own single commands: those go to the ``Evaluator`` (``shell.evaluate``).
"""

from __future__ import annotations

import re
from functools import cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from operators_edge.shell.commands import HOLE
from operators_edge.shell.scope import Function, Stream
from operators_edge.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Node, Parser

    from operators_edge.shell.evaluate import Evaluator
    from operators_edge.shell.quoting import Heredoc
    from operators_edge.shell.scope import Scope

    Runnable = Callable[["Frame"], "Stream"]

MAX_LOOP_WORDS = 16
"""Words of a ``for`` loop that are followed one by one; more words become one unknown word."""
MAX_TOKENS = 4_000
"""Words and brackets of one text that the grammar is given: its error recovery takes time that grows with
their square."""
MAX_TREE = 100
"""Levels of nested compound statements."""

_KEYWORD = r"if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function"
_COMPOUND = re.compile(rf"[(){{}}]|(?:(?<=[\s;&|])|^)(?:{_KEYWORD})(?=[\s;&|]|$)")
_SPLIT = re.compile(r"&&|\|\||\|&|(?<!>)\||(?<![<>])&(?!>)|;|\n")
_BEFORE_GROUP = re.compile(
    r"(?:(?<=[\s;&|(])|^)"
    r"(?:(?:!|time(?:[ \t]+-p)?|coproc(?:[ \t]+\w+)?|repeat[ \t]+\S+)[ \t]+)+(?=[({])"
)
_SELECT = re.compile(
    r"(?:\A|(?<=[\s;&|({]))select"
    r"(?=[ \t]+\w+(?:[ \t]+in\b[^;\n]{0,400})?[ \t]*[;\n]\s{0,20}(?:do\b|\{))"
)
_BREAKS = re.compile(rf"[(){{}}]|(?:(?<=[\s;&|])|^)(?:{_KEYWORD}|in)(?=[\s;&|]|$)")
_PIECE = re.compile(r"[^\s(){};&|<>]+|[(){};&|<>]")
_ASSIGNED = re.compile(r"([A-Za-z_]\w*)\+?=|\b(?:read|mapfile|readarray)\b([^;\n|&]*)")


NO_OUTPUT = Stream("")
UNKNOWN = Stream(None)
FROM_COPROC = Stream(None, "coproc")


class Frame(NamedTuple):
    """Where a text runs, like a call frame; ``through`` has the outermost wrapper first."""

    scope: Scope
    through: tuple[str, ...] = ()
    depth: int = 0
    stdin: Stream | None = None
    is_remote: bool = False
    has_more_words: bool = False
    active: frozenset[str] = frozenset()

    def inside(self, name: str, *, stdin: Stream | None = None) -> Frame:
        return self._replace(through=(*self.through, name), depth=self.depth + 1, stdin=stdin)

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


class Source(NamedTuple):
    """A text and its masked form; ``base`` is its position in the whole text, None inside a string."""

    text: str
    masked: str
    base: int | None
    span: tuple[int, int]
    heredocs: Mapping[int, Heredoc] = MappingProxyType({})

    def span_of(self, start: int, end: int) -> tuple[int, int]:
        return self.span if self.base is None else (self.base + start, self.base + end)


@cache
def _parser() -> Parser:
    import tree_sitter  # noqa: PLC0415 - only for texts that need the grammar

    return tree_sitter.Parser(tree_sitter.Language(_grammar()))


def _grammar() -> object:
    """Return the grammar from the package's extension module alone.

    The package itself also imports support for its query files: unused here, and slower than the start of an
    interpreter.
    """
    from importlib.machinery import PathFinder  # noqa: PLC0415 - see the docstring
    from importlib.util import module_from_spec  # noqa: PLC0415 - see the docstring

    package = PathFinder.find_spec("tree_sitter_bash")
    places = package.submodule_search_locations if package else None
    spec = PathFinder.find_spec("tree_sitter_bash._binding", places)
    if spec is None or spec.loader is None:  # not installed as files
        import tree_sitter_bash  # noqa: PLC0415 - see the docstring

        return tree_sitter_bash.language()
    binding = module_from_spec(spec)
    spec.loader.exec_module(binding)
    language: object = binding.language()
    return language


def evaluate_source(evaluator: Evaluator, source: Source, frame: Frame) -> Stream:
    """Pass every command of the text to the evaluator in order; return the output of the text."""
    if not _COMPOUND.search(source.masked):
        return _evaluate_flat(evaluator, source, (0, len(source.text)), frame)
    if "coproc" in source.masked and any(
        "coproc" in one for one in _BEFORE_GROUP.findall(source.masked)
    ):
        frame = frame.fed(FROM_COPROC)
    masked = _BEFORE_GROUP.sub(lambda match: " " * len(match[0]), source.masked)
    # The grammar does not know ``select``, which sets its variable to one of the words like ``for``.
    masked = _SELECT.sub("for   ", masked)
    walk = _TreeWalk(evaluator, source._replace(masked=masked))
    if len(_PIECE.findall(masked)) > MAX_TOKENS:
        return walk.recover(frame, "too-long")
    # The grammar accepts here-strings after few statements only, but redirects after all of them.
    text = masked.replace("<<<", "<  ")
    root = _parser().parse(text.encode("ascii", "replace")).root_node
    if root.has_error:
        return walk.recover(frame, "syntax")
    return walk.statements(root, frame)


def _evaluate_flat(
    evaluator: Evaluator, source: Source, bounds: tuple[int, int], frame: Frame
) -> Stream:
    """Evaluate a range without compound statements."""
    parts = (
        (
            partial(
                _run_pipeline, [partial(evaluator.run_simple, source, *stage) for stage in stages]
            ),
            following,
        )
        for stages, following in _pipelines(source.masked, *bounds)
    )
    return _run_list(parts, frame)


def _run_list(parts: Iterable[tuple[Runnable, str]], frame: Frame) -> Stream:
    """Run parts of a list, each with the operator that follows it."""
    scope = frame.scope
    outputs: list[Stream] = []
    before_chain: Scope | None = None
    connector = ";"
    for run, following in parts:
        before = scope.copy() if connector == "||" else None
        outputs.append(run(frame.forked() if following == "&" else frame))
        if before:
            scope.merge(before, keeps_cwd=False)
        if following == "&&" and before_chain is None:
            before_chain = scope.copy()
        elif following != "&&" and before_chain is not None:
            scope.merge(before_chain, keeps_cwd=True)
            before_chain = None
        connector = following
    return join_outputs(outputs)


def _run_pipeline(stages: Sequence[Runnable], frame: Frame) -> Stream:
    """Run each stage in a subshell of its own, with the output of the stage before."""
    if len(stages) == 1:
        return stages[0](frame)
    stdin = frame.input
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
    texts = [output.text for output in outputs]
    known = [text for text in texts if text is not None]
    if len(known) == len(texts):
        return Stream("".join(known), outputs[-1].program if outputs else "")
    return next(output for output in outputs if output.text is None)


def _join_branches(outputs: list[Stream], scope: Scope, ends: list[Scope]) -> Stream:
    """Merge what holds at the end of each branch; return the output when only some of the parts run."""
    for end in ends:
        scope.merge(end, keeps_cwd=False)
    return NO_OUTPUT if all(output.text == "" for output in outputs) else UNKNOWN


class _TreeWalk:
    """Walks the grammar's tree of one source."""

    def __init__(self, evaluator: Evaluator, source: Source) -> None:
        self.evaluator = evaluator
        self.source = source
        self.level = 0

    def recover(self, frame: Frame, problem: str) -> Stream:
        """Evaluate a rejected text: every piece between brackets and keywords is a command."""
        self.evaluator.report(problem, self.source.span_of(0, len(self.source.text)))
        masked = _BREAKS.sub(lambda match: ";" * len(match[0]), self.source.masked)
        source = self.source._replace(masked=masked)
        _evaluate_flat(self.evaluator, source, (0, len(masked)), frame)
        return UNKNOWN

    def run(self, node: Node, frame: Frame) -> Stream:
        bounds = node.start_byte, node.end_byte
        if not _COMPOUND.search(self.source.masked, *bounds):
            return _evaluate_flat(self.evaluator, self.source, bounds, frame)
        self.level += 1
        try:
            if self.level > MAX_TREE:
                self.evaluator.report("too-deep", self.source.span_of(*bounds))
                return UNKNOWN
            return _NODES.get(node.type, _TreeWalk.statements)(self, node, frame)
        finally:
            self.level -= 1

    def simple(self, node: Node, frame: Frame) -> Stream:
        return self.evaluator.run_simple(self.source, node.start_byte, node.end_byte, frame)

    def statements(self, node: Node, frame: Frame) -> Stream:
        """One after another, or chained by ``&&`` and ``||``."""
        nodes = list(node.children)
        # Long lists nest deeply to the left: unrolled here, they cannot exhaust the stack.
        while node.type == "list" and nodes[0].type == "list":
            nodes[:1] = nodes[0].children
        following = [*(";" if each.is_named else each.type for each in nodes[1:]), ";"]
        parts = [
            (partial(self.run, each), operator)
            for each, operator in zip(nodes, following, strict=True)
            if each.is_named
        ]
        return _run_list(parts, frame)

    def pipeline(self, node: Node, frame: Frame) -> Stream:
        return _run_pipeline([partial(self.run, each) for each in _named(node)], frame)

    def subshell(self, node: Node, frame: Frame) -> Stream:
        return self.statements(node, frame.forked())

    def redirected(self, node: Node, frame: Frame) -> Stream:
        body = node.child_by_field_name("body")
        if body is None or _NODES.get(body.type) is _TreeWalk.simple:
            return self.simple(node, frame)
        opened = self.evaluator.take_redirects(self.source, body.end_byte, node.end_byte, frame)
        before = frame.scope.open(opened)
        output = self.run(body, frame)
        frame.scope.close(opened, before)
        self.evaluator.note_output(output)
        return UNKNOWN if ">" in self.source.masked[body.end_byte : node.end_byte] else output

    def function(self, node: Node, frame: Frame) -> Stream:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            return self.statements(node, frame)
        source = self.source
        base = None if source.base is None else source.base + body.start_byte
        span = source.span_of(node.start_byte, node.end_byte)
        text = source.text[body.start_byte : node.end_byte]
        function = Function(source.text[name.start_byte : name.end_byte], text, base, span)
        self.evaluator.define_function(function, frame)
        return NO_OUTPUT

    def branches(self, node: Node, frame: Frame) -> Stream:
        """``if``: every branch starts with the same scope; afterwards only what all agree on is kept."""
        outputs: list[Stream] = []
        ends: list[Scope] = []
        here = frame
        for child in node.children:
            if child.type in {"then", "elif_clause", "else_clause"}:
                here = frame.forked()
                ends.append(here.scope)
            if child.type in {"elif_clause", "else_clause"}:
                outputs.append(self.branches(child, here))
            elif child.is_named:
                outputs.append(self.run(child, here))
        return _join_branches(outputs, frame.scope, ends)

    def case(self, node: Node, frame: Frame) -> Stream:
        outputs: list[Stream] = []
        ends: list[Scope] = []
        for item in node.children:
            if item.type != "case_item":
                if item.is_named:
                    self._data(item, frame)
                continue
            here = frame.forked()
            ends.append(here.scope)
            is_body = False
            for child in item.children:
                if is_body and child.is_named:
                    outputs.append(self.run(child, here))
                elif child.is_named:
                    self._data(child, here)
                is_body |= child.type == ")"
        return _join_branches(outputs, frame.scope, ends)

    def loop(self, node: Node, frame: Frame) -> Stream:
        """``while``: variables that the body assigns are unknown when it runs again."""
        self._forget_assigned(node, frame.scope)
        before = frame.scope.copy()
        outputs = [self.run(child, frame) for child in _named(node)]
        return _join_branches(outputs, frame.scope, [before])

    def each(self, node: Node, frame: Frame) -> Stream:
        variable, body = node.child_by_field_name("variable"), node.child_by_field_name("body")
        if variable is None or body is None:
            return self.statements(node, frame)
        name = self.source.text[variable.start_byte : variable.end_byte]
        if name.startswith("(("):
            self.evaluator.compute([name], frame, self.source.span_of(*variable.byte_range))
        values = self._loop_values(node, frame)
        before = frame.scope.copy()
        outputs: list[Stream] = []
        if values is None or not 0 < len(values) <= MAX_LOOP_WORDS:
            self._forget_assigned(node, frame.scope)
            values = [HOLE]
        for value in values:
            frame.scope.set(name, value)
            outputs.append(self.run(body, frame))
        if HOLE in values:
            return _join_branches(outputs, frame.scope, [before])
        return join_outputs(outputs)

    def _loop_values(self, node: Node, frame: Frame) -> list[str] | None:
        given = node.children_by_field_name("value")
        if given:
            bounds = given[0].start_byte, given[-1].end_byte
            return self.evaluator.expand_words(self.source, *bounds, frame)
        return None if "in" in [child.type for child in node.children] else frame.scope.items("@")

    def _forget_assigned(self, node: Node, scope: Scope) -> None:
        """The variables that the text of a loop may assign are unknown."""
        for name, read in _ASSIGNED.findall(self.source.masked[node.start_byte : node.end_byte]):
            for each in read.split() if read else [name]:
                if each.isidentifier():
                    scope.set(each, HOLE)

    def _data(self, node: Node, frame: Frame) -> None:
        """Words that are compared, not run; only substitutions in them run."""
        self.evaluator.expand_words(self.source, node.start_byte, node.end_byte, frame)


def _named(node: Node) -> list[Node]:
    return [child for child in node.children if child.is_named]


_NODES: dict[str, Callable[[_TreeWalk, Node, Frame], Stream]] = {
    "pipeline": _TreeWalk.pipeline,
    "subshell": _TreeWalk.subshell,
    "redirected_statement": _TreeWalk.redirected,
    "function_definition": _TreeWalk.function,
    "if_statement": _TreeWalk.branches,
    "case_statement": _TreeWalk.case,
    "while_statement": _TreeWalk.loop,
    "c_style_for_statement": _TreeWalk.loop,
    "for_statement": _TreeWalk.each,
    "command": _TreeWalk.simple,
    "variable_assignment": _TreeWalk.simple,
    "variable_assignments": _TreeWalk.simple,
    "declaration_command": _TreeWalk.simple,
    "unset_command": _TreeWalk.simple,
    "test_command": _TreeWalk.simple,
    "word": _TreeWalk.simple,
    "concatenation": _TreeWalk.simple,
    "number": _TreeWalk.simple,
    "file_redirect": _TreeWalk.simple,
    "herestring_redirect": _TreeWalk.simple,
}

# end of module
