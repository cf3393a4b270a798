"""A session as the client runs it: what the log and the state say of plan, todos, proofs and files."""

import json
import os
import re
import subprocess
import sys
from contextlib import contextmanager

import pytest
from tests import processes
from tests.hosting import REPOSITORY, Client, clean_env, git, read_state, write

from operators_edge.evidence import progress
from operators_edge.project import Project
from operators_edge.sessions import briefing
from operators_edge.state import transaction
from operators_edge.state.store import load_text


def path_of(client):
    return os.path.join(client.root, "active_context.yaml")


def text_of(client):
    with open(path_of(client), encoding="utf-8") as file:
        return file.read()


def state_of(client):
    return load_text(text_of(client))


def steps_of(client):
    return [(step["description"], step["status"]) for step in state_of(client)["plan"]]


def entries(client, *events):
    with open(os.path.join(client.root, ".proof", "session_log.jsonl"), encoding="utf-8") as file:
        read = [json.loads(line) for line in file]
    return [each for each in read if each["event"] in events]


def work_of(client):
    return Project(client.root, is_set_up=True).evidence.work()


def edge(client, *words):
    done = processes.edge(client.root, *words, env=client.env)
    assert done.returncode == 0, done.stderr
    return done


def edited(client, name, text):
    """The agent writes a file with its own tool."""
    given = {"file_path": os.path.join(client.root, name), "content": text}
    client.before("Write", **given)
    write(client.root, name, text)
    client.done("Write", {"filePath": given["file_path"]}, **given)


def replaced(client, old, new):
    """The agent edits the state file with its own tool."""
    given = {"file_path": path_of(client), "old_string": old, "new_string": new}
    assert client.before("Edit", **given) == {}
    text = text_of(client)
    assert old in text
    write(client.root, "active_context.yaml", text.replace(old, new))
    client.done("Edit", {"filePath": path_of(client)}, **given)


def ran(client, command, **response):
    client.before("Bash", command=command)
    client.done("Bash", {"stdout": "", **response}, command=command)


def created(client, ident, subject):
    given = {"subject": subject, "description": "d"}
    client.before("TaskCreate", **given)
    client.done("TaskCreate", {"task": {"id": ident, "subject": subject}}, **given)


def updated(client, ident, **fields):
    given = {"taskId": ident, **fields}
    client.before("TaskUpdate", **given)
    client.done("TaskUpdate", {"success": True, "taskId": ident}, **given)


def listed(client, *items, agent=""):
    todos = [{"content": text, "status": status, "activeForm": "x"} for text, status in items]
    client.before("TodoWrite", agent, todos=todos)
    if agent:
        client.send(
            "PostToolUse",
            tool_name="TodoWrite",
            tool_input={"todos": todos},
            tool_use_id="toolu_agent",
            tool_response={},
            agent_id=agent,
        )
    else:
        client.done("TodoWrite", {"oldTodos": [], "newTodos": todos}, todos=todos)


# -- the plan in the log --------------------------------------------------------------


def test_a_session_tells_the_log_what_the_objective_is_and_the_next_one_does_not_repeat_it(
    client, fenced
):
    told = [each["data"].get("objective") for each in entries(client, "objective", "plan")]
    assert told == ["ship it", None]
    assert entries(client, "objective")[0]["session"] == client.session
    client.send("SessionEnd", reason="other")
    Client(client.root, clean_env(fenced)).start()
    assert len(entries(client, "objective", "plan")) == 2


def test_an_agents_edit_of_the_plan_is_told_at_once_and_the_file_is_left_as_the_agent_wrote_it(
    client,
):
    replaced(client, "status: pending", "status: in_progress")
    before = text_of(client)
    assert entries(client, "plan")[-1]["data"]["steps"][0]["status"] == "in_progress"
    assert entries(client, "plan")[-1]["seq"] > entries(client, "tool")[-1]["seq"]
    assert text_of(client) == before


def test_a_persons_edit_is_told_when_the_turn_ends(client):
    write(client.root, "active_context.yaml", text_of(client).replace("ship it", "ship it well"))
    assert len(entries(client, "objective")) == 1
    client.send("Stop")
    assert entries(client, "objective")[-1]["data"]["objective"] == "ship it well"


