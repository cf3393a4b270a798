"""What the log keeps of a check, through the real hook process, a real repository and real git."""

import json
import os
import subprocess
import sys

import pytest
from tests.hosting import git, write

from operators_edge.evidence.checks import record, service as checks_service
from operators_edge.git import worktree
from operators_edge.model import Call
from operators_edge.project import Project

GOOD = "..                        [100%]\n2 passed in 0.01s"
BAD = "F.\nFAILED a.py::b\n1 failed, 1 passed in 0.01s"


def logged(client):
    with open(os.path.join(client.root, ".proof", "session_log.jsonl"), encoding="utf-8") as file:
        entries = [json.loads(line) for line in file]
    return [entry["data"].get("check") for entry in entries if entry["event"] == "tool"]


def ran(client, command, stdout=GOOD, error=None, **response):
    said = None if error is not None else {"stdout": stdout, "stderr": "", **response}
    client.done("Bash", said, error, command=command)
    return logged(client)[-1]


@pytest.fixture
def observe(project):
    """A finished command, as the guard hands it over."""
    opened = Project(project, is_set_up=True)

    def observed(command, output=GOOD, error=None, cwd=""):
        call = Call("Bash", {"command": command}, os.path.join(project, cwd))
        return checks_service.observed(opened, call, output=output, error=error)

    observed.root = project
    return observed


# -- through the hook ------------------------------------------------------------------------------


def test_a_check_is_in_the_log_with_its_outcome_and_the_tree_it_judged(client):
    check = ran(client, "pytest -q tests 2>&1 | tail -5")
    now = worktree.tree_state(client.root)
    assert check["look"]["digest"] == now.digest
    expected = {
        "kind": "test",
        "name": "pytest",
        "passed": True,
        "counts": {"passed": 2},
        "scope": ["tests"],
        "look_why": "",
        "elsewhere": False,
    }
    assert {name: check[name] for name in expected} == expected


def test_a_failed_check_is_in_the_log_as_one(client):
    check = ran(client, "pytest -q", error=f"Exit code 1\n{BAD}")
    assert (check["passed"], check["counts"]) == (False, {"failed": 1, "passed": 1})


def test_a_command_that_is_no_check_leaves_none(client):
    assert ran(client, "git commit -m 'pytest passes'") is None
    assert ran(client, "cat tests/test_a.py") is None


def test_a_command_that_a_step_names_as_its_verification_is_a_check(client):
    assert ran(client, "./verify.sh", stdout="fine") is None
    Project(client.root, is_set_up=True).transact(
        lambda tx: tx.state["plan"][0].update(verification="`./verify.sh`"), command="test"
    )
    check = ran(client, "./verify.sh", stdout="fine")
    assert (check["kind"], check["passed"]) == ("custom", True)
    assert ran(client, "./verify.sh", error="Exit code 3\nno")["passed"] is False
    assert ran(client, "./verify", stdout="fine") is None
    Project(client.root, is_set_up=True).transact(
        lambda tx: tx.state["plan"][0].update(verification="Run `./verify.sh` and `true`."),
        command="test",
    )
    assert ran(client, "./verify.sh", stdout="fine")["passed"] is True


def test_nothing_of_the_output_is_kept_with_the_check_but_the_counts(client):
    check = ran(client, "pytest -q", f"token=sk-secret-0123456789abcdef\n{GOOD}")
    assert "secret" not in json.dumps(check)


def test_a_secret_that_is_named_as_a_path_is_hidden(client):
    check = ran(client, "pytest -q -k ghp_0123456789abcdefghijABCDEFGHIJ012345")
    assert check["passed"] is True
    assert "ghp_0123456789" not in json.dumps(check)


def test_a_check_of_the_project_s_own_is_one_from_the_next_command_on(client):
    assert ran(client, "./verify.sh") is None
    write(client.root, "edge.toml", 'checks = ["./verify.sh"]\n')
    check = ran(client, "bash verify.sh --fast")
    assert (check["kind"], check["name"], check["passed"]) == ("custom", "./verify.sh", True)
    assert check["scope"] == ["--fast"]


def test_a_run_that_goes_on_in_the_background_or_was_interrupted_has_no_outcome(client):
    assert ran(client, "pytest -q", backgroundTaskId="b1")["passed"] is None
    assert ran(client, "pytest -q", interrupted=True)["passed"] is None
    assert ran(client, "pytest -q", error="Command timed out after 2m 0s")["passed"] is None


def test_a_tool_of_another_kind_is_no_check(observe):
    call = Call("Read", {"command": "pytest"}, observe.root)
    project = Project(observe.root, is_set_up=True)
    assert checks_service.observed(project, call, output=GOOD, error=None) is None


# -- the tree --------------------------------------------------------------------------------------


def test_a_check_without_an_outcome_costs_no_look(observe):
    check = observe("pytest -q | wc -l", "2")
    assert (check["passed"], check["look"], check["look_why"]) == (None, None, "")


def test_where_git_cannot_tell_the_reason_is_kept(tmp_path):
    root = tmp_path / "plain"
    root.mkdir()
    (root / "active_context.yaml").write_text("schema_version: 4\n")
    call = Call("Bash", {"command": "pytest -q"}, str(root))
    check = checks_service.observed(
        Project(str(root), is_set_up=True), call, output=GOOD, error=None
    )
    assert check["passed"] is True
    assert check["look"] is None
    assert check["look_why"]


