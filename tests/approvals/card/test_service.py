"""The card on its way: drawn at a junction, kept in the state, shown to the person who decides."""

import json
import os
import subprocess

import pytest
from tests import processes
from tests.hosting import git

from operators_edge.approvals.card.build import MAX_STORED_BYTES
from operators_edge.project import Project

PUSH = "git push --force origin main"


def commit(root, *subjects):
    for subject in subjects:
        with open(os.path.join(root, "log.txt"), "w", encoding="utf-8") as file:
            file.write(subject)
        git(root, "add", "log.txt")
        git(root, "commit", "-qm", subject)


@pytest.fixture
def published(project, tmp_path):
    """A remote that holds two commits which this branch has left, and lacks the one made since."""
    bare = str(tmp_path / "shop.git")
    subprocess.run(["git", "init", "-q", "--bare", bare], check=True)
    git(project, "remote", "add", "origin", bare)
    commit(project, "one", "two")
    git(project, "push", "-q", "-u", "origin", "main")
    git(project, "reset", "-q", "--hard", "HEAD~2")
    commit(project, "other")
    return project


def edge(client, *words):
    env = {key: value for key, value in client.env.items() if not key.startswith("CLAUDE")}
    return processes.edge(client.root, *words, env=env).stdout


def pending_of(client):
    junction = json.loads(edge(client, "status", "--json"))["data"]["junction"]
    return junction["card"] if junction else None


def test_a_junction_in_the_state_carries_its_card_and_the_status_shows_it(published, client):
    denied = client.before("Bash", command=PUSH)
    reason = denied["permissionDecisionReason"]
    assert "2 commits on main of origin" in reason
    assert len(reason.splitlines()) <= 6
    card = pending_of(client)
    assert card["radius"][0]["at_stake"][0].startswith("2 commits on main of origin")
    assert [card["command"][start:end] for start, end in card["marks"]] == ["push", "--force"]
    assert len(json.dumps(card).encode()) <= MAX_STORED_BYTES
    for text in (edge(client, "status"), client.prompt("/edge")):
        assert "At stake   2 commits on main of origin" in text
        assert "Reversible partly, git push -f origin" in text


def test_the_card_is_what_explain_computes(published, client):
    client.bash(PUSH)
    explained = json.loads(edge(client, "explain", "--json", PUSH))["data"]["card"]
    kept = pending_of(client)
    assert kept["target"].endswith(str(client.root))
    for key in ("command", "marks", "rule", "type", "reason", "instead", "undo", "target"):
        assert explained[key] == kept[key], key
    assert explained["radius"] == kept["radius"]


def test_in_the_dialog_a_long_command_leaves_room_for_what_decides(published, attended):
    command = f"echo {'x' * 3000} && {PUSH} && echo {'y' * 3000}"
    answer = attended.before("Bash", command=command)
    assert answer["permissionDecision"] == "ask"
    lines = answer["permissionDecisionReason"].splitlines()
    assert len(lines) <= 9
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("At stake: 2 commits on main of origin")
    assert "Rule: git-push-force" in answer["permissionDecisionReason"]


def test_how_it_was_decided_before_is_on_the_next_card(published, client):
    client.bash(PUSH)
    assert pending_of(client)["history"] is None
    client.prompt("/edge approve")
    assert client.bash(PUSH) == "allow"
    client.bash(PUSH)
    history = pending_of(client)["history"]
    assert history["exact"] == {"approved": 1}
    assert "typed in Claude Code" in history["last"]["by"]


def test_an_answer_in_the_dialog_is_on_the_next_card(published, attended):
    attended.bash(PUSH)
    attended.done("Bash", {"stdout": "ok"}, command=PUSH)
    with open(os.path.join(attended.root, "edge.toml"), "w", encoding="utf-8") as file:
        file.write('junction_style = "deny"\n')
    attended.bash(PUSH)
    assert pending_of(attended)["history"]["exact"] == {"approved": 1}


def test_the_step_in_progress_is_on_the_card_and_a_pending_one_is_not(published, client):
    client.bash(PUSH)
    assert pending_of(client)["step"] is None
    client.prompt("/edge skip")
    edge(client, "step", "start", "1")
    client.bash("git push origin main")
    assert pending_of(client)["step"] == {"number": 1, "of": 1, "description": "one"}


def test_secrets_of_the_environment_are_in_no_card(project, client):
    client.env["SHOP_TOKEN"] = "correct-horse-battery"
    client.bash("git push origin correct-horse-battery:main")
    with open(os.path.join(client.root, "active_context.yaml"), encoding="utf-8") as file:
        assert "correct-horse" not in file.read()


def test_a_call_of_another_tool_has_a_card_too(client):
    client.before("Write", file_path="/etc/hosts.new", content="x")
    card = pending_of(client)
    assert "/etc/hosts.new" in card["command"]
    assert card["marks"] == []


def test_a_card_that_somebody_edited_leaves_the_plain_words(client):
    client.bash("git push")
    project = Project(client.root, is_set_up=True)

    def spoil(tx):
        tx.state["junction"]["card"] = {"command": 7, "radius": "x"}

    project.transact(spoil, command="test")
    text = edge(client, "status")
    assert "Pending    irreversible: git push" in text
    assert "decide: /edge approve" in text
