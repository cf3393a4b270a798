from datetime import UTC, datetime

import pytest

from operators_edge.core import score
from operators_edge.errors import UsageError

NOW = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)


def ran(seq, command, *, success):
    return {
        "seq": seq,
        "event": "tool",
        "tool": "Bash",
        "success": success,
        "data": {"command": command},
    }


def event(seq, name, **data):
    return {"seq": seq, "event": name, "data": data}


def judged(*entries, state=None):
    return score.judge(state or {}, score.course_of(entries), ())


def met(*entries, state=None):
    return {name: found.met for name, found in judged(*entries, state=state).items()}


def test_where_nothing_happened_nothing_is_claimed_and_only_memory_applies():
    assert met() == dict.fromkeys(score.CHECKS) | {"memory_update": False}


def test_a_failure_that_nobody_followed_up_is_told():
    found = met(ran(1, "make", success=False), ran(2, "ls", success=True))
    assert found["mismatch_detection"] is False
    assert found["plan_revision"] is False
    assert found["tool_switching"] is None


def test_a_failure_that_was_followed_up_is_told():
    found = met(
        ran(1, "make", success=False),
        ran(2, "make", success=False),
        ran(3, "make clean", success=True),
        event(4, "mismatch", to="added"),
        event(5, "plan", steps=[]),
        event(6, "lesson", to="added"),
        event(7, "question", to="added"),
        state={"plan": [{"status": "completed", "proof": "seen"}]},
    )
    assert found == dict.fromkeys(score.CHECKS, True)


def test_a_plan_made_before_the_failure_is_no_revision():
    assert met(event(1, "plan"), ran(2, "make", success=False))["plan_revision"] is False


def test_doing_the_same_a_third_time_is_no_switch():
    same = [ran(n, "make", success=False) for n in range(1, 4)]
    assert met(*same)["tool_switching"] is False


def test_a_decision_that_the_product_raised_by_itself_is_no_stop():
    own = met(event(1, "junction_raised", type="quality_gate"))
    assert own["stop_condition"] is None
    assert met(event(1, "junction_raised", type="irreversible"))["stop_condition"] is True


def test_a_completed_step_without_a_proof_is_told():
    state = {"plan": [{"status": "completed", "proof": "null"}]}
    assert met(state=state)["proof_generation"] is False


DEMO, FRAGILE, REAL = (name for _, name in reversed(score.LEVELS))


@pytest.mark.parametrize(
    ("count", "level"),
    [(0, DEMO), (2, DEMO), (3, FRAGILE), (4, FRAGILE), (5, REAL), (6, REAL)],
)
def test_the_level_follows_the_total(count, level):
    found = {n: score.Found(met=i < count, note="n") for i, n in enumerate(score.CHECKS)}
    state = {}
    said = score.record(state, found, {}, now=NOW)
    assert (state["self_score"]["total"], state["self_score"]["level"]) == (count, level)
    assert said.text.startswith(f"Score {count} of 6 ({level})")


def test_what_somebody_says_counts_only_where_evidence_says_nothing():
    state = {}
    reports = {"stop_condition": "asked in the chat", "memory_update": "I learned a lot"}
    score.record(state, judged(), reports, now=NOW)
    checks = state["self_score"]["checks"]
    assert checks["stop_condition"]["met"] is True
    assert checks["stop_condition"]["source"] == "self-report"
    assert "self-reported: asked in the chat" in checks["stop_condition"]["note"]
    assert checks["memory_update"]["met"] is False
    assert checks["memory_update"]["source"] == "evidence"
    assert state["self_score"]["total"] == 1


@pytest.mark.parametrize("text", ["nonsense=x", "stop_condition", ""])
def test_a_report_of_no_check_is_refused(text):
    with pytest.raises(UsageError):
        score.report_of(text)
