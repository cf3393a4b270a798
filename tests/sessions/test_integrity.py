"""Sessions say what is not guarded any more, here and elsewhere; each says it once."""

import json
import os
import shutil

import pytest
from tests import processes
from tests.hosting import Client, git, write

from operators_edge.cli.main import main
from operators_edge.integrity import seen, store

pytestmark = pytest.mark.long  # a session of real hooks for each


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
    kept = seen.unchanged(os.environ)  # so that the next command compares nothing
    assert [each.what for each in kept or ()] == [
        f"{other} is not guarded any more: no settings run the gate"
    ]
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


def to_true(entry):
    entry["command"] = "/bin/true"


def to_version(entry):
    entry["args"] = ["-V", *entry["args"]]


def to_other_words(entry):
    entry["args"][3] = "import os; os._exit(0)  # from operators_edge.hook import run"


def to_other_package(entry):
    entry["args"][-3] = "/elsewhere/operators_edge/hook.py"


def to_open(entry):
    entry["args"][-1] = "0"


def to_no_time(entry):
    entry["timeout"] = 0.001


def to_another_kind(entry):
    entry["type"] = "prompt"


@pytest.mark.parametrize(
    "change",
    [to_true, to_version, to_other_words, to_other_package, to_open, to_no_time, to_another_kind],
)
def test_settings_that_look_as_if_they_ran_the_gate_are_told(guarded, change):
    client, other = guarded
    with open(settings(other), encoding="utf-8") as file:
        value = json.load(file)
    for groups in value["hooks"].values():
        for group in groups:
            for entry in group["hooks"]:
                if "args" in entry:
                    change(entry)
    write(other, ".claude/settings.local.json", json.dumps(value))
    assert f"{other} is not guarded any more: " in starts(client)


def test_settings_that_lead_the_hooks_to_another_record_are_told(guarded):
    client, other = guarded
    with open(settings(other), encoding="utf-8") as file:
        value = json.load(file)
    value["env"] = {"XDG_STATE_HOME": "/tmp/other"}
    write(other, ".claude/settings.local.json", json.dumps(value))
    assert "moves the record of decisions (XDG_STATE_HOME in env)" in starts(client)


def test_other_hooks_and_permissions_beside_ours_are_not(guarded):
    client, other = guarded
    with open(settings(other), encoding="utf-8") as file:
        value = json.load(file)
    value["permissions"] = {"allow": ["Bash"]}
    value["hooks"]["PreToolUse"].append({"hooks": [{"type": "command", "command": "true"}]})
    write(other, ".claude/settings.local.json", json.dumps(value))
    assert starts(client) == ""


def test_a_record_that_was_removed_is_told_until_a_person_has_read_it(guarded):
    client, other = guarded
    starts(client)
    os.unlink(store.path(client.env))
    os.unlink(settings(other))
    assert "The record of what is installed and guarded was removed" in heard(client)
    assert "was removed" in starts(Client(client.root, client.env))
    assert "was removed" in starts(Client(client.root, client.env))


def emptied(client):
    with open(os.path.join(client.root, ".proof", "session_log.jsonl"), "w", encoding="utf-8"):
        pass
    return "the log ends earlier than recorded"


def forgotten(client):
    shutil.rmtree(os.path.join(os.path.dirname(store.path(client.env)), "projects"))
    return "the person's folder knew nothing of this log"


@pytest.mark.parametrize("act", [emptied, forgotten])
def test_a_log_that_was_cut_or_is_not_known_is_told_at_the_next_start_and_only_once(guarded, act):
    client, _ = guarded
    starts(client)
    expected = act(client)
    later = Client(client.root, client.env, attended=True)
    assert expected in starts(later)
    assert expected not in starts(Client(client.root, client.env))
