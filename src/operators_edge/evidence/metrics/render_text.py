"""The numbers for a person: one screen of 80 columns, the session beside the project.

Pure. Does not own the numbers (``evidence.metrics.counts``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators_edge.text.wording import WIDTH, one_line

if TYPE_CHECKING:
    from operators_edge.evidence.metrics.counts import Metrics

_Row = tuple[str, str]

_LEFT: tuple[_Row, ...] = (
    ("TOOL CALLS", ""),
    ("ran", "calls.ran"),
    ("of these failed", "calls.failed"),
    ("warned", "calls.warned"),
    ("blocked", "calls.blocked"),
    ("denied: pending", "calls.denied_pending"),
    ("denied: refused", "calls.denied_refused"),
    ("denied: other", "calls.denied_otherwise"),
    ("approval used", "calls.used_approval"),
    ("dismissal used", "calls.used_dismissal"),
    ("CHECKS", ""),
    ("passed", "checks.passed"),
    ("failed", "checks.failed"),
    ("outcome unknown", "checks.unknown"),
    ("CLEANUP", ""),
    ("orphan evals", "cleanup.orphans"),
    ("stale obligations", "cleanup.stale_obligations"),
    ("old snapshots", "cleanup.snapshots"),
)
_RIGHT: tuple[_Row, ...] = (
    ("JUNCTIONS", ""),
    ("hit", "junctions.hit"),
    ("approved", "junctions.approved"),
    ("skipped, refused", "junctions.skipped"),
    ("dismissed", "junctions.dismissed"),
    ("QUALITY GATE", ""),
    ("runs", "quality_gate.runs"),
    ("failed", "quality_gate.failed"),
    ("overrides: full", "quality_gate.full"),
    ("overrides: checks", "quality_gate.check_specific"),
    ("invalidated", "quality_gate.invalidations"),
    ("STUCK", ""),
    ("triggers", "stuck.triggers"),
    ("recoveries", "stuck.recoveries"),
    ("highest count", "stuck.max_reached"),
    ("HEALTH", ""),
    ("junction drift", "health.drift_events"),
    ("forgeries", "health.forgeries"),
)

_LABEL, _NUMBER, _GAP = 18, 10, 4


def text(project: Metrics, session: Metrics | None, *, name: str) -> str:
    """``name`` is the project's; without a session its column is left out of both halves."""
    entries, sessions = project["record"]["entries"], project["record"]["sessions"]
    counts = f"{entries:,} entries, {sessions:,} sessions"
    lines = [
        one_line(f"Metrics of {name}", WIDTH),
        f"{counts}; {_span(project)}",
    ]
    if session is not None:
        since = f", since {_when(session['session_start'])}"
        lines.append(one_line(f"Session {session['session']}", WIDTH - len(since)) + since)
    for left, right in zip(_LEFT, _RIGHT, strict=True):
        halves = (_cell(left, project, session), _cell(right, project, session))
        lines.append((" " * _GAP).join(halves).rstrip())
    return "\n".join([*lines, _verdict(project)])


def _cell(row: _Row, project: Metrics, session: Metrics | None) -> str:
    label, number = row
    if not number:
        heads = ("session" if session is not None else "", "project")
        return f"{label:<{_LABEL}}{heads[0]:>{_NUMBER}}{heads[1]:>{_NUMBER}}"
    mine = _short(_number(session, number)) if session is not None else ""
    return f" {label:<{_LABEL - 1}}{mine:>{_NUMBER}}{_short(_number(project, number)):>{_NUMBER}}"


def _number(metrics: Metrics, dotted: str) -> int:
    group, name = dotted.split(".")
    return int(metrics[group][name])


def _short(number: int) -> str:
    """A number that fits its column."""
    return f"{number:,}" if number < 10_000_000 else f"{number:.2e}"


def _verdict(project: Metrics) -> str:
    health = project["health"]
    if health["drift_events"]:
        return "Drift: a decision that nothing in the log explains. Look: edge proof verify"
    if health["log_damage"]:
        return f"The log was found damaged {health['log_damage']} times. Look: edge proof verify"
    return "Healthy: every decision in the log is explained by a junction in it."


def _span(project: Metrics) -> str:
    if not project["session_start"]:
        return "nothing happened yet"
    return f"{_when(project['session_start'])} to {_when(project['last_updated'])} UTC"


def _when(value: object) -> str:
    return str(value or "never")[:16].replace("T", " ")
