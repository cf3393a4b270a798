"""What an act writes, call by call; and every disk that a power loss could leave of it.

A disk keeps what was synced. Of the rest it may keep names without content, content without names, half a
write, or zeros where data should be. The model: a rename is atomic; changes of names reach the disk in their
order, or one of them, with what depends on it, does not; the content of each file is independent of that.
"""

from __future__ import annotations

import os
import pickle
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.crash import killing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Image = dict[str, bytes | None]
"""Every file below a folder with its content, and every folder (None)."""

NAMES = frozenset({"create", "rename", "unlink", "mkdir", "rmdir"})
LOSSES = ("none", "cut", "zeros")
"""What may happen to data that was not synced: it is not there, its last write is half, or it is zeros."""


class Step(NamedTuple):
    """One change, or a sync. ``what`` is a path (relative), or the number of a file's content."""

    do: str
    what: Any
    to: Any = None
    data: bytes = b""

    def __str__(self) -> str:
        return f"{self.do} {self.what}"

    def folders(self) -> set[str]:
        return {os.path.dirname(each) for each in (self.what, self.to) if isinstance(each, str)}


# -- recording -------------------------------------------------------------------------------------


def recorded(act: Callable[[], object], top: str) -> list[Step]:
    """Run the act in a process of its own; returns what it did below ``top``."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(ours)
        recorder = _Recorder(top)
        real = os.write
        recorder.arm()

        def send() -> None:
            rest = memoryview(pickle.dumps(recorder.steps))
            while rest:
                rest = rest[real(theirs, rest) :]

        killing.run(act, after=send)
    os.close(theirs)
    with os.fdopen(ours, "rb") as stream:
        data = stream.read()
    killing.require_clean(os.waitpid(pid, 0)[1])
    steps: list[Step] = pickle.loads(data)  # noqa: S301 - our own child's
    return steps


class _Recorder:
    def __init__(self, top: str) -> None:
        self.top = os.path.realpath(top)
        self.steps: list[Step] = []
        self.open: dict[int, Any] = {}
        self.contents: dict[str, int] = {}
        self.next = 0

    def arm(self) -> None:
        """From now on every call of this process is noted."""
        self.real = {name: getattr(os, name) for name in (*killing.CALLS, "open", "close")}
        os.open, os.write, os.fsync = self._open, self._write, self._fsync  # type: ignore[assignment]
        os.ftruncate, os.close = self._ftruncate, self._close  # type: ignore[assignment]
        os.replace = os.rename = self._rename  # type: ignore[assignment]
        for name in ("unlink", "mkdir", "rmdir"):
            setattr(os, name, self._naming(name))

    def _open(self, path: Any, flags: int, *args: Any, **options: Any) -> int:
        is_new = bool(flags & os.O_CREAT) and not os.path.lexists(path)
        fd: int = self.real["open"](path, flags, *args, **options)
        self.opened(fd, path, flags, is_new=is_new)
        return fd

    def _write(self, fd: int, data: Any) -> int:
        content = self.open.get(fd)
        at = 0
        if isinstance(content, tuple):
            at = os.fstat(fd).st_size if content[1] else os.lseek(fd, 0, os.SEEK_CUR)
        count: int = self.real["write"](fd, data)
        if isinstance(content, tuple):
            self.steps.append(Step("write", content[0], at, bytes(data)[:count]))
        return count

    def _fsync(self, fd: int) -> None:
        self.real["fsync"](fd)
        content = self.open.get(fd)
        if content is not None:
            self.steps.append(Step("sync", content[0] if isinstance(content, tuple) else content))

    def _ftruncate(self, fd: int, size: int) -> None:
        self.real["ftruncate"](fd, size)
        content = self.open.get(fd)
        if isinstance(content, tuple):
            self.steps.append(Step("truncate", content[0], size))

    def _close(self, fd: int) -> None:
        self.open.pop(fd, None)
        self.real["close"](fd)

    def _rename(self, path: Any, to: Any) -> None:
        self.real["replace"](path, to)
        self.named("rename", path, to)

    def _naming(self, do: str) -> Callable[..., None]:
        def call(path: Any, *more: Any, **options: Any) -> None:
            self.real[do](path, *more, **options)
            self.named(do, path)

        return call

    def inside(self, path: Any) -> str:
        """The path relative to the top; "" for one outside."""
        folder, name = os.path.split(os.path.abspath(os.fsdecode(path)))
        full = os.path.join(os.path.realpath(folder), name)
        is_inside = full.startswith(self.top + os.sep)
        return os.path.relpath(full, self.top) if is_inside else ""

    def opened(self, fd: int, path: Any, flags: int, *, is_new: bool) -> None:
        where = self.inside(path)
        if not where:
            return
        if os.path.isdir(path):
            self.open[fd] = where
            return
        if is_new:
            self.contents[where] = self._number()
            self.steps.append(Step("create", where, self.contents[where]))
        elif where not in self.contents:
            self.contents[where] = self._number()
            self.steps.append(Step("known", where, self.contents[where]))
        self.open[fd] = (self.contents[where], bool(flags & os.O_APPEND))
        if flags & os.O_TRUNC and not is_new:
            self.steps.append(Step("truncate", self.contents[where], 0))

    def named(self, do: str, path: Any, to: Any = None) -> None:
        where, target = self.inside(path), self.inside(to) if to is not None else None
        if not where:
            return
        content = self.contents.pop(where, None)
        if do == "rename" and content is not None:
            self.contents[str(target)] = content
        elif do == "rename":
            self.contents.pop(str(target), None)
        self.steps.append(Step(do, where, target))

    def _number(self) -> int:
        self.next += 1
        return self.next


# -- what may be left ------------------------------------------------------------------------------


def images(before: Image, steps: list[Step]) -> Iterator[tuple[int, str, Image]]:
    """Each disk that a power loss may leave, once: after how many steps, what was lost, and the files."""
    seen: set[Any] = set()
    for count in range(len(steps) + 1):
        for lost, names, fates in _choices(steps[:count]):
            image = _image(before, steps[:count], names, fates)
            key = frozenset(image.items())
            if key not in seen or count == len(steps):
                seen.add(key)
                yield count, lost, image


def _choices(steps: list[Step]) -> Iterator[tuple[str, set[int], dict[int, str]]]:
    """Which changes of names are there, and what happens to each file's data that was not synced."""
    names = [n for n, each in enumerate(steps) if each.do in NAMES]
    synced = {n for n in names if _is_synced(steps, n)}
    pending = sorted(_pending(steps))
    for loss in ("", *LOSSES):
        fates = dict.fromkeys(pending, loss)
        for end in range(max(synced, default=-1), len(steps)):
            if end == -1 or end in names:
                there = {n for n in names if n <= end}
                yield f"names after step {end}, data {loss or 'all'}", there, fates
        for one in pending:
            yield f"data of {one}: {loss or 'all'}", set(names), {one: loss}
        for one in names:
            gone = _dependent(steps, one)
            if not gone & synced:
                yield f"step {one}, data {loss or 'all'}", set(names) - gone, fates


