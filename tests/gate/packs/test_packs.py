"""The packs as shipped: every example holds, and rules stay data."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.gate.examples import check_examples, judge_example
from operators_edge.gate.pack_files import SHIPPED
from operators_edge.gate.rules import Rules, compiled_packs, load, read_packs


@for_each("file", SHIPPED)
def test_every_example_and_every_safe_alternative_of_a_pack_holds(file):
    assert check_examples({file: read_packs()[file]}, load()) == []


def _rules_with(pack):
    return Rules(compiled_packs().extended({"own.toml": pack}).table())


def test_a_rule_that_is_only_added_as_data_is_in_force():
    pack = _own_pack(match=["frobnicate --all"], no_match=["frobnicate x"])
    rules = _rules_with(pack)
    assert check_examples({"own.toml": pack}, rules) == []
    assert judge_example("sudo frobnicate --all", rules).rule == "own-frobnicate"


def test_an_example_that_does_not_hold_is_named():
    pack = _own_pack(match=["frobnicate x"], no_match=["frobnicate --all"])
    rules = _rules_with(pack)
    found = check_examples({"own.toml": pack}, rules)
    assert len(found) == 2
    assert "own.toml: rule own-frobnicate: does not fire on 'frobnicate x'" in found


def test_an_alternative_that_the_gate_stops_is_named():
    pack = _own_pack(match=["frobnicate --all"], no_match=["ls"], instead="Rather: `rm -rf x`")
    rules = _rules_with(pack)
    found = check_examples({"own.toml": pack}, rules)
    assert any(
        "its own alternative 'rm -rf x' is stopped by fs-recursive-delete" in x for x in found
    )


def _own_pack(*, match, no_match, instead="Nothing."):
    return {
        "pack": {"name": "own", "summary": "for a test"},
        "rule": [
            {
                "id": "own-frobnicate",
                "effect": "junction",
                "type": "dangerous",
                "reason": "It frobnicates all.",
                "instead": instead,
                "when": [{"program": "frobnicate", "flag": ["--all"]}],
                "match": match,
                "no_match": no_match,
            }
        ],
    }


def test_no_subcommand_has_a_word_that_is_an_option_as_options_are_no_operands():
    found = [
        (file, rule["id"], path)
        for file, pack in read_packs().items()
        for rule in pack.get("rule", ())
        for when in rule["when"]
        for key in ("sub", "acts", "reads")
        for path in (when.get(key) or ())
        if any(word.startswith("-") for word in path.split())
    ]
    assert found == []
