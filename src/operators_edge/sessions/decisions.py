"""What a person decides: approve, skip, never, revoke; and dismiss, by ``dismissals``.

Owns what each decision changes in registry, state and log, in one transaction. Does not own who counts as
a person (``cli.person``, ``hosts``), the quality gate (``quality.service``) or how the answer is shown
(``cli``, ``hosts``).
"""

from __future__ import annotations

import getpass

from operators_edge.approvals import junction
from operators_edge.archive import service as archive_service
from operators_edge.errors import AnswerIsNo, EdgeError, UsageError
from operators_edge.evidence import overrides
from operators_edge.evidence.plan_events import objective_hash
from operators_edge.loop import choices, gears
from operators_edge.model import MODES
from operators_edge.plan import edits as plan_edits
from operators_edge.quality import service as quality_service
from operators_edge.sessions import bound_call, grants, live, mode_change
from operators_edge.sessions.decision_writer import (
    REASON_LIMIT,
    DecisionWriter,
    class_of,
    next_line,
    pending_question,
)
from operators_edge.sessions.dismissals import Dismissals
from operators_edge.text.wording import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from operators_edge.model import State
    from operators_edge.project import Project
    from operators_edge.records import Grant, Junction
    from operators_edge.state.transaction import Transaction


class Decisions:
    """Decisions of one person about one project. ``by`` names person and channel, for the log."""

    def __init__(self, project: Project, *, session: str, by: str) -> None:
        self.project = project
        self.session = session
        self.by = by
        self.writer = DecisionWriter(project, session=session, by=by)
        self.dismissals = Dismissals(self.writer)

    def approve(self, words: str = "", *, why: str = "", expected: str = "") -> str:
        """Answer the pending junction with yes; returns the message for the person.

        ``words`` are numbers or names of failed checks, a finding's number, an option or the answer itself;
        after "because" follows the reason. ``expected`` is the junction that the person has read, if known.
        """
        checks, reason = overrides.parse_typed(words)
        every = checks.lower() == "all"
        why = one_line(why or reason, REASON_LIMIT)
        state = self.project.state.read()
        asked = pending_question(state, expected)
        bound_call.require_unchanged(self.project, asked)
        if asked["type"] in ("finding_selection", "proposal") and choices.is_ours(asked):
            self._require_gate(state)

        def change(tx: Transaction) -> str:
            pending = pending_question(tx.state, expected)
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

    def _require_gate(self, state: State) -> None:
        """Another objective archives this one: what the gate finds in it is not passed by that."""
        if not state.get("plan"):
            return
        choices.require_no_work(state)
        gate = quality_service.gate_of(self.project, state, self.session)
        if gate.errors:
            names = ", ".join(each.name for each in gate.errors)
            raise AnswerIsNo(
                f"the quality gate does not let the current objective be archived: {names}",
                hint="edge done   (shows what fails, and how to let it pass)",
            )

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
            self.writer.close(tx, "approve", why)
            return mode_change.enter(self.project, tx, self.session, target)
        if not pending.get("fingerprint"):
            self.writer.close(tx, "approve", why)
            return "Decided: approved."
        project = self.project
        grant = junction.allowance_for(
            pending, new_id=project.new_id(), now=project.clock(), by=self.by
        )
        self.writer.give(tx, "allowances", grant)
        self.writer.close(tx, "approve", why, grants=[grant["id"]])
        return f"Approved once: {pending['shown']}\n{next_line(tx.state, pending)}"

    def _count_approval(self, tx: Transaction, pending: Junction) -> None:
        """Count the approval: several of the same type without progress are a loop (GE-5)."""
        try:
            work: Mapping[str, Any] = self.project.evidence.work()
        except EdgeError:
            work = {}  # an unreadable log counts as no progress; the decision is made anyway
        streak = gears.count_approval(tx.state, pending, gears.progress_mark(tx.state, work))
        if streak["count"] > 1:
            self.writer.log(tx, "stuck", streak)

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
        self.writer.close(tx, "approve", why, **chosen)
        is_new = kind in ("finding_selection", "proposal")
        return "\n".join(
            [result.text, "Plan it: edge plan add TEXT" if is_new else next_line(tx.state)]
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
        self.writer.give(tx, "overrides", grant)
        self.writer.close(tx, "approve", grants=[grant["id"]], checks=chosen or names)
        self.writer.log(
            tx,
            "override_set",
            {"override": grant["id"], "mode": grant["mode"], "checks": chosen or names, "why": why},
        )
        covered = ", ".join(chosen) if chosen else "every check"
        return f"Overridden for this session and objective: {covered}.\nThen: edge done"

    def skip(self, *, expected: str = "", why: str = "") -> str:
        """Answer no: such calls are denied in their session until the person's next prompt (JU-8)."""

        def change(tx: Transaction) -> str:
            pending = pending_question(tx.state, expected)
            if choices.is_ours(pending):
                return self._refuse(tx, pending, why)
            if pending.get("fingerprint") and pending["type"] != "mode_transition":
                self._refuse_calls(tx, pending)
            self.writer.close(tx, "skip", why)
            shown = pending.get("shown") or pending["reason"]
            return f"Skipped: {shown}\n{next_line(tx.state, pending)}"

        return self.project.transact(change, command="skip")

    def _refuse_calls(self, tx: Transaction, pending: Junction) -> None:
        session = pending.get("session", "")
        try:
            turn: int | None = self.project.evidence.session(session)["turn"]
        except EdgeError:
            turn = None  # with an unreadable log, it holds for the session
        for each in pending.get("classes") or [pending["fingerprint"]]:
            tx.refuse(session, junction.refusal_of(each, turn))

    def _refuse(self, tx: Transaction, pending: Junction, why: str) -> str:
        """No to a proposal of the loop, or to the agent's question."""
        gears.keep_answer(tx.state, pending, "skip")
        result = choices.apply_refusal(tx.state, pending)
        tx.tell(result.events, session=self.session)
        self.writer.close(tx, "skip", why)
        lines = [f"Skipped: {pending.get('shown') or pending['reason']}", result.text]
        return "\n".join([*filter(None, lines), next_line(tx.state)])

    def never(self, *, expected: str = "", why: str = "") -> str:
        """Answer no for the whole session: such calls are denied in it, and nobody is asked again."""

        def change(tx: Transaction) -> str:
            asked = self.writer.in_question(tx.state, expected)
            classes = asked.get("classes") or []
            if not classes or asked.get("source") != "gate":
                raise UsageError("never is an answer to a call of the agent", hint="edge skip")
            for each in classes:
                tx.refuse(asked.get("session", ""), junction.refusal_of(each, None))
            self.writer.answer(tx, asked, "skip", why, scope="session")
            return f"Denied for this session: {class_of(asked)}.\n{next_line(tx.state, asked)}"

        return self.project.transact(change, command="never")

    def revoke(self, words: str) -> str:
        """End one live grant at once, identified by its number in ``edge grants`` or its id."""

        def change(tx: Transaction) -> str:
            grant = _chosen(grants.live_grants(self.project, tx.state), words)
            tx.revoke(grant["id"])
            for key in grants.GRANT_KEYS:
                kept = [g for g in tx.state.get(key) or [] if g.get("id") != grant["id"]]
                if kept != (tx.state.get(key) or []):
                    tx.state[key] = kept
            about = {"grant": grant["id"], "kind": grant["kind"], "by": self.by}
            named = {"rule": grant.get("rule", ""), "shown": grant.get("shown", "")}
            self.writer.log(tx, "grant_revoked", about | named)
            return f"Revoked: {grant['kind']} {grant.get('rule') or grant.get('mode', '')}"

        return self.project.transact(change, command="revoke")


def person_name() -> str:
    """The user who decides, for the log."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "a person"


def _numbers(names: list[str]) -> str:
    return "1" if len(names) == 1 else "1,2"


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


# end of module
