"""The first half of the process hook, on every tool call of an agent: read the event, ask the resident.

Owns reading the event, the deadline, the socket's path, the protocol and its timeouts. Does not own any
decision: if the resident has no answer, this process decides on its own (``hook_local``).

A call that the resident answers costs little more than the start of an interpreter, so this module only
imports what is loaded anyway. ``os`` alone would cost as much as everything else here.

An exchange, on a socket that only this user can open (each message is one line, then its parts):

    hook      edge2 call MASK L1 L2 L3 L4
                             then code version, folder, environment and event, of these lengths in
                             bytes; MASK is the hook's umask, in octal
    resident  -              not answered here: the hook decides on its own
              =N M           an answer of N bytes, then M bytes for stderr
              +PID           the forked process PID has the event and waits for the go-ahead
    hook      .              the go-ahead: one byte, without a line end
    resident  =N M           as above

Nothing is done for the event before the go-ahead, so until then the hook may give up and decide on its
own. After it, only the forked process acts. An answer without a fork leaves the connection open for the
next request.
"""

import _signal  # type: ignore[import-not-found]  # not `signal`: it imports enum, which costs as much as json
import _socket  # not `socket`, which costs more than the interpreter
import sys
import time

from operators_edge import __version__, locations

if sys.platform == "win32":
    import os as system
else:
    import posix as system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import ModuleType
    from typing import Any

DEADLINE_SECONDS = 10.0
"""For the whole hook: below the 15 s after which the client gives up on it and lets the call run."""

MAX_EVENT_BYTES = 64 * 1024 * 1024

HAS_ALARM = hasattr(system, "fork")
"""Whether a signal can end a wait: True except on Windows."""

PROTOCOL = b"edge2"

FORWARDED = ("PreToolUse", "PostToolUse", "PostToolUseFailure")
"""Events that the resident answers: tool calls. For prompts and sessions it matters which process started
the hook, and only the hook itself can find that out."""

ACCEPT_SECONDS = 1.0
"""For the resident's first reply. One that takes longer hangs, and the hook decides on its own."""

ANSWER_SECONDS = 9.0
"""For the answer after the go-ahead: below the hook's own deadline."""

MAX_SOCKET_PATH_BYTES = 92
"""Every system allows 103; the socket is created under a longer name first."""

RESIDENT_OPTION = "--stay"
"""The argument with which ``hook.py`` becomes the resident."""

RESIDENT_VARIABLE = "EDGE_RESIDENT"
"""With ``EDGE_RESIDENT=off`` in the environment, no resident is asked or started."""

_MAX_CLOCK_STEP_BACK = 10.0
"""Seconds: a timestamp further in the future than this is not evidence of anything."""

_MAX_LINE_BYTES = 4096

_CHUNK_BYTES = 1 << 16

_EXIT_BLOCK = 2
"""The exit code that blocks a call: the last resort, if stdout cannot be written."""


class Reply:
    """What goes to the client: ``answer`` on stdout, ``stderr`` on stderr.

    ``is_last`` is False if the resident accepts the next request over the same connection.
    """

    __slots__ = ("answer", "is_last", "stderr")

    def __init__(self, answer: bytes, stderr: bytes = b"") -> None:
        self.answer = answer
        self.stderr = stderr
        self.is_last = True


