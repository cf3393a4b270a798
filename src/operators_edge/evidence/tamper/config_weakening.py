"""What configuration and suppressions no longer stop: CI, lint, types, coverage, hooks.

Owns the names of such files, and the comparison of their texts. A setting of a new file weakens nothing.
"""

from __future__ import annotations

import re
from collections import Counter

from operators_edge.evidence.tamper.model import SUPPRESSION, Finding
from operators_edge.text import patterns
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from operators_edge.evidence.tamper.model import Change

_CI = patterns.pattern(
    r"(?:^|/)(?:\.github/workflows/.+\.ya?ml|\.gitlab-ci\.ya?ml|\.gitlab/ci/.+\.ya?ml|azure-pipelines[^/]*\.ya?ml"
    r"|\.circleci/config\.ya?ml|Jenkinsfile[^/]*|\.travis\.ya?ml|bitbucket-pipelines\.ya?ml|\.drone\.ya?ml"
    r"|\.?appveyor\.ya?ml|\.buildkite/.+\.ya?ml|\.woodpecker/.+\.ya?ml|codecov\.ya?ml|\.codecov\.ya?ml)$"
)
_SCRIPT = patterns.pattern(
    r"(?:^|/)(?:GNUmakefile|[Mm]akefile|[Jj]ustfile|[Tt]askfile\.ya?ml|Rakefile|package\.json|composer\.json"
    r"|tox\.ini|noxfile\.py|[^/]*(?:tests?|ci|check|lint)[^/]*\.(?:sh|bash))$|(?:^|/)(?:ci|scripts)/[^/]+\.(?:sh|bash)$"
)
_HOOKS = patterns.pattern(
    r"(?:^|/)(?:\.husky/[^_/][^/]*|\.pre-commit-config\.ya?ml|\.?lefthook[^/]*\.(?:ya?ml|toml|json)"
    r"|\.githooks/[^/]+|\.git/hooks/[^/]+|\.overcommit\.yml)$"
)
_LINT = patterns.pattern(
    r"(?:^|/)(?:\.?ruff\.toml|pyproject\.toml|setup\.cfg|tox\.ini|\.flake8|\.?mypy\.ini|\.?pylintrc|\.bandit|pytest\.ini"
    r"|pyrightconfig\.json|tsconfig[^/]*\.json|\.eslintrc[^/]*|eslint\.config\.\w+|biome\.jsonc?|\.oxlintrc\.json|tslint\.json"
    r"|\.golangci\.(?:ya?ml|toml)|clippy\.toml|Cargo\.toml|\.rubocop[^/]*\.yml|phpstan[^/]*\.neon(?:\.dist)?|psalm\.xml"
    r"|detekt[^/]*\.yml|\.credo\.exs|analysis_options\.yaml|\.editorconfig|\.coveragerc|\.nycrc[^/]*|jest\.config\.\w+"
    r"|vite(?:st)?\.config\.\w+|package\.json|phpunit[^/]*\.xml(?:\.dist)?|pom\.xml|build\.gradle(?:\.kts)?|\.simplecov"
    r"|spec_helper\.rb|test_helper\.rb|sonar-project\.properties|stylelint[^/]*|\.stylelintrc[^/]*)$"
)
_OWN = patterns.pattern(r"(?:^|/)(?:edge\.toml|\.claude/settings(?:\.local)?\.json)$")

