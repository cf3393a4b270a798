"""What is known of an attempt so far, from which its result is made: redacted, and bounded.

Does not own what a result means (``bridge.result``) or when it is written (``bridge.closing``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.bridge.executors.port import Usage
from operators_edge.bridge.json_text import NotJson, legible, read_object
from operators_edge.bridge.result import outcome
from operators_edge.bridge.task import taken
from operators_edge.bridge.trackers import Bead
from operators_edge.redaction.redact import clean, redact
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from operators_edge.bridge.branches import Branches, Head
    from operators_edge.bridge.executors.port import Edited
    from operators_edge.bridge.queue import TaskFile
    from operators_edge.bridge.result import CommandRecord, GitRecord, Result

_MAX_SNAPSHOT = 64 * 1024


class Record:
    """One attempt's facts, filled in by its steps. ``secrets`` are hidden in all of them.

    ``defaults`` are those of the settings for tasks.
    """

    def __init__(
        self,
        found: TaskFile,
        secrets: Sequence[str],
        defaults: Mapping[str, Any],
        started_at: datetime,
    ) -> None:
        self.git: GitRecord = {}
        self.baseline: list[CommandRecord] = []
        self.commands: list[CommandRecord] = []
        self.executor: dict[str, Any] = {}
        self.usage = Usage()
        self.scope: dict[str, Any] = {}
        self.bead = Bead()
        self.detail = ""
        self.due = ""
        self._found = found
        self._secrets = secrets
        self._defaults = defaults
        self._started_at = started_at

    def hide(self, text: str) -> str:
        return redact(text, values=self._secrets)

    def hidden(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """The same with every text in it redacted."""
        found: dict[str, Any] = clean(dict(value), _MAX_SNAPSHOT, values=self._secrets)
        return found

    def add_detail(self, text: str) -> None:
        """One more sentence for the person."""
        self.detail = "; ".join(filter(None, (self.detail, legible(text))))

    def tree(self, branches: Branches) -> Head:
        """What the result says of the repository before the attempt; returns what is checked out."""
        head, status = branches.head(), self.hide(branches.status())
        self.git["base_commit"], self.git["branch"] = head.commit, head.branch
        self.git["dirty_before"], self.git["status_before"] = bool(status), status
        return head

    def edit(self, name: str, edited: Edited, *, output: str) -> None:
        """How the last round of editing ended, and what all of them used."""
        self.usage = self.usage.plus(edited.usage)
        self.executor = {
            "name": name,
            "outcome": edited.outcome,
            "detail": self.hide(edited.detail),
            "exit_code": edited.exit_code,
            "seconds": edited.seconds,
            "denied": [self.hide(each) for each in edited.denied],
            "usage": self.hidden(self.usage._asdict()),
            "contained": edited.contained,
            "output": output,
        }

    def result(
        self, reason: str | None, *, attempt: int, artifacts: Mapping[str, str], at: datetime
    ) -> Result:
        status, exit_path = outcome(reason)
        return {
            "id": self._found.row.stem,
            "status": status,
            "exit_path": exit_path,
            "reason": reason,
            "detail": self.hide(self.detail),
            "problems": [self.hide(each) for each in self._found.problems],
            "attempt": attempt,
            **({"due": self.due} if self.due else {}),
            "bead": {
                "title": self.hide(self.bead.title),
                "raw_output": self.hide(self.bead.raw),
                **({"error": self.hide(self.bead.error)} if self.bead.error else {}),
            },
            "git": self.git,
            "baseline": self.baseline,
            "commands": self.commands,
            "executor": self.executor,
            "scope": self.scope,
            "artifacts": dict(artifacts),
            "task_snapshot": snapshot_of(self._found.raw, self._secrets),
            **self._taken_defaults(),
            "task_digest": sha256_hex(self._found.raw),
            "started_at": self._started_at.isoformat(),
            "timestamp": at.isoformat(),
        }

    def _taken_defaults(self) -> Result:
        if self._found.task is None:
            return {}
        found = taken(read_object(self._found.raw), self._defaults)
        return {"defaults": self.hidden(found)} if found else {}


def snapshot_of(raw: bytes, secrets: Sequence[str]) -> dict[str, Any]:
    """The task as it was given, redacted and bounded."""
    try:
        cut: dict[str, Any] = clean(read_object(raw), _MAX_SNAPSHOT, values=secrets)
    except NotJson:
        return {}
    return cut


# end of module
