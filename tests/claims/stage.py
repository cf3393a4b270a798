"""A scripted session: a real repository, real commands, and the real hooks fed as the client would.

Owns the playing of one. Does not own the stories (``cases``) or their judging (``suite``).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from tests import processes
from tests.hosting import Client, clean_env, git, write

if TYPE_CHECKING:
    from collections.abc import Callable

CALC = "def add(a, b):\n    return a + b\n"
BROKEN = "def add(a, b):\n    return a - b\n"
TEST = """\
import unittest

from calc import add


class Adding(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(add(2, 3), 5)

    def test_adds_nothing(self):
        self.assertEqual(add(2, 0), 2)
"""
UNITTEST = "python -m unittest -q"
PYTEST = "pytest -q"
IGNORED = "__pycache__/\n.pytest_cache/\nbuild/\n"


class Stage(Client):
    """One session; ``files`` is what the first commit holds besides a small project with tests."""

    def __init__(
        self,
        top: str,
        *steps: str,
        files: dict[str, str] | None = None,
        is_git: bool = True,
        inside: str = "",
        headless: bool = True,
        bare: bool = False,
    ) -> None:
        self.top = os.path.realpath(top)
        self.home = os.path.join(self.top, "home")
        self.repo = os.path.join(self.top, "project")
        os.makedirs(self.home, exist_ok=True)
        small = {} if bare else {"calc.py": CALC, "test_calc.py": TEST}
        tree = {**small, ".gitignore": IGNORED, **(files or {})}
        for name, text in tree.items():
            write(self.repo, name, text)
        root = os.path.join(self.repo, inside) if inside else self.repo
        os.makedirs(root, exist_ok=True)
        if is_git:
            git(self.repo, "init", "-q", "-b", "main")
            git(self.repo, "add", ".")
            git(self.repo, "commit", "-qm", "first")
        env = clean_env(self.home, PYTHONDONTWRITEBYTECODE="1")
        tools = os.path.join(self.top, "bin")
        env["PATH"] = os.pathsep.join([tools, os.path.dirname(sys.executable), env["PATH"]])
        env |= {"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.invalid"}
        env |= {"GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.invalid"}
        super().__init__(root, env, attended=not headless)
        self.cwd = root
        self.said = list(steps)
        self._state(steps)
        self.start()

    def _state(self, steps: tuple[str, ...]) -> None:
        lines = ["schema_version: 4", "objective: make it add", "plan:"]
        for number, text in enumerate(steps, 1):
            lines += [f"- description: {json.dumps(text, ensure_ascii=False)}"]
            lines += [f"  status: pending # {number}"]
        lines += ["constraints: []", ""]
        write(self.root, "active_context.yaml", "\n".join(lines))

    # -- what an agent does ----------------------------------------------------------------------

    def sh(
        self,
        command: str,
        *,
        agent: str = "",
        cwd: str = "",
        shown: str = "",
        is_approved: bool = False,
    ) -> int:
        """Run a command as the client does, between the two hooks; ``shown`` replaces its output."""
        began = cwd or self.cwd
        answer = self.before("Bash", agent, began, command=command)
        if answer.get("permissionDecision") == "deny" and not is_approved:
            raise AssertionError(f"denied: {command}")
        start, where = time.monotonic(), os.path.join(self.top, "folder")
        done = subprocess.run(
            ["bash", "-c", f"{command}\ncode=$?; pwd -P > '{where}'; exit $code"],
            cwd=began,
            env=self.env,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        took = int((time.monotonic() - start) * 1000)
        more = {"agent_id": agent} if agent else {}
        fields: dict[str, Any] = {
            "tool_name": "Bash",
            "tool_input": {"command": command},
            "tool_use_id": f"toolu_{self.calls}",
            "duration_ms": took,
            "cwd": self._folder_after(where, began),
            **more,
        }
        if done.returncode:
            error = f"Exit code {done.returncode}\n{done.stdout}{done.stderr}".rstrip("\n")
            self.send("PostToolUseFailure", error=shown or error, is_interrupt=False, **fields)
        else:
            answer = {"stdout": shown or done.stdout, "stderr": done.stderr, "interrupted": False}
            self.send("PostToolUse", tool_response=answer, **fields)
        return done.returncode

    def _folder_after(self, where: str, began: str) -> str:
        """Where the line ended, as the client reports it; outside of the project it goes back."""
        after = (_read(where) or began).strip()
        if os.path.exists(where):
            os.unlink(where)
        is_inside = after == self.root or after.startswith(self.root + os.sep)
        self.cwd = after if is_inside else self.root
        return after

    def slow(self, command: str, meanwhile: Callable[[], None]) -> None:
        """Run a command while something else happens, which is recorded before the command has ended."""
        self.before("Bash", command=command)
        call, start = self.calls, time.monotonic()
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.cwd,
            env=self.env,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        meanwhile()
        self.send(
            "PostToolUse",
            tool_name="Bash",
            tool_input={"command": command},
            tool_response={"stdout": done.stdout, "stderr": done.stderr, "interrupted": False},
            tool_use_id=f"toolu_{call}",
            duration_ms=int((time.monotonic() - start) * 1000),
        )

    def write(self, name: str, text: str, agent: str = "") -> None:
        """The Write tool."""
        path = os.path.join(self.root, name)
        before = _read(path)
        given = {"file_path": path, "content": text}
        self._edited(
            "Write",
            given,
            {"type": "create", "filePath": path, "content": text} | {"originalFile": before},
            lambda: write(self.root, name, text),
            agent,
        )

    def edit(self, name: str, old: str, new: str, agent: str = "") -> None:
        """The Edit tool."""
        path = os.path.join(self.root, name)
        before = _read(path) or ""
        assert old in before, f"{old!r} is not in {name}"
        given = {"file_path": path, "old_string": old, "new_string": new, "replace_all": False}
        answer = {"filePath": path, "oldString": old, "newString": new, "originalFile": before}
        after = before.replace(old, new, 1)
        self._edited("Edit", given, answer, lambda: write(self.root, name, after), agent)

    def _edited(self, tool: str, given: dict[str, Any], answer: Any, act: Any, agent: str) -> None:
        found = self.before(tool, agent, **given)
        assert found.get("permissionDecision") != "deny", found
        act()
        more = {"agent_id": agent} if agent else {}
        self.send(
            "PostToolUse",
            tool_name=tool,
            tool_input=given,
            tool_response=answer,
            tool_use_id=f"toolu_{self.calls}",
            duration_ms=2,
            **more,
        )

    def read(self, name: str) -> None:
        path = os.path.join(self.root, name)
        self.before("Read", file_path=path)
        self.done("Read", {"type": "text"}, file_path=path)

    def begin(self, number: int) -> None:
        """Take a step up, by an edit of the state."""
        self.edit(
            "active_context.yaml", f"status: pending # {number}", f"status: in_progress # {number}"
        )

    def claim(self, number: int = 1, proof: str = "", **more: str) -> None:
        """Complete a step, by an edit of the state, with a proof and other fields."""
        text = _read(os.path.join(self.root, "active_context.yaml")) or ""
        status = "pending" if f"status: pending # {number}" in text else "in_progress"
        fields = {"proof": proof, **more}
        lines = [f"status: completed # {number}"]
        lines += [f"  {k}: {json.dumps(v, ensure_ascii=False)}" for k, v in fields.items() if v]
        self.edit("active_context.yaml", f"status: {status} # {number}", "\n".join(lines))

    def stop(self) -> None:
        self.send("Stop", stop_hook_active=False)

    def another(self) -> None:
        """Another session begins, without this one's end."""
        import uuid  # noqa: PLC0415 - for the few stories with two

        self.session = str(uuid.uuid4())
        self.start()

    def says(self, message: str) -> dict[str, Any]:
        """The turn ends with this message of the agent; the answer of the hook."""
        return self.send("Stop", stop_hook_active=False, last_assistant_message=message)

    def head(self) -> str:
        """The commit that is checked out."""
        words = ["git", "-C", self.repo, "rev-parse", "HEAD"]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()

    # -- what others do --------------------------------------------------------------------------

    def person(self, name: str, text: str) -> None:
        """A person writes a file in an editor of their own."""
        write(self.root, name, text)

    def runner(self, program: str, output: str, code: int = 0) -> None:
        """From now on, a program on the path, outside of the project, prints this and ends so."""
        path = write(
            self.top, f"bin/{program}", f"#!/bin/sh\ncat '{self.top}/bin/.{program}'\nexit {code}\n"
        )
        write(self.top, f"bin/.{program}", output)
        os.chmod(path, 0o755)  # noqa: S103 - a program

    def edge(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The command line, as anybody's."""
        return processes.edge(self.root, *words, env=self.env)

    def verdicts(self) -> dict[int, dict[str, Any]]:
        """What the proof ledger says, by the number of the step."""
        done = self.edge("proof", "ledger", "--json")
        assert done.returncode in (0, 1), done.stdout + done.stderr
        claims = json.loads(done.stdout)["data"]["claims"]
        return {int(each["step"]): each for each in claims}


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None
