"""Whether a snapshot holds every byte that a call can destroy.

Owns which files are at stake on the disk, and the comparison of each of them with the snapshot, by its
content. Does not own which paths a command reaches (``gate.recovery``), or what goes into a snapshot
(``undo.snapshots``).
"""

from __future__ import annotations

import hashlib
import os
import stat
from fnmatch import fnmatchcase

from operators_edge.errors import EdgeError
from operators_edge.git import commands as git
from operators_edge.locations import is_within
from operators_edge.project import wall_clock
from operators_edge.system.project_root import top_of
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import one_line
from operators_edge.tuples import NamedTuple
from operators_edge.undo import git_state, snapshots, worktree
from operators_edge.undo.snapshots import BEFORE_CALL
from operators_edge.undo.view import viewed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from operators_edge.model import Recovery
    from operators_edge.undo.snapshots import (
        Bounds,
        Clock,
        SnapshotReason,
        SnapshotResult,
        StoredTree,
        WorkingTree,
    )

_MAX_FILES = 20_000
_MAX_MISSING = 20
_PIECE = 1 << 20
_ON_DISK = ("delete", "files", "empty", "fed", "fed-tree")
_FED = ("fed", "fed-tree")
_TREES = ("delete", "fed-tree")
_SPLIT = pattern(r"[\s'\"\\*?\[~]")
"""Characters at which a shell or xargs ends a name, or that it takes out of it or replaces."""
_GIT_VARIABLES = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_COMMON_DIR",
)
_UNFINISHED = (*git_state.REBASE, "sequencer")


class Proof(NamedTuple):
    """What a call can destroy, and what of it would be lost.

    ``files`` and ``size`` count what is at stake, ``refs`` are branches, tags and stashes; ``is_changed``
    tells whether any of it differs from the last commit. ``missing`` are the reasons why not all of it is
    kept: only without one may the call run.
    """

    files: int = 0
    size: int = 0
    refs: tuple[str, ...] = ()
    is_changed: bool = False
    missing: tuple[str, ...] = ()
    snapshot: SnapshotResult | None = None


class _NotKept(Exception):
    """Something at stake that a snapshot does not hold, or that is not known."""


def prove(
    root: str,
    recoveries: Iterable[Recovery],
    reason: SnapshotReason,
    *,
    env: Mapping[str, str],
    clock: Clock = wall_clock,
    bounds: Bounds = BEFORE_CALL,
) -> Proof:
    """Take a snapshot, and compare everything at stake with it; never raises."""
    return _compared(
        root,
        recoveries,
        env,
        lambda top: snapshots.opened(top, root, env, bounds),
        lambda stake: stake.proof(reason, clock),
    )


def at_stake(
    root: str,
    recoveries: Iterable[Recovery],
    *,
    env: Mapping[str, str],
    bounds: Bounds = BEFORE_CALL,
) -> Proof:
    """The same without taking a snapshot: nothing is written; never raises."""
    return _compared(
        root, recoveries, env, lambda top: viewed(top, root, env, bounds), _Stake.compared
    )


def _compared(
    root: str,
    recoveries: Iterable[Recovery],
    env: Mapping[str, str],
    enter: Callable[[str], AbstractContextManager[WorkingTree]],
    judge: Callable[[_Stake], Proof],
) -> Proof:
    real_root = os.path.realpath(root)
    wanted = tuple(dict.fromkeys(recoveries))
    try:
        _require_plain_cd(env)
        _require_absent((one for one in wanted if one.kind == "absent"), real_root)
        wanted = tuple(one for one in wanted if one.kind != "absent")
        named = _on_disk(wanted, real_root)
        folders = list(_trees(each for each in wanted if each.kind in _TREES))
        if not named and not folders and all(each.kind in _ON_DISK for each in wanted):
            return Proof()
        _require_git(real_root, env)
        top = _repository_of((*named, *folders), wanted, real_root)
        with enter(top) as work:
            return judge(_Stake(work, real_root, wanted))
    except (_NotKept, EdgeError, OSError, ValueError, RecursionError) as problem:
        return Proof(missing=(_phrase(problem, real_root),))


def _phrase(problem: Exception, root: str) -> str:
    return one_line(str(problem).replace(f"{root}/", ""), 300)


