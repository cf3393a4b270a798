"""How a contained ``edge`` reaches the product, which lies outside: by requests in a folder of files.

A contained command cannot write the record or read the keys, so its ``edge`` leaves its words in the relay's
folder and waits. The relay, a process of ours outside, runs an agent's commands for it: only for its own
project, and only on paths that the contained command could write itself. The folder is the contained
command's to write: nothing in it is trusted but as words that an agent types.
"""

from __future__ import annotations

import json
import os
import select
import stat
import subprocess
import sys
import time
from contextlib import suppress

from operators_edge.containment.policy import RELAY_VARIABLE, Policy, of_data
from operators_edge.errors import StateError
from operators_edge.storage.process_lock import acquire
from operators_edge.system import processes
from operators_edge.system.user_dirs import user_dir
from operators_edge.text.command_names import renamed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

BELL = "bell"
"""A named pipe: a byte in it says that there is a request."""

REQUEST, ANSWER = ".request", ".answer"
MAX_BYTES = 2 << 20
ANSWER_SECONDS = 110.0
"""Less than a client's time limit for a command."""

_LOOK_SECONDS = 2.0
_WAIT_SECONDS = 0.02
SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID"

_READERS = ("research", "brainstorm", "explain")
"""Commands that read what is piped in without being told to."""

_PATH_NOUNS = ("report", "trash", "undo")
"""Commands whose words are paths that they write."""


# -- inside ----------------------------------------------------------------------------------------


def forward(words: Sequence[str], env: Mapping[str, str] = os.environ) -> int:
    """Have the relay run ``edge`` with these words, and pass on what it printed; its exit code."""
    try:
        answer = ask(words, _piped(words), env)
    except (StateError, OSError) as error:
        print(f"edge: {error}", file=sys.stderr)
        return 5
    sys.stdout.write(answer["out"])
    sys.stderr.write(answer["err"])
    return int(answer["code"])


