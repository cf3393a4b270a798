"""The repositories inside of others that a call is about: submodules, and those that lie in what it names.

Owns finding them, and which of them would go as a whole, so that no snapshot in them can help. Does not own
the snapshots (``undo.snapshots``).
"""

from __future__ import annotations

import glob
import os
from itertools import islice

from operators_edge.git import commands as git
from operators_edge.locations import is_within
from operators_edge.storage import files
from operators_edge.system.project_root import top_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from operators_edge.model import Finding

_MAX_FOLDERS = 5_000
_MAX_MATCHES = 1_000
_OF_ATTRIBUTES = ("chmod", "chown", "chgrp", "setfacl", "setfattr")
"""Programs that change what files have besides their content."""

_GOES = "it is a repository of its own, and can go with all that is in it"


def empty_submodule(folder: str) -> str:
    """The submodule that the folder is in and that is not checked out, as its repository names it; or ""."""
    top = top_of(folder)
    if not top or top == folder:
        return ""
    below = os.path.relpath(folder, top)
    for line in (git.ask(top, "ls-files", "-s", "-z", "--", f":(literal){below}") or "").split(
        "\0"
    ):
        about, _, path = line.partition("\t")
        if about.startswith("160000 "):
            return path
    return ""


def touched(root: str, known: Sequence[str], findings: Iterable[Finding]) -> dict[str, str]:
    """The top folders of repositories that the findings are about, besides ``known``; and why no snapshot
    in one can help, or "".
    """
    place = os.path.realpath(root)
    found = {top: why for each in findings for top, why in _of_finding(each, place, known)}
    return {top: why for top, why in found.items() if is_within(os.path.realpath(top), place)}


def _of_finding(finding: Finding, place: str, known: Sequence[str]) -> Iterator[tuple[str, str]]:
    about = dict(finding.detail)
    line = f"{about.get('through', '')} {about.get('command', '')}"
    is_git = about.get("command", "").startswith("git ")
    if "submodule" in line or (is_git and _goes_into_submodules(known)):
        is_deinit = " deinit" in line
        for top in _below(known):
            if top not in known and (_is_submodule(f"{top}/.git") or not is_deinit):
                yield top, _GOES if is_deinit else ""
        return
    removes = is_git and "rm" in line.split() and "--cached" not in line.split()
    if is_git and not (removes or _cleans_repositories(line)):
        return
    targets = finding.targets or (finding.cwd,)
    named = [path for target in targets for path in _existing(target)]
    stays = about.get("command", "").split(" ", 1)[0] in _OF_ATTRIBUTES
    for top in _below(named):
        own = os.path.join(top, ".git")
        if top == place or (is_git and not removes and _is_submodule(own)):
            continue
        goes = removes or (not stays and any(is_within(own, path) for path in named))
        yield top, _GOES if goes else ""


def _cleans_repositories(line: str) -> bool:
    """Whether a line of git deletes untracked repositories too: ``clean``, forced twice."""
    words = line.split()
    short = "".join(word for word in words if word[:1] == "-" and word[:2] != "--")
    return "clean" in words and short.count("f") + words.count("--force") > 1


def _is_submodule(path: str) -> bool:
    """Whether ``.git`` leads into the repository around it."""
    return os.path.isfile(path) and b"/modules/" in (files.read_bytes(path) or b"")


def _goes_into_submodules(tops: Iterable[str]) -> bool:
    """Whether git is set to change submodules together with what is around them."""
    words = ("config", "--type=bool", "--get", "submodule.recurse")
    having = [top for top in tops if os.path.lexists(os.path.join(top, ".gitmodules"))]
    return any((git.ask(top, *words) or "").strip() == "true" for top in having)


def _existing(target: str) -> list[str]:
    if os.path.lexists(target):
        return [target]
    try:
        return list(islice(glob.iglob(target), _MAX_MATCHES)) if glob.has_magic(target) else []
    except (OSError, ValueError):
        return []


def _below(folders: Iterable[str]) -> Iterator[str]:
    """The folders at or below these ones with ``.git`` in them, as deep as a few thousand folders go."""
    count = 0
    for folder in folders:
        if os.path.islink(folder):
            continue
        for base, inner, names in os.walk(folder):
            count += 1
            if count > _MAX_FOLDERS:
                return
            if ".git" in inner or ".git" in names:
                yield base
            inner[:] = [name for name in inner if name != ".git"]


# end of module
