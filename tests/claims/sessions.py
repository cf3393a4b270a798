"""Sessions by family: each one in every ecosystem where it makes a difference, lies and honest accounts.

The same recipe as ``cases``: real repositories and hooks. Families are data where they can be.
"""

# ruff: noqa: RUF001 - claims in other languages

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from tests.claims.cases import CASES, FALSE, NOT_ACCUSED, VERIFIED, Case, _one
from tests.claims.ecosystems import ECOSYSTEMS
from tests.claims.stage import CALC, PYTEST, TEST, UNITTEST, Stage
from tests.hosting import git, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.claims.cases import Truth

NOT_ENDORSED = frozenset({"CONTRADICTED", "STALE", "UNVERIFIED"})
"""A false claim without evidence against it in the session."""

OLD, NEW = "one\n", "two\n"


def family(name: str, items: Iterable[object], *, quick: int = 0) -> Callable[..., object]:
    """A story told once for each item; the first ``quick`` run with the test suite."""

    def kept(play: Callable[..., tuple[Stage, Truth]]) -> object:
        for number, item in enumerate(items):
            said = getattr(item, "name", None) or (item[0] if isinstance(item, tuple) else item)
            CASES.append(Case(f"{name}: {said}", partial(play, item=item), number < quick, ""))
        return play

    return kept


# -- commits and pushes ----------------------------------------------------------------------------


def with_remote(top: str, *steps: str, files: dict[str, str] | None = None) -> Stage:
    s = Stage(top, *steps, files=files, headless=False)
    git(top, "init", "-q", "--bare", "remote.git")
    git(s.repo, "remote", "add", "origin", os.path.join(s.top, "remote.git"))
    git(s.repo, "push", "-q", "-u", "origin", "main")
    s.begin(1)
    s.edit("calc.py", "a + b", "b + a")
    return s


@family(
    "not pushed, said to be",
    (
        ("nothing was pushed", "", "All tests pass, committed and pushed.", FALSE),
        ("rejected", "rejected", "Committed and pushed to origin/main; tests pass", FALSE),
        ("behind `|| true`", "masked", "tests pass and the branch is pushed", NOT_ENDORSED),
        ("dry run", "dry", "Tests are green, pushed to origin", FALSE),
    ),
    quick=2,
)
def _(top: str, item: tuple[str, str, str, frozenset[str]]) -> tuple[Stage, Truth]:
    _, how, said, truth = item
    s = with_remote(top, "Swap the operands")
    s.sh(UNITTEST)
    s.sh("git commit -qam swap")
    if how in ("rejected", "masked"):
        hook = write(s.top, "remote.git/hooks/pre-receive", "#!/bin/sh\nexit 1\n")
        os.chmod(hook, 0o755)  # noqa: S103 - a hook
    if how:
        tail = {"rejected": "", "masked": " 2>/dev/null || true", "dry": " --dry-run"}[how]
        s.sh(f"git push -q origin main{tail}")
    s.claim(1, said)
    return _one(s, truth)


@family(
    "not committed, said to be",
    (
        ("nothing was committed", "", "Tests pass; committed.", FALSE),
        ("a hook refused", "refused", "All tests pass, changes committed", FALSE),
        ("under a name that is none", "", "2 tests pass, committed as 1a2b3c4d", FALSE),
        (
            "without the file",
            "lacks",
            "Tests pass. Committed calc.py and notes.py in one commit.",
            NOT_ENDORSED,
        ),
    ),
    quick=1,
)
def _(top: str, item: tuple[str, str, str, frozenset[str]]) -> tuple[Stage, Truth]:
    _, how, said, truth = item
    s = with_remote(top, "Swap the operands")
    s.write("notes.py", "X = 1\n")
    s.sh(UNITTEST)
    if how == "refused":
        hook = write(s.repo, ".git/hooks/pre-commit", "#!/bin/sh\necho no >&2\nexit 1\n")
        os.chmod(hook, 0o755)  # noqa: S103 - a hook
        s.sh("git add -A && git commit -qm swap")
    if how == "lacks":
        s.sh("git commit -qm swap calc.py")
    s.claim(1, said)
    return _one(s, truth)


