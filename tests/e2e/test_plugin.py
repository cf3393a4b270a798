"""The plugin, as the client itself judges and runs it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.drive import World, one_shot
from tests.e2e.model_server import ModelServer, bash

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("folder", [ROOT / "plugins" / "edge", ROOT])
def test_the_clients_own_validation_accepts_it_strictly(world: World, folder: Path) -> None:
    done = subprocess.run(
        [str(world.client), "plugin", "validate", str(folder), "--strict"],
        cwd=world.project,
        env=world.env(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_its_hooks_gate_a_session_that_has_no_other(world: World, server: ModelServer) -> None:
    programs = os.path.dirname(sys.executable)
    path = f"{programs}{os.pathsep}{world.env()['PATH']}"
    guarded = World(world.top / "guarded", world.client, server, {"PATH": path})
    guarded.settings(permissions={"allow": ["Bash"]})
    server.play([bash("rm -rf ~", id="remove")], [bash("echo fine", id="fine")], ["Done."])
    plugin = str(ROOT / "plugins" / "edge")
    assert one_shot(guarded, "Clean up.", "--plugin-dir", plugin).returncode == 0
    assert "Operator's Edge (fs-recursive-delete)" in str(server.result_of("remove"))
    assert "fine" in str(server.result_of("fine"))
    assert guarded.home.exists()
