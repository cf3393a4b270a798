"""The slash commands: one table, and what their files cost in tokens."""

import json
import os

import pytest
from tests.hosting import REPOSITORY
from tests.tables import for_each

from operators_edge.cli.parser import Parser
from operators_edge.cli.parsers import parser_of
from operators_edge.hosts.claude import slash_commands
from operators_edge.hosts.claude.slash_commands import COMMANDS
from operators_edge.sessions import briefing

PLUGIN = os.path.join(REPOSITORY, "plugins", "edge", "commands")

BODY_TOKENS = 60
"""What a typed command that costs a turn may add of its own, beside the text that is computed."""


def parser_behind(words):
    """The command line's parser that the words lead to."""
    parser = parser_of()
    for word in words.split():
        (verbs,) = (each for each in parser._actions if isinstance(each.choices, dict))
        parser = verbs.choices[word]
    return parser


@pytest.mark.parametrize("text", ["/edge", " /edge status\n", "/edge approve 1\nbecause it is so"])
def test_only_the_command_itself_is_ours(text):
    assert slash_commands.line(text) is not None


@pytest.mark.parametrize("text", ["", "/edges", "say /edge approve", "/edge-loops", "/edgeapprove"])
def test_what_only_mentions_it_goes_to_the_model(text):
    assert slash_commands.line(text) is None


def test_the_plugins_files_are_those_of_the_table():
    wanted = {f"{each.short}.md": slash_commands.file_of(each) for each in COMMANDS}
    found = {}
    for name in os.listdir(PLUGIN):
        with open(os.path.join(PLUGIN, name), encoding="utf-8") as file:
            found[name] = file.read()
    assert found == wanted


@for_each("command", COMMANDS, ids=lambda each: each.name)
def test_no_session_pays_for_a_command_that_nobody_typed(command):
    head = slash_commands.file_of(command).split("---")[1]
    assert "disable-model-invocation: true\n" in head
    assert len(head.encode()) < 250


@for_each("command", COMMANDS, ids=lambda each: each.name)
def test_the_text_of_a_command_is_short(command):
    body = slash_commands.file_of(command).split("---\n", 2)[2]
    assert briefing.estimate_tokens(body) <= BODY_TOKENS


@for_each("command", COMMANDS[1:], ids=lambda each: each.name)
def test_every_command_stands_for_one_of_the_command_line(command):
    assert isinstance(parser_behind(command.words), Parser)


def test_the_verbs_that_the_hook_answers_are_the_command_lines_own():
    for command in COMMANDS:
        if command.verbs:
            parser = parser_behind(command.words)
            (verbs,) = (each for each in parser._actions if isinstance(each.choices, dict))
            assert set(command.verbs) == set(verbs.choices)


@for_each(
    ("line", "is_for_model"),
    [
        ("/edge", False),
        ("/edge plan", False),
        ("/edge approve 1", False),
        ("/edge-plan", True),
        ("/edge-plan make it fast", True),
        ("/edge-plan add a step", False),
        ("/edge-step", True),
        ("/edge-step done 1", False),
        ("/edge:step", True),
        ("/edge-research start R001", True),
        ("/edge-research list", False),
        ("/edge-review --staged", True),
        ("/edge-yolo on", False),
    ],
)
def test_a_model_turn_is_spent_only_on_what_the_model_is_to_do(line, is_for_model):
    found = slash_commands.line(line)
    assert found is not None
    assert found.is_for_model is is_for_model


@pytest.mark.parametrize("text", ["/edge-unknown", "/edges", "x /edge", "/edge:unknown", "/edge-"])
def test_what_is_no_command_of_ours_goes_its_way(text):
    assert slash_commands.line(text) is None


def test_hints_can_stand_in_a_files_head():
    for command in COMMANDS:
        assert json.loads(json.dumps(command.hint)) == command.hint
        assert '"' not in command.hint
