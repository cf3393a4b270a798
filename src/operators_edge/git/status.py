"""What git reports about a working tree: what differs from the commit, and what it was configured to ignore.

Owns the queries and the parsing of their output. Does not own the content of files (``git.blobs``) or when
two trees are the same (``git.worktree``).
"""

from __future__ import annotations

import os

from operators_edge.git import blobs, commands as git, index, refs
from operators_edge.git.commands import GitFailed
from operators_edge.model import OWN_PATHS
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.git.commands import Budget

_WORK = (".", *(f":(exclude){name}" for name in OWN_PATHS))
"""Everything below the root but the product's own files, which never count as work (PR-9)."""

# Git's defaults, so that no setting of the repository hides a change.
_OPTIONS = ("core.trustctime=true", "core.checkStat=default")
_SETTINGS = r"^filter\..*\.(clean|process)$|^core\.sparsecheckout$"

_HIDDEN = pattern(rb"(?:\A|\0)([a-zS]) ([^\0]+)")


class Checkout(NamedTuple):
    """Which repository a root belongs to, and where in it.

    ``hash_name`` is the repository's hash, ``common`` its shared git folder, ``prefix`` the root's path in
    it, ``head`` the commit and ``tree`` git's id of the part of the commit below the root.
    """

    hash_name: str
    common: str
    prefix: str
    head: str
    tree: str
    is_sparse: bool
    filters: tuple[str, ...]


class FileStatus(NamedTuple):
    """A path that may differ from the commit. ``head`` is its content id there ("" for no file).

    ``mode`` is the file's mode as git knows it ("" if unknown), ``staged`` its content id if only the index
    has it.
    """

    head: str = ""
    mode: str = ""
    staged: str = ""


class Status(NamedTuple):
    """The paths that may differ, relative to the root; a folder is a repository of its own."""

    checkout: Checkout
    files: dict[str, FileStatus]


def status(root: str, budget: Budget) -> Status:
    """What git reports now. Raises GitFailed."""
    settings = _own_settings(root)
    for _ in range(2):
        listing = git.start(root, "ls-files", "-z", "-v") if _may_hide(root, settings) else None
        try:
            checkout = _checkout(root, budget, settings)
            head, files = _reported(root, checkout, budget)
            listed = budget.finish(listing) if listing else b""
        finally:
            if listing:
                git.stop(listing)
        if head == checkout.head:
            hidden = _hidden(root, listed, checkout, budget) if listed else {}
            return Status(checkout, files | hidden)
    raise GitFailed("commits were made meanwhile")


def _may_hide(root: str, settings: str | None) -> bool:
    """Whether the index may have git take files as unchanged; if certainly not, git is not asked."""
    is_plain = settings is not None and "objectformat" not in settings
    return not is_plain or not index.hides_nothing(os.path.join(root, ".git"))


def _checkout(root: str, budget: Budget, settings: str | None) -> Checkout:
    if not _may_set(settings) and (plain := _plain_checkout(root, settings)):
        return plain
    words = ("--path-format=absolute", "--show-object-format", "--git-common-dir", "--show-prefix")
    process = git.start(root, "rev-parse", *words, "HEAD", "HEAD:./")
    try:
        found = budget.run(root, *_ASK_SETTINGS, ok=(0, 1)) if _may_set(settings) else b""
        answer = git.finish(process, budget.require_left())
    finally:
        git.stop(process)
    lines = os.fsdecode(answer.out).split("\n")
    if len(lines) < 4:
        raise GitFailed(answer.why or "git gave no answer")
    if len(lines) > 6:
        raise GitFailed("the repository's path holds a line break")
    hash_name, common, prefix = lines[:3]
    # Before the first commit, and if it has nothing below the root, git prints the arguments back.
    head, tree = (each if refs.is_id(each) else "" for each in (*lines[3:5], "", "")[:2])
    is_sparse, filters = _settings(os.fsdecode(found))
    return Checkout(hash_name, common, prefix, head, tree, is_sparse, filters)


def _plain_checkout(root: str, settings: str | None) -> Checkout | None:
    """The same from git's own files, which takes no process; None if git has to be asked.

    So it is for a repository with settings of an ordinary clone, whose last commit is not in a pack.
    """
    if settings is None or "extensions" in settings or "worktree" in settings:
        return None
    lines = ("".join(line.split()) for line in settings.splitlines())
    if any(line.startswith("bare") and line != "bare=false" for line in lines):
        return None
    folder = os.path.realpath(os.path.join(root, ".git"))
    # Without ``refs`` it is no repository for git, which then looks for one above it.
    is_main = not os.path.lexists(os.path.join(folder, "commondir")) and os.path.isdir(
        os.path.join(folder, "refs")
    )
    found = refs.head(folder, folder) if is_main else None
    tree = index.tree_of_commit(folder, found[1]) if found else ""
    if not found or not tree or not refs.has_none(folder, "refs/replace/"):
        return None
    return Checkout("sha1", folder, "", found[1], tree, is_sparse=False, filters=())


