from datetime import UTC, datetime

import pytest

from operators_edge import archiving, sessions
from operators_edge.project import Project
from operators_edge.store import archive
from operators_edge.store.keys import signed

NOW = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
STEPS = [
    {"description": "one", "status": "completed", "proof": "seen", "expected": "e", "actual": "a"},
    {"description": "two", "status": "blocked"},
    {"description": "three", "status": "completed", "proof": "tests pass"},
]


@pytest.fixture
def done(project):
    """The project in mode done, with one override."""
    project = Project(project, is_set_up=True, clock=lambda: NOW)
    grant = signed(project.root, {"id": "override-1", "kind": "override"})

    def change(tx):
        tx.state.update(
            mode="done",
            plan=STEPS,
            next_action="rest",
            overrides=[grant],
            self_score={"total": 5},
            memory=[{"trigger": "t", "lesson": "l", "source": "session-1"}, {"trigger": "old"}],
        )
        tx.grant(grant)

    sessions.start(project, "session-1", source="startup")
    project.transact(change, command="test")
    return project


def entries(project, kind):
    found = archive.read(project.root).entries
    return [each for each in found if each["type"] == kind]


def test_the_first_stop_in_done_archives_the_objective_and_its_completed_steps(done):
    sessions.stop(done, "session-1")
    (objective,) = entries(done, "completed_objective")
    assert objective["objective"] == "ship it"
    assert objective["summary"] == "2 of 3 steps completed; last: three: tests pass"
    assert objective["steps_completed"] == 2
    assert objective["lessons_captured"] == 1
    assert objective["self_score"] == 5
    assert objective["session_range"] == ["session-1", "session-1"]
    steps = entries(done, "completed_step")
    assert [each["step_number"] for each in steps] == [1, 3]
    assert {key: steps[0][key] for key in STEPS[0] if key != "status"} == {
        key: value for key, value in STEPS[0].items() if key != "status"
    }
    assert {each["session"] for each in steps} == {"session-1"}


def test_the_state_is_free_for_the_next_objective(done):
    sessions.stop(done, "session-1")
    state = done.state.read()
    assert (state["objective"], state["plan"], state["mode"]) == (None, [], "plan")
    assert not state["next_action"]
    assert not state["overrides"]
    assert not done.ledger.live("override-1")
    assert state["archive"]["entries_archived"] == 3


def test_a_step_that_was_not_completed_is_kept_with_the_objective(done):
    sessions.stop(done, "session-1")
    (objective,) = entries(done, "completed_objective")
    assert objective["steps_left"] == [STEPS[1]]


def test_it_happens_once(done):
    sessions.stop(done, "session-1")
    sessions.stop(done, "session-1")
    sessions.end(done, "session-1", reason="exit")
    assert len(archive.read(done.root).entries) == 3


def test_the_end_of_a_session_archives_too(done):
    sessions.end(done, "session-1", reason="exit")
    assert len(entries(done, "completed_objective")) == 1


def test_nothing_is_archived_in_any_other_mode(done):
    done.state.transact(lambda state: state.update(mode="review"), command="test")
    assert not archiving.finish_objective(done, "session-1")
    assert archive.read(done.root).entries == ()
    assert done.state.read()["objective"] == "ship it"
