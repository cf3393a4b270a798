"""What the agent is told when a person hands it the work."""

import pytest

from operators_edge.core import capsule, guidance

STEP = {
    "number": 2,
    "description": "write it",
    "expected": "it parses",
    "constraints": ["no new dependency"],
    "lessons": [{"number": 1, "lesson": "quote paths"}],
    "mismatches": [{"number": 1, "text": "it was slow"}],
}


def test_in_active_the_step_comes_with_all_that_it_needs():
    said = guidance.for_agent({"mode": "active", "step": STEP}, objective="ship it")
    for each in ("ship it", "Step 2: write it", "it parses", "no new dependency", "quote paths"):
        assert each in said
    assert "open mismatch 1: it was slow" in said
    assert "edge step done 2" in said


@pytest.mark.parametrize("mode", ["plan", "active", "review", "done"])
def test_every_mode_says_what_to_do_in_few_tokens(mode):
    said = guidance.for_agent({"mode": mode, "step": STEP if mode == "active" else None})
    assert capsule.tokens(said) < 200
    assert len(said.splitlines()) > 1


def test_where_a_decision_waits_nothing_else_is_asked_of_the_agent():
    junction = {"type": "dangerous", "reason": "it deploys"}
    said = guidance.for_agent({"mode": "active", "step": STEP, "junction": junction})
    assert "it deploys" in said
    assert "write it" not in said


def test_a_loop_that_is_stuck_gets_no_step():
    assert "write it" not in guidance.for_agent({"mode": "active", "step": STEP, "stuck": True})
