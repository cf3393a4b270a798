import os

import pytest
from tests.hosting import git as run, write

from operators_edge.git import worktree


def seen(root):
    found = worktree.tree_state(root)
    assert isinstance(found, worktree.TreeState), found
    return found


def since(root, before):
    return worktree.changed(root, before, seen(root))


def commit(root, *words):
    run(root, "add", "-A")
    run(root, "commit", "-qm", "more", *words)


def remove(root, name):
    os.remove(os.path.join(root, name))


@pytest.fixture
def before(repo):
    write(repo, "mine.txt", "a person's unfinished work\n")
    return seen(repo)


def test_nothing_done_is_the_same_tree(repo, before):
    assert seen(repo) == before
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


def test_a_deleted_file_has_changed(repo, before):
    remove(repo, "mine.txt")
    remove(repo, "readme.txt")
    assert since(repo, before) == ["mine.txt", "readme.txt"]


def touched(root):
    for name in ("mine.txt", "readme.txt"):
        os.utime(os.path.join(root, name), (1, 1))


def edited_and_taken_back(root):
    write(root, "readme.txt", "other\n")
    write(root, "readme.txt", "hello\n")
    write(root, "new.txt", "new\n")
    remove(root, "new.txt")


def checked_out_and_back(root):
    run(root, "checkout", "-qb", "other")
    write(root, "readme.txt", "other\n")
    run(root, "commit", "-qam", "other")
    run(root, "checkout", "-q", "main")


def stashed_and_popped(root):
    write(root, "readme.txt", "hello\n")
    run(root, "stash", "-u")
    run(root, "stash", "pop", "-q")


def staged(root):
    run(root, "add", "-A")


def staged_and_taken_back_on_the_disk_alone(root):
    write(root, "readme.txt", "other\n")
    run(root, "add", "readme.txt")
    write(root, "readme.txt", "hello\n")


def untracked_and_still_there(root):
    run(root, "rm", "-q", "--cached", "readme.txt")


def announced_to_git(root):
    run(root, "add", "-N", "mine.txt")


@pytest.mark.parametrize(
    "act",
    [
        touched,
        edited_and_taken_back,
        checked_out_and_back,
        stashed_and_popped,
        staged,
        staged_and_taken_back_on_the_disk_alone,
        untracked_and_still_there,
        announced_to_git,
    ],
)
def test_what_leaves_every_content_as_it_was_is_the_same_tree(repo, before, act):
    act(repo)
    assert seen(repo).digest == before.digest
    assert since(repo, before) == []


def committed(root):
    commit(root)


def committed_and_reworded(root):
    commit(root)
    run(root, "commit", "-q", "--amend", "-m", "better words")


def committed_and_taken_back(root):
    commit(root)
    run(root, "reset", "-q", "--soft", "HEAD~1")


def rebased_onto_the_same_content(root):
    commit(root)
    run(root, "checkout", "-q", "--orphan", "fresh")
    run(root, "commit", "-qm", "all anew")


def untracked_by_a_commit_and_left_where_it_is(root):
    run(root, "rm", "-q", "--cached", "readme.txt")
    run(root, "commit", "-qm", "not in git any more")


@pytest.mark.parametrize(
    "act",
    [
        committed,
        committed_and_reworded,
        committed_and_taken_back,
        rebased_onto_the_same_content,
        untracked_by_a_commit_and_left_where_it_is,
    ],
)
def test_what_git_alone_does_changes_no_file(repo, before, act):
    act(repo)
    assert since(repo, before) == []


def test_work_in_a_stash_is_missing_until_it_is_popped(repo, before):
    run(repo, "stash", "-u")
    assert since(repo, before) == ["mine.txt"]
    run(repo, "stash", "pop", "-q")
    assert since(repo, before) == []


def test_a_commit_of_something_else_than_there_was_is_a_change(repo, before):
    write(repo, "mine.txt", "finished\n")
    commit(repo)
    assert since(repo, before) == ["mine.txt"]
    write(repo, "mine.txt", "a person's unfinished work\n")
    assert since(repo, before) == []


def test_the_executable_bit_and_where_a_link_leads_count(repo):
    os.symlink("readme.txt", os.path.join(repo, "link"))
    write(repo, "run.sh", "exit\n")
    commit(repo)
    write(repo, "new.sh", "exit\n")
    before = seen(repo)
    for name in ("run.sh", "new.sh"):
        os.chmod(os.path.join(repo, name), 0o700)
    remove(repo, "link")
    os.symlink("elsewhere", os.path.join(repo, "link"))
    assert since(repo, before) == ["link", "new.sh", "run.sh"]
    again = seen(repo)
    commit(repo)
    assert since(repo, again) == []


