"""A session's life: bound at its start, observed while it lasts, closed at its end.

Owns the binding of a session id to root and client, what the next session is told, and the state's
``session`` and ``observations``. Does not own single calls (``sessions.tool_call``) or the host's words
(``hosts``).
"""

from __future__ import annotations

from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from operators_edge.approvals import junction
from operators_edge.archive import closing
from operators_edge.errors import EdgeError
from operators_edge.evidence import plan_events, tree_cache
from operators_edge.evidence.tamper import service as tamper_service
from operators_edge.git import worktree
from operators_edge.memory import outcomes
from operators_edge.sessions import briefing
from operators_edge.sessions.briefing import PastSession, RecordFacts
from operators_edge.state import schema, transaction
from operators_edge.storage import bindings
from operators_edge.storage.files import read_bytes
from operators_edge.system import processes
from operators_edge.system.digest import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.model import State
    from operators_edge.project import Project


_LOOKED_AT = 10
"""Sessions of the past among which the one before is looked for."""

SHOWN_FILES = 200
"""Changed files that the log names; how many there are is said with them."""

_INTENT = ("objective", "plan", "current_step", "constraints", "risks", "next_action", "intent")
"""What a work tree's own record begins with: what is wanted, and nothing that was decided or observed."""


def start(project: Project, session: str, *, source: str) -> str:
    """Open the session in state and log; returns what the agent is told (LC-6).

    Where nothing can be written, or the log cannot be read, it is told what the state says all the same, and
    what is missing.
    """
    state = project.state.read_fast()  # what it has parsed is kept: a start has little time
    last, was_cut_off, known = None, False, RecordFacts()
    told: list[str] = []
    with _told("This session is not recorded", told):
        last = _before(project, state, session)
        was_cut_off = source == "resume" and _was_cut_off(project, session)
        state = _begin(project, state, session, source=source, last=last, was_cut_off=was_cut_off)
    with _told("What was done is not known", told):
        told += transaction.take_notices(project.root)
        own = _own(project, session, was_cut_off=was_cut_off)
        known = _known(project, state, session, last=own or last)
    text = briefing.build(state, known, budget=project.context_tokens)
    return "\n".join(filter(None, [text, *told]))


@contextmanager
def _told(what: str, told: list[str]) -> Iterator[None]:
    """What fails keeps nobody from being told the rest, and is said."""
    try:
        yield
    except EdgeError as error:
        told.append(f"Operator's Edge: {what}: {error.message}. {error.hint}".strip())


def _begin(
    project: Project,
    state: State,
    session: str,
    *,
    source: str,
    last: PastSession | None,
    was_cut_off: bool,
) -> State:
    """Note the start in log and state; the state as it is then."""
    previous = state.get("session") or {}
    data: dict[str, Any] = {
        "source": source,
        "previous_clean": False if was_cut_off else last.ended_cleanly if last else None,
    }
    if source != "compact":
        seen = worktree.tree_state(project.root)
        if isinstance(seen, worktree.TreeState):
            data["tree"] = tree_cache.keep(project.root, seen)
        else:
            data |= {"tree": None, "look_why": seen.why}
    project.log.append({"event": "session_start", "session": session, "data": data})
    project.look_at_intent(session)
    return state if source == "compact" else _open(project, session, previous, last)


def preview(project: Project, state: State) -> str:
    """What a session would be told that began now; nothing is opened or written for it."""
    known = _known(project, state, "", last=_before(project, state, ""))
    return briefing.build(state, known, budget=project.context_tokens)


def handoff(project: Project) -> str:
    """The work in one text that stands by itself, for a new session or another agent (LC-7)."""
    from operators_edge.sessions import handoff as page  # noqa: PLC0415 - for one command

    state = project.state.read_fast()
    # The session that hands over is no other one at work.
    known = _known(project, state, schema.latest_session(state), last=_latest(project, state))
    return page.text(state, known, now=project.clock())


def _latest(project: Project, state: State) -> PastSession | None:
    """What the latest session did, also where it goes on: it is the one that hands over."""
    session = state.get("session") or {}
    if not session.get("id"):
        return None
    seen = project.evidence.observations(str(session["id"]))
    return PastSession(seen, ended_cleanly=True, is_own=not session.get("ended_at"))


def start_subagent(project: Project, session: str, *, agent: str, kind: str) -> str:
    """A subagent begins: what it is told. Its calls are its own in the log, its session the parent's."""
    entry = {"event": "subagent_start", "session": session, "agent": agent, "data": {"type": kind}}
    told: list[str] = []
    with _told("This agent is not recorded", told):
        project.log.append(entry)
    state = project.state.read_fast()
    budget = min(briefing.SUBAGENT_BUDGET, project.context_tokens)
    known = briefing.RecordFacts(asks_elsewhere=_asks_elsewhere(project, state, session))
    return "\n".join([briefing.for_subagent(state, known, budget=budget), *told]).strip()


