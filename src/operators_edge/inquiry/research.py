"""Questions for somebody outside: the research entries of a state and their edits (LC-3).

Pure, as ``planning``: an edit changes the state it is given and says what it did. Does not own the prompt
(``inquiry.research_questions``), how an answer is read (``inquiry.research_answers``) or where long results
are kept (``inquiry.research_service``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Required, TypedDict, cast

from operators_edge.errors import UsageError
from operators_edge.inquiry import research_answers, research_questions
from operators_edge.plan.edits import (
    EditResult,
    add_missing,
    checked_text,
    entries,
    numbered,
    short_line,
    step_at,
)
from operators_edge.redaction.redact import redact
from operators_edge.state import schema
from operators_edge.text.tokens import last_number, numbered_id
from operators_edge.text.wording import as_text, many, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from operators_edge.model import State

PRIORITIES = ("critical", "optional")
OPEN = ("pending", "in_progress")
MARKS = {"pending": " ", "in_progress": ">", "completed": "x", "cancelled": "-"}
"""Each status, with the sign that stands for it in a list."""
STATUSES = tuple(MARKS)

SUMMARY = 500
MAX_RESULTS = 500_000
IN_STATE = 2_000
"""Characters of results that the state holds itself; longer ones lie in a file and are named there."""

ADD = 'edge research add "which cache fits?"'


class Entry(TypedDict, total=False):
    """One research. Id, priority and status are always valid; the rest is as somebody may have written it."""

    id: Required[str]
    topic: object
    priority: Required[str]
    status: Required[str]
    blocking_step: object
    context: object
    prompt: object
    results: object
    action_items: object
    created: str
    completed: str | None


class Research:
    """The entries of one state. They are copies until an edit puts them into the state.

    An id is never given twice: ``archived`` are the ids of archived entries, each with its topic. ``secrets``
    are values that no prompt may hold.
    """

    def __init__(
        self,
        state: State,
        *,
        now: datetime,
        archived: Mapping[str, str] | None = None,
        secrets: Iterable[str] = (),
    ) -> None:
        self._state = state
        self._now = now
        self._archived = archived or {}
        self._secrets = tuple(secrets)
        self.entries = self._read()

    def _read(self) -> list[Entry]:
        """Every entry as a map with an id, in whatever form it was written."""
        written = entries(self._state, "research")
        used = {*self._archived, *(str(each.get("id")) for each in schema.maps(written))}
        found = []
        for each in written:
            fields = each if isinstance(each, dict) else {"topic": as_text(each)}
            entry = {"id": "", **fields} if "id" not in fields else dict(fields)
            entry["id"] = as_text(entry["id"]) or _next_id(used)
            used.add(entry["id"])
            if entry.get("status") not in STATUSES:
                entry["status"] = "pending"
            if entry.get("priority") not in PRIORITIES:
                entry["priority"] = "optional"
            found.append(cast("Entry", entry))
        return found

    def entry(self, ident: str) -> Entry:
        """The entry of that id; "r1" and "1" name R001, too."""
        names = {ident.strip().lower(), numbered_id("R", ident).lower()}
        for each in self.entries:
            if each["id"].lower() in names:
                return each
        hint = "edge research list" if self.entries else ADD
        raise UsageError(f"there is no research {one_line(ident, 40)}", hint=hint)

    # -- for a person ------------------------------------------------------------------------------

    def lines(self) -> list[str]:
        """Every entry on a line; below it what it blocks and how many action items it has."""
        found = []
        for each in self.entries:
            found.append(f"[{MARKS[each['status']]}] {each['id']} {_title(each)}")
            actions = actions_of(each)
            notes = (self._waiting(each), many(len(actions), "action item") if actions else "")
            found += [f"      {note}" for note in notes if note]
        return found

    def details(self, ident: str) -> list[str]:
        """All that one entry says but its prompt."""
        entry = self.entry(ident)
        found = [
            f"{entry['id']}: {short_line(entry.get('topic'))}",
            f"  {entry['priority']}, {entry['status'].replace('_', ' ')}",
        ]
        if waiting := self._waiting(entry):
            found.append(f"  {waiting}")
        if context := as_text(entry.get("context")):
            found.append(f"  context: {short_line(context)}")
        if results := as_text(entry.get("results")):
            found += ["", *results.splitlines()]
        if actions := actions_of(entry):
            found += ["", "Action items:", *numbered(actions)]
        if entry["status"] in OPEN:
            found += ["", f"The prompt: edge research start {entry['id']}"]
        return found

    def _waiting(self, entry: Entry) -> str:
        """Which steps wait for it, by the numbers they have now; else for which one it was asked."""
        if waiting := [str(number) for number, _ in self._blocked_by(entry)]:
            return f"blocks step {', '.join(waiting)}"
        step = entry.get("blocking_step")
        return f"for step {step}" if type(step) is int and entry["status"] in OPEN else ""

    # -- edits -------------------------------------------------------------------------------------

    def add(
        self,
        topic: str,
        *,
        is_critical: bool,
        step: int | None = None,
        context: str | None = None,
    ) -> EditResult:
        """Add a topic with its prompt; a critical one blocks its step."""
        kept = checked_text(topic, "a topic")
        same = self._same(kept)
        if same is not None and same["status"] != "cancelled":
            remark = f"{same['id']} asks that already"
            return EditResult("Nothing was added.", {"id": same["id"]}, remarks=(remark,))
        wanted_by = step_at(self._state, step) if step is not None else None
        note = checked_text(context, "the context") if context is not None else None
        entry = self._added(kept, is_critical=is_critical, step=step, context=note)
        told = [f"Research {entry['id']}: {short_line(kept)}"]
        if is_critical and wanted_by and wanted_by.get("status") != "completed":
            _block(wanted_by, entry["id"])
            told.append(f"  step {step} waits for it")
        told.append(f"  the prompt: edge research start {entry['id']}")
        data = {"id": entry["id"], "entry": entry}
        return EditResult("\n".join(told), data, (_event("added", entry),))

    def scan(self) -> EditResult:
        """Add what objective, plan and questions show to be unknown; nothing is added twice.

        A scan only matches words, so it blocks no step; a person or an agent decides that.
        """
        unknowns, more = research_questions.unknowns(self._state)
        before = {_key(each) for each in self._archived.values()}
        told, added = [], []
        for each in unknowns:
            if _key(each.topic) in before or self._same(each.topic) is not None:
                continue
            entry = self._added(each.topic, is_critical=each.is_critical, step=each.step)
            told.append(f"{entry['id']} {_title(entry)}\n      {each.why}")
            added.append(entry)
        if more:
            told.append(f"{more} more were found; scan again when these are settled.")
        if told:
            told.append(
                f"The prompt of one: edge research start {added[0]['id'] if added else 'R001'}"
            )
        else:
            told = ["Nothing new to find out was seen in objective, plan and questions."]
            told.append(f"  name it: {ADD}")
        data = {"found": [each["id"] for each in added], "more": more}
        return EditResult("\n".join(told), data, tuple(_event("added", each) for each in added))

    def start(self, ident: str) -> EditResult:
        """Mark it as asked; the text of the answer is the prompt alone, to be piped on."""
        entry = self._edited(ident, OPEN, "its prompt has been answered")
        if not as_text(entry.get("prompt")):
            entry["prompt"] = self._prompt(entry)
        events = (_event("started", entry),) if entry["status"] == "pending" else ()
        entry["status"] = "in_progress"
        # Once more: somebody may have written into it, or a value be known as a secret only now.
        prompt = redact(str(entry["prompt"]), values=self._secrets)
        return EditResult(prompt, {"id": entry["id"], "prompt": prompt}, events)

    def complete(
        self, ident: str, text: str, *, kept_in: str = "", replace: bool = False
    ) -> EditResult:
        """Store results: action items are read out of them, and steps that waited go on.

        ``kept_in`` is the file in which results too long for the state lie whole.
        """
        whole = results_text(text)
        entry = self._edited(ident)
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
        entry["completed"] = self._now.isoformat(timespec="seconds")
        told = [f"  {short_line(summary)}", *numbered(actions)]
        if actions:
            told.append(f"Into the plan: edge research plan {entry['id']}")
        closed = self._closed(
            "completed",
            entry,
            f"{entry['id']} is completed: {short_line(entry.get('topic'))}",
            *told,
            actions=actions,
            kept_in=kept_in,
        )
        data = {**closed.data, "action_items": actions, "summary": summary}
        return closed._replace(data=data, remarks=_remarks(entry["id"], actions, more))

    def add_actions(self, ident: str, texts: Sequence[str]) -> EditResult:
        """Add action items by hand; those that exist are not added again."""
        entry = self._edited(ident, ("completed",), "it has no results yet")
        there = actions_of(entry)
        kept = dict.fromkeys(checked_text(each, "an action item") for each in texts)
        new = [each for each in kept if each not in there]
        entry["action_items"] = [*there, *new]
        data = {"id": entry["id"], "action_items": entry["action_items"]}
        if not new:
            return EditResult("Nothing was added.", data)
        told = f"{entry['id']} has {many(len(there) + len(new), 'action item')}"
        return EditResult(told, data, (_event("actions", entry, actions=new),))

    def plan(self, ident: str) -> EditResult:
        """Add the action items to the plan."""
        entry = self.entry(ident)
        if not (actions := actions_of(entry)):
            hint = f'edge research action {entry["id"]} "the first" "the second"'
            raise UsageError(f"{entry['id']} has no action items", hint=hint)
        return add_missing(self._state, actions)

    def cancel(self, ident: str, why: str | None = None) -> EditResult:
        """It is no longer needed; steps that waited for it go on."""
        entry = self._edited(ident, OPEN, "there is nothing to cancel")
        reason = checked_text(why, "the reason") if why is not None else None
        entry["status"] = "cancelled"
        if reason:
            entry["results"] = f"Cancelled: {reason}"
        head = f"{entry['id']} is cancelled: {short_line(entry.get('topic'))}"
        return self._closed("cancelled", entry, head, why=reason)

    def remove(self, ident: str) -> EditResult:
        """Remove an entry; one with results is archived by a prune instead."""
        entry = self._edited(ident)
        if entry["status"] == "completed":
            hint = "edge prune archives it"
            raise UsageError(
                f"{entry['id']} is completed, and its results would be lost", hint=hint
            )
        self.entries.remove(entry)
        head = f"Removed research {entry['id']}: {short_line(entry.get('topic'))}"
        closed = self._closed("removed", entry, head)
        return closed._replace(data={"removed": entry["id"], "unblocked": closed.data["unblocked"]})

    # -- parts of an edit --------------------------------------------------------------------------

    def _edited(self, ident: str, statuses: Sequence[str] = STATUSES, why: str = "") -> Entry:
        """The entry, which is in the state from now on; ``why`` it cannot be edited in another status."""
        entry = self.entry(ident)
        if entry["status"] not in statuses:
            status = entry["status"].replace("_", " ")
            hint = f"edge research show {entry['id']}"
            raise UsageError(f"{entry['id']} is {status}: {why}", hint=hint)
        self._state["research"] = self.entries
        return entry

    def _added(
        self, topic: str, *, is_critical: bool, step: int | None, context: str | None = None
    ) -> Entry:
        entry: Entry = {
            "id": _next_id({*self._archived, *(each["id"] for each in self.entries)}),
            "topic": topic,
            "priority": "critical" if is_critical else "optional",
            "status": "pending",
            "blocking_step": step,
            "context": context,
            "prompt": None,
            "results": None,
            "action_items": [],
            "created": self._now.isoformat(timespec="seconds"),
            "completed": None,
        }
        entry["prompt"] = self._prompt(entry)
        self.entries.append(entry)
        self._state["research"] = self.entries
        return entry

    def _prompt(self, entry: Entry) -> str:
        return research_questions.prompt(self._state, entry, secrets=self._secrets)

    def _same(self, topic: str) -> Entry | None:
        """The newest entry of the same topic."""
        newest = reversed(self.entries)
        return next((e for e in newest if _key(as_text(e.get("topic"))) == _key(topic)), None)

    def _closed(self, to: str, entry: Entry, head: str, *rest: str, **logged: Any) -> EditResult:
        """Nothing waits for it any more: steps that waited for it alone are pending again."""
        freed = []
        for number, step in self._blocked_by(entry):
            left = [each for each in _reasons(step) if each != _reason(entry["id"])]
            step["blocked_by"] = ", ".join(left)
            if not left:
                step["status"] = "pending"
                del step["blocked_by"]
                freed.append(number)
        told = [head, *(f"  step {number} goes on" for number in freed), *rest]
        data = {"id": entry["id"], "unblocked": freed}
        event = _event(to, entry, **logged, unblocked=freed)
        return EditResult("\n".join(told), data, (event,))

    def _blocked_by(self, entry: Entry) -> list[tuple[int, dict[str, Any]]]:
        steps = enumerate(schema.maps(self._state.get("plan")), 1)
        return [
            (number, step)
            for number, step in steps
            if step.get("status") == "blocked" and _reason(entry["id"]) in _reasons(step)
        ]


def results_text(text: str) -> str:
    """Results as they are kept; UsageError where there are none, or too much."""
    if not text.strip():
        hint = "paste them behind the command, pipe them in, or name a file: --file ANSWER.md"
        raise UsageError("there are no results in it", hint=hint)
    if "\0" in text:
        raise UsageError("the answer is no text", hint="save it as UTF-8")
    return checked_text(text, "the answer", most=MAX_RESULTS)


def actions_of(entry: Mapping[str, object]) -> list[str]:
    """The action items of an entry."""
    value = entry.get("action_items")
    return [str(each) for each in value if as_text(each)] if isinstance(value, list) else []


def is_finished(entry: Any) -> bool:
    """Whether a prune may archive it: it has its results. A cancelled one is removed with ``remove``."""
    return isinstance(entry, dict) and entry.get("status") == "completed"


def archive_entry(
    entry: Mapping[str, object], now: datetime, *, session: str = ""
) -> dict[str, Any]:
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


def _next_id(used: Iterable[str]) -> str:
    """Numbers of the past are not filled in."""
    return f"R{last_number(used) + 1:03}"


def _key(topic: str) -> str:
    return " ".join(re.findall(r"\w+", topic.lower())) or topic


def _title(entry: Entry) -> str:
    return short_line(entry.get("topic")) + (
        " (critical)" if entry["priority"] == "critical" else ""
    )


def _remarks(ident: str, actions: Sequence[str], more: int) -> tuple[str, ...]:
    if not actions:
        why = "no action items were found (list items under a heading such as “Action items”)"
        return (f'{why}; name them: edge research action {ident} "the first" "the second"',)
    what = f"{many(more, 'more action item')} not taken: they stand in the results"
    return (what,) if more else ()


def _reason(ident: str) -> str:
    return f"research {ident}"


def _reasons(step: Mapping[str, Any]) -> list[str]:
    """What a step waits for, each in the words that name it."""
    return [part for part in as_text(step.get("blocked_by")).split(", ") if part]


def _block(step: dict[str, Any], ident: str) -> None:
    """The step waits for this as well; what else it waits for stays."""
    step["status"] = "blocked"
    step["blocked_by"] = ", ".join(dict.fromkeys([*_reasons(step), _reason(ident)]))


def _event(to: str, entry: Entry, **more: Any) -> tuple[str, dict[str, Any]]:
    known = {"to": to, "id": entry["id"], "topic": entry.get("topic")}
    rest = {"priority": entry["priority"], "step": entry.get("blocking_step"), **more}
    return "research", {**known, **{name: each for name, each in rest.items() if each}}