@pytest.mark.parametrize(
    ("words", "event"),
    [
        (("plan", "add", "two"), "plan"),
        (("step", "start", "1"), "plan"),
        (("objective", "another"), "objective"),
    ],
)
def test_every_command_that_changes_objective_or_plan_tells_the_log(client, words, event):
    before = len(entries(client, event))
    edge(client, *words)
    assert len(entries(client, event)) == before + 1


def test_a_restored_plan_is_told(client):
    edge(client, "plan", "add", "two")
    edge(client, "plan", "add", "three")
    project = Project(client.root, is_set_up=True)
    transaction.restore(project, project.state.history()[1].id, by="test")
    told = [step["text"] for step in entries(client, "plan")[-1]["data"]["steps"]]
    assert told == [text for text, _ in steps_of(client)] == ["one", "two"]


# -- what all sessions did -------------------------------------------------------------------------


def test_two_sessions_in_a_row_work_for_one_objective(client, fenced):
    edited(client, "a.py", "a = 1\n")
    client.send("SessionEnd", reason="other")
    second = Client(client.root, clean_env(fenced))
    second.start()
    edited(second, "b.py", "b = 1\n")
    record = work_of(client)
    assert list(record["files"]) == ["a.py", "b.py"]
    assert record["sessions"] == [client.session, second.session]
    edge(client, "objective", "another")
    assert work_of(client)["files"] == {}


def test_a_session_in_a_linked_work_tree_has_a_record_of_its_own(client, fenced, tmp_path):
    tree = str(tmp_path / "linked")
    git(client.root, "worktree", "add", "-q", tree)
    write(tree, "active_context.yaml", text_of(client))
    other = Client(tree, clean_env(fenced))
    other.start()
    edited(other, "there.py", "x = 1\n")
    edited(client, "here.py", "x = 1\n")
    assert list(work_of(client)["files"]) == ["here.py"]
    assert list(work_of(other)["files"]) == ["there.py"]


def test_what_a_command_wrote_is_new_once_and_again_only_when_it_changes_again(client):
    write(client.root, "readme.txt", "one\n")
    client.send("Stop")
    first = work_of(client)["files"]["readme.txt"]
    assert first["by"] == "tree"
    write(client.root, "other.txt", "x\n")
    client.send("Stop")
    assert work_of(client)["files"]["readme.txt"] == first
    write(client.root, "readme.txt", "two\n")
    client.send("Stop")
    assert work_of(client)["files"]["readme.txt"]["seq"] > first["seq"]
    count = len(entries(client, "tree_changed"))
    client.send("Stop")
    assert len(entries(client, "tree_changed")) == count == 3


# -- proofs ----------------------------------------------------------------------------------------


def test_a_step_without_a_proof_gets_what_was_seen_when_the_turn_ends(client):
    edge(client, "step", "start", "1")
    edited(client, "a.py", "a = 1\n")
    ran(client, "ls")
    edge(client, "step", "done", "1")
    assert "proof" not in state_of(client)["plan"][0]
    client.send("Stop")
    proof = state_of(client)["plan"][0]["proof"]
    done = entries(client, "plan")[-1]["seq"]
    assert proof.startswith("auto: 1 file (log ")
    assert proof.endswith(f"-{done})")


def test_a_proof_that_somebody_wrote_stays(client):
    edge(client, "step", "start", "1")
    edited(client, "a.py", "a = 1\n")
    edge(client, "step", "done", "1", "--proof", "seen by hand")
    client.send("Stop")
    assert state_of(client)["plan"][0]["proof"] == "seen by hand"


def test_without_anything_seen_there_is_no_proof(client):
    edge(client, "step", "done", "1")
    client.send("SessionEnd", reason="other")
    assert "proof" not in state_of(client)["plan"][0]


# -- the host's todos ------------------------------------------------------------------------------


