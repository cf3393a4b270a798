"""The events that the source writes into the log, and the table in docs/metrics.md that names them."""

import ast
import os
import re
from functools import cache

from tests.hosting import REPOSITORY
from tests.test_architecture import sources

from operators_edge.evidence.metrics import counts
from operators_edge.plan.notes import KINDS

PAGE = os.path.join(REPOSITORY, "docs", "metrics.md")
WRITERS = {"log", "record", "_note", "_log"}
FIELDS = {"data", "event", "told", "grants", "orphans", "removed"}
"""What follows an event's name in a pair: a map, or the name of one."""

READ = (ast.Dict, ast.Call, ast.Tuple, ast.FunctionDef)
"""The expressions that ``named`` knows."""


def is_event(node):
    text = node.value if isinstance(node, ast.Constant) else None
    return isinstance(text, str) and re.fullmatch(r"[a-z]+(_[a-z]+)*", text) is not None


def choices(node):
    return [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]


def named(node):
    """The names of events in one expression that writes an entry, or makes a pair for one that does."""
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        found = [v for k, v in pairs if isinstance(k, ast.Constant) and k.value == "event"]
    elif isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        found = node.args[:2] if name in WRITERS else []
    elif isinstance(node, ast.Tuple) and len(node.elts) == 2:
        first, second = node.elts
        is_pair = isinstance(second, ast.Dict) or getattr(second, "id", "") in FIELDS
        found = [first] if is_pair else []
    elif isinstance(node, ast.FunctionDef) and node.name.startswith("name_of"):
        found = [
            one
            for each in ast.walk(node)
            if isinstance(each, ast.Return)
            for one in choices(each.value)
        ]
    else:
        found = []
    return {one.value for each in found for one in choices(each) if is_event(one)}


@cache
def written():
    found = {"tool", "log_torn", "log_foreign", *(kind.noun for kind in KINDS), *counts._COUNTED}
    for text in (path.read_text("utf-8") for path in sources()):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, READ):
                found |= named(node)
    return found - {"hooks"}  # a key in the client's settings and the client's own event


def documented():
    """The names in the table's first column."""
    with open(PAGE, encoding="utf-8") as file:
        section = file.read().split("## The events", 1)[1].split("\n## ", 1)[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return [name for row in rows for name in re.findall(r"`([a-z_]+)`", row)]


def test_every_event_that_the_source_writes_stands_in_the_table():
    assert sorted(written() - set(documented())) == []


def test_every_event_in_the_table_is_written_by_the_source_and_stands_there_once():
    assert sorted(set(documented()) - written()) == []
    assert len(documented()) == len(set(documented()))


def test_an_event_without_a_row_would_be_noticed():
    for text in (
        'tx.log("brand_new", data)',
        'guard.record("brand_new" if x else "stop", {})',
        'log.append({"event": "brand_new"})',
        'Said("", {}, (("brand_new", {"to": "on"}),))',
    ):
        assert any("brand_new" in named(node) for node in ast.walk(ast.parse(text)))
