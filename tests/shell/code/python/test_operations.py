"""What operators make of the values of a program that is followed."""

from __future__ import annotations

import ast

import pytest
from tests.shell.code.python.test_trace import left, traced

from operators_edge.shell.code.python.operations import compared, safely
from operators_edge.shell.code.python.values import UNKNOWN, Box

NOT_LEFT = {
    "another entry of a table": (
        {
            "x.py": "import os\nACTS = {'x.py': print, 'b': lambda: os.remove('a')}\nimport sys\n"
            "ACTS[sys.argv[0]]()"
        }
    ),
}


@pytest.mark.parametrize("files", NOT_LEFT.values(), ids=NOT_LEFT)
def test_an_item_that_is_not_chosen_does_not_run(files):
    found = traced(files)
    assert found.is_whole
    assert "os.remove" not in "\n".join(left(found))


@pytest.mark.parametrize(
    ("left_side", "operator", "right_side", "expected"),
    [
        (1, ast.Lt(), 2, True),
        ("a", ast.Eq(), "b", False),
        (1, ast.Lt(), "a", None),
        ("a", ast.In(), Box(["a", "b"]), True),
        ("c", ast.NotIn(), ("a", "b"), True),
        ("c", ast.In(), Box(["a"], is_open=True), None),
        ("c", ast.In(), (UNKNOWN,), None),
        (None, ast.Is(), Box([]), False),
        (UNKNOWN, ast.Eq(), "a", None),
    ],
)
def test_a_comparison_is_known_if_its_values_are(left_side, operator, right_side, expected):
    assert compared(left_side, operator, right_side) is expected


def test_what_cannot_be_computed_is_unknown():
    assert safely(lambda: 1 + 1) == 2
    assert safely(lambda: 1 / 0) is UNKNOWN
    assert safely(lambda: {}["a"]) is UNKNOWN
    assert safely(lambda: "a" * 100_000) is UNKNOWN


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'%s/%d' % ('a', 1)", "a/1"),
        ("'a' * 3", "aaa"),
        ("(['a'] + ['b'])[-1]", "b"),
        ("'abc'[1:]", "bc"),
    ],
)
def test_texts_and_lists_are_put_together(text, expected):
    found = traced({"x.py": f"import os\nos.remove({text})"})
    assert f"os.remove({expected!r})" in left(found)
