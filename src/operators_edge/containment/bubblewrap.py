"""A policy as an argument list of bubblewrap, for commands that no client's sandbox contains. Pure.

Everything is read-only but the policy's folders; temporary files, sockets and other processes are out of
reach. Bubblewrap has no list of hosts: a command has its own loopback and no other network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from operators_edge.containment.policy import Policy

_BARE = (
    *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"),
    *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
    # Where terminal multiplexers, displays and key agents keep their sockets.
    *("--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", "/run", "--setenv", "TMPDIR", "/tmp"),  # noqa: S108
)


def arguments(
    policy: Policy,
    command: Sequence[str],
    *,
    folder: str,
    program: str = "bwrap",
    exists: Callable[[str], bool],
    has_network: bool = False,
) -> list[str]:
    """The argument list that runs a command in ``folder`` under the policy.

    A path that does not exist cannot be mounted, so what is not there yet is not protected. ``has_network``:
    it has the machine's own, whole.
    """
    words = [program, *_BARE, *(["--share-net"] if has_network else [])]
    for each in filter(exists, (policy.project, *policy.writable, policy.cache)):
        words += ["--bind", each, each]
    for each in filter(exists, policy.read_only):
        words += ["--ro-bind", each, each]
    for each in filter(exists, policy.hidden):
        words += ["--tmpfs", each, "--remount-ro", each]
    for name, value in policy.all_variables.items():
        words += ["--setenv", name, value]
    return [*words, "--chdir", folder, "--", *command]


# end of module
