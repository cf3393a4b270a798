"""The numbers for a person: one screen, the session beside the project.

Pure. Does not own the numbers (``evidence.metrics.counts``).
"""

from __future__ import annotations

from itertools import zip_longest

from operators_edge.evidence.metrics.counts import GROUPS
from operators_edge.text.markup import wrapped
from operators_edge.text.wording import WIDTH, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from operators_edge.evidence.metrics.counts import Metrics

_LEFT = ("calls", "checks", "cleanup")
_RIGHT = ("junctions", "quality_gate", "stuck", "health")
_NOT_SHOWN = frozenset(
    {
        *("checks.run", "quality_gate.overrides"),  # sums of what is shown
        *("health.tampering", "health.recoveries", "health.log_damage"),
    }
)
_LABEL, _NUMBER, _GAP = 18, 10, 4


def text(
    project: Metrics,
    session: Metrics | None,
    *,
    name: str,
    missing: str = "",
    width: int = WIDTH,
) -> str:
    """``name`` is the project's; without a session its column is left out of both halves.

    ``missing`` says that the log was cut: then the numbers say little. Where ``width`` does not hold two
    halves, one follows the other.
    """
    entries, sessions = project["record"]["entries"], project["record"]["sessions"]
    counts = f"{entries:,} entries, {sessions:,} sessions"
    lines = [
        one_line(f"Metrics of {name}", WIDTH),
        f"{counts}; {_span(project)}",
    ]
    if session is not None:
        since = f", since {_when(session['session_start'])}"
        lines.append(one_line(f"Session {session['session']}", WIDTH - len(since)) + since)
    if not project["record"]["entries"] and not missing:
        return "\n".join([*lines, "Start your agent, then look again."])
    if width < WIDTH:
        lines += _half((*_LEFT, *_RIGHT), project, session)
        return "\n".join([*lines, *wrapped(verdict(project, missing), width)])
    halves = (_half(groups, project, session) for groups in (_LEFT, _RIGHT))
    for left, right in zip_longest(*halves, fillvalue=""):
        lines.append(f"{left:<{_LABEL + 2 * _NUMBER + _GAP}}{right}".rstrip())
    return "\n".join([*lines, verdict(project, missing)])


def _half(groups: tuple[str, ...], project: Metrics, session: Metrics | None) -> Iterator[str]:
    for group in groups:
        yield _row(group.replace("_", " ").upper(), "session" if session else "", "project")
        for name in GROUPS[group]:
            if f"{group}.{name}" not in _NOT_SHOWN:
                mine = _short(session[group][name]) if session else ""
                yield _row(f" {name.replace('_', ' ')}", mine, _short(project[group][name]))


def _row(label: str, mine: str, whole: str) -> str:
    return f"{label:<{_LABEL}}{mine:>{_NUMBER}}{whole:>{_NUMBER}}"


def _short(number: int) -> str:
    """A number that fits its column."""
    return f"{number:,}" if number < 10_000_000 else f"{number:.2e}"


def verdict(project: Metrics, missing: str = "") -> str:
    health = project["health"]
    if missing:
        return f"Incomplete: {missing}. Run: edge log verify"
    if health["drift_events"]:
        return "Drift: a decision that nothing in the log explains. Look: edge log verify"
    if health["log_damage"]:
        return f"The log was found damaged {health['log_damage']} times. Look: edge log verify"
    return "Healthy: every decision in the log is explained by a junction in it."


def _span(project: Metrics) -> str:
    if not project["session_start"]:
        return "nothing happened yet"
    return f"{_when(project['session_start'])} to {_when(project['last_updated'])} UTC"


def _when(value: object) -> str:
    return str(value or "never")[:16].replace("T", " ")


# end of module
