"""What a name can stand for while a Python program is followed."""

from __future__ import annotations

import ast

import pytest

from operators_edge.shell.code.python.values import (
    ABSENT,
    MAX_OPTIONS,
    UNKNOWN,
    Box,
    Choice,
    FilePath,
    Symbol,
    either,
    is_same,
    joined_cells,
    options_of,
    truth,
)


def symbol(text):
    return Symbol(ast.parse(text, mode="eval").body)


def test_values_of_two_paths_become_a_choice_of_both():
    assert either(["a", "a"]) == "a"
    assert either([ABSENT, "a"]) == "a"
    assert either([]) is ABSENT
    assert options_of(either(["a", FilePath("b"), "a"])) == ("a", FilePath("b"))
    assert options_of(either([either(["a", "b"]), "c"])) == ("a", "b", "c")


def test_of_too_many_values_the_rest_is_unknown():
    found = options_of(either(range(MAX_OPTIONS + 5)))
    assert len(found) == MAX_OPTIONS + 1
    assert found[-1] is UNKNOWN


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (1, 1, True),
        (1, True, False),
        (("a", 1), ("a", 1), True),
        (FilePath("a"), FilePath("a"), True),
        (FilePath("a"), "a", False),
        (symbol("os.sep"), symbol("os.sep"), True),
        (symbol("os.sep"), symbol("os.name"), False),
    ],
)
def test_values_are_the_same_if_nothing_tells_them_apart(first, second, expected):
    assert is_same(first, second) is expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", False),
        ((), False),
        (FilePath("a"), True),
        (Box([]), False),
        (Box(["a"]), True),
        (Box([], is_open=True), None),
        (Choice((0, "")), False),
        (Choice((0, 1)), None),
        (UNKNOWN, None),
    ],
)
def test_a_value_counts_as_true_only_if_that_is_known(value, expected):
    assert truth(value) is expected


def test_lists_of_two_paths_hold_the_items_of_both_and_perhaps_more():
    assert joined_cells([(("a",), False), (("a", "b"), False)]) == (("a", "b"), True)
    merged, is_open = joined_cells([({"k": 1}, False), ({"k": 2}, False)])
    assert (options_of(merged["k"]), is_open) == ((1, 2), True)
