"""``edge loop``: what it leaves in a project, what it says, and that a step that fails stops nothing."""

import json
import os
import socket

import pytest
from tests.hosting import at_a_terminal

from operators_edge.project import Project
from operators_edge.reports import history_store
from operators_edge.web import control

EDIT = {"event": "tool", "tool": "Edit", "file_touched": "a.py"}


@pytest.fixture
def free_port(monkeypatch):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    monkeypatch.setenv("EDGE_PORT", str(port))
    yield port
    control.stop()


def statuses(out):
    return {each["step"]: each["status"] for each in json.loads(out)["data"]["steps"]}


def files(project):
    found = []
    for folder, _, names in os.walk(os.path.join(project, "reports")):
        found += [os.path.join(folder, name) for name in names]
    return sorted(os.path.basename(each) for each in found)


def test_it_leaves_a_page_a_row_a_copy_and_a_digest(edge, project):
    code, out, _ = edge("loop", "--no-serve")
    assert code == 0
    digest, page = files(project)
    assert digest.startswith("edge_digest_2")
    assert page.startswith("proof_2")
    made = os.path.join(project, ".proof", "proof_viz.html")
    with open(made, "rb") as one, open(os.path.join(project, "reports", page), "rb") as other:
        assert one.read() == other.read()
    assert len(history_store.rows(project)) == 1
    lines = out.splitlines()
    assert [line[:15].strip() for line in lines[:5]] == [
        "✓ Proof page",
        "✓ Traceability",
        "✓ Archive",
        "✓ Digest",
        "- Dashboard",
    ]


def test_a_second_run_compares_with_the_first_and_replaces_no_file(edge, project):
    Project(project, is_set_up=True).log.append(EDIT)
    edge("loop", "--no-serve")
    _, out, _ = edge("loop", "--no-serve")
    assert "stable at 100.0 %" in out
    assert len(files(project)) == 4


def test_a_folder_that_cannot_be_written_is_a_warning_for_its_two_steps(edge, project):
    with open(os.path.join(project, "reports"), "w", encoding="utf-8"):
        pass
    code, out, _ = edge("loop", "--no-serve", "--json")
    assert code == 0
    assert statuses(out) == {
        "page": "ok",
        "traceability": "ok",
        "server": "skipped",
        "archive": "warning",
        "digest": "warning",
    }
    warned = json.loads(out)["warnings"]
    assert len(warned) == 2
    assert all("is not a folder" in each for each in warned)


def test_without_a_new_page_there_is_nothing_to_keep_and_the_digest_is_written(edge, project):
    os.mkdir(os.path.join(project, ".proof"))
    os.mkdir(os.path.join(project, ".proof", "proof_viz.html"))
    code, out, _ = edge("loop", "--no-serve", "--json")
    found = statuses(out)
    assert code == 0
    assert (found["page"], found["archive"], found["digest"]) == ("warning", "skipped", "ok")


def test_a_fall_of_the_traceability_is_a_warning(edge, project):
    Project(project, is_set_up=True).log.append(EDIT)
    edge("loop", "--no-serve")
    path = history_store.path_of(project)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    high = text.replace(",100.0,", ",110.0,", 1)
    with open(path, "w", encoding="utf-8") as file:
        file.write(high)
    _, out, _ = edge("loop", "--no-serve")
    assert "! Traceability  drift: 110.0 % to 100.0 %, down 10.0 points" in out


def test_the_recommendations_come_last(edge, project):
    edge("step", "start", "1")
    edge("step", "done", "1", "--proof", "it works")
    code, out, _ = edge("loop", "--no-serve")
    assert code == 0
    assert "\nWorth doing next\n1. Prove step 1" in out
    assert "without fresh evidence" in out
    assert all(len(line) <= 100 for line in out.splitlines())


def test_the_dashboard_is_started_by_a_person_and_answers_afterwards(edge, project, free_port):
    done = at_a_terminal(project, "loop")
    assert done.returncode == 0, done.stderr
    assert f"✓ Dashboard     started at http://127.0.0.1:{free_port}/" in done.stdout
    assert control.state_of(free_port, os.environ) == "ours"
    _, out, _ = edge("loop")
    assert f"✓ Dashboard     runs at http://127.0.0.1:{free_port}/" in out


def test_where_no_person_is_the_dashboard_is_not_started(edge, free_port):
    _, out, _ = edge("loop")
    assert "- Dashboard     does not run; a person starts it: edge serve start" in out
    assert control.running() is None


def test_a_port_of_another_program_is_a_warning(project, free_port):
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", free_port))
        other.listen()
        done = at_a_terminal(project, "loop")
    assert done.returncode == 0
    assert f"! Dashboard     port {free_port} is taken by process {os.getpid()}" in done.stdout
