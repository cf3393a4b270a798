import os
import subprocess

import pytest

from operators_edge.hosts.claude import environment as claude_environment


def git(root, *words):
    name = ["-c", "user.name=n", "-c", "user.email=e@example.invalid"]
    more = ["-c", "protocol.file.allow=always"]
    subprocess.run(["git", *name, *more, *words], cwd=root, check=True, capture_output=True)


def client(folder, script):
    program = folder / "claude"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return {"PATH": f"{folder}{os.pathsep}/bin{os.pathsep}/usr/bin"}


@pytest.mark.parametrize(
    ("script", "version"),
    [
        ("echo '2.1.329 (Claude Code)'", (2, 1, 329)),
        ("echo soon", None),
        ("exit 1", None),
    ],
)
def test_the_client_says_its_version_or_it_is_unknown(tmp_path, script, version):
    assert claude_environment.client_version(client(tmp_path, script)) == version


def test_without_a_client_its_version_is_unknown(tmp_path):
    assert claude_environment.client_version({"PATH": str(tmp_path)}) is None
    assert claude_environment.client_version({"EDGE_CLAUDE": str(tmp_path / "none")}) is None


def test_the_exclude_file_of_a_folder_in_a_repository_knows_its_place(repo):
    inner = os.path.join(repo, "a b")
    os.mkdir(inner)
    found = claude_environment.exclude_file(inner)
    assert found == claude_environment.Exclude(
        os.path.join(repo, ".git", "info", "exclude"), "a b/"
    )


def test_a_work_tree_shares_the_exclude_file_of_its_repository(repo, tmp_path):
    tree = str(tmp_path / "tree")
    git(repo, "worktree", "add", "-q", tree)
    assert claude_environment.exclude_file(tree).path == os.path.join(
        repo, ".git", "info", "exclude"
    )


def test_a_submodule_has_its_own_exclude_file(repo, tmp_path):
    outer = str(tmp_path / "outer")
    git(str(tmp_path), "init", "-q", outer)
    git(outer, "submodule", "add", "-q", repo, "inner")
    found = claude_environment.exclude_file(os.path.join(outer, "inner"))
    assert found.path == os.path.join(outer, ".git", "modules", "inner", "info", "exclude")


def test_the_environment_of_a_surrounding_git_does_not_answer_for_another_repository(
    repo, monkeypatch
):
    monkeypatch.setenv("GIT_DIR", "/elsewhere/.git")
    assert claude_environment.exclude_file(repo).path == os.path.join(
        repo, ".git", "info", "exclude"
    )


def test_no_repository_and_no_git_are_told_apart(tmp_path, monkeypatch):
    why = claude_environment.exclude_file(str(tmp_path)).why
    assert why == "this is not a git repository"
    monkeypatch.setenv("PATH", "/nowhere")
    found = claude_environment.exclude_file(str(tmp_path))
    assert (found.path, found.why) == ("", "git could not be run: No such file or directory")
