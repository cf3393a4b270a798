"""Our own programs as processes of their own, forked from this interpreter instead of started.

A child has its own number, this process for a parent, its own streams, folder, environment and alarm, and it
ends as the program would. What it does not do is what costs most of a start: finding and reading modules.
Tests about the start itself (the flags of the hook, what is imported, what is missing, a program that stays,
a signal) run the real file, and so does everything where a system cannot fork.
"""

from __future__ import annotations

import functools
import gc
import importlib
import io
import os
import pkgutil
import subprocess
import sys
import traceback
from typing import TYPE_CHECKING, Any

import operators_edge
from operators_edge import __main__, hook
from operators_edge.gate import rules
from operators_edge.locations import STATE_FILE
from operators_edge.redaction import redact
from operators_edge.state import document
from operators_edge.system import launch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CAN_FORK = sys.platform.startswith("linux")
"""Elsewhere a fork without a new program is no safe thing to do."""

EDGE = [sys.executable, "-m", "operators_edge"]
HOOK = os.path.abspath(hook.__file__)
SOURCE = os.path.dirname(os.path.dirname(HOOK))
"""The folder that the package is in."""
COMMAND = launch.command(sys.executable, HOOK)
_STATE = "objective: token=x\nplan:\n- description: one\n"


class Forked(subprocess.Popen[Any]):
    """A process that runs ``act`` and ends with the exit code that it returns."""

    def __init__(
        self, act: Callable[[], int], *, env: Mapping[str, str] | None = None, **more: Any
    ) -> None:
        known = dict(os.environ if env is None else env)
        load_everything()

        def child() -> None:
            code = 70
            try:
                # The constructor waits until this end of its pipe is closed, as a new program would do.
                os.closerange(3, os.sysconf("SC_OPEN_MAX"))
                gc.freeze()  # what is there stays: to walk it would copy the parent's memory
                _become(known)
                code = _ended(act)
            finally:
                os._exit(code)

        super().__init__(["forked"], preexec_fn=child, restore_signals=False, **more)


@functools.cache
def load_everything() -> None:
    """Load what any child would load, and make what its first use makes: here once, not in each child."""
    for each in pkgutil.walk_packages(operators_edge.__path__, "operators_edge."):
        importlib.import_module(each.name)
    rules.load()
    rules.needs_parsing("")
    document.parse(_STATE, STATE_FILE)
    redact.redact(_STATE)


def _become(env: Mapping[str, str]) -> None:
    """Take over what a new interpreter takes from its start."""
    os.environ.clear()
    os.environ.update(env)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False))
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False))
    sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), errors="backslashreplace")


def _ended(act: Callable[[], int]) -> int:
    """The exit code of a program that acts like this."""
    try:
        code: object = act()
    except SystemExit as ended:
        code = ended.code
    except BaseException:  # noqa: BLE001 - as an interpreter ends
        traceback.print_exc()
        code = 1
    for each in (sys.stdout, sys.stderr):
        if not each.closed:
            each.flush()
    return code if isinstance(code, int) else int(code is not None)


def start_hook(*, env: Mapping[str, str], **more: Any) -> subprocess.Popen[Any]:
    """The file that a client runs for its events, with the event still to come on its stdin."""
    if not CAN_FORK:
        return subprocess.Popen(COMMAND, env=dict(env), **more)
    return Forked(lambda: hook.main("claude"), env=env, **more)


def start_edge(*words: str | bytes, **more: Any) -> subprocess.Popen[Any]:
    """``edge WORDS``."""
    if not CAN_FORK:
        return subprocess.Popen([*EDGE, *words], **more)

    def act() -> int:
        sys.argv[:] = ["edge", *map(os.fsdecode, words)]
        return __main__.main()

    return Forked(act, **more)


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
