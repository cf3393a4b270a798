"""The names of failed tests that a runner's output holds."""

import time

from operators_edge.evidence.checks.failed_tests import MAX_NAMES, names_of


def test_a_test_that_is_named_alone_and_with_its_group_counts_once():
    text = "    1) adds\n\n  1) Cart adds:\n     Error: no\n"
    assert names_of(text, ["mocha"]) == ["Cart adds"]


def test_thousands_of_failures_are_read_in_a_moment():
    line = "FAILED tests/test_{0}.py::test_case_{0} - AssertionError: no"
    text = "\n".join(line.format(number) for number in range(6_000))
    start = time.process_time()
    assert len(names_of(text, ["pytest"])) == MAX_NAMES
    assert time.process_time() - start < 1
