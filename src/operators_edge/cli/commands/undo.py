"""``edge undo list|show|apply``: the snapshots taken before risky calls, and restoring one."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TextIO

from operators_edge.cli.options import common
from operators_edge.errors import UsageError
from operators_edge.project import Project
from operators_edge.system import project_root
from operators_edge.text.wording import one_line
from operators_edge.undo.restore import Undo
from operators_edge.undo.snapshots import SnapshotReason, details

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal
    from operators_edge.git.objects import Kept
    from operators_edge.undo.restore import Applied, Difference
    from operators_edge.undo.snapshots import SnapshotResult

_SHOWN_PATHS = 40


def register(nouns: Any) -> None:
    parser = nouns.add_parser("undo", epilog="edge undo list")
    verbs = parser.add_subparsers(dest="verb", required=True)
    listed = verbs.add_parser(
        "list", parents=[common()], help="list the snapshots, newest first", epilog="edge undo list"
    )
    listed.set_defaults(run=_list)
    show = verbs.add_parser(
        "show",
        parents=[common()],
        help="compare the files with a snapshot",
        epilog="edge undo show 12 --stat",
    )
    _add_which(show)
    show.add_argument(
        "--stat", action="store_true", help="only file names and sizes of the changes"
    )
    show.set_defaults(run=_show)
    apply = verbs.add_parser(
        "apply",
        parents=[common()],
        help="restore files; the current ones are saved first",
        epilog="edge undo apply 12 src/notes.txt",
    )
    _add_which(apply)
    apply.add_argument(
        "--exact", action="store_true", help="also remove files created since the snapshot"
    )
    apply.add_argument(
        "--dry-run", action="store_true", help="show what would be done, change nothing"
    )
    apply.set_defaults(run=_apply)


def _add_which(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help='a number from the list, or "last"')
    parser.add_argument("paths", metavar="PATH", nargs="*", help="only these files or folders")


def _undo(args: argparse.Namespace) -> Undo:
    here = os.path.realpath(args.project or os.getcwd())
    return Undo(here, root=project_root.find(here).root or here)


def _number(text: str) -> int | None:
    if text == "last":
        return None
    if text.isascii() and text.isdigit():
        return int(text)
    raise UsageError(f"{text!r} is not a snapshot's number", hint="edge undo list")


# -- list and show ---------------------------------------------------------------------------------


def _list(args: argparse.Namespace, terminal: Terminal) -> int:
    found = _undo(args).list()
    lines = [_line(each) for each in found]
    terminal.show([_listed(each) for each in found], "\n".join(lines) or "no snapshots yet")
    return 0


def _listed(each: Difference) -> dict[str, Any]:
    return {**_told(each.kept), "differs": each.differs}


def _told(kept: Kept) -> dict[str, Any]:
    about = details(kept)
    keys = ("command", "session", "agent", "call", "top", "left_out", "more_left_out")
    when = datetime.fromtimestamp(kept.time, UTC).isoformat()
    return {"id": kept.id, "time": when, "tree": kept.tree} | {key: about.get(key) for key in keys}


def _line(each: Difference) -> str:
    told = _told(each.kept)
    when = datetime.fromtimestamp(each.kept.time, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    differs = f"{each.differs} differ" if each.differs else "as now"
    session = one_line(told["session"] or "-", 8)
    return f"{each.kept.id:>4}  {when}  {session:8}  {differs:>12}  {one_line(told['command'], 60)}"


def _show(args: argparse.Namespace, terminal: Terminal) -> int:
    kept, diff = _undo(args).show(_number(args.id), args.paths, stat_only=args.stat)
    told = _told(kept)
    lines = [f"snapshot {kept.id}, before: {one_line(told['command'], 200)}"]
    lines += [f"not in it: {one_line(each, 200)}" for each in told["left_out"] or []]
    if told["more_left_out"]:
        lines.append(f"not in it: {told['more_left_out']} more")
    lines += ["", plain(diff).rstrip("\n") or "nothing differs from it"]
    text = "\n".join(lines)
    if terminal.json_wanted or not terminal.out.isatty() or not _page(text, terminal.out):
        terminal.show({**told, "diff": diff}, text)
    return 0


def _page(text: str, out: TextIO) -> bool:
    """Show a long text to a person page by page; False if there is no pager, or no need for one."""
    words = shlex.split(os.environ.get("PAGER") or "less")
    size = shutil.get_terminal_size()
    if not words or shutil.which(words[0]) is None or text.count("\n") + 2 < size.lines:
        return False
    env = {"LESS": "FX", **os.environ}
    subprocess.run(words, input=f"{text}\n".encode(), stdout=out, env=env, check=False)
    return True


def plain(text: str) -> str:
    """Text of files with control characters made visible, safe for a terminal."""
    return "".join(
        c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text
    )


# -- apply -----------------------------------------------------------------------------------------


def _apply(args: argparse.Namespace, terminal: Terminal) -> int:
    about = SnapshotReason(
        f"edge undo apply {args.id}", os.environ.get("CLAUDE_CODE_SESSION_ID", "")
    )
    applied = _undo(args).apply(
        _number(args.id), args.paths, reason=about, exact=args.exact, dry_run=args.dry_run
    )
    if applied.saved.id:
        _record(args, applied)
    terminal.show(_applied(applied), _text(applied, dry_run=args.dry_run), ok=not applied.left)
    return 1 if applied.left else 0


def _applied(applied: Applied) -> dict[str, Any]:
    return {
        "id": applied.id,
        "saved": _saved(applied.saved),
        "done": [{"what": what, "path": path} for what, path in applied.done],
        "left": [{"why": why, "path": path} for why, path in applied.left],
    }


def _saved(saved: SnapshotResult) -> dict[str, Any] | None:
    return saved.as_data() if saved.id else None


def _text(applied: Applied, *, dry_run: bool) -> str:
    if not applied.done and not applied.left:
        return f"nothing to do: the files are as snapshot {applied.id} holds them"
    lines = [f"{what:12} {one_line(path, 200)}" for what, path in applied.done[:_SHOWN_PATHS]]
    if len(applied.done) > _SHOWN_PATHS:
        lines.append(f"and {len(applied.done) - _SHOWN_PATHS} more")
    lines += [f"left         {one_line(path, 200)}: {why}" for why, path in applied.left]
    if dry_run:
        return "\n".join(["would be", *lines])
    lines.append(f"The index and HEAD are as they were. To take this back: {_back(applied)}")
    return "\n".join(lines)


def _back(applied: Applied) -> str:
    return f"edge undo apply {applied.saved.id} --exact"


def _record(args: argparse.Namespace, applied: Applied) -> None:
    found = project_root.find(args.project or os.getcwd())
    if found.root is None or not found.is_set_up:
        return
    data = {
        "id": applied.id,
        "saved": applied.saved.id,
        "files": len(applied.done),
        "left": len(applied.left),
    }
    session = os.environ.get("CLAUDE_CODE_SESSION_ID", "")
    Project(found.root, is_set_up=True).log.append(
        {"event": "undone", "session": session, "data": data}
    )
