"""What a contained command may write, see and reach. Pure: how it is enforced is elsewhere."""

from __future__ import annotations

import os.path

from operators_edge.locations import PROOF_DIR, STATE_FILE, is_within
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

RELAY_VARIABLE = "EDGE_RELAY"
"""The folder in which a contained ``edge`` leaves its requests; set for contained commands."""

_GUARDED = (".claude", ".mcp.json", ".envrc", ".vscode", ".idea", ".gitmodules")
"""Files of a project that run later, outside: what a client, an editor or a shell takes up by itself."""


class Policy(NamedTuple):
    """Absolute paths with links followed. All else outside ``project`` and ``writable`` can be read only.

    ``read_only`` and ``hidden`` count inside the writable folders too, and ``hidden`` also for reading.
    ``hosts`` are the only ones outside this machine that can be reached, ``*.example.org`` any below;
    ``added`` are those of them that a person named. ``variables`` are set for every command: caches that are
    written lie in ``cache``.
    """

    project: str
    writable: tuple[str, ...] = ()
    read_only: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    cache: str = ""
    variables: Mapping[str, str] = {}

    @property
    def relay(self) -> str:
        """The folder of the relay's requests."""
        return os.path.join(self.cache, "relay")

    @property
    def all_variables(self) -> dict[str, str]:
        return {**self.variables, RELAY_VARIABLE: self.relay}

    def can_write(self, path: str) -> bool:
        """Whether a contained command can write an absolute path with links followed."""
        is_inside = is_below(path, (self.project, *self.writable, self.cache))
        return is_inside and not is_below(path, (*self.read_only, *self.hidden))

    def can_read(self, path: str) -> bool:
        return not is_below(path, self.hidden)

    def can_reach(self, host: str) -> bool:
        """Whether a host outside this machine can be reached."""
        name = host.lower().rstrip(".")
        return any(
            name.endswith(each[1:]) if each.startswith("*.") else name == each
            for each in map(str.lower, self.hosts)
        )

    def as_data(self) -> dict[str, Any]:
        return {**self._asdict(), "variables": dict(self.variables)}


class Ecosystem(NamedTuple):
    """Where a kind of project gets its packages, and which variables name its caches' folders."""

    name: str
    files: tuple[str, ...]
    hosts: tuple[str, ...]
    caches: Mapping[str, str]


class Surroundings(NamedTuple):
    """What is known of the machine and the project, for ``policy_of``.

    ``git`` is the repository's own folder ("" without one), ``product`` the files and folders of the
    installation, ``own`` the person's folder of keys and registries, ``used`` what the project uses.
    """

    project: str
    git: str
    own: str
    product: tuple[str, ...]
    cache: str
    used: tuple[Ecosystem, ...] = ()
    remotes: tuple[str, ...] = ()
    is_state_tracked: bool = False


def policy_of(found: Surroundings, added: Iterable[str] = ()) -> Policy:
    """The policy of a project: it writes only inside, without the guard's own parts, and into its caches."""
    named = tuple(sorted(set(added)))
    hosts = {host for each in found.used for host in each.hosts} | {*found.remotes, *named}
    is_own_git = is_below(found.git, (found.project,))
    own = [PROOF_DIR, *_GUARDED]
    if not found.is_state_tracked:
        # Git replaces a tracked file at each checkout; grants in it count only as the registry has them.
        own.append(STATE_FILE)
    git = [os.path.join(found.git, name) for name in ("hooks", "config")] if found.git else []
    product = [each for each in found.product if is_below(each, (found.project,))]
    return Policy(
        project=found.project,
        writable=(found.git,) if found.git and not is_own_git else (),
        read_only=(*(os.path.join(found.project, each) for each in own), *git, *product),
        hidden=(found.own,),
        hosts=tuple(sorted(hosts)),
        added=named,
        cache=found.cache,
        variables={
            name: value.replace("{cache}", found.cache)
            for each in found.used
            for name, value in each.caches.items()
        },
    )


def of_data(data: Any) -> Policy:
    """The policy in a parsed JSON value. ValueError: it is none."""
    try:
        lists = {
            name: tuple(map(str, data[name]))
            for name in ("writable", "read_only", "hidden", "hosts", "added")
        }
        variables = {str(name): str(value) for name, value in data["variables"].items()}
        return Policy(str(data["project"]), cache=str(data["cache"]), variables=variables, **lists)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("it is not a containment policy") from error


def is_below(path: str, folders: Iterable[str]) -> bool:
    """Whether a path is one of the folders or below it."""
    return any(folder and is_within(path, folder) for folder in folders)


# end of module
