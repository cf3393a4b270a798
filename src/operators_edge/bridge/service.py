"""The Bridge of one project: its queue, its watcher, and what both need of the machine."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

from operators_edge.bridge import settings as bridge_settings, trackers
from operators_edge.bridge.attempt import World
from operators_edge.bridge.database_store import Database
from operators_edge.bridge.executors.patch import PatchExecutor
from operators_edge.bridge.json_text import NotJson, read_object
from operators_edge.bridge.queue import Queue
from operators_edge.bridge.watcher import Watcher
from operators_edge.config import effective
from operators_edge.errors import UsageError
from operators_edge.gate.decide import assess
from operators_edge.gate.facts import SystemFacts, place
from operators_edge.model import Call
from operators_edge.project import new_id, wall_clock
from operators_edge.storage import files
from operators_edge.storage.keys import make_user_dir
from operators_edge.system.user_dirs import project_id

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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

    def watcher(self, tell: Callable[[str, str, Mapping[str, Any]], None]) -> Watcher:
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
            judged=self._judged,
            tell=tell,
        )
        return Watcher(world, self.queue)

    def _judged(self, command: str) -> str:
        """What the gate says of a command of a task, as of an agent's."""
        rules = effective.load(self.root, self._env)
        call = Call("Bash", {"command": command}, self.root)
        return assess(call, place(self.root, self._env), SystemFacts(), rules).effect
