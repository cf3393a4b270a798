"""Which line a position is in, and which lines hold words."""

from __future__ import annotations

import re

from tests.tables import for_each

from operators_edge.text.lines import line_at, lines_with, matches_beside


@for_each(("at", "line"), [(0, 1), (1, 1), (2, 2), (3, 3), (4, 3)])
def test_a_position_is_in_the_line_that_its_character_is_in(at, line):
    assert line_at("a\n\nb", at) == line


@for_each(
    ("text", "parts"),
    [
        ("", [""]),
        ("nothing\nhere", [""]),
        ("rm(a)", ["rm(a)"]),
        ("z\na\nrm(\nb,\nc,\nd\n)\ne", ["", "a\nrm(\nb,\nc,\nd"]),
        ("z\na\n\nrm\n\n  \n(a)\nb", ["", "a\n\nrm\n\n  \n(a)\nb"]),
        ("rm(a)\nrm(b)\nc\nd\ne\nf", ["rm(a)\nrm(b)\nc\nd\ne"]),
        (
            "rm(a)\nb\nc\nd\ne\nf\ndelete(g); rm(h)\ni",
            ["rm(a)\nb\nc\nd", "f\ndelete(g); rm(h)\ni"],
        ),
    ],
)
def test_lines_with_a_word_are_found_with_those_that_may_be_part_of_its_call(text, parts):
    assert [text[start:end] for start, end in lines_with(text, ("rm", "delete"))] == parts


@for_each("source", [r"\brm\s*\(\w+\)|unlink\(\w\)", r"(?i)rm\s*\(\w+\)", r"\w+\s*\(\w+\)"])
def test_matches_beside_the_words_that_a_pattern_needs_are_all_of_its_matches(source):
    text = "a = 1\nrm(b)\nfor x in y:\n  unlink(c); RM\n\n (d)\nrm\n(e)\n"
    found = [one.span() for one in matches_beside(re.compile(source), text)]
    assert found == [one.span() for one in re.finditer(source, text)]
