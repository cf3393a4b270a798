"""What a change takes away from the checks: tests, assertions, lint and CI configuration, hooks (PR-8).

Pure: texts before and after in, findings out. Says what is there, and accuses nobody: what may as well be
ordinary work is of low severity or none. Does not own how tests look (``evidence.tamper.test_cases``), what
an assertion demands (``evidence.tamper.assertions``), what configuration says
(``evidence.tamper.config_weakening``) or what commands leave out (``evidence.tamper.bypass_options``).
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Literal

from operators_edge.evidence.tamper.model import Finding
from operators_edge.text.wording import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from operators_edge.evidence.tamper.model import Case, Change, Suite

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
DETAIL_LIMIT = 160
MOST_FINDINGS = 20
"""More from one look are not kept: they say no more than these."""


MOST_HEIRS = 60
"""New tests of a file in which the old one is looked for."""


def text(data: dict[str, Any]) -> str:
    """One finding, as ``as_data`` gave it, for a person."""
    label = LABELS.get(str(data.get("kind")), str(data.get("kind")))
    where = "::".join(
        part for part in (str(data.get("path") or ""), str(data.get("name") or "")) if part
    )
    detail = f"({data['detail']})" if data.get("detail") else ""
    return f"{label}: {' '.join(part for part in (where, detail) if part)}"


def summary(seen: Sequence[dict[str, Any]], most: int = 3) -> list[str]:
    """The latest few of ``observations.tampering`` in a line, nothing for none."""
    if not seen:
        return []
    more = f"; and {len(seen) - most} more" if len(seen) > most else ""
    return ["; ".join(text(each) for each in seen[-most:]) + more]


_MARKS = re.compile(
    r"noqa|type:\s*ignore|eslint-disable|@ts-(?:ignore|nocheck)|mypy:\s*ignore-errors|nolint|rubocop:disable"
    r"|pylint:\s*(?:disable|skip-file)|pragma:\s*no cover|(?:istanbul|c8|v8) ignore"
    r"|@phpstan-ignore|biome-ignore"
)


def is_watched(path: str, after: str | None = None) -> bool:
    """Whether a change of this file could take something away from the checks."""
    from operators_edge.evidence.tamper import config_weakening, test_cases  # noqa: PLC0415 - a look, for edits alone

    if test_cases.language(path) or config_weakening.is_configuration(path):
        return True
    return _MARKS.search(after or "") is not None


def of_changes(changes: Sequence[Change]) -> tuple[Finding, ...]:
    """What these changes, made together, take away; what moved from one file to another is kept."""
    from operators_edge.evidence.tamper import config_weakening, test_cases  # noqa: PLC0415 - see above

    changes = [
        each._replace(before=_narrow(each.before), after=_narrow(each.after)) for each in changes
    ]
    batch = _Batch(changes)
    found: list[Finding] = []
    for change in changes:
        if change.before is None or change.before == change.after:
            continue
        if test_cases.language(change.path):
            found += batch.of_tests(change)
        found += config_weakening.of_change(change, *batch.elsewhere(change))
    return tuple(_bounded(found))


LONGEST_LINE = 500
"""Characters of a line that are read: longer ones are generated, and would cost more than they tell."""


def _narrow(text: str | None) -> str | None:
    if text is None or len(text) <= LONGEST_LINE:
        return text
    return "\n".join(line[:LONGEST_LINE] for line in text.split("\n"))


def _bounded(found: Iterable[Finding]) -> list[Finding]:
    unique = {each.key: each._replace(detail=_cut(each.detail)) for each in reversed(list(found))}
    return list(reversed(unique.values()))[:MOST_FINDINGS]


def _cut(detail: str) -> str:
    return one_line(detail, DETAIL_LIMIT)


_DEFINED = re.compile(
    r"^[ \t]*(?:[\w@]+[ \t]+){0,6}?(?:def|defp|class|function|func|fn|fun"
    r"|interface|struct|type|const|trait|module|enum)[ \t]+"
    r"(?:\([^()\n]*\)[ \t]*)?(?:self\.)?([A-Za-z_]\w{2,})",
    re.MULTILINE,
)


class _Batch:
    """Changes seen together: what is gone in one file may stand in another now."""

    def __init__(self, changes: Sequence[Change]) -> None:
        from operators_edge.evidence.tamper import test_cases  # noqa: PLC0415 - see above

        self.changes = changes
        self.suites = {
            each.path: (
                test_cases.suite(each.path, each.before),
                test_cases.suite(each.path, each.after),
            )
            for each in changes
            if test_cases.language(each.path)
        }
        self.before, self.after, self.tested = Counter[str](), Counter[str](), Counter[str]()
        old_names, new_names = Counter[str](), Counter[str]()
        for old, new in self.suites.values():
            if old is not None and new is not None:
                self.before.update(old.assertions)
                self.after.update(new.assertions)
                self.tested.update(each for case in new.tests for each in case.assertions)
                old_names.update(case.name for case in old.tests)
                new_names.update(case.name for case in new.tests)
        self.new_names = new_names - old_names
        self.gone = self._gone_definitions()

    def _gone_definitions(self) -> frozenset[str]:
        from operators_edge.evidence.tamper import test_cases  # noqa: PLC0415 - see above

        before: set[str] = set()
        after: set[str] = set()
        for each in self.changes:
            if test_cases.language(each.path) in (
                "",
                "rust",
            ):  # Rust keeps tests beside their subject
                before.update(_DEFINED.findall(each.before or ""))
                after.update(_DEFINED.findall(each.after or ""))
        tests = {case.name for pair in self.suites.values() if pair[0] for case in pair[0].cases}
        return frozenset(before - after - tests)

    def elsewhere(self, change: Change) -> tuple[str, str]:
        """The lines that the other files gained, and those that they lost."""
        gained: list[str] = []
        lost: list[str] = []
        for each in self.changes:
            if each.path != change.path:
                before, after = (set((text or "").split("\n")) for text in each[1:])
                gained += after - before
                lost += before - after
        return "\n".join(gained), "\n".join(lost)

    # -- tests -----------------------------------------------------------------------------------

    def of_tests(self, change: Change) -> list[Finding]:
        old, new = self.suites[change.path]
        if old is None or new is None:
            return []
        old_tests, new_tests = _by_name(old.tests), _by_name(new.tests)
        gained = [case for key, case in new_tests.items() if key not in old_tests]
        pairs = [(case, new_tests[key]) for key, case in old_tests.items() if key in new_tests]
        lost = []
        for key, case in old_tests.items():
            if key in new_tests:
                continue
            heir = _heir(case, gained)
            if heir is None:
                lost.append(case)
            else:
                gained.remove(heir)
                pairs.append((case, heir))
        found = self._lost(
            change, [case for case in lost if not self._lives_on(case, gained, pairs)], old
        )
        found += _switched(change.path, old, new, pairs)
        for before, after in pairs:
            found += self._of_case(change.path, before, after, new)
        return found

    def _lives_on(self, case: Case, gained: list[Case], pairs: list[tuple[Case, Case]]) -> bool:
        """Moved to another file, merged with others, or a second copy of one that stays."""
        if self.new_names[case.name] > 0:
            return True
        if case.assertions and all(self.tested[each] > 0 for each in case.assertions):
            return True
        from operators_edge.evidence.tamper import assertions  # noqa: PLC0415 - for tests that are gone

        about = frozenset().union(*map(assertions.words, case.assertions or case.lines))
        new_lines = [line for each in gained for line in each.lines]
        new_lines += [line for one, two in pairs for line in set(two.lines) - set(one.lines)]
        now = frozenset().union(*map(assertions.words, new_lines))
        return bool(about) and len(about & now) / len(about) >= 0.8

    def _lost(self, change: Change, lost: list[Case], old: Suite) -> list[Finding]:
        if not lost:
            return []
        low = {case.name for case in lost if self._subject_is_gone(case)}
        if change.after is None:
            is_low = len(low) == len(lost) or self._is_subject_file_gone(change.path)
            detail = f"it held {len(old.tests)} tests"
            return [
                Finding("test_file_deleted", change.path, "", detail, "low" if is_low else "normal")
            ]
        if len(lost) > 3:
            names = ", ".join(case.name for case in lost[:3])
            detail = f"{len(lost)} of {len(old.tests)}: {names} …"
            severity: Literal["normal", "low"] = "low" if len(low) == len(lost) else "normal"
            return [Finding("test_deleted", change.path, "", detail, severity)]
        return [
            Finding(
                "test_deleted",
                change.path,
                _full(case),
                "what it tests is gone too" if case.name in low else "",
                "low" if case.name in low else "normal",
            )
            for case in lost
        ]

    def _subject_is_gone(self, case: Case) -> bool:
        named = set(re.findall(r"[A-Za-z_]\w{2,}", " ".join(case.lines)))
        plain = re.sub(r"\W|_", "", case.name).lower()
        return any(
            each in named or (len(each) > 4 and each.replace("_", "").lower() in plain)
            for each in self.gone
        )

    def _is_subject_file_gone(self, path: str) -> bool:
        stem = _stem(path)
        return any(
            each.after is None and each.path != path and stem and _stem(each.path) == stem
            for each in self.changes
        )

    def _of_case(self, path: str, before: Case, after: Case, suite: Suite) -> list[Finding]:
        if before.skips or after.skips:
            return []  # what is not run asserts nothing
        found = []
        if after.returns_first and not before.returns_first:
            found.append(Finding("test_skipped", path, _full(after), "it returns at once"))
        if after.swallowed > before.swallowed:
            detail = "a failing assertion is caught and dropped"
            found.append(Finding("assertion_weakened", path, _full(after), detail))
        lost = list((Counter(before.assertions) - Counter(after.assertions)).elements())
        if lost and not suite.helpers & (after.calls - before.calls):
            found += self._of_assertions(path, before, after, lost)
        return found

    def _of_assertions(
        self, path: str, before: Case, after: Case, lost: list[str]
    ) -> list[Finding]:
        from operators_edge.evidence.tamper import assertions  # noqa: PLC0415 - for assertions that changed

        added = list((Counter(after.assertions) - Counter(before.assertions)).elements())
        if any(map(assertions.is_helper, added)):
            return []  # they may have moved into it
        found = []
        pairs = assertions.weakened(lost, added)
        if pairs:
            old, new = pairs[0]
            detail = f"{old} → {new}" if len(old) + len(new) < DETAIL_LIMIT else f"now: {new}"
            found.append(Finding("assertion_weakened", path, _full(after), detail))
        fewer = len(before.assertions) - len(after.assertions)
        if after.is_table and not before.is_table:
            fewer = 0  # what stood in a line each stands in a row each
        if fewer > 0:
            lost = [each for each in lost if self.after[each] < self.before[each]]
            left = assertions.gone(lost, added, set(after.lines) - set(before.lines))
            count = min(fewer, len(left))
            if count:
                detail = f"{count} of {len(before.assertions)}"
                is_low = all(self._is_about_gone(each) for each in left)
                severity: Literal["normal", "low"] = "low" if is_low else "normal"
                found.append(Finding("assertion_removed", path, _full(after), detail, severity))
        return found

    def _is_about_gone(self, assertion: str) -> bool:
        return not self.gone.isdisjoint(re.findall(r"\w+", assertion))


def _by_name(cases: Iterable[Case]) -> dict[tuple[str, int], Case]:
    """Cases by name and, of those with the same name, by number."""
    seen: Counter[str] = Counter()
    named = {}
    for case in cases:
        name = _full(case)
        named[name, seen[name]] = case
        seen[name] += 1
    return named


def _full(case: Case) -> str:
    return f"{case.group}::{case.name}" if case.group else case.name


def _heir(case: Case, gained: list[Case]) -> Case | None:
    """The new case that is the old one under another name."""
    gained = gained[:MOST_HEIRS]
    mine = set(case.lines)
    best, most = None, 0.6
    for each in gained:
        theirs = set(each.lines)
        both = len(mine & theirs) / max(len(mine | theirs), 1)
        if both >= most:
            best, most = each, both
    if best is None and case.assertions:
        best = next((each for each in gained if set(case.assertions) <= set(each.assertions)), None)
    return best


def _switched(path: str, old: Suite, new: Suite, pairs: list[tuple[Case, Case]]) -> list[Finding]:
    """Cases and groups that were run before and are switched off, or leave others out."""
    groups_before, groups_after = (
        _by_name(case for case in suite.cases if case.is_group) for suite in (old, new)
    )
    both = [(case, groups_after[key]) for key, case in groups_before.items() if key in groups_after]
    found = []
    for before, after in [*both, *pairs]:
        marks = Counter(after.skips) - Counter(before.skips)
        if marks and not before.skips:
            found.append(Finding("test_skipped", path, _full(after), f"{next(iter(marks))} added"))
    focused = [case for case in new.cases if case.focuses]
    if focused and not any(case.focuses for case in old.cases):
        detail = f"{focused[0].focuses[0]} added"
        found.append(Finding("test_focused", path, _full(focused[0]), detail))
    return found


_TEST_AFFIX = re.compile(r"(?i)^test_|[._-]?(?:tests?|spec)$")


def _stem(path: str) -> str:
    name = path.rsplit("/", 1)[-1].split(".", 1)[0]
    return _TEST_AFFIX.sub("", name).lower()
