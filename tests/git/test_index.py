"""Nothing is staged only when git says so too; where its files do not tell, it has to be asked."""

import os
from pathlib import Path

import pytest
from tests import repository
from tests.bridge.test_audit import git
from tests.hosting import write

from operators_edge.git import commands, index


def has_nothing_new(root):
    own, common = (
        git(root, "rev-parse", "--path-format=absolute", "--absolute-git-dir", "--git-common-dir")
        .decode()
        .splitlines()
    )
    return index.has_nothing_new(own, common)


def says_git(root):
    return git(root, "diff", "--cached", "--name-only") == b""


def test_what_is_staged_is_seen_and_what_is_only_changed_is_not(tmp_path):
    root = repository.make(tmp_path / "work")
    write(str(root), "sub/deep/b.txt", "b\n")
    write(str(root), "n" * 200, "long\n")
    git(root, "add", ".")
    assert not has_nothing_new(root)
    git(root, "commit", "-qm", "two")
    assert has_nothing_new(root)
    write(str(root), "sub/deep/b.txt", "changed\n")
    write(str(root), "new.txt", "new\n")
    assert has_nothing_new(root)
    git(root, "add", "-N", "new.txt")
    assert has_nothing_new(root) <= says_git(root)
    git(root, "add", ".")
    assert not has_nothing_new(root)
    git(root, "reset", "-q", "--hard")
    assert has_nothing_new(root)
    git(root, "rm", "-q", "--cached", "n" * 200)
    assert not has_nothing_new(root)


def test_it_follows_each_commit_branch_and_linked_working_tree(tmp_path):
    root = repository.make(tmp_path / "work")
    for at in range(3):
        write(str(root), f"{at}.txt", "x\n")
        git(root, "add", ".")
        assert not has_nothing_new(root)
        git(root, "commit", "-qm", "more")
        assert has_nothing_new(root)
    git(root, "reset", "-q", "--soft", "HEAD~1")
    assert not has_nothing_new(root)
    git(root, "worktree", "add", "-q", "-b", "other", str(tmp_path / "beside"))
    assert has_nothing_new(tmp_path / "beside")
    write(str(tmp_path / "beside"), "a.txt", "x\n")
    git(tmp_path / "beside", "add", ".")
    assert not has_nothing_new(tmp_path / "beside")


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_an_index_of_any_version_is_read_rightly_or_left_to_git(tmp_path, version):
    root = repository.make(tmp_path / "work")
    write(str(root), "a.txt", "a\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", "two")
    git(root, "update-index", "--index-version", version)
    assert has_nothing_new(root) == (version != "4")
    write(str(root), "a.txt", "b\n")
    git(root, "add", ".")
    assert not has_nothing_new(root)
    git(root, "update-index", "--skip-worktree", "a.txt")
    assert not has_nothing_new(root)


def test_what_its_files_do_not_tell_is_left_to_git(tmp_path):
    root = repository.make(tmp_path / "work")
    assert has_nothing_new(root)
    git(root, "update-index", "--split-index")
    assert not has_nothing_new(root)
    git(root, "update-index", "--no-split-index")
    git(root, "reset", "-q", "--hard")
    path = os.path.join(root, ".git", "index")
    with open(path, "rb") as file:
        whole = file.read()
    for damaged in (b"", whole[:-7], whole + b"x", whole[:40], b"DIRC" + whole[:50] + whole[4:]):
        with open(path, "wb") as file:
            file.write(damaged)
        assert not has_nothing_new(root)
    with open(path, "wb") as file:
        file.write(whole)
    assert has_nothing_new(root)
    git(root, "gc", "-q")
    assert not has_nothing_new(root)
    assert not commands.is_staged_alone(str(root))


def test_before_anything_is_staged_there_is_no_index(tmp_path):
    root = tmp_path / "work"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    assert has_nothing_new(root)
    assert not commands.is_staged_alone(str(root))
    write(str(root), "a.txt", "a\n")
    git(root, "add", ".")
    assert not has_nothing_new(root)
    assert not index.has_nothing_new(str(tmp_path / "gone"), str(tmp_path / "gone"))


def test_a_repository_of_the_longer_hash_is_read_too(tmp_path):
    root = tmp_path / "work"
    root.mkdir()
    git(root, "init", "-q", "--object-format=sha256", "-b", "main")
    write(str(root), "a.txt", "a\n")
    git(root, "add", ".")
    assert not has_nothing_new(root)
    git(root, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "one")
    assert has_nothing_new(root)


def hides_nothing(root):
    return index.hides_nothing(os.path.join(root, ".git"))


@pytest.mark.parametrize("flag", ["assume-unchanged", "skip-worktree"])
def test_a_file_that_git_takes_as_unchanged_is_seen_in_the_index(tmp_path, flag):
    root = repository.make(tmp_path / "work")
    write(str(root), "sub/b.txt", "b\n")
    write(str(root), "z" * 200, "z\n")
    git(root, "add", ".")
    git(root, "add", "-N", ".")
    assert hides_nothing(root)
    git(root, "update-index", f"--{flag}", "sub/b.txt")
    assert not hides_nothing(root)
    git(root, "update-index", f"--no-{flag}", "sub/b.txt")
    assert hides_nothing(root)


@pytest.mark.parametrize(
    "change", [("update-index", "--split-index"), ("update-index", "--index-version", "4")]
)
def test_git_is_asked_what_is_hidden_where_the_index_is_of_another_form(tmp_path, change):
    root = repository.make(tmp_path / "work")
    assert hides_nothing(root)
    git(root, *change)
    assert not hides_nothing(root)


def test_git_is_asked_what_is_hidden_by_an_index_that_is_damaged_or_large(tmp_path, monkeypatch):
    root = repository.make(tmp_path / "work")
    path = Path(root, ".git", "index")
    whole = path.read_bytes()
    for damaged in (b"", whole[:-21], whole[:40], b"DIRC" + whole):
        path.write_bytes(damaged)
        assert not hides_nothing(root)
    path.write_bytes(whole)
    monkeypatch.setattr(index, "_MAX_INDEX", len(whole) - 1)
    assert not hides_nothing(root)
    path.unlink()
    assert hides_nothing(root)
