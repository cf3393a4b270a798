import pytest

from operators_edge.approvals import messages
from operators_edge.approvals.junction import Resolution
from operators_edge.model import Call, Finding, Verdict

FINDING = Finding(
    "git-push", "junction", "external", "It publishes.", instead="Ask.", understood="git push"
)
VERDICT = Verdict("junction", (FINDING,), exact="x", classes=("c",))
PENDING = {"id": "junction-1", "shown": "git push origin main"}


def outcome(step, pending=None, *, is_asking=False):
    resolution = Resolution(step, ("grant-1",))
    return messages.outcome_for(VERDICT, resolution, pending, is_asking=is_asking)


@pytest.mark.parametrize(
    ("step", "is_asking", "event", "extra"),
    [
        ("use", False, "allowance_used", {"grants": ["grant-1"]}),
        ("covered", False, "dismissal_used", {"grants": ["grant-1"]}),
        ("refused", False, "denied", {"why": "refused"}),
        ("raise", True, "asked", {"shown": "it"}),
        ("raise", False, "junction_raised", {"shown": "it", "junction": "junction-1"}),
        ("pending", False, "denied", {"shown": "it", "junction": "junction-1"}),
    ],
)
def test_each_resolution_is_an_event_of_its_own(step, is_asking, event, extra):
    resolution = Resolution(step, ("grant-1",))
    assert messages.resolution_event(resolution, PENDING, "it", is_asking=is_asking) == (
        event,
        extra,
    )


def test_only_an_approval_is_answered_with_an_allow_of_ours():
    used, covered = outcome("use"), outcome("covered")
    assert (used.effect, used.decided) == ("allow", True)
    assert (covered.effect, covered.decided, covered.text) == ("allow", False, "")


def test_a_refusal_says_that_a_person_refused():
    refused = outcome("refused")
    assert refused.effect == "block"
    assert "A person has refused this" in refused.text


def test_a_dialog_asks_and_a_kept_junction_says_who_can_decide():
    assert outcome("raise", is_asking=True).effect == "ask"
    raised = outcome("raise", PENDING)
    assert raised.effect == "block"
    assert "/edge approve" in raised.text


def test_a_second_call_names_the_decision_that_waits():
    assert "pending first: git push origin main" in outcome("pending", PENDING).text


def test_the_agent_is_told_rule_reason_reading_and_another_way():
    assert messages.denial(VERDICT).splitlines() == [
        "Operator's Edge (git-push): It publishes.",
        "Understood as: git push",
        "Instead: Ask.",
    ]


def test_a_call_is_shown_by_its_command_or_its_fields_bounded_and_without_secrets():
    push = Call("Bash", {"command": "curl -H 'X: hunter2hunter2'"}, "/p")
    assert "hunter2hunter2" not in messages.redacted_text(push, ("hunter2hunter2",))
    assert (
        messages.redacted_text(Call("WebFetch", {"url": "http://x"}, "/p"), ())
        == "WebFetch url=http://x"
    )
    assert (
        len(messages.redacted_text(Call("Bash", {"command": "x " * 2000}, "/p"), ()))
        == messages.MAX_SHOWN_TEXT
    )


@pytest.mark.parametrize(
    ("rule", "command", "event"),
    [
        ("fs-recursive-delete", "rm -rf /", "blocked"),
        ("edge-own-folders", "rm -rf .", "blocked"),
        ("edge-human-verb", "edge approve", "approval_forgery"),
        ("edge-state-by-shell", "sed -i s/todo/done/ active_context.yaml", "blocked"),
        ("edge-state-by-shell", "sed -i 's/junction: .*/junction: null/' x", "approval_forgery"),
        ("edge-state-by-shell", "sed -i /allowances/d active_context.yaml", "approval_forgery"),
    ],
)
def test_a_block_that_would_have_forged_a_decision_is_logged_as_one(rule, command, event):
    assert messages.block_event(rule, command) == event


def test_a_denial_leaves_out_what_the_gate_does_not_know():
    bare = FINDING._replace(instead="", understood="")
    assert messages.denial(VERDICT._replace(findings=(bare,))) == (
        "Operator's Edge (git-push): It publishes."
    )


def test_a_verdict_in_the_log_has_its_rule_type_and_fingerprints():
    assert messages.verdict_data(VERDICT) == {
        "rule": "git-push",
        "type": "external",
        "fingerprint": "x",
        "classes": ["c"],
    }
