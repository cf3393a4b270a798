"""The files that reports leave in a project's ``reports/``: each under a name of its own.

Owns their names and writing them. Does not own what is in them, nor the lines by which git ignores them
(``hosts.git_exclude``).
"""

from __future__ import annotations

import os
from itertools import count

from operators_edge.contexts import suppress
from operators_edge.errors import StateError
from operators_edge.locations import REPORTS_DIR
from operators_edge.storage import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime


def write_new(root: str, stem: str, ending: str, data: bytes, now: datetime) -> str:
    """Write a new file, and return its path relative to the project.

    Its name has the date; if that is taken also the time, and then a number. StateError if it cannot be
    written, or the folder leads out of the project.
    """
    folder = _folder(root)
    for name in _names(stem, ending, now):
        path = os.path.join(folder, name)
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            continue
        except OSError as error:
            raise files.failure("write", path, error) from error
        try:
            files.write_durable(path, data)
        except BaseException:
            with suppress(OSError):  # the first error is the one to report
                os.unlink(path)
            raise
        return f"{REPORTS_DIR}/{name}"
    raise AssertionError("names do not end")


def _folder(root: str) -> str:
    folder = os.path.join(root, REPORTS_DIR)
    try:
        os.mkdir(folder)
    except FileExistsError:
        below = os.path.join(os.path.realpath(root), "")
        if not os.path.realpath(folder).startswith(below):
            raise StateError(
                f"{folder} leads out of the project, so nothing is written there",
                hint="replace the link by a folder",
            ) from None
        if not os.path.isdir(folder):
            raise StateError(f"{folder} is not a folder", hint="move it away") from None
    except OSError as error:
        raise files.failure("make", folder, error) from error
    return folder


def _names(stem: str, ending: str, now: datetime) -> Iterator[str]:
    date, time = f"{now:%Y-%m-%d}", f"{now:%H%M%S}"
    yield f"{stem}_{date}{ending}"
    yield f"{stem}_{date}_{time}{ending}"
    for number in count(2):
        yield f"{stem}_{date}_{time}_{number}{ending}"


# end of module
