import os

import pytest
from tests.hosting import REPOSITORY
from tests.tables import for_each

from operators_edge.evidence.metrics import counts


def entry(event, session="s", agent="", **more):
    fields = {name: more.pop(name) for name in ("tool_use_id", "success") if name in more}
    when = more.pop("at", "2026-03-01T12:00:00+00:00")
    return {
        "event": event,
        "session": session,
        "agent": agent,
        "timestamp": when,
        "data": more,
        **fields,
    }


def folded(*entries):
    return counts.fold(counts.new_record("/p"), entries)


def numbers(*entries):
    """Every number that is not 0, by its dotted name; entries alone are not listed."""
    told = counts.of_project(folded(*entries))
    return {
        f"{group}.{name}": number
        for group in counts.GROUPS
        for name, number in told[group].items()
        if number and name != "entries"
    }


RAISED = entry("junction_raised", junction="j1")
APPROVED = entry("junction_decided", junction="j1", decision="approve", grants=["g1"])


def test_a_log_without_an_entry_has_every_number_at_nought():
    told = counts.of_project(counts.new_record("/p"))
    assert {group: set(told[group].values()) for group in counts.GROUPS} == {
        group: {0} for group in counts.GROUPS
    }
    assert (told["session_start"], told["last_updated"]) == (None, None)


@for_each(
    ("events", "expected"),
    [
        ([entry("blocked", rule="rm")], {"calls.blocked": 1}),
        ([entry("denied", junction="j")], {"calls.denied_pending": 1}),
        ([entry("denied", why="refused")], {"calls.denied_refused": 1}),
        ([entry("denied", why="the file is damaged")], {"calls.denied_otherwise": 1}),
        ([entry("warned", rule="no-plan")], {"calls.warned": 1}),
        ([entry("approval_forgery")], {"health.forgeries": 1}),
        ([entry("tampering")], {"health.tampering": 1}),
        ([entry("tampering_undone")], {}),
        ([entry("transaction_recovery")], {"health.recoveries": 1}),
        ([entry("log_torn"), entry("log_tail_missing")], {"health.log_damage": 2}),
        ([entry("quality_gate", passed=True)], {"quality_gate.runs": 1}),
        (
            [entry("quality_gate", passed=False)],
            {"quality_gate.runs": 1, "quality_gate.failed": 1},
        ),
        (
            [entry("override_set", override="o", mode="full")],
            {"quality_gate.overrides": 1, "quality_gate.full": 1},
        ),
        (
            [entry("override_set", override="o", mode="check_specific")],
            {"quality_gate.overrides": 1, "quality_gate.check_specific": 1},
        ),
        ([entry("override_invalidated")], {"quality_gate.invalidations": 1}),
        ([entry("stuck", to="counting", count=2)], {"stuck.max_reached": 2}),
        (
            [entry("stuck", to="stuck", count=3), entry("stuck", to="free", why="plan_changed")],
            {"stuck.triggers": 1, "stuck.recoveries": 1, "stuck.max_reached": 3},
        ),
        ([entry("stuck", to="free", why="off")], {}),
        ([entry("eval_orphans_cleared", count=2)], {"cleanup.orphans": 2}),
        ([entry("obligations_expired")], {"cleanup.stale_obligations": 1}),
        ([entry("eval_snapshots_removed", count=4)], {"cleanup.snapshots": 4}),
        ([entry("eval_snapshots_removed", count=-4)], {"cleanup.snapshots": 1}),
        ([entry("session_start", source="startup")], {"record.sessions": 1}),
        ([entry("session_start", source="compact")], {}),
        ([entry("step", to="completed"), entry("step", to="blocked")], {"work.steps_completed": 1}),
        ([entry("step", to="completed", again=True)], {}),
        ([entry("prompt"), entry("objective")], {"work.prompts": 1, "work.objectives": 1}),
        ([entry("snapshot"), entry("undone")], {"work.snapshots": 1, "work.undone": 1}),
        ([RAISED], {"junctions.hit": 1}),
        ([RAISED, APPROVED], {"junctions.hit": 1, "junctions.approved": 1}),
        (
            [RAISED, entry("junction_decided", junction="j1", decision="skip")],
            {"junctions.hit": 1, "junctions.skipped": 1},
        ),
        (
            [RAISED, entry("junction_decided", junction="j1", decision="dismiss", grants=["d"])],
            {"junctions.hit": 1, "junctions.dismissed": 1},
        ),
        (
            [RAISED, entry("junction_decided", junction="j1", decision="withdrawn")],
            {"junctions.hit": 1},
        ),
        ([entry("an event of the future", count=7)], {}),
        ([entry("denied", junction=["odd"]) | {"data": "no map"}], {"calls.denied_otherwise": 1}),
    ],
)
def test_an_event_counts_as_what_it_is(events, expected):
    assert numbers(*events) == expected


def test_calls_and_the_checks_they_ran_are_counted_by_their_outcome():
    def check(passed, *, success=True):
        kind = {"kind": "test", "name": "pytest", "passed": passed}
        return entry("tool", success=success, check=kind)

    found = numbers(
        entry("tool", success=True), check(True), check(False, success=False), check(None)
    )
    assert found == {
        "calls.ran": 4,
        "calls.failed": 1,
        "checks.run": 3,
        "checks.passed": 1,
        "checks.failed": 1,
        "checks.unknown": 1,
    }


