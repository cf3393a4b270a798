"""Transactions: a change of several files that happens completely or not at all.

Owns what a transaction can contain, the order in which it is applied, and recovery after a crash. Under the
state's lock everything is first written into one record (``storage.journal``). Once that is synced the change
will happen, in this process or in the next one that takes the lock; before that nothing was touched. The lock
ends with its process, so a record that is found under the lock belongs to a process that has exited.

The order: registry (the only part that can refuse, and then nothing else was done), state, files, log. A
grant has no effect before the state shows it; a revocation stays even if the rest does not happen. See
``docs/transactions.md``.
"""

from __future__ import annotations

import os

from operators_edge.contexts import suppress
from operators_edge.errors import StateError
from operators_edge.locations import PROOF_DIR
from operators_edge.state import notices_store
from operators_edge.state.store import ChangedMeanwhile
from operators_edge.storage import files, journal
from operators_edge.storage.journal import Record
from operators_edge.storage.log import ProofLog, prepared_entry
from operators_edge.storage.registry import GrantGone, Registry
from operators_edge.system.digest import sha256_hex
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime
    from typing import Any, Protocol, TypeVar

    from operators_edge.model import State
    from operators_edge.records import Grant, LogEntry
    from operators_edge.state.store import Draft, StateStore
    from operators_edge.storage.journal import StateChange

    T = TypeVar("T")

    class Stores(Protocol):
        """What a transaction writes to: a ``Project``."""

        root: str
        clock: Callable[[], datetime]
        new_id: Callable[[], str]

        @property
        def state(self) -> StateStore: ...
        @property
        def registry(self) -> Registry: ...
        @property
        def log(self) -> ProofLog: ...
        @property
        def keep_days(self) -> Mapping[str, int | None]: ...
        def unlogged_changes(self, state: State) -> list[LogEntry]: ...


class Transaction:
    """What one change writes; collected first, applied together.

    ``state`` is a private copy: change it in place. The change is run again on a newer state if an editor
    wrote in between, so everything it writes must go through this object. Paths of files are relative to the
    project's root, with ``/``; no part of one may be a link.
    """

    def __init__(self, root: str, state: State) -> None:
        self.root = root
        self.state = state
        self.entries: list[LogEntry] = []
        self.archived: list[dict[str, Any]] = []
        self.operations: list[dict[str, Any]] = []
        self.steps: list[journal.Step] = []

    def log(self, event: str, data: dict[str, Any], *, session: str = "", **fields: Any) -> None:
        """One entry of the proof log."""
        self.entries.append(
            cast("LogEntry", {"event": event, "session": session, "data": data, **fields})
        )

    def tell(self, events: Iterable[tuple[str, dict[str, Any]]], *, session: str) -> None:
        """Add the events of an edit as entries of one session."""
        for event, data in events:
            self.log(event, data, session=session)

    def archive(self, entry: dict[str, Any]) -> None:
        """One line of the archive; ``type`` is one of ``model.KEEP_DAYS``."""
        self.archived.append(entry)

    def grant(self, grant: Grant | dict[str, Any]) -> None:
        """Make a signed grant live in the registry."""
        self.operations.append(
            {
                "do": "grant",
                "id": str(grant["id"]),
                "kind": grant.get("kind", ""),
                "expires_at": grant.get("expires_at"),
            }
        )

    def consume(self, ident: str) -> None:
        """Use a grant; if it is no longer live, nothing of the transaction happens."""
        self.operations.append({"do": "consume", "id": ident})

    def revoke(self, ident: str) -> None:
        """End a grant."""
        self.operations.append({"do": "revoke", "id": ident})

    def refuse(self, session: str, exact: str) -> None:
        """Remember a refusal for the session, of a call or a class (``junction.refusal_of``)."""
        self.operations.append({"do": "refuse", "session": session, "exact": exact})

    def write(self, path: str, data: bytes | str, *, mode: int | None = None) -> None:
        """Replace a file's content, or create it; ``mode`` is for a new one, 0600 by default."""
        before = journal.digest_of(self.root, path)
        self.steps.append(
            {"do": "write", "path": path, "before": before, "text": _text(data), "mode": mode}
        )

    def rename(self, path: str, to: str) -> None:
        """Move a file; its new path must not exist."""
        journal.target(self.root, path)
        if os.path.lexists(journal.target(self.root, to)):
            raise StateError(f"{to} already exists", hint="Move it away.")
        self.steps.append({"do": "rename", "path": path, "to": to})


def _text(data: bytes | str) -> str:
    return data if isinstance(data, str) else data.decode("utf-8", "surrogateescape")


# -- a change --------------------------------------------------------------------------------------


