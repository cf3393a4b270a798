"""Uncommitted work that a git command would discard, clean or remove.

Owns counting it, by ``git status`` for the paths of the command. Commits are in ``approvals.impact.commits``.
"""

from __future__ import annotations

import os
from dataclasses import replace

from operators_edge.approvals.impact.command import UNKNOWN
from operators_edge.approvals.impact.file_loss import FileLoss
from operators_edge.approvals.impact.files import FileScan
from operators_edge.approvals.impact.report import Unmeasurable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.approvals.impact.report import Impact
    from operators_edge.approvals.impact.repository import GitCommand, Repository


def checkout(command: GitCommand, repo: Repository) -> Impact:
    operands = list(command.operands)
    if operands and (command.paths is not None or repo.commit(operands[0])):
        operands.pop(0)  # the commit that files are taken from, or the branch to switch to
    return _impact(repo, changes(repo, (*operands, *(command.paths or ())), untracked=False))


def restore(command: GitCommand, repo: Repository) -> Impact:
    if command.has("--pathspec-from-file"):
        raise Unmeasurable("the paths are in another file")
    is_index = command.has("-S", "--staged") and not command.has("-W", "--worktree")
    loss = changes(repo, command.words, untracked=False)
    return _impact(repo, loss._replace(is_index=is_index))


def switch(_command: GitCommand, repo: Repository) -> Impact:
    return _impact(repo, changes(repo, (), untracked=False))


def clean(command: GitCommand, repo: Repository) -> Impact:
    if command.has("-e", "--exclude"):
        raise Unmeasurable("it leaves out files by a pattern")
    loss = changes(
        repo,
        command.words,
        tracked=False,
        untracked=not command.has("-X"),
        ignored=command.has("-x", "-X"),
        folders=command.has("-d"),
        repositories=command.count("-f", "--force") > 1,
    )
    return _impact(repo, loss)


def worktree(command: GitCommand, repo: Repository) -> Impact:
    if not command.operands:
        raise Unmeasurable("no working tree is named")
    folder = os.path.join(repo.folder, command.operands[0])
    if not os.path.isdir(folder):
        raise Unmeasurable(f"there is no folder {command.operands[0]}")
    there = replace(repo, git=repo.git._replace(folder=folder))
    loss = changes(there, (), ignored=True, folders=True)
    return _impact(repo, loss)


def rm(command: GitCommand, repo: Repository) -> Impact:
    loss = changes(repo, command.words, untracked=False)
    tracked = (repo.ask("ls-files", "-z", "--", *command.words) or "").split("\0")
    count = len([each for each in tracked if each])
    clean_files = max(0, count - loss.in_git.get("modified", 0))
    in_git = {**loss.in_git, "clean": clean_files}
    folders = (os.path.join(repo.folder, each, ".git") for each in tracked if each)
    inside = sum(os.path.lexists(each) for each in folders)
    loss = loss._replace(act="delete", files=count, bytes=None, in_git=in_git, histories=inside)
    return _impact(repo, loss)


def _impact(repo: Repository, loss: FileLoss) -> Impact:
    return loss.impact(has_snapshot=repo.has_snapshot)


def changes(
    repo: Repository,
    paths: tuple[str, ...],
    *,
    tracked: bool = True,
    untracked: bool = True,
    ignored: bool = False,
    folders: bool = False,
    repositories: bool = False,
) -> FileLoss:
    """What is not committed below the paths; in the whole working tree, if there are none."""
    if any(UNKNOWN in path for path in paths):
        raise Unmeasurable("the paths cannot be known before it runs")
    top = repo.ask("rev-parse", "--show-toplevel")
    if not top:
        raise Unmeasurable("there is no working tree")
    words = ["status", "--porcelain", "-z", "--no-renames"]
    words.append(f"--untracked-files={'normal' if untracked or ignored else 'no'}")
    words += ["--ignored=traditional"] if ignored else []
    answer = repo.ask(*words, "--", *paths)
    if answer is None:
        raise Unmeasurable("git does not know these paths")
    kinds = {"??": untracked, "!!": ignored}
    counts: dict[str, int] = {}
    scan = FileScan(repo.git.budget)
    for line in answer.split("\0"):
        if len(line) < 4 or not kinds.get(line[:2], tracked):
            continue
        path = os.path.join(top, line[3:])
        is_nested = line.endswith("/") and os.path.lexists(os.path.join(path, ".git"))
        if line.endswith("/") and (not folders or (is_nested and not repositories)):
            continue
        before = len(scan.files)
        scan.add(path.rstrip("/"))
        kind = {"??": "untracked", "!!": "ignored"}.get(line[:2], "modified")
        # A tracked file that is missing from the disk counts as one change.
        counts[kind] = counts.get(kind, 0) + max(len(scan.files) - before, kind == "modified")
    return FileLoss(
        "discard",
        sum(counts.values()),
        sum(scan.files.values()),
        counts,
        is_more=scan.is_cut,
        histories=scan.histories,
    )


# end of module
