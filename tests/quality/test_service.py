"""The gate in real sessions: what was observed decides, by the real hook, real git and real files."""

import os
import re
import shutil

import pytest
from hypothesis import given, strategies as st
from tests import processes
from tests.hosting import Client, events, git, write

from operators_edge.evidence import overrides
from operators_edge.project import Project
from operators_edge.quality import service as quality_service
from operators_edge.quality.checks import NAMES, Check
from operators_edge.text.wording import WIDTH, columns

pytestmark = pytest.mark.usefixtures("same_user_folder")


def opened(client):
    return Project(client.root, is_set_up=True)


def change(client, **values):
    project = opened(client)
    project.transact(lambda tx: tx.state.update(values), command="edit")
    project.log_plan_changes(client.session)


def plan(client, *steps):
    base = {"status": "completed", "proof": "see the log"}
    change(client, plan=[{**base, **each} for each in steps])


def gate_of(client):
    return quality_service.gate_of(opened(client), opened(client).state.read(), client.session)


def failed(client):
    return {check.name: check.severity for check in gate_of(client).failed}


def ran(client, command, output="", error=None):
    client.before("Bash", command=command)
    client.done("Bash", {"stdout": output}, error, command=command)


def edited(client, name, text, before=""):
    path = write(client.root, name, text)
    given = {"file_path": path, "content": text}
    client.before("Write", **given)
    client.done("Write", {"filePath": path, "originalFile": before, **given}, **given)


def worked(client):
    """Some code, a passing test run after it, and enough of both."""
    edited(client, "src/a.py", "x = 1\n")
    ran(client, "ls")
    ran(client, "pytest -q", "3 passed in 0.1s")


def test_work_that_was_seen_passes_every_check(client):
    worked(client)
    plan(client, {"description": "write a"})
    assert gate_of(client).failed == ()
    assert quality_service.lines(gate_of(client)) == [
        f"Quality gate: all {len(NAMES)} checks pass."
    ]


def test_an_edit_after_the_tests_is_a_warning_until_it_is_taken_back_or_tested(client):
    worked(client)
    plan(client, {"description": "think about a"})
    edited(client, "src/a.py", "x = 2\n", "x = 1\n")
    assert failed(client)["tests_observed"] == "warning"
    edited(client, "src/a.py", "x = 1\n", "x = 2\n")
    assert failed(client) == {}
    edited(client, "src/a.py", "x = 3\n", "x = 1\n")
    ran(client, "pytest -q", "3 passed in 0.1s")
    assert failed(client) == {}


def test_a_change_that_no_tool_named_is_seen_by_the_tree(client):
    worked(client)
    plan(client, {"description": "think about a"})
    write(client.root, "src/a.py", "x = 7\n")
    assert failed(client)["tests_observed"] == "warning"


def test_a_commit_of_what_was_tested_changes_nothing(client):
    worked(client)
    plan(client, {"description": "write a"})
    git(client.root, "add", "src")
    git(client.root, "commit", "-qm", "a")
    assert failed(client) == {}


def test_tests_that_failed_last_stand_against_the_claim_that_they_pass(client):
    edited(client, "src/a.py", "x = 1\n")
    ran(client, "ls")
    plan(client, {"description": "make the tests pass", "status": "in_progress", "proof": None})
    ran(client, "pytest -q", error="Exit code 1\n1 failed, 2 passed in 0.1s")
    plan(client, {"description": "make the tests pass", "proof": "all tests pass"})
    found = failed(client)
    assert found["claims_supported"] == "error"
    assert found["tests_observed"] == "warning"
    answer = client.prompt("/edge done")
    assert "claims_supported: step 1 contradicted: " in answer
    client.prompt("/edge approve claims_supported because the machine has no database")
    assert "1 overridden" in client.prompt("/edge status")
    answer = client.prompt("/edge done")
    assert answer.startswith("Mode is now done.")
    assert "overridden: claims_supported" in answer


def test_the_override_of_another_session_helps_no_claim(client):
    edited(client, "src/a.py", "x = 1\n")
    ran(client, "ls")
    plan(client, {"description": "make the tests pass", "status": "in_progress", "proof": None})
    ran(client, "pytest -q", error="Exit code 1\n1 failed, 2 passed in 0.1s")
    plan(client, {"description": "make the tests pass", "proof": "all tests pass"})
    client.prompt("/edge done")
    client.prompt("/edge approve all")
    first = client.session
    second = Client(client.root, client.env)
    second.start()
    gate = gate_of(second)
    assert failed(second)["claims_supported"] == "error"
    assert [claim.verdict for claim in gate.claims] == ["CONTRADICTED"]
    state = opened(client).state.read()
    gate = quality_service.gate_of(opened(client), state, first)
    assert [claim.verdict for claim in gate.claims] == ["OVERRIDDEN"]


def test_a_verification_is_looked_for_in_the_tests_and_in_what_was_run(client):
    worked(client)
    plan(client, {"description": "write a", "verification": "rejects an empty header"})
    assert failed(client) == {"verifications_tested": "warning"}
    write(client.root, "tests/test_a.py", "def test_an_empty_header_is_rejected(): ...\n")
    assert "verifications_tested" not in failed(client)
    plan(client, {"description": "write a", "verification": "`make check-a` is fine"})
    assert "verifications_tested" in failed(client)
    ran(client, "make check-a", "ok")
    assert "verifications_tested" not in failed(client)


def test_work_in_another_tree_is_not_called_no_work(client):
    for _ in range(2):
        ran(client, "ls")
    ran(client, "git worktree add ../other -b other")
    plan(client, {"description": "write a"})
    assert failed(client)["claims_match_files"] == "warning"


