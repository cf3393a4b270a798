import json
import os
import re
import time

import pytest
from hypothesis import given, strategies as st
from tests.evidence.checks import corpus as checks_corpus
from tests.properties import examples
from tests.tables import for_each

from operators_edge.evidence.checks import detect, runner_output
from operators_edge.evidence.checks.outcome import outcomes
from operators_edge.evidence.checks.run import bare_command
from operators_edge.evidence.checks.runner_patterns import KIND_READERS, ROWS
from operators_edge.evidence.checks.tools.table import TOOLS

HERE = os.path.dirname(__file__)
with open(os.path.join(HERE, "outputs.jsonl"), encoding="utf-8") as lines:
    REAL = [json.loads(line) for line in lines]
"""What real runners printed, paths replaced: command, exit code, output, and whether the work passed."""

GOOD = "..                                      [100%]\n2 passed in 0.01s\n"
BAD = "F.\nFAILED a.py::b\n1 failed, 1 passed in 0.01s\n"


def passed_by_name(command, output="", code=0, custom=()):
    """The outcome of each check of the line."""
    found = detect.checks_of(command, custom)
    ended = outcomes(found, output, code)
    return {one.name: how.passed for one, how in zip(found, ended, strict=True) if how.has_run}


def last(command, output="", code=0):
    found = detect.checks_of(command)
    return outcomes(found, output, code)[-1]


# -- recognising -----------------------------------------------------------------------------------


@for_each(("command", "expected"), checks_corpus.judging())
def test_a_command_that_judges_is_the_checks_it_runs(command, expected):
    found = detect.checks_of(command)
    assert [(one.kind, one.name, ", ".join(one.scope)) for one in found] == expected


@for_each("command", checks_corpus.looking_so())
def test_a_command_that_only_looks_like_a_check_is_none(command):
    assert detect.checks_of(command) == ()


def test_the_table_is_large_enough_to_mean_something():
    assert len(checks_corpus.judging()) >= 300
    assert len(checks_corpus.looking_so()) >= 100


def test_the_prefilter_knows_every_program_of_the_table():
    known = detect._JUDGES | detect._MAY_JUDGE
    # These are only behind `python -m`, where another word stands for them.
    assert set(TOOLS) - known == set()


@for_each("command", checks_corpus.looking_so())
def test_what_the_prefilter_rules_out_holds_no_check(command):
    if not detect.may_judge(command):
        assert detect.checks_of(command) == ()


def test_everyday_commands_do_not_get_past_the_prefilter():
    everyday = (
        "ls -la", "git status", "git diff --stat", "cat README.md", "sed -n 1,20p a.py", "rg -n foo src",
        "python app.py", "node server.js", "cd src && ls", "mkdir -p a/b", "git commit -m 'fix'", "docker ps",
        "curl -s localhost", "find . -name '*.py'", "npm start",
    )  # fmt: skip
    assert [one for one in everyday if detect.may_judge(one)] == []


@pytest.mark.parametrize(
    ("command", "cwd"),
    [
        ("pytest", ""),
        ("cd web && npm test", "web"),
        ("make -C sub test", "sub"),
        ("npm --prefix web test", "web"),
        ("cd a && make -C b test", "a/b"),
        ("cargo test --manifest-path core/Cargo.toml", "core/Cargo.toml"),
        ("cd $WHERE && pytest", None),
        ("(cd web && npm test)", "web"),
    ],
)
def test_where_a_check_works_is_known_or_said_to_be_unknown(command, cwd):
    assert [one.cwd for one in detect.checks_of(command)] == [cwd]


@pytest.mark.parametrize(
    "command", ["ssh h pytest", "docker run --rm img pytest", "kubectl exec p -- pytest"]
)
def test_what_runs_elsewhere_is_said_to(command):
    assert [one.is_remote for one in detect.checks_of(command)] == [True]


def test_what_cannot_be_known_before_it_runs_narrows_the_scope_all_the_same():
    assert detect.checks_of("pytest $FILES")[0].scope == ("…",)
    assert detect.checks_of("ls tests | xargs pytest")[0].scope == ("…",)


