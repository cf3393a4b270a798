"""The rules of the gears, checked for every state, gear and junction."""

import itertools
from datetime import UTC, datetime, timedelta

import pytest
from tests.tables import for_each

from operators_edge.loop import gears
from operators_edge.loop.gears import GEARS, TRANSITIONS, Result
from operators_edge.model import JUNCTION_TYPES, MODES
from operators_edge.plan import modes
from operators_edge.quality import checks as quality_checks

NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


def step(text="write the parser", status="pending", **more):
    return {"description": text, "status": status, **more}


PLANS = {
    "none": [],
    "waiting": [step()],
    "at work": [step(status="in_progress"), step("test it")],
    "blocked": [step(status="blocked")],
    "half": [step(status="completed"), step("test it")],
    "complete": [step(status="completed")],
    "texts": ["write it", 7, None],
    "mirrored": [step(source="host", status="completed")],
}
OBJECTIVES = (None, "ship it")
GEAR_STATES = (
    None,
    "a text",
    {"current_gear": "reverse"},
    *({"current_gear": gear} for gear in GEARS),
    *({"current_gear": gear, "stuck_mark": "another plan"} for gear in GEARS),
)
JUNCTIONS = (None, *JUNCTION_TYPES)


def states():
    for mode, objective, (name, plan), gear, junction in itertools.product(
        (None, *MODES), OBJECTIVES, PLANS.items(), GEAR_STATES, JUNCTIONS
    ):
        state = {
            "objective": objective,
            "plan": [dict(each) if isinstance(each, dict) else each for each in plan],
            "gear": dict(gear) if isinstance(gear, dict) else gear,
            "junction": {"type": junction, "source": "engine"} if junction else None,
        }
        if mode:
            state["mode"] = mode
        yield f"{mode} {objective} {name} {gear} {junction}", state


def results():
    for status, junction, wanted in itertools.product(
        ("ok", "warning", "error"), (None, {"type": "proposal", "payload": {}}), (*GEARS, "none")
    ):
        yield Result(status, suggested_next_gear=wanted, junction=junction)


def walk(state, answer, most=12):
    """Cycles without anybody changing the plan, until nothing more happens; what each was."""
    walked = []
    for _ in range(most):
        way = gears.next_action(state)
        walked.append(way.what)
        if way.what == "gate":
            gears.mark_gate_run(state)
            continue
        if way.what == "stuck" and gears.resume_if_plan_changed(state):
            continue
        if way.what != "run":
            break
        result = answer(way.gear)
        gears.record_run(state, way.gear, gears.next_gear(way.gear, result), now=NOW, telemetry={})
    return walked


def test_a_pending_decision_stops_every_state_before_anything_else():
    for name, state in states():
        if state["junction"]:
            assert gears.next_action(state).what == "pending", name


def test_gears_run_in_active_and_review_alone():
    for name, state in states():
        if modes.current(state) not in ("active", "review"):
            assert gears.next_action(state).what in ("rest", "pending"), name


def test_the_gate_comes_first_in_every_running_state_whose_epoch_turned():
    reached = 0
    for name, state in states():
        due = quality_checks.completion_epoch(state) is not None and not state["junction"]
        if not due or modes.current(state) not in ("active", "review"):
            continue
        gear = state["gear"]
        if isinstance(gear, dict) and gear.get("stuck_mark"):
            assert gears.next_action(state).what == "stuck", name
            assert gears.resume_if_plan_changed(state), name
        assert gears.next_action(state).what == "gate", name
        gears.mark_gate_run(state)
        assert gears.next_action(state).what == "run", name
        reached += 1
    assert reached > 20


def test_the_gate_is_reached_again_by_every_other_complete_plan_and_never_twice_by_one():
    state = {"objective": "ship it", "plan": [step(status="completed")]}
    gears.mark_gate_run(state)
    assert not gears.gate_is_due(state)
    for plan in (
        [step("another", "completed")],
        [step(status="completed"), step("b", "completed")],
    ):
        state["plan"] = plan
        assert gears.gate_is_due(state)
        gears.mark_gate_run(state)
        assert not gears.gate_is_due(state)
    state["plan"] = [step()]
    assert not gears.gate_is_due(state)


