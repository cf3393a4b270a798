"""The structure of a text: in which order, and under which conditions, its commands run.

Works on masked texts (``quoting.mask``). A text without compound statements is split at operators; any
other is parsed by the bash grammar, whose tree is walked like a program: each branch of an ``if`` gets its
own copy of the scope, and afterwards only what holds on every path is kept. Owns lists, pipelines and
compound statements. Does not own single commands: those go to a ``CommandHandler`` (``shell.evaluate``).
"""

from __future__ import annotations

import re
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from operators_edge.shell.commands import HOLE
from operators_edge.shell.scope import Function, Scope

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node, Parser

    from operators_edge.shell.quoting import Heredoc, MaskedText

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
    r"(?:(?<=[\s;&|(])|^)(?:(?:!|time(?:[ \t]+-p)?|coproc(?:[ \t]+\w+)?)[ \t]+)+(?=[({])"
)
_SELECT = re.compile(
    r"(?:\A|(?<=[\s;&|({]))select"
    r"(?=[ \t]+\w+(?:[ \t]+in\b[^;\n]{0,400})?[ \t]*[;\n]\s{0,20}(?:do\b|\{))"
)
_BREAKS = re.compile(rf"[(){{}}]|(?:(?<=[\s;&|])|^)(?:{_KEYWORD}|in)(?=[\s;&|]|$)")
_PIECE = re.compile(r"[^\s(){};&|<>]+|[(){};&|<>]")
_ASSIGNED = re.compile(r"([A-Za-z_]\w*)\+?=|\b(?:read|mapfile|readarray)\b([^;\n|&]*)")


class Stream(NamedTuple):
    """The output or input of a command: its text, None if unknown, and the program it comes from."""

    text: str | None
    program: str = ""
    kind: str = "pipe"


NO_OUTPUT = Stream("")
UNKNOWN = Stream(None)


class Frame(NamedTuple):
    """How a text is reached, like a call frame: wrappers outermost first, depth, input, active functions."""

    through: tuple[str, ...] = ()
    depth: int = 0
    stdin: Stream | None = None
    is_remote: bool = False
    has_more_words: bool = False
    active: frozenset[str] = frozenset()

    def inside(self, name: str, *, stdin: Stream | None = None) -> Frame:
        return self._replace(through=(*self.through, name), depth=self.depth + 1, stdin=stdin)


class Source(NamedTuple):
    """A text and its masked form; ``base`` is its position in the whole text, None inside a string."""

    text: str
    masked: str
    base: int | None
    span: tuple[int, int]
    heredocs: Mapping[int, Heredoc] = MappingProxyType({})

    @classmethod
    def from_masked(
        cls, text: str, masked: MaskedText, base: int | None, span: tuple[int, int]
    ) -> Source:
        return cls(text, masked.masked, base, span, masked.heredocs)

    def span_of(self, start: int, end: int) -> tuple[int, int]:
        return self.span if self.base is None else (self.base + start, self.base + end)


class CommandHandler(Protocol):
    """What the walk over a text's structure needs from the evaluator."""

    def run_simple(
        self, source: Source, start: int, end: int, scope: Scope, frame: Frame
    ) -> Stream: ...
    def expand_words(
        self, source: Source, start: int, end: int, scope: Scope, frame: Frame
    ) -> list[str]: ...
    def take_redirects(
        self, source: Source, start: int, end: int, scope: Scope, frame: Frame
    ) -> Stream | None: ...
    def note_output(self, output: Stream) -> None: ...
    def define_function(self, function: Function, scope: Scope, frame: Frame) -> None: ...
    def report(self, kind: str, span: tuple[int, int]) -> None: ...


@cache
def _parser() -> Parser:
    import tree_sitter  # noqa: PLC0415 -- only texts that need the grammar pay for it

    return tree_sitter.Parser(tree_sitter.Language(_grammar()))


