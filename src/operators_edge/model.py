"""The basic types and constants: calls, verdicts, and the known keys of a state.

Does not own how they are stored (``state``) or decided (``gate``). The state is plain JSON-like data
(``dict``), because people and agents edit the file and unknown keys must survive; the types of stored records
are in ``records``.

The types are named tuples: every tool call starts a process that imports them, and importing ``dataclasses``
costs as much as starting the interpreter.
"""

from __future__ import annotations

from operators_edge.locations import HANDOFF_DIR, PROOF_DIR, STATE_FILE
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, Protocol

    Mode = Literal["plan", "active", "review", "done"]

    State = dict[str, Any]
    """The whole state as JSON-like data: str, int, float, bool, None, list, dict."""

    Effect = Literal["allow", "warn", "junction", "block"]

    class Facts(Protocol):
        """Facts about the machine, for rules that depend on them.

        The real one is ``gate.facts``; tests pass their own. Every answer may be None: unknown.
        """

        def size(self, path: str) -> int | None:
            """Return the bytes of the regular file at the absolute path; None when there is none."""

        def text(self, path: str, limit: int) -> str | None:
            """Return at most ``limit`` characters of a text file; None when it cannot be read."""

        def link_count(self, path: str) -> int | None:
            """Return how many names the regular file at the absolute path has; None when there is none."""

        def is_executable(self, path: str) -> bool | None:
            """Whether someone may execute the regular file at the absolute path; None when there is none."""

        def branch(self, cwd: str) -> str | None:
            """Return the branch checked out at ``cwd``; None outside a repository or when detached."""

        def real(self, path: str) -> str | None:
            """Return the path with symbolic links followed, whether or not its last part exists."""

        def is_published(self, cwd: str) -> bool | None:
            """Whether the commit checked out at ``cwd`` is known to be the head of a remote's branch."""

        def is_staged_alone(self, cwd: str) -> bool | None:
            """Whether something is staged that neither the last commit nor the file itself contains."""

        def names(self, path: str) -> list[str] | None:
            """Return the names in a folder, at most a few thousand; None when it cannot be read."""

        def repository(self, cwd: str) -> tuple[str, str] | None:
            """Return the top folder of the repository around ``cwd``, and the git folder of its worktrees."""

        def copied_program(self, path: str, names: frozenset[str]) -> str | None:
            """Return which of the named programs an executable is a link or copy of; None for a script."""

        def revision_text(self, root: str, revision: str, name: str, limit: int) -> str | None:
            """Return a file of a commit or stash of the repository at ``root``; None when there is none."""

        def archived_text(self, archive: str, name: str, strip: int, limit: int) -> str | None:
            """Return a file that unpacking an archive gives; ``strip`` folders are left out of the names."""

        def is_established(self, path: str, root: str) -> bool | None:
            """Whether git's HEAD holds the file as it is in the repository ``root``, or it was installed."""

        def secret_files(self, folder: str) -> list[str] | None:
            """Return the files below a folder whose names say that they hold secrets."""

        def is_ignored(self, path: str, root: str) -> bool | None:
            """Whether git ignores the path inside the repository at ``root``."""

        def is_regenerable(self, path: str, root: str) -> bool | None:
            """Whether git ignores the path inside the repository at ``root``, and it cannot contain work.

            It contains no repository and no tracked file, and it is not named like a secret.
            """


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
    "objective_basis": None,
    "trash": 30,
}
"""Days that an entry of each type stays in the archive (PR-7), and what is in the trash; None ("forever" in a
file): permanently."""

UNDO_MEGABYTES = 2_000
"""What the snapshots of a repository may take together, besides what its commits have anyway."""

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
"""Prefix of the ids of rules that guard decisions. Nothing loosens these rules, no other rule may have this
prefix, and what they stop would have forged a decision (JU-4)."""

PROFILES = ("strict", "contextual")
"""How what destroys files is judged: never allowed, or by what would really be lost (GA-4, GA-12)."""

