"""A process that is killed while it restores leaves nothing behind for long, and the undo can be repeated."""

import os
import subprocess
import sys

import pytest
from tests.crash import killing
from tests.hosting import write
from tests.undo.taking import take

from operators_edge.undo.restore import Undo
from operators_edge.undo.snapshots import SnapshotReason

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform == "win32", reason="fork and SIGKILL"),
]
ABOUT = SnapshotReason("git reset --hard")
BEFORE = "echo one > a; mkdir -p deep/er; echo two > deep/er/b; ln a c; git add a; echo three > a"
LOST = "rm -rf a deep c; git reset -q; cp .git/index before-index"


def leftovers(root):
    found = []
    for base, _, names in os.walk(root):
        found += [os.path.join(base, n) for n in names if ".edge-" in n or n == "index.lock"]
    return found


@pytest.mark.parametrize("how", ["", killing.HALF])
def test_killed_at_any_step_of_an_undo_the_next_one_tidies_up_and_ends_it(repo, how):
    subprocess.run(["bash", "-ec", BEFORE], cwd=repo, check=True)
    first = take(repo, root=repo, reason=ABOUT)

    def lose():
        subprocess.run(["bash", "-ec", LOST], cwd=repo, check=True)

    def act():
        Undo(repo, root=repo).apply(first.id, (), reason=ABOUT, with_git=True)

    lose()
    steps = killing.steps_of(act)
    left = 0
    for number, name in enumerate(steps, 1):
        if how and name != "write":
            continue
        lose()
        try:
            killing.killed_at(act, number, how)
        except killing.Died:  # the later ones have a little less to do
            assert number > len(steps) * 0.7
            break
        left += bool(leftovers(repo))
        act()
        assert leftovers(repo) == [], (number, name)
        with open(os.path.join(repo, "a"), encoding="utf-8") as file:
            assert file.read() == "three\n"
        assert os.path.samefile(os.path.join(repo, "a"), os.path.join(repo, "c")), (number, name)
        shown = subprocess.run(["git", "-C", repo, "show", ":a"], capture_output=True, check=True)
        assert shown.stdout == b"one\n"
    assert left


def test_what_only_looks_like_a_draft_stays(repo):
    for name in (".edge-notes.tmp", "index.edge-x", ".edge-0123456789ab.tmp.txt"):
        write(repo, name, b"mine\n")
    take(repo, root=repo, reason=ABOUT)
    Undo(repo, root=repo).apply(None, (), reason=ABOUT)
    assert len(leftovers(repo)) == 3


# end of module
