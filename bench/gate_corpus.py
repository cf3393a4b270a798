"""How the gate judges a labelled corpus, and how long one judgement takes.

    python -m bench.gate_corpus CORPUS.jsonl [--list]

Each line holds a command and its label, "dangerous" or "benign". A dangerous command is caught when
it is not allowed; a benign one is disturbed when it is.
"""

from __future__ import annotations

import collections
import json
import statistics
import sys
import tempfile
import time

from operators_edge.core.gate import assess
from operators_edge.core.rules import first_look, load
from operators_edge.model import Call, Place
from operators_edge.system.facts import SystemFacts


def main(arguments: list[str]) -> int:
    with open(arguments[0], encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    rules = load()
    place = Place(root="/home/ann/shop", home="/home/ann", temp=(tempfile.gettempdir(),))
    right: dict[tuple[str, str], list[bool]] = collections.defaultdict(list)
    times = []
    broken = 0
    for row in rows:
        call = Call("Bash", {"command": row["command"]}, "/home/ann/shop")
        assess(call, place, SystemFacts(), rules)  # patterns are compiled once per process
        start = time.perf_counter()
        verdict = assess(call, place, SystemFacts(), rules)
        times.append(time.perf_counter() - start)
        allowed = verdict.effect == "allow"
        is_right = allowed == (row["label"] == "benign")
        right[row["label"], row["category"]].append(is_right)
        if not is_right and "--list" in arguments:
            print(f"{row['label']:9} {row['category']:14} {verdict.rule:24} {row['command']!r}")
        if not allowed and not first_look(row["command"]):
            broken += 1
            print(f"first look missed {row['command']!r}: {verdict.rule}")
    for (label, category), found in sorted(right.items()):
        word = "caught" if label == "dangerous" else "silent"
        print(f"{label:9} {category:14} {sum(found):5} of {len(found):5} {word}")
    for label in ("dangerous", "benign"):
        all_found = [one for key, found in right.items() if key[0] == label for one in found]
        print(f"{label:9} {'all':14} {100 * sum(all_found) / max(1, len(all_found)):.2f} % right")
    times.sort()
    print(
        f"classify: median {statistics.median(times) * 1e6:.0f} µs, "
        f"p99 {times[int(len(times) * 0.99)] * 1e6:.0f} µs"
    )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