_CHECKS = patterns.pattern(
    r"(?<![\w./-])(?:"
    r"(?:npm|pnpm|yarn|bun)\s+(?:run\s+|-s\s+)*(?:test|lint|type-?check|check|coverage)[\w:-]*"
    r"|cargo\s+(?:nextest|test|clippy|fmt)|go\s+(?:test|vet)|dotnet\s+test|mix\s+(?:test|credo|format)"
    r"|node\s+(?:--[\w=./-]+\s+)*--test|deno\s+(?:test|lint|check)"
    r"|(?:swift|flutter|dart|bazel|buck2|zig|meson|sbt|rake|gleam|elixir|stack|cabal|dune|moon|nx)\s+test"
    r"|bats|karma|jasmine|busted|nose2|gotestsum|ginkgo|stylelint|oxlint|basedpyright|deptry"
    r"|make\s+(?:test|check|lint)[\w-]*|(?:mvnw?|gradlew?)\b[^\n]*\b(?:test|verify|check)\b"
    r"|pytest|tox|nox|jest|vitest|mocha|playwright\s+test|cypress\s+run|ruff|flake8|pylint|mypy|pyright|bandit|black"
    r"|eslint|prettier|tsc|biome|golangci-lint|staticcheck|rubocop|rspec|phpunit|phpstan|ctest|shellcheck|hadolint"
    r"|unittest|pre-commit|codecov|semgrep|trivy|codeql\w*)(?![\w-]*[./:=]|\s*[:=]|\w)"
)
_INSTALLING = patterns.pattern(
    r"\b(?:pip3?|uv|npm|pnpm|yarn|apt(?:-get)?|brew|gem|go|cargo|poetry)\s+(?:-\w+\s+)*(?:pip\s+)?(?:install|add|i|ci|get|sync)\b|^\s*#"
)
_IGNORED = patterns.pattern(
    r"\|\|\s*(?:true\b|:(?:\s|$|\"|')|exit 0|echo\b)|;\s*(?:true|exit 0)\s*[\"']?,?$"
)
_LENIENT_CI = patterns.pattern(
    r"^-?\s*(?:continue-on-error:\s*true|continueOnError:\s*true|allow_failure:\s*true|if:\s*(?:\$\{\{\s*)?false\b)"
)
_LEFT_OUT = patterns.pattern(
    r"--deselect\b|-k\s+['\"\\]*not\b|--passWithNoTests|-DskipTests|-Dmaven\.test\.skip|--testPathIgnorePatterns"
    r"|\s-x\s+test\b|--exclude-group|(?:pytest|addopts)\b.*--ignore(?:-glob)?\b"
)
_NO_VERIFY = patterns.pattern(r"--no-verify\b|core\.hooksPath[= ]+/dev/null|--exit-zero\b")
_THRESHOLD = patterns.pattern(
    r"(?i)\b(fail_under|cov-fail-under|fail-under|minimum_coverage|coverage_threshold|minBound|branches|functions|lines"
    r"|statements|threshold|target|minimum)\b[\"']?\s*[>(:=\s]\s*[\"']?(\d+(?:\.\d+)?)"
)
_OWN_THRESHOLD = frozenset(
    {"fail_under", "cov-fail-under", "fail-under", "minimum_coverage", "coverage_threshold"}
)
_ABOUT_COVERAGE = patterns.pattern(r"(?i)coverage|codecov|nyc|jacoco|kover|threshold")
_LOOSE = patterns.pattern(
    r"[\"']?\b(strict|noImplicitAny|strictNullChecks|strictFunctionTypes|noUncheckedIndexedAccess|noUnusedLocals|noImplicitReturns"
    r"|alwaysStrict|disallow_\w+|check_untyped_defs|warn_return_any|warn_unreachable|strict_equality|Enabled|check-coverage"
    r"|failOnViolation|failOnWarning|warningsAsErrors|TreatWarningsAsErrors)\b[\"']?\s*[:=>]\s*[\"']?(?:false|False|off)\b"
    r"|[\"']?\b(ignore_errors|ignoreFailures|testFailureIgnore|skipTests|follow_imports_for_stubs)\b[\"']?\s*[:=>]\s*(?:true|True)\b"
)
_STRICT = patterns.pattern(
    r"[\"']?\b(strict|noImplicitAny|strictNullChecks|disallow_untyped_defs|check_untyped_defs"
    r"|warnings_as_errors|filterwarnings)\b"
    r"[\"']?\s*[:=]\s*(?:true\b|True\b|\[?\s*[\"']error)"
    r"|(--strict|-Werror|--max-warnings[ =]0|-D\s*warnings)(?![\w-])"
)
_LINT_OFF = patterns.pattern(
    r"(?<![@\w/-])([@\w/-]+)[\"']?\s*:\s*\[?\s*(?:[\"'](?:off|allow|ignore)[\"']|0\b)"
)
_CODE_LIST = patterns.pattern(
    r"(?m)^[ \t]*[\"']?(extend[-_]ignore|ignore|disable|extend-select|select|enable)[\"']?\s*[:=]\s*"
    r"(\[[^\]]*\]|[^\n]*(?:\n(?:[ \t]+-?[ \t]*)[\w.,/ -]+$)*)"
)
_CODE = patterns.pattern(r"[\w-]*[A-Za-z][\w-]*\d*")
_MODE = patterns.pattern(r"\btypeCheckingMode\b[\"']?\s*[:=]\s*[\"'](off|basic|standard|strict)\b")
_SCALES: tuple[tuple[str, re.Pattern[str], Callable[[str], int]], ...] = (
    ("typeCheckingMode", _MODE, ("off", "basic", "standard", "strict").index),
    ("level", patterns.pattern(r"(?m)^[ \t]*level:\s*(\d+)"), int),
)
_HOOK_ID = patterns.pattern(r"(?m)^[ \t]*-[ \t]*id:[ \t]*([\w.-]+)")

