"""What Python's own functions do to a program that is followed."""

from __future__ import annotations

import pytest
from tests.shell.code.python.test_trace import left, traced

LEFT = {
    "a value of a file": (
        {
            "x.py": "import json, requests\nwith open('c.json') as f:\n    c = json.load(f)\n"
            "requests.post(c['at'][0])",
            "c.json": '{"at": ["https://a.example"]}',
        },
        "requests.post('https://a.example')",
    ),
    "a callback": (
        {"x.py": "import atexit, os\ndef end():\n    os.remove('a')\natexit.register(end)"},
        "os.remove('a')",
    ),
    "a thread with its arguments": (
        {"x.py": "import os, threading\nthreading.Thread(target=os.remove, args=('a',)).start()"},
        "threading.Thread(target=os.remove, args=('a',))",
    ),
    "a method by a name that is not known": (
        {
            "x.py": "import os, sys\nclass A:\n    def go(self):\n        os.remove('a')\n"
            "getattr(A(), input())()"
        },
        "os.remove('a')",
    ),
    "a path that functions put together": (
        {"x.py": "import os\nos.remove(os.path.join(os.path.dirname('a/b'), 'c'))"},
        "os.remove('a/c')",
    ),
    "a function with some of its arguments": (
        {
            "x.py": "import os\nfrom functools import partial\ndef go(a, b):\n    os.remove(a + b)\n"
            "partial(go, 'a')('b')"
        },
        "os.remove('ab')",
    ),
    "each item that a function is mapped over": (
        {"x.py": "import os\ndef go(a):\n    os.remove(a)\nlist(map(go, ['a', 'b']))"},
        "os.remove('a')\nos.remove('b')",
    ),
    "an attribute by its name": (
        {
            "x.py": "import os\nclass A:\n    pass\na = A()\nsetattr(a, 'x', 'b')\nos.remove(getattr(a, 'x'))"
        },
        "os.remove('b')",
    ),
}


@pytest.mark.parametrize("case", LEFT.values(), ids=LEFT)
def test_a_call_of_a_known_function_is_computed_or_calls_back(case):
    files, expected, *where = case
    assert expected in "\n".join(left(traced(files), *where))


NOT_WHOLE = {
    "code that is computed": "exec(input())",
    "a module that is computed": "import importlib\nimportlib.import_module(input())",
    "all names of a module": "globals()['x']()",
}


@pytest.mark.parametrize("text", NOT_WHOLE.values(), ids=NOT_WHOLE)
def test_a_program_with_a_call_that_may_run_anything_is_not_whole(text):
    assert not traced({"x.py": text}).is_whole


def test_nothing_comes_after_an_exit():
    found = traced({"x.py": "import os, sys\nsys.exit(0)\nos.remove('a')"})
    assert found.is_whole
    assert "os.remove('a')" not in left(found)
