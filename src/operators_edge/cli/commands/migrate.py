"""``edge migrate``: convert a project of an older version to one state file, phase by phase."""

from __future__ import annotations

import os

from operators_edge.cli.command import DRY_RUN, Answer, Args, arg, command
from operators_edge.cli.person import confirm, require_person
from operators_edge.errors import AnswerIsNo, StateDamaged
from operators_edge.gate.facts import home
from operators_edge.hosts.claude import settings_files
from operators_edge.migration import (
    legacy_settings,
    migrate,
    verify as migration_verify,
)
from operators_edge.text.wording import many, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from operators_edge.migration.migrate import Difference, LegacyFiles, Outcome
    from operators_edge.project import Project

Settings = list[tuple[str, bytes, bytes]]

_WIDTH = 60


@command(
    "migrate",
    [
        arg(f"--{name}", about, dest="phase", action="store_const", const=name)
        for name, about in (
            ("shadow", "compare old and new, log the differences; change nothing else"),
            ("apply", "move everything into the state file; keep old files as .bak (people only)"),
            ("cleanup", "remove old hooks, their settings entries and .bak files (people only)"),
            ("check", "check that the migration is complete; exit code 1 if not"),
        )
    ],
    DRY_RUN,
    arg("--skip FILE...", "leave this side file out, even if it is damaged; repeatable"),
    example="  (shows the progress and the next step)",
)
def _migrate(args: Args) -> Answer:
    project = args.project
    phases = {"shadow": _shadow, "apply": _apply, "cleanup": _cleanup, "check": _check}
    return phases.get(args.phase, _progress)(args, project, migrate.detect(project.root))


# -- where it stands -------------------------------------------------------------------------------


def _progress(_args: Args, project: Project, found: LegacyFiles) -> Answer:
    outcome = migrate.preview(project, found)
    moves, settings, _ = _to_clean(project, found)
    is_to_apply = not outcome.is_empty or bool(found.log)
    is_to_clean = bool(moves or settings)
    following = "--apply" if is_to_apply else "--cleanup" if is_to_clean else "--check"
    lines = ["There is nothing to migrate: no files of an older version are here."]
    if is_to_apply:
        keys, files = len(outcome.differences), len(outcome.moved) + (found.log == "link")
        lines = [
            "--shadow   run at any time; logs what --apply would change",
            f"--apply    changes {many(keys, 'key')} of the state, moves {many(files, 'file')}",
        ]
    elif is_to_clean:
        lines = ["--apply    done: one state file"]
    if is_to_clean:
        lines.append(f"--cleanup  removes {_removed(moves, settings)}")
    lines += [f"damaged: {each}" for each in found.problems]
    lines += [f"note: {found.blocked}"] if found.blocked else []
    data = {
        "next": following,
        "is_to_apply": is_to_apply,
        "is_to_clean": is_to_clean,
        "problems": list(found.problems),
        "blocked": found.blocked,
    }
    has_more = is_to_apply or is_to_clean or found.problems
    return Answer(data, [*lines, *([f"Next: edge migrate {following}"] if has_more else [])])


def _removed(moves: Sequence[Any], settings: Settings) -> str:
    files = ", ".join(os.path.basename(each[0]) for each in settings)
    parts = [many(len(moves), "file")] if moves else []
    return " and ".join([*parts, *([f"entries in {files}"] if settings else [])])


# -- shadow and apply ------------------------------------------------------------------------------


def _shadow(args: Args, project: Project, found: LegacyFiles) -> Answer:
    run = migrate.preview if args.dry_run else migrate.shadow
    outcome = run(project, found, args.skip)
    lines = _outcome_lines(outcome, found, would=True)
    if outcome.is_logged:
        lines.append("Logged as migration_shadow; nothing else changed.")
    elif not outcome.is_empty:
        lines.append("Nothing was changed.")
    return Answer(_outcome_data(outcome, found), lines)


def _apply(args: Args, project: Project, found: LegacyFiles) -> Answer:
    if args.dry_run:
        outcome = migrate.preview(project, found, args.skip)
        lines = [*_outcome_lines(outcome, found, would=True), "Nothing was changed (--dry-run)."]
        return Answer(_outcome_data(outcome, found), lines)
    require_person("migrate --apply", project.root)
    outcome = migrate.apply(project, found, args.skip)
    lines = _outcome_lines(outcome, found, would=False)
    if not outcome.is_empty or found.log:
        lines.append("Done. The previous file is in `edge history`.")
        lines.append("next: edge migrate")
    return Answer(_outcome_data(outcome, found), lines)


def _outcome_lines(outcome: Outcome, found: LegacyFiles, *, would: bool) -> list[str]:
    if outcome.is_empty and not found.log:
        return ["Nothing of an older version is left to migrate."]
    lines = [_difference(each) for each in outcome.differences]
    verb = "would move" if would else "moved"
    lines += [f"{verb}  {old}  ->  {new}" for old, new in outcome.moved]
    verb = "would copy" if would else "copied"
    lines += [f"{verb}  the unchanged state file  ->  {each}" for each in outcome.written]
    lines += [f"not carried over  {each}" for each in outcome.dropped]
    lines += [f"note  {each}" for each in outcome.notes]
    lines += [f"damaged  {each}" for each in found.problems]
    return lines


