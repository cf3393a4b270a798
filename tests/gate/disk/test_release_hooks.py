"""Commands that a program runs around the next version of a project are judged like its own."""

from __future__ import annotations

import pytest
from tests.gate.disk.test_follow import judged
from tests.tables import for_each

PUSH, LOOK = "git push --follow-tags", "git log -1 --stat"
BUMP = '[tool.bumpversion]\npost_commit_hooks = [\n  "twine check dist/*",\n  "%s",\n]\n'
CFG = "[bumpversion]\ncurrent_version = 1.0\npre_commit_hooks =\n    make docs\n    %s\n"
CZ = '[tool.commitizen]\nversion = "1"\npost_bump_hooks = ["%s"]\n'
TBUMP = '[[before_commit]]\nname = "x"\ncmd = "%s"\n'
COG = 'pre_bump_hooks = ["cargo build"]\npost_bump_hooks = ["%s origin v{{version}}"]\n'
KNOPE = '[[workflows]]\nname = "release"\n[[workflows.steps]]\ntype = "Command"\ncommand = "%s"\n'
STANDARD = '{"name": "x", "standard-version": {"scripts": {"posttag": "%s"}}}'
FILES = [
    ("bump-my-version bump patch", "pyproject.toml", BUMP),
    ("uvx bump-my-version bump patch", ".bumpversion.toml", BUMP),
    ("python -m bumpversion bump patch", "pyproject.toml", BUMP),
    ("bump-my-version --config-file x.toml bump patch", "x.toml", BUMP),
    ("bump-my-version bump minor", ".bumpversion.cfg", CFG),
    ("cz bump", "pyproject.toml", CZ),
    ("cz bump --yes --increment patch", ".cz.json", '{"commitizen": {"pre_bump_hooks": ["%s"]}}'),
    ("poetry run cz bump", "cz.yaml", "commitizen:\n  post_bump_hooks:\n    - %s\n"),
    ("tbump --no-push 1.2.3", "tbump.toml", TBUMP),
    ("cog bump --auto", "cog.toml", COG),
    ("knope release", "knope.toml", KNOPE),
    ("npx standard-version", "package.json", STANDARD),
    ("npx commit-and-tag-version", ".versionrc", '{"scripts": {"postcommit": "%s"}}'),
    ("goreleaser --snapshot --rm-dist", ".goreleaser.yml", "before:\n  hooks:\n    - %s\n"),
    ("goreleaser build --snapshot", ".goreleaser.yaml", "before:\n  hooks:\n    - go mod tidy\n    - %s\n"),
]  # fmt: skip


@for_each(("command", "name", "text"), FILES)
def test_its_commands_count(command, name, text):
    for run, effect in ((PUSH, "junction"), (LOOK, "allow")):
        files = {name: text % run}
        assert judged(command, files, committed=files).effect == effect, run


@for_each(
    "command",
    [
        *("bump-my-version bump patch --dry-run", "bump-my-version show current_version"),
        *("cz bump --dry-run", "cz check --rev-range a..b", "python -m build"),
    ],
)
def test_nothing_else_of_the_program_runs_them(command):
    files = {"pyproject.toml": BUMP % PUSH + CZ % PUSH}
    assert judged(command, files, committed=files).effect == "allow"


@for_each("command", ["tbump 1.2.3", "bumpp patch", "npx bumpp", "uplift release"])
def test_what_pushes_by_itself_asks(command):
    assert judged(command, {}).effect == "junction"


@pytest.mark.parametrize(
    "text", ["[tool.bumpversion\n", "[tool.bumpversion]\npost_commit_hooks = 3\n"]
)
def test_a_file_that_says_nothing_runs_nothing(text):
    files = {"pyproject.toml": text}
    assert judged("bump-my-version bump patch", files, committed=files).effect == "allow"


@for_each(
    ("command", "name", "text"),
    [
        ("cz bump", "cz.yaml", "commitizen: !x\n  post_bump_hooks:\n    - %s\n"),
        ("cz bump", ".cz.json", '{"commitizen": {\n  "post_bump_hooks": [\n    "%s"\n  ]\n}\n'),
        ("npx standard-version", ".versionrc", '{\n  "scripts": {\n    "posttag": "%s",\n  }\n}\n'),
        ("bump-my-version bump patch", ".bumpversion.cfg", CFG + "[bumpversion]\n"),
        ("tbump 1.2.3 --no-push", "tbump.toml", "x = \n" + TBUMP),
    ],
)
def test_a_file_that_is_not_understood_may_run_any_of_its_lines(command, name, text):
    for run, effect in ((PUSH, "junction"), (LOOK, "allow")):
        files = {name: text % run}
        assert judged(command, files, committed=files).effect == effect, run


def test_the_finding_names_the_line():
    files = {"pyproject.toml": BUMP % PUSH}
    found = judged("bump-my-version bump patch", files, committed=files).findings
    assert [one.source for one in found] == ["pyproject.toml:4"]
