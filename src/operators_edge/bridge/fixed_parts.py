"""The parts of a repository that no attempt may change: its HEAD, configuration, hooks and others' refs.

Read before an attempt, compared after it, and put back. Does not own what a difference means
(``bridge.watcher``).
"""

from __future__ import annotations

import base64
import json
import os
import re
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.errors import StateError
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
_SYMBOLIC = "ref: "
_BRANCH = re.compile(rb'\s*\[branch "[^"\[\]]*"\]\s*')


class Entry(NamedTuple):
    """What ``.git`` in the working tree is: the folder itself, or in a worktree a file and its content."""

    device: int
    inode: int
    text: bytes | None


class FixedParts(NamedTuple):
    """``texts``: by path below the git folder, content and mode; ``refs``: by name, the object.

    A symbolic ref has "ref: NAME" for its object. ``folder`` is shared by all worktrees of the repository,
    ``own`` is this one's. ``mark`` is the mail address with which an attempt is known in the reflogs, where
    others work in the repository meanwhile: what they do there is no change of the attempt's. "" where
    nobody else does.
    """

    folder: str
    own: str
    texts: Mapping[str, tuple[bytes, int]]
    refs: Mapping[str, str]
    mark: str = ""
    entry: Entry | None = None

    def path(self, name: str) -> str:
        return os.path.join(self.own if name in _OWN_FILES else self.folder, name)


def to_bytes(parts: FixedParts) -> bytes:
    texts = {
        name: (base64.b64encode(each).decode(), mode) for name, (each, mode) in parts.texts.items()
    }
    entry = parts.entry and (*parts.entry[:2], _as_text(parts.entry.text))
    return json.dumps(
        [parts.folder, parts.own, texts, dict(parts.refs), parts.mark, entry]
    ).encode()


def from_bytes(data: bytes) -> FixedParts:
    folder, own, texts, refs, mark, entry = json.loads(data)
    known = {name: (base64.b64decode(each), mode) for name, (each, mode) in texts.items()}
    where = Entry(entry[0], entry[1], entry[2] and base64.b64decode(entry[2])) if entry else None
    return FixedParts(folder, own, known, refs, mark, where)