def test_the_look_changes_with_the_tree_and_with_nothing_else(observe):
    first = observe("pytest -q")["look"]["digest"]
    assert observe("pytest -q")["look"]["digest"] == first
    write(observe.root, "readme.txt", "other\n")
    assert observe("pytest -q")["look"]["digest"] != first
    write(observe.root, "readme.txt", "hello\n")
    assert observe("pytest -q")["look"]["digest"] == first


@pytest.mark.parametrize(
    "command",
    [
        "cd .. && pytest",
        "cd /tmp && pytest -q",
        "cd $SOMEWHERE && pytest",
        "make -C /usr/share test",
        "ssh host pytest",
        "docker exec app pytest -q",
        "cd inner && pytest",
        "pytest /tmp/scratch/test_x.py",
    ],
)
def test_a_check_of_another_place_does_not_judge_this_tree(observe, command):
    inner = os.path.join(observe.root, "inner")
    subprocess.run(["git", "init", "-q", inner], check=True)
    check = observe(command)
    assert check["elsewhere"] is True
    assert check["look"] is None


def test_a_second_work_tree_inside_the_project_is_another_tree(observe):
    git(observe.root, "worktree", "add", "-q", "trees/other", "-b", "other")
    assert observe("pytest -q", cwd="trees/other")["elsewhere"] is True
    assert observe("pytest -q")["elsewhere"] is False


def test_a_container_judges_this_tree_where_the_project_says_so(observe):
    write(observe.root, "edge.toml", 'checks = ["docker compose run app pytest"]\n')
    check = observe("docker compose run app pytest")
    assert (check["elsewhere"], check["passed"]) == (False, True)


# -- the scope -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "cwd", "scope"),
    [
        ("pytest", "", []),
        ("pytest .", "", []),
        ("pytest", "sub", ["sub"]),
        ("cd sub && pytest", "", ["sub"]),
        ("cd sub && pytest tests/test_a.py::test_b", "", ["sub/tests/test_a.py::test_b"]),
        ("pytest ../readme.txt", "sub", ["readme.txt"]),
        ("pytest -k fast", "sub", ["-k fast", "sub"]),
        ("npx jest button", "", ["button"]),
        ("go test ./pkg/...", "", ["pkg/..."]),
        ("make -C sub test", "", ["sub"]),
        ("cargo test --manifest-path sub/Cargo.toml", "", ["sub"]),
    ],
)
def test_the_scope_is_told_from_the_project_s_root(observe, command, cwd, scope):
    write(observe.root, "sub/Cargo.toml", "[package]\n")
    assert observe(command, cwd=cwd)["scope"] == scope


def test_the_root_s_absolute_path_is_the_whole_project(observe):
    write(observe.root, "tests/test_a.py", "")
    assert observe(f"pytest {observe.root}/tests")["scope"] == ["tests"]
    assert observe(f"cd {observe.root} && pytest")["scope"] == []
    assert observe(f"cd {observe.root} && pytest")["elsewhere"] is False


def test_of_very_many_paths_some_are_kept(observe):
    check = observe("pytest " + " ".join(f"tests/test_{n}.py" for n in range(100)))
    assert len(check["scope"]) == record.MAX_SCOPE + 1
    assert check["scope"][-1] == "…"


# -- several checks --------------------------------------------------------------------------------


def test_the_tests_are_the_decisive_check_of_a_line_and_the_others_stand_beside_them(observe):
    check = observe("ruff check . && pytest -q && mypy", "All checks passed!\n" + GOOD)
    assert (check["kind"], check["passed"]) == ("test", True)
    assert [(each["name"], each["passed"]) for each in check["also"]] == [
        ("ruff check", True),
        ("mypy", True),
    ]


def test_what_did_not_run_because_another_failed_before_is_not_named(observe):
    text = "Exit code 1\nFound 3 errors.\n"
    check = observe("ruff check . && mypy && pytest", "", text)
    assert (check["name"], check["passed"]) == ("ruff check", False)
    assert "also" not in check


def test_the_record_of_a_session_counts_every_one_of_them(client):
    ran(client, "ruff check . && pytest -q", "All checks passed!\n" + GOOD)
    record = Project(client.root, is_set_up=True).evidence.work()
    assert [(each["kind"], each["name"], each["passed"]) for each in record["checks"]] == [
        ("lint", "ruff check", True),
        ("test", "pytest", True),
    ]


# -- what it costs ---------------------------------------------------------------------------------


def test_an_everyday_command_loads_nothing_but_the_prefilter(project, fenced):
    script = (
        "import sys\n"
        "from operators_edge.evidence.checks import service as checks_service\n"
        "from operators_edge.model import Call\n"
        "from operators_edge.project import Project\n"
        f"root = {project!r}\n"
        "call = Call('Bash', {'command': 'git diff --stat && ls -la'}, root)\n"
        "checks_service.observed(Project(root, is_set_up=True), call, output='', error=None)\n"
        "print(sorted(name.rpartition('.')[2] for name in sys.modules if 'evidence.checks.' in name))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['detect', 'run', 'service']"
