"""The words of the product: what a call is, what the gate says of it, what a state may hold.

Owns names, allowed values and defaults. Does not own how they are stored (``store``) or decided
(``core``). The state itself is plain JSON-like data (``dict``), because people and agents edit the
file and unknown keys must survive; the constants here say what the known keys are.

The records are named tuples: on every tool call a process starts and imports them, and ``dataclasses``
alone costs as much as a bare interpreter.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Protocol

from operators_edge.locations import HANDOFF_DIR, PROOF_DIR, STATE_FILE

SCHEMA_VERSION = 4

OWN_PATHS = (STATE_FILE, PROOF_DIR, HANDOFF_DIR)
"""The product's own files, relative to the project root; they never count as work (PR-9)."""

KEEP_DAYS: dict[str, int | None] = {
    "completed_step": 30,
    "resolved_mismatch": 90,
    "decayed_lesson": 90,
    "completed_research": 180,
    "completed_brainstorm": 180,
    "completed_objective": None,
}
"""How long an entry of each type stays in the archive (PR-7); None, in a file "forever": for good."""

Mode = Literal["plan", "active", "review", "done"]
MODES: tuple[Mode, ...] = ("plan", "active", "review", "done")

STEP_STATUSES = ("pending", "in_progress", "completed", "blocked")
HOST = "host"
"""The ``source`` of a step that mirrors one of the host's todos."""

JUNCTION_TYPES = (
    "irreversible",
    "external",
    "ambiguous",
    "quality_gate",
    "finding_selection",
    "proposal",
    "mode_transition",
    "dangerous",
    "complexity",
    "blocked",
)

GUARDING = "edge-"
"""How the ids of rules begin that guard decisions: nothing loosens them, nobody else's begin so, and what
they stop would have forged a decision (JU-4)."""

PROFILES = ("strict", "contextual")
"""How recursive deletion is judged: never, or allowed where it is provably regenerable (GA-4)."""

MACHINE_KEYS = (
    "mode",
    "session",
    "junction",
    "junction_history",
    "allowances",
    "dismissals",
    "overrides",
    "observations",
    "progress",
    "gear",
    "archive",
    "evals",
    "auto",
    "transaction",
)
"""Keys that only the product writes, in the order in which they stand at the file's end (ST-3, ST-8)."""

JUNCTION_HISTORY_TAIL = 20

State = dict[str, Any]
"""The whole state as JSON-like data: str, int, float, bool, None, list, dict."""

Effect = Literal["allow", "warn", "junction", "block"]
SEVERITY: dict[str, int] = {"allow": 0, "warn": 1, "junction": 2, "block": 3}

CONTEXT_TOKENS = 400
"""How much a new session is told at most, where nobody says otherwise (LC-6)."""


class Call(NamedTuple):
    """One tool call, as a host announces it.

    ``tool`` is the host's own name of the tool ("Bash", "Edit", "mcp__db__query"), ``input`` its
    arguments, ``cwd`` the absolute directory it would run in. ``agent`` is empty for the main
    thread and the subagent's id otherwise; ``id`` is the host's id of this very call.
    """

    tool: str
    input: dict[str, Any]
    cwd: str
    session: str = ""
    agent: str = ""
    id: str = ""


class Place(NamedTuple):
    """Where a call happens; every path absolute and without symlinks where that could be found out.

    ``root`` is None where no project could be resolved: the built-in rules still hold there.
    ``own`` are the product's protected folders and files outside the project (ledger, keys, the
    installed program); ``host`` the folders in which the host keeps plans and memory, which an agent
    may write.
    """

    root: str | None
    home: str
    temp: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    host: tuple[str, ...] = ()


class Facts(Protocol):
    """What the gate may ask about the machine; asked only where a rule depends on it.

    The real one is ``gate.facts``; tests pass their own. Every answer may be None: unknown.
    """

    def size(self, path: str) -> int | None:
        """Bytes of the regular file at the absolute path; None when there is none."""

    def text(self, path: str, limit: int) -> str | None:
        """At most ``limit`` characters of a text file; None when it cannot be read."""

    def branch(self, cwd: str) -> str | None:
        """The branch checked out at ``cwd``; None outside a repository or when detached."""

    def real(self, path: str) -> str | None:
        """The path with symbolic links followed, whether or not its last part exists."""

    def is_published(self, cwd: str) -> bool | None:
        """Whether the commit checked out at ``cwd`` is known to be the head of a remote's branch."""

    def is_regenerable(self, path: str, root: str) -> bool | None:
        """Whether git ignores the path inside the repository at ``root``, and no work can hide in it.

        No repository and no tracked file lies in it, and its name is none that secrets have.
        """


class Finding(NamedTuple):
    """One rule that fired on one part of a call.

    ``subject`` holds what the decision is about and goes into both fingerprints (remote and branch
    for a push, host and method for a request); ``detail`` goes only into the exact one (normalised
    argv, assignments, directory relative to the project). ``spans`` are character ranges of the
    decisive words in the text of the call.

    ``leads``: of findings with the same effect this one is told, as what it guards is worse to lose.
    ``destroys`` tells that uncommitted work in the repository can be lost; ``radius`` names what a
    decision card counts ("files", "commits" …), ``targets`` are the absolute paths it is about (a
    glob unexpanded) and ``cwd`` the absolute folder it runs in, "" where that cannot be known.

    ``note`` says what the configuration makes of the rule, ``origin`` the file it stands in: "" for a
    rule that is shipped.
    """

    rule: str
    effect: Effect
    type: str
    reason: str
    instead: str = ""
    subject: tuple[tuple[str, str], ...] = ()
    detail: tuple[tuple[str, str], ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    understood: str = ""
    destroys: bool = False
    leads: bool = False
    radius: str = ""
    targets: tuple[str, ...] = ()
    cwd: str = ""
    note: str = ""
    origin: str = ""

    @property
    def why(self) -> str:
        """The rule's reason, and what the configuration makes of the rule."""
        return f"{self.reason} {self.note}".strip()


class Verdict(NamedTuple):
    """What the gate says of one call, before any human decision is looked at.

    ``findings`` are all rules that fired, the decisive one first; empty for an allow. ``exact`` is the
    fingerprint of everything that needs a decision in this call, ``classes`` one fingerprint per
    finding that needs one (JU-2): an allowance answers ``exact``, dismissals must cover every
    class. ``destroys`` are the findings before which a snapshot is taken, should the call be let
    through: also of rules that have nothing else to say.
    """

    effect: Effect
    findings: tuple[Finding, ...] = ()
    exact: str = ""
    classes: tuple[str, ...] = ()
    destroys: tuple[Finding, ...] = ()

    @property
    def decisive(self) -> Finding | None:
        return self.findings[0] if self.findings else None

    @property
    def rule(self) -> str:
        return self.findings[0].rule if self.findings else ""

    @property
    def type(self) -> str:
        return self.findings[0].type if self.findings else ""

    @property
    def reason(self) -> str:
        return self.findings[0].reason if self.findings else ""


ALLOW = Verdict("allow")


class Outcome(NamedTuple):
    """What a handled event leads to, before a host's own words are found for it."""

    effect: Effect | Literal["ask"] = "allow"
    text: str = ""
    decided: bool = False
    context: str = ""
