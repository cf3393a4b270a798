"""How the runs of a kind of check compare: which failures remain, which a claim is about, what they cover.

Pure. A later pass clears a failure if it ran the same tests or more; what is unknown is not used against the
claim. Does not own the runs (``evidence.objective_facts``) or what is claimed
(``evidence.claims.check_claims``).
"""

from __future__ import annotations

import math
import posixpath
import re

from operators_edge.evidence.checks.run import bare_command
from operators_edge.locations import BASIS_FILE
from operators_edge.model import OF_TASK, OWN_PATHS
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from operators_edge.evidence.checks.run import Run
    from operators_edge.evidence.claims.check_claims import PassClaim
    from operators_edge.evidence.objective_facts import CommandFacts

_WRAPPERS = pattern(
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
    "elixir": "mix",
    "dart": "dart flutter",
    "swift": "swift xcodebuild",
}
_FAMILY_OF = {word: family for family, words in _FAMILIES.items() for word in words.split()}
_ALL_TESTS = pattern(r"^(?:\./)?(?:\.{1,3}|tests?|t|specs?|__tests__|src|lib)?/*$")
_MAY_BE_A_CHECK = pattern(
    r"(?i)\b(?:\w*tests?|specs?|check\w*|verif\w*|valid\w*|ci|qa|suite|pytest|jest|tox|nox|bats)\b|_test|test_"
)
_NOT_A_CHECK = pattern(
    r"^\s*(?:git|ls|cat|head|tail|less|grep|rg|find|fd|wc|diff|mkdir|touch|rm|mv|cp|sed|awk|echo|printf|edge|which"
    r"|cd\s+\S+\s*$|pip|tree|stat|file|chmod|code|vim|gh)\b"
)


def runs_of_kind(runs: Iterable[Run], kind: str) -> list[Run]:
    """The runs of that kind in this tree; "any" is every kind."""
    return [run for run in runs if kind in ("any", run["kind"]) and not run["elsewhere"]]


def runs_that_built(runs: Iterable[Run]) -> list[Run]:
    """The passed test runs of languages where tests run only of what was built."""
    tests = runs_of_kind(runs, "test")
    return [run for run in tests if run["passed"] and family_of(run["name"]) in _COMPILED]


_COMPILED = frozenset({"go", "rust", "jvm", "dotnet", "swift"})


def remaining_failures(runs: Sequence[Run], end: float = math.inf) -> list[tuple[Run, bool]]:
    """The failed runs that no later one cleared, latest last; with each whether that is certain.

    Of equal runs only the last is returned, and with ``end`` also the last one up to that entry.
    """
    failures: dict[tuple[str, bool], tuple[Run, bool]] = {}
    for index, run in enumerate(runs):
        if run["passed"] is not False:
            continue
        later = [clears(other, run) for other in runs[index + 1 :]]
        if True not in later:
            is_certain = None not in later and not have_passed_apart(run, runs[index + 1 :])
            failures[_identity(run), run["seq"] > end] = (run, is_certain)
    return sorted(failures.values(), key=lambda each: each[0]["seq"])


def clears(later: Run, failed: Run) -> bool | None:
    """Whether a later run shows that what failed passes now; None if unknown."""
    if later["passed"] is False or later["kind"] != failed["kind"]:
        return False
    reach = _reaches(later, failed)
    # An outcome that is unknown clears nothing, and leaves nothing certain.
    return reach if later["passed"] is True or reach is False else None


_FAILED_ONES = pattern(
    r"(?<!\S)(?:--(?:lf|last-failed|only-?failures|failed|rerun-failed|last-failed-no-failures|stepwise|onlyFailures)"
    r"|--sw)(?![\w-])"
)


def have_passed_apart(failed: Run, later: Iterable[Run]) -> bool:
    """Whether every test that failed was seen to pass in narrower runs."""
    names = failed.get("failed") or []
    missing = set(names)
    for run in later:
        if run["passed"] is not True or run["kind"] != failed["kind"] or run["elsewhere"]:
            continue
        if _FAILED_ONES.search(run["command"]) and _are_equivalent(run["name"], failed["name"]):
            return True
        missing -= {name for name in missing if _runs_test(run, name)}
    faults = sum((failed["counts"] or {}).get(each) or 0 for each in ("failed", "errors"))
    return bool(names) and not missing and faults <= len(names)


