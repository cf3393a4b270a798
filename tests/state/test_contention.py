"""Many processes at once, and processes that die. EDGE_FULL_CONTENTION=1 runs the full size."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from operators_edge.project import Project
from operators_edge.state import schema

PROCESSES = 8
IS_FULL = bool(os.environ.get("EDGE_FULL_CONTENTION"))
UPDATES, EDITS = (500, 25) if IS_FULL else (30, 3)

HUMAN = """\
# Kept by people.
schema_version: 4
objective: 'Ship it'   # the goal
plan:  # what we do
  # before the first
  - description: "prepare"   # never touched
    status: pending
# between the keys
constraints:
  - be careful  # really
custom: {keep: "me"}
current_step: 1
"""

WORKER = """
import json, sys, time
from operators_edge.project import Project

root, me, updates, edits = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
project = Project(root, is_set_up=True)
project.state.read()
print("ready", flush=True)
sys.stdin.readline()

def count(tx):
    progress = tx.state.setdefault("progress", {})
    progress[me] = progress.get(me, 0) + 1

def step(number):
    def add(tx):
        tx.state["plan"].append({"description": f"{me}-{number}", "status": "pending"})
    return add

times = []
for number in range(updates):
    begin = time.monotonic()
    project.transact(count, command=f"count {me}")
    times.append(time.monotonic() - begin)
    if number % (updates // edits) == 0 and number // (updates // edits) < edits:
        begin = time.monotonic()
        project.transact(step(number // (updates // edits)), command=f"step {me}")
        times.append(time.monotonic() - begin)
times.sort()
print(json.dumps({"max": times[-1], "p99": times[len(times) * 99 // 100], "n": len(times)}))
"""


def test_nothing_is_lost_and_nobody_starves_when_eight_processes_write_at_once(tmp_path):
    (tmp_path / "active_context.yaml").write_text(HUMAN)
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(tmp_path), f"w{n}", str(UPDATES), str(EDITS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for n in range(PROCESSES)
    ]
    for worker in workers:
        assert worker.stdout.readline() == "ready\n"
    begin = time.monotonic()
    for worker in workers:
        worker.stdin.write("go\n")
        worker.stdin.flush()
    reports = [json.loads(worker.communicate()[0]) for worker in workers]
    took = time.monotonic() - begin

    assert [worker.returncode for worker in workers] == [0] * PROCESSES
    state = Project(str(tmp_path), is_set_up=True).state.read()
    assert state["progress"] == {f"w{n}": UPDATES for n in range(PROCESSES)}
    steps = [each["description"] for each in state["plan"]]
    expected = {f"w{n}-{k}" for n in range(PROCESSES) for k in range(EDITS)}
    assert steps[0] == "prepare"
    assert set(steps[1:]) == expected
    assert len(steps) == len(expected) + 1
    assert schema.violations(state) == []
    text = (tmp_path / "active_context.yaml").read_text()
    assert re.findall("#.*", HUMAN) == re.findall("#.*", text)[:-1]
    slowest = max(report["max"] for report in reports)
    assert slowest < 5
    if IS_FULL:
        p99 = max(report["p99"] for report in reports)
        print(
            f"\n{sum(r['n'] for r in reports)} changes in {took:.1f} s, "
            f"p99 {p99:.3f} s, slowest {slowest:.3f} s"
        )


DYING = """
import os, signal, sys
from operators_edge.project import Project

root, point = sys.argv[1], sys.argv[2]
def die(*args, **options):
    os.kill(os.getpid(), signal.SIGKILL)
def audit(event, args):
    # Every point at which the operating system is asked for something on the way of a change.
    name = f"{event} {args[0]}" if args else event
    if event == point.split()[0] and point.split()[1] in name:
        die()
def change(tx):
    if point == "change":
        die()
    tx.state["next_action"] = "after"
    tx.state["progress"] = {"n": 2}
sys.addaudithook(audit) if point != "change" else None
Project(root, is_set_up=True).transact(change, command="dying")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
@pytest.mark.parametrize(
    ("point", "left"),
    [
        ("change", "before"),
        ("open history/", "after"),
        ("open .active_context.yaml.", "before"),
        ("os.rename .active_context.yaml.", "before"),
        ("open state.json.", "after"),
        ("os.rename state.json.", "after"),
    ],
)
def test_a_process_killed_inside_a_change_blocks_nobody(tmp_path, point, left):
    project = Project(str(tmp_path), is_set_up=True)
    project.transact(lambda tx: tx.state.update(next_action="before"), command="test")

    done = subprocess.run([sys.executable, "-c", DYING, str(tmp_path), point], check=False)

    assert done.returncode == -signal.SIGKILL
    begin = time.monotonic()
    assert project.state.read()["next_action"] == left
    project.transact(lambda tx: tx.state.update(next_action="go on"), command="test")
    assert time.monotonic() - begin < 5
    assert project.state.read()["next_action"] == "go on"
