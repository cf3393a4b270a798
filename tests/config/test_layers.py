"""Layers of configuration: what each may do, what of it is in force, and what a repository never can."""

from __future__ import annotations

import copy
import os
import re
import tomllib
import typing

import pytest
from hypothesis import given, strategies as st
from tests.gate.example_project import PLACE, ROOT, Machine
from tests.properties import examples

from operators_edge.config import layers as config
from operators_edge.config.layers import ConfigError, Source, effective, own_packs, remarks
from operators_edge.gate.conditions import OPERAND_CLASSES
from operators_edge.gate.decide import assess
from operators_edge.gate.examples import check_examples
from operators_edge.gate.pack_schema import EFFECTS, PROGRAM_KEYS, RULE_KEYS, WHEN_KEYS
from operators_edge.gate.rules import Rules, compiled_packs
from operators_edge.model import SEVERITY, Call

PACKS = compiled_packs()
SHIPPED = Rules(effective(PACKS, user=None, project=None, root=ROOT))
USER, PROJECT = "~/config.toml", "edge.toml"

OWN_RULE = {
    "id": "ship-it",
    "effect": "junction",
    "type": "external",
    "reason": "Ships.",
    "instead": "Build only: `make build`",
    "when": [{"program": "frobnicate", "sub": "ship"}],
    "match": ["frobnicate ship"],
    "no_match": ["frobnicate list"],
}


def source(name, table, **more):
    return None if table is None else Source(name, table, **more)


def rules_of(user=None, project=None, confirmed=(), root=ROOT):
    made = effective(
        PACKS,
        user=source(USER, copy.deepcopy(user)),
        project=source(PROJECT, copy.deepcopy(project)),
        root=root,
        confirmed=confirmed,
    )
    made["config"]["notes"] = []
    return Rules(made)


def judged(command, rules):
    machine = Machine({f"{ROOT}/frobnicate": "edge approve"})
    return assess(Call("Bash", {"command": command}, ROOT), PLACE, machine, rules)


def sets(ident, effect):
    return {"rules": {ident: {"effect": effect}}}


def why_not(rules):
    return [each["why"] for each in rules.config["ignored"]]


PUSH, RM, OWN_FILES = "git-push", "fs-recursive-delete", "edge-own-files"


@pytest.mark.parametrize(
    ("layers", "ident", "effect", "ignored"),
    [
        ((None, None, ()), PUSH, "junction", ""),
        # The person's own file: anything, by name.
        ((sets(PUSH, "allow"), None, ()), PUSH, "allow", ""),
        ((sets(PUSH, "block"), None, ()), PUSH, "block", ""),
        ((sets(RM, "junction"), None, ()), RM, "junction", ""),
        ((sets(RM, "allow"), None, ()), RM, "allow", ""),
        # … but the rules that guard decisions.
        ((sets(OWN_FILES, "junction"), None, ()), OWN_FILES, "block", "nothing loosens it"),
        (
            (sets("edge-human-verb", "allow"), None, ()),
            "edge-human-verb",
            "block",
            "nothing loosens",
        ),
        # A project tightens freely.
        ((None, sets(PUSH, "block"), ()), PUSH, "block", ""),
        ((sets(PUSH, "allow"), sets(PUSH, "junction"), ()), PUSH, "junction", ""),
        ((None, sets(PUSH, "junction"), ()), PUSH, "junction", ""),
        # It loosens only what its pack allows, and a person has confirmed.
        ((None, sets(PUSH, "warn"), ()), PUSH, "junction", "not confirmed"),
        ((None, sets(PUSH, "warn"), ("git-push=warn",)), PUSH, "warn", ""),
        ((None, sets(PUSH, "allow"), ("git-push=allow",)), PUSH, "allow", ""),
        ((None, sets(PUSH, "allow"), ("git-push=warn",)), PUSH, "junction", "not confirmed"),
        ((None, sets(PUSH, "warn"), ("http-write=warn",)), PUSH, "junction", "not confirmed"),
        (
            ({"profile": "strict"}, sets(RM, "junction"), (f"{RM}=junction",)),
            RM,
            "block",
            "not one that a project",
        ),
        # Under the default profile it is a junction already, so a project can only tighten it.
        ((None, sets(RM, "junction"), ()), RM, "junction", ""),
        ((None, sets(RM, "block"), ()), RM, "block", ""),
        ((None, sets(RM, "warn"), (f"{RM}=warn",)), RM, "junction", "not one that a project"),
        (
            (None, sets(OWN_FILES, "warn"), (f"{OWN_FILES}=warn",)),
            OWN_FILES,
            "block",
            "nothing loosens",
        ),
        # Never what the person's own file says.
        (
            (sets(PUSH, "block"), sets(PUSH, "warn"), ("git-push=warn",)),
            PUSH,
            "block",
            "your own file",
        ),
        (
            (sets(PUSH, "junction"), sets(PUSH, "warn"), ("git-push=warn",)),
            PUSH,
            "junction",
            "your own",
        ),
        (
            (sets(PUSH, "warn"), sets(PUSH, "allow"), ("git-push=allow",)),
            PUSH,
            "warn",
            "your own file",
        ),
        # One project of the person's own.
        (({"project": {ROOT: sets(PUSH, "warn")}}, None, ()), PUSH, "warn", ""),
        (({"project": {"/else": sets(PUSH, "warn")}}, None, ()), PUSH, "junction", ""),
        (
            (
                {**sets(PUSH, "block"), "project": {ROOT: sets(PUSH, "warn")}},
                sets(PUSH, "allow"),
                ("git-push=allow",),
            ),
            PUSH,
            "warn",
            "your own file",
        ),
    ],
)
def test_each_layer_may_do_what_it_may(layers, ident, effect, ignored):
    rules = rules_of(*layers)
    assert rules.rule(ident)["effect"] == effect
    said = " ".join(why_not(rules))
    assert ignored in said
    assert bool(ignored) == bool(said)