def run(
    stores: Stores,
    change: Callable[[Transaction], T],
    *,
    command: str,
    secrets: tuple[str, ...] | None = None,
) -> T:
    """Run ``change`` under the state's lock and apply what it collected; its result is returned.

    Raises GrantGone, StateInvalid, StateDamaged or StateError with nothing changed; or a StateError whose
    hint says that the next command finishes the change.
    """
    ident = stores.new_id()

    def attempt() -> T:
        draft = stores.state.draft()
        tx = Transaction(stores.root, draft.after)
        result = change(tx)
        draft.after = tx.state
        _archive(stores, tx, ident)
        _commit(stores, draft, tx, ident=ident, command=command, secrets=secrets)
        asking[:] = [each for each in tx.entries if each["event"] in _ASKING]
        return result

    asking: list[LogEntry] = []
    result = stores.state.locked(attempt, command=command)
    if asking:
        from operators_edge.storage import wake  # noqa: PLC0415 - few calls ask a person

        wake.now(stores.root)
    return result


_ASKING = ("junction_raised", "asked")
"""Events after which a person is waited for, who may want to be notified."""


def restore(stores: Stores, version: str, *, by: str) -> str:
    """Restore a version of the state and log it, in one transaction.

    Returns where a damaged file was moved to, else "".
    """
    ident, command = stores.new_id(), "state restore"

    def attempt() -> str:
        draft = stores.state.restoring(version)
        if not draft.is_changed():
            return ""
        moved_to = stores.state.keep_damaged(draft)
        tx = Transaction(stores.root, draft.after)
        kept = os.path.relpath(moved_to, stores.root) if moved_to else None
        tx.log("state_restored", {"version": version, "by": by, "damaged_kept": kept})
        _commit(stores, draft, tx, ident=ident, command=command, secrets=())
        return moved_to

    return stores.state.locked(attempt, command=command)


def _archive(stores: Stores, tx: Transaction, ident: str) -> None:
    """Turn the archived entries into one step on the archive, and update the state's summary of it."""
    if not tx.archived:
        return
    from operators_edge.storage import archive  # noqa: PLC0415 - a rare change

    now = stores.clock()
    step, dropped = archive.step(
        stores.root, tx.archived, tx=ident, now=now, keep_days=stores.keep_days
    )
    tx.steps.append(step)
    if dropped:
        tx.log("archive_pruned", {"over": dict(sorted(dropped.items()))})
    before = tx.state.get("archive")
    before = before if isinstance(before, dict) else {}
    count = before.get("entries_archived")
    last = max(archive.last_mismatch(stores.root, before), archive.highest(tx.archived))
    tx.state["archive"] = {
        **before,
        archive.LAST_MISMATCH: last,
        "path": archive.PATH,
        "last_prune": now.isoformat(),
        "entries_archived": (count if type(count) is int else 0) + len(tx.archived),
    }


def _commit(
    stores: Stores,
    draft: Draft,
    tx: Transaction,
    *,
    ident: str,
    command: str,
    secrets: tuple[str, ...] | None,
) -> None:
    is_changed = draft.is_changed()
    if draft.is_intent_changed():
        tx.entries += stores.unlogged_changes(draft.after)
    if not tx.steps and sum((is_changed, bool(tx.entries), bool(tx.operations))) <= 1:
        # A change of a single file is atomic without a record.
        stores.state.write(draft)
        if tx.operations:
            stores.registry.apply(tx.operations, tx=ident)
        stores.log.append_many(tx.entries, secrets=secrets)
        return
    state: StateChange | None = None
    if is_changed:
        draft.after["transaction"] = ident
        text = draft.document().encoded().decode()
        state = {"before": _digest(draft.loaded.data), "text": text}
    marked: list[LogEntry] = [{**each, "tx": ident} for each in tx.entries]
    entries = stores.log.prepared(marked, secrets=secrets)
    record = Record(
        id=ident,
        command=command,
        at=stores.clock().isoformat(),
        state=state,
        ledger=tx.operations,
        files=tx.steps,
        log={"after": stores.log.count() if entries else 0, "entries": entries},
    )
    try:
        journal.write(stores.root, record, before=lambda: stores.state.require_still(draft.loaded))
    except files.Unconfirmed as error:
        raise _unfinished(error) from error
    except StateError as error:
        _say_unchanged(error)
        raise
    _apply(stores, record, draft)


def _apply(stores: Stores, record: Record, draft: Draft) -> None:
    """Apply a record that was just written; if nothing of it could be applied, withdraw it."""
    _apply_to_registry(stores, record)
    try:
        if record.state is not None:
            stores.state.write(draft)
    except ChangedMeanwhile:
        stores.registry.withdraw(record.id)
        _withdraw(stores)
        raise
    except StateError as error:
        if record.ledger or _is_in(record, files.read_bytes(stores.state.path)):
            raise _unfinished(error) from error
        _withdraw(stores)
        _say_unchanged(error)
        raise
    try:
        for step in record.files:
            journal.apply(stores.root, step, record.id)
        if record.log["entries"]:
            stores.log.append_once(record.log["entries"], tx=record.id, after=record.log["after"])
        journal.remove(stores.root)
    except StateError as error:
        raise _unfinished(error) from error


