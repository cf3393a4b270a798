"""Findings from the facts of files alone."""

import pytest

from operators_edge.patrol import code_findings
from operators_edge.patrol.code_findings import CoveredLines, File


def of(file, changes=0, ran=None):
    covered = {} if ran is None else {file.path: ran}
    return {
        each.type: each
        for each in code_findings.file_findings([file], {file.path: changes}, covered)
    }


def untested(*files, covered=()):
    found = code_findings.without_tests(
        files, {}, dict.fromkeys(covered, CoveredLines(1, 1, "lcov.info", is_old=False))
    )
    return [each.file or each.type for each in found]


def source(path="src/invoice.py", functions=("compute_total",), lines=40, **more):
    return File(path, lines, functions=tuple((each, 1, 2) for each in functions), **more)


@pytest.mark.parametrize("ways", [16, 24, 90])
def test_a_function_over_the_threshold_is_found_with_its_place_and_number(ways):
    found = of(File("a.py", 30, functions=(("f", 7, ways),)))["complexity"]
    assert (found.line, found.value, found.threshold, found.priority) == (7, ways, 15, "low")


def test_a_function_at_the_threshold_is_none():
    assert of(File("a.py", 30, functions=(("f", 7, 15),))) == {}


def test_tests_may_be_long_and_branch_as_they_like_but_their_notes_count():
    file = File("tests/test_a.py", 3000, ((3, "TODO", "more"),), (("f", 1, 99),))
    assert set(of(file)) == {"marker"}


@pytest.mark.parametrize(("lines", "priority"), [(500, None), (501, "low"), (5001, "low")])
def test_a_long_file_with_functions_is_found(lines, priority):
    found = of(source(lines=lines)).get("large_file")
    assert (found and found.priority) == priority


@pytest.mark.parametrize(
    ("word", "text", "priority"),
    [
        ("TODO", "figure out why this sometimes fails", "high"),
        ("XXX", "not sure what to do here, raise or pass?", "high"),
        ("FIXME", "mend it", "high"),
        ("TODO", "see the other module", "medium"),
        ("TODO", "maybe rename it", "low"),
        ("HACK", "", "low"),
        ("", "this is broken on Windows", "medium"),
    ],
)
def test_a_note_that_names_a_fault_comes_before_one_that_names_a_wish(word, text, priority):
    assert of(File("a.py", 30, ((3, word, text),)))["marker"].priority == priority


def test_a_test_that_is_left_out_is_a_finding_and_the_note_beside_it_is_the_same_one():
    skips = ((10, "xfail", "test_it", "fails sometimes"),)
    found = of(File("tests/test_a.py", 90, ((13, "TODO", "find out why"),), skips=skips))
    assert set(found) == {"skipped_test"}
    assert found["skipped_test"].title == "test_it is expected to fail: fails sometimes"
    assert found["skipped_test"].priority == "high"


def test_a_branch_for_a_version_that_is_not_supported_is_found():
    old = File("a.py", 30, compat=((7, (3, 8)), (9, (3, 12))))
    (found,) = code_findings.old_branches(
        [old, File("setup.py", 9, compat=((1, (3, 9)),))], (3, 10)
    )
    assert (found.file, found.line, found.value) == ("a.py", 7, 1)


def test_a_long_file_of_data_is_not_a_finding():
    assert of(File("table.py", 5000)) == {}


def test_what_changes_often_comes_before_its_like():
    hard = File("a.py", 30, functions=(("f", 7, 20),))
    often, rarely = (of(hard, changes=count)["complexity"].score for count in (15, 2))
    assert often - rarely == 13


@pytest.mark.parametrize(
    ("covered", "lines", "priority"),
    [(10, 100, "high"), (30, 100, "medium"), (50, 100, None), (0, 9, None), (0, 10, "high")],
)
def test_thin_coverage_is_found_where_enough_lines_are_missed(covered, lines, priority):
    found = of(source(), ran=CoveredLines(covered, lines, "coverage.xml", is_old=False)).get(
        "low_coverage"
    )
    assert (found and found.priority) == priority


def test_a_report_that_is_older_than_the_file_says_so():
    found = of(source(), ran=CoveredLines(1, 100, "coverage.xml", is_old=True))["low_coverage"]
    assert "changed since" in found.description


# -- missing tests ---------------------------------------------------------------------------------

OTHER_TEST = File("tests/test_other.py", 10, words=frozenset({"other", "assert"}))


def test_a_source_that_no_test_speaks_of_is_found():
    assert untested(source(), OTHER_TEST) == ["src/invoice.py"]


@pytest.mark.parametrize(
    "test",
    [
        File("tests/test_invoice.py", 5),
        File("src/invoice_test.py", 5),
        File("web/invoice.spec.ts", 5),
        File("src/test/java/InvoiceTest.java", 5),
        File("tests/test_shop.py", 5, words=frozenset({"invoice"})),
        File("tests/test_shop.py", 5, words=frozenset({"compute_total"})),
    ],
)
def test_a_test_speaks_of_a_source_by_its_name_by_naming_it_or_one_of_its_functions(test):
    assert untested(source(), test) == []


def test_a_function_of_a_common_name_proves_nothing():
    test = File("tests/test_shop.py", 5, words=frozenset({"main", "run"}))
    assert untested(source(functions=("main", "run")), test) == ["src/invoice.py"]


@pytest.mark.parametrize(
    "file",
    [
        source(lines=20),
        source(functions=()),
        source("src/__init__.py"),
        source("app/migrations/0001.py"),
        source("src/types.ts"),
        source("vite.config.ts"),
        source("src/lib.rs", has_tests=True),
    ],
)
def test_what_needs_no_test_of_its_own_is_none(file):
    assert untested(file, OTHER_TEST) == []


def test_what_a_coverage_report_knows_is_judged_by_that():
    assert untested(source(), OTHER_TEST, covered=["src/invoice.py"]) == []


def test_a_project_without_any_test_is_one_finding():
    files = [source(f"src/a{number}.py") for number in range(9)]
    assert untested(*files) == ["no_tests"]
    assert untested() == []
