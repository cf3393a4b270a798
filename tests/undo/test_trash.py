"""The trash: what is moved is complete, can be restored, and nothing is overwritten."""

import os
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
from tests.hosting import write

from operators_edge.errors import AnswerIsNo, StateError
from operators_edge.undo import trash as module
from operators_edge.undo.trash import Trash, _move_across

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    return str(folder)


@pytest.fixture
def trash(root):
    return Trash(root, clock=lambda: NOW)


def test_what_has_been_there_for_too_long_is_deleted_and_nothing_else(root, trash):
    older = Trash(root, clock=lambda: NOW - timedelta(days=30, seconds=1))
    older.move(write(root, "old.txt", b"old\n"), by="me")
    trash.move(write(root, "new.txt", b"new\n"), by="me")
    assert trash.expire(None) == []
    assert [os.path.basename(each.path) for each in trash.expire(30)] == ["old.txt"]
    assert [os.path.basename(each.path) for each in trash.entries()] == ["new.txt"]


def everything(path):
    """Names, kinds, permissions, times and contents, the thing itself included."""
    found = []
    for base, folders, names in os.walk(os.fsencode(path)):
        folders.sort()
        for name in sorted([b"", *folders, *names]):
            full = os.path.join(base, name) if name else base
            status = os.lstat(full)
            content = b""
            if stat.S_ISLNK(status.st_mode):
                content = os.readlink(full)
            elif stat.S_ISREG(status.st_mode):
                with open(full, "rb") as file:
                    content = file.read()
            when = 0 if full == os.fsencode(path) else status.st_mtime_ns
            found.append((os.path.relpath(full, os.fsencode(path)), status.st_mode, when, content))
    return found


@pytest.fixture
def tree(root):
    """A folder with everything that makes moving hard."""
    write(root, "tree/plain.txt", b"plain\n")
    write(root, "tree/sub/ünï cödé.bin", bytes(range(256)) * 5000)
    write(root, b"tree/latin-\xe9", b"no UTF-8\n")
    write(root, "tree/line\nbreak", b"")
    write(root, "tree/-rf", b"option\n")
    os.symlink("/etc/passwd", os.path.join(root, "tree/out"))
    os.symlink("nowhere", os.path.join(root, "tree/broken"))
    os.symlink("sub", os.path.join(root, "tree/folder link"))
    os.mkdir(os.path.join(root, "tree/empty"))
    os.chmod(write(root, "tree/run.sh", b"#!/bin/sh\n"), 0o700)
    write(root, "tree/locked/inner.txt", b"read-only folder\n")
    os.chmod(os.path.join(root, "tree/locked"), 0o500)
    os.chmod(os.path.join(root, "tree"), 0o500)
    yield os.path.join(root, "tree")
    for base, folders, _ in os.walk(root):
        for name in folders:
            if not os.path.islink(os.path.join(base, name)):
                os.chmod(os.path.join(base, name), 0o700)


def test_a_folder_is_moved_completely_and_restored_as_it_was(trash, tree):
    before = everything(tree)
    entry = trash.move(tree, by="a test")
    assert not os.path.lexists(tree)
    assert everything(entry.item) == before
    assert (entry.id, entry.path, entry.kind, entry.files) == (1, tree, "folder", 10)
    assert entry.size >= 256 * 5000
    trash.restore(1, tree)
    assert everything(tree) == before
    assert trash.entries() == []


def test_the_trash_is_for_its_owner_alone_and_outside_the_project(trash, tree, root):
    entry = trash.move(tree, by="a test")
    folder = os.path.dirname(entry.item)
    assert not folder.startswith(root)
    while os.path.basename(folder) != "operators-edge":
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
        folder = os.path.dirname(folder)


def test_a_link_is_moved_and_its_target_stays(trash, root):
    target = write(root, "folder/kept.txt")
    link = os.path.join(root, "link")
    os.symlink("folder", link)
    entry = trash.move(link, by="a test")
    assert (entry.kind, os.path.exists(target), os.path.lexists(link)) == ("link", True, False)
    trash.restore(entry.id, link)
    assert os.readlink(link) == "folder"


def test_nothing_is_overwritten_by_a_restore(trash, root):
    path = write(root, "a.txt", b"old\n")
    entry = trash.move(path, by="a test")
    write(root, "a.txt", b"new\n")
    with pytest.raises(AnswerIsNo, match="nothing is overwritten") as caught:
        trash.restore(entry.id, path)
    assert "--to" in caught.value.hint
    trash.restore(entry.id, os.path.join(root, "deep/er/a.txt"))
    with open(os.path.join(root, "deep/er/a.txt"), "rb") as file:
        assert file.read() == b"old\n"


def test_numbers_are_not_reused(trash, root):
    for number in (1, 2):
        assert trash.move(write(root, "a.txt"), by="a test").id == number
        trash.restore(number, os.path.join(root, f"back-{number}"))
    assert trash.move(write(root, "a.txt"), by="a test").id == 3
    with pytest.raises(AnswerIsNo, match="no 2 in the trash"):
        trash.restore(2, os.path.join(root, "again"))


def test_emptying_takes_only_what_is_old_enough_also_from_read_only_folders(root, tree):
    days = iter(range(10))
    trash = Trash(root, clock=lambda: NOW + timedelta(days=next(days)))
    trash.move(tree, by="a test")
    trash.move(write(root, "young.txt"), by="a test")
    gone = trash.empty(before=NOW + timedelta(days=1))
    assert [each.id for each in gone] == [1]
    assert not os.path.lexists(gone[0].item)
    assert [each.id for each in trash.entries()] == [2]
    trash.empty()
    assert trash.entries() == []


