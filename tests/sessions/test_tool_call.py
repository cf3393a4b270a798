"""The junction's whole life, through the real hook process and real files."""

import json
import os
import subprocess
import sys
import time

import pytest
from tests.hosting import COMMAND, Client, change, clean_env, write
from tests.processes import HOOK

from operators_edge.config import trust
from operators_edge.model import Call
from operators_edge.project import Project
from operators_edge.sessions import before_call
from operators_edge.sessions.context import EventContext
from operators_edge.storage import bindings

pytestmark = pytest.mark.usefixtures("same_user_folder")

PUSH = "git push origin main"

# As near to a full disk as a process alone can come: no file that it writes may hold a byte.
_LIMITED = f"""
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
os.execv(sys.executable, [sys.executable, "-I", "-S", {HOOK!r}, "claude"])
"""
ON_A_FULL_DISK = [sys.executable, "-c", _LIMITED]


def state_path(client):
    return os.path.join(client.root, "active_context.yaml")


def read_state(client):
    return Project(client.root, is_set_up=True).state.read()


def events(client, name):
    log = os.path.join(client.root, ".proof", "session_log.jsonl")
    with open(log, encoding="utf-8") as file:
        return [entry for entry in map(json.loads, file) if entry["event"] == name]


def test_an_approval_lets_exactly_one_call_through(client):
    denied = client.before("Bash", command=PUSH)
    assert denied["permissionDecision"] == "deny"
    assert "/edge approve" in denied["permissionDecisionReason"]
    assert "Approved once" in client.prompt("/edge approve")
    allowed = client.before("Bash", command=PUSH)
    assert allowed["permissionDecision"] == "allow"
    assert client.bash(PUSH) == "deny"
    assert len(events(client, "allowance_used")) == 1
    assert len(events(client, "junction_raised")) == 2


def test_an_approval_is_for_that_call_and_no_other(client):
    client.bash(PUSH)
    client.prompt("/edge approve")
    assert client.bash("git push origin release") == "deny"
    assert client.bash("git push --force origin main") == "deny"
    assert client.bash(PUSH + " && git push origin release") == "deny"
    assert client.bash("GIT_SSH_COMMAND=/tmp/x " + PUSH) == "deny"


def test_a_second_risky_call_waits_and_is_counted_on_the_pending_one(client):
    client.bash(PUSH)
    answer = client.before("Bash", command="terraform apply")
    assert answer["permissionDecision"] == "deny"
    assert PUSH in answer["permissionDecisionReason"]
    client.bash("terraform apply")
    pending = read_state(client)["junction"]
    assert pending["shown"] == PUSH
    assert [(e["shown"], e["times"]) for e in pending["also_blocked"]] == [("terraform apply", 2)]
    assert "terraform apply" in client.prompt("/edge")


def test_a_refusal_holds_for_the_class_until_the_persons_next_prompt_and_then_it_is_asked(client):
    client.bash(PUSH)
    assert "Skipped" in client.prompt("/edge skip")
    for same in (PUSH, "git push -q origin main"):
        answer = client.before("Bash", command=same)
        assert answer["permissionDecision"] == "deny"
        assert "refused" in answer["permissionDecisionReason"]
        assert "Do not work around it" in answer["permissionDecisionReason"]
    assert read_state(client)["junction"] is None
    client.prompt("/edge status")
    client.prompt("<task-notification>a job ended</task-notification>")
    client.bash(PUSH)
    assert len(events(client, "junction_raised")) == 1
    client.prompt("push it after all")
    assert client.bash(PUSH) == "deny"
    assert read_state(client)["junction"]["shown"] == PUSH
    assert "you refused this just now" in client.prompt("/edge status")


def test_a_refused_class_is_not_let_in_beside_another_one(client):
    client.bash(f"{PUSH} && terraform apply")
    client.prompt("/edge skip")
    for part in ("terraform apply", f"git status && {PUSH}"):
        assert "refused" in client.before("Bash", command=part)["permissionDecisionReason"]
    assert client.bash("git push origin release") == "deny"
    assert read_state(client)["junction"]["shown"] == "git push origin release"


