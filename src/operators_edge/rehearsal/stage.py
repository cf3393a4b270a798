"""Where a command is rehearsed: namespaces of its own, with a layer over everything that it could write.

A process of its own, forked by ``service``: to start another Python would take longer than all the rest. It
makes the namespaces, and watches the network and the clock. Its child is the first process in them: it puts
the layers over the folders, hands them out, starts the command and ends with it, and the kernel ends whatever
the command left. Neither runs a line of the command's.
"""

from __future__ import annotations

import json
import os
import resource
import select
import shutil
import signal
import socket
import stat
import time
from contextlib import suppress

from operators_edge.rehearsal import kernel, mounts
from operators_edge.rehearsal.network import Network

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NoReturn

_KEPT = frozenset((0, 1, 3, 4, 5, 6, 7, 10, 18))
"""Capabilities that root keeps: of files, users and low ports. An ordinary user has none of them."""

_KERNEL = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "mtrr", "scsi")
"""Below ``/proc``: settings of the kernel."""

_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
_LINKS = {"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"}
_BASES = ("/tmp", "/mnt", "/var", "/run")  # noqa: S108 - a place to mount on; nothing is written there
_LOOK_SECONDS = 0.02
_MEMORY_SECONDS = 0.1
_LOST = 0.8
_SHORT = 20
_FAST = 200
"""So many new processes between two looks are a reason to stop them all, and to count."""
_GRACE_SECONDS = 0.2
_PAGE = os.sysconf("SC_PAGE_SIZE")
_PID_MAX_BY_NAMESPACE = (6, 14)
_MAX_LEFT = 20
_MAX_AT_ONCE = 100
_FULL = 50
"""A disk is full when less than this part of it is free."""
_MAX_LINKS = 8
_MAX_ENTRIES = 500
_MAX_COPIED = 1 << 20


class Refused(Exception):
    """The system does not let us; the text says what, and why."""


def be(spec: dict[str, Any], control: socket.socket, output: int) -> NoReturn:
    """Run in a process that was forked for a rehearsal, until it ends."""
    try:
        kernel.end_with_parent()
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDONLY)
        for file, number in ((nothing, 0), (output, 1), (output, 2)):
            os.dup2(file, number)
        os.closerange(3, control.fileno())
        os.closerange(control.fileno() + 1, os.sysconf("SC_OPEN_MAX"))
        _direct(spec, control)
    except Exception as error:  # noqa: BLE001 - the one who waits has to hear of it
        _say(control, refused=str(error))
    finally:
        os._exit(0)


def _say(control: socket.socket, **what: Any) -> None:
    control.send(json.dumps(what).encode())


# -- the outer process: namespaces, network, time --------------------------------------------------


def _direct(spec: dict[str, Any], control: socket.socket) -> None:
    _own_user_namespace()
    kernel.unshare(kernel.NEWPID | kernel.NEWNET | kernel.NEWIPC | kernel.NEWUTS | kernel.NEWCGROUP)
    # Nothing in here can make another one: with it would come every capability.
    _write("/proc/sys/user/max_user_namespaces", "0")
    network = Network()
    over, writer = os.pipe()
    first = os.fork()
    if first == 0:
        _be_first(spec, control, writer)
    os.close(writer)
    _forget_streams()
    ended = os.pidfd_open(first)
    end = time.monotonic() + spec["limits"]["seconds"]
    poll = select.poll()
    for each in (over, ended, *network.files()):
        poll.register(each, select.POLLIN)
    cut = ""
    while True:
        left = end - time.monotonic()
        ready = [file for file, _ in poll.poll(max(0.0, left) * 1000)]
        network.answer(ready)
        if over in ready:
            if os.read(over, 1):
                break  # what the kernel takes apart now, nobody has to wait for
            poll.unregister(over)
        if ended in ready:
            break
        if left <= 0:
            cut = "time"
            os.kill(first, signal.SIGKILL)
            end = time.monotonic() + _GRACE_SECONDS * 50
    network.answer(network.files())
    _say(control, cut=cut, network=network.seen())


def _own_user_namespace() -> None:
    """Every id means the same inside and outside, for as many ids as this user may name.

    The map is written by a child, which keeps what rights we have until then.
    """
    ready, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(writer)
        os.read(ready, 1)
        os._exit(_write_maps(os.getppid()))
    try:
        kernel.unshare(kernel.NEWUSER)
    finally:
        os.close(writer)
        _, status = os.waitpid(child, 0)
        os.close(ready)
    if status:
        raise Refused("the ids of a user namespace cannot be set")


