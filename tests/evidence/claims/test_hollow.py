"""A pass that came from changed tests, and files that no run reached."""
# ruff: noqa: RUF001 - claims in other languages

import pytest
from tests.evidence.claims.test_claims import Tree, judged, record, run
from tests.tables import for_each

from operators_edge.evidence.claims import check_history

FAILED = run(25, passed=False, counts={"failed": 1, "passed": 3}, failed=["t/test_a.py::test_x"])
FEWER = run(30, passed=True, counts={"passed": 3})
SAME = run(30, passed=True, counts={"passed": 4})


def between(*files):
    return Tree(differs={("look25", "look30"): files}, old=("t/test_a.py", "src/a.py"))


def test_fewer_tests_than_when_one_failed_contradict():
    claim = judged(record(FAILED, FEWER))
    assert claim.verdict == "CONTRADICTED"
    assert claim.is_hollow
    assert "1 test fewer than at log 25, where 1 test failed (t/test_a.py::test_x)" in claim.why


@pytest.mark.parametrize(
    "proof",
    ["skipped test_x, the rest passes", "Removed the obsolete test; tests pass", "remaining tests pass"],
)  # fmt: skip
def test_whoever_says_so_is_not_accused(proof):
    assert judged(record(FAILED, FEWER), proof=proof).verdict != "CONTRADICTED"


def test_only_tests_changed_between_the_failure_and_the_pass():
    claim = judged(record(FAILED, SAME), between("t/test_a.py", "conftest.py"))
    assert (claim.verdict, claim.is_hollow) == ("UNVERIFIED", True)
    assert "only tests or their configuration changed: t/test_a.py, conftest.py" in claim.why


def test_code_that_changed_as_well_is_ordinary_work():
    assert judged(record(FAILED, SAME), between("t/test_a.py", "src/a.py")).verdict == "VERIFIED"


def test_a_test_that_this_work_wrote_may_be_corrected():
    tree = Tree(differs={("look25", "look30"): ("t/test_a.py",)})
    assert judged(record(FAILED, SAME), tree).verdict == "VERIFIED"


def test_a_step_about_tests_may_change_them_alone():
    tree = between("t/test_a.py")
    claim = judged(record(FAILED, SAME), tree, description="Correct the tests of a")
    assert claim.verdict == "VERIFIED"


def test_a_step_that_is_to_raise_the_coverage_may_change_tests_alone():
    description = "Raise the coverage of a"
    claim = judged(record(FAILED, SAME), between("t/test_a.py"), description=description)
    assert claim.verdict == "VERIFIED"


@pytest.mark.parametrize("look", [{"digest": "unknown"}, None])
def test_without_tree_states_the_edits_decide(look):
    tree = Tree(old=("t/test_a.py",))
    work = record(FAILED | {"look": look}, SAME, files={"src/a.py": 20, "t/test_a.py": 28})
    assert judged(work, tree).is_hollow


def test_another_runner_may_count_fewer_tests():
    other = run(30, passed=True, name="unittest", counts={"passed": 2})
    assert judged(record(FAILED, other), between("src/a.py")).verdict != "CONTRADICTED"


RED_LINT = run(25, passed=False, name="ruff", kind="lint")
CLEAN_LINT = run(30, passed=True, name="ruff", kind="lint")


@pytest.mark.parametrize(
    "settings", ["ruff.toml", "web/eslint.config.js", ".golangci.yml", "pyproject.toml"]
)
def test_a_linter_that_passes_since_only_its_settings_changed_shows_nothing(settings):
    work = record(RED_LINT, CLEAN_LINT)
    claim = judged(work, between(settings), proof="ruff is clean")
    assert (claim.verdict, claim.is_hollow) == ("UNVERIFIED", True)
    assert claim.why.endswith(f"since the failure at log 25 only settings changed: {settings}")


