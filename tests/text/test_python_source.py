"""Reading and writing Python, the same in every version."""

from __future__ import annotations

import ast
import warnings

import pytest

from operators_edge.text import python_source

WRITTEN = [
    ("f'{a}'", "f'{a}'"),
    ("f\"as {p('~/.netrc').text()}\"", "f\"as {p('~/.netrc').text()}\""),
    ("f'as {p(\"~/.netrc\").text()}'", "f\"as {p('~/.netrc').text()}\""),
    ("f'{a[\"b\"]!r:>{w}} {{x}}'", "f\"{a['b']!r:>{w}} {{x}}\""),
    ("f'{x:%H:%M}\\n'", "f'{x:%H:%M}\\n'"),
    ('f\'a"b{c["d"]}\'', 'f"""a"b{c[\'d\']}"""'),
    ("f'{f\"{a}\"}'", "f\"{f'{a}'}\""),
    ("f'{ {1: 2}[1]}'", "f'{ {1: 2}[1]}'"),
    ("f'{(lambda: 1)()}{(b := 2)}'", "f'{(lambda: 1)()}{(b := 2)}'"),
]


@pytest.mark.parametrize(("code", "text"), WRITTEN)
def test_an_f_string_is_written_in_quotes_that_are_not_in_it(code, text):
    tree = ast.parse(code)
    before = ast.dump(tree)
    assert python_source.unparse(tree) == text
    assert ast.dump(ast.parse(text)) == before


def test_an_f_string_without_a_plain_form_is_written_as_a_sum():
    tree = python_source.parse("f'{chr(10)}{'\\n'.join(x)}'")
    written = python_source.unparse(tree)
    assert "str('\\n'.join(x))" in written
    ast.parse(written)


def test_code_of_other_versions_is_read():
    tree = python_source.parse("type X = int\nprint(f'{a['k']}')\n")
    assert [one.lineno for one in tree.body] == [1, 2]


def test_code_that_stands_for_other_code_by_its_encoding_is_read_as_that():
    tree = python_source.parse("# coding: unicode_escape\n# \\u000aimport os")
    assert isinstance(tree.body[0], ast.Import)
    tree = python_source.parse("#!/usr/bin/python\n# -*- coding: utf-7 -*-\n+AGkAbQBwAG8AcgB0- os")
    assert isinstance(tree.body[0], ast.Import)


def test_what_cannot_be_read_is_an_error_unless_most_is_enough():
    code = "import os\nprint `1`\nif a <> b:\n    os.rmdir('y')\nx = (1,\n  0777)\nos.remove('z')\n"
    with pytest.raises(SyntaxError):
        python_source.parse(code)
    tree, left_out = python_source.parse_most(code)
    assert sorted(left_out) == ["if a <> b:", "print(`1`)", "x = (1,\n  0777)"]
    assert "os.rmdir('y')" in ast.unparse(tree)
    assert tree.body[-1].lineno == 7


def test_a_text_that_is_no_code_is_an_error():
    with pytest.raises(SyntaxError):
        python_source.parse_most("\n".join("this is no code at all" for _ in range(100)))


def test_an_invalid_escape_is_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert python_source.parse('a = "\\$"').body
