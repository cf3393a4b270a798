"""What a person types after /edge to read and write intent, through the real hook."""

import os

import pytest

from operators_edge.hosts import typed
from operators_edge.project import Project


def state(client):
    return Project(client.root, is_set_up=True).state.read()


def logged(client, event):
    return [e for e in Project(client.root, is_set_up=True).log.tail(50) if e["event"] == event]


def test_a_note_is_kept_without_a_model_turn_and_logged_for_the_session(client):
    assert client.prompt("/edge note it's slow: don't cache") == "Note 1: it's slow: don't cache"
    assert state(client)["notes"] == ["it's slow: don't cache"]
    (entry,) = logged(client, "note")
    assert entry["session"] == client.session
    assert client.prompt("/edge note") == "  1. it's slow: don't cache"


def test_a_plan_is_written_and_worked_through_by_typing(client):
    assert client.prompt('/edge plan add "write it"') == "Step 2: write it"
    assert client.prompt("/edge plan move 2 1").startswith("Step 2 is step 1 now")
    assert client.prompt("/edge plan edit 2 read it").startswith("Step 2: read it")
    assert client.prompt("/edge step done 1 all tests pass").startswith("Step 1 is completed")
    assert state(client)["plan"][0]["proof"] == "all tests pass"
    assert client.prompt("/edge step block the API is down").startswith("Step 2 is blocked")
    assert client.prompt("/edge plan show") == (
        "[x] 1. write it\n      proof: all tests pass\n"
        "[!] 2. read it\n      blocked by: the API is down"
    )
    assert client.prompt("/edge plan rm 2").startswith("Removed step 2")


def test_plan_alone_or_with_an_objective_is_still_the_mode(client):
    assert "Mode is now plan" in client.prompt("/edge plan")
    assert "Mode is now plan" in client.prompt("/edge plan make it fast")
    assert state(client)["objective"] == "make it fast"
    assert len(state(client)["plan"]) == 1


def test_questions_risks_constraints_objective_and_next_action(client):
    client.prompt("/edge question which cache?")
    assert client.prompt("/edge question answer 1 none").startswith("Question 1 is answered")
    client.prompt("/edge risk the API may change")
    assert client.prompt("/edge risk mitigate 1 pinned").startswith("Risk 1 is mitigated")
    client.prompt("/edge constraint add no new dependency")
    client.prompt("/edge constraint list of rules")
    client.prompt("/edge constraint rm 1")
    assert client.prompt("/edge constraint list") == "  1. list of rules"
    client.prompt("/edge objective 'ship it well'")
    client.prompt("/edge next\ncall the API")
    now = state(client)
    assert now["open_questions"][0]["answer"] == "none"
    assert now["risks"][0]["mitigation"] == "pinned"
    assert (now["objective"], now["next_action"]) == ("ship it well", "call the API")
    assert client.prompt("/edge next --clear") == "There is no next action now."
    assert client.prompt("/edge objective") == "ship it well"


def test_the_numbers_of_this_session_are_shown(client):
    client.bash("rm -rf /")
    text = client.prompt("/edge metrics")
    (line,) = (each for each in text.splitlines() if each.startswith(" blocked "))
    assert line.split()[:3] == ["blocked", "1", "1"]
    assert "Healthy" in text


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("plan rm two", "two is no number"),
        ("plan rm 9", "there is no step 9"),
        ("plan add", "this one is empty"),
        ("step", "how far a step is"),
        ("step done 0", "there is no step 0"),
        ("step reopen", "how far a step is"),
        ("step start 1 with a text", "how far a step is"),
        ("note rm 3", "there is no note 3"),
        ("frobnicate", "there is no /edge frobnicate"),
    ],
)
def test_words_that_say_nothing_are_answered_with_the_way_on(client, words, why):
    before = state(client)
    said = client.prompt(f"/edge {words}")
    assert why in said
    assert "Run: " in said
    assert state(client) == before


def test_the_words_of_the_terminal_mean_the_same_here():
    assert typed.is_ours("plan", "add x")
    assert not typed.is_ours("plan", "")
    assert not typed.is_ours("plan", "additional tests")
    assert not typed.is_ours("approve", "")


def test_a_damaged_state_is_said_and_nothing_is_lost(client):
    path = os.path.join(client.root, "active_context.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write("plan: [\n")
    assert "active_context.yaml" in client.prompt("/edge note x")
    with open(path, encoding="utf-8") as file:
        assert file.read() == "plan: [\n"
