import pytest
from tests.tables import for_each

from operators_edge.plan import modes

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


PLANNED = {"objective": "x", "plan": [OPEN]}
TRANSITIONS = {
    ("plan", "plan"): True,
    ("plan", "active"): True,
    ("plan", "review"): True,
    ("plan", "done"): False,
    ("active", "plan"): True,
    ("active", "active"): True,
    ("active", "review"): True,
    ("active", "done"): True,
    ("review", "plan"): True,
    ("review", "active"): True,
    ("review", "review"): True,
    ("review", "done"): True,
    ("done", "plan"): True,
    ("done", "active"): True,
    ("done", "review"): True,
    ("done", "done"): True,
}


@for_each(("pair", "is_allowed"), TRANSITIONS.items())
def test_only_the_transitions_of_the_protocol_are_allowed(pair, is_allowed):
    here, target = pair
    assert (modes.refusal({**PLANNED, "mode": here}, target) == "") is is_allowed


def test_every_pair_of_modes_is_in_the_table():
    assert set(TRANSITIONS) == {(a, b) for a in modes.MODES for b in modes.MODES}


@pytest.mark.parametrize(
    ("here", "target", "is_allowed"),
    [
        ("plan", "active", False),
        ("plan", "review", True),
        ("active", "review", True),
        ("done", "active", False),
        ("done", "review", False),
        ("done", "plan", True),
    ],
)
def test_without_an_objective_there_is_nothing_to_be_active_on(here, target, is_allowed):
    assert (modes.refusal({"mode": here}, target) == "") is is_allowed


TODO = {**DONE, "source": "host"}


@for_each(
    ("mode", "plan", "expected"),
    [
        ("plan", [OPEN], "active"),
        ("plan", [DONE, OPEN], "active"),
        ("plan", [], None),
        ("plan", [BLOCKED], None),
        ("plan", [{"status": "in_progress"}], None),
        ("plan", [DONE], "review"),
        ("active", [OPEN], None),
        ("active", [DONE, DONE], "review"),
        ("active", [DONE, BLOCKED], None),
        ("active", [DONE, {**TODO, "status": "pending"}], "review"),
        ("active", [TODO], None),
        ("active", [], None),
        ("review", [DONE], None),
        ("review", [OPEN], None),
        ("done", [OPEN], None),
        (None, [DONE], None),
    ],
)
def test_a_mode_is_suggested_where_the_plan_has_outgrown_the_explicit_one(mode, plan, expected):
    found = modes.suggestion({"objective": "x", "plan": plan, "mode": mode})
    assert (found and found[0]) == expected


def test_done_is_never_suggested_and_nothing_is_without_an_objective():
    for mode in modes.MODES:
        for plan in ([], [DONE], [OPEN], [DONE, OPEN]):
            found = modes.suggestion({"objective": "x", "plan": plan, "mode": mode})
            assert found is None or found[0] in ("active", "review")
            assert modes.suggestion({"plan": plan, "mode": mode}) is None


def test_a_hosts_open_todo_does_not_keep_a_finished_plan_from_review():
    plan = [DONE, {**TODO, "status": "pending"}]
    assert modes.current({"objective": "x", "plan": plan}) == "review"
    assert modes.current({"objective": "x", "plan": plan[1:]}) == "active"


def test_a_new_objective_opens_active_mode():
    assert modes.refusal({}, "active", objective="new") == ""
