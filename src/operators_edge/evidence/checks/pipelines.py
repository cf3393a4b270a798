"""The structure of a shell text without compound statements: chains of pipelines of commands and groups.

Owns these shapes and the parser of a masked text. Does not own what a command's place in it means
(``evidence.checks.attribution``).
"""

from __future__ import annotations

from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Span = tuple[int, int]

_OPERATOR = pattern(
    r"&&|\|\||\|&|(?<!>)\||;;?|\n|(?<![<>&])&(?![>&])|[()]|(?:(?<=\s)|^)[{}](?=[\s;)&|]|$)"
)


class UnreadableError(Exception):
    """The structure is not supported here."""


class Stage(NamedTuple):
    """One command of a pipeline; ``inner`` if it is a group, which ends at ``close``."""

    span: Span
    inner: list[Chain] | None = None
    close: int = 0

    def holds(self, span: Span) -> bool:
        return self.span[0] <= span[0] < self.span[1]


class Pipeline(NamedTuple):
    stages: list[Stage]
    is_negated: bool

    def holds(self, span: Span) -> bool:
        return any(one.holds(span) for one in self.stages)


class Chain(NamedTuple):
    """Pipelines joined by ``&&`` and ``||``."""

    pipelines: list[Pipeline]
    operators: list[str]
    is_background: bool

    def holds(self, span: Span) -> bool:
        return any(one.holds(span) for one in self.pipelines)

    @property
    def span(self) -> Span:
        return self.pipelines[0].stages[0].span[0], self.pipelines[-1].stages[-1].span[1]


def parse(masked: str) -> list[Chain]:
    """The chains of a text whose quotes are masked; raises UnreadableError."""
    return _Parser(masked).chains("")


class _Parser:
    """A single pass over the text, from operator to operator."""

    def __init__(self, masked: str) -> None:
        self.masked = masked
        self.at = 0

    def chains(self, closing: str) -> list[Chain]:
        """The chains up to ``closing``; an empty one means the end of the text."""
        made: list[Chain] = []
        while True:
            chain, operator = self._chain()
            if chain is not None:
                made.append(chain)
            if operator in (")", "}", ""):
                if operator != closing:
                    raise UnreadableError
                return made

    def _chain(self) -> tuple[Chain | None, str]:
        """The next chain, None for an empty one, and the operator that ends it."""
        pipelines: list[Pipeline] = []
        operators: list[str] = []
        while True:
            pipeline, operator = self._pipeline(is_awaited=bool(operators))
            if pipeline is not None:
                pipelines.append(pipeline)
            elif operators:
                raise UnreadableError
            if operator in ("&&", "||") and pipeline is not None:
                operators.append(operator)
                continue
            if not pipelines:
                return None, operator
            return Chain(pipelines, operators, operator == "&"), operator

    def _pipeline(self, *, is_awaited: bool) -> tuple[Pipeline | None, str]:
        stages: list[Stage] = []
        while True:
            stage, operator = self._stage()
            if stage is not None:
                stages.append(stage)
            elif operator == "\n" and (stages or is_awaited):
                continue  # after an operator the command continues on the next line
            if operator in ("|", "|&") and stage is not None:
                continue
            if not stages:
                return None, operator
            is_negated = self.masked[slice(*stages[0].span)].lstrip()[:1] == "!"
            return Pipeline(stages, is_negated), operator

    def _stage(self) -> tuple[Stage | None, str]:
        start, group = self.at, None
        while True:
            match = _OPERATOR.search(self.masked, self.at)
            operator = match[0] if match else ""
            stop = match.start() if match else len(self.masked)
            self.at = match.end() if match else len(self.masked)
            if operator in ("(", "{"):
                if self.masked[start:stop].strip(" \t\n!") or group is not None:
                    raise UnreadableError
                group = (self.chains(")" if operator == "(" else "}"), self.at)
                continue
            if not self.masked[start:stop].strip():
                return None, operator
            if group is None:
                return Stage((start, stop)), operator
            return Stage((start, stop), *group), operator


def simple(chains: Sequence[Chain]) -> Iterator[tuple[Stage, list[Stage]]]:
    """Every simple command, with those after it in its pipeline and in the pipelines around it."""
    for chain in chains:
        for pipeline in chain.pipelines:
            for number, stage in enumerate(pipeline.stages):
                later = pipeline.stages[number + 1 :]
                if stage.inner is None:
                    yield stage, later
                    continue
                for inner, inner_later in simple(stage.inner):
                    yield inner, [*inner_later, *later]


# end of module
