"""What a switch takes away from a verdict, and what it leaves."""

from datetime import UTC, datetime

import pytest

from operators_edge.approvals import junction, off_switch
from operators_edge.gate import decide
from operators_edge.model import Finding, Verdict

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
PUSH = Finding("git-push", "junction", "irreversible", "publishes commits", destroys=True)
WARN = Finding("py-warn", "warn", "dangerous", "is odd")
ROOT = Finding("fs-root", "block", "blocked", "destroys the machine")
FORGED = Finding("edge-human-verb", "block", "blocked", "only a person decides")


def verdict(*findings):
    return decide.verdict_of(list(findings))


def switch(rule="", session="", minutes=60):
    return off_switch.new_switch(
        new_id="s1", now=NOW, minutes=minutes, rule=rule, session=session, by="me"
    )


def test_the_general_switch_takes_questions_and_warnings_away():
    assert off_switch.remaining_verdict(verdict(PUSH, WARN), [""]).effect == "allow"


def test_a_block_stays_and_with_it_only_what_it_says():
    left = off_switch.remaining_verdict(verdict(ROOT, PUSH), [""])
    assert left.effect == "block"
    assert [one.rule for one in left.findings] == ["fs-root"]


def test_a_block_goes_by_its_own_name_alone():
    assert off_switch.remaining_verdict(verdict(ROOT), ["fs-root"]).effect == "allow"
    assert off_switch.remaining_verdict(verdict(ROOT, PUSH), ["fs-root"]).rule == "git-push"


def test_a_rule_that_guards_decisions_goes_by_no_name():
    assert off_switch.remaining_verdict(verdict(FORGED), ["", "edge-human-verb"]).effect == "block"
    loosened = FORGED._replace(effect="junction")
    assert (
        off_switch.remaining_verdict(verdict(loosened), ["", "edge-human-verb"]).effect
        == "junction"
    )


@pytest.mark.parametrize("rule", [*off_switch.LASTING, *off_switch.UNJUDGED])
def test_what_lasts_and_what_cannot_be_read_stays_until_it_is_named(rule):
    found = verdict(PUSH._replace(rule=rule))
    assert off_switch.remaining_verdict(found, [""]).effect == "junction"
    assert off_switch.remaining_verdict(found, [rule]).effect == "allow"


def test_what_destroys_work_is_still_kept_before_it_runs():
    assert off_switch.remaining_verdict(verdict(PUSH), [""]).destroys == (PUSH,)


def test_a_verdict_that_no_switch_is_about_is_the_same_one():
    found = verdict(PUSH)
    assert off_switch.remaining_verdict(found, ["git-tag"]) is found
    assert off_switch.remaining_verdict(found, []) is found
    assert off_switch.remaining_verdict(Verdict("allow"), [""]).effect == "allow"


def test_a_call_that_is_left_with_less_has_the_fingerprint_of_what_is_left():
    left = off_switch.remaining_verdict(verdict(PUSH, PUSH._replace(rule="git-tag")), ["git-tag"])
    assert left.exact == verdict(PUSH).exact


def test_a_switch_is_for_one_session_or_for_all():
    assert off_switch.applies_to(switch(), "any")
    assert off_switch.applies_to(switch(session="a"), "a")
    assert not off_switch.applies_to(switch(session="a"), "b")


def test_a_switch_ends_by_the_clock_and_is_no_dismissal_of_any_class():
    one = switch(minutes=1)
    assert junction.is_open(one, NOW)
    assert not junction.is_open(one, NOW.replace(minute=5))
    standing = junction.GrantsInForce(dismissals=(one,))
    assert junction.resolve(verdict(PUSH), standing, is_asking=False).step == "raise"


def test_what_is_told_of_a_switch_names_its_reach():
    assert (
        off_switch.describe(switch())
        == "every question and warning, in every session of this project"
    )
    assert off_switch.describe(switch("git-push", "a")) == "rule git-push, in one session"
