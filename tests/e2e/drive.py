"""Three ways to run the real client: one prompt, typed turns over stdin, and a terminal.

Every run lives in a `World`: a home, a project and an environment of its own. Every run has a time
limit and takes all its processes with it. What the model answers is the model server's part.
"""

import contextlib
import json
import os
import pty
import re
import selectors
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fcntl import ioctl
from pathlib import Path
from typing import Any

import pyte
from tests.e2e.model_server import ModelServer
from tests.hosting import staying

LIMIT = 90.0  # one wait, on a machine with two busy cores
_PROMPT = "\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}"
API_KEY = "sk-ant-api03-not-a-real-key-only-for-the-loopback-server"
Event = Mapping[str, Any]


class DriveError(AssertionError):
    """The client did not do in time what the driver waited for; carries what it showed."""


@dataclass(frozen=True)
class World:
    """A hermetic place for client runs; `top` is an empty directory."""

    top: Path
    client: Path
    server: ModelServer
    extra_env: Mapping[str, str] = field(default_factory=dict)
    folder: str = "project"

    def __post_init__(self) -> None:
        for place in (self.home, self.project, self.top / "tmp"):
            place.mkdir(parents=True, exist_ok=True)
        trust = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        settings = self.home / ".claude.json"
        seen: dict[str, Any] = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": [API_KEY[-20:]], "rejected": []},
            "projects": {},
        }
        if settings.exists():
            seen = json.loads(settings.read_text())
        seen["projects"].setdefault(os.path.realpath(self.project), {}).update(trust)
        settings.write_text(json.dumps(seen))
        (self.home / ".gitconfig").write_text(
            "[user]\n\tname = Person\n\temail = person@example.invalid\n"
            "[init]\n\tdefaultBranch = main\n[safe]\n\tdirectory = *\n"
        )

    @property
    def home(self) -> Path:
        return self.top / "home"

    @property
    def project(self) -> Path:
        return self.top / self.folder

    def at(self, folder: str) -> "World":
        """The same person on the same machine, in another folder of `top`."""
        return replace(self, folder=folder)

    def env(self) -> dict[str, str]:
        """Nothing of the caller's environment but where programs are, ours and the client first."""
        ours = os.path.dirname(sys.executable)
        clients = str(self.client.parents[3] / ".bin")  # where npm links it, as `claude`
        return {
            "HOME": str(self.home),
            "PATH": os.pathsep.join([ours, clients, os.environ["PATH"]]),
            "TMPDIR": str(self.top / "tmp"),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "SHELL": "/bin/bash",
            "GIT_CONFIG_NOSYSTEM": "1",
            "ANTHROPIC_BASE_URL": self.server.url,
            "ANTHROPIC_API_KEY": API_KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_TELEMETRY": "1",
            "IS_SANDBOX": "1",  # lets the client skip its permission checks as root
            **self.extra_env,
        }

    def settings(self, name: str = "settings.json", **values: Any) -> Path:
        """Write one of the project's settings files."""
        path = self.project / ".claude" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(values, indent=2))
        return path

    def staying(self, word: str) -> list[int]:
        """The processes of this home that outlive a call: `--stay` is the resident, `--hold` the holder."""
        return staying(str(self.home), word)

    def transcript(self, session_id: str) -> list[dict[str, Any]]:
        (path,) = self.home.glob(f".claude/projects/*/{session_id}.jsonl")
        return [json.loads(line) for line in path.read_text().splitlines()]


@dataclass(frozen=True)
class Run:
    events: Sequence[Event]
    returncode: int
    stderr: str

    @property
    def result(self) -> Event:
        return next(event for event in self.events if event["type"] == "result")


STREAM = ("--output-format", "stream-json", "--verbose")


def one_shot(world: World, prompt: str, *args: str, limit: float = LIMIT) -> Run:
    """`claude -p PROMPT`: one prompt, then the end of the process."""
    command = [str(world.client), "-p", *STREAM, *args, "--", prompt]
    with _started(command, world, stdin=subprocess.DEVNULL) as process:
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired as error:
            raise DriveError(
                f"no end after {limit} s: {(error.stdout or b'')[-4000:]!r}"
            ) from error
    return Run(list(_events(out)), process.returncode, err.decode(errors="replace"))


