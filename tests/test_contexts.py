"""Contexts behave as those of Python's own module."""

import contextlib

import pytest

from operators_edge.contexts import contextmanager, suppress
from tests.tables import for_each


def test_named_errors_and_their_kinds_are_suppressed_and_no_others():
    with suppress(OSError, ValueError):
        raise FileNotFoundError
    with suppress(OSError):
        pass
    with pytest.raises(KeyError), suppress(OSError):
        raise KeyError
    with pytest.raises(OSError, match="x"), suppress():
        raise OSError("x")


def test_a_generator_is_a_context_that_sees_errors():
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


def nothing():
    yield from ()


def twice():
    yield 1
    yield 2


def twice_after_an_error():
    try:
        yield 1
    except ValueError:
        yield 2


def swallowing():
    with contextlib.suppress(ValueError, StopIteration):
        yield 1


def replacing():
    try:
        yield 1
    except ValueError as error:
        raise KeyError("other") from error


def passing():
    yield 1


def failing_at_the_end():
    yield 1
    raise KeyError("end")


def outcome(context, fail):
    try:
        with context as given:
            fail()
    except BaseException as raised:  # noqa: BLE001 - what is compared
        return type(raised), raised.args if type(raised) is not RuntimeError else ()
    return "no error", given


@for_each("steps", [nothing, twice, swallowing, replacing, passing, failing_at_the_end])
def test_a_context_ends_as_one_of_pythons_own(steps):
    def fail():
        for error in errors:
            raise error("x")

    for errors in ([], [ValueError], [StopIteration], [RuntimeError], [GeneratorExit]):
        own, original = (
            outcome(each(steps)(), fail) for each in (contextmanager, contextlib.contextmanager)
        )
        assert own == original, errors


def test_a_generator_may_not_go_on_after_an_error():
    with pytest.raises(RuntimeError), contextmanager(twice_after_an_error)():
        raise ValueError
