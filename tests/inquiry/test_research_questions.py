"""What counts as an unknown, and the content of a prompt."""

import pytest

from operators_edge.inquiry import research_questions


def found(**state):
    return [
        (each.topic, each.is_critical, each.step) for each in research_questions.unknowns(state)[0]
    ]


@pytest.mark.parametrize(
    ("text", "critical"),
    [
        ("Evaluate three caches", [True]),
        ("Investigate why the import is slow", [True]),
        ("Decide which library to use for parsing", [True]),
        ("Not sure how to shard the table", [True]),
        ("Which queue?", [True]),
        ("Write the page that lets people compare plans", [False]),
        ("Write the parser", []),
        ("Fix the unknowns table", []),
        ("Relearn nothing", []),
    ],
)
def test_a_step_that_has_to_find_something_out_is_seen(text, critical):
    assert [each[1] for each in found(plan=[{"description": text}])] == critical


def test_finished_steps_and_answered_questions_are_known():
    plan = [{"description": "Evaluate caches", "status": "completed"}]
    questions = [{"question": "which?", "answer": "Redis"}]
    assert found(plan=plan, open_questions=questions) == []


def test_questions_are_asked_and_those_that_block_are_critical():
    questions = ["why?", {"question": "which one?", "blocking": True}]
    assert found(open_questions=questions) == [("which one?", True, None), ("why?", False, None)]


def test_a_long_list_is_cut_and_says_so():
    unknowns, more = research_questions.unknowns(
        {"open_questions": [f"why {n}?" for n in range(12)]}
    )
    assert (len(unknowns), more) == (8, 4)


@pytest.mark.parametrize("odd", ["text", 7, {"a": 1}, [None, 7, ["x"], {}], None])
def test_entries_written_by_hand_cause_no_failure(odd):
    state = dict.fromkeys(("plan", "open_questions", "constraints", "memory", "intent"), odd)
    research_questions.unknowns(state)
    assert "# Research request" in research_questions.prompt(state, {"topic": odd})


STATE = {
    "objective": "Serve pages in 50 ms",
    "plan": [{"description": "Choose a cache"}, {"description": "Use it"}],
    "constraints": ["no new service"],
    "memory": [
        {"trigger": "cache", "lesson": "a cache without a limit ate the memory"},
        {"trigger": "git push", "lesson": "pull first"},
    ],
    "open_questions": [{"question": "Is a cache allowed?", "answer": "yes, in process"}],
}
ENTRY = {"id": "R001", "topic": "Which cache fits?", "priority": "critical", "blocking_step": 1}


def test_a_prompt_is_self_contained():
    text = research_questions.prompt(STATE, ENTRY)
    for part in (
        "R001",
        "Which cache fits?",
        "Serve pages in 50 ms",
        "- no new service",
        "This step waits for it: Choose a cache",
        "## Action items",
    ):
        assert part in text
    assert "a cache without a limit" not in text, "lessons stay in the project"
    assert text.count("\n5. ") == 1
    assert "\n4. " not in research_questions.prompt(STATE, {**ENTRY, "priority": "optional"})


def test_nothing_secret_goes_out():
    token = "ghp_" + "a1B2c3D4" * 4
    state = {"objective": f"use {token}", "constraints": ["the key is hunter2hunter2"]}
    text = research_questions.prompt(state, ENTRY, secrets=("hunter2hunter2",))
    assert token not in text
    assert "hunter2hunter2" not in text