class Session:
    """`claude -p --input-format stream-json`: several turns typed into one process."""

    def __init__(self, world: World, process: "subprocess.Popen[bytes]") -> None:
        self._world = world
        self.process = process
        self.events: list[Event] = []
        self._lines = _Lines(process)

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def session_id(self) -> str:
        return str(next(event["session_id"] for event in self.events if "session_id" in event))

    def say(self, text: str, *, limit: float = LIMIT) -> list[Event]:
        """Type one user turn; return what the client streamed until the turn's result."""
        self.type(text)
        return self.until("result", limit=limit)

    def type(self, text: str) -> None:
        line = {"type": "user", "message": {"role": "user", "content": text}}
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()

    def until(self, type: str, *, limit: float = LIMIT) -> list[Event]:
        """Read events up to and with the next one of this type."""
        start = len(self.events)
        end = time.monotonic() + limit
        while len(self.events) == start or self.events[-1]["type"] != type:
            line = self._lines.next(end)
            if line is None:
                tail = json.dumps(self.events[-5:])[-4000:]
                raise DriveError(f"no {type!r} event; last: {tail}; said: {self._lines.errors()}")
            self.events.extend(_events(line))
        return self.events[start:]

    def close(self, *, limit: float = LIMIT) -> int:
        """End the input, as a person who leaves does, and wait for the client's end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        end = time.monotonic() + limit
        while (line := self._lines.next(end)) is not None:
            self.events.extend(_events(line))
        return self.process.wait(max(0.1, end - time.monotonic()))


@contextlib.contextmanager
def session(world: World, *args: str) -> Iterator[Session]:
    command = [str(world.client), "-p", "--input-format", "stream-json", *STREAM, *args]
    with _started(command, world, stdin=subprocess.PIPE) as process:
        yield Session(world, process)


class Terminal:
    """The client's own screen in a pseudo-terminal; `press` and `type` are a person's hands."""

    YES, NO, ESCAPE, ENTER = "1", "2", "\x1b", "\r"

    def __init__(self, process: "subprocess.Popen[bytes]", master: int, size: tuple[int, int]):
        self.process = process
        self._master = master
        self._screen = _Screen(size, master)
        self._stream = pyte.ByteStream(self._screen)
        self._selector = selectors.DefaultSelector()
        self._selector.register(master, selectors.EVENT_READ)
        self.watch: Callable[[pyte.Screen], None] = lambda _: None
        """Called with the screen whenever the client has drawn on it."""

    @property
    def pid(self) -> int:
        return self.process.pid

    def text(self) -> str:
        """The screen as a person sees it: plain blanks, and none at the ends of lines."""
        lines = (line.replace("\N{NO-BREAK SPACE}", " ").rstrip() for line in self._screen.display)
        return "\n".join(lines).rstrip()

    def wait_for(self, pattern: str, *, limit: float = LIMIT) -> str:
        """Read until the screen matches; return the screen."""
        return self._read_until(lambda text: bool(re.search(pattern, text)), pattern, limit)

    def wait_without(self, pattern: str, *, limit: float = LIMIT) -> str:
        """Read until nothing on the screen matches; return the screen."""
        return self._read_until(lambda text: not re.search(pattern, text), f"no {pattern}", limit)

    def wait_until(self, is_so: Callable[[], bool], what: str, *, limit: float = LIMIT) -> None:
        """Keep reading until something beside the screen has come about."""
        self._read_until(lambda _: is_so(), what, limit)

    def stay(self, seconds: float) -> None:
        """Keep reading for a while: for one who watches."""
        self._read_for(seconds)

    def press(self, keys: str) -> None:
        self._send(keys)

    def type(self, line: str, *, limit: float = LIMIT) -> None:
        """Type into the prompt, see it there, then press Enter.

        In one write the client would take the line for a paste and Enter for a part of it.
        """
        self._send(line)
        self._read_until(
            lambda text: _squeezed(text.rpartition(_PROMPT)[2]).startswith(_squeezed(line)),
            line,
            limit,
        )
        self._send(self.ENTER)

    def dialog(self) -> str:
        """Return what the dialog on the screen says, without its choices; empty when none is."""
        above, asked, _ = self.text().rpartition("Do you want to proceed?")
        return re.split(r"(?m)^─{20,}$", above)[-1].strip() if asked else ""

    def wait_for_dialog(self, pattern: str, *, limit: float = LIMIT) -> str:
        self._read_until(lambda _: bool(re.search(pattern, self.dialog())), pattern, limit)
        return self.dialog()

    def answer(self, key: str, *, limit: float = LIMIT) -> None:
        """Answer the dialog on the screen with YES, NO or ESCAPE.

        The client drops a key that comes just as a dialog appears, so the key is given again when
        the dialog stays.
        """
        asked = _without_count(self.dialog())
        assert asked, f"no dialog:\n{self.text()}"
        end = time.monotonic() + limit
        self._read_for(0.5)
        while _without_count(self.dialog()) == asked:
            if time.monotonic() > end:
                raise DriveError(f"{key!r} does not end the dialog:\n{self.text()}")
            self._send(key)
            self._read_for(3.0, or_until=lambda: _without_count(self.dialog()) != asked)

    def _read_for(self, seconds: float, *, or_until: Callable[[], bool] = lambda: False) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and not or_until():
            self._read(0.1)

    def _read_until(self, is_there: Callable[[str], bool], what: str, limit: float) -> str:
        end = time.monotonic() + limit
        while not is_there(self.text()):
            if time.monotonic() > end:
                raise DriveError(f"not on the screen after {limit} s: {what}\n{self.text()}")
            if not self._read(0.2) and self.process.poll() is not None:
                raise DriveError(f"the client ended; not on the screen: {what}\n{self.text()}")
        return self.text()

    def _read(self, wait: float) -> bool:
        if not self._selector.select(wait):
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # Linux says EIO when the other side is closed
            data = b""
        self._stream.feed(data)
        self.watch(self._screen)
        return bool(data)

    def _send(self, text: str) -> None:
        os.write(self._master, text.encode())


@contextlib.contextmanager
def terminal(
    world: World, *args: str, mode: str = "default", size: tuple[int, int] = (100, 120)
) -> Iterator[Terminal]:
    """The interactive client. `default` mode asks; `auto` would wait for a classifier's answer."""
    master, slave = pty.openpty()
    ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    command = [str(world.client), "--permission-mode", mode, *args]
    # A session of its own needs its own controlling terminal: set in the child by a tiny program,
    # because code between fork and exec is not safe in a process with threads.
    leader = [sys.executable, "-I", "-S", "-c", _TAKE_TERMINAL, *command]
    try:
        with _started(leader, world, stdin=slave, stdout=slave, stderr=slave) as process:
            os.close(slave)
            yield Terminal(process, master, size)
    finally:
        os.close(master)


