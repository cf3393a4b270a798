"""What every decision of a person writes: the grant, the closed question, the line in the log.

Owns their order in a transaction, and which question a decision is about. Does not own what is decided
(``sessions.decisions``, ``sessions.dismissals``).
"""

from __future__ import annotations

from operators_edge.approvals import junction
from operators_edge.approvals.binding import bound, store as binding_store
from operators_edge.errors import AnswerIsNo
from operators_edge.sessions import live
from operators_edge.state import schema
from operators_edge.storage.keys import signed
from operators_edge.text.wording import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from operators_edge.model import State
    from operators_edge.project import Project
    from operators_edge.records import Grant, Junction
    from operators_edge.state.transaction import Transaction


REASON_LIMIT = 300
"""Characters of a person's reason that are stored."""


class DecisionWriter:
    """Writes the decisions of one person about one project. ``by`` names person and channel, for the log."""

    def __init__(self, project: Project, *, session: str, by: str) -> None:
        self.project = project
        self.session = session
        self.by = by

    def in_question(self, state: State, expected: str = "") -> Junction:
        """What a scope is for: the pending junction, else what the client's dialog asked last."""
        if isinstance(state.get("junction"), dict):
            return pending_question(state, expected)
        question = binding_store.last_question(self.project, self.session)
        if question is None or (expected and question["id"] != expected):
            return pending_question(state)
        return question

    def answer(
        self, tx: Transaction, asked: Junction, decision: str, why: str = "", **extra: Any
    ) -> None:
        """Close the junction, or log the answer to what was asked in the client's dialog."""
        if isinstance(tx.state.get("junction"), dict):
            self.close(tx, decision, why, **extra)
            return
        data = {
            "junction": asked["id"],
            "type": asked["type"],
            "decision": decision,
            "rule": asked.get("rule", ""),
            "shown": asked.get("shown", ""),
            "by": self.by,
            **_reason(why),
        }
        self.log(tx, "scope_given", data | extra)

    def give(self, tx: Transaction, key: str, grant: Grant) -> None:
        """Sign a grant, and put it into registry and state."""
        grant = signed(self.project.root, grant)
        tx.grant(grant)
        tx.state[key] = [*(tx.state.get(key) or []), grant]

    def close(self, tx: Transaction, decision: str, why: str = "", **extra: Any) -> None:
        now, scope = self.project.clock(), str(extra.get("scope") or "")
        closed = junction.close(tx.state, decision=decision, now=now, by=self.by, scope=scope)
        data = {
            "junction": closed["id"],
            "type": closed["type"],
            "decision": decision,
            "rule": closed.get("rule", ""),
            "shown": closed.get("shown", ""),
            "by": self.by,
            **_reason(why),
            **extra,
        }
        self.log(tx, "junction_decided", data)

    def log(self, tx: Transaction, event: str, data: dict[str, Any]) -> None:
        tx.log(event, data, session=self.session)


def _reason(why: str) -> dict[str, str]:
    """For the log; nothing where no reason was given."""
    return {"why": one_line(why, REASON_LIMIT)} if why else {}


def pending_question(state: State, expected: str = "") -> Junction:
    """The pending junction; with ``expected`` only that one."""
    found: Junction | None = state.get("junction")
    if not isinstance(found, dict):
        is_left = junction.left_questions(state)
        raise AnswerIsNo(
            "nothing is pending but what ended sessions left open"
            if is_left
            else "nothing is pending",
            hint="edge approve --left 1" if is_left else "edge status",
        )
    if expected and found["id"] != expected:
        raise AnswerIsNo("another decision is pending now", hint="edge status")
    return found


def class_of(pending: Junction) -> str:
    """What the calls have in common that a dismissal of this junction covers."""
    subject = pending.get("subject")
    parts = subject.items() if isinstance(subject, dict) else ()
    named = [f"{name} {value}" for name, value in parts if value]
    where = bound.target_text(bound.of_data(pending.get("binding")))
    target = [where] if where else []
    return "; ".join([str(pending.get("rule") or pending["type"]), *named, *target])


def next_line(state: State, asked: Junction | None = None) -> str:
    """What happens after an answer."""
    if asked is not None and (task := live.task_of(asked)):
        return f"Task {task} takes it up with `edge bridge watch`."
    plan = state.get("plan") or []
    number = schema.current_step(state)
    if 1 <= number <= len(plan):
        return f"Next: step {number}, {plan[number - 1].get('description', '')}"
    return "The agent continues with the next prompt."


# end of module
