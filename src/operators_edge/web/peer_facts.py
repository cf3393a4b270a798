"""Which program is at the other end of a connection to the dashboard (Linux; unknown elsewhere).

A token shows that somebody opened a link. Anyone who got hold of it in an agent's shell, or drives a browser
from there, is still below the agent's client.
"""

from __future__ import annotations

from operators_edge.storage import bindings
from operators_edge.system import sockets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def sign_of_an_agent(theirs: int, ours: int, env: Mapping[str, str]) -> str:
    """Why the program at port ``theirs`` is no person's; "" if nothing says so."""
    pid = sockets.process_of_end(theirs, ours)
    if pid is None or not bindings.is_at_or_below_a_client(pid, env):
        return ""
    return "an agent's client started the program that asks"


# end of module
