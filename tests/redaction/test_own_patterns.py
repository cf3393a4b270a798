"""Patterns of people and projects: those that could hang are refused, and the others are bounded."""

from __future__ import annotations

import time

import pytest

from operators_edge.redaction import own_patterns
from operators_edge.redaction.redact import Shape, redact


@pytest.mark.parametrize(
    "source",
    [
        r"acme-\d+",
        r"[A-Z]+-\d+-\w+",
        r"(?i)acme_[a-z]{10,}",
        r"corp-(?:dev|prod)-[0-9a-f]{32}",
        r"(?<=id:)\w{4,60}",
        r"acme-\w+-end",
        r"[^:]+:\d{1,9}:[a-z]{1,40}x",
    ],
)
def test_ordinary_patterns_are_taken_and_end_soon_on_texts_made_against_them(source):
    assert own_patterns.problem(source) == ""
    pattern = own_patterns.compiled(source)
    begun = time.monotonic()
    for text in (
        "a" * 20_000,
        "A-1-" * 5_000,
        "acme-" * 4_000,
        "acme-" + "a" * 20_000,
        "1:" * 9_000,
    ):
        pattern.sub("", text)
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("[", "is no regular expression"),
        ("x*", "matches an empty text"),
        (r"(a+)+b", "it repeats what contains a repetition"),
        (r"(a|a)*b", "it repeats what contains a repetition"),
        (r"(?:\w+\s)*x", "it repeats what contains a repetition"),
        (r"(a)\1", "it refers to a group"),
        (r"\w+\w+x", r"bound them, as in [a-z]{1,30}"),
        (r"(?i)[a-z]+A[a-z]+A", r"bound them, as in [a-z]{1,30}"),
        (r"(?=.*a)(?=.*b)c", r"bound them, as in [a-z]{1,30}"),
    ],
)
def test_a_pattern_that_could_hang_or_hide_everything_is_refused_and_why(source, why):
    assert why in own_patterns.problem(source)


def test_a_repetition_without_an_end_has_one():
    found = own_patterns.compiled(r"acme-\d+").match("acme-" + "1" * 5_000)
    assert found is not None
    assert len(found.group()) == len("acme-") + own_patterns.MAX_REPEATS


def test_a_list_of_patterns_says_which_one_is_wrong():
    assert own_patterns.problems("p", ["a1", "["])[0].startswith("p[1] is no regular expression")
    assert own_patterns.problems("p", "a") == ["p must be a list of texts"]
    assert own_patterns.problems("p", ["a"] * 101) == [
        "p has 101 patterns, at most 100 are allowed"
    ]


def test_what_a_pattern_matches_is_hidden():
    assert redact("an acme-123 b", values=[Shape(r"acme-\d+")]) == "an [REDACTED] b"


# end of module
