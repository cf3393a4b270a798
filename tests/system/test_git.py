import os

import pytest
from tests.hosting import git as run
from tests.hosting import write

from operators_edge.system import git


def since(root, before):
    now = git.look(root)
    assert now is not None
    return git.changed(root, before, now)


@pytest.fixture
def before(repo):
    write(repo, "mine.txt", "a person's unfinished work\n")
    tree = git.look(repo)
    assert tree is not None
    return tree


def test_nothing_done_is_nothing_changed(repo, before):
    assert since(repo, before) == []


def test_files_that_no_tool_named_are_seen_and_a_persons_own_earlier_work_is_not(repo, before):
    write(repo, "readme.txt", "formatted\n")
    write(repo, "gen/ä new name.py", "x = 1\n")
    assert since(repo, before) == ["gen/ä new name.py", "readme.txt"]


def test_work_that_is_committed_meanwhile_still_counts(repo, before):
    write(repo, "a.py", "x = 1\n")
    run(repo, "add", "a.py")
    run(repo, "commit", "-qm", "more")
    assert since(repo, before) == ["a.py"]


def test_committing_what_was_there_before_changes_no_file(repo, before):
    run(repo, "add", "mine.txt")
    run(repo, "commit", "-qm", "mine")
    assert since(repo, before) == []


def test_a_deleted_and_a_restored_file_have_changed(repo, before):
    os.remove(os.path.join(repo, "mine.txt"))
    os.remove(os.path.join(repo, "readme.txt"))
    assert since(repo, before) == ["mine.txt", "readme.txt"]


def test_a_project_below_the_repositorys_top_sees_its_own_part(repo):
    write(repo, "sub/a.py", "x\n")
    sub = os.path.join(repo, "sub")
    tree = git.look(sub)
    assert tree is not None
    write(repo, "sub/b.py", "x\n")
    write(repo, "outside.py", "x\n")
    assert since(sub, tree) == ["b.py"]


def test_outside_of_a_repository_git_has_nothing_to_say(tmp_path):
    assert git.look(str(tmp_path)) is None


def test_a_repositorys_own_programs_are_not_run(repo):
    mark = os.path.join(repo, "..", "ran")
    run(repo, "config", "core.fsmonitor", f"touch {mark};")
    git.look(repo)
    assert not os.path.exists(mark)


def test_a_tree_survives_the_log(repo, before):
    assert git.Tree.of_data(before.as_data()) == before
    assert git.Tree.of_data({"cut": "…"}) is None
    assert git.Tree.of_data(None) is None


def test_texts_are_those_of_the_commit_whatever_lies_on_the_disk(repo):
    write(repo, "sub/ä b.txt", "two\nlines\n")
    write(repo, "long.txt", "x" * 99)
    run(repo, "add", ".")
    run(repo, "commit", "-qm", "more")
    tree = git.look(repo)
    assert tree is not None
    write(repo, "readme.txt", "changed\n")
    os.remove(os.path.join(repo, "sub", "ä b.txt"))
    paths = ["readme.txt", "none.txt", "sub/ä b.txt", "long.txt", "sub", "odd\nname"]
    found = git.texts(repo, tree.head, paths, limit=50)
    assert found == {"readme.txt": "hello\n", "none.txt": None, "sub/ä b.txt": "two\nlines\n"}
    below = git.texts(os.path.join(repo, "sub"), tree.head, ["ä b.txt"], limit=50)
    assert below == {"ä b.txt": "two\nlines\n"}


def test_before_the_first_commit_there_were_no_texts(tmp_path):
    assert git.texts(str(tmp_path), "", ["a"], limit=9) == {"a": None}
    assert git.texts(str(tmp_path), "0" * 40, ["a"], limit=9) is None
