"""One cycle on a real project: what runs, what it changes, and what stops it."""

import os

import pytest
from tests.hosting import write

from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.loop import service as loop_service
from operators_edge.project import Project
from operators_edge.quality import service as quality_service
from operators_edge.sessions.decisions import Decisions


@pytest.fixture
def here(project):
    return Project(project, is_set_up=True)


def step(text="write one", status="pending", **more):
    return {"description": text, "status": status, **more}


def put(here, **values):
    here.transact(lambda tx: tx.state.update(values), command="edit")


def cycle(here, session="s"):
    return loop_service.cycle(here, session, by="a test")


def decide(here, session="s"):
    return Decisions(here, session=session, by="a person")


def complete(here, **more):
    """A finished plan whose gate a person has overridden."""
    put(here, plan=[step(status="completed", proof="seen")], **more)
    cycle(here)
    decide(here).approve("all")


def test_active_hands_out_the_next_step_with_what_holds_for_it(here):
    put(
        here,
        plan=[step("a", "completed"), step("cache the tokens", expected="it is faster")],
        constraints=["no new dependency"],
        memory=[{"trigger": "cache tokens", "lesson": "cache the tokens by user"}],
        mismatches=[{"id": "m1", "observation": "slow", "expectation": "fast"}],
    )
    seen = cycle(here)
    assert (seen.mode, seen.gear, seen.result.status) == ("active", "active", "ok")
    assert seen.step["number"] == 2
    assert seen.step["expected"] == "it is faster"
    assert seen.step["constraints"] == ["no new dependency"]
    assert [each["lesson"] for each in seen.step["lessons"]] == ["cache the tokens by user"]
    assert "slow" in seen.step["mismatches"][0]["text"]
    assert cycle(here).iterations == 2


@pytest.mark.parametrize("mode", ["plan", "done"])
def test_plan_and_done_run_no_gear(here, mode):
    put(here, mode=mode, plan=[])
    seen = cycle(here)
    assert seen.result is None
    assert seen.iterations == 0
    assert "gear" not in here.state.read()


def test_a_pending_decision_stops_the_cycle_before_any_gear(here):
    put(here, junction={"id": "j", "type": "external", "reason": "r", "shown": "x", "session": "s"})
    seen = cycle(here)
    assert seen.junction["id"] == "j"
    assert seen.result is None
    assert seen.iterations == 0


def test_a_dangerous_step_is_asked_about_once_and_then_handed_out(here):
    put(here, plan=[step("deploy it")])
    assert cycle(here).junction["type"] == "dangerous"
    assert cycle(here).step is None
    decide(here).approve()
    for _ in range(3):
        seen = cycle(here)
        assert (seen.junction, seen.step["number"]) == (None, 1)


def test_a_gates_question_without_any_details_is_kept_while_something_fails(here):
    asked = {"id": "j", "type": "quality_gate", "reason": "r", "session": "s", "payload": None}
    put(here, junction=asked)
    assert cycle(here).junction["id"] == "j"


def test_a_suggestion_of_done_that_somebody_wrote_leads_past_no_gate(here):
    written = {"id": "j", "type": "mode_transition", "reason": "r", "shown": "x", "session": ""}
    put(here, mode="review", junction={**written, "payload": {"to": "done"}})
    decide(here).approve()
    assert here.state.read()["mode"] == "review"


def test_a_no_blocks_the_step_and_the_next_one_is_handed_out(here):
    put(here, plan=[step("deploy it"), step("write two")])
    cycle(here)
    assert "blocked" in decide(here).skip()
    assert here.state.read()["plan"][0]["status"] == "blocked"
    assert cycle(here).step["number"] == 2


def test_a_step_that_a_person_refused_is_asked_about_again_when_it_is_opened_again(here):
    put(here, plan=[step("deploy it")])
    cycle(here)
    decide(here).skip()
    put(here, plan=[step("deploy it")])
    seen = cycle(here)
    assert (seen.step, seen.junction["type"]) == (None, "dangerous")


