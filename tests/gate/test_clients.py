"""Other agents that a command starts, in projects that are guarded in one way or another."""

import pytest
from tests.gate.example_project import HOME, ROOT, Machine, judge
from tests.tables import for_each

LOCAL = f"{ROOT}/.claude/settings.local.json"
SHARED = f"{ROOT}/.claude/settings.json"
USER = f"{HOME}/.claude/settings.json"
MANAGED = "/etc/claude-code/managed-settings.json"
OURS = '{"hooks": {"PreToolUse": [{"hooks": [{"args": ["from operators_edge.hook import run"]}]}]}}'


def rule(command, files, cwd=ROOT):
    return judge(command, Machine({LOCAL: "{}", **files}), cwd).rule or ""


@for_each(
    ("where", "flags", "is_silent"),
    [
        (LOCAL, "", True),
        (SHARED, "", True),
        (USER, "", True),
        (MANAGED, "--setting-sources user", True),
        ("/elsewhere/.claude/settings.json", "", False),
        (LOCAL, "--setting-sources local", True),
        (LOCAL, "--setting-sources user,project", False),
        (SHARED, "--setting-sources=project", True),
        (SHARED, "--setting-sources user", False),
        (USER, "--setting-sources user", True),
        (USER, "--setting-sources project,local", False),
        (USER, '--setting-sources "$S"', False),
    ],
)
def test_a_nested_client_needs_a_source_that_runs_our_hooks(where, flags, is_silent):
    assert (rule(f"claude -p {flags} x", {where: OURS}) == "") == is_silent


def test_hooks_of_the_person_hold_in_every_folder_and_those_of_a_project_only_there():
    for command in ("cd /tmp && claude -p x", "cd .. && claude -p x"):
        assert rule(command, {USER: OURS}) == ""
        assert rule(command, {LOCAL: OURS}) == "agent-unguarded"
    assert rule("cd src && claude -p x", {LOCAL: OURS}) == ""
    assert rule("cd $SOMEWHERE && claude -p x", {LOCAL: OURS}) == "agent-unguarded"


@pytest.mark.parametrize(
    "text",
    [
        "operators_edge/hook.py",
        "C:\\\\lib\\\\operators_edge\\\\hook.py",
        "edge hook claude 9",
        '{"command": "edge",\n "args": [\n"hook", "claude"]}',
        "http://127.0.0.1:20000/operators-edge/x/claude",
        '{"enabledPlugins": {"edge@market": true}}',
    ],
)
def test_every_form_of_our_settings_counts(text):
    assert rule("claude -p x", {LOCAL: text}) == ""


def test_settings_with_all_hooks_off_guard_nothing():
    off = OURS[:-1] + ', "disableAllHooks": true}'
    assert rule("claude -p x", {LOCAL: off}) == "agent-unguarded"


def test_options_that_drop_hooks_count_wherever_hooks_are():
    for flag in ("--bare", "--safe-mode", "--plugin-dir x", "--settings x.json"):
        assert rule(f"claude {flag} -p x", {USER: OURS, MANAGED: OURS}) == "agent-unguarded"


PACKAGE = "/usr/local/lib/node_modules/@anthropic-ai/claude-code"
NATIVE = f"{HOME}/.local/share/claude/versions/2.1.329"
LINKS = {
    f"{ROOT}/x": f"{PACKAGE}/bin/claude.exe",
    f"{ROOT}/x.js": f"{PACKAGE}/cli.js",
    f"{HOME}/bin/cc": NATIVE,
    "/proc/77/exe": NATIVE,
}
COPIES = {f"{ROOT}/copy": "claude"}


def under_any_name(command):
    there = dict.fromkeys((LOCAL, *LINKS, *COPIES), OURS)
    return judge(command, Machine(there, links=LINKS, programs=COPIES)).rule


@for_each(
    "start",
    [
        "./x",
        "./copy",
        "~/bin/cc",
        "/proc/77/exe",
        "node x.js",
        f"cd {PACKAGE} && node cli.js",
        "PATH=. x",
        "timeout 5 ./copy",
        f"ln -s {NATIVE} q && ./q",
        "ln -s $(which claude) q; ./q",
        "cp $(which claude) q && ./q",
        "npx claude",
        "npm exec -- claude",
        "(exec -a x claude)",
    ],
)
def test_a_client_is_known_under_any_name(start):
    assert under_any_name(f"{start} --bare -p x".replace(") --bare -p x", " --bare -p x)")) == (
        "agent-unguarded"
    )


def test_a_guarded_client_is_so_under_any_name():
    assert under_any_name("./x -p 'which tests fail?'") == ""
