"""What machine this is: a container or not, its system, and a name that no other machine has.

Owns the files that say so. Reads only; nothing is remembered.
"""

from __future__ import annotations

import os
import re

from operators_edge.tuples import NamedTuple


class Machine(NamedTuple):
    """``name`` identifies it; ``text`` is for a person: "a Docker container, Debian GNU/Linux 12"."""

    name: str
    text: str


def describe(root: str = "/") -> Machine:
    """The machine whose files are below ``root``."""
    kind = _container(root)
    release = re.search(r'^PRETTY_NAME="?([^"\n]+)', _text(root, "etc/os-release"), re.MULTILINE)
    name = _text(root, "etc/hostname").strip() or _text(root, "proc/sys/kernel/hostname").strip()
    system = f", {release[1]}" if release else ""
    where = f"{kind} container" if kind else "this machine, no container"
    return Machine(f"{kind}:{name}:{_text(root, 'etc/machine-id').strip()}", f"{where}{system}")


def _container(root: str) -> str:
    if os.path.exists(os.path.join(root, ".dockerenv")):
        return "a Docker"
    if os.path.exists(os.path.join(root, "run/.containerenv")):
        return "a Podman"
    found = re.search(r"docker|kubepods|lxc|libpod", _text(root, "proc/1/cgroup"))
    kinds = {
        "docker": "a Docker",
        "kubepods": "a Kubernetes",
        "lxc": "an LXC",
        "libpod": "a Podman",
    }
    return kinds[found[0]] if found else ""


def _text(root: str, name: str) -> str:
    """A small file's text; "" if it is not there or cannot be read: then nothing is known of it."""
    try:
        with open(os.path.join(root, name), encoding="utf-8", errors="replace") as file:
            return file.read(8192)
    except OSError:
        return ""


# end of module
