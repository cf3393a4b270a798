"""One measured thing, and the table of them."""

from __future__ import annotations

import json
import os
import platform
import tempfile
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


class Row(NamedTuple):
    """A ratio, a share, or a time where the bar is absolute; ``bar`` None is for information.

    ``before`` is the ancestor's published ratio, ``is_least`` says that the bar has to be reached, and
    ``value`` None that nothing could be measured here: then ``note`` says why.
    """

    id: str
    what: str
    value: float | None
    unit: str
    bar: float | None = None
    is_least: bool = False
    before: str = ""
    note: str = ""

    @property
    def holds(self) -> bool | None:
        if self.bar is None or self.value is None:
            return None
        return self.value >= self.bar if self.is_least else self.value <= self.bar


def table(rows: Sequence[Row]) -> str:
    lines = [f"{'':5} {'what':46} {'measured':>15} {'bar':>8} {'ancestor':>9}"]
    for row in rows:
        bar = f"{row.bar:g}" if row.bar is not None else "-"
        mark = {True: "holds", False: "MISSED", None: ""}[row.holds]
        mark = "SKIPPED" if row.value is None else mark
        head = f"{row.id:5} {row.what:46} {_value(row):>15} {bar:>8} {row.before or '-':>9}  {mark}"
        lines.append(head.rstrip() + (f"\n{'':8}{row.note}" if row.note else ""))
    return "\n".join(lines)


def _value(row: Row) -> str:
    if row.value is None:
        return "-"
    digits = max(0, 3 - len(str(int(row.value))))
    return f"{row.value:.{digits}f} {row.unit}".rstrip()


def as_json(rows: Sequence[Row]) -> str:
    described = machine()
    body = [{**row._asdict(), "holds": row.holds, "machine": described} for row in rows]
    return json.dumps(body, indent=1) + "\n"


def machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "system": platform.platform(terse=True),
        "cpus": os.cpu_count(),
    }


def percentile(spent: Sequence[float], share: float) -> float:
    """The value that this share of them does not exceed."""
    return sorted(spent)[min(len(spent) - 1, int(len(spent) * share))]


def report(rows: Sequence[Row]) -> int:
    """Print the table; returns the exit code: 1 if a bar is missed."""
    print(table(rows))
    return 1 if any(row.holds is False for row in rows) else 0


def alone(measure: Callable[[str], Iterable[Row]]) -> int:
    """Run one module's measurements by themselves, in a throwaway folder; returns the exit code."""
    with tempfile.TemporaryDirectory(prefix="edge-", ignore_cleanup_errors=True) as top:
        return report(list(measure(os.path.realpath(top))))
