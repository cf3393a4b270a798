"""The project's state: read, changed, and restored from its history.

The only writer of ``active_context.yaml``. Owns the order of a change of this file (lock, read, change,
validate, store the old version, write, cache) and what a restore may restore. Does not own the format of the
text (``state.document``), what a valid state is (``state.schema``) or changes of several files
(``state.transaction``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from operators_edge.errors import LockHeld, StateDamaged, StateError
from operators_edge.locations import PROOF_DIR, STATE_FILE
from operators_edge.model import MACHINE_KEYS, State
from operators_edge.state import cache, document, schema
from operators_edge.state.history import History, Version, time_of
from operators_edge.storage import files
from operators_edge.system import file_cache

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

T = TypeVar("T")

_TRIES = 5
_INTENT = ("objective", "plan")
_RESTORED = ("mode", "evals")
"""The machine keys that a restore restores. The others are decisions, or describe the present."""


class ChangedMeanwhile(Exception):
    """A program without the lock, such as an editor, wrote the file during a change."""


class _Loaded(NamedTuple):
    """The file as it was read; ``data`` and ``stamp`` are None if it does not exist."""

    document: document.Document
    data: bytes | None
    stamp: files.Stamp | None
    is_kept: bool


class Draft:
    """A state that is being changed: ``before``, and ``after``, which the change modifies."""

    __slots__ = ("_document", "after", "before", "is_logged", "loaded")

    def __init__(self, loaded: _Loaded, before: State, after: State) -> None:
        self.loaded = loaded
        self.before = before
        self.after = after
        self.is_logged = False
        """Whether a new objective or plan is logged together with the change."""
        self._document: document.Document | None = None

    def is_intent_changed(self) -> bool:
        return any(not schema.is_same(self.before.get(key), self.after.get(key)) for key in _INTENT)

    def is_changed(self) -> bool:
        """Whether there is anything to write; ``current_step`` is updated from the plan first."""
        self.after.setdefault("objective", None)
        if isinstance(self.after.get("plan"), list):
            self.after["current_step"] = schema.current_step(self.after)
        return not schema.is_same(self.before, self.after)

    def document(self) -> document.Document:
        """The new text; StateInvalid if an invariant would break."""
        if self._document is None:
            schema.require_valid(self.after)
            self._document = document.changed(self.loaded.document, self.before, self.after)
        return self._document


class Restored(Draft):
    """A state whose text is a kept version's, with the machine's keys as they should be now."""

    __slots__ = ("is_damaged", "target")

    def __init__(self, loaded: _Loaded, target: document.Document, *, is_damaged: bool) -> None:
        super().__init__(loaded, loaded.document.state(), target.state())
        self.target = target
        self.is_damaged = is_damaged

    def is_changed(self) -> bool:
        """Also where only comments or layout differ: they are what people restore, too."""
        is_other = self.target.human != self.loaded.document.human
        return is_other or self.is_damaged or super().is_changed()

    def document(self) -> document.Document:
        schema.require_valid(self.after)
        machine = {key: self.after[key] for key in MACHINE_KEYS if key in self.after}
        return self.target._replace(machine=machine)

    def diff(self) -> str:
        """What putting it back would change in the file, as unified text."""
        from difflib import unified_diff  # noqa: PLC0415 - for this command only

        old = (self.loaded.data or b"").decode("utf-8", "replace")
        new = self.document().encoded().decode("utf-8", "replace")
        sides = (old.splitlines(keepends=True), new.splitlines(keepends=True))
        return "".join(unified_diff(*sides, f"{STATE_FILE} now", f"{STATE_FILE} restored"))


def load_text(text: str, path: str = STATE_FILE) -> State:
    """The state that a proposed text would be; StateDamaged where it would be none."""
    data = text.encode("utf-8", "surrogatepass")
    return _sound(document.parse(document.decode(data, path), path))


def _sound(parsed: document.Document) -> State:
    """The state of a text; StateDamaged if a known key has a value of the wrong type."""
    state = parsed.state()
    note = schema.misshapen(state)
    if note is not None:
        raise document.malformed(parsed, note)
    return state


class StateStore:
    """The state of the project at ``root``."""

    def __init__(
        self,
        root: str,
        *,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
        recover: Callable[[StateStore], None],
        on_intent: Callable[[State], None] | None = None,
    ) -> None:
        """``recover`` finishes the transaction of a killed process, under the lock.

        ``on_intent`` is called under the lock with the state whenever its objective or plan changed.
        """
        self._finish_change = recover
        self.on_intent = on_intent
        self._draft: Draft | None = None
        self.root = root
        self.clock = clock
        self.new_id = new_id
        self.unfinished = ""
        """Why the transaction of a killed process could not be finished; empty if there is none."""
        proof = os.path.join(root, PROOF_DIR)
        self._proof = proof
        self._journal = os.path.join(proof, "journal.json")
        self.path = os.path.join(root, STATE_FILE)
        self._lock = os.path.join(proof, "lock")
        self._snapshot = os.path.join(proof, "cache", "state.json")
        self._history = History(os.path.join(proof, "history"), clock=clock, new_id=new_id)

    def exists(self) -> bool:
        return os.path.lexists(self.path)

    def read(self) -> State:
        """The state; a fresh one if there is no file. Raises StateDamaged.

        The whole file is read, and parsed unless the cache was made from the same text.
        """
        self.finish()
        return _sound(self._parsed(cache.load(self._snapshot)).document)

    def read_cached(self) -> State | None:
        """The state if the cache is current and no transaction is unfinished; writes nothing.

        A file that was just written is compared by its text; it is never parsed here. The result can be
        shared, so callers must not change it.
        """
        return self._cached(cache.load_shared(self._snapshot))

    def _cached(self, shot: cache.CachedState | None) -> State | None:
        if shot is None or os.path.lexists(self._journal):
            return None
        try:
            if shot.is_current(files.stamp_of(os.stat(self.path))):
                state = schema.lifted(shot.values | shot.machine)
            else:
                state = self._parsed(shot, shot.known_values_of).document.state()
        except (OSError, KeyError, StateError):
            return None
        return state if schema.misshapen(state) is None else None

    def read_fast(self) -> State:
        """As ``read``, but the cache is trusted if size and time are those of the file."""
        self.finish()
        state = self._cached(cache.load(self._snapshot))
        if state is not None:
            return state
        shot = cache.load(self._snapshot) if os.path.lexists(self.path) else None
        loaded = self._parsed(shot)
        state = _sound(loaded.document)
        stamp = loaded.stamp
        if stamp and (shot is None or shot.stamp != stamp or cache.is_settled(stamp)):
            cache.save(self._snapshot, loaded.document, stamp, is_kept=loaded.is_kept)
        return state

    def transact(self, change: Callable[[State], T], *, command: str) -> T:
        """Apply ``change`` to the state and write the result; returns what ``change`` returns.

        ``change`` gets a private copy, and is called again on a newer one if an editor wrote in between.
        Nothing is written if it raises, changes nothing or breaks an invariant (StateInvalid). A damaged file
        is refused (StateDamaged) and not changed.
        """

        def attempt() -> T:
            draft = self.draft()
            result = change(draft.after)
            self.write(draft)
            return result

        return self.locked(attempt, command=command)

    def finish(self) -> None:
        """Finish the transaction of a killed process; a running process finishes its own.

        If that fails the state can still be read; ``unfinished`` has the reason.
        """
        if not os.path.lexists(self._journal):
            return
        try:
            with files.Lock(self._lock, command="finish a change", limit=0) as lock:
                if lock.is_after_crash:
                    self._sweep()
                self._recover()
        except LockHeld:
            return
        except StateError as error:
            self.unfinished = error.message

    def _recover(self) -> None:
        if os.path.lexists(self._journal):
            self._finish_change(self)
            self.unfinished = ""

    def _sweep(self) -> None:
        archive = os.path.join(self._proof, "archive.jsonl")
        for path in (self.path, self._journal, archive):
            files.sweep(path)
        files.sweep_folder(os.path.join(self._proof, "history"))
        # Its writers hold no lock, so only old files are deleted.
        for folder in ("cache", "cache/sessions", "cache/looks"):
            files.sweep_folder(os.path.join(self._proof, folder), older_than=3600)

    def draft(self) -> Draft:
        """The current state and a copy to change; the lock must be held."""
        loaded = self._parsed(cache.load(self._snapshot))
        before = _sound(loaded.document)
        self._draft = Draft(loaded, before, _copy(before))
        return self._draft

    def write(self, draft: Draft) -> None:
        """Write a draft; nothing is written if nothing changed."""
        if draft.is_changed():
            self._write(draft.document(), draft.loaded)

    def replace(self, data: bytes, before: bytes | None) -> None:
        """Replace the text that a transaction was made from; the lock must be held.

        Raises ChangedMeanwhile if the file has another text now.
        """

        def require_still() -> None:
            if files.read_bytes(self.path) != before:
                raise ChangedMeanwhile

        files.write_durable(self.path, data, before=require_still)

    def create(self, *, command: str) -> bool:
        """Write a fresh state if there is no file; False if there is one."""

        def write() -> bool:
            if self.exists():
                return False
            self._write(document.fresh(self.path), None)
            return True

        return self.locked(write, command=command)

    def locked(self, attempt: Callable[[], T], *, command: str) -> T:
        """Run ``attempt`` under the lock, again if an editor wrote the file in between."""
        with files.Lock(self._lock, command=command) as lock:
            if lock.is_after_crash:
                self._sweep()
            self._recover()
            for _ in range(_TRIES):
                try:
                    result = attempt()
                except ChangedMeanwhile:
                    continue
                self._report_intent()
                return result
        raise StateError(
            f"{self.path} keeps being changed by another program",
            hint="Save and close it in your editor, then repeat.",
        )

    def _report_intent(self) -> None:
        """Every change of objective or plan is reported here, so that no command needs to."""
        draft, self._draft = self._draft, None
        if draft is None or draft.is_logged or self.on_intent is None:
            return
        if draft.is_intent_changed():
            self.on_intent(draft.after)

    def _parsed(
        self,
        shot: cache.CachedState | None,
        known: Callable[[str], State | None] | None = None,
    ) -> _Loaded:
        """Read the file; the human part is parsed only if the cache has another text.

        ``known`` overrides how the cache is queried.
        """
        try:
            with open(self.path, "rb", opener=file_cache.open_regular) as stream:
                stamp = files.stamp_of(os.fstat(stream.fileno()))
                data = stream.read()
        except FileNotFoundError as error:
            if os.path.islink(self.path):  # a plan that cannot be read is not an empty plan
                raise StateError(
                    f"{self.path} is a link to {os.readlink(self.path)}, which is not there",
                    hint="Put that file back, or remove the link: edge state restore 1",
                ) from error
            return _Loaded(document.fresh(self.path), None, None, is_kept=False)
        except OSError as error:
            raise files.failure("read", self.path, error) from error
        text = document.decode(data, self.path)
        if shot is None:
            return _Loaded(document.parse(text, self.path), data, stamp, is_kept=False)
        parsed = document.parse(text, self.path, known=known or shot.values_of)
        is_kept = shot.is_kept and parsed.human == shot.human
        return _Loaded(parsed, data, stamp, is_kept=is_kept)

    def _write(self, new: document.Document, loaded: _Loaded | None) -> None:
        """Store the old version, write, store the new version, and update the cache.

        A version is stored only if its human part is new: machine keys are not restored, and versions for
        each of their changes would push people's texts out of the history within minutes.
        """
        data = new.encoded()
        if loaded is not None and loaded.data is not None and not loaded.is_kept:
            self._keep(loaded.document, loaded.data)
        stamp = files.write_durable(self.path, data, before=lambda: self.require_still(loaded))
        self._keep(new, data)
        cache.save(self._snapshot, new, stamp, is_kept=True)

    def _keep(self, kept: document.Document, data: bytes) -> None:
        newest = self._history.newest()
        if newest is not None and _human_of(newest) == kept.human:
            return
        self._history.keep(data)

    def require_still(self, loaded: _Loaded | None) -> None:
        try:
            now = files.stamp_of(os.stat(self.path))
        except FileNotFoundError:
            now = None
        if now != (loaded.stamp if loaded is not None else None):
            raise ChangedMeanwhile

    def history(self) -> list[Version]:
        """The stored versions, newest first."""
        return [self._version(each) for each in reversed(self._history.ids())]

    def _version(self, version: str) -> Version:
        data = self._history.read(version)
        try:
            objective = self._good(data, version).state().get("objective")
        except StateDamaged:
            objective = None
        return Version(version, time_of(version), len(data), objective)

    def diff(self, version: str) -> str:
        """A unified diff since that version; empty if nothing changed."""
        from difflib import unified_diff  # noqa: PLC0415 - for this command only

        old = self._history.read(version).decode("utf-8", "replace")
        new = (files.read_bytes(self.path) or b"").decode("utf-8", "replace")
        sides = (old.splitlines(keepends=True), new.splitlines(keepends=True))
        return "".join(unified_diff(*sides, version, STATE_FILE))

    def differs(self, version: str) -> bool:
        """Whether the human part differs from that version."""
        return _human_of(self._history.read(version)) != _human_of(
            files.read_bytes(self.path) or b""
        )

    def restore(self, version: str, *, command: str = "state restore") -> str:
        """Restore a version; returns where a damaged file was moved to, else ""."""

        def attempt() -> str:
            draft = self.restoring(version)
            moved_to = self.keep_damaged(draft)
            self.write(draft)
            return moved_to

        return self.locked(attempt, command=command)

    def restoring(self, version: str) -> Restored:
        """The state with the human part, mode and evals of a version.

        Decisions (junction, allowances, dismissals, overrides, auto) and everything that describes the
        present are not restored.
        """
        old = self._good(self._history.read(version), version)
        is_damaged = False
        try:
            loaded = self._parsed(None)
        except StateDamaged:
            data, stamp = self._raw()
            present = document.block_of(data.decode("utf-8", "replace"))
            loaded = _Loaded(document.fresh(self.path, present), data, stamp, is_kept=True)
            is_damaged = True
        now, then = loaded.document.machine, old.state()
        machine = {key: now[key] for key in now if key not in _RESTORED}
        machine |= {key: then[key] for key in _RESTORED if key in then}
        if machine.get("mode") == "done":
            del machine["mode"]  # the next turn's end would archive it again and clear the plan
        # Damage in the present must not prevent its repair.
        usable = schema.lifted(old.values)
        machine = {
            k: machine[k]
            for k in machine
            if not schema.violations(usable | {k: machine[k]})
            and not schema.misshapen(usable | {k: machine[k]})
        }
        new = document.Document(self.path, old.human, old.values, machine, old.has_bom)
        self._draft = Restored(loaded, new, is_damaged=is_damaged)
        return self._draft

    def keep_damaged(self, draft: Restored) -> str:
        """Store the damaged file that a restore replaces; returns where, "" if it was not damaged."""
        data = draft.loaded.data
        return self._history.keep_damaged(data) if draft.is_damaged and data is not None else ""

    def damaged(self) -> list[str]:
        """The paths of damaged files that restores replaced, newest first."""
        return self._history.damaged()

    def _raw(self) -> tuple[bytes, files.Stamp]:
        try:
            with open(self.path, "rb", opener=file_cache.open_regular) as stream:
                return stream.read(), files.stamp_of(os.fstat(stream.fileno()))
        except OSError as error:
            raise files.failure("read", self.path, error) from error

    def _good(self, data: bytes, version: str) -> document.Document:
        return document.parse(document.decode(data, version), version)


def _human_of(data: bytes) -> str:
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    at = text.rfind(document.MARK)
    return text if at < 0 else text[:at]


def _copy(value: State) -> State:
    import json  # noqa: PLC0415 - loaded by the stores anyway

    copied: State = json.loads(json.dumps(value))
    return copied
