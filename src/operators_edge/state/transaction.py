"""One change over several files: all of it happens, or nothing.

Owns what a change may ask for, the order in which it is applied, and what is done after a crash. Under the
state's lock everything is written into one record first (``storage.journal``); when that is durable the
change happens, in this process or in the next one that takes the lock. Before that nothing was touched. The
lock dies with its process, so a record that is found under it belongs to nobody who is still alive.

The order: ledger (the only one that can say no, and then nothing else was done), state, files, log. What
makes something more permissive, a grant, is of no use before the state shows it; what makes it less so
stays, whatever comes of the rest.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from operators_edge.audit.log import ProofLog, prepared_entry
from operators_edge.errors import StateError
from operators_edge.locations import PROOF_DIR
from operators_edge.state.store import ChangedMeanwhile
from operators_edge.storage import files, journal
from operators_edge.storage.journal import Record
from operators_edge.storage.registry import GrantGone, Registry
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from operators_edge.model import State
    from operators_edge.state.store import Draft, StateStore

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
    def remarks(self, state: State) -> list[dict[str, Any]]: ...


class Transaction:
    """What one change wants written; collected first, applied together.

    ``state`` is a copy of its own: change it in place. The change may be run again on a newer state, when
    an editor wrote in between, so everything it wants written goes through here. Paths of files are
    relative to the project's root, with ``/``; no part of one may be a link.
    """

    def __init__(self, root: str, state: State) -> None:
        self.root = root
        self.state = state
        self.entries: list[dict[str, Any]] = []
        self.archived: list[dict[str, Any]] = []
        self.operations: list[dict[str, Any]] = []
        self.steps: list[journal.Step] = []

    def log(self, event: str, data: dict[str, Any], *, session: str = "", **fields: Any) -> None:
        """One entry of the proof log."""
        self.entries.append({"event": event, "session": session, "data": data, **fields})

    def tell(self, events: Iterable[tuple[str, dict[str, Any]]], *, session: str) -> None:
        """What an edit has for the proof log, as entries of one session."""
        for event, data in events:
            self.log(event, data, session=session)

    def archive(self, entry: dict[str, Any]) -> None:
        """One line of the archive; ``type`` is one of ``archive.TYPES``."""
        self.archived.append(entry)

    def grant(self, grant: dict[str, Any]) -> None:
        """Make a signed grant live in the ledger."""
        what = {"id": str(grant["id"]), "kind": grant.get("kind", "")}
        self.operations.append({"do": "grant", **what, "expires_at": grant.get("expires_at")})

    def consume(self, ident: str) -> None:
        """Use a grant up; nothing of the transaction happens where it is not live any more."""
        self.operations.append({"do": "consume", "id": ident})

    def revoke(self, ident: str) -> None:
        """End a grant."""
        self.operations.append({"do": "revoke", "id": ident})

    def refuse(self, session: str, exact: str) -> None:
        """Keep exactly this call denied for the session."""
        self.operations.append({"do": "refuse", "session": session, "exact": exact})

    def write(self, path: str, data: bytes | str, *, mode: int | None = None) -> None:
        """Replace a file's content, or make it; ``mode`` is for a new one, 0600 otherwise."""
        step = {"do": "write", "path": path, "before": journal.digest_of(self.root, path)}
        self.steps.append({**step, "text": _text(data), "mode": mode})

    def append(self, path: str, data: bytes | str) -> None:
        """Add to a file's end."""
        present = files.read_bytes(journal.target(self.root, path)) or b""
        step = {"do": "append", "path": path, "size": len(present)}
        self.steps.append({**step, "text": _text(data)})

    def rename(self, path: str, to: str) -> None:
        """Move a file; nothing may be where it goes."""
        journal.target(self.root, path)
        if os.path.lexists(journal.target(self.root, to)):
            raise StateError(f"{to} is there already", hint="Move it away.")
        self.steps.append({"do": "rename", "path": path, "to": to})

    def remove(self, path: str) -> None:
        """Remove a file; one that is not there is gone already."""
        before = journal.digest_of(self.root, path)
        if before is not None:
            self.steps.append({"do": "remove", "path": path, "before": before})


