"""What git reports of a work tree: what differs from the commit, and what it was told not to look at.

Owns the questions and the reading of the answers. Does not own what the files hold (``git.blobs``) or what a
look is (``git.worktree``).
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from operators_edge.git import blobs, commands as git
from operators_edge.model import OWN_PATHS

_WORK = (".", *(f":(exclude){name}" for name in OWN_PATHS))
"""Everything below the root but the product's own files, which never count as work (PR-9)."""

# Git looks as it does by default, whatever the repository says that would hide a change from it.
_OPTIONS = ("core.trustctime=true", "core.checkStat=default")
_SETTINGS = r"^filter\..*\.(clean|process)$|^core\.sparsecheckout$"

_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_HIDDEN = re.compile(rb"(?:\A|\0)([a-zS]) ([^\0]+)")


class Blind(Exception):
    """The tree cannot be told from another one; the text says why."""


class Place(NamedTuple):
    """Where in which repository a root lies; ``tree`` is git's id of what the commit holds below it."""

    form: str
    common: str
    prefix: str
    head: str
    tree: str
    is_sparse: bool
    filters: tuple[str, ...]


class File(NamedTuple):
    """A path that may differ from the commit: ``head`` is its value there ("" for none), ``mode`` what git
    takes the file's mode for ("" unknown), ``staged`` its value where only the index has it.
    """

    head: str = ""
    mode: str = ""
    staged: str = ""


class Status(NamedTuple):
    """Where, and by path relative to the root what may differ; folders are repositories of their own."""

    place: Place
    files: dict[str, File]


def status(root: str, limit: git.Deadline) -> Status:
    """What git reports now. Raises Blind, git.TooSlow, OSError."""
    for _ in range(2):
        listing = git.start(root, "ls-files", "-z", "-v")
        try:
            place = _place(root, limit)
            head, files = _reported(root, place, limit)
            listed = git.finish(listing, limit.left())
        finally:
            git.stop(listing)
        if listed.code != 0:
            raise Blind(f"git could not list the files: {listed.why}")
        if head == place.head:
            return Status(place, files | _hidden(root, listed.out, place, limit))
    raise Blind("commits were made while it was looked at")


def _place(root: str, limit: git.Deadline) -> Place:
    words = ("--path-format=absolute", "--show-object-format", "--git-common-dir", "--show-prefix")
    asked = git.start(root, "rev-parse", *words, "HEAD", "HEAD:./")
    settings = git.start(root, "config", "-z", "--show-scope", "--get-regexp", _SETTINGS)
    try:
        answer = git.finish(asked, limit.left())
        found = git.finish(settings, limit.left())
    finally:
        git.stop(asked)
        git.stop(settings)
    lines = os.fsdecode(answer.out).split("\n")
    if len(lines) < 4:
        raise Blind(answer.why.removeprefix("fatal: ") or "git gave no answer")
    if len(lines) > 6:
        raise Blind("the repository's path holds a line break")
    form, common, prefix = lines[:3]
    # Before the first commit, or where it holds nothing below the root, the words come back as they were.
    head, tree = (each if _ID.fullmatch(each) else "" for each in (*lines[3:5], "", "")[:2])
    is_sparse, filters = _settings(os.fsdecode(found.out))
    return Place(form, common, prefix, head, tree, is_sparse, filters)


def _settings(text: str) -> tuple[bool, tuple[str, ...]]:
    """Whether the checkout is sparse, and the settings that switch the repository's own filters off.

    A filter of the person's or the machine's own (LFS as it is installed by default) is kept.
    """
    fields = text.split("\0")
    is_sparse, names = False, set()
    for scope, setting in zip(fields[::2], fields[1::2], strict=False):
        key, _, given = setting.partition("\n")
        if key == "core.sparsecheckout":
            is_sparse = given.lower() in ("", "true", "yes", "on", "1")
        elif scope in ("local", "worktree"):
            names.add(key.rpartition(".")[0])
    ends = ("clean=", "process=", "required=false")
    return is_sparse, tuple(f"{name}.{end}" for name in sorted(names) for end in ends)


def _reported(root: str, place: Place, limit: git.Deadline) -> tuple[str, dict[str, File]]:
    """The commit that git compared with, and the files that it found to differ."""
    words = ("--branch", "--no-renames", "--untracked-files=all", "--ignore-submodules=none")
    options = (*_OPTIONS, *place.filters)
    asked = git.start(root, "status", "--porcelain=v2", "-z", *words, "--", *_WORK, options=options)
    answer = git.finish(asked, limit.left())
    if answer.code != 0:
        raise Blind(f"git: {answer.why.removeprefix('fatal: ')}")
    head = ""
    files: dict[str, File] = {}
    for line in os.fsdecode(answer.out).split("\0"):
        kind = line[:1]
        if kind == "#":
            name, _, text = line[2:].partition(" ")
            head = text if name == "branch.oid" and _ID.fullmatch(text) else head
            continue
        if kind == "1":
            _, both, _, at_head, staged, now, id_head, id_staged, path = line.split(" ", 8)
            is_only_staged = both[1] == "."
            file = File(
                blobs.committed(at_head, id_head),
                now,
                blobs.committed(staged, id_staged) if is_only_staged else "",
            )
        elif kind == "u":
            path, file = line.split(" ", 10)[10], File()
        elif kind == "?":
            path, file = line[2:], File()
        else:
            continue
        # A file that was only taken out of the index is told twice: the first time with its commit's value.
        if path.startswith(place.prefix):
            files.setdefault(path[len(place.prefix) :], file)
    return head, files


def _hidden(root: str, listed: bytes, place: Place, limit: git.Deadline) -> dict[str, File]:
    """Files that git was told to take for unchanged (assume-unchanged, skip-worktree).

    What a sparse checkout leaves out is not there by intent.
    """
    found = [(flag, os.fsdecode(path)) for flag, path in _HIDDEN.findall(listed)]
    names = {
        path
        for flag, path in found
        if not place.is_sparse or flag == b"h" or os.path.lexists(os.path.join(root, path))
    }
    if not names:
        return {}
    files = dict.fromkeys(names, File())
    if place.tree:
        asked = git.start(root, "ls-tree", "-r", "-z", "--full-tree", place.tree)
        answer = git.finish(asked, limit.left())
        if answer.code != 0:
            raise Blind(f"git could not read the commit: {answer.why}")
        for line in os.fsdecode(answer.out).split("\0"):
            about, _, path = line.partition("\t")
            if path in names:
                mode, _, ident = about.split(" ")
                files[path] = File(
                    blobs.committed(mode, ident), mode if mode in ("100644", "100755") else ""
                )
    return {path: file for path, file in files.items() if path.split("/")[0] not in OWN_PATHS}