_SUPPRESSIONS: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    ("# noqa for a whole file", "normal", patterns.pattern(r"#\s*(?:flake8|ruff):\s*noqa\b")),
    ("blanket # noqa", "normal", patterns.pattern(r"#\s*noqa\b(?!\s*:?\s*[A-Z]+\d|-)")),
    ("# noqa", "low", patterns.pattern(r"#\s*noqa\s*:?\s*[A-Z]+\d")),
    ("blanket # type: ignore", "normal", patterns.pattern(r"#\s*type:\s*ignore\b(?!\[)")),
    ("# type: ignore", "low", patterns.pattern(r"#\s*type:\s*ignore\[")),
    ("# mypy: ignore-errors", "normal", patterns.pattern(r"#\s*mypy:\s*ignore-errors")),
    ("pylint: skip-file", "normal", patterns.pattern(r"#\s*pylint:\s*skip-file")),
    ("pylint: disable", "low", patterns.pattern(r"#\s*pylint:\s*disable")),
    ("pragma: no cover", "low", patterns.pattern(r"#\s*pragma:\s*no cover")),
    ("eslint-disable for a whole file", "normal", patterns.pattern(r"/\*\s*eslint-disable\b(?!-)")),
    ("blanket eslint-disable", "normal", patterns.pattern(r"(?m)eslint-disable-(?:next-)?line\s*(?:\*/|$)")),
    ("eslint-disable", "low", patterns.pattern(r"eslint-disable-(?:next-)?line[ \t]+\S*\w")),
    ("@ts-nocheck", "normal", patterns.pattern(r"@ts-nocheck")),
    ("@ts-ignore", "normal", patterns.pattern(r"@ts-ignore")),
    ("blanket nolint", "normal", patterns.pattern(r"//\s*nolint\b(?!:)")),
    ("nolint", "low", patterns.pattern(r"//\s*nolint:")),
    ("rubocop:disable", "low", patterns.pattern(r"rubocop:disable")),
    ("istanbul ignore", "low", patterns.pattern(r"(?:istanbul|c8|v8) ignore")),
    ("#![allow]", "low", patterns.pattern(r"#!?\[allow\(")),
    ("@phpstan-ignore", "low", patterns.pattern(r"@phpstan-ignore")),
    ("biome-ignore", "low", patterns.pattern(r"biome-ignore")),
)  # fmt: skip
_NO_CODE = patterns.pattern(r"\.(?:md|rst|txt|adoc|json|ya?ml|toml|lock|svg|csv|html?)$")


class _Text(NamedTuple):
    """A changed file: its path, its texts, and the lines that were added and removed."""

    path: str
    before: str
    after: str
    added: list[str]
    removed: list[str]
    elsewhere: str
    lost_elsewhere: str


def of_change(change: Change, elsewhere: str, lost_elsewhere: str) -> Iterator[Finding]:
    """What the change weakens, given the lines that other files gained and lost with it."""
    given = _text(change, elsewhere, lost_elsewhere)
    for pattern, look in _LOOKS:
        if pattern.search(change.path):
            yield from look(given)
    if not _NO_CODE.search(change.path) and SUPPRESSION.search(given.after):
        yield from _suppressed(given)


def _text(change: Change, elsewhere: str, lost_elsewhere: str) -> _Text:
    before, after = change.before or "", change.after or ""
    one, two = (Counter(map(str.strip, text.split("\n"))) for text in (before, after))
    added, removed = list((two - one).elements()), list((one - two).elements())
    lines = (list(filter(None, added)), list(filter(None, removed)))
    return _Text(change.path, before, after, *lines, elsewhere, lost_elsewhere)


def _finding(kind: str, given: _Text, name: str, detail: str, *, is_low: bool = False) -> Finding:
    return Finding(kind, given.path, name, detail, "low" if is_low else "normal")


# -- what runs the checks --------------------------------------------------------------------------


