"""``edge purge``: remove a project's data permanently, all of it or what is old. A person only."""

from __future__ import annotations

import os

from operators_edge.bridge.branches import branches_of
from operators_edge.cli.command import DRY_RUN, Answer, Args, arg, command
from operators_edge.cli.person import confirm, require_person
from operators_edge.datetimes import timedelta
from operators_edge.errors import AnswerIsNo, NotSetUp, UsageError
from operators_edge.hosts.claude import environment as claude_environment, settings_files
from operators_edge.hosts.claude.install import Installation
from operators_edge.locations import known_home
from operators_edge.project import Project, wall_clock
from operators_edge.sessions import decisions, purge_service
from operators_edge.storage import purges, wake
from operators_edge.text.wording import amount, columns, many, one_line, screen_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.sessions.purge_service import Item

MIN_DAYS = 1


@command(
    "purge",
    arg("--older-than DAYS", "only what is older; the log keeps a signed note", type=int),
    DRY_RUN,
    description="Remove what the product keeps of this project: state, log, archive, tasks, trash, "
    "snapshots, grants. It shows first what that is. Nothing can be restored. After edge uninstall, "
    "or with --older-than.",
    example="--older-than 90",
)
def _purge(args: Args) -> Answer:
    root = args.location.root
    if root is None:
        raise NotSetUp(f"there is no project here: {args.location.reason}", hint="edge purge")
    if not args.dry_run:
        require_person("purge", root if args.location.is_set_up else None)
        if purge_service.finish_interrupted(root, os.environ):
            return Answer({"is_written": True, "items": []}, "An interrupted purge was finished.")
    return _old(args) if args.older_than is not None else _all(args, root)


def _all(args: Args, root: str) -> Answer:
    items = purge_service.everything(root, os.environ)
    if not items:
        return Answer({"is_written": False, "items": []}, f"Nothing is kept of {root}.")
    lines = kept_and_removed(root, items)
    if args.dry_run:
        first = ["First: edge uninstall."] if _own_hooks(root) else []
        return _answer(items, [*lines, *first, "Nothing was removed (--dry-run)."])
    _require_unused(root)
    _confirm(lines)
    return _answer(items, [remove_all(args, root, items)], is_written=True)


def remove_all(args: Args, root: str, items: list[Item]) -> str:
    """Remove everything that is kept of a project, as a person said; returns what there was."""
    if args.location.is_set_up:
        purge_service.require_no_session(Project(root, is_set_up=True))
    entries = 0
    if args.location.is_set_up:
        entries = Project(root, is_set_up=True).log.count()
    now = wall_clock().isoformat()
    purge_service.remove_everything(
        root, items, os.environ, by=decisions.person_name(), at=now, entries=entries
    )
    _stop_ignoring(root)
    note = purges.note_path(root, os.environ)
    return f"Removed permanently: {_sum(items)}.\nA signed note explains that it is gone: {note}"


def kept_and_removed(root: str, items: list[Item]) -> list[str]:
    """A line for each part that goes, and for each that stays."""
    return _lines(items, _kept(root))


def _kept(root: str) -> list[str]:
    """What stays, and how a person removes it."""
    kept = [name for name in purge_service.KEPT if os.path.lexists(os.path.join(root, name))]
    kept += [f"{name}, with commits of a task: git branch -D {name}" for name in branches_of(root)]
    settings = wake.settings_path()
    if settings and os.path.exists(settings):
        kept.append(f"{settings}, for all your projects: edge notify remove N")
    return kept


def _stop_ignoring(root: str) -> None:
    """Take our lines out of git's exclude file: ``edge uninstall`` left them as long as there was data."""
    exclude = claude_environment.exclude_file(root)
    here = Installation("local", root, home=known_home(os.environ), env=os.environ)
    plan = here.plan_removal(exclude)
    plan.changes = [each for each in plan.changes if each.kind == "exclude"]
    here.remove(plan)


def _require_unused(root: str) -> None:
    """The hooks would write a new record, and report the old one as missing."""
    if own := _own_hooks(root):
        raise AnswerIsNo(
            f"the hooks are still installed ({', '.join(own)})",
            hint="edge uninstall --purge",
        )


def _own_hooks(root: str) -> list[str]:
    """The scopes of this project whose settings have the hooks."""
    wired = settings_files.wired(settings_files.settings_of(root, known_home(os.environ)))
    return sorted(wired.keys() - {"user"})


def _old(args: Args) -> Answer:
    days = args.older_than
    if days < MIN_DAYS:
        raise UsageError(f"--older-than takes days, at least 1, not {days}", hint="edge purge")
    project, before = args.project, wall_clock() - timedelta(days=days)
    old = purge_service.older(project, before)
    lines = _lines(old.items, [])
    if old.kept_for:
        lines.append(f"kept     older entries of the log that {old.kept_for} needs")
    if not old.items:
        return _answer([], [f"Nothing is older than {many(days, 'day')}.", *lines])
    if args.dry_run:
        return _answer(old.items, [*lines, "Nothing was removed (--dry-run)."])
    _confirm(lines)
    purge_service.remove_older(project, old, before, by=decisions.person_name(), days=days)
    return _answer(old.items, [f"Removed permanently: {_sum(old.items)}."], is_written=True)


def _confirm(lines: list[str]) -> None:
    text = "\n".join(lines)
    if not confirm(f"{text}\nNone of it can be restored. Remove it permanently?"):
        raise AnswerIsNo("nothing was removed", hint="edge purge --dry-run")


def _lines(items: list[Item], kept: list[str]) -> list[str]:
    shown = [line for each in items for line in _line(each)]
    return [*shown, *(f"kept     {name}" for name in kept)]


def _line(item: Item) -> list[str]:
    """What goes and where it lies; a long path on a line of its own."""
    what, path = f"removes  {item.what}: {_amount(item)}", one_line(item.path, 200)
    fits = columns(what) + columns(path) + 2 <= screen_width()
    return [f"{what}  {path}"] if fits else [what, f"         {path}"]


def _amount(item: Item) -> str:
    is_entries = item.what.startswith("entries") or not item.size
    count = many(item.number, "entry") if is_entries else many(item.number, "file")
    return f"{count}, {amount(item.size)}" if item.size else count


def _sum(items: list[Item]) -> str:
    return f"{many(len(items), 'part')}, {amount(sum(each.size for each in items))}"


def _answer(items: list[Item], lines: list[str], *, is_written: bool = False) -> Answer:
    data = {"is_written": is_written, "items": [each._asdict() for each in items]}
    return Answer(data, lines)


# end of module
