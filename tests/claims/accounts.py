"""Sessions written down before anybody looked how claims are read.

Those of ``accounts.toml`` have a small Python project, those of ``ecosystems.toml`` one of another
kind, whose runner prints what the real one was recorded to print. Owns how such a session is played. Each is
one step: what was done, and what its author says of it.
"""

from __future__ import annotations

import os
import shlex
import tomllib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.claims.cases import CASES, FALSE, NOT_ACCUSED, STALE, VERIFIED, Case
from tests.claims.ecosystems import ECOSYSTEMS
from tests.claims.stage import Stage
from tests.evidence.recorded import runs
from tests.hosting import git, write

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.claims.cases import Truth
    from tests.claims.ecosystems import Ecosystem

HONEST = frozenset({"VERIFIED", "UNVERIFIED"})
STEP = "Add the tax to the totals"
ALLOWED = {
    "false": FALSE | STALE,
    "absent": frozenset({"CONTRADICTED", "STALE", "UNVERIFIED"}),
    "true": VERIFIED,
    "honest": HONEST,
    "unaccused": NOT_ACCUSED,
}
"""``false``: what was observed refutes it; ``absent``: false, and nothing was observed; ``honest``: true, and
not, or not entirely, to be seen."""

BREAKS = ("calc.py", "return a + b", "return a - b")
GROWS = ("calc.py", "return a + b\n", "return a + b\n\n\ndef sub(a, b):\n    return a - b\n")


OLD, NEW, NEWEST = "one\n", "two\n", "three\n"


def tell(top: str, *, account: Mapping[str, Any]) -> tuple[Stage, Truth]:
    files = {**_project(account), **account.get("files", {})}
    stage = Stage(top, account.get("step", STEP), files=files, bare="code" in account)
    if account.get("remote"):
        git(top, "init", "-q", "--bare", "-b", "main", "origin.git")
        git(stage.repo, "remote", "add", "origin", os.path.join(top, "origin.git"))
        git(stage.repo, "push", "-q", "-u", "origin", "main")
    stage.begin(1)
    for line in account["do"]:
        _act(stage, line, account)
    more = {name: account[name] for name in ("verification", "actual") if name in account}
    stage.claim(1, account["proof"].replace("{head}", stage.head()[:8]), **more)
    allowed = account.get("verdicts") or ALLOWED[account["truth"]]
    return stage, {1: frozenset(allowed)}


def _project(account: Mapping[str, Any]) -> dict[str, str]:
    """The recorded runner's project, or that of an ecosystem, with a file of code."""
    if "runner" not in account:
        return dict.fromkeys(account.get("own", ()), OLD)
    files: dict[str, str] = runs.projects()[account["runner"]]["files"]
    plain = {name: text.removeprefix("\n") for name, text in files.items()}
    return {**plain, account["code"]: OLD}


def _act(stage: Stage, line: str, account: Mapping[str, Any]) -> None:
    """One line: a word alone, ``$ COMMAND``, or ``WORD NAME | TEXT | TEXT``."""
    word, _, rest = line.partition(" ")
    name, *texts = [each.replace("\\n", "\n").replace("\\t", "\t") for each in rest.split(" | ")]
    command = rest.removeprefix("$ ")
    code = account.get("code", "")
    acts: dict[str, Callable[[], object]] = {
        "break": lambda: stage.edit(*BREAKS),
        "mend": lambda: stage.edit(BREAKS[0], BREAKS[2], BREAKS[1]),
        "grow": lambda: stage.edit(*GROWS),
        "another": stage.another,
        **{word: partial(_print, stage, account, word) for word in PRINTED},
        "touch": lambda: stage.edit(code, OLD, NEW),
        "again": lambda: stage.edit(code, NEW, NEWEST),
        "state": lambda: _print_recorded(stage, account, "", *rest.split(" ", 1)),
        "prints": lambda: _print_recorded(stage, account, *rest.split(" ", 2)),
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


PRINTED = {"fails": "failed", "passes": "passed", "fewer": "fewer", "part": "parts"}
"""What a runner prints from now on, by the word of a story."""


def _print(stage: Stage, account: Mapping[str, Any], word: str) -> None:
    eco = account["eco"]
    for program in {each.split()[0] for each in (eco.run, eco.narrow, eco.again)}:
        stage.runner(program, getattr(eco, PRINTED[word]), int(word == "fails"))


def _print_recorded(
    stage: Stage, account: Mapping[str, Any], program: str, state: str, command: str
) -> None:
    """From now on the program prints what was recorded of that command, and ends like it."""
    run = runs.find(state, command, account["runner"])
    stage.runner(program or shlex.split(command)[0], run.output, run.code)


def _push_by_another(stage: Stage) -> None:
    """The remote moves on."""
    other = os.path.join(stage.top, "other")
    git(stage.top, "clone", "-q", os.path.join(stage.top, "origin.git"), "other")
    write(other, "THEIRS", "x\n")
    git(other, "add", ".")
    git(other, "commit", "-qm", "theirs")
    git(other, "push", "-q", "origin", "main")


def _in_ecosystem(family: Mapping[str, Any], eco: Ecosystem) -> dict[str, Any]:
    """The family's story as an account of this ecosystem."""
    folder = f"{family['inside']}/" if "inside" in family else ""
    files = [f"{folder}{each}" for each in (eco.code, eco.test, eco.manifest)]
    words = {**eco._asdict(), "code": files[0], "test": files[1], "head": "{head}"}
    texts = {name: family[name].format(**words) for name in ("name", "proof")}
    lines = [line.format(**words) for line in family["do"]]
    return {**family, **texts, "do": lines, "code": files[0], "own": files, "eco": eco}


def _tables(name: str) -> dict[str, Any]:
    with Path(__file__).with_name(name).open("rb") as file:
        return tomllib.load(file)


for _name in ("accounts.toml", "ecosystems.toml"):
    _tables_of = _tables(_name)
    CASES += [
        Case(f"account: {each['name']}", partial(tell, account=each), is_quick=False, needs="")
        for each in _tables_of["account"]
    ]
    CASES += [
        Case(
            f"{each['name']}: {eco.name}",
            partial(tell, account=_in_ecosystem(each, eco)),
            is_quick=number < each.get("quick", 0),
            needs="",
        )
        for each in _tables_of.get("family", ())
        for number, eco in enumerate(ECOSYSTEMS)
        if eco.fewer or "fewer" not in each["do"]
    ]
