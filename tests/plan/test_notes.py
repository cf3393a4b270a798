from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st

from operators_edge.errors import UsageError
from operators_edge.plan import notes as plan_notes
from operators_edge.plan.notes import CONSTRAINT, KINDS, NOTE, QUESTION, RISK

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_added_is_shown_under_the_number_that_takes_it_out_again(kind):
    state = {}
    assert plan_notes.add(state, kind, ["a", "b", "c"]).data["numbers"] == [1, 2, 3]
    assert plan_notes.lines(state, kind)[1].strip().startswith("2. b")
    plan_notes.remove(state, kind, [2])
    assert [each[kind.field] for each in plan_notes.listed(state, kind)] == ["a", "c"]


@given(st.sampled_from(KINDS), st.lists(st.sampled_from("abcd"), min_size=1), st.data())
def test_numbers_that_are_shown_are_those_that_are_taken_and_the_rest_stays(kind, texts, data):
    state = {}
    plan_notes.add(state, kind, texts)
    shown = plan_notes.listed(state, kind)
    assert [each["number"] for each in shown] == list(range(1, len(set(texts)) + 1))
    gone = data.draw(st.sets(st.sampled_from([each["number"] for each in shown])))
    if gone:
        plan_notes.remove(state, kind, sorted(gone))
    kept = [each[kind.field] for each in shown if each["number"] not in gone]
    assert [each[kind.field] for each in plan_notes.listed(state, kind)] == kept
    with pytest.raises(UsageError):
        plan_notes.remove(state, kind, [len(kept) + 1])


def test_one_that_is_there_is_not_doubled():
    state = {"constraints": ["no new dependency"]}
    said = plan_notes.add(state, CONSTRAINT, ["no new dependency"])
    assert said.remarks == ("constraint 1 says that already",)
    assert said.events == ()
    assert state == {"constraints": ["no new dependency"]}


def test_entries_of_any_form_that_people_write_are_read_as_they_are_meant():
    state = {"risks": ["the API may change", {"risk": "slow", "own": 1}, None, 7]}
    assert [each["risk"] for each in plan_notes.listed(state, RISK)] == [
        "the API may change",
        "slow",
        "",
        "7",
    ]
    plan_notes.set_risk(state, 1, "mitigated", "we pinned it")
    assert state["risks"] == [
        {"risk": "the API may change", "mitigation": "we pinned it", "status": "mitigated"},
        {"risk": "slow", "own": 1},
        None,
        7,
    ]


def test_notes_that_were_one_text_become_the_first_of_a_list():
    state = {"notes": "mine\nall mine\n"}
    said = plan_notes.add(state, NOTE, ["another"])
    assert state["notes"] == ["mine\nall mine\n", "another"]
    assert said.remarks == ("notes was one text; it is the first entry of a list now",)


@pytest.mark.parametrize("kind", KINDS)
def test_a_map_where_a_list_is_meant_is_left_to_its_author(kind):
    state = {kind.key: {"own": 1}}
    with pytest.raises(UsageError, match="is not a list"):
        plan_notes.add(state, kind, ["x"])
    assert state == {kind.key: {"own": 1}}


def test_a_question_keeps_when_it_was_raised_why_and_its_answer():
    state = {}
    plan_notes.ask(state, ["which cache?"], blocking=True, context="step 3", now=NOW)
    assert state["open_questions"] == [
        {
            "question": "which cache?",
            "blocking": True,
            "context": "step 3",
            "raised_at": "2026-03-01T12:00:00+00:00",
        }
    ]
    assert not plan_notes.is_answered(state["open_questions"][0])
    assert plan_notes.lines(state, QUESTION) == ["  1. which cache? (blocking)"]
    said = plan_notes.answer(state, 1, "Redis", now=NOW)
    assert plan_notes.is_answered(state["open_questions"][0])
    assert said.events == (
        ("question", {"to": "answered", "text": "which cache?", "answer": "Redis"}),
    )
    assert plan_notes.lines(state, QUESTION) == ["  1. which cache?\n     answered: Redis"]
    assert plan_notes.answer(state, 1, "none", now=NOW).remarks == (
        "question 1 had an answer: Redis",
    )


def test_an_old_question_that_is_a_text_can_be_answered():
    state = {"open_questions": ["why?"]}
    plan_notes.answer(state, 1, "because", now=NOW)
    assert state["open_questions"][0]["answer"] == "because"


def test_a_risk_is_mitigated_by_something_and_may_come_true():
    state = {}
    plan_notes.add(state, RISK, ["slow"], mitigation=None, status="active")
    said = plan_notes.set_risk(state, 1, "mitigated", None)
    assert "it is not recorded how" in said.remarks[0]
    plan_notes.set_risk(state, 1, "realized", None)
    assert plan_notes.lines(state, RISK) == ["  1. slow (realized)"]
    assert state["risks"] == [{"risk": "slow", "mitigation": None, "status": "realized"}]


@pytest.mark.parametrize("number", [0, -1, 2])
def test_a_number_that_is_not_shown_is_refused(number):
    state = {"notes": ["one"]}
    with pytest.raises(UsageError, match="there is 1 note, counted from 1"):
        plan_notes.remove(state, NOTE, [number])
    with pytest.raises(UsageError, match="there are 0 questions"):
        plan_notes.answer(state, number, "x", now=NOW)
