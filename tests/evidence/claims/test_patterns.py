import importlib
import pkgutil

import pytest
from tests.tables import for_each

from operators_edge.evidence import claims
from operators_edge.evidence.claims.parsing import Words, words

MODULES = [each.name for each in pkgutil.iter_modules(claims.__path__)]


@for_each("name", MODULES)
def test_every_pattern_can_be_compiled(name):
    module = importlib.import_module(f"operators_edge.evidence.claims.{name}")
    for value in vars(module).values():
        for each in value.values() if isinstance(value, dict) else (value,):
            if type(each).__name__ == "_Late":
                assert each.pattern
            if isinstance(each, Words):
                assert not each.search("")


@pytest.mark.parametrize("text", ["It FAILED", "red", "tests", "a test", "left  out", "isn't"])
def test_words_are_found_in_every_form_that_they_name(text):
    assert words("fail\\w* red tests? left_out", r"n't\b").search(text)


@pytest.mark.parametrize("text", ["", "a-b", "infrared", "testsuite", "unfailing", "left or out"])
def test_words_are_not_found_inside_others(text):
    assert not words("fail\\w* red tests? left_out", r"n't\b").search(text)


def test_a_text_that_is_one_of_the_words_is_told_from_one_that_holds_it():
    ours = words("fail\\w* tests? left_out")
    assert ours.fullmatch("Failing")
    assert ours.fullmatch("left out")
    assert not ours.fullmatch("one test")
