"""The words of a Python program's command, as its own parser reads them."""

from __future__ import annotations

import pytest

from operators_edge.shell.code.python.arguments import Command, Parser
from operators_edge.shell.code.python.values import UNKNOWN, options_of


def parser():
    made = Parser()
    made.add_argument(["name"], {})
    made.add_argument(["--dry"], {"action": "store_true"})
    made.add_argument(["-n"], {"dest": "count", "default": 1})
    return made


def test_the_words_of_a_command_give_each_value():
    found = parser().read(["a", "--dry"])
    assert not found.is_open
    assert found.attributes == {"name": "a", "dry": True, "count": 1}


@pytest.mark.parametrize("words", [None, [], ["a", "b"], ["a", "--unknown"]])
def test_words_that_are_unknown_or_do_not_fit_may_give_anything(words):
    found = parser().read(words)
    assert found.is_open
    assert set(options_of(found.attributes["dry"])) == {False, UNKNOWN}


def test_words_for_another_program_may_be_left_over():
    assert parser().read(["a", "--unknown"], is_loose=True).attributes["name"] == "a"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ([UNKNOWN], {}),
        (["--x"], {"action": UNKNOWN}),
        (["--x"], {"nargs": UNKNOWN}),
        (["name", "b"], {}),
    ],
)
def test_a_parser_with_an_option_that_is_not_known_knows_no_values(words, named):
    made = parser()
    made.add_argument(words, named)
    assert made.read(["a"]).is_open


def test_a_subcommand_sets_its_own_values():
    made = Parser()
    inner = made.add_subparsers([], {"dest": "verb"})
    inner.add_parser(["drop"], {}).set_defaults([], {"run": "dropper"})
    inner.add_parser(["show"], {}).set_defaults([], {"run": "shower"})
    assert made.read(["drop"]).attributes == {"verb": "drop", "run": "dropper"}


def group():
    made = Command("all", is_group=True)
    drop = Command("drop")
    drop.options.append((["name"], {}, True))
    drop.options.append((["--dry/--no-dry"], {"default": False}, False))
    made.add("drop", drop)
    made.add("show", Command("show"))
    return made


def test_a_group_chooses_the_command_that_the_words_name():
    chosen = group().chosen(["drop", "a", "--dry"])
    assert [(one.function, given) for one, given in chosen] == [
        ("all", {}),
        ("drop", {"name": "a", "dry": True}),
    ]
    assert group().chosen([]) == []


@pytest.mark.parametrize("words", [None, ["gone"], ["drop"], ["drop", "a", "--unknown"]])
def test_words_that_no_command_fits_choose_none(words):
    assert group().chosen(words) is None


def test_a_command_whose_name_is_not_known_may_be_any():
    made = group()
    made.add(UNKNOWN, Command("other"))
    assert made.chosen(["show"]) is None
    assert [one.function for one in made.every()] == ["all", "drop", "show", "other"]