def _grammar() -> object:
    """Return the grammar from the package's extension module alone.

    The package itself also imports support for its query files: unused here, and slower than the start of an
    interpreter.
    """
    from importlib.machinery import PathFinder  # noqa: PLC0415 -- see above
    from importlib.util import module_from_spec  # noqa: PLC0415 -- see above

    package = PathFinder.find_spec("tree_sitter_bash")
    places = package.submodule_search_locations if package else None
    spec = PathFinder.find_spec("tree_sitter_bash._binding", places)
    if spec is None or spec.loader is None:  # not installed as files
        import tree_sitter_bash  # noqa: PLC0415 -- see above

        return tree_sitter_bash.language()
    binding = module_from_spec(spec)
    spec.loader.exec_module(binding)
    language: object = binding.language()
    return language


def evaluate_source(commands: CommandHandler, source: Source, scope: Scope, frame: Frame) -> Stream:
    """Pass every command of the text to ``commands`` in order; return the output of the text."""
    if not _COMPOUND.search(source.masked):
        return _evaluate_flat(commands, source, (0, len(source.text)), scope, frame)
    masked = _BEFORE_GROUP.sub(lambda match: " " * len(match[0]), source.masked)
    # The grammar does not know ``select``, which sets its variable to one of the words like ``for``.
    masked = _SELECT.sub("for   ", masked)
    walk = _TreeWalk(commands, source._replace(masked=masked), frame)
    if len(_PIECE.findall(masked)) > MAX_TOKENS:
        return walk.recover(scope, "too-long")
    # The grammar accepts here-strings after few statements only, but redirects after all of them.
    text = masked.replace("<<<", "<  ")
    root = _parser().parse(text.encode("ascii", "replace")).root_node
    if root.has_error:
        return walk.recover(scope, "syntax")
    return walk.children(root, scope, frame)


def _evaluate_flat(
    commands: CommandHandler, source: Source, bounds: tuple[int, int], scope: Scope, frame: Frame
) -> Stream:
    """Evaluate a range without compound statements."""
    outputs: list[Stream] = []
    before_chain: Scope | None = None
    connector = ";"
    for stages, following in _pipelines(source.masked, *bounds):
        here = scope.copy() if following == "&" else scope
        before = scope.copy() if connector == "||" else None
        outputs.append(_run_pipeline(commands, source, stages, here, frame))
        if before:
            scope.merge(before, keeps_cwd=False)
        if following == "&&" and before_chain is None:
            before_chain = scope.copy()
        elif following != "&&" and before_chain is not None:
            scope.merge(before_chain, keeps_cwd=True)
            before_chain = None
        connector = following
    return join_outputs(outputs)


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
            if stages:
                yield stages, ";"
            return
        at = match.end()


def _run_pipeline(
    commands: CommandHandler,
    source: Source,
    stages: list[tuple[int, int]],
    scope: Scope,
    frame: Frame,
) -> Stream:
    if len(stages) == 1:
        return commands.run_simple(source, *stages[0], scope, frame)
    stdin = frame.stdin
    for start, end in stages:
        stdin = commands.run_simple(source, start, end, scope.copy(), frame._replace(stdin=stdin))
    return stdin or UNKNOWN


def join_outputs(outputs: list[Stream]) -> Stream:
    texts = [output.text for output in outputs]
    known = [text for text in texts if text is not None]
    if len(known) == len(texts):
        return Stream("".join(known), outputs[-1].program if outputs else "")
    return next(output for output in outputs if output.text is None)


def _join_branches(outputs: list[Stream]) -> Stream:
    """Return the output when only some of the parts run, or some run repeatedly."""
    return NO_OUTPUT if all(output.text == "" for output in outputs) else UNKNOWN


