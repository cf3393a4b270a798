"""What has to hold for every composition, and the run over many of them.

Owns the verdicts asked and the count of what was tried. Does not own the compositions (``compose``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from operators_edge.gate.prefilter import is_suspicious
from tests.fuzz.compose import composition
from tests.fuzz.followed import followed, is_stopped
from tests.gate.example_project import RULES, judge

if TYPE_CHECKING:
    from tests.fuzz.sandbox import Sandbox

SHOWN = 600
"""Characters of a faulty composition that are shown; its seed makes the whole of it again."""
KINDS = ("danger", "harmless", "run", "followed")


class Fault(NamedTuple):
    seed: int
    kind: str
    what: str
    text: str
    ways: tuple[str, ...]

    def __str__(self) -> str:
        ways = " ← ".join(repr(way) for way in self.ways)
        text = repr(self.text[:SHOWN])
        return f"seed {self.seed} ({self.kind}): {self.what}\n  {text}\n  {ways}"


def is_caught(text: str) -> bool:
    """Whether the gate stops the text, and the prefilter does not let it pass."""
    return judge(text).effect in {"junction", "block"} and is_suspicious(text, RULES.words)


def fault(seed: int, kind: str, sandbox: Sandbox | None = None) -> Fault | None:
    """What is wrong with one composition; of kind "run", only what a real bash has shown to run."""
    if kind == "followed":
        one = followed(seed)
        what = "" if is_stopped(one) else "not stopped"
        return (
            Fault(seed, kind, what, f"{one.command}  with {one.files}", one.names) if what else None
        )
    made = composition(seed, kind=kind)
    if kind == "harmless":
        verdict = judge(made.text)
        what = "" if verdict.effect == "allow" else f"disturbed: {verdict.rule}"
    else:
        what = "" if is_caught(made.text) else "not caught"
        if what and sandbox is not None and not sandbox.run(made.text):
            what = ""
    return Fault(seed, kind, what, made.text, made.names) if what else None


def faults(seeds: range, kind: str, sandbox: Sandbox | None = None) -> list[Fault]:
    found = (fault(seed, kind, sandbox) for seed in seeds)
    return [one for one in found if one is not None]
