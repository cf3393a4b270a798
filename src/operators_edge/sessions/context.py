"""What handling one event of a session needs, whatever the event: project, secrets, its lines in the log.

Every tool call loads this, so what only some events need is imported in the methods. Does not own what is
done about an event: ``sessions.before_call``, ``sessions.after_call``, ``sessions.start`` and so on.
"""

from __future__ import annotations

import os

from operators_edge.errors import EdgeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from operators_edge.model import Call
    from operators_edge.project import Project
    from operators_edge.records import LogEntry

EDITING_TOOLS = ("Edit", "Write", "MultiEdit", "NotebookEdit")


class EventContext:
    """One event of one session.

    ``project`` is None if no project root was found: then the built-in rules apply, nothing is recorded and
    no grant counts. ``can_ask`` is True if the host can show a dialog to a person; ``who_answers`` tells what
    would answer it in their place, "" for nothing.
    """

    def __init__(
        self,
        project: Project | None,
        *,
        session: str,
        can_ask: bool,
        who_answers: Callable[[], str] = str,
        env: Mapping[str, str] = os.environ,
    ) -> None:
        self.project = project
        self.session = session
        self.can_ask = can_ask
        self.who_answers = who_answers
        self.env = env
        self._secrets: tuple[str, ...] | None = None

    @property
    def root(self) -> str | None:
        return self.project.root if self.project else None

    @property
    def recorded_project(self) -> Project | None:
        """The project, if it is set up: only then is anything recorded and can a grant count."""
        return self.project if self.project is not None and self.project.is_set_up else None

    def secrets(self) -> tuple[str, ...]:
        """What is known to be secret, and redacted wherever it occurs."""
        if self._secrets is None:
            from operators_edge.project import secrets_of  # noqa: PLC0415 - not for an allow

            self._secrets = secrets_of(self.root, self.env)
        return self._secrets

    def redacted_text(self, call: Call) -> str:
        """The call as a person reads it in a junction: redacted, one paragraph, bounded."""
        from operators_edge.approvals import messages  # noqa: PLC0415 - not for an allow

        return messages.redacted_text(call, self.secrets())

    def record(self, event: str, data: dict[str, Any], call: Call | None = None) -> None:
        """Append one event of this session to the log; does nothing if no project is set up."""
        project = self.recorded_project
        if project is None:
            return
        entry: LogEntry = {"event": event, "session": self.session, "data": data}
        if call is not None:
            data.setdefault("shown", self.redacted_text(call))
            entry.update({"tool": call.tool, "agent": call.agent, "tool_use_id": call.id})
        try:
            project.log.append(entry, secrets=self.secrets())
        except EdgeError as error:
            # The verdict holds without its line in the log; hosts keep what a hook writes to stderr.
            from operators_edge.text import outgoing  # noqa: PLC0415 - only after a failure

            outgoing.to_stderr(f"not recorded: {error.message}")


# end of module
