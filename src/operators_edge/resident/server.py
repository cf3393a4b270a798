"""The resident itself: one thread that takes events, and a forked process for each that has to act.

Owns the socket, taking requests apart, and when the resident ends. Does not own any decision: what it
answers is what the hook's own code says, in a process with the caller's environment and folder.

A fork has everything imported and shares nothing that it changes: it can hang, crash or use up memory
as a hook can, and no other call notices. Calls that no rule can be about need no process of their own.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import gc
import json
import os
import selectors
import signal
import socket
import tempfile
import time
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from operators_edge import hook_client
from operators_edge.gate import rules
from operators_edge.resident import http_watch, lifecycle, warmup
from operators_edge.resident.lock import hold
from operators_edge.storage import transport

if TYPE_CHECKING:
    from collections.abc import Mapping

IDLE_SECONDS = 30 * 60.0
"""A resident that nobody asked for so long ends; the next session starts another."""

LOOK_SECONDS = 3.0
"""How often it looks whether it is still wanted: its socket in place, its code unchanged."""

PATIENCE_SECONDS = 5.0
"""How long a request may take to arrive, and the word after it."""

KEPT_SECONDS = 120.0
"""How long a connection may lie still between two requests."""

CHILD_SECONDS = 8.5
"""The deadline of a process that answers, below the time that its hook waits for it."""

MOST_BYTES = 68 << 20
"""Of one request: the largest event that a hook takes, and its environment."""

_MOST_OF_A_HEAD = 120

CHUNK = 1 << 16
"""Bytes that are received at once; the room for more is asked of the system each time, and given back."""

SMALL_BYTES = 32 * 1024
"""Events up to this size are looked at before a process is made for them."""

_MOST_INHERITED = 1024

_WORKTREE_TOOLS = ("EnterWorktree", "ExitWorktree")


class Deciding(Protocol):
    """The process hook's own code, which stands above this package (``answering``)."""

    def is_silent(self, event: dict[str, object], env: Mapping[str, str]) -> bool:
        """Whether the answer is silence, and nothing is written for it."""

    def answer(self, host: str, event: dict[str, object]) -> str:
        """The answer as text."""

    def failure(self, event: dict[str, object], why: str) -> str:
        """The answer where there is none."""

    def report(self, event: Mapping[str, object], error: Exception) -> None:
        """Write a report of an unexpected error, in bounded time."""


class Request(NamedTuple):
    """What a hook sent: its event, and what it is itself."""

    kind: str
    mask: int
    stamp: str
    folder: str
    env: Mapping[str, str]
    raw: bytes


class Caller:
    """One connection, and what has arrived of its request."""

    __slots__ = ("data", "end", "is_known", "since")

    def __init__(self, end: socket.socket, since: float) -> None:
        self.end = end
        self.data = bytearray()
        self.since = since
        self.is_known = False
        """Whether it was answered before: the holder keeps its connections."""

    def is_late(self, now: float) -> bool:
        is_between = self.is_known and not self.data
        return now - self.since > (KEPT_SECONDS if is_between else PATIENCE_SECONDS)


