"""The Bridge of one project: its queue, its watcher, and what both need of the machine."""

from __future__ import annotations

import functools
import os
import threading
from typing import TYPE_CHECKING, Any

from operators_edge.bridge import (
    executor_settings,
    ids,
    layout,
    lease,
    settings as bridge_settings,
    trackers,
    trust_store,
)
from operators_edge.bridge.branches import Branches
from operators_edge.bridge.database_store import Database
from operators_edge.bridge.executors import choose
from operators_edge.bridge.executors.contained import Containment
from operators_edge.bridge.inbox_store import read_task
from operators_edge.bridge.json_text import NotJson, read_object
from operators_edge.bridge.locks_store import LockFile, hostname, is_process_alive
from operators_edge.bridge.project_lock import no_watcher
from operators_edge.bridge.queue_store import LocalQueue
from operators_edge.bridge.record import snapshot_of
from operators_edge.bridge.task import taken
from operators_edge.bridge.watcher import Watcher
from operators_edge.bridge.worktrees import Trees
from operators_edge.bridge.world import World
from operators_edge.config import files as config_files
from operators_edge.config.schema import BRIDGE as SECTION
from operators_edge.containment import service as containment
from operators_edge.errors import EdgeError, LockHeld, NotSetUp, UsageError
from operators_edge.project import new_id, secrets_of, wall_clock
from operators_edge.redaction.redact import Shape
from operators_edge.storage import files
from operators_edge.storage.keys import make_user_dir
from operators_edge.system.user_dirs import config_file, project_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from operators_edge.bridge.executors.port import Executor
    from operators_edge.bridge.layout import Folder
    from operators_edge.bridge.lease import LockRecord
    from operators_edge.bridge.permissions import Permissions
    from operators_edge.bridge.queue import Queue, TaskRow, TaskState
    from operators_edge.bridge.settings import Settings
    from operators_edge.config.schema import Source


_WHERE: Mapping[TaskState, Folder] = {
    "queued": "tasks",
    "running": "running",
    "pending": "pending",
}