def _checks(lines: list[str]) -> set[str]:
    return {
        " ".join(found.split())
        for line in lines
        if not _INSTALLING.search(line)
        for found in _CHECKS.findall(line)
    }


def _of_ci(given: _Text) -> Iterator[Finding]:
    yield from _of_runs(given)
    for line in given.added:
        if _LENIENT_CI.match(line) and line not in given.elsewhere:
            yield _finding("failure_ignored", given, line.lstrip("- "), "")
    for event in ("pull_request", "push"):
        pattern = re.compile(rf"^\s*(?:on:.*\b|-\s*)?{event}\b", re.MULTILINE)
        if pattern.search(given.before) and given.after and not pattern.search(given.after):
            yield _finding(
                "check_removed", given, event, "no longer run on it", is_low=event == "push"
            )


def _of_runs(given: _Text) -> Iterator[Finding]:
    """Scripts and CI: a check that no longer runs, or whose failure no longer counts."""
    before, after = _checks(given.before.split("\n")), _checks(given.after.split("\n"))
    now_elsewhere = _checks(given.elsewhere.split("\n"))
    for gone in sorted(before - after - now_elsewhere):
        is_replaced = bool((after - before) or (now_elsewhere and not given.after))
        detail = "something else runs in its place" if is_replaced else "no longer run"
        yield _finding("check_removed", given, gone, detail, is_low=is_replaced)
    for line in given.added:
        yield from _of_added(line, given, has_kept=bool(before & after))


def _of_added(line: str, given: _Text, *, has_kept: bool) -> Iterator[Finding]:
    """A line that was not there before; ``has_kept``: the text runs a check, now as before."""
    checks = _checks([line])
    ignores = _IGNORED.search(line)
    was_ignored = ignores and any(
        _IGNORED.search(old) and checks & _checks([old]) for old in given.removed
    )
    if checks and ignores and not was_ignored:
        yield _finding("failure_ignored", given, min(checks), ignores[0].strip())
    left_out = _LEFT_OUT.search(line)
    is_of_tests = checks or _checks(given.removed) or "addopts" in line
    if left_out and is_of_tests and not _has(_LEFT_OUT, given.removed):
        yield _finding("tests_deselected", given, left_out[0].strip(), "")
    skips = _NO_VERIFY.search(line)
    if skips and not _has(_NO_VERIFY, given.removed):
        yield _finding("hooks_skipped", given, skips[0].strip(), "")
    if line == "set +e" and has_kept:
        yield _finding("failure_ignored", given, line, "")


def _has(pattern: re.Pattern[str], lines: list[str]) -> bool:
    return any(pattern.search(line) for line in lines)


def _of_hooks(given: _Text) -> Iterator[Finding]:
    if "pre-commit-config" in given.path:
        texts = (given.before, given.after, given.elsewhere)
        before, after, elsewhere = (set(_HOOK_ID.findall(text)) for text in texts)
        for name in sorted(before - after - elsewhere):
            yield _finding("hooks_removed", given, name, "", is_low=not after <= before)
        return
    lines = [line for line in given.removed if not line.startswith(("#", "."))]
    if given.after or not lines:
        yield from _of_hook_script(given, lines)
    elif not any(line in given.elsewhere for line in lines):
        yield _finding("hooks_removed", given, "", "the file is gone")


def _of_hook_script(given: _Text, lost: list[str]) -> Iterator[Finding]:
    if not lost and "exit 0" in given.added:
        yield _finding("hooks_removed", given, "exit 0", "nothing behind it is run")
    if lost and all(line.startswith(("#", "exit 0")) for line in given.added):
        yield _finding("hooks_removed", given, lost[0], "")


# -- how strict the checks are ---------------------------------------------------------------------


def _of_lint(given: _Text) -> Iterator[Finding]:
    if not given.after:
        return
    yield from _thresholds(given)
    yield from _switches(given)
    yield from _lists(given)
    for name, pattern, rank in _SCALES:
        old, new = pattern.search(given.before), pattern.search(given.after)
        if old and new and rank(new[1]) < rank(old[1]):
            yield _finding("checks_loosened", given, name, f"{old[1]} → {new[1]}")


