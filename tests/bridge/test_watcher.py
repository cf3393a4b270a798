"""Whole attempts in real repositories: what each leaves in the tree, on the branch, and in its result."""

from __future__ import annotations

import itertools
import json
import os
import sys
import threading
from datetime import UTC, datetime, timedelta

import pytest
from tests import repository
from tests.bridge.test_audit import git, put, tree

from operators_edge.bridge.database_store import Database
from operators_edge.bridge.executor_settings import ExecutorSettings
from operators_edge.bridge.executors.agent import Surroundings
from operators_edge.bridge.executors.command import Command
from operators_edge.bridge.executors.contained import Containment
from operators_edge.bridge.executors.patch import PatchExecutor
from operators_edge.bridge.locks_store import hostname
from operators_edge.bridge.permissions import Answer, Permission, Ran
from operators_edge.bridge.queue_store import LocalQueue
from operators_edge.bridge.settings import Settings
from operators_edge.bridge.trackers import Tracker
from operators_edge.bridge.watcher import Watcher
from operators_edge.bridge.worktrees import Trees
from operators_edge.bridge.world import World
from operators_edge.errors import LockHeld
from operators_edge.git import commands

pytestmark = pytest.mark.long

PATCH = """\
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+hello
"""


MAX_QUESTIONS = 34
"""Git is most of what an attempt costs. The smallest one starts it 30 times, and now and then again for a
file that is as young as git's index.
"""


class Answers:
    """The gate and the person of a test: whether each command may run, and how its questions are answered."""

    def __init__(self):
        self.looks, self.takes = {}, {}
        self.finished_results = []
        self.answered = Answer("open")

    def look(self, command):
        return self.looks.get(command.text, Permission("run"))

    def take(self, command):
        return self.takes.get(command.text, Permission("run"))

    def ran(self, command, record):
        return Ran()

    def finished(self, task, result, *, is_again=False):
        self.finished_results.append((result["id"], result["attempt"], is_again))
        return ""

    def answer(self, stem, attempt, asked):
        return self.answered


class Bridge:
    """One project's Bridge, with a clock that goes on a second at each look."""

    def __init__(self, root, state, **settings):
        self.root = root
        self.settings = Settings(executor="patch", **settings)
        ticks = itertools.count()
        start = datetime.now(UTC)
        numbers = itertools.count()
        self.env = {**os.environ, "XDG_STATE_HOME": str(state)}
        self.told, self.tellers = [], set()
        self.database = Database(root, env=self.env)
        self.clock = lambda: start + timedelta(seconds=next(ticks) / 1_000)
        self.queue = LocalQueue(
            root,
            clock=self.clock,
            database=self.database,
            defaults=lambda: self.settings.defaults,
        )
        self.permissions = Answers()
        self.executors = {"patch": PatchExecutor(), "script": self.command("exec(input())")}
        self.world = World(
            root=root,
            settings=self.settings,
            clock=self.clock,
            new_id=lambda: f"id-{next(numbers)}",
            env=self.env,
            executors=lambda _: self.executors,
            trees=self.trees(state),
            tracker=Tracker(),
            staging=str(state / "staging"),
            stop=threading.Event(),
            permissions=self.permissions,
            tell=self.tell,
        )
        self.queue.prepare()

    def tell(self, *what):
        self.told.append(what)
        self.tellers.add(threading.current_thread())

    def trees(self, state):
        are_own = self.settings.has_own_trees
        return Trees(self.root, str(state / "own trees"), self.env, are_own=are_own)

    def command(self, line):
        """An executor that runs this line of Python."""
        words = ExecutorSettings(command=(sys.executable, "-c", line))
        containment = Containment("off", self.root, self.env)
        return Command("script", words, Surroundings(self.root, self.env, containment))

    def submit(self, ident="t-1", **fields):
        return self.queue.submit({"id": ident, "prompt": "Do it.", "patch": PATCH, **fields})

    def script(self, line, ident="t-1", **fields):
        """A task whose executor runs this line of Python."""
        fields = {"executor": "script", "prompt": line, **fields}
        return self.submit(ident, **fields)

    def run(self, **how):
        return Watcher(self.world, self.queue).run(**(how or {"is_drain": True}))

    def file(self, name):
        with open(os.path.join(self.root, ".ai-handoff", name), encoding="utf-8") as file:
            return file.read()

    def result(self, ident="t-1", attempt=None):
        kind = "" if attempt is None else f".attempt-{attempt}"
        return json.loads(self.file(f"results/{ident}{kind}.json"))

    def names(self, folder):
        return sorted(os.listdir(os.path.join(self.root, ".ai-handoff", folder)))


