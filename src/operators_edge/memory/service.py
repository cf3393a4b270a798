"""Lessons shown when they are needed: with the call that one is about, and with a known failure (LC-1).

Owns which are shown: exact triggers first, then words above a threshold, at most three, each once a session.
Does not own triggers (``memory.triggers``), ranking (``memory.store``) or lessons (``memory.lessons``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from operators_edge.errors import EdgeError
from operators_edge.evidence.checks.run import exit_code
from operators_edge.memory import trigger_cache, triggers
from operators_edge.memory.trigger_cache import command_and_path
from operators_edge.state import lesson, schema
from operators_edge.text.wording import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.model import Call, State
    from operators_edge.project import Project
    from operators_edge.state.lesson import Hit

MAX_SHOWN = 3
MAX_CHARACTERS = 440
"""Of one lesson: about 110 tokens, and its head."""

MAX_ERROR = 2_000
_MAX_PATHS = 8
"""Words of a step that are tried as paths."""


def before(project: Project, call: Call) -> str:
    """The text to show the agent with a call that ``trigger_cache`` lets through; "" for nearly every one."""
    command, path = command_and_path(call)
    hits = triggers.exact_hits(prepare(project), tool=call.tool, command=command, path=path)
    return _show(project, call, hits, when="before")


def prepare(project: Project) -> Sequence[Any]:
    """Refresh the trigger cache; returns the lessons."""
    stamp = trigger_cache.stamp_of(project.root)
    lessons = _lessons(project)
    trigger_cache.save(project.root, stamp, triggers.trigger_words(lessons))
    return lessons


def after_failure(project: Project, call: Call, *, error: str) -> str:
    """The text to show the agent with a failure that a lesson is about, else ""."""
    lessons = _lessons(project)
    if not lessons:
        return ""
    command, path = command_and_path(call)
    code = exit_code(call.tool, error)
    hits = triggers.exact_hits(
        lessons, tool=call.tool, command=command, path=path, error=error, exit_code=code
    )
    if len(hits) < MAX_SHOWN:
        known = {hit.number for hit in hits}
        by_words = _found_by_words(project, lessons, error[-MAX_ERROR:])
        hits = [*hits, *(hit for hit in by_words if hit.number not in known)]
    return _show(project, call, hits, when="failure")


def for_step(project: Project, state: State) -> list[int]:
    """The numbers of the lessons that concern the current step, the best first.

    The briefing shows them. That does not count as shown with a call: there is no call yet whose outcome
    could prove that they help, so they are shown again with the call that they are about.
    """
    plan, number = state.get("plan") or [], schema.current_step(state)
    lessons = lesson.listed(state.get("memory"))
    if not lessons or not 1 <= number <= len(plan):
        return []
    step = schema.step_of(plan[number - 1])
    texts = [str(step.get(name) or "") for name in ("description", "expected", "verification")]
    paths = [word.strip("`\"'(),;") for text in texts for word in text.split() if "." in word]
    hits = triggers.exact_hits(lessons, tool="Bash", command=texts[2], error="\n".join(texts[:2]))
    for path in paths[:_MAX_PATHS]:
        hits += triggers.exact_hits(lessons, path=path)
    try:
        hits += _found_by_words(project, lessons, "\n".join(texts))
    except EdgeError as error:
        os.write(2, f"operators-edge: lessons of the step: {error.message}\n".encode())
    return list(dict.fromkeys(hit.number for hit in hits))[:MAX_SHOWN]


def _found_by_words(project: Project, lessons: Sequence[Any], text: str) -> list[Hit]:
    from operators_edge.memory import store  # noqa: PLC0415 - loads SQLite

    return store.search(project.root, lessons, text, limit=MAX_SHOWN, threshold=store.THRESHOLD)


def _lessons(project: Project) -> Sequence[Any]:
    """The memory; [] for a state that cannot be read, which other commands report as an error."""
    try:
        memory = project.state.read().get("memory")
    except EdgeError as error:
        os.write(2, f"operators-edge: lessons could not be read: {error.message}\n".encode())
        return []
    return memory if isinstance(memory, list) else []


def _show(project: Project, call: Call, hits: Sequence[Hit], *, when: str) -> str:
    lines: list[str] = []
    for hit in hits:
        key = lesson.key_of(hit.lesson)
        if len(lines) == MAX_SHOWN:
            break
        if not hit.lesson["lesson"] or not project.registry.first_time(
            call.session, f"lesson-{key}"
        ):
            continue
        lines.append(
            f"- {one_line(hit.lesson['lesson'], MAX_CHARACTERS)} ({one_line(hit.why, 80)})"
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
    if not lines:
        return ""
    return "\n".join(["Operator's Edge, learned earlier in this project:", *lines])


# end of module
