"""The expressions of a Python program that is followed."""

from __future__ import annotations

import pytest
from tests.shell.code.python.test_trace import left, traced

LEFT = {
    "a text with values in it": (
        {"x.py": "import os\nname = 'a'\nos.remove(f'{name}/b')"},
        "os.remove('a/b')",
    ),
    "each item of a comprehension": (
        {"x.py": "import os\n[os.remove(one) for one in ('a', 'b')]"},
        "os.remove('a')\nos.remove('b')",
    ),
    "a value that is named where it is used": (
        {"x.py": "import os\nif (name := 'a'):\n    os.remove(name)"},
        "os.remove('a')",
    ),
    "a function without a name": (
        {"x.py": "import os\n(lambda name: os.remove(name))('a')"},
        "os.remove('a')",
    ),
    "the second of two, if the first may be false": (
        {"x.py": "import os\ninput() or os.remove('a')"},
        "os.remove('a')",
    ),
}


@pytest.mark.parametrize("case", LEFT.values(), ids=LEFT)
def test_what_an_expression_calls_is_left(case):
    files, expected, *where = case
    assert expected in "\n".join(left(traced(files), *where))


NOT_LEFT = {
    "the second of two, if the first is false": {
        "x.py": "import os\nDRY = False\nDRY and os.remove('a')"
    },
    "the other branch": {"x.py": "import os\nDRY = True\nprint(1) if DRY else os.remove('a')"},
    "an item that a comprehension leaves out": {
        "x.py": "import os\n[os.remove(one) for one in ('a', 'b') if False]"
    },
}


@pytest.mark.parametrize("files", NOT_LEFT.values(), ids=NOT_LEFT)
def test_what_an_expression_passes_over_is_not_left(files):
    found = traced(files)
    assert found.is_whole
    assert "os.remove" not in "\n".join(left(found))
