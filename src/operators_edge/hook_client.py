"""The first half of the process hook, on every tool call of an agent: read the event, ask the resident.

Owns reading, the deadline, where the resident listens, what is sent and how long is waited. Does not own
any decision: where the resident has no answer, this process decides by itself (``hook_local``).

What the resident answers costs little more than the start of an interpreter, so this imports nothing that
is not there already. ``os`` alone would cost as much as everything else here.

An exchange, on a socket that is the user's alone:

    hook      edge2 call MASK L1 L2 L3 L4, then the stamp, folder, environment and event of these
              lengths; MASK is its umask
    resident  "-"            it has no answer to this: decide yourself
              "=N M"         the answer of N bytes, then M bytes of complaints
              "+PID"         a process of this number has it and waits for the word
    hook      "."            go on; from now on it is that process which acts, and not the hook
    resident  "=N M"         as above

Before the word nothing has been done for the event, so a hook that gives up may decide by itself. An
answer that came without a word leaves the connection open for the next exchange.
"""

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
"""Below the 15 s after which the client gives up on a hook and lets the call run."""

MAX_EVENT_BYTES = 64 * 1024 * 1024

HAS_ALARM = hasattr(system, "fork")
"""Whether a signal can end a wait: everywhere but on Windows."""

PROTOCOL = b"edge2"

FORWARDED = ("PreToolUse", "PostToolUse", "PostToolUseFailure")
"""The events of tool calls. Prompts and sessions are about who the process is that was started for them."""

TAKEN_SECONDS = 1.0
"""How long a resident may take to take an event; one that takes longer hangs, and is passed over."""

ANSWER_SECONDS = 9.0
"""How long it may take to answer after it has the word: below the hook's own deadline."""

MOST_OF_A_PATH = 92
"""Bytes of a socket's path: every system takes 103, and it is made under a longer name first."""

STAY = "--stay"
"""The word with which ``hook.py`` becomes the resident."""

OFF = "EDGE_RESIDENT"
"""``EDGE_RESIDENT=off`` in the environment: no resident is asked or started."""

_MOST_SET_BACK = 10.0
"""Seconds by which a clock may be set back before a time that has not come yet means nothing."""

_AROUND_A_LINE = 4096

_CHUNK = 1 << 16

_BLOCKED = 2
"""The exit code that keeps a call from running: the last word, where no other is heard."""


class Reply:
    """What goes to the client: ``answer`` on stdout, ``complaints`` on stderr.

    ``is_last`` is False where the resident takes the next request over the same connection.
    """

    __slots__ = ("answer", "complaints", "is_last")

    def __init__(self, answer: bytes, complaints: bytes = b"") -> None:
        self.answer = answer
        self.complaints = complaints
        self.is_last = True


def main(
    host: str, load: "Callable[[], ModuleType]", broken: "Callable[[bytes, int, Exception], int]"
) -> int:
    """Answer one event; 0, because hosts read other codes as words of their own.

    ``load`` gives the second half (``answering``), and ``broken`` says what there is to say without it.
    """
    _hold_streams()
    # Whatever a library prints must not mix with the answer: the real stdout is kept aside.
    out = system.dup(1)
    system.dup2(2, 1)
    event: dict[str, object] = {}
    read, why = bytearray(), ""
    _start_deadline(out, event, read, load, broken)
    try:
        _read(read)
        known = resident(host, bytes(read), own_environment())
    except Exception as error:  # noqa: BLE001 - the hook's edge: nothing may fall open
        known, why = None, f"{type(error).__name__}: {error}"
    raw = bytes(read)
    try:
        if known is not None:
            _end_deadline()
            complain(known.complaints)
            write(out, known.answer)
            return 0
        try:
            answering = load()
        except Exception as error:  # noqa: BLE001 - as above
            return broken(raw, out, error)
        return int(answering.main(host, raw, event, out, why))
    except OSError as error:
        complain(f"operators-edge: the answer could not be given: {error}\n".encode())
        return _BLOCKED if b"PreToolUse" in raw else 0


def _hold_streams() -> None:
    """See that no stream is closed: the next file that is opened would be it, and get what it is told."""
    if sys.platform == "win32":
        return
    for each in (0, 1, 2):
        try:
            system.fstat(each)
        except OSError:
            # It becomes the lowest free number. What is written there fails, as it should.
            system.open("/dev/null", system.O_RDONLY)


def _read(raw: bytearray) -> None:
    while chunk := system.read(0, _CHUNK):
        raw += chunk
        if len(raw) > MAX_EVENT_BYTES:
            raise ValueError(f"the event is larger than {MAX_EVENT_BYTES >> 20} MB")


def write(answer: int, data: bytes) -> None:
    while data:
        data = data[system.write(answer, data) :]


