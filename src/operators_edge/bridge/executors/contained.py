"""Keeping an executor inside: it writes in the working tree and its own folder, and reaches the listed hosts.

By the same means as a contained session (``containment``). An executor gets less than a session: nothing of
git, and no caches.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import tomllib
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from operators_edge.bridge.executors.port import Problem
from operators_edge.containment import bubblewrap, network, service
from operators_edge.locations import HANDOFF_DIR
from operators_edge.system import sockets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from operators_edge.containment.policy import Policy

_SHORT_LIVED = ("/tmp/", "/var/tmp/", "/run/", "/dev/")  # noqa: S108 - what is hidden inside


INTERPRETER = os.path.realpath(sys.executable)
"""Of scripts inside: an environment's own link may not be there."""


class Needs(NamedTuple):
    """What a program needs besides the working tree and ``home``, its own folder.

    ``hosts`` is empty if they are not known. ``services`` answer, by name, what it sends to the door.
    """

    home: str
    hosts: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    read_only: tuple[str, ...] = ()
    services: Mapping[str, Callable[[bytes], bytes]] = {}
    inward: tuple[str, int] | None = None
    """A Unix socket by which its own server is reached, and that server's port."""


class Box(NamedTuple):
    """How a program is run: ``wrapped`` makes its words those that keep it inside.

    ``how`` says it for the result. ``door`` is None where it has the machine's own network.
    """

    wrapped: Callable[[Sequence[str]], list[str]]
    how: str
    door: network.Door | None = None


class Containment:
    """As the settings want it: "off", "auto" (where it is possible) or "require"."""

    def __init__(self, wanted: str, root: str, env: Mapping[str, str]) -> None:
        self._wanted = wanted
        self._root = os.path.realpath(root)
        self._env = env

    @property
    def is_required(self) -> bool:
        return self._wanted == "require"

    @functools.cached_property
    def why_not(self) -> str:
        """Why an executor is not contained here; "" if it is."""
        if self._wanted == "off":
            return "contain is off"
        if not sys.platform.startswith("linux"):
            return "only Linux can limit its network"
        return service.why_not()

    def problem(self, hosts: Iterable[str] | None = None) -> Problem | None:
        """Why it cannot run as it must. ``hosts`` None: it needs none."""
        if not self.is_required:
            return None
        if self.why_not:
            return Problem("not_contained", f"contain is require, and {self.why_not}")
        if hosts is not None and not any(hosts):
            why = "contain is require, and its hosts are not known: list them as its `hosts`"
            return Problem("not_contained", why)
        return None

    @contextlib.contextmanager
    def opened(self, needs: Needs) -> Iterator[Box]:
        """Everything that a program needs while it runs."""
        if self.why_not:
            yield Box(list, f"no: {self.why_not}")
            return
        policy = self._policy(needs)
        if not needs.hosts:
            how = "yes, but for its network: its `hosts` are not listed"
            yield Box(lambda words: self._words(policy, words, has_network=True), how)
            return
        with network.Door(needs.hosts, env=self._env, services=needs.services) as door:
            inside = policy._replace(read_only=(*policy.read_only, door.folder))
            yield Box(
                lambda words: self._words(
                    inside, network.inner(door, words, interpreter=INTERPRETER, inward=needs.inward)
                ),
                "yes",
                door,
            )

    def _policy(self, needs: Needs) -> Policy:
        base = service.policy(self._root, self._env)
        own = [os.path.join(self._root, name) for name in (".git", HANDOFF_DIR)]
        return base._replace(
            writable=needs.writable,
            # The repository's own folder, of a linked worktree that of its main one, as a whole.
            read_only=(*base.read_only, *own, *base.writable, *needs.read_only),
            hosts=needs.hosts,
            cache=needs.home,
            variables={},
        )

    def _words(
        self, policy: Policy, words: Sequence[str], *, has_network: bool = False
    ) -> list[str]:
        own = (policy.project, policy.cache, *policy.writable)
        return bubblewrap.arguments(
            policy._replace(read_only=(*policy.read_only, *_hidden_installations(words, own))),
            words,
            folder=self._root,
            exists=os.path.exists,
            sockets=sockets.named(),
            has_network=has_network,
        )


def hosts_of(provider: str, addresses: Iterable[str] = ()) -> tuple[str, ...]:
    """The hosts of a model's provider, and of addresses that the settings name; () if none is known."""
    text = resources.files(__package__).joinpath("hosts.toml").read_text("utf-8")
    named = [_host(each) for each in addresses]
    return (*tomllib.loads(text).get(provider, ()), *filter(None, named))


def _host(address: str) -> str:
    """``HOST`` or ``HOST:PORT`` of an address."""
    parts = urlsplit(address)
    if not parts.hostname:
        return ""
    return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname


def _hidden_installations(words: Sequence[str], own: Sequence[str]) -> list[str]:
    """The folders of programs that lie where a contained command sees nothing but its own."""
    found = []
    for each in words:
        if not os.path.isabs(each) or not os.access(each, os.X_OK) or os.path.isdir(each):
            continue
        paths = {each, os.path.realpath(each)}
        found += [_installation(path, own) for path in paths if path.startswith(_SHORT_LIVED)]
    return found


def _installation(path: str, own: Sequence[str]) -> str:
    """The folder that a program is installed in: above ``bin`` or ``node_modules``, without ``own``."""
    folder = os.path.dirname(path)
    head, modules, _ = path.partition(f"{os.sep}node_modules{os.sep}")
    above = head if modules else os.path.dirname(folder)
    is_known = bool(modules) or os.path.basename(folder) == "bin"
    is_apart = not any(each.startswith(f"{above}{os.sep}") for each in own)
    return above if is_known and is_apart else folder


# end of module
