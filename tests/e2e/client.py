"""The pinned Claude Code client, installed from npm into the repository's cache folder.

Does not run it: see drive.py.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

VERSION = "2.1.329"
PACKAGE = "@anthropic-ai/claude-code"
CACHE = Path(__file__).resolve().parents[2] / ".cache" / "client"
INSTALL_LIMIT = 600.0
RUN_LIMIT = 60.0


class ClientUnavailableError(Exception):
    """The client could not be installed, or is not the pinned version."""


def ensure_client(cache: Path = CACHE) -> Path:
    """Return the path of the client's native binary, installing it when it is not there."""
    home = cache / VERSION
    binary = program(home)
    if not binary.exists():
        _install(home)
    return _verified(binary)


def program(home: Path) -> Path:
    """Where the native program lies in an installation, whether or not it is there."""
    return home / "node_modules" / PACKAGE / "bin" / "claude.exe"


def _install(home: Path) -> None:
    """Install beside the final place and rename: no half or parallel installation is ever seen."""
    home.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home.parent, prefix="installing-") as temporary:
        stage = Path(temporary) / VERSION
        stage.mkdir()
        # A manifest of its own keeps npm from walking up to some other project.
        (stage / "package.json").write_text(json.dumps({"private": True}))
        # The exact version: on an older Node npm would else resolve to an older release. What it
        # says about engines is a warning: the binary is native and needs no Node.
        npm = ("npm", "install", "--ignore-scripts", "--include=optional", "--no-audit")
        _run((*npm, "--no-fund", "--engine-strict=false", f"{PACKAGE}@{VERSION}"), cwd=stage)
        # By hand, because npm may be set not to run scripts: puts the binary over a placeholder.
        _run(("node", "install.cjs"), cwd=stage / "node_modules" / PACKAGE)
        _verified(program(stage))
        try:
            stage.rename(home)
        except OSError:
            # Someone else was first, or a broken installation is in the way.
            if not program(home).exists():
                shutil.rmtree(home)
                stage.rename(home)


def _verified(binary: Path) -> Path:
    with tempfile.TemporaryDirectory() as home:
        said = _run((str(binary), "--version"), env={"HOME": home, "PATH": os.environ["PATH"]})
    if said.split()[:1] != [VERSION]:
        raise ClientUnavailableError(f"{binary} says {said.strip()!r}, expected {VERSION}")
    return binary


def _run(
    command: Sequence[str], *, cwd: Path | None = None, env: dict[str, str] | None = None
) -> str:
    limit = INSTALL_LIMIT if env is None else RUN_LIMIT
    try:
        done = subprocess.run(
            command, cwd=cwd, env=env, capture_output=True, text=True, timeout=limit, check=True
        )
    except subprocess.CalledProcessError as error:
        said = (error.stderr or error.stdout)[-2000:]
        raise ClientUnavailableError(f"{command[0]} exited {error.returncode}: {said}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ClientUnavailableError(f"{command[0]}: {error}") from error
    return done.stdout


if __name__ == "__main__":
    print(ensure_client())
