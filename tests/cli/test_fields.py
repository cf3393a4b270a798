"""Some fields of an answer, by name."""

import json

import pytest

from operators_edge.cli import fields
from operators_edge.errors import UsageError

DATA = {"mode": "plan", "rules": [{"id": "a", "effect": "warn"}, {"id": "b"}], "empty": []}


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        (["mode"], {"mode": "plan"}),
        (["empty", "mode"], {"empty": [], "mode": "plan"}),
        (["rules.id"], {"rules": [{"id": "a"}, {"id": "b"}]}),
        (["rules.effect"], {"rules": [{"effect": "warn"}, {}]}),
    ],
)
def test_named_fields_are_kept_in_their_order_and_lists_are_gone_through(names, kept):
    assert fields.chosen(DATA, names) == kept
    assert list(fields.chosen(DATA, names)) == list(kept)


def test_a_field_that_is_nowhere_is_an_error_that_names_those_that_are():
    with pytest.raises(UsageError, match="no field mdoe; there are: empty, mode, rules"):
        fields.chosen(DATA, ["mdoe"])
    assert fields.chosen([], ["id"]) == []


def test_json_takes_the_names_of_fields(edge):
    code, out, _ = edge("status", "--json=mode,objective")
    assert (code, list(json.loads(out)["data"])) == (0, ["mode", "objective"])
    code, out, _ = edge("rules", "--json=id")
    assert (code, set(json.loads(out)["data"][0])) == (0, {"id"})
    code, out, _ = edge("status", "--json=nothing")
    assert (code, json.loads(out)["error"]["code"]) == (64, "usage")