MACHINE_KEYS = (
    "mode",
    "session",
    "junction",
    "junction_history",
    "left_questions",
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
"""Keys that only the product writes, in their order at the end of the file (ST-3, ST-8)."""

JUNCTION_HISTORY_TAIL = 20
LEFT_QUESTIONS_TAIL = 10
DISMISSAL_MINUTES = 60
"""For how long such calls are not asked about, unless a person says."""

OF_TASK = "bridge:"
"""How the name begins under which a task of the Bridge is in the log and asks, in place of a session's."""

NEW_SESSION = ("startup", "clear", "fork")
"""The ``source`` of a ``session_start`` before which the log has nothing of the session."""


SEVERITY: dict[str, int] = {"allow": 0, "warn": 1, "junction": 2, "block": 3}

CONTEXT_TOKENS = 400
"""The default size limit of a new session's briefing (LC-6)."""


class Call(NamedTuple):
    """One tool call, as a host reports it before it runs.

    ``tool`` is the host's name of the tool ("Bash", "Edit", "mcp__db__query"), ``input`` its
    arguments, ``cwd`` the absolute folder that it would run in. ``agent`` is empty for the main
    thread and the subagent's id otherwise; ``id`` is the host's id of this call.
    """

    tool: str
    input: dict[str, Any]
    cwd: str
    session: str = ""
    agent: str = ""
    id: str = ""


class Place(NamedTuple):
    """Where a call happens; every path is absolute, with symbolic links resolved where possible.

    ``root`` is None without a project: the built-in rules still apply. ``own`` are the product's protected
    folders and files outside the project (registry, keys, the installed program); ``host`` the folders of the
    host's plans and memory, which an agent may write; ``client`` the rest of the host's own files.

    ``environment`` is the virtual environment that the product is installed in, "" for the system's Python;
    ``is_shared`` if other packages are installed there too. ``libraries`` are the folders from which its
    interpreter loads packages. ``is_active``: an installer without a path works on it.

    ``terminals`` are what the client runs in, each with its address: ("tmux", "/tmp/tmux-1000/default"), or
    ("desktop", ":0"). ``client_pid`` is the number of its process, "" if unknown.
    """

    root: str | None
    home: str
    temp: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    host: tuple[str, ...] = ()
    environment: str = ""
    is_shared: bool = True
    libraries: tuple[str, ...] = ()
    is_active: bool = False
    client: tuple[str, ...] = ()
    terminals: tuple[tuple[str, str], ...] = ()
    client_pid: str = ""


class FollowedFile(NamedTuple):
    """A file that a call runs and the gate has read: its absolute path, and the SHA-256 of its bytes."""

    path: str
    digest: str


class Recovery(NamedTuple):
    """What a command destroys, as far as a snapshot can bring it back: it has to hold all of it.

    ``kind`` is how the command reaches files (``gate.recovery.KINDS``, or "absent": only what is not there
    yet); ``paths`` are absolute, with globs and ``**`` for any depth; ``words`` may name commits.
    ``is_made_again``: where no snapshot can hold it, nothing is lost either.
    """

    kind: str
    paths: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    is_made_again: bool = False


class Finding(NamedTuple):
    """One rule that matched one part of a call.

    ``subject`` is what the decision is about, and part of both fingerprints (remote and branch for a push,
    host and method for a request); ``detail`` is part of the exact one only (normalised argv, assignments,
    folder relative to the project). ``spans`` are character ranges of the decisive words in the text of the
    call.

    ``leads``: this finding decides among those with the same effect. ``destroys``: uncommitted work in the
    repository can be lost. ``radius`` names what a decision card measures ("files", "commits" …),
    ``targets`` are the absolute paths it is about (globs unexpanded), ``cwd`` is the absolute folder it
    runs in, "" if unknown.

    ``note`` is the effect of the configuration on the rule, ``origin`` the file of the rule: "" for a
    shipped one. ``source`` is the line of a followed file that decided, as FILE:LINE; "" for the call's own
    text. ``recovery`` is what has to be in a snapshot for the call to need nobody's decision; None if one
    cannot bring it back, or is not known to; ``not_kept`` is what it did not hold. ``is_elsewhere``: it
    happens on another machine, where nothing is the project's.
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
    source: str = ""
    recovery: Recovery | None = None
    not_kept: str = ""
    is_elsewhere: bool = False

    @property
    def has_unknown(self) -> bool:
        """Whether a word or the folder of its command is unknown."""
        return "text" in dict(self.detail)

    @property
    def why(self) -> str:
        """The rule's reason, and the effect of the configuration on it."""
        return f"{self.reason} {self.note}".strip()


class Verdict(NamedTuple):
    """The gate's verdict on one call, before any decision of a person is considered.

    ``findings`` are all rules that matched, the decisive one first; empty for an allow. ``exact`` is the
    fingerprint of everything in the call that needs a decision, ``classes`` one fingerprint for each such
    finding (JU-2): an allowance names ``exact``, dismissals must cover every class. ``destroys`` are the
    findings that need a snapshot before the call runs, also those of rules with effect allow. ``followed``
    are the files that the call runs and that were read for the verdict, in the order of reading.
    """

    effect: Effect
    findings: tuple[Finding, ...] = ()
    exact: str = ""
    classes: tuple[str, ...] = ()
    destroys: tuple[Finding, ...] = ()
    followed: tuple[FollowedFile, ...] = ()

    @property
    def recoveries(self) -> tuple[Recovery, ...]:
        """What a snapshot has to hold for the call to need nobody's decision; () if that is not enough."""
        found = tuple(one.recovery for one in self.findings if one.recovery is not None)
        return found if self.effect == "junction" and len(found) == len(self.findings) else ()

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
    """The result of a handled event, before it is put into a host's format."""

    effect: Effect | Literal["ask"] = "allow"
    text: str = ""
    decided: bool = False
    context: str = ""


# end of module
