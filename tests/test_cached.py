"""What is kept behaves as with Python's own module."""

import functools

import pytest

from operators_edge import cached


class Owner:
    def __init__(self):
        self.made = 0

    @cached.cached_property
    def value(self):
        """Its text."""
        self.made += 1
        return self.made


def test_a_property_is_made_once_for_each_owner_and_again_when_it_was_deleted():
    owner, other = Owner(), Owner()
    assert (owner.value, owner.value, other.value) == (1, 1, 1)
    del owner.value
    assert owner.value == 2
    assert Owner.value.__doc__ == "Its text."


@pytest.mark.parametrize("lru_cache", [cached.lru_cache, functools.lru_cache])
def test_a_function_is_called_once_for_the_same_arguments_that_are_known(lru_cache):
    calls = []

    @lru_cache(maxsize=2)
    def double(number):
        """Its text."""
        calls.append(number)
        return 2 * number

    assert [double(each) for each in (1, 1, 2, 3, 1)] == [2, 2, 4, 6, 2]
    assert calls == [1, 2, 3, 1]
    assert tuple(double.cache_info()) == (1, 4, 2, 2)
    double.cache_clear()
    assert tuple(double.cache_info()) == (0, 0, 2, 0)
    assert (double.__name__, double.__doc__, double.__wrapped__(4)) == ("double", "Its text.", 8)
