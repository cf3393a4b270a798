"""Which expressions of Python are constants, and what is computed of them."""

from __future__ import annotations

import ast

from tests.tables import for_each

from operators_edge.shell.code.python import constants


def expression(text):
    return ast.parse(text, mode="eval").body


@for_each("text", ["1", "-1", "'a'", "['a', (b'c', 2)]", "{'a': [1]}"])
def test_a_literal_is_a_constant_with_its_value(text):
    assert constants.is_constant(expression(text))
    assert constants.value_of(expression(text)) == ast.literal_eval(text)


@for_each("text", ["x", "f()", "['a', x]", "{'a': x}", "{**x}", "not 1"])
def test_what_has_a_name_in_it_is_none(text):
    assert not constants.is_constant(expression(text))


def test_a_text_is_a_string_alone():
    assert constants.is_text(expression("'a'"))
    assert not constants.is_text(expression("b'a'"))


@for_each(
    ("text", "items"),
    [
        ("['a', x]", ["'a'", "x"]),
        ("{'a': 1, 'b': 2}", ["'a'", "'b'"]),
        ("{'a': 1}.items()", ["('a', 1)"]),
        ("{'a': 1}.values()", ["1"]),
        ("{'a': 1}.copy()", []),
        ("x", []),
    ],
)
def test_a_loop_goes_through_the_items_of_a_list_or_a_dictionary(text, items):
    assert [ast.unparse(one) for one in constants.items_of(expression(text))] == items


@for_each(("name", "text"), [("posix.system", "os.system"), ("shutil", "shutil")])
def test_a_name_is_that_of_the_module_that_is_known(name, text):
    assert ast.unparse(constants.name_of(name)) == text


def test_what_is_computed_is_a_constant():
    assert ast.unparse(constants.computed(lambda: ["a"] * 2, expression("x"))) == "['a', 'a']"


@for_each(
    "compute",
    [lambda: None, lambda: "a" * (constants.MAX_TEXT + 1), lambda: int("a"), lambda: {}["a"]],
)
def test_what_has_no_value_of_a_bounded_size_stays_as_it_is(compute):
    node = expression("x")
    assert constants.computed(compute, node) is node


def test_the_end_of_a_text_is_a_part_of_it():
    index = expression("x[::-1]").slice
    assert "abc"[constants.index_of(index)] == "cba"


@for_each(
    ("name", "given", "value"),
    [
        ("base64.b64decode", b"bHM=", b"ls"),
        ("bytes.fromhex", "6c73", b"ls"),
        ("bytes", [108, 115], b"ls"),
        ("reversed", "sl", "ls"),
        ("codecs.decode", b"ls", "ls"),
    ],
)
def test_known_functions_decode_texts(name, given, value):
    found = constants.FUNCTIONS[name](given)
    assert ("".join(found) if isinstance(found, list) else found) == value
