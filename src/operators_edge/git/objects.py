"""Git objects for snapshots: a working tree is stored as objects, kept under a ref, and read back.

Git never uses the user's index, HEAD, hooks, filters or configuration here, and never runs longer than the
deadline. Does not own when a snapshot is taken (``undo.snapshots``) or how files are written back
(``undo.worktree``).

Objects are made through a second git folder, the shadow: outside the working tree, with its own index and
attributes. Its attributes turn every conversion off, so that bytes are stored unchanged, whatever the
repository's attributes or the user's line-ending settings are.
"""

from __future__ import annotations

import os
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.errors import AnswerIsNo
from operators_edge.git.commands import Budget, TooSlow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NAMESPACE = "refs/operators-edge/undo/"
"""Not a branch, tag or stash: no command shows or pushes it unless it names every ref."""

NO_CONVERSION = "* -text !eol !crlf -ident !filter !working-tree-encoding\n"
"""For ``info/attributes``, which takes precedence over other attributes files (gitattributes(5))."""

_PIECE = 1 << 20
_BATCH = 5_000
"""Paths per git process: what one has stored is kept if the next one runs out of time."""

# Settings for the behaviour of this file system and for what the user never wants tracked. Nothing that
# runs a program is copied: of filters only the names.
_COPIED_SETTINGS = (
    r"^core\.(excludesfile|filemode|ignorecase|symlinks|precomposeunicode|sharedrepository"
    r"|trustctime|checkstat)$|^filter\..*\.(clean|process)$"
)
_IDENTITY = ("Operator's Edge", "operators-edge@localhost")


class GitFailed(AnswerIsNo):
    """Git failed, or there is no repository."""

    code = "git"


class Deadline(Budget):
    """The same budget, for which too slow is a failure that a person is shown."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds

    def require_left(self) -> float:
        """Seconds left; raises GitFailed when there are none."""
        try:
            return super().require_left()
        except TooSlow:
            raise self.error() from None

    def error(self) -> GitFailed:
        return GitFailed(f"git was not done within {self.seconds:g} seconds")


class Repository(NamedTuple):
    """A repository with a working tree. ``common`` is shared by its worktrees, ``top`` is this one's folder.

    ``settings`` are copied into the shadow, in the form for ``-c``; ``filters`` are the names of the filters
    that the user configured, such as "lfs".
    """

    top: str
    folder: str
    common: str
    objects: str
    users_index: str
    exclude: str
    form: str
    settings: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()


class Kept(NamedTuple):
    """One snapshot under its ref; ``time`` is in seconds since 1970, ``message`` the commit's."""

    id: int
    commit: str
    tree: str
    time: int
    message: str


class Change(NamedTuple):
    """How one path differs: ``mode`` and ``blob`` are those of the wanted tree, "" if it has no such file."""

    status: str
    mode: str
    blob: str
    path: str


def find(folder: str, deadline: Deadline) -> Repository:
    """The repository around the folder; GitFailed if there is none with a working tree."""
    config = _start(["config", "-z", "--get-regexp", _COPIED_SETTINGS], _plain_env(), folder)
    asked = ("--git-path", "objects", "--git-path", "index", "--git-path", "info/exclude")
    words = ["rev-parse", "--path-format=absolute", "--show-object-format", "--absolute-git-dir"]
    words += ["--git-common-dir", *asked, "--show-toplevel"]
    try:
        raw = _finish(_start(words, _plain_env(), folder), deadline)
    finally:
        settings = _finish(config, deadline, allowed=(0, 1))
    lines = os.fsdecode(raw).removesuffix("\n").split("\n")
    if len(lines) != 7:
        raise GitFailed("the repository's path holds a line break")
    form, git, common, objects, index, exclude, top = lines
    options = list(_as_options(settings))
    filters = dict.fromkeys(
        each.partition("=")[0].removeprefix("filter.").rpartition(".")[0]
        for each in options
        if each.startswith("filter.")
    )
    kept = tuple(each for each in options if not each.startswith("filter."))
    return Repository(top, git, common, objects, index, exclude, form, kept, tuple(filters))


