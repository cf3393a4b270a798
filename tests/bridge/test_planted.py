"""What an executor that can write in ``.ai-handoff`` puts there is neither a task nor a result."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from multiprocessing import get_context
from pathlib import Path

import pytest
from tests import repository
from tests.bridge.executors.test_contained import CONTAINED
from tests.bridge.test_watcher import Bridge

from operators_edge.bridge.executor_settings import ExecutorSettings
from operators_edge.bridge.executors.agent import Surroundings
from operators_edge.bridge.executors.command import Command
from operators_edge.bridge.executors.contained import Containment

EDITS = "open('new.txt', 'w').write('x'); "
EVIL = {"id": "evil", "prompt": "x", "executor": "patch", "commands_to_run": ["touch owned"]}


@pytest.fixture
def bridge(tmp_path):
    return Bridge(repository.make(tmp_path / "work"), tmp_path / "state")


def put(bridge, ident, folder="tasks", **fields):
    """Drop a task's file, as a planner does."""
    path = os.path.join(bridge.root, ".ai-handoff", folder, f"{ident}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"id": ident, "prompt": "x", "executor": "patch", **fields}, file)


def writes(value, name="tasks/evil.json"):
    return f"open('.ai-handoff/{name}', 'w').write({json.dumps(value)!r}); "


def test_a_task_that_appears_while_an_executor_works_waits_for_a_person(bridge):
    bridge.script(EDITS + writes(EVIL))
    assert bridge.run()[0] == (None, "requires_confirmation")
    assert "while an executor worked" in bridge.result("evil")["detail"]
    assert not os.path.exists(os.path.join(bridge.root, "owned"))
    assert bridge.names("pending") == ["evil.json"]
    bridge.queue.approve("evil", by="a person")
    bridge.run()
    assert bridge.result("evil")["reason"] != "requires_confirmation"


def test_a_dropped_task_that_an_executor_changes_waits_and_an_unchanged_one_runs(bridge):
    bridge.script(EDITS + writes({**EVIL, "id": "t-2"}, "tasks/t-2.json"))
    put(bridge, "t-2", patch="", allow_no_change=True)
    put(bridge, "t-3", patch="", allow_no_change=True)
    bridge.run()
    assert bridge.result("t-2")["reason"] == "requires_confirmation"
    assert bridge.result("t-3")["reason"] == "opencode_failed"


def test_an_executor_cannot_approve_what_waits_for_a_person(bridge):
    bridge.submit("t-0", requires_confirmation=True)
    top = os.path.join(bridge.root, ".ai-handoff")
    move = f"import os; os.rename('{top}/pending/t-0.json', '{top}/tasks/t-0.json')"
    bridge.script(EDITS + move)
    assert bridge.run()[0] == ("requires_confirmation", None, "requires_confirmation")
    assert bridge.names("pending") == ["t-0.json"]


def test_an_executor_cannot_have_a_task_of_before_run_again(bridge):
    put(bridge, "t-0", patch="", attempt=1)
    bridge.run()
    again = {**EVIL, "id": "t-0", "attempt": 2, "retry_policy": {"max_attempts": 2}}
    bridge.script(EDITS + writes(again, "tasks/t-0.json"))
    assert bridge.run()[0] == (None, "requires_confirmation")


def test_what_a_command_of_ours_submits_meanwhile_is_a_task_like_others(bridge):
    code = (
        "from operators_edge.bridge.database_store import Database;"
        "from operators_edge.bridge.queue_store import LocalQueue; from datetime import datetime, UTC;"
        f"q = LocalQueue({bridge.root!r}, clock=lambda: datetime.now(UTC),"
        f" database=Database({bridge.root!r}));"
        "q.submit({'id': 't-2', 'prompt': 'x', 'patch': ' ', 'executor': 'patch'})"
    )
    bridge.script(EDITS + code)
    bridge.run()
    assert bridge.result("t-2")["reason"] == "opencode_failed"


@CONTAINED
def test_beside_an_executor_that_is_kept_inside_a_planner_drops_tasks_as_ever(bridge, tmp_path):
    words = (sys.executable, "-c", "exec(input())")
    around = Surroundings(bridge.root, bridge.env, Containment("auto", bridge.root, bridge.env))
    bridge.executors["script"] = Command("script", ExecutorSettings(command=words), around)
    tasks = os.path.join(bridge.root, ".ai-handoff", "tasks")
    bridge.world = bridge.world._replace(tell=lambda name, *_: drop_at(bridge, name))
    bridge.script(EDITS + f"import os; os.listdir('{tasks}')")
    assert bridge.run()[0][0] is None
    assert bridge.result("t-2")["reason"] == "opencode_failed"


def drop_at(bridge, name):
    if name == "editing":
        put(bridge, "t-2", patch="")


def run_and_die(root, state):
    bridge = Bridge(root, state)
    bridge.script(writes(EVIL) + f"import os; os.kill({os.getpid()}, {signal.SIGKILL:d})")
    bridge.run()


def test_also_when_the_watcher_died_while_the_executor_worked(bridge, tmp_path):
    process = get_context("fork").Process(
        target=run_and_die, args=(bridge.root, tmp_path / "state")
    )
    process.start()
    process.join()
    put(bridge, "t-2", patch="")
    bridge.run()
    assert bridge.result("t-1")["reason"] == "stale_lock_recovered"
    assert bridge.result("evil")["reason"] == "requires_confirmation"


@pytest.mark.parametrize("name", ["running/t-1.json", "results/t-1.json", "locks/t-1.lock"])
def test_files_of_the_attempt_that_somebody_else_wrote_end_it_and_are_named(bridge, name):
    bridge.script(EDITS + writes({"status": "success"}, name))
    assert bridge.run()[0] == ("internal_error",)
    result = bridge.result()
    assert (result["status"], f".ai-handoff/{name}" in result["detail"]) == ("failed", True)


def test_a_result_of_before_is_no_reason_against_an_attempt(bridge):
    put(bridge, "t-1", "results", status="success")
    bridge.submit()
    assert bridge.run()[0] == (None,)


def test_a_patch_cannot_bring_a_task(bridge):
    text = json.dumps(EVIL)
    for name in (".ai-handoff/tasks/evil.json", ".AI-Handoff/tasks/evil.json"):
        patch = (
            f"diff --git a/{name} b/{name}\nnew file mode 100644\n--- /dev/null\n"
            f"+++ b/{name}\n@@ -0,0 +1 @@\n+{text}\n"
        )
        ident = f"t-{ord(name[1])}"
        bridge.submit(ident, patch=patch)
        assert bridge.run()[0] == ("no_change",)
        assert "Skipped patch" in bridge.file(f"logs/{ident}.log")


def test_a_task_that_an_executor_deletes_is_there_again(bridge):
    bridge.script("import os; os.unlink('.ai-handoff/tasks/t-2.json'); open('a', 'w')")
    bridge.submit("t-2")
    bridge.run()
    assert [bridge.result(each)["reason"] for each in ("t-1", "t-2")] == [None, None]


@pytest.mark.parametrize(
    "line",
    [
        "os.mkdir('.ai-handoff/results/t-1.json'); name = '.ai-handoff/results/t-1.json/notes'",
        "shutil.rmtree('.ai-handoff/patches'); name = '.ai-handoff/patches'",
        "shutil.rmtree('.ai-handoff/meta'); name = '.ai-handoff/meta'",
        "shutil.rmtree('.ai-handoff'); name = '.ai-handoff'",
    ],
)
def test_what_lies_in_the_place_of_our_files_is_kept(bridge, line):
    bridge.script(f"import os, shutil; {line}; open(name, 'w').write('precious'); {EDITS}")
    bridge.run()
    assert bridge.result()["id"] == "t-1"
    found = Path(bridge.root, ".ai-handoff", "meta").rglob("*")
    kept = [each for each in found if each.is_file() and each.read_text("utf-8") == "precious"]
    assert [".left" in str(each) for each in kept] == [True]


def test_a_task_is_submitted_to_a_folder_that_was_deleted_and_the_others_are_there_again(bridge):
    bridge.submit()
    shutil.rmtree(os.path.join(bridge.root, ".ai-handoff", "tasks"))
    bridge.submit("t-2")
    assert bridge.names("tasks") == ["t-1.json", "t-2.json"]
