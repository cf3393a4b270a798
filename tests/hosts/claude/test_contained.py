"""A contained project: what a session's start says and starts, what a changed settings file may do."""

import json
import os

import pytest

from operators_edge.containment import service, store
from operators_edge.hosts.claude import contained, sandbox, settings_guard, wiring
from operators_edge.project import Project

LOCAL = os.path.join(".claude", "settings.local.json")


@pytest.fixture
def policy(project):
    """The project is contained, and its settings say so."""
    policy = service.policy(project)
    path = store.path_of(project)
    os.makedirs(os.path.dirname(path))
    with open(path, "wb") as file:
        file.write(store.encoded(policy))
    write(project, LOCAL, guarded(sandbox.settings(policy)))
    return policy


def guarded(settings):
    return {**settings, "hooks": wiring.hooks("exec", wiring.this_runner())}


def write(root, name, value):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)
    return path


def test_settings_that_hold_the_policy_are_said_in_a_word(project, policy):
    assert contained.weaknesses(project, policy, os.environ) == []
    assert contained.state(project, os.environ) == "contained"
    assert contained.begin(project, "s", os.environ) == []


def test_a_project_that_is_not_contained_hears_nothing_of_it(project):
    assert contained.state(project, os.environ) == "off"
    assert contained.begin(project, "s", os.environ) == []


def test_settings_that_contain_less_are_told_at_the_start_and_in_the_status(project, policy):
    write(project, LOCAL, guarded({"sandbox": {"enabled": False}}))
    (first, *_) = contained.begin(project, "s", os.environ)
    assert "not contained as set up: sandbox.enabled is false" in first
    assert contained.state(project, os.environ).startswith("NOT CONTAINED")


def test_a_policy_that_cannot_be_read_is_not_taken_for_none(project, policy):
    with open(store.path_of(project), "w", encoding="utf-8") as file:
        file.write("{")
    assert "may not be contained" in contained.begin(project, "s", os.environ)[0]
    assert "unknown" in contained.state(project, os.environ)


def test_bypassed_permissions_open_the_network_and_the_session_is_shown_that_once(
    project, policy, monkeypatch, tmp_path
):
    monkeypatch.setenv("HOME", str(tmp_path))
    guarded_project = Project(project, is_set_up=True)

    def lines(session, mode):
        return contained.open_network(guarded_project, session, mode, os.environ)

    assert lines("one", "default") == []
    assert "all hosts are open" in lines("one", "bypassPermissions")[0]
    assert lines("one", "bypassPermissions") == []
    strict = {"sandbox": {"network": {"strictAllowlist": True}}}
    write(project, LOCAL, strict)
    assert lines("two", "bypassPermissions") != []
    write(str(tmp_path), ".claude/settings.json", strict)
    assert lines("three", "bypassPermissions") == []


def test_a_file_that_git_ignores_only_for_the_sandbox_is_told(project, policy):
    with open(os.path.join(project, ".git", "info", "exclude"), "ab") as file:
        file.write(b"# >>> operators-edge /\n/.mcp.json\n/.vscode\n# <<< operators-edge /\n")
    assert contained.hidden_from_git(project, policy) == []
    write(project, ".mcp.json", {})
    assert contained.hidden_from_git(project, policy) == [".mcp.json"]
    assert "git ignores .mcp.json" in contained.begin(project, "s", os.environ)[0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (LOCAL, {"sandbox": {"enabled": False}}),
        (os.path.join(".claude", "settings.json"), {"sandbox": {"excludedCommands": ["sh:*"]}}),
    ],
)
def test_a_running_session_takes_up_no_settings_that_contain_less(project, policy, name, value):
    is_local = name == LOCAL
    path = write(project, name, guarded(value) if is_local else value)
    with open(path, "rb") as file:
        why = settings_guard.why_unguarded(path, file.read(), os.environ)
    assert "would not be contained as set up" in why


def test_a_harmless_change_is_taken_up(project, policy):
    path = write(project, os.path.join(".claude", "settings.json"), {"model": "opus"})
    assert settings_guard.why_unguarded(path, b'{"model": "opus"}', os.environ) == ""