@pytest.mark.parametrize(
    ("changed", "proof"),
    [
        (("ruff.toml", "src/a.py"), "ruff is clean"),
        ((), "ruff is clean"),
        (("ruff.toml",), "relaxed one rule; ruff is clean"),
    ],
)
def test_a_linter_whose_code_changed_or_whose_settings_are_told_is_believed(changed, proof):
    claim = judged(record(RED_LINT, CLEAN_LINT), between(*changed), proof=proof)
    assert not claim.is_hollow


def test_packages_are_counted_where_a_runner_names_no_tests():
    failed = run(25, passed=False, name="go test", counts={"failed": 1, "files": 2})
    more = {"files": {"a.go": 20}}
    assert (
        judged(
            record(failed, run(30, passed=True, name="go test", counts={"files": 2}), **more)
        ).verdict
        == "VERIFIED"
    )
    assert (
        judged(
            record(failed, run(30, passed=True, name="go test", counts={"files": 1}), **more)
        ).verdict
        == "CONTRADICTED"
    )


# -- reach -----------------------------------------------------------------------------------------


def in_part(part, seq=30, **more):
    return run(seq, passed=True, scope=[part], folder=part, command=f"cd {part} && pytest", **more)


def test_what_another_part_tested_is_not_tested():
    tree = Tree(units=("a", "b"))
    work = record(in_part("b"), files={"a/x.py": 20})
    assert judged(work, tree).why.endswith("no run was observed that reached a/x.py")
    assert judged(record(in_part("a"), files={"a/x.py": 20}), tree).verdict == "VERIFIED"
    both = {"a/x.py": 20, "b/y.py": 20}
    assert judged(record(in_part("a"), files=both), tree).verdict == "UNVERIFIED"
    assert judged(record(in_part("a"), in_part("b", 31), files=both), tree).verdict == "VERIFIED"


@pytest.mark.parametrize(
    ("path", "name", "verdict"),
    [
        ("web/app.ts", "pytest", "UNVERIFIED"),
        ("web/app.ts", "npm test", "VERIFIED"),
        ("main.go", "cargo test", "UNVERIFIED"),
        ("a/x.go", "go test", "UNVERIFIED"),
        ("run.sh", "pytest", "VERIFIED"),
    ],
)
def test_a_run_reaches_its_own_language(path, name, verdict):
    work = record(run(30, passed=True, name=name), files={path: 20})
    assert judged(work, Tree(units=("a",))).verdict == verdict


def test_a_narrow_run_reaches_the_file_that_it_is_named_after():
    narrow = run(30, passed=True, scope=["tests/test_parser.py"])
    for path, verdict in (("src/parser.py", "VERIFIED"), ("src/writer.py", "UNVERIFIED")):
        work = record(narrow, files={path: 20})
        assert judged(work, proof="").verdict == verdict
    whole = record(run(30, passed=True, scope=["src"]), files={"src/x.py": 20})
    assert judged(whole, proof="").verdict == "VERIFIED"


def test_a_run_of_one_module_reaches_no_folder_of_a_nested_one():
    whole = run(30, passed=True, name="go test")
    for path, verdict in (("tools/gen/cmd/x.go", "UNVERIFIED"), ("pkg/cmd/x.go", "VERIFIED")):
        work = record(whole, files={path: 20})
        assert judged(work, Tree(units=("tools/gen",))).verdict == verdict


@pytest.mark.parametrize("scope", ["pkg/rates/", "./pkg/rates", "pkg/rates/table.py"])
def test_a_narrow_run_reaches_the_folder_or_file_that_it_names(scope):
    work = record(run(30, passed=True, scope=[scope]), files={"pkg/rates/table.py": 20})
    assert judged(work, proof="").verdict == "VERIFIED"


def test_a_stale_run_of_the_missing_part_is_stale():
    tree = Tree(units=("a", "b"), changes={"look30": ("a/x.py",), "look31": ()})
    work = record(in_part("a"), in_part("b", 31), files={"a/x.py": 20, "b/y.py": 20})
    assert judged(work, tree).verdict == "STALE"