def _as_text(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode()


def read(root: str, folder: str, own: str, mark: str = "") -> FixedParts:
    """As they are now. Raises GitFailed."""
    form = "--format=%(refname) %(if)%(symref)%(then)ref: %(symref)%(else)%(objectname)%(end)"
    listed = Budget(_SECONDS).run(root, "for-each-ref", form)
    refs = dict(line.split(" ", 1) for line in os.fsdecode(listed).splitlines())
    refs = {name: each for name, each in refs.items() if not name.startswith(_OURS)}
    return FixedParts(folder, own, _texts(folder, own), refs, mark, _entry(root))


def changed_refs(root: str, before: FixedParts, after: FixedParts, *, but: str) -> list[str]:
    """The refs that the attempt changed, by name; ``but`` is the task's own branch. Raises GitFailed."""
    names = {**before.refs, **after.refs}
    own = f"refs/heads/{but}"
    differ = [
        each for each in names if each != own and before.refs.get(each) != after.refs.get(each)
    ]
    return sorted(each for each in differ if not before.mark or _last_by(root, each) == before.mark)


def _last_by(root: str, ref: str) -> str:
    """The mail address of who changed a ref last; "" if that is not known, as for one that is gone."""
    words = ("log", "--walk-reflogs", "-1", "--format=%ge", ref, "--")
    return (Budget(_SECONDS).ask(root, *words) or "").strip()


def changed_files(before: FixedParts) -> list[str]:
    """The files that differ now, by name; git is not asked, which they may keep from working."""
    return [f".git/{each}" for each in _differing(before, _texts(before.folder, before.own))]


def _differing(before: FixedParts, now: Mapping[str, tuple[bytes, int]]) -> list[str]:
    """By name; where others work, too, what git notes there of their branches is no difference."""
    found = {name for name in {**before.texts, **now} if before.texts.get(name) != now.get(name)}
    if before.mark and "config" in found:
        texts = [each.get("config", (b"", 0)) for each in (before.texts, now)]
        if _without_branches(texts[0][0]) == _without_branches(texts[1][0]):
            found.remove("config")
    return sorted(found)


def _without_branches(config: bytes) -> list[bytes]:
    """The lines of a configuration but those about branches, which a push or a checkout writes."""
    kept, is_branch = [], False
    for line in config.splitlines():
        if line.lstrip().startswith(b"["):
            is_branch = bool(_BRANCH.fullmatch(line))
        if not is_branch or b"[" in line[1:]:
            kept.append(line)
    return [each for each in kept if not _BRANCH.fullmatch(each)]


def is_replaced(root: str, before: FixedParts) -> bool:
    """Whether ``.git`` is another one, or gone."""
    return before.entry is not None and _entry(root) != before.entry


def put_back_entry(root: str, before: FixedParts, aside: str) -> bool:
    """Put ``.git`` back where it was; whether that was needed. What was in its place goes to ``aside``.

    StateError if it is not in the tree any more.
    """
    path, wanted = os.path.join(root, ".git"), before.entry
    if wanted is None or not is_replaced(root, before):
        return False
    found = path if wanted.text is not None else _folder_with(root, wanted)
    if not found:
        raise StateError(
            f"{path} was replaced, and the original is not in the tree",
            hint="Restore it from a backup; nothing was put in its place.",
        )
    if os.path.lexists(path):
        os.rename(path, files.free_path(aside, "git"))
    if wanted.text is None:
        os.rename(found, path)
    else:
        files.write_durable(path, wanted.text, mode=0o644)
    return True


def _entry(root: str) -> Entry | None:
    path = os.path.join(root, ".git")
    try:
        info = os.lstat(path)
        if stat.S_ISDIR(info.st_mode):
            return Entry(info.st_dev, info.st_ino, None)
        with open(path, "rb", opener=file_cache.open_regular) as file:
            return Entry(0, 0, file.read(_MAX_BYTES))
    except OSError:
        return None


def _folder_with(root: str, wanted: Entry) -> str:
    """The folder of the tree that has this number on the disk; "" if none has."""
    todo = [root]
    while todo:
        with suppress(OSError), os.scandir(todo.pop()) as entries:
            folders = [each for each in entries if each.is_dir(follow_symlinks=False)]
            for each in folders:
                if each.inode() == wanted.inode and os.lstat(each.path).st_dev == wanted.device:
                    return each.path
            todo += [each.path for each in folders]
    return ""


def put_back_files(before: FixedParts) -> None:
    """Make the files as they were; new hooks go. Raises StateError."""
    for path in _differing(before, _texts(before.folder, before.own)):
        target = before.path(path)
        files.sweep(target)
        if path not in before.texts or os.path.islink(target):
            with suppress(FileNotFoundError):
                os.unlink(target)
        if path in before.texts:
            data, mode = before.texts[path]
            files.ensure_private_dir(os.path.dirname(target))
            files.write_durable(target, data, mode=mode)
            os.chmod(target, mode)


def remove_leftovers(before: FixedParts) -> None:
    """Remove locks and temporary files that a killed process left there; none may be running."""
    for name in _OWN_FILES if before.mark else _LOCKED:
        with suppress(FileNotFoundError, IsADirectoryError, NotADirectoryError):
            os.unlink(before.path(name) + ".lock")
        files.sweep(before.path(name))


def put_back_refs(root: str, before: FixedParts, *, but: str) -> None:
    """Make the refs as they were; new ones go. Raises GitFailed."""
    after = read(root, before.folder, before.own)
    lines = []
    for name in changed_refs(root, before, after, but=but):
        wanted = before.refs.get(name, "")
        if wanted.startswith(_SYMBOLIC):
            target = wanted.removeprefix(_SYMBOLIC)
            Budget(_SECONDS).run(root, "symbolic-ref", name, target)
        else:
            act = f"update {name} {wanted}" if wanted else f"delete {name}"
            lines += ["option no-deref", act]
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


# end of module
