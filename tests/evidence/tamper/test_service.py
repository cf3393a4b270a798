"""What is noted when checks lose something, through the real hook process and a real repository."""

import json
import os

import pytest
from tests.hosting import Client, clean_env, git, write

from operators_edge.project import Project
from operators_edge.sessions import mode_change, status

TESTS = "def test_a():\n    assert f(1) == 2\n\n\ndef test_b():\n    assert f(2) == 4\n"
SKIPPED = TESTS.replace("def test_b", "@pytest.mark.skip\ndef test_b")


def events(client, name="tampering"):
    log = os.path.join(client.root, ".proof", "session_log.jsonl")
    with open(log, encoding="utf-8") as file:
        return [entry for entry in map(json.loads, file) if entry["event"] == name]


@pytest.fixture
def tested(project, fenced, monkeypatch):
    """A session in a repository with a committed test file and a workflow."""
    write(project, "tests/test_a.py", TESTS)
    write(project, "a.py", "def f(n):\n    return n * 2\n")
    write(project, ".github/workflows/ci.yml", "jobs:\n  t:\n    steps:\n      - run: pytest\n")
    git(project, "add", ".")
    git(project, "commit", "-qm", "tests")
    client = Client(project, clean_env(fenced))
    client.start()
    monkeypatch.setenv("XDG_STATE_HOME", client.env["XDG_STATE_HOME"])
    return client


def edit(client, name, before, after):
    """An edit as the client reports it: the tool has written the file already."""
    path = write(client.root, name, after)
    given = {"file_path": path, "old_string": before, "new_string": after}
    client.before("Edit", **given)
    response = {
        "filePath": path,
        "oldString": before,
        "newString": after,
        "originalFile": before,
        "replaceAll": False,
    }
    client.done("Edit", response, **given)


def seen(client):
    project = Project(client.root, is_set_up=True)
    found = project.evidence.observations(client.session)["tampering"]
    return [(each["kind"], each["path"], each["name"]) for each in found]


def test_an_edit_that_skips_a_test_is_noted_with_its_call_and_shown(tested):
    edit(tested, "tests/test_a.py", TESTS, SKIPPED)
    (noted,) = events(tested)
    assert noted["tool_use_id"] == "toolu_1"
    assert noted["data"]["kind"] == "test_skipped"
    shown = status.text(Project(tested.root, is_set_up=True))
    line = "Checks     test skipped: tests/test_a.py::test_b (pytest.mark.skip added), "
    assert line in shown


def test_the_same_thing_is_noted_once(tested):
    edit(tested, "tests/test_a.py", TESTS, SKIPPED)
    edit(tested, "tests/test_a.py", TESTS, SKIPPED)
    tested.send("Stop")
    tested.send("Stop")
    assert len(events(tested)) == 1


def test_what_is_back_at_the_turns_end_is_no_longer_shown(tested):
    edit(tested, "tests/test_a.py", TESTS, SKIPPED)
    edit(tested, "tests/test_a.py", SKIPPED, TESTS)
    tested.send("Stop")
    assert seen(tested) == []
    assert [each["data"]["name"] for each in events(tested, "tampering_undone")] == ["test_b"]
    edit(tested, "tests/test_a.py", TESTS, SKIPPED)
    assert seen(tested) == [("test_skipped", "tests/test_a.py", "test_b")]


def test_a_test_that_moved_is_none_at_the_turns_end(tested):
    first, second = TESTS.split("\n\n\n")
    edit(tested, "tests/test_a.py", TESTS, first + "\n")
    assert seen(tested) == [("test_deleted", "tests/test_a.py", "test_b")]
    write(tested.root, "tests/test_more.py", second)
    tested.send("Stop")
    assert seen(tested) == []


