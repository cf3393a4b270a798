"""A tool call that the gate does not simply allow: warned, denied, or decided by a person.

Owns the order: off switches, then the decisions made so far, then the record, then the answer. What is
answered is always recorded first. Does not own what a decision means (``approvals.junction``), the card
(``approvals.card``), the wording (``approvals.messages``) or what a person decides (``sessions.decisions``).
"""

from __future__ import annotations

import os
import time

from operators_edge.approvals import (
    junction,
    learnt,
    messages,
    scopes,
    service as approvals_service,
)
from operators_edge.approvals.binding import (
    bound,
    service as binding_service,
    store as binding_store,
)
from operators_edge.approvals.binding.service import Measuring
from operators_edge.approvals.card import precedents, service as card_service
from operators_edge.approvals.card.service import NO_ROWS, BoundRows
from operators_edge.errors import EdgeError
from operators_edge.evidence import session_facts
from operators_edge.gate.facts import SystemFacts, place
from operators_edge.git.commands import Budget
from operators_edge.memory import trigger_cache
from operators_edge.model import Outcome
from operators_edge.project import wall_clock
from operators_edge.redaction.redact import redact
from operators_edge.sessions import call_snapshot, edit_call, live
from operators_edge.sessions.context import EDITING_TOOLS
from operators_edge.storage.keys import signed
from operators_edge.system import machine
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.approvals.binding.bound import Binding
    from operators_edge.approvals.card.model import Card
    from operators_edge.approvals.card.service import PreparedCard
    from operators_edge.approvals.junction import GrantsInForce, Refused, Resolution
    from operators_edge.approvals.learnt import Offer, Shape
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Call, State, Verdict
    from operators_edge.project import Project
    from operators_edge.records import Grant, Junction
    from operators_edge.sessions.context import EventContext
    from operators_edge.state.transaction import Transaction


def decide(context: EventContext, call: Call, verdict: Verdict, rules: Rules) -> Outcome:
    """The answer to a call that needs more than silence; it is in the log by then."""
    verdict = call_snapshot.with_loss(context, verdict)
    verdict = without_switched_off(context, call, verdict)
    if verdict.effect == "allow" and context.root is not None and call.tool in EDITING_TOOLS:
        return edit_call.decide(context, call, context.root)
    started = time.monotonic()
    if verdict.recoveries and not _is_settled(context, call, verdict, rules):
        passed, verdict = call_snapshot.let_through(context, call, verdict, rules)
        if passed is not None:
            return passed
    spent = time.monotonic() - started
    verdict = with_alternative(context, call, verdict, rules)
    outcome = _answered(context, call, verdict, rules)
    if verdict.destroys and outcome.effect != "block":
        return call_snapshot.add(context, call, verdict, outcome, rules, spent=spent)
    return outcome


def without_switched_off(context: EventContext, call: Call, verdict: Verdict) -> Verdict:
    """The verdict without what a person switched off."""
    if verdict.effect == "allow":
        return verdict
    switches = approvals_service.active_switches(context.project, context.session, context.env)
    if not switches:
        return verdict
    return approvals_service.apply_off_switch(
        context.project,
        call,
        verdict,
        switches,
        shown=context.redacted_text(call),
        secrets=context.secrets(),
    )


def with_alternative(context: EventContext, call: Call, verdict: Verdict, rules: Rules) -> Verdict:
    """The verdict with what can be done instead of this very call."""
    if verdict.effect == "allow":
        return verdict
    from operators_edge.approvals.alternative import service as alternative  # noqa: PLC0415 - not for silence

    here = place(context.root, context.env)
    return alternative.filled(verdict, call, here, SystemFacts(), rules, secrets=context.secrets())


def _is_settled(context: EventContext, call: Call, verdict: Verdict, rules: Rules) -> bool:
    """Whether a person has allowed or refused such a call already."""
    project = context.recorded_project
    try:
        return project is not None and Decision(context, project, call, verdict, rules).is_settled()
    except EdgeError:
        return True


def _answered(context: EventContext, call: Call, verdict: Verdict, rules: Rules) -> Outcome:
    if verdict.effect == "allow":
        return Outcome()
    if verdict.effect == "warn":
        context.record("warned", messages.verdict_data(verdict), call)
        return Outcome("warn", context=messages.denial(verdict))
    if verdict.effect == "block":
        command = str(call.input.get("command", ""))
        event = messages.block_event(verdict.rule, command)
        context.record(event, messages.verdict_data(verdict), call)
        return Outcome("block", text=messages.denial(verdict))
    project = context.recorded_project
    if project is None:
        return _without_record(context, call, verdict, rules)
    return Decision(context, project, call, verdict, rules).outcome()