class Bridge:
    """One project's Bridge; ``env`` determines the person's folder, and what is run in a task.

    ``gate`` returns the hooks with which an executor's client asks the gate, in the project at a root.
    """

    def __init__(
        self,
        root: str,
        *,
        env: Mapping[str, str] = os.environ,
        gate: Callable[[str], Mapping[str, Any]] = lambda _: {},
    ) -> None:
        self.root = root
        self._env = env
        self._gate = gate
        self.queue: Queue = LocalQueue(
            root,
            clock=wall_clock,
            database=Database(root, env=env),
            defaults=functools.cache(self.defaults),
        )

    def settings(self) -> Settings:
        """The settings of the project and the person; UsageError if they cannot be used.

        NotSetUp: the project's file says what a person has to trust first.
        """
        project, own = self.given()
        text = executor_settings.needs_trust(project, own)
        if text and not trust_store.is_confirmed(self.root, text, self._env):
            name = bridge_settings.FILE
            raise NotSetUp(
                f"{name} or edge.toml of this repository names programs or settings that you have not"
                " trusted",
                hint="edge config trust",
            )
        return bridge_settings.read(executor_settings.merged(project, own))

    def defaults(self) -> Mapping[str, Any]:
        """What the settings say for tasks; nothing if they cannot be used: then no watcher starts."""
        try:
            return self.settings().defaults
        except EdgeError:
            return {}

    def given(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What the project's file says, and what the person's own: each is valid by itself."""
        own, found = (
            os.path.dirname(config_file(self._env)),
            config_files.read(self.root, self._env),
        )
        return _checked(self.root, found.project), _checked(own, found.user)

    def executors(self, settings: Settings, tree: str = "") -> dict[str, Executor]:
        """Every executor that the settings know, by name; they work in a working tree of the project."""
        return choose.executors(
            settings.executors,
            tree or self.root,
            self._env,
            lambda _: self._gate(self.root),
            contain=settings.contain,
        )

    def containment(self, settings: Settings) -> str:
        """Whether the operating system keeps executors inside, and why not, in a few words."""
        why = Containment(settings.contain, self.root, self._env).why_not
        if why:
            return f"no: {why}"
        return "yes; the network too, where an executor's hosts are known"

    def new_settings(self) -> list[str]:
        """The files of the project's settings that are not in git yet."""
        return Branches(self.root).new_settings()

    def trees(self, *, are_own: bool) -> Trees:
        """Where tasks are worked on."""
        folder = os.path.join(containment.caches(self._env), "worktrees", project_id(self.root))
        return Trees(self.root, folder, self._env, are_own=are_own)

    def result(self, stem: str) -> dict[str, Any]:
        """The latest result of a task; {} if there is none, or it was damaged."""
        data = files.read_bytes(os.path.join(self.root, layout.result_file(ids.safe_stem(stem))))
        try:
            return {} if data is None else read_object(data)
        except NotJson:
            return {}

    def to_do(self, row: TaskRow) -> dict[str, Any]:
        """What a task that is not over asks for, redacted and bounded, with its ``defaults``; else {}."""
        folder = _WHERE.get(row.state)
        if folder is None:
            return {}
        found = read_task(self.root, row, folder)
        if found.task is None:
            return {}
        task = snapshot_of(found.raw, self.secrets())
        defaults = taken(task, self.defaults())
        return {**task, **({"defaults": defaults} if defaults else {})}

    def secrets(self) -> tuple[str, ...]:
        """What is hidden in all that is shown of tasks, as it is now."""
        try:
            patterns = self.settings().redaction_patterns
        except EdgeError:
            patterns = ()
        return (*secrets_of(self.root, self._env), *map(Shape, patterns))

    def watched_by(self) -> LockRecord | None:
        """The lock of the watcher that holds the queue now."""
        seen = LockFile(self.root, layout.WORKER_LOCK).seen()
        if seen is None or seen.record is None:
            return None
        alive, ttl = is_process_alive(seen.record), seen.record.get("ttl_sec", lease.WORKER_TTL)
        now, host = wall_clock(), hostname()
        verdict = lease.verdict(seen, now=now, ttl=int(ttl), host=host, is_alive=alive)
        return seen.record if verdict == "held" else None

    def remove_trees(
        self, rows: Iterable[TaskRow], *, is_trial: bool
    ) -> tuple[list[str], list[str]]:
        """Remove working trees of tasks that are over; their tasks, and what could not be removed.

        A watcher that runs removes its own: none are then.
        """
        trees = self.trees(are_own=False)
        keep = {
            ids.safe_stem(row.stem) for row in rows if row.state in ("queued", "running", "pending")
        }
        try:
            with no_watcher(self._staging()):
                found = trees.left(keep)
                problems = [] if is_trial else [trees.leave(each) for each in found]
        except LockHeld:
            return [], []
        return found, [each for each in problems if each]

    def _staging(self) -> str:
        return make_user_dir(self._env, "projects", project_id(self.root), "bridge")

    def watcher(
        self, tell: Callable[[str, str, Mapping[str, Any]], None], permissions: Permissions
    ) -> Watcher:
        """A worker for this queue."""
        settings = self.settings()
        staging = self._staging()
        world = World(
            root=self.root,
            settings=settings,
            clock=wall_clock,
            new_id=new_id,
            env=self._env,
            executors=functools.cache(lambda tree: self.executors(settings, tree)),
            trees=self.trees(are_own=settings.has_own_trees),
            tracker=trackers.choose(
                settings.tracker, self.root, self._env, os.path.join(staging, "tracker.json")
            ),
            staging=staging,
            stop=threading.Event(),
            permissions=permissions,
            tell=tell,
        )
        return Watcher(world, self.queue)


def _checked(folder: str, config: Source | None) -> dict[str, Any]:
    """The settings in a folder: those of the Bridge's own file, and ``[bridge]`` of the configuration."""
    path = os.path.join(folder, bridge_settings.FILE)
    value = _value_of(path) if folder else {}
    if config is None:
        return value
    if config.problem:
        raise UsageError(f"{config.name}: {config.problem}")
    table = config.table.get(SECTION, {})
    if not isinstance(table, dict):
        raise UsageError(f"{config.name}: {SECTION} must be a table")
    bridge_settings.read(table, f"{config.name} [{SECTION}]")
    twice = [name for name in table if value.get(name, table[name]) != table[name]]
    if twice:
        raise UsageError(f"{path} and {config.name} disagree about {', '.join(twice)}: keep one")
    return {**table, **value}


def _value_of(path: str) -> dict[str, Any]:
    """The values of a settings file, {} without one."""
    data = files.read_bytes(path)
    if data is None:
        return {}
    try:
        value = read_object(data)
    except NotJson as error:
        raise UsageError(f"{path}: {error}") from error
    bridge_settings.read(value, path)
    return dict(value)


# end of module
