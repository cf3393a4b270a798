"""What is left of a Python program that is followed."""

from __future__ import annotations

import ast

from tests.shell.code.python.test_trace import left, traced

from operators_edge.shell.code.python.residue import Residue


def call(text):
    return ast.parse(text, mode="eval").body


def test_each_value_that_an_argument_may_have_gets_a_call():
    text = "import os\nname = 'a' if os.sep else 'b'\nos.remove(name)"
    assert "os.remove('a')\nos.remove('b')" in "\n".join(left(traced({"x.py": text})))


def test_a_call_that_is_walked_again_at_the_same_place_is_left_once():
    residue = Residue()
    residue.add_file("x.py")
    first = residue.called(call("os.remove('a')"), "x.py", 3)
    again = residue.called(call("os.remove('a')"), "x.py", 3)
    assert first.expr.id == again.expr.id
    residue.called(call("os.remove('b')"), "x.py", 3)
    part = residue.parts()["x.py"]
    removed = [
        line
        for line in zip(part.text.split("\n"), part.numbers, strict=True)
        if "remove" in line[0]
    ]
    assert removed == [("os.remove('a')", 3), ("os.remove('b')", 3)]


def test_what_is_left_imports_what_it_names():
    residue = Residue()
    residue.add_file("x.py")
    holder = residue.library("pathlib.Path", "pathlib").expr
    residue.called(ast.Call(holder, [], []), "x.py", 1)
    assert "import pathlib" in residue.parts()["x.py"].text.split("\n")


def test_more_statements_than_the_bound_are_cut_and_said_to_be():
    residue = Residue()
    residue.add_file("x.py")
    assert not residue.is_cut
    for number in range(20_000):
        residue.add(ast.Pass(), "x.py", number)
    assert residue.is_cut
