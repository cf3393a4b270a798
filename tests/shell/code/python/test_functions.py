"""What a call of a Python program's own functions and classes walks."""

from __future__ import annotations

from tests.shell.code.python.test_trace import left, traced
from tests.tables import for_each


def walked(code):
    return traced({"x.py": code})


@for_each(
    ("parameters", "arguments"),
    [
        ("x", "'a'"),
        ("x='a'", ""),
        ("y, x", "'b', x='a'"),
        ("*y", "'a'"),
        ("*, x='b'", "x='a'"),
        ("**y", "x='a'"),
        ("x, /", "'a'"),
    ],
)
def test_parameters_have_what_a_call_gives_them(parameters, arguments):
    taken = "y[0]" if parameters == "*y" else "y['x']" if parameters == "**y" else "x"
    code = f"import os\ndef f({parameters}): os.remove({taken})\nf({arguments})\n"
    assert "os.remove('a')" in left(walked(code))


def test_a_call_gives_what_the_function_returns():
    assert "os.remove('a')" in left(
        walked("import os\ndef f(x):\n    return x\nos.remove(f('a'))\n")
    )


def test_a_lambda_gives_its_expression():
    assert "os.remove('ab')" in left(
        walked("import os\nf = lambda x: x + 'b'\nos.remove(f('a'))\n")
    )


def test_an_instance_is_made_by_its_class():
    code = "import os\nclass C:\n    def __init__(self, x): self.x = x\nos.remove(C('a').x)\n"
    assert "os.remove('a')" in left(walked(code))


def test_a_class_that_makes_its_instances_otherwise_is_not_followed():
    code = "class C:\n    def __new__(cls): return 1\nC()\n"
    assert not walked(code).is_whole


def test_a_special_method_may_run_at_any_time():
    code = "import os\nclass C:\n    def __del__(self): os.remove('a')\nC()\n"
    assert "os.remove('a')" in left(walked(code))


def test_a_function_that_calls_itself_without_end_is_not_followed_to_it():
    code = "def f(x):\n    f(x)\nf(1)\n"
    assert not walked(code).is_whole


def test_what_an_annotation_calls_may_run():
    code = "import os\ndef f(x: os.remove('a')): pass\n"
    assert "os.remove('a')" in left(walked(code))
