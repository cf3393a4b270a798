"""A question of the agent becomes a junction, or is refused with what to change."""

import pytest

from operators_edge.approvals.question import MAX_OPTIONS, question_junction
from operators_edge.errors import UsageError


def test_a_question_carries_its_options_and_its_context():
    junction = question_junction("Which store?", ["Postgres", "SQLite"], "the tests\nneed one")
    assert (junction["type"], junction["source"]) == ("ambiguous", "ask")
    assert (junction["shown"], junction["reason"]) == ("Which store?", "the tests need one")
    assert junction["payload"] == {
        "question": "Which store?",
        "options": ["Postgres", "SQLite"],
        "context": "the tests\nneed one",
    }


def test_a_question_without_options_or_context_can_be_answered_freely():
    junction = question_junction("Ship it?", [], None)
    assert junction["reason"] == "the agent asks"
    assert junction["payload"]["options"] == []


@pytest.mark.parametrize(
    ("text", "options", "problem"),
    [
        (" ", [], "question"),
        ("Which?", ["a", " "], "option"),
        ("Which?", ["only this"], "one option leaves nothing to decide"),
        ("Which?", ["Yes", "yes"], "two options are the same"),
        ("Which?", [f"option {n}" for n in range(MAX_OPTIONS + 1)], "10 options are more than"),
    ],
)
def test_what_is_no_question_is_refused(text, options, problem):
    with pytest.raises(UsageError, match=problem):
        question_junction(text, options, None)
