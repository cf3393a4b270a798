"""Prompts: most are not ours, and cost nothing of what ours need."""

import subprocess
import sys

import pytest

from operators_edge.hosts import prompt

SEEN = "import sys, operators_edge.hosts.prompt; print('\\n'.join(sys.modules))"


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
    assert "operators_edge.hosts.prompt" in loaded
    for heavy in ("gating", "judgement", "core.claims", "status", "decisions"):
        assert f"operators_edge.{heavy}" not in loaded
