"""What the runs of a kind of check say together: which failures stand, and which pass speaks for what.

Pure. A later pass clears a failure when it ran the same or more; where that cannot be told, nobody is
accused of anything. Owns that comparison; does not own the runs (``evidence.objective_facts``) or what is
claimed (``evidence.claims.check_claims``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from operators_edge.evidence.checks.quoted import bare

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from operators_edge.evidence.claims.check_claims import Passing

Run = dict[str, Any]
"""A check of the work record."""

_WRAPPERS = re.compile(
    r"^(?:make|gmake|just|task|tox|nox|npm|yarn|pnpm|bun run|hatch|rake|bazel|pre-commit|composer|ninja"
    r"|poe|invoke|nx|turbo|lerna|custom|deno task|\./|sh |bash )"
)
_FAMILIES = {
    "python": "pytest py.test unittest nose2 stestr manage.py coverage ruff flake8 pylint mypy black",
    "js": "jest vitest mocha ava tap node karma playwright cypress ng bun deno eslint tsc prettier vite",
    "go": "go gotestsum golangci-lint gofmt",
    "rust": "cargo nextest cargo-nextest rustfmt clippy",
    "jvm": "mvn mvnw gradle gradlew sbt",
    "dotnet": "dotnet",
    "ruby": "rspec rails minitest rubocop",
    "php": "phpunit pest artisan phpstan",
    "c": "ctest meson cmake",
}
_FAMILY_OF = {word: family for family, words in _FAMILIES.items() for word in words.split()}
_WHOLE_FOLDER = re.compile(r"^(?:\./)?(?:\.|\.\.\.|tests?|specs?|__tests__|src|lib|\.\/)?/*$")
_MAYBE_A_CHECK = re.compile(
    r"(?i)\b(?:\w*tests?|specs?|check\w*|verif\w*|valid\w*|ci|qa|suite|pytest|jest|tox|nox|bats)\b|_test|test_"
)
_NO_CHECK = re.compile(
    r"^\s*(?:git|ls|cat|head|tail|less|grep|rg|find|fd|wc|diff|mkdir|touch|rm|mv|cp|sed|awk|echo|printf|edge|which"
    r"|cd\s+\S+\s*$|pip|tree|stat|file|chmod|code|vim|gh)\b"
)


def of_kind(runs: Iterable[Run], kind: str) -> list[Run]:
    """The runs of this tree whose kind it is; "any" is every kind."""
    return [
        run
        for run in runs
        if (kind == "any" or run.get("kind") == kind) and not run.get("elsewhere")
    ]


def standing_failures(runs: Sequence[Run], end: int | None = None) -> list[tuple[Run, bool]]:
    """The failed runs that no later one cleared, latest last; with each whether that is certain.

    Of the same run only the last is told, and where ``end`` is given also the last one up to that entry.
    """
    found: dict[tuple[str, bool], tuple[Run, bool]] = {}
    for index, run in enumerate(runs):
        if run.get("passed") is not False:
            continue
        later = [clears(other, run) for other in runs[index + 1 :]]
        if True not in later:
            is_later = end is not None and int(run.get("seq") or 0) > end
            found[_same(run), is_later] = (run, None not in later)
    return sorted(found.values(), key=lambda each: int(each[0].get("seq") or 0))


def clears(later: Run, failed: Run) -> bool | None:
    """Whether a later run shows that what failed passes now; None where that cannot be told."""
    if later.get("passed") is False or later.get("kind") != failed.get("kind"):
        return False
    reach = _reaches(later, failed)
    # An outcome that is unknown clears nothing, and leaves nothing certain.
    return reach if later.get("passed") is True else (None if reach is not False else False)


def _reaches(one: Run, other: Run) -> bool | None:
    """Whether the first run ran at least what the second did."""
    if _same(one) == _same(other):
        return True
    if one.get("name") != other.get("name"):
        kin = _are_kin(one, other)
        if kin is not True:
            return kin
    where = _within(one, other)
    if where is not True:
        return where
    return _scope_reaches(_scope(one), _scope(other))


def _are_kin(one: Run, other: Run) -> bool | None:
    """Whether two runners run the same tests: a script may run any of them."""
    name, failed = str(one.get("name") or ""), str(other.get("name") or "")
    if _WRAPPERS.match(name) and not _WRAPPERS.match(failed):
        return True
    if _WRAPPERS.match(name) or _WRAPPERS.match(failed):
        return None
    ours, theirs = _family(name), _family(failed)
    return None if not ours or not theirs or ours == theirs else False


def _family(name: str) -> str:
    return _FAMILY_OF.get(name.split(" ", maxsplit=1)[0], "")


def _within(one: Run, other: Run) -> bool | None:
    """Whether the first ran where the second did, or above."""
    here, there = (str(run.get("cwd") or "").rstrip("/") for run in (one, other))
    if not here or not there or here == there or there.startswith(here + "/"):
        return True
    if here.startswith(there + "/"):
        return bool(_WHOLE_FOLDER.match(here[len(there) + 1 :]))
    return False


def _scope(run: Run) -> list[str]:
    """What a run was narrowed to; a project's one folder of tests is all of it."""
    scope = [str(each).removeprefix("./") for each in run.get("scope") or []]
    return [] if all(_WHOLE_FOLDER.match(each) for each in scope) else scope


