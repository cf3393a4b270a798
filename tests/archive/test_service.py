import json
import os
from datetime import UTC, datetime

import pytest
from tests.hosting import change, events, opened, read_state

from operators_edge.archive import service as archive_service
from operators_edge.cli.main import main
from operators_edge.loop import gears
from operators_edge.plan import modes
from operators_edge.project import Project
from operators_edge.quality import score
from operators_edge.sessions import end as session_end, start as session_start
from operators_edge.storage import archive
from operators_edge.storage.keys import signed

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
            intent={"user_wants": "it ships"},
            gear={"stuck_mark": "x", "stuck_count": 3},
            overrides=[grant],
            self_score={"total": 5},
            memory=[{"trigger": "t", "lesson": "l", "source": "session-1"}, {"trigger": "old"}],
        )
        tx.grant(grant)

    session_start.start(project, "session-1", source="startup")
    project.transact(change, command="test")
    return project


def entries(project, kind):
    found = archive.read(project.root).entries
    return [each for each in found if each["type"] == kind]


def test_the_first_stop_in_done_archives_the_objective_and_its_completed_steps(done):
    session_end.stop(done, "session-1")
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
    session_end.stop(done, "session-1")
    state = done.state.read()
    assert (state["objective"], state["plan"], state["mode"]) == (None, [], "plan")
    assert not state["next_action"]
    assert "intent" not in state
    assert not state["overrides"]
    assert not gears.is_stuck(state)
    assert entries(done, "completed_objective")[0]["intent"] == {"user_wants": "it ships"}
    assert not done.registry.is_live("override-1")
    assert state["archive"]["entries_archived"] == 4


def test_a_step_that_was_not_completed_is_kept_with_the_objective(done):
    session_end.stop(done, "session-1")
    (objective,) = entries(done, "completed_objective")
    assert objective["steps_left"] == [STEPS[1]]


def test_it_happens_once(done):
    session_end.stop(done, "session-1")
    session_end.stop(done, "session-1")
    session_end.end(done, "session-1", reason="exit")
    assert len(archive.read(done.root).entries) == 4


def test_the_end_of_a_session_archives_too(done):
    session_end.end(done, "session-1", reason="exit")
    assert len(entries(done, "completed_objective")) == 1


def test_nothing_is_archived_in_any_other_mode(done):
    done.transact(lambda tx: tx.state.update(mode="review"), command="test")
    assert not archive_service.finish_objective(done, "session-1")
    assert archive.read(done.root).entries == ()
    assert done.state.read()["objective"] == "ship it"


# -- another objective, in whichever way it comes ---------------------------------------------------

WAYS = {
    "edge objective": lambda c: edge(c, "objective", "what is next"),
    "edge objective --clear": lambda c: edge(c, "objective", "--clear"),
    "/edge objective": lambda c: c.prompt("/edge objective what is next"),
    "/edge active": lambda c: c.prompt("/edge active what is next"),
    "/edge active in quotes": lambda c: c.prompt('/edge active "what is next"'),
    "/edge plan": lambda c: c.prompt("/edge plan what is next"),
    "/edge-plan": lambda c: c.send("UserPromptSubmit", prompt="/edge-plan what is next"),
    "a hand in the file": lambda c: by_hand(c, objective="what is next"),
    "a hand, with another plan": lambda c: by_hand(
        c, objective="what is next", plan=[{"description": "new", "status": "pending"}]
    ),
}
AND_THE_MODE = {
    "a hand, with another mode": lambda c: by_hand(c, objective="what is next", mode="active"),
    "a hand, with no mode": lambda c: by_hand(c, objective="what is next", mode=None),
}


def edge(client, *words):
    assert main([*words, "--project", client.root]) == 0


def by_hand(client, **values):
    """Somebody with an editor: the whole file, with no lock and no word to anybody."""
    path = os.path.join(client.root, "active_context.yaml")
    state = {**read_state(client), **values}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({key: each for key, each in state.items() if each is not None}, file)


def in_mode(client, mode, status="completed"):
    steps = [{"description": "one", "status": "completed", "proof": "seen"}]
    steps.append({"description": "two", "status": status})
    change(client, plan=steps)
    if mode == "done":
        client.prompt("/edge active")
        client.prompt("/edge done")
        client.prompt("/edge approve all because it is a test")
    assert f"Mode is now {mode}" in client.prompt(f"/edge {mode}")


def archived(client, kind):
    return entries(opened(client), kind)


@pytest.mark.parametrize("way", [*WAYS, *AND_THE_MODE])
def test_what_is_done_is_archived_before_another_objective_takes_its_place(client, way):
    in_mode(client, "done")
    (WAYS | AND_THE_MODE)[way](client)
    client.send("Stop")
    client.send("Stop")
    (objective,) = archived(client, "completed_objective")
    assert (objective["objective"], objective["steps_completed"]) == ("ship it", 2)
    assert objective["session_range"] == [client.session] * 2
    steps = archived(client, "completed_step")
    assert [(each["objective"], each["description"]) for each in steps] == [
        ("ship it", "one"),
        ("ship it", "two"),
    ]
    state = read_state(client)
    assert state["objective"] == (None if "clear" in way else "what is next")
    left = [each["description"] for each in state["plan"]]
    assert left == (["new"] if "another plan" in way else [])
    begins = way.startswith("/edge active") or way in AND_THE_MODE
    assert modes.current(state) == ("active" if begins else "plan")
    assert not state["overrides"]


