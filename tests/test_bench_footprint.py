"""What an installation takes of the disk, and how many modules a hook imports: stated, and kept."""

import importlib.metadata
import json
import os
import re
import subprocess
import sys
import zipfile
from email import message_from_bytes

import pytest
from bench.hooks import GRAMMAR, QUIET
from packaging.requirements import Requirement

from operators_edge import hook_client
from operators_edge.gate import rules
from tests.hosting import Client
from tests.processes import SOURCE
from tests.resident.conftest import staying

MEGABYTES = 14.2
"""Of the base installation: the wheel and what it depends on, unpacked, without compiled files."""

OWN_MEGABYTES = 8.2
"""Of it the wheel's own part."""

IMPORTS = {
    "warm": (4, 1),
    "cold, no trigger word": (24, 29),
    "cold, parsed": (80, 42),
    "an ordinary prompt": (55, 49),
}
"""At most so many modules more than a bare interpreter has: of ours, and of all others.

With ``tuples``, ``jsons``, ``datetimes``, ``contexts`` and ``gc``, which cost less than they save."""

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def test_the_base_installation_is_no_larger_than_stated(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=REPOSITORY, capture_output=True, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        own = sum(each.file_size for each in archive.infolist()) / 1e6
        (name,) = (each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        said = message_from_bytes(archive.read(name))
    found = dependencies(said.get_all("Requires-Dist"))
    assert {"ruamel-yaml", "lizard", "pygments"} <= found
    assert own <= OWN_MEGABYTES
    assert own + sum(map(megabytes, found)) <= MEGABYTES


def dependencies(lines):
    """What the base install brings along, extras of it left out."""
    found, queue = set(), list(lines)
    while queue:
        wanted = Requirement(queue.pop())
        is_wanted = wanted.marker is None or wanted.marker.evaluate({"extra": ""})
        if is_wanted and wanted.name not in found:
            found.add(wanted.name)
            queue += importlib.metadata.requires(wanted.name) or []
    return found


def megabytes(name):
    files = importlib.metadata.files(name)
    assert files, f"{name} does not say what it consists of"
    sizes = [os.path.getsize(each.locate()) for each in files if each.suffix != ".pyc"]
    return sum(sizes) / 1e6


@pytest.mark.parametrize(
    ("case", "command"),
    [("warm", GRAMMAR), ("cold, no trigger word", QUIET), ("cold, parsed", GRAMMAR)],
)
def test_a_hook_imports_no_more_than_stated(project, fenced, case, command):
    client = Client(project, {**os.environ, "EDGE_RESIDENT": "on" if case == "warm" else "off"})
    rules.load()  # the packs are compiled by now, as on every call but the first
    if case == "warm":
        with staying(client.env):
            ours, others = imported(client, before(client, command))
            assert (
                hook_client.ask_resident("claude", before(client, command), client.env) is not None
            )
    else:
        client.start()
        client.bash(command)
        ours, others = imported(client, before(client, command))
    most, most_others = IMPORTS[case]
    assert len(ours) <= most, sorted(ours)
    assert len(others) <= most_others, sorted(others)
    assert {name for name in ours if defines_slow_tuples(name)} == set()


def defines_slow_tuples(module):
    """Whether a module takes ``NamedTuple`` from ``typing``, which costs ten times ours to define."""
    path = os.path.join(SOURCE, module.replace(".", "/"))
    path = f"{path}.py" if os.path.exists(f"{path}.py") else os.path.join(path, "__init__.py")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return not path.endswith("/tuples.py") and re.search(r"from typing import .*NamedTuple", text)


def test_an_ordinary_prompt_imports_nothing_of_what_typed_commands_need(project, fenced):
    client = Client(project, {**os.environ, "EDGE_RESIDENT": "off"})
    client.start()
    event = {"session_id": client.session, "cwd": client.root, "prompt": "hello"}
    event["hook_event_name"] = "UserPromptSubmit"
    ours, others = imported(client, json.dumps(event).encode())
    most, most_others = IMPORTS["an ordinary prompt"]
    assert len(ours) <= most, sorted(ours)
    assert len(others) <= most_others, sorted(others)


def imported(client, event):
    """The modules that the hook has imported when it has answered, ours and others."""
    code = (
        f"import sys; before = set(sys.modules); sys.path.insert(0, {SOURCE!r});"
        "from operators_edge import hook; hook.main();"
        "sys.stderr.write('\\n' + ' '.join(sorted(set(sys.modules) - before)))"
    )
    client.raw(event, [sys.executable, "-I", "-S", "-c", code])
    names = client.stderr.decode().rpartition("\n")[2].split()
    ours = {name for name in names if name.partition(".")[0] == "operators_edge"}
    return ours, set(names) - ours


def before(client, command):
    given = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t"}
    event = {"session_id": client.session, "cwd": client.root, "hook_event_name": "PreToolUse"}
    return json.dumps({**event, **given}).encode()
