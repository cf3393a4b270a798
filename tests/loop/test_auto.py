"""Auto with the real hook: the step that is given out when a turn ends, and how the loop ends."""

import json
import os

import pytest
from tests.hosting import Client, change, clean_env, events, opened, read_state, write

from operators_edge.errors import AnswerIsNo, DecisionPending, UsageError
from operators_edge.loop import auto, gears

pytestmark = pytest.mark.usefixtures("same_user_folder")


def on(client):
    return auto.switch_on(opened(client), client.session, by="a person")


def handed(client):
    """The context that the agent gets when its turn ends."""
    return stop_answer(client)[0]


def stop_answer(client, **fields):
    answer = client.send("Stop", **fields)
    context = answer.get("hookSpecificOutput", {}).get("additionalContext", "")
    assert "decision" not in answer
    return context, answer.get("systemMessage", "")


def work(client, number):
    path = write(client.root, f"f{number}.py", f"x = {number}\n")
    client.before("Write", file_path=path, content="x")
    client.done("Write", {"filePath": path}, file_path=path, content="x")


def steps(count):
    return [{"description": f"write part {n}", "status": "pending"} for n in range(count)]


def test_without_auto_a_turns_end_says_nothing(client):
    assert stop_answer(client) == ("", "")


def test_under_auto_the_next_step_is_handed_over_as_context(client):
    change(client, plan=steps(2), constraints=["no new dependency"])
    assert "Auto is on" in on(client)
    work(client, 1)
    text = handed(client)
    assert "Step 1: write part 0" in text
    assert "constraint: no new dependency" in text
    assert "edge step done 1" in text
    assert read_state(client)["auto"]["iterations"] == 1


def test_two_turns_without_progress_end_it(client):
    on(client)
    assert handed(client)
    context, told = stop_answer(client)
    assert context == ""
    assert "2 turns brought no progress" in told
    assert read_state(client)["auto"]["enabled"] is False
    assert stop_answer(client) == ("", "")
    assert [each["to"] for each in events(client, "auto")] == ["on", "off"]


def test_progress_keeps_it_going(client):
    on(client)
    for number in range(4):
        work(client, number)
        assert handed(client)
    assert read_state(client)["auto"]["idle_turns"] == 0


def test_while_subagents_work_nothing_is_handed_over_and_no_turn_is_counted(client):
    on(client)
    agent = {"id": "a", "type": "subagent", "status": "running"}
    for _ in range(3):
        assert stop_answer(client, background_tasks=[agent]) == ("", "")
    assert read_state(client)["auto"]["iterations"] == 0
    server = {"id": "b", "type": "shell", "status": "running"}
    context, _ = stop_answer(client, background_tasks=[{**agent, "status": "completed"}, server])
    assert "Step 1" in context


def test_a_command_that_the_person_typed_meanwhile_comes_first(client, tmp_path):
    on(client)
    queued = {"type": "queue-operation", "operation": "enqueue", "content": "/edge off"}
    path = tmp_path / "transcript.jsonl"
    path.write_text(json.dumps(queued) + "\n")
    context, told = stop_answer(client, transcript_path=str(path))
    assert context == ""
    assert "stops for what you typed" in told
    assert read_state(client)["auto"]["iterations"] == 0
    with path.open("a") as file:
        file.write('{"type": "queue-operation", "operation": "dequeue"}\n')
    assert "Step 1" in stop_answer(client, transcript_path=str(path))[0]


def test_a_decision_ends_it_and_the_person_sees_which(client):
    change(client, plan=[{"description": "deploy it", "status": "pending"}])
    on(client)
    context, told = stop_answer(client)
    assert context == ""
    assert "a person has to decide" in told
    assert "deploy it" in told
    assert read_state(client)["junction"]["type"] == "dangerous"


def test_stuck_ends_it(client):
    on(client)

    def stick(tx):
        tx.state["gear"] = {"stuck_mark": gears.plan_mark(tx.state)}

    opened(client).transact(stick, command="edit")
    assert "stuck" in stop_answer(client)[1]
    with pytest.raises(AnswerIsNo, match="stuck"):
        on(client)


