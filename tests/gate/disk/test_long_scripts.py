"""What a script does after more commands than are read of one text is found at its line."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.gate.example_project import HOME
from tests.tables import for_each

MANY = "".join(f'test -n "$V{at}" && V{at}=x && : "$V{at}"\n' for at in range(1500))
"""Fewer characters than of one file are judged, and more commands."""


@for_each("is_committed", [True, False])
def test_the_end_of_a_script_of_very_many_commands_is_read(is_committed):
    files = {"a.sh": f"{MANY}rm -rf {HOME}/photos\necho done\n"}
    verdict = judged("./a.sh", files, committed=("a.sh",) if is_committed else ())
    assert verdict.effect in ("junction", "block")
    assert "a.sh:1501" in {one.source for one in verdict.findings}


def test_a_harmless_end_needs_nobody():
    files = {"a.sh": f"{MANY}rm -rf build\necho done\n"}
    assert judged("./a.sh", files, committed=("a.sh",)).effect == "allow"
