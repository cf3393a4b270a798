"""Every entry of the archive, read back from the file field by field (LC-4)."""

import json
import os
from datetime import date

import pytest

from operators_edge.archive import retention
from operators_edge.cli.main import main

STATE = """\
schema_version: 4
session:
  id: "20250115-103000"
  started_at: "2025-01-15T10:30:00"
objective: "Build the importer"
current_step: 3
plan:
  - description: "Design the schema"
    status: completed
    proof: "docs/schema.md created"
    expected: "Schema document"
    actual: "Schema document created"
    delta: "one table more"
  - description: "Write it"
    status: completed
    proof: "src/importer.py"
  - description: "Test it"
    status: in_progress
    expected: "all green"
research:
  - id: "R001"
    topic: "Best caching strategy for real-time updates"
    priority: critical
    status: completed
    blocking_step: 1
    context: "why"
    prompt: "the prompt"
    results: "Redis with a TTL of 5 minutes"
    action_items: ["Use Redis", "TTL of 5 minutes", "Invalidate on logout"]
    created: "2025-01-15T10:30:00"
    completed: "2025-01-15T12:30:00"
  - id: "R002"
    topic: "Not known yet"
    priority: optional
    status: pending
constraints:
  - "Must work on Windows and Mac"
mismatches:
  - id: "mismatch-001"
    step: 2
    timestamp: "2025-01-15T11:00:00"
    expectation: "API returns 200"
    observation: "API returns 403"
    delta: "Auth state changed"
    suspected_cause: "Token expired"
    confidence: 0.8
    resolved: true
    resolution: "Added token refresh before API calls"
    lesson_extracted: {trigger: "API returns 403", lesson: "Refresh token first"}
memory:
  - trigger: "Use setTimeout"
    lesson: "Check Node vs browser first"
    applies_to: ["timers"]
    reinforced: 0
    last_used: "2025-01-01"
    source: "session-20241224"
brainstorm:
  id: "B20250130"
  challenge: "How to improve X"
  mode: "topic"
  phase: "complete"
  ideas:
    - {id: "I001", wave: "spectrum", type: "safe", title: "a", selected: true}
    - {id: "I007", wave: "denial", title: "b", selected: false}
  recommendations:
    top: {name: "Hybrid Approach X", actions: ["one", "two", "three"]}
  outcome: "deferred"
"""
SESSION = "20250115-103000"
ENTRIES = {
    "completed_step": {
        "objective": "Build the importer",
        "step_number": 1,
        "description": "Design the schema",
        "proof": "docs/schema.md created",
        "expected": "Schema document",
        "actual": "Schema document created",
        "delta": "one table more",
        "session": SESSION,
    },
    "resolved_mismatch": {
        "mismatch_id": "mismatch-001",
        "expectation": "API returns 200",
        "observation": "API returns 403",
        "delta": "Auth state changed",
        "suspected_cause": "Token expired",
        "resolution": "Added token refresh before API calls",
        "lesson_extracted": {"trigger": "API returns 403", "lesson": "Refresh token first"},
        "step": 2,
        "confidence": 0.8,
        "raised_at": "2025-01-15T11:00:00",
        "session": SESSION,
    },
    "completed_research": {
        "research_id": "R001",
        "topic": "Best caching strategy for real-time updates",
        "priority": "critical",
        "blocking_step": 1,
        "results_summary": "Redis with a TTL of 5 minutes",
        "action_items": ["Use Redis", "TTL of 5 minutes", "Invalidate on logout"],
        "session": SESSION,
    },
    "completed_brainstorm": {
        "brainstorm_id": "B20250130",
        "challenge": "How to improve X",
        "mode": "topic",
        "ideas_generated": 2,
        "top_recommendation": "Hybrid Approach X",
        "actions_extracted": 3,
        "outcome": "deferred",
    },
    "decayed_lesson": {
        "trigger": "Use setTimeout",
        "lesson": "Check Node vs browser first",
        "originally_learned": "2025-01-01",
        "reinforced": 0,
        "source": "session-20241224",
        "applies_to": ["timers"],
    },
}


@pytest.fixture
def archived(repo, capsys):
    """The lines of the archive as any program reads them."""
    path = os.path.join(repo, "active_context.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(STATE)
    assert main(["prune", "--project", repo]) == 0
    capsys.readouterr()
    with open(os.path.join(repo, ".proof", "archive.jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.parametrize("kind", ENTRIES)
def test_an_entry_says_every_field_of_its_kind(archived, kind):
    (entry,) = [each for each in archived if each["type"] == kind]
    assert list(entry)[:2] == ["type", "timestamp"]
    assert date.fromisoformat(entry["timestamp"][:10])
    named = {key: entry.get(key) for key in ENTRIES[kind]}
    assert named == ENTRIES[kind]
    more = {"decayed_lesson": {"reason", "last_used"}, "completed_brainstorm": {"board"}}
    assert set(entry) - set(ENTRIES[kind]) == {"type", "timestamp", "tx"} | more.get(kind, set())


def test_a_decayed_lesson_says_why(archived):
    (entry,) = [each for each in archived if each["type"] == "decayed_lesson"]
    assert entry["reason"].startswith("Never reinforced, ")


def test_a_brainstorm_is_kept_with_the_ideas_that_were_not_taken(archived):
    (entry,) = [each for each in archived if each["type"] == "completed_brainstorm"]
    assert [each["title"] for each in entry["board"]["ideas"]] == ["a", "b"]


def test_nothing_else_went(archived):
    assert sorted(each["type"] for each in archived) == sorted(ENTRIES)


def test_what_names_a_step_that_goes_names_none_afterwards_and_others_the_same():
    state = {
        "plan": [{"description": str(n)} for n in range(1, 5)],
        "current_step": 4,
        "mismatches": [{"step": 2}, {"step": 3}, {"step": "two"}, "a text"],
        "research": [{"blocking_step": 4}],
    }
    retention.renumber(state, [1, 2])
    assert state["current_step"] == 2
    assert state["mismatches"] == [{"step": None}, {"step": 1}, {"step": "two"}, "a text"]
    assert state["research"] == [{"blocking_step": 2}]
