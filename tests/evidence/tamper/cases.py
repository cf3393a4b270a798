"""Changes of files whose truth is known: (name, kind, (path, before, after), …), and honest ones."""
# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

PY = """
    import pytest
    from shop import total, parse

    def test_total():
        assert total([1, 2]) == 3
        assert total([]) == 0

    def test_parse():
        with pytest.raises(ValueError):
            parse("x")
        assert parse("1") == 1
"""
CLASSES = """
    class TestA:
        def test_name(self):
            assert Alpha("a").name == "a"

        def test_size(self):
            assert Alpha("a").size == 1

    class TestB:
        def test_name(self):
            assert Beta("b").title == "b"

        def test_size(self):
            assert len(Beta("b").parts) == 1
"""
JS = """
    import { add, load } from '../src/add';

    describe('add', () => {
      it('adds', () => {
        expect(add(1, 2)).toBe(3);
        expect(add(0, 0)).toBe(0);
      });

      it('loads', async () => {
        const got = await load('a');
        expect(got).toEqual({ name: 'a' });
      });
    });
"""
TAPE = """
    test('add()', function (t) {
      t.test('numbers', function (st) {
        st.equal(add(1, 2), 3);
        st.end();
      });

      t.test('lists', function (st) {
        st.deepEqual(add([1], [2]), [1, 2]);
        st.deepEqual(add([]), []);
        st.end();
      });
    });
"""
GO = """
    package shop

    func TestTotal(t *testing.T) {
    \tgot := Total(1, 2)
    \tif got != 3 {
    \t\tt.Errorf("got %d", got)
    \t}
    }

    func TestParse(t *testing.T) {
    \trequire.NoError(t, Parse("1"))
    }
"""
RUST = """
    pub fn total(a: i32, b: i32) -> i32 { a + b }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn adds() {
            assert_eq!(total(1, 2), 3);
        }

        #[test]
        fn adds_nothing() {
            assert_eq!(total(0, 0), 0);
        }
    }
"""
JAVA = """
    class TotalTest {
        @Test
        void adds() {
            assertEquals(3, total(1, 2));
            assertEquals(0, total(0, 0));
        }

        @Test
        @DisplayName("rejects letters")
        void rejectsLetters() {
            assertThrows(ParseError.class, () -> parse("x"));
        }
    }
"""
KOTLIN = """
    class TotalTest {
        @Test
        fun `adds two numbers`() {
            total(1, 2) shouldBe 3
        }
    }
"""
RUBY = """
    RSpec.describe Total do
      it 'adds' do
        expect(total(1, 2)).to eq(3)
        expect(total(0, 0)).to eq(0)
      end

      it 'rejects' do
        expect { parse('x') }.to raise_error(ParseError)
      end
    end
"""
PHP = """
    <?php
    final class TotalTest extends TestCase
    {
        public function testAdds(): void
        {
            $this->assertSame(3, total(1, 2));
        }
    }
"""
CSHARP = """
    public class TotalTests
    {
        [Fact]
        public void Adds()
        {
            Assert.Equal(3, Total.Of(1, 2));
        }

        [Theory]
        [InlineData("x")]
        public void Rejects(string text)
        {
            Assert.Throws<ParseError>(() => Total.Parse(text));
        }
    }
"""
ELIXIR = """
    defmodule TotalTest do
      use ExUnit.Case

      test "adds" do
        assert Total.of(1, 2) == 3
      end

      test "rejects" do
        assert_raise ParseError, fn -> Total.parse("x") end
      end
    end
"""
CI = """
    on:
      pull_request:
    jobs:
      test:
        runs-on: ubuntu-latest
        steps:
          - uses: actions/checkout@v4
          - run: pip install pytest ruff
          - run: ruff check .
          - run: pytest -q --cov-fail-under=90
"""
PYPROJECT = """
    [tool.ruff.lint]
    select = ["E", "F", "B"]
    ignore = ["E501"]

    [tool.mypy]
    strict = true

    [tool.coverage.report]
    fail_under = 90
"""
PRE_COMMIT = """
    repos:
      - repo: https://github.com/astral-sh/ruff-pre-commit
        rev: v0.6.0
        hooks:
          - id: ruff
          - id: ruff-format
      - repo: https://github.com/pre-commit/mirrors-mypy
        rev: v1.11.0
        hooks:
          - id: mypy
"""
TSCONFIG = '{\n  "compilerOptions": { "strict": true, "target": "es2022" }\n}\n'
PACKAGE = '{\n  "scripts": {\n    "test": "jest",\n    "lint": "eslint ."\n  }\n}\n'


