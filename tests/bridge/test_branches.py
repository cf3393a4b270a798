"""A task's branch, the watcher's commit on it, and the return; in real repositories."""

from __future__ import annotations

import os

import pytest
from tests import repository
from tests.bridge.test_audit import git, put

from operators_edge.bridge.branches import Branches, Head
from operators_edge.git.commands import GitFailed


@pytest.fixture
def root(tmp_path):
    return repository.make(tmp_path / "wörk tree")


def commit(root, name, branch=""):
    if branch:
        git(root, "checkout", "-qb", branch)
    put(root, name, b"x\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", name)
    return git(root, "rev-parse", "HEAD").decode().strip()


def test_a_task_gets_a_branch_from_the_base_and_head_comes_back(root):
    branches = Branches(root)
    base = branches.head()
    started = branches.start("t-1", 1, "")
    assert started == ("feat/ai/t-1", base.commit)
    put(root, "new ä.txt", b"x\n")
    put(root, "*.txt", b"x\n")
    put(root, "later.txt", b"y\n")
    made = branches.commit(["new ä.txt", "*.txt"], "Add it\n\n# not a comment\n")
    assert branches.status() == "?? later.txt"
    assert git(root, "log", "-1", "--format=%B").decode() == "Add it\n\n# not a comment\n\n"
    branches.go_back(base)
    assert branches.head() == base
    assert git(root, "rev-parse", "feat/ai/t-1").decode().strip() == made


def test_a_detached_head_comes_back_to_its_commit(root):
    git(root, "checkout", "-q", "--detach")
    branches = Branches(root)
    base = branches.head()
    assert base.branch == ""
    branches.start("t-1", 1, "")
    branches.go_back(base)
    assert branches.head() == base


def test_a_branch_that_holds_work_of_others_is_never_moved(root):
    theirs = commit(root, "theirs.txt", "feat/ai/t-1")
    git(root, "checkout", "-q", "main")
    branches = Branches(root)
    assert branches.start("t-1", 2, "").branch == "feat/ai/t-1-2"
    assert git(root, "rev-parse", "feat/ai/t-1").decode().strip() == theirs
    commit(root, "more.txt")
    git(root, "checkout", "-q", "main")
    with pytest.raises(GitFailed, match="hold commits of others"):
        branches.start("t-1", 2, "")
    assert branches.head().branch == "main"


def test_a_branch_without_work_of_its_own_is_used_again(root):
    git(root, "branch", "feat/ai/t-1")
    newer = commit(root, "newer.txt")
    assert Branches(root).start("t-1", 1, "").commit == newer


@pytest.mark.parametrize("base", ["nowhere", "--help", "main:readme.txt"])
def test_a_base_that_is_no_commit_is_refused(root, base):
    with pytest.raises(GitFailed, match=f"there is no branch or commit '{base}'"):
        Branches(root).start("t-1", 1, base)
    assert Branches(root).head().branch == "main"


def test_another_base_is_checked_out(root):
    other = commit(root, "other.txt", "other")
    git(root, "checkout", "-q", "main")
    assert Branches(root).start("t-1", 1, "other").commit == other
    assert os.path.exists(os.path.join(root, "other.txt"))


def test_changes_in_the_way_of_the_base_are_not_lost(root):
    commit(root, "other.txt", "other")
    git(root, "checkout", "-q", "main")
    put(root, "other.txt", b"the user's\n")
    with pytest.raises(GitFailed, match="overwritten"):
        Branches(root).start("t-1", 1, "other")
    assert Branches(root).head() == Head("main", git(root, "rev-parse", "main").decode().strip())


def test_the_bridges_own_folder_makes_no_tree_dirty_and_hooks_do_not_run(root, tmp_path):
    put(root, ".ai-handoff/tasks/x.json", b"{}")
    hook = os.path.join(root, ".git", "hooks", "pre-commit")
    put(root, ".git/hooks/pre-commit", f"#!/bin/sh\ntouch '{tmp_path}/ran'; exit 1\n".encode())
    os.chmod(hook, 0o700)
    branches = Branches(root)
    assert branches.status() == ""
    put(root, "a.txt", b"x\n")
    branches.commit(["a.txt"], "a")
    assert not (tmp_path / "ran").exists()


def test_deleted_renamed_and_ignored_files_are_committed_as_they_are(root):
    put(root, ".gitignore", b"*.log\n")
    put(root, "made.log", b"x\n")
    os.rename(os.path.join(root, "readme.txt"), os.path.join(root, "README"))
    branches = Branches(root)
    branches.commit(["readme.txt", "README", "made.log"], "m")
    assert branches.status() == "?? .gitignore"
    assert git(root, "ls-files").decode().split() == ["README", "made.log"]
