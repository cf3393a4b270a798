"""``edge approve|skip|dismiss|grants|revoke``: decisions at the person's own terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.approvals.junction import DEFAULT_DISMISSAL_MINUTES
from operators_edge.cli.options import common, opened
from operators_edge.cli.person import confirm, require_person
from operators_edge.errors import AnswerIsNo
from operators_edge.evidence import overrides
from operators_edge.loop import choices
from operators_edge.sessions import status
from operators_edge.sessions.decisions import Decisions, live_grants, person_name

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal
    from operators_edge.project import Project


def register(nouns: Any) -> None:
    approve = nouns.add_parser(
        "approve", parents=[common()], epilog='edge approve 1,2 --why "the API is down"'
    )
    approve.add_argument(
        "checks", nargs="*", help="failed checks, a finding or an option, by number or name"
    )
    approve.add_argument("--why", default="", help="the reason, recorded with the decision")
    approve.set_defaults(run=_approve)
    skip = nouns.add_parser("skip", parents=[common()], epilog="edge skip")
    skip.set_defaults(run=_skip)
    dismiss = nouns.add_parser("dismiss", parents=[common()], epilog="edge dismiss 60")
    dismiss.add_argument("minutes", nargs="?", type=int, default=DEFAULT_DISMISSAL_MINUTES)
    dismiss.set_defaults(run=_dismiss)
    grants = nouns.add_parser("grants", parents=[common()], epilog="edge grants")
    grants.set_defaults(run=_grants)
    revoke = nouns.add_parser("revoke", parents=[common()], epilog="edge revoke 1")
    revoke.add_argument("grant", help="number in `edge grants`, or id")
    revoke.set_defaults(run=_revoke)


def _decider(args: argparse.Namespace, verb: str) -> tuple[Project, Decisions]:
    project = opened(args)
    require_person(verb, project.root)
    session = project.latest_session()
    return project, Decisions(project, session=session, by=f"{person_name()}, at a terminal")


def _approve(args: argparse.Namespace, terminal: Terminal) -> int:
    project, decide = _decider(args, "approve")
    pending = _confirmed(project, " ".join(args.checks))
    text = decide.approve(" ".join(args.checks), why=args.why, expected=str(pending["id"]))
    terminal.show({"decided": "approve", "junction": pending}, text)
    return 0


def _skip(args: argparse.Namespace, terminal: Terminal) -> int:
    project, decide = _decider(args, "skip")
    pending = project.state.read().get("junction") or {}
    text = decide.skip(expected=str(pending.get("id") or ""))
    terminal.show({"decided": "skip", "junction": pending}, text)
    return 0


def _dismiss(args: argparse.Namespace, terminal: Terminal) -> int:
    project, decide = _decider(args, "dismiss")
    pending = project.state.read().get("junction")
    preview, code = decide.preview_dismissal(args.minutes)
    if not confirm(f"{preview}\nDismiss?"):
        raise AnswerIsNo("not dismissed", hint="edge status")
    text = decide.dismiss(args.minutes, code)
    terminal.show({"decided": "dismiss", "junction": pending}, text)
    return 0


def _grants(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    terminal.show(live_grants(project, project.state.read()), status.grants_text(project))
    return 0


def _revoke(args: argparse.Namespace, terminal: Terminal) -> int:
    _, decide = _decider(args, f"revoke {args.grant}")
    terminal.show({"revoked": args.grant}, decide.revoke(args.grant))
    return 0


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
        question = f"Override {checks or 'every check'}, for this session and objective?"
    elif target := (pending.get("payload") or {}).get("to"):
        question = f"Set mode {target}?"
    if not confirm("\n".join([*status.junction_lines(pending, at_terminal=True), question])):
        raise AnswerIsNo("not approved", hint="edge status")
    return dict(pending)