def work(root):
    return {name: each for name, each in tree(root).items() if ".ai-handoff" not in name}


@pytest.fixture
def bridge(tmp_path):
    return Bridge(repository.make(tmp_path / "work"), tmp_path / "state")


def test_a_task_that_passes_is_on_its_branch_and_the_tree_is_as_before(bridge):
    before, head = work(bridge.root), git(bridge.root, "rev-parse", "HEAD")
    bridge.submit(bead_title="Say hello", commands_to_run=["grep hello new.txt"])
    assert bridge.run() == ((None,), False)
    result = bridge.result()
    assert (result["status"], result["exit_path"], result["reason"]) == ("success", "success", None)
    assert result["commands"][0]["stdout"] == "hello\n"
    assert result["git"]["base_commit"] == head.decode().strip()
    assert result["git"]["diff_stat_post"] == "1 file changed, 1 insertion(+)"
    branch = result["git"]["branch"]
    assert branch == "feat/ai/t-1"
    assert git(bridge.root, "rev-parse", branch).decode().strip() == result["git"]["result_commit"]
    assert git(bridge.root, "show", f"{branch}:new.txt") == b"hello\n"
    assert git(bridge.root, "log", "-1", "--format=%s", branch) == b"Say hello\n"
    after = work(bridge.root)
    assert after == before
    assert git(bridge.root, "symbolic-ref", "--short", "HEAD") == b"main\n"
    assert bridge.names("running") == bridge.names("tasks") == bridge.names("locks") == []
    assert "new.txt" in bridge.file(result["artifacts"]["patch_post"])
    assert "t-1.1" not in os.listdir(bridge.world.staging)


def test_git_is_asked_nothing_twice(bridge, monkeypatch):
    asked = []
    start = commands.start
    monkeypatch.setattr(
        commands,
        "start",
        lambda root, *words, **how: asked.append(words) or start(root, *words, **how),
    )
    bridge.submit()
    assert bridge.run() == ((None,), False)
    assert len(asked) <= MAX_QUESTIONS, asked


@pytest.mark.parametrize(
    ("line", "fields", "reason"),
    [
        ("raise SystemExit(3)", {}, "opencode_failed"),
        ("import time; time.sleep(60)", {"timeout_sec": 1}, "opencode_failed"),
        ("pass", {}, "no_change"),
        ("open('a.txt','w').write('x')", {"commands_to_run": ["true", "false"]}, "verify_failed"),
        (
            "open('a.txt','w').write('x')",
            {"scope": ["b"], "enforce_scope": True},
            "scope_violation",
        ),
        ("open('readme.txt','w').write('x')", {"protect": ["*.txt"]}, "protected_changed"),
        ("open('.git/config','a').write('[x]\\ny=1\\n'); open('a','w')", {}, "tampered"),
        ("import os; os.system('git branch sly'); open('a','w')", {}, "tampered"),
        ("import os; os.system('git checkout -q main'); open('a','w')", {}, "tampered"),
        ("import os; os.system('git checkout -q --detach'); open('a','w')", {}, "tampered"),
        ("open('.git/config','w').write('[['); open('a','w')", {}, "tampered"),
        ("open('.git/HEAD','w').write('x'); open('a','w')", {}, "tampered"),
        (
            "open('a','w').write('token = \"ghp_' + 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8' + '\"')",
            {},
            "secret_in_diff",
        ),
    ],
)
def test_what_fails_leaves_the_tree_as_it_was_and_its_work_on_a_side_ref(
    bridge, line, fields, reason
):
    put(bridge.root, ".git/hooks/post-checkout", b"#!/bin/sh\n")
    was = work(bridge.root), git(bridge.root, "for-each-ref", "refs/heads/main")
    config = tree(os.path.join(bridge.root, ".git"))["config"]
    bridge.script(line, **fields)
    bridge.run()
    result = bridge.result()
    assert (result["reason"], result["attempt"]) == (reason, 1)
    assert result["detail"] or reason == "no_change"
    after = work(bridge.root)
    assert (after, git(bridge.root, "for-each-ref", "refs/heads/main")) == was
    assert tree(os.path.join(bridge.root, ".git"))["config"] == config
    assert b"sly" not in git(bridge.root, "branch")
    assert git(bridge.root, "status", "--porcelain") == b""
    assert git(bridge.root, "rev-parse", "refs/operators-edge/bridge/t-1/1")
    for name in result["artifacts"].values():
        assert os.path.basename(name) in bridge.names(os.path.dirname(name))
    expected = ["t-1.json"]
    assert bridge.names("pending" if reason == "secret_in_diff" else "failed") == expected


