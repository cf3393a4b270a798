"""How much snapshots and trash take is known without measuring anything."""

from __future__ import annotations

import os

from tests.hosting import git, write
from tests.undo.taking import take

from operators_edge.project import Project
from operators_edge.undo import space
from operators_edge.undo.restore import Undo
from operators_edge.undo.snapshots import SnapshotReason
from operators_edge.undo.trash import Trash


def taken(root):
    return space.taken(Project(root, is_set_up=True))


def test_without_snapshots_and_trash_nothing_is_taken(project):
    assert taken(project) == {"snapshots": 0, "limit": 2_000 << 20, "trash": 0}


def test_it_is_about_what_they_take_also_in_a_linked_worktree(project, tmp_path):
    write(project, "large.bin", os.urandom(1 << 20))
    take(project, root=project, reason=SnapshotReason("rm -rf x"))
    known = taken(project)["snapshots"]
    assert Undo(project, root=project).space().size - known < 1 << 12
    git(project, "worktree", "add", "-q", str(tmp_path / "linked"))
    assert taken(str(tmp_path / "linked"))["snapshots"] == known


def test_what_is_in_the_trash_counts_until_it_is_taken_out(project):
    write(project, "notes.txt", "mine\n")
    path = os.path.join(project, "notes.txt")
    project_of = Project(project, is_set_up=True)
    trash = Trash(project, clock=project_of.clock)
    entry = trash.move(path, by="test")
    assert taken(project)["trash"] == 5
    trash.restore(entry.id, path)
    assert taken(project)["trash"] == 0


# end of module