def _write_maps(process: int) -> int:
    with suppress(OSError):
        if os.geteuid() == 0:
            for kind in ("uid", "gid"):
                with open(f"/proc/self/{kind}_map", encoding="ascii") as file:
                    known = [line.split() for line in file]
                same = [f"{first} {first} {count}" for first, _, count in known]
                _write(f"/proc/{process}/{kind}_map", "\n".join(same))
            return 0
    with suppress(OSError):
        _write(f"/proc/{process}/setgroups", "deny")
        _write(f"/proc/{process}/uid_map", f"{os.geteuid()} {os.geteuid()} 1")
        _write(f"/proc/{process}/gid_map", f"{os.getegid()} {os.getegid()} 1")
        return 0
    return 1


def _write(path: str, text: str) -> None:
    # Python's buffered files would split it; the kernel takes a map only whole.
    file = os.open(path, os.O_WRONLY)
    try:
        os.write(file, text.encode())
    finally:
        os.close(file)


def _forget_streams() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for each in (0, 1, 2):
        os.dup2(nothing, each)


# -- the first process inside: files, and the command ------------------------------------------------


def _be_first(spec: dict[str, Any], control: socket.socket, over: int) -> NoReturn:
    """``over``: a byte is written there once all that the command left has ended."""
    try:
        kernel.end_with_parent()
        kernel.hide_memory()
        # The first process of a namespace gets no signal from inside that it does not handle.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
        kernel.unshare(kernel.NEWNS)
        root = _new_root(spec)
        about = {
            "layers": [[path, is_new] for path, _, is_new in root.layers],
            "unseen": root.unseen,
        }
        files = [file for _, file, _ in root.layers]
        socket.send_fds(control, [json.dumps(about).encode()], files)
        for each in files:
            os.close(each)
        _say(control, **_perform(spec, root.scratch))
        if _have_ended():
            os.write(over, b".")
    except Exception as error:  # noqa: BLE001 - as above
        _say(control, refused=str(error))
    finally:
        os._exit(0)


def _new_root(spec: dict[str, Any]) -> Root:
    """Make the new root folder, and enter it."""
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
        known = mounts.Mounts(file.read())
    kernel.mount("", "/", "", kernel.REC | kernel.PRIVATE)
    base = next(each for each in _BASES if os.path.isdir(each))
    # What is below the base would be hidden by our own file system on it.
    covered = os.open(base, os.O_PATH)
    options = f"size={spec['limits']['disk']},nr_inodes={spec['limits']['files']},mode=700"
    kernel.mount("tmpfs", base, "tmpfs", kernel.NOSUID | kernel.NODEV, options)
    root = Root(base, known, spec["needed"], covered)
    root.show("/")
    _empty_places(base)
    for each in spec["needed"]:
        if mounts.is_below(each, mounts.EMPTY):
            os.makedirs(root.target(each), exist_ok=True)
            root.show(each)
    _fill_root(base, spec)
    root.protect()
    os.close(covered)
    os.chdir(f"{base}/root")
    kernel.become_root_folder()
    _protect_kernel()
    return root


