"""``edge loop``: bring the reports of a project up to date, in five steps, and say what is worth doing.

Owns how the steps are shown, and starting the dashboard. Does not own the steps (``reports.edge_loop``,
``reports.loop_service``).
"""

from __future__ import annotations

import os
import time

from operators_edge.cli.command import arg, command
from operators_edge.cli.layout import TYPED_WIDTH, columns, paragraph
from operators_edge.cli.person import is_person
from operators_edge.cli.screen import ERASE_LINE
from operators_edge.errors import AnswerIsNo
from operators_edge.reports import edge_loop
from operators_edge.reports.edge_loop import Done, Result
from operators_edge.reports.loop_service import Loop
from operators_edge.text.markup import wrapped
from operators_edge.text.wording import WIDTH, one_line
from operators_edge.web import control

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from operators_edge.cli.command import Args
    from operators_edge.cli.terminal import Terminal
    from operators_edge.reports.digest import Recommendation

_MARKS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "skipped": ("-", "dim")}
_TITLE = 14
_SLOW_SECONDS = 1.0
_TEXT = 300


@command(
    "loop",
    arg("--no-serve", "leave the dashboard alone", dest="is_served", action="store_false"),
    description="Write the proof page, note the traceability, archive the page, write the digest, and see "
    "that the dashboard runs. A step that fails is a warning, and the others go on.",
    draws=True,
)
def _loop(args: Args) -> int:
    terminal = args.terminal
    loop = Loop(args.project, server=lambda: _served(args))
    width = TYPED_WIDTH if args.asking else min(columns(), WIDTH + 20)
    results = []
    for result in edge_loop.run(
        loop.steps, seconds=time.monotonic, begins=lambda *step: _begin(terminal, *step)
    ):
        results.append(result)
        _end(terminal, result, width)
    data = {"steps": [each.as_data() for each in results]}
    terminal.warnings += edge_loop.warnings(results) if terminal.json_wanted else []
    terminal.show(data, _advice_lines(loop.recommendations, width))
    return 0


def _begin(terminal: Terminal, number: int, title: str) -> None:
    """Which step runs, on a line that its result replaces."""
    if terminal.err.isatty() and not terminal.json_wanted:
        terminal.aside(f"{number}/{len(edge_loop.STEPS)} {title} …", end="")


def _end(terminal: Terminal, result: Result, width: int) -> None:
    if terminal.json_wanted:
        return
    if terminal.err.isatty():
        terminal.err.write(ERASE_LINE)
        terminal.err.flush()
    mark, colour = _MARKS[result.done.status]
    took = f" ({result.seconds:.1f} s)" if result.seconds >= _SLOW_SECONDS else ""
    head = f"{mark} {result.title:<{_TITLE}}"
    lines = paragraph(head, one_line(result.done.text, _TEXT) + took, len(head), width)
    lines[0] = lines[0].replace(mark, terminal.paint(mark, colour), 1)
    terminal.show({}, lines)


def _advice_lines(advice: Sequence[Recommendation], width: int) -> Iterator[str]:
    for number, each in enumerate(advice, 1):
        if number == 1:
            yield "\nWorth doing next"
        first, *rest = wrapped(one_line(each.what, _TEXT), width - 3)
        why = wrapped(one_line(each.why, _TEXT), width - 3)
        yield f"{number}. {first}"
        yield from (f"   {line}" for line in (*rest, *why))


# -- the dashboard ---------------------------------------------------------------------------------


def _served(args: Args) -> Done:
    """The dashboard answers: it ran already, or was started. Only a person starts it."""
    if not args.is_served:
        return Done("left alone (--no-serve)", "skipped")
    if os.name != "posix":
        return Done("there is none on this system yet", "skipped")
    known = control.running()
    was_running = known is not None
    if known is None:
        if not is_person():
            return Done("does not run; a person starts it: edge serve start", "skipped")
        known = control.start(here=args.project.root)
    state = control.state_of(known.port, os.environ)
    if state != "ours":
        raise AnswerIsNo(
            f"port {known.port} does not answer as the dashboard ({state})", hint="edge serve"
        )
    how = "runs" if was_running else "started"
    more = {"port": known.port, "pid": known.pid}
    return Done(f"{how} at {known.address} (a link: edge serve link)", more=more)


# end of module
