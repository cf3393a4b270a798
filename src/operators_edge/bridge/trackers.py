"""Trackers: a bead for each task in the project's issue tracker, or none.

Owns the words for the tracker's program. A tracker that fails is in the result and changes no outcome.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SECONDS = 10.0


class Bead(NamedTuple):
    """What the tracker said when it made a bead: its id ("" if it made none), its raw output, an error."""

    title: str = ""
    id: str = ""
    raw: str = ""
    error: str = ""


class Tracker(Protocol):
    """Where a task's progress is reported."""

    def open(self, stem: str, title: str) -> Bead:
        """Make a bead, or find the one that an earlier attempt made."""

    def close(self, bead: Bead, reason: str | None) -> str:
        """Say that the task is done (None) or blocked; returns an error, or ""."""


class NoTracker:
    """No tracker: nothing is reported."""

    def open(self, stem: str, title: str) -> Bead:  # noqa: ARG002 - the port's signature
        return Bead(title)

    def close(self, bead: Bead, reason: str | None) -> str:  # noqa: ARG002 - the port's signature
        return ""


class Beads:
    """The program ``bd``, in the project at ``root``."""

    def __init__(self, root: str, env: Mapping[str, str], program: str = "bd") -> None:
        self._root = root
        self._env = {**env, "BD_NON_INTERACTIVE": "1"}
        self._program = program

    def open(self, stem: str, title: str) -> Bead:
        mark = f"bridge:{stem}"
        code, out = self._run("list", "--all", "--limit", "0", "--json")
        for each in _items(out) if code == 0 else []:
            if each.get("external_ref") == mark:
                return Bead(title, str(each.get("id", "")), out[:2_000])
        words = ("create", f"--title={title}", f"--external-ref={mark}", "--json")
        code, out = self._run(*words)
        found = [str(each.get("id", "")) for each in _items(out)]
        if code != 0 or not found or not found[0]:
            return Bead(title, raw=out, error=out.strip() or f"{self._program} ended with {code}")
        return Bead(title, found[0], out)

    def close(self, bead: Bead, reason: str | None) -> str:
        if not bead.id:
            return ""
        if reason is None:
            code, out = self._run("close", bead.id, "--reason", "done", "--json")
        else:
            note = f"--append-notes={reason}"
            code, out = self._run("update", bead.id, "--status", "blocked", note, "--json")
        return "" if code == 0 else out.strip() or f"{self._program} ended with {code}"

    def _run(self, *words: str) -> tuple[int | None, str]:
        try:
            done = subprocess.run(
                [self._program, *words],
                cwd=self._root,
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return None, f"{self._program}: {error}"
        return done.returncode, done.stdout.decode("utf-8", "replace")


def choose(name: str, root: str, env: Mapping[str, str]) -> Tracker:
    """The tracker of the settings: "beads", "none", or "auto": beads where there are some."""
    has_beads = os.path.isdir(os.path.join(root, ".beads")) and shutil.which("bd") is not None
    return Beads(root, env) if name == "beads" or (name == "auto" and has_beads) else NoTracker()


def _items(text: str) -> Sequence[Mapping[str, object]]:
    """The issues in the tracker's JSON: one, a list, or either in an envelope."""
    start = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=0)
    try:
        value, _ = json.JSONDecoder().raw_decode(text[start:])
    except ValueError:
        return []
    if isinstance(value, dict) and "data" in value:
        value = value["data"]
    items = value if isinstance(value, list) else [value]
    return [each for each in items if isinstance(each, dict)]
