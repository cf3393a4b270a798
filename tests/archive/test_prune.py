"""A prune keeps the state small in one transaction, and everything that leaves it can be read back."""

import copy
import json
import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.processes import start_edge

from operators_edge.archive import service as archive_service
from operators_edge.cli.main import main
from operators_edge.hosts.claude import wiring
from operators_edge.project import Project
from operators_edge.quality.evals_store import Runs
from operators_edge.state import schema
from operators_edge.storage import archive

NOW = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
STEPS = [
    {"description": "design", "status": "completed", "proof": "docs/a.md", "expected": "e"},
    {"description": "write", "status": "completed", "proof": "src", "actual": "a", "delta": "d"},
    {"description": "test", "status": "completed", "proof": "tests pass"},
    {"description": "ship", "status": "in_progress", "expected": "shipped"},
]
RESOLVED = {
    "id": "mismatch-001",
    "step": 1,
    "timestamp": "2026-01-30T10:00:00+00:00",
    "expectation": "API returns 200",
    "observation": "API returns 403",
    "delta": "Auth state changed",
    "suspected_cause": "the token ran out",
    "resolved": True,
    "resolution": "Added token refresh",
    "lesson_extracted": {"trigger": "API returns 403", "lesson": "Refresh token first"},
}
RESEARCH = {
    "id": "R001",
    "topic": "Best caching strategy",
    "priority": "critical",
    "status": "completed",
    "blocking_step": 4,
    "results": "Redis with a TTL of 5 minutes",
    "action_items": ["Use Redis", "TTL of 5 minutes"],
}
BRAINSTORM = {
    "id": "B20260130",
    "challenge": "How to improve X",
    "mode": "topic",
    "phase": "complete",
    "ideas": [{"id": f"I{n:03d}", "title": "t"} for n in range(1, 13)],
    "recommendations": {"top": {"name": "Hybrid", "actions": ["a", "b", "c"]}},
    "outcome": "implemented",
}
OLD = {"trigger": "Use setTimeout", "lesson": "Check Node first", "reinforced": 0}
OLD |= {"last_used": "2025-12-01", "learned_at": "2025-11-01"}
KEPT = {"trigger": "403", "lesson": "refresh the token", "reinforced": 3, "last_used": "2026-01-01"}


@pytest.fixture
def crowded(project):
    """The project with something of every kind that is finished."""
    project = Project(project, is_set_up=True, clock=lambda: NOW)
    project.transact(
        lambda tx: tx.state.update(
            plan=copy.deepcopy(STEPS),
            current_step=4,
            mismatches=[RESOLVED, {"id": "mismatch-002", "step": 4, "observation": "slow"}, "odd"],
            research=[RESEARCH, {"id": "R002", "topic": "later", "status": "pending"}],
            brainstorm=BRAINSTORM,
            memory=[OLD, KEPT],
            session={"id": "session-1"},
        ),
        command="test",
    )
    return project


def entry(project, kind):
    (found,) = [each for each in archive.read(project.root).entries if each["type"] == kind]
    return found


def files(root):
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            if f"{os.sep}.git{os.sep}" in path or f"{os.sep}cache{os.sep}" in path:
                continue
            with open(path, "rb") as file:
                found[path] = file.read()
    return found


# -- what is read back -----------------------------------------------------------------------------


def test_completed_steps_but_the_last_are_archived(crowded):
    archive_service.prune(crowded)
    first, second = [e for e in archive.read(crowded.root).entries if e["type"] == "completed_step"]
    assert {key: first[key] for key in ("objective", "step_number", "description", "proof")} == {
        "objective": "ship it",
        "step_number": 1,
        "description": "design",
        "proof": "docs/a.md",
    }
    assert (first["expected"], first["actual"], first["session"]) == ("e", None, "session-1")
    assert (second["step_number"], second["actual"], second["delta"]) == (2, "a", "d")
    assert first["timestamp"] == NOW.isoformat()
    left = [each["description"] for each in crowded.state.read()["plan"]]
    assert left == ["test", "ship"]


def test_a_resolved_mismatch_is_archived_with_what_was_learned_of_it(crowded):
    archive_service.prune(crowded)
    found = entry(crowded, "resolved_mismatch")
    assert found["mismatch_id"] == "mismatch-001"
    for key in ("expectation", "observation", "delta", "resolution", "lesson_extracted"):
        assert found[key] == RESOLVED[key]
    assert found["suspected_cause"] == "the token ran out"
    left = crowded.state.read()["mismatches"]
    assert [each if isinstance(each, str) else each["id"] for each in left] == [
        "mismatch-002",
        "odd",
    ]


