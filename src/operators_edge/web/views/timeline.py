"""What happened, entry by entry, the latest first: filters, a search, and one entry in full."""

from __future__ import annotations

import json
from functools import lru_cache

from operators_edge.errors import EdgeError
from operators_edge.redaction.redact import redact
from operators_edge.reports import entries as told
from operators_edge.reports.html import Html, Node, tag
from operators_edge.sessions import live
from operators_edge.text.wording import amount
from operators_edge.web import parts
from operators_edge.web.index_store import IndexedEntry, TimelineIndex, Wanted
from operators_edge.web.parts import badge, code, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from operators_edge.project import Project
    from operators_edge.records import LogEntry
    from operators_edge.web.index_store import Progress
    from operators_edge.web.projects_service import Place

ROWS = 100
MAX_TEXT = 50_000
OUTCOMES = ("ok", "failed", "blocked", "denied", "asked", "waiting", "approved", "refused")
_SHORT = 12
"""Rows from the end that are shown while there is no index yet."""


@lru_cache(maxsize=64)
def index_of(root: str) -> TimelineIndex:
    """The index of a project, one in this process."""
    return TimelineIndex(root)


def show(place: Place, asked: Mapping[str, str], _env: Mapping[str, str]) -> Html:
    """A page of entries. While the index is built, the end of the log stands in for it."""
    project = place.opened()
    wanted = Wanted(*(asked.get(name, "") for name in Wanted._fields))
    before = _number(asked.get("before", ""))
    index = index_of(place.root)
    progress = index.catch_up()
    above = (_filters(place, project, wanted), _progress(progress))
    title = f"Timeline of {place.name}"
    try:
        found = _page(project, index, progress, wanted, before)
    except EdgeError as error:
        return parts.page(title, *above, parts.problem("No answer", error.message, error.hint))
    return parts.page(
        title,
        *above,
        _list(place, found[:ROWS]),
        _paging(place, wanted, found, before),
    )


def _page(
    project: Project, index: TimelineIndex, progress: Progress, wanted: Wanted, before: int
) -> list[IndexedEntry]:
    is_latest = wanted.is_all and not before
    if is_latest and not progress.is_complete:
        last = project.log.tail(ROWS)
        return [IndexedEntry(_number(str(each.get("seq"))), each) for each in reversed(last)]
    if progress.problem:
        raise EdgeError(progress.problem, hint="edge log search")
    return index.page(wanted, before=before, count=ROWS + 1)


def _number(text_: str) -> int:
    return int(text_) if text_.isascii() and text_.isdigit() and len(text_) < 16 else 0


# -- above the list --------------------------------------------------------------------------------


def _filters(place: Place, project: Project, wanted: Wanted) -> Html:
    sessions = live.recent(project.state.read(), project.evidence.work())
    return tag(
        "form",
        tag("input", type="hidden", name_="project", value=place.id),
        tag(
            "label",
            "Search",
            tag(
                "input",
                type="search",
                name_="words",
                value=wanted.words,
                placeholder="words, or begin*",
            ),
            class_="field",
        ),
        _choice("What", "kind", told.KINDS, wanted.kind),
        _choice("Outcome", "outcome", OUTCOMES, wanted.outcome),
        _choice("Session", "session", sessions, wanted.session),
        parts.button("Search", ""),
        class_="card filters",
        data_go="timeline",
        role="search",
        id="filters",
    )


def _choice(label: str, name: str, values: Sequence[str], chosen: str) -> Html:
    listed = [*values, *([chosen] if chosen and chosen not in values else [])]
    options = [
        tag("option", each[:8] if name == "session" else each, value=each, selected=each == chosen)
        for each in listed
    ]
    every = tag("option", "all", value="", selected=not chosen)
    return tag("label", label, tag("select", every, *options, name_=name), class_="field")


