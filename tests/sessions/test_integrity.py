"""Sessions say what is not guarded any more, here and elsewhere; each says it once."""

import json
import os

import pytest
from tests import processes
from tests.hosting import Client, git, write

from operators_edge.cli.main import main
from operators_edge.integrity import store


@pytest.fixture
def guarded(project, fenced, tmp_path, monkeypatch):
    """Two projects in which ``edge init`` ran, and a client in the first."""
    other = tmp_path / "other"
    other.mkdir()
    git(str(other), "init", "-q")
    env = {**os.environ, "EDGE_RESIDENT": "off"}
    for root in (project, str(other)):
        assert processes.edge(root, "init", env=env).returncode == 0
    return Client(project, env), str(other)


def settings(root):
    return os.path.join(root, ".claude", "settings.local.json")


def heard(client, name="UserPromptSubmit", **fields):
    """What the person reads at a prompt, or another event."""
    fields = fields or {"prompt": "hello"}
    return client.send(name, **fields).get("systemMessage", "")


def starts(client):
    return heard(client, "SessionStart", source="startup")


def test_guarded_projects_are_not_mentioned(guarded):
    client, _ = guarded
    assert starts(client) == ""
    assert heard(client) == ""


def test_another_project_that_is_unguarded_is_told_at_the_next_prompt_and_only_once(guarded):
    client, other = guarded
    starts(client)
    os.rename(os.path.join(other, ".claude"), os.path.join(other, "gone"))
    text = heard(client)
    assert f"{other} is not guarded any more: no settings run the gate" in text
    assert f"cd {other} && edge init" in text
    assert text.count("\n") == 0
    assert heard(client) == ""
    assert other in starts(Client(client.root, client.env))


def test_settings_that_were_emptied_or_switch_hooks_off_are_told(guarded):
    client, other = guarded
    starts(client)
    write(client.root, ".claude/settings.local.json", "{}")
    assert "no settings run the gate" in heard(client)
    write(other, ".claude/settings.json", '{"disableAllHooks": true}')
    assert "disableAllHooks" in heard(client)


def test_a_hook_that_sees_only_some_calls_guards_nothing(guarded):
    client, other = guarded
    starts(client)
    with open(settings(other), encoding="utf-8") as file:
        kept = json.load(file)
    kept["hooks"]["PreToolUse"][0]["matcher"] = "Nothing"
    write(other, ".claude/settings.local.json", json.dumps(kept))
    assert "does not run the gate on every tool call" in heard(client)


def test_a_branch_without_the_settings_is_one_line(guarded):
    client, other = guarded
    starts(client)
    git(other, "config", "user.email", "ann@example.com")
    git(other, "config", "user.name", "Ann")
    git(other, "commit", "-q", "--allow-empty", "-m", "first")
    git(other, "checkout", "-q", "-b", "with")
    git(other, "add", "-f", ".claude")
    git(other, "commit", "-q", "-m", "settings")
    git(other, "checkout", "-q", "-")
    assert heard(client).count("\n") == 0
    git(other, "checkout", "-q", "with")
    assert heard(client) == ""


def test_a_project_where_the_hooks_were_uninstalled_is_not_missed(guarded):
    client, other = guarded
    starts(client)
    assert other in store.read(client.env)["projects"]
    done = processes.edge(other, "uninstall", env=client.env)
    if done.returncode:  # an agent's shell runs these tests: a person has to do it
        pytest.skip(done.stderr)
    assert heard(client) == ""
    assert other not in store.read(client.env)["projects"]


def test_a_session_records_the_project_that_it_guards(guarded):
    client, _ = guarded
    os.unlink(store.path(client.env))
    starts(client)
    assert list(store.read(client.env)["projects"]) == [client.root]


def test_a_project_without_hooks_of_its_own_is_not_recorded(project, fenced):
    starts(Client(project, {**os.environ, "EDGE_RESIDENT": "off"}))
    assert store.read(os.environ) is None


def test_any_command_says_it_and_status_compares_again(guarded, monkeypatch, capsys):
    client, other = guarded
    monkeypatch.chdir(client.root)
    os.unlink(settings(other))
    for words in (["status"], ["note"]):
        main(words)
        assert f"warning: {other} is not guarded any more" in capsys.readouterr().err
    main(["doctor"])
    shown = capsys.readouterr()
    assert "not guarded any more" in " ".join(shown.out.split())
    assert "not guarded" not in shown.err


def test_a_record_that_cannot_be_written_keeps_no_session_from_starting(guarded):
    client, _ = guarded
    os.unlink(store.path(client.env))
    os.mkdir(store.path(client.env))
    assert "edge doctor" in starts(client) or "edge init" in starts(client)
    assert client.bash("rm -rf /") == "deny"
