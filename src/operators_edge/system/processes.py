"""The identity of a process: its number and its start time, so that a reused number is another process.

Owns identity, ancestry, environment, and whether this process was started by a client as its hook. Does not
own the conclusions (``hosts.claude.identity``, ``cli.person``).

Read from ``/proc`` on Linux, from ``ps`` on macOS, from a process snapshot on Windows. If the system does not
show something, the answer is None, never a guess.
"""

from __future__ import annotations

import os
import struct
import sys

import operators_edge
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

MAX_PARENTS = 64
"""A bound for the walk to the ancestors; deeper chains do not occur."""

MAX_BETWEEN = 2
"""Processes between a hook and its client: the shell and ``timeout`` of the fail-closed wrapper."""


class Identity(NamedTuple):
    """``started`` distinguishes two processes with the same number; equal texts mean the same start."""

    pid: int
    started: str


class _Row(NamedTuple):
    parent: int
    started: str


def recorded(binding: Mapping[str, Any]) -> Identity | None:
    """The client that the binding of a session names; None if it names none."""
    pid = binding.get("pid")
    return Identity(pid, str(binding.get("started"))) if isinstance(pid, int) else None


def identity(pid: int) -> Identity | None:
    """The running process with this number; None if there is none or it cannot be inspected."""
    row = _process_table()(pid)
    return Identity(pid, row.started) if row else None


def own_program() -> tuple[str, str]:
    """The interpreter of this installation, and the file that a client runs with it for its events."""
    package = os.path.dirname(os.path.abspath(operators_edge.__file__))
    return os.path.abspath(sys.executable), os.path.join(package, "hook.py")


def is_alive(known: Identity) -> bool:
    """True while exactly this process runs; a zombie does not run."""
    return identity(known.pid) == known


def is_younger(one: Identity, other: Identity) -> bool | None:
    """Whether ``one`` started after ``other``; None if their start times cannot be compared (Linux only)."""
    boot, _, ticks = one.started.partition(":")
    other_boot, _, other_ticks = other.started.partition(":")
    if boot != other_boot or not (ticks.isdigit() and other_ticks.isdigit()):
        return None
    return int(ticks) > int(other_ticks)


def parents(pid: int, *, limit: int = MAX_PARENTS) -> list[Identity]:
    """The ancestors of ``pid``, nearest first, without itself; empty if it does not exist."""
    row_of = _process_table()
    row = row_of(pid)
    chain: list[Identity] = []
    while row is not None and row.parent > 0 and len(chain) < limit:
        number = row.parent
        row = row_of(number)
        if row is None or any(each.pid == number for each in chain):
            break
        chain.append(Identity(number, row.started))
    return chain


def started_as_hook_of(client: Identity) -> bool | None:
    """Whether ``client`` itself started this process and writes its input; None if that is unknown here.

    Ancestry proves nothing: a command of the agent's shell that uses ``exec`` has the client as its parent,
    too. The input proves it. The client gives a hook one end of an unnamed socket pair that it created
    itself, and the kernel stores its creator's number. A pair made by the agent has the number of the
    agent's process, a pipe or file has none, and a connection to a socket on which the client listens has a
    name (observed with client 2.1.329).
    """
    if identity(os.getpid()) is None:
        return None
    if client not in parents(os.getpid(), limit=MAX_BETWEEN + 1):
        return False
    if not sys.platform.startswith("linux"):
        return None
    return _creator_of_stdin() == client.pid


def began_with(known: Identity, name: str) -> str | None:
    """A variable's value when this process started, "" if it was not set; None if unknown."""
    variables = environment_of(known)
    return None if variables is None else variables.get(name, "")


def environment_of(known: Identity) -> dict[str, str] | None:
    """The environment with which this process started; None if unknown.

    What it added to its own environment since then, for example from a settings file, is not included.
    """
    if not is_alive(known):
        return None
    if sys.platform.startswith("linux"):
        text = _began_on_linux(known.pid)
    elif sys.platform == "darwin":
        text = _began_on_macos(known.pid)
    else:
        text = None
    # Checked again: the number may belong to another process by now.
    if text is None or not is_alive(known):
        return None
    variables: dict[str, str] = {}
    for each in text:
        name, found, value = os.fsdecode(each).partition("=")
        if found:
            variables.setdefault(name, value)  # the first one counts
    return variables


