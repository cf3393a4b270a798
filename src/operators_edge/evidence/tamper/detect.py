"""How a change weakens the checks: tests, assertions, lint and CI configuration, hooks (PR-8).

Pure: texts before and after in, findings out. What may be ordinary work is of low severity, or not a finding.
Does not own how tests are parsed (``test_cases``), what an assertion demands (``assertions``), configuration
(``config_weakening``) or commands (``bypass_options``).
"""

from __future__ import annotations

import re
from collections import Counter

from operators_edge.evidence.tamper import assertions, config_weakening, test_cases
from operators_edge.evidence.tamper.model import Finding
from operators_edge.text.wording import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from operators_edge.evidence.tamper.model import Case, Change, Severity, Suite

DETAIL_LIMIT = 160
MAX_FINDINGS = 20
"""Of one comparison; further ones are dropped."""

MAX_SUCCESSORS = 60
"""New tests of a file that are compared with a missing one."""


def findings_of(changes: Sequence[Change]) -> tuple[Finding, ...]:
    """What these changes weaken together; what moved from one file to another is not weakened."""
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
"""Characters of a line that are read: longer ones are generated."""


def _narrow(text: str | None) -> str | None:
    if text is None or len(text) <= LONGEST_LINE:
        return text
    return "\n".join(line[:LONGEST_LINE] for line in text.split("\n"))


def _bounded(found: Iterable[Finding]) -> list[Finding]:
    unique = {each.key: each for each in reversed(list(found))}
    kept = list(reversed(unique.values()))[:MAX_FINDINGS]
    return [each._replace(detail=one_line(each.detail, DETAIL_LIMIT)) for each in kept]


_DEFINED = re.compile(
    r"^[ \t]*(?:[\w@]+[ \t]+){0,6}?(?:def|defp|class|function|func|fn|fun"
    r"|interface|struct|type|const|trait|module|enum)[ \t]+"
    r"(?:\([^()\n]*\)[ \t]*)?(?:self\.)?([A-Za-z_]\w{2,})",
    re.MULTILINE,
)