def test_a_dismissal_needs_its_code_and_covers_the_class_until_it_is_revoked(client):
    client.bash(PUSH)
    shown = client.prompt("/edge dismiss 30")
    assert PUSH in shown
    assert client.bash(PUSH) == "deny"
    assert "not valid" in client.prompt("/edge dismiss 30 AAAAAA")
    confirm = client.prompt("/edge dismiss 30").rsplit("type: ", 1)[1]
    assert "30 minutes" in client.prompt(confirm)
    assert client.bash(PUSH) == ""
    assert client.bash("git push -u origin main") == ""
    assert client.bash("git push origin other") == "deny"
    client.prompt("/edge skip")
    assert "dismissal" in client.prompt("/edge grants")
    assert "Revoked" in client.prompt("/edge grants revoke 1")
    assert client.bash(PUSH) == "deny"


def test_nothing_pending_means_nothing_to_approve(client):
    assert "nothing is pending" in client.prompt("/edge approve")
    assert read_state(client).get("allowances") in (None, [])


def test_an_older_state_file_brings_no_used_approval_back(client):
    client.bash(PUSH)
    client.prompt("/edge approve")
    with open(state_path(client), "rb") as file:
        with_approval = file.read()
    assert client.bash(PUSH) == "allow"
    with open(state_path(client), "wb") as file:
        file.write(with_approval)
    assert client.bash(PUSH) == "deny"
    ignored = events(client, "grant_ignored")
    assert "used" in ignored[0]["data"]["why"]


def test_a_grant_written_into_the_state_by_hand_counts_for_nothing(client):
    client.bash(PUSH)
    pending = read_state(client)["junction"]
    grant = {"id": "g", "kind": "allowance", "fingerprint": pending["fingerprint"]}
    with open(state_path(client), "a", encoding="utf-8") as file:
        file.write(f"allowances: {json.dumps([{**grant, 'consumed': False, 'mac': '0' * 64}])}\n")
    assert client.bash(PUSH) == "deny"
    assert "not genuine" in events(client, "grant_ignored")[0]["data"]["why"]


def test_a_grant_of_one_project_is_worth_nothing_in_another(client, tmp_path, fenced):
    client.bash(PUSH)
    client.prompt("/edge approve")
    other = tmp_path / "other"
    other.mkdir()
    with open(state_path(client), "rb") as file:
        (other / "active_context.yaml").write_bytes(file.read())
    second = Client(str(other), clean_env(fenced))
    second.start()
    assert second.bash(PUSH) == "deny"


def test_where_a_person_sits_in_front_the_client_asks_and_nothing_pends(attended):
    answer = attended.before("Bash", command=PUSH)
    assert answer["permissionDecision"] == "ask"
    assert "git-push" in answer["permissionDecisionReason"]
    assert read_state(attended).get("junction") is None
    assert events(attended, "asked")[0]["tool_use_id"] == "toolu_1"


def test_a_dialog_answered_with_yes_is_asked_again_next_time(attended):
    attended.bash(PUSH)
    attended.done("Bash", {"stdout": "ok"}, command=PUSH)
    assert attended.bash(PUSH) == "ask"
    assert "approved: git push origin main" in attended.prompt("/edge status")


def test_an_approved_call_that_failed_was_approved_all_the_same(attended):
    attended.bash(PUSH)
    attended.done("Bash", error="Exit code 1\nrejected", command=PUSH)
    assert attended.bash(PUSH) == "ask"


def confirmed(client, words):
    """Type the words, and then the code that they ask for."""
    return client.prompt(client.prompt(words).rsplit("type: ", 1)[1])


def test_a_yes_is_given_for_the_target_for_an_hour_with_two_words(client):
    client.bash(PUSH)
    assert "60 minutes" in confirmed(client, "/edge 1h")
    assert client.bash(PUSH) == ""
    assert client.bash("git push -q origin main") == ""
    assert client.bash("git push origin other") == "deny"


def test_a_yes_for_the_rule_holds_in_this_session_and_for_this_rule_only(client, fenced):
    client.bash(PUSH)
    assert "rule git-push" in client.prompt("/edge session")
    assert client.bash("git push origin other") == "deny"
    assert "in this session: rule git-push" in confirmed(client, "/edge session")
    assert client.bash("git push origin other") == ""
    assert client.bash("git push origin x && terraform apply") == "deny"
    assert "any target, in this session" in " ".join(client.prompt("/edge grants").split())
    client.prompt("/edge no")
    second = Client(client.root, clean_env(fenced))
    second.start()
    assert second.bash("git push origin other") == "deny"
    assert "Revoked" in second.prompt("/edge grants revoke 1")
    assert client.bash("git push origin other") == "deny"


