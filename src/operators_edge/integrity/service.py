"""Recording what is installed and guarded, and comparing it with what is there.

The comparison tells only what differs, each in one line with what to run. What a host's settings must
contain is the host's to say (``Wiring``). A development installation is not compared by content: it changes
with every edit, and git shows how.
"""

from __future__ import annotations

import os

from operators_edge.contexts import suppress
from operators_edge.datetimes import UTC, datetime, timedelta
from operators_edge.errors import EdgeError, StateDamaged
from operators_edge.integrity import facts, seen, store
from operators_edge.integrity.seen import Difference, Seen
from operators_edge.locations import PROOF_DIR
from operators_edge.system import installation
from operators_edge.system.user_dirs import project_id, user_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Protocol

    from operators_edge.integrity.store import GuardedProject, Record, RecordedInstallation
    from operators_edge.system.installation import Installation

    class Wiring(Protocol):
        """What one host knows about a project's settings."""

        def watched(self, root: str, env: Mapping[str, str]) -> list[str]:
            """The files on which it depends whether sessions in the project are guarded."""

        def mark(self, root: str, env: Mapping[str, str]) -> str:
            """What in these files runs the gate, as one text; "" if nothing does."""

        def problem(
            self, root: str, env: Mapping[str, str], *, recorded: str, packages: Mapping[str, str]
        ) -> str:
            """Why a new session in the project would not be guarded; "" if it would.

            ``recorded``: the mark of when it was set up, "" if it is not known; ``packages``: the
            installations, each with the Python that it is run by, "" if that is not known.
            """


TOLD_FOR = timedelta(days=7)
"""How long sessions are reminded of a project whose folder is gone."""

_REINSTALL = "Reinstall it (`pipx reinstall operators-edge`); if you changed it yourself: edge init"
_MAX_NAMES = 3


# -- comparing -------------------------------------------------------------------------------------


def look(
    wiring: Wiring, env: Mapping[str, str] = os.environ, *, is_kept: bool = False
) -> list[Difference]:
    """Compare everything with the record; [] if nothing was recorded. ``is_kept``: for the next prompt."""
    try:
        record = store.read(env)
    except StateDamaged as error:
        return [Difference(error.message, error.hint)]
    if record is None:
        return [Difference(_LOST, _SET_UP_AGAIN)] if _was_set_up(env) else []
    paths = [store.path(env), *_watched(record, wiring, env)]
    before = seen.stamp(paths)
    found = list(_differences(record, wiring, env))
    if is_kept:
        _keep(record, Seen(paths, before, found), env)
    return found


_LOST = "The record of what is installed and guarded was removed"
_SET_UP_AGAIN = "In each project: edge init"


def _was_set_up(env: Mapping[str, str]) -> bool:
    """Whether there was a record: what is kept beside it is still there."""
    return any(map(os.path.exists, (store.lock_path(env), seen.path(env))))


def _keep(record: Record, found: Seen, env: Mapping[str, str]) -> None:
    with suppress(EdgeError, OSError):  # without it, the next prompt compares again
        store.write_seen(found, env)
        if any(not os.path.isdir(root) for root in record["projects"]):
            note_gone(env)


def _differences(record: Record, wiring: Wiring, env: Mapping[str, str]) -> Iterator[Difference]:
    if not store.is_genuine(record, env):
        what = "The record of what is installed was changed by something other than Operator's Edge"
        yield Difference(what, _SET_UP_AGAIN)
        return
    for package, recorded in record["installations"].items():
        yield from _of_installation(package, recorded)
    packages = {
        package: recorded["interpreter"].partition("\n")[2]
        for package, recorded in record["installations"].items()
    }
    gone = [root for root in record["projects"] if not os.path.isdir(root)]
    yield from _of_gone(
        [root for root in gone if not _is_long_ago(record["projects"][root].get("gone_at"))]
    )
    for root, project in record["projects"].items():
        if root not in gone:
            yield from _of_project(root, project, packages, wiring, env)
    for notice in record["notices"]:
        yield Difference(
            f"{notice['at'][:16].replace('T', ' ')} UTC: {notice['text']}", "edge doctor"
        )


