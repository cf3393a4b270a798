"""What the claims of a project are worth: asks the log, git and the disk, and gives that to the pure part.

Owns what is asked, and that nothing is asked twice. Does not own how it is judged
(``evidence.claims.judge``) or what fails the gate (``quality.service``).
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from operators_edge.evidence import overrides
from operators_edge.evidence.objective_facts import of_step
from operators_edge.evidence.progress import keys_of
from operators_edge.state import schema
from operators_edge.text import timestamps
from operators_edge.text.wording import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.evidence.claims.judge import Claim, Trace
    from operators_edge.git.worktree import TreeState
    from operators_edge.model import State
    from operators_edge.project import Project

MOST_NAMES = 50_000
"""Files of a project in which a name is looked for; in a larger one it is not said that there is none."""

_MANIFESTS = frozenset(
    {"package.json", "pyproject.toml", "setup.py", "setup.cfg", "go.mod", "Cargo.toml", "pom.xml"}
    | {"build.gradle", "build.gradle.kts", "composer.json", "Gemfile", "mix.exs", "deno.json"}
)
_NOT_SEARCHED = frozenset({".git", ".proof", "node_modules", ".venv", "venv", "__pycache__"})


def claims_of(project: Project, state: State, ground: Ground | None = None) -> tuple[Claim, ...]:
    """A claim for every completed step, in the plan's order; ``ground`` is what was asked already."""
    steps = [each if isinstance(each, dict) else {} for each in state.get("plan") or []]
    if not any(step.get("status") == "completed" for step in steps):
        return ()
    from operators_edge.evidence.claims import judge as claims  # noqa: PLC0415 - many patterns, and no need without a claim

    ground = ground or Ground(project, project.evidence.work())
    work = ground.work
    override = _override(project, state)
    keys = keys_of(step.get("description") for step in steps)
    return tuple(
        claims.judge(
            claims.Case(
                claims.subject_of(number, key, step, work, of_step(work, key)), work, ground
            ),
            override,
        )
        for number, (key, step) in enumerate(zip(keys, steps, strict=True), 1)
        if step.get("status") == "completed"
    )


def last_verified(claims: Sequence[Claim], work: dict[str, Any], ground: Ground) -> str:
    """What was proven last and how it stands now, in a sentence; "" where no check ever passed."""
    proven = [each for each in claims if each.verdict == "VERIFIED" and each.check]
    if proven:
        last = max(proven, key=lambda each: int((each.check or {}).get("seq") or 0))
        return f"step {last.step} ({one_line(last.text, 60)}): {last.why}"
    passed = [each for each in work["checks"] if each.get("passed") is True]
    if not passed:
        return ""
    from operators_edge.evidence.claims import check_history, relevance  # noqa: PLC0415 - see claims_of

    told, changed = check_history.told(passed[-1]), ground.changed(passed[-1].get("look"))
    if changed is None:
        return f"no completed step; {told}; what changed since cannot be told"
    files = relevance.covered(changed, ground.unit(str(passed[-1].get("cwd") or "")))
    shown = ", ".join(files[:3]) + (f" and {len(files) - 3} more" if len(files) > 3 else "")
    since = f"changed since: {shown}" if files else "nothing changed since"
    return f"no completed step; {told}; {since}"


def _override(project: Project, state: State) -> dict[str, Any] | None:
    """What a person let pass of the claims, in the session and for the objective that are now."""
    session = schema.latest_session(state)
    for grant in state.get("overrides") or []:
        if (
            isinstance(grant, dict)
            and overrides.covers(grant, "claims_supported")
            and not overrides.lapsed(grant, state, session)
            and not project.why_not(grant)
        ):
            return grant
    return None


