"""A project and its person's folder, set back to a kept state in a moment, and read as one picture."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from datetime import UTC, datetime
from typing import Any

from operators_edge.locations import PROOF_DIR, STATE_FILE
from operators_edge.project import Project
from operators_edge.storage.log import HEAD_EVENTS
from operators_edge.system.user_dirs import project_id

NOW = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
ABOUT_ITSELF = (
    *HEAD_EVENTS,
    "log_completed",
    "log_foreign",
    "log_torn",
    "transaction_recovery",
)
"""What the log says of a crash: it may be there after one, and never instead of something else."""

_ASIDE = (f"{PROOF_DIR}/cache/", f"{PROOF_DIR}/history/", f"{PROOF_DIR}/log/", ".git/")
_OWN = ("lock", "log.lock", "journal.json", "session_log.jsonl")


class World:
    """Below ``base``: the live project with its home, and kept copies of both."""

    def __init__(self, base: str) -> None:
        self.base = os.path.realpath(base)
        self.live = os.path.join(self.base, "live")
        self.root = os.path.join(self.live, "project")
        self.home = os.path.join(self.live, "home")
        self.aside: tuple[str, ...] = ABOUT_ITSELF
        """Events that are in no picture."""
        self.begin()

    def begin(self) -> None:
        """An empty project, set up."""
        shutil.rmtree(self.live, ignore_errors=True)
        os.makedirs(self.root)
        os.makedirs(self.home)
        os.environ["HOME"] = self.home
        os.environ["XDG_STATE_HOME"] = os.path.join(self.home, "state")
        self.project().state.create(command="init")

    def project(self, first: int = 0) -> Project:
        """The project as a new process sees it; the same moment and the same ids each time."""
        counted = iter(range(first, first + 1_000_000))

        def number() -> str:
            return f"00000000-0000-7000-8000-{next(counted):012d}"

        return Project(self.root, is_set_up=True, clock=lambda: NOW, ids=number)

    def keep(self, name: str) -> None:
        shutil.rmtree(os.path.join(self.base, name), ignore_errors=True)
        shutil.copytree(self.live, os.path.join(self.base, name), symlinks=True)

    def load(self, name: str) -> None:
        shutil.rmtree(self.live)
        shutil.copytree(os.path.join(self.base, name), self.live, symlinks=True)

    def has_record(self) -> bool:
        return os.path.lexists(os.path.join(self.root, PROOF_DIR, "journal.json"))

    def registry(self) -> dict[str, Any]:
        folder = os.path.join(self.home, "state", "operators-edge", "projects")
        path = os.path.join(folder, project_id(self.root), "ledger.json")
        try:
            with open(path, encoding="utf-8") as file:
                book: dict[str, Any] = json.load(file)
        except FileNotFoundError:
            return {}
        return {part: book[part] for part in ("grants", "spent", "sessions") if book[part]}

    def picture(self) -> dict[str, Any]:
        """All that a change may touch, so that a half of one cannot look like a whole."""
        entries = [entry for entry, _ in self.project().log.entries()]
        return {
            "files": dict(self._files()),
            "registry": self.registry(),
            "log": [_without_place(each) for each in entries if each["event"] not in self.aside],
        }

    def _files(self) -> Any:
        for folder, _, names in os.walk(self.root):
            for name in names:
                path = os.path.join(folder, name)
                key = os.path.relpath(path, self.root).replace(os.sep, "/")
                own = key.startswith(f"{PROOF_DIR}/") and name in _OWN
                if not (own or key.startswith(_ASIDE) or name.endswith(".tmp")):
                    with open(path, "rb") as file:
                        yield key, file.read()

    def leftovers(self) -> list[str]:
        """Files that a killed writer left and nobody took away; the cache's go when they are old."""
        found = []
        for folder, _, names in os.walk(self.live):
            if f"{os.sep}cache" not in folder:
                found += [os.path.join(folder, n) for n in names if n.endswith(".tmp")]
        return [each for each in found if not each.endswith("head.json.tmp")]

    def state_text(self) -> bytes:
        with open(os.path.join(self.root, STATE_FILE), "rb") as file:
            return file.read()


def _without_place(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: entry[key] for key in entry if key not in ("seq", "prev")}


def in_memory() -> str:
    """A folder for many small writes; a kill of a process asks nothing of the disk itself."""
    shared = "/dev/shm"
    return tempfile.mkdtemp(prefix="edge-crash-", dir=shared if os.path.isdir(shared) else None)
