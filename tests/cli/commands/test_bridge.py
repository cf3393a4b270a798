"""``edge bridge``: what a person types, what they see, and what an agent may not."""

import json
import os
import sys

import pytest
from tests import repository
from tests.bridge.test_audit import git, put
from tests.bridge.test_watcher import PATCH
from tests.hosting import at_a_terminal, clean_env

from operators_edge.bridge.locks_store import hostname
from operators_edge.bridge.schemas import of_event
from operators_edge.cli.executors import bridge_of, examined
from operators_edge.cli.main import main
from operators_edge.project import wall_clock
from operators_edge.sessions import tasks

TASK = {"id": "t-1", "prompt": "Do it.", "patch": PATCH, "executor": "patch"}


@pytest.fixture
def here(tmp_path, monkeypatch):
    root = repository.make(tmp_path / "work")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(root)
    return root


JSON_TYPES = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "object": dict,
    "array": list,
    "null": type(None),
}


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


def test_what_can_be_used_here_is_said_within_80_columns_also_by_the_doctor(here, capsys):
    put(here, "bridge.config.json", b'{"executor": "patch"}')
    code, said = edge(capsys, "init")
    assert code == 0
    assert all(len(each) <= 80 for each in said.splitlines())
    assert "  patch     the default; ready\nContained: " in said
    assert "everyone who works here: git add bridge.config.json" in said
    (check,) = examined(bridge_of(here))
    assert check.level == "ok"
    assert "patch; contained: " in check.what
    put(here, "bridge.config.json", b"{")
    assert examined(bridge_of(here))[0].level == "warning"


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
    assert said.splitlines()[-2:] == ["t-1 success", "Succeeded  1: git merge feat/ai/t-1"]
    said = edge(capsys, "show", "t-1")[1]
    assert "Branch     feat/ai/t-1, commit " in said
    assert "s: cat new.txt" in said
    assert "hello" in edge(capsys, "logs", "t-1")[1]


def test_a_wrong_task_is_refused_with_everything_that_is_wrong(here, capsys, tmp_path):
    edge(capsys, "init")
    file = tmp_path / "task.json"
    file.write_text('{"id": "../x", "promt": "x"}', encoding="utf-8")
    code, said = edge(capsys, "submit", str(file))
    assert code == 1
    assert "prompt is missing" in said
    assert "did you mean 'prompt'?" in said


def test_what_done_tasks_left_is_removed_by_age_and_results_and_failed_work_stay(here, capsys):
    edge(capsys, "init")
    drop(here, "t-1", commands_to_run=["true"])
    edge(capsys, "watch", "--drain")
    drop(here, "t-10", commands_to_run=["false"])
    edge(capsys, "watch", "--drain")
    assert edge(capsys, "gc", "--dry-run") == (0, "Nothing to remove.\n")
    code, said = edge(capsys, "gc", "--dry-run", "--days", "0")
    assert (code, said.split()[:2], said.split()[-3:]) == (
        0,
        ["Would", "remove"],
        ["of", "1", "task."],
    )
    assert "only a person" in edge(capsys, "gc", "--days", "0")[1]
    assert "not a number of days" in edge(capsys, "gc", "--dry-run", "--days", "-1")[1]
    before = handed_off(here)
    typed = clean_env(os.path.dirname(os.environ["XDG_STATE_HOME"]))
    assert at_a_terminal(here, "bridge", "gc", "--days", "0", env=typed).stdout.startswith(
        "Removed"
    )
    gone = before - handed_off(here)
    assert {"logs/t-1.log", "patches/t-1_pre.patch", "patches/t-1_post.shown.patch"} <= gone
    assert all("t-1." in each or "t-1_" in each for each in gone)
    assert not any(each.startswith("results/") for each in gone)
    assert git(here, "for-each-ref", "refs/operators-edge/bridge/t-10/") != b""
    failed = at_a_terminal(here, "bridge", "gc", "--days", "0", "--failed", env=typed).stdout
    assert "side ref" in failed
    assert git(here, "for-each-ref", "refs/operators-edge/bridge/") == b""
    assert git(here, "rev-parse", "--verify", "feat/ai/t-1") != b""
    assert "there is no log of t-1" in edge(capsys, "logs", "t-1")[1]


def handed_off(root):
    top = os.path.join(root, ".ai-handoff")
    return {
        os.path.relpath(os.path.join(base, name), top)
        for base, _, names in os.walk(top)
        for name in names
    }


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
    drop(here, "t-1", commands_to_run=["true"])
    lines = edge(capsys, "watch", "--drain", "--json")[1].splitlines()
    events = [json.loads(each) for each in lines]
    names = ["started", "editing", "edited", "command", "command_ended", "ended", "finished"]
    assert [each["event"] for each in events] == names
    kinds = {one["properties"]["event"]["const"]: one for one in of_event()["oneOf"]}
    for each in events:
        known = kinds[each["event"]]["properties"]
        assert {"event", "task", "at"} <= set(each) <= set(known), each
        for name, value in each.items():
            kind = known[name].get("type", "string")
            types = tuple(JSON_TYPES[one] for one in ([kind] if isinstance(kind, str) else kind))
            assert isinstance(value, types), name
    assert events[-1]["data"] == {"reasons": [None], "stopped": False}


