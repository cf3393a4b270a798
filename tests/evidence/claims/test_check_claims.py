"""What words claim of checks: that they pass, and which; everything unclear claims nothing."""

import pytest
from tests.tables import for_each

from operators_edge.evidence.claims.check_claims import (
    PassClaim,
    claims_in,
    expects_failure,
)

SAID = """
all tests pass
All tests passing.
tests pass
42 passed
42 passed in 0.12s
pytest: 42 passed, 0 failed
green
All green
tests are green
The test suite passes now
Test suite is now passing again
tests added and passing
Added tests, all passing
Full suite green
npm test passes
pytest -q passes
`pytest -q` passes
12/12 passing
Everything passes
no failing tests
Tests: ✅
✅ tests pass
Implemented login; all tests pass
Verified: pytest 42 passed in 1.2s
tests run OK
passes all tests
Tests pass locally
ran pytest, all pass
tests: ok
test suite: 42 passed
All tests are passing and lint is clean
cargo test: ok
verified with pytest (5 passed)
100% tests pass
pytest exits 0
tests completed successfully
Every test passes
Done: tests pass
Implemented it, tests pass
2/2 tests pass
step 2 of 3: all tests pass
95% coverage, all tests pass
tests pass as expected
✅ pytest
- [x] tests pass
pytest passes in 0.12s
The discount is in, all tests pass, and it is pushed to main.
All tests pass and it's merged to main
All tests pass, and I only changed two files
Tests pass, and the docs could be better
Tests pass, and I would deploy it next
""".strip().splitlines()

SAID_BY_A_STEP = """
Make all tests pass
Ensure the tests pass
Get the test suite green
Fix the failing tests
Fix all test failures
Run the test suite and confirm all tests pass
Implement login and make sure tests pass
Tests should pass
""".strip().splitlines()

NOT_SAID = """
Write a failing test
Reproduce the failing test
tests fail as expected
Add tests and pass config to the parser
Test passing invalid tokens to login
Add tests passing None to parse
Make tests pass fixtures explicitly
Pass the tests directory to the runner
Check if tests pass
All tests pass except test_x
all tests pass but two e2e ones
40 passed, 2 failed
3/5 passed
tests not run
tests don't pass yet
Build the success page
Build green theme
Add badge showing tests passing
Print 'all tests pass' at the end
Run the tests
Alle Tests sind grün
Alle Tests laufen durch, nicht ok
Todos los tests pasan ok
Les tests passent tous ok
全部测试 42 passed
тесты: 42 passed
CI green
tests pass in CI
tests clean up temp files
Add password tests
Set up test suite
Add a linter
Build the API
unit tests were passing before
most tests pass
If tests pass, merge
Tests should pass once merged
Add types for OK response
Test OK button
Add test for passing arguments
Add lint rule for clean code
tests/pass.py added
1 of 2 tests pass
50% of the tests pass
Half of the tests pass
Tests passing: 1/2
tests pass, minus test_x
expected: all tests pass
GitHub Actions: all checks passed
tests pass on my colleague's machine
✅ tests
[ ] all tests pass
tests pass with the old calc.py
tests pass under Python 3.9
tests pass, and that is on main only
tests pass, and the one for dates would need a clock
tests pass, and the rest I could not run
""".strip().splitlines()

KINDS = {
    "lint clean": "lint",
    "eslint passes": "lint",
    "ruff clean": "lint",
    "ruff check . passes": "lint",
    "passes ruff": "lint",
    "✅ ruff": "lint",
    "linter is happy": "lint",
    "No linting issues remain": "lint",
    "✅ build": "build",
    "Build completes without errors": "build",
    "No lint errors": "lint",
    "mypy ok": "types",
    "mypy --strict clean": "types",
    "mypy: no issues found": "types",
    "type check passes": "types",
    "tsc passes": "types",
    "build works": "build",
    "Build succeeds": "build",
    "It compiles": "build",
    "project builds": "build",
    "prettier clean": "format",
    "all checks pass": "any",
}


@for_each("text", SAID)
def test_a_proof_can_say_in_many_words_that_tests_pass(text):
    assert any(each.kind == "test" for each in claims_in(text, "proof"))


@pytest.mark.parametrize("text", SAID_BY_A_STEP)
def test_a_completed_step_claims_what_it_was_to_reach(text):
    assert PassClaim("test") in claims_in(text, "description")


@for_each("text", NOT_SAID)
def test_what_is_negated_intended_conditional_quoted_or_of_another_language_claims_nothing(text):
    assert claims_in(text, "proof") == ()
    assert expects_failure(text) or claims_in(text, "description") == ()


@for_each(("text", "kind"), KINDS.items())
def test_each_kind_of_check_has_its_words(text, kind):
    assert [each.kind for each in claims_in(text, "proof")] == [kind]


def test_an_intention_is_no_proof():
    assert claims_in("tests should pass now", "proof") == ()
    assert claims_in("make sure that all tests pass", "proof") == ()


def test_a_proof_that_tells_of_failures_claims_no_success():
    assert claims_in("Suite passes. 2 failed in test_b.", "proof") == ()
    assert claims_in("Fixed 2 failing tests. All tests pass.", "proof") == (PassClaim("test"),)


def test_words_that_narrow_a_claim_are_kept():
    assert claims_in("auth tests pass", "proof") == (PassClaim("test", "", ("auth",)),)
    assert claims_in("tests for billing pass", "proof") == (PassClaim("test", "", ("billing",)),)
    assert claims_in("tests in tests/test_a.py pass", "proof") == (
        PassClaim("test", "", ("tests/test_a.py",)),
    )
    assert claims_in("pytest passes", "proof") == (PassClaim("test", "pytest"),)
    assert claims_in("pytest passes in 0.12s", "proof") == (PassClaim("test", "pytest"),)
    assert claims_in("auth: tests pass", "proof") == (PassClaim("test", "", ("auth",)),)
    assert claims_in("tests/test_a.py passes", "proof") == (
        PassClaim("test", "", ("tests/test_a.py",)),
    )
    assert claims_in("ruff passes on a/b.py", "proof") == (PassClaim("lint", "ruff", ("a/b.py",)),)
    assert claims_in("test_adds passes", "proof") == (PassClaim("test", "", ("test_adds",)),)
    assert claims_in("Docker build works", "proof") == (PassClaim("build", "docker"),)
    assert claims_in("web build works", "proof") == (PassClaim("build", "", ("web",)),)
    assert claims_in("no lint errors in a.py", "proof") == (PassClaim("lint", "", ("a.py",)),)


def test_the_output_of_unittest_is_read_over_its_lines():
    assert claims_in("Ran 12 tests in 0.01s\n\nOK", "proof") == (PassClaim("test"),)


def test_a_command_is_said_to_succeed_by_its_name_and_a_verb():
    def commands_in(text: str, field: str) -> list[str]:
        found = claims_in(text, field, ["npm run build", "./verify.sh", "ls"])
        return [each.tool for each in found if each.kind == "command"]

    assert commands_in("`npm run build` succeeds", "proof") == ["npm run build"]
    assert commands_in("npm run build works now", "proof") == ["npm run build"]
    assert commands_in("./verify.sh", "verification") == ["./verify.sh"]
    assert commands_in("Run `./verify.sh`", "verification") == ["./verify.sh"]
    assert commands_in("Run `./verify.sh` and `ls`.", "verification") == ["./verify.sh", "ls"]
    assert commands_in("`ls` works", "proof") == ["ls"]
    assert commands_in("ran `npm run build`", "proof") == []
    assert commands_in("`npm run build` fails, as before", "proof") == []
    assert commands_in("ls works", "proof") == []
