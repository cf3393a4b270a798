"""A person lets a rule pass for a time: as a whole, for a remote, or in a folder; at the real hook."""

import json
import os

import pytest
from tests.hosting import Client, at_a_terminal, clean_env, events, forget_client, git, read_state

# A session of real hooks for each.
pytestmark = [pytest.mark.long, pytest.mark.usefixtures("same_user_folder")]

PUSH = "git push origin main"


def confirmed(client, line):
    shown = client.prompt(f"/edge {line}")
    return shown, client.prompt(shown.rsplit("type: ", 1)[1])


@pytest.fixture
def person(client):
    forget_client(client)

    def run(*words, answer="y\n"):
        return at_a_terminal(client.root, *words, answer=answer, env=client.env)

    return run


def test_a_whole_rule_passes_in_every_session_until_it_is_revoked(client, remote):
    assert client.bash(PUSH) == "deny"
    shown, done = confirmed(client, "dismiss 30 rule")
    assert "every call of rule git-push would pass without asking" in shown
    assert f"Calls so far that it would have allowed:\n  {PUSH}" in shown
    assert done.startswith("Not asked again for 30 minutes: rule git-push, any target, in this")
    assert read_state(client)["junction"] is None
    assert client.bash(PUSH) != "deny"
    assert client.bash("git push origin HEAD:other") != "deny"
    other = Client(client.root, client.env)
    other.start()
    assert other.bash(PUSH) != "deny"
    assert "git-push" in client.prompt("/edge grants")
    client.prompt("/edge grants revoke 1")
    assert client.bash(PUSH) == "deny"


def test_a_rule_for_a_remote_is_for_the_address_that_it_has_now(client, remote, tmp_path):
    other = str(tmp_path / "elsewhere.git")
    git(str(tmp_path), "clone", "-q", "--bare", remote, other)
    git(client.root, "remote", "add", "backup", other)
    client.bash(PUSH)
    shown, done = confirmed(client, "1h rule here")
    assert f"to {remote}" in shown
    assert "those that went there" in shown
    assert f"rule git-push, to {remote}" in done
    assert client.bash("git push origin HEAD:release") != "deny"  # any branch
    assert client.bash("git push backup main") == "deny"
    client.prompt("/edge skip")
    git(client.root, "remote", "set-url", "--push", "origin", other)
    assert client.bash("git push origin HEAD:release") == "deny"


def test_a_rule_for_a_folder_is_for_what_stays_in_it(client, tmp_path):
    for name in ("a/one", "b/two"):
        os.makedirs(f"{client.root}/{name}")
        with open(f"{client.root}/{name}/x", "w", encoding="utf-8") as file:
            file.write("x")
    os.symlink(f"{client.root}/b", f"{client.root}/a/link")
    loosen = "cd {} && chmod -R 777 {}"
    assert client.bash(loosen.format("a", "one")) == "deny"
    rule = read_state(client)["junction"]["rule"]
    _, done = confirmed(client, f"dismiss 60 rule {rule} folder a")
    assert f"rule {rule}, in {os.path.realpath(client.root)}/a" in done
    client.prompt("/edge skip")
    other = Client(client.root, client.env)
    other.start()
    assert other.bash(loosen.format("a", "one")) != "deny"
    for command in (
        loosen.format("b", "two"),
        loosen.format("a", "../b/two"),
        loosen.format("a", "link/two"),
        loosen.format("a", "one ../b"),
        "chmod -R 777 b",
        "cd a && chmod -R 777 $WHERE",
    ):
        assert other.bash(command) == "deny", command


@pytest.mark.parametrize("rule", ["edge-human-verb", "shell-cannot-analyse", "no-such-rule"])
def test_what_guards_decisions_blocks_or_is_unknown_is_never_dismissed(client, rule):
    assert "edge:" not in client.prompt(f"/edge dismiss 60 rule {rule}")
    assert events(client, "scope_given") == []
    assert read_state(client).get("dismissals") in (None, [])


def test_a_block_stays_one(client):
    confirmed(client, "dismiss 60 rule git-push")
    assert client.bash("git push origin main; rm -rf /") == "deny"
    assert "blocks outright" in client.prompt("/edge dismiss 60 rule fs-delete-whole")


def test_at_a_terminal_both_forms_are_offered_and_only_a_yes_counts(client, remote, person):
    client.bash(PUSH)
    asked = person("dismiss", "30", answer="n\n")
    assert "every call of this class" in asked.stderr
    assert (
        "The whole rule instead: edge dismiss 30 --rule (--here: where this goes)" in asked.stderr
    )
    assert person("dismiss", "--rule", answer="n\n").returncode == 1
    assert read_state(client)["junction"]["rule"] == "git-push"
    done = person("dismiss", "30", "--rule", "git-push", "--remote", "origin", "--json")
    assert json.loads(done.stdout)["data"]["decided"] == "dismiss"
    assert read_state(client)["dismissals"][0]["only"] == {"addresses": [remote]}
    assert read_state(client)["junction"] is None
    assert person("dismiss", "--rule", "git-push", "--remote", "none").returncode == 64


def test_a_rule_dismissal_that_was_written_by_hand_or_widened_counts_for_nothing(client, remote):
    client.bash(PUSH)
    confirmed(client, "1h rule here")
    path = f"{client.root}/active_context.yaml"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(f'"addresses": ["{remote}"]', '"addresses": ["/evil.git"]'))
    git(client.root, "remote", "set-url", "--push", "origin", "/evil.git")
    assert client.bash(PUSH) == "deny"


def test_an_agent_cannot_dismiss_a_rule(client):
    assert client.bash("edge dismiss 60 --rule git-push") == "deny"
    env = {**clean_env(client.env["HOME"]), "CLAUDECODE": "1"}
    assert at_a_terminal(client.root, "dismiss", "--rule", "git-push", env=env).returncode == 1
