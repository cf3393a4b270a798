"""What the project's own record says."""

import pytest

from operators_edge.evidence.claims.model import Claim
from operators_edge.patrol import code_findings, state_findings
from operators_edge.patrol.code_findings import File
from operators_edge.patrol.findings import ranked


def resolved(cause, number=1, **more):
    return {
        "type": "resolved_mismatch",
        "mismatch_id": f"m-{number}",
        "suspected_cause": cause,
        **more,
    }


def test_a_cause_that_came_back_is_found_with_how_often():
    archive = [resolved("API timeout after 30 s", 1), resolved("API  timeout after 45 s", 2)]
    state = {"mismatches": [{"id": "m-3", "suspected_cause": "api timeout after 9 s"}]}
    (found,) = state_findings.recurring(state, archive)
    assert (found.value, found.priority, found.category) == (3, "medium", "state_patterns")


def test_often_is_urgent_and_the_name_does_not_change_with_the_count():
    (few,) = state_findings.recurring({}, [resolved("x y", n) for n in range(2)])
    (often,) = state_findings.recurring({}, [resolved("x y", n) for n in range(4)])
    assert (few.priority, often.priority) == ("medium", "high")
    assert few.id == often.id


def test_one_mismatch_that_stands_in_state_and_archive_is_one():
    state = {"mismatches": [{"id": "m-1", "suspected_cause": "x"}]}
    assert list(state_findings.recurring(state, [resolved("x", 1)])) == []


def run(seq, *, passed, digest="d", **more):
    look = {"digest": digest}
    return {"seq": seq, "name": "pytest", "kind": "test", "command": "pytest -q", "cwd": "/p"} | (
        {"passed": passed, "look": look, "failed": ["test_x"], **more}
    )


def test_a_check_that_failed_and_passed_with_the_same_files_is_flaky():
    (found,) = state_findings.flaky_checks([run(3, passed=False), run(5, passed=True)])
    assert found.title == "pytest failed and passed without a change: test_x"
    changed = [run(3, passed=False), run(5, passed=True, digest="e")]
    assert list(state_findings.flaky_checks(changed)) == []
    assert list(state_findings.flaky_checks([run(3, passed=True), run(5, passed=True)])) == []


def test_code_that_changed_after_the_last_passing_tests_is_untested():
    last = state_findings.last_passed_tests([run(3, passed=True), run(9, passed=False)])
    assert last["seq"] == 3
    (found,) = state_findings.untested_changes(last, ["a.py", "notes.md"])
    assert found.title == "1 file changed since the tests passed: a.py"
    assert found.suggested_action == "Run: pytest -q"
    assert list(state_findings.untested_changes(last, ["notes.md"])) == []
    assert state_findings.last_passed_tests([]) is None


@pytest.mark.parametrize(
    "mismatches", [None, "a text", {"a": 1}, [None, 3, "x"], [{"id": None}, {"delta": ["x"]}]]
)
def test_a_hand_written_record_is_no_reason_to_fail(mismatches):
    assert list(state_findings.recurring({"mismatches": mismatches}, [{}])) == []


def test_only_what_failed_in_the_last_run_is_broken_now():
    runs = [
        {"invariants_failed": ["INV-01"]},
        {"invariants_failed": ["INV-02", {"id": "INV-05"}, "INV-02"]},
        {"something": "else"},
    ]
    found = list(state_findings.failed_invariants({}, runs))
    assert [each.title.split()[1] for each in found] == ["INV-02", "INV-05"]
    assert list(state_findings.failed_invariants({}, [*runs, {"invariants_failed": []}])) == []
    assert list(state_findings.failed_invariants({"evals": {"enabled": False}}, runs)) == []


@pytest.mark.parametrize(
    ("verdict", "priority"),
    [
        ("CONTRADICTED", "high"),
        ("STALE", "medium"),
        ("UNVERIFIED", "medium"),
        ("VERIFIED", None),
        ("OVERRIDDEN", None),
    ],
)
def test_a_claim_without_its_evidence_is_a_finding(verdict, priority):
    claim = Claim(2, "k", "add the cache", "", "", verdict, "why", command="pytest -q")
    found = list(state_findings.unproven_claims([claim]))
    assert [each.priority for each in found] == ([priority] if priority else [])
    assert all(each.suggested_action == "Run: pytest -q" for each in found)


def test_the_title_of_an_unproven_claim_is_something_to_do_and_the_verdict_stands_beside_it():
    claim = Claim(1, "k", "write the parser", "", "", "UNVERIFIED", "no check covers it")
    (found,) = state_findings.unproven_claims([claim])
    assert found.title == "Verify step 1: write the parser"
    assert found.description == "UNVERIFIED: no check covers it"
    (worse,) = state_findings.unproven_claims([claim._replace(verdict="CONTRADICTED")])
    assert worse.id == found.id


def test_the_five_most_reinforced_patterns_are_asked_and_the_others_named():
    memory = [{"lesson": f"l{n}", "audit_pattern": "x", "reinforced": n} for n in range(7)]
    audits, problems = state_findings.audits({"memory": [*memory, {"lesson": "none"}, "text"]})
    assert [audit.number for audit in audits] == [7, 6, 5, 4, 3]
    assert problems == ("2 lessons with an audit_pattern: only the first 5 are searched for",)


def test_a_pattern_that_is_none_is_said():
    audits, (problem,) = state_findings.audits({"memory": [{"lesson": "l", "audit_pattern": "("}]})
    assert audits == ()
    assert problem.startswith("lesson 1: its audit_pattern is not a regular expression")


@pytest.mark.parametrize(
    ("scope", "path", "concerns"),
    [
        (None, "a/b.py", True),
        ("*.py", "a/b.py", True),
        ("*.py", "a/b.js", False),
        (["src/**/*.py"], "src/b.py", True),
        (["src/**/*.py"], "src/x/y/b.py", True),
        (["src/**"], "lib/b.py", False),
    ],
)
def test_a_lesson_concerns_the_files_of_its_scope(scope, path, concerns):
    (audit,), _ = state_findings.audits(
        {"memory": [{"lesson": "l", "audit_pattern": "x", "audit_scope": scope}]}
    )
    assert audit.concerns(path) is concerns


def test_a_violation_names_lesson_line_and_how_many_more():
    (audit,), _ = state_findings.audits(
        {"memory": [{"lesson": "use the pool", "audit_pattern": "connect", "reinforced": 3}]}
    )
    found = state_findings.violation(audit, "a.py", [(4, "connect()"), (9, "connect()")])
    assert (found.line, found.priority) == (4, "high")
    assert found.description == "use the pool: connect(), and 1 more line"


def test_what_is_not_as_it_was_claimed_stands_before_a_note_that_calls_itself_urgent():
    claim = Claim(2, "k", "add the cache", "", "", "CONTRADICTED", "the tests failed")
    note = code_findings.file_findings([File("a.py", 3, ((1, "FIXME", "urgent"),))], {}, {})
    found = ranked([*note, *state_findings.unproven_claims([claim])])
    assert [each.type for each in found] == ["unverified_claim", "marker"]