def _repository_of(paths: Iterable[str], wanted: Iterable[Recovery], root: str) -> str:
    """The one repository that everything is in: the project's, or one inside of it."""
    folders = {os.path.dirname(path) for path in paths}
    folders.update(os.path.realpath(each.paths[0]) for each in wanted if each.kind not in _ON_DISK)
    tops = {top_of(folder) for folder in folders} or {top_of(root)}
    around = top_of(root)
    if any(top != around and not is_within(top, root) for top in tops):
        raise _NotKept("what is in a repository elsewhere")
    if len(tops) > 1:
        raise _NotKept("what is in more than one repository")
    return tops.pop()


def _require_plain_cd(env: Mapping[str, str]) -> None:
    if env.get("CDPATH"):
        raise _NotKept("CDPATH is set, so cd may lead elsewhere")


def _require_absent(recoveries: Iterable[Recovery], root: str) -> None:
    """Require that there is nothing yet, in a folder of the project that is there."""
    for path in (path.rstrip("/") for one in recoveries for path in one.paths):
        folder = os.path.dirname(path)
        _require_inside(os.path.realpath(folder), root)
        if not os.path.isdir(folder):  # it may be a link when it is deleted
            raise _NotKept(f"{path}, which the line may change before it is deleted")
        for one in _expanded(path):
            if os.path.lexists(one):
                raise _NotKept(f"{one}, which the line may change before it is deleted")


def _require_git(root: str, env: Mapping[str, str]) -> None:
    if not top_of(root):
        raise _NotKept("the project is not a git repository")
    if any(env.get(name) for name in _GIT_VARIABLES):
        raise _NotKept("the environment tells git to work elsewhere")


def unkeepable(root: str, recovery: Recovery, *, bounds: Bounds = BEFORE_CALL) -> tuple[str, ...]:
    """Files in the project that a call destroys, and that neither a commit has nor a snapshot can have.

    What cannot be looked at counts as too large: nobody knows that it is not.
    """
    real_root = os.path.realpath(root)
    if not top_of(real_root):
        return ()
    found: dict[str, str] = {}
    unknown: dict[str, str] = {}
    for name in recovery.paths:
        try:
            for match in _expanded(name):
                path = os.path.realpath(match)
                if is_within(path, real_root) and (why := _unkeepable(path, bounds.file)):
                    found[path] = why
        except _NotKept:
            continue  # a name with a pattern's letters, and no such file
        except OSError as error:
            unknown[name] = f"cannot be read ({error.strerror})"
        except ValueError:
            continue  # no file can have that name
    lost = {
        path: why for path, why in found.items() if not git.is_clean_or_ignored(real_root, path)
    }
    return tuple(
        f"{os.path.relpath(path, real_root)} {why}" for path, why in (lost | unknown).items()
    )


def _unkeepable(path: str, limit: int) -> str:
    """Why a file cannot be in a snapshot; "" if it can, or is not there."""
    try:
        info = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    if not stat.S_ISREG(info.st_mode):
        return ""
    if info.st_size > limit:
        return f"has {info.st_size >> 20} MB"
    return "" if os.access(path, os.R_OK) else snapshots.UNREADABLE.lstrip()


