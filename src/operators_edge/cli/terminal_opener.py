"""Whether an agent opened the terminal that a decision comes from (JU-4).

A program can give itself a terminal: `script`, `expect`, a few lines of Python. What counts is who holds its
other end, and what was before that. Owns the conclusion; the facts are in ``system.terminals``.
Where a system shows none of it, nothing is concluded: see the threat model.
"""

from __future__ import annotations

import os

from operators_edge.storage import bindings
from operators_edge.system import processes, terminals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from operators_edge.system.processes import Identity


def sign_of_an_agent(fd: int, env: Mapping[str, str]) -> str:
    """Why the terminal at ``fd`` is no person's; "" if nothing says so."""
    if not terminals.IS_KNOWN:
        return ""
    sessions = bindings.session_bindings(env=env)
    own = processes.identity(os.getpid())
    if own is None or not terminals.can_see_itself() or _is_shut_in(sessions):
        return "the processes behind this terminal cannot be seen from here"
    for each in (own, *terminals.holders(fd)):
        if why := _sign_in(terminals.chain(each), sessions):
            return why
    return ""


def _is_shut_in(sessions: list[dict[str, Any]]) -> bool:
    """Whether this runs in a process namespace that was made inside of an open session's one."""
    own = terminals.process_namespace()
    if own == terminals.INITIAL_PROCESS_NAMESPACE:
        return False
    return any(
        record.get("namespace") not in (None, "", own) and "ended" not in record
        for record in sessions
    )


def _sign_in(links: list[Identity], sessions: list[dict[str, Any]]) -> str:
    """Why this chain of processes, the nearest first, does not come from a person."""
    if not links:
        return ""
    if any(processes.recorded(record) in links for record in sessions):
        return "an agent's client opened this terminal"
    if terminals.is_scheduled(links):
        return "a scheduler started this, and no person"
    first = links[-1]
    if terminals.is_from_outside(first):
        return ""
    if any(_was_born_during(first, record) for record in sessions):
        return "this terminal was opened while an agent's session ran, with no login behind it"
    return ""


def _was_born_during(first: Identity, record: Mapping[str, Any]) -> bool:
    """Whether a process without a parent was started during the session, and may come from its agent."""
    client = processes.recorded(record)
    if client is None or processes.is_younger(first, client) is not True:
        return False
    group, clients = terminals.cgroup_of(first.pid), str(record.get("cgroup") or "")
    if group and clients and group != clients:
        return False  # the service manager started it, and nothing of the session
    if processes.is_alive(client):
        return True
    ended = record.get("ended")
    if isinstance(ended, str):
        end = processes.Identity(0, ended)
        return processes.is_younger(first, end) is False
    # When the client was killed is not known: only what people have terminals in counts.
    return not terminals.is_terminal_program(first)


# end of module
