"""A table's test says as much about each row that fails as a test of its own would."""

import pytest

from tests.tables import for_each


@pytest.fixture
def made(request):
    return request.node.name


def test_every_row_is_tried_and_each_that_fails_is_named_with_what_it_says():
    seen = []

    @for_each(
        ("word", "length"),
        [("one", 3), ("three", 4), pytest.param("four", 3, id="the last"), ("six", 3)],
    )
    def check(word, length):
        seen.append(word)
        assert len(word) == length

    with pytest.raises(AssertionError) as caught:
        check()
    assert seen == ["one", "three", "four", "six"]
    told = str(caught.value)
    assert told.splitlines()[:3] == ["2 of 4 rows fail:", "[three-4]", "    assert 5 == 4"]
    assert "[the last]\n    assert 4 == 3" in told
    assert "len('three')" in told
    assert caught.value.__cause__.args[0].startswith("assert 5 == 4")


@pytest.mark.parametrize(
    "end", [lambda: pytest.skip("left"), lambda: pytest.fail("no"), lambda: 1 // 0]
)
def test_a_row_that_ends_in_any_other_way_fails_too(end):
    @for_each("row", [1])
    def check(row):
        end()

    with pytest.raises(AssertionError, match="1 of 1 rows fail"):
        check()


def test_of_many_failures_the_first_are_shown_and_all_are_named():
    @for_each("row", [f"row {n}" for n in range(100)])
    def check(row):
        raise ValueError("what it says")

    with pytest.raises(AssertionError) as caught:
        check()
    told = str(caught.value)
    assert told.count("    ValueError: what it says") == 10
    assert all(f"[row {n}]\n" in f"{told}\n" for n in range(100))


def test_a_table_without_rows_is_an_error():
    with pytest.raises(AssertionError, match="without rows"):
        for_each("row", [])


def test_only_rows_with_the_words_that_were_asked_for_are_tried(monkeypatch):
    seen = []
    check = for_each("row", ["a cat", "a dog", "dogs"], ids=lambda row: f"says {row}")(
        lambda row: seen.append(row)  # noqa: PLW0108 - the name of its parameter is the point
    )
    monkeypatch.setattr("tests.tables.wanted_rows", "says a dog")
    check()
    assert seen == ["a dog"]
    monkeypatch.setattr("tests.tables.wanted_rows", "cow")
    with pytest.raises(pytest.skip.Exception):
        check()


@for_each("number", [1, 2])
@for_each(("one", "two"), [("a", "b"), ("c", "d")])
def test_what_a_table_does_not_give_is_a_fixture_and_tables_combine(made, number, one, two):
    assert made == "test_what_a_table_does_not_give_is_a_fixture_and_tables_combine"
    assert (number in (1, 2), one + two in ("ab", "cd")) == (True, True)
