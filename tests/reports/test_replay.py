"""Past calls under today's rules: the counts, and what is said of them."""

from __future__ import annotations

import pytest

from operators_edge.model import Call, Finding, Recovery, Verdict
from operators_edge.reports import replay, replay_text
from operators_edge.reports.replay import PastAnswer, PastCall, Reading, Tally, judged
from operators_edge.reports.replay_text import Frame

PUSH = Finding("git-push", "junction", "external", "", subject=(("remote", "origin"),),
               understood="git push origin main")  # fmt: skip
WIPE = Finding("disk-wipe", "block", "irreversible", "", understood="wipefs /dev/sda")
REMOVE = Finding("fs-delete", "allow", "irreversible", "", understood="rm a", destroys=True)
CLEAN = Finding("git-clean", "junction", "dangerous", "", recovery=Recovery("untracked"))
FRAME = Frame(14, "this project", "strict")


def verdict(*findings, destroys=()):
    effect = findings[0].effect if findings else "allow"
    return Verdict(effect, tuple(findings), destroys=tuple(destroys))


def past(id="", session="one", start="/p", at=1_700_000_000.0):
    return PastCall(Call("Bash", {"command": "x"}, start, session=session, id=id), start, at)


def tally(*given):
    """Of calls, each with its verdict, and of answers, in their order."""
    made = Tally()
    for number, each in enumerate(given):
        if isinstance(each, PastAnswer):
            made.answer(each)
        else:
            made.add(each[0], number, judged(each[1]))
    return made


def text(made, reading=None, width=80):
    found = replay_text.lines(made, reading or Reading(), FRAME, str.upper, width)
    return "\n".join(found)


@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        (verdict(), "allowed"),
        (verdict(PUSH), "asked"),
        (verdict(WIPE, PUSH), "denied"),
        (verdict(destroys=[REMOVE]), "snapshot"),
        (verdict(PUSH, destroys=[REMOVE]), "asked"),
        (verdict(CLEAN), "snapshot"),
        (verdict(CLEAN, PUSH), "asked"),
        (verdict(PUSH._replace(effect="warn")), "allowed"),
    ],
)
def test_a_verdict_has_one_outcome_for_the_person(given, outcome):
    assert judged(given).outcome == outcome


def test_calls_are_counted_in_all_by_session_by_rule_and_by_kind():
    made = tally(
        (past("a"), verdict(PUSH)),
        (past("b", session="two"), verdict(PUSH)),
        (past("c"), verdict(WIPE)),
        (past("d"), verdict(destroys=[REMOVE])),
        (past("e"), verdict()),
    )
    assert (made.calls, made.different) == (5, 5)
    assert (made.counts.asked, made.counts.denied, made.counts.snapshot) == (2, 1, 1)
    assert {name: each.counts.stopped for name, each in made.sessions.items()} == {
        "one": 2,
        "two": 1,
    }
    assert [name for name, _ in made.by_rule()] == ["git-push", "disk-wipe", "fs-delete"]
    assert [(kind.rule, len(kind.sessions)) for kind in made.most_stopped(9)] == [
        ("git-push", 2),
        ("disk-wipe", 1),
    ]
    assert made.per_hundred() == 60.0


def test_an_answer_counts_for_what_would_be_asked_once_and_for_nothing_else():
    made = tally(
        (past("a"), verdict(PUSH)),
        (past("b"), verdict()),
        PastAnswer("a", is_yes=True),
        PastAnswer("a", is_yes=True),
        PastAnswer("b", is_yes=True),
        PastAnswer("unknown", is_yes=False),
    )
    assert (made.counts.yes, made.counts.no) == (1, 0)


@pytest.mark.parametrize(
    ("answers", "is_worth"), [([True], False), ([True, True], True), ([True, True, False], False)]
)
def test_what_was_approved_twice_and_never_refused_is_worth_a_scope(answers, is_worth):
    made = Tally()
    for number, yes in enumerate(answers):
        made.add(past(str(number)), 0, judged(verdict(PUSH)))
        made.answer(PastAnswer(str(number), is_yes=yes))
    (kind,) = made.most_stopped(1)
    assert kind.is_worth_a_scope is is_worth
    assert ("/edge session" in " ".join(text(made).split())) is is_worth