def _as_options(raw: bytes) -> Iterator[str]:
    for each in filter(None, os.fsdecode(raw).split("\0")):
        name, has_value, value = each.partition("\n")
        yield f"{name}={value if has_value else 'true'}"


class Shadow:
    """The second git folder of one working tree; the caller holds its lock.

    ``folder`` exists and has the ``first_files``. Paths are relative to the top, with slashes; bytes that are
    not UTF-8 are kept as surrogates.
    """

    def __init__(self, repository: Repository, folder: str, deadline: Deadline) -> None:
        self.repository = repository
        self.folder = folder
        self.deadline = deadline
        self.index = os.path.join(folder, "index")

    # -- reading the working tree ----------------------------------------------------------------

    def differences(self) -> tuple[list[str], list[str]]:
        """What differs from the index: changed or deleted paths, and new paths.

        A new path that ends with a slash is a nested repository.
        """
        differ = self._start("diff-files", "-z", "--name-only")
        others = self._start("ls-files", "-z", "-o", "--exclude-standard")
        try:
            changed = _names(_finish(differ, self.deadline))
        finally:
            new = _names(_finish(others, self.deadline))
        return changed, new

    def tracked_although_ignored(self) -> list[str]:
        """Paths in the user's own index that the ignore rules would hide."""
        words = ["ls-files", "-z", "-c", "-i", "--exclude-standard"]
        started = _start(words, _plain_env(), self.repository.top)
        return list(dict.fromkeys(_names(_finish(started, self.deadline))))

    def unchanged_behind_filter(self, paths: list[str]) -> set[str]:
        """Unchanged paths whose content a filter keeps elsewhere, as LFS does.

        Storing their content would copy that whole store into the repository.
        """
        if not self.repository.filters or not paths:
            return set()
        off = [
            f"filter.{name}.{key}"
            for name in self.repository.filters
            for key in ("clean=", "process=", "required=false")
        ]
        options = [word for each in off for word in ("-c", each)]
        given = b"".join(os.fsencode(each) + b"\0" for each in paths)
        fields = _names(self._real("check-attr", "-z", "--stdin", "filter", given=given))
        filtered = {
            path
            for path, value in zip(fields[::3], fields[2::3], strict=True)
            if value in self.repository.filters
        }
        if not filtered:
            return set()
        changed = self._real(*options, "diff-files", "-z", "--name-only")
        tracked = self._real("ls-files", "-z", "-c")
        return filtered.intersection(_names(tracked)).difference(_names(changed))

    def known(self, *below: str) -> list[str]:
        """The index's paths at or below the given ones; all of them if none is given."""
        return _names(self._run("ls-files", "-z", "--", *below))

    def ignored(self, paths: Iterable[str]) -> set[str]:
        """Those of the paths that git ignores."""
        return set(_names(self._run("check-ignore", "-z", "--stdin", given=paths, allowed=(0, 1))))

    # -- writing objects -------------------------------------------------------------------------

    def store(self, paths: list[str], deleted: list[str], *, index: str = "") -> None:
        """Update the index and the object store to the current content of the paths."""
        if deleted:
            self._run("update-index", "-z", "--force-remove", "--stdin", given=deleted, index=index)
        words = ("update-index", "-z", "--add", "--remove", "--replace", "--stdin")
        for at in range(0, len(paths), _BATCH):
            self._run(*words, given=paths[at : at + _BATCH], index=index)

    def tree(self, *, index: str = "") -> str:
        return self._line("write-tree", index=index)

    def commit(self, tree: str, message: str, seconds: int) -> str:
        """A commit on top of HEAD, so that ``git show`` shows what changed."""
        head = self._real("rev-parse", "--verify", "--quiet", "HEAD^{commit}", allowed=(0, 1, 128))
        parent = os.fsdecode(head).strip()
        words = ["commit-tree", "--no-gpg-sign", *(("-p", parent) if parent else ()), tree]
        name, mail = _IDENTITY
        who: dict[str, str] = {}
        for role in ("AUTHOR", "COMMITTER"):
            who |= {f"GIT_{role}_NAME": name, f"GIT_{role}_EMAIL": mail}
            who |= {f"GIT_{role}_DATE": f"@{seconds} +0000"}
        started = _start([*self._options(), *words], self._env() | who, self.repository.top)
        return os.fsdecode(_finish(started, self.deadline, message.encode())).strip()

    # -- refs ------------------------------------------------------------------------------------

    def kept(self) -> list[Kept]:
        """Every snapshot, newest first."""
        form = "%(refname)%00%(objectname)%00%(tree)%00%(committerdate:unix)%00%(contents)%00"
        words = ("for-each-ref", f"--format={form}", NAMESPACE.rstrip("/"))
        fields = self._real(*words).decode("utf-8", "replace").split("\0")
        found = []
        for at in range(0, len(fields) - 5, 5):
            ref, commit, tree, seconds, message = fields[at : at + 5]
            number = ref.lstrip("\n").removeprefix(NAMESPACE)
            if number.isascii() and number.isdigit() and tree:
                found.append(Kept(int(number), commit, tree, int(seconds or 0), message))
        return sorted(found, reverse=True)

    def keep(self, number: int, commit: str, old: Iterable[Kept]) -> None:
        """Create the ref, which must be new, and delete old ones, in one transaction."""
        lines = [f"create {NAMESPACE}{number} {commit}"]
        lines += [f"delete {NAMESPACE}{each.id} {each.commit}" for each in old]
        self._real("update-ref", "--stdin", given="\n".join([*lines, ""]).encode())

    # -- reading back ----------------------------------------------------------------------------

    def entries(self, tree: str) -> list[str]:
        """Every path of the tree."""
        return _names(self._run("ls-tree", "-r", "-z", "--name-only", "--full-tree", tree))

    def changes(self, now: str, wanted: str, *paths: str) -> list[Change]:
        """What would turn the tree ``now`` into ``wanted``; only at or below the paths, if any are given."""
        words = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index")
        fields = _names(self._run(*words, now, wanted, "--", *paths))
        found = []
        for about, path in zip(fields[::2], fields[1::2], strict=True):
            _, mode, _, blob, status = about.split(" ")
            is_deleted = status == "D"
            found.append(
                Change(status[:1], "" if is_deleted else mode, "" if is_deleted else blob, path)
            )
        return found

    def diff(self, old: str, new: str, *paths: str, stat: bool = False) -> str:
        """The difference as text; no diff program of the repository or the user is run."""
        form = ("--stat=100",) if stat else ("-p",)
        words = ("diff-tree", "-r", "--no-renames", "--no-ext-diff", "--no-textconv", *form)
        return self._run(*words, old, new, "--", *paths).decode("utf-8", "replace")

    @contextmanager
    def blobs(self) -> Iterator[Blobs]:
        """Read contents one after another from one process."""
        with _start(["cat-file", "--batch"], self._env(), self.repository.top) as process:
            yield Blobs(process)

    # -- running ---------------------------------------------------------------------------------

    def _line(self, *words: str, index: str = "") -> str:
        return os.fsdecode(self._run(*words, index=index)).strip()

    def _start(self, *words: str, index: str = "") -> subprocess.Popen[bytes]:
        return _start([*self._options(), *words], self._env(index), self.repository.top)

    def _run(
        self,
        *words: str,
        given: Iterable[str] = (),
        index: str = "",
        allowed: tuple[int, ...] = (0,),
    ) -> bytes:
        data = b"".join(os.fsencode(each) + b"\0" for each in given)
        return _finish(self._start(*words, index=index), self.deadline, data, allowed=allowed)

    def _real(self, *words: str, given: bytes = b"", allowed: tuple[int, ...] = (0,)) -> bytes:
        """Run git on the user's own repository, for HEAD and our refs, without hooks."""
        env = _plain_env() | {"GIT_DIR": self.repository.folder}
        env["GIT_WORK_TREE"] = self.repository.top
        started = _start(["-c", "core.logAllRefUpdates=false", *words], env, self.repository.top)
        return _finish(started, self.deadline, given, allowed=allowed)

    def _options(self) -> list[str]:
        return [word for each in self.repository.settings for word in ("-c", each)]

    def _env(self, index: str = "") -> dict[str, str]:
        return _plain_env() | {
            "GIT_DIR": self.folder,
            "GIT_WORK_TREE": self.repository.top,
            "GIT_OBJECT_DIRECTORY": self.repository.objects,
            "GIT_INDEX_FILE": index or self.index,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_LITERAL_PATHSPECS": "1",
        }