def _text(data: bytes | str) -> str:
    return data if isinstance(data, str) else data.decode("utf-8", "surrogateescape")


# -- a change --------------------------------------------------------------------------------------


def run(
    stores: Stores,
    change: Callable[[Transaction], T],
    *,
    command: str,
    secrets: tuple[str, ...] = (),
) -> T:
    """Run ``change`` under the state's lock and apply what it asked for; its result is returned.

    Raises GrantGone, StateInvalid, StateDamaged or StateError with nothing changed; a StateError that
    says so when the change is under way and the next command finishes it.
    """
    ident = stores.new_id()

    def attempt() -> T:
        draft = stores.state.draft()
        tx = Transaction(stores.root, draft.after)
        result = change(tx)
        draft.after = tx.state
        _archive(stores, tx, ident)
        if draft.is_intent_changed():
            tx.entries += stores.remarks(draft.after)
            draft.is_told = True
        _commit(stores, draft, tx, ident=ident, command=command, secrets=secrets)
        return result

    return stores.state.locked(attempt, command=command)


def restore(stores: Stores, version: str, *, by: str, command: str) -> str:
    """Put back a kept version of the state, and say so in the log, as one act.

    Returns where a damaged file was put aside, else "".
    """
    ident = stores.new_id()

    def attempt() -> str:
        draft = stores.state.restoring(version)
        if not draft.is_changed():
            return ""
        aside = stores.state.put_aside(draft)
        tx = Transaction(stores.root, draft.after)
        kept = os.path.relpath(aside, stores.root) if aside else None
        tx.log("state_restored", {"version": version, "by": by, "damaged_kept": kept})
        if draft.is_intent_changed():
            tx.entries += stores.remarks(draft.after)
            draft.is_told = True
        _commit(stores, draft, tx, ident=ident, command=command, secrets=())
        return aside

    return stores.state.locked(attempt, command=command)


def _archive(stores: Stores, tx: Transaction, ident: str) -> None:
    """Turn what is archived into one step on its file, and say so in the state."""
    if not tx.archived:
        return
    from operators_edge.audit import archive  # noqa: PLC0415 - a rare change

    now = stores.clock()
    step, gone = archive.step(
        stores.root, tx.archived, tx=ident, now=now, keep_days=stores.keep_days
    )
    tx.steps.append(step)
    if gone:
        tx.log("archive_pruned", {"over": dict(sorted(gone.items()))})
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
    secrets: tuple[str, ...],
) -> None:
    is_changed = draft.is_changed()
    if not tx.steps and sum((is_changed, bool(tx.entries), bool(tx.operations))) <= 1:
        # One file alone is whole by itself.
        stores.state.write(draft)
        if tx.operations:
            stores.registry.apply(tx.operations, tx=ident)
        stores.log.append_many(tx.entries, secrets=secrets)
        return
    state = None
    if is_changed:
        draft.after["transaction"] = ident
        text = draft.document().encoded().decode()
        state = {"before": _digest(draft.loaded.data), "text": text}
    entries = [prepared_entry({**each, "tx": ident}, secrets) for each in tx.entries]
    record = Record(
        id=ident,
        command=command,
        at=stores.clock().isoformat(),
        state=state,
        ledger=tx.operations,
        files=tx.steps,
        log={"after": stores.log.count() if entries else 0, "entries": entries},
    )
    journal.write(stores.root, record, before=lambda: stores.state.require_still(draft.loaded))
    _happen(stores, record, draft)


def _happen(stores: Stores, record: Record, draft: Draft) -> None:
    """Apply a record that was just written; where nothing of it came to be it is taken back."""
    try:
        if record.ledger:
            stores.registry.apply(record.ledger, tx=record.id)
    except StateError:
        journal.remove(stores.root)
        raise
    try:
        if record.state is not None:
            stores.state.write(draft)
    except ChangedMeanwhile:
        stores.registry.withdraw(record.id)
        journal.remove(stores.root)
        raise
    except StateError as error:
        if record.ledger or _is_in(record, files.read_bytes(stores.state.path)):
            raise _to_be_finished(error) from error
        journal.remove(stores.root)
        raise
    try:
        for step in record.files:
            journal.apply(stores.root, step, record.id)
        if record.log["entries"]:
            stores.log.append_once(record.log["entries"], tx=record.id, after=record.log["after"])
        journal.remove(stores.root)
    except StateError as error:
        raise _to_be_finished(error) from error


