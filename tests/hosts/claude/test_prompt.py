"""Typed commands that the model acts on."""

from tests.hosting import read_state


def context_for(client, line):
    """What the model gets beside a typed line."""
    answer = client.send("UserPromptSubmit", prompt=line)
    return answer["hookSpecificOutput"]["additionalContext"]


def test_a_person_who_wants_to_plan_on_is_not_asked_whether_to_stop_planning(client):
    text = context_for(client, "/edge-plan")
    assert "Mode plan: read what is needed" in text
    assert "A decision waits" not in text
    state = read_state(client)
    assert state["mode"] == "plan"
    assert state["plan"]  # a step that is open is what would have been asked about
    assert not state.get("junction")


def test_what_waits_for_the_person_is_said_in_plan_mode_too(client):
    client.bash("git push origin main")
    assert "A decision is pending for the person: git push origin main" in context_for(
        client, "/edge-plan"
    )
