"""The ground of the main job: a small repository, its remote beside it, the product set up in it.

Owns what stands on the disk and asks git and `edge` about it. What the agent tries is each test's own.
"""

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

from tests.e2e.drive import World

from operators_edge.evidence import session_facts

APP = "def add(a, b):\n    return a - b\n"
TEST = """import unittest

from app import add


class Adding(unittest.TestCase):
    def test_two_and_two_is_four(self):
        self.assertEqual(add(2, 2), 4)
"""


class Story:
    """A git repository in the world's project, with `origin` at `remote`, guarded."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.remote = world.top / "remote.git"
        self._write("app.py", APP)
        self._write("test_app.py", TEST)
        self._write(".gitignore", "__pycache__/\n")
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", "A sum that is wrong")
        self.git("init", "--quiet", "--bare", str(self.remote))
        self.git("remote", "add", "origin", str(self.remote))
        self.git("push", "--quiet", "origin", "main")
        # The client's own permissions stay out of the way: what is stopped, the gate has stopped.
        world.settings(permissions={"allow": ["Bash", "Edit", "Read", "Write"]})
        self.edge("init")

    def _write(self, name: str, text: str) -> None:
        (self.world.project / name).write_text(text)

    def path(self, name: str) -> str:
        return str(self.world.project / name)

    def file(self, name: str) -> Path:
        return self.world.project / name

    def registry(self) -> Path:
        """The person's registry of this project, outside of it."""
        (place,) = self.world.home.glob(".local/state/operators-edge/projects/*")
        return place / "ledger.json"

    def hook_command(self) -> str:
        """The command that the client runs for a typed prompt, as `edge init` wrote it."""
        settings = json.loads(self.file(".claude/settings.local.json").read_text())
        (entry,) = settings["hooks"]["UserPromptSubmit"][0]["hooks"]
        return shlex.join([entry["command"], *entry["args"]])

    def git(self, *words: str) -> str:
        return self._run("git", *words).strip()

    def commit(self, message: str) -> None:
        """One more commit that the remote does not have."""
        self.git("commit", "--quiet", "--allow-empty", "--message", message)

    def keep_state(self) -> None:
        """Commit the state file as it is, which the product leaves out of git, on the branch `kept`."""
        self.git("add", "--force", "active_context.yaml")
        tree = self.git("write-tree")
        kept = self.git("commit-tree", tree, "-p", "HEAD", "-m", "Keep the state")
        self.git("branch", "--force", "kept", kept)
        self.git("reset", "--quiet")

    def edge(self, *words: str) -> str:
        """`edge WORDS` in the person's own terminal."""
        return self._run("edge", *words)

    def record(self) -> list[dict[str, Any]]:
        """The proof log's entries, as the files hold them."""
        log = self.world.project / ".proof" / "session_log.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()]

    def recorded(self, event: str) -> list[dict[str, Any]]:
        return [entry for entry in self.record() if entry.get("event") == event]

    def answers(self) -> dict[str, dict[str, Any]]:
        """What the record says of every dialog of the last session, by the call's id."""
        entries = self.record()
        empty = session_facts.new_facts(entries[-1]["session"], str(self.world.project))
        answers: dict[str, dict[str, Any]] = session_facts.fold(empty, entries)["answers"]
        return answers

    def head(self, *, at: Path | None = None) -> str:
        return self.git("-C", str(at or self.world.project), "rev-parse", "main")

    def _run(self, program: str, *words: str) -> str:
        done = subprocess.run(
            [program, *words],
            cwd=self.world.project,
            env=self.world.env(),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, f"{program} {' '.join(words)}: {done.stdout}{done.stderr}"
        return done.stdout
