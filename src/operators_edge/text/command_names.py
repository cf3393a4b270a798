"""The names of our own commands that changed, and what they are called now."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OLD_NAMES = {
    "completions": "completion",
    "disable": "pause",
    "enable": "resume",
    "metrics": "stats",
    "proof ledger": "log claims",
    "proof": "log",
    "revoke": "grants revoke",
    "state history": "history list",
    "state": "history",
}
"""Words of version 0.1 and what they are called now. They work until 0.3 and are in no help."""


def renamed(said: Sequence[str]) -> list[str]:
    """The words of a command under today's names: those before the first option are looked at."""
    for length in (2, 1):
        today = OLD_NAMES.get(" ".join(said[:length]))
        if today is not None:
            return [*today.split(), *said[length:]]
    return list(said)


# end of module
