"""An agent that fills the disk, and one that fills the log's: on small disks of their own.

When there is room again the next watcher ends everything: a result for each attempt, and nothing lost.
"""

from __future__ import annotations

import os
import subprocess

from tests.chaos.killing import Report, finish
from tests.chaos.stage import Stage

SMALL, LARGE = "24m", "256m"
FILLER = "filler.bin"
_FILLS = (
    "import os; open(IDENT + '-2.txt', 'w').write(IDENT + chr(10)); "
    f"file = open({FILLER!r}, 'wb', 0); piece = bytes(1 << 16)\n"
    "try:\n    while True: file.write(piece)\nexcept OSError: os._exit(0)"
)
_PRINTS = (
    "open(IDENT + '-2.txt', 'w').write(IDENT + chr(10))\nfor _ in range(5000): print('x' * 9999)"
)


def run(base: str) -> Report:
    """Needs to be allowed to mount, as in a namespace of its own."""
    wrong = []
    for name, size, state, line in (
        ("fills the disk", SMALL, LARGE, _FILLS),
        ("fills the disk of the results, too", SMALL, "", _FILLS),
        ("fills the log", LARGE, SMALL, _PRINTS),
    ):
        folder = os.path.join(base, "full")
        _mount(folder, size)
        if state:
            _mount(os.path.join(folder, "state"), state)
        try:
            wrong += [f"{name}: {each}" for each in _run(folder, line)]
        finally:
            subprocess.run(["umount", "-l", folder], check=True)
    return Report("full disks", 3, 6, wrong)


def _mount(folder: str, size: str) -> None:
    os.makedirs(folder, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], check=True)


def _run(folder: str, line: str) -> list[str]:
    stage = Stage(folder)
    stage.submit("t-1", f"exec({line!r})", passes=True, timeout_sec=60, retry_policy={})
    stage.submit("t-2", passes=True)
    stage.begin()
    finish(stage)
    filler = os.path.join(stage.root, FILLER)
    if os.path.exists(filler):  # a person makes room
        os.unlink(filler)
        finish(stage)
    if stage.reason("t-1") != "success":
        stage.passes.discard("t-1")
    return list(stage.wrong())
