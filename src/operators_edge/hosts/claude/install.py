"""Installing the hooks in Claude Code's settings, and removing them without a trace.

Owns which files are changed, and the record, outside the project, of their previous content. Does not own
the entries (``hosts.claude.wiring``) or editing a settings file (``hosts.claude.settings_edit``); the
state and its log are kept.

Removal restores the recorded bytes if the file is as we left it. If it has changed since, or the record is
missing, only our own entries are removed from it.
"""

from __future__ import annotations

import difflib
import json
import os
from dataclasses import dataclass, field, replace
from functools import cached_property

from operators_edge.containment import store as containment_store
from operators_edge.errors import StateDamaged, StateError
from operators_edge.hosts import git_exclude
from operators_edge.hosts.claude import (
    sandbox,
    settings_merge,
    slash_commands,
    status_line as status_line_entry,
    wiring,
)
from operators_edge.hosts.claude.install_record import (
    InstallRecord,
    RecordedFile,
    decoded,
    records,
    user_record_path,
)
from operators_edge.hosts.claude.settings_edit import SettingsText
from operators_edge.storage import files
from operators_edge.storage.keys import make_user_dir, mark_installed
from operators_edge.system.digest import sha256_hex
from operators_edge.system.user_dirs import project_id, user_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Literal

    from operators_edge.containment.policy import Policy
    from operators_edge.hosts.claude.environment import Exclude
    from operators_edge.hosts.claude.install_record import Kind
    from operators_edge.hosts.claude.wiring import Hooks

    Scope = Literal["local", "shared", "user"]

SCOPES: tuple[Scope, ...] = ("local", "shared", "user")


@dataclass(frozen=True, slots=True)
class Change:
    """One file, before and after; None if it does not exist.

    ``where`` is the project's folder in its repository, only for git's exclude file.
    """

    kind: Kind
    path: str
    before: bytes | None
    after: bytes | None
    where: str = ""

    @property
    def is_needed(self) -> bool:
        return self.before != self.after

    def diff(self) -> str:
        """The change as a unified diff, for a person to read beforehand."""
        old, new = (_lines(each) for each in (self.before, self.after))
        from_name = self.path if self.before is not None else os.devnull
        to_name = self.path if self.after is not None else os.devnull
        return "\n".join(difflib.unified_diff(old, new, from_name, to_name, lineterm=""))


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").splitlines()


@dataclass(slots=True)
class Plan:
    """What would be done. ``notes``: what else a person should know."""

    changes: list[Change] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    record: InstallRecord | None = None

    @property
    def needed(self) -> list[Change]:
        return [change for change in self.changes if change.is_needed]


