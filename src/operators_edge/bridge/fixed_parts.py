"""The parts of a repository that no attempt may change: its configuration, hooks and the refs of others.

Read before an attempt, compared after it, and put back. Does not own what a difference means
(``bridge.watcher``).
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.git.commands import Budget
from operators_edge.storage import files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SECONDS = 60.0
_OURS = "refs/operators-edge/"
_FILES = ("config", "config.worktree", "info/attributes", "info/exclude", "info/sparse-checkout")
_MAX_BYTES = 1 << 20


class FixedParts(NamedTuple):
    """``texts``: by path below the git folder, content and mode; ``refs``: by name, the object."""

    folder: str
    texts: Mapping[str, tuple[bytes, int]]
    refs: Mapping[str, str]


def read(root: str) -> FixedParts:
    """As they are now. Raises GitFailed."""
    git = Budget(_SECONDS)
    where = git.run(root, "rev-parse", "--path-format=absolute", "--git-common-dir")
    folder = os.fsdecode(where).removesuffix("\n")
    texts = dict(_texts(folder))
    listed = git.run(root, "for-each-ref", "--format=%(refname) %(objectname)")
    refs = dict(line.split(" ", 1) for line in os.fsdecode(listed).splitlines())
    return FixedParts(
        folder, texts, {name: each for name, each in refs.items() if not name.startswith(_OURS)}
    )


def differences(before: FixedParts, after: FixedParts, *, but: str) -> list[str]:
    """What changed, by name; ``but`` is the task's own branch."""
    own = f"refs/heads/{but}"
    pairs = (
        *(
            (f".git/{path}", before.texts.get(path), after.texts.get(path))
            for path in {**before.texts, **after.texts}
        ),
        *(
            (name, before.refs.get(name), after.refs.get(name))
            for name in {**before.refs, **after.refs}
            if name != own
        ),
    )
    return sorted(name for name, was, now in pairs if was != now)


def put_back(root: str, before: FixedParts, *, but: str) -> None:
    """Make them as they were; new hooks and refs go. Raises GitFailed, StateError."""
    after = read(root)
    for path in set(after.texts) - set(before.texts):
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(before.folder, path))
    for path, (data, mode) in before.texts.items():
        if after.texts.get(path) != (data, mode):
            target = os.path.join(before.folder, path)
            files.write_durable(target, data, mode=mode)
            os.chmod(target, mode)
    own = f"refs/heads/{but}"
    lines = [f"update {name} {each}" for name, each in before.refs.items() if name != own]
    gone = set(after.refs) - set(before.refs) - {own}
    lines += [f"delete {name}" for name in sorted(gone)]
    stdin = os.fsencode("\n".join([*lines, ""]))
    Budget(_SECONDS).run(root, "update-ref", "--stdin", stdin=stdin)


def _texts(folder: str) -> Iterator[tuple[str, tuple[bytes, int]]]:
    hooks = os.path.join(folder, "hooks")
    names = sorted(os.listdir(hooks)) if os.path.isdir(hooks) else []
    for path in (*_FILES, *(f"hooks/{name}" for name in names if not name.endswith(".sample"))):
        full = os.path.join(folder, path)
        with suppress(FileNotFoundError, IsADirectoryError), open(full, "rb") as file:
            yield path, (file.read(_MAX_BYTES), os.stat(full).st_mode & 0o777)
