"""Marks stay on their words, whatever is done to the text around them."""

import pytest
from hypothesis import given, strategies as st

from operators_edge.text.markup import (
    LONGEST_MARK,
    MarkedText,
    hanging_indent,
    merged,
    redacted_text,
    shortened,
    underlined,
    wrapped,
)
from operators_edge.text.wording import WIDTH, columns, lay_out_for


def spans_of(text, *words):
    return [(text.index(word), text.index(word) + len(word)) for word in words]


def words_of(marked):
    return [marked.text[start:end] for start, end in marked.marks]


def test_marks_follow_their_words_when_a_secret_before_them_is_hidden():
    text = "TOKEN=abcdefgh12345678 curl -X DELETE https://example.com --force"
    done = redacted_text(text, spans_of(text, "-X", "DELETE", "--force"))
    assert "abcdefgh" not in done.text
    assert words_of(done) == ["-X", "DELETE", "--force"]


def test_a_marked_word_that_holds_a_secret_stays_marked_without_it():
    text = "curl -X POST https://ann:hunter2hunter2@example.com/x && git push"
    done = redacted_text(
        text, spans_of(text, "POST", "https://ann:hunter2hunter2@example.com/x", "push")
    )
    assert "hunter2" not in done.text
    assert words_of(done) == ["POST", "https://ann:[REDACTED]@example.com/x", "push"]


def test_a_value_of_the_environment_is_hidden_and_a_mark_inside_it_covers_its_sign():
    text = "push correct-horse-battery now"
    done = redacted_text(text, [(7, 12), *spans_of(text, "now")], values=["correct-horse-battery"])
    assert words_of(done) == ["[REDACTED]", "now"]


def test_what_a_terminal_would_obey_is_made_visible_and_marks_stay():
    text = "echo \x1b[2K\x07\r\u202erm\x9b x\x7f\n\tgit push"
    done = redacted_text(text, spans_of(text, "rm", "push"))
    assert done.text == "echo ␛[2K␇␍�rm� x␡\n git push"
    assert words_of(done) == ["rm", "push"]


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([(3, 5), (0, 2)], ((0, 2), (3, 5))),
        ([(0, 3), (2, 5), (5, 6)], ((0, 6),)),
        ([(4, 4), (-3, 1), (9, 40), (50, 60)], ((0, 1), (9, 10))),
    ],
)
def test_marks_are_in_order_apart_and_within_the_text(spans, expected):
    assert merged(spans, 10) == expected


def test_a_long_text_is_cut_around_its_marks():
    text = "a" * 500 + " git push " + "b" * 500 + " --force " + "c" * 500
    done = shortened(MarkedText(text, tuple(spans_of(text, "git push", "--force"))), 120)
    assert words_of(done) == ["git push", "--force"]
    assert len(done.text) <= 130
    assert done.text.count("…") == 3


def test_of_a_very_long_mark_both_ends_are_shown():
    text = "psql -c '" + "x" * 2000 + "'"
    done = shortened(MarkedText(text, ((8, len(text)),)), 300)
    assert words_of(done)[0].startswith("'xx")
    assert words_of(done)[1].endswith("xx'")
    assert sum(map(len, words_of(done))) == LONGEST_MARK


def test_a_long_text_without_marks_keeps_its_beginning():
    assert shortened(MarkedText("x" * 50), 10) == MarkedText("x" * 10 + "…")


@given(
    st.text(alphabet="ab \n", min_size=200, max_size=600),
    st.lists(st.integers(0, 600), max_size=8),
    st.integers(20, 100),
)
def test_no_mark_is_ever_hidden_by_shortening(text, starts, limit):
    marks = merged([(start, start + 5) for start in starts], len(text))
    done = shortened(MarkedText(text, marks), limit)
    assert "".join(words_of(done)) == "".join(text[start:end] for start, end in marks)


def test_carets_stand_below_the_marked_words_on_every_line():
    text = "git push --force origin main"
    assert underlined(MarkedText(text, tuple(spans_of(text, "push", "--force", "main"))), 18) == [
        "git push --force",
        "    ^^^^ ^^^^^^^",
        "origin main",
        "       ^^^^",
    ]


def test_carets_are_as_wide_as_wide_characters():
    text = "rm 文件 x"
    assert underlined(MarkedText(text, tuple(spans_of(text, "文件"))), 40) == [
        "rm 文件 x",
        "   ^^^^",
    ]


def test_text_is_wrapped_at_blanks_and_a_long_word_is_broken():
    assert wrapped("one two three", 8) == ["one two", "three"]
    assert wrapped("x" * 10, 4) == ["xxxx", "xxxx", "xx"]
    assert wrapped("a\n\nb", 4) == ["a", "", "b"]
    assert wrapped("", 4) == [""]


@given(st.text(max_size=200), st.integers(2, 30))
def test_no_line_is_wider_than_asked(text, width):
    assert all(columns(line) <= width for line in wrapped(text, width))


def test_further_lines_stand_below_where_the_head_ends_or_at_the_indent():
    text = "word " * 40
    lines = hanging_indent("Next:  ", text.strip())
    assert lines[0].startswith("Next:  word")
    assert len(lines) > 1
    assert all(each.startswith(" " * 7 + "word") for each in lines[1:])
    assert hanging_indent("Next:  ", text.strip(), 2)[1].startswith("  word")


def test_no_line_is_wider_than_the_screen():
    assert all(columns(each) <= WIDTH for each in hanging_indent("head: ", "wörter 語語語語 " * 30))


def test_a_text_that_fits_is_one_line():
    assert hanging_indent("a: ", "b") == ["a: b"]


def test_on_a_narrow_screen_text_is_laid_out_for_its_width():
    text = "a question that a person has to answer before the work goes on, and why it is asked"
    try:
        for given, width in ((60, 60), (40, 40), (10, 32), (200, 80)):
            lay_out_for(given)
            rows = hanging_indent("Pending    ", text)
            assert max(map(len, rows)) <= width
            assert " ".join(" ".join(rows).split()) == f"Pending {text}"
    finally:
        lay_out_for(WIDTH)