def test_a_question_about_a_step_that_is_gone_is_put_away(here):
    put(here, plan=[step("deploy it")])
    cycle(here)
    put(here, plan=[step("write it")])
    seen = cycle(here)
    assert seen.junction is None
    assert seen.step["description"] == "write it"
    assert here.state.read()["junction_history"][-1]["decision"] == "withdrawn"


def test_the_gate_runs_once_for_a_completion_epoch_and_asks_where_it_fails(here):
    put(here, plan=[step(status="completed")])
    first = cycle(here)
    assert first.junction["type"] == "quality_gate"
    assert any("checks fail" in line for line in first.gate)
    again = cycle(here)
    assert again.junction["id"] == first.junction["id"]
    decide(here).skip()
    assert cycle(here).gear in ("patrol", "dream")


def test_a_plan_that_was_open_again_meets_the_gate_again_before_any_gear(here, project):
    write(project, "a.py", "# FIXME: the cache is never emptied\n")
    complete(here)
    assert cycle(here).junction["type"] == "finding_selection"
    put(here, plan=[step()])
    quality_service.after_plan_change(here, "s")
    put(here, plan=[step(status="completed", proof="seen")])
    with pytest.raises(AnswerIsNo, match="completed again"):
        decide(here).approve("1")
    assert cycle(here).gate
    assert logged(here, "quality_gate")[-1]["why"] == "completion epoch"


def test_a_gate_that_was_skipped_lets_no_finding_archive_the_objective(here, project):
    write(project, "a.py", "# FIXME: the cache is never emptied\n")
    put(here, plan=[step(status="completed")])
    assert cycle(here).junction["type"] == "quality_gate"
    decide(here).skip()
    assert cycle(here).junction["type"] == "finding_selection"
    with pytest.raises(AnswerIsNo, match="does not let the current objective be archived"):
        decide(here).approve("1")
    assert here.state.read()["plan"]


def test_a_gate_whose_plan_is_open_again_asks_no_more(here):
    put(here, plan=[step(status="completed")])
    cycle(here)
    put(here, plan=[step()])
    assert cycle(here).step["number"] == 1


def test_an_explicit_mode_that_fits_no_more_is_asked_about_first_and_the_gate_in_review(here):
    put(here, mode="active", plan=[step(status="completed")])
    assert cycle(here).junction["type"] == "mode_transition"
    decide(here).approve()
    seen = cycle(here)
    assert (seen.mode, seen.junction["type"]) == ("review", "quality_gate")


def test_who_stays_in_active_is_asked_by_the_gate_there(here):
    put(here, mode="active", plan=[step(status="completed")])
    cycle(here)
    decide(here).skip()
    seen = cycle(here)
    assert (seen.mode, seen.junction["type"]) == ("active", "quality_gate")


def test_review_patrols_and_a_finding_becomes_the_objective(here, project):
    write(project, "a.py", "# FIXME: the cache is never emptied\n")
    complete(here)
    seen = cycle(here)
    assert seen.gear == "patrol"
    assert seen.transition == "active_to_patrol" or seen.before is None
    offered = seen.junction["payload"]["findings"]
    assert seen.junction["type"] == "finding_selection"
    number = next(n for n, each in enumerate(offered, 1) if each.get("file") == "a.py")
    assert "Objective" in decide(here).approve(str(number))
    state = here.state.read()
    assert state["objective"] == offered[number - 1]["title"]
    assert state["plan"] == []
    assert state["junction"] is None
    archived = [each["type"] for each in here_archive(here)]
    assert archived == ["completed_step", "objective_basis", "completed_objective"]
    assert state["scan_findings"]["categories"]


def here_archive(here):
    from operators_edge.storage import archive  # noqa: PLC0415 - one test asks

    return archive.read(here.root).entries


