import pytest
from tests.reports.pages import call, check, event

from operators_edge.reports import entries, summary


def summed(*every):
    fold = summary.Fold("/p")
    for seq, each in enumerate(every, 1):
        entry = {"seq": seq, "timestamp": f"2026-03-01T12:00:{seq:02d}+00:00", **each}
        entry = entries.sound(entry)
        fold.add(entry, entries.line(entry, root="/p"))
    return fold.summary()


def question(ident="t1", shown="git push"):
    return {**event("asked", rule="git-push", shown=shown), "tool": "Bash", "tool_use_id": ident}


def ran(ident="t1"):
    return {**call(text="git push"), "tool_use_id": ident}


def test_what_a_person_typed_was_asked_and_what_the_client_noticed_was_not():
    found = summed(event("prompt", preview="Do it"), event("prompt", preview="x", notice=True))
    assert [(each.seq, each.text) for each in found.requests] == [(1, "Do it")]


def test_what_the_agent_had_the_client_send_later_was_asked_by_nobody():
    wake = call("ScheduleWakeup", "x")
    wake["input_preview"] = '{"prompt": "go on with the tests"}'
    found = summed(wake, event("prompt", preview="go on with the tests"))
    assert found.requests == ()


def test_auto_that_ends_by_itself_is_nobody_s_decision():
    found = summed(event("auto", to="on", by="mira"), event("auto", to="off", why="done"))
    assert [each.who for each in found.decisions] == ["mira"]


def test_a_decision_stands_once_with_what_was_asked_and_who_answered():
    found = summed(
        event("junction_raised", junction="j", rule="r", shown="rm -r x"),
        call(),
        event("junction_decided", junction="j", decision="skip", by="mira", why="not now"),
    )
    (one,) = found.decisions
    assert (one.seq, one.subject, one.rule) == (3, "rm -r x", "r")
    assert (one.outcome, one.who, one.why) == ("refused", "mira", "not now")


def test_a_decision_that_nobody_made_is_open():
    (one,) = summed(event("junction_raised", junction="j", shown="x")).decisions
    assert (one.outcome, one.tone, one.who) == ("waiting", "wait", "")


@pytest.mark.parametrize(
    ("after", "outcome"),
    [((ran(),), "approved"), ((call(text="ls"),), "refused"), ((), "asked")],
)
def test_a_question_of_the_client_is_answered_by_what_follows(after, outcome):
    found = summed(question(), *after)
    assert [each.outcome for each in found.decisions] == [outcome]
    assert found.answers.get(1, "asked") == outcome


def test_an_answer_by_something_else_than_a_person_is_trouble():
    found = summed(question(), ran(), event("answer_source", answered="t1", source="hook"))
    assert found.decisions[0].who == "hook, not a person"
    assert found.troubles[0].title == "A person was asked, and something else answered"
    found = summed(
        question(), ran(), event("answer_source", answered="t1", source="user_temporary")
    )
    assert found.decisions[0].who == "a person, in the client's dialog"
    assert found.troubles == ()


def test_a_changed_file_is_counted_by_its_edits_and_the_product_s_own_are_left_out():
    found = summed(
        call("Edit", "a.py"),
        call("Write", "/p/a.py"),
        call("Edit", "b.py", ok=False),
        call("Edit", "active_context.yaml"),
        event("tree_changed", files=["c.py", ".proof/x"]),
    )
    assert [(each.path, each.edits, each.seq) for each in found.changes] == [
        ("a.py", 2, 2),
        ("c.py", 0, 5),
    ]
    assert len(found.changes[0].digests) == 2


def test_a_check_has_its_runs_and_stands_as_the_last_one_ended():
    found = summed(check("pytest", ok=False), check("ruff", ok=True), check("pytest", ok=True))
    assert {(each.name, each.runs, each.failed, each.outcome) for each in found.checks} == {
        ("pytest", 2, 1, "ok"),
        ("ruff", 1, 0, "ok"),
    }
    (history,) = [each.history for each in found.checks if each.name == "pytest"]
    assert history == ((1, "failed"), (3, "ok"))


def test_a_failing_check_comes_first():
    found = summed(check("pytest", ok=True), check("ruff", ok=False))
    assert [each.name for each in found.checks] == ["ruff", "pytest"]


def test_the_same_trouble_stands_once_with_how_often():
    found = summed(*[event("denied", rule="r", shown="rm x")] * 3, event("warned", rule="w"))
    (one,) = found.troubles
    assert (one.subject, one.times, one.seq) == ("rm x", 3, 3)


def test_serious_trouble_comes_before_the_rest():
    found = summed(event("blocked", shown="x"), event("gate_disabled", by="mira"))
    assert [each.tone for each in found.troubles] == ["bad", "note"]


def test_a_weakened_check_that_was_restored_is_no_trouble():
    weak = {"kind": "test_skipped", "path": "t.py", "name": "a", "severity": "normal"}
    assert len(summed(event("tampering", **weak)).troubles) == 1
    assert summed(event("tampering", **weak), event("tampering_undone", **weak)).troubles == ()
    assert summed(event("tampering", **{**weak, "severity": "low"})).troubles == ()


def test_a_session_has_its_calls_failures_and_subagents():
    found = summed(
        event("session_start", source="startup", tree={"head": "abc"}),
        {**call(ok=False), "agent": "x"},
        call(session="s2"),
    )
    assert [(each.ident, each.calls, each.failed, each.agents) for each in found.sessions] == [
        ("s1", 1, 1, 1),
        ("s2", 1, 0, 0),
    ]
    assert (found.base, found.calls, found.failed, found.entries) == ("abc", 2, 1, 3)


def test_a_line_that_could_not_be_read_is_counted_and_is_trouble():
    found = summed(call(), {"seq": None, "event": "log_unreadable", "data": {"bytes": 3}})
    assert found.unreadable == 1
    assert found.troubles[0].outcome == "damaged"


def test_nothing_is_nothing():
    found = summed()
    assert (found.first, found.entries, found.troubles, found.sessions) == (0, 0, (), ())
