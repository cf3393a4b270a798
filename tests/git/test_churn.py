"""How often files change, in real repositories."""

import os
from datetime import UTC, datetime, timedelta

from tests.hosting import git, write

from operators_edge.git.commands import Budget
from operators_edge.git.history import churn

SINCE = datetime.now(UTC) - timedelta(days=90)


def counted(root, since=SINCE, seconds=10):
    return churn(root, since, Budget(seconds))


def commit(root, *names):
    for name in names:
        path = write(root, name, "") if not os.path.exists(os.path.join(root, name)) else name
        with open(os.path.join(root, path), "a", encoding="utf-8") as file:
            file.write("x\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "c")


def test_each_commit_that_changed_a_file_counts_once(repo):
    commit(repo, "a.py", "sub/ö b.py")
    commit(repo, "a.py")
    assert counted(repo) == ({"readme.txt": 1, "a.py": 2, "sub/ö b.py": 1}, "")


def test_what_was_changed_before_does_not_count(repo, monkeypatch):
    for name in ("GIT_COMMITTER_DATE", "GIT_AUTHOR_DATE"):
        monkeypatch.setenv(name, "2001-01-01T00:00:00+00:00")
    commit(repo, "old.py")
    assert "old.py" not in counted(repo).counts


def test_a_part_of_a_repository_has_its_own_names(repo):
    commit(repo, "a.py", "sub/b.py")
    assert counted(os.path.join(repo, "sub")).counts == {"b.py": 1}


def test_a_repository_without_a_commit_has_no_changes_and_nothing_is_wrong(tmp_path):
    git(str(tmp_path), "init", "-q")
    assert counted(str(tmp_path)) == ({}, "")


def test_a_reason_is_given_if_git_cannot_count(tmp_path, repo):
    assert "not a git repository" in counted(str(tmp_path)).why
    assert counted(repo, seconds=0).why == "git took too long"
