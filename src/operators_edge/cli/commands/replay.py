"""``edge replay``: past sessions under today's rules. Writes nothing."""

from __future__ import annotations

import os

from operators_edge.cli import past
from operators_edge.cli.command import Answer, Args, arg, command
from operators_edge.cli.layout import columns
from operators_edge.cli.person import require_person
from operators_edge.config import files as config_files
from operators_edge.errors import NotSetUp, UsageError
from operators_edge.model import PROFILES
from operators_edge.redaction.redact import redact
from operators_edge.reports import replay, replay_text
from operators_edge.reports.replay_service import Draft, effective_rules

_MAX_DAYS = 3_650
_SECONDS, _SECONDS_IF_TYPED = 120.0, 3.0
"""A client waits for what is typed in it."""
_MAX_IN_JSON = 200


@command(
    "replay",
    arg("--days N", f"how far back (default {past.DAYS})", default=past.DAYS),
    arg(f"--profile {{{','.join(PROFILES)}}}", "under this profile"),
    arg("--config FILE", "with this file in place of your own settings, which stay as they are"),
    arg("--all", "the sessions of all your projects (people only)", dest="every"),
    about="count what today's rules would have asked in past sessions",
    description="Take the calls of your past sessions, from the client's own transcripts, through "
    "today's rules, and count what they would have asked, denied, or let through after a snapshot. "
    "Nothing is written or sent.",
    example="--days 30 --profile strict",
    draws=True,
)
def _replay(args: Args) -> Answer:
    if not 1 <= args.days <= _MAX_DAYS:
        raise UsageError(f"--days must be 1 to {_MAX_DAYS}, not {args.days}")
    found = args.location
    if args.every:
        require_person("replay --all", found.root)
    elif found.root is None:
        raise NotSetUp(f"there is no project here: {found.reason}", hint="edge replay --all")
    root = None if args.every else found.root
    draft = _draft(args.config) if args.config else None
    rules_of = effective_rules(os.environ, profile=args.profile or "", draft=draft)
    rules = rules_of(found.root)
    remarks = [str(each) for each in rules.config["problems"]] if draft else []
    (tally,), reading = past.replay(
        [rules_of],
        days=args.days,
        root=root,
        seconds=_SECONDS_IF_TYPED if args.asking else _SECONDS,
        terminal=args.terminal,
    )
    frame = replay_text.Frame(args.days, past.where_of(root), rules.profile)

    def redacted(text: str) -> str:
        return redact(text, values=args.secrets)

    data = {
        "days": args.days,
        "profile": rules.profile,
        "project": root,
        **replay.as_data(tally, reading, redacted, most=_MAX_IN_JSON),
    }
    lines = replay_text.lines(tally, reading, frame, redacted, columns())
    return Answer(data, lines, remarks=remarks)


def _draft(path: str) -> Draft:
    found = config_files.draft(path)
    if found is None or found.problem:
        why = found.problem if found else "it does not exist"
        raise UsageError(f"{path} cannot be used as settings: {why}")
    return Draft(user=found)


# end of module
