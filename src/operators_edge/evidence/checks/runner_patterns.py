"""The pattern of each runner's summary.

Owns data alone: a new runner is a row here. Does not own how rows are used
(``evidence.checks.runner_output``).
"""
# ruff: noqa: E501, ISC004, RUF001 - a row is one line, its pattern may be two, and quotes what is printed

from __future__ import annotations

# (reader, texts of which each such summary has one, its pattern, what of the output must be seen for a "passed";
# with a "+" all that the pattern finds is one summary). Groups: p passed, f failed, e errors, s skipped, t total,
# n problems, files, each a number or a word that counts as one; good and bad decide it, z is none.
ROWS: tuple[tuple[str, str, str, str], ...] = (
    # -- tests -------------------------------------------------------------------------------------
    ("unittest", "Ran ",
     r"^Ran (?P<t>\d+) tests? in [\d.]+s\s*\n\s*(?:(?P<good>OK)|(?P<bad>FAILED)|NO TESTS RAN)"
     r"(?: \((?=[a-z])(?:.*?\bfailures=(?P<f>\d+))?(?:.*?\berrors=(?P<e>\d+))?"
     r"(?:.*?\bskipped=(?P<s>\d+))?.*\))?\s*$", "end"),
    ("unittest", "FAILED (", r"^(?P<bad>FAILED) \((?:failures=(?P<f>\d+))?(?:, )?(?:errors=(?P<e>\d+))?"
     r"[^)\n]*=\d+\)$", ""),
    ("tox", ":)", r"^\s*(?P<good>congratulations :\))", "line"),
    ("tox", ":(", r"^\s*(?P<bad>evaluation failed :\()", ""),
    ("nox", "nox > ", r"^nox > (?:Session .* (?P<bad>failed|raised)\b.*|\* .*: (?P<bad2>failed))", ""),
    ("nox", "nox > ", r"^nox > (?:Session .* (?P<good>was successful)\b.*|\* .*: success)$", "all"),
    ("jest", "Test Suites:",
     r"^Test Suites: (?P<suites>.*\d+ total)\s*\nTests:\s+(?:(?P<f>\d+) failed, )?(?:(?P<s>\d+) skipped, )?"
     r"(?:(?P<todo>\d+) todo, )?(?:(?P<p>\d+) passed, )?(?P<t>\d+) total", "line"),
    ("jest", "Tests:", r"^Tests:\s+(?P<f>\d+) failed, .*\d+ total", ""),
    ("jest", "Test Suites:", r"^Test Suites:\s+(?P<bad>\d+ failed), ", ""),
    ("jest", "No tests found", r"^No tests found, exiting with code \d", "line"),
    ("jest", "coverage threshold", r"^Jest: .*\b(?P<bad>coverage threshold)\b.* not met", ""),
    ("vitest", "Test Files",
     r"^\s*Test Files\s+(?P<suites>[^\n]*\(\d+\))\s*\n\s*Tests\s+(?:(?P<f>\d+) failed(?: \| )?)?"
     r"(?:(?P<p>\d+) passed)?(?: ?\| ?(?P<s>\d+) skipped)?[^\n(]*\((?P<t>\d+)\)", "end"),
    ("vitest", "Test Files", r"^\s*Test Files\s+(?P<bad>\d+ failed)\b", ""),
    ("vitest", "No test files", r"^\s*No test files found, exiting with code \d", "line"),
    ("vitest", "Errors", r"^\s*(?:Type )?Errors\s+(?P<e>\d+) errors?$", ""),
    ("vitest", "threshold", r"^ERROR: (?P<bad>Coverage for) .* does not meet", ""),
    ("mocha", "passing",
     r"^ *(?P<p>\d+) passing\b[^\n]*(?:\n *(?P<s>\d+) pending)?(?:\n *(?P<f>\d+) failing)?\s*$", "end"),
    ("mocha", "failing", r"^ *(?P<f>\d+) failing\s*$", ""),
    ("node", " pass ",
     r"^(?:[#ℹ] tests (?P<t>\d+)\s*\n(?:[#ℹ] suites \d+\s*\n)?)?[#ℹ] pass (?P<p>\d+)\s*\n[#ℹ] fail (?P<f>\d+)"
     r"(?:\s*\n[#ℹ] cancelled (?P<e>\d+))?(?:\s*\n[#ℹ] skipped (?P<s>\d+))?", "end"),
    ("node", " fail ", r"^[#ℹ] fail (?P<f>[1-9]\d*)$", ""),
    ("tap", "# pass",
     r"^(?:# tests +(?P<t>\d+)\s*\n)?# pass +(?P<p>\d+)(?:\s*\n# skip +(?P<s>\d+))?(?:\s*\n# todo +\d+)?"
     r"(?:\s*\n# fail +(?P<f>\d+))?", "end"),
    ("uvu", "Total:", r"^ *Total: +(?P<t>\d+)\s*\n *Passed: +(?P<p>\d+)\s*\n *Skipped: +(?P<s>\d+)", "all"),
    ("uvu", " FAIL ", r"^ *(?P<bad>FAIL) +\"", ""),
    ("tap", "total:", r"^# \{ total: (?P<t>\d+), pass: (?P<p>\d+)(?:, fail: (?P<f>\d+))?.*\}", "line"),
    ("tap", "not ok", r"^\s*(?P<bad>not ok)\b(?!.*# (?:SKIP|TODO|skip|todo))", ""),
    ("bats", "failure",
     r"^(?:\d+ (?:doctests?|properties|features?), )*(?P<t>\d+) tests?, (?P<f>\d+) failures?"
     r"(?:, (?P<s>\d+) (?:skipped|excluded|invalid))?(?: in [\d.]+ seconds?)?(?:, \d+ \w+)*$", "line"),
    ("bats", "no tests to run", r"^There are no tests to run", "line"),
    ("ava", "passed", r"^ *(?P<p>\d+) tests? passed(?:\s*\n *(?P<s>\d+) tests? skipped)?$", "end"),
    ("ava", "failed", r"^ *(?:(?P<f>\d+) tests? failed|(?P<e>\d+) uncaught exceptions?|(?P<e2>\d+) "
     r"unhandled rejections?)$", ""),
    ("deno", "passed", r"^(?:(?P<good>ok)|(?P<bad>FAILED)) \| (?P<p>\d+) passed(?: \(.*?\))? \| "
     r"(?P<f>\d+) failed(?: \(.*?\))?(?: \| (?P<s>\d+) ignored)?.*$", "line"),
    ("bun", " pass", r"^ *(?P<p>\d+) pass\s*\n(?: *(?P<s>\d+) skip\s*\n)?(?: *\d+ (?:todo|filtered out)\s*\n)*"
     r" *(?P<f>\d+) fail(?:\s*\n *(?P<e>\d+) errors?)?$", "end"),
    ("bun", " fail", r"^ *(?P<f>[1-9]\d*) fail$", ""),
    ("gotestsum", "DONE ", r"^DONE (?:\d+ runs, )?(?P<t>\d+) tests?(?:, (?P<s>\d+) skipped)?"
     r"(?:, (?P<f>\d+) failures?)?(?:, (?P<e>\d+) errors?)? in ", "line"),
    ("go", "ok  |FAIL|---|no test files",
     r"^(?:(?P<files>ok) +\t?\S+\s+(?:[\d.]+s|\(cached\))(?!.*\[no tests to run\])|(?P<bad>FAIL)(?:(?P<files2>\t)\S+|$)|ok  |\?   "
     r"| *--- (?:(?P<p>PASS)|(?P<f>FAIL)|(?P<s>SKIP)): )", "all+"),
    ("cargo", "test result:", r"^test result: (?:ok|(?P<bad>FAILED))\. (?P<p>\d+) passed; (?P<f>\d+) failed; "
     r"(?P<s>\d+) ignored;", "end+"),
    ("cargo", "error: ", r"^(?P<bad>error): (?:test failed|could not compile|\d+ targets? failed)", ""),
    ("nextest", "Summary [", r"^ *Summary \[.*?\] +(?P<t>\d+)(?:/\d+)? tests? run: (?P<p>\d+) passed"
     r"(?: \(.*?\))?(?:, (?P<f>\d+) failed)?(?:, (?P<e>\d+) timed out)?(?:, (?P<s>\d+) skipped)?", "line"),
    ("maven", "Tests run:", r"^(?:\[\w+\] )?Tests run: (?P<t>\d+), Failures: (?P<f>\d+), Errors: (?P<e>\d+), "
     r"Skipped: (?P<s>\d+)\s*$", "end+"),
    ("maven", "No tests to run", r"^(?:\[\w+\] )?No tests to run\.$", "line"),
    ("maven", "BUILD FAILURE", r"^(?:\[\w+\] )?(?P<bad>BUILD FAILURE)$", ""),
    ("gradle", "tests completed", r"^(?P<t>\d+) tests? completed(?:, (?P<f>\d+) failed)?"
     r"(?:, (?P<s>\d+) skipped)?", ""),
    ("gradle", "BUILD ", r"^BUILD (?:(?P<good>SUCCESSFUL)|(?P<bad>FAILED)) in ", "line"),
    ("maven-build", "BUILD ", r"^(?:\[\w+\] )?BUILD (?:(?P<good>SUCCESS)|(?P<bad>FAILURE))$", "line"),
    ("dotnet", "Test summary:", r"^Test summary: total: (?P<t>\d+), failed: (?P<f>\d+), "
     r"succeeded: (?P<p>\d+), skipped: (?P<s>\d+)", "line"),
    ("dotnet", "! ", r"^(?:Passed|Failed)! +- Failed: +(?P<f>\d+), Passed: +(?P<p>\d+), "
     r"Skipped: +(?P<s>\d+), Total: +(?P<t>\d+)", "all"),
    ("dotnet-build", "Build ", r"^\s*Build (?:(?P<good>succeeded)|(?P<bad>FAILED))", "line"),
    ("rspec", "example", r"^(?P<t>\d+) examples?, (?P<f>\d+) failures?(?:, (?P<s>\d+) pending)?"
     r"(?:, (?P<e>\d+) errors? occurred outside of examples)?$", "line"),
    ("minitest", "assertions", r"^(?P<t>\d+) (?:runs|tests), \d+ assertions, (?P<f>\d+) failures, "
     r"(?P<e>\d+) errors, (?P<s>\d+) (?:skips|pendings)\b(?:, (?P<s2>\d+) omissions)?", "line"),
    ("phpunit", "OK (", r"^(?P<good>OK) \((?P<t>\d+) tests?, \d+ assertions?\)", "line"),
    ("phpunit", "Tests:", r"^(?:(?P<good>OK, but)|(?P<bad>FAILURES!|ERRORS!))[^\n]*\n+Tests: (?P<t>\d+), "
     r"Assertions: \d+(?:, Errors: (?P<e>\d+))?(?:, Failures: (?P<f>\d+))?(?:[^\n]*?\bSkipped: (?P<s>\d+))?",
     "line"),
    ("phpunit", "No tests executed", r"^No tests executed!", "line"),
    ("pest", "assertion", r"^ *Tests: +(?:(?P<e>\d+) errors?, )?(?:(?P<f>\d+) failed, )?(?:\d+ (?:risky|warnings?|"
     r"deprecated|incomplete|todos?), )*(?:(?P<s>\d+) skipped, )?(?:(?P<p>\d+) passed )?\(\d+ assertions?\)",
     "line"),
    ("ctest", "tests passed", r"^(?:\d+)% tests passed, (?P<f>\d+) tests failed out of (?P<t>\d+)", "line"),
    ("ctest", "No tests were found", r"^No tests were found!!!", "line"),
    ("meson", "Ok:", r"^Ok: +(?P<p>\d+)\s*\n(?:Expected Fail: +\d+\s*\n)?Fail: +(?P<f>\d+)\s*\n"
     r"(?:Unexpected Pass: +(?P<e2>\d+)\s*\n)?(?:Skipped: +(?P<s>\d+)\s*\n)?(?:Timeout: +(?P<e>\d+))?", "end"),
    ("bazel", "Executed ", r"^Executed \d+ out of (?P<t>\d+) tests?: "
     r"(?:(?P<good>[^\n]*\btests? pass(?:es)?\.)|(?P<bad>[^\n]*\bfail(?:s|ed)?\b))", "line"),
    ("prove", "Result: ", r"^(?:Files=\d+, Tests=(?P<t>\d+),[^\n]*\n)?Result: "
     r"(?:(?P<good>PASS)|(?P<bad>FAIL)|NOTESTS)", "line"),
    ("prove", "Failed: ", r"^\S+ +\(Wstat: [^\n]*Tests: \d+ Failed: (?P<f>\d+)\)", "all+"),
    ("busted", "success", r"^(?P<p>\d+) success(?:es)? / (?P<f>\d+) failures? / (?P<e>\d+) errors? / "
     r"(?P<s>\d+) pending", "line"),
    ("cypress", "All specs", r"^\s*✔ +(?P<good>All specs passed!)", "line"),
    ("cypress", "of ", r"^\s*✖ +(?P<f>\d+) of \d+ failed", ""),
    ("playwright", "passed|failed|skipped|flaky",
     r"^ +(?:(?P<f>\d+) failed|(?P<p>\d+) passed|(?P<again>\d+) flaky|(?P<s>\d+) skipped)(?: \([\d.]+m?s\))?$", "all+"),
    ("jasmine", "spec", r"^(?P<t>\d+) specs?, (?P<f>\d+) failures?(?:, (?P<s>\d+) pending specs?)?$", "line"),
    ("karma", "Executed ", r"^.*\bExecuted \d+ of (?P<t>\d+)(?: \((?P<f>\d+) FAILED\))?"
     r"(?: \(skipped (?P<s>\d+)\))?.*(?:(?P<good>SUCCESS)|(?P<bad>FAILED|DISCONNECTED))", "end"),
    ("swift", "Executed ", r"^\s*Executed (?P<t>\d+) tests?, with (?:(?P<s>\d+) tests? skipped and )?"
     r"(?P<f>\d+) failures?", "end"),
    ("swift", "Test run with", r"Test run with (?P<t>\d+) tests?.* (?:(?P<good>passed)|(?P<bad>failed)) after",
     "end"),
    ("xcodebuild", "** ", r"^\*\* (?:TEST|BUILD|ANALYZE)\s+(?:(?P<good>SUCCEEDED)|(?P<bad>FAILED)) \*\*",
     "line"),
    ("dart", "tests", r"^\d\d:\d\d \+(?P<p>\d+)(?: ~(?P<s>\d+))?(?: -(?P<f>\d+))?: (?:All tests passed!|"
     r"Some tests failed\.)", "line"),
    ("dart-analyze", "issue", r"^(?:(?P<good>No issues found!)|(?P<f>\d+) issues? found\.)", "line"),
    ("zig", "tests passed", r"^All (?P<p>\d+) tests passed\.", "line"),
    ("zig", "passed; ", r"^(?P<p>\d+) passed; (?P<s>\d+) skipped; (?P<f>\d+) failed\.", "line"),
    ("eunit", "tests passed", r"^ *All (?P<p>\d+) tests passed\.", "line"),
    ("behave", "scenario", r"^(?P<p>\d+) scenarios? passed, (?P<f>\d+) failed(?:, (?P<e>\d+) error)?,"
     r" (?P<s>\d+) skipped", "line"),
    ("cucumber", "scenario", r"^\d+ scenarios? \((?:(?P<f>\d+) failed(?:, )?)?(?:(?P<e>\d+) undefined(?:, )?)?"
     r"(?:(?P<s>\d+) (?:skipped|pending)(?:, )?)?(?:(?P<p>\d+) passed)?\)", "line"),
    ("cucumber", "0 scenarios", r"^0 scenarios$", "line"),
    ("robot", "tests, ", r"^(?P<t>\d+) tests?, (?P<p>\d+) passed, (?P<f>\d+) failed", "end"),
    ("sbt", "Total ", r"^\[\w+\] (?:Passed|Failed|Error): Total (?P<t>\d+), Failed (?P<f>\d+), "
     r"Errors (?P<e>\d+), Passed (?P<p>\d+)", "all"),
    ("clojure", "assertions.", r"^Ran (?P<t>\d+) tests containing \d+ assertions\.\s*\n(?P<f>\d+) failures, "
     r"(?P<e>\d+) errors\.", "line"),
    ("forge", "test suite", r"^Ran \d+ test suites? .*: (?P<p>\d+) tests? passed, (?P<f>\d+) failed, "
     r"(?P<s>\d+) skipped", "line"),
    ("ginkgo", "! -- ", r"^(?:SUCCESS|FAIL)! -- (?P<p>\d+) Passed \| (?P<f>\d+) Failed \| \d+ Pending \| "
     r"(?P<s>\d+) Skipped", "all"),
    ("dbt", "PASS=", r"Done\. PASS=(?P<p>\d+) WARN=\d+ ERROR=(?P<e>\d+) SKIP=(?P<s>\d+)", "line"),
    ("stestr", "Passed:", r"^ - Passed: (?P<p>\d+)\s*\n - Skipped: (?P<s>\d+)\s*\n(?: - Expected Fail: \d+\s*\n)?"
     r"(?: - Unexpected Success: (?P<e>\d+)\s*\n)? - Failed: (?P<f>\d+)", "line"),
    ("elm-test", "TEST RUN", r"^TEST RUN (?:(?P<good>PASSED)|(?P<bad>FAILED))", "line"),
    ("cabal", "test suites", r"^(?P<suites>\d+ of \d+) test suites \(.*\) (?:(?P<good>passed)|failed)", "line"),
    ("doctest", "***Test", r"^\*\*\*(?P<bad>Test Failed)\*\*\* (?P<f>\d+) failures", ""),
    # -- lint, types, format -----------------------------------------------------------------------
    ("ruff", "All checks", r"^(?P<good>All checks passed!)", "line"),
    ("ruff", "Found ", r"^Found \d+ errors? \(\d+ fixed, (?P<n>\d+) remaining\)", "line"),
    ("ruff", "Found ", r"^Found (?P<n>\d+) errors?\.$", ""),
    ("ruff-format", "formatted", r"^(?P<n>\d+) files? would be reformatted", ""),
    ("ruff-format", "already formatted", r"^(?P<files>\d+) files? already formatted$", "line"),
    ("black", "would be", r"^(?P<n>\d+) files? would be reformatted|^(?P<files>\d+) files? would be left unchanged\.$",
     "line"),
    ("black", "failed to", r"^.*\b(?P<n>\d+) files? would fail to reformat", ""),
    ("isort", "Imports are", r"^ERROR: .* (?P<bad>Imports are incorrectly sorted)", ""),
    ("flake8", ": ", r"^\S+:\d+:\d+: (?P<bad>[A-Z]{1,3}\d{3,4}) ", ""),
    ("pylint", "rated at", r"^Your code has been rated at (?P<good>10\.00)/10", "line"),
    ("pre-commit", "....", r"^.*\.{3,}(?P<bad>Failed)$", ""),
    ("pre-commit", "....", r"^.*\.{3,}(?P<good>Passed)$", "all"),
    ("mypy", "Success:", r"^(?P<good>Success: no issues found) in (?P<files>\d+) ", "line"),
    ("mypy", "Found ", r"^Found (?P<n>\d+) errors? in \d+ ", ""),
    ("pyright", " errors, ", r"^(?P<z>0) errors, \d+ warnings?, ", "line"),
    ("pyright", " error", r"^(?P<n>[1-9]\d*) errors?, \d+ warnings?, ", ""),
    ("ty", "All checks", r"^(?P<good>All checks passed!)", "line"),
    ("ty", "Found ", r"^Found (?P<n>\d+) diagnostics?", ""),
    ("tsc", "error TS", r"^.*\b(?P<bad>error TS\d+):", ""),
    ("tsc", "Found ", r"^Found (?P<n>[1-9]\d*) errors?\b", ""),
    ("svelte-check", "svelte-check found", r"svelte-check found (?:(?P<z>0)|(?P<n>[1-9]\d*)) errors?", "line"),
    ("flow", "error", r"^(?:(?P<good>No errors!)|Found (?P<n>\d+) errors?)", "line"),
    ("phpstan", "[", r"^ *\[(?:(?P<good>OK\] No errors)|ERROR\] Found (?P<n>\d+) errors?)", "line"),
    ("psalm", "rror", r"^ *(?:(?P<good>No errors found!)|(?P<n>[1-9]\d*) errors? found)", "line"),
    ("eslint", "problem", r"^✖ \d+ problems? \((?P<n>[1-9]\d*) errors?, \d+ warnings?\)", ""),
    ("oxlint", "Found ", r"^Found \d+ warnings? and (?:(?P<z>0)|(?P<n>[1-9]\d*)) errors?\.", "line"),
    ("biome", "Found ", r"^Found (?P<n>\d+) errors?\.$", ""),
    ("biome", "Checked ", r"^Checked \d+ files? in .*(?P<good>No fixes applied|Fixed \d+ files?)\.", "end"),
    ("golangci", " issues", r"^(?:(?P<z>0) issues\.$|(?P<n>[1-9]\d*) issues:)", "line"),
    ("rubocop", "inspected", r"^\d+ files? inspected, (?:(?P<z>no) offenses|(?P<n>\d+) offenses?) detected", "line"),
    ("shellcheck", "line ", r"^In .+ (?P<bad>line \d+):$", ""),
    ("markdownlint", "MD", r"^.*\S+:\d+.*\b(?P<bad>MD\d{3})/", ""),
    ("django", "System check", r"^System check identified (?:(?P<good>no issues)|(?P<n>[1-9]\d*) issues?)", "line"),
    ("prettier", "Prettier", r"^(?P<good>All matched files use Prettier code style!)", "line"),
    ("prettier", "Code style", r"^\[warn\] (?P<bad>Code style issues found)", ""),
    # -- builds ------------------------------------------------------------------------------------
    ("rustc", "error", r"^(?P<bad>error(?:\[E\d+\])?): ", ""),
    ("rustc", "Finished", r"^ +(?P<good>Finished) ", "end"),
    ("make", "***", r"^(?:g?make|mingw32-make)(?:\[\d+\])?: (?P<bad>\*\*\*) (?!.*\(ignored\)|No rule to make target '[^']*'\. |No targets)", ""),
    ("ninja", "ninja: ", r"^ninja: (?P<bad>build stopped|error)", ""),
    ("webpack", "compiled", r"^webpack [\d.]+ compiled (?:(?P<good>successfully)|with (?P<n>\d+) errors?)", "line"),
    ("vite", "built in", r"^✓ (?P<good>built in) ", "line"),
    ("docker", "ERROR|rror", r"^(?P<bad>(?:ERROR|error|Error): (?:failed to (?:solve|build)|.*did not complete successfully)"
     r"|Error response from daemon)", ""),
    ("docker", "non-zero code", r"^.*\b(?P<bad>returned a non-zero code): \d+", ""),
    ("docker", "uccessfully", r"^(?P<good>Successfully (?:built|tagged)) ", "end"),
    ("docker", "naming to", r"^#\d+ (?P<good>naming to) \S+.*done$", "end"),
    ("cmake", "CMake Error", r"^(?P<bad>CMake Error)\b", ""),
    ("go-build", "# ", r"^(?P<bad># \S+)\n\S+\.go:\d+", ""),
)  # fmt: skip