class Installation:
    """The hooks of one scope: ``local`` or ``shared`` of the project at ``root``, or ``user``.

    ``root`` is None for the user's scope outside any project; ``home`` is the person's home.
    """

    def __init__(
        self, scope: Scope, root: str | None, *, home: str, env: Mapping[str, str] = os.environ
    ) -> None:
        self.scope = scope
        self.root = root
        self.home = home
        self.env = env
        base = home if scope == "user" else str(root)
        self.folder = os.path.join(base, ".claude")
        name = "settings.local.json" if scope == "local" else "settings.json"
        self.settings = os.path.join(self.folder, name)
        self.commands = {
            os.path.join(self.folder, "commands", f"{each.name}.md"): slash_commands.file_of(
                each
            ).encode()
            for each in slash_commands.COMMANDS
        }
        """The files behind our slash commands, with what we write there."""

    @cached_property
    def contained(self) -> Policy | None:
        """The policy that these settings have; None if the agent's commands are not contained."""
        if self.scope != "local":
            return None
        return containment_store.load(str(self.root), self.env)

    @property
    def record_path(self) -> str:
        if self.scope == "user":
            return user_record_path(self.env)
        folder = os.path.join(user_dir(self.env), "projects", project_id(str(self.root)))
        return os.path.join(folder, f"install-{self.scope}.json")

    def record(self) -> InstallRecord:
        """The install record of this scope; empty if there is none."""
        data = files.read_bytes(self.record_path)
        try:
            return InstallRecord(self.scope, self.root) if data is None else decoded(data)
        except ValueError as error:
            hint = f"Delete {self.record_path}: then only our own entries are removed."
            raise StateDamaged(
                self.record_path, "it is not an install record", hint=hint
            ) from error

    def port_url(self) -> str:
        """The http address of this scope's tool calls; "" if they start processes."""
        groups = wiring.ours(self._value()).get("PreToolUse", [])
        urls = [str(entry.get("url") or "") for group in groups for entry in group["hooks"]]
        return next(filter(None, urls), "")

    def permissions(self) -> list[str]:
        """Which of our commands these settings let an agent run without a prompt."""
        allowed = _allowed(self._value())
        return [each for each in wiring.PERMISSIONS if each in allowed]

    def status_line(self) -> Any:
        """Our status line in these settings; None if they have none of ours."""
        value = self._value().get(status_line_entry.KEY)
        return value if status_line_entry.is_ours(value) else None

    def _value(self) -> Any:
        data = files.read_bytes(self.settings)
        if data is None or not data.strip():
            return {}
        return SettingsText(_text(data, self.settings), self.settings).value

    # -- installing ------------------------------------------------------------------------------

    def plan(
        self,
        hooks: Hooks | None,
        *,
        permissions: Sequence[str],
        exclude: Exclude | None,
        with_command: bool = True,
        policy: Policy | None = None,
        status_line: Mapping[str, Any] | None = None,
    ) -> Plan:
        """What an installation would change. ``hooks`` None leaves the settings alone, {} adds no hooks.

        A ``policy`` contains the agent's commands; it is only for the scope ``local``. Without a
        ``status_line`` there is none of ours.
        """
        record = self.record()
        plan = Plan()
        if hooks is None and (policy or self.contained or status_line or self.status_line()):
            hooks, permissions = {}, ()
        if hooks is not None:
            plan.changes.append(
                self._settings_change(hooks, permissions, record, policy, status_line)
            )
        plan.changes += self._containment_change(policy)
        ours = self._plan_commands(plan, record) if with_command else []
        if exclude is not None and exclude.path:
            patterns = self._patterns(ours, with_settings=hooks is not None)
            current = files.read_bytes(exclude.path)
            where = git_exclude.place(exclude.prefix)
            made_up, unknown = self._placeholders(policy)
            after = git_exclude.with_block(
                current or b"",
                where,
                [*patterns, *(each for each in unknown if each not in patterns)],
                without=[each for each in made_up if each not in (*patterns, *unknown)],
            )
            plan.changes.append(Change("exclude", exclude.path, current, after, where))
        plan.record = self._new_record(record, plan)
        return plan

    def _placeholders(self, policy: Policy | None) -> tuple[list[str], list[str]]:
        """The names that the client's sandbox makes up; and those of them that git has to ignore now.

        A file of such a name that is there must not be ignored: the person may want to commit it.
        """
        known = policy or self.contained
        if known is None:
            return [], []
        names = [each for each in sandbox.placeholders(known) if f"{each}/" not in git_exclude.DATA]
        root = str(self.root)
        missing = [each for each in names if not os.path.lexists(os.path.join(root, each))]
        return names, [] if policy is None else missing

    def _containment_change(self, policy: Policy | None) -> list[Change]:
        if self.scope != "local" or not (policy or self.contained):
            return []
        path = containment_store.path_of(str(self.root), self.env)
        after = None if policy is None else containment_store.encoded(policy)
        return [Change("containment", path, files.read_bytes(path), after)]

    def _settings_change(
        self,
        hooks: Hooks,
        permissions: Sequence[str],
        record: InstallRecord,
        policy: Policy | None,
        status_line: Mapping[str, Any] | None,
    ) -> Change:
        current = files.read_bytes(self.settings)
        added = {} if policy is None else sandbox.settings(policy)
        if current is not None and current.strip() and policy == self.contained:
            value = SettingsText(_text(current, self.settings), self.settings).value
            has_all = all(each in _allowed(value) for each in permissions)
            has_all = has_all and self.status_line() == status_line
            if wiring.ours(value) == hooks and has_all and settings_merge.holds(value, added):
                return Change("settings", self.settings, current, current)
        base = self._without(Change("settings", self.settings, current, None), record)
        # Some editors leave an empty file; the client treats it as no settings.
        is_blank = base is None or not base.strip()
        text = SettingsText(
            "{}\n" if is_blank else _text(base or b"", self.settings), self.settings
        )
        for event, groups in hooks.items():
            for group in groups:
                text.append(("hooks", event), group)
        for rule in permissions:
            if rule not in _allowed(text.value):
                text.append(("permissions", "allow"), rule)
        settings_merge.add(text, added)
        if status_line is not None:
            _put_status_line(text, status_line)
        return Change("settings", self.settings, current, _encoded(text))

    def _plan_commands(self, plan: Plan, record: InstallRecord) -> list[str]:
        """Add the slash commands' files; a person's own files of these names are kept, with a note."""
        ours: list[str] = []
        for path, wanted in self.commands.items():
            current = files.read_bytes(path)
            if current in (None, wanted) or record.is_unchanged(path, current or b""):
                plan.changes.append(Change("command", path, current, wanted))
                ours.append(path)
                continue
            name = os.path.basename(path).removesuffix(".md")
            plan.notes.append(
                f"{path} is not ours and is not changed. While the hooks run, Operator's Edge "
                f"answers /{name} before that file is read."
            )
        return ours

    def _patterns(self, ours: list[str], *, with_settings: bool) -> list[str]:
        patterns = list(git_exclude.DATA)
        if self.scope == "local" and with_settings:
            patterns.append(".claude/settings.local.json")
        if self.scope == "local":
            patterns += [f".claude/commands/{os.path.basename(path)}" for path in ours]
        return patterns

    def _new_record(self, old: InstallRecord, plan: Plan) -> InstallRecord:
        """Record, for each file, its bytes without our part, and the hash of what we write."""
        kept = dict(old.files)
        for change in plan.changes:
            if change.is_needed or change.path not in kept:
                before, digest = self._without(change, old), sha256_hex(change.after or b"")
                kept[change.path] = RecordedFile(change.kind, change.where, before, digest)
        created = [each for change in plan.needed for each in _missing_folders(change.path)]
        folders = tuple(sorted({*old.folders, *created}))
        return InstallRecord(self.scope, self.root, kept, folders)

    def apply(self, plan: Plan) -> None:
        """Make the planned changes; the record first, so that it includes everything that was written."""
        for change in plan.needed:
            if files.read_bytes(change.path) != change.before:
                raise StateError(
                    f"{change.path} was changed meanwhile; nothing was written",
                    hint="repeat the command",
                )
        folder = os.path.relpath(os.path.dirname(self.record_path), user_dir(self.env))
        make_user_dir(self.env, *(part for part in folder.split(os.sep) if part != "."))
        mark_installed(self.env)
        if plan.record is not None:
            files.write_durable(self.record_path, plan.record.encoded(), mode=0o600)
        # The settings last: they need everything else.
        for change in sorted(plan.needed, key=lambda each: each.kind == "settings"):
            _write(change)

    # -- removing --------------------------------------------------------------------------------

    def plan_removal(self, exclude: Exclude | None) -> Plan:
        """What removing this scope would change, even without a record."""
        record = self.record()
        plan = Plan(record=record)
        for change in self._found(record, exclude):
            current = change.before
            if current is None:
                continue
            if change.kind == "exclude" and self._is_shared_exclude(change):
                plan.notes.append(f"{change.path} keeps its lines: another worktree needs them.")
                continue
            after = self._without(change, record)
            plan.changes.append(replace(change, after=after))
            if after != current and not record.is_unchanged(change.path, current):
                plan.notes.append(
                    f"{change.path} was changed since: only our own lines are removed."
                )
            if after == current and slash_commands.MARK.encode() in current:
                plan.notes.append(f"{change.path} was changed by hand and is kept.")
        return plan

    def _found(self, record: InstallRecord, exclude: Exclude | None) -> list[Change]:
        """Every file that may contain something of ours, with its current content."""
        found: dict[str, tuple[Kind, str]] = {
            self.settings: ("settings", ""),
            **dict.fromkeys(self.commands, ("command", "")),
        }
        if exclude is not None and exclude.path and self.scope != "user":
            found[exclude.path] = ("exclude", git_exclude.place(exclude.prefix))
        if self.contained:
            found[containment_store.path_of(str(self.root), self.env)] = ("containment", "")
        found |= {path: (each.kind, each.where) for path, each in record.files.items()}
        return [
            Change(kind, path, files.read_bytes(path), None, where)
            for path, (kind, where) in found.items()
        ]

    def remove(self, plan: Plan) -> None:
        """Make the planned changes; delete empty folders that init created, and the record."""
        for change in sorted(plan.needed, key=lambda each: each.kind != "settings"):
            _write(change)
        folders = plan.record.folders if plan.record is not None else ()
        for folder in sorted(folders, key=len, reverse=True):
            if os.path.isdir(folder) and not os.listdir(folder):
                os.rmdir(folder)
        if os.path.exists(self.record_path):
            os.unlink(self.record_path)
        if not any(records(self.env)) and not os.path.exists(user_record_path(self.env)):
            mark_installed(self.env, is_so=False)

    def _is_shared_exclude(self, change: Change) -> bool:
        """Whether another worktree needs the lines: worktrees of one repository share the file."""
        mine = os.path.realpath(self.record_path)
        for path, other in records(self.env):
            entry = other.files.get(change.path)
            is_there = os.path.isdir(str(other.root))
            is_same = entry is not None and entry.where == change.where
            if is_there and is_same and os.path.realpath(path) != mine:
                return True
        return False

    # -- what a file was without us --------------------------------------------------------------

    def _without(self, change: Change, record: InstallRecord) -> bytes | None:
        """The current content of the change's file without our part; None if the file would be removed."""
        current = change.before
        if current is None:
            return None
        entry = record.files.get(change.path)
        if entry is None:
            return self._without_ours(change, current, None, is_recorded=False)
        if current == entry.before or record.is_unchanged(change.path, current):
            return entry.before
        return self._without_ours(change, current, entry.before, is_recorded=True)

    def _without_ours(
        self, change: Change, current: bytes, before: bytes | None, *, is_recorded: bool
    ) -> bytes | None:
        """A file that has changed since, or that has no record, without our own lines or entries."""
        if change.kind == "command":
            return None if current == self.commands.get(change.path) else current
        if change.kind == "containment":
            return None
        if change.kind == "exclude":
            return git_exclude.without_block(current, change.where)
        added = {} if self.contained is None else sandbox.settings(self.contained)
        rest = _without_entries(current, before, change.path, added, is_recorded=is_recorded)
        is_made_by_us = is_recorded and before is None
        return None if is_made_by_us and json.loads(rest) == {} else rest