def main(
    host: str, load: "Callable[[], ModuleType]", broken: "Callable[[bytes, int, Exception], int]"
) -> int:
    """Answer one event; returns 0, because hosts give other exit codes a meaning of their own.

    ``load`` imports the second half (``hook_local``); ``broken`` answers if that fails.
    """
    _open_missing_streams()
    # What a library prints must not mix with the answer: it goes to stderr.
    out = system.dup(1)
    system.dup2(2, 1)
    event: dict[str, object] = {}
    read, why = bytearray(), ""
    _start_deadline(out, event, read, load, broken)
    try:
        _read_event(read)
        known = ask_resident(host, bytes(read), own_environment())
    except Exception as error:  # noqa: BLE001 - the hook's edge: no error may let a call run
        known, why = None, f"{type(error).__name__}: {error}"
    raw = bytes(read)
    try:
        if known is not None:
            set_alarm(0)
            write_stderr(known.stderr)
            write_all(out, known.answer)
            return 0
        try:
            hook_local = load()
        except Exception as error:  # noqa: BLE001 - as above
            return broken(raw, out, error)
        return int(hook_local.main(host, raw, event, out, why))
    except OSError as error:
        write_stderr(f"operators-edge: the answer could not be written: {error}\n".encode())
        return _EXIT_BLOCK if b"PreToolUse" in raw else 0


def _open_missing_streams() -> None:
    """Open each standard stream that is closed: else the next file that is opened would take its place."""
    if sys.platform == "win32":
        return
    for each in (0, 1, 2):
        try:
            system.fstat(each)
        except OSError:
            # It gets the lowest free descriptor. Writing to it fails, as it should.
            system.open("/dev/null", system.O_RDONLY)


def _read_event(raw: bytearray) -> None:
    while chunk := system.read(0, _CHUNK_BYTES):
        raw += chunk
        if len(raw) > MAX_EVENT_BYTES:
            raise ValueError(f"the event is larger than {MAX_EVENT_BYTES >> 20} MB")


def write_all(answer: int, data: bytes) -> None:
    while data:
        data = data[system.write(answer, data) :]


def write_stderr(text: bytes) -> None:
    """Write to stderr; if that fails, the answer is given anyway."""
    try:
        write_all(2, text)
    except OSError:
        return


def _start_deadline(
    out: int,
    event: dict[str, object],
    raw: bytearray,
    load: "Callable[[], ModuleType]",
    broken: "Callable[[bytes, int, Exception], int]",
) -> None:
    """Answer before the client stops waiting, because its time-out lets the call run."""
    if not HAS_ALARM:
        load().start_timer(out, event, raw, DEADLINE_SECONDS)
        return

    def expired(_number: int, _frame: object) -> None:
        try:
            expire = load().expire
        except Exception as error:  # noqa: BLE001 - it is half loaded, or cannot be loaded
            broken(b"PreToolUse", out, error)
            system._exit(0)  # noqa: SLF001 - a public function, as `os._exit`
        expire(out, event, raw)

    _signal.signal(_signal.SIGALRM, expired)
    _signal.pthread_sigmask(
        _signal.SIG_UNBLOCK, (_signal.SIGALRM,)
    )  # a blocked signal is inherited
    set_alarm(DEADLINE_SECONDS)


def set_alarm(seconds: float) -> None:
    """Set the deadline to this many seconds from now; 0 ends it, as a second answer could not be read."""
    _signal.setitimer(_signal.ITIMER_REAL, seconds)


def own_environment() -> dict[str, str]:
    """The environment with which this process started, in the form of ``os.environ``."""
    if sys.platform == "win32":
        return dict(system.environ)
    return {_decode(name): _decode(value) for name, value in system.environ.items()}


def _decode(text: bytes) -> str:
    return text.decode(sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())


def _encode(text: str) -> bytes:
    return text.encode(sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())


def ask_resident(
    host: str,
    raw: bytes,
    env: "Mapping[str, str]",
    folder: str | None = None,
    mask: int | None = None,
) -> Reply | None:
    """The resident's answer to this event; None if the hook must decide on its own.

    It is answered with this ``env``, ``folder`` and ``mask`` (umask), by default this process's own.

    TimeoutError: the go-ahead was sent and no answer came, so no one else may act for this event.
    """
    if host != "claude" or not any(b'"%s"' % name.encode() in raw for name in FORWARDED):
        return None
    try:
        connection = connect(env)
    except OSError:
        return None
    if connection is None:
        return None
    folder = _working_folder() if folder is None else folder
    mask = current_umask() if mask is None else mask
    return exchange(connection, encode_request(raw, encode_environment(env), folder, mask), env)


