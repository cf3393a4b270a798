import unicodedata

import pytest

from operators_edge.text.wording import amount, columns, cut, escaped, fitted, one_line, printable


def test_what_a_terminal_would_obey_is_gone_and_lines_become_one():
    assert one_line("a\x1b[31mb\r\nc\u202ed\x07 e", 80) == "a [31mb c d e"


def test_a_long_text_is_cut_where_it_is_seen():
    assert one_line("x" * 50, 10) == "x" * 9 + "…"
    assert one_line("x" * 10, 10) == "x" * 10


def test_what_is_cut_or_made_printable_keeps_its_columns_and_what_may_stay():
    assert cut("a  b", 4) == "a  b"
    assert cut("a  bc", 4) == "a  …"
    assert printable("a\tb\n\x1b[1m") == "a b  [1m"
    assert printable("a\tb\n\x1b[1m", keep="\n\t") == "a\tb\n [1m"


@pytest.mark.parametrize(
    ("text", "room", "shown"),
    [
        ("設計を直す", 10, "設計を直す"),
        ("設計を直す", 9, "設計を直…"),
        ("設計を直す", 8, "設計を…"),
        ("größer", 6, "größer"),
        ("größer", 5, "größ…"),
        ("plain", 4, "pla…"),
    ],
)
def test_what_is_fitted_counts_the_columns_that_a_sign_takes(text, room, shown):
    assert fitted(text, room) == shown
    assert columns(shown) <= room


def test_signs_of_which_each_takes_a_column_are_told_without_a_table():
    signs = [*map(chr, range(0x300)), *map(chr, range(0x2010, 0x2027))]
    assert not [
        sign
        for sign in signs
        if unicodedata.combining(sign) or unicodedata.east_asian_width(sign) in "WF"
    ]
    assert columns("".join(signs)) == len(signs)


def test_what_is_no_text_is_shown_as_python_writes_it():
    assert one_line(None, 10) == "None"
    assert one_line(7, 10) == "7"


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 kB"), (3_450_000, "3.45 MB")],
)
def test_amounts_are_told_in_the_unit_that_reads(size, text):
    assert amount(size) == text


def test_what_a_terminal_would_act_on_is_spelled_out():
    assert escaped("a\tb\n\x1b[2J\u202e") == "a\\tb\\n\\x1b[2J\\u202e"
    assert escaped("a\tb\n\x1b", keep="\n\t") == "a\tb\n\\x1b"
    assert escaped("caf\udce9") == "caf\\xe9"
