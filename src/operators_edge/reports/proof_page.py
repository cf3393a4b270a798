"""The proof page: one file with no network, for a person who was not there.

Pure. What has to be known comes first and needs no script: what was asked, what was decided by whom, what
changed, which checks ran, claims beside evidence, where it went wrong. Below it every entry, for a script.
Does not own the cards (``reports.proof_page_cards``), the list of entries (``reports.proof_page_entries``),
what is on them (``reports.summary``, ``reports.timeline``) or how it is checked later (``reports.seal``).
"""

from __future__ import annotations

import hashlib
from base64 import b64encode

from operators_edge.reports import (
    html,
    proof_page_cards,
    proof_page_entries,
    proof_page_parts as parts,
    seal,
)
from operators_edge.reports.html import Html, Node, code, tag, text, together, when
from operators_edge.text.wording import many, point_in_time
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from operators_edge.reports.proof_ledger import Row
    from operators_edge.reports.summary import Summary
    from operators_edge.reports.timeline import Timeline


class OpenStep(NamedTuple):
    """A step of the plan that is not completed, and so claims nothing."""

    number: int
    text: str
    status: str


class Content(NamedTuple):
    """All that the page says.

    ``lines`` are added and removed lines by path, as far as they are known, since the commit ``base``.
    ``traceability`` is in percent, None without calls. ``unknown``: what could not be found out, and why.
    ``earlier``: entries of the log before the first one here.
    """

    project: str
    version: str
    written: str
    objective: str
    summary: Summary
    claims: tuple[Row, ...]
    counted: str
    open_steps: tuple[OpenStep, ...]
    lines: Mapping[str, tuple[int, int]]
    base: str
    traceability: float | None
    unknown: tuple[str, ...]
    earlier: int
    head: seal.Head
    timeline: Timeline


def page(content: Content) -> str:
    """The whole file, sealed."""
    style = html.code_of(html.asset("base.css") + html.asset("proof_page.css"))
    script = html.code_of(html.asset("proof_page.js"))
    head = together(
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{content.project}: proof of work"),
        tag("style", style),
    )
    body = tag("body", _body(content), _data(content), tag("script", script))
    return seal.sealed(html.document(language="en", head=head, body=body))


