"""The hook's command as settings have it, over an installation that is damaged in every way."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.hosting import clean_env
from tests.processes import HOOK

from operators_edge import hook
from operators_edge.system import launch

PACKAGE = os.path.dirname(HOOK)

DANGEROUS = {"tool_name": "Bash", "tool_input": {"command": "git push --force origin main"}}

CALL = {"hook_event_name": "PreToolUse", "session_id": "s", "tool_use_id": "t", **DANGEROUS}

OTHERS = [
    {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "hello"},
    {"hook_event_name": "SessionStart", "session_id": "s", "source": "startup"},
    {"hook_event_name": "Stop", "session_id": "s", "stop_hook_active": False},
]


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


def modules():
    folder = Path(PACKAGE)
    return [str(path.relative_to(folder)) for path in sorted(folder.rglob("*.py"))]


def test_no_part_of_a_module_is_taken_for_the_whole():
    for name in modules():
        whole = read(os.path.join(PACKAGE, name))
        assert hook.is_whole(whole)
        kept = whole.rstrip()
        lines = [at for at, byte in enumerate(kept) if byte == ord("\n")]
        for at in (*lines, *range(max(0, len(kept) - 20), len(kept))):
            assert not hook.is_whole(kept[:at]), f"{name} cut at {at}"


NOTED = """\
import sys
sys.path.append(sys.argv[1])
from operators_edge import hook
hook.main()
print(*(each for each in sys.modules if each.startswith("operators_edge.")), file=sys.stderr)
"""


@pytest.mark.long
def test_no_module_on_the_path_of_a_call_is_run_without_its_end(copy, world):
    run(copy, CALL, world)  # what only compiles the packs is not asked again
    data = json.dumps({"cwd": world["cwd"], **CALL}).encode()
    words = [sys.executable, "-I", "-S", "-c", NOTED, os.path.dirname(copy)]
    noted = subprocess.run(words, input=data, capture_output=True, check=True, **world).stderr
    names = {each.replace(".", "/").partition("/")[2] + ".py" for each in noted.decode().split()}
    loaded = sorted(names.intersection(modules()) - {"hook.py"})
    assert len(loaded) > 50
    for name in loaded:
        path = os.path.join(copy, name)
        whole = read(path)
        done = run_with(path, whole[: max(whole.rfind(b"\n\n\ndef "), 0) + 1], copy, world)
        assert is_stopped(done), name
        assert b"is cut off" in done.stdout or b"(ImportError)" in done.stdout, name


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