def test_what_a_command_did_is_seen_at_the_turns_end(tested):
    os.remove(os.path.join(tested.root, "tests/test_a.py"))
    write(
        tested.root,
        ".github/workflows/ci.yml",
        "jobs:\n  t:\n    steps:\n      - run: pytest || true\n",
    )
    tested.send("Stop")
    assert seen(tested) == [
        ("failure_ignored", ".github/workflows/ci.yml", "pytest"),
        ("test_file_deleted", "tests/test_a.py", ""),
    ]
    assert {each["data"]["seen"] for each in events(tested)} == {"tree"}


def test_what_is_committed_meanwhile_is_seen_all_the_same(tested):
    git(tested.root, "rm", "-q", "tests/test_a.py")
    git(tested.root, "commit", "-qm", "clean up")
    tested.send("Stop")
    assert seen(tested) == [("test_file_deleted", "tests/test_a.py", "")]


def test_a_test_that_goes_with_its_subject_accuses_nobody(tested):
    os.remove(os.path.join(tested.root, "tests/test_a.py"))
    os.remove(os.path.join(tested.root, "a.py"))
    tested.send("Stop")
    tested.send("Stop")
    assert seen(tested) == []
    assert [each["data"]["severity"] for each in events(tested)] == ["low"]


def test_a_persons_unfinished_work_from_before_is_left_out(tested, fenced):
    write(tested.root, "tests/test_a.py", SKIPPED)
    client = Client(tested.root, clean_env(fenced))
    client.start()
    write(client.root, "tests/test_a.py", SKIPPED + "\n# done\n")
    client.send("Stop")
    assert seen(client) == []


def test_a_command_that_skips_hooks_is_noted_and_stays_on_record(tested):
    tested.before("Bash", command="git commit --no-verify -am x")
    tested.done("Bash", {"stdout": ""}, command="git commit --no-verify -am x")
    tested.send("Stop")
    assert seen(tested) == [("hooks_skipped", "", "--no-verify")]


def test_a_failed_call_took_nothing_away(tested):
    tested.before("Bash", command="git commit --no-verify -am x")
    tested.done("Bash", error="Exit code 1", command="git commit --no-verify -am x")
    assert seen(tested) == []


def test_a_whole_file_written_anew_is_compared_with_the_one_before(tested):
    path = write(tested.root, "tests/test_a.py", "def test_a():\n    pass\n")
    given = {"file_path": path, "content": "def test_a():\n    pass\n"}
    tested.before("Write", **given)
    response = {"type": "update", "filePath": path, "originalFile": TESTS, **given}
    tested.done("Write", response, **given)
    assert [kind for kind, *_ in seen(tested)] == ["test_deleted", "assertion_removed"]


def test_nothing_is_noted_of_ordinary_edits_and_odd_responses(tested):
    edit(tested, "a.py", "def f(n):\n    return n * 2\n", "def f(n):\n    return 2 * n\n")
    for response in (None, "text", {"originalFile": 7}, {"originalFile": TESTS, "oldString": None}):
        given = {"file_path": os.path.join(tested.root, "tests/test_a.py"), "old_string": 1}
        tested.before("Edit", **given)
        tested.done("Edit", response, **given)
    tested.send("Stop")
    assert events(tested) == []


def test_done_names_it_and_does_not_fail_for_it(tested):
    project = Project(tested.root, is_set_up=True)
    edit(tested, "tests/test_a.py", TESTS, SKIPPED)
    for _ in range(3):
        tested.before("Read", file_path="a.py")
        tested.done("Read", file_path="a.py")
    project.transact(lambda tx: tx.state["plan"][0].update(status="completed"), command="t")
    said = mode_change.set_mode(project, tested.session, "done")
    assert said.startswith("Mode is now done.\n")
    assert "test skipped: tests/test_a.py::test_b (pytest.mark.skip added)" in said


def test_the_next_session_is_told(tested, fenced):
    edit(tested, "tests/test_a.py", TESTS, SKIPPED)
    tested.send("SessionEnd", reason="other")
    told = Client(tested.root, clean_env(fenced)).start()
    assert "checks: test skipped: tests/test_a.py::test_b" in told
