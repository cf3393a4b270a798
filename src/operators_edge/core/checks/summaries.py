"""What runners say of themselves at the end: passed or failed, and how many.

Owns the wording of each runner's summary. Does not own which runner printed the text (``recognise``) nor
how much of it can be seen (``lines``).
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Counts = dict[str, int]

MOST_TEXT = 2_000_000
"""Characters of an output that are read, the last ones."""


class Summary(NamedTuple):
    """One summary. ``passed`` is None where nothing was judged: no test ran.

    ``tells``: how much of the output has to be seen for a "passed" to be the whole truth: "line" alone,
    the "end", or "all" of it.
    """

    passed: bool | None
    counts: Counts
    at: int
    tells: str = "line"


# (reader, a text that stands in every such summary, its pattern, what of the output it needs for a "passed").
# Groups: p passed, f failed, e errors, s skipped, t total; good and bad are words that settle it.
_ROWS: tuple[tuple[str, str, str, str], ...] = (
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
     r"^# tests +(?P<t>\d+)\s*\n# pass +(?P<p>\d+)(?:\s*\n# fail +(?P<f>\d+))?", "end"),
    ("tap", "total:", r"^# \{ total: (?P<t>\d+), pass: (?P<p>\d+)(?:, fail: (?P<f>\d+))?.*\}", "line"),
    ("tap", "not ok", r"^\s*(?P<bad>not ok)\b(?!.*# (?:SKIP|TODO|skip|todo))", ""),
    ("bats", "failure",
     r"^(?:\d+ (?:doctests?|properties|features?), )*(?P<t>\d+) tests?, (?P<f>\d+) failures?"
     r"(?:, (?P<s>\d+) (?:skipped|excluded|invalid))?(?: in [\d.]+ seconds?)?(?:, \d+ \w+)*$", "line"),
    ("ava", "passed", r"^ *(?P<p>\d+) tests? passed(?:\s*\n *(?P<s>\d+) tests? skipped)?$", "end"),
    ("ava", "failed", r"^ *(?:(?P<f>\d+) tests? failed|(?P<e>\d+) uncaught exceptions?|(?P<e2>\d+) "
     r"unhandled rejections?)$", ""),
    ("deno", " | ", r"^(?:(?P<good>ok)|(?P<bad>FAILED)) \| (?P<p>\d+) passed(?: \(.*?\))? \| "
     r"(?P<f>\d+) failed(?: \(.*?\))?(?: \| (?P<s>\d+) ignored)?.*$", "line"),
    ("bun", " pass", r"^ *(?P<p>\d+) pass\s*\n(?: *(?P<s>\d+) skip\s*\n)?(?: *\d+ todo\s*\n)?"
     r" *(?P<f>\d+) fail(?:\s*\n *(?P<e>\d+) errors?)?$", "end"),
    ("gotestsum", "DONE ", r"^DONE (?:\d+ runs, )?(?P<t>\d+) tests?(?:, (?P<s>\d+) skipped)?"
     r"(?:, (?P<f>\d+) failures?)?(?:, (?P<e>\d+) errors?)? in ", "line"),
    ("nextest", "Summary [", r"^ *Summary \[.*?\] +(?P<t>\d+)(?:/\d+)? tests? run: (?P<p>\d+) passed"
     r"(?: \(.*?\))?(?:, (?P<f>\d+) failed)?(?:, (?P<e>\d+) timed out)?(?:, (?P<s>\d+) skipped)?", "line"),
    ("gradle", "tests completed", r"^(?P<t>\d+) tests? completed(?:, (?P<f>\d+) failed)?"
     r"(?:, (?P<s>\d+) skipped)?", ""),
    ("gradle", "BUILD ", r"^BUILD (?:(?P<good>SUCCESSFUL)|(?P<bad>FAILED)) in ", "line"),
    ("dotnet", "Test summary:", r"^Test summary: total: (?P<t>\d+), failed: (?P<f>\d+), "
     r"succeeded: (?P<p>\d+), skipped: (?P<s>\d+)", "line"),
    ("dotnet", "! ", r"^(?:Passed|Failed)! +- Failed: +(?P<f>\d+), Passed: +(?P<p>\d+), "
     r"Skipped: +(?P<s>\d+), Total: +(?P<t>\d+)", "all"),
    ("dotnet-build", "Build ", r"^\s*Build (?:(?P<good>succeeded)|(?P<bad>FAILED))", "line"),
    ("rspec", "example", r"^(?P<t>\d+) examples?, (?P<f>\d+) failures?(?:, (?P<s>\d+) pending)?"
     r"(?:, (?P<e>\d+) errors? occurred outside of examples)?$", "line"),
    ("minitest", "assertions", r"^(?P<t>\d+) (?:runs|tests), \d+ assertions, (?P<f>\d+) failures, "
     r"(?P<e>\d+) errors, (?P<s>\d+) (?:skips|pendings)\b", "line"),
    ("phpunit", "OK (", r"^(?P<good>OK) \((?P<t>\d+) tests?, \d+ assertions?\)", "line"),
    ("phpunit", "Tests:", r"^(?:(?P<good>OK, but)|(?P<bad>FAILURES!|ERRORS!))[^\n]*\n+Tests: (?P<t>\d+), "
     r"Assertions: \d+(?:, Errors: (?P<e>\d+))?(?:, Failures: (?P<f>\d+))?[^\n]*?(?:Skipped: (?P<s>\d+))?",
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
    ("busted", "success", r"^(?P<p>\d+) success(?:es)? / (?P<f>\d+) failures? / (?P<e>\d+) errors? / "
     r"(?P<s>\d+) pending", "line"),
    ("playwright", "passed (", r"^ +(?P<p>\d+) passed \(", "all"),
    ("playwright", " failed", r"^ +(?P<f>\d+) failed$", ""),
    ("cypress", "All specs", r"^\s*✔ +(?P<good>All specs passed!)", "line"),
    ("cypress", "of ", r"^\s*✖ +(?P<f>\d+) of \d+ failed", ""),
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
    ("ruff", "Found ", r"^Found \d+ errors? \(\d+ fixed, (?P<f>\d+) remaining\)", "line"),
    ("ruff", "Found ", r"^Found (?P<f>\d+) errors?\.$", ""),
    ("ruff-format", "formatted", r"^(?P<f>\d+) files? would be reformatted", ""),
    ("ruff-format", "already formatted", r"^(?P<t>\d+) files? already formatted$", "line"),
    ("black", "would be", r"^(?P<f>\d+) files? would be reformatted|^(?P<t>\d+) files? would be left unchanged\.$",
     "line"),
    ("black", "failed to", r"^.*\b(?P<f>\d+) files? would fail to reformat", ""),
    ("isort", "Imports are", r"^ERROR: .* (?P<bad>Imports are incorrectly sorted)", ""),
    ("flake8", ": ", r"^\S+:\d+:\d+: (?P<bad>[A-Z]{1,3}\d{3,4}) ", ""),
    ("pylint", "rated at", r"^Your code has been rated at (?P<good>10\.00)/10", "line"),
    ("pre-commit", "....", r"^.*\.{3,}(?P<bad>Failed)$", ""),
    ("pre-commit", "....", r"^.*\.{3,}(?P<good>Passed)$", "all"),
    ("mypy", "Success:", r"^(?P<good>Success: no issues found) in (?P<t>\d+) ", "line"),
    ("mypy", "Found ", r"^Found (?P<f>\d+) errors? in \d+ ", ""),
    ("pyright", " errors, ", r"^(?P<z>0) errors, \d+ warnings?, ", "line"),
    ("pyright", " error", r"^(?P<f>[1-9]\d*) errors?, \d+ warnings?, ", ""),
    ("ty", "All checks", r"^(?P<good>All checks passed!)", "line"),
    ("ty", "Found ", r"^Found (?P<f>\d+) diagnostics?", ""),
    ("tsc", "error TS", r"^.*\b(?P<bad>error TS\d+):", ""),
    ("tsc", "Found ", r"^Found (?P<f>[1-9]\d*) errors?\b", ""),
    ("svelte-check", "svelte-check found", r"svelte-check found (?:(?P<z>0)|(?P<f>[1-9]\d*)) errors?", "line"),
    ("flow", "error", r"^(?:(?P<good>No errors!)|Found (?P<f>\d+) errors?)", "line"),
    ("phpstan", "[", r"^ *\[(?:(?P<good>OK\] No errors)|ERROR\] Found (?P<f>\d+) errors?)", "line"),
    ("psalm", "rror", r"^ *(?:(?P<good>No errors found!)|(?P<f>[1-9]\d*) errors? found)", "line"),
    ("eslint", "problem", r"^✖ \d+ problems? \((?P<f>[1-9]\d*) errors?, \d+ warnings?\)", ""),
    ("oxlint", "Found ", r"^Found \d+ warnings? and (?:(?P<z>0)|(?P<f>[1-9]\d*)) errors?\.", "line"),
    ("biome", "Found ", r"^Found (?P<f>\d+) errors?\.$", ""),
    ("golangci", " issues", r"^(?:(?P<z>0) issues\.$|(?P<f>[1-9]\d*) issues:)", "line"),
    ("rubocop", "inspected", r"^\d+ files? inspected, (?:(?P<z>no) offenses|(?P<f>\d+) offenses?) detected", "line"),
    ("shellcheck", "line ", r"^In .+ (?P<bad>line \d+):$", ""),
    ("markdownlint", "MD", r"^.*\S+:\d+.*\b(?P<bad>MD\d{3})/", ""),
    ("django", "System check", r"^System check identified (?:(?P<good>no issues)|(?P<f>[1-9]\d*) issues?)", "line"),
    ("prettier", "Prettier", r"^(?P<good>All matched files use Prettier code style!)", "line"),
    ("prettier", "Code style", r"^\[warn\] (?P<bad>Code style issues found)", ""),
    # -- builds ------------------------------------------------------------------------------------
    ("rustc", "error", r"^(?P<bad>error(?:\[E\d+\])?): ", ""),
    ("rustc", "Finished", r"^ +(?P<good>Finished) ", "end"),
    ("make", "***", r"^(?:g?make|mingw32-make)(?:\[\d+\])?: (?P<bad>\*\*\*) (?!.*\(ignored\))", ""),
    ("ninja", "ninja: ", r"^ninja: (?P<bad>build stopped|error)", ""),
    ("webpack", "compiled", r"^webpack [\d.]+ compiled (?:(?P<good>successfully)|with (?P<f>\d+) errors?)", "line"),
    ("vite", "built in", r"^✓ (?P<good>built in) ", "line"),
    ("cmake", "CMake Error", r"^(?P<bad>CMake Error)\b", ""),
    ("go-build", "# ", r"^(?P<bad># \S+)\n\S+\.go:\d+", ""),
)  # fmt: skip

KIND_READERS = {
    "test": (
        "pytest unittest tox nox jest vitest mocha node tap bats ava deno bun gotestsum go cargo nextest maven"
        " gradle dotnet rspec minitest phpunit pest ctest meson bazel prove busted playwright cypress jasmine karma"
        " swift xcodebuild dart zig behave robot sbt clojure forge ginkgo stestr elm-test cabal make"
    ),
    "lint": (
        "ruff flake8 eslint oxlint biome golangci rubocop shellcheck markdownlint pylint pre-commit ty"
        " dart-analyze make rustc"
    ),
    "types": "mypy pyright tsc svelte-check flow phpstan psalm make",
    "format": "ruff-format black isort prettier biome make",
    "build": "rustc make ninja webpack vite cmake dotnet-build gradle maven go-build tsc",
    "custom": "",
}
"""The readers for a goal or script that may run any program of its kind."""

_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9])")


def plain(output: str) -> str:
    """The text without colours, with each line as it stood at last."""
    text = output[-MOST_TEXT:]
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read(text: str, readers: Iterable[str]) -> list[Summary]:
    """Every summary of these readers, in the text's order; of two in one place only one counts."""
    found: dict[int, Summary] = {}
    wanted = dict.fromkeys(readers)
    for reader, needle, pattern, tells in _ROWS:
        if reader in wanted and needle in text:
            for match in _compiled(pattern).finditer(text):
                made = _made(match, tells)
                if made is not None and made.at not in found:
                    found[made.at] = made
    for reader, special in _SPECIAL.items():
        if reader in wanted:
            for made in special(text):
                found.setdefault(made.at, made)
    return sorted(found.values(), key=lambda one: one.at)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


