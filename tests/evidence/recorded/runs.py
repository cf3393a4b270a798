"""What real runners and linters printed, and what is true of it.

Owns the reading of the records. Does not own how they are made (``record``).
"""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
TABLES = ("runners.toml", "linters.toml")


class Recorded(NamedTuple):
    """One run: of a small project in one of its states, see ``runners.toml``."""

    runner: str
    version: str
    state: str
    command: str
    code: int
    output: str


@cache
def projects() -> dict[str, dict[str, Any]]:
    """The small projects, each with what it has in common with another."""
    found: dict[str, dict[str, Any]] = {}
    for name in TABLES:
        found |= tomllib.loads((HERE / name).read_text("utf-8"))
    for each in found.values():
        base = found.get(each.pop("same_as", ""), {})
        files = {**base.get("files", {}), **each.get("files", {})}
        given = {key: base[key] for key in ("test", "fail", "skip", "crash") if key in base}
        each.update({**given, **each, "files": files})
    return found


@cache
def recorded() -> tuple[Recorded, ...]:
    lines = (HERE / "runs.jsonl").read_text("utf-8").splitlines()
    return tuple(Recorded(**json.loads(line)) for line in lines)


def find(state: str, command: str, runner: str = "") -> Recorded:
    """The recorded run of a command; that of another runner if this one has none."""
    known = [each for each in recorded() if (each.state, each.command) == (state, command)]
    assert known, f"nothing was recorded of {command!r} in the state {state!r}"
    return min(known, key=lambda each: each.runner != runner)
