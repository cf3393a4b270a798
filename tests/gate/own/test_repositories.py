"""Repositories that a line makes: what reaches one of them alone."""

from __future__ import annotations

from tests.gate.own.test_line_words import place_of, read
from tests.tables import for_each

from operators_edge.gate.own import repositories


@for_each(
    "text",
    [
        'W=$(mktemp -d); git clone -q . "$W/c"; git -C "$W/c" reset --hard v1',
        "git clone -q . /tmp/c && git -C /tmp/c clean -fd",
        "git init -q /tmp/c && git -C /tmp/c branch -D a",
    ],
)
def test_a_command_works_in_a_temporary_clone_of_the_line(text):
    line = read(text)
    assert repositories.is_in_clone(line, place_of(line, "git"))


@for_each(
    "text",
    [
        "git clone -q . c && git -C c clean -fd",  # not a temporary folder
        "git clone -q . /tmp/c; git -C /tmp/c clean -fd",  # it may be there already
        "git clone -q . /tmp/c && git -C /tmp/d clean -fd",
        "git clone -q . /tmp/c && GIT_DIR=/srv/c git -C /tmp/c clean -fd",
        "git clone -q . /tmp/c && git -C /tmp/c worktree list && git -C /tmp/c clean -fd",
        "git -C /tmp/c clean -fd",
    ],
)
def test_a_command_that_may_reach_another_repository_does_not(text):
    line = read(text)
    assert not repositories.is_in_clone(line, place_of(line, "git"))


def test_a_clone_that_is_there_already_is_not_new():
    line = read("git clone -q . /tmp/c && git -C /tmp/c clean -fd", {"/tmp/c/.git": "gitdir: x"})
    assert not repositories.is_in_clone(line, place_of(line, "git"))


@for_each(
    ("text", "is_own"),
    [
        ("git init -q --bare /tmp/r; git push /tmp/r main", True),
        ("git init -q --bare /tmp/r; git push -f file:///tmp/r main", True),
        ("git init -q /tmp/r; git push /tmp/r main", False),
        ("git init -q --bare /tmp/r; cp -r /srv/r /tmp/r; git push /tmp/r main", False),
        ("git init -q --bare /tmp/r; git remote add o x; git push /tmp/r main", False),
        ("git init -q --bare r; git push ./r main", False),
        ("git push /tmp/r main", False),
    ],
)
def test_a_push_goes_into_a_new_bare_repository_of_this_machine(text, is_own):
    line = read(text)
    assert repositories.is_pushed_into(line, place_of(line, "git")) == is_own
