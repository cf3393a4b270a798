"""What is decided on the page changes what the next hook decides."""

import json

import pytest

from operators_edge.errors import AnswerIsNo
from operators_edge.system.user_dirs import project_id
from operators_edge.web import decide_service
from operators_edge.web.access import BASE
from tests.hosting import events, forget_client, opened, read_state

PUSH = "git push origin main"


@pytest.fixture
def waiting(session):
    """A push waits."""
    session.bash(PUSH)
    forget_client(session)
    return session


def answer(page, session, act, **more):
    """One answer to what is pending."""
    question = read_state(session)["junction"]["id"]
    return page.act(project=project_id(session.root), question=question, act=act, **more)


def test_an_approval_lets_the_very_call_run_once(page, waiting):
    said = answer(page, waiting, "approve", why="it is reviewed")
    assert said["ok"], said
    assert "Approved once" in said["said"]
    assert waiting.bash(PUSH) == "allow"
    assert waiting.bash(PUSH) == "deny"
    decided = events(waiting, "junction_decided")[0]
    assert decided["by"].endswith(", on the dashboard")
    assert decided["why"] == "it is reviewed"


def test_a_no_holds_until_the_next_prompt_and_never_for_the_session(page, waiting):
    assert answer(page, waiting, "skip")["ok"]
    assert waiting.bash(PUSH) == "deny"
    waiting.prompt("go on")
    waiting.bash(PUSH)
    forget_client(waiting)
    assert "Denied for this session" in answer(page, waiting, "never")["said"]
    waiting.prompt("go on")
    assert waiting.bash(PUSH) == "deny"
    assert not read_state(waiting)["junction"]


def test_a_yes_for_more_calls_is_shown_first_and_counts_when_it_is_confirmed(page, waiting):
    shown = answer(page, waiting, "preview", scope="1h")
    assert "Calls so far that it would have allowed" in shown["preview"]
    assert waiting.bash(PUSH) == "deny"
    forget_client(waiting)
    assert not answer(page, waiting, "dismiss", scope="1h", code="0000")["ok"]
    said = answer(page, waiting, "dismiss", scope="1h", code=shown["code"])
    assert "Not asked again for 60 minutes" in said["said"]
    assert waiting.bash(PUSH) == ""
    assert waiting.bash("git push origin other") == "deny"


@pytest.mark.parametrize("act", ["skip", "never", "dismiss"])
def test_the_note_is_kept_with_every_answer(page, waiting, act):
    code = answer(page, waiting, "preview", scope="session").get("code")
    said = answer(page, waiting, act, why="because I say so", scope="session", code=code)
    assert said["ok"], said
    assert events(waiting, "junction_decided")[0]["why"] == "because I say so"


def test_a_grant_that_is_revoked_lets_nothing_run(page, waiting):
    answer(page, waiting, "approve")
    grant = read_state(waiting)["allowances"][0]["id"]
    said = page.act(project=project_id(waiting.root), act="revoke", grant=grant)
    assert "Revoked" in said["said"]
    assert waiting.bash(PUSH) == "deny"


def test_one_of_the_failed_checks_is_approved_alone(page, session):
    opened(session).transact(
        lambda tx: tx.state.update(
            {"plan": [{"description": "one", "status": "in_progress", "proof": ""}]}
        ),
        command="edit",
    )
    session.prompt("/edge done")
    pending = read_state(session)["junction"]
    assert pending["type"] == "quality_gate"
    forget_client(session)
    assert "say which checks" in answer(page, session, "approve")["why"]
    said = answer(page, session, "approve", words="1", why="known")
    assert "Overridden for this session and objective" in said["said"], said
    override = read_state(session)["overrides"][0]
    assert override["approved_checks"] == [pending["payload"]["failed_checks"][0]["name"]]
    assert override["reason"] == "known"