def test_a_scope_covers_what_is_spelled_differently_but_not_what_is_elsewhere():
    made = Tally()
    spelled = PUSH._replace(understood="git push -u origin main")
    for number, (finding, start) in enumerate([(PUSH, "/p"), (spelled, "/p"), (PUSH, "/q")]):
        made.add(past(str(number), start=start), number, judged(verdict(finding)))
        made.answer(PastAnswer(str(number), is_yes=True))
    found = {(kind.start, kind.text): kind.is_worth_a_scope for kind in made.most_stopped(9)}
    assert found == {
        ("/p", "git push origin main"): True,
        ("/p", "git push -u origin main"): True,
        ("/q", "git push origin main"): False,
    }


def test_calls_of_the_same_rule_about_something_else_or_elsewhere_are_another_kind():
    other = PUSH._replace(subject=(("remote", "mirror"),))
    made = tally(
        (past(), verdict(PUSH)),
        (past(), verdict(other)),
        (past(start="/q"), verdict(PUSH)),
    )
    assert len(made.kinds) == 3


def test_the_number_of_kinds_is_bounded_and_the_counts_are_not(monkeypatch):
    monkeypatch.setattr(replay, "_MAX_KINDS", 2)
    made = Tally()
    for number in range(5):
        finding = PUSH._replace(subject=(("remote", str(number)),))
        made.add(past(), number, judged(verdict(finding)))
    assert (len(made.kinds), made.counts.asked, made.rules["git-push"].asked) == (2, 5, 5)


def test_a_change_is_counted_by_outcome_and_sessions():
    calls = [past("a"), past("b", session="two"), past("c", session="two")]
    before = tally(*((each, verdict(WIPE)) for each in calls))
    after = tally(*((each, verdict(PUSH)) for each in calls))
    assert list(replay.changes(before, after)) == [("asked", 3, 2), ("denied", -3, 2)]
    said = replay_text.difference(before, after, Reading(), FRAME)
    head = "In your last 14 days (2 sessions) it would have changed"
    assert said == [f"{head}: 3 more questions in 2 sessions; 3 fewer denials in 2 sessions."]
    assert replay_text.difference(before, before, Reading(), FRAME)[0].endswith("changed nothing.")
    assert (
        "as far as they were read"
        in replay_text.difference(before, after, Reading(is_whole=False), FRAME)[0]
    )


def test_without_calls_a_summary_and_a_difference_say_nothing():
    assert replay_text.summary(Tally(), Reading(), FRAME) == []
    assert replay_text.difference(Tally(), Tally(), Reading(), FRAME) == []
    assert (
        text(Tally())
        == "Last 14 days, this project, profile strict\nno calls in the client's transcripts"
    )


def test_a_summary_is_one_line():
    made = tally((past(), verdict(PUSH)), (past(), verdict(destroys=[REMOVE])))
    counts = "asked you once and let 1 through after a snapshot"
    said = f"In your last 14 days (1 session, 2 calls) it would have {counts}. `edge replay` shows them."
    assert replay_text.summary(made, Reading(), FRAME) == [said]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_text_fits_its_width_and_commands_are_redacted_and_harmless(width):
    long = PUSH._replace(understood="git push \x1b[2Jorigin\r" + "x" * 300, rule="r" * 60)
    said = text(tally((past(), verdict(long))), width=width)
    assert max(map(len, said.splitlines())) <= width
    assert "GIT PUSH" in said
    assert "\x1b" not in said
    assert "\r" not in said


def test_what_was_not_read_is_said():
    reading = Reading(
        unread=(("/t/a.jsonl", "Permission denied"),),
        damaged_lines=3,
        is_whole=False,
        gone=("/home/me/gone",),
    )
    said = " ".join(text(tally((past(), verdict())), reading).split())
    for part in (
        "Not read: /t/a.jsonl (Permission denied)",
        "3 lines of transcripts could not be read",
        "Stopped before the end",
        "no longer there: /home/me/gone",
        "nothing would be asked or denied",
    ):
        assert part in said
    assert "Not read: /t/a.jsonl" in " ".join(text(Tally(), reading).split())


def test_a_time_that_no_calendar_has_is_shown_as_unknown():
    said = text(tally((past(at=9e15), verdict(PUSH))))
    assert "????-??-??" in said