@pytest.mark.parametrize("mode", ["plan", "active", "review"])
@pytest.mark.parametrize("way", [each for each in WAYS if "another plan" not in each])
def test_in_any_other_mode_the_plan_with_open_steps_stays_and_is_not_called_done(client, mode, way):
    in_mode(client, mode, status="pending")
    WAYS[way](client)
    client.send("Stop")
    assert archived(client, "completed_objective") == []
    state = read_state(client)
    assert [each["description"] for each in state["plan"]] == ["one", "two"]
    assert state["objective"] == (None if "clear" in way else "what is next")
    assert next(each["objective"] for each in events(client, "objective")) == "ship it"


@pytest.mark.parametrize("mode", ["plan", "active", "review"])
def test_new_work_does_not_begin_with_the_old_ones_completed_plan(client, mode):
    in_mode(client, mode)
    assert client.prompt("/edge active what is next").startswith("Archived: ship it\n")
    (objective,) = archived(client, "completed_objective")
    assert (objective["objective"], objective["ended_in"]) == ("ship it", mode)
    state = read_state(client)
    assert (state["objective"], state["plan"], state["mode"]) == ("what is next", [], "active")


@pytest.mark.parametrize("mode", ["plan", "active", "review"])
def test_another_wording_keeps_the_plan_also_where_all_of_it_is_completed(client, mode):
    in_mode(client, mode)
    assert "Archived" not in client.prompt("/edge objective ship it well")
    assert len(read_state(client)["plan"]) == 2
    assert archived(client, "completed_objective") == []


@pytest.mark.parametrize(
    "again", ["/edge active", "/edge review", "/edge plan", "/edge active ship it"]
)
def test_what_is_taken_up_again_is_archived_when_it_is_done_again(client, again):
    in_mode(client, "done")
    client.prompt(again)
    client.send("Stop")
    assert archived(client, "completed_objective") == []
    change(client, objective="ship it now")
    client.send("Stop")
    assert archived(client, "completed_objective") == []
    assert len(read_state(client)["plan"]) == 2


def test_what_a_hand_took_up_again_is_not_over_either(client):
    in_mode(client, "done")
    by_hand(client, mode="active")
    client.send("Stop")
    change(client, objective="ship it well")
    client.send("Stop")
    assert archived(client, "completed_objective") == []
    assert read_state(client)["objective"] == "ship it well"


def test_what_a_hand_replaced_is_archived_when_the_mode_changes_before_the_turn_ends(client):
    in_mode(client, "done")
    by_hand(client, objective="what is next")
    client.prompt("/edge active")
    (objective,) = archived(client, "completed_objective")
    assert objective["objective"] == "ship it"
    assert read_state(client)["objective"] == "what is next"


def test_what_is_planned_after_done_is_no_part_of_what_was_done(client):
    in_mode(client, "done")
    edge(client, "plan", "add", "begin the next thing")
    edge(client, "next", "look at it")
    edge(client, "intent", "something else is wanted")
    client.send("Stop")
    (objective,) = archived(client, "completed_objective")
    assert "steps_left" not in objective
    assert "intent" not in objective
    assert read_state(client)["intent"]["user_wants"] == "something else is wanted"
    state = read_state(client)
    assert [each["description"] for each in state["plan"]] == ["begin the next thing"]
    assert (state["next_action"], state["mode"]) == ("look at it", "plan")


def test_words_that_a_mode_does_not_take_are_refused(client):
    for mode in ("review", "done"):
        assert f"{mode} takes no words" in client.prompt(f"/edge {mode} now please")
    assert "10,000" in client.prompt("/edge active " + "x" * 10_001)
    assert read_state(client)["objective"] == "ship it"


# -- what the entry says -----------------------------------------------------------------------------


def test_steps_that_a_prune_archived_before_are_counted(client):
    in_mode(client, "active", status="in_progress")
    edge(client, "step", "done", "2", "--proof", "seen")
    edge(client, "prune")
    assert len(read_state(client)["plan"]) == 1
    client.prompt("/edge done")
    client.prompt("/edge approve all because it is a test")
    client.prompt("/edge done")
    client.send("Stop")
    (objective,) = archived(client, "completed_objective")
    assert objective["steps_completed"] == 2
    assert objective["summary"].startswith("2 of 2 steps completed")
    assert len(archived(client, "completed_step")) == 2
    assert "steps_pruned" not in read_state(client)["archive"]


def test_a_prune_in_done_leaves_the_steps_to_their_objective(client):
    in_mode(client, "done")
    edge(client, "prune")
    client.send("Stop")
    assert archived(client, "completed_objective")[0]["steps_completed"] == 2
    assert len(archived(client, "completed_step")) == 2


def test_the_score_is_archived_with_its_checks_and_computed_where_nobody_asked_for_it(client):
    in_mode(client, "done")
    client.send("Stop")
    (objective,) = archived(client, "completed_objective")
    assert objective["self_score"] == objective["score"]["total"]
    assert list(objective["score"]["checks"]) == list(score.CHECKS)
    assert score.missed(objective["score"]) == ("memory_update", "proof_generation")


def test_the_next_objective_does_not_get_the_score_of_the_one_before(client):
    edge(client, "score", "--say", "stop_condition=asked in the chat")
    in_mode(client, "done")
    client.send("Stop")
    assert "stop_condition" in str(archived(client, "completed_objective")[0]["score"])
    assert "self_score" not in read_state(client)


def test_an_open_mismatch_does_not_name_a_step_of_another_plan(client):
    in_mode(client, "done")
    edge(client, "mismatch", "add", "it is slow", "--step", "1")
    client.send("Stop")
    (left,) = read_state(client)["mismatches"]
    assert left["step"] is None