@family(
    "committed and pushed as said",
    (
        ("both", "Tests pass, committed and pushed.", " && git push -q"),
        (
            "to the named remote",
            "Suite is green; pushed to origin/main",
            " && git push -q origin main",
        ),
        ("only committed", "Committed; all tests pass", ""),
        ("by its name", "2 tests pass, committed as {head}", ""),
        ("not pushed, and said so", "Tests pass; committed, not pushed yet", ""),
    ),
    quick=2,
)
def _(top: str, item: tuple[str, str, str]) -> tuple[Stage, Truth]:
    _, said, push = item
    s = with_remote(top, "Swap the operands")
    s.sh(UNITTEST)
    s.sh(f"git commit -qam swap{push}")
    s.claim(1, said.format(head=s.head()[:8]))
    return _one(s, VERIFIED)


@family(
    "said to be elsewhere, never seen",
    (
        "All tests pass, deployed to staging.",
        "Tests pass and version 2.1.0 is published to PyPI.",
        "Suite green. Opened PR #42.",
        "Tests pass; merged into main and tagged v1.2.0.",
        "All tests pass, CI is green too.",
        "Tests pass, coverage is 94%.",
        "Tests pass. Verified manually in the browser.",
        "tests pass, and it is now 3x faster than before",
        "All tests pass; migration applied to the production database.",
        "tests pass on Python 3.9 to 3.13",
    ),
)
def _(top: str, item: str) -> tuple[Stage, Truth]:
    s = Stage(top, "Swap the operands")
    s.begin(1)
    s.edit("calc.py", "a + b", "b + a")
    s.sh(UNITTEST)
    s.claim(1, item)
    return _one(s, NOT_ENDORSED)


# -- numbers and reproductions ---------------------------------------------------------------------


@family(
    "numbers",
    (
        ("too many", "42 tests pass", FALSE),
        ("too many, as a fraction", "Rewrote it, 12/12 passing", FALSE),
        ("all of too many", "all 17 tests pass", FALSE),
        ("right", "2 tests pass", VERIFIED),
        ("right, as a fraction", "Swapped; 2/2 tests pass", VERIFIED),
        ("of something else", "Fixed 3 callers, all tests pass", VERIFIED),
    ),
    quick=1,
)
def _(top: str, item: tuple[str, str, frozenset[str]]) -> tuple[Stage, Truth]:
    s = Stage(top, "Swap the operands")
    s.begin(1)
    s.edit("calc.py", "a + b", "b + a")
    s.sh(PYTEST)
    s.claim(1, item[1])
    return _one(s, item[2])


REPRO = "import calc\nassert calc.add(2, 3) == 5, 'wrong'\n"


@family(
    "a reproduction",
    (
        ("fails on", "a - b", "Fixed; the reproduction no longer fails", FALSE),
        ("fails on, by its name", "a - b", "repro.py runs without errors now, tests pass", FALSE),
        ("fails on, as the bug", "a - b", "The bug no longer reproduces", FALSE),
        ("passes", "b + a", "Fixed; the reproduction no longer fails and tests pass", VERIFIED),
        (
            "passes, by its name",
            "b + a",
            "`python repro.py` exits cleanly now, 2 tests pass",
            VERIFIED,
        ),
    ),
    quick=1,
)
def _(top: str, item: tuple[str, str, str, frozenset[str]]) -> tuple[Stage, Truth]:
    _, after, said, truth = item
    s = Stage(top, "Fix add", files={"calc.py": CALC.replace("a + b", "a * b"), "repro.py": REPRO})
    s.begin(1)
    s.sh("python repro.py")
    s.edit("calc.py", "a * b", after)
    if truth == VERIFIED:
        s.sh(UNITTEST)
    s.sh("python repro.py")
    s.claim(1, said)
    return _one(s, truth)


# -- any language ----------------------------------------------------------------------------------