def _progress(progress: Progress) -> Node:
    if progress.problem:
        return parts.problem("There is no search now", progress.problem, "edge log search WORDS")
    if progress.is_complete:
        return None
    done = f"{amount(progress.read)} of {amount(progress.size)}"
    return tag(
        "div",
        tag("p", f"The log is being indexed ({done}); a search finds what was read so far."),
        tag("progress", max=str(progress.size), value=str(progress.read), aria_label="Indexed"),
        class_="card",
        data_tone="wait",
    )


def _paging(place: Place, wanted: Wanted, found: list[IndexedEntry], before: int) -> Html:
    asked = {name: value for name, value in wanted._asdict().items() if value}
    latest = parts.address("timeline", place.id, **asked)
    older = len(found) > ROWS and parts.address(
        "timeline", place.id, **asked, before=found[ROWS - 1].place
    )
    return tag(
        "nav",
        parts.line(
            parts.link("Latest", latest) if before else None,
            parts.link("Older", older) if older else None,
        ),
        aria_label="Pages of the timeline",
    )


# -- the list --------------------------------------------------------------------------------------


def _list(place: Place, found: list[IndexedEntry]) -> Html:
    if not found:
        return tag("p", "No such entry.", class_="card quiet")
    return tag("ol", *(_row(place, each) for each in found), class_="list entries card")


def _row(place: Place, found: IndexedEntry) -> Html:
    line = told.line(found.entry)
    to = parts.address("entry", place.id, n=line.seq) if line.seq else ""
    number = parts.link(f"#{line.seq}", to) if to else "?"
    about = [part for part in (line.rule, line.who, line.session[:8]) if part]
    return tag(
        "li",
        tag("span", number, class_="number quiet small"),
        tag("span", parts.local_time(line.at), class_="quiet small"),
        tag(
            "span",
            parts.line(
                tag("strong", parts.words(line.title)),
                badge(line.outcome, line.tone) if line.outcome else None,
                tag("span", parts.words(", ".join(about)), class_="quiet small") if about else None,
            ),
            tag("span", code(line.subject, 200)) if line.subject else None,
            class_="grow",
        ),
        id=f"e-{place.id}-{found.place}",
        data_item=True,
        data_tone=line.tone or None,
        tabindex="-1",
    )


# -- one entry -------------------------------------------------------------------------------------


def entry(place: Place, asked: Mapping[str, str], _env: Mapping[str, str]) -> Html:
    """Everything that the log has of one entry, redacted again."""
    project = place.opened()
    number = _number(asked.get("n", ""))
    found = _entry(project, index_of(place.root), number)
    if found is None:
        raise EdgeError(f"there is no entry {number} in the log", hint="edge log")
    line = told.line(found)
    near = [
        parts.link(label, parts.address("entry", place.id, n=each))
        for label, each in (("Before", number - 1), ("After", number + 1))
        if each > 0
    ]
    return parts.page(
        f"Entry {number}: {line.title}",
        parts.line(
            badge(line.kind),
            badge(line.outcome, line.tone) if line.outcome else None,
            *near,
            parts.link("Timeline", parts.address("timeline", place.id)),
        ),
        parts.card("What the log has", "entry", parts.rows(_fields(found))),
    )


def _entry(project: Project, index: TimelineIndex, number: int) -> LogEntry | None:
    if index.catch_up().is_complete:
        found = index.entry(number)
        return found.entry if found is not None else None
    return project.log.show(number)


def _fields(found: LogEntry) -> Iterator[tuple[str, Node]]:
    for name, value in found.items():
        if value in (None, "", {}, []):
            continue
        if name == "timestamp":
            yield name, parts.local_time(value)
        elif name == "data" and isinstance(value, dict):
            yield from ((f"data.{key}", _value(each)) for key, each in value.items())
        else:
            yield name, _value(value)


def _value(value: Any) -> Node:
    if isinstance(value, (int, float)):
        return str(value)
    shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
    return tag("pre", text(redact(shown[:MAX_TEXT]), 2000), class_="plain")


# end of module
