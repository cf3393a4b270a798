"""Lessons shown when they are needed: with the call that one is about, and with a known failure (LC-1).

Owns which are shown: exact triggers first, then words above a threshold, at most three, each once a session.
The project's and the person's own are searched together. Does not own triggers (``memory.triggers``), ranking
(``memory.store``) or lessons (``memory.lessons``, ``memory.person_store``).
"""

from __future__ import annotations

from operators_edge.errors import EdgeError
from operators_edge.evidence.checks.run import exit_code
from operators_edge.memory import person_store, trigger_cache, triggers
from operators_edge.memory.trigger_cache import command_and_path
from operators_edge.state import lesson, schema
from operators_edge.text.wording import one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from operators_edge.model import Call, State
    from operators_edge.project import Project
    from operators_edge.state.lesson import Hit

MAX_SHOWN = 3
MAX_CHARACTERS = 440
"""Of one lesson: about 110 tokens, and its head."""

MAX_ERROR = 2_000
_MAX_PATHS = 8
"""Words of a step that are tried as paths."""


class Known(NamedTuple):
    """The lessons that can be shown in a project: ``all`` of them, its own ones first, and their number.

    ``is_whole`` is False if the state could not be read.
    """

    all: Sequence[Any]
    of_project: int = 0
    is_whole: bool = True

    def origin(self, hit: Hit) -> str:
        """Whose it is, if not the project's: "the person's own, from api"."""
        if hit.number <= self.of_project:
            return ""
        source = one_line(str(hit.lesson.get("from") or ""), 40)
        return f"the person's own, from {source}" if source else "the person's own"


def before(project: Project, call: Call) -> str:
    """The text to show the agent with a call that ``trigger_cache`` lets through; "" for nearly every one."""
    return _show(project, call, _of_call(project, call), when="before")


def with_denial(project: Project, call: Call) -> str:
    """The same for a call that is denied or put before a person: what matters then is shown each time."""
    return _show(project, call, _of_call(project, call), when="denied")


def about(project: Project, call: Call) -> list[str]:
    """The lessons about such calls, for the person who decides on one."""
    known, hits = _of_call(project, call)
    texts = {
        hit.lesson["lesson"]: known.origin(hit) or "a lesson of this project"
        for hit in reversed(hits)
        if hit.lesson["lesson"]
    }
    return [f"{text} ({origin})" for text, origin in reversed(texts.items())][:MAX_SHOWN]


def _of_call(project: Project, call: Call) -> tuple[Known, list[Hit]]:
    command, path = command_and_path(call)
    known = prepare(project)
    return known, triggers.exact_hits(known.all, tool=call.tool, command=command, path=path)


def prepare(project: Project) -> Known:
    """Refresh the trigger cache; returns the lessons."""
    stamp = trigger_cache.stamp_of(project.root)
    known = _known(project)
    if known.is_whole:
        trigger_cache.save(project.root, stamp, triggers.trigger_words(known.all))
    return known


def is_state_damaged(project: Project) -> bool:
    """Whether the state cannot be read now; it is only tried if it has changed since it could."""
    return not trigger_cache.is_state_known(project.root) and not prepare(project).is_whole


def after_failure(project: Project, call: Call, *, error: str) -> str:
    """The text to show the agent with a failure that a lesson is about, else ""."""
    known = _known(project)
    if not known.all:
        return ""
    command, path = command_and_path(call)
    hits = about_failure(
        project.root,
        known.all,
        error=error,
        exit_code=exit_code(call.tool, error),
        tool=call.tool,
        command=command,
        path=path,
    )
    return _show(project, call, (known, hits), when="failure")


def about_failure(
    root: str, lessons: Sequence[Any], *, error: str, exit_code: int | None, **call: str
) -> list[Hit]:
    """The lessons about a failure, by their triggers and then by words; ``call``: tool, command and path.

    One that names another error or exit code is not found by its words.
    """
    hits = triggers.exact_hits(lessons, error=error, exit_code=exit_code, **call)
    if len(hits) >= MAX_SHOWN:
        return hits
    known = {hit.number for hit in hits}
    return [
        *hits,
        *(
            hit
            for hit in _found_by_words(root, lessons, error[-MAX_ERROR:])
            if hit.number not in known and not triggers.names_a_failure(lessons[hit.number - 1])
        ),
    ]


