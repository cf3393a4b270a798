"""The empty list of every entry on the proof page, its filters and its keys: a script fills it.

Pure. Does not own what is in the list (``reports.timeline``) or the script (``assets/proof_page.js``).
"""

from __future__ import annotations

from operators_edge.reports import proof_page_parts as parts
from operators_edge.reports.html import Html, code, tag


def entries() -> Html:
    tools = tag(
        "form",
        tag(
            "label",
            tag("span", "Search", class_="unseen"),
            tag(
                "input",
                type="search",
                id="search",
                placeholder="Search  /",
                autocomplete="off",
                spellcheck="false",
            ),
        ),
        _select("kind", "Kind"),
        _select("outcome", "Outcome"),
        _select("session", "Session"),
        _select("file", "File"),
        tag("button", "Clear", type="button", id="clear"),
        tag("button", "Keys ?", type="button", id="keys"),
        tag("output", "", id="count", class_="quiet small"),
        class_="row tools on-screen",
        id="tools",
        hidden=True,
        role="search",
        aria_label="Entries",
    )
    rows = tag(
        "div",
        tag("div", "", id="space", role="presentation"),
        id="rows",
        role="listbox",
        tabindex="0",
        aria_label="Entries of the log",
    )
    detail = tag(
        "section",
        "",
        id="detail",
        class_="box",
        aria_label="The selected entry",
        hidden=True,
        tabindex="-1",
    )
    without = tag(
        "p",
        "The list of every entry needs JavaScript. ",
        code("edge log"),
        " shows it in a terminal.",
        id="without",
    )
    printed = tag("table", "", id="printed")
    return parts.card(
        "timeline",
        "Every entry",
        without,
        tools,
        tag("div", rows, detail, class_="split", id="split", hidden=True),
        printed,
    )


def _select(ident: str, label: str) -> Html:
    return tag(
        "label",
        tag("span", label, class_="unseen"),
        tag("select", tag("option", f"{label}: all", value=""), id=ident),
    )


_KEYS = (
    ("/", "search"),
    ("j k or ↓ ↑", "next and previous entry"),
    ("n p", "next and previous entry that went wrong"),
    ("Enter", "open the entry"),
    ("Esc", "close, then clear the filters"),
    ("g G", "first and last entry"),
    ("?", "this help"),
)


def keys() -> Html:
    rows = [
        tag("tr", tag("th", tag("kbd", key), scope="row"), tag("td", what)) for key, what in _KEYS
    ]
    close = tag("form", tag("button", "Close"), method="dialog")
    return tag(
        "dialog",
        tag("h2", "Keys"),
        tag("table", tag("tbody", rows)),
        close,
        id="help",
        aria_label="Keys",
    )


# end of module
