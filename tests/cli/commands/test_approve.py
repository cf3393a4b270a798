"""Decisions at a person's own terminal: a real pseudo-terminal, and what must not pass for one."""

import json
import os

import pytest
from tests import processes
from tests.hosting import at_a_terminal, forget_client, git

PUSH = "git push origin main"


def run(client, *words, **env):
    """The command without a terminal."""
    return processes.edge(client.root, *words, env={**plain(client), **env})


def plain(client):
    return {key: value for key, value in client.env.items() if not key.startswith("CLAUDE")}


def at_terminal(client, *words, answer="y\n", **env):
    """The command with a person in front of it, who types the answer."""
    return at_a_terminal(client.root, *words, answer=answer, env={**plain(client), **env})


@pytest.fixture
def pending(client):
    """A push waits, and the client that asked is gone: only then is this test's process no agent's."""
    client.bash(PUSH)
    forget_client(client)
    return client


def reason(client, command):
    return client.before("Bash", command=command)["permissionDecisionReason"]


def logged(client, event):
    with open(os.path.join(client.root, ".proof", "session_log.jsonl"), encoding="utf-8") as file:
        return [entry for entry in map(json.loads, file) if entry["event"] == event]


def test_a_person_approves_at_their_own_terminal_after_reading_what_it_is(pending):
    done = at_terminal(pending, "approve")
    assert done.returncode == 0, done.stderr
    assert f"Pending    {PUSH}" in done.stderr
    assert "Rule       git-push" in done.stderr
    assert "Approved once" in done.stdout
    assert pending.bash(PUSH) == "allow"
    assert pending.bash(PUSH) == "deny"


@pytest.mark.parametrize("answer", ["\n", "yess\n", "\x04"])
def test_anything_but_an_answer_leaves_the_question_open(pending, answer):
    done = at_terminal(pending, "approve", answer=answer)
    assert done.returncode == 1
    assert "it stays pending" in done.stderr
    assert "waits for a person's decision already" in reason(pending, PUSH)


def test_a_no_holds_until_the_next_prompt_and_never_for_the_session(pending):
    assert "Skipped: " in at_terminal(pending, "approve", answer="n\n").stdout
    assert "it holds until their next prompt" in reason(pending, PUSH)
    pending.prompt("go on")
    assert pending.bash(PUSH) == "deny"
    assert "Denied for this session" in at_terminal(pending, "approve", answer="v\n").stdout
    pending.prompt("go on")
    assert "it holds for this session" in reason(pending, PUSH)


def test_the_card_is_of_now_and_says_what_is_new_since_the_question(pending):
    git(pending.root, "commit", "-q", "--allow-empty", "-m", "one more")
    done = at_terminal(pending, "approve", answer="y\n")
    assert "+1 commit" in done.stderr
    assert "(since you were asked)" in done.stderr
    assert "when you were asked: " in done.stderr
    assert "decide:" not in done.stderr
    assert "Approved once" in done.stdout
    assert pending.bash(PUSH) == "allow"


def test_one_key_gives_a_yes_for_the_target_and_what_it_would_let_through_is_shown(pending):
    done = at_terminal(pending, "approve", answer="h\ny\n")
    assert "h yes, for 1 hour, to this target s yes, in this session: every git-push" in " ".join(
        done.stderr.split()
    )
    assert "Calls so far that it would have allowed" in done.stderr
    assert "Not asked again for 60 minutes" in done.stdout
    assert pending.bash(PUSH) == ""
    assert pending.bash("git push origin other") == "deny"


@pytest.mark.parametrize(("key", "other"), [("s\ny\n", ""), ("v\n", "deny"), ("h\nn\n", "deny")])
def test_one_key_gives_a_yes_for_the_rule_or_a_no_for_the_session(pending, key, other):
    at_terminal(pending, "approve", answer=key)
    assert pending.bash("git push -q origin main") == other


def test_a_dismissal_at_the_terminal_shows_what_it_would_let_through(pending):
    done = at_terminal(pending, "dismiss", "30")
    assert done.returncode == 0, done.stderr
    assert "(git-push; remote origin; branch main; to " in done.stderr
    assert "Calls so far that it would have allowed" in done.stderr
    assert PUSH in done.stderr
    assert pending.bash(PUSH) == ""


