"""What is compared and what is found: a file's change, its test cases, and findings, also as text."""

from __future__ import annotations

from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Literal

    Severity = Literal["normal", "low"]


SUPPRESSION = pattern("noqa|ignore|disable|no cover|nocheck|nolint|skip-file|allow\\(")
"""In every text that suppresses a check, and in some others."""


class Change(NamedTuple):
    """A file before and after, its path relative to the root; None if it did not exist."""

    path: str
    before: str | None
    after: str | None


class Finding(NamedTuple):
    """One weakened check; ``name`` is a test or a setting in the file, "" for the file itself."""

    kind: str
    path: str
    name: str = ""
    detail: str = ""
    severity: Severity = "normal"

    @property
    def key(self) -> str:
        """The same for the same test or setting, whatever the detail."""
        return f"{self.kind}\n{self.path}\n{self.name}"


class Case(NamedTuple):
    """One test, or a group of them (a class, a describe block, the file itself: then without assertions).

    ``group`` contains it, outermost first; ``is_table``: it runs for many values. ``lines`` is its text
    without its name and indentation; ``calls`` what it calls; ``suppressed`` counts places where a failing
    assertion would be caught and dropped.
    """

    name: str
    is_group: bool = False
    group: str = ""
    is_table: bool = False
    lines: tuple[str, ...] = ()
    assertions: tuple[str, ...] = ()
    skips: tuple[str, ...] = ()
    focuses: tuple[str, ...] = ()
    calls: frozenset[str] = frozenset()
    returns_first: bool = False
    suppressed: int = 0


class Suite(NamedTuple):
    """A file's cases, and every assertion in it, including those of helpers.

    ``helpers`` are functions of the file that assert and are not tests.
    """

    cases: tuple[Case, ...]
    assertions: tuple[str, ...] = ()
    helpers: frozenset[str] = frozenset()

    @property
    def tests(self) -> tuple[Case, ...]:
        return tuple(case for case in self.cases if not case.is_group)

    @property
    def groups(self) -> tuple[Case, ...]:
        return tuple(case for case in self.cases if case.is_group)


# -- for people ------------------------------------------------------------------------------------

LABELS = {
    "test_file_deleted": "test file deleted",
    "test_deleted": "test deleted",
    "test_skipped": "test skipped",
    "test_focused": "other tests left out",
    "assertion_removed": "assertions removed",
    "assertion_weakened": "assertion weakened",
    "failure_ignored": "failure ignored",
    "tests_deselected": "tests left out",
    "hooks_skipped": "hooks skipped",
    "hooks_removed": "hooks removed",
    "check_removed": "check removed",
    "coverage_lowered": "coverage threshold lowered",
    "checks_loosened": "lint or type checks loosened",
    "checks_suppressed": "lint or type checks suppressed",
    "snapshots_regenerated": "snapshots regenerated",
    "guard_loosened": "this guard loosened",
}


def describe(data: Mapping[str, Any]) -> str:
    """One logged finding, as text."""
    label = LABELS.get(str(data.get("kind")), str(data.get("kind")))
    place = "::".join(
        part for part in (str(data.get("path") or ""), str(data.get("name") or "")) if part
    )
    detail = f"({data['detail']})" if data.get("detail") else ""
    return f"{label}: {' '.join(part for part in (place, detail) if part)}"


def summary(seen: Sequence[Mapping[str, Any]], size: int = 3) -> list[str]:
    """The latest few of the observed findings in a line, nothing for none."""
    if not seen:
        return []
    more = f"; and {len(seen) - size} more" if len(seen) > size else ""
    return ["; ".join(describe(each) for each in seen[-size:]) + more]


# end of module
