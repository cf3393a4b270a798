"""The reference of the command line: everything in it has an example and a description."""

import re

from operators_edge.cli.command import Command, arg
from operators_edge.cli.parser import Parser
from operators_edge.errors import EdgeError
from tests.reference import commands

FOUND = commands.documented()
PAGES = commands.pages()


def parser_with(*names, epilog, about):
    parser = Parser(prog="edge invented", epilog=epilog)
    for name in names:
        made = arg(name, about)
        parser.add_argument(*made.names, **made.options)
    return parser


def test_every_command_has_an_example_and_every_argument_a_description():
    assert list(commands.problems(FOUND)) == []


def test_a_command_without_an_example_or_a_description_would_be_noticed():
    bare = commands.Documented("invented", parser_with("ID", "--why T", epilog="", about=""), "x")
    assert list(commands.problems([bare])) == [
        "edge invented: no example",
        "edge invented: ID: not described",
        "edge invented: --why T: not described",
    ]
    full = parser_with("ID", epilog="Example: %(prog)s 7", about="its number")
    assert not list(commands.problems([commands.Documented("invented", full, "x")]))


def test_every_command_of_the_parser_is_on_a_page_with_its_options_and_example():
    text = "\n".join(PAGES.values())
    assert len(FOUND) > 100
    for words, parser, _ in FOUND:
        page = PAGES[f"{commands.FOLDER}/{words.split()[0]}.md"]
        assert f"edge {words}" in page
        assert not commands.runs(parser) or commands.example(parser) in page
        for action in commands.arguments(parser):
            assert all(f"`{name}" in page or f", {name}" in page for name in action.option_strings)
    assert "==SUPPRESS==" not in text


def test_a_command_s_common_options_are_on_the_first_page_only():
    first = PAGES[f"{commands.FOLDER}/index.md"]
    assert all(f"`{name}" in first or f", {name}" in first for name in commands.COMMON)
    usage = PAGES[f"{commands.FOLDER}/approve.md"]
    assert "--json" not in usage


def test_the_exit_codes_are_those_of_the_errors():
    kinds = [EdgeError, *EdgeError.__subclasses__()]
    assert {each.exit_code for each in kinds} - set(commands.EXIT_CODES) == set()
    assert 2 not in commands.EXIT_CODES


def test_an_example_of_several_lines_is_shown_whole():
    parser = parser_with(
        epilog="Example: %(prog)s 7\n         %(prog)s 8\nPut -- before.", about=""
    )
    assert re.sub(r"\s+", " ", commands.example(parser)) == "edge invented 7 edge invented 8"
    assert Command(run=lambda _: 0, args=()).example == ""
