"""Edits of the lists next to the plan: notes, open questions, risks, constraints.

Pure, like ``plan.edits``: an edit changes the state that is passed in and returns what it did. Entries are
identified by their numbers from 1, as they are shown. An entry that a person wrote as plain text is accepted,
and becomes a map only when another field must be stored with it.
"""

from __future__ import annotations

from operators_edge.errors import UsageError
from operators_edge.plan.edits import EditResult, checked_text, entries, reopen, short_line
from operators_edge.text.wording import as_text, many
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from typing import Any

    from operators_edge.model import State

RISKS = {"active": "", "mitigated": "mitigated", "realized": "realized"}
"""A risk's statuses, and how each is shown."""


class Kind(NamedTuple):
    """One of the lists: its noun, its key in the state, and the field with the text of an entry."""

    noun: str
    key: str
    field: str


NOTE = Kind("note", "notes", "note")
QUESTION = Kind("question", "open_questions", "question")
RISK = Kind("risk", "risks", "risk")
CONSTRAINT = Kind("constraint", "constraints", "constraint")
KINDS = (NOTE, QUESTION, RISK, CONSTRAINT)


def text_of(kind: Kind, entry: Any) -> str:
    """The text of an entry, whether it is plain text or a map."""
    value = entry.get(kind.field) if isinstance(entry, dict) else entry
    return "" if value is None else str(value)


def texts(state: State, kind: Kind) -> list[str]:
    """The text of every entry, also if a person wrote one text in place of the list; never an error."""
    return [text for each in _written(state, kind) if (text := as_text(text_of(kind, each)))]


def _written(state: State, kind: Kind) -> list[Any]:
    value = state.get(kind.key)
    return value if isinstance(value, list) else [value] if isinstance(value, str) else []


def is_answered(question: Any) -> bool:
    """Whether an entry of ``open_questions`` has been answered; it is archived later."""
    return isinstance(question, dict) and bool(question.get("answer"))


class OpenQuestion(NamedTuple):
    """A question without an answer, and its number."""

    number: int
    text: str
    is_blocking: bool


def open_questions(state: State) -> Iterator[OpenQuestion]:
    """The unanswered questions; never an error."""
    for number, each in enumerate(_written(state, QUESTION), 1):
        if (text := as_text(text_of(QUESTION, each))) and not is_answered(each):
            is_blocking = isinstance(each, dict) and each.get("blocking") is True
            yield OpenQuestion(number, text, is_blocking)


def answered(state: State) -> list[str]:
    """The answered questions with their answers; never an error."""
    return [
        f"{as_text(text_of(QUESTION, each))} - {as_text(each.get('answer'))}"
        for each in _written(state, QUESTION)
        if is_answered(each)
    ]


# -- every list ------------------------------------------------------------------------------------


def add(state: State, kind: Kind, texts: Sequence[str], **fields: Any) -> EditResult:
    """Add entries at the end, each a text or, with ``fields``, a map; duplicates are not added."""
    if not texts:
        raise UsageError(f"a {kind.noun} needs text", hint=f'edge {kind.noun} add "the text"')
    kept = [checked_text(each, f"a {kind.noun}") for each in texts]
    there, remarks = list(_listed(state, kind)), []
    if isinstance(state.get(kind.key), str):
        remarks.append(f"{kind.key} was one text; it is the first entry of a list now")
    before = [text_of(kind, each) for each in there]
    numbers, lines, new = [], [], []
    for text in kept:
        if text in before:
            numbers.append(before.index(text) + 1)
            remarks.append(f"{kind.noun} {numbers[-1]} says that already")
            continue
        entry = {kind.field: text, **fields} if fields else text
        there.append(entry)
        before.append(text)
        new.append(text)
        numbers.append(len(there))
        lines.append(f"{_named(kind, len(there))}: {short_line(text)}")
    state[kind.key] = there
    events = tuple(
        (kind.noun, {"to": "added", "text": text, **_logged_fields(fields)}) for text in new
    )
    text_lines = "\n".join(lines) or "Nothing was added."
    return EditResult(
        text_lines, {kind.noun: numbers[0], "numbers": numbers}, events, tuple(remarks)
    )


def remove(state: State, kind: Kind, numbers: Sequence[int]) -> EditResult:
    """Remove entries, identified by the numbers they had before."""
    gone = {number: text_of(kind, _entry(state, kind, number)) for number in numbers}
    listed = _listed(state, kind)
    state[kind.key] = [each for n, each in enumerate(listed, 1) if n not in gone]
    lines = [f"Removed {kind.noun} {n}: {short_line(text)}" for n, text in gone.items()]
    events = tuple((kind.noun, {"to": "removed", "text": text}) for text in gone.values())
    return EditResult("\n".join(lines), {"removed": list(gone)}, events)


def lines(state: State, kind: Kind) -> list[str]:
    """Every entry on one line, with its number."""
    return [
        f"{number:>3}. {short_line(text_of(kind, entry))}{_suffix(kind, entry)}"
        for number, entry in enumerate(_listed(state, kind), 1)
    ]