def test_an_answer_to_another_question_than_the_one_that_was_read_is_refused(page, waiting):
    question = read_state(waiting)["junction"]["id"]
    assert answer(page, waiting, "skip")["ok"]
    waiting.prompt("go on")
    waiting.bash("git push origin other")
    forget_client(waiting)
    for act in ("approve", "skip", "never", "preview"):
        said = page.act(project=project_id(waiting.root), question=question, act=act, scope="1h")
        assert said == {
            "ok": False,
            "why": "another decision is pending now",
            "hint": "the cards show what waits now",
        }
    assert read_state(waiting)["junction"]


def test_a_question_of_an_ended_session_is_answered_on_the_page(page, waiting):
    question = read_state(waiting)["junction"]["id"]
    waiting.send("SessionEnd", reason="exit")
    waiting.session = "0" * 8 + waiting.session[8:]
    waiting.start()
    forget_client(waiting)
    assert page.view("home")["asked"][0]["id"] == question
    assert (
        "Skipped"
        in page.act(project=project_id(waiting.root), question=question, act="skip")["said"]
    )


def test_a_question_that_was_left_open_has_no_buttons_while_another_one_is_pending(page, waiting):
    left = read_state(waiting)["junction"]["id"]
    waiting.send("SessionEnd", reason="exit")
    waiting.session = "0" * 8 + waiting.session[8:]
    waiting.start()
    waiting.bash("git push origin other")
    forget_client(waiting)
    pending = read_state(waiting)["junction"]["id"]
    project = project_id(waiting.root)
    shown = page.view("home")["html"]
    form = f'data-question="{left}"'
    assert f'data-question="{pending}"' in shown
    assert form not in shown
    assert f'data-to="q-{project}-{pending}"' in shown
    assert f'id="q-{project}-{pending}"' in shown
    given = {"project": project, "question": left, "act": "skip"}
    status, _, data = page.send("POST", f"{BASE}act", json.dumps(given).encode())
    said = json.loads(data)
    assert status == 200
    assert said["ok"] is False
    assert "another decision is pending first" in said["why"]
    assert "edge" not in said["hint"]
    assert answer(page, waiting, "skip")["ok"]
    assert form in page.view("home")["html"]
    assert page.act(**given)["ok"]


@pytest.mark.parametrize(
    ("hint", "shown"),
    [
        ("edge approve", "the cards show what waits now"),
        ("edge approve   (for it as it is now)", "the cards show what waits now"),
        ("edge approve --left 1", "the cards show what waits now"),
        ("edge approve 1,2", "choose on the card"),
        ("edge undo list", "Undo lists them"),
        ("edge trash restore 3 --to PATH", "edge trash restore 3 --to PATH"),
        ("edge done   (shows what fails)", "edge done   (shows what fails)"),
        ("", ""),
    ],
)
def test_a_refusal_names_a_command_only_for_what_the_page_cannot_do(hint, shown):
    error = AnswerIsNo("no", hint=hint, detail="because")
    assert decide_service.refusal(error) == {"why": "no\nbecause", "hint": shown}


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"act": "approve"},
        {"act": "everything", "question": "x"},
        {"act": ["approve"], "question": 7},
        {"act": "preview", "question": "x", "scope": "forever"},
        {"act": "revoke", "grant": "1"},
    ],
)
def test_what_is_no_decision_decides_nothing(page, waiting, given):
    said = page.act(project=project_id(waiting.root), **given)
    assert said["ok"] is False
    assert said["why"]
    assert read_state(waiting)["junction"]


def test_a_project_that_is_not_guarded_is_none_of_the_dashboards(page, session):
    assert (
        page.act(project="../../etc", act="approve")["why"] == "the dashboard has no such project"
    )


# -- what the client asks in its own dialog --------------------------------------------------------


def test_what_the_client_asks_is_shown_and_only_how_far_a_yes_goes_is_answered_here(page, attended):
    assert attended.bash(PUSH) == "ask"
    forget_client(attended)
    found = page.view("home")
    assert found["waiting"] == 0
    assert "answer it in the client" in found["html"]
    assert ">Yes, once<" not in found["html"]
    assert ">Yes, for 1 hour<" in found["html"]
    attended.done("Bash", {}, command=PUSH)
    forget_client(attended)
    assert "answer it in the client" not in page.view("home")["html"]
