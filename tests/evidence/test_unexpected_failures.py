"""What a step expects of a check, and what the log says of one that failed anyway."""

import pytest
from tests.evidence.entries import ROOT, Log

from operators_edge.evidence import objective_facts, unexpected_failures

TEST = {
    "kind": "test",
    "name": "pytest",
    "passed": False,
    "counts": {"failed": 2},
    "elsewhere": False,
}


def state(**step):
    return {"plan": [{"description": "one", "status": "in_progress", **step}]}


@pytest.mark.parametrize(
    ("step", "command"),
    [
        ({"verification": "pytest -q"}, "pytest  -q"),
        ({"verification": "`pytest -q`"}, "pytest -q"),
        ({"verification": "run `pytest -q` at the end"}, "pytest -q"),
        ({"expected": "All tests pass"}, "pytest -q tests/x"),
        ({"expected": "pytest is green"}, "pytest"),
        ({"expected": "no failures in the suite"}, "pytest"),
    ],
)
def test_a_failed_check_that_the_step_expects_to_pass_is_a_mismatch(step, command):
    data = unexpected_failures.detect(state(**step), command, TEST, 1)
    assert data["step"] == 1
    assert data["observation"].endswith("failed (exit 1), 2 failed")


@pytest.mark.parametrize(
    ("step", "check"),
    [
        ({}, TEST),
        ({"expected": "the new test fails first"}, TEST),
        ({"expected": "tests pass again, which fail now"}, TEST),
        ({"expected": "a list of users"}, TEST),
        ({"expected": "the linter is clean"}, TEST),
        ({"expected": "All tests pass"}, {**TEST, "passed": True}),
        ({"expected": "All tests pass"}, {**TEST, "passed": None}),
        ({"expected": "All tests pass"}, {**TEST, "elsewhere": True}),
        ({"expected": "All tests pass", "status": "pending"}, TEST),
    ],
)
def test_what_the_step_does_not_plainly_expect_accuses_nobody(step, check):
    assert unexpected_failures.detect(state(**step), "pytest", check, 1) is None


@pytest.mark.parametrize("plan", [None, "x", ["a text"], [None]])
def test_a_plan_of_another_shape_expects_nothing(plan):
    assert unexpected_failures.detect({"plan": plan}, "pytest", TEST, 1) is None


# -- in the work record ----------------------------------------------------------------------------


def log(*events):
    """``seen``, ``added``, ``resolved`` of one key, or "pass" for the check that passes."""
    kept = Log()
    for event in events:
        if event == "pass":
            kept.checked("pytest -q", True)
        elif event == "seen":
            data = {"key": "k", "command": "pytest -q", "observation": "x"}
            kept.add("mismatch_seen", data=data)
        else:
            kept.add("mismatch", data={"key": "k", "to": event})
    return unexpected_failures.changes(
        objective_facts.fold(objective_facts.new_facts(ROOT), kept.entries)["mismatches"]
    )


def test_what_failed_is_news_until_the_state_was_told():
    assert log("seen")["k"]["times"] == 1
    assert log("seen", "seen")["k"]["times"] == 2
    assert log("seen", "added") == {}
    assert log("seen", "added", "seen")["k"]["is_told"] is False


def test_what_passed_again_before_the_turn_ended_never_was_a_mismatch():
    assert log("seen", "pass") == {}
    assert log("pass", "seen")["k"]["passed"] is False


def test_what_passes_after_the_state_was_told_is_news_once():
    assert log("seen", "added", "pass")["k"]["passed"] is True
    assert log("seen", "added", "pass", "settled") == {}
    assert log("seen", "added", "resolved", "pass") == {}


def test_only_so_many_are_kept():
    seen = {}
    for number in range(100):
        unexpected_failures.follow(seen, "mismatch_seen", {"key": str(number)}, number)
    assert len(seen) == unexpected_failures.KEPT
