"""``edge hook``: listed and explained here; the package's entry point runs it before any parser exists."""

from __future__ import annotations

from operators_edge.cli.command import arg, command
from operators_edge.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from operators_edge.cli.command import Args


@command(
    "hook", arg("[HOST]", "the client; claude", default="claude"), example="claude < event.json"
)
def _hook(args: Args) -> NoReturn:
    raise UsageError("the hook is started by the command itself", hint=f"edge hook {args.host}")


# end of module