def _without_record(context: EventContext, call: Call, verdict: Verdict, rules: Rules) -> Outcome:
    """No grant can be kept: the host's own dialog asks, or the call is denied."""
    who = context.who_answers() if context.can_ask else ""
    if context.can_ask and not who:
        scope = _scope(context, rules)
        card = _prepare_card(context, call, verdict, scope, is_asking=True)
        return Outcome("ask", text=card.message)
    hint = "No decision can be kept here; a person runs `edge init` in the project first."
    told = filter(None, [messages.denial(verdict), messages.no_dialog(who), hint])
    return Outcome("block", text="\n".join(told))


def _scope(context: EventContext, rules: Rules) -> Measuring:
    """What a card and its binding are measured with; they share one time limit."""
    facts = SystemFacts()
    return Measuring(place(context.root, context.env), facts, rules, context.env, Budget())


def _prepare_card(
    context: EventContext,
    call: Call,
    verdict: Verdict,
    scope: Measuring,
    *,
    is_asking: bool,
    state: State | None = None,
    bound_to: BoundRows = NO_ROWS,
) -> PreparedCard:
    project = context.project
    card: Card = card_service.collect(
        call,
        verdict,
        place=scope.place,
        rules=scope.rules,
        env=scope.env,
        now=project.clock() if project else wall_clock(),
        project=project if state is not None else None,
        state=state,
        secrets=context.secrets(),
        bound_to=bound_to,
        budget=scope.budget,
        lessons=_lessons(context, call),
    )
    return card_service.prepare(card, verdict, is_asking=is_asking)


def _lessons(context: EventContext, call: Call) -> list[str]:
    """What was learned about such calls; without it there is still a card."""
    project = context.recorded_project
    if project is None or not trigger_cache.may_concern_call(project.root, call):
        return []
    from operators_edge.memory import service as memory_service  # noqa: PLC0415 - few calls reach this

    return memory_service.about(project, call)


_OFFERED = "`a` in edge approve, or /edge 1h offered, allows for 1 hour:"


class Resolved(NamedTuple):
    """How a call was resolved, and the junction that is pending for it or before it."""

    resolution: Resolution
    pending: Junction | None