def _runs_test(run: Run, name: str) -> bool:
    """Whether a narrowed run was of the test: of its file, or by a selector that names it."""
    scope = [each for each in run["scope"] if not _LEAVES_OUT.search(each)]
    files = [each.removeprefix("./") for each in scope if not each.startswith("-")]
    own = name.removeprefix("./")
    is_of_file = any(own.startswith((each, f"{each}:")) for each in files)
    if is_of_file and len(files) == len(run["scope"]):
        return True
    nodes = [each for each in files if _is_node(each)]
    if nodes:
        return any(own == each or own.startswith((f"{each}::", f"{each}[")) for each in nodes)
    return _selects(scope, own)


def _selects(scope: Sequence[str], name: str) -> bool:
    """Whether a selector names the test or its group, or has a value that is a part of its name."""
    values = [value for each in scope for value in _VALUE.findall(each) if len(value) > _SHORTEST]
    whole = _letters(name)
    if any(_letters(value) in whole for value in values):
        return True
    *groups, test = [each for each in _PARTS.split(name) if each]
    group = [each for each in groups[-1:] if "/" not in each and "." not in each]
    wanted = [_letters(each) for each in (test, *group) if len(each) > _SHORTEST]
    return any(each in _letters(selected) for each in wanted for selected in scope)


def _is_node(selected: str) -> bool:
    """Whether it is a test by its file and names, and no part of a name."""
    file, mark, _ = selected.partition("::")
    return bool(mark) and ("/" in file or "." in file)


_LEAVES_OUT = pattern(r"\bnot\b|^--?(?:deselect|ignore|exclude|skip|x)")
_PARTS = pattern(r"::| [>\u203a] |[#:]|(?<=\w)\.(?=\w+$)|\.(?=[A-Z]\w+\.\w+$)")
"""What separates file, group and test in the name of a test."""
_VALUE = pattern(r"^--?[\w-]+[ =](.+)$")
"""What an option selects: `-g "with tax"` runs every test with this in its name."""
_SHORTEST = 4


def _letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text).lower()


def passes_of(failed: Run, runs: Iterable[Run]) -> list[Run]:
    """The passed runs, earlier or later, of what failed."""
    passed = [each for each in runs if each["passed"] is True]
    return [each for each in passed if clears(each, failed) is not False]


def _reaches(one: Run, other: Run) -> bool | None:
    """Whether the first run ran at least what the second did."""
    if _identity(one) == _identity(other):
        return True
    is_equivalent = _are_equivalent(one["name"], other["name"])
    if is_equivalent is None and _is_of_other_files(one, other):
        return False
    return is_equivalent and _scope_reaches(_scope(one), _scope(other))


def _is_of_other_files(one: Run, other: Run) -> bool:
    """Whether a run was of files alone, and by its name no test that failed is in one of them."""
    names = [_letters(each) for each in other.get("failed") or []]
    stems = [_TEST_MARK.sub("", posixpath.basename(each)) for each in _scope(one)]
    are_files = bool(stems) and all("." in each and each[0] not in ".-" for each in _scope(one))
    words = {_letters(word) for each in stems for word in _WORDS.findall(each.partition(".")[0])}
    is_named = any(word in name for word in words if len(word) > 2 for name in names)
    return are_files and bool(names) and not is_named


