import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import pytest
from tests.gate.example_project import judge
from tests.hosting import REPOSITORY
from tests.tables import for_each

from operators_edge import __version__, hook_client, hook_local
from operators_edge.cli.parsers import parser_of
from operators_edge.hosts.claude import after_events, end_events, start_events, wiring

RUNNER = wiring.Runner("/p/python", "/l/operators_edge/hook.py", "")


def in_repository(*parts):
    with open(os.path.join(REPOSITORY, *parts), encoding="utf-8") as file:
        return json.load(file)


def test_every_event_that_is_answered_is_wired_and_no_other():
    handlers = (after_events.HANDLERS, start_events.HANDLERS, end_events.HANDLERS)
    answered = {name for each in handlers for name in each} | {"PreToolUse"}
    answered |= {"UserPromptSubmit", "ConfigChange"}
    assert {event.name for event in wiring.EVENTS} == answered


def test_the_plugin_runs_what_the_table_says():
    assert in_repository("plugins", "edge", "hooks", "hooks.json") == wiring.plugin_hooks()


def test_plugin_and_marketplace_name_each_other_and_this_version():
    plugin = in_repository("plugins", "edge", ".claude-plugin", "plugin.json")
    (listed,) = in_repository(".claude-plugin", "marketplace.json")["plugins"]
    assert plugin["version"] == __version__
    assert (listed["name"], listed["source"]) == (plugin["name"], "./plugins/edge")


@pytest.mark.parametrize("form", ["exec", "wrapped", "portable"])
def test_what_must_answer_blocks_on_failure_in_every_form_and_nothing_is_matched_away(form):
    made = wiring.hooks(form, RUNNER)
    for event in wiring.EVENTS:
        (group,) = made[event.name]
        assert group.keys() == {"hooks"}
        (entry,) = group["hooks"]
        assert entry.get("onFailure") == ("block" if event.must_answer else None)
        assert entry["timeout"] == event.timeout
    assert wiring.ours({"hooks": made}) == made


def test_the_client_waits_longer_than_the_hook_gives_itself():
    assert all(event.timeout > hook_client.DEADLINE_SECONDS for event in wiring.EVENTS)
    waits = {event.name: event.timeout for event in wiring.EVENTS}
    assert waits["UserPromptSubmit"] > hook_local.TYPED_SECONDS
    assert (
        min(waits[name] for name in ("SessionStart", "Stop", "SessionEnd"))
        > hook_local.SESSION_SECONDS
    )


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "/a/python", "args": ["-I", "/b/operators_edge/hook.py", "claude"]},
        {"command": "C:\\py.exe", "args": ["C:\\lib\\operators_edge\\hook.py"]},
        {"command": "timeout 15 '/a b/python' -I -S '/x/operators_edge/hook.py' claude || exit 2"},
        {"command": "edge", "args": ["hook", "claude"]},
        {"command": "/home/me/.local/bin/edge", "args": ["hook", "claude"]},
        {"command": "edge hook claude"},
        {"type": "http", "url": "http://127.0.0.1:20000/Ab-_9/claude"},
        {"type": "http", "url": "http://127.0.0.1:20000/operators-edge/Ab-_9/claude"},
    ],
)
def test_our_entries_are_recognised_whatever_the_machine(entry):
    assert wiring.is_ours(entry)


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "ledge hook"},
        {"command": "python", "args": ["hook.py"]},
        {"command": "edge", "args": ["webhook"]},
        {"type": "http", "url": "http://localhost"},
        {"type": "http", "url": "http://127.0.0.1:20000/claude"},
        {"type": "http", "url": "http://127.0.0.1.example.com:20000/x/claude"},
        "edge hook",
    ],
)
def test_other_peoples_entries_are_not(entry):
    assert not wiring.is_ours(entry)


# The host's own rules ask before an agent runs these: each changes the mode that a person set out in, or
# is about this installation and not about the work. The gate denies none of them.
ASKED_ABOUT = {"active", "done", "doctor", "migrate", "bridge init", "bridge watch"}
ASKED_ABOUT |= {"mode", "mode plan", "mode active", "mode review", "mode done"}
ASKED_ABOUT |= {"statusline", "watch", "replay", "redact", "completion", "complete"}

# The noun cannot be open to agents without these verbs: the gate's own rule stops them.
OPEN_AND_STOPPED = {"trash empty", "lesson share", "grants revoke"}


def leaves(parser, words=()):
    """Every command with its last verb; a noun that may stand alone is one, too."""
    verbs = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    if not any(each.required for each in verbs):
        yield " ".join(words)
    for each in verbs:
        for name, inner in each.choices.items():
            yield from leaves(inner, (*words, name))


