"""Sessions written down in ``accounts.toml`` before anybody looked how claims are read.

Owns how such a session is played. Each is one step: what was done, and what its author says of it.
"""

from __future__ import annotations

import os
import tomllib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.claims.cases import CASES, FALSE, STALE, VERIFIED, Case
from tests.claims.stage import Stage
from tests.hosting import git, write

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.claims.cases import Truth

HONEST = frozenset({"VERIFIED", "UNVERIFIED"})
ALLOWED = {
    "false": FALSE | STALE,
    "absent": frozenset({"CONTRADICTED", "STALE", "UNVERIFIED"}),
    "true": VERIFIED,
    "honest": HONEST,
}
"""``false``: what was observed refutes it; ``absent``: false, and nothing was observed; ``honest``: true, and
not, or not entirely, to be seen."""

BREAKS = ("calc.py", "return a + b", "return a - b")
GROWS = ("calc.py", "return a + b\n", "return a + b\n\n\ndef sub(a, b):\n    return a - b\n")


def tell(top: str, *, account: Mapping[str, Any]) -> tuple[Stage, Truth]:
    stage = Stage(top, account["step"], files=account.get("files"))
    if account.get("remote"):
        git(top, "init", "-q", "--bare", "-b", "main", "origin.git")
        git(stage.repo, "remote", "add", "origin", os.path.join(top, "origin.git"))
        git(stage.repo, "push", "-q", "-u", "origin", "main")
    stage.begin(1)
    for line in account["do"]:
        _act(stage, line)
    more = {name: account[name] for name in ("verification", "actual") if name in account}
    stage.claim(1, account["proof"].replace("{head}", stage.head()[:8]), **more)
    allowed = account.get("verdicts") or ALLOWED[account["truth"]]
    return stage, {1: frozenset(allowed)}


def _act(stage: Stage, line: str) -> None:
    """One line: a word alone, ``$ COMMAND``, or ``WORD NAME | TEXT | TEXT``."""
    word, _, rest = line.partition(" ")
    name, *texts = [each.replace("\\n", "\n").replace("\\t", "\t") for each in rest.split(" | ")]
    command = rest.removeprefix("$ ")
    acts: dict[str, Callable[[], object]] = {
        "break": lambda: stage.edit(*BREAKS),
        "mend": lambda: stage.edit(BREAKS[0], BREAKS[2], BREAKS[1]),
        "grow": lambda: stage.edit(*GROWS),
        "another": stage.another,
        "ahead": lambda: _push_by_another(stage),
        "$": lambda: stage.sh(rest),
        "agent": lambda: stage.sh(command, agent="sub1"),
        "approved": lambda: stage.sh(command, is_approved=True),
        "edit": lambda: stage.edit(name, *texts),
        "write": lambda: stage.write(name, *texts),
        "person": lambda: stage.person(name, *texts),
        "read": lambda: stage.read(name),
        "runner": lambda: stage.runner(name.split()[0], " | ".join(texts), int(name.split()[1])),
    }
    acts[word]()


def _push_by_another(stage: Stage) -> None:
    """The remote moves on."""
    other = os.path.join(stage.top, "other")
    git(stage.top, "clone", "-q", os.path.join(stage.top, "origin.git"), "other")
    write(other, "THEIRS", "x\n")
    git(other, "add", ".")
    git(other, "commit", "-qm", "theirs")
    git(other, "push", "-q", "origin", "main")


with Path(__file__).with_name("accounts.toml").open("rb") as _file:
    CASES += [
        Case(f"account: {each['name']}", partial(tell, account=each), is_quick=False, needs="")
        for each in tomllib.load(_file)["account"]
    ]
