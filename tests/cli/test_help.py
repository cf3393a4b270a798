"""The help of every command and verb: present, short, and in one form."""

import argparse

import pytest

from operators_edge.cli.parsers import parser_of
from operators_edge.cli.topics import TOPICS
from tests.tables import for_each

WIDTH = 80


def commands(parser, path=()):
    """Each parser below this one with its words and the line that lists it."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            lines = {each.dest: each.help for each in action._choices_actions}
            for name, child in action.choices.items():
                yield (*path, name), child, lines.get(name)
                yield from commands(child, (*path, name))


COMMANDS = list(commands(parser_of()))


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    monkeypatch.setenv("COLUMNS", str(WIDTH))


@for_each(("path", "parser", "line"), COMMANDS, ids=[" ".join(c[0]) for c in COMMANDS])
def test_help_starts_with_a_lower_case_word_and_fits_the_screen(path, parser, line):
    assert line
    assert line[0].islower()
    assert not line.endswith(".")
    text = parser.format_help()
    assert max(map(len, text.splitlines())) <= WIDTH


def test_the_line_of_a_verb_is_not_wrapped():
    parsers = {path: parser for path, parser, _ in COMMANDS}
    wrapped = [
        " ".join(path)
        for path, _, line in COMMANDS
        if len(path) == 2 and line not in parsers[path[:1]].format_help()
    ]
    assert wrapped == []


def test_every_option_that_is_listed_is_explained():
    unexplained = [
        f"{' '.join(path)} {action.dest}"
        for path, parser, _ in COMMANDS
        for action in parser._actions
        if action.option_strings and not action.help
    ]
    assert unexplained == []


LINES = 24


@for_each(("path", "parser", "line"), COMMANDS, ids=[" ".join(c[0]) for c in COMMANDS])
def test_help_fits_a_screen_and_has_an_example(path, parser, line):
    text = parser.format_help()
    assert len(text.splitlines()) <= LINES
    assert "Example: edge " in text


@pytest.mark.parametrize(("name", "topic"), TOPICS.items())
def test_a_topic_fits_a_terminal_of_80_columns(name, topic):
    wide = [line for line in topic.text.splitlines() if len(line) > 80]
    assert wide == [], name


def test_every_argument_that_is_named_is_explained_or_says_what_it_is():
    unexplained = [
        f"{' '.join(path)} {action.dest}"
        for path, parser, _ in COMMANDS
        for action in parser._actions
        if not action.option_strings and not isinstance(action.choices, dict) and not action.help
    ]
    assert unexplained == []