# -- checks of the project's own -------------------------------------------------------------------

OWN = ("./verify.sh", "make ci", "pytest -q", "docker compose run app check")


@pytest.mark.parametrize(
    ("command", "kind", "name", "scope"),
    [
        ("./verify.sh", "custom", "./verify.sh", ()),
        ("bash verify.sh --fast", "custom", "./verify.sh", ("--fast",)),
        ("cd . && ./verify.sh", "custom", "./verify.sh", ()),
        ("make ci", "custom", "make ci", ()),
        ("pytest -q", "test", "pytest -q", ()),
        ("pytest -q tests/a.py", "test", "pytest -q", ("tests/a.py",)),
        ("docker compose run app check", "custom", "docker compose run app check", ()),
    ],
)
def test_what_a_project_calls_a_check_is_one(command, kind, name, scope):
    (found,) = detect.checks_of(command, OWN)
    assert (found.kind, found.name, found.scope, found.is_remote) == (kind, name, scope, False)


@pytest.mark.parametrize("command", ["cat verify.sh", "make", "vim ./verify.sh", "echo make ci"])
def test_naming_a_project_s_check_is_no_run_of_it(command):
    assert [one.kind for one in detect.checks_of(command, OWN) if one.kind == "custom"] == []


def test_a_project_s_check_is_judged_by_its_exit_code_alone():
    assert passed_by_name("./verify.sh", "whatever", 0, OWN) == {"./verify.sh": True}
    assert passed_by_name("./verify.sh", "whatever", 1, OWN) == {"./verify.sh": False}
    assert passed_by_name("./verify.sh | tail -5", "2 passed in 0.1s", 0, OWN) == {
        "./verify.sh": None
    }


# -- outcomes of real runs -------------------------------------------------------------------------


def ident(each):
    return f"{each['command']} -> {each['code']}"


@for_each("run", REAL, ids=ident)
def test_a_real_run_is_judged_as_it_ended(run):
    outcome = last(run["command"], run["output"], run["code"])
    assert outcome.passed is run["passed"]


VIEWERS = {
    "cat": lambda text: text,
    "tail -1": lambda text: text[-1:],
    "tail -n 3": lambda text: text[-3:],
    "tail -5": lambda text: text[-5:],
    "tail -20": lambda text: text[-20:],
    "head -5": lambda text: text[:5],
    "head -n 20": lambda text: text[:20],
    "grep passed": lambda text: [one for one in text if "passed" in one],
    "grep -i fail": lambda text: [one for one in text if "fail" in one.lower()],
    "grep -vi fail": lambda text: [one for one in text if "fail" not in one.lower()],
    "grep -v error": lambda text: [one for one in text if "error" not in one],
    "grep ok": lambda text: [one for one in text if "ok" in one],
    "grep -E 'pass|fail'": lambda text: [one for one in text if re.search("pass|fail", one)],
    "grep -E 'Tests|Suites'": lambda text: [one for one in text if re.search("Tests|Suites", one)],
    "grep 'test result'": lambda text: [one for one in text if "test result" in one],
    "tail -20 | grep -v FAIL": lambda text: [one for one in text[-20:] if "FAIL" not in one],
    "head -9 | tail -2": lambda text: text[:9][-2:],
}


@for_each("viewer", VIEWERS)
def test_a_run_that_is_only_partly_seen_is_judged_rightly_or_not_at_all(viewer):
    wrong, known = [], 0
    for run in REAL:
        seen = VIEWERS[viewer](run["output"].rstrip("\n").split("\n"))
        passed = last(f"{run['command']} 2>&1 | {viewer}", "\n".join(seen), 0).passed
        known += passed is not None
        if passed is not None and passed is not run["passed"]:
            wrong.append((run["command"], passed, seen[-3:]))
    assert wrong == []
    assert known


