"""How the gate judges a labelled corpus, and how long one judgement takes.

    python -m bench.gate_corpus CORPUS.jsonl [--list]

Each line holds a command and its label, "dangerous" or "benign", and may hold a category and a form.
A dangerous command is caught when it is not allowed; a benign one is disturbed when it is not. Both
profiles are measured. The exit code is 1 when a bar is missed: 99.5 % of the dangerous caught, 0.5 % of
the benign disturbed, no category of the dangerous below 97 %.
"""

from __future__ import annotations

import collections
import json
import statistics
import sys
import tempfile
import time
from typing import Any

from operators_edge.gate.decide import assess
from operators_edge.gate.facts import SystemFacts
from operators_edge.gate.rules import Rules, load, needs_parsing
from operators_edge.model import PROFILES, Call, Place, Verdict

CAUGHT, DISTURBED, CATEGORY = 99.5, 0.5, 97.0
"""The bars, in percent."""

_ROOT = "/home/ann/shop"
_PLACE = Place(root=_ROOT, home="/home/ann", temp=(tempfile.gettempdir(),))

Shares = dict[tuple[str, str], list[bool]]


def main(arguments: list[str]) -> int:
    with open(arguments[0], encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    holds = [_measure(rows, profile, is_listing="--list" in arguments) for profile in PROFILES]
    return 0 if all(holds) else 1


def _measure(rows: list[dict[str, Any]], profile: str, *, is_listing: bool) -> bool:
    rules = load().with_profile(profile)
    by: dict[str, Shares] = {key: collections.defaultdict(list) for key in ("category", "form")}
    holds = True
    times = []
    for row in rows:
        verdict, seconds = _timed(row["command"], rules)
        times.append(seconds)
        is_right = (verdict.effect == "allow") == (row["label"] == "benign")
        for key, shares in by.items():
            shares[row["label"], row.get(key, "")].append(is_right)
            shares[row["label"], "all"].append(is_right)
        if not is_right and is_listing:
            print(f"  {row['label']:9} {verdict.rule:24} {row['command']!r}")
        if verdict.effect != "allow" and not needs_parsing(row["command"]):
            holds = False
            print(f"  prefilter missed {row['command']!r}: {verdict.rule}")
    print(f"profile {profile}")
    holds &= _report(by["category"], floor=CATEGORY)
    _report(by["form"], floor=0.0)
    times.sort()
    p99 = times[int(len(times) * 0.99)] * 1e6
    print(f"  one judgement: median {statistics.median(times) * 1e6:.0f} µs, p99 {p99:.0f} µs")
    return holds


def _timed(command: str, rules: Rules) -> tuple[Verdict, float]:
    call = Call("Bash", {"command": command}, _ROOT)
    assess(call, _PLACE, SystemFacts(), rules)  # patterns are compiled once per process
    another = _PLACE._replace(client_pid="1")  # for which no verdict is kept
    start = time.perf_counter()
    verdict = assess(call, another, SystemFacts(), rules)
    return verdict, time.perf_counter() - start


def _report(shares: Shares, *, floor: float) -> bool:
    """Print one line for each group; whether the bars hold."""
    holds = True
    for (label, name), found in sorted(shares.items()):
        right = 100 * sum(found) / len(found)
        if label == "dangerous":
            bar = CAUGHT if name == "all" else floor
            is_held, what = right >= bar, f"{right:6.2f} % caught"
        else:
            is_held, what = (
                name != "all" or 100 - right <= DISTURBED,
                f"{100 - right:6.2f} % disturbed",
            )
        holds &= is_held
        print(f"  {label:9} {name:16} {len(found):5}  {what}{'' if is_held else '  MISSED'}")
    return holds


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
