"""``edge bridge``: what a person types, what they see, and what an agent may not."""

import json
import os

import pytest
from tests import repository
from tests.bridge.test_audit import git, put
from tests.bridge.test_watcher import PATCH
from tests.hosting import at_a_terminal, clean_env

from operators_edge.cli.main import main

TASK = {"id": "t-1", "prompt": "Do it.", "patch": PATCH, "executor": "patch"}


@pytest.fixture
def here(tmp_path, monkeypatch):
    root = repository.make(tmp_path / "work")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(root)
    return root


def edge(capsys, *words):
    code = main(["bridge", *words])
    out = capsys.readouterr()
    return code, out.out + out.err


def drop(root, ident, **fields):
    path = os.path.join(root, ".ai-handoff", "tasks", f"{ident}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**TASK, "id": ident, **fields}, file)


def test_without_init_the_next_step_is_said(here, capsys):
    code, said = edge(capsys, "list")
    assert code == 4
    assert "edge bridge init" in said


def test_a_task_from_file_to_result(here, capsys, tmp_path):
    assert edge(capsys, "init")[0] == 0
    assert git(here, "status", "--porcelain") == b""
    file = tmp_path / "task.json"
    file.write_text(json.dumps({**TASK, "commands_to_run": ["cat new.txt"]}), encoding="utf-8")
    assert edge(capsys, "submit", str(file)) == (0, "t-1 waits for its turn.\n")
    assert edge(capsys, "submit", str(file))[0] == 1
    assert edge(capsys)[1] == "t-1  waits for its turn\n"
    code, said = edge(capsys, "watch", "--drain")
    assert code == 0
    assert said.splitlines()[-1].startswith("t-1 success")
    said = edge(capsys, "show", "t-1")[1]
    assert "branch feat/ai/t-1" in said
    assert "exit 0 cat new.txt" in said
    assert "hello" in edge(capsys, "logs", "t-1")[1]


def test_a_wrong_task_is_refused_with_everything_that_is_wrong(here, capsys, tmp_path):
    edge(capsys, "init")
    file = tmp_path / "task.json"
    file.write_text('{"id": "../x", "promt": "x"}', encoding="utf-8")
    code, said = edge(capsys, "submit", str(file))
    assert code == 1
    assert "prompt is missing" in said
    assert "did you mean 'prompt'?" in said


def test_the_exit_code_says_what_came_of_it(here, capsys):
    edge(capsys, "init")
    drop(here, "t-1", commands_to_run=["false"])
    assert edge(capsys, "watch", "--drain")[0] == 1
    drop(here, "t-2", requires_confirmation=True)
    assert edge(capsys, "watch", "--once")[0] == 3
    assert edge(capsys, "watch", "--once")[0] == 0


def test_only_a_person_decides(here, capsys):
    edge(capsys, "init")
    drop(here, "t-1", requires_confirmation=True)
    edge(capsys, "watch", "--drain")
    for verb in ("approve", "reject", "cancel", "retry"):
        assert "only a person" in edge(capsys, verb, "t-1")[1], verb
    typed = clean_env(os.path.dirname(os.environ["XDG_STATE_HOME"]))
    said = at_a_terminal(here, "bridge", "approve", "t-1", env=typed).stdout
    assert said == "t-1 waits for its turn.\n"
    drop(here, "t-2")
    edge(capsys, "watch", "--once")
    said = at_a_terminal(here, "bridge", "cancel", "t-2", env=typed).stdout
    assert said == "t-2 is cancelled.\n"


def test_events_are_objects_for_a_program(here, capsys):
    edge(capsys, "init")
    drop(here, "t-1")
    lines = edge(capsys, "watch", "--drain", "--json")[1].splitlines()
    *events, answer = map(json.loads, lines)
    assert [each["event"] for each in events] == ["editing", "success"]
    assert answer["data"] == {"reasons": [None], "stopped": False}


def test_a_command_that_needs_a_person_is_decided_like_every_other_call(here, capsys, tmp_path):
    put(here, "active_context.yaml", b"schema_version: 4\n")
    git(here, "init", "-q", "--bare", str(tmp_path / "up.git"))
    git(here, "remote", "add", "origin", str(tmp_path / "up.git"))
    put(here, ".git/info/exclude", b"active_context.yaml\n.proof\n")
    edge(capsys, "init")
    drop(here, "t-1", commands_to_run=["git push origin main"])
    drop(here, "t-2", commands_to_run=["git push origin main:other"])
    assert edge(capsys, "watch", "--drain")[0] == 3
    main(["status"])
    said = " ".join(capsys.readouterr().out.split())
    assert "asked by the Bridge, for its task t-1" in said
    assert "Bridge 2 tasks wait for you (t-1: a person has to allow git push origin main;" in said
    typed = clean_env(os.path.dirname(os.environ["XDG_STATE_HOME"]))
    said = at_a_terminal(here, "approve", env=typed)
    assert "no, not for this task" in said.stderr
    assert "Task t-1 takes it up with `edge bridge watch`." in said.stdout
    said = at_a_terminal(here, "bridge", "approve", "t-2", answer="\n", env=typed)
    assert "not approved" in said.stderr
    said = at_a_terminal(here, "skip", env=typed)
    assert edge(capsys, "watch", "--drain")[0] == 0
    assert git(here, "ls-remote", "origin").endswith(b"refs/heads/main\n")
    assert "rejected by" in edge(capsys, "show", "t-2")[1]
