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
from types import MappingProxyType

from operators_edge.contexts import contextmanager
from operators_edge.git import commands as git
from operators_edge.git.commands import GitFailed
from operators_edge.system.project_root import git_folder, shared_folder
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from operators_edge.git.commands import Budget, Change, Git

NAMESPACE = "refs/operators-edge/undo/"
"""Not a branch, tag or stash: no command shows or pushes it unless it names every ref."""

NO_CONVERSION = "* -text !eol !crlf -ident !filter !working-tree-encoding\n"
"""For ``info/attributes``, which takes precedence over other attributes files (gitattributes(5))."""

_WAITED_FOR = ("HEAD", "config", "index", "packed-refs", "info/exclude")
"""Files that git opens for nearly every command."""

_PIECE = 1 << 20
_NO_MODE = "000000"
_BATCH = 5_000
"""Paths per git process: what one has stored is kept if the next one runs out of time."""

_MANY = 500
"""Paths from which their contents go into one file, a pack: five times as fast as one for each."""

_PACKING = (2, 37)
"""The version of git whose ``update-index`` makes one pack of all of them; an older one makes one of each."""

# Settings for the behaviour of this file system and for what the user never wants tracked. Nothing that
# runs a program is copied: of filters only the names.
_COPIED_SETTINGS = (
    r"^core\.(excludesfile|filemode|ignorecase|symlinks|precomposeunicode|sharedrepository"
    r"|trustctime|checkstat)$|^filter\..*\.(clean|process)$"
)
_NO_REPLACING = {"GIT_NO_REPLACE_OBJECTS": "1"}
_IDENTITY = ("Operator's Edge", "operators-edge@localhost")


class Repository(NamedTuple):
    """A repository with a working tree. ``common`` is shared by its worktrees, ``top`` is this one's folder.

    ``settings`` are copied into the shadow, in the form for ``-c``; ``filters`` are the names of the filters
    that the user configured, such as "filter.lfs".
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


class Difference(NamedTuple):
    """Two trees: path by path, in one line, and as a patch that ``git apply`` takes, whatever is in it."""

    changes: tuple[Change, ...]
    stat: str
    patch: bytes


class Kept(NamedTuple):
    """One snapshot under its ref; ``time`` is in seconds since 1970, ``message`` the commit's."""

    id: int
    commit: str
    tree: str
    time: int
    message: str


def find(folder: str, budget: Budget) -> Repository:
    """The repository around the folder; GitFailed if there is none with a working tree."""
    require_files(folder)
    config = git.start(folder, "config", "-z", "--get-regexp", _COPIED_SETTINGS)
    asked = ("--git-path", "objects", "--git-path", "index", "--git-path", "info/exclude")
    words = ("--path-format=absolute", "--show-object-format", "--absolute-git-dir")
    try:
        raw = budget.run(folder, "rev-parse", *words, "--git-common-dir", *asked, "--show-toplevel")
    finally:
        settings = budget.finish(config, ok=(0, 1))
    lines = os.fsdecode(raw).removesuffix("\n").split("\n")
    if len(lines) != 7:
        raise GitFailed("the repository's path holds a line break")
    form, own, common, objects, index, exclude, top = lines
    options = list(_as_options(settings))
    filters = dict.fromkeys(
        each.partition("=")[0].rpartition(".")[0] for each in options if each.startswith("filter.")
    )
    kept = tuple(each for each in options if not each.startswith("filter."))
    return Repository(top, own, common, objects, index, exclude, form, kept, tuple(filters))


def require_files(folder: str) -> None:
    """Git would wait for the writer of a pipe that is in the place of one of its files, without an end."""
    own = git_folder(folder)
    if not own:
        return
    for base in {own, os.path.normpath(shared_folder(own))}:
        for name in _WAITED_FOR:
            path = os.path.join(base, name)
            if os.path.exists(path) and not os.path.isfile(path):
                raise GitFailed(f"{path} is not an ordinary file")


