import json

import pytest
from hypothesis import given, strategies as st

from operators_edge.errors import StateDamaged
from operators_edge.hosts.claude.settings_edit import SettingsText

words = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
documents = st.dictionaries(words, values, max_size=4)
layouts = st.sampled_from(
    [
        {"indent": 2},
        {"indent": 4},
        {"indent": "\t"},
        {"indent": 0},
        {},
        {"separators": (",", ":")},
        {"indent": 3, "separators": (" , ", " : "), "ensure_ascii": False},
    ]
)
ends = st.sampled_from(["", "\n", "  \n\n"])
papers = st.tuples(layouts, ends, st.booleans())
items = values.filter(lambda value: value is not None)


def document(value, layout, end, is_windows):
    text = json.dumps(value, **layout) + end
    return text.replace("\n", "\r\n") if is_windows else text


@given(documents, papers, items)
def test_adding_changes_the_value_by_the_item_alone_and_taking_it_out_restores_every_byte(
    value, paper, item
):
    value.pop("hooks", None)
    before = document(value, *paper)
    text = SettingsText(before, "s.json")
    text.append(("hooks", "Stop"), item)
    assert text.value == {**value, "hooks": {"Stop": [item]}}
    text.remove(("hooks",))
    assert text.text == before


@given(documents, st.lists(values, max_size=3), papers, items)
def test_an_item_behind_others_comes_and_goes_without_touching_them(value, others, paper, item):
    value["hooks"] = {"Stop": others}
    before = document(value, *paper)
    text = SettingsText(before, "s.json")
    text.append(("hooks", "Stop"), item)
    assert text.value == {**value, "hooks": {"Stop": [*others, item]}}
    text.remove(("hooks", "Stop", len(others)))
    assert text.text == before


@given(st.lists(values, min_size=2, max_size=4), layouts, st.data())
def test_any_item_can_be_taken_out_and_the_rest_stays_valid(others, layout, data):
    index = data.draw(st.integers(0, len(others) - 1))
    text = SettingsText(document({"a": others}, layout, "\n", False), "s.json")
    text.remove(("a", index))
    assert text.value == {"a": others[:index] + others[index + 1 :]}


def test_a_new_item_is_laid_out_like_its_neighbours():
    text = SettingsText('{\n    "hooks": {\n        "Stop": []\n    }\n}\n', "s.json")
    text.append(("hooks", "Stop"), {"a": 1})
    assert text.text == (
        '{\n    "hooks": {\n        "Stop": [\n            {\n                "a": 1\n'
        "            }\n        ]\n    }\n}\n"
    )


def test_a_file_on_one_line_stays_on_one_line():
    text = SettingsText('{"a": 1}', "s.json")
    text.append(("hooks", "Stop"), 2)
    assert text.text == '{"a": 1, "hooks": {"Stop": [2]}}'


@pytest.mark.parametrize(
    ("content", "place", "words"),
    [
        ("", "s.json:1:1", "not valid JSON"),
        ('{\n  "a": ]\n}', "s.json:2:8", "not valid JSON"),
        ('{\n  // mine\n  "a": 1\n}', "s.json:2:3", "comments are not allowed"),
        ('\ufeff{"a": 1}', "s.json:1:1", "byte order mark"),
        ("[1]", "s.json:1:1", "not a JSON object"),
        ('{"hooks": 3}', "s.json:1:11", "hooks is not an object"),
        ('{"hooks": {"Stop": {}}}', "s.json:1:20", "hooks.Stop is not a list"),
        ('{"hooks": {},\n "hooks": {}}', "s.json:2:2", "a second time"),
        ("[" * 100_000, "s.json", "nested too deeply"),
    ],
)
def test_a_text_that_cannot_be_changed_is_refused_with_its_place(content, place, words):
    with pytest.raises(StateDamaged) as refusal:
        SettingsText(content, "s.json").append(("hooks", "Stop"), 1)
    assert str(refusal.value).startswith(f"{place}: ")
    assert words in str(refusal.value)
