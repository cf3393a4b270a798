"""What runs say together: which failures stand, and which of them a claim is about."""

from typing import Any

from operators_edge.evidence.claims.check_claims import PassClaim
from operators_edge.evidence.claims.check_history import (
    clears,
    may_be_cleared,
    refutes,
    remaining_failures,
    rerun_command,
)


def run(command: str = "pytest -q", *scope: str, seq: int = 1, **counts: int) -> dict[str, Any]:
    counts = counts or {"failed": 1, "passed": 1}
    return {
        "kind": "test",
        "name": "pytest",
        "command": command,
        "scope": list(scope),
        "seq": seq,
    } | {
        "cwd": "/p",
        "passed": not counts.get("failed"),
        "counts": counts,
    }


def about(word: str) -> PassClaim:
    return PassClaim("test", "", (word,))


def test_a_run_of_several_files_refutes_none_of_them_alone():
    both = run("pytest tests/test_a.py tests/test_b.py", "tests/test_a.py", "tests/test_b.py")
    assert refutes(both, about("tests/test_a.py")) is False
    assert refutes(run("pytest tests/test_a.py", "tests/test_a.py"), about("a")) is True


def test_a_run_in_which_all_failed_refutes_others_only_when_it_was_of_all():
    assert refutes(run("pytest", failed=2, passed=0), about("auth")) is True
    assert (
        refutes(run("pytest tests/x.py", "tests/x.py", failed=2, passed=0), about("auth")) is False
    )


def test_a_name_that_only_begins_so_is_another_test():
    one = run("pytest -k test_adds_nothing", "-k test_adds_nothing")
    assert refutes(one, about("test_adds")) is False
    assert refutes(one, about("test_adds_nothing")) is True


def test_words_inside_of_a_name_are_found():
    assert refutes(run("jest LoginSpec.ts", "LoginSpec.ts"), about("login")) is True


def test_what_a_run_without_scope_is_about_is_in_its_name():
    assert refutes(run("pytest -k auth; pytest"), about("auth")) is False
    assert refutes({**run("npm run test:auth"), "name": "npm run test:auth"}, about("auth")) is True


def test_a_failure_after_the_claim_does_not_hide_the_one_before_it():
    runs = [run(seq=3), run(seq=9)]
    assert [each["seq"] for each, _ in remaining_failures(runs)] == [9]
    assert [each["seq"] for each, _ in remaining_failures(runs, end=5)] == [3, 9]


def test_what_ran_later_may_have_been_a_check_but_not_by_a_comment():
    def is_open(text: str) -> bool:
        return may_be_cleared(
            run(seq=1), [], {text: {"seq": 2, "at": None, "passed": True, "cwd": "/p"}}
        )

    assert is_open("./run-tests")
    assert not is_open("true # all tests pass")
    assert is_open("python go.py '# test'")


def test_a_pass_clears_the_failures_of_what_it_ran_and_no_others():
    failed = run("pytest tests/auth/test_a.py", "tests/auth/test_a.py", seq=1)
    wider = run("pytest tests/auth", "tests/auth", seq=2, passed=9)
    other = run("pytest tests/billing", "tests/billing", seq=2, passed=9)
    assert clears(wider, failed) is True
    assert clears(other, failed) is False
    assert clears(run("pytest tests", "tests", seq=2, passed=9), run(failed=1)) is True


def test_a_script_may_run_the_tests_of_any_runner_and_a_runner_only_those_of_its_language():
    failed = run(seq=1)
    assert clears({**run("make test", seq=2, passed=9), "name": "make test"}, failed) is True
    assert (
        clears({**run("python -m unittest", seq=2, passed=9), "name": "unittest"}, failed) is None
    )
    assert clears({**run("npx jest", seq=2, passed=9), "name": "jest"}, failed) is False


def test_unit_tests_are_all_the_tests_where_no_others_are_named():
    assert refutes(run(), about("unit")) is True
    assert refutes(run("pytest tests/e2e", "tests/e2e"), about("unit")) is False


def test_a_command_that_the_log_has_only_in_part_is_run_again_by_its_number():
    whole = {**run("npm test"), "cwd": "/p/web", "is_whole": True}
    assert rerun_command(whole, "/p") == "cd web && npm test"
    assert rerun_command({**whole, "is_whole": False}, "/p") == "edge log rerun --all"
