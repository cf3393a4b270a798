"""Many writers of one log at once. EDGE_FULL_CONTENTION=1 runs the full size."""

import os
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime

from operators_edge.storage.log import ProofLog
from operators_edge.storage.registry import Registry
from operators_edge.storage.verify import verify

PROCESSES = 16
APPENDS = 500 if os.environ.get("EDGE_FULL_CONTENTION") else 25

WORKER = """
import sys, time
from datetime import UTC, datetime
from operators_edge.storage.registry import Registry
from operators_edge.storage.log import ProofLog

root, me, appends = sys.argv[1], sys.argv[2], int(sys.argv[3])
clock = lambda: datetime.now(UTC)
log = ProofLog(root, registry=Registry(root, clock=clock), clock=clock, segment_bytes=1 << 20)
print("ready", flush=True)
sys.stdin.readline()
longest = 0.0
for number in range(appends):
    begin = time.monotonic()
    log.append({"event": "tool", "tool": "Bash", "session": me, "tool_use_id": f"{me}-{number}",
                "input_preview": "git status " * 20, "output_preview": "clean " * 50})
    longest = max(longest, time.monotonic() - begin)
print(longest)
"""


def test_sixteen_writers_at_once_lose_nothing_and_none_starves(tmp_path):
    root = str(tmp_path)
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, root, f"w{number}", str(APPENDS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(PROCESSES)
    ]
    for worker in workers:
        assert worker.stdout.readline() == "ready\n"
    begin = datetime.now(UTC)
    for worker in workers:
        worker.stdin.write("go\n")
        worker.stdin.flush()
    longest = [float(worker.communicate()[0]) for worker in workers]
    seconds = (datetime.now(UTC) - begin).total_seconds()
    print(f"{PROCESSES} x {APPENDS} appends: {seconds:.2f} s, longest wait {max(longest):.3f} s")
    assert [worker.returncode for worker in workers] == [0] * PROCESSES
    assert max(longest) < 15

    def clock():
        return datetime.now(UTC)

    log = ProofLog(root, registry=Registry(root, clock=clock), clock=clock)
    entries = [entry for entry, _ in log.entries()]
    assert [entry["seq"] for entry in entries] == list(range(1, PROCESSES * APPENDS + 1))
    counted = Counter(entry["session"] for entry in entries)
    assert set(counted.values()) == {APPENDS}
    assert len({entry["tool_use_id"] for entry in entries}) == PROCESSES * APPENDS
    report = verify(log)
    assert report.ok, report
    assert report.entries == PROCESSES * APPENDS
