"""Action items and summaries, as language models and people write them."""

import time

import pytest
from hypothesis import given, strategies as st
from tests.tables import for_each

from operators_edge.inquiry import research_answers

WANTED = ["Use Redis for sessions", "Set a TTL of 5 minutes"]

FORMS = {
    "a heading and dashes": "## Action items\n- Use Redis for sessions\n- Set a TTL of 5 minutes\n",
    "numbers": "# Next steps\n1. Use Redis for sessions\n2) Set a TTL of 5 minutes\n",
    "a bold line": "**Action Items:**\n\n* Use Redis for sessions\n\n* Set a TTL of 5 minutes\n",
    "words before a colon": "Actions:\n• Use Redis for sessions\n• Set a TTL of 5 minutes",
    "boxes": "### TODO\n- [ ] Use Redis for sessions\n- [x] Set a TTL of 5 minutes",
    "a ruled heading": "Action items\n------------\n+ Use Redis for sessions\n+ Set a TTL of 5 minutes",
    "a numbered heading": "## 4. Action items (in order)\n- Use Redis for sessions\n- Set a TTL of 5 minutes",
    "broken lines": "## Actions\n- Use Redis\n  for sessions\n- Set a TTL\n  of 5 minutes",
    "details below": "## Actions\n- Use Redis for sessions\n    - port 6379\n- Set a TTL of 5 minutes",
    "phases inside": "## Actions\n### First\n- Use Redis for sessions\n### Then\n- Set a TTL of 5 minutes",
    "an introduction": "## Actions\nDo these, in order:\n- Use Redis for sessions\n- Set a TTL of 5 minutes",
    "bold words": "## Actions\n- **Use Redis** for sessions\n- Set a **TTL** of 5 minutes",
    "Windows lines": "## Actions\r\n- Use Redis for sessions\r\n- Set a TTL of 5 minutes\r\n",
    "doubled": "## Actions\n- Use Redis for sessions\n- Set a TTL of 5 minutes\n- Use Redis for sessions",
}


@for_each("text", FORMS.values(), ids=FORMS)
def test_items_are_found_however_their_list_is_written(text):
    assert research_answers.action_items(
        f"# Report\n\nSome words.\n\n{text}\n\n## Sources\n- a link"
    ) == (
        WANTED,
        0,
    )


def test_other_lists_are_no_actions():
    text = "## Options\n- Redis\n- Memcached\n\n## Sources\n- https://example.org\n"
    assert research_answers.action_items(text) == ([], 0)
    assert research_answers.action_items("- do this\n- do that") == ([], 0)


def test_a_list_of_actions_wins_and_recommendations_only_count_without_one():
    only = "## Recommendations\n- prefer Redis\n"
    assert research_answers.action_items(only) == (["prefer Redis"], 0)
    assert research_answers.action_items(only + "\n## Action items\n- pin it\n") == (["pin it"], 0)


def test_a_tab_behind_the_marks_makes_a_heading_as_well():
    assert research_answers.action_items("#\tNext steps\n- one")[0] == ["one"]


def test_a_list_inside_code_is_not_an_action():
    assert research_answers.action_items("## Actions\n```\n- rm -rf build\n```\n- clean up\n") == (
        ["clean up"],
        0,
    )


def test_a_long_list_says_how_much_of_it_was_left():
    items, more = research_answers.action_items(
        "## Actions\n" + "".join(f"- do {n}\n" for n in range(25))
    )
    assert (len(items), more) == (20, 5)


def test_the_summary_is_what_says_so_and_else_the_first_paragraph():
    text = "# Caches\n\nLong ago\nthere was RAM.\n\nMore.\n\n## TL;DR\nTake Redis.\n"
    assert research_answers.summary(text, 100) == "Take Redis."
    assert (
        research_answers.summary(text.split("##", maxsplit=1)[0], 100) == "Long ago there was RAM."
    )
    assert research_answers.summary("- one\n- two", 100) == "- one - two"
    assert research_answers.summary("x" * 50, 10) == "x" * 9 + "…"


@given(st.text(alphabet="#*-=_:1. \n\tab[]()`•", max_size=200))
def test_any_text_is_read_to_its_end(text):
    items, more = research_answers.action_items(text)
    assert all(each and "\n" not in each for each in items)
    assert more >= 0
    assert "\n" not in research_answers.summary(text, 50)


def test_reading_takes_time_in_step_with_the_length():
    for sign in ("#", "*", "a", " ", "-", "a b", "**a", "1. ", "- [ ", "(a"):
        research_answers.action_items(sign * 100_000)
        research_answers.summary(f"{sign}\n" * 50_000, 100)
        research_answers.action_items(f"# a{sign * 50_000}b")


@pytest.mark.parametrize(
    ("start", "piece", "count"),
    [
        ("", "# Next steps\n", 38_000),
        ("", "# Next steps\n- a\n", 29_000),
        ("# Steps\n- a\n", " b\n", 166_000),
    ],
    ids=["headings", "headings with items", "one long item"],
)
def test_half_a_million_characters_are_read_in_a_moment(start, piece, count):
    text = start + piece * count
    begun = time.process_time()
    research_answers.action_items(text)
    research_answers.summary(text, 500)
    assert time.process_time() - begun < 8  # some 1.4