class Blobs:
    """Contents by id, from a running ``cat-file --batch``."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdin is None or process.stdout is None:
            raise GitFailed("git gave no pipes")
        self._to, self._from = process.stdin, process.stdout

    def read(self, blob: str) -> Iterator[bytes]:
        """The content in pieces; raises GitFailed before the first one if there is no such object."""
        self._to.write(f"{blob}\n".encode())
        self._to.flush()
        head = self._from.readline().split()
        if len(head) != 3 or head[1] != b"blob":
            raise GitFailed(f"the snapshot's object {blob} is missing")
        left = int(head[2]) + 1  # a newline follows each content
        try:
            while left > 1:
                piece = self._from.read(min(left - 1, _PIECE))
                if not piece:
                    raise GitFailed(f"git ended in the middle of {blob}")
                left -= len(piece)
                yield piece
        finally:
            while left and (piece := self._from.read(min(left, _PIECE))):
                left -= len(
                    piece
                )  # a caller that stopped early must not shift the contents that follow


def first_files(form: str) -> dict[str, str]:
    """The files that a shadow folder needs to be a git folder: path below it → text."""
    special = form != "sha1"
    config = f"[core]\n\trepositoryformatversion = {int(special)}\n\tbare = false\n"
    if special:
        config += f"[extensions]\n\tobjectformat = {form}\n"
    return {
        "HEAD": "ref: refs/heads/none\n",
        "config": config,
        "info/attributes": NO_CONVERSION,
        "refs/README": "An index for snapshots of a working tree. It can be deleted at any time.\n",
        "objects/README": "The objects are in the repository itself.\n",
    }


def _names(raw: bytes) -> list[str]:
    return [os.fsdecode(each) for each in raw.split(b"\0") if each]


def _plain_env() -> dict[str, str]:
    """The user's environment without git's own variables; nothing is fetched, locked or replaced."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return env | {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }


