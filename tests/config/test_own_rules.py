"""Own rules and programs: they fire, make nothing milder, and a wrong one is left out alone."""

from __future__ import annotations

import typing

from hypothesis import given, strategies as st
from tests.config.example_layers import (
    OWN_FILES,
    OWN_RULE,
    PROJECT,
    SHIPPED,
    judged,
    rules_of,
)
from tests.gate.example_project import ROOT
from tests.properties import examples

from operators_edge.config import own_rules, schema
from operators_edge.config.layers import remarks
from operators_edge.config.own_rules import packs_of
from operators_edge.config.schema import Source
from operators_edge.gate.examples import check_examples
from operators_edge.gate.pack_schema import PROGRAM_KEYS, RULE_KEYS, WHEN_KEYS
from operators_edge.model import SEVERITY


def test_an_own_rule_fires_and_its_words_wake_the_parser():
    rules = rules_of(None, {"rule": [OWN_RULE]})
    verdict = judged("frobnicate ship", rules)
    assert (verdict.effect, verdict.rule) == ("junction", "ship-it")
    assert verdict.findings[0].origin == "edge.toml"
    assert judged("frobnicate list", rules).effect == "allow"
    assert "ship" in rules.words


def test_an_own_program_is_read_as_its_table_says():
    program = {"frobnicate": {"names": ["frob"], "values": ["-t"], "writes": "last"}}
    rules = rules_of(None, {"program": program, "rule": [OWN_RULE]})
    assert judged("frob -t fast ship", rules).rule == "ship-it"
    assert judged("frob x .proof/session_log.jsonl", rules).rule == OWN_FILES


def test_a_repository_s_table_does_not_make_an_unknown_program_a_known_one():
    program = {"frobnicate": {"like": ["shopctl"], "values": ["-t"]}}
    for command in ("frobnicate delete all", "shopctl delete all"):
        assert judged(command, SHIPPED).effect == "junction"
        assert judged(command, rules_of(None, {"program": program})).effect == "junction"
        assert judged(command, rules_of({"program": program})).effect == "allow"


def test_the_examples_of_own_rules_are_run():
    wrong = {**OWN_RULE, "match": ["frobnicate list"], "instead": "Rather `git push`"}
    packs = packs_of(Source(PROJECT, {"rule": [wrong]}), "project", ROOT)
    found = check_examples(packs, rules_of(None, {"rule": [wrong]}))
    assert any("does not fire on 'frobnicate list'" in one for one in found)
    assert any("its own alternative 'git push' is stopped" in one for one in found)
    right = packs_of(Source(PROJECT, {"rule": [dict(OWN_RULE)]}), "project", ROOT)
    assert check_examples(right, rules_of(None, {"rule": [OWN_RULE]})) == []


def test_a_rule_that_is_wrong_is_left_out_alone_and_said():
    wrong = {key: value for key, value in OWN_RULE.items() if key != "type"} | {"id": "untyped"}
    rules = rules_of({"profile": "contextual"}, {"rule": [OWN_RULE, wrong]})
    assert judged("frobnicate ship", rules).rule == "ship-it"
    assert "untyped" not in [each["id"] for each in rules.rules]
    assert rules.config["left_out"] == ["edge.toml: rule untyped: type is missing"]
    assert "only this rule is not effective" in remarks(rules.config)[0]
    assert rules.profile == "strict"


TEXTS = st.sampled_from(["x", "(?i)x", "a|b", "@outside", "@unknown", "rm", "-f", "frobnicate"])

ODD = st.sampled_from(["", "(", "@nowhere", "RM", "*", "a{99999999999}", "\x1b"])

VALUES = {
    bool: lambda _: st.booleans(),
    int: lambda _: st.integers(-3, 3),
    list: lambda texts: st.lists(texts, min_size=1, max_size=2),
    dict: lambda texts: st.dictionaries(texts, texts, max_size=2),
    dict[str, list[str]]: lambda texts: st.dictionaries(
        texts, st.lists(texts, max_size=2), max_size=2
    ),
}


def values_of(kind, texts):
    """Values of the type that a key has in the schema; patterns and classes are texts."""
    make = VALUES.get(kind) or VALUES.get(typing.get_origin(kind))
    return make(texts) if make else texts


JUNK = st.recursive(
    TEXTS | ODD | st.integers(-3, 3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS | ODD, inner, max_size=2),
    max_leaves=4,
)


@st.composite
def tables(draw, keys, *, without=(), texts=TEXTS, junk=None, most=3):
    """A table with a few of the keys, its values of the right type, or of any where ``junk`` is."""
    known = sorted(key for key in keys if key not in without)
    chosen = draw(st.lists(st.sampled_from(known), max_size=most, unique=True))
    return {key: draw(values_of(keys[key], texts) if junk is None else junk) for key in chosen}


WHENS = tables(WHEN_KEYS, without=("program", "profile", "trigger", "reads"))

PROGRAMS = tables(PROGRAM_KEYS, without=("names", "sql_includes", *own_rules._PERSON_ONLY_KEYS))

COMMANDS = [
    "rm -rf x",
    "frobnicate -f a b > c",
    "X=1 frobnicate x | sh",
    "frobnicate users delete 7",
    "./frobnicate -f a",
    "frobnicate -f a x > active_context.yaml",
    "frobnicate --help > .proof/session_log.jsonl",
    "*",
    "git push x y",
]


@examples(40)
@given(when=WHENS, program=PROGRAMS, name=st.sampled_from(["frobnicate", "rm", "git"]))
def test_an_own_rule_and_program_make_no_command_milder_and_no_gate_fail(when, program, name):
    rule = {**OWN_RULE, "when": [{**when, "program": name}]}
    own = {"rule": [rule], "program": {"frobnicate": program}}
    rules = rules_of(None, own)
    for command in COMMANDS:
        without = judged(command, SHIPPED)
        verdict = judged(command, rules)
        assert SEVERITY[verdict.effect] >= SEVERITY[without.effect], (command, rule, program)


@examples(40)
@given(
    when=tables(WHEN_KEYS, texts=TEXTS | ODD) | tables(WHEN_KEYS, junk=JUNK) | JUNK,
    program=tables(PROGRAM_KEYS, junk=JUNK),
    rule=tables(RULE_KEYS, junk=JUNK),
    table=st.dictionaries(st.sampled_from(schema.KEYS), JUNK, max_size=2),
)
def test_no_table_of_any_shape_makes_the_gate_fail(when, program, rule, table):
    own = {"rule": [{**OWN_RULE, **rule, "when": [when]}], "program": {"frobnicate": program}}
    rules = rules_of(None, {**own, **table})
    for command in COMMANDS:
        assert judged(command, rules)
