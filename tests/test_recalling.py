"""Lessons on the call and on the failure that they concern, through the client's own events."""

import pytest

from operators_edge.project import Project

STATE = """schema_version: 4
objective: ship it
plan: [a step]
constraints: []
memory:
- trigger: cargo build
  lesson: set CARGO_TARGET_DIR first
- trigger: "**/*.sql"
  lesson: write the way back, too
- trigger: ModuleNotFoundError
  lesson: install the extras first
"""


@pytest.fixture
def learned(project, client):
    with open(f"{project}/active_context.yaml", "w", encoding="utf-8") as file:
        file.write(STATE)
    return client


def told(answer):
    return answer.get("hookSpecificOutput", answer).get("additionalContext", "")


def failed(client, command, error):
    given = {"tool_input": {"command": command}, "tool_use_id": "f"}
    return told(client.send("PostToolUseFailure", tool_name="Bash", error=error, **given))


def test_a_command_that_a_lesson_names_is_told_it_once_a_session(learned):
    first = told(learned.before("Bash", command="cargo build --release"))
    assert "set CARGO_TARGET_DIR first" in first
    assert told(learned.before("Bash", command="cargo build")) == ""


def test_every_other_call_is_told_nothing(learned):
    assert learned.before("Bash", command="ls src") == {}
    assert learned.before("Bash", command="echo cargo; ls build") == {}
    assert learned.before("Edit", file_path=f"{learned.root}/a.py", old_string="a") == {}


def test_an_edit_of_a_file_that_a_lesson_names_is_told_it(learned):
    given = {"file_path": f"{learned.root}/db/one.sql", "content": "x"}
    assert "write the way back" in told(learned.before("Write", **given))


def test_a_failure_that_a_lesson_knows_is_told_it_and_another_is_not(learned):
    assert failed(learned, "x", "Exit code 1\nsomething else") == ""
    known = "Exit code 1\nModuleNotFoundError: No module named 'y'"
    assert "install the extras" in failed(learned, "python x.py", known)
    assert failed(learned, "python x.py", known) == ""


def test_a_lesson_that_is_new_is_told_on_the_next_call(learned):
    assert learned.before("Bash", command="npm ci") == {}
    with open(f"{learned.root}/active_context.yaml", "a", encoding="utf-8") as file:
        file.write("- trigger: npm ci\n  lesson: node 20\n")
    assert "node 20" in told(learned.before("Bash", command="npm ci"))


def test_what_was_told_is_on_record(learned):
    learned.before("Bash", command="cargo build")
    entries = Project(learned.root, is_set_up=True).log.tail(5)
    (entry,) = [each for each in entries if each["event"] == "lesson_told"]
    assert entry["data"]["when"] == "before"


def test_where_the_memory_is_no_list_the_call_goes_on(learned):
    with open(f"{learned.root}/active_context.yaml", "w", encoding="utf-8") as file:
        file.write(STATE.split("memory:", maxsplit=1)[0] + "memory: a text\n")
    assert learned.before("Bash", command="cargo build") == {}
