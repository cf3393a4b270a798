"""Whether a test run passed because its tests were changed: what failed before is not run any more, or is
not what it was.

Pure. Judged by what was observed: how many tests two runs judged, and which files changed between them. What
the texts of these files show is in ``evidence.tamper``.
"""

from __future__ import annotations

import re

from operators_edge.evidence.claims import check_history
from operators_edge.evidence.claims.parsing import words
from operators_edge.text.patterns import pattern
from operators_edge.text.wording import many
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from operators_edge.evidence.checks.run import Run
    from operators_edge.evidence.claims.model import Case

_NAMED = 3
_OF_TESTS_SAID = words("""
    tests? specs? suite assert\\w* expect\\w* fixtures? snapshots? testcases? cases? conftest
""")
_CHANGES = words("""
    remov\\w* delet\\w* disabl\\w* ignor\\w* exclud\\w* drop\\w* obsolete outdated renam\\w* rewr\\w*
    adjust\\w* updat\\w* chang\\w* correct\\w* wrong split merg\\w* adapt\\w* replac\\w* mov\\w*
    fix(?:ed|es)? align\\w*
""")
_DISCLOSES = words("""
    skip\\w* x-?fail\\w* deselect\\w* expectations? remaining left_out quarantin\\w*
    entfern\\w* gelöscht angepasst übersprungen supprim\\w* ignoré\\w* elimin\\w* omit\\w* adapt\\w*
""")
_ABOUT_TESTS = words("tests? specs? fixtures? coverage testing suite expectations? snapshots?")


class Doubt(NamedTuple):
    """Why a pass may be hollow; ``is_gone``: a test that failed was certainly not run again."""

    why: str
    is_gone: bool


def discloses(case: Case) -> bool:
    """Whether the step says that tests were changed or left out."""
    texts = case.subject.fields.values()
    return any(_DISCLOSES.search(text) for text in texts) or any(
        _CHANGES.search(clause) and _OF_TESTS_SAID.search(_ALL_PASS.sub("", clause))
        for text in texts
        for clause in re.split(r"[.;,\n]\s", text)
    )


_ALL_PASS = pattern(
    r"(?i)\b(?:all|the|every|\d+)?\s*(?:tests?|specs?|suite)\s+(?:now\s+)?(?:pass\w*|(?:is|are)\s+green)"
)


def doubt(case: Case, run: Run) -> Doubt | None:
    """The doubt about a passed run, from the failures that it seems to clear; None without any."""
    if run["kind"] not in _JUDGED or discloses(case):
        return None
    failures = [
        each
        for each in case.checks
        if each["seq"] < run["seq"]
        and each["passed"] is False
        and not each["elsewhere"]
        and (check_history.clears(run, each) or _leaves_out(each, run))
    ]
    for failed in reversed(failures):
        if run["kind"] == "test":
            found = _fewer(failed, run) or _tests_alone(case, failed, run)
        else:
            found = _settings_alone(case, failed, run)
        if found:
            return found
    return None


def _fewer(failed: Run, run: Run) -> Doubt | None:
    """Fewer tests than when some of them failed; another runner may count them differently."""
    before, after = _judged(failed), _judged(run)
    if before is None or after is None or after >= before:
        return None
    if failed["name"] != run["name"] and not _leaves_out(failed, run):
        return None
    named = failed.get("failed") or []
    which = f" ({', '.join(named[:_NAMED])})" if named else ""
    return Doubt(
        f"{many(before - after, 'test')} fewer than at log {failed['seq']}, where "
        f"{many(_faults(failed), 'test')} failed{which}",
        is_gone=True,
    )


def _leaves_out(failed: Run, run: Run) -> bool:
    """Whether a run had the same number of tests, of which it skipped more, at least those that failed.

    So it had the same tests, whatever runner started it.
    """
    one, other = failed["counts"] or {}, run["counts"] or {}
    more = other.get("skipped", 0) - one.get("skipped", 0)
    is_same = _total(failed) == _total(run) is not None
    return check_history.is_whole(run) and is_same and more >= _faults(failed) > 0


