"""Work that is not committed and would be gone: what git discards, cleans or removes.

Owns the counting of it, from ``git status`` limited to the paths of the command. Does not own commits.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from operators_edge.approvals.impact.command import UNKNOWN
from operators_edge.approvals.impact.files import Look
from operators_edge.approvals.impact.repository import Fact, Line, Repository, Unknown

if TYPE_CHECKING:
    from datetime import datetime


def checkout(line: Line, repo: Repository, _now: datetime) -> Fact:
    operands = list(line.operands)
    if operands and (line.paths is not None or repo.commit(operands[0])):
        operands.pop(0)  # the tree that files are taken from, or the branch to go to
    paths = (*operands, *(line.paths or ()))
    return changes(repo, paths, untracked=False)


def restore(line: Line, repo: Repository, _now: datetime) -> Fact:
    if line.has("--pathspec-from-file"):
        raise Unknown("the paths stand in another file")
    if line.has("-S", "--staged") and not line.has("-W", "--worktree"):
        return changes(repo, (*line.operands, *(line.paths or ())), untracked=False) | {
            "index": True
        }
    return changes(repo, (*line.operands, *(line.paths or ())), untracked=False)


def switch(_line: Line, repo: Repository, _now: datetime) -> Fact:
    return changes(repo, (), untracked=False)


def clean(line: Line, repo: Repository, _now: datetime) -> Fact:
    if line.has("-e", "--exclude"):
        raise Unknown("it leaves out files by a pattern")
    return changes(
        repo,
        (*line.operands, *(line.paths or ())),
        tracked=False,
        untracked=not line.has("-X"),
        ignored=line.has("-x", "-X"),
        folders=line.has("-d"),
        repositories=line.flags.count("-f") > 1,
    )


def worktree(line: Line, repo: Repository, _now: datetime) -> Fact:
    if not line.operands:
        raise Unknown("no work tree is named")
    folder = os.path.join(repo.folder, line.operands[0])
    if not os.path.isdir(folder):
        raise Unknown(f"there is no folder {line.operands[0]}")
    return changes(Repository(folder, repo.budget), (), ignored=True, folders=True)


def rm(line: Line, repo: Repository, _now: datetime) -> Fact:
    paths = (*line.operands, *(line.paths or ()))
    fact = changes(repo, paths, untracked=False)
    tracked = (repo.ask("ls-files", "-z", "--", *paths) or "").rstrip("\0").split("\0")
    names = [one for one in tracked if one]
    fact["in_git"]["clean"] = max(0, len(names) - fact["in_git"].get("modified", 0))
    return fact | {"act": "delete", "files": len(names), "bytes": None}


def changes(
    repo: Repository,
    paths: tuple[str, ...],
    *,
    tracked: bool = True,
    untracked: bool = True,
    ignored: bool = False,
    folders: bool = False,
    repositories: bool = False,
) -> Fact:
    """What is not committed below the paths (everywhere, without any), as a fact about files."""
    if any(UNKNOWN in path for path in paths):
        raise Unknown("the paths cannot be known before it runs")
    top = repo.ask("rev-parse", "--show-toplevel")
    if not top:
        raise Unknown("there is no work tree")
    words = ["status", "--porcelain", "-z", "--no-renames"]
    words.append(f"--untracked-files={'normal' if untracked or ignored else 'no'}")
    words += ["--ignored=traditional"] if ignored else []
    answer = repo.ask(*words, "--", *paths)
    if answer is None:
        raise Unknown("git knows no such paths")
    kinds = {"??": untracked, "!!": ignored}
    counts: dict[str, int] = {}
    look = Look(repo.budget)
    for line in answer.split("\0"):
        if len(line) < 4 or not kinds.get(line[:2], tracked):
            continue
        path = os.path.join(top, line[3:])
        is_nested = line.endswith("/") and os.path.lexists(os.path.join(path, ".git"))
        if line.endswith("/") and (not folders or (is_nested and not repositories)):
            continue
        before = len(look.files)
        look.add(path.rstrip("/"))
        kind = {"??": "untracked", "!!": "ignored"}.get(line[:2], "modified")
        # A tracked file that is gone from the disk is a change all the same.
        counts[kind] = counts.get(kind, 0) + max(len(look.files) - before, kind == "modified")
    fact: Fact = {
        "kind": "files",
        "act": "discard",
        "files": sum(counts.values()),
        "in_git": counts,
    }
    fact["bytes"] = sum(look.files.values())
    fact |= {"histories": look.histories} if look.histories else {}
    return fact | ({"is_more": True} if look.is_cut else {})
