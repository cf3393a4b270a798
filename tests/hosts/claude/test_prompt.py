"""Prompts: most are not ours, and cost nothing of what ours need."""

import subprocess
import sys

import pytest
from tests.hosting import read_state

from operators_edge.hosts.claude import prompt

SEEN = "import sys, operators_edge.hosts.claude.prompt; print('\\n'.join(sys.modules))"


@pytest.mark.parametrize("text", ["/edge", " /edge status\n", "/edge approve 1\nbecause it is so"])
def test_only_the_command_itself_is_ours(text):
    assert prompt.is_ours(text)


@pytest.mark.parametrize("text", ["", "/edges", "say /edge approve", "/edge-loop", "/edgeapprove"])
def test_what_only_mentions_it_goes_to_the_model(text):
    assert not prompt.is_ours(text)


def test_at_every_prompt_and_turns_end_neither_gate_nor_claims_are_loaded():
    loaded = subprocess.run(
        [sys.executable, "-c", SEEN], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "operators_edge.hosts.claude.prompt" in loaded
    for heavy in ("gating", "judgement", "core.claims", "status", "decisions"):
        assert f"operators_edge.{heavy}" not in loaded


def told(client, line):
    """What the model gets beside a typed line."""
    answer = client.send("UserPromptSubmit", prompt=line)
    return answer["hookSpecificOutput"]["additionalContext"]


def test_a_person_who_wants_to_plan_on_is_not_asked_whether_to_stop_planning(client):
    text = told(client, "/edge-plan")
    assert "Mode plan: read what is needed" in text
    assert "A decision waits" not in text
    state = read_state(client)
    assert state["mode"] == "plan"
    assert state["plan"]  # a step that is open is what would have been asked about
    assert not state.get("junction")


def test_what_waits_for_the_person_is_said_in_plan_mode_too(client):
    client.bash("git push origin main")
    assert "A decision is pending for the person: git push origin main" in told(
        client, "/edge-plan"
    )