def test_completed_research_is_archived_with_its_results_and_actions(crowded):
    archive_service.prune(crowded)
    found = entry(crowded, "completed_research")
    assert found["research_id"] == "R001"
    assert (found["topic"], found["priority"]) == (RESEARCH["topic"], "critical")
    assert found["results_summary"] == RESEARCH["results"]
    assert found["action_items"] == RESEARCH["action_items"]
    assert [each["id"] for each in crowded.state.read()["research"]] == ["R002"]


def test_a_complete_brainstorm_is_archived_with_what_it_recommends(crowded):
    archive_service.prune(crowded)
    found = entry(crowded, "completed_brainstorm")
    assert (found["brainstorm_id"], found["challenge"]) == ("B20260130", "How to improve X")
    assert (found["ideas_generated"], found["actions_extracted"]) == (12, 3)
    assert (found["top_recommendation"], found["outcome"]) == ("Hybrid", "implemented")
    assert not crowded.state.read().get("brainstorm")


def test_a_lesson_whose_time_is_over_is_archived_whole(crowded):
    archive_service.prune(crowded)
    found = entry(crowded, "decayed_lesson")
    assert (found["trigger"], found["lesson"]) == (OLD["trigger"], OLD["lesson"])
    assert "reinforced" in found["reason"].lower()
    assert (found["originally_learned"], found["reinforced"]) == ("2025-11-01", 0)
    assert crowded.state.read()["memory"] == [KEPT]


def test_a_lesson_that_says_the_same_is_merged_and_still_to_be_found(crowded):
    twin = {**KEPT, "reinforced": 2}
    crowded.transact(lambda tx: tx.state.update(memory=[KEPT, twin]), command="test")
    archive_service.prune(crowded)
    assert len(crowded.state.read()["memory"]) == 1
    found = entry(crowded, "decayed_lesson")
    assert found["reason"] == "merged into: refresh the token"
    assert found["lesson"] == "refresh the token"


# -- one transaction -------------------------------------------------------------------------------


def test_twice_changes_nothing_the_second_time(crowded):
    done = archive_service.prune(crowded)
    assert sum(done.counts.values()) == 6
    before = files(crowded.root)
    again = archive_service.prune(crowded)
    assert (again.entries, again.lines, again.counts) == ((), (), {})
    assert files(crowded.root) == before


def test_state_archive_and_log_carry_one_id(crowded):
    archive_service.prune(crowded)
    (logged,) = crowded.log.search(event="pruned")
    assert logged["data"]["completed_step"] == 2
    assert {each["tx"] for each in archive.read(crowded.root).entries} == {logged["tx"]}
    assert crowded.state.read()["archive"]["entries_archived"] == 6


def test_what_names_a_step_by_its_number_names_the_same_step_afterwards(crowded):
    archive_service.prune(crowded)
    state = crowded.state.read()
    assert schema.current_step(state) == 2
    assert state["mismatches"][0]["step"] == 2


def test_a_verification_stays_where_the_gate_will_ask_for_it(crowded):
    def change(tx):
        steps = copy.deepcopy(STEPS)
        steps[0]["is_verification"] = True
        tx.state.update(plan=steps, intent={"user_wants": "w"})

    crowded.transact(change, command="test")
    archive_service.prune(crowded)
    left = [each["description"] for each in crowded.state.read()["plan"]]
    assert left == ["design", "test", "ship"]


def test_a_preview_tells_the_same_and_writes_nothing(crowded):
    before = files(crowded.root)
    told = archive_service.preview_prune(crowded)
    assert files(crowded.root) == before
    assert told.lines == archive_service.prune(crowded).lines


@pytest.mark.parametrize(
    "odd",
    [
        {"memory": ["a text", {"lesson": None}, {"lesson": "x", "last_used": "yesterday"}, 3]},
        {"mismatches": ["text", {"resolved": "yes"}, None]},
        {"research": ["text", {"status": "completed"}]},
        {"brainstorm": "an idea"},
        {"plan": ["a text", {"status": "completed"}, {"status": "completed", "proof": ["a"]}]},
        {"plan": []},
    ],
)
def test_what_a_hand_wrote_is_neither_lost_nor_a_failure(crowded, odd):
    crowded.transact(lambda tx: tx.state.update(odd), command="test")
    archive_service.prune(crowded)
    assert archive_service.prune(crowded).counts == {}


# -- eval runs -------------------------------------------------------------------------------------


@pytest.fixture
def with_runs(crowded):
    """Two runs past their time, one that is not, and an edit whose end was never seen."""
    runs = Runs(crowded.root)
    for days in (40, 15, 1):
        runs.add(NOW - timedelta(days=days), {"diff": "{}"})
    runs.begin("edit", "{}")
    (waiting,) = (Path(crowded.root) / ".proof" / "evals" / "pending").iterdir()
    os.utime(waiting, (0, 0))
    return crowded


