"""One attempt of one task: the protocol's steps, in its order.

``Attempt.run`` and ``_steps`` are the list of steps. A step that ends the attempt raises ``AttemptEnded``
with the reason; then the tree is restored, everything that was made is kept, and the result is written. What
the attempt is about to do to the repository is in the database first, so that ``bridge.recovery`` can end an
attempt whose watcher died.

Does not own the queue's files (``bridge.queue``), the task's commands (``bridge.commands``), the executor
(``bridge.editing``), changes (``bridge.audit``) or what is in the result (``bridge.record``).
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from operators_edge.bridge import branches, closing, judge, layout, prompt, staging
from operators_edge.bridge.audit import TreeSnapshot
from operators_edge.bridge.claim import Claim
from operators_edge.bridge.commands import Commands
from operators_edge.bridge.editing import Editing
from operators_edge.bridge.json_text import legible
from operators_edge.bridge.lease import LeaseLost
from operators_edge.bridge.origin import Origin
from operators_edge.bridge.record import Record
from operators_edge.bridge.result import AttemptEnded, outcome
from operators_edge.bridge.workplace import Workplace
from operators_edge.errors import EdgeError, StateError
from operators_edge.git.commands import GitFailed
from operators_edge.storage import files, journal, wake
from operators_edge.text.wording import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from operators_edge.bridge.audit import Patch
    from operators_edge.bridge.branches import Head
    from operators_edge.bridge.origin import WorkTree
    from operators_edge.bridge.queue import Queue, TaskFile
    from operators_edge.bridge.result import Result
    from operators_edge.bridge.task import Task
    from operators_edge.bridge.world import World

_GUIDE = "AGENTS.md"


class Attempt:
    """One attempt, and what is known of it so far."""

    def __init__(self, world: World, queue: Queue, found: TaskFile) -> None:
        self._world = world
        self._found = found
        self._secrets = world.secrets()
        self._record = Record(found, self._secrets, world.settings.defaults, world.clock())
        self.claim = Claim(world, queue, found)
        self._stem = self.claim.stem
        self._staging = staging.Staging(world.staging, self._stem, found.attempt)
        work = json.loads(found.row.work)
        self._kept: dict[str, Any] = work.get("kept", {})
        """The edit of a run of this attempt in which a person had to decide first."""
        self._sealed: Mapping[str, str] = work.get("sealed", {})
        self._goes_on = False
        self._workplace: Workplace | None = None
        self._home: Head | None = None
        self._origin: Origin | None = None
        self._foreign: list[str] = []
        self._patch: Patch | None = None

    def run(self) -> str | None:
        """All steps; the reason of the result that was written, None for success.

        LockHeld if somebody else has the task.
        """
        with self.claim:  # 4, 5 and 14
            self._world.tell("started", self._stem, {"attempt": self.claim.row.attempt})
            reason = self._reason()
            self._leave_clean(reason)
            self._finish(reason)  # 12, 13
        return reason

    def _steps(self) -> None:
        """The protocol's, by its numbers; the working tree is not touched before a person agrees."""
        self._validate()  # 1
        self._enter_tree()
        self._ask_the_gate()
        self._wait_for_confirmation()  # 6
        self._find_executor()
        self._check_tree()  # 3
        self._start_branch()
        self._open_bead()  # 7
        self._take_up_kept()
        self._run_baseline()
        self._edit()  # 8
        self._audit_edit()  # 9
        self._verify()  # 10
        self._audit_verified()  # 11
        self._judge()
        self._commit()

    def _reason(self) -> str | None:
        """Do the steps, up to the one that ends the attempt."""
        record, reason = self._record, None
        try:
            self._steps()
        except AttemptEnded as ended:
            reason, record.detail = ended.reason, legible(ended.detail)
        except GitFailed as error:
            reason, record.detail = "internal_error", f"git failed: {error}"
        except EdgeError as error:
            reason, record.detail = "internal_error", error.message
        except LeaseLost:
            raise
        except Exception as error:  # noqa: BLE001 - a task that breaks the watcher is that task's failure
            reason, record.detail = "internal_error", f"{type(error).__name__}: {error}"
        if reason is not None and self.claim.cancelled_by:
            reason, record.detail = "cancelled", self.claim.cancelled_by
        return reason

    # -- 1: is it a task -------------------------------------------------------------------------

    @property
    def _task(self) -> Task:
        if self._found.is_gone:
            raise AttemptEnded("cancelled", "its file is gone")
        if self._found.task is None:
            raise AttemptEnded("schema_invalid", "; ".join(self._found.problems[:3]))
        return self._found.task

    @cached_property
    def _commands(self) -> Commands:
        return Commands(self._world, self.claim, self._task, self._record, self._sealed)

    @cached_property
    def _editing(self) -> Editing:
        return Editing(self._world, self.claim, self._task, self._record, self._staging)

    def _validate(self) -> None:
        self._editing.require_known()
        ident, state = self.claim.queue.dependency(self._task)
        if state == "failed":
            raise AttemptEnded("dependency_failed", f"it depends on {ident}, which failed")

    # -- 6: may it run ---------------------------------------------------------------------------

    def _enter_tree(self) -> None:
        """The project's working tree, or one that is this task's alone."""
        trees = self._world.trees
        if trees.are_own:
            self.claim.note("entering", tree=trees.place(self._stem))
        try:
            tree = trees.enter(self._stem)
        except EdgeError as error:
            raise AttemptEnded("worktree_failed", error.message) from error
        self._workplace = Workplace(self._world, self.claim, tree, float(self._task["timeout_sec"]))

    @property
    def _place(self) -> Workplace:
        assert self._workplace is not None  # noqa: S101 - entered before all that needs it
        return self._workplace

    @property
    def _tree(self) -> WorkTree:
        return self._place.tree

    def _ask_the_gate(self) -> None:
        if not self._kept:  # else each is asked about as it is then
            self._commands.ask(self._tree.root)

    def _wait_for_confirmation(self) -> None:
        why = ""
        if self._found.is_nobodys:
            why = "its file appeared or changed while an executor worked that could have written it"
        elif self._found.is_changed:
            why = "its file was changed after it was submitted or approved"
        elif self._task["requires_confirmation"] and not self.claim.row.answered_by:
            why = "the task asks for a person's approval"
        if why:
            raise AttemptEnded("requires_confirmation", why)

    def _find_executor(self) -> None:
        if not self._kept:  # else its edit is done
            self._editing.require_ready(self._tree.root)

    # -- 3: the tree and the branch ---------------------------------------------------------------

    def _check_tree(self) -> None:
        self._home = self._record.tree(self._tree.branches)
        if self._record.git["dirty_before"] and not self._task["allow_dirty"]:
            raise AttemptEnded(
                "dirty_repo", "the working tree has uncommitted changes; commit or stash them"
            )

    def _start_branch(self) -> None:
        task, home = self._task, self._home
        assert home is not None  # noqa: S101 - set by the step before
        base = task["base"]
        if base.startswith("task:"):
            base = branches.PREFIX + base.removeprefix("task:")
        self.claim.note("branching", home=list(home))
        try:
            started = self._tree.branches.start(self._stem, self.claim.row.attempt, base)
        except GitFailed as error:
            raise AttemptEnded("branch_checkout_failed", str(error)) from error
        self._record.git["branch"], self._record.git["base_commit"] = started
        self._staging.begin()
        self._place.open_log(self._staging.log(), self._secrets)
        self._commands.set_up(self._place)
        mark, folder = self._place.mark, layout.left_folder(self._stem, self.claim.row.attempt)
        aside = journal.target(self._world.root, folder)
        self._origin = Origin.taken(self._tree, home, started, mark=mark, aside=aside)
        self._foreign = self.claim.not_ours()
        self.claim.note("begun", **self._origin.note(self._staging))

    # -- 7: the bead -----------------------------------------------------------------------------

    def _open_bead(self) -> None:
        title = self._title(self._task["bead_title"])
        bead = self._record.bead = self._world.tracker.open(self._stem, title)
        if bead.raw:
            path = journal.target(self._world.root, layout.bead_file(self._stem))
            raw = self._record.hide(bead.raw).encode("utf-8", "backslashreplace")
            files.write_durable(path, raw, mode=0o600)

    def _title(self, given: str) -> str:
        """A title for a tracker or a commit: no secret, nothing that acts on a terminal."""
        return one_line(self._record.hide(given), 200) or self._stem

    # -- 8, 9: the edit --------------------------------------------------------------------------

    def _take_up_kept(self) -> None:
        """Go on with the edit of before, if the tree is as it was when that began."""
        kept = self._kept
        if not kept or kept["before"] != self._required_origin().before.tree:
            return
        left = self._tree.audit.put_back(TreeSnapshot(kept["tree"]))
        if left:
            raise AttemptEnded("internal_error", f"not put back: {', '.join(left[:5])}")
        self._record.executor, self._record.baseline = kept["executor"], kept["baseline"]
        self._goes_on = True
        self._place.log.heading("goes on with the edit that was kept")

    def _run_baseline(self) -> None:
        if self._task["baseline"] and not self._goes_on:
            self._commands.run_baseline(self._place)

    def _edit(self) -> None:
        if not self._goes_on:
            self._have_edited(prompt.of_task(self._task, guide=self._guide()))

    def _guide(self) -> str:
        data = files.read_bytes(os.path.join(self._tree.root, _GUIDE))
        return "" if data is None else data[: 4 * prompt.MAX_GUIDE].decode("utf-8", "replace")

    def _have_edited(self, text: str) -> None:
        edited = self._editing.run(text, self._place)
        self._require_repository()
        if edited.outcome != "done":  # what there is of it
            with suppress(GitFailed):
                self._record.git["diff_stat_pre"] = self._take_patch("pre").stat
                self._record.git["status_porcelain"] = self._status()
        self._editing.require_done(edited)

    def _audit_edit(self) -> None:
        self._require_untouched()
        patch = self._take_patch("pre")
        self._record.git["diff_stat_pre"] = patch.stat
        origin = self._required_origin()
        for paths, what in (
            (origin.inner, "it left repositories in the tree"),
            (origin.changed_submodules(), "it changed submodules, which have commits of their own"),
        ):
            if paths:
                raise AttemptEnded("opencode_failed", f"{what}: {', '.join(paths[:5])}")
        if not patch.changes and not self._task["allow_no_change"]:
            raise AttemptEnded("no_change", "the executor changed no file")

    # -- 10, 11: verification --------------------------------------------------------------------

    def _verify(self) -> None:
        """The commands, with as many repairs of the edit as the task allows."""
        self._commands.run_all(self._place, self._required_origin())
        for number in range(1, self._task["repair"] + 1):
            failed = self._commands.failed()
            if not failed or self.claim.is_set() or self._commands.were_cut_off():
                return
            self._world.tell("repairing", self._stem, {"round": number, "of": self._task["repair"]})
            self._have_edited(prompt.of_repair(self._task, failed))
            self._require_untouched()
            self._take_patch("pre", repair=number)
            self._commands.run_all(self._place, self._required_origin())

    def _audit_verified(self) -> None:
        """What the executor did is judged together with what verification did."""
        self._require_untouched(may_commit=False)
        origin, clock = self._required_origin(), self._world.clock
        origin.put_back_submodules(self._stem, self.claim.row.attempt, clock)
        self._patch = self._take_patch("post", is_final=True)
        git = self._record.git
        git["status_after_verify"] = self._status()
        git["dirty_after_verify"] = bool(git["status_after_verify"])
        git["diff_stat_post"] = self._patch.stat

    def _require_untouched(self, *, may_commit: bool = True) -> None:
        """Git's own files are as they were: else nothing that git says of this attempt counts.

        Branch and index are put back: what an executor committed or staged is a change like others. The
        commands have no business there (``may_commit``).
        """
        self._require_repository()
        planted = [each for each in self.claim.not_ours() if each not in self._foreign]
        if planted:
            what = ", ".join(planted)
            raise AttemptEnded("internal_error", f"not as the Bridge wrote it: {what}")
        origin = self._required_origin()
        _require_none(origin.changed_files())
        if not may_commit:
            _require_none(origin.moved())
        head = origin.put_back_head()
        if head != origin.start or "head_commit" not in self._record.git:
            self._record.git["head_commit"] = head.commit
        if head != origin.start:
            self._record.add_detail(
                "the attempt moved HEAD; what it committed is part of its change"
            )

    def _require_repository(self) -> None:
        """Before git is asked anything: it is the repository of before."""
        if self._required_origin().put_back_entry():
            raise AttemptEnded("tampered", ".git was replaced by the attempt, and restored")

    def _judge(self) -> None:
        """Success, or the most serious reason against it."""
        task, patch = self._task, self._required_patch()
        _require_none(self._required_origin().changed_refs())
        protected = judge.protected(patch.paths, task["protect"], task["scope"])
        if protected:
            raise AttemptEnded("protected_changed", f"protected: {', '.join(protected[:5])}")
        beyond = judge.outside(patch.paths, task["scope"])
        self._record.scope = self._record.hidden({"outside": beyond[:100]})
        if beyond and task["enforce_scope"]:
            raise AttemptEnded("scope_violation", f"outside the scope: {', '.join(beyond[:5])}")
        if self._commands.were_cut_off():
            raise AttemptEnded("interrupted", "the watcher was stopped")
        failed = self._commands.failed()
        if failed:
            lacks = ", ".join(self._place.lacks())
            hint = f"; its working tree has no {lacks}: see worktree_setup" if lacks else ""
            raise AttemptEnded("verify_failed", f"failed: {failed[0]['cmd']}{hint}")
        secrets = judge.secret_lines(patch.data, values=self._secrets)
        if secrets and not self._is_accepted("secret_in_diff"):
            raise AttemptEnded(
                "secret_in_diff", f"an added line holds a secret: {', '.join(secrets[:5])}"
            )

    def _is_accepted(self, reason: str) -> bool:
        """Whether a person has let through for what this edit was kept."""
        is_same = self._goes_on and self._kept["reason"] == reason
        return bool(is_same and self.claim.row.answered_by)

    # -- 13: what stays --------------------------------------------------------------------------

    @property
    def _commits(self) -> bool:
        """Whether a success is committed: not if the person's own changes are in the tree, too."""
        is_apart = self._tree.is_own or not self._task["allow_dirty"]
        return is_apart and self._world.settings.on_success == "commit"

    def _commit(self) -> None:
        """The task's change on its branch."""
        task, patch = self._task, self._required_patch()
        if not self._commits or not patch.paths:
            return
        title = self._title(task["bead_title"] or task["goal"].partition("\n")[0])
        message = f"{title}\n\n{branches.trailer(self._stem, self.claim.row.attempt)}\n"
        judged = {"result": self._result(None), "message": message, "paths": patch.paths}
        self.claim.note("judged", judged=judged)
        commit = self._tree.branches.commit(patch.paths, message)
        self._record.git["result_commit"] = commit

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
                origin.leave(paths, self._stem, self.claim.row.attempt, clock)
        except EdgeError as error:
            raise StateError(
                f"the working tree of {self._stem} could not be restored: {error}",
                hint="Make room on the disk, or repair the repository; then: edge bridge watch",
            ) from error
        self._record.add_detail(origin.about)

    def _keep_and_put_back(self, origin: Origin, reason: str) -> None:
        attempt = self.claim.row.attempt
        kept = origin.put_back(self._stem, attempt, reason, self._world.clock)
        self._record.executor["kept"] = kept.ref
        if outcome(reason)[0] == "needs_confirmation":
            self._kept = {
                "tree": kept.made.tree,
                "before": origin.before.tree,
                "reason": reason,
                "executor": self._record.executor,
                "baseline": self._record.baseline,
            }
        self._record.add_detail(kept.problem)

    # -- 12, 14: the result ----------------------------------------------------------------------

    def _finish(self, reason: str | None) -> None:
        record = self._record
        error = self._world.tracker.close(record.bead, reason)
        if error:
            record.bead = record.bead._replace(error=error)
        if self._workplace is not None:
            record.add_detail(self._workplace.close_log())
        status = outcome(reason)[0]
        waits = status == "needs_confirmation"
        if waits or status == "blocked":
            kept = {"kept": self._kept, "sealed": self._commands.sealed}
            self.claim.note("kept", **{name: each for name, each in kept.items() if each})
        if waits:
            if "branch" not in record.git:
                record.tree(self._tree.branches)
            record.git["status_porcelain"] = self._status()
        result = self._result(reason)
        follows = closing.close(
            self._world, self.claim.queue, self._staging, self.claim.row, result
        )
        if waits:
            wake.now(self._world.root)
        if not waits:  # for a person it stays as it was when the question was asked
            self._world.trees.leave(self._stem)
        said = {"status": status, "reason": reason, "detail": result["detail"]}
        said |= {"follows": follows} if follows else {}
        said |= {"due": record.due} if record.due else {}
        self._world.tell("ended", self._stem, {"attempt": self.claim.row.attempt, **said})

    def _result(self, reason: str | None) -> Result:
        attempt, artifacts = self.claim.row.attempt, self._staging.named()
        return self._record.result(
            reason, attempt=attempt, artifacts=artifacts, at=self._world.clock()
        )

    # -- parts -----------------------------------------------------------------------------------

    def _status(self) -> str:
        return self._record.hide(self._tree.branches.status())

    def _take_patch(self, kind: str, *, repair: int = 0, is_final: bool = False) -> Patch:
        """The change since the attempt began, staged as a patch and in a form for people."""
        patch = self._required_origin().change(is_final=is_final)
        self._staging.patch(kind, patch.data, secrets=self._secrets, repair=repair)
        return patch

    def _required_origin(self) -> Origin:
        assert self._origin is not None  # noqa: S101 - taken with the branch
        return self._origin

    def _required_patch(self) -> Patch:
        assert self._patch is not None  # noqa: S101 - taken with the audit
        return self._patch


def _require_none(changed: Sequence[str]) -> None:
    if changed:
        what = ", ".join(changed[:5])
        raise AttemptEnded("tampered", f"changed by the attempt, and restored: {what}")


# end of module
