"""How far an answer goes: once, this target for a time, a rule in the session or for a time, never in it.

Pure. Owns the words for it and what they grant. Does not own what a target is (``approvals.binding``), who
may answer, or where the answer is stored (``sessions.decisions``).
"""

from __future__ import annotations

from operators_edge.approvals import learnt
from operators_edge.approvals.binding import bound
from operators_edge.locations import is_within
from operators_edge.model import GUARDING
from operators_edge.text import timestamps
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from operators_edge.approvals.binding.bound import Binding
    from operators_edge.model import Finding
    from operators_edge.records import Grant

SESSION_MINUTES = 24 * 60
"""The longest that a scope for a session lasts, if the session does not end before."""

NEVER_WHOLE = ("shell-cannot-analyse", "shell-unknown-program", "tool-malformed", "tool-unknown")
"""Rules about what cannot be judged: nobody can know what such a rule as a whole would let through."""


class Scope(NamedTuple):
    """The class of a call with its target, or with ``is_rule`` its rule as a whole in the session."""

    minutes: int
    is_rule: bool = False

    @property
    def word(self) -> str:
        """What is typed for it."""
        if self.is_rule:
            return "session"
        return f"{self.minutes // 60}h" if self.minutes % 60 == 0 else f"{self.minutes}m"


class RuleScope(NamedTuple):
    """A rule for a time: everywhere in the project, for ``addresses``, or for what stays in ``folder``."""

    rule: str
    minutes: int
    addresses: tuple[str, ...] = ()
    folder: str = ""
    like: Mapping[str, Any] | None = None
    text: str = ""
    """Of a scope that was learnt (``approvals.learnt``): what it lets through, stored and for a person."""

    @property
    def where(self) -> str:
        """For a person: where calls of the rule would pass."""
        if self.like is not None:
            return self.text
        if self.addresses:
            return f"to {', '.join(self.addresses)}"
        return f"in {self.folder}" if self.folder else "any target, in this project"

    @property
    def only(self) -> dict[str, Any]:
        """As a grant stores it; empty for the whole project."""
        if self.like is not None:
            return {"like": dict(self.like)}
        if self.addresses:
            return {"addresses": list(self.addresses)}
        return {"folder": self.folder} if self.folder else {}


IN_SESSION = Scope(SESSION_MINUTES, is_rule=True)
AN_HOUR = Scope(60)


def named(word: str) -> Scope | None:
    """The scope that a word names: ``1h``, ``30m``, ``session``; None if it names none."""
    if word.lower() == "session":
        return IN_SESSION
    minutes = timestamps.minutes(word.lower(), {**timestamps.UNITS, "min": 1})
    return None if minutes is None else Scope(minutes)


def rule_fingerprint(rule: str) -> str:
    """What a dismissal of a rule as a whole has in the place of a class's fingerprint."""
    return f"rule:{rule}"


def is_of_rule(grant: Mapping[str, Any]) -> bool:
    return str(grant.get("fingerprint", "")).startswith("rule:")


def at_target(rule: str, minutes: int, binding: Binding) -> RuleScope | None:
    """The rule for the place that a call went to: its addresses, else its folder. None if not known."""
    target = [fact for fact in binding if fact.side == "target"]
    urls = [fact for fact in target if fact.kind == bound.URL]
    places = [fact for fact in target if fact.kind == bound.REPOSITORY]
    if any(fact.unknown or not fact.value for fact in (*urls, *places)):
        return None
    if urls:
        return RuleScope(rule, minutes, tuple(dict.fromkeys(fact.value for fact in urls)))
    folders = list(dict.fromkeys(fact.value for fact in places))
    return RuleScope(rule, minutes, folder=folders[0]) if len(folders) == 1 else None


def covers(
    grant: Grant, finding: Finding, fingerprint: str, binding: Binding, machine: str = ""
) -> bool:
    """Whether a dismissal of a rule covers a call's finding, whose class is ``fingerprint``.

    One for a folder is only asked about calls that stay in it (``stays``).
    """
    if grant["rule"] != finding.rule:
        return False
    like = (grant.get("only") or {}).get("like")
    if like is not None:
        return learnt.covers(like, finding, binding, machine)
    addresses = (grant.get("only") or {}).get("addresses")
    if addresses is None:
        return True
    target = bound.target_of(binding, fingerprint)
    urls = {fact.value for fact in target if fact.kind == bound.URL}
    return bool(urls) and urls <= set(addresses) and not any(fact.unknown for fact in target)


def stays(grant: Grant, findings: Iterable[Finding], real: Callable[[str], str]) -> bool:
    """Whether a call stays in the folder of a dismissal, if it is for one; ``real`` follows links.

    It must begin there, and every path that it names must be there and known.
    """
    only = grant.get("only") or {}
    its = [each for each in findings if each.rule == grant["rule"]]
    if "like" in only:
        return learnt.stays(only["like"], its, real)
    folder = only.get("folder")
    if folder is None:
        return True
    if any(not each.cwd or "text" in dict(each.detail) for each in its):
        return False
    return all(is_within(real(path), folder) for each in its for path in (each.cwd, *each.targets))


def can_be_whole(rule: str) -> bool:
    """Whether a rule may be let through as a whole."""
    return bool(rule) and rule not in NEVER_WHOLE and not rule.startswith(GUARDING)


def of_offer(offer: Mapping[str, Any], minutes: int) -> RuleScope:
    """The scope that was offered with a question, for that time."""
    like = (offer.get("only") or {}).get("like") or {}
    return RuleScope(str(offer["rule"]), minutes, like=like, text=str(offer.get("target") or ""))


def offer(rule: str, target: str) -> str:
    """What can be typed after a yes in the client's dialog, in one line.

    ``target`` is that of ``binding.bound.target_text``.
    """
    whole = f", or /edge session ({rule}, in this session)" if can_be_whole(rule) else ""
    return f"To be asked less: /edge 1h{f' ({target})' if target else ''}{whole}."


# end of module
