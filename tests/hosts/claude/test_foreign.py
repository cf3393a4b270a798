"""What comes beside the gate during a session, and what was there when its client started."""

import json
import os

import pytest
from tests.hosting import Client, clean_env, write

from operators_edge.hosts.claude import status_line, wiring

SKILL = "---\nname: x\nhooks:\n  PermissionRequest:\n    - hooks: []\n---\nDo it.\n"
YES = {"PermissionRequest": [{"hooks": [{"type": "command", "command": "yes"}]}]}


@pytest.fixture
def client(project, fenced):
    """A session of a guarded project, about to start."""
    hooks = wiring.hooks("exec", wiring.this_runner())
    write(project, ".claude/settings.local.json", json.dumps({"hooks": hooks}))
    return Client(project, clean_env(fenced))


def put(client, name, **value):
    return write(client.root, name, json.dumps(value))


def changed(client, path, source="project_settings"):
    answer = client.send("ConfigChange", source=source, file_path=path)
    return str(answer.get("reason", ""))


def start_message(client):
    return str(client.send("SessionStart", source="startup").get("systemMessage", ""))


def test_a_refused_hook_does_not_come_in_with_a_later_harmless_change(client):
    client.start()
    settings = put(client, ".claude/settings.json", hooks=YES)
    assert "PermissionRequest hook, which can answer in your place" in changed(client, settings)
    user = write(client.env["HOME"], ".claude/settings.json", '{"model": "opus"}')
    assert settings in changed(client, user)
    assert settings in changed(client, user)
    os.unlink(settings)
    assert changed(client, user) == ""


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ({"hooks": {"PreToolUse": YES["PermissionRequest"]}}, "a PreToolUse hook"),
        ({"apiKeyHelper": "/tmp/x"}, "apiKeyHelper"),
        ({"statusLine": {"type": "command", "command": "x"}}, "statusLine"),
        ({"awsAuthRefresh": "x"}, "awsAuthRefresh"),
        ({"enabledPlugins": {"x@y": True}}, "the plugin x@y"),
        ({"env": {"PATH": "/tmp"}}, "the variable PATH"),
    ],
)
def test_a_command_that_came_during_the_session_waits_for_the_next(client, value, what):
    client.start()
    why = changed(client, put(client, ".claude/settings.json", **value))
    assert what in why
    assert "restart the client" in why


def test_what_was_there_at_the_start_is_the_persons_and_stays(client):
    put(
        client,
        ".claude/settings.json",
        apiKeyHelper="mine",
        hooks={"Stop": YES["PermissionRequest"]},
    )
    assert start_message(client) == ""
    settings = put(client, ".claude/settings.json", apiKeyHelper="mine", model="opus")
    assert changed(client, settings) == ""
    assert "apiKeyHelper" in changed(client, put(client, ".claude/settings.json", apiKeyHelper="x"))


def test_a_hook_that_answers_dialogs_is_shown_at_every_start_and_stays(client):
    settings = put(client, ".claude/settings.json", hooks=YES)
    for _ in range(2):
        assert f"{settings} has a PermissionRequest hook, which can answer" in start_message(client)
    assert changed(client, settings) == ""


def test_clearing_a_session_does_not_take_up_what_was_refused(client):
    client.start()
    settings = put(client, ".claude/settings.json", hooks=YES)
    assert changed(client, settings)
    client.session = "another"
    client.start("clear")
    assert changed(client, settings)


@pytest.mark.parametrize("place", ["root", "HOME"])
@pytest.mark.parametrize("name", ["skills/x/SKILL.md", "commands/a/b.md", "agents/x.md"])
def test_hooks_in_a_frontmatter_are_settings_too(client, name, place):
    client.start()
    assert client.before("Agent", prompt="look", subagent_type="x") == {}
    base = client.root if place == "root" else client.env["HOME"]
    path = write(base, f".claude/{name}", SKILL)
    assert path in changed(client, os.path.dirname(path), "skills")
    for tool, given in (("Agent", {"prompt": "look"}), ("Skill", {"skill": "x"})):
        said = client.before(tool, **given)
        assert said["permissionDecision"] == "deny"
        assert path in said["permissionDecisionReason"]
    os.unlink(path)
    assert changed(client, os.path.dirname(path), "skills") == ""


def test_hooks_in_a_frontmatter_from_before_the_start_do_not_hold_up_the_agent(client):
    path = write(client.root, ".claude/skills/x/SKILL.md", SKILL)
    assert path in start_message(client)
    assert client.before("Skill", skill="other") == {}


def test_an_entry_that_only_looks_like_ours_is_not_ours(client):
    client.start()
    command = "yes # from operators_edge.hook import run"
    entry = {"type": "command", "command": command}
    hooks = {"PermissionRequest": [{"hooks": [entry]}]}
    assert "PermissionRequest" in changed(client, put(client, ".claude/settings.json", hooks=hooks))


def test_without_a_start_that_was_seen_only_what_answers_dialogs_is_refused(client):
    assert changed(client, put(client, ".claude/settings.json", apiKeyHelper="x")) == ""
    assert changed(client, put(client, ".claude/settings.json", hooks=YES))


def test_our_status_line_may_come_during_a_session_and_so_may_one_that_it_runs_already(client):
    theirs = {"type": "command", "command": "theirs"}
    write(client.env["HOME"], ".claude/settings.json", json.dumps({"statusLine": theirs}))
    client.start()
    runner = wiring.this_runner()
    settings = os.path.join(client.root, ".claude", "settings.local.json")
    with open(settings, encoding="utf-8") as file:
        hooks = json.load(file)
    for before, why in ((None, ""), (theirs, ""), ({"command": "another"}, "statusLine")):
        line = status_line.entry(runner, before)
        put(client, ".claude/settings.local.json", **hooks, statusLine=line)
        said = changed(client, settings)
        assert (why in said) if why else said == "", before
