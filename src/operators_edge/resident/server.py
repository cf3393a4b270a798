"""The resident itself: one thread that accepts events, and a forked process for each that needs a decision.

Owns the socket, parsing requests, and when the resident ends. Does not own any decision: the answers come
from the hook's own code, run in a process with the hook's environment and folder. The protocol is described
in ``hook_client``.

A fork has everything imported and shares nothing that it changes: it can hang, crash or use up memory as
a hook can, without an effect on other calls. A call that no rule can match needs no fork.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import gc
import os
import selectors
import signal
import socket
import tempfile
import time

from operators_edge import __version__, hook_client, jsons
from operators_edge.errors import EdgeError
from operators_edge.gate import rules
from operators_edge.gate.decide import keep_verdicts
from operators_edge.hosts.claude import before_event
from operators_edge.integrity import facts as integrity_facts, service as integrity_service
from operators_edge.resident import http_watch, lifecycle, warmup
from operators_edge.storage import transport
from operators_edge.storage.process_lock import acquire
from operators_edge.system import installation
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    class EventHandler(Protocol):
        """The process hook's own code (``hook_local``), which imports this package and not the reverse."""

        def answer(self, host: str, event: dict[str, object]) -> str:
            """The answer as text."""

        def failure(self, event: dict[str, object], why: str) -> str:
            """The answer if no decision can be made."""

        def report(self, event: Mapping[str, object], error: Exception) -> None:
            """Write a report of an unexpected error, in bounded time."""


IDLE_SECONDS = 30 * 60.0
"""After this time without a request the resident ends; the next session starts another."""

CHECK_SECONDS = 3.0
"""How often it checks whether to end: its socket deleted, its code changed."""

REQUEST_SECONDS = 5.0
"""For a request to arrive completely, and for the go-ahead after it."""

KEEPALIVE_SECONDS = 120.0
"""How long a connection may be idle between two requests."""

CHILD_SECONDS = 8.5
"""The deadline of a forked process: below the time that its hook waits (``hook_client.ANSWER_SECONDS``)."""

MAX_REQUEST_BYTES = 68 << 20
"""Of one request: the largest event that a hook takes, and its environment."""

_MAX_HEADER_BYTES = 120

CHUNK_BYTES = 1 << 16
"""Bytes received at once; a larger buffer would be allocated and freed each time."""

MAX_INLINE_BYTES = 32 * 1024
"""Events up to this size may be answered without a fork."""

_MAX_INHERITED_FD = 1024

_REPLACED = "its code has changed"

_WORKTREE_TOOLS = ("EnterWorktree", "ExitWorktree")


class Request(NamedTuple):
    """What a hook sent: the event ``raw``, and its own umask, folder and environment.

    ``kind`` is ``call``, ``status`` or ``stop``; ``stamp`` identifies the hook's code.
    """

    kind: str
    mask: int
    stamp: str
    folder: str
    env: Mapping[str, str]
    raw: bytes


class Connection:
    """One connection, and what has arrived of its request."""

    __slots__ = ("data", "end", "is_reused", "since")

    def __init__(self, end: socket.socket, since: float) -> None:
        self.end = end
        self.data = bytearray()
        self.since = since
        self.is_reused = False
        """Whether a request was answered on it before: the http server keeps its connections."""

    def is_late(self, now: float) -> bool:
        is_between = self.is_reused and not self.data
        return now - self.since > (KEEPALIVE_SECONDS if is_between else REQUEST_SECONDS)