def test_what_cannot_be_judged_gets_no_scope_beyond_its_class(client):
    client.bash("eval $(cat x)")
    assert read_state(client)["junction"]["rule"].startswith("shell-")
    answer = client.prompt("/edge session")
    assert "cannot be let through as a whole" in answer
    assert "session" not in client.prompt("/edge status").split("decide:")[1].split("\n")[0]


def test_never_denies_the_class_in_the_session_without_asking_again(client, fenced):
    client.bash(PUSH)
    assert "Denied for this session" in client.prompt("/edge never")
    client.prompt("go on")
    answer = client.before("Bash", command=PUSH)
    assert "refused" in answer["permissionDecisionReason"]
    assert read_state(client)["junction"] is None
    second = Client(client.root, clean_env(fenced))
    second.start()
    second.bash(PUSH)
    assert read_state(second)["junction"]["shown"] == PUSH


@pytest.mark.parametrize(
    ("word", "decision"), [("yes", "allow"), ("once", "allow"), ("no", "deny")]
)
def test_a_decision_takes_one_short_word(client, word, decision):
    client.bash(PUSH)
    client.prompt(f"/edge {word}")
    assert client.bash(PUSH) == decision


def test_after_a_yes_in_the_dialog_a_scope_for_the_next_ones_is_offered_once_and_can_be_given(
    attended,
):
    def ran():
        given = {"tool_name": "Bash", "tool_input": {"command": PUSH}, "tool_response": {}}
        ident = f"toolu_{attended.calls}"
        return attended.send("PostToolUse", tool_use_id=ident, duration_ms=3, **given)

    assert attended.bash(PUSH) == "ask"
    offered = ran()["systemMessage"]
    assert "/edge 1h" in offered
    assert "/edge session (git-push" in offered
    assert attended.bash(PUSH) == "ask"
    assert "systemMessage" not in ran()
    assert "60 minutes" in confirmed(attended, "/edge 1h")
    assert attended.bash(PUSH) == ""
    assert attended.bash("git push origin other") == "ask"


def test_a_dialog_answered_with_no_holds_until_the_next_prompt_and_the_next_one_says_so(attended):
    attended.bash(PUSH)
    attended.before("Read", file_path="x")
    assert attended.bash("git push -q origin main") == "deny"
    assert attended.bash("git push origin other") == "ask"
    attended.send("UserPromptSubmit", prompt="now push")
    answer = attended.before("Bash", command=PUSH)
    assert answer["permissionDecision"] == "ask"
    assert "you refused this just now" in answer["permissionDecisionReason"]


def test_two_subagents_are_each_asked_and_judged_apart(attended):
    assert attended.bash(PUSH, agent="a1") == "ask"
    assert attended.bash(PUSH, agent="a2") == "ask"
    attended.calls = 1
    attended.done("Bash", {"stdout": "ok"}, command=PUSH)
    assert attended.bash("ls", agent="a2") == ""


def test_junctions_can_be_denied_even_where_a_person_sits(attended):
    with open(os.path.join(attended.root, "edge.toml"), "w", encoding="utf-8") as file:
        file.write('junction_style = "deny"\n')
    assert attended.bash(PUSH) == "deny"
    assert read_state(attended)["junction"]["rule"] == "git-push"


def test_a_damaged_configuration_opens_and_locks_nothing_and_is_told(attended):
    with open(os.path.join(attended.root, "edge.toml"), "w", encoding="utf-8") as file:
        file.write("junction_style = \n")
    assert attended.bash("ls") == ""
    answer = attended.before("Bash", command=PUSH)
    assert answer["permissionDecision"] == "ask"
    assert "Nothing in this file is effective: edge.toml" in answer["permissionDecisionReason"]