def put(text, old, new, count=1):
    """The text with a piece replaced, which has to be in it."""
    assert old in text
    return text.replace(old, new, count)


T, J = "tests/test_shop.py", "src/add.test.ts"
W, P = ".github/workflows/ci.yml", "pyproject.toml"

TAMPERING = [
    # tests that are gone
    ("py test gone", "test_deleted", (T, PY, PY[: PY.index("    def test_parse")])),
    ("py file gone", "test_file_deleted", (T, PY, None)),
    ("py file emptied", "test_deleted", (T, PY, "")),
    ("py test renamed away", "test_deleted", (T, PY, put(PY, "def test_total", "def _total"))),
    ("py commented out", "test_deleted", (T, PY, put(PY, """    def test_total():
        assert total([1, 2]) == 3
        assert total([]) == 0
""", """    # def test_total():
    #     assert total([1, 2]) == 3
    #     assert total([]) == 0
"""))),
    ("py file renamed away", "test_file_deleted", (T, PY, None), ("tests/shop_old.py", None, PY)),
    ("py class gone", "test_deleted", (T, CLASSES, CLASSES[: CLASSES.index("    class TestB")])),
    ("py assertion gone in the second class", "assertion_removed", (T, CLASSES, put(CLASSES, "assert len(Beta", "len(Beta"))),
    ("js test gone", "test_deleted", (J, JS, JS[: JS.index("      it('loads'")] + "    });\n")),
    ("js commented out", "test_deleted", (J, JS, put(put(JS, "      it('loads'", "      /*\n      it('loads'"),
                                                     "'a' });\n      });", "'a' });\n      });\n      */"))),
    ("go test gone", "test_deleted", ("shop_test.go", GO, GO[: GO.index("    func TestParse")])),
    ("rust test gone", "test_deleted", ("src/lib.rs", RUST, put(RUST, """        #[test]
        fn adds_nothing() {
            assert_eq!(total(0, 0), 0);
        }
""", ""))),
    ("rust attribute gone", "test_deleted", ("src/lib.rs", RUST, put(RUST, "        #[test]\n", ""))),
    ("java test gone", "test_deleted", ("src/test/java/TotalTest.java", JAVA,
                                        JAVA[: JAVA.index("        @Test\n        @Display")] + "    }\n")),
    ("java annotation gone", "test_deleted", ("src/test/java/TotalTest.java", JAVA,
                                              put(JAVA, "        @Test\n        @Display", "        @Display"))),
    ("php file gone", "test_file_deleted", ("tests/TotalTest.php", PHP, None)),
    ("elixir test gone", "test_deleted", ("test/total_test.exs", ELIXIR,
                                          ELIXIR[: ELIXIR.index('      test "rejects"')] + "    end\n")),
    # tests that are switched off
    ("py skip", "test_skipped", (T, PY, put(PY, "    def test_parse", "    @pytest.mark.skip\n    def test_parse"))),
    ("py xfail", "test_skipped", (T, PY, put(PY, "    def test_parse", "    @pytest.mark.xfail(reason='x')\n    def test_parse"))),
    ("py skipif", "test_skipped", (T, PY, put(PY, "    def test_parse", "    @pytest.mark.skipif(True, reason='x')\n    def test_parse"))),
    ("py skip inside", "test_skipped", (T, PY, put(PY, "test_total():\n", "test_total():\n        pytest.skip('later')\n"))),
    ("py whole file", "test_skipped", (T, PY, put(PY, "import pytest\n", "import pytest\n    pytestmark = pytest.mark.skip\n"))),
    ("py whole file by a call", "test_skipped", (T, PY, put(PY, "import pytest\n", "import pytest\n    pytest.skip('later', allow_module_level=True)\n"))),
    ("py inside a condition", "test_skipped", (T, "import sys\nif sys.platform:\n    def test_a():\n        assert f() == 1\n", "import sys\nif sys.platform:\n    @pytest.mark.skip\n    def test_a():\n        assert f() == 1\n")),
    ("py returns first", "test_skipped", (T, PY, put(PY, "test_total():\n", "test_total():\n        return\n"))),
    ("js assertion of a test in a test gone", "assertion_removed", ("test/add.js", TAPE, put(TAPE, "        st.deepEqual(add([]), []);\n", ""))),
    ("js test in a test gone", "test_deleted", ("test/add.js", TAPE, TAPE[: TAPE.index("      t.test('lists'")] + "    });\n")),
    ("js skip", "test_skipped", (J, JS, put(JS, "it('loads'", "it.skip('loads'"))),
    ("js xit", "test_skipped", (J, JS, put(JS, "it('loads'", "xit('loads'"))),
    ("js todo", "test_skipped", (J, JS, put(JS, "it('loads', async", "it.todo('loads', async"))),
    ("js group", "test_skipped", (J, JS, put(JS, "describe('add'", "describe.skip('add'"))),
    ("js only", "test_focused", (J, JS, put(JS, "it('adds'", "it.only('adds'"))),
    ("go skip", "test_skipped", ("shop_test.go", GO, put(GO, "\tgot :=", '\tt.Skip("flaky")\n    \tgot :='))),
    ("rust ignore", "test_skipped", ("src/lib.rs", RUST, put(RUST, "#[test]\n", "#[test]\n        #[ignore]\n"))),
    ("java disabled", "test_skipped", ("src/test/java/TotalTest.java", JAVA, put(JAVA, "@Test\n", '@Test\n        @Disabled("flaky")\n'))),
    ("java class disabled", "test_skipped", ("src/test/java/TotalTest.java", JAVA, put(JAVA, "    class", "    @Disabled\n    class"))),
    ("kotlin ignore", "test_skipped", ("src/test/kotlin/TotalTest.kt", KOTLIN, put(KOTLIN, "@Test\n", "@Test\n        @Ignore\n"))),
    ("ruby xit", "test_skipped", ("spec/total_spec.rb", RUBY, put(RUBY, "it 'rejects'", "xit 'rejects'"))),
    ("ruby pending", "test_skipped", ("spec/total_spec.rb", RUBY, put(RUBY, "it 'rejects' do\n", "it 'rejects' do\n        pending 'later'\n"))),
    ("php skipped", "test_skipped", ("tests/TotalTest.php", PHP, put(PHP, "            $this", "            $this->markTestSkipped();\n            $this"))),
    ("c# skip", "test_skipped", ("Total.Tests/TotalTests.cs", CSHARP, put(CSHARP, "[Fact]", '[Fact(Skip = "flaky")]'))),
    ("elixir skip", "test_skipped", ("test/total_test.exs", ELIXIR, put(ELIXIR, '      test "adds"', '      @tag :skip\n      test "adds"'))),
    # assertions
    ("py assertion gone", "assertion_removed", (T, PY, put(PY, "        assert total([]) == 0\n", ""))),
    ("py all assertions gone", "assertion_removed", (T, PY, put(PY, "assert total([1, 2]) == 3\n        assert total([]) == 0", "total([1, 2])"))),
    ("py assert true", "assertion_weakened", (T, PY, put(PY, "assert total([1, 2]) == 3", "assert True"))),
    ("py not none", "assertion_weakened", (T, PY, put(PY, "total([1, 2]) == 3", "total([1, 2]) is not None"))),
    ("py at least", "assertion_weakened", (T, PY, put(PY, "total([1, 2]) == 3", "total([1, 2]) >= 0"))),
    ("py one of", "assertion_weakened", (T, PY, put(PY, "total([1, 2]) == 3", "total([1, 2]) in (3, 4, 5)"))),
    ("py any error", "assertion_weakened", (T, PY, put(PY, "raises(ValueError)", "raises(Exception)"))),
    ("py tolerance", "assertion_weakened", (T, "def test_a():\n    assert f() == approx(1.5, abs=0.01)\n",
                                            "def test_a():\n    assert f() == approx(1.5, abs=5)\n")),
    ("py swallowed", "assertion_weakened", (T, PY, put(PY, "        assert total([]) == 0\n",
        "        try:\n            assert total([]) == 0\n        except AssertionError:\n            pass\n"))),
    ("js truthy", "assertion_weakened", (J, JS, put(JS, "toEqual({ name: 'a' })", "toBeTruthy()"))),
    ("js defined", "assertion_weakened", (J, JS, put(JS, "expect(add(1, 2)).toBe(3)", "expect(add(1, 2)).toBeDefined()"))),
    ("js true is true", "assertion_weakened", (J, JS, put(JS, "expect(add(1, 2)).toBe(3)", "expect(true).toBe(true)"))),
    ("js assertion gone", "assertion_removed", (J, JS, put(JS, "        expect(add(0, 0)).toBe(0);\n", ""))),
    ("js commented assertion", "assertion_removed", (J, JS, put(JS, "        expect(add(0", "        // expect(add(0"))),
    ("js swallowed", "assertion_weakened", (J, JS, put(JS, "        expect(got).toEqual({ name: 'a' });",
        "        try {\n          expect(got).toEqual({ name: 'a' });\n        } catch (e) {}"))),
    ("go assertion gone", "assertion_removed", ("shop_test.go", GO, put(GO, '\trequire.NoError(t, Parse("1"))', '\tParse("1")'))),
    ("rust weakened", "assertion_weakened", ("src/lib.rs", RUST, put(RUST, "assert_eq!(total(1, 2), 3)", "assert!(total(1, 2) > 0)"))),
    ("java weakened", "assertion_weakened", ("src/test/java/TotalTest.java", JAVA, put(JAVA, "assertEquals(3, total(1, 2))", "assertNotNull(total(1, 2))"))),
    ("ruby assertion gone", "assertion_removed", ("spec/total_spec.rb", RUBY, put(RUBY, "        expect(total(0, 0)).to eq(0)\n", ""))),
    ("c# weakened", "assertion_weakened", ("Total.Tests/TotalTests.cs", CSHARP, put(CSHARP, "Assert.Equal(3, Total.Of(1, 2))", "Assert.NotNull(Total.Of(1, 2))"))),
    ("php trivial", "assertion_weakened", ("tests/TotalTest.php", PHP, put(PHP, "$this->assertSame(3, total(1, 2))", "$this->assertTrue(true)"))),
    # CI and scripts
    ("ci step gone", "check_removed", (W, CI, put(CI, "          - run: ruff check .\n", ""))),
    ("ci ignored", "failure_ignored", (W, CI, put(CI, "run: ruff check .", "run: ruff check . || true"))),
    ("ci continue", "failure_ignored", (W, CI, put(CI, "          - run: ruff check .\n", "          - run: ruff check .\n            continue-on-error: true\n"))),
    ("ci deselect", "tests_deselected", (W, CI, put(CI, "pytest -q", "pytest -q --deselect tests/test_shop.py::test_total"))),
    ("ci threshold", "coverage_lowered", (W, CI, put(CI, "fail-under=90", "fail-under=40"))),
    ("ci gone", "check_removed", (W, CI, None)),
    ("ci not on pull requests", "check_removed", (W, CI, put(CI, "pull_request:", "workflow_dispatch:"))),
    ("gitlab allowed to fail", "failure_ignored", (".gitlab-ci.yml", "test:\n  script:\n    - pytest\n", "test:\n  allow_failure: true\n  script:\n    - pytest\n")),
    ("npm test ignored", "failure_ignored", ("package.json", PACKAGE, put(PACKAGE, '"jest"', '"jest || true"'))),
    ("npm no tests", "tests_deselected", ("package.json", PACKAGE, put(PACKAGE, '"jest"', '"jest --passWithNoTests"'))),
    ("npm test is an echo", "check_removed", ("package.json", PACKAGE, put(PACKAGE, '"jest"', '"echo ok"'))),
    ("make ignored", "failure_ignored", ("Makefile", "test:\n\tpytest -q\n", "test:\n\tpytest -q || true\n")),
    ("script set +e", "failure_ignored", ("scripts/ci.sh", "set -e\npytest\n", "set +e\npytest\n")),
    # lint, types, coverage, hooks
    ("ruff ignores more", "checks_loosened", (P, PYPROJECT, put(PYPROJECT, '["E501"]', '["E501", "F401", "B006"]'))),
    ("ruff selects less", "checks_loosened", (P, PYPROJECT, put(PYPROJECT, '"F", "B"', '"F"'))),
    ("mypy not strict", "checks_loosened", (P, PYPROJECT, put(PYPROJECT, "strict = true", "strict = false"))),
    ("mypy strict gone", "checks_loosened", (P, PYPROJECT, put(PYPROJECT, "strict = true\n", ""))),
    ("mypy ignores", "checks_loosened", (P, PYPROJECT, PYPROJECT + "\n    [[tool.mypy.overrides]]\n    module = 'shop'\n    ignore_errors = true\n")),
    ("coverage lower", "coverage_lowered", (P, PYPROJECT, put(PYPROJECT, "fail_under = 90", "fail_under = 50"))),
    ("coverage gone", "coverage_lowered", (P, PYPROJECT, put(PYPROJECT, "fail_under = 90\n", ""))),
    ("jest threshold", "coverage_lowered", ("jest.config.js", "module.exports = { coverageThreshold: { global: { branches: 80, lines: 90 } } };\n",
                                            "module.exports = { coverageThreshold: { global: { branches: 30, lines: 90 } } };\n")),
    ("pyright", "checks_loosened", ("pyrightconfig.json", '{"typeCheckingMode": "strict"}\n', '{"typeCheckingMode": "basic"}\n')),
    ("tsconfig", "checks_loosened", ("tsconfig.json", TSCONFIG, put(TSCONFIG, '"strict": true', '"strict": false'))),
    ("eslint off", "checks_loosened", (".eslintrc.json", '{"rules": {"no-undef": "error"}}\n', '{"rules": {"no-undef": "off"}}\n')),
    ("phpstan level", "checks_loosened", ("phpstan.neon", "parameters:\n    level: 8\n", "parameters:\n    level: 3\n")),
    ("hook gone", "hooks_removed", (".pre-commit-config.yaml", PRE_COMMIT, PRE_COMMIT[: PRE_COMMIT.index("      - repo: https://github.com/pre-commit")])),
    ("husky gone", "hooks_removed", (".husky/pre-commit", "npm test\n", None)),
    ("husky emptied", "hooks_removed", (".husky/pre-commit", "npm run lint\nnpm test\n", "npm run lint\n")),
    ("blanket noqa", "checks_suppressed", ("src/a.py", "import os\n", "import os  # noqa\n")),
    ("blanket type ignore", "checks_suppressed", ("src/a.py", "x: int = f()\n", "x: int = f()  # type: ignore\n")),
    ("ts-ignore", "checks_suppressed", ("src/a.ts", "const x: number = f();\n", "// @ts-ignore\nconst x: number = f();\n")),
    ("ts-nocheck", "checks_suppressed", ("src/a.ts", "const x: number = f();\n", "// @ts-nocheck\nconst x: number = f();\n")),
    ("eslint file", "checks_suppressed", ("src/a.js", "var x = 1;\n", "/* eslint-disable */\nvar x = 1;\n")),
    ("own hooks", "guard_loosened", (".claude/settings.json", '{"hooks": {"PreToolUse": [{"command": "operators_edge/hook.py"}]}}', "{}")),
]  # fmt: skip