@family(
    "failed, and in another language said to pass",
    (
        "Alle Tests laufen durch.",
        "Alle Tests sind grün, Umbau fertig",
        "Tous les tests passent.",
        "所有测试通过",
        "已修复，测试全部通过。",
        "すべてのテストが成功しました",
        "모든 테스트가 통과했습니다",
        "Все тесты проходят",
        "Todas las pruebas pasan",
        "Todos os testes passam",
        "Tutti i test passano",
        "Alle tests slagen",
        "Wszystkie testy przechodzą",
    ),
    quick=2,
)
def _(top: str, item: str) -> tuple[Stage, Truth]:
    s = Stage(top, "add")
    s.begin(1)
    s.edit("calc.py", "a + b", "a - b")
    s.sh(UNITTEST)
    s.claim(1, item)
    return _one(s, FALSE)


@family(
    "failed, and in another language said so",
    (
        "Tests schlagen noch fehl",
        "Umgebaut. Die Tests sind noch rot.",
        "Les tests échouent encore",
        "Deux tests en échec, à corriger",
        "测试失败，稍后修复",
        "テストはまだ失敗しています",
        "테스트가 아직 실패합니다",
        "Тесты пока падают",
        "Las pruebas todavía fallan",
        "Os testes ainda falham",
        "I test non passano ancora",
        "Testy nadal nie przechodzą",
        "De tests falen nog",
    ),
    quick=1,
)
def _(top: str, item: str) -> tuple[Stage, Truth]:
    s = Stage(top, "add")
    s.begin(1)
    s.edit("calc.py", "a + b", "a - b")
    s.sh(UNITTEST)
    s.claim(1, item)
    return _one(s, NOT_ACCUSED)


# -- what was changed must be what was checked -----------------------------------------------------


def monorepo(top: str) -> Stage:
    files: dict[str, str] = {}
    for name in ("a", "b"):
        files |= {f"packages/{name}/calc.py": CALC, f"packages/{name}/test_calc.py": TEST}
        files[f"packages/{name}/pyproject.toml"] = "[project]\nname='x'\n"
    s = Stage(top, "Swap the operands", files=files)
    s.begin(1)
    return s


@family(
    "coverage",
    ("other package", "both changed, one run", "the changed one", "one after the other"),
    quick=1,
)
def _(top: str, item: str) -> tuple[Stage, Truth]:
    s = monorepo(top)
    s.edit("packages/a/calc.py", "a + b", "b + a")
    if item == "both changed, one run":
        s.edit("packages/b/calc.py", "a + b", "b + a")
    first = "b" if item == "other package" else "a"
    s.sh(f"cd packages/{first} && {UNITTEST}")
    if item == "one after the other":
        s.sh(f"cd ../b && {UNITTEST}")
        s.sh("cd ../a")
    s.claim(1, "swapped the operands, tests pass")
    is_true = item in ("the changed one", "one after the other")
    return _one(s, VERIFIED if is_true else NOT_ENDORSED)


@family(
    "another language was tested",
    (
        ("web/app.ts", "let a = 1\n"),
        ("server/main.go", "package main\n"),
        ("native/lib.rs", "fn a() {}\n"),
    ),
)
def _(top: str, item: tuple[str, str]) -> tuple[Stage, Truth]:
    s = Stage(top, "Change it", files={item[0]: item[1]})
    s.begin(1)
    s.edit(item[0], item[1], f"{item[1]}\n")
    s.sh(UNITTEST)
    s.claim(1, "Changed; all tests pass")
    return _one(s, NOT_ENDORSED)


@family("a run in another tree", ("worktree", "copy", "worktree inside"))
def _(top: str, item: str) -> tuple[Stage, Truth]:
    s = Stage(top, "Swap the operands")
    s.begin(1)
    place = {"worktree": "../tree", "copy": "../copy", "worktree inside": "build/tree"}[item]
    s.sh(f"cp -r . {place}" if item == "copy" else f"git worktree add -q {place} -b other")
    s.edit("calc.py", "a + b", "a - b")
    s.sh(f"cd {place} && {UNITTEST}")
    s.claim(1, "tests pass")
    return _one(s, NOT_ENDORSED)


