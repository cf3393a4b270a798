"""What a person approved is what runs: at the real hook, with real repositories."""

import os
from pathlib import Path

import pytest
from tests.hosting import Client, change, clean_env, events, git, read_state, write

# A session of real hooks for each.
pytestmark = [pytest.mark.long, pytest.mark.usefixtures("same_user_folder")]

PUSH = "git push origin main"
EVIL = (
    "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.pushurl "
    "GIT_CONFIG_VALUE_0=/evil.git; git push origin main"
)


def commit(root, name):
    write(root, name)
    git(root, "add", "-f", name)
    git(root, "commit", "-qm", f"add {name}")


def ran(client, command, **more):
    """PostToolUse of the last call: the message for the person."""
    answer = client.send(
        "PostToolUse",
        tool_name="Bash",
        tool_input={"command": command},
        tool_use_id=f"toolu_{client.calls}",
        tool_response={"stdout": "", "stderr": ""},
        **more,
    )
    return answer.get("systemMessage", "")


def shown_at_start(client):
    """What the person is shown at the next start."""
    return client.send("SessionStart", source="startup").get("systemMessage", "")


def test_a_commit_after_the_approval_is_asked_about_and_named(client, remote):
    assert client.bash(PUSH) == "deny"
    assert "Approved once" in client.prompt("/edge approve")
    commit(client.root, "prod.env")
    answer = client.before("Bash", command=PUSH)
    assert answer["permissionDecision"] == "deny"
    assert "Changed since it was approved: +1 commit: " in answer["permissionDecisionReason"]
    assert "add prod.env" in answer["permissionDecisionReason"]
    assert "(since you approved)" in client.prompt("/edge")
    assert "Approved once" in client.prompt("/edge approve")
    assert client.bash(PUSH) == "allow"
    assert len(events(client, "allowance_used")) == 1


def test_an_approval_for_one_repository_is_not_used_for_another(client, remote):
    client.bash(PUSH)
    client.prompt("/edge approve")
    assert client.bash(EVIL) == "deny"
    client.prompt("/edge skip")
    git(client.root, "remote", "set-url", "--push", "origin", "/evil.git")
    assert client.bash(PUSH) == "deny"
    assert events(client, "allowance_used") == []


def test_a_dismissal_is_for_the_address_it_names(client, remote, tmp_path):
    other = str(tmp_path / "other")
    git(str(tmp_path), "clone", "-q", remote, other)
    client.bash(PUSH)
    shown = client.prompt("/edge dismiss 30")
    assert f"to {remote} from {client.root}" in shown
    assert f"to {remote} from {client.root}" in client.prompt(shown.rsplit("type: ", 1)[1])
    for command in (
        f"cd {other} && {PUSH}",
        "git -c remote.origin.pushurl=/evil.git push origin main",
        EVIL,
        f"git remote set-url origin /evil.git; {PUSH}",
    ):
        assert client.bash(command) == "deny", command
        client.prompt("/edge skip")
    assert client.before("Bash", command="git push -q origin main") == {}
    commit(client.root, "more")
    assert client.bash(PUSH) == ""


def test_a_script_that_changed_after_the_approval_is_asked_about(client):
    write(client.root, "deploy.sh", "ship-it one\n")
    client.bash("bash deploy.sh prod")
    client.prompt("/edge approve")
    write(client.root, "deploy.sh", "ship-it two\n")
    answer = client.before("Bash", command="bash deploy.sh prod")
    assert answer["permissionDecision"] == "deny"
    assert "deploy.sh changed" in answer["permissionDecisionReason"]


def test_what_changed_while_it_was_pending_is_shown_before_it_is_approved(client, remote):
    client.bash(PUSH)
    commit(client.root, "prod.env")
    said = client.prompt("/edge approve")
    assert "it changed since you were asked: +1 commit: " in said
    assert "Approved once" in client.prompt("/edge approve")
    assert client.bash(PUSH) == "allow"


def test_after_a_dialog_what_ran_is_compared_and_a_difference_is_an_alarm(attended, remote, fenced):
    assert attended.bash(PUSH) == "ask"
    commit(attended.root, "secret.env")
    git(attended.root, "push", "-q", "origin", "main")
    alarm = ran(attended, PUSH)
    assert "what ran differs from what was shown: git push origin main: +1 commit: " in alarm
    assert "add secret.env" in alarm
    (entry,) = events(attended, "approved_changed")
    assert "add secret.env" in entry["changed"][0]
    headless = Client(attended.root, clean_env(fenced))
    assert "add secret.env" in shown_at_start(headless)
    later = Client(attended.root, clean_env(fenced), attended=True)
    assert "add secret.env" in shown_at_start(later)
    assert shown_at_start(Client(attended.root, clean_env(fenced), attended=True)) == ""


def test_what_was_shown_and_cannot_be_read_any_more_is_an_alarm(attended, remote):
    assert attended.bash(PUSH) == "ask"
    (kept,) = Path(attended.env["XDG_STATE_HOME"]).glob("*/projects/*/calls/*")
    kept.write_text("{")
    assert "it could not be compared" in ran(attended, PUSH)
    assert ran(attended, PUSH) == ""
    assert len(events(attended, "approved_changed")) == 1


def test_alarms_that_cannot_be_read_are_an_alarm(client):
    (folder,) = Path(client.env["XDG_STATE_HOME"]).glob("*/projects/*")
    (folder / "alarms.json").write_text("[")
    assert "alarms may be lost" in shown_at_start(client)


def test_after_a_dialog_the_same_content_is_no_alarm(attended, remote):
    commit(attended.root, "fine")
    assert attended.bash(PUSH) == "ask"
    git(attended.root, "push", "-q", "origin", "main")
    assert ran(attended, PUSH).startswith("To be asked less: /edge 1h")
    assert attended.bash(PUSH) == "ask"
    git(attended.root, "push", "-q", "origin", "main")
    commit(attended.root, "after-it-ran")
    assert ran(attended, PUSH) == ""
    assert events(attended, "approved_changed") == []


def test_a_script_that_changed_while_the_dialog_was_open_is_an_alarm(attended):
    write(attended.root, "deploy.sh", "ship-it one\n")
    assert attended.bash("bash deploy.sh prod") == "ask"
    write(attended.root, "deploy.sh", "ship-it two\n")
    assert "deploy.sh changed" in ran(attended, "bash deploy.sh prod")


def test_a_file_written_through_a_tool_is_the_file_that_was_shown(client, fenced):
    path = os.path.join(fenced, ".bashrc")
    client.before("Write", file_path=path, content="alias a=b")
    assert "Approved once" in client.prompt("/edge approve")
    answer = client.before("Write", file_path=path, content="alias a=evil")
    assert answer["permissionDecision"] == "deny"
    assert "what the tool is given changed" in answer["permissionDecisionReason"]


def test_a_binding_holds_no_secret_and_is_part_of_what_is_signed(client, remote):
    git(client.root, "remote", "set-url", "origin", "https://me:hunter2secret@git.example/a.git")
    client.bash(PUSH)
    assert "hunter2secret" not in str(read_state(client)["junction"])
    client.prompt("/edge approve")
    (grant,) = read_state(client)["allowances"]
    changed = [fact for fact in grant["binding"] if fact["kind"] != "url"]
    change(client, allowances=[{**grant, "binding": changed}])
    assert client.bash(PUSH) == "deny"
    assert "not genuine" in events(client, "grant_ignored")[0]["why"]
