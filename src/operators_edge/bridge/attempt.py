"""One attempt of one task: the protocol's steps, in its order.

``run`` is the list of steps. A step that ends the attempt raises ``AttemptEnded`` with the reason; then the
tree is restored, everything that was made is kept, and the result is written. What the attempt is about to do
to the repository is in the database first, so that ``bridge.recovery`` can end an attempt whose watcher died.

Does not own the queue's files (``bridge.queue``), changes (``bridge.audit``) or programs that are run
(``bridge.supervised``).
"""

from __future__ import annotations

import json
import math
import os
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.bridge import (
    closing,
    ids,
    judge,
    layout,
    lease,
    prompt,
    secret_store,
    staging,
    verify,
)
from operators_edge.bridge.audit import TreeSnapshot
from operators_edge.bridge.branches import PREFIX
from operators_edge.bridge.capture import AttemptLog, Capture
from operators_edge.bridge.executors import limits
from operators_edge.bridge.executors.port import UNAVAILABLE, Request, Usage
from operators_edge.bridge.json_text import NotJson, legible, read_object
from operators_edge.bridge.lease import LeaseLost
from operators_edge.bridge.locks_store import LockFile, own_record
from operators_edge.bridge.origin import Origin
from operators_edge.bridge.permissions import TaskCommand
from operators_edge.bridge.result import gets_another, outcome
from operators_edge.bridge.trackers import Bead
from operators_edge.bridge.verify import Limits, Place
from operators_edge.errors import EdgeError, LockHeld, StateError
from operators_edge.git.commands import GitFailed
from operators_edge.redaction.redact import clean, redact
from operators_edge.storage import files, journal
from operators_edge.system.digest import sha256_hex
from operators_edge.text.wording import one_line, point_in_time

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from operators_edge.bridge.audit import Patch
    from operators_edge.bridge.branches import Head
    from operators_edge.bridge.executors.port import Edited, Executor
    from operators_edge.bridge.lease import LockRecord
    from operators_edge.bridge.origin import WorkTree
    from operators_edge.bridge.permissions import Permission, Permissions
    from operators_edge.bridge.queue import Queue, TaskFile
    from operators_edge.bridge.result import CommandRecord, GitRecord, Result
    from operators_edge.bridge.settings import Settings
    from operators_edge.bridge.task import Task
    from operators_edge.bridge.trackers import Tracker
    from operators_edge.bridge.worktrees import Trees

_MAX_SNAPSHOT = 64 * 1024
_GUIDE = "AGENTS.md"
_LOOK_SECONDS = 1.0
MAX_SAID = 5

_OWN_REASON = ("interrupted", "usage_limited", "cost_exceeded")
"""How an edit can end for which the result has the same word."""

_BESIDE_GIT = ("node_modules", ".venv", "venv", "vendor", ".env")
"""What projects need and git usually ignores."""

_WITHOUT_PERMISSION = {
    "blocked": "gate_blocked",
    "refused": "rejected",
    "asked": "requires_confirmation",
}
"""The reason of the result, by whether a command may run; the most serious first."""


class World(NamedTuple):
    """What an attempt needs from outside.

    ``executors`` are those that work in a tree, by name; ``trees`` are the working trees. ``staging`` is a
    private folder outside the project, for logs and patches that are being written;
    ``permissions`` asks the gate, and a person, about the commands to run; ``tell`` shows an event.
    """

    root: str
    settings: Settings
    clock: Callable[[], datetime]
    new_id: Callable[[], str]
    env: Mapping[str, str]
    executors: Callable[[str], Mapping[str, Executor]]
    tracker: Tracker
    trees: Trees
    staging: str
    stop: threading.Event
    permissions: Permissions
    tell: Callable[[str, str, Mapping[str, Any]], None]

    def secrets(self) -> tuple[str, ...]:
        """What is hidden in all that an attempt leaves, as it is now."""
        return secret_store.known(self.root, self.env, self.settings.redaction_patterns)


