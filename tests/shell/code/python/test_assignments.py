"""What an assignment changes in a walk through a Python program."""

from __future__ import annotations

from tests.shell.code.python.test_trace import left, traced
from tests.tables import for_each


def walked(code):
    return traced({"x.py": code})


STARTS = "import os\n"


@for_each(
    ("code", "words"),
    [
        ("x = 'a'", "'a'"),
        ("x = y = 'a'", "'a'"),
        ("x, y = 'a', 'b'", "'a'"),
        ("y, *x = 'b', 'a'\nx = x[0]", "'a'"),
        ("*y, x = 'b', 'c', 'a'", "'a'"),
        ("[x] = ['a']", "'a'"),
        ("y = {}\ny['k'] = 'a'\nx = y['k']", "'a'"),
        ("class C: pass\ny = C()\ny.k = 'a'\nx = y.k", "'a'"),
        ("class C: pass\nC.k = 'a'\nx = C.k", "'a'"),
        ("def f():\n    global x\n    x = 'a'\nf()", "'a'"),
        ("for x in ['a']: pass", "'a'"),
    ],
)
def test_a_name_has_what_was_assigned_to_it(code, words):
    lines = left(walked(f"{STARTS}{code}\nos.remove(x)\n"))
    assert f"os.remove({words})" in lines


def test_how_many_values_there_are_is_not_known_of_an_unknown_list():
    lines = left(walked(f"{STARTS}import sys\nx, *y = sys.stdin\nos.remove(x)\n"))
    assert any("os.remove(" in line and "'" not in line for line in lines)


def test_a_part_of_what_is_not_the_programs_own_is_left_as_an_assignment():
    assert "os.environ['A'] = 'b'" in left(walked("import os\nos.environ['A'] = 'b'\n"))


def test_setting_the_class_of_something_may_make_it_anything_else():
    assert not walked("class C: pass\nx = C()\nx.__class__ = C\n").is_whole


def test_a_property_may_run_anything_when_it_is_set():
    code = "class C:\n    @property\n    def k(self): return 1\nx = C()\nx.k = 2\n"
    assert not walked(code).is_whole


def test_an_item_is_set_by_the_method_of_its_class():
    code = (
        "import os\nclass C:\n    def __setitem__(self, key, value): os.remove(value)\n"
        "x = C()\nx['k'] = 'a'\n"
    )
    assert "os.remove('a')" in left(walked(code))
