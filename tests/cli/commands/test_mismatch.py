"""`edge mismatch` and `edge adapt`, with and without quotes."""

import json

import pytest

from operators_edge.project import Project


def state(project):
    return Project(project, is_set_up=True).state.read()


def test_words_need_no_quotes_and_the_noun_alone_lists(edge):
    code, out, err = edge("mismatch", "the", "API", "says", "403", "--expected", "a list")
    assert (code, err) == (0, "")
    assert out == "Mismatch 1 (mismatch-001): expected a list, saw the API says 403\n"
    assert edge("mismatch")[1] == "  1. expected a list, saw the API says 403\n"
    assert json.loads(edge("mismatch", "--json")[1])["data"][0]["id"] == "mismatch-001"


def test_resolving_one_makes_a_lesson_that_is_listed_with_the_others(edge, project):
    edge("mismatch", "a 403", "--expected", "a list", "--cause", "the token", "--confidence", "0.8")
    code, out, _ = edge("mismatch", "resolve", "1", "refresh", "first", "--trigger", "says 403")
    assert code == 0
    assert "says 403: refresh first" in out
    assert state(project)["memory"][0]["source"] == "mismatch-001"
    assert edge("mismatch", "list", "--open")[1] == "No open mismatch.\n"
    assert "resolved: " in edge("mismatch", "list")[1]


def test_the_log_holds_what_became_of_it(edge, project):
    edge("mismatch", "a 403", "--expected", "a list")
    edge("mismatch", "resolve", "mismatch-001", "a new token")
    entries = Project(project, is_set_up=True).log.tail(10)
    told = [each["data"]["to"] for each in entries if each["event"] == "mismatch"]
    assert told == ["added", "resolved"]


def test_adapt_alone_says_what_can_be_done_and_with_words_does_it(edge, project):
    assert edge("adapt") == (0, "No open mismatch: the plan can stay as it is.\n", "")
    edge("step", "start", "1")
    edge("mismatch", "a 403", "--expected", "a list")
    assert 'edge adapt 1 revise "…"' in edge("adapt")[1]
    code, out, _ = edge("adapt", "1", "insert", "refresh", "the", "token", "--risk", "it ends")
    assert code == 0
    assert "Mismatch 1 is resolved" in out
    assert [each["description"] for each in state(project)["plan"]] == ["refresh the token", "one"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("mismatch", "add"), "missing: TEXT"),
        (("mismatch", "x", "--confidence", "2"), "from 0 to 1"),
        (("mismatch", "x", "--confidence", "high"), "confidence"),
        (("mismatch", "x", "--step", "7"), "there is no step 7"),
        (("mismatch", "resolve", "1", "x"), "there is no mismatch 1"),
        (("adapt", "1"), "how to adapt"),
        (("adapt", "1", "revise"), "what to revise"),
        (("adapt", "1", "mend", "x"), "unknown way 'mend'"),
        (("adapt", "1", "revise", "x"), "there is no mismatch 1"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(edge, project, words, why):
    before = state(project)
    code, out, err = edge(*words)
    assert (code, out) == (64, "")
    assert why in err
    assert state(project) == before
