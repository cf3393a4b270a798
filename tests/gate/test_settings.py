"""Settings of any program: sections, names and values, with their lines."""

import pytest

from operators_edge.gate.settings import MAX_LINES, read


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


def test_a_long_file_is_read_up_to_a_bound():
    assert len(list(read("a=b\n" * (MAX_LINES + 1)))) == MAX_LINES