@pytest.mark.parametrize(
    ("user", "project", "profile", "style"),
    [
        ({}, {}, "contextual", "ask"),
        ({}, {"profile": "strict"}, "strict", "ask"),
        ({"profile": "contextual", "junction_style": "deny"}, {}, "contextual", "deny"),
        ({"profile": "contextual"}, {"profile": "strict"}, "strict", "ask"),
        ({}, {"junction_style": "deny"}, "contextual", "deny"),
        ({}, {"profile": "contextual"}, "contextual", "ask"),
        ({"profile": "strict"}, {"profile": "contextual"}, "strict", "ask"),
        ({"junction_style": "deny"}, {"junction_style": "ask"}, "contextual", "deny"),
        ({"profile": "contextual"}, {"profile": "contextual"}, "contextual", "ask"),
        ({"project": {ROOT: {"profile": "contextual"}}}, {}, "contextual", "ask"),
    ],
)
def test_a_project_can_make_a_setting_stricter_and_nothing_else(user, project, profile, style):
    rules = rules_of(user, project)
    assert (rules.profile, rules.junction_style) == (profile, style)


def test_what_a_project_tightens_under_one_profile_it_loosens_under_no_other():
    rules = rules_of(None, sets(RM, "junction"))
    assert rules.rule(RM)["effect"] == "junction"
    assert rules.with_profile("strict").rule(RM)["effect"] == "block"
    assert rules_of(sets(RM, "warn")).with_profile("strict").rule(RM)["effect"] == "warn"


@pytest.mark.parametrize("effect", EFFECTS)
def test_the_verdict_follows_the_effect_that_is_set(effect):
    rules = rules_of(sets(PUSH, effect))
    verdict = judged("git push origin main", rules)
    assert verdict.effect == effect
    assert bool(verdict.findings) == (effect != "allow")


def test_what_can_lose_work_still_asks_for_a_snapshot_when_it_is_allowed():
    destroying = next(
        rule
        for rule in SHIPPED.rules
        if rule.get("destroys") and not rule["id"].startswith("edge-")
    )
    shipped = next(rule for pack in PACKS.packs.values() for rule in pack.get("rule", ())
                   if rule["id"] == destroying["id"])  # fmt: skip
    command = next(one for one in shipped["match"] if not one.startswith("{"))
    fired = [one.rule for one in judged(command, SHIPPED).destroys]
    rules = rules_of({"rules": {name: {"effect": "allow"} for name in fired}})
    assert [one.rule for one in judged(command, rules).destroys] == fired


def test_an_unconfirmed_loosening_says_so_where_the_rule_fires():
    (finding,) = judged("git push", rules_of(project=sets(PUSH, "warn"))).findings
    assert "edge.toml would loosen this to warn" in finding.note
    assert "edge config trust" in finding.note
    (finding,) = judged("git push", rules_of(None, sets(PUSH, "warn"), ("git-push=warn",))).findings
    assert "as a person confirmed" in finding.note


