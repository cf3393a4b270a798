"""Settings are read by the ending of their file, and what cannot be read is unknown."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.text.settings_files import OTHER, strings_in, values_at, values_of, yaml_of

TABLE = {"a": {"b": ["x", "y"]}}


@for_each(
    ("name", "text"),
    [
        ("x.json", '{"a": {"b": ["x", "y"]}}'),
        ("x.jsonc", '{"a": /* c */ {"b": ["x", "y",]}} // d'),
        (".x.json", '\ufeff{"a": {"b": ["x", "y"]}}'),
        ("x.toml", '[a]\nb = ["x", "y"]\n'),
        ("x.yaml", "a:\n  b: [x, y]\n"),
        ("x.yml", '{"a": {"b": ["x", "y"]}}'),
        (".xrc", '{"a": {"b": ["x", "y"]}}'),
        (".xrc", "a:\n  b: [x, y]\n"),
    ],
)
def test_the_ending_says_the_format(name, text):
    assert values_of(name, text) == TABLE
    assert values_of(name, text, yaml_of) == TABLE


@for_each(
    ("name", "text"),
    [
        *(("x.json", '{"a" 1}'), ("x.json", "["), ("x.json", "[" * 100_000)),
        *(("x.toml", "a ="), ("x.yaml", "a: !b c: d"), (".xrc", "{a: [}"), ("x.conf", "a: 1")),
    ],
)
def test_what_cannot_be_read_is_unknown(name, text):
    assert values_of(name, text) is None
    assert values_of(name, text, yaml_of) is None


def test_only_texts_are_certain_in_yaml():
    assert values_of("x.yaml", "a: b\nc: 0777\n", yaml_of) == {"a": "b", "c": OTHER}
    assert values_of("x.yaml", "a: &x b\nc: *x\n", yaml_of) is None


def test_a_place_names_keys_and_stands_for_any_of_them():
    assert list(values_at(TABLE, "a.b.*")) == ["x", "y"]
    assert list(values_at(TABLE, "*.b")) == [["x", "y"]]
    assert list(values_at(TABLE, "")) == [TABLE]
    assert not list(values_at(TABLE, "a.c")) + list(values_at(None, "a"))


def test_texts_are_found_in_lists_and_tables():
    assert list(strings_in({"a": ["x", {"b": "y"}], "c": 1})) == ["x", "y"]
