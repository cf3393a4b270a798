"""``edge pause|resume``: the gate's off switches, at the person's own terminal (HO-6)."""

from __future__ import annotations

from operators_edge.approvals import service as approvals_service
from operators_edge.cli.command import UNLISTED, Answer, Args, arg, command
from operators_edge.cli.person import confirm, require_person
from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.sessions import decisions, status
from operators_edge.text import timestamps

_RULE = (
    arg("[RULE]", "only this rule (see `edge rules`)"),
    arg("--name RULE", UNLISTED, default=""),
)


def _minutes(text: str) -> int:
    """How long: minutes, or a number with its unit."""
    lasts = timestamps.minutes(text, {**timestamps.UNITS, "": 1})
    if lasts is None:
        raise UsageError(f"--for does not take {text!r}", hint="edge pause --for 30m")
    return lasts


@command(
    "pause",
    [
        arg("--session", "the latest session (the default)"),
        arg("--all-sessions", "every session of this project"),
    ],
    *_RULE,
    [
        arg(
            "--for T",
            "how long: 30m, 2h, 1d, up to a week (1h)",
            dest="minutes",
            type=_minutes,
            default=approvals_service.DEFAULT_MINUTES,
        ),
        arg("--minutes N", UNLISTED),
    ],
    description="Switch the gate's questions and warnings off for a while. Calls that are "
    "blocked outright stay blocked, unless their rule is named. Logging continues.",
    example="git-push --for 30m",
)
def _disable(args: Args) -> Answer:
    project = args.project
    require_person("disable", project.root)
    session = project.latest_session()
    want = approvals_service.checked_request(
        project,
        session=session,
        whole_project=args.all_sessions,
        rule=args.rule or args.name,
        minutes=args.minutes,
    )
    if not confirm(f"{approvals_service.preview(want)}\nSwitch off?"):
        raise AnswerIsNo("not switched off", hint="edge status")
    text = approvals_service.disable(project, want, session=session, by=_by(args))
    return Answer({"decided": "disable", **want._asdict()}, text)


@command("resume", *_RULE, example="git-push")
def _enable(args: Args) -> Answer:
    project = args.project
    require_person("enable", project.root)
    session = project.latest_session()
    text = approvals_service.enable(
        project, session=session, rule=args.rule or args.name, by=_by(args)
    )
    return Answer({"decided": "enable", "off": status.active_switches(project, session)}, text)


def _by(args: Args) -> str:
    return (
        f"{decisions.person_name()}, {'typed in Claude Code' if args.asking else 'at a terminal'}"
    )


# end of module