def test_the_state_of_the_queue_and_what_a_task_waits_for_are_said(here, capsys):
    edge(capsys, "init")
    assert " ".join(edge(capsys, "status")[1].split()).endswith("none runs: edge bridge watch")
    drop(here, "t-1", depends_on=["t-0"])
    drop(here, "t-2", depends_on=["t-1"])
    edge(capsys, "watch", "--drain")
    assert (
        "t-1  waits for its turn: it depends on t-0, which nobody has submitted" in edge(capsys)[1]
    )
    assert "t-2  waits for its turn: it depends on t-1, which waits for its turn" in edge(capsys)[1]
    assert "2 queued" in edge(capsys, "status")[1]
    me = {"pid": os.getpid(), "host": hostname(), "created_at": wall_clock().isoformat()}
    put(here, ".ai-handoff/locks/__worker__.lock", json.dumps(me).encode())
    assert f"process {os.getpid()} on" in edge(capsys, "status")[1]


@pytest.mark.parametrize("isolation", ["none", "worktree"])
def test_a_command_that_needs_a_person_is_decided_like_every_other_call(
    here, capsys, tmp_path, isolation
):
    configure(here, isolation=isolation)
    put(here, "active_context.yaml", b"schema_version: 4\n")
    git(here, "init", "-q", "--bare", str(tmp_path / "up.git"))
    git(here, "remote", "add", "origin", str(tmp_path / "up.git"))
    put(here, ".git/info/exclude", b"active_context.yaml\n.proof\nbridge*\n")
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
    assert "not decided" in said.stderr
    said = at_a_terminal(here, "skip", env=typed)
    assert edge(capsys, "watch", "--drain")[0] == 1, "one is done, one is rejected"
    assert git(here, "ls-remote", "origin").endswith(b"refs/heads/main\n")
    assert "rejected by" in edge(capsys, "show", "t-2")[1]


def configure(root, **values):
    with open(os.path.join(root, "bridge.config.json"), "w", encoding="utf-8") as file:
        json.dump(values, file)
    with open(os.path.join(root, ".git", "info", "exclude"), "a", encoding="utf-8") as file:
        file.write("bridge.config.json\n")


