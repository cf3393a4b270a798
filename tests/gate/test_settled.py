"""Where the protocol's documents disagree, and what holds: one test or a few for each settled point that
concerns state, evidence or gate, on real files and processes. The numbers are the specification's own.
"""

import json
import os
import re
import signal
import subprocess
import sys

import pytest
from tests import processes
from tests.hosting import (
    COMMAND,
    Client,
    at_a_terminal,
    change,
    clean_env,
    events,
    forget_client,
    opened,
    read_state,
    write,
)

import operators_edge
from operators_edge.quality import service as quality_service
from operators_edge.quality.checks import NAMES

pytestmark = pytest.mark.usefixtures("same_user_folder")

PUSH = "git push origin main"


def state_text(client):
    with open(os.path.join(client.root, "active_context.yaml"), encoding="utf-8") as file:
        return file.read()


def edge(client, *words, **env):
    """A command in an agent's shell, which is no person's."""
    return processes.edge(client.root, *words, env={**client.env, **env})


def ran(client, command, output="", **fields):
    client.before("Bash", command=command)
    client.done("Bash", {"stdout": output, **fields}, command=command)


def edited(client, name, text):
    path = write(client.root, name, text)
    given = {"file_path": path, "content": text}
    client.before("Write", **given)
    client.done("Write", {"filePath": path, "originalFile": "", **given}, **given)


# -- 1 ---------------------------------------------------------------------------------------------


def files_below(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [each for each in folders if each != ".git"]
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def test_1_one_state_file_holds_what_side_files_held_and_nothing_else_appears(client):
    before = set(files_below(client.root))
    client.prompt("/edge plan")
    client.prompt("/edge")
    client.bash(PUSH)
    client.prompt("/edge approve")
    client.bash(PUSH)
    change(client, plan=[{"description": "one", "status": "completed"}])
    client.prompt("/edge active")
    client.prompt("/edge")
    client.prompt("/edge skip")
    client.prompt("/edge done")
    client.prompt("/edge approve 1 because it is so")
    client.send("Stop")
    client.send("SessionEnd", reason="exit")
    new = set(files_below(client.root)) - before
    known = r"\.proof/(session_log\.jsonl|lock|log\.lock|archive\.jsonl|(history|cache|log)/.+)"
    assert [each for each in new if not re.fullmatch(known, each)] == []
    state = read_state(client)
    assert state["gear"]["last_junction_type"] == "quality_gate"
    assert len(state["junction_history"]) >= 3
    assert [each["kind"] for each in state["overrides"]] == ["override"]


def test_1_side_files_of_an_older_version_decide_nothing(client):
    side = {
        "pending": None,
        "suppression": [{"fingerprint": "*", "expires_at": "2999-01-01T00:00:00+00:00"}],
    }
    names = [".claude/state/junction_state.json", ".claude/state/gear_state.json"]
    for name in names:
        write(client.root, name, json.dumps(side))
    assert client.bash(PUSH) == "deny"
    client.prompt("/edge skip")
    for name in names:
        with open(os.path.join(client.root, name), encoding="utf-8") as file:
            assert json.load(file) == side


# -- 2, 3: the lock and the record -------------------------------------------------------------------

HOLD = """
import sys
from operators_edge.project import Project
def change(tx):
    tx.state["objective"] = "half"
    print("held", flush=True)
    sys.stdin.read()
Project(sys.argv[1], is_set_up=True).transact(change, command="a slow edit")
"""


def test_2_a_killed_holder_leaves_no_lock_behind(client):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, client.root],
        env=client.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with holder:
        assert holder.stdout.readline() == "held\n"
        holder.send_signal(signal.SIGKILL)
    done = edge(client, "objective", "after the crash")
    assert done.returncode == 0, done.stderr
    assert read_state(client)["objective"] == "after the crash"


