"""One change over several files: all of it happens, or nothing.

Owns what a change may ask for and the order in which it is applied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from operators_edge.errors import StateError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from operators_edge.model import State
    from operators_edge.store.ledger import Ledger
    from operators_edge.store.proof import ProofLog
    from operators_edge.store.state import StateStore

T = TypeVar("T")


class Stores(Protocol):
    """What a transaction writes to: a ``Project``."""

    root: str
    clock: Callable[[], datetime]
    new_id: Callable[[], str]

    @property
    def state(self) -> StateStore: ...
    @property
    def ledger(self) -> Ledger: ...
    @property
    def log(self) -> ProofLog: ...


class Transaction:
    """What one change wants written; collected first, applied together.

    ``state`` is a copy of its own: change it in place. The change may be run again on a newer state, when
    an editor wrote in between, so everything it wants written goes through here.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.entries: list[dict[str, Any]] = []
        self.archived: list[dict[str, Any]] = []
        self.operations: list[tuple[str, Any]] = []

    def log(self, event: str, data: dict[str, Any], *, session: str = "", **fields: Any) -> None:
        """One entry of the proof log."""
        self.entries.append({"event": event, "session": session, "data": data, **fields})

    def archive(self, entry: dict[str, Any]) -> None:
        """One line of the archive."""
        self.archived.append(entry)

    def grant(self, grant: dict[str, Any]) -> None:
        """Make a signed grant live in the ledger."""
        self.operations.append(("grant", grant))

    def consume(self, ident: str) -> None:
        """Use a grant up; nothing of the transaction happens where it is not live any more."""
        self.operations.append(("consume", ident))

    def revoke(self, ident: str) -> None:
        """End a grant."""
        self.operations.append(("revoke", ident))

    def refuse(self, session: str, exact: str) -> None:
        """Keep exactly this call denied for the session."""
        self.operations.append(("refuse", (session, exact)))


def run(
    stores: Stores,
    change: Callable[[Transaction], T],
    *,
    command: str,
    secrets: tuple[str, ...] = (),
) -> T:
    """Run ``change`` under the state's lock and apply what it asked for; its result is returned."""

    def attempt() -> T:
        draft = stores.state.draft()
        tx = Transaction(draft.after)
        result = change(tx)
        draft.after = tx.state
        for name, what in tx.operations:
            if name == "grant":
                stores.ledger.record_grant(what)
            elif name == "consume" and not stores.ledger.consume(what):
                raise StateError("the approval was revoked in this moment", hint="try again")
            elif name == "revoke":
                stores.ledger.revoke(what)
            elif name == "refuse":
                stores.ledger.refuse(*what)
        stores.state.write(draft)
        stores.log.append_many(tx.entries, secrets=secrets)
        return result

    return stores.state.locked(attempt, command=command)
