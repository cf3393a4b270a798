"""Quality checks that a person overrides, for one session and one objective (JU-3, QG-1).

Pure. Owns how checks are named, and what an override covers. Does not own whether a grant is genuine and live
(``project.why_not``) or the checks (``quality.checks``).
"""

from __future__ import annotations

from operators_edge.evidence.plan_events import objective_hash
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from operators_edge.model import State
    from operators_edge.quality.checks import Check

_WHY = pattern(r"(?i)(?:^|\s)(?:because\s+|--why(?:\s+|=))")


def lapsed(override: Mapping[str, Any], state: State, session: str) -> str:
    """Why an override has ended: "session" or "objective"; "" if it has not."""
    if override.get("session_id") != session:
        return "session"
    return "" if override.get("objective_hash") == objective_hash(state) else "objective"


def active(
    state: State, session: str, refusal_reason: Callable[[dict[str, Any]], str]
) -> Iterator[dict[str, Any]]:
    """The overrides that apply: genuine, live, given for this session and this objective."""
    for grant in state.get("overrides") or []:
        if not isinstance(grant, dict) or grant.get("kind") != "override":
            continue
        if not lapsed(grant, state, session) and not refusal_reason(grant):
            yield grant


def covers(override: Mapping[str, Any], name: str) -> bool:
    """Whether a check is overridden: any by a full override, else those that it names."""
    if override.get("mode") == "full":
        return True
    named = override.get("approved_checks")
    return isinstance(named, (list, tuple)) and name in named


def split(
    failed: Sequence[Check], overrides: Sequence[Mapping[str, Any]]
) -> tuple[tuple[Check, ...], tuple[Check, ...]]:
    """The failed checks that remain, and those that an override covers; warnings always remain."""
    covered = tuple(
        check
        for check in failed
        if check.severity == "error" and any(covers(each, check.name) for each in overrides)
    )
    return tuple(check for check in failed if check not in covered), covered


def parse_typed(text: str) -> tuple[str, str]:
    """The checks and the reason in "1,2 because the API is down"; "" for what is missing.

    The command line's ``--why`` works as well.
    """
    checks, *why = _WHY.split(text.strip(), maxsplit=1)
    return checks.strip(), why[0].strip() if why else ""


def named(text: str, names: Sequence[str]) -> list[str]:
    """The checks meant by "1,2" or "steps_have_proof"; numbers count from 1 as displayed.

    Raises ValueError with the word that names none of them.
    """
    chosen: list[str] = []
    for word in text.replace(",", " ").split():
        if word.isascii() and word.isdigit() and 1 <= int(word) <= len(names):
            name = names[int(word) - 1]
        elif word in names:
            name = word
        else:
            raise ValueError(word)
        if name not in chosen:
            chosen.append(name)
    return chosen


# end of module