class _Stake:
    """What is at stake in one working tree."""

    def __init__(self, work: WorkingTree, root: str, recoveries: tuple[Recovery, ...]) -> None:
        self._work = work
        self._root = root
        self._recoveries = recoveries
        self._is_staged = False
        """The index has something that can be lost, and that a snapshot holds."""
        self._refs: dict[str, None] = {}
        """Branches, tags and stashes that can be lost."""

    def compared(self) -> Proof:
        """What is at stake, and what of it a snapshot of now does not hold."""
        return self._seen()[0]

    def proof(self, reason: SnapshotReason, clock: Clock) -> Proof:
        """The same, and the snapshot if it holds all."""
        found, seen, paths = self._seen()
        if seen is None or found.missing:
            return found
        taken = self._work.keep(seen, reason, clock)
        if self._refs or self._is_staged:
            taken = taken._replace(is_of_git=True)
        is_changed = taken.is_of_git or self._differs(paths, seen.tree)
        return found._replace(snapshot=taken, is_changed=is_changed)

    def _seen(self) -> tuple[Proof, StoredTree | None, dict[str, None]]:
        work = self._work
        paths = self._paths()
        folders = list(self._folders())
        if not paths and not folders and not self._is_staged and not self._refs:
            return Proof(), None, paths
        seen = work.capture(folders=folders)
        entries = work.shadow.listing(seen.tree)
        ignored = [path for path in paths if path not in entries]
        if ignored:
            seen = work.capture(also=ignored, folders=folders)
            entries = work.shadow.listing(seen.tree)
        missing = list(self._missing(paths, entries, seen.left_out))
        counted = Proof(len(paths), self._size(paths), tuple(self._refs))
        return counted._replace(missing=tuple(missing[:_MAX_MISSING])), seen, paths

    def _size(self, paths: Iterable[str]) -> int:
        return sum(os.lstat(os.path.join(self._work.top, path)).st_size for path in paths)

    def _differs(self, paths: dict[str, None], tree: str) -> bool:
        head = self._work.shadow.head_tree()
        if not head:
            return True
        return any(each.path in paths for each in self._work.shadow.changes(head, tree))

    # -- what is at stake ------------------------------------------------------------------------

    def _paths(self) -> dict[str, None]:
        """Every file and link that the call can destroy, relative to the top."""
        found = _on_disk(self._recoveries, self._root)
        top = self._work.top
        paths = dict.fromkeys(os.path.relpath(path, top) for path in found)
        for each in self._recoveries:
            if each.kind not in _ON_DISK:
                paths.update(dict.fromkeys(self._of_git(each)))
        if len(paths) > _MAX_FILES:
            raise _NotKept(f"more than {_MAX_FILES} files")
        return paths

    def _folders(self) -> Iterator[str]:
        """The folders that go, relative to the top, in which others may be empty; "" is the top."""
        for full in _trees(self._recoveries):
            below = os.path.relpath(full, self._work.top)
            yield "" if below == "." else below

    def _of_git(self, recovery: Recovery) -> Iterator[str]:
        top = self._work.top
        folder = os.path.realpath(recovery.paths[0])
        if top_of(folder) != top:
            raise _NotKept(f"{folder}, another repository")
        if recovery.kind == "untracked":
            yield from self._untracked(recovery.paths)
            return
        if recovery.kind in ("refs", "stashes"):
            self._add_refs(recovery)
            return
        for path in (
            self._removed(recovery) if recovery.kind == "remove" else self._changed(recovery)
        ):
            yield from _present(top, path)

    def _add_refs(self, recovery: Recovery) -> None:
        """The stashes, or those branches and tags that have one of the names."""
        state = git_state.read(self._work.shadow)
        if recovery.kind == "stashes":
            if any(
                not word.startswith("stash@{") and not word.isdigit() for word in recovery.words
            ):
                raise _NotKept("which stash it is")
            self._refs.update(dict.fromkeys(f"stash {each[0][:10]}" for each in state["stashes"]))
            return
        named: list[str] = []
        for name in recovery.words:
            full = [f"{kind}{name}" for kind in (git_state.HEADS, git_state.TAGS)]
            if notes := [each for each in full if each in state["annotated"]]:
                raise _NotKept(f"the text of {notes[0].removeprefix('refs/tags/')}")
            named += [git_state.short(each) for each in full if each in state["refs"]]
        if not named:  # it may get this name on the line
            raise _NotKept("which branch or tag it is")
        self._refs.update(dict.fromkeys(named))
        if not state["refs"]:
            raise _NotKept(f"more than {git_state.MAX_REFS} branches and tags")

    def _untracked(self, paths: tuple[str, ...]) -> Iterator[str]:
        shadow = self._work.shadow
        below = [os.path.relpath(os.path.realpath(path), self._work.top) for path in paths]
        for name in shadow.listed("ls-files", "-z", "-o", "--exclude-standard"):
            if any(one == "." or is_within(name.rstrip("/"), one) for one in below):
                if name.endswith("/"):
                    raise _NotKept(f"{name}, a repository of its own")
                yield name

    def _removed(self, recovery: Recovery) -> set[str]:
        """The tracked paths that ``git rm`` removes, from the index too."""
        shadow, folder = self._work.shadow, os.path.realpath(recovery.paths[0])
        words = ("ls-files", "-z", "--full-name", "--", *recovery.words)
        found = set(shadow.listed("-C", folder, *words))
        head = shadow.commit_of("HEAD")
        if not head or not found or not found.symmetric_difference(shadow.listed("ls-files", "-z")):
            raise _NotKept("it is every tracked file")
        for path in found:  # git removes a submodule as it is, with uncommitted work
            if os.path.lexists(os.path.join(self._work.top, path, ".git")):
                raise _NotKept(f"{path}, a repository of its own")
        self._is_staged |= any(each.path in found for each in shadow.staged(head))
        return found

    def _changed(self, recovery: Recovery) -> set[str]:
        """The tracked paths that the call can change: those that differ from the commits and the index."""
        shadow = self._work.shadow
        folder = shadow.repository.folder
        revisions = [(word, shadow.commit_of(word)) for word in recovery.words]
        commits = [commit for _, commit in revisions if commit]
        is_index = recovery.kind != "worktree" or bool(commits)
        if is_index and any(os.path.lexists(os.path.join(folder, name)) for name in _UNFINISHED):
            raise _NotKept("the rebase that is not finished")
        head = shadow.commit_of("HEAD")
        if not head:
            raise _NotKept("there is no commit yet")
        if recovery.kind == "reset":
            self._note_commits_that_leave(head, revisions)
        if shadow.goes_into_submodules():
            raise _NotKept("git is set to change submodules too")
        staged = shadow.staged(head)
        self._is_staged |= is_index and bool(staged)
        found = {each.path for each in staged}
        found.update(shadow.listed("diff-files", "-z", "--name-only", unfiltered=True))
        found.update(shadow.held_back())
        for commit in commits:
            found.update(each.path for each in shadow.changes(head, commit))
        return found

    def _note_commits_that_leave(self, head: str, revisions: list[tuple[str, str]]) -> None:
        """HEAD's commit and its ancestors are in every snapshot."""
        for word, commit in revisions:
            if not commit:
                raise _NotKept(f"{word} is no commit")
            if commit != head and not self._work.shadow.is_ancestor(head, commit):
                self._refs[f"commit {head[:10]}"] = None

    # -- what is kept ----------------------------------------------------------------------------

    def _missing(
        self,
        paths: Iterable[str],
        entries: dict[str, tuple[str, str]],
        left_out: tuple[str, ...],
    ) -> Iterator[str]:
        """What the snapshot does not hold as it is on the disk, a phrase each."""
        shadow = self._work.shadow
        reasons = {each.split(" ", 1)[0]: each for each in left_out}
        for path in paths:
            shadow.budget.require_left()
            entry = entries.get(path)
            if entry is None:
                yield reasons.get(path, path)
            elif entry != _entry_of(os.path.join(self._work.top, path), shadow.repository.form):
                yield f"{path} as it is now"