def _is_synced(steps: list[Step], number: int) -> bool:
    folders = steps[number].folders()
    return any(each.do == "sync" and each.what in folders for each in steps[number + 1 :])


def _dependent(steps: list[Step], number: int) -> set[int]:
    """The change and all later ones of names in the same folders, or below what it made."""
    gone, folders = {number}, set(steps[number].folders())
    for later in range(number + 1, len(steps)):
        each = steps[later]
        if each.do in NAMES and each.folders() & folders:
            gone.add(later)
            folders |= each.folders()
    return gone


def _pending(steps: list[Step]) -> set[int]:
    """The files with data that was not synced."""
    open_: set[int] = set()
    for each in steps:
        if each.do in ("write", "truncate"):
            open_.add(each.what)
        elif each.do == "sync":
            open_.discard(each.what)
    return open_


def _image(before: Image, steps: list[Step], names: set[int], fates: dict[int, str]) -> Image:
    paths: dict[str, int | bytes | None] = dict(before)
    data: dict[int, bytes] = {}
    for number, each in enumerate(steps):
        if each.do == "known":
            kept = before.get(each.what)
            data[each.to] = kept if isinstance(kept, bytes) else b""
            if each.what in paths and paths[each.what] is not None:
                paths[each.what] = each.to
        elif each.do == "create":
            data[each.to] = b""
        if number in names:
            _rename(paths, each)
    final = {
        content: _content(begun, steps, content, fates.get(content, ""))
        for content, begun in data.items()
    }
    return {
        path: final[each] if isinstance(each, int) else each
        for path, each in paths.items()
        if _has_parents(paths, path)
    }


def _rename(paths: dict[str, int | bytes | None], step: Step) -> None:
    if step.do == "create":
        paths[step.what] = step.to
    elif step.do == "mkdir":
        paths[step.what] = None
    elif step.do in ("unlink", "rmdir"):
        paths.pop(step.what, None)
    elif step.what in paths:
        for path in [each for each in paths if (each + "/").startswith(step.what + "/")]:
            paths[step.to + path[len(step.what) :]] = paths.pop(path)


def _has_parents(paths: dict[str, Any], path: str) -> bool:
    folder = os.path.dirname(path)
    return not folder or (folder in paths and _has_parents(paths, folder))


def _content(data: bytes, steps: list[Step], content: int, fate: str) -> bytes:
    """The content of a file, of whose changes after its last sync this became."""
    own = [each for each in steps if each.what == content and each.do != "known"]
    last = max((n for n, each in enumerate(own) if each.do == "sync"), default=-1)
    later = [n for n, each in enumerate(own) if n > last and each.do in ("write", "truncate")]
    for number, each in enumerate(own):
        if number in later and fate == "none":
            continue
        if each.do == "truncate":
            data = data[: each.to].ljust(each.to, b"\0")
        elif each.do == "write":
            new = each.data
            if number in later and fate == "zeros":
                new = bytes(len(new))
            if later and number == later[-1] and fate == "cut":
                new = new[: len(new) // 2]
            data = data[: each.to].ljust(each.to, b"\0") + new + data[each.to + len(new) :]
    return data


# -- a folder as an image --------------------------------------------------------------------------


def read(top: str) -> Image:
    image: Image = {}
    for folder, folders, names in os.walk(top):
        for name in folders:
            image[os.path.relpath(os.path.join(folder, name), top)] = None
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                image[os.path.relpath(path, top)] = file.read()
    return image


def write(top: str, present: Image, image: Image) -> None:
    """Bring a folder that is as ``present`` to the image."""
    for path in sorted(present.keys() - image.keys(), reverse=True):
        full = os.path.join(top, path)
        os.rmdir(full) if os.path.isdir(full) else os.unlink(full)
    for path in sorted(image):
        data, full = image[path], os.path.join(top, path)
        if path in present and present[path] == data:
            continue
        if data is None:
            os.mkdir(full, 0o700)
        else:
            fd = os.open(full, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(fd, "wb") as file:
                file.write(data)