def _policy(style: str, script: str) -> str:
    """Nothing is loaded, and nothing runs but what the page was written with."""
    allowed = (f"'sha256-{_hash(each)}'" for each in (style, script))
    style_from, script_from = allowed
    return (
        f"default-src 'none'; style-src {style_from}; script-src {script_from}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(content: str) -> str:
    return b64encode(hashlib.sha256(content.encode()).digest()).decode()


def _data(content: Content) -> Html:
    timeline = content.timeline
    manifest = seal.Manifest(
        version=content.version,
        project=content.project,
        written=content.written,
        first=content.summary.first,
        last=content.summary.last,
        entries=content.summary.entries,
        head=content.head,
    )
    return together(
        _json("seal", manifest.as_data()),
        _json("lines", timeline.columns),
        _json("phases", _phases(content)),
        [_json(f"d{number}", piece) for number, piece in timeline.details.items()],
    )


def _phases(content: Content) -> list[list[Any]]:
    """Session, first and last entry, and purpose of each phase."""
    return [
        [session.ident, each.first, each.last, each.purpose]
        for session in content.summary.sessions
        for each in session.phases
    ]


def _json(ident: str, value: Any) -> Html:
    return tag("script", html.data(value), type="application/json", id=ident)


# -- the first screen ------------------------------------------------------------------------------


def _body(content: Content) -> Html:
    summary = content.summary
    main = tag(
        "main",
        proof_page_cards.unknown(content.unknown),
        proof_page_cards.troubles(content),
        tag(
            "div",
            tag(
                "div",
                proof_page_cards.requests(summary.requests),
                proof_page_cards.decisions(summary.decisions),
            ),
            tag(
                "div",
                proof_page_cards.changes(summary.changes, content),
                proof_page_cards.checks(summary.checks),
            ),
            class_="pair",
        ),
        proof_page_cards.claims(content),
        proof_page_cards.sessions(summary.sessions),
        proof_page_entries.entries(),
        _about(content),
        class_="page",
        id="main",
    )
    return together(
        tag("a", "To the content", href="#main", class_="skip"),
        _header(content),
        main,
        proof_page_entries.keys(),
    )


def _header(content: Content) -> Html:
    summary = content.summary
    objective = content.objective or summary.objective
    period = [when(summary.began), " to ", when(summary.ended)] if summary.entries else "no entries"
    switch = tag("button", "Dark or light", type="button", id="theme", class_="small on-screen")
    title = tag("h1", text(objective, 160)) if objective else tag("h1", "No objective was set")
    return tag(
        "header",
        tag(
            "div",
            tag(
                "p", tag("strong", tag("bdi", content.project)), " · proof of work", class_="quiet"
            ),
            tag("span", tag("span", period, class_="quiet small"), " ", switch, class_="row"),
            class_="row apart",
        ),
        title,
        tag("ul", _tiles(content), class_="tiles"),
        class_="top",
    )


def _tiles(content: Content) -> list[Html]:
    """The numbers that say whether to read on, each a way to its entries."""
    summary = content.summary
    open_ones = sum(each.tone == "wait" for each in summary.decisions)
    refused = sum(each.outcome == "refused" for each in summary.decisions)
    failing = sum(each.tone == "bad" for each in summary.checks)
    contradicted = sum(each.tone == "bad" for each in content.claims)
    troubles = proof_page_cards.troubles_of(content)
    bad = sum(each.tone == "bad" for each in troubles)
    added = sum(each[0] for each in content.lines.values())
    removed = sum(each[1] for each in content.lines.values())
    named = content.traceability
    return [
        _tile(
            "trouble",
            len(troubles),
            "to look at",
            f"{bad} serious" if bad else "",
            bad and "bad",
        ),
        _tile("asked", len(summary.requests), "asked", ""),
        _tile(
            "decided",
            len(summary.decisions) - open_ones,
            "decided",
            parts.join(open_ones and f"{open_ones} open", refused and f"{refused} refused"),
            "wait" if open_ones else "",
        ),
        _tile(
            "changed",
            len(summary.changes),
            "files changed",
            f"+{added} -{removed}" if content.lines else "",
        ),
        _tile(
            "checks",
            len(summary.checks),
            "checks",
            f"{failing} failing" if failing else "all pass" if summary.checks else "none ran",
            "bad" if failing else "good" if summary.checks else "note",
        ),
        _tile(
            "claims",
            len(content.claims),
            "claims",
            content.counted.partition(": ")[2],
            "bad" if contradicted else "",
        ),
        _tile(
            "timeline",
            summary.calls,
            "calls",
            parts.join(
                f"{summary.failed} failed", named is not None and f"{named:.0f} % traceable"
            ),
        ),
    ]


def _tile(to: str, number: int, word: str, more: str, tone: str | int = "") -> Html:
    inside = tag(
        "a",
        tag("span", f"{number:,}".replace(",", " "), class_="big number"),
        tag("span", word),
        tag("span", more, class_="small", data_tone=tone or None) if more else None,
        href=f"#{to}",
    )
    return tag("li", inside)


# -- about the page --------------------------------------------------------------------------------


def _about(content: Content) -> Html:
    summary, timeline = content.summary, content.timeline
    facts: list[tuple[str, Node]] = [
        ("Written", f"{point_in_time(content.written)} by Operator's Edge {content.version}"),
        (
            "Entries",
            f"{summary.first} to {summary.last} ({summary.entries})"
            + (f"; {content.earlier} earlier ones are not on this page" if content.earlier else "")
            + (f"; {summary.unreadable} could not be read" if summary.unreadable else ""),
        ),
        ("Chain head", together("entry ", content.head.seq, " ", tag("code", content.head.hash))),
        (
            "Check it",
            together(
                code("edge log verify FILE"),
                " in the project: the log records this file's digest.",
            ),
        ),
        ("Removed", _removed(timeline)),
    ]
    if timeline.detailed < timeline.rows:
        facts.append(
            (
                "Shortened",
                together(
                    f"input and output are here for {timeline.detailed} of {timeline.rows} entries: all that "
                    "failed or decided something as far as they fit, then the latest. ",
                    code("edge log show N"),
                    " has the others.",
                ),
            )
        )
    listed = tag("dl", [together(tag("dt", name), tag("dd", value)) for name, value in facts])
    return parts.card("about", "About this page", listed)


def _removed(timeline: Timeline) -> Node:
    """What was hidden as a secret, here or when it was logged."""
    if not timeline.removed:
        return "nothing looked like a secret"
    rows = []
    for each in timeline.removed:
        links = [
            together(" " if number else "", parts.entry(seq))
            for number, seq in enumerate(each.entries)
        ]
        rows.append(tag("li", f"{each.kind}: {many(each.times, 'place')} in ", links))
    return tag("ul", rows, class_="plain")


# end of module
