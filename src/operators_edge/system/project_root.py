"""Which project a directory belongs to, found by walking up; no git process is started.

Owns the search. Does not own bindings of sessions (``storage.registry``): a bound session keeps its root
wherever the agent changes directory to.
"""

from __future__ import annotations

import os

from operators_edge.locations import STATE_FILE
from operators_edge.system.realpaths import RealPaths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Found:
    """``root`` is absolute and real, or None with the ``reason`` why there is none.

    ``is_set_up`` tells whether the state file is there: without it the gate decides, but nothing is
    written into the tree. (No named tuple: ``typing`` costs too much on every tool call.)
    """

    __slots__ = ("is_set_up", "reason", "root")

    def __init__(self, root: str | None, reason: str = "", *, is_set_up: bool = False) -> None:
        self.root = root
        self.reason = reason
        self.is_set_up = is_set_up


def of_event(bound: str | None, cwd: object, env: Mapping[str, str]) -> Found:
    """The project of a host's event: the one its session is bound to, else where the client works.

    What was real when it was bound can have been moved since, with a link in its place: what is protected
    in it has to be known by where it is now.
    """
    if bound is not None:
        return named(bound)
    return find(env.get("CLAUDE_PROJECT_DIR") or str(cwd or os.getcwd()))


def find(start: str) -> Found:
    """The nearest state file's folder, else the repository's root.

    A repository that has no state file of its own, below a folder that has one, is ambiguous: the
    plan above may be about something else altogether, so neither is taken.
    """
    try:
        folder = os.path.realpath(start)
    except OSError as error:
        return Found(None, f"{start} cannot be resolved: {error.strerror}")
    repository = ""
    for each in _upwards(folder):
        if os.path.lexists(os.path.join(each, STATE_FILE)):
            if repository:
                return Found(None, _ambiguous(repository, each))
            return Found(each, is_set_up=True)
        if not repository and os.path.lexists(os.path.join(each, ".git")):
            repository = each
    if repository:
        return Found(repository)
    return Found(None, f"there is no {STATE_FILE} and no git repository at or above {folder}")


def named(folder: str) -> Found:
    """The project at exactly this folder, as a person names it with ``--project``."""
    real = RealPaths().of(folder)
    if os.path.lexists(os.path.join(real, STATE_FILE)):
        return Found(real, is_set_up=True)
    return Found(real) if os.path.isdir(real) else Found(None, f"{folder} is not a folder")


def same_place(root: str, tree: str) -> str | None:
    """Where the project at ``root`` lies in another work tree of its repository; None when nowhere."""
    for each in _upwards(os.path.realpath(root)):
        if os.path.lexists(os.path.join(each, ".git")):
            place = os.path.normpath(
                os.path.join(os.path.realpath(tree), os.path.relpath(os.path.realpath(root), each))
            )
            return place if os.path.isdir(place) else None
    return None


def _upwards(folder: str) -> list[str]:
    folders = [folder]
    while (parent := os.path.dirname(folder)) != folder:
        folders.append(parent)
        folder = parent
    return folders


def _ambiguous(repository: str, above: str) -> str:
    return (
        f"the repository {repository} has no {STATE_FILE}, but {above} above it has one; "
        f"run `edge init` in the one that is meant"
    )
