"""The guard itself under attack, through the real client: its package replaced, another project unguarded."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.e2e.drive import World, session
from tests.e2e.model_server import bash
from tests.e2e.story import Story
from tests.hosting import list_installed

import operators_edge

pytestmark = pytest.mark.e2e


@pytest.fixture
def product(world: World) -> Path:
    """A throwaway installation of its own: interpreter, our package, and links to what it needs."""
    home = world.top / "product"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    (library,) = home.glob("lib/python*/site-packages")
    for each in Path(sys.prefix).glob("lib/python*/site-packages/*"):
        if not each.name.endswith((".pth", ".dist-info", "__pycache__")):
            (library / each.name).symlink_to(each)
    package = library / "operators_edge"
    shutil.copytree(
        Path(operators_edge.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__")
    )
    list_installed(package)
    program = home / "bin" / "edge"
    program.write_text(
        f"#!{home}/bin/python -I\nfrom operators_edge.__main__ import main\nmain()\n"
    )
    program.chmod(0o755)
    return home


def test_a_replaced_package_and_an_unguarded_project_are_reported_in_the_running_session(
    world: World, product: Path
) -> None:
    path = f"{product}/bin:{world.env()['PATH']}"
    world = replace(world, extra_env={"PATH": path})
    story = Story(world)
    other = world.top / "other"
    subprocess.run(["git", "init", "--quiet", str(other)], env=world.env(), check=True)
    subprocess.run(["edge", "init"], cwd=other, env=world.env(), check=True, capture_output=True)
    (package,) = product.glob("lib/python*/site-packages/operators_edge")
    with session(world) as typed:
        evil = f"{product}/bin/python -m pip install --force-reinstall ./evil.whl"
        world.server.play([bash(evil, id="evil")], ["It was denied."])
        typed.say("replace the guard")
        module = package / "redaction" / "redact.py"
        module.write_text("# what someone else wrote\n" + module.read_text("utf-8"), "utf-8")
        shutil.rmtree(other / ".claude")
        world.server.play(["Hello."])
        typed.say("hello")
        shown = json.dumps(world.transcript(typed.session_id))
    assert "Changes the program that guards this session" in shown
    assert story.recorded("approval_forgery")
    changed = "1 file of Operator's Edge differ from what was installed: redaction/redact.py"
    for line in (changed, f"{other} is not guarded any more"):
        assert shown.count(line) >= 1, shown[-3000:]