def _thresholds(given: _Text) -> Iterator[Finding]:
    if not given.after:
        return
    after = _numbers(given.after)
    for name, values in _numbers(given.before).items():
        now = after.get(name, [])
        lowered = [pair for pair in zip(values, now, strict=False) if pair[1] < pair[0]]
        if not now and name in _OWN_THRESHOLD and name not in given.elsewhere:
            yield _finding("coverage_lowered", given, name, f"{values[0]:g} → none")
        elif lowered and len(now) == len(values):
            yield _finding("coverage_lowered", given, name, "{:g} → {:g}".format(*lowered[0]))


def _numbers(text: str) -> dict[str, list[float]]:
    is_about = _ABOUT_COVERAGE.search(text)
    found: dict[str, list[float]] = {}
    for name, number in _THRESHOLD.findall(text):
        if is_about or name.lower() in _OWN_THRESHOLD:
            found.setdefault(name, []).append(float(number))
    return found


def _switches(given: _Text) -> Iterator[Finding]:
    loose = _named(_LOOSE, given.after) - _named(_LOOSE, given.before)
    for name in loose:
        yield _finding("checks_loosened", given, name, "")
    now_strict = _named(_STRICT, given.after)
    for name in _named(_STRICT, given.before) - now_strict:
        is_wider = name != "strict" and "strict" in now_strict
        if not is_wider and not any(
            name in text for text in (*loose, given.elsewhere, given.after)
        ):
            yield _finding("checks_loosened", given, name, "removed")
    off = set(_LINT_OFF.findall(given.after)) - set(_LINT_OFF.findall(given.before))
    if off and re.search("eslint|biome|oxlint|tslint|stylelint|analysis_options", given.path):
        yield _finding("checks_loosened", given, "rules", f"{', '.join(sorted(off))} off")


def _named(pattern: re.Pattern[str], text: str) -> Counter[str]:
    return Counter(next(filter(None, match.groups())) for match in pattern.finditer(text))


def _lists(given: _Text) -> Iterator[Finding]:
    if not re.search(r"ruff|pyproject|flake8|setup\.cfg|tox\.ini|pylintrc|golangci", given.path):
        return
    before, after = _codes(given.before), _codes(given.after)
    more = sorted(after["ignore"] - before["ignore"])
    if more and any(before.values()):
        yield _finding("checks_loosened", given, "ignore", f"{', '.join(more)} added")
    fewer = sorted(before["select"] - after["select"] - {"ALL"})
    if fewer and after["select"] and "ALL" not in after["select"]:
        yield _finding("checks_loosened", given, "select", f"{', '.join(fewer)} removed")


def _codes(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {"ignore": set(), "select": set()}
    for name, values in _CODE_LIST.findall(text):
        bare = re.sub(r"#[^\n]*", "", values)
        kind = "ignore" if re.search("ignore|disable", name) else "select"
        found[kind].update(_CODE.findall(bare))
    return found


def _suppressed(given: _Text) -> Iterator[Finding]:
    for label, severity, pattern in _SUPPRESSIONS:
        more = len(pattern.findall(given.after)) - len(pattern.findall(given.before))
        more -= len(pattern.findall(given.lost_elsewhere))  # moved along with its code
        if more > 0:
            detail = f"{more} more" if more > 1 else "added"
            yield _finding("checks_suppressed", given, label, detail, is_low=severity == "low")


# -- the product's own -----------------------------------------------------------------------------


def _of_own(given: _Text) -> Iterator[Finding]:
    hook = re.compile(r"operators[-_]edge")
    if len(hook.findall(given.after)) < len(hook.findall(given.before)):
        yield _finding("guard_loosened", given, "hooks", "fewer than before")
    for name in ("disableAllHooks", "disableHooks"):
        switch = re.compile(rf'"{name}"\s*:\s*true')
        if switch.search(given.after) and not switch.search(given.before):
            yield _finding("guard_loosened", given, name, "")
    strict = re.compile(r"(?m)^\s*profile\s*=\s*[\"']strict")
    if (
        given.path.endswith("edge.toml")
        and strict.search(given.before)
        and not strict.search(given.after)
    ):
        yield _finding("guard_loosened", given, "profile", "no longer strict")


_LOOKS: tuple[tuple[re.Pattern[str], Callable[[_Text], Iterator[Finding]]], ...] = (
    (_CI, _of_ci),
    (_SCRIPT, _of_runs),
    (_HOOKS, _of_hooks),
    (_LINT, _of_lint),
    (_CI, _thresholds),
    (_OWN, _of_own),
)

# end of module
