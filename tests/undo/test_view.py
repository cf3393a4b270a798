"""Looking at snapshots: nothing is written, and nothing stays of a look that was killed."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from pathlib import Path

from tests.hosting import write
from tests.undo.taking import take

from operators_edge.undo.restore import Undo
from operators_edge.undo.snapshots import SnapshotReason

ABOUT = SnapshotReason("git reset --hard", "s-1", "", "toolu_1")


def test_looking_at_snapshots_writes_nothing(repo):
    taken = take(repo, root=repo, reason=ABOUT)
    write(repo, "readme.txt", b"newer\n")
    write(repo, "new.txt", b"new\n")
    subprocess.run(["git", "-C", repo, "add", "readme.txt"], check=True)

    def written():
        places = (os.path.join(repo, ".git"), os.environ["HOME"])
        paths = [each for place in places for each in Path(place).rglob("*")]
        return {str(each): each.is_dir() or each.read_bytes() for each in paths}

    before = written()
    undo = Undo(repo, root=repo)
    assert [(each.kept.id, each.differs) for each in undo.list()] == [(taken.id, 2)]
    assert undo.space().snapshots == 1
    assert "+newer" in undo.show(taken.id, (), stat_only=False)[1]
    assert ("restore", "readme.txt") in undo.apply(taken.id, (), reason=ABOUT, dry_run=True).done
    assert written() == before


def test_what_a_killed_look_left_is_removed_by_a_later_one(repo, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    take(repo, root=repo, reason=ABOUT)
    old, new, other = (tmp_path / name for name in ("edge-undo-a", "edge-undo-b", "edge-other"))
    for each in (old, new, other):
        (each / "tree").mkdir(parents=True)
    for each in (old, other):
        os.utime(each, (time.time() - 100_000,) * 2)
    (tmp_path / "edge-undo-link").symlink_to(other)
    assert len(Undo(repo, root=repo).list()) == 1
    names = {each.name for each in tmp_path.iterdir()}
    assert names >= {"edge-undo-b", "edge-other", "edge-undo-link"}
    assert "edge-undo-a" not in names
