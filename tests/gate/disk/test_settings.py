"""Settings of any program: sections, names and values, with their lines."""

import pytest

from operators_edge.gate.disk.settings import read


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("script-shell = ./s.sh", "script-shell", "./s.sh"),
        ("export R_PROFILE_USER='z.R'", "r_profile_user", "z.R"),
        ('[filter "Big"]\n\tclean = x --y', "filter.Big.clean", "x --y"),
        ("[Core] pager = less", "core.pager", "less"),
        ('[alias]\n\tst = "!f() { \\"x\\"; }"', "alias.st", '!f() { "x"; }'),
        ("[target.'cfg(unix)']\nrunner = [\"a\", 'b c']", "target.cfg(unix).runner", "a b c"),
        ('"initModule": "x",', "initmodule", "x"),
        ("--pager=less", "--pager", "less"),
        ("credential_process: x", "credential_process", "x"),
        ("empty =", "empty", ""),
    ],
)
def test_a_setting_is_read_in_its_section(text, name, value):
    (found,) = read(text)
    assert found == (name, value, text.count("\n") + 1)


@pytest.mark.parametrize("text", ["", "# a = b", "; a = b", "[section]", "words alone"])
def test_other_lines_are_no_settings(text):
    assert list(read(text)) == []


def test_a_backslash_joins_lines_and_hides_none():
    joined = '[alias]\n\tx = "!f() { \\\n\t\tgit push; \\\n\t}; f"\n\ty = z\n'
    found = {one.name: one.value for one in read(joined)}
    assert found["alias.x"].split() == ["!f()", "{", "git", "push;", "};", "f"]
    assert found["alias.y"] == "z"
    assert [one.name for one in read("# c \\\na = b\n")] == ["a"]
    assert [one.name for one in read("dir = C:\\\na = b\n")] == ["dir", "a"]


def test_a_long_file_is_read_to_its_end():
    assert list(read("# a\n" * 50_000 + "a=b"))[-1].line == 50_001


def test_lists_and_quoted_values_without_a_sign_are_read():
    assert [one[:2] for one in read('- path: a.cjs\nyarn-path "./y.js"')] == [
        ("path", "a.cjs"),
        ("yarn-path", "./y.js"),
    ]
