"""A task's commands: whether each may run, by the gate and a person, and running them.

Does not own what the gate says (``bridge.permissions``), or how a program is run (``bridge.verify``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.bridge import verify
from operators_edge.bridge.permissions import TaskCommand
from operators_edge.bridge.result import AttemptEnded
from operators_edge.text.wording import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from operators_edge.bridge.claim import Claim
    from operators_edge.bridge.origin import Origin
    from operators_edge.bridge.permissions import Permission
    from operators_edge.bridge.record import Record
    from operators_edge.bridge.result import CommandRecord
    from operators_edge.bridge.task import Task
    from operators_edge.bridge.workplace import Workplace
    from operators_edge.bridge.world import World

_WITHOUT_PERMISSION = {
    "blocked": "gate_blocked",
    "refused": "rejected",
    "asked": "requires_confirmation",
}
"""The reason of the result, by whether a command may run; the most serious first."""


class Commands:
    """The commands of one attempt. ``sealed``: those that a person was asked about with the task, and what
    each ran then.
    """

    def __init__(
        self, world: World, claim: Claim, task: Task, record: Record, sealed: Mapping[str, str]
    ) -> None:
        self.sealed = dict(sealed)
        self._world = world
        self._claim = claim
        self._task = task
        self._record = record
        self._gated: frozenset[str] = frozenset()

    # -- whether they may run --------------------------------------------------------------------

    def ask(self, root: str) -> None:
        """What the gate blocks for an agent does not run here either; what it asks about waits."""
        look = self._world.permissions.look
        found = {each: look(self._named(each, root)) for each in self._task["commands_to_run"]}
        self._gated = frozenset(each for each, seen in found.items() if seen.is_gated)
        self._require(found)

    def _require(self, found: Mapping[str, Permission]) -> None:
        """End the attempt unless a person or the gate lets all of them run; by the commands."""
        needed = {text: each for text, each in found.items() if not self._is_sealed(text, each)}
        for word, reason in _WITHOUT_PERMISSION.items():
            against = [each for each in needed.values() if each.word == word]
            if against:
                self.sealed |= {text: each.seal for text, each in needed.items() if each.seal}
                self._claim.note("asked", asked=[ident for each in against for ident in each.asked])
                raise AttemptEnded(reason, "; ".join(each.text for each in against[:3]))

    def _is_sealed(self, text: str, found: Permission) -> bool:
        """Whether a person has approved the task, and the command runs what it ran when they were asked."""
        is_same = found.seal != "" and self.sealed.get(text) == found.seal
        return is_same and self._claim.row.answered_by != ""

    def _named(self, text: str, root: str) -> TaskCommand:
        return TaskCommand(self._claim.row.stem, self._claim.row.attempt, text, root)

    # -- running them ----------------------------------------------------------------------------

    def set_up(self, workplace: Workplace) -> None:
        """What the person's settings run in a new working tree, such as installing what git ignores."""
        if not workplace.tree.is_own:
            return
        for command in self._world.settings.worktree_setup:
            record = workplace.run(command)
            if not verify.passed(record):
                said = record["stderr"] or record["stdout"] or str(record.get("ended"))
                why = f"worktree_setup: {command}: {one_line(said, 300)}"
                raise AttemptEnded("worktree_failed", why)
        if workplace.tree.branches.status():
            why = "worktree_setup changed files that git does not ignore"
            raise AttemptEnded("worktree_failed", why)

    def run_baseline(self, workplace: Workplace) -> None:
        """Before the edit, each of them but those that a person has to allow."""
        safe = [each for each in self._task["commands_to_run"] if each not in self._gated]
        for number, command in enumerate(safe, 1):
            if self._claim.is_set():
                return
            self._record.baseline.append(self._run(workplace, command, number, len(safe)))

    def run_all(self, workplace: Workplace, origin: Origin) -> None:
        """After the edit, up to the first that fails; each is asked about immediately before it runs."""
        self._record.commands = []
        commands = self._task["commands_to_run"]
        for number, command in enumerate(commands, 1):
            if self._claim.is_set():
                return
            ran = self._take(self._named(command, workplace.tree.root), origin)
            record = self._run(workplace, command, number, len(commands))
            self._record.commands.append(record)
            ran(record)
            if not verify.passed(record):
                return

    def _take(self, command: TaskCommand, origin: Origin) -> Callable[[CommandRecord], None]:
        """Ask for a command; returns what is done when it has run."""
        permissions = self._world.permissions
        permission = permissions.take(command)
        self._require({command.text: permission})
        before = origin.git_parts() if permission.is_gated else None

        def ran(record: CommandRecord) -> None:
            if before is not None:  # what a person let run may change refs, as a push does
                origin.accept_refs(before)
            alarm, check = permissions.ran(command, record)
            self._record.add_detail(alarm)
            if check:
                record["check"] = self._record.hidden(check)

        return ran

    def _run(self, workplace: Workplace, command: str, number: int, of: int) -> CommandRecord:
        self._tell("command", command, number, of)
        record = workplace.run(command, float(self._task["command_timeout_sec"] or 0))
        how = {"exit_code": record["exit_code"], "seconds": record["seconds"]}
        self._tell("command_ended", command, number, of, **how)
        return record

    def _tell(self, event: str, command: str, number: int, of: int, **more: Any) -> None:
        said = {"cmd": self._record.hide(command), "number": number, "of": of, **more}
        self._world.tell(event, self._claim.stem, said)

    # -- how they ended --------------------------------------------------------------------------

    def failed(self) -> Sequence[CommandRecord]:
        return [each for each in self._record.commands if not verify.passed(each)]

    def were_cut_off(self) -> bool:
        """Whether they were ended, or not begun, for the watcher's sake and not for their own."""
        failed, ran = self.failed(), self._record.commands
        is_cut = any(map(verify.is_cut_off, failed))
        return is_cut or (not failed and len(ran) < len(self._task["commands_to_run"]))


# end of module
