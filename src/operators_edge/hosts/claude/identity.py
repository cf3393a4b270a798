"""Which client and root a session belongs to, and whether a person typed a prompt.

Owns the binding of a session id to its root and client, and how a typed prompt is distinguished from a
forged one (JU-4, HO-9). Facts about processes are in ``system.processes``.
"""

from __future__ import annotations

import os
import time

from operators_edge import jsons
from operators_edge.errors import EdgeError
from operators_edge.storage import bindings
from operators_edge.system import processes
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.system.processes import Identity
    from operators_edge.system.project_root import ProjectLocation


SCHEDULE = os.path.join(".claude", "scheduled_tasks.json")

FIRING_SECONDS = 10.0
FORGED = True


class Binding(NamedTuple):
    """What SessionStart recorded; ``client`` is the process that opened the session.

    ``is_scheduled``: a prompt with one of our commands is scheduled in the client, or was on disk.
    ``first_root``: where the session began, if it has entered a worktree since. ``program``: interpreter
    and hook file of the installation whose hooks run there.
    """

    root: str | None
    client: Identity | None
    is_attended: bool
    is_scheduled: bool = False
    first_root: str | None = None
    program: tuple[str, ...] = ()


class Typist(NamedTuple):
    """Whether a prompt came from the person at the bound client, and if not, why.

    ``is_of_an_agent``: it came from an agent's tool. Otherwise it may be the person's, and only cannot count.
    """

    is_person: bool
    why: str = ""
    is_of_an_agent: bool = False


def bind(session: str, found: ProjectLocation, env: Mapping[str, str]) -> bool:
    """Bind the session to root and client; False if another running client has it already.

    A second process with the session's id takes it over only if the first has exited: so it is when a person
    resumes, but not when an agent does. A start that no client sent does not count either.
    """
    client = _client(env)
    before = binding(session, env)
    if before is not None and client and processes.started_as_hook_of(client) is False:
        return False
    holder = before.client if before is not None else None
    if holder is not None and holder != client and processes.is_alive(holder):
        return False
    from operators_edge.system import terminals  # noqa: PLC0415 - a session starts once

    bindings.bind_session(
        session,
        {
            "root": found.root,
            "pid": client.pid if client else None,
            "started": client.started if client else None,
            "attended": env.get("CLAUDE_CODE_SESSION_ATTENDED") == "1",
            "program": processes.own_program(),
            "cgroup": terminals.cgroup_of(client.pid) if client else "",
            "namespace": terminals.process_namespace(),
        },
        env=env,
    )
    return True


def of_opening(session: str, found: ProjectLocation, env: Mapping[str, str]) -> Typist | None:
    """Bind a session whose start could not be recorded, as on a full disk; None if it is bound.

    The client's own prompt does it, but is not trusted yet: earlier schedules were not observed.
    """
    if binding(session, env) is not None:
        return None
    client = _client(env)
    try:
        if client is None or not processes.started_as_hook_of(client):
            return None
        bind(session, found, env)
    except EdgeError:
        return None  # it still cannot be recorded
    return Typist(False, "this session could not be opened before; type it again")


def binding(session: str, env: Mapping[str, str]) -> Binding | None:
    record = bindings.session_binding(session, env=env)
    if record is None:
        return None
    client = processes.recorded(record)
    is_attended = bool(record.get("attended"))
    is_scheduled = bool(record.get("scheduled") or record.get("schedule_named_us"))
    first = record.get("first_root") or record.get("root")
    program = tuple(map(str, record.get("program") or ()))
    return Binding(record.get("root"), client, is_attended, is_scheduled, first, program)


def move(session: str, root: str, env: Mapping[str, str]) -> bool:
    """Bind the session to another root; False if its client did not send this event."""
    record = bindings.session_binding(session, env=env)
    bound = binding(session, env)
    if record is None or bound is None or bound.client is None:
        return False
    if processes.started_as_hook_of(bound.client) is False:
        return False
    first = record.get("first_root") or record.get("root")
    bindings.bind_session(session, {**record, "root": root, "first_root": first}, env=env)
    return True


def note_end(session: str, env: Mapping[str, str]) -> None:
    """Record that the session has ended, by when this hook was started; only its client's report counts."""
    record, own = bindings.session_binding(session, env=env), processes.identity(os.getpid())
    client = processes.recorded(record or {})
    if record is None or own is None or client is None:
        return
    if processes.started_as_hook_of(client) is not False:
        bindings.bind_session(session, {**record, "ended": own.started}, env=env)


