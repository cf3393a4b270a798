"""``edge why``: the chain from the request to the checks after the call, whichever link is asked about."""

import pytest
from tests.hosting import events, logged, opened

from operators_edge.cli.main import main
from operators_edge.errors import AnswerIsNo
from operators_edge.project import Project
from operators_edge.reports import why, why_service

GRANT, JUNCTION = "01a20754-66e3-grant", "01a20754-66ad-junction"
APPROVED = {"decision": "approve", "by": "ann", "why": "reviewed"}
PASSED = {"kind": "test", "name": "pytest", "passed": True}
PUSH = {"shown": "git push origin main", "rule": "git-push"}


def entry(event, session="s", use="", **data):
    ran = {"tool": "Bash", "success": True} if event == "tool" else {}
    return {"event": event, "session": session, "tool_use_id": use or None, "data": data, **ran}


@pytest.fixture
def pushed(project):
    """A push that was asked about, approved, asked for again, and run; entries 1 to 10."""
    here = Project(project, is_set_up=True)
    here.log.append_many(
        [
            entry("prompt", preview="push the fix"),
            entry("prompt", "another", preview="something else"),
            entry("junction_raised", use="t1", junction=JUNCTION, target="to example.org", **PUSH),
            entry("junction_decided", **APPROVED, junction=JUNCTION, grants=[GRANT]),
            entry("prompt", preview="go on"),
            entry("allowance_used", use="t2", grants=[GRANT], **PUSH),
            entry("tool", use="t2", command="git push origin main"),
            entry("tool", "another", use="t1", command="ls"),
            entry("tool", use="t3", command="pytest", check=PASSED),
            entry("blocked", use="t4", rule="disk", shown="dd", source="deploy.sh:3"),
        ]
    )  # fmt: skip
    return here


def rows(project, ident):
    return [(row.label, row.text) for row in why_service.explain(project, ident).rows]


WHOLE = [
    ("Request", '"push the fix"'),
    ("Call", "git push origin main"),
    ("Rule", "git-push: Publishes commits to another repository."),
    ("Asked", "a person, by /edge or edge approve"),
    ("Bound to", "to example.org"),
    ("Decided", "approved by ann: reviewed"),
    ("Allowed by", "an approval, for this one call"),
    ("Ran", "ok"),
    ("Checked", "pytest passed"),
]


@pytest.mark.parametrize("ident", ["3", "4", "6", "7", "t2", GRANT, JUNCTION, "01a20754-66e3"])
def test_each_link_of_a_chain_leads_to_the_whole_chain(pushed, ident):
    assert rows(pushed, ident) == WHOLE


def test_a_call_of_another_session_with_the_same_id_is_another_call(pushed):
    assert rows(pushed, "8") == [
        ("Request", '"something else"'),
        ("Call", "ls"),
        ("Ran", "ok"),
        ("Checked", "pytest passed"),
    ]


@pytest.fixture
def counted(client):
    """A push that was asked about; other calls, and the push again, were denied until it was approved."""
    client.prompt("push the fix")
    client.bash("git push origin main")
    client.prompt("clean up")
    for command in ("npm publish", "git push origin next", "git push origin main"):
        assert client.bash(command) == "deny"
    client.prompt("/edge approve")
    return client


def test_a_call_that_was_denied_while_a_question_was_pending_is_not_shown_as_approved(counted):
    decided = next(each for each in logged(counted) if each["event"] == "junction_decided")
    for ident in (str(decided["seq"]), decided["data"]["junction"]):
        found = rows(opened(counted), ident)
        assert [label for label, _ in found] == [
            *("Request", "Call", "Rule", "Asked", "Bound to", "Decided")
        ]
        assert found[:2] == [("Request", '"push the fix"'), ("Call", "git push origin main")]


def test_a_call_that_was_denied_meanwhile_names_the_question_and_not_its_answer(counted):
    question = events(counted, "junction_decided")[0]["junction"]
    refused = [each for each in logged(counted) if each["event"] == "denied"]
    assert len(refused) == 3
    for denied in refused:
        assert [row for row in rows(opened(counted), str(denied["seq"])) if row[0] != "Rule"] == [
            ("Request", '"clean up"'),
            ("Call", denied["data"]["shown"]),
            ("Gate", f"denied: a decision was pending (edge why {question})"),
        ]


