"""An installation that is gone or damaged under the real client: no call runs, and a prompt gets through."""

import os
import shutil
import sys
import venv
from pathlib import Path

import pytest
from tests.e2e.drive import World, one_shot
from tests.e2e.model_server import ModelServer, bash
from tests.processes import HOOK

from operators_edge.hosts.claude import wiring

pytestmark = pytest.mark.e2e


@pytest.fixture
def runner(tmp_path: Path) -> wiring.Runner:
    """An installation of its own, which a test may damage."""
    place = tmp_path / "installed"
    venv.create(place, with_pip=False, symlinks=True)
    shutil.copytree(os.path.dirname(HOOK), place / "lib" / "operators_edge")
    return wiring.Runner(
        str(place / "bin" / "python"), str(place / "lib" / "operators_edge" / "hook.py")
    )


def no_environment(runner: wiring.Runner) -> None:
    shutil.rmtree(Path(runner.interpreter).parents[1])


def cut_package(runner: wiring.Runner) -> None:
    path = Path(runner.hook_file)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])


@pytest.mark.parametrize("damage", [no_environment, cut_package])
def test_a_call_is_blocked_and_a_prompt_gets_through(
    world: World, server: ModelServer, runner: wiring.Runner, damage
) -> None:
    hooks = wiring.hooks("exec", runner)
    world.settings("settings.local.json", hooks=hooks, permissions={"allow": ["Bash"]})
    damage(runner)
    server.play([bash("touch one", id="one")], ["I could not."])
    run = one_shot(world, "go")
    assert run.result["result"] == "I could not."
    assert not (world.project / "one").exists()
    assert "edge doctor" in str(server.result_of("one"))


def test_a_colleague_without_the_product_works_on_and_is_told(
    world: World, server: ModelServer
) -> None:
    hooks = wiring.hooks("portable", wiring.Runner(sys.executable, HOOK))
    world.settings(hooks=hooks, permissions={"allow": ["Bash"]})
    ours = os.path.dirname(sys.executable)
    others = [each for each in os.environ["PATH"].split(os.pathsep) if each != ours]
    elsewhere = World(world.top, world.client, server, extra_env={"PATH": os.pathsep.join(others)})
    server.play([bash("touch one", id="one")], ["Done."])
    run = one_shot(elsewhere, "go")
    assert run.result["result"] == "Done."
    assert (world.project / "one").exists()
    assert any("works unguarded" in str(event) for event in run.events)
