"""Which line a position is in."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.text.lines import line_at


@for_each(("at", "line"), [(0, 1), (1, 1), (2, 2), (3, 3), (4, 3)])
def test_a_position_is_in_the_line_that_its_character_is_in(at, line):
    assert line_at("a\n\nb", at) == line