class Resident:
    """``run`` serves until it is idle for too long, is asked to end, or its code has changed."""

    def __init__(
        self, path: str, listening: socket.socket, lock: int, handler: EventHandler
    ) -> None:
        self.handler = handler
        self.path = path
        self.listening = listening
        self._lock = lock
        self.stamp = hook_client.code_version()
        self.code = {**hook_client.code_files(), **hook_client.code_files(rules.source_files())}
        rules.pin_shipped_packs()
        keep_verdicts()
        self._folders = hook_client.code_files(set(map(os.path.dirname, self.code)))
        self._is_development = integrity_facts.is_development(installation.current())
        self.began = time.time()
        self.counts = {"quiet": 0, "answered": 0, "declined": 0}
        self.identity = _identity(path)
        self._connections: dict[int, Connection] = {}
        self._selector = selectors.DefaultSelector()
        self._last_request = time.monotonic()
        self._end_reason = ""

    def run(self) -> str:
        """Serve; returns why it ended."""
        signal.signal(signal.SIGTERM, lambda *_: self._end("asked to end"))
        # Both may be inherited: exit codes could not be read, and no fork would have a deadline.
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        self.listening.setblocking(False)
        self._selector.register(self.listening, selectors.EVENT_READ)
        gc.collect()
        gc.freeze()
        checked = time.monotonic()
        while not self._end_reason:
            _reap_children()
            for key, _ in self._selector.select(CHECK_SECONDS):
                self._touch_socket()
                if key.fileobj is self.listening:
                    self._accept()
                elif key.fd in self._connections:
                    self._read(self._connections[key.fd])
            if time.monotonic() - checked >= CHECK_SECONDS:
                checked = time.monotonic()
                self._check()
        if self._end_reason == _REPLACED and not self._is_development:
            self._note_replaced()
        return self._end_reason

    def _note_replaced(self) -> None:
        """Leave word, as the code that was recorded: what is on the disk now may say nothing of it."""
        now = integrity_facts.version_of(installation.PACKAGE)
        text = f"Operator's Edge {__version__} was replaced while sessions used it (now: {now or 'nothing'})"
        with contextlib.suppress(
            EdgeError, OSError
        ):  # no home, or a full disk: nobody can hear of it
            integrity_service.notice(text)

    def _touch_socket(self) -> None:
        """Show that it is not hung: a hook that waits too long kills a resident that is."""
        with contextlib.suppress(OSError):
            os.utime(self.path)

    def _end(self, why: str) -> None:
        self._end_reason = self._end_reason or why

    def _check(self) -> None:
        now = time.monotonic()
        for connection in [each for each in self._connections.values() if each.is_late(now)]:
            self._drop(connection)
        if _identity(self.path) != self.identity:
            self._end("its socket is gone")
        elif hook_client.code_files(self.code) != self.code:
            self._end(_REPLACED)
        elif lifecycle.is_switched_off(os.environ):
            self._end("nobody wants it")  # switched off while it was starting
        elif now - self._last_request > IDLE_SECONDS:
            self._end("nobody asked")
        if not self._end_reason and os.path.exists(transport.path(os.environ)):
            self._watch_http()

    def _watch_http(self) -> None:
        """Check the http transport: between two prompts nothing else would notice that it failed."""
        if os.fork():
            return
        try:
            self._close_inherited()
            http_watch.check_all_sessions()
        finally:
            os._exit(0)

    # -- accepting requests ----------------------------------------------------------------------

    def _accept(self) -> None:
        try:
            end, _ = self.listening.accept()
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE) and self._connections:
                self._drop(next(iter(self._connections.values())))  # the oldest
            return  # or it was closed again
        end.setblocking(False)
        self._connections[end.fileno()] = Connection(end, time.monotonic())
        self._selector.register(end, selectors.EVENT_READ)

    def _drop(self, connection: Connection) -> None:
        self._connections.pop(connection.end.fileno(), None)
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(connection.end)
        connection.end.close()

    def _read(self, connection: Connection) -> None:
        try:
            chunk = connection.end.recv(CHUNK_BYTES)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not connection.data:
            connection.since = time.monotonic()
        connection.data += chunk
        is_kept = bool(chunk)
        try:
            request = parse_request(connection.data)
            if request is not None:
                is_kept = self._answer(connection, request)
                connection.data = bytearray()
        except ValueError:
            is_kept = False
        except OSError:
            self.counts["declined"] += 1  # the hook closed it: it decides on its own
            is_kept = False
        if not is_kept:
            self._drop(connection)

    def _answer(self, connection: Connection, request: Request) -> bool:
        """Answer a request, or fork a process that does; whether the connection stays open."""
        self._last_request = time.monotonic()
        if request.kind != "call":
            connection.end.sendall(encode_reply(jsons.dumps(self._status(request.kind)).encode()))
            return False
        event = self._answerable_event(request)
        if event is None:
            self.counts["declined"] += 1
            connection.end.sendall(b"-\n")
            return False
        if self._is_silent(event, request):
            self.counts["quiet"] += 1
            connection.end.sendall(encode_reply(b""))
            connection.is_reused = True
            return True
        self.counts["answered"] += 1
        connection.end.settimeout(REQUEST_SECONDS)
        self._fork(connection, event, request)
        return False

    def _answerable_event(self, request: Request) -> dict[str, Any] | None:
        """The event, if the resident may answer it."""
        # An upgrade creates files, which changes their folders: seen at once. A file that is rewritten in
        # place, as by an editor, is seen at the next check.
        if request.stamp != self.stamp or hook_client.code_files(self._folders) != self._folders:
            self._end(_REPLACED)
            return None
        try:
            event = jsons.loads(request.raw.decode("utf-8", "surrogatepass"))
        except (ValueError, RecursionError):
            return None
        if not isinstance(event, dict) or event.get("hook_event_name") not in hook_client.FORWARDED:
            return None
        # Entering a worktree changes the session's root, for which the hook must be the client's child.
        folder = event.get("cwd")
        if event.get("tool_name") in _WORKTREE_TOOLS or not isinstance(folder, str):
            return None
        if not os.path.isabs(folder):
            return None
        return event

    def _is_silent(self, event: dict[str, Any], request: Request) -> bool:
        """Whether the answer is empty, found without a fork; a large event could delay all others.

        What is loaded for that, such as the rules of the event's project, every fork inherits.
        """
        if len(request.raw) > MAX_INLINE_BYTES:
            return False
        try:
            return before_event.is_silent(event, request.env)
        except Exception:  # noqa: BLE001 - the fork reports what is wrong
            return False

    def _status(self, kind: str) -> dict[str, Any]:
        if kind == "stop":
            self._end("asked to end")
        return {
            "pid": os.getpid(),
            "since": self.began,
            "stamp": self.stamp,
            **self.counts,
        }

    # -- deciding --------------------------------------------------------------------------------

    def _fork(self, connection: Connection, event: dict[str, Any], request: Request) -> None:
        """Fork a process that answers the event as a process hook would."""
        if os.fork():
            return
        status = 1
        try:
            self._close_inherited(connection)
            _answer_in_fork(connection.end, event, request, self.handler)
            status = 0
        finally:
            os._exit(status)

    def _close_inherited(self, kept: Connection | None = None) -> None:
        """In a fork: close what belongs to the resident, so that nothing waits for the fork's end."""
        os.close(self._lock)
        self._selector.close()
        self.listening.close()
        for other in self._connections.values():
            if other is not kept:
                other.end.close()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _reap_children() -> None:
    """Reap the forked processes that have exited.

    With SIGCHLD ignored the system would do it. But then no exit code of any program could be read, here
    and in every program started from here: all of them would seem to succeed.
    """
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _answer_in_fork(
    end: socket.socket, event: dict[str, Any], request: Request, handler: EventHandler
) -> None:
    """In the forked process: wait for the go-ahead, and answer."""
    end.sendall(b"+%d\n" % os.getpid())
    if end.recv(1) != b".":
        return  # the hook decides on its own
    stderr = _capture_stderr()

    def expired(_number: int, _frame: object) -> None:
        _reply(end, handler.failure(event, "no answer in time"), stderr)
        os._exit(0)

    signal.signal(signal.SIGALRM, expired)
    signal.setitimer(signal.ITIMER_REAL, CHILD_SECONDS)
    os.umask(request.mask & 0o777)
    os.environ.clear()
    os.environ.update(request.env)
    time.tzset()
    broken: Exception | None = None
    try:
        _change_folder(request.folder)
        text = handler.answer("claude", event)
    except Exception as error:  # noqa: BLE001 - the hook's edge: no error may let a call run
        broken, text = error, handler.failure(event, f"{type(error).__name__}: {error}")
    signal.setitimer(signal.ITIMER_REAL, 0)
    _reply(end, text, stderr)
    if broken is not None:
        handler.report(event, broken)


