"""A throwaway home with a project, what could be reached from it, and all of it as one value to compare."""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import shutil
import socket
import stat
import subprocess
import sys
import threading
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

import pytest
from tests.hosting import clean_env, git

from operators_edge.cli.commands.rehearse import looked_at
from operators_edge.errors import EdgeError
from operators_edge.rehearsal import service
from operators_edge.rehearsal.service import Limits, Rehearsal

if TYPE_CHECKING:
    from operators_edge.rehearsal.effects import Change
    from operators_edge.rehearsal.shown import Shown

LIMITS = Limits(seconds=30.0, memory=700 << 20, disk=300 << 20, processes=300)

Tree = dict[str, tuple[int, bytes]]

_FILES = {
    "src/a.txt": "alpha\n",
    "src/b.txt": "beta\n",
    "src/inner/c.c": "int c;\n",
    "run.sh": "#!/bin/sh\necho made > made.txt\n",
    "test_it.py": "import unittest\n\nclass It(unittest.TestCase):\n    def test(self):\n        pass\n",
    "Makefile": "build:\n\tmkdir -p out && echo built > out/tool\nbroken:\n\tfalse\n"
    "install: build\n\tmkdir -p $(PREFIX)/bin && cp out/tool $(PREFIX)/bin/tool\n",
    ".claude/settings.json": '{"a": 1}\n',
    ".proof/session_log.jsonl": "{}\n",
}
_PROBES = (
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/pid_max",
    "/proc/sys/kernel/hostname",
    "/etc/hostname",
    "/etc/passwd",
)
_KEYCTL, _SEARCH = (250 if platform.machine() == "x86_64" else 219), 10
_FOLDERS = ("/", "/dev", "/dev/shm", "/mnt", "/sys/fs/cgroup", "/run")
_CONNECT = (
    "import socket, sys\nto = sys.argv[1]\n"
    "where = ('127.0.0.1', int(to)) if to.isdigit() else to.replace('@', chr(0))\n"
    "one = socket.socket(socket.AF_INET if to.isdigit() else socket.AF_UNIX)\n"
    "one.settimeout(3)\none.connect(where)\nprint(one.recv(9))\n"
)


def why_not() -> str:
    """Why this machine cannot rehearse; "" if it can."""
    try:
        with Rehearsal("true", folder="/", project="/"):
            return ""
    except EdgeError as error:
        return str(error)


needs_rehearsal = pytest.mark.skipif(
    bool(service.why_not() or why_not()), reason="this machine lets no command be rehearsed"
)


class World:
    """Context manager: its sockets answer and its process lives until it is left."""

    def __init__(self, top: Path) -> None:
        self.home = top / "home"
        self.project = self.home / "project"
        self.out = self.home / "out"
        self.env = clean_env(str(self.home))
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self.out.mkdir(parents=True)
        (self.home / "kept.txt").write_text("kept\n")
        (self.home / ".bashrc").write_text("# mine\n")
        keys = self.home / "state" / "operators-edge" / "keys"
        keys.mkdir(parents=True)
        (keys / "hmac.key").write_text("key\n")
        (self.home / "connect.py").write_text(_CONNECT)
        make_project(self.project)
        self._listen(socket.AF_UNIX, str(self.home / "x.sock"))
        self._listen(socket.AF_UNIX, f"\0edge-{os.getpid()}")
        self.port = self._listen(socket.AF_INET, ("127.0.0.1", 0))
        self.victim = subprocess.Popen(["sleep", "600"])
        self._stack.callback(self.victim.wait)
        self._stack.callback(self.victim.kill)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _listen(self, family: int, where: object) -> int:
        server = self._stack.enter_context(socket.socket(family))
        server.bind(where)  # type: ignore[arg-type]  # one of three kinds of address
        server.listen()
        threading.Thread(target=_answer, args=(server,), daemon=True).start()
        self._stack.callback(server.shutdown, socket.SHUT_RDWR)
        name = server.getsockname()
        return int(name[1]) if isinstance(name, tuple) else 0

    def filled(self, command: str) -> str:
        values = {
            "@OUT@": self.out,
            "@VICTIM@": self.victim.pid,
            "@SOCKET@": self.home / "x.sock",
            "@ABSTRACT@": f"@edge-{os.getpid()}",
            "@PORT@": self.port,
            "@CONNECT@": f"{sys.executable} -I -S {self.home}/connect.py",
        }
        for mark, value in values.items():
            command = command.replace(mark, str(value))
        return command

    def rehearsed(self, command: str, limits: Limits = LIMITS) -> Shown:
        with Rehearsal(
            self.filled(command),
            folder=str(self.project),
            project=str(self.project),
            env=self.env,
            limits=limits,
        ) as rehearsal:
            return looked_at(rehearsal, self.env)

    def digest(self) -> dict[str, object]:
        """Everything that a command could have changed outside, as far as it can be compared."""
        found: dict[str, object] = {"home": tree(self.home, with_times=True)}
        for each in _PROBES:
            with suppress(OSError):
                found[each] = hashlib.sha256(Path(each).read_bytes()).hexdigest()
        for each in _FOLDERS:
            with suppress(OSError):
                found[each] = [name for name in sorted(os.listdir(each)) if "edge-escaped" in name]
        found["keys"] = [_has_key(ring) for ring in (-3, -4, -5)]
        found["victim"] = self.victim.poll()
        found["mounts"] = Path("/proc/self/mountinfo").read_text().count("overlay")
        return found


