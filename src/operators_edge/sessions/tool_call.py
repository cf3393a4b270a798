"""One tool call of a session: the entry point for what happens before and after it.

Owns what every event of a session needs (project, secrets, its lines in the log) and nothing that only some
of them do. The decision is in ``sessions.before_call``, the observation in ``sessions.after_call``. Does not
own how a host words its events (``hosts``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from operators_edge.errors import EdgeError, NotSetUp

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.evidence.checks.run import LoggedCheck
    from operators_edge.model import Call, Outcome
    from operators_edge.project import Project
    from operators_edge.records import LogEntry


class ToolCallHandler:
    """One event of one session.

    ``project`` is None if no project root was found: then the built-in rules apply, nothing is recorded and
    no grant counts. ``can_ask`` is True if the host can show a dialog to a person.
    """

    def __init__(
        self,
        project: Project | None,
        *,
        session: str,
        can_ask: bool,
        env: Mapping[str, str] = os.environ,
    ) -> None:
        self.project = project
        self.session = session
        self.can_ask = can_ask
        self.env = env
        self._secrets: tuple[str, ...] | None = None

    # Session starts, prompts and turn ends also come through this class, and load neither gate nor checks.

    def before(self, call: Call) -> Outcome:
        """What may happen to this call; every refusal is recorded before it is answered."""
        from operators_edge.sessions import before_call  # noqa: PLC0415 - for calls only

        return before_call.decide(self, call)

    def lets_pass(self, call: Call) -> bool:
        """Whether ``before`` would allow the call silently and write nothing.

        False if finding out takes time: rules that are not compiled, or a question to git.
        """
        from operators_edge.sessions import before_call  # noqa: PLC0415 - for calls only

        return before_call.is_silent(self, call)

    def after(
        self,
        call: Call,
        *,
        output: str,
        error: str | None,
        duration_ms: int | None,
        response: object = None,
        todos: dict[str, Any] | None = None,
    ) -> LoggedCheck | None:
        """Log what the call did, unless no project is set up; returns the check that it ran, if it ran one.

        ``response`` is the tool's own answer as data, if the host passes one, and ``todos`` what the call
        says about the host's own todos (``hosts.claude.todos``).
        """
        if self.recorded_project is None:
            return None
        from operators_edge.sessions import after_call  # noqa: PLC0415 - not before a call

        return after_call.observe(
            self,
            call,
            output=output,
            error=error,
            duration_ms=duration_ms,
            response=response,
            todos=todos,
        )

    # -- what every event needs ------------------------------------------------------------------

    @property
    def root(self) -> str | None:
        return self.project.root if self.project else None

    @property
    def recorded_project(self) -> Project | None:
        """The project, if it is set up: only then is anything recorded and can a grant count."""
        return self.project if self.project is not None and self.project.is_set_up else None

    def require_project(self) -> Project:
        if self.project is None:
            raise NotSetUp("no project could be resolved here", hint="edge init")
        return self.project

    def secrets(self) -> tuple[str, ...]:
        """The secret values of the environment, which are redacted wherever they occur."""
        if self._secrets is None:
            from operators_edge.redaction.redact import secret_values  # noqa: PLC0415 - not for an allow

            self._secrets = secret_values(self.env)
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
            os.write(2, f"operators-edge: not recorded: {error.message}\n".encode())