def _change_folder(folder: str) -> None:
    """Change to the hook's folder; to the root if it is deleted or not accessible any more."""
    try:
        os.chdir(folder or os.sep)
    except OSError:
        os.chdir(os.sep)


def _capture_stderr() -> int:
    """Capture what is written to stderr, for the hook to pass on; returns the file's descriptor."""
    if hasattr(os, "memfd_create"):
        fd = os.memfd_create("stderr")
    else:
        with tempfile.TemporaryFile() as file:  # macOS
            fd = os.dup(file.fileno())
    os.dup2(fd, 2)
    return fd


def _reply(end: socket.socket, text: str, stderr: int) -> None:
    said = os.pread(stderr, 1 << 16, 0)
    end.sendall(encode_reply(text.encode("ascii", "backslashreplace"), said))


def encode_reply(answer: bytes, stderr: bytes = b"") -> bytes:
    return b"=%d %d\n%s%s" % (len(answer), len(stderr), answer, stderr)


def parse_request(data: bytes | bytearray) -> Request | None:
    """The request in these bytes; None while it is incomplete. ValueError: it is not a request."""
    end = data.find(b"\n", 0, _MAX_HEADER_BYTES)
    if end < 0:
        if len(data) > _MAX_HEADER_BYTES:
            raise ValueError("no request")
        return None
    words = bytes(data[:end]).split()
    if len(words) != 7 or words[0] != hook_client.PROTOCOL:
        raise ValueError("no request")
    mask, lengths = int(words[2], 8), [int(word) for word in words[3:]]
    if min(lengths) < 0 or sum(lengths) > MAX_REQUEST_BYTES:
        raise ValueError("no request")
    at = end + 1
    if len(data) < at + sum(lengths):
        return None
    if len(data) > at + sum(lengths):
        raise ValueError("no request")  # no request may follow before the answer
    parts = []
    for length in lengths:
        parts.append(bytes(data[at : at + length]))
        at += length
    environment = (
        _decode_environment if lengths[2] <= MAX_INLINE_BYTES else _decode_environment.__wrapped__
    )
    env = environment(parts[2])
    return Request(words[1].decode(), mask, parts[0].decode(), os.fsdecode(parts[1]), env, parts[3])


