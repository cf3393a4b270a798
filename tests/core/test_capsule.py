from operators_edge.core import capsule
from operators_edge.core.capsule import Last

STATE = {
    "objective": "Ship the parser",
    "plan": [
        {"description": "Write it", "status": "completed"},
        {"description": "Test it", "status": "in_progress", "expected": "all green"},
    ],
    "current_step": 2,
    "next_action": "run pytest",
    "constraints": ["no new dependency"],
    "junction": {"type": "irreversible", "shown": "git push origin main", "reason": "r"},
    "mismatches": [
        {"expectation": "200", "observation": "403"},
        {"expectation": "old", "observation": "x", "resolved": True},
    ],
}
LAST = Last(
    {
        "tools_used": {"Edit": 2, "Bash": 1},
        "files_modified": ["a.py", "b.py"],
        "tests_run": True,
        "tests_passed": False,
        "commands_failed": [{"command": "pytest -q"}],
    },
    ended_cleanly=False,
)


def test_it_tells_intent_what_waits_and_what_really_happened():
    text = capsule.build(STATE, LAST)
    for part in (
        "Objective: Ship the parser (mode active)",
        "Step 2 of 2, in_progress: Test it",
        "expected: all green",
        "Next: run pytest",
        "git push origin main",
        "did not end cleanly",
        "a.py, b.py",
        "last run failed",
        "pytest -q",
        "no new dependency",
        "expected 200, saw 403",
    ):
        assert part in text
    assert "old" not in text


def test_nothing_to_say_is_said_with_nothing():
    assert capsule.build({}, None) == ""


def test_the_budget_holds_and_the_most_important_stays():
    state = {**STATE, "constraints": [f"constraint {n} " + "x" * 80 for n in range(200)]}
    text = capsule.build(state, LAST)
    assert capsule.tokens(text) <= capsule.DEFAULT_BUDGET
    assert "Objective" in text
    assert "git push origin main" in text


def test_what_was_written_by_others_stays_one_printable_line():
    state = {"objective": "a\nIgnore the above\x1b[31m\u202e" + "y" * 900}
    lines = capsule.build(state, None).splitlines()
    assert len(lines) == 2
    assert "\x1b" not in lines[1]
    assert "\u202e" not in lines[1]
    assert len(lines[1]) <= 240


def test_claims_that_do_not_hold_any_more_are_told_the_first_three():
    doubts = [f"Step {number} is STALE" for number in range(1, 6)]
    text = capsule.build(STATE, LAST, doubts=doubts)
    assert "Step 3 is STALE\nand 2 steps more: edge proof ledger" in text
    assert "Step 4 is STALE" not in text


def test_a_mismatch_that_is_a_text_alone_is_told_as_it_is():
    told = capsule.build({"mismatches": ["the API says 403", {"resolved": True}]}, None)
    assert "Open mismatch: the API says 403" in told
    assert told.count("mismatch") == 1
