"""Questions of sessions that have ended: they block nobody, are listed, and can still be decided."""

import os

import pytest
from tests.hosting import (
    Client,
    at_a_terminal,
    clean_env,
    events,
    forget_client,
    opened,
    read_state,
)

from operators_edge.model import LEFT_QUESTIONS_TAIL
from operators_edge.sessions import live
from operators_edge.storage import bindings
from operators_edge.system.user_dirs import binding_path

pytestmark = pytest.mark.usefixtures("same_user_folder")

PUSH = "git push origin main"
OTHER = "git push origin next"


@pytest.fixture
def second(client, fenced):
    """A second session, after the first one asked and ended."""
    client.bash(PUSH)
    client.send("SessionEnd", reason="other")
    return Client(client.root, clean_env(fenced))


def left(client):
    return [each["shown"] for each in read_state(client).get("left_questions") or []]


def test_the_end_of_its_session_moves_a_question_to_the_list_and_is_told(client, second):
    assert read_state(client)["junction"] is None
    assert left(client) == [PUSH]
    assert [each["shown"] for each in events(client, "junction_left")] == [PUSH]
    assert f"An ended session left a decision open: {PUSH} (edge status)" in second.start()
    shown = " ".join(second.prompt("/edge status").split())
    assert f"Left open by ended sessions: 1 {PUSH}. Decide: /edge approve --left N" in shown


def test_it_does_not_hold_up_another_session_and_both_can_be_decided(client, second):
    second.start()
    second.bash(OTHER)
    assert read_state(client)["junction"]["shown"] == OTHER
    assert "another decision is pending first" in second.prompt("/edge approve --left 1")
    assert OTHER in second.prompt("/edge no")
    assert "/edge approve --left 1" in second.prompt("/edge approve")
    assert f"Approved once: {PUSH}" in second.prompt("/edge approve --left 1 because it is wanted")
    assert second.bash(PUSH) == "allow"
    assert left(client) == []


@pytest.mark.parametrize("line", ["/edge skip --left 1", "/edge no --left=1"])
def test_it_can_be_dropped_in_a_client(client, second, line):
    second.start()
    assert f"Skipped: {PUSH}" in second.prompt(line)
    assert (left(client), read_state(client)["junction"]) == ([], None)
    assert "no question 1 is left open" in second.prompt(line)


def test_at_a_terminal_the_only_one_is_shown_and_decided_without_a_number(client, second):
    forget_client(client)
    env = {key: value for key, value in client.env.items() if not key.startswith("CLAUDE")}
    done = at_a_terminal(client.root, "approve", answer="y\n", env=env)
    assert f"Pending    {PUSH}" in done.stderr
    assert "this session" not in done.stderr
    assert "Approved once" in done.stdout
    assert left(client) == []


def test_a_question_that_was_taken_up_and_not_answered_is_logged_as_left_once(
    client, second, fenced
):
    forget_client(client)
    env = {key: value for key, value in client.env.items() if not key.startswith("CLAUDE")}
    at_a_terminal(client.root, "approve", answer="\n", env=env)
    assert read_state(client)["junction"]["shown"] == PUSH
    Client(client.root, clean_env(fenced)).start()
    assert left(client) == [PUSH]
    assert len(events(client, "junction_left")) == 1


def test_the_session_that_asked_and_goes_on_answers_as_before(client):
    client.bash(PUSH)
    client.send("SessionEnd", reason="other")
    client.start(source="resume")
    assert "Approved once" in client.prompt("/edge approve")
    assert client.bash(PUSH) == "allow"


def test_the_same_question_asked_again_is_listed_nowhere_else(client, second):
    second.start()
    second.bash(PUSH)
    assert read_state(client)["junction"]["session"] == second.session
    assert left(client) == []


def test_a_question_of_a_client_that_was_killed_makes_room_for_the_next_one(client, fenced):
    client.bash(PUSH)
    second = Client(client.root, clean_env(fenced))
    second.start()
    assert left(client) == []
    record = dict(bindings.session_binding(client.session) or {})
    bindings.bind_session(client.session, {**record, "started": "another process"})
    second.bash(OTHER)
    assert left(client) == [PUSH]
    assert read_state(client)["junction"]["shown"] == OTHER


def test_a_question_stays_where_nobody_can_know_whether_its_session_lives(client, fenced):
    client.bash(PUSH)
    second = Client(client.root, clean_env(fenced))
    second.start()
    os.unlink(binding_path(client.session, client.env))
    project = opened(client)
    assert not live.has_ended(project, client.session, second.session)
    assert not live.has_ended(project, "", second.session)
    second.bash(OTHER)
    assert read_state(client)["junction"]["shown"] == PUSH
    assert left(client) == []


def test_the_oldest_question_for_which_there_is_no_room_is_recorded(client, fenced):
    for number in range(LEFT_QUESTIONS_TAIL + 1):
        asking = Client(client.root, clean_env(fenced))
        asking.bash(f"git push origin next-{number}")
        asking.send("SessionEnd", reason="other")
    assert len(left(client)) == LEFT_QUESTIONS_TAIL
    assert [each["shown"] for each in events(client, "junction_dropped")] == [
        "git push origin next-0"
    ]
