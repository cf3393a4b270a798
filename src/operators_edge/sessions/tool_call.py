"""The way of one event: a tool call before and after, a session's start, stop and end.

Owns the order of things: ask the gate, weigh what people decided, write first, answer then. Does not
own the rules (``gate.decide``), the junction's law (``approvals.junction``), how a host words its events
(``hosts``) or what a person decides (``sessions.decisions``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from operators_edge.approvals import messages
from operators_edge.errors import EdgeError, NotSetUp
from operators_edge.gate.facts import QuickFacts, SystemFacts, place
from operators_edge.locations import STATE_FILE
from operators_edge.model import ALLOW, Call, Outcome, State, Verdict
from operators_edge.project import Project, wall_clock
from operators_edge.system.realpaths import RealPaths

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.approvals.card.card import Card
    from operators_edge.approvals.junction import GrantsInForce, Resolution
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Facts
    from operators_edge.state.transaction import Transaction

EDITING_TOOLS = ("Edit", "Write", "MultiEdit", "NotebookEdit")


class ToolCallHandler:
    """One event of one session.

    ``project`` is None where no root could be resolved: the built-in rules hold, nothing is recorded
    and no grant can count. ``can_ask`` is True where the host shows a dialog to a person.
    """

    def __init__(
        self,
        project: Project | None,
        *,
        session: str,
        can_ask: bool,
        env: Mapping[str, str] = os.environ,
    ) -> None:
        self.project = project
        self.session = session
        self.can_ask = can_ask
        self.env = env
        self._secrets: tuple[str, ...] | None = None
        self._used: set[str] = set()
        self._style = "ask"

    # -- before a call ---------------------------------------------------------------------------

    def before(self, call: Call) -> Outcome:
        """What may happen to this call; every refusal is recorded before it is answered."""
        # Every other event of a session comes through this module too, and asks no gate.
        from operators_edge.config import effective  # noqa: PLC0415

        root = self.project.root if self.project else None
        rules = effective.load(root, self.env)
        self._style = rules.junction_style
        verdict = self._assessed(call, root, rules, SystemFacts())
        if verdict.effect != "allow":
            verdict = self._switched(call, verdict)
        if verdict.effect == "allow" and root is not None and call.tool in EDITING_TOOLS:
            return self._before_edit(call, root)
        outcome = self._judged(call, verdict, rules)
        if verdict.destroys and outcome.effect != "block":
            return self._snapshot(call, verdict, outcome)
        return outcome

    def lets_pass(self, call: Call) -> bool:
        """Whether ``before`` would say nothing and write nothing.

        False where that takes time to find out: rules that are not compiled, git that has to be asked.
        """
        from operators_edge.config import effective  # noqa: PLC0415 - see before

        root = self.project.root if self.project else None
        rules, facts = effective.held(root, self.env), QuickFacts()
        if rules is None:
            return False
        verdict = self._assessed(call, root, rules, facts)
        if verdict.effect != "allow" or verdict.destroys or facts.is_lacking:
            return False
        if self.project is None or call.tool not in EDITING_TOOLS:
            return True
        state = self.project.state.known()
        if state is None or _is_same_file(_target(call), self.project.state.path):
            return False
        return not self._lacks_plan(state) or self.project.registry.was_said(
            self.session, "no-plan"
        )

    def _assessed(self, call: Call, root: str | None, rules: Rules, facts: Facts) -> Verdict:
        """What the gate says; where a call happens is looked at only if a rule can be about it."""
        from operators_edge.gate import decide  # noqa: PLC0415 - see before

        if decide.is_plain(call, rules):
            return ALLOW
        return decide.assess(call, place(root, self.env), facts, rules)

    def _switched(self, call: Call, verdict: Verdict) -> Verdict:
        """The verdict without what a person switched off."""
        from operators_edge.approvals import service as approvals_service  # noqa: PLC0415 - not for an allow

        off = approvals_service.active_switches(self.project, self.session, self.env)
        if not off:
            return verdict
        shown, secrets = self.shown(call), self.secrets()
        return approvals_service.apply_off_switch(
            self.project, call, verdict, off, shown=shown, secrets=secrets
        )

    def _is_quiet(self) -> bool:
        from operators_edge.approvals import service as approvals_service  # noqa: PLC0415 - not for an allow

        return "" in approvals_service.active_switches(self.project, self.session, self.env)

    def _judged(self, call: Call, verdict: Verdict, rules: Rules) -> Outcome:
        if verdict.effect == "allow":
            return Outcome()
        if verdict.effect == "warn":
            self._note(call, "warned", verdict)
            return Outcome("warn", context=messages.denial(verdict))
        if verdict.effect == "block":
            command = str(call.input.get("command", ""))
            self._note(call, messages.block_event(verdict.rule, command), verdict)
            return Outcome("block", text=messages.denial(verdict))
        return self._before_risk(call, verdict, rules)

    def _snapshot(self, call: Call, verdict: Verdict, outcome: Outcome) -> Outcome:
        """Keep what the call can destroy: it may run now, or as soon as a person answers "Yes".

        The answer stands with or without a snapshot; a missing one is told once for each reason.
        """
        project = self.project
        if project is None or not project.is_set_up:
            return outcome
        from operators_edge.undo import snapshots  # noqa: PLC0415 - for what destroys only

        about = snapshots.SnapshotReason(self.shown(call), self.session, call.agent, call.id)
        taken = snapshots.before_call(
            project.root, verdict.destroys, about, env=self.env, clock=project.clock
        )
        for each in taken:
            self.record("snapshot", each.as_data(), call)
        if outcome.text:  # somebody decides on this very call, or has
            told = [each.told(project.root) for each in taken]
            return outcome._replace(text="\n".join([outcome.text, *told]))
        missing = [
            each.told(project.root)
            for each in taken
            if not each.id and self._is_first_time(f"no-snapshot-{each.why_not}")
        ]
        if missing:
            return Outcome("warn", context="\n".join(filter(None, [outcome.context, *missing])))
        return outcome

    def _is_first_time(self, what: str) -> bool:
        """Also when the ledger cannot tell: what is said twice does no harm."""
        try:
            return self._opened().registry.first_time(self.session, what)
        except EdgeError:
            return True

    def _before_edit(self, call: Call, root: str) -> Outcome:
        target = _target(call)
        if _is_same_file(target, os.path.join(root, STATE_FILE)):
            return self._before_state_edit(call, target)
        return self._warn_without_plan(call)

    def _before_state_edit(self, call: Call, target: str) -> Outcome:
        """Let an agent edit the human part of the state, and nothing else of it (ST-8)."""
        from operators_edge.state.proposal import refused_edit  # noqa: PLC0415 - a rare edit

        refused = refused_edit(target, call.tool, call.input)
        if refused is None:
            from operators_edge.quality import evals_service  # noqa: PLC0415 - a rare edit

            evals_service.begin(self._opened(), call)
            return Outcome()
        rule, why = refused
        self.record(messages.block_event(rule), {"rule": rule, "reason": why}, call)
        return Outcome("block", text=f"Operator's Edge: {STATE_FILE} was not changed. {why}")

    def _warn_without_plan(self, call: Call) -> Outcome:
        """In active mode an edit without a plan is worth one remark a session (GA-8)."""
        project = self.project
        if project is None or not project.is_set_up:
            return Outcome()
        try:
            state = project.state.read_fast()
        except EdgeError as error:
            return Outcome("warn", context=f"Operator's Edge: {error.message}. {error.hint}")
        if not self._lacks_plan(state) or not project.registry.first_time(self.session, "no-plan"):
            return Outcome()
        text = (
            "Operator's Edge: there is an objective but no plan. "
            "Consider writing its steps down first: edge plan add TEXT"
        )
        self.record("warned", {"rule": "no-plan"}, call)
        return Outcome("warn", context=text)

    def _lacks_plan(self, state: State) -> bool:
        from operators_edge.plan import modes  # noqa: PLC0415 - for edits only

        return not (state.get("plan") or modes.current(state) != "active" or self._is_quiet())

    def _before_risk(self, call: Call, verdict: Verdict, rules: Rules) -> Outcome:
        project = self.project
        if project is None or not project.is_set_up:
            return self._without_record(call, verdict, rules)
        shown = self.shown(call)
        try:
            is_asking = self.can_ask and self._style == "ask"
            card = self._card_if_needed(call, verdict, rules, is_asking=is_asking)
            settlement, pending = project.transact(
                lambda tx: self._settle(
                    tx, call, verdict, is_asking=is_asking, shown=shown, card=card
                ),
                command=f"gate {verdict.rule}",
                secrets=self.secrets(),
            )
        except EdgeError as error:
            self._note(call, "denied", verdict, why=error.message)
            text = f"{messages.denial(verdict)}\nIt cannot be decided now: {error.message}. {error.hint}"
            return Outcome("block", text=text.strip())
        return messages.outcome_for(verdict, settlement, pending, is_asking=is_asking, card=card)

    def _without_record(self, call: Call, verdict: Verdict, rules: Rules) -> Outcome:
        if self.can_ask:
            return Outcome("ask", text=messages.prompt(verdict, self._card(call, verdict, rules)))
        hint = "No decision can be kept here; a person runs `edge init` in the project first."
        return Outcome("block", text=f"{messages.denial(verdict)}\n{hint}")

    def _card_if_needed(
        self, call: Call, verdict: Verdict, rules: Rules, *, is_asking: bool
    ) -> Card | None:
        """What the person will see, where one has to decide.

        It is drawn before the state's lock is taken: nobody waits for what git is asked. Should the
        lock's holder decide otherwise in between, the junction has no card, and still its words.
        """
        state = self._opened().state.read_fast()
        settlement, _ = self._weigh(state, call, verdict, is_asking=is_asking)
        return self._card(call, verdict, rules, state) if settlement.step == "raise" else None

    def _card(self, call: Call, verdict: Verdict, rules: Rules, state: State | None = None) -> Card:
        from operators_edge.approvals.card import service as card_service  # noqa: PLC0415 - only where a person decides

        project = self.project
        return card_service.collect(
            call,
            verdict,
            place=place(project.root if project else None, self.env),
            rules=rules,
            now=project.clock() if project else wall_clock(),
            project=project if state is not None else None,
            state=state,
            secrets=self.secrets(),
        )

    def _weigh(
        self, state: State, call: Call, verdict: Verdict, *, is_asking: bool
    ) -> tuple[Resolution, dict[str, Any] | None]:
        """What has been decided so far makes of the verdict; and the junction that is open."""
        from operators_edge.approvals import junction  # noqa: PLC0415 - not for an allow

        project = self._opened()
        is_refused = project.registry.is_refused(call.session, verdict.exact) or (
            project.evidence.session(call.session).was_refused(verdict.exact, call.agent)
        )
        standing = self.standing(state, is_refused=is_refused)
        settlement = junction.resolve(verdict, standing, is_asking=is_asking)
        return settlement, standing.pending

    def _settle(
        self,
        tx: Transaction,
        call: Call,
        verdict: Verdict,
        *,
        is_asking: bool,
        shown: str,
        card: Card | None,
    ) -> tuple[Resolution, dict[str, Any] | None]:
        """Under the state's lock: what counts is looked up, weighed, used up and recorded in one act."""
        from operators_edge.approvals import junction  # noqa: PLC0415 - not for an allow

        state = tx.state
        settlement, pending = self._weigh(state, call, verdict, is_asking=is_asking)
        if settlement.step == "use":
            self._use(tx, settlement.grants[0])
        elif settlement.step == "pending" and pending is not None:
            junction.count_blocked(state["junction"], verdict, shown=shown)
        elif settlement.step == "raise" and not is_asking:
            pending = self._raise(state, call, verdict, pending, shown=shown, card=card)
        event, extra = messages.resolution_event(settlement, pending, shown, is_asking=is_asking)
        self._log(tx, call, event, verdict, **extra)
        return settlement, pending

    def _raise(
        self,
        state: State,
        call: Call,
        verdict: Verdict,
        pending: dict[str, Any] | None,
        *,
        shown: str,
        card: Card | None,
    ) -> dict[str, Any]:
        """Put a junction for this call into the state; one that waits for convenience makes room."""
        from operators_edge.approvals import junction  # noqa: PLC0415 - not for an allow

        project = self._opened()
        now = project.clock()
        if pending is not None:
            junction.close(state, decision="displaced", now=now, by="gate")
        raised = junction.new_junction(verdict, call, new_id=project.new_id(), now=now, shown=shown)
        raised["subject"] = self._clean(raised["subject"])
        if card is not None:
            from operators_edge.approvals.card.card import kept  # noqa: PLC0415 - see _card

            raised["card"] = kept(card)
        state["junction"] = raised
        return raised

    def _use(self, tx: Transaction, ident: str) -> None:
        """Use a grant up: in the ledger first, then in the view. Repeats are the same use.

        The state's lock is held, so nobody else can have used it since it was weighed; one that was
        revoked in that moment is still not let through.
        """
        tx.consume(ident)
        self._used.add(ident)
        for each in tx.state["allowances"]:
            if each.get("id") == ident:
                each["consumed"] = True
                each["consumed_at"] = self._opened().clock().isoformat()

    def standing(self, state: State, *, is_refused: bool = False) -> GrantsInForce:
        """What counts of the state's grants: genuine, known to the ledger as live, in time."""
        from operators_edge.approvals import junction  # noqa: PLC0415 - not for an allow

        project = self._opened()
        now = project.clock()
        counted: dict[str, list[dict[str, Any]]] = {"allowances": [], "dismissals": []}
        for key, kept in counted.items():
            for grant in state.get(key) or []:
                if isinstance(grant, dict) and junction.is_open(grant, now) and self._counts(grant):
                    kept.append(grant)
        return junction.GrantsInForce(
            allowances=tuple(counted["allowances"]),
            dismissals=tuple(counted["dismissals"]),
            pending=state.get("junction"),
            is_refused=is_refused,
        )

    def _counts(self, grant: dict[str, Any]) -> bool:
        """Whether a grant in the state counts; one that does not is reported once a session."""
        project = self._opened()
        if grant.get("id") in self._used:
            return True  # the state is weighed again after an editor wrote in between
        why = project.why_not(grant)
        if why and project.registry.first_time(self.session, f"grant-{grant.get('id')}-{why}"):
            self.record("grant_ignored", {"grant": grant.get("id"), "why": why})
        return not why

    # -- after a call ----------------------------------------------------------------------------

    def after(
        self,
        call: Call,
        *,
        output: str,
        error: str | None,
        duration_ms: int | None,
        response: object = None,
        todos: dict[str, Any] | None = None,
    ) -> dict[str, Any] | None:
        """Append what really happened; nothing is written where no project is set up.

        Returns the check that the call ran, where it ran one (``checking.observed``).

        ``response`` is the tool's own answer as data, where the host has one, and ``todos`` what the call
        says of the host's own todos (``hosts.claude.todos``).
        """
        if self.project is None or not self.project.is_set_up:
            return None
        from operators_edge.evidence.exit_codes import exit_code  # noqa: PLC0415 - not before a call

        code = exit_code(call.tool, error)
        entry = {
            "session": self.session,
            "tool": call.tool,
            "agent": call.agent,
            "tool_use_id": call.id,
            "success": error is None,
            "exit_code": code,
            "duration_ms": duration_ms,
            "input": call.input,
            "output": output if error is None else error,
            "cwd": call.cwd,
        }
        from operators_edge.evidence.checks import service as checks_service  # noqa: PLC0415 - not before a call
        from operators_edge.evidence.tamper import service as tamper_service  # noqa: PLC0415 - not before a call
        from operators_edge.memory import outcomes  # noqa: PLC0415 - not before a call

        check = checks_service.observed(
            self.project,
            call,
            output=output,
            error=error,
            response=response,
            env=self.env,
        )
        known = {"check": check, "todos": todos if error is None else None}
        entry["data"] = {name: each for name, each in known.items() if each is not None}
        seen = tamper_service.of_call(self.project, call, response) if error is None else []
        seen += outcomes.of_call(self.project, call, check, code)
        from operators_edge.evidence.session_facts import tool_entry  # noqa: PLC0415 - not for every event

        self.project.log.append_many([tool_entry(entry), *seen], secrets=self.secrets())
        if call.tool in EDITING_TOOLS and error is None:
            self._after_edit(self.project, call)
        return check

    def _after_edit(self, project: Project, call: Call) -> None:
        """An edit of the state file may have changed objective or plan: the log says so now."""
        path = str(call.input.get("file_path") or "")
        if os.path.basename(path) != STATE_FILE:
            return  # a link to it is noticed when the turn ends
        if not _is_same_file(os.path.join(call.cwd, path), os.path.join(project.root, STATE_FILE)):
            return
        try:
            project.look_at_intent(self.session)
        except EdgeError as error:
            os.write(2, f"operators-edge: the plan was not read: {error.message}\n".encode())
        from operators_edge.quality import evals_service  # noqa: PLC0415 - a rare edit

        evals_service.finish(project, call)

    # -- small parts -----------------------------------------------------------------------------

    def _opened(self) -> Project:
        if self.project is None:
            raise NotSetUp("no project could be resolved here", hint="edge init")
        return self.project

    def secrets(self) -> tuple[str, ...]:
        if self._secrets is None:
            from operators_edge.redaction.redact import secret_values  # noqa: PLC0415 - not for an allow

            self._secrets = secret_values(self.env)
        return self._secrets

    def _clean(self, subject: dict[str, str]) -> dict[str, str]:
        from operators_edge.redaction.redact import redact  # noqa: PLC0415 - not for an allow

        return {name: redact(text, values=self.secrets()) for name, text in subject.items()}

    def shown(self, call: Call) -> str:
        """The call as a person reads it in a junction: redacted, one paragraph, bounded."""
        return messages.redacted_text(call, self.secrets())

    def record(self, event: str, data: dict[str, Any], call: Call | None = None) -> None:
        """Append one event of this session; where nothing is set up there is nothing to append to."""
        project = self.project
        if project is None or not project.is_set_up:
            return
        entry: dict[str, Any] = {"event": event, "session": self.session, "data": data}
        if call is not None:
            data.setdefault("shown", self.shown(call))
            entry.update({"tool": call.tool, "agent": call.agent, "tool_use_id": call.id})
        try:
            project.log.append(entry, secrets=self.secrets())
        except EdgeError as error:
            # The verdict stands without its line; what failed goes where the host keeps its
            # hooks' complaints.
            os.write(2, f"operators-edge: not recorded: {error.message}\n".encode())

    def _note(self, call: Call, event: str, verdict: Verdict, **extra: Any) -> None:
        self.record(event, {**messages.verdict_data(verdict), **extra}, call)

    def _log(self, tx: Transaction, call: Call, event: str, verdict: Verdict, **extra: Any) -> None:
        data = {**messages.verdict_data(verdict), "shown": self.shown(call), **extra}
        tx.log(
            event,
            data,
            session=self.session,
            tool=call.tool,
            agent=call.agent,
            tool_use_id=call.id,
        )


def _target(call: Call) -> str:
    path = str(call.input.get("file_path") or call.input.get("notebook_path") or "")
    return RealPaths().of(os.path.join(call.cwd, path))


def _is_same_file(one: str, other: str) -> bool:
    """Also by another spelling, as on file systems that ignore case, or by a hard link."""
    try:
        return one == other or os.path.samefile(one, other)
    except OSError:
        return False