@functools.lru_cache(maxsize=32)
def _decode_environment(variables: bytes) -> Mapping[str, str]:
    """Decode a request's environment; cached, because all calls of a client bring the same."""
    env = {}
    for each in filter(None, variables.split(b"\0")):
        name, _, value = each.partition(b"=")
        env[os.fsdecode(name)] = os.fsdecode(value)
    return env


# -- one for each user and installation ------------------------------------------------------------


def listen(env: Mapping[str, str]) -> tuple[str, socket.socket]:
    """The path and the listening socket, which replaces a dead resident's; the caller has the lock."""
    path = hook_client.socket_path(env)
    draft = f"{path}.{os.getpid()}"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(draft)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind(draft)
    os.chmod(draft, 0o600)
    listening.listen(256)
    os.replace(draft, path)
    return path, listening


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


# -- starting --------------------------------------------------------------------------------------


def main(handler: EventHandler, env: Mapping[str, str] = os.environ) -> int:
    """Serve until the resident ends; 0 even if another one runs already. Prints its state on stdout."""
    if not hook_client.socket_path(env):
        return _report("no socket can be made for this user")
    os.chdir(os.sep)  # so that it keeps no file system from being unmounted
    os.closerange(
        3, _MAX_INHERITED_FD
    )  # a pipe of the starting process, left open, would never end
    lock = acquire(hook_client.lock_path(env), env)
    if lock is None:
        return _report("another one serves")
    if lifecycle.is_switched_off(env):
        return _report("nobody wants it")
    warmup.warm_up(os.path.dirname(hook_client.socket_path(env)))
    path, listening = listen(env)
    resident = Resident(path, listening, lock, handler)
    _report("ready")
    why = resident.run()
    if _identity(path) == resident.identity:
        os.unlink(path)
    return _report(why)


def _report(text: str) -> int:
    os.write(1, f"{text}\n".encode())
    return 0


# end of module
