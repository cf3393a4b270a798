"""What a person decides: approve, skip, dismiss, revoke; and the change of mode.

Owns what each decision changes in registry, state and log, in one transaction. Does not own who counts as
a person (``cli.person``, ``hosts``), the quality gate (``quality.service``) or how the answer is shown
(``cli``, ``hosts``).
"""

from __future__ import annotations

import getpass
import os
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from operators_edge.approvals import junction, scopes, service as approvals_service
from operators_edge.approvals.binding import bound, repositories, store as binding_store
from operators_edge.archive import closing, service as archive_service
from operators_edge.errors import AnswerIsNo, EdgeError, UsageError
from operators_edge.evidence import overrides
from operators_edge.evidence.plan_events import objective_hash
from operators_edge.loop import choices, gears
from operators_edge.model import MODES
from operators_edge.plan import edits as plan_edits, modes
from operators_edge.quality import service as quality_service
from operators_edge.sessions import bound_call, live
from operators_edge.state import schema
from operators_edge.storage.keys import signed
from operators_edge.text.wording import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from operators_edge.approvals.scopes import RuleScope, Scope
    from operators_edge.model import Mode, State
    from operators_edge.project import Project
    from operators_edge.quality.service import Gate
    from operators_edge.records import Grant, Junction
    from operators_edge.state.transaction import Transaction

CODE_TTL_SECONDS = 300
MAX_RECENT_CALLS = 8
_GRANT_KEYS = ("allowances", "dismissals", "overrides")

_BEGINNING_MODES = ("plan", "active")
"""Modes in which work begins: their commands can name an objective."""

REASON_LIMIT = 300
"""Characters of a person's reason that are stored."""


