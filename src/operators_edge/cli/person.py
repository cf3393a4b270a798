"""Whether a person stands behind a command: for the verbs that only people may use (JU-4).

Owns the signs at the person's own terminal. They are speed bumps against a hasty or misled agent and
no wall against arbitrary code of the same user; the threat model says so.
"""

from __future__ import annotations

import contextlib
import os
import sys
from contextvars import ContextVar
from typing import TYPE_CHECKING

from operators_edge.cli.terminal import Terminal
from operators_edge.errors import AnswerIsNo, NotHuman
from operators_edge.hosts.claude import identity
from operators_edge.locations import AGENT_MARKS
from operators_edge.project import Project
from operators_edge.system import project_root
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping

    from operators_edge.hosts.typed_line import Typed

CODE_TTL_SECONDS = 300


class _Voice:
    """Who speaks where no terminal is: a line typed at a client, and the code behind it, if any."""

    def __init__(self, typed: Typed, code: str) -> None:
        self.typed = typed
        self.code = code

    def is_sure(self, question: str) -> bool:
        """True when the line was typed again with the code that only its first reader saw."""
        typed = self.typed
        purpose = f"typed:{typed.session}:{sha256_hex(typed.words.encode())}"
        if self.code and typed.project.registry.redeem_code(purpose, self.code):
            return True
        code = typed.project.registry.issue_code(purpose, ttl=CODE_TTL_SECONDS)
        raise AnswerIsNo(question, hint=f"/edge {typed.words} --confirm {code}")


_voice: ContextVar[_Voice | None] = ContextVar("voice", default=None)


@contextlib.contextmanager
def speaking(typed: Typed, code: str = "") -> Iterator[None]:
    """While this runs, a typed line is asked for its person, instead of a terminal."""
    before = _voice.set(_Voice(typed, code))
    try:
        yield
    finally:
        _voice.reset(before)


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


def is_at_terminal(args: argparse.Namespace) -> bool:
    """Whether a person reads the answer at their own terminal, and not at a client or through an agent."""
    return not getattr(args, "asking", "") and is_person()


def _sign_of_an_agent(env: Mapping[str, str]) -> str:
    voice = _voice.get()
    if voice is not None:
        return "" if voice.typed.typist.is_person else voice.typed.typist.why
    for mark in AGENT_MARKS:
        if env.get(mark):
            return f"{mark} is set, so an agent opened this shell"
    if identity.is_below_a_client(os.getpid(), env):
        return "an agent's client is above this process"
    if not sys.stdin.isatty():
        return "there is no terminal to answer at"
    return ""


def _record(verb: str, root: str, why: str) -> None:
    found = project_root.named(root)
    if found.root is None or not found.is_set_up:
        return
    project = Project(found.root, is_set_up=True)
    session = project.latest_session()
    project.log.append(
        {"event": "approval_forgery", "session": session, "data": {"words": verb, "why": why}}
    )


def confirm(question: str) -> bool:
    """Ask at the terminal; anything but yes is no. A typed line is confirmed by a code."""
    voice = _voice.get()
    if voice is not None:
        return voice.is_sure(question)
    Terminal().aside(f"{question} [y/N] ", end="")
    return sys.stdin.readline().strip().lower() in ("y", "yes")
