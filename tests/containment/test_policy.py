import pytest
from tests.tables import for_each

from operators_edge.containment.policy import Ecosystem, Policy, Surroundings, of_data, policy_of

PYTHON = Ecosystem("Python", ("setup.py",), ("pypi.example",), {"PIP_CACHE_DIR": "{cache}/pip"})
AROUND = Surroundings(
    project="/home/ann/shop",
    git="/home/ann/shop/.git",
    own="/home/ann/.local/state/operators-edge",
    product=("/opt/edge/operators_edge",),
    cache="/home/ann/.cache/operators-edge/1",
    used=(PYTHON,),
    remotes=("git.example",),
)
POLICY = policy_of(AROUND, ["*.added.example"])


@for_each(
    ("path", "may"),
    [
        ("/home/ann/shop", True),
        ("/home/ann/shop/src/a.py", True),
        ("/home/ann/shop/.git/index", True),
        ("/home/ann/.cache/operators-edge/1/pip/x", True),
        ("/home/ann/shopping", False),
        ("/home/ann/.bashrc", False),
        ("/tmp/x", False),
        ("/home/ann/shop/.proof/session_log.jsonl", False),
        ("/home/ann/shop/active_context.yaml", False),
        ("/home/ann/shop/.claude/settings.json", False),
        ("/home/ann/shop/.mcp.json", False),
        ("/home/ann/shop/.git/hooks/pre-commit", False),
        ("/home/ann/shop/.git/config", False),
        ("/home/ann/.local/state/operators-edge/key", False),
    ],
)
def test_a_contained_command_writes_the_project_and_its_caches_without_the_guards_own_parts(
    path, may
):
    assert POLICY.can_write(path) is may


def test_the_persons_folder_cannot_even_be_read():
    assert not POLICY.can_read("/home/ann/.local/state/operators-edge/key")
    assert POLICY.can_read("/home/ann/.bashrc")


@pytest.mark.parametrize(
    ("host", "may"),
    [
        ("pypi.example", True),
        ("PYPI.example.", True),
        ("git.example", True),
        ("a.b.added.example", True),
        ("added.example", False),
        ("evil-added.example", False),
        ("pypi.example.evil.example", False),
    ],
)
def test_only_hosts_on_the_list_are_reached(host, may):
    assert POLICY.can_reach(host) is may


def test_caches_are_moved_into_the_projects_own_folder():
    assert POLICY.all_variables == {
        "PIP_CACHE_DIR": "/home/ann/.cache/operators-edge/1/pip",
        "EDGE_RELAY": "/home/ann/.cache/operators-edge/1/relay",
    }


def test_a_tracked_state_file_stays_writable_so_that_git_can_replace_it():
    tracked = policy_of(AROUND._replace(is_state_tracked=True))
    assert tracked.can_write("/home/ann/shop/active_context.yaml")
    assert not tracked.can_write("/home/ann/shop/.proof")


def test_the_repository_of_a_linked_work_tree_is_writable_but_its_hooks_and_settings():
    linked = policy_of(AROUND._replace(git="/home/ann/main/.git"))
    assert linked.can_write("/home/ann/main/.git/worktrees/work/index")
    assert not linked.can_write("/home/ann/main/.git/hooks/pre-commit")
    assert not linked.can_write("/home/ann/main/app.py")


def test_an_installation_inside_the_project_is_read_only():
    inside = policy_of(AROUND._replace(product=("/home/ann/shop/venv/operators_edge",)))
    assert not inside.can_write("/home/ann/shop/venv/operators_edge/hook.py")


def test_a_policy_survives_its_file():
    assert of_data(POLICY.as_data()) == POLICY


@pytest.mark.parametrize("data", [None, [], {}, {**POLICY.as_data(), "hosts": 1}])
def test_anything_else_is_no_policy(data):
    with pytest.raises(ValueError, match="policy"):
        of_data(data)


def test_a_project_without_git_has_a_policy():
    assert policy_of(AROUND._replace(git="")).can_write("/home/ann/shop/x")
    assert isinstance(POLICY, Policy)
