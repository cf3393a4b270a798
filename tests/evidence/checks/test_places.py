"""Which lines of a project's files the output of a failed check names."""

import pytest
from tests.tables import for_each

from operators_edge.evidence.checks.places import MAX_PLACES, Place, places_of

OWN = {
    "cart.py",
    "src/cart.ts",
    "src/lib.rs",
    "cart.test.js",
    "src/main/java/Cart.java",
    "spec/cart_spec.rb",
}


def named(output, own=OWN):
    return places_of(
        output,
        lambda path: (
            path.removeprefix("/p/").removeprefix("./")
            * (path.removeprefix("/p/").removeprefix("./") in own)
        ),
    )


@for_each(
    ("output", "place"),
    [
        ("cart.py:3:5: F821 Undefined name `y`", Place("cart.py", 3, 5, "F821 Undefined name `y`")),
        (
            "cart.py:2: error: Incompatible types",
            Place("cart.py", 2, 0, "error: Incompatible types"),
        ),
        ("F821 Undefined name `y`\n --> cart.py:3:5\n  |", Place("cart.py", 3, 5)),
        ("cart.py:12: AssertionError", Place("cart.py", 12, 0, "AssertionError")),
        ('  File "/p/cart.py", line 8, in test_adds\n    x', Place("cart.py", 8)),
        ("src/cart.ts(1,14): error TS2322: no", Place("src/cart.ts", 1, 14, "error TS2322: no")),
        ("src/cart.ts:1:14 - error TS2322: no", Place("src/cart.ts", 1, 14, "error TS2322: no")),
        ("error[E0425]: no `y`\n --> src/lib.rs:1:20", Place("src/lib.rs", 1, 20)),
        ("    at Object.<anonymous> (/p/cart.test.js:3:40)", Place("cart.test.js", 3, 40)),
        (
            "/p/cart.test.js\n  1:5  error  'x' is unused\n",
            Place("cart.test.js", 1, 5, "error 'x' is unused"),
        ),
        ("     # ./spec/cart_spec.rb:7:in `block'", Place("spec/cart_spec.rb", 7)),
        (
            "rspec ./spec/cart_spec.rb:6 # cart adds",
            Place("spec/cart_spec.rb", 6, 0, "# cart adds"),
        ),
        (
            "[ERROR] /p/src/main/java/Cart.java:[5,10] no symbol",
            Place("src/main/java/Cart.java", 5, 10, "no symbol"),
        ),
    ],
)
def test_a_line_is_named_in_many_forms(output, place):
    (found,) = named(output)
    assert found[:3] == place[:3]
    assert place.text in found.text


def test_files_that_are_not_the_projects_own_are_left_out():
    assert named("/usr/lib/python3/unittest/case.py:57: in run\nother.py:3: error: x") == []


def test_a_line_is_named_once_with_what_is_said_of_it():
    said = "    at run (/p/cart.test.js:3:40)\ncart.test.js:3:40: expected 12\n"
    assert named(said) == [Place("cart.test.js", 3, 40, "expected 12")]


def test_of_many_lines_the_first_are_told():
    many = "".join(f"cart.py:{number}:1: E501 long\n" for number in range(1, 99))
    assert [each.line for each in named(many)] == [*range(1, MAX_PLACES + 1)]


@pytest.mark.parametrize(
    "output", ["", "12:30:45 done", "v1.2.3:4", "http://cart.py:80/", "a" * 9000 + ":3"]
)
def test_what_is_no_place_is_none(output):
    assert named(output) == []
