"""The tokens of a program, and what its names and expressions stand for."""

from __future__ import annotations

import pytest
from tests.tables import for_each

from operators_edge.shell.code import program_values
from operators_edge.shell.code.languages import NODE, PERL, PHP, PYTHON, RUBY
from operators_edge.shell.code.program_values import ProgramValues, TooLongError
from operators_edge.shell.commands import HOLE


def read(code, language):
    """The program, read to its end."""
    program = ProgramValues(language)
    program.learn_names(code)
    program.tokenize(code)
    for at in range(program.end):
        if program.tokens[at].name:
            program.learn_value(at)
            program.learn_loop(at)
    return program


VALUES = [
    (PYTHON, "x = 'a' + 'b'", "ab"),
    (PYTHON, "x = 'a' 'b'", "ab"),
    (PYTHON, "y = 'a'\nx = y + '/b'", "a/b"),
    (PYTHON, "x = ['a', 'b']", ["a", "b"]),
    (PYTHON, "x = f'a{y}'", f"a{HOLE}"),
    (PYTHON, "x = y", None),
    (NODE, "x = ['a', 'b'].join('-')", "a-b"),
    (NODE, "y = 'a'; x = `${y}/b`", "a/b"),
    (NODE, "y = path.join(os.homedir(), 'a'); x = `${y}/b`", "~/a/b"),
    (NODE, "y = path.join('/a', 'b'); z = path.join(y, 'c'); x = `rm ${z}`", "rm /a/b/c"),
    (NODE, "y = path.join('/a', 'b'); y = z; x = `${y}/b`", f"{HOLE}/b"),
    (NODE, "y = path.join(z, 'b'); x = `${y}/b`", f"{HOLE}/b"),
    (NODE, "x = {args: ['a']}", ["a"]),
    (RUBY, "x = %w[a b]", ["a", "b"]),
    (RUBY, "x = sprintf('%s/b', 'a')", "a/b"),
    (RUBY, "x = Dir.home", "~"),
    (RUBY, 'y = File.join(Dir.home, "a"); x = "rm #{y}"', "rm ~/a"),
    (RUBY, "x = File.expand_path('..', '/a/b')", "/a/b/.."),
    (RUBY, "x = File.expand_path('/etc', '/a/b')", "/etc"),
    (RUBY, "x = File.expand_path('~/c', '/a/b')", "~/c"),
    (RUBY, "x = File.expand_path('a')", "a"),
    (RUBY, "x = File.join('/a', '/b')", "/a/b"),
    (NODE, "x = path.resolve('/a/b', '/etc', 'c')", "/etc/c"),
    (NODE, "x = path.join('/a', '/etc')", "/a/etc"),
    (PYTHON, "x = os.path.join('/a', '/etc')", "/etc"),
    (PHP, "$x = 'a' . 'b';", "ab"),
    (PHP, "$y = 'a'; $x = \"{$y}/b\";", "a/b"),
    (PERL, "my $x = q(a);", "a"),
]


@for_each(("language", "code", "value"), VALUES)
def test_a_name_has_the_value_of_what_it_is_set_to(language, code, value):
    assert read(code, language).values.get("x") == value


@for_each(
    ("language", "code"),
    [
        (NODE, "for (const x of ['a', 'b']) f(x)"),
        (RUBY, "['a', 'b'].each do |x| f(x) end"),
        (PHP, "foreach (['a', 'b'] as $x) f($x);"),
        (PERL, "for my $x ('a', 'b') { f($x) }"),
    ],
)
def test_the_name_of_a_loop_is_each_of_its_items(language, code):
    assert read(code, language).values["x"] == ["a", "b"]


@for_each(
    ("language", "code", "arguments"),
    [
        (PYTHON, "f('a', mode='w')", ["a", "w"]),
        (PYTHON, "f('a', y, other='w')", ["a", None]),
        (RUBY, "f 'a', 'b'\ng 'c'", ["a", "b"]),
        (RUBY, "f('a', x, out: y)", ["a", None]),
        (RUBY, "f('a', :out => y)", ["a"]),
        (RUBY, "f({'A' => 'b'}, 'a')", [None, "a"]),
        (RUBY, "f(x ? 'a' : 'b')", [None]),
    ],
)
def test_a_call_is_given_what_is_between_its_brackets_or_on_its_line(language, code, arguments):
    has_paren = "(" in code
    found = read(code, language).arguments(1 + has_paren, has_paren=has_paren)
    assert found == arguments


def test_a_call_is_given_texts_by_name():
    assert read("f(a, {method: 'POST', other: 'x'})", NODE).options_of(1) == {"method": "POST"}


def test_an_imported_name_is_the_function_that_it_stands_for():
    program = read("from os import system as s\n# from os import remove as s", PYTHON)
    assert program.resolve("s") == "os.system"
    assert program.is_known("os.system")
    assert not program.is_known("os.listdir")


def test_a_second_text_is_read_by_the_values_of_the_first():
    program = read("x = 'a'", NODE)
    program.tokenize("y = x")
    program.learn_value(0)
    assert program.values["y"] == "a"


def read_often(program):
    for _ in range(program_values.MAX_TOKENS):
        program.learn_value(0)


def test_a_program_that_is_too_long_is_not_read_to_its_end():
    program = ProgramValues(NODE)
    program.tokenize("x = a " * 50)
    with pytest.raises(TooLongError):
        read_often(program)


def test_the_first_line_of_a_program_of_node_hides_no_other_one():
    program = ProgramValues(NODE)
    program.tokenize("#!/usr/bin/env node /*\nrun('x');\n// */\n")
    assert "run" in [one.name for one in program.tokens]
