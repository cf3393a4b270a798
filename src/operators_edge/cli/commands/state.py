"""``edge state history|diff|restore``: the stored valid versions of the state file, and restoring one."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

from operators_edge.cli.options import common, opened
from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.locations import PROOF_DIR
from operators_edge.system import project_root
from operators_edge.text.wording import amount, cut, many, one_line

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal
    from operators_edge.project import Project
    from operators_edge.state.history import Version
    from operators_edge.state.store import StateStore

_OBJECTIVE_WIDTH = 32
"""What is left of 80 columns behind number, time, size and the count of changed lines."""

_SHOWN_LINES = 60
_WHICH = "its number in `edge state history`, or how its id begins"


def register(nouns: Any) -> None:
    parser = nouns.add_parser("state", epilog="edge state history")
    verbs = parser.add_subparsers(dest="verb", required=True)
    history = verbs.add_parser(
        "history", parents=[common()], help="list the kept versions", epilog="edge state history"
    )
    history.set_defaults(run=_history)
    diff = verbs.add_parser(
        "diff",
        parents=[common()],
        help="show what changed since a version",
        epilog="edge state diff 2",
    )
    diff.add_argument("id", nargs="?", help=f"{_WHICH}; default: the newest that differs")
    diff.set_defaults(run=_diff)
    restore = verbs.add_parser(
        "restore",
        parents=[common()],
        help="restore a version, without its approvals (people only)",
        epilog="edge state restore 2",
    )
    restore.add_argument("id", help=_WHICH)
    restore.add_argument("--dry-run", action="store_true", help="show the changes, change nothing")
    restore.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    restore.set_defaults(run=_restore)


def _project(args: argparse.Namespace) -> Project:
    """The project, even if its state file was deleted: then its history is needed most."""
    found = project_root.named(args.project) if args.project else project_root.find(os.getcwd())
    root = found.root or _above(os.getcwd())
    if root and _has_history(root):
        from operators_edge.project import Project  # noqa: PLC0415 - not every command opens one

        return Project(root, is_set_up=True)
    return opened(args)


def _above(folder: str) -> str:
    """The nearest folder with stored versions of a state file; "" if there is none."""
    while not _has_history(folder):
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above
    return os.path.realpath(folder)


def _has_history(root: str) -> bool:
    return os.path.isdir(os.path.join(root, PROOF_DIR, "history"))


def _numbered(store: StateStore, which: str) -> str:
    """The version's id, from its number in the list or the beginning of its id."""
    ids = [each.id for each in store.history()]
    if which.isascii() and which.isdigit() and len(which) <= 2:
        if not 1 <= int(which) <= len(ids):
            kept = f"{many(len(ids), 'version')} {'is' if len(ids) == 1 else 'are'} kept"
            raise UsageError(f"there is no version {which}: {kept}", hint="edge state history")
        return ids[int(which) - 1]
    matching = [each for each in ids if each.startswith(which)] if which else []
    if len(matching) != 1:
        problem = "names several versions" if matching else "is not a version"
        raise UsageError(f"{which!r} {problem}", hint="edge state history")
    return matching[0]


def _history(args: argparse.Namespace, terminal: Terminal) -> int:
    store = _project(args).state
    versions = store.history()
    changed = [_changed_lines(store.diff(each.id)) for each in versions]
    now = [not store.differs(each.id) for each in versions]
    damaged = store.damaged()
    data = [
        {
            "number": number,
            "id": each.id,
            "time": each.time,
            "size": each.size,
            "objective": each.objective,
            "is_as_now": is_now,
        }
        for number, (each, is_now) in enumerate(zip(versions, now, strict=True), 1)
    ]
    lines = [
        _line(number, each, "as now" if is_now else counts)
        for number, (each, counts, is_now) in enumerate(zip(versions, changed, now, strict=True), 1)
    ]
    lines += [f"damaged, put aside by a restore: {path}" for path in damaged]
    if versions:
        lines.append("edge state diff N shows what changed since, edge state restore N restores it")
    terminal.show(data, "\n".join(lines) or "no version stored yet")
    return 0


def _line(number: int, version: Version, changed: str) -> str:
    when = version.time[:19].replace("T", " ")
    objective = one_line(version.objective or "no objective", _OBJECTIVE_WIDTH)
    return f"{number:>2}  {when}  {amount(version.size):>10}  {changed:<9} {objective}".rstrip()


def _changed_lines(diff: str) -> str:
    body = [line for line in diff.splitlines() if not line.startswith(("---", "+++"))]
    added, removed = (sum(line.startswith(sign) for line in body) for sign in "+-")
    return f"+{added} -{removed}"


def _diff(args: argparse.Namespace, terminal: Terminal) -> int:
    store = _project(args).state
    version = _numbered(store, args.id) if args.id else _before_now(store)
    text = store.diff(version)
    width = shutil.get_terminal_size().columns if terminal.out.isatty() else 0
    shown = "\n".join(_painted(text, terminal, width=width)) or "nothing changed"
    terminal.show({"id": version, "diff": text}, shown)
    return 0


def _painted(diff: str, terminal: Terminal, *, width: int = 0) -> list[str]:
    """The diff's lines, coloured for a terminal, and cut to its width: edge's own lines are long."""
    colours = {"+": "green", "-": "red", "@": "cyan"}
    lines = []
    for whole in diff.splitlines():
        line = cut(whole, width) if width else whole
        style = "bold" if line.startswith(("---", "+++")) else colours.get(line[:1])
        lines.append(terminal.paint(line, style) if style else line)
    return lines


def _before_now(store: StateStore) -> str:
    """The newest version that differs from the current text, ignoring the machine block."""
    for each in store.history():
        if store.differs(each.id):
            return each.id
    raise AnswerIsNo("no stored version differs from the current one", hint="edge state history")


def _restore(args: argparse.Namespace, terminal: Terminal) -> int:
    project = _project(args)
    if not args.dry_run:
        from operators_edge.cli.person import require_person  # noqa: PLC0415 - not for a dry run

        require_person(f"state restore {args.id}", project.root)
    version = _numbered(project.state, args.id)
    draft = project.state.restoring(version)
    data = {"id": version, "diff": draft.diff(), "damaged": None, "is_done": False}
    if not draft.is_changed():
        terminal.show(data, "Nothing to do: the state has not changed since.")
        return 0
    preview = _painted(str(data["diff"]), terminal, width=shutil.get_terminal_size().columns)
    if args.dry_run:
        terminal.show(data, "\n".join([*preview, "Nothing was changed (--dry-run)."]))
        return 0
    if not args.yes and not _confirmed(preview, terminal):
        terminal.show(data, "Nothing was changed.")
        return AnswerIsNo.exit_code
    aside = project.restore(version, by="a person at a terminal")
    text = f"Restored {version}. Approvals and the pending decision are as they were."
    if aside:
        text += f"\nThe damaged file is kept as {aside}"
    terminal.show({**data, "damaged": aside or None, "is_done": True}, text)
    return 0


def _confirmed(preview: list[str], terminal: Terminal) -> bool:
    from operators_edge.cli.person import confirm  # noqa: PLC0415 - where a person is asked

    terminal.aside("\n".join(preview[:_SHOWN_LINES]))
    if len(preview) > _SHOWN_LINES:
        left = many(len(preview) - _SHOWN_LINES, "line")
        terminal.aside(f"… and {left} more: edge state restore ID --dry-run")
    return confirm("Put this version back?")