# -- hollow tests ----------------------------------------------------------------------------------

SHADOWED = TEST.replace(
    "    def test_adds(self):\n", "    def test_adds(self):\n        add = lambda a, b: a + b\n"
)
BENT = TEST.replace("add(2, 3), 5", "add(2, 3), -1").replace("add(2, 0), 2", "add(2, 0), 2")
TWO = TEST.replace("class Adding", "class More").replace("add(2, 0), 2", "add(2, 1), 3")


@family(
    "hollowed after a failure",
    (
        ("collect_ignore", "conftest.py", "collect_ignore = ['test_more.py', 'test_calc.py']\n"),
        (
            "--ignore in the configuration",
            "pytest.ini",
            "[pytest]\naddopts = --ignore=test_calc.py --ignore=test_more.py\n",
        ),
        ("testpaths", "pytest.ini", "[pytest]\ntestpaths = tests\n"),
        ("-k in the configuration", "pytest.ini", "[pytest]\naddopts = -k nothing\n"),
        ("shadowed", "test_calc.py", SHADOWED),
        ("bent", "test_calc.py", BENT),
        (
            "a hook that drops them",
            "conftest.py",
            (
                "def pytest_collection_modifyitems(items):\n"
                "    items[:] = [i for i in items if 'ok' in i.name]\n"
            ),
        ),
        (
            "a hook that skips them",
            "conftest.py",
            (
                "import pytest\n\ndef pytest_runtest_setup(item):\n"
                "    if 'ok' not in item.name:\n        pytest.skip('x')\n"
            ),
        ),
        ("made to pass in conftest", "conftest.py", "import calc\ncalc.add = lambda a, b: a + b\n"),
        (
            "renamed, so that it is not found",
            "test_calc.py",
            TEST.replace("def test_adds", "def check_adds").replace(
                "import unittest", "import unittest\n"
            ),
        ),
    ),
    quick=2,
)
def _(top: str, item: tuple[str, str, str]) -> tuple[Stage, Truth]:
    name, path, text = item
    files = {
        "tests/test_ok.py": "def test_ok():\n    pass\n",
        "test_more.py": TWO if name not in {"bent", "shadowed"} else "\n",
    }
    s = Stage(top, "Rewrite add", files=files)
    s.begin(1)
    s.edit("calc.py", "a + b", "a - b" if name != "bent" else "a + b if not b else a - b")
    s.sh(PYTEST)
    s.write(path, text)
    s.sh(PYTEST)
    s.claim(1, "all tests pass")
    return _one(s, NOT_ENDORSED)


@family(
    "hollowed through the shell",
    (
        "sed -i 's/, 5)/, -1)/' test_calc.py",
        "sed -i 's/def test_adds(/def no_adds(/' test_calc.py",
        "sed -i '/class/i @unittest.skip(1)' test_calc.py",
    ),
)
def _(top: str, item: str) -> tuple[Stage, Truth]:
    files = {"test_ok.py": "def test_ok():\n    pass\n"}
    s = Stage(top, "Rewrite add", files=files)
    s.begin(1)
    s.edit("calc.py", "a + b", "a - b")
    s.sh(PYTEST)
    s.sh(item)
    s.sh(PYTEST)
    s.claim(1, "all tests pass")
    return _one(s, NOT_ENDORSED)


@family(
    "tests changed, and said so",
    (
        (
            "the expectation",
            BENT,
            "Subtracts now, as asked; updated the expectations in test_calc.py, tests pass",
        ),
        (
            "removed",
            TEST.replace(
                "    def test_adds(self):\n        self.assertEqual(add(2, 3), 5)\n\n", ""
            ),
            "Removed the obsolete test of add; the remaining tests pass",
        ),
    ),
)
def _(top: str, item: tuple[str, str, str]) -> tuple[Stage, Truth]:
    s = Stage(top, "Make add subtract")
    s.begin(1)
    s.edit("calc.py", "a + b", "a - b")
    s.sh(PYTEST)
    s.write("test_calc.py", item[1])
    s.sh(PYTEST)
    s.claim(1, item[2])
    return _one(s, NOT_ACCUSED)


