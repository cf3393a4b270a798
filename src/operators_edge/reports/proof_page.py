"""The proof page: one file with no network, for a person who was not there.

Pure. What has to be known comes first and needs no script: what was asked, what was decided by whom, what
changed, which checks ran, claims beside evidence, where it went wrong. Below it every entry, for a script.
Does not own what is on it (``reports.summary``, ``reports.timeline``, ``reports.proof_ledger``) or how it is
checked later (``reports.seal``).
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from typing import TYPE_CHECKING, Any, NamedTuple

from operators_edge.reports import html, seal
from operators_edge.reports.html import Html, Node, badge, code, tag, text, together, when
from operators_edge.reports.summary import Trouble
from operators_edge.text.wording import many, point_in_time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from operators_edge.reports.entries import Tone
    from operators_edge.reports.phases import Phase
    from operators_edge.reports.proof_ledger import Row
    from operators_edge.reports.summary import (
        Change,
        CheckRow,
        Decision,
        Request,
        SessionRow,
        Summary,
    )
    from operators_edge.reports.timeline import Timeline

SHOWN = 6
"""Rows of a list that are shown at once; the rest can be opened."""

LISTED = 300
"""Rows of a list that the page holds at all; the timeline holds every entry."""


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
        _unknown(content.unknown),
        _troubles(content),
        tag(
            "div",
            tag("div", _requests(summary.requests), _decisions(summary.decisions)),
            tag("div", _changes(summary.changes, content), _checks(summary.checks)),
            class_="pair",
        ),
        _claims(content),
        _sessions(summary.sessions),
        _timeline(),
        _about(content),
        class_="page",
        id="main",
    )
    return together(
        tag("a", "To the content", href="#main", class_="skip"),
        _header(content),
        main,
        _help(),
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
    troubles = troubles_of(content)
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
            len(summary.decisions),
            "decided",
            _join(open_ones and f"{open_ones} open", refused and f"{refused} refused"),
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
            _join(f"{summary.failed} failed", named is not None and f"{named:.0f} % traceable"),
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


def _join(*parts: object) -> str:
    return ", ".join(str(each) for each in parts if each)


def _unknown(texts: Sequence[str]) -> Html | None:
    if not texts:
        return None
    listed = tag("ul", [tag("li", text(each)) for each in texts])
    return _card("unknown", "Could not be found out", listed, tone="bad")


def _troubles(content: Content) -> Html:
    title, summary, every = "Where it went wrong", content.summary, troubles_of(content)
    if not every:
        nothing = "Nothing was denied, weakened or contradicted"
        failed = f"; {many(summary.failed, 'call')} failed on the way" if summary.failed else ""
        text_ = f"{nothing} in {many(summary.entries, 'entry')}{failed}."
        return _card("trouble", title, tag("p", text_), tone="good")
    worst: Tone = "bad" if any(each.tone == "bad" for each in every) else "note"
    return _card("trouble", title, _listed(map(_trouble, every)), tone=worst)


def troubles_of(content: Content) -> list[Trouble]:
    """What went wrong: contradicted claims, checks that fail, then what the log shows."""
    contradicted = [
        Trouble(
            f"Step {each.step}: {each.text}",
            each.why,
            "",
            "contradicted",
            "bad",
            each.check_entry,
            "",
            1,
        )
        for each in content.claims
        if each.tone == "bad"
    ]
    failing = [
        Trouble(_failing(each), each.command, "", "failed", "bad", each.seq, each.at, 1)
        for each in content.summary.checks
        if each.tone == "bad"
    ]
    return [*contradicted, *failing, *content.summary.troubles]


def _failing(check: CheckRow) -> str:
    return f"{check.name} fails: {check.failed} of {many(check.runs, 'run')}"


def _trouble(each: Trouble) -> Html:
    times = f" x {each.times}" if each.times > 1 else ""
    return tag(
        "li",
        tag(
            "div",
            badge(each.outcome or each.title.lower(), each.tone),
            tag("span", each.title, times),
            _rule(each.rule),
            _entry(each.seq),
            class_="row",
        ),
        tag("div", code(each.subject, 240)) if each.subject else None,
    )


def _requests(requests: Sequence[Request]) -> Html:
    rows = (
        tag(
            "li",
            tag("div", text(each.text, 280)),
            tag("div", when(each.at), " ", _entry(each.seq), class_="small quiet"),
        )
        for each in requests
    )
    return _card("asked", "What was asked", _listed(rows, "No request is in these entries."))


def _decisions(decisions: Sequence[Decision]) -> Html:
    newest = sorted(decisions, key=lambda each: (each.tone != "wait", -each.seq))
    rows = map(_decision, newest)
    return _card("decided", "What was decided, by whom", _listed(rows, "Nobody had to decide."))


_PLAIN = ("Asked in the client", "Decision needed", "Decision")


def _decision(each: Decision) -> Html:
    who: Node = together("by ", tag("bdi", each.who)) if each.who else None
    if each.tone == "wait":
        who = "nobody has decided yet"
    return tag(
        "li",
        tag(
            "div",
            badge(each.outcome or "decided", each.tone),
            tag("span", who) if who else None,
            tag("span", each.title) if each.subject and each.title not in _PLAIN else None,
            _rule(each.rule),
            _entry(each.seq),
            class_="row",
        ),
        tag("div", code(each.subject, 200)) if each.subject else tag("div", each.title),
        tag("div", "“", text(each.why), "”", class_="small quiet") if each.why else None,
    )


def _changes(changes: Sequence[Change], content: Content) -> Html:
    rows = [_change(each, content.lines) for each in changes[:LISTED]]
    since = f"Lines that are new and gone since {content.base[:12]}." if content.lines else ""
    if not rows:
        return _card("changed", "What changed", tag("p", "No file was written.", class_="quiet"))
    heads = ("File", "Lines", "Edits", "Last") if content.lines else ("File", "Edits", "Last")
    table = _table(heads, rows, left_out=len(changes) - LISTED)
    note = tag("p", since, class_="small quiet") if since else None
    return _card("changed", "What changed", table, note)


def _change(each: Change, lines: Mapping[str, tuple[int, int]]) -> Html:
    known = lines.get(each.path)
    counted: Node = f"+{known[0]} -{known[1]}" if known else tag("span", "unknown", class_="quiet")
    digest = f"diff {each.digests[-1][:12]}" if each.digests else ""
    return tag(
        "tr",
        tag(
            "th",
            code(each.path, 120),
            tag("span", digest, class_="small quiet digest"),
            scope="row",
        ),
        tag("td", counted, class_="number") if lines else None,
        tag("td", each.edits or "-", class_="number"),
        tag("td", _entry(each.seq), class_="number"),
    )


def _checks(checks: Sequence[CheckRow]) -> Html:
    rows = map(_check, checks)
    nothing = "No test, linter, type check or build ran."
    return _card("checks", "Which checks ran", _listed(rows, nothing))


_SIGNS = {"ok": ("✓", "passed"), "failed": ("✗", "failed"), "unknown": ("?", "outcome unknown")}


def _check(each: CheckRow) -> Html:
    failed = f", {each.failed} of them failed" if each.failed else ""
    runs = f"{each.counts}; {many(each.runs, 'run')}{failed}".removeprefix("; ")
    history = [
        tag(
            "a",
            _SIGNS[outcome][0],
            href=f"#e{seq}",
            title=f"{_SIGNS[outcome][1]}, entry {seq}",
            data_tone=outcome,
        )
        for seq, outcome in each.history
    ]
    return tag(
        "li",
        tag(
            "div",
            badge({"ok": "passed"}.get(each.outcome, each.outcome), each.tone),
            tag("strong", tag("bdi", each.name)),
            tag("span", runs, class_="small quiet"),
            _entry(each.seq),
            class_="row",
        ),
        tag("div", code(each.command, 160)) if each.command != each.name else None,
        tag("div", history, class_="history", role="group", aria_label="Runs, oldest first"),
    )


# -- claims beside evidence ------------------------------------------------------------------------


def _claims(content: Content) -> Html:
    rows = [*map(_claim, content.claims), *map(_open_step, content.open_steps)]
    note = tag("p", content.counted, class_="quiet")
    if not rows:
        return _card("claims", "Claims beside evidence", note)
    table = _table(("Step", "What is claimed", "Verdict", "What was observed"), rows)
    return _card("claims", "Claims beside evidence", note, table)


def _claim(row: Row) -> Html:
    evidence = [
        tag("div", text(row.why)),
        tag("div", "run: ", code(row.run)) if row.run else None,
        [tag("div", badge("beside", "bad"), " ", text(each)) for each in row.beside],
        tag("div", _evidence_links(row), class_="small"),
    ]
    said = tag("div", "“", text(row.proof, 240), "”", class_="small quiet") if row.proof else None
    todo = tag("div", "the client's todo", class_="small quiet") if row.is_todo else None
    return tag(
        "tr",
        tag("td", row.step, class_="number"),
        tag("td", text(row.text), said, todo),
        tag("td", badge(f"{row.mark} {row.verdict.lower()}", row.tone)),
        tag("td", evidence),
    )


def _evidence_links(row: Row) -> list[Html | str]:
    links: list[Html | str] = []
    if row.check_entry:
        links.append(tag("a", f"check: entry {row.check_entry}", href=f"#e{row.check_entry}"))
    if row.seen:
        first, last = row.seen
        words = f"what was done: {first} to {last}"
        links += [" · " if links else "", tag("a", words, href=f"#from={first}&to={last}")]
    return links


def _open_step(step: OpenStep) -> Html:
    return tag(
        "tr",
        tag("td", step.number, class_="number"),
        tag("td", text(step.text)),
        tag("td", badge(step.status.replace("_", " "), "wait" if step.status == "blocked" else "")),
        tag("td", "nothing is claimed", class_="quiet"),
    )


# -- sessions and phases ---------------------------------------------------------------------------


def _sessions(sessions: Sequence[SessionRow]) -> Html | None:
    if not sessions:
        return None
    rows = [_session(each) for each in reversed(sessions[-LISTED:])]
    purposes = ("exploring", "building", "running", "debugging", "mixed")
    key = [tag("span", tag("i", class_="swatch", data_purpose=each), each) for each in purposes]
    legend = tag("p", key, class_="row small quiet", aria_hidden="true")
    return _card("sessions", "Sessions and their phases", legend, _listed(rows, most=5))


def _session(each: SessionRow) -> Html:
    numbers = _join(
        many(each.calls, "call"),
        each.failed and f"{each.failed} failed",
        each.agents and many(each.agents, "subagent"),
    )
    return tag(
        "li",
        tag(
            "div",
            tag("a", tag("bdi", each.ident[:8]), href=f"#from={each.first}&to={each.last}"),
            tag("span", when(each.began), class_="small"),
            tag("span", numbers, class_="small quiet"),
            class_="row",
        ),
        _lane(each.phases) if each.phases else None,
    )


def _lane(phases: Sequence[Phase]) -> Html:
    """One bar for each phase, as wide as it has calls."""
    total, at, bars = sum(each.calls for each in phases), 0.0, []
    for each in phases:
        wide = 1000 * each.calls / total
        share = 100 * each.tied / each.calls
        words = (
            f"{each.purpose}: {many(each.calls, 'call')}, {each.failed} failed, "
            f"{share:.0f} % traceable, entries {each.first} to {each.last}"
        )
        bar = tag(
            "rect",
            tag("title", words),
            x=f"{at:.2f}",
            y="0",
            width=f"{max(wide, 1):.2f}",
            height="14",
            data_purpose=each.purpose,
            data_from=each.first,
            data_to=each.last,
        )
        bars.append(bar)
        at += wide
    words = ", ".join(f"{each.purpose} {each.calls}" for each in phases[:12])
    return tag(
        "svg",
        bars,
        viewbox="0 0 1000 14",
        preserveaspectratio="none",
        role="img",
        aria_label=f"Phases: {words}",
        class_="lane",
    )


# -- every entry -----------------------------------------------------------------------------------


def _timeline() -> Html:
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
        code("edge proof tail"),
        " shows it in a terminal.",
        id="without",
    )
    printed = tag("table", "", id="printed")
    return _card(
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


def _help() -> Html:
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
                code("edge proof verify FILE"),
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
                    code("edge proof show N"),
                    " has the others.",
                ),
            )
        )
    listed = tag("dl", [together(tag("dt", name), tag("dd", value)) for name, value in facts])
    return _card("about", "About this page", listed)


def _removed(timeline: Timeline) -> Node:
    """What was hidden as a secret, here or when it was logged."""
    if not timeline.removed:
        return "nothing looked like a secret"
    rows = []
    for each in timeline.removed:
        links = [
            together(" " if number else "", _entry(seq)) for number, seq in enumerate(each.entries)
        ]
        rows.append(tag("li", f"{each.kind}: {many(each.times, 'place')} in ", links))
    return tag("ul", rows, class_="plain")


# -- parts -----------------------------------------------------------------------------------------


def _card(ident: str, title: str, *children: Node, tone: str = "") -> Html:
    heading = tag("h2", title, id=f"{ident}-title")
    return tag(
        "section",
        heading,
        children,
        class_="card",
        id=ident,
        data_tone=tone or None,
        aria_labelledby=f"{ident}-title",
    )


def _listed(rows: Iterable[Html], nothing: str = "", *, most: int = SHOWN) -> Html:
    """A list whose later rows are behind a switch."""
    every = list(rows)
    if not every:
        return tag("p", nothing, class_="quiet")
    shown, rest, left_out = every[:most], every[most:LISTED], max(0, len(every) - LISTED)
    more = None
    if rest:
        words = f"Show {len(rest)} more"
        ending = f"{many(left_out, 'further one')} in the timeline." if left_out else ""
        more = tag("details", tag("summary", words), tag("ul", rest, class_="plain"), ending)
    return together(tag("ul", shown, class_="plain"), more)


def _table(heads: Sequence[str], rows: Sequence[Html], *, left_out: int = 0) -> Html:
    head = tag("thead", tag("tr", [tag("th", each, scope="col") for each in heads]))
    made: Callable[[Sequence[Html]], Html] = lambda part: tag(  # noqa: E731
        "div",
        tag("table", head, tag("tbody", part)),
        class_="wide",
        tabindex="0",
        role="group",
        aria_label=heads[0],
    )
    more = None
    if rows[_TABLE_ROWS:]:
        words = f"Show {len(rows) - _TABLE_ROWS} more"
        ending = f"{left_out} further ones are in the timeline." if left_out > 0 else ""
        more = tag("details", tag("summary", words), made(rows[_TABLE_ROWS:]), ending)
    return together(made(rows[:_TABLE_ROWS]), more)


_TABLE_ROWS = 12


def _rule(rule: str) -> Html | None:
    return tag("code", tag("bdi", rule), class_="quiet") if rule else None


def _entry(seq: int) -> Html:
    return (
        tag("a", seq, href=f"#e{seq}", class_="entry number", title=f"entry {seq}")
        if seq
        else tag("span")
    )


# end of module