def complain(text: bytes) -> None:
    """Say it on stderr; where that takes nothing, the answer is given all the same."""
    try:
        write(2, text)
    except OSError:
        return


def _start_deadline(
    out: int,
    event: dict[str, object],
    raw: bytearray,
    load: "Callable[[], ModuleType]",
    broken: "Callable[[bytes, int, Exception], int]",
) -> None:
    """Answer by ourselves before the client stops waiting, because its time-out lets the call run."""
    if not HAS_ALARM:
        load().start_timer(out, event, raw, DEADLINE_SECONDS)
        return
    # `signal` imports enum, which costs as much as json.
    import _signal  # type: ignore[import-not-found]  # noqa: PLC0415

    def expired(_number: int, _frame: object) -> None:
        try:
            expire = load().expire
        except Exception as error:  # noqa: BLE001 - it was being loaded just now, or cannot be
            broken(b"PreToolUse", out, error)
            system._exit(0)  # noqa: SLF001 - as everybody else calls it
        expire(out, event, raw)

    _signal.signal(_signal.SIGALRM, expired)
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGALRM,))  # as it may be inherited
    _signal.setitimer(_signal.ITIMER_REAL, DEADLINE_SECONDS)


def _end_deadline() -> None:
    """The answer is there: a second one behind it would make both unreadable."""
    if HAS_ALARM:
        import _signal  # noqa: PLC0415 - see above

        _signal.setitimer(_signal.ITIMER_REAL, 0)


def own_environment() -> dict[str, str]:
    """The environment with which the process began, as ``os.environ`` has it."""
    if sys.platform == "win32":
        return dict(system.environ)
    return {_decoded(name): _decoded(value) for name, value in system.environ.items()}


def _decoded(text: bytes) -> str:
    return text.decode(sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())


def _encoded(text: str) -> bytes:
    return text.encode(sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())


def resident(
    host: str,
    raw: bytes,
    env: "Mapping[str, str]",
    folder: str | None = None,
    mask: int | None = None,
) -> Reply | None:
    """The resident's answer to this event; None where the hook has to find its own.

    ``env``, ``folder`` and ``mask`` (of files' modes) are those in which it is answered; without the
    latter two, this process's own.

    TimeoutError: it was given the word and did not answer, so nobody else may act for this event.
    """
    if host != "claude" or not any(b'"%s"' % name.encode() in raw for name in FORWARDED):
        return None
    try:
        connection = connect(env)
    except OSError:
        return None
    if connection is None:
        return None
    folder = _here() if folder is None else folder
    mask = own_mask() if mask is None else mask
    return answered(connection, request(raw, packed(env), folder, mask), env)


def answered(connection: "Any", asked: bytes, env: "Mapping[str, str]") -> Reply | None:
    """The same over a connection that is there; ``env`` tells whose resident is at its other end."""
    try:
        connection.sendall(asked)
        first, rest = _line(connection)
        if not first.startswith(b"+"):
            reply = _body(connection, first, rest)
            if reply is not None:
                reply.is_last = False
            return reply
        pid = int(first[1:])
        connection.settimeout(ANSWER_SECONDS)
        connection.sendall(b".")
    except TimeoutError:
        end_hung(connection, socket_path(env))
        return None
    except (OSError, ValueError):
        return None
    return _awaited(connection, pid)


def _awaited(connection: "Any", pid: int) -> Reply | None:
    """The answer of the process that has the word; None when it is gone without one."""
    try:
        return _body(connection, *_line(connection))
    except TimeoutError:
        # It is still there, for the connection is: it must not act any more. Its number is what
        # the other end says; nothing else is ended for its word.
        if pid > 1 and (not sys.platform.startswith("linux") or is_one_of_us(pid, STAY)):
            system.kill(pid, 9)
        raise
    except OSError:
        return None


def end_hung(connection: "Any", path: str) -> int:
    """End a resident that takes nothing any more: every call of this user would wait for it.

    Its number; 0 where none was ended. One that has too much to do is not hung: its socket's time says
    that it goes on (``serve``).
    """
    pid = _peer(connection)[0]
    try:
        age = time.time() - system.stat(path).st_mtime
        is_busy = -_MOST_SET_BACK < age < TAKEN_SECONDS
        if not is_busy and is_one_of_us(pid, STAY):
            system.kill(pid, 9)
            return pid
    except OSError:
        return 0  # it is gone
    return 0


