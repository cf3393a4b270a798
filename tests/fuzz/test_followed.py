"""Files with a dangerous line in any form, run by any spelling: they are read, and stopped.

A small part of what ``make fuzz`` runs.
"""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tests.fuzz.check import fault
from tests.fuzz.followed import (
    CHANGES,
    KINDS,
    LINES,
    ON_PURPOSE,
    Followed,
    followed,
    is_stopped,
    made,
)
from tests.growth import is_linear
from tests.properties import examples
from tests.tables import for_each

SEED = 20_260_101


def test_files_with_dangerous_lines_are_stopped():
    found = [one for seed in range(SEED, SEED + 150) if (one := fault(seed, "followed"))]
    assert not found, "\n".join(map(str, found))


@pytest.mark.parametrize("name", KINDS)
def test_every_form_and_every_spelling_is_stopped(name):
    kind = KINDS[name]
    ways = [(form, kind.spellings[0], kind.calls[0]) for form in kind.forms]
    ways += [(kind.forms[0], spelling, kind.calls[0]) for spelling in kind.spellings]
    ways += [(kind.forms[0], kind.spellings[0], call) for call in kind.calls]
    missed = [way for way in ways if not is_stopped(made(name, *way, LINES[0]))]
    assert [way for way in missed if (name, way[1]) not in ON_PURPOSE] == []


@examples(60)
@given(st.integers(0, 10**9), st.sampled_from(CHANGES))
def test_a_change_that_keeps_what_a_file_does_keeps_it_stopped(seed, change):
    one = followed(seed)
    files = {name: change(text) for name, text in one.files.items()}
    assert is_stopped(Followed(one.command, files, one.names))


@examples(60)
@given(st.integers(0, 10**9), st.integers(0), st.text(max_size=4))
def test_any_change_of_a_file_is_judged(seed, place, change):
    one = followed(seed)
    files = {}
    for name, text in one.files.items():
        at = place % len(text)
        files[name] = text[:at] + change + text[at + 1 :]
    is_stopped(Followed(one.command, files, one.names))  # without an error


@for_each("name", KINDS)
@for_each("piece", ["(", "{", "a = b\n", "if a:\n", "x: y\n", "\\\n", '"', "#", "$(", " " * 8])
def test_the_time_to_judge_a_file_grows_with_its_length(name, piece):
    kind = KINDS[name]

    def judge(length):
        text = piece * (length // len(piece))
        is_stopped(Followed(kind.spellings[0], {kind.name: text}, ()))

    judge(10)
    assert is_linear(judge, 8_000)
