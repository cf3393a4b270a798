"""What runs without another look of the gate, by what it runs: skills, commands, hooks, tasks, servers."""

from __future__ import annotations

import json

import pytest
from tests.gate.example_project import HOME, ROOT, Machine, judge, judge_tool
from tests.tables import for_each

from operators_edge.gate.addresses import is_metadata
from operators_edge.gate.decide import is_plain
from operators_edge.gate.disk.later import markdown
from operators_edge.gate.rules import load
from operators_edge.model import Call

PUSH = "git push --force origin main"
SKILL = f"---\nname: release\nallowed-tools: Bash(git push:*)\n---\nRelease it.\n\n!`{PUSH}`\n"
PLUGIN = f"{HOME}/.claude/plugins/cache/tools"
INSTALLED = {
    f"{HOME}/.claude/plugins/installed_plugins.json": json.dumps(
        {"plugins": {"tools@market": [{"installPath": PLUGIN}]}}
    )
}


def used(tool, given, files, cwd=ROOT):
    named = {name if name[0] == "/" else f"{ROOT}/{name}": text for name, text in files.items()}
    return judge_tool(tool, given, Machine(named), cwd)


@pytest.mark.parametrize(
    ("tool", "given", "path"),
    [
        ("Skill", {"skill": "ship"}, f"{ROOT}/.claude/skills/ship/SKILL.md"),
        ("Skill", {"skill": "ship"}, f"{HOME}/.claude/skills/ship/SKILL.md"),
        ("Skill", {"skill": "release"}, f"{ROOT}/.claude/skills/ship/SKILL.md"),
        ("Skill", {"skill": "ship"}, f"{ROOT}/.claude/commands/ship.md"),
        ("Skill", {"skill": "ship"}, f"{ROOT}/.claude/commands/team/ship.md"),
        ("Skill", {"skill": "team:ship"}, f"{ROOT}/.claude/commands/team/ship.md"),
        ("Skill", {"skill": "tools:ship"}, f"{PLUGIN}/skills/ship/SKILL.md"),
        ("Skill", {"skill": "ship"}, f"{PLUGIN}/commands/ship.md"),
        ("Skill", {"skill": "ship"}, f"{ROOT}/app/.claude/skills/ship/SKILL.md"),
        ("SlashCommand", {"command": "/ship now"}, f"{ROOT}/.claude/commands/ship.md"),
    ],
)
def test_the_inline_shell_of_a_skill_is_judged_when_it_is_used(tool, given, path):
    verdict = used(tool, given, {path: SKILL} | INSTALLED, f"{ROOT}/app")
    assert verdict.rule == "git-push-force"
    assert verdict.findings[0].source == f"{path.removeprefix(ROOT + '/')}:7"
    assert path in [one.path for one in verdict.followed]


@pytest.mark.parametrize(
    ("tool", "given"),
    [("Skill", {"skill": "x", "args": "~/photos"}), ("SlashCommand", {"command": "/x ~/photos"})],
)
def test_arguments_are_put_into_the_inline_shell(tool, given):
    verdict = used(tool, given, {".claude/commands/x.md": "!`rm -rf $ARGUMENTS`"})
    assert verdict.findings[0].targets == (f"{HOME}/photos",)


def test_a_script_that_inline_shell_runs_is_followed():
    files = {
        ".claude/skills/x/SKILL.md": "!`bash ${CLAUDE_SKILL_DIR}/run.sh`",
        ".claude/skills/x/run.sh": f"\n{PUSH}",
    }
    verdict = used("Skill", {"skill": "x"}, files)
    assert verdict.findings[0].source == ".claude/skills/x/run.sh:2"


def test_the_hooks_of_an_agent_are_judged_when_it_is_used():
    head = f"hooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: '{PUSH}'\n"
    files = {".claude/agents/review.md": f"---\nname: review\n{head}---\n"}
    verdict = used("Agent", {"subagent_type": "review", "prompt": "x"}, files)
    assert (verdict.rule, verdict.findings[0].source) == (
        "git-push-force",
        ".claude/agents/review.md:7",
    )


@pytest.mark.parametrize(
    "head", ["{{hooks: {{Stop: [{{command: {0}}}]}}}}", '"h\\x6foks":\n  - command: {0}']
)
def test_hooks_are_judged_in_every_spelling_of_their_key(head):
    path = ".claude/agents/review.md"
    files = {path: f"\n---\n{head.format(PUSH)}\n---\n"}
    assert used("Agent", {"subagent_type": "review"}, files).rule == "git-push-force"


@pytest.mark.parametrize(
    ("given", "files"),
    [
        ({"skill": "x"}, {".claude/skills/x/SKILL.md": "!`git status`\n\n!`git log -3`"}),
        ({"skill": "x"}, {".claude/skills/x/SKILL.md": f"Never run `{PUSH}`."}),
        ({"skill": "y"}, {".claude/skills/x/SKILL.md": SKILL}),
        ({"skill": "x"}, {}),
        ({"skill": ""}, {}),
        ({}, {}),
        ({"skill": "p:x"}, {f"{HOME}/.claude/plugins/installed_plugins.json": "[1]"}),
    ],
)
def test_a_skill_without_dangerous_shell_needs_nobody(given, files):
    assert used("Skill", given, files).effect == "allow"