def test_without_a_repository_what_commands_changed_is_unknown_and_not_nothing(client):
    shutil.rmtree(os.path.join(client.root, ".git"))
    for _ in range(3):
        ran(client, "sed -i s/a/b/ readme.txt")
    plan(client, {"description": "write a"})
    found = {check.name: check for check in gate_of(client).failed}
    assert found["claims_match_files"].severity == "warning"
    assert "git cannot determine" in found["claims_match_files"].text


def test_a_new_objective_begins_with_nothing_done(client):
    worked(client)
    plan(client, {"description": "write a"})
    assert failed(client) == {}
    change(client, objective="something else")
    assert failed(client) == {"activity_observed": "error", "claims_match_files": "error"}


def test_a_hosts_todos_are_shown_and_fail_nothing(client):
    worked(client)
    todo = {"source": "host", "proof": None}
    plan(
        client,
        {"description": "write a"},
        {**todo, "description": "make the tests pass"},
        {**todo, "description": "fix it", "status": "in_progress"},
    )
    assert failed(client) == {}


def test_a_state_that_changed_while_the_gate_looked_is_looked_at_again(client):
    worked(client)
    plan(client, {"description": "write a"})
    project = opened(client)
    seen = []

    def act(tx, gate):
        seen.append([check.name for check in gate.failed])
        if len(seen) == 1:
            # An editor writes while the change is on its way: it runs again on the new text.
            path = os.path.join(client.root, "active_context.yaml")
            with open(path, encoding="utf-8") as file:
                text = file.read()
            write(client.root, "active_context.yaml", text.replace("completed", "in_progress"))
        tx.state["notes"] = ["judged"]

    quality_service.with_gate(project, client.session, act, command="mode done")
    assert seen == [[], ["steps_completed", "no_dangling_in_progress"]]


def test_every_command_that_a_failure_names_is_one(client):
    change(client, objective=None, plan=[], intent={"user_wants": "x"})
    found = list(gate_of(client).failed)
    change(client, objective="x", mismatches=[{"id": "m1"}])
    plan(client, {"description": "a", "proof": None}, {"status": "in_progress"})
    found += gate_of(client).failed
    said = {one for check in found for one in re.findall(r"edge \w+(?: \w+)?", check.fix)}
    assert len(said) >= 6
    for one in said:
        done = processes.edge(client.root, *one.split()[1:], "--help", env=client.env)
        assert done.returncode == 0, one


checks = st.builds(
    Check,
    st.sampled_from(NAMES),
    st.sampled_from(["error", "warning"]),
    st.text(min_size=1, max_size=300),
    st.text(max_size=120),
)


@given(st.lists(checks, max_size=8, unique_by=lambda check: check.name))
def test_the_numbers_shown_are_those_that_choose_and_no_line_is_wider_than_a_terminal(found):
    gate = quality_service.Gate(tuple(found), remarks=("x" * 200,))
    shown = quality_service.lines(gate)
    numbered = re.findall(r"^  \[(\d+)\] (\w+):", "\n".join(shown), re.MULTILINE)
    names = [check.name for check in found if check.severity == "error"]
    assert [name for _, name in numbered] == names
    for number, name in numbered:
        assert overrides.named(number, names) == [name]
    assert all(columns(line) <= WIDTH for line in shown)


def test_one_step_is_a_step_and_several_are_steps_in_the_status():
    failed = Check("steps_have_proof", "error", "none", "", (2,))
    gate = quality_service.Gate(
        (failed, failed._replace(name="claims_supported", steps=(1, 2, 3, 4)))
    )
    assert quality_service.summary_line(gate).endswith(
        "steps_have_proof (step 2), claims_supported (steps 1, 2, 3, …)"
    )


def test_a_completed_step_is_answered_with_its_verdict_and_the_last_message_is_judged(client):
    edited(client, "src/a.py", "x = 1\n")
    ran(client, "pytest -q", error="Exit code 1\nFAILED t.py::test_x\n1 failed, 2 passed in 0.1s")
    plan(client, {"description": "port it", "status": "in_progress", "proof": None})
    said = processes.edge(
        client.root, "step", "done", "1", "--proof", "all tests pass", env=client.env
    ).stdout
    why = "pytest failed at log "
    assert f"CONTRADICTED: {why}" in said
    assert "  run: pytest -q" in said
    answer = client.send("Stop", last_assistant_message="Ported. All tests pass.")
    assert answer["systemMessage"].startswith(
        f"Operator's Edge: the agent's last message is contradicted: {why}"
    )
    (logged,) = events(client, "message_contradicted")
    assert logged["preview"] == "Ported. All tests pass."
    assert "systemMessage" not in client.send("Stop", last_assistant_message="1 test fails still.")
    briefing = client.start("compact")
    assert "(t.py::test_x)" in briefing or why in briefing
    assert "1 test fails still." in briefing


@pytest.mark.parametrize("where", ["build/report.txt", "../elsewhere/report.txt"])
def test_a_file_that_git_does_not_show_is_looked_for_where_the_step_names_it(client, where):
    write(client.root, ".gitignore", "build/\n")
    git(client.root, "add", ".gitignore")
    git(client.root, "commit", "-qm", "ignore")
    path = os.path.normpath(os.path.join(client.root, where))
    plan(client, {"description": f"Write {where}", "status": "in_progress", "proof": None})
    os.makedirs(os.path.dirname(path), exist_ok=True)
    for number in range(3):
        ran(client, f"true {number}")
    state = opened(client)
    done = [{"description": f"Write {where}", "status": "completed", "proof": f"wrote {where}"}]

    def names():
        gate = quality_service.gate_of(state, {**state.state.read(), "plan": done}, client.session)
        return [each.name for each in gate.errors]

    assert "claims_match_files" in names()
    write(os.path.dirname(path), "report.txt", "x\n")
    assert "claims_match_files" not in names()
