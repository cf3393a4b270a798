from datetime import UTC, datetime

import pytest

from operators_edge.errors import UsageError
from operators_edge.quality import score

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
    return score.judge(state or {}, entries, ())


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
    found = {n: score.Rating(met=i < count, note="n") for i, n in enumerate(score.CHECKS)}
    state = {}
    said = score.record(state, found, {}, now=NOW)
    assert (state["self_score"]["total"], state["self_score"]["level"]) == (count, level)
    assert said.text.startswith(f"Score {count} of 6 ({level})")


def test_what_somebody_says_is_kept_and_counts_for_nothing():
    state = {}
    reports = {"stop_condition": "asked in the chat", "memory_update": "I learned a lot"}
    score.record(state, judged(), reports, now=NOW)
    checks = state["self_score"]["checks"]
    assert checks["stop_condition"]["met"] is False
    assert checks["stop_condition"]["source"] == score.NOT_APPLIED
    assert "self-reported: asked in the chat" in checks["stop_condition"]["note"]
    assert state["self_score"]["total"] == 0


def test_a_step_that_is_said_to_be_done_revises_no_plan():
    def plan(seq, status, *more):
        steps = [{"key": "a", "status": status}, *more]
        return {**event(seq, "plan"), "data": {"steps": steps}}

    failure = ran(2, "make", success=False)
    assert not met(plan(1, "pending"), failure, plan(3, "completed"))["plan_revision"]
    assert met(plan(1, "pending"), failure, plan(3, "pending", {"key": "b"}))["plan_revision"]


@pytest.mark.parametrize("text", ["nonsense=x", "stop_condition", ""])
def test_a_report_of_no_check_is_refused(text):
    with pytest.raises(UsageError):
        score.report_of(text)


# -- over several objectives -----------------------------------------------------------------------


def done(total, *missed, **more):
    checks = {name: {"met": name not in missed, "source": "evidence"} for name in score.CHECKS}
    kept = {"total": total, "checks": checks}
    return {"type": "completed_objective", "self_score": total, "score": kept, **more}


OLDER = {
    "type": "completed_objective",
    "self_score": {
        "total": 4,
        "checks": {
            "plan_revision": {"met": False, "note": "the plan was kept"},
            "tool_switching": {"met": False, "note": "N/A - no tool failures"},
        },
    },
}


def test_scores_are_read_back_as_this_version_and_older_ones_kept_them():
    plain = {"type": "completed_objective", "self_score": 5}
    without = {"type": "completed_objective", "self_score": None}
    other = {"type": "completed_step", "self_score": 6}
    assert score.past_scores([plain, without, other, OLDER, done(6)]) == [
        score.PastScore(5, None),
        score.PastScore(4, ("plan_revision",)),
        score.PastScore(6, ()),
    ]


def test_only_the_last_objectives_tell_how_the_work_goes_now():
    assert [each.total for each in score.past_scores(done(n) for n in range(30))] == [
        *range(20, 30)
    ]


@pytest.mark.parametrize("odd", [None, 3, "x", [], {"checks": 3}, {"checks": {"a": None}}])
def test_a_score_that_a_hand_wrote_fails_nothing(odd):
    assert not score.missed(odd)
    assert score.total_of({"total": odd}) == (3 if odd == 3 else None)


def test_the_score_stands_beside_those_before_and_names_what_is_missed_again():
    before = score.past_scores(
        [done(5, "plan_revision"), done(4, "plan_revision", "memory_update")]
    )
    said = score.record({}, judged(), {}, now=NOW, before=before)
    assert said.text.splitlines()[-2:] == [
        "Earlier objectives, oldest first: 5, 4",
        "Missed repeatedly: plan_revision (2 of 3), memory_update (2 of 3)",
    ]
    assert said.data["trend"] == {
        "totals": [5, 4],
        "missed_again": {"plan_revision": 2, "memory_update": 2},
    }
    assert max(map(len, said.text.splitlines())) <= 80


def test_without_any_before_nothing_is_said_of_them():
    assert "before" not in score.record({}, judged(), {}, now=NOW).text
