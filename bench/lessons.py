"""How well lessons are found by their words: the rules of a linter as lessons, its messages as queries.

    python -m bench.lessons

Two readings: lessons that are found by what they say alone, and lessons that have the message for a trigger.
The rules come from the linter that is installed here. What no lesson is about is measured with the output
of other tools.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.rows import Row
from operators_edge.memory import store as memory_store

if TYPE_CHECKING:
    from collections.abc import Iterator

HIT, MEDIAN_MS = 0.88, 2.0
"""The bars: the right lesson among five, and one search."""

_OUTPUTS = Path(__file__).parent.parent / "tests" / "evidence" / "checks" / "outputs.jsonl"
_SECTIONS = ("what it does", "why is this bad")
_ITSELF = re.compile(r"\bruff\b")
_NAMES = ("os", "getUserName", "Order", "user_id", "12", "items.get", "tmp", "parse_args", "str")
_FILES = ("src/app/models.py", "tests/test_views.py", "setup.py", "/home/dev/shop/cart.py")

Lesson = dict[str, str]


def measure(top: str) -> Iterator[Row]:
    rules = _rules()
    queries = [_message(rule) for rule in rules]
    by_text = [{"trigger": "", "lesson": _text(rule)} for rule in rules]
    by_trigger = [{"trigger": _message(rule), "lesson": _text(rule)} for rule in rules]
    for what, lessons in (("text alone", by_text), ("trigger = message", by_trigger)):
        root = _project(top, what)
        ranks, times = _searched(root, lessons, queries)
        hits = sum(0 <= rank < 5 for rank in ranks) / len(ranks)
        yield Row("LC-1", f"{len(rules)} lessons, {what}: hit@5", hits, "", HIT, is_least=True)
        first = sum(rank == 0 for rank in ranks) / len(ranks)
        yield Row("-", "  the right one is the first", first, "")
        median = statistics.median(times) * 1e3
        yield Row("LC-1", "  one search, median", median, "ms", MEDIAN_MS)
        printed = [_printed(number, query) for number, query in enumerate(queries)]
        ranks, times = _searched(root, lessons, printed)
        hits = sum(0 <= rank < 5 for rank in ranks) / len(ranks)
        yield Row("-", "  in a linter's output, names filled in: hit@5", hits, "")
        yield Row("-", "  one search, median", statistics.median(times) * 1e3, "ms")
        told, _ = _searched(root, lessons, queries, threshold=memory_store.THRESHOLD)
        above = sum(0 <= rank < 5 for rank in told) / len(told)
        yield Row("-", "  told unasked: right among five", above, "")
        noise = [bool(_found(root, lessons, each, memory_store.THRESHOLD)) for each in _others()]
        yield Row("-", f"  told at {len(noise)} others' outputs", sum(noise) / len(noise), "")


def _searched(
    root: str, lessons: list[Lesson], queries: list[str], threshold: float | None = None
) -> tuple[list[int], list[float]]:
    """The place of each right lesson, -1 for none; and the seconds of each search."""
    _found(root, lessons, "once, to make the index", threshold)
    ranks, times = [], []
    for number, query in enumerate(queries, 1):
        started = time.perf_counter()
        found = _found(root, lessons, query, threshold)
        times.append(time.perf_counter() - started)
        ranks.append(found.index(number) if number in found else -1)
    return ranks, times


def _found(root: str, lessons: list[Lesson], query: str, threshold: float | None) -> list[int]:
    return [hit.number for hit in memory_store.search(root, lessons, query, threshold=threshold)]


def _rules() -> list[dict[str, Any]]:
    program = os.path.join(os.path.dirname(sys.executable), "ruff")
    command = [program, "rule", "--all", "--output-format", "json"]
    done = subprocess.run(command, capture_output=True, check=True)
    rules: list[dict[str, Any]] = json.loads(done.stdout)
    return [rule for rule in rules if rule["explanation"]]


def _message(rule: dict[str, Any]) -> str:
    return str((rule["message_formats"] or [rule["summary"]])[0])


def _printed(number: int, message: str) -> str:
    """The message as it comes: with names for its gaps, behind a place, among other lines."""
    names = (_NAMES[(number + at) % len(_NAMES)] for at in range(len(message)))
    filled = re.sub(r"\{[^{}]*\}", lambda _: next(names), message)
    line = f"{_FILES[number % len(_FILES)]}:{number + 1}:5: {filled}"
    return f"$ make lint\n{line}\nFound 1 error.\nmake: *** [Makefile:14: lint] Error 1"


def _text(rule: dict[str, Any]) -> str:
    """What the rule does and why, without its code: that is how a lesson is written."""
    plain = re.sub(r"```.*?```", "", rule["explanation"], flags=re.DOTALL)
    parts = (part.partition("\n") for part in re.split(r"^## ", plain, flags=re.MULTILINE))
    kept = [body.strip() for head, _, body in parts if head.lower().startswith(_SECTIONS)]
    return "\n".join(kept) or str(rule["summary"])


def _others() -> list[str]:
    lines = _OUTPUTS.read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    return [
        each["output"] for each in found if each["output"] and not _ITSELF.search(each["command"])
    ]


def _project(top: str, name: str) -> str:
    root = os.path.join(top, name)
    os.makedirs(os.path.join(root, ".proof"))
    return root


def main() -> int:
    holds = True
    with tempfile.TemporaryDirectory(prefix="edge-bench-") as top:
        for row in measure(top):
            met = row.bar is None or (
                row.value >= row.bar if row.is_least else row.value <= row.bar
            )
            holds &= met
            bar = "" if row.bar is None else f"bar {row.bar:g} {'holds' if met else 'MISSED'}"
            print(f"{row.what:48} {row.value:8.3f} {row.unit:3} {bar}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
