"""``edge undo list|show|apply``: the snapshots taken before risky calls, and restoring one."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections import Counter

from operators_edge.cli.command import DRY_RUN, Answer, Args, arg, command, record
from operators_edge.cli.layout import table
from operators_edge.datetimes import UTC, datetime
from operators_edge.errors import NotSetUp, UsageError
from operators_edge.project import wall_clock
from operators_edge.system import project_root
from operators_edge.text import timestamps
from operators_edge.text.wording import amount, escaped, many, one_line
from operators_edge.undo.restore import NEWEST, Undo
from operators_edge.undo.snapshots import SnapshotReason, details

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO

    from operators_edge.git.objects import Kept
    from operators_edge.undo.restore import Applied, Difference

_SHOWN_PATHS = 40

_WHICH = (
    arg("ID", 'a number from the list, or "last"'),
    arg("[PATH...]", "only these files or folders"),
)


def _undo(args: Args) -> Undo:
    here = os.path.realpath(args.named or os.getcwd())
    if not project_root.git_folder(here):
        raise NotSetUp(
            f"{here} is in no working tree of git, where snapshots are kept",
            hint="edge -C DIR undo",
        )
    return Undo(here, root=args.location.root or here)


def _number(text: str) -> int | None:
    if text == "last":
        return None
    if text.isascii() and text.isdigit():
        return int(text)
    raise UsageError(f"{text!r} is not a snapshot's number", hint="edge undo list")


# -- list and show ---------------------------------------------------------------------------------


@command(
    "undo list",
    arg("--all", f"all, not only the newest {NEWEST}"),
    about="list the snapshots, newest first",
    is_alone=True,
)
def _list(args: Args) -> Answer:
    undo = _undo(args)
    found, space = undo.overview(None if args.all else NEWEST)
    data = [
        {**_as_data(each.kept), "differs": each.differs, "gone": list(each.gone)} for each in found
    ]
    now = wall_clock()
    lines = list(table(args.terminal, (_row(each, now) for each in found), right=(0, 3)))
    lines += _moved(found)
    if not args.all and len(found) == NEWEST:
        lines.append("older ones: edge undo list --all")
    if space.removed:
        first, last = space.removed[0]["id"], space.removed[-1]["id"]
        lines.append(
            f"{many(len(space.removed), 'older one')} removed to keep within undo_megabytes "
            f"({first} to {last}): git frees their space when it collects garbage"
        )
    if found:
        lines.append(f"{many(space.snapshots, 'snapshot')}, {amount(space.size)} in all")
    return Answer(
        data, lines or "No snapshot yet. One is taken before a command that can destroy work."
    )


def _moved(found: list[Difference]) -> list[str]:
    """A line for each place where the repository was before."""
    tops = Counter(str(details(each.kept).get("top") or "") for each in found)
    return [
        f"{many(count, 'snapshot')} taken while it was at {one_line(top, 200)}"
        for top, count in tops.items()
        if top and not os.path.lexists(os.path.join(top, ".git"))
    ]


def _as_data(kept: Kept) -> dict[str, Any]:
    about = details(kept)
    keys = ("command", "session", "agent", "call", "top", "left_out", "more_left_out")
    when = datetime.fromtimestamp(kept.time, UTC).isoformat()
    return {"id": kept.id, "time": when, "tree": kept.tree} | {key: about.get(key) for key in keys}


def _row(each: Difference, now: datetime) -> tuple[str, ...]:
    about = details(each.kept)
    when = timestamps.ago(datetime.fromtimestamp(each.kept.time, UTC).isoformat(), now)
    differs = f"{each.differs} differ" if each.differs else "as now"
    session, before = one_line(about.get("session") or "-", 8), one_line(about.get("command"), 60)
    gone = f"  (gone since: {one_line(', '.join(each.gone), 80)})" if each.gone else ""
    return str(each.kept.id), when, session, differs, f"{before}{gone}"


@command(
    "undo show",
    *_WHICH,
    arg("--stat", "only file names and sizes of the changes"),
    about="compare the files with a snapshot",
    example="12 --stat",
)
def _show(args: Args) -> Answer | int:
    kept, diff, of_git = _undo(args).show(_number(args.id), args.path, stat_only=args.stat)
    about = _as_data(kept)
    lines = [f"snapshot {kept.id}, before: {one_line(about['command'], 200)}"]
    lines += [f"not in it: {one_line(each, 200)}" for each in about["left_out"] or []]
    if about["more_left_out"]:
        lines.append(f"not in it: {about['more_left_out']} more")
    lines += [f"in git: {each}" for each in of_git]
    if of_git:
        lines.append(f"To restore that as well: edge undo apply {kept.id} --git")
    lines += ["", escaped(diff, keep="\n\t").rstrip("\n") or "nothing differs from it"]
    text, terminal = "\n".join(lines), args.terminal
    if not terminal.json_wanted and terminal.out.isatty() and _page(text, terminal.out):
        return 0
    return Answer({**about, "diff": diff, "git": of_git}, text)


def _page(text: str, out: TextIO) -> bool:
    """Show a long text to a person page by page; False if there is no pager, or no need for one."""
    words = shlex.split(os.environ.get("PAGER") or "less")
    size = shutil.get_terminal_size()
    if not words or shutil.which(words[0]) is None or text.count("\n") + 2 < size.lines:
        return False
    env = {"LESS": "FX", **os.environ}
    subprocess.run(words, input=f"{text}\n".encode(), stdout=out, env=env, check=False)
    return True


# -- apply -----------------------------------------------------------------------------------------


@command(
    "undo apply",
    *_WHICH,
    arg("--exact", "also remove files created since the snapshot"),
    arg("--git", "also the index, HEAD, branches, tags and stashes", dest="with_git"),
    DRY_RUN,
    about="restore files; the current ones are saved first",
    example="12 src/notes.txt",
)
def _apply(args: Args) -> Answer:
    session = os.environ.get("CLAUDE_CODE_SESSION_ID", "")
    applied = _undo(args).apply(
        _number(args.id),
        args.path,
        reason=SnapshotReason(f"edge undo apply {args.id}", session),
        exact=args.exact,
        with_git=args.with_git,
        dry_run=args.dry_run,
    )
    saved = applied.saved
    if saved.id:
        counts = {"files": len(applied.done), "left": len(applied.left)}
        about = {"id": applied.id, "saved": saved.id, **counts}
        record(args.location, "undone", about, session=session)
    data = {
        "id": applied.id,
        "saved": saved.as_data() if saved.id else None,
        "done": [{"what": what, "path": path} for what, path in applied.done],
        "left": [{"why": why, "path": path} for why, path in applied.left],
        "git": list(applied.others),
    }
    return Answer(data, _applied_lines(applied, dry_run=args.dry_run), ok=not applied.left)


def _applied_lines(applied: Applied, *, dry_run: bool) -> list[str]:
    others = [f"in git: {each}" for each in applied.others]
    if others and not dry_run:
        others.append(f"To restore that as well: edge undo apply {applied.id} --git")
    if not applied.done and not applied.left:
        return [f"nothing to do: the files are as snapshot {applied.id} holds them", *others]
    lines = [f"{what:14} {one_line(path, 200)}" for what, path in applied.done[:_SHOWN_PATHS]]
    if len(applied.done) > _SHOWN_PATHS:
        lines.append(f"and {len(applied.done) - _SHOWN_PATHS} more")
    lines += [f"{'left':14} {one_line(path, 200)}: {why}" for why, path in applied.left]
    if dry_run:
        return ["would:", *lines]
    back = f"edge undo apply {applied.saved.id} --exact"
    return [*lines, *others, f"To take this back: {back}"]


# end of module
