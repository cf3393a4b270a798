"""The answers to each junction, how they are typed, and the edit that each makes."""

from datetime import UTC, datetime

import pytest

from operators_edge.errors import UsageError
from operators_edge.evidence.plan_events import step_keys
from operators_edge.loop import choices

NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)

FINDINGS = {
    "type": "finding_selection",
    "source": "engine",
    "payload": {
        "findings": [
            {"id": "f1", "title": "TODO: mend", "file": "a.py", "line": 3, "priority": "high"},
            {"id": "f2", "title": "b.py has no test", "file": "b.py", "priority": "low"},
        ]
    },
}
QUESTION = {
    "type": "ambiguous",
    "source": "ask",
    "payload": {"question": "which cache?", "options": ["Redis", "none"]},
}


@pytest.mark.parametrize(("word", "ident"), [("1", "f1"), (" 2 ", "f2"), ("f2", "f2")])
def test_a_finding_is_chosen_by_its_number_or_id(word, ident):
    assert choices.chosen_finding(FINDINGS, word)["id"] == ident


@pytest.mark.parametrize("word", ["", "0", "3", "-1", "x", "²", "99999999999"])
def test_words_that_name_no_finding_choose_none(word):
    with pytest.raises(UsageError):
        choices.chosen_finding(FINDINGS, word)


@pytest.mark.parametrize(
    ("word", "answer"),
    [("1", "Redis"), ("NONE", "none"), ("keep it", "keep it"), ("2", "none")],
)
def test_a_question_is_answered_by_number_option_or_own_words(word, answer):
    assert choices.answer_of(QUESTION, word) == answer


@pytest.mark.parametrize("word", ["", "0", "3"])
def test_words_that_name_no_option_answer_nothing(word):
    with pytest.raises(UsageError):
        choices.answer_of(QUESTION, word)


def test_a_question_without_options_takes_a_plain_yes():
    assert choices.answer_of({"type": "ambiguous", "payload": {"question": "go on?"}}, "") == "yes"


def test_an_answer_takes_the_place_of_the_open_question():
    state = {"open_questions": ["which cache?", {"question": "and which port?"}]}
    choices.record_answer(state, QUESTION, "1", NOW)
    assert [each["question"] for each in state["open_questions"]] == [
        "and which port?",
        "which cache?",
    ]
    assert state["open_questions"][1]["answer"] == "Redis"


def test_every_offer_is_shown_with_where_it_is_once():
    assert choices.offers(FINDINGS) == ["high TODO: mend (a.py:3)", "low b.py has no test"]
    assert choices.offers(QUESTION) == ["Redis", "none"]
    assert choices.offers({"type": "finding_selection", "payload": "a text"}) == []


def test_a_no_to_findings_declines_them_all_and_to_a_step_blocks_it():
    state = {"objective": "x", "plan": [{"description": "deploy", "status": "pending"}]}
    choices.apply_refusal(state, FINDINGS)
    assert state["gear"]["declined"] == ["f1", "f2"]
    choices.apply_refusal(state, {"type": "dangerous", "payload": {"key": step_keys(state)[0]}})
    assert state["plan"][0]["status"] == "blocked"
    assert "a person said no" in state["plan"][0]["blocked_by"]
    assert (
        choices.apply_refusal(state, {"type": "dangerous", "payload": {"key": "gone"}}).text == ""
    )


@pytest.mark.parametrize(("most", "said"), [(1, "1, "), (2, "1 or 2, "), (4, "1…4, ")])
def test_the_options_are_named_as_they_read(most, said):
    pending = {"type": "ambiguous", "payload": {"options": [f"o{n}" for n in range(most)]}}
    assert choices.commands_line(pending).startswith(f"/edge approve {said}")
