"""A typed ``/edge …``: answered by the prompt hook, or passed to the model with what it needs (HO-5).

Owns which typed lines are answered here, and that a decision not typed by a person is refused and recorded
(JU-4). Does not own the table of commands (``hosts.claude.slash_commands``), what other nouns do (a runner
brings the command line's own parsers along) or who typed them (``hosts.claude.identity``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from operators_edge.approvals import junction
from operators_edge.errors import AnswerIsNo, EdgeError, NotHuman
from operators_edge.hosts.claude import identity, slash_commands
from operators_edge.model import MODES
from operators_edge.redaction.redact import preview
from operators_edge.text.wording import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.hosts.claude.identity import Typist
    from operators_edge.hosts.claude.slash_commands import Line
    from operators_edge.hosts.typed_line import Run
    from operators_edge.project import Project
    from operators_edge.records import AnsweredJunction
    from operators_edge.sessions.decisions import Decisions
    from operators_edge.sessions.tool_call import ToolCallHandler

HUMAN_VERBS = ("approve", "skip", "dismiss", "revoke")

HELP = """\
/edge                    the status of the work, and the next step
/edge status             the project on one screen
/edge approve [1,2] [because …] | skip | dismiss [MINUTES]    answer the pending decision
/edge grants | revoke N  list the live grants; end one
/edge plan|active|review|done        set the mode; plan add|edit|move|rm|show
/edge objective|next|step|note|question|risk|constraint …     what to do, and what to know
/edge auto on|off        continue automatically until a decision is due
/edge NOUN …             any other command of `edge --help`; NOUN --help explains it"""


class Answer(NamedTuple):
    """``text`` is for the person; with ``is_for_model`` it is added to the line, for the model."""

    text: str
    is_for_model: bool = False


def is_ours(text: str) -> bool:
    """Whether the text is a command of ours, with or without arguments; not if it only mentions one."""
    return slash_commands.line(text) is not None


def note(guard: ToolCallHandler, text: str) -> None:
    """Record that a turn began, with the prompt, redacted and cut."""
    guard.record("prompt", {"preview": preview(text, 500, values=guard.secrets())})


def answer(guard: ToolCallHandler, text: str, typist: Typist, run: Run) -> Answer:
    """The answer to a typed line. A decision not typed by a person is refused and recorded."""
    line = slash_commands.line(text)
    if line is None:
        return Answer("")
    try:
        project = guard.project
        if project is None or not project.is_set_up:
            return Answer("Operator's Edge is not set up here. Run in your terminal: edge init")
        _refuse_forgery(guard, line, typist)
        if line.is_for_model:
            note(guard, text)
            return Answer(_for_model(project, guard.session, line, typist, run), is_for_model=True)
        return Answer(_answered(guard, project, line, typist, run))
    except EdgeError as error:
        from operators_edge.hosts.typed_line import for_prompt  # noqa: PLC0415 - rare

        why = f"\nWhy: {error.detail}" if error.detail else ""
        hint = f"\nRun: {for_prompt(error.hint)}" if error.hint else ""
        return Answer(f"Operator's Edge: {error.message}{why}{hint}")


def _refuse_forgery(guard: ToolCallHandler, line: Line, typist: Typist) -> None:
    """Refuse what an agent may not run, unless a person typed it."""
    said = line.words.split() or ["run"]
    if typist.is_person or _is_open(said):
        return
    guard.record("approval_forgery", {"words": " ".join(said)[:200], "why": typist.why})
    raise NotHuman(
        f"this did not come from the person at this client: {typist.why}",
        hint="in your own terminal: edge " + said[0],
    )


def _is_open(said: list[str]) -> bool:
    from operators_edge.hosts.claude import wiring  # noqa: PLC0415 - most prompts are not ours

    if said[0].lower() in MODES or said[0].lower() == "help":
        return True
    return any(said[: len(verb)] == verb for verb in map(str.split, wiring.AGENT_VERBS))


def _answered(
    guard: ToolCallHandler, project: Project, line: Line, typist: Typist, run: Run
) -> str:
    """A few verbs are parsed more loosely here than in a shell; the others use the command line's parsers."""
    verb, rest = _split(line.words)
    verb = verb.lower()
    if rest.split()[:1] in (["--help"], ["-h"]) or (verb == "skip" and rest):
        return _parser_output(project, guard.session, line, typist, run)
    if verb in HUMAN_VERBS:
        _refuse_for_another(guard, project, verb)
        return _decided(project, guard.session, verb, rest)
    try:
        return _other(guard, project, line, typist, run)
    finally:  # a refused `done` shows the pending decision, too
        if verb in _SHOWING:
            _replaced_junction(project, guard.session)


def _other(guard: ToolCallHandler, project: Project, line: Line, typist: Typist, run: Run) -> str:
    """A command that does not answer the pending decision."""
    from operators_edge.hosts.typed_line import Typed  # noqa: PLC0415 - most prompts are not ours

    verb, rest = _split(line.words)
    verb = verb.lower()
    if verb == "help":
        return HELP
    if verb == "grants" and not rest:
        from operators_edge.sessions import status  # noqa: PLC0415 - see above

        return status.grants_text(project)
    if verb in MODES and not _is_plan_verb(verb, rest) and not _is_review_verb(verb, rest):
        from operators_edge.hosts.typed_line import joined, words  # noqa: PLC0415 - see above
        from operators_edge.loop import guidance  # noqa: PLC0415 - see above
        from operators_edge.sessions.decisions import Decisions  # noqa: PLC0415 - see above

        decide = Decisions(project, session=guard.session, by=_by())
        told = [decide.set_mode(verb, joined([*words(rest)]) or None)]
        told += guidance.for_new_mode(verb, project.state.read(), is_typed=True)
        return "\n".join(told)
    return run(Typed(line.words or "run", project, guard.session, typist))


