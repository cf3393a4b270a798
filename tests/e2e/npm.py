"""Programs and scripts that tests use, each pinned, installed from npm into the repository's cache folder."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

CACHE = Path(__file__).resolve().parents[2] / ".cache"
INSTALL_LIMIT = 600.0
RUN_LIMIT = 60.0


@dataclass(frozen=True)
class Package:
    """A package of npm: `program` is its native program, `script` what puts that in its place.

    One for a browser is no program: then the version is only read from its manifest.
    """

    name: str
    version: str
    program: str
    script: str = ""
    for_browser: bool = False

    def program_in(self, home: Path) -> Path:
        """Where the program lies in an installation, whether or not it is there."""
        return home / "node_modules" / self.name / self.program


class ClientUnavailableError(Exception):
    """The client could not be installed, or is not the pinned version."""


def ensured(package: Package, cache: Path) -> Path:
    """Return the path of the program, installing it when it is not there."""
    home = cache / package.version
    program = package.program_in(home)
    if not program.exists():
        _install(package, home)
    return _verified(package, program)


def _install(package: Package, home: Path) -> None:
    """Install beside the final place and rename: no half or parallel installation is ever seen."""
    home.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home.parent, prefix="installing-") as temporary:
        stage = Path(temporary) / package.version
        stage.mkdir()
        # A manifest of its own keeps npm from walking up to some other project.
        (stage / "package.json").write_text(json.dumps({"private": True}))
        # The exact version: on an older Node npm would else resolve to an older release. What it
        # says about engines is a warning: the binary is native and needs no Node.
        npm = ("npm", "install", "--ignore-scripts", "--include=optional", "--no-audit")
        _run(
            (*npm, "--no-fund", "--engine-strict=false", f"{package.name}@{package.version}"),
            cwd=stage,
        )
        if package.script:
            # By hand, because npm may be set not to run scripts: puts the binary over a placeholder.
            _run(("node", package.script), cwd=stage / "node_modules" / package.name)
        _verified(package, package.program_in(stage))
        try:
            stage.rename(home)
        except OSError:
            # Someone else was first, or a broken installation is in the way.
            if not package.program_in(home).exists():
                shutil.rmtree(home)
                stage.rename(home)


def _verified(package: Package, binary: Path) -> Path:
    if package.for_browser:
        manifest = json.loads((binary.parent / "package.json").read_text())
        if manifest["version"] != package.version or not binary.exists():
            raise ClientUnavailableError(f"{binary} is not {package.name} {package.version}")
        return binary
    with tempfile.TemporaryDirectory() as home:
        said = _run((str(binary), "--version"), env={"HOME": home, "PATH": os.environ["PATH"]})
    if said.split()[:1] != [package.version]:
        raise ClientUnavailableError(f"{binary} says {said.strip()!r}, expected {package.version}")
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
