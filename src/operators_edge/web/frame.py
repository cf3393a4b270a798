"""Which views there are, and what stands above each: the projects, the views, how much waits.

Owns the table of views. What a view shows is in its own module.
"""

from __future__ import annotations

from operators_edge.errors import EdgeError
from operators_edge.reports.html import Html, Node, badge, tag
from operators_edge.tuples import NamedTuple
from operators_edge.web import inbox_service, parts
from operators_edge.web.views import (
    bridge,
    grants,
    health,
    home,
    memory,
    metrics,
    overview,
    plan,
    proof,
    timeline,
    undo,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from operators_edge.web.inbox_service import Inbox
    from operators_edge.web.projects_service import Place

    Show = Callable[[Place, Mapping[str, str], Mapping[str, str]], Html]


class View(NamedTuple):
    """``show`` takes a project, what is asked for, and the person's environment."""

    label: str
    show: Show
    is_listed: bool = True


HOME = "home"
OF_PROJECT: dict[str, View] = {
    "overview": View("Overview", overview.show),
    "plan": View("Plan", plan.show),
    "proof": View("Proof ledger", proof.show),
    "timeline": View("Timeline", timeline.show),
    "grants": View("Grants", grants.show),
    "bridge": View("Bridge", bridge.show),
    "undo": View("Undo", undo.show),
    "memory": View("Lessons", memory.show),
    "metrics": View("Metrics", metrics.show),
    "health": View("Health", health.show),
    "entry": View("Entry", timeline.entry, is_listed=False),
}
"""In the order of the navigation."""


def is_view(name: str) -> bool:
    return name == HOME or name in OF_PROJECT


def view_of(
    name: str,
    places: Sequence[Place],
    asked: Mapping[str, str],
    env: Mapping[str, str],
    here: str = "",
) -> dict[str, Any]:
    """A view for the page's script: its HTML, its title, which questions wait, and where the digits lead.

    ``here`` is the project that the dashboard was started in, "" for none.
    """
    inboxes = [inbox_service.inbox_of(each) for each in places]
    waiting = sum(each.waiting for each in inboxes)
    place = next((each for each in places if each.id == asked.get("project")), None)
    title, main = _main(name, inboxes, place, asked, env)
    top = tag("header", _brand(name, waiting), _projects(name, inboxes, place), class_="top")
    views = _views(name, place) if place is not None and name != HOME else ""
    return {
        "ok": True,
        "title": title,
        "waiting": waiting,
        "asked": _questions(inboxes),
        "keys": _keys(place or _usual(places, here)),
        "html": f"{top}{views}{main}",
    }


def _usual(places: Sequence[Place], here: str) -> Place | None:
    """The project that is meant where none is named."""
    started_in = next((each for each in places if each.root == here), None)
    return started_in or (places[0] if len(places) == 1 else None)


def _keys(place: Place | None) -> list[str]:
    """The addresses of a project's views, in the order of their keys."""
    listed = [name for name, view in OF_PROJECT.items() if view.is_listed]
    return [parts.address(name, place.id) for name in listed] if place else []


def _main(
    name: str,
    inboxes: Sequence[Inbox],
    place: Place | None,
    asked: Mapping[str, str],
    env: Mapping[str, str],
) -> tuple[str, Html]:
    if name == HOME:
        return "Decisions", home.show(inboxes)
    view = OF_PROJECT[name]
    if place is None:
        none = parts.quiet("It is not guarded any more, or never was.")
        return view.label, parts.page("No such project", tag("div", none, class_="card"))
    title = f"{view.label}, {place.name}"
    try:
        return title, view.show(place, asked, env)
    except EdgeError as error:
        what = f"{view.label} of {place.name} could not be read"
        return title, parts.page(title, parts.problem(what, error.message, error.hint))


def _brand(name: str, waiting: int) -> Html:
    count: Node = [" ", parts.count(waiting), parts.unseen(" waiting")] if waiting else None
    is_here = "page" if name == HOME else None
    return tag("a", "Decisions", count, href="#/home", class_="brand", aria_current=is_here)


def _projects(name: str, inboxes: Sequence[Inbox], place: Place | None) -> Html:
    view = name if name in OF_PROJECT and OF_PROJECT[name].is_listed else "overview"
    tabs = [
        _tab(
            each.place.name,
            parts.address(view, each.place.id),
            "true" if place is not None and each.place.id == place.id else None,
            parts.count(each.waiting) if each.waiting else None,
            badge("!", "bad") if each.problem else None,
        )
        for each in inboxes
    ]
    return tag("nav", tag("ul", *tabs, class_="tabs"), aria_label="Projects")


def _views(name: str, place: Place) -> Html:
    tabs = [
        _tab(view.label, parts.address(each, place.id), "page" if each == name else None)
        for each, view in OF_PROJECT.items()
        if view.is_listed
    ]
    inner = tag("ul", *tabs, class_="tabs views")
    return tag("nav", inner, class_="top", aria_label=f"Views of {place.name}")


def _tab(label: str, to: str, current: str | None, *marks: Node) -> Html:
    shown_marks = [node for each in marks if each is not None for node in (" ", each)]
    return tag("li", tag("a", parts.words(label), *shown_marks, href=to, aria_current=current))


def _questions(inboxes: Sequence[Inbox]) -> list[dict[str, str]]:
    """The questions by their ids, so that the page can tell which are new."""
    return [
        {"id": question.id, "text": "".join(piece.text for piece in question.pieces)[:120]}
        for each in inboxes
        for question in each.questions
        if not question.is_shown_only
    ]


# end of module
