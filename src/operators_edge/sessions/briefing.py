"""What a session is told when it begins: intent, what waits, what is proven, what really happened.

Pure. Most important first, within a token budget, and nothing that can be read off the repository itself.
Does not own where it is shown (``hosts``), whose session was the last one (``sessions.session``) or how
observations come about (``evidence.session_facts``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.evidence.tamper import detect
from operators_edge.memory import mismatches
from operators_edge.model import CONTEXT_TOKENS as DEFAULT_BUDGET
from operators_edge.plan import modes
from operators_edge.state import lesson, schema
from operators_edge.text.wording import as_text, many, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from operators_edge.model import State

CHARACTERS_PER_TOKEN, BYTES_PER_TOKEN = 4, 3
"""A plain estimate: characters of English and paths, bytes of all that is not ASCII.

The client's tokenizer is not public; a sign of Chinese is three bytes, and about one token.
"""

SUBAGENT_BUDGET = 150
"""Tokens for a subagent: it is given its task by another one, and has no use for the session's story."""

_LINE_LIMITS = (240, 160, 110)
"""Characters of a line: where all of it does not fit, every line is cut shorter before one is left out."""

_LEAST_LIMITS = (110, 80, 55, 40)
"""The same for the lines that are needed, before one of those is left out."""

# How much a line is needed; below the last of these in the order in which they stand.
_FIRST, _NEEDED, _IN_TURN = 0, 1, 2

_SHOWN = 3
"""Stale claims, mismatches, lessons and the like; the rest is counted."""

_HEAD = "Operator's Edge, from this project's record:"


class PastSession(NamedTuple):
    """A session as observed: the one before this one, or with ``is_own`` this very one so far.

    One that goes on counts as ended cleanly, as long as nothing cut it off.
    """

    observations: dict[str, Any]
    ended_cleanly: bool
    is_own: bool = False


class RecordFacts(NamedTuple):
    """What the record knows beside the state.

    ``doubts`` are completed steps whose claim does not hold any more, ``verified`` the last check that
    passed and how it stands now, each a sentence. ``others`` counts sessions that are at work in this tree
    right now; of what they did nothing is told. ``asks_elsewhere``: a waiting decision is another session's.
    ``concerned`` are the numbers of the lessons that the current step is about, the best first.
    """

    last: PastSession | None = None
    doubts: Sequence[str] = ()
    verified: str = ""
    others: int = 0
    asks_elsewhere: bool = False
    concerned: Sequence[int] = ()


_NOTHING = RecordFacts()


class _Line(NamedTuple):
    text: str
    need: int = _IN_TURN


