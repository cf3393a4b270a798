"""What the one screen says of gears and the loop."""

import pytest

from operators_edge.approvals.binding import store as binding_store
from operators_edge.loop import auto, service as loop_service
from operators_edge.project import Project
from operators_edge.sessions import status


def opened(root):
    return Project(root, is_set_up=True)


def put(root, **values):
    opened(root).transact(lambda tx: tx.state.update(values), command="edit")


def status_of(root):
    return status.text(opened(root)).splitlines()


def labels(root):
    return [line.split()[0] for line in status_of(root)]


def test_before_the_first_cycle_there_is_no_gear_and_nothing_is_said_of_the_loop(project):
    assert "Mode       active (from objective and plan)" in status_of(project)
    assert not {"Auto", "STUCK"} & set(labels(project))


def test_the_gear_of_the_last_cycle_stands_beside_the_mode_where_gears_run(project):
    loop_service.cycle(opened(project), "s1", by="test")
    assert "Mode       active (from objective and plan), gear active" in status_of(project)
    put(project, mode="plan")
    assert "Mode       plan" in status_of(project)
    assert status.gather(opened(project))["gear"] == "active"


def test_auto_is_said_while_it_is_on_and_why_it_ended(project):
    auto.switch_on(opened(project), "s1", by="ann")
    assert "Auto       Auto is on, for 0 turns so far, by ann." in status_of(project)
    auto.switch_off(opened(project), "s1", by="ann")
    assert "Auto       Auto is off: it was switched off." in status_of(project)


def test_auto_that_no_person_gave_is_said_to_count_for_nothing(project):
    put(project, auto={"enabled": True, "session": "s1"})
    assert any("does not count" in line for line in status_of(project))


def test_a_stuck_loop_is_said_with_the_way_out_and_fits_a_terminal(project):
    put(project, gear={"current_gear": "active", "stuck_mark": "x"})
    (line,) = [each for each in status_of(project) if each.startswith("STUCK")]
    assert line.endswith("edge off")
    assert len(line) <= 80


def test_a_loop_that_somebody_wrote_by_hand_is_no_reason_to_fail(project):
    auto = {"enabled": False, "iterations": "many", "ended_why": ["x"]}
    put(project, auto=auto, gear={"current_gear": "fast"})
    assert "Mode       active (from objective and plan)" in status_of(project)
    assert "Auto" in labels(project)


FINISHED = {"description": "one", "status": "completed", "proof": "seen"}


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({"plan": [FINISHED] * 4}, "State      the plan keeps 4 completed steps: edge prune"),
        (
            {"mismatches": [{"expectation": "a", "observation": "b", "resolved": True}] * 3},
            "State      3 resolved mismatches are kept: edge prune",
        ),
        (
            {
                "memory": [
                    {"trigger": "x", "lesson": "y", "reinforced": 0, "last_used": "2020-01-01"}
                ]
            },
            "State      1 lesson not used again in 14 days: edge prune",
        ),
        ({"memory": [{"lesson": "y"}]}, "State      a lesson has no trigger or no text"),
    ],
)
def test_what_the_state_has_too_much_of_is_said_with_what_mends_it(project, values, line):
    assert "State" not in labels(project)
    put(project, **values)
    assert line in status_of(project)


def test_a_long_file_is_said_by_its_lines(project):
    put(project, notes=[f"note {number}" for number in range(151)])
    (line,) = [each for each in status_of(project) if each.startswith("State")]
    assert line.endswith("more than 150: edge prune")


def test_programs_are_told_every_warning_by_its_name(project):
    put(project, plan=[{**FINISHED, "proof": None}] * 4)
    told = [each["name"] for each in status.gather(opened(project))["warnings"]]
    assert told == ["completed-without-proof", "many-completed-steps"]


def test_what_ran_otherwise_is_said_until_a_person_was_told(project):
    opened_project = opened(project)
    assert "ALARM" not in labels(project)
    binding_store.add_alarm(
        opened_project, "what ran differs from what was shown: git push: +1 commit"
    )
    assert "ALARM      what ran differs from what was shown: git push: +1 commit" in status_of(
        project
    )
    binding_store.add_alarm(
        opened_project, "a person was asked, and something else answered: rm -r x"
    )
    assert "           and 1 more: edge status --json" in status_of(project)
    binding_store.clear_alarms(opened_project)
    assert "ALARM" not in labels(project)


def test_how_many_secrets_were_hidden_in_the_session_is_counted(project):
    now = "2026-01-01T00:00:00+00:00"
    put(project, session={"id": "s1", "started_at": now})
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8"
    call = {"event": "tool", "session": "s1", "tool": "Bash", "success": True}
    log = opened(project).log
    log.append({**call, "input_preview": {"command": "ls"}, "output_preview": "a"})
    assert not any("hidden" in line for line in status_of(project))
    log.append({**call, "input_preview": {"command": f"login {token}"}, "output_preview": token})
    assert "           hidden in the log: 2 secrets" in status_of(project)
    assert status.gather(opened(project))["hidden"] == 2


def test_what_snapshots_and_trash_take_is_said_where_it_is_much(project):
    def undo_line(snapshots, trash):
        taken = {"snapshots": snapshots << 20, "limit": 2_000 << 20, "trash": trash << 20}
        lines = status.render(status.gather(opened(project)) | {"undo": taken}).splitlines()
        return [each for each in lines if each.startswith("Undo")]

    assert not undo_line(99, 99)
    assert undo_line(500, 0) == [
        "Undo       snapshots about 524 MB of 2.1 GB: edge config set undo_megabytes"
    ]
    assert undo_line(0, 3_000) == ["Undo       trash 3.15 GB: edge trash empty"]
