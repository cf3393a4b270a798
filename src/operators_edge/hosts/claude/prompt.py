"""A typed ``/edge …``: answered by the prompt hook, or passed to the model with what it needs (HO-5).

Owns which typed lines are answered here, and that a decision not typed by a person is refused and recorded
(JU-4). Does not own the table of commands (``hosts.claude.slash_commands``), what other nouns do (a runner
brings the command line's own parsers along) or who typed them (``hosts.claude.identity``).
"""

from __future__ import annotations

from operators_edge.approvals import junction, scopes
from operators_edge.errors import AnswerIsNo, EdgeError, NotHuman
from operators_edge.hosts.claude import identity, slash_commands, wiring
from operators_edge.hosts.typed_line import Typed, for_prompt, joined, words
from operators_edge.loop import guidance, service as loop_service
from operators_edge.model import DISMISSAL_MINUTES, MODES
from operators_edge.patrol.findings import TYPED_SCAN_SECONDS
from operators_edge.sessions import mode_change, status
from operators_edge.sessions.decisions import Decisions, person_name
from operators_edge.sessions.prompt import note
from operators_edge.storage.registry import CODE_ALPHABET, CODE_LENGTH
from operators_edge.text.command_names import renamed
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from operators_edge.approvals.scopes import Scope
    from operators_edge.hosts.claude.identity import Typist
    from operators_edge.hosts.claude.slash_commands import Line
    from operators_edge.hosts.typed_line import Run
    from operators_edge.project import Project
    from operators_edge.records import AnsweredJunction
    from operators_edge.sessions.context import EventContext

HUMAN_VERBS = ("approve", "skip", "dismiss", "revoke", "never")
SHORT = {"yes": "approve", "once": "approve", "no": "skip"}
"""Short words for a decision."""

HELP = """\
/edge                    the status of the work, and the next step
/edge status             the project on one screen
/edge approve [1,2|all] [because …] | skip      yes, once; no, until your next prompt (short: yes, no)
/edge 1h | session | never    yes for this target; yes for this rule in this session; no in this session
/edge 1h rule [here]     yes for this rule, anywhere in the project, or only where this goes
/edge grants | revoke N  list the live grants; end one
/edge plan|active|review|done        set the mode; plan add|edit|move|rm|show
/edge objective|next|step|note|question|risk|constraint …     what to do, and what to know
/edge auto on|off        continue automatically until a decision is due
/edge NOUN …             any other command of `edge --help`; NOUN --help explains it"""


class Answer(NamedTuple):
    """``text`` is for the person; with ``is_for_model`` it is added to the line, for the model."""

    text: str
    is_for_model: bool = False


def answer(context: EventContext, text: str, typist: Typist, run: Run) -> Answer:
    """The answer to a typed line. A decision not typed by a person is refused and recorded."""
    line = slash_commands.line(text)
    if line is None:
        return Answer("")
    try:
        project = context.recorded_project
        if project is None:
            return Answer("Operator's Edge is not set up here. Run in your terminal: edge init")
        _refuse_forgery(context, line, typist)
        typed = Typed(line.words, project, context.session, typist)
        if line.is_for_model:
            note(context, text)
            return Answer(_for_model(typed, line, run), is_for_model=True)
        return Answer(_answered(context, typed, run))
    except EdgeError as error:
        why = f"\nWhy: {error.detail}" if error.detail else ""
        hint = f"\nRun: {for_prompt(error.hint)}" if error.hint else ""
        return Answer(f"Operator's Edge: {error.message}{why}{hint}")


def _refuse_forgery(context: EventContext, line: Line, typist: Typist) -> None:
    """Refuse what an agent may not run, unless a person typed it."""
    said = line.words.split() or ["run"]
    if typist.is_person or _is_open(said):
        return
    data = {"words": " ".join(said)[:200], "why": typist.why}
    if typist.is_of_an_agent:
        context.record("approval_forgery", data)
    else:
        context.record("blocked", {"rule": "no-person", **data})
    raise NotHuman(
        f"this did not come from the person at this client: {typist.why}",
        hint="in your own terminal: edge " + said[0],
    )


