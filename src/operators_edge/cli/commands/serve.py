"""``edge serve``: the dashboard, here or in the background, and links that open it."""

from __future__ import annotations

import os
import sys
import time

from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.cli.person import require_person
from operators_edge.errors import AnswerIsNo
from operators_edge.system import deferral
from operators_edge.web import control

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.web.control import Running

_OPEN = arg("--open", "open it in the browser")
_PORT = arg("--port N", f"the port; else {control.PORT_VARIABLE}, else {control.PORT}")


@command(
    "serve",
    _OPEN,
    _PORT,
    description="Show the dashboard on this machine, until Ctrl-C: what waits for you, and what happened.",
    example="--open",
    draws=True,
)
def _serve(args: Args) -> int:
    """In the foreground; one that runs already is only linked to."""
    _require_person(args)
    known = control.running()
    if known is not None:
        _show_link(args, known)
        return 0
    from operators_edge.web import run  # noqa: PLC0415 - the server: for this verb alone

    claimed = control.claim(control.port_of(os.environ, args.port), os.environ)
    deferral.run_all()
    _show_link(args, claimed.known)
    args.terminal.aside("Ctrl-C ends it.")
    run.serve(claimed, os.environ, _here(args))
    return 0


@command("serve start", _OPEN, _PORT, about="start it in the background")
def _start(args: Args) -> int:
    _require_person(args)
    _show_link(args, control.start(port=args.port, here=_here(args)))
    return 0


@command("serve link", _OPEN, about="a new link to the one that runs")
def _link(args: Args) -> int:
    _require_person(args)
    known = control.running()
    if known is None:
        raise AnswerIsNo("no dashboard runs", hint="edge serve")
    _show_link(args, known)
    return 0


@command("serve stop", about="end it, and every link to it")
def _stop(args: Args) -> Answer:
    _require_person(args)
    known = control.stop()
    text = "No dashboard was running." if known is None else f"Process {known.pid} has ended."
    return Answer({"running": False}, f"{text}\nIts links no longer work.")


@command("serve status", about="show whether it runs, and where")
def _status(args: Args) -> Answer:  # noqa: ARG001 - every command has them
    known = control.running()
    if known is None:
        return Answer({"running": False}, "No dashboard runs. To start one: edge serve")
    minutes = int((time.time() - known.since) // 60)
    lines = [
        f"Dashboard  {known.address}",
        f"Process    {known.pid}, for {minutes} min",
        "To open it: edge serve link",
    ]
    return Answer({"running": True, **known._asdict()}, lines)


def _require_person(args: Args) -> None:
    if os.name != "posix":
        raise AnswerIsNo("There is no dashboard on this system yet")
    require_person(args.words, args.location.root if args.location.is_set_up else None)


def _here(args: Args) -> str:
    found = args.location
    return found.root if found.root is not None and found.is_set_up else ""


def _show_link(args: Args, known: Running) -> None:
    """Print the link, or open it: it counts once, so it is not in the output of a program."""
    link = control.link(known)
    if args.open:
        import webbrowser  # noqa: PLC0415 - only to open one

        if webbrowser.open(link):
            link = known.address
    text = f"Dashboard  {link}"
    args.terminal.show({"pid": known.pid, "port": known.port, "link": link}, text)
    sys.stdout.flush()


# end of module