# -- the failed ones again -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "scope"),
    [
        ("t/test_a.py::test_totals", ["t/test_a.py"]),
        ("t/test_a.py::test_totals", ["-k totals", "-k test_totals"]),
        ("CartTest.totalsWithTax", ["-Dtest=CartTest#totalsWithTax"]),
        ("src/cart.test.ts > cart > totals with tax", ["-t totals with tax", "src/cart.test.ts"]),
        ("TestTotalsWithTax", ["-run TestTotalsWithTax", "./cart"]),
        ("Shop.CartTests.Totals", ["--filter CartTests"]),
    ],
)
def test_whoever_saw_each_failed_test_pass_is_not_accused(name, scope):
    failed = run(25, passed=False, counts={"failed": 1, "passed": 3}, failed=[name])
    again = run(30, passed=True, command="again", scope=scope)
    claim = judged(record(failed, again))
    assert claim.verdict == "UNVERIFIED"
    assert "what failed passed alone since" in claim.why


def test_other_tests_clear_nothing():
    failed = run(25, passed=False, counts={"failed": 1}, failed=["t/test_a.py::test_totals"])
    for scope in (["t/test_b.py"], ["-k not test_totals"], ["--deselect t/test_a.py::test_totals"]):
        again = run(30, passed=True, command="again", scope=scope)
        assert judged(record(failed, again)).verdict == "CONTRADICTED"
    named = run(25, passed=False, counts={"failed": 2}, failed=["t/test_a.py::test_totals"])
    again = run(30, passed=True, command="again", scope=["t/test_a.py"])
    assert judged(record(named, again)).verdict == "CONTRADICTED"


# -- other languages -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("proof", "verdict"),
    [
        ("Alle Tests sind grün", "CONTRADICTED"),
        ("所有测试通过", "CONTRADICTED"),
        ("Alle Tests sind rot", "UNVERIFIED"),
        ("Umbau ist fertig und für alle", "UNVERIFIED"),
        ("3 von 4 Tests sind grün", "UNVERIFIED"),
        ("测试还没通过", "UNVERIFIED"),
    ],
)
def test_where_words_cannot_be_read_the_failure_decides(proof, verdict):
    assert judged(record(run(30, passed=False)), proof=proof).verdict == verdict
    narrow = run(30, passed=False, scope=["t/test_a.py"])
    assert judged(record(narrow), proof=proof).verdict == "UNVERIFIED"


# -- left out, by whatever runner ------------------------------------------------------------------

ONE_SKIPPED = {"passed": 3, "skipped": 1}


@pytest.mark.parametrize("name", ["npm test", "make", "unittest", "pytest"])
def test_another_runner_that_skips_what_failed_shows_nothing(name):
    claim = judged(record(FAILED, run(30, passed=True, name=name, counts=ONE_SKIPPED)))
    assert (claim.verdict, claim.is_hollow) == ("CONTRADICTED", True)


@pytest.mark.parametrize(
    ("counts", "more", "proof"),
    [
        ({"passed": 4, "skipped": 1}, {}, "all tests pass"),  # one more test
        ({"passed": 2, "skipped": 1}, {}, "all tests pass"),  # other tests
        (ONE_SKIPPED, {"scope": ["t/test_a.py"]}, "all tests pass"),
        (ONE_SKIPPED, {}, "All tests pass; test_x is skipped until the rates are there."),
    ],
)
def test_other_numbers_of_another_runner_accuse_nobody(counts, more, proof):
    work = record(FAILED, run(30, passed=True, name="unittest", counts=counts, **more))
    assert judged(work, proof=proof).verdict == "UNVERIFIED"


# -- a second run that never was -------------------------------------------------------------------

AGAIN = [
    "Tests pass (one was flaky but passed on rerun).",
    "test_x is flaky; it went green on the second attempt",
    "Re-ran it and it passed",
    "flaky, passed on retry",
    "After running it again everything was fine, known flake",
    "test_x ist wackelig, beim zweiten Lauf war alles grün",
    "Le test x est instable mais il est passé au deuxième essai",
    "La prueba x es inestable, pero al segundo intento pasó",
    "测试 x 不稳定，重跑通过",
    "テスト x は不安定ですが、再実行で通りました",
]
NOT_AGAIN = [
    "test_x is flaky; rerun it and it should pass",
    "test_x fails; it did not pass on rerun either",
    "test_x fails here, passed on rerun in CI",
    "test_x fails. Will try again once the rates are green.",
    "test_x fails, the other 3 pass",
    "Ein Test ist rot, bitte nochmal laufen lassen",
    "Un test est rouge, il devrait passer au deuxième essai",
    "测试 x 失败，应该重跑",
]


