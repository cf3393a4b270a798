"""``edge uninstall``: remove what ``edge init`` wrote, and keep the data."""

from __future__ import annotations

import glob
import os

from operators_edge.cli.command import DRY_RUN, Answer, Args, arg, command
from operators_edge.cli.commands.init import SCOPES, forget_unused_port, scope_home_root
from operators_edge.cli.commands.purge import kept_and_removed, remove_all
from operators_edge.cli.person import choose, is_at_terminal, require_person
from operators_edge.hosts import git_exclude
from operators_edge.hosts.claude import environment as claude_environment, settings_files
from operators_edge.hosts.claude.install import Installation
from operators_edge.integrity import service as integrity_service, store as integrity_store
from operators_edge.resident import control as resident_control, http_client
from operators_edge.sessions import purge_service
from operators_edge.text.markup import hanging_indent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.hosts.claude.install import Plan


@command(
    "uninstall",
    SCOPES,
    arg("--purge", "also remove what is kept of the project, permanently"),
    DRY_RUN,
    description="Remove what edge init wrote. At a terminal it asks whether to remove the data as well.",
    example="--dry-run",
)
def _uninstall(args: Args) -> Answer:
    env = os.environ
    scope, person_home, root = scope_home_root(args)
    if not args.dry_run:
        require_person("uninstall", root)
    here = Installation(scope, root, home=person_home, env=env)
    plan = here.plan_removal(claude_environment.exclude_file(root) if root is not None else None)
    is_ignored = bool(_kept(root)) and any(each.kind == "exclude" for each in plan.needed)
    if is_ignored:
        plan.changes = [each for each in plan.changes if each.kind != "exclude"]
    if not args.dry_run:
        had_port = here.port_url()
        here.remove(plan)
        if had_port and not http_client.has_live_client(env):  # a session that runs keeps the hooks
            forget_unused_port()
        settings = settings_files.settings_of(root, person_home)
        if root is not None and not settings_files.wired(settings):
            integrity_service.unguard(root)
        plan.notes += _stopped_resident(env)
    others = sorted(
        settings_files.wired(settings_files.settings_of(root, person_home)).keys() - {scope}
    )
    removed = [] if args.dry_run or root is None or others else _without_data(args, root)
    data_kept = _kept(root)
    if is_ignored and data_kept:
        plan.notes.append(
            "git still ignores what is kept. `edge purge` removes the data and these lines."
        )
    kept = [*data_kept, *_cache(here)]
    data = {
        "scope": scope,
        "root": root,
        "is_written": bool(plan.needed) and not args.dry_run,
        "changes": [
            {"path": each.path, "kind": each.kind, "is_removed": each.after is None}
            for each in plan.needed
        ],
        "notes": plan.notes,
        "kept": kept,
    }
    return Answer(data, [*_lines(args, plan, kept, others), *removed])


def _without_data(args: Args, root: str) -> list[str]:
    """Remove the data if the person wants it: asked once, and never answered by ``--yes`` alone."""
    items = purge_service.everything(root, os.environ)
    may_ask = is_at_terminal(args) and not args.terminal.json_wanted
    if not items or not (args.purge or (may_ask and not args.says_yes and not args.no_input)):
        return []
    question = "\n".join(
        [
            "",
            *kept_and_removed(root, items),
            "Remove this data as well? None of it can be restored.",
            "Type remove; Enter keeps it:",
        ]
    )
    if not (args.purge and args.says_yes) and choose(question, {"remove": "remove"}) != "remove":
        return ["The data is kept: edge purge removes it."]
    return [remove_all(args, root, items)]


def _stopped_resident(env: Mapping[str, str]) -> list[str]:
    """Without a guarded project nobody needs the resident."""
    record = integrity_store.read(env)
    if (record is not None and record["projects"]) or os.name != "posix":
        return []
    try:
        found = resident_control.query("stop", env)
    except OSError as error:
        return [f"the resident could not be stopped ({error}): edge resident stop"]
    return [] if found is None else ["the resident was stopped: no guarded project is left."]


def _kept(root: str | None) -> list[str]:
    """Our files in the project; of ``reports``, where others may lie too, the folder."""
    if root is None:
        return []
    found = [name for each in git_exclude.DATA for name in glob.glob(each, root_dir=root)]
    names = (name.rstrip("/").partition("/")[0] for name in found)
    return [os.path.join(root, name) for name in dict.fromkeys(names)]


def _cache(here: Installation) -> list[str]:
    """What contained commands downloaded."""
    policy = here.contained
    return [policy.cache] if policy is not None and os.path.isdir(policy.cache) else []


def _lines(args: Args, plan: Plan, kept: list[str], others: list[str]) -> list[str]:
    lines = []
    for change in plan.needed:
        verbs = ("removes ", "restores") if args.dry_run else ("removed ", "restored")
        lines.append(f"{verbs[change.after is not None]}  {change.path}")
    lines += [f"{'keeps' if args.dry_run else 'kept':<8}  {path}" for path in kept]
    notes = [*plan.notes, *(f"the hooks of the {name} scope stay as they are." for name in others)]
    for note in notes:
        lines += hanging_indent("Note: ", note)
    if not plan.needed:
        lines.append("Nothing to remove in this scope.")
    elif args.dry_run:
        lines.append("Nothing was changed (--dry-run).")
    else:
        lines.append("The hooks are removed. Running sessions keep them until they end.")
    return lines


# end of module