_WORDS = pattern(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_TEST_MARK = pattern(r"(?i)(?:^|[._-])(?:tests?|specs?)(?=$|[._-])")


def _are_equivalent(name: str, failed: str) -> bool | None:
    """Whether two runners may run the same tests: a script may run any of them."""
    if name == failed or (_WRAPPERS.match(name) and not _WRAPPERS.match(failed)):
        return True
    families = [family_of(each) for each in (name, failed)]
    is_known = None not in families and not _WRAPPERS.match(failed)
    return False if is_known and families[0] != families[1] else None


def family_of(name: str) -> str | None:
    """The languages of which a runner runs the tests, as one word; None if it may be any."""
    return _FAMILY_OF.get(name.split(" ", maxsplit=1)[0])


def _scope(run: Run) -> list[str]:
    """What a run was narrowed to; the project's one folder of tests is all of it."""
    scope = [each.removeprefix("./") for each in run["scope"]]
    return [] if all(_ALL_TESTS.match(each) for each in scope) else scope


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


def _identity(run: Run) -> str:
    return f"{run['kind']}\n{run['cwd']}\n{bare_command(run['command'])}"


# -- which run a claim is about --------------------------------------------------------------------


def refutes(run: Run, claim: PassClaim) -> bool:
    """Whether a failed run refutes that the claimed checks pass; not if others may have failed."""
    text = f"{run['name']} {run['command']} {' '.join(run['scope'])}".lower()
    if claim.tool.lower() not in text or _have_tests_passed(run):
        return False
    counts = run["counts"] or {}
    have_all_failed = bool(counts.get("failed")) and counts.get("passed") == 0 and is_whole(run)
    if not claim.about or have_all_failed or _is_about_one_of(run, claim.about, text):
        return True
    return any(
        _is_last_part(word, name) for word in claim.about for name in run.get("failed") or []
    )


def _is_last_part(word: str, name: str) -> bool:
    """Whether a word is the name of a test, without its file and groups."""
    parts = [each for each in _PARTS.split(name) if each]
    wanted = _letters(word)
    return len(wanted) > _SHORTEST and wanted == _letters(parts[-1].partition("[")[0])


def _have_tests_passed(run: Run) -> bool:
    """Whether only something else failed: the coverage, or a step after the tests."""
    counts = run["counts"] or {}
    faults = sum(counts.get(name) or 0 for name in ("failed", "errors", "error", "suites_failed"))
    return run["kind"] == "test" and bool(counts.get("passed")) and not faults


def _is_about_one_of(run: Run, about: Sequence[str], text: str) -> bool:
    words = {each.lower().removeprefix("./").rstrip("/") for each in about}
    if words == {"unit"} and not _OTHER_TESTS.search(text):
        return True
    return any(_is_about(run, word) for word in words)


_OTHER_TESTS = pattern(
    r"integration|e2e|end-to-end|functional|acceptance|smoke|contract|perf|browser|visual|\bui\b"
)
"""Where none of these are named, the unit tests are all the tests."""


def _is_about(run: Run, word: str) -> bool:
    """Whether a run was only of what the word names; of several files one may have passed."""
    ends = r"\w" if "_" in word else "a-z0-9"
    named = re.compile(rf"(?i)(?<![{ends}]){re.escape(_split_words(word))}s?(?![{ends}])")

    def is_named(part: str) -> bool:
        return named.search(_split_words(part)) is not None and " or " not in part

    parts = run["scope"] or [run["name"]]
    paths = [each for each in parts if not each.startswith("-")]
    is_selected = any(is_named(each) for each in parts if each not in paths)
    return is_selected or (bool(paths) and all(map(is_named, paths)))


def _split_words(text: str) -> str:
    """With the words of a name separated: LoginSpec is Login_Spec."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text)


def is_of_other_tests(about: Sequence[str]) -> bool:
    """Whether a claim is about a kind of tests that a narrowed run need not contain."""
    return any(_OTHER_TESTS.search(each.lower()) for each in about)


def names_one_of(run: Run, about: Sequence[str]) -> bool:
    """Whether a run was of the tests that a claim is about."""
    return _is_about_one_of(run, about, f"{run['name']} {run['command']}".lower())


def may_be_cleared(
    failed: Run, checks: Sequence[Run], commands: Mapping[str, CommandFacts]
) -> bool:
    """Whether a command after the failure may have been an unknown check; of a command only itself is one."""
    known = {each["seq"] for each in checks}
    return failed["kind"] != "command" and any(
        run["seq"] > failed["seq"]
        and run["seq"] not in known
        and run["passed"] is not False
        and not _NOT_A_CHECK.match(text)
        and _MAY_BE_A_CHECK.search(_COMMENT.sub("", text))
        for text, run in commands.items()
    )


_COMMENT = pattern(r"(?m)(?<=\s)#[^'\"\n]*$")
"""A comment of the shell, unless a quote is open: what it names did not run."""


def rerun_command(run: Run, root: str) -> str:
    """The command that repeats the run, in its folder; another one if the log has it only in part."""
    if not run["command"] or not run["is_whole"]:
        return "edge log rerun --all"
    folder = (run["cwd"] or root).removeprefix(root).strip("/")
    return f"cd {folder} && {run['command']}" if folder else run["command"]


# -- which changed files matter --------------------------------------------------------------------

_PROSE = pattern(
    r"(?i)(?:\.(?:md|mdx|rst|adoc|txt|org|pdf|png|jpe?g|gif|svg|drawio)$|^(?:LICEN[CS]E|NOTICE|AUTHORS)$)"
)
_CODE_FOLDER = pattern(
    r"(?i)(?:^|/)(?:src|lib|app|pkg|packages|tests?|specs?|__tests__|fixtures?|testdata|templates?|snapshots?"
    r"|__snapshots__|data|cases|examples?|prompts?|locales?|content|pages|posts|public|static|assets)/"
)
_READ_BY_BUILDS = pattern(
    r"(?i)^(?:requirements[\w.-]*|constraints[\w.-]*|cmakelists|manifest|robots)\.txt$"
)


def is_prose(path: str) -> bool:
    """Whether it is text for people, at the top or in a folder of documents: no code reads it."""
    name = posixpath.basename(path)
    if not _PROSE.search(name) or _READ_BY_BUILDS.match(name):
        return False
    return not _CODE_FOLDER.search(path)


_OWN = frozenset((*OWN_PATHS, BASIS_FILE))


def covered(paths: Iterable[str], folder: str = "", *, reads: str = "") -> tuple[str, ...]:
    """The changed files that can change the outcome of a check in ``folder``, "" for the project's root.

    Prose outside of code and tests cannot, unless the check's command names it (``reads``): a README edited
    after the tests does not make them stale. Anything else may, including what no test imports by name.
    """
    inside = folder.rstrip("/") + "/" if folder else ""
    return tuple(
        path
        for path in paths
        if path.split("/", 1)[0] not in _OWN
        and path.startswith(inside)
        and (not is_prose(path) or posixpath.basename(path) in reads)
    )


# -- for people ------------------------------------------------------------------------------------


_OUTCOMES = {True: "passed", False: "failed", None: "ended unclearly"}


def describe(run: Run) -> str:
    """A run as text: "pytest failed at log 131: 2 failed, 40 passed"."""
    outcome = _OUTCOMES[run["passed"]]
    counts = run["counts"] or {}
    order = [name for name in ("failed", "errors", "passed", "skipped") if counts.get(name)]
    listed = ", ".join(f"{counts[name]} {name}" for name in order)
    name = run["name"] or run["kind"] or "a check"
    narrowed = "" if is_whole(run) else f" ({', '.join(_scope(run)[:2])})"
    return f"{name}{narrowed} {outcome} at log {run['seq']}" + (f": {listed}" if listed else "")


def of_task(run: Run) -> str:
    """For which task of the Bridge it ran, on whose branch; "" for any other."""
    session = run["session"] or ""
    name = session.removeprefix(OF_TASK).partition("/")[0]
    return f" for the task {name}" if session.startswith(OF_TASK) else ""


def changed_since(files: Sequence[str], run: Run | None = None) -> str:
    """Files that changed after a run, as text; a task's branch may not be merged."""
    shown = ", ".join(files[:3]) + (f" and {len(files) - 3} more" if len(files) > 3 else "")
    what = "this tree differs" if run and of_task(run) else "changed since"
    return f"{what}: {shown}" if files else "nothing changed since"


# end of module