def test_eval_runs_past_their_time_go_with_it_and_are_told(with_runs):
    would = archive_service.preview_prune(with_runs)
    assert len(Runs(with_runs.root).names()) == 3
    done = archive_service.prune(with_runs)
    assert would == done
    assert done.lines[-2:] == (
        "2 expired eval runs",
        "1 eval run of an edit that never finished",
    )
    assert Runs(with_runs.root).names() == ["2026-01-30/run-01"]
    (logged,) = with_runs.log.search(event="eval_snapshots_removed")
    assert (logged["data"], logged["session"]) == ({"count": 2}, "session-1")
    before = files(with_runs.root)
    assert archive_service.prune(with_runs).counts == {}
    assert files(with_runs.root) == before


def test_eval_runs_alone_are_worth_a_prune(with_runs, capsys):
    with_runs.transact(
        lambda tx: tx.state.update(plan=[], mismatches=[], research=[], brainstorm=None, memory=[]),
        command="test",
    )
    would = run(capsys, with_runs, "--dry-run")
    assert would.startswith("Would be put in order:\n  3 expired eval runs\n")
    assert json.loads(run(capsys, with_runs, "--json"))["data"]["pruned"] == {
        "eval_runs": 3,
        "eval_orphans": 1,
    }


def test_a_folder_that_names_no_day_is_left_to_whoever_made_it(crowded):
    odd = os.path.join(crowded.root, ".proof", "evals", "2026-99-99", "run-01")
    os.makedirs(odd)
    archive_service.prune(crowded)
    assert os.path.isdir(odd)


# -- the command -----------------------------------------------------------------------------------


def run(capsys, project, *words):
    assert main(["prune", "--project", project.root, *words]) == 0
    return capsys.readouterr().out


def test_the_command_says_what_went_where_within_a_terminals_width(crowded, capsys):
    would = run(capsys, crowded, "--dry-run")
    out = run(capsys, crowded)
    assert "Would go to .proof/archive.jsonl: 6 entries" in would
    assert out.splitlines()[0] == "Archived in .proof/archive.jsonl: 6 entries"
    assert "  mismatch: API returns 403" in out
    assert max(map(len, out.splitlines())) <= 80
    assert run(capsys, crowded) == "Nothing is finished that could leave the state.\n"


def test_hundreds_of_entries_are_counted_and_not_all_shown(crowded, capsys):
    many = [{**RESOLVED, "id": f"mismatch-{n}", "step": n % 7} for n in range(500)]
    crowded.transact(lambda tx: tx.state.update(mismatches=many), command="test")
    out = run(capsys, crowded, "--dry-run").splitlines()
    assert out[0] == "Would go to .proof/archive.jsonl: 505 entries"
    assert len(out) == 42
    assert out[-1] == "  and 465 more: --json names all"
    assert len(json.loads(run(capsys, crowded, "--json"))["data"]["entries"]) == 505
    assert crowded.state.read()["mismatches"] == []


@pytest.mark.parametrize("years", [-30, 30])
def test_a_clock_that_jumps_loses_nothing_and_archives_nothing_twice(crowded, years):
    archive_service.prune(crowded)
    before = archive.read(crowded.root).entries
    later = NOW.replace(year=NOW.year + years)
    jumped = Project(crowded.root, is_set_up=True, clock=lambda: later)
    jumped.transact(lambda tx: tx.state.update(mismatches=[RESOLVED]), command="test")
    archive_service.prune(jumped)
    now = archive.read(crowded.root).entries
    if years < 0:
        assert now[: len(before)] == before
    assert archive_service.prune(jumped).counts == {}
    assert jumped.state.read()["mismatches"] == []
    assert now[-1]["type"] == "resolved_mismatch"


def test_a_program_gets_the_entries(crowded, capsys):
    data = json.loads(run(capsys, crowded, "--json"))["data"]
    assert data["pruned"]["completed_step"] == 2
    assert len(data["entries"]) == 6


def test_two_at_once_archive_everything_once(crowded):
    pipe = subprocess.PIPE
    running = [
        start_edge("prune", "--json", cwd=crowded.root, stdout=pipe, text=True) for _ in range(3)
    ]
    told = [json.loads(each.communicate(timeout=60)[0]) for each in running]
    assert [each["ok"] for each in told] == [True] * 3, told
    assert sorted(len(each["data"]["entries"]) for each in told) == [0, 0, 6]
    assert len(archive.read(crowded.root).entries) == 6


def test_an_agent_may_prune_score_and_hand_over(client):
    for verb in ("prune", "score", "handoff"):
        assert client.bash(f"edge {verb}") == ""
        assert verb in wiring.AGENT_VERBS
