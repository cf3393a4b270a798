"""``edge approve|skip|dismiss|grants|revoke``: decisions at the person's own terminal."""

from __future__ import annotations

import os

from operators_edge.approvals import scopes
from operators_edge.cli import person
from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.evidence import overrides
from operators_edge.loop import choices
from operators_edge.model import DISMISSAL_MINUTES
from operators_edge.quality import service as quality_service
from operators_edge.sessions import bound_call, decisions, grants, live, status
from operators_edge.text.wording import one_line
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from operators_edge.project import Project
    from operators_edge.records import Junction


_LEFT = arg("--left N", "a question of an ended session, by number", type=int, default=0)


@command(
    "approve",
    arg("[CHECK...]", "failed checks, a finding or an option, by number or name"),
    arg("--why T", "the reason, recorded with the decision", default=""),
    _LEFT,
    example='1,2 --why "the API is down"',
)
def _approve(args: Args) -> Answer:
    decide, words = _decider(args, "approve"), " ".join(args.check)
    decide.take_up(args.left, is_shown=True)
    pending = args.project.state.read().get("junction") or {}
    if pending.get("source") == "gate" and not words and "left_at" not in pending:
        return chosen(decide, pending, args.why)
    pending = _confirmed(args.project, words)
    text = decide.approve(words, why=args.why, expected=str(pending["id"]))
    return Answer({"decided": "approve", "junction": pending}, text)


def accepted(args: Args, checks: list[str], why: str) -> bool:
    """Let failed checks of the quality gate pass, if it is what asks, and the person confirms them."""
    pending = args.project.state.read().get("junction") or {}
    if pending.get("type") != "quality_gate" or choices.is_ours(pending):
        return False
    words = ",".join(checks)
    pending = _confirmed(args.project, words)
    decide = _decider(args, "done --accept")
    args.terminal.aside(decide.approve(words, why=why, expected=str(pending["id"])).splitlines()[0])
    return True


_ANSWERS = {
    **dict.fromkeys(("n", "no"), "skip"),
    **dict.fromkeys(("y", "yes", "once"), "approve"),
    **dict.fromkeys(("h", "1h"), "1h"),
    **dict.fromkeys(("s", "session"), "session"),
    **dict.fromkeys(("a", "offered"), "offered"),
    **dict.fromkeys(("v", "never"), "never"),
    **dict.fromkeys(("r", "rehearse"), "rehearse"),
}


def chosen(decide: decisions.Decisions, pending: dict[str, Any], why: str) -> Answer:
    """Ask how far the answer to a call of the agent goes, and give it."""
    from operators_edge.cli.commands import rehearse  # noqa: PLC0415 - a command of its own, to be declared

    if bound_call.looked_again(decide.project, cast("Junction", pending)):
        pending = decide.project.state.read().get("junction") or pending
    lines = status.junction_lines(pending, at_terminal=True, has_ways=False)
    rule = str(pending.get("rule", ""))
    within = "for this task" if live.task_of(pending) else "in this session"
    whole = [f"  s  yes, {within}: every {rule}"] if scopes.can_be_whole(rule) else []
    offer = pending.get("offer") or {}
    learnt = [f"  a  yes, for 1 hour: {one_line(str(offer['target']), 300)}"] if offer else []
    keys = ["  y  yes, once", *learnt, "  h  yes, for 1 hour, to this target", *whole]
    keys += ["  n  no, not now", f"  v  no, not {within}", "  Enter  later"]
    keys += ["  r  rehearse it first"] if rehearse.can_rehearse(pending) else []
    answer = person.choose("\n".join([*lines, *keys, "Approve?"]), _ANSWERS)
    while answer == "rehearse":
        seen = rehearse.attempted(pending, decide.project.root)
        answer = person.choose("\n".join([*seen, "", *keys, "Approve?"]), _ANSWERS)
    if answer == "offered":
        text = _taken(decide, pending)
    elif answer in ("1h", "session"):
        scope = scopes.IN_SESSION if answer == "session" else scopes.AN_HOUR
        preview, code = decide.dismissals.preview(scope)
        text = (
            decide.dismissals.dismiss(scope, code) if person.confirm(f"{preview}\nDo it?") else ""
        )
    elif answer == "never":
        text = decide.never()
    elif answer == "skip":
        text = decide.skip(expected=str(pending["id"]))
    else:
        ident = str(pending["id"])
        text = decide.approve(why=why, expected=ident) if answer == "approve" else ""
    if not text:
        raise AnswerIsNo("not decided: it stays pending", hint="edge approve")
    return Answer({"decided": answer, "junction": pending}, text)


