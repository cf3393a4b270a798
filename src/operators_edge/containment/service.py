"""The policy of a project on this machine, and a command that runs under it.

Asks git and the disk what the policy needs to know. Does not own the policy (``policy``), whether a project
is contained (``store``), or how a client's own sandbox gets it (``hosts``).
"""

from __future__ import annotations

import fnmatch
import os
import shutil
import subprocess
import sys
import tomllib
from importlib import resources
from urllib.parse import urlsplit

from operators_edge.containment import bubblewrap, seatbelt
from operators_edge.containment.policy import Ecosystem, Surroundings, policy_of
from operators_edge.git import commands
from operators_edge.locations import NAME, STATE_FILE, known_home
from operators_edge.system import installation, sockets
from operators_edge.system.user_dirs import project_id, user_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from operators_edge.containment.policy import Policy

TRIAL_SECONDS = 10.0
_MAX_FOLDERS = 200
_GIT_SECONDS = 5.0


def policy(root: str, env: Mapping[str, str] = os.environ, *, added: Iterable[str] = ()) -> Policy:
    """The policy of the project at ``root``, as it is now; ``added`` are hosts that a person named."""
    project = os.path.realpath(root)
    found = Surroundings(
        project=project,
        git=_git_folder(project),
        own=os.path.realpath(user_dir(env)),
        product=product(),
        cache=cache_of(project, env),
        used=tuple(used_in(project, ecosystems())),
        remotes=tuple(_remote_hosts(project)),
        is_state_tracked=bool(_git(project, "ls-files", "--", STATE_FILE)),
    )
    return policy_of(found, added)


def cache_of(root: str, env: Mapping[str, str]) -> str:
    """The project's own folder for what package managers keep: no other project reads what was put there."""
    return os.path.join(caches(env), project_id(root))


def caches(env: Mapping[str, str]) -> str:
    """The person's folder for what can be made again."""
    base = env.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(known_home(env), ".cache")
    return os.path.join(os.path.realpath(base), NAME)


def ecosystems() -> list[Ecosystem]:
    text = resources.files(__package__).joinpath("ecosystems.toml").read_text("utf-8")
    return [
        Ecosystem(each["name"], tuple(each["files"]), tuple(each["hosts"]), each["caches"])
        for each in tomllib.loads(text)["ecosystem"]
    ]


def used_in(project: str, known: Iterable[Ecosystem]) -> Iterator[Ecosystem]:
    """Those whose files lie in the project or in a folder of it."""
    names = _names(project)
    for each in known:
        if any(fnmatch.filter(names, pattern) for pattern in each.files):
            yield each


def _names(project: str) -> set[str]:
    with os.scandir(project) as entries:
        found = [(each.name, each.is_dir(follow_symlinks=False)) for each in entries]
    names = {name for name, _ in found}
    folders = [name for name, is_folder in found if is_folder and not name.startswith(".")]
    for folder in sorted(folders)[:_MAX_FOLDERS]:
        try:
            names.update(os.listdir(os.path.join(project, folder)))
        except OSError:
            continue  # what cannot be listed needs no packages
    return names


def _git(root: str, *words: str) -> str:
    """What git says; "" if there is no repository or no git."""
    try:
        answer = commands.finish(commands.start(root, *words), _GIT_SECONDS)
    except commands.GitFailed:
        return ""
    return os.fsdecode(answer.out).removesuffix("\n") if answer.code == 0 else ""


def _git_folder(root: str) -> str:
    """The repository's own folder, of a linked worktree that of its main one."""
    folder = _git(root, "rev-parse", "--git-common-dir")
    return os.path.realpath(os.path.join(root, folder)) if folder else ""


def _remote_hosts(root: str) -> Iterator[str]:
    for line in _git(root, "config", "--get-regexp", r"^remote\..*\.(push)?url$").splitlines():
        host = host_of_remote(line.partition(" ")[2])
        if host:
            yield host


def host_of_remote(url: str) -> str:
    """The host of a remote's address, ``host:path`` too; "" for a folder."""
    if "://" in url:
        parts = urlsplit(url)
        return "" if parts.scheme == "file" else parts.hostname or ""
    head, colon, _ = url.partition(":")
    return head.rpartition("@")[2] if colon and "/" not in head else ""


def product() -> tuple[str, ...]:
    """The installation: the package, and the environment with all that the package needs."""
    here = installation.current()
    return tuple(filter(None, (here.package, here.environment)))


# -- a command under the policy --------------------------------------------------------------------


def arguments(
    policy: Policy, command: Sequence[str], *, folder: str, temp: str, platform: str = sys.platform
) -> list[str]:
    """The argument list that runs a command under the policy; [] if this system has no means for it.

    ``temp`` is a folder for temporary files where the system cannot give a private one.
    """
    if platform == "darwin":
        return seatbelt.arguments(policy, command, temp=temp)
    program = shutil.which("bwrap") if platform.startswith("linux") else None
    if program is None:
        return []
    return bubblewrap.arguments(
        policy,
        command,
        folder=folder,
        program=program,
        exists=os.path.exists,
        sockets=sockets.named(),
    )


def why_not(*needed: str, platform: str = sys.platform) -> str:
    """Why this machine cannot contain a command; "" if it can. ``needed``: programs that a client wants."""
    if platform == "darwin":
        return "" if os.path.exists("/usr/bin/sandbox-exec") else "sandbox-exec is missing"
    if not platform.startswith("linux"):
        return "only Linux and macOS can do it"
    missing = [each for each in ("bwrap", *needed) if shutil.which(each) is None]
    if missing:
        return f"not installed: {', '.join(missing)}"
    trial = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--", "true"]
    try:
        done = subprocess.run(trial, capture_output=True, timeout=TRIAL_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bwrap could not be started: {error}"
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return "" if done.returncode == 0 else f"bwrap: {said[-1] if said else 'it failed'}"


# end of module
