"""Changes whose truth is known: what takes something away from the checks, and what is honest work."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.evidence.tamper.cases import HONEST, PY, TAMPERING, T, W, put
from tests.tables import for_each

from operators_edge.evidence.tamper import bypass_options, detect, model
from operators_edge.evidence.tamper.model import Change


def change(path, before, after):
    return Change(
        path,
        None if before is None else dedent(before).lstrip("\n"),
        None if after is None else dedent(after).lstrip("\n"),
    )


def kinds(*changes, severity="normal"):
    found = detect.findings_of([change(*each) for each in changes])
    return sorted({each.kind for each in found if each.severity == severity})


@for_each("case", TAMPERING, ids=lambda case: case[0])
def test_what_takes_something_away_is_seen(case):
    _, kind, *changes = case
    assert kinds(*changes) == [kind]


@for_each("case", HONEST, ids=lambda case: case[0])
def test_honest_work_is_not_accused(case):
    assert kinds(*case[1:]) == []


# -- commands --------------------------------------------------------------------------------------

LEAVING_OUT = [
    ("git commit --no-verify -m x", "hooks_skipped"),
    ("cd sub && git commit -nm 'x'", "hooks_skipped"),
    ("git commit -am x -n", "hooks_skipped"),
    ("git push --no-verify", "hooks_skipped"),
    ("SKIP=mypy git commit -m x", "hooks_skipped"),
    ("HUSKY=0 git commit -m x", "hooks_skipped"),
    ("git -c core.hooksPath=/dev/null commit -m x", "hooks_skipped"),
    ("git config core.hooksPath /dev/null", "hooks_skipped"),
    ("pre-commit uninstall", "hooks_removed"),
    ("rm .git/hooks/pre-commit", "hooks_removed"),
    ("rm -r .husky", "hooks_removed"),
    ("chmod -x .git/hooks/pre-push", "hooks_removed"),
    ("pytest -k 'not slow_parse'", "tests_deselected"),
    ("python -m pytest --deselect tests/test_a.py::test_b", "tests_deselected"),
    ("pytest -q --ignore=tests/test_a.py", "tests_deselected"),
    ("npx jest --passWithNoTests", "tests_deselected"),
    ("go test ./... -skip TestParse", "tests_deselected"),
    ("cargo test -- --skip parse", "tests_deselected"),
    ("npx jest -u", "snapshots_regenerated"),
    ("npm test -- -u", "snapshots_regenerated"),
    ("pytest --snapshot-update", "snapshots_regenerated"),
    ("cargo insta accept", "snapshots_regenerated"),
]
ORDINARY = [
    "git commit -m 'never use --no-verify'",
    "git commit -m 'a' -m '-n means no-verify'",
    "git commit -F notes.txt",
    "git commit -mnone",
    "git commit --amend --no-edit",
    "git log -n 5",
    "git push -n",
    "git config core.hooksPath .husky",
    "grep -rn -- --no-verify docs",
    "pre-commit install",
    "pytest -k parse",
    "pytest tests/test_a.py -x",
    "pytest -m 'not slow'",
    "npm install --no-verify-ssl",
    "sort -u names.txt",
    "git add -u",
    "npm update",
    "docker run -u 1000 alpine ls",
    "rm .git/hooks/pre-commit.sample",
    "cat .husky/pre-commit",
    "SKIP_BUILD=1 make",
    "cat <<'X' > notes.md\ngit commit --no-verify\nX",
]


@for_each(("command", "kind"), LEAVING_OUT)
def test_a_command_that_leaves_out_tests_or_hooks_is_seen(command, kind):
    assert [(each.kind, each.severity) for each in bypass_options.of_command(command)] == [
        (kind, "normal")
    ]


@for_each("command", ORDINARY)
def test_ordinary_commands_leave_nothing_out(command):
    assert bypass_options.of_command(command) == ()


def test_what_counts_for_nothing_anyway_or_is_common_is_of_low_severity():
    for command in ("npm test || true", "pytest -q 2>&1 || true", "mvn -q package -DskipTests"):
        assert [each.severity for each in bypass_options.of_command(command)] == ["low"], command
    assert kinds(("a.py", "import os\n", "import os  # noqa: F401\n"), severity="low") == [
        "checks_suppressed"
    ]


# -- how findings read, and their bounds -----------------------------------------------------------


def test_a_finding_reads_as_what_is_there():
    skipped = put(PY, "    def test_parse", "    @pytest.mark.skip\n    def test_parse")
    (found,) = detect.findings_of([change(T, PY, skipped)])
    text = "test skipped: tests/test_shop.py::test_parse (pytest.mark.skip added)"
    assert model.describe(found._asdict()) == text
    (found,) = bypass_options.of_command("git commit --no-verify -m x")
    assert model.describe(found._asdict()).startswith("hooks skipped: --no-verify (in: git commit")


def test_many_findings_are_summed_up_with_the_latest():
    assert model.summary([]) == []
    seen = [{"kind": "test_deleted", "path": f"{n}.py"} for n in range(5)]
    (line,) = model.summary(seen, 2)
    assert line == "test deleted: 3.py; test deleted: 4.py; and 3 more"
    assert model.summary(seen[:1]) == ["test deleted: 0.py"]


def test_the_same_thing_seen_again_has_the_same_key():
    fewer, none = (
        put(PY, "        assert total([]) == 0\n", ""),
        put(PY, "    assert total", "    total", 2),
    )
    (one,) = detect.findings_of([change(T, PY, fewer)])
    (two,) = detect.findings_of([change(T, PY, none)])
    assert one.key == two.key
    assert one.detail != two.detail


def test_many_deleted_tests_are_one_finding_and_findings_are_bounded():
    many = "".join(f"def test_{n}():\n    assert f{n}() == {n}\n\n" for n in range(90))
    (found,) = detect.findings_of([change(T, many, "x = 1\n")])
    assert (found.kind, found.name) == ("test_deleted", "")
    assert found.detail.startswith("90 of 90: test_0, test_1, test_2")
    skipped = many.replace("def ", "@pytest.mark.skip\ndef ")
    assert len(detect.findings_of([change(T, many, skipped)])) == detect.MAX_FINDINGS


def test_a_text_that_cannot_be_read_is_not_judged():
    assert kinds((T, PY, "def test_total(:\n")) == []
    assert kinds((T, PY + "#" * 500_000, "")) == []


@pytest.mark.parametrize("path", ["README.md", "src/latest.ts", "contest.py", "src/a.go"])
def test_what_is_no_test_and_no_configuration_weakens_nothing(path):
    assert kinds((path, PY, ""), (W, "", "on: push\n")) == []


def test_a_long_line_is_read_as_far_as_a_person_would():
    pad = " " * detect.LONGEST_LINE
    assert kinds(("src/a.py", "x = f()\n", f"x = f(){pad}# noqa\n")) == []
