"""The statements of a Python program that is followed."""

from __future__ import annotations

import pytest
from tests.shell.code.python.test_trace import left, traced

LEFT = {
    "what an error may lead to": (
        {"x.py": "import os\ntry:\n    raise ValueError\nexcept ValueError:\n    os.remove('a')"},
        "os.remove('a')",
    ),
    "a counter in a loop of unknown length": (
        {
            "x.py": "import os, sys\nn = 0\nfor line in sys.stdin:\n    n += 1\n    if n == 7:\n"
            "        os.remove('a')"
        },
        "os.remove('a')",
    ),
    "a switch that may be turned before a loop ends": (
        {
            "x.py": "import os, sys\ndry = True\nfor line in sys.stdin:\n    if line:\n"
            "        dry = False\n        break\n"
            "if not dry:\n    os.remove('a')"
        },
        "os.remove('a')",
    ),
    "what is done at last": (
        {"x.py": "import os\ntry:\n    print(1)\nfinally:\n    os.remove('a')"},
        "os.remove('a')",
    ),
    "a case that may be the one": (
        {"x.py": "import os, sys\nmatch input():\n    case 'a':\n        os.remove('a')"},
        "os.remove('a')",
    ),
    "what a loop does that may run": (
        {"x.py": "import os\nwhile input():\n    os.remove('a')"},
        "os.remove('a')",
    ),
}


@pytest.mark.parametrize("case", LEFT.values(), ids=LEFT)
def test_what_a_statement_may_lead_to_is_left(case):
    files, expected, *where = case
    assert expected in "\n".join(left(traced(files), *where))


NOT_LEFT = {
    "a branch whose condition is known": (
        {
            "x.py": "import os\ndef main(really=False):\n    if really:\n        os.remove('a')\nmain()"
        }
    ),
    "what comes after a return": (
        {
            "x.py": "import os\ndef main(dry=True):\n    if dry:\n        return\n"
            "    os.remove('a')\nmain()"
        }
    ),
}


@pytest.mark.parametrize("files", NOT_LEFT.values(), ids=NOT_LEFT)
def test_what_a_statement_rules_out_is_not_left(files):
    found = traced(files)
    assert found.is_whole
    assert "os.remove" not in "\n".join(left(found))


NOT_WHOLE = {
    "all names of a library": "from os import *",
    "a class that makes classes": "class M(type):\n    pass\nclass A(metaclass=M):\n    pass",
    "a name of its own module that is not there": "from . import nothing",
}


@pytest.mark.parametrize("text", NOT_WHOLE.values(), ids=NOT_WHOLE)
def test_a_program_with_names_or_classes_from_elsewhere_is_not_whole(text):
    assert not traced({"x.py": text}).is_whole
