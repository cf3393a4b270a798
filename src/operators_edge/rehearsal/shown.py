"""A rehearsal as text and as data. Pure. What a command or a file said is redacted and harmless in it."""

from __future__ import annotations

import os
import stat

from operators_edge.gate.secret_files import is_credentials, is_env_file
from operators_edge.locations import is_within
from operators_edge.redaction.redact import redact
from operators_edge.rehearsal import effects
from operators_edge.text.wording import amount, columns, cut, escaped, fitted, many
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from operators_edge.rehearsal.effects import Change, Surroundings, Where
    from operators_edge.rehearsal.service import Rehearsed

WIDTH = 80
_NAME_WIDTH = 44


class Bounds(NamedTuple):
    """How many lines a text may have; ``names`` are those of each group."""

    names: int = 15
    diff: int = 60
    of_one_diff: int = 24
    output: int = 20


SCREEN = Bounds()
WHOLE = Bounds(names=1_000, diff=5_000, of_one_diff=1_000, output=2_000)
CLIENT = Bounds(names=8, diff=24, of_one_diff=12, output=8)

_TITLES = {"deleted": "Deleted", "changed": "Changed", "created": "Created", "mode": "Permissions"}
_CUTS = {
    "time": "it was ended when its time was up",
    "memory": "it was ended because it took too much memory",
    "processes": "it was ended because it started too many processes",
    "disk": "it had no more room to write",
}


class Shown(NamedTuple):
    """A rehearsal as it is to be shown. ``home`` shortens paths; ``secrets`` are values to hide."""

    command: str
    result: Rehearsed
    changes: Sequence[Change]
    around: Surroundings
    is_whole: bool = True
    home: str = ""
    secrets: tuple[str, ...] = ()

    def lines(self, bounds: Bounds = SCREEN) -> list[str]:
        return [*_head(self), *_body(self, bounds)]

    def as_data(self) -> dict[str, Any]:
        result = self.result
        return {
            "command": self.clean(self.command),
            "exit_code": result.code,
            "seconds": round(result.seconds, 3),
            "cut": result.cut,
            "is_complete": self.is_whole,
            "changes": [
                {
                    "path": self.name(each.path),
                    "what": each.what,
                    "where": place,
                    "kind": _kind(each),
                    "mode": _modes(each),
                    "bytes": each.size,
                    "files": each.files,
                    "diff": self.clean("\n".join(self.diff(each))),
                }
                for place, group in self.by_place().items()
                for each in effects.folded(group)
            ],
            "network": [*result.network],
            "left_running": [self.clean(each) for each in result.left],
            "not_shown_to_it": [*result.unseen],
            "output": self.clean(result.output),
        }

    def by_place(self) -> dict[Where, list[Change]]:
        return effects.sorted_by_place(self.changes, self.around)

    def clean(self, text: str) -> str:
        return escaped(redact(text, values=self.secrets), keep="\n\t")

    def name(self, path: str) -> str:
        """The path as a person knows it, redacted and harmless."""
        if is_within(path, self.around.project) and path != self.around.project:
            path = os.path.relpath(path, self.around.project)
        elif self.home and path.startswith(self.home + os.sep):
            path = "~" + path[len(self.home) :]
        return escaped(redact(path, values=self.secrets))

    def diff(self, change: Change) -> list[str]:
        if change.what != "changed" or change.is_link:
            return []
        if is_credentials(change.path) or is_env_file(change.path):
            return []
        return effects.diff(change, self.name(change.path))


def _head(shown: Shown) -> list[str]:
    result = shown.result
    code = "ended" if result.code is None else f"exit code {result.code}"
    told = [
        fitted(f"Rehearsed: {' '.join(shown.clean(shown.command).split())}", WIDTH),
        f"{code} after {result.seconds:.1f} s. Nothing of this has happened.",
    ]
    told += [f"Incomplete: {_CUTS[result.cut]}."] if result.cut else []
    told += [] if shown.is_whole else ["Incomplete: it changed more files than are looked at."]
    return told


def _body(shown: Shown, bounds: Bounds) -> Iterator[str]:
    groups = shown.by_place()
    project = groups.get("project", [])
    yield from _listed_changes(shown, project, bounds)
    if not project:
        yield from ("", "No file of the project would change.")
    yield from _repository(shown, groups.get("repository", []), bounds)
    titles: tuple[tuple[Where, str], ...] = (
        ("guard", "Parts of the guard, which are never taken over"),
        ("outside", "Outside the project, it would have written"),
    )
    for place, title in titles:
        names = [_change_line(shown, each) for each in effects.folded(groups.get(place, []))]
        yield from _listed(title, names, bounds.names)
    yield from _listed("Wanted to reach", [*map(shown.clean, shown.result.network)], bounds.names)
    left = [fitted(_one(shown.clean(each)), WIDTH - 2) for each in shown.result.left]
    yield from _listed("Would have stayed running", left, bounds.names)
    temporary = [each for each in groups.get("temporary", []) if not each.is_folder]
    if temporary:
        yield from ("", f"Temporary files left: {len(temporary)}")
    yield from _listed(
        "Could not be shown to it", [*map(escaped, shown.result.unseen)], bounds.names
    )
    yield from _output(shown, bounds.output)


def _listed(title: str, names: Sequence[str], most: int) -> Iterator[str]:
    if names:
        yield from ("", f"{title} ({len(names)})")
        yield from (f"  {each}" for each in names[:most])
        if len(names) > most:
            yield f"  and {len(names) - most} more"