def _entry_of(path: str, form: str) -> tuple[str, str]:
    """Mode and id that git gives to a file as it is now, computed from its bytes."""
    info = os.lstat(path)
    digest = hashlib.new(form, usedforsecurity=False)
    if stat.S_ISLNK(info.st_mode):
        data = os.fsencode(os.readlink(path))
        digest.update(b"blob %d\0" % len(data) + data)
        return worktree.SYMLINK, digest.hexdigest()
    digest.update(b"blob %d\0" % info.st_size)
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    mode = worktree.EXECUTABLE if info.st_mode & 0o100 else "100644"
    return mode, digest.hexdigest()


# -- files on the disk ---------------------------------------------------------------------------


def _on_disk(recoveries: Iterable[Recovery], root: str) -> dict[str, None]:
    """Files and links that are deleted or emptied, as absolute paths without links above them."""
    found: dict[str, None] = {}
    for each in recoveries:
        for path in each.paths if each.kind in _ON_DISK else ():
            for match in _expanded(path):
                reached = list(_reached(match, each.kind, root))
                if each.kind in _FED and reached and _is_split(match, root):
                    raise _NotKept(f"a name below {path} would be read as several")
                found.update(dict.fromkeys(reached))
                if len(found) > _MAX_FILES:
                    raise _NotKept(f"more than {_MAX_FILES} files")
    return found


def _trees(recoveries: Iterable[Recovery]) -> Iterator[str]:
    """The folders that go with everything in them, or with what git does not track."""
    for each in recoveries:
        if each.kind in (*_TREES, "untracked"):
            for path in (match for name in each.paths for match in _expanded(name)):
                full = os.path.realpath(path)
                if os.path.isdir(full) and not os.path.islink(path.rstrip("/")):
                    yield full