@pytest.mark.parametrize(
    "line",
    [
        "subprocess.run([*git, 'add', '.']); subprocess.run([*git, 'commit', '-qm', 'mine'])",
        "open('b', 'w'); subprocess.run([*git, 'add', '.']); os.unlink('b')",
        "open('.git/index.lock', 'w'); open('.git/HEAD.lock', 'w')",
        "open('.git/index', 'w').write('x')",
        "os.unlink('.git/index')",
        "shutil.rmtree('.ai-handoff/locks')",
    ],
)
def test_the_commit_is_what_was_judged_whatever_the_agent_did_with_git(bridge, line):
    who = "git = ['git', '-c', 'user.name=a', '-c', 'user.email=a@example.invalid']"
    bridge.script(f"import os, shutil, subprocess; {who}; open('a.txt', 'w').write('x'); {line}")
    was = work(bridge.root)
    assert bridge.run() == ((None,), False)
    assert git(bridge.root, "diff", "--name-only", "main", "feat/ai/t-1") == b"a.txt\n"
    assert git(bridge.root, "rev-list", "--count", "main..feat/ai/t-1") == b"1\n"
    assert work(bridge.root) == was
    assert git(bridge.root, "status", "--porcelain") == b""


def test_a_failure_stops_the_queue_unless_told_otherwise(tmp_path):
    for stops in (True, False):
        root = repository.make(tmp_path / f"work-{stops}")
        bridge = Bridge(root, tmp_path / f"state-{stops}", stop_on_failure=stops)
        bridge.submit("t-1", commands_to_run=["false"])
        bridge.submit("t-2")
        reasons = ("verify_failed",) if stops else ("verify_failed", None)
        assert bridge.run() == (reasons, stops)


def test_a_dirty_tree_blocks_and_the_task_runs_when_it_is_clean(bridge):
    put(bridge.root, "readme.txt", b"mine\n")
    bridge.submit()
    bridge.run()
    assert bridge.result()["reason"] == "dirty_repo"
    assert bridge.names("tasks") == ["t-1.json"]
    git(bridge.root, "checkout", "readme.txt")
    bridge.run()
    assert bridge.result()["status"] == "success"
    assert "t-1.attempt-1.blocked-1.json" in bridge.names("results")


def test_with_allow_dirty_the_users_changes_and_index_stay(bridge):
    put(bridge.root, "readme.txt", b"mine\n")
    put(bridge.root, "staged.txt", b"mine too\n")
    git(bridge.root, "add", "staged.txt")
    was = work(bridge.root), git(bridge.root, "diff", "--cached")
    bridge.submit(allow_dirty=True, commands_to_run=["rm readme.txt; git add -A; false"])
    bridge.run()
    after = work(bridge.root)
    assert (after, git(bridge.root, "diff", "--cached")) == was
    assert bridge.result()["reason"] == "tampered"


def test_confirmation_waits_and_the_approved_task_runs(bridge):
    bridge.submit(requires_confirmation=True)
    bridge.submit("t-2")
    assert bridge.run() == (("requires_confirmation", None), False)
    assert bridge.names("pending") == ["t-1.json"]
    assert bridge.result()["git"] == {
        "branch": "main",
        "base_commit": git(bridge.root, "rev-parse", "main").decode().strip(),
        "dirty_before": False,
        "status_before": "",
        "status_porcelain": "",
    }
    bridge.queue.approve("t-1", by="person")
    assert bridge.run() == ((None,), False)