DIE = """
import os, signal, sys
from operators_edge.project import Project
path = os.path.realpath(sys.argv[1]) + "/active_context.yaml"
def die_at_the_first_change(event, arguments):
    if event == "os.rename" and os.path.realpath(os.fspath(arguments[1])) == path:
        os.kill(os.getpid(), signal.SIGKILL)
project = Project(sys.argv[1], is_set_up=True)
def change(tx):
    tx.state["objective"] = "written down first"
    tx.log("note", {"text": "with its entry"})
sys.addaudithook(die_at_the_first_change)
project.transact(change, command="two files")
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_3_the_record_of_a_change_is_whole_before_the_first_file_changes(client):
    killed = subprocess.run([sys.executable, "-c", DIE, client.root], env=client.env, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert "written down first" not in state_text(client)
    assert events(client, "note") == []
    with open(os.path.join(client.root, ".proof", "journal.json"), encoding="utf-8") as file:
        assert "written down first" in file.read()
    done = edge(client, "next", "go on")
    assert done.returncode == 0, done.stderr
    state = read_state(client)
    assert (state["objective"], state["next_action"]) == ("written down first", "go on")
    assert events(client, "note") == [{"text": "with its entry"}]
    assert len(events(client, "transaction_recovery")) == 1
    assert not os.path.lexists(os.path.join(client.root, ".proof", "journal.json"))


# -- 4 ---------------------------------------------------------------------------------------------

HASH = (
    "from operators_edge.evidence.plan_events import objective_hash;"
    "print(objective_hash({'objective': 'é x'}))"
)


def seeded(client, seed):
    """A person's shell: the hook's own interpreter runs isolated and would ignore the seed."""
    plain = {key: value for key, value in client.env.items() if not key.startswith("CLAUDE")}
    return {**plain, "PYTHONHASHSEED": seed}


def test_4_an_override_of_one_process_counts_in_another_with_other_hash_seeds(client):
    hashes = {
        subprocess.check_output([sys.executable, "-c", HASH], env=seeded(client, seed))
        for seed in ("0", "1", "2")
    }
    assert len(hashes) == 1
    forget_client(client)
    for seed, words, code in (
        ("1", ["done"], 1),
        ("2", ["approve", "1,2"], 0),
        ("3", ["done"], 0),
    ):
        done = at_a_terminal(client.root, *words, env=seeded(client, seed))
        assert done.returncode == code, done.stderr
    assert read_state(client)["mode"] == "done"


# -- 5, 6 ------------------------------------------------------------------------------------------


def test_5_metrics_outlive_every_process_that_counted(client):
    client.prompt("/edge done")
    client.prompt("/edge approve 1")
    client.prompt("/edge done")
    client.prompt("/edge approve all")
    client.bash(PUSH)
    client.prompt("/edge skip")
    shown = json.loads(edge(client, "metrics", "--json").stdout)["data"]["project"]
    assert shown["quality_gate"]["overrides"] == 2
    assert shown["quality_gate"]["full"] == 1
    assert shown["quality_gate"]["check_specific"] == 1
    assert shown["junctions"]["skipped"] == 1


@pytest.mark.parametrize(
    "command", ["cat latest.txt", "grep -rn test src", "ls tests", "echo pytest", "git add tests"]
)
def test_6_a_command_that_only_holds_the_word_is_no_test_run(client, command):
    ran(client, command)
    client.send("Stop")
    assert read_state(client)["observations"]["tests_run"] is False
    ran(client, "pytest -q", "1 passed")
    client.send("Stop")
    seen = read_state(client)["observations"]
    assert (seen["tests_run"], seen["tests_passed"]) == (True, True)


# -- 7 ---------------------------------------------------------------------------------------------


def test_7_null_is_a_value_that_is_written_and_read_back(client):
    client.bash(PUSH)
    assert read_state(client)["junction"]["shown"] == PUSH
    client.prompt("/edge skip")
    assert re.search(r"^junction: null$", state_text(client), re.MULTILINE)
    assert "junction" in read_state(client)
    assert edge(client, "objective", "--clear").returncode == 0
    assert re.search(r"^objective: (null|~)?$", state_text(client), re.MULTILINE)
    assert read_state(client)["objective"] is None


# -- 8 ---------------------------------------------------------------------------------------------


def test_8_an_approval_is_for_that_very_call_and_a_dismissal_for_its_class(client):
    client.bash(PUSH)
    exact = read_state(client)["junction"]
    client.prompt("/edge approve")
    (allowance,) = read_state(client)["allowances"]
    assert allowance["fingerprint"] == exact["fingerprint"]
    assert client.bash("git push -u origin main") == "deny"
    confirm = client.prompt("/edge dismiss 30").rsplit("type: ", 1)[1]
    client.prompt(confirm)
    (dismissal,) = read_state(client)["dismissals"]
    assert [dismissal["fingerprint"]] == exact["classes"]
    assert client.bash("git push -u origin main") == ""
    assert client.bash("git push -u origin main") == ""
    assert client.bash(PUSH) == "allow"
    assert client.bash("git push origin other") == "deny"


# -- 9 ---------------------------------------------------------------------------------------------

FIVE = {
    "objective_defined",
    "steps_completed",
    "no_dangling_in_progress",
    "activity_observed",
    "claims_match_files",
}
SIX = {
    "steps_have_proof",
    "no_dangling_in_progress",
    "verifications_tested",
    "no_unresolved_mismatches",
    "eval_gate",
    "verification_step_exists",
}


def gate(client, **values):
    """What the gate says of a state, by name."""
    change(client, **values)
    found = quality_service.gate_of(opened(client), read_state(client), client.session)
    return {check.name: check.severity for check in found.failed}


def test_9_the_checks_of_both_documents_hold_under_one_name_each(client):
    assert FIVE | SIX | {"claims_supported", "tests_observed"} == set(NAMES)
    found = gate(client, objective=None, plan=[])
    assert found.keys() == {"objective_defined", "steps_completed", "activity_observed"}
    step = {"description": "write it", "status": "completed", "verification": "rejects nonsense"}
    found |= gate(
        client,
        objective="ship it",
        intent={"user_wants": "it"},
        plan=[step, {"description": "more", "status": "in_progress"}],
        mismatches=[{"id": "m1", "expectation": "a", "observation": "b"}],
    )
    opened(client).log.append(
        {"event": "eval_run", "session": client.session, "data": {"invariants_failed": ["INV-1"]}}
    )
    found |= gate(client)
    assert found.keys() == FIVE | SIX


def test_9_every_failed_check_can_be_let_pass_by_its_name_alone(client):
    step = {"description": "write it", "status": "completed"}
    failing = gate(
        client,
        objective="ship it",
        intent={"user_wants": "it"},
        plan=[step, {"description": "more", "status": "in_progress"}],
        mismatches=[{"id": "m1", "expectation": "a", "observation": "b"}],
    )
    errors = [name for name, severity in failing.items() if severity == "error"]
    assert len(errors) == 6
    for name in errors:
        assert f"] {name}: " in client.prompt("/edge done")
        assert name in client.prompt(f"/edge approve {name}")
        left = quality_service.gate_of(opened(client), read_state(client), client.session)
        assert name not in {check.name for check in left.errors}
    assert "Mode is now done" in client.prompt("/edge done")


# -- 18, 19 ----------------------------------------------------------------------------------------


def test_18_a_young_lesson_that_was_never_used_again_stays(client):
    lesson = {"trigger": "csv", "lesson": "mind the header", "reinforced": 0}
    change(client, memory=[lesson])
    client.send("Stop")
    client.send("SessionEnd", reason="exit")
    Client(client.root, client.env).start()
    assert read_state(client)["memory"] == [lesson]


def test_19_one_installed_program_is_wired_and_no_code_is_copied_into_the_project(repo, fenced):
    done = subprocess.run(
        [*processes.EDGE, "init"],
        cwd=repo,
        env=clean_env(fenced),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = list(files_below(repo))
    assert [each for each in found if each.endswith((".py", ".sh"))] == []
    settings = next(each for each in found if each.endswith("settings.local.json"))
    with open(os.path.join(repo, settings), encoding="utf-8") as file:
        hooks = json.load(file)["hooks"]
    told = json.dumps(hooks)
    installed = os.path.dirname(operators_edge.__file__)
    assert told.count(installed) >= len(hooks)


# -- 20, 22, 23: what the gate answers -------------------------------------------------------------


def test_20_an_allow_is_silence_and_only_a_decided_call_is_answered_with_allow(client):
    event = {"session_id": client.session, "cwd": client.root, "hook_event_name": "PreToolUse"}
    harmless = {**event, "tool_name": "Bash", "tool_input": {"command": "ls"}}
    assert client.raw(json.dumps(harmless).encode(), COMMAND) == b""
    client.bash(PUSH)
    client.prompt("/edge approve")
    assert client.bash("ls") == ""
    assert client.bash(PUSH) == "allow"
    assert client.bash("ls") == ""


@pytest.mark.parametrize("mode", ["plan", "active", "review", "done"])
def test_22_the_gate_judges_alike_in_every_mode_and_a_new_session_keeps_the_mode(client, mode):
    change(client, mode=mode, plan=[{"description": "one", "status": "pending"}])
    second = Client(client.root, client.env)
    second.start()
    assert read_state(second)["mode"] == mode
    assert second.before("Read", file_path=os.path.join(client.root, "readme.txt")) == {}
    assert second.before("Write", file_path=os.path.join(client.root, "a.py"), content="") == {}
    assert second.bash("ls -la") == ""
    assert second.bash("rm -rf ~") == "deny"
    assert second.bash("git reset --hard HEAD~1") == "deny"
    assert read_state(second)["junction"]["rule"].startswith("git-reset")
    assert second.bash(PUSH) == "deny"


def test_23_deciding_costs_no_model_turn_and_shows_the_next_step(client):
    client.bash(PUSH)
    answer = client.send("UserPromptSubmit", prompt="/edge approve")
    assert answer["decision"] == "block"
    assert answer["hookSpecificOutput"]["suppressOriginalPrompt"] is True
    assert "Approved once" in answer["reason"]
    assert "Next: step 1, one" in answer["reason"]


# -- 21 --------------------------------------------------------------------------------------------


def test_21_a_finished_plan_is_in_review_and_its_gate_ran_all_the_same(client):
    change(client, plan=[{"description": "read the docs", "status": "in_progress"}])
    done = edge(client, "step", "done", "1", "--proof", "read")
    assert done.returncode == 0, done.stderr
    assert "The plan is complete." in done.stdout
    assert "activity_observed" in done.stdout
    assert [each["why"] for each in events(client, "quality_gate")] == ["plan complete"]
    assert "review (from objective and plan)" in edge(client, "status").stdout
    assert read_state(client).get("junction") is None


def test_21_only_an_explicit_mode_is_ever_asked_to_change(client):
    change(client, plan=[{"description": "read the docs", "status": "in_progress"}])
    assert edge(client, "active").returncode == 0
    done = edge(client, "step", "done", "1", "--proof", "read")
    assert "Mode review fits now" in done.stdout
    assert read_state(client)["junction"]["payload"]["to"] == "review"
    assert client.bash("ls") == ""


def test_what_all_sessions_did_for_an_objective_counts_for_its_gate(client):
    """Observed spans sessions (QG-2): the one that asks may have done nothing itself."""
    edited(client, "src/a.py", "x = 1\n")
    ran(client, "pytest -q", "1 passed")
    ran(client, "ls")
    client.send("SessionEnd", reason="exit")
    change(client, plan=[{"description": "write a", "status": "completed", "proof": "tests pass"}])
    second = Client(client.root, client.env)
    second.start()
    assert gate(second) == {}
    assert second.prompt("/edge done").startswith("Mode is now done.")
