"""Finds in a project's log what led to an entry, for ``edge why``.

Owns how an id is looked up and how far the log is read. Does not own what belongs together (``reports.why``).
"""

from __future__ import annotations

import json
from collections import deque

from operators_edge.config import effective
from operators_edge.errors import AnswerIsNo, EdgeError
from operators_edge.evidence import session_facts
from operators_edge.reports import why
from operators_edge.storage import segments
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from operators_edge.project import Project
    from operators_edge.records import LogEntry
    from operators_edge.reports.why import Row

LAST = "last"
_RECENT = 2_000
"""Entries among which "last" is looked for."""
_AFTER = 2_000
"""Entries after the call in which a check counts as one after it."""
_BEFORE = 5_000
"""Entries before it in which its request is looked for."""
_ROUNDS = 4
"""A grant leads to its decision, that to its question, and that to the call."""


class Explanation(NamedTuple):
    """The entry that was asked about, and the chain that led to it."""

    entry: LogEntry
    rows: list[Row]


def explain(project: Project, ident: str) -> Explanation:
    """The chain for an entry's number, the id of a call, junction, grant or lesson, or "last".

    Raises AnswerIsNo if the log has nothing of that name.
    """
    anchors = _anchors(project, ident)
    if not anchors:
        if ident == "last":
            raise AnswerIsNo("nothing was asked or decided here yet", hint="edge log")
        raise AnswerIsNo(f"the log has nothing named {ident}", hint="edge log search TEXT")
    related = _related(project, anchors)
    anchor = anchors[-1]
    about = why.about(related, anchor)
    ran = [each for each in related if each.get("event") == "tool"]
    rows = why.chain(
        anchor,
        related,
        request=_request(project, str(about.get("session") or ""), _seq(about)),
        after=[*_checks_after(project, ran[-1])] if ran else [],
        reasons=_reasons(project),
    )
    return Explanation(anchor, rows)


def _anchors(project: Project, ident: str) -> list[LogEntry]:
    if ident == LAST:
        entry = why.latest(project.log.tail(_RECENT))
        return [] if entry is None else [entry]
    if ident.isascii() and ident.isdigit():
        return [*_between(project, int(ident), int(ident))]
    return [each for each in _with(project, ident) if why.names(each, ident)]


def _related(project: Project, anchors: Iterable[LogEntry]) -> list[LogEntry]:
    """Every entry that belongs to these, also through others; a lesson leads to its own calls only."""
    asked = {_seq(each): each for each in anchors}
    found = dict(asked)
    known = why.Keys()
    for _ in range(_ROUNDS):
        keys = why.Keys()
        for seq, each in found.items():
            keys |= why.keys_of(each) if seq in asked or not why.is_of_lesson(each) else why.Keys()
        new = why.Keys(keys.calls - known.calls, keys.ids - known.ids)
        if not new.calls and not new.ids:
            break
        marks = [*(call for _, call in new.calls), *new.ids]
        for mark in marks:
            named = (each for each in _with(project, mark) if why.belongs(each, new))
            found |= {_seq(each): each for each in named}
        known = keys
    return [found[seq] for seq in sorted(found)]


def _with(project: Project, text: str) -> Iterator[LogEntry]:
    """The entries whose line has this text; the others are not even parsed."""
    mark = json.dumps(text, ensure_ascii=False)[1:-1].encode()
    if not mark:
        return
    for line, _ in segments.all_lines(project.root, None, mark=mark):
        if mark in line:
            yield segments.read(line)


def _between(project: Project, first: int, last: int) -> Iterator[LogEntry]:
    """The entries with these numbers; those before them are not parsed."""
    for line, _ in segments.lines_from(project.root, first):
        found = _NUMBER.match(line)
        if found is None or first <= int(found[1]) <= last:
            entry = segments.read(line)
            if first <= _seq(entry) <= last:
                yield entry
        elif int(found[1]) > last:
            return


_NUMBER = pattern(rb'\{"seq":(\d{1,15}),')


def _request(project: Project, session: str, seq: int) -> LogEntry | None:
    """The last prompt of the session before an entry."""
    prompts = (
        each
        for each in _between(project, max(1, seq - _BEFORE), seq - 1)
        if each.get("event") == "prompt" and each.get("session") == session
    )
    return next(iter(deque(prompts, maxlen=1)), None)


def _checks_after(project: Project, ran: LogEntry) -> Iterator[LogEntry]:
    """The checks after a call, in any session: one working tree is shared by all."""
    first = _seq(ran) + 1
    return filter(session_facts.results_of, _between(project, first, first + _AFTER))


def _reasons(project: Project) -> dict[str, str]:
    """Why each rule stops a call; {} if the rules cannot be read."""
    try:
        return {str(each["id"]): str(each["reason"]) for each in effective.load(project.root).rules}
    except EdgeError:
        return {}


def _seq(entry: LogEntry) -> int:
    return int(entry.get("seq") or 0)


# end of module
