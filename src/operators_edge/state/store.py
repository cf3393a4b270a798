"""The project's state: read, changed, and restored from its history.

The only writer of ``active_context.yaml``. Owns the order of a change of this file (lock, read, change,
validate, store the old version, write, cache) and what a restore may restore. Does not own the format of the
text (``state.document``), what a valid state is (``state.schema``) or changes of several files
(``state.transaction``).
"""

from __future__ import annotations

import os

from operators_edge import jsons
from operators_edge.contexts import suppress
from operators_edge.errors import LockHeld, StateDamaged, StateError
from operators_edge.locations import PROOF_DIR, STATE_FILE
from operators_edge.model import MACHINE_KEYS
from operators_edge.state import cache, document, schema
from operators_edge.state.history import History, Version, time_of
from operators_edge.storage import files
from operators_edge.system import file_cache
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from typing import TypeVar

    from operators_edge.model import State

    T = TypeVar("T")


_SHARED = ("", "log", "cache", "cache/sessions", "cache/looks", "cache/patrol", "cache/begun")
"""Folders below ``.proof`` whose writers do not all hold its lock."""

_TRIES = 5
_INTENT = ("objective", "plan")
_RESTORED = ("mode", "evals")
"""The machine keys that a restore restores. The others are decisions, or describe the present."""


class ChangedMeanwhile(Exception):
    """A program without the lock, such as an editor, wrote the file during a change."""


class _Loaded(NamedTuple):
    """The file as it was read; ``data`` and ``stamp`` are None if it does not exist.

    ``is_known``: the cache has its human part; ``is_kept``: the history has it, too.
    """

    document: document.Document
    data: bytes | None
    stamp: files.Stamp | None
    is_known: bool = False
    is_kept: bool = False


class Draft:
    """A state that is being changed: ``before``, and ``after``, which the change modifies."""

    __slots__ = ("_document", "after", "before", "loaded")

    def __init__(self, loaded: _Loaded, before: State, after: State) -> None:
        self.loaded = loaded
        self.before = before
        self.after = after
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
        """Also if only comments or layout differ: people restore those, too."""
        is_other = self.target.human != self.loaded.document.human
        return is_other or self.is_damaged or super().is_changed()

    def document(self) -> document.Document:
        schema.require_valid(self.after)
        machine = {key: self.after[key] for key in MACHINE_KEYS if key in self.after}
        return self.target._replace(machine=machine)

    def diff(self) -> str:
        """What the restore would change in the file, as a unified diff."""
        names = (f"{STATE_FILE} now", f"{STATE_FILE} restored")
        return _diff(self.loaded.data or b"", self.document().encoded(), names)


def _diff(old: bytes, new: bytes, names: tuple[str, str]) -> str:
    from difflib import unified_diff  # noqa: PLC0415 - for edge state only

    before, after = (
        each.decode("utf-8", "replace").splitlines(keepends=True) for each in (old, new)
    )
    return "".join(unified_diff(before, after, *names))


def added_and_removed(old: list[bytes], new: list[bytes]) -> tuple[int, int]:
    most = min(len(old), len(new))
    before = next((at for at in range(most) if old[at] != new[at]), most)
    most -= before
    behind = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
    gone, came = old[before : len(old) - behind], new[before : len(new) - behind]
    both = set(gone).intersection(came)
    had, has = ([line for line in lines if line in both] for lines in (gone, came))
    same = len(had)
    if had != has:
        from difflib import SequenceMatcher  # noqa: PLC0415 - lines were moved or repeated

        blocks = SequenceMatcher(None, had, has).get_matching_blocks()
        same = sum(block.size for block in blocks)
    return len(came) - same, len(gone) - same


def load_text(text: str, path: str = STATE_FILE) -> State:
    """The state of a proposed text; StateDamaged if it is not one."""
    data = text.encode("utf-8", "surrogatepass")
    return _sound(document.parse(document.decode(data, path), path))