_NAMES = {"p": "passed", "f": "failed", "e": "errors", "e2": "errors", "s": "skipped", "t": "total"}


def _made(match: re.Match[str], tells: str) -> Summary | None:
    groups = match.groupdict()
    counts: Counts = {}
    for group, name in _NAMES.items():
        if groups.get(group):
            counts[name] = counts.get(name, 0) + int(groups[group])
    is_bad = bool(groups.get("bad") or groups.get("bad2")) or "failed" in (
        groups.get("suites") or ""
    )
    if is_bad or counts.get("failed") or counts.get("errors"):
        return Summary(False, _complete(counts), match.start(), "")
    if not tells:
        return None
    counts = _complete(counts)
    ran = counts.get("passed", counts.get("total", 0) - counts.get("skipped", 0))
    is_known = bool(groups.get("good") or groups.get("z")) and not counts.get("total") == 0
    if is_known and not counts:
        return Summary(True, counts, match.start(), tells)
    return Summary(True if ran > 0 else None, counts, match.start(), tells)


def _complete(counts: Counts) -> Counts:
    """The passed ones, where only the total is said."""
    if "total" in counts and "passed" not in counts:
        rest = sum(counts.get(name, 0) for name in ("failed", "errors", "skipped"))
        counts["passed"] = max(counts["total"] - rest, 0)
    return counts


