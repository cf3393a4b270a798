"""What is compared and what is found: a file's change, its test cases, and one finding. Values only."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple


class Change(NamedTuple):
    """A file before and after, its path relative to the root; None where there is none."""

    path: str
    before: str | None
    after: str | None


class Finding(NamedTuple):
    """``name`` is what of the file it is about (a test, a setting); "" for the file itself."""

    kind: str
    path: str
    name: str = ""
    detail: str = ""
    severity: Literal["normal", "low"] = "normal"

    @property
    def key(self) -> str:
        """The same for the same thing seen again, also in other words."""
        return f"{self.kind}\n{self.path}\n{self.name}"

    def as_data(self) -> dict[str, Any]:
        return self._asdict()


class Case(NamedTuple):
    """One test, or a group of them (a class, a describe block, the file itself: then without assertions).

    ``group`` is what it stands in, outermost first; ``is_table``: one text is run for many values.
    ``lines`` is its text without its name and indentation; ``calls`` what it calls; ``swallowed`` counts
    places where a failing assertion would be caught and dropped.
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
    swallowed: int = 0


class Suite(NamedTuple):
    """A file's cases, and every assertion in it, also those in helpers.

    ``helpers`` are functions of the file that assert and are no tests.
    """

    cases: tuple[Case, ...]
    assertions: tuple[str, ...] = ()
    helpers: frozenset[str] = frozenset()

    @property
    def tests(self) -> tuple[Case, ...]:
        return tuple(case for case in self.cases if not case.is_group)