class Root:
    """The new root folder while it is made: every folder of the old one is shown with a layer over it.

    A layer cannot be put over a folder in which something is mounted: such a folder is made again, and what
    is in it shown one by one. ``layers`` are the places with their upper folders, opened, and ``unseen``
    those that cannot be shown.
    """

    def __init__(self, base: str, known: mounts.Mounts, needed: list[str], covered: int) -> None:
        self.base = base
        self._known = known
        self._needed = needed
        self._covered = covered
        self.layers: list[tuple[str, int, bool]] = []
        self.unseen: list[str] = []
        self._fixed: list[str] = []
        os.chdir(base)
        self.scratch = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
        os.mkdir("root")

    def target(self, path: str) -> str:
        return f"{self.base}/root{path}".rstrip("/")

    def _source(self, path: str) -> str:
        """Where the old folder can be reached; what is below our own file system has another path."""
        if path == self.base or path.startswith(self.base + os.sep):
            return f"/proc/self/fd/{self._covered}{path[len(self.base) :]}"
        return path

    def show(self, path: str) -> None:
        """Show a folder and all in it."""
        if path in mounts.OWN or path in mounts.EMPTY:
            os.makedirs(self.target(path), exist_ok=True)
            return
        try:
            if self._known.has_below(path):
                self._make_again(path)
            else:
                self._lay_over(path)
                self._lay_over_needed(path)
        except OSError as error:
            if any(mounts.is_below(each, [path]) for each in self._needed):
                raise Refused(f"no layer can be put over {path}: {error}") from error
            kernel.mount("tmpfs", self.target(path), "tmpfs", kernel.RDONLY, "size=4k")
            self.unseen.append(path)

    def _lay_over(self, path: str) -> None:
        """All folders are named by numbers, so no character of a name has to be quoted."""
        upper, work = self._upper(path), f"work{len(self.layers)}"
        os.mkdir(work)
        lower = os.open(self._source(path), os.O_PATH)
        try:
            options = (
                f"userxattr,xino=off,lowerdir=/proc/self/fd/{lower},"
                f"upperdir=/proc/self/fd/{upper},workdir=/proc/self/fd/{self.scratch}/{work}"
            )
            flags = kernel.NOSUID | kernel.NODEV
            flags |= kernel.RDONLY if self._known.is_read_only(path) else 0
            kernel.mount("overlay", self.target(path), "overlay", flags, options)
        except OSError:
            os.close(upper)
            raise
        finally:
            os.close(lower)
        self.layers.append((path, upper, False))

    def _lay_over_needed(self, path: str) -> None:
        """Put separate layers over the contents of a folder that one layer of this user cannot hold."""
        inside = [each for each in self._needed if each != path and mounts.is_below(each, [path])]
        for top in sorted({self._top_of_own(path, each) for each in inside} - {path}):
            self._lay_over(top)

    def _top_of_own(self, path: str, needed: str) -> str:
        """The highest folder from which on all of the path is this user's; ``path`` if everything is.

        Before a file is written, the folders above it are copied with their owners.
        """
        found, above = needed, os.path.dirname(needed)
        while above != path:
            info = os.stat(self._source(above))
            if not _is_mapped(info):
                return found
            found, above = above, os.path.dirname(above)
        return path

    def _upper(self, path: str) -> int:
        """An empty folder for what changes; its owner and mode are what the place will show."""
        name = f"upper{len(self.layers)}-{len(self.unseen)}"
        os.mkdir(name)
        info = os.stat(self._source(path))
        mode = stat.S_IMODE(info.st_mode)
        try:
            os.chown(name, info.st_uid, info.st_gid)
        except OSError:  # it stays this user's own, who must not be able to do more for that
            mode = mode if os.access(self._source(path), os.W_OK) else mode & ~0o222
        os.chmod(name, mode)
        return os.open(name, os.O_RDONLY | os.O_DIRECTORY)

    def _make_again(self, path: str) -> None:
        source, target = self._source(path), self.target(path)
        with os.scandir(source) as found:
            entries = sorted(found, key=lambda each: each.name)
        if len(entries) > _MAX_ENTRIES:
            raise OSError(0, f"something is mounted in it, and it holds {len(entries)} files")
        upper = self._upper(path)
        kernel.mount(f"/proc/self/fd/{upper}", target, "", kernel.BIND)
        self.layers.append((path, upper, True))
        for each in entries:
            inner = os.path.join(path, each.name)
            if each.is_symlink():
                os.symlink(os.readlink(each.path), self.target(inner))
            elif each.is_dir():
                os.mkdir(self.target(inner))
                self.show(inner)
            elif each.is_file():
                with suppress(OSError):  # not this user's to read
                    self._show_file(each.path, self.target(inner))
        if not os.access(source, os.W_OK) or self._known.is_read_only(path):
            self._fixed.append(target)

    @staticmethod
    def _show_file(source: str, target: str) -> None:
        """A copy of a small file, which can be changed; a large one read-only."""
        info = os.stat(source)
        if info.st_size <= _MAX_COPIED:
            shutil.copy2(source, target)
            with suppress(OSError):
                os.chown(target, info.st_uid, info.st_gid)
            return
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT, 0o600))
        kernel.mount(source, target, "", kernel.BIND)
        kernel.make_read_only(target)

    def protect(self) -> None:
        """Make read-only what was only made to hold others."""
        for each in self._fixed:
            kernel.make_read_only(each, is_deep=False)


def _is_mapped(info: os.stat_result) -> bool:
    """Whether this user can make files of that owner."""
    return os.geteuid() == 0 or (info.st_uid == os.geteuid() and info.st_gid == os.getegid())


