"""The briefing of a session that begins: intent, pending decisions, evidence, and what happened before.

Pure. The most important first, within a token budget, and nothing that the repository itself shows. Does not
own where it is shown (``hosts``), which session was the previous one (``sessions.start``) or how observations
are made (``evidence.session_facts``).
"""

from __future__ import annotations

from operators_edge.evidence.tamper import model as tamper_model
from operators_edge.memory import mismatches
from operators_edge.model import CONTEXT_TOKENS as DEFAULT_BUDGET, OF_TASK
from operators_edge.plan import modes, notes as plan_notes
from operators_edge.sessions import exchange
from operators_edge.state import lesson, schema
from operators_edge.text.gist import gist
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import as_text, many, one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from operators_edge.errors import EdgeError
    from operators_edge.evidence.said import Message
    from operators_edge.evidence.session_facts import LastCall
    from operators_edge.model import State

CHARACTERS_PER_TOKEN, BYTES_PER_TOKEN = 4, 3
"""An estimate: characters of ASCII text, bytes of everything else.

The client's tokenizer is not public; a Chinese character is three bytes, and about one token.
"""

SUBAGENT_BUDGET = 150
"""Tokens for a subagent: it gets its task from the main agent, and does not need the session's history."""

_LONGEST, _LONG, _SHORT, _SHORTEST = 520, 240, 110, 40
"""Characters of a line: of what was said, and of any other. If the text is too long, all lines are shortened,
the needed ones most, before one is left out.
"""

# The priority of a line; lines of equal priority are left out from the end.
_FIRST, _NEEDED, _IN_TURN, _SPARE = 0, 1, 2, 3

_SHOWN = 3
"""Entries shown of stale claims, mismatches, lessons and so on; the rest is counted."""

_REMARKS = 5
"""The same for risks and notes."""

_HEAD = "Operator's Edge, from this project's record (a report, not a request):"


class PastSession(NamedTuple):
    """What was observed of the previous session or, with ``is_own``, of this one so far.

    One that continues counts as cleanly ended, unless it was cut off. ``idle``: how many sessions without
    changes came after it. ``last_call``: with which call it ended.
    """

    observations: dict[str, Any]
    ended_cleanly: bool
    is_own: bool = False
    idle: int = 0
    last_call: LastCall | None = None


class RecordFacts(NamedTuple):
    """What the log adds to the state.

    ``doubts`` are completed steps whose claim no longer holds, ``failing`` checks that have not passed since,
    ``verified`` the last check that passed and whether it still counts, each a sentence. ``said``: requests
    and answers, as the log has them. ``refused``: calls that a person refused. ``others`` is the
    number of other sessions running in this tree; what they did is not shown. ``asks_elsewhere``: the pending
    decision was raised by another session. ``concerned`` are the lessons about the current step, the best
    first, each with whose it is if not the project's; ``tasks`` is how those of the Bridge stand.
    """

    last: PastSession | None = None
    doubts: Sequence[str] = ()
    failing: Sequence[str] = ()
    verified: str = ""
    said: Sequence[Message] = ()
    refused: Sequence[str] = ()
    others: int = 0
    asks_elsewhere: bool = False
    concerned: Sequence[tuple[Mapping[str, Any], str]] = ()
    tasks: str = ""


_NOTHING = RecordFacts()


class _Line(NamedTuple):
    """``said`` follows the text in quotes, shortened by whole sentences."""

    text: str
    need: int = _IN_TURN
    said: str = ""

    def within(self, limit: int) -> str:
        if not self.said:
            return _cut(self.text, min(limit, _LONG))
        room = limit - _weight(self.text) - len(' ""')
        return f'{self.text} "{gist(_plain(self.said), max(room, 1), weigh=_weight)}"'


