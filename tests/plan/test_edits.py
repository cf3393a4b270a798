import copy

import pytest
from hypothesis import given, strategies as st
from tests.properties import examples

from operators_edge.errors import UsageError
from operators_edge.plan import edits as plan_edits
from operators_edge.state import document, schema

NOTHING = {"proof": None, "actual": None, "delta": None}


def state_of(*statuses, **more):
    steps = [{"description": f"step {n}", "status": s} for n, s in enumerate(statuses, 1)]
    return {"plan": steps, "current_step": 1, **more}


def statuses(state):
    return [step.get("status") for step in state["plan"]]


def texts(state):
    return [step["description"] for step in state["plan"]]


def at_work(state):
    """The current step as it will be stored."""
    return schema.current_step(state)


# -- the laws --------------------------------------------------------------------------------------

TEXT = st.text(min_size=1, max_size=20).filter(lambda text: text.strip())
EDIT = st.one_of(
    st.tuples(st.just("add"), st.lists(TEXT, min_size=1, max_size=3), st.integers(0, 9)),
    st.tuples(st.just("edit"), st.integers(0, 9), TEXT),
    st.tuples(st.just("move"), st.integers(0, 9), st.integers(0, 9)),
    st.tuples(st.just("rm"), st.lists(st.integers(0, 9), min_size=1, max_size=3)),
    st.tuples(st.sampled_from(["start", "done", "block"]), st.integers(0, 9)),
)


def apply(state, edit):
    """Run one edit; returns the numbers it touched, or None where it was refused."""
    name, *words = edit
    if name == "add":
        return plan_edits.add_steps(state, words[0], at=words[1] or None, fields=None).data["steps"]
    if name == "edit":
        return [plan_edits.edit_step(state, words[0], words[1]).data["step"]]
    if name == "move":
        return [plan_edits.move_step(state, *words).data["step"]]
    if name == "rm":
        return plan_edits.remove_steps(state, words[0], force=True).data["removed"]
    if name == "start":
        return [plan_edits.start(state, words[0]).data["step"]]
    if name == "done":
        return [plan_edits.finish(state, words[0], NOTHING).data["step"]]
    return [plan_edits.block(state, words[0], None, NOTHING).data["step"]]


@given(st.lists(EDIT, max_size=12))
def test_an_edit_keeps_every_step_it_does_not_name_and_refuses_numbers_that_are_not_shown(edits):
    state = state_of("pending", "completed", "in_progress")
    for edit in edits:
        before = copy.deepcopy(state["plan"])
        count = len(before)
        name, *words = edit
        try:
            touched = apply(state, edit)
        except UsageError:
            named = words[0] if name == "rm" else words if name == "move" else [words[-1]]
            named = [words[0]] if name in ("edit", "start", "done", "block") else named
            assert any(not 1 <= n <= count + (name == "add") for n in named)
            assert state["plan"] == before
            continue
        if name == "add":
            rest = [step for n, step in enumerate(state["plan"], 1) if n not in touched]
            assert rest == before
        elif name == "move":
            source, to = words
            assert state["plan"][to - 1] == before[source - 1]
            moved = list(before)
            moved.insert(to - 1, moved.pop(source - 1))
            assert state["plan"] == moved
        elif name == "rm":
            assert state["plan"] == [s for n, s in enumerate(before, 1) if n not in touched]
        else:
            others = [n for n in range(count) if n + 1 not in touched]
            assert [state["plan"][n] for n in others] == [before[n] for n in others]
        assert 0 <= at_work(state) <= len(state["plan"]) + 1


WRITTEN = [
    "- description: 'one'   # why one\n  status: pending\n  own: {a: 1}\n",
    "# before two\n- description: >-\n    two, folded\n    text\n  status: pending # not yet\n",
    "- three alone   # a text\n",
    '- {description: "four, in a flow", status: completed, proof: "p"}\n',
    "- description: five\n  status: pending\n  expected: |\n    a\n      b\n",
]
MARKS = ["'one'   # why one\n", "two, folded\n    text\n", "- three alone   # a text\n"]
MARKS += ['{description: "four, in a flow", status: completed, proof: "p"}\n']
MARKS += ["  expected: |\n    a\n      b\n"]
READ = ["one", "two, folded text", "three alone", "four, in a flow", "five"]


@examples(60)
@given(st.lists(EDIT, min_size=1, max_size=4))
def test_the_text_of_a_step_that_no_edit_touched_stays_as_it_was_written_to_the_byte(edits):
    text = "schema_version: 4\nobjective: x\ncurrent_step: 1\nplan:\n"
    text += "".join(WRITTEN) + "constraints: []\n"
    held = document.parse(text, "active_context.yaml")
    untouched = set(range(5))
    for edit in edits:
        before = held.state()
        after = copy.deepcopy(before)
        try:
            apply(after, edit)
        except UsageError:
            continue
        after["current_step"] = schema.current_step(after)
        untouched -= {n for n in untouched if _step(before, n) != _step(after, n)}
        held = document.changed(held, before, after)
        assert held.state() == after
    for n in untouched:
        assert MARKS[n] in held.human