class Resident:
    """``run`` serves until nobody asks any more, somebody says so, or the code has changed."""

    def __init__(self, path: str, listening: socket.socket, lock: int, deciding: Deciding) -> None:
        self.deciding = deciding
        self.path = path
        self.listening = listening
        self._lock = lock
        self.stamp = hook_client.stamp()
        self.code = {**hook_client.code_files(), **hook_client.code_files(rules.source_files())}
        rules.pin_shipped_packs()
        self._folders = hook_client.code_files(set(map(os.path.dirname, self.code)))
        self.began = time.time()
        self.counts = {"quiet": 0, "answered": 0, "declined": 0}
        self.identity = _identity(path)
        self._callers: dict[int, Caller] = {}
        self._selector = selectors.DefaultSelector()
        self._last_asked = time.monotonic()
        self._why_over = ""

    def run(self) -> str:
        """Serve; returns why it is over."""
        signal.signal(signal.SIGTERM, lambda *_: self._end("asked to end"))
        self.listening.setblocking(False)
        self._selector.register(self.listening, selectors.EVENT_READ)
        gc.collect()
        gc.freeze()
        looked = time.monotonic()
        while not self._why_over:
            _collect()
            for key, _ in self._selector.select(LOOK_SECONDS):
                self._beat()
                if key.fileobj is self.listening:
                    self._accept()
                elif key.fd in self._callers:
                    self._read(self._callers[key.fd])
            if time.monotonic() - looked >= LOOK_SECONDS:
                looked = time.monotonic()
                self._look()
        return self._why_over

    def _beat(self) -> None:
        """Show that it goes on: who waits too long ends a resident that hangs, and no other."""
        with contextlib.suppress(OSError):
            os.utime(self.path)

    def _end(self, why: str) -> None:
        self._why_over = self._why_over or why

    def _look(self) -> None:
        now = time.monotonic()
        for caller in [each for each in self._callers.values() if each.is_late(now)]:
            self._drop(caller)
        if _identity(self.path) != self.identity:
            self._end("its socket is gone")
        elif hook_client.code_files(self.code) != self.code:
            self._end("its code has changed")
        elif lifecycle.is_switched_off(os.environ):
            self._end("nobody wants it")  # it was being started when that was said
        elif now - self._last_asked > IDLE_SECONDS:
            self._end("nobody asked")
        if not self._why_over and os.path.exists(transport.path(os.environ)):
            self._tend()

    def _tend(self) -> None:
        """See that the http transport is held: between two prompts nobody else would notice."""
        if os.fork():
            return
        try:
            self._leave()
            http_watch.everywhere()
        finally:
            os._exit(0)

    # -- taking requests -------------------------------------------------------------------------

    def _accept(self) -> None:
        try:
            end, _ = self.listening.accept()
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE) and self._callers:
                self._drop(next(iter(self._callers.values())))  # the one that has had the most time
            return  # or it went away again
        end.setblocking(False)
        self._callers[end.fileno()] = Caller(end, time.monotonic())
        self._selector.register(end, selectors.EVENT_READ)

    def _drop(self, caller: Caller) -> None:
        self._callers.pop(caller.end.fileno(), None)
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(caller.end)
        caller.end.close()

    def _read(self, caller: Caller) -> None:
        try:
            chunk = caller.end.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not caller.data:
            caller.since = time.monotonic()
        caller.data += chunk
        is_kept = bool(chunk)
        try:
            request = parsed(caller.data)
            if request is not None:
                is_kept = self._take(caller, request)
                caller.data = bytearray()
        except ValueError:
            is_kept = False
        except OSError:
            self.counts["declined"] += 1  # the caller went away: it decides by itself
            is_kept = False
        if not is_kept:
            self._drop(caller)

    def _take(self, caller: Caller, request: Request) -> bool:
        """Answer a request, or have it answered; whether the next may come over the same connection."""
        self._last_asked = time.monotonic()
        if request.kind != "call":
            caller.end.sendall(framed(json.dumps(self._about(request.kind)).encode()))
            return False
        event = self._event(request)
        if event is None:
            self.counts["declined"] += 1
            caller.end.sendall(b"-\n")
            return False
        if self._is_silent(event, request):
            self.counts["quiet"] += 1
            caller.end.sendall(framed(b""))
            caller.is_known = True
            return True
        self.counts["answered"] += 1
        caller.end.settimeout(PATIENCE_SECONDS)
        self._hand_out(caller, event, request)
        return False

    def _event(self, request: Request) -> dict[str, Any] | None:
        """The event, where it is for us to answer."""
        # An upgrade puts new files into their folders, which is seen at once. A file that is written
        # anew in its place, as by an editor, is found at the next look.
        if request.stamp != self.stamp or hook_client.code_files(self._folders) != self._folders:
            self._end("its code has changed")
            return None
        try:
            event = json.loads(request.raw.decode("utf-8", "surrogatepass"))
        except (ValueError, RecursionError):
            return None
        if not isinstance(event, dict) or event.get("hook_event_name") not in hook_client.FORWARDED:
            return None
        # Entering a work tree changes whose session it is, which a hook proves by being one.
        folder = event.get("cwd")
        if event.get("tool_name") in _WORKTREE_TOOLS or not isinstance(folder, str):
            return None
        if not os.path.isabs(folder):
            return None
        return event

    def _is_silent(self, event: dict[str, Any], request: Request) -> bool:
        """Whether it can be answered here; a large one could take its time, and everybody would wait.

        What it loads for that, the rules of the event's project for one, is there for every fork.
        """
        if len(request.raw) > SMALL_BYTES:
            return False
        try:
            return self.deciding.is_silent(event, request.env)
        except Exception:  # noqa: BLE001 - a process of its own says what is wrong
            return False

    def _about(self, kind: str) -> dict[str, Any]:
        if kind == "stop":
            self._end("asked to end")
        return {
            "pid": os.getpid(),
            "since": self.began,
            "stamp": self.stamp,
            **self.counts,
        }

    # -- acting ----------------------------------------------------------------------------------

    def _hand_out(self, caller: Caller, event: dict[str, Any], request: Request) -> None:
        """Fork a process for the event. It is the process hook in all but its start."""
        if os.fork():
            return
        status = 1
        try:
            self._leave(caller)
            _act(caller.end, event, request, self.deciding)
            status = 0
        finally:
            os._exit(status)

    def _leave(self, kept: Caller | None = None) -> None:
        """In a forked process: let go of what is the resident's, so that nobody waits for its end."""
        os.close(self._lock)
        self._selector.close()
        self.listening.close()
        for other in self._callers.values():
            if other is not kept:
                other.end.close()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _collect() -> None:
    """Bury the forked processes that are done.

    The system would do it by itself where SIGCHLD is ignored. But then no exit code of any program
    could be read any more, here and in whatever is started from here: all of them would seem to succeed.
    """
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _act(end: socket.socket, event: dict[str, Any], request: Request, deciding: Deciding) -> None:
    """In the forked process: wait for the word, answer, and be gone."""
    end.sendall(b"+%d\n" % os.getpid())
    if end.recv(1) != b".":
        return  # the hook decides by itself
    complaints = _complaints()

    def expired(_number: int, _frame: object) -> None:
        _reply(end, deciding.failure(event, "no answer in time"), complaints)
        os._exit(0)

    signal.signal(signal.SIGALRM, expired)
    signal.setitimer(signal.ITIMER_REAL, CHILD_SECONDS)
    os.umask(request.mask & 0o777)
    os.environ.clear()
    os.environ.update(request.env)
    time.tzset()
    broken: Exception | None = None
    try:
        _enter(request.folder)
        text = deciding.answer("claude", event)
    except Exception as error:  # noqa: BLE001 - the hook's edge: nothing may fall open
        broken, text = error, deciding.failure(event, f"{type(error).__name__}: {error}")
    signal.setitimer(signal.ITIMER_REAL, 0)
    _reply(end, text, complaints)
    if broken is not None:
        deciding.report(event, broken)


