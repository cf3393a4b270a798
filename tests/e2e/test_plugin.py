"""The plugin, as the client itself judges and runs it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.drive import World, notices, one_shot, session
from tests.e2e.model_server import ModelServer, bash
from tests.e2e.story import Story

from operators_edge.hosts.claude.slash_commands import COMMANDS

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).resolve().parents[2]


def plugin(world: World, *words: str) -> None:
    """`claude plugin WORDS`, as a person runs it."""
    done = subprocess.run(
        [str(world.client), "plugin", *words],
        cwd=world.project,
        env=world.env(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("folder", [ROOT / "plugins" / "edge", ROOT])
def test_the_clients_own_validation_accepts_it_strictly(world: World, folder: Path) -> None:
    assert "commands" in os.listdir(ROOT / "plugins" / "edge")
    plugin(world, "validate", str(folder), "--strict")


def test_its_hooks_gate_a_session_that_has_no_other(world: World, server: ModelServer) -> None:
    programs = os.path.dirname(sys.executable)
    path = f"{programs}{os.pathsep}{world.env()['PATH']}"
    guarded = World(world.top / "guarded", world.client, server, {"PATH": path})
    guarded.settings(permissions={"allow": ["Bash"]})
    server.play([bash("rm -rf ~", id="remove")], [bash("echo fine", id="fine")], ["Done."])
    folder = str(ROOT / "plugins" / "edge")
    assert one_shot(guarded, "Clean up.", "--plugin-dir", folder).returncode == 0
    assert "Operator's Edge (fs-delete-whole)" in str(server.result_of("remove"))
    assert "fine" in str(server.result_of("fine"))
    assert guarded.home.exists()


def test_installed_it_runs_every_hook_once_and_its_commands_are_answered_under_its_name(
    world: World, server: ModelServer
) -> None:
    plugin(world, "marketplace", "add", str(ROOT))
    plugin(world, "install", "edge@operators-edge")
    story = Story(world)  # sets the project up: `edge init` sees the plugin
    story.edge("objective", "Ship the parser")
    story.edge("plan", "add", "write the parser")
    with session(world) as typed:
        (verified,) = notices(typed.say("/edge:verify"))
        assert "steps_completed: no step is completed" in verified
        assert server.requests == []
        server.play([bash("touch parser.py")], ["Written."])
        typed.say("/edge:step")
        begun = next(each for each in typed.events if each.get("subtype") == "init")
    told = server.of()[0].as_text().rpartition("Do what Operator's Edge says")[2]
    assert "Step 1: write the parser" in told
    assert {f"edge:{each.short}" for each in COMMANDS} <= set(begun["slash_commands"])
    for event in ("session_start", "prompt", "tool", "stop"):
        assert len(story.recorded(event)) == 1, event
