"""Running git: safely, with a time limit; and small queries that several packages need.

Git never runs anything that the repository configures, takes no locks and never uses the network. Does not
own the state of a working tree (``git.worktree``) or the history of files (``git.history``).
"""

from __future__ import annotations

import errno
import os
import time

from operators_edge.errors import AnswerIsNo, remedy
from operators_edge.system import children
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from operators_edge.system.children import Child, PopenChild

    Git = Child | PopenChild

QUERY_SECONDS = 3.0
"""A query that takes longer has no answer; nothing is guessed then."""

_OFF = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.logAllRefUpdates=false",
    "core.quotePath=false",
    "gc.auto=0",
    "log.showSignature=false",
)
_ENV = {
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
    "GIT_NO_LAZY_FETCH": "1",
    # Older versions of git fetch what a partial clone lacks anyway, if any protocol is allowed.
    "GIT_ALLOW_PROTOCOL": "none",
}


kept_open: set[int] = set()
"""Descriptors that git inherits: a lock on them lasts until the last git has ended."""


class GitFailed(AnswerIsNo):
    """Git failed, or cannot tell reliably; the text is the reason."""

    code = "git"


class TooSlow(GitFailed):
    """Git did not answer in time."""


class Answer(NamedTuple):
    """Exit code, standard output, and in ``why`` the first error on standard error, else its last line."""

    code: int
    out: bytes
    why: str


def start(
    root: str,
    *words: str,
    options: Iterable[str] = (),
    given: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
) -> Git:
    """Start git, so that several queries run at once; ``options`` are settings for ``-c``.

    ``given`` are global options and ``env`` variables of somebody else's command: what keeps git from running
    anything counts more than they do.

    Raises GitFailed if git or the folder is missing. The caller calls ``finish`` or ``stop``.
    """
    set_to = [word for one in (*_OFF, *options) for word in ("-c", one)]
    plain = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    try:
        return children.start(
            ["git", "-C", root, *given, *set_to, *words],
            env={**plain, **(env or {}), **_ENV},
            pass_fds=kept_open,
        )
    except OSError as error:
        raise GitFailed(f"git could not be run: {error.strerror or error}") from error


def finish(process: Git, seconds: float, stdin: bytes = b"") -> Answer:
    """Wait for git. Raises TooSlow; git is stopped then."""
    try:
        out, errors = process.communicate(stdin, seconds)
    except TimeoutError as error:
        stop(process)
        raise TooSlow("git took too long") from error
    return Answer(process.returncode or 0, out, _why(errors.decode("utf-8", "replace").strip()))


def _why(errors: str) -> str:
    """The first error: the lines after it are its consequences. With it, a program that is not there."""
    lines = errors.splitlines()
    missing = next((f" ({line})" for line in lines if line.endswith(": not found")), "")
    for line in lines:
        kind, _, message = line.partition(": ")
        if kind in ("error", "fatal"):
            return message + missing
    return lines[-1] if lines else ""


_OF_THE_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM)


def _remedy(why: str) -> str:
    """What to do where the disk does not let git write; "" for any other reason."""
    number = next((each for each in _OF_THE_DISK if why.endswith(os.strerror(each))), None)
    if number is None and why.startswith("insufficient permission"):
        number = errno.EACCES
    return remedy(number, "the repository's .git")


def stop(process: Git) -> None:
    """End git if it still runs; SIGTERM first, so that it removes its temporary files."""
    if process.returncode is None:
        process.terminate()
        try:
            process.communicate(timeout=0.5)
        except TimeoutError:
            process.kill()
            process.communicate()


def ask(root: str, *words: str, seconds: float = QUERY_SECONDS) -> str | None:
    """Git's output; None if it fails. Raises TooSlow."""
    return Budget(seconds).ask(root, *words)


def texts(
    root: str, commit: str, paths: Sequence[str], *, limit: int
) -> dict[str, str | None] | None:
    """The files of a commit as text: None for one that it does not have; longer ones are left out.

    Needs two queries for all of them. None if git did not answer in time. "" as commit has no files.
    """
    if not commit:
        return dict.fromkeys(paths)
    named = [path for path in paths if "\n" not in path]
    check = "--batch-check=%(objecttype) %(objectsize)"
    sizes = _in_time(root, "cat-file", check, stdin=_objects(commit, named))
    if sizes is None:
        return None
    found: dict[str, str | None] = {}
    wanted = []
    for path, line in zip(named, sizes.decode().split("\n"), strict=False):
        kind, _, size = line.rpartition(" ")
        if size == "missing":
            found[path] = None
        elif kind == "blob" and int(size) <= limit:
            wanted.append((path, int(size)))
    given = _objects(commit, [path for path, _ in wanted])
    data = _in_time(root, "cat-file", "--batch=%(objectsize)", stdin=given) if wanted else b""
    if data is None:
        return None
    at = 0
    for path, length in wanted:
        at = data.index(b"\n", at) + 1
        found[path] = data[at : at + length].decode("utf-8", "replace")
        at += length + 1
    return found


def _objects(commit: str, paths: Iterable[str]) -> bytes:
    return b"".join(os.fsencode(f"{commit}:./{path}\n") for path in paths)