def _difference(change: Difference) -> str:
    source = f"  (from {change.source})" if change.source not in ("", change.key) else ""
    return f"{change.key}: {_short(change.before)} -> {_short(change.after)}{source}"


def _short(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, list):
        return many(len(value), "entry")
    if isinstance(value, dict):
        text = ", ".join(f"{key} {_plain(each)}" for key, each in value.items())
        return one_line(text, _WIDTH)
    return one_line(_plain(value), _WIDTH)


def _plain(value: Any) -> str:
    if isinstance(value, (list, dict)):
        return f"({len(value)})"
    return "nothing" if value is None else str(value)


def _outcome_data(outcome: Outcome, found: LegacyFiles) -> dict[str, Any]:
    return {
        "changes": [each._asdict() for each in outcome.differences],
        "moved": [list(pair) for pair in outcome.moved],
        "not_carried": list(outcome.dropped),
        "notes": list(outcome.notes),
        "problems": list(found.problems),
        "is_logged": outcome.is_logged,
    }


# -- cleanup ---------------------------------------------------------------------------------------


def _to_clean(
    project: Project, found: LegacyFiles
) -> tuple[tuple[tuple[str, str], ...], Settings, list[str]]:
    """The files and settings to clean, and what a person should know."""
    moves = migrate.cleanup_moves(project.root, found)
    settings: Settings = []
    notes = list(found.kept_hooks)
    for path in legacy_settings.editable_paths(project.root):
        try:
            cut = legacy_settings.without_entries(project.root, path)
        except StateDamaged as error:
            notes.append(f"{error.message}: its entries remain")
            continue
        if cut is not None:
            settings.append((os.path.relpath(path, project.root).replace(os.sep, "/"), *cut))
    return moves, settings, notes


def _cleanup(args: Args, project: Project, found: LegacyFiles) -> Answer:
    if not args.dry_run:
        require_person("migrate --cleanup", project.root)
    if found.sides and not args.dry_run:
        names = ", ".join(each.path for each in found.sides)
        raise AnswerIsNo(
            f"not everything is carried over yet: {names}", hint="edge migrate --apply"
        )
    if found.blocked and not args.dry_run:
        raise AnswerIsNo(
            found.blocked, hint="Replace the link with the folder itself: its target may be shared."
        )
    moves, settings, notes = _to_clean(project, found)
    lines = [f"{old}  ->  {new}" for old, new in moves]
    lines += [f"{path}: {_events(project, path)}" for path, _, _ in settings]
    lines += [f"note  {each}" for each in notes]
    is_done = False
    is_refused = False
    if not moves and not settings:
        lines.append("Nothing of an older version is left to remove.")
    elif args.dry_run:
        lines.append("Nothing was changed (--dry-run).")
    else:
        is_done = args.says_yes or _confirmed(args, lines)
        is_refused = not is_done
        lines = ["Nothing was changed."]
        if is_done:
            migrate.cleanup(project, moves, settings)
            lines = _ending(project, moves, settings)
    data = {
        "moved": [list(pair) for pair in moves],
        "settings": [each[0] for each in settings],
        "notes": notes,
        "is_done": is_done,
    }
    return Answer(data, lines, ok=not is_refused)


def _events(project: Project, path: str) -> str:
    full = os.path.join(project.root, *path.split("/"))
    found = [e for e in legacy_settings.entries(project.root, "") if e.path == full]
    listed = ", ".join(dict.fromkeys(f"{each.event} ({each.file})" for each in found))
    return f"no longer runs {listed}"


def _confirmed(args: Args, lines: list[str]) -> bool:
    args.terminal.aside("\n".join(lines))
    return confirm("Remove these?")


def _ending(project: Project, moves: Sequence[Any], settings: Settings) -> list[str]:
    lines = [f"Removed: {_removed(moves, settings)}."]
    lines.append(f"They are in {migrate.LEGACY_DIR}; delete that folder when you are sure.")
    if not settings_files.wired(settings_files.settings_of(project.root, home(os.environ))):
        lines.append("No hooks guard this project now: edge init")
    elif any(each[0].endswith("/edge.md") for each in moves):
        lines.append("The old /edge command is removed: edge init writes the new one.")
    lines.append("next: edge migrate --check")
    return lines


# -- check -----------------------------------------------------------------------------------------


def _check(args: Args, project: Project, _found: LegacyFiles) -> Answer:
    checks = migration_verify.checks(project, home(os.environ))
    is_well = all(each.is_well for each in checks)
    lines = []
    for each in checks:
        mark, colour = ("ok  ", "green") if each.is_well else ("MISSING", "red")
        lines.append(f"{args.terminal.paint(mark, colour)} {each.name}: {each.what}")
        if each.run:
            lines.append(f"     run: {each.run}")
    if is_well:
        lines.append("The migration is complete.")
    return Answer([each._asdict() for each in checks], lines, ok=is_well)


# end of module
