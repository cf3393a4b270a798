import os

import pytest
from hypothesis import given, strategies as st
from tests.properties import examples

from operators_edge.system.realpaths import RealPaths

PARTS = [
    "a",
    "b",
    "link",
    "loop",
    "deep",
    "gone",
    ".hidden",
    "..",
    ".",
    "",
    "out",
    "back",
    "\udcff",
]


@pytest.fixture(scope="module")
def top(tmp_path_factory):
    """Folders, a link beside and one out of them, one that leads to itself, and one to nothing."""
    top = os.path.realpath(tmp_path_factory.mktemp("real"))
    os.makedirs(f"{top}/a/b/.hidden")
    os.makedirs(f"{top}/deep/a")
    os.symlink("a", f"{top}/link")
    os.symlink("../deep", f"{top}/a/out")
    os.symlink("loop", f"{top}/loop")
    os.symlink("nothing/here", f"{top}/a/gone")
    os.symlink("loop/..", f"{top}/back")
    return top


@examples(300)
@given(asked=st.lists(st.lists(st.sampled_from(PARTS), max_size=5), min_size=1, max_size=6))
def test_every_path_leads_where_the_library_says(top, asked):
    real = RealPaths()
    for parts in asked:
        path = "/".join([top, *parts])
        assert real.of(path) == os.path.realpath(path)


@pytest.mark.parametrize("path", ["/", "//", "/tmp/", "", ".", "here", "~", "/nowhere/at/all"])
def test_what_needs_no_look_is_what_the_library_says_too(path):
    assert RealPaths().of(path) == os.path.realpath(path)


@pytest.mark.parametrize("path", ["/tmp/\0", "/tmp/\ud800", "/nowhere/at/all/\ud800"])
def test_what_can_be_no_path_is_refused_as_by_the_library(path):
    with pytest.raises(ValueError, match=r"null|surrogates"):
        RealPaths().of(path)


def test_a_path_as_long_as_they_can_be_is_followed(top):
    path = f"{top}/link" + "/b" * 1900
    assert RealPaths().of(path) == os.path.realpath(path)


def test_a_link_that_was_put_in_afterwards_is_seen_by_the_next_question(tmp_path):
    one = os.path.join(os.path.realpath(tmp_path), "one")
    os.mkdir(one)
    assert RealPaths().of(f"{one}/x") == f"{one}/x"
    os.rmdir(one)
    os.symlink("/etc", one)
    assert RealPaths().of(f"{one}/x") == "/etc/x"