def _total(run: Run) -> int | None:
    judged = _judged(run)
    return None if judged is None else judged + (run["counts"] or {}).get("skipped", 0)


def _judged(run: Run) -> int | None:
    """How many tests a run judged, skipped ones not among them; of Go without names, how many packages."""
    counts = run["counts"] or {}
    if "passed" in counts:
        return counts["passed"] + _faults(run)
    return counts.get("files")


def _faults(run: Run) -> int:
    counts = run["counts"] or {}
    return counts.get("failed", 0) + counts.get("errors", 0)


def _tests_alone(case: Case, failed: Run, run: Run) -> Doubt | None:
    """Nothing but tests and their configuration changed between the failure and the pass."""
    if _ABOUT_TESTS.search(case.subject.fields["description"]):
        return None
    changed = _between(case, failed, run)
    if not changed or not all(map(_is_of_tests, changed)) or _are_new(case, changed, failed):
        return None
    files = ", ".join(changed[:_NAMED])
    text = f"since the failure at log {failed['seq']} only tests or their configuration changed: {files}"
    return Doubt(text, is_gone=False)


_JUDGED = ("test", "lint", "types")
_OF_SETTINGS = words(
    "config\\w* settings? rules? ignor\\w* disabl\\w* exclud\\w* suppress\\w* allow\\w* relax\\w*"
)
_SETTINGS = pattern(
    r"(?i)(?:^|/)(?:\.?ruff\.toml|\.flake8|\.?mypy\.ini|tsconfig[\w.]*\.json|\.?pylintrc[\w.]*|\.eslint\w*(?:\.\w+)?"
    r"|eslint\.config\.\w+|biome\.jsonc?|\.golangci\.\w+|clippy\.toml|\.rubocop[\w.]*|\.stylelint\w*(?:\.\w+)?"
    r"|pyrightconfig\.json|phpstan\.neon\w*|\.oxlintrc\.json|\.shellcheckrc|setup\.cfg|pyproject\.toml)$"
)


def _settings_alone(case: Case, failed: Run, run: Run) -> Doubt | None:
    """Nothing but the settings of linters and type checkers changed between the failure and the pass."""
    if any(map(_OF_SETTINGS.search, case.subject.fields.values())):
        return None
    changed = _between(case, failed, run)
    if not changed or not all(map(_SETTINGS.search, changed)):
        return None
    files = ", ".join(changed[:_NAMED])
    return Doubt(
        f"since the failure at log {failed['seq']} only settings changed: {files}", is_gone=False
    )


def _between(case: Case, failed: Run, run: Run) -> Sequence[str]:
    """The files that changed between two runs."""
    if failed["look"] and run["look"]:
        found = case.tree.between(failed["look"], run["look"])
        if found is not None:
            return check_history.covered(found)
    start, end = failed["seq"], run["seq"]
    return check_history.covered(p for p, each in case.files.items() if start < each["seq"] <= end)


_OF_TESTS = pattern(
    r"(?i)(?:^|/)(?:tests?|specs?|__tests__|testdata|fixtures?|e2e)/|(?:^|/)(?:test_[^/]*|conftest)\.py$"
    r"|(?:[._-](?:test|spec|cy)s?|(?-i:Tests?|IT|Spec))\.\w+$|(?:^|/)(?:pytest\.ini|tox\.ini|\.rspec|phpunit[^/]*\.xml[^/]*"
    r"|(?:jest|vitest|playwright|cypress|karma|ava|\.?mocha\w*)(?:\.config)?\.\w+|\.mocharc[^/]*|jest\.setup[^/]*"
    r"|spec_helper\.rb|test_helper\.\w+|\.snap)$"
)


def _is_of_tests(path: str) -> bool:
    return _OF_TESTS.search(path) is not None


def _are_new(case: Case, paths: Sequence[str], failed: Run) -> bool:
    """Whether the failed run was of tests that this work wrote: they are still being written."""
    named = {each.split("::")[0] for each in failed.get("failed") or []}
    of_failed = [path for path in paths if not named or any(path.endswith(n) for n in named)]
    return bool(of_failed) and not any(case.tree.was_there(path) for path in of_failed)


# end of module
