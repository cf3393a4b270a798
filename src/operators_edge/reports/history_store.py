"""The history of traceability: ``.proof/cti_history.csv``, a row for each run of ``edge loop``.

Owns the file; rows are only added. Does not own what they say (``reports.traceability``).
"""

from __future__ import annotations

import os

from operators_edge.locations import PROOF_DIR
from operators_edge.reports import traceability
from operators_edge.storage import files
from operators_edge.system import file_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.reports.traceability import Row

FILE = "cti_history.csv"

_MAX_BYTES = 256 * 1024
"""Of a longer file only the end is read."""


def path_of(root: str) -> str:
    return os.path.join(root, PROOF_DIR, FILE)


def rows(root: str) -> list[Row]:
    """The last rows, oldest first; [] without a file. StateError if it cannot be read."""
    path = path_of(root)
    try:
        with open(path, "rb", opener=file_cache.open_regular) as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - _MAX_BYTES))
            return traceability.rows(file.read().decode("utf-8", "replace"))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise files.failure("read", path, error) from error


def append(root: str, row: Row) -> None:
    """Add a row, durably. What is there stays as it is."""
    path = path_of(root)
    files.ensure_private_dir(os.path.dirname(path))
    with files.Lock(f"{path}.lock", command="edge loop"):
        try:
            _append(path, row.as_text())
        except OSError as error:
            raise files.failure("append to", path, error) from error


def _append(path: str, text: str) -> None:
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    fd = os.open(path, flags | getattr(os, "O_BINARY", 0), 0o600)
    try:
        size = os.fstat(fd).st_size
        lead = "" if size else f"{traceability.HEADER}\n"
        if size:
            os.lseek(fd, size - 1, os.SEEK_SET)
            lead = "" if os.read(fd, 1) == b"\n" else "\n"  # a row that was cut, or an older tool's
        files.write_all(fd, f"{lead}{text}\n".encode())
        os.fsync(fd)
    finally:
        os.close(fd)
    files.sync_dir(os.path.dirname(path))


# end of module