def test_a_file_that_becomes_a_folder_has_changed(repo):
    before = seen(repo)
    remove(repo, "readme.txt")
    write(repo, "readme.txt/inside.txt", "x\n")
    assert since(repo, before) == ["readme.txt", "readme.txt/inside.txt"]


def test_ignored_files_and_the_products_own_never_count(repo):
    write(repo, ".gitignore", "build/\n")
    commit(repo)
    before = seen(repo)
    for name in ("build/x.o", ".proof/log", "active_context.yaml", ".ai-handoff/task.json"):
        write(repo, name, "x\n")
    assert since(repo, before) == []
    run(repo, "add", "-f", ".proof/log", "active_context.yaml")
    run(repo, "commit", "-qm", "a team may track them")
    write(repo, "active_context.yaml", "y\n")
    assert since(repo, before) == []


def test_a_tracked_file_counts_although_it_would_be_ignored(repo):
    write(repo, "build/x.o", "x\n")
    write(repo, ".gitignore", "build/\n")
    run(repo, "add", "-f", ".gitignore", "build/x.o")
    before = seen(repo)
    write(repo, "build/x.o", "y\n")
    assert since(repo, before) == ["build/x.o"]


def test_a_project_below_the_repositorys_top_sees_its_own_part(repo):
    write(repo, "sub/a.py", "x\n")
    sub = os.path.join(repo, "sub")
    before = seen(sub)
    write(repo, "sub/b.py", "x\n")
    write(repo, "sub/active_context.yaml", "x\n")
    write(repo, "outside.py", "x\n")
    assert since(sub, before) == ["b.py"]
    commit(repo)
    assert since(sub, before) == ["b.py"]
    now = seen(sub)
    write(repo, "outside.py", "y\n")
    commit(repo)
    assert seen(sub).digest == now.digest


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_before_the_first_commit_every_file_counts_and_committing_them_changes_none(tmp_path, form):
    root = str(tmp_path)
    run(root, "init", "-q", f"--object-format={form}")
    write(root, "a", "x\n")
    before = seen(root)
    assert (before.head, before.tree, list(before.differs or ())) == ("", "", ["a"])
    commit(root)
    assert since(root, before) == []
    now = seen(root)
    assert (len(now.head), now.differs) == ({"sha1": 40, "sha256": 64}[form], {})
    write(root, "a", "y\n")
    assert since(root, now) == ["a"]


def test_names_of_any_bytes_are_names(repo):
    odd = os.fsencode(repo) + b'/\xff \xc3\xa4\n\t"quoted".py'
    with open(odd, "wb") as file:
        file.write(b"x")
    found = seen(repo)
    assert [os.fsencode(name) for name in found.differs or ()] == [os.path.basename(odd)]
    assert worktree.TreeState.of_data(found.as_data()) == found
    commit(repo)
    assert since(repo, found) == []


@pytest.mark.parametrize("setting", ["core.autocrlf=true", "filter.turn.clean=tr a-z A-Z"])
def test_a_file_that_git_stores_in_another_form_is_compared_as_it_is_on_the_disk(
    repo, fenced, setting
):
    key, value = setting.split("=")
    run(repo, "config", "--global", key, value)
    write(repo, ".gitattributes", "*.up filter=turn\n*.crlf text\n")
    for name in ("a.up", "b.crlf"):
        write(repo, name, "one\r\ntwo\r\n")
    before = seen(repo)
    commit(repo)
    assert since(repo, before) == []
    now = seen(repo)
    assert now.differs == {}
    os.utime(os.path.join(repo, "a.up"), (1, 1))
    os.utime(os.path.join(repo, "b.crlf"), (1, 1))
    assert since(repo, now) == []
    write(repo, "b.crlf", "one\r\nthree\r\n")
    assert since(repo, now) == ["b.crlf"]
    assert since(repo, before) == ["b.crlf"]


def test_a_repositorys_own_programs_are_not_run(repo):
    mark = os.path.join(repo, "..", "ran")
    write(repo, ".gitattributes", "* filter=own\n")
    commit(repo)
    run(repo, "config", "core.fsmonitor", f"touch {mark};")
    run(repo, "config", "filter.own.clean", f"touch {mark}; cat")
    run(repo, "config", "filter.own.process", f"touch {mark}")
    run(repo, "config", "filter.own.required", "true")
    os.utime(os.path.join(repo, "readme.txt"), (1, 1))
    assert seen(repo).differs == {}
    assert not os.path.exists(mark)


