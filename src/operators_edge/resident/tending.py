"""Looking after the http transport at a session's start, a prompt and a turn's end.

Where the port cannot be had, the project's tool calls go back to processes: a call is never let through
by a stranger, and a session is never locked.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from operators_edge.errors import EdgeError
from operators_edge.hosts import rewiring
from operators_edge.resident import held
from operators_edge.system import root as roots

if TYPE_CHECKING:
    from collections.abc import Mapping

_WHY = {
    "another": "another program listens on its port",
    "hung": "what listens on its port does not answer",
    "nobody": "its process does not start",
}


def told(event: Mapping[str, Any], env: Mapping[str, str] = os.environ) -> str:
    """See that the port is held; what the person has to know, "" where all is well."""
    found = held.mend(env)
    if found in (None, "ours"):
        return ""
    root = roots.find(env.get("CLAUDE_PROJECT_DIR") or str(event.get("cwd") or os.getcwd())).root
    try:
        written = rewiring.to_process(root, env)
    except EdgeError as error:
        return f"{_said(found)} {error.message}. {error.hint}"
    if not written:
        return ""  # this project does not use it
    return (
        f"{_said(found)} Each tool call starts a process again ({', '.join(written)}). "
        "To try once more: edge init --transport http"
    )


def _said(found: str) -> str:
    return f"Operator's Edge: the http transport is not there, because {_WHY[found]}."
