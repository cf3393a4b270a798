"""The text that the agent gets when a person hands it the work."""

import pytest

from operators_edge.evidence.claims.model import Claim
from operators_edge.loop import guidance
from operators_edge.sessions import briefing

STEP = {
    "number": 2,
    "description": "write it",
    "status": "pending",
    "expected": "it parses",
    "verification": None,
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


def test_of_many_mismatches_the_first_are_told_and_the_others_counted():
    many = [{"number": n, "text": f"it was slow {n}"} for n in range(1, 501)]
    said = guidance.for_agent({"mode": "active", "step": {**STEP, "mismatches": many}})
    assert "open mismatch 5: it was slow 5" in said
    assert "it was slow 6" not in said
    assert "and 495 mismatches more: edge mismatch list" in said


@pytest.mark.parametrize("mode", ["plan", "active", "review", "done"])
def test_every_mode_says_what_to_do_in_few_tokens(mode):
    said = guidance.for_agent({"mode": mode, "step": STEP if mode == "active" else None})
    assert briefing.estimate_tokens(said) < 200
    assert len(said.splitlines()) > 1


def test_where_a_decision_waits_nothing_else_is_asked_of_the_agent():
    junction = {"type": "dangerous", "reason": "it deploys"}
    said = guidance.for_agent({"mode": "active", "step": STEP, "junction": junction})
    assert "it deploys" in said
    assert "write it" not in said


def test_a_loop_that_is_stuck_gets_no_step():
    assert "write it" not in guidance.for_agent({"mode": "active", "step": STEP, "stuck": True})


# -- for a person ----------------------------------------------------------------------------------


def test_in_plan_a_person_sees_how_the_plan_stands_what_blocks_and_what_fits_next():
    questions = [
        {"question": "Which cache?", "blocking": True},
        {"question": "Which day?", "blocking": True, "answer": "Monday"},
        {"question": "Which name?", "blocking": False},
        "a text",
    ]
    plan = [{"description": "one", "status": "completed"}, "two", {"description": "three"}]
    state = {"objective": "ship it", "plan": plan, "open_questions": questions}
    told = guidance.for_person("plan", state)
    assert told[:3] == [
        "Objective  ship it",
        "Plan       3 steps: 1 completed, 2 pending",
        "Blocking   1. Which cache?",
    ]
    assert [line[11:].split("  ")[0].strip() for line in told[3:]] == [
        "edge question",
        "edge plan add TEXT",
        "edge active",
    ]


def test_an_empty_project_is_asked_for_its_objective_and_a_step_first():
    told = "\n".join(guidance.for_person("plan", {}))
    assert "none yet" in told
    assert "no step yet" in told
    assert "edge objective TEXT" in told
    assert "edge active" not in told
    assert "edge question" not in told


def test_the_checklist_of_review_says_which_step_is_borne_out():
    state = {
        "objective": "ship it",
        "plan": [
            {"description": "one", "status": "completed"},
            {"description": "two", "status": "blocked"},
        ],
    }
    told = guidance.for_person(
        "review", state, claims=[Claim(1, "k", "one", "", "", "VERIFIED", "")]
    )
    assert told[2:4] == [
        "Checklist  [x] VERIFIED     1. one",
        "           [!] open         2. two",
    ]
    assert "edge done" in told[-1]


def test_done_says_what_goes_to_the_archive_and_what_is_not_done():
    plan = [{"description": "one", "status": "completed"}, {"description": "two"}]
    told = guidance.for_person("done", {"objective": "ship it", "plan": plan})
    assert told[1] == (
        "Archive    the objective and 1 completed step; 1 step not done is archived too"
    )
    for each, line in zip(("edge score", "edge prune", "edge objective"), told[-3:], strict=True):
        assert line[11:].startswith(each)
    assert guidance.for_person("done", {})[0] == "Archive    there is nothing to archive"


@pytest.mark.parametrize("mode", ["plan", "active", "review", "done"])
def test_a_long_plan_of_long_words_stays_short_and_fits_a_terminal(mode):
    long = "grüße " * 60
    state = {
        "objective": long,
        "plan": [{"description": long, "status": "completed"}] * 40,
        "open_questions": [{"question": long, "blocking": True}] * 40,
    }
    told = guidance.for_person(mode, state)
    assert len(told) <= 12
    assert all(len(line) <= 80 for line in told)


def test_while_a_decision_pends_no_other_command_is_named():
    assert not any("edge " in line for line in guidance.for_person("review", {}, is_asked=True))


def test_what_a_file_says_cannot_drive_the_terminal():
    assert "\x1b" not in "".join(guidance.for_person("done", {"objective": "red \x1b[31m"}))


@pytest.mark.parametrize("mode", ["plan", "active", "review", "done"])
def test_whoever_sets_a_mode_reads_where_the_work_stands_and_what_fits(mode):
    state = {"objective": "ship it", "plan": [{"description": "one", "status": "completed"}]}
    told = guidance.for_new_mode(mode, state)
    assert told[0] == "Objective  ship it"
    assert any(line.startswith(("Plan       1 step: 1 completed", "Archive")) for line in told)
    assert any(line.startswith("Next       edge") for line in told)


def test_active_without_a_plan_says_so_first():
    told = guidance.for_new_mode("active", {"objective": "ship it"})
    assert told[-2:] == [
        "Next       edge plan add TEXT       there is no plan yet",
        "           edge run                 the next step",
    ]


def test_what_is_typed_at_a_client_is_named_as_it_is_typed():
    told = guidance.for_person("done", {"objective": "ship it"}, is_typed=True)
    named = [line.split()[0] for line in told if "/edge" in line]
    assert "Next       /edge score" in "\n".join(told)
    assert len(named) == 3


def test_review_says_how_much_of_the_plan_is_completed():
    steps = [{"description": "one", "status": "completed"}, {"description": "two"}]
    assert "Plan       2 steps: 1 completed, 1 pending" in guidance.for_person(
        "review", {"objective": "ship it", "plan": steps}
    )
