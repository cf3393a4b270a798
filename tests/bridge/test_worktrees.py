"""Tasks in working trees of their own, side by side: real git and real processes."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading

import pytest
from tests import repository
from tests.bridge.test_audit import git, put, tree
from tests.bridge.test_recovery import watch_in_a_child
from tests.bridge.test_watcher import Bridge, work

from operators_edge.bridge.executor_settings import ExecutorSettings
from operators_edge.bridge.executors.agent import Surroundings
from operators_edge.bridge.executors.command import Command
from operators_edge.bridge.executors.contained import Containment
from operators_edge.bridge.service import Bridge as ProjectBridge
from operators_edge.bridge.worktrees import Trees
from operators_edge.containment import service

COMMIT = "git -c user.name=a -c user.email=a@example.invalid commit -q --allow-empty"
EDIT = "open('new.txt', 'w').write('hello')"


def own(tmp_path, name="a place", **settings):
    """A Bridge whose project lies in a folder with a space in its name."""
    root = repository.make(tmp_path / name)
    return Bridge(root, tmp_path / "state", isolation="worktree", **settings)


def trees_of(bridge):
    listed = git(bridge.root, "worktree", "list", "--porcelain").decode()
    return [line for line in listed.splitlines() if line.startswith("worktree ")]


def picture(bridge):
    """What the person has: files, HEAD, branches, index."""
    refs = git(bridge.root, "for-each-ref", "refs/heads/main", "refs/tags")
    return work(bridge.root), git(bridge.root, "status", "--porcelain"), refs


@pytest.mark.parametrize("fails", [False, True])
def test_a_task_in_its_own_tree_leaves_a_dirty_project_as_it_is(tmp_path, fails):
    bridge = own(tmp_path)
    put(bridge.root, "readme.txt", b"the person's\n")
    put(bridge.root, "mine.txt", b"new\n")
    was = picture(bridge)
    bridge.script(EDIT, commands_to_run=["cat new.txt; " + ("false" if fails else "true")])
    bridge.run()
    result = bridge.result()
    assert result["reason"] == ("verify_failed" if fails else None)
    assert result["git"]["dirty_before"] is False
    where = "refs/operators-edge/bridge/t-1/1" if fails else "feat/ai/t-1"
    assert git(bridge.root, "show", f"{where}:new.txt") == b"hello"
    assert "mine.txt" not in git(bridge.root, "ls-tree", "--name-only", where).decode()
    assert picture(bridge) == was
    assert len(trees_of(bridge)) == 1
    assert not os.path.exists(tmp_path / "state" / "own trees")
    assert git(bridge.root, "symbolic-ref", "HEAD") == b"refs/heads/main\n"


def test_tasks_run_at_the_same_time_each_in_its_own_tree(tmp_path):
    bridge = own(tmp_path, parallel=3)
    meeting = tmp_path / "meeting"
    meeting.mkdir()
    line = (
        "import os, sys, time; ident = os.environ['EDGE_BRIDGE_TASK']; "
        f"top = {str(meeting)!r}; open(top + '/' + ident, 'w').write(os.getcwd()); "
        "end = time.monotonic() + 60\n"
        "while len(os.listdir(top)) < 3 and time.monotonic() < end: time.sleep(0.01)\n"
        "open(ident, 'w').write('x'); sys.exit(len(os.listdir(top)) != 3)"
    )
    for ident in ("t-1", "t-2", "t-3"):
        bridge.script(f"exec({line!r})", ident, commands_to_run=[f"test -f {ident}"])
    assert bridge.run().reasons == (None, None, None)
    places = {(meeting / each).read_text() for each in ("t-1", "t-2", "t-3")}
    assert len(places | {bridge.root}) == 4
    for ident in ("t-1", "t-2", "t-3"):
        changed = git(bridge.root, "diff", "--name-only", "main", f"feat/ai/{ident}").decode()
        assert changed.split() == [ident]
    assert len(trees_of(bridge)) == 1
    assert bridge.tellers == {threading.current_thread()}


def test_a_task_that_builds_on_another_waits_for_it(tmp_path):
    bridge = own(tmp_path, parallel=2)
    bridge.script(EDIT, "t-1")
    line = "open('more.txt', 'w').write(open('new.txt').read())"
    bridge.script(line, "t-2", depends_on=["t-1"], base="task:t-1")
    assert bridge.run().reasons == (None, None)
    assert git(bridge.root, "show", "feat/ai/t-2:more.txt") == b"hello"


def test_after_a_failure_those_that_run_end_and_no_other_begins(tmp_path):
    bridge = own(tmp_path, parallel=2)
    bridge.script("raise SystemExit(1)", "t-1")
    bridge.script("import time; time.sleep(0.5); " + EDIT, "t-2")
    bridge.script(EDIT, "t-3", depends_on=["t-2"])
    ran = bridge.run()
    assert (sorted(map(str, ran.reasons)), ran.did_stop) == (["None", "opencode_failed"], True)
    assert bridge.queue.task("t-3").state == "queued"


def test_what_a_person_does_meanwhile_is_no_change_of_the_task(tmp_path):
    bridge = own(tmp_path)
    there = bridge.root
    line = (
        f"cd {there!r}; unset GIT_COMMITTER_EMAIL; {COMMIT} -m mine; git branch other; "
        "git config branch.other.remote x"
    )
    bridge.script(f"import os; os.system({line!r}); {EDIT}")
    bridge.run()
    assert bridge.result()["reason"] is None
    assert git(there, "log", "-1", "--format=%s", "main") == b"mine\n"
    assert git(there, "rev-parse", "other")


@pytest.mark.parametrize(
    "act",
    [
        "git branch sly",
        "git tag sly",
        f"{COMMIT} -m x; git update-ref refs/heads/main HEAD",
        "git config core.hooksPath .",
        "git config branch.x.y z; git config core.fsmonitor evil",
    ],
)
def test_what_the_task_does_to_the_repository_is_put_back(tmp_path, act):
    bridge = own(tmp_path)
    was, config = picture(bridge), tree(bridge.root + "/.git")["config"]
    bridge.script(f"import os; os.system({act!r}); {EDIT}")
    bridge.run()
    assert bridge.result()["reason"] == "tampered"
    assert picture(bridge) == was
    assert b"sly" not in git(bridge.root, "for-each-ref")
    assert tree(bridge.root + "/.git")["config"] == config


def test_setting_up_a_tree_brings_what_git_ignores(tmp_path):
    copy = 'cp -a "$EDGE_BRIDGE_ROOT/modules" .'
    bridge = own(tmp_path, worktree_setup=(copy,))
    put(bridge.root, ".git/info/exclude", b"modules/\n")
    put(bridge.root, "modules/part.txt", b"part\n")
    bridge.script(EDIT, commands_to_run=["cat modules/part.txt"])
    bridge.run()
    assert bridge.result()["reason"] is None
    assert bridge.result()["commands"][0]["stdout"] == "part\n"
    assert git(bridge.root, "diff", "--name-only", "main", "feat/ai/t-1") == b"new.txt\n"


def test_a_command_that_fails_without_what_git_ignores_says_so(tmp_path):
    bridge = own(tmp_path)
    put(bridge.root, ".git/info/exclude", b"node_modules/\n")
    put(bridge.root, "node_modules/part.txt", b"part\n")
    bridge.script(EDIT, commands_to_run=["cat node_modules/part.txt"])
    bridge.run()
    assert bridge.result()["detail"] == (
        "failed: cat node_modules/part.txt; its working tree has no node_modules: see worktree_setup"
    )


@pytest.mark.parametrize(
    ("setup", "detail"),
    [
        ("echo no network >&2; false", "no network"),
        ("touch new.txt", "files that git does not ignore"),
    ],
)
def test_a_tree_that_cannot_be_set_up_blocks_the_task_and_nothing_else(tmp_path, setup, detail):
    bridge = own(tmp_path, worktree_setup=(setup,))
    bridge.script(EDIT)
    bridge.run()
    result = bridge.result()
    assert (result["status"], result["reason"]) == ("blocked", "worktree_failed")
    assert detail in result["detail"]
    assert bridge.names("tasks") == ["t-1.json"]
    assert len(trees_of(bridge)) == 1


def test_submodules_are_there_as_in_the_project(tmp_path):
    part = repository.make(tmp_path / "part")
    bridge = own(tmp_path)
    add = ("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", part, "sub/part")
    git(bridge.root, *add)
    git(bridge.root, "commit", "-qm", "with a part")
    bridge.script(EDIT, commands_to_run=["cat sub/part/readme.txt", "git submodule status"])
    bridge.run()
    result = bridge.result()
    assert result["reason"] is None, result
    assert result["commands"][1]["stdout"].startswith(" ")
    assert git(bridge.root, "status", "--porcelain") == b""
    linked = os.path.join(bridge.root, ".git", "modules", "sub/part", "worktrees")
    assert not os.path.exists(linked) or os.listdir(linked) == []


@pytest.mark.parametrize(
    "act",
    [
        "os.mkdir('d'); open('d/f', 'w'); os.chmod('d', 0o500)",
        "[(os.mkdir('d'), os.chdir('d')) for _ in range(1050)]",
    ],
)
def test_a_tree_that_is_hard_to_remove_is_removed(tmp_path, act):
    bridge = own(tmp_path)
    bridge.script(f"import os; {EDIT}; {act}")
    bridge.run()
    assert bridge.result()["reason"] is None
    assert len(trees_of(bridge)) == 1
    assert not os.path.exists(tmp_path / "state" / "own trees")


def test_an_edit_that_a_person_has_to_look_at_waits_and_goes_on(tmp_path):
    bridge = own(tmp_path)
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    bridge.script(f"open('a','w').write('token = \"{token}\"')")
    bridge.run()
    assert bridge.result()["reason"] == "secret_in_diff"
    assert len(trees_of(bridge)) == 2, "its tree stays for them to look at"
    bridge.queue.approve("t-1", by="ada")
    bridge.run()
    assert bridge.result()["reason"] is None
    assert token.encode() in git(bridge.root, "show", "feat/ai/t-1:a")
    assert len(trees_of(bridge)) == 1


def test_the_trees_of_dead_attempts_are_ended_and_removed(tmp_path):
    bridge = own(tmp_path, parallel=2)
    put(bridge.root, ".git/info/exclude", b"*.log\n")
    gather = tmp_path / "gather"
    gather.mkdir()
    line = (
        "import os, time; open('part.txt', 'w').write('half'); "
        f"top = {str(gather)!r}; open(top + '/' + os.environ['EDGE_BRIDGE_TASK'], 'w')\n"
        "while len(os.listdir(top)) < 2: time.sleep(0.01)\n"
        "os.kill(int(open(os.environ['EDGE_BRIDGE_ROOT'] + '/watcher.log').read()), 9)\n"
        "time.sleep(60)"
    )
    for ident in ("t-1", "t-2"):
        bridge.script(f"exec({line!r})", ident)
    put(bridge.root, "watcher.log", b"")
    was = picture(bridge)
    assert watch_in_a_child(bridge.root, tmp_path / "state", isolation="worktree", parallel=2) == -9
    put(bridge.root, "watcher.log", b"")
    Bridge(bridge.root, tmp_path / "state", isolation="worktree", parallel=2).run()
    for ident in ("t-1", "t-2"):
        assert bridge.result(ident)["reason"] == "stale_lock_recovered", json.dumps(
            bridge.result(ident)
        )
        assert git(bridge.root, "show", f"refs/operators-edge/bridge/{ident}/1:part.txt") == b"half"
    assert picture(bridge) == was
    assert len(trees_of(bridge)) == 1


@pytest.mark.skipif(service.why_not() != "", reason="this machine contains nothing")
def test_a_contained_executor_reads_the_repository_from_its_own_tree_and_writes_only_there(
    tmp_path,
):
    bridge = own(tmp_path)
    line = (
        "import os, subprocess; run = lambda *w: subprocess.run(w, capture_output=True).returncode\n"
        "tries = [['git', 'log'], ['git', 'branch', 'sly'], ['git', 'commit', '--allow-empty', '-m', 'x'], "
        "['touch', os.environ['EDGE_BRIDGE_ROOT'] + '/.git/config']]\n"
        "open('said.txt', 'w').write(' '.join(str(min(run(*each), 1)) for each in tries))"
    )

    def at(tree):
        around = Surroundings(tree, bridge.env, Containment("auto", tree, bridge.env))
        words = ExecutorSettings(command=(sys.executable, "-c", line))
        return {"script": Command("script", words, around)}

    bridge.world = bridge.world._replace(executors=at)
    bridge.script("Try it.")
    bridge.run()
    assert bridge.result()["executor"]["contained"].startswith("yes")
    assert git(bridge.root, "show", "feat/ai/t-1:said.txt") == b"0 1 1 1"


def test_what_a_removal_that_was_killed_left_is_found(tmp_path):
    root, folder = repository.make(tmp_path / "project"), tmp_path / "own trees"
    trees = Trees(root, str(folder), os.environ, are_own=True)
    for stem in ("t-1", "t-2", "t-3"):
        trees.enter(stem)
    shutil.rmtree(folder / "t-1")
    assert trees.left({"t-3"}) == ["t-1", "t-2"]
    assert [trees.leave(each) for each in trees.left()] == ["", "", ""]
    assert git(root, "worktree", "list", "--porcelain").count(b"worktree ") == 1
    folder.mkdir()
    assert trees.left() == []
    assert not folder.exists()


def test_gc_removes_the_trees_of_tasks_that_are_over_and_no_other(tmp_path):
    root = repository.make(tmp_path / "work")
    env = {**os.environ, "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    env |= {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    bridge = ProjectBridge(root, env=env)
    bridge.queue.prepare()
    for ident in ("over", "waits"):
        bridge.queue.submit({"id": ident, "prompt": "Do it."})
        bridge.trees(are_own=True).enter(ident)
    bridge.queue.drop("over", "cancelled", detail="by ann")
    rows = bridge.queue.tasks()
    assert bridge.remove_trees(rows, is_trial=True) == (["over"], [])
    assert bridge.remove_trees(rows, is_trial=False) == (["over"], [])
    assert bridge.trees(are_own=True).left() == ["waits"]
    assert b"waits" in git(root, "worktree", "list")
    assert bridge.remove_trees((), is_trial=False) == (["waits"], [])
    assert len(git(root, "worktree", "list").splitlines()) == 1


def test_with_allow_dirty_a_tree_of_its_own_has_nothing_of_the_person_s_and_is_committed(tmp_path):
    root = repository.make(tmp_path / "work")
    put(root, "readme.txt", b"the person's\n")
    put(root, "mine.txt", b"mine\n")
    bridge = Bridge(root, tmp_path / "state", isolation="worktree")
    bridge.submit(allow_dirty=True, commands_to_run=["test ! -e mine.txt", "git diff --quiet"])
    status = git(root, "status", "--porcelain")
    assert bridge.run() == ((None,), False)
    commit = bridge.result()["git"]["result_commit"]
    assert git(root, "show", "--name-only", "--format=", commit) == b"new.txt\n"
    assert git(root, "status", "--porcelain") == status