def test_most_real_runs_are_judged_through_the_viewer_that_agents_use():
    judged = [run for run in REAL if run["passed"] is not None]
    known = 0
    for run in judged:
        seen = "\n".join(run["output"].rstrip("\n").split("\n")[-20:])
        known += last(f"{run['command']} 2>&1 | tail -20", seen, 0).passed is not None
    assert known / len(judged) > 0.75


@pytest.mark.parametrize(
    ("command", "counts"),
    [
        ("pytest -q test_ok.py test_bad.py", {"failed": 1, "passed": 2, "skipped": 1}),
        ("python -m unittest test_un", {"failed": 1, "passed": 1, "skipped": 1, "total": 3}),
        ("mocha mt/b.js mt/a.js", {"failed": 1, "passed": 2, "skipped": 1}),
        ("cargo test --offline", {"failed": 1, "passed": 1, "skipped": 1}),
        ("ctest", {"failed": 1, "passed": 1, "total": 2}),
        ("mypy a.py", {"problems": 1}),
        ("ruff check a.py", {"problems": 3}),
        ("go test -v ./bad", {"failed": 1, "passed": 1, "files": 1}),
    ],
)
def test_the_counts_are_those_that_the_runner_says(command, counts):
    run = next(each for each in REAL if each["command"] == command)
    assert last(command, run["output"], run["code"]).counts == counts


# -- wordings of runners that are not at hand everywhere -------------------------------------------


@for_each(
    ("command", "output", "passed", "counts"),
    [
        ("deno test", "ok | 3 passed | 0 failed (12ms)", True, {"passed": 3, "failed": 0}),
        ("deno test", "FAILED | 2 passed (1 step) | 1 failed (9ms)", False, {"passed": 2, "failed": 1}),
        ("bun test", " 3 pass\n 0 fail\n 3 expect() calls\nRan 3 tests", True, {"passed": 3, "failed": 0}),
        ("bun test", " 2 pass\n 1 skip\n 1 fail\nRan 4 tests", False,
         {"passed": 2, "skipped": 1, "failed": 1}),
        ("cargo nextest run", "     Summary [   0.1s] 3 tests run: 3 passed, 1 skipped", True,
         {"total": 3, "passed": 3, "skipped": 1}),
        ("cargo nextest run", "     Summary [   0.1s] 3 tests run: 2 passed, 1 failed, 0 skipped", False,
         {"total": 3, "passed": 2, "failed": 1, "skipped": 0}),
        ("gotestsum", "DONE 12 tests, 1 skipped in 0.4s", True, {"total": 12, "skipped": 1, "passed": 11}),
        ("mvn test", "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1\n[INFO] BUILD SUCCESS", True,
         {"total": 3, "failed": 0, "errors": 0, "skipped": 1, "passed": 2}),
        ("mvn test", "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE", False,
         {"total": 3, "failed": 1, "errors": 0, "skipped": 0, "passed": 2}),
        ("mvn test", "[INFO] No tests to run.\n[INFO] BUILD SUCCESS", None, None),
        ("gradle test", "BUILD SUCCESSFUL in 3s", True, None),
        ("gradle test", "3 tests completed, 1 failed\nBUILD FAILED in 3s", False,
         {"total": 3, "failed": 1, "passed": 2}),
        ("dotnet test", "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3", True,
         {"failed": 0, "passed": 3, "skipped": 0, "total": 3}),
        ("dotnet test", "Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3", False,
         {"failed": 1, "passed": 2, "skipped": 0, "total": 3}),
        ("rails test", "3 runs, 4 assertions, 0 failures, 0 errors, 0 skips", True,
         {"total": 3, "failed": 0, "errors": 0, "skipped": 0, "passed": 3}),
        ("pest", "  Tests:    1 failed, 2 passed (3 assertions)", False, {"failed": 1, "passed": 2}),
        ("bazel test //...", "Executed 1 out of 1 test: 1 test passes.", True, {"total": 1, "passed": 1}),
        ("bazel test //...", "Executed 2 out of 2 tests: 1 test passes and 1 fails locally.", False,
         {"total": 2}),
        ("playwright test", "  1 failed\n    a.spec.ts\n  3 passed (4.1s)", False, None),
        ("cypress run", "    ✔  All specs passed!       00:01", True, None),
        ("swift test", "\t Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds", True,
         {"total": 3, "failed": 0, "passed": 3}),
        ("flutter test", "00:02 +3 -1: Some tests failed.", False, {"passed": 3, "failed": 1}),
        ("sbt test", "[info] Passed: Total 3, Failed 0, Errors 0, Passed 3", True,
         {"total": 3, "failed": 0, "errors": 0, "passed": 3}),
        ("forge test", "Ran 1 test suite in 1ms (1ms CPU): 3 tests passed, 0 failed, 0 skipped (3)", True,
         {"passed": 3, "failed": 0, "skipped": 0}),
        ("golangci-lint run", "0 issues.", True, None),
        ("rubocop", "3 files inspected, 2 offenses detected", False, {"problems": 2}),
        ("phpstan analyse", " [OK] No errors", True, None),
        ("pre-commit run -a", "ruff.....Passed\nmypy.....Failed", False, None),
        ("dotnet build", "Build succeeded.", True, None),
    ],
)  # fmt: skip
def test_a_summary_without_an_exit_code_is_read(command, output, passed, counts):
    outcome = last(f"{command} || true", output)
    assert outcome.passed is passed
    if counts is not None:
        assert outcome.counts == counts


