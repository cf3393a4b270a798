"""The Bridge on the page: a task, its result, change and log, and the answers that only a person gives."""

import json
import os

import pytest

from operators_edge.bridge.service import Bridge
from operators_edge.cli.main import main
from operators_edge.system.user_dirs import project_id
from tests.bridge.test_watcher import PATCH
from tests.hosting import git, write

TASK = {"prompt": "Do it.", "patch": PATCH, "executor": "patch"}


@pytest.fixture
def bridge(session, monkeypatch, capsys):
    """A project with a Bridge, and commits of all its files."""
    monkeypatch.chdir(session.root)
    write(session.root, ".gitignore", "active_context.yaml\n.proof/\n.claude/\n")
    git(session.root, "add", "-A")
    git(session.root, "commit", "-qm", "ignore")
    assert main(["bridge", "init"]) == 0
    return Bridge(session.root)


def drop(bridge, ident, **fields):
    path = os.path.join(bridge.root, ".ai-handoff", "tasks", f"{ident}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**TASK, "id": ident, **fields}, file)


def view_of(page, bridge, **more):
    return page.view("bridge", project=project_id(bridge.root), **more)["html"]


def act(page, bridge, name, task):
    return page.act(project=project_id(bridge.root), act=name, task=task)


def test_a_finished_task_shows_its_result_its_change_and_its_log(page, bridge, capsys):
    drop(bridge, "t-1", commands_to_run=["true"])
    main(["bridge", "watch", "--drain"])
    said = capsys.readouterr()
    html = view_of(page, bridge)
    assert "t-1" in html
    assert "done" in html, said
    one = view_of(page, bridge, task="t-1")
    assert "success" in one
    assert ">Change<" in one
    assert ">Log<" in one
    assert "exit 0" in one


def test_a_task_that_waits_for_a_person_is_let_run_or_rejected_on_the_page(page, bridge, capsys):
    for ident in ("t-1", "t-2"):
        drop(bridge, ident, requires_confirmation=True)
    main(["bridge", "watch", "--drain"])
    assert bridge.queue.task("t-1").state == "pending", capsys.readouterr()
    found = page.view("home")
    assert found["waiting"] == 2
    assert "A task of the Bridge waits" in found["html"]
    assert "Let it run" in view_of(page, bridge, task="t-1")
    assert act(page, bridge, "task_approve", "t-1")["ok"]
    assert bridge.queue.task("t-1").state == "queued"
    assert act(page, bridge, "task_reject", "t-2")["ok"]
    assert bridge.queue.task("t-2").state == "failed"
    assert bridge.result("t-2")["reason"] == "rejected"
    assert "on the dashboard" in bridge.result("t-2")["detail"]
    assert "Try again" in view_of(page, bridge, task="t-2")
    assert act(page, bridge, "task_retry", "t-2")["ok"]
    assert act(page, bridge, "task_cancel", "t-2")["ok"]
    assert bridge.result("t-2")["reason"] == "cancelled"


def test_what_cannot_be_done_with_a_task_is_said(page, bridge):
    for name in ("task_approve", "task_reject", "task_cancel", "task_retry"):
        said = act(page, bridge, name, "nothing")
        assert said["ok"] is False
        assert said["why"]
