"""The first snapshot of a large tree is taken in the background, within bounds, and harms nothing."""

from __future__ import annotations

import os
import subprocess

from tests.hosting import git, write

from operators_edge.project import Project
from operators_edge.undo import preparing
from operators_edge.undo.restore import Undo


def test_only_a_large_tree_without_a_snapshot_is_prepared(project, tmp_path):
    assert not preparing.is_wanted(project, 10)
    assert not preparing.is_wanted(str(tmp_path), None)
    assert preparing.is_wanted(project, 100_000)
    assert preparing.is_wanted(project, None)
    assert preparing.take(Project(project, is_set_up=True))
    assert not preparing.is_wanted(project, 100_000)


def test_an_index_with_many_files_makes_a_tree_large(project):
    ident = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    given = "".join(f"100644 {ident}\tfile-with-a-name-{number}\n" for number in range(12_000))
    write(project, "given", given)
    git(project, "hash-object", "-w", os.devnull)
    with open(os.path.join(project, "given"), "rb") as file:
        subprocess.run(["git", "update-index", "--index-info"], cwd=project, stdin=file, check=True)
    assert preparing.is_wanted(project, 0)


def test_what_it_took_is_a_snapshot_like_any_other(project):
    write(project, "notes.txt", "mine\n")
    assert preparing.take(Project(project, is_set_up=True))
    (kept,) = Undo(project, root=project).list()
    assert kept.differs == 0
    assert kept.kept.message.startswith("edge: before the first session")


def test_many_contents_are_stored_in_one_file(project):
    for number in range(600):
        write(project, f"many/{number}", f"{number}\n" * 9)
    assert preparing.take(Project(project, is_set_up=True))
    packs = os.listdir(os.path.join(project, ".git", "objects", "pack"))
    assert len([name for name in packs if name.endswith(".pack")]) == 1
    git(project, "gc", "-q", "--prune=now")
    os.remove(os.path.join(project, "many", "7"))
    (kept,) = Undo(project, root=project).list()
    assert kept.differs == 1


def test_it_ends_when_its_time_is_over_or_nothing_can_be_written(project):
    assert not preparing.take(Project(project, is_set_up=True), seconds=0.001)
    os.rename(f"{project}/.git/refs", f"{project}/.git/gone")
    assert not preparing.take(Project(project, is_set_up=True))


# end of module
