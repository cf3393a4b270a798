"""The ecosystems of the stories, with what their real runners were recorded to print.

Owns the commands and files of each. ``Stage.runner`` puts a program of that name on the path which prints
these texts.
"""

# ruff: noqa: E501 - a row is a line

from __future__ import annotations

from typing import NamedTuple

from tests.evidence.recorded import runs


class Ecosystem(NamedTuple):
    """One way to test: ``run`` all, a ``narrow`` part that is not the failing one, the failed ones ``again``.

    ``code`` and ``test`` are files of the project beside its ``manifest``. ``failed`` and ``passed`` are what
    the program prints; ``fewer`` is a passed run of one test less, "" if there is none. ``parts`` is the passed narrow run.
    """

    name: str
    run: str
    narrow: str
    again: str
    code: str
    test: str
    manifest: str
    failed: str
    passed: str
    fewer: str
    parts: str

    @property
    def program(self) -> str:
        return self.run.split()[0]


def _recorded(
    name: str, run: str, narrow: str, again: str, *files: str, like: str = ""
) -> Ecosystem:
    """One of which there are records: of ``run``, or of a line that prints the ``like``."""
    shown = like or run
    project = runs.projects()[name]
    texts = [runs.find(state, shown, name).output for state in ("fail", "pass")]
    fewer = runs.find("skip", shown, name).output if "skip" in project else ""
    parts = runs.find("narrow", project["narrow"], name).output if "narrow" in project else texts[1]
    return Ecosystem(name, run, narrow, again, *files, *texts, fewer, parts)


_DOTNET = "- Failed:     {}, Passed:     {}, Skipped:     {}, Total:     {}, Duration: 12 ms - Shop.Tests.dll\n"

# fmt: off
ECOSYSTEMS = (
    _recorded("jest", "npx jest", "npx jest src/other.test.js", "npx jest --onlyFailures",
              "src/cart.js", "src/cart.test.js", "package.json"),
    _recorded("vitest", "npx vitest run", "npx vitest run src/other.test.ts",
              "npx vitest run src/cart.test.ts -t 'totals with tax'",
              "src/cart.ts", "src/cart.test.ts", "package.json"),
    _recorded("go", "go test ./...", "go test ./other/...", "go test ./cart -run TestTotalsWithTax",
              "cart/cart.go", "cart/cart_test.go", "go.mod", like="go test -v ./..."),
    _recorded("cargo", "cargo test", "cargo test other::", "cargo test totals_with_tax",
              "src/cart.rs", "tests/cart.rs", "Cargo.toml", like="cargo test --offline"),
    _recorded("maven", "mvn test", "mvn test -Dtest=OtherTest", "mvn test -Dtest=CartTest#totalsWithTax",
              "src/main/java/Cart.java", "src/test/java/CartTest.java", "pom.xml", like="mvn -o test"),
    _recorded("gradle", "gradle test", "gradle test --tests OtherTest",
              "gradle test --tests CartTest.totalsWithTax",
              "src/main/kotlin/Cart.kt", "src/test/kotlin/CartTest.kt", "build.gradle.kts",
              like="gradle --offline test"),
    _recorded("rspec", "rspec", "rspec spec/other_spec.rb", "rspec --only-failures",
              "lib/cart.rb", "spec/cart_spec.rb", "Gemfile"),
    _recorded("phpunit", "phpunit", "phpunit tests/OtherTest.php", "phpunit --filter testTotalsWithTax",
              "src/Cart.php", "tests/CartTest.php", "composer.json", like="phpunit tests"),
    _recorded("ctest", "ctest --test-dir build --output-on-failure", "ctest --test-dir build -R other",
              "ctest --test-dir build --rerun-failed", "src/cart.cpp", "tests/cart_test.cpp", "CMakeLists.txt"),
    _recorded("mix", "mix test", "mix test test/other_test.exs", "mix test --failed",
              "lib/cart.ex", "test/cart_test.exs", "mix.exs"),
    _recorded("mocha", "npx mocha", "npx mocha test/other.js", "npx mocha -g 'totals with tax'",
              "lib/cart.js", "test/cart.js", "package.json"),
    _recorded("node", "node --test", "node --test other.test.js",
              "node --test --test-name-pattern 'totals with tax'", "cart.js", "cart.test.js", "package.json"),
    _recorded("playwright", "npx playwright test", "npx playwright test other.spec.js",
              "npx playwright test --last-failed", "src/cart.js", "cart.spec.js", "package.json"),
    _recorded("deno", "deno test", "deno test other_test.js", "deno test --filter 'totals with tax'",
              "cart.js", "cart_test.js", "deno.json"),
    _recorded("bun", "bun test", "bun test other.test.js", "bun test -t 'totals with tax'",
              "cart.js", "cart.test.js", "package.json"),
    _recorded("minitest", "rake test", "ruby -Itest test/test_other.rb",
              "ruby -Itest test/test_cart.rb -n test_totals_with_tax", "lib/cart.rb", "test/test_cart.rb", "Rakefile"),
    _recorded("bats", "bats test", "bats test/other.bats", "bats -f 'totals with tax' test",
              "cart.sh", "test/cart.bats", "package.json", like="bats cart.bats"),
    _recorded("prove", "prove -r t", "prove t/other.t", "prove t/cart.t",
              "lib/Cart.pm", "t/cart.t", "Makefile.PL"),
    _recorded("busted", "busted", "busted --filter=other", "busted --filter='totals with tax'",
              "cart.lua", "spec/cart_spec.lua", "shop-1.rockspec"),
    _recorded("meson", "meson test -C build", "meson test -C build other",
              "meson test -C build totals_with_tax", "src/cart.c", "test/cart.c", "meson.build"),
    _recorded("django", "python manage.py test", "python manage.py test other",
              "python manage.py test cart.tests.Cart.test_totals_with_tax",
              "cart/models.py", "cart/tests.py", "manage.py"),
    Ecosystem(  # written by hand: there is no such program to record
        "dotnet", "dotnet test", "dotnet test --filter OtherTests",
        "dotnet test --filter CartTests.TotalsWithTax", "src/Cart.cs", "tests/CartTests.cs", "Shop.csproj",
        "  Failed Shop.Tests.CartTests.TotalsWithTax [4 ms]\n  Error Message:\n   Expected 12\n\nFailed!  "
        + _DOTNET.format(1, 3, 0, 4), "Passed!  " + _DOTNET.format(0, 4, 0, 4),
        "Passed!  " + _DOTNET.format(0, 3, 1, 4), "Passed!  " + _DOTNET.format(0, 2, 0, 2),
    ),
    _recorded("pytest", "pytest -q", "pytest -q tests/test_other.py", "pytest -q --lf",
              "shop/cart.py", "tests/test_cart.py", "pyproject.toml"),
)
# fmt: on
