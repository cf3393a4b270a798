"""``make package``: builds what a release publishes, checks it, and uses it as installers install it.

With ``--dist FOLDER`` the files in that folder are checked, and nothing is built. Writes the SBOM and the
Homebrew formula beside them. Nothing outside a temporary folder and the folder of the files is touched.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from operators_edge import __version__
from tests.release import homebrew

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / ".venv-package" / "bin"


def main() -> int:
    parser = argparse.ArgumentParser(description="Check what a release publishes.")
    parser.add_argument("--dist", type=Path, help="files that were built already")
    folder: Path | None = parser.parse_args().dist
    if folder is None:
        folder = ROOT / "build" / "dist"
        shutil.rmtree(folder, ignore_errors=True)
        _run(sys.executable, "-m", "hatchling", "build", "-d", str(folder))
    wheel = folder / f"operators_edge-{__version__}-py3-none-any.whl"
    sdist = folder / f"operators_edge-{__version__}.tar.gz"
    _run(TOOLS / "twine", "check", "--strict", str(wheel), str(sdist))
    _is_complete(wheel, sdist)
    with tempfile.TemporaryDirectory(prefix="edge-release-") as top:
        for name, install in (("uv tool install", _by_uv), ("pipx install", _by_pipx)):
            for file in (wheel, sdist):
                place = Path(top) / f"{name.split()[0]}-{file.suffix[1:]}"
                _use(install(file, place), place)
                print(f"ok  {name} {file.name}: init, explain, doctor, uninstall (dry)")
        _bill_of_materials(wheel, Path(top), folder / "operators-edge.cdx.json")
        formula = folder / "operators-edge.rb"
        formula.write_text(homebrew.formula(sdist, homebrew.resources(Path(top))), encoding="utf-8")
    if ruby := shutil.which("ruby"):
        _run(ruby, "-c", str(formula))
    for path in sorted(folder.iterdir()):
        print(f"{path.name:<46} {path.stat().st_size / 1024:7.0f} KB")
    return 0


def _run(*words: str | Path, env: dict[str, str] | None = None, cwd: Path | None = None) -> str:
    done = subprocess.run(
        words,
        env=env,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def _is_complete(wheel: Path, sdist: Path) -> None:
    """The wheel has every file of the package, and the archive of sources has them too."""
    package = ROOT / "src" / "operators_edge"
    source = {
        path.relative_to(package.parent).as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    }
    with zipfile.ZipFile(wheel) as archive:
        missing = source - set(archive.namelist())
    with tarfile.open(sdist) as archive:
        names = {each.partition("/")[2] for each in archive.getnames()}
    missing |= {each for each in source if f"src/{each}" not in names}
    if missing:
        sys.exit(f"not in what was built: {', '.join(sorted(missing))}")


def _environment(place: Path, **more: str) -> dict[str, str]:
    (place / "home").mkdir(parents=True)
    kept = {key: value for key, value in os.environ.items() if not key.startswith("XDG_")}
    path = os.pathsep.join([str(place / "bin"), kept.get("PATH", "")])
    return kept | {"HOME": str(place / "home"), "PATH": path, **more}


def _by_uv(file: Path, place: Path) -> dict[str, str]:
    env = _environment(place, UV_TOOL_DIR=str(place / "tools"), UV_TOOL_BIN_DIR=str(place / "bin"))
    _run(TOOLS / "uv", "tool", "install", "--quiet", "--python", sys.executable, str(file), env=env)
    return env


def _by_pipx(file: Path, place: Path) -> dict[str, str]:
    env = _environment(place, PIPX_HOME=str(place / "tools"), PIPX_BIN_DIR=str(place / "bin"))
    _run(TOOLS / "pipx", "install", "--quiet", "--python", sys.executable, str(file), env=env)
    return env


def _use(env: dict[str, str], place: Path) -> None:
    """The first minute of a person with a fresh installation."""
    project = place / "shop"
    edge = place / "bin" / "edge"
    _run("git", "init", "-q", str(project), env=env)
    if _run(edge, "--version", env=env) != f"edge {__version__}\n":
        sys.exit(f"{edge} is not version {__version__}")
    _run(edge, "init", env=env, cwd=project)
    if "block" not in _run(edge, "explain", "rm -rf ~", env=env, cwd=project):
        sys.exit("edge explain 'rm -rf ~' is not blocked")
    _run(edge, "doctor", env=env, cwd=project)
    _run(edge, "uninstall", "--dry-run", env=env, cwd=project)


def _bill_of_materials(wheel: Path, top: Path, to: Path) -> None:
    """What is installed with the wheel, as CycloneDX."""
    venv = top / "bill"
    python = venv / "bin" / "python"
    _run(TOOLS / "uv", "venv", "--quiet", "--python", sys.executable, str(venv))
    _run(TOOLS / "uv", "pip", "install", "--quiet", "--python", str(python), str(wheel))
    _run(
        *(TOOLS / "cyclonedx-py", "environment", "--pyproject", str(ROOT / "pyproject.toml")),
        *("--output-reproducible", "--output-file", str(to), str(python)),
    )


if __name__ == "__main__":
    sys.exit(main())
