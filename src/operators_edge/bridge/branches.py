"""Branches of tasks: where each starts, the watcher's commit on it, and the return.

Git runs no hook here and signs nothing. Does not own what is committed when (``bridge.watcher``) or patches
(``bridge.audit``).
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.git import refs
from operators_edge.git.commands import Budget, GitFailed
from operators_edge.git.objects import find
from operators_edge.locations import HANDOFF_DIR
from operators_edge.storage import files
from operators_edge.system.project_root import git_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from operators_edge.git.objects import Repository

PREFIX = "feat/ai/"
NO_COMMIT = "the repository has no commit yet: make one, then the task runs"
SECONDS = 120.0
_AS_OURSELVES = (
    *("-c", "user.name=Operator's Edge"),
    *("-c", "user.email=operators-edge@localhost"),
)
"""For a commit where the person has not set a name."""
_BRANCHES = "refs/heads/"
_OPTIONS = ("core.logAllRefUpdates=true",)
"""The attempt's own reflog entries help a person who looks for lost work."""

_SETTINGS = ("bridge.config.json", "edge.toml")
"""As long as nobody has added them they are no work that could be lost or mixed up."""

_NEW_SETTINGS = tuple(f"?? {each}" for each in _SETTINGS)


class Head(NamedTuple):
    """Where HEAD is: ``branch`` is "" if it is detached, ``commit`` "" before the first one."""

    branch: str
    commit: str


