"""The commands for notes, questions, risks and constraints, with and without their verbs."""

import json

import pytest

from operators_edge.project import Project


def test_the_short_form_adds_and_the_noun_alone_lists(edge, project):
    assert edge("note", "the importer needs 2 GB") == (0, "Note 1: the importer needs 2 GB\n", "")
    assert edge("note", "add", "list") == (0, "Note 2: list\n", "")
    assert edge("note")[1] == "  1. the importer needs 2 GB\n  2. list\n"
    assert json.loads(edge("note", "--json")[1])["data"][1] == {"number": 2, "note": "list"}
    assert edge("note", "rm", "1", "2")[1].count("Removed") == 2
    assert edge("note", "list")[1] == "No note yet.\n"
    assert Project(project, is_set_up=True).state.read()["notes"] == []


def test_what_every_command_takes_may_stand_before_the_verb(edge, project):
    assert json.loads(edge("question", "--json", "why?")[1])["data"]["question"] == 1
    assert edge("question", "--project", project, "answer", "1", "because")[0] == 0
    assert edge("question", "--blocking", "and when?")[0] == 0
    assert edge("question")[1] == "  1. why?\n     answered: because\n  2. and when? (blocking)\n"


def test_a_risk_says_what_is_done_about_it(edge):
    assert edge("risk", "slow", "--mitigation", "a cache")[0] == 0
    assert edge("risk", "mitigate", "1")[1] == "Risk 1 is mitigated: slow\n"
    assert edge("risk", "realize", "1", "bigger machine")[0] == 0
    assert edge("risk")[1] == "  1. slow (realized)\n     mitigation: bigger machine\n"


@pytest.mark.parametrize("kind", ["question", "risk", "constraint"])
def test_a_note_can_be_added_as_a_text_of_another_kind(edge, kind):
    assert edge("note", f"--{kind}", "slow")[1] == f"{kind.capitalize()} 1: slow\n"
    assert edge("note")[1] == "No note yet.\n"
    assert edge("note", "--risk", "--question", "slow")[0] == 64


def test_remarks_are_warnings_and_no_failure(edge):
    edge("constraint", "no new dependency")
    code, out, err = edge("constraint", "no new dependency")
    assert (code, out) == (0, "Nothing was added.\n")
    assert err == "warning: constraint 1 says that already\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("constraint", "rm", "1"), "there is no constraint 1"),
        (("question", "answer", "1"), "missing: TEXT"),
        (("note", ""), "this one is empty"),
        (("note", "-x"), "put -- before"),
        (("risk", "mitigate"), "missing: N"),
    ],
)
def test_what_cannot_be_done_is_said(edge, words, why):
    code, out, err = edge(*words)
    assert (code, out) == (64, "")
    assert why in err


def test_each_is_logged_with_what_it_says(edge, project):
    edge("question", "why?")
    edge("question", "answer", "1", "because")
    edge("question", "rm", "1")
    entries = Project(project, is_set_up=True).log.tail(10)
    assert [e["data"]["to"] for e in entries if e["event"] == "question"] == [
        "added",
        "answered",
        "removed",
    ]


@pytest.mark.parametrize("noun", ["note", "question", "risk", "constraint"])
def test_words_without_quotes_are_one_text_and_quoted_texts_are_one_each(edge, noun):
    assert edge(noun, "the", "importer", "needs", "2", "GB")[0] == 0
    assert edge(noun, "add", "one thing", "another")[0] == 0
    listed = json.loads(edge(noun, "list", "--json")[1])["data"]
    assert len(listed) == 3
    assert "the importer needs 2 GB" in str(listed[0])


def test_answers_and_mitigations_need_no_quotes(edge):
    edge("question", "which cache")
    assert edge("question", "answer", "1", "Redis,", "it", "is", "there")[0] == 0
    edge("risk", "the API may change")
    assert edge("risk", "realize", "1", "it", "did")[0] == 0
    assert "Redis, it is there" in edge("question", "list")[1]
    assert "it did" in edge("risk", "list")[1]
