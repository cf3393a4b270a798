"""Letting calls pass without asking: a class for some minutes, a rule in the session or for a time.

Owns what is shown before it, the code that confirms it, and what it writes. Does not own what a dismissal
covers (``approvals.junction``, ``approvals.scopes``) or who counts as a person (``cli.person``, ``hosts``).
"""

from __future__ import annotations

import os

from operators_edge.approvals import junction, learnt, scopes, service as approvals_service
from operators_edge.approvals.binding import bound, repositories
from operators_edge.datetimes import timedelta
from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.loop import choices, gears
from operators_edge.sessions import bound_call
from operators_edge.sessions.decision_writer import class_of, next_line
from operators_edge.storage.keys import is_genuine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from operators_edge.approvals.scopes import RuleScope, Scope
    from operators_edge.records import Grant, Junction
    from operators_edge.sessions.decision_writer import DecisionWriter
    from operators_edge.state.transaction import Transaction

CODE_TTL_SECONDS = 300
MAX_RECENT_CALLS = 8


class Dismissals:
    """Dismissals by one person about one project."""

    def __init__(self, writer: DecisionWriter) -> None:
        self.writer = writer
        self.project = writer.project

    def preview(self, scope: Scope | int, *, expected: str = "") -> tuple[str, str]:
        """Which calls a dismissal would allow, and the code that confirms it (JU-4, JU-6)."""
        scope = _scope(scope)
        minutes = scope.minutes
        pending = self.writer.in_question(self.project.state.read(), expected)
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
                f"({class_of(pending)}): {pending.get('shown', '')}"
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
            asked = self.writer.in_question(self.project.state.read())
            rule = rule or str(asked.get("rule", ""))
            if asked.get("source") != "gate":
                raise UsageError(
                    "this question does not come from a rule of the gate", hint="edge approve"
                )
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

    def offered(self, minutes: int, *, expected: str = "") -> RuleScope:
        """The scope that the question offers, learnt from approvals (``approvals.learnt``)."""
        _minutes(minutes)
        asked = self.writer.in_question(self.project.state.read(), expected)
        offer = asked.get("offer")
        if not isinstance(offer, dict) or not is_genuine(self.project.root, offer):
            raise UsageError("this question offers no scope", hint="edge approve")
        if minutes > learnt.MINUTES:
            raise UsageError(
                f"what was learnt from approvals holds for {learnt.MINUTES} minutes at most",
                hint=f"edge dismiss {learnt.MINUTES} --offered",
            )
        return scopes.of_offer(offer, minutes)

    def preview_rule(self, scope: RuleScope) -> tuple[str, str]:
        """Which calls a dismissal of a rule would allow, and the code that confirms it."""
        code = self.project.registry.issue_code(self._rule_purpose(scope), ttl=CODE_TTL_SECONDS)
        every = "calls" if scope.like is not None else "every call"
        what = f"{every} of rule {scope.rule} would pass without asking: {scope.where}"
        text = f"For {scope.minutes} minutes {what}."
        return "\n".join([text, *self._recent(rule=scope.rule, only=bool(scope.only))]), code

    def _rule_purpose(self, scope: RuleScope) -> str:
        return f"dismiss:{self.writer.session}:{scope.rule}:{scope.minutes}:{scope.where}"

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
                scope, new_id=self.project.new_id(), now=now, by=self.writer.by
            )
            self.writer.give(tx, "dismissals", grant)
            about: dict[str, Any] = {
                "grants": [grant["id"]],
                "minutes": scope.minutes,
                "scope": scope.where,
            }
            pending = tx.state.get("junction")
            if isinstance(pending, dict) and _is_covered(pending, grant):
                self.writer.close(tx, "dismiss", **about)
            else:
                decided = {"decision": "dismiss", "rule": scope.rule, "by": self.writer.by}
                self.writer.log(tx, "scope_given", decided | about)
            what = f"rule {scope.rule}, {scope.where}"
            return f"Not asked again for {scope.minutes} minutes: {what}.\n{next_line(tx.state)}"

        return self.project.transact(change, command="dismiss")

    def _purpose(self, asked: Junction, scope: Scope) -> str:
        return f"dismiss:{self.writer.session}:{asked['id']}:{scope.word}:{scope.minutes}"

    def dismiss(self, scope: Scope | int, code: str, *, why: str = "") -> str:
        """Allow such calls without asking: a class for some minutes, or a rule in the session.

        ``code`` is the single-use code from ``preview`` for the same question.
        """
        scope = _scope(scope)
        minutes = scope.minutes
        asked = self.writer.in_question(self.project.state.read())
        if not self.project.registry.redeem_code(self._purpose(asked, scope), code):
            word = scope.word if scope.is_rule else f"dismiss {minutes}"
            raise AnswerIsNo(
                "that code is not valid for this dismissal",
                hint=f"edge {word}   (shows a new code)",
            )

        def change(tx: Transaction) -> str:
            pending = self.writer.in_question(tx.state)
            if pending["id"] != asked["id"]:
                raise AnswerIsNo("another decision is pending now", hint="edge status")
            if scope.is_rule:
                return self._dismiss_rule(tx, pending, minutes, why)
            classes = pending.get("classes") or []
            grants = junction.dismissals_for(
                pending,
                new_ids=[self.project.new_id() for _ in classes],
                now=self.project.clock(),
                minutes=minutes,
                by=self.writer.by,
            )
            for grant in grants:
                self.writer.give(tx, "dismissals", grant)
            if choices.is_ours(pending):
                until = self.project.clock() + timedelta(minutes=minutes)
                gears.keep_answer(tx.state, pending, "dismiss", until=until)
            self.writer.answer(
                tx, pending, "dismiss", why, grants=[g["id"] for g in grants], minutes=minutes
            )
            what = pending.get("rule") or pending["type"]
            if not grants:
                return f"Silenced: {what}. It approves nothing."
            where = "; ".join(dict.fromkeys(filter(None, (g.get("target") for g in grants))))
            what = f"{what}, {where}" if where else what
            return f"Not asked again for {minutes} minutes: {what}.\n{next_line(tx.state)}"

        return self.project.transact(change, command="dismiss")

    def _dismiss_rule(self, tx: Transaction, pending: Junction, minutes: int, why: str) -> str:
        _require_whole(pending)
        grant = junction.rule_dismissal(
            scopes.RuleScope(str(pending.get("rule", "")), minutes),
            new_id=self.project.new_id(),
            now=self.project.clock(),
            by=self.writer.by,
            session=str(pending.get("session", "")),
        )
        self.writer.give(tx, "dismissals", grant)
        self.writer.answer(tx, pending, "dismiss", why, grants=[grant["id"]], scope="session")
        return f"Not asked again in this session: rule {grant['rule']}.\n{next_line(tx.state)}"


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
    if "like" in only:
        return bool((pending.get("offer") or {}).get("only") == only)
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


# end of module
