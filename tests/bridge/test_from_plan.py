"""Steps of a plan as tasks: what is taken over, and why a step cannot be one."""

import pytest

from operators_edge.bridge.from_plan import FIELD, commands_of, tasks_of
from operators_edge.bridge.task import problems_with
from operators_edge.errors import UsageError


def is_check(text):
    return text.startswith("pytest")


def state(*steps, **more):
    return {"objective": "ship it", "plan": list(steps), "constraints": ["no new package"], **more}


def step(text="Write the parser", verification="pytest -q", **more):
    return {"description": text, "status": "pending", "verification": verification, **more}


def made(plan, *numbers, **more):
    return tasks_of(plan, numbers, is_check=is_check, **more)


def test_a_step_becomes_a_valid_task_with_everything_that_the_plan_says():
    (task,) = made(state(step(expected="all samples parse")), 1, executor="patch")
    assert problems_with(task) == []
    assert task["id"].startswith("step-01_write-the-parser_")
    assert task["prompt"] == task["bead_title"] == "Write the parser"
    assert (task["goal"], task["done_condition"]) == ("ship it", "all samples parse")
    assert task["constraints"] == ["no new package"]
    assert task["commands_to_run"] == ["pytest -q"]
    assert task["executor"] == "patch"
    assert task[FIELD]["number"] == 1


def test_all_open_steps_follow_each_other():
    plan = state(step(status="completed"), step("Add a test"), step("Run the tests"))
    first, second = made(plan)
    assert (first[FIELD]["number"], second[FIELD]["number"]) == (2, 3)
    assert second["depends_on"] == [first["id"]]
    assert second["base"] == f"task:{first['id']}"
    assert (first["allow_no_change"], second["allow_no_change"]) == (False, True)


def test_every_step_that_cannot_be_a_task_is_named_with_its_reason():
    plan = state(
        step(verification=""),
        step(verification="it looks good"),
        step(status="blocked"),
        step(text=""),
        step(),
    )
    with pytest.raises(UsageError) as error:
        made(plan, 1, 2, 3, 4, 5, 9)
    said = error.value.message
    assert "step 1: it has no verification, so nothing would show that it is done" in said
    assert "step 2: its verification names no command" in said
    assert "'it looks good'; put the command into backticks" in said
    assert "step 3: it is blocked" in said
    assert "step 4: it has no description" in said
    assert "step 9: there is none" in said
    assert "step 5" not in said


@pytest.mark.parametrize(
    ("plan", "why"),
    [(state(), "there is no plan"), (state(step(status="completed")), "every step is completed")],
)
def test_a_plan_without_open_steps_says_so(plan, why):
    with pytest.raises(UsageError, match=why):
        made(plan)


@pytest.mark.parametrize(
    ("verification", "commands"),
    [
        ("pytest tests", ["pytest tests"]),
        ("Run pytest -q.", ["pytest -q"]),
        ("$ pytest", ["pytest"]),
        ("`make x` and then `./y` succeed", ["make x", "./y"]),
        ("make sure that it works", []),
    ],
)
def test_a_verification_names_commands_in_backticks_or_is_one(verification, commands):
    assert commands_of(verification, is_check) == commands
