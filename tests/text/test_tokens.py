"""Words as they are compared."""

import pytest
from hypothesis import given, strategies as st

from operators_edge.text.tokens import last_number, numbered_id, stem, terms


def of(text):
    return [term.text for term in terms(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("getUserName", ["getusername", "get", "user", "name"]),
        ("snake_case HTTPError", ["snake_case", "snak", "case", "httperror", "http", "error"]),
        ("E501", ["e501", "e", "501"]),
        ("__init__ _x", ["init", "x"]),
        ("the token of an API", ["token", "api"]),
        ("don't", ["dont", "don"]),
        ("Größe naïve", ["größe", "naïve"]),
        ("数据库连接", ["数据", "据库", "库连", "连接"]),
        ("", []),
    ],
)
def test_identifiers_come_whole_and_in_their_parts(text, found):
    assert of(text) == found


def test_the_parts_of_an_identifier_are_known_as_such_and_the_whole_is_none():
    assert [term.is_part for term in terms("getUser name")] == [False, True, True, False]


@pytest.mark.parametrize(
    "same",
    [("test", "tests", "testing", "tested"), ("query", "queries"), ("pass", "passes", "passed")],
)
def test_forms_of_a_word_are_one_term(same):
    assert len({stem(each) for each in same}) == 1


@given(st.text())
def test_any_text_has_terms_that_can_stand_in_an_index(text):
    for term, word, _ in terms(text):
        assert term
        assert '"' not in term
        assert " " not in term
        assert word in text


@pytest.mark.parametrize(
    ("idents", "last"),
    [([], 0), (["R001", "r12", "7"], 12), (["mismatch-003", None, "B20260301-2", "R" * 9], 3)],
)
def test_the_last_number_of_ids_is_known_whatever_else_stands_among_them(idents, last):
    assert last_number(idents) == last


@pytest.mark.parametrize(
    ("text", "ident"),
    [("R001", "R001"), (" r1", "R001"), ("12", "R012"), ("I001", ""), ("", ""), ("1" * 10, "")],
)
def test_an_id_is_known_in_every_spelling(text, ident):
    assert numbered_id("R", text) == ident
