"""The tree and its history, asked for the judge of claims: by git, by the disk's times, and by name.

Owns these questions, and that nothing is asked twice. Does not own what follows from the answers
(``evidence.claims.judge``).
"""

from __future__ import annotations

import os

from operators_edge.cached import cached_property
from operators_edge.datetimes import UTC, datetime
from operators_edge.evidence import tree_cache
from operators_edge.evidence.claims.model import History, NamedFile
from operators_edge.git import commands as git, worktree
from operators_edge.system.project_root import top_of
from operators_edge.text import timestamps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.evidence.objective_facts import ObjectiveFacts
    from operators_edge.project import Project

MAX_NAMES = 50_000
"""Files of a project in which names are searched; in a larger one no file is called missing."""

_CLOCK_SECONDS = 1
"""A commit's time has no fractions of a second."""

_MANIFESTS = frozenset(
    {"package.json", "pyproject.toml", "setup.py", "setup.cfg", "go.mod", "Cargo.toml", "pom.xml"}
    | {"build.gradle", "build.gradle.kts", "composer.json", "Gemfile", "mix.exs", "deno.json"}
    | {
        "CMakeLists.txt",
        "Rakefile",
        "Makefile.PL",
        "cpanfile",
        "manage.py",
        "pubspec.yaml",
        "Package.swift",
        "build.sbt",
        "meson.build",
    }
)
_PROJECTS = (".csproj", ".fsproj", ".vbproj", ".sln", ".gemspec", ".cabal", ".rockspec")
_NOT_SEARCHED = frozenset({".git", ".proof", "node_modules", ".venv", "venv", "__pycache__"})