def test_a_plan_that_was_open_again_is_asked_about_again_also_where_it_reads_the_same():
    state = {"objective": "ship it", "plan": [step(status="completed")]}
    gears.mark_gate_run(state)
    quality_checks.forget_gate_run_of_open_plan(state)
    assert not gears.gate_is_due(state)
    state["plan"] = [step()]
    quality_checks.forget_gate_run_of_open_plan(state)
    state["plan"] = [step(status="completed")]
    assert gears.gate_is_due(state)


def test_no_state_asks_the_gate_twice_or_runs_without_end():
    for name, state in states():
        for result in results():
            copy = {**state, "gear": state["gear"]}
            walked = walk(copy, lambda _, result=result: result)
            assert walked.count("gate") <= 1, name
            assert walked.count("stuck") <= 1, name


def test_every_cycle_that_runs_counts_towards_the_limit():
    """Whatever the results: each state gets all of them in turn, beginning with another one."""
    every = list(results())
    for start, (name, state) in enumerate(states()):
        copy = {**state}
        if gears.next_action(copy).what == "gate":
            gears.mark_gate_run(copy)
        if gears.next_action(copy).what != "run":
            continue
        for cycle in range(gears.MAX_CYCLES):
            assert not gears.stop_at_limit(copy), name
            way = gears.next_action(copy)
            after = gears.next_gear(way.gear, every[(start + cycle) % len(every)])
            gears.record_run(copy, way.gear, after, now=NOW, telemetry={})
        assert gears.stop_at_limit(copy) == {"to": "stuck", "count": 0, "why": "ceiling"}, name
        assert gears.next_action(copy).what == "stuck", name


def test_work_is_seen_from_every_gear_and_so_is_its_end():
    for gear in (None, *GEARS):
        kept = {"current_gear": gear}
        assert gears.detect({"objective": "x", "plan": [step()], "gear": kept}) == "active"
        done = gears.detect({"objective": "x", "plan": [step(status="completed")], "gear": kept})
        assert done == (gear if gear in ("patrol", "dream") else "patrol")


def test_each_of_the_six_transitions_happens():
    seen = set()
    for name, state in states():
        for result in results():
            copy = {**state}
            if gears.next_action(copy).what == "gate":
                gears.mark_gate_run(copy)
            way = gears.next_action(copy)
            if way.what != "run":
                continue
            seen.add(
                gears.record_run(
                    copy,
                    way.gear,
                    gears.next_gear(way.gear, result),
                    now=NOW,
                    telemetry={},
                )
            )
            assert copy["gear"]["current_gear"] in GEARS, name
    assert seen - {None} == set(TRANSITIONS.values())
    assert len(TRANSITIONS) == 6


def test_an_error_and_a_decision_keep_the_gear():
    for gear in GEARS:
        for result in results():
            if result.status == "error" or result.junction:
                assert gears.next_gear(gear, result) == gear


def test_a_run_counts_itself_and_keeps_when_the_gear_was_entered():
    state = {"objective": "x", "plan": [step()]}
    gears.record_run(state, "active", "active", now=NOW, telemetry={})
    later = NOW + timedelta(minutes=5)
    assert gears.record_run(state, "active", "active", now=later, telemetry={}) is None
    assert state["gear"]["iterations"] == 2
    assert state["gear"]["entered_at"] == NOW.isoformat()
    assert state["gear"]["last_run_at"] == later.isoformat()
    told = gears.record_run(state, "patrol", "patrol", now=later, telemetry={"findings": 4})
    assert told == "active_to_patrol"
    assert state["gear"]["entered_at"] == later.isoformat()
    assert state["gear"]["patrol_findings_count"] == 4


# -- stuck -----------------------------------------------------------------------------------------


def approve(state, *kinds, progress="same"):
    return [gears.count_approval(state, {"type": kind}, progress) for kind in kinds]


