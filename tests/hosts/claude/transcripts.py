"""Transcripts as Claude Code 2.1.329 writes them, with the keys that were seen there."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

NOW = datetime.now(UTC)
_numbers = count(1)
_REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected."


class Transcript:
    """One session's file below the home folder that the tests are fenced in; ``own`` is its session."""

    def __init__(self, cwd, session="5e551017", *, agent="", days_ago=1.0):
        name = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(cwd))
        folder = Path(os.environ["HOME"], ".claude", "projects", name)
        self.path = folder / f"{session}.jsonl"
        if agent:
            self.path = folder / session / "subagents" / f"agent-{agent}.jsonl"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.agent = agent
        self.cwd = str(cwd)
        self.session = session
        self.at = NOW - timedelta(days=days_ago)

    def line(self, type, content, **more):
        """Append a line; ``more`` replaces keys, or leaves one out with None."""
        entry = {
            "parentUuid": None,
            "isSidechain": bool(self.agent),
            "agentId": self.agent or None,
            "type": type,
            "message": {"role": type, "content": content},
            "uuid": f"u{next(_numbers)}",
            "timestamp": self.at.isoformat().replace("+00:00", "Z"),
            "cwd": self.cwd,
            "sessionId": self.session,
            "session_id": self.session,
            "version": "2.1.329",
            "gitBranch": "main",
            **more,
        }
        self.raw({name: value for name, value in entry.items() if value is not None})
        return self

    def raw(self, what):
        data = what if isinstance(what, bytes) else json.dumps(what, separators=(",", ":")).encode()
        with self.path.open("ab") as file:
            file.write(data + b"\n")
        return self

    def call(self, tool, id="", **given):
        block = {"type": "tool_use", "id": id or f"toolu_{next(_numbers)}"}
        return self.line("assistant", [{**block, "name": tool, "input": given}])

    def bash(self, command, id=""):
        return self.call("Bash", id, command=command, description="run a command")

    def answered(self, id, *, yes, source="user_temporary"):
        """The line of a call's result, after a person answered the client's dialog."""
        said = {"tool_use_id": id, "type": "tool_result", "is_error": not yes}
        if not yes:
            said["content"] = _REJECTED
            more = {"toolUseResult": "User rejected tool use", "toolDenialKind": "user-rejected"}
            return self.line("user", [said], **more)
        decision = {"decision": "accept", "source": source, "grantScope": "once"}
        return self.line("user", [{**said, "content": "done"}], permissionDecision=decision)

    def aged(self, days):
        """Make the file's time so many days ago."""
        then = (NOW - timedelta(days=days)).timestamp()
        os.utime(self.path, (then, then))
        return self