def test_a_pending_task_that_a_person_moved_back_counts_as_approved(bridge):
    bridge.submit(requires_confirmation=True)
    bridge.run()
    top = os.path.join(bridge.root, ".ai-handoff")
    os.rename(f"{top}/pending/t-1.json", f"{top}/tasks/t-1.json")
    assert bridge.run() == ((None,), False)


def test_the_gate_is_asked_about_commands(bridge):
    bridge.permissions.looks = {"rm -rf /": Permission("blocked"), "git push": Permission("asked")}
    bridge.submit("t-1", commands_to_run=["rm -rf /"])
    bridge.submit("t-2", commands_to_run=["git push"])
    assert bridge.run() == (("gate_blocked", "requires_confirmation"), False)
    assert bridge.result("t-1")["exit_path"] == "skipped"


def test_without_a_record_the_approved_task_runs_the_commands_that_are_as_they_were(bridge):
    push = Permission("asked", "a person has to allow push", is_gated=True, seal="as it is")
    bridge.permissions.looks = bridge.permissions.takes = {"git --version": push}
    for ident in ("t-1", "t-2"):
        bridge.submit(ident, commands_to_run=["git --version"])
    assert bridge.run() == (("requires_confirmation", "requires_confirmation"), False)
    bridge.queue.approve("t-1", by="person")
    assert bridge.run() == ((None,), False)
    changed = {"git --version": push._replace(seal="as it is now")}
    bridge.permissions.takes = changed
    bridge.queue.approve("t-2", by="person")
    assert bridge.run() == (("requires_confirmation",), False), "the edit changed what it runs"
    bridge.permissions.looks = changed
    bridge.queue.approve("t-2", by="person")
    assert bridge.run() == ((None,), False)


def test_a_person_can_cancel_a_task_that_runs(bridge, monkeypatch):
    monkeypatch.setattr("operators_edge.bridge.claim._LOOK_SECONDS", 0.0)

    def cancel(event, stem, data):
        if event == "editing":
            bridge.queue.drop(stem, "cancelled", detail="cancelled by ada")

    bridge.world = bridge.world._replace(tell=cancel)
    bridge.script("import time; open('a.txt', 'w').write('x'); time.sleep(60)")
    before = work(bridge.root)
    assert bridge.run() == (("cancelled",), False)
    result = bridge.result()
    assert (result["exit_path"], result["detail"]) == ("skipped", "cancelled by ada")
    assert (work(bridge.root), bridge.names("failed")) == (before, ["t-1.json"])


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("git add .", "tampered"),
        ("git checkout -q --detach", "tampered"),
        ("git -c user.name=a -c user.email=a@b.invalid commit -q --allow-empty -m x", "tampered"),
        ("touch a.txt; git status; git diff", None),
    ],
)
def test_a_command_that_moves_head_or_stages_has_tampered(bridge, command, reason):
    bridge.script("open('a.txt', 'w').write('x'); open('b.txt', 'w').write('x')",
                  commands_to_run=[command])  # fmt: skip
    before = work(bridge.root), git(bridge.root, "status", "--porcelain")
    assert bridge.run() == ((reason,), reason is not None)
    assert (work(bridge.root), git(bridge.root, "status", "--porcelain")) == before


def test_an_edit_that_fails_is_in_the_result_as_far_as_it_came(bridge):
    bridge.script("open('new.txt','w').write('x'); raise SystemExit(3)")
    assert bridge.run() == (("opencode_failed",), True)
    found = bridge.result()["git"]
    assert found["diff_stat_pre"] == "1 file changed, 1 insertion(+)"
    assert found["status_porcelain"] == "?? new.txt"


def test_a_task_whose_question_is_answered_goes_on_and_a_refused_one_is_rejected(bridge):
    asked = Permission("asked", "a person has to allow push", ("q-1",), is_gated=True)
    bridge.permissions.looks = {"push": asked}
    bridge.submit("t-1", commands_to_run=["push"])
    bridge.submit("t-2")
    assert bridge.run() == (("requires_confirmation", None), False)
    assert bridge.run() == ((), False), "it waits and is not asked about again"
    bridge.permissions.looks = {}
    bridge.permissions.answered = Answer("answered")
    bridge.permissions.takes = {"push": Permission("refused", "a person refused push")}
    assert bridge.run() == (("rejected",), False)
    bridge.permissions.looks = {"push": asked}
    bridge.permissions.answered = Answer("open")
    bridge.submit("t-3", commands_to_run=["push"])
    bridge.run()
    bridge.permissions.answered = Answer("refused", "ada, who refused: push")
    assert bridge.run() == (("rejected",), False)
    assert bridge.told[-1][:2] == ("ended", "t-3")
    assert bridge.told[-1][2]["reason"] == "rejected"
    result = bridge.result("t-3")
    assert (result["status"], result["reason"]) == ("failed", "rejected")
    assert result["detail"] == "rejected by ada, who refused: push"


