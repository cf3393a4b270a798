"""A policy as an argument list of bubblewrap, for commands that no client's sandbox contains. Pure.

Everything is read-only but the policy's folders; temporary files, sockets and other processes are out of
reach. Bubblewrap has no list of hosts: a command has its own loopback and no other network.
"""

from __future__ import annotations

import os
from pathlib import PurePath

from operators_edge.containment.policy import is_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from operators_edge.containment.policy import Policy

_KERNEL = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "mtrr", "scsi")
"""Below ``/proc``: settings of the kernel, which a process of root can write in any namespace."""

_EMPTY = ("/tmp", "/var/tmp", "/run")  # noqa: S108 - nothing is written there
"""Where terminal multiplexers, displays and key agents keep their sockets."""

_BARE = (
    *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"),
    *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
    *(word for name in _KERNEL for word in ("--ro-bind-try", f"/proc/{name}", f"/proc/{name}")),
    *(word for folder in _EMPTY for word in ("--tmpfs", folder)),
    *("--setenv", "TMPDIR", _EMPTY[0]),
)


def arguments(
    policy: Policy,
    command: Sequence[str],
    *,
    folder: str,
    program: str = "bwrap",
    exists: Callable[[str], bool],
    sockets: Iterable[str] = (),
    has_network: bool = False,
) -> list[str]:
    """The argument list that runs a command in ``folder`` under the policy.

    A path that does not exist cannot be mounted, so what is not there yet is not protected. ``sockets`` of
    other programs are covered: a read-only folder does not keep anyone from connecting to one in it.
    ``has_network``: it has the machine's own, whole.
    """
    words = [program, *_BARE, *(["--share-net"] if has_network else [])]
    for each in filter(exists, _writable(policy)):
        words += ["--bind", each, each]
    for each in filter(exists, policy.read_only):
        words += ["--ro-bind", each, each]
    for each in sockets:
        if exists(each) and _is_reached(each, policy):
            words += ["--ro-bind", os.devnull, each]
    for each in filter(exists, policy.hidden):
        words += ["--tmpfs", each, "--remount-ro", each]
    for name, value in policy.all_variables.items():
        words += ["--setenv", name, value]
    return [*words, "--chdir", folder, "--", *command]


def _is_reached(path: str, policy: Policy) -> bool:
    """Whether another program's socket can be seen inside; our own lie in the cache and what is read-only."""
    if is_below(path, (policy.cache, *policy.read_only)):
        return False
    return is_below(path, (policy.project, *policy.writable)) or not is_below(path, _EMPTY)


def _writable(policy: Policy) -> Iterator[str]:
    """The folders that are written, and those in them above what is not: no mount can be renamed.

    Who renames the folder above a read-only one can put another in its place.
    """
    roots = (policy.project, *policy.writable, policy.cache)
    yield from roots
    above = {
        parent
        for each in (*policy.read_only, *policy.hidden)
        for parent in map(str, PurePath(each).parents)
        if parent not in roots and is_below(parent, roots)
    }
    yield from sorted(above)


# end of module