def test_a_rule_of_the_project_s_own_fires_though_its_program_is_no_word_of_ours(client):
    assert client.bash("frobnicate ship") == ""
    with open(os.path.join(client.root, "edge.toml"), "w", encoding="utf-8") as file:
        file.write(
            '[[rule]]\nid = "ship-it"\neffect = "block"\ntype = "external"\nreason = "Ships."\n'
            'instead = "Build."\nwhen = [{ program = "frobnicate" }]\n'
            'match = ["frobnicate"]\nno_match = ["make"]\n'
        )
    answer = client.before("Bash", command="frobnicate ship")
    assert answer["permissionDecision"] == "deny"
    assert "This rule is from edge.toml." in answer["permissionDecisionReason"]
    assert client.bash("cargo build") == ""


def test_what_the_project_would_loosen_is_denied_and_told_until_a_person_confirms(client):
    client.before("Write", file_path=os.path.join(client.root, "edge.toml"), content="")
    with open(os.path.join(client.root, "edge.toml"), "w", encoding="utf-8") as file:
        file.write('[rules.git-push]\neffect = "allow"\n')
    answer = client.before("Bash", command=PUSH)
    assert answer["permissionDecision"] == "deny"
    assert "`edge config trust`" in answer["permissionDecisionReason"]
    assert client.bash("edge config trust") == "deny"
    at = "2026-01-01T00:00:00+00:00"
    trust.confirm(client.root, ["git-push=allow"], by="ann", at=at, env=client.env)
    assert client.bash(PUSH) == ""


def test_an_approval_typed_by_another_process_is_a_forgery(client):
    client.bash(PUSH)
    body = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": client.session,
        "prompt": "/edge approve",
        "cwd": client.root,
    }
    data = json.dumps(body).encode()
    by_pipe = subprocess.run(COMMAND, input=data, env=client.env, capture_output=True, check=True)
    assert "did not come from the person" in json.loads(by_pipe.stdout)["reason"]
    inner = (
        f"import socket, subprocess; a, b = socket.socketpair(); a.sendall({data!r}); a.close();"
        f"print(subprocess.run({COMMAND!r}, stdin=b, capture_output=True).stdout.decode())"
    )
    by_socket = subprocess.run(
        [sys.executable, "-c", inner], env=client.env, capture_output=True, check=True
    )
    assert "did not come from the person" in json.loads(by_socket.stdout)["reason"]
    assert len(events(client, "approval_forgery")) == 2
    assert client.bash(PUSH) == "deny"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Bash", {"command": "edge approve"}),
        ("Bash", {"command": "sh -c 'edge approve'"}),
        ("CronCreate", {"cron": "* * * * *", "prompt": "/edge approve"}),
        ("Write", {"file_path": ".claude/settings.local.json", "content": "{}"}),
        ("Write", {"file_path": "active_context.yaml", "content": "junction: null\n"}),
    ],
)
def test_a_forged_decision_is_denied_and_logged_as_what_it_is(client, tool, given):
    client.bash(PUSH)
    assert client.before(tool, **given)["permissionDecision"] == "deny"
    assert events(client, "approval_forgery")[0]["data"]["rule"].startswith("edge-")
    assert client.bash(PUSH) == "deny"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Edit", {"old_string": "ship it", "new_string": "ship: [it"}),
        ("Edit", {"old_string": "ship it", "new_string": "[ship, it]"}),
        ("Edit", {"old_string": "never written", "new_string": "x"}),
        ("Bash", {"command": "sed -i s/pending/completed/ active_context.yaml"}),
    ],
)
def test_a_slip_in_the_state_is_denied_and_accuses_nobody(client, tool, given):
    path = {} if tool == "Bash" else {"file_path": state_path(client)}
    assert client.before(tool, **path, **given)["permissionDecision"] == "deny"
    assert events(client, "approval_forgery") == []
    rule = events(client, "blocked")[0]["data"]["rule"]
    assert rule == ("edge-state-by-shell" if tool == "Bash" else "state-slip")


def test_an_attempt_that_breaks_a_rule_as_well_stays_an_attempt(client):
    with open(state_path(client), encoding="utf-8") as file:
        text = file.read().replace("ship it", "[ship, it]")
    client.before("Write", file_path=state_path(client), content=text + "allowances: [{}]\n")
    client.bash("sed -i 's/^junction:.*/junction: null/' active_context.yaml")
    assert len(events(client, "approval_forgery")) == 2


