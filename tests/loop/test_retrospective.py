"""Observations from memory, archive and scores, and the one proposal."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from operators_edge.loop import retrospective
from operators_edge.memory import similarity
from operators_edge.quality import score

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def mismatch(text, days=1, **more):
    when = (NOW - timedelta(days=days)).isoformat()
    return {"type": "resolved_mismatch", "timestamp": when, "observation": text, **more}


def lesson(trigger, text, **more):
    return {"trigger": trigger, "lesson": text, "reinforced": 0, **more}


FAILED_TESTS = [mismatch(f"pytest failed in module {n}") for n in range(3)]
ALIKE = {
    "memory": [
        lesson("pytest fails", "install the fixture package first"),
        lesson("pytest fails again", "install the fixture package"),
    ]
}


def test_nothing_remembered_proposes_nothing_and_says_that_the_memory_is_small():
    seen = retrospective.reflect({}, [], now=NOW)
    assert seen.proposal is None
    assert seen.observations == ("the memory is small: 0 lessons",)


def test_mismatches_of_one_kind_become_a_guardrail_only_when_they_recur_of_late():
    assert retrospective.reflect({}, FAILED_TESTS[:2], now=NOW).proposal is None
    old = [mismatch("pytest failed long ago", days=91)] * 5
    assert retrospective.reflect({}, FAILED_TESTS[:2] + old, now=NOW).proposal is None
    proposal = retrospective.reflect({}, FAILED_TESTS, now=NOW).proposal
    assert proposal["type"] == "guardrail"
    assert "about tests: 3 in 90 days" in proposal["title"]
    assert len(proposal["evidence"]) == 3


def test_mismatches_that_are_still_open_count_too():
    state = {"mismatches": [{"observation": "the test suite hangs"}]}
    assert retrospective.reflect(state, FAILED_TESTS[:2], now=NOW).proposal["type"] == "guardrail"


def test_lessons_that_say_the_same_are_proposed_to_be_merged():
    proposal = retrospective.reflect(ALIKE, [], now=NOW).proposal
    assert proposal["type"] == "consolidation"
    assert proposal["run"] == "edge prune --dry-run"
    apart = {
        "memory": [lesson("pytest fails", "clean the cache"), lesson("git push", "pull first")]
    }
    assert retrospective.reflect(apart, [], now=NOW).proposal is None


@pytest.mark.parametrize(
    ("trigger", "one", "other"),
    [
        ("pytest", "always run the slow tests before a push", "never run the slow tests before it"),
        ("port in use", "the server listens on port 5432", "the server listens on port 5433"),
        ("editing config files", "edit the templates instead", "restart the server afterwards"),
    ],
)
def test_lessons_that_prune_would_leave_apart_are_not_proposed_to_be_merged(trigger, one, other):
    memory = [lesson(trigger, one), lesson(trigger, other)]
    assert retrospective.reflect({"memory": memory}, [], now=NOW).proposal is None
    assert similarity.merge(memory)[1] == []


def test_common_subjects_of_lessons_are_named_as_they_were_written():
    memory = [lesson(f"database queries {n}", f"text {n}") for n in range(3)]
    assert "most lessons are about database, queries" in (
        retrospective.reflect({"memory": memory}, [], now=NOW).observations
    )


def test_a_lesson_that_was_let_go_and_then_needed_is_proposed_to_come_back():
    gone = {
        "type": "decayed_lesson",
        "timestamp": (NOW - timedelta(days=5)).isoformat(),
        "trigger": "token expired",
        "lesson": "refresh it first",
    }
    later = mismatch("403: the token had expired", days=2)
    before = mismatch("403: the token had expired", days=9)
    assert retrospective.reflect({}, [gone, before], now=NOW).proposal is None
    assert retrospective.reflect({}, [gone, later], now=NOW).proposal["type"] == "restore_lesson"
    back = {"memory": [lesson("token expired", "refresh it first")]}
    assert retrospective.reflect(back, [gone, later], now=NOW).proposal is None


@pytest.mark.parametrize(
    ("fields", "is_proposed"),
    [
        ({}, True),
        ({"status": "completed"}, False),
        ({"priority": "optional"}, False),
        ({"created": NOW.isoformat()}, False),
        ({"created": "some day"}, False),
    ],
)
def test_research_that_blocks_and_waits_for_long_has_to_be_decided_on(fields, is_proposed):
    waiting = {"id": "R001", "priority": "critical", "created": "2026-02-01T10:00:00", **fields}
    proposal = retrospective.reflect({"research": [waiting]}, [], now=NOW).proposal
    assert (proposal is not None) == is_proposed


def test_a_check_missed_now_is_a_weakness_only_where_scores_were_low_before():
    check = {"met": False, "note": "no mismatch was noted"}
    state = {
        "self_score": {"checks": {"mismatch_detection": check, "stop_condition": {"met": True}}}
    }
    done = {"type": "completed_objective", "self_score": 4}
    assert retrospective.reflect(state, [done], now=NOW).proposal is None
    assert (
        "mismatch detection"
        in retrospective.reflect(state, [done, done], now=NOW).proposal["title"]
    )
    check["note"] = "N/A - no failures"
    assert retrospective.reflect(state, [done, done], now=NOW).proposal is None


def scored(*missed):
    checks = {name: {"met": name not in missed, "source": "evidence"} for name in score.CHECKS}
    checks["tool_switching"] = {"met": False, "source": "n/a", "note": "nothing failed twice"}
    kept = {"total": 5 - len(missed), "checks": checks}
    return {"type": "completed_objective", "self_score": kept["total"], "score": kept}


def test_a_check_that_the_archived_scores_miss_again_and_again_is_a_weakness():
    missed = scored("plan_revision")
    assert retrospective.reflect({}, [missed, missed], now=NOW).proposal is None
    proposal = retrospective.reflect({}, [missed, scored(), missed, missed], now=NOW).proposal
    assert proposal["title"] == "Address a weakness: plan revision"
    assert proposal["description"] == "3 of the last 4 scores miss it."
    assert proposal["evidence"] == ["scores of finished objectives: 4, 5, 4, 4"]
    seen = retrospective.reflect({}, [scored(), missed], now=NOW)
    assert "the latest score misses plan revision" in seen.observations


def test_the_best_is_proposed_and_the_next_one_once_a_person_has_answered():
    first = retrospective.reflect(ALIKE, FAILED_TESTS, now=NOW)
    assert first.proposal["type"] == "guardrail"
    assert first.telemetry["held_back"] == 1
    answered = {"type": "proposal", "decision": "skip", "fingerprint": first.proposal["id"]}
    state = {**ALIKE, "junction_history": [answered]}
    second = retrospective.reflect(state, FAILED_TESTS, now=NOW)
    assert second.proposal["type"] == "consolidation"
    assert second.telemetry["answered_before"] == 1


def test_a_session_has_one_proposal():
    assert not retrospective.had_proposal({}, "s1")
    assert retrospective.had_proposal({"gear": {"proposal_session": "s1"}}, "s1")
    assert not retrospective.had_proposal({"gear": {"proposal_session": "s1"}}, "s2")
    assert retrospective.had_proposal({"junction": {"type": "proposal"}}, "s2")
    assert not retrospective.had_proposal({"gear": {"proposal_session": ""}}, "")
    spent = retrospective.reflect({}, FAILED_TESTS, now=NOW, had_proposal=True)
    assert spent.proposal is None
    assert spent.telemetry["held_back"] == 1


def test_the_same_proposal_has_the_same_id_while_more_of_its_kind_arrives():
    more = [*FAILED_TESTS, mismatch("another assert failed")]
    one, other = (
        retrospective.reflect({}, each, now=NOW).proposal for each in (FAILED_TESTS, more)
    )
    assert one["id"] == other["id"]
    assert one["title"] != other["title"]


ODD = st.one_of(
    st.none(),
    st.text(max_size=5),
    st.integers(),
    st.lists(st.text(max_size=5), max_size=2),
    st.dictionaries(
        st.sampled_from(["trigger", "lesson", "checks", "observation", "status", "type", "id"]),
        st.one_of(st.none(), st.text(max_size=5), st.lists(st.integers(), max_size=2)),
    ),
)


@given(
    st.dictionaries(
        st.sampled_from(["memory", "mismatches", "research", "self_score", "junction_history"]),
        st.one_of(ODD, st.lists(ODD, max_size=4)),
    ),
    st.lists(st.dictionaries(st.sampled_from(["type", "timestamp", "trigger"]), ODD), max_size=4),
)
def test_entries_written_by_hand_cause_no_failure(state, archive):
    seen = retrospective.reflect(state, archive, now=NOW)
    assert all(isinstance(each, str) for each in seen.observations)