def _apply_to_registry(stores: Stores, record: Record) -> None:
    """The only part that can refuse: then nothing of the record happens."""
    try:
        if record.ledger:
            stores.registry.apply(record.ledger, tx=record.id)
    except files.Unconfirmed as error:
        raise _unfinished(error) from error
    except GrantGone:
        _withdraw(stores)
        raise
    except StateError as error:
        _withdraw(stores)
        _say_unchanged(error)
        raise


def _withdraw(stores: Stores) -> None:
    """Remove the record of a change of which nothing was applied; if it stays, the change will happen."""
    try:
        journal.remove(stores.root)
    except StateError as error:
        raise _unfinished(error) from error


def _say_unchanged(error: StateError) -> None:
    """A change of several files: of none of them."""
    if error.hint.endswith(files.UNCHANGED):
        error.hint = f"{error.hint.removesuffix(files.UNCHANGED)}Nothing was changed."


def _unfinished(error: StateError) -> StateError:
    hint = f"{error.hint} The change is committed: the next edge command finishes it."
    return StateError(error.message, hint=hint.strip(), detail=error.detail)


def _is_in(record: Record, state: bytes | None) -> bool:
    """Whether a state contains this transaction, even if it was edited since."""
    return state is not None and record.id.encode() in state


def _digest(data: bytes | None) -> str | None:
    return None if data is None else sha256_hex(data)


# -- after a crash ---------------------------------------------------------------------------------


def recover(state: StateStore) -> None:
    """Finish the transaction of a process that has exited; the state's lock must be held.

    A damaged record is moved to the history: a record is synced before the first step, so none was applied.
    A complete record that was sealed with another key, or for another project, is moved there too; part of
    it may have been applied. If the state was edited since the crash and does not contain the transaction,
    the edit stays and the transaction is dropped.
    """
    registry = Registry(state.root, clock=state.clock)
    log = ProofLog(state.root, registry=registry, clock=state.clock)
    try:
        record = journal.read(state.root)
    except journal.Torn as error:
        data = files.read_bytes(journal.path_of(state.root)) or b""
        record = Record(id=f"torn-{sha256_hex(data)[:16]}", command="", at="")
        what = (
            "could not be finished, and part of it may be done"
            if error.is_whole
            else "did not happen"
        )
        why = f"its record cannot be used: {error}"
        _drop(state, log, record, why, ending="torn", what=what)
        return
    if record is None:
        return
    why = _redo(state, registry, record)
    if why:
        registry.withdraw(record.id)
        _drop(state, log, record, why, ending="dropped")
        return
    for step in record.files:
        files.sweep(journal.target(state.root, step["path"]))
    remarks = [journal.apply(state.root, step, record.id) for step in record.files]
    remarks = [each for each in remarks if each]
    parts = [("registry", record.ledger), ("state", record.state), ("log", record.log["entries"])]
    touched = [name for name, part in parts if part] + [step["path"] for step in record.files]
    note = {"outcome": "finished", "files": touched, "remarks": remarks}
    done = f"A change that was interrupted ({record.command}) was finished."
    text = " ".join([done, *(f"{each}." for each in remarks)])
    _report(state, log, record, note, text, entries=record.log["entries"])
    journal.remove(state.root)


def _redo(state: StateStore, registry: Registry, record: Record) -> str:
    """Apply the record to registry and state; returns the reason if nothing of it may happen."""
    present = files.read_bytes(state.path)
    is_in = _is_in(record, present)
    edited = "the state file was changed by hand after the interruption"
    if record.state is not None and not is_in and _digest(present) != record.state["before"]:
        return edited
    try:
        if record.ledger:
            registry.apply(record.ledger, tx=record.id)
    except GrantGone as error:
        if not is_in:
            return error.message
    if record.state is not None and not is_in:
        try:
            state.replace(record.state["text"].encode(), present)
        except ChangedMeanwhile:
            return edited
    return ""


def _drop(
    state: StateStore,
    log: ProofLog,
    record: Record,
    why: str,
    *,
    ending: str,
    what: str = "did not happen",
) -> None:
    stamp = record.id
    note = {"outcome": ending, "why": why, "kept": f"history/journal-{stamp}.{ending}"}
    which = f"A change that was interrupted ({record.command})" if record.command else "A change"
    text = f"{which} {what}: {why}. Its record is kept in {PROOF_DIR}/{note['kept']}."
    _report(state, log, record, note, text, entries=[])
    journal.move_to_history(state.root, ending, stamp)


def _report(
    state: StateStore,
    log: ProofLog,
    record: Record,
    note: dict[str, Any],
    text: str,
    *,
    entries: list[LogEntry],
) -> None:
    """Log the recovery after the transaction's own entries, and leave a notice for the next session."""
    data = {"id": record.id, "command": record.command, "at": record.at, **note}
    own = prepared_entry({"event": "transaction_recovery", "data": data, "tx": record.id}, ())
    log.append_once([*entries, own], tx=record.id, after=record.log["after"])
    with suppress(StateError):  # it is in the log
        notices_store.leave(state.root, record.id, text)


# end of module