def test_every_reader_that_is_named_has_a_wording():
    named = {reader for listed in KIND_READERS.values() for reader in listed.split()}
    known = {row[0] for row in ROWS} | set(runner_output._SPECIAL)
    assert named - known == set()


def test_every_wording_stands_for_itself_and_can_be_found_by_its_mark():
    for reader, needle, pattern, tells in ROWS:
        assert re.compile(pattern, re.MULTILINE)
        assert tells in ("", "line", "end", "all", "end+", "all+"), reader
        assert all(each.strip() for each in needle.split("|")), reader


def test_colours_and_progress_lines_do_not_hide_a_summary():
    text = (
        "\x1b[32m.\x1b[0m\r10%\r\x1b]0;title\x07\x1b[1m2 passed\x1b[0m\x1b[32m in 0.01s\x1b[0m\r\n"
    )
    assert last("pytest || true", text).passed is True


@pytest.mark.parametrize(
    ("piece", "count", "end"),
    [
        (".", 2_000_000, ""),
        ("a.py:1:1: E501 line too long\n", 60_000, ""),
        ("x", 500_000, "="),
        ("1 failed, ", 200_000, ""),
        ("not ok 1 x\n", 100_000, ""),
        ("\n", 2_000_000, ""),
        (" ", 1_000_000, ""),
        ("=== short test summary info ===\n", 30_000, ""),
        ("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0\n", 30_000, ""),
        ("\x1b[", 500_000, ""),
        ("2 passing\n", 100_000, ""),
    ],
    ids=range(11),
)
def test_no_output_takes_long_to_read(piece, count, end):
    every = detect.checks_of("npm test && make lint")
    output = piece * count + end * count
    began = time.process_time()
    outcomes(every, output, 1)
    assert time.process_time() - began < 12  # some 2


PIECES = "pytest -q npm test | || && ; & ( ) { } ! \n tail ' \" $( ` > out 2>&1 if then fi for bash -c make"


@examples(300)
@given(
    command=st.lists(st.sampled_from(PIECES.split(" ")), max_size=14).map(" ".join),
    code=st.sampled_from([0, 1, 124, None]),
)
def test_any_line_can_be_read_and_each_check_has_an_outcome(command, code):
    found = detect.checks_of(command, ("make out",))
    assert len(outcomes(found, GOOD, code)) == len(found)


# -- what the line around it shows of an outcome ---------------------------------------------------