def test_its_limit_of_turns_ends_it(client):
    on(client)

    def set_to_limit(tx):
        tx.state["auto"] = {**tx.state["auto"], "iterations": gears.MAX_CYCLES}

    opened(client).transact(set_to_limit, command="edit")
    work(client, 1)
    assert "limit of" in stop_answer(client)[1]


def test_no_step_left_ends_it(client):
    change(client, plan=[], mode="plan")
    on(client)
    assert "no step is left" in stop_answer(client)[1]


def test_another_session_is_handed_nothing(client, fenced):
    on(client)
    second = Client(client.root, clean_env(fenced))
    second.start()
    assert stop_answer(second) == ("", "")
    assert handed(client)


@pytest.mark.parametrize("forged", ["none", "revoked", "moved"])
def test_auto_that_no_person_gave_hands_nothing_over(client, forged):
    on(client)
    granted = read_state(client)["auto"]
    if forged == "revoked":
        auto.switch_off(opened(client), client.session, by="a person")
    value = {
        "none": {"enabled": True, "session": client.session, "iterations": 0},
        "revoked": granted,
        "moved": {**granted, "grant": {**granted["grant"], "session": "another"}},
    }[forged]
    change(client, auto=value)
    assert stop_answer(client) == ("", "")
    project = opened(client)
    data = auto.report(project, project.state.read())
    assert data["enabled"] is False
    assert "does not count" in auto.report_lines(data)[0]


def test_a_broken_auto_or_plan_never_holds_a_turn_up(client):
    on(client)
    write(client.root, "active_context.yaml", "plan: [unclosed\n")
    assert handed(client) == ""
    assert client.returncode == 0


def test_off_ends_auto_and_resets_the_gears(client):
    on(client)
    handed(client)
    project = opened(client)
    text = auto.switch_off(project, client.session, by="a person", with_gears=True)
    assert "Auto is off" in text
    assert "iterations" not in read_state(client)["gear"]
    assert handed(client) == ""


# -- asking ----------------------------------------------------------------------------------------


def ask(client, text="which cache?", options=("redis", "none"), context=None):
    return auto.ask(opened(client), client.session, text, options, context)


def test_a_question_pends_with_its_options_and_the_answer_is_kept(client):
    ask(client)
    assert "[2] none" in client.prompt("/edge status")
    assert "Answered: redis" in client.prompt("/edge approve 1")
    state = read_state(client)
    assert state["junction"] is None
    assert state["open_questions"][-1]["answer"] == "redis"
    assert events(client, "question")[-1]["answer"] == "redis"


def test_a_persons_own_words_are_an_answer(client):
    ask(client)
    assert "keep what we have" in client.prompt("/edge approve keep what we have")


def test_the_same_question_is_the_same_junction_and_another_waits(client):
    assert ask(client)["id"] == ask(client)["id"]
    with pytest.raises(DecisionPending):
        ask(client, "and which port?")


@pytest.mark.parametrize(
    ("text", "options"),
    [("", ("a", "b")), ("q", ("a",)), ("q", ("a", "A")), ("q", "abcdefghij"), ("q", ("a", ""))],
)
def test_an_invalid_question_is_refused_and_nothing_is_pending(client, text, options):
    with pytest.raises(UsageError):
        ask(client, text, options)
    assert not read_state(client).get("junction")


def test_an_agent_may_ask_and_see_the_status_but_not_switch_on(client):
    for allowed in (
        "edge",
        "edge run",
        "edge auto status",
        "edge auto off",
        "edge ask q --option a --option b",
    ):
        assert client.bash(allowed) == "", allowed
    for denied in ("edge auto on", "edge on", "edge off", "edge stop", "sh -c 'edge auto on'"):
        assert client.bash(denied) == "deny", denied
    assert os.path.exists(os.path.join(client.root, "active_context.yaml"))