# -- those that say it in more than one place ------------------------------------------------------

_PYTEST_PART = r"\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|errors?|warnings?|rerun|subtests? \w+)"
_PYTEST = rf"^(?:=+ )?(?P<said>{_PYTEST_PART}(?:, {_PYTEST_PART})*|no tests ran) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$"
_PYTEST_STOPPED = r"^!+ (?:\S*KeyboardInterrupt|_pytest\.outcomes\.Exit.*) !+$"
_PYTEST_BELOW = (
    r"^(?:FAIL |ERROR: |Coverage failure: |Required test coverage of [\d.]+% not reached|"
    r"ERROR: Coverage failure).*$"
)


def _pytest(text: str) -> Iterator[Summary]:
    if " in " not in text and "short test summary" not in text:
        return
    is_stopped = "!!" in text and _compiled(_PYTEST_STOPPED).search(text)
    is_below = "overage" in text and re.search(
        r"(?m)^(?:FAIL |ERROR: )?(?:Required test coverage of [\d.]+% not reached|Coverage failure: )",
        text,
    )
    found = False
    for match in _compiled(_PYTEST).finditer(text):
        found = True
        counts: Counts = {}
        for number, name in re.findall(r"(\d+) (\w+)", match["said"]):
            name = {"error": "errors", "warning": "warnings"}.get(name, name)
            counts[name] = counts.get(name, 0) + int(number)
        if counts.get("failed") or counts.get("errors") or is_below:
            yield Summary(False, counts, match.start(), "")
        else:
            ran = sum(counts.get(name, 0) for name in ("passed", "xfailed", "xpassed"))
            yield Summary(True if ran and not is_stopped else None, counts, match.start(), "line")
    if not found and "short test summary" in text:
        told = _compiled(r"^=+ short test summary info =+\n(?:.*\n)*?(?:FAILED|ERROR) \S").search(
            text
        )
        if told:
            yield Summary(False, {}, told.start(), "")