class Decision:
    """One call that needs a person's decision: resolved by what they decided before, or asked."""

    def __init__(
        self, context: EventContext, project: Project, call: Call, verdict: Verdict, rules: Rules
    ) -> None:
        self._context = context
        self._project = project
        self._call = call
        self._verdict = verdict
        self._rules = rules
        is_asking = context.can_ask and rules.junction_style == "ask"
        self._who_answers = context.who_answers() if is_asking else ""
        self._is_asking = is_asking and not self._who_answers
        self._shown = context.redacted_text(call)
        self._used: set[str] = set()
        self._scope = _scope(context, rules)
        self._machine = machine.describe().name
        self._offer: Offer | None = None
        self._binding: Binding | None = None
        """What the call is bound to now; measured once, if a grant or a card needs it."""

    def is_decided(self) -> bool:
        """Whether a person has allowed the call by what they decided so far; no approval is used."""
        return self._weigh(self._project.state.read()).resolution.step in ("use", "covered")

    def is_settled(self) -> bool:
        """The same, or refused it; nothing is measured while nobody has decided anything."""
        grants = self._grants_in_force(self._project.state.read())
        if not (grants.allowances or grants.dismissals or grants.refused):
            return False
        return self._resolved(grants).step in ("use", "covered", "refused")

    def decide(self) -> tuple[Resolved, PreparedCard | None]:
        """Use an approval or ask, and log it. Raises EdgeError if that cannot be recorded."""
        card = self._card_if_needed()
        resolved = self._project.transact(
            lambda tx: self._resolve(tx, card),
            command=f"gate {self._verdict.rule}",
            secrets=self._context.secrets(),
        )
        return resolved, card

    def outcome(self) -> Outcome:
        verdict = self._verdict
        try:
            resolved, card = self.decide()
        except EdgeError as error:
            data = {**messages.verdict_data(verdict), "why": error.message}
            self._context.record("denied", data, self._call)
            reason = f"It cannot be decided now: {error.message}. {error.hint}"
            return Outcome("block", text=f"{messages.denial(verdict)}\n{reason}".strip())
        return messages.outcome_for(
            verdict,
            resolved.resolution,
            resolved.pending,
            is_asking=self._is_asking,
            card_text=card.message if card else "",
            not_compared=bound.unknowns(self._binding or ()),
            who_answers=self._who_answers,
        )

    def _card_if_needed(self) -> PreparedCard | None:
        """What the person will see, if one has to decide.

        It is computed before the state's lock is taken, so that nobody waits for git. If the resolution
        changes in between, the junction has no card, and its reason still says what it is about.
        """
        state = self._project.state.read()
        resolution = self._weigh(state).resolution
        if resolution.step != "raise":
            return None
        changed = binding_service.explained(resolution.changes, self._scope)
        self._offer = self._learnt()
        offer = (
            f"approved {self._offer.approved} times; {_OFFERED} {self._offer.text}"
            if self._offer
            else ""
        )
        return _prepare_card(
            self._context,
            self._call,
            self._verdict,
            self._scope,
            is_asking=self._is_asking,
            state=state,
            bound_to=BoundRows(bound.address_text(self._binding or ()), tuple(changed), offer),
        )

    def _shape(self) -> Shape | None:
        if not scopes.can_be_whole(self._verdict.rule):
            return None
        here = self._scope.place
        binding, root = self._binding or (), here.root or ""
        return learnt.shape_of(self._verdict, binding, self._machine, root, here.home)

    def _learnt(self) -> Offer | None:
        """A scope that earlier approvals had in common with this call; offered once a session."""
        shape, here = self._shape(), self._scope.place
        if shape is None:
            return None
        approved = precedents.approved_shapes(self._project.log.tail(card_service.MAX_ENTRIES))
        place = bound.target_text(self._binding or ())
        found = learnt.learn(shape, approved, place, root=here.root or "", home=here.home)
        session = self._context.session
        if found and self._project.registry.first_time(session, f"offer-{found.kind}"):
            return found
        return None

    def _weigh(self, state: State) -> Resolved:
        """The resolution by what has been decided so far; and the junction that is pending."""
        grants = self._grants_in_force(state)
        return Resolved(self._resolved(grants), grants.pending)

    def _resolved(self, grants: GrantsInForce) -> Resolution:
        resolution = self._resolution(grants)
        named = {each["fingerprint"] for each in (*grants.allowances, *grants.dismissals)}
        concerns = not named.isdisjoint((self._verdict.exact, *self._verdict.classes))
        if self._binding is None and (concerns or resolution.step == "raise"):
            self._binding = binding_service.measure(self._call, self._verdict, self._scope)
            resolution = self._resolution(grants)
        return resolution

    def _resolution(self, grants: GrantsInForce) -> Resolution:
        return junction.resolve(
            self._verdict,
            grants,
            is_asking=self._is_asking,
            binding=self._binding or (),
            machine=self._machine,
        )

    def _resolve(self, tx: Transaction, card: PreparedCard | None) -> Resolved:
        """Under the state's lock: look up what counts, use a grant up or raise a junction, and log it."""
        resolution, pending = self._weigh(tx.state)
        if resolution.step == "use":
            self._use(tx, resolution.grants[0])
        elif resolution.step == "pending" and pending is not None:
            junction.count_blocked(tx.state["junction"], self._verdict, shown=self._shown)
        elif resolution.step == "raise" and not self._is_asking:
            pending = self._raise(tx, pending, card)
        if resolution.step in ("use", "covered") or (
            resolution.step == "raise" and self._is_asking
        ):
            self._keep_for_afterwards(resolution.step)
        event, extra = messages.resolution_event(
            resolution, pending, self._shown, is_asking=self._is_asking
        )
        if event == "junction_raised" and self._who_answers:
            extra["no_dialog"] = self._who_answers
        if resolution.step == "raise" and (target := bound.target_text(self._binding or ())):
            extra["target"] = target
        if resolution.step == "raise" and (shape := self._shape()):
            extra["shape"] = learnt.as_data(shape)
        tx.log(
            event,
            {**messages.verdict_data(self._verdict), "shown": self._shown, **extra},
            session=self._context.session,
            tool=self._call.tool,
            agent=self._call.agent,
            tool_use_id=self._call.id,
        )
        return Resolved(resolution, pending)

    def _keep_for_afterwards(self, step: str) -> None:
        """What the call may run with, to be compared with what it ran with (``sessions.after_call``).

        Of a question in the client's dialog also all of it: the person may give a scope for it later.
        """
        facts = [f for f in self._binding or () if step != "covered" or f.side == "target"]
        data = {"binding": bound.as_data(facts), "shown": self._shown, "asked": step == "raise"}
        binding_store.keep_call(self._project, self._call.id, data)
        if step == "raise":
            binding_store.keep_question(self._project, self._context.session, self._question())

    def _question(self) -> Junction:
        """The call as a junction, redacted."""
        question = junction.new_junction(
            self._verdict,
            self._call,
            new_id=self._project.new_id(),
            now=self._project.clock(),
            shown=self._shown,
            binding=self._binding or (),
        )
        secrets = self._context.secrets()
        question["subject"] = {
            name: redact(text, values=secrets) for name, text in question["subject"].items()
        }
        if self._offer is not None:
            question["offer"] = signed(
                self._project.root,
                {
                    "id": f"offer-{self._offer.kind}",
                    "rule": self._offer.rule,
                    "only": self._offer.only,
                    "target": redact(self._offer.text, values=secrets),
                },
            )
        return question

    def _raise(
        self, tx: Transaction, pending: Junction | None, card: PreparedCard | None
    ) -> Junction:
        """Put a junction for this call into the state; one that can wait, or was left, makes room.

        That of a task makes no room: it waits on the list while another is pending.
        """
        state = tx.state
        raised = self._question()
        if card is not None:
            raised["card"] = card.stored
        if live.is_of_task(self._call.session):
            return junction.enlist(state, raised)
        live.leave_question(self._project, tx, self._call.session, is_needed=True)
        if pending is not None:
            junction.close(state, decision="displaced", now=self._project.clock(), by="gate")
        junction.forget_left(state, raised)
        state["junction"] = raised
        return raised

    def _use(self, tx: Transaction, ident: str) -> None:
        """Use a grant up: in the registry first, then in the state. Repeats are the same use.

        The state's lock is held, so no other call can have used it since it was weighed; one that was
        revoked in that moment is still not accepted.
        """
        tx.consume(ident)
        self._used.add(ident)
        for each in tx.state["allowances"]:
            if each.get("id") == ident:
                each["consumed"] = True
                each["consumed_at"] = self._project.clock().isoformat()

    def _refused(self) -> Refused:
        """Whether a person refused such a call, and for how long."""
        verdict, session = self._verdict, self._call.session
        facts = self._project.evidence.session(session)
        refusals = self._project.registry.refusals(session)
        refused = junction.refused(verdict, refusals, facts["turn"])
        if not refused and session_facts.was_refused(
            facts, verdict.exact, verdict.classes, self._call.agent
        ):
            return "turn"
        return refused

    def _grants_in_force(self, state: State) -> GrantsInForce:
        """The state's grants that count: genuine, live in the registry, in time; and a refusal."""
        now = self._project.clock()
        allowances = junction.open_grants(state, now, "allowances")
        dismissals = [
            each
            for each in junction.open_grants(state, now, "dismissals")
            if not scopes.is_of_rule(each) or self._is_for_this(each)
        ]
        is_left = live.is_left(self._project, state, self._call.session) or live.is_of_task(
            self._call.session
        )
        return junction.GrantsInForce(
            allowances=tuple(filter(self._does_count, allowances)),
            dismissals=tuple(filter(self._does_count, dismissals)),
            pending=None if is_left else state.get("junction"),
            refused=self._refused(),
        )

    def _is_for_this(self, grant: Grant) -> bool:
        """Whether a dismissal of a rule is for this session, and for where this call stays."""
        if grant.get("session") not in ("", self._call.session):
            return False
        return scopes.stays(grant, self._verdict.findings, os.path.realpath)

    def _does_count(self, grant: Grant) -> bool:
        """Whether a grant in the state counts; one that does not is reported once a session."""
        ident, session = grant.get("id", ""), self._context.session
        if ident in self._used:
            return True  # weighed again, because an editor wrote the state in between
        reason = self._project.refusal_reason(grant)
        if reason and self._project.registry.first_time(session, f"grant-{ident}-{reason}"):
            self._context.record("grant_ignored", {"grant": ident, "why": reason})
        return not reason


# end of module
