"""Long output a screen at a time: the person's pager, where a terminal shows the output.

Owns when a pager is used, and which one.
"""

from __future__ import annotations

import os
import sys

from operators_edge.cli import layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

_DEFAULT = "less"


def paged(text: str, out: TextIO, env: Mapping[str, str]) -> bool:
    """Show the text in a pager; False if it fits the screen, or there is no pager or no terminal."""
    if not (out.isatty() and sys.stdin.isatty()) or env.get("TERM", "dumb") == "dumb":
        return False
    if text.count("\n") + 1 < layout.size().lines:
        return False
    words = _command(env)
    if not words:
        return False
    import subprocess  # noqa: PLC0415 - most answers are short

    try:
        pager = subprocess.Popen(
            words, stdin=subprocess.PIPE, env={"LESS": "FRX", "LV": "-c", **env}
        )
    except OSError:
        return False
    try:
        pager.communicate((text + "\n").encode(errors="replace"))
    except KeyboardInterrupt:  # the pager ends by itself
        pager.wait()
    return pager.returncode in (0, 1, 130)


def _command(env: Mapping[str, str]) -> list[str]:
    """EDGE_PAGER, else PAGER, else less; empty or "cat" switches it off."""
    import shlex  # noqa: PLC0415 - most answers are short
    import shutil  # noqa: PLC0415 - as above

    chosen = env.get("EDGE_PAGER", env.get("PAGER", _DEFAULT))
    try:
        words = shlex.split(chosen)
    except ValueError:
        return []
    is_there = bool(words) and words != ["cat"] and shutil.which(words[0])
    return words if is_there and os.name == "posix" else []


# end of module
