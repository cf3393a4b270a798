"""The commands of the Bridge's tasks: judged by the gate, and put to a person as an agent's calls are.

A task's question is bound, shown and answered as any other, and blocks no session. An approval is used
immediately before the command runs, for what it is then.

Does not own what follows for the task (``bridge.permissions``).
"""

from __future__ import annotations

import os

from operators_edge.approvals import junction, messages
from operators_edge.approvals.binding import bound, service as binding_service
from operators_edge.approvals.binding.service import Measuring
from operators_edge.bridge.permissions import Answer, Permission, Ran
from operators_edge.bridge.result import is_terminal
from operators_edge.config import effective
from operators_edge.errors import EdgeError
from operators_edge.gate import decide as gate_decide
from operators_edge.gate.facts import SystemFacts, place
from operators_edge.gate.fingerprint import canonical
from operators_edge.git.commands import Budget
from operators_edge.model import OF_TASK, Call, Outcome
from operators_edge.sessions import after_call, call_snapshot, risky_call, task_results
from operators_edge.sessions.context import EventContext
from operators_edge.system.digest import sha256_hex
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from operators_edge.bridge.permissions import TaskCommand
    from operators_edge.bridge.result import CommandRecord, Result
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Verdict
    from operators_edge.project import Project

_RUN = Permission("run")


class _Judged(NamedTuple):
    context: EventContext
    call: Call
    verdict: Verdict
    rules: Rules


