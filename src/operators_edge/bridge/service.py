"""The Bridge of one project: its queue, its watcher, and what both need of the machine."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

from operators_edge.bridge import ids, layout, settings as bridge_settings, trackers
from operators_edge.bridge.attempt import World
from operators_edge.bridge.database_store import Database
from operators_edge.bridge.executors.patch import PatchExecutor
from operators_edge.bridge.json_text import NotJson, read_object
from operators_edge.bridge.queue import Queue
from operators_edge.bridge.watcher import Watcher
from operators_edge.errors import UsageError
from operators_edge.project import new_id, wall_clock
from operators_edge.storage import files
from operators_edge.storage.keys import make_user_dir
from operators_edge.system.user_dirs import project_id

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from operators_edge.bridge.permissions import Permissions
    from operators_edge.bridge.settings import Settings


class Bridge:
    """One project's Bridge; ``env`` determines the person's folder, and what is run in a task."""

    def __init__(self, root: str, *, env: Mapping[str, str] = os.environ) -> None:
        self.root = root
        self._env = env
        self.queue = Queue(root, clock=wall_clock, database=Database(root, env=env))

    def settings(self) -> Settings:
        """The settings of ``bridge.config.json``; UsageError if they cannot be used."""
        path = os.path.join(self.root, bridge_settings.FILE)
        data = files.read_bytes(path)
        if data is None:
            return bridge_settings.Settings()
        try:
            return bridge_settings.read(read_object(data))
        except NotJson as error:
            raise UsageError(f"{path}: {error}") from error

    def result(self, stem: str) -> dict[str, Any]:
        """The latest result of a task; {} if there is none, or it was damaged."""
        data = files.read_bytes(os.path.join(self.root, layout.result_file(ids.safe_stem(stem))))
        try:
            return {} if data is None else read_object(data)
        except NotJson:
            return {}

    def watcher(
        self, tell: Callable[[str, str, Mapping[str, Any]], None], permissions: Permissions
    ) -> Watcher:
        """A worker for this queue."""
        settings = self.settings()
        staging = make_user_dir(self._env, "projects", project_id(self.root), "bridge")
        world = World(
            root=self.root,
            settings=settings,
            clock=wall_clock,
            new_id=new_id,
            env=self._env,
            executors={"patch": PatchExecutor()},
            tracker=trackers.choose(settings.tracker, self.root, self._env),
            staging=staging,
            stop=threading.Event(),
            permissions=permissions,
            tell=tell,
        )
        return Watcher(world, self.queue)