def _piped(words: Sequence[str]) -> str:
    """What is piped into a command that reads it."""
    is_reader = words[0] in _READERS or "-" in words
    return "" if not is_reader or sys.stdin.isatty() else sys.stdin.read(MAX_BYTES // 2)


def ask(words: Sequence[str], stdin: str, env: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """What the relay answers: the exit code, and what was printed."""
    folder = env[RELAY_VARIABLE]
    name = f"{os.getpid()}-{time.monotonic_ns()}"
    session = env.get(SESSION_VARIABLE, "")
    request = {"words": list(words), "cwd": os.getcwd(), "stdin": stdin, "session": session}
    try:
        bell = os.open(os.path.join(folder, BELL), os.O_WRONLY | os.O_NONBLOCK)
    except OSError as error:
        raise StateError(
            "this command is contained, and no process of Operator's Edge outside takes it",
            hint="a person: start a new session; edge doctor",
        ) from error
    path = os.path.join(folder, name)
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(request, file)
    os.rename(path + ".new", path + REQUEST)
    with os.fdopen(bell, "wb", buffering=0) as ring:
        ring.write(b"!")
    return _wait_for(path + ANSWER)


def _wait_for(path: str) -> dict[str, Any]:
    end = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < end:
        with suppress(FileNotFoundError):
            with open(path, encoding="utf-8") as file:
                answer: dict[str, Any] = json.load(file)
            os.unlink(path)
            return answer
        time.sleep(_WAIT_SECONDS)
    raise StateError("the process of Operator's Edge outside did not answer", hint="edge doctor")


# -- outside ---------------------------------------------------------------------------------------


def start(
    policy: Policy, verbs: Sequence[str], client: processes.Identity, env: Mapping[str, str]
) -> None:
    """Start a relay that ends with its client; nothing is done if one runs for that client."""
    lock = acquire(os.path.join(user_dir(env), "run", f"relay-{client.pid}.lock"), env)
    if lock is None:
        return
    given = {"policy": policy.as_data(), "verbs": list(verbs), "client": list(client)}
    interpreter, hook = processes.own_program()
    above = os.path.dirname(os.path.dirname(hook))
    code = f"import sys; sys.path.insert(0, {above!r}); from {__name__} import main; main()"
    read, write = os.pipe()
    try:
        subprocess.Popen(
            [interpreter, "-I", "-S", "-c", code],
            env={name: value for name, value in env.items() if name != RELAY_VARIABLE},
            cwd=policy.project,
            stdin=read,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=(lock,),  # the lock is held as long as one of both processes runs
        )
        with os.fdopen(write, "wb") as pipe:
            pipe.write(json.dumps(given).encode())
    finally:
        os.close(read)
        os.close(lock)


def main() -> None:
    """The relay's process; what it is for comes on its standard input."""
    given = json.load(sys.stdin)
    policy, client = of_data(given["policy"]), processes.Identity(*given["client"])
    serve(Relay(policy, given["verbs"]), until=lambda: not processes.is_alive(client))


def serve(relay: Relay, *, until: Callable[[], bool]) -> None:
    """Answer requests until it is time to end."""
    while not until():
        relay.look(_LOOK_SECONDS)


class Relay:
    """Answers the requests in a policy's folder; whatever is in it is opened without following links."""

    def __init__(self, policy: Policy, verbs: Sequence[str]) -> None:
        self._policy = policy
        self._verbs = [each.split() for each in verbs]
        os.makedirs(policy.relay, mode=0o700, exist_ok=True)
        self._folder = os.open(policy.relay, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        with suppress(FileExistsError):
            os.mkfifo(BELL, 0o600, dir_fd=self._folder)
        # Open for both, so that the pipe never ends.
        flags = os.O_RDWR | os.O_NONBLOCK | os.O_NOFOLLOW
        self._bell = os.open(BELL, flags, dir_fd=self._folder)
        if not stat.S_ISFIFO(os.fstat(self._bell).st_mode):
            raise StateError(f"{os.path.join(policy.relay, BELL)} is no named pipe")

    def look(self, seconds: float) -> None:
        """Wait so long for the bell, then answer whatever is there."""
        ready, _, _ = select.select([self._bell], [], [], seconds)
        if ready:
            os.read(self._bell, 4096)
        for name in sorted(os.listdir(self._folder)):
            if name.endswith(REQUEST):
                self._take(name)

    def _take(self, name: str) -> None:
        """Answer one request, unless another relay of this project was faster."""
        mine = f"{name}.{os.getpid()}"
        try:
            os.rename(name, mine, src_dir_fd=self._folder, dst_dir_fd=self._folder)
        except FileNotFoundError:
            return
        try:
            answer = self.run(self._read(mine))
        except (OSError, ValueError, TypeError, KeyError) as error:
            answer = _refused(f"the request could not be read: {error}")
        os.unlink(mine, dir_fd=self._folder)
        stem = name.removesuffix(REQUEST)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with suppress(OSError):  # the command has taken the folder's space or name: nobody waits
            new = os.open(f"{stem}.{os.getpid()}", flags, 0o600, dir_fd=self._folder)
            with os.fdopen(new, "w", encoding="utf-8") as file:
                json.dump(answer, file)
            os.rename(
                f"{stem}.{os.getpid()}",
                stem + ANSWER,
                src_dir_fd=self._folder,
                dst_dir_fd=self._folder,
            )

    def _read(self, name: str) -> dict[str, Any]:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
        file = os.open(name, flags, dir_fd=self._folder)
        with os.fdopen(file, "rb") as opened:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise ValueError("it is no file")
            data = opened.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise ValueError("it is too large")
        request = json.loads(data)
        if not isinstance(request, dict):
            raise TypeError("it is no object")
        return request

    def run(self, request: dict[str, Any]) -> dict[str, Any]:
        """Run one request as a process of ours, or say why not."""
        words = [str(each) for each in request["words"]]
        folder = os.path.realpath(str(request["cwd"]))
        why = self.refusal(words, folder)
        if why:
            return _refused(why)
        interpreter, _ = processes.own_program()
        session = str(request.get("session") or "")
        try:
            done = subprocess.run(
                [interpreter, "-I", "-m", "operators_edge", *words],
                cwd=folder,
                env={**os.environ, SESSION_VARIABLE: session},
                input=str(request.get("stdin") or ""),
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=ANSWER_SECONDS,
                check=False,
            )
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            return _refused(f"the command did not end: {error}")
        return {"code": done.returncode, "out": done.stdout, "err": done.stderr}

    def refusal(self, words: Sequence[str], folder: str) -> str:
        """Why these words are not run for a contained command; "" if they are."""
        words = renamed(words)
        verb = next((each for each in self._verbs if list(words[: len(each)]) == each), None)
        if verb is None:
            return f"`edge {' '.join(words[:2])}` is a person's: in your own terminal"
        if not os.path.isdir(folder) or not self._is_in_project(folder):
            return f"{folder} is not in the project"
        if any(_is_place(each) for each in words):
            return "--project and -C are not taken: a contained command works in its own project"
        if words[0] == "report" and "--open" in words:
            return "a browser is opened by a person: in your own terminal"
        if words[0] in _PATH_NOUNS:
            for each in words[1:]:
                path = os.path.realpath(os.path.join(folder, each.rpartition("=")[2]))
                if not self._policy.can_write(path):
                    return f"{path} cannot be written here"
        if not all(self._policy.can_read(os.path.join(folder, each)) for each in words):
            return "it names a hidden file"
        return ""

    def _is_in_project(self, folder: str) -> bool:
        """Whether a command may work there: in the project, or in a worktree that the client made in it."""
        worktrees = os.path.join(self._policy.project, ".claude", "worktrees", "")
        return self._policy.can_write(folder) or folder.startswith(worktrees)


def _is_place(word: str) -> bool:
    """Whether a word is ``--project`` or its beginning, or ``-C``, also behind other short options."""
    name = word.partition("=")[0]
    is_short = name[:1] == "-" and name[:2] != "--"
    return (len(name) > 2 and "--project".startswith(name)) or (is_short and "C" in name)


def _refused(why: str) -> dict[str, Any]:
    return {"code": 1, "out": "", "err": f"edge: contained: {why}\n"}


# end of module