def for_step(project: Project, state: State) -> list[tuple[lesson.Lesson, str]]:
    """The lessons that concern the current step, the best first, each with whose it is if not the project's.

    The briefing shows them. That does not count as shown with a call: there is no call yet whose outcome
    could prove that they help, so they are shown again with the call that they are about.
    """
    plan, number = state.get("plan") or [], schema.current_step(state)
    of_project = lesson.listed(state.get("memory"))
    known = Known([*of_project, *_of_person()], len(of_project))
    lessons = known.all
    if not lessons or not 1 <= number <= len(plan):
        return []
    step = schema.step_of(plan[number - 1])
    texts = [str(step.get(name) or "") for name in ("description", "expected", "verification")]
    paths = [word.strip("`\"'(),;") for text in texts for word in text.split() if "." in word]
    hits = triggers.exact_hits(lessons, tool="Bash", command=texts[2], error="\n".join(texts[:2]))
    for path in paths[:_MAX_PATHS]:
        hits += triggers.exact_hits(lessons, path=path)
    try:
        hits += _found_by_words(project.root, lessons, "\n".join(texts))
    except EdgeError as error:
        from operators_edge.text import outgoing  # noqa: PLC0415 - only after a failure

        outgoing.to_stderr(f"lessons of the step: {error.message}")
    first = {lesson.key_of(hit.lesson): hit for hit in reversed(hits) if hit.lesson["lesson"]}
    return [(hit.lesson, known.origin(hit)) for hit in reversed(first.values())][:MAX_SHOWN]


def _found_by_words(root: str, lessons: Sequence[Any], text: str) -> list[Hit]:
    from operators_edge.memory import store  # noqa: PLC0415 - loads SQLite

    return store.search(root, lessons, text, limit=MAX_SHOWN, threshold=store.THRESHOLD)


def _known(project: Project) -> Known:
    """The lessons; none from a state that cannot be read, which other commands report as an error."""
    try:
        memory = project.state.read().get("memory")
    except EdgeError as error:
        _report(error)
        return Known(_of_person(), is_whole=False)
    of_project = memory if isinstance(memory, list) else []
    return Known([*of_project, *_of_person()], len(of_project))


def _of_person() -> list[lesson.Lesson]:
    """The person's own; none from a file that cannot be read, which ``edge lesson`` reports as an error."""
    try:
        return person_store.read()
    except EdgeError as error:
        _report(error)
        return []


def _report(error: EdgeError) -> None:
    from operators_edge.text import outgoing  # noqa: PLC0415 - only after a failure

    outgoing.to_stderr(f"lessons could not be read: {error.message}")


def _show(project: Project, call: Call, found: tuple[Known, Sequence[Hit]], *, when: str) -> str:
    """The lessons as text, each once a session, with a denial each time; what is shown first is logged."""
    known, hits = found
    lines: dict[str, str] = {}
    for hit in hits:
        key, text = lesson.key_of(hit.lesson), hit.lesson["lesson"]
        if len(lines) == MAX_SHOWN:
            break
        is_first = bool(text) and project.registry.first_time(call.session, f"lesson-{key}")
        if is_first:
            _log_shown(project, call, hit, when=when)
        if is_first or (text and when == "denied"):
            why = "; ".join(filter(None, [one_line(hit.why, 80), known.origin(hit)]))
            lines.setdefault(key, f"- {one_line(text, MAX_CHARACTERS)} ({why})")
    if not lines:
        return ""
    where = "" if any(map(known.origin, hits)) else " in this project"
    return "\n".join([f"Operator's Edge, learned earlier{where}:", *lines.values()])


def _log_shown(project: Project, call: Call, hit: Hit, *, when: str) -> None:
    command, path = command_and_path(call)
    data: dict[str, Any] = {"key": lesson.key_of(hit.lesson), "when": when, "why": hit.why}
    data |= {"command": command, "path": path} if when != "failure" else {}
    if names := triggers.commands_in(hit.lesson["lesson"]):
        data["names"] = names
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


# end of module
