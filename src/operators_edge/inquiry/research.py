"""Research: questions to be answered outside the project, and the edits of their entries (LC-3).

Pure, like ``plan.edits``: an edit changes the given state and returns what it did. Does not own the prompt
(``inquiry.research_questions``), how an answer is parsed (``inquiry.research_answers``) or where long results
are stored (``inquiry.research_service``).
"""

from __future__ import annotations

import re

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
from operators_edge.tuples import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from typing import Any, Required, TypedDict

    from operators_edge.model import State

    class Entry(TypedDict, total=False):
        """One research. Id, priority and status are always valid; the rest may have been edited by hand."""

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


PRIORITIES = ("critical", "optional")
OPEN = ("pending", "in_progress")
MARKS = {"pending": " ", "in_progress": ">", "completed": "x", "cancelled": "-"}
"""Each status, with its mark in a list."""
STATUSES = tuple(MARKS)

MAX_SUMMARY = 500
MAX_RESULTS = 500_000
MAX_IN_STATE = 2_000
"""Characters of results that are stored in the state; it names the file of longer ones."""

ADD = 'edge research add "which cache fits?"'


class Research:
    """The entries of one state. They are copies until an edit stores them in the state.

    No id is used twice: ``archived`` are the ids of archived entries, each with its topic. ``secrets`` are
    values that must not be in a prompt.
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
        """Every entry as a mapping with an id, in whatever form it was written."""
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
        """The entry with that id; "r1" and "1" also name R001."""
        names = {ident.strip().lower(), numbered_id("R", ident).lower()}
        for each in self.entries:
            if each["id"].lower() in names:
                return each
        hint = "edge research list" if self.entries else ADD
        raise UsageError(f"there is no research {one_line(ident, 40)}", hint=hint)

    # -- for a person ------------------------------------------------------------------------------

    def lines(self) -> list[str]:
        """Every entry on a line; below it what it blocks, and how many action items it has."""
        found = []
        for each in self.entries:
            found.append(f"[{MARKS[each['status']]}] {each['id']} {_title(each)}")
            actions = actions_of(each)
            notes = (self._waiting_text(each), many(len(actions), "action item") if actions else "")
            found += [f"      {note}" for note in notes if note]
        return found

    def details(self, ident: str) -> list[str]:
        """One entry with all its fields but the prompt."""
        entry = self.entry(ident)
        found = [
            f"{entry['id']}: {short_line(entry.get('topic'))}",
            f"  {entry['priority']}, {entry['status'].replace('_', ' ')}",
        ]
        if waiting := self._waiting_text(entry):
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

    def _waiting_text(self, entry: Entry) -> str:
        """The steps that wait for it, by their current numbers; else the step for which it was added."""
        if waiting := [str(number) for number, _ in self._steps_blocked_by(entry)]:
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
        checked = checked_text(topic, "a topic")
        same = self._with_topic(checked)
        if same is not None and same["status"] != "cancelled":
            remark = f"{same['id']} asks the same"
            return EditResult("Nothing was added.", {"id": same["id"]}, remarks=(remark,))
        blocked_step = step_at(self._state, step) if step is not None else None
        checked_context = checked_text(context, "the context") if context is not None else None
        entry = self._new_entry(
            checked, is_critical=is_critical, step=step, context=checked_context
        )
        lines = [f"Research {entry['id']}: {short_line(checked)}"]
        if is_critical and blocked_step and blocked_step.get("status") != "completed":
            _block_step(blocked_step, entry["id"])
            lines.append(f"  step {step} waits for it")
        lines.append(f"  the prompt: edge research start {entry['id']}")
        data = {"id": entry["id"], "entry": entry}
        return EditResult("\n".join(lines), data, (_event("added", entry),))

    def scan(self) -> EditResult:
        """Add the unknowns in objective, plan and questions; nothing is added twice.

        A scan only matches words, so it blocks no step; a person or an agent decides that.
        """
        unknowns, more = research_questions.unknowns(self._state)
        before = {_key(each) for each in self._archived.values()}
        lines, added = [], []
        for each in unknowns:
            if _key(each.topic) in before or self._with_topic(each.topic) is not None:
                continue
            entry = self._new_entry(each.topic, is_critical=each.is_critical, step=each.step)
            lines.append(f"{entry['id']} {_title(entry)}\n      {each.why}")
            added.append(entry)
        if not lines:
            lines = ["No new unknowns were found in objective, plan and questions."]
            lines.append(f"  add one: {ADD}")
        if more:
            lines.append(f"{more} more were found; scan again when these are answered.")
        if added:
            lines.append(f"The prompt of one: edge research start {added[0]['id']}")
        data = {"found": [each["id"] for each in added], "more": more}
        return EditResult("\n".join(lines), data, tuple(_event("added", each) for each in added))

    def start(self, ident: str) -> EditResult:
        """Mark it as in progress; the returned text is only the prompt, so that it can be piped."""
        entry = self._editable(ident, OPEN, "its prompt has already been answered")
        if not as_text(entry.get("prompt")):
            entry["prompt"] = self._prompt(entry)
        events = (_event("started", entry),) if entry["status"] == "pending" else ()
        entry["status"] = "in_progress"
        # Again: it may have been edited, or a value may only now be known as a secret.
        prompt = redact(str(entry["prompt"]), values=self._secrets)
        return EditResult(prompt, {"id": entry["id"], "prompt": prompt}, events)

    def complete(
        self, ident: str, text: str, *, kept_in: str = "", replace: bool = False
    ) -> EditResult:
        """Store results: extract their action items, and unblock the steps that waited.

        ``kept_in`` is the file with the complete results if they are too long for the state.
        """
        whole = results_text(text)
        entry = self._editable(ident)
        if entry["status"] == "completed" and not replace:
            hint = f"edge research results {entry['id']} --replace …"
            raise UsageError(f"{entry['id']} already has results", hint=hint)
        if entry["status"] == "cancelled":
            raise UsageError(f"{entry['id']} was cancelled", hint=ADD)
        actions, more = research_answers.action_items(whole)
        summary = research_answers.summary(whole, MAX_SUMMARY)
        entry["results"] = f"{summary}\n(complete: {kept_in})" if kept_in else whole
        entry["action_items"] = actions
        entry["status"] = "completed"
        entry["completed"] = self._now.isoformat(timespec="seconds")
        lines = [f"  {short_line(summary)}", *numbered(actions)]
        if actions:
            lines.append(f"Add them to the plan: edge research plan {entry['id']}")
        closed = self._close(
            "completed",
            entry,
            f"{entry['id']} is completed: {short_line(entry.get('topic'))}",
            *lines,
            actions=actions,
            kept_in=kept_in,
        )
        data = {**closed.data, "action_items": actions, "summary": summary}
        return closed._replace(data=data, remarks=_remarks(entry["id"], actions, more))

    def add_actions(self, ident: str, texts: Sequence[str]) -> EditResult:
        """Add action items by hand; those that exist are not added again."""
        entry = self._editable(ident, ("completed",), "it has no results yet")
        existing = actions_of(entry)
        checked = dict.fromkeys(checked_text(each, "an action item") for each in texts)
        new = [each for each in checked if each not in existing]
        entry["action_items"] = [*existing, *new]
        data = {"id": entry["id"], "action_items": entry["action_items"]}
        if not new:
            return EditResult("Nothing was added.", data)
        message = f"{entry['id']} has {many(len(existing) + len(new), 'action item')}"
        return EditResult(message, data, (_event("actions", entry, actions=new),))

    def plan(self, ident: str) -> EditResult:
        """Add the action items to the plan."""
        entry = self.entry(ident)
        if not (actions := actions_of(entry)):
            hint = f'edge research action {entry["id"]} "the first" "the second"'
            raise UsageError(f"{entry['id']} has no action items", hint=hint)
        return add_missing(self._state, actions)

    def cancel(self, ident: str, why: str | None = None) -> EditResult:
        """Cancel it; steps that waited for it are unblocked."""
        entry = self._editable(ident, OPEN, "there is nothing to cancel")
        reason = checked_text(why, "the reason") if why is not None else None
        entry["status"] = "cancelled"
        if reason:
            entry["results"] = f"Cancelled: {reason}"
        head = f"{entry['id']} is cancelled: {short_line(entry.get('topic'))}"
        return self._close("cancelled", entry, head, why=reason)

    def remove(self, ident: str) -> EditResult:
        """Remove an entry; one with results is archived by a prune instead."""
        entry = self._editable(ident)
        if entry["status"] == "completed":
            hint = "edge prune archives it"
            raise UsageError(
                f"{entry['id']} is completed, and its results would be lost", hint=hint
            )
        self.entries.remove(entry)
        head = f"Removed research {entry['id']}: {short_line(entry.get('topic'))}"
        closed = self._close("removed", entry, head)
        return closed._replace(data={"removed": entry["id"], "unblocked": closed.data["unblocked"]})

    # -- parts of an edit --------------------------------------------------------------------------

    def _editable(self, ident: str, statuses: Sequence[str] = STATUSES, why: str = "") -> Entry:
        """The entry, stored in the state; ``why``: the message if it has another status."""
        entry = self.entry(ident)
        if entry["status"] not in statuses:
            status = entry["status"].replace("_", " ")
            hint = f"edge research show {entry['id']}"
            raise UsageError(f"{entry['id']} is {status}: {why}", hint=hint)
        self._state["research"] = self.entries
        return entry

    def _new_entry(
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

    def _with_topic(self, topic: str) -> Entry | None:
        """The newest entry of the same topic."""
        newest = reversed(self.entries)
        return next((e for e in newest if _key(as_text(e.get("topic"))) == _key(topic)), None)

    def _close(self, to: str, entry: Entry, head: str, *rest: str, **logged: Any) -> EditResult:
        """Unblock the steps that waited for it: those that waited for nothing else are pending again."""
        freed = []
        for number, step in self._steps_blocked_by(entry):
            left = [each for each in _reasons(step) if each != _reason(entry["id"])]
            step["blocked_by"] = ", ".join(left)
            if not left:
                step["status"] = "pending"
                del step["blocked_by"]
                freed.append(number)
        lines = [head, *(f"  step {number} is unblocked" for number in freed), *rest]
        data = {"id": entry["id"], "unblocked": freed}
        event = _event(to, entry, **logged, unblocked=freed)
        return EditResult("\n".join(lines), data, (event,))

    def _steps_blocked_by(self, entry: Entry) -> list[tuple[int, dict[str, Any]]]:
        steps = enumerate(schema.maps(self._state.get("plan")), 1)
        return [
            (number, step)
            for number, step in steps
            if step.get("status") == "blocked" and _reason(entry["id"]) in _reasons(step)
        ]


def results_text(text: str) -> str:
    """Results as they are stored; raises UsageError if there are none, or too many characters."""
    if not text.strip():
        hint = "paste them after the command, pipe them in, or name a file: --file ANSWER.md"
        raise UsageError("there are no results in it", hint=hint)
    if "\0" in text:
        raise UsageError("the answer is not text", hint="save it as UTF-8")
    return checked_text(text, "the answer", most=MAX_RESULTS)


def actions_of(entry: Mapping[str, object]) -> list[str]:
    """The action items of an entry."""
    value = entry.get("action_items")
    return [str(each) for each in value if as_text(each)] if isinstance(value, list) else []


def is_finished(entry: Any) -> bool:
    """Whether a prune may archive it: it has results. A cancelled one is removed with ``remove``."""
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
    """One more than the highest number; gaps are not filled."""
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
    what = f"{many(more, 'more action item')} not extracted: see the results"
    return (what,) if more else ()


def _reason(ident: str) -> str:
    return f"research {ident}"


def _reasons(step: Mapping[str, Any]) -> list[str]:
    """What a step waits for, each as a text."""
    return [part for part in as_text(step.get("blocked_by")).split(", ") if part]


def _block_step(step: dict[str, Any], ident: str) -> None:
    """Make the step wait for this too, in addition to what it already waits for."""
    step["status"] = "blocked"
    step["blocked_by"] = ", ".join(dict.fromkeys([*_reasons(step), _reason(ident)]))


def _event(to: str, entry: Entry, **more: Any) -> tuple[str, dict[str, Any]]:
    known = {"to": to, "id": entry["id"], "topic": entry.get("topic")}
    rest = {"priority": entry["priority"], "step": entry.get("blocking_step"), **more}
    return "research", {**known, **{name: each for name, each in rest.items() if each}}


# end of module
