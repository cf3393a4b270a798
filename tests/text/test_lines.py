"""Which line a position is in, and which lines hold words."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.text.lines import line_at, lines_with


@for_each(("at", "line"), [(0, 1), (1, 1), (2, 2), (3, 3), (4, 3)])
def test_a_position_is_in_the_line_that_its_character_is_in(at, line):
    assert line_at("a\n\nb", at) == line


@for_each(
    ("text", "parts"),
    [
        ("", [""]),
        ("nothing\nhere", [""]),
        ("rm(a)", ["rm(a)"]),
        ("a\nrm(b)\nc\nd\ne", ["", "rm(b)\nc"]),
        ("rm\n\n  \n(a)\nb", ["rm\n\n  \n(a)"]),
        ("rm(a)\nrm(b)\nc\nd", ["rm(a)\nrm(b)\nc"]),
        ("rm(a)\nb\nc\ndelete(d); rm(e)\nf\ng", ["rm(a)\nb", "delete(d); rm(e)\nf"]),
    ],
)
def test_lines_with_a_word_are_found_with_the_line_that_may_continue_them(text, parts):
    assert [text[start:end] for start, end in lines_with(text, ("rm", "delete"))] == parts
