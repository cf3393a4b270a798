import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.hosting import at_a_terminal, end_staying, write
from tests.resident.conftest import staying

from operators_edge.cli.commands.init import diff_of_settings
from operators_edge.cli.main import main
from operators_edge.containment import service, store
from operators_edge.hosts.claude import sandbox, wiring
from operators_edge.hosts.claude.slash_commands import COMMANDS
from operators_edge.resident import control, http_client
from operators_edge.storage import bindings, transport
from operators_edge.system import processes


@pytest.fixture
def here(repo, claude, monkeypatch):
    monkeypatch.chdir(repo)
    return repo


def edge(capsys, *words):
    """One command with --json: its exit code and data."""
    capsys.readouterr()
    code = main([*words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def hooks(root, name="settings.local.json"):
    with open(os.path.join(root, ".claude", name), encoding="utf-8") as file:
        return wiring.ours(json.load(file))


def snapshot(root):
    return {
        os.path.join(folder, name): open(os.path.join(folder, name), "rb").read()
        for folder, _, names in os.walk(root)
        for name in names
    }


def unlike(before, after):
    """The files that were there before and are not as they were."""
    root = os.path.commonpath(before)
    return {os.path.relpath(path, root) for path in before if before[path] != after.get(path)}


def test_init_wires_the_project_and_makes_its_state(here, capsys):
    code, answer = edge(capsys, "init")
    assert code == 0
    assert hooks(here) == wiring.hooks("exec", wiring.this_runner())
    assert {each["kind"] for each in answer["data"]["changes"]} == {
        "settings", "command", "exclude", "state",
    }  # fmt: skip
    assert os.path.exists(os.path.join(here, "active_context.yaml"))
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=here, capture_output=True, check=True
    )
    assert status.stdout == b""


def test_a_second_init_has_nothing_to_do(here, capsys):
    main(["init"])
    before = snapshot(here)
    capsys.readouterr()
    assert main(["init"]) == 0
    assert "Nothing to do" in capsys.readouterr().out
    assert snapshot(here) == before


def test_a_dry_run_shows_the_diff_and_writes_nothing(here, fenced, capsys):
    before = snapshot(here)
    assert main(["init", "--dry-run"]) == 0
    shown = capsys.readouterr().out
    assert f"+++ {here}/.claude/settings.local.json" in shown
    assert '+            "onFailure": "block"' in shown
    assert "+schema_version: 4" in shown
    assert snapshot(here) == before
    assert os.listdir(fenced) == []


def test_init_names_each_file_that_it_writes_in_one_line(here, capsys):
    main(["init"])
    shown = capsys.readouterr().out
    for name in (".claude/settings.local.json", ".claude/commands/edge.md", "active_context.yaml"):
        assert f"{here}/{name} (new)" in shown
    assert ".git/info/exclude (+23 -0 lines)" in shown
    assert len(shown.splitlines()) < 12


@pytest.mark.parametrize("version", ["2.1.294", "1.0.0", "no number"])
def test_an_older_or_unknown_client_gets_the_wrapped_check(here, claude, version):
    claude(version)
    main(["init"])
    entry = hooks(here)["PreToolUse"][0]["hooks"][0]
    assert "args" not in entry
    assert entry["command"].endswith("exit 2; }")


def test_a_newer_client_replaces_the_wrapped_check(here, claude):
    claude("2.1.294")
    main(["init"])
    claude("2.1.295")
    main(["init"])
    assert "args" in hooks(here)["PreToolUse"][0]["hooks"][0]


def test_shared_settings_name_no_path_of_this_machine(here):
    assert main(["init", "--shared"]) == 0
    path = os.path.join(here, ".claude", "settings.json")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert sys.prefix not in text
    assert here not in text
    assert os.environ["HOME"] not in text
    assert hooks(here, "settings.json") == wiring.hooks("portable", wiring.this_runner())


def test_who_clones_a_wired_project_gets_no_second_set_of_hooks(here, capsys):
    main(["init", "--shared"])
    os.unlink(os.path.join(here, "active_context.yaml"))
    code, answer = edge(capsys, "init")
    assert code == 0
    assert not os.path.exists(os.path.join(here, ".claude", "settings.local.json"))
    assert os.path.exists(os.path.join(here, "active_context.yaml"))
    assert any("no second set" in note for note in answer["data"]["notes"])


def test_shared_settings_beside_local_ones_are_refused_with_the_way_out(here, capsys):
    main(["init"])
    capsys.readouterr()
    assert main(["init", "--shared"]) == 1
    assert "edge uninstall" in capsys.readouterr().err


def test_user_settings_are_wired_without_a_project(here, fenced):
    before = snapshot(here)
    assert main(["init", "--user"]) == 0
    assert hooks(fenced, "settings.json") == wiring.hooks("exec", wiring.this_runner())
    assert snapshot(here) == before


def test_without_permissions_only_hooks_are_written(here):
    main(["init", "--no-permissions"])
    with open(os.path.join(here, ".claude", "settings.local.json"), encoding="utf-8") as file:
        assert json.load(file).keys() == {"hooks"}


def test_beside_the_plugin_only_permissions_are_added(here, fenced, capsys):
    os.makedirs(os.path.join(fenced, ".claude"))
    with open(os.path.join(fenced, ".claude", "settings.json"), "w", encoding="utf-8") as file:
        json.dump({"enabledPlugins": {"edge@somewhere": True}}, file)
    main(["init"])
    with open(os.path.join(here, ".claude", "settings.local.json"), encoding="utf-8") as file:
        assert json.load(file) == {"permissions": {"allow": list(wiring.PERMISSIONS)}}


def test_outside_git_the_project_is_wired_and_the_missing_ignore_lines_are_said(
    tmp_path, claude, monkeypatch, capsys
):
    plain = tmp_path / "plain"
    plain.mkdir()
    monkeypatch.chdir(plain)
    code, answer = edge(capsys, "init")
    assert code == 0
    assert hooks(plain)
    assert any("not a git repository" in note for note in answer["data"]["notes"])


def test_from_a_folder_inside_the_whole_repository_is_set_up(here, monkeypatch):
    os.mkdir(os.path.join(here, "src"))
    monkeypatch.chdir(os.path.join(here, "src"))
    main(["init"])
    assert hooks(here)


def test_the_home_folder_is_no_project(fenced, claude, monkeypatch, capsys):
    monkeypatch.chdir(fenced)
    assert main(["init"]) == 64
    assert "cannot be a project" in capsys.readouterr().err


def test_settings_that_are_no_json_are_named_by_line_and_nothing_is_written(here, capsys):
    os.mkdir(os.path.join(here, ".claude"))
    path = os.path.join(here, ".claude", "settings.local.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write('{\n  "a": 1 // one\n}\n')
    before = snapshot(here)
    assert main(["init"]) == 5
    assert f"{path}:2:" in capsys.readouterr().err
    assert snapshot(here) == before


def test_init_then_uninstall_changes_no_byte_of_what_was_there_and_keeps_the_data(here):
    os.mkdir(os.path.join(here, ".claude"))
    with open(os.path.join(here, ".claude", "settings.local.json"), "w", encoding="utf-8") as file:
        file.write('{"hooks":  {"Stop": [ ]}}')
    before = snapshot(here)
    main(["init"])
    done = at_a_terminal(here, "uninstall")
    assert done.returncode == 0, done.stderr
    after = snapshot(here)
    assert unlike(before, after) == {".git/info/exclude"}
    assert os.popen(f"git -C {here} status --porcelain").read() == ""  # noqa: S605
    new = {os.path.relpath(path, here).split(os.sep)[0] for path in after.keys() - before.keys()}
    assert new == {"active_context.yaml", ".proof"}
    assert f"kept      {here}/active_context.yaml" in done.stdout
    assert "git still ignores what is kept" in done.stdout
    assert at_a_terminal(here, "purge", answer="y\n").returncode == 0
    assert snapshot(here) == before


def test_uninstall_of_the_last_project_stops_the_resident(here, monkeypatch):
    main(["init"])
    monkeypatch.setenv("EDGE_RESIDENT", "on")
    with staying({**os.environ}):
        assert control.query("status") is not None
        done = at_a_terminal(here, "uninstall", env={**os.environ})
        assert "the resident was stopped" in done.stdout, done.stdout + done.stderr
        assert control.query("status") is None


def test_uninstall_names_the_reports_that_it_keeps_and_no_folder_of_others(here):
    main(["init"])
    reports = Path(here, "reports")
    reports.mkdir()
    (reports / "sales.html").touch()
    assert "reports" not in at_a_terminal(here, "uninstall", "--dry-run").stdout
    (reports / "proof_2026-11-23.html").touch()
    (reports / "edge_digest_2026-11-23.md").touch()
    done = at_a_terminal(here, "uninstall", "--dry-run")
    assert done.stdout.count(f"keeps     {reports}\n") == 1


def test_a_person_sees_each_hook_once_and_the_permissions_on_a_few_lines(here, capsys):
    main(["init", "--dry-run"])
    whole = capsys.readouterr().out
    assert whole.count('operators_edge/hook.py"') == len(wiring.EVENTS)
    text = diff_of_settings(whole)
    assert text.count('operators_edge/hook.py"') == 2  # one for those that block without an answer
    assert '+    "Stop": [ … as for SessionStart … ],\n' in text
    assert f'+      {len(wiring.PERMISSIONS)} entries "Bash(edge …:*)", for: status, run' in text
    assert "migrate --check" in text
    assert "Bash(edge status" not in text
    assert diff_of_settings(text) == text


def test_uninstall_without_a_person_is_refused_and_changes_nothing(here, capsys):
    main(["init"])
    wired = hooks(here)
    capsys.readouterr()
    assert main(["uninstall"]) == 1
    assert "only a person" in capsys.readouterr().err
    assert hooks(here) == wired


def test_a_dry_run_of_uninstall_needs_nobody_and_changes_nothing(here, capsys):
    main(["init"])
    before = snapshot(here)
    code, answer = edge(capsys, "uninstall", "--dry-run")
    assert code == 0
    kinds = [each["kind"] for each in answer["data"]["changes"]]
    assert sorted(set(kinds)) == ["command", "settings"]
    assert kinds.count("command") == len(COMMANDS)
    assert snapshot(here) == before


def test_uninstall_where_nothing_is_wired_says_so(here):
    done = at_a_terminal(here, "uninstall")
    assert done.returncode == 0
    assert "Nothing to remove" in done.stdout


# -- the http transport ----------------------------------------------------------------------------


@pytest.fixture
def ported(here, fenced):
    """The project; what is started for its port ends with the test."""
    yield here
    end_staying(fenced)


def port_url(root):
    return hooks(root)["PreToolUse"][0]["hooks"][0].get("url", "")


def fits(text):
    """No line but one with a path in it is wider than a screen."""
    return all(len(line) <= 80 or "/" in line for line in text.splitlines())


def test_http_is_wired_to_a_port_that_is_held_and_what_it_adds_is_said(ported, capsys):
    assert main(["init", "--transport", "http"]) == 0
    said = capsys.readouterr().out
    assert "If it ends, calls are blocked until it is restarted" in " ".join(said.split())
    assert "edge init --transport process" in " ".join(said.split())
    assert fits(said)
    known = transport.load()
    assert port_url(ported) == known.url
    assert http_client.listener_state(known) == "ours"
    assert {each["hooks"][0]["type"] for each in hooks(ported)["UserPromptSubmit"]} == {"command"}


def test_a_dry_run_of_http_shows_it_and_chooses_no_port(here, fenced, capsys):
    assert main(["init", "--transport", "http", "--dry-run"]) == 0
    shown = capsys.readouterr().out
    assert '+            "type": "http",' in shown
    assert "Nothing was written (--dry-run)." in shown
    assert os.listdir(fenced) == []


def test_a_second_init_keeps_http_without_a_word_about_it(ported, capsys):
    main(["init", "--transport", "http"])
    before = snapshot(ported)
    capsys.readouterr()
    assert main(["init"]) == 0
    said = capsys.readouterr().out
    assert "Nothing to do" in said
    assert "over http" not in said
    assert snapshot(ported) == before


def test_process_goes_back_and_nobody_wants_the_port_any_more(ported, capsys):
    main(["init"])
    before = snapshot(ported)
    main(["init", "--transport", "http"])
    capsys.readouterr()
    assert main(["init", "--transport", "process"]) == 0
    assert "Each tool call starts a process again" in capsys.readouterr().out
    assert snapshot(ported) == before
    assert transport.load() is None
    assert main(["init", "--transport", "http"]) == 0  # at once: the old process is about to go
    assert "may still be leaving the port" in capsys.readouterr().err
    assert http_client.listener_state(transport.load()) == "ours"


def test_the_port_stays_for_another_project_that_uses_it(ported, tmp_path, monkeypatch):
    main(["init", "--transport", "http"])
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    main(["init", "--transport", "http"])
    main(["init", "--transport", "process"])
    assert transport.load().url == port_url(ported)


def test_http_then_uninstall_changes_no_byte_of_what_was_there(ported):
    os.mkdir(os.path.join(ported, ".claude"))
    with open(os.path.join(ported, ".claude", "settings.local.json"), "w") as file:
        file.write('{"hooks":  {"Stop": [ ]}}')
    before = snapshot(ported)
    main(["init", "--transport", "http"])
    done = at_a_terminal(ported, "uninstall")
    assert done.returncode == 0, done.stderr
    assert unlike(before, snapshot(ported)) == {".git/info/exclude"}
    assert transport.load() is None


def test_after_uninstall_a_session_that_runs_keeps_its_hooks_and_the_port(ported):
    main(["init", "--transport", "http"])
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client:
        who = processes.identity(client.pid)
        bindings.bind_session("s", {"root": ported, "pid": who.pid, "started": who.started})
        done = at_a_terminal(ported, "uninstall")
        client.communicate(b"")
    assert "Running sessions keep them" in done.stdout
    assert http_client.listener_state(transport.load()) == "ours"


@pytest.mark.parametrize(
    "case",
    [
        ("2.1.294", "--user", "a call runs if nothing answers on the port"),
        ("no number", "--user", "unknown"),
        ("2.1.329", "--shared", "cannot name a port"),
    ],
)
def test_http_is_refused_where_it_cannot_hold(here, claude, capsys, case):
    version, scope, why = case
    claude(version)
    before = snapshot(here)
    assert main(["init", "--transport", "http", scope]) == 1
    said = capsys.readouterr().err
    assert why in said
    assert "edge init --transport process" in said
    assert snapshot(here) == before
    assert transport.load() is None


def test_a_port_that_another_program_has_is_given_up_for_another_one(ported):
    first = transport.ensure()
    with socket.socket() as other:
        other.bind(("127.0.0.1", first.port))
        other.listen()
        assert main(["init", "--transport", "http"]) == 0
        known = transport.load()
        assert known.port != first.port
        assert port_url(ported) == known.url
        assert http_client.listener_state(known) == "ours"


# -- containment -----------------------------------------------------------------------------------

needs_means = pytest.mark.skipif(
    bool(service.why_not(*sandbox.NEEDED)), reason=service.why_not(*sandbox.NEEDED)
)


def local_settings(root):
    with open(os.path.join(root, ".claude", "settings.local.json"), encoding="utf-8") as file:
        return json.load(file)


@needs_means
def test_containment_is_switched_on_kept_and_taken_out_exactly(here, capsys, fenced):
    before = sorted(os.listdir(here))
    assert edge(capsys, "init", "--contain")[0] == 0
    sandboxed = local_settings(here)["sandbox"]
    assert sandboxed["enabled"] is True
    assert edge(capsys, "init")[0] == 0
    assert local_settings(here)["sandbox"] == sandboxed
    at_a_terminal(here, "uninstall", env={**os.environ})
    assert sorted({*os.listdir(here)} - {".proof", "active_context.yaml"}) == before
    assert store.load(here) is None


@needs_means
def test_a_person_names_a_host_and_ends_containment_but_an_agent_does_not(here, capsys):
    edge(capsys, "init", "--contain", "--allow-host", "first.example")
    for words in (["--allow-host", "second.example"], ["--no-contain"]):
        assert main(["init", *words]) != 0
    assert store.load(here).hosts == ("first.example",)
    at_a_terminal(here, "init", "--allow-host", "second.example")
    assert store.load(here).hosts == ("first.example", "second.example")
    at_a_terminal(here, "init", "--no-contain")
    assert store.load(here) is None
    assert "sandbox" not in local_settings(here)


@needs_means
@pytest.mark.parametrize(("answer", "is_contained"), [("c\n", True), ("y\n", False), ("b\n", True)])
def test_it_is_offered_to_a_person_at_a_terminal(here, answer, is_contained):
    done = at_a_terminal(here, "init", answer=answer)
    assert "contain the agent's commands" in done.stderr
    assert (store.load(here) is not None) is is_contained
    assert ("statusLine" in local_settings(here)) is (answer == "b\n")


def test_the_status_line_is_offered_once_and_stays_as_it_was_answered(here):
    done = at_a_terminal(here, "init", answer="s\n")
    assert "in the client's status line" in done.stderr
    line = local_settings(here)["statusLine"]
    assert line["command"].endswith("statusline.py")
    done = at_a_terminal(here, "init", answer="")
    assert "status line" not in done.stderr
    assert "Write this?" not in done.stderr
    assert local_settings(here)["statusLine"] == line


def test_a_person_is_shown_what_would_be_written_and_asked_once(here):
    before = sorted(os.listdir(here))
    done = at_a_terminal(here, "init", answer="d\n\n")
    assert done.returncode == 1
    assert "nothing was written" in done.stderr
    assert done.stderr.count("Write this?") == 2  # the changes were shown in between
    assert "+++ " in done.stdout
    assert "Profile contextual: asks where something can really be lost" in done.stderr
    assert sorted(os.listdir(here)) == before
    done = at_a_terminal(here, "init", answer="y\n")
    assert (done.returncode, done.stderr.count("Write this?")) == (0, 1)
    assert "statusLine" not in local_settings(here)


def test_yes_answers_and_no_input_refuses(here):
    done = at_a_terminal(here, "init", "--no-input", answer="")
    assert (done.returncode, "--no-input forbids it: Write this?" in done.stderr) == (64, True)
    assert not os.path.exists(os.path.join(here, "active_context.yaml"))
    done = at_a_terminal(here, "init", "--yes", answer="")
    assert (done.returncode, done.stderr.count("Write this?")) == (0, 0)
    assert os.path.exists(os.path.join(here, "active_context.yaml"))


def test_the_status_line_runs_the_one_that_was_shown_before(here, capsys):
    write(os.environ["HOME"], ".claude/settings.json", '{"statusLine": {"command": "mine"}}')
    assert edge(capsys, "init", "--statusline")[0] == 0
    assert local_settings(here)["statusLine"]["command"].endswith("--wrap mine")
    assert edge(capsys, "init", "--statusline")[0] == 0
    assert local_settings(here)["statusLine"]["command"].count("--wrap") == 1
    assert edge(capsys, "init", "--no-statusline")[0] == 0
    assert "statusLine" not in local_settings(here)


def test_shared_settings_get_no_status_line(here, capsys):
    assert edge(capsys, "init", "--shared", "--statusline")[0] == 64


def test_nobody_is_asked_where_no_person_is(here, capsys):
    assert edge(capsys, "init")[0] == 0
    assert store.load(here) is None


def test_containment_belongs_into_a_persons_own_settings(here, capsys):
    assert main(["init", "--contain", "--shared"]) == 64
    assert main(["init", "--allow-host", "x.example"]) == 64


def test_a_machine_that_cannot_contain_says_what_is_missing(here, capsys, monkeypatch):
    git = os.path.dirname(shutil.which("git"))
    bare = os.path.join(os.environ["HOME"], "bin")
    os.makedirs(bare)
    os.symlink(os.path.join(git, "git"), os.path.join(bare, "git"))
    monkeypatch.setenv("PATH", bare)
    assert main(["init", "--contain"]) == 1
    assert "not installed: bwrap" in capsys.readouterr().err


@pytest.mark.parametrize("below", ["", "refs"])
def test_a_bare_repository_is_refused_and_nothing_is_written(below, tmp_path, monkeypatch, capsys):
    bare = tmp_path / "bare.git"
    subprocess.run(["git", "init", "-q", "--bare", str(bare)], check=True)
    monkeypatch.chdir(bare / below)
    before = snapshot(bare)
    assert main(["init"]) == 64
    assert "is a bare repository" in capsys.readouterr().err
    assert snapshot(bare) == before
