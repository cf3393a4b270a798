"""What real runners print is read as what it is: outcome, numbers, the names and lines of what failed."""

import re

import pytest
from tests.evidence.recorded import runs
from tests.tables import for_each

from operators_edge.evidence.checks import detect, outcome
from operators_edge.evidence.checks.places import places_of

PASSED = {"pass": True, "skip": True, "narrow": True, "clean": True, "fail": False, "bad": False}
COUNTS = {
    "pass": "3 passed",
    "skip": "2 passed, 1 skipped",
    "narrow": "1 passed",
    "fail": "2 passed, 1 failed",
}
LEFT = {("go", "empty"), ("gotestsum", "empty"), ("prove", "empty")}
"""Without the file, these still have another one with a test."""


def read(run):
    checks = detect.checks_of(run.command)
    assert checks, f"{run.command} is not known as a check"
    return outcome.outcomes(checks, run.output, run.code)[-1]


def label(run):
    return f"{run.runner} {run.state}: {run.command}"


def of(*states):
    return [each for each in runs.recorded() if each.state in states]


@for_each("run", of(*PASSED), ids=label)
def test_a_run_ended_as_it_did(run):
    assert read(run).passed is PASSED[run.state]


@for_each("run", of("crash"), ids=label)
def test_what_could_not_be_read_did_not_pass(run):
    assert read(run).passed is not True


@for_each("run", of("empty"), ids=label)
def test_where_nothing_is_there_nothing_passed(run):
    assert (read(run).passed is True) is ((run.runner, run.state) in LEFT)


@for_each("run", of(*COUNTS), ids=label)
def test_numbers_are_those_of_the_project(run):
    said = runs.projects()[run.runner].get("counts", {}).get(run.state) or COUNTS[run.state]
    true = {name: int(number) for number, name in re.findall(r"(\d+) (\w+)", said)}
    counts = {name: number for name, number in (read(run).counts or {}).items() if number}
    if "passed" in counts:  # not every reporter prints numbers, and some no left out tests
        counts = {name: counts[name] for name in counts.keys() & {*true, "failed", "errors"}}
        assert counts == {name: true[name] for name in counts}
        assert counts["passed"] == true["passed"]


@pytest.mark.parametrize("run", of("fail"), ids=label)
def test_what_failed_is_named(run):
    end, named = read(run), runs.projects()[run.runner].get("failed", "otals")
    if not any(word in run.output.lower() for word in ("totals", "features/")):
        pytest.skip("the runner names nothing")
    assert len(end.failed) == 1, end.failed
    letters = [re.sub(r"\W|_", "", each).lower() for each in (end.failed[0], named)]
    assert letters[1] in letters[0] or letters[0] in letters[1] or "feature" in letters[0]


@for_each("run", of("bad"), ids=label)
def test_the_line_of_a_problem_is_found(run):
    wanted = runs.projects()[run.runner].get("at")
    if wanted is None:
        return
    home = "/home/ann/shop/"
    files = runs.projects()[run.runner]["files"]

    def inside(path):
        name = path.removeprefix(home).removeprefix("./")
        return name if name in files else ""

    path, line, *_ = wanted.split(":")
    assert (path, int(line)) in [each[:2] for each in places_of(run.output, inside)]


def test_enough_is_recorded_and_says_how_it_was_made():
    known = runs.recorded()
    assert len({each.runner for each in known}) >= 60
    assert len(known) >= 450
    assert all(each.version and each.command for each in known)
    assert {each.runner for each in known} <= runs.projects().keys()
    assert not [each for each in known if "/tmp/" in each.output.replace("/home/ann/tmp/", "")]
