"""Whether a person runs a command: for the verbs that only people may use (JU-4).

Owns the signs at the person's own terminal. They stop a hasty or misled agent, but not arbitrary code of the
same user; see the threat model.
"""

from __future__ import annotations

import contextlib
import os
import sys
from contextvars import ContextVar
from typing import TYPE_CHECKING

from operators_edge.cli.command import record
from operators_edge.cli.terminal import Terminal
from operators_edge.errors import AnswerIsNo, NotHuman
from operators_edge.locations import AGENT_MARKS
from operators_edge.storage import bindings
from operators_edge.system import project_root
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from operators_edge.cli.command import Args
    from operators_edge.hosts.typed_line import Typed

CODE_TTL_SECONDS = 300


class TypedSpeaker:
    """The author of a line typed in a client, in place of a terminal; and its confirmation code, if any."""

    def __init__(self, typed: Typed, code: str) -> None:
        self.typed = typed
        self.code = code

    def confirm(self, question: str) -> bool:
        """True if the line was typed again with its code; else AnswerIsNo shows a new code."""
        typed = self.typed
        purpose = f"typed:{typed.session}:{sha256_hex(typed.words.encode())}"
        if self.code and typed.project.registry.redeem_code(purpose, self.code):
            return True
        code = typed.project.registry.issue_code(purpose, ttl=CODE_TTL_SECONDS)
        raise AnswerIsNo(question, hint=f"/edge {typed.words} --confirm {code}")


_speaker: ContextVar[TypedSpeaker | None] = ContextVar("speaker", default=None)


@contextlib.contextmanager
def speaking_as(typed: Typed, code: str = "") -> Iterator[None]:
    """Within this context, the typed line shows whether a person acts, instead of a terminal."""
    before = _speaker.set(TypedSpeaker(typed, code))
    try:
        yield
    finally:
        _speaker.reset(before)


def require_person(verb: str, root: str | None, env: Mapping[str, str] = os.environ) -> None:
    """Return if a person seems to be at this terminal; else record the attempt and refuse."""
    why = _sign_of_an_agent(env)
    if not why:
        return
    if root is not None:
        record(project_root.named(root), "approval_forgery", {"words": verb, "why": why})
    raise NotHuman(
        f"only a person decides this: {why}",
        hint=f"in your own terminal: edge {verb}",
    )


def is_person(env: Mapping[str, str] = os.environ) -> bool:
    """Whether ``require_person`` would return; for an offer that is only made to a person."""
    return not _sign_of_an_agent(env)


def is_at_terminal(args: Args) -> bool:
    """Whether a person reads the output at their own terminal, not in a client or through an agent."""
    return not args.asking and is_person()


def _sign_of_an_agent(env: Mapping[str, str]) -> str:
    speaker = _speaker.get()
    if speaker is not None:
        return "" if speaker.typed.typist.is_person else speaker.typed.typist.why
    for mark in AGENT_MARKS:
        if env.get(mark):
            return f"{mark} is set, so an agent opened this shell"
    if bindings.is_below_a_client(os.getpid(), env):
        return "an agent's client started this process"
    if not sys.stdin.isatty():
        return "there is no terminal to answer in"
    return ""


def confirm(question: str) -> bool:
    """Ask at the terminal; anything but yes is no. A typed line is confirmed by a code."""
    speaker = _speaker.get()
    if speaker is not None:
        return speaker.confirm(question)
    Terminal().aside(f"{question} [y/N] ", end="")
    return sys.stdin.readline().strip().lower() in ("y", "yes")