@pytest.mark.parametrize(
    ("path", "content", "line"),
    [
        (".claude/skills/ship/SKILL.md", SKILL, 7),
        (".claude/commands/ship.md", f"Do it:\n```!\nls\n{PUSH}\n```\n", 4),
        (".claude/agents/a.md", f"---\nhooks: {{Stop: [{{command: {PUSH}}}]}}\n---\n", 2),
        (
            ".mcp.json",
            '{"mcpServers": {"a": {\n"command": "git", "args": ["push", "--force"]}}}',
            2,
        ),
        (".mcp.json", f'{{"mcpServers": {{"a": {{\n"command": "{PUSH}"', 2),
        (".envrc", f"export A=1\n{PUSH}\n", 2),
        (".venv/bin/pytest", f"#!/bin/sh\n{PUSH}\n", 2),
        ("node_modules/.bin/jest", f"{PUSH}\n", 1),
        ("bin/ls", f"{PUSH}\n", 1),
        (".vscode/tasks.json", f'{{"tasks": [ // all\n {{"command": "{PUSH}"}},]}}', 2),
        (
            ".devcontainer/devcontainer.json",
            '{\n"postCreateCommand": ["git", "push", "--force"]}',
            1,
        ),
    ],
)
def test_writing_a_file_that_runs_later_is_judged_by_what_it_runs(path, content, line):
    verdict = judge_tool("Write", {"file_path": f"{ROOT}/{path}", "content": content})
    found = next(each for each in verdict.findings if each.rule == "git-push-force")
    assert found.source == f"{path}:{line}"


@pytest.mark.parametrize(
    "command",
    [
        f"cat > .claude/commands/x.md <<'E'\n!`{PUSH}`\nE",
        f"mkdir -p .claude/commands; echo '!`{PUSH}`' | tee .claude/commands/x.md",
        "cp draft.md .claude/commands/x.md",
        "cp draft.md .claude/commands/",
        "mv draft.md .claude/commands/x.md",
    ],
)
def test_a_shell_that_writes_such_a_file_is_judged_too(command):
    verdict = judge(command, Machine({f"{ROOT}/draft.md": f"!`{PUSH}`"}))
    assert "git-push-force" in {one.rule for one in verdict.findings}


def test_an_edit_is_judged_by_the_text_that_it_leaves():
    files = {".envrc": "export A=1\ngit status\n"}
    given = {"file_path": f"{ROOT}/.envrc", "old_string": "status", "new_string": "push --force"}
    verdict = used("Edit", given, files)
    assert (verdict.rule, verdict.findings[0].source) == ("git-push-force", ".envrc:2")
    edits = [
        {"old_string": "git status", "new_string": "A"},
        {"old_string": "A", "new_string": PUSH},
    ]
    several = {"file_path": f"{ROOT}/.envrc", "edits": edits}
    assert used("MultiEdit", several, files).rule == "git-push-force"


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("docs/release.md", SKILL),
        ("scripts/release.sh", PUSH),
        ("Makefile", f"release:\n\t{PUSH}\n"),
        ("package.json", json.dumps({"scripts": {"release": PUSH}})),
        (".claude/skills/x/SKILL.md", "Look first.\n!`git log -3`"),
        (".mcp.json", '{"mcpServers": {"a": {"command": "npx", "args": ["-y", "server"]}}}'),
        (".envrc", "use flake\nexport A=1\nPATH_add bin\n"),
        (".vscode/tasks.json", '{"tasks": [{"label": "x", "command": "npm run build"}]}'),
    ],
)
def test_what_is_harmless_or_seen_again_when_it_runs_may_be_written(path, content):
    assert (
        judge_tool("Write", {"file_path": f"{ROOT}/{path}", "content": content}).effect == "allow"
    )


def test_every_form_of_a_hooks_command_is_read():
    head = """---
hooks:
  Stop:
    - command: plain --x # why
    - command: "a \\"b\\""
    - {type: command, "command": 'it''s'}
    - command: |
        first
        second
---
"""
    texts = [one.text for one in markdown(head)]
    assert texts[:3] == ["plain --x", 'a "b"', "it's"]
    assert texts[3].split() == ["first", "second"]


# -- one rule for all tools ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Read", {"file_path": f"{HOME}/.ssh/id_rsa"}),
        ("mcp__fs__read_text_file", {"path": f"{HOME}/.ssh/id_rsa"}),
        ("mcp__fs__read_multiple_files", {"paths": ["a", f"{HOME}/.ssh/id_rsa"]}),
    ],
)
def test_a_tool_that_reads_a_file_is_judged_like_cat(tool, given):
    assert judge_tool(tool, given).rule == judge("cat ~/.ssh/id_rsa").rule == "secret-read"