def test_the_request_is_the_one_before_the_question_also_if_its_call_has_no_id(pushed):
    pushed.log.append_many(
        [
            entry("prompt", "later", preview="release it"),
            entry("junction_raised", "later", junction="its-question", **PUSH),
            entry("prompt", "later", preview="and now"),
            entry("junction_changed", "later", use="t8", junction="its-question"),
        ]
    )
    assert rows(pushed, "its-question")[0] == ("Request", '"release it"')


def test_a_followed_file_is_named_with_its_line(pushed):
    assert ("Rule", "disk, found in deploy.sh:3") in rows(pushed, "last")
    assert ("Gate", "blocked, which nobody can approve") in rows(pushed, "last")


def test_without_a_word_it_is_the_latest_decision_and_else_the_latest_call():
    ran, asked = {"event": "tool", "seq": 2}, {"event": "asked", "seq": 1}
    assert why.latest([asked, ran, {"event": "prompt"}]) == asked
    assert why.latest([ran, {"event": "prompt"}]) == ran
    assert why.latest([{"event": "prompt"}]) is None


def test_an_open_question_says_that_it_has_no_answer(pushed):
    pushed.log.append(entry("junction_raised", use="t9", junction="j-of-its-own", **PUSH))
    assert rows(pushed, "last")[-1] == ("Decided", "no answer is in the log")


def test_before_the_first_call_it_says_that_nothing_was_decided(project):
    with pytest.raises(AnswerIsNo, match="nothing was asked or decided here yet"):
        why_service.explain(Project(project, is_set_up=True), "last")


@pytest.mark.parametrize("ident", ["99", "0", "nothing-of-this-name", "01a20754", "toolu", ""])
def test_an_id_that_the_log_does_not_have_or_that_is_too_short_is_refused(pushed, ident):
    if ident == "01a20754":  # long enough: it names both ids
        assert rows(pushed, ident) == WHOLE
        return
    with pytest.raises(AnswerIsNo, match="nothing named"):
        why_service.explain(pushed, ident)


def test_a_lesson_is_shown_from_its_beginning_to_its_use(pushed):
    pushed.log.append_many(
        [
            entry("lesson", to="added", key="lesson-key", lesson="pin the parser"),
            entry("lesson_told", key="lesson-key", why="pip install"),
            entry("lesson_used", key="lesson-key"),
        ]
    )
    found = rows(pushed, "lesson-key")
    assert [text for label, text in found if label == "Lesson"] == [
        "pin the parser",
        "shown: pip install",
        "used",
    ]


def test_a_call_at_which_a_lesson_was_shown_does_not_lead_to_other_calls_with_it(pushed):
    pushed.log.append_many(
        [
            entry("lesson_told", use="t2", key="lesson-key", why="git push"),
            entry("prompt", "later", preview="push again"),
            entry("denied", "later", use="t9", **PUSH),
            entry("lesson_told", "later", use="t9", key="lesson-key", why="git push"),
        ]
    )
    found = rows(pushed, JUNCTION)
    assert found[:-1] == [*WHOLE[:-1], ("Lesson", "shown: git push")]
    assert [label for label, _ in rows(pushed, "lesson-key")].count("Lesson") == 2


HOSTILE = "\x1b[2J\x1b]0;x\x07\nline\r\u202e\u200b\ud800" + "y" * 2_000


def test_hostile_text_in_any_field_stays_on_one_printable_line():
    made = [
        entry(event, use="t", shown=HOSTILE, rule=HOSTILE, why=HOSTILE, by=HOSTILE, source=HOSTILE,
              changed=[HOSTILE], to=HOSTILE, lesson=HOSTILE, target=HOSTILE, decision=HOSTILE,
              check={"name": HOSTILE, "kind": HOSTILE, "passed": None}, scope=HOSTILE)
        for event in (*why._SAID, HOSTILE)
    ]  # fmt: skip
    numbered = [
        {"seq": n, "agent": HOSTILE, "tool": HOSTILE, **each} for n, each in enumerate(made)
    ]
    request = entry("prompt", preview=HOSTILE)
    found = why.chain(
        numbered[0], numbered, request=request, after=numbered, reasons={HOSTILE: HOSTILE}
    )
    assert len(found) > 20
    for row in found:
        assert row.text.isprintable(), row
        assert row.label.isprintable(), row
        assert len(row.text) < 1_000


def test_the_terminal_shows_number_and_time_of_each_link(pushed, capsys):
    assert main(["why", "7", "--project", pushed.root]) == 0
    out = capsys.readouterr().out
    assert "Ran              7 " in out
    assert all(len(line) <= 80 for line in out.splitlines())