def _start(words: list[str], env: dict[str, str], folder: str) -> subprocess.Popen[bytes]:
    quiet = ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "gc.auto=0")
    options = [word for each in quiet for word in ("-c", each)]
    try:
        return subprocess.Popen(
            ["git", *options, *words],
            cwd=folder,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except FileNotFoundError as error:
        raise GitFailed("git is not installed, or the folder was deleted") from error
    except OSError as error:
        raise GitFailed(f"git cannot be started: {error.strerror}") from error


def _finish(
    process: subprocess.Popen[bytes],
    deadline: Deadline,
    given: bytes = b"",
    *,
    allowed: tuple[int, ...] = (0,),
) -> bytes:
    """The process's output; GitFailed if it fails or runs out of time, and then it is stopped."""
    with process:
        try:
            out, errors = process.communicate(given, timeout=deadline.require_left())
        except (subprocess.TimeoutExpired, GitFailed) as error:
            _end(process)
            raise deadline.error() from error
    if process.returncode not in allowed:
        raise GitFailed(_reason(errors) or f"git ended with {process.returncode}")
    return out


def _reason(errors: bytes) -> str:
    """The first error that git reports; the lines after it are its consequences."""
    for line in errors.decode("utf-8", "replace").splitlines():
        kind, _, message = line.partition(": ")
        if kind in ("error", "fatal"):
            return f"git: {message}"
    return ""


def _end(process: subprocess.Popen[bytes]) -> None:
    """SIGTERM first: git then removes its temporary files."""
    process.terminate()
    try:
        process.communicate(timeout=0.5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