def test_skip_grants_and_revoke_work_at_the_terminal(pending):
    assert at_terminal(pending, "approve").returncode == 0
    assert PUSH in run(pending, "grants").stdout
    assert at_terminal(pending, "revoke", "1").returncode == 0
    assert "No live grants" in run(pending, "grants").stdout
    pending.bash(PUSH)
    forget_client(pending)
    assert "Skipped" in at_terminal(pending, "skip").stdout


def test_without_a_terminal_nobody_decides_and_that_is_a_refusal_and_no_forgery(pending):
    done = run(pending, "approve")
    assert done.returncode == 1
    assert "needs an interactive terminal" in done.stderr
    assert "in your own terminal: edge approve" in done.stderr
    refused = logged(pending, "blocked")[-1]["data"]
    assert (refused["rule"], refused["words"]) == ("no-person", "approve")
    assert not logged(pending, "approval_forgery")
    assert pending.bash(PUSH) == "deny"


def test_an_agents_shell_does_not_pass_for_a_person_even_on_a_terminal(pending):
    done = at_terminal(pending, "approve", CLAUDECODE="1")
    assert done.returncode == 1
    assert "CLAUDECODE" in done.stderr
    assert logged(pending, "approval_forgery")


def test_a_process_below_a_sessions_client_does_not_pass_for_a_person(client):
    client.bash(PUSH)
    done = at_terminal(client, "approve")
    assert done.returncode == 1
    assert "an agent's client started this process" in done.stderr
    assert client.bash(PUSH) == "deny"


def test_nothing_pending_is_said_with_its_own_exit_code(client):
    forget_client(client)
    done = at_terminal(client, "approve")
    assert done.returncode == 1
    assert "nothing is pending" in done.stderr


def test_done_waits_for_the_decision_that_is_pending_and_says_so_with_its_own_code(pending):
    done = run(pending, "done")
    assert done.returncode == 3
    assert PUSH in done.stderr


def test_a_person_overrides_checks_by_number_with_a_reason_after_reading_them(client):
    forget_client(client)
    refused = run(client, "done")
    assert refused.returncode == 1
    assert "[2] activity_observed" in refused.stderr
    done = at_terminal(client, "approve", "2", "--why", "the API is down")
    assert done.returncode == 0, done.stderr
    assert "[2] activity_observed" in done.stderr
    assert "Override 2, for this session and objective?" in done.stderr
    assert "activity_observed" in done.stdout
    assert logged(client, "override_set")[0]["data"]["why"] == "the API is down"
    assert "because the API is down" in " ".join(run(client, "grants").stdout.split())
    again = run(client, "done")
    assert again.returncode == 1
    assert "[1] steps_completed" in again.stderr


def test_a_person_accepts_a_failed_check_where_they_end_the_work(client):
    forget_client(client)
    words = ("done", "--accept", "activity_observed", "--why", "the API is down")
    assert at_terminal(client, *words, CLAUDECODE="1").returncode == 1
    assert not logged(client, "override_set")
    done = at_terminal(client, *words)
    assert done.returncode == 1
    assert "Override activity_observed, for this session and objective?" in done.stderr
    assert "[1] steps_completed" in done.stderr.rpartition("Overridden")[2]
    assert "activity_observed" not in done.stderr.rpartition("\n")[2]
    assert logged(client, "override_set")[0]["data"]["why"] == "the API is down"
    refused = at_terminal(client, "done", "--accept", "all", answer="n\n")
    assert "not approved" in refused.stderr
    done = at_terminal(client, "done", "--accept", "all")
    assert "Mode is now done." in done.stdout, done.stderr


def test_no_override_comes_from_an_agents_shell(client):
    forget_client(client)
    run(client, "done")
    for words in (("approve", "1"), ("approve", "1", "--why", "a person said so")):
        assert run(client, *words).returncode == 1
        assert at_terminal(client, *words, CLAUDECODE="1").returncode == 1
    assert "No live grants" in run(client, "grants").stdout
    assert len(logged(client, "approval_forgery")) == 2


def test_the_gate_at_a_persons_own_terminal_names_commands_as_they_are_typed_there(client):
    client.prompt("/edge plan add read")
    client.prompt("/edge step done 1")
    assert "checks fail" in client.prompt("/edge done")
    forget_client(client)
    shown = at_terminal(client, "approve", answer="n\n").stderr
    assert "edge approve 1" in shown
    assert "/edge" not in shown
