import errno
import json
import os
import resource
import signal
import stat
import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest

from operators_edge.errors import LockHeld, StateError
from operators_edge.storage import files
from operators_edge.storage.files import Lock, ensure_private_dir, read_bytes, write_durable

HOLDER = """
import sys
from operators_edge.storage.files import Lock
with Lock(sys.argv[1], command="edge plan add"):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def lock(tmp_path):
    return str(tmp_path / ".proof" / "lock")


@pytest.fixture
def holder(lock):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, lock],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def leftovers(folder):
    return [each.name for each in folder.iterdir() if each.name.endswith(".tmp")]


def test_a_lock_that_is_held_is_refused_with_who_what_and_since(lock, holder):
    with pytest.raises(LockHeld) as refusal, Lock(lock, command="me", limit=0.2):
        pass
    assert f"process {holder.pid} (edge plan add), since 20" in refusal.value.message


def test_a_waiter_gets_the_lock_when_the_holder_lets_go(lock, holder):
    waiting = threading.Timer(0.1, lambda: (holder.stdin.write("\n"), holder.stdin.flush()))
    waiting.start()
    with Lock(lock, command="me", limit=5) as mine:
        assert json.loads(read_bytes(lock))["pid"] == os.getpid()
        assert not mine.is_after_crash
    waiting.join()


def test_who_stands_in_line_waits_longer_while_the_lock_goes_from_one_to_the_next(lock, holder):
    files.stand_in_line(30)
    try:
        other = json.dumps({"pid": 1, "command": "edge note add", "since": "20"}).encode()
        moving = threading.Timer(0.1, lambda: write_in_place(lock, other))
        leaving = threading.Timer(0.4, lambda: (holder.stdin.write("\n"), holder.stdin.flush()))
        moving.start()
        leaving.start()
        with Lock(lock, command="me", limit=0.25):
            pass
        moving.join()
        leaving.join()
    finally:
        files.stand_in_line(0)


def test_who_stands_in_line_does_not_wait_for_one_that_hangs(lock, holder):
    files.stand_in_line(30)
    try:
        with pytest.raises(LockHeld), Lock(lock, command="me", limit=0.2):
            pass
    finally:
        files.stand_in_line(0)


def write_in_place(path, data):
    with open(path, "r+b") as file:
        file.write(data)
        file.truncate()


def test_a_killed_holder_blocks_nobody_and_is_noticed(lock, holder):
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    begin = time.monotonic()
    with Lock(lock, command="me") as mine:
        assert mine.is_after_crash
    assert time.monotonic() - begin < 5
    with Lock(lock, command="me") as again:
        assert not again.is_after_crash


def test_a_waiter_that_gave_up_does_not_keep_the_lock_it_gets_too_late(lock):
    with (
        Lock(lock, command="first"),
        pytest.raises(LockHeld),
        Lock(lock, command="second", limit=0.05),
    ):
        pass
    with Lock(lock, command="third", limit=2):
        pass


def test_threads_of_one_process_exclude_each_other(lock):
    inside, most = [], []

    def work():
        for _ in range(20):
            with Lock(lock, command="thread"):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 80


def test_a_child_of_the_holder_does_not_keep_the_lock(lock):
    with Lock(lock, command="parent"):
        child = subprocess.Popen(
            [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, close_fds=False
        )
        reading, writing = os.pipe()
        forked = os.fork()
        if not forked:
            os.close(writing)
            os.read(reading, 1)
            os._exit(0)
    try:
        with Lock(lock, command="next", limit=1):
            pass
    finally:
        os.close(writing)
        os.close(reading)
        os.waitpid(forked, 0)
        child.communicate(b"\n")


def test_a_lock_file_that_was_removed_excludes_those_who_make_it_anew(lock):
    done = []

    def second():
        with Lock(lock, command="second"):
            with pytest.raises(LockHeld), Lock(lock, command="third", limit=0.05):
                pass
            done.append(True)

    with Lock(lock, command="first"):
        waiter = threading.Thread(target=second)
        waiter.start()
        while not any(thread.daemon for thread in threading.enumerate()):
            waiter.join(0.01)
        os.unlink(lock)
    waiter.join()
    assert done == [True]


def test_a_lock_is_let_go_when_its_block_raises(lock):
    with pytest.raises(KeyError), Lock(lock, command="me"):
        raise KeyError
    with Lock(lock, command="me", limit=0):
        pass


def descriptors_of(path):
    found = 0
    for fd in range(256):
        with suppress(OSError):
            found += os.path.samestat(os.fstat(fd), os.stat(path))
    return found


def test_no_descriptor_is_left_open_by_taken_and_refused_locks(lock):
    with Lock(lock, command="me"):
        for _ in range(5):
            with pytest.raises(LockHeld), Lock(lock, command="me", limit=0):
                pass
        assert descriptors_of(lock) == 1
    assert descriptors_of(lock) == 0


def test_a_planted_symlink_is_not_written_through(lock, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    os.makedirs(os.path.dirname(lock))
    os.symlink(victim, lock)
    with pytest.raises(StateError, match="Cannot lock"), Lock(lock, command="me"):
        pass
    assert victim.read_text() == "precious"


def test_a_write_replaces_all_and_keeps_the_files_mode(tmp_path):
    path = tmp_path / "state"
    stamp = write_durable(str(path), b"one")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    assert write_durable(str(path), b"two") != stamp
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert leftovers(tmp_path) == []


def test_the_stamp_of_a_write_is_the_stamp_of_the_file(tmp_path):
    path = str(tmp_path / "state")
    assert write_durable(path, b"one") == files.stamp_of(os.stat(path))


def test_a_write_follows_a_symlink_and_leaves_it(tmp_path):
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "state", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_durable(str(link), b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_what_is_raised_before_the_rename_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "state"
    path.write_bytes(b"old")

    def refuse():
        raise KeyError

    with pytest.raises(KeyError):
        write_durable(str(path), b"new", before=refuse)
    assert path.read_bytes() == b"old"
    assert leftovers(tmp_path) == []


def test_a_file_too_large_for_the_disk_is_refused_whole(tmp_path):
    path = tmp_path / "state"
    path.write_bytes(b"old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        with pytest.raises(StateError) as refusal:
            write_durable(str(path), b"x" * 10_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert "Free some space" in refusal.value.hint
    assert path.read_bytes() == b"old"
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "Free some space"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "permissions"),
        (errno.EIO, "edge doctor"),
    ],
)
def test_a_refusal_of_the_disk_says_what_to_do(number, advice):
    error = files.failure("write", "/p/state", OSError(number, os.strerror(number)))
    assert os.strerror(number) in error.message
    assert advice in error.hint


def test_reading_tells_a_missing_file_from_one_that_cannot_be_read(tmp_path):
    assert read_bytes(str(tmp_path / "none")) is None
    with pytest.raises(StateError, match="Cannot read"):
        read_bytes(str(tmp_path))


def test_a_private_folder_is_for_its_owner_alone_and_made_with_its_parents(tmp_path):
    path = tmp_path / "a" / "b"
    ensure_private_dir(str(path))
    ensure_private_dir(str(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    (tmp_path / "file").write_text("")
    with pytest.raises(StateError, match="not a folder"):
        ensure_private_dir(str(tmp_path / "file"))


def test_what_a_killed_writer_left_is_swept_and_nothing_else(tmp_path):
    for name in (".state.abc.tmp", ".other.abc.tmp", "state", ".state.swp"):
        (tmp_path / name).write_text("")
    files.sweep(str(tmp_path / "state"))
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        ".other.abc.tmp",
        ".state.swp",
        "state",
    ]
