"""Mismatches as edits of the state: added, resolved, learned from, read whatever form they have."""

import copy
from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st
from tests.properties import examples

from operators_edge.errors import UsageError
from operators_edge.memory import mismatches
from operators_edge.state import schema

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def state(**more):
    plan = [
        {"description": "one", "status": "completed"},
        {"description": "two", "status": "in_progress", "expected": "a list"},
    ]
    return {**schema.fresh(), "plan": plan, **more}


def test_one_that_is_added_belongs_to_the_step_at_work_and_expects_what_the_step_does():
    now = state()
    told = mismatches.add(now, "a 403", now=NOW, fields={"confidence": 0.8})
    (entry,) = now["mismatches"]
    assert entry == {
        "id": "mismatch-001",
        "step": 2,
        "timestamp": "2026-03-01T12:00:00+00:00",
        "expectation": "a list",
        "observation": "a 403",
        "confidence": 0.8,
        "resolved": False,
        "resolution": None,
    }
    assert told.text == "Mismatch 1 (mismatch-001): expected a list, saw a 403"
    assert [event for event, _ in told.events] == ["mismatch"]


def test_one_that_says_the_same_is_not_doubled_until_the_first_is_resolved():
    now = state()
    mismatches.add(now, "a 403", now=NOW)
    again = mismatches.add(now, "a 403", now=NOW)
    assert (len(now["mismatches"]), again.events) == (1, ())
    mismatches.resolve(now, 1, "a new token", now=NOW)
    mismatches.add(now, "a 403", now=NOW)
    assert [each["id"] for each in now["mismatches"]] == ["mismatch-001", "mismatch-002"]


def test_an_id_that_was_archived_is_not_given_again():
    now = state()
    assert mismatches.add(now, "a 403", now=NOW, after=7).data["mismatch"] == "mismatch-008"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"observation": " "}, "this one is empty"),
        ({"observation": "x", "step": 3}, "there is no step 3"),
        ({"observation": "x", "step": 0}, "there is no step 0"),
        ({"observation": "x", "fields": {"confidence": 1.1}}, "from 0 to 1"),
        ({"observation": "x", "fields": {"confidence": float("nan")}}, "from 0 to 1"),
        ({"observation": "x", "fields": {"suspected_cause": ""}}, "the cause needs text"),
        ({"observation": "x", "expectation": ""}, "what was expected needs text"),
    ],
)
def test_what_makes_no_mismatch_is_refused(given, why):
    with pytest.raises(UsageError, match=why):
        mismatches.add(state(), now=NOW, **given)


def test_resolving_one_with_a_trigger_makes_a_lesson():
    now = state()
    mismatches.add(now, "a 403", now=NOW)
    told = mismatches.resolve(now, 1, "refresh the token first", now=NOW, trigger="API says 403")
    (entry,), (lesson,) = now["mismatches"], now["memory"]
    assert entry["resolved"] is True
    assert entry["resolution"] == "refresh the token first"
    assert entry["lesson_extracted"] == {
        "trigger": "API says 403",
        "lesson": "refresh the token first",
    }
    assert (lesson["trigger"], lesson["lesson"]) == ("API says 403", "refresh the token first")
    assert lesson["source"] == "mismatch-001"
    assert [event for event, _ in told.events] == ["mismatch", "lesson"]


def test_the_trigger_may_be_known_from_the_start_and_the_lesson_may_be_said_in_other_words():
    now = state()
    mismatches.add(now, "a 403", now=NOW, fields={"trigger": "403"})
    mismatches.resolve(now, "mismatch-001", "done", now=NOW, lesson="tokens live an hour")
    assert now["memory"][0]["lesson"] == "tokens live an hour"


def test_without_a_trigger_there_is_no_lesson_and_that_is_said():
    now = state()
    mismatches.add(now, "a 403", now=NOW)
    told = mismatches.resolve(now, 1, "it was a typing error", now=NOW)
    assert "memory" not in now
    assert "--trigger" in told.remarks[0]
    with pytest.raises(UsageError, match="needs a trigger"):
        mismatches.resolve(now, 1, "x", now=NOW, lesson="y")


def test_an_entry_written_by_hand_is_read_as_it_is_meant():
    now = state(mismatches=["the API says 403", {"status": "open", "id": "m1"}, {"resolved": True}])
    assert [number for number, _ in mismatches.unresolved(now)] == [1, 2]
    assert mismatches.lines(now) == [
        "  1. the API says 403",
        "  2. m1",
        "  3. resolved: without text",
    ]
    mismatches.resolve(now, 1, "a new token", now=NOW)
    mismatches.resolve(now, "m1", "gone", now=NOW)
    assert now["mismatches"][0]["observation"] == "the API says 403"
    assert now["mismatches"][1]["status"] == "resolved"
    assert mismatches.unresolved(now) == []


def test_the_details_of_one_stand_under_it():
    now = state()
    fields = {"suspected_cause": "the token", "confidence": 0.8}
    mismatches.add(now, "a 403", now=NOW, fields=fields)
    assert mismatches.lines(now) == [
        "  1. step 2: expected a list, saw a 403",
        "     cause: the token (80% sure)",
    ]
    assert mismatches.listed(now)[0]["number"] == 1


@pytest.mark.parametrize("name", [2, 0, -1, "m2", "", "mismatch-001x"])
def test_one_that_is_not_there_is_no_guess(name):
    now = state(mismatches=[{"id": "mismatch-001", "observation": "x"}])
    with pytest.raises(UsageError, match="there is 1 mismatch"):
        mismatches.resolve(now, name, "done", now=NOW)


def test_an_open_one_is_meant_where_two_have_the_same_id():
    now = state(mismatches=[{"id": "m", "resolved": True}, {"id": "m", "observation": "x"}])
    assert mismatches.resolve(now, "m", "done", now=NOW).data["number"] == 2


_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=5,
)
_ENTRY = _ANY | st.dictionaries(
    st.sampled_from(
        ["id", "observation", "expectation", "resolved", "status", "step", "confidence", "trigger"]
    ),
    _ANY,
)


@examples(50)
@given(st.lists(_ENTRY, max_size=5))
def test_whatever_stands_there_is_listed_and_resolving_every_open_one_leaves_none(found):
    now = state(mismatches=copy.deepcopy(found))
    assert len(mismatches.listed(now)) == len(found)
    assert "\x1b" not in "\n".join(mismatches.lines(now))
    for number, _ in mismatches.unresolved(now):
        mismatches.resolve(now, number, "done", now=NOW)
    assert mismatches.unresolved(now) == []