def note_scheduled(session: str, *, is_ours: bool, env: Mapping[str, str]) -> None:
    """Record whether the client has scheduled one of our commands (it reports that at each turn's end)."""
    record = bindings.session_binding(session, env=env)
    if record is not None and bool(record.get("scheduled")) != is_ours:
        bindings.bind_session(session, {**record, "scheduled": is_ours}, env=env)


def is_attended(bound: Binding | None, env: Mapping[str, str]) -> bool:
    """Whether a person is at the client who can answer a dialog."""
    said = env.get("CLAUDE_CODE_SESSION_ATTENDED")
    if said is not None:
        return said == "1"
    if env.get("CLAUDE_CODE_ENTRYPOINT"):
        return env["CLAUDE_CODE_ENTRYPOINT"] == "cli"
    return bound is not None and bound.is_attended


def of_prompt(session: str, env: Mapping[str, str]) -> Typist:
    """Who typed the prompt for which this process was started.

    A scheduled prompt looks like a typed one, and the transcript is late. The client's report at the end of
    the last turn is not: while one of our commands is scheduled, no prompt is trusted.
    """
    bound = binding(session, env)
    if bound is None or bound.client is None:
        return Typist(False, "the start of this session was not observed")
    if not processes.is_alive(bound.client):
        return Typist(False, "the client that opened this session has exited")
    if processes.started_as_hook_of(bound.client) is False:
        return Typist(False, "it was not sent by the client that opened this session", FORGED)
    if bindings.is_below_a_client(bound.client.pid, env):
        return Typist(False, "this client was started by another session's agent", FORGED)
    if bound.is_scheduled or any(_names_us(path) for path in _schedules(bound.root, env)):
        return Typist(False, "a prompt that names /edge is scheduled in this project", FORGED)
    if _just_fired(bound.root, env):
        return Typist(False, "a scheduled prompt was just sent; type it again in a few seconds")
    return Typist(True)


def is_anothers(session: str, asked: str, env: Mapping[str, str]) -> bool:
    """Whether ``asked``, the session whose call is pending, is another one whose client still runs.

    A client that an agent started detached has no recognisable ancestor; but it is not the one that asked.
    """
    if not asked or asked == session:
        return False
    other = binding(asked, env)
    return other is not None and other.client is not None and processes.is_alive(other.client)


def watch_schedule(session: str, env: Mapping[str, str]) -> None:
    """Record for the whole session that a schedule on disk has named /edge.

    A one-time task has left the file when its prompt arrives, so the file is checked after every call that
    could have written it.
    """
    record = bindings.session_binding(session, env=env)
    if record is None or record.get("schedule_named_us"):
        return
    if any(_names_us(path) for path in _schedules(record.get("root"), env)):
        bindings.bind_session(session, {**record, "schedule_named_us": True}, env=env)


def _schedules(root: str | None, env: Mapping[str, str]) -> list[str]:
    """The existing files of durable schedules."""
    folders = {str(each) for each in (root, env.get("CLAUDE_PROJECT_DIR")) if each}
    paths = (os.path.join(folder, SCHEDULE) for folder in folders)
    return [path for path in paths if os.path.lexists(path)]


def _names_us(path: str) -> bool:
    """Whether the schedule names /edge; True if it cannot be parsed.

    The client runs what the file contains, and does not list it at a turn's end (observed with 2.1.329).
    """
    try:
        with open(path, "rb") as file:
            return "/edge" in jsons.dumps(jsons.loads(file.read()))
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True


def _just_fired(root: str | None, env: Mapping[str, str]) -> bool:
    """Whether a schedule was just written: the client notes each run in the file."""
    now = time.time()
    for path in _schedules(root, env):
        try:
            found = os.lstat(path)
            # The inode's change time counts too: the modification time can be set to anything.
            if abs(now - max(found.st_mtime, found.st_ctime)) < FIRING_SECONDS:
                return True
        except OSError:
            return True
    return False


def _client(env: Mapping[str, str]) -> Identity | None:
    """The client among our ancestors: the one that CLAUDE_PID names, else our parent."""
    chain = processes.parents(os.getpid())
    named = env.get("CLAUDE_PID", "")
    for each in chain:
        if str(each.pid) == named:
            return each
    return chain[0] if chain else None


# end of module