class Ground:
    """The tree and its history, asked when it is needed: see ``evidence.claims.judge.Ground``."""

    def __init__(self, project: Project, work: dict[str, Any]) -> None:
        self.project = project
        self.root = project.root
        self.work = work
        self._changed: dict[str, tuple[str, ...] | None] = {}

    # -- looks -----------------------------------------------------------------------------------

    def changed(self, look: object) -> tuple[str, ...] | None:
        from operators_edge.evidence import tree_cache  # noqa: PLC0415 - where a check passed

        before = tree_cache.found(self.root, look)
        return None if before is None else self._since(before)

    @property
    def is_seen(self) -> bool:
        """Whether git can tell here what differs."""
        return self._now is not None

    def _since(self, before: TreeState) -> tuple[str, ...] | None:
        from operators_edge.git import worktree  # noqa: PLC0415 - see above

        if before.digest not in self._changed:
            found = None if self._now is None else worktree.changed(self.root, before, self._now)
            self._changed[before.digest] = None if found is None else tuple(found)
        return self._changed[before.digest]

    @cached_property
    def _now(self) -> TreeState | None:
        from operators_edge.git import worktree  # noqa: PLC0415 - see above

        now = worktree.tree_state(self.root)
        return now if isinstance(now, worktree.TreeState) else None

    # -- files -----------------------------------------------------------------------------------

    def trace(self, path: str) -> Trace:
        from operators_edge.evidence.claims.judge import Trace  # noqa: PLC0415 - see claims_of

        found = self._like(path)
        if found is None:
            return Trace(path, self.is_there(path), is_changed=None)
        if not found:
            return Trace(path, is_there=False, is_changed=self._was_anywhere([path]))
        told = [self._is_changed(each) for each in found]
        is_changed = True if True in told else None if None in told else False
        if is_changed is False:
            is_changed = self._was_anywhere(found)
        return Trace(found[0], is_there=True, is_changed=is_changed)

    def is_there(self, path: str) -> bool:
        return os.path.lexists(os.path.join(self.root, path))

    def _is_changed(self, path: str) -> bool | None:
        """By the disk's own time of the last change, and by the look with which the work began.

        The time alone proves nothing that did happen: git and tools write a file as it was.
        """
        is_newer = self._is_newer(path)
        if self._first_look is None:
            return None if is_newer is not False else False
        changed = self._since(self._first_look)
        if changed is None:
            return None if is_newer is not False else False
        if path in changed:
            return True
        return None if is_newer else False

    def _is_newer(self, path: str) -> bool | None:
        """Whether a file was touched since the first session began; None where the disk cannot tell."""
        if os.name == "nt" or self._began is None:
            return None  # the time of a change is the time of creation there
        try:
            found = os.lstat(os.path.join(self.root, path))
        except OSError:
            return None
        return found.st_ctime >= self._began

    def _was_anywhere(self, paths: list[str]) -> bool | None:
        """Whether a branch, stash or other work tree knows of a change; False where there is no git."""
        if self._began is None:
            return None
        if self._now is None:
            return None if self._is_repository else False
        from operators_edge.git import history  # noqa: PLC0415 - for what nobody was seen to touch

        since = datetime.fromtimestamp(self._began, UTC).isoformat()
        head = self._first_look.head if self._first_look else ""
        told = history.touched_anywhere(self.root, paths, since, head=head).values()
        return True if True in told else None if None in told else False

    @cached_property
    def _is_repository(self) -> bool:
        folder = self.root
        while not os.path.lexists(os.path.join(folder, ".git")):
            above = os.path.dirname(folder)
            if above == folder:
                return False
            folder = above
        return True

    def _like(self, path: str) -> list[str] | None:
        """Where a file of that name lies, the very place first; None where that was not to be found out."""
        if self._names is None:
            return None
        name = os.path.basename(path.rstrip("/")).lower()
        places = self._names.get(name, [])
        if "/" in path:
            exact = [each for each in places if f"/{each}".endswith(f"/{path}")]
            # One of the name elsewhere may be what was meant, where it was written meanwhile.
            is_open = any(self._is_newer(each) is not False for each in places)
            return exact or (None if is_open else [])
        return sorted(places, key=lambda each: (each != path, each))

    @cached_property
    def _names(self) -> dict[str, list[str]] | None:
        found: dict[str, list[str]] = {}
        count = 0
        for folder, folders, names in os.walk(self.root):
            folders[:] = [each for each in folders if each not in _NOT_SEARCHED]
            count += len(names)
            if count > MOST_NAMES:
                return None
            for name in names:
                where = os.path.relpath(os.path.join(folder, name), self.root).replace(os.sep, "/")
                found.setdefault(name.lower(), []).append(where)
        return found

    # -- when it began ---------------------------------------------------------------------------

    @cached_property
    def _sessions(self) -> list[dict[str, Any]]:
        return [self.project.evidence.session(each).record for each in self.work["sessions"]]

    @cached_property
    def _began(self) -> float | None:
        """When the first session that worked for this objective began."""
        since = (self.work["since"] or {}).get("at")
        times = [_time(each) for each in (since, *(one["started_at"] for one in self._sessions))]
        if since is None or not self._sessions or None in times:
            return None
        return min(each for each in times if each is not None)

    @cached_property
    def _first_look(self) -> TreeState | None:
        from operators_edge.evidence import tree_cache  # noqa: PLC0415 - see above

        first = self._sessions[0] if self._sessions else {}
        return tree_cache.found(self.root, first.get("tree"))

    # -- parts -----------------------------------------------------------------------------------

    def unit(self, folder: str) -> str:
        inside = os.path.relpath(folder, self.root).replace(os.sep, "/") if folder else "."
        if inside == "." or inside.startswith(".."):
            return ""
        try:
            names = os.listdir(folder)
        except OSError:
            return ""
        return inside if not _MANIFESTS.isdisjoint(names) else ""


def _time(text: object) -> float | None:
    when = timestamps.parse(text)
    return None if when is None else when.timestamp()
