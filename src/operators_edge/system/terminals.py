"""Who is behind a terminal: the processes that hold its other end, and who started them.

Linux only: elsewhere nothing of it can be read without privileges, and every answer is "not known". Does not
own the conclusions (``cli.person``) or the identity of a process (``system.processes``).
"""

from __future__ import annotations

import os
import sys

from operators_edge.system import processes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.system.processes import Identity

IS_KNOWN = sys.platform.startswith("linux")
"""Whether this system shows who opened a terminal."""

PTY_MAJORS = range(136, 144)
"""Device numbers of pseudo-terminals (Documentation/admin-guide/devices.txt)."""

INITIAL_PROCESS_NAMESPACE = "pid:[4026531836]"

_SERVICE_MANAGERS = ("systemd", "init", "runit", "s6-svscan", "dumb-init", "tini")
"""Processes that orphans are given to; also the one of a user, which is no ancestor either."""

_LOGINS = (
    "sshd",
    "sshd-session",
    "sshd-auth",
    "login",
    "agetty",
    "getty",
    "dropbear",
    "in.telnetd",
)
_SYSTEM_FOLDERS = ("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/lib/openssh", "/usr/libexec")
_SCHEDULERS = ("cron", "crond", "atd", "anacron", "fcron")

_TERMINALS = frozenset(
    (
        *(
            "tmux",
            "screen",
            "zellij",
            "dtach",
            "abduco",
            "mosh-server",
            "kitty",
            "foot",
            "alacritty",
        ),
        *("xterm", "urxvt", "rxvt", "st", "konsole", "gnome-terminal-server", "xfce4-terminal"),
        *(
            "ptyxis-agent",
            "kgx",
            "terminator",
            "tilix",
            "ghostty",
            "wezterm-gui",
            "wezterm-mux-server",
        ),
        *("emacs", "code", "codium", "cursor", "windsurf", "zed-editor", "java", "ttyd", "yakuake"),
    )
)


def holders(fd: int) -> list[Identity]:
    """The visible processes that hold the other end of the pseudo-terminal at ``fd``.

    Empty for a console, and where another user or another process namespace holds it, as after a login.
    """
    if not IS_KNOWN:
        return []
    device = os.fstat(fd).st_rdev
    if os.major(device) not in PTY_MAJORS:
        return []
    number = (os.major(device) - PTY_MAJORS.start) * 256 + os.minor(device)
    found: list[Identity] = []
    for pid in _pids():
        if _holds(pid, number):
            found += filter(None, [processes.identity(pid)])
    return found


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _holds(pid: int, number: int) -> bool:
    """Whether the process has the master side of that pseudo-terminal open."""
    folder = f"/proc/{pid}/fd"
    try:
        names = os.listdir(folder)
    except OSError:
        return False  # another user's, or it has ended
    return any(_is_master(pid, name, number) for name in names)


def _is_master(pid: int, name: str, number: int) -> bool:
    try:
        if not os.readlink(f"/proc/{pid}/fd/{name}").endswith("/ptmx"):
            return False
        with open(f"/proc/{pid}/fdinfo/{name}", encoding="ascii") as file:
            return f"tty-index:\t{number}\n" in file.read()
    except OSError:
        return False


def chain(known: Identity) -> list[Identity]:
    """The process and its ancestors, nearest first, without those that only adopt orphans."""
    every = [known, *processes.parents(known.pid)]
    return [each for each in every if each.pid != 1 and not _only_adopts(each.pid)]


def _only_adopts(pid: int) -> bool:
    return name_of(pid) in _SERVICE_MANAGERS and parent_of(pid) in (0, 1)


def is_from_outside(top: Identity) -> bool:
    """Whether a login or another process namespace is behind the first process of a chain."""
    if parent_of(top.pid) == 0:
        return True  # a container's exec: its parent is not in this namespace
    try:
        if os.stat(f"/proc/{top.pid}").st_uid != os.getuid():
            return name_of(top.pid) not in _SCHEDULERS
        folder, name = os.path.split(os.readlink(f"/proc/{top.pid}/exe"))
    except OSError:
        return False
    return name in _LOGINS and folder in _SYSTEM_FOLDERS


def is_scheduled(links: list[Identity]) -> bool:
    """Whether a scheduler, or a service made for one command, is in the chain."""
    names = {name_of(each.pid) for each in links}
    if not names.isdisjoint(_SCHEDULERS):
        return True
    group = cgroup_of(links[-1].pid).rpartition("/")[2] if links else ""
    return group.startswith("run-") and group.endswith(".service")


def is_terminal_program(known: Identity) -> bool:
    """Whether the program is one that people have terminals in."""
    try:
        name = os.path.basename(os.readlink(f"/proc/{known.pid}/exe"))
    except OSError:
        return False
    return name.removesuffix(" (deleted)") in _TERMINALS


def name_of(pid: int) -> str:
    """The kernel's name of a process, at most 15 characters; "" if there is none."""
    return _text(f"/proc/{pid}/comm").rstrip("\n")


def parent_of(pid: int) -> int:
    fields = _text(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return int(fields[1]) if len(fields) > 1 else -1


def cgroup_of(pid: int) -> str:
    """The control group by which a service manager keeps what it started together; "" if there is none."""
    for line in _text(f"/proc/{pid}/cgroup").splitlines():
        number, _, path = line.split(":", 2)
        if (number == "0" or "name=systemd" in line) and path != "/":
            return path
    return ""


def process_namespace(pid: int | str = "self") -> str:
    """The process namespace, as the kernel names it; "" if it is not known."""
    try:
        return os.readlink(f"/proc/{pid}/ns/pid")
    except OSError:
        return ""


def can_see_itself() -> bool:
    """Whether ``/proc`` shows this process under its own number: not so in a new process namespace."""
    try:
        return not IS_KNOWN or os.readlink("/proc/self") == str(os.getpid())
    except OSError:
        return False


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


# end of module
