"""The registry of a project, stored outside of it: live grants, refusals, confirmation codes, the log's head.

The registry decides which grants count. The grants in a project's state are only a view of it, so that an
older state file restores none. Does not own what a grant means (``approvals.junction``) or whether it is
genuine (``storage.keys``).

A registry that cannot be read is an error, never an empty one; no grant is live then.
"""

from __future__ import annotations

import json
import os

from operators_edge import jsons
from operators_edge.contexts import suppress
from operators_edge.datetimes import datetime, timedelta
from operators_edge.errors import StateDamaged, StateError
from operators_edge.storage.files import (
    ABSENT,
    OLD_SECONDS,
    Lock,
    failure,
    json_object,
    read_bytes,
    replace_file,
    sweep,
    sweep_folder,
    sync_dir,
    sync_file,
    write_durable,
)
from operators_edge.storage.keys import make_user_dir, seal, tidy_key
from operators_edge.system.user_dirs import project_id, user_dir
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Literal, TypedDict, TypeVar

    from operators_edge.records import GrantKind, LiveGrant

    Part = Literal["said", "refused"]
    T = TypeVar("T")
    R = TypeVar("R", "_Spent", "_Session")

    class Head(TypedDict):
        """The end of the log: number and hash of its last line, and the lines that were written with it."""

        seq: int
        hash: str
        lines: list[str]

    class _Grant(TypedDict):
        kind: GrantKind
        expires_at: str | None
        recorded_at: str
        tx: str

    class _Spent(TypedDict, total=False):
        """Why a grant is no longer live, since when, and the transaction that ended it."""

        how: str
        at: str
        tx: str

    class _Session(TypedDict, total=False):
        """The remarks that a session was shown, and the calls that were refused in it."""

        at: str
        said: list[str]
        refused: list[str]

    class _Code(TypedDict):
        seal: str
        expires_at: str
        tries: int

    class Book(TypedDict):
        """The content of the file ``ledger.json``."""

        grants: dict[str, _Grant]
        spent: dict[str, _Spent]
        sessions: dict[str, _Session]
        codes: dict[str, _Code]
        root: str


KEPT_DAYS = 30
CODE_ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without I, L, O, 0 and 1, which are easily confused."""
CODE_LENGTH = 6
CODE_TRIES = 3


_OF_PEOPLE = ("trash", "undo")
"""Folders in the person's folder with files of theirs, whose names may be anything."""

_PARTS = ("grants", "spent", "sessions", "codes")


class GrantGone(StateError):
    """A grant that was to be used is no longer live."""