class Decisions:
    """Decisions of one person about one project. ``by`` names person and channel, for the log."""

    def __init__(self, project: Project, *, session: str, by: str) -> None:
        self.project = project
        self.session = session
        self.by = by

    def approve(self, words: str = "", *, why: str = "", expected: str = "") -> str:
        """Answer the pending junction with yes; returns the message for the person.

        ``words`` are numbers or names of failed checks, a finding's number, an option or the answer itself;
        after "because" follows the reason. ``expected`` is the junction that the person has read, if known.
        """
        checks, reason = overrides.parse_typed(words)
        every = checks.lower() == "all"
        why = one_line(why or reason, REASON_LIMIT)
        bound_call.require_unchanged(self.project, _pending(self.project.state.read(), expected))

        def change(tx: Transaction) -> str:
            pending = _pending(tx.state, expected)
            kind, is_ours = pending["type"], choices.is_ours(pending)
            self._count_approval(tx, pending)
            if kind == "quality_gate" and not is_ours:
                return self._override(tx, pending, "" if every else checks, why, every=every)
            answer = words if is_ours and kind == "ambiguous" else checks
            if answer and not (is_ours and kind in ("finding_selection", "ambiguous")):
                raise UsageError(
                    f"approve takes no words for a junction of type {kind}", hint="edge approve"
                )
            if is_ours:
                return self._choose(tx, pending, answer, why)
            return self._approve(tx, pending, why)

        return self.project.transact(change, command="approve")

    def take_up(self, number: int = 0, *, is_shown: bool = False) -> None:
        """Make a question of an ended session the pending one again, so that it can be answered (JU-9).

        Without a number: if nothing is pending, and there is one such question that this session asked, or
        that the person is shown before they answer.
        """
        if not number and not self._implied(self.project.state.read(), is_shown=is_shown):
            return

        def change(tx: Transaction) -> None:
            if isinstance(tx.state.get("junction"), dict):
                raise AnswerIsNo("another decision is pending first", hint="edge status")
            left = junction.left_questions(tx.state)
            if not 1 <= (number or 1) <= len(left):
                raise AnswerIsNo(f"no question {number} is left open", hint="edge status")
            junction.take_up(tx.state, left[(number or 1) - 1])

        self.project.transact(change, command="take up a question")

    def take_up_question(self, ident: str) -> None:
        """Make this open question of a task the pending one, to be shown and answered."""

        def change(tx: Transaction) -> None:
            if (tx.state.get("junction") or {}).get("id") == ident:
                return
            found = [each for each in junction.left_questions(tx.state) if each["id"] == ident]
            if not found:
                raise AnswerIsNo("this question is answered by now", hint="edge status")
            live.leave_question(self.project, tx, self.session, is_needed=True)
            if isinstance(tx.state.get("junction"), dict):
                raise AnswerIsNo("another decision is pending first", hint="edge approve")
            junction.take_up(tx.state, found[0])

        self.project.transact(change, command="take up a question")

    def _implied(self, state: State, *, is_shown: bool) -> bool:
        left = junction.left_questions(state)
        if isinstance(state.get("junction"), dict) or not left:
            return False
        if is_shown:
            return len(left) == 1 or bool(live.task_of(left[0]))
        return len(left) == 1 and left[0].get("session") == self.session

    def _approve(self, tx: Transaction, pending: Junction, why: str) -> str:
        target = (pending.get("payload") or {}).get("to")
        # Done is never suggested: only the quality gate leads there (MO-2, MO-3).
        if pending["type"] == "mode_transition" and target in MODES and target != "done":
            self._close(tx, "approve", why)
            return self._enter(tx, target)
        if not pending.get("fingerprint"):
            self._close(tx, "approve", why)
            return "Decided: approved."
        project = self.project
        grant = junction.allowance_for(
            pending, new_id=project.new_id(), now=project.clock(), by=self.by
        )
        self._give(tx, "allowances", grant)
        self._close(tx, "approve", why, grants=[grant["id"]])
        return f"Approved once: {pending['shown']}\n{_next(tx.state, pending)}"

    def _count_approval(self, tx: Transaction, pending: Junction) -> None:
        """Count the approval: several of the same type without progress are a loop (GE-5)."""
        try:
            work: Mapping[str, Any] = self.project.evidence.work()
        except EdgeError:
            work = {}  # an unreadable log counts as no progress; the decision is made anyway
        streak = gears.count_approval(tx.state, pending, gears.progress_mark(tx.state, work))
        if streak["count"] > 1:
            self._log(tx, "stuck", streak)

    def _choose(self, tx: Transaction, pending: Junction, words: str, why: str) -> str:
        """Yes to a proposal of the loop, or an answer to the agent's question."""
        kind, payload = pending["type"], pending.get("payload") or {}
        chosen: dict[str, Any] = {}
        gears.keep_answer(tx.state, pending, "approve")
        if kind in ("finding_selection", "proposal"):
            choices.require_no_work(tx.state)
            about = payload.get("proposal") or {}
            if kind == "finding_selection":
                about = choices.chosen_finding(pending, words)
            archive_service.archive_objective(self.project, tx, self.session)
            result = choices.adopt(tx.state, about)
            chosen["chosen"] = about.get("id")
        elif kind == "ambiguous":
            result = choices.record_answer(tx.state, pending, words, self.project.clock())
        else:
            result = plan_edits.EditResult(f"Approved: {pending['shown']}", {})
        tx.tell(result.events, session=self.session)
        self._close(tx, "approve", why, **chosen)
        is_new = kind in ("finding_selection", "proposal")
        return "\n".join(
            [result.text, "Plan it: edge plan add TEXT" if is_new else _next(tx.state)]
        )

    def _override(
        self, tx: Transaction, pending: Junction, words: str, why: str, *, every: bool
    ) -> str:
        names = [check["name"] for check in quality_service.failed_checks(pending)]
        if not words and not every:
            listed = ", ".join(f"{n} {name}" for n, name in enumerate(names, 1))
            raise UsageError(
                f"say which checks, or all: {listed}", hint=f"edge approve {_numbers(names)}"
            )
        try:
            chosen = overrides.named(words, names)
        except ValueError as error:
            listed = ", ".join(f"{n} {name}" for n, name in enumerate(names, 1)) or "none is listed"
            raise UsageError(
                f"{error} is not one of the failed checks: {listed}", hint="edge approve 1"
            ) from error
        grant: Grant = {
            "id": self.project.new_id(),
            "kind": "override",
            "mode": "full" if every else "check_specific",
            "approved_checks": chosen,
            "approved_at": self.project.clock().isoformat(),
            "session_id": pending.get("session", ""),
            "objective_hash": objective_hash(tx.state),
            "reason": why,
            "by": self.by,
        }
        self._give(tx, "overrides", grant)
        self._close(tx, "approve", grants=[grant["id"]], checks=chosen or names)
        self._log(
            tx,
            "override_set",
            {"override": grant["id"], "mode": grant["mode"], "checks": chosen or names, "why": why},
        )
        covered = ", ".join(chosen) if chosen else "every check"
        return f"Overridden for this session and objective: {covered}.\nThen: edge done"

    def skip(self, *, expected: str = "") -> str:
        """Answer no: such calls are denied in their session until the person's next prompt (JU-8)."""

        def change(tx: Transaction) -> str:
            pending = _pending(tx.state, expected)
            if choices.is_ours(pending):
                return self._refuse(tx, pending)
            if pending.get("fingerprint") and pending["type"] != "mode_transition":
                self._refuse_calls(tx, pending)
            self._close(tx, "skip")
            shown = pending.get("shown") or pending["reason"]
            return f"Skipped: {shown}\n{_next(tx.state, pending)}"

        return self.project.transact(change, command="skip")

    def _refuse_calls(self, tx: Transaction, pending: Junction) -> None:
        session = pending.get("session", "")
        try:
            turn: int | None = self.project.evidence.session(session)["turn"]
        except EdgeError:
            turn = None  # with an unreadable log, it holds for the session
        for each in pending.get("classes") or [pending["fingerprint"]]:
            tx.refuse(session, junction.refusal_of(each, turn))

    def _refuse(self, tx: Transaction, pending: Junction) -> str:
        """No to a proposal of the loop, or to the agent's question."""
        gears.keep_answer(tx.state, pending, "skip")
        result = choices.apply_refusal(tx.state, pending)
        tx.tell(result.events, session=self.session)
        self._close(tx, "skip")
        lines = [f"Skipped: {pending.get('shown') or pending['reason']}", result.text]
        return "\n".join([*filter(None, lines), _next(tx.state)])

    def never(self, *, expected: str = "") -> str:
        """Answer no for the whole session: such calls are denied in it, and nobody is asked again."""

        def change(tx: Transaction) -> str:
            asked = self._in_question(tx.state, expected)
            classes = asked.get("classes") or []
            if not classes or asked.get("source") != "gate":
                raise UsageError("never is an answer to a call of the agent", hint="edge skip")
            for each in classes:
                tx.refuse(asked.get("session", ""), junction.refusal_of(each, None))
            self._answer(tx, asked, "skip", scope="session")
            return f"Denied for this session: {_class_of(asked)}.\n{_next(tx.state, asked)}"

        return self.project.transact(change, command="never")

    def _in_question(self, state: State, expected: str = "") -> Junction:
        """What a scope is for: the pending junction, else what the client's dialog asked last."""
        if isinstance(state.get("junction"), dict):
            return _pending(state, expected)
        question = binding_store.last_question(self.project, self.session)
        if question is None or (expected and question["id"] != expected):
            return _pending(state)
        return question

    def _answer(self, tx: Transaction, asked: Junction, decision: str, **extra: Any) -> None:
        """Close the junction, or log the answer to what was asked in the client's dialog."""
        if isinstance(tx.state.get("junction"), dict):
            self._close(tx, decision, **extra)
            return
        data = {
            "junction": asked["id"],
            "type": asked["type"],
            "decision": decision,
            "rule": asked.get("rule", ""),
            "shown": asked.get("shown", ""),
            "by": self.by,
        }
        self._log(tx, "scope_given", data | extra)

    def preview_dismissal(self, scope: Scope | int, *, expected: str = "") -> tuple[str, str]:
        """Which calls a dismissal would allow, and the code that confirms it (JU-4, JU-6)."""
        scope = _scope(scope)
        minutes = scope.minutes
        pending = self._in_question(self.project.state.read(), expected)
        if scope.is_rule:
            _require_whole(pending)
        code = self.project.registry.issue_code(self._purpose(pending, scope), ttl=CODE_TTL_SECONDS)
        if scope.is_rule:
            rule = pending.get("rule", "")
            text = f"In this session every call of rule {rule} would pass without asking."
            return "\n".join([text, *self._recent(rule=rule)]), code
        bound_call.require_unchanged(self.project, pending)
        if not pending.get("classes"):
            text = f"For {minutes} minutes it would not be asked again. That approves nothing."
            return text, code
        lines = [
            (
                f"For {minutes} minutes every call of this class would pass without asking "
                f"({_class_of(pending)}): {pending.get('shown', '')}"
            )
        ]
        return "\n".join([*lines, *self._recent(pending.get("classes") or [])]), code

    def _recent(
        self, classes: Sequence[str] = (), *, rule: str = "", only: bool = False
    ) -> list[str]:
        """Which calls so far a dismissal would have allowed (JU-6)."""
        recent = self.project.log.recent_of(list(classes), MAX_RECENT_CALLS, rule=rule)
        if not recent:
            return []
        head = (
            "Calls of this rule so far; those that went there" if only else "Calls so far that it"
        )
        return [
            f"{head} would have {'been ' if only else ''}allowed:",
            *(f"  {each}" for each in dict.fromkeys(recent)),
        ]

    def rule_scope(
        self,
        minutes: int,
        *,
        rule: str = "",
        is_here: bool = False,
        remote: str = "",
        folder: str = "",
    ) -> RuleScope:
        """A rule for a time, by default that of what is asked; ``is_here``: only where that call goes.

        ``remote``: only what is pushed to the address that it has now. ``folder``: only what stays in it.
        """
        _minutes(minutes)
        root = self.project.root
        asked: Mapping[str, Any] = {}
        if not rule or is_here:
            asked = self._in_question(self.project.state.read())
            rule = rule or str(asked.get("rule", ""))
            if asked.get("source") != "gate":
                raise UsageError("this question is of no rule of the gate", hint="edge approve")
        _require_rule(root, rule)
        if remote:
            return scopes.RuleScope(rule, minutes, (_address(root, remote),))
        if folder:
            return scopes.RuleScope(
                rule, minutes, folder=os.path.realpath(os.path.join(root, folder))
            )
        if not is_here:
            return scopes.RuleScope(rule, minutes)
        found = scopes.at_target(rule, minutes, bound.of_data(asked.get("binding")))
        if found is None:
            raise UsageError("where this call goes is not known", hint=f"edge dismiss {minutes}")
        return found

    def preview_rule(self, scope: RuleScope) -> tuple[str, str]:
        """Which calls a dismissal of a rule would allow, and the code that confirms it."""
        code = self.project.registry.issue_code(self._rule_purpose(scope), ttl=CODE_TTL_SECONDS)
        what = f"every call of rule {scope.rule} would pass without asking: {scope.where}"
        text = f"For {scope.minutes} minutes {what}."
        return "\n".join([text, *self._recent(rule=scope.rule, only=bool(scope.only))]), code

    def _rule_purpose(self, scope: RuleScope) -> str:
        return f"dismiss:{self.session}:{scope.rule}:{scope.minutes}:{scope.where}"

    def dismiss_rule(self, scope: RuleScope, code: str) -> str:
        """Let a rule's calls pass for a time, in every session; the code is from ``preview_rule``."""
        if not self.project.registry.redeem_code(self._rule_purpose(scope), code):
            raise AnswerIsNo(
                "that code is not valid for this dismissal",
                hint=f"edge dismiss {scope.minutes} --rule {scope.rule}   (shows a new code)",
            )

        def change(tx: Transaction) -> str:
            now = self.project.clock()
            grant = junction.rule_dismissal(
                scope, new_id=self.project.new_id(), now=now, by=self.by
            )
            self._give(tx, "dismissals", grant)
            about: dict[str, Any] = {
                "grants": [grant["id"]],
                "minutes": scope.minutes,
                "scope": scope.where,
            }
            pending = tx.state.get("junction")
            if isinstance(pending, dict) and _is_covered(pending, grant):
                self._close(tx, "dismiss", **about)
            else:
                decided = {"decision": "dismiss", "rule": scope.rule, "by": self.by}
                self._log(tx, "scope_given", decided | about)
            what = f"rule {scope.rule}, {scope.where}"
            return f"Not asked again for {scope.minutes} minutes: {what}.\n{_next(tx.state)}"

        return self.project.transact(change, command="dismiss")

    def _purpose(self, asked: Junction, scope: Scope) -> str:
        return f"dismiss:{self.session}:{asked['id']}:{scope.word}:{scope.minutes}"

    def dismiss(self, scope: Scope | int, code: str) -> str:
        """Allow such calls without asking: a class for some minutes, or a rule in the session.

        ``code`` is the single-use code from ``preview_dismissal`` for the same question.
        """
        scope = _scope(scope)
        minutes = scope.minutes
        asked = self._in_question(self.project.state.read())
        if not self.project.registry.redeem_code(self._purpose(asked, scope), code):
            word = scope.word if scope.is_rule else f"dismiss {minutes}"
            raise AnswerIsNo(
                "that code is not valid for this dismissal",
                hint=f"edge {word}   (shows a new code)",
            )

        def change(tx: Transaction) -> str:
            pending = self._in_question(tx.state)
            if pending["id"] != asked["id"]:
                raise AnswerIsNo("another decision is pending now", hint="edge status")
            if scope.is_rule:
                return self._dismiss_rule(tx, pending, minutes)
            classes = pending.get("classes") or []
            grants = junction.dismissals_for(
                pending,
                new_ids=[self.project.new_id() for _ in classes],
                now=self.project.clock(),
                minutes=minutes,
                by=self.by,
            )
            for grant in grants:
                self._give(tx, "dismissals", grant)
            if choices.is_ours(pending):
                until = self.project.clock() + timedelta(minutes=minutes)
                gears.keep_answer(tx.state, pending, "dismiss", until=until)
            self._answer(tx, pending, "dismiss", grants=[g["id"] for g in grants], minutes=minutes)
            what = pending.get("rule") or pending["type"]
            if not grants:
                return f"Silenced: {what}. It approves nothing."
            where = "; ".join(dict.fromkeys(filter(None, (g.get("target") for g in grants))))
            what = f"{what}, {where}" if where else what
            return f"Not asked again for {minutes} minutes: {what}.\n{_next(tx.state)}"

        return self.project.transact(change, command="dismiss")

    def _dismiss_rule(self, tx: Transaction, pending: Junction, minutes: int) -> str:
        _require_whole(pending)
        grant = junction.rule_dismissal(
            scopes.RuleScope(str(pending.get("rule", "")), minutes),
            new_id=self.project.new_id(),
            now=self.project.clock(),
            by=self.by,
            session=str(pending.get("session", "")),
        )
        self._give(tx, "dismissals", grant)
        self._answer(tx, pending, "dismiss", grants=[grant["id"]], scope="session")
        return f"Not asked again in this session: rule {grant['rule']}.\n{_next(tx.state)}"

    def revoke(self, words: str) -> str:
        """End one live grant at once, identified by its number in ``edge grants`` or its id."""

        def change(tx: Transaction) -> str:
            grant = _chosen(live_grants(self.project, tx.state), words)
            tx.revoke(grant["id"])
            for key in _GRANT_KEYS:
                kept = [g for g in tx.state.get(key) or [] if g.get("id") != grant["id"]]
                if kept != (tx.state.get(key) or []):
                    tx.state[key] = kept
            self._log(tx, "grant_revoked", {"grant": grant["id"], "kind": grant["kind"]})
            return f"Revoked: {grant['kind']} {grant.get('rule') or grant.get('mode', '')}"

        return self.project.transact(change, command="revoke")

    # -- modes -----------------------------------------------------------------------------------

    def set_mode(self, target: Mode, objective: str | None = None) -> str:
        """Change the mode. Done runs the quality gate first, and raises a junction if it fails.

        Raises AnswerIsNo with every failed check, and DecisionPending if another decision is pending.
        """
        if objective and target not in _BEGINNING_MODES:
            raise UsageError(
                f"{target} takes no words: it applies to the current objective",
                hint=f"edge {target}",
            )
        if target == "done":
            return self._finish()
        if target == "review":
            act = self._review
            return quality_service.with_gate(self.project, self.session, act, command="mode review")

        def change(tx: Transaction) -> str:
            lines = []
            if objective:
                result = archive_service.replace_objective(
                    self.project, tx, self.session, objective, is_new_work=True
                )
                # The mode command shows the objective anyway, with the plan below it.
                lines = [*result.text.splitlines()[:-1], *result.remarks]
            return "\n".join([*lines, self._enter(tx, target)])

        return self.project.transact(change, command=f"mode {target}")

    def _enter(self, tx: Transaction, target: Mode) -> str:
        why = modes.refusal(tx.state, target)
        if why:
            raise AnswerIsNo(why, hint=_into_active(tx.state))
        before = modes.current(tx.state)
        # A question about done is answered only by done.
        types = ("mode_transition", "quality_gate") if target == "done" else ("mode_transition",)
        quality_service.close_junction(
            self.project, tx, types, session=self.session, decision="withdrawn"
        )
        if closing.closed_objective(
            tx.state
        ).is_replaced:  # replaced in the file, while the previous one was done
            archive_service.archive_objective(self.project, tx, self.session)
        closing.unmark(tx.state)
        if target == "done":
            closing.mark(tx.state, [str(each) for each in self.project.evidence.work()["sessions"]])
        tx.state["mode"] = target
        self._log(tx, "mode_changed", {"from": before, "to": target})
        return f"Mode is now {target}."

    def _review(self, tx: Transaction, gate: Gate) -> str:
        return "\n".join([self._enter(tx, "review"), *quality_service.lines(gate)])

    def _finish(self) -> str:
        def act(tx: Transaction, gate: Gate) -> tuple[str, int]:
            why = modes.refusal(tx.state, "done")
            if why:
                raise AnswerIsNo(why, hint=_into_active(tx.state))
            quality_service.drop_lapsed(self.project, tx, self.session)
            quality_service.log_run(tx, gate, self.session, why="done")
            report = quality_service.lines(gate)
            if gate.errors:
                quality_service.raise_junction(self.project, tx, gate, self.session)
                return "\n".join(report), len(gate.errors)
            for grant in gate.overrides:
                checks = [c.name for c in gate.covered if overrides.covers(grant, c.name)]
                if checks:
                    self._log(tx, "override_used", {"override": grant["id"], "checks": checks})
            from operators_edge.quality import basis_service  # noqa: PLC0415 - once for an objective

            tx.archive(basis_service.entry(self.project, tx.state, gate))
            return "\n".join([self._enter(tx, "done"), *report]), 0

        text, failed = quality_service.with_gate(
            self.project, self.session, act, command="mode done"
        )
        if failed:
            numbers = "1" if failed == 1 else "1,2"
            raise AnswerIsNo(
                text, hint=f"edge done again; or a person: edge approve {numbers} --why REASON"
            )
        return text

    # -- what every decision writes --------------------------------------------------------------

    def _give(self, tx: Transaction, key: str, grant: Grant) -> None:
        """Sign a grant, and put it into registry and state."""
        grant = signed(self.project.root, grant)
        tx.grant(grant)
        tx.state[key] = [*(tx.state.get(key) or []), grant]

    def _close(self, tx: Transaction, decision: str, why: str = "", **extra: Any) -> None:
        closed = junction.close(tx.state, decision=decision, now=self.project.clock(), by=self.by)
        data = {
            "junction": closed["id"],
            "type": closed["type"],
            "decision": decision,
            "rule": closed.get("rule", ""),
            "shown": closed.get("shown", ""),
            "by": self.by,
            **({"why": why} if why else {}),
            **extra,
        }
        self._log(tx, "junction_decided", data)

    def _log(self, tx: Transaction, event: str, data: dict[str, Any]) -> None:
        tx.log(event, data, session=self.session)


