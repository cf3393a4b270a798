"""What is tried to find out whether containment holds, and what the outcomes mean. Pure.

Does not own trying (``probe``, inside) or starting it (``doctor.contained``).
"""

from __future__ import annotations

import os.path

from operators_edge.locations import PROOF_DIR
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Literal

    from operators_edge.containment.policy import Policy

    Kind = Literal[
        "append",
        "create",
        "list",
        "tcp",
        "proxy",
        "unix",
        "serve",
        "git-add",
        "namespace",
        "kernel",
    ]


class Attempt(NamedTuple):
    """Something that a contained command tries; ``may`` says whether it has to work or to fail.

    ``about`` groups the attempts in what a person reads.
    """

    about: str
    kind: Kind
    target: str
    may: bool


def attempts(
    policy: Policy,
    *,
    home: str,
    settings: Iterable[str],
    product: str,
    port: int,
    socket: str,
    is_linux: bool,
) -> Iterator[Attempt]:
    """Everything that is tried. ``port`` and ``socket`` are listened to outside: reaching one shows."""
    project = policy.project
    yield Attempt("project", "create", project, may=True)
    yield Attempt("project", "serve", "", may=True)
    yield Attempt("caches", "create", policy.cache, may=True)
    yield Attempt("git add", "git-add", project, may=True)
    for path in settings:
        yield Attempt("settings", "append", path, may=False)
    yield Attempt("record", "create", os.path.join(project, PROOF_DIR), may=False)
    for folder in policy.hidden:
        # Not by writing: what stands in its place may be a folder that is gone with the command.
        yield Attempt("keys", "list", folder, may=False)
    yield Attempt("installation", "create", product, may=False)
    yield Attempt("installation", "append", os.path.join(product, "hook.py"), may=False)
    yield Attempt("home", "create", home, may=False)
    yield Attempt("outside", "create", os.path.dirname(project), may=False)
    yield Attempt("sockets", "unix", socket, may=False)
    yield Attempt("namespaces", "namespace", "", may=False)
    if is_linux:
        yield Attempt("kernel", "kernel", "/proc/sys/kernel/core_pattern", may=False)
        yield Attempt("network", "tcp", f"127.0.0.1:{port}", may=False)
    if not any(map(policy.can_reach, ("127.0.0.1", "localhost"))):
        yield Attempt("network", "proxy", f"127.0.0.1:{port}", may=False)


class Outcome(NamedTuple):
    """By group: what holds, what does not (with the target), and what could not be tried (with why)."""

    holds: tuple[str, ...]
    broken: tuple[str, ...]
    untried: tuple[str, ...]


_WORDS: Mapping[Kind, tuple[str, str]] = {
    "append": ("{} can be written", "{} cannot be written"),
    "create": ("{} can be written", "{} cannot be written"),
    "list": ("{} can be read", "{} cannot be read"),
    "tcp": ("{} on this machine can be reached", ""),
    "proxy": ("a host that is not listed can be reached", ""),
    "unix": ("other programs' sockets can be reached", ""),
    "namespace": ("a command can make a namespace of its own", ""),
    "kernel": ("as root, a command can change the kernel ({}): run the client as another user", ""),
    "serve": ("", "a server on the loopback cannot be reached"),
    "git-add": ("", "`git add -A` fails"),
}


def outcome(tried: Iterable[Attempt], results: Mapping[str, str]) -> Outcome:
    """What the probe's results mean. A result is "yes", "no", or why it could not be tried."""
    holds: dict[str, bool] = {}
    broken, untried = [], []
    for number, each in enumerate(tried):
        said = results.get(str(number), "no result")
        if said not in ("yes", "no"):
            untried.append(f"{each.about}: {said}")
            holds[each.about] = False
        elif (said == "yes") is each.may:
            holds.setdefault(each.about, True)
        else:
            can, cannot = _WORDS[each.kind]
            broken.append((can if said == "yes" else cannot).format(each.target))
            holds[each.about] = False
    return Outcome(
        tuple(each for each, is_so in holds.items() if is_so), tuple(broken), tuple(untried)
    )


# end of module