def _taken(decide: decisions.Decisions, pending: dict[str, Any]) -> str:
    """Take the scope that the question offers, if the person still wants it after a look; "" if not."""
    scope = decide.dismissals.offered(scopes.AN_HOUR.minutes, expected=str(pending["id"]))
    preview, code = decide.dismissals.preview_rule(scope)
    return (
        decide.dismissals.dismiss_rule(scope, code) if person.confirm(f"{preview}\nDo it?") else ""
    )


@command("skip", _LEFT)
def _skip(args: Args) -> Answer:
    decide = _decider(args, "skip")
    decide.take_up(args.left)
    pending = args.project.state.read().get("junction") or {}
    text = decide.skip(expected=str(pending.get("id") or ""))
    return Answer({"decided": "skip", "junction": pending}, text)


@command(
    "dismiss",
    arg("[MINUTES]", "for how long", type=int, default=DISMISSAL_MINUTES),
    arg(
        "--rule [RULE]", "a whole rule: this one, or that of the pending call", nargs="?", const=""
    ),
    [
        arg("--here", "the rule only where the pending call goes"),
        arg("--remote NAME", "the rule only for what goes to this remote of git"),
        arg("--folder DIR", "the rule only for what stays in this folder"),
        arg("--offered", "what the pending call offers, learnt from your approvals"),
    ],
    example="60 --rule git-push --remote origin",
)
def _dismiss(args: Args) -> Answer:
    decide = _decider(args, "dismiss")
    pending = args.project.state.read().get("junction")
    if args.offered:
        scope = decide.dismissals.offered(args.minutes)
        preview, code = decide.dismissals.preview_rule(scope)
        return _dismissed(preview, pending, lambda: decide.dismissals.dismiss_rule(scope, code))
    if args.rule is not None or args.here or args.remote or args.folder:
        scope = decide.dismissals.rule_scope(
            args.minutes,
            rule=args.rule or "",
            is_here=args.here,
            remote=args.remote or "",
            folder=os.path.abspath(args.folder) if args.folder else "",
        )
        preview, code = decide.dismissals.preview_rule(scope)
        return _dismissed(preview, pending, lambda: decide.dismissals.dismiss_rule(scope, code))
    preview, code = decide.dismissals.preview(args.minutes)
    rule = str((pending or {}).get("rule", ""))
    if (pending or {}).get("source") == "gate" and scopes.can_be_whole(rule):
        preview += f"\nThe whole rule instead: edge dismiss {args.minutes} --rule (--here: where this goes)"
    return _dismissed(preview, pending, lambda: decide.dismissals.dismiss(args.minutes, code))


def _dismissed(preview: str, pending: Any, act: Callable[[], str]) -> Answer:
    if not person.confirm(f"{preview}\nDismiss?"):
        raise AnswerIsNo("not dismissed", hint="edge status")
    return Answer({"decided": "dismiss", "junction": pending}, act())


@command("grants list", about="list every live grant", is_alone=True)
def _grants(args: Args) -> Answer:
    project = args.project
    return Answer(grants.live_grants(project, project.state.read()), status.grants_text(project))


@command(
    "grants revoke",
    arg("GRANT", "its number in `edge grants`, or its id"),
    about="end one now (people only)",
    example="1",
)
def _revoke(args: Args) -> Answer:
    text = _decider(args, f"grants revoke {args.grant}").revoke(args.grant)
    return Answer({"revoked": args.grant}, text)


def _decider(args: Args, verb: str) -> decisions.Decisions:
    project = args.project
    person.require_person(verb, project.root)
    session = project.latest_session()
    where = "typed in Claude Code" if args.asking else "at a terminal"
    return decisions.Decisions(project, session=session, by=f"{decisions.person_name()}, {where}")


def _confirmed(project: Project, words: str) -> dict[str, Any]:
    """The junction that the person has read and decides."""
    pending = project.state.read().get("junction")
    if not pending:
        raise AnswerIsNo("nothing is pending", hint="edge status")
    question = "Approve once?"
    if choices.is_ours(pending):
        is_free = pending["type"] == "ambiguous"  # any words can be the answer
        question = choices.confirmation(
            pending, words if is_free else overrides.parse_typed(words)[0]
        )
    elif pending["type"] == "quality_gate":
        checks = overrides.parse_typed(words)[0]
        if not checks:
            names = [each["name"] for each in quality_service.failed_checks(pending)]
            listed = ", ".join(f"{n} {name}" for n, name in enumerate(names, 1))
            raise UsageError(f"say which checks, or all: {listed}", hint="edge approve 1")
        named = "every check" if checks.lower() == "all" else checks
        question = f"Override {named}, for this session and objective?"
    elif target := (pending.get("payload") or {}).get("to"):
        question = f"Set mode {target}?"
    if not person.confirm("\n".join([*status.junction_lines(pending, at_terminal=True), question])):
        raise AnswerIsNo("not approved", hint="edge status")
    return dict(pending)


# end of module
