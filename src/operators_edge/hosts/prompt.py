"""A typed ``/edge …``: answered wholly in the prompt hook, without a model turn (HO-5, JU-4).

Owns the words after ``/edge``. Does not own what they do (``decisions``, ``status``) or who typed
them (``identity`` found that out).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from operators_edge.core import junction
from operators_edge.core.redact import redact
from operators_edge.errors import EdgeError, NotHuman, UsageError
from operators_edge.hosts import identity
from operators_edge.model import MODES

if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.decisions import Decisions
    from operators_edge.guard import Guard
    from operators_edge.hosts.identity import Typist
    from operators_edge.project import Project

_OURS = re.compile(r"/edge(?:\s+(?P<words>.*))?", re.DOTALL)

HUMAN_VERBS = ("approve", "skip", "dismiss", "revoke")

HELP = "/edge status|approve [1,2] [because …]|skip|dismiss [MINUTES]|grants|revoke N|plan|active|review|done"


def is_ours(text: str) -> bool:
    """True for ``/edge`` alone or with words, and for nothing that only mentions it."""
    return _OURS.fullmatch(text.strip()) is not None


def note(guard: Guard, text: str) -> None:
    """Record that a turn began, with what was asked, redacted and cut."""
    guard.record("prompt", {"preview": redact(text[:4000], values=guard.secrets())[:500]})


def answer(guard: Guard, text: str, typist: Typist) -> str:
    """What the person reads. A decision that no person typed is refused and recorded."""
    match = _OURS.fullmatch(text.strip())
    words = (match["words"] or "").split() if match else []
    verb = words[0].lower() if words else "on"
    project = guard.project
    try:
        if project is None or not project.is_set_up:
            return "Operator's Edge is not set up here. Run in your terminal: edge init"
        if verb in HUMAN_VERBS and not typist.is_person:
            guard.record("approval_forgery", {"words": " ".join(words)[:200], "why": typist.why})
            raise NotHuman(
                f"this did not come from the person at this client: {typist.why}",
                hint="decide in your own terminal: edge " + verb,
            )
        if verb in HUMAN_VERBS:
            _refuse_for_another(guard, project, verb)
        from operators_edge.hosts import typed  # noqa: PLC0415 - most prompts are none of ours

        rest = match["words"].split(maxsplit=1)[1:] if match and match["words"] else []
        if typed.is_ours(verb, text := "".join(rest).strip()):
            return typed.answer(project, guard.session, verb, text)
        return _do(project, guard.session, verb, words[1:])
    except EdgeError as error:
        hint = f"\nRun: {error.hint}" if error.hint else ""
        return f"Operator's Edge: {error.message}{hint}"


def _refuse_for_another(guard: Guard, project: Project, verb: str) -> None:
    """What one open session waits for is decided there, or in the person's own terminal."""
    pending = project.state.read().get("junction") or {}
    if identity.is_anothers(guard.session, str(pending.get("session") or ""), guard.env):
        why = "another session asked, and it is still open"
        guard.record("approval_forgery", {"words": verb, "why": why})
        raise NotHuman(f"this is not the client to decide in: {why}", hint=f"edge {verb}")


def _do(project: Project, session: str, verb: str, rest: list[str]) -> str:
    # This module is loaded at every prompt and every turn's end: what only our words need waits for them.
    from operators_edge import status  # noqa: PLC0415
    from operators_edge.decisions import Decisions, person_name  # noqa: PLC0415

    decide = Decisions(project, session=session, by=f"{person_name()}, typed in Claude Code")
    verbs: dict[str, Callable[[], str]] = {
        "status": lambda: status.text(project, session),
        "on": lambda: _looked(project, session),
        "grants": lambda: status.grants_text(project),
        "approve": lambda: decide.approve(" ".join(rest)),
        "skip": decide.skip,
        "dismiss": lambda: _dismiss(decide, rest),
        "revoke": lambda: decide.revoke(" ".join(rest)),
    }
    if verb in verbs:
        return verbs[verb]()
    for mode in MODES:
        if verb == mode:
            return decide.set_mode(mode, " ".join(rest).strip('"') or None)
    from operators_edge.hosts import typed  # noqa: PLC0415 - see above

    raise UsageError(f"there is no /edge {verb}", hint=f"{HELP}; {typed.HELP}")


def _looked(project: Project, session: str) -> str:
    """``/edge`` alone: a person is here, so what the plan asks for is said before where it stands."""
    from operators_edge import gating, status  # noqa: PLC0415 - see _do

    told, _ = gating.look_at_plan(
        project, session
    )  # what is suggested pends, and is shown with the status
    return "\n".join([*told, status.text(project, session)])


def _dismiss(decide: Decisions, rest: list[str]) -> str:
    """Without a code: show what it would let through and the code. With it: dismiss."""
    minutes = junction.DEFAULT_DISMISSAL_MINUTES
    words = list(rest)
    if words and words[0].isascii() and words[0].isdigit():
        minutes = int(words.pop(0))
    if not words:
        preview, code = decide.preview_dismissal(minutes)
        return f"{preview}\nTo confirm, type: /edge dismiss {minutes} {code}"
    return decide.dismiss(minutes, words[0])
