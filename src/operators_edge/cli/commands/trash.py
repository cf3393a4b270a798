"""``edge trash PATH…``: move files to the trash instead of deleting them; list, restore, empty."""

from __future__ import annotations

import os

from operators_edge.cli import person
from operators_edge.cli.command import UNLISTED, Answer, Args, arg, command, record
from operators_edge.cli.layout import table
from operators_edge.datetimes import timedelta
from operators_edge.errors import EdgeError
from operators_edge.locations import AGENT_MARKS
from operators_edge.model import KEEP_DAYS
from operators_edge.project import wall_clock
from operators_edge.sessions import decisions
from operators_edge.text import timestamps
from operators_edge.text.wording import amount, many, one_line
from operators_edge.undo import trash_rules
from operators_edge.undo.trash import Trash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from operators_edge.undo.trash import Entry

_SESSION = "CLAUDE_CODE_SESSION_ID"


def _here(args: Args) -> str:
    return os.path.realpath(args.named or os.getcwd())


def _root(args: Args) -> str:
    return args.location.root or _here(args)


def _trash(args: Args) -> Trash:
    return Trash(_root(args), clock=wall_clock)


def _log(args: Args, event: str, **data: Any) -> None:
    record(args.location, event, data, session=os.environ.get(_SESSION, ""))


def _short_path(args: Args, path: str) -> str:
    """The shortest form of a path, safe for a terminal."""
    below = os.path.relpath(path, _here(args))
    return one_line(path if below.startswith("..") else below, 200)


def _amount(entry: Entry) -> str:
    if entry.kind == "folder":
        return f"{many(entry.files, 'file')}, {amount(entry.size)}"
    return "a link" if entry.kind == "link" else amount(entry.size)


_IGNORED = [
    arg(flags, UNLISTED, dest="flags")
    for flags in ("-r -R --recursive", "-f --force", "-d --dir", "-v", "-i")
]
"""What `rm` takes, so that the command can replace it."""


@command(
    "trash move",
    arg("PATH...", "file or folder; one that is named like a verb: ./list"),
    *_IGNORED,
    about="move files and folders to the trash",
    description="Move files and folders to the trash. The options of rm are ignored.",
    example="build old.py",
    is_implied=True,
)
def _move(args: Args) -> Answer:
    """Move each path separately: one that is refused does not affect the others."""
    ground, trash = trash_rules.trash_ground(_root(args)), _trash(args)
    moved, refused = [], []
    for word in args.path:
        path = trash_rules.real_path(word, _here(args))
        try:
            trash_rules.require_movable(path, ground)
            entry = trash.move(path, by=_who())
        except EdgeError as error:
            refused.append((word, error))
            continue
        moved.append(entry)
        _log(args, "trashed", id=entry.id, path=entry.path, files=entry.files, bytes=entry.size)
    lines = [
        f"Moved to the trash: {_short_path(args, each.path)} ({_amount(each)})" for each in moved
    ]
    if moved:
        ids = " ".join(str(each.id) for each in moved)
        lines.append(f"To restore {'it' if len(moved) == 1 else 'them'}: edge trash restore {ids}")
    lines += _expired(args, trash)
    lines += [one_line(f"not moved: {each.message}; {each.hint}", 400) for _, each in refused]
    data = {
        "moved": [each._asdict() for each in moved],
        "refused": [{"path": word, "why": e.message, "hint": e.hint} for word, e in refused],
    }
    return Answer(data, lines, ok=not refused)


def _expired(args: Args, trash: Trash) -> list[str]:
    """Delete what has been in the trash for longer than it is kept; one line about it."""
    days = args.project.keep_days["trash"] if args.location.is_set_up else KEEP_DAYS["trash"]
    gone = trash.expire(days)
    if not gone:
        return []
    size = sum(each.size for each in gone)
    _log(args, "trash_emptied", ids=[each.id for each in gone], bytes=size, days=days)
    what = f"{many(len(gone), 'item')}, {amount(size)}"
    return [f"deleted permanently, as it was in the trash for {days} days: {what}"]


def _who() -> str:
    env = os.environ
    if env.get(_SESSION):
        return f"agent {env[_SESSION][:40]}"
    return "an agent" if any(env.get(mark) for mark in AGENT_MARKS) else decisions.person_name()


@command("trash list", about="list the trash, newest first", is_alone=True)
def _list(args: Args) -> Answer:
    found = _trash(args).entries()
    now = wall_clock()
    rows = [
        (str(each.id), timestamps.ago(each.time, now), _amount(each), _short_path(args, each.path))
        for each in found
    ]
    lines = list(table(args.terminal, rows, right=(0, 2)))
    if found:
        lines.append(f"{amount(sum(each.size for each in found))} in all")
    return Answer([each._asdict() for each in found], lines or "The trash is empty.")


@command(
    "trash restore",
    arg("N...", "as they are listed"),
    arg("--to PATH", "restore to this path instead"),
    about="restore something to its path; never overwrites",
    example="7 --to old",
)
def _restore(args: Args) -> Answer:
    ground, trash = trash_rules.trash_ground(_root(args)), _trash(args)
    back = []
    for number in args.numbers:
        target = _target(args, trash.entry(number))
        trash_rules.require_free(target, ground)
        trash.restore(number, target)
        _log(args, "trash_restored", id=number, path=target)
        back.append({"id": number, "path": target})
    return Answer(back, [f"Restored {_short_path(args, str(each['path']))}" for each in back])


def _target(args: Args, entry: Entry) -> str:
    """The original path, or ``--to``; an existing folder gets it under its own name, as with mv."""
    if args.to is None:
        return trash_rules.real_path(entry.path, _here(args))
    target = trash_rules.real_path(args.to, _here(args))
    if os.path.isdir(target):
        return os.path.join(os.path.realpath(target), os.path.basename(entry.path))
    return target


def _days(text: str) -> int:
    days = int(text)
    if not 0 <= days <= 36_500:
        raise ValueError(text)
    return days


@command(
    "trash empty",
    arg("--older-than DAYS", "delete only what is older", type=_days),
    about="delete permanently (people only)",
    example="--older-than 30",
)
def _empty(args: Args) -> Answer:
    person.require_person("trash empty", args.location.root if args.location.is_set_up else None)
    days = args.older_than
    gone = _trash(args).empty(before=None if days is None else wall_clock() - timedelta(days=days))
    size = sum(each.size for each in gone)
    if gone:
        _log(args, "trash_emptied", ids=[each.id for each in gone], bytes=size)
    text = f"deleted permanently: {many(len(gone), 'item')}, {amount(size)}"
    return Answer([each._asdict() for each in gone], text if gone else "Nothing to delete.")


# end of module