class TaskCommands:
    """The permissions of one project's tasks; ``project`` is None where nothing can be recorded."""

    def __init__(
        self, root: str, project: Project | None, env: Mapping[str, str] = os.environ
    ) -> None:
        self._root = root
        self._project = project
        self._env = env

    def look(self, command: TaskCommand) -> Permission:
        """Whether it may run, before the executor starts; a question is asked now, no approval is used."""
        return self._permission(self._judge(command), is_trial=True)

    def take(self, command: TaskCommand) -> Permission:
        """Immediately before it runs: an approval is used, or a person is asked about it as it is now."""
        judged = self._judge(command)
        found = self._permission(judged)
        if found.word == "run" and judged.verdict.destroys:
            call_snapshot.add(judged.context, judged.call, judged.verdict, Outcome(), judged.rules)
        return found

    def ran(self, command: TaskCommand, record: CommandRecord) -> Ran:
        """What it ran with that was not shown to the person who allowed it, and what it checked."""
        context, call = self._context(command), self._call(command)
        has_failed = record.get("exit_code") != 0
        alarm = after_call.compared(context, call, has_failed=has_failed)
        project = context.recorded_project
        if project is None:
            return Ran(alarm)
        check = task_results.observe(project, command.text, command.root, record, self._env)
        return Ran(alarm, None if check is None else {**check})

    def finished(self, task: Mapping[str, Any], result: Result, *, is_again: bool = False) -> str:
        """What the task ran goes into the log, and its step gets its proof; a failure loses no result."""
        if self._project is None or not self._project.is_set_up or not is_terminal(result):
            return ""
        try:
            return task_results.finish(
                self._project, task, result, cwd=self._root, is_again=is_again
            )
        except EdgeError as error:
            return f"not recorded for the plan: {error.message}"

    def answer(self, stem: str, attempt: int, asked: Sequence[str]) -> Answer:
        """How the questions were answered; a refusal of one is enough."""
        if self._project is None:
            return Answer("open")
        state = self._project.state.read()
        answered = {
            each.get("id"): each
            for each in state.get("junction_history") or ()
            if isinstance(each, dict)
        }
        if self._project.registry.refusals(_session(stem, attempt)):
            refused = [answered[each] for each in asked if each in answered]
            said = next((each for each in refused if each.get("decision") == "skip"), None)
            if said is None:
                return Answer("refused", "a person")
            return Answer("refused", f"{said.get('by')}, who refused: {said.get('shown')}")
        ids = {each["id"] for each in junction.open_questions(state)}
        return Answer("open" if ids.intersection(asked) else "answered")

    # -- parts -----------------------------------------------------------------------------------

    def _permission(self, judged: _Judged, *, is_trial: bool = False) -> Permission:
        if judged.verdict.effect != "junction":
            return self._plain(judged)
        decision = self._decision(judged)
        if decision is None:
            return self._without_record(judged)
        try:
            if is_trial and decision.is_decided():
                return _RUN._replace(is_gated=True)
            return self._decided(judged, decision)
        except EdgeError as error:
            return _not_now(judged, error)

    def _judge(self, command: TaskCommand) -> _Judged:
        rules, call = effective.load(self._root, self._env), self._call(command)
        context = self._context(command)
        here = place(command.root, self._env)
        verdict = gate_decide.assess(call, here, SystemFacts(), rules)
        verdict = risky_call.without_switched_off(context, call, verdict)
        verdict = risky_call.with_alternative(context, call, verdict, rules)
        return _Judged(context, call, verdict, rules)

    def _context(self, command: TaskCommand) -> EventContext:
        session = _session(command.stem, command.attempt)
        return EventContext(self._project, session=session, can_ask=False, env=self._env)

    def _call(self, command: TaskCommand) -> Call:
        session = _session(command.stem, command.attempt)
        given = {"command": command.text}
        return Call("Bash", given, command.root, session=session, id=f"{session}\n{command.text}")

    def _decision(self, judged: _Judged) -> risky_call.Decision | None:
        project = judged.context.recorded_project
        if project is None:
            return None
        return risky_call.Decision(
            judged.context, project, judged.call, judged.verdict, judged.rules
        )

    def _plain(self, judged: _Judged) -> Permission:
        """What nobody has to decide: it runs, or nobody can let it run."""
        context, verdict = judged.context, judged.verdict
        if verdict.effect == "warn":
            context.record("warned", messages.verdict_data(verdict), judged.call)
        if verdict.effect != "block":
            return _RUN
        context.record("blocked", messages.verdict_data(verdict), judged.call)
        finding = verdict.findings[0]
        return Permission("blocked", f"the gate blocks {_command_text(judged)}: {finding.why}")

    def _without_record(self, judged: _Judged) -> Permission:
        """No question can be kept: a person approves the task, and with it the command as it is now."""
        at = place(self._root, self._env)
        scope = Measuring(at, SystemFacts(), judged.rules, self._env, Budget())
        facts = bound.as_data(binding_service.measure(judged.call, judged.verdict, scope))
        text = f"a person has to allow {_command_text(judged)}"
        return Permission("asked", text, is_gated=True, seal=sha256_hex(canonical(facts)))

    def _decided(self, judged: _Judged, decision: risky_call.Decision) -> Permission:
        resolved, _ = decision.decide()
        if resolved.resolution.step in ("use", "covered"):
            return _RUN._replace(is_gated=True)
        if resolved.resolution.step == "refused":
            return Permission("refused", f"a person refused {_command_text(judged)}", is_gated=True)
        ident = str((resolved.pending or {}).get("id") or "")
        changed = ((resolved.pending or {}).get("card") or {}).get("changed") or []
        since = f" (since the last answer: {'; '.join(changed)})" if changed else ""
        text = f"a person has to allow {_command_text(judged)}{since}"
        return Permission("asked", text, (ident,), is_gated=True)


def _session(stem: str, attempt: int) -> str:
    return f"{OF_TASK}{stem}/{attempt}"


def _command_text(judged: _Judged) -> str:
    return judged.context.redacted_text(judged.call)


def _not_now(judged: _Judged, error: EdgeError) -> Permission:
    """Nothing can be recorded, so nobody can allow it now."""
    text = (
        f"a person has to allow {_command_text(judged)}, and cannot be asked now: {error.message}"
    )
    return Permission("asked", text, is_gated=True)


# end of module
