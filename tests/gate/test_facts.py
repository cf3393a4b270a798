"""Facts about this machine: what exists is reported, what does not is None, and nothing raises."""

from __future__ import annotations

import os
import subprocess

import pytest
from tests import repository as repositories
from tests.hosting import write

from operators_edge.gate.facts import QuickFacts, SystemFacts, place
from operators_edge.system import installation

FACTS = SystemFacts()


def git(folder, *words):
    options = (
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.com",
        "-c",
        "init.defaultBranch=main",
    )
    subprocess.run(["git", *options, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init")
    git(folder, "commit", "--allow-empty", "-m", "first")
    return folder


def test_the_size_is_that_of_a_regular_file_only(tmp_path):
    (tmp_path / "x").write_bytes(b"four")
    assert FACTS.size(str(tmp_path / "x")) == 4
    assert FACTS.size(str(tmp_path)) is None
    assert FACTS.size(str(tmp_path / "none")) is None
    assert FACTS.size("a\0b") is None


def test_a_text_is_cut_at_the_limit_and_keeps_what_is_no_utf8(tmp_path):
    (tmp_path / "x").write_text("grüße", encoding="utf-8")
    (tmp_path / "b").write_bytes(b"\xff\xfe\x00")
    assert FACTS.text(str(tmp_path / "x"), 3) == "grü"
    assert FACTS.text(str(tmp_path / "b"), 10) == "\udcff\udcfe\0"
    os.mkfifo(tmp_path / "pipe")
    assert FACTS.text(str(tmp_path / "pipe"), 10) is None
    assert FACTS.text(str(tmp_path / "none"), 10) is None


def test_the_branch_is_found_from_a_folder_below_and_in_a_worktree(repository, tmp_path):
    below = repository / "a" / "b"
    below.mkdir(parents=True)
    git(repository, "worktree", "add", "-b", "topic/x", str(tmp_path / "tree"))
    assert FACTS.branch(str(below)) == "main"
    assert FACTS.branch(str(tmp_path / "tree")) == "topic/x"


def test_a_detached_head_and_a_folder_without_repository_have_no_branch(repository, tmp_path):
    git(repository, "checkout", "--detach")
    assert FACTS.branch(str(repository)) is None
    assert FACTS.branch(str(tmp_path)) is None


def test_a_broken_git_file_is_no_branch_and_no_error(tmp_path):
    (tmp_path / ".git").write_bytes(b"\xff nonsense")
    assert FACTS.branch(str(tmp_path)) is None


def test_a_link_is_followed(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert FACTS.real(str(tmp_path / "link" / "new")) == str((tmp_path / "real" / "new").resolve())


def test_a_head_counts_as_published_while_a_remote_branch_is_known_to_have_it(repository, tmp_path):
    assert not FACTS.is_published(str(repository))
    git(tmp_path, "clone", "-q", "repository", "copy")
    copy = tmp_path / "copy"
    assert FACTS.is_published(str(copy))
    git(copy, "commit", "--allow-empty", "-m", "second")
    assert not FACTS.is_published(str(copy))
    git(copy, "push", "-q", "origin", "HEAD:refs/heads/topic")
    assert FACTS.is_published(str(copy))


def test_a_published_head_is_seen_detached_packed_and_from_a_worktree(repository, tmp_path):
    git(tmp_path, "clone", "-q", "repository", "copy")
    copy = tmp_path / "copy"
    git(copy, "pack-refs", "--all")
    assert FACTS.is_published(str(copy))
    git(copy, "worktree", "add", "-b", "topic", str(tmp_path / "tree"))
    assert FACTS.is_published(str(tmp_path / "tree"))
    git(copy, "checkout", "--detach")
    assert FACTS.is_published(str(copy))


def test_a_folder_without_repository_publishes_nothing(tmp_path):
    assert not FACTS.is_published(str(tmp_path))


def test_what_the_client_runs_in_is_known_from_its_environment(tmp_path):
    env = {"HOME": str(tmp_path), "TMUX": "/tmp/tmux-0/work,42,0", "STY": "", "CLAUDE_PID": "7"}
    found = place(None, env)
    assert ("tmux", "/tmp/tmux-0/work") in found.terminals
    assert "screen" not in dict(found.terminals)
    assert found.client_pid == "7"


def test_a_copy_of_a_program_that_the_person_installed_is_known(tmp_path, monkeypatch):
    programs = tmp_path / "bin"
    programs.mkdir()
    large = b"\x7fELF" + bytes(range(256)) * 12_000  # more than one sample
    for name, data in (("claude", large), ("claude-2", b"\x7fELF"), ("notes", b"claude")):
        (programs / name).write_bytes(data)
    monkeypatch.setenv("PATH", f"{programs}:relative")
    names = frozenset(("claude", "claude-2"))

    def copied(data, mode=0o755):
        path = tmp_path / f"copy-{len(list(tmp_path.iterdir()))}"
        path.write_bytes(data)
        path.chmod(mode)
        return SystemFacts().copied_program(str(path), names)

    assert copied(large) == "claude"
    assert copied(large, 0o644) is None
    assert copied(large[:-1] + b"x") is None
    assert copied(large + b"x") is None
    assert copied(b"claude") is None
    assert SystemFacts().copied_program(str(tmp_path), names) is None
    assert SystemFacts().copied_program(str(tmp_path / "gone"), names) is None


def test_the_names_of_a_file_are_counted(tmp_path):
    (tmp_path / "x").write_text("a")
    assert FACTS.link_count(str(tmp_path / "x")) == 1
    os.link(tmp_path / "x", tmp_path / "y")
    assert FACTS.link_count(str(tmp_path / "y")) == 2
    assert FACTS.link_count(str(tmp_path)) is None
    assert FACTS.link_count(str(tmp_path / "none")) is None


def test_a_file_is_executable_if_anyone_may_execute_it(tmp_path):
    (tmp_path / "x").write_text("a")
    (tmp_path / "x").chmod(0o644)
    assert FACTS.is_executable(str(tmp_path / "x")) is False
    (tmp_path / "x").chmod(0o654)
    assert FACTS.is_executable(str(tmp_path / "x")) is True
    assert FACTS.is_executable(str(tmp_path)) is None
    assert FACTS.is_executable(str(tmp_path / "none")) is None


def test_of_an_environment_in_the_project_what_hooks_run_is_protected(tmp_path):
    ours = installation.current()
    inside = place(os.path.dirname(ours.environment), {"HOME": str(tmp_path)})
    assert inside.is_shared
    assert ours.environment not in inside.own
    for name in (ours.package, *ours.parts, os.path.join(ours.library, "ruamel")):
        assert name in inside.own
    assert os.path.join(ours.library, "pytest") not in inside.own


def test_a_process_that_others_wait_for_knows_that_nothing_is_staged_and_leaves_the_rest(tmp_path):
    root = repositories.make(tmp_path / "work")
    clear, staged, absent = QuickFacts(), QuickFacts(), QuickFacts()
    assert clear.is_staged_alone(root) is False
    assert absent.is_staged_alone(os.path.join(root, "absent")) is None
    write(root, "new.txt", "new\n")
    git(root, "add", "new.txt")
    assert staged.is_staged_alone(root) is None
    assert SystemFacts().is_staged_alone(root) is False
    os.remove(os.path.join(root, "new.txt"))
    assert SystemFacts().is_staged_alone(root) is True
    assert [each.is_incomplete for each in (clear, staged, absent)] == [False, True, True]


def test_without_a_repository_nothing_is_ignored_or_committed_there(tmp_path):
    (tmp_path / "build").mkdir()
    inside, outside = QuickFacts(), SystemFacts()
    assert inside.is_staged_alone(str(tmp_path)) is None
    assert not inside.is_incomplete
    build = str(tmp_path / "build")
    assert outside.is_regenerable(build, str(tmp_path)) is False
    assert outside.is_ignored(build, str(tmp_path)) is False
    assert outside.is_established(build, str(tmp_path)) is False


def test_a_repository_is_found_through_a_link(tmp_path):
    root = repositories.make(tmp_path / "work")
    write(root, "sub/run.sh", "echo\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", "two")
    os.symlink(os.path.join(root, "sub"), tmp_path / "link")
    assert SystemFacts().is_established(str(tmp_path / "link" / "run.sh"), root) is True
