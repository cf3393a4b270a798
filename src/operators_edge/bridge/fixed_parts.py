"""The parts of a repository that no attempt may change: its HEAD, configuration, hooks and others' refs.

Read before an attempt, compared after it, and put back. Does not own what a difference means
(``bridge.watcher``).
"""

from __future__ import annotations

import base64
import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.git.commands import Budget
from operators_edge.storage import files
from operators_edge.system import file_cache

if TYPE_CHECKING:
    from collections.abc import Mapping

_SECONDS = 60.0
_OURS = "refs/operators-edge/"
_FILES = (
    "HEAD",
    "config",
    "config.worktree",
    "info/attributes",
    "info/exclude",
    "info/sparse-checkout",
)
_OWN_FILES = ("HEAD", "index", "ORIG_HEAD")
_LOCKED = ("index", "HEAD", "config", "packed-refs", "ORIG_HEAD")
_MAX_BYTES = 1 << 20


class FixedParts(NamedTuple):
    """``texts``: by path below the git folder, content and mode; ``refs``: by name, the object.

    ``folder`` is shared by all worktrees of the repository, ``own`` is this one's.
    """

    folder: str
    own: str
    texts: Mapping[str, tuple[bytes, int]]
    refs: Mapping[str, str]

    def path(self, name: str) -> str:
        return os.path.join(self.own if name in _OWN_FILES else self.folder, name)


def to_bytes(parts: FixedParts) -> bytes:
    texts = {
        name: (base64.b64encode(each).decode(), mode) for name, (each, mode) in parts.texts.items()
    }
    return json.dumps([parts.folder, parts.own, texts, dict(parts.refs)]).encode()


def from_bytes(data: bytes) -> FixedParts:
    folder, own, texts, refs = json.loads(data)
    known = {name: (base64.b64decode(each), mode) for name, (each, mode) in texts.items()}
    return FixedParts(folder, own, known, refs)


def read(root: str) -> FixedParts:
    """As they are now. Raises GitFailed."""
    git = Budget(_SECONDS)
    words = ("--path-format=absolute", "--git-common-dir", "--absolute-git-dir")
    folder, own = os.fsdecode(git.run(root, "rev-parse", *words)).splitlines()
    listed = git.run(root, "for-each-ref", "--format=%(refname) %(objectname)")
    refs = dict(line.split(" ", 1) for line in os.fsdecode(listed).splitlines())
    refs = {name: each for name, each in refs.items() if not name.startswith(_OURS)}
    return FixedParts(folder, own, _texts(folder, own), refs)


def changed_refs(before: FixedParts, after: FixedParts, *, but: str) -> list[str]:
    """The refs that differ, by name; ``but`` is the task's own branch."""
    names = {**before.refs, **after.refs}
    own = f"refs/heads/{but}"
    return sorted(
        each for each in names if each != own and before.refs.get(each) != after.refs.get(each)
    )


def changed_files(before: FixedParts) -> list[str]:
    """The files that differ now, by name; git is not asked, which they may keep from working."""
    now = _texts(before.folder, before.own)
    names = {**before.texts, **now}
    return sorted(f".git/{each}" for each in names if before.texts.get(each) != now.get(each))


def put_back_files(before: FixedParts) -> None:
    """Make the files as they were; new hooks go. Raises StateError."""
    now = _texts(before.folder, before.own)
    for path in set(now) - set(before.texts):
        with suppress(FileNotFoundError):
            os.unlink(before.path(path))
    for path, (data, mode) in before.texts.items():
        if now.get(path) != (data, mode):
            target = before.path(path)
            if os.path.islink(target):
                os.unlink(target)
            files.ensure_private_dir(os.path.dirname(target))
            files.write_durable(target, data, mode=mode)
            os.chmod(target, mode)


def remove_locks(before: FixedParts) -> None:
    """Remove the locks of git's own files that a killed git left; none may be running."""
    for name in _LOCKED:
        with suppress(FileNotFoundError, IsADirectoryError, NotADirectoryError):
            os.unlink(before.path(name) + ".lock")


def put_back_refs(root: str, before: FixedParts, *, but: str) -> None:
    """Make the refs as they were; new ones go. Raises GitFailed."""
    after = read(root)
    own = f"refs/heads/{but}"
    lines = [f"update {name} {each}" for name, each in before.refs.items() if name != own]
    gone = set(after.refs) - set(before.refs) - {own}
    lines += [f"delete {name}" for name in sorted(gone)]
    stdin = os.fsencode("\n".join([*lines, ""]))
    Budget(_SECONDS).run(root, "update-ref", "--stdin", stdin=stdin)


def _texts(folder: str, own: str) -> dict[str, tuple[bytes, int]]:
    where = FixedParts(folder, own, {}, {})
    hooks = os.path.join(folder, "hooks")
    names = sorted(os.listdir(hooks)) if os.path.isdir(hooks) else []
    found = {}
    for path in (*_FILES, *(f"hooks/{name}" for name in names if not name.endswith(".sample"))):
        full = where.path(path)
        with suppress(OSError), open(full, "rb", opener=file_cache.open_regular) as file:
            found[path] = file.read(_MAX_BYTES), os.stat(full).st_mode & 0o777
    return found