def _without_entries(
    current: bytes,
    before: bytes | None,
    path: str,
    added: dict[str, Any],
    *,
    is_recorded: bool,
) -> bytes:
    """Remove our entries from settings that have changed since, or that have no record.

    Containers that become empty are removed too, unless they are known to have existed before.
    """
    if not current.strip():
        return current
    text = SettingsText(_text(current, path), path)
    mine, line = wiring.ours(text.value), text.value.get(status_line_entry.KEY)
    is_ours = status_line_entry.is_ours(line)
    if not mine and not added and not is_ours and not is_recorded:
        return current  # a permission alone may be the person's own
    known = json.loads(before) if before and before.strip() else {}
    if is_ours:
        old = known.get(status_line_entry.KEY) if is_recorded else status_line_entry.inner(line)
        text.remove((status_line_entry.KEY,))
        if old is not None:
            text.put((status_line_entry.KEY,), old)
    for event in mine:
        text.remove_hooks(event, wiring.is_ours)
        _prune(text, ("hooks", event), known)
    if mine:
        _prune(text, ("hooks",), known)
    _cut_permissions(text, known)
    settings_merge.cut(text, added, known)
    return _encoded(text)


def _put_status_line(text: SettingsText, status_line: Mapping[str, Any]) -> None:
    """Ours in the place of another one, which it runs."""
    if status_line_entry.KEY in text.value:
        text.remove((status_line_entry.KEY,))
    text.put((status_line_entry.KEY,), dict(status_line))


