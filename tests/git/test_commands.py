import os

import pytest
from tests.hosting import git as run, write

from operators_edge.git import commands as git
from operators_edge.system import children


def test_an_answer_is_gits_output_and_a_failure_is_none(repo, tmp_path):
    assert git.ask(repo, "log", "--format=%s") == "first\n"
    assert git.ask(repo, "rev-parse", "--verify", "--quiet", "nowhere") is None
    assert git.ask(str(tmp_path), "status") is None
    assert git.ask(str(tmp_path / "gone"), "status") is None


def test_a_timeout_is_not_a_failure(repo):
    with pytest.raises(git.TooSlow):
        git.ask(repo, "status", seconds=0)


def test_the_reason_of_a_failure_is_kept(repo):
    answer = git.finish(git.start(repo, "log", "nowhere"), 9)
    assert answer.code == 128
    assert "nowhere" in answer.why


def test_where_the_disk_does_not_let_git_write_the_error_says_what_to_do():
    hints = {
        "error: unable to write loose object file: No space left on device\nfatal: x": "Free some space",
        "fatal: unable to create temporary file: Read-only file system": "mount it writable",
        "error: insufficient permission for adding an object to repository database .git/objects": "who owns",
        "fatal: bad object nowhere": "",
    }
    for text, hint in hints.items():
        words = ["sh", "-c", 'printf %s "$0" >&2; exit 128', text]
        process = children.start(words, env=os.environ)
        with pytest.raises(git.GitFailed) as caught:
            git.Budget().finish(process)
        assert hint in caught.value.hint
        assert bool(hint) == bool(caught.value.hint)


def test_the_network_is_never_asked(repo, tmp_path):
    run(repo, "remote", "add", "origin", str(tmp_path))
    answer = git.finish(git.start(repo, "fetch", "origin"), 9)
    assert "not allowed" in answer.why


def test_texts_are_those_of_the_commit_whatever_is_on_the_disk(repo):
    write(repo, "sub/ä b.txt", "two\nlines\n")
    write(repo, "long.txt", "x" * 99)
    run(repo, "add", ".")
    run(repo, "commit", "-qm", "more")
    head = (git.ask(repo, "rev-parse", "HEAD") or "").strip()
    write(repo, "readme.txt", "changed\n")
    os.remove(os.path.join(repo, "sub", "ä b.txt"))
    paths = ["readme.txt", "none.txt", "sub/ä b.txt", "long.txt", "sub", "odd\nname"]
    found = git.texts(repo, head, paths, limit=50)
    assert found == {"readme.txt": "hello\n", "none.txt": None, "sub/ä b.txt": "two\nlines\n"}
    below = git.texts(os.path.join(repo, "sub"), head, ["ä b.txt"], limit=50)
    assert below == {"ä b.txt": "two\nlines\n"}


def test_before_the_first_commit_there_were_no_texts(tmp_path):
    assert git.texts(str(tmp_path), "", ["a"], limit=9) == {"a": None}
    assert git.texts(str(tmp_path), "0" * 40, ["a"], limit=9) is None


def test_what_is_staged_alone_is_neither_in_the_commit_nor_in_the_file(repo, tmp_path):
    os.mkdir(os.path.join(repo, "sub"))
    assert not git.is_staged_alone(repo)
    write(repo, "*.txt", "new\n")
    run(repo, "add", "--", "*.txt")
    write(repo, "readme.txt", "changed\n")
    assert not git.is_staged_alone(repo)
    write(repo, "*.txt", "newer\n")
    assert git.is_staged_alone(os.path.join(repo, "sub"))
    os.remove(os.path.join(repo, "*.txt"))
    assert git.is_staged_alone(repo)
    run(repo, "commit", "-qm", "more")
    assert not git.is_staged_alone(repo)
    assert git.is_staged_alone(str(tmp_path))


def test_a_conflict_has_nothing_staged_that_is_in_no_commit(repo):
    run(repo, "checkout", "-qb", "side")
    write(repo, "readme.txt", "theirs\n")
    run(repo, "commit", "-qam", "theirs")
    run(repo, "checkout", "-q", "-")
    write(repo, "readme.txt", "ours\n")
    run(repo, "commit", "-qam", "ours")
    assert git.ask(repo, "-c", "user.name=t", "-c", "user.email=t@t", "merge", "side") is None
    assert not git.is_staged_alone(repo)


def test_what_is_tracked_is_not_ignored(repo):
    write(repo, ".gitignore", "build/\n*.log\n")
    write(repo, "kept.log", "x")
    run(repo, "add", "-f", "kept.log")
    assert git.is_ignored(repo, "build")
    assert git.is_ignored(repo, "other.log")
    assert not git.is_ignored(repo, "kept.log")
    assert not git.is_ignored(repo, "readme.txt")
