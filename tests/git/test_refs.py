"""HEAD and refs read from git's own files are what git itself says, or git is asked."""

import os
import shutil

from tests import repository
from tests.bridge.test_audit import git

from operators_edge.git import refs


def answer(root, *words):
    return git(root, "rev-parse", *words).decode().strip()


def folders(root):
    own, common = answer(
        root, "--path-format=absolute", "--absolute-git-dir", "--git-common-dir"
    ).splitlines()
    return own, common


def test_a_branch_is_read_wherever_git_keeps_it(tmp_path):
    root = repository.make(tmp_path / "work")
    own, common = folders(root)
    commit = answer(root, "HEAD")
    git(root, "branch", "feat/ai/t-1")
    assert refs.head(own, common) == ("refs/heads/main", commit)
    git(root, "pack-refs", "--all")
    assert not os.path.exists(os.path.join(common, "refs", "heads", "feat"))
    assert refs.head(own, common) == ("refs/heads/main", commit)
    assert refs.ref(common, "refs/heads/feat/ai/t-1") == commit
    assert refs.ref(common, "refs/heads/t-1") == ""
    git(root, "commit", "-q", "--allow-empty", "-m", "two")
    assert refs.head(own, common) == ("refs/heads/main", answer(root, "HEAD"))
    git(root, "checkout", "-q", "--detach")
    assert refs.head(own, common) == ("", answer(root, "HEAD"))


def test_a_linked_worktree_has_its_own_head_and_everybody_s_branches(tmp_path):
    root = repository.make(tmp_path / "work")
    git(root, "worktree", "add", "-q", "-b", "other", str(tmp_path / "beside"))
    git(tmp_path / "beside", "commit", "-q", "--allow-empty", "-m", "two")
    own, common = folders(tmp_path / "beside")
    assert own != common
    commit = answer(tmp_path / "beside", "HEAD")
    assert refs.head(own, common) == ("refs/heads/other", commit)


def test_an_empty_namespace_is_known_without_git(tmp_path):
    root = repository.make(tmp_path / "work")
    _, common = folders(root)
    assert refs.has_none(common, "refs/operators-edge/undo/")
    git(root, "update-ref", "refs/operators-edge/undo/1", "HEAD")
    assert not refs.has_none(common, "refs/operators-edge/undo/")
    git(root, "pack-refs", "--all", "--prune")
    shutil.rmtree(os.path.join(common, "refs", "operators-edge"))  # git may leave empty folders
    assert not refs.has_none(common, "refs/operators-edge/undo/")
    assert refs.has_none(common, "refs/operators-edge/other/")
    assert not refs.has_none(str(tmp_path), "refs/operators-edge/undo/")
    os.mkdir(os.path.join(common, "reftable"))
    assert not refs.has_none(common, "refs/operators-edge/other/")


def test_git_is_asked_about_what_only_git_knows(tmp_path):
    root = repository.make(tmp_path / "work")
    own, common = folders(root)
    git(root, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
    git(root, "branch", "one/two")
    unknown = ("refs/heads/alias", "refs/heads/one", "refs/heads/../../HEAD", "main", "refs//main")
    assert [refs.ref(common, each) for each in unknown] == [None] * len(unknown)
    git(root, "symbolic-ref", "HEAD", "refs/heads/unborn")
    assert refs.head(own, common) is None
    os.mkdir(os.path.join(common, "reftable"))
    assert refs.ref(common, "refs/heads/one/two") is None
