"""JSON from others is read strictly."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from tests.properties import examples
from tests.tables import for_each

from operators_edge.bridge.json_text import MAX_BYTES, NotJson, read_object


@for_each(
    ("raw", "why"),
    [
        (b"", "not JSON: Expecting value (line 1, column 1)"),
        (b"[]", "not a JSON object"),
        (b"{", "not JSON"),
        (b'{"a": 1} x', "not JSON: Extra data (line 1, column 10)"),
        (b'{"a": "\xff"}', "not UTF-8 at byte 7"),
        ('{"a": 1}'.encode("utf-16"), "not UTF-8"),
        (b'{"a": 1, "a": 2}', "the key 'a' appears twice"),
        (b'{"a": NaN}', "NaN is not JSON"),
        (b'{"a": "\\ud800"}', "half of a surrogate pair"),
        (b'{"a": ' + b"[" * 30 + b"]" * 30 + b"}", "nested deeper"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested deeper"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "is too large for a number"),
        (b" " * (MAX_BYTES + 1), "larger than"),
    ],
)
def test_what_is_no_clear_object_is_refused_with_the_reason(raw, why):
    with pytest.raises(NotJson, match=why.replace("(", r"\(").replace(")", r"\)")):
        read_object(raw)


def test_a_byte_order_mark_is_no_problem():
    assert read_object(b'\xef\xbb\xbf{"a": {"b": [1, "\xc3\xa9"]}}') == {"a": {"b": [1, "é"]}}


@given(st.binary(max_size=60))
@examples(200)
def test_any_bytes_give_an_object_or_a_reason(raw):
    try:
        value = read_object(raw)
    except NotJson as error:
        value = {"why": str(error)}
    assert isinstance(value, dict)
    assert value.get("why") != ""
