"""``make coverage``: whether what was measured reaches what ``coverage.toml`` asks for.

    python -m tests.coverage_bounds [--raise] REPORT.json

Exits with 1 where it does not. The number for the rest follows the machine a little (what is tried in time,
which process came first), so half a per cent less is no fall.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tomllib
from typing import Any, NamedTuple

BOUNDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "coverage.toml")
PACKAGE = "src/operators_edge/"
TOLERANCE = 0.5


class Counts(NamedTuple):
    covered: int
    all: int

    @property
    def percent(self) -> float:
        return 100 * self.covered / self.all if self.all else 100.0


def counts(files: dict[str, Any]) -> Counts:
    """Lines and branches of these files of a report, together."""
    sums = [each["summary"] for each in files.values()]
    covered = sum(each["covered_lines"] + each["covered_branches"] for each in sums)
    return Counts(covered, sum(each["num_statements"] + each["num_branches"] for each in sums))


def parted(report: dict[str, Any], pure: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The files of the pure modules, and all others; every name in ``pure`` has to be one of a file."""
    files = {name.replace("\\", "/"): each for name, each in report["files"].items()}
    ours, rest = {}, {}
    unseen = {*pure["packages"], *pure["except"]}
    for name, each in files.items():
        inside = name.removeprefix(PACKAGE)
        package = next((one for one in pure["packages"] if inside.startswith(f"{one}/")), None)
        exempt = next((one for one in pure["except"] if f"/{inside}".endswith(f"/{one}")), None)
        if package is not None:
            unseen -= {package, exempt}
        (ours if package is not None and exempt is None else rest)[name] = each
    if unseen:
        raise SystemExit(f"coverage.toml names what is not there: {', '.join(sorted(unseen))}")
    return ours, rest


def faults(report: dict[str, Any], bounds: dict[str, Any]) -> tuple[list[str], float]:
    """What does not reach its bound, a line each, and what the rest has reached."""
    pure, rest = parted(report, bounds["pure"])
    found = []
    for name, each in sorted(pure.items()):
        reached = counts({name: each}).percent
        if reached < bounds["pure"]["least"]:
            missing = ", ".join(map(str, each.get("missing_lines", [])[:8]))
            found.append(f"{reached:5.1f} %  {name}   (lines never run: {missing or 'none'})")
    reached = counts(rest).percent
    if reached < bounds["rest"]["least"] - TOLERANCE:
        found.append(f"{reached:5.1f} %  the rest, which was {bounds['rest']['least']} % before")
    return found, reached


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.coverage_bounds")
    parser.add_argument("report")
    parser.add_argument("--raise", action="store_true", dest="is_raised")
    options = parser.parse_args(words)
    with open(options.report, encoding="utf-8") as file:
        report = json.load(file)
    with open(BOUNDS, encoding="utf-8") as file:
        text = file.read()
    bounds = tomllib.loads(text)
    found, reached = faults(report, bounds)
    pure, _ = parted(report, bounds["pure"])
    print(f"pure modules {counts(pure).percent:.1f} %, each at least {bounds['pure']['least']} %")
    print(f"the rest     {reached:.1f} %, at least {bounds['rest']['least']} %")
    for each in found:
        print(f"too little: {each}")
    if options.is_raised and reached > bounds["rest"]["least"]:
        head, section, rest = text.partition("[rest]")
        rest = re.sub(r"(?m)^least = .*$", f"least = {int(reached * 10) / 10}", rest, count=1)
        with open(BOUNDS, "w", encoding="utf-8") as file:
            file.write(head + section + rest)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