def _for_model(project: Project, session: str, line: Line, typist: Typist, run: Run) -> str:
    """What the model acts on: the command's output, or what to do next."""
    from operators_edge.hosts.typed_line import Typed  # noqa: PLC0415 - see _answered

    if line.command.words not in ("plan", "step"):
        return run(Typed(line.words, project, session, typist))
    from operators_edge.loop import guidance  # noqa: PLC0415 - see _answered

    if line.command.words == "plan":
        from operators_edge.sessions.decisions import Decisions  # noqa: PLC0415 - see _answered

        Decisions(project, session=session, by=_by()).set_mode("plan", line.text or None)
        # No cycle: with open steps it would ask at once whether to leave the mode again.
        state = project.state.read()
        seen = {"mode": "plan", "junction": state.get("junction")}
        return guidance.for_agent(seen, objective=state.get("objective"))
    from operators_edge.loop import service as loop_service  # noqa: PLC0415 - see _answered
    from operators_edge.patrol.findings import TYPED_SCAN_SECONDS  # noqa: PLC0415 - see _answered

    found = loop_service.cycle(
        project, session, by=f"/{line.command.name}", budget=TYPED_SCAN_SECONDS
    )
    return guidance.for_agent(found.as_data(), objective=project.state.read().get("objective"))


def _is_review_verb(verb: str, rest: str) -> bool:
    """``/edge review prompt`` and ``save`` are commands; ``/edge review`` sets the mode."""
    return verb == "review" and rest.split()[:1] in (["prompt"], ["save"])


def _is_plan_verb(verb: str, rest: str) -> bool:
    """``/edge plan add …`` changes the plan; ``/edge plan``, or with an objective, sets the mode."""
    return verb == "plan" and _split(rest)[0] in (*_PLAN_VERBS, "--help", "-h")


_PLAN_VERBS = next(each.verbs for each in slash_commands.COMMANDS if each.words == "plan")


def _parser_output(project: Project, session: str, line: Line, typist: Typist, run: Run) -> str:
    """The parser's output about a verb: its help, or an error. Nothing is decided."""
    from operators_edge.hosts.typed_line import Typed  # noqa: PLC0415 - see _answered

    return run(Typed(line.words, project, session, typist))


def _split(text: str) -> tuple[str, str]:
    first, *rest = text.split(maxsplit=1) or [""]
    return first, rest[0].strip() if rest else ""


def _by() -> str:
    from operators_edge.sessions.decisions import person_name  # noqa: PLC0415 - see _answered

    return f"{person_name()}, typed in Claude Code"


def _refuse_for_another(guard: ToolCallHandler, project: Project, verb: str) -> None:
    """A decision of another open session is made there, or in the person's own terminal.

    The person is in the wrong window: refused, but not recorded as a forgery.
    """
    pending = project.state.read().get("junction") or {}
    if identity.is_anothers(guard.session, str(pending.get("session") or ""), guard.env):
        why = "another session asked, and it is still open"
        guard.record("blocked", {"rule": "another-client", "words": verb, "why": why})
        raise NotHuman(f"this is not the client to decide in: {why}", hint=f"edge {verb}")


def _decided(project: Project, session: str, verb: str, rest: str) -> str:
    from operators_edge.sessions.decisions import Decisions  # noqa: PLC0415 - see _answered

    decide = Decisions(project, session=session, by=_by())
    meant = _junction_id(project, session, verb) if verb in ("approve", "skip") else ""
    verbs: dict[str, Callable[[], str]] = {
        "approve": lambda: decide.approve(rest, expected=meant),
        "skip": lambda: decide.skip(expected=meant),
        "dismiss": lambda: _dismiss(decide, rest.split()),
        "revoke": lambda: decide.revoke(rest),
    }
    return verbs[verb]()


_SHOWING = ("", "run", "on", "status", "done")
"""Commands whose output shows the pending decision."""


def _junction_id(project: Project, session: str, verb: str) -> str:
    """The id of the junction that an answer is for.

    If it has just replaced another one, it is shown first: the answer may have been meant for that.
    """
    pending = project.state.read().get("junction") or {}
    before = _replaced_junction(project, session)
    if before is not None:
        from operators_edge.sessions import status  # noqa: PLC0415 - see _answered

        replaced = one_line(before.get("shown") or before.get("type") or "", 160)
        raise AnswerIsNo(
            "\n".join(
                [
                    f"another decision has replaced: {replaced}",
                    *status.junction_lines(pending),
                ]
            ),
            hint=f"/edge {verb} again, if you mean this one",
        )
    return str(pending.get("id") or "")


def _replaced_junction(project: Project, session: str) -> AnsweredJunction | None:
    """The junction that the pending one replaced, once per session; afterwards None."""
    try:
        state = project.state.read()
    except EdgeError:
        return None  # the caller gets the same error
    before = junction.just_replaced(state)
    if before is None:
        return None
    is_first = project.registry.first_time(session, f"shown-{state['junction'].get('id')}")
    return before if is_first else None


def _dismiss(decide: Decisions, words: list[str]) -> str:
    """Without a code: show what would be allowed, and the code. With it: dismiss."""
    minutes = junction.DEFAULT_DISMISSAL_MINUTES
    if words and words[0].isascii() and words[0].isdigit():
        minutes = int(words.pop(0))
    if not words:
        preview, code = decide.preview_dismissal(minutes)
        return f"{preview}\nTo confirm, type: /edge dismiss {minutes} {code}"
    return decide.dismiss(minutes, words[0])
