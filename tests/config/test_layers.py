"""Layers of configuration: what each may do, what of it is in force, and what a repository never can."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from tests.config.example_layers import (
    OWN_FILES,
    OWN_RULE,
    PACKS,
    PROJECT,
    PUSH,
    RM,
    SHIPPED,
    USER,
    judged,
    rules_of,
    sets,
    why_not,
)
from tests.gate.example_project import ROOT
from tests.properties import examples
from tests.tables import for_each

from operators_edge.config import schema
from operators_edge.config.layers import effective, remarks
from operators_edge.config.schema import Source
from operators_edge.gate.pack_schema import EFFECTS
from operators_edge.model import SEVERITY


@for_each(
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


IDS = [rule["id"] for rule in SHIPPED.rules]

OVERRIDES = st.dictionaries(
    st.sampled_from(IDS), st.fixed_dictionaries({"effect": st.sampled_from(EFFECTS)}), max_size=6
)

TABLES = st.fixed_dictionaries(
    {},
    optional={
        "profile": st.sampled_from(schema.LADDERS["profile"]),
        "junction_style": st.sampled_from(schema.LADDERS["junction_style"]),
        "rules": OVERRIDES,
    },
)


@examples(30)
@given(user=st.none() | TABLES, project=TABLES)
def test_whatever_a_project_says_unconfirmed_nothing_is_milder_than_without_it(user, project):
    without, with_it = rules_of(user), rules_of(user, project)
    for rule in without.rules:
        assert SEVERITY[with_it.rule(rule["id"])["effect"]] >= SEVERITY[rule["effect"]]
    for key, ladder in schema.LADDERS.items():
        assert ladder.index(with_it.config[key]) >= ladder.index(without.config[key])


@examples(30)
@given(project=TABLES)
def test_with_everything_confirmed_only_loosenable_rules_are_milder(project):
    everything = [f"{ident}={effect}" for ident in IDS for effect in EFFECTS]
    rules = rules_of(None, project, everything)
    for rule in SHIPPED.rules:
        if SEVERITY[rules.rule(rule["id"])["effect"]] < SEVERITY[rule["effect"]]:
            assert rule.get("loosenable")


def test_the_checks_of_a_project_are_shown_with_the_file_they_come_from():
    said = rules_of({"checks": ["make ci"]}, {"checks": ["./v.sh", "make ci"]}).config
    assert said["checks"] == ["make ci", "./v.sh"]
    shown = [each for each in said["values"] if each["key"].startswith("checks.")]
    assert [each["key"] for each in shown] == ["checks../v.sh", "checks.make ci"]


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
