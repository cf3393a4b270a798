"""``os.path.realpath`` for many paths at once, reading each folder only once.

Every tool call resolves a dozen paths with the same beginning. On the hook path: it imports next to nothing.
"""

from __future__ import annotations

import os

_LINK, _KIND = 0o120000, 0o170000
"""As in the module ``stat``, which is not imported just for these."""

_MAX_DEPTH = 200
"""Folders in a path: each is a recursive call, and a system may allow paths ten times as long."""


class RealPaths:
    """``of`` resolves any path, as the disk was when each of its folders was first read.

    For one short decision: later changes are not noticed.
    """

    __slots__ = ("_closed", "_known", "_missing")

    def __init__(self) -> None:
        self._known: dict[str, str] = {"": ""}
        self._missing: set[str] = set()
        self._closed: set[str] = set()
        """Paths through a link that cannot be followed: left to the library, which makes a guess."""

    def of(self, path: str) -> str:
        """The same as ``os.path.realpath``; ValueError for text that cannot be a path."""
        known = self._known.get(path)
        if known:
            return known
        whole = f"{path}/"
        is_plain = (
            path[:1] == "/"
            and whole.count("/") <= _MAX_DEPTH
            and "//" not in whole
            and "/./" not in whole
            and "/../" not in whole
            and "\0" not in whole
        )
        if os.name != "posix" or not is_plain:
            return os.path.realpath(path)  # drives, and paths that must be normalised first
        return self._of(path)

    def _of(self, path: str) -> str:
        known = self._known.get(path)
        if known is None:
            above, _, name = path.rpartition("/")
            folder = self._of(above)
            known = f"{folder}/{name}"
            if folder in self._missing:
                os.fsencode(name)  # raises for what cannot be a name, as ``lstat`` would
                self._missing.add(known)
            else:
                known = "" if above in self._closed else self._resolved(known)
            if not known:
                self._closed.add(path)
                known = os.path.realpath(path)
            self._known[path] = known
        return known

    def _resolved(self, path: str) -> str:
        try:
            is_link = os.lstat(path).st_mode & _KIND == _LINK
        except FileNotFoundError:
            self._missing.add(path)
            return path
        except OSError:
            return path  # it cannot be read: its name is all that is known
        return _followed(path) if is_link else path


def _followed(link: str) -> str:
    """Where a link leads; "" if that is unknown, as for one that leads to itself."""
    try:
        os.stat(link)
    except FileNotFoundError:
        pass  # its target's name is known anyway
    except OSError:
        return ""
    return os.path.realpath(link)


# end of module
