"""``edge statusline``: one line for the client's status line. ``edge init --statusline`` sets it up."""

from __future__ import annotations

import sys

from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.reports import status_line_service


@command(
    "statusline",
    arg("--wrap COMMAND", "another status line, which is run and shown first"),
    description="Reads the client's JSON from stdin. Set it up with: edge init --statusline",
    example="--wrap '~/.claude/mine.sh'",
)
def _statusline(args: Args) -> Answer:
    given = sys.stdin.buffer.read(status_line_service.MAX_INPUT_BYTES)
    before = status_line_service.wrapped(args.wrap, given) if args.wrap else ""
    line = status_line_service.line(given)
    data = {"line": line, "wrapped": before}
    return Answer(data, [each for each in (before, line) if each])


# end of module