def _is_split(path: str, root: str) -> bool:
    """Whether the shell or xargs would split a name; ``path`` exists, or is a pattern without a match."""
    return _SPLIT.search(os.path.relpath(path, root)) is not None


def _reached(path: str, kind: str, root: str) -> Iterator[str]:
    bare = path.rstrip("/")
    if not os.path.lexists(bare):
        _require_inside(os.path.realpath(bare), root)
        return
    real = os.path.realpath(bare)
    here = os.path.join(os.path.realpath(os.path.dirname(bare)), os.path.basename(bare))
    if kind == "empty":
        _require_inside(real, root)
        if os.path.isdir(real) or not os.path.exists(real):
            return
        if os.stat(real).st_nlink > 1:
            raise _NotKept(f"{bare} has another name, which would be emptied too")
        yield real
        return
    _require_inside(here, root)
    if os.path.islink(here):
        yield here
        if not path.endswith("/"):
            return
        _require_inside(real, root)
        here = real
    if not os.path.isdir(here):
        yield here
    elif kind in _TREES:
        if here == root:
            raise _NotKept("the whole project")
        yield from _below(here, os.lstat(here).st_dev)


def _require_inside(path: str, root: str) -> None:
    if not is_within(path, root):
        raise _NotKept(f"{path}, outside of the project")


def _below(folder: str, device: int) -> Iterator[str]:
    """Every file and link in a folder. Raises _NotKept for a repository or a mount in it."""
    with os.scandir(folder) as listed:
        entries = list(listed)
    for entry in entries:
        if worktree.is_git_folder(entry.name):
            raise _NotKept(f"{folder}, a repository of its own")
        if entry.is_dir(follow_symlinks=False):
            if entry.stat(follow_symlinks=False).st_dev != device:
                raise _NotKept(f"{entry.path} is on another file system")
            yield from _below(entry.path, device)
        else:
            yield entry.path


def _expanded(path: str) -> Iterator[str]:
    """The existing paths that a pattern may name, hidden ones too; the path itself without a pattern."""
    yield path
    bare = path.rstrip("/")
    if not os.path.lexists(bare) and any(letter in bare for letter in "{}()"):
        raise _NotKept(f"{path} is not a pattern that is known")
    if any(letter in bare for letter in "*?["):
        end = path[len(bare) :]
        yield from (f"{one}{end}" for one in _matches("/", bare.strip("/").split("/")))


def _matches(folder: str, parts: list[str]) -> Iterator[str]:
    part, rest = parts[0], parts[1:]
    if part == "**":
        folders = _folders_in(folder)
        if not rest:
            yield from (os.path.join(one, name) for one in folders for name in _names(one))
            return
        for one in folders:
            yield from _matches(one, rest)
        return
    is_pattern = any(letter in part for letter in "*?[")
    names = [name for name in _names(folder) if _fits(name, part)] if is_pattern else [part]
    for name in names:
        one = os.path.join(folder, name)
        if not rest:
            if os.path.lexists(one):
                yield one
        elif os.path.isdir(one):
            yield from _matches(one, rest)


def _fits(name: str, part: str) -> bool:
    """As a shell matches it, ``[^a]`` being ``[!a]``."""
    return fnmatchcase(name, part.replace("[^", "[!"))


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except (NotADirectoryError, FileNotFoundError):
        return []


def _folders_in(folder: str) -> Iterator[str]:
    """A folder and those below it; links are not followed."""
    for count, (base, _, _) in enumerate(os.walk(folder, onerror=_refuse)):
        if count > _MAX_FILES:
            raise _NotKept(f"more than {_MAX_FILES} folders")
        yield base


def _refuse(error: OSError) -> None:
    raise error


def _present(top: str, path: str) -> Iterator[str]:
    """What is on the disk at a path of git's, or in place of one of its folders."""
    full = os.path.join(top, path)
    if os.path.isdir(full) and not os.path.islink(full):
        if os.path.lexists(os.path.join(full, ".git")):
            return  # a submodule, which git leaves alone unless it is set to go into it
        yield from (os.path.relpath(one, top) for one in _below(full, os.lstat(full).st_dev))
        return
    above = path
    while above:
        if os.path.islink(os.path.join(top, above)) or os.path.isfile(os.path.join(top, above)):
            yield above
            return
        above = os.path.dirname(above)


# end of module
