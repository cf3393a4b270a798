"""``make chaos``: watchers killed and paused, agents that misbehave; what is left must be whole."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from typing import TYPE_CHECKING

from tests.chaos import full_disk, killing, misbehaviour
from tests.crash.world import in_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.chaos.killing import Report


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=500, help="kills at random moments")
    parser.add_argument("--every", type=int, default=1, help="of the steps, each so-many-th")
    parser.add_argument("--pauses", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a minute's worth of each")
    parser.add_argument("--only", help="only agents whose name holds this; no kills")
    parser.add_argument("--kills-only", action="store_true", help="no agents")
    args = parser.parse_args()
    if args.quick:
        args.kills, args.every, args.pauses = 30, 40, 2
    base = in_memory()
    wrong: list[str] = []
    try:
        start = time.monotonic()
        for report in _reports(base, args):
            seconds, start = time.monotonic() - start, time.monotonic()
            print(
                f"  {report.name:24} {report.kills:5} times {report.attempts:6} attempts "
                f"{len(report.wrong):4} wrong {seconds:7.0f} s",
                flush=True,
            )
            for each in report.wrong:
                print(f"VIOLATION {each[:1500]}", file=sys.stderr, flush=True)
            wrong += report.wrong
    finally:
        shutil.rmtree(base, ignore_errors=True)
    what = "one result for each attempt, no agent beside another, nothing lost"
    print(f"{len(wrong)} violations" if wrong else what)
    return 1 if wrong else 0


def _reports(base: str, args: argparse.Namespace) -> Iterator[Report]:
    if not args.kills_only:
        yield misbehaviour.run(base, args.only or "")
    if args.only is None and not args.kills_only:
        yield full_disk.run(base)
    if args.only is None:
        yield from killing.reports(
            base, every=args.every, kills=args.kills, pauses=args.pauses, seed=args.seed
        )


if __name__ == "__main__":
    sys.exit(main())