def test_an_attempt_that_leaves_the_file_unreadable_stays_an_attempt(client):
    """A second key of the same name is damage to a reader, and a grant to the one who wrote it."""
    client.bash(PUSH)
    with open(state_path(client), encoding="utf-8") as file:
        (line,) = [each for each in file if each.startswith("junction: {")]
    given = {"old_string": line, "new_string": f"{line}junction: null\n"}
    assert client.before("Edit", file_path=state_path(client), **given)["permissionDecision"]
    assert [each["data"]["rule"] for each in events(client, "approval_forgery")] == [
        "edge-state-edit"
    ]


def test_a_session_start_that_no_client_sent_moves_no_session(client, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "active_context.yaml").write_text("objective: y\nplan: []\nconstraints: []\n")
    body = {
        "hook_event_name": "SessionStart",
        "session_id": client.session,
        "source": "startup",
        "cwd": str(elsewhere),
    }
    env = {**client.env, "CLAUDE_PROJECT_DIR": str(elsewhere)}
    data = json.dumps(body).encode()
    subprocess.run(COMMAND, input=data, env=env, capture_output=True, check=True)
    client.bash(PUSH)
    assert read_state(client)["junction"] is not None


def test_a_client_that_did_not_ask_decides_nothing_while_the_one_that_asked_is_open(client, fenced):
    client.bash(PUSH)
    other = Client(client.root, clean_env(fenced))
    other.start()
    assert "another session asked" in other.prompt("/edge approve")
    assert events(client, "approval_forgery") == []
    assert client.bash(PUSH) == "deny"
    assert "Approved once" in client.prompt("/edge approve")


def test_a_session_that_was_never_seen_starting_decides_nothing(client, fenced):
    client.bash(PUSH)
    other = Client(client.root, clean_env(fenced))
    assert "could not be opened before" in other.prompt("/edge approve")
    assert "another session asked" in other.prompt("/edge approve")
    assert client.bash(PUSH) == "deny"


def test_a_session_that_starts_on_a_full_disk_says_so_and_is_opened_by_the_next_prompt(
    project, fenced
):
    client = Client(project, clean_env(fenced))
    given = {"session_id": client.session, "cwd": project, "source": "startup"}
    start = json.dumps({**given, "hook_event_name": "SessionStart"}).encode()
    told = json.loads(client.raw(start, ON_A_FULL_DISK))["systemMessage"]
    assert "could not open this session: Cannot write" in told
    assert "Free some space" in told
    prompt = json.dumps({**given, "hook_event_name": "UserPromptSubmit", "prompt": "go"}).encode()
    client.raw(prompt, ON_A_FULL_DISK)
    assert client.bash(PUSH) == "deny"
    assert "type it again" in client.prompt("/edge approve")
    assert "Approved once" in client.prompt("/edge approve")


def test_a_prompt_that_no_client_sent_opens_no_session(client, fenced):
    other = Client(client.root, clean_env(fenced))
    body = {"hook_event_name": "UserPromptSubmit", "session_id": other.session, "prompt": "go"}
    data = json.dumps({**body, "cwd": client.root}).encode()
    subprocess.run(COMMAND, input=data, env=other.env, capture_output=True, check=True)
    assert bindings.session_binding(other.session, env=other.env) is None


def test_while_a_prompt_of_ours_is_scheduled_no_typed_one_is_believed(client):
    client.bash(PUSH)
    crons = [{"id": "1", "schedule": "* * * * *", "prompt": "/edge approve"}]
    client.send("Stop", session_crons=crons)
    assert "scheduled" in client.prompt("/edge approve")
    assert client.bash(PUSH) == "deny"
    client.send("Stop", session_crons=[{"id": "2", "prompt": "check the build"}])
    assert "Approved once" in client.prompt("/edge approve")


@pytest.mark.parametrize("text", ['{"tasks": [{"prompt": "/edge approve"}]}', "", '{"tasks": ['])
def test_a_schedule_on_the_disk_that_names_us_or_is_half_written_speaks_for_nobody(client, text):
    client.bash(PUSH)
    path = schedule(client, text)
    assert "scheduled" in client.prompt("/edge approve")
    os.remove(path)
    assert "Approved once" in client.prompt("/edge approve")


def test_a_schedule_that_named_us_during_the_session_is_not_forgotten_when_it_is_gone(client):
    client.bash(PUSH)
    path = schedule(
        client, '{"tasks": [{"prompt": "\\\\u002fedge approve"}]}'.replace("\\\\", "\\")
    )
    client.done("Bash", {"stdout": ""}, command="python3 notes.py")
    os.remove(path)
    assert "scheduled" in client.prompt("/edge approve")


