"""Every operation that touches more than one file, with the project that it begins in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.archive import service as archive_service
from operators_edge.migration import migrate as migration
from operators_edge.model import Call
from operators_edge.plan import edits as plan_edits
from operators_edge.quality import service as quality_service
from operators_edge.sessions import before_call
from operators_edge.sessions.context import EventContext
from operators_edge.sessions.decisions import Decisions
from operators_edge.state import transaction
from operators_edge.storage.keys import signed
from operators_edge.storage.log import ProofLog
from tests.migration import legacy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from operators_edge.project import Project
    from tests.crash.world import World

SESSION = "session-1"
POST = "curl -X POST https://example.com/orders -d a=1"
DONE = {"description": "one", "status": "completed", "proof": "seen"}
OPEN = {"description": "two", "status": "in_progress"}
LATER = {"description": "three", "status": "pending"}


class Operation(NamedTuple):
    """``begin`` makes the project ready, ``act`` is what the victim does.

    ``is_synced``: its result survives a power loss as soon as it is acknowledged. ``is_gate``: it returns
    the gate's answer.
    """

    name: str
    begin: Callable[[Project], object]
    act: Callable[[Project], object]
    is_synced: bool = True
    is_gate: bool = False


def call(project: Project) -> object:
    """A call that needs a decision, at the gate."""
    context = EventContext(project, session=SESSION, can_ask=False)
    return before_call.decide(
        context, Call("Bash", {"command": POST}, project.root, session=SESSION, id="call-1")
    )


def person(project: Project) -> Decisions:
    return Decisions(project, session=SESSION, by="a person")


def planned(project: Project) -> None:
    def change(tx):
        tx.state.update(objective="ship it", plan=[DONE, OPEN, LATER], mode="active")

    project.transact(change, command="plan")


def completed(project: Project) -> None:
    project.transact(
        lambda tx: tx.state.update(objective="ship it", plan=[DONE], mode="active"), command="plan"
    )


def pending(project: Project) -> None:
    planned(project)
    call(project)


def approved(project: Project) -> None:
    pending(project)
    person(project).approve()


def gated(project: Project) -> None:
    """A quality gate's junction, as it stands in the state."""
    planned(project)
    junction = {
        "id": "junction-1",
        "type": "quality_gate",
        "reason": "1 check failed",
        "session": SESSION,
        "fingerprint": "",
        "payload": {"failed_checks": [{"name": "steps_completed", "text": "none"}]},
    }
    project.transact(lambda tx: tx.state.update(junction=junction), command="gate")


def finished(project: Project) -> None:
    """In mode done, with an override, lessons, and an archive of which something is over."""
    grant = signed(project.root, {"id": "override-1", "kind": "override", "session_id": SESSION})

    def change(tx):
        tx.state.update(
            objective="ship it",
            plan=[DONE, {**DONE, "description": "two"}, OPEN],
            mode="done",
            next_action="rest",
            overrides=[grant],
        )
        tx.grant(grant)
        old = {"type": "completed_step", "timestamp": "2025-01-01T00:00:00+00:00"}
        tx.archive({**old, "description": "long ago"})
        tx.archive({"type": "completed_objective", "objective": "before"})

    project.transact(change, command="plan")


def crowded(project: Project) -> None:
    """Finished things of every kind, beside some that are not."""

    def change(tx):
        tx.state.update(
            objective="ship it",
            plan=[DONE, {**DONE, "description": "next"}, OPEN],
            mismatches=[{"id": "mismatch-001", "resolved": True, "resolution": "r"}, "open"],
            research=[{"id": "R001", "topic": "t", "status": "completed", "results": "r"}],
            brainstorm={"id": "B20260130", "phase": "complete", "challenge": "c"},
            memory=[{"trigger": "t", "lesson": "l", "reinforced": 0, "last_used": "2025-01-01"}],
        )

    project.transact(change, command="plan")


def dismiss(project: Project) -> None:
    decide = person(project)
    _, code = decide.dismissals.preview(30)
    decide.dismissals.dismiss(30, code)


def edited(project: Project) -> None:
    planned(project)
    project.transact(lambda tx: tx.state.update(objective="something else"), command="edit")


def restore(project: Project) -> None:
    oldest = project.state.history()[-1].id
    transaction.restore(project, oldest, by="a person")


def damaged(project: Project) -> None:
    edited(project)
    with open(project.state.path, "ab") as file:
        file.write(b"\n]: not yaml\n")


def small_log(project: Project) -> ProofLog:
    return ProofLog(
        project.root, registry=project.registry, clock=project.clock, segment_bytes=1000
    )


def filled(project: Project) -> None:
    for number in range(6):
        small_log(project).append({"event": "tool", "data": {"n": number}})


def old_project(project: Project) -> None:
    """What a version before left, with the side files of its time."""
    from pathlib import Path  # noqa: PLC0415 - a type elsewhere

    root: Path = Path(project.root)
    os.unlink(project.state.path)
    legacy.project("v3", root)


def migrate(project: Project) -> None:
    migration.apply(project, migration.detect(project.root))


OPERATIONS = (
    Operation("raise a junction", planned, call, is_gate=True),
    Operation("approve", pending, lambda project: person(project).approve()),
    Operation("skip", pending, lambda project: person(project).skip()),
    Operation("dismiss", pending, dismiss),
    Operation("use an approval", approved, call, is_gate=True),
    Operation("count a blocked call", pending, call, is_gate=True),
    Operation("revoke", approved, lambda project: person(project).revoke("1")),
    Operation("override a check", gated, lambda project: person(project).approve("1", why="ok")),
    Operation(
        "step done",
        planned,
        lambda project: quality_service.write_plan(
            project,
            lambda state: plan_edits.finish(state, 2, {"proof": "seen"}),
            command="step done",
        ),
    ),
    Operation(
        "objective set", planned, lambda project: archive_service.set_objective(project, "next")
    ),
    Operation(
        "another objective in done",
        finished,
        lambda project: archive_service.set_objective(project, "next"),
    ),
    Operation(
        "look at a complete plan",
        completed,
        lambda project: quality_service.after_plan_change(project, SESSION),
    ),
    Operation(
        "archive on done",
        finished,
        lambda project: archive_service.finish_objective(project, SESSION),
    ),
    Operation("prune", crowded, archive_service.prune),
    Operation("state restore", edited, restore),
    Operation("restore over a damaged file", damaged, restore),
    Operation("migrate --apply", old_project, migrate),
    Operation(
        "log append, sealing",
        filled,
        lambda p: small_log(p).append({"event": "tool"}),
        is_synced=False,  # with the others of its turn
    ),
)


def ready(world: World, operation: Operation) -> None:
    """A fresh project in which the operation can begin, kept as ``before``."""
    world.begin()
    operation.begin(world.project())
    world.keep("before")
