import json
import os

import pytest
from tests.hosting import at_a_terminal, clean_env
from tests.migration import legacy

from operators_edge.cli.main import main
from operators_edge.project import Project


@pytest.fixture
def third(tmp_path, monkeypatch):
    root = legacy.project("v3", tmp_path / "project")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def by_person(fenced):
    """A phase as a person at a terminal starts it."""

    def run(root, *words, answer="y\n"):
        return at_a_terminal(root, "migrate", *words, answer=answer, env=clean_env(fenced))

    return run


def run(capsys, *words):
    code = main(["migrate", *words])
    out, err = capsys.readouterr()
    return code, out, err


def data(capsys, *words):
    code, out, _ = run(capsys, *words, "--json")
    return code, json.loads(out)["data"]


def test_alone_it_tells_where_the_project_stands_and_what_comes_next(third, capsys, by_person):
    before = legacy.tree(third)
    code, out, _ = run(capsys)
    assert code == 0
    assert "changes 5 keys of the state" in out
    assert out.endswith("Next: edge migrate --apply\n")
    assert legacy.tree(third) == before
    by_person(third, "--apply")
    assert data(capsys)[1]["next"] == "--cleanup"
    by_person(third, "--cleanup")
    code, out, _ = run(capsys)
    assert out == "There is nothing to migrate: no files of an older version are here.\n"


def test_what_is_not_carried_over_is_said_with_its_reason(third, capsys):
    _, out, _ = run(capsys, "--shadow")
    told = [line for line in out.splitlines() if line.startswith("not carried over")]
    assert len(told) == 5
    for word in (
        "override",
        "pending decision",
        "suppression",
        "dispatch was on",
        "was not finished",
    ):
        assert any(word in line for line in told), word


@pytest.mark.parametrize("phase", ["--shadow", "--apply", "--cleanup"])
def test_a_dry_run_shows_it_and_changes_nothing(third, capsys, phase):
    before = legacy.tree(third)
    code, out, _ = run(capsys, phase, "--dry-run")
    assert code == 0
    assert "gear_state" in out or "pre_tool.py" in out
    assert "Nothing was changed" in out
    assert legacy.tree(third) == before


@pytest.mark.parametrize("phase", ["--apply", "--cleanup"])
def test_what_moves_files_is_a_persons(third, capsys, phase):
    before = legacy.tree(os.path.join(third, ".claude"))
    code, _, err = run(capsys, phase)
    assert code == 1
    assert f"edge migrate {phase}" in err
    assert legacy.tree(os.path.join(third, ".claude")) == before


def test_cleanup_waits_until_everything_is_carried_over(third, by_person):
    before = legacy.tree(third)
    done = by_person(third, "--cleanup")
    assert done.returncode == 1
    assert "edge migrate --apply" in done.stderr
    assert legacy.tree(third) == before


def test_a_person_sees_the_list_and_can_say_no(third, by_person):
    by_person(third, "--apply")
    before = legacy.tree(third)
    done = by_person(third, "--cleanup", answer="n\n")
    assert done.returncode == 1
    assert ".claude/hooks/pre_tool.py" in done.stderr
    assert "PreToolUse (pre_tool.py)" in done.stderr
    assert "edge_utils.py is kept" in done.stderr
    assert legacy.tree(third) == before
    done = by_person(third, "--cleanup", "--yes", answer="")
    assert done.returncode == 0
    assert "edge init" in done.stdout
    assert not os.path.exists(os.path.join(third, ".claude/hooks/pre_tool.py"))


def test_check_names_what_is_missing_and_in_the_end_finds_nothing(third, capsys, by_person):
    code, out, _ = run(capsys, "--check")
    assert code == 1
    assert "MISSING side files" in out
    assert "MISSING hooks" in out
    assert "run: edge migrate --cleanup" in out
    by_person(third, "--apply")
    code, checks = data(capsys, "--check")
    assert code == 1
    assert {each["name"] for each in checks if not each["is_well"]} == {"hooks"}
    by_person(third, "--cleanup")
    code, out, _ = run(capsys, "--check")
    assert (code, "MISSING" in out) == (0, False)
    assert "every mode can be reached" in out
    assert "a new session is shown objective and step" in out


def test_check_tells_a_grant_that_does_not_count_and_a_broken_log(third, capsys, by_person):
    by_person(third, "--apply")
    by_person(third, "--cleanup")
    project = Project(third, is_set_up=True)
    grant = {"id": "g1", "fingerprint": "f", "consumed": False}
    project.transact(lambda tx: tx.state.update(allowances=[grant]), command="t")
    path = os.path.join(third, ".proof", "session_log.jsonl")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("migration_applied", "migration_undone", 1))
    code, checks = data(capsys, "--check")
    assert code == 1
    missing = {each["name"]: each["what"] for each in checks if not each["is_well"]}
    assert missing.keys() == {"grants", "log"}
    assert "g1 does not count" in missing["grants"]


def test_check_of_a_damaged_state_says_where_and_does_not_stop_there(third, capsys):
    with open("active_context.yaml", "a", encoding="utf-8") as file:
        file.write("<<<<<<< HEAD\n")
    code, checks = data(capsys, "--check")
    assert code == 1
    assert "merge conflict" in checks[0]["what"]
    assert any(each["name"] == "hooks" for each in checks)


def test_a_damaged_side_file_is_named_by_every_phase(third, capsys, by_person):
    with open(".claude/state/obligations.json", "w", encoding="utf-8") as file:
        file.write('{"pending": [\n')
    for words in ((), ("--shadow",), ("--check",), ("--apply", "--dry-run")):
        _, out, _ = run(capsys, *words)
        assert "obligations.json: line 2, column 1" in out, words
    done = by_person(third, "--apply")
    assert done.returncode == 5
    assert "--skip obligations.json" in done.stderr
    done = by_person(third, "--apply", "--skip", "obligations.json")
    assert done.returncode == 0
    assert "left out" in done.stdout
    assert data(capsys)[1]["next"] == "--cleanup"


def test_settings_that_are_no_json_keep_their_entries_and_are_named(third, capsys, by_person):
    by_person(third, "--apply")
    with open(".claude/settings.json", "a", encoding="utf-8") as file:
        file.write("// mine\n")
    _, out, _ = run(capsys, "--cleanup", "--dry-run")
    assert "settings.json" in out
    assert "its entries remain" in out


def test_hooks_in_the_persons_own_settings_are_left_to_the_person(third, capsys, by_person, fenced):
    by_person(third, "--apply")
    by_person(third, "--cleanup")
    path = os.path.join(fenced, ".claude", "settings.json")
    os.makedirs(os.path.dirname(path))
    command = "python $CLAUDE_PROJECT_DIR/.claude/hooks/stop_gate.py"
    hook = {"hooks": [{"type": "command", "command": command}]}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"hooks": {"Stop": [hook]}}, file)
    code, checks = data(capsys, "--check")
    assert code == 1
    (missing,) = [each for each in checks if not each["is_well"]]
    assert path in missing["what"]
    assert "by hand" in missing["run"]
