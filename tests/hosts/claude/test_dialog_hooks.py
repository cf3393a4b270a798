"""What can answer the client's dialogs for the person: where it is, and that none is shown then."""

import json
import os
import subprocess
import sys

import pytest
from tests.hosting import Client, events, read_state, write

from operators_edge.hosts.claude import dialog_hooks

PUSH = "git push --force origin main"
HEAD = "---\nname: x\nhooks:\n  PermissionRequest:\n    - hooks: []\n---\nDo it.\n"
SYNC = {"type": "command", "command": "yes"}


def hooks(*entries, event="PermissionRequest"):
    return {"hooks": {event: [{"hooks": list(entries or [SYNC])}]}}


def put(folder, name, value):
    return write(folder, name, value if isinstance(value, str) else json.dumps(value))


def local_market(home, name="tools@m", **entry):
    """A plugin that is switched on, from a market that the client reads in place; its folder."""
    market = os.path.join(home, "market")
    put(
        home,
        ".claude/settings.json",
        {"enabledPlugins": {name: True, "gone@m": True, "off@m": False}},
    )
    put(
        home,
        ".claude/plugins/known_marketplaces.json",
        {"m": {"installLocation": market}, "broken": "x"},
    )
    listed = {"name": "tools", "source": "./tools", **entry}
    put(market, ".claude-plugin/marketplace.json", {"plugins": [listed, "odd"]})
    return os.path.join(market, "tools")


def installed(home):
    """A plugin that is switched on, and its copy below the person's home."""
    folder = os.path.join(home, ".claude/plugins/cache/tools")
    put(home, ".claude/settings.json", {"enabledPlugins": {"tools@m": ["all"]}})
    copies = {"tools@m": [{"installPath": folder}, "odd"], "off@m": [{"installPath": "/x"}]}
    put(home, ".claude/plugins/installed_plugins.json", {"plugins": copies})
    return folder


def found(client):
    return [str(each) for each in dialog_hooks.find(client.root, client.env)]


@pytest.mark.parametrize(
    ("place", "name", "value"),
    [
        ("root", ".claude/settings.json", hooks()),
        ("HOME", ".claude/settings.json", hooks()),
        ("root", ".claude/skills/x/SKILL.md", HEAD),
        ("HOME", ".claude/agents/x.md", HEAD),
        ("root", "packages/a/.claude/skills/x/SKILL.md", HEAD),
        ("CLAUDE_CONFIG_DIR", "settings.json", hooks()),
        ("CLAUDE_CONFIG_DIR", "commands/x.md", HEAD),
    ],
)
def test_where_something_can_answer_for_the_person_no_dialog_is_shown(attended, place, name, value):
    attended.env["CLAUDE_CONFIG_DIR"] = os.path.join(attended.env["HOME"], "configured")
    folder = attended.root if place == "root" else attended.env[place]
    path = put(folder, name, value)
    said = attended.before("Bash", command=PUSH)
    assert said["permissionDecision"] == "deny"
    assert f"answered for them: {path} has" in said["permissionDecisionReason"]
    assert "`edge approve`" in said["permissionDecisionReason"]
    assert read_state(attended)["junction"]["rule"] == "git-push-force"
    assert path in events(attended, "junction_raised")[0]["no_dialog"]
    attended.prompt("/edge approve")
    assert attended.bash(PUSH) == "allow"


def test_without_a_project_that_is_set_up_it_is_refused(fenced, tmp_path):
    bare = str(tmp_path / "bare")
    put(bare, ".claude/settings.json", hooks())
    client = Client(bare, {**os.environ, "HOME": fenced, "EDGE_RESIDENT": "off"}, attended=True)
    said = client.before("Bash", command=PUSH)
    assert said["permissionDecision"] == "deny"
    assert "answered for them" in said["permissionDecisionReason"]


def test_the_start_of_a_session_tells_how_the_gate_asks_then(attended):
    path = put(attended.root, "app/.claude/agents/x.md", HEAD)
    told = str(attended.send("SessionStart", source="startup")["systemMessage"])
    assert path in told
    assert "not in a dialog" in told


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hooks/hooks.json", hooks()),
        (".claude-plugin/plugin.json", hooks()),
        ("skills/x/SKILL.md", HEAD),
    ],
)
@pytest.mark.parametrize("plugin", [installed, local_market])
def test_the_hooks_of_a_plugin_count(attended, plugin, name, value):
    path = put(plugin(attended.env["HOME"]), name, value)
    assert path in found(attended)[0]


@pytest.mark.parametrize("named", ["./more.json", ["./more.json", 1]])
def test_so_do_those_in_a_file_that_its_manifest_names(attended, named):
    folder = installed(attended.env["HOME"])
    put(folder, ".claude-plugin/plugin.json", {"hooks": named})
    path = put(folder, "more.json", hooks())
    assert path in found(attended)[0]


def test_so_do_those_in_its_entry_in_the_market(attended):
    local_market(attended.env["HOME"], **hooks())
    assert "marketplace.json has a PermissionRequest hook" in found(attended)[0]


def test_the_arguments_of_the_client_count(attended):
    folder = os.path.join(attended.root, "plug")
    put(folder, "hooks/hooks.json", hooks())
    settings = put(attended.root, "more.json", hooks())
    given = json.dumps(hooks())
    words = (
        "--plugin-dir",
        folder,
        f"--settings={settings}",
        "--agents",
        given,
        "--settings",
        "{}",
    )
    command = [sys.executable, "-c", "print(1, flush=True); input()", *words]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, **streams) as client:
        client.stdout.readline()  # it runs: its arguments are there
        attended.env["CLAUDE_PID"] = str(client.pid)
        assert found(attended) == [
            f"{folder}/hooks/hooks.json has a PermissionRequest hook",
            "the client's --settings has a PermissionRequest hook",
            "the client's --agents has a PermissionRequest hook",
        ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (".claude/settings.json", hooks({**SYNC, "async": True})),
        (".claude/settings.json", hooks(event="PreToolUse")),
        (".claude/settings.json", {"enabledPlugins": ["x"]}),
        ("docs/SKILL.md", HEAD),
        ("node_modules/x/.claude/skills/x/SKILL.md", HEAD),
        ("hooks/hooks.json", hooks()),
    ],
)
def test_what_cannot_answer_changes_nothing(attended, name, value):
    put(attended.root, name, value)
    assert found(attended) == []
    assert attended.bash(PUSH) == "ask"


def test_what_the_client_cannot_read_is_not_in_force(attended):
    os.makedirs(os.path.join(attended.env["HOME"], "configured", "settings.json"))
    attended.env["CLAUDE_CONFIG_DIR"] = os.path.join(attended.env["HOME"], "configured")
    assert found(attended) == []
