"""Git, asked: how it is run, and the small questions that several parts have.

Owns that nothing of the repository's own is run or locked, that the network is never asked and that every
question has an end. Does not own what a work tree looks like (``git.worktree``) or where a file was touched
(``git.history``).
"""

from __future__ import annotations

import os
import subprocess
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

LIMIT_SECONDS = 3.0
"""What git cannot answer in this time stays unanswered; that is said, not guessed."""

_OFF = (
    "core.fsmonitor=false",
    "core.hooksPath=",
    "core.quotePath=false",
    "log.showSignature=false",
)
_ENV = {
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
    "GIT_NO_LAZY_FETCH": "1",
    # Older gits fetch what a partial clone lacks all the same, by a protocol that is allowed.
    "GIT_ALLOW_PROTOCOL": "none",
}


class Answer(NamedTuple):
    """How git ended, what it wrote, and in ``why`` its last line of complaint."""

    code: int
    out: bytes
    why: str


class TooSlow(Exception):
    """Git gave no answer in the time it had."""


class Deadline:
    """One bound for all that several questions take."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._ends = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds left; raises ``passed`` when there are none."""
        left = self._ends - time.monotonic()
        if left <= 0:
            raise self.passed()
        return left

    def passed(self) -> Exception:
        return TooSlow()


def start(root: str, *words: str, options: Sequence[str] = ()) -> subprocess.Popen[bytes]:
    """A question that is answered while others are asked; ``options`` are settings for ``-c``.

    Raises OSError where git or the folder is not there. Who starts it calls ``finish`` or ``stop``.
    """
    set_to = [word for one in (*_OFF, *options) for word in ("-c", one)]
    env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return subprocess.Popen(
        ["git", *set_to, *words],
        cwd=root,
        env=env | _ENV,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def finish(asked: subprocess.Popen[bytes], seconds: float, given: bytes = b"") -> Answer:
    """What became of the question. Raises TooSlow, and git is stopped then."""
    try:
        out, complaint = asked.communicate(given, timeout=seconds)
    except subprocess.TimeoutExpired as error:
        stop(asked)
        raise TooSlow from error
    lines = complaint.decode("utf-8", "replace").strip().splitlines()
    return Answer(asked.returncode, out, lines[-1] if lines else "")


def stop(asked: subprocess.Popen[bytes]) -> None:
    """End a question whose answer is not wanted any more; one that was answered stays so."""
    if asked.returncode is None:
        asked.kill()
        asked.communicate()


def ask(root: str, *words: str, seconds: float = LIMIT_SECONDS, given: str = "") -> str | None:
    """Git's answer to the words, and to what it is given to read; None when it refuses.

    Raises TooSlow.
    """
    try:
        asked = start(root, *words)
    except OSError:
        return None
    answer = finish(asked, seconds, given.encode("utf-8", "surrogateescape"))
    return answer.out.decode("utf-8", "surrogateescape") if answer.code == 0 else None


def texts(
    root: str, commit: str, paths: Sequence[str], *, limit: int
) -> dict[str, str | None] | None:
    """The files as they were in a commit: None for one that was not there; longer ones are left out.

    All in two questions. None where git could not tell in time; before the first commit nothing was there.
    """
    if not commit:
        return dict.fromkeys(paths)
    asked = [path for path in paths if "\n" not in path]
    names = "".join(f"{commit}:./{path}\n" for path in asked)
    sizes = _in_time(root, "cat-file", "--batch-check=%(objecttype) %(objectsize)", given=names)
    if sizes is None:
        return None
    found: dict[str, str | None] = {}
    wanted = []
    for path, line in zip(asked, sizes.split("\n"), strict=False):
        kind, _, size = line.rpartition(" ")
        if size == "missing":
            found[path] = None
        elif kind == "blob" and int(size) <= limit:
            wanted.append((path, int(size)))
    names = "".join(f"{commit}:./{path}\n" for path, _ in wanted)
    answer = _in_time(root, "cat-file", "--batch=%(objectsize)", given=names) if wanted else ""
    if answer is None:
        return None
    data, at = answer.encode("utf-8", "surrogateescape"), 0
    for path, length in wanted:
        at = data.index(b"\n", at) + 1
        found[path] = data[at : at + length].decode("utf-8", "replace")
        at += length + 1
    return found


def is_ignored(root: str, path: str) -> bool:
    """Whether git ignores the path and tracks nothing in it; False also where git cannot tell."""
    tracked = _in_time(root, "ls-files", "-z", "--", path)
    if tracked != "":
        return False
    # A pattern such as "build/" matches folders only, by their slash where there is none yet.
    return any(
        _in_time(root, "check-ignore", "-q", "--", one) is not None for one in (path, path + "/")
    )


def _in_time(root: str, *words: str, given: str = "") -> str | None:
    """Git's answer; None also when it took too long."""
    try:
        return ask(root, *words, given=given)
    except TooSlow:
        return None


LIMIT_SECONDS = 1.0
"""For everything that one decision card asks."""


class Budget:
    """The time that is left for asking."""

    def __init__(self, seconds: float = LIMIT_SECONDS) -> None:
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        return max(0.0, self._end - time.monotonic())

    def ask(self, folder: str, *words: str) -> str | None:
        """Git's answer; None when it refuses. Raises TooSlow."""
        left = self.left
        if left <= 0:
            raise TooSlow
        return ask(folder, *words, seconds=left)
