"""``edge status``: show the project on one screen."""

from __future__ import annotations

import os

from operators_edge.cli.command import Answer, Args, command
from operators_edge.cli.person import is_at_terminal
from operators_edge.contexts import suppress
from operators_edge.errors import EdgeError
from operators_edge.hosts.claude import contained
from operators_edge.loop import guidance
from operators_edge.sessions import status
from operators_edge.undo import space


@command("status")
def _status(args: Args) -> Answer:
    data = status.gather(args.project)
    data["containment"] = contained.state(args.project.root, os.environ)
    with suppress(EdgeError):  # "edge doctor" reports what cannot be read
        data["undo"] = space.taken(args.project)
    if args.json:  # only a program asks for it, and it takes as long as the rest
        data["context_tokens"] = status.context_tokens(args.project)
    told = [status.render(data, at_terminal=is_at_terminal(args))]
    if not data["junction"]:
        state, is_typed = args.project.state.read(), bool(args.asking)
        told += guidance.next_rows(data["mode"], state, is_typed=is_typed)
    return Answer(data, told)


# end of module