def test_three_approvals_of_one_type_without_progress_are_stuck():
    state = {"objective": "x", "plan": [step()]}
    told = approve(state, "external", "external", "external")
    assert [each["to"] for each in told] == ["counting", "counting", "stuck"]
    assert [each["count"] for each in told] == [1, 2, 3]
    assert gears.next_action(state).what == "stuck"


@pytest.mark.parametrize(
    "kinds", [("external", "irreversible", "external"), ("external", "external")]
)
def test_other_types_and_fewer_approvals_are_not_stuck(kinds):
    state = {"objective": "x", "plan": [step()]}
    approve(state, *kinds)
    assert not gears.is_stuck(state)


def _named(names):
    return [{"name": each} for each in names]


def test_three_calls_or_questions_are_no_repetition_and_one_three_times_is():
    state = {"objective": "x", "plan": [step()]}
    pushes = [{"type": "external", "source": "gate", "fingerprint": f"f{n}"} for n in range(4)]
    questions = [{"type": "ambiguous", "source": "ask", "shown": f"Which {n}?"} for n in range(4)]
    left = [["a", "b", "c"], ["b", "c"], ["c"]]
    gates = [{"type": "quality_gate", "payload": {"failed_checks": _named(each)}} for each in left]
    for pending in (*pushes, *questions, *gates):
        assert gears.count_approval(state, pending, "same")["count"] == 1
    assert not gears.is_stuck(state)
    for pending in (pushes[0], questions[0], gates[0]):
        del state["gear"]
        told = [gears.count_approval(state, pending, "same")["to"] for _ in range(3)]
        assert told == ["counting", "counting", "stuck"]


def test_progress_between_approvals_resets_the_count():
    state = {"objective": "x", "plan": [step()]}
    for number in range(6):
        approve(state, "external", progress=f"mark {number}")
    assert not gears.is_stuck(state)
    assert state["gear"]["stuck_count"] == 1


def test_progress_is_a_step_a_written_file_or_a_passed_check():
    state = {"objective": "x", "plan": [step()]}
    work = {"files": {"a.py": 1}, "checks": [{"seq": 3, "passed": True}]}
    mark = gears.progress_mark(state, work)
    assert gears.progress_mark(state, {**work}) == mark
    failed = {**work, "checks": [*work["checks"], {"seq": 4, "passed": False}]}
    assert gears.progress_mark(state, failed) == mark
    passed = {**work, "checks": [*work["checks"], {"seq": 4, "passed": True}]}
    assert gears.progress_mark(state, passed) != mark
    assert gears.progress_mark(state, {**work, "files": {"a.py": 2}}) != mark
    assert gears.progress_mark({**state, "plan": [step(status="completed")]}, work) != mark


def test_only_a_changed_plan_or_off_frees_what_is_stuck():
    state = {"objective": "x", "plan": [step()]}
    approve(state, "external", "external", "external")
    assert gears.resume_if_plan_changed(state) is None
    state["plan"] = [step("another way")]
    assert gears.resume_if_plan_changed(state) == {"to": "free", "why": "plan_changed", "count": 3}
    assert gears.next_action(state).what == "run"
    approve(state, "external", "external", "external")
    assert gears.reset(state) == 3
    assert gears.next_action(state).what == "run"


def test_off_forgets_no_answer():
    state = {"objective": "x", "plan": [step("deploy it")], "gear": {"iterations": 9}}
    mark = gears.step_question_id(state, 1, "dangerous")
    gears.keep_answer(state, {"type": "dangerous", "fingerprint": mark}, "approve")
    gears.decline(state, ["f1"])
    gears.mark_gate_run(state)
    gears.reset(state)
    assert gears.is_answered(state, mark, NOW)
    assert gears.declined_findings(state) == {"f1"}
    assert "iterations" not in state["gear"]


# -- answers ---------------------------------------------------------------------------------------


def test_a_dismissal_is_an_answer_until_its_time_is_over():
    state = {}
    until = NOW + timedelta(minutes=60)
    pending = {"type": "dangerous", "fingerprint": "f"}
    gears.keep_answer(state, pending, "dismiss", until=until)
    assert gears.is_answered(state, "f", NOW)
    assert not gears.is_answered(state, "f", until)
    gears.keep_answer(state, {"type": "proposal", "fingerprint": "p"}, "dismiss", until=until)
    assert gears.is_answered(state, "proposal", NOW)
    assert not gears.is_answered(state, "p", NOW)