def _listed_changes(shown: Shown, changes: Sequence[Change], bounds: Bounds) -> Iterator[str]:
    left = bounds.diff
    for what, title in _TITLES.items():
        found = effects.folded([each for each in changes if each.what == what])
        if found:
            yield from ("", f"{title} ({len(found)})")
        for each in found[: bounds.names]:
            yield f"  {_line(shown, each)}"
            lines = [] if left <= 0 else shown.clean("\n".join(shown.diff(each)[2:])).splitlines()
            most = min(bounds.of_one_diff, left)
            yield from (f"    {fitted(line, WIDTH - 4)}" for line in lines[:most])
            if len(lines) > most:
                yield f"    and {many(len(lines) - most, 'line')} more"
            left -= len(lines)
        if len(found) > bounds.names:
            yield f"  and {len(found) - bounds.names} more"


def _change_line(shown: Shown, change: Change) -> str:
    verb = "permissions" if change.what == "mode" else change.what
    return _line(shown, change, verb)


def _line(shown: Shown, change: Change, verb: str = "") -> str:
    """A name, and how much it is, in two columns."""
    name = shown.name(change.path) + ("/" if change.is_folder else "")
    room = max(0, _NAME_WIDTH - columns(name))
    return fitted(
        f"{name}{' ' * room}  {', '.join(filter(None, (verb, _about(shown, change))))}", WIDTH - 2
    )


def _about(shown: Shown, change: Change) -> str:
    if change.what == "mode":
        return _modes(change)
    if change.is_link:
        return f"link to {shown.clean(os.fsdecode(change.after or change.before or b'?'))}"
    if change.is_folder:
        return f"{many(change.files, 'file')}, {amount(change.size)}"
    if not stat.S_ISREG(change.new_mode or change.old_mode):
        return _kind(change)
    if change.what == "changed":
        lines = shown.diff(change)[2:]
        more = sum(each.startswith("+") for each in lines)
        less = sum(each.startswith("-") for each in lines)
        counts = f"+{more} -{less}" if lines else amount(change.size)
        modes = _modes(change)
        return f"{counts}, permissions {modes}" if modes else counts
    is_program = change.what == "created" and change.new_mode & 0o111
    return f"{amount(change.size)}{', executable' if is_program else ''}"


def _modes(change: Change) -> str:
    old, new = map(effects.permissions, (change.old_mode, change.new_mode))
    is_other = change.what in ("mode", "changed") and old != new and not change.is_link
    return f"{old} -> {new}" if is_other else ""


_KINDS = {
    stat.S_IFREG: "file",
    stat.S_IFDIR: "folder",
    stat.S_IFLNK: "link",
    stat.S_IFIFO: "pipe",
    stat.S_IFSOCK: "socket",
}


def _kind(change: Change) -> str:
    return _KINDS.get(stat.S_IFMT(change.new_mode or change.old_mode), "device")


# -- the repository ---------------------------------------------------------------------------------

_STORES = ("objects", "logs", "lfs")
_REFRESHED = ("index", "FETCH_HEAD", "ORIG_HEAD", "COMMIT_EDITMSG", "gc.log")


def _repository(shown: Shown, changes: Sequence[Change], bounds: Bounds) -> Iterator[str]:
    """What a person knows of it by name: branches, tags, configuration, hooks. Objects are counted."""
    if not shown.around.repositories:
        names = [_change_line(shown, each) for each in effects.folded(changes)]
        yield from _listed("In repositories", names, bounds.names)
        return
    names, objects = [], 0
    for each in changes:
        below = _below_repository(each.path, shown.around.repositories)
        if below.split("/")[0] in _STORES:
            objects += below.startswith("objects/") and not each.is_folder
        elif below not in _REFRESHED and not each.is_folder:
            names.append(_ref_line(shown, each, below))
    if objects:
        names.append(f"{many(objects, 'object')}")
    if any(_below_repository(each.path, shown.around.repositories) == "index" for each in changes):
        names.append("the index")
    yield from _listed("In the repository", names, bounds.names)


def _below_repository(path: str, folders: Sequence[str]) -> str:
    inside = [each for each in folders if is_within(path, each)]
    return os.path.relpath(path, max(inside, key=len)) if inside else path


def _ref_line(shown: Shown, change: Change, below: str) -> str:
    old, new = (_short(each) for each in (change.before, change.after))
    is_ref = below.startswith("refs/") or below == "HEAD"
    if not is_ref or not (old or new):
        return _change_line(shown, change)
    moved = f"{old or 'new'} -> {new or 'deleted'}"
    return fitted(f"{escaped(below):<{_NAME_WIDTH}}  {moved}", WIDTH - 2)


def _short(content: bytes | None) -> str:
    """A commit's id, shortened; the branch that HEAD names."""
    text = escaped((content or b"").decode("utf-8", "replace").strip())
    return text.removeprefix("ref: refs/heads/") if text.startswith("ref:") else text[:10]


# -- output -----------------------------------------------------------------------------------------


def _output(shown: Shown, most: int) -> Iterator[str]:
    lines = shown.clean(shown.result.output).rstrip("\n").expandtabs().splitlines()
    if not lines:
        yield from ("", "It printed nothing.")
        return
    yield from ("", "Output")
    first = most // 2 if len(lines) > most else len(lines)
    last = most - first if len(lines) > most else 0
    fit: Callable[[str], str] = lambda line: f"  {fitted(line, WIDTH - 2)}"  # noqa: E731
    yield from map(fit, lines[:first])
    if last:
        yield f"  … {len(lines) - most} lines …"
        yield from map(fit, lines[-last:])


def _one(text: str) -> str:
    return " ".join(cut(text, 500).split())


# end of module
