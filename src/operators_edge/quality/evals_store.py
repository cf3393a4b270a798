"""The files of eval runs: a folder for each run, and what an edit in progress starts from.

Owns ``.proof/evals``: ``YYYY-MM-DD/run-NN/{before,after,diff}.json`` and ``pending/ID.json``. All of it can
be deleted; that a run happened is in the log. Does not own what is in a run (``quality.evals_service``).
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
from contextlib import suppress

from operators_edge.errors import UsageError
from operators_edge.storage import files, segments
from operators_edge.system.digest import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from typing import Any

KEPT_DAYS = 14
ORPHAN_SECONDS = 3600
"""An edit that takes longer has never finished."""

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_RUN = re.compile(r"run-\d{2,6}")
_PENDING = re.compile(r"[0-9a-f]+\.json")


class Runs:
    """The runs of one project."""

    def __init__(self, root: str) -> None:
        self.folder = os.path.join(segments.folder_of(root), "evals")
        self._pending = os.path.join(self.folder, "pending")

    def add(self, now: datetime, parts: Mapping[str, str]) -> str:
        """Store a run; returns its name, "2026-01-02/run-03". It is whole once its last part is written."""
        day = now.strftime("%Y-%m-%d")
        folder = os.path.join(self.folder, day)
        for each in (self.folder, folder):
            files.ensure_private_dir(each)
        last = max((int(name[4:]) for name in _names(folder, _RUN)), default=0)
        for number in itertools.count(last + 1):
            run = os.path.join(folder, f"run-{number:02d}")
            try:
                os.mkdir(run, 0o700)
                break
            except FileExistsError:
                continue  # another process has just taken it
            except OSError as error:
                raise files.failure("make", run, error) from error
        for part, text in parts.items():
            path = os.path.join(run, f"{part}.json")
            files.write_durable(path, text.encode("utf-8", "replace"))
        return f"{day}/{os.path.basename(run)}"

    def names(self) -> list[str]:
        """Every run, oldest first."""
        return [
            f"{day}/{run}"
            for day in _names(self.folder, _DAY)
            for run in sorted(
                _names(os.path.join(self.folder, day), _RUN), key=lambda name: int(name[4:])
            )
        ]

    def part(self, name: str, part: str) -> dict[str, Any] | None:
        """One file of a run; None if it was not stored. Raises StateDamaged if it is not a JSON object."""
        day, _, run = name.partition("/")
        if not _DAY.fullmatch(day) or not _RUN.fullmatch(run):
            raise UsageError(f"{name!r} is not a run", hint="edge eval list")
        return _object(os.path.join(self.folder, day, run, f"{part}.json"))

    def begin(self, ident: str, text: str) -> None:
        """Store what is there before an edit."""
        for each in (self.folder, self._pending):
            files.ensure_private_dir(each)
        files.write_durable(self._pending_path(ident), text.encode("utf-8", "replace"))

    def take(self, ident: str) -> dict[str, Any] | None:
        """What was stored before this edit, which is no longer pending; None if nothing was."""
        path = self._pending_path(ident)
        found = _object(path)
        if found is not None:
            os.unlink(path)
        return found

    def pending(self) -> int:
        """The number of edits in progress."""
        return len(_names(self._pending, _PENDING))

    def _pending_path(self, ident: str) -> str:
        return os.path.join(self._pending, f"{sha256_hex(ident.encode())[:32]}.json")

    # -- what can be deleted -----------------------------------------------------------------------

    def orphans(self, now: datetime) -> list[str]:
        """The paths of what was stored before edits that never finished."""
        paths = [os.path.join(self._pending, name) for name in _names(self._pending, _PENDING)]
        return [path for path in paths if now.timestamp() - _modified_at(path) > ORPHAN_SECONDS]

    def expired(self, now: datetime) -> list[str]:
        """The paths of runs that are older than ``KEPT_DAYS``."""
        found = []
        for name in self.names():
            with suppress(ValueError):  # somebody's own folder: there is no such day
                if (now.date() - now.date().fromisoformat(name[:10])).days > KEPT_DAYS:
                    found.append(os.path.join(self.folder, *name.split("/")))
        return found

    def delete(self, paths: list[str]) -> None:
        """Delete orphans or expired runs, and the folders of days without runs."""
        for path in paths:
            try:
                shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
            except FileNotFoundError:
                continue  # another process was faster, or the edit has just finished
            except OSError as error:
                raise files.failure("delete", path, error) from error
            with suppress(OSError):  # it contains another run
                os.rmdir(os.path.dirname(path))


def _modified_at(path: str) -> float:
    """When the file was written; a time in the future if it is gone."""
    try:
        return os.stat(path).st_mtime
    except FileNotFoundError:
        return float("inf")  # its edit has just finished
    except OSError as error:
        raise files.failure("read", path, error) from error


def _names(folder: str, pattern: re.Pattern[str]) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if pattern.fullmatch(name))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise files.failure("list", folder, error) from error


def _object(path: str) -> dict[str, Any] | None:
    data = files.read_bytes(path)
    if data is None:
        return None
    return files.json_object(path, data, hint=f"It can be deleted: {path}")


# end of module