def estimate_tokens(text: str) -> int:
    return -(-_weight(text) // CHARACTERS_PER_TOKEN)


def _weight(text: str) -> int:
    """Its length in ASCII characters of equal token count."""
    if text.isascii():
        return len(text)
    plain = len(text.encode("ascii", "ignore"))
    other = len(text.encode("utf-8", "replace")) - plain
    return plain + -(-other * CHARACTERS_PER_TOKEN // BYTES_PER_TOKEN)


def build(state: State, known: RecordFacts = _NOTHING, *, budget: int = DEFAULT_BUDGET) -> str:
    """The text for the host's context; "" if there is nothing to show.

    If it is too long, lines are shortened first; then whole lines are left out, and their number is shown. A
    pending decision, claims that no longer hold, the last verification and an unclean end are kept longest.
    """
    first, *others = [*_listed(known.doubts, "claim", "edge log claims"), ""]
    lines = [
        *_intent(state),
        *map(_Line, wanted(state)),
        *_waiting(state, known),
        _Line(first, _FIRST),
        *(_Line(each, _NEEDED) for each in others),
        _Line(known.verified, _FIRST),
        *(_Line(f"Fails: {each}", _NEEDED) for each in known.failing[:_SHOWN]),
        *map(_Line, _blocked(state)),
        *_exchange(state, known),
        *map(_Line, _next(state)),
        *map(_Line, _questions(state)),
        *map(_Line, _mismatches(state)),
        *map(_Line, _constraints(state)),
        *(_Line(f"Refused by a person: {each}") for each in known.refused),
        *_remarks(state),
        *_past(known),
        *map(_Line, _lessons(state, known.concerned)),
        *(_Line(each, _SPARE) for each in _answered(state)),
    ]
    return _fitted(_once(lines), budget)


_WORD = 8
"""Characters of a text that other lines may contain by chance."""


def _once(lines: Iterable[_Line]) -> Iterator[_Line]:
    """The lines without those whose text another one contains."""
    told: list[str] = []
    for each in lines:
        body = each.text.partition(": ")[2].strip().casefold()
        is_told = len(body) > _WORD and any(body in other for other in told)
        if is_told and each.need > _NEEDED:
            continue
        told.append(each.text.casefold())
        yield each


def for_subagent(
    state: State, known: RecordFacts = _NOTHING, *, budget: int = SUBAGENT_BUDGET
) -> str:
    """What a subagent is shown: the purpose of the work, and its constraints.

    ``known.said`` has the requests if there is no objective.
    """
    rest = [*_constraints(state), *_lessons(state, known.concerned)]
    first = [*_intent(state), *_waiting(state, known), *_exchange(state, known)]
    return _fitted([*first, *map(_Line, rest)], budget)


def problem_line(what: str, error: EdgeError) -> str:
    """What could not be recorded or read, and what to do."""
    return f"Operator's Edge: {what}: {error.message}. {error.hint}".strip()


def _fitted(all_lines: Iterable[_Line], budget: int) -> str:
    """As many lines as fit when they are short, the most needed first; then each as long as there is room."""
    lines = [each for each in all_lines if each.text]
    by_need = sorted(range(len(lines)), key=lambda n: lines[n].need)
    for count in range(len(lines), 0, -1):
        kept = sorted(by_need[:count])
        least = _SHORTEST if lines[by_need[count - 1]].need < _IN_TURN else _SHORT
        if _fits(lines, kept, least, budget):
            return _text(lines, kept, _longest(lines, kept, least, budget))
    return ""


def _longest(lines: Sequence[_Line], kept: Sequence[int], least: int, budget: int) -> int:
    """The length to which the lines can be cut so that they fit."""
    low, high = least, _LONGEST
    while low < high:
        middle = (low + high + 1) // 2
        if _fits(lines, kept, middle, budget):
            low = middle
        else:
            high = middle - 1
    return low


def _fits(lines: Sequence[_Line], kept: Sequence[int], limit: int, budget: int) -> bool:
    return estimate_tokens(_text(lines, kept, limit)) <= budget


def _text(lines: Sequence[_Line], kept: Sequence[int], limit: int) -> str:
    """The kept lines in their order, and the number of others."""
    left = len(lines) - len(kept)
    rest = [f"({many(left, 'line')} more: edge status)"] if left else []
    return "\n".join([_HEAD, *(lines[n].within(limit) for n in kept), *rest])


# -- its parts -------------------------------------------------------------------------------------


def _intent(state: State) -> Iterator[_Line]:
    if as_text(state.get("objective")):
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
    elif plan and as_text(state.get("objective")):
        yield _Line(f"All {len(plan)} steps are marked completed.", _NEEDED)


def _next(state: State) -> Iterator[str]:
    if as_text(state.get("next_action")):
        yield f"Next: {state['next_action']}"
    current = schema.current_step(state)
    steps = [schema.step_of(each) for each in (state.get("plan") or [])[current:]]
    texts = [as_text(each.get("description")) for each in steps if _is_pending(each)]
    if current and any(texts):
        yield f"Then: {'; '.join(one_line(each, 80) for each in texts[:_SHOWN] if each)}"


def _is_pending(step: Mapping[str, Any]) -> bool:
    return bool(step.get("status", "pending") == "pending")


def wanted(state: State) -> Iterator[str]:
    """What the person wants, and what success looks like."""
    intent = state.get("intent")
    fields = intent if isinstance(intent, dict) else {"user_wants": intent}
    for head, name in (("Wanted", "user_wants"), ("Success", "success_looks_like")):
        if text := as_text(fields.get(name)):
            yield f"{head}: {text}"


def _exchange(state: State, known: RecordFacts) -> Iterator[_Line]:
    """What was asked and answered: without a plan that is all that shows what the work is about."""
    need = _IN_TURN if state.get("plan") else _NEEDED
    for each in exchange.lines(known.said):
        yield _Line(f"{each.head}:", _SPARE if each.is_spare else need, each.text)


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


def _answered(state: State) -> list[str]:
    """The newest questions that a person has answered."""
    return [f"Question answered: {each}" for each in plan_notes.answered(state)[-2:]]


def critical_research(state: State) -> list[str]:
    """The topics of critical research that is not completed."""
    return [
        as_text(each.get("topic"))
        for each in schema.maps(state.get("research"))
        if each.get("priority") == "critical" and each.get("status") != "completed"
    ]


def _remarks(state: State) -> Iterator[_Line]:
    """Risks that are active, and the newest notes: two of each, and more if there is room."""
    written = state.get("risks")
    risks = [
        plan_notes.text_of(plan_notes.RISK, each)
        for each in (written if isinstance(written, list) else [])
        if not isinstance(each, dict) or each.get("status") in (None, "", "active")
    ]
    notes = plan_notes.texts(state, plan_notes.NOTE)[::-1]
    for texts, noun, head in ((risks, "risk", "Risk: "), (notes, "note", "Note: ")):
        listed = _listed(texts, noun, f"edge {noun} list", head, shown=_REMARKS)
        for number, each in enumerate(listed):
            yield _Line(each, _IN_TURN if number < 2 else _SPARE)


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
    if not (known.failing or known.verified or known.doubts):
        yield from _tests(seen, has_changes=bool(files))
    yield from (f"  checks: {each}" for each in tamper_model.summary(seen.get("tampering") or []))
    failed = [_command(each) for each in seen.get("commands_failed") or []]
    told = (*known.failing, *known.doubts)
    others = [each for each in failed if not any(each in line for line in told)]
    if others:
        yield f"  failed commands: {len(others)}, last: {others[-1]}"
    yield from _last_call(last)


def _last_call(last: PastSession) -> Iterator[str]:
    """The call in which the session was stopped, or after which it ended without an end."""
    call = last.last_call
    if call is not None and call["interrupted"]:
        yield f"  interrupted by the person in: {call['shown']}"
    elif call is not None and not last.ended_cleanly:
        yield f"  its last finished call: {call['shown']}"


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
    if last.is_own:
        who = "This session so far" if last.ended_cleanly else "This session before it was resumed"
    else:
        who = "Last session with changes" if last.idle else "Last session"
    notes = []
    if not last.ended_cleanly:
        notes.append("did not end cleanly; this is derived from its log")
    elif not last.is_own:
        notes.append("ended cleanly")
    if last.idle:
        notes.append(f"{many(last.idle, 'session')} without changes since")
    return f"{who} ({', '.join(notes)})" if notes else who


def _command(failed: Any) -> str:
    return str(failed.get("command", "")) if isinstance(failed, dict) else str(failed)


# -- lessons ---------------------------------------------------------------------------------------


def _lessons(state: State, concerned: Sequence[tuple[Mapping[str, Any], str]]) -> list[str]:
    """Lessons about the current step, then the project's best; others are shown when relevant (LC-1)."""
    first = {
        lesson.key_of(each): _lesson(each, "for this step", whose) for each, whose in concerned
    }
    best = sorted(lesson.listed(state.get("memory")), key=lesson_rank, reverse=True)
    others = {lesson.key_of(each): _lesson(each) for each in best if each["lesson"]}
    return list((first | others | first).values())[:_SHOWN]


def _lesson(entry: Mapping[str, Any], when: str = "", whose: str = "") -> str:
    head = " ".join(filter(None, ["Lesson", when, f"({whose})" if whose else ""]))
    return ": ".join(filter(None, [head, entry["trigger"], entry["lesson"]]))


def lesson_rank(entry: Mapping[str, Any]) -> tuple[bool, int, str]:
    """The sort key of a lesson: how well it has proved itself."""
    return lesson.is_evergreen(entry), lesson.reinforced(entry), str(entry.get("last_used") or "")


def _cut(line: str, limit: int) -> str:
    """One line of limited length in tokens: what people and agents write may contain anything."""
    indent = "  " if line.startswith("  ") else ""
    room = limit - len(indent)
    flat = one_line(_plain(line), room)
    while _weight(flat) > room:
        over = _weight(flat) - room
        flat = one_line(flat[: -max(2, over // 6)] + "…", room)
    return indent + flat


def _plain(text: str) -> str:
    """Text whose markup cannot be taken for that of a client or a model: tags and quotes lose their form."""
    return _TAG.sub(r"[\1]", text.replace('"', "'"))


_TAG = pattern(r"<(/?[A-Za-z!?|][^<>]{0,80})>")

# end of module
