"""The words of the judgement: a claim, what it is judged by, and what may be asked about the project.

Owns these shapes and nothing that is decided with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from operators_edge.evidence.plan_events import AUTO
from operators_edge.evidence.progress import is_own

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Verdict = Literal["VERIFIED", "STALE", "CONTRADICTED", "UNVERIFIED", "OVERRIDDEN"]


class Claim(NamedTuple):
    """One completed step and what the evidence says of it; ``step`` counts from 1.

    ``why`` is one sentence that a person can check. ``files`` is what changed since (STALE), ``command``
    the one that clears it, ``check`` the check it rests on, ``beside`` what was taken away from the checks
    and would have helped this claim. ``evidence`` is what was observed while the step was at work: "files",
    "commands", "checks", and "from" and "to", numbers of log entries.
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
    check: dict[str, Any] | None = None
    evidence: Mapping[str, Any] = {}
    beside: tuple[str, ...] = ()

    def as_data(self) -> dict[str, Any]:
        return {**self._asdict(), "evidence": dict(self.evidence)}


class Trace(NamedTuple):
    """What is known of a file by its name: ``path`` is where it lies, ``is_changed`` None where nobody
    can tell.
    """

    path: str
    is_there: bool
    is_changed: bool | None


class Ground(Protocol):
    """What may be asked about the tree; asked only where a claim depends on it. Paths are relative to
    the root.
    """

    def changed(self, look: object) -> tuple[str, ...] | None:
        """The files that are not as they were at that look; None where that cannot be told."""

    def trace(self, path: str) -> Trace:
        """Whether a file of that name is there, and whether it was touched since the work began."""

    def is_there(self, path: str) -> bool:
        """Whether something lies at the path."""

    def unit(self, folder: str) -> str:
        """The part of the project that an absolute folder is, where it has a manifest of its own; ""
        else.
        """


class Subject(NamedTuple):
    """A completed step, and what was observed of it.

    ``seen`` is ``work.of_step``; ``start`` and ``end`` are the log entries between which it was at
    work, ``end`` None where its completion was not seen. ``is_carried``: it was done before anybody
    watched.
    """

    step: int
    key: str
    text: str
    proof: str
    actual: str
    verification: str
    source: str
    seen: Mapping[str, Any]
    start: int
    end: int | None
    is_carried: bool

    @property
    def told(self) -> str:
        """What somebody said of the outcome; a proof that was filled in from the log is nobody's word."""
        proof = "" if self.proof.startswith(AUTO) else self.proof
        return f"{proof}\n{self.actual}".strip()

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        return (
            ("description", self.text),
            ("verification", self.verification),
            ("proof", "" if self.proof.startswith(AUTO) else self.proof),
            ("actual", self.actual),
        )


class Case(NamedTuple):
    """One step before the judge: what it says, what all sessions did, and who can be asked."""

    subject: Subject
    work: Mapping[str, Any]
    ground: Ground

    @property
    def checks(self) -> Sequence[dict[str, Any]]:
        """The runs on record. One by a program that was written in the work itself has no known outcome."""
        return [self._doubted(run) for run in self.work.get("checks") or ()]

    def _doubted(self, run: dict[str, Any]) -> dict[str, Any]:
        name = str(run.get("name") or "").split(" ")[0]
        if not name or run.get("passed") is not True:
            return run
        disguises = (f"/{name}", f"/{name}.py", f"/{name}/__init__.py", f"/{name}/__main__.py")
        written = (*self.files, *map(str, self.work.get("outside") or ()))
        own = next((path for path in written if f"/{path}".endswith(disguises)), "")
        return {**run, "passed": None, "doubt": f"{own} was written in this work"} if own else run

    @property
    def commands(self) -> Mapping[str, dict[str, Any]]:
        """What was run, each with its last outcome; without the product's own commands, which only claim."""
        return {
            text: run for text, run in (self.work.get("commands") or {}).items() if not is_own(text)
        }

    @property
    def files(self) -> Mapping[str, dict[str, Any]]:
        return self.work.get("files") or {}
