"""What a target of a build file, or a script of a package, does: read from its name.

Owns the names. Does not own how a command names a target (``evidence.checks.programs``).
"""

from __future__ import annotations

from operators_edge.text.patterns import pattern


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SPLIT = pattern(r"[:_\-./+]+|(?<=[a-z])(?=[A-Z])")
_TEST = _names(
    """
    test tests tst spec specs e2e unit unittest unittests integration jest vitest pytest mocha cypress
    playwright smoke acceptance testall testacc testrace testunit regression rspec phpunit ctest runtest
    runtests testonly testquick bats tox functional
    """
)
_TYPES = _names("types type typecheck typechecks typing tsc mypy pyright typescript dialyzer")
_LINT = _names(
    """
    lint lints linter linting eslint flake8 ruff pylint clippy stylelint rubocop checkstyle style
    analyze analyse analysis shellcheck vet golangci ktlint detekt spotbugs pmd credo phpcs oxlint xo
    """
)
_FORMAT = _names("format fmt prettier formatting black scalafmt spotless gofmt isort rustfmt")
_BUILD = _names("build compile bundle all assemble jar classes buildall rebuild")
_JUDGING = _names("check checks verify ci lint test diff")
_NOT = _names(
    """
    watch ui open debug dev serve server data setup prepare clean install fixtures fixture generate gen
    seed report reports env deps dep start stop up down list help init reset files publish deploy shell
    db migrate cache container image images helper helpers util utils results log logs docs doc pretest
    posttest show print edit interactive codegen browser browsers cleanup teardown console repl scaffold
    skip skipped stubs mocks inspect requirements push upload download login runner kill config
    """
)
_REWRITING = _names("update accept bless approve record overwrite")
_FIXING = _names("fix write apply")
# As a build target `check` runs the tests; as a script of these it may do anything.
_CHECK_TESTS = frozenset(
    {"npm", "pnpm", "yarn", "bun", "deno", "turbo", "nx", "lerna", "moon", "composer"}
)


def kind_of_target(target: str, *, runs: str) -> tuple[str, bool]:
    """The kind of check, "" for none; and whether it accepts its own results.

    ``runs``: the program whose target or script it is.
    """
    parts = [part.lower() for part in _SPLIT.split(target) if part]
    words = set(parts)
    if (
        runs in ("mvn", "mvnw", "mvnd", "sbt", "xcodebuild", "gradle", "gradlew")
        and target in _KNOWN
    ):
        return _KNOWN[target], False
    if not parts or words & _NOT:
        return "", False
    rewrites = bool(words & _REWRITING)
    if words & _FORMAT:
        is_judging = bool(words & _JUDGING) or target == "spotlessCheck"
        return ("format", False) if is_judging and not words & _FIXING else ("", False)
    if words & _TYPES and (words - _TYPES <= _JUDGING | {"all", "build"}):
        return "types", False
    if words & _LINT:
        return "lint", False
    if parts[0] in _BUILD:
        return "build", False
    if words & _TEST:
        return ("", False) if words & {"build", "compile"} else ("test", rewrites)
    if parts[0] == "check":
        return ("lint" if runs in _CHECK_TESTS else "test"), False
    if parts[-1] == "build":
        return "build", False
    return "", False


_KNOWN = {
    "verify": "test",
    "integration-test": "test",
    "surefire:test": "test",
    "failsafe:verify": "test",
    "failsafe:integration-test": "test",
    "package": "build",
    "install": "build",
    "test-compile": "build",
    "connectedCheck": "test",
    "connectedAndroidTest": "test",
    "testOnly": "test",
    "testQuick": "test",
    "it:test": "test",
    "+test": "test",
    "test-without-building": "test",
    "build-for-testing": "build",
    "testClasses": "build",
    "scalafmtCheck": "format",
    "scalafmtCheckAll": "format",
}

# end of module
