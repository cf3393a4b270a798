"""``edge watch``: what waits and what happens, live in the terminal."""

from __future__ import annotations

import shutil
import time
from collections import deque

from operators_edge.cli.command import arg, command
from operators_edge.cli.commands import proof
from operators_edge.cli.screen import Screen, is_possible
from operators_edge.errors import UsageError
from operators_edge.reports import entries, watch
from operators_edge.reports.watch_service import LogFollower, TopReader
from operators_edge.system import deferral

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.cli.command import Args

_TICK_SECONDS = 0.25
_KEPT = 500
_QUIT = ("q", "Q", "\x03", "\x04")


@command(
    "watch",
    arg("-n N", "entries from before, 20 by default", dest="count", default=20),
    description="Show what waits and what happens, live; q ends it. In a pipe: a line for each entry.",
    example="-n 50",
    draws=True,
)
def _watch(args: Args) -> int:
    if args.count < 0:
        raise UsageError(f"-n must be at least 0, not {args.count}", hint="edge watch -n 5")
    if args.json or not is_possible(args.terminal):
        return proof.follow(args, args.count)
    return _screen(args)


def _screen(args: Args) -> int:
    deferral.run_all()
    project = args.project
    follower, top = LogFollower(project), TopReader(project, seconds=time.monotonic)
    kept = deque(entries.lines(follower.last(max(args.count, 1))), maxlen=_KEPT)
    size = shutil.get_terminal_size()
    with Screen(args.terminal) as screen:
        while True:
            if (now := shutil.get_terminal_size()) != size:
                size = now
                screen.forget()
            kept.extend(map(entries.line, follower.new()))
            foot = "q ends this; edge why NUMBER: what led to an entry"
            screen.draw(
                watch.rows(top.read(), [*kept], width=size.columns, height=size.lines, foot=foot)
            )
            if screen.key(_TICK_SECONDS) in _QUIT:
                return 0


# end of module
