"""Which files of tests a command runs: those that it names, and what is around them."""

from __future__ import annotations

import os.path

from tests.gate.disk.test_follow import judged
from tests.gate.example_project import ROOT
from tests.tables import for_each

from operators_edge.gate.disk import suite_files

SUITE = {
    "conftest.py": "A = 1\n",
    "tests/conftest.py": "B = 1\n",
    "tests/test_a.py": "def test_a():\n    assert True\n",
    "tests/deep/conftest.py": "C = 1\n",
    "tests/deep/test_b.py": "def test_b():\n    assert True\n",
    "other/conftest.py": "D = 1\n",
    "other/test_c.py": "def test_c():\n    assert True\n",
    "node_modules/x/test_d.py": "def test_d():\n    assert True\n",
}


def followed(command, files=SUITE):
    verdict = judged(command, files, committed=tuple(files))
    return {os.path.relpath(one.path, ROOT) for one in verdict.followed}


@for_each(
    ("command", "tests"),
    [
        ("pytest tests/test_a.py", {"tests/test_a.py"}),
        ("pytest tests/test_a.py::test_a", {"tests/test_a.py"}),
        ("pytest tests/deep", {"tests/deep/test_b.py"}),
        ("pytest tests", {"tests/test_a.py", "tests/deep/test_b.py"}),
        ("pytest", {"tests/test_a.py", "tests/deep/test_b.py", "other/test_c.py"}),
    ],
)
def test_the_named_tests_run_or_all_of_them(command, tests):
    assert {one for one in followed(command) if "test_" in one} == tests


def test_the_fixtures_around_a_named_test_run():
    around = {one for one in followed("pytest tests/deep/test_b.py") if "conftest" in one}
    assert around == {"conftest.py", "tests/conftest.py", "tests/deep/conftest.py"}


def test_of_a_large_suite_some_are_read():
    files = {f"tests/d{at}/test_{at}.py": "A = 1\n" for at in range(5 * suite_files.MAX_TESTS)}
    assert 0 < len(followed("pytest", files)) <= 2 * suite_files.MAX_TESTS
