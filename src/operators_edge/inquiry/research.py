"""What has to be found out outside: its entries in the state, from the unknown to the action items (LC-3).

Pure, as ``planning``: an edit changes the state it is given and says what it did. An entry is named by its
id (R001), which is never given twice: ``taken`` are those of the archive, with their topics. Does not own
the prompt (``inquiry.research_questions``), where long results lie or who reads them in
(``inquiry.research_service``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from operators_edge.errors import UsageError
from operators_edge.inquiry import research_answers, research_questions
from operators_edge.plan.edits import EditResult, checked_text, entries, short_line
from operators_edge.redaction.redact import redact
from operators_edge.state import schema
from operators_edge.text.wording import as_text, many, one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from operators_edge.model import State

Entry = dict[str, Any]

NONE: Mapping[str, str] = {}

PRIORITIES = ("critical", "optional")
STATUSES = ("pending", "in_progress", "completed", "cancelled")
OPEN = ("pending", "in_progress")
MARKS = {"pending": " ", "in_progress": ">", "completed": "x", "cancelled": "-"}

SUMMARY = 500
MAX_RESULTS = 500_000
IN_STATE = 2_000
"""Characters of results that the state holds itself; longer ones lie in a file and are named there."""

ADD = 'edge research add "which cache fits?"'
_NUMBER = re.compile(r"[rR]?0*(\d{1,9})")


# -- reading ---------------------------------------------------------------------------------------


def listed(state: State, taken: Mapping[str, str] = NONE) -> list[Entry]:
    """Every entry as a map with an id, whatever form it was written in."""
    found: list[Entry] = []
    used = {*taken, *_ids(state)}
    for each in entries(state, "research"):
        entry = dict(each) if isinstance(each, dict) else {"topic": as_text(each)}
        if not as_text(entry.get("id")):
            entry = {"id": _free(used), **{k: v for k, v in entry.items() if k != "id"}}
            used.add(entry["id"])
        entry["id"] = str(entry["id"]).strip()
        if entry.get("status") not in STATUSES:
            entry["status"] = "pending"
        if entry.get("priority") not in PRIORITIES:
            entry["priority"] = "optional"
        found.append(entry)
    return found


def lines(state: State, taken: Mapping[str, str] = NONE) -> list[str]:
    """Every entry on a line; what it blocks, and what came of it, below."""
    found = []
    for each in listed(state, taken):
        weight = " (critical)" if each["priority"] == "critical" else ""
        found.append(
            f"[{MARKS[each['status']]}] {each['id']} {short_line(each.get('topic'))}{weight}"
        )
        if waits := _waits(state, each):
            found.append(f"      {waits}")
        if actions := actions_of(each):
            found.append(f"      {many(len(actions), 'action item')}")
    return found


def details(state: State, entry: Entry) -> list[str]:
    """All that one entry says but its prompt."""
    found = [
        f"{entry['id']}: {short_line(entry.get('topic'))}",
        f"  {entry['priority']}, {entry['status'].replace('_', ' ')}",
    ]
    if waits := _waits(state, entry):
        found.append(f"  {waits}")
    if context := as_text(entry.get("context")):
        found.append(f"  context: {short_line(context)}")
    if results := as_text(entry.get("results")):
        found += ["", *results.splitlines()]
    if actions := actions_of(entry):
        found += [
            "",
            "Action items:",
            *(f"  {n}. {short_line(a)}" for n, a in enumerate(actions, 1)),
        ]
    return found


def entry_of(state: State, ident: str, taken: Mapping[str, str] = NONE) -> Entry:
    """A copy of the entry of that id; "r1" and "1" name R001, too."""
    there = listed(state, taken)
    return there[_index(there, ident)]


def actions_of(entry: Entry) -> list[str]:
    value = entry.get("action_items")
    return [str(each) for each in value if as_text(each)] if isinstance(value, list) else []


def _waits(state: State, entry: Entry) -> str:
    """Which steps wait for this research, by the numbers they have now; else for which one it was named."""
    steps = enumerate(schema.maps(state.get("plan")), 1)
    waiting = [
        str(number)
        for number, step in steps
        if step.get("status") == "blocked" and _mark(entry["id"]) in _reasons(step)
    ]
    if waiting:
        return f"blocks step {', '.join(waiting)}"
    named = entry.get("blocking_step")
    return f"for step {named}" if type(named) is int and entry["status"] in OPEN else ""


# -- edits -----------------------------------------------------------------------------------------


def add(
    state: State,
    topic: str,
    *,
    is_critical: bool,
    step: int | None = None,
    context: str | None = None,
    now: datetime,
    taken: Mapping[str, str] = NONE,
    secrets: Iterable[str] = (),
) -> EditResult:
    """Keep something that has to be found out, with its prompt; a critical one blocks its step."""
    kept = checked_text(topic, "a topic")
    there = _taken_up(state, taken)
    same = _same(there, kept)
    if same is not None and same["status"] != "cancelled":
        remark = f"{same['id']} asks that already"
        return EditResult("Nothing was added.", {"id": same["id"]}, remarks=(remark,))
    steps = schema.maps(state.get("plan"))
    if step is not None and not 1 <= step <= len(steps):
        what = f"the plan has {many(len(steps), 'step')}"
        raise UsageError(f"there is no step {step}: {what}", hint="edge plan show")
    entry: Entry = {
        "id": _free({*taken, *(each["id"] for each in there)}),
        "topic": kept,
        "priority": "critical" if is_critical else "optional",
        "status": "pending",
        "blocking_step": step,
        "context": checked_text(context, "the context") if context is not None else None,
        "prompt": None,
        "results": None,
        "action_items": [],
        "created": now.isoformat(timespec="seconds"),
        "completed": None,
    }
    entry["prompt"] = research_questions.prompt(state, entry, secrets=secrets)
    there.append(entry)
    text = f"Research {entry['id']}: {short_line(kept)}"
    if is_critical and step is not None and steps[step - 1].get("status") != "completed":
        _block(steps[step - 1], entry["id"])
        text += f"\n  step {step} waits for it"
    text += f"\n  the prompt: edge research start {entry['id']}"
    return EditResult(text, {"id": entry["id"], "entry": entry}, (_event("added", entry),))


def scan(
    state: State, *, now: datetime, taken: Mapping[str, str] = NONE, secrets: Iterable[str] = ()
) -> EditResult:
    """Add what objective, plan and questions show to be unknown; nothing is added twice.

    A scan reads words alone, so it blocks no step: that is said by a person or an agent.
    """
    unknowns, more = research_questions.unknowns(state)
    told, idents, events = [], [], []
    before = {_key(each) for each in taken.values()}
    for each in unknowns:
        if _key(each.topic) in before or _same(listed(state, taken), each.topic) is not None:
            continue
        one = add(
            state,
            each.topic,
            is_critical=each.is_critical,
            now=now,
            taken=taken,
            secrets=secrets,
        )
        entry = one.data["entry"]
        entry["blocking_step"] = each.step
        entry["prompt"] = research_questions.prompt(state, entry, secrets=secrets)
        weight = " (critical)" if each.is_critical else ""
        told.append(f"{entry['id']} {short_line(each.topic)}{weight}\n      {each.why}")
        idents.append(entry["id"])
        events.append(_event("added", entry))
    if more:
        told.append(f"{more} more were found; scan again when these are settled.")
    if told:
        told.append(f"The prompt of one: edge research start {(idents or ['R001'])[0]}")
    text = "\n".join(told) or (
        f"Nothing new to find out was seen in objective, plan and questions.\n  name it: {ADD}"
    )
    return EditResult(text, {"found": idents, "more": more}, tuple(events))


def start(
    state: State, ident: str, *, taken: Mapping[str, str] = NONE, secrets: Iterable[str] = ()
) -> EditResult:
    """The prompt goes out; the answer is the prompt alone, to be piped on."""
    entry = _entry(state, ident, taken)
    _must_be(entry, OPEN, "its prompt has been answered")
    if not as_text(entry.get("prompt")):
        entry["prompt"] = research_questions.prompt(state, entry, secrets=secrets)
    is_first = entry["status"] == "pending"
    entry["status"] = "in_progress"
    events = (_event("started", entry),) if is_first else ()
    # Once more: somebody may have written into it, or a value be known as a secret only now.
    prompt = redact(str(entry["prompt"]), values=secrets)
    return EditResult(prompt, {"id": entry["id"], "prompt": prompt}, events)


def complete(
    state: State,
    ident: str,
    text: str,
    *,
    now: datetime,
    kept_in: str = "",
    replace: bool = False,
    taken: Mapping[str, str] = NONE,
) -> EditResult:
    """Take results in: action items are read out of them, and the step that waited goes on.

    ``kept_in`` is the file in which results too long for the state lie whole.
    """
    whole = results_text(text)
    entry = _entry(state, ident, taken)
    if entry["status"] == "completed" and not replace:
        hint = f"edge research results {entry['id']} --replace …"
        raise UsageError(f"{entry['id']} has its results", hint=hint)
    if entry["status"] == "cancelled":
        raise UsageError(f"{entry['id']} was cancelled", hint=ADD)
    actions, more = research_answers.action_items(whole)
    summary = research_answers.summary(whole, SUMMARY)
    entry["results"] = f"{summary}\n(whole: {kept_in})" if kept_in else whole
    entry["action_items"] = actions
    entry["status"] = "completed"
    entry["completed"] = now.isoformat(timespec="seconds")
    told = [
        f"{entry['id']} is completed: {short_line(entry.get('topic'))}",
        f"  {short_line(summary)}",
    ]
    told += [f"  {n}. {short_line(each)}" for n, each in enumerate(actions, 1)]
    remarks = []
    if not actions:
        remarks.append(
            "no action items were found (list items under a heading such as “Action items”);"
            f' name them: edge research action {entry["id"]} "the first" "the second"'
        )
    if more:
        remarks.append(f"{many(more, 'more action item')} not taken: they stand in the results")
    freed = _unblock(state, entry["id"])
    told += [f"  step {number} goes on" for number in freed]
    if actions:
        told.append(f"Into the plan: edge research plan {entry['id']}")
    data = {"id": entry["id"], "action_items": actions, "summary": summary, "unblocked": freed}
    event = _event("completed", entry, actions=actions, unblocked=freed, kept_in=kept_in or None)
    return EditResult("\n".join(told), data, (event,), tuple(remarks))


def results_text(text: str) -> str:
    """Results as they are kept; UsageError where there are none, or too much."""
    kept = text.replace("\r\n", "\n").strip()
    if not kept:
        hint = "paste them behind the command, pipe them in, or name a file: --file ANSWER.md"
        raise UsageError("there are no results in it", hint=hint)
    if len(kept) > MAX_RESULTS:
        raise UsageError(
            f"the results have {len(kept):,} characters, and {MAX_RESULTS:,} is the most",
            hint="leave out what was only quoted",
        )
    if any("\ud800" <= sign <= "\udfff" or sign == "\0" for sign in kept):
        raise UsageError("the results are no UTF-8 text", hint="save them as UTF-8")
    return kept


def note_actions(
    state: State, ident: str, texts: Sequence[str], *, taken: Mapping[str, str] = NONE
) -> EditResult:
    """Add action items by hand; one that is there is not doubled."""
    entry = _entry(state, ident, taken)
    _must_be(entry, ("completed",), "it has no results yet")
    there = actions_of(entry)
    new = [text for each in texts if (text := checked_text(each, "an action item")) not in there]
    entry["action_items"] = [*there, *dict.fromkeys(new)]
    if not new:
        return EditResult("Nothing was added.", {"id": entry["id"], "action_items": there})
    told = f"{entry['id']} has {many(len(entry['action_items']), 'action item')}"
    event = _event("actions", entry, actions=new)
    return EditResult(told, {"id": entry["id"], "action_items": entry["action_items"]}, (event,))


def actions_for_plan(state: State, ident: str, taken: Mapping[str, str] = NONE) -> list[str]:
    """The action items that no step of the plan says yet."""
    entry = entry_of(state, ident, taken)
    if not (actions := actions_of(entry)):
        hint = f'edge research action {entry["id"]} "the first" "the second"'
        raise UsageError(f"{entry['id']} has no action items", hint=hint)
    planned = {str(each.get("description")) for each in schema.maps(state.get("plan"))}
    return [each for each in actions if each not in planned]


def cancel(
    state: State, ident: str, why: str | None = None, *, taken: Mapping[str, str] = NONE
) -> EditResult:
    """It need not be found out any more; what waited for it goes on."""
    entry = _entry(state, ident, taken)
    _must_be(entry, OPEN, "there is nothing to cancel")
    reason = checked_text(why, "the reason") if why is not None else None
    entry["status"] = "cancelled"
    if reason:
        entry["results"] = f"Cancelled: {reason}"
    freed = _unblock(state, entry["id"])
    told = [f"{entry['id']} is cancelled: {short_line(entry.get('topic'))}"]
    told += [f"  step {number} goes on" for number in freed]
    event = _event("cancelled", entry, why=reason, unblocked=freed)
    return EditResult("\n".join(told), {"id": entry["id"], "unblocked": freed}, (event,))


def remove(state: State, ident: str, *, taken: Mapping[str, str] = NONE) -> EditResult:
    """Take an entry out; one with results is archived by a prune instead."""
    there = _taken_up(state, taken)
    entry = there[_index(there, ident)]
    if entry["status"] == "completed":
        hint = "edge prune archives it"
        raise UsageError(f"{entry['id']} is completed, and its results would be lost", hint=hint)
    freed = _unblock(state, entry["id"])
    state["research"] = [each for each in there if each is not entry]
    told = [f"Removed research {entry['id']}: {short_line(entry.get('topic'))}"]
    told += [f"  step {number} goes on" for number in freed]
    event = _event("removed", entry, unblocked=freed)
    return EditResult("\n".join(told), {"removed": entry["id"], "unblocked": freed}, (event,))


# -- the archive -----------------------------------------------------------------------------------


def is_finished(entry: Any) -> bool:
    """Whether a prune may archive it: it has its results. What was cancelled is taken out by ``remove``."""
    return isinstance(entry, dict) and entry.get("status") == "completed"


def archive_entry(entry: Entry, now: datetime, *, session: str = "") -> Entry:
    """What the archive keeps of a completed research."""
    return {
        "type": "completed_research",
        "timestamp": now.isoformat(),
        "research_id": entry.get("id"),
        "topic": entry.get("topic"),
        "priority": entry.get("priority"),
        "blocking_step": entry.get("blocking_step"),
        "results_summary": as_text(entry.get("results")),
        "action_items": actions_of(entry),
        "session": session,
    }


# -- small parts -----------------------------------------------------------------------------------


def _ids(state: State) -> set[str]:
    return {str(each.get("id")) for each in schema.maps(state.get("research"))}


def _free(used: Collection[str]) -> str:
    """The next id; numbers of the past are not filled in."""
    found = [_NUMBER.fullmatch(each) for each in used]
    return f"R{max((int(each[1]) for each in found if each), default=0) + 1:03}"


def _taken_up(state: State, taken: Mapping[str, str]) -> list[Entry]:
    """The state's own list, every entry of it a map with an id from now on."""
    there = listed(state, taken)
    state["research"] = there
    return there


