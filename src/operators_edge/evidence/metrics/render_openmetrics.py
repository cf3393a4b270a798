"""The numbers for a scraper, as OpenMetrics text 1.0.

Pure. Source: https://prometheus.io/docs/specs/om/open_metrics_spec/. Does not own the numbers
(``evidence.metrics.counts``).
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from operators_edge.evidence.metrics.counts import Metrics


class _Family(NamedTuple):
    """One counter: ``samples`` are its label's values, each with the number that it is."""

    name: str
    help: str
    samples: Mapping[str, str]
    label: str = ""


_COUNTERS = (
    _Family("log_entries", "Entries of the proof log.", {"": "record.entries"}),
    _Family("sessions", "Sessions that began.", {"": "record.sessions"}),
    _Family("prompts", "Prompts that went to the agent.", {"": "work.prompts"}),
    _Family("calls", "Tool calls that ran.", {"": "calls.ran"}),
    _Family("calls_failed", "Tool calls that ran and failed.", {"": "calls.failed"}),
    _Family(
        "calls_stopped",
        "Tool calls that were not let through, by the reason.",
        {
            "blocked": "calls.blocked",
            "decision_pending": "calls.denied_pending",
            "refused": "calls.denied_refused",
            "undecidable": "calls.denied_otherwise",
        },
        "reason",
    ),
    _Family("calls_warned", "Tool calls let through with a warning.", {"": "calls.warned"}),
    _Family(
        "calls_granted",
        "Risky tool calls let through by what a person had decided before.",
        {"approval": "calls.used_approval", "dismissal": "calls.used_dismissal"},
        "by",
    ),
    _Family("junctions", "Decisions that a person was asked for.", {"": "junctions.hit"}),
    _Family(
        "junctions_decided",
        "Decisions that a person took, dialogs of the client included.",
        {
            "approved": "junctions.approved",
            "skipped": "junctions.skipped",
            "dismissed": "junctions.dismissed",
        },
        "decision",
    ),
    _Family("dialogs", "Questions in the client's own dialog.", {"": "dialogs.asked"}),
    _Family(
        "quality_gate_runs",
        "Runs of the quality gate, by the outcome.",
        {"passed": "quality_gate.passed", "failed": "quality_gate.failed"},
        "outcome",
    ),
    _Family(
        "quality_gate_overrides",
        "Overrides of the quality gate by a person.",
        {"full": "quality_gate.full", "check_specific": "quality_gate.check_specific"},
        "mode",
    ),
    _Family(
        "quality_gate_override_invalidations",
        "Overrides that ended with their session or objective.",
        {"": "quality_gate.invalidations"},
    ),
    _Family(
        "checks",
        "Tests, linters, type checkers and builds that ran, by the outcome.",
        {"passed": "checks.passed", "failed": "checks.failed", "unknown": "checks.unknown"},
        "outcome",
    ),
    _Family("steps_completed", "Steps marked as completed.", {"": "work.steps_completed"}),
    _Family("objectives", "Objectives that were set.", {"": "work.objectives"}),
    _Family("snapshots", "Snapshots before destructive calls.", {"": "work.snapshots"}),
    _Family("undone", "Snapshots brought back.", {"": "work.undone"}),
    _Family("trashed", "Paths moved to the trash.", {"": "work.trashed"}),
    _Family("stuck_triggers", "Loops found stuck.", {"": "stuck.triggers"}),
    _Family("stuck_recoveries", "Loops freed by a change of the plan.", {"": "stuck.recoveries"}),
    _Family(
        "cleanups",
        "What was left behind and cleared away.",
        {
            "orphans": "cleanup.orphans",
            "stale_obligations": "cleanup.stale_obligations",
            "snapshots": "cleanup.snapshots",
        },
        "kind",
    ),
    _Family(
        "junction_drift_events",
        "Decisions or uses of one that nothing in the log explains; 0 is healthy.",
        {"": "health.drift_events"},
    ),
    _Family("forgeries", "Attempts of an agent to decide.", {"": "health.forgeries"}),
    _Family("tampering", "Checks that were seen to lose something.", {"": "health.tampering"}),
    _Family("transaction_recoveries", "Changes finished after a crash.", {"": "health.recoveries"}),
    _Family("log_damage", "Damage that was found in the log.", {"": "health.log_damage"}),
)
_TIMES = {
    "session_start": ("session_start", "When the first entry was logged."),
    "last_updated": ("last_entry", "When the last entry was logged."),
}


def text(metrics: Metrics, labels: dict[str, str]) -> str:
    """One exposition of one scope; ``labels`` stand at every sample."""
    lines: list[str] = []
    for name, about, samples, label in _COUNTERS:
        lines += _header(name, "counter", about)
        for value, number in samples.items():
            own = {**labels, label: value} if label else labels
            lines.append(f"edge_{name}_total{_labels(own)} {_number(metrics, number)}")
    lines += _header("stuck_highest_count", "gauge", "Highest count seen on the way to stuck.")
    lines.append(f"edge_stuck_highest_count{_labels(labels)} {metrics['stuck']['max_reached']}")
    for key, (what, about) in _TIMES.items():
        name = f"{what}_timestamp_seconds"
        lines += _header(name, "gauge", about, unit="seconds")
        with suppress(ValueError):  # there is none before the first entry
            seconds = datetime.fromisoformat(str(metrics[key])).timestamp()
            lines.append(f"edge_{name}{_labels(labels)} {seconds}")
    return "\n".join([*lines, "# EOF"]) + "\n"


def _header(name: str, kind: str, about: str, *, unit: str = "") -> Iterator[str]:
    yield f"# TYPE edge_{name} {kind}"
    if unit:
        yield f"# UNIT edge_{name} {unit}"
    yield f"# HELP edge_{name} {about}"


def _number(metrics: Metrics, dotted: str) -> int:
    group, name = dotted.split(".")
    numbers: dict[str, int] = metrics[group]
    if dotted == "quality_gate.passed":
        return numbers["runs"] - numbers["failed"]
    return numbers[name]


def _labels(labels: dict[str, str]) -> str:
    if not labels:
        return ""
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items()) + "}"


def _escaped(value: str) -> str:
    """As the format asks; a surrogate, which stands for a byte that is no UTF-8, as its escape."""
    text = value.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
    return text.encode("utf-8", "backslashreplace").decode()
