"""``edge history|diff|restore``: the stored valid versions of the state file, and restoring one."""

from __future__ import annotations

import os
import re

from operators_edge.cli import person
from operators_edge.cli.command import DRY_RUN, Answer, Args, arg, command
from operators_edge.cli.layout import columns, diff_lines, table
from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.locations import PROOF_DIR
from operators_edge.project import Project, wall_clock
from operators_edge.state import transaction
from operators_edge.text.timestamps import ago
from operators_edge.text.wording import amount, many, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from operators_edge.cli.terminal import Terminal
    from operators_edge.state.history import Version
    from operators_edge.state.store import StateStore

_OBJECTIVE_WIDTH = 32
"""What is left of 80 columns behind number, time, size and the count of changed lines."""

_SHOWN_LINES = 60
_WHICH = "its number in `edge history`, or how its id begins"


def _project(args: Args) -> Project:
    """The project, even if its state file was deleted: then its history is needed most."""
    root = args.location.root or _above(os.getcwd())
    if root and _has_history(root):
        return Project(root, is_set_up=True)
    return args.project


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
    if re.fullmatch(r"[0-9]{1,2}", which):
        found = ids[int(which) - 1 : int(which)]
    else:
        found = [each for each in ids if which and each.startswith(which)]
    if len(found) != 1:
        kept = f"is not one of the {many(len(ids), 'version')} kept"
        problem = "names several versions" if found else kept
        raise UsageError(f"{which!r} {problem}", hint="edge history")
    return found[0]


@command("history list", about="list the kept versions", is_alone=True)
def _history(args: Args) -> Answer:
    store = _project(args).state
    data, rows, now = [], [], wall_clock()
    for number, each in enumerate(store.history(), 1):
        is_now = not store.differs(each.id)
        added, removed = store.changed_lines(each.id)
        changed = "as now" if is_now else f"+{added} -{removed}"
        rows.append(_row(number, each, changed, now))
        data.append({"number": number, **each._asdict(), "is_as_now": is_now})
    lines = list(table(args.terminal, rows, right=(0, 2)))
    lines += [f"damaged, kept by a restore: {path}" for path in store.damaged()]
    if data:
        lines.append(
            "edge history diff N shows what changed since, edge history restore N restores it"
        )
    return Answer(data, lines or "no version stored yet")


def _row(number: int, version: Version, changed: str, now: datetime) -> tuple[str, ...]:
    when = ago(version.time, now)
    objective = one_line(version.objective or "no objective", _OBJECTIVE_WIDTH)
    return str(number), when, amount(version.size), changed, objective


@command(
    "history diff",
    arg("[ID]", f"{_WHICH}; default: the newest that differs"),
    about="show what changed since a version",
    example="2",
)
def _diff(args: Args) -> Answer:
    store = _project(args).state
    version = _numbered(store, args.id) if args.id else _before_now(store)
    text = store.diff(version)
    width = columns() if args.terminal.out.isatty() else 0
    lines = diff_lines(args.terminal, text, width) or "nothing changed"
    return Answer({"id": version, "diff": text}, lines)


def _before_now(store: StateStore) -> str:
    """The newest version that differs from the current text, ignoring the machine block."""
    for each in store.history():
        if store.differs(each.id):
            return each.id
    raise AnswerIsNo("no stored version differs from the current one", hint="edge history")


@command(
    "history restore",
    arg("ID", _WHICH),
    DRY_RUN,
    about="restore a version, without its approvals (people only)",
    example="2",
)
def _restore(args: Args) -> Answer:
    project = _project(args)
    if not args.dry_run:
        person.require_person(f"state restore {args.id}", project.root)
    version = _numbered(project.state, args.id)
    draft = project.state.restoring(version)
    data = {"id": version, "diff": draft.diff(), "damaged": None, "is_done": False}
    if not draft.is_changed():
        return Answer(data, "Nothing to do: the state has not changed since.")
    preview = diff_lines(args.terminal, str(data["diff"]), columns())
    if args.dry_run:
        return Answer(data, [*preview, "Nothing was changed (--dry-run)."])
    if not _confirmed(preview, args.terminal):
        return Answer(data, "Nothing was changed.", ok=False)
    aside = transaction.restore(project, version, by="a person at a terminal")
    text = f"Restored {version}. Approvals and the pending decision are as they were."
    if aside:
        text += f"\nThe damaged file is kept as {aside}"
    return Answer({**data, "damaged": aside or None, "is_done": True}, text)


def _confirmed(preview: list[str], terminal: Terminal) -> bool:
    terminal.aside("\n".join(preview[:_SHOWN_LINES]))
    if len(preview) > _SHOWN_LINES:
        left = many(len(preview) - _SHOWN_LINES, "line")
        terminal.aside(f"… and {left} more: edge history restore ID --dry-run")
    return person.confirm("Restore this version?")


# end of module