def test_reading_an_ordinary_file_is_not_even_looked_at():
    rules = load()
    assert is_plain(Call("Read", {"file_path": f"{ROOT}/src/app.py"}, ROOT), rules)
    assert not is_plain(Call("Read", {"file_path": f"{HOME}/.ssh/id_rsa"}, ROOT), rules)


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"command": "rm -rf ~/photos"}, "fs-recursive-delete"),
        ({"cmd": ["git", "push", "--force"]}, "git-push-force"),
        ({"command": "status"}, ""),
        ({"command": "it's"}, ""),
    ],
)
def test_an_argument_that_is_a_command_is_judged_as_one(given, rule):
    assert judge_tool("mcp__lab__perform", given).rule == rule


@for_each(
    "host",
    [
        *(
            "169.254.169.254",
            "169.254.43518",
            "0xa9fea9fe",
            "0xA9.0xFE.0xA9.0xFE",
            "0251.0376.43518",
        ),
        *("2852039166", "169.254.170.2", "169.254.169.254.", "%31%36%39.254.169.254"),
        *("[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[64:ff9b::a9fe:a9fe]"),
        *("[fd00:ec2::254]", "metadata.google.internal", "169.254.169.254.nip.io"),
        *("100.100.100.200", "instance-data"),
    ],
)
def test_a_metadata_service_is_known_in_every_spelling(host):
    assert is_metadata(host)


@for_each(
    "host",
    [
        *(
            "",
            "example.com",
            "10.0.0.1",
            "127.0.0.1",
            "[::1]",
            "[x]",
            "1.2.3.4.5",
            "256.1.1.1",
            "08.1",
        ),
        *("99999999999", "169.253.1.1", "metadata.example.com", "[2001:db8::a9fe:a9fe]"),
    ],
)
def test_another_host_is_no_metadata_service(host):
    assert not is_metadata(host)


@pytest.mark.parametrize(
    ("path", "content"),
    [
        (".venv/bin/tool", "#!/usr/bin/env python3\nimport sys\nsys.exit(main())\n"),
        ("node_modules/.bin/tool", "#!/usr/bin/env node\nrequire('./cli')\n"),
        ("bin/ls", "\x7fELF\0rm -rf /"),
    ],
)
def test_a_program_that_no_shell_runs_is_not_read_as_one(path, content):
    assert (
        judge_tool("Write", {"file_path": f"{ROOT}/{path}", "content": content}).effect == "allow"
    )


@for_each(
    ("tool", "given"),
    [
        ("mcp__x__bash", {"commands": ["ls", "git push --force"]}),
        ("mcp__x__terminal", {"input": "aws s3 rb s3://x --force"}),
        ("mcp__redis__call", {"cli_command": "redis-cli flushall"}),
        ("mcp__redis__flushall", {}),
        ("mcp__k8s__scale_deployment", {"name": "api", "replicas": 0}),
        ("mcp__k8s__kubectl", {"args": "delete ns prod"}),
        ("mcp__k8s__kubectl", {"args": ["delete", "ns", "prod"]}),
        ("mcp__k8s__kubectl_generic", {"command": "delete", "args": ["ns", "prod"]}),
        ("mcp__k8s__run_helm", {"args": "helm uninstall web"}),
        ("mcp__x__fetch", {"url": "http://169.254.169.254/latest/meta-data"}),
        ("mcp__http__request", {"url": "https://api.example.com/x", "method": "DELETE"}),
        ("Write", {"file_path": f"{ROOT}/.husky/pre-push", "content": "git push --force"}),
    ],
)
def test_what_a_tool_runs_or_reaches_is_judged_like_the_command(tool, given):
    assert judge_tool(tool, given).effect in ("junction", "block")


def test_a_tool_that_reads_a_page_needs_nobody():
    assert judge_tool("mcp__x__fetch", {"url": "https://docs.example.com/x"}).effect == "allow"
    assert judge_tool("mcp__k8s__kubectl", {"args": ["get", "pods"]}).effect == "allow"
    assert judge_tool("mcp__k8s__kubectl", {"command": "kubectl get pods"}).effect == "allow"


@pytest.mark.parametrize(
    ("path", "text", "rule"),
    [
        (".claude/hooks/guard.sh", f"#!/bin/sh\n{PUSH}\n", "git-push-force"),
        (".claude/hooks/guard.sh", "#!/bin/sh\nexit 0\n", ""),
        (".cargo/config.toml", '[alias]\nb = "build"\np = "publish"\n', "package-publish"),
        (".cargo/config.toml", '[alias]\nxtask = "run -p xtask --"\n', ""),
        ("package.json", json.dumps({"scripts": {"postinstall": PUSH}}), "git-push-force"),
        ("package.json", json.dumps({"scripts": {"prepare": "husky", "release": PUSH}}), ""),
        ("package.json", f'"scripts": {{\n "postinstall": "{PUSH}",', "git-push-force"),
        ("package.json", f'"scripts": {{\n "release": "{PUSH}",', ""),
    ],
)
def test_what_tools_run_by_themselves_is_judged_when_it_is_written(path, text, rule):
    given = {"file_path": f"{ROOT}/{path}", "content": text}
    assert judge_tool("Write", given).rule == rule
    assert judge(f"cat > {path} <<'E'\n{text}\nE").rule == rule
