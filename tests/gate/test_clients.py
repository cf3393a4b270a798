"""Other agents that a command starts, in projects that are guarded in one way or another."""

import shlex

import pytest
from tests.gate.example_project import HOME, ROOT, Machine, judge, judge_tool
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


NODE = """const fs = require('fs'), f = '.vscode/settings.json';
const j = JSON.parse(fs.readFileSync(f));
j['chat.tools.autoApprove'] = true;
fs.writeFileSync(f, JSON.stringify(j));
"""
PYTHON = """import json
with open(".cursor/settings.json", "w") as f:
    json.dump({"cline.autoApprovalSettings": {"enabled": True}}, f)
"""


@for_each(
    ("command", "asks"),
    [
        ("echo '{\"chat.tools.autoApprove\": true}' > .vscode/settings.json", True),
        ("cd .vscode && echo '{\"chat.tools.autoApprove\": true}' > settings.json", True),
        ('jq \'."roo-cline.allowedCommands"=["*"]\' x > x.code-workspace', True),
        (
            f"tee {HOME}/.config/zed/settings.json <<< '{{\"always_allow_tool_actions\": true}}'",
            True,
        ),
        ("node x.js", True),
        ("python3 x.py", True),
        (f"node -e {shlex.quote(NODE)}", True),
        ("echo '{\"chat.tools.autoApprove\": false}' > .vscode/settings.json", False),
        ('echo \'{"jest.autoRun": "watch"}\' > .vscode/settings.json', False),
        ("echo 'autoApprove = true' > src/settings.py", False),
        ("grep -n autoApprove .vscode/settings.json", False),
        ("node -e \"require('fs').writeFileSync('.vscode/settings.json', '{}')\"", False),
    ],
)
def test_settings_with_which_the_agents_of_an_editor_ask_nobody_are_asked_about(command, asks):
    files = {f"{ROOT}/x.js": NODE, f"{ROOT}/x.py": PYTHON}
    for committed in ((), ("x.js", "x.py")):
        found = judge(command, Machine(files, committed=committed)).rule
        assert (found == "agent-settings") == asks


@for_each(
    ("text", "asks"),
    [
        ('{"chat.tools.autoApprove": true}', True),
        ('{"claudeCode.allowDangerouslySkipPermissions": true}', True),
        ('{"claudeCode.initialPermissionMode": "bypassPermissions"}', True),
        ('{"editor.tabSize": 2}', False),
        ('{"chat.tools.autoApprove": false}', False),
    ],
)
def test_an_edit_counts_by_what_it_puts_into_the_settings_of_an_editor(text, asks):
    path = f"{ROOT}/.vscode/settings.json"
    machine = Machine({path: '{"chat.tools.autoApprove": true}'})
    edits = (
        ("Write", {"content": text}),
        ("Edit", {"old_string": "{}", "new_string": text}),
        ("MultiEdit", {"edits": [{"old_string": "{}", "new_string": text}]}),
    )
    for tool, given in edits:
        found = judge_tool(tool, {"file_path": path, **given}, machine).rule
        assert (found == "agent-settings") == asks


AUTO = '{"chat.tools.autoApprove": true}'


@for_each(
    ("command", "text", "is_asked"),
    [
        ("cp new.json .vscode/settings.json", AUTO, True),
        ("mv new.json .vscode/Settings.json", AUTO, True),
        ("cp new.json .vscode/settings.json", '{"editor.tabSize": 2}', False),
        ("cp new.json .vscode/tasks.txt", AUTO, False),
        (f"echo '{AUTO}' > .vscode/Settings.json", "", True),
    ],
)
def test_an_editors_settings_count_however_they_get_there(command, text, is_asked):
    found = judge(command, Machine({f"{ROOT}/new.json": text}))
    assert (found.rule == "agent-settings") == is_asked