def _watched(record: Record, wiring: Wiring, env: Mapping[str, str]) -> list[str]:
    found: dict[str, None] = {}
    for package, recorded in record["installations"].items():
        names = [os.path.join(package, name) for name in recorded["files"]]
        library = os.path.dirname(package)
        around = [os.path.join(library, name) for name in recorded["around"]]
        link = recorded["interpreter"].partition("\n")[0]
        start = [os.path.join(package, "__init__.py"), link, *([library] if names else [])]
        found |= dict.fromkeys((package, *start, *names, *map(os.path.dirname, names), *around))
    for root in record["projects"]:
        folders = (os.path.join(root, "."), os.path.join(root, PROOF_DIR, "."))  # see seen.stamp
        found |= dict.fromkeys((*folders, _redirect_of_git(root), *wiring.watched(root, env)))
    return list(found)


def _of_installation(package: str, recorded: RecordedInstallation) -> Iterator[Difference]:
    if not os.path.isdir(package):
        yield Difference(f"Operator's Edge was removed: {package}", "pipx install operators-edge")
        return
    version = facts.version_of(package)
    if version != recorded["version"]:
        states = f"is {version}" if version else "has no version"
        what = f"Operator's Edge in {package} {states}; {recorded['version']} was recorded"
        yield Difference(what, "If you upgraded it, run in your terminal: edge status")
        return
    if recorded["files"]:
        now = facts.digests(package, facts.package_files(package))
        changed = _changed(recorded["files"], now)
        if changed:
            what = f"{_count(changed)} of Operator's Edge differ from what was installed"
            yield Difference(f"{what}: {_named(changed)}", _REINSTALL)
    library = os.path.dirname(package)
    names = {*facts.start_files(library, is_shared=recorded["is_shared"]), *recorded["around"]}
    changed = _changed(recorded["around"], facts.digests(library, names))
    if recorded["files"] and changed:
        what = f"What runs with Operator's Edge has changed in {library}: {_named(changed)}"
        yield Difference(what, _REINSTALL)
    link, _, target = recorded["interpreter"].partition("\n")
    if target and os.path.realpath(link) != target:
        what = f"{link} is a different Python from the recorded one: {os.path.realpath(link)}"
        yield Difference(what, "If you changed it yourself, run in your terminal: edge init")


def _changed(before: Mapping[str, object], now: Mapping[str, object]) -> list[str]:
    return sorted(name for name in {*before, *now} if before.get(name) != now.get(name))


def _of_gone(roots: Sequence[str]) -> Iterator[Difference]:
    """One difference for all: a folder with the trees of a week may be removed at once."""
    if not roots:
        return
    first, others = roots[0], len(roots) - 1
    what, it = f"The guarded project {first} no longer exists", "it"
    if others:
        what, it = f"{others + 1} guarded projects no longer exist, such as {first}", "them"
    yield Difference(what, f"If you removed or moved {it}, run in your terminal: edge status")


def _of_project(
    root: str,
    project: GuardedProject,
    packages: Mapping[str, str],
    wiring: Wiring,
    env: Mapping[str, str],
) -> Iterator[Difference]:
    why = wiring.problem(root, env, recorded=project.get("wiring", ""), packages=packages)
    if why:
        what = f"{root} is not guarded any more: {why}"
        yield Difference(what, f"cd {root} && edge init (or, if you want it so: edge uninstall)")
    folder = os.path.join(user_dir(env), "projects", project_id(root))
    if os.path.exists(os.path.join(folder, "head.json")) and not os.path.isdir(
        os.path.join(root, PROOF_DIR)
    ):
        run = f"cd {root} && edge log verify"
        yield Difference(f"The log of {root} was deleted (.proof)", run)
    redirect = _redirect_of_git(root)
    if os.path.lexists(redirect):
        what = f"{redirect} gives git another configuration and other hooks"
        yield Difference(what, f"look at it, then: rm {redirect}")


def _redirect_of_git(root: str) -> str:
    """A file that leads git to another configuration; git itself writes one for linked worktrees only."""
    return os.path.join(root, ".git", "commondir")


