"""Observations from memory, archive and scores, and the one proposal."""

import pytest
from hypothesis import given, strategies as st

from operators_edge.loop import retrospective
from operators_edge.memory import similarity
from operators_edge.quality import score


def lesson(trigger, text, **more):
    return {"trigger": trigger, "lesson": text, "reinforced": 0, **more}


ALIKE = {
    "memory": [
        lesson("pytest fails", "install the fixture package first"),
        lesson("pytest fails again", "install the fixture package"),
    ]
}


def test_nothing_remembered_proposes_nothing_and_says_that_the_memory_is_small():
    seen = retrospective.reflect({}, [])
    assert seen.proposal is None
    assert seen.observations == ("the memory is small: 0 lessons",)


def test_lessons_that_say_the_same_are_proposed_to_be_merged():
    proposal = retrospective.reflect(ALIKE, []).proposal
    assert proposal["type"] == "consolidation"
    assert proposal["run"] == "edge prune --dry-run"
    apart = {
        "memory": [lesson("pytest fails", "clean the cache"), lesson("git push", "pull first")]
    }
    assert retrospective.reflect(apart, []).proposal is None


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
    assert retrospective.reflect({"memory": memory}, []).proposal is None
    assert similarity.merge(memory)[1] == []


def scored(*missed):
    checks = {name: {"met": name not in missed, "source": "evidence"} for name in score.CHECKS}
    checks["tool_switching"] = {"met": False, "source": "n/a", "note": "nothing failed twice"}
    kept = {"total": 5 - len(missed), "checks": checks}
    return {"type": "completed_objective", "self_score": kept["total"], "score": kept}


def test_a_check_that_the_archived_scores_miss_again_and_again_is_a_weakness():
    missed = scored("plan_revision")
    assert retrospective.reflect({}, [missed, missed]).proposal is None
    proposal = retrospective.reflect({}, [missed, scored(), missed, missed]).proposal
    assert proposal["title"] == "Address a weakness: plan revision"
    assert proposal["description"] == "3 of the last 4 scores miss it."
    assert proposal["evidence"] == ["scores: 4, 5, 4, 4"]
    seen = retrospective.reflect({}, [scored(), missed])
    assert "the latest score misses plan revision" in seen.observations


def test_the_score_of_the_current_objective_counts_and_old_scores_hold_totals_alone():
    missed = scored("plan_revision")
    state = {"self_score": missed["score"]}
    old = {"type": "completed_objective", "self_score": 3}
    seen = retrospective.reflect(state, [old, missed])
    assert seen.proposal is None
    assert "the last scores: 3, 4, 4" in seen.observations
    assert retrospective.reflect(state, [missed, missed]).proposal["type"] == "improvement"
    state["self_score"]["checks"]["plan_revision"]["note"] = "N/A - nothing failed"
    assert retrospective.reflect(state, [old, old]).proposal is None


def test_the_best_is_proposed_and_the_next_one_once_a_person_has_answered():
    weak = [scored("plan_revision")] * 3
    first = retrospective.reflect(ALIKE, weak)
    assert first.proposal["type"] == "improvement"
    answered = {"type": "proposal", "decision": "skip", "fingerprint": first.proposal["id"]}
    second = retrospective.reflect({**ALIKE, "junction_history": [answered]}, weak)
    assert second.proposal["type"] == "consolidation"
    assert second.telemetry["candidates"] == 2


def test_a_session_has_one_proposal():
    assert not retrospective.had_proposal({}, "s1")
    assert retrospective.had_proposal({"gear": {"proposal_session": "s1"}}, "s1")
    assert not retrospective.had_proposal({"gear": {"proposal_session": "s1"}}, "s2")
    assert retrospective.had_proposal({"junction": {"type": "proposal"}}, "s2")
    assert not retrospective.had_proposal({"gear": {"proposal_session": ""}}, "")


def test_the_same_proposal_has_the_same_id_when_another_score_misses_the_check():
    weak = [scored("plan_revision")] * 3
    one, other = (retrospective.reflect({}, each).proposal for each in (weak, [*weak, weak[0]]))
    assert one["id"] == other["id"]
    assert one["description"] != other["description"]


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
    seen = retrospective.reflect(state, archive)
    assert all(isinstance(each, str) for each in seen.observations)
