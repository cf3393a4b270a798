"""How far an answer goes: once, this target for a time, this rule in this session, never in this session.

Pure. Owns the words for it and what they grant. Does not own what a target is (``approvals.binding``), who
may answer, or where the answer is stored (``sessions.decisions``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from operators_edge.model import GUARDING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

SESSION_MINUTES = 24 * 60
"""The longest that a scope for a session lasts, if the session does not end before."""

_UNITS = {"m": 1, "min": 1, "h": 60, "d": 24 * 60}
_TIME = re.compile(r"(\d{1,5})(m|min|h|d)")

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


IN_SESSION = Scope(SESSION_MINUTES, is_rule=True)
AN_HOUR = Scope(60)


def named(word: str) -> Scope | None:
    """The scope that a word names: ``1h``, ``30m``, ``session``; None if it names none."""
    if word.lower() == "session":
        return IN_SESSION
    found = _TIME.fullmatch(word.lower())
    return Scope(int(found[1]) * _UNITS[found[2]]) if found else None


def rule_fingerprint(rule: str) -> str:
    """What a dismissal of a rule as a whole has in the place of a class's fingerprint."""
    return f"rule:{rule}"


def is_of_rule(grant: Mapping[str, Any]) -> bool:
    return str(grant.get("fingerprint", "")).startswith("rule:")


def can_be_whole(rule: str) -> bool:
    """Whether a rule may be let through as a whole in a session."""
    return bool(rule) and rule not in NEVER_WHOLE and not rule.startswith(GUARDING)


def offer(rule: str, target: str) -> str:
    """What can be typed after a yes in the client's dialog, in one line.

    ``target`` is that of ``binding.bound.target_text``.
    """
    whole = f", or /edge session ({rule}, in this session)" if can_be_whole(rule) else ""
    return f"To be asked less: /edge 1h{f' ({target})' if target else ''}{whole}."


# end of module