@for_each(
    ("command", "output", "code", "passed"),
    [
        ("pytest -q || true", BAD, 0, False),
        ("pytest -q || true", GOOD, 0, True),
        ("pytest -q || true", "", 0, None),
        ("pytest -q 2>&1 | tail -20", BAD, 0, False),
        ("pytest -q; echo done", GOOD + "done", 0, True),
        ("pytest -q | wc -l", "2", 0, None),
        ("pytest -q | grep -o '2 passed'", "2 passed", 0, None),
        ("pytest -q | sed 's/failed/passed/'", GOOD, 0, None),
        ("pytest -q > out 2>&1; tail -5 out", GOOD, 0, True),
        ("pytest -q > out 2>&1; tail -5 old", GOOD, 0, None),
        ("pytest -q > /dev/null; true", "", 0, None),
        ("pytest -q > /dev/null; echo '2 passed in 0.01s'", GOOD, 0, None),
        ("pytest -q | grep -c x; echo '2 passed in 0.01s'", GOOD, 0, None),
        ("cat old.log; pytest -q | tail -0", GOOD, 0, None),
        ("pytest -q && echo PASS || echo FAIL", GOOD + "PASS", 0, True),
        ("pytest -q && git push", GOOD + "fatal: no", 1, True),
        ("pytest -q && git push", "", 1, None),
        ("pytest -q &", GOOD, 0, None),
        ("! pytest -q", "", 0, None),
        ("set -e; pytest -q; echo done", "", 0, None),  # a client's shell may ignore -e
        ("set -e; cd src; pytest -q", "", 0, True),
        ("set -o pipefail; pytest -q | tail -3", "", 0, True),
        ("set -o pipefail; pytest -q | tail -3", "", 1, False),
        ("set -o pipefail; pytest -q | grep x", "", 1, None),
        ("pytest -q | tail -3; exit ${PIPESTATUS[0]}", "", 1, False),
        ("pytest -q || exit 1", "", 1, False),
        ("pytest -q || { echo no; exit 1; }", "", 0, True),
        ("pytest -q || { echo no; exit 1; }", "no", 1, False),
        ("cd web || exit 1; pytest -q", "", 1, False),
        ("cd web || exit 1; pytest -q", "bash: line 1: cd: web: No such file or directory", 1, None),
        ("cd web && pytest -q", "sh: 1: cd: can't cd to web", 2, None),
        ("cd web && pytest -q && echo fine", "", 1, False),
        ("npm ci; pytest -q", "", 1, False),
        ("npm ci && pytest -q", "", 1, None),
        ("(cd web && pytest -q) | tail -4", GOOD, 0, True),
        ("if pytest -q; then echo good; fi", GOOD, 0, True),
        ("for a in x y; do pytest -q $a; done", GOOD + GOOD, 0, True),
        ("for a in x y; do pytest -q $a; done", GOOD, 0, None),
        ('OUT=$(pytest -q 2>&1); echo "$OUT"', GOOD, 0, None),
        ("bash -lc 'cd web && pytest -q'", "", 1, False),
        ("timeout 60 bash -c 'ruff check; pytest -q'", "", 1, False),
        ("true && timeout 60 bash -c 'ruff check; pytest -q'", "", 1, None),
        ("timeout 9 pytest", "", 124, None),
        ("pytest", "sh: pytest: command not found", 127, None),
        ("pytest", "", 137, None),
        ("pytest", GOOD, None, None),
        ("python -m pytest", "/usr/bin/python: No module named pytest", 1, None),
        ("npm test", 'npm error Missing script: "test"', 1, None),
        ("npm test", "Error: no test specified", 1, None),
        ("pytest", "no tests ran in 0.01s", 5, None),
        ("pytest", "3 skipped in 0.01s", 0, None),
        ("pytest", "!!!!!!! KeyboardInterrupt !!!!!!!\n2 passed in 0.1s", 2, None),
        ("pytest --cov", "FAIL Required test coverage of 90% not reached. Total\n" + GOOD, 1, False),
        ("pytest --cov | cat", "FAIL Required test coverage of 90% not reached. Total\n" + GOOD, 0, False),
        ("pytest -q", GOOD + "Killed", 1, False),
        ("npx jest -u", "Test Suites: 1 passed, 1 total\nTests:       1 passed, 1 total", 0, None),
        ("UPDATE_SNAPSHOTS=1 npm test", "", 0, None),
        ("UPDATE_SNAPSHOTS=1 npm test", "", 1, False),
        ("go test ./... | tail -2", "ok  \ta\t0.1s\nok  \tb\t0.1s", 0, None),
        ("go test ./... | tail -20", "ok  \ta\t0.1s\nok  \tb\t0.1s", 0, True),
        ("go test ./... | grep ok", "ok  \ta\t0.1s\nok  \tb\t0.1s", 0, None),
        ("make test", "make: *** [Makefile:2: test] Error 1", 2, False),
        ("make -k test || true", "make: *** [Makefile:2: test] Error 1 (ignored)", 0, None),
        ("gofmt -l .; ls", "a.go", 0, None),
        ("pytest -q | cat", f"{GOOD}[12 lines truncated]", 0, True),
        ("npx playwright test | cat", "[12 lines truncated]\n  3 passed (4.1s)", 0, None),
        ("pytest -q | tail -3", f"<persisted-output>\n{GOOD}", 0, None),
    ],
)  # fmt: skip
def test_a_run_has_an_outcome_where_the_line_shows_it(command, output, code, passed):
    assert last(command, output, code).passed is passed