def listed(state: State, kind: Kind) -> list[dict[str, Any]]:
    """Every entry as data."""
    entries_as_data = []
    for number, entry in enumerate(_listed(state, kind), 1):
        fields = entry if isinstance(entry, dict) else {}
        entries_as_data.append({"number": number, **fields, kind.field: text_of(kind, entry)})
    return entries_as_data


# -- questions and risks ---------------------------------------------------------------------------


def ask(
    state: State, texts: Sequence[str], *, blocking: bool, context: str | None, now: datetime
) -> EditResult:
    """Add open questions; ``blocking``: the work cannot continue without an answer."""
    about = checked_text(context, "the context") if context is not None else None
    when = now.isoformat(timespec="seconds")
    return add(state, QUESTION, texts, blocking=blocking, context=about, raised_at=when)


def answer(state: State, number: int, text: str, *, now: datetime) -> EditResult:
    """Store the answer with its question, which is no longer open."""
    entry = _as_map(state, QUESTION, number)
    remarks: tuple[str, ...] = (
        (f"question {number} had an answer: {short_line(entry['answer'])}",)
        if is_answered(entry)
        else ()
    )
    entry["answer"] = checked_text(text, "an answer")
    entry["answered_at"] = now.isoformat(timespec="seconds")
    question = text_of(QUESTION, entry)
    text_line = (
        f"Question {number} is answered: {short_line(question)}\n  {short_line(entry['answer'])}"
    )
    data = {"to": "answered", "text": question, "answer": entry["answer"]}
    opened = _open_steps(state, question)
    lines = [text_line, *(each.text for each in opened)]
    events = (("question", data), *(event for each in opened for event in each.events))
    if opened:
        remarks += ("adapt the plan with the answer: edge adapt",)
    return EditResult("\n".join(lines), {"question": number}, events, remarks)


def _open_steps(state: State, question: str) -> list[EditResult]:
    """Open the steps that waited for this answer: those that ``edge adapt N escalate`` blocked."""
    waiting = [
        number
        for number, step in enumerate(entries(state, "plan"), 1)
        if isinstance(step, dict)
        and step.get("status") == "blocked"
        and str(step.get("blocked_by") or "").endswith(f": {question}")
    ]
    return [reopen(state, number) for number in waiting]


def set_risk(state: State, number: int, status: str, mitigation: str | None) -> EditResult:
    """Mark a risk as mitigated, realized, or active again."""
    entry = _as_map(state, RISK, number)
    if mitigation is not None:
        entry["mitigation"] = checked_text(mitigation, "the mitigation")
    entry["status"] = status
    text_line = f"Risk {number} is {status}: {short_line(text_of(RISK, entry))}"
    data = {"to": status, "text": text_of(RISK, entry), "mitigation": entry.get("mitigation")}
    remarks: tuple[str, ...] = ()
    if status == "mitigated" and not entry.get("mitigation"):
        remarks = (f'it is not recorded how: edge risk mitigate {number} "what was done"',)
    return EditResult(text_line, {"risk": number, "status": status}, (("risk", data),), remarks)


# -- small parts -----------------------------------------------------------------------------------


def _listed(state: State, kind: Kind) -> list[Any]:
    """The entries; plain text in place of the list is one entry."""
    value = state.get(kind.key)
    if isinstance(value, str):
        return [value] if value.strip() else []
    return entries(state, kind.key)


def _entry(state: State, kind: Kind, number: int) -> Any:
    there = _listed(state, kind)
    if 1 <= number <= len(there):
        return there[number - 1]
    what = (
        f"there {'is' if len(there) == 1 else 'are'} {many(len(there), kind.noun)}, counted from 1"
    )
    hint = f"edge {kind.noun} list" if there else f'edge {kind.noun} add "the text"'
    raise UsageError(f"there is no {kind.noun} {number}: {what}", hint=hint)


def _as_map(state: State, kind: Kind, number: int) -> dict[str, Any]:
    """The entry as a map in the state: plain text is replaced by a map with that text."""
    entry = _entry(state, kind, number)
    if not isinstance(entry, dict):
        entry = {kind.field: text_of(kind, entry)}
        there = list(_listed(state, kind))
        there[number - 1] = entry
        state[kind.key] = there
    return entry


def _named(kind: Kind, number: int) -> str:
    return f"{kind.noun.capitalize()} {number}"


def _logged_fields(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name != "raised_at" and value}


def _suffix(kind: Kind, entry: Any) -> str:
    """What is shown after an entry's text: whether it blocks, its answer, its mitigation."""
    if not isinstance(entry, dict):
        return ""
    if kind is QUESTION:
        if is_answered(entry):
            return f"\n     answered: {short_line(entry['answer'])}"
        return " (blocking)" if entry.get("blocking") is True else ""
    if kind is RISK:
        status = RISKS.get(str(entry.get("status")), str(entry.get("status") or ""))
        by = (
            f"\n     mitigation: {short_line(entry['mitigation'])}"
            if entry.get("mitigation")
            else ""
        )
        return (f" ({short_line(status)})" if status else "") + by
    return ""


# end of module
