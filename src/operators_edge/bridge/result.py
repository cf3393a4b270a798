"""The result file: what every attempt leaves, and what each reason means for the task and the queue.

Pure. ``REASONS`` is the one table of reasons. Does not own what is written when (``bridge.watcher``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping

Status = Literal["success", "failed", "blocked", "needs_confirmation"]
ExitPath = Literal["success", "failed", "blocked", "needs_confirmation", "skipped"]


class Reason(NamedTuple):
    """What a reason means: the status it gives, the exit path, and whether it stops the queue by default."""

    about: str
    status: Status = "failed"
    exit_path: ExitPath = "failed"
    stops: bool = True
    retryable: bool = False
    """Whether a task may ask for another attempt after it (``retry_on``)."""


def _skipped(about: str) -> Reason:
    return Reason(about, exit_path="skipped", stops=False)


def _blocked(about: str) -> Reason:
    return Reason(about, "blocked", "blocked", stops=False)


def _waits(about: str) -> Reason:
    return Reason(about, "needs_confirmation", "needs_confirmation", stops=False)


def _failed(about: str) -> Reason:
    return Reason(about, retryable=True)


REASONS: Mapping[str, Reason] = {
    # Before an executor ran.
    "schema_invalid": _skipped("The task file is not a valid task."),
    "gate_blocked": _skipped("A command to run is one that the gate blocks."),
    "dirty_repo": _blocked("The working tree has uncommitted changes."),
    "branch_checkout_failed": _blocked("The task's branch could not be created or checked out."),
    "requires_confirmation": _waits("A person has to approve it first."),
    "dependency_failed": _skipped("A task that it depends on has failed."),
    "rejected": _skipped("A person rejected it."),
    "cancelled": _skipped("It was cancelled."),
    # What the executor or its change did.
    "opencode_failed": _failed("The executor failed or ran out of time."),
    "no_change": _failed("The executor changed nothing."),
    "scope_violation": _failed("A file outside the scope changed."),
    "protected_changed": _failed("A protected file changed."),
    "tampered": _failed(
        "Git's configuration, hooks or branches, or the tests, were tampered with."
    ),
    "secret_in_diff": _waits("An added line contains a secret; the work is kept, not committed."),
    "cost_exceeded": _failed("It cost more than allowed."),
    "worktree_failed": _blocked("The task's own working tree could not be made or set up."),
    "executor_unavailable": _blocked("The executor is not installed, set up or logged in."),
    "usage_limited": _blocked("The executor's usage limit is reached; tried again afterwards."),
    # Verification and the watcher.
    "verify_failed": _failed("A command to run failed."),
    "stale_lock_recovered": Reason("Its watcher died or stalled.", stops=False, retryable=True),
    "interrupted": Reason("The watcher was stopped.", stops=False, retryable=True),
    "internal_error": _failed("The watcher itself failed."),
}
RETRYABLE = frozenset(name for name, reason in REASONS.items() if reason.retryable)


class AttemptEnded(Exception):
    """The attempt ends here, for this reason; ``detail`` is one sentence for a person."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


class BeadRecord(TypedDict, total=False):
    title: str
    raw_output: str
    error: str


class GitRecord(TypedDict, total=False):
    base_commit: str
    head_commit: str
    """The executor's state, before the watcher's own commit."""
    result_commit: str
    """The watcher's commit; absent without one."""
    branch: str
    dirty_before: bool
    dirty_after_verify: bool
    status_before: str
    status_porcelain: str
    status_after_verify: str
    diff_stat_pre: str
    diff_stat_post: str


class CommandRecord(TypedDict, total=False):
    cmd: str
    exit_code: int | None
    """None: it did not end by itself."""
    stdout: str
    stderr: str
    seconds: float
    ended: str
    """Why it did not end by itself: "timed_out" and the like."""
    check: dict[str, Any]
    """What it checked, if it is known as a check: kind, counts, the state of the tree."""


class Result(TypedDict, total=False):
    """One attempt's outcome. Texts are redacted; paths are relative to ``.ai-handoff``."""

    id: str
    status: Status
    exit_path: ExitPath
    reason: str | None
    detail: str
    """One sentence for a person: what happened, and what to do."""
    problems: list[str]
    attempt: int
    due: str
    """When a blocked task is tried again (ISO 8601), if that is known."""
    bead: BeadRecord
    git: GitRecord
    baseline: list[CommandRecord]
    commands: list[CommandRecord]
    executor: dict[str, Any]
    scope: dict[str, Any]
    artifacts: dict[str, str]
    task_snapshot: dict[str, Any]
    defaults: dict[str, Any]
    """What the settings said where the task said nothing; absent if that was nothing."""
    task_digest: str
    """SHA-256 of the task file as it was."""
    started_at: str
    timestamp: str


def outcome(reason: str | None) -> tuple[Status, ExitPath]:
    """Status and exit path for a reason; None is success."""
    if reason is None:
        return "success", "success"
    known = REASONS[reason]
    return known.status, known.exit_path


def bare(ident: str, attempt: int, reason: str, *, detail: str, at: str) -> Result:
    """The result of an attempt of which nothing was done."""
    status, exit_path = outcome(reason)
    return {
        "id": ident,
        "status": status,
        "exit_path": exit_path,
        "reason": reason,
        "detail": detail,
        "attempt": attempt,
        "commands": [],
        "timestamp": at,
    }


def is_terminal(result: Mapping[str, Any]) -> bool:
    """Whether the attempt is over: blocked and waiting tasks go on later."""
    return result.get("status") in ("success", "failed")


def stops_queue(reason: str | None, *, continue_on_failure: bool) -> bool:
    """Whether the watcher takes no other task after this result."""
    return reason is not None and REASONS[reason].stops and not continue_on_failure


def gets_another(
    task: Mapping[str, Any], reason: str | None, *, was_interrupted_before: bool = False
) -> bool:
    """Whether a failed attempt is queued again as the next one.

    An interrupted one once more than the task allows: the watcher ended, the task did not fail.
    """
    if reason == "interrupted" and not was_interrupted_before:
        return True
    if reason not in {"stale_lock_recovered", *RETRYABLE.intersection(task["retry_on"])}:
        return False
    return bool(task["attempt"] < task["retry_policy"]["max_attempts"])


# end of module
