"""Whether a command runs only if an earlier one has succeeded."""

from __future__ import annotations

from tests.gate.own.test_line_words import place_of, read
from tests.tables import for_each

from operators_edge.gate.own import line_order

ONLY_AFTER = [
    "createdb a && dropdb a",
    "createdb a >/dev/null 2>&1 && make | tail -1 && dropdb a",
    "createdb a && (cd b && make) && dropdb a",
    "createdb a && for i in 1 2; do make; done && dropdb a",
]
IN_ANY_CASE = [
    "createdb a; dropdb a",
    "createdb a || dropdb a",
    "createdb a | tail -1 && dropdb a",
    "createdb a & dropdb a",
    "! createdb a && dropdb a",
    "createdb a && make\ndropdb a",
    "createdb a && make || dropdb a",
]


def runs_only_after(text, *, is_program=False):
    line = read(text, is_program=is_program)
    first, at = (place_of(line, one) for one in ("createdb", "dropdb"))
    return line_order.runs_only_after(first, line, at)


@for_each("text", ONLY_AFTER)
def test_what_is_joined_by_and_runs_only_after_it(text):
    assert runs_only_after(text)


@for_each("text", IN_ANY_CASE)
def test_anything_else_may_run_in_any_case(text):
    assert not runs_only_after(text)


def test_a_script_ends_at_its_first_failure_if_it_says_so():
    assert runs_only_after("set -e\ncreatedb a\ndropdb a\n", is_program=True)
    assert runs_only_after("set -euo pipefail\ncreatedb a\ndropdb a\n", is_program=True)
    assert runs_only_after("set -e\ncreatedb a\ntrap 'dropdb a' EXIT\nmake\n", is_program=True)


@for_each(
    "text",
    [
        "createdb a\ndropdb a\n",
        "createdb a\nset -e\ndropdb a\n",
        "set -e\nset +e\ncreatedb a\ndropdb a\n",
        "set -e\nif createdb a; then :; fi\ndropdb a\n",
        "set -e\ntrap 'dropdb a' EXIT\ncreatedb a\n",
        "set -e\nset -n\ncreatedb a\ndropdb a\n",
    ],
)
def test_a_script_that_does_not_end_there_goes_on(text):
    assert not runs_only_after(text, is_program=True)


def test_of_a_line_it_does_not_count_that_it_would_end():
    assert not runs_only_after("set -e\ncreatedb a\ndropdb a\n")


@for_each(
    ("text", "is_needed"),
    [
        ("createdb a", True),
        ("make && createdb a && make", True),
        ("set -e\ncreatedb a\nmake\n", True),
        ("createdb a\nmake\n", False),
        ("set -e\ntest -d a && exit 0\ncreatedb a\nmake\n", False),
        ("set -e\ntest -d a && exec make\ncreatedb a\nmake\n", False),
        ("set -e\nmake || createdb a\nmake\n", False),
    ],
)
def test_a_program_ends_well_only_if_what_it_needs_has_succeeded(text, is_needed):
    line = read(text, is_program=True)
    assert line_order.is_needed(place_of(line, "createdb"), line) == is_needed
