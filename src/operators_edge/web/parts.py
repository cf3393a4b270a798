"""The parts that views are made of: cards, rows, tables, links between views, answers.

Pure. Owns how they look to a script and to a screen reader, and that every text in them is redacted. Does not
own escaping (``reports.html``).
"""

from __future__ import annotations

from urllib.parse import urlencode

from operators_edge.redaction.redact import redact
from operators_edge.reports import html
from operators_edge.reports.html import FOLDED_AT, Html, Node, tag, when

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def text(value: object, at: int = FOLDED_AT) -> Html:
    """A text of anybody, without secrets; a long one can be opened."""
    return html.text("" if value is None else redact(str(value)), at)


def code(value: object, at: int = FOLDED_AT) -> Html:
    """A command or a path."""
    return tag("code", text(value, at))


def words(value: object) -> Html:
    """A short text of anybody, without secrets, in one piece."""
    return tag("bdi", redact(str(value)))


def badge(word: str, tone: str = "") -> Html:
    """One word that is marked."""
    return html.badge(redact(word), tone)


def page(title: str, *children: Node, is_unseen: bool = False) -> Html:
    """The main part of a view, which keys and a screen reader go to."""
    head = tag("h1", words(title), class_="unseen" if is_unseen else None)
    return tag("main", head, *children, id="main", class_="page", tabindex="-1")


def card(title: str, ident: str, *children: Node, tone: str | None = None) -> Html:
    """A part of a view with a heading of its own."""
    head = tag("h2", title, id=f"h-{ident}")
    return tag(
        "section", head, *children, class_="card", data_tone=tone, aria_labelledby=f"h-{ident}"
    )


def item(ident: str, *children: Node, tone: str | None = None, kind: str = "card") -> Html:
    """One of several things, which the keys j and k go to."""
    return tag(
        "article", *children, class_=kind, id=ident, data_item=True, data_tone=tone, tabindex="-1"
    )


_EMPTY = html.text("")


def rows(pairs: Iterable[tuple[str, Node]]) -> Html:
    """Labels with what they are about; a pair without a value is left out."""
    found = [
        tag(
            "div",
            tag("dt", label),
            tag("dd", value),
            class_="changed" if label == "Changed" else None,
        )
        for label, value in pairs
        if value not in (None, "", [], _EMPTY)
    ]
    return tag("dl", *found, class_="rows")


def table(head: Sequence[str], lines: Iterable[Sequence[Node]], *, about: str) -> Html:
    """A table that scrolls by itself where it is too wide; ``about`` is its name."""
    body = [tag("tr", *(tag("td", cell) for cell in line)) for line in lines]
    made = tag(
        "table",
        tag("caption", about, class_="unseen"),
        tag("thead", tag("tr", *(tag("th", each, scope="col") for each in head))),
        tag("tbody", *body),
    )
    return tag("div", made, class_="wide", tabindex="0", role="region", aria_label=about)


def address(view: str, project: str = "", **asked: str | int) -> str:
    """Where a view is, for a link."""
    query = {"project": project, **{name: str(value) for name, value in asked.items()}}
    named = urlencode({name: value for name, value in query.items() if value})
    return f"#/{view}?{named}" if named else f"#/{view}"


def link(label: Node, to: str, **attributes: str | None) -> Html:
    return tag("a", label, href=to, **attributes)


def quiet(*children: Node) -> Html:
    return tag("p", *children, class_="quiet")


def small(*children: Node) -> Html:
    return tag("div", *children, class_="quiet small")


def line(*children: Node) -> Html:
    """Parts side by side, with a space for a reader who does not see the gap."""
    spaced: list[Node] = []
    for each in children:
        if each not in (None, ""):
            spaced += [each, " "]
    return tag("div", *spaced[:-1], class_="row")


def problem(what: str, why: str, hint: str = "") -> Html:
    """What could not be read: in its place, so that nothing looks as if it were empty."""
    run = hint and tag("p", "Run: ", tag("code", hint), class_="quiet")
    return tag(
        "div", tag("h2", what), tag("div", text(why)), run or None, class_="card", data_tone="bad"
    )


def button(label: Node, act: str, *, scope: str = "", hint: str = "") -> Html:
    """One answer. None is the default, so that no key gives one by itself."""
    return tag(
        "button",
        label,
        type="submit",
        name_="act",
        value=act,
        data_scope=scope or None,
        title=hint or None,
    )


def answer(ident: str, project: str, *children: Node, kind: str = "", **about: str) -> Html:
    """A form with answers; what is named in ``about`` goes with each of them."""
    data = {f"data_{name}": value for name, value in about.items()}
    return tag(
        "form",
        *children,
        tag("div", class_="preview", data_keep=True),
        tag("p", class_="outcome", role="alert", data_keep=True),
        class_=f"answer {kind}".strip(),
        id=ident,
        data_project=project,
        **data,
    )


def note(label: str = "Note, kept with the decision") -> Html:
    entry = tag("input", name_="why", maxlength="300", autocomplete="off")
    return tag("label", label, entry, class_="field")


def unseen(*children: Node) -> Html:
    """For a screen reader only."""
    return tag("span", *children, class_="unseen")


def listed(items: Iterable[Node]) -> Html:
    return tag("ul", *(tag("li", each) for each in items), class_="list")


def local_time(value: object) -> Node:
    return when(value) if value else ""


def count(number: int, tone: str = "wait") -> Html:
    return badge(str(number), tone)


# end of module
