"""The end of a turn and of a session: what was observed is put into state and log.

Owns the state's ``observations`` and ``progress``, and the end in its ``session``. Does not own what is
observed (``evidence``) or the archive (``archive.service``).
"""

from __future__ import annotations

from operators_edge.archive import closing
from operators_edge.datetimes import datetime
from operators_edge.evidence import plan_events, tree_cache
from operators_edge.git import worktree
from operators_edge.memory import outcomes
from operators_edge.sessions.prompt import shortened
from operators_edge.system.digest import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from operators_edge.evidence.session_facts import SessionFacts
    from operators_edge.project import Project
    from operators_edge.records import LogEntry
    from operators_edge.state.transaction import Transaction

MAX_FILES = 200
"""Changed files that the log names; their number is logged with them."""


def stop(
    project: Project, session: str, *, said: str = "", secrets: tuple[str, ...] = ()
) -> worktree.TreeState | None:
    """A turn has ended: put what was observed into the state. Never blocks the end (MO-4).

    ``said`` is the agent's message, for the next session. Returns the tree, if it had to be looked at.
    """
    data = {"said": shortened(said, secrets)} if said else {}
    project.log.append({"event": "stop", "session": session, "data": data}, secrets=secrets)
    tree = _observe(project, session, ended=False)
    project.log.sync()
    outcomes.update_state(project, session)
    _archive_if_due(project, session)
    return tree


def end(project: Project, session: str, *, reason: str) -> None:
    """The session has ended: observations, a clean end, and no used allowances in the state."""
    entry: LogEntry = {"event": "session_end", "session": session, "data": {"reason": reason}}
    project.log.append(entry, secrets=())
    _observe(project, session, ended=True)
    project.log.sync()
    outcomes.update_state(project, session)
    _archive_if_due(project, session)


def _archive_if_due(project: Project, session: str) -> None:
    if closing.may_be_due(project.state.read()):
        from operators_edge.archive import service as archive_service  # noqa: PLC0415 - not at the end of every turn

        archive_service.finish_objective(project, session)


def _observe(project: Project, session: str, *, ended: bool) -> worktree.TreeState | None:
    """Put into the state what was observed of the session, of the host's todos, and of each step.

    A tool call never does that: the agent's own edit of the file would fail as changed since read (PR-10).
    """
    tree = _record_tree(project, session)
    project.log_plan_changes(session)
    seen, work = project.evidence.observations(session), project.evidence.work()
    own = project.evidence.session(session)
    now = project.clock().isoformat()

    def change(tx: Transaction) -> None:
        state = tx.state
        if ended:
            from operators_edge.sessions import live  # noqa: PLC0415 - not at the end of every turn

            live.leave_question(project, tx, "")
        plan_events.mirror_todos(state, work, session)
        plan_events.add_proofs(state, work)
        record = state.get("session") or {}
        if record.get("id") != session:
            if not _is_later(own, record):
                return  # another session is the latest one; this one's record is in the log
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

    project.transact(change, command="session end" if ended else "stop")
    return tree


def _is_later(own: SessionFacts, latest: dict[str, Any]) -> bool:
    """Whether a session began after the one in the state: its start was killed before it was stored.

    Only if its start is in the log: a client that was open before the project was set up has none.
    """
    if own["tree"] is None:
        return False
    try:
        before = datetime.fromisoformat(str(latest.get("started_at")))
        return datetime.fromisoformat(str(own["started_at"])) > before
    except (ValueError, TypeError):
        return not latest


def _record_tree(project: Project, session: str) -> worktree.TreeState | None:
    """Log which files changed on disk since the session began, with whatever tool (PR-4); the tree now."""
    record = project.evidence.session(session)
    before = tree_cache.load(project.root, record["tree"])
    if before is None:
        return None
    now = worktree.tree_state(project.root)
    if isinstance(now, worktree.UnknownTreeState):
        _record_unknown_tree(project, session, now.why)
        return None
    files = worktree.changed(project.root, before, now)
    if files is None:
        _record_unknown_tree(
            project, session, "which files differed when the session began is lost"
        )
        return now
    _record_changed_files(project, session, record, now, files)
    if files or record["tampering"]:
        from operators_edge.evidence.tamper import service as tamper_service  # noqa: PLC0415 - not without a change

        tamper_service.compare_with_start(project, session, before, files)
    return now


def _record_changed_files(
    project: Project,
    session: str,
    record: SessionFacts,
    now: worktree.TreeState,
    files: list[str],
) -> None:
    """``files`` changed since the session's start, ``recent`` since the last recorded tree."""
    last = tree_cache.load(project.root, record["tree_last"] or record["tree"])
    if last is not None and last.digest == now.digest and files[:MAX_FILES] == record["tree_files"]:
        return
    recent = worktree.changed(project.root, last, now) if last is not None else None
    if not recent and files[:MAX_FILES] == record["tree_files"]:
        return
    data: dict[str, Any] = {"files": files[:MAX_FILES], "count": len(files)}
    if recent is not None:
        data["recent"] = recent[:MAX_FILES]
    data["tree"] = tree_cache.store(project.root, now)
    entry: LogEntry = {"event": "tree_changed", "session": session, "data": data}
    project.log.append(entry)


def _record_unknown_tree(project: Project, session: str, why: str) -> None:
    """Log that the changes are unknown, which is not the same as no changes."""
    project.log.append({"event": "tree_unknown", "session": session, "data": {"why": why}})


# end of module
