"""What runs say together: which failures stand, and which of them a claim is about."""

from typing import Any

from operators_edge.evidence.claims.check_claims import PassClaim
from operators_edge.evidence.claims.check_history import (
    may_be_cleared,
    refutes,
    remaining_failures,
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


def test_what_another_run_of_the_line_was_narrowed_to_is_not_what_this_one_is_about():
    assert refutes(run("pytest -k auth; pytest"), about("auth")) is False
    assert refutes(run("cd auth && pytest"), about("auth")) is True


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
