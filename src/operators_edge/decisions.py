"""What a person decides: approve, skip, dismiss, revoke; and the change of mode.

Owns the order of writing: the ledger first, then the state's view of it, then the log. Does not own
who counts as a person (``person``) or how the answer is shown (``cli``, ``hosts``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.core import junction, modes, quality, schema
from operators_edge.errors import AnswerIsNo, DecisionPending, UsageError
from operators_edge.store.keys import signed

if TYPE_CHECKING:
    from operators_edge.model import Mode, State
    from operators_edge.project import Project

CODE_TTL_SECONDS = 300
RECENT_SHOWN = 8


class Decisions:
    """Decisions of one person about one project. ``by`` names person and channel, for the record."""

    def __init__(self, project: Project, *, session: str, by: str) -> None:
        self.project = project
        self.session = session
        self.by = by

    def approve(self, words: str = "") -> str:
        """Answer the pending junction with yes; returns what to tell the person."""
        return self.project.state.transact(
            lambda state: self._approve(state, words), command="approve"
        )

    def _approve(self, state: State, words: str) -> str:
        pending = _pending(state)
        if pending["type"] == "quality_gate":
            return self._override(state, pending, words)
        if words.strip():
            raise UsageError(
                f"approve takes no words for a junction of type {pending['type']}",
                hint="edge approve",
            )
        now = self.project.clock()
        if pending["type"] == "mode_transition":
            state["mode"] = pending["payload"]["to"]
            self._closed(state, "approve")
            return f"Mode is now {state['mode']}."
        if not pending.get("fingerprint"):
            self._closed(state, "approve")
            return "Decided: approved."
        grant = signed(
            self.project.root,
            junction.allowance_for(pending, new_id=self.project.new_id(), now=now, by=self.by),
        )
        self.project.ledger.record_grant(grant)
        state["allowances"] = [*(state.get("allowances") or []), grant]
        self._closed(state, "approve", grants=[grant["id"]])
        return f"Approved once: {pending['shown']}\n{_next(state)}"

    def _override(self, state: State, pending: dict[str, Any], words: str) -> str:
        names = [check["name"] for check in pending["payload"]["failed_checks"]]
        try:
            chosen = quality.named(words, names)
        except ValueError as error:
            listed = ", ".join(f"{n} {name}" for n, name in enumerate(names, 1))
            raise UsageError(
                f"{error} is none of the failed checks: {listed}", hint="edge approve 1"
            ) from error
        grant = signed(
            self.project.root,
            {
                "id": self.project.new_id(),
                "kind": "override",
                "mode": "check_specific" if chosen else "full",
                "approved_checks": chosen,
                "approved_at": self.project.clock().isoformat(),
                "session_id": pending.get("session", ""),
                "objective_hash": quality.objective_hash(state),
                "reason": "approved by a person",
                "by": self.by,
            },
        )
        self.project.ledger.record_grant(grant)
        state["overrides"] = [*(state.get("overrides") or []), grant]
        self._closed(state, "approve", grants=[grant["id"]], checks=chosen or names)
        covered = ", ".join(chosen) if chosen else "all checks"
        return f"Overridden for this session and objective: {covered}.\nThen: edge done"

    def skip(self) -> str:
        """Answer no: exactly this call stays denied for its session, without asking again."""

        def change(state: State) -> str:
            pending = _pending(state)
            if pending.get("fingerprint"):
                self.project.ledger.refuse(pending.get("session", ""), pending["fingerprint"])
            self._closed(state, "skip")
            return f"Skipped: {pending.get('shown') or pending['reason']}\n{_next(state)}"

        return self.project.state.transact(change, command="skip")

    def preview_dismissal(self, minutes: int) -> tuple[str, str]:
        """What a dismissal would let through, and the code that confirms it (JU-4, JU-6)."""
        pending = _pending(self.project.state.read())
        minutes = _minutes(minutes)
        code = self.project.ledger.issue_code(
            f"dismiss:{self.session}:{pending['id']}:{minutes}", ttl=CODE_TTL_SECONDS
        )
        recent = self.project.log.recent_of(pending.get("classes") or [], RECENT_SHOWN)
        lines = [
            (
                f"For {minutes} minutes every call of this class would pass without asking "
                f"({_class_of(pending)}): {pending.get('shown', '')}"
            )
        ]
        if recent:
            lines.append("Of the calls so far it would have let through:")
            lines += [f"  {each}" for each in recent]
        return "\n".join(lines), code

    def dismiss(self, minutes: int, code: str) -> str:
        """Stop asking for this class of calls until the time is over.

        ``code`` is the single-use one that ``preview_dismissal`` gave for the same junction.
        """
        minutes = _minutes(minutes)
        confirmed = _pending(self.project.state.read())["id"]
        purpose = f"dismiss:{self.session}:{confirmed}:{minutes}"
        if not self.project.ledger.redeem_code(purpose, code):
            raise AnswerIsNo(
                "that code is not valid for this dismissal",
                hint=f"dismiss {minutes}   (shows a new code)",
            )

        def change(state: State) -> str:
            pending = _pending(state)
            if pending["id"] != confirmed:
                raise AnswerIsNo("another decision is pending now", hint="edge status")
            classes = pending.get("classes") or []
            grants = [
                signed(self.project.root, grant)
                for grant in junction.dismissals_for(
                    pending,
                    new_ids=[self.project.new_id() for _ in classes],
                    now=self.project.clock(),
                    minutes=minutes,
                    by=self.by,
                )
            ]
            for grant in grants:
                self.project.ledger.record_grant(grant)
            state["dismissals"] = [*(state.get("dismissals") or []), *grants]
            self._closed(state, "dismiss", grants=[g["id"] for g in grants], minutes=minutes)
            what = pending.get("rule") or pending["type"]
            if not grants:
                return f"Silenced: {what}. It approves nothing."
            return f"Not asked again for {minutes} minutes: {what}.\n{_next(state)}"

        return self.project.state.transact(change, command="dismiss")

    def revoke(self, words: str) -> str:
        """End one live grant at once, named by its number in ``edge grants`` or its id."""

        def change(state: State) -> str:
            grants = live_grants(self.project, state)
            grant = _chosen(grants, words)
            self.project.ledger.revoke(grant["id"])
            for key in ("allowances", "dismissals", "overrides"):
                state[key] = [g for g in state.get(key) or [] if g.get("id") != grant["id"]]
            self._log("grant_revoked", {"grant": grant["id"], "kind": grant["kind"]})
            return f"Revoked: {grant['kind']} {grant.get('rule') or grant.get('mode', '')}"

        return self.project.state.transact(change, command="revoke")

    # -- modes -----------------------------------------------------------------------------------

    def set_mode(self, target: Mode, objective: str | None = None) -> str:
        """Change the mode; done asks the quality gate first and raises a junction when it fails."""
        observed = self.project.log.observations(self.session)

        def change(state: State) -> tuple[str, bool]:
            why = modes.refusal(state, target, objective=objective)
            if why:
                raise AnswerIsNo(why, hint='edge active "the objective"')
            if target == "done":
                failed = self._failed_checks(state, observed)
                if failed:
                    return self._raise_quality_gate(state, failed), False
            before = modes.current(state)
            if objective:
                state["objective"] = objective
            state["mode"] = target
            self._log("mode_changed", {"from": before, "to": target})
            return "\n".join(
                [f"Mode is now {target}.", *self._remarks(state, target, observed)]
            ), True

        text, is_ok = self.project.state.transact(change, command=f"mode {target}")
        if not is_ok:
            raise AnswerIsNo(text, hint="edge approve 1,2   (overrides by number; a person's word)")
        return text

    @staticmethod
    def _remarks(state: State, target: Mode, observed: dict[str, Any]) -> list[str]:
        """What fails nothing, and is worth knowing where work is handed over."""
        if target not in ("review", "done"):
            return []
        checks = quality.failures(state, observed)
        return [f"warning: {each.text}" for each in checks if each.severity == "warning"]

    def _failed_checks(self, state: State, observed: dict[str, Any]) -> tuple[quality.Check, ...]:
        failed = quality.failures(state, observed)
        for override in live_grants(self.project, state):
            if (
                override["kind"] == "override"
                and override.get("session_id") == self.session
                and override.get("objective_hash") == quality.objective_hash(state)
            ):
                failed = quality.remaining(failed, override)
        return tuple(check for check in failed if check.severity == "error")

    def _raise_quality_gate(self, state: State, failed: tuple[quality.Check, ...]) -> str:
        pending = state.get("junction")
        lines = [f"  [{n}] {check.name}: {check.text}" for n, check in enumerate(failed, 1)]
        text = "The quality gate says no:\n" + "\n".join(lines)
        if pending and pending["type"] not in (*junction.DISPLACEABLE, "quality_gate"):
            raise DecisionPending(
                f"{text}\nAnother decision is pending first: {pending.get('shown', '')}",
                hint="edge status",
            )
        if pending:
            junction.close(state, decision="displaced", now=self.project.clock(), by="gate")
        state["junction"] = {
            "id": self.project.new_id(),
            "type": "quality_gate",
            "reason": f"{len(failed)} checks failed",
            "created_at": self.project.clock().isoformat(),
            "fingerprint": "",
            "classes": [],
            "session": self.session,
            "shown": "edge done: " + ", ".join(check.name for check in failed),
            "payload": {
                "failed_checks": [{"name": check.name, "text": check.text} for check in failed]
            },
            "source": "quality_gate",
        }
        self._log("junction_raised", {"type": "quality_gate", "junction": state["junction"]["id"]})
        return text

    # -- record ----------------------------------------------------------------------------------

    def _closed(self, state: State, decision: str, **extra: Any) -> None:
        closed = junction.close(state, decision=decision, now=self.project.clock(), by=self.by)
        data = {
            "junction": closed["id"],
            "type": closed["type"],
            "decision": decision,
            "rule": closed.get("rule", ""),
            "shown": closed.get("shown", ""),
            "by": self.by,
            **extra,
        }
        self._log("junction_decided", data)

    def _log(self, event: str, data: dict[str, Any]) -> None:
        self.project.log.append({"event": event, "session": self.session, "data": data})


def person_name() -> str:
    """The user who decides, for the record."""
    import getpass  # noqa: PLC0415 - for decisions only

    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "a person"


def live_grants(project: Project, state: State) -> list[dict[str, Any]]:
    """Every grant that counts now, each with its ``kind``: what ``edge grants`` lists."""
    now = project.clock()
    listed: list[dict[str, Any]] = []
    for key in ("allowances", "dismissals", "overrides"):
        for grant in state.get(key) or []:
            is_open = isinstance(grant, dict) and junction.is_open(grant, now)
            if is_open and not project.why_not(grant):
                listed.append(grant)
    return listed


def _pending(state: State) -> dict[str, Any]:
    pending = state.get("junction")
    if not isinstance(pending, dict):
        raise AnswerIsNo("nothing is pending", hint="edge status")
    return pending


def _class_of(pending: dict[str, Any]) -> str:
    """What calls have in common that a dismissal of this junction covers."""
    subject = pending.get("subject")
    parts = subject.items() if isinstance(subject, dict) else ()
    named = [f"{name} {value}" for name, value in parts if value]
    return "; ".join([str(pending.get("rule") or pending["type"]), *named])


def _minutes(minutes: int) -> int:
    if not 1 <= minutes <= junction.MAX_DISMISSAL_MINUTES:
        raise UsageError(
            f"a dismissal lasts 1 to {junction.MAX_DISMISSAL_MINUTES} minutes, not {minutes}",
            hint="edge dismiss 60",
        )
    return minutes


def _chosen(grants: list[dict[str, Any]], words: str) -> dict[str, Any]:
    word = words.strip()
    if word.isascii() and word.isdigit() and 1 <= int(word) <= len(grants):
        return grants[int(word) - 1]
    matching = [grant for grant in grants if word and str(grant["id"]).startswith(word)]
    if len(matching) == 1:
        return matching[0]
    raise UsageError(
        f"{word or 'nothing'} names {len(matching)} live grants, not one", hint="edge grants"
    )


def _next(state: State) -> str:
    plan = state.get("plan") or []
    number = schema.current_step(state)
    if 1 <= number <= len(plan):
        return f"Next: step {number}, {plan[number - 1].get('description', '')}"
    return "The agent goes on with the next prompt."
