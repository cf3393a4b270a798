"""What is logged of objective and plan, the host's todos as steps, and observed proofs."""

import pytest
from tests.evidence.entries import Log

from operators_edge.evidence import plan_events, progress


@pytest.fixture
def log():
    return Log()


def state(*steps, objective="go", **more):
    listed = [dict(zip(("description", "status", "source"), each, strict=False)) for each in steps]
    return {"objective": objective, "plan": listed, **more}


def logged(log, given):
    """Put what the log does not say yet into it; the events."""
    entries = plan_events.new_entries(given, log.folded())
    for each in entries:
        log.add(**each)
    return [each["event"] for each in entries]


def mirrored(log, given, session="s"):
    plan_events.mirror_todos(given, log.folded(), session)
    logged(log, given)
    return [(step["description"], step["status"]) for step in given["plan"]]


# -- what is logged --------------------------------------------------------------------------------


def test_what_the_log_says_already_is_not_said_again(log):
    given = state(("one", "pending"))
    assert logged(log, given) == ["objective", "plan"]
    assert logged(log, given) == []
    given["plan"][0]["status"] = "completed"
    assert logged(log, given) == ["plan"]
    given["plan"][0]["proof"] = "by hand"
    assert logged(log, given) == []


def test_nothing_is_said_of_an_empty_state(log):
    assert logged(log, state(objective=None)) == []


def test_the_end_of_an_objective_is_logged_and_the_plan_again_under_the_next(log):
    given = state(("one", "completed"))
    logged(log, given)
    given["objective"] = None
    assert logged(log, given) == ["objective", "plan"]
    given["objective"] = "go"
    assert logged(log, given) == ["objective", "plan"]
    given["plan"] = []
    assert logged(log, given) == ["plan"]
    assert log.folded()["order"] == []


def test_open_todos_are_logged_with_a_new_objective(log):
    log.todos(("one", "pending"), ("two", "completed"))
    logged(log, state())
    assert [each["text"] for each in log.folded()["todos"].values()] == ["one"]


def test_a_key_is_the_words_whatever_the_space_between_and_repeats_are_numbered():
    one, two, three = progress.keys_of(["a b", " a\n b ", "c"])
    assert two == f"{one}#2"
    assert len(one) == 12
    assert three not in (one, two)


def test_steps_that_are_texts_and_a_plan_that_is_none_are_read(log):
    assert logged(log, {"objective": "go", "plan": ["one"]}) == ["objective", "plan"]
    assert [each["text"] for each in log.folded()["steps"].values()] == ["one"]
    assert logged(log, {"objective": "go", "plan": "none"}) == ["plan"]


def test_a_long_plan_is_cut_in_the_log_and_a_change_behind_the_cut_is_still_seen(log):
    steps = [(f"step {n}", "pending") for n in range(plan_events.STEPS_LOGGED + 5)]
    logged(log, state(*steps))
    assert len(log.entries[-1]["data"]["steps"]) == plan_events.STEPS_LOGGED
    assert log.entries[-1]["data"]["count"] == plan_events.STEPS_LOGGED + 5
    steps[-1] = ("step x", "pending")
    assert logged(log, state(*steps)) == ["plan"]


# -- the host's todos ------------------------------------------------------------------------------


def test_todos_become_steps_behind_the_ones_there_are(log):
    log.todos(("two", "in_progress"), ("three", "pending"))
    given = state(("one", "completed"))
    plan_events.mirror_todos(given, log.folded(), "s")
    assert given["plan"][1] == {
        "description": "two",
        "status": "in_progress",
        "source": "host",
        "host_id": f"s/{progress.keys_of(['two'])[0][:6]}",
    }
    assert given["plan"][2]["status"] == "pending"
    assert given["current_step"] == 2


def test_statuses_are_carried_over_and_a_dropped_todo_leaves_before_it_is_completed(log):
    given = state()
    log.todos(("one", "pending"), ("two", "pending"))
    assert mirrored(log, given) == [("one", "pending"), ("two", "pending")]
    log.todos(("one", "completed"), ("two", "in_progress"))
    assert mirrored(log, given) == [("one", "completed"), ("two", "in_progress")]
    log.todos()
    assert mirrored(log, given) == [("one", "completed")]


def test_a_step_of_the_same_words_is_left_as_it_is(log):
    given = state(("one", "pending"))
    log.todos((" one", "completed"))
    assert mirrored(log, given) == [("one", "pending")]


def test_a_mirrored_step_that_somebody_moved_on_since_is_left_so_until_the_host_says_more(log):
    given = state()
    log.todos(("one", "in_progress"))
    mirrored(log, given)
    given["plan"][0]["status"] = "blocked"
    logged(log, given)
    assert mirrored(log, given) == [("one", "blocked")]
    log.todos(("one", "completed"))
    assert mirrored(log, given) == [("one", "completed")]


def test_a_mirrored_step_that_somebody_took_out_stays_out_until_the_host_makes_it_anew(log):
    given = state()
    log.todo("1", text="one")
    mirrored(log, given)
    given["plan"] = []
    logged(log, given)
    assert mirrored(log, given) == []
    log.todo("2", text="one")
    assert mirrored(log, given) == [("one", "pending")]


def test_a_renamed_todo_renames_its_step_but_not_one_that_somebody_reworded(log):
    given = state()
    log.todo("1", text="one")
    mirrored(log, given)
    log.todo("1", text="one, better")
    assert mirrored(log, given) == [("one, better", "pending")]
    given["plan"][0]["description"] = "mine"
    logged(log, given)
    log.todo("1", status="in_progress")
    assert mirrored(log, given) == [("mine", "in_progress")]


