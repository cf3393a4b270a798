"""Classes, decorators and ``with`` in a Python program that is followed."""

from __future__ import annotations

import pytest
from tests.shell.code.python.test_trace import left, traced

from operators_edge.shell.code.python.classes import is_plain_base
from operators_edge.shell.code.python.residue import Residue
from operators_edge.shell.code.python.values import UNKNOWN

LEFT = {
    "a method of an object with a property": (
        {
            "x.py": "import os\nfrom dataclasses import dataclass\n@dataclass\nclass Place:\n"
            "    name: str\n"
            "    @property\n    def path(self):\n        return 'data/' + self.name\n"
            "    def drop(self):\n        os.remove(self.path)\nPlace('a').drop()"
        },
        "os.remove('data/a')",
    ),
    "what a method of the parent class does": (
        {
            "x.py": "import os\nclass A:\n    def go(self):\n        os.remove(self.name())\n"
            "class B(A):\n    def name(self):\n        return 'b'\n    def go(self):\n"
            "        super().go()\nB().go()"
        },
        "os.remove('b')",
    ),
    "what runs within a stand-in": (
        {
            "x.py": "import boto3\nfrom moto import mock_aws\nwith mock_aws():\n    boto3.client('s3')"
        },
        "with moto.mock_aws():\n    boto3.client('s3')",
    ),
    "a subclass of what other code calls": (
        {
            "x.py": "import os, lib\nclass A(lib.Task):\n    def later(self):\n        os.remove('a')"
        },
        "os.remove('a')",
    ),
    "what is done when a block is left": (
        {
            "x.py": "import os\nclass A:\n    def __enter__(self):\n        return 'a'\n"
            "    def __exit__(self, *error):\n        os.remove('b')\n"
            "with A() as name:\n    os.remove(name)"
        },
        "os.remove('a')\nos.remove('b')",
    ),
    "a field with a factory": (
        {
            "x.py": "import os\nfrom dataclasses import dataclass, field\ndef first():\n    return 'a'\n"
            "@dataclass\nclass A:\n    name: str = field(default_factory=first)\nos.remove(A().name)"
        },
        "os.remove('a')",
    ),
    "what a decorator of the program makes": (
        {
            "x.py": "import os\ndef twice(f):\n    def inner():\n        f('b')\n    return inner\n"
            "@twice\ndef go(name):\n    os.remove(name)\ngo()"
        },
        "os.remove('b')",
    ),
}


@pytest.mark.parametrize("case", LEFT.values(), ids=LEFT)
def test_what_the_methods_of_a_class_do_is_left(case):
    files, expected, *where = case
    assert expected in "\n".join(left(traced(files), *where))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("abc.ABC", True), ("pydantic.BaseModel", True), ("threading.Thread", False)],
)
def test_a_base_is_plain_if_it_calls_no_method_by_itself(name, expected):
    assert is_plain_base(Residue().library(name)) is expected
    assert not is_plain_base(UNKNOWN)