RANDOM = "import random; open('a.txt','w').write(str(random.random()))"


@pytest.mark.parametrize("is_moved", [False, True])
def test_an_edit_that_a_person_is_asked_about_is_kept_while_the_tree_is_the_same(bridge, is_moved):
    asked = Permission("asked", "a person has to allow deploy", ("q-1",), is_gated=True)
    bridge.permissions.takes = {": deploy": asked}
    bridge.script(RANDOM, commands_to_run=["cat a.txt", ": deploy"])
    before = work(bridge.root)
    assert bridge.run() == (("requires_confirmation",), False)
    assert work(bridge.root) == before
    written = bridge.result()["commands"][0]["stdout"]
    if is_moved:
        put(bridge.root, "other.txt", b"x")
        git(bridge.root, "add", "other.txt")
        git(bridge.root, "commit", "-qm", "another commit")
    bridge.permissions.answered = Answer("answered")
    bridge.permissions.takes = {}
    assert bridge.run() == ((None,), False)
    assert (bridge.result()["commands"][0]["stdout"] != written) is is_moved


def test_before_the_edit_nothing_runs_that_a_person_has_to_allow(bridge):
    bridge.permissions.looks = {": deploy": Permission("run", is_gated=True)}
    bridge.submit(baseline=True, commands_to_run=["true", ": deploy"])
    assert bridge.run() == ((None,), False)
    assert [each["cmd"] for each in bridge.result()["baseline"]] == ["true"]
    assert [each["cmd"] for each in bridge.result()["commands"]] == ["true", ": deploy"]


def test_a_title_that_others_read_holds_no_secret_and_acts_on_no_terminal(bridge):
    bridge.submit(bead_title="\x1b[31mred\u202e API_KEY=sk-ant-kQ7rW2mXz9TbL4vNc8Yd\nnext")
    bridge.run()
    title = git(bridge.root, "log", "-1", "--format=%s", "feat/ai/t-1").decode()
    assert title == "[31mred API_KEY=[REDACTED:anthropic] next\n"


def test_a_person_can_let_a_line_through_that_looks_like_a_secret(bridge):
    bridge.script(
        "open('a','w').write('token = \"ghp_' + 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8' + '\"')"
    )
    assert bridge.run() == (("secret_in_diff",), False)
    bridge.queue.approve("t-1", by="person")
    assert bridge.run() == ((None,), False)
    assert b"ghp_" in git(bridge.root, "show", "feat/ai/t-1:a")


def test_a_failed_task_is_tried_again_as_often_as_it_says(bridge):
    bridge.script(
        "open('a.txt','w').write('x')",
        commands_to_run=["false"],
        retry_policy={"max_attempts": 2},
        retry_on=["verify_failed"],
        x_mine=[1],
    )
    bridge.run()
    bridge.run()
    assert [bridge.result(attempt=each)["attempt"] for each in (1, 2)] == [1, 2]
    assert json.loads(bridge.file("failed/t-1.json"))["x_mine"] == [1]
    assert bridge.run() == ((), False)


@pytest.mark.parametrize("raw", [b"{", b"[]", b'{"id": "t-1"}', b'{"id": "other", "prompt": "x"}'])
def test_a_dropped_file_that_is_no_task_gets_a_result_and_stops_nothing(bridge, raw):
    put(bridge.root, ".ai-handoff/tasks/t-1.json", raw)
    put(
        bridge.root,
        ".ai-handoff/tasks/t-2.json",
        json.dumps({"id": "t-2", "prompt": "x", "patch": PATCH}).encode(),
    )
    assert bridge.run() == (("schema_invalid", None), False)
    assert bridge.result()["problems"]
    assert bridge.names("failed") == ["t-1.json"]


