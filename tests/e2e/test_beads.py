"""The stand-in for ``bd``, judged by Beads' own client from PyPI in an environment of its own."""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import pytest
from tests import repository
from tests.bridge.test_trackers import program
from tests.e2e import npm

pytestmark = pytest.mark.e2e

PACKAGE = "beads-mcp==1.3.2"
JUDGE = Path(__file__).with_name("beads_judge.py")


def interpreter() -> str:
    """The interpreter of an environment with the client, made beside its place when it is not there."""
    home = npm.CACHE / PACKAGE
    python = home / "bin" / "python"
    if not python.exists():
        home.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=home.parent, prefix="installing-") as temporary:
            stage = Path(temporary) / PACKAGE
            venv.create(stage, with_pip=True, symlinks=True)
            install = (str(stage / "bin" / "python"), "-m", "pip", "install", "--quiet", PACKAGE)
            subprocess.run(install, check=True, timeout=npm.INSTALL_LIMIT)
            stage.rename(home)
    return str(python)


def test_the_official_client_takes_the_stand_in_for_bd(tmp_path: Path) -> None:
    root = repository.make(tmp_path / "work")
    os.mkdir(os.path.join(root, ".beads"))
    bd = program(tmp_path)
    done = subprocess.run(
        [interpreter(), str(JUDGE), bd, root],
        cwd=root,
        env={
            "PATH": os.path.dirname(sys.executable) + os.pathsep + os.defpath,
            "HOME": str(tmp_path),
            "BEADS_PATH": bd,
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
