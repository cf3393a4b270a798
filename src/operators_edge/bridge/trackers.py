"""Trackers: a bead for each task in the project's issue tracker, or none.

Owns the words for the tracker's program. A tracker that fails is asked again, then it is in the result and
changes no outcome; what it did not take is sent again before the next task.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.storage import files

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_SECONDS = 10.0
_WAITS = (0.2, 1.0)
"""Seconds before a failed call is made again."""


class Bead(NamedTuple):
    """What the tracker said when it made a bead: its id ("" if it made none), its raw output, an error."""

    title: str = ""
    id: str = ""
    raw: str = ""
    error: str = ""


class Tracker:
    """Where a task's progress is reported: nowhere, unless a method says otherwise."""

    def open(self, stem: str, title: str) -> Bead:  # noqa: ARG002 - for those that report
        """Make a bead, or find the one that an earlier attempt made."""
        return Bead(title)

    def close(self, bead: Bead, reason: str | None) -> str:  # noqa: ARG002 - for those that report
        """Say that the task is done (None) or blocked; returns an error, or ""."""
        return ""


class Beads(Tracker):
    """The program ``bd``, in the project at ``root``."""

    def __init__(
        self,
        root: str,
        env: Mapping[str, str],
        program: str = "bd",
        *,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._root = root
        self._env = {**env, "BD_NON_INTERACTIVE": "1"}
        self._program = program
        self._pause = pause

    def open(self, stem: str, title: str) -> Bead:
        mark = f"bridge:{stem}"
        code, out = self._run("list", "--all", "--limit", "0", "--json")
        for each in _items(out) if code == 0 else []:
            if each.get("external_ref") == mark:
                return self._begun(Bead(title, str(each.get("id", "")), json.dumps(each)))
        words = ("create", f"--title={title}", f"--external-ref={mark}", "--json")
        code, out = self._run(*words)
        found = [str(each.get("id", "")) for each in _items(out)]
        if code != 0 or not found or not found[0]:
            return Bead(title, raw=out, error=self._error(code, out))
        return self._begun(Bead(title, found[0], out))

    def _begun(self, bead: Bead) -> Bead:
        """Say that work on it begins."""
        code, out = self._run("update", bead.id, "--status", "in_progress", "--json")
        return bead if code == 0 else bead._replace(error=self._error(code, out))

    def close(self, bead: Bead, reason: str | None) -> str:
        if not bead.id:
            return ""
        if reason is None:
            code, out = self._run("close", bead.id, "--reason", "done", "--json")
        else:
            note = f"--append-notes={reason}"
            code, out = self._run("update", bead.id, "--status", "blocked", note, "--json")
        return "" if code == 0 else self._error(code, out)

    def _error(self, code: int | None, out: str) -> str:
        return out.strip() or f"{self._program} ended with {code}"

    def _run(self, *words: str) -> tuple[int | None, str]:
        """The exit code and the output of a call. Its database has one writer: a failure is tried again."""
        for wait in _WAITS:
            code, out = self._once(*words)
            if code in (0, None):
                return code, out
            self._pause(wait)
        return self._once(*words)

    def _once(self, *words: str) -> tuple[int | None, str]:
        """One call; None if it could not be started or took too long."""
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


class Remembering(Tracker):
    """A tracker whose news wait in the file ``path`` while it fails."""

    def __init__(self, tracker: Tracker, path: str) -> None:
        self._tracker = tracker
        self._path = path

    def open(self, stem: str, title: str) -> Bead:
        """Send what it did not take before, then as any tracker."""
        kept = self._kept()
        left = {each: why for each, why in kept.items() if self._tracker.close(Bead(id=each), why)}
        if left != kept:
            self._keep(left)
        return self._tracker.open(stem, title)

    def close(self, bead: Bead, reason: str | None) -> str:
        error = self._tracker.close(bead, reason)
        kept = self._kept()
        others = {each: why for each, why in kept.items() if each != bead.id}
        wanted = {**others, bead.id: reason} if error else others
        if wanted != kept:
            self._keep(wanted)
        return f"{error}; this is sent again before the next task" if error else ""

    def _kept(self) -> dict[str, str | None]:
        """By bead, the reason that waits; None for a success."""
        try:
            kept = json.loads(files.read_bytes(self._path) or b"{}")
        except ValueError:
            return {}  # a bead then stays as it is, and the results say what happened
        return kept if isinstance(kept, dict) else {}

    def _keep(self, wanted: Mapping[str, str | None]) -> None:
        files.write_durable(self._path, json.dumps(wanted).encode())


def choose(name: str, root: str, env: Mapping[str, str], memory: str) -> Tracker:
    """The tracker of the settings: "beads", "none", or "auto": beads where there are some.

    ``memory`` is a file of the person, for news that a tracker did not take.
    """
    found = shutil.which("bd", path=env.get("PATH")) is not None
    has_beads = found and os.path.isdir(os.path.join(root, ".beads"))
    if name == "beads" or (name == "auto" and has_beads):
        return Remembering(Beads(root, env), memory)
    return Tracker()


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


# end of module