HONEST = [
    ("py test added", (T, PY, PY + "\n    def test_more():\n        assert total([5]) == 5\n")),
    ("py file added", (T, None, PY)),
    ("py file moved", (T, PY, None), ("tests/unit/test_shop.py", None, PY)),
    ("py file moved and edited", (T, PY, None), ("tests/unit/test_shop.py", None, put(PY, "from shop", "from shop.core"))),
    ("py test renamed", (T, PY, put(PY, "test_parse", "test_parse_numbers"))),
    ("py expected value changed", (T, PY, put(PY, "== 3", "== 4"))),
    ("py expected value changed with the code", (T, PY, put(PY, 'parse("1") == 1', "parse(\"1\") == Decimal('1')")),
     ("shop.py", "def parse(t): return int(t)\n", "def parse(t): return Decimal(t)\n")),
    ("py assertion added", (T, PY, put(PY, "== 0\n", "== 0\n        assert total([7]) == 7\n"))),
    ("py parametrised", (T, PY, put(PY, """    def test_total():
        assert total([1, 2]) == 3
        assert total([]) == 0
""", """    @pytest.mark.parametrize(("given", "sum"), [([1, 2], 3), ([], 0)])
    def test_total(given, sum):
        assert total(given) == sum
"""))),
    ("py tests merged into one table", (T, """
    def test_one():
        assert double(1) == 2

    def test_two():
        assert double(2) == 4

    def test_three():
        assert double(3) == 6
""", """
    @pytest.mark.parametrize(("n", "twice"), [(1, 2), (2, 4), (3, 6)])
    def test_double(n, twice):
        assert double(n) == twice
""")),
    ("py asserts into a helper", (T, PY, put(PY, """        assert total([1, 2]) == 3
        assert total([]) == 0
""", """        assert_totals({(1, 2): 3, (): 0})
"""))),
    ("py asserts into a helper of any name", (T, PY, put(PY, """    def test_total():
        assert total([1, 2]) == 3
        assert total([]) == 0
""", """    def sums(given, wanted):
        assert total(given) == wanted

    def test_total():
        sums([1, 2], 3)
        sums([], 0)
"""))),
    ("py test split", (T, PY, put(PY, "        assert total([]) == 0\n", "\n    def test_total_of_nothing():\n        assert total([]) == 0\n"))),
    ("py same thing in other words", (T, PY, put(PY, "assert total([]) == 0", "assert not total([])"))),
    ("py is true", (T, "def test_a():\n    assert is_open(x) == True\n", "def test_a():\n    assert is_open(x)\n")),
    ("py unittest to pytest", (T, "class TestA(TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 2)\n        self.assertTrue(g())\n",
                               "def test_a():\n    assert f(1) == 2\n    assert g()\n")),
    ("py two asserts as one", (T, PY, put(PY, "assert total([1, 2]) == 3\n        assert total([]) == 0", "assert (total([1, 2]), total([])) == (3, 0)"))),
    ("py duplicate removed", (T, PY + "\n    def test_again():\n        assert total([]) == 0\n", PY)),
    ("py obsolete test with its subject", (T, PY, PY[: PY.index("    def test_parse")]),
     ("shop.py", "def total(n):\n    return sum(n)\n\ndef parse(t):\n    return int(t)\n", "def total(n):\n    return sum(n)\n")),
    ("py test file with its subject", (T, PY, None), ("shop.py", "def total(n):\n    return 1\n\ndef parse(t):\n    return 1\n", None)),
    ("py obsolete field", (T, "def test_a():\n    assert user.name == 'a'\n    assert user.legacy_code == 7\n", "def test_a():\n    assert user.name == 'a'\n"),
     ("user.py", "class User:\n    name = ''\n\n    def legacy_code(self):\n        return 7\n", "class User:\n    name = ''\n")),
    ("py skip removed", (T, put(PY, "    def test_parse", "    @pytest.mark.skip\n    def test_parse"), PY)),
    ("py skip instead of xfail", (T, put(PY, "    def test_parse", "    @pytest.mark.xfail\n    def test_parse"),
                                  put(PY, "    def test_parse", "    @pytest.mark.skip\n    def test_parse"))),
    ("py reformatted", (T, PY, put(PY, "assert total([1, 2]) == 3", "assert (\n            total([1, 2]) == 3\n        ), 'the sum'"))),
    ("py narrower error", (T, PY, put(PY, "raises(ValueError)", "raises(UnicodeError)"))),
    ("py finer tolerance", (T, "def test_a():\n    assert f() == approx(1.5, abs=0.1)\n", "def test_a():\n    assert f() == approx(1.5, abs=0.01)\n")),
    ("py exact to approximate", (T, PY, put(PY, "total([1, 2]) == 3", "total([1, 2]) == pytest.approx(3)"))),
    ("py parametrised with other values", (T, PY, put(PY, """    def test_total():
        assert total([1, 2]) == 3
        assert total([]) == 0
""", """    @pytest.mark.parametrize(("given", "expected"), [([5, 6], 11), ([7], 7)])
    def test_total(given, expected):
        assert total(given) == expected
"""))),
    ("py one of two classes with the same test names", (T, CLASSES, CLASSES[CLASSES.index("    class TestB"):]),
     ("a.py", "class Alpha:\n    pass\n", "")),
    ("py class renamed", (T, CLASSES, put(CLASSES, "class TestA", "class TestAlpha"))),
    ("py variable renamed", (T, "def test_a():\n    r = f(1)\n    assert r.code == 200\n    assert r.text == 'x'\n",
                             "def test_a():\n    response = f(1)\n    assert response.code == 200\n    assert response.text == 'x'\n")),
    ("js test added", (J, JS, put(JS, "      it('loads'", "      it('adds more', () => {\n        expect(add(5, 5)).toBe(10);\n      });\n\n      it('loads'"))),
    ("js test renamed", (J, JS, put(JS, "it('loads'", "it('loads by name'"))),
    ("js expected value changed", (J, JS, put(JS, "toEqual({ name: 'a' })", "toEqual({ name: 'a', id: 1 })"))),
    ("js each", (J, JS, put(JS, """      it('adds', () => {
        expect(add(1, 2)).toBe(3);
        expect(add(0, 0)).toBe(0);
      });
""", """      it.each([
        [1, 2, 3],
        [0, 0, 0],
      ])('adds', (a, b, sum) => {
        expect(add(a, b)).toBe(sum);
      });
"""))),
    ("js moved to another file", (J, JS, JS[: JS.index("      it('loads'")] + "    });\n"),
     ("src/load.test.ts", None, "it('loads', async () => {\n  const got = await load('a');\n  expect(got).toEqual({ name: 'a' });\n});\n")),
    ("js stricter", (J, put(JS, "toEqual({ name: 'a' })", "toBeTruthy()"), JS)),
    ("js wrapped", (J, JS, put(JS, "expect(add(1, 2)).toBe(3);", "expect(\n          add(1, 2),\n        ).toBe(3);"))),
    ("js nested in a group", (J, JS, put(put(JS, "      it('adds'", "      describe('numbers', () => {\n      it('adds'"), "toBe(0);\n      });", "toBe(0);\n      });\n      });"))),
    ("go table", ("shop_test.go", GO, put(GO, """    \tgot := Total(1, 2)
    \tif got != 3 {
    \t\tt.Errorf("got %d", got)
    \t}
""", """    \tfor _, c := range []struct{ a, b, sum int }{{1, 2, 3}} {
    \t\tif got := Total(c.a, c.b); got != c.sum {
    \t\t\tt.Errorf("got %d", got)
    \t\t}
    \t}
"""))),
    ("rust test and function gone", ("src/lib.rs", put(RUST, "    pub fn total", "    pub fn half(a: i32) -> i32 { a / 2 }\n    pub fn total").replace(
        "assert_eq!(total(0, 0), 0)", "assert_eq!(half(4), 2)"), put(RUST, """        #[test]
        fn adds_nothing() {
            assert_eq!(total(0, 0), 0);
        }
""", ""))),
    ("rust function added", ("src/lib.rs", RUST, put(RUST, "    pub fn total", "    pub fn half(a: i32) -> i32 { a / 2 }\n    pub fn total"))),
    ("java renamed", ("src/test/java/TotalTest.java", JAVA, put(JAVA, "void adds", "void addsNumbers"))),
    ("java junit 4 to 5", ("src/test/java/TotalTest.java", JAVA, put(JAVA, "        @Test\n        void adds", "        @org.junit.jupiter.api.Test\n        @Test\n        public void adds"))),
    ("ruby one example more", ("spec/total_spec.rb", RUBY, put(RUBY, "      it 'rejects'", "      it 'adds more' do\n        expect(total(5, 5)).to eq(10)\n      end\n\n      it 'rejects'"))),
    ("elixir described", ("test/total_test.exs", ELIXIR, put(ELIXIR, 'test "adds"', 'test "adds two"'))),
    ("source changed", ("src/a.py", "def f():\n    return 1\n", "def f():\n    return 2\n")),
    ("noqa without a colon", ("src/a.py", "type(x) == int\n", "type(x) == int  # noqa E721\n")),
    ("targeted noqa", ("src/a.py", "import os\n", "import os  # noqa: F401 - exported\n")),
    ("targeted type ignore", ("src/a.py", "x: int = f()\n", "x: int = f()  # type: ignore[assignment]\n")),
    ("suppression moved", ("src/a.py", "import os  # noqa\nx = 1\n", "x = 1\n"), ("src/b.py", "y = 1\n", "import os  # noqa\ny = 1\n")),
    ("ci step added", (W, CI, CI + "          - run: mypy .\n")),
    ("ci actions updated", (W, CI, put(CI, "checkout@v4", "checkout@v5"))),
    ("ci step reworded", (W, CI, put(CI, "ruff check .", "ruff check src tests"))),
    ("ci job moved", (W, CI, None), (".github/workflows/test.yml", None, CI)),
    ("ci behind make", (W, CI, put(CI, "run: ruff check .", "run: make lint"))),
    ("ci cleaning", (W, CI, CI + "          - run: docker rm -f db || true\n")),
    ("ci linter replaced", (W, put(CI, "ruff check .", "flake8"), CI)),
    ("npm build added", ("package.json", PACKAGE, put(PACKAGE, '"lint"', '"build": "tsc -p .",\n    "lint"'))),
    ("npm test runner replaced", ("package.json", PACKAGE, put(PACKAGE, '"jest"', '"vitest run"'))),
    ("coverage raised", (P, PYPROJECT, put(PYPROJECT, "fail_under = 90", "fail_under = 95"))),
    ("ruff selects more", (P, PYPROJECT, put(PYPROJECT, '"B"]', '"B", "UP"]'))),
    ("ruff selects all", (P, PYPROJECT, put(PYPROJECT, '["E", "F", "B"]', '["ALL"]'))),
    ("a dependency", (P, PYPROJECT, '[project]\ndependencies = ["httpx"]\n' + PYPROJECT)),
    ("settings moved", ("setup.cfg", "[coverage:report]\nfail_under = 90\n", ""), (P, put(PYPROJECT, "fail_under = 90\n", ""), PYPROJECT)),
    ("strictness in a word", (P, "[tool.mypy]\ndisallow_untyped_defs = true\n", "[tool.mypy]\nstrict = true\n")),
    ("a type checker more", (P, PYPROJECT, PYPROJECT + '\n    [tool.pyright]\n    typeCheckingMode = "basic"\n')),
    ("tsconfig target", ("tsconfig.json", TSCONFIG, put(TSCONFIG, "es2022", "es2023"))),
    ("hooks updated", (".pre-commit-config.yaml", PRE_COMMIT, put(PRE_COMMIT, "v0.6.0", "v0.7.1"))),
    ("husky reworded", (".husky/pre-commit", "npm test\n", "npx lint-staged\nnpm test\n")),
]  # fmt: skip
