"""Which files are scanned, in real trees."""

import os
import shutil

import pytest
from tests.hosting import git, write
from tests.tables import for_each

from operators_edge.git.commands import Budget
from operators_edge.patrol.analysis import listing


def listed(root, seconds=10):
    return listing.listing(root, Budget(seconds))


@for_each(
    "path",
    [
        "active_context.yaml",
        "edge.toml",
        "sub/active_context.yaml",
        ".proof/session_log.py",
        ".ai-handoff/run.sh",
        ".claude/hooks/pre_tool.py",
        ".claude/commands/edge.md",
        "reports/edge_digest_2026-01-01.md",
        "reports/proof_2026-01-01.html",
        "web/node_modules/x/index.js",
        "vendor/lib/a.go",
        "web/app.min.js",
        "api/user_pb2.py",
        "api/user.pb.go",
        "package-lock.json",
        "pnpm-lock.yaml",
        "readme.md",
        "logo.png",
        "no_ending",
    ],
)
def test_own_and_third_party_and_generated_files_are_not_scanned(path):
    assert not listing.is_source(path)


@pytest.mark.parametrize(
    "path",
    [
        "a.py",
        "reports/views.py",
        "src/build.rs",
        "build/webpack.js",
        ".github/workflows/ci.yml",
        "Makefile",
        "docker/Dockerfile",
        "web/ünï cödé.ts",
    ],
)
def test_files_written_by_people_are_scanned(path):
    assert listing.is_source(path)


def test_git_says_what_is_ignored_and_new_files_count(repo):
    write(repo, ".gitignore", "secret.py\ngen/\n")
    for name in ("a.py", "secret.py", "gen/b.py", "sub/ö b.py"):
        write(repo, name, "x = 1\n")
    git(repo, "add", "a.py")
    assert listed(repo) == (("a.py", "sub/ö b.py"), (), True)


def test_what_is_ignored_further_down_or_on_this_machine_alone_is_ignored(repo):
    write(repo, "sub/.gitignore", "/own.py\n!kept.py\n")
    write(repo, ".gitignore", "kept.py\n")
    write(repo, ".git/info/exclude", "mine.py\n")
    for name in ("own.py", "sub/own.py", "sub/mine.py", "sub/kept.py", "kept.py"):
        write(repo, name, "x = 1\n")
    assert listed(repo) == (("own.py", "sub/kept.py"), (), True)


def test_a_worktree_lists_its_own_files_and_no_submodules(repo, tmp_path):
    git(repo, "commit", "--allow-empty", "-qm", "one")
    tree = str(tmp_path / "tree")
    git(repo, "worktree", "add", "-q", tree)
    write(repo, "a.py", "x = 1\n")
    write(tree, "b.py", "x = 1\n")
    os.makedirs(os.path.join(tree, "sub"))
    git(os.path.join(tree, "sub"), "init", "-q")
    write(tree, "sub/theirs.py", "x = 1\n")
    assert listed(repo).paths == ("a.py",)
    assert listed(tree) == (("b.py",), (), True)


@pytest.mark.skipif(os.name == "nt", reason="no such names")
def test_names_of_any_bytes_are_listed_and_only_files(repo):
    for name in (b"\xff.py", b"a\nb.py", b'"quoted".py'):
        with open(os.path.join(os.fsencode(repo), name), "wb") as file:
            file.write(b"x = 1\n")
    os.mkfifo(os.path.join(repo, "pipe.py"))
    os.symlink("loop.py", os.path.join(repo, "loop.py"))
    assert listed(repo) == (('"quoted".py', "a\nb.py", "\udcff.py"), (), True)


def test_a_file_that_git_knows_and_that_is_gone_is_left_out(repo):
    write(repo, "a.py", "x = 1\n")
    git(repo, "add", "a.py")
    os.remove(os.path.join(repo, "a.py"))
    assert listed(repo) == ((), (), True)


def test_attributes_of_the_repository_say_what_is_generated(repo):
    write(repo, ".gitattributes", "api/** linguist-generated\nlib/** linguist-vendored=true\n")
    for name in ("a.py", "api/x.py", "lib/y.py"):
        write(repo, name, "x = 1\n")
    assert listed(repo).paths == ("a.py",)


def test_links_are_not_followed(repo, tmp_path):
    outside = write(str(tmp_path), "outside.py", "x = 1\n")
    os.symlink(outside, os.path.join(repo, "link.py"))
    os.symlink(str(tmp_path), os.path.join(repo, "folder"))
    assert listed(repo).paths == ()


def test_a_part_of_a_repository_lists_its_own_files_by_its_own_names(repo):
    write(repo, "a.py", "x = 1\n")
    write(repo, "sub/b.py", "x = 1\n")
    assert listed(os.path.join(repo, "sub")).paths == ("b.py",)


def test_without_git_everything_but_output_is_listed_and_that_is_reported(tmp_path):
    for name in ("a.py", "sub/b.py", "target/c.rs", "node_modules/d.js", ".venv/e.py"):
        write(str(tmp_path), name, "x = 1\n")
    found = listed(str(tmp_path))
    assert found.paths == ("a.py", "sub/b.py")
    (why,) = found.skipped
    assert why.startswith(".gitignore is not honoured")
    assert found.is_whole


def test_a_damaged_repository_is_reported_and_never_treated_as_empty(repo):
    write(repo, "a.py", "x = 1\n")
    with open(os.path.join(repo, ".git", "index"), "wb") as file:
        file.write(b"broken")
    found = listed(repo)
    assert found.paths == ("a.py",)
    assert "git could not list the files" in found.skipped[0]


def test_a_huge_source_is_left_out_and_reported(repo):
    write(repo, "a.py", "x = 1\n")
    write(repo, "big.py", "x = 1\n" * 200_000)
    found = listed(repo)
    assert found.paths == ("a.py",)
    assert found.skipped == ("1 file of more than 1 MB was left out",)
    assert not found.is_whole


def test_a_reached_time_limit_is_reported(repo):
    write(repo, "a.py", "x = 1\n")
    found = listed(repo, seconds=0)
    assert "too long" in found.skipped[0]
    assert "the time limit was reached" in found.skipped[1]
    assert not found.is_whole


def test_without_any_git_on_the_machine_files_are_listed(repo, monkeypatch):
    assert shutil.which("git")
    write(repo, "a.py", "x = 1\n")
    monkeypatch.setenv("PATH", "")
    found = listed(repo)
    assert found.paths == ("a.py",)
    assert len(found.skipped) == 1