def test_a_prompt_right_after_a_scheduled_one_is_not_believed(client):
    client.bash(PUSH)
    path = schedule(client, '{"tasks": [{"prompt": "look at the build"}]}')
    os.utime(path)
    assert "was just sent" in client.prompt("/edge approve")
    os.utime(path, (1, 1))
    assert "was just sent" in client.prompt("/edge approve")


def schedule(client, text):
    """A file of durable schedules, as the client keeps it, written long ago."""
    folder = os.path.join(client.root, ".claude")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "scheduled_tasks.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.utime(path, (1, 1))
    return path


def test_a_dialog_that_something_else_answered_raises_an_alarm_at_the_turns_end(attended, tmp_path):
    attended.bash(PUSH)
    attended.done("Bash", {"stdout": "ok"}, command=PUSH)
    transcript = tmp_path / "t.jsonl"
    line = {
        "type": "user",
        "message": {"content": [{"type": "tool_result", "tool_use_id": "toolu_1"}]},
        "permissionDecision": {"decision": "accept", "source": "hook"},
    }
    transcript.write_text("no json\n" + json.dumps(line) + "\n")
    answer = attended.send("Stop", transcript_path=str(transcript))
    assert PUSH in answer["systemMessage"]
    assert attended.send("Stop", transcript_path=str(transcript)) == {}
    assert events(attended, "answer_source")[0]["data"]["source"] == "hook"


def test_only_the_command_itself_is_a_decision_and_not_a_text_that_mentions_it(client):
    client.bash(PUSH)
    for text in ("please /edge approve", "<x>/edge approve</x>", "/edgeapprove", "/edges approve"):
        assert client.prompt(text) == ""
    assert read_state(client)["junction"] is not None


def test_the_agent_edits_its_plan_but_not_what_the_product_manages(client):
    path = state_path(client)
    assert (
        client.before(
            "Edit", file_path=path, old_string="status: pending", new_string="status: completed"
        )
        == {}
    )
    assert client.before("Edit", file_path=path, old_string="ship it", new_string="ship: [it") != {}
    client.bash(PUSH)
    for key, value in (("junction", "null"), ("mode", '"done"'), ("allowances", "[1]")):
        with open(path, encoding="utf-8") as file:
            text = "".join(line for line in file if not line.startswith(f"{key}:"))
        answer = client.before("Write", file_path=path, content=f"{text}{key}: {value}\n")
        assert answer["permissionDecision"] == "deny"
        assert (
            "readable" in answer["permissionDecisionReason"]
            or key in answer["permissionDecisionReason"]
        )
    answer = client.before(
        "Write", file_path=path, content="objective: x\nplan: []\nconstraints: []\n"
    )
    assert answer["permissionDecision"] == "deny"


def test_an_edit_without_a_plan_is_remarked_on_once_a_session(client):
    Project(client.root, is_set_up=True).transact(
        lambda tx: tx.state.update(plan=[], mode="active"), command="test"
    )
    first = client.before("Edit", file_path=os.path.join(client.root, "a.py"), old_string="a")
    assert "plan" in first["additionalContext"]
    assert "permissionDecision" not in first
    assert client.before("Write", file_path=os.path.join(client.root, "b.py"), content="") == {}


def test_what_happened_is_recorded_with_its_outcome_and_without_secrets(client):
    client.before("Bash", command="pytest -q")
    client.done("Bash", error="Exit code 1\n1 failed", command="pytest -q")
    secret = "ghp_" + "a1B2" * 9
    client.before("Write", file_path="a.py", content=f"token = '{secret}'")
    client.done("Write", {"type": "create"}, file_path="a.py", content=f"token = '{secret}'")
    tools = events(client, "tool")
    assert (tools[0]["success"], tools[0]["exit_code"]) == (False, 1)
    assert tools[1]["file_touched"].endswith("a.py")
    with open(os.path.join(client.root, ".proof", "session_log.jsonl"), encoding="utf-8") as file:
        assert secret not in file.read()


