import os
from datetime import UTC, datetime

import pytest
from tests.hosting import git as run, write

from operators_edge.git import commands as git
from operators_edge.git.history import touched_anywhere

OLD = 1_000_000_000
"""When everything was committed that is there at first, in 2001."""

SINCE = "2020-01-01T00:00:00.123+02:00"


def traces(root, *paths, since=SINCE):
    return touched_anywhere(root, paths, since)


@pytest.fixture
def old(tmp_path, monkeypatch):
    """A repository whose files and commits are all old; what comes next is new."""
    root = str(tmp_path / "old")
    os.mkdir(root)
    for name in ("GIT_COMMITTER_DATE", "GIT_AUTHOR_DATE"):
        monkeypatch.setenv(name, f"{OLD} +0000")
    run(root, "init", "-q", "-b", "main")
    for name in ("a.py", "sub/b.py", "c.py"):
        write(root, name, "x = 1\n")
    write(root, ".gitignore", "build/\n")
    run(root, "add", "-A")
    run(root, "commit", "-qm", "old")
    for name in ("GIT_COMMITTER_DATE", "GIT_AUTHOR_DATE"):
        monkeypatch.delenv(name)
    return root


def test_what_nobody_touched_has_no_trace(old):
    assert traces(old, "a.py", "sub/b.py", "sub", "gone.py") == dict.fromkeys(
        ("a.py", "sub/b.py", "sub", "gone.py"), False
    )


def edited(root):
    write(root, "a.py", "x = 2\n")


def deleted(root):
    os.remove(os.path.join(root, "a.py"))


def hidden(root):
    run(root, "update-index", "--assume-unchanged", "a.py")
    edited(root)


def committed(root):
    edited(root)
    run(root, "commit", "-qam", "new")


def committed_and_taken_back(root):
    committed(root)
    run(root, "reset", "-q", "--hard", "HEAD~1")


def committed_elsewhere(root):
    run(root, "checkout", "-qb", "side")
    committed(root)
    run(root, "checkout", "-q", "main")
    run(root, "reflog", "expire", "--expire=now", "--all")
    run(root, "reset", "-q", "--hard")


def stashed(root):
    edited(root)
    run(root, "stash")


def stashed_twice(root):
    stashed(root)
    write(root, "c.py", "x = 3\n")
    run(root, "stash")


def in_another_work_tree(root):
    run(root, "worktree", "add", "-q", "--detach", "../side")
    edited(os.path.join(root, "..", "side"))


def committed_in_another_work_tree(root):
    run(root, "worktree", "add", "-q", "--detach", "../side")
    committed(os.path.join(root, "..", "side"))


@pytest.mark.parametrize(
    "act",
    [
        edited,
        deleted,
        hidden,
        committed,
        committed_and_taken_back,
        stashed,
        stashed_twice,
        in_another_work_tree,
        committed_in_another_work_tree,
    ],
)
def test_every_way_to_touch_a_file_leaves_a_trace_and_the_others_have_none(old, act):
    act(old)
    assert traces(old, "a.py", "sub/b.py") == {"a.py": True, "sub/b.py": False}


def test_a_commit_that_no_reflog_knows_any_more_is_seen_on_its_branch(old):
    committed_elsewhere(old)
    assert traces(old, "a.py", "sub/b.py") == {"a.py": True, "sub/b.py": False}


def test_an_untracked_file_in_a_stash_leaves_a_trace_and_the_others_have_none(old):
    write(old, "new.py", "x\n")
    run(old, "stash", "-u")
    assert traces(old, "new.py", "a.py") == {"new.py": True, "a.py": False}


def test_a_merge_of_older_commits_is_a_trace(old, monkeypatch):
    for name in ("GIT_COMMITTER_DATE", "GIT_AUTHOR_DATE"):
        monkeypatch.setenv(name, f"{OLD + 9} +0000")
    run(old, "checkout", "-qb", "side")
    committed(old)
    run(old, "checkout", "-q", "main")
    run(old, "reflog", "expire", "--expire=now", "HEAD")
    run(old, "commit", "-q", "--allow-empty", "-m", "so that there is a reflog")
    monkeypatch.delenv("GIT_COMMITTER_DATE")
    run(old, "merge", "-q", "--no-edit", "side")
    assert traces(old, "a.py", "sub/b.py") == {"a.py": True, "sub/b.py": False}


def test_what_was_unfinished_before_and_not_touched_since_is_no_trace(old):
    now = datetime.now(UTC)
    edited(old)
    later = now.replace(year=now.year + 1).isoformat()
    assert traces(old, "a.py", since=later) == {"a.py": False}


def test_a_commit_before_the_start_but_in_the_same_second_is_no_trace(old, monkeypatch):
    monkeypatch.setenv("GIT_COMMITTER_DATE", "4000000000 +0000")
    committed(old)
    head = (git.ask(old, "rev-parse", "HEAD") or "").strip()
    second = datetime.fromtimestamp(4_000_000_000.9, UTC).isoformat()
    assert touched_anywhere(old, ["a.py"], second) == {"a.py": True}
    assert touched_anywhere(old, ["a.py"], second, head=head) == {"a.py": False}
    write(old, "c.py", "x = 2\n")
    run(old, "commit", "-qam", "more")
    run(old, "reset", "-q", "--hard", head)
    told = touched_anywhere(old, ["a.py", "c.py"], second, head=head)
    assert told == {"a.py": False, "c.py": True}


def test_a_folder_has_the_traces_of_what_is_in_it(old):
    write(old, "sub/new.py", "x\n")
    assert traces(old, "sub") == {"sub": True}


def test_what_git_does_not_track_is_unknown(old, tmp_path):
    write(old, "build/x.o", "x")
    os.makedirs(os.path.join(old, "inner"))
    run(os.path.join(old, "inner"), "init", "-q")
    os.symlink("sub", os.path.join(old, "link"))
    paths = ("build/x.o", "build/gone.o", "../outside.py", "/etc/passwd")
    assert traces(old, *paths) == dict.fromkeys(paths)
    within = traces(old, "inner/a.py", "link/b.py", since="2999-01-01T00:00:00+00:00")
    assert within == {"inner/a.py": None, "link/b.py": None}
    assert traces(str(tmp_path), "a.py") == {"a.py": None}
    assert traces(old, "a.py", since="yesterday") == {"a.py": None}


def test_a_project_below_the_repositorys_top_is_asked_about_its_own_paths(old):
    sub = os.path.join(old, "sub")
    run(old, "worktree", "add", "-q", "--detach", "../side")
    assert traces(sub, "b.py", "a.py") == {"b.py": False, "a.py": False}
    write(os.path.join(old, "..", "side", "sub"), "b.py", "x = 2\n")
    assert traces(sub, "b.py", "a.py") == {"b.py": True, "a.py": False}


def test_before_the_first_commit_every_file_is_a_trace(tmp_path):
    run(str(tmp_path), "init", "-q")
    write(str(tmp_path), "a.py", "x")
    assert traces(str(tmp_path), "a.py", "b.py") == {"a.py": True, "b.py": False}
