"""``edge why``: the chain that led to an entry of the log, from the request to the checks that came after.

Pure. Owns which entries belong together, and the rows that they make. Does not own finding them in a log
(``reports.why_service``) or how an entry reads (``reports.entries``).
"""

from __future__ import annotations

from operators_edge.evidence import session_facts
from operators_edge.reports import entries as read
from operators_edge.text.wording import many, one_line
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from operators_edge.records import LogEntry

MAX_CHECKS = 3
"""So many checks after the call are shown; the others are counted."""

_TEXT = 400
_LABEL = 24

ASKING = ("asked", "junction_raised")
DECIDED = ("junction_decided", "scope_given", "override_set", "gate_disabled")
USED = ("allowance_used", "dismissal_used", "switch_used", "override_used")
STOPPED = ("blocked", "denied", "approval_forgery", "warned")


class Row(NamedTuple):
    """One link of the chain; ``seq`` and ``at`` are of its entry, 0 and "" for what no entry says."""

    label: str
    text: str
    seq: int = 0
    at: str = ""

    def as_data(self) -> dict[str, Any]:
        return {"what": self.label.lower(), "text": self.text, "entry": self.seq, "at": self.at}


class Keys(NamedTuple):
    """By what entries belong together: calls (session and id), and ids of junctions, grants and lessons."""

    calls: frozenset[tuple[str, str]] = frozenset()
    ids: frozenset[str] = frozenset()

    def __or__(self, other: Keys) -> Keys:
        return Keys(self.calls | other.calls, self.ids | other.ids)


def keys_of(entry: LogEntry) -> Keys:
    """What an entry can be found by."""
    data = _data(entry)
    call = (str(entry.get("session") or ""), str(entry.get("tool_use_id") or ""))
    calls = frozenset([call] if call[1] else [])
    if entry.get("event") == "answer_source" and data.get("answered"):
        calls = frozenset([(call[0], str(data["answered"]))])
    grants = data.get("grants")
    # A call that was denied while a question was pending is only counted on it: its answer does not cover it.
    question = None if entry.get("event") == "denied" else data.get("junction")
    found = [
        question,
        *(data.get(name) for name in ("grant", "switch", "override", "key", "id")),
        *(grants if isinstance(grants, list) else []),
    ]
    return Keys(calls, frozenset(str(each) for each in found if each))


def belongs(entry: LogEntry, keys: Keys) -> bool:
    found = keys_of(entry)
    return bool(found.calls & keys.calls or found.ids & keys.ids)


def is_of_lesson(entry: LogEntry) -> bool:
    """Whether it is about a lesson, which comes up at many calls that have nothing else in common."""
    return str(entry.get("event") or "").startswith("lesson")


def names(entry: LogEntry, ident: str) -> bool:
    """Whether a person may mean this entry by such an id: as it is, or its first eight characters or more."""
    found = keys_of(entry)
    candidates = {*found.ids, *(call for _, call in found.calls)}
    shortest = 8
    return any(
        each == ident or (len(ident) >= shortest and each.startswith(ident)) for each in candidates
    )


def about(related: Sequence[LogEntry], anchor: LogEntry) -> LogEntry:
    """What the chain is about: the question, else the first call, else what was asked for."""
    asked = (each for each in related if each.get("event") in ASKING)
    called = (each for each in related if each.get("tool_use_id"))
    return next(asked, None) or next(called, anchor)


def latest(entries: Sequence[LogEntry]) -> LogEntry | None:
    """What "last" means: the latest entry about a decision or by the gate, else the latest call."""
    decided = (each for each in reversed(entries) if each.get("event") in (*_OF_GATE, *DECIDED))
    ran = (each for each in reversed(entries) if each.get("event") == "tool")
    return next(decided, None) or next(ran, None)


# -- the chain -------------------------------------------------------------------------------------


def chain(
    anchor: LogEntry,
    related: Iterable[LogEntry],
    *,
    request: LogEntry | None,
    after: Sequence[LogEntry] = (),
    reasons: Mapping[str, str] = {},
) -> list[Row]:
    """The rows for an entry, its related ones and the checks after it; ``reasons`` are those of the rules."""
    ordered = sorted(
        {int(each.get("seq") or 0): each for each in (anchor, *related)}.items(),
        key=lambda item: item[0],
    )
    links = [each for _, each in ordered]
    rows = [_row("Request", request, _quoted(request))] if request is not None else []
    explained: set[str] = set()
    for entry in links:
        rows += _rows(entry, explained, reasons)
    events = {each.get("event") for each in links}
    if events.intersection(ASKING) and not events.intersection((*DECIDED, "tool")):
        rows.append(Row("Decided", "no answer is in the log"))
    rows += _checks(after)
    return rows


def _rows(entry: LogEntry, explained: set[str], reasons: Mapping[str, str]) -> Iterator[Row]:
    """The rows of one entry; a call and its rule are shown where they come up first."""
    link = _Link(entry, _data(entry), read.line(entry))
    event = link.line.event
    if event in _OF_GATE and link.line.rule not in explained:
        explained.add(link.line.rule)
        yield from _call(link, reasons)
    elif event == "tool" and not explained:
        yield from _call(link, reasons)
    label, say = _SAID.get(event, ("", _other))
    if event != "prompt":
        yield _row(label or one_line(link.line.title, _LABEL), entry, say(link))
    if link.data.get("target"):
        yield Row("Bound to", one_line(link.data["target"], _TEXT))


class _Link(NamedTuple):
    entry: LogEntry
    data: Mapping[str, Any]
    line: read.Line

    @property
    def subject(self) -> str:
        return one_line(self.line.subject, _TEXT)


