"""``make crash``: kills, power losses and failing disks at every durable step, then 2,000 kills at random."""

from __future__ import annotations

import argparse
import shutil
import sys
import time

from tests.crash.everywhere import Report, everywhere, recovery_everywhere
from tests.crash.failing_disk import failures
from tests.crash.operations import OPERATIONS
from tests.crash.power import losses
from tests.crash.storm import WRITERS, storm
from tests.crash.world import World, in_memory
from tests.forks import load_everything

RECOVERED = ("use an approval", "archive on done")
"""The operations whose recovery is killed, too: between them they touch every kind of file."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    parser.add_argument("--kills", type=int, default=2000, help="kills at random moments")
    parser.add_argument(
        "--losses", type=int, default=200, help="power losses of an operation; 0: all"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="operations whose name holds this; no storm")
    args = parser.parse_args()
    load_everything()  # what its first use writes into the package is no step of an operation
    base = in_memory()
    try:
        wrong = _measure(World(base), args)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    for each in wrong:
        print(f"VIOLATION {each[:2000]}", file=sys.stderr)
    print("nothing was lost, doubled or torn" if not wrong else f"{len(wrong)} violations")
    return 1 if wrong else 0


def _measure(world: World, args: argparse.Namespace) -> list[str]:
    wrong: list[str] = []
    start = time.monotonic()
    print(
        "SIGKILL at every durable step (of which: as before, whole, finished by the next command)"
    )
    for operation in OPERATIONS:
        if args.only in operation.name:
            wrong += _printed(everywhere(world, operation))
            if operation.name in RECOVERED:
                wrong += _printed(recovery_everywhere(world, operation))
    print("the power lost at every durable step; what was not synced is lost, cut or zeros")
    for operation in OPERATIONS:
        if args.only in operation.name:
            wrong += _printed(losses(world, operation, most=args.losses, seed=args.seed))
    print("a full, defective or read-only disk at every durable step")
    for operation in OPERATIONS:
        if args.only in operation.name:
            wrong += _printed(failures(world, operation))
    print(f"{time.monotonic() - start:.0f} s")
    if args.only or not args.kills:
        return wrong
    print(f"SIGKILL at random moments over {WRITERS} writers, seed {args.seed}")
    measured = storm(world, kills=args.kills, seed=args.seed)
    lost = measured.unacknowledged - measured.of_which_happened
    print(
        f"  {measured.kills} kills, {measured.acknowledged} operations acknowledged, all there once; "
        f"{measured.unacknowledged} cut off: {measured.of_which_happened} whole, {lost} not begun; "
        f"{measured.recoveries} finished by the next command\n{measured.seconds:.0f} s"
    )
    return wrong + measured.violations


def _printed(report: Report) -> list[str]:
    print(
        f"  {report.name:36} {report.steps:5} steps {report.kills:5} times {report.before:5} before "
        f"{report.after:5} after {report.recovered:5} finished {len(report.violations):3} wrong",
        flush=True,
    )
    return report.violations


if __name__ == "__main__":
    sys.exit(main())