def _cargo(text: str) -> Iterator[Summary]:
    """One line for each target, and an error at the end where one failed."""
    if "test result:" not in text and "error: " not in text:
        return
    counts: Counts = {}
    is_bad, at = False, -1
    pattern = r"^test result: (ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored;"
    for match in _compiled(pattern).finditer(text):
        for name, number in zip(("passed", "failed", "skipped"), match.groups()[1:], strict=True):
            counts[name] = counts.get(name, 0) + int(number)
        is_bad |= match[1] == "FAILED"
        at = match.start()
    error = _compiled(r"^error: (?:test failed|could not compile|\d+ targets? failed)").search(text)
    if error or is_bad:
        yield Summary(False, counts, max(at, error.start() if error else 0), "")
    elif counts:
        yield Summary(True if counts["passed"] else None, counts, at, "end")


def _go(text: str) -> Iterator[Summary]:
    """One line for each package, and with ``-v`` one for each test."""
    if not any(word in text for word in ("ok  ", "FAIL", "no test files")):
        return
    good = _compiled(r"^ok +\t?\S+\s+(?:[\d.]+s|\(cached\))(?!.*\[no tests to run\])").findall(text)
    bad = _compiled(r"^(?:FAIL\t\S+|--- FAIL: .*|FAIL$)").findall(text)
    packages = [one for one in bad if one.startswith("FAIL\t")]
    places = [m.start() for m in _compiled(r"^(?:ok  |FAIL|--- FAIL|\?   )").finditer(text)]
    if not places:
        return
    counts: Counts = {"packages": len(good) + len(packages)}
    tests = {
        word: len(_compiled(rf"^ *--- {word}: ").findall(text)) for word in ("PASS", "FAIL", "SKIP")
    }
    for word, name in (("PASS", "passed"), ("FAIL", "failed"), ("SKIP", "skipped")):
        if tests[word]:
            counts[name] = tests[word]
    if bad:
        yield Summary(
            False, {**counts, "failed": max(tests["FAIL"], len(packages))}, places[-1], ""
        )
    else:
        yield Summary(True if good else None, counts, places[-1], "all")


