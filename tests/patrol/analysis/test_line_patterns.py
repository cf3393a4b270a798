"""Lines of code that are worth a word, in each language, and those that only look so."""

import pytest


@pytest.mark.parametrize(
    ("name", "text", "kind", "line"),
    [
        ("a.py", "try:\n    f()\nexcept Exception:\n    pass\n", "swallowed", 3),
        ("a.py", "try:\n    f()\nexcept: pass\n", "swallowed", 3),
        ("a.py", "try:\n    f()\nexcept BaseException as error:\n    pass\n", "swallowed", 3),
        ("a.js", "try { f(); } catch (e) {}\ng();\n", "swallowed", 1),
        ("a.ts", "run().catch(() => {});\n", "swallowed", 1),
        ("a.go", "func f() {\n\terr := g()\n\t_ = err\n}\n", "swallowed", 3),
        ("a.rb", "begin\n  f\nrescue => e\nend\n", "swallowed", 3),
        ("A.java", "try { f(); } catch (Exception e) { }\n", "swallowed", 1),
        ("a.py", "import imp\n", "removed", 1),
        ("a.py", "from collections import OrderedDict, Mapping\n", "removed", 1),
        ("a.py", "x = 1\nfrom distutils.core import setup\n", "removed", 2),
        ("a.py", "now = datetime.utcnow()\n", "deprecated", 1),
        ("a.py", "logger.warn('x')\n", "deprecated", 1),
        ("a.js", "const b = new Buffer(10);\n", "removed", 1),
        ("a.js", "name.substr(1)\n", "deprecated", 1),
        ("a.go", "data, err := ioutil.ReadFile(name)\n", "deprecated", 1),
        ("a.rs", "let x = try!(f());\n", "deprecated", 1),
        ("a.rb", "load if File.exists?('x')\n", "removed", 1),
        ("A.java", "Integer x = new Integer(5);\n", "deprecated", 1),
        ("a.php", "$x = utf8_encode($y);\n", "deprecated", 1),
    ],
)
def test_a_match_is_found_with_its_line(look, name, text, kind, line):
    assert [each[:2] for each in look(name, text)["matches"]] == [[line, kind]]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "try:\n    f()\nexcept KeyError:\n    pass\n"),
        ("a.py", "try:\n    f()\nexcept Exception:\n    # the cache is only a help\n    pass\n"),
        ("a.py", "try:\n    f()\nexcept Exception:\n    log()\n"),
        ("a.py", 'TEXT = """\nimport imp\ntry:\n    f()\nexcept Exception:\n    pass\n"""\n'),
        ("a.py", "# import imp\n# logger.warn('x')\n"),
        ("a.py", "import importlib\nimport impala\n"),
        ("a.py", "try:\n    import x\nexcept ImportError:\n    from collections import Mapping\n"),
        ("a.py", "if sys.version_info < (3, 10):\n    from collections import Mapping\n"),
        ("a.py", "from collections.abc import Mapping\n"),
        ("a.js", "try { f(); return true; } catch (e) {}\nreturn false;\n"),
        ("a.js", "try { f(); } catch (e) { /* not there yet */ }\n"),
        ("a.js", "// new Buffer(10)\nconst b = Buffer.from(x);\n"),
        ("a.go", "if err != nil {\n\treturn err\n}\n"),
        ("a.rb", "load if File.exist?('x')\n"),
    ],
)
def test_what_only_looks_like_one_is_none(look, name, text):
    assert look(name, text).get("matches", []) == []


@pytest.mark.parametrize(
    ("name", "text", "kinds"),
    [
        ("a.test.js", "it.only('x', () => {});\n", ["only"]),
        ("a.spec.ts", "  fdescribe('x', () => {});\n", ["only"]),
        ("a_spec.rb", "  fit 'works' do\n", ["only"]),
        ("a.test.js", "it('fit(1) only', () => { model.fit(1); });\n", []),
        ("a_test.py", "try:\n    f()\nexcept Exception:\n    pass\n", []),
        ("test_a.py", "self.assertEquals(1, 2)\n", ["removed"]),
    ],
)
def test_of_tests_what_runs_alone_counts_and_what_goes_away(look, name, text, kinds):
    assert [each[1] for each in look(name, text, is_test=True).get("matches", [])] == kinds


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        (
            "a.py",
            "def one():\n    def inner(): ...\nclass Two: ...\nasync def three(): ...\ndef _four(): ...\n",
            ["one", "Two", "three"],
        ),
        (
            "a.js",
            "exports.one = 1;\nmodule.exports.two = f;\nfunction three() {}\n",
            ["one", "two"],
        ),
        (
            "a.ts",
            "export function one() {}\nexport default class Two {}\nexport const three = 3;\nlet x = 4;\n",
            ["one", "Two", "three"],
        ),
        ("a.go", "func One() {}\nfunc (s *S) Two() {}\nfunc three() {}\n", ["One", "Two"]),
        ("a.rs", "pub fn one() {}\nfn two() {}\n    pub async fn three() {}\n", ["one", "three"]),
        ("a.css", "def one\n", []),
    ],
)
def test_what_others_can_use_is_known_by_name(look, name, text, names):
    assert [each[1] for each in look(name, text)["exports"]] == names


@pytest.mark.parametrize(
    ("name", "text", "how"),
    [
        ("a_test.go", 'func TestX(t *testing.T) {\n\tt.Skip("flaky")\n}\n', "Skip"),
        ("a.test.js", "test('x', { skip: 'fails on arm' }, () => {});\n", "skip"),
        ("a.test.js", "test('x', { todo: true }, () => {});\n", "todo"),
    ],
)
def test_tests_that_are_left_out_in_other_ways_are_known(look, name, text, how):
    assert [each[1] for each in look(name, text, is_test=True)["skips"]] == [how]


def test_a_fault_that_goes_on_with_a_marked_note_is_one_note(look):
    text = "# TODO: skip the file.\n# Then it is broken.\nx = 1\n# it is broken here\n"
    assert [each[1] for each in look("a.py", text)["markers"]] == ["", "TODO"]
