import pytest
from tests.tables import for_each

from operators_edge.approvals import scopes
from operators_edge.approvals.scopes import IN_SESSION, Scope


@for_each(
    ("word", "scope"),
    [
        ("1h", Scope(60)),
        ("30m", Scope(30)),
        ("15min", Scope(15)),
        ("2d", Scope(2880)),
        ("session", IN_SESSION),
        *((word, None) for word in ("", "h", "1", "60", "1h2", "once", "-1h", "1x", "123456m")),
    ],
)
def test_a_scope_is_a_time_or_the_session(word, scope):
    assert scopes.named(word) == scope
    assert scopes.named(word.upper()) == scope


def test_a_scope_is_typed_as_it_is_named():
    for scope in (Scope(60), Scope(90), IN_SESSION):
        assert scopes.named(scope.word) == scope


@pytest.mark.parametrize("rule", ["", "edge-human-verb", "shell-cannot-analyse", "tool-unknown"])
def test_a_rule_that_guards_decisions_or_cannot_judge_is_never_let_through_whole(rule):
    assert not scopes.can_be_whole(rule)
    assert "session" not in scopes.offer(rule, "")


def test_the_offer_names_target_and_rule():
    assert scopes.offer("git-push", "to git@host:you/shop") == (
        "To be asked less: /edge 1h (to git@host:you/shop), or /edge session (git-push, in this session)."
    )
