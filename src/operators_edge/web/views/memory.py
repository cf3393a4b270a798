"""The lessons of a project and the person's own: when each is shown, how often it helped, if it is kept."""

from __future__ import annotations

from operators_edge.memory import lessons, person_store
from operators_edge.reports.html import Html, Node, tag
from operators_edge.text.wording import as_text
from operators_edge.web import parts
from operators_edge.web.parts import code, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from operators_edge.web.projects_service import Place


def show(place: Place, _asked: Mapping[str, str], env: Mapping[str, str]) -> Html:
    found = lessons.listed(place.opened().state.read())
    own = lessons.listed({"memory": person_store.read(env)})
    none = tag("p", "No lessons yet: ", tag("code", "edge lesson add TRIGGER LESSON"))
    return parts.page(
        f"Lessons of {place.name}",
        _list(place.id, found) if found else tag("div", none, class_="card quiet"),
        tag("h2", "Your own, shown in each of your projects") if own else None,
        _list("own", own) if own else None,
    )


def _list(whose: str, found: Iterable[Mapping[str, Any]]) -> Html:
    return tag("ul", *(_lesson(whose, each) for each in found), class_="list card")


def _lesson(whose: str, lesson: Mapping[str, Any]) -> Html:
    known = ("number", "key", "trigger", "lesson")
    more: list[tuple[str, Node]] = [
        (str(name).replace("_", " ").capitalize(), text(as_text(value), 200))
        for name, value in lesson.items()
        if name not in known and as_text(value)
    ]
    return tag(
        "li",
        tag("div", text(lesson.get("lesson"))),
        parts.rows([("Shown for", code(lesson.get("trigger"))), *more]),
        data_item=True,
        tabindex="-1",
        id=f"m-{whose}-{lesson['number']}",
    )


# end of module
