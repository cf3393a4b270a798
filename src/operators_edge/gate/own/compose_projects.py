"""A compose project under a name of its own: whether it shares anything, and what its services are.

``docker compose -p shop-$$ up -d`` makes containers and volumes that nothing else has, unless a file says
where they come from. So only keys that are listed may be there. Owns that judgement. Does not own whether a
line has started the project (``gate.own.made_here``), nor what its services run
(``gate.disk.compose_services``). Pure but for ``Facts``. Loaded for the few lines that start such a project.
"""

from __future__ import annotations

import os.path
import re
from fnmatch import fnmatchcase
from typing import Any

from operators_edge.gate.own import container_runs
from operators_edge.gate.own.throwaway_names import is_throwaway
from operators_edge.text import yaml_values
from operators_edge.text.patterns import compiled, found_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext

_SHARES = (
    r"(?m)(?:^[ \t]+|[{,][ \t]*)['\"]?(?:name|extends|external)['\"]?[ \t]*:"
    r"|(?:^|[{,][ \t]*)['\"]?include['\"]?[ \t]*:|\bdriver_opts\b"
    r"|^\ufeff|^[ \t]*(?:-[ \t]+)*[?!&](?=[ \t]|\w|[!?&]|$)|[{,][ \t]*[?!&]|\\[xuU][0-9a-fA-F]|^[ \t]*\{|^\*"
)
"""What in a compose file may give a volume a name that other projects use, too: keys in other spellings."""
_OWN_NAME = r"(?m)^[\"']?name[\"']?[ \t]*:\s*[\"']?([^\s\"']+)"
_MAX_COMPOSE = 131_072
_MAX_ABOVE = 12
"""Folders above the one that a command runs in, where compose looks for its file, too."""
_LEADS_ON = r"(?m)^[ \t]*(?:export[ \t]+)?(?:COMPOSE_(?!PROJECT_NAME|PROFILES)|DOCKER_)"
_NAMES_PROJECT = r"(?m)^[ \t]*(?:export[ \t]+)?COMPOSE_PROJECT_NAME"
"""What in a file of variables may name other files or another machine, or another project."""
_FILES = "*compose*.y*ml"
_KEYS = frozenset(
    (
        *("image", "environment", "volumes", "tmpfs", "ports", "expose", "healthcheck", "command"),
        *("restart", "shm_size", "mem_limit", "cpus", "init", "platform", "pull_policy", "logging"),
        *("labels", "networks", "depends_on", "profiles", "ulimits", "stop_grace_period"),
    )
)
"""Keys of a service that let nothing of the machine into it, if the values of some are right."""


def is_apart(
    name: str,
    inv: Invocation,
    context: CallContext,
    written: Mapping[str, str | None],
    files: Sequence[str] = (),
) -> bool:
    """Whether a project has another name than the one it would get, and no volume that others use.

    ``written`` are the files that the line writes, with their texts; ``files`` those that a variable names.
    """
    folder = inv.working_folder(context)
    if folder is None:
        return False
    named = _named(inv, context, folder, files)
    found = _found(folder, context)
    places = [folder, *(os.path.dirname(path) for path in (*named, *found) if path)]
    usual = {re.sub(r"[^a-z0-9_-]", "", os.path.basename(place).lower()) for place in places}
    if name in usual or None in named:
        return False
    apart = [one for one in named if one and is_throwaway(name) and not _is_usual(one)]
    return all(
        _shares_nothing(path, "" if path in apart else name, context, written)
        for path in {*found, *(one for one in named if one)}
    )


def _found(folder: str, context: CallContext) -> list[str]:
    """The compose files of a folder, or else of the first folder above it that has some."""
    for _ in range(_MAX_ABOVE):
        around = context.facts.names(folder) or ()
        found = [f"{folder}/{one}" for one in around if fnmatchcase(one, _FILES)]
        if found or folder == os.path.dirname(folder):
            return found
        folder = os.path.dirname(folder)
    return []


def name_in_files(inv: Invocation, context: CallContext, files: Sequence[str]) -> str:
    """The name that the files of a project give it; "" if one of them is not known, or is the usual one."""
    folder = inv.working_folder(context)
    if folder is None or inv.values(("-p", "--project-name", "--env-file")):
        return ""
    given = context.facts.text(f"{folder}/.env", _MAX_COMPOSE) or ""
    if is_led_by_settings(inv, context) or found_in(_NAMES_PROJECT, given):
        return ""
    names: set[str] = set()
    for path in _named(inv, context, folder, files):
        is_settled = path is not None and not _is_usual(path) and not context.is_changed(path)
        text = context.facts.text(path, _MAX_COMPOSE) if path and is_settled else None
        if text is None:
            return ""
        names |= set(compiled(_OWN_NAME).findall(text))
    found = names.pop() if len(names) == 1 else ""
    return found if re.fullmatch(r"[a-z0-9][a-z0-9_-]*", found) else ""


