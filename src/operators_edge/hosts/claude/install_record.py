"""The record of an installation: each file that init changed, as it was without our part.

Owns the record's text. It lies outside the project; where, and what is done with it, is in
``hosts.claude.install``.
"""

from __future__ import annotations

import base64
import json
import os

import operators_edge
from operators_edge.storage import files
from operators_edge.system.digest import sha256_hex
from operators_edge.system.user_dirs import user_dir
from operators_edge.tuples import NamedTuple, cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Literal

    Kind = Literal["settings", "command", "exclude", "containment", "state"]


class RecordedFile(NamedTuple):
    """One file: its bytes without our part, None if it did not exist; and the hash of what we wrote.

    ``where`` is the project's folder in its repository, only for git's exclude file.
    """

    kind: Kind
    where: str
    before: bytes | None
    sha256: str


class InstallRecord(NamedTuple):
    """The record of one scope, without a ``root`` for the user's; ``folders`` are those that init created."""

    scope: str
    root: str | None
    files: Mapping[str, RecordedFile] = {}
    folders: tuple[str, ...] = ()

    def is_unchanged(self, path: str, current: bytes) -> bool:
        """Whether the file is as we left it."""
        return path in self.files and self.files[path].sha256 == sha256_hex(current)

    def encoded(self) -> bytes:
        entries = {}
        for path, each in self.files.items():
            before = None if each.before is None else base64.b64encode(each.before).decode()
            entries[path] = {**each._asdict(), "before": before}
        data = {"version": 1, "product": operators_edge.__version__, **self._asdict()}
        return json.dumps({**data, "files": entries}, indent=1).encode()


def decoded(data: bytes) -> InstallRecord:
    """The record in a file's bytes. ValueError: they are not one."""
    try:
        record = json.loads(data)
        found = {path: _file(entry) for path, entry in record["files"].items()}
        folders = tuple(map(str, record.get("folders", ())))
        return InstallRecord(str(record.get("scope")), record.get("root"), found, folders)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("it is not an install record") from error


def _file(entry: Mapping[str, str]) -> RecordedFile:
    before = None if entry["before"] is None else base64.b64decode(entry["before"])
    return RecordedFile(cast("Kind", entry["kind"]), entry["where"], before, entry["sha256"])


def user_record_path(env: Mapping[str, str]) -> str:
    """The record of the user's scope; it may not exist."""
    return os.path.join(user_dir(env), "install-user.json")


def records(env: Mapping[str, str]) -> Iterator[tuple[str, InstallRecord]]:
    """The install records of every project of this person; unreadable ones are ignored."""
    base = os.path.join(user_dir(env), "projects")
    for folder in sorted(os.listdir(base)) if os.path.isdir(base) else ():
        for scope in ("local", "shared"):
            path = os.path.join(base, folder, f"install-{scope}.json")
            try:
                yield path, decoded(files.read_bytes(path) or b"")
            except ValueError:
                continue


# end of module