def exchange(connection: "Any", asked: bytes, env: "Mapping[str, str]") -> Reply | None:
    """The same over an open connection; ``env`` identifies the resident at its other end."""
    try:
        connection.sendall(asked)
        first, rest = _read_line(connection)
        if not first.startswith(b"+"):
            reply = _read_reply(connection, first, rest)
            if reply is not None:
                reply.is_last = False
            return reply
        pid = int(first[1:])
        connection.settimeout(ANSWER_SECONDS)
        connection.sendall(b".")
    except TimeoutError:
        kill_hung(connection, socket_path(env))
        return None
    except (OSError, ValueError):
        return None
    return _wait_for_fork(connection, pid)


def _wait_for_fork(connection: "Any", pid: int) -> Reply | None:
    """The answer of the forked process that has the go-ahead; None if it ended without one."""
    try:
        return _read_reply(connection, *_read_line(connection))
    except TimeoutError:
        # The connection is open, so the process still runs: it must not act any more. The other end
        # reported the PID; it is only trusted to end a process of ours.
        if pid > 1 and (
            not sys.platform.startswith("linux") or is_own_process(pid, RESIDENT_OPTION)
        ):
            system.kill(pid, 9)
        raise
    except OSError:
        return None


def kill_hung(connection: "Any", path: str) -> int:
    """Kill a resident that no longer accepts requests: every call of this user would wait for it.

    Returns its PID; 0 if none was killed. One that is merely busy touches its socket at each request
    (``resident.server``).
    """
    pid = _peer_ids(connection)[0]
    try:
        age = time.time() - system.stat(path).st_mtime
        is_busy = -_MAX_CLOCK_STEP_BACK < age < ACCEPT_SECONDS
        if not is_busy and is_own_process(pid, RESIDENT_OPTION):
            system.kill(pid, 9)
            return pid
    except OSError:
        return 0  # it has exited
    return 0


