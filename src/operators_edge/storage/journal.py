"""The write-ahead record of a transaction: everything that is needed to finish it, synced before its first
step.

Owns the record's format, its seal, and the steps on files other than state, log and registry. Each step
checks the file first, so that repeating it changes nothing. Does not own the order of a transaction
(``state.transaction``).
"""

from __future__ import annotations

import os

from operators_edge import jsons
from operators_edge.errors import EdgeError, StateError
from operators_edge.locations import PROOF_DIR
from operators_edge.storage import files, keys
from operators_edge.system.digest import sha256_hex
from operators_edge.system.user_dirs import project_id
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Literal, Required, TypedDict

    from operators_edge.records import LogEntry

    class Step(TypedDict, total=False):
        """One step on one file: which one depends on ``do``.

        write: ``text``, ``mode`` and ``before``. append: ``text`` at ``size``. rename: ``to``.
        """

        do: Required[Literal["write", "append", "rename"]]
        path: Required[str]
        """Below the root, with ``/``."""
        before: str | None
        """The digest of the file before the transaction; None: no file."""
        text: str
        mode: int | None
        added: str
        """What is appended instead if someone else changed the file meanwhile."""
        size: int
        to: str

    class StateChange(TypedDict):
        """``before`` is the digest of the text that is replaced; None: no file."""

        before: str | None
        text: str

    class LogLines(TypedDict):
        """The log's last number before the transaction, and its entries."""

        after: int
        entries: list[LogEntry]


FORM = 1


class Torn(Exception):
    """The file is not a record that this person's program wrote completely.

    ``is_whole``: it was synced, so its transaction may have begun.
    """

    def __init__(self, why: str, *, is_whole: bool = False) -> None:
        super().__init__(why)
        self.is_whole = is_whole


_NO_LOG: LogLines = {"after": 0, "entries": []}


class Record(NamedTuple):
    """One transaction; the fields are the keys of the stored JSON.

    ``ledger`` holds the operations for the registry.
    """

    id: str
    command: str
    at: str
    state: StateChange | None = None
    ledger: Sequence[dict[str, Any]] = ()
    files: Sequence[Step] = ()
    log: LogLines = _NO_LOG


def path_of(root: str) -> str:
    return os.path.join(root, PROOF_DIR, "journal.json")


def write(root: str, record: Record, *, before: Callable[[], None]) -> None:
    """Commit the transaction: from here on it will be finished, by this process or a later one.

    ``before`` runs when only the rename is left; if it raises, nothing has happened.
    """
    path = path_of(root)
    files.ensure_private_dir(os.path.dirname(path))
    if os.path.lexists(path):
        raise StateError(f"{path} already exists", hint="edge doctor")
    files.write_durable(path, _encoded(root, record), mode=0o600, before=before)


def _encoded(root: str, record: Record) -> bytes:
    body = jsons.dumps(record._asdict(), ensure_ascii=False, separators=(",", ":"))
    data = body.encode("utf-8", "backslashreplace")
    digest = sha256_hex(data)
    head = {"form": FORM, "sum": digest, "seal": _seal(root, digest)}
    return jsons.dumps(head).encode() + b"\n" + data + b"\n"


def read(root: str) -> Record | None:
    """The record; None if there is none. Raises Torn, or StateError for one of a newer version."""
    data = files.read_bytes(path_of(root))
    if data is None:
        return None
    first, _, body = data.partition(b"\n")
    try:
        head = jsons.loads(first)
        form = head["form"]
    except (ValueError, KeyError, TypeError) as error:
        raise Torn("it is not a record") from error
    if type(form) is int and form > FORM:
        raise StateError(
            f"{path_of(root)} was left by a newer version of edge (form {form})",
            hint="Run that version once; it finishes what it began.",
        )
    body = body.removesuffix(b"\n")
    if head.get("sum") != sha256_hex(body):
        raise Torn("it is incomplete")
    if head.get("seal") != _seal(root, head["sum"]):
        raise Torn("it was not written by this person's edge at this place", is_whole=True)
    try:
        return Record(**jsons.loads(body))
    except (ValueError, TypeError) as error:
        raise Torn("it is not a record") from error


def _seal(root: str, digest: str) -> str:
    """A forged record would forge entries and grants, so it is signed with the person's key.

    Without a key no grant counts either; a record made without one is accepted only while there is none.
    """
    try:
        return keys.seal(f"journal\n{project_id(root)}\n{digest}")
    except EdgeError:
        return ""


def remove(root: str) -> None:
    path = path_of(root)
    try:
        os.unlink(path)
        files.sync_dir(os.path.dirname(path))
    except FileNotFoundError:
        pass
    except OSError as error:
        raise files.failure("remove", path, error) from error


