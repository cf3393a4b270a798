"""What an attempt changed is in its patch, whole; and can be put back, byte for byte."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import pytest
from tests import repository
from tests.hosting import git

from operators_edge.bridge.audit import Audit


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    made = repository.make(tmp_path / "work")
    for name, data in (("old.bin", bytes(range(256))), ("keep.txt", b"a\r\nb"), ("run.sh", b"x\n")):
        put(made, name, data)
    git(made, "add", ".")
    git(made, "commit", "-qm", "second")
    return made


def put(root, name, data):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def tree(root):
    found = {}
    for base, folders, names in os.walk(root):
        folders[:] = [each for each in folders if each != ".git"]
        for name in names:
            path = os.path.join(base, name)
            is_link = os.path.islink(path)
            content = os.readlink(path) if is_link else open(path, "rb").read()  # noqa: SIM115
            found[os.path.relpath(path, root)] = content, os.lstat(path).st_mode & 0o100
    return found


def edit(root):
    """One change of each kind."""
    put(root, "sub/new.txt", b"new\n")
    put(root, "bild \xc3\xa4.png".encode("latin-1").decode(), bytes(range(255, -1, -1)))
    os.unlink(os.path.join(root, "keep.txt"))
    os.rename(os.path.join(root, "old.bin"), os.path.join(root, "moved.bin"))
    os.chmod(os.path.join(root, "run.sh"), 0o700)
    os.symlink("run.sh", os.path.join(root, "link"))


def test_a_patch_holds_every_kind_of_change_and_can_be_applied(root, tmp_path):
    audit = Audit(root)
    before, index = audit.snapshot(), git(root, "ls-files", "--stage")
    edit(root)
    patch = audit.patch(before, audit.snapshot())
    assert git(root, "ls-files", "--stage") == index
    assert "6 files changed" in patch.stat
    assert {"keep.txt", "moved.bin", "old.bin", "run.sh", "link"} < set(patch.paths)
    wanted = tree(root)
    clone = str(tmp_path / "clone")
    git(root, "clone", "-q", root, clone)
    git(clone, "apply", "--binary", data=patch.data)
    assert tree(clone) == wanted


def test_a_rename_is_one_in_the_patch_and_two_paths_for_who_judges_it(root):
    audit = Audit(root)
    put(root, "long.txt", b"".join(b"line %d\n" % each for each in range(20)))
    before = audit.snapshot()
    os.rename(os.path.join(root, "long.txt"), os.path.join(root, "a\tb é\n.txt"))
    put(root, "old.bin", b"x")
    patch = audit.patch(before, audit.snapshot())
    assert [(each.status, each.path) for each in patch.changes] == [
        ("A", "a\tb é\n.txt"),
        ("D", "long.txt"),
        ("M", "old.bin"),
    ]
    assert patch.stat == "2 files changed, 0 insertions(+), 0 deletions(-)"
    assert patch.data.startswith(b"diff --git")
    assert b"rename from long.txt" in patch.data


def test_work_from_before_is_in_no_patch(root):
    audit = Audit(root)
    put(root, "readme.txt", b"the user's own\n")
    before = audit.snapshot()
    put(root, "agent.txt", b"x\n")
    assert audit.patch(before, audit.snapshot()).paths == ("agent.txt",)


def test_a_commit_by_the_executor_hides_nothing(root):
    audit = Audit(root)
    before = audit.snapshot()
    put(root, "sly.txt", b"x\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", "sly")
    assert audit.patch(before, audit.snapshot()).paths == ("sly.txt",)


def test_what_is_put_back_is_as_it_was_and_what_was_there_is_kept(root):
    audit = Audit(root)
    put(root, "readme.txt", b"uncommitted\n")
    was = tree(root)
    before = audit.snapshot()
    edit(root)
    there = tree(root)
    ref = audit.keep("t-1", 2, audit.snapshot(), lambda: datetime(2026, 1, 1, tzinfo=UTC), "kept")
    assert audit.put_back(before) == ()
    assert tree(root) == was
    assert ref == "refs/operators-edge/bridge/t-1/2"
    listed = git(root, "ls-tree", "-r", "-z", "--name-only", ref).split(b"\0")
    assert set(map(os.fsencode, there)) == set(filter(None, listed))
    assert b"bridge" not in git(root, "branch", "-a")


def test_no_program_that_the_repository_configures_is_run(root, tmp_path):
    mark = tmp_path / "ran"
    for key in ("diff.external", "core.fsmonitor", "filter.x.clean", "diff.x.textconv"):
        git(root, "config", key, f"touch {mark}; cat")
    put(root, ".gitattributes", b"* filter=x diff=x\n")
    audit = Audit(root)
    before = audit.snapshot()
    edit(root)
    audit.keep("t", 1, audit.snapshot(), lambda: datetime(2026, 1, 1, tzinfo=UTC), "kept")
    audit.patch(before, audit.snapshot())
    audit.put_back(before)
    assert not mark.exists()
