"""``make claims``: the false-done suite as a table. ``python -m tests.claims [WORDS]`` plays some of it."""

from __future__ import annotations

import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from tests.claims.suite import Result, chosen, play


def main(words: str) -> int:
    cases = chosen(words=words)
    counts: Counter[str] = Counter()
    print(f"{'story':<66} {'truth':<24} {'verdict':<13} outcome")
    with ThreadPoolExecutor(2) as pool:
        for results in pool.map(play, cases):
            for each in results:
                counts[each.outcome] += 1
                print(_line(each), flush=True)
    told = ", ".join(f"{number} {outcome}" for outcome, number in counts.most_common())
    print(f"\n{len(cases)} stories, {sum(counts.values())} claims: {told}")
    return 1 if any(counts[bad] for bad in ("missed", "falsely accused", "otherwise")) else 0


def _line(each: Result) -> str:
    name = f"{each.case} [{each.step}]" if each.step > 1 else each.case
    line = f"{name[:66]:<66} {each.truth:<24} {each.verdict:<13} {each.outcome}"
    return f"{line}\n    {each.why}" if each.is_bad else line


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:]).lower()))