def _cut_permissions(text: SettingsText, known: dict[str, Any]) -> None:
    kept = _allowed(known)
    rules = _allowed(text.value)
    mine = [n for n, rule in enumerate(rules) if rule in wiring.PERMISSIONS and rule not in kept]
    for number in reversed(mine):
        text.remove(("permissions", "allow", number))
    if mine:
        _prune(text, ("permissions", "allow"), known)
        _prune(text, ("permissions",), known)


def _allowed(settings: dict[str, Any]) -> list[Any]:
    """``permissions.allow``; empty if it is missing or not a list (which the editor refuses)."""
    table = settings.get("permissions")
    rules = table.get("allow") if isinstance(table, dict) else None
    return rules if isinstance(rules, list) else []


def _prune(text: SettingsText, keys: tuple[str, ...], known: dict[str, Any]) -> None:
    value: Any = text.value
    before: Any = known
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return
        value = value[key]
        before = before.get(key) if isinstance(before, dict) else None
    if value in ({}, []) and before is None:
        text.remove(keys)


# -- small parts -----------------------------------------------------------------------------------


def _text(data: bytes, path: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise StateDamaged(
            path, "it is not UTF-8", line=line, column=column, hint="Save it as UTF-8."
        ) from error


def _missing_folders(path: str) -> list[str]:
    missing = []
    folder = os.path.dirname(path)
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    return missing


def _write(change: Change) -> None:
    try:
        if change.after is None:
            os.unlink(change.path)
            return
        os.makedirs(os.path.dirname(change.path), exist_ok=True)
    except OSError as error:
        raise files.failure("change", change.path, error) from error
    files.write_durable(change.path, change.after, mode=0o644)


def _encoded(text: SettingsText) -> bytes:
    try:
        return text.text.encode()
    except UnicodeEncodeError as error:
        # JSON is UTF-8; a path with other bytes in it cannot be named there.
        raise StateError(
            f"the path of Python or of Operator's Edge is not UTF-8, so {text.path} cannot name it",
            hint="install it in a folder whose path is UTF-8",
        ) from error


# end of module
