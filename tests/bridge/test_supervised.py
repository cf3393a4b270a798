"""What is run under the supervisor ends with it, whatever it does, and whatever happens to the watcher."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from operators_edge.bridge import supervised

pytestmark = pytest.mark.skipif(os.name == "nt", reason="processes end in groups here")
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="adopts orphans")


def run(script, tmp_path, **more):
    out, errors = bytearray(), bytearray()
    ended = supervised.run(
        ["sh", "-c", script],
        cwd=str(tmp_path),
        env=dict(os.environ),
        output=out.extend,
        errors=errors.extend,
        **{"seconds": 20.0, **more},
    )
    return ended, bytes(out), bytes(errors)


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except OSError:
        return False


def pid_in(file):
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if file.exists() and file.read_text().strip():
            return int(file.read_text())
    raise AssertionError("the program did not write its number")


def test_output_errors_input_and_exit_code_come_back(tmp_path):
    ended, out, errors = run("cat; echo no >&2; exit 3", tmp_path, given="a\nb")
    assert (ended.code, ended.why, ended.is_success) == (3, "ended", False)
    assert (out, errors) == (b"a\nb", b"no\n")


def test_a_megabyte_of_output_and_input_that_nobody_reads_block_nothing(tmp_path):
    ended, out, _ = run("head -c 1000000 /dev/zero", tmp_path, given="x" * 1_000_000)
    assert ended.is_success
    assert len(out) == 1_000_000


def test_a_signal_is_told_as_a_negative_code(tmp_path):
    assert run("kill -9 $$", tmp_path)[0].code == -signal.SIGKILL


def test_a_program_that_cannot_start_is_told_so(tmp_path):
    nothing = tmp_path / "nothing"
    take = bytearray().extend
    ended = supervised.run(
        [str(nothing)], cwd=str(tmp_path), env={}, seconds=5, output=take, errors=take
    )
    assert (ended.why, ended.code) == ("not_started", None)


def test_the_time_limit_ends_a_program_that_ignores_signals(tmp_path):
    script = "trap '' TERM INT HUP; echo $$ > pid; while :; do sleep 1; done"
    ended, _, _ = run(script, tmp_path, seconds=0.5)
    assert (ended.why, ended.code) == ("timed_out", None)
    assert not is_running(pid_in(tmp_path / "pid"))


@LINUX
@pytest.mark.parametrize(
    "script",
    [
        "setsid sh -c 'echo $$ > pid; exec sleep 60' & until [ -s pid ]; do :; done",
        "(setsid setsid -f sh -c 'echo $$ > pid; exec sleep 60' &) ; until [ -s pid ]; do :; done",
        "setsid -f sh -c 'trap \"\" TERM; echo $$ > pid; kill -STOP $$; sleep 9'; until [ -s pid ];do :;done",
    ],
)
def test_a_daemon_that_left_its_group_ends_with_the_program(tmp_path, script):
    ended, _, _ = run(script, tmp_path)
    assert ended.why == "ended"
    assert ended.left_running >= 1
    assert not is_running(pid_in(tmp_path / "pid"))


def test_it_can_be_stopped_early(tmp_path):
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    ended, _, _ = run("sleep 60", tmp_path, stop=stop)
    assert ended.why == "watcher_ended"


WATCHER = """
import os, sys
from operators_edge.bridge import supervised
supervised.run(["sh", "-c", "echo $$ > pid; exec sleep 60"], cwd=sys.argv[1], env=dict(os.environ),
            seconds=60, output=bytearray().extend, errors=bytearray().extend, stall_seconds=1)
"""


@LINUX
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGSTOP])
def test_the_program_ends_when_its_watcher_dies_or_is_paused(tmp_path, sign):
    watcher = subprocess.Popen([sys.executable, "-c", WATCHER, str(tmp_path)])
    try:
        pid = pid_in(tmp_path / "pid")
        os.kill(watcher.pid, sign)
        end = time.monotonic() + 10
        while is_running(pid) and time.monotonic() < end:
            os.sched_yield()
        assert not is_running(pid)
    finally:
        os.kill(watcher.pid, signal.SIGCONT)
        watcher.kill()
        watcher.wait()
