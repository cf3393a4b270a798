"""Mismatches from the outcomes of a session, through the client's own events."""

import pytest

from operators_edge.project import Project

WANTED = "schema_version: 4\nobjective: ship it\nconstraints: []\nplan:\n"
STEP = "- description: one\n  status: in_progress\n  expected: all tests pass\n"


@pytest.fixture
def at_work(project, client):
    with open(f"{project}/active_context.yaml", "w", encoding="utf-8") as file:
        file.write(WANTED + STEP)
    return client


def state(client):
    return Project(client.root, is_set_up=True).state.read()


def failed(client, command="pytest -q"):
    client.before("Bash", command=command)
    client.done("Bash", error="Exit code 1\n2 failed, 3 passed in 0.1s", command=command)


def passed(client, command="pytest -q"):
    client.before("Bash", command=command)
    client.done("Bash", {"stdout": "5 passed in 0.1s"}, command=command)


def test_a_check_that_the_step_expected_to_pass_and_still_fails_when_the_turn_ends_is_a_mismatch(
    at_work,
):
    failed(at_work)
    assert "mismatches" not in state(at_work)  # a call never writes the state
    at_work.send("Stop")
    (entry,) = state(at_work)["mismatches"]
    assert entry["expectation"] == "all tests pass"
    assert entry["observation"] == "`pytest -q` failed (exit 1), 2 failed"
    assert (entry["step"], entry["source"]) == (1, "observed")


def test_a_failure_fixed_within_the_turn_is_not_a_mismatch(at_work):
    failed(at_work)
    passed(at_work)
    at_work.send("Stop")
    assert not state(at_work).get("mismatches")


def test_a_check_that_keeps_failing_is_a_mismatch_until_it_passes(at_work):
    failed(at_work)
    at_work.send("Stop")
    at_work.send("Stop")
    failed(at_work)
    at_work.send("Stop")
    (entry,) = state(at_work)["mismatches"]
    assert (entry["times"], entry["resolved"]) == (2, False)
    passed(at_work)
    at_work.send("Stop")
    (entry,) = state(at_work)["mismatches"]
    assert entry["resolution"] == "it passed later: pytest -q"
    failed(at_work)
    at_work.send("Stop")
    assert [each["resolved"] for each in state(at_work)["mismatches"]] == [True, False]


def test_a_failure_the_step_does_not_exclude_is_not_a_mismatch(at_work):
    failed(at_work, "false")
    failed(at_work, "mypy src")
    at_work.send("Stop")
    assert not state(at_work).get("mismatches")


def test_the_end_of_a_session_tells_the_state_as_the_end_of_a_turn_does(at_work):
    failed(at_work)
    at_work.send("SessionEnd")
    assert len(state(at_work)["mismatches"]) == 1
