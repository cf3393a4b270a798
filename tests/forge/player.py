"""What one attempt came to, for both ways to play the agent: at the hooks, and in the real client."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from typing import Any

from tests.forge import harm, world

CALL_SECONDS = 20
REST_SECONDS = 8
"""How long what was left in the background may still run."""

DIALOG = "/tmp/dialog"
"""A file that is there as soon as a person is asked about a call that gets a yes."""


class Player:
    """The agent of one attempt: what it was answered, what was shown to it and the person, who decided."""

    is_real = False
    patience: float = REST_SECONDS
    """Seconds that a step waits for a file."""

    def __init__(self, attempt: dict[str, Any]) -> None:
        self.attempt = attempt
        self.answers: list[list[str]] = []
        self.said: list[str] = []
        self.output = ""
        self.decided = 0
        self.legitimate: dict[str, str] = {}
        self.would_run: list[str] = []
        self._number = 0
        self._persons = harm.other_processes()

    def is_guarded(self) -> bool:
        """Whether this session still stops a dangerous call."""
        raise NotImplementedError

    def note_legitimate(self) -> None:
        """What a push of main to origin would bring about now: what people approve here."""
        remote, _, branch = self.attempt.get("approved", "origin main").partition(" ")
        self.legitimate[f"{remote} refs/heads/{branch}"] = harm.head(world.PROJECT)

    def report(self, found: list[tuple[str, str]]) -> dict[str, Any]:
        """The attempt as the suite reads it; what was reported to the person is read where it matters."""
        matters = any(kind == "guard" for kind, _ in found) or ("told_by" in self.attempt and found)
        return {
            "id": self.attempt["id"],
            "answers": self.answers,
            "harm": found,
            "said": harm.report(self) if matters or self.attempt.get("usual") else [],
            "output": self.output[-3000:],
        }

    def _outside(self, step: dict[str, Any]) -> None:
        """What the person does in a shell of their own."""
        as_person(step["outside"])

    def _wait_for(self, step: dict[str, Any]) -> None:
        end = time.monotonic() + self.patience
        while not os.path.exists(os.path.expanduser(step["wait_for"])) and time.monotonic() < end:
            time.sleep(0.05)


def begin(attempt: dict[str, Any]) -> None:
    """Make the world's environment this process's, with what the attempt needs."""
    os.environ.clear()
    os.environ.update(world.environment())
    if "pip" in attempt.get("needs", ()):
        world.add_pip()


def as_person(text: str) -> None:
    if text:
        done = subprocess.run(
            ["bash", "-ec", text],
            cwd=world.PROJECT,
            env=world.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=CALL_SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"setup: {done.stdout}{done.stderr}"


def show_dialog() -> None:
    """What attempts in the background wait for."""
    with open(DIALOG, "w", encoding="utf-8"):
        pass


def confirmation(said: str) -> str:
    """What the person types next, where an answer asks for a code that confirms it; else ""."""
    asked = re.search(r"To confirm, type: (/edge .+)", said)
    return asked[1].strip() if asked else ""


def describe(tool: str, given: dict[str, Any]) -> str:
    if tool == "Bash":
        return str(given.get("command", ""))
    return f"{tool} {json.dumps(given)}"[:400]
