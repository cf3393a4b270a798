"""``edge trash PATH…``: move files to the trash instead of deleting them; list, restore, empty."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from operators_edge.cli.options import common
from operators_edge.cli.person import require_person
from operators_edge.errors import EdgeError, UsageError
from operators_edge.locations import AGENT_MARKS
from operators_edge.project import Project, wall_clock
from operators_edge.sessions.decisions import person_name
from operators_edge.system import project_root
from operators_edge.text.wording import amount, many, one_line
from operators_edge.undo import trash_rules
from operators_edge.undo.trash import Trash

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from operators_edge.cli.terminal import Terminal
    from operators_edge.undo.trash import Entry

_EPILOG = """examples:
  edge trash build old.py        move both to the trash (-r, -f: ignored)
  edge trash list                list the trash, newest first
  edge trash restore 7           restore to its path; never overwrites
  edge trash restore 7 --to b    restore to another path
  edge trash empty               delete permanently (people only)
  edge trash ./list              move a file named like a verb
"""
_SESSION = "CLAUDE_CODE_SESSION_ID"


def register(nouns: Any) -> None:
    import argparse  # noqa: PLC0415 - loaded by now; kept out of the annotations' import

    parser = nouns.add_parser(
        "trash",
        parents=[common()],
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "words", nargs="+", metavar="PATH", help="file or folder; or: list, restore ID…, empty"
    )
    parser.add_argument("--to", metavar="PATH", help="restore to this path instead")
    parser.add_argument(
        "--older-than", metavar="DAYS", type=_days, help="delete only what is older"
    )
    for words in (
        ("-r", "-R", "--recursive"),
        ("-f", "--force"),
        ("-d", "--dir"),
        ("-v",),
        ("-i",),
    ):
        parser.add_argument(
            *words, dest="flags", action="append_const", const=words[0], help=argparse.SUPPRESS
        )
    parser.set_defaults(run=_run)


def _days(text: str) -> int:
    days = int(text)
    if not 0 <= days <= 36_500:
        raise ValueError(text)
    return days


def _run(args: argparse.Namespace, terminal: Terminal) -> int:
    verb, rest = args.words[0], args.words[1:]
    if args.flags or verb not in ("list", "restore", "empty"):
        verb, rest = "move", args.words
    if args.to is not None and verb != "restore":
        raise UsageError("--to is only valid with restore", hint="edge trash restore ID --to PATH")
    if args.older_than is not None and verb != "empty":
        raise UsageError(
            "--older-than is only valid with empty", hint="edge trash empty --older-than 30"
        )
    if verb in ("list", "empty") and rest:
        raise UsageError(f"{verb} takes no path", hint=f"edge trash ./{verb} PATH…")
    return _VERBS[verb](_Run(args, terminal), rest)


class _Run:
    """One command at one place."""

    def __init__(self, args: argparse.Namespace, terminal: Terminal) -> None:
        self.args = args
        self.terminal = terminal
        self.here = os.path.realpath(args.project or os.getcwd())
        found = project_root.find(self.here)
        self.root = found.root or self.here
        self.is_set_up = found.is_set_up
        self.trash = Trash(self.root, clock=wall_clock)

    def record(self, event: str, **data: Any) -> None:
        if self.is_set_up:
            log = Project(self.root, is_set_up=True).log
            log.append({"event": event, "session": os.environ.get(_SESSION, ""), "data": data})

    def shown(self, path: str) -> str:
        """The shortest form of a path, safe for a terminal."""
        below = os.path.relpath(path, self.here)
        return one_line(path if below.startswith("..") else below, 200)


def _move(run: _Run, words: list[str]) -> int:
    """Move each path separately: one that is refused does not affect the others."""
    ground = trash_rules.trash_ground(run.root)
    by = _who(os.environ)
    moved, refused = [], []
    for word in words:
        path = trash_rules.real_path(word, run.here)
        try:
            trash_rules.require_movable(path, ground)
            entry = run.trash.move(path, by=by)
        except EdgeError as error:
            refused.append((word, error))
            continue
        moved.append(entry)
        run.record("trashed", id=entry.id, path=entry.path, files=entry.files, bytes=entry.size)
    lines = [f"moved to the trash: {run.shown(each.path)} ({_amount(each)})" for each in moved]
    if moved:
        ids = " ".join(str(each.id) for each in moved)
        lines.append(f"to restore {'it' if len(moved) == 1 else 'them'}: edge trash restore {ids}")
    lines += [f"not moved: {error.message}; {error.hint}" for _, error in refused]
    data = {
        "moved": [each._asdict() for each in moved],
        "refused": [{"path": word, "why": e.message, "hint": e.hint} for word, e in refused],
    }
    run.terminal.show(data, "\n".join(map(_plain, lines)), ok=not refused)
    return 1 if refused else 0


def _who(env: Mapping[str, str]) -> str:
    if env.get(_SESSION):
        return f"agent {env[_SESSION][:40]}"
    return "an agent" if any(env.get(mark) for mark in AGENT_MARKS) else person_name()


def _list(run: _Run, _words: list[str]) -> int:
    found = run.trash.entries()
    lines = [
        f"{each.id:>4}  {each.time[:16].replace('T', ' ')}  {_amount(each):>22}  {run.shown(each.path)}"
        for each in found
    ]
    if found:
        lines.append(f"{amount(sum(each.size for each in found))} in all")
    run.terminal.show([each._asdict() for each in found], "\n".join(lines) or "the trash is empty")
    return 0


def _restore(run: _Run, words: list[str]) -> int:
    if not words:
        raise UsageError("which one?", hint="edge trash list")
    bad = [word for word in words if not (word.isascii() and word.isdigit())]
    if bad:
        raise UsageError(f"{bad[0]!r} is not an item's number", hint="edge trash list")
    ground = trash_rules.trash_ground(run.root)
    back = []
    for number in map(int, words):
        entry = run.trash.entry(number)
        target = _target(run, entry)
        trash_rules.require_free(target, ground)
        run.trash.restore(number, target)
        run.record("trash_restored", id=number, path=target)
        back.append((number, target))
    data = [{"id": number, "path": path} for number, path in back]
    run.terminal.show(data, "\n".join(f"restored {run.shown(path)}" for _, path in back))
    return 0


def _target(run: _Run, entry: Entry) -> str:
    """The original path, or ``--to``; an existing folder gets it under its own name, as with mv."""
    if run.args.to is None:
        return trash_rules.real_path(entry.path, run.here)
    target = trash_rules.real_path(run.args.to, run.here)
    if os.path.isdir(target):
        return os.path.join(os.path.realpath(target), os.path.basename(entry.path))
    return target


def _empty(run: _Run, _words: list[str]) -> int:
    require_person("trash empty", run.root if run.is_set_up else None)
    days = run.args.older_than
    gone = run.trash.empty(before=None if days is None else wall_clock() - timedelta(days=days))
    size = sum(each.size for each in gone)
    if gone:
        run.record("trash_emptied", ids=[each.id for each in gone], bytes=size)
    text = f"deleted for good: {many(len(gone), 'thing')}, {amount(size)}"
    run.terminal.show([each._asdict() for each in gone], text if gone else "nothing to delete")
    return 0


_VERBS = {"move": _move, "list": _list, "restore": _restore, "empty": _empty}


def _amount(entry: Entry) -> str:
    if entry.kind == "folder":
        return f"{many(entry.files, 'file')}, {amount(entry.size)}"
    return "a link" if entry.kind == "link" else amount(entry.size)


def _plain(line: str) -> str:
    return one_line(line, 400)