def _to_be_finished(error: StateError) -> StateError:
    hint = f"{error.hint} The change itself is decided: the next edge command finishes it."
    return StateError(error.message, hint=hint.strip(), detail=error.detail)


def _is_in(record: Record, state: bytes | None) -> bool:
    """Whether a state is this transaction's, or one that was edited after it."""
    return state is not None and record.id.encode() in state


def _digest(data: bytes | None) -> str | None:
    return None if data is None else sha256_hex(data)


# -- after a crash ---------------------------------------------------------------------------------


def recover(state: StateStore) -> None:
    """Finish the change whose record lies there; the state's lock must be held.

    A record that is damaged is moved aside: it is durable before the first step, so none was done. So is
    one that is whole and sealed with another key, or for another place: of that some may be done. Where a
    person edited the state between the crash and now, and the change is not in it, their edit stands.
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
        _set_aside(state, log, record, why, ending="torn", what=what)
        return
    if record is None:
        return
    why = _redo(state, registry, record)
    if why:
        registry.withdraw(record.id)
        _set_aside(state, log, record, why, ending="dropped")
        return
    for step in record.files:
        files.sweep(journal.target(state.root, step["path"]))
    remarks = [journal.apply(state.root, step, record.id) for step in record.files]
    remarks = [each for each in remarks if each]
    parts = [("ledger", record.ledger), ("state", record.state), ("log", record.log["entries"])]
    touched = [name for name, part in parts if part] + [step["path"] for step in record.files]
    note = {"outcome": "finished", "files": touched, "remarks": remarks}
    done = f"A change that was interrupted ({record.command}) was finished."
    text = " ".join([done, *(f"{each}." for each in remarks)])
    _say(state, log, record, note, text, entries=record.log["entries"])
    journal.remove(state.root)


def _redo(state: StateStore, registry: Registry, record: Record) -> str:
    """Bring ledger and state to where the record wants them; or why nothing of it may happen."""
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
            state.put(record.state["text"].encode(), present)
        except ChangedMeanwhile:
            return edited
    return ""


def _set_aside(
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
    _say(state, log, record, note, text, entries=[])
    journal.put_aside(state.root, ending, stamp)


def _say(
    state: StateStore,
    log: ProofLog,
    record: Record,
    note: dict[str, Any],
    text: str,
    *,
    entries: list[dict[str, Any]],
) -> None:
    """Into the log behind the transaction's own entries; and for the next person or session to be told."""
    data = {"id": record.id, "command": record.command, "at": record.at, **note}
    own = prepared_entry({"event": "transaction_recovery", "data": data, "tx": record.id}, ())
    log.append_once([*entries, own], tx=record.id, after=record.log["after"])
    path = _notices(state.root)
    with suppress(StateError):  # the log has it
        files.ensure_private_dir(os.path.dirname(path))
        kept = _read_notices(path) | {record.id: text}
        files.write_durable(path, json.dumps(kept).encode())


def take_notices(root: str) -> list[str]:
    """What recovery has to say and has not said yet, a sentence each; it is said once."""
    path = _notices(root)
    if not os.path.lexists(path):
        return []
    texts = _read_notices(path)
    try:
        os.unlink(path)
    except FileNotFoundError:
        return []  # somebody else is telling it
    except OSError:
        return list(texts.values())  # better said twice
    return list(texts.values())


def _notices(root: str) -> str:
    return os.path.join(root, PROOF_DIR, "cache", "recovered.json")


def _read_notices(path: str) -> dict[str, str]:
    try:
        kept = json.loads(files.read_bytes(path) or b"{}")
    except ValueError:
        return {}
    return {str(k): str(v) for k, v in kept.items()} if isinstance(kept, dict) else {}
