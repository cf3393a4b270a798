"""One project's state, log and ledger, opened together, and the place its calls happen in.

Owns what belongs to "this project, this person, now"; does not decide anything.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Any

from operators_edge.errors import EdgeError
from operators_edge.storage.keys import is_genuine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime
    from typing import TypeVar

    from operators_edge.audit.log import ProofLog
    from operators_edge.audit.segments import Position
    from operators_edge.evidence.store import EvidenceStore
    from operators_edge.model import State
    from operators_edge.state.store import StateStore
    from operators_edge.state.transaction import Transaction
    from operators_edge.storage.registry import Registry

    T = TypeVar("T")


def wall_clock() -> datetime:
    from datetime import UTC, datetime  # noqa: PLC0415 - a silent allow reads no clock

    return datetime.now(UTC)


def new_id() -> str:
    """A time-ordered UUID (version 7, RFC 9562): 48 bits of milliseconds, then randomness."""
    milliseconds = int(wall_clock().timestamp() * 1000)
    raw = bytearray(milliseconds.to_bytes(6, "big") + os.urandom(10))
    raw[6] = raw[6] & 0x0F | 0x70
    raw[8] = raw[8] & 0x3F | 0x80
    text = raw.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


class Project:
    """The stores of one root. ``is_set_up`` is False where nothing may be written into the tree.

    ``asking`` is the session whose words are carried out, where a client sent them.

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
            on_intent=self._note_intent,
        )

    @cached_property
    def registry(self) -> Registry:
        from operators_edge.storage.registry import Registry  # noqa: PLC0415 - see the class

        return Registry(self.root, clock=self.clock)

    @cached_property
    def log(self) -> ProofLog:
        from operators_edge.audit.log import ProofLog  # noqa: PLC0415 - see the class

        return ProofLog(
            self.root,
            registry=self.registry,
            clock=self.clock,
            on_session=self._count_session,
        )

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
        secrets: Iterable[str] = (),
    ) -> T:
        """Change the state, and with it log, archive, ledger and files, as one act.

        See ``state.transaction``; ``secrets`` are values to hide in what is logged.
        """
        from operators_edge.state import transaction  # noqa: PLC0415 - see the class

        return transaction.run(self, change, command=command, secrets=tuple(secrets))

    def restore(self, version: str, *, by: str) -> str:
        """Put back a kept version of the state; returns where a damaged file was put aside, or ""."""
        from operators_edge.state import transaction  # noqa: PLC0415 - see the class

        return transaction.restore(self, version, by=by, command="state restore")

    def look_at_intent(self, session: str = "") -> None:
        """Tell the log of an objective or plan that somebody wrote into the state file by hand."""
        self.state.locked(
            lambda: self._note_intent(self.state.read_fast(), session), command="note the plan"
        )

    def latest_session(self) -> str:
        """The session whose words are carried out, else the state's; "" before the first."""
        if self.asking:
            return self.asking
        from operators_edge.state import schema  # noqa: PLC0415 - for commands

        return schema.latest_session(self.state.read())

    def _note_intent(self, state: State, session: str = "") -> None:
        """Append what the log does not say yet of objective and plan; the state's lock is held."""
        try:
            self.log.append_many(self.remarks(state, session))
        except EdgeError as error:
            _complain(error)

    def remarks(self, state: State, session: str = "") -> list[dict[str, Any]]:
        """The entries of what the log does not say yet of a state's objective and plan."""
        from operators_edge.evidence import plan_events  # noqa: PLC0415 - when somebody changed them
        from operators_edge.state import schema  # noqa: PLC0415 - when somebody changed them

        session = session or schema.latest_session(state)
        try:
            entries = plan_events.remark(state, self.evidence.work())
        except EdgeError as error:
            _complain(error)
            return []
        return [{**each, "session": session} for each in entries]

    @cached_property
    def keep_days(self) -> Mapping[str, int | None]:
        """How many days an entry of each type stays in the archive; None: for good (PR-7)."""
        from operators_edge.config import effective  # noqa: PLC0415 - when something is archived

        return effective.load(self.root).keep_days

    @cached_property
    def context_tokens(self) -> int:
        """How much a new session is told at most (LC-6)."""
        from operators_edge.config import effective  # noqa: PLC0415 - once a session

        return effective.load(self.root).context_tokens

    def why_not(self, grant: Mapping[str, Any]) -> str:
        """Why a grant in the state does not count: it is only a view of the ledger. Empty: it does."""
        if not is_genuine(self.root, grant):
            return "its code is not genuine"
        if not self.registry.live(str(grant.get("id"))):
            return "it was used, revoked or never given"
        return ""


def _recover(state: StateStore) -> None:
    from operators_edge.state import transaction  # noqa: PLC0415 - after a crash only

    transaction.recover(state)


def _complain(error: EdgeError) -> None:
    """The change stands, and the next look at the state says what is missing in the log."""
    os.write(2, f"operators-edge: not recorded: {error.message}\n".encode())