class Branches:
    """The branches of the repository around ``root``; every method raises GitFailed.

    ``repository`` says where that is, if somebody else knows.
    """

    def __init__(self, root: str, repository: Callable[[], Repository] | None = None) -> None:
        self._root = root
        self._repository = repository or cache(lambda: find(root, Budget(SECONDS)))

    def head(self) -> Head:
        repository = self._repository()
        known = refs.head(repository.folder, repository.common)
        if known is not None:
            return self._head_of(*known)
        said = self._ask("rev-parse", "HEAD^{commit}", "--symbolic-full-name", "HEAD")
        commit, _, name = said.partition("\n")
        if not said:  # before the first commit
            name = self._ask("symbolic-ref", "--quiet", "HEAD")
        return self._head_of(name, commit)

    @staticmethod
    def _head_of(name: str, commit: str) -> Head:
        is_branch = name.startswith(_BRANCHES)
        return Head(name.removeprefix(_BRANCHES) if is_branch else "", commit)

    def status(self) -> str:
        """``git status --porcelain``, without what is the guard's own: the Bridge's folder, new settings."""
        hidden = f":(exclude,top){HANDOFF_DIR}"
        lines = self._do("status", "--porcelain", "--untracked-files=all", "--", ":/", hidden)
        return "\n".join(each for each in lines.split("\n") if each not in _NEW_SETTINGS)

    def new_settings(self) -> list[str]:
        """The settings at the top that are not in git yet, and not ignored."""
        words = ("ls-files", "--others", "--exclude-standard", "--", *_SETTINGS)
        return self._do(*words).splitlines()

    def start(self, stem: str, attempt: int, base: str) -> Head:
        """Check out the task's branch, from ``base`` ("" for HEAD); uncommitted changes come along.

        A branch of that name with commits that the base lacks is somebody's work: then the attempt's number
        is added to the name.
        """
        words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}^{{commit}}")
        commit = self._ask(*words) if base else self.head().commit
        if not commit:
            none = f"there is no branch or commit {base!r} to start from"
            raise GitFailed(none if base else NO_COMMIT)
        for branch in (f"{PREFIX}{stem}", f"{PREFIX}{stem}-{attempt}"):
            if not self._holds_work(branch, commit):
                self._do("checkout", "--quiet", "--no-track", "-B", branch, commit)
                return Head(branch, commit)
        raise GitFailed(f"{PREFIX}{stem} and {PREFIX}{stem}-{attempt} hold commits of others")

    def commit(self, paths: Sequence[str], message: str) -> str:
        """Commit these paths, relative to the top, as they are; returns the commit."""
        listed = b"".join(os.fsencode(each) + b"\0" for each in paths)
        from_input = ("--pathspec-from-file=-", "--pathspec-file-nul")
        self._do("--literal-pathspecs", "add", "--all", "--force", *from_input, stdin=listed)
        words = ("commit", "--quiet", "--no-verify", "--no-gpg-sign", "--cleanup=verbatim")
        words = ("commit", "--quiet", "--no-verify", "--no-gpg-sign", "--cleanup=verbatim")
        try:
            self._do(*words, "--file=-", stdin=message.encode())
        except GitFailed:
            if self._ask("var", "GIT_COMMITTER_IDENT"):
                raise
            self._do(*_AS_OURSELVES, *words, "--file=-", stdin=message.encode())
        return self.head().commit

    def index(self) -> bytes | None:
        """The user's index; None if there is none yet."""
        return files.read_bytes(self._index_path())

    def entries(self) -> str:
        """What the index holds."""
        return self._do("ls-files", "--stage", "-z")

    def reset(self, branch: str, commit: str, index: bytes | None = None) -> None:
        """Check out the branch on this commit, with this index, else the commit's; no file changes."""
        self._do("update-ref", f"{_BRANCHES}{branch}", commit)
        self._do("symbolic-ref", "HEAD", f"{_BRANCHES}{branch}")
        if index is None:
            with suppress(FileNotFoundError):  # it may be damaged
                os.unlink(self._index_path())
            self._do("reset", "--quiet", "--mixed", commit)
        else:
            files.write_durable(self._index_path(), index)

    def _index_path(self) -> str:
        return self._repository().users_index

    def tip(self, branch: str) -> str:
        """The last commit of a branch; "" if there is no such branch."""
        known = refs.ref(self._repository().common, f"{_BRANCHES}{branch}")
        if known is not None:
            return known
        return self._ask("rev-parse", "--verify", "--quiet", f"{_BRANCHES}{branch}^{{commit}}")

    def message_of(self, branch: str) -> str:
        """The message of the last commit of a branch; "" if there is no such branch."""
        return self._ask("log", "-1", "--format=%B", f"{_BRANCHES}{branch}", "--")

    def go_back(self, to: Head) -> None:
        """Check out what was checked out before; HEAD's own branch, or its commit if it had none."""
        if self.head() == to:
            return
        where = (to.branch,) if to.branch else ("--detach", to.commit)
        self._do("checkout", "--quiet", *where)

    def _holds_work(self, branch: str, commit: str) -> bool:
        """Whether the branch exists and has commits that the other lacks."""
        tip = self.tip(branch)
        if not tip:
            return False
        is_ancestor = ("merge-base", "--is-ancestor", tip, commit)
        return Budget(SECONDS).ask(self._root, *is_ancestor) is None

    def _do(self, *words: str, stdin: bytes = b"") -> str:
        out = Budget(SECONDS).run(self._root, *words, options=_OPTIONS, stdin=stdin)
        return os.fsdecode(out).removesuffix("\n")

    def _ask(self, *words: str) -> str:
        """What git says; "" if its answer is no."""
        return (Budget(SECONDS).ask(self._root, *words) or "").removesuffix("\n")


def trailer(stem: str, attempt: int) -> str:
    """The last lines of the message of the watcher's commit."""
    return f"Bridge-Task: {stem}\nBridge-Attempt: {attempt}"


def branches_of(root: str) -> list[str]:
    """The branches of a repository on which tasks worked; [] without one."""
    if not git_folder(root):
        return []
    asked = f"{_BRANCHES}{PREFIX}"
    try:
        listed = Budget(5.0).run(root, "for-each-ref", "--format=%(refname:lstrip=2)", asked)
    except GitFailed:
        return []
    return os.fsdecode(listed).split()


# end of module