@pytest.mark.parametrize(
    ("command", "output", "passed"),
    [
        ("pytest > out; echo $?", "0\n", True),
        ("pytest > out; echo $?", "1\n", False),
        ('pytest -q | tail -1; echo "EXIT: ${PIPESTATUS[0]}"', "x\nEXIT: 1\n", False),
        ('pytest -q | tail -1; echo "EXIT: $?"', "x\nEXIT: 0\n", None),
        ("pytest > out; rc=$?; ls; echo rc=$rc", "a\nb\nrc=0\n", True),
        ("pytest > out; ls; echo $?", "0\n", None),
        ("pytest > out; echo EXIT: 0", "EXIT: 0\n", None),
        ("pytest || true; echo $?", "0\n", None),
        ("pytest > out; echo $?", "124\n", None),
        ("pytest > out; echo $? > code", "0\n", None),
    ],
)
def test_an_exit_code_that_the_line_prints_is_the_run_s(command, output, passed):
    assert last(command, output).passed is passed


RUFF, MYPY = "All checks passed!\n", "Found 1 error in 1 file (checked 2 source files)\n"


@pytest.mark.parametrize(
    ("command", "output", "code", "expected"),
    [
        ("ruff check . && mypy && pytest", "", 0, {"ruff check": True, "mypy": True, "pytest": True}),
        ("ruff check . && mypy && pytest", RUFF + MYPY, 1, {"ruff check": True, "mypy": False}),
        ("ruff check .; mypy; pytest -q", RUFF + MYPY + GOOD, 0,
         {"ruff check": True, "mypy": False, "pytest": True}),
        ("make lint test", "", 0, {"make lint": True, "make test": True}),
        ("make lint test", "", 2, {"make lint": None, "make test": None}),
        ("pytest a && npm test", "", 1, {"pytest": None, "npm test": None}),
    ],
)  # fmt: skip
def test_each_check_of_a_line_has_an_outcome_of_its_own(command, output, code, expected):
    assert passed_by_name(command, output, code) == expected


def test_two_runs_of_one_runner_have_each_their_own_summary():
    found = detect.checks_of("pytest a; pytest b")
    assert [how.passed for how in outcomes(found, GOOD + BAD, 1)] == [True, False]
    assert [how.passed for how in outcomes(found, GOOD, 0)] == [None, True]


# -- runs of tests that show nothing ---------------------------------------------------------------

