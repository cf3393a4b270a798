"""What the proof page says first, one card for each question of a reader who was not there.

Pure. Needs no script: where it went wrong, what was asked, decided, changed, checked and claimed, and the
sessions with their phases. Does not own the facts (``reports.summary``, ``reports.proof_ledger``).
"""

from __future__ import annotations

from operators_edge.reports import proof_page_parts as parts
from operators_edge.reports.html import Html, Node, badge, code, tag, text, together, when
from operators_edge.reports.summary import Trouble
from operators_edge.text.wording import many

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from operators_edge.reports.entries import Tone
    from operators_edge.reports.phases import Phase
    from operators_edge.reports.proof_ledger import Row
    from operators_edge.reports.proof_page import Content, OpenStep
    from operators_edge.reports.summary import Change, CheckRow, Decision, Request, SessionRow


def unknown(texts: Sequence[str]) -> Html | None:
    if not texts:
        return None
    listed = tag("ul", [tag("li", text(each)) for each in texts])
    return parts.card("unknown", "Could not be found out", listed, tone="bad")


def troubles(content: Content) -> Html:
    title, summary, every = "Where it went wrong", content.summary, troubles_of(content)
    if not every:
        nothing = "Nothing was denied, weakened or contradicted"
        failed = f"; {many(summary.failed, 'call')} failed on the way" if summary.failed else ""
        text_ = f"{nothing} in {many(summary.entries, 'entry')}{failed}."
        return parts.card("trouble", title, tag("p", text_), tone="good")
    worst: Tone = "bad" if any(each.tone == "bad" for each in every) else "note"
    return parts.card("trouble", title, parts.listed(map(_trouble, every)), tone=worst)


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
            parts.rule(each.rule),
            parts.entry(each.seq),
            class_="row",
        ),
        tag("div", code(each.subject, 240)) if each.subject else None,
    )


def requests(requests: Sequence[Request]) -> Html:
    rows = (
        tag(
            "li",
            tag("div", text(each.text, 280)),
            tag("div", when(each.at), " ", parts.entry(each.seq), class_="small quiet"),
        )
        for each in requests
    )
    return parts.card(
        "asked", "What was asked", parts.listed(rows, "No request is in these entries.")
    )


def decisions(decisions: Sequence[Decision]) -> Html:
    newest = sorted(decisions, key=lambda each: (each.tone != "wait", -each.seq))
    rows = map(_decision, newest)
    return parts.card(
        "decided", "What was decided, by whom", parts.listed(rows, "Nobody had to decide.")
    )


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
            parts.rule(each.rule),
            parts.entry(each.seq),
            class_="row",
        ),
        tag("div", code(each.subject, 200)) if each.subject else tag("div", each.title),
        tag("div", "“", text(each.why), "”", class_="small quiet") if each.why else None,
    )


def changes(changes: Sequence[Change], content: Content) -> Html:
    rows = [_change(each, content.lines) for each in changes[: parts.LISTED]]
    since = f"Lines that are new and gone since {content.base[:12]}." if content.lines else ""
    if not rows:
        return parts.card(
            "changed", "What changed", tag("p", "No file was written.", class_="quiet")
        )
    heads = ("File", "Lines", "Edits", "Last") if content.lines else ("File", "Edits", "Last")
    table = parts.table(heads, rows, left_out=len(changes) - parts.LISTED)
    note = tag("p", since, class_="small quiet") if since else None
    return parts.card("changed", "What changed", table, note)


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
        tag("td", parts.entry(each.seq), class_="number"),
    )


def checks(checks: Sequence[CheckRow]) -> Html:
    rows = map(_check, checks)
    nothing = "No test, linter, type check or build ran."
    return parts.card("checks", "Which checks ran", parts.listed(rows, nothing))


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
            parts.entry(each.seq),
            class_="row",
        ),
        tag("div", code(each.command, 160)) if each.command != each.name else None,
        tag("div", history, class_="history", role="group", aria_label="Runs, oldest first"),
    )


# -- claims beside evidence ------------------------------------------------------------------------


def claims(content: Content) -> Html:
    rows = [*map(_claim, content.claims), *map(_open_step, content.open_steps)]
    note = tag("p", content.counted, class_="quiet")
    if not rows:
        return parts.card("claims", "Claims beside evidence", note)
    table = parts.table(("Step", "What is claimed", "Verdict", "What was observed"), rows)
    return parts.card("claims", "Claims beside evidence", note, table)


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


def sessions(sessions: Sequence[SessionRow]) -> Html | None:
    if not sessions:
        return None
    rows = [_session(each) for each in reversed(sessions[-parts.LISTED :])]
    purposes = ("exploring", "building", "running", "debugging", "mixed")
    key = [tag("span", tag("i", class_="swatch", data_purpose=each), each) for each in purposes]
    legend = tag("p", key, class_="row small quiet", aria_hidden="true")
    return parts.card("sessions", "Sessions and their phases", legend, parts.listed(rows, most=5))


def _session(each: SessionRow) -> Html:
    numbers = parts.join(
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


# end of module
