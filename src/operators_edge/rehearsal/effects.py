"""What a rehearsed command changed, sorted by what it means to a person. Pure; ``changes`` finds it out."""

from __future__ import annotations

import difflib
import os
import stat

from operators_edge.gate.paths import is_host_settings
from operators_edge.locations import is_within
from operators_edge.model import OWN_PATHS
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Literal

    What = Literal["created", "changed", "deleted", "mode"]

    Where = Literal["project", "repository", "guard", "temporary", "outside"]


_MAX_DIFF_LINES = 3_000


class Change(NamedTuple):
    """One file, link or folder. The modes are those of ``stat``, 0 where there was or is nothing.

    ``files`` and ``size`` are those of all that a deleted folder held. ``before`` and ``after`` are texts,
    if they are short enough to be compared, else None; those of a link are its targets.
    """

    path: str
    what: What
    old_mode: int = 0
    new_mode: int = 0
    size: int = 0
    files: int = 1
    before: bytes | None = None
    after: bytes | None = None

    @property
    def is_folder(self) -> bool:
        return stat.S_ISDIR(self.new_mode or self.old_mode)

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.new_mode or self.old_mode)


class Surroundings(NamedTuple):
    """Absolute paths: the project, the repositories' own folders, where temporary files lie, and the home."""

    project: str
    repositories: tuple[str, ...] = ()
    temporary: tuple[str, ...] = ()
    home: str = ""


def where(path: str, around: Surroundings) -> Where:
    """To what a changed path belongs."""
    if any(is_within(path, each) for each in around.repositories) or "/.git/" in f"{path}/":
        return "repository"
    if is_within(path, around.project):
        below = os.path.relpath(path, around.project)
        is_own = below.split(os.sep)[0] in OWN_PATHS or is_host_settings(f"/{below}")
        return "guard" if is_own else "project"
    is_at_home = bool(around.home) and is_within(path, around.home)
    # A home that is in a temporary folder is not temporary.
    temporary = () if is_at_home and around.home not in around.temporary else around.temporary
    return "temporary" if any(is_within(path, each) for each in temporary) else "outside"


def sorted_by_place(changes: Iterable[Change], around: Surroundings) -> dict[Where, list[Change]]:
    found: dict[Where, list[Change]] = {}
    for each in changes:
        found.setdefault(where(each.path, around), []).append(each)
    return found


def folded(changes: Sequence[Change]) -> list[Change]:
    """The changes with each created folder as one, which counts the files in it."""
    folders: dict[str, list[Change]] = {}
    found: list[Change] = []
    above = ""
    for each in sorted(changes, key=lambda one: one.path.split(os.sep)):
        if above and each.path.startswith(above):
            folders[above].append(each)
            continue
        if each.what == "created" and each.is_folder:
            above = each.path + os.sep
            folders[above] = []
        found.append(each)
    return [_with_files(each, folders.get(each.path + os.sep)) for each in found]


def _with_files(change: Change, inside: list[Change] | None) -> Change:
    if inside is None:
        return change
    files = [each for each in inside if not each.is_folder]
    return change._replace(files=len(files), size=sum(each.size for each in files))


def diff(change: Change, name: str) -> list[str]:
    """The lines that differ; [] if the contents are not there, or no text."""
    texts = []
    for each in (change.before or b"", change.after or b""):
        try:
            texts.append(each.decode("utf-8"))
        except UnicodeDecodeError:
            return []
    lines = [each.splitlines() for each in texts]
    is_text = change.before is not None and change.after is not None and "\0" not in "".join(texts)
    if not is_text or max(map(len, lines)) > _MAX_DIFF_LINES:
        return []
    old, new = lines
    return list(difflib.unified_diff(old, new, name, name, lineterm="", n=2))


def permissions(mode: int) -> str:
    return f"{stat.S_IMODE(mode):03o}"


# end of module