def _has_key(ring: int) -> bool:
    """Whether a keyring of ours holds the key that a case adds."""
    libc = ctypes.CDLL(None)
    return bool(libc.syscall(_KEYCTL, _SEARCH, ring, b"user", b"edge-escaped", 0) >= 0)


def _answer(server: socket.socket) -> None:
    with suppress(OSError):
        while True:
            client, _ = server.accept()
            with client, suppress(OSError):
                client.sendall(b"reached")


def make_project(project: Path) -> None:
    for name, text in _FILES.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (project / "run.sh").chmod(0o755)
    git(str(project), "init", "-q", "-b", "main")
    git(str(project), "config", "user.name", "t")
    git(str(project), "config", "user.email", "t@example.invalid")
    git(str(project), "add", "-A")
    git(str(project), "commit", "-qm", "first")
    (project / "src/b.txt").write_text("beta\ndirty\n")
    (project / "untracked.txt").write_text("mine\n")


def tree(top: Path, *, with_times: bool = False) -> Tree:
    """Every file, link and folder below, without the repository's own unless with its times."""
    found: Tree = {}
    for base, folders, names in os.walk(top):
        if not with_times and ".git" in folders:
            folders.remove(".git")
        for name in (*folders, *names):
            path = os.path.join(base, name)
            info = os.lstat(path)
            content = b""
            if stat.S_ISREG(info.st_mode):
                content = Path(path).read_bytes()
            elif stat.S_ISLNK(info.st_mode):
                content = os.fsencode(os.readlink(path))
            times = f"{info.st_mtime_ns} {info.st_ctime_ns} {info.st_nlink} ".encode()
            content = times + content if with_times else content
            found[os.path.relpath(path, top)] = (info.st_mode, content)
    return found


def foretold(before: Tree, changes: list[Change], project: Path) -> Tree:
    """The tree that a rehearsal's changes make of another one."""
    found = dict(before)
    inside = [each for each in changes if each.path.startswith(f"{project}/")]
    for each in inside:
        name = os.path.relpath(each.path, project)
        if name.split(os.sep)[0] == ".git":
            continue
        if each.what == "deleted":
            for path in [one for one in found if one == name or one.startswith(f"{name}/")]:
                del found[path]
    for each in inside:
        name = os.path.relpath(each.path, project)
        if name.split(os.sep)[0] != ".git" and each.what != "deleted":
            content = found.get(name, (0, b""))[1] if each.what == "mode" else each.after or b""
            found[name] = (each.new_mode, content)
    return found


def copied(project: Path, place: Path) -> Path:
    shutil.copytree(project, place, symlinks=True)
    return place
