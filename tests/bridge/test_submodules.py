"""What is done in a submodule is no part of a task's change: it is kept, and the submodule is as before."""

import os

import pytest
from tests import repository
from tests.bridge.test_audit import git, put, tree
from tests.bridge.test_watcher import Bridge

SIDE = "refs/operators-edge/bridge/t-1/1"
EDIT = "open('new.txt', 'w').write('x'); "


@pytest.fixture
def bridge(tmp_path):
    root = repository.make(tmp_path / "work")
    part = repository.make(tmp_path / "part")
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", part, "sub/part")
    git(root, "commit", "-qm", "with a part")
    return Bridge(root, tmp_path / "state")


def picture(root):
    part = os.path.join(root, "sub", "part")
    files = {name: each for name, each in tree(root).items() if ".ai-handoff" not in name}
    asked = (("status", "--porcelain"), ("rev-parse", "HEAD"), ("branch", "-a", "-v"))
    return files, [git(part, *words) for words in asked], git(root, "status", "--porcelain")


@pytest.mark.parametrize(
    "line",
    [
        "open('sub/part/readme.txt', 'a').write('more')",
        "open('sub/part/added.txt', 'w').write('more')",
        "import shutil; shutil.rmtree('sub/part')",
        (
            "import os; os.system('cd sub/part; git -c user.name=a -c user.email=a@b.invalid commit"
            " -q --allow-empty -m mine')"
        ),
    ],
)
def test_an_executor_that_changes_one_fails_and_the_submodule_is_as_before(bridge, line):
    before = picture(bridge.root)
    bridge.script(f"{EDIT}{line}")
    assert bridge.run()[0] == ("opencode_failed",)
    detail = bridge.result()["detail"]
    assert "it changed submodules, which have commits of their own: sub/part" in detail
    assert f"what was done in the submodule sub/part is kept there as {SIDE}" in detail
    assert picture(bridge.root) == before
    assert git(os.path.join(bridge.root, "sub", "part"), "rev-parse", SIDE)


def test_what_commands_leave_in_one_is_kept_and_the_task_passes(bridge):
    before = picture(bridge.root)
    bridge.submit(commands_to_run=["echo built > sub/part/out.o"])
    assert bridge.run()[0] == (None,)
    assert picture(bridge.root) == before
    part = os.path.join(bridge.root, "sub", "part")
    assert git(part, "show", f"{SIDE}:out.o") == b"built\n"
    assert bridge.result()["detail"].startswith("what was done in the submodule sub/part is kept")


def test_in_a_tree_of_its_own_such_an_edit_fails_too(bridge, tmp_path):
    before = picture(bridge.root)
    own = Bridge(bridge.root, tmp_path / "state", isolation="worktree")
    own.script(f"{EDIT}open('sub/part/readme.txt', 'a').write('more')")
    assert own.run()[0] == ("opencode_failed",)
    assert picture(bridge.root) == before


def test_what_a_submodule_ignores_may_change(bridge):
    part = os.path.join(bridge.root, "sub", "part")
    put(part, ".gitignore", b"*.o\n")
    git(part, "add", ".")
    git(part, "commit", "-qm", "ignores")
    git(bridge.root, "commit", "-qam", "newer part")
    bridge.script(f"{EDIT}open('sub/part/x.o', 'w').write('more')")
    assert bridge.run()[0] == (None,)