def _call(link: _Link, reasons: Mapping[str, str]) -> Iterator[Row]:
    """The call itself, and the rule that stopped it."""
    agent = f" (subagent {one_line(link.line.agent, 40)})" if link.line.agent else ""
    yield _row("Call", link.entry, f"{link.subject or one_line(link.line.tool, 80)}{agent}")
    if link.line.rule:
        source = one_line(link.data.get("source") or "", _TEXT)
        why = reasons.get(link.line.rule, "")
        found = f", found in {source}" if source else ""
        reason = f": {one_line(why, _TEXT)}" if why else ""
        yield Row("Rule", f"{one_line(link.line.rule, 80)}{found}{reason}")


def _prompted(link: _Link) -> str:
    is_dialog = link.line.event == "asked"
    return f"a person, {'in the dialog of the client' if is_dialog else 'by /edge or edge approve'}"


def _used(link: _Link) -> str:
    return _USES[link.line.event]


_USES = {
    "allowance_used": "an approval, for this one call",
    "dismissal_used": "a dismissal of such calls",
    "switch_used": "an off switch",
    "override_used": "an override",
}


def _decision(link: _Link) -> str:
    line, data = link.line, link.data
    outcome = one_line(line.outcome, 40) or line.title.lower()
    scope = f" for the {one_line(data['scope'], 40)}" if data.get("scope") else ""
    who = f" by {one_line(line.who, 80)}" if line.who else ""
    why = f": {one_line(data['why'], _TEXT)}" if data.get("why") else ""
    return f"{outcome}{scope}{who}{why}"


def _stopped(link: _Link) -> str:
    if link.line.event != "denied":
        return _STOPS[link.line.event]
    why, pending = link.data.get("why"), link.data.get("junction")
    if why:
        return f"denied: {'a person had refused it' if why == 'refused' else one_line(why, _TEXT)}"
    its = f" (edge why {one_line(pending, 40)})" if pending else ""
    return f"denied: a decision was pending{its}"


_STOPS = {
    "warned": "let it run, with a warning",
    "approval_forgery": "blocked as an attempt of the agent to decide",
    "blocked": "blocked, which nobody can approve",
}


def _changed(link: _Link) -> str:
    changed = link.data.get("changed")
    what = ", ".join(map(str, changed)) if isinstance(changed, list) else changed or ""
    return one_line(f"{link.line.title.lower()}: {what}", _TEXT)


def _answered(link: _Link) -> str:
    return one_line(read.answered_by(link.data), 80)


def _ran(link: _Link) -> str:
    entry, parts = link.entry, [link.line.outcome or "ended"]
    code, took = entry.get("exit_code"), entry.get("duration_ms")
    if isinstance(code, int) and code:
        parts.append(f"exit {code}")
    if isinstance(took, int):
        parts.append(f"{took} ms" if took < 1000 else f"{took / 1000:.1f} s")
    return ", ".join([*parts, *(_check(each) for each in session_facts.results_of(entry))])


def _lesson(link: _Link) -> str:
    event, data = link.line.event, link.data
    if event in ("lesson", "lesson_everywhere"):
        return link.subject or "changed"
    to = {"lesson_told": "shown", "lesson_used": "used"}.get(event) or str(data.get("to") or "")
    return ": ".join(filter(None, [one_line(to, 40), one_line(data.get("why") or "", _TEXT)]))


def _other(link: _Link) -> str:
    who = f"by {one_line(link.line.who, 80)}" if link.line.who else ""
    said = ", ".join(filter(None, [one_line(link.line.outcome, 40), who]))
    return ": ".join(filter(None, [said, link.subject])) or one_line(link.line.title, _LABEL)


_OF_GATE = (*ASKING, *STOPPED, *USED)

_SAID: Mapping[str, tuple[str, Callable[[_Link], str]]] = {
    **dict.fromkeys(ASKING, ("Asked", _prompted)),
    **dict.fromkeys(DECIDED, ("Decided", _decision)),
    **dict.fromkeys(USED, ("Allowed by", _used)),
    **dict.fromkeys(STOPPED, ("Gate", _stopped)),
    **dict.fromkeys(("approved_changed", "junction_changed"), ("Changed", _changed)),
    **dict.fromkeys(
        ("lesson", "lesson_everywhere", "lesson_told", "lesson_used", "obligation"),
        ("Lesson", _lesson),
    ),
    "answer_source": ("Answered", _answered),
    "tool": ("Ran", _ran),
}
"""The label and the text of each event; any other one has its own title."""


def _check(each: Mapping[str, Any]) -> str:
    verdict = {True: "passed", False: "failed"}.get(each["passed"], "outcome unknown")
    return f"{one_line(each['name'] or each['kind'], 60)} {verdict}"


def _checks(after: Sequence[LogEntry]) -> Iterator[Row]:
    for entry in after[:MAX_CHECKS]:
        text = ", ".join(_check(each) for each in session_facts.results_of(entry))
        yield _row("Checked", entry, text)
    if len(after) > MAX_CHECKS:
        yield Row("", f"and {many(len(after) - MAX_CHECKS, 'check')} after that")


def _quoted(request: LogEntry | None) -> str:
    return f'"{one_line(read.line(request).subject, _TEXT)}"' if request is not None else ""


def _row(label: str, entry: LogEntry, text: str) -> Row:
    line = read.line(entry)
    return Row(label, text, line.seq, line.at)


def _data(entry: LogEntry) -> Mapping[str, Any]:
    data = entry.get("data")
    return data if isinstance(data, dict) else {}


# end of module