# -- what a session is told ------------------------------------------------------------------------


def _known(
    project: Project, state: State, session: str, *, last: PastSession | None
) -> RecordFacts:
    """What the record knows beside the state."""
    from operators_edge.evidence.claims import service as claims_service  # noqa: PLC0415 - once a session
    from operators_edge.memory import service as memory_service  # noqa: PLC0415 - once a session

    work = project.evidence.work()
    ground = claims_service.Ground(project, work)
    claims = claims_service.claims_of(project, state, ground)
    doubts = [
        f"Step {each.step} is {each.verdict}, though marked completed: {each.why}"
        for each in claims
        if each.verdict in ("STALE", "CONTRADICTED")
    ]
    return RecordFacts(
        last=last,
        doubts=doubts,
        verified=claims_service.last_verified(claims, work, ground),
        others=len(_open_now(project, _recent(state, work), session)),
        asks_elsewhere=_asks_elsewhere(project, state, session),
        concerned=memory_service.for_step(project, state),
    )


def _was_cut_off(project: Project, session: str) -> bool:
    """Whether a session that is taken up again had no end before: its client was killed."""
    record = project.evidence.session(session).record
    return record["started_at"] is not None and not record["ended"]


def _own(project: Project, session: str, *, was_cut_off: bool) -> PastSession | None:
    """What this very session did so far: it was compacted, or is taken up again."""
    seen = project.evidence.observations(session)
    if not (seen["tools_used"] or was_cut_off):
        return None
    return PastSession(seen, ended_cleanly=not was_cut_off, is_own=True)


def _before(project: Project, state: State, session: str) -> PastSession | None:
    """What the session before this one did, from its log; None when there was none.

    One that is still at work is not the one before: what it does is its own (HO-6).
    """
    previous = state.get("session") or {}
    if "ended_at" not in previous:
        return None  # a session of a version before 4: nobody recorded what it did, or how it ended
    recent = [each for each in _recent(state, project.evidence.work()) if each != session]
    running = _open_now(project, recent, session)
    for each in recent:
        if each not in running:
            record = project.evidence.session(each)
            return PastSession(
                record.observations(), ended_cleanly=_has_ended(record.record, previous)
            )
    return None


def _recent(state: State, work: dict[str, Any]) -> list[str]:
    """The sessions that are known, the latest first."""
    latest = schema.latest_session(state)
    older = [str(each) for each in reversed(work["sessions"])]
    return list(dict.fromkeys(filter(None, [latest, *older])))[:_LOOKED_AT]


def _has_ended(record: dict[str, Any], latest: dict[str, Any]) -> bool:
    if record["session"] == latest.get("id"):
        return bool(latest.get("ended_at"))
    return bool(record["ended"])


def _open_now(project: Project, recent: list[str], session: str) -> list[str]:
    """The sessions that did not end and whose client lives; one client has one session at a time."""
    own = _client_of(session) if session else None
    found = []
    for each in recent:
        client = _client_of(each) if each != session else None
        if client is None or client == own or not processes.is_alive(client):
            continue
        if not project.evidence.session(each).record["ended"]:
            found.append(each)
    return found


def _client_of(session: str) -> processes.Identity | None:
    try:
        record = bindings.session_binding(session) or {}
    except EdgeError:
        return None  # what cannot be read says of nobody that it lives
    pid = record.get("pid")
    return processes.Identity(pid, str(record.get("started"))) if isinstance(pid, int) else None


def _asks_elsewhere(project: Project, state: State, session: str) -> bool:
    """Whether the decision that waits was asked for by another session that is still at work."""
    junction = state.get("junction")
    asked = str(junction.get("session") or "") if isinstance(junction, dict) else ""
    return asked not in ("", session) and bool(_open_now(project, [asked], session))


def _open(
    project: Project, session: str, previous: dict[str, Any], last: PastSession | None
) -> State:
    now = project.clock()
    text_hash = sha256_hex(read_bytes(project.state.path) or b"")
    was = str(previous.get("id") or "")
    is_running = bool(was) and was != session and bool(_open_now(project, [was], session))
    # A session that was killed told the host's todos, and had no time to put them into the plan.
    is_over = was not in ("", session) and not is_running
    was_killed = is_over and last is not None and not last.ended_cleanly
    work = project.evidence.work() if was_killed else None

    def change(state: State) -> State:
        if work is not None:
            plan_events.mirror(state, work, was)
            plan_events.add_proofs(state, work)
        if last is not None and is_over:
            state["observations"] = last.observations
        dismissals = state.get("dismissals") or []
        state["dismissals"] = [each for each in dismissals if not junction.is_expired(each, now)]
        state["session"] = {
            "id": session,
            "started_at": now.isoformat(),
            "start_hash": text_hash,
            "ended_at": None,
        }
        return state

    return project.state.transact(change, command="session start")


