import re

import pytest

from operators_edge.text.patterns import pattern


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
