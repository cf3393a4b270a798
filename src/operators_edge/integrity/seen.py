"""What the last comparison found, with a stamp of everything that it looked at.

So a prompt costs some hundred ``stat`` calls and no digest. Owns that file; it is not signed, so the start of
a session, ``edge status`` and ``edge doctor`` compare everything anyway. Prompts and all commands read it: it
imports next to nothing, and each text in it ends with a NUL, as to load a parser takes longer than the rest.
"""

from __future__ import annotations

import os

from operators_edge.locations import known_user_dir
from operators_edge.system.digest import sha256_hex
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Difference(NamedTuple):
    """What does not hold any more, and what a person runs to fix it."""

    what: str
    run: str

    @property
    def line(self) -> str:
        return f"{self.what}. {self.run}"


class Seen(NamedTuple):
    """The files and folders that were looked at, their stamp, and what was found."""

    paths: list[str]
    stamp: str
    found: list[Difference]


_MARK = "seen 1"


def path(env: Mapping[str, str]) -> str:
    """Where it is kept; "" if no home folder is known."""
    folder = known_user_dir(env)
    return os.path.join(folder, "integrity-seen") if folder else ""


def unchanged(env: Mapping[str, str]) -> list[Difference] | None:
    """What the last comparison found, if nothing has changed since; None if it must be made again.

    Without a record nothing is compared.
    """
    folder = known_user_dir(env)
    if not folder:
        return []
    if not os.path.exists(os.path.join(folder, "integrity.json")):
        return None if os.path.exists(path(env)) else []  # it was there
    try:
        with open(path(env), "rb") as file:
            kept = _decoded(file.read())
    except (OSError, ValueError):
        return None  # missing or damaged: everything is compared again
    return kept.found if stamp(kept.paths) == kept.stamp else None


def encoded(kept: Seen) -> bytes:
    """As it is kept in the file."""
    pairs = [text.replace("\0", "") for each in kept.found for text in each]
    return "".join(
        f"{text}\0" for text in (_MARK, kept.stamp, str(len(kept.paths)), *kept.paths, *pairs)
    ).encode(errors="surrogateescape")


def _decoded(data: bytes) -> Seen:
    mark, kept, count, *rest, end = data.decode(errors="surrogateescape").split("\0")
    paths, texts = rest[: int(count)], rest[int(count) :]
    if mark != _MARK or end or len(paths) != int(count) or len(texts) % 2:
        raise ValueError("it is not whole, or of another version")
    return Seen(paths, kept, list(map(Difference, texts[::2], texts[1::2])))


def stamp(paths: Iterable[str]) -> str:
    """A text that changes with any of the files and folders: also with new content of the same size.

    Of ``FOLDER/.`` it tells whether this is the same folder: each change of the state changes the project's.
    """
    parts = []
    for each in paths:
        try:
            found = os.stat(each)
        except (OSError, ValueError):
            parts.append("-")
            continue
        if each.endswith((f"{os.sep}.", "/.")):
            parts.append(f"{found.st_ino}")
            continue
        parts.append(f"{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}:{found.st_ino}")
    return sha256_hex(" ".join(parts).encode())


# end of module