class ProjectTreeFacts:
    """``evidence.claims.model.TreeFacts`` of a project; each question is asked when it is needed."""

    def __init__(
        self, project: Project, work: ObjectiveFacts, now: worktree.TreeState | None = None
    ) -> None:
        self.project = project
        self.root = project.root
        self.work = work
        if now is not None:
            self._now = now  # it was taken a moment ago
        self._changed: dict[str, tuple[str, ...] | None] = {}

    # -- tree states -----------------------------------------------------------------------------

    def changed(self, look: object) -> tuple[str, ...] | None:
        before = tree_cache.load(self.root, look)
        if before is None or self._now is None:
            return None
        if before.digest not in self._changed:
            files = worktree.changed(self.root, before, self._now)
            self._changed[before.digest] = None if files is None else tuple(files)
        return self._changed[before.digest]

    def between(self, one: object, other: object) -> tuple[str, ...] | None:
        before, after = (tree_cache.load(self.root, each) for each in (one, other))
        if before is None or after is None:
            return None
        files = worktree.changed(self.root, before, after)
        return None if files is None else tuple(files)

    def since_start(self) -> tuple[str, ...] | None:
        """What differs from when the first session began; None if unknown."""
        if self.first is None or self._now is None:
            return None
        files = worktree.changed(self.root, self.first, self._now)
        return None if files is None else tuple(files)

    @property
    def has_git(self) -> bool:
        """Whether git can determine here what differs."""
        return self._now is not None

    @cached_property
    def _now(self) -> worktree.TreeState | None:
        now = worktree.tree_state(self.root)
        return now if isinstance(now, worktree.TreeState) else None

    # -- commits and pushes ------------------------------------------------------------------------

    def was_there(self, path: str) -> bool:
        first = self.first
        return (
            first is not None
            and bool(first.head)
            and self._ask("cat-file", "-e", f"{first.head}:./{path}") is not None
        )

    def history(self) -> History | None:
        return self._history

    @cached_property
    def _history(self) -> History | None:
        if self._now is None or self._now.differs is None or self._began is None:
            return None
        since = datetime.fromtimestamp(self._began - _CLOCK_SECONDS, UTC).isoformat()
        first = self.first
        old = [f"^{first.head}"] if first and first.head else []
        # Without --all of remotes: what others pushed is not this work.
        made = self._ask(
            "rev-list", "-n1", f"--since={since}", "HEAD", "--branches", "--tags", *old
        )
        return None if made is None else History(bool(made.strip()), frozenset(self._now.differs))

    def is_pushed(self) -> bool | None:
        return self._is_pushed

    @cached_property
    def _is_pushed(self) -> bool | None:
        held = self._ask("for-each-ref", "--count=1", "--contains", "HEAD", "refs/remotes")
        if held is None or held.strip():
            return None if held is None else True
        first = self.first
        history = self.history()
        if first is None or not first.head or history is None or not history.has_new_commit:
            return None
        # A branch of a remote that is older than this work was not pushed in it.
        remote = self._ask("for-each-ref", "--count=1", "refs/remotes")
        newer = self._ask("rev-list", "-n1", "--remotes", f"^{first.head}")
        return False if remote and newer is not None and not newer.strip() else None

    def has_commit(self, name: str) -> bool | None:
        if self._now is None:
            return None
        return self._ask("cat-file", "-e", f"{name}^{{commit}}") is not None

    def _ask(self, *words: str) -> str | None:
        try:
            return git.ask(self.root, *words)
        except git.GitFailed:
            return None  # too slow: unknown

    @cached_property
    def first(self) -> worktree.TreeState | None:
        """The tree when the first session that worked for this objective began."""
        for session in self.work["sessions"][:1]:
            return tree_cache.load(self.root, self.project.evidence.session(session)["tree"])
        return None

    # -- files -----------------------------------------------------------------------------------

    def named_file(self, path: str) -> NamedFile:
        paths = self._paths_named(path)
        if paths is None:
            return NamedFile(path, self.is_there(path), is_untouched=False)
        is_untouched = all(map(self._is_old, paths)) and self._is_quiet_in_history(paths or [path])
        return NamedFile((*paths, path)[0], bool(paths), is_untouched)

    def is_there(self, path: str) -> bool:
        return os.path.lexists(os.path.join(self.root, path))

    def _is_old(self, path: str) -> bool:
        """Whether the disk shows that nothing touched the file since the first session began."""
        try:
            status = os.lstat(os.path.join(self.root, path))
        except OSError:
            return False
        # On Windows the first of them is the time of creation.
        return self._began is not None and max(status.st_ctime, status.st_mtime) < self._began

    def _is_quiet_in_history(self, paths: list[str]) -> bool:
        """Whether certainly no branch, stash or other worktree contains a change."""
        if self._began is None:
            return False
        if self._now is None:  # without git there is no history; a damaged repository may have one
            return not top_of(self.root)
        from operators_edge.git import history  # noqa: PLC0415 - for files that nothing was seen to change

        since = datetime.fromtimestamp(self._began, UTC).isoformat()
        first = self.first
        head = first.head if first else ""
        touched = history.touched_anywhere(self.root, paths, since, head=head)
        return set(touched.values()) == {False}

    def _paths_named(self, path: str) -> list[str] | None:
        """The files of that name, the exact path first; None if that could not be determined."""
        if self._names is None:
            return None
        name = os.path.basename(path.rstrip("/")).lower()
        places = self._names.get(name, [])
        if "/" in path:
            exact = [each for each in places if f"/{each}".endswith(f"/{path}")]
            # A file of that name elsewhere may be the one that is meant, if it was written meanwhile.
            is_open = not all(map(self._is_old, places))
            return exact or (None if is_open else [])
        return sorted(places, key=lambda each: (each != path, each))

    @cached_property
    def _names(self) -> dict[str, list[str]] | None:
        found: dict[str, list[str]] = {}
        count = 0
        for folder, folders, names in os.walk(self.root):
            folders[:] = [each for each in folders if each not in _NOT_SEARCHED]
            count += len(names)
            if count > MAX_NAMES:
                return None
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), self.root).replace(os.sep, "/")
                found.setdefault(name.lower(), []).append(path)
        return found

    def was_written_beyond(self, path: str) -> bool:
        """Whether a file that git does not show was written since the work began: outside, or ignored."""
        full = os.path.normpath(os.path.join(self.root, os.path.expanduser(path)))
        if self._began is None or not os.path.isfile(full):
            return False
        is_outside = not full.startswith(self.root.rstrip(os.sep) + os.sep)
        is_new = os.lstat(full).st_mtime >= self._began - _CLOCK_SECONDS
        return is_new and (is_outside or self._ask("check-ignore", "-q", "--", full) is not None)

    # -- when the work began ---------------------------------------------------------------------

    @cached_property
    def _began(self) -> float | None:
        """When the first session that worked for this objective began."""
        since = self.work["since"]
        if since is None or not self.work["sessions"]:
            return None
        began = map(self.project.evidence.started_at, self.work["sessions"])
        times = [timestamps.parse(at) for at in (since["at"], *began)]
        known = [time.timestamp() for time in times if time is not None]
        return min(known) if len(known) == len(times) else None

    # -- parts -----------------------------------------------------------------------------------

    def unit(self, folder: str) -> str:
        inside = os.path.relpath(folder, self.root).replace(os.sep, "/") if folder else "."
        if inside.startswith(".") or not os.path.isdir(folder):
            return ""
        names = os.listdir(folder)
        is_part = any(each in _MANIFESTS or each.endswith(_PROJECTS) for each in names)
        return inside if is_part else ""


# end of module