def _scope_reaches(one: Sequence[str], other: Sequence[str]) -> bool:
    if not one:
        return True
    return bool(other) and all(any(_is_under(each, whole) for whole in one) for each in other)


def _is_under(path: str, whole: str) -> bool:
    whole = whole.rstrip("/")
    return path == whole or path.startswith((whole + "/", whole + "::", whole + "["))


def is_whole(run: Run) -> bool:
    """Whether a run was not narrowed to some of the tests."""
    return not _scope(run)


def _same(run: Run) -> str:
    return f"{run.get('kind')}\n{run.get('cwd')}\n{bare(str(run.get('command') or ''))}"


# -- which of them a claim is about ----------------------------------------------------------------


def speaks_of(run: Run, said: Passing) -> bool | None:
    """Whether a failed run speaks against what is said to pass; None where others may have failed."""
    told = f"{run.get('name')} {run.get('command')} {' '.join(map(str, run.get('scope') or []))}".lower()
    if said.tool and said.tool.split(" ")[0] not in told:
        return None
    counts = run.get("counts") or {}
    if run.get("kind") == "test" and counts.get("passed") and not _faults(counts):
        return None  # the tests passed; what failed is something else: coverage, a step behind them
    if not said.about:
        return True
    if counts.get("passed") == 0 and counts.get("failed") and is_whole(run):
        return True
    words = [_core(each) for each in said.about]
    if any(_is_about(run, word) for word in words if word):
        return True
    # "Unit tests" are all the tests where nobody speaks of others.
    if set(words) == {"unit"}:
        return not re.search(r"integration|e2e|functional|acceptance|smoke|contract|perf", told)
    return None


def _is_about(run: Run, word: str) -> bool:
    """Whether a run was of nothing but what the word names; of several files one may have passed."""
    ends = r"\w" if "_" in word else "a-z0-9"
    named = re.compile(rf"(?i)(?<![{ends}]){re.escape(_apart(word))}s?(?![{ends}])")
    scope = [_apart(str(each)) for each in run.get("scope") or []]
    if scope:
        narrowed = [each for each in scope if each.startswith("-")]
        paths = [each for each in scope if not each.startswith("-")]
        if any(named.search(each) and " or " not in each for each in narrowed):
            return True
        return bool(paths) and all(named.search(each) for each in paths)
    name = str(run.get("name") or "").split(" ", maxsplit=1)[0]
    parts = [_apart(each) for each in _PARTS.split(str(run.get("command") or "")) if each.strip()]
    own = [each for each in parts if name in each] or parts
    there = [each for each in parts if each.lstrip().startswith("cd ")]
    return all(named.search(each) for each in own) or any(named.search(each) for each in there)


def _apart(text: str) -> str:
    """With the words of a name apart: LoginSpec is Login_Spec."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text)


_PARTS = re.compile(r"&&|\|\||[;|\n]")


def _faults(counts: dict[str, Any]) -> int:
    return sum(
        int(counts.get(name) or 0) for name in ("failed", "errors", "error", "suites_failed")
    )


def _core(word: str) -> str:
    return word.lower().strip("`").removeprefix("./").rstrip("/")


def later_unknown(commands: Iterable[tuple[str, dict[str, Any]]], failed: Run) -> str:
    """A command after the failure that may have been a check which is not known as one; "" for none."""
    for text, run in commands:
        is_later = int(run.get("seq") or 0) > int(failed.get("seq") or 0)
        if not is_later or run.get("passed") is False or _NO_CHECK.match(text):
            continue
        if _MAYBE_A_CHECK.search(_COMMENT.sub("", text)):
            return text
    return ""


_COMMENT = re.compile(r"(?m)(?<=\s)#[^'\"\n]*$")
"""What a shell passes over, where no quote leaves it open: a word there is nothing that ran."""


def told(run: Run, *, past: str = "") -> str:
    """A run in words: "pytest failed at log 131: 2 failed, 40 passed"."""
    outcome = past or {True: "passed", False: "failed"}.get(run["passed"], "ended unclearly")
    counts = run.get("counts") or {}
    order = [name for name in ("failed", "errors", "passed", "skipped") if counts.get(name)]
    listed = ", ".join(f"{counts[name]} {name}" for name in order)
    name = str(run.get("name") or run.get("kind") or "a check")
    narrowed = "" if is_whole(run) else f" ({', '.join(_scope(run)[:2])})"
    return f"{name}{narrowed} {outcome} at log {run.get('seq')}" + (f": {listed}" if listed else "")
