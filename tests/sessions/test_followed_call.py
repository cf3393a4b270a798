"""What a command runs from disk, through the hook: read when it runs, from real files."""

import json

import pytest
from tests.hosting import events, git, read_state, write

PUSH = "git push --force origin main"


@pytest.mark.parametrize(
    ("name", "harmless", "dangerous", "command"),
    [
        ("x.sh", "echo\n", f"echo\n{PUSH}\n", "sh x.sh"),
        ("Makefile", "go:\n\ttrue\n", f"go:\n\t{PUSH}\n", "make go"),
        (
            "package.json",
            '{"scripts":\n{"go": "true"}}',
            f'{{"scripts":\n{{"go": "{PUSH}"}}}}',
            "npm run go",
        ),
        ("go/__main__.py", "import os\n", f"import os\nos.system('{PUSH}')\n", "python3 -m go"),
        ("tox.ini", "[testenv]\n", f"[testenv]\ncommands = {PUSH}\n", "tox"),
    ],
)
def test_a_file_is_judged_by_what_it_holds_when_it_runs(client, name, harmless, dangerous, command):
    write(client.root, name, harmless)
    assert client.bash(command) == ""
    write(client.root, name, dangerous)
    said = client.before("Bash", command=command)
    assert said["permissionDecision"] == "deny"
    assert f"{name}:2" in said["permissionDecisionReason"]
    assert f"{name}:2" in json.dumps(read_state(client)["junction"])


def test_what_a_repository_holds_already_is_judged_by_what_cannot_be_made_again(client):
    write(client.root, "x.sh", "make\nrm -rf build\n")
    assert client.bash("sh x.sh") == "deny"
    git(client.root, "add", "x.sh")
    git(client.root, "commit", "-q", "-m", "a script")
    assert client.bash("sh x.sh") == ""


TIDY = """\
import shutil
from pathlib import Path
ROOT = Path(__file__).resolve().parent
for name in ('docs', 'out'):
    shutil.rmtree(ROOT / name)
"""
CLEAN = """\
import fs from 'node:fs';
for (const each of ['docs', 'out']) fs.rmSync(each, {recursive: true});
"""
WIPE = 'for each in $(cat names); do rm -rf "$each"; done\n'


@pytest.mark.parametrize(
    ("name", "text", "command"),
    [
        ("tidy.py", TIDY, "python3 tidy.py"),
        ("clean.mjs", CLEAN, "node clean.mjs"),
        ("wipe.sh", WIPE, "sh wipe.sh"),
    ],
)
def test_what_a_committed_program_deletes_by_unknown_names_is_kept_first(
    client, name, text, command
):
    write(client.root, name, text)
    git(client.root, "add", name)
    git(client.root, "commit", "-q", "-m", "a program")
    write(client.root, "docs/notes.txt", "never added\n")
    assert client.bash(command) == ""
    (taken,) = events(client, "snapshot")
    assert taken["id"]