def move_to_history(root: str, ending: str, stamp: str) -> str:
    """Move a record that cannot be applied to the history; returns its name there."""
    folder = os.path.join(root, PROOF_DIR, "history")
    name = f"journal-{stamp}.{ending}"
    files.ensure_private_dir(folder)
    try:
        os.replace(path_of(root), os.path.join(folder, name))
        files.sync_dir(folder)
        files.sync_dir(os.path.dirname(folder))
    except OSError as error:
        raise files.failure("move", path_of(root), error) from error
    return name


# -- steps on files --------------------------------------------------------------------------------


def target(root: str, path: str) -> str:
    """The absolute path of a step's file; StateError for one outside the root or below a link."""
    parts = path.split("/")
    if os.path.isabs(path) or "\\" in path or any(part in ("", ".", "..") for part in parts):
        raise StateError(f"{path!r} is not a path below the project", hint="edge doctor")
    where = root
    for part in parts:
        where = os.path.join(where, part)
        if os.path.islink(where):
            raise StateError(
                f"{where} is a symbolic link", hint="Put the folder or file itself there."
            )
    return where


def place(root: str, path: str) -> str:
    """The same where the file's own name may be a link: what replaces it does not follow it."""
    folder, _, name = path.rpartition("/")
    return os.path.join(target(root, folder), name)


def digest_of(root: str, path: str) -> str | None:
    """The digest of a step's file; None if there is none."""
    data = files.read_bytes(target(root, path))
    return None if data is None else sha256_hex(data)


def apply(root: str, step: Step, stamp: str) -> str:
    """Apply one step, unless that was done; returns a remark for the person, or ""."""
    return _KINDS[step["do"]](root, step, stamp)


def _write(root: str, step: Step, stamp: str) -> str:
    path = target(root, step["path"])
    present = files.read_bytes(path)
    wanted = step["text"].encode("utf-8", "surrogateescape")
    if present == wanted:
        return ""
    remark = ""
    if present is not None and sha256_hex(present) != step["before"]:
        if "added" in step:
            return _append(root, {**step, "text": step["added"], "size": len(present) + 1}, stamp)
        remark = _keep_foreign(root, step["path"], present, stamp)
    _make_parents(root, step["path"])
    files.write_durable(path, wanted, mode=step.get("mode"))
    return remark


def _keep_foreign(root: str, path: str, data: bytes, stamp: str) -> str:
    """Keep a text that someone else wrote between the crash and now, next to the state's versions."""
    name = f"{path.replace('/', '_')}-{stamp}.replaced"
    folder = os.path.join(root, PROOF_DIR, "history")
    files.ensure_private_dir(folder)
    files.write_durable(os.path.join(folder, name), data)
    return f"{path} had been changed meanwhile; that text is kept as {PROOF_DIR}/history/{name}"


def _append(root: str, step: Step, stamp: str) -> str:  # noqa: ARG001 - one signature for all
    path = target(root, step["path"])
    _make_parents(root, step["path"])
    data = step["text"].encode("utf-8", "surrogateescape")
    present = files.read_bytes(path) or b""
    is_longer = len(present) >= step["size"]
    own = present[step["size"] :] if is_longer else present
    if data in own:
        return ""
    rest, remark, ours = (
        data,
        "",
        own.rstrip(b"\0"),
    )  # a power loss leaves zeros for what was not synced
    if is_longer and data.startswith(ours):
        rest = data[len(ours) :]  # partly written, by us
    else:
        remark = f"{step['path']} had been changed meanwhile; the lines were added at its end"
        if present and not present.endswith(b"\n"):
            rest = b"\n" + data
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    try:
        fd = os.open(path, flags | getattr(os, "O_BINARY", 0), 0o600)
        try:
            if is_longer and len(ours) < len(own) and not remark:
                os.ftruncate(fd, step["size"] + len(ours))
            files.write_all(fd, rest)
            os.fsync(fd)
        finally:
            os.close(fd)
        if not present:
            files.sync_dir(os.path.dirname(path))
    except OSError as error:
        raise files.failure("append to", path, error) from error
    return remark


def _rename(root: str, step: Step, stamp: str) -> str:  # noqa: ARG001 - see above
    old, new = target(root, step["path"]), target(root, step["to"])
    if not os.path.lexists(old):
        return (
            "" if os.path.lexists(new) else f"{step['path']} was deleted before it could be moved"
        )
    if os.path.lexists(new):
        return f"{step['path']} exists again next to {step['to']}; both were left"
    try:
        os.rename(old, new)
        files.sync_dir(os.path.dirname(new))
        files.sync_dir(os.path.dirname(old))
    except OSError as error:
        raise files.failure("move", old, error) from error
    return ""


_KINDS = {"write": _write, "append": _append, "rename": _rename}


def _make_parents(root: str, path: str) -> None:
    where = root
    for part in path.split("/")[:-1]:
        where = os.path.join(where, part)
        if not os.path.isdir(where):
            files.ensure_private_dir(where)


# end of module
