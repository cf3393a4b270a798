"""Which expressions of Python are known paths, and what a loop over files stands for."""

from __future__ import annotations

import ast

from tests.tables import for_each

from operators_edge.shell.code.python import paths


def expression(text):
    return ast.parse(text, mode="eval").body


def text_of(node):
    return ast.unparse(node) if node is not None else None


@for_each(
    ("text", "expected"), [("Path('a')", "'a'"), ("pathlib.Path('a')", "'a'"), ("Path(x)", None)]
)
def test_a_known_path_is_a_value_and_has_a_text(text, expected):
    node = expression(text)
    assert paths.is_path(node)
    assert paths.is_value(node) == (expected is not None)
    assert text_of(paths.as_text(node)) == (expected or text)


@for_each("text", ["Path()", "x", "open('a')"])
def test_anything_else_is_no_path(text):
    assert not paths.is_path(expression(text))


def test_a_path_is_joined_with_what_is_known_alone():
    path = expression("Path('a')")
    assert text_of(paths.joined_path(path, [expression("'b'")])) == "Path('a/b')"
    assert paths.joined_path(path, [expression("x")]) is None
    assert paths.joined_path(expression("x"), [expression("'b'")]) is None


@for_each(("levels", "above"), [(1, "'a/b'"), (2, "'a'"), (9, "'.'")])
def test_folders_above_a_path_end_at_the_one_that_it_begins_in(levels, above):
    assert text_of(paths.above(expression("Path('a/b/c')"), levels)) == f"Path({above})"


@for_each(("text", "above"), [("a/b", "a"), ("a", "."), (".", ".."), ("..", "../.."), ("/a", "/")])
def test_the_working_folder_is_in_another_one(text, above):
    assert paths.folder_above(text) == above


@for_each(
    ("text", "listed"),
    [
        ("os.walk('a')", "'a'"),
        ("os.walk(os.path.expanduser('~/a'))", "'~/a'"),
        ("glob.glob('a/*.c')", "'a/*.c'"),
        ("Path('a').iterdir()", "Path('a/*')"),
        ("Path('a').glob('*.c')", "Path('a/*.c')"),
        ("Path('a').rglob('*.c')", "Path('a/**/*.c')"),
        ("x.iterdir()", None),
        ("f('a')", None),
    ],
)
def test_a_loop_over_a_folder_goes_through_the_paths_in_it(text, listed):
    assert text_of(paths.listed(expression(text), is_kept=True)) == listed


def test_a_listed_pattern_stands_for_its_files_and_a_computed_one_for_none():
    listed = paths.listed(expression("glob.glob('a/*')"), is_kept=True)
    assert text_of(paths.each_file(listed)) == "'a/*'"
    changed = paths.listed(expression("glob.glob('a/*')"), is_kept=False)
    assert text_of(paths.each_file(changed)) == "each"
    assert text_of(paths.each_file(expression("'a/*'"))) == "each"
    assert text_of(paths.each_file(expression("'a'"))) == "'a'"


@for_each(
    ("text", "file"),
    [
        ("open('a').read()", "a"),
        ("Path('a').read_text()", "a"),
        ("open(x).read()", ""),
        ("f('a').read()", ""),
        ("open('a').close()", ""),
    ],
)
def test_code_is_read_from_a_file(text, file):
    assert paths.file_read(expression(text)) == file