def _index(there: list[Entry], ident: str) -> int:
    given = ident.strip()
    number = _NUMBER.fullmatch(given)
    names = {given.lower(), f"r{int(number[1]):03}"} if number else {given.lower()}
    for at, each in enumerate(there):
        if each["id"].lower() in names:
            return at
    hint = "edge research list" if there else ADD
    raise UsageError(f"there is no research {one_line(given, 40)}", hint=hint)


def _entry(state: State, ident: str, taken: Mapping[str, str]) -> Entry:
    there = _taken_up(state, taken)
    return there[_index(there, ident)]


def _same(there: list[Entry], topic: str) -> Entry | None:
    """The newest entry of the same topic."""
    key = _key(topic)
    return next((each for each in reversed(there) if _key(as_text(each.get("topic"))) == key), None)


def _key(topic: str) -> str:
    return " ".join(re.findall(r"\w+", topic.lower())) or topic


def _must_be(entry: Entry, statuses: tuple[str, ...], why: str) -> None:
    if entry["status"] not in statuses:
        now = entry["status"].replace("_", " ")
        hint = f"edge research show {entry['id']}"
        raise UsageError(f"{entry['id']} is {now}: {why}", hint=hint)


def _block(step: Entry, ident: str) -> None:
    """The step waits for this as well; what else it waits for stays."""
    step["status"] = "blocked"
    step["blocked_by"] = ", ".join(dict.fromkeys([*_reasons(step), _mark(ident)]))


def _mark(ident: str) -> str:
    return f"research {ident}"


def _reasons(step: Entry) -> list[str]:
    """What a step waits for, each in the words that name it."""
    return [part for part in as_text(step.get("blocked_by")).split(", ") if part]


def _unblock(state: State, ident: str) -> list[int]:
    """Steps that waited for this alone are pending again; their numbers."""
    freed = []
    for number, step in enumerate(schema.maps(state.get("plan")), 1):
        reasons = _reasons(step)
        if step.get("status") != "blocked" or _mark(ident) not in reasons:
            continue
        rest = [each for each in reasons if each != _mark(ident)]
        if rest:
            step["blocked_by"] = ", ".join(rest)
            continue
        step["status"] = "pending"
        step.pop("blocked_by", None)
        freed.append(number)
    return freed


def _event(to: str, entry: Entry, **more: Any) -> tuple[str, dict[str, Any]]:
    known = {"to": to, "id": entry["id"], "topic": entry.get("topic")}
    rest = {"priority": entry["priority"], "step": entry.get("blocking_step"), **more}
    return "research", {**known, **{name: each for name, each in rest.items() if each}}
