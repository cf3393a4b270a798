"""Which project a folder belongs to, found by walking up; no git process is started.

Does not own the bindings of sessions (``storage.bindings``): a bound session keeps its root, whatever folder
the agent changes to.
"""

from __future__ import annotations

import os

from operators_edge.locations import STATE_FILE, is_within
from operators_edge.system.realpaths import RealPaths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class ProjectLocation:
    """``root`` is absolute and without links, or None with the ``reason``.

    ``is_set_up`` is True if the state file exists: without it the gate decides, but nothing is written into
    the project. (Not a named tuple: importing ``typing`` costs too much on every tool call.)
    """

    __slots__ = ("is_set_up", "reason", "root")

    def __init__(self, root: str | None, reason: str = "", *, is_set_up: bool = False) -> None:
        self.root = root
        self.reason = reason
        self.is_set_up = is_set_up


def of_event(bound: str | None, cwd: object, env: Mapping[str, str]) -> ProjectLocation:
    """The project of a host's event: the one that its session is bound to, else the client's folder.

    The bound folder can have been moved since, with a link in its place: links are followed again, because
    protected files must be known by their current location.
    """
    if bound is not None:
        return named(bound)
    return find(env.get("CLAUDE_PROJECT_DIR") or str(cwd or os.getcwd()))


def find(start: str) -> ProjectLocation:
    """The folder of the nearest state file, else the repository's root.

    A repository without a state file, below a folder that has one, is ambiguous: the plan above may be about
    something else, so neither is chosen.
    """
    try:
        folder = os.path.realpath(start)
    except OSError as error:
        return ProjectLocation(None, f"{start} cannot be resolved: {error.strerror}")
    repository = ""
    for each in upwards(folder):
        if os.path.lexists(os.path.join(each, STATE_FILE)):
            if repository:
                return ProjectLocation(None, _ambiguous(repository, each))
            return ProjectLocation(each, is_set_up=True)
        if not repository and os.path.lexists(os.path.join(each, ".git")):
            repository = each
    if repository:
        return ProjectLocation(repository)
    return ProjectLocation(
        None, f"there is no {STATE_FILE} and no git repository at or above {folder}"
    )


def named(folder: str) -> ProjectLocation:
    """The project at exactly this folder, as given with ``--project``."""
    real = RealPaths().of(folder)
    if os.path.lexists(os.path.join(real, STATE_FILE)):
        return ProjectLocation(real, is_set_up=True)
    return (
        ProjectLocation(real)
        if os.path.isdir(real)
        else ProjectLocation(None, f"{folder} is not a folder")
    )


def same_place(root: str, tree: str) -> str | None:
    """The folder of the project at ``root`` in another worktree of its repository; None if there is none."""
    real = os.path.realpath(root)
    top = top_of(real)
    place = os.path.normpath(
        os.path.join(os.path.realpath(tree), os.path.relpath(real, top or real))
    )
    return place if top and os.path.isdir(place) else None


def main_tree(folder: str) -> tuple[str, str] | None:
    """For a folder in a linked worktree: the project in the main working tree, and its place in this one.

    None unless the main tree has the project's state file, and git knows the worktree.
    """
    folder = os.path.realpath(folder)
    top = top_of(folder)
    main = _main_of(top) if top and os.path.isfile(f"{top}/.git") else ""
    for place in upwards(folder) if main else ():
        root = os.path.normpath(os.path.join(main, os.path.relpath(place, top)))
        if os.path.lexists(os.path.join(root, STATE_FILE)):
            return root, place
        if place == top:
            break
    return None


def _main_of(top: str) -> str:
    """The main working tree of a linked one; "" if git's files do not confirm that they belong together."""
    try:
        own = git_folder(top)
        common = os.path.realpath(shared_folder(own))
        is_ours = os.path.realpath(_named_in(f"{own}/gitdir")) == os.path.realpath(f"{top}/.git")
    except OSError:
        return ""
    return os.path.dirname(common) if is_ours and os.path.basename(common) == ".git" else ""


def top_of(folder: str) -> str:
    """The nearest folder, upwards, with ``.git``; "" if there is none."""
    found = (each for each in upwards(folder) if os.path.lexists(os.path.join(each, ".git")))
    return next(found, "")


def git_folder(folder: str) -> str:
    """The git folder of the working tree around a folder, linked ones too; "" without one."""
    for each in upwards(folder):
        path = os.path.join(each, ".git")
        if os.path.isdir(path):
            return path
        if os.path.isfile(path):
            return os.path.join(each, _named_in(path).removeprefix("gitdir: "))
    return ""


def shared_folder(own: str) -> str:
    """The git folder that the worktrees of a repository share, for that of one of them; "" for ""."""
    return os.path.join(own, _named_in(os.path.join(own, "commondir"))) if own else ""


def _named_in(path: str) -> str:
    """The path, of any bytes, that a file of git's contains; "" if there is none. Raises OSError."""
    if not os.path.isfile(path):  # a pipe would be waited for
        return ""
    with open(path, "rb") as file:
        return os.fsdecode(file.read(4096).rstrip(b"\r\n"))


def is_of_project(top: str, root: str) -> bool:
    """Whether a working tree is the project's own, inside of it, or another one of its repository.

    ``root`` is without links.
    """
    around = top_of(root)
    if top == around or is_within(top, root):
        return True
    try:
        known, found = (shared_folder(git_folder(each)) if each else "" for each in (around, top))
    except OSError:
        return False
    return bool(known and found) and os.path.realpath(known) == os.path.realpath(found)


def is_bare(folder: str) -> bool:
    """Whether the folder is in a repository without working tree, or in git's own folder."""
    for each in upwards(folder):
        if os.path.lexists(os.path.join(each, ".git")):
            return False
        if all(os.path.exists(os.path.join(each, name)) for name in ("HEAD", "objects", "refs")):
            return True
    return False


def upwards(folder: str) -> list[str]:
    """The folder and all above it."""
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


# end of module