class Registry:
    """One project's registry. ``env`` determines the person's folder."""

    def __init__(
        self,
        root: str,
        *,
        clock: Callable[[], datetime],
        env: Mapping[str, str] = os.environ,
    ) -> None:
        self.root = root
        self.clock = clock
        self.env = env

    @property
    def folder(self) -> str:
        return os.path.join(user_dir(self.env), "projects", project_id(self.root))

    # -- grants ----------------------------------------------------------------------------------

    def is_live(self, ident: str) -> bool:
        record = self._read()["grants"].get(ident)
        return record is not None and not self._is_expired(record)

    def live_grants(self) -> tuple[LiveGrant, ...]:
        """Every live grant."""
        grants = self._read()["grants"]
        return tuple(
            {
                "id": ident,
                "kind": record.get("kind"),
                "expires_at": record.get("expires_at"),
                "recorded_at": record.get("recorded_at"),
            }
            for ident, record in grants.items()
            if not self._is_expired(record)
        )

    def _spend(self, book: Book, ident: str, how: str) -> None:
        del book["grants"][ident]
        book["spent"][ident] = {"how": how, "at": self._now()}

    def _is_expired(self, record: _Grant | _Code) -> bool:
        end = record.get("expires_at")
        return end is not None and self.clock() >= _time(end)

    # -- the operations of a transaction ---------------------------------------------------------

    def apply(self, operations: Sequence[Mapping[str, Any]], *, tx: str) -> None:
        """Apply all of a transaction's operations or none; repeating them changes nothing.

        Raises GrantGone if a grant to be consumed is no longer live. A grant that was used, revoked or has
        expired never becomes live again.
        """
        kinds = {
            "grant": self._grant,
            "consume": self._consume,
            "revoke": self._revoke,
            "refuse": self._refuse,
        }

        def change(book: Book) -> None:
            for each in operations:
                kinds[each["do"]](book, each, tx)

        self._change(change, "apply a transaction")

    def withdraw(self, tx: str) -> None:
        """End the grants of a transaction that did not happen; what it used or revoked stays so."""

        def change(book: Book) -> None:
            for ident in [i for i, record in book["grants"].items() if record.get("tx") == tx]:
                self._spend(book, ident, "withdrawn")

        self._change(change, "withdraw a transaction")

    def _grant(self, book: Book, what: Mapping[str, Any], tx: str) -> None:
        if what["id"] not in book["spent"] and what["id"] not in book["grants"]:
            book["grants"][what["id"]] = {
                "kind": what["kind"],
                "expires_at": what["expires_at"],
                "recorded_at": self._now(),
                "tx": tx,
            }

    def _consume(self, book: Book, what: Mapping[str, Any], tx: str) -> None:
        ident = what["id"]
        if book["spent"].get(ident, {}).get("tx") == tx:
            return
        record = book["grants"].get(ident)
        if record is None or self._is_expired(record):
            raise GrantGone("The approval was used or revoked just now", hint="Try again.")
        self._spend(book, ident, "consumed")
        book["spent"][ident]["tx"] = tx

    def _revoke(self, book: Book, what: Mapping[str, Any], tx: str) -> None:
        if what["id"] in book["grants"]:
            self._spend(book, what["id"], "revoked")
            book["spent"][what["id"]]["tx"] = tx

    def _refuse(self, book: Book, what: Mapping[str, Any], tx: str) -> None:
        del tx
        self._note_for(book, what["session"], "refused", what["exact"])

    # -- what a session may not do again ---------------------------------------------------------

    def is_refused(self, session: str, what: str) -> bool:
        return what in self.refusals(session)

    def refusals(self, session: str) -> frozenset[str]:
        """Everything that was refused in the session, as it was passed to a transaction's ``refuse``."""
        return frozenset(self._read()["sessions"].get(session, {}).get("refused", []))

    def was_shown(self, session: str, what: str) -> bool:
        """Whether this remark was shown to the session; StateError if the registry cannot be read."""
        return what in self._read()["sessions"].get(session, {}).get("said", [])

    def first_time(self, session: str, what: str) -> bool:
        """True once per session and remark; also if that cannot be stored: better shown twice."""
        try:
            return not self.was_shown(session, what) and self._remember(session, "said", what)
        except StateError:
            return True

    def _remember(self, session: str, part: Part, what: str) -> bool:
        return self._change(
            lambda book: self._note_for(book, session, part, what), "remember for a session"
        )

    def _note_for(self, book: Book, session: str, part: Part, what: str) -> bool:
        record = book["sessions"].setdefault(session, {})
        record["at"] = self._now()
        known = record.setdefault(part, [])
        if what in known:
            return False
        known.append(what)
        return True

    # -- confirmation codes ----------------------------------------------------------------------

    def issue_code(self, purpose: str, *, ttl: float, session: str = "") -> str:
        """A new single-use code, valid for ``ttl`` seconds; it replaces an older one for the purpose."""
        code = "".join(_random_character() for _ in range(CODE_LENGTH))
        name = f"{session}\n{purpose}"
        record: _Code = {
            "seal": seal(f"{name}\n{code}", env=self.env),
            "expires_at": (self.clock() + timedelta(seconds=ttl)).isoformat(),
            "tries": CODE_TRIES,
        }
        self._change(lambda book: book["codes"].update({name: record}), "issue a code")
        return code

    def redeem_code(self, purpose: str, code: str, *, session: str = "") -> bool:
        """True once, for the right code in time; a few wrong attempts end the code."""
        name = f"{session}\n{purpose}"
        attempt = seal(f"{name}\n{code.strip().upper()}", env=self.env)

        def change(book: Book) -> bool:
            record = book["codes"].pop(name, None)
            if record is None or self._is_expired(record):
                return False
            if record["seal"] == attempt:
                return True
            if record["tries"] > 1:
                book["codes"][name] = {**record, "tries": record["tries"] - 1}
            return False

        return self._change(change, "redeem a code")

    # -- the log's head --------------------------------------------------------------------------

    def head(self) -> Head | None:
        """The recorded end of the log; None if there is none."""
        path = os.path.join(self.folder, "head.json")
        data = read_bytes(path)
        if data is None:
            return None
        head = json_object(path, data, hint="It is rebuilt with the next entry.")
        lines = head.get("lines")
        is_whole = isinstance(head.get("seq"), int) and isinstance(head.get("hash"), str)
        if not is_whole or not isinstance(lines, list):
            raise StateDamaged(path, "it is not the head of a log", hint="edge log verify")
        return cast("Head", head)

    def write_head(self, seq: int, digest: str, lines: Sequence[str]) -> None:
        """Record where the log is about to end; called under its lock, before the lines are written.

        Not synced before the end of a turn (``sync_head``): a crash of the process loses nothing, and a head
        that lags or is missing after a power loss is reported.
        """
        data = jsons.dumps({"seq": seq, "hash": digest, "lines": lines}, ensure_ascii=False)
        path = os.path.join(self.folder, "head.json")
        try:
            replace_file(path, data.encode(), temp=path + ".tmp")
        except FileNotFoundError:
            make_user_dir(self.env, "projects", project_id(self.root))
            replace_file(path, data.encode(), temp=path + ".tmp")

    def sync_head(self) -> None:
        """Make the recorded end survive a power loss, if there is one."""
        path = os.path.join(self.folder, "head.json")
        try:
            sync_file(os.open(path, os.O_RDWR | getattr(os, "O_CLOEXEC", 0)))
        except ABSENT:
            return
        except OSError as error:
            raise failure("sync", path, error) from error
        sync_dir(self.folder)

    # -- the file --------------------------------------------------------------------------------

    def tidy(self) -> None:
        """Delete what killed writers and a power loss left; not while another process has the lock."""
        if not os.path.isdir(self.folder):
            return
        with (
            suppress(StateError),
            Lock(os.path.join(self.folder, "lock"), command="tidy", limit=0),
        ):
            sweep(os.path.join(self.folder, "ledger.json"))
        tidy_key(self.env)
        own = user_dir(self.env)
        inner = [os.path.join(own, name) for name in os.listdir(own) if name not in _OF_PEOPLE]
        for folder in (own, self.folder, *inner):
            sweep_folder(folder, older_than=OLD_SECONDS)

    def _read(self) -> Book:
        path = os.path.join(self.folder, "ledger.json")
        data = read_bytes(path)
        hint = f"No grant counts until it is repaired. Remove {path} to end every grant."
        book = {} if data is None else json_object(path, data, hint=hint)
        for part in _PARTS:
            if not _is_table(book.setdefault(part, {})):
                raise StateDamaged(path, f"{part} is not a table of records", hint=hint)
        return cast("Book", book)

    def _change(self, change: Callable[[Book], T], command: str) -> T:
        folder = make_user_dir(self.env, "projects", project_id(self.root))
        path = os.path.join(folder, "ledger.json")
        with Lock(os.path.join(folder, "lock"), command=command) as lock:
            if lock.is_after_crash:
                sweep(path)
            book = self._read()
            before = jsons.dumps(book)
            result = change(book)
            if jsons.dumps(book) != before:
                self._forget_old(book)
                book["root"] = os.path.realpath(self.root)
                data = json.dumps(book, ensure_ascii=False, indent=1).encode("utf-8", "replace")
                write_durable(path, data, mode=0o600)
        return result

    def _forget_old(self, book: Book) -> None:
        for ident in [i for i, record in book["grants"].items() if self._is_expired(record)]:
            self._spend(book, ident, "expired")
        oldest = self.clock() - timedelta(days=KEPT_DAYS)
        book["spent"] = _since(oldest, book["spent"])
        book["sessions"] = _since(oldest, book["sessions"])
        codes = book["codes"].items()
        book["codes"] = {k: v for k, v in codes if not self._is_expired(v)}

    def _now(self) -> str:
        return self.clock().isoformat()


def _since(oldest: datetime, records: dict[str, R]) -> dict[str, R]:
    return {key: each for key, each in records.items() if _time(each.get("at")) > oldest}


def _is_table(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(each, dict) for each in value.values())


def _time(text: object) -> datetime:
    """A stored time; one that cannot be read is in the past, so that it neither grants nor keeps anything."""
    try:
        when = datetime.fromisoformat(str(text))
    except ValueError:
        return _LONG_AGO
    return when if when.tzinfo else _LONG_AGO


_LONG_AGO = datetime.fromisoformat("0001-01-02T00:00:00+00:00")


def _random_character() -> str:
    """A character of the alphabet, each equally likely: bytes that would favour some are drawn again."""
    while True:
        byte = os.urandom(1)[0]
        if byte < 256 - 256 % len(CODE_ALPHABET):
            return CODE_ALPHABET[byte % len(CODE_ALPHABET)]


# end of module