def _empty_places(base: str) -> None:
    """``/run``, and ``/dev`` with its devices and shared memory."""
    root = f"{base}/root"
    for name in ("run", "shm"):
        os.mkdir(name)
        os.chmod(name, 0o755 if name == "run" else 0o1777)
    kernel.mount(f"{base}/run", f"{root}/run", "", kernel.BIND)
    kernel.mount("tmpfs", f"{root}/dev", "tmpfs", kernel.NOSUID, "size=64k,mode=755")
    for name in _DEVICES:
        os.close(os.open(f"{root}/dev/{name}", os.O_WRONLY | os.O_CREAT, 0o666))
        kernel.mount(f"/dev/{name}", f"{root}/dev/{name}", "", kernel.BIND)
    for name, number in _LINKS.items():
        os.symlink(f"/proc/self/fd{number}", f"{root}/dev/{name}")
    for name in ("shm", "pts"):
        os.mkdir(f"{root}/dev/{name}")
    os.symlink("pts/ptmx", f"{root}/dev/ptmx")
    kernel.mount(f"{base}/shm", f"{root}{mounts.EMPTY[1]}", "", kernel.BIND)
    kernel.mount(
        "devpts", f"{root}/dev/pts", "devpts", kernel.NOSUID, "newinstance,ptmxmode=666,mode=620"
    )


def _fill_root(base: str, spec: dict[str, Any]) -> None:
    root = f"{base}/root"
    kernel.mount("/sys", f"{root}/sys", "", kernel.BIND | kernel.REC)
    kernel.make_read_only(f"{root}/sys")
    try:
        flags = kernel.NOSUID | kernel.NODEV
        kernel.mount("proc", f"{root}/proc", "proc", flags)
    except OSError as error:
        raise Refused(f"processes cannot be shown as its own: {error}") from error
    for each in spec["hidden"]:
        if os.path.isdir(f"{root}{each}"):
            kernel.mount("tmpfs", f"{root}{each}", "tmpfs", kernel.RDONLY, "size=4k,mode=700")
    for each in spec["made"]:
        with suppress(OSError):
            os.makedirs(f"{root}{each}", mode=0o700, exist_ok=True)
    _name_server(base, root)


def _name_server(base: str, root: str) -> None:
    """Have names looked up where they are seen."""
    path = "/etc/resolv.conf"
    for _ in range(_MAX_LINKS):
        if not os.path.islink(root + path):
            break
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(root + path)))
    if mounts.is_below(path, mounts.EMPTY):
        os.makedirs(os.path.dirname(root + path), exist_ok=True)
        os.close(os.open(root + path, os.O_WRONLY | os.O_CREAT, 0o644))
    if not os.path.isfile(root + path):
        return  # a system without one asks its own loopback
    with open("resolv.conf", "w", encoding="ascii") as file:
        file.write("nameserver 127.0.0.1\noptions timeout:2 attempts:1\n")
    os.chmod("resolv.conf", 0o644)
    kernel.mount(f"{base}/resolv.conf", root + path, "", kernel.BIND)


def _protect_kernel() -> None:
    release = tuple(int(each) for each in os.uname().release.split("-")[0].split(".")[:2])
    if release >= _PID_MAX_BY_NAMESPACE:
        with suppress(OSError):  # a second limit on processes, which are counted as well
            _write("/proc/sys/kernel/pid_max", "4096")
    for name in _KERNEL:
        path = f"/proc/{name}"
        if os.path.exists(path):
            kernel.mount(path, path, "", kernel.BIND | kernel.REC)
            kernel.make_read_only(path)


def _perform(spec: dict[str, Any], scratch: int) -> dict[str, Any]:
    """Run the command; what came of it. It is ended where it takes too much."""
    command = os.fork()
    if command == 0:
        os.close(scratch)
        _become(spec)
    _forget_streams()
    watch = _Watch(spec["limits"], scratch)
    cut, code, end = "", None, float("inf")
    while True:
        signal.sigtimedwait([signal.SIGCHLD], _LOOK_SECONDS)
        for process, status in _ended():
            if process == command:
                code = os.waitstatus_to_exitcode(status)
        cut = cut or watch.excess()
        if cut and code is None:
            break
        if code is not None:
            left = [each for each in _processes() if not each.is_zombie]
            end = min(end, time.monotonic() + _GRACE_SECONDS)
            if not left or time.monotonic() >= end:
                cut = cut or ("disk" if watch.was_full else "")
                return {"code": code, "cut": cut, "left": [each.words for each in left[:_MAX_LEFT]]}
    return {"code": None, "cut": cut, "left": []}


def _have_ended() -> bool:
    """End every process but the first; whether that was quick, as it is unless they fork all the time."""
    end = time.monotonic() + _GRACE_SECONDS
    while time.monotonic() < end:
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return True
    return False