def test_todos_are_steps_when_the_turn_ends_and_not_before(client):
    before = text_of(client)
    created(client, "1", "write the parser")
    created(client, "2", "test it")
    updated(client, "1", status="in_progress")
    assert text_of(client) == before
    client.send("Stop")
    assert steps_of(client) == [
        ("one", "pending"),
        ("write the parser", "in_progress"),
        ("test it", "pending"),
    ]
    assert state_of(client)["plan"][1]["source"] == "host"
    updated(client, "1", status="completed")
    updated(client, "2", status="deleted")
    client.send("SessionEnd", reason="other")
    assert steps_of(client) == [("one", "pending"), ("write the parser", "completed")]


def test_what_was_done_for_a_todo_is_its_steps_proof(client):
    listed(client, ("write the parser", "in_progress"))
    edited(client, "parser.py", "x = 1\n")
    listed(client, ("write the parser", "completed"))
    edited(client, "later.py", "x = 1\n")
    client.send("Stop")
    step = state_of(client)["plan"][1]
    assert step["proof"].startswith("auto: 1 file (log ")
    evidence = work_of(client)["steps"][progress.keys_of(["write the parser"])[0]]["seen"]
    assert evidence["files"] == ["parser.py"]


def test_a_subagents_todos_are_its_own(client):
    listed(client, ("inner", "pending"), agent="agent-1")
    client.send("Stop")
    assert steps_of(client) == [("one", "pending")]


def test_comments_and_quoting_of_the_plan_survive_the_todos(client):
    text = (
        "# mine\nschema_version: 4\nobjective: 'ship it'\n"
        'plan:\n  # first things first\n  - description: "one"  # really\n    status: pending\n'
        "constraints: []\n"
    )
    write(client.root, "active_context.yaml", text)
    listed(client, ("two", "pending"))
    client.send("Stop")
    listed(client, ("two", "completed"))
    client.send("Stop")
    after = text_of(client)
    for kept in ("# mine\n", "'ship it'", "  # first things first\n", '"one"  # really\n'):
        assert kept in after
    assert steps_of(client) == [("one", "pending"), ("two", "completed")]
    listed(client)
    client.send("Stop")
    assert steps_of(client)[1] == ("two", "completed")


def test_a_new_session_goes_on_from_the_todos_without_a_line_of_yaml_by_the_agent(fenced, repo):
    write(
        repo,
        "active_context.yaml",
        "schema_version: 4\nobjective: ship it\nplan: []\nconstraints: []\n",
    )
    first = Client(repo, clean_env(fenced))
    first.start()
    listed(first, ("write the parser", "completed"), ("test it", "in_progress"))
    first.send("SessionEnd", reason="other")
    second = Client(repo, clean_env(fenced))
    assert "Step 2 of 2, in_progress: test it" in second.start()
    listed(second, ("test it", "completed"), ("ship it", "pending"))
    second.send("Stop")
    assert steps_of(second) == [
        ("write the parser", "completed"),
        ("test it", "completed"),
        ("ship it", "pending"),
    ]
    assert state_of(second)["current_step"] == 3


def test_a_killed_sessions_todos_are_there_for_the_next_one(client, fenced):
    listed(client, ("write the parser", "completed"), ("test it", "in_progress"))
    edge(client, "step", "done", "1")
    second = Client(client.root, clean_env(fenced))
    told = second.start()
    assert "did not end cleanly" in told
    assert "Step 3 of 3, in_progress: test it" in told
    assert len(entries(second, "plan")) == 3


def test_a_session_whose_start_was_killed_is_the_latest_one_at_its_first_stop(client, fenced):
    client.send("SessionEnd", reason="other")
    before = text_of(client)
    second = Client(client.root, clean_env(fenced))
    second.start()
    write(client.root, "active_context.yaml", before)  # the log has its start, the state not yet
    ran(second, "true")
    client.send("Stop")
    assert state_of(client)["session"]["id"] == client.session
    second.send("Stop")
    state = state_of(client)
    assert state["session"]["id"] == second.session
    assert state["session"]["ended_at"] is None
    assert state["observations"]["tools_used"] == {"Bash": 1}