def is_ignored(root: str, path: str) -> bool:
    """Whether git ignores the path and tracks nothing in it; False also if git fails."""
    tracked = _in_time(root, "ls-files", "-z", "--", path)
    if tracked != b"":
        return False
    # A pattern such as "build/" matches only folders; one that does not exist needs its slash.
    return any(
        _in_time(root, "check-ignore", "-q", "--", one) is not None for one in (path, path + "/")
    )


def is_clean_or_ignored(root: str, path: str) -> bool:
    """Whether git sees no difference between HEAD and a file, or ignores it; False also if git fails."""
    found = _in_time(root, "status", "--porcelain", "-z", "--ignored", "--", path)
    return found is not None and (not found or found.startswith(b"!!"))


def is_staged_alone(root: str) -> bool:
    """Whether something is staged that neither HEAD nor the file itself contains; True also if git fails.

    The sides of a conflict do not count: commits contain them.
    """
    staged = _in_time(root, "diff", *_STAGED)
    if not staged:
        return staged is None
    paths = [f":(top,literal){name}" for name in names(staged)]
    words = ("diff-files", "--name-only", "-z", "--ignore-submodules=dirty", "--")
    return len(paths) > _MAX_STAGED or _in_time(root, *words, *paths) != b""


_STAGED = ("--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--diff-filter=du")
_MAX_STAGED = 500
"""More are not compared: their names would be too long for one command."""


def is_committed(root: str, path: str) -> bool:
    """Whether HEAD holds the file exactly as it is on the disk; False also if git fails."""
    from operators_edge.git.blobs import committed_id, content_id, hash_name_of  # noqa: PLC0415 - see below

    folder, name = os.path.split(path)
    listed = _in_time(
        folder if os.path.isdir(folder) else root, "ls-tree", "-z", "HEAD", "--", name
    )
    head = (listed or b"").partition(b"\t")[0].decode().split()
    if len(head) != 3:
        return False
    known = committed_id(head[0], head[2])
    return known == content_id(path, hash_name_of(known), mode=head[0])


def committed_file(root: str, revision: str, name: str) -> bytes | None:
    """The bytes of a file as a commit holds it; None if there is none, or git fails."""
    return _in_time(root, "cat-file", "blob", f"{revision}:{name}")


def _in_time(root: str, *words: str, stdin: bytes = b"") -> bytes | None:
    """Git's output; None if it fails or takes too long."""
    try:
        return Budget(QUERY_SECONDS).run(root, *words, stdin=stdin)
    except GitFailed:
        return None


CARD_SECONDS = 1.0
"""For all queries of one decision card."""


class Budget:
    """The time that several queries may take together."""

    def __init__(self, seconds: float = CARD_SECONDS) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        return max(0.0, self._end - time.monotonic())

    def require_left(self) -> float:
        """The seconds that are left; raises TooSlow if there are none."""
        left = self.left
        if left <= 0:
            raise TooSlow(f"git and the disk took longer than {round(self._seconds, 1):g} seconds")
        return left

    def finish(self, process: Git, stdin: bytes = b"", *, ok: Sequence[int] = (0,)) -> bytes:
        """What git writes. Raises GitFailed unless it ends with one of ``ok``."""
        try:
            answer = finish(process, self.require_left(), stdin)
        except TooSlow:
            stop(process)
            self.require_left()
            raise
        if answer.code not in ok:
            raise GitFailed(
                f"git: {answer.why or f'ended with {answer.code}'}", hint=_remedy(answer.why)
            )
        return answer.out

    def run(
        self,
        folder: str,
        *words: str,
        options: Iterable[str] = (),
        stdin: bytes = b"",
        ok: Sequence[int] = (0,),
    ) -> bytes:
        """The same, for a query that is started here."""
        return self.finish(start(folder, *words, options=options), stdin, ok=ok)

    def ask(self, folder: str, *words: str) -> str | None:
        """Git's output; None if it fails. Raises TooSlow."""
        try:
            return self.run(folder, *words).decode("utf-8", "surrogateescape")
        except TooSlow:
            raise
        except GitFailed:
            return None


# -- what git writes -------------------------------------------------------------------------------


def names(raw: bytes) -> list[str]:
    """The names that end with a null byte; those that are not UTF-8 are kept as surrogates."""
    return [each for each in os.fsdecode(raw).split("\0") if each]


def filters_off(filters: Iterable[str]) -> list[str]:
    """The settings that turn these filters ("filter.lfs") off."""
    ends = ("clean=", "process=", "required=false")
    return [f"{name}.{end}" for name in filters for end in ends]


class Change(NamedTuple):
    """How one path differs between two trees; ``mode`` and ``id`` are zeros if there is no such file."""

    old_mode: str
    mode: str
    old_id: str
    id: str
    status: str
    path: str


DIFF_TREES = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index")


def changes(raw: bytes) -> list[Change]:
    """What ``DIFF_TREES`` writes."""
    fields = names(raw)
    return [
        Change._make([*about.removeprefix(":").split(" "), path])
        for about, path in zip(fields[::2], fields[1::2], strict=True)
    ]


# end of module
