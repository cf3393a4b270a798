"""``edge migrate``: convert a project of an older version to one state file, phase by phase."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from operators_edge.cli.options import common, opened
from operators_edge.cli.person import confirm, require_person
from operators_edge.errors import AnswerIsNo, StateDamaged
from operators_edge.gate.facts import home
from operators_edge.hosts.claude import settings_guard
from operators_edge.migration import (
    legacy_settings,
    migrate,
    verify as migration_verify,
)
from operators_edge.text.wording import many, one_line

if TYPE_CHECKING:
    import argparse

    from operators_edge.cli.terminal import Terminal
    from operators_edge.migration.migrate import Difference, LegacyFiles, Outcome
    from operators_edge.project import Project

Settings = list[tuple[str, bytes, bytes]]

_WIDTH = 60


def register(nouns: Any) -> None:
    parser = nouns.add_parser(
        "migrate",
        parents=[common()],
        epilog="edge migrate   (shows the progress and the next step)",
    )
    phase = parser.add_mutually_exclusive_group()
    for name, text in (
        ("shadow", "compare old and new, log the differences; change nothing else"),
        ("apply", "move everything into the state file; keep old files as .bak (people only)"),
        ("cleanup", "remove old hooks, their settings entries and .bak files (people only)"),
        ("check", "check that the migration is complete; exit code 1 if not"),
    ):
        phase.add_argument(f"--{name}", dest="phase", action="store_const", const=name, help=text)
    parser.add_argument("--dry-run", action="store_true", help="show the changes, change nothing")
    parser.add_argument(
        "--skip",
        metavar="FILE",
        action="append",
        default=[],
        help="leave this side file out, even if it is damaged; repeatable",
    )
    parser.add_argument(
        "--yes", action="store_true", help="do not ask for confirmation (with --cleanup)"
    )
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace, terminal: Terminal) -> int:
    project = opened(args)
    found = migrate.detect(project.root)
    if args.phase == "check":
        return _check(project, terminal)
    if args.phase == "cleanup":
        return _cleanup(args, project, found, terminal)
    if args.phase == "apply":
        return _apply(args, project, found, terminal)
    if args.phase == "shadow":
        return _shadow(args, project, found, terminal)
    return _standing(project, found, terminal)


# -- where it stands -------------------------------------------------------------------------------


def _standing(project: Project, found: LegacyFiles, terminal: Terminal) -> int:
    outcome = migrate.preview(project, found)
    moves, settings, _ = _to_clean(project, found)
    is_to_apply = not outcome.is_empty or bool(found.log)
    is_to_clean = bool(moves or settings)
    following = "--apply" if is_to_apply else "--cleanup" if is_to_clean else "--check"
    shadow = "run at any time; logs what --apply would change"
    rows = [
        ("--shadow", shadow if is_to_apply else "nothing to compare"),
        ("--apply", _to_apply_text(outcome, found) if is_to_apply else "done: one state file"),
        ("--cleanup", _to_clean_text(moves, settings) if is_to_clean else "nothing to remove"),
    ]
    lines = [f"{name:10} {text}" for name, text in rows]
    lines += [f"damaged: {each}" for each in found.problems]
    lines += [f"note: {found.blocked}"] if found.blocked else []
    if not is_to_apply and not is_to_clean:
        lines = ["Nothing of an older version is left here."]
    lines.append(f"next: edge migrate {following}")
    data = {
        "next": following,
        "is_to_apply": is_to_apply,
        "is_to_clean": is_to_clean,
        "problems": list(found.problems),
        "blocked": found.blocked,
    }
    terminal.show(data, "\n".join(lines))
    return 0


def _to_apply_text(outcome: Outcome, found: LegacyFiles) -> str:
    parts = []
    if outcome.differences:
        parts.append(many(len(outcome.differences), "key") + " of the state change")
    if outcome.moved or found.log == "link":
        parts.append(many(len(outcome.moved) + (found.log == "link"), "file") + " move")
    return ", ".join(parts)


def _to_clean_text(moves: Any, settings: Settings) -> str:
    parts = [many(len(moves), "file")] if moves else []
    parts += (
        [f"entries in {', '.join(os.path.basename(each[0]) for each in settings)}"]
        if settings
        else []
    )
    return " and ".join(parts)


# -- shadow and apply ------------------------------------------------------------------------------


def _shadow(
    args: argparse.Namespace, project: Project, found: LegacyFiles, terminal: Terminal
) -> int:
    run = migrate.preview if args.dry_run else migrate.shadow
    outcome = run(project, found, args.skip)
    lines = _outcome_lines(outcome, found, would=True)
    if outcome.is_logged:
        lines.append("Logged as migration_shadow; nothing else changed.")
    elif not outcome.is_empty:
        lines.append("Nothing was changed.")
    terminal.show(_outcome_data(outcome, found), "\n".join(lines))
    return 0


def _apply(
    args: argparse.Namespace, project: Project, found: LegacyFiles, terminal: Terminal
) -> int:
    if args.dry_run:
        outcome = migrate.preview(project, found, args.skip)
        lines = [*_outcome_lines(outcome, found, would=True), "Nothing was changed (--dry-run)."]
        terminal.show(_outcome_data(outcome, found), "\n".join(lines))
        return 0

    require_person("migrate --apply", project.root)
    outcome = migrate.apply(project, found, args.skip)
    lines = _outcome_lines(outcome, found, would=False)
    if not outcome.is_empty or found.log:
        lines.append("Done. The previous file is in `edge state history`.")
        lines.append("next: edge migrate")
    terminal.show(_outcome_data(outcome, found), "\n".join(lines))
    return 0


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


def _cleanup(
    args: argparse.Namespace, project: Project, found: LegacyFiles, terminal: Terminal
) -> int:
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
    is_done, code = False, 0
    if not moves and not settings:
        lines.append("Nothing of an older version is left to remove.")
    elif args.dry_run:
        lines.append("Nothing was changed (--dry-run).")
    else:
        is_done = _confirmed(args, terminal, lines)
        if is_done:
            migrate.cleanup(project, moves, settings)
        else:
            code = AnswerIsNo.exit_code
        lines = _ending(project, moves, settings, is_done=is_done)
    data = {
        "moved": [list(pair) for pair in moves],
        "settings": [each[0] for each in settings],
        "notes": notes,
        "is_done": is_done,
    }
    terminal.show(data, "\n".join(lines))
    return code


def _events(project: Project, path: str) -> str:
    full = os.path.join(project.root, *path.split("/"))
    found = [e for e in legacy_settings.entries(project.root, "") if e.path == full]
    listed = ", ".join(dict.fromkeys(f"{each.event} ({each.file})" for each in found))
    return f"no longer runs {listed}"


def _confirmed(args: argparse.Namespace, terminal: Terminal, lines: list[str]) -> bool:
    if args.yes:
        return True

    terminal.aside("\n".join(lines))
    return confirm("Remove these?")


def _ending(project: Project, moves: Any, settings: Settings, *, is_done: bool) -> list[str]:
    if not is_done:
        return ["Nothing was changed."]
    lines = [f"Removed: {_to_clean_text(moves, settings)}."]
    lines.append(f"They are in {migrate.LEGACY_DIR}; delete that folder when you are sure.")
    if not settings_guard.wired(settings_guard.settings_of(project.root, home(os.environ))):
        lines.append("No hooks guard this project now: edge init")
    elif any(each[0].endswith("/edge.md") for each in moves):
        lines.append("The old /edge command is removed: edge init writes the new one.")
    lines.append("next: edge migrate --check")
    return lines


# -- check -----------------------------------------------------------------------------------------


def _check(project: Project, terminal: Terminal) -> int:
    checks = migration_verify.checks(project, home(os.environ))
    is_well = all(each.is_well for each in checks)
    lines = []
    for each in checks:
        mark = terminal.paint("ok  ", "green") if each.is_well else terminal.paint("MISSING", "red")
        lines.append(f"{mark} {each.name}: {each.what}")
        if each.run:
            lines.append(f"     run: {each.run}")
    if is_well:
        lines.append("The migration is complete.")
    terminal.show([each._asdict() for each in checks], "\n".join(lines), ok=is_well)
    return 0 if is_well else AnswerIsNo.exit_code
