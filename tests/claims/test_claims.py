"""The quick part of the false-done suite; ``make claims`` plays all of it."""

import pytest

from tests.claims.cases import CASES
from tests.claims.suite import chosen, play


@pytest.mark.parametrize("case", chosen(quick=True), ids=lambda case: case.name)
def test_every_verdict_is_the_true_one(case):
    bad = [each for each in play(case) if each.is_bad]
    assert bad == []


def test_there_are_enough_stories_and_no_two_of_one_name():
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names) >= 30
