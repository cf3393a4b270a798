"""What eval runs leave: a folder for each, and what waits for a write to end.

Owns ``.proof/evals``: ``YYYY-MM-DD/run-NN/{before,after,diff}.json`` and ``pending/ID.json``. All of it can
be deleted; that a run happened stands in the log. Does not own what is in a run (``quality.evals``).
"""

from __future__ import annotations

import json
import os
import re
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from operators_edge.errors import StateDamaged, UsageError
from operators_edge.storage import files, segments
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

KEPT_DAYS, KEPT_DAYS_FAILED = 7, 30

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_RUN = re.compile(r"run-\d{2,6}")
_WAITING = re.compile(r"[0-9a-f]+\.json")
_PARTS = ("before", "after", "diff")


class Runs:
    """The runs of one project."""

    def __init__(self, root: str) -> None:
        self.folder = os.path.join(segments.folder_of(root), "evals")

    # -- runs ------------------------------------------------------------------------------------

    def add(self, now: datetime, parts: Mapping[str, str]) -> str:
        """Keep a run; its name, "2026-01-02/run-03". ``diff`` is written last: with it the run is whole."""
        day = now.strftime("%Y-%m-%d")
        home = os.path.join(self.folder, day)
        for each in (self.folder, home):
            files.ensure_private_dir(each)
        numbers = [int(name[4:]) for name in _names(home, _RUN)]
        number = max(numbers, default=0)
        while True:
            number += 1
            name = f"run-{number:02d}"
            try:
                os.mkdir(os.path.join(home, name), 0o700)
                break
            except FileExistsError:
                continue  # another process has just taken it
            except OSError as error:
                raise files.failure("make", os.path.join(home, name), error) from error
        for part in _PARTS:
            if part in parts:
                path = os.path.join(home, name, f"{part}.json")
                files.write_durable(path, parts[part].encode("utf-8", "replace"))
        return f"{day}/{name}"

    def names(self) -> list[str]:
        """Every run, oldest first."""
        days = _names(self.folder, _DAY)
        runs = ((day, run) for day in days for run in _names(os.path.join(self.folder, day), _RUN))
        return [
            f"{day}/{run}" for day, run in sorted(runs, key=lambda one: (one[0], int(one[1][4:])))
        ]

    def part(self, name: str, part: str) -> dict[str, Any] | None:
        """One file of a run; None where it was not kept. Raises StateDamaged for what is no JSON object."""
        day, _, run = name.partition("/")
        if not _DAY.fullmatch(day) or not _RUN.fullmatch(run):
            raise UsageError(f"{name!r} is no run", hint="edge eval list")
        return _object(os.path.join(self.folder, day, run, f"{part}.json"))

    def old(self, now: datetime) -> list[str]:
        """The runs past their time, which comes later where one failed."""
        return [name for name in self.names() if self._is_old(name, now)]

    def _is_old(self, name: str, now: datetime) -> bool:
        try:
            days = (now.date() - now.date().fromisoformat(name[:10])).days
        except ValueError:
            return False  # a folder of somebody's: there is no such day
        return days > KEPT_DAYS_FAILED or (days > KEPT_DAYS and not self._has_failed(name))

    def remove_old(self, now: datetime) -> int:
        """Remove runs past their time; returns how many went."""
        gone = self.old(now)
        for name in gone:
            _remove(shutil.rmtree, os.path.join(self.folder, *name.split("/")))
        for day in _names(self.folder, _DAY):
            with suppress(OSError):  # it holds a run, or another process was faster
                os.rmdir(os.path.join(self.folder, day))
        return len(gone)

    def _has_failed(self, name: str) -> bool:
        """Also where that cannot be read: it is kept for longer."""
        try:
            diff = self.part(name, "diff")
        except StateDamaged:
            return True
        return diff is not None and bool(diff.get("failed"))

    # -- what waits ------------------------------------------------------------------------------

    def begin(self, ident: str, text: str) -> None:
        """Keep what was there before a write."""
        files.ensure_private_dir(self.folder)
        files.ensure_private_dir(os.path.join(self.folder, "pending"))
        files.write_durable(self._pending(ident), text.encode("utf-8", "replace"))

    def take(self, ident: str) -> dict[str, Any] | None:
        """What was kept before this write; it waits no more. None where nothing was."""
        path = self._pending(ident)
        found = _object(path)
        if found is not None:
            os.unlink(path)
        return found

    def orphans(self, now: datetime, *, older_than: float) -> list[str]:
        """The paths of what waits for a write that never ended."""
        folder = os.path.join(self.folder, "pending")
        found = []
        for name in _names(folder, _WAITING):
            path = os.path.join(folder, name)
            try:
                if now.timestamp() - os.stat(path).st_mtime > older_than:
                    found.append(path)
            except FileNotFoundError:
                continue  # its write has ended in this moment
            except OSError as error:
                raise files.failure("read", path, error) from error
        return found

    def clear_orphans(self, now: datetime, *, older_than: float) -> int:
        """Remove what waits for a write that never ended; returns how many there were."""
        gone = self.orphans(now, older_than=older_than)
        for path in gone:
            _remove(os.unlink, path)
        return len(gone)

    def waiting(self) -> int:
        return len(_names(os.path.join(self.folder, "pending"), _WAITING))

    def _pending(self, ident: str) -> str:
        return os.path.join(self.folder, "pending", f"{sha256_hex(ident.encode())[:32]}.json")


def _names(folder: str, pattern: re.Pattern[str]) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if pattern.fullmatch(name))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise files.failure("list", folder, error) from error


def _remove(act: Callable[[str], None], path: str) -> None:
    try:
        act(path)
    except FileNotFoundError:
        return  # another process was faster, or the write has just ended
    except OSError as error:
        raise files.failure("remove", path, error) from error


def _object(path: str) -> dict[str, Any] | None:
    data = files.read_bytes(path)
    if data is None:
        return None
    try:
        value = json.loads(data)
    except ValueError as error:
        hint = f"It can be deleted: {path}"
        raise StateDamaged(path, f"it cannot be read as JSON: {error}", hint=hint) from error
    if not isinstance(value, dict):
        raise StateDamaged(path, "it holds no JSON object", hint=f"It can be deleted: {path}")
    return value
