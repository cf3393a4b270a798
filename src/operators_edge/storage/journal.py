"""The write-ahead record of a change: all that is needed to finish it, durable before its first step.

Owns the record's form, its seal, and the steps on files other than state, log and ledger. Each step looks
before it acts, so that doing it again does nothing. Does not own the order of a change
(``state.transaction``).
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.errors import EdgeError, StateError
from operators_edge.locations import PROOF_DIR
from operators_edge.storage import files, keys
from operators_edge.system.digest import sha256_hex
from operators_edge.system.user_dirs import project_id

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

FORM = 1
Step = dict[str, Any]
"""``do`` and ``path`` (below the root, with ``/``), and what the kind of step needs:

write    ``before`` (digest, null: no file), ``text``, ``mode``; ``added``: all that has to be there in the
         end, where somebody else wrote the file meanwhile
append   ``size`` (offset), ``text``
rename   ``to``
remove   ``before`` (digest)
"""


class Torn(Exception):
    """What lies there is no record that this program of this person finished writing.

    ``is_whole``: it was durable, so its change may have been begun.
    """

    def __init__(self, why: str, *, is_whole: bool = False) -> None:
        super().__init__(why)
        self.is_whole = is_whole


_NO_LOG: Mapping[str, Any] = {"after": 0, "entries": ()}


class Record(NamedTuple):
    """``state``: ``before`` (digest, null: no file), ``text``; ``log``: ``after`` (seq), ``entries``."""

    id: str
    command: str
    at: str
    state: dict[str, Any] | None = None
    ledger: Sequence[dict[str, Any]] = ()
    files: Sequence[Step] = ()
    log: Mapping[str, Any] = _NO_LOG


def path_of(root: str) -> str:
    return os.path.join(root, PROOF_DIR, "journal.json")


def write(root: str, record: Record, *, before: Callable[[], None]) -> None:
    """Make the change happen: from here on it is finished, now or by whoever comes next.

    ``before`` runs when only the rename is left; what it raises leaves everything as it was.
    """
    path = path_of(root)
    files.ensure_private_dir(os.path.dirname(path))
    if os.path.lexists(path):
        raise StateError(f"{path} is there already", hint="edge doctor")
    files.write_durable(path, _encoded(root, record), mode=0o600, before=before)


def _encoded(root: str, record: Record) -> bytes:
    body = json.dumps(record._asdict(), ensure_ascii=False, separators=(",", ":"))
    data = body.encode("utf-8", "backslashreplace")
    digest = sha256_hex(data)
    head = {"form": FORM, "sum": digest, "seal": _seal(root, digest)}
    return json.dumps(head).encode() + b"\n" + data + b"\n"


def read(root: str) -> Record | None:
    """The record; None where there is none. Torn, or StateError for one of a newer program."""
    data = files.read_bytes(path_of(root))
    if data is None:
        return None
    first, _, body = data.partition(b"\n")
    try:
        head = json.loads(first)
        form = head["form"]
    except (ValueError, KeyError, TypeError) as error:
        raise Torn("it is no record") from error
    if type(form) is int and form > FORM:
        raise StateError(
            f"{path_of(root)} was left by a newer version of edge (form {form})",
            hint="Run that version once; it finishes what it began.",
        )
    body = body.removesuffix(b"\n")
    if head.get("sum") != sha256_hex(body):
        raise Torn("it is not whole")
    if head.get("seal") != _seal(root, head["sum"]):
        raise Torn("it was not written by this person's edge at this place", is_whole=True)
    try:
        return Record(**json.loads(body))
    except (ValueError, TypeError) as error:
        raise Torn("it is no record") from error


def _seal(root: str, digest: str) -> str:
    """A forged record would forge entries and grants, so the person's key signs it.

    Where no key can be had no grant counts either; such a record is believed only where that is still so.
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


def put_aside(root: str, ending: str, stamp: str) -> str:
    """Move a record that cannot be followed to the history; returns its name there."""
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
    """The absolute path of a step's file; StateError for one outside the root or behind a link."""
    parts = path.split("/")
    if os.path.isabs(path) or "\\" in path or any(part in ("", ".", "..") for part in parts):
        raise StateError(f"{path!r} is no path below the project", hint="edge doctor")
    where = root
    for part in parts:
        where = os.path.join(where, part)
        if os.path.islink(where):
            raise StateError(
                f"{where} is a symbolic link", hint="Put the folder or file itself there."
            )
    return where


