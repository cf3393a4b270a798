"""Commands of every kind are rehearsed: nothing of them happens, nothing stays, and what is shown is true."""

import os
import subprocess
import tomllib
from operator import itemgetter
from pathlib import Path

import pytest
from tests.rehearsal.world import LIMITS, World, copied, foretold, needs_rehearsal, tree

from operators_edge.rehearsal.shown import WHOLE
from operators_edge.system.subprocesses import shell

_COMMANDS = tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))
ORDINARY, HOSTILE = _COMMANDS["ordinary"], _COMMANDS["hostile"]

pytestmark = [pytest.mark.long, needs_rehearsal]


def of_this_rehearsal(mark):
    """Processes that carry a variable of their own, those that left their parent, too."""
    found = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            environ = Path("/proc", name, "environ").read_bytes()
        except OSError:
            continue
        if mark in environ:
            found.append(Path("/proc", name, "cmdline").read_bytes())
    return found


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    with World(tmp_path_factory.mktemp("world")) as made:
        made.env["REHEARSAL_MARK"] = f"mark-{os.getpid()}"
        yield made


def checked(world, case, limits=LIMITS):
    before = world.digest()
    seen = world.rehearsed(case["command"], limits)
    after = world.digest()
    assert after == before
    assert of_this_rehearsal(f"mark-{os.getpid()}".encode()) == []
    text = "\n".join(seen.lines(WHOLE))
    assert [each for each in case["shows"] if each not in text] == [], text
    assert "\x1b" not in text
    return seen


@pytest.mark.parametrize("case", ORDINARY, ids=itemgetter("name"))
def test_what_is_shown_of_an_ordinary_command_is_what_it_does(world, case, tmp_path):
    before = tree(world.project)
    seen = checked(world, case)
    if case.get("same"):
        place = copied(world.project, tmp_path / "copy")
        words = [shell(), "-c", world.filled(case["command"])]
        done = subprocess.run(
            words,
            cwd=place,
            env=world.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        assert seen.result.code == done.returncode
        output = (done.stdout + done.stderr).decode()
        assert seen.result.output.replace("line 1: ", "") == output.replace("line 1: ", "")
        assert foretold(before, list(seen.changes), world.project) == tree(place)


@pytest.mark.parametrize("case", HOSTILE, ids=itemgetter("name"))
def test_nothing_gets_out_of_a_rehearsal(world, case):
    is_endless = case["name"].startswith("endless")
    seen = checked(world, case, LIMITS._replace(seconds=1.5) if is_endless else LIMITS)
    assert "reached" not in seen.result.output