class AttemptEnded(Exception):
    """The attempt ends here, for this reason; ``detail`` is one sentence for a person."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


class _Stop:
    """Whether an attempt has to end: the watcher ends, or a person has cancelled the task."""

    def __init__(self, stop: threading.Event, look: Callable[[], str]) -> None:
        self.cancelled_by = ""
        self._stop = stop
        self._look = look
        self._look_at = math.inf

    def begin(self) -> None:
        """From here on the task is claimed, and can be cancelled."""
        self._look_at = time.monotonic() + _LOOK_SECONDS

    def is_set(self) -> bool:
        if time.monotonic() >= self._look_at:
            self.begin()
            try:
                self.cancelled_by = self.cancelled_by or self._look()
            except LeaseLost:
                return True  # what is noted next says so, too
            except EdgeError:
                pass  # nobody could say; it is looked at again
        return self._stop.is_set() or self.cancelled_by != ""


class Attempt:
    """One attempt, and what is known of it so far."""

    def __init__(self, world: World, queue: Queue, found: TaskFile) -> None:
        self._world = world
        self._queue = queue
        self._entered: WorkTree | None = None
        self._found = found
        self._row = found.row
        self._stem = ids.safe_stem(found.row.stem)
        self._secrets = world.secrets()
        self._started_at = world.clock().isoformat()
        self._lock = LockFile(world.root, layout.lock_file(self._stem))
        self._lock_record: LockRecord | None = None
        self._stop = _Stop(world.stop, lambda: queue.renew(self._row))
        self._detail = ""
        self._due = ""
        self._git: GitRecord = {}
        self._baseline: list[CommandRecord] = []
        self._commands: list[CommandRecord] = []
        self._executor: dict[str, Any] = {}
        self._usage = Usage()
        self._scope: dict[str, Any] = {}
        self._bead = Bead()
        self._staging = staging.Staging(world.staging, self._stem, found.attempt)
        self._log: AttemptLog | None = None
        self._home: Head | None = None
        self._origin: Origin | None = None
        self._foreign: list[str] = []
        self._patch: Patch | None = None
        self._gated: frozenset[str] = frozenset()
        self._kept: dict[str, Any] = json.loads(found.row.work).get("kept", {})
        """The edit of a run of this attempt in which a person had to decide first."""
        self._sealed: dict[str, str] = json.loads(found.row.work).get("sealed", {})
        """The commands that a person was asked about with the task itself, and what each ran then."""
        self._goes_on = False

    @property
    def _task(self) -> Task:
        if self._found.is_gone:
            raise AttemptEnded("cancelled", "its file is gone")
        if self._found.task is None:
            raise AttemptEnded("schema_invalid", "; ".join(self._found.problems[:3]))
        return self._found.task

    def run(self) -> str | None:
        """All steps; the reason of the result that was written, None for success.

        LockHeld if somebody else has the task.
        """
        if not self._take_lock():
            raise LockHeld(f"{self._stem} is held by another host", hint="edge bridge list")
        try:
            reason = self._steps()
        finally:
            if self._lock_record is not None:
                self._lock.release(self._lock_record)
        return reason

    def _steps(self) -> str | None:
        self._row = self._queue.claim(self._found)
        self._stop.begin()
        self._world.tell("started", self._stem, {"attempt": self._row.attempt})
        reason: str | None = None
        try:
            self._validate()
            self._enter_tree()
            self._ask_the_gate()
            self._wait_for_confirmation()
            self._find_executor()
            self._check_tree()
            self._start_branch()
            self._open_bead()
            if not self._takes_up_kept():
                self._run_baseline()
                self._edit(prompt.of_task(self._task, guide=self._guide()))
            self._audit_edit()
            self._verify()
            self._audit_verified()
            self._judge()
            self._commit()
        except AttemptEnded as ended:
            reason, self._detail = ended.reason, legible(ended.detail)
        except GitFailed as error:
            reason, self._detail = "internal_error", f"git failed: {error}"
        except EdgeError as error:
            reason, self._detail = "internal_error", error.message
        except LeaseLost:
            raise
        except Exception as error:  # noqa: BLE001 - a task that breaks the watcher is that task's failure
            reason, self._detail = "internal_error", f"{type(error).__name__}: {error}"
        if reason is not None and self._stop.cancelled_by:
            reason, self._detail = "cancelled", self._stop.cancelled_by
        self._leave_clean(reason)
        return self._finish(reason)

    # -- 1, 4, 5: is it a task, and is it ours ----------------------------------------------------

    def _take_lock(self) -> bool:
        """Step 4. False: somebody else holds this task."""
        limit = self._found.task["timeout_sec"] if self._found.task else 1
        ttl = lease.task_ttl(limit, self._world.settings.worker_lock_ttl_sec)
        now = self._world.clock()
        record: LockRecord = {
            **own_record(now, self._world.new_id()),
            "task_id": self._row.stem,
            "timeout_sec": limit,
            "epoch": self._queue.epoch,
        }
        is_ours = self._lock.acquire(record, now, ttl, is_alone=True) is None
        self._lock_record = record if is_ours else None
        return is_ours

    def _validate(self) -> None:
        """Step 1."""
        task = self._task
        name, known = task["executor"], sorted(self._world.executors(self._world.root))
        if name and name not in known:
            why = f"there is no executor {name!r}: {', '.join(known)}"
            raise AttemptEnded("schema_invalid", why)
        ident, state = self._queue.dependency(task)
        if state == "failed":
            raise AttemptEnded("dependency_failed", f"it depends on {ident}, which failed")

    def _ask_the_gate(self) -> None:
        """What the gate blocks for an agent does not run here either; what it asks about waits."""
        if self._kept:
            return  # each is asked about as it is then
        look = self._world.permissions.look
        found = {each: look(self._command(each)) for each in self._task["commands_to_run"]}
        self._gated = frozenset(each for each, seen in found.items() if seen.is_gated)
        self._require(found)

    def _require(self, found: Mapping[str, Permission]) -> None:
        """End the attempt unless a person or the gate lets all of them run; by the commands."""
        needed = {text: each for text, each in found.items() if not self._is_sealed(text, each)}
        for word, reason in _WITHOUT_PERMISSION.items():
            against = [each for each in needed.values() if each.word == word]
            if against:
                self._sealed |= {text: each.seal for text, each in needed.items() if each.seal}
                asked = [ident for each in against for ident in each.asked]
                self._row = self._queue.note(self._row, "asked", asked=asked)
                raise AttemptEnded(reason, "; ".join(each.text for each in against[:3]))

    def _is_sealed(self, text: str, found: Permission) -> bool:
        """Whether a person has approved the task, and the command runs what it ran when they were asked."""
        is_same = found.seal != "" and self._sealed.get(text) == found.seal
        return is_same and self._row.answered_by != ""

    def _command(self, text: str) -> TaskCommand:
        return TaskCommand(self._row.stem, self._row.attempt, text, self._tree.root)

    def _wait_for_confirmation(self) -> None:
        """Step 6."""
        if self._found.is_nobodys:
            why = "its file appeared or changed while an executor worked that could have written it"
            raise AttemptEnded("requires_confirmation", why)
        if self._found.is_changed:
            raise AttemptEnded(
                "requires_confirmation", "its file was changed after it was submitted or approved"
            )
        if self._task["requires_confirmation"] and not self._row.answered_by:
            raise AttemptEnded("requires_confirmation", "the task asks for a person's approval")

    def _find_executor(self) -> None:
        """Before anything is touched: what is not there yet costs no attempt."""
        if self._kept:
            return  # its edit is done
        problem = self._required_executor().problem()
        if problem is not None:
            self._executor = {"name": self._executor_name, "outcome": problem.outcome}
            raise AttemptEnded("executor_unavailable", f"{self._executor_name}: {problem.detail}")

    @property
    def _executor_name(self) -> str:
        return self._task["executor"] or self._world.settings.executor

    def _required_executor(self) -> Executor:
        name = self._executor_name
        executors = self._world.executors(self._tree.root)
        executor = executors.get(name)
        if executor is None:
            known = ", ".join(sorted(executors))
            raise AttemptEnded("executor_unavailable", f"there is no executor {name!r}: {known}")
        return executor

    # -- 3: the tree and the branch ---------------------------------------------------------------

    def _enter_tree(self) -> None:
        """The project's working tree, or one that is this task's alone."""
        trees = self._world.trees
        if trees.are_own:
            self._row = self._queue.note(self._row, "entering", tree=trees.place(self._stem))
        try:
            self._entered = trees.enter(self._stem)
        except EdgeError as error:
            raise AttemptEnded("worktree_failed", error.message) from error

    @property
    def _tree(self) -> WorkTree:
        assert self._entered is not None  # noqa: S101 - entered before all that needs it
        return self._entered

    def _set_up(self) -> None:
        """What the person's settings run in a new working tree, such as installing what git ignores."""
        if not self._tree.is_own:
            return
        for command in self._world.settings.worktree_setup:
            record = verify.run(
                command, self._place(), self._limits(), self._required_log(), self._log_name
            )
            if not verify.passed(record):
                why = one_line(
                    record["stderr"] or record["stdout"] or str(record.get("ended")), 300
                )
                raise AttemptEnded("worktree_failed", f"worktree_setup: {command}: {why}")
        if self._tree.branches.status():
            why = "worktree_setup changed files that git does not ignore"
            raise AttemptEnded("worktree_failed", why)

    def _check_tree(self) -> None:
        self._home = self._note_tree()
        if self._git["dirty_before"] and not self._task["allow_dirty"]:
            raise AttemptEnded(
                "dirty_repo", "the working tree has uncommitted changes; commit or stash them"
            )

    def _note_tree(self) -> Head:
        """What the result says of the repository before the attempt."""
        head, status = self._tree.branches.head(), self._status()
        found: GitRecord = {
            "base_commit": head.commit,
            "branch": head.branch,
            "dirty_before": bool(status),
            "status_before": status,
        }
        self._git.update(found)
        return head

    def _status(self) -> str:
        return redact(self._tree.branches.status(), values=self._secrets)

    def _start_branch(self) -> None:
        task, home = self._task, self._home
        assert home is not None  # noqa: S101 - set by the step before
        base = task["base"]
        if base.startswith("task:"):
            base = PREFIX + base.removeprefix("task:")
        self._row = self._queue.note(self._row, "branching", home=list(home))
        try:
            started = self._tree.branches.start(self._stem, self._row.attempt, base)
        except GitFailed as error:
            raise AttemptEnded("branch_checkout_failed", str(error)) from error
        self._git["branch"], self._git["base_commit"] = started
        self._staging.begin()
        self._log = AttemptLog(self._staging.log(), values=self._secrets)
        self._set_up()
        self._origin = Origin.taken(self._tree, home, started, mark=self._mark, aside=self._aside)
        self._foreign = self._not_ours()
        self._row = self._queue.note(self._row, "begun", **self._origin.note(self._staging))

    # -- 7: the bead -----------------------------------------------------------------------------

    def _open_bead(self) -> None:
        title = self._title(self._task["bead_title"])
        self._bead = self._world.tracker.open(self._stem, title)
        if self._bead.raw:
            path = journal.target(self._world.root, layout.bead_file(self._stem))
            raw = redact(self._bead.raw, values=self._secrets).encode("utf-8", "backslashreplace")
            files.write_durable(path, raw, mode=0o600)

    @property
    def _aside(self) -> str:
        folder = layout.left_folder(self._stem, self._row.attempt)
        return journal.target(self._world.root, folder)

    def _title(self, given: str) -> str:
        """A title for a tracker or a commit: no secret, nothing that acts on a terminal."""
        return one_line(redact(given, values=self._secrets), 200) or self._stem

    # -- 8, 9: the edit --------------------------------------------------------------------------

    def _takes_up_kept(self) -> bool:
        """Go on with the edit of before, if the tree is as it was when that began."""
        kept = self._kept
        if not kept or kept["before"] != self._required_origin().before.tree:
            return False
        left = self._tree.audit.put_back(TreeSnapshot(kept["tree"]))
        if left:
            raise AttemptEnded("internal_error", f"not put back: {', '.join(left[:5])}")
        self._executor, self._baseline = kept["executor"], kept["baseline"]
        self._goes_on = True
        self._required_log().heading("goes on with the edit that was kept")
        return True

    def _is_accepted(self, reason: str) -> bool:
        """Whether a person has let through for what this edit was kept."""
        return bool(self._goes_on and self._kept["reason"] == reason and self._row.answered_by)

    def _run_baseline(self) -> None:
        """The commands before the edit, but for those that a person has to allow."""
        if self._task["baseline"]:
            safe = [each for each in self._task["commands_to_run"] if each not in self._gated]
            self._run_commands(safe, self._baseline, until_failure=False)

    def _edit(self, text: str) -> None:
        task, name, executor = self._task, self._executor_name, self._required_executor()
        self._row = self._queue.note(self._row, "editing")
        self._world.tell("editing", self._stem, {"executor": name})
        log = self._required_log()
        log.heading(f"executor {name}")
        capture = Capture(log, cap=self._cap)
        spent = self._usage.cost or 0.0
        request = Request(task, text, self._place(), self._limits(), capture.feed, spent)
        with self._distrusted(executor):
            edited = executor.edit(request)
        said = capture.end(self._log_name)
        self._usage = self._usage.plus(edited.usage)
        self._executor = {
            "name": name,
            "outcome": edited.outcome,
            "detail": redact(edited.detail, values=self._secrets),
            "exit_code": edited.exit_code,
            "seconds": edited.seconds,
            "denied": [redact(each, values=self._secrets) for each in edited.denied],
            "usage": self._usage._asdict(),
            "contained": edited.contained,
            "output": said,
        }
        ended = {"outcome": edited.outcome, "seconds": edited.seconds}
        self._world.tell("edited", self._stem, ended)
        self._require_repository()
        self._require_done(edited)

    @contextmanager
    def _distrusted(self, executor: Executor) -> Iterator[None]:
        """What appears among the tasks meanwhile waits for a person, if the executor may have written it."""
        if executor.is_kept_out:
            yield
            return
        before = self._queue.seen()
        self._staging.keep(staging.WAITING, json.dumps(before).encode())
        try:
            yield
        finally:
            self._queue.distrust(before)
            self._staging.drop(staging.WAITING)

    def _require_done(self, edited: Edited) -> None:
        if edited.outcome == "done":
            return
        with suppress(GitFailed):
            self._git["diff_stat_pre"] = self._take_patch("pre").stat
            self._git["status_porcelain"] = self._status()
        detail = redact(f"{self._executor_name}: {edited.detail}", values=self._secrets)
        if edited.outcome in UNAVAILABLE:
            raise AttemptEnded("executor_unavailable", detail)
        if edited.outcome == "usage_limited":
            end = limits.ends_at(edited.due or edited.detail, self._world.clock())
            self._due = end.isoformat(timespec="seconds") if end else ""
            detail += f"; tried again at {point_in_time(self._due)}" if end else ""
        raise AttemptEnded(
            edited.outcome if edited.outcome in _OWN_REASON else "opencode_failed", detail
        )

    def _audit_edit(self) -> None:
        """Step 9."""
        self._require_untouched()
        patch = self._take_patch("pre")
        self._git["diff_stat_pre"] = patch.stat
        inner = self._required_origin().inner
        if inner:
            what = ", ".join(inner[:5])
            raise AttemptEnded("opencode_failed", f"it left repositories in the tree: {what}")
        if not patch.changes and not self._task["allow_no_change"]:
            raise AttemptEnded("no_change", "the executor changed no file")

    # -- 10, 11: verification --------------------------------------------------------------------

    def _verify(self) -> None:
        self._run_all()
        for number in range(1, self._task["repair"] + 1):
            failed = [each for each in self._commands if not verify.passed(each)]
            if not failed or self._stop.is_set() or any(map(verify.is_cut_off, failed)):
                return
            self._world.tell("repairing", self._stem, {"round": number, "of": self._task["repair"]})
            self._edit(prompt.of_repair(self._task, failed))
            self._require_untouched()
            self._take_patch("pre", repair=number)
            self._run_all()

    def _run_all(self) -> None:
        self._commands = []
        self._run_commands(self._task["commands_to_run"], self._commands, take=self._take)

    def _take(self, text: str) -> Callable[[CommandRecord], None]:
        """Ask for a command immediately before it runs; returns what is done when it has."""
        permissions, command = self._world.permissions, self._command(text)
        permission = permissions.take(command)
        self._require({text: permission})
        origin = self._required_origin()
        before = origin.git_parts() if permission.is_gated else None

        def ran(record: CommandRecord) -> None:
            if before is not None:  # what a person let run may change refs, as a push does
                origin.accept_refs(before)
            alarm, check = permissions.ran(command, record)
            self._add_detail(alarm)
            if check:
                record["check"] = check

        return ran

    def _audit_verified(self) -> None:
        """Step 11; what the executor did is judged together with what verification did."""
        self._require_untouched(may_commit=False)
        self._required_origin().clear()
        self._patch = self._take_patch("post")
        self._git["status_after_verify"] = self._status()
        self._git["dirty_after_verify"] = bool(self._git["status_after_verify"])
        self._git["diff_stat_post"] = self._patch.stat

    def _require_untouched(self, *, may_commit: bool = True) -> None:
        """Git's own files are as they were: else nothing that git says of this attempt counts.

        Branch and index are put back: what an executor committed or staged is a change like others. The
        commands have no business there (``may_commit``).
        """
        self._require_repository()
        planted = [each for each in self._not_ours() if each not in self._foreign]
        if planted:
            what = ", ".join(planted)
            raise AttemptEnded("internal_error", f"not as the Bridge wrote it: {what}")
        origin = self._required_origin()
        _require_none(origin.changed_files())
        if not may_commit:
            _require_none(origin.moved())
        head = origin.put_back_head()
        if head != origin.start or "head_commit" not in self._git:
            self._git["head_commit"] = head.commit
        if head != origin.start:
            self._add_detail("the attempt moved HEAD; what it committed is part of its change")

    def _require_repository(self) -> None:
        """Before git is asked anything: it is the repository of before."""
        if self._required_origin().put_back_entry():
            raise AttemptEnded("tampered", ".git was replaced by the attempt, and put back")

    def _not_ours(self) -> list[str]:
        """The Bridge's files for this attempt that somebody else has written."""
        seen = self._lock.seen()
        own = (self._lock_record or {}).get("token")
        is_other = seen is not None and (seen.record or {}).get("token") != own
        locks = [layout.lock_file(self._stem)] if is_other else []
        return [*locks, *self._queue.planted(self._row)]

    def _judge(self) -> None:
        """Success, or the most serious reason against it."""
        task, patch = self._task, self._patch
        assert patch is not None  # noqa: S101 - see the steps
        _require_none(self._required_origin().changed_refs())
        protected = judge.protected(patch.paths, task["protect"], task["scope"])
        if protected:
            raise AttemptEnded("protected_changed", f"protected: {', '.join(protected[:5])}")
        beyond = judge.outside(patch.paths, task["scope"])
        self._scope = {"outside": beyond[:100]}
        if beyond and task["enforce_scope"]:
            raise AttemptEnded("scope_violation", f"outside the scope: {', '.join(beyond[:5])}")
        failed = [each for each in self._commands if not verify.passed(each)]
        is_cut_off = any(verify.is_cut_off(each) for each in failed)
        if is_cut_off or (not failed and len(self._commands) < len(task["commands_to_run"])):
            raise AttemptEnded("interrupted", "the watcher was stopped")
        if failed:
            raise AttemptEnded("verify_failed", f"failed: {failed[0]['cmd']}{self._missing()}")
        secrets = judge.secret_lines(patch.data, values=self._secrets)
        if secrets and not self._is_accepted("secret_in_diff"):
            raise AttemptEnded(
                "secret_in_diff", f"an added line holds a secret: {', '.join(secrets[:5])}"
            )

    def _missing(self) -> str:
        """What the commands may have lacked: git does not bring it into a tree of the task's own."""
        top, own = self._world.root, self._tree.root
        lacks = [
            each
            for each in _BESIDE_GIT
            if os.path.lexists(os.path.join(top, each))
            and not os.path.lexists(os.path.join(own, each))
        ]
        if not lacks:
            return ""
        return f"; its working tree has no {', '.join(lacks)}: see worktree_setup"

    # -- 13: what stays --------------------------------------------------------------------------

    def _commit(self) -> None:
        """The task's change on its branch; then HEAD goes back."""
        task, patch = self._task, self._patch
        assert patch is not None  # noqa: S101 - see the steps
        if not self._commits:
            return
        if patch.paths:
            title = self._title(task["bead_title"] or task["goal"].partition("\n")[0])
            message = f"{title}\n\n{trailer(self._stem, self._row.attempt)}\n"
            judged = {"result": self._result(None), "message": message, "paths": patch.paths}
            self._row = self._queue.note(self._row, "judged", judged=judged)
            self._git["result_commit"] = self._tree.branches.commit(patch.paths, message)

    def _leave_clean(self, reason: str | None) -> None:
        """Keep what a failed attempt made on a side ref, and make the tree as it was before.

        Raises StateError if that cannot be done now: then the next watcher ends the attempt.
        """
        origin = self._origin
        if origin is None:
            return
        try:
            if reason is not None:
                self._keep_and_put_back(origin, reason)
                origin.go_home()
            elif self._patch is not None and self._commits:
                paths, clock = self._patch.paths, self._world.clock
                origin.leave(paths, self._stem, self._row.attempt, clock)
        except EdgeError as error:
            raise StateError(
                f"the working tree of {self._stem} could not be put back: {error}",
                hint="Make room on the disk, or repair the repository; then: edge bridge watch",
            ) from error
        self._add_detail("; ".join(origin.said[:MAX_SAID]))

    def _keep_and_put_back(self, origin: Origin, reason: str) -> None:
        kept = origin.put_back(self._stem, self._row.attempt, reason, self._world.clock)
        self._executor["kept"] = kept.ref
        if outcome(reason)[0] == "needs_confirmation":
            self._kept = {
                "tree": kept.made.tree,
                "before": origin.before.tree,
                "reason": reason,
                "executor": self._executor,
                "baseline": self._baseline,
            }
        self._add_detail(kept.problem)

    # -- 12, 14: the result ----------------------------------------------------------------------

    def _finish(self, reason: str | None) -> str | None:
        error = self._world.tracker.close(self._bead, reason)
        self._close_log()
        result = self._result(reason)
        if error or self._bead.error:
            result["bead"]["error"] = redact(error or self._bead.error, values=self._secrets)
        if result["status"] in ("needs_confirmation", "blocked"):
            kept = {"kept": self._kept, "sealed": self._sealed}
            self._row = self._queue.note(self._row, "kept", **{k: v for k, v in kept.items() if v})
        waits = result["status"] == "needs_confirmation"
        if waits:
            if "branch" not in self._git:
                self._note_tree()
            self._git["status_porcelain"] = self._status()
        task = self._found.task
        again = task is not None and gets_another(
            task, reason, was_interrupted_before=self._row.interrupted > 0
        )
        follows = closing.close(
            self._world,
            self._queue,
            self._staging,
            self._row,
            task=task,
            result=result,
            again=again,
        )
        if not waits:  # for a person it stays as it was when the question was asked
            self._world.trees.leave(self._stem)
        said = {"status": result["status"], "reason": reason, "detail": result["detail"]}
        said |= {"follows": follows} if follows else {}
        said |= {"due": self._due} if self._due else {}
        self._world.tell("ended", self._stem, {"attempt": self._row.attempt, **said})
        return reason

    def _result(self, reason: str | None) -> Result:
        status, exit_path = outcome(reason)
        raw = redact(self._bead.raw, values=self._secrets)
        return {
            "id": self._row.stem,
            "status": status,
            "exit_path": exit_path,
            "reason": reason,
            "detail": redact(self._detail, values=self._secrets),
            "problems": [redact(each, values=self._secrets) for each in self._found.problems],
            "attempt": self._row.attempt,
            **({"due": self._due} if self._due else {}),
            "bead": {"title": redact(self._bead.title, values=self._secrets), "raw_output": raw},
            "git": self._git,
            "baseline": self._baseline,
            "commands": self._commands,
            "executor": self._executor,
            "scope": self._scope,
            "artifacts": self._staging.named(),
            "task_snapshot": self._snapshot(),
            "task_digest": sha256_hex(self._found.raw),
            "started_at": self._started_at,
            "timestamp": self._world.clock().isoformat(),
        }

    def _snapshot(self) -> dict[str, Any]:
        return snapshot_of(self._found.raw, self._secrets)

    # -- parts -----------------------------------------------------------------------------------

    @property
    def _cap(self) -> int:
        return self._world.settings.log_size_cap_kb * 1024

    @property
    def _log_name(self) -> str:
        return layout.artifacts(self._stem).logs

    def _limits(self) -> Limits:
        ttl = self._world.settings.worker_lock_ttl_sec
        return Limits(float(self._task["timeout_sec"]), lease.renewal_seconds(ttl), self._cap)

    def _place(self) -> Place:
        env = self._world.env
        if self._tree.is_own:
            env = {**env, **_known_in_git(self._mark, env), **self._variables()}
        return Place(self._tree.root, env, self._stop)

    def _variables(self) -> dict[str, str]:
        """For commands that run beside those of other tasks, or need what only the project's tree has."""
        return {"EDGE_BRIDGE_TASK": self._stem, "EDGE_BRIDGE_ROOT": self._world.root}

    @property
    def _mark(self) -> str:
        """The mail address with which git notes in the reflogs what the attempt does; "" in a shared tree."""
        return f"{self._stem}.{self._row.attempt}@bridge.invalid" if self._tree.is_own else ""

    @property
    def _commits(self) -> bool:
        """Whether a success is committed: not if the person's own changes are in the tree, too."""
        is_apart = self._tree.is_own or not self._task["allow_dirty"]
        return is_apart and self._world.settings.on_success == "commit"

    def _run_commands(
        self,
        commands: Sequence[str],
        records: list[CommandRecord],
        *,
        until_failure: bool = True,
        take: Callable[[str], Callable[[CommandRecord], None]] = lambda _: lambda _: None,
    ) -> None:
        """Run them in order into ``records``; ``take`` is asked before each, and may end the attempt."""
        limits = self._limits()
        if self._task["command_timeout_sec"]:
            limits = limits._replace(seconds=float(self._task["command_timeout_sec"]))
        for number, command in enumerate(commands, 1):
            if self._stop.is_set():
                return
            ran = take(command)
            self._tell_command("command", command, number, len(commands))
            record = verify.run(
                command, self._place(), limits, self._required_log(), self._log_name
            )
            records.append(record)
            ran(record)
            self._tell_command(
                "command_ended",
                command,
                number,
                len(commands),
                exit_code=record["exit_code"],
                seconds=record["seconds"],
            )
            if until_failure and not verify.passed(record):
                return

    def _tell_command(self, event: str, command: str, number: int, of: int, **more: Any) -> None:
        cmd = redact(command, values=self._secrets)
        self._world.tell(event, self._stem, {"cmd": cmd, "number": number, "of": of, **more})

    def _take_patch(self, kind: str, *, repair: int = 0) -> Patch:
        """The change since the attempt began, staged as a patch and in a form for people."""
        patch = self._required_origin().change()
        self._staging.patch(kind, patch.data, secrets=self._secrets, repair=repair)
        return patch

    def _close_log(self) -> None:
        if self._log is not None:
            self._add_detail(self._log.close())

    def _add_detail(self, text: str) -> None:
        """One more sentence for the person."""
        self._detail = "; ".join(filter(None, (self._detail, legible(text))))

    def _required_origin(self) -> Origin:
        assert self._origin is not None  # noqa: S101 - taken with the branch
        return self._origin

    def _required_log(self) -> AttemptLog:
        assert self._log is not None  # noqa: S101 - opened with the branch
        return self._log

    def _guide(self) -> str:
        data = files.read_bytes(os.path.join(self._tree.root, _GUIDE))
        return "" if data is None else data[: 4 * prompt.MAX_GUIDE].decode("utf-8", "replace")


def _require_none(changed: Sequence[str]) -> None:
    if changed:
        what = ", ".join(changed[:5])
        raise AttemptEnded("tampered", f"changed by the attempt, and put back: {what}")


def snapshot_of(raw: bytes, secrets: Sequence[str]) -> dict[str, Any]:
    """The task as it was given, redacted and bounded."""
    try:
        cut: dict[str, Any] = clean(read_object(raw), _MAX_SNAPSHOT, values=secrets)
    except NotJson:
        return {}
    return cut


def _known_in_git(mark: str, env: Mapping[str, str]) -> dict[str, str]:
    """Variables with which git notes every change of a ref, and by whom."""
    number = int(env.get("GIT_CONFIG_COUNT") or 0)
    return {
        "GIT_COMMITTER_EMAIL": mark,
        "GIT_CONFIG_COUNT": str(number + 1),
        f"GIT_CONFIG_KEY_{number}": "core.logAllRefUpdates",
        f"GIT_CONFIG_VALUE_{number}": "always",
    }


def trailer(stem: str, attempt: int) -> str:
    """The last lines of the message of the watcher's commit."""
    return f"Bridge-Task: {stem}\nBridge-Attempt: {attempt}"


# end of module
