"""What a text from a file starts, with what it knows of itself."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.gate.disk import extracts, started
from operators_edge.shell.code.languages import CALLS

_PLACES = ("own path", "current folder", "same path")
"""Effects of calls that only name a place."""


@for_each("name", [each for each, effect in CALLS.items() if effect not in _PLACES])
def test_each_call_that_starts_or_changes_something_makes_a_file_worth_reading(name):
    assert started.may_start(f"{name}(x)")
    assert any(each in name for each in extracts._CALLS)


@for_each(
    ("program", "text", "expected"),
    [
        ("python", "open(__file__)", "open('/p/a')"),
        ("node", "read(__dirname)", "read('/p')"),
        ("ruby", "__dir__ + __FILE__", "'/p' + '/p/a'"),
        ("php", "__DIR__ . '/b'", "'/p' . '/b'"),
        ("lua", "__file__", "__file__"),
    ],
)
def test_code_knows_its_own_path(program, text, expected):
    assert started.with_own_path(program, text, "/p/a") == expected


@for_each(
    ("program", "text", "arguments", "expected"),
    [
        ("python", "sys.argv[1]", ("a", "b"), "'b'"),
        ("python", "sys.argv", ("a", "b"), "['a', 'b']"),
        ("node", "process.argv[2]", ("a", "b"), "'b'"),
        ("ruby", "ARGV[0]", ("a", "b"), "'b'"),
        ("python", "sys.argv[2]", ("a", "b"), "sys.argv[2]"),
        ("python", "sys.argv[1]", ("a", "b\0"), "sys.argv[1]"),
    ],
)
def test_code_knows_the_words_that_it_is_given(program, text, arguments, expected):
    assert started.with_arguments(program, text, arguments) == expected


def test_a_call_is_found_at_its_line_with_its_variables():
    text = "import os, subprocess\n\nos.environ['A'] = 'b'\nsubprocess.run(['make', 'it'])\n"
    (run,) = started.started_by_code("python", "-c", text)
    assert run.text == "make it"
    assert text[: run.position].count("\n") == 3
