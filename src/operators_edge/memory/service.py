"""Lessons told when they are needed: on the call that one is about, and on the failure that one knows (LC-1).

Owns which are told: exact triggers first, then words above a threshold, at most three, each once a session.
Does not own triggers (``memory.triggers``), ranking (``memory.store``) or lessons (``memory.lessons``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from operators_edge.errors import EdgeError
from operators_edge.memory import trigger_cache

if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.model import Call, State
    from operators_edge.project import Project
    from operators_edge.state.lesson import Hit

MOST = 3
MOST_CHARACTERS = 440
"""Of one lesson: about 110 tokens, and its head."""

MOST_ERROR = 2_000
_MOST_PATHS = 8
"""Words of a step that are looked at as paths."""


def before(project: Project, call: Call) -> str:
    """What the agent is told with this call; "" for nearly every one."""
    if not may_concern(project, call):
        return ""
    from operators_edge.memory import triggers  # noqa: PLC0415 - few calls get as far

    command, path = _about(call)
    lessons = prepare(project)
    hits = triggers.exact(lessons, tool=call.tool, command=command, path=path)
    return _tell(project, call, hits, when="before")


def may_concern(project: Project, call: Call) -> bool:
    """Whether a lesson could be about the call; False promises that ``before`` says nothing."""
    command, path = _about(call)
    return trigger_cache.may_concern(project.root, f"{call.tool}\n{command}\n{path}")


def prepare(project: Project) -> Sequence[Any]:
    """Keep the words by which a call is known that a lesson is about; returns the lessons."""
    from operators_edge.memory import triggers  # noqa: PLC0415 - few calls get as far

    stamp = trigger_cache.stamp_of(project.root)
    lessons = _lessons(project)
    trigger_cache.keep(project.root, stamp, triggers.needles(lessons))
    return lessons


def after_failure(project: Project, call: Call, *, error: str) -> str:
    """What the agent is told with a failure that a lesson knows."""
    lessons = _lessons(project)
    if not lessons:
        return ""
    from operators_edge.evidence.checks.run import exit_code  # noqa: PLC0415 - after a call alone
    from operators_edge.memory import store, triggers  # noqa: PLC0415 - with lessons alone

    command, path = _about(call)
    code = exit_code(call.tool, error)
    hits = triggers.exact(
        lessons, tool=call.tool, command=command, path=path, error=error, exit_code=code
    )
    if len(hits) < MOST:
        known = {hit.number for hit in hits}
        words = store.search(
            project.root, lessons, error[-MOST_ERROR:], most=MOST, threshold=store.THRESHOLD
        )
        hits = [*hits, *(hit for hit in words if hit.number not in known)]
    return _tell(project, call, hits, when="failure")


def for_step(project: Project, state: State) -> list[int]:
    """The numbers of the lessons that the current step is about, the best first.

    They are shown to a session at its start and are not "told": nothing has been called yet of which it could
    be seen that they help, and the call that they are about still says them in its moment.
    """
    from operators_edge.memory import store, triggers  # noqa: PLC0415 - with lessons alone
    from operators_edge.state import lesson, schema  # noqa: PLC0415 - once a session

    plan, number = state.get("plan") or [], schema.current_step(state)
    lessons = lesson.listed(state.get("memory"))
    if not lessons or not 1 <= number <= len(plan):
        return []
    step = schema.step_of(plan[number - 1])
    texts = [str(step.get(name) or "") for name in ("description", "expected", "verification")]
    paths = [word.strip("`\"'(),;") for text in texts for word in text.split() if "." in word]
    hits = triggers.exact(lessons, tool="Bash", command=texts[2], error="\n".join(texts[:2]))
    for path in paths[:_MOST_PATHS]:
        hits += triggers.exact(lessons, path=path)
    try:
        hits += store.search(
            project.root, lessons, "\n".join(texts), most=MOST, threshold=store.THRESHOLD
        )
    except EdgeError as error:
        os.write(2, f"operators-edge: lessons of the step: {error.message}\n".encode())
    return list(dict.fromkeys(hit.number for hit in hits))[:MOST]


def _lessons(project: Project) -> Sequence[Any]:
    """The memory; a state that cannot be read is said by whatever acts on it, not by every call."""
    try:
        memory = project.state.read_fast().get("memory")
    except EdgeError as error:
        os.write(2, f"operators-edge: no lessons were looked for: {error.message}\n".encode())
        return []
    return memory if isinstance(memory, list) else []


def _about(call: Call) -> tuple[str, str]:
    command = call.input.get("command")
    path = call.input.get("file_path") or call.input.get("notebook_path")
    whole = os.path.join(call.cwd, path) if isinstance(path, str) and path else ""
    return (command if isinstance(command, str) else "", whole)


def _tell(project: Project, call: Call, hits: Sequence[Hit], *, when: str) -> str:
    if not hits:
        return ""
    from operators_edge.state.lesson import key_of  # noqa: PLC0415 - few calls get as far
    from operators_edge.text.wording import one_line  # noqa: PLC0415

    told: list[str] = []
    for hit in hits:
        key = key_of(hit.lesson)
        if len(told) == MOST:
            break
        if not hit.lesson["lesson"] or not project.registry.first_time(
            call.session, f"lesson-{key}"
        ):
            continue
        told.append(
            f"- {one_line(hit.lesson['lesson'], MOST_CHARACTERS)} ({one_line(hit.why, 80)})"
        )
        data = {"key": key, "when": when, "why": hit.why}
        project.log.append(
            {
                "event": "lesson_told",
                "session": call.session,
                "data": data,
                "tool": call.tool,
                "agent": call.agent,
                "tool_use_id": call.id,
            }
        )
    if not told:
        return ""
    return "\n".join(["Operator's Edge, learned earlier in this project:", *told])