def is_one_of_us(pid: int, word: str) -> bool:
    """Whether the process is what our ``hook.py`` becomes with the word; False where nobody tells."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().endswith(b"hook.py\0%s\0" % word.encode())
    except OSError:
        return False


def _peer(connection: "Any") -> tuple[int, int]:
    """Process and user behind the socket, on Linux; (0, -1) elsewhere."""
    if not sys.platform.startswith("linux"):
        return 0, -1
    import _socket  # noqa: PLC0415 - see connect

    names = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    return int.from_bytes(names[:4], sys.byteorder), int.from_bytes(names[4:8], sys.byteorder)


def exchange(connection: "Any", kind: bytes) -> Reply | None:
    """The reply to a request that nobody has to act for."""
    connection.sendall(request(b"", b"", "", 0, kind))
    return _body(connection, *_line(connection))


def _here() -> str:
    try:
        return system.getcwd()
    except OSError:
        return ""  # it was removed


def own_mask() -> int:
    """The umask: what is written for a process has the modes that its own would have given."""
    mask = system.umask(0o077)
    system.umask(mask)
    return mask


def packed(env: "Mapping[str, str]") -> bytes:
    """An environment as it is sent."""
    return _encoded("\0".join([f"{name}={value}" for name, value in env.items()]))


def request(raw: bytes, variables: bytes, folder: str, mask: int, kind: bytes = b"call") -> bytes:
    """A request as it is sent; ``variables`` are ``packed``."""
    parts = (stamp().encode(), _encoded(folder), variables, raw)
    lengths = b" ".join([b"%d" % len(part) for part in parts])
    return b"%s %s %o %s\n" % (PROTOCOL, kind, mask, lengths) + b"".join(parts)


def _line(connection: "Any") -> tuple[bytes, bytes]:
    """The first line that comes, and what came with it of the rest."""
    data = b""
    while b"\n" not in data:
        chunk = connection.recv(_AROUND_A_LINE)
        if not chunk or len(data) > _AROUND_A_LINE:
            raise ConnectionError("the resident went away")
        data += chunk
    line, _, rest = data.partition(b"\n")
    return line, rest


def _body(connection: "Any", line: bytes, body: bytes) -> Reply | None:
    if not line.startswith(b"="):
        return None
    answer, complaints = map(int, line[1:].split())
    while len(body) < answer + complaints:
        chunk = connection.recv(answer + complaints - len(body))
        if not chunk:
            raise ConnectionError("the resident went away")
        body += chunk
    return Reply(body[:answer], body[answer:])


def connect(env: "Mapping[str, str]") -> "Any":
    """A connection to the resident of this user and installation; None where there can be none.

    OSError where there is none now.
    """
    if sys.platform == "win32" or env.get(OFF) == "off":
        return None
    path = socket_path(env)
    if not path:
        return None
    import _socket  # noqa: PLC0415 - `socket` costs more than the interpreter

    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connection.settimeout(TAKEN_SECONDS)
    connection.connect(path)
    if not _is_ours(connection, _above(path)):
        raise ConnectionError("the socket is not this user's")
    return connection


def _is_ours(connection: "Any", folder: str) -> bool:
    """Whether this user alone can have made the socket, and on Linux, whether this user did."""
    found = system.stat(folder)
    if found.st_uid != system.geteuid() or found.st_mode & 0o077:
        return False
    return not sys.platform.startswith("linux") or _peer(connection)[1] == system.geteuid()


def socket_path(env: "Mapping[str, str]") -> str:
    """Where the resident of this user and this installation listens; "" where it cannot.

    An installation is its package and its interpreter, known by their places on the disk. A container
    that shares the home sees other files and processes, so it has a resident of its own. Without a
    home, or with one whose path is too long for a socket, every hook decides by itself.
    """
    folder = locations.known_user_dir(env)
    known = [_above(__file__), _above(sys.executable)]
    try:
        if sys.platform.startswith("linux"):
            known += ["/proc/self/ns/mnt", "/proc/self/ns/pid"]
        found = [system.stat(each) for each in known]
    except OSError:
        return ""
    # Of numbers, so it is the same in every process of this interpreter, and imports nothing.
    name = hash(tuple((each.st_dev, each.st_ino) for each in found)) & (1 << 64) - 1
    path = f"{folder}/run/{name:016x}.sock" if folder else ""
    return path if len(_encoded(path)) <= MOST_OF_A_PATH else ""


def _above(path: str) -> str:
    """The folder of an absolute path, which is what the interpreter calls its files."""
    return path.rpartition("/")[0]


def lock_path(env: "Mapping[str, str]") -> str:
    return socket_path(env)[: -len("sock")] + "lock"


def stamp() -> str:
    """Which code this is: a resident of other code has no answer for us."""
    found = system.stat(__file__)
    parts = (__version__, sys.hexversion, found.st_mtime_ns, found.st_ino)
    return " ".join(map(str, parts))


def code_files(paths: "Iterable[str]" = ()) -> dict[str, tuple[int, int]]:
    """Every loaded file of ours, or those of ``paths``, as they lie on the disk now: time and number."""
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
