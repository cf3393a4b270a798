"""What a call would take with it, asked of this machine: files and bytes, and what git could bring back.

Owns the looking, bounded in time and number; a number that is not known is said to be unknown, never
zero. Does not own what git knows of commits (``approvals.impact.commits``), what the command says by itself
(``core.stakes``), or how any of it reads (``approvals.card.card``). Reads only, follows no link, touches no
network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from operators_edge.approvals.impact import command as impact_command
from operators_edge.approvals.impact.files import Look
from operators_edge.gate.paths import Ground
from operators_edge.git.commands import CARD_SECONDS, Budget

if TYPE_CHECKING:
    from datetime import datetime

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.rules import Rules
    from operators_edge.model import Call, Facts, Finding, Place, Verdict


MOST_FACTS = 3

_DELETING = frozenset(("rm", "rmdir", "unlink", "shred", "find", "fd", "mv", "rsync"))
_AT_MOST = frozenset(("find", "fd", "rsync"))
"""Programs that choose among the files below what they name."""

_LITERAL = frozenset(
    ("", "rm", "rmdir", "unlink", "shred", "truncate", "tee", "cp", "mv", "dd", "@edit")
)
"""Programs that name each file they take: what is not there is nothing, and not unknown."""

_VERSIONED = frozenset(("hg", "svn", "bzr", "fossil", "jj", "p4", "dolt"))

Fact = dict[str, Any]


def measure(
    verdict: Verdict,
    call: Call,
    place: Place,
    facts: Facts,
    rules: Rules,
    *,
    now: datetime,
    seconds: float = CARD_SECONDS,
) -> list[Fact]:
    """One fact for each finding whose rule says what a card counts, the decisive one first."""
    budget = Budget(seconds)
    found: list[Fact] = []
    for finding in verdict.findings:
        if not finding.radius or len(found) == MOST_FACTS:
            continue
        ground = Ground(call._replace(cwd=finding.cwd or call.cwd), place, facts)
        try:
            fact = _fact(finding, ground, rules, budget, now)
        except (OSError, ValueError, RecursionError) as error:  # a name no system call takes, say
            fact = {"kind": finding.radius, "unknown": f"it could not be looked at ({error})"[:200]}
        if fact not in found:
            found.append(fact)
    return found


def _fact(finding: Finding, ground: Ground, rules: Rules, budget: Budget, now: datetime) -> Fact:
    inv = impact_command.command_of(finding, rules)
    if inv is None:
        return {"kind": finding.radius, "unknown": "the command could not be read back"}
    if finding.radius == "tables":
        return impact_command.tables(inv, ground)
    if finding.radius == "request":
        return _request(inv, ground)
    if inv.program == "git":
        from operators_edge.approvals.impact import commits  # noqa: PLC0415 - for git alone

        words = [word.text for word in inv.command.argv[1:]]
        return commits.measure(words, finding, budget, now)
    if finding.radius == "commits":
        return {"kind": "commits", "unknown": f"the commits of {inv.program} are not counted"}
    if inv.program in _VERSIONED:
        return {"kind": "files", "unknown": f"what {inv.program} has not committed is not counted"}
    return _deletion(inv, _targets(inv, finding, ground), budget)


def _targets(inv: Invocation, finding: Finding, ground: Ground) -> tuple[str, ...]:
    words = [word.text for word in inv.command.argv[1:]]
    if inv.program == "@edit":
        named = words[:1]
    elif inv.program == "find" and finding.targets:
        first = next((at for at, word in enumerate(words) if word[:1] in "-(!"), len(words))
        named = words[:first] or ["."]
    elif inv.program == "rsync":
        named = [word.text for word in inv.operands[-1:] if ":" not in word.text]
    else:
        return finding.targets
    paths = (
        ground.resolve(name, ground.cwd) for name in named if impact_command.UNKNOWN not in name
    )
    return tuple(path for path in paths if path)


def _request(inv: Invocation, ground: Ground) -> Fact:
    fact = impact_command.request(inv)
    uploads = []
    for name in fact.get("uploads", ()):
        path = ground.resolve(name, ground.cwd)
        uploads.append({"path": name, "bytes": ground.facts.size(path) if path else None})
    return {**fact, "uploads": uploads} if uploads else fact


def _deletion(inv: Invocation, targets: tuple[str, ...], budget: Budget) -> Fact:
    act = "delete" if inv.program in _DELETING else "overwrite"
    fact: Fact = {"kind": "files", "act": act}
    if not targets:
        return fact | {"unknown": "which files cannot be known before it runs"}
    names = {flag.name for flag in inv.flags}
    is_deep = inv.program != "rm" or any(
        name[:2] in ("-r", "-R") or name[:3] == "--r" for name in names
    )
    look = Look(budget, is_deep=is_deep and act == "delete")
    for path in targets:
        look.add(path)
    if not look.tops and inv.program not in _LITERAL:
        return fact | {"unknown": "which files it takes is not known before it runs"}
    fact |= look.counted()
    if inv.program in _AT_MOST:
        fact["is_at_most"] = True
    if inv.command.has_more_words or impact_command.UNKNOWN in (word.text for word in inv.operands):
        fact["is_open"] = True
    return fact