def _is_open(said: list[str]) -> bool:
    if said[0].lower() in MODES or said[0].lower() == "help":
        return True
    said = renamed(said)
    return any(said[: len(verb)] == verb for verb in map(str.split, wiring.AGENT_VERBS))


def _answered(context: EventContext, typed: Typed, run: Run) -> str:
    """A few verbs are parsed more loosely here than in a shell; the others use the command line's parsers."""
    verb, rest = _split(typed.words)
    verb = SHORT.get(verb.lower(), verb.lower())
    scope = scopes.named(verb)
    if scope is not None:
        _refuse_for_another(context, typed.project, verb)
        return _scoped(_decisions(typed), scope, rest)
    if rest.split()[:1] in (["--help"], ["-h"]) or (
        verb == "skip" and rest and not _LEFT.search(rest)
    ):
        return run(typed)
    if verb in HUMAN_VERBS:
        _refuse_for_another(context, typed.project, verb)
        return _decided(typed, verb, rest)
    try:
        if verb == "help":
            return HELP
        if verb in MODES and _split(rest)[0] not in _VERBS_OF_MODES.get(verb, ()):
            told = [
                mode_change.set_mode(
                    typed.project, typed.session, verb, joined([*words(rest)]) or None
                )
            ]
            told += guidance.for_new_mode(verb, typed.project.state.read(), is_typed=True)
            return "\n".join(told)
        return run(typed._replace(words=typed.words or "run"))
    finally:  # a refused `done` shows the pending decision, too
        if verb in _SHOWING:
            _replaced_junction(typed)


_VERBS_OF_MODES = {
    "plan": next(each.verbs for each in slash_commands.COMMANDS if each.words == "plan"),
    "review": ("prompt", "save"),
}
"""With one of these verbs, ``/edge plan`` and ``/edge review`` are commands and do not set the mode."""


def _for_model(typed: Typed, line: Line, run: Run) -> str:
    """What the model acts on: the command's output, or what to do next."""
    if line.command.words not in ("plan", "step"):
        return run(typed)
    project = typed.project
    if line.command.words == "plan":
        mode_change.set_mode(typed.project, typed.session, "plan", line.text or None)
        # No cycle: with open steps it would ask at once whether to leave the mode again.
        state = project.state.read()
        seen = {"mode": "plan", "junction": state.get("junction")}
    else:
        by = f"/{line.command.name}"
        seen = loop_service.cycle(
            project, typed.session, by=by, budget=TYPED_SCAN_SECONDS
        ).as_data()
        state = project.state.read()
    return guidance.for_agent(seen, objective=state.get("objective"))


def _split(text: str) -> tuple[str, str]:
    first, *rest = text.split(maxsplit=1) or [""]
    return first, rest[0].strip() if rest else ""


def _decisions(typed: Typed) -> Decisions:
    by = f"{person_name()}, typed in Claude Code"
    return Decisions(typed.project, session=typed.session, by=by)


def _refuse_for_another(context: EventContext, project: Project, verb: str) -> None:
    """A decision of another open session is made there, or in the person's own terminal.

    The person is in the wrong window: refused, but not recorded as a forgery.
    """
    pending = project.state.read().get("junction") or {}
    if identity.is_anothers(context.session, str(pending.get("session") or ""), context.env):
        why = "another session asked, and it is still open"
        context.record("blocked", {"rule": "another-client", "words": verb, "why": why})
        raise NotHuman(f"this is not the client to decide in: {why}", hint=f"edge {verb}")


def _decided(typed: Typed, verb: str, rest: str) -> str:
    decide = _decisions(typed)
    if verb in ("approve", "skip"):
        rest = _take_up(decide, rest)
    meant = _junction_id(typed, verb) if verb in ("approve", "skip") else ""
    verbs: dict[str, Callable[[], str]] = {
        "approve": lambda: decide.approve(rest, expected=meant),
        "skip": lambda: decide.skip(expected=meant),
        "dismiss": lambda: _dismiss(decide, rest.split()),
        "revoke": lambda: decide.revoke(rest),
        "never": decide.never,
    }
    return verbs[verb]()