def is_own_process(pid: int, option: str) -> bool:
    """Whether the process is our ``hook.py`` with this argument; False if that cannot be determined."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().endswith(b"hook.py\0%s\0" % option.encode())
    except OSError:
        return False


def _peer_ids(connection: "Any") -> tuple[int, int]:
    """PID and user ID at the other end of the socket, on Linux; (0, -1) elsewhere."""
    if not sys.platform.startswith("linux"):
        return 0, -1
    ids = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    return int.from_bytes(ids[:4], sys.byteorder), int.from_bytes(ids[4:8], sys.byteorder)


def query(connection: "Any", kind: bytes) -> Reply | None:
    """The reply to ``status`` or ``stop``."""
    connection.sendall(encode_request(b"", b"", "", 0, kind))
    return _read_reply(connection, *_read_line(connection))


def _working_folder() -> str:
    try:
        return system.getcwd()
    except OSError:
        return ""  # it was deleted


def current_umask() -> int:
    """The umask, so that files written for this process get the modes that it would give them."""
    mask = system.umask(0o077)
    system.umask(mask)
    return mask


def encode_environment(env: "Mapping[str, str]") -> bytes:
    """An environment as bytes for a request."""
    return _encode("\0".join([f"{name}={value}" for name, value in env.items()]))


def encode_request(
    raw: bytes, variables: bytes, folder: str, mask: int, kind: bytes = b"call"
) -> bytes:
    """A request as bytes; ``variables`` is an environment (``encode_environment``).

    ``kind`` is ``call``, ``status`` or ``stop``.
    """
    parts = (code_version().encode(), _encode(folder), variables, raw)
    lengths = b" ".join([b"%d" % len(part) for part in parts])
    return b"%s %s %o %s\n" % (PROTOCOL, kind, mask, lengths) + b"".join(parts)


def _read_line(connection: "Any") -> tuple[bytes, bytes]:
    """The first line that arrives, and the bytes after it that arrived with it."""
    data = b""
    while b"\n" not in data:
        chunk = connection.recv(_MAX_LINE_BYTES)
        if not chunk or len(data) > _MAX_LINE_BYTES:
            raise ConnectionError("the resident closed the connection")
        data += chunk
    line, _, rest = data.partition(b"\n")
    return line, rest


def _read_reply(connection: "Any", line: bytes, body: bytes) -> Reply | None:
    if not line.startswith(b"="):
        return None
    answer, stderr = map(int, line[1:].split())
    while len(body) < answer + stderr:
        chunk = connection.recv(answer + stderr - len(body))
        if not chunk:
            raise ConnectionError("the resident closed the connection")
        body += chunk
    return Reply(body[:answer], body[answer:])


def connect(env: "Mapping[str, str]") -> "Any":
    """A connection to the resident of this user and installation; None if there can be none.

    OSError: none runs now.
    """
    if sys.platform == "win32" or env.get(RESIDENT_VARIABLE) == "off":
        return None
    path = socket_path(env)
    if not path:
        return None
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connection.settimeout(ACCEPT_SECONDS)
    connection.connect(path)
    if not _is_own_socket(connection, _folder_of(path)):
        raise ConnectionError("the socket is not this user's")
    return connection


def _is_own_socket(connection: "Any", folder: str) -> bool:
    """Whether only this user can have created the socket, and on Linux, whether this user did."""
    found = system.stat(folder)
    if found.st_uid != system.geteuid() or found.st_mode & 0o077:
        return False
    return not sys.platform.startswith("linux") or _peer_ids(connection)[1] == system.geteuid()


def socket_path(env: "Mapping[str, str]") -> str:
    """Where the resident of this user and this installation listens; "" if it cannot.

    An installation is its package and its interpreter, identified by device and inode. A container
    that shares the home sees other files and processes, so it has a resident of its own. Without a
    home, or if its path is too long for a socket, every hook decides on its own.
    """
    folder = locations.known_user_dir(env)
    known = [_folder_of(__file__), _folder_of(sys.executable)]
    try:
        if sys.platform.startswith("linux"):
            known += ["/proc/self/ns/mnt", "/proc/self/ns/pid"]
        found = [system.stat(each) for each in known]
    except OSError:
        return ""
    # The hash of numbers is the same in every process of this interpreter, and needs no import.
    name = hash(tuple((each.st_dev, each.st_ino) for each in found)) & (1 << 64) - 1
    path = f"{folder}/run/{name:016x}.sock" if folder else ""
    return path if len(_encode(path)) <= MAX_SOCKET_PATH_BYTES else ""


def _folder_of(path: str) -> str:
    """The folder of an absolute path; the interpreter names its files by such."""
    return path.rpartition("/")[0]


def lock_path(env: "Mapping[str, str]") -> str:
    return socket_path(env)[: -len("sock")] + "lock"


def off_path(env: "Mapping[str, str]") -> str:
    """The file that switches the resident off; "" without a home."""
    folder = locations.known_user_dir(env)
    return f"{folder}/run/off" if folder else ""


def code_version() -> str:
    """Identifies this code: a resident that runs other code does not answer."""
    found = system.stat(__file__)
    parts = (__version__, sys.hexversion, found.st_mtime_ns, found.st_ino)
    return " ".join(map(str, parts))


def code_files(paths: "Iterable[str]" = ()) -> dict[str, tuple[int, int]]:
    """Time and inode, now, of every loaded file of ours, or of ``paths``."""
    if not paths:
        modules = list(sys.modules.items())
        ours = [module for name, module in modules if name.partition(".")[0] == "operators_edge"]
        paths = [path for path in (getattr(each, "__file__", None) for each in ours) if path]
    found = {}
    for path in paths:
        try:
            status = system.stat(path)
        except OSError:
            found[path] = (0, 0)
            continue
        found[path] = (status.st_mtime_ns, status.st_ino)
    return found


# end of module
