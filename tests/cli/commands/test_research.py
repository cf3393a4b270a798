"""``edge research`` as it is typed."""

import io
import json
import os
import sys

import pytest

from operators_edge.project import Project

ANSWER = "## Summary\nTake Redis.\n\n## Action items\n- pin it\n- set a TTL\n"


def state_of(project):
    return Project(project, is_set_up=True).state.read()


@pytest.fixture
def piped(monkeypatch):
    def give(text):
        data = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return give


def test_the_whole_way_from_a_topic_to_the_plan(edge, project, piped):
    edge("plan", "add", "choose a cache")
    code, out, _ = edge("research", "--critical", "--step", "1", "which", "cache", "fits?")
    assert code == 0
    assert out.splitlines() == [
        "Research R001: which cache fits?",
        "  step 1 waits for it",
        "  the prompt: edge research start R001",
    ]
    prompt, aside = edge("research", "start", "r1")[1:]
    assert prompt.startswith("# Research request R001\n")
    assert "edge research results R001" in aside
    piped(ANSWER)
    code, out, _ = edge("research", "results", "R001")
    assert code == 0
    assert "step 1 is unblocked" in out
    assert edge("research")[1].splitlines() == [
        "[x] R001 which cache fits? (critical)",
        "      2 action items",
    ]
    edge("research", "plan", "R001")
    assert [each["description"] for each in state_of(project)["plan"]] == [
        "one",
        "choose a cache",
        "pin it",
        "set a TTL",
    ]
    assert edge("research", "plan", "R001")[1] == "The plan says all of it already.\n"


def test_results_of_any_length_are_kept_whole_and_the_state_stays_short(edge, project, tmp_path):
    edge("research", "which cache?")
    answer = tmp_path / "answer.md"
    answer.write_text(ANSWER + "\n## Details\n" + "Größe zählt. " * 1000)
    assert edge("research", "results", "R001", "--file", str(answer))[0] == 0
    kept = state_of(project)["research"][0]["results"]
    assert kept == "Take Redis.\n(complete: .proof/research/R001.md)"
    path = os.path.join(project, ".proof", "research", "R001.md")
    with open(path, encoding="utf-8") as file:
        assert file.read() == answer.read_text().strip() + "\n"
    assert edge("research", "results", "R001", "--replace", "--file", str(answer))[0] == 0
    assert "R001-2.md" in state_of(project)["research"][0]["results"]


def test_a_scan_finds_what_the_plan_leaves_open(edge):
    assert "No new unknowns were found" in edge("research", "scan")[1]
    edge("plan", "add", "Evaluate three caches")
    found = json.loads(edge("research", "scan", "--json")[1])["data"]
    assert found["found"] == ["R001"]
    assert "No new unknowns were found" in edge("research", "scan")[1]


def test_one_is_cancelled_and_taken_out(edge, project):
    edge("research", "which cache?")
    assert "is cancelled" in edge("research", "cancel", "R001", "scope", "changed")[1]
    assert edge("research")[1] == "[-] R001 which cache?\n"
    assert edge("research", "rm", "R001")[0] == 0
    assert state_of(project)["research"] == []
    assert edge("research")[1] == "No research yet: edge research scan\n"


def test_an_id_of_the_archive_is_not_given_again(edge, project):
    def archive(tx):
        tx.archive(
            {"type": "completed_research", "research_id": "R004", "topic": "Evaluate caches"}
        )

    Project(project, is_set_up=True).transact(archive, command="prune")
    edge("plan", "add", "evaluate caches")
    assert "No new unknowns" in edge("research", "scan")[1]
    assert edge("research", "which host?")[1].startswith("Research R005")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("start", "R009"), "there is no research R009"),
        (("add", "x", "--step", "7"), "there is no step 7"),
        (("results", "R001", "--file", "/nowhere/at.all"), "could not be read"),
        (("results", "R001", "here", "--file", "x"), "as text and as a file"),
        (("results", "R001", " "), "there are no results"),
        (("plan", "R001"), "no action items"),
        (("action", "R001", "x"), "no results yet"),
    ],
)
def test_what_cannot_be_done_is_said(edge, words, why):
    edge("research", "which cache?")
    code, out, err = edge("research", *words)
    assert (code, out) == (64, "")
    assert why in err


@pytest.mark.parametrize(("data", "why"), [(b"", "no results"), (b"\xff\xfe", "UTF-8")])
def test_what_is_piped_in_has_to_be_text(edge, piped, data, why):
    edge("research", "which cache?")
    piped(data)
    code, _, err = edge("research", "results", "R001")
    assert code == 64
    assert why in err


def test_each_is_logged(edge, project):
    edge("research", "which cache?")
    edge("research", "start", "R001")
    edge("research", "results", "R001", ANSWER)
    entries = [each for each, _ in Project(project, is_set_up=True).log.entries()]
    logged = [each["data"] for each in entries if each["event"] == "research"]
    assert [each["to"] for each in logged] == ["added", "started", "completed"]
    assert logged[-1]["actions"] == ["pin it", "set a TTL"]
