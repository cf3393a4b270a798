"""The numbers for a scraper, as OpenMetrics text 1.0.

Pure. Source: https://prometheus.io/docs/specs/om/open_metrics_spec/. Does not own the numbers
(``evidence.metrics.counts``).
"""

from __future__ import annotations

from contextlib import suppress

from operators_edge.datetimes import datetime
from operators_edge.evidence.metrics.counts import GROUPS, HIGHEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.evidence.metrics.counts import Metrics

_TIMES = {
    "session_start": ("session_start", "When the first entry was logged."),
    "last_updated": ("last_entry", "When the last entry was logged."),
}


def text(metrics: Metrics, labels: dict[str, str]) -> str:
    """One exposition of one scope; ``labels`` stand at every sample."""
    listed = _labels(labels)
    lines: list[str] = []
    for group, names in GROUPS.items():
        for name, about in names.items():
            is_gauge = f"{group}.{name}" in HIGHEST
            lines += _header(f"{group}_{name}", "gauge" if is_gauge else "counter", about)
            sample = f"edge_{group}_{name}" if is_gauge else f"edge_{group}_{name}_total"
            lines.append(f"{sample}{listed} {metrics[group][name]}")
    for key, (what, about) in _TIMES.items():
        name = f"{what}_timestamp_seconds"
        lines += [*_header(name, "gauge", about), f"# UNIT edge_{name} seconds"]
        with suppress(ValueError):  # there is none before the first entry
            seconds = datetime.fromisoformat(str(metrics[key])).timestamp()
            lines.append(f"edge_{name}{listed} {seconds}")
    return "\n".join([*lines, "# EOF"]) + "\n"


def _header(name: str, kind: str, about: str) -> list[str]:
    return [f"# TYPE edge_{name} {kind}", f"# HELP edge_{name} {about}"]


def _labels(labels: dict[str, str]) -> str:
    if not labels:
        return ""
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items()) + "}"


def _escaped(value: str) -> str:
    """As the format asks; a surrogate, which stands for a byte outside UTF-8, as its escape."""
    text = value.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
    return text.encode("utf-8", "backslashreplace").decode()


# end of module
