"""Where executors are tried: a repository, and programs that stand in the place of the agents'."""

from __future__ import annotations

import os
import threading

from tests import repository

from operators_edge.bridge import task as tasks
from operators_edge.bridge.executor_settings import ExecutorSettings
from operators_edge.bridge.executors import choose
from operators_edge.bridge.executors.port import Request
from operators_edge.bridge.verify import Limits, Place

NOTE = """#!/bin/sh
{ for word in "$@"; do printf '%s\\0' "$word"; done; } > "$NOTES/words"
env -0 > "$NOTES/env"
cat > "$NOTES/input"
"""


class Bench:
    """A repository, a folder of programs that is on PATH, and a folder for what they note."""

    def __init__(self, top):
        self.root = repository.make(top / "work")
        self.programs, self.notes, self.home = top / "bin", top / "notes", top / "home"
        for each in (self.programs, self.notes, self.home):
            each.mkdir()
        path = os.pathsep.join([str(self.programs), os.environ["PATH"]])
        self.env = {"PATH": path, "HOME": str(self.home), "NOTES": str(self.notes)}
        self.stop = threading.Event()
        self.output = bytearray()
        self.contain = "off"
        self.settings = {"opencode": ExecutorSettings(model="p/m")}

    def program(self, name, *lines, folder=None):
        path = (folder or self.programs) / name
        path.write_text("\n".join([NOTE, *lines]))
        path.chmod(0o755)
        return str(path)

    def executor(self, name):
        hooks = {"PreToolUse": []}
        return choose.executors(
            self.settings, self.root, self.env, lambda _: hooks, contain=self.contain
        )[name]

    def edit(self, name, *, seconds=20.0, spent=0.0, **fields):
        self.used = self.executor(name)
        task = tasks.with_defaults({"id": "t-1", "prompt": "x", **fields})
        place = Place(self.root, self.env, self.stop)
        limits = Limits(seconds, 20.0)
        request = Request(task, "Do it.\n", place, limits, self.output.extend, spent)
        return self.used.edit(request)

    def noted(self, what):
        return (self.notes / what).read_text().split("\0")

    def noted_env(self):
        return dict(each.split("=", 1) for each in self.noted("env") if each)
