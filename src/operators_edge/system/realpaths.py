"""Where paths lead with links followed: what ``os.path.realpath`` says, for many paths at once.

Owns looking at each folder once. On the path of every tool call, which asks after a dozen paths that
begin alike: it imports next to nothing.
"""

from __future__ import annotations

import os

_LINK, _KIND = 0o120000, 0o170000
"""As in ``stat``, which would have to be imported for it."""

_DEEPEST = 200
"""Folders; a system's longest path can have ten times as many, and each is a call within a call."""


class RealPaths:
    """``of`` any path, as the disk was when each of its folders was first asked for.

    For one question that takes a moment: it does not notice what changes afterwards.
    """

    __slots__ = ("_closed", "_known", "_missing")

    def __init__(self) -> None:
        self._known: dict[str, str] = {"": ""}
        self._missing: set[str] = set()
        self._closed: set[str] = set()
        """What leads through a link that cannot be followed: the library guesses, and so it is asked."""

    def of(self, path: str) -> str:
        """The same as ``os.path.realpath``; ValueError for what can be no path."""
        whole = f"{path}/"
        is_plain = (
            path[:1] == "/"
            and whole.count("/") <= _DEEPEST
            and not any(each in whole for each in ("//", "/./", "/../", "\0"))
        )
        if os.name != "posix" or not is_plain:
            return os.path.realpath(path)  # drives, and what has to be put straight first
        return self._of(path)

    def _of(self, path: str) -> str:
        known = self._known.get(path)
        if known is None:
            above, _, name = path.rpartition("/")
            folder = self._of(above)
            known = f"{folder}/{name}"
            if folder in self._missing:
                os.fsencode(name)  # as a look at it would
                self._missing.add(known)
            else:
                known = "" if above in self._closed else self._seen(known)
            if not known:
                self._closed.add(path)
                known = os.path.realpath(path)
            self._known[path] = known
        return known

    def _seen(self, path: str) -> str:
        try:
            is_link = os.lstat(path).st_mode & _KIND == _LINK
        except FileNotFoundError:
            self._missing.add(path)
            return path
        except OSError:
            return path  # nothing to be seen there: what it is called is all
        return _followed(path) if is_link else path


def _followed(link: str) -> str:
    """Where a link leads; "" where that cannot be told, as where it leads to itself."""
    try:
        os.stat(link)
    except FileNotFoundError:
        pass  # its name is known all the same
    except OSError:
        return ""
    return os.path.realpath(link)
