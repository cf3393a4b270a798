import argparse
import io
import json
import os
import pty
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from operators_edge.cli import state as command
from operators_edge.cli.terminal import Terminal
from operators_edge.errors import AnswerIsNo, NotHuman, NotSetUp
from operators_edge.store.state import StateStore

RESTORE = """
import argparse, sys
from operators_edge.cli import state
from operators_edge.cli.terminal import Terminal
parser = argparse.ArgumentParser()
state.register(parser.add_subparsers())
args = parser.parse_args(["state", "restore", *sys.argv[1:]])
sys.exit(args.run(args, Terminal()))
"""


@pytest.fixture
def store(tmp_path):
    store = StateStore(str(tmp_path), clock=lambda: datetime.now(UTC), new_id=lambda: "0000")
    for objective in ("one", "two"):
        store.transact(lambda state, now=objective: state.update(objective=now), command="t")
    return store


def run(root, *words):
    parser = argparse.ArgumentParser()
    command.register(parser.add_subparsers())
    args = parser.parse_args(["state", *words, "--project", str(root)])
    terminal = Terminal(json_wanted=args.json, out=io.StringIO())
    assert args.run(args, terminal) == 0
    return terminal.out.getvalue()


def test_history_lists_the_newest_version_first(store, tmp_path):
    lines = run(tmp_path, "history").splitlines()
    assert [line.split()[-1] for line in lines] == ["two", "one"]
    data = json.loads(run(tmp_path, "history", "--json"))["data"]
    assert [each["objective"] for each in data] == ["two", "one"]


def test_diff_without_an_id_compares_with_the_version_before_now(store, tmp_path):
    assert "-objective: one\n+objective: two\n" in run(tmp_path, "diff")
    only = store.history()[0].id
    assert run(tmp_path, "diff", only) == "nothing changed\n"


def test_diff_says_when_there_is_nothing_to_compare_with(tmp_path):
    store = StateStore(str(tmp_path), clock=lambda: datetime.now(UTC), new_id=lambda: "0000")
    store.create(command="t")
    with pytest.raises(AnswerIsNo):
        run(tmp_path, "diff")


def test_a_restore_without_a_person_is_refused_and_changes_nothing(store, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    before = (tmp_path / "active_context.yaml").read_bytes()
    with pytest.raises(NotHuman):
        run(tmp_path, "restore", store.history()[-1].id)
    assert (tmp_path / "active_context.yaml").read_bytes() == before


@pytest.mark.parametrize("is_removed", [False, True])
def test_a_person_at_a_terminal_restores_also_a_file_that_was_removed(store, tmp_path, is_removed):
    version = store.history()[-1].id
    if is_removed:
        (tmp_path / "active_context.yaml").unlink()
    leader, follower = pty.openpty()
    env = {"PATH": os.environ["PATH"], "XDG_STATE_HOME": str(tmp_path / "user")}
    done = subprocess.run(
        [sys.executable, "-c", RESTORE, version, "--project", str(tmp_path)],
        stdin=follower,
        capture_output=True,
        text=True,
        env=env,
        check=False,
    )
    os.close(leader)
    os.close(follower)
    assert (done.returncode, done.stderr) == (0, "")
    assert store.read()["objective"] == "one"


def test_a_folder_without_a_project_says_what_to_run(tmp_path):
    with pytest.raises(NotSetUp, match="not set up"):
        run(tmp_path, "history")