def is_open(command):
    return any(f"{command} ".startswith(f"{verb} ") for verb in wiring.AGENT_VERBS)


def is_for_people(command):
    rule = judge(f"edge {command}").rule
    return rule == "edge-human-verb"


@for_each("command", list(leaves(parser_of())))
def test_every_command_is_open_to_agents_or_for_people_alone_or_asked_about(command):
    known = [is_open(command), is_for_people(command), command in ASKED_ABOUT]
    assert known.count(True) == 1 + (command in OPEN_AND_STOPPED), f"edge {command}: {known}"
    if not is_for_people(command):
        assert judge(f"edge {command}").effect == "allow"


def test_every_verb_that_an_agent_may_run_unasked_exists():
    there = set(leaves(parser_of()))
    for verb in wiring.AGENT_VERBS:
        noun = verb.removesuffix(" --check")
        assert any(f"{command} ".startswith(f"{noun} ") for command in there), verb


@pytest.mark.parametrize(
    "command",
    [
        "edge review save 'APPROVE: nothing was found'",
        "edge review save - < verdict.md",
        "edge review prompt | claude -p | edge review save -",
        "edge auto off",
        "edge log export --format csv > /tmp/log.csv",
    ],
)
def test_a_verdict_is_kept_and_a_loop_ended_without_a_word_of_the_gate(command):
    assert judge(command).effect == "allow"


SHELL = pytest.mark.skipif(os.name != "posix", reason="a POSIX shell")


def shared(event, fenced, *, edge="", data=b"{}", **env):
    """What the line in shared settings does for a person whose PATH holds this program as ``edge``."""
    (entry,) = wiring.hooks("portable", RUNNER)[event][0]["hooks"]
    tools = os.path.join(fenced, "tools")
    os.makedirs(tools, exist_ok=True)
    os.symlink(shutil.which("grep"), os.path.join(tools, "grep"))
    if edge:
        with open(os.path.join(tools, "edge"), "w", encoding="utf-8") as file:
            file.write(edge)
        os.chmod(file.name, 0o700)
    return subprocess.run(
        ["/bin/sh", "-c", entry["command"]],
        input=data,
        env={"PATH": tools, "HOME": fenced, **env},
        capture_output=True,
        check=False,
    )


@SHELL
@pytest.mark.parametrize("event", [each.name for each in wiring.EVENTS])
@pytest.mark.parametrize("other", ["", "#!/bin/sh\nexit 1\n"], ids=["none", "another program"])
def test_shared_settings_hold_up_nobody_who_has_not_installed_us(event, other, fenced):
    done = shared(event, fenced, edge=other)
    assert (done.returncode, done.stderr) == (0, b"")
    told = json.loads(done.stdout or b"{}").get("systemMessage", "")
    assert ("works unguarded" in told) == (event == "SessionStart")


CUT = "#!/bin/sh\n# from operators_edge.__main__ import main\nexit 0\n"


@SHELL
@pytest.mark.parametrize("state", [".local/state", "Library/Application Support", "xdg"])
@pytest.mark.parametrize("edge", ["", CUT], ids=["missing", "without an answer"])
def test_shared_settings_block_calls_and_no_prompt_for_who_installed_us(edge, state, fenced):
    folder = os.path.join(fenced, state)
    env = {"XDG_STATE_HOME": folder} if state == "xdg" else {}
    os.makedirs(os.path.join(folder, "operators-edge"))
    with open(os.path.join(folder, "operators-edge", "installed"), "w", encoding="utf-8"):
        pass
    for event, code in (("PreToolUse", 2), ("UserPromptSubmit", 1), ("Stop", 1)):
        done = shared(event, tempfile.mkdtemp(dir=fenced), edge=edge, **{"HOME": fenced, **env})
        assert (done.returncode, done.stdout) == (code, b"")
        assert b"pipx install" in done.stderr


@SHELL
def test_shared_settings_know_our_command_without_any_record(fenced):
    assert shared("PreToolUse", fenced, edge=CUT).returncode == 2


@SHELL
def test_shared_settings_pass_an_answer_on(fenced):
    program = os.path.join(os.path.dirname(sys.executable), "edge")
    edge = f'#!/bin/sh\nexec {program} "$@"\n'
    done = shared("PreToolUse", fenced, edge=edge, data=b"{", XDG_STATE_HOME=fenced)
    assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert done.returncode == 0


@pytest.mark.parametrize("form", ["file", "edge"])
def test_older_wirings_guard_and_are_told_to_be_renewed(form):
    older = {"hooks": wiring.hooks(form, RUNNER)}
    assert wiring.is_guarding(older, RUNNER)
    assert not wiring.is_current(older, RUNNER)
    assert wiring.is_current({"hooks": wiring.hooks("exec", RUNNER)}, RUNNER)