def test_a_failed_move_leaves_the_file_and_no_entry(trash, root):
    path = write(root, "kept/a.txt")
    folder = os.path.dirname(path)
    os.chmod(folder, 0o500)
    if os.access(folder, os.W_OK):
        pytest.skip("nothing is read-only for this user")
    with pytest.raises(StateError, match="Cannot move"):
        trash.move(path, by="a test")
    os.chmod(folder, 0o700)
    assert os.path.exists(path)
    assert trash.entries() == []


def test_an_entry_whose_item_is_gone_is_not_listed(trash, root):
    entry = trash.move(write(root, "a.txt"), by="a test")
    os.remove(entry.item)
    assert trash.entries() == []


def test_damaged_data_about_an_entry_is_reported_and_the_item_stays(trash, root):
    entry = trash.move(write(root, "a.txt"), by="a test")
    with open(os.path.join(os.path.dirname(entry.item), "about.json"), "w") as file:
        file.write("{")
    with pytest.raises(StateError, match="cannot be read as an entry"):
        trash.entries()
    assert os.path.exists(entry.item)


# -- between two file systems ----------------------------------------------------------------------


def other_file_system(near):
    """A folder on another device than the given one; None where this machine has none."""
    for each in ("/dev/shm", "/run/user/0", "/var/tmp", "/tmp"):
        if os.access(each, os.W_OK) and os.stat(each).st_dev != os.stat(near).st_dev:
            return each
    return None


@pytest.fixture
def far(tmp_path):
    place = other_file_system(tmp_path)
    if place is None:
        pytest.skip("there is only one file system here")
    folder = os.path.join(place, f"edge-trash-test-{os.getpid()}")
    os.mkdir(folder, 0o700)
    yield folder
    subprocess.run(["chmod", "-R", "u+rwx", folder], check=True)
    subprocess.run(["rm", "-rf", folder], check=True)


def test_between_file_systems_a_copy_is_made_first_and_is_the_same(far, root, tree):
    before = everything(tree)
    trash = Trash(root, clock=lambda: NOW, env={"XDG_STATE_HOME": far})
    entry = trash.move(tree, by="a test")
    assert entry.item.startswith(far)
    assert everything(entry.item) == before
    assert not os.path.lexists(tree)
    trash.restore(entry.id, tree)
    assert everything(tree) == before


def test_a_large_file_stays_on_its_own_file_system(far, root):
    os.mkdir(os.path.join(root, ".proof"))
    trash = Trash(root, clock=lambda: NOW, env={"XDG_STATE_HOME": far}, large=1000)
    path = write(root, "large.bin", b"x" * 5000)
    inode = os.stat(path).st_ino
    entry = trash.move(path, by="a test")
    assert entry.item == os.path.join(root, ".proof", "trash", "1", "item")
    assert os.stat(entry.item).st_ino == inode
    assert [each.id for each in trash.entries()] == [1]
    trash.restore(1, path)
    assert os.listdir(os.path.join(root, ".proof", "trash")) == []


def test_what_cannot_be_copied_stays_where_it_is(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.txt").write_text("a")
    os.mkfifo(source / "pipe")
    with pytest.raises(AnswerIsNo, match="cannot be copied"):
        _move_across(str(source), str(tmp_path / "target"))
    assert sorted(os.listdir(source)) == ["a.txt", "pipe"]
    assert os.listdir(tmp_path) == ["source"]


COPY_AND_DIE = """
import os, signal, sys
from operators_edge.undo import trash
step = int(sys.argv[3])
count = 0
def audit(event, args):
    global count
    if event in ("open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink"):
        if isinstance(args[0], (str, bytes)) and "edge-die" in os.fsdecode(args[0]):
            count += 1
            if count == step:
                os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(audit)
trash._move_across(sys.argv[1], sys.argv[2])
print("done")
"""


def test_a_process_killed_at_any_step_of_a_copy_leaves_a_complete_one(tmp_path):
    for step in range(1, 60):
        base = tmp_path / f"edge-die-{step}"
        source, target = base / "source", base / "target"
        write(str(source), "sub/a.txt", b"a\n" * 1000)
        write(str(source), "b.txt", b"b\n")
        os.symlink("b.txt", source / "link")
        os.utime(source / "link", (0, 0), follow_symlinks=False)
        whole = [(name, kind, content) for name, kind, _, content in everything(source)]
        words = [sys.executable, "-c", COPY_AND_DIE, str(source), str(target), str(step)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        there = [
            [(name, kind, content) for name, kind, _, content in everything(each)]
            for each in (source, target)
            if each.exists()
        ]
        assert whole in there
        if done.stdout == "done\n":
            assert step > 8
            return
    raise AssertionError("the copy was never finished")


def test_a_file_that_changes_while_it_is_copied_is_not_removed(tmp_path):
    source = str(tmp_path / "grows")
    write(str(tmp_path), "grows", b"one\n")
    stale = os.lstat(source)
    write(str(tmp_path), "grows", b"one and more\n")
    with pytest.raises(AnswerIsNo, match="changed while"):
        module._copy_file(source, str(tmp_path / "copy"), stale)
    assert os.path.exists(source)
