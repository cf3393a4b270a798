"""Which commands judge the work (PR-4): the entry point, cheap for everyday commands.

Pure. A *check* is a command that judges the work: tests, linter, type checker, formatter, build. A text that
only names one is not a check. Owns the prefilter and the names it searches for, so that everyday commands
load neither the parser nor the table; a test compares the names with the table (``tools``).
"""

from __future__ import annotations

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.evidence.checks.model import Check


def checks_of(text: str, custom: Sequence[str] = ()) -> tuple[Check, ...]:
    """The checks of a command line, in its order; ``custom`` are the commands configured as checks."""
    if not may_judge(text, custom):
        return ()
    from operators_edge.evidence.checks import recognition  # noqa: PLC0415 - the parser and the table

    return recognition.checks_of(text, custom)


def may_judge(text: str, custom: Sequence[str] = ()) -> bool:
    """False for a text without any check; ``custom`` are the commands that the project configures as checks.

    Errs towards True: a False is a promise.
    """
    words = _NOT_A_NAME.split(text)
    return (
        not _JUDGES.isdisjoint(words)
        or (not _MAY_JUDGE.isdisjoint(words) and any(map(_may_be_argument, words)))
        or any(word.endswith(".py") and "test" in word for word in words)
        or any(_program_of(one) in text for one in custom)
    )


def _may_be_argument(word: str) -> bool:
    """Whether a program that also does other things might judge with this argument."""
    if word in _MAY_JUDGE:
        return False
    return word in _SHORT_ARGUMENTS or word.lstrip("-+_").startswith(_ARGUMENT_STEMS)


def _program_of(custom: str) -> str:
    """The part of a configured command that is in every text that runs it."""
    words = custom.split(maxsplit=1)
    return words[0].rsplit("/", 1)[-1] if words else "\0"


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_JUDGES = _names(
    """
    pytest py.test unittest nose2 nosetests stestr tox nox trial behave doctest ruff flake8 pylint
    pyflakes pycodestyle pydocstyle vulture bandit yamllint codespell djlint sqlfluff interrogate refurb
    semgrep deptry pre-commit mypy dmypy pyright basedpyright pyre pytype ty pyrefly black isort
    autopep8 docformatter yapf blue twine jest vitest mocha ava tap tape uvu zora pta borp qunit jasmine
    playwright cypress karma wtr web-test-runner testcafe wdio nightwatch newman eslint eslint_d xo
    standard oxlint tslint jshint biome stylelint markdownlint markdownlint-cli2 remark alex cspell
    htmlhint commitlint textlint knip depcheck madge publint attw spectral redocly sherif tsc vue-tsc
    tsgo svelte-check glint flow prettier dprint vite webpack next nuxt nuxi astro remix gatsby parcel
    docusaurus rollup esbuild tsup unbuild tsdown gotestsum gotest ginkgo golangci-lint staticcheck
    revive errcheck gosec govulncheck gocyclo nilaway gofmt gofumpt goimports gci cargo-nextest rustfmt
    ctest ninja samu make gmake mingw32-make bazel buck2 pants cppcheck clang-tidy cpplint shellcheck
    hadolint actionlint tflint ansible-lint luacheck selene checkov kubeconform kubeval vale proselint
    typos lychee zizmor dotenv-linter checkmake protolint swiftlint ktlint detekt scalafix tidy
    clang-format shfmt stylua buf mvn mvnw mvnd gradle gradlew sbt lein mill ant msbuild xcodebuild
    swift-format swiftformat rspec rake minitest cucumber cucumber-js rubocop standardrb brakeman reek erblint
    haml-lint slim-lint srb steep phpunit paratest pest codecept behat phpspec phpstan psalm phan phpcs
    phpmd php-cs-fixer pint rebar3 bats shellspec busted prove hlint elm-test molecule conftest treefmt
    earthly sphinx-build robot runtests.py run_tests.py tests.py
    """
)
"""Programs that do little else than judge work."""

_MAY_JUDGE = _names(
    """
    npm pnpm yarn bun deno node tsx go cargo dotnet swift mix rails manage.py django-admin hatch
    composer artisan php uv poetry pdm ng react-scripts vue-cli-service turbo lerna moon wireit nx cmake
    meson zig scala-cli gleam flutter dart stack cabal dune nimble crystal roc elm forge hardhat
    terraform tofu helm dbt opa nix docker podman docker-compose just task mage invoke inv doit gulp
    grunt poe taskipy melos devenv mkdocs hugo jekyll expo tauri svelte-kit nest vitepress storybook
    rsbuild rspack trunk coverage pixi devbox rye ruby
    """
)
"""Programs that judge with some of their arguments: one of the stems is in the same text."""

_ARGUMENT_STEMS = tuple(
    _names(
        """
        test check lint build verify vet clippy fmt format type tsc spec e2e compil validat analy
        nextest doc deny audit machete credo dialyzer style unit integration smoke bundle coveralls
        -l all bake parse lock runtest tarpaulin llvm miri udeps semver rustdoc zeitwerk sobelow
        breaking
        """
    )
)
_SHORT_ARGUMENTS = _names("t tst b c r -l insta")
_NOT_A_NAME = pattern(r"[^\w.+-]+|\.(?:exe|cmd|bat|phar)\b")

# end of module
