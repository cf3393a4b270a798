"""The briefing of a session that begins: intent, pending decisions, evidence, and what happened before.

Pure. The most important first, within a token budget, and nothing that the repository itself shows. Does not
own where it is shown (``hosts``), which session was the previous one (``sessions.start``) or how observations
are made (``evidence.session_facts``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.evidence.tamper import model as tamper_model
from operators_edge.memory import mismatches
from operators_edge.model import CONTEXT_TOKENS as DEFAULT_BUDGET, OF_TASK
from operators_edge.plan import modes, notes as plan_notes
from operators_edge.state import lesson, schema
from operators_edge.text.wording import as_text, many, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from operators_edge.errors import EdgeError
    from operators_edge.model import State

CHARACTERS_PER_TOKEN, BYTES_PER_TOKEN = 4, 3
"""An estimate: characters of ASCII text, bytes of everything else.

The client's tokenizer is not public; a Chinese character is three bytes, and about one token.
"""

SUBAGENT_BUDGET = 150
"""Tokens for a subagent: it gets its task from the main agent, and does not need the session's history."""

_LINE_LIMITS = (240, 160, 110)
"""Characters of a line: if the text is too long, all lines are shortened before one is left out."""

_LEAST_LIMITS = (110, 80, 55, 40)
"""The same for the needed lines, before one of those is left out."""

# The priority of a line; lines of equal priority are left out from the end.
_FIRST, _NEEDED, _IN_TURN = 0, 1, 2

_SHOWN = 3
"""Entries shown of stale claims, mismatches, lessons and so on; the rest is counted."""

_HEAD = "Operator's Edge, from this project's record:"


class PastSession(NamedTuple):
    """What was observed of the previous session or, with ``is_own``, of this one so far.

    One that continues counts as cleanly ended, unless it was cut off. ``request`` and ``answer``: what the
    person asked last, and what the agent said last.
    """

    observations: dict[str, Any]
    ended_cleanly: bool
    is_own: bool = False
    request: str = ""
    answer: str = ""


class RecordFacts(NamedTuple):
    """What the log adds to the state.

    ``doubts`` are completed steps whose claim no longer holds, ``failing`` checks that have not passed since,
    ``verified`` the last check that passed and whether it still counts, each a sentence. ``others`` is the
    number of other sessions running in this tree; what they did is not shown. ``asks_elsewhere``: the pending
    decision was raised by another session. ``concerned`` are the numbers of the lessons about the current
    step, the best first; ``tasks`` is how those of the Bridge stand.
    """

    last: PastSession | None = None
    doubts: Sequence[str] = ()
    failing: Sequence[str] = ()
    verified: str = ""
    others: int = 0
    asks_elsewhere: bool = False
    concerned: Sequence[int] = ()
    tasks: str = ""


_NOTHING = RecordFacts()


class _Line(NamedTuple):
    text: str
    need: int = _IN_TURN


