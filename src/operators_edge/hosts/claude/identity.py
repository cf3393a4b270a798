"""Whose session this is, and whether a person typed a prompt.

Owns the binding of a session id to its root and client, and the signs by which a typed prompt differs
from a forged one (JU-4, HO-9). Does not own process facts (``system.processes``).
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.errors import EdgeError
from operators_edge.storage import bindings
from operators_edge.system import processes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.system.processes import Identity
    from operators_edge.system.project_root import ProjectLocation


SCHEDULE = os.path.join(".claude", "scheduled_tasks.json")

FIRING_SECONDS = 10.0


class Binding(NamedTuple):
    """What SessionStart saw; ``client`` is the process that opened the session.

    ``is_scheduled`` tells that a prompt of ours is scheduled in the client, or was on the disk;
    ``first_root`` is where the session began, when it has entered a work tree since. ``program`` are
    interpreter and hook of the installation that is wired there.
    """

    root: str | None
    client: Identity | None
    is_attended: bool
    is_scheduled: bool = False
    first_root: str | None = None
    program: tuple[str, ...] = ()


class Typist(NamedTuple):
    """Whether a prompt came from the person at the bound client, and if not, by what sign."""

    is_person: bool
    why: str = ""


def bind(session: str, found: ProjectLocation, env: Mapping[str, str]) -> bool:
    """Bind the session to root and client; False when a living client has it already.

    A second process with the session's id takes it over only when the first is dead: a person's
    resume is, a nested one is not. Nor does a start count that no client sent.
    """
    client = _client(env)
    before = binding(session, env)
    if before is not None and client and processes.started_as_hook_of(client) is False:
        return False
    holder = before.client if before is not None else None
    if holder is not None and holder != client and processes.is_alive(holder):
        return False
    bindings.bind_session(
        session,
        {
            "root": found.root,
            "pid": client.pid if client else None,
            "started": client.started if client else None,
            "attended": env.get("CLAUDE_CODE_SESSION_ATTENDED") == "1",
            "program": processes.own_program(),
        },
        env=env,
    )
    return True


def of_opening(session: str, found: ProjectLocation, env: Mapping[str, str]) -> Typist | None:
    """Make up for a start that could not be noted, as on a full disk; None where there is no need.

    The client's own prompt does it, and is not believed yet: what was scheduled before was not watched.
    """
    if binding(session, env) is not None:
        return None
    client = _client(env)
    try:
        if client is None or not processes.started_as_hook_of(client):
            return None
        bind(session, found, env)
    except EdgeError:
        return None  # it still cannot be noted
    return Typist(False, "this session could not be opened before; type it once more")


def binding(session: str, env: Mapping[str, str]) -> Binding | None:
    record = bindings.session_binding(session, env=env)
    if record is None:
        return None
    client = None
    if isinstance(record.get("pid"), int):
        client = processes.Identity(record["pid"], str(record.get("started")))
    is_attended = bool(record.get("attended"))
    is_scheduled = bool(record.get("scheduled") or record.get("schedule_named_us"))
    first = record.get("first_root") or record.get("root")
    program = tuple(map(str, record.get("program") or ()))
    return Binding(record.get("root"), client, is_attended, is_scheduled, first, program)


def move(session: str, root: str, env: Mapping[str, str]) -> bool:
    """Bind the session to another root; False where no client sent this event."""
    record = bindings.session_binding(session, env=env)
    bound = binding(session, env)
    if record is None or bound is None or bound.client is None:
        return False
    if processes.started_as_hook_of(bound.client) is False:
        return False
    first = record.get("first_root") or record.get("root")
    bindings.bind_session(session, {**record, "root": root, "first_root": first}, env=env)
    return True


def note_scheduled(session: str, *, is_ours: bool, env: Mapping[str, str]) -> None:
    """Remember whether the client's scheduler holds a prompt of ours (told at each turn's end)."""
    record = bindings.session_binding(session, env=env)
    if record is not None and bool(record.get("scheduled")) != is_ours:
        bindings.bind_session(session, {**record, "scheduled": is_ours}, env=env)


def is_attended(bound: Binding | None, env: Mapping[str, str]) -> bool:
    """True where the client has a person in front of it who can answer a dialog."""
    said = env.get("CLAUDE_CODE_SESSION_ATTENDED")
    if said is not None:
        return said == "1"
    if env.get("CLAUDE_CODE_ENTRYPOINT"):
        return env["CLAUDE_CODE_ENTRYPOINT"] == "cli"
    return bound is not None and bound.is_attended


def of_prompt(session: str, env: Mapping[str, str]) -> Typist:
    """Judge the prompt that this very process was started for.

    A scheduled prompt looks like a typed one, and the transcript lags behind it. What the client said at
    the end of the last turn does not: while a scheduled prompt of ours is listed, none is believed.
    """
    bound = binding(session, env)
    if bound is None or bound.client is None:
        return Typist(False, "this session was not seen starting")
    if not processes.is_alive(bound.client):
        return Typist(False, "the client that opened this session is gone")
    if processes.started_as_hook_of(bound.client) is False:
        return Typist(False, "it was not sent by the client that opened this session")
    if is_below_a_client(bound.client.pid, env):
        return Typist(False, "this client was started by another session's agent")
    if bound.is_scheduled or any(_names_us(path) for path in _schedules(bound.root, env)):
        return Typist(False, "a prompt that names /edge is scheduled in this project")
    if _just_fired(bound.root, env):
        return Typist(False, "a scheduled prompt was sent just now; type it again in a while")
    return Typist(True)


def is_anothers(session: str, asked: str, env: Mapping[str, str]) -> bool:
    """True when ``asked``, the session whose call waits, is another one whose client still runs.

    A client that an agent starts apart from its own shows no descent; but it is not the one that asked.
    """
    if not asked or asked == session:
        return False
    other = binding(asked, env)
    return other is not None and other.client is not None and processes.is_alive(other.client)


def watch_schedule(session: str, env: Mapping[str, str]) -> None:
    """Remember for the whole session that a schedule on the disk has named /edge.

    A task that runs once is gone from the file when its prompt arrives, so it is looked for after every
    call that could have written it.
    """
    record = bindings.session_binding(session, env=env)
    if record is None or record.get("schedule_named_us"):
        return
    if any(_names_us(path) for path in _schedules(record.get("root"), env)):
        bindings.bind_session(session, {**record, "schedule_named_us": True}, env=env)


def _schedules(root: str | None, env: Mapping[str, str]) -> list[str]:
    """The files of durable schedules that are there."""
    folders = {str(each) for each in (root, env.get("CLAUDE_PROJECT_DIR")) if each}
    paths = (os.path.join(folder, SCHEDULE) for folder in folders)
    return [path for path in paths if os.path.lexists(path)]


def _names_us(path: str) -> bool:
    """True when the schedule names /edge; also when it cannot be read as what it is.

    The client fires what the file says and lists nothing of it at a turn's end (seen on 2.1.329).
    """
    try:
        with open(path, "rb") as file:
            return "/edge" in json.dumps(json.loads(file.read()))
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True


def _just_fired(root: str | None, env: Mapping[str, str]) -> bool:
    """True when a schedule was written a moment ago: the client notes each firing in the file."""
    now = time.time()
    for path in _schedules(root, env):
        try:
            found = os.lstat(path)
            # The time of change counts too: the other one can be set to anything.
            if abs(now - max(found.st_mtime, found.st_ctime)) < FIRING_SECONDS:
                return True
        except OSError:
            return True
    return False


def _client(env: Mapping[str, str]) -> Identity | None:
    """The client among our ancestors: the one that it names itself, else our parent."""
    chain = processes.parents(os.getpid())
    named = env.get("CLAUDE_PID", "")
    for each in chain:
        if str(each.pid) == named:
            return each
    return chain[0] if chain else None


def is_below_a_client(pid: int, env: Mapping[str, str]) -> bool:
    """True when the client of any session is among the process's ancestors."""
    above = {(each.pid, each.started) for each in processes.parents(pid)}
    return any(
        (record.get("pid"), str(record.get("started"))) in above
        for record in bindings.session_bindings(env=env)
    )
