"""Our own programs as processes of their own, forked from one that has loaded them (``tests/forks.py``).

A child has its own number, this process for a parent, its own streams, folder, environment and alarm, and it
ends as the program would. What it does not do is what costs most of a start: finding and reading modules.
Tests about the start itself (the flags of the hook, what is imported, what is missing, a program that stays,
a signal) run the real file, and so does everything where a system cannot fork.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from operators_edge import hook
from operators_edge.system import launch
from tests.forks import Forked, can_fork

if TYPE_CHECKING:
    from collections.abc import Mapping

EDGE = [sys.executable, "-m", "operators_edge"]
HOOK = os.path.abspath(hook.__file__)
SOURCE = os.path.dirname(os.path.dirname(HOOK))
"""The folder that the package is in."""
COMMAND = launch.command(sys.executable, HOOK)


def start_hook(*, env: Mapping[str, str], **more: Any) -> subprocess.Popen[Any]:
    """The file that a client runs for its events, with the event still to come on its stdin."""
    if not can_fork():
        return subprocess.Popen(COMMAND, env=dict(env), **more)
    return Forked("hook", (), env=env, **more)


def start_edge(*words: str | bytes, **more: Any) -> subprocess.Popen[Any]:
    """``edge WORDS``."""
    if not can_fork():
        return subprocess.Popen([*EDGE, *words], **more)
    return Forked("edge", [os.fsdecode(word) for word in words], **{"env": None, **more})


def edge(
    cwd: str | os.PathLike[str] | None,
    *words: str | bytes,
    env: Mapping[str, str] | None = None,
    given: str | None = None,
) -> subprocess.CompletedProcess[str]:
    """``edge WORDS``, ended: its exit code and what it said; ``given`` is piped in."""
    stdin = subprocess.DEVNULL if given is None else subprocess.PIPE
    pipe = subprocess.PIPE
    process = start_edge(*words, cwd=cwd, env=env, stdin=stdin, stdout=pipe, stderr=pipe, text=True)
    return ended(process, given)


def ended(
    process: subprocess.Popen[str], given: str | None = None
) -> subprocess.CompletedProcess[str]:
    """The process when it has ended, with what it said."""
    with process:
        try:
            out, err = process.communicate(given, timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)
