"""What a claim is judged by: a completed step, the facts of the objective, and the tree.

Owns these shapes. Does not own what is decided with them (``evidence.claims.judge``).
"""

from __future__ import annotations

from operators_edge.evidence.checks.run import bare_command, result_of
from operators_edge.evidence.progress import is_own
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Literal, Protocol

    from operators_edge.evidence.checks.run import Run
    from operators_edge.evidence.objective_facts import CommandFacts, FileFacts, ObjectiveFacts
    from operators_edge.evidence.progress import Observed

    Verdict = Literal["VERIFIED", "STALE", "CONTRADICTED", "UNVERIFIED", "OVERRIDDEN"]

    class TreeFacts(Protocol):
        """Questions about the tree, asked only if a claim depends on them. Paths are relative to the root."""

        def changed(self, look: object) -> tuple[str, ...] | None:
            """The files that differ from that tree state; None if unknown."""

        def between(self, one: object, other: object) -> tuple[str, ...] | None:
            """The files that differ between two tree states; None if unknown."""

        def was_there(self, path: str) -> bool:
            """Whether the file was committed when the work began."""

        def history(self) -> History | None:
            """Commits; None without git."""

        def is_pushed(self) -> bool | None:
            """Whether a remote-tracking branch contains the commit that is checked out.

            False only if there are such branches, and none of them has any commit that is newer than the
            work.
            """

        def has_commit(self, name: str) -> bool | None:
            """Whether the repository has a commit of that name; None without git."""

        def named_file(self, path: str) -> NamedFile:
            """Whether a file of that name exists, and whether nothing changed it since the work began."""

        def is_there(self, path: str) -> bool:
            """Whether the path exists."""

        def unit(self, folder: str) -> str:
            """The absolute folder as a part of the project, if it has a manifest of its own; else ""."""


CRITERIA = ("description", "verification")
"""Fields that may state what should be; of a completed step they claim it."""


class Finding(NamedTuple):
    """The verdict on a claim and what it rests on; the fields are those of ``Claim``."""

    verdict: Verdict
    why: str
    files: tuple[str, ...] = ()
    command: str = ""
    check: Run | None = None
    beside: tuple[str, ...] = ()
    is_hollow: bool = False


class Claim(NamedTuple):
    """One completed step and its verdict; ``step`` counts from 1.

    ``why`` is one sentence that a person can check. ``files``: what changed since (STALE). ``command``: what
    clears it. ``check``: the run that the verdict rests on. ``beside``: weakened checks that would have
    judged this claim; ``is_hollow``: it rests on tests that were weakened, and does not say so. ``evidence``:
    "files", "commands" and "checks" observed during the step, and "from" and "to", numbers of log entries.
    """

    step: int
    key: str
    text: str
    proof: str
    source: str
    verdict: Verdict
    why: str
    files: tuple[str, ...] = ()
    command: str = ""
    check: Run | None = None
    beside: tuple[str, ...] = ()
    is_hollow: bool = False
    evidence: Mapping[str, Any] = {}

    def as_data(self) -> dict[str, Any]:
        return {**self._asdict(), "evidence": dict(self.evidence)}


class NamedFile(NamedTuple):
    """A file that a claim names: its ``path`` in the project; ``is_untouched`` only if that is certain."""

    path: str
    is_there: bool
    is_untouched: bool


class History(NamedTuple):
    """What the repository shows of commits.

    ``has_new_commit``: one was made since the work began, on any branch. ``unsaved``: the files that differ
    from the commit that is checked out.
    """

    has_new_commit: bool
    unsaved: frozenset[str]


class Subject(NamedTuple):
    """A completed step, and what was observed during it.

    ``fields``: what its author wrote, by name; a proof that was filled in from the log is not there.
    ``start`` and ``end`` are the log entries between which it was worked on, ``end`` infinite if its
    completion was not observed. ``is_carried``: it was completed before anything was observed.
    """

    step: int
    key: str
    proof: str
    source: str
    fields: Mapping[str, str]
    seen: Observed | None
    start: int
    end: float
    is_carried: bool

    @property
    def stated_outcome(self) -> str:
        return f"{self.fields['proof']}\n{self.fields['actual']}".strip()

    @property
    def files(self) -> list[str]:
        """The files that were written during the step."""
        return self.seen["files"] if self.seen else []

    @property
    def changed(self) -> list[str]:
        """The files that were written during the step, and those that only the next tree state showed."""
        return [*self.files, *self.seen["tree"]] if self.seen else []


class Case(NamedTuple):
    """One step to judge: what it claims, what all sessions did, and the tree."""

    subject: Subject
    work: ObjectiveFacts
    tree: TreeFacts

    @property
    def root(self) -> str:
        return self.work["root"]

    @property
    def checks(self) -> Sequence[Run]:
        """The runs on record. The outcome of a program that was written in this work is unknown."""
        return [self._doubted(run) for run in self.work["checks"]]

    def _doubted(self, run: Run) -> Run:
        name = run["name"].split(" ")[0]
        if not name or run["passed"] is not True:
            return run
        disguises = (f"/{name}", f"/{name}.py", f"/{name}/__init__.py", f"/{name}/__main__.py")
        written = (*self.files, *self.work["outside"])
        own = next((path for path in written if f"/{path}".endswith(disguises)), "")
        return {**run, "passed": None, "doubt": f"{own} was written in this work"} if own else run

    @property
    def command_runs(self) -> Sequence[Run]:
        """All commands as runs of the kind "command", by their bare text: the last of each, and checks."""
        runs = [_run_of(text, each) for text, each in self.commands.items()]
        runs += [
            {**run, "kind": "command", "name": bare_command(run["command"])} for run in self.checks
        ]
        return sorted(runs, key=lambda run: run["seq"])

    @property
    def commands(self) -> Mapping[str, CommandFacts]:
        """The last run of each command, without the product's own commands, which only make claims."""
        return {text: run for text, run in self.work["commands"].items() if not is_own(text)}

    @property
    def files(self) -> Mapping[str, FileFacts]:
        return self.work["files"]

    def written_after(self, seq: float) -> tuple[str, ...]:
        """The files that were last written after that log entry."""
        return tuple(path for path, each in self.files.items() if each["seq"] > seq)


def _run_of(text: str, facts: CommandFacts) -> Run:
    # Behind a pipe it is unknown which command passed.
    passed = None if facts["passed"] and "|" in text else facts["passed"]
    return {
        **result_of({"kind": "command", "name": bare_command(text), "passed": passed}),
        "seq": facts["seq"],
        "at": None,
        "session": None,
        "agent": "",
        "command": text,
        "cwd": facts["cwd"],
        "duration_ms": None,
        "is_whole": True,
    }


# end of module
