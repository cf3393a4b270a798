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