@pytest.mark.parametrize(
    "junk", ["x", [1, None, "y"], {"a": 1}, [{"fingerprint": "f", "until": 3}]]
)
def test_damaged_answers_do_not_count(junk):
    state = {"gear": {"answered": junk, "declined": junk, "stuck_count": "x", "runs": -3}}
    assert not gears.is_answered(state, "f", NOW)
    gears.keep_answer(state, {"type": "dangerous", "fingerprint": "g"}, "approve")
    assert gears.is_answered(state, "g", NOW)
    gears.decline(state, ["a"])
    assert "a" in gears.declined_findings(state)
    gears.record_run(state, "active", "patrol", now=NOW, telemetry={})
    assert state["gear"]["runs"] == 1


def test_a_question_is_moot_once_its_step_or_its_reason_is_gone():
    state = {"objective": "x", "plan": [step("deploy it"), step("b")]}
    asked = {
        "type": "dangerous",
        "source": "engine",
        "payload": {"key": gears.step_key(state, 1)},
    }
    assert not gears.is_obsolete(state, asked)
    moved = {**state, "plan": list(reversed(state["plan"]))}
    assert not gears.is_obsolete(moved, asked)
    assert gears.is_obsolete({**state, "plan": [step("deploy it", "completed")]}, asked)
    assert gears.is_obsolete({**state, "plan": [step("b")]}, asked)
    offered = {"type": "finding_selection", "source": "engine", "payload": {}}
    assert gears.is_obsolete(state, offered)
    complete = {**state, "plan": [step(status="completed")]}
    assert gears.is_obsolete(complete, offered)  # the gate comes first
    gears.mark_gate_run(complete)
    assert not gears.is_obsolete(complete, offered)
    for kind in ("irreversible", "external", "ambiguous", "blocked"):
        assert not gears.is_obsolete(state, {"type": kind, "source": "gate", "payload": None})


def test_a_gates_question_of_an_epoch_is_moot_with_it_and_one_of_done_is_not():
    state = {"objective": "x", "plan": [step(status="completed")]}
    epoch = quality_checks.completion_epoch(state)
    asked = {"type": "quality_gate", "source": "quality_gate", "payload": {"epoch": epoch}}
    assert not gears.is_obsolete(state, asked)
    assert gears.is_obsolete({**state, "plan": [step()]}, asked)
    assert not gears.is_obsolete({**state, "plan": [step()]}, {**asked, "payload": {}})


# -- steps -----------------------------------------------------------------------------------------


@for_each(
    ("text", "kind"),
    [
        ("Deploy the service", "dangerous"),
        ("migrate the users table", "dangerous"),
        ("write the script, then delete the old rows", "dangerous"),
        ("run the database migration", "dangerous"),
        ("publishing 2.0", "dangerous"),
        ("rewrite the parser", "complexity"),
        ("refactor the entire module tree", "complexity"),
        ("add a delete button", None),
        ("document how to deploy", None),
        ("write the parser", None),
        ("review the release notes", None),
        ("fix the undeployed flag", None),
        ("", None),
        ("削除", None),
    ],
)
def test_a_step_is_asked_about_by_the_word_that_its_clause_begins_with(text, kind):
    found = gears.risk(text)
    assert (found[0] if found else None) == kind


def test_the_next_step_is_the_one_at_work_then_the_named_then_the_first_that_waits():
    def number(*plan, said=None):
        found = gears.next_step({"plan": list(plan), "current_step": said})
        return found.number if found else None

    assert number(step("a"), step("b", "in_progress")) == 2
    assert number(step("a"), step("b"), said=2) == 2
    assert number(step("a", "blocked"), step("b")) == 2
    assert number(step("a", "completed"), step("b"), said=1) == 2
    assert number(step("a", "blocked")) is None
    assert number() is None
