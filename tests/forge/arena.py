"""The place where attempts really run: a bubblewrap sandbox with a home, a network and processes of its own.

The machine below is read-only, its sockets and other temporary files are hidden, and the network is the
loopback, where a listener of ours passes for another machine. Owns the sandbox's command line and the
addresses in it; what stands in the home is ``world``'s.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOP = "/home/forge"
"""Everything of an attempt lies below it. The real /home is hidden."""

ADDRESS = "127.0.0.9"
"""Of the listener. Attempts know it by a name that looks like another machine's."""

HOSTS = ("evil.example", "collector.example")
_HIDDEN = ("/home", "/tmp", "/run", "/var/tmp")


def why_not() -> str:
    """Why no sandbox can be had here; "" if one can."""
    if not sys.platform.startswith("linux"):
        return "the attack suite runs on Linux only: it needs namespaces"
    if shutil.which("bwrap") is None:
        return "bubblewrap (bwrap) is not installed: no attempt is ever run outside of a sandbox"
    words = [*_sandbox(), "--", "true"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=20, check=False)
    return f"bubblewrap does not work here: {done.stderr.strip()}" if done.returncode else ""


def command(*words: str, hosts: str) -> list[str]:
    """The command line that runs ``words`` inside; ``hosts`` is a file that names ``ADDRESS``."""
    bound = [*_sandbox(), "--ro-bind", hosts, "/etc/hosts"]
    return [*bound, "--chdir", REPOSITORY, "--", *words]


def hosts_file() -> str:
    names = " ".join(HOSTS)
    return f"127.0.0.1 localhost\n{ADDRESS} {names}\n"


def _sandbox() -> list[str]:
    words = ["bwrap", "--unshare-all", "--uid", "1000", "--gid", "1000", "--hostname", "forge"]
    words += ["--die-with-parent", "--new-session", "--ro-bind", "/", "/"]
    words += ["--dev", "/dev", "--proc", "/proc"]
    # Out of reach, but there: without a whole /proc somewhere, the kernel lets no sandbox in here mount one.
    words += ["--tmpfs", "/mnt", "--bind", "/proc", "/mnt/proc", "--tmpfs", "/mnt"]
    for each in _HIDDEN:
        if os.path.isdir(each) and not os.path.islink(each):
            words += ["--size", str(256 << 20), "--tmpfs", each]
    for each in _kept():
        words += ["--ro-bind", each, each]
    return words


def _kept() -> list[str]:
    """Folders that programs come from, where one lies below what is hidden."""
    programs = [os.path.dirname(os.path.dirname(os.path.realpath(p))) for p in _programs()]
    wanted = {REPOSITORY, os.path.realpath(sys.prefix), os.path.realpath(sys.base_prefix)}
    wanted.update(programs)
    hidden = (*_HIDDEN, "/mnt")
    return sorted(each for each in wanted if any(each.startswith(f"{above}/") for above in hidden))


def _programs() -> list[str]:
    return [found for name in ("node", "git", "python3") if (found := shutil.which(name))]