def test_a_new_session_is_told_which_claims_do_not_hold(client, fenced):
    edge(client, "step", "start", "1")
    client.before("Bash", command="python -m pytest -q")
    client.done("Bash", error="Exit code 1\n1 failed", command="python -m pytest -q")
    edge(client, "step", "done", "1", "--proof", "pytest passed")
    client.send("SessionEnd", reason="other")
    told = Client(client.root, clean_env(fenced)).start()
    assert "Step 1 is CONTRADICTED, though marked completed: " in told


# -- other sessions --------------------------------------------------------------


@contextmanager
def beside(root, home):
    """A session of another client: its process lives until it is left."""
    line = (
        "import sys; from tests import processes; from tests.hosting import Client\n"
        "processes.CAN_FORK = False  # for three calls it need not load everything\n"
        "client = Client(*sys.argv[1:2], eval(sys.argv[2])); client.start()\n"
        "client.before('Write', file_path=client.root + '/secret_of_another.py', content='x')\n"
        "client.done('Write', file_path=client.root + '/secret_of_another.py', content='x')\n"
        "print(client.session, flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", line, root, repr(clean_env(home))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
    ) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


def test_nothing_of_a_session_that_is_at_work_beside_is_told_but_that_it_is_there(project, fenced):
    with beside(project, fenced) as other:
        assert other
        told = Client(project, clean_env(fenced)).start()
        assert "Another session is at work in this tree now" in told
        assert "secret_of_another" not in told
        assert "did not end cleanly" not in told


def test_after_a_compaction_a_session_is_told_of_itself_though_another_one_began(client, fenced):
    edited(client, "mine.py", "x = 1\n")
    with beside(client.root, fenced):
        told = client.start("compact")
    assert "This session so far: 1 tool use, 1 file modified." in told
    assert "modified: mine.py" in told
    assert "secret_of_another" not in told


def test_a_session_whose_client_was_killed_is_the_last_one(project, fenced):
    with beside(project, fenced):
        pass
    told = Client(project, clean_env(fenced)).start()
    assert "Last session (did not end cleanly" in told
    assert "secret_of_another.py" in told
    assert "Another session" not in told


def test_a_session_that_is_resumed_after_a_kill_is_told_that_it_did_not_end_cleanly(client):
    edited(client, "mine.py", "x = 1\n")
    told = client.start("resume")
    assert "This session before it was resumed (did not end cleanly" in told
    assert "modified: mine.py" in told
    assert entries(client, "session_start")[-1]["data"]["previous_clean"] is False


def test_a_session_that_is_resumed_after_a_clean_end_is_told_what_it_did(client):
    edited(client, "mine.py", "x = 1\n")
    client.send("SessionEnd", reason="other")
    told = client.start("resume")
    assert "This session so far: 1 tool use, 1 file modified." in told
    assert "cleanly" not in told


def test_a_session_that_was_killed_before_it_did_anything_says_so_when_it_is_resumed(client):
    assert "did not end cleanly" in client.start("resume")


def test_nothing_of_another_work_tree_is_told(client, fenced, tmp_path):
    tree = str(tmp_path / "linked")
    git(client.root, "worktree", "add", "-q", tree)
    write(tree, "active_context.yaml", text_of(client).replace("ship it", "the other thing"))
    other = Client(tree, clean_env(fenced))
    assert "Objective: the other thing" in other.start()
    edited(other, "there.py", "x = 1\n")
    edited(client, "here.py", "x = 1\n")
    for one in (client, other):
        one.send("SessionEnd", reason="other")
    here = Client(client.root, clean_env(fenced)).start()
    there = Client(tree, clean_env(fenced)).start()
    assert "here.py" in here
    assert "there.py" in there
    assert not {"there.py", "the other thing"} & set(re.findall(r"[\w.]+|the other thing", here))
    assert "here.py" not in there.replace("there.py", "")
    assert "ship it" not in there


def test_a_session_is_told_the_last_evidence_and_that_it_went_stale(client, fenced):
    edge(client, "step", "start", "1")
    edited(client, "a.py", "a = 1\n")
    ran(client, "python -m pytest -q", stdout="3 passed in 0.1s")
    edge(client, "step", "done", "1", "--proof", "pytest passed")
    verified = client.start("compact")
    assert re.search(r"Verified: step 1 \(one\): pytest passed at log \d+: 3 passed", verified)
    assert "nothing changed since" in verified
    edited(client, "a.py", "a = 2\n")
    client.send("SessionEnd", reason="other")
    told = Client(client.root, clean_env(fenced)).start()
    assert "Step 1 is STALE, though marked completed: " in told
    assert told.count("pytest passed") == 1
    assert "changed since: a.py" in told


