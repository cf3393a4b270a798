"""Paths in a call: what they resolve to, and on whose ground they lie.

Owns resolution (pure: ``..`` and ``~``; symbolic links through ``Facts.real``) and the kinds of
place. Does not own what a rule makes of them.
"""

from __future__ import annotations

import os.path
import re
from typing import TYPE_CHECKING

from operators_edge.locations import PROOF_DIR, STATE_FILE
from operators_edge.shell.commands import HOLE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from operators_edge.model import Call, Facts, Place
    from operators_edge.shell.commands import Command

_SAFE_DEVICES = re.compile(
    r"/dev/(null|zero|full|u?random|tty|ptmx|std(in|out|err)|(fd|shm|pts|mqueue|tcp|udp)(/.*)?)$"
)
_TOPS = frozenset(
    [
        "/",
        "/bin",
        "/boot",
        "/dev",
        "/etc",
        "/home",
        "/lib",
        "/lib64",
        "/opt",
        "/proc",
        "/root",
        "/run",
        "/sbin",
        "/srv",
        "/sys",
        "/usr",
        "/var",
        "/Applications",
        "/Library",
        "/System",
        "/Users",
        "/Volumes",
        "/private",
        "/usr/bin",
        "/usr/lib",
        "/usr/local",
        "/usr/sbin",
        "/var/lib",
        "/var/log",
    ]
)
_SYSTEM = re.compile(
    r"/(bin|boot|dev|etc|lib|lib32|lib64|opt|proc|sbin|sys|usr|System|Library)(/|$)"
)
_STARTUP = re.compile(
    r"/(\.(bash(rc|_profile|_login|_logout|_aliases)|z(shrc|shenv|profile|login|logout)|profile"
    r"|kshrc|cshrc|tcshrc|inputrc|xprofile|xinitrc|netrc|npmrc|pypirc|gitconfig|pgpass)"
    r"|\.config/(fish|git|autostart|systemd/user)/.*|\.ssh(/.*)?|\.gnupg(/.*)?|\.aws(/.*)?"
    r"|\.kube/config|\.docker/config\.json|Library/LaunchAgents/.*)$"
)
_GIT = re.compile(r"/\.git(/|$)")
# The schedule counts as a setting: what stands in it, the client types as if a person had.
_SETTINGS = re.compile(r"/\.claude/(settings[^/]*|scheduled_tasks)\.json$")
_GLOB = re.compile(r"[*?\[]")


class Ground:
    """Where one call stands: the directory, the project, and what may be asked of the machine."""

    __slots__ = (
        "cwd",
        "drafts",
        "facts",
        "feeders",
        "home",
        "own",
        "place",
        "root",
        "temp",
        "text",
    )

    def __init__(self, call: Call, place: Place, facts: Facts) -> None:
        self.cwd = call.cwd
        self.place = place
        self.facts = facts
        self.home = place.home
        self.root = place.root or call.cwd
        self.temp = place.temp
        self.own = place.own
        self.text = ""
        """The whole text that the command at hand stands in."""
        self.feeders: list[Command] = []
        """The commands of this text that put a file into a pipe or onto their input, in order."""
        self.drafts: dict[str, str | None] = {}
        """Files that this text itself writes: path → content, None where it cannot be known."""

    def base(self, directory: str | None) -> str | None:
        """The absolute directory a command runs in; None when it cannot be known."""
        if directory is None or HOLE in directory:
            return None
        return self.resolve(directory, self.cwd) if directory else self.cwd

    def resolve(self, text: str, base: str | None) -> str | None:
        """The absolute path a word names from ``base``; None when it cannot be known."""
        if not text or HOLE in text:
            return None
        if text == "~" or text.startswith("~/"):
            text = self.home + text[1:]
        elif text.startswith("~"):
            text = "/home/" + text[1:]
        elif not os.path.isabs(text):
            if base is None:
                return None
            text = os.path.join(base, text)
        path = os.path.normpath(text)
        return path[1:] if path.startswith("//") else path

    def real(self, path: str) -> str:
        return self.facts.real(path) or path

    def is_inside(self, path: str, folders: Iterable[str]) -> bool:
        return any(is_within(path, folder) for folder in folders if folder)

    def is_outside(self, path: str) -> bool:
        """Neither in the project nor in a temporary folder, with links followed."""
        real = self.real(path)
        ground = (self.root, *self.temp)
        return not (self.is_inside(path, ground) and self.is_inside(real, (*ground, *self._real())))

    def _real(self) -> tuple[str, ...]:
        return tuple(self.real(one) for one in (self.root, *self.temp))

    def is_root_or_home(self, path: str) -> bool:
        """A top folder of the machine, the home folder, or one that holds it or the project."""
        folder = fixed_part(path)
        whole = folder in _TOPS or folder == self.home
        holds_project = folder != self.root and is_within(self.root, folder)
        return whole or is_within(self.home, folder) or holds_project

    def is_own(self, path: str) -> bool:
        """The product's files and the hook settings, by name or behind a link."""
        guarded = (os.path.join(self.root, PROOF_DIR), *self.own)
        return any(
            self.is_inside(one, guarded) or is_host_settings(one) for one in (path, self.real(path))
        )

    def holds_own(self, path: str) -> bool:
        """A folder whose removal takes the product's files with it."""
        guarded = (os.path.join(self.root, PROOF_DIR), *self.own)
        return any(is_within(one, path) for one in guarded) or path.endswith("/.claude")

    def is_regenerable(self, path: str) -> bool:
        """Literal, and below a temporary folder, or ignored by git inside the project (GA-4)."""
        real = self.real(path)
        if _GLOB.search(path) or self.is_own(path) or self.holds_own(path):
            return False
        temp = (*self.temp, *map(self.real, self.temp))
        for one in (path, real):
            in_temp = self.is_inside(one, temp) and one not in temp
            if in_temp and not is_within(self.root, one) and not is_within(one, self.root):
                continue
            if one == self.root or not is_within(one, self.root):
                return False
            if not self.facts.is_regenerable(one, self.root):
                return False
        return True

    def is_branch(self, path: str) -> bool:
        """Whether the path's last parts, taken from the project, name a branch that is there."""
        name = path.removeprefix(self.root + "/")
        return self.facts.size(os.path.join(self.root, ".git", "refs", "heads", name)) is not None

    def is_state(self, path: str) -> bool:
        state = os.path.join(self.root, STATE_FILE)
        return path == state or self.real(path) == self.real(state)

    def is_system(self, path: str) -> bool:
        is_safe = _SAFE_DEVICES.match(path) is not None
        return bool(_SYSTEM.match(path)) and not is_safe and self.is_outside(path)


def fixed_part(path: str) -> str:
    """The folder a path with globs starts from; the path itself without any."""
    found = _GLOB.search(path)
    return path if found is None else os.path.dirname(path[: found.start()]) or "/"


def is_within(path: str, folder: str) -> bool:
    """Whether a normalised path is the folder or lies below it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def is_device(path: str) -> bool:
    return path.startswith("/dev/") and not _SAFE_DEVICES.match(path)


def is_startup_or_key(path: str) -> bool:
    return bool(_STARTUP.search(path))


def is_git_internal(path: str) -> bool:
    return bool(_GIT.search(path))


def is_host_settings(path: str) -> bool:
    return bool(_SETTINGS.search(path))