RUNS = [
    "pytest", "pytest -k 'not slow' tests", "python -m pytest -q", "python3 -X dev -m unittest",
    "/p/.venv/bin/python -m pytest", ".venv/bin/pytest", "cd sub && pytest", "PYTHONPATH=. pytest",
    "timeout 60 pytest", "env A=1 pytest", "uv run pytest", "uv run --with x python -m pytest",
    "poetry run pytest", "coverage run -m pytest", "python -m coverage run -m unittest", "tox -e py",
    "nox", "npx jest", "npx vitest run", "mocha", "node --test", "npm test", "npm t",
    "npm run test:unit", "npm --prefix web test", "pnpm test", "pnpm -C web run test",
    "yarn test", "yarn jest", "bun test", "deno test", "go test ./...", "go test -run X ./pkg",
    "cargo test", "cargo nextest run", "mvn verify", "mvn -q clean test", "./gradlew test",
    "gradle clean check", "dotnet test", "bundle exec rspec", "vendor/bin/phpunit", "ctest",
    "make test", "make -j4 lint test", "make -C sub check", "make test-unit",
    "python manage.py test", "php artisan test", "bash -c 'pytest -q'", "rake spec",
]  # fmt: skip

NO_RUNS = [
    "cat latest.txt", "grep test src", "grep -rn pytest .", "pytest --version", "pytest --help",
    "pytest --collect-only", "pip install pytest", "npm install jest", "npm run build", "make",
    "make -n test", "go build ./...", "go vet ./test", "cargo build", "cargo test --no-run",
    "mvn package -DskipTests", "echo 'npm test'", "git commit -m 'run pytest'", "ls tests",
    "vim tests/test_a.py", "python test.py.bak", "npm help test", "rm -rf .pytest_cache",
    "cat <<'X' > run.sh\npytest\nX", "# pytest", "man ctest", "", "   ", "mvn verify -DskipTests",
    "which pytest", "python -c 'import pytest'", "yarn add jest",
]  # fmt: skip


@for_each("command", RUNS)
def test_a_known_runner_that_is_run_is_a_test_run(command):
    assert "test" in {one.kind for one in detect.checks_of(command)}
    assert last(command).passed is True


@for_each("command", NO_RUNS)
def test_naming_a_runner_is_no_test_run(command):
    assert "test" not in {one.kind for one in detect.checks_of(command)}


@for_each(
    ("command", "on_success", "on_failure"),
    [
        ("pytest", True, False),
        ("cd sub && pytest -q 2>&1", True, False),
        ("pytest > out.txt 2>&1", True, False),
        ("ruff check . && pytest", True, None),
        ("ruff check .; pytest", True, False),
        ("pytest && echo done", True, False),
        ("(cd sub && pytest)", True, False),
        ("pytest | tail -5", None, None),
        ("pytest || true", None, None),
        ("pytest; echo $?", None, None),
        ("pytest\necho done", None, None),
        ("pytest &", None, None),
        ("! pytest", None, None),
        ("bash -c 'pytest -q'", True, False),
        ("bash -c 'pytest -q; true'", None, None),
        ("bash -c 'false || pytest'", None, None),
        ("bash -c '! pytest'", None, None),
        ("bash -c 'pytest' | cat", None, None),
        ("{ pytest; }", True, False),
        ("false || pytest", None, None),
        ("echo $(pytest)", None, None),
        ("if pytest; then echo ok; fi", None, None),
    ],
)
def test_a_run_without_output_has_the_outcome_of_its_exit_code(command, on_success, on_failure):
    assert passed_by_name(command, "", 0)["pytest"] is on_success
    assert passed_by_name(command, "", 1)["pytest"] is on_failure


# -- quoted commands -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pytest -q", "  pytest   -q "),
        ("cd web && npm test", "npm test"),
        ("cd web && time npm test;", "npm test"),
        ("CI=1 npm test", "npm test"),
        ("`make check`", "make check"),
        ("pytest -q 2>&1 | tail -20", "pytest -q"),
        ("$ pytest", "pytest"),
        ('cd "my dir" && A=1 pytest', "pytest"),
    ],
)
def test_two_texts_of_one_command_are_the_same(one, other):
    assert bare_command(one) == bare_command(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pytest a", "pytest b"),
        ("npm test", "npm t"),
        ("pytest", "pytest | grep x"),
        ("cd web", ""),
    ],
)
def test_other_commands_are_other_commands(one, other):
    assert bare_command(one) != bare_command(other)