_ASK_SETTINGS = ("config", "-z", "--show-scope", "--get-regexp", _SETTINGS)


def _may_set(settings: str | None) -> bool:
    """Whether the repository's own configuration may hold such a setting; if certainly not, git is not asked.

    A sparse checkout is configured there too, by git itself.
    """
    names = ("filter", "sparse", "include", "worktreeconfig")
    return settings is None or any(each in settings for each in names)


def _own_settings(root: str) -> str | None:
    """The repository's own configuration, in lower case; None for a part of a repository, or where a working
    tree has settings of its own.
    """
    folder = os.path.join(root, ".git")
    try:
        with open(os.path.join(folder, "config"), encoding="utf-8", errors="replace") as file:
            text = file.read().lower()
    except OSError:
        return None
    return None if os.path.lexists(os.path.join(folder, "config.worktree")) else text


def _settings(text: str) -> tuple[bool, tuple[str, ...]]:
    """Whether the checkout is sparse, and the settings that turn the repository's own filters off.

    A filter that the person or the machine configured, as LFS does by default, stays on.
    """
    fields = text.split("\0")
    is_sparse, names = False, set()
    for scope, setting in zip(fields[::2], fields[1::2], strict=False):
        key, _, value = setting.partition("\n")
        if key == "core.sparsecheckout":
            is_sparse = value.lower() in ("", "true", "yes", "on", "1")
        elif scope in ("local", "worktree"):
            names.add(key.rpartition(".")[0])
    return is_sparse, tuple(git.filters_off(sorted(names)))


def _reported(root: str, checkout: Checkout, budget: Budget) -> tuple[str, dict[str, FileStatus]]:
    """The commit that git compared with, and the files that differ."""
    words = ("--branch", "--no-renames", "--untracked-files=all", "--ignore-submodules=none")
    options = (*_OPTIONS, *checkout.filters)
    asked = ("status", "--porcelain=v2", "-z", *words, "--", *_WORK)
    head = ""
    files: dict[str, FileStatus] = {}
    for line in git.names(budget.run(root, *asked, options=options)):
        kind = line[:1]
        if kind == "#":
            name, _, text = line[2:].partition(" ")
            head = text if name == "branch.oid" and refs.is_id(text) else head
            continue
        if kind == "1":
            _, both, _, at_head, staged, now, id_head, id_staged, path = line.split(" ", 8)
            is_only_staged = both[1] == "."
            file = FileStatus(
                blobs.committed_id(at_head, id_head),
                now,
                blobs.committed_id(staged, id_staged) if is_only_staged else "",
            )
        elif kind == "u":
            path, file = line.split(" ", 10)[10], FileStatus()
        elif kind == "?":
            path, file = line[2:], FileStatus()
        else:
            continue
        # A file that was only removed from the index is listed twice, first with its id in the commit.
        if path.startswith(checkout.prefix):
            files.setdefault(path[len(checkout.prefix) :], file)
    return head, files


def _hidden(root: str, listed: bytes, checkout: Checkout, budget: Budget) -> dict[str, FileStatus]:
    """Files that git treats as unchanged because it was configured so (assume-unchanged, skip-worktree).

    What a sparse checkout leaves out is missing on purpose.
    """
    found = [(flag, os.fsdecode(path)) for flag, path in _HIDDEN.findall(listed)]
    names = {
        path
        for flag, path in found
        if not checkout.is_sparse or flag == b"h" or os.path.lexists(os.path.join(root, path))
    }
    if not names:
        return {}
    files = dict.fromkeys(names, FileStatus())
    if checkout.tree:
        listed_tree = budget.run(root, "ls-tree", "-r", "-z", "--full-tree", checkout.tree)
        for line in git.names(listed_tree):
            about, _, path = line.partition("\t")
            if path in names:
                mode, _, ident = about.split(" ")
                files[path] = FileStatus(
                    blobs.committed_id(mode, ident), mode if mode in ("100644", "100755") else ""
                )
    return {path: file for path, file in files.items() if path.split("/")[0] not in OWN_PATHS}


# end of module
