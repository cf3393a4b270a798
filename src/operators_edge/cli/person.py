"""Whether a person runs a command: for the verbs that only people may use (JU-4).

Owns the signs at the person's own terminal. They stop a hasty or misled agent, but not arbitrary code of the
same user; see the threat model.
"""

from __future__ import annotations

import os
import sys
from contextvars import ContextVar

from operators_edge.cli import terminal_opener
from operators_edge.cli.command import record
from operators_edge.cli.terminal import Terminal, answering
from operators_edge.contexts import contextmanager
from operators_edge.errors import AnswerIsNo, NotHuman, UsageError
from operators_edge.locations import AGENT_MARKS
from operators_edge.storage import bindings
from operators_edge.system import project_root
from operators_edge.system.digest import sha256_hex
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
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


@contextmanager
def speaking_as(typed: Typed, code: str = "") -> Iterator[None]:
    """Within this context, the typed line shows whether a person acts, instead of a terminal."""
    before = _speaker.set(TypedSpeaker(typed, code))
    try:
        yield
    finally:
        _speaker.reset(before)


def require_person(verb: str, root: str | None, env: Mapping[str, str] = os.environ) -> None:
    """Return if a person seems to be at this terminal; else record the attempt and refuse."""
    refusal = _refusal(env)
    if refusal is None:
        return
    if root is not None:
        event = "approval_forgery" if refusal.is_of_an_agent else "blocked"
        rule = {} if refusal.is_of_an_agent else {"rule": "no-person"}
        record(project_root.named(root), event, {**rule, "words": verb, "why": refusal.why})
    raise NotHuman(
        f"only a person decides this: {refusal.why}",
        hint=f"in your own terminal: edge {verb}",
    )


def is_person(env: Mapping[str, str] = os.environ) -> bool:
    """Whether ``require_person`` would return; for an offer that is only made to a person."""
    return _refusal(env) is None


def is_at_terminal(args: Args) -> bool:
    """Whether a person reads the output at their own terminal, not in a client or through an agent."""
    return not args.asking and is_person()


class _Refusal(NamedTuple):
    """Why this is no person. ``is_of_an_agent``: it comes from an agent's tool, so it is a forgery (JU-9)."""

    why: str
    is_of_an_agent: bool = True


def _refusal(env: Mapping[str, str]) -> _Refusal | None:
    speaker = _speaker.get()
    if speaker is not None:
        typist = speaker.typed.typist
        return None if typist.is_person else _Refusal(typist.why, typist.is_of_an_agent)
    for mark in AGENT_MARKS:
        if env.get(mark):
            return _Refusal(f"{mark} is set, so an agent opened this shell")
    if bindings.is_below_a_client(os.getpid(), env):
        return _Refusal("an agent's client started this process")
    try:
        is_terminal = os.isatty(sys.stdin.fileno())
    except (OSError, ValueError):
        is_terminal = False
    if not is_terminal:
        return _Refusal("it needs an interactive terminal", is_of_an_agent=False)
    why = terminal_opener.sign_of_an_agent(sys.stdin.fileno(), env)
    return _Refusal(why) if why else None


def choose(question: str, answers: Mapping[str, str]) -> str:
    """Ask at the terminal for one of the answers; "" for anything else."""
    if _unasked(question):
        return answers.get("y", "")
    Terminal().aside(f"{question} ", end="")
    return answers.get(sys.stdin.readline().strip().lower(), "")


def _unasked(question: str) -> bool:
    """Whether ``--yes`` answers the question; with ``--no-input`` it cannot be asked."""
    how = answering.get()
    if how == "fail":
        asked = question.strip().splitlines()[-1]
        raise UsageError(f"this asks, and --no-input forbids it: {asked}", hint="add --yes")
    return how == "yes"


def confirm(question: str) -> bool:
    """Ask at the terminal; anything but yes is no. A typed line is confirmed by a code."""
    speaker = _speaker.get()
    if speaker is not None:
        return speaker.confirm(question)
    if _unasked(question):
        return True
    Terminal().aside(f"{question} [y/N] ", end="")
    return sys.stdin.readline().strip().lower() in ("y", "yes")


# end of module
