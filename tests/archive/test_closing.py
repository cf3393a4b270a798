import copy

import pytest

from operators_edge.archive import closing

ONE = {"description": "one", "status": "completed", "proof": "seen"}
TWO = {"description": "two", "status": "pending"}
NEW = {"description": "new", "status": "pending"}


def done(**more):
    state = {"objective": "old", "plan": [ONE, TWO], "mode": "done", "next_action": "rest"}
    closing.mark(state, ["first", "between", "last"])
    return copy.deepcopy({**state, **more})


def test_what_is_over_stands_as_it_does_now_and_what_came_since_goes_on():
    proven = {**ONE, "proof": "seen again"}
    closed = closing.closed_objective(done(plan=[proven, TWO, NEW], next_action="begin"))
    assert (closed.objective, closed.steps, closed.rest) == ("old", [proven, TWO], [NEW])
    assert (closed.sessions, closed.action_next) == (["first", "last"], "begin")
    assert not closed.is_replaced


def test_what_a_hand_wrote_over_is_still_over():
    closed = closing.closed_objective(done(objective="next", plan=[NEW]))
    assert (closed.objective, closed.steps, closed.rest) == ("old", [ONE, TWO], [NEW])
    assert (closed.objective_next, closed.action_next) == ("next", None)


def test_a_new_step_of_the_same_words_is_a_new_step():
    again = {"description": "one", "status": "pending"}
    assert closing.closed_objective(done(objective="next", plan=[again])).rest == [again]
    reopened = closing.closed_objective(done(plan=[again, TWO]))
    assert (reopened.steps, reopened.rest) == ([again, TWO], [])


def test_where_nobody_kept_what_was_done_all_of_it_is_over():
    closed = closing.closed_objective({"objective": "old", "plan": [ONE], "mode": "done"})
    assert (closed.objective, closed.steps, closed.rest, closed.sessions) == ("old", [ONE], [], [])


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (done(), True),
        (done(mode="active"), False),
        (done(mode="active", objective="next"), True),
        ({"objective": "old", "plan": [ONE], "mode": "active"}, False),
    ],
    ids=["done", "taken up again", "replaced by hand", "never done"],
)
def test_it_is_over_in_done_and_where_a_hand_left_it_behind(state, expected):
    assert closing.is_due(state) is expected


@pytest.mark.parametrize(
    "odd",
    [
        None,
        "text",
        {"ending": 3},
        {"ending": {}},
        {"ending": {"plan": "x", "sessions": 3}},
        {"ending": {"plan": ["a text", None, {"status": []}], "objective": 3}},
        {"steps_pruned": "many"},
        {"steps_pruned": -3},
        {"steps_pruned": True},
    ],
)
def test_whatever_stands_there_nothing_fails_and_no_step_is_lost(odd):
    state = {"objective": "old", "plan": [ONE, TWO], "mode": "done", "archive": odd}
    closed = closing.closed_objective(state)
    kept = [*closed.steps, *closed.rest]
    assert ONE in kept
    assert TWO in kept
    assert closing.steps_pruned(state) == 0
    closing.unmark(state)
    assert not closing.is_marked(state) or odd == {"ending": 3}


def test_marking_and_dropping_leave_the_rest_of_the_archives_record():
    state = {"objective": "old", "plan": [], "archive": {"path": "p"}}
    closing.count_steps(state, 2)
    closing.mark(state, [])
    closing.unmark(state)
    assert state["archive"] == {"path": "p", "steps_pruned": 2}
    closing.forget_steps(state)
    assert state["archive"] == {"path": "p"}
