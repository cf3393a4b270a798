"""Our own ``NamedTuple`` is what the one of ``typing`` is."""

import copy
import typing

import pytest

from operators_edge import tuples


class Ours(tuples.NamedTuple):
    """Two fields, one with a default."""

    name: str
    ends: tuple[int, ...] = ()

    @property
    def last(self):
        return self.ends[-1]


class Theirs(typing.NamedTuple):
    """The same."""

    name: str
    ends: tuple[int, ...] = ()


MADE = [
    lambda kind: kind("a"),
    lambda kind: kind("a", (1, 2)),
    lambda kind: kind(name="a"),
    lambda kind: kind("a", ends=(3,)),
    lambda kind: kind._make(["a", (4,)]),
    lambda kind: kind("a")._replace(ends=(5,)),
]
REFUSED = [
    lambda kind: kind(),
    lambda kind: kind("a", (), 3),
    lambda kind: kind("a", name="b"),
    lambda kind: kind("a", other=1),
    lambda kind: kind(ends=()),
    lambda kind: kind._make(["a", (), 3]),
]


@pytest.mark.parametrize("make", MADE)
def test_one_is_made_like_the_original(make):
    ours, theirs = make(Ours), make(Theirs)
    assert (*ours,) == theirs == ours
    assert (ours.name, ours.ends) == (theirs.name, theirs.ends)
    assert hash(ours) == hash(theirs)
    assert ours._asdict() == theirs._asdict()
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")


@pytest.mark.parametrize("make", REFUSED)
def test_what_the_original_refuses_is_refused(make):
    for kind in (Ours, Theirs):
        with pytest.raises(TypeError):
            make(kind)


def test_its_class_says_the_same_of_itself():
    for name in ("_fields", "_field_defaults", "__match_args__", "__slots__"):
        assert getattr(Ours, name) == getattr(Theirs, name)
    assert not hasattr(Ours("a"), "__dict__")


def test_one_is_copied_whole():
    one = Ours("a", (1,))
    other = copy.deepcopy(one)
    assert (other, type(other)) == (one, Ours)
    assert one.last == 1


def test_its_fields_match_by_place():
    match Ours("a", (1,)):
        case Ours("a", ends):
            assert ends == (1,)


def test_a_class_derived_from_a_finished_one_keeps_its_fields():
    class More(Ours):
        def shout(self):
            return self.name.upper()

    assert More("a", (1,)).shout() == "A"
