"""The hook's command as settings have it, over an installation that is damaged in every way."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.hosting import clean_env, list_installed
from tests.processes import HOOK

from operators_edge.system import launch

PACKAGE = os.path.dirname(HOOK)

DANGEROUS = {"tool_name": "Bash", "tool_input": {"command": "git push --force origin main"}}

CALL = {"hook_event_name": "PreToolUse", "session_id": "s", "tool_use_id": "t", **DANGEROUS}

OTHERS = [
    {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "hello"},
    {"hook_event_name": "SessionStart", "session_id": "s", "source": "startup"},
    {"hook_event_name": "Stop", "session_id": "s", "stop_hook_active": False},
]

CUT_AFTER = (
    ("hook_client.py", "    _open_missing_streams()\n"),
    ("hook_client.py", "    raw = bytes(read)\n"),
    ("hook_local.py", "    broken: Exception | None = None\n"),
    ("hook_local.py", "        return False\n"),
    (
        "hosts/claude/events.py",
        "import before_event  # noqa: PLC0415 - only what the event needs\n",
    ),
    ("hosts/claude/before_event.py", "context, call = context_of(event, env), call_of(event)\n"),
    ("sessions/before_call.py", '    """'),
    ("config/effective.py", 'False means that it is allowed."""\n'),
    ("gate/rules.py", 'False promises an allow."""\n'),
    ("gate/prefilter.py", 'a word without partners counts alone.\n    """\n'),
    ("gate/prefilter.py", '    joined = text.replace("\\\\\\n", "")\n'),
    ("gate/decide.py", "        return isinstance(text, str)"),
    ("gate/decide.py", "        self.context.text = text\n"),
    ("gate/paths.py", "        path = os.path.normpath(text)\n"),
    ("model.py", "class Facts"),
)
"""Modules on the path of a call, each with the text after which the rest is missing.

Among them is every place at which a function that lost its end would say "nothing is wrong".
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A package that may be damaged."""
    place = str(tmp_path_factory.mktemp("installed") / "operators_edge")
    shutil.copytree(PACKAGE, place)
    return place


@pytest.fixture
def world(fenced, tmp_path):
    return {"env": clean_env(fenced), "cwd": str(tmp_path)}


def run(copy, event, world, otherwise=launch.BLOCK):
    words = launch.command(sys.executable, os.path.join(copy, "hook.py"), otherwise=otherwise)
    data = json.dumps({"cwd": world["cwd"], **event}).encode()
    return subprocess.run(words, input=data, capture_output=True, check=False, **world)


def is_stopped(done):
    """As a client reads it: exit code 2, or one JSON object that denies."""
    if done.returncode == 2:
        return b"edge doctor" in done.stderr
    said = json.loads(done.stdout)["hookSpecificOutput"]
    return said["permissionDecision"] == "deny"


def lets_through(done):
    """With one line that says what to do, and no word of Python's."""
    assert done.returncode in (0, 1)
    assert b'"block"' not in done.stdout
    assert b"Traceback" not in done.stderr
    return b"edge doctor" in done.stdout + done.stderr


def test_a_hook_that_was_cut_anywhere_lets_no_call_run(copy, world):
    path = os.path.join(copy, "hook.py")
    whole = read(path)
    for part in range(20):
        length = len(whole) * part // 20
        for each in {length, whole.rfind(b"\n", 0, length) + 1}:
            assert is_stopped(run_with(path, whole[:each], copy, world)), f"cut at {each}"


@pytest.mark.parametrize(("name", "last"), CUT_AFTER)
def test_a_module_that_was_cut_lets_no_dangerous_call_run(name, last, copy, world):
    path = os.path.join(copy, name)
    whole = read(path)
    assert last.encode() in whole
    length = whole.index(last.encode()) + len(last.encode())
    assert is_stopped(run_with(path, whole[:length], copy, world))


@pytest.mark.parametrize(
    "name",
    [
        "shell/syntax.py",
        "shell/words.py",
        "gate/conditions.py",
        "gate/invocation.py",
        "gate/prefilter.py",
        "sessions/risky_call.py",
    ],
)
def test_no_module_that_the_installer_knew_longer_is_run_however_much_of_it_is_left(
    name, copy, world
):
    list_installed(Path(copy))
    path = os.path.join(copy, name)
    whole = read(path)
    for length in (len(whole) - 1, whole.rindex(b"\n\n\ndef ") + 1, whole.index(b"\n\n\n") + 1):
        done = run_with(path, whole[:length], copy, world)
        assert is_stopped(done)
        assert b"is cut off" in done.stdout + done.stderr


def read(path):
    with open(path, "rb") as file:
        return file.read()


def run_with(path, data, copy, world):
    """The call over an installation in which this file holds this; afterwards it is whole again."""
    whole = read(path)
    try:
        with open(path, "wb") as file:
            file.write(data)
        return run(copy, CALL, world)
    finally:
        with open(path, "wb") as file:
            file.write(whole)


def missing(path):
    os.unlink(path)


def folder(path):
    os.unlink(path)
    os.mkdir(path)


def empty(path):
    with open(path, "w", encoding="utf-8"):
        pass


def not_python(path):
    with open(path, "w", encoding="utf-8") as file:
        file.write("not python (")


def raising(path):
    with open(path, "w", encoding="utf-8") as file:
        file.write("raise SystemExit(0)")


@pytest.mark.parametrize("name", ["hook.py", "hook_client.py", "hook_local.py", "__init__.py"])
@pytest.mark.parametrize("damage", [missing, folder, empty, not_python, raising])
def test_damage_stops_the_call_and_nothing_else(name, damage, copy, world, tmp_path):
    mine = str(tmp_path / "lib" / "operators_edge")
    shutil.copytree(copy, mine, ignore=shutil.ignore_patterns("packs", "cli", "resident"))
    damage(os.path.join(mine, name))
    assert is_stopped(run(mine, CALL, world))
    assert lets_through(run(mine, OTHERS[0], world, launch.GO_ON))


def test_without_the_package_every_call_is_stopped_and_everything_else_goes_on(world, tmp_path):
    nowhere = str(tmp_path / "operators_edge")
    assert is_stopped(run(nowhere, CALL, world))
    for event in OTHERS:
        assert lets_through(run(nowhere, event, world, launch.GO_ON))


@pytest.mark.skipif(os.name != "posix", reason="streams as a POSIX shell closes them")
@pytest.mark.parametrize("how", ["2>&-", "2>/dev/full", ">&- 2>&-"])
def test_a_complaint_that_nobody_can_read_does_not_change_the_exit_code(how, world, tmp_path):
    words = launch.command(sys.executable, str(tmp_path / "operators_edge" / "hook.py"))
    shell = ["sh", "-c", f'exec "$@" </dev/null {how}', "sh", *words]
    assert subprocess.run(shell, check=False, capture_output=True, **world).returncode == 2