def _ended() -> Iterator[tuple[int, int]]:
    """Children that have ended; not more than a few, since new ones can end faster than they are counted."""
    with suppress(ChildProcessError):
        for _ in range(_MAX_AT_ONCE):
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return
            yield process, status


class _Process:
    def __init__(self, number: str) -> None:
        with open(f"/proc/{number}/stat", encoding="utf-8", errors="replace") as file:
            self.is_zombie = file.read().rpartition(")")[2].split()[0] in "ZX"
        with open(f"/proc/{number}/statm", encoding="ascii") as file:
            _, resident, shared, *_ = map(int, file.read().split())
        self.bytes = (resident - shared) * _PAGE
        self._number = number

    @property
    def words(self) -> str:
        with suppress(OSError), open(f"/proc/{self._number}/cmdline", "rb") as file:
            return file.read(4096).replace(b"\0", b" ").decode("utf-8", "replace").strip()
        return ""


def _processes() -> Iterator[_Process]:
    """All but the first."""
    for name in os.listdir("/proc"):
        if name.isdecimal() and name != "1":
            with suppress(OSError, ValueError):  # ended meanwhile
                yield _Process(name)


class _Watch:
    """Which limit a command reaches."""

    def __init__(self, limits: dict[str, Any], scratch: int) -> None:
        self.was_full = False
        self._limits = limits
        self._scratch = scratch
        self._last = self._last_number()
        self._next_look = 0.0
        self._free, _ = _memory()

    def excess(self) -> str:
        """The limit that is reached; "" if none is."""
        disk = os.fstatvfs(self._scratch)
        self.was_full |= disk.f_bfree * _FULL < disk.f_blocks or disk.f_ffree * _FULL < disk.f_files
        if self._are_too_many():
            return "processes"
        if time.monotonic() < self._next_look:
            return ""
        self._next_look = time.monotonic() + _MEMORY_SECONDS
        free, all_of_it = _memory()
        used = (disk.f_blocks - disk.f_bfree) * disk.f_frsize
        # What a fork shares is counted for each process, so for all of them together the machine has to have
        # lost as much. (What each has for itself can be read, but not without waiting for a process that does
        # nothing but fork.) The largest alone is counted once, whatever others free meanwhile.
        sizes = [each.bytes for each in _processes()]
        is_gone = self._free - free > self._limits["memory"] * _LOST
        counted = sum(sizes) if is_gone else max(sizes, default=0)
        is_much = counted + used > self._limits["memory"]
        # A file in memory that only a process knows belongs to nobody.
        return "memory" if is_much or free * _SHORT < all_of_it else ""

    def _are_too_many(self) -> bool:
        """Whether there are too many processes.

        Where they grow fast there is no time left to count them, unless they all stop first.
        """
        last = self._last_number()
        new, self._last = last - self._last, last
        is_fast = new < 0 or new > _FAST
        if is_fast:
            self._signal_all(signal.SIGSTOP)
        are_many = bool(sum(map(str.isdecimal, os.listdir("/proc"))) > self._limits["processes"])
        if is_fast and not are_many:
            self._signal_all(signal.SIGCONT)
        return are_many

    @staticmethod
    def _signal_all(sign: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.kill(-1, sign)

    @staticmethod
    def _last_number() -> int:
        """That of the process which was started last."""
        with open("/proc/loadavg", encoding="ascii") as file:
            return int(file.read().split()[4])


def _memory() -> tuple[int, int]:
    """The bytes that this machine has free, and all that it has."""
    with open("/proc/meminfo", encoding="ascii") as file:
        known = {name: rest.split()[0] for name, _, rest in (one.partition(":") for one in file)}
    return int(known["MemAvailable"]) * 1024, int(known["MemTotal"]) * 1024


def _become(spec: dict[str, Any]) -> NoReturn:
    """Give up everything, and become the command."""
    try:
        os.setsid()
        with suppress(OSError):
            _write("/proc/self/oom_score_adj", "1000")
        os.nice(5)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        most = spec["limits"]["processes"] * 4  # threads count, too
        resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
        kernel.leave_keyring()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
        for each in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(each, signal.SIG_DFL)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        os.chdir(spec["folder"])
        kernel.drop_privileges(_KEPT)
        kernel.keep_sockets_inside()
        os.execvpe(spec["command"][0], spec["command"], spec["env"])  # noqa: S606 - a person's command
    except OSError as error:
        os.write(2, f"edge rehearse: {error}\n".encode("utf-8", "replace"))
    finally:
        os._exit(126)


# end of module
