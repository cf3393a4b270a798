import importlib
import pkgutil
import re

import pytest
from tests.tables import for_each

from operators_edge import gate, shell
from operators_edge.text.patterns import pattern

MODULES = [
    f"{package.__name__}.{each.name}"
    for package in (gate, shell)
    for each in pkgutil.iter_modules(package.__path__)
    if not each.ispkg
]


def test_a_pattern_answers_like_a_compiled_one():
    digits = pattern(r"(?i)n(\d+)")
    assert digits.search("a N12")[1] == "12"
    assert digits.findall("n1 n2") == ["1", "2"]
    assert digits.sub("x", "n1 n2") == "x x"
    assert digits.pattern == r"(?i)n(\d+)"


def test_a_wrong_pattern_is_noticed_at_its_first_use():
    wrong = pattern("(")
    with pytest.raises(re.error):
        wrong.search("a")


@for_each("name", MODULES)
def test_every_pattern_of_the_gate_and_the_shell_can_be_compiled(name):
    for value in vars(importlib.import_module(name)).values():
        if type(value).__name__ == "_Late":
            assert value.pattern
