"""A plain command of git is looked at if its repository's configuration may run something."""

import pytest

from operators_edge.config.effective import needs_judgement, repository_may_run

RUNS = "[core]\n\tfsmonitor = ./x.sh\n"


@pytest.fixture
def repository(tmp_path):
    def made(configuration, name="config"):
        folder = tmp_path / "work" / ".git"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(configuration)
        (tmp_path / "work" / "sub").mkdir(exist_ok=True)
        return tmp_path / "work"

    return made


@pytest.mark.parametrize("command", ["git status", "cd sub && git log", "git -C ./sub diff"])
@pytest.mark.parametrize("name", ["config", "config.worktree"])
def test_settings_that_run_something_are_found(repository, command, name):
    folder = repository(RUNS, name)
    assert repository_may_run(command, str(folder))
    assert repository_may_run(command, str(folder / "sub"))
    assert needs_judgement(command, "s", str(folder), {})


def test_another_repository_that_the_command_names_is_looked_at(repository, tmp_path):
    repository(RUNS)
    assert repository_may_run("git -C work status", str(tmp_path))
    assert repository_may_run("cd './work' && git status", str(tmp_path))
    assert not repository_may_run("git -C other status", str(tmp_path))


def test_a_linked_working_tree_has_the_settings_of_its_repository(repository, tmp_path):
    folder = repository(RUNS)
    (folder / ".git" / "worktrees" / "w").mkdir(parents=True)
    linked = tmp_path / "w"
    linked.mkdir()
    (linked / ".git").write_text(f"gitdir: {folder}/.git/worktrees/w\n")
    assert repository_may_run("git status", str(linked))


@pytest.mark.parametrize("text", ["", "[core]\n\tbare = false\n[user]\n\tname = x\n"])
def test_ordinary_settings_cost_no_look(repository, text):
    assert not repository_may_run("git status", str(repository(text)))


def test_other_commands_and_unknown_folders_are_not_looked_at(repository, tmp_path):
    folder = repository(RUNS)
    assert not repository_may_run("ls -la", str(folder))
    assert not repository_may_run("git status", None)
    assert not repository_may_run("git status", str(tmp_path / "missing"))


def test_a_configuration_that_cannot_be_read_may_run_anything(repository):
    folder = repository("")
    (folder / ".git" / "config").unlink()
    (folder / ".git" / "config").mkdir()
    assert repository_may_run("git status", str(folder))


# end of module