@pytest.mark.parametrize(
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


def test_a_rule_that_is_wrong_is_left_out_alone_and_said():
    wrong = {key: value for key, value in OWN_RULE.items() if key != "type"} | {"id": "untyped"}
    rules = rules_of({"profile": "contextual"}, {"rule": [OWN_RULE, wrong]})
    assert judged("frobnicate ship", rules).rule == "ship-it"
    assert "untyped" not in [each["id"] for each in rules.rules]
    assert rules.config["left_out"] == ["edge.toml: rule untyped: type is missing"]
    assert "only this rule is not effective" in remarks(rules.config)[0]
    assert rules.profile == "strict"


def test_good_rules_do_not_save_a_file_that_is_broken_elsewhere():
    rules = rules_of(None, {"rule": [OWN_RULE], "program": {"x": {"unheard": 1}}})
    assert rules.config["problems"]
    assert rules.config["left_out"] == []


def test_a_broken_project_file_makes_the_profile_strict():
    rules = rules_of({"profile": "contextual"}, {"nonsense": 1})
    assert rules.profile == "strict"


def test_while_the_person_s_own_file_is_broken_no_project_loosens_anything():
    rules = rules_of({"nonsense": 1}, sets(PUSH, "warn"), ("git-push=warn",))
    assert rules.rule(PUSH)["effect"] == "junction"
    assert "cannot be read" in " ".join(why_not(rules))
    assert rules_of({"nonsense": 1}, sets(PUSH, "block")).rule(PUSH)["effect"] == "block"


def test_an_override_of_a_rule_that_is_not_there_is_said_and_the_rest_holds():
    rules = rules_of(None, {"rules": {"git-psuh": {"effect": "block"}, PUSH: {"effect": "block"}}})
    assert why_not(rules) == ["there is no such rule; perhaps git-push"]
    assert rules.rule(PUSH)["effect"] == "block"


def test_a_table_of_one_project_needs_an_absolute_path():
    rules = rules_of({"project": {"shop": {}}})
    assert "an absolute path" in rules.config["problems"][0]


def test_every_value_says_where_it_comes_from():
    lines = {"profile": 1, "rules.git-push.effect": 7}
    made = effective(
        PACKS,
        user=Source(USER, {"profile": "contextual", **sets(PUSH, "warn")}, lines=lines),
        project=Source(PROJECT, {"junction_style": "deny", "rule": [OWN_RULE]}, section="tool.x"),
        root=ROOT,
    )
    origins = {each["key"]: each["origin"] for each in made["config"]["values"]}
    assert origins == {
        "junction_style": "edge.toml [tool.x]",
        "profile": "~/config.toml:1",
        "rules.git-push.effect": "~/config.toml:7",
        "rules.ship-it.effect": "edge.toml",
    }


# -- own rules and programs ------------------------------------------------------------------------


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
    packs = own_packs(Source(PROJECT, {"rule": [wrong]}), "project", ROOT)
    found = check_examples(packs, rules_of(None, {"rule": [wrong]}))
    assert any("does not fire on 'frobnicate list'" in one for one in found)
    assert any("its own alternative 'git push' is stopped" in one for one in found)
    right = own_packs(Source(PROJECT, {"rule": [dict(OWN_RULE)]}), "project", ROOT)
    assert check_examples(right, rules_of(None, {"rule": [OWN_RULE]})) == []


def test_a_person_may_loosen_a_rule_of_the_project_and_never_the_other_way_round():
    rule = {**OWN_RULE, "loosenable": True}
    loosened = sets("ship-it", "warn")
    assert rules_of(loosened, {"rule": [rule]}).rule("ship-it")["effect"] == "warn"
    rules = rules_of({"rule": [rule]}, loosened, ("ship-it=warn",))
    assert rules.rule("ship-it")["effect"] == "junction"


def test_a_repository_s_words_never_stand_before_a_shipped_reason():
    own = {**OWN_RULE, "reason": "Harmless, say yes.", "when": [{"program": "git", "sub": "push"}]}
    verdict = judged("git push", rules_of(None, {"rule": [own]}))
    assert [one.rule for one in verdict.findings] == [PUSH, "ship-it"]


# -- laws ------------------------------------------------------------------------------------------

IDS = [rule["id"] for rule in SHIPPED.rules]
OVERRIDES = st.dictionaries(
    st.sampled_from(IDS), st.fixed_dictionaries({"effect": st.sampled_from(EFFECTS)}), max_size=6
)
TABLES = st.fixed_dictionaries(
    {},
    optional={
        "profile": st.sampled_from(config.LADDERS["profile"]),
        "junction_style": st.sampled_from(config.LADDERS["junction_style"]),
        "rules": OVERRIDES,
    },
)


@examples(30)
@given(user=st.none() | TABLES, project=TABLES)
def test_whatever_a_project_says_unconfirmed_nothing_is_milder_than_without_it(user, project):
    without, with_it = rules_of(user), rules_of(user, project)
    for rule in without.rules:
        assert SEVERITY[with_it.rule(rule["id"])["effect"]] >= SEVERITY[rule["effect"]]
    for key, ladder in config.LADDERS.items():
        assert ladder.index(with_it.config[key]) >= ladder.index(without.config[key])


@examples(30)
@given(project=TABLES)
def test_with_everything_confirmed_only_loosenable_rules_are_milder(project):
    everything = [f"{ident}={effect}" for ident in IDS for effect in EFFECTS]
    rules = rules_of(None, project, everything)
    for rule in SHIPPED.rules:
        if SEVERITY[rules.rule(rule["id"])["effect"]] < SEVERITY[rule["effect"]]:
            assert rule.get("loosenable")


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
PROGRAMS = tables(PROGRAM_KEYS, without=("names", "sql_includes", *config._PERSON_ONLY_KEYS))
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
    table=st.dictionaries(st.sampled_from(config.KEYS), JUNK, max_size=2),
)
def test_no_table_of_any_shape_makes_the_gate_fail(when, program, rule, table):
    own = {"rule": [{**OWN_RULE, **rule, "when": [when]}], "program": {"frobnicate": program}}
    rules = rules_of(None, {**own, **table})
    for command in COMMANDS:
        assert judged(command, rules)


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


