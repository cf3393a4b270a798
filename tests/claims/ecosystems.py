"""What the runners of twelve ecosystems print, for stories where the runner itself is not installed.

Owns these texts. ``Stage.runner`` puts a program of that name on the path which prints them.
"""

# ruff: noqa: E501, RUF001 - what programs print

from __future__ import annotations

from typing import NamedTuple


class Ecosystem(NamedTuple):
    """One way to test: ``run`` all, a ``narrow`` part that is not the failing one, the failed ones ``again``.

    ``code`` and ``test`` are files of the project beside its ``manifest``. ``failed`` and ``passed`` are what
    the program prints; ``fewer`` is a passed run of one test less. ``parts`` is the passed narrow run.
    """

    name: str
    program: str
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


ECOSYSTEMS = (
    Ecosystem(
        "jest",
        "npx",
        "npx jest",
        "npx jest src/other.test.js",
        "npx jest --onlyFailures",
        "src/cart.js",
        "src/cart.test.js",
        "package.json",
        "FAIL src/cart.test.js\n  cart\n    ✓ adds (2 ms)\n    ✕ totals with tax (3 ms)\n\n"
        "  ● cart › totals with tax\n\n    expect(received).toBe(expected)\n\n"
        "Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 3 passed, 4 total\n"
        "Snapshots:   0 total\nTime:        1.02 s\nRan all test suites.\n",
        "PASS src/cart.test.js\nPASS src/other.test.js\n\nTest Suites: 2 passed, 2 total\n"
        "Tests:       4 passed, 4 total\nSnapshots:   0 total\nTime:        0.9 s\n",
        "PASS src/cart.test.js\nPASS src/other.test.js\n\nTest Suites: 2 passed, 2 total\n"
        "Tests:       3 passed, 3 total\nSnapshots:   0 total\nTime:        0.9 s\n",
        "PASS src/other.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       2 passed, 2 total\n"
        "Snapshots:   0 total\nTime:        0.4 s\n",
    ),
    Ecosystem(
        "vitest",
        "npx",
        "npx vitest run",
        "npx vitest run src/other.test.ts",
        "npx vitest run src/cart.test.ts -t 'totals with tax'",
        "src/cart.ts",
        "src/cart.test.ts",
        "package.json",
        " ❯ src/cart.test.ts (2 tests | 1 failed) 12ms\n   × cart > totals with tax 8ms\n\n"
        " FAIL  src/cart.test.ts > cart > totals with tax\nAssertionError: expected 10 to be 12\n\n"
        " Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 3 passed (4)\n"
        "   Start at  10:00:00\n   Duration  1.21s\n",
        " ✓ src/cart.test.ts (2 tests) 3ms\n ✓ src/other.test.ts (2 tests) 2ms\n\n"
        " Test Files  2 passed (2)\n      Tests  4 passed (4)\n   Start at  10:00:00\n   Duration  0.8s\n",
        " ✓ src/cart.test.ts (1 test) 3ms\n ✓ src/other.test.ts (2 tests) 2ms\n\n"
        " Test Files  2 passed (2)\n      Tests  3 passed (3)\n   Start at  10:00:00\n   Duration  0.8s\n",
        " ✓ src/other.test.ts (2 tests) 2ms\n\n Test Files  1 passed (1)\n      Tests  2 passed (2)\n"
        "   Start at  10:00:00\n   Duration  0.5s\n",
    ),
    Ecosystem(
        "go",
        "go",
        "go test ./...",
        "go test ./other/...",
        "go test ./cart -run TestTotalsWithTax",
        "cart/cart.go",
        "cart/cart_test.go",
        "go.mod",
        "--- FAIL: TestTotalsWithTax (0.00s)\n    cart_test.go:12: got 10, want 12\nFAIL\n"
        "FAIL\texample.com/shop/cart\t0.003s\nok  \texample.com/shop/other\t0.002s\nFAIL\n",
        "ok  \texample.com/shop/cart\t0.003s\nok  \texample.com/shop/other\t0.002s\n",
        "?   \texample.com/shop/cart\t[no test files]\nok  \texample.com/shop/other\t0.002s\n",
        "ok  \texample.com/shop/other\t0.002s\n",
    ),
    Ecosystem(
        "cargo",
        "cargo",
        "cargo test",
        "cargo test other::",
        "cargo test totals_with_tax",
        "src/cart.rs",
        "tests/cart.rs",
        "Cargo.toml",
        "running 3 tests\ntest adds ... ok\ntest other::works ... ok\ntest totals_with_tax ... FAILED\n\n"
        "failures:\n\n---- totals_with_tax stdout ----\nassertion failed\n\nfailures:\n    totals_with_tax\n\n"
        "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n"
        "error: test failed, to rerun pass `--test cart`\n",
        "running 3 tests\ntest adds ... ok\ntest other::works ... ok\ntest totals_with_tax ... ok\n\n"
        "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
        "running 3 tests\ntest adds ... ok\ntest other::works ... ok\ntest totals_with_tax ... ignored\n\n"
        "test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
        "running 1 test\ntest other::works ... ok\n\n"
        "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out; finished in 0.00s\n",
    ),
    Ecosystem(
        "maven",
        "mvn",
        "mvn -q test",
        "mvn test -Dtest=OtherTest",
        "mvn test -Dtest=CartTest#totalsWithTax",
        "src/main/java/Cart.java",
        "src/test/java/CartTest.java",
        "pom.xml",
        "[INFO] Running CartTest\n[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.02 s"
        " <<< FAILURE! -- in CartTest\n[ERROR] CartTest.totalsWithTax:12 expected: <12> but was: <10>\n"
        "[INFO] Results:\n[ERROR] Failures: \n[ERROR]   CartTest.totalsWithTax:12 expected: <12> but was: <10>\n"
        "[ERROR] Tests run: 4, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE\n",
        "[INFO] Running CartTest\n[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.02 s"
        " -- in CartTest\n[INFO] Results:\n[INFO] \n[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0\n"
        "[INFO] BUILD SUCCESS\n",
        "[INFO] Results:\n[INFO] \n[WARNING] Tests run: 4, Failures: 0, Errors: 0, Skipped: 1\n"
        "[INFO] BUILD SUCCESS\n",
        "[INFO] Results:\n[INFO] \n[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n",
    ),
    Ecosystem(
        "gradle",
        "gradle",
        "gradle test",
        "gradle test --tests OtherTest",
        "gradle test --tests CartTest.totalsWithTax",
        "src/main/kotlin/Cart.kt",
        "src/test/kotlin/CartTest.kt",
        "build.gradle.kts",
        "> Task :test FAILED\n\nCartTest > totalsWithTax FAILED\n    org.opentest4j.AssertionFailedError at"
        " CartTest.kt:12\n\n4 tests completed, 1 failed\n\nFAILURE: Build failed with an exception.\n\n"
        "BUILD FAILED in 2s\n",
        "> Task :test\n\nBUILD SUCCESSFUL in 2s\n3 actionable tasks: 1 executed, 2 up-to-date\n",
        "> Task :test\n\nBUILD SUCCESSFUL in 2s\n3 actionable tasks: 1 executed, 2 up-to-date\n",
        "> Task :test\n\nBUILD SUCCESSFUL in 2s\n3 actionable tasks: 1 executed, 2 up-to-date\n",
    ),
    Ecosystem(
        "dotnet",
        "dotnet",
        "dotnet test",
        "dotnet test --filter OtherTests",
        "dotnet test --filter CartTests.TotalsWithTax",
        "src/Cart.cs",
        "tests/CartTests.cs",
        "Shop.csproj",
        "  Failed Shop.Tests.CartTests.TotalsWithTax [4 ms]\n  Error Message:\n   Expected 12\n\n"
        "Failed!  - Failed:     1, Passed:     3, Skipped:     0, Total:     4, Duration: 12 ms - Shop.Tests.dll\n",
        "Passed!  - Failed:     0, Passed:     4, Skipped:     0, Total:     4, Duration: 12 ms - Shop.Tests.dll\n",
        "Passed!  - Failed:     0, Passed:     3, Skipped:     1, Total:     4, Duration: 12 ms - Shop.Tests.dll\n",
        "Passed!  - Failed:     0, Passed:     2, Skipped:     0, Total:     2, Duration: 8 ms - Shop.Tests.dll\n",
    ),
    Ecosystem(
        "rspec",
        "rspec",
        "bundle exec rspec",
        "bundle exec rspec spec/other_spec.rb",
        "bundle exec rspec --only-failures",
        "lib/cart.rb",
        "spec/cart_spec.rb",
        "Gemfile",
        "..F.\n\nFailures:\n\n  1) Cart totals with tax\n     Failure/Error: expect(cart.total).to eq(12)\n\n"
        "Finished in 0.01 seconds (files took 0.1 seconds to load)\n4 examples, 1 failure\n\n"
        "Failed examples:\n\nrspec ./spec/cart_spec.rb:12 # Cart totals with tax\n",
        "....\n\nFinished in 0.01 seconds (files took 0.1 seconds to load)\n4 examples, 0 failures\n",
        "...\n\nFinished in 0.01 seconds (files took 0.1 seconds to load)\n3 examples, 0 failures\n",
        "..\n\nFinished in 0.01 seconds (files took 0.1 seconds to load)\n2 examples, 0 failures\n",
    ),
    Ecosystem(
        "phpunit",
        "phpunit",
        "vendor/bin/phpunit",
        "vendor/bin/phpunit tests/OtherTest.php",
        "vendor/bin/phpunit --filter testTotalsWithTax",
        "src/Cart.php",
        "tests/CartTest.php",
        "composer.json",
        "PHPUnit 11.0.0\n\n..F.   4 / 4 (100%)\n\nThere was 1 failure:\n\n1) CartTest::testTotalsWithTax\n"
        "Failed asserting that 10 matches expected 12.\n\nFAILURES!\nTests: 4, Assertions: 6, Failures: 1.\n",
        "PHPUnit 11.0.0\n\n....   4 / 4 (100%)\n\nOK (4 tests, 6 assertions)\n",
        "PHPUnit 11.0.0\n\n...   3 / 3 (100%)\n\nOK (3 tests, 5 assertions)\n",
        "PHPUnit 11.0.0\n\n..   2 / 2 (100%)\n\nOK (2 tests, 2 assertions)\n",
    ),
    Ecosystem(
        "ctest",
        "ctest",
        "ctest --test-dir build --output-on-failure",
        "ctest --test-dir build -R other",
        "ctest --test-dir build --rerun-failed",
        "src/cart.cpp",
        "tests/cart_test.cpp",
        "CMakeLists.txt",
        "Test project /p/build\n1/2 Test #1: cart_totals ......***Failed    0.01 sec\n"
        "2/2 Test #2: other ............   Passed    0.01 sec\n\n50% tests passed, 1 tests failed out of 2\n\n"
        "The following tests FAILED:\n\t  1 - cart_totals (Failed)\nErrors while running CTest\n",
        "Test project /p/build\n1/2 Test #1: cart_totals ......   Passed    0.01 sec\n"
        "2/2 Test #2: other ............   Passed    0.01 sec\n\n100% tests passed, 0 tests failed out of 2\n",
        "Test project /p/build\n1/1 Test #2: other ............   Passed    0.01 sec\n\n"
        "100% tests passed, 0 tests failed out of 1\n",
        "Test project /p/build\n1/1 Test #2: other ............   Passed    0.01 sec\n\n"
        "100% tests passed, 0 tests failed out of 1\n",
    ),
    Ecosystem(
        "mix",
        "mix",
        "mix test",
        "mix test test/other_test.exs",
        "mix test --failed",
        "lib/cart.ex",
        "test/cart_test.exs",
        "mix.exs",
        "..\n\n  1) test totals with tax (CartTest)\n     test/cart_test.exs:12\n     Assertion with == failed\n\n"
        ".\nFinished in 0.02 seconds (0.00s async, 0.02s sync)\n4 tests, 1 failure\n",
        "....\nFinished in 0.02 seconds (0.00s async, 0.02s sync)\n4 tests, 0 failures\n",
        "...\nFinished in 0.02 seconds (0.00s async, 0.02s sync)\n3 tests, 0 failures\n",
        "..\nFinished in 0.02 seconds (0.00s async, 0.02s sync)\n2 tests, 0 failures\n",
    ),
    Ecosystem(
        "pytest",
        "pytest",
        "python -m pytest -q",
        "pytest -q tests/test_other.py",
        "pytest -q --lf",
        "shop/cart.py",
        "tests/test_cart.py",
        "pyproject.toml",
        "..F.                                                                     [100%]\n"
        "=================================== FAILURES ===================================\n"
        "=========================== short test summary info ============================\n"
        "FAILED tests/test_cart.py::test_totals_with_tax - assert 10 == 12\n1 failed, 3 passed in 0.02s\n",
        "....                                                                     [100%]\n4 passed in 0.02s\n",
        "...                                                                      [100%]\n3 passed in 0.02s\n",
        "..                                                                       [100%]\n2 passed in 0.02s\n",
    ),
)