# (readers, what shows that no test ran, what shows that one did): a good end means nothing then
EMPTY: tuple[tuple[str, str, str], ...] = (
    (
        "gradle",
        r"^(?:> Task )?:\S*[tT]est NO-SOURCE$",
        r"^(?:> Task )?:\S*[tT]est(?: UP-TO-DATE| FROM-CACHE)?$",
    ),
    ("tox nox make", r"^Ran 0 tests in ", r"^Ran [1-9]\d* tests? in "),
)

KIND_READERS = {
    "test": (
        "pytest unittest tox nox jest vitest mocha node tap bats ava deno bun gotestsum go cargo nextest maven"
        " gradle dotnet uvu rspec minitest phpunit pest ctest meson bazel prove busted playwright cypress jasmine karma"
        " swift xcodebuild dart zig behave cucumber robot sbt clojure forge ginkgo stestr elm-test cabal make"
    ),
    "lint": (
        "ruff flake8 eslint oxlint biome golangci rubocop shellcheck markdownlint pylint pre-commit ty"
        " dart-analyze make rustc"
    ),
    "types": "mypy pyright tsc svelte-check flow phpstan psalm make",
    "format": "ruff-format black isort prettier biome make",
    "build": "rustc make ninja webpack vite cmake docker dotnet-build gradle maven-build go-build tsc",
    "custom": "",
}
"""The readers for a goal or script that may run any program of its kind."""

# end of module
