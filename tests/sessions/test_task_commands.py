"""The commands of the Bridge's tasks: asked about as an agent's calls are, and holding up no session."""

import os

import pytest
from tests.hosting import events, git, opened, read_state, write

from operators_edge.bridge.permissions import Permission, TaskCommand
from operators_edge.sessions import tasks
from operators_edge.sessions.decisions import Decisions
from operators_edge.sessions.task_commands import TaskCommands

pytestmark = pytest.mark.usefixtures("same_user_folder")

PUSH = "git push origin main"


@pytest.fixture
def commands(client, remote, monkeypatch):
    monkeypatch.chdir(client.root)
    return TaskCommands(client.root, opened(client), os.environ)


def of(text=PUSH, stem="t-1", attempt=1):
    return TaskCommand(stem, attempt, text, os.getcwd())


def person(client):
    return Decisions(opened(client), session="s-1", by="ada")


def test_what_the_gate_lets_through_runs_and_what_it_blocks_does_not(commands):
    assert commands.look(of("ls")) == commands.take(of("ls")) == Permission("run")
    found = commands.take(of("rm -rf /"))
    assert found.word == "blocked"
    assert found.text.startswith("the gate blocks rm -rf /: ")


def test_an_approval_is_for_one_run_of_the_command_as_it_was_shown(client, commands):
    asked = commands.look(of())
    assert (asked.word, asked.is_gated) == ("asked", True)
    pending = read_state(client)["junction"]
    assert [pending["id"]] == list(asked.asked)
    assert any(fact["kind"] == "commit" for fact in pending["binding"])
    assert commands.answer("t-1", 1, asked.asked).word == "open"
    person(client).approve()
    assert commands.answer("t-1", 1, asked.asked).word == "answered"
    assert commands.look(of()).word == "run"
    assert commands.take(of()).word == "run"
    assert commands.take(of()).word == "asked", "it was used"


def test_what_changed_since_the_approval_is_asked_about_again_and_named(client, commands):
    commands.look(of())
    person(client).approve()
    write(client.root, "prod.env")
    git(client.root, "add", "-f", "prod.env")
    git(client.root, "commit", "-qm", "add prod.env")
    found = commands.take(of())
    assert found.word == "asked"
    assert "since the last answer: +1 commit: " in found.text


def test_what_ran_otherwise_than_it_was_shown_is_an_alarm(client, commands):
    commands.look(of())
    person(client).approve()
    commands.take(of())
    git(client.root, "remote", "set-url", "origin", "/elsewhere.git")
    alarm = commands.ran(of(), {"exit_code": 1}).alarm
    assert "what ran differs from what was shown" in alarm
    assert "/elsewhere.git" in alarm


def test_a_refusal_holds_for_the_attempt_and_names_who_refused(client, commands):
    asked = commands.look(of()).asked
    person(client).skip()
    assert commands.answer("t-1", 1, asked) == ("refused", f"ada, who refused: {PUSH}")
    assert commands.look(of()).word == "refused"
    assert commands.look(of(attempt=2)).word == "asked"


def test_an_answer_for_a_class_is_enough(client, commands):
    commands.look(of())
    decide = person(client)
    decide.dismissals.dismiss(60, decide.dismissals.preview(60)[1])
    assert commands.take(of()).word == commands.take(of(stem="t-2")).word == "run"


def test_its_question_blocks_no_session_and_waits_on_the_list(client, commands):
    asked = commands.look(of()).asked
    client.start()
    assert client.bash("git push origin next") == "deny"
    state = read_state(client)
    assert state["junction"]["shown"] == "git push origin next"
    assert [each["id"] for each in state["left_questions"]] == list(asked)
    assert commands.answer("t-1", 1, asked).word == "open"
    assert client.prompt("/edge no")
    shown = " ".join(client.prompt("/edge status").split())
    assert f"Left open by tasks of the Bridge: 1 {PUSH} (t-1)." in shown
    assert f"Approved once: {PUSH}" in client.prompt("/edge approve --left 1")
    assert commands.take(of()).word == "run"


def test_a_pending_question_of_a_session_stays_and_each_task_asks_for_itself(client, commands):
    client.start()
    client.bash(PUSH)
    for stem in ("t-1", "t-2", "t-2"):
        commands.look(of(stem=stem))
    state = read_state(client)
    assert state["junction"]["session"] == client.session
    assert [each["session"] for each in state["left_questions"]] == ["bridge:t-1/1", "bridge:t-2/1"]


def test_it_is_answered_in_a_client_by_one_word_and_said_where_it_comes_from(client, commands):
    commands.look(of())
    shown = client.start()
    assert f"asked by a task of the Bridge): {PUSH}" in shown
    assert "asked by the Bridge, for its task t-1" in client.prompt("/edge status")
    assert f"Approved once: {PUSH}" in client.prompt("/edge yes")


def test_without_a_record_a_command_is_sealed_as_it_is_for_the_approval_of_its_task(
    repo, monkeypatch
):
    monkeypatch.chdir(repo)
    commands = TaskCommands(repo, None, os.environ)
    push = of("git push --force origin main")
    found = commands.look(push)
    assert (found.word, found.asked) == ("asked", ())
    assert commands.take(push).seal == found.seal != ""
    write(repo, "prod.env")
    git(repo, "add", "-f", "prod.env")
    git(repo, "commit", "-qm", "add prod.env")
    assert commands.take(push).seal != found.seal


def test_the_tasks_of_the_bridge_are_no_sessions(client, commands):
    commands.look(of())
    person(client).skip()
    client.start()
    assert not [
        each for each in opened(client).evidence.work()["sessions"] if each.startswith("bridge")
    ]
    assert events(client, "junction_raised")
    assert tasks.gather(client.root) is None
