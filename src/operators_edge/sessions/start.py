"""The start of a session: opened in state and log, and shown its briefing.

Owns what a session is shown about earlier and other sessions. Does not own the text (``sessions.briefing``,
``sessions.handoff``), the end (``sessions.end``) or the binding of a session to root and client (``hosts``).
"""

from __future__ import annotations

from operators_edge.approvals import junction
from operators_edge.approvals.binding import store as binding_store
from operators_edge.contexts import contextmanager
from operators_edge.errors import EdgeError
from operators_edge.evidence import plan_events, session_facts, tree_cache
from operators_edge.evidence.claims import service as claims_service
from operators_edge.evidence.claims.tree_facts import ProjectTreeFacts
from operators_edge.git import worktree
from operators_edge.memory import service as memory_service
from operators_edge.sessions import briefing, live, tasks
from operators_edge.sessions.briefing import PastSession, RecordFacts
from operators_edge.sessions.end import end
from operators_edge.state import notices_store, schema
from operators_edge.storage.files import read_bytes
from operators_edge.system.digest import sha256_hex
from operators_edge.text.wording import one_line
from operators_edge.undo import preparing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from operators_edge.evidence.objective_facts import ObjectiveFacts
    from operators_edge.evidence.session_facts import SessionFacts
    from operators_edge.model import State
    from operators_edge.project import Project
    from operators_edge.state.transaction import Transaction

_INTENT = ("objective", "plan", "current_step", "constraints", "risks", "next_action", "intent")
"""What the record of another working tree begins with: the intent, nothing decided or observed."""


def start(project: Project, session: str, *, source: str) -> str:
    """Open the session in state and log; returns its briefing (LC-6).

    If nothing can be written, or the log cannot be read, the briefing still has what the state contains, and
    says what is missing.
    """
    state = project.state.read()
    last, was_cut_off, known = None, False, RecordFacts()
    problems: list[str] = []
    with _reporting("This session is not recorded", problems):
        last = _previous(project, state, session)
        was_cut_off = source == "resume" and _was_cut_off(project, session)
        state = _begin(project, state, session, source=source, last=last, was_cut_off=was_cut_off)
    with _reporting("What was done is not known", problems):
        problems += notices_store.take(project.root)
        own = _own_activity(project, session, was_cut_off=was_cut_off)
        known = _facts(project, state, session, last=own or last)
    text = briefing.build(state, known, budget=project.context_tokens)
    return "\n".join(filter(None, [text, *problems]))


@contextmanager
def _reporting(what: str, problems: list[str]) -> Iterator[None]:
    """An error does not prevent the rest of the briefing, and is reported in it."""
    try:
        yield
    except EdgeError as error:
        problems.append(briefing.problem_line(what, error))


def _begin(
    project: Project,
    state: State,
    session: str,
    *,
    source: str,
    last: PastSession | None,
    was_cut_off: bool,
) -> State:
    """Record the start in log and state; returns the new state."""
    previous = state.get("session") or {}
    data: dict[str, Any] = {
        "source": source,
        "previous_clean": False if was_cut_off else last.ended_cleanly if last else None,
    }
    if source != "compact":
        seen = worktree.tree_state(project.root)
        differing = seen.differing if isinstance(seen, worktree.TreeState) else None
        if preparing.is_wanted(project.root, differing):
            preparing.start(project.root)
        if isinstance(seen, worktree.TreeState):
            data["tree"] = tree_cache.store(project.root, seen)
        else:
            data |= {"tree": None, "look_why": seen.why}
    project.tidy()
    project.log.append({"event": "session_start", "session": session, "data": data}, secrets=())
    _raise_alarms(project)
    project.log_plan_changes(session)
    return state if source == "compact" else _open(project, session, previous, last)


_LOG_ALARMS = {
    "log_tail_missing": "the log ends earlier than recorded: a power loss took its end, or someone cut it",
    "log_replaced": "the log was replaced by another one",
    "log_anchored": "the person's folder knew nothing of this log: one of the two was moved or removed",
}
"""What is reported to a person; a power cut can leave the other differences, too."""


def _raise_alarms(project: Project) -> None:
    """Tell the person what the log noted about itself since the previous session began."""
    entries = project.log.tail(_MAX_NOTES)
    starts = [at for at, each in enumerate(entries) if each.get("event") == "session_start"]
    since = starts[-2] if len(starts) > 1 else 0
    for event in dict.fromkeys(str(each.get("event")) for each in entries[since:]):
        if event in _LOG_ALARMS:
            binding_store.add_alarm(project, f"{_LOG_ALARMS[event]}: edge log verify")


_MAX_NOTES = 500


def _open(
    project: Project, session: str, previous: dict[str, Any], last: PastSession | None
) -> State:
    now = project.clock()
    text_hash = sha256_hex(read_bytes(project.state.path) or b"")
    was = str(previous.get("id") or "")
    is_running = bool(was) and was != session and bool(live.running(project, [was], session))
    # A killed session logged the host's todos, and had no time to put them into the plan.
    has_ended = was not in ("", session) and not is_running
    was_killed = has_ended and last is not None and not last.ended_cleanly
    work = project.evidence.work() if was_killed else None

    def change(tx: Transaction) -> State:
        state = tx.state
        if work is not None:
            plan_events.mirror_todos(state, work, was)
            plan_events.add_proofs(state, work)
        if last is not None and has_ended:
            state["observations"] = last.observations
        live.leave_question(project, tx, session)
        dismissals = state.get("dismissals") or []
        state["dismissals"] = [each for each in dismissals if not junction.is_expired(each, now)]
        state["session"] = {
            "id": session,
            "started_at": now.isoformat(),
            "start_hash": text_hash,
            "ended_at": None,
        }
        return state

    return project.transact(change, command="session start")