def digest_of(root: str, path: str) -> str | None:
    """The digest of a step's file; None where there is none."""
    data = files.read_bytes(target(root, path))
    return None if data is None else sha256_hex(data)


def apply(root: str, step: Step, stamp: str) -> str:
    """Do one step, unless it is done; returns what is worth telling a person, or ""."""
    return _KINDS[step["do"]](root, step, stamp)


def _write(root: str, step: Step, stamp: str) -> str:
    path = target(root, step["path"])
    present = files.read_bytes(path)
    wanted = step["text"].encode("utf-8", "surrogateescape")
    if present == wanted:
        return ""
    told = ""
    if present is not None and sha256_hex(present) != step["before"]:
        if "added" in step:
            return _append(root, {**step, "text": step["added"], "size": len(present) + 1}, stamp)
        told = _keep_foreign(root, step["path"], present, stamp)
    _make_parents(root, step["path"])
    files.write_durable(path, wanted, mode=step.get("mode"))
    return told


def _keep_foreign(root: str, path: str, data: bytes, stamp: str) -> str:
    """Somebody wrote the file between a crash and now: their text is kept beside the versions."""
    name = f"{path.replace('/', '_')}-{stamp}.replaced"
    folder = os.path.join(root, PROOF_DIR, "history")
    files.ensure_private_dir(folder)
    files.write_durable(os.path.join(folder, name), data)
    return f"{path} had been changed meanwhile; that text is kept as {PROOF_DIR}/history/{name}"


def _append(root: str, step: Step, stamp: str) -> str:  # noqa: ARG001 - one form for every kind
    path = target(root, step["path"])
    _make_parents(root, step["path"])
    data = step["text"].encode("utf-8", "surrogateescape")
    present = files.read_bytes(path) or b""
    is_longer = len(present) >= step["size"]
    own = present[step["size"] :] if is_longer else present
    if data in own:
        return ""
    rest, told = data, ""
    if is_longer and data.startswith(own):
        rest = data[len(own) :]  # written in part, by us
    else:
        told = f"{step['path']} had been changed meanwhile; the lines stand at its end"
        if present and not present.endswith(b"\n"):
            rest = b"\n" + data
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    try:
        fd = os.open(path, flags | getattr(os, "O_BINARY", 0), 0o600)
        try:
            files.write_all(fd, rest)
            os.fsync(fd)
        finally:
            os.close(fd)
        if not present:
            files.sync_dir(os.path.dirname(path))
    except OSError as error:
        raise files.failure("append to", path, error) from error
    return told


def _rename(root: str, step: Step, stamp: str) -> str:  # noqa: ARG001 - see above
    old, new = target(root, step["path"]), target(root, step["to"])
    if not os.path.lexists(old):
        return "" if os.path.lexists(new) else f"{step['path']} was gone before it could be moved"
    if os.path.lexists(new):
        return f"{step['path']} is there again beside {step['to']}; both were left"
    try:
        os.rename(old, new)
        files.sync_dir(os.path.dirname(new))
        files.sync_dir(os.path.dirname(old))
    except OSError as error:
        raise files.failure("move", old, error) from error
    return ""


def _remove(root: str, step: Step, stamp: str) -> str:  # noqa: ARG001 - see above
    path = target(root, step["path"])
    present = files.read_bytes(path)
    if present is None:
        return ""
    if sha256_hex(present) != step["before"]:
        return f"{step['path']} had been changed meanwhile and was left"
    try:
        os.unlink(path)
        files.sync_dir(os.path.dirname(path))
    except OSError as error:
        raise files.failure("remove", path, error) from error
    return ""


_KINDS = {"write": _write, "append": _append, "rename": _rename, "remove": _remove}


def _make_parents(root: str, path: str) -> None:
    where = root
    for part in path.split("/")[:-1]:
        where = os.path.join(where, part)
        if not os.path.isdir(where):
            files.ensure_private_dir(where)
