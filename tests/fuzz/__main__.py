"""``make fuzz``: 100,000 compositions, each caught or silent as it has to be.

    python -m tests.fuzz [--count N] [--seed N] [--kind danger|harmless|run|followed]

The seed is printed: the same seed makes the same compositions. Each fault names its own seed, to be
looked at alone with ``--seed SEED --count 1 --kind KIND``.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
import time

from tests.fuzz.check import KINDS, Fault, fault
from tests.fuzz.compose import STAND_INS, composition
from tests.fuzz.sandbox import Sandbox

SHARES = {"danger": 0.65, "harmless": 0.25, "run": 0.05, "followed": 0.05}
EVERY = 50
"""Of the compositions that are caught, each so many-th is run too, to report how many of them run at all."""
SHOWN = 20
NOT_UNDERSTOOD = 0.001
"""The share of the harmless that may be asked about because the grammar cannot read them; all are shown."""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--kind", choices=KINDS, default=None)
    options = parser.parse_args(arguments)
    seed = secrets.randbelow(10**9) if options.seed is None else options.seed
    print(f"seed {seed}, {options.count:,} compositions")
    found: list[Fault] = []
    is_held = True
    at = seed
    with tempfile.TemporaryDirectory() as folder:
        sandbox = Sandbox.make(folder, {words[0] for words in STAND_INS})
        for kind in (options.kind,) if options.kind else KINDS:
            count = options.count if options.kind else round(options.count * SHARES[kind])
            faults = _run(kind, range(at, at + count), sandbox)
            found += faults
            is_held &= _holds(kind, faults, count)
            at += count
    for one in sorted(found, key=lambda each: len(each.text))[:SHOWN]:
        print(one)
    return 0 if is_held else 1


def _holds(kind: str, faults: list[Fault], count: int) -> bool:
    odd = [one for one in faults if one.what.endswith("shell-cannot-analyse")]
    is_rare = kind == "harmless" and len(odd) <= count * NOT_UNDERSTOOD
    return len(faults) == len(odd) and (not odd or is_rare)


def _run(kind: str, seeds: range, sandbox: Sandbox) -> list[Fault]:
    start = time.perf_counter()
    found: list[Fault] = []
    tried = ran = 0
    for seed in seeds:
        one = fault(seed, kind, sandbox if kind == "run" else None)
        found += [one] if one else []
        if kind == "run" and seed % EVERY == 0:
            tried += 1
            ran += bool(sandbox.run(composition(seed, kind=kind).text))
    took = time.perf_counter() - start
    more = f"; of {tried} run in bash {ran} ran their command" if tried else ""
    print(f"{kind:9} {len(seeds):7,} made, {len(found)} wrong, {took:.0f} s{more}")
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