def move(old: Project, new: Project, session: str) -> str:
    """The session goes on in another work tree of the same repository (HO-9).

    Each tree keeps its own record. One that has no state yet begins with the old one's intent. Returns what
    the agent is told there.
    """
    end(old, session, reason="moved to another work tree")
    if new.state.create(command="enter work tree"):
        intent = old.state.read()
        kept = {key: intent[key] for key in _INTENT if intent.get(key)}
        new.state.transact(lambda state: state.update(kept), command="enter work tree")
    return start(new, session, source="worktree")


def stop(project: Project, session: str) -> None:
    """A turn has ended: carry what was observed into the state. Never stands in the way (MO-4)."""
    project.log.append({"event": "stop", "session": session, "data": {}})
    _observe(project, session, ended=False)
    outcomes.carry(project, session)
    _finish(project, session)


def end(project: Project, session: str, *, reason: str) -> None:
    """The session is over: observations, consumed allowances and a clean end."""
    project.log.append({"event": "session_end", "session": session, "data": {"reason": reason}})
    _observe(project, session, ended=True)
    outcomes.carry(project, session)
    _finish(project, session)


def _finish(project: Project, session: str) -> None:
    if closing.may_be_due(project.state.read_fast()):
        from operators_edge.archive import service as archive_service  # noqa: PLC0415 - not at the end of every turn

        archive_service.finish_objective(project, session)


def _observe(project: Project, session: str, *, ended: bool) -> None:
    """Put into the state what was observed: in the session, of the host's todos, and of each step.

    A tool call never does that: the agent's own edit of the file would fail as changed since read (PR-10).
    """
    _look_at_tree(project, session)
    project.look_at_intent(session)
    seen, work = project.evidence.observations(session), project.evidence.work()
    own = project.evidence.session(session).record
    now = project.clock().isoformat()

    def change(state: State) -> None:
        plan_events.mirror(state, work, session)
        plan_events.add_proofs(state, work)
        record = state.get("session") or {}
        if record.get("id") != session:
            if not _is_later(own, record):
                return  # another session is the latest one; this one's record stays in the log
            begun = {"id": session, "started_at": own["started_at"], "start_hash": None}
            record = {**begun, "ended_at": None}
            state["session"] = record
        state["observations"] = seen
        state["progress"] = {
            "last_tool_at": seen.get("last_activity"),
            "tools_used": sum((seen.get("tools_used") or {}).values()),
            "last_edit_hash": sha256_hex("\n".join(seen.get("files_modified") or []).encode()),
        }
        if ended:
            state["session"] = {**record, "ended_at": now}
            state["allowances"] = [
                grant for grant in state.get("allowances") or [] if not grant.get("consumed")
            ]

    project.state.transact(change, command="session end" if ended else "stop")


def _is_later(own: dict[str, Any], latest: dict[str, Any]) -> bool:
    """Whether a session began behind the one that the state names: its start was killed before it said so.

    Only a start that the log has: a client that was open before the project was set up never had one.
    """
    if own["tree"] is None:
        return False
    try:
        before = datetime.fromisoformat(str(latest.get("started_at")))
        return datetime.fromisoformat(str(own["started_at"])) > before
    except (ValueError, TypeError):
        return not latest


def _look_at_tree(project: Project, session: str) -> None:
    """Note what changed on the disk since the session began, by whatever tool (PR-4)."""
    record = project.evidence.session(session).record
    before = tree_cache.found(project.root, record["tree"])
    if before is None:
        return
    now = worktree.tree_state(project.root)
    if isinstance(now, worktree.UnknownTreeState):
        _note_unknown(project, session, now.why)
        return
    files = worktree.changed(project.root, before, now)
    if files is None:
        _note_unknown(project, session, "which files differed when the session began is lost")
        return
    _note_changed(project, session, record, now, files)
    tamper_service.look(project, session, before, files)


def _note_changed(
    project: Project,
    session: str,
    record: dict[str, Any],
    now: worktree.TreeState,
    files: list[str],
) -> None:
    """``files`` are not as they were at the session's start, ``recent`` not as at its last look."""
    last = tree_cache.found(project.root, record["tree_last"] or record["tree"])
    if (
        last is not None
        and last.digest == now.digest
        and files[:SHOWN_FILES] == record["tree_files"]
    ):
        return
    recent = worktree.changed(project.root, last, now) if last is not None else None
    if not recent and files[:SHOWN_FILES] == record["tree_files"]:
        return
    data: dict[str, Any] = {"files": files[:SHOWN_FILES], "count": len(files)}
    if recent is not None:
        data["recent"] = recent[:SHOWN_FILES]
    data["tree"] = tree_cache.keep(project.root, now)
    project.log.append({"event": "tree_changed", "session": session, "data": data})


def _note_unknown(project: Project, session: str, why: str) -> None:
    """That it could not be told what changed is not the same as that nothing did."""
    project.log.append({"event": "tree_unknown", "session": session, "data": {"why": why}})