class _Batch:
    """Changes compared together: what is missing in one file may be in another now."""

    def __init__(self, changes: Sequence[Change]) -> None:
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
        self.deleted = self._deleted_definitions()

    def _deleted_definitions(self) -> frozenset[str]:
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
            successor = _successor(case, gained)
            if successor is None:
                lost.append(case)
            else:
                gained.remove(successor)
                pairs.append((case, successor))
        found = self._lost(
            change, [case for case in lost if not self._is_kept(case, gained, pairs)], old
        )
        found += _switched(change.path, old, new, pairs)
        for before, after in pairs:
            found += self._of_case(change.path, before, after, new)
        return found

    def _is_kept(self, case: Case, gained: list[Case], pairs: list[tuple[Case, Case]]) -> bool:
        """Whether the test was moved, merged with others, or was a second copy."""
        if self.new_names[case.name] > 0:
            return True
        if case.assertions and all(self.tested[each] > 0 for each in case.assertions):
            return True
        about = frozenset().union(*map(assertions.words, case.assertions or case.lines))
        new_lines = [line for each in gained for line in each.lines]
        new_lines += [line for one, two in pairs for line in set(two.lines) - set(one.lines)]
        now = frozenset().union(*map(assertions.words, new_lines))
        return bool(about) and len(about & now) / len(about) >= 0.8

    def _lost(self, change: Change, lost: list[Case], old: Suite) -> list[Finding]:
        if not lost:
            return []
        low = {case.name for case in lost if self._is_subject_deleted(case)}
        if change.after is None:
            is_low = len(low) == len(lost) or self._is_subject_file_deleted(change.path)
            detail = f"it held {len(old.tests)} tests"
            return [
                Finding("test_file_deleted", change.path, "", detail, "low" if is_low else "normal")
            ]
        if len(lost) > 3:
            names = ", ".join(case.name for case in lost[:3])
            detail = f"{len(lost)} of {len(old.tests)}: {names} …"
            severity: Severity = "low" if len(low) == len(lost) else "normal"
            return [Finding("test_deleted", change.path, "", detail, severity)]
        return [
            Finding(
                "test_deleted",
                change.path,
                _full_name(case),
                "its subject was deleted too" if case.name in low else "",
                "low" if case.name in low else "normal",
            )
            for case in lost
        ]

    def _is_subject_deleted(self, case: Case) -> bool:
        named = set(re.findall(r"[A-Za-z_]\w{2,}", " ".join(case.lines)))
        plain = re.sub(r"\W|_", "", case.name).lower()
        return any(
            each in named or (len(each) > 4 and each.replace("_", "").lower() in plain)
            for each in self.deleted
        )

    def _is_subject_file_deleted(self, path: str) -> bool:
        stem = _stem(path)
        return any(
            each.after is None and each.path != path and stem and _stem(each.path) == stem
            for each in self.changes
        )

    def _of_case(self, path: str, before: Case, after: Case, suite: Suite) -> list[Finding]:
        if before.skips or after.skips:
            return []  # a test that is not run asserts nothing
        found = []
        if after.returns_first and not before.returns_first:
            found.append(Finding("test_skipped", path, _full_name(after), "it returns at once"))
        if after.suppressed > before.suppressed:
            detail = "a failing assertion is caught and dropped"
            found.append(Finding("assertion_weakened", path, _full_name(after), detail))
        lost = list((Counter(before.assertions) - Counter(after.assertions)).elements())
        if lost and not suite.helpers & (after.calls - before.calls):
            found += self._of_assertions(path, before, after, lost)
        return found

    def _of_assertions(
        self, path: str, before: Case, after: Case, lost: list[str]
    ) -> list[Finding]:
        added = list((Counter(after.assertions) - Counter(before.assertions)).elements())
        if any(map(assertions.is_helper, added)):
            return []  # they may have moved into it
        found = []
        pairs = assertions.weakened(lost, added)
        if pairs:
            old, new = pairs[0]
            detail = f"{old} → {new}" if len(old) + len(new) < DETAIL_LIMIT else f"now: {new}"
            found.append(Finding("assertion_weakened", path, _full_name(after), detail))
        fewer = len(before.assertions) - len(after.assertions)
        if after.is_table and not before.is_table:
            fewer = 0  # each former line is a row of the table
        if fewer > 0:
            lost = [each for each in lost if self.after[each] < self.before[each]]
            left = assertions.unmatched(lost, added, set(after.lines) - set(before.lines))
            count = min(fewer, len(left))
            if count:
                detail = f"{count} of {len(before.assertions)}"
                is_low = all(self._is_about_deleted(each) for each in left)
                severity: Severity = "low" if is_low else "normal"
                found.append(
                    Finding("assertion_removed", path, _full_name(after), detail, severity)
                )
        return found

    def _is_about_deleted(self, assertion: str) -> bool:
        return not self.deleted.isdisjoint(re.findall(r"\w+", assertion))


def _by_name(cases: Iterable[Case]) -> dict[tuple[str, int], Case]:
    """Cases by name and, of those with the same name, by number."""
    seen: Counter[str] = Counter()
    named = {}
    for case in cases:
        name = _full_name(case)
        named[name, seen[name]] = case
        seen[name] += 1
    return named


def _full_name(case: Case) -> str:
    return f"{case.group}::{case.name}" if case.group else case.name


def _successor(case: Case, gained: list[Case]) -> Case | None:
    """The new case that is the old one with another name."""
    gained = gained[:MAX_SUCCESSORS]
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
    """Cases and groups that are skipped now, or that exclude others."""
    before, after = _by_name(old.groups), _by_name(new.groups)
    groups = [(case, after[key]) for key, case in before.items() if key in after]
    found = [
        Finding("test_skipped", path, _full_name(now), f"{now.skips[0]} added")
        for was, now in [*groups, *pairs]
        if now.skips and not was.skips
    ]
    focused = next((case for case in new.cases if case.focuses), None)
    if focused and not any(case.focuses for case in old.cases):
        detail = f"{focused.focuses[0]} added"
        found.append(Finding("test_focused", path, _full_name(focused), detail))
    return found


_TEST_AFFIX = re.compile(r"(?i)^test_|[._-]?(?:tests?|spec)$")


def _stem(path: str) -> str:
    name = path.rsplit("/", 1)[-1].split(".", 1)[0]
    return _TEST_AFFIX.sub("", name).lower()


# end of module