def _sound(parsed: document.Document) -> State:
    """The state of a text; StateDamaged if a known key has a value of the wrong type."""
    state = parsed.state()
    note = schema.type_fault(state)
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
    ) -> None:
        """``recover`` finishes the transaction of a killed process, under the lock."""
        self._finish_change = recover
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
        self._cache = os.path.join(proof, "cache", "state.json")
        self._history = History(os.path.join(proof, "history"), clock=clock, new_id=new_id)

    def exists(self) -> bool:
        return os.path.lexists(self.path)

    def read(self) -> State:
        """The state; a fresh one if there is no file. Raises StateDamaged.

        The human part is parsed only if the cache has another text.
        """
        self.finish()
        loaded = self._load()
        state = _sound(loaded.document)
        if loaded.data is not None and not loaded.is_known:
            cache.save(self._cache, loaded.document, is_kept=False)
        return state

    def read_known(self) -> State | None:
        """The state, unless it would have to be parsed or a transaction is unfinished; writes nothing.

        The result can be shared, so callers must not change it.
        """
        known = cache.load_shared(self._cache)
        if known is None or os.path.lexists(self._journal):
            return None
        try:
            return _sound(self._parsed(self._content()[0], {known.human: known.values}.__getitem__))
        except (KeyError, StateError):
            return None

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

    def tidy(self) -> None:
        """Delete what killed writers and a power loss left; not while another process has the lock."""
        with suppress(StateError), files.Lock(self._lock, command="tidy", limit=0):
            self._recover()
            self._sweep()

    def _sweep(self) -> None:
        archive = os.path.join(self._proof, "archive.jsonl")
        for path in (self.path, self._journal, archive):
            files.sweep(path)
        files.sweep_folder(os.path.join(self._proof, "history"))
        # Its writers hold no lock, so only old files are deleted.
        for folder in _SHARED:
            files.sweep_folder(os.path.join(self._proof, folder), older_than=files.OLD_SECONDS)

    def draft(self) -> Draft:
        """The current state and a copy to change; the lock must be held."""
        loaded = self._load()
        before = _sound(loaded.document)
        return Draft(loaded, before, _copy(before))

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
                with suppress(ChangedMeanwhile):
                    return attempt()
        raise StateError(
            f"{self.path} keeps being changed by another program",
            hint="Save and close it in your editor, then repeat.",
        )

    def _content(self) -> tuple[bytes | None, files.Stamp | None]:
        """The file's bytes, and what identifies its version; None for both if there is no file."""
        try:
            with open(self.path, "rb", opener=file_cache.open_regular) as stream:
                stamp = files.stamp_of(os.fstat(stream.fileno()))  # a later write must show
                return stream.read(), stamp
        except FileNotFoundError as error:
            if os.path.islink(self.path):  # a plan that cannot be read is not an empty plan
                raise StateError(
                    f"{self.path} is a link to {os.readlink(self.path)}, which is not there",
                    hint="Put that file back, or remove the link: edge history restore 1",
                ) from error
            return None, None
        except OSError as error:
            raise files.failure("read", self.path, error) from error

    def _parsed(
        self, data: bytes | None, known: Callable[[str], State | None] = lambda _: None
    ) -> document.Document:
        if data is None:
            return document.fresh(self.path)
        return document.parse(document.decode(data, self.path), self.path, known=known)

    def _load(self) -> _Loaded:
        data, stamp = self._content()
        known = cache.load(self._cache)
        if known is None:
            return _Loaded(self._parsed(data), data, stamp)
        parsed = self._parsed(data, {known.human: known.values}.get)
        is_known = parsed.human == known.human
        return _Loaded(parsed, data, stamp, is_known, is_known and known.is_kept)

    def _write(self, new: document.Document, loaded: _Loaded | None) -> None:
        """Store the old version, write, store the new version, and update the cache.

        A version is stored only if its human part is new: machine keys are not restored, and versions for
        each of their changes would push people's texts out of the history within minutes.
        """
        data = new.encoded()
        is_kept = loaded is not None and loaded.is_kept
        if loaded is not None and loaded.data is not None and not is_kept:
            self._keep(loaded.document, loaded.data)
        files.write_durable(self.path, data, before=lambda: self.require_still(loaded))
        if not is_kept or loaded is None or new.human != loaded.document.human:
            self._keep(new, data)
            cache.save(self._cache, new, is_kept=True)

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
        objective = document.plain_objective(data)
        if objective is None:
            with suppress(StateDamaged):
                objective = self._good(data, version).state().get("objective")
        return Version(version, time_of(version), len(data), objective or None)

    def diff(self, version: str) -> str:
        """A unified diff since that version; empty if nothing changed."""
        new = files.read_bytes(self.path) or b""
        return _diff(self._history.read(version), new, (version, STATE_FILE))

    def changed_lines(self, version: str) -> tuple[int, int]:
        """How many lines were added and removed since that version."""
        new = files.read_bytes(self.path) or b""
        return added_and_removed(self._history.read(version).splitlines(), new.splitlines())

    def differs(self, version: str) -> bool:
        """Whether the human part differs from that version."""
        return _human_of(self._history.read(version)) != _human_of(
            files.read_bytes(self.path) or b""
        )

    def restoring(self, version: str) -> Restored:
        """The state with the human part, mode and evals of a version.

        Decisions (junction, allowances, dismissals, overrides, auto) and everything that describes the
        present are not restored.
        """
        old = self._good(self._history.read(version), version)
        data, stamp = self._content()
        is_damaged = False
        try:
            parsed = self._parsed(data)
        except StateDamaged:
            present = document.block_of((data or b"").decode("utf-8", "replace"))
            parsed, is_damaged = document.fresh(self.path, present), True
        loaded = _Loaded(parsed, data, stamp, is_kept=is_damaged)
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
            and not schema.type_fault(usable | {k: machine[k]})
        }
        new = document.Document(self.path, old.human, old.values, machine, old.has_bom)
        return Restored(loaded, new, is_damaged=is_damaged)

    def keep_damaged(self, draft: Restored) -> str:
        """Store the damaged file that a restore replaces; returns where, "" if it was not damaged."""
        data = draft.loaded.data
        return self._history.keep_damaged(data) if draft.is_damaged and data is not None else ""

    def damaged(self) -> list[str]:
        """The paths of damaged files that restores replaced, newest first."""
        return self._history.damaged()

    def _good(self, data: bytes, version: str) -> document.Document:
        return document.parse(document.decode(data, version), version)


def _human_of(data: bytes) -> str:
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    at = text.rfind(document.MARK)
    return text if at < 0 else text[:at]


def _copy(value: State) -> State:
    copied: State = jsons.loads(jsons.dumps(value))
    return copied


# end of module
