"""The pinned clients, installed from npm into the repository's cache folder.

Does not run them: see drive.py.
"""

import platform
import sys
from pathlib import Path

from tests.e2e import npm
from tests.e2e.npm import Package

VERSION = "2.1.329"
CACHE = npm.CACHE / "client"
_CLAUDE = Package("@anthropic-ai/claude-code", VERSION, "bin/claude.exe", "install.cjs")

_MACHINE = {"aarch64": "arm64", "x86_64": "x64"}
_HERE = f"{sys.platform}-{_MACHINE.get(platform.machine(), platform.machine())}"
# The package of this machine: the one for all of them would bring two programs of 177 MB.
_OPENCODE = Package(f"opencode-{_HERE}", "1.18.33", "bin/opencode")


def ensure_client(cache: Path = CACHE) -> Path:
    """Return the path of Claude Code's native binary, installing it when it is not there."""
    return npm.ensured(_CLAUDE, cache)


def ensure_opencode() -> Path:
    return npm.ensured(_OPENCODE, npm.CACHE / "opencode")


def program(home: Path) -> Path:
    """Where Claude Code's native program lies in an installation, whether or not it is there."""
    return _CLAUDE.program_in(home)


if __name__ == "__main__":
    print(ensure_client())