def test_a_repair_round_sees_what_failed(bridge):
    line = "import sys; t=sys.stdin.read(); open('a.txt','w').write('good' if 'exit code 1' in t else 'bad')"
    bridge.executors = {"script": bridge.command(line)}
    bridge.submit(executor="script", repair=1, commands_to_run=["grep good a.txt"])
    assert bridge.run() == ((None,), False)
    assert "t-1.attempt-1.r1_pre.patch" in bridge.names("patches")


def test_a_task_has_the_defaults_of_the_settings_also_after_its_watcher_died(tmp_path):
    defaults = {"commands_to_run": ["false"], "retry_on": ["verify_failed"], "timeout_sec": 7}
    defaults["retry_policy"] = {"max_attempts": 2}
    bridge = Bridge(repository.make(tmp_path / "work"), tmp_path / "state", defaults=defaults)
    bridge.submit(timeout_sec=9)
    assert bridge.run() == (("verify_failed",), True)
    assert bridge.queue.task("t-1").attempt == 2
    first = bridge.result(attempt=1)
    assert first["defaults"] == {k: v for k, v in defaults.items() if k != "timeout_sec"}
    assert "commands_to_run" not in first["task_snapshot"]
    bridge.queue.claim(next(iter(bridge.queue.candidates())))
    bridge.submit("t-2")
    bridge.queue.claim(next(iter(bridge.queue.candidates())))
    bridge.run(is_once=True)
    assert bridge.result("t-1", attempt=2)["reason"] == "stale_lock_recovered"
    assert bridge.result("t-2", attempt=1)["reason"] == "stale_lock_recovered"
    assert bridge.queue.task("t-1").state == "failed"
    assert bridge.queue.task("t-2").attempt == 2


def test_a_flood_of_an_executor_or_a_command_fills_no_disk(bridge):
    bridge.world = bridge.world._replace(
        settings=bridge.settings._replace(log_file_cap_mb=1), tell=lambda *_: None
    )
    flood = "[print('x' * 999_999) for _ in range(4)]"
    bridge.script(
        f"open('a.txt', 'w').write('x'); {flood}",
        commands_to_run=[f'{sys.executable} -c "{flood}"'],
    )
    bridge.run()
    result = bridge.result()
    said = "[TRUNCATED - see logs/t-1.log] [the log lacks"
    assert result["executor"]["output"].startswith(said)
    assert result["commands"][0]["stdout"].startswith(said)
    assert len(bridge.file("logs/t-1.log")) < 3_000_000


def test_long_output_is_in_the_log_and_secrets_are_nowhere(bridge):
    command = "echo ANTHROPIC_API_KEY=sk-ant-kQ7rW2mXz9TbL4vNc8Yd; seq 5000"
    bridge.submit(commands_to_run=[command])
    bridge.run()
    result = bridge.result()
    assert result["commands"][0]["stdout"] == "[TRUNCATED - see logs/t-1.log]"
    assert "\n5000\n" in bridge.file("logs/t-1.log")
    for base, _, names in os.walk(os.path.join(bridge.root, ".ai-handoff")):
        for name in names:
            if "task" not in name:
                with open(os.path.join(base, name), "rb") as file:
                    assert b"sk-ant-kQ7rW2mXz9TbL4vNc8Yd" not in file.read(), name


def test_a_task_runs_after_those_it_depends_on_and_not_after_a_failed_one(bridge):
    bridge.submit("t-1", depends_on=["t-2"])
    bridge.submit("t-2", commands_to_run=["true"])
    assert bridge.run() == ((None, None), False)
    events = [stem for name, stem, _ in bridge.told if name == "ended"]
    assert events == ["t-2", "t-1"]
    bridge.submit("t-3", commands_to_run=["false"])
    bridge.submit("t-4", depends_on=["t-3"])
    bridge.run()
    bridge.run()
    assert bridge.result("t-4")["reason"] == "dependency_failed"


def test_tasks_that_depend_on_each_other_end_and_hold_up_no_other(bridge):
    bridge.submit("t-1", depends_on=["t-3"])
    bridge.submit("t-2", depends_on=["t-1"])
    bridge.submit("t-3", depends_on=["t-2"])
    bridge.submit("t-4", commands_to_run=["true"])
    bridge.submit("t-5", depends_on=["t-1"])
    assert bridge.run() == ((None, *["dependency_failed"] * 4), False)
    for ident in ("t-1", "t-2", "t-3"):
        assert bridge.result(ident)["reason"] == "dependency_failed"
        assert "these depend on each other: t-" in bridge.result(ident)["detail"]
    assert bridge.result("t-5")["reason"] == "dependency_failed"


