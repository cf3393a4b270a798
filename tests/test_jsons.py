"""Texts are read and written as Python's own package does it, errors included."""

import json
import subprocess
import sys

import pytest
from hypothesis import given, strategies as st

from operators_edge import jsons
from tests.processes import SOURCE

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def outcome(act, *given_, **options):
    try:
        return repr(act(*given_, **options))
    except Exception as error:  # noqa: BLE001 - compared
        return type(error).__name__, str(error)


@given(values, st.booleans(), st.booleans(), st.sampled_from([(",", ":"), (", ", ": ")]))
def test_a_value_is_written_as_by_the_package_and_read_back(value, is_ascii, is_sorted, separators):
    options = {"ensure_ascii": is_ascii, "sort_keys": is_sorted, "separators": separators}
    text = jsons.dumps(value, **options)
    assert text == json.dumps(value, **options)
    assert jsons.loads(text) == value
    assert jsons.loads(text.encode("utf-8", "surrogatepass")) == value


@pytest.mark.parametrize(
    "text", ['{"a": 1}', "[NaN, -Infinity, 1.5e300, 12345678901234567890]", '"é"']
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32-be"])
def test_every_encoding_that_json_may_have_is_read(text, encoding):
    assert repr(jsons.loads(text.encode(encoding))) == repr(json.loads(text))


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "  ",
            "{",
            "[1,]",
            "[1]x",
            "1 2",
            "\ufeff1",
            '"a\nb"',
            '{"a": 1, "a": 2}',
            "nul",
            " 7 \n",
        ),
        *("[" * 100_000, "9" * 5_000, "\u00a01", b"\xff", b"", b"[1]\x00"),
    ],
)
def test_what_is_no_json_is_refused_with_the_same_words(text):
    assert outcome(jsons.loads, text) == outcome(json.loads, text)
    assert outcome(jsons.loads, text, object_pairs_hook=tuple) == outcome(
        json.loads, text, object_pairs_hook=tuple
    )


@pytest.mark.parametrize("value", [{1: 2, None: 3}, {(1, 2): 3}, {1, 2}, object, b"x", (1, "a")])
def test_what_cannot_be_written_is_refused_as_by_the_package(value):
    assert outcome(jsons.dumps, value) == outcome(json.dumps, value)


def test_a_value_within_itself_and_a_number_that_json_lacks_are_refused():
    circle = []
    circle.append(circle)
    assert outcome(jsons.dumps, circle) == outcome(json.dumps, circle)
    assert jsons.dumps(float("nan")) == "NaN"
    assert outcome(jsons.dumps, float("nan"), allow_nan=False)[0] == "ValueError"


def test_a_process_without_the_package_is_told_the_same_errors():
    texts = [
        "{",
        '{"a" 1}',
        '{"a": 1,}',
        "[1 2]",
        '"a',
        '"\\x"',
        "",
        "nul",
        "{1: 2}",
        '"\\ud8"',
    ]
    code = (
        f"import sys; sys.path.append({SOURCE!r})\n"
        "from operators_edge import jsons\n"
        f"for text in {texts!r}:\n"
        "    for name in [each for each in sys.modules if each.partition('.')[0] == 'json']:\n"
        "        del sys.modules[name]\n"
        "    try:\n"
        "        jsons.loads(text)\n"
        "    except ValueError as error:\n"
        "        print(type(error).__name__, error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [" ".join(outcome(json.loads, each)) for each in texts]


def test_without_the_compiled_parts_the_package_does_it(monkeypatch):
    monkeypatch.setattr(jsons, "compiled", None)
    monkeypatch.setattr(jsons, "_read", None)
    assert jsons.loads('{"a": [1]}', object_pairs_hook=dict) == {"a": [1]}
    assert (
        jsons.dumps({"b": 1, "a": "é"}, sort_keys=True, ensure_ascii=False) == '{"a": "é", "b": 1}'
    )


def test_an_object_with_a_key_twice_is_refused_by_its_name():
    read = jsons.without_repeats
    assert jsons.loads('{"a": {"b": 1}}', object_pairs_hook=read) == {"a": {"b": 1}}
    with pytest.raises(jsons.RepeatedKeyError, match="the key 'b' appears twice"):
        jsons.loads('{"a": {"b": 1, "c": 2, "b": 3}}', object_pairs_hook=read)
