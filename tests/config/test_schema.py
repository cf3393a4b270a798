"""What a configuration file may say: a wrong key or value is named, and the reference knows every key."""

from __future__ import annotations

import os
import re
import tomllib

import pytest
from tests.config.example_layers import (
    OWN_RULE,
    PROJECT,
    PUSH,
    judged,
    rules_of,
    sets,
)
from tests.gate.example_project import ROOT
from tests.tables import for_each

from operators_edge.config import schema
from operators_edge.config.layers import remarks
from operators_edge.config.own_rules import packs_of
from operators_edge.config.schema import ConfigError, Source
from operators_edge.gate.examples import check_examples
from operators_edge.gate.operand_classes import OPERAND_CLASSES
from operators_edge.gate.pack_schema import PROGRAM_KEYS, RULE_KEYS, WHEN_KEYS


@for_each(
    ("table", "says"),
    [
        ({"profil": "strict"}, "edge.toml: unknown key 'profil' (did you mean 'profile'?)"),
        ({"profile": "lax"}, "profile is 'lax', it can be contextual or strict"),
        ({"junction_style": 3}, "junction_style is 3"),
        ({"junction_style": []}, "junction_style is []"),
        ({"rules": []}, "rules: it must be a table"),
        ({"rules": {PUSH: "warn"}}, "rules.git-push: it must be a table"),
        ({"rules": {PUSH: {"efect": "warn"}}}, "unknown key 'efect' (did you mean 'effect'?)"),
        ({"rules": {PUSH: {"effect": "stop"}}}, "rules.git-push: effect is 'stop'"),
        ({"rules": {PUSH: {}}}, "rules.git-push: effect is None"),
        ({"rule": {"id": "x"}}, "[[rule]]"),
        ({"rule": ["x"]}, "[[rule]]"),
        ({"project": {}}, "unknown key 'project'"),
        ({"program": {"rm": {}}}, "rm is already known"),
        ({"program": {"frobnicate": {"names": ["RM"]}}}, "RM is already known"),
        ({"program": {"frobnicate": {"names": "sudo"}}}, "sudo is already known"),
        ({"program": {"python3.12": {}}}, "python3.12 is already known"),
        ({"program": {"frob*": {}}}, "not a plain program name"),
        ({"program": {"frobnicate": {"like": ["unlink"]}}}, "unlink is already known"),
        ({"program": {"frobnicate": {"help": ["ship"]}}}, "help is only for your own file"),
        ({"program": {"run.sh": {"script": True}}}, "script is only for your own file"),
        ({"program": {"run.sh": {"folder": ["-C"]}}}, "folder is only for your own file"),
        (
            {"program": {"run.sh": {"checks": {"-n": ["run.sh"]}}}},
            "checks is only for your own file",
        ),
        ({"program": {"frobnicate": {"valus": ["-f"]}}}, "(did you mean 'values'?)"),
        ({"rule": [{**OWN_RULE, "id": "edge-mine"}]}, "the product's own"),
        ({"rule": [{**OWN_RULE, "id": PUSH}]}, "already used"),
        ({"rule": [{**OWN_RULE, "when": [{"program": "RM"}]}]}, "RM is known as rm"),
        ({"rule": [{**OWN_RULE, "when": [{"program": "python3.12"}]}]}, "is known as python"),
        ({"rule": [{**OWN_RULE, "when": [{"program": 3}]}]}, "wrong type"),
        ({"rule": [{**OWN_RULE, "effect": "allow"}]}, "needs destroys = true"),
        ({"rule": [{**OWN_RULE, "reason": "a\x1b[2Jb"}]}, "no control characters"),
        ({"rule": [{**OWN_RULE, "reson": "x"}]}, "(did you mean 'reason'?)"),
        ({"rule": [{k: v for k, v in OWN_RULE.items() if k != "instead"}]}, "instead is missing"),
    ],
)
def test_a_file_that_is_wrong_is_named_with_its_fault_and_puts_nothing_in_force(table, says):
    also = {"junction_style": "deny"} if "junction_style" not in table else {}
    rules = rules_of(sets("http-write", "block"), {**also, **table})
    is_rule = bool(rules.config["left_out"])  # then only the rule is not in force
    (problem,) = rules.config["problems"] or rules.config["left_out"]
    assert problem.startswith("edge.toml")
    assert says in problem
    assert (rules.profile, rules.junction_style) == ("strict", "deny" if is_rule else "ask")
    # The rules shipped and the person's own stay in force, and each says what is the matter.
    assert rules.rule("http-write")["effect"] == "block"
    (finding,) = judged("git push", rules).findings
    assert problem in finding.note
    assert problem in remarks(rules.config)[0]


