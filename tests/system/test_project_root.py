import os
import shutil
import subprocess

from tests.hosting import write

from operators_edge.system import project_root


def test_the_nearest_state_file_names_the_project(tmp_path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "active_context.yaml").write_text("objective: outer\n")
    (tmp_path / "a" / "active_context.yaml").write_text("objective: inner\n")
    found = project_root.find(str(inner))
    assert (found.root, found.is_set_up) == (str(tmp_path / "a"), True)


def test_without_a_state_file_the_repository_is_the_project_but_not_set_up(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    found = project_root.find(str(tmp_path / "src"))
    assert (found.root, found.is_set_up) == (str(tmp_path), False)


def test_a_worktree_whose_git_is_a_file_is_a_project_of_its_own(tmp_path):
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / ".git").write_text("gitdir: /elsewhere\n")
    assert project_root.find(str(tree)).root == str(tree)


def test_a_repository_below_somebody_elses_state_file_is_refused_with_the_reason(tmp_path):
    repository = tmp_path / "repo"
    (repository / ".git").mkdir(parents=True)
    (tmp_path / "active_context.yaml").write_text("objective: other\n")
    found = project_root.find(str(repository))
    assert found.root is None
    assert str(repository) in found.reason
    assert "edge init" in found.reason


def test_a_folder_in_no_project_says_what_was_looked_for(tmp_path):
    found = project_root.find(str(tmp_path))
    assert found.root is None
    assert "active_context.yaml" in found.reason


def test_symlinks_lead_to_the_real_project(tmp_path):
    real = tmp_path / "real name with spaces é"
    real.mkdir()
    (real / "active_context.yaml").write_text("objective: x\n")
    link = tmp_path / "link"
    link.symlink_to(real)
    assert project_root.find(str(link)).root == str(real)


def test_a_named_folder_that_is_missing_is_no_project(tmp_path):
    assert project_root.named(str(tmp_path / "nowhere")).root is None


def test_a_bound_project_that_was_moved_behind_a_link_is_where_the_link_leads(tmp_path):
    bound, moved = tmp_path / "a" / "project", tmp_path / "b" / "project"
    bound.mkdir(parents=True)
    (bound / "active_context.yaml").touch()
    (tmp_path / "a").rename(tmp_path / "b")
    assert project_root.of_event(str(bound), None, {}).root is None
    (tmp_path / "a").symlink_to("b")
    found = project_root.of_event(str(bound), None, {})
    assert (found.root, found.is_set_up) == (str(moved.resolve()), True)


def linked(repo, tmp_path):
    place = str(tmp_path / "linked")
    subprocess.run(["git", "-C", repo, "worktree", "add", "-q", place], check=True)
    return place


def test_the_main_tree_of_a_linked_worktree_is_known_if_it_has_the_project(repo, tmp_path):
    place = linked(repo, tmp_path)
    os.makedirs(f"{place}/sub")
    assert project_root.main_tree(place) is None
    write(repo, "active_context.yaml", "schema_version: 4\n")
    assert project_root.main_tree(place) == (os.path.realpath(repo), os.path.realpath(place))
    assert project_root.main_tree(f"{place}/sub") == project_root.main_tree(place)
    assert project_root.main_tree(repo) is None


def test_all_worktrees_lead_to_the_folder_that_they_share(repo, tmp_path):
    linked = str(tmp_path / "linked")
    subprocess.run(["git", "worktree", "add", "-q", linked], cwd=repo, check=True)
    folders = {
        os.path.realpath(project_root.shared_folder(project_root.git_folder(each)))
        for each in (str(repo), linked)
    }
    assert folders == {os.path.realpath(f"{repo}/.git")}
    assert project_root.shared_folder("") == ""


def test_a_pipe_in_the_place_of_a_file_of_gits_is_not_waited_for(repo):
    os.mkfifo(f"{repo}/.git/commondir")
    own = project_root.git_folder(str(repo))
    assert os.path.realpath(project_root.shared_folder(own)) == os.path.realpath(own)


def test_a_worktree_that_only_says_so_has_no_main_tree(repo, tmp_path):
    place = linked(repo, tmp_path)
    write(repo, "active_context.yaml", "schema_version: 4\n")
    false = tmp_path / "false"
    false.mkdir()
    shutil.copy(f"{place}/.git", false / ".git")
    assert project_root.main_tree(str(false)) is None
    (false / ".git").write_text("gitdir: /nowhere\n", encoding="utf-8")
    assert project_root.main_tree(str(false)) is None