def test_the_next_session_is_told_what_really_happened(client, fenced):
    client.before("Write", file_path=os.path.join(client.root, "a.py"), content="x")
    client.done(
        "Write", {"type": "create"}, file_path=os.path.join(client.root, "a.py"), content="x"
    )
    client.before("Bash", command="python -m pytest -q")
    client.done("Bash", {"stdout": "1 passed"}, command="python -m pytest -q")
    second = Client(client.root, clean_env(fenced))
    told = second.start()
    assert "did not end cleanly" in told
    assert "a.py" in told
    assert "Last check: pytest passed" in told
    second.send("Stop")
    second.send("SessionEnd", reason="other")
    third = Client(client.root, clean_env(fenced))
    assert "1 session without changes since" in third.start()


def test_files_that_a_command_changed_count_as_modified_and_the_products_own_do_not(client):
    client.before("Bash", command="sed -i s/hello/bye/ readme.txt")
    with open(os.path.join(client.root, "readme.txt"), "w", encoding="utf-8") as file:
        file.write("bye\n")
    client.done("Bash", {"stdout": ""}, command="sed -i s/hello/bye/ readme.txt")
    client.send("Stop")
    assert read_state(client)["observations"]["files_modified"] == ["readme.txt"]
    client.send("Stop")
    assert len(events(client, "tree_changed")) == 1


def test_where_nothing_is_set_up_the_gate_decides_and_writes_nothing(tmp_path, fenced):
    bare = tmp_path / "bare"
    (bare / ".git").mkdir(parents=True)
    other = Client(str(bare), clean_env(fenced))
    other.start()
    assert other.bash("rm -rf /") == "deny"
    answer = other.before("Bash", command=PUSH)
    assert "edge init" in answer["permissionDecisionReason"]
    other.done("Bash", {"stdout": ""}, command="ls")
    other.send("Stop")
    assert os.listdir(bare) == [".git"]


def test_the_agents_directory_does_not_change_the_project(client, tmp_path):
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "active_context.yaml").write_text("objective: y\nplan: []\nconstraints: []\n")
    answer = client.send(
        "PreToolUse", tool_name="Bash", tool_input={"command": PUSH}, cwd=str(other)
    )
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert read_state(client)["junction"] is not None
    assert not (other / ".proof").exists()


def test_entering_a_work_tree_moves_the_session_and_leaving_it_brings_it_back(client, tmp_path):
    tree = tmp_path / "tree"
    git = ["git", "-C", client.root, "worktree", "add", "-q", str(tree)]
    subprocess.run(git, check=True, capture_output=True)
    client.before("EnterWorktree", name="tree")
    answer = client.send(
        "PostToolUse",
        tool_name="EnterWorktree",
        tool_input={"name": "tree"},
        tool_response={"worktreePath": str(tree)},
        tool_use_id="toolu_1",
    )
    assert "ship it" in answer["hookSpecificOutput"]["additionalContext"]
    assert client.bash(PUSH) == "deny"
    here = Project(str(tree), is_set_up=True)
    assert here.state.read()["junction"]["rule"] == "git-push"
    assert read_state(client).get("junction") is None
    assert "Approved once" in client.prompt("/edge approve")
    assert client.bash(PUSH) == "allow"
    client.done("ExitWorktree", {"message": "left"})
    assert client.bash("git push origin other") == "deny"
    assert read_state(client)["junction"]["shown"] == "git push origin other"
    assert here.state.read()["session"]["ended_at"]


def test_an_edit_with_a_plan_asks_for_nothing_and_one_of_the_state_or_without_a_plan_does(client):
    """What is let pass here is answered by a warm process without one of its own."""
    context, edit = looked_at(client)
    assert before_call.is_silent(context, edit)
    own = {"file_path": "active_context.yaml", "old_string": "a", "new_string": "b"}
    assert not before_call.is_silent(context, edit._replace(input=own))
    change(client, plan=[])
    context, edit = looked_at(client)
    assert not before_call.is_silent(context, edit)


def test_an_edit_is_looked_at_closely_while_a_change_of_the_state_is_unfinished(client):
    context, edit = looked_at(client)
    journal = context.project.state._journal
    with open(journal, "w", encoding="utf-8") as file:
        file.write("half")
    assert not before_call.is_silent(context, edit)
    assert os.path.exists(journal)
    os.unlink(journal)