def move(old: Project, new: Project, session: str) -> str:
    """The session continues in another working tree of the same repository (HO-9).

    Each tree has its own record. One without a state begins with the intent of the old one. Returns the
    briefing for the new tree.
    """
    end(old, session, reason="moved to another working tree")
    take_along(old, new)
    return start(new, session, source="worktree")


def take_along(old: Project, new: Project) -> None:
    """Begin the record of another working tree with the intent of the old one, if it has none yet."""
    if new.state.create(command="enter working tree"):
        intent = old.state.read()
        kept = {key: intent[key] for key in _INTENT if intent.get(key)}
        new.transact(lambda tx: tx.state.update(kept), command="enter working tree")


def preview(project: Project, state: State) -> str:
    """The briefing of a session that would begin now; nothing is opened or written."""
    known = _facts(project, state, "", last=_previous(project, state, ""))
    return briefing.build(state, known, budget=project.context_tokens)


def handoff_facts(project: Project, state: State) -> RecordFacts:
    """What a handoff adds to the state (LC-7); the session that hands over is not another running one."""
    session = schema.latest_session(state)
    return _facts(project, state, session, last=_latest(project, state))


def _latest(project: Project, state: State) -> PastSession | None:
    """What the latest session did, even if it is still running: it is the one that hands over."""
    session = state.get("session") or {}
    if not session.get("id"):
        return None
    record = project.evidence.session(str(session["id"]))
    return _past(record, ended_cleanly=True, is_own=not session.get("ended_at"))


def _past(record: SessionFacts, *, ended_cleanly: bool, is_own: bool = False) -> PastSession:
    seen = session_facts.observations(record)
    return PastSession(seen, ended_cleanly, is_own, last_call=record["last_call"])


# -- what a session is shown -----------------------------------------------------------------------


def _facts(
    project: Project, state: State, session: str, *, last: PastSession | None
) -> RecordFacts:
    """What the log adds to the state."""
    work = project.evidence.work()
    tree = ProjectTreeFacts(project, work)
    claims = claims_service.claims_of(project, state, tree)
    doubts = [
        f"Step {each.step} is {each.verdict}, though marked completed: {each.why}{_clears(each.command)}"
        for each in claims
        if each.verdict in ("STALE", "CONTRADICTED")
    ]
    return RecordFacts(
        last=last,
        doubts=doubts,
        failing=claims_service.failing(work, known=doubts),
        verified=claims_service.last_verified(claims, work, tree, known=doubts),
        said=work["said"],
        refused=_refused(state, work),
        others=len(live.running(project, live.recent(state, work), session)),
        asks_elsewhere=live.is_asked_elsewhere(project, state, session),
        concerned=memory_service.for_step(project, state),
        tasks=tasks.line(tasks.gather(project.root)),
    )


def _refused(state: State, work: ObjectiveFacts) -> list[str]:
    """The newest calls that a person refused for this objective, and did not approve since."""
    since = str(work["since"]["at"] or "") if work["since"] else ""
    decided = {
        str(each.get("shown")): each.get("decision")
        for each in schema.maps(state.get("junction_history"))
        if each.get("shown") and str(each.get("decided_at") or "") >= since
    }
    return [shown for shown, decision in decided.items() if decision == "skip"][-_REFUSED:]


_REFUSED = 2


def _clears(command: str) -> str:
    return f"; run: {one_line(command, 80)}" if command else ""


def _was_cut_off(project: Project, session: str) -> bool:
    """Whether a resumed session had no end before: its client was killed."""
    record = project.evidence.session(session)
    return record["started_at"] is not None and not record["ended"]


def _own_activity(project: Project, session: str, *, was_cut_off: bool) -> PastSession | None:
    """What this session did so far, if it was compacted or resumed."""
    record = project.evidence.session(session)
    if not (record["tools_used"] or was_cut_off):
        return None
    return _past(record, ended_cleanly=not was_cut_off, is_own=True)


def _previous(project: Project, state: State, session: str) -> PastSession | None:
    """What the previous session did, from its log; None if there was none.

    A session that is still running is not the previous one: its work is its own (HO-6).
    """
    previous = state.get("session") or {}
    if "ended_at" not in previous:
        return (
            None  # a session of a version before 4: what it did, and how it ended, was not recorded
        )
    work = project.evidence.work()
    others = [each for each in live.recent(state, work) if each != session]
    running = live.running(project, others, session)
    ended = [each for each in others if each not in running]
    if not ended:
        return None
    record = project.evidence.session(ended[0])
    last = _past(record, ended_cleanly=_has_ended(record, previous))
    active = work["active"]
    if _did_something(last) or active not in ended:
        return last
    record = project.evidence.session(active)
    return _past(record, ended_cleanly=bool(record["ended"]))._replace(idle=ended.index(active))


def _did_something(last: PastSession) -> bool:
    seen = last.observations
    changed = seen["files_modified"] or seen["commands_failed"] or seen["tests_run"]
    return bool(changed) or bool(seen["tools_used"] and not last.ended_cleanly)


def _has_ended(record: SessionFacts, latest: dict[str, Any]) -> bool:
    if record["session"] == latest.get("id"):
        return bool(latest.get("ended_at"))
    return bool(record["ended"])


# end of module