class _TreeWalk:
    """Walks the grammar's tree of one source."""

    def __init__(self, commands: CommandHandler, source: Source, frame: Frame) -> None:
        self.commands = commands
        self.source = source
        self.level = 0
        self.frame = frame

    def recover(self, scope: Scope, problem: str) -> Stream:
        """Evaluate a rejected text: every piece between brackets and keywords is a command."""
        self.commands.report(problem, self.source.span_of(0, len(self.source.text)))
        masked = _BREAKS.sub(lambda match: ";" * len(match[0]), self.source.masked)
        source = self.source._replace(masked=masked)
        _evaluate_flat(self.commands, source, (0, len(masked)), scope, self.frame)
        return UNKNOWN

    def run(self, node: Node, scope: Scope, frame: Frame) -> Stream:
        start, end = node.start_byte, node.end_byte
        if not _COMPOUND.search(self.source.masked, start, end):
            return _evaluate_flat(self.commands, self.source, (start, end), scope, frame)
        self.level += 1
        try:
            if self.level > MAX_TREE:
                self.commands.report("too-deep", self.source.span_of(start, end))
                return UNKNOWN
            method = _NODES.get(node.type)
            return method(self, node, scope, frame) if method else self.other(node, scope, frame)
        finally:
            self.level -= 1

    def other(self, node: Node, scope: Scope, frame: Frame) -> Stream:
        if node.type in _SIMPLE:
            return self.commands.run_simple(
                self.source, node.start_byte, node.end_byte, scope, frame
            )
        return self.children(node, scope, frame)

    def children(self, node: Node, scope: Scope, frame: Frame) -> Stream:
        children = node.children
        outputs = [
            self.run(child, scope.copy() if _is_background(children, at) else scope, frame)
            for at, child in enumerate(children)
            if child.is_named
        ]
        return join_outputs(outputs)

    def sequence(self, node: Node, scope: Scope, frame: Frame) -> Stream:
        parts: list[Node] = [node]
        # Long lists nest deeply to the left: unrolled here, they cannot exhaust the stack.
        while parts[0].type == "list":
            parts[:1] = parts[0].children
        outputs: list[Stream] = []
        before_chain: Scope | None = None
        connector = ""
        for part in parts:
            if not part.is_named:
                connector = part.type
                continue
            before = scope.copy() if connector == "||" else None
            outputs.append(self.run(part, scope, frame))
            if before:
                scope.merge(before, keeps_cwd=False)
            before_chain = before_chain or scope.copy()
        if before_chain:
            scope.merge(before_chain, keeps_cwd=True)
        return join_outputs(outputs)

    def pipeline(self, node: Node, scope: Scope, frame: Frame) -> Stream:
        stdin = frame.stdin
        for child in node.children:
            if child.is_named:
                stdin = self.run(child, scope.copy(), frame._replace(stdin=stdin))
        return stdin or UNKNOWN

    def subshell(self, node: Node, scope: Scope, frame: Frame) -> Stream:
        return self.children(node, scope.copy(), frame)

    def redirected(self, node: Node, scope: Scope, frame: Frame) -> Stream:
        body = node.child_by_field_name("body")
        if body is None or body.type in _SIMPLE:
            return self.commands.run_simple(
                self.source, node.start_byte, node.end_byte, scope, frame
            )
        stdin = self.commands.take_redirects(
            self.source, body.end_byte, node.end_byte, scope, frame
        )
        output = self.run(body, scope, frame._replace(stdin=stdin) if stdin else frame)
        self.commands.note_output(output)
        return UNKNOWN if ">" in self.source.masked[body.end_byte : node.end_byte] else output

    def function(self, node: Node, scope: Scope, frame: Frame) -> Stream:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            return self.children(node, scope, frame)
        source = self.source
        base = None if source.base is None else source.base + body.start_byte
        span = source.span_of(node.start_byte, node.end_byte)
        text = source.text[body.start_byte : node.end_byte]
        function = Function(source.text[name.start_byte : name.end_byte], text, base, span)
        self.commands.define_function(function, scope, frame)
        return NO_OUTPUT

    def branches(self, node: Node, scope: Scope, frame: Frame) -> Stream:
        """``if``: every branch starts with the same scope; afterwards only what all agree on is kept."""
        outputs: list[Stream] = []
        ends: list[Scope] = []
        here = scope
        in_condition = True
        for child in node.children:
            if child.type == "then":
                in_condition = False
                here = scope.copy()
                ends.append(here)
            elif child.type in {"elif_clause", "else_clause"}:
                here = scope.copy()
                outputs.append(self.branches(child, here, frame))
                ends.append(here)
            elif child.is_named:
                outputs.append(self.run(child, scope if in_condition else here, frame))
        for end in ends:
            scope.merge(end, keeps_cwd=False)
        return _join_branches(outputs)

    def case(self, node: Node, scope: Scope, frame: Frame) -> Stream:
        outputs: list[Stream] = []
        ends: list[Scope] = []
        for item in node.children:
            if item.type != "case_item":
                if item.is_named:
                    self._data(item, scope, frame)
                continue
            here = scope.copy()
            ends.append(here)
            is_body = False
            for child in item.children:
                if is_body and child.is_named:
                    outputs.append(self.run(child, here, frame))
                elif child.is_named:
                    self._data(child, here, frame)
                is_body |= child.type == ")"
        for end in ends:
            scope.merge(end, keeps_cwd=False)
        return _join_branches(outputs)

    def loop(self, node: Node, scope: Scope, frame: Frame) -> Stream:
        """``while``: variables that the body assigns are unknown when it runs again."""
        body = self.source.masked[node.start_byte : node.end_byte]
        for name in _assigned(body):
            scope.set(name, HOLE)
        before = scope.copy()
        outputs = [self.run(child, scope, frame) for child in node.children if child.is_named]
        scope.merge(before, keeps_cwd=False)
        return _join_branches(outputs)

    def each(self, node: Node, scope: Scope, frame: Frame) -> Stream:
        variable, body = node.child_by_field_name("variable"), node.child_by_field_name("body")
        if variable is None or body is None:
            return self.children(node, scope, frame)
        name = self.source.text[variable.start_byte : variable.end_byte]
        values = self._loop_values(node, scope, frame)
        before = scope.copy()
        outputs: list[Stream] = []
        if values is None or not 0 < len(values) <= MAX_LOOP_WORDS:
            for assigned in _assigned(self.source.masked[node.start_byte : node.end_byte]):
                scope.set(assigned, HOLE)
            values = [HOLE]
        for value in values:
            scope.set(name, value)
            outputs.append(self.run(body, scope, frame))
        if HOLE in values:
            scope.merge(before, keeps_cwd=False)
            return _join_branches(outputs)
        return join_outputs(outputs)

    def _loop_values(self, node: Node, scope: Scope, frame: Frame) -> list[str] | None:
        given = node.children_by_field_name("value")
        if given:
            return self.commands.expand_words(
                self.source, given[0].start_byte, given[-1].end_byte, scope, frame
            )
        return None if "in" in [child.type for child in node.children] else scope.items("@")

    def _data(self, node: Node, scope: Scope, frame: Frame) -> None:
        """Words that are compared, not run; only substitutions in them run."""
        self.commands.expand_words(self.source, node.start_byte, node.end_byte, scope, frame)


def _assigned(body: str) -> set[str]:
    """Return the names that the text of a loop may assign."""
    names: set[str] = set()
    for name, read in _ASSIGNED.findall(body):
        names.update(read.split() if read else [name])
    return {name for name in names if name.isidentifier()}


def _is_background(children: list[Node], at: int) -> bool:
    return at + 1 < len(children) and children[at + 1].type == "&"


_SIMPLE = frozenset(
    [
        "command",
        "variable_assignment",
        "variable_assignments",
        "declaration_command",
        "unset_command",
        "test_command",
        "word",
        "concatenation",
        "number",
        "file_redirect",
        "herestring_redirect",
    ]
)
_NODES = {
    "list": _TreeWalk.sequence,
    "pipeline": _TreeWalk.pipeline,
    "subshell": _TreeWalk.subshell,
    "redirected_statement": _TreeWalk.redirected,
    "function_definition": _TreeWalk.function,
    "if_statement": _TreeWalk.branches,
    "case_statement": _TreeWalk.case,
    "while_statement": _TreeWalk.loop,
    "c_style_for_statement": _TreeWalk.loop,
    "for_statement": _TreeWalk.each,
}