def _is_long_ago(when: str | None) -> bool:
    return when is not None and datetime.now(UTC) - datetime.fromisoformat(when) > TOLD_FOR


def _count(names: list[str]) -> str:
    return "1 file" if len(names) == 1 else f"{len(names)} files"


def _named(names: list[str]) -> str:
    return ", ".join(names[:_MAX_NAMES]) + (", …" if len(names) > _MAX_NAMES else "")


# -- recording -------------------------------------------------------------------------------------


def guard(
    root: str | None,
    env: Mapping[str, str] = os.environ,
    *,
    ours: Installation | None = None,
    mark: str = "",
) -> None:
    """Record what is installed now, and that sessions in the project have to be guarded.

    ``mark`` is that of its settings (``Wiring.mark``).
    """
    ours = ours or installation.current()
    made = _recorded(ours)

    def edit(record: Record) -> None:
        record["installations"][ours.package] = made
        if root is not None:
            record["projects"][os.path.realpath(root)] = _project(mark)

    store.change(env, edit)


def _project(mark: str) -> GuardedProject:
    return {"host": "claude", "since": _now(), "wiring": mark}


def adopt(
    root: str | None,
    env: Mapping[str, str] = os.environ,
    *,
    ours: Installation | None = None,
    mark: str = "",
) -> None:
    """Record what is not recorded yet: a guarded session runs in the project. ``mark``: as for ``guard``."""
    ours = ours or installation.current()
    real = os.path.realpath(root) if root is not None else None
    record = store.read(env)
    is_known = record is not None and ours.package in record["installations"]
    if record is not None and is_known and (real is None or real in record["projects"]):
        return
    was_lost = record is None and _was_set_up(env)

    def edit(record: Record) -> None:
        if was_lost:
            record["notices"].append({"at": _now(), "text": _LOST})
        if ours.package not in record["installations"]:
            record["installations"][ours.package] = _recorded(ours)
        if real is not None:
            record["projects"].setdefault(real, _project(mark))

    store.change(env, edit)


def unguard(root: str, env: Mapping[str, str] = os.environ) -> None:
    """The project need not be guarded any more."""
    store.change(env, lambda record: record["projects"].pop(os.path.realpath(root), None))


def acknowledge(env: Mapping[str, str] = os.environ, *, ours: Installation | None = None) -> None:
    """A person has read what differs: what only they can have meant is recorded as it is now.

    That is another version of this installation, what is gone, and notices. Changed files of the same version
    are never acknowledged this way.
    """
    ours = ours or installation.current()

    def edit(record: Record) -> None:
        recorded = record["installations"].get(ours.package)
        version = facts.version_of(ours.package)
        if recorded is not None and version and recorded["version"] != version:
            record["installations"][ours.package] = _recorded(ours)
        for package in [each for each in record["installations"] if not os.path.isdir(each)]:
            del record["installations"][package]
        for root in [each for each in record["projects"] if not os.path.isdir(each)]:
            del record["projects"][root]
        record["notices"] = []

    store.change(env, edit)


def note_gone(env: Mapping[str, str] = os.environ) -> None:
    """Remember since when the folders of projects are gone, so that sessions hear of it for a while only."""

    def edit(record: Record) -> None:
        for root, project in record["projects"].items():
            if not os.path.isdir(root):
                project.setdefault("gone_at", _now())

    store.change(env, edit)


def notice(text: str, env: Mapping[str, str] = os.environ) -> None:
    """Keep what a process noticed that cannot tell anyone."""
    store.change(env, lambda record: record["notices"].append({"at": _now(), "text": text}))


def _recorded(ours: Installation) -> RecordedInstallation:
    link = os.path.join(ours.environment, "bin", "python") if ours.environment else ""
    is_development = facts.is_development(ours)
    return {
        "version": facts.version_of(ours.package),
        "interpreter": f"{link}\n{os.path.realpath(link)}" if os.path.exists(link) else "",
        "files": {}
        if is_development
        else facts.digests(ours.package, facts.package_files(ours.package)),
        "around": {} if is_development else facts.digests(ours.library, facts.beside(ours)),
        "is_shared": ours.is_shared,
        "recorded_at": _now(),
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


# end of module