def _step(state, n):
    return next((s for s in state["plan"] if s.get("description") == READ[n]), None)


# -- adding, changing, moving, removing ------------------------------------------------------------


def test_steps_are_added_in_their_order_at_the_end_or_before_a_number():
    state = state_of("pending", "pending")
    said = plan_edits.add_steps(state, ["a", "b"], at=2, fields=None)
    assert texts(state) == ["step 1", "a", "b", "step 2"]
    assert said.data == {"step": 2, "steps": [2, 3]}
    assert plan_edits.add_steps(state, ["c"], fields=None).data["step"] == 5


def test_a_new_step_says_what_is_expected_and_how_it_is_verified():
    state = {"plan": []}
    fields = {"expected": " green ", "verification": "pytest", "is_verification": True}
    plan_edits.add_steps(state, ["run the tests"], fields=fields)
    (step,) = state["plan"]
    assert step["expected"] == "green"
    assert (step["verification"], step["is_verification"]) == ("pytest", True)


def test_what_belongs_to_one_step_is_not_given_to_several():
    with pytest.raises(UsageError, match="--expected belongs to one step, and these are 2"):
        plan_edits.add_steps({"plan": []}, ["a", "b"], fields={"expected": "x"})


def test_an_empty_value_takes_a_field_away_and_what_is_not_named_stays():
    state = state_of("pending")
    state["plan"][0] |= {"expected": "x", "own": 1}
    plan_edits.edit_step(state, 1, None, fields={"expected": "", "verification": None})
    assert state["plan"] == [{"description": "step 1", "status": "pending", "own": 1}]
    with pytest.raises(UsageError, match="no change of step 1 was given"):
        plan_edits.edit_step(state, 1, None)


def test_a_new_text_for_a_completed_step_is_remarked():
    said = plan_edits.edit_step(state_of("completed"), 1, "another")
    assert said.remarks == ("step 1 is completed: its proof now counts for the new text",)


def test_a_completed_step_leaves_the_plan_only_by_force():
    state = state_of("completed", "pending", "pending")
    with pytest.raises(UsageError) as caught:
        plan_edits.remove_steps(state, [2, 1])
    assert caught.value.hint == "edge plan rm 1 --force"
    assert len(state["plan"]) == 3
    plan_edits.remove_steps(state, [2, 3])
    plan_edits.remove_steps(state, [1], force=True)
    assert state["plan"] == []


def test_the_pointer_stays_on_its_step_when_others_come_and_go():
    state = state_of("pending", "in_progress", "pending", current_step=2)
    plan_edits.add_steps(state, ["new"], at=1, fields=None)
    assert at_work(state) == 3
    plan_edits.move_step(state, 3, 1)
    assert at_work(state) == 1
    plan_edits.remove_steps(state, [2])
    assert texts(state)[at_work(state) - 1] == "step 2"


@pytest.mark.parametrize("number", [0, -1, 4, 10**30])
def test_a_number_that_is_not_shown_is_refused_by_every_edit(number):
    edits = [
        lambda state: plan_edits.edit_step(state, number, "x"),
        lambda state: plan_edits.move_step(state, number, 1),
        lambda state: plan_edits.remove_steps(state, [number]),
        lambda state: plan_edits.start(state, number),
        lambda state: plan_edits.finish(state, number, NOTHING),
        lambda state: plan_edits.block(state, number, "x", NOTHING),
        lambda state: plan_edits.reopen(state, number),
        lambda state: plan_edits.prove(state, number, {"proof": "x"}),
    ]
    for edit in edits:
        with pytest.raises(UsageError, match=r"there is no step -?\d+: the plan has 3 steps"):
            edit(state_of("pending", "pending", "pending"))
    with pytest.raises(UsageError, match="not a position in the plan: it can be 1 to 3"):
        plan_edits.move_step(state_of("pending", "pending", "pending"), 1, number)


@pytest.mark.parametrize("plan", ["do it", {"a": 1}, 7])
def test_a_plan_that_is_no_list_is_left_to_its_author(plan):
    state = {"plan": plan}
    with pytest.raises(UsageError, match="is not a list"):
        plan_edits.add_steps(state, ["x"], fields=None)
    assert state == {"plan": plan}


# -- how far it is ---------------------------------------------------------------------------------


def test_without_a_number_the_current_step_is_meant():
    state = state_of("completed", "pending", "pending", current_step=2)
    assert plan_edits.start(state, None).data["step"] == 2
    assert plan_edits.finish(state, None, {"proof": "seen"}).data["step"] == 2
    assert state["plan"][1] == {"description": "step 2", "status": "completed", "proof": "seen"}
    assert at_work(state) == 3


