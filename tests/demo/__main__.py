"""``make demo``: an agent works through a script in a temporary repository, and you read along.

With a Claude Code client (on the path, or in ``.cache/client`` after ``make e2e``) it is the real
client against a scripted model on loopback. Without one, the same calls go as events through the real
hook command, and what the hook lets through is really run. Nothing outside a temporary folder is
touched.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tests.e2e.client import CACHE, VERSION, program
from tests.hosting import Client, clean_env

if TYPE_CHECKING:
    from collections.abc import Callable

SCRIPT = Path(__file__).with_name("script.json")

GREET = 'def greet(name):\n    return "hey " + name\n'
TEST = """\
import unittest

from greet import greet


class Greeting(unittest.TestCase):
    def test_names_whom_it_greets(self):
        self.assertIn("Ada", greet("Ada"))
"""


class Stage(Protocol):
    """A session on which the script is played; each method prints what a person would see."""

    def person(self, turn: dict[str, Any]) -> None: ...

    def end(self) -> None: ...


def main() -> int:
    client = _client()
    with tempfile.TemporaryDirectory(prefix="edge-demo-") as top:
        if not client:
            folders = _Folders(Path(top), clean_env(os.path.join(top, "home")))
            how = "events through the real hook (no client found)"
            return _play(folders, how, lambda _turns: _Replay(folders))
        from tests.demo.real import RealStage, real_world  # noqa: PLC0415 - needs the drivers

        with real_world(Path(top), Path(client)) as world:
            folders = _Folders(world.top, world.env())
            how = f"the real client, {client}"
            return _play(folders, how, lambda turns: RealStage(world, turns, _print))


def _play(folders: _Folders, how: str, open_stage: Callable[[list[dict[str, Any]]], Stage]) -> int:
    _head(f"Operator's Edge, demo with {how}")
    _print("$ edge init", folders.edge("init"))
    _print('$ edge objective "Greet politely"', folders.edge("objective", "Greet politely"))
    _print('$ edge plan add "Change greet()"', folders.edge("plan", "add", "Change greet()"))
    _print('$ edge plan add "Publish it"', folders.edge("plan", "add", "Publish it"))
    text = SCRIPT.read_text().replace("{root}", str(folders.project))
    script = json.loads(text.replace("{python}", os.path.basename(sys.executable)))
    _head("Session 1")
    stage = open_stage(script["turns"])
    for turn in script["turns"]:
        stage.person(turn)
    stage.end()
    _head("What reached the remote")
    _print("", folders.git("--git-dir", str(folders.remote), "log", "--oneline", "main"))
    _head("Session 2 begins with what really happened")
    stage = open_stage([script["next"]])
    stage.person(script["next"])
    stage.end()
    _head("edge status")
    _print("", folders.edge("status"))
    _print("$ edge log verify", folders.edge("proof", "verify"))
    _bridge(folders)
    return 0


TASK = {
    "id": "farewell",
    "bead_title": "Say goodbye, too",
    "prompt": "Add farewell(), as greet() does it.",
    "executor": "patch",
    "commands_to_run": ["python3 -c 'import farewell; print(farewell.farewell(\"Ada\"))'"],
    "patch": (
        "diff --git a/farewell.py b/farewell.py\nnew file mode 100644\n--- /dev/null\n"
        '+++ b/farewell.py\n@@ -0,0 +1,2 @@\n+def farewell(name):\n+    return "bye " + name\n'
    ),
}


def _bridge(folders: _Folders) -> None:
    """One task through the whole sequence, in a clone of what reached the remote."""
    _head("The Bridge: a task without anybody at the keyboard")
    clone = folders.cloned()
    file = clone.parent / "task.json"
    file.write_text(json.dumps(TASK))
    for words in (
        ("bridge", "init"),
        ("bridge", "submit", str(file)),
        ("bridge", "watch", "--drain"),
        ("bridge", "show", str(TASK["id"])),
    ):
        _print(
            f"$ edge {' '.join(words).replace(str(file), file.name)}",
            folders.edge(*words, at=clone),
        )
    ref = f"feat/ai/{TASK['id']}"
    _print(f"$ git log -p -1 {ref}", folders.git("-C", str(clone), "log", "-p", "-1", ref))


class _Folders:
    """A repository at ``top/project`` with a bare remote beside it, and a home of its own."""

    def __init__(self, top: Path, env: dict[str, str]) -> None:
        self.project, self.remote = top / "project", top / "remote.git"
        programs = os.path.dirname(sys.executable)
        path = f"{programs}{os.pathsep}{env['PATH']}"
        self.env = {**env, "PATH": path, "NO_COLOR": "1", "TMPDIR": str(top)}
        for folder in (top / "home", self.project):
            folder.mkdir(exist_ok=True)
        (top / "home" / ".gitconfig").write_text(
            "[user]\n\tname = Ada\n\temail = ada@example.invalid\n[init]\n\tdefaultBranch = main\n"
        )
        (self.project / "greet.py").write_text(GREET)
        (self.project / "test_greet.py").write_text(TEST)
        (self.project / ".gitignore").write_text("__pycache__/\n")
        self.git("init", "-q", "--bare", str(self.remote))
        for words in ("init -q", "add .", "commit -qm first"):
            self.git("-C", str(self.project), *words.split())
        self.git("-C", str(self.project), "remote", "add", "origin", str(self.remote))
        self.git("-C", str(self.project), "push", "-q", "-u", "origin", "main")
        settings = {"permissions": {"allow": ["Bash", "Edit", "Read", "Write"]}}
        (self.project / ".claude").mkdir()
        (self.project / ".claude" / "settings.json").write_text(json.dumps(settings))

    def git(self, *words: str) -> str:
        return self._run("git", *words)

    def edge(self, *words: str, at: Path | None = None) -> str:
        return self._run(sys.executable, "-m", "operators_edge", *words, at=at)

    def cloned(self) -> Path:
        """Another working tree with what was pushed."""
        clone = self.project.parent / "clone"
        self.git("clone", "-q", str(self.remote), str(clone))
        return clone

    def _run(self, *command: str, at: Path | None = None) -> str:
        done = subprocess.run(
            command,
            cwd=at or self.project,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(
                f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}"
            )
        return done.stdout


class _Replay:
    """The hook's events of each call; a call that the hook lets through is really made."""

    def __init__(self, folders: _Folders) -> None:
        self.folders = folders
        self.client = Client(str(folders.project), folders.env)
        told = self.client.start()
        if told:
            _print("  the agent is told:", told)

    def person(self, turn: dict[str, Any]) -> None:
        _print(f"> {turn['person']}")
        answer = self.client.prompt(turn["person"])
        if answer:
            _print("", answer)
            return
        for call in turn.get("calls", []):
            self._call(call["tool"], call["input"])
        _print(f"  agent: {turn['says']}")
        if self.client.send("Stop", last_assistant_message=turn["says"]):
            raise SystemExit("the stop of a turn was held up")

    def _call(self, tool: str, given: dict[str, Any]) -> None:
        answer = self.client.before(tool, **given)
        decision = answer.get("permissionDecision", "")
        _print(f"  {tool}: {_words(given)}")
        if decision == "deny":
            _print("    denied:", answer["permissionDecisionReason"])
            return
        output, error = self._make(tool, given)
        _print(f"    {'approved, ' if decision == 'allow' else ''}ran")
        self.client.done(tool, {"stdout": output, "stderr": ""}, error, **given)

    def _make(self, tool: str, given: dict[str, Any]) -> tuple[str, str | None]:
        if tool == "Bash":
            done = subprocess.run(
                ["bash", "-c", given["command"]],
                cwd=self.folders.project,
                env=self.folders.env,
                capture_output=True,
                text=True,
                check=False,
            )
            failed = f"Exit code {done.returncode}\n{done.stderr}" if done.returncode else None
            return done.stdout + done.stderr, failed
        path = Path(given["file_path"])
        text = path.read_text()
        if tool == "Edit":
            path.write_text(text.replace(given["old_string"], given["new_string"], 1))
        return text, None

    def end(self) -> None:
        self.client.send("SessionEnd", reason="other")


def _client() -> str:
    """The client to use: named, installed, or left by ``make e2e``."""
    cached = program(CACHE / VERSION)
    return shutil.which("claude") or (str(cached) if cached.exists() else "")


def _words(given: dict[str, Any]) -> str:
    return str(given.get("command") or os.path.basename(str(given.get("file_path"))))


def _head(text: str) -> None:
    print(f"\n── {text} " + "─" * max(3, 76 - len(text)), flush=True)


def _print(head: str, body: str = "") -> None:
    if head:
        print(head)
    if body.strip():
        print(textwrap.indent(body.rstrip(), "    "))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
