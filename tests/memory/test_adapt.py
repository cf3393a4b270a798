"""Adaptations to a mismatch: each changes the plan and resolves the mismatch in one edit."""

from datetime import UTC, datetime

import pytest

from operators_edge.errors import UsageError
from operators_edge.memory import adapt, mismatches
from operators_edge.memory.adapt import ESCALATE, INSERT, REPLACE, REVISE, Learned
from operators_edge.plan import notes as plan_notes
from operators_edge.state import schema

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def state(**more):
    steps = [
        {"description": "one", "status": "completed"},
        {"description": "two", "status": "in_progress", "expected": "a list"},
        {"description": "three", "status": "pending"},
    ]
    made = {**schema.fresh(), "plan": steps, **more}
    if "mismatches" not in more:
        mismatches.add(made, "a 403", now=NOW)
    return made


def plan(now):
    return [(step["description"], step["status"]) for step in now["plan"]]


def test_a_revised_step_has_the_new_text_and_is_pending():
    now = state()
    told = adapt.adapt(now, 1, REVISE, "two, with a new token", now=NOW)
    assert plan(now)[1] == ("two, with a new token", "in_progress")
    assert now["mismatches"][0]["resolution"] == "the step was revised: two, with a new token"
    assert told.data["way"] == "revise"


def test_a_step_that_was_blocked_or_completed_is_to_be_done_again_once_it_says_something_else():
    now = state()
    now["plan"][1]["status"] = "completed"
    adapt.adapt(now, 1, REVISE, "two again", now=NOW)
    assert plan(now)[1] == ("two again", "pending")


def test_a_step_that_has_to_come_first_is_put_before_it():
    now = state()
    adapt.adapt(now, 1, INSERT, "refresh the token", now=NOW)
    assert plan(now)[1:3] == [("refresh the token", "pending"), ("two", "in_progress")]


def test_another_step_takes_the_place_of_one():
    now = state()
    adapt.adapt(now, 1, REPLACE, "read the cache", now=NOW)
    assert plan(now) == [("one", "completed"), ("read the cache", "pending"), ("three", "pending")]
    assert mismatches.unresolved(now) == []


def test_a_lesson_of_what_is_escalated_is_refused_and_not_dropped():
    now = state()
    for learned in (Learned(trigger="a 403"), Learned(lesson="ask first")):
        with pytest.raises(UsageError, match="stays open"):
            adapt.adapt(now, 1, ESCALATE, "which account?", now=NOW, learned=learned)
    assert not now.get("open_questions")


def test_escalated_it_stays_open_its_step_is_blocked_and_the_question_blocks():
    now = state()
    told = adapt.adapt(now, 1, ESCALATE, "which account may read?", now=NOW)
    assert len(mismatches.unresolved(now)) == 1
    assert plan(now)[1] == ("two", "blocked")
    (question,) = now["open_questions"]
    assert (question["blocking"], question["question"]) == (True, "which account may read?")
    assert "stays open" in told.remarks[-1]


def test_the_answer_opens_the_step_that_waited_for_it_and_the_mismatch_can_be_adapted_to():
    now = state()
    adapt.adapt(now, 1, ESCALATE, "which account may read?", now=NOW)
    answered = plan_notes.answer(now, 1, "the one of the shop", now=NOW)
    assert plan(now)[1] == ("two", "pending")
    assert "blocked_by" not in now["plan"][1]
    assert answered.remarks == ("adapt the plan with the answer: edge adapt",)
    adapt.adapt(now, 1, REVISE, "read with the shop's account", now=NOW)
    assert mismatches.unresolved(now) == []


def test_what_is_learned_is_kept_with_it():
    now = state()
    learned = Learned(
        "no call without a token", "tokens end early", "API says 403", "refresh first"
    )
    told = adapt.adapt(now, 1, INSERT, "refresh", now=NOW, learned=learned)
    assert now["constraints"] == ["no call without a token"]
    assert now["risks"][0]["risk"] == "tokens end early"
    assert now["memory"][0]["lesson"] == "refresh first"
    assert told.data["lesson"] == {"trigger": "API says 403", "lesson": "refresh first"}


def test_one_that_belongs_to_no_step_needs_one_to_change():
    now = state(mismatches=["a 403"])
    with pytest.raises(UsageError, match="belongs to no step"):
        adapt.adapt(now, 1, REVISE, "x", now=NOW)
    adapt.adapt(now, 1, REVISE, "x", now=NOW, step=3)
    assert plan(now)[2] == ("x", "pending")


def test_a_resolved_one_cannot_be_adapted_to():
    now = state(mismatches=[{"observation": "a 403", "resolved": True}])
    with pytest.raises(UsageError, match="already resolved"):
        adapt.adapt(now, 1, REVISE, "x", now=NOW, step=1)


def test_the_walk_names_every_open_one_and_what_can_be_typed():
    now = state()
    now["mismatches"].append("the disk is full")
    told = "\n".join(adapt.open_lines(now))
    assert "Mismatch 1: expected a list, saw a 403\n  step 2: two" in told
    assert 'edge adapt 2 insert --step N "…"' in told
    assert max(map(len, adapt.open_lines(now))) <= 90
    assert [each["step"] for each in adapt.as_data(now)] == [2, None]
    assert adapt.open_lines(schema.fresh()) == []