def test_a_table_of_one_project_needs_an_absolute_path():
    rules = rules_of({"project": {"shop": {}}})
    assert "an absolute path" in rules.config["problems"][0]


@pytest.mark.parametrize(
    ("checks", "why"),
    [
        ("make ci", "a list of commands"),
        (["make ci", 3], "a list of commands"),
        (["make ci && true"], "one plain command"),
        ([" "], "one plain command"),
        (["true"], "judges nothing"),
        (["echo fine"], "judges nothing"),
        ([f"make c{n}" for n in range(51)], "at most 50"),
    ],
)
def test_a_check_of_the_project_is_one_plain_command_that_judges_something(checks, why):
    said = rules_of(None, {"checks": checks}).config
    assert said["checks"] == []
    assert why in said["problems"][0]


with open(
    os.path.join(os.path.dirname(__file__), "..", "..", "docs", "configuration.md"),
    encoding="utf-8",
) as reference:
    REFERENCE = reference.read()


def test_the_reference_names_every_key_and_kind():
    words = set(re.findall(r"`([@\w-]+)`", REFERENCE))
    keys = {
        *schema.LADDERS,
        "context_tokens",
        "checks",
        *PROGRAM_KEYS,
        *RULE_KEYS,
        *WHEN_KEYS,
        *OPERAND_CLASSES,
    }
    assert keys - words == set()
    assert all(f"`[{key}" in REFERENCE for key in ("rules.", "[rule]", "program.", "project."))


@pytest.mark.parametrize("kind", ["user", "project"])
def test_the_examples_of_the_reference_hold(kind):
    blocks = re.findall(r"```toml\n# (\S+)\n(.*?)```", REFERENCE, re.DOTALL)
    tables = {"project" if name == "edge.toml" else "user": text for name, text in blocks}
    table = tomllib.loads(tables[kind])
    rules = rules_of(**{kind: table}, root="/home/ann/shop")
    assert rules.config["problems"] == rules.config["ignored"] == []
    packs = packs_of(Source(PROJECT, table), kind, ROOT)
    assert check_examples(packs, rules) == []


def test_a_file_s_layers_are_checked_before_anything_of_it_is_used():
    with pytest.raises(ConfigError, match="cannot be read"):
        packs_of(Source(PROJECT, {}, "it cannot be read"), "project", ROOT)


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({"completed_step": 0}, "completed_step is 0, it can be days"),
        ({"completed_step": True}, "completed_step is True"),
        ({"completed_step": "never"}, "completed_step is 'never'"),
        ({"completed_stp": 1}, "completed_step"),
        ([], "it must be a table"),
    ],
)
def test_a_time_that_makes_no_sense_is_named(table, problem):
    (said,) = rules_of({"retention": table}).config["problems"]
    assert problem in said


@pytest.mark.parametrize("tokens", [99, 2001, "400", True, 400.0, None])
def test_a_budget_of_the_context_that_makes_no_sense_is_named(tokens):
    (said,) = rules_of({"context_tokens": tokens}).config["problems"]
    assert "context_tokens" in said
    assert "100 to 2000" in said