def _enter(folder: str) -> None:
    """Go where the hook was; one that is gone or closed by now is where a hook could still be."""
    try:
        os.chdir(folder or os.sep)
    except OSError:
        os.chdir(os.sep)


def _complaints() -> int:
    """Catch what is written to stderr, which is the hook's to pass on."""
    if hasattr(os, "memfd_create"):
        fd = os.memfd_create("complaints")
    else:
        with tempfile.TemporaryFile() as file:  # macOS
            fd = os.dup(file.fileno())
    os.dup2(fd, 2)
    return fd


def _reply(end: socket.socket, text: str, complaints: int) -> None:
    said = os.pread(complaints, 1 << 16, 0)
    end.sendall(framed(text.encode("ascii", "backslashreplace"), said))


def framed(answer: bytes, complaints: bytes = b"") -> bytes:
    return b"=%d %d\n%s%s" % (len(answer), len(complaints), answer, complaints)


def parsed(data: bytes | bytearray) -> Request | None:
    """The request in these bytes; None while it is not whole, ValueError when it never will be."""
    end = data.find(b"\n", 0, _MOST_OF_A_HEAD)
    if end < 0:
        if len(data) > _MOST_OF_A_HEAD:
            raise ValueError("no request")
        return None
    words = bytes(data[:end]).split()
    if len(words) != 7 or words[0] != hook_client.PROTOCOL:
        raise ValueError("no request")
    mask, lengths = int(words[2], 8), [int(word) for word in words[3:]]
    if min(lengths) < 0 or sum(lengths) > MOST_BYTES:
        raise ValueError("no request")
    at = end + 1
    if len(data) < at + sum(lengths):
        return None
    if len(data) > at + sum(lengths):
        raise ValueError("no request")  # the next comes after the answer: else whose is it?
    parts = []
    for length in lengths:
        parts.append(bytes(data[at : at + length]))
        at += length
    environment = _environment if lengths[2] <= SMALL_BYTES else _environment.__wrapped__
    env = environment(parts[2])
    return Request(words[1].decode(), mask, parts[0].decode(), os.fsdecode(parts[1]), env, parts[3])


@functools.lru_cache(maxsize=32)
def _environment(variables: bytes) -> Mapping[str, str]:
    """What ``asking.packed`` made bytes of; a client's calls all bring the same."""
    env = {}
    for each in filter(None, variables.split(b"\0")):
        name, _, value = each.partition(b"=")
        env[os.fsdecode(name)] = os.fsdecode(value)
    return env


# -- one for each user and installation ------------------------------------------------------------


def listen(env: Mapping[str, str]) -> tuple[str, socket.socket]:
    """The path and the listening socket, in the place of a dead resident's; the lock is held."""
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


def main(deciding: Deciding, env: Mapping[str, str] = os.environ) -> int:
    """Serve until it is over; 0 also where another one serves already. Says on stdout how it goes."""
    if not hook_client.socket_path(env):
        return _tell("no socket can be made for this user")
    os.chdir(os.sep)  # no folder is kept from being unmounted
    os.closerange(3, _MOST_INHERITED)  # nobody waits for the end of what a starter had open
    lock = hold(hook_client.lock_path(env), env)
    if lock is None:
        return _tell("another one serves")
    if lifecycle.is_switched_off(env):
        return _tell("nobody wants it")
    warmup.rehearse(os.path.dirname(hook_client.socket_path(env)))
    path, listening = listen(env)
    resident = Resident(path, listening, lock, deciding)
    _tell("ready")
    why = resident.run()
    if _identity(path) == resident.identity:
        os.unlink(path)
    return _tell(why)


def _tell(text: str) -> int:
    os.write(1, f"{text}\n".encode())
    return 0
