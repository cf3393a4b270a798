import re
from pathlib import Path

import pytest
from tests.tables import for_each

from operators_edge.evidence.session_facts import tool_entry
from operators_edge.reports import entries

DOCS = Path(__file__).parents[2] / "docs" / "metrics.md"


def bash(command, **more):
    raw = {"event": "tool", "tool": "Bash", "success": True, "input": {"command": command}, **more}
    return tool_entry(raw)


def test_every_event_that_the_documentation_names_is_told_in_words():
    table = DOCS.read_text("utf-8").split("## The events")[1].split("## For scrapers")[0]
    firsts = (line.split("|")[1] for line in table.splitlines() if line.startswith("| `"))
    named = {name for first in firsts for name in re.findall(r"`(\w+)`", first)}
    assert named == set(entries.EVENTS)


def test_every_event_is_of_a_kind_that_can_be_filtered():
    assert {told.kind for told in entries.EVENTS.values()} | {"edit", "check"} == set(entries.KINDS)


def test_every_tone_belongs_to_an_outcome_that_entries_have():
    fixed = {told.outcome for told in entries.EVENTS.values()}
    assert set(entries.TONES) - fixed <= {"approved", "refused", "dismissed", "failed", "unknown"}


@for_each(
    ("entry", "kind", "outcome", "subject"),
    [
        (bash("ls"), "call", "ok", "ls"),
        (
            {"event": "answer_source", "data": {"answered": "t1", "source": "user_temporary"}},
            "decision",
            "",
            "a person (yes, once)",
        ),
        (
            {"event": "answer_source", "data": {"answered": "t1", "source": "hook"}},
            "decision",
            "",
            "no person: hook",
        ),
        (bash("ls", success=False), "call", "failed", "ls"),
        (
            bash("pytest | tail", data={"check": {"name": "pytest", "passed": False}}),
            "check",
            "failed",
            "pytest | tail",
        ),
        (
            bash("pytest", data={"check": {"name": "pytest"}}, success=None),
            "check",
            "unknown",
            "pytest",
        ),
        ({"event": "check", "success": True, "data": {"command": "mypy"}}, "check", "ok", "mypy"),
        (
            {"event": "plan", "data": {"steps": [{"text": "Write it"}, {"text": "Test it"}]}},
            "plan",
            "",
            "Write it; Test it",
        ),
        (
            {"event": "junction_decided", "data": {"decision": "approve", "shown": "git push"}},
            "decision",
            "approved",
            "git push",
        ),
        (
            {"event": "junction_decided", "data": {"decision": "displaced"}},
            "decision",
            "displaced",
            "",
        ),
        ({"event": "denied", "data": {"shown": "rm -rf /"}}, "gate", "denied", "rm -rf /"),
        ({"event": "quality_gate", "data": {"passed": False}}, "claim", "failed", ""),
        ({"event": "prompt", "data": {"preview": "Fix it"}}, "prompt", "", "Fix it"),
        (
            {"event": "tampering", "data": {"kind": "test_skipped", "path": "t.py", "name": "x"}},
            "claim",
            "weakened",
            "test skipped: t.py::x",
        ),
        ({"event": "tree_changed", "data": {"files": ["a", "b"]}}, "edit", "", "a, b"),
        ({"event": "from_the_future", "data": {"shown": "x"}}, "log", "", "x"),
        ({"event": "tool", "data": "garbage"}, "call", "", "garbage"),
        ({}, "log", "", ""),
    ],
)
def test_an_entry_is_told_by_its_kind_outcome_and_subject(entry, kind, outcome, subject):
    found = entries.line(entry)
    assert (found.kind, found.outcome, found.subject) == (kind, outcome, subject)


@pytest.mark.parametrize(
    ("given", "subject", "file"),
    [
        ('{"file_path": "/p/a.py", "limit": 3}', "/p/a.py", "/p/a.py"),
        ('{"pattern": "a\\"b", "path": "src"}', 'a"b', "src"),
        ('{"url": "https://example.org/a-long', "https://example.org/a-long", ""),
        ('{"todos": [1]}', '{"todos": [1]}', ""),
        ("{}", "", ""),
        (None, "", ""),
    ],
)
def test_a_call_without_a_command_is_told_by_what_its_input_names(given, subject, file):
    found = entries.line({"event": "tool", "tool": "X", "input_preview": given})
    assert (found.subject, found.file) == (subject, file)


def test_an_edit_is_of_the_file_that_it_touched():
    raw = {
        "event": "tool",
        "tool": "Edit",
        "success": True,
        "cwd": "/p",
        "input": {"file_path": "a"},
    }
    found = entries.line(tool_entry(raw))
    assert (found.kind, found.title, found.file) == ("edit", "Edit", "/p/a")


def test_an_unreadable_line_has_no_number_and_is_marked():
    found = entries.line({"seq": None, "event": "log_unreadable", "data": {"bytes": 3}})
    assert (found.seq, found.tone) == (0, "bad")


def step(number, to):
    return {"event": "step", "data": {"step": number, "to": to}}


def plan(*statuses):
    return {"event": "plan", "data": {"steps": [{"key": "k", "status": each} for each in statuses]}}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([step(2, "in_progress")], 2),
        ([step(2, "in_progress"), step(1, "completed")], 2),
        ([step(2, "in_progress"), step(2, "completed")], None),
        ([plan("completed", "in_progress", "pending")], 2),
        ([plan("in_progress"), plan("completed")], None),
        ([plan("in_progress"), {"event": "objective", "data": {}}], None),
        ([{"event": "plan", "data": {"steps": ["x"]}}], None),
    ],
)
def test_a_call_belongs_to_the_step_that_was_in_progress(before, after):
    *_, last = entries.lines([*before, bash("ls")])
    assert last.step == after


def test_paths_below_the_project_are_given_from_there():
    raw = {
        "event": "tool",
        "tool": "Edit",
        "success": True,
        "cwd": "/p",
        "input": {"file_path": "a"},
    }
    found = entries.line(tool_entry(raw), root="/p")
    assert (found.subject, found.file) == ("a", "a")
    assert entries.line(tool_entry(raw), root="/pp").file == "/p/a"
