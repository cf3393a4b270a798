"""One watcher at a time in a project, whatever the lock files say."""

from __future__ import annotations

import os
import signal
from multiprocessing import get_context

import pytest

from operators_edge.bridge.project_lock import ProjectLock
from operators_edge.bridge.supervised import run
from operators_edge.errors import LockHeld

pytestmark = pytest.mark.skipif(os.name == "nt", reason="forks this process")


def hold(folder, ready, is_over):
    with ProjectLock(folder):
        ready.set()
        is_over.wait()


@pytest.fixture
def holder(tmp_path):
    context = get_context("fork")
    ready, is_over = context.Event(), context.Event()
    process = context.Process(target=hold, args=(str(tmp_path), ready, is_over))
    process.start()
    assert ready.wait(20)
    yield process, is_over
    process.kill()
    process.join()


def test_a_holder_that_ends_in_time_is_left_to_end(tmp_path, holder):
    process, is_over = holder
    is_over.set()
    with ProjectLock(str(tmp_path)):
        process.join()
    assert process.exitcode == 0


def test_a_paused_holder_is_ended(tmp_path, holder):
    process, _ = holder
    os.kill(process.pid, signal.SIGSTOP)
    with ProjectLock(str(tmp_path), patience=0.3):
        process.join()
    assert process.exitcode == -signal.SIGKILL


def test_what_a_holder_ran_holds_it_too(tmp_path):
    def ran_inside():
        with pytest.raises(LockHeld), ProjectLock(str(tmp_path / "state"), patience=0.05):
            pass

    def leave(_):
        if not seen:
            seen.append(1)
            lock.__exit__(None, None, None)
            ran_inside()
            (tmp_path / "done").touch()

    seen = []
    (tmp_path / "state").mkdir()
    lock = ProjectLock(str(tmp_path / "state"))
    lock.__enter__()
    run(
        ["/bin/sh", "-c", "echo started; while [ ! -e done ]; do :; done"],
        cwd=str(tmp_path),
        env=os.environ,
        seconds=20,
        output=leave,
        errors=lambda _: None,
    )
    assert seen
    with ProjectLock(str(tmp_path / "state"), patience=5):
        pass