_TAKE_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    "os.execv(sys.argv[1], sys.argv[1:])"
)


class _Screen(pyte.Screen):
    """A screen that answers when the client asks what it is and where its cursor stands."""

    def __init__(self, size: tuple[int, int], master: int) -> None:
        super().__init__(columns=size[1], lines=size[0])
        self._master = master

    def write_process_input(self, data: str) -> None:
        os.write(self._master, data.encode())


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _without_count(dialog: str) -> str:
    """A dialog's text without the `1 of 2` in its title, which changes while it is asked."""
    return re.sub(r"\s+1 of \d+$", "", dialog, flags=re.MULTILINE)


class _Lines:
    """Lines of a process's stdout with a deadline; stderr is kept aside."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        self._out, self._err = process.stdout, process.stderr
        self._selector = selectors.DefaultSelector()
        for stream in (self._out, self._err):
            self._selector.register(stream, selectors.EVENT_READ)
        self._buffers = {self._out: b"", self._err: b""}

    def next(self, end: float) -> bytes | None:
        """Return the next line; None at the end of the output or when the time is over."""
        while b"\n" not in self._buffers[self._out]:
            ready = self._selector.select(max(0.0, end - time.monotonic()))
            if not ready:
                return None
            for key, _ in ready:
                data = os.read(key.fd, 65536)
                self._buffers[key.fileobj] += data  # type: ignore[index]  # registered above
                if not data:
                    self._selector.unregister(key.fileobj)
            if self._out not in {key.fileobj for key in self._selector.get_map().values()}:
                return None
        line, _, self._buffers[self._out] = self._buffers[self._out].partition(b"\n")
        return line

    def errors(self) -> str:
        return self._buffers[self._err][-2000:].decode(errors="replace")


def wait_for(what: str, find: Callable[[], Sequence[Any]], *, limit: float = LIMIT) -> None:
    """Wait for something that comes about without the agent."""
    end = time.monotonic() + limit
    while not find():
        if time.monotonic() > end:
            raise DriveError(f"not there after {limit} s: {what}")
        time.sleep(0.05)


def notices(events: Sequence[Event]) -> list[str]:
    """What the client said to the person outside of any model turn, as when a hook blocked it."""
    return [str(e["content"]) for e in events if e.get("subtype") == "informational"]


def _events(out: bytes) -> Iterator[Event]:
    for line in out.splitlines():
        if line.strip():
            yield json.loads(line)


@contextlib.contextmanager
def _started(
    command: Sequence[str],
    world: World,
    *,
    stdin: int,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        command,
        cwd=world.project,
        env=world.env(),
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill the client and everything it started, also what left its process group."""
    family = _descendants(process.pid)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for pid in family:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(BrokenPipeError):  # input typed to a client that is gone
                stream.close()


def _descendants(pid: int) -> list[int]:
    """The process's children and theirs, from /proc; where there is none, the group must do."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(stat.parent.name))
    found, queue = [], [pid]
    while queue:
        queue.extend(children.get(queue[0], []))
        found.extend(children.get(queue.pop(0), []))
    return found