def estimate_tokens(text: str) -> int:
    return -(-_weight(text) // CHARACTERS_PER_TOKEN)


def _weight(text: str) -> int:
    """Its length in ASCII characters of equal token count."""
    if text.isascii():
        return len(text)
    plain = sum(each.isascii() for each in text)
    other = len(text.encode("utf-8", "replace")) - plain
    return plain + -(-other * CHARACTERS_PER_TOKEN // BYTES_PER_TOKEN)


def build(state: State, known: RecordFacts = _NOTHING, *, budget: int = DEFAULT_BUDGET) -> str:
    """The text for the host's context; "" if there is nothing to show.

    If it is too long, lines are shortened first; then whole lines are left out, and their number is shown. A
    pending decision, claims that no longer hold, the last verification and an unclean end are kept longest.
    """
    first, *others = [*_listed(known.doubts, "claim", "edge proof ledger"), ""]
    lines = [
        *_intent(state),
        *_waiting(state, known),
        _Line(first, _FIRST),
        *(_Line(each, _NEEDED) for each in others),
        _Line(f"Verified: {known.verified}" if known.verified else "", _FIRST),
        *(_Line(f"Fails: {each}", _NEEDED) for each in known.failing[:_SHOWN]),
        *_last_exchange(state, known),
        *map(_Line, _blocked(state)),
        *map(_Line, _next(state)),
        *map(_Line, _questions(state)),
        *map(_Line, _mismatches(state)),
        *map(_Line, _constraints(state)),
        *map(_Line, _remarks(state)),
        *_past(known),
        *map(_Line, _lessons(state, known.concerned)),
    ]
    return _fitted(lines, budget)


def for_subagent(
    state: State, known: RecordFacts = _NOTHING, *, budget: int = SUBAGENT_BUDGET
) -> str:
    """What a subagent is shown: the purpose of the work, and its constraints."""
    rest = [*_constraints(state), *_lessons(state, known.concerned)]
    return _fitted([*_intent(state), *_waiting(state, known), *map(_Line, rest)], budget)


def problem_line(what: str, error: EdgeError) -> str:
    """What could not be recorded or read, and what to do."""
    return f"Operator's Edge: {what}: {error.message}. {error.hint}".strip()


def _fitted(all_lines: Sequence[_Line], budget: int) -> str:
    # Stored texts can be long, and are shortened repeatedly below: cut them once to the maximum here.
    cut = (each._replace(text=_cut(each.text, _LINE_LIMITS[0])) for each in all_lines)
    lines = [each for each in cut if each.text]
    if not lines:
        return ""
    everything = range(len(lines))
    for limit in _LINE_LIMITS:
        text = _text(lines, everything, limit)
        if estimate_tokens(text) <= budget:
            return text
    return _most_needed(lines, budget)


def _most_needed(lines: Sequence[_Line], budget: int) -> str:
    """As many lines as fit, the most needed first."""
    everything = range(len(lines))
    needed = [n for n in everything if lines[n].need < _IN_TURN]
    by_need = sorted(everything, key=lambda n: lines[n].need)
    for limit in _LEAST_LIMITS:
        if estimate_tokens(_text(lines, needed, limit)) <= budget:
            break
    kept: list[int] = []
    for number in by_need:
        if estimate_tokens(_text(lines, [*kept, number], limit)) > budget:
            break
        kept.append(number)
    return _text(lines, kept, limit) if kept else ""


def _text(lines: Sequence[_Line], kept: Iterable[int], limit: int) -> str:
    """The kept lines in their order, and the number of others."""
    numbers = sorted(kept)
    left = len(lines) - len(numbers)
    rest = [f"({many(left, 'line')} more: edge status)"] if left else []
    return "\n".join([_HEAD, *(_cut(lines[n].text, limit) for n in numbers), *rest])


# -- its parts -------------------------------------------------------------------------------------


def _intent(state: State) -> Iterator[_Line]:
    if not as_text(state.get("objective")):
        return
    yield _Line(f"Objective: {state['objective']} (mode {modes.current(state)})", _FIRST)
    plan = state.get("plan") or []
    number = schema.current_step(state)
    if 1 <= number <= len(plan):
        step = schema.step_of(plan[number - 1])
        status = step.get("status", "pending")
        yield _Line(
            f"Step {number} of {len(plan)}, {status}: {step.get('description', '')}", _NEEDED
        )
        if as_text(step.get("expected")):
            yield _Line(f"  expected: {step['expected']}")
    elif plan:
        yield _Line(f"All {len(plan)} steps are marked completed.", _NEEDED)


def _next(state: State) -> Iterator[str]:
    if as_text(state.get("next_action")):
        yield f"Next: {state['next_action']}"


def _last_exchange(state: State, known: RecordFacts) -> Iterator[_Line]:
    """The last request and answer: without a plan they are all that shows what the work is about."""
    if known.last is None:
        return
    need = _IN_TURN if state.get("plan") else _NEEDED
    yield _Line(f"Asked last: {known.last.request}" if known.last.request else "", need)
    yield _Line(f"Answered last: {known.last.answer}" if known.last.answer else "", need)


def _blocked(state: State) -> Iterator[str]:
    current = schema.current_step(state)
    for number, each in enumerate(state.get("plan") or [], 1):
        step = schema.step_of(each)
        if step.get("status") != "blocked":
            continue
        why = as_text(step.get("blocked_by"))
        if number != current:
            yield f"Step {number}, blocked: {step.get('description', '')}{f' ({why})' if why else ''}"
        elif why:
            yield f"  blocked by: {why}"


def _questions(state: State) -> list[str]:
    """Questions without an answer, and critical research that is open: work may wait for them."""
    open_ones = [each.text for each in plan_notes.open_questions(state)]
    asked = _listed(open_ones, "open question", "edge question list", "Open question: ")
    topics = critical_research(state)
    return [
        *asked,
        *_listed(topics, "critical research", "edge research list", "Critical research: "),
    ]


def critical_research(state: State) -> list[str]:
    """The topics of critical research that is not completed."""
    return [
        as_text(each.get("topic"))
        for each in schema.maps(state.get("research"))
        if each.get("priority") == "critical" and each.get("status") != "completed"
    ]


def _remarks(state: State) -> list[str]:
    """Risks that are active, and the newest notes."""
    written = state.get("risks")
    risks = [
        plan_notes.text_of(plan_notes.RISK, each)
        for each in (written if isinstance(written, list) else [])
        if not isinstance(each, dict) or each.get("status") in (None, "", "active")
    ]
    notes = plan_notes.texts(state, plan_notes.NOTE)[::-1]
    return [
        *_listed(risks, "risk", "edge risk list", "Risk: ", shown=2),
        *_listed(notes, "note", "edge note list", "Note: ", shown=2),
    ]


def _waiting(state: State, known: RecordFacts) -> Iterator[_Line]:
    junction = state.get("junction")
    if isinstance(junction, dict) and junction:
        shown = junction.get("shown") or junction.get("reason", "")
        whose = ", asked in another session" if known.asks_elsewhere else ""
        if str(junction.get("session") or "").startswith(OF_TASK):
            whose = ", asked by a task of the Bridge"
        yield _Line(
            f"Waits for a person's decision ({junction.get('type', '')}{whose}): {shown}", _FIRST
        )
    if left := schema.maps(state.get("left_questions")):
        last = left[-1].get("shown") or left[-1].get("reason", "")
        more = f", and {len(left) - 1} more" if len(left) > 1 else ""
        is_of_task = str(left[-1].get("session") or "").startswith(OF_TASK)
        who = "A task of the Bridge waits for a decision" if is_of_task else _LEFT_OPEN
        yield _Line(f"{who}: {last}{more} (edge status)")
    yield _Line(f"Bridge: {known.tasks}" if known.tasks else "")


_LEFT_OPEN = "An ended session left a decision open"


def _listed(
    texts: Sequence[str], noun: str, command: str, head: str = "", *, shown: int = _SHOWN
) -> list[str]:
    """The first few, how many more there are, and the command that lists them."""
    lines = [f"{head}{each}" for each in texts[:shown]]
    if len(texts) > shown:
        rest = len(texts) - shown
        lines.append(f"  and {many(rest, noun)} more: {command}")
    return lines


def _mismatches(state: State) -> list[str]:
    texts = [mismatches.text_of(each) for _, each in mismatches.unresolved(state)]
    return _listed(texts, "open mismatch", mismatches.LIST, "Open mismatch: ")


def _constraints(state: State) -> list[str]:
    texts = plan_notes.texts(state, plan_notes.CONSTRAINT)
    return _listed(texts, "constraint", "edge constraint list", "Constraint: ", shown=5)


def _past(known: RecordFacts) -> Iterator[_Line]:
    """What happened; a line about a session that was cut off is needed."""
    is_unclean = known.last is not None and not known.last.ended_cleanly
    for each in activity_lines(known):
        is_about_it = is_unclean and known.last is not None and each.startswith(_whose(known.last))
        yield _Line(each, _NEEDED if is_about_it else _IN_TURN)


def activity_lines(known: RecordFacts) -> Iterator[str]:
    """What the previous session did, and that others are running."""
    if known.others:
        who = "Another session is" if known.others == 1 else f"{known.others} other sessions are"
        yield f"{who} at work in this tree now; files may change under your hands."
    last = known.last
    if last is None:
        return
    seen = last.observations
    files = list(seen.get("files_modified") or [])
    used = sum((seen.get("tools_used") or {}).values())
    yield f"{_whose(last)}: {many(used, 'tool use')}, {many(len(files), 'file')} modified."
    yield from _files(files)
    yield from _tests(seen, has_changes=bool(files))
    yield from (f"  checks: {each}" for each in tamper_model.summary(seen.get("tampering") or []))
    failed = seen.get("commands_failed") or []
    if failed:
        yield f"  failed commands: {len(failed)}, last: {_command(failed[-1])}"


def _files(modified: Sequence[str]) -> Iterator[str]:
    if modified:
        more = f" and {len(modified) - 6} more" if len(modified) > 6 else ""
        yield f"  modified: {', '.join(modified[:6])}{more}"


def _tests(seen: Mapping[str, Any], *, has_changes: bool) -> Iterator[str]:
    if seen.get("tests_run"):
        outcomes: dict[Any, str] = {True: "passed", False: "failed"}
        yield f"  tests: run, last run {outcomes.get(seen.get('tests_passed'), 'outcome unknown')}"
    elif has_changes:
        yield "  tests: no run observed"


def _whose(last: PastSession) -> str:
    if last.ended_cleanly:
        return "This session so far" if last.is_own else "Last session (ended cleanly)"
    who = "This session before it was resumed" if last.is_own else "Last session"
    return f"{who} (did not end cleanly; this is derived from its log)"


def _command(failed: Any) -> str:
    return str(failed.get("command", "")) if isinstance(failed, dict) else str(failed)


# -- lessons ---------------------------------------------------------------------------------------


def _lessons(state: State, concerned: Sequence[int]) -> list[str]:
    """Lessons about the current step, then the best ones; any other is shown when it is relevant (LC-1)."""
    lessons = lesson.listed(state.get("memory"))
    first = [number for number in concerned if 1 <= number <= len(lessons)]
    others = (number for number in range(1, len(lessons) + 1) if number not in first)
    best = sorted(others, key=lambda number: lesson_rank(lessons[number - 1]), reverse=True)
    shown = [number for number in [*first, *best] if lessons[number - 1]["lesson"]][:_SHOWN]
    return [_lesson(lessons[number - 1], is_of_step=number in first) for number in shown]


def _lesson(entry: Mapping[str, Any], *, is_of_step: bool) -> str:
    head = "Lesson for this step" if is_of_step else "Lesson"
    return ": ".join(filter(None, [head, entry["trigger"], entry["lesson"]]))


def lesson_rank(entry: Mapping[str, Any]) -> tuple[bool, int, str]:
    """The sort key of a lesson: how well it has proved itself."""
    return lesson.is_evergreen(entry), lesson.reinforced(entry), str(entry.get("last_used") or "")


def _cut(line: str, limit: int) -> str:
    """One line of limited length in tokens: what people and agents write may contain anything."""
    indent = "  " if line.startswith("  ") else ""
    room = limit - len(indent)
    flat = one_line(line, room)
    while _weight(flat) > room:
        over = _weight(flat) - room
        flat = one_line(flat[: -max(2, over // 6)] + "…", room)
    return indent + flat


# end of module
