from datetime import UTC, datetime, timedelta

from operators_edge.approvals.card.precedents import IN_DIALOG, history_text, weigh
from operators_edge.model import Verdict

VERDICT = Verdict("junction", exact="e1", classes=("c1",))


def raised(junction, exact, *classes):
    data = {"junction": junction, "fingerprint": exact, "classes": list(classes)}
    return {"event": "junction_raised", "session": "s", "data": data}


def decided(junction, decision, at, by="ann"):
    data = {"junction": junction, "decision": decision, "by": by}
    return {"event": "junction_decided", "session": "s", "timestamp": at, "data": data}


def prompted(call, exact, at, *classes, agent=""):
    data = {"fingerprint": exact, "classes": list(classes)}
    return {
        "event": "asked",
        "session": "s",
        "agent": agent,
        "tool_use_id": call,
        "timestamp": at,
        "data": data,
    }


def ran(call, at):
    return {"event": "tool", "tool": "Bash", "session": "s", "tool_use_id": call, "timestamp": at}


def test_the_same_call_and_its_class_are_counted_apart_and_the_last_is_named():
    log = [
        raised("j1", "e1", "c1"),
        decided("j1", "approve", "2026-01-01"),
        raised("j2", "e2", "c1"),
        decided("j2", "skip", "2026-01-03", by="bob"),
        raised("j3", "e3", "c3"),
        decided("j3", "approve", "2026-01-04"),
    ]
    assert weigh(VERDICT, log) == {
        "exact": {"approved": 1},
        "class": {"approved": 1, "refused": 1},
        "last": {"outcome": "refused", "at": "2026-01-03", "by": "bob"},
    }


def test_answers_in_the_clients_dialog_count_too():
    log = [
        prompted("t1", "e1", "2026-01-01", "c1"),
        ran("t1", "2026-01-02"),
        prompted("t2", "e1", "2026-01-03", "c1"),
        {"event": "prompt", "session": "s", "timestamp": "2026-01-04"},
    ]
    found = weigh(VERDICT, log)
    assert found["exact"] == {"approved": 1, "refused": 1}
    assert found["last"] == {"outcome": "refused", "at": "2026-01-03", "by": IN_DIALOG}


def test_a_question_that_is_still_open_is_no_decision():
    assert weigh(VERDICT, [prompted("t1", "e1", "2026-01-01", "c1")]) is None


def test_what_the_log_no_longer_shows_the_state_may_still_know():
    kept = [
        {
            "id": "j1",
            "fingerprint": "e1",
            "decision": "dismiss",
            "decided_at": "2026-01-01",
            "by": "a",
        },
        {"id": "j2", "fingerprint": "e1", "decision": "displaced", "decided_at": "2026-01-02"},
    ]
    assert weigh(VERDICT, [], kept)["exact"] == {"dismissed": 1}
    log = [decided("j1", "dismiss", "2026-01-01")]
    assert weigh(VERDICT, log, kept)["exact"] == {"dismissed": 1}


def test_a_class_of_several_parts_is_alike_only_when_all_of_them_are_in_this_call():
    log = [raised("j1", "e9", "c1", "c2"), decided("j1", "approve", "2026-01-01")]
    assert weigh(VERDICT, log) is None
    assert weigh(Verdict("junction", exact="e1", classes=("c1", "c2")), log)["class"] == {
        "approved": 1
    }


def test_nothing_before_is_none():
    assert weigh(VERDICT, []) is None


def test_earlier_decisions_are_told_in_one_sentence():
    last = {"outcome": "refused", "at": "2026-01-03T10:00:00+00:00", "by": IN_DIALOG}
    assert history_text({"exact": {}, "class": {"approved": 1, "refused": 2}, "last": last}) == (
        "such calls approved once, refused 2 times; last refused on 2026-01-03 in the client's dialog"
    )
    assert history_text(None) == "nothing like it was decided here recently"


def test_a_recent_refusal_is_said_first_and_how_long_ago_it_was():
    log = [raised("j1", "e1", "c1"), decided("j1", "skip", "2026-01-03T10:00:00+00:00")]
    said = {
        minutes: history_text(
            weigh(
                VERDICT, log, now=datetime(2026, 1, 3, 10, tzinfo=UTC) + timedelta(minutes=minutes)
            )
        )
        for minutes in (0, 12, 200, 3000)
    }
    assert said[0].startswith("you refused this just now")
    assert said[12] == "you refused this 12 min ago"
    assert said[200].startswith("you refused this 3 h ago")
    assert said[3000].endswith("last refused on 2026-01-03 by ann")
    other = Verdict("junction", exact="e2", classes=("c1",))
    now = datetime(2026, 1, 3, 10, 1, tzinfo=UTC)
    assert history_text(weigh(other, log, now=now)).startswith("you refused such a call 1 min ago")