def _as_options(raw: bytes) -> Iterator[str]:
    for each in filter(None, os.fsdecode(raw).split("\0")):
        name, has_value, value = each.partition("\n")
        yield f"{name}={value if has_value else 'true'}"


def _difference(raw: bytes) -> Difference:
    """What ``diff-tree -z --raw --shortstat -p`` writes; a rename is a deletion and an addition."""
    found, at = [], 0

    def field() -> str:
        nonlocal at
        start, at = at, raw.index(b"\0", at) + 1
        return os.fsdecode(raw[start : at - 1])

    while raw.startswith(b":", at):
        old_mode, mode, old_id, new_id, status = field()[1:].split(" ")
        path = field()
        if status.startswith("R"):
            none = "0" * len(old_id)
            found.append(git.Change(old_mode, _NO_MODE, old_id, none, "D", path))
            old_mode, old_id, status, path = _NO_MODE, none, "A", field()
        found.append(git.Change(old_mode, mode, old_id, new_id, status, path))
    found.sort(key=lambda each: os.fsencode(each.path))
    stat, _, patch = raw[at:].partition(b"\0")
    return Difference(tuple(found), stat.decode().strip(), patch)


class Shadow:
    """The second git folder of one working tree; the caller holds its lock.

    ``folder`` exists and has the ``first_files``. Paths are relative to the top, with slashes; bytes that are
    not UTF-8 are kept as surrogates.
    """

    def __init__(self, repository: Repository, folder: str, budget: Budget) -> None:
        self.repository = repository
        self.folder = folder
        self.budget = budget
        self.index = os.path.join(folder, "index")

    # -- reading the working tree ----------------------------------------------------------------

    def differences(self) -> tuple[list[str], list[str]]:
        """What differs from the index: changed or deleted paths, and new paths.

        A new path that ends with a slash is a nested repository.
        """
        differ = self._start("diff-files", "-z", "--name-only")
        others = self._start("ls-files", "-z", "-o", "--exclude-standard")
        try:
            changed = git.names(self.budget.finish(differ))
        finally:
            new = git.names(self.budget.finish(others))
        return changed, new

    def tracked_although_ignored(self) -> list[str]:
        """Paths in the user's own index that the ignore rules would hide."""
        words = ("ls-files", "-z", "-c", "-i", "--exclude-standard")
        return list(dict.fromkeys(git.names(self.budget.run(self.repository.top, *words))))

    def untracked_folders(self) -> list[str]:
        """The folders in which nothing is known to git, and that it does not ignore; empty ones too."""
        found = git.names(self._run("ls-files", "-z", "-o", "--directory", "--exclude-standard"))
        return [each.rstrip("/") for each in found if each.endswith("/")]

    def unchanged_behind_filter(self, paths: list[str]) -> set[str]:
        """Unchanged paths whose content a filter keeps elsewhere, as LFS does.

        Storing their content would copy that whole store into the repository.
        """
        if not self.repository.filters or not paths:
            return set()
        given = b"".join(os.fsencode(each) + b"\0" for each in paths)
        fields = git.names(self._real("check-attr", "-z", "--stdin", "filter", given=given))
        filtered = {
            path
            for path, value in zip(fields[::3], fields[2::3], strict=True)
            if f"filter.{value}" in self.repository.filters
        }
        if not filtered:
            return set()
        off = [word for each in git.filters_off(self.repository.filters) for word in ("-c", each)]
        changed = self._real(*off, "diff-files", "-z", "--name-only")
        tracked = self._real("ls-files", "-z", "-c")
        return filtered.intersection(git.names(tracked)).difference(git.names(changed))

    def known(self, *below: str) -> list[str]:
        """The index's paths at or below the given ones; all of them if none is given."""
        return git.names(self._run("ls-files", "-z", "--", *below))

    def ignored(self, paths: Iterable[str]) -> set[str]:
        """Those of the paths that git ignores."""
        return set(
            git.names(self._run("check-ignore", "-z", "--stdin", given=paths, allowed=(0, 1)))
        )

    # -- writing objects -------------------------------------------------------------------------

    def store(
        self, paths: list[str], deleted: list[str], *, index: str = "", is_large: bool = False
    ) -> None:
        """Update the index and the object store to the current content of the paths.

        ``is_large``: it is not compressed now, which takes five times as long; ``git gc`` does that.
        """
        if deleted:
            self._run("update-index", "-z", "--force-remove", "--stdin", given=deleted, index=index)
        words = ("update-index", "-z", "--add", "--remove", "--replace", "--stdin")
        how = ("-c", "core.looseCompression=0") if is_large else ()
        if len(paths) > _MANY and self._can_pack():
            how = ("-c", "core.bigFileThreshold=1")
        for at in range(0, len(paths), _BATCH):
            self._run(*how, *words, given=paths[at : at + _BATCH], index=index)

    def _can_pack(self) -> bool:
        words = os.fsdecode(self._run("version")).split(" ")
        numbers = words[2].split(".") if len(words) > 2 else []
        return tuple(int(each) for each in numbers[:2] if each.isdigit()) >= _PACKING

    def adopt(self, draft: str, without: list[str]) -> None:
        """Begin with a copy of the user's index, less these paths; whatever its form is."""
        plain = ("core.splitIndex", "core.untrackedCache", "index.sparse")
        off = [word for each in plain for word in ("-c", f"{each}=false")]
        words = ("update-index", "--no-split-index", "--force-write-index", "-z", "--force-remove")
        self.change(*off, *words, "--stdin", given=without, index=draft)
        os.replace(draft, self.index)

    def sizes_of(self, objects: Iterable[str]) -> dict[str, int]:
        """The sizes of contents; one that is not there is left out."""
        given = "\n".join([*dict.fromkeys(objects), ""]).encode()
        check = "--batch-check=%(objectname) %(objecttype) %(objectsize)"
        lines = self._real("cat-file", check, given=given).decode().splitlines()
        fields = (line.split(" ") for line in lines if not line.endswith(" missing"))
        return {ident: int(size) for ident, kind, size in fields if kind == "blob"}

    def converted(self, index: str) -> list[str]:
        """The index's paths whose content git is set to keep in a form that may have the same length."""
        not_plain = ":(exclude,attr:!filter !working-tree-encoding)"
        return self.listed("ls-files", "-z", "--", not_plain, index=index)

    def tree(self, *, index: str = "") -> str:
        return os.fsdecode(self._run("write-tree", index=index)).strip()

    def blob(self, data: bytes) -> str:
        """Store bytes; returns their id."""
        started = self._start("hash-object", "-w", "--stdin")
        return os.fsdecode(self.budget.finish(started, data)).strip()

    def tag(self, text: bytes) -> str:
        """Store an annotated tag, without its name; returns its id."""
        started = self._start("hash-object", "-w", "-t", "tag", "--stdin")
        return os.fsdecode(self.budget.finish(started, text)).strip()

    def tag_texts(self, tags: Iterable[str]) -> dict[str, bytes]:
        """The annotated tags as they are stored, by their ids."""
        given = "\n".join([*tags, ""]).encode()
        raw, at, found = self._real("cat-file", "--batch", given=given), 0, {}
        while at < len(raw):
            end = raw.index(b"\n", at)
            ident, kind, size = raw[at:end].split(b" ")
            if kind == b"tag":
                found[ident.decode()] = raw[end + 1 : end + 1 + int(size)]
            at = end + int(size) + 2
        return found

    def flat_tree(self, blobs: Mapping[str, str]) -> str:
        """Store a tree of contents, by name."""
        lines = "".join(f"100644 blob {ident}\t{name}\0" for name, ident in blobs.items())
        started = self._start("mktree", "-z")
        return os.fsdecode(self.budget.finish(started, lines.encode())).strip()

    def commit(self, tree: str, message: str, seconds: int, parents: Iterable[str] = ()) -> str:
        """A commit with these parents, which are kept as long as it is."""
        given = [word for each in parents for word in ("-p", each)]
        words = ("commit-tree", "--no-gpg-sign", *given, tree)
        name, mail = _IDENTITY
        who: dict[str, str] = {}
        for role in ("AUTHOR", "COMMITTER"):
            who |= {f"GIT_{role}_NAME": name, f"GIT_{role}_EMAIL": mail}
            who |= {f"GIT_{role}_DATE": f"@{seconds} +0000"}
        started = self._start(*words, env=who)
        return os.fsdecode(self.budget.finish(started, message.encode())).strip()

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

    def size_of(self, objects: Iterable[str]) -> int:
        """The bytes on the disk of what these hold and no branch, tag or HEAD does; each object once."""
        given = "".join(f"{each}\n" for each in objects)
        if not given:
            return 0
        others = [
            "--branches",
            "--tags",
            "--remotes",
            *(["HEAD"] if self.commit_of("HEAD") else []),
        ]
        # What is missing, in a damaged repository or a partial clone, takes no space and is not fetched.
        words = ("rev-list", "--objects", "--missing=allow-any", "--disk-usage", "--stdin", "--not")
        return int(self._real(*words, *others, given=given.encode()) or b"0")

    def keep_at(self, ref: str, commit: str) -> None:
        """Set a ref of ours, whatever it was."""
        self._real("update-ref", ref, commit)

    # -- reading back ----------------------------------------------------------------------------

    def entries(self, tree: str) -> list[str]:
        """Every path of the tree."""
        return git.names(self._run("ls-tree", "-r", "-z", "--name-only", "--full-tree", tree))

    def listing(self, tree: str) -> dict[str, tuple[str, str]]:
        """Every path of the tree, with the mode and the id of its content."""
        found = {}
        for each in git.names(self._run("ls-tree", "-r", "-z", "--full-tree", tree)):
            about, _, path = each.partition("\t")
            mode, _, ident = about.split(" ")
            found[path] = (mode, ident)
        return found

    def changes(self, now: str, wanted: str, *paths: str) -> list[Change]:
        """What would turn the tree ``now`` into ``wanted``; only at or below the paths, if any are given."""
        return git.changes(self._run(*git.DIFF_TREES, now, wanted, "--", *paths))

    def diff(self, old: str, new: str, *paths: str, stat: bool = False) -> str:
        """The difference as text; no diff program of the repository or the user is run."""
        form = ("--stat=100",) if stat else ("-p",)
        words = ("diff-tree", "-r", "--no-renames", "--no-ext-diff", "--no-textconv", *form)
        return self._run(*words, old, new, "--", *paths).decode("utf-8", "replace")

    def difference(self, old: str, new: str) -> Difference:
        """The whole difference, in one question; renames are known in its patch only."""
        words = ("diff-tree", "-r", "-z", "--raw", "--shortstat", "-p", "--binary", "--full-index")
        safe = ("--find-renames", "--no-ext-diff", "--no-textconv")
        return _difference(self._run(*words, *safe, old, new))

    def query(self, *words: str) -> bytes:
        """What another command of git that only reads says about these objects."""
        return self._run(*words)

    @contextmanager
    def blobs(self) -> Iterator[Blobs]:
        """Read contents one after another from one process."""
        process = self._start("cat-file", "--batch")
        try:
            yield Blobs(process)
        finally:
            git.stop(process)

    # -- the user's own index and commits ---------------------------------------------------------

    def listed(self, *words: str, unfiltered: bool = False, index: str = "") -> list[str]:
        """The names that git lists of the user's own repository, or of another ``index``."""
        return git.names(self.ask(*words, unfiltered=unfiltered, index=index))

    def ask(
        self,
        *words: str,
        unfiltered: bool = False,
        allowed: tuple[int, ...] = (0,),
        index: str = "",
    ) -> bytes:
        """What git says about the user's own repository; ``unfiltered`` without running their filters."""
        off = git.filters_off(self.repository.filters) if unfiltered else []
        options = [word for each in off for word in ("-c", each)]
        return self._real(*options, *words, allowed=allowed, index=index)

    def change(
        self,
        *words: str,
        given: Iterable[str] = (),
        index: str = "",
        allowed: tuple[int, ...] = (0,),
    ) -> None:
        """Change the user's own refs or, apart, an ``index``; with a reflog, and without running anything."""
        off = [word for each in git.filters_off(self.repository.filters) for word in ("-c", each)]
        name, mail = _IDENTITY
        who = {"GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": mail}
        env = {"GIT_DIR": self.repository.folder, "GIT_WORK_TREE": self.repository.top}
        env |= {"GIT_INDEX_FILE": index} if index else {}
        data = b"".join(os.fsencode(each) + b"\0" for each in given)
        logged = ("core.logAllRefUpdates=true",)
        started = git.start(
            self.repository.top, *off, *words, options=logged, env=_NO_REPLACING | who | env
        )
        self.budget.finish(started, data, ok=allowed)

    def staged(self, commit: str) -> list[Change]:
        """How the index differs from a commit."""
        words = ("diff-index", "-z", "--raw", "--no-renames", "--full-index", "--cached", commit)
        return git.changes(self.ask(*words))

    def commit_of(self, name: str) -> str:
        """The commit that a word names; "" if it names none."""
        words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        return os.fsdecode(self._real(*words, allowed=(0, 1, 128))).strip()

    def head_tree(self) -> str:
        """The tree of the user's last commit; "" if there is none."""
        words = ("rev-parse", "--verify", "--quiet", "HEAD^{tree}")
        return os.fsdecode(self._real(*words, allowed=(0, 1, 128))).strip()

    def is_ancestor(self, commit: str, other: str) -> bool:
        words = ("rev-list", "--count", "--max-count=1", commit, f"^{other}")
        return self._real(*words).strip() == b"0"

    def held_back(self) -> list[str]:
        """The tracked paths whose changes git is set to ignore."""
        names = self.listed("ls-files", "-v", "-z")
        return [each[2:] for each in names if each[0].islower() or each[0] == "S"]

    def goes_into_submodules(self) -> bool:
        words = ("config", "--type=bool", "--get", "submodule.recurse")
        return self._real(*words, allowed=(0, 1)).strip() == b"true"

    # -- running ---------------------------------------------------------------------------------

    def _run(
        self,
        *words: str,
        given: Iterable[str] = (),
        index: str = "",
        allowed: tuple[int, ...] = (0,),
    ) -> bytes:
        data = b"".join(os.fsencode(each) + b"\0" for each in given)
        env = {"GIT_INDEX_FILE": index} if index else {}
        return self.budget.finish(self._start(*words, env=env), data, ok=allowed)

    def _start(self, *words: str, env: Mapping[str, str] = MappingProxyType({})) -> Git:
        """Start git on the shadow, without the user's settings but the copied ones."""
        return git.start(
            self.repository.top,
            *words,
            options=self.repository.settings,
            env={
                **_NO_REPLACING,
                "GIT_DIR": self.folder,
                "GIT_WORK_TREE": self.repository.top,
                "GIT_OBJECT_DIRECTORY": self.repository.objects,
                "GIT_INDEX_FILE": self.index,
                "GIT_CONFIG_GLOBAL": os.devnull,
                "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_ATTR_NOSYSTEM": "1",
                "GIT_LITERAL_PATHSPECS": "1",
                **env,
            },
        )

    def _real(
        self,
        *words: str,
        given: bytes = b"",
        allowed: tuple[int, ...] = (0,),
        index: str = "",
    ) -> bytes:
        """Run git on the user's own repository, for HEAD and our refs, without hooks."""
        top = self.repository.top
        env = {"GIT_DIR": self.repository.folder, "GIT_WORK_TREE": top}
        env |= {"GIT_INDEX_FILE": index} if index else {}
        return self.budget.finish(
            git.start(top, *words, env=_NO_REPLACING | env), given, ok=allowed
        )


class Blobs:
    """Contents by id, from a running ``cat-file --batch``."""

    def __init__(self, process: Git) -> None:
        self._to, self._from = process.streams()

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
            # A caller that stopped early must not shift the contents that follow.
            while left and (piece := self._from.read(min(left, _PIECE))):
                left -= len(piece)


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


# end of module
