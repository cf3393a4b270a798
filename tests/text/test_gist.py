import pytest
from hypothesis import given, strategies as st
from tests.properties import examples

from operators_edge.text.gist import GAP, gist, matters

LONG = (
    "Please look at the report generator. It is old. Nobody knows how it was written. "
    "The column order must not change. It runs at night. We like it. Show me a diff."
)


def test_a_text_that_fits_stays_as_it_is_on_one_line():
    assert gist("one\n\ntwo", 20) == "one two"


def test_the_limit_in_the_middle_stays_and_what_says_little_goes():
    short = gist(LONG, 110)
    assert short.startswith("Please look at the report generator.")
    assert "The column order must not change." in short
    assert "We like it" not in short
    assert GAP in short
    assert len(short) <= 110


def test_code_and_the_markup_of_lists_are_left_out_of_what_is_shortened():
    text = "Done so far:\n```\nx = 1\n```\n- [ ] the second part is still missing\n" + "More. " * 40
    short = gist(text, 80)
    assert "the second part is still missing" in short
    assert "x = 1" not in short
    assert "- [" not in short


@pytest.mark.parametrize(
    "text",
    [
        "leave the schema alone",
        "Is that right?",
        "Die Vorlagen dürfen nicht verändert werden",
        "il reste deux fichiers",
        "falta la segunda parte",
        "не трогай миграции",
        "不要修改数据库",
        "まだ終わっていません",
    ],
)
def test_limits_and_what_remains_matter_in_many_languages(text):
    assert matters(text)
    assert text in gist(f"Erste Zeile hier. {'Etwas anderes. ' * 30}{text}. {'Etwas. ' * 30}", 120)


@given(st.text(max_size=400), st.integers(1, 200))
@examples(200)
def test_it_never_exceeds_its_room_and_is_one_printable_line(text, room):
    short = gist(text, room)
    assert len(short) <= room
    assert short.isprintable()