def person_name() -> str:
    """The user who decides, for the log."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "a person"


def live_grants(project: Project, state: State) -> list[Grant]:
    """Every grant that counts now, each with its ``kind``: what ``edge grants`` lists."""
    return classify_grants(project, state)[0]


def classify_grants(project: Project, state: State) -> tuple[list[Grant], list[str]]:
    """The grants that count now; and why other unused ones do not, each reason once."""
    counting: list[Grant] = []
    reasons: dict[str, None] = {}
    for grant in junction.open_grants(state, project.clock(), *_GRANT_KEYS):
        reason = project.refusal_reason(grant)
        if reason:
            reasons[reason] = None
        else:
            counting.append(grant)
    return counting, list(reasons)


def _pending(state: State, expected: str = "") -> Junction:
    """The pending junction; with ``expected`` only that one."""
    pending: Junction | None = state.get("junction")
    if not isinstance(pending, dict):
        is_left = junction.left_questions(state)
        raise AnswerIsNo(
            "nothing is pending but what ended sessions left open"
            if is_left
            else "nothing is pending",
            hint="edge approve --left 1" if is_left else "edge status",
        )
    if expected and pending["id"] != expected:
        raise AnswerIsNo("another decision is pending now", hint="edge status")
    return pending


def _numbers(names: list[str]) -> str:
    return "1" if len(names) == 1 else "1,2"


def _class_of(pending: Junction) -> str:
    """What the calls have in common that a dismissal of this junction covers."""
    subject = pending.get("subject")
    parts = subject.items() if isinstance(subject, dict) else ()
    named = [f"{name} {value}" for name, value in parts if value]
    where = bound.target_text(bound.of_data(pending.get("binding")))
    target = [where] if where else []
    return "; ".join([str(pending.get("rule") or pending["type"]), *named, *target])


def _require_rule(root: str, name: str) -> None:
    """A rule that exists, asks, and may be let through as a whole."""
    rule = approvals_service.known_rule(root, name)
    if rule["effect"] == "block":
        raise UsageError(
            f"rule {name} blocks outright; no dismissal lets it pass", hint="edge rules"
        )
    if not scopes.can_be_whole(name):
        raise UsageError(f"{name} cannot be let through as a whole", hint="edge approve")


def _address(root: str, remote: str) -> str:
    """Where git pushes for a remote: what a call is compared with, and not its name."""
    found = repositories.push_address(root, remote)
    if not found:
        raise UsageError(f"there is no remote {remote} here", hint="git remote -v")
    return found


def _is_covered(pending: Mapping[str, Any], grant: Grant) -> bool:
    """Whether a dismissal of a rule answers the pending question: nothing else is asked in it."""
    if pending.get("rule") != grant["rule"] or len(pending.get("classes") or ()) != 1:
        return False
    only = grant.get("only") or {}
    here = scopes.at_target(grant["rule"], 1, bound.of_data(pending.get("binding")))
    return not only or (here is not None and here.only == only)


def _require_whole(asked: Junction) -> None:
    rule = asked.get("rule", "")
    if asked.get("source") != "gate" or not scopes.can_be_whole(rule):
        raise UsageError(
            f"{rule or asked['type']} cannot be let through as a whole", hint="edge approve"
        )


def _scope(scope: Scope | int) -> Scope:
    scope = scopes.Scope(scope) if isinstance(scope, int) else scope
    _minutes(scope.minutes)
    return scope


def _minutes(minutes: int) -> int:
    if not 1 <= minutes <= junction.MAX_DISMISSAL_MINUTES:
        raise UsageError(
            f"a dismissal lasts 1 to {junction.MAX_DISMISSAL_MINUTES} minutes, not {minutes}",
            hint="edge dismiss 60",
        )
    return minutes


def _chosen(grants: list[Grant], words: str) -> Grant:
    word = words.strip()
    if word.isascii() and word.isdigit() and 1 <= int(word) <= len(grants):
        return grants[int(word) - 1]
    matching = [grant for grant in grants if word and str(grant["id"]).startswith(word)]
    if len(matching) == 1:
        return matching[0]
    raise UsageError(
        f"{word or 'nothing'} names {len(matching)} live grants, not one", hint="edge grants"
    )


def _next(state: State, asked: Junction | None = None) -> str:
    """What happens after an answer."""
    if asked is not None and (task := live.task_of(asked)):
        return f"Task {task} takes it up with `edge bridge watch`."
    plan = state.get("plan") or []
    number = schema.current_step(state)
    if 1 <= number <= len(plan):
        return f"Next: step {number}, {plan[number - 1].get('description', '')}"
    return "The agent continues with the next prompt."


def _into_active(state: State) -> str:
    """The command that begins work; an existing objective need not be repeated."""
    is_open = state.get("objective") and modes.current(state) != "done"
    return "edge active" if is_open else 'edge active "the objective"'


# end of module
