import pytest

from operators_edge.core import modes

DONE = {"status": "completed"}
OPEN = {"status": "pending"}
BLOCKED = {"status": "blocked"}


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ({}, "plan"),
        ({"objective": ""}, "plan"),
        ({"objective": "x"}, "active"),
        ({"objective": "x", "plan": [DONE, OPEN]}, "active"),
        ({"objective": "x", "plan": [DONE, BLOCKED]}, "active"),
        ({"objective": "x", "plan": [DONE, DONE]}, "review"),
        ({"objective": "x", "plan": [DONE], "mode": "active"}, "active"),
        ({"objective": "x", "mode": "done"}, "done"),
        ({"mode": "nonsense"}, "plan"),
    ],
)
def test_an_explicit_mode_wins_and_else_it_is_derived(state, expected):
    assert modes.current(state) == expected


@pytest.mark.parametrize(
    ("state", "target", "is_refused"),
    [
        ({}, "active", True),
        ({"objective": "x"}, "active", False),
        ({}, "review", False),
        ({}, "done", True),
        ({"mode": "plan", "objective": "x"}, "done", True),
        ({"objective": "x"}, "done", False),
        ({"objective": "x"}, "plan", False),
        ({"objective": "x", "mode": "review"}, "active", False),
    ],
)
def test_only_the_transitions_of_the_protocol_are_allowed(state, target, is_refused):
    assert bool(modes.refusal(state, target)) is is_refused


def test_a_new_objective_opens_active_mode():
    assert modes.refusal({}, "active", objective="new") == ""


@pytest.mark.parametrize(
    ("plan", "given", "expected"),
    [
        ([], 3, 0),
        ([DONE, DONE], 1, 3),
        ([DONE, OPEN], 1, 1),
        ([DONE, OPEN], None, 2),
        ([DONE, OPEN], 9, 2),
        ([DONE, OPEN], "x", 2),
        ([OPEN], True, 1),
    ],
)
def test_the_current_step_counts_from_one_and_passes_the_end_when_all_is_complete(
    plan, given, expected
):
    assert modes.normalised_step(plan, given) == expected
