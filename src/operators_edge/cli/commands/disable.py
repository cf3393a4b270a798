"""``edge disable|enable``: the gate's off switches, at the person's own terminal (HO-6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.approvals import service as approvals_service
from operators_edge.cli.options import common, opened
from operators_edge.cli.person import confirm, require_person
from operators_edge.errors import AnswerIsNo
from operators_edge.sessions import status
from operators_edge.sessions.decisions import person_name

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal
    from operators_edge.project import Project


def register(nouns: Any) -> None:
    disable = nouns.add_parser(
        "disable",
        parents=[common()],
        description="Switch the gate's questions and warnings off for a while. Calls that are "
        "blocked outright stay blocked, unless their rule is named. Logging continues.",
        epilog="edge disable --name git-push --minutes 30",
    )
    scope = disable.add_mutually_exclusive_group()
    scope.add_argument("--session", action="store_true", help="the latest session (the default)")
    scope.add_argument("--all-sessions", action="store_true", help="every session of this project")
    add_words(disable)
    disable.add_argument(
        "--minutes",
        type=int,
        default=approvals_service.DEFAULT_MINUTES,
        help="how long (60), up to a week",
    )
    disable.set_defaults(run=_disable)
    enable = nouns.add_parser("enable", parents=[common()], epilog="edge enable")
    add_words(enable)
    enable.set_defaults(run=_enable)


def add_words(parser: Any) -> None:
    parser.add_argument(
        "--name", metavar="RULE", default="", help="only this rule (see `edge rules`)"
    )


def _disable(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    require_person("disable", project.root)
    session = project.latest_session()
    want = approvals_service.checked_request(
        project,
        session=session,
        whole_project=args.all_sessions,
        rule=args.name,
        minutes=args.minutes,
    )
    if not confirm(f"{approvals_service.preview(want)}\nSwitch off?"):
        raise AnswerIsNo("not switched off", hint="edge status")
    by = f"{person_name()}, {_where(project)}"
    text = approvals_service.disable(project, want, session=session, by=by)
    terminal.show({"decided": "disable", **want._asdict()}, text)
    return 0


def _enable(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    require_person("enable", project.root)
    by = f"{person_name()}, {_where(project)}"
    session = project.latest_session()
    text = approvals_service.enable(project, session=session, rule=args.name, by=by)
    terminal.show({"decided": "enable", "off": status.active_switches(project, session)}, text)
    return 0


def _where(project: Project) -> str:
    return "typed in Claude Code" if project.asking else "at a terminal"