def _take_up(decide: Decisions, rest: str) -> str:
    """Make the question of an ended session that ``--left N`` names the pending one; the other words."""
    found = _LEFT.search(rest)
    decide.take_up(int(found[1]) if found else 0)
    return f"{rest[: found.start()]} {rest[found.end() :]}".strip() if found else rest


_LEFT = pattern(r"(?<!\S)--left[\s=]+([0-9]{1,4})(?!\S)")

_SHOWING = ("", "run", "on", "status", "done")
"""Commands whose output shows the pending decision."""


def _junction_id(typed: Typed, verb: str) -> str:
    """The id of the junction that an answer is for.

    If it has just replaced another one, it is shown first: the answer may have been meant for that.
    """
    pending = typed.project.state.read().get("junction") or {}
    before = _replaced_junction(typed)
    if before is not None:
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


def _replaced_junction(typed: Typed) -> AnsweredJunction | None:
    """The junction that the pending one replaced, once per session; afterwards None."""
    try:
        state = typed.project.state.read()
    except EdgeError:
        return None  # the caller gets the same error
    before = junction.just_replaced(state)
    if before is None:
        return None
    is_first = typed.project.registry.first_time(
        typed.session, f"shown-{state['junction'].get('id')}"
    )
    return before if is_first else None


def _scoped(decide: Decisions, scope: Scope, code: str) -> str:
    """Without a code: show what would be allowed, and the code. With it: allow it."""
    if code.startswith("rule") and not scope.is_rule:
        return _dismiss_rule(decide, scope.minutes, code.split()[1:], f"{scope.word} rule")
    if code.startswith("offered") and not scope.is_rule:
        return _dismiss_rule(decide, scope.minutes, code.split(), scope.word)
    if code:
        return decide.dismissals.dismiss(scope, code)
    preview, code = decide.dismissals.preview(scope)
    return f"{preview}\nTo confirm, type: /edge {scope.word} {code}"


def _dismiss(decide: Decisions, words: list[str]) -> str:
    """Without a code: show what would be allowed, and the code. With it: dismiss."""
    minutes = DISMISSAL_MINUTES
    if words and words[0].isascii() and words[0].isdigit():
        minutes = int(words.pop(0))
    if words and words[0].lstrip("-") == "offered":
        return _dismiss_rule(decide, minutes, words, f"dismiss {minutes}")
    if words and words[0].lstrip("-") in ("rule", "here", "remote", "folder"):
        rest = words[1:] if words[0].lstrip("-") == "rule" else words
        return _dismiss_rule(decide, minutes, rest, f"dismiss {minutes} rule")
    if not words:
        preview, code = decide.dismissals.preview(minutes)
        return f"{preview}\nTo confirm, type: /edge dismiss {minutes} {code}"
    return decide.dismissals.dismiss(minutes, words[0])


def _dismiss_rule(decide: Decisions, minutes: int, words: list[str], line: str) -> str:
    """The same for a rule: its name if it is another one than is asked about, where, and the code."""
    said = [word.lstrip("-") for word in words]
    code = words.pop() if words and _CODE.fullmatch(words[-1]) else ""
    given = {"remote": "", "folder": ""}
    for name in given:
        if name in said[:-1]:
            given[name] = words[said.index(name) + 1]
    if said[:1] == ["offered"]:
        scope = decide.dismissals.offered(minutes)
    else:
        named = words[0] if words and said[0] not in ("here", *given) else ""
        scope = decide.dismissals.rule_scope(minutes, rule=named, is_here="here" in said, **given)
    if code:
        return decide.dismissals.dismiss_rule(scope, code)
    preview, code = decide.dismissals.preview_rule(scope)
    return f"{preview}\nTo confirm, type: /edge {' '.join([line, *words, code])}"


_CODE = pattern(rf"(?i)[{CODE_ALPHABET}]{{{CODE_LENGTH}}}")


# end of module