def test_status_counts_what_a_new_session_is_really_told(client, fenced):
    edited(client, "a.py", "a = 1\n")
    client.send("SessionEnd", reason="other")
    shown = json.loads(edge(client, "status", "--json").stdout)["data"]["context_tokens"]
    told = Client(client.root, clean_env(fenced)).start()
    assert shown == briefing.estimate_tokens(told)


def test_the_budget_that_is_configured_is_kept(client, fenced):
    write(client.root, "edge.toml", "context_tokens = 100\n")
    edge(client, "constraint", "add", *(f"rule {n} " + "x" * 300 for n in range(5)))
    assert 50 < briefing.estimate_tokens(Client(client.root, clean_env(fenced)).start()) <= 100


def test_the_smallest_budget_still_tells_what_waits_for_a_person(client, fenced):
    write(client.root, "edge.toml", "context_tokens = 100\n")
    edge(client, "objective", "x" * 300)
    edge(client, "plan", "edit", "1", "y" * 300, "--expected", "z" * 300)
    client.bash("git push origin main")
    later = Client(client.root, clean_env(fenced))
    assert "git push origin main" in later.start()
    assert later.bash("npm publish") == "deny"
    (counted,) = read_state(client)["junction"]["also_blocked"]
    assert counted["shown"] == "npm publish"


def test_a_subagent_is_told_the_objective_and_a_fork_of_the_clients_own_nothing(client):
    begun = {"agent_id": "agent-1", "agent_type": "general-purpose"}
    said = client.send("SubagentStart", **begun)["hookSpecificOutput"]
    assert said["hookEventName"] == "SubagentStart"
    assert "Objective: ship it" in said["additionalContext"]
    assert "session" not in said["additionalContext"].lower()
    assert client.send("SubagentStart", agent_id="agent-2", agent_type="") == {}
    assert [each["agent"] for each in entries(client, "subagent_start")] == ["agent-1"]


# -- where nothing can be written ------------------------------------------------------------------


@pytest.fixture(params=["no folder", "no lock"])
def unwritable(request, project, fenced):
    """A project whose record can be read at most."""
    folder = os.path.join(project, ".proof")
    if request.param == "no folder":
        write(project, ".proof", "a file where the folder is meant to be")
    else:
        os.makedirs(os.path.join(folder, "log.lock"))
        os.makedirs(os.path.join(folder, "lock"))
    return Client(project, clean_env(fenced))


def test_a_session_that_cannot_be_recorded_is_told_the_work_and_that_it_is_not(unwritable):
    told = unwritable.start()
    assert "Objective: ship it" in told
    assert "Operator's Edge: This session is not recorded: " in told
    assert "Step 1 of 1" in told


def test_a_subagent_is_told_so_too(unwritable):
    said = unwritable.send("SubagentStart", agent_id="a", agent_type="general-purpose")
    told = said["hookSpecificOutput"]["additionalContext"]
    assert "Objective: ship it" in told
    assert "This agent is not recorded: " in told


def test_the_gate_stays_shut_and_a_turn_ends(unwritable):
    unwritable.start()
    assert unwritable.bash("git push origin main") == "deny"
    for event in ({"name": "Stop"}, {"name": "SessionEnd", "reason": "exit"}):
        assert unwritable.send(**event) == {}
        assert unwritable.returncode == 0


@pytest.mark.parametrize("words", [("prune",), ("score",), ("objective", "x"), ("active",)])
def test_a_command_that_cannot_write_says_why_and_changes_nothing(unwritable, words):
    before = text_of(unwritable)
    said = processes.edge(unwritable.root, *words, env=unwritable.env)
    assert said.returncode == 5
    assert re.search(r"^edge: .*\.proof", said.stderr)
    assert "\n  run: " in said.stderr
    assert "Traceback" not in said.stderr
    assert text_of(unwritable) == before
