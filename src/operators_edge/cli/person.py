"""Whether a person stands behind a command: for the verbs that only people may use (JU-4).

Owns the signs at the person's own terminal. They are speed bumps against a hasty or misled agent and
no wall against arbitrary code of the same user; the threat model says so.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from operators_edge.errors import NotHuman
from operators_edge.hosts import identity

if TYPE_CHECKING:
    from collections.abc import Mapping

AGENT_MARKS = ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "AI_AGENT", "OPENCODE", "CODEX_SANDBOX")
"""Variables that agents set in the shells they open."""


def require_person(verb: str, root: str | None, env: Mapping[str, str] = os.environ) -> None:
    """Return when a person seems to be at this terminal; else record the attempt and refuse."""
    why = _sign_of_an_agent(env)
    if not why:
        return
    if root is not None:
        _record(verb, root, why)
    raise NotHuman(
        f"only a person decides this: {why}",
        hint=f"in your own terminal: edge {verb}",
    )


def is_person(env: Mapping[str, str] = os.environ) -> bool:
    """Whether ``require_person`` would return; for an offer that is left out where nobody is asked."""
    return not _sign_of_an_agent(env)


def _sign_of_an_agent(env: Mapping[str, str]) -> str:
    for mark in AGENT_MARKS:
        if env.get(mark):
            return f"{mark} is set, so an agent opened this shell"
    if identity.is_below_a_client(os.getpid(), env):
        return "an agent's client is above this process"
    if not sys.stdin.isatty():
        return "there is no terminal to answer at"
    return ""


def _record(verb: str, root: str, why: str) -> None:
    from operators_edge.project import Project  # noqa: PLC0415 - only for a refusal
    from operators_edge.system import root as roots  # noqa: PLC0415 - only for a refusal

    found = roots.named(root)
    if found.root is None or not found.is_set_up:
        return
    project = Project(found.root, is_set_up=True)
    session = project.latest_session()
    project.log.append(
        {"event": "approval_forgery", "session": session, "data": {"words": verb, "why": why}}
    )


def confirm(question: str) -> bool:
    """Ask at the terminal; anything but yes is no."""
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
