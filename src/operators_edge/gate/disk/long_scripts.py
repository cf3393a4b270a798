"""The end of a script that has more commands than are read of one text.

Owns which lines are left, and where they are in the script. Pure. Does not own which lines may do something
(``gate.disk.extracts``), nor judging them (``gate.pieces``).
"""

from __future__ import annotations

from itertools import accumulate

from operators_edge.gate.disk.search import shortened_shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.disk.search import Piece
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Finding
    from operators_edge.shell.commands import Script


def is_cut(script: Script) -> bool:
    """Whether there were more commands than are read."""
    return any(problem.kind == "too-many" for problem in script.problems)


def rest_of(piece: Piece, script: Script, rules: Rules) -> Piece:
    """Return the lines behind the last command that was read, as far as they may do something."""
    end = max((command.span[1] for command in script.commands), default=0)
    return shortened_shell(piece, rules, end)


def placed(findings: list[Finding], rest: Piece, piece: Piece) -> list[Finding]:
    """The findings in such lines, at these lines of the whole script."""
    lines = piece.text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]

    def span(at: int) -> tuple[int, int]:
        number = rest.numbers[rest.text.count("\n", 0, at)] - 1
        return starts[number], starts[number] + len(lines[number])

    return [
        one if one.source else one._replace(spans=tuple(span(begin) for begin, _ in one.spans))
        for one in findings
    ]


# end of module
