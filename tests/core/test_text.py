import pytest

from operators_edge.core.text import amount, one_line


def test_what_a_terminal_would_obey_is_gone_and_lines_become_one():
    assert one_line("a\x1b[31mb\r\nc\u202ed\x07 e", 80) == "a [31mb c d e"


def test_a_long_text_is_cut_where_it_is_seen():
    assert one_line("x" * 50, 10) == "x" * 9 + "…"
    assert one_line("x" * 10, 10) == "x" * 10


def test_what_is_no_text_is_shown_as_python_writes_it():
    assert one_line(None, 10) == "None"
    assert one_line(7, 10) == "7"


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 kB"), (3_450_000, "3.45 MB")],
)
def test_amounts_are_told_in_the_unit_that_reads(size, text):
    assert amount(size) == text