def test_the_next_session_takes_its_steps_over(log):
    given = state()
    log.todos(("one", "in_progress"), ("two", "pending"), session="first")
    mirrored(log, given, "first")
    log.todos(("two", "in_progress"), session="second")
    assert mirrored(log, given, "second") == [("one", "in_progress"), ("two", "in_progress")]
    assert given["plan"][1]["host_id"].startswith("second/")


def test_without_an_objective_completed_todos_stay_until_another_session(log):
    given = state(objective=None)
    log.todos(("one", "completed"), session="first")
    assert mirrored(log, given, "first") == [("one", "completed")]
    assert mirrored(log, given, "second") == []
    assert mirrored(log, given, "first") == []
    with_objective = state()
    log.todos(("two", "completed"), session="third")
    mirrored(log, with_objective, "third")
    assert ("two", "completed") in mirrored(log, with_objective, "fourth")


def test_mirroring_twice_changes_nothing(log):
    given = state(("own", "pending"), current_step=1)
    log.todos(("one", "pending"), ("own", "completed"), ("one", "completed"))
    mirrored(log, given)
    again = state()
    again["plan"] = [dict(step) for step in given["plan"]]
    again["current_step"] = given["current_step"]
    plan_events.mirror_todos(again, log.folded(), "s")
    assert again["plan"] == given["plan"]


@pytest.mark.parametrize("broken", [None, "text", ["a step"], [None]])
def test_a_plan_that_is_no_list_of_steps_is_left_alone(log, broken):
    log.todos(("one", "pending"))
    given = {"objective": "go", "plan": broken}
    plan_events.mirror_todos(given, log.folded(), "s")
    assert given["plan"] == broken


@pytest.mark.parametrize(
    ("steps", "said", "expected"),
    [
        ([("a", "pending")], 1, 1),
        ([("a", "completed"), ("b", "pending")], 1, 3),
        ([("a", "completed"), ("b", "pending")], 2, 2),
        ([("a", "completed")], None, 2),
        ([], None, 1),
    ],
)
def test_the_step_at_work_is_the_named_one_while_it_is_unfinished_else_the_hosts(
    log, steps, said, expected
):
    log.todos(("x", "in_progress"))
    given = state(*steps, current_step=said)
    plan_events.mirror_todos(given, log.folded(), "s")
    assert given["current_step"] == expected


# -- proofs ----------------------------------------------------------------------------------------


def proofs(log, given):
    plan_events.add_proofs(given, log.folded())
    return [step.get("proof") for step in given["plan"]]


def test_a_completed_step_without_a_proof_gets_what_was_observed(log):
    given = state(("one", "in_progress"), ("two", "pending"))
    logged(log, given)
    log.edited("a.py")
    log.edited("b.py")
    log.checked("pytest", passed=True)
    given["plan"][0]["status"] = "completed"
    logged(log, given)
    assert proofs(log, given) == ["auto: 2 files, pytest passed (log 3-6)", None]


@pytest.mark.parametrize("proof", ["seen by hand", 5, ["a list"], "auto"])
def test_what_somebody_wrote_is_never_overwritten(log, proof):
    given = state(("one", "in_progress"))
    logged(log, given)
    log.edited("a.py")
    given["plan"][0] |= {"status": "completed", "proof": proof}
    logged(log, given)
    assert proofs(log, given) == [proof]


@pytest.mark.parametrize("proof", [None, "", " ", "null", "auto: 9 files (log 1-2)"])
def test_what_says_nothing_and_what_was_written_so_before_is_renewed(log, proof):
    given = state(("one", "in_progress"))
    logged(log, given)
    log.edited("a.py")
    given["plan"][0] |= {"status": "completed", "proof": proof}
    logged(log, given)
    assert proofs(log, given) == ["auto: 1 file (log 3-4)"]


def test_where_nothing_was_observed_no_proof_is_made_and_an_old_one_stays(log):
    given = state(("one", "completed"), ("two", "completed"))
    given["plan"][1]["proof"] = "auto: 1 file (log 3-4)"
    logged(log, given)
    log.edited("a.py")
    assert proofs(log, given) == [None, "auto: 1 file (log 3-4)"]


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        (lambda log: log.ran("make", success=False), "auto: 1 command (1 failed) (log 3-4)"),
        (lambda log: log.add(tool="Read", success=True), "auto: 1 tool use (log 3-4)"),
        (lambda log: log.ran("edge plan"), None),
        (lambda log: log.todos(("x", "pending")), None),
        (
            lambda log: log.checked("pytest", passed=None),
            "auto: pytest run, outcome unknown (log 3-4)",
        ),
    ],
)
def test_a_proof_names_the_strongest_observation(log, actions, expected):
    given = state(("one", "in_progress"))
    logged(log, given)
    actions(log)
    given["plan"][0]["status"] = "completed"
    logged(log, given)
    assert proofs(log, given) == [expected]


def test_a_todo_that_was_completed_in_one_turn_is_mirrored_with_its_own_proof(log):
    given = state()
    logged(log, given)
    log.todos(("one", "in_progress"), ("two", "pending"))
    log.edited("a.py")
    log.todos(("one", "completed"), ("two", "in_progress"))
    log.edited("b.py")
    plan_events.mirror_todos(given, log.folded(), "s")
    assert proofs(log, given) == ["auto: 1 file (log 3-4)", None]