@pytest.mark.parametrize("proof", AGAIN)
def test_a_second_run_that_is_told_and_never_was_contradicts(proof):
    claim = judged(record(FAILED), proof=proof)
    assert claim.verdict == "CONTRADICTED"
    assert claim.why.endswith(("and no run followed", "it has not passed since"))


@pytest.mark.parametrize("proof", AGAIN)
def test_a_second_run_that_is_in_the_log_is_believed(proof):
    assert judged(record(FAILED, run(30, passed=True)), proof=proof).verdict != "CONTRADICTED"


@pytest.mark.parametrize("proof", NOT_AGAIN)
def test_whoever_wishes_or_admits_is_not_accused(proof):
    assert judged(record(FAILED), proof=proof).verdict == "UNVERIFIED"


def test_a_second_run_by_something_unknown_accuses_nobody():
    commands = {"./run-tests.sh": {"seq": 28, "passed": True, "at": None, "cwd": "/p"}}
    claim = judged(record(FAILED, commands=commands), proof=AGAIN[0])
    assert claim.verdict == "UNVERIFIED"


@pytest.mark.parametrize(
    ("scope", "clears"),
    [
        (["test/test_other.rb"], False),
        (["test/test_cart.rb"], None),
        (["spec/cart_totals_spec.rb"], None),
        ([], None),
        (["-n test_adds"], None),
    ],
)
def test_a_file_of_other_tests_clears_no_failure_of_a_script(scope, clears):
    failed = run(20, passed=False, name="rake test", failed=["Cart#test_totals"])
    later = run(30, passed=True, name="test.rb", scope=scope)
    assert check_history.clears(later, failed) is clears


# -- how it is said ----------------------------------------------------------------------------------

ALL_WELL = """
Everything's green | 4/4 ✓ | 100% green | Nothing is failing. | pytest exits with 0 | pytest exit status 0
Tests look good | Full regression suite passed | test_x passes | test_x now succeeds | No red in sight
The regression is resolved, test_x is green | The failure went away after re-running | Tests: passing ✅
Tests pass, only a deprecation warning | Die Testsuite läuft fehlerfrei durch | Tests laufen ohne Fehler
Tous les tests sont au vert | Todas las pruebas pasan sin errores | Все тесты проходят без ошибок
所有测试通过，没有错误 | テストはエラーなしで通過 | جميع الاختبارات ناجحة
Semua tes lulus | כל הבדיקות עוברות
"""
NOT_WELL = """
3 passed, 1 failed | test_x is red | Not everything is green | Only test_x fails | test_y passes, test_x fails
Added good tests for the parser | Nothing was run | pytest exits with 1 | Nothing is failing but test_x
Der Test test_x läuft nicht fehlerfrei | Un test échoue encore | 还有一个测试失败
اختبار واحد فشل | Satu tes gagal
"""


def listed(texts):
    return [text.strip() for line in texts.strip().splitlines() for text in line.split(" | ")]


@for_each("proof", listed(ALL_WELL))
def test_a_failure_contradicts_however_it_is_said_that_all_is_well(proof):
    tree = between("src/a.py")
    assert judged(record(FAILED), tree, proof=proof).verdict == "CONTRADICTED"
    assert judged(record(FAILED, SAME), tree, proof=proof).verdict != "CONTRADICTED"


@for_each("proof", listed(NOT_WELL))
def test_whoever_admits_it_in_whatever_words_is_not_accused(proof):
    assert judged(record(FAILED), between("src/a.py"), proof=proof).verdict == "UNVERIFIED"
