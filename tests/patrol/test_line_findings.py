"""Findings from lines of code: their weight, their number, and what is not worth a word."""

import pytest

from operators_edge.patrol import code_findings, line_findings
from operators_edge.patrol.code_findings import File


def found(path="src/a.py", matches=(), **more):
    return list(line_findings.of_matches(File(path, 10, matches=matches, **more)))


def test_each_kind_is_one_finding_of_a_file_however_many_lines_it_has():
    (only,) = found("a.test.js", ((3, "only", ""), (9, "only", "")))
    assert (only.type, only.priority, only.line) == ("exclusive_test", "high", 3)
    (lost,) = found(matches=((3, "swallowed", ""), (9, "swallowed", "")))
    assert (lost.priority, lost.value) == ("medium", 2)
    assert lost.title == "src/a.py swallows every error in 2 places"


@pytest.mark.parametrize(
    ("kind", "path", "priority"),
    [
        ("removed", "src/a.py", "high"),
        ("deprecated", "src/a.py", "medium"),
        ("removed", "examples/a.py", "medium"),
    ],
)
def test_what_is_gone_weighs_more_than_what_goes_away(kind, path, priority):
    assert found(path, ((3, kind, "imp is gone"),))[0].priority == priority


def test_of_many_reasons_in_a_file_three_are_said_the_worst_first():
    matches = [(n, "deprecated", f"reason {n}") for n in range(5)] + [(9, "removed", "z")]
    listed = found(matches=tuple(matches))
    assert [each.line for each in listed] == [9, 0, 1]


def names(exports, words, path="src/a.py"):
    file = File(path, 40, exports=tuple((n, name) for n, name in enumerate(exports, 1)))
    return list(line_findings.untested_exports([file], words))


def test_names_that_no_test_mentions_are_listed_where_others_are_tested():
    (one,) = names(["load", "parse", "dump", "merge", "Split"], {"load"})
    assert one.title == "No test names parse, dump, merge and 1 more of src/a.py"
    assert (one.line, one.value) == (2, 4)


@pytest.mark.parametrize(
    ("exports", "words", "path"),
    [
        (["load", "parse"], {"load", "parse"}, "src/a.py"),
        (["load", "parse"], {"load"}, "src/a.py"),  # one alone is reached through another
        (["load", "parse"], set(), "src/a.py"),  # the whole file: another finding
        (["load", "parse", "dump"], {"load"}, "tools/a.py"),
    ],
)
def test_nothing_is_said_where_it_would_not_help(exports, words, path):
    assert names(exports, words, path) == []


def test_equal_notes_of_one_file_are_one_finding():
    file = File("a.py", 9, ((3, "TODO", "port it"), (7, "TODO", "Port  it"), (9, "TODO", "other")))
    listed = [each for each in code_findings.file_findings([file], {}, {}) if each.type == "marker"]
    assert [(each.line, each.title) for each in listed] == [
        (3, "TODO: port it (2 places)"),
        (9, "TODO: other"),
    ]