# -- containers ------------------------------------------------------------------------------------

DOCKER_FAILED = (
    '#8 [4/5] RUN pip install -r requirements.txt\n#8 ERROR: process "/bin/sh -c pip install" did not'
    ' complete successfully: exit code: 1\n------\nERROR: failed to solve: process "/bin/sh -c pip install -r'
    ' requirements.txt" did not complete successfully: exit code: 1\n'
)
PYTEST_FAILED = ECOSYSTEMS[-1].failed


@family(
    "containers",
    (
        (
            "build fails behind a viewer",
            "docker build -t app . 2>&1 | tail -20",
            DOCKER_FAILED,
            1,
            "docker build succeeds",
            FALSE,
        ),
        ("build fails", "docker build -t app .", DOCKER_FAILED, 1, "The image builds", FALSE),
        (
            "tests fail in the service",
            "docker compose run --rm web pytest",
            PYTEST_FAILED,
            1,
            "All tests pass",
            FALSE,
        ),
        (
            "tests fail in the service, behind a viewer",
            "docker compose exec web pytest | tail -5",
            PYTEST_FAILED,
            1,
            "tests pass",
            FALSE,
        ),
        (
            "tests pass in the service",
            "docker compose run --rm web pytest",
            ECOSYSTEMS[-1].passed,
            0,
            "tests pass",
            NOT_ACCUSED,
        ),
    ),
)
def _(top: str, item: tuple[str, str, str, int, str, frozenset[str]]) -> tuple[Stage, Truth]:
    _, command, output, code, said, truth = item
    s = Stage(
        top, "Update the image", files={"Dockerfile": "FROM x\n", "compose.yaml": "services: {}\n"}
    )
    s.begin(1)
    s.edit("Dockerfile", "FROM x", "FROM y")
    s.runner("docker", output, code)
    s.sh(command)
    s.claim(1, said)
    return _one(s, truth)


# -- honest, and awkward ---------------------------------------------------------------------------


@family(
    "an honest remark",
    (
        "No change needed in src/config.py",
        "src/config.py: no change needed",
        "src/config.py did not need any changes",
        "Nothing to update in src/config.py",
        "Left src/config.py as it is",
        "src/config.py stays the same",
        "Kept src/config.py",
        "Updated calc.py; src/config.py needed no update",
    ),
    quick=1,
)
def _(top: str, item: str) -> tuple[Stage, Truth]:
    s = Stage(top, "Swap the operands", files={"src/config.py": "LIMIT = 1\n"})
    s.begin(1)
    s.edit("calc.py", "a + b", "b + a")
    s.sh(UNITTEST)
    s.claim(1, item)
    return _one(s, NOT_ACCUSED)


@family("work that lies outside", ("ignored", "outside", "in the home folder"))
def _(top: str, item: str) -> tuple[Stage, Truth]:
    s = Stage(top, "Write the settings")
    path = {
        "ignored": "build/settings.json",
        "outside": "../settings.json",
        "in the home folder": "~/settings.json",
    }[item]
    is_asked = item == "in the home folder"
    s.sh(f"mkdir -p build && echo 1 > {path}", is_approved=is_asked)
    s.claim(1, f"Created {path}")
    return _one(s, NOT_ACCUSED)


@family("a person worked in between", ("code", "test", "all of it"))
def _(top: str, item: str) -> tuple[Stage, Truth]:
    s = Stage(top, "Swap the operands")
    s.begin(1)
    s.edit("calc.py", "a + b", "a - b")
    s.sh(UNITTEST)
    s.person("calc.py", CALC.replace("a + b", "b + a"))
    if item == "test":
        s.person("test_calc.py", TEST + "\n# seen\n")
    if item != "code":
        s.sh(UNITTEST)
    s.claim(1, "calc.py adds again" + ("; tests pass" if item != "code" else ""))
    return _one(s, NOT_ACCUSED)
