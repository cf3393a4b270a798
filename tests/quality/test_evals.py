"""What the invariants say of two states, and how much is looked at."""

import pytest

from operators_edge.errors import UsageError
from operators_edge.quality import evals

BASE = {"objective": "x", "plan": [{"description": "a", "status": "pending"}], "notes": ["n"]}


def judged(after, before=BASE, **policy):
    checks, _ = evals.results(before, after, evals.Policy(enabled=True, **policy))
    return {each.name: each.outcome for each in checks}


def test_a_state_that_did_not_change_fails_nothing():
    assert judged(BASE) == {
        "INV-01": "passed",
        "INV-02": "passed",
        "INV-03": "skipped",
        "INV-04": "skipped",
        "INV-05": "skipped",
    }


@pytest.mark.parametrize("key", ["objective", "plan"])
def test_a_required_key_that_is_gone_fails(key):
    after = {name: value for name, value in BASE.items() if name != key}
    assert judged(after, allow_deletions=(key,))["INV-01"] == "failed"


def test_current_step_is_required_only_where_it_was():
    assert judged(BASE, before={**BASE, "current_step": 1})["INV-01"] == "failed"
    assert judged(BASE)["INV-01"] == "passed"


def test_what_is_gone_fails_unless_it_may_go():
    after = {key: value for key, value in BASE.items() if key != "notes"}
    checks, diff = evals.results(BASE, after, evals.Policy())
    assert evals.fault("INV-02", "deleted: notes.0") in checks
    assert diff.removed == ("notes.0",)
    assert judged(after, allow_deletions=("notes",))["INV-02"] == "passed"
    assert judged(after, allow_deletions=("note",))["INV-02"] == "failed"


def test_a_star_stands_for_one_part_of_a_path():
    after = {**BASE, "plan": [{"description": "a"}]}
    assert judged(after, allow_deletions=("plan.*.status",))["INV-02"] == "passed"
    assert judged(after, allow_deletions=("plan.*.proof",))["INV-02"] == "failed"


def test_only_what_is_expected_may_change_where_something_is():
    after = {**BASE, "objective": "y"}
    assert judged(after, expected_changes=("plan",))["INV-05"] == "failed"
    assert judged(after, expected_changes=("plan", "objective"))["INV-05"] == "passed"


def test_a_leaf_that_grows_into_a_branch_is_not_gone():
    assert judged({**BASE, "objective": {"text": "x"}})["INV-02"] == "passed"


def test_true_and_one_are_two_values():
    diff = evals.difference({"a": 1}, {"a": True})
    assert diff.changed == ("a",)


def test_without_a_state_before_only_what_holds_of_one_is_asked():
    outcomes = judged(BASE, before=None)
    assert outcomes["INV-01"] == "passed"
    assert outcomes["INV-02"] == outcomes["INV-05"] == "skipped"


def test_more_differences_than_are_listed_never_pass():
    many = {**BASE, "notes": [f"n{number}" for number in range(evals.MAX_PATHS + 10)]}
    checks, diff = evals.results(BASE, many, evals.Policy())
    assert not diff.is_whole
    assert len(diff.added) == evals.MAX_PATHS
    assert {each.name: each.holds for each in checks}["INV-02"] is None


def test_comparing_takes_time_in_step_with_the_size():
    memory = [{"trigger": f"t{n}", "lesson": f"l{n}"} for n in range(20_000)]
    diff = evals.difference({"memory": memory}, {"memory": memory[:-1]})
    assert diff.removed == ("memory.19999.lesson", "memory.19999.trigger")


def test_what_is_stored_contains_no_secret_and_no_redacted_value():
    state = {**BASE, "intent": {"customer": "ACME"}, "notes": ["password=hunter2hunter2"]}
    text = evals.stored_text(evals.hidden(state, ("intent.customer",)))
    assert "ACME" not in text
    assert "hunter2" not in text


def test_a_difference_that_is_shown_hides_the_same():
    after = {**BASE, "objective": "token=kq7rw2mxz9tbl4vnc8yd"}
    diff = evals.difference(BASE, after)
    shown, redacted = (
        evals.shown_difference(diff, evals.hidden(BASE, paths), evals.hidden(after, paths))
        for paths in ((), ("objective",))
    )
    assert shown["changed"]["objective"][0] == "x"
    assert "kq7rw2mxz9tbl4vnc8yd" not in str(shown)
    assert redacted["changed"]["objective"] == [evals.MARK, evals.MARK]


def test_a_branch_below_a_redacted_path_is_shown_as_hidden():
    after = {**BASE, "intent": {"customer": "ACME"}}
    diff = evals.difference(BASE, after)
    shown = evals.shown_difference(diff, BASE, evals.hidden(after, ("intent",)))
    assert shown["added"] == {"intent.customer": evals.MARK}


@pytest.mark.parametrize("block", [None, "on", [], {}, {"enabled": "yes"}, {"enabled": False}])
def test_evals_are_off_where_the_state_does_not_switch_them_on(block):
    assert not evals.policy_of({"evals": block}).enabled


def test_what_is_odd_in_the_policy_is_left_out():
    block = {
        "enabled": True,
        "mode": 3,
        "level": "2",
        "policy": "strict",
        "snapshots": ["x"],
        "allow_deletions": "notes",
        "expected_changes": ["plan", 3, ""],
    }
    policy = evals.policy_of({"evals": block})
    assert policy == evals.Policy(enabled=True, expected_changes=("plan",))


def test_the_policy_is_changed_by_what_is_named_alone():
    state = {"evals": {"enabled": True, "task_bank": ["t"], "policy": {"x": 1}}}
    said = evals.set_policy(state, {"gate_on_fail": True, "redactions": ["a"]})
    assert state["evals"]["task_bank"] == ["t"]
    assert state["evals"]["policy"] == {"x": 1, "gate_on_fail": True, "warn_only": False}
    assert said.data["redactions"] == ("a",)
    with pytest.raises(UsageError):
        evals.set_policy(state, {})