def _maven(text: str) -> Iterator[Summary]:
    if "BUILD " not in text and "Tests run:" not in text:
        return
    counts: Counts = {}
    line = r"^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)\s*$"
    at = -1
    for match in _compiled(line).finditer(text):
        at = match.start()
        for name, number in zip(
            ("total", "failed", "errors", "skipped"), match.groups(), strict=True
        ):
            counts[name] = counts.get(name, 0) + int(number)
    built = _compiled(r"^(?:\[\w+\] )?BUILD (SUCCESS|FAILURE)$").search(text)
    if counts.get("failed") or counts.get("errors") or (built and built[1] == "FAILURE"):
        yield Summary(False, _complete(counts), max(at, built.start() if built else 0), "")
    elif built:
        ran = _complete(counts).get("passed", 0)
        yield Summary(True if ran else None, counts, built.start(), "end")


def _biome(text: str) -> Iterator[Summary]:
    match = _compiled(r"^Checked \d+ files? in .*(?:No fixes applied|Fixed \d+ files?)\.").search(
        text
    )
    if match and "Found " not in text[match.end() :]:
        yield Summary(True, {}, match.start(), "end")


def _tap(text: str) -> Iterator[Summary]:
    """A plan and as many good results as it says."""
    if "1.." not in text:
        return
    plan = _compiled(r"^1\.\.(\d+)\s*$").search(text)
    good = _compiled(r"^ok \d+(?!.*# (?:SKIP|TODO|skip|todo))").findall(text)
    every = _compiled(r"^ok \d+").findall(text)
    if plan and "not ok" not in text and len(every) == int(plan[1]):
        yield Summary(True if good else None, {"passed": len(good)}, plan.start(), "all")


_SPECIAL: dict[str, Callable[[str], Iterator[Summary]]] = {
    "pytest": _pytest,
    "cargo": _cargo,
    "go": _go,
    "maven": _maven,
    "biome": _biome,
    "tap": _tap,
}