def test_an_edit_right_after_a_change_of_the_state_asks_for_nothing_either(client):
    context, edit = looked_at(client, age=0)
    assert before_call.is_silent(context, edit)
    with open(context.project.state.path, "a", encoding="utf-8") as file:
        file.write("# by hand\n")
    assert not before_call.is_silent(context, edit), "a text that would have to be parsed"


def test_a_call_that_git_would_have_to_be_asked_about_is_looked_at_closely(client):
    """The answer may forbid as well as allow: a project's own rule can be about what git ignores."""
    rule = """[[rule]]
        id = "keep-builds"
        effect = "block"
        type = "dangerous"
        reason = "Builds take an hour."
        instead = "Keep them."
        when = [{ program = "mv", operand = "@regenerable" }, { program = "mv", first = "hour" }]
        match = ["mv hour old"]
        no_match = ["ls build"]
    """
    for name, text in (("edge.toml", rule), (".gitignore", "build/\n"), ("build/a.o", "")):
        os.makedirs(os.path.dirname(os.path.join(client.root, name)), exist_ok=True)
        with open(os.path.join(client.root, name), "w", encoding="utf-8") as file:
            file.write(text)
    context, edit = looked_at(client)
    move = edit._replace(tool="Bash", input={"command": "mv build old"})
    assert before_call.decide(context, move).effect == "block"
    assert not before_call.is_silent(context, move)
    assert before_call.is_silent(
        context, edit._replace(tool="Bash", input={"command": "cp a.py b.py"})
    )


def test_an_edit_without_a_plan_asks_for_nothing_once_that_was_said(client):
    change(client, plan=[])
    context, edit = looked_at(client)
    assert before_call.decide(context, edit).effect == "warn"
    assert before_call.is_silent(context, edit)
    other, _ = looked_at(client)
    other.session = "another"
    assert not before_call.is_silent(other, edit)


def looked_at(client, age=3600):
    """A context of a project whose state has not changed for so many seconds, and an edit of another file."""
    project = Project(client.root, is_set_up=True)
    then = time.time() - age
    os.utime(project.state.path, (then, then))
    project.state.read()
    context = EventContext(project, session=client.session, can_ask=False, env=client.env)
    return context, Call("Edit", {"file_path": "readme.txt"}, client.root, session=client.session)


def test_while_the_state_cannot_be_read_the_gate_judges_as_under_the_strict_profile(client):
    write(client.root, ".gitignore", "build/\n")
    write(client.root, "build/x")
    where = os.path.join(client.env["HOME"], ".config", "operators-edge")
    write(where, "config.toml", 'profile = "contextual"\n')
    path = os.path.join(client.root, "active_context.yaml")
    with open(path, encoding="utf-8") as file:
        whole = file.read()
    assert client.bash("rm -rf build") != "deny"
    with open(path, "w", encoding="utf-8") as file:
        file.write("objective: [\n")
    for _ in range(2):
        assert client.bash("rm -rf build") == "deny"
    assert client.bash("ls build") != "deny"
    with open(path, "w", encoding="utf-8") as file:
        file.write(whole)
    assert client.bash("rm -rf build") != "deny"


def test_an_edit_of_the_state_that_would_add_a_secret_is_stopped_and_says_which_words(
    project, client
):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8"
    given = {"file_path": os.path.join(project, "active_context.yaml"), "old_string": "ship it"}
    answer = client.before("Edit", **given, new_string=f"ship with {token}")
    assert answer["permissionDecision"] == "deny"
    assert "ship with [REDACTED:github]" in answer["permissionDecisionReason"]
    assert token not in json.dumps(answer)
    assert client.before("Edit", **given, new_string="ship with $GITHUB_TOKEN") == {}


def test_what_a_file_of_credentials_says_is_hidden_once_a_call_has_read_it(project, client):
    write(project, "apps/web/.env.live", "API_TOKEN=quite-plain-word-77\n")
    given = {"command": "cat apps/web/.env.live"}
    client.before("Bash", **given)
    client.done("Bash", {"stdout": "it says quite-plain-word-77 here"}, **given)
    client.before("Bash", command="ls")
    client.done("Bash", {"stdout": "quite-plain-word-77"}, command="ls")
    with open(os.path.join(project, ".proof", "session_log.jsonl"), encoding="utf-8") as file:
        log = file.read()
    assert "quite-plain-word" not in log
    assert log.count("[REDACTED]") == 2
