"""What the one screen says of gears and the loop."""

from operators_edge import dispatch, engine, status
from operators_edge.project import Project


def opened(root):
    return Project(root, is_set_up=True)


def put(root, **values):
    opened(root).state.transact(lambda state: state.update(values), command="edit")


def shown(root):
    return status.text(opened(root)).splitlines()


def labels(root):
    return [line.split()[0] for line in shown(root)]


def test_before_the_first_cycle_nothing_is_said_of_gear_and_loop(project):
    assert "Mode       active (derived)" in shown(project)
    assert not {"Auto", "STUCK"} & set(labels(project))


def test_the_gear_of_the_last_cycle_stands_beside_the_mode_where_gears_run(project):
    engine.cycle(opened(project), "s1", by="test")
    assert "Mode       active (derived), gear active" in shown(project)
    put(project, mode="plan")
    assert "Mode       plan" in shown(project)
    assert status.gather(opened(project))["gear"] == "active"


def test_auto_is_said_while_it_is_on_and_why_it_ended(project):
    dispatch.switch_on(opened(project), "s1", by="ann")
    assert "Auto       Auto is on, for 0 turns so far, by ann." in shown(project)
    dispatch.switch_off(opened(project), "s1", by="ann")
    assert "Auto       Auto is off: it was switched off." in shown(project)


def test_auto_that_no_person_gave_is_said_to_count_for_nothing(project):
    put(project, auto={"enabled": True, "session": "s1"})
    assert any("does not count" in line for line in shown(project))


def test_a_stuck_loop_is_said_with_the_way_out_and_fits_a_terminal(project):
    put(project, gear={"current_gear": "active", "stuck_mark": "x"})
    (line,) = [each for each in shown(project) if each.startswith("STUCK")]
    assert line.endswith("edge off")
    assert len(line) <= 80


def test_a_loop_that_somebody_wrote_by_hand_is_no_reason_to_fail(project):
    auto = {"enabled": False, "iterations": "many", "ended_why": ["x"]}
    put(project, auto=auto, gear={"current_gear": "fast"})
    assert "Mode       active (derived)" in shown(project)
    assert "Auto" in labels(project)