# -- dialogs ---------------------------------------------------------------------------------------

ASKED = entry("asked", tool_use_id="t1")


def test_a_call_that_ran_after_its_question_was_approved():
    assert numbers(ASKED, entry("tool", tool_use_id="t1", success=True)) == {
        "calls.ran": 1,
        "dialogs.asked": 1,
        "dialogs.approved": 1,
        "junctions.hit": 1,
        "junctions.approved": 1,
    }


def test_an_agent_that_goes_on_without_the_call_was_told_no():
    assert numbers(ASKED, entry("stop")) == {
        "dialogs.asked": 1,
        "dialogs.refused": 1,
        "junctions.hit": 1,
        "junctions.skipped": 1,
    }


def test_a_yes_that_is_heard_of_late_takes_the_no_back():
    found = numbers(ASKED, entry("stop"), entry("tool", tool_use_id="t1", success=True))
    assert found["dialogs.approved"] == found["junctions.approved"] == 1
    assert "dialogs.refused" not in found
    assert "junctions.skipped" not in found


def test_another_agents_event_and_a_command_of_ours_answer_nothing():
    found = numbers(ASKED, entry("tool", agent="sub", tool_use_id="t2"), entry("note", text="x"))
    assert found == {"dialogs.asked": 1, "junctions.hit": 1, "calls.ran": 1}


# -- drift -----------------------------------------------------------------------------------------


def drift(*entries):
    return numbers(*entries).get("health.drift_events", 0)


def test_what_a_junction_explains_is_no_drift():
    assert drift(RAISED, APPROVED, entry("allowance_used", grants=["g1"])) == 0
    dismissed = entry("junction_decided", junction="j1", decision="dismiss", grants=["d1", "d2"])
    used = entry("dismissal_used", grants=["d1", "d2"])
    assert drift(RAISED, dismissed, used, used) == 0
    assert drift(RAISED, APPROVED, entry("override_used", override="g1")) == 0


@pytest.mark.parametrize(
    "entries",
    [
        [APPROVED],
        [RAISED, APPROVED, APPROVED],
        [entry("allowance_used", grants=["g1"])],
        [entry("allowance_used")],
        [RAISED, APPROVED, *[entry("allowance_used", grants=["g1"])] * 2],
        [entry("dismissal_used", grants=["d1"])],
        [RAISED, APPROVED, entry("dismissal_used", grants=["g1", "d1"])],
        [entry("override_used", override="o1")],
    ],
)
def test_a_decision_or_a_use_that_nothing_explains_is_drift(entries):
    assert drift(*entries) == 1


def test_nobody_is_accused_for_what_was_forgotten():
    many = [entry("junction_raised", junction=f"n{n}") for n in range(counts.EXPLAINED_KEPT)]
    assert drift(RAISED, *many[:-1], APPROVED) == 0
    assert drift(RAISED, *many, APPROVED) == 0
    record = folded(RAISED, *many, APPROVED)
    assert len(record["raised"]) == counts.EXPLAINED_KEPT


# -- sessions --------------------------------------------------------------------------------------


def test_each_session_has_its_own_numbers_and_the_project_all_of_them():
    record = folded(
        entry("blocked", "a", at="2026-03-01T10:00:00+00:00"),
        entry("blocked", "b", at="2026-03-01T11:00:00+00:00"),
        entry("blocked", "a", at="2026-03-01T12:00:00+00:00"),
        entry("log_torn", None, at="2026-03-01T13:00:00+00:00"),
    )
    a = counts.of_session(record, "a")
    assert (a["session"], a["calls"]["blocked"], a["record"]["entries"]) == ("a", 2, 2)
    assert (a["session_start"][11:13], a["last_updated"][11:13]) == ("10", "12")
    whole = counts.of_project(record)
    assert (whole["calls"]["blocked"], whole["record"]["entries"]) == (3, 4)
    assert (whole["session_start"][11:13], whole["last_updated"][11:13]) == ("10", "13")
    assert counts.of_session(record, "c") is None


def test_the_session_that_was_silent_longest_makes_room():
    names = [f"s{n}" for n in range(counts.SESSIONS_KEPT)]
    record = folded(*(entry("prompt", name) for name in names), entry("prompt", "s0"))
    counts.fold(record, [entry("prompt", "new")])
    assert len(record["sessions"]) == counts.SESSIONS_KEPT
    assert counts.of_session(record, "s1") is None
    assert counts.of_session(record, "s0")["work"]["prompts"] == 2


# -- documented ------------------------------------------------------------------------------------


def test_every_number_and_every_event_it_counts_is_documented():
    with open(os.path.join(REPOSITORY, "docs", "metrics.md"), encoding="utf-8") as file:
        text = file.read()
    names = {name for group in counts.GROUPS.values() for name in group} | set(counts.GROUPS)
    counted = set(counts._COUNTED) - {"log_unreadable", "session_start"}
    without_a_name_of_their_own = {"blocked", "warned", "tampering", "allowance_used"}
    without_a_name_of_their_own |= {"dismissal_used", "step", "prompt", "objective", "snapshot"}
    for name in names | (counted - without_a_name_of_their_own):
        assert f"`{name}`" in text, name