def test_nothing_is_written_into_the_repository(repo):
    os.utime(os.path.join(repo, "readme.txt"), (1, 1))
    index = os.path.join(repo, ".git", "index")
    with open(index, "rb") as file:
        bytes_before = file.read()
    seen(repo)
    with open(index, "rb") as file:
        assert file.read() == bytes_before


# -- repositories inside ---------------------------------------------------------------------------


def nested(repo, name="inner"):
    inner = os.path.join(repo, name)
    os.mkdir(inner)
    run(inner, "init", "-q")
    write(inner, "a.txt", "x\n")
    commit(inner)
    return inner


def test_a_repository_inside_counts_by_its_commit_and_by_what_differs_in_it(repo):
    inner = nested(repo)
    before = seen(repo)
    write(inner, "a.txt", "y\n")
    assert since(repo, before) == ["inner"]
    dirty = seen(repo)
    write(inner, "a.txt", "z\n")
    assert since(repo, dirty) == ["inner"]
    write(inner, "a.txt", "x\n")
    assert since(repo, before) == []


def test_a_submodule_counts_by_its_commit_and_by_what_differs_in_it(repo, tmp_path):
    source = nested(str(tmp_path), "source")
    run(repo, "-c", "protocol.file.allow=always", "submodule", "add", "-q", source, "sub")
    commit(repo)
    before = seen(repo)
    assert before.differs == {}
    inner = os.path.join(repo, "sub")
    write(inner, "a.txt", "y\n")
    assert since(repo, before) == ["sub"]
    run(repo, "config", "submodule.sub.ignore", "all")
    assert since(repo, before) == ["sub"]
    commit(inner)
    moved = seen(repo)
    assert since(repo, before) == ["sub"]
    run(repo, "config", "submodule.sub.ignore", "none")
    commit(repo)
    assert since(repo, moved) == []


def test_another_worktree_of_the_repository_is_not_part_of_the_tree(repo):
    before = seen(repo)
    run(repo, "worktree", "add", "-q", "-b", "side", "trees/side")
    side = os.path.join(repo, "trees", "side")
    write(side, "readme.txt", "other\n")
    assert seen(repo).digest == before.digest
    assert seen(side).differs is not None
    assert list(seen(side).differs) == ["readme.txt"]


# -- where the state is unknown ----------------------------------------------------------------------


def why(root, **given):
    found = worktree.tree_state(root, **given)
    assert isinstance(found, worktree.UnknownTreeState), found
    return found.why


def test_outside_of_a_repository_there_is_a_reason_instead_of_a_state(tmp_path, repo):
    assert "not a git repository" in why(str(tmp_path))
    assert "work tree" in why(os.path.join(repo, ".git"))
    assert "No such file" in why(os.path.join(repo, "gone"))


def test_a_damaged_repository_is_not_an_unchanged_one(repo):
    with open(os.path.join(repo, ".git", "index"), "wb") as file:
        file.write(b"DIRC, but no more")
    assert "index" in why(repo)


def test_git_that_takes_too_long_is_not_an_unchanged_tree(repo):
    assert "longer than 0 seconds" in why(repo, seconds=0)


def test_too_many_differing_files_are_not_compared(repo, monkeypatch):
    monkeypatch.setattr(worktree, "MAX_FILES", 3)
    for number in range(4):
        write(repo, f"{number}.txt", "x")
    assert "more than 3 files" in why(repo)


def test_thousands_of_differing_files_are_compared_by_content(repo):
    for number in range(1_200):
        write(repo, f"{number % 7}/{number}.txt", f"{number}\n")
    before = seen(repo)
    assert before.differing == 1_200
    write(repo, "3/3.txt", "other\n")
    assert since(repo, before) == ["3/3.txt"]


def test_lost_paths_are_not_an_unchanged_tree(repo, before):
    lost = before._replace(differs=None)
    assert since(repo, lost) == []
    write(repo, "a.txt", "x")
    assert since(repo, lost) is None
    assert worktree.changed(repo, seen(repo), lost) is None


def test_a_tree_that_git_no_longer_has_is_not_an_unchanged_one(repo, before):
    gone = before._replace(tree="1" * 40, digest="another")
    assert since(repo, gone) is None


# -- as data ---------------------------------------------------------------------------------------


def test_a_state_survives_the_log(before):
    assert worktree.TreeState.of_data(before.as_data()) == before
    for other in (None, [], {"cut": "…"}, {"head": "", "differs": {}}, {"digest": 1}):
        assert worktree.TreeState.of_data(other) is None


def test_shortened_paths_are_unknown(before):
    data = before.as_data()
    for differs in ({}, {**data["differs"], "…": 3}, None, {"mine.txt": "[REDACTED]"}):
        assert worktree.TreeState.of_data({**data, "differs": differs}) == before._replace(
            differs=None
        )
