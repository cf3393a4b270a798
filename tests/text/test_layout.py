from operators_edge.text.layout import WIDTH, under
from operators_edge.text.wording import columns


def test_further_lines_stand_below_where_the_head_ends_or_at_the_indent():
    text = "word " * 40
    lines = under("Next:  ", text.strip())
    assert lines[0].startswith("Next:  word")
    assert len(lines) > 1
    assert all(each.startswith(" " * 7 + "word") for each in lines[1:])
    assert under("Next:  ", text.strip(), 2)[1].startswith("  word")


def test_no_line_is_wider_than_the_screen():
    assert all(columns(each) <= WIDTH for each in under("head: ", "wörter 語語語語 " * 30))


def test_a_text_that_fits_is_one_line():
    assert under("a: ", "b") == ["a: b"]
