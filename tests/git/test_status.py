import os
import shutil
import subprocess

import pytest
from tests.hosting import git as run, write

from operators_edge.git.commands import Budget
from operators_edge.git.status import _may_set, _own_settings, _plain_checkout, status


def reported(root):
    return status(root, Budget(9)).files


def test_what_differs_is_reported_with_its_value_in_the_commit(repo):
    assert reported(repo) == {}
    write(repo, "readme.txt", "other\n")
    write(repo, "new.txt", "x\n")
    words = ["git", "rev-parse", "HEAD:readme.txt"]
    asked = subprocess.run(words, cwd=repo, capture_output=True, text=True, check=True)
    found = reported(repo)
    assert {path: file.head for path, file in found.items()} == {
        "readme.txt": asked.stdout.strip(),
        "new.txt": "",
    }


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
@pytest.mark.parametrize("is_gone", [False, True])
def test_files_that_git_treats_as_unchanged_are_reported(repo, flag, is_gone):
    run(repo, "update-index", flag, "readme.txt")
    assert reported(repo)["readme.txt"].head
    path = write(repo, "readme.txt", "hidden\n")
    if is_gone:
        os.remove(path)
    assert list(reported(repo)) == ["readme.txt"]


def test_settings_that_hide_a_change_are_not_followed(repo):
    path = os.path.join(repo, "readme.txt")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    run(repo, "update-index", "--refresh")
    run(repo, "config", "core.trustctime", "false")
    run(repo, "config", "core.checkStat", "minimal")
    other = write(repo, ".git/other", "hullo\n")
    os.utime(other, (1_000_000_000, 1_000_000_000))
    os.replace(other, path)
    seen_by_git = subprocess.run(["git", "status", "-s"], cwd=repo, capture_output=True, check=True)
    assert seen_by_git.stdout == b""
    assert list(reported(repo)) == ["readme.txt"]


def test_what_a_sparse_checkout_leaves_out_is_not_gone(repo):
    write(repo, "in/a.txt", "x\n")
    write(repo, "out/b.txt", "x\n")
    run(repo, "add", "-A")
    run(repo, "commit", "-qm", "more")
    run(repo, "sparse-checkout", "set", "in")
    assert not os.path.exists(os.path.join(repo, "out"))
    assert reported(repo) == {}
    write(repo, "out/b.txt", "other\n")
    assert list(reported(repo)) == ["out/b.txt"]


def test_a_conflict_is_reported(repo):
    run(repo, "checkout", "-qb", "other")
    write(repo, "readme.txt", "one\n")
    run(repo, "commit", "-qam", "one")
    run(repo, "checkout", "-q", "main")
    write(repo, "readme.txt", "two\n")
    run(repo, "commit", "-qam", "two")
    with pytest.raises(subprocess.CalledProcessError):
        run(repo, "merge", "-q", "other")
    assert list(reported(repo)) == ["readme.txt"]


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("", False),
        ('[filter "x"]\n\tclean = sed s/a/b/\n', True),
        ("[core]\n\tsparseCheckout = true\n", True),
        ("[include]\n\tpath = other\n", True),
        ("[extensions]\n\tworktreeConfig = true\n", True),
    ],
)
def test_git_is_asked_for_filters_unless_its_configuration_has_none(repo, text, is_asked):
    with open(os.path.join(repo, ".git", "config"), "a", encoding="utf-8") as file:
        file.write(text)
    assert _may_set(_own_settings(repo)) is is_asked


def test_git_is_asked_in_a_part_of_a_repository_and_with_a_worktrees_own_configuration(repo):
    os.makedirs(os.path.join(repo, "part"))
    assert _own_settings(os.path.join(repo, "part")) is None
    with open(os.path.join(repo, ".git", "config.worktree"), "w", encoding="utf-8") as file:
        file.write("")
    assert _own_settings(repo) is None
    assert _may_set(None)


def checkout(root):
    return status(root, Budget(9)).checkout


def told_by_git(repo):
    """The checkout as git tells it: a setting that could be one of a filter has it asked."""
    run(repo, "config", "filterless.none", "1")
    found = checkout(repo)
    run(repo, "config", "--unset", "filterless.none")
    return found


def test_an_ordinary_clone_is_read_from_its_files_as_git_tells_it(repo, tmp_path):
    path = os.path.join(repo, ".git", "config")
    with open(path, encoding="utf-8") as file:
        settings = file.read().lower()
    assert _plain_checkout(repo, settings) == told_by_git(repo) == checkout(repo)
    link = str(tmp_path / "link")
    os.symlink(repo, link)
    assert _plain_checkout(link, settings) == told_by_git(link)
    run(repo, "checkout", "-q", "--detach")
    assert _plain_checkout(repo, settings) == told_by_git(repo)


@pytest.mark.parametrize(
    "words",
    [
        ("config", "core.bare", "yes"),
        ("config", "core.worktree", "elsewhere"),
        ("config", "extensions.partialClone", "origin"),
        ("replace", "HEAD", "HEAD^"),
        ("gc", "-q"),
        ("pack-refs", "--all"),
    ],
)
def test_what_the_files_do_not_tell_plainly_is_asked(repo, words):
    write(repo, "readme.txt", "second\n")
    run(repo, "commit", "-qam", "second")
    run(repo, *words)
    settings = _own_settings(repo)
    known = _plain_checkout(repo, settings)
    assert known is None or (words[0] == "pack-refs" and known == told_by_git(repo))


def test_before_the_first_commit_git_is_asked(tmp_path):
    run(str(tmp_path), "init", "-q")
    assert _plain_checkout(str(tmp_path), _own_settings(str(tmp_path))) is None
    assert checkout(str(tmp_path)).head == ""


def test_a_commit_whose_file_holds_another_one_is_read_from_its_pack(repo):
    write(repo, "readme.txt", "other\n")
    run(repo, "commit", "-qam", "other")
    ids = subprocess.run(
        ["git", "rev-parse", "HEAD", "HEAD~1", "HEAD^{tree}"],
        cwd=repo,
        capture_output=True,
        text=True,
        check=True,
    )
    commit, before, tree = ids.stdout.split()
    run(repo, "repack", "-qa")
    paths = [os.path.join(repo, ".git/objects", one[:2], one[2:]) for one in (before, commit)]
    os.unlink(paths[1])
    os.link(*paths)
    assert status(repo, Budget(9)).checkout.tree == tree


def test_a_folder_that_git_takes_for_no_repository_is_part_of_the_one_around_it(repo):
    write(repo, "in/a.txt", "x\n")
    run(repo, "add", "-A")
    run(repo, "commit", "-qm", "more")
    inner = os.path.join(repo, "in")
    shutil.copytree(os.path.join(repo, ".git"), os.path.join(inner, ".git"))
    run(inner, "pack-refs", "--all")
    shutil.rmtree(os.path.join(inner, ".git/refs"))
    assert status(inner, Budget(9)).checkout.prefix == "in/"