def test_findings_that_a_person_declined_are_not_offered_again_and_dream_comes(here, project):
    write(project, "a.py", "# FIXME: the cache is never emptied\n")
    complete(here)
    cycle(here)
    with pytest.raises(UsageError, match="findings"):
        decide(here).approve("9")
    decide(here).skip()
    seen = cycle(here)
    assert seen.gear == "dream"
    assert seen.transition == "patrol_to_dream"
    assert seen.junction is None or seen.junction["type"] == "proposal"


def test_where_no_session_was_ever_seen_a_second_thing_is_proposed_as_well(here):
    checks = {name: {"met": False} for name in ("plan_revision", "memory_update")}
    for _ in range(3):
        past = {"type": "completed_objective", "self_score": 4, "score": {"checks": checks}}
        here.transact(lambda tx, past=past: tx.archive(past), command="test")
    put(here, mode="active", objective=None, plan=[])
    first = cycle(here, session="").junction
    assert first["type"] == "proposal"
    decide(here, session="").skip()
    cycles = (cycle(here, session="").junction for _ in range(4))
    second = next(filter(None, cycles))
    assert second["type"] == "proposal"
    assert second["fingerprint"] != first["fingerprint"]


def test_an_open_step_is_not_dropped_for_a_finding(here, project):
    write(project, "a.py", "# FIXME: the cache is never emptied\n")
    complete(here)
    cycle(here)
    put(here, plan=[step("another")])
    with pytest.raises(AnswerIsNo, match="would drop it"):
        decide(here).approve("1")
    assert here.state.read()["plan"][0]["description"] == "another"
    assert cycle(here).step["number"] == 1


def test_an_archive_that_cannot_be_read_is_an_error_and_the_gear_stays(here, project):
    complete(here)
    if cycle(here).junction:
        decide(here).skip()
    os.makedirs(os.path.join(project, ".proof", "archive.jsonl"))
    seen = cycle(here)
    assert seen.result.status == "error"
    assert seen.gear == "dream"
    assert here.state.read()["gear"]["current_gear"] == "dream"
    assert "could not be read" in seen.notes[-1]


def test_three_approvals_without_progress_are_stuck_until_the_plan_changes(here):
    for number in range(3):
        pending = {"id": f"j{number}", "type": "blocked", "reason": "r", "shown": "x"}
        put(here, junction={**pending, "session": "s", "classes": []})
        decide(here).approve()
    seen = cycle(here)
    assert seen.stuck
    assert seen.result is None
    assert [each["to"] for each in logged(here, "stuck")] == ["counting", "stuck"]
    put(here, plan=[step("another way")])
    assert cycle(here).step["number"] == 1
    assert logged(here, "stuck")[-1] == {"to": "free", "why": "plan_changed", "count": 3}


def test_approved_calls_are_no_loop_and_the_same_call_again_and_again_is(here):
    call = {"type": "external", "source": "gate", "reason": "r", "session": "s", "classes": []}
    for number, about in enumerate(["a", "b", "c", "c", "c"]):
        put(here, junction={**call, "id": f"j{number}", "shown": about, "fingerprint": about})
        decide(here).approve()
        assert cycle(here).stuck is (number == 4)


def logged(here, event):
    return [each["data"] for each in here.log.search(event=event)]


def test_fifty_cycles_over_one_plan_are_the_limit(here):
    seen = [cycle(here) for _ in range(51)]
    assert not seen[48].stuck
    assert seen[49].stuck
    assert seen[50].result is None


@pytest.mark.parametrize(
    "damage",
    [
        {"gear": {"iterations": "many", "answered": "x", "declined": 3, "runs": []}},
        {"mismatches": ["it is slow"], "constraints": ["x", {"constraint": "y"}]},
        {"memory": ["a text", {"trigger": 3}]},
        {"plan": ["a text", {"description": None}]},
        {"plan": [{"description": "größer 漢字 " * 2000, "status": "in_progress"}]},
    ],
)
def test_entries_written_by_hand_do_not_stop_a_cycle(here, damage):
    here.transact(lambda tx: tx.state.update(damage), command="edit")
    seen = cycle(here)
    assert seen.step is not None
    assert seen.as_data()["result"]["status"] == "ok"
