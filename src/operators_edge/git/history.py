"""Where else a file may have been touched: other commits, stashes and work trees of the same repository.

Asked before anybody is said not to have touched a file, so every doubt is an answer: what git shows counts as
a trace, and what git cannot tell is None. Does not own what follows from it (``evidence.claims.service``).
"""

from __future__ import annotations

import os
from datetime import datetime
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.git import commands as git, status as git_status
from operators_edge.git.status import Blind

if TYPE_CHECKING:
    from collections.abc import Sequence

LIMIT_SECONDS = 3.0

MOST_MOVES = 200
"""Places where HEAD was since the moment; more are not compared, and nothing is denied then."""


def touched_anywhere(
    root: str, paths: Sequence[str], since: str, *, head: str = ""
) -> dict[str, bool | None]:
    """Whether the repository shows any trace that a path, relative to the root, was changed since a moment.

    ``since`` is a time as the log writes it (ISO 8601 with its offset). True: a commit since then on any ref,
    in any reflog or stash touches it, HEAD went to a commit where it is another one, it differs in another
    work tree, or it differs here and was written since. None: git cannot tell, or does not look at it
    (ignored, inside another repository). False: none of that, for a path that git looks at.

    ``head`` is the commit that was checked out at that moment, where it is known: commits know no fractions
    of a second, and what it holds was there before.
    """
    try:
        moment = _Moment(datetime.fromisoformat(since).timestamp(), head)
        return _touched(root, list(paths), moment, git.Deadline(LIMIT_SECONDS))
    except (Blind, git.TooSlow, OSError, ValueError):
        return dict.fromkeys(paths)


class _Moment(NamedTuple):
    at: float
    head: str

    @property
    def second(self) -> int:
        """As git tells times."""
        return int(self.at // 1)

    @property
    def tick(self) -> float:
        """As a file system tells them: its clock goes in steps of some milliseconds."""
        return self.at - 0.05


def _touched(
    root: str, paths: list[str], moment: _Moment, limit: git.Deadline
) -> dict[str, bool | None]:
    inside = {path: os.path.normpath(path).replace(os.sep, "/") for path in paths}
    known = [each for each in inside.values() if _is_below(each)]
    if not known:
        return dict.fromkeys(paths)
    seen = _committed(root, known, moment, limit) | _passed(root, known, moment, limit)
    seen |= _differing(root, moment, limit)
    quiet = [each for each in known if not _holds(seen, each)]
    blind = {*inside.values()}.difference(known) | _blind(root, quiet, limit)
    return {path: None if each in blind else each not in quiet for path, each in inside.items()}


def _is_below(path: str) -> bool:
    return not os.path.isabs(path) and path != "." and path.split("/", maxsplit=1)[0] != ".."


def _holds(seen: set[str], path: str) -> bool:
    """Also for a folder in which something was seen, and for a file of a repository inside that was."""
    return path in seen or any(
        each.startswith(f"{path}/") or path.startswith(f"{each.rstrip('/')}/") for each in seen
    )


def _committed(root: str, paths: list[str], moment: _Moment, limit: git.Deadline) -> set[str]:
    """What commits since then touch, on any ref, in any reflog, in a stash and on any work tree's HEAD."""
    words = ("log", "-z", "--all", "--reflog", "--diff-merges=first-parent", "--name-only")
    form = ("--format=", "--no-renames", "--relative", f"--since=@{moment.second}")
    before = (f"^{moment.head}",) if moment.head else ()
    return set(_names(_ask(root, limit, *words, *form, *before, "--", *_specs(paths))))


def _passed(root: str, paths: list[str], moment: _Moment, limit: git.Deadline) -> set[str]:
    """What is another content where HEAD went since then: a merge or a branch may bring older commits."""
    if not _ask(root, limit, "rev-parse", "--verify", "--quiet", "HEAD", ok=(0, 1)):
        return set()
    form = ("--format=%H%x00%gd", "--date=unix", f"--max-count={MOST_MOVES + 1}")
    heads: list[str] = []
    for line in _ask(root, limit, "log", "-g", *form, "HEAD", "--").splitlines():
        commit, _, name = line.partition("\0")
        heads.append(commit)
        if int(name.partition("@{")[2].rstrip("}")) < moment.second:
            break
    if not heads or len(heads) > MOST_MOVES:
        raise Blind("where HEAD was is not recorded, or it moved too often")
    while moment.head in heads and heads[-1] != moment.head:
        heads.pop()  # within the same second, and before the moment
    pairs = {f"{now} {then}" for now, then in pairwise(heads) if now != then}
    if not pairs:
        return set()
    words = ("diff-tree", "-r", "-z", "--stdin", "--name-only", "--no-renames", "--no-commit-id")
    given = "".join(f"{pair}\n" for pair in pairs).encode()
    return set(_names(_ask(root, limit, *words, "--relative", "--", *_specs(paths), given=given)))


def _differing(root: str, moment: _Moment, limit: git.Deadline) -> set[str]:
    """What is not as committed: here when it was written since then, in other work trees at any time."""
    place, files = git_status.status(root, limit)
    seen = {path for path in files if _written(os.path.join(root, path)) >= moment.tick}
    for other in _other_trees(root, limit):
        folder = os.path.join(other, place.prefix)
        if os.path.isdir(folder):
            seen.update(git_status.status(folder, limit).files)
    return seen


def _other_trees(root: str, limit: git.Deadline) -> list[str]:
    own = _ask(root, limit, "rev-parse", "--show-toplevel").rstrip("\n")
    listed = _ask(root, limit, "worktree", "list", "--porcelain", "-z").split("\0\0")
    found = []
    for lines in (each.split("\0") for each in listed):
        path = lines[0].removeprefix("worktree ")
        if path and "bare" not in lines and os.path.realpath(path) != os.path.realpath(own):
            found.append(path)
    return found


def _written(path: str) -> float:
    """The last change of the file or of its entry; of one that is gone, of the folder it lay in."""
    while True:
        try:
            found = os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            path = os.path.dirname(path)
            continue
        return max(found.st_mtime, found.st_ctime)


def _blind(root: str, paths: list[str], limit: git.Deadline) -> set[str]:
    """The paths that git does not look at: ignored and not tracked, or inside another repository."""
    if not paths:
        return set()
    tracked = set(_names(_ask(root, limit, "ls-files", "-z", "--", *_specs(paths))))
    left = [path for path in paths if not _holds(tracked, path)]
    inside = {path for path in left if _is_in_another(root, path)}
    left = [path for path in left if path not in inside]
    if not left:
        return inside
    given = b"".join(os.fsencode(path) + b"\0" for path in left)
    return inside | set(
        _names(_ask(root, limit, "check-ignore", "-z", "--stdin", given=given, ok=(0, 1)))
    )


def _is_in_another(root: str, path: str) -> bool:
    """Also behind a link, which git does not follow."""
    parts = path.split("/")
    folders = [os.path.join(root, *parts[:count]) for count in range(1, len(parts))]
    return any(
        os.path.islink(folder) or os.path.lexists(os.path.join(folder, ".git"))
        for folder in folders
    )


def _specs(paths: list[str]) -> list[str]:
    return [f":(literal){path}" for path in paths]


def _names(answer: str) -> list[str]:
    return [name for name in (each.lstrip("\n") for each in answer.split("\0")) if name]


def _ask(
    root: str, limit: git.Deadline, *words: str, given: bytes = b"", ok: tuple[int, ...] = (0,)
) -> str:
    answer = git.finish(git.start(root, *words), limit.left(), given)
    if answer.code not in ok:
        raise Blind(answer.why)
    return os.fsdecode(answer.out)