def _began_on_linux(pid: int) -> list[bytes] | None:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return file.read().split(b"\0")
    except OSError:
        return None


def _began_on_macos(pid: int) -> list[bytes] | None:
    """The kernel's copy of arguments and environment; None if we may not read it."""
    import ctypes  # noqa: PLC0415 - macOS only, and only where the variable is set

    kern, procargs2 = 1, 49
    mib = (ctypes.c_int * 3)(kern, procargs2, pid)
    size = ctypes.c_size_t(1 << 20)
    buffer = ctypes.create_string_buffer(size.value)
    libc = ctypes.CDLL(None)
    if libc.sysctl(mib, 3, buffer, ctypes.byref(size), None, 0) != 0:
        return None
    return environment_of_procargs(buffer.raw[: size.value])


def environment_of_procargs(data: bytes) -> list[bytes] | None:
    """The environment in ``KERN_PROCARGS2`` data: a count, the program, that many arguments, then it."""
    if len(data) < 4:
        return None
    (count,) = struct.unpack_from("=i", data)
    path, _, rest = data[4:].partition(b"\0")
    words = rest.lstrip(b"\0").split(b"\0")
    if not path or not 0 < count <= len(words):
        return None
    return words[count:]


def _creator_of_stdin() -> int | None:
    """The process that created the unnamed socket pair on fd 0; None if fd 0 is anything else."""
    import _socket  # noqa: PLC0415 - `socket` costs more than the interpreter; needed for prompts only

    try:
        end = _socket.socket(fileno=os.dup(0))
    except OSError:
        return None
    try:
        if end.family != _socket.AF_UNIX or end.type != _socket.SOCK_STREAM:
            return None
        if end.getsockname() or end.getpeername():
            return None
        credentials = end.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, struct.calcsize("3i"))
        return int(struct.unpack("3i", credentials)[0])
    except OSError:
        return None
    finally:
        end.close()


# -- process tables of each system -----------------------------------------------------------------


def _process_table() -> Callable[[int], _Row | None]:
    """A function from a process number to its row."""
    if sys.platform.startswith("linux"):
        return _from_proc
    if sys.platform == "win32":
        return _from_snapshot()
    return _from_ps()


def _from_proc(pid: int) -> _Row | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return None
    # The name is in parentheses and can contain some, and spaces: fields are counted from its end.
    fields = text.rpartition(")")[2].split()
    if fields[0] in ("Z", "X"):
        return None
    return _Row(int(fields[1]), f"{_boot()}:{fields[19]}")


def _boot() -> str:
    """Start times count from boot; the boot id distinguishes those of two boots."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read(8)
    except OSError:
        return ""


def _from_ps() -> Callable[[int], _Row | None]:
    import subprocess  # noqa: PLC0415 - macOS only, and not on every call

    done = subprocess.run(
        ["/bin/ps", "-axo", "pid=,ppid=,stat=,lstart="],
        env={
            "LC_ALL": "C",
            "TZ": "UTC",
        },  # one format of the start time, whatever the user's settings
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=5,
    )
    return ps_rows(done.stdout).get


def ps_rows(text: str) -> dict[int, _Row]:
    """Parse ``ps -o pid=,ppid=,stat=,lstart=``; ``lstart`` has five fields."""
    rows = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) == 8 and not words[2].startswith("Z"):
            rows[int(words[0])] = _Row(int(words[1]), " ".join(words[3:8]))
    return rows


def _from_snapshot() -> Callable[[int], _Row | None]:
    """Windows: parents from one snapshot, start times from each process.

    A parent's number may belong to a newer process; one that started after its child is not its parent, and
    the chain ends there.
    """
    from operators_edge.system import windows  # noqa: PLC0415 - Windows only

    parent_of = windows.parents()
    newest: list[int] = []

    def row_of(pid: int) -> _Row | None:
        if pid not in parent_of:
            return None
        started = windows.start_of(pid)
        if started is None or (newest and started > newest[-1]):
            return None
        newest.append(started)
        return _Row(parent_of[pid], str(started))

    return row_of


# end of module
