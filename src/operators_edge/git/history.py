"""What git's history shows about files: whether one was touched anywhere, and how often each changed.

``touched_anywhere`` is used before the product states that a file was not touched, so every doubt counts:
what git shows is a trace, and what git cannot determine is None. Does not own the conclusions
(``evidence.claims.service``, ``patrol.code_findings``).
"""

from __future__ import annotations

import os
from collections import Counter
from itertools import pairwise

from operators_edge.datetimes import datetime
from operators_edge.git import commands as git, status as git_status
from operators_edge.git.commands import Budget, GitFailed
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LIMIT_SECONDS = 3.0

MAX_MOVES = 200
"""Moves of HEAD since the given time; if there were more, nothing is concluded."""

MAX_COMMITS = 5000
CHURN_SECONDS = 5.0


def touched_anywhere(
    root: str, paths: Sequence[str], since: str, *, head: str = ""
) -> dict[str, bool | None]:
    """Whether the repository shows any trace that a path, relative to the root, changed since a time.

    ``since`` is a time as in the log (ISO 8601 with its offset). True: a commit since then on any ref, in any
    reflog or stash touches it, HEAD moved to a commit with another content of it, it differs in another
    worktree, or it differs here and was written since. None: unknown, or git does not track it (ignored,
    inside another repository). False: none of these.

    ``head`` is the commit that was checked out at that time, if known: git's times have no fractions of a
    second, and what that commit contains was there before.
    """
    try:
        start = _Start(datetime.fromisoformat(since).timestamp(), head)
        return _touched(root, list(paths), start, Budget(LIMIT_SECONDS))
    except (GitFailed, OSError, ValueError):
        return dict.fromkeys(paths)