def test_a_task_can_start_from_the_branch_of_another(bridge):
    bridge.submit("t-1")
    bridge.script("open('b.txt','w').write(open('new.txt').read())", "t-2", base="task:t-1")
    assert bridge.run() == ((None, None), False)
    assert git(bridge.root, "show", "feat/ai/t-2:b.txt") == b"hello\n"


def test_a_person_can_take_a_task_out_of_the_queue_or_refuse_it(bridge):
    bridge.submit("t-1", requires_confirmation=True)
    bridge.submit("t-2")
    bridge.run()
    bridge.queue.drop("t-1", "rejected", detail="rejected by ann")
    bridge.submit("t-3")
    bridge.queue.drop("t-3", "cancelled", detail="cancelled by ann")
    assert bridge.run() == ((), False)
    for ident, reason in (("t-1", "rejected"), ("t-3", "cancelled")):
        assert (bridge.result(ident)["reason"], bridge.result(ident)["exit_path"]) == (
            reason,
            "skipped",
        )
    assert bridge.names("failed") == ["t-1.json", "t-3.json"]


def test_a_second_watcher_does_not_start(bridge, tmp_path):
    bridge.queue.prepare()
    lock = {"pid": os.getpid(), "host": hostname(), "created_at": bridge.clock().isoformat()}
    put(bridge.root, ".ai-handoff/locks/__worker__.lock", json.dumps(lock).encode())
    with pytest.raises(LockHeld, match=f"process {os.getpid()}"):
        bridge.run()


@pytest.mark.parametrize("content", [b"", b"{", b'{"pid": 4194304, "host": "%s"}'])
def test_a_stale_worker_lock_is_taken_over(bridge, content):
    data = content.replace(b"%s", hostname().encode())
    put(bridge.root, ".ai-handoff/locks/__worker__.lock", data)
    path = os.path.join(bridge.root, ".ai-handoff/locks/__worker__.lock")
    if b"host" not in data:
        os.utime(path, (0, 0))
    bridge.submit()
    assert bridge.run() == ((None,), False)


def test_in_a_clone_what_fails_leaves_the_tree_and_every_ref_as_they_were(tmp_path):
    origin, root = repository.make(tmp_path / "origin"), str(tmp_path / "work")
    git(origin, "clone", "-q", origin, root)
    was = git(root, "for-each-ref"), git(root, "symbolic-ref", "refs/remotes/origin/HEAD")
    bridge = Bridge(root, tmp_path / "state")
    line = (
        "import os; open('a','w'); os.system('git symbolic-ref -d refs/remotes/origin/HEAD; "
        "git symbolic-ref refs/heads/sly refs/heads/main; git branch -f other HEAD')"
    )
    bridge.script(line)
    bridge.script("raise SystemExit(3)", "t-2")
    bridge.run()
    bridge.run()
    assert [bridge.result(each)["reason"] for each in ("t-1", "t-2")] == [
        "tampered",
        "opencode_failed",
    ]
    assert not any("not put back" in bridge.result(each)["detail"] for each in ("t-1", "t-2"))
    refs = [
        line
        for line in git(root, "for-each-ref").splitlines()
        if b"operators-edge" not in line and b"feat/ai" not in line
    ]
    assert (b"\n".join(refs) + b"\n", git(root, "symbolic-ref", "refs/remotes/origin/HEAD")) == was
    assert git(root, "status", "--porcelain") == b""


def test_the_next_attempt_of_a_failed_task_runs_in_the_same_drain(tmp_path):
    bridge = Bridge(repository.make(tmp_path / "work"), tmp_path / "state", stop_on_failure=False)
    seen = tmp_path / "seen"
    once = f"test -f {seen} || {{ touch {seen}; false; }}"
    retry = {"retry_policy": {"max_attempts": 3}, "retry_on": ["verify_failed"]}
    bridge.submit(commands_to_run=[once], **retry)
    assert bridge.run().reasons == ("verify_failed", None)
    assert bridge.result()["attempt"] == 2
