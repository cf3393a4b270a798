"""Entries of other versions, or that somebody wrote: whatever they hold, the page is made of them."""

import json
from itertools import product

from tests.reports.pages import Page
from tests.tables import for_each

from operators_edge.redaction.redact import redact
from operators_edge.reports import entries, html, proof_page, seal, summary, timeline

ODD = (None, [], "x", 5, 2.5, True, {"a": [1, {"b": None}]}, ["x", {"y": 1}], [["z"]])
FIELDS = ("data", "session", "agent", "tool", "tool_use_id", "input_preview", "output_preview")
FIELDS += ("success", "file_touched", "diff_hash", "exit_code", "duration_ms", "timestamp", "seq")
KEYS = (
    "steps",
    "files",
    "recent",
    "changed",
    "failed",
    "check",
    "tree",
    "step",
    "to",
    "shown",
    "why",
)
KEYS += ("rule", "by", "decision", "junction", "command", "objective", "preview", "gist", "said")
KEYS += ("answered", "source", "kind", "path", "name", "detail", "severity", "passed", "notice")
CHECK_KEYS = ("name", "kind", "passed", "counts", "scope", "also", "folder", "failed")


def page_of(every):
    """The page of these entries, without a project."""
    fold, builder = summary.Fold("/p"), timeline.Builder(redact)
    assert all(entries.text(each).isprintable() for each in every)
    for entry, line in entries.with_lines(every, root="/p"):
        fold.add(entry, line)
        builder.add(entry, line)
    found = fold.summary()
    content = proof_page.Content(
        project="p",
        version="1",
        written="now",
        objective="",
        summary=found,
        claims=(),
        counted="",
        open_steps=(),
        lines={},
        base="",
        traceability=None,
        unknown=(),
        earlier=0,
        head=seal.Head(1, "0" * 64),
        timeline=builder.timeline(found.answers),
    )
    return Page(proof_page.page(content))


@for_each("event", [*entries.EVENTS, "from_the_future", None, 5, ["x"]])
def test_no_field_of_an_odd_type_stops_the_page(event):
    base = {"seq": 1, "event": event, "session": "s", "timestamp": "2026-03-01T12:00:00+00:00"}
    every = [{**base, name: odd} for name, odd in product(FIELDS, ODD)]
    every += [{**base, "data": {name: odd}} for name, odd in product(KEYS, ODD)]
    checks = [{name: odd} for name, odd in product(CHECK_KEYS, ODD)]
    every += [{**base, "tool": "Bash", "data": {"check": each}} for each in checks]
    found = page_of(every)
    assert len(found.subjects) == len(every)
    assert json.dumps(found.lines)
    assert html.data(found.lines).isprintable()