def test_init_says_which_executors_are_ready_and_what_the_others_lack(here, capsys, monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    code, said = edge(capsys, "init")
    assert code == 0
    assert "opencode  the default; `opencode` is not on PATH: npm install -g opencode-ai" in said
    assert "  patch     ready" in said
    assert "Next: set the default up in " in said
    assert "{" not in said


def test_an_executor_that_is_missing_costs_no_attempt_and_is_said(here, capsys, monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    edge(capsys, "init")
    drop(here, "t-1", executor="opencode")
    drop(here, "t-2")
    code, said = edge(capsys, "watch", "--drain")
    assert code == 1
    assert "t-1 executor_unavailable: opencode: `opencode` is not on PATH" in said
    assert "t-2 success" in said
    assert "`opencode` is not on PATH" in edge(capsys, "show", "t-1")[1]
    assert tasks.line(tasks.gather(here)).startswith("blocked: t-1 (opencode: `opencode` is not")
    assert edge(capsys, "list")[1].startswith("t-1  waits for its turn: opencode: ")


def test_a_repository_names_a_program_only_after_a_person_trusted_exactly_that(here, capsys):
    edge(capsys, "init")
    line = "open('a.txt', 'w').write(open('/proc/self/cmdline').read()[:1])"
    words = ["python3", "-c", line]
    configure(here, executor="mine", executors={"mine": {"command": words}})
    drop(here, "t-1", executor="")
    code, said = edge(capsys, "watch", "--drain")
    assert code == 4
    assert "edge config trust" in said
    assert "edge config trust" in edge(capsys, "init")[1]
    assert main(["config", "trust"]) == 1  # nobody is at a terminal
    done = at_a_terminal(here, "config", "trust", answer="n\n")
    assert (done.returncode, "open('a.txt', 'w')" in done.stderr) == (1, True)
    assert edge(capsys, "watch", "--drain")[0] == 4
    assert at_a_terminal(here, "config", "trust").returncode == 0
    configure(here, executor="mine", executors={"mine": {"command": [*words, "more"]}})
    assert edge(capsys, "watch", "--drain")[0] == 4
    configure(here, executor="mine", executors={"mine": {"command": words}})
    assert edge(capsys, "watch", "--drain")[0] == 0
    assert at_a_terminal(here, "config", "trust", "--withdraw").returncode == 0
    assert edge(capsys, "watch", "--drain")[0] == 4


def test_the_settings_can_be_in_edge_toml_and_new_settings_do_not_make_the_tree_dirty(here, capsys):
    edge(capsys, "init")
    put(here, "edge.toml", b"[bridge]\ncontinue_on_failure = true\n")
    drop(here, "t-1", commands_to_run=["false"])
    drop(here, "t-2", commands_to_run=["true"])
    assert "t-2 success" in edge(capsys, "watch", "--drain")[1]
    put(here, "bridge.config.json", b'{"continue_on_failure": false}')
    code, said = edge(capsys, "watch", "--drain")
    assert (code, "disagree about continue_on_failure" in said) == (64, True)
    for text in (b"[bridge]\nparalel = 2\n", b"bridge = 1\n", b"[bridge\n"):
        put(here, "edge.toml", text)
        code, said = edge(capsys, "watch", "--drain")
        assert (code, "edge.toml" in said) == (64, True), said


def test_a_persons_own_file_names_any_program(here, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    own = tmp_path / "config" / "operators-edge"
    own.mkdir(parents=True)
    words = ["python3", "-c", "open('a.txt', 'w').write('x')"]
    text = json.dumps({"executor": "mine", "executors": {"mine": {"command": words}}})
    (own / "bridge.config.json").write_text(text, encoding="utf-8")
    configure(here, stop_on_failure=False)
    assert "  mine      the default; ready" in edge(capsys, "init")[1]
    configure(here, executor="opencode")
    said = " ".join(edge(capsys, "init")[1].split())
    assert said.endswith('or choose one that is ready: {"executor": "mine"}')
    configure(here, stop_on_failure=False)
    drop(here, "t-1", executor="")
    assert edge(capsys, "watch", "--drain")[0] == 0
    (own / "bridge.config.json").write_text('{"executors": {"mine": {}}}', encoding="utf-8")
    code, said = edge(capsys, "watch", "--drain")
    assert code == 64
    assert "config/operators-edge/bridge.config.json: executors.mine.command is missing" in said


@pytest.mark.parametrize("isolation", ["none", "worktree"])
def test_a_step_of_the_plan_goes_to_the_bridge_and_its_result_is_the_proof(here, capsys, isolation):
    configure(here, isolation=isolation)
    put(here, ".git/info/exclude", b"active_context.yaml\n.proof\n__pycache__\nbridge*\n")
    put(
        here,
        "test_new.py",
        b"import os\n\n\ndef test_it():\n    assert os.path.exists('greet.py')\n",
    )
    git(here, "add", "test_new.py")
    git(here, "commit", "-qm", "a test")
    put(here, "active_context.yaml", b"schema_version: 4\n")
    for words in (["objective", "greet"], ["plan", "add", "Add greet.py", "--verification", "x"]):
        main(words)
    edge(capsys, "init")
    said = edge(capsys, "submit", "--from-plan")
    assert said[0] == 64
    assert "step 1: its verification names no command that is known as a check: 'x'" in said[1]
    check = f"{sys.executable} -m pytest -q test_new.py"
    main(["plan", "edit", "1", "--verification", check])
    code, said = edge(capsys, "submit", "--from-plan", "1", "--executor", "patch")
    ident = said.splitlines()[-1].split()[0]
    assert (code, ident[:16]) == (0, "step-01_add-gree")
    assert "there is a task" in edge(capsys, "submit", "--from-plan")[1]
    path = os.path.join(here, ".ai-handoff", "tasks", f"{ident}.json")
    with open(path, encoding="utf-8") as file:
        task = json.load(file)
    made = {**task, "id": "t-1", "patch": PATCH.replace("new.txt", "greet.py")}
    assert edge(capsys, "watch", "--drain")[0] == 1, "that one carries no patch"
    assert edge(capsys, "submit", file_of(here, made))[0] == 0
    assert "step 1 of the plan is done" in edge(capsys, "watch", "--drain")[1]
    main(["plan", "show"])
    said = " ".join(capsys.readouterr().out.split())
    assert "completed" in said or "[x]" in said
    assert f"Bridge task t-1: {check} exited 0; on feat/ai/t-1 (" in said
    assert verdict(capsys) == "STALE", "the branch is not merged"
    git(here, "merge", "-q", "feat/ai/t-1")
    assert verdict(capsys) == "VERIFIED"


def file_of(root, task):
    """A file outside the tree that holds the task."""
    path = os.path.join(os.path.dirname(root), f"{task['id']}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(task, file)
    return path


def verdict(capsys):
    capsys.readouterr()
    main(["proof", "ledger", "--json"])
    (claim,) = json.loads(capsys.readouterr().out)["data"]["claims"]
    return claim["verdict"]
