"""Contexts behave as those of Python's own module."""

import pytest

from operators_edge.contexts import contextmanager, suppress


def test_named_errors_and_their_kinds_are_suppressed_and_no_others():
    with suppress(OSError, ValueError):
        raise FileNotFoundError
    with suppress(OSError):
        pass
    with pytest.raises(KeyError), suppress(OSError):
        raise KeyError
    with pytest.raises(OSError, match="x"), suppress():
        raise OSError("x")


def test_a_generator_is_a_context_that_sees_errors_and_can_decorate():
    seen = []

    class Owner:
        @contextmanager
        def part(self, name, *, end):
            """Its text."""
            try:
                yield name
            except LookupError as error:
                seen.append(error)
            finally:
                seen.append(end)

    with Owner().part("a", end="z") as given:
        assert given == "a"
        raise LookupError
    assert [type(each) for each in seen] == [LookupError, str]
    assert Owner.part.__doc__ == "Its text."
    with pytest.raises(OSError, match="x"), Owner().part("b", end="y"):
        raise OSError("x")