def is_led_by_settings(inv: Invocation, context: CallContext) -> bool:
    """Whether the variables beside a project may name another project, or another machine."""
    folder = inv.working_folder(context)
    named = [word.text for word in inv.values(("--env-file",))]
    paths = [context.resolve(one, folder) for one in (*named, ".env")]
    texts = [None if one is None else context.facts.text(one, _MAX_COMPOSE) or "" for one in paths]
    is_settled = not any(one is None or context.is_changed(one) for one in paths)
    return not is_settled or any(one is None or found_in(_LEADS_ON, one) for one in texts)


def _is_usual(path: str) -> bool:
    """Whether it is the file of the project that everybody has here, whatever its name is."""
    return (
        re.fullmatch(r"(?:docker-)?compose(?:\.override)?\.ya?ml", os.path.basename(path))
        is not None
    )


def ports(one: Mapping[str, Any]) -> frozenset[str]:
    """The ports of this machine that lead to a service."""
    given = one.get("ports") or []
    found = [compiled(container_runs.PUBLISHED).fullmatch(str(each)) for each in given]
    return frozenset(each[1] for each in found if each)


def _named(
    inv: Invocation, context: CallContext, folder: str, files: Sequence[str]
) -> list[str | None]:
    """The files that options name, or else a variable."""
    given = [word.text for word in inv.values(("-f", "--file"))] or [one for one in files if one]
    return [context.resolve(one, folder) for one in given]


def _shares_nothing(
    path: str, project: str, context: CallContext, written: Mapping[str, str | None]
) -> bool:
    """Whether a compose file names no volume and not this project; one that is not there cannot be used."""
    if any(os.path.basename(one) == os.path.basename(path) for one in written):
        return False
    folder, name = os.path.split(path)
    if name not in (context.facts.names(folder) or ()):
        return True
    text = context.facts.text(path, _MAX_COMPOSE)
    if text is None or len(text) >= _MAX_COMPOSE:
        return False
    return not found_in(_SHARES, text) and project not in compiled(_OWN_NAME).findall(text)


def has_only_servers(inv: Invocation, context: CallContext, files: Sequence[str] = ()) -> bool:
    """Whether all services of a project are servers of databases, with nothing of the machine in them."""
    names = {name for services, _ in _read(inv, context, files) or () for name in services}
    return bool(names) and len(servers(inv, context, files)) == len(names)


def servers(
    inv: Invocation, context: CallContext, files: Sequence[str]
) -> list[container_runs.Run]:
    """The containers of a project's services that are servers of databases, without the machine in them."""
    names = {name for services, _ in _read(inv, context, files) or () for name in services}
    runs = (service(name, inv, context, files) for name in sorted(names))
    return [run for run in runs if run is not None and container_runs.is_server(run)]


def service(
    name: str, inv: Invocation, context: CallContext, files: Sequence[str] = ()
) -> container_runs.Run | None:
    """The container of a service of such a project; None if something of the machine may be in it."""
    found = _read(inv, context, files)
    images: set[str] = set()
    variables: list[str] = []
    published: frozenset[str] = frozenset()
    for services, volumes in found or ():
        one = services.get(name, {})
        if not isinstance(one, dict) or not _lets_nothing_in(one, volumes):
            return None
        images |= {str(one["image"])} if "image" in one else set()
        variables += _names_of(one.get("environment") or ())
        published |= ports(one)
    if len(images) != 1:
        return None
    return container_runs.Run("docker", images.pop(), None, tuple(variables), published)


def _read(
    inv: Invocation, context: CallContext, files: Sequence[str]
) -> list[tuple[dict[str, Any], Any]] | None:
    """The services and volumes of each file of a project; None if one of them is not known."""
    folder = inv.working_folder(context)
    if folder is None:
        return None
    named = _named(inv, context, folder, files)
    around = [one for one in context.facts.names(folder) or () if fnmatchcase(one, _FILES)]
    found = []
    for path in named or [f"{folder}/{one}" for one in around]:
        is_settled = path is not None and not context.is_changed(path)
        text = context.facts.text(path, _MAX_COMPOSE) if path and is_settled else None
        whole = yaml_values.read(text or "")
        services = whole.get("services") if isinstance(whole, dict) else None
        if not isinstance(services, dict) or not isinstance(whole, dict):
            return None
        found.append((services, whole.get("volumes") or {}))
    return found


def _names_of(given: Any) -> list[str]:
    return [str(one).partition("=")[0] for one in given]


def _lets_nothing_in(one: Mapping[str, Any], volumes: Any) -> bool:
    command = one.get("command") or "-"
    words = " ".join(map(str, command)) if isinstance(command, list) else str(command)
    mounts = one.get("volumes") or []
    return (
        _KEYS.issuperset(one)
        and compiled(container_runs.SERVES).fullmatch(words) is not None
        and isinstance(mounts, list)
        and all(_is_own(mount, volumes) for mount in mounts)
    )


def _is_own(mount: Any, volumes: Any) -> bool:
    """Whether what is mounted is new with the project, or can only be read."""
    if not isinstance(mount, str) or "$" in mount:
        return isinstance(mount, dict) and mount.get("type") == "tmpfs"
    source, _, target = mount.partition(":")
    if not target:
        return source[:1] == "/"
    is_volume = re.fullmatch(r"\w[\w.-]*", source) is not None
    if is_volume:
        return isinstance(volumes, dict) and source in volumes and not volumes[source]
    return container_runs.is_read_only(mount)


# end of module