class _Start(NamedTuple):
    at: float
    head: str

    @property
    def second(self) -> int:
        """As git stores times."""
        return int(self.at // 1)

    @property
    def tick(self) -> float:
        """As file systems store them: their clocks have steps of some milliseconds."""
        return self.at - 0.05


def _touched(root: str, paths: list[str], start: _Start, budget: Budget) -> dict[str, bool | None]:
    inside = {path: os.path.normpath(path).replace(os.sep, "/") for path in paths}
    known = [each for each in inside.values() if _is_below(each)]
    if not known:
        return dict.fromkeys(paths)
    seen = _committed(root, known, start, budget) | _changed_by_moves(root, known, start, budget)
    seen |= _differing(root, start, budget)
    quiet = [each for each in known if not _holds(seen, each)]
    unknown = {*inside.values()}.difference(known) | _untracked(root, quiet, budget)
    return {path: None if each in unknown else each not in quiet for path, each in inside.items()}


def _is_below(path: str) -> bool:
    return not os.path.isabs(path) and path != "." and path.split("/", maxsplit=1)[0] != ".."


def _holds(seen: set[str], path: str) -> bool:
    """Also true for a folder with a changed file, and for a file in a nested repository that changed."""
    return path in seen or any(
        each.startswith(f"{path}/") or path.startswith(f"{each.rstrip('/')}/") for each in seen
    )


def _committed(root: str, paths: list[str], start: _Start, budget: Budget) -> set[str]:
    """What commits since then touch: on any ref, in any reflog, in a stash, on the HEAD of any worktree."""
    words = ("log", "-z", "--all", "--reflog", "--diff-merges=first-parent", "--name-only")
    form = ("--format=", "--no-renames", "--relative", f"--since=@{start.second}")
    before = (f"^{start.head}",) if start.head else ()
    return set(_names(budget.run(root, *words, *form, *before, "--", *_specs(paths))))


def _changed_by_moves(root: str, paths: list[str], start: _Start, budget: Budget) -> set[str]:
    """What changed by moves of HEAD since then: a merge or a branch can bring older commits."""
    if not budget.run(root, "rev-parse", "--verify", "--quiet", "HEAD", ok=(0, 1)):
        return set()
    form = ("--format=%H%x00%gd", "--date=unix", f"--max-count={MAX_MOVES + 1}")
    heads: list[str] = []
    for line in os.fsdecode(budget.run(root, "log", "-g", *form, "HEAD", "--")).splitlines():
        commit, _, name = line.partition("\0")
        heads.append(commit)
        if int(name.partition("@{")[2].rstrip("}")) < start.second:
            break
    if not heads or len(heads) > MAX_MOVES:
        raise GitFailed("the moves of HEAD are not recorded, or there were too many")
    while start.head in heads and heads[-1] != start.head:
        heads.pop()  # within the same second, and before the start
    pairs = {f"{now} {then}" for now, then in pairwise(heads) if now != then}
    if not pairs:
        return set()
    words = ("diff-tree", "-r", "-z", "--stdin", "--name-only", "--no-renames", "--no-commit-id")
    given = "".join(f"{pair}\n" for pair in pairs).encode()
    return set(_names(budget.run(root, *words, "--relative", "--", *_specs(paths), stdin=given)))


def _differing(root: str, start: _Start, budget: Budget) -> set[str]:
    """What differs from the commit: here if it was written since then, in other worktrees at any time."""
    checkout, files = git_status.status(root, budget)
    seen = {path for path in files if _written(os.path.join(root, path)) >= start.tick}
    for other in _other_worktrees(root, budget):
        folder = os.path.join(other, checkout.prefix)
        if os.path.isdir(folder):
            seen.update(git_status.status(folder, budget).files)
    return seen


def _other_worktrees(root: str, budget: Budget) -> list[str]:
    own = os.fsdecode(budget.run(root, "rev-parse", "--show-toplevel")).rstrip("\n")
    given = os.fsdecode(budget.run(root, "worktree", "list", "--porcelain", "-z"))
    found = []
    for lines in (each.split("\0") for each in given.split("\0\0")):
        path = lines[0].removeprefix("worktree ")
        if path and "bare" not in lines and os.path.realpath(path) != os.path.realpath(own):
            found.append(path)
    return found


def _written(path: str) -> float:
    """The last change of the file or of its entry; for a deleted one, of the folder that it was in."""
    while True:
        try:
            found = os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            path = os.path.dirname(path)
            continue
        return max(found.st_mtime, found.st_ctime)


def _untracked(root: str, paths: list[str], budget: Budget) -> set[str]:
    """The paths that git knows nothing about: ignored and not tracked, or inside another repository."""
    if not paths:
        return set()
    tracked = set(git.names(budget.run(root, "ls-files", "-z", "--", *_specs(paths))))
    left = [path for path in paths if not _holds(tracked, path)]
    inside = {path for path in left if _is_in_another(root, path)}
    left = [path for path in left if path not in inside]
    if not left:
        return inside
    given = b"".join(os.fsencode(path) + b"\0" for path in left)
    ignored = budget.run(root, "check-ignore", "-z", "--stdin", stdin=given, ok=(0, 1))
    return inside.union(git.names(ignored))


def _is_in_another(root: str, path: str) -> bool:
    """Also below a link, which git does not follow."""
    parts = path.split("/")
    folders = [os.path.join(root, *parts[:count]) for count in range(1, len(parts))]
    return any(
        os.path.islink(folder) or os.path.lexists(os.path.join(folder, ".git"))
        for folder in folders
    )


def _specs(paths: list[str]) -> list[str]:
    return [f":(literal){path}" for path in paths]


def _names(raw: bytes) -> list[str]:
    """The names in a log: a line break is between two commits."""
    return [name for each in git.names(raw) if (name := each.lstrip("\n"))]


# -- churn -----------------------------------------------------------------------------------------


class Churn(NamedTuple):
    """Commits that changed each path; ``why`` is the reason if git could not count them."""

    counts: dict[str, int]
    why: str = ""


def churn(root: str, since: datetime, budget: Budget) -> Churn:
    """The commits per file since then, without merges; paths relative to the root."""
    words = (
        *("log", f"--since={since.isoformat(timespec='seconds')}", "--no-merges", "--no-renames"),
        *(f"--max-count={MAX_COMMITS}", "--format=", "--name-only", "-z", "--relative"),
    )
    try:
        answer = git.finish(git.start(root, *words), min(CHURN_SECONDS, budget.left))
    except GitFailed as error:
        return Churn({}, str(error))
    if answer.code:
        is_empty = "does not have any commits" in answer.why
        return Churn({}, "" if is_empty else answer.why)
    return Churn(dict(Counter(_names(answer.out))))


# end of module