def estimate_tokens(text: str) -> int:
    return -(-_weight(text) // CHARACTERS_PER_TOKEN)


def _weight(text: str) -> int:
    """Its length in characters of English."""
    if text.isascii():
        return len(text)
    plain = sum(each.isascii() for each in text)
    other = len(text.encode("utf-8", "replace")) - plain
    return plain + -(-other * CHARACTERS_PER_TOKEN // BYTES_PER_TOKEN)


def build(state: State, known: RecordFacts = _NOTHING, *, budget: int = DEFAULT_BUDGET) -> str:
    """The text for the host's context; "" where nothing is worth a word.

    What does not fit is cut shorter first; then whole lines are left out from the end, which is said. What
    waits, what does not hold any more, what was verified last and an unclean end go last of all.
    """
    first, *others = [*_listed(known.doubts, "claim", "edge proof ledger"), ""]
    lines = [
        *_intent(state),
        *_waiting(state, known),
        _Line(first, _FIRST),
        *(_Line(each, _NEEDED) for each in others),
        _Line(f"Verified: {known.verified}" if known.verified else "", _FIRST),
        *map(_Line, _next(state)),
        *map(_Line, _mismatches(state)),
        *map(_Line, _constraints(state)),
        *_past(known),
        *map(_Line, _lessons(state, known.concerned)),
    ]
    return _fitted(lines, budget)


def for_subagent(
    state: State, known: RecordFacts = _NOTHING, *, budget: int = SUBAGENT_BUDGET
) -> str:
    """What a subagent is told: what it is all for, and the bounds it works in."""
    beside = [*_constraints(state), *_lessons(state, known.concerned)]
    return _fitted([*_intent(state), *_waiting(state, known), *map(_Line, beside)], budget)


def _fitted(all_lines: Sequence[_Line], budget: int) -> str:
    # A text of somebody's can be long, and is cut again and again below: here once, to what it can be.
    found = (each._replace(text=_cut(each.text, _LINE_LIMITS[0])) for each in all_lines)
    lines = [each for each in found if each.text]
    if not lines:
        return ""
    everything = range(len(lines))
    for limit in _LINE_LIMITS:
        text = _text(lines, everything, limit)
        if estimate_tokens(text) <= budget:
            return text
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
    """The kept lines in their order, and how many are left out."""
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


def _waiting(state: State, known: RecordFacts) -> Iterator[_Line]:
    junction = state.get("junction")
    if isinstance(junction, dict) and junction:
        shown = junction.get("shown") or junction.get("reason", "")
        whose = ", asked in another session" if known.asks_elsewhere else ""
        yield _Line(
            f"Waits for a person's decision ({junction.get('type', '')}{whose}): {shown}", _FIRST
        )


def _listed(
    texts: Sequence[str], noun: str, command: str, head: str = "", *, shown: int = _SHOWN
) -> list[str]:
    """The first few, and how many more there are where."""
    lines = [f"{head}{each}" for each in texts[:shown]]
    if len(texts) > shown:
        rest = len(texts) - shown
        lines.append(f"  and {many(rest, noun)} more: {command}")
    return lines


def _mismatches(state: State) -> list[str]:
    texts = [mismatches.text_of(each) for _, each in mismatches.unresolved(state)]
    return _listed(texts, "open mismatch", mismatches.LIST, "Open mismatch: ")


def _constraints(state: State) -> list[str]:
    found = state.get("constraints")
    listed = found if isinstance(found, list) else [found]
    texts = [text for text in map(_constraint, listed) if text]
    return _listed(texts, "constraint", "edge constraint list", "Constraint: ", shown=5)


def _constraint(entry: Any) -> str:
    return as_text(entry.get("constraint") if isinstance(entry, dict) else entry)


def _past(known: RecordFacts) -> Iterator[_Line]:
    """What happened, as it is told here; that something was cut off is needed."""
    is_unclean = known.last is not None and not known.last.ended_cleanly
    for each in activity_lines(known):
        is_it = is_unclean and known.last is not None and each.startswith(_whose(known.last))
        yield _Line(each, _NEEDED if is_it else _IN_TURN)


def activity_lines(known: RecordFacts) -> Iterator[str]:
    """What the session before did, and that others are at work."""
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
    if files:
        more = f" and {len(files) - 6} more" if len(files) > 6 else ""
        yield f"  modified: {', '.join(files[:6])}{more}"
    if seen.get("tests_run"):
        outcomes: dict[Any, str] = {True: "passed", False: "failed"}
        outcome = outcomes.get(seen.get("tests_passed"), "outcome unknown")
        yield f"  tests: run, last run {outcome}"
    elif files:
        yield "  tests: no run observed"
    yield from (f"  checks: {each}" for each in detect.summary(seen.get("tampering") or []))
    failed = seen.get("commands_failed") or []
    if failed:
        yield f"  failed commands: {len(failed)}, last: {_command(failed[-1])}"


def _whose(last: PastSession) -> str:
    if last.ended_cleanly:
        return "This session so far" if last.is_own else "Last session (ended cleanly)"
    who = "This session before it was resumed" if last.is_own else "Last session"
    return f"{who} (did not end cleanly; this is derived from its log)"


def _command(failed: Any) -> str:
    return str(failed.get("command", "")) if isinstance(failed, dict) else str(failed)


# -- lessons ---------------------------------------------------------------------------------------


def _lessons(state: State, concerned: Sequence[int]) -> list[str]:
    """Those that the step is about, then the ones that proved themselves most.

    Every other one comes when it is concerned (LC-1).
    """
    there = lesson.listed(state.get("memory"))
    first = [number for number in concerned if 1 <= number <= len(there)]
    others = (number for number in range(1, len(there) + 1) if number not in first)
    best = sorted(others, key=lambda number: lesson_rank(there[number - 1]), reverse=True)
    told = [number for number in [*first, *best] if there[number - 1]["lesson"]][:_SHOWN]
    return [_lesson(there[number - 1], is_of_step=number in first) for number in told]


def _lesson(one: Mapping[str, Any], *, is_of_step: bool) -> str:
    head = "Lesson for this step" if is_of_step else "Lesson"
    return ": ".join(filter(None, [head, one["trigger"], one["lesson"]]))


def lesson_rank(one: Mapping[str, Any]) -> tuple[bool, int, str]:
    """By what a lesson comes before another one: how far it proved itself."""
    return lesson.is_evergreen(one), lesson.reinforced(one), str(one.get("last_used") or "")


def _cut(line: str, limit: int) -> str:
    """One line of bounded weight: what people and agents write may hold anything."""
    indent = "  " if line.startswith("  ") else ""
    room = limit - len(indent)
    flat = one_line(line, room)
    while _weight(flat) > room:
        over = _weight(flat) - room
        flat = one_line(flat[: -max(2, over // 6)] + "…", room)
    return indent + flat
