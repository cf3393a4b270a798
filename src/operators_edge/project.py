"""One project: its state, log, registry and evidence, each opened when it is first needed.

Decides nothing.
"""

from __future__ import annotations

import os

from operators_edge.cached import cached_property
from operators_edge.errors import EdgeError
from operators_edge.model import CONTEXT_TOKENS, KEEP_DAYS, UNDO_MEGABYTES
from operators_edge.storage import keys
from operators_edge.system.user_dirs import config_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime
    from typing import Any, TypeVar

    from operators_edge.evidence.store import EvidenceStore
    from operators_edge.model import State
    from operators_edge.records import Grant, LogEntry
    from operators_edge.state.store import StateStore
    from operators_edge.state.transaction import Transaction
    from operators_edge.storage.log import ProofLog
    from operators_edge.storage.registry import Registry
    from operators_edge.storage.segments import Position

    T = TypeVar("T")


def wall_clock() -> datetime:
    from operators_edge.datetimes import UTC, datetime  # noqa: PLC0415 - an ordinary allow reads no clock

    return datetime.now(UTC)


def new_id() -> str:
    """A time-ordered UUID (version 7, RFC 9562): 48 bits of milliseconds, then randomness."""
    milliseconds = int(wall_clock().timestamp() * 1000)
    raw = bytearray(milliseconds.to_bytes(6, "big") + os.urandom(10))
    raw[6] = raw[6] & 0x0F | 0x70
    raw[8] = raw[8] & 0x3F | 0x80
    text = raw.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def secrets_of(root: str | None, env: Mapping[str, str]) -> tuple[str, ...]:
    """What is hidden in all that is kept or shown: this machine's known secrets, and what is configured."""
    from operators_edge.storage import known_secrets  # noqa: PLC0415 - not for an ordinary allow

    found = known_secrets.known(root, env)
    paths = [config_file(env)] if root is None else [config_file(env), *_configurable(root)]
    if not any(map(os.path.lexists, filter(None, paths))):
        return found
    from operators_edge.config import effective  # noqa: PLC0415 - most projects configure nothing

    return (*found, *effective.hidden(root, env))


def _configurable(root: str) -> list[str]:
    return [os.path.join(root, name) for name in ("edge.toml", "pyproject.toml")]


class Project:
    """The stores of one root. ``is_set_up`` is False if nothing may be written into the project.

    ``asking`` is the session in which the command was typed, if a client sent it.

    Each store is opened when it is first needed: most calls are allowed without any.
    """

    def __init__(
        self,
        root: str,
        *,
        is_set_up: bool,
        clock: Callable[[], datetime] = wall_clock,
        ids: Callable[[], str] = new_id,
        asking: str = "",
    ) -> None:
        self.root = root
        self.asking = asking
        self.is_set_up = is_set_up
        self.clock = clock
        self.new_id = ids

    @cached_property
    def state(self) -> StateStore:
        from operators_edge.state.store import StateStore  # noqa: PLC0415 - see the class

        return StateStore(
            self.root,
            clock=self.clock,
            new_id=self.new_id,
            recover=_recover,
        )

    @cached_property
    def registry(self) -> Registry:
        from operators_edge.storage.registry import Registry  # noqa: PLC0415 - see the class

        return Registry(self.root, clock=self.clock)

    @cached_property
    def log(self) -> ProofLog:
        from operators_edge.storage.log import ProofLog  # noqa: PLC0415 - see the class

        return ProofLog(
            self.root,
            registry=self.registry,
            clock=self.clock,
            on_session=self._count_session,
            on_sealed=lambda: self.evidence.bring_on(),  # noqa: PLW0108 - opened only then
            secrets=self.secrets,
        )

    def secrets(self, env: Mapping[str, str] = os.environ) -> tuple[str, ...]:
        """See ``secrets_of``."""
        return secrets_of(self.root, env)

    def _count_session(self, session: str, where: Position | None) -> None:
        self.evidence.begin(session, where)

    @cached_property
    def evidence(self) -> EvidenceStore:
        from operators_edge.evidence.store import EvidenceStore  # noqa: PLC0415 - see the class

        return EvidenceStore(self.root)

    def transact(
        self,
        change: Callable[[Transaction], T],
        *,
        command: str,
        secrets: tuple[str, ...] | None = None,
    ) -> T:
        """Change the state, and with it log, archive, registry and files, in one transaction.

        See ``state.transaction``; ``secrets`` are values to redact in the log, if the caller has them.
        """
        from operators_edge.state import transaction  # noqa: PLC0415 - see the class

        return transaction.run(self, change, command=command, secrets=secrets)

    def tidy(self) -> None:
        """Delete temporary files that nobody writes any more: of killed processes, and of a power loss."""
        self.state.tidy()
        self.registry.tidy()

    def log_plan_changes(self, session: str = "") -> None:
        """Log an objective or plan that was edited in the state file directly."""

        def append() -> None:
            state = self.state.read()
            try:
                self.log.append_many(self.unlogged_changes(state, session))
            except EdgeError as error:
                _report_problem(error)

        self.state.locked(append, command="note the plan")

    def latest_session(self) -> str:
        """The session in which the command was typed, else the state's; "" before the first."""
        if self.asking:
            return self.asking
        from operators_edge.state import schema  # noqa: PLC0415 - for commands

        return schema.latest_session(self.state.read())

    def unlogged_changes(self, state: State, session: str = "") -> list[LogEntry]:
        """The entries for changes of a state's objective and plan that the log lacks."""
        from operators_edge.evidence import plan_events  # noqa: PLC0415 - only after such a change
        from operators_edge.state import schema  # noqa: PLC0415 - only after such a change

        session = session or schema.latest_session(state)
        try:
            entries = plan_events.new_entries(state, self.evidence.work())
        except EdgeError as error:
            _report_problem(error)
            return []
        return [{**each, "session": session} for each in entries]

    @cached_property
    def _config(self) -> Mapping[str, Any]:
        from operators_edge.config import effective  # noqa: PLC0415 - not for a tool call

        return effective.settings(self.root)

    @property
    def keep_days(self) -> Mapping[str, int | None]:
        """How many days an entry of each type stays in the archive; None: permanently (PR-7)."""
        days: Mapping[str, int | None] = self._config.get("keep_days", KEEP_DAYS)
        return days

    @property
    def context_tokens(self) -> int:
        """The size limit of a new session's briefing (LC-6)."""
        return int(self._config.get("context_tokens", CONTEXT_TOKENS))

    @property
    def undo_megabytes(self) -> int:
        """What the snapshots of the repository may take together."""
        return int(self._config.get("undo_megabytes", UNDO_MEGABYTES))

    def refusal_reason(self, grant: Grant | dict[str, Any]) -> str:
        """Why a grant in the state does not count (only the registry decides that); "" if it does."""
        if not keys.is_genuine(self.root, grant):
            return "its code is not genuine"
        if not self.registry.is_live(str(grant.get("id"))):
            return "it was used, revoked or never given"
        return ""


def _recover(state: StateStore) -> None:
    from operators_edge.state import transaction  # noqa: PLC0415 - after a crash only

    transaction.recover(state)


def _report_problem(error: EdgeError) -> None:
    """The change stays, and the missing entries are logged with the next change."""
    from operators_edge.text import outgoing  # noqa: PLC0415 - only after a failure

    outgoing.to_stderr(f"not recorded: {error.message}")


# end of module