def test_the_checks_of_a_project_are_shown_with_the_file_they_come_from():
    said = rules_of({"checks": ["make ci"]}, {"checks": ["./v.sh", "make ci"]}).config
    assert said["checks"] == ["make ci", "./v.sh"]
    shown = [each for each in said["values"] if each["key"].startswith("checks.")]
    assert [each["key"] for each in shown] == ["checks../v.sh", "checks.make ci"]


# -- the reference ---------------------------------------------------------------------------------

with open(
    os.path.join(os.path.dirname(__file__), "..", "..", "docs", "configuration.md"),
    encoding="utf-8",
) as reference:
    REFERENCE = reference.read()


def test_the_reference_names_every_key_and_kind():
    words = set(re.findall(r"`([@\w-]+)`", REFERENCE))
    keys = {
        *config.LADDERS,
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
    packs = own_packs(Source(PROJECT, table), kind, ROOT)
    assert check_examples(packs, rules) == []


def test_a_file_s_layers_are_checked_before_anything_of_it_is_used():
    with pytest.raises(ConfigError, match="cannot be read"):
        own_packs(Source(PROJECT, {}, "it cannot be read"), "project", ROOT)


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


def test_the_archive_is_kept_as_the_person_says_and_a_project_only_longer():
    rules = rules_of(
        {"retention": {"completed_step": 7, "completed_objective": 400}},
        {"retention": {"completed_step": 3, "decayed_lesson": "forever"}},
    )
    kept = rules.config["keep_days"]
    assert (kept["completed_step"], kept["completed_objective"]) == (7, 400)
    assert kept["decayed_lesson"] is None
    assert kept["resolved_mismatch"] == 90
    assert why_not(rules) == ["a project can only lengthen retention"]


@pytest.mark.parametrize("tokens", [99, 2001, "400", True, 400.0, None])
def test_a_budget_of_the_context_that_makes_no_sense_is_named(tokens):
    (said,) = rules_of({"context_tokens": tokens}).config["problems"]
    assert "context_tokens" in said
    assert "100 to 2000" in said


def test_the_budget_of_the_context_is_the_persons_and_else_the_projects():
    assert rules_of(None, {"context_tokens": 600}).config["context_tokens"] == 600
    both = rules_of({"context_tokens": 300}, {"context_tokens": 600})
    assert both.config["context_tokens"] == 300
    assert why_not(both) == ["your own file says otherwise"]


def test_patterns_of_every_layer_hide_and_one_that_could_hang_makes_its_file_unusable():
    rules = rules_of(
        {"redaction": {"patterns": ["a-1"]}}, {"redaction": {"patterns": ["b-2", "a-1"]}}
    )
    assert rules.config["redaction"]["patterns"] == ["a-1", "b-2"]
    assert {
        "key": "redaction.patterns.b-2",
        "value": "patterns",
        "origin": "edge.toml [redaction]",
    } in (rules.config["values"])
    for table in ({"patterns": ["(a+)+b"]}, {"patterns": "a"}, {"pattern": []}):
        said = rules_of(None, {"redaction": table}).config["problems"]
        assert "redaction" in said[0]


def test_what_a_project_allows_to_be_shown_waits_for_a_person_and_the_person_s_own_does_not():
    own, theirs = {"redaction": {"allow": ["a-1"]}}, {"redaction": {"allow": ["b-2"]}}
    waiting = rules_of(own, theirs).config
    assert waiting["redaction"]["allow"] == ["a-1"]
    assert [(each["rule"], each["effect"]) for each in waiting["waiting"]] == [
        ("redaction.allow", "b-2")
    ]
    assert any("edge config trust" in each for each in remarks(waiting))
    trusted = rules_of(own, theirs, confirmed=("redaction.allow=b-2",)).config
    assert (trusted["redaction"]["allow"], trusted["waiting"]) == (["a-1", "b-2"], [])
    other = rules_of(own, theirs, confirmed=("redaction.allow=b-3",)).config
    assert other["redaction"]["allow"] == ["a-1"]
    broken = rules_of({"no": 1}, theirs, confirmed=("redaction.allow=b-2",)).config
    assert broken["redaction"]["allow"] == []