@pytest.mark.parametrize(
    ("state", "why"), [({"plan": []}, "plan is empty"), (state_of("completed"), "every step")]
)
def test_where_no_step_is_open_there_is_no_current_one(state, why):
    with pytest.raises(UsageError, match=why):
        plan_edits.finish(state, None, NOTHING)


def test_a_second_step_may_be_started_and_the_first_is_named():
    state = state_of("in_progress", "pending")
    said = plan_edits.start(state, 2)
    assert said.remarks == ("step 1 is still in progress",)
    assert statuses(state) == ["in_progress", "in_progress"]
    assert at_work(state) == 2
    plan_edits.finish(state, 2, NOTHING)
    assert at_work(state) == 1


def test_a_step_that_is_done_hands_over_to_the_one_that_can_be_worked_on():
    state = state_of("blocked", "in_progress", "pending", current_step=2)
    plan_edits.finish(state, 2, NOTHING)
    assert at_work(state) == 3
    plan_edits.finish(state, 3, NOTHING)
    assert at_work(state) == 1


def test_a_blocked_step_says_why_until_it_goes_on():
    state = state_of("in_progress", "pending")
    said = plan_edits.block(state, 1, "the API is down", NOTHING)
    assert state["plan"][0]["blocked_by"] == "the API is down"
    assert said.events[0][1]["why"] == "the API is down"
    assert at_work(state) == 2
    plan_edits.start(state, 1)
    assert "blocked_by" not in state["plan"][0]


def test_a_step_is_logged_by_its_number_its_key_and_what_was_said_of_it():
    state = state_of("pending", "pending")
    state["plan"][1]["description"] = "step  1"
    (event,) = plan_edits.finish(state, 2, {**NOTHING, "proof": "p", "actual": "a"}).events
    name, data = event
    assert name == "step"
    assert data["key"].endswith("#2")
    assert data | {"key": ""} == {
        "step": 2,
        "key": "",
        "to": "completed",
        "proof": "p",
        "actual": "a",
    }


def test_a_proof_changes_nothing_but_the_proof():
    state = state_of("pending")
    said = plan_edits.prove(state, 1, {"proof": "seen"})
    assert state["plan"][0]["status"] == "pending"
    assert said.remarks == ("step 1 is not completed: edge step done 1",)


def test_what_was_done_can_be_open_again_with_its_proof():
    state = state_of("completed")
    state["plan"][0]["proof"] = "p"
    plan_edits.reopen(state, 1)
    assert state["plan"] == [{"description": "step 1", "status": "pending", "proof": "p"}]
    assert "was completed" in plan_edits.block(state_of("completed"), 1, None, NOTHING).remarks[0]
    assert "already" in plan_edits.finish(state_of("completed"), 1, NOTHING).remarks[0]


def test_a_step_is_shown_with_all_it_says_and_nothing_a_terminal_obeys():
    state = state_of("in_progress")
    state["plan"][0] |= {"description": "a\x1b[31m\nb", "expected": "x" * 500, "proof": None}
    first, second = plan_edits.lines(state)
    assert first == "[>] 1. a [31m b"
    assert second.startswith("      expected: xxx")
    assert len(second) < 200


# -- texts -----------------------------------------------------------------------------------------


def test_a_text_is_kept_as_it_was_said_but_for_white_space_around_it():
    assert plan_edits.checked_text(" a\r\nb\tc\x1b[0m\u202e ", "it") == "a\nb\tc\x1b[0m\u202e"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "this one is empty"),
        (" \n\t", "this one is empty"),
        ("x" * 10_001, "has 10,001 characters; the limit is 10,000"),
        ("\udcff", "is not UTF-8 text"),
    ],
)
def test_what_is_no_text_is_refused_with_the_reason(text, why):
    with pytest.raises(UsageError, match=why):
        plan_edits.checked_text(text, "a step")


# -- objective, intent, next -----------------------------------------------------------------------


def test_a_new_objective_leaves_the_plan_and_says_so():
    state = state_of("pending", objective="old")
    assert plan_edits.set_objective(state, "new").remarks == (
        "the plan keeps its 1 step from the previous objective",
    )
    assert plan_edits.set_objective(state, None).data == {"objective": None}
    assert len(state["plan"]) == 1


def test_an_intent_keeps_what_others_wrote_into_it():
    state = {"intent": {"user_wants": "a", "may_touch": "src"}}
    plan_edits.set_intent(state, None, success="it is fast")
    assert state["intent"] == {
        "user_wants": "a",
        "may_touch": "src",
        "success_looks_like": "it is fast",
    }
    state = {"intent": "in a hurry"}
    plan_edits.set_intent(state, None, success="s")
    assert state["intent"] == {"user_wants": "in a hurry", "success_looks_like": "s"}
    plan_edits.set_intent(state, None)
    assert "intent" not in state


def test_the_next_action_is_said_and_cleared():
    state = {}
    assert plan_edits.set_next(state, "go").data == {"next_action": "go"}
    plan_edits.set_next(state, None)
    assert state == {"next_action": None}
